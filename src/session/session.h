/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of one run of the program: the open world, the settings, the counts of scripts.
 * Commands change it only through run_line(); the REPL, scripts, one-shot commands and JSON lines
 * all pass their lines to it.
 */
#pragma once

#include <cellscope/pages.h>
#include <cellscope/paging.h>
#include <cellscope/query.h>
#include <cellscope/stream.h>
#include <cellscope/ue.h>
#include <cellscope/world.h>

#include "src/language/command.h"
#include "src/language/lexer.h"
#include "src/language/parse.h"
#include "src/output/sink.h"
#include "src/session/channels.h"
#include "src/session/console_view.h"
#include "src/session/display.h"
#include "src/session/input/words.h"
#include "src/session/line_record.h"
#include "src/session/listed.h"
#include "src/session/open_files.h"
#include "src/session/places.h"
#include "src/session/run_state.h"
#include "src/session/script/expected.h"
#include "src/session/script/line_block.h"
#include "src/session/session_bounds.h"
#include "src/session/settings.h"

/* What the program was started for, and what its lines may do. */
struct mode {
	bool interactive; /* a person types the lines */
	bool safe;        /* lines run no shell and write no files */
	bool allow_shell; /* command files may run shells, too */
	bool quiet;       /* -q: print less */
	bool bless;       /* rewrite the expectations of scripts */
	bool csv_safe;    /* the output is made safe for spreadsheets */
	bool told;        /* the newer name of an old command has been printed */
};

/*
 * The members that most commands use are at the top level; the others are in structs of their own,
 * declared in the header of the file that owns them: session->run.stream.
 */
struct session {
	struct cs_job job; /* callbacks and limits of every long command */
	/* query over the open resources, and over the world while one is open; never NULL */
	struct cs_query *query;
	/* the world that commands are about: files.opened.world, or the partition that -P names */
	struct cs_cooked *world;
	struct cs_inspector *inspector; /* open Nanite resources */
	/* open logs, profiles and traces of runs of the game, as opposed to the simulated run */
	struct cs_real *real;
	struct settings settings;
	struct mode mode;
	struct bounds bounds;
	struct open_files files;
	struct run_state run;
	struct view view;
	struct places places;
	struct listed listed;
	struct words words;
	struct channels channels;
	struct expected expected;
	struct record record;
	struct line_block block;
	struct display display;
	bool quit;
	int quit_status;
};

struct cs_error *session_new(struct session **ret) CS_MUST_USE;
void session_free(struct session *session);

/* Finds a table of the world or of the resources; NULL when there is none. */
const struct cs_table *session_table(
	struct session *session, const char *name, const void **source_ret);
/* Returns an error that says what must be opened before the table exists. */
struct cs_error *session_no_table(struct session *session, const char *name) CS_MUST_USE;
/* session_pages.c: creates page streaming for the run that is about to begin. */
struct cs_error *session_begin_pages(
	struct session *session, struct cs_companion *companion_ret) CS_MUST_USE;
void session_end_pages(struct session *session);
struct cs_error *session_bare_world(struct session *session) CS_MUST_USE;
/* Returns the error that no resource is open, with advice. */
struct cs_error *no_resource(const struct session *session) CS_MUST_USE;
/* Returns in *ret the session's job, with the number of threads of the option -j. */
struct cs_error *job_of_call(const struct call *call, struct cs_job *ret) CS_MUST_USE;
/*
 * Returns the view from a point of a mesh with the options near, fov, height and threshold.
 * E_USAGE for values that no camera can have.
 */
struct cs_error *view_of_call(const struct call *call, const struct cs_model *model,
	struct cs_vec3 eye, struct cs_nanite_view *ret) CS_MUST_USE;
struct cs_error *session_page_input(struct session *session, const char *text) CS_MUST_USE;
/* Takes ownership of the model, also on failure; ends the run. */
struct cs_error *session_add_resource(struct session *session, struct cs_model *model) CS_MUST_USE;
/* Adds n resources at once; takes ownership of all of them, also on failure. */
struct cs_error *session_add_resources(
	struct session *session, struct cs_model **models, size_t n) CS_MUST_USE;
/* Closes a resource and forgets places in resources. */
void session_close_resource(struct session *session, uint32_t resource);
/* Takes ownership of what was opened, also on failure; closes the world before. */
struct cs_error *session_show(
	struct session *session, struct opened opened, const char *path) CS_MUST_USE;
/*
 * Adds the world to the catalogue of open worlds, whose tables list its rows after theirs. Takes
 * ownership of what was opened, also on failure; ends the run.
 */
struct cs_error *session_show_beside(struct session *session, struct opened opened) CS_MUST_USE;
void opened_close(struct opened *opened);
/* Finds a path of the run by name, NULL when there is none. */
struct named_path *session_path(struct session *session, const char *name);
/* Takes ownership of path and name, also on failure; replaces a path of the same name. */
struct cs_error *session_keep_path(
	struct session *session, struct cs_path *path, char *name) CS_MUST_USE;
struct cs_error *session_no_path(const char *name) CS_MUST_USE;
void path_recording_drop(struct path_recording *recording);
/* Returns the run over the open world; the first call creates it. */
struct cs_error *session_stream(struct session *session, struct cs_stream **ret) CS_MUST_USE;
/*
 * Makes this world partition the subject of commands; CS_NONE: the main one, and for listings all.
 */
void session_focus(struct session *session, uint32_t partition);
/* Adds a world partition to the run, which takes ownership of what was opened, also on failure. */
struct cs_error *session_add_partition(struct session *session, struct opened opened,
	const struct cs_stream_instance *instance, uint32_t *ret) CS_MUST_USE;
/* Sets the state of the layer at the beginning of the next run, instead of the cooked one. */
struct cs_error *session_set_initial(
	struct session *session, const char *layer, enum cs_layer_state state) CS_MUST_USE;
/* Returns the stops of the run over the open world. */
struct cs_error *session_debug(struct session *session, struct cs_debug **ret) CS_MUST_USE;
/* Ends the run; the next one begins at frame 0. */
void session_end_stream(struct session *session);
struct cs_error *session_close(struct session *session) CS_MUST_USE;
struct cs_parameters session_variables(const struct session *session);
/* Evaluates an expression to true or false. */
struct cs_error *session_is_true(
	struct session *session, const char *expression, bool *ret) CS_MUST_USE;
/* Sets a variable of the session to a copy of `value`. */
struct cs_error *session_set_variable(
	struct session *session, const char *name, const struct cs_value *value) CS_MUST_USE;
struct parse_context session_parse_context(const struct session *session);
/* Makes the place the current one. */
struct cs_error *session_go(struct session *session, struct place place) CS_MUST_USE;
/*
 * Returns false when the cursor of the screen is no longer at the place that a command went to
 * last.
 */
bool session_is_on_trail(const struct session *session);
/* Gives a name to a place; a name that exists moves to it. */
struct cs_error *session_mark(
	struct session *session, const char *name, struct place place) CS_MUST_USE;
/* Returns the style of output that is printed now. */
struct style session_style(const struct session *session);
/* Sets an option and applies its effects. */
void session_apply(struct session *session, enum setting setting, long value);
bool session_is_on(const struct session *session, enum setting setting);

/*
 * Runs one line and prints its output into `to`. It returns the error without reporting it, because
 * the caller knows whether it was expected. Echo, transcripts and records are written here.
 */
struct cs_error *run_line(struct session *session, const char *line, struct sink *to) CS_MUST_USE;
/*
 * Separates causes that have the same code in the library: the time limit (E_TIMEOUT) from ^C,
 * which is noted, and our own limit on memory (E_LIMIT) from that of the machine.
 */
struct cs_error *name_cause(struct session *session, struct cs_error *error) CS_MUST_USE;
/* Runs a line inside of another one: without an echo. */
struct cs_error *run_nested(struct session *session, const char *line, struct sink *to) CS_MUST_USE;
struct cs_error *run_invocation(struct session *session, const struct invocation *invocation,
	const char *line, struct sink *to) CS_MUST_USE;

/* Prints "error: ..." with its place and frees it. `line` may be NULL. */
void report_error(struct session *session, struct cs_error *error, const char *line);
/* Prints the message as transcripts contain it, without place and advice. */
void say_error(struct output *out, const struct cs_error *error);
