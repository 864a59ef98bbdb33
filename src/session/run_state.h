/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated run: debugger, page streaming, added worlds, and what the next run begins with. */
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

/* A path of a streaming source that is being recorded, and the file to save it to. */
struct path_recording {
	char *file;
	struct cs_path *path;
};

struct run_state {
	struct cs_stream *stream; /* the run; NULL until a command needs it */
	struct cs_debug *debug;   /* breakpoints of the run; NULL until a command needs them */
	struct cs_pager *pager;   /* page streaming of the open Nanite resources; or NULL */
	enum cs_role role;        /* network role (server, client, ...) of the next run */
	/* states of data layers at frame 0 of the next run; names are owned */
	CS_VEC(struct cs_stream_initial) initials;
	CS_VEC(struct opened) parts; /* worlds added to the run as further partitions */
	size_t parts_shown;          /* number of worlds in `parts` whose rows are listed */
	CS_VEC(struct named_path) paths;
	struct path_recording recording;
	struct cs_follow *follow; /* file of a real run that the game is still writing; or NULL */
	bool follows;             /* the screen reads more of `follow` at each tick */
	/* the screen runs the command line at a tick of playback, so the line is not recorded */
	bool is_tick;
	/* line that `record` stores instead of the running line, set by a command; or NULL */
	char *in_record;
	/* whether commands of a breakpoint are running, and whether one requested to continue */
	bool at_stop, resume;
};
