/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of an actor's package: its descriptor, and the source actors of an HLOD actor. */
#pragma once

#include "ue/package/descriptor.h"
#include "ue/package/registry.h"

/* Facts and source actors of an HLOD actor (ue-project-files rules 7a). */
struct cs_ue_hlod {
	struct cs_guid source_cell;
	const char *source_cell_name, *layer;
	double min_visible_distance;
	bool no_warmup; /* whether bRequireWarmup is stored as false */
	const struct cs_guid *sources;
	uint32_t n_sources;
};

struct cs_ue_actor_file {
	const char *path;
	/* whether to look for damage in parts that are not needed for a world. Set by the caller */
	bool whole;
	struct cs_error *error; /* why nothing could be read */
	/* what is wrong in the package, although its descriptor could be read */
	struct cs_error *damage;
	bool husk; /* whether the actor was deleted, so that the file contains no object */
	/* whether an engine newer than all known ones wrote the package */
	bool newer;
	struct cs_ue_engine_version engine; /* engine that saved the actor, without branch name */
	struct cs_ue_string object_path, class_name;
	struct cs_ue_descriptor descriptor;
	const struct cs_ue_hlod *hlod; /* NULL if the actor is not an HLOD actor */
	struct cs_error *hlod_error;
};

/* Reads the package file->path. Stores the facts or the error in `file`, and texts in the arena. */
void cs_ue_read_actor_file(struct cs_ue_actor_file *file, struct cs_ue_reader *reader,
	struct cs_arena *arena, const struct cs_limits *limits);
/* Reads all of the package of an actor. Returns an error that describes the damage, or NULL. */
struct cs_error *cs_ue_find_damage(const char *path, const struct cs_limits *limits) CS_MUST_USE;
/* Decodes an asset's actor descriptor, with texts in the arena, or returns E_DESCRIPTOR. */
struct cs_error *cs_ue_decode_asset(const struct cs_ue_asset *asset, const char *file,
	struct cs_arena *arena, struct cs_ue_descriptor *ret) CS_MUST_USE;
