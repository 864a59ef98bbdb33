/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run over the open world: what takes part in it, and how the next one begins. */
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

/* A path that is being recorded, and the file that it will be written to. */
struct path_recording {
	char *file;
	struct cs_path *path;
};

struct run_state {
	struct cs_stream *stream;                  /* or NULL until one is asked for */
	struct cs_debug *debug;                    /* stops of the run, or NULL likewise */
	struct cs_pager *pager;                    /* pages of open resources in it, or NULL */
	enum cs_role role;                         /* of the next run */
	CS_VEC(struct cs_stream_initial) initials; /* of layers in it; names are owned */
	CS_VEC(struct opened) parts;               /* worlds of further partitions of the run */
	size_t parts_shown;                        /* of these, in the tables */
	CS_VEC(struct named_path) paths;
	struct path_recording recording;
	struct cs_follow *follow; /* a real run that is being written, or NULL */
	bool follows;             /* the screen reads on with each tick */
	bool is_tick; /* the line that runs reads on in it: nobody typed it, so no record has it */
	char *in_record;      /* what a record has in place of the line that runs, or NULL */
	bool at_stop, resume; /* the commands of a stop run; they ask to go on */
};
