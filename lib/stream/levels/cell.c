/* SPDX-License-Identifier: Apache-2.0 */
/* Cell identifiers (world, cell): finding, coding, sorting. Also converts ms to ns. */
#include "stream/stream_internal.h"

#include "core/search.h"
#include "core/sort.h"

#include <math.h>

size_t cs_run_cell_place(const void *list, size_t n, size_t size, struct cs_stream_cell cell)
{
	const char *bytes = list;
	return cs_lower_bound(0, n, i,
		cs_run_cell_order(*(const struct cs_stream_cell *)(bytes + i * size), cell) < 0);
}

bool cs_run_cell_exists(const struct cs_stream *stream, struct cs_stream_cell cell)
{
	return cell.world < stream->worlds.n &&
	       cell.cell < stream->worlds.at[cell.world]->model.n_cells;
}

struct cs_error *cs_run_no_cell(struct cs_stream_cell cell)
{
	return cs_error_new(CS_E_NOCELL,
		"world partition %u of the run has no cell %u (both are counted from 0)",
		cell.world, cell.cell);
}

void cs_run_cell_code(struct cs_codec *codec, struct cs_stream_cell *cell)
{
	cs_code_u32(codec, &cell->world);
	cs_code_u32(codec, &cell->cell);
}

bool cs_run_sort_ids(struct cs_stream *stream, cs_ids *ids)
{
	void *buffer = cs_run_scratch(stream, ids->n, sizeof(uint32_t));
	if (buffer)
		cs_sort_in(ids->at, ids->n, sizeof(uint32_t), cs_compare_u32, NULL, buffer);
	return buffer != NULL;
}

void cs_run_sort_coded(struct cs_codec *codec, struct cs_stream *stream, cs_ids *ids)
{
	codec->failed = codec->failed || !cs_run_sort_ids(stream, ids);
	ids->n = codec->failed ? 0 : ids->n;
}

uint64_t cs_run_ns_of_ms(double ms)
{
	return (uint64_t)llround(ms * 1e6);
}

uint64_t cs_run_ns(const struct cs_stream *stream, enum cs_run_variable variable)
{
	return cs_run_ns_of_ms(cs_run_number(stream, variable));
}
