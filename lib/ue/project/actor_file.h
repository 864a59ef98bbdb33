/* SPDX-License-Identifier: Apache-2.0 */
/* What is read of one actor's package: its descriptor, and for HLOD actors where they come from. */
#pragma once

#include "ue/package/descriptor.h"
#include "ue/package/registry.h"

/* What an HLOD actor was built from, ue-project-files rules 7a. */
struct cs_ue_hlod {
	struct cs_guid source_cell;
	const char *source_cell_name, *layer;
	double min_visible_distance;
	bool no_warmup; /* bRequireWarmup is saved, and false */
	const struct cs_guid *sources;
	uint32_t n_sources;
};

struct cs_ue_actor_file {
	const char *path;
	struct cs_error *error;
	bool husk;                          /* what is left of a deleted actor: nothing */
	bool newer;                         /* than the versions known here */
	struct cs_ue_engine_version engine; /* its branch is not kept */
	struct cs_ue_string object_path, class_name;
	struct cs_ue_descriptor descriptor;
	const struct cs_ue_hlod *hlod; /* NULL unless it is an HLOD actor */
	struct cs_error *hlod_error;
};

/* Reads `file->path`; what it found or why not is in `file`, its texts are in the arena. */
void cs_ue_read_actor_file(struct cs_ue_actor_file *file, struct cs_ue_reader *reader,
	struct cs_arena *arena, const struct cs_limits *limits);
/* The descriptor of an asset, decoded into the arena; E_DESCRIPTOR when it has none. */
struct cs_error *cs_ue_decode_asset(const struct cs_ue_asset *asset, const char *file,
	struct cs_arena *arena, struct cs_ue_descriptor *ret) CS_MUST_USE;
/* The exports of an HLOD actor's package; texts and GUIDs are copied into the arena. */
struct cs_error *cs_ue_read_hlod(const char *path, const struct cs_limits *limits,
	struct cs_arena *arena, struct cs_ue_hlod *ret) CS_MUST_USE;
