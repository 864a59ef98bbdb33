/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is open: the world and the files that it came from, and the empty world of a run without
 * one.
 */
#pragma once

#include <cellscope/cooked.h>
#include <cellscope/ue.h>
#include <cellscope/world.h>

#include "core/vec.h"

/* A cooked world and its sources. */
struct opened {
	struct cs_cooked *world;
	unsigned char *bytes;      /* bytes of a world that was cooked in memory, or NULL */
	struct cs_world *source;   /* the uncooked world that it was made from, or NULL */
	struct cs_ue_place *place; /* the engine's cooked files, or NULL; they may contain no map */
};

/* options of `open` for files that the engine cooked, as typed; NULL where not given */
struct place_options {
	const char *key, *engine, *usmap;
	bool names_alone;
	/* cook the descriptors of a log by our rules instead of showing the cells that it lists */
	bool recook;
	bool beside; /* add the world to the open ones instead of replacing them */
};

struct open_files {
	struct opened opened;
	CS_VEC(struct opened)
	beside; /* further worlds of the catalogue, shown as further partitions of its tables */
	struct opened bare;          /* empty world, for a run of pages without a world */
	struct place_options cooked; /* options of the running `open` */
	char *path, *map;            /* path as it was opened; map of a project, or NULL */
	uint32_t
		/* number of the session's world among the partitions, 0 = the main one */
		partition;
};
