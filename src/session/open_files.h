/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is open: the world beside what it lies on, and what a run has without one. */
#pragma once

#include <cellscope/cooked.h>
#include <cellscope/ue.h>
#include <cellscope/world.h>

#include "core/vec.h"

/* A cooked world and what it lies on. */
struct opened {
	struct cs_cooked *world;
	unsigned char *bytes;      /* of a world that was cooked in memory, or NULL */
	struct cs_world *source;   /* what it was cooked from, or NULL */
	struct cs_ue_place *place; /* what the engine cooked, or NULL; it may hold no map */
};

/* How what the engine wrote is opened, as typed; NULL where nothing was. */
struct place_options {
	const char *key, *engine, *usmap;
	bool names_alone;
	bool recook; /* the descriptors of a log with our rules, instead of what it says */
	bool beside; /* a world is added to those that are open, instead of taking their place */
};

struct open_files {
	struct opened opened;
	CS_VEC(struct opened)
	beside;             /* worlds of the same catalogue, further partitions of its tables */
	struct opened bare; /* an empty world for a run without one */
	struct place_options cooked; /* of the `open` that runs */
	char *path, *map;            /* as it was opened; the map of a project, or NULL */
	uint32_t
		partition; /* of the session's world among the world partitions, 0 = the main one */
};
