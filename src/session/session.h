/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of one run of the program (a session): the open world, the settings, the numbers of
 * passed and failed checks in scripts. Commands run only through run_line(), from the REPL,
 * scripts, one-shot commands and JSON lines.
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

/* How the program was started, and what its command lines may do. */
struct mode {
	bool interactive; /* a person types the command lines */
	bool safe;        /* lines may not run a shell or write files */
	bool allow_shell; /* command files may run shells */
	bool quiet;       /* -q: print no banner and no summary */
	bool bless;       /* --bless: rewrite the expected output of scripts */
	bool csv_safe;    /* escape texts in CSV that a spreadsheet would run as formulas */
	/* the new name of an old command was printed already, which happens only once */
	bool told;
};

/*
 * Members that most commands use are at the top level. The others are in structs, each declared in
 * the header of the file that owns it, for example `run` in run_state.h.
 */
struct session {
	struct cs_job job; /* callbacks and limits for long operations of the library */
	/* SQL over the tables of all that is open; never NULL */
	struct cs_query *query;
	/* world that commands use: files.opened.world, or the partition of -P; or NULL */
	struct cs_cooked *world;
	struct cs_inspector *inspector; /* open Nanite resources */
	/* logs, profiles and traces of real runs of the game, as opposed to simulated ones */
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

/*
 * Returns the table with this name among the tables of all that is open (world, run, resources),
 * and stores in *source_ret the object that has its rows. Returns NULL when there is no such table.
 */
const struct cs_table *session_table(
	struct session *session, const char *name, const void **source_ret);
/* Returns the error for a table that does not exist: no world is open, or no table has the name. */
struct cs_error *session_no_table(struct session *session, const char *name) CS_MUST_USE;
/* Creates the pager of the run that is about to begin, if Nanite resources are open. */
struct cs_error *session_begin_pages(
	struct session *session, struct cs_companion *companion_ret) CS_MUST_USE;
void session_end_pages(struct session *session);
struct cs_error *session_bare_world(struct session *session) CS_MUST_USE;
/* Returns the error "no Nanite resource is open", with advice. */
struct cs_error *no_resource(const struct session *session) CS_MUST_USE;
/* Stores in *ret the session's job, with the number of threads that option -j sets. */
struct cs_error *job_of_call(const struct call *call, struct cs_job *ret) CS_MUST_USE;
/* Gets the view from `eye` by options near, fov, height, threshold; E_USAGE for bad values. */
struct cs_error *view_of_call(const struct call *call, const struct cs_model *model,
	struct cs_vec3 eye, struct cs_nanite_view *ret) CS_MUST_USE;
struct cs_error *session_page_input(struct session *session, const char *text) CS_MUST_USE;
/* Adds a Nanite resource and ends the run. Takes ownership of the model, also on failure. */
struct cs_error *session_add_resource(struct session *session, struct cs_model *model) CS_MUST_USE;
/* Adds `n` Nanite resources and ends the run. Takes ownership of all models, also on failure. */
struct cs_error *session_add_resources(
	struct session *session, struct cs_model **models, size_t n) CS_MUST_USE;
/* For each kind of place in a Nanite resource, its word in commands and its rows (others: NULL). */
extern const struct place_part {
	const char *word;
	enum cs_model_row rows;
} place_parts[PLACE_LAYER + 1];
/* Ends the run, closes a Nanite resource, and forgets the places in it. */
void session_close_resource(struct session *session, uint32_t resource);
/* Replaces the open worlds (not on failure) and ends the run. Takes `opened` over in any case. */
struct cs_error *session_show(
	struct session *session, struct opened opened, const char *path) CS_MUST_USE;
/* Adds a world beside the open ones and ends the run. Always takes ownership of `opened`. */
struct cs_error *session_show_beside(struct session *session, struct opened opened) CS_MUST_USE;
void opened_close(struct opened *opened);
/* Returns the path of streaming sources with this name, NULL when there is none. */
struct named_path *session_path(struct session *session, const char *name);
/* Stores or replaces the path of this name. Always takes ownership of `path` and `name`. */
struct cs_error *session_keep_path(
	struct session *session, struct cs_path *path, char *name) CS_MUST_USE;
struct cs_error *session_no_path(const char *name) CS_MUST_USE;
void path_recording_drop(struct path_recording *recording);
/* Gets the simulated run over the open world; the first call creates it. */
struct cs_error *session_stream(struct session *session, struct cs_stream **ret) CS_MUST_USE;
/* Selects the world partition for commands. CS_NONE means the main one, and for listings all. */
void session_focus(struct session *session, uint32_t partition);
/* Returns the path of the file that contains the selected world partition. */
const char *session_shown_path(const struct session *session);
/* Adds a world to the run as a further partition. Takes ownership of `opened`, also on failure. */
struct cs_error *session_add_partition(struct session *session, struct opened opened,
	const struct cs_stream_instance *instance, uint32_t *ret) CS_MUST_USE;
/* Sets the state of a data layer at the beginning of the next run, instead of the cooked state. */
struct cs_error *session_set_initial(
	struct session *session, const char *layer, enum cs_layer_state state) CS_MUST_USE;
/* Gets the breakpoints of the run; creates the run if there is none. */
struct cs_error *session_debug(struct session *session, struct cs_debug **ret) CS_MUST_USE;
/* Ends the run; the next run begins at frame 0. */
void session_end_stream(struct session *session);
struct cs_error *session_close(struct session *session) CS_MUST_USE;
struct cs_parameters session_variables(const struct session *session);
/* Evaluates an SQL expression, and stores in *ret whether it is true. */
struct cs_error *session_is_true(
	struct session *session, const char *expression, bool *ret) CS_MUST_USE;
/* Sets a variable of the session to a copy of `value`. */
struct cs_error *session_set_variable(
	struct session *session, const char *name, const struct cs_value *value) CS_MUST_USE;
/* Moves the variables $argc, $1, $2 ... of the running call to *ret, an empty list. */
struct cs_error *session_take_arguments(struct session *session, parameter_list *ret) CS_MUST_USE;
/* Sets the variable $NUMBER to `text`, or to a number if SQL prints the number as this text. */
struct cs_error *session_set_argument(
	struct session *session, size_t number, const char *text) CS_MUST_USE;
/* Frees the variables of a call that has ended, and restores those of the enclosing call. */
struct cs_error *session_give_arguments(struct session *session, parameter_list *outer) CS_MUST_USE;
struct parse_context session_parse_context(const struct session *session);
/* Makes a place the current one, and adds it to the trail for back and forward. */
struct cs_error *session_go(struct session *session, struct place place) CS_MUST_USE;
/*
 * Returns whether the current place is the one that the trail for `back` and `forward` points at;
 * false after the cursor of the screen has moved elsewhere.
 */
bool session_is_on_trail(const struct session *session);
/* Gets a place's point, or the centre of a cell's content or an actor's bounds; else E_USAGE. */
struct cs_error *session_point_of(
	struct session *session, struct place place, struct cs_vec3 *ret) CS_MUST_USE;
/* Stores a place under a name, or replaces the place that has the name. */
struct cs_error *session_mark(
	struct session *session, const char *name, struct place place) CS_MUST_USE;
/* Returns the style for output that is printed at this moment. */
struct style session_style(const struct session *session);
/* Changes a setting and applies its effects. */
void session_apply(struct session *session, enum setting setting, long value);
bool session_is_on(const struct session *session, enum setting setting);

/*
 * Runs one command line and prints its output to `to`. Returns the error of the line without
 * reporting it, because only the caller knows whether the error was expected. Also writes
 * transcripts and records.
 */
struct cs_error *run_line(struct session *session, const char *line, struct sink *to) CS_MUST_USE;
/*
 * Replaces errors of the library by more specific ones: E_INTERRUPTED by E_TIMEOUT at the time
 * limit (after ^C it only sets tally.interrupted), and E_NOMEM by E_LIMIT when --max-mem limits the
 * process.
 */
struct cs_error *name_cause(struct session *session, struct cs_error *error) CS_MUST_USE;
/* Runs a command line that another line contains; the inner line has no transcript of its own. */
struct cs_error *run_nested(struct session *session, const char *line, struct sink *to) CS_MUST_USE;
struct cs_error *run_invocation(struct session *session, const struct invocation *invocation,
	const char *line, struct sink *to) CS_MUST_USE;

/* Prints "error: ..." with its origin and advice. `line` may be NULL. */
void tell_error(struct session *session, const struct cs_error *error, const char *line);
/* Prints an error as tell_error() does, and frees it. */
void report_error(struct session *session, struct cs_error *error, const char *line);
/* Prints the message of an error as transcripts contain it, without origin and advice. */
void say_error(struct output *out, const struct cs_error *error);
