/* SPDX-License-Identifier: Apache-2.0 */
/* Answers questions about HLOD actors: their state, and their faults. */
#include "stream/decision.h"

#include "core/vec.h"

static bool is_asked_for(const struct cs_stream *stream, uint32_t world, uint32_t cell)
{
	return cell != CS_NONE &&
	       cs_run_asked_for(stream, (struct cs_stream_cell){world, cell}) > CS_LAYER_UNLOADED;
}

struct cs_error *cs_stream_hlod(const struct cs_stream *stream, uint32_t world, uint32_t hlod,
	struct cs_stream_hlod_view *ret)
{
	struct cs_error *error = cs_run_hlod_record(stream, world, hlod, ret);
	if (!error)
		ret->in_range = is_asked_for(
			stream, world, cs_stream_world(stream, world).cooked->hlods[hlod].home);
	return error;
}

static bool loads_too_late(const struct cs_stream *stream, uint32_t world,
	const struct cs_cooked_hlod *row, struct cs_stream_hlod_finding *finding)
{
	const struct cs_cooked *cooked = cs_stream_world(stream, world).cooked;
	if (row->home == CS_NONE || row->cell == CS_NONE ||
		!(cs_cooked_cell(cooked, row->home)->flags & CS_CELL_SPATIAL))
		return false;
	finding->range =
		cs_stream_range(stream, world, cs_cooked_cell(cooked, row->home)->partition).range;
	finding->source_range =
		cs_stream_range(stream, world, cs_cooked_cell(cooked, row->cell)->partition).range;
	return finding->range <= finding->source_range;
}

/* Returns whether neither HLOD actor nor source cell is shown, although layers allow the cell. */
static bool leaves_hole(const struct cs_stream *stream, uint32_t world,
	const struct cs_cooked_hlod *row, enum cs_hlod_state state)
{
	struct cs_stream_why source = {.by_layers = CS_LAYER_ACTIVATED};
	if (state != CS_HLOD_HOLE || !cs_stream_status(stream).hlod_enabled ||
		!is_asked_for(stream, world, row->home))
		return false;
	if (row->cell != CS_NONE)
		cs_run_decision_of(stream, (struct cs_stream_cell){world, row->cell}, &source);
	return source.by_layers == CS_LAYER_ACTIVATED;
}

typedef CS_VEC(struct cs_stream_hlod_finding) findings;

static struct cs_error *hlod_view_check_one(
	const struct cs_stream *stream, uint32_t world, uint32_t hlod, findings *rows)
{
	const struct cs_cooked_hlod *row = &cs_stream_world(stream, world).cooked->hlods[hlod];
	struct cs_stream_hlod_finding finding = {.world = world, .hlod = hlod};
	struct cs_stream_hlod_view view;
	struct cs_error *error = cs_run_hlod_record(stream, world, hlod, &view);
	if (error)
		return error;
	const struct {
		bool found;
		enum cs_hlod_fault fault;
	} checks[] = {
		{row->cell == CS_NONE, CS_HLOD_FAULT_OUTDATED},
		{leaves_hole(stream, world, row, view.state), CS_HLOD_FAULT_HOLE},
		{loads_too_late(stream, world, row, &finding), CS_HLOD_FAULT_RANGE},
		{row->home == CS_NONE, CS_HLOD_FAULT_NO_HOME},
	};
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		finding.fault = checks[i].fault;
		if (checks[i].found && !cs_vec_push(rows, finding))
			return cs_error_nomem();
	}
	return NULL;
}

struct cs_error *cs_stream_hlod_check(
	const struct cs_stream *stream, struct cs_stream_hlod_finding **rows_ret, size_t *n_ret)
{
	findings rows = {0};
	struct cs_error *error = NULL;
	for (uint32_t i = 0; i < cs_stream_worlds(stream); i++)
		for (uint32_t k = 0; !error && k < cs_stream_world(stream, i).cooked->n_hlods; k++)
			error = hlod_view_check_one(stream, i, k, &rows);
	return cs_vec_give(&rows, error, rows_ret, n_ret);
}
