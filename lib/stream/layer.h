/* SPDX-License-Identifier: Apache-2.0 */
/* Data layers of a run: their states, and the highest state that a set of layers allows a cell. */
#pragma once

#include "core/arena.h"
#include "core/codec.h"
#include <cellscope/stream.h>

struct cs_run_world;
struct cs_stream;

/* States of the data layers of a world partition. */
struct cs_run_layers {
	uint8_t *initial, *target, *effective; /* enum cs_layer_state of each layer */
	uint64_t epoch;                        /* number of times that `effective` has changed */
	/* copy of `effective` from the last evaluation of the world partition */
	uint8_t *decided;
	uint64_t decided_epoch; /* value of `epoch` when `decided` was set */
	/*
	 * for each row of model.sets: highest enum cs_layer_state that the layers of the set allow
	 */
	uint8_t *set_wanted;
	/* for each row of model.sets: 1 + decided_epoch when set_wanted was computed, or 0 */
	uint64_t *set_epoch;
	/* for each row of model.sets: whether it has a layer that a server must not stream out */
	bool *set_disallowed;
	struct cs_arena arena; /* the memory of these arrays */
};

/* Writes or reads the states of n layers, depending on the mode of `codec`. */
void cs_run_layers_code(struct cs_codec *codec, struct cs_run_layers *layers, uint32_t n);

struct cs_error *cs_run_layers_init(struct cs_stream *stream, struct cs_run_world *world,
	const struct cs_stream_options *options) CS_MUST_USE;
/* Copies `effective` to `decided`, the states by which cs_run_layers_allow decides. */
void cs_run_layers_decide(struct cs_run_world *world);
/* Returns the highest state that data layers in their states `decided` allow the cell. */
enum cs_layer_state cs_run_layers_allow(
	const struct cs_stream *stream, struct cs_run_world *world, uint32_t cell);
/* Returns the highest state that a layer set (row of model.sets) allows in states `effective`. */
enum cs_layer_state cs_run_set_wanted(const struct cs_stream *stream,
	const struct cs_run_world *world, uint32_t set, const uint8_t *effective);
/* Computes the effective states of all layers from their target states. */
void cs_run_layers_effective(
	const struct cs_run_world *world, const uint8_t *target, uint8_t *effective);
/* Finds the layer sets with a layer named in wp.Runtime.ServerDisallowStreamingOutDataLayers. */
void cs_run_disallow_update(struct cs_stream *stream, struct cs_run_world *world);
struct cs_error *cs_run_check_layer(
	const struct cs_stream *stream, uint32_t world, uint32_t layer) CS_MUST_USE;
bool cs_run_layer_is_below(const struct cs_run_world *world, uint32_t layer, uint32_t ancestor);
enum cs_layer_answer cs_run_layer_may_set(const struct cs_stream *stream,
	const struct cs_run_world *world, uint32_t layer, bool replicated);
