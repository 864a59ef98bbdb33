/* SPDX-License-Identifier: Apache-2.0 */
/* The planned faults of a run by cell: packages that cannot be opened, damaged or slow ones. */
#include "stream/stream_internal.h"

#include <string.h>

static size_t fault_place(const struct cs_stream *stream, struct cs_stream_cell cell)
{
	_Static_assert(offsetof(struct cs_run_fault, cell) == 0, "begins with its cell");
	return cs_run_cell_place(stream->levels.faults.at, stream->levels.faults.n,
		sizeof(*stream->levels.faults.at), cell);
}

const struct cs_run_fault *cs_run_fault_of(
	const struct cs_stream *stream, struct cs_stream_cell cell)
{
	size_t place = fault_place(stream, cell);
	return place < stream->levels.faults.n &&
			       cs_run_same_cell(stream->levels.faults.at[place].cell, cell)
		       ? &stream->levels.faults.at[place]
		       : NULL;
}

struct cs_error *cs_run_apply_fault(struct cs_stream *stream, const struct cs_stream_input *input)
{
	if (!cs_run_cell_exists(stream, input->cell))
		return cs_run_no_cell(input->cell);
	if (input->row > CS_FAULT_SLOW)
		return cs_error_new(CS_E_SETTING,
			"the kind of a fault in loading a cell (enum cs_fault) must be 0 to %d, "
			"not %u",
			CS_FAULT_SLOW, input->row);
	if (input->row == CS_FAULT_SLOW && !(input->number >= 1 && input->number <= 1e9))
		return cs_error_new(CS_E_SETTING,
			"the factor of a slow fault, which multiplies the duration of a load, must "
			"be 1 to 1e9, not %g",
			input->number);
	size_t place = fault_place(stream, input->cell);
	bool found = place < stream->levels.faults.n &&
		     cs_run_same_cell(stream->levels.faults.at[place].cell, input->cell);
	if (!found && !cs_vec_reserve(&stream->levels.faults, 1))
		return cs_error_nomem();
	struct cs_run_fault *at = stream->levels.faults.at + place;
	if (found && input->row == CS_FAULT_NONE) {
		memmove(at, at + 1, (--stream->levels.faults.n - place) * sizeof(*at));
	} else if (input->row != CS_FAULT_NONE) {
		if (!found)
			memmove(at + 1, at, (stream->levels.faults.n++ - place) * sizeof(*at));
		*at = (struct cs_run_fault){input->cell, input->row, input->number};
	}
	return NULL;
}

struct cs_stream_fault_view cs_stream_fault_at(const struct cs_stream *stream, size_t index)
{
	if (index >= stream->levels.faults.n)
		return (struct cs_stream_fault_view){.fault = CS_FAULT_NONE};
	const struct cs_run_fault *fault = &stream->levels.faults.at[index];
	return (struct cs_stream_fault_view){
		fault->cell, (enum cs_fault)fault->fault, fault->factor};
}

void cs_run_faults_code(struct cs_codec *codec, struct cs_run_levels *levels)
{
	cs_code_length(codec, &levels->faults);
	for (size_t i = 0; i < levels->faults.n; i++) {
		cs_run_cell_code(codec, &levels->faults.at[i].cell);
		cs_code_u32(codec, &levels->faults.at[i].fault);
		cs_code_f64(codec, &levels->faults.at[i].factor);
	}
}
