/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of one run of the program: the open world, the settings, what scripts have counted.
 * Commands change it only through run_line(); the REPL, scripts, one-shot verbs and JSON lines are
 * ways to get lines to it.
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

/* What a person or a script may do. */
struct mode {
	bool interactive; /* a person types the lines */
	bool safe;        /* no shells, no writing */
	bool allow_shell; /* shells in command files too */
	bool quiet;       /* -q */
	bool bless;       /* rewrite expectations */
	bool csv_safe;    /* what is printed goes to a spreadsheet */
	bool told;        /* that a command has a newer name */
};

/*
 * What nearly every command asks for stands first; the rest belongs to the file beside its header,
 * and a command that wants it says whose it is: session->run.stream.
 */
struct session {
	struct cs_job job;      /* of every long command */
	struct cs_query *query; /* always there; of resources, and of the world while one is open */
	struct cs_cooked *world;        /* files.opened.world, or what -P names */
	struct cs_inspector *inspector; /* Nanite resources that are open */
	struct cs_real *real;           /* files of real runs that are open */
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

/* Of the world or of resources; NULL when there is none. */
const struct cs_table *session_table(
	struct session *session, const char *name, const void **source_ret);
/* Says what must be opened for there to be one. */
struct cs_error *session_no_table(struct session *session, const char *name) CS_MUST_USE;
/* session_pages.c: the pages of the run that is to begin; an input to them, which begins one if
 * need be. */
struct cs_error *session_begin_pages(
	struct session *session, struct cs_stream_companion *companion_ret) CS_MUST_USE;
void session_end_pages(struct session *session);
struct cs_error *session_bare_world(struct session *session) CS_MUST_USE;
/* That there is none, and what to do. */
struct cs_error *no_resource(const struct session *session) CS_MUST_USE;
/*
 * The view from a point of a mesh that the options near, fov, height and threshold ask for.
 * E_SETTING for one that no camera has.
 */
struct cs_error *view_of_call(const struct call *call, const struct cs_model *m, struct cs_vec3 eye,
	struct cs_nanite_view *ret) CS_MUST_USE;
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
/*
 * Adds the world to the catalogue of those that are open, whose tables show its rows behind theirs.
 * Takes over what was opened, whatever comes of it; ends the run.
 */
struct cs_error *session_show_beside(struct session *session, struct opened opened) CS_MUST_USE;
void opened_close(struct opened *opened);
/* A path of the run by its name, or NULL; that there is none. */
struct named_path *session_path(struct session *session, const char *name);
/* Takes path and name over, whatever comes of it; one of that name gives way. */
struct cs_error *session_keep_path(
	struct session *session, struct cs_path *path, char *name) CS_MUST_USE;
struct cs_error *session_no_path(const char *name) CS_MUST_USE;
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
/* Whether an expression is true now. */
struct cs_error *session_is_true(
	struct session *session, const char *expression, bool *ret) CS_MUST_USE;
/* `value` is copied. */
struct cs_error *session_set_variable(
	struct session *session, const char *name, const struct cs_value *value) CS_MUST_USE;
struct parse_context session_parse_context(const struct session *session);
/* Makes the place the current one. */
struct cs_error *session_go(struct session *session, struct place place) CS_MUST_USE;
/* False where the cursor of the screen has left the place that a command went to last. */
bool session_is_on_trail(const struct session *session);
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
