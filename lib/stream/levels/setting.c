/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and sets the console variables and the loading ranges of a run. */
#include "stream/stream_internal.h"

#include <math.h>

size_t cs_stream_variable_format(
	const struct cs_stream *stream, size_t variable, char *ret, size_t size)
{
	char number[CS_DOUBLE_TEXT] = "";
	const char *text = number;
	if (variable == CS_VAR_DISALLOW_LAYERS)
		text = stream->variables.disallow;
	else if (variable < CS_VAR_COUNT)
		cs_double_format(stream->variables.numbers[variable], number);
	size_t length = strlen(text), n = length < size ? length : size ? size - 1 : 0;
	if (size) {
		memcpy(ret, text, n);
		ret[n] = '\0';
	}
	return length;
}

struct cs_stream_value cs_stream_variable(const struct cs_stream *stream, size_t variable)
{
	struct cs_stream_value value = {.is_initial = true};
	if (variable == CS_VAR_DISALLOW_LAYERS) {
		value.is_initial = stream->variables.disallow[0] == '\0';
	} else if (variable < CS_VAR_COUNT) {
		value.number = stream->variables.numbers[variable];
		value.initial =
			cs_run_variable_default((enum cs_run_variable)variable, stream->rules);
		value.is_initial = value.number == value.initial;
	}
	return value;
}

static struct cs_error *setting_set_text(struct cs_stream *stream, const char *text)
{
	if (strlen(text) >= CS_RUN_TEXT)
		return cs_error_new(CS_E_SETTING,
			"the value of %s must have at most %d bytes, not %zu",
			cs_run_variable_table[CS_VAR_DISALLOW_LAYERS].name, CS_RUN_TEXT - 1,
			strlen(text));
	memset(stream->variables.disallow, 0, CS_RUN_TEXT);
	memcpy(stream->variables.disallow, text, strlen(text));
	for (size_t i = 0; i < stream->worlds.n; i++)
		cs_run_disallow_update(stream, stream->worlds.at[i]);
	return NULL;
}

struct cs_error *cs_run_apply_variable(
	struct cs_stream *stream, const struct cs_stream_input *input)
{
	if (input->variable >= CS_VAR_COUNT)
		return cs_error_new(CS_E_UNKNOWN,
			"the run has no console variable %zu: the numbers are 0 to %d",
			(size_t)input->variable, CS_VAR_COUNT - 1);
	enum cs_run_variable variable = (enum cs_run_variable)input->variable;
	if (variable == CS_VAR_DISALLOW_LAYERS)
		return setting_set_text(stream, input->text);
	double value;
	struct cs_error *error = cs_run_variable_parse(variable, input->text, &value);
	if (!error)
		stream->variables.numbers[variable] = value;
	return error;
}

/* ---- loading ranges ---- */

struct cs_error *cs_run_apply_range(struct cs_stream *stream, const struct cs_stream_input *input)
{
	if (input->world >= stream->worlds.n ||
		input->row >= stream->worlds.at[input->world]->model.cooked->n_partitions)
		return cs_error_new(CS_E_NOGRID,
			"world partition %u of the run has no grid %u (both are counted from 0)",
			input->world, input->row);
	if (!isfinite(input->number))
		return cs_error_new(CS_E_SETTING,
			"the loading range must be a finite number of cm, not %g", input->number);
	stream->worlds.at[input->world]->reached.ranges[input->row] =
		input->number < 0 ? -1 : input->number;
	return NULL;
}

enum cs_range_origin cs_run_range_origin(const struct cs_run_world *world, uint32_t partition)
{
	if (world->reached.ranges[partition] >= 0)
		return CS_RANGE_OVERRIDE;
	return world->model.cooked->partitions[partition].flags & CS_PARTITION_ASSUMED
		       ? CS_RANGE_ASSUMED
		       : CS_RANGE_COOKED;
}

struct cs_stream_range cs_stream_range(
	const struct cs_stream *stream, uint32_t world, uint32_t partition)
{
	const struct cs_run_world *run_world = stream->worlds.at[world];
	return (struct cs_stream_range){
		cs_run_range(run_world, partition), cs_run_range_origin(run_world, partition)};
}
