/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Worlds that are added during a run, and a checkpoint from before that: the state, and what comes
 * of it, is that of a twin that was never farther. Each of the worlds has cells, layers, ranges and
 * modes that have changed.
 */
#include "tests/unit/stream/stream_test.h"

#include <cellscope/cooked_values.h>
#include <cellscope/runs.h>
#include <cellscope/stream.h>

static const struct cs_stream_instance here = {CS_TRANSFORM_IDENTITY, CS_STREAM_NO_CELL};

static void begin(struct bench *b)
{
	const struct cs_stream_options options = {
		.size = sizeof(options), .role = CS_ROLE_LISTEN_SERVER};
	worlds_town(&b->w, "5.4", CS_HASH_SET, 12, 3);
	start(b, &options);
	set_load_frames(b->s, 3);
	set(b->s, "wp.Runtime.EnableServerStreaming", "1");
	add_source(b->s, "P", 0, 0);
}

static uint32_t add(struct bench *b)
{
	uint32_t id;
	must(cs_stream_add_world(b->s, b->w.cooked, &here, NULL, &id));
	return id;
}

/* Sets each layer of a world to loaded, and shortens each range. */
static void change(struct bench *b, uint32_t world)
{
	enum cs_layer_answer answer;
	must(cs_stream_register(b->s, world, true));
	step(b, 2);
	for (uint32_t i = 0; i < b->w.cooked->n_layers; i++)
		must(cs_stream_layer_set(b->s, world, i, CS_LAYER_LOADED, false, false, &answer));
	for (uint32_t i = 0; i < b->w.cooked->n_partitions; i++)
		must(cs_stream_override_range(b->s, world, i, 1000 * (i + 3)));
	step(b, 3);
	move(b->s, "P", 20000 * world, 9000);
	step(b, 4);
}

/* Begins with the first n worlds, which both runs have. */
static void first_part(struct bench *b, uint32_t n)
{
	begin(b);
	step(b, 3);
	for (uint32_t i = 1; i < n; i++)
		change(b, add(b));
}

/* Goes back to a frame with `before` worlds after `later` more worlds were added. */
static void goes_back(uint32_t before, uint32_t later)
{
	struct bench b, twin;
	uint32_t point;
	size_t same = 0;
	first_part(&b, before);
	first_part(&twin, before);
	must(cs_stream_checkpoint(b.s, &point));
	const uint64_t there = hash_of(&b);
	step(&b, 1);
	for (uint32_t i = 0; i < later; i++) {
		change(&b, add(&b));
		add(&twin);
	}
	const uint64_t past = hash_of(&b), want = hash_of(&twin);
	ok(past != there && want != past, "%u worlds, %u more: they tell", before, later);
	must(cs_stream_restart(b.s, point));
	ok(hash_of(&b) == want, "%u worlds, %u more: back to before them", before, later);
	for (int i = 0; i < 12; i++) {
		for (uint32_t k = before; i == 4 && k < before + later; k++) {
			must(cs_stream_register(b.s, k, true));
			must(cs_stream_register(twin.s, k, true));
		}
		step(&b, 1);
		step(&twin, 1);
		same += hash_of(&b) == hash_of(&twin);
	}
	is_int(same, 12, "%u worlds, %u more: and so on from there, with them", before, later);
	finish(&b);
	finish(&twin);
}

int main(void)
{
	goes_back(1, 1);
	goes_back(2, 1);
	goes_back(3, 2);
	return done();
}
