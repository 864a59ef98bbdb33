/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open worlds and the files that they came from, and the empty world for runs without a world. */
#pragma once

#include <cellscope/cooked.h>
#include <cellscope/ue.h>
#include <cellscope/world.h>

#include "core/vec.h"

struct opened {
	struct cs_cooked *world;
	unsigned char *bytes;      /* contents of a world that was cooked in memory; or NULL */
	struct cs_world *source;   /* uncooked world that `world` was cooked from; or NULL */
	struct cs_ue_place *place; /* cooked folder or container, perhaps without a map; or NULL */
};

/* Options of `open` for files of the engine's cooker, as typed; NULL where not given. */
struct place_options {
	const char *key, *engine, *usmap;
	bool names_alone;
	/* cook the actor descriptors of a log instead of showing the cells in the log */
	bool recook;
	bool beside; /* add the world to the open ones instead of replacing them */
};

struct open_files {
	struct opened opened;
	CS_VEC(struct opened)
	beside;                      /* further open worlds, listed as further partitions */
	struct opened bare;          /* empty world for a run that only streams Nanite pages */
	struct place_options cooked; /* options of the `open` that is running */
	char *path, *map;            /* path as typed; name of a project's map, or NULL */
	bool is_recooked;            /* the world was cooked again from its changed source */
	uint32_t partition;          /* partition that session->world shows; 0 = main partition */
};
