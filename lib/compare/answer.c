/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the engine's cells and their actors from a StreamingGeneration log, or from the HLOD actors
 * that the engine saved with a world. A cell has one HLOD actor for each HLOD layer, so HLOD actors
 * are sorted by the GUID and name of their source cell, and neighbours of one cell are merged.
 */
#include "compare/answer.h"

#include "core/guid.h"
#include "core/sort.h"
#include "core/text.h"
#include "world/world_internal.h"

/* ---- cells of a log ---- */

static bool take_log_cell(
	struct cs_answer *to, const struct cs_ue_log *log, const struct cs_ue_log_cell *cell)
{
	const struct cs_answer_cell mine = {
		.name = cell->name,
		.package = cell->package,
		.box = cell->bounds,
		.content = cell->content,
		.has_boxes = cell->has_boxes,
		.is_2d = cell->is_2d,
		.first = to->actors.n,
		.count = cell->count,
		.ours = CS_NONE,
	};
	for (size_t i = 0; i < cell->count; i++) {
		const struct cs_ue_log_actor *actor = &log->actors[cell->first + i];
		const struct cs_answer_actor one = {actor->instance, cs_object_name(actor->path)};
		if (!cs_vec_push(&to->actors, one))
			return false;
	}
	return cs_vec_push(&to->cells, mine);
}

struct cs_error *cs_answer_of_log(const struct cs_ue_log *log, struct cs_answer *ret)
{
	ret->world = log->world ? log->world : "";
	ret->whole = true;
	for (size_t i = 0; i < log->n_cells; i++)
		if (!take_log_cell(ret, log, &log->cells[i]))
			return cs_error_nomem();
	for (size_t i = 0; i < log->n_always_loaded; i++)
		if (!cs_vec_push(&ret->always_loaded, log->always_loaded[i].path))
			return cs_error_nomem();
	return NULL;
}

/* ---- source cells of HLOD actors ---- */

/* Returns the cell name from an HLOD actor's label, which the editor writes as LAYER/CELL. */
static const char *cell_of_label(const struct cs_world *world, const struct cs_actor_row *actor)
{
	const char *label = cs_world_text(world, actor->label), *slash = strrchr(label, '/');
	return slash ? slash + 1 : "";
}

static const char *name_of_cell(const struct cs_world *world, const struct cs_actor_row *actor)
{
	const char *name = cs_world_text(
		world, world->hlods.at[cs_actor_more(world, actor)->hlod].source_cell_name);
	return *name ? name : cell_of_label(world, actor);
}

static bool take_sources(struct cs_answer *to, const struct cs_world *world,
	const struct cs_actor_row *actor, struct cs_answer_cell *cell)
{
	const struct cs_hlod_actor *hlod = &world->hlods.at[cs_actor_more(world, actor)->hlod];
	cell->count += hlod->sources.count;
	for (uint32_t i = 0; i < hlod->sources.count; i++) {
		const struct cs_answer_actor one = {world->guids.at[hlod->sources.first + i], NULL};
		if (!cs_vec_push(&to->actors, one))
			return false;
	}
	return true;
}

static bool take_hlod(
	struct cs_answer *to, const struct cs_world *world, const struct cs_actor_row *actor)
{
	const struct cs_hlod_actor *hlod = &world->hlods.at[cs_actor_more(world, actor)->hlod];
	struct cs_answer_cell *last = to->cells.n ? &to->cells.at[to->cells.n - 1] : NULL;
	const char *name = name_of_cell(world, actor);
	/* before engine version 5.3 the cell GUIDs are zero, so cells are identified by name */
	if (last && cs_guid_compare(last->guid, hlod->source_cell) == 0 &&
		(!cs_guid_is_zero(last->guid) || strcmp(last->name, name) == 0))
		return take_sources(to, world, actor, last);
	struct cs_answer_cell cell = {
		.name = name,
		.guid = hlod->source_cell,
		.first = to->actors.n,
		.ours = CS_NONE,
	};
	return take_sources(to, world, actor, &cell) && cs_vec_push(&to->cells, cell);
}

static int by_source_cell(const void *left, const void *right, void *context)
{
	const struct cs_world *world = context;
	const struct cs_actor_row *l = &world->actors.at[*(const uint32_t *)left];
	const struct cs_actor_row *r = &world->actors.at[*(const uint32_t *)right];
	int order = cs_guid_compare(world->hlods.at[cs_actor_more(world, l)->hlod].source_cell,
		world->hlods.at[cs_actor_more(world, r)->hlod].source_cell);
	return order ? order : strcmp(name_of_cell(world, l), name_of_cell(world, r));
}

struct cs_error *cs_answer_of_hlods(const struct cs_world *world, struct cs_answer *ret)
{
	CS_VEC(uint32_t) rows = {0};
	bool works = true;
	ret->world = "";
	for (uint32_t i = 0; works && i < world->actors.n; i++)
		if (cs_actor_more(world, &world->actors.at[i])->hlod != CS_NONE)
			works = cs_vec_push(&rows, i);
	union {
		const struct cs_world *read;
		void *context;
	} order = {world};
	works = works && cs_sort(rows.at, rows.n, sizeof(*rows.at), by_source_cell, order.context);
	for (size_t i = 0; works && i < rows.n; i++)
		works = take_hlod(ret, world, &world->actors.at[rows.at[i]]);
	cs_vec_free(&rows);
	if (!works)
		return cs_error_nomem();
	return ret->cells.n
		       ? NULL
		       : cs_error_new(CS_E_MISSING,
				 "the source of the world has no HLOD actors to compare: only HLOD "
				 "actors record which cells the engine made");
}

void cs_answer_deinit(struct cs_answer *answer)
{
	cs_vec_free(&answer->cells);
	cs_vec_free(&answer->actors);
	cs_vec_free(&answer->always_loaded);
	cs_arena_deinit(&answer->arena);
}
