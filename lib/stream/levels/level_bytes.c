/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes and reads the residents (streaming states of cells) and the clocks of loading, for
 * snapshots and for the state hash.
 *
 * Residents are written in the order of their cells, so that the bytes do not depend on the order
 * in which cells became residents. Members that are used only while a level moves are written only
 * for moving levels.
 */
#include "stream/stream_internal.h"

static void code_flags(struct cs_codec *codec, struct cs_run_cell *resident)
{
	bool *const flags[] = {&resident->should_load, &resident->should_show,
		&resident->pending_add, &resident->moving, &resident->asked, &resident->held,
		&resident->around};
	uint8_t bits = 0;
	for (size_t i = 0; codec->out && i < sizeof(flags) / sizeof(flags[0]); i++)
		bits |= (uint8_t)(*flags[i] << i);
	cs_code_u8(codec, &bits);
	for (size_t i = 0; codec->in && i < sizeof(flags) / sizeof(flags[0]); i++)
		*flags[i] = bits >> i & 1;
}

/* Reads or writes a resident's members used only while its level is in stream.levels.moving. */
static void code_motion(struct cs_codec *codec, struct cs_run_cell *resident)
{
	cs_code_u8(codec, &resident->source_priority);
	cs_code_f64(codec, &resident->spatial);
	cs_code_f64(codec, &resident->distance2);
	cs_code_u32(codec, &resident->priority);
	cs_code_u64(codec, &resident->ready_at);
	cs_code_u64(codec, &resident->ack_at);
	cs_code_u64(codec, &resident->bytes_left);
	cs_code_u64(codec, &resident->work_left);
}

static void code_resident(struct cs_codec *codec, struct cs_run_cell *resident)
{
	cs_code_u32(codec, &resident->cell);
	cs_code_u8(codec, &resident->set);
	cs_code_u8(codec, &resident->level);
	code_flags(codec, resident);
	cs_code_u8(codec, &resident->fault);
	cs_code_u64(codec, &resident->bytes);
	if (resident->moving)
		code_motion(codec, resident);
	if (!codec->log)
		return;
	cs_code_u8(codec, &resident->hold);
	cs_code_u64(codec, &resident->since);
	cs_code_u64(codec, &resident->loaded_at);
}

static void write_residents(
	struct cs_codec *codec, struct cs_stream *stream, struct cs_run_world *world)
{
	world->policy.found.n = 0;
	for (size_t i = 0; i < world->residents.cells.n; i++)
		codec->failed |=
			!cs_vec_push(&world->policy.found, world->residents.cells.at[i].cell);
	cs_run_sort_coded(codec, stream, &world->policy.found);
	for (size_t i = 0; i < world->policy.found.n; i++)
		code_resident(codec, cs_run_find(world, world->policy.found.at[i]));
}

static void read_residents(struct cs_codec *codec, struct cs_run_world *world)
{
	for (size_t i = 0; i < world->residents.cells.n; i++) {
		struct cs_run_cell *resident = &world->residents.cells.at[i];
		*resident = (struct cs_run_cell){0};
		code_resident(codec, resident);
		if (resident->cell < world->model.n_cells)
			world->residents.cell_slot[resident->cell] = (uint32_t)i;
	}
}

void cs_run_residents_code(
	struct cs_codec *codec, struct cs_stream *stream, struct cs_run_world *world)
{
	cs_code_length(codec, &world->residents.cells);
	if (codec->out)
		write_residents(codec, stream, world);
	else
		read_residents(codec, world);
}

void cs_run_io_code(struct cs_codec *codec, struct cs_run_levels *levels)
{
	cs_code_u64(codec, &levels->io_time);
	cs_code_u64(codec, &levels->io_carry);
	cs_code_u64(codec, &levels->purge_time);
}

void cs_run_turns_code(struct cs_codec *codec, struct cs_run_levels *levels)
{
	cs_run_cell_code(codec, &levels->showing);
	cs_run_cell_code(codec, &levels->hiding);
}
