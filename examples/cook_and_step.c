/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cooks a world and streams the cells around a player: cook_and_step WORLD.json
 * Prints how many cells are active after each second.
 */
#include "tell.h"

#include <cellscope/cook.h>
#include <cellscope/runs.h>
#include <cellscope/stream.h>

#include <stdlib.h>

static size_t active_cells(const struct cs_stream *stream)
{
	const struct cs_cooked *cooked = cs_stream_world(stream, 0).cooked;
	size_t n = 0;
	for (uint32_t i = 0; i < cooked->n_cells; i++) {
		struct cs_stream_cell cell = {.world = 0, .cell = i};
		n += cs_stream_cell(stream, cell).current == CS_LAYER_ACTIVATED;
	}
	return n;
}

static struct cs_error *step(struct cs_cooked *cooked)
{
	struct cs_stream *stream;
	struct cs_error *error = cs_stream_new(cooked, NULL, NULL, &stream);
	if (error)
		return error;
	struct cs_stream_source player = cs_stream_source_player("Player0");
	error = cs_stream_source_set(stream, &player);
	for (int second = 1; second <= 3 && !error; second++) {
		error = cs_stream_step(stream, 60);
		if (!error)
			printf("second %d: %zu of %zu cells active\n", second, active_cells(stream),
				cooked->n_cells);
	}
	cs_stream_free(stream);
	return error;
}

/* Streaming knows a world only through cooked bytes, as a game would. */
static struct cs_error *step_bytes(const unsigned char *bytes, size_t size)
{
	struct cs_cooked *cooked;
	struct cs_error *error = cs_cooked_open_bytes(bytes, size, "world", NULL, &cooked);
	if (error)
		return error;
	error = step(cooked);
	cs_cooked_close(cooked);
	return error;
}

static struct cs_error *cook_and_step(const struct cs_world *world)
{
	struct cs_cook *cook;
	unsigned char *bytes;
	size_t size;
	struct cs_error *error = cs_cook(world, NULL, NULL, &cook);
	if (error)
		return error;
	error = cs_cook_bytes(cook, &bytes, &size);
	cs_cook_free(cook);
	if (error)
		return error;
	error = step_bytes(bytes, size);
	free(bytes);
	return error;
}

int main(int argc, char **argv)
{
	struct cs_world *world;
	if (argc != 2) {
		fprintf(stderr, "usage: cook_and_step WORLD.json\n");
		return 2;
	}
	struct cs_error *error = cs_world_read_json(argv[1], NULL, &world);
	if (!error) {
		error = cook_and_step(world);
		cs_world_free(world);
	}
	return tell(error);
}
