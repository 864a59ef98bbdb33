/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run over the open world: its parts, and how the next run begins. */
#pragma once

#include <cellscope/paging.h>
#include <cellscope/query.h>
#include <cellscope/stream.h>

#include "core/vec.h"
#include "src/session/open_files.h"

struct named_path {
	char *name;
	struct cs_path *path;
};

/* A path that is being recorded, and the file that it will be saved to. */
struct path_recording {
	char *file;
	struct cs_path *path;
};

struct run_state {
	struct cs_stream *stream; /* the run; NULL until the first command needs it */
	struct cs_debug *debug;   /* stops of the run; NULL until the first command needs them */
	struct cs_pager *pager;   /* page streaming of the open resources, or NULL */
	enum cs_role role;        /* role in the next run */
	/* initial states of layers in the next run; names are owned */
	CS_VEC(struct cs_stream_initial) initials;
	CS_VEC(struct opened) parts; /* worlds of the run's further partitions */
	size_t parts_shown;          /* number of these parts that the tables show */
	CS_VEC(struct named_path) paths;
	struct path_recording recording;
	struct cs_follow *follow; /* a real run that is read while it is being written, or NULL */
	bool follows;             /* whether the screen reads more of it at each tick */
	/* the screen submitted the running line at a tick, so the line is not recorded */
	bool is_tick;
	char *in_record; /* line to record instead of the running one, or NULL */
	/* at_stop: the commands of a stop are running; resume: they asked to continue */
	bool at_stop, resume;
};
