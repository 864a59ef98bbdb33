/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of one run of the program: the open world, the settings, what scripts have counted.
 * Commands change it only through run_line(); the REPL, scripts, one-shot verbs and JSON lines are
 * ways to get lines to it.
 */
#ifndef SRC_SESSION_SESSION_H
#define SRC_SESSION_SESSION_H

#include <cellscope/debug.h>
#include <cellscope/nanite_model.h>
#include <cellscope/paging.h>
#include <cellscope/query.h>
#include <cellscope/stream.h>
#include <cellscope/ue_cooked.h>
#include <cellscope/world.h>

#include "src/language/command.h"
#include "src/language/lexer.h"
#include "src/language/parse.h"
#include "src/output/sink.h"
#include "src/output/tally.h"
#include "src/session/line_record.h"
#include "src/session/progress.h"
#include "src/session/settings.h"

/* A cooked world and what it lies on. */
struct opened {
	struct cs_cooked *world;
	unsigned char *bytes;      /* of a world that was cooked in memory, or NULL */
	struct cs_world *source;   /* what it was cooked from, or NULL */
	struct cs_ue_place *place; /* what the engine cooked, or NULL; it may hold no map */
};

/* How what the engine cooked is opened, as typed; NULL where nothing was. */
struct place_options {
	const char *key, *engine, *usmap;
	bool names_alone;
};

struct named_path {
	char *name;
	struct cs_path *path;
};

/* A path that is being recorded, and the file that it will be written to. */
struct path_recording {
	char *file;
	struct cs_path *path;
};

/* What the maps and lists of the engine's console show; wp.Runtime.ToggleDraw..., DebugFilter... */
struct view {
	bool map, sources, performance, legend, details, layers;
	/* words with commas between; NULL = no filter */
	char *layer_filter, *grid_filter, *status_filter, *name_filter;
};

/* What the rows of the last listing were, so that a number can name one. */
struct listed {
	const char *table;     /* cells, actors, layers, sources, grids; NULL = nothing to name */
	CS_VEC(uint32_t) rows; /* of that table, CS_NONE where a row named none */
	uint32_t partition;    /* that was in focus, or CS_NONE */
};

/* A place that `mark` has named. */
struct place_mark {
	char *name; /* owned */
	struct place place;
};

/* A file that --bless rewrites when all else has worked; src/session/bless.h. */
struct blessing {
	char *path, *text; /* owned */
	size_t n;
};

/*
 * The screen of src/tui, as far as the session has to know it: it exists from the first command
 * that asks for it, in command files as well.
 */
struct screen;

struct watcher {
	/* A line has run from elsewhere than the screen: it belongs into its log. */
	void (*line_ran)(struct screen *screen, const char *line, const char *output, size_t n,
		const struct cs_error *error);
	/* What would have gone to standard error while the screen has the terminal. */
	void (*note)(struct screen *screen, const char *message);
	void (*progress)(struct screen *screen, const char *phase, uint64_t done, uint64_t total);
	void (*free)(struct screen *screen);
};
struct test_point; /* src/session/junit.h */

struct session {
	struct settings settings;
	struct cs_limits limits;
	struct cs_job job; /* of every long command */
	bool interactive;  /* a person types the lines */
	bool safe;         /* no shells, no writing */
	bool allow_shell;  /* shells in command files too */
	bool quiet;        /* -q */
	bool bless;        /* rewrite expectations */
	double deadline;   /* seconds of the monotonic clock, 0 = none */
	bool timed_out;
	bool memory_bound; /* --max-mem holds for the process */
	struct progress_state progress;

	struct cs_inspector *inspector; /* Nanite resources that are open */
	struct cs_pager *pager;         /* their pages in the run, or NULL */
	struct opened bare;             /* an empty world for a run without one */
	struct cs_query *query; /* always there; of resources, and of the world while one is open */
	struct cs_cooked *world; /* which every command asks for: opened.world, or what -P names */
	uint32_t partition;      /* of `world` among the world partitions, 0 = the main one */
	struct opened opened;
	struct place_options cooked; /* of the `open` that runs */
	char *path, *map;            /* as it was opened; the map of a project, or NULL */
	struct cs_stream *stream;    /* the run over it, or NULL until one is asked for */
	struct cs_debug *debug;      /* stops of the run, or NULL likewise */
	enum cs_role role;           /* of the next run */
	CS_VEC(struct cs_stream_initial) initials; /* of layers in it; names are owned */
	CS_VEC(struct opened) parts;               /* worlds of further partitions of the run */
	size_t parts_shown;                        /* of these, in the tables */
	CS_VEC(struct named_path) paths;
	struct path_recording recording;
	struct view view;
	bool at_stop, resume; /* the commands of a stop run; they ask to go on */

	struct place here;
	CS_VEC(struct place_mark) marks;
	CS_VEC(struct place) trail; /* of cd, for back and forward */
	size_t trail_at;

	struct definitions definitions; /* -D */
	struct definitions aliases;
	CS_VEC(struct cs_parameter) variables; /* names and texts are owned */

	struct tally tally;
	struct stream_sink out; /* standard output */
	struct stream_sink err;
	const struct script_place *place; /* of the line that runs, or NULL */
	unsigned depth;                   /* of `source` */
	struct sink *nested;              /* where its lines write to; NULL = standard output */
	struct foretold *foretold;        /* inside of xfail: where failures go */
	bool skipping;                    /* a requirement is not met */
	bool capturing;                   /* what is printed now will be compared */
	bool compact;                     /* JSON on one line */
	bool tells_log;                   /* of the library, not only warnings */

	FILE *transcript;
	struct record record;
	struct memory_sink *golden; /* the transcript of a whole script, or NULL */
	CS_VEC(struct blessing) blessings;
	CS_VEC(struct test_point) points; /* for JUnit */
	const char *junit;                /* the file of it, or NULL */
	bool annotates;                   /* failures are marked for a service */

	/* Takes lines instead of running them, until it takes itself away; or NULL. */
	struct cs_error *(*collect)(struct session *session, const char *line, struct sink *to);
	struct cs_error *(*finish)(struct session *session, struct sink *to);
	int collect_depth;             /* of blocks within */
	char *block_head, *block_name; /* of the block that is collected */
	unsigned block_depth;          /* of those that run */
	struct definitions procedures; /* of `define`: lines by name */
	CS_VEC(char) collected;
	uint32_t collects_for; /* stop */

	struct listed listed;
	struct screen *screen;           /* or NULL */
	const struct watcher *watcher;   /* of the screen */
	bool has_terminal;               /* the screen does: nothing else writes to it */
	bool wants_screen;               /* the terminal goes to the screen behind this line */
	struct row_taker *taker;         /* of what the next line emits; or NULL */
	const struct style *drawn_style; /* of what is printed into the screen; or NULL */

	const struct command *repeats; /* what an empty line runs */
	char *repeat_line;

	bool quit;
	int quit_status;
};

/* Where a line comes from, for messages: FILE:LINE. */
struct script_place {
	const char *file;   /* "-e", "stdin", a path as it was given */
	const char *folder; /* that relative names of golden files start from */
	unsigned line;
};

struct cs_error *session_new(struct session **ret) CS_MUST_USE;
void session_free(struct session *session);

/* Of the world or of resources; NULL when there is none. */
const struct cs_table *session_table(
	struct session *session, const char *name, const void **source_ret);
/* Says what must be opened for there to be one. */
struct cs_error *session_no_table(struct session *session, const char *name) CS_MUST_USE;
/* pages.c: the pages of the run that is to begin; an input to them, which begins one if need be. */
struct cs_error *session_begin_pages(
	struct session *session, struct cs_stream_companion *companion_ret) CS_MUST_USE;
void session_end_pages(struct session *session);
struct cs_error *session_bare_world(struct session *session) CS_MUST_USE;
/* That there is none, and what to do. */
struct cs_error *no_resource(const struct session *session) CS_MUST_USE;
struct cs_error *session_page_input(struct session *session, const char *text) CS_MUST_USE;
/* Takes the model over, whatever comes of it; ends the run. */
struct cs_error *session_add_resource(struct session *session, struct cs_model *model) CS_MUST_USE;
/* The same of many at once. */
struct cs_error *session_add_resources(
	struct session *session, struct cs_model **models, size_t n) CS_MUST_USE;
/* Closes a resource; places in resources are forgotten. */
void session_close_resource(struct session *session, uint32_t resource);
/* Takes over what was opened, whatever comes of it; closes the world before. */
struct cs_error *session_show(
	struct session *session, struct opened opened, const char *path) CS_MUST_USE;
void opened_close(struct opened *opened);
void path_recording_drop(struct path_recording *recording);
/* The run over the open world, made when it is first asked for. */
struct cs_error *session_stream(struct session *session, struct cs_stream **ret) CS_MUST_USE;
/* Commands are about this world partition now; CS_NONE: about the main one, listings about all. */
void session_focus(struct session *session, uint32_t partition);
/* Adds a world partition to the run, which takes it over whatever comes of it. */
struct cs_error *session_add_partition(struct session *session, struct opened opened,
	const struct cs_stream_instance *instance, uint32_t *ret) CS_MUST_USE;
/* The next run begins with the layer in that state, instead of the cooked one. */
struct cs_error *session_set_initial(
	struct session *session, const char *layer, enum cs_layer_state state) CS_MUST_USE;
/* The stops of that run. */
struct cs_error *session_debug(struct session *session, struct cs_debug **ret) CS_MUST_USE;
/* Ends the run; the next one begins at frame 0. */
void session_end_stream(struct session *session);
struct cs_error *session_close(struct session *session) CS_MUST_USE;
struct cs_parameters session_variables(const struct session *session);
/* `value` is copied. */
struct cs_error *session_set_variable(
	struct session *session, const char *name, const struct cs_value *value) CS_MUST_USE;
struct parse_context session_parse_context(const struct session *session);
/* Makes the place the current one. */
struct cs_error *session_go(struct session *session, struct place place) CS_MUST_USE;
/* Names a place, or gives the name to another. */
struct cs_error *session_mark(
	struct session *session, const char *name, struct place place) CS_MUST_USE;
/* What is printed now should look like this. */
struct style session_style(const struct session *session);
/* Sets an option, and what hangs on it. */
void session_apply(struct session *session, enum setting setting, long value);
bool session_is_on(const struct session *session, enum setting setting);

/*
 * Runs one line and prints its output into `to`. The error is not reported yet: the caller knows
 * whether it was expected. Echo, transcripts and records are written here.
 */
struct cs_error *run_line(struct session *session, const char *line, struct sink *to) CS_MUST_USE;
/* A line inside of another: no echo. */
/*
 * What the library cannot tell apart: the time limit (E_TIMEOUT) from ^C, which is noted, and our
 * own bound on memory (E_LIMIT) from that of the machine.
 */
struct cs_error *name_cause(struct session *session, struct cs_error *error) CS_MUST_USE;
struct cs_error *run_nested(struct session *session, const char *line, struct sink *to) CS_MUST_USE;
struct cs_error *run_invocation(struct session *session, const struct invocation *invocation,
	const char *line, struct sink *to) CS_MUST_USE;

/* Prints "error: ..." with its place and frees it. `line` may be NULL. */
void report_error(struct session *session, struct cs_error *error, const char *line);
/* The message as a transcript has it, without place and advice. */
void say_error(struct output *out, const struct cs_error *error);

#endif
