/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command is a row of data beside its handler (cmds/FOLDER/cmd_NAME.c). Dispatch, abbreviations,
 * help, completion, the manual and shell completion are derived from these rows. Arguments have
 * types and are resolved before the handler runs, so a handler receives cells and numbers, not
 * words.
 */
#pragma once

#include <cellscope/query.h>

#include "src/output/output.h"

#include <float.h>

struct session;
struct call;
struct screen;
struct invocation;
struct parse_context;

enum argument_type {
	ARGUMENT_NONE, /* end of a list of arguments; also the type of an option without a value */
	ARGUMENT_WORD,
	ARGUMENT_NAME,   /* a name that the command defines; no variable is replaced in it */
	ARGUMENT_FILE,   /* a file to read */
	ARGUMENT_OUTPUT, /* a file to write */
	ARGUMENT_WHOLE,  /* a whole number from 0 */
	ARGUMENT_NUMBER,
	ARGUMENT_SCALE,    /* one positive number for all axes, or X,Y,Z */
	ARGUMENT_POINT,    /* X,Y or X,Y,Z in cm */
	ARGUMENT_CHOICE,   /* one of the words in `choices` of the specification */
	ARGUMENT_CODE,     /* name of an error code, E_NAME */
	ARGUMENT_RANGE,    /* A..B, A.., ..B or A, of whole numbers */
	ARGUMENT_SWEEP,    /* NAME=FIRST..LAST, a setting and the range of its values */
	ARGUMENT_LENGTHS,  /* A..B, two lengths with the unit mm, cm, m or km; cm without a unit */
	ARGUMENT_EXTENT,   /* COLUMNSxROWS */
	ARGUMENT_SPOT,     /* X,Y: column and row on the screen */
	ARGUMENT_COLOUR,   /* RRGGBB, hexadecimal */
	ARGUMENT_PRIORITY, /* priority of a streaming source: 0 (first) to 255, or a name */
	ARGUMENT_COMMAND,  /* name of a command, or of a help topic */
	ARGUMENT_SETTING,
	ARGUMENT_TABLE,
	ARGUMENT_KEYS, /* names of table columns, separated by commas */
	ARGUMENT_FIELD_PATH,
	ARGUMENT_CELL,
	ARGUMENT_ACTOR,
	ARGUMENT_LAYER,
	ARGUMENT_GRID,
	ARGUMENT_SOURCE,
	ARGUMENT_VARIABLE, /* name of a console variable of the engine */
	ARGUMENT_EVENT,    /* name of a streaming event */
	ARGUMENT_WHERE,    /* a cell, point or actor, or a part of a resource: "page 7" */
	/* as ARGUMENT_WHERE; a part of a resource may also be a number, name or PAGE:NUMBER */
	ARGUMENT_ANYTHING,
	ARGUMENT_PARTITION, /* a world partition, by name or number */
	/* Nanite resources and their parts. */
	ARGUMENT_RESOURCE,
	ARGUMENT_PAGE,
	ARGUMENT_CLUSTER, /* a Nanite cluster, or an actor if no cluster has that name */
	ARGUMENT_GROUP_OF_CLUSTERS,
	ARGUMENT_NODE,
	/* Each type from here on consumes the rest of the line without splitting it into words. */
	ARGUMENT_EXPRESSION, /* SQL */
	ARGUMENT_FILTER,     /* one SQL condition that selects rows */
	ARGUMENT_STATEMENT,  /* SQL statement; may also be one word in double quotes */
	ARGUMENT_LINE,       /* another command line, or a text */
	ARGUMENT_TYPES
};

struct candidates;

struct argument_spec {
	const char *name; /* placeholder in a usage line, such as FILE */
	enum argument_type type;
	bool optional;
	/* whether the argument, which is then the last one, accepts all remaining words */
	bool many;
	/* NULL-ended words of ARGUMENT_CHOICE, or kinds of file ARGUMENT_OUTPUT may overwrite */
	const char *const *choices;
	/* adds further words that begin with `prefix` to the words that Tab offers (NULL = none) */
	void (*complete)(const char *prefix, struct candidates *candidates);
};

#define REPLACES(...)             \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

struct option_spec {
	char letter;       /* letter of the short form; 0 = no short form */
	const char *name;  /* long name without dashes; NULL = no long form */
	const char *value; /* placeholder of the value, such as N; NULL = no value */
	enum argument_type type;
	const char *help;
	const char *const *choices;
	bool required; /* whether the usage line shows the option without brackets */
};

/* The option -c of commands that print rows or a record. */
#define COLUMNS_OPTION                                                      \
	{                                                                   \
		'c', NULL, "COLS", ARGUMENT_KEYS,                           \
			"print columns COL,COL (-c ? explains all columns)" \
	}

enum command_group {
	GROUP_FILES,
	GROUP_MOVE,
	GROUP_INSPECT,
	GROUP_WHY,
	GROUP_MAP,
	GROUP_SIMULATE,
	GROUP_STOPS,
	GROUP_DIFF,
	GROUP_NANITE,
	GROUP_FARM,
	GROUP_SCREEN,
	GROUP_OUTPUT,
	GROUP_SCRIPT,
	GROUP_HELP,
	GROUP_ENGINE, /* commands of UE's console */
	GROUPS
};

#define COMMAND_REPEATS  1u  /* an empty line repeats the command */
#define COMMAND_CHANGES  2u  /* changes the session, so `record` stores the line */
#define COMMAND_WORLD    4u  /* needs an open world */
#define COMMAND_LISTS    8u  /* lists rows: has the options -n -s -w -c */
#define COMMAND_UNSAFE   16u /* writes files, so --safe refuses it */
#define COMMAND_CHECKS   32u /* is a check in a script, or runs checks */
/* needs an open Nanite resource; with COMMAND_WORLD set too, a world or a resource is enough */
#define COMMAND_NANITE   64u
/* has option -P (a world partition), as most commands with COMMAND_WORLD have */
#define COMMAND_PARTS    128u
#define COMMAND_VIEW     256u /* changes only what the screen shows */
/*
 * The command needs a run, which is started if there is none. Sets call->stream, and with
 * COMMAND_STOPS also call->debug.
 */
#define COMMAND_RUN      512u
#define COMMAND_STOPS    1024u
#define COMMAND_PLACE    2048u /* takes `@ WHERE` */
/* is about all world partitions together: has no option -P */
#define COMMAND_TOGETHER 4096u
#define COMMAND_WHOLE    (COMMAND_WORLD | COMMAND_TOGETHER)

enum { MOST_ARGUMENTS = 6, MOST_OPTIONS = 24, COMMAND_NAME = 64 };

struct command {
	const char *name; /* name of the command: one or two words */
	const char *alias;
	/* newer command to use instead, which detects its argument's kind; the user is told once */
	const char *instead;
	/* old name of the command, to be removed in the next release; the user is told once */
	const char *was;
	enum command_group group;
	unsigned flags;
	struct argument_spec arguments[MOST_ARGUMENTS + 1];
	struct option_spec options[MOST_OPTIONS + 1];
	const char *summary;  /* one line, no full stop */
	const char *examples; /* example lines, separated by newlines: "cells -w \"level > 0\"" */
	const char *help;     /* paragraphs in lines of at most 80 columns */
	struct cs_error *(*run)(struct call *call);
	int variant; /* number of the command among those that share `run` */
	/* replaces `run` for a subcommand of `view`, whose own `run` creates the screen first */
	struct cs_error *(*on_screen)(struct call *call, struct screen *screen);
	const char *lists; /* table of its rows (`run` may be NULL) or expressions, or NULL */
	/*
	 * table of the rows that `run` prints, with which rehearse() checks -c, -s and -w before
	 * `run`; or NULL
	 */
	const struct cs_table *rows;
	/* checks the command line beyond the types of its arguments; may be NULL */
	struct cs_error *(*check)(
		const struct parse_context *context, const struct invocation *invocation);
};

/*
 * Defines a command whose name the next release removes. `newer` is the command that replaces it
 * and detects the kind of its argument; the variadic parameters specify the arguments.
 */
#define OLD_NAME(variable, old, newer, function, flags_, example, ...)                        \
	const struct command variable = {                                                     \
		.name = old,                                                                  \
		.instead = newer,                                                             \
		.group = GROUP_WHY,                                                           \
		.flags = flags_,                                                              \
		.arguments = {__VA_ARGS__},                                                   \
		.summary = "do the same as `" newer                                           \
			   "`; this old name will be removed in the next release",            \
		.examples = example,                                                          \
		.help = "Type `" newer "` with the same arguments instead (help " newer ").", \
		.run = function,                                                              \
	}

extern const struct command *const commands[];
extern const size_t n_commands;

/* ---- places: locations in a world or a Nanite resource ---- */

enum place_kind {
	PLACE_NONE,
	PLACE_CELL,
	PLACE_POINT,
	PLACE_ACTOR,
	/* PLACE_PAGE to PLACE_NODE are parts of Nanite resources */
	PLACE_PAGE,
	PLACE_CLUSTER,
	PLACE_GROUP,
	PLACE_NODE,
	PLACE_LAYER,
};

struct place {
	enum place_kind kind;
	/* index in the table of `kind`; for cells and actors, in the table of `partition` */
	uint32_t row;
	uint32_t partition; /* index of the world partition that contains the cell or actor */
	struct cs_vec3 point;
};

/* ---- input of a handler ---- */

/* last number of a range without an end (A..); a range without a beginning starts at 0 */
#define RANGE_END  ((uint64_t)INT64_MAX)
/* upper limit for call_number_within() that means "no limit" */
#define NUMBER_END DBL_MAX

struct argument_range {
	uint64_t first, last;
	bool closed; /* whether the user typed both numbers of A..B */
};

enum { MOST_SWEEP_NAME = 256 };

struct argument_sweep {
	size_t name_length; /* bytes of the setting's name at the beginning of argument.text */
	double first, last; /* values of the setting; first < last */
};

struct argument_lengths {
	double first, last; /* in cm; 0 < first < last */
};

struct argument_pair {
	uint64_t first, second; /* two whole numbers, each at most INT_MAX */
};

/* The resolved value of an argument or option. */
struct argument {
	bool given;
	const char *text;   /* text as typed, without quotes; of a choice, the whole word */
	bool placed;        /* whether `row` is an index within `partition` */
	uint32_t partition; /* index of a world partition; valid only if `placed` */
	union {
		double number;
		uint64_t count;
		size_t choice;
		struct cs_vec3 point;
		uint32_t row;
		enum cs_code code;
		uint32_t colour; /* 0xRRGGBB */
		struct argument_range range;
		struct argument_sweep sweep;
		struct argument_lengths lengths;
		struct argument_pair pair;
		struct place place;
	};
};

struct call {
	struct session *session;
	struct output *out;
	const struct command *command;
	/* as in command->arguments, then the further values of the last one if it is `many` */
	const struct argument *arguments;
	size_t n_arguments;             /* number of arguments that were typed */
	const struct argument *options; /* one element per option, indexed as in option_at() */
	struct place where;             /* location typed after @; PLACE_NONE when there is none */
	const char *line;               /* the command line as typed */
	struct cs_stream *stream;       /* streaming run; set for COMMAND_RUN and COMMAND_STOPS */
	struct cs_debug *debug;         /* breakpoints of the run; set for COMMAND_STOPS */
};

static inline const struct argument *call_argument(const struct call *call, size_t index)
{
	return &call->arguments[index];
}

/* Returns a whole number; UINT32_MAX for all that are larger. */
static inline uint32_t argument_u32(const struct argument *argument)
{
	return argument->count < UINT32_MAX ? (uint32_t)argument->count : UINT32_MAX;
}

/* Returns the range that was typed, or 0..RANGE_END when none was typed. */
static inline struct argument_range range_or_all(const struct argument *argument)
{
	return argument->given ? argument->range : (struct argument_range){0, RANGE_END, false};
}

/* Returns the option with this long name or letter. If it was not typed, ->given is false. */
const struct argument *call_option(const struct call *call, const char *name);

/* Return the text or the whole number of an argument or option; `otherwise` when not typed. */
const char *argument_text(const struct argument *argument, const char *otherwise);
uint64_t argument_count(const struct argument *argument, uint64_t otherwise);
/* Returns the value of a numeric option; `otherwise` when the option was not typed. */
double call_number(const struct call *call, const char *name, double otherwise);
/*
 * Returns in *ret the value of a numeric option, `otherwise` when it was not typed. Returns
 * E_USAGE, which names the limits, when a typed value is outside `least` to `most`; NUMBER_END as
 * `most` means no upper limit.
 */
struct cs_error *call_number_within(const struct call *call, const char *name, double least,
	double most, double otherwise, double *ret) CS_MUST_USE;
struct cs_error *call_whole_within(const struct call *call, const char *name, uint64_t least,
	uint64_t most, uint64_t otherwise, uint64_t *ret) CS_MUST_USE;

/*
 * Lists a table with the columns, order and conditions that the options of the call request.
 * `scope` is an additional SQL condition or NULL; $scope in it stands for `scope_value`.
 */
struct cs_error *call_list_scoped(struct call *call, const char *table, const char *scope,
	struct cs_value scope_value) CS_MUST_USE;
/*
 * Returns the location that a command applies to: the argument `where` if it was typed (it may be
 * NULL), else the location after `@`, else the current one. Selects the partition of the location.
 */
struct place call_place(struct call *call, const struct argument *where);
struct cs_error *call_list_in_cell(struct call *call, uint32_t cell) CS_MUST_USE;
/* Lists the rows of a table with these row numbers, in the order of the table. */
struct cs_error *call_list_numbers(
	struct call *call, const char *table, const uint32_t *rows, size_t n) CS_MUST_USE;
struct cs_error *call_list(struct call *call, const char *table) CS_MUST_USE;
/* Gets the indices of the rows that call_list_scoped() would list; freed by the caller. */
struct cs_error *call_rows(struct call *call, const char *table, const char *scope,
	struct cs_value scope_value, uint32_t **rows_ret, size_t *n_ret) CS_MUST_USE;
/* Lists a table that is not the world's, with columns, order, conditions of the call's options. */
struct cs_error *call_list_own(
	struct call *call, const struct cs_table *table, const void *source) CS_MUST_USE;
/* Prints one row of a table, one field per line. */
struct cs_error *call_record(struct call *call, const char *table, uint32_t row) CS_MUST_USE;

/* ---- all commands ---- */

/* Returns option `index` of a command: first its own, then shared ones; NULL after the last. */
const struct option_spec *option_at(const struct command *command, size_t index);

/*
 * Returns a description of the argument at `index`, if its type gives one: "a streaming source
 * (...)". Returns NULL for other arguments, and if the argument before it has the same name.
 */
const char *argument_meaning(const struct command *command, size_t index);
size_t option_count(const struct command *command);
/*
 * Returns the number of shared options of a command, which are the last ones: the options of all
 * commands, and for a command on a world the options of all such commands.
 */
size_t shared_option_count(const struct command *command);

enum match { MATCH_NONE, MATCH_ONE, MATCH_SEVERAL };

/* Returns whether a command has exactly this name (one or two words). */
bool command_is(const char *name);
/* Returns whether the word is the first of the name of a command. */
bool command_begins(const char *word);
/* Returns whether an earlier command has the same first word, which is listed only once. */
bool command_is_repeated(size_t index);
/* Returns whether the line begins with the old name of the command (`was`). */
bool command_was(const struct command *command, const char *line);
/*
 * Finds the command that one or two words name: by exact name, old name, alias, or an unambiguous
 * abbreviation. *words_ret is the number of words that belong to the name.
 */
enum match command_find(
	const char *first, const char *second, const struct command **ret, size_t *words_ret);
/*
 * Counts the different first words of commands that begin with `first`. Stores a command's name for
 * each of them in `names`, but at most `room` names.
 */
size_t command_candidates(const char *first, const char **names, size_t room);

/* ---- the closest name, for "did you mean" ---- */

/* Search for the candidate closest to a mistyped name: letters changed, omitted, added, swapped. */
struct closest {
	const char *name;
	const char *best; /* closest candidate until now; NULL: none is close enough */
	unsigned limit;   /* a candidate is accepted when its distance is below this */
};

/* Arguments for "%s%s%s" at the end of a message, which suggest the name; no text if it is NULL. */
#define DID_YOU_MEAN(name) \
	(name) ? "; did you mean '" : "", (name) ? (name) : "", (name) ? "'?" : ""

struct closest closest_to(const char *name);
/* Compares a candidate of `n` bytes with the name. Returns whether it is the closest one so far. */
bool closest_consider(struct closest *closest, const char *candidate, size_t n);
const char *closest_name(const char *name, const char *const *names, size_t n);
/* Finds a word by its name, and stores in *ret the value of the enum for which it stands. */
bool word_named(enum cs_words list, const char *name, unsigned *ret);
/* Returns the command with the same effect as a word of other programs, such as "undo", or NULL. */
const char *command_meant(const char *word);
/* Stores at most `room` commands whose summary contains the word, and returns their number. */
size_t command_about(const char *word, const char **names, size_t room);
/*
 * Returns what is closest to `name` of all that a line can begin with: a command, the first word of
 * one, or a console variable; or NULL. Copies a command to `room`.
 */
const char *command_closest(const char *name, char room[COMMAND_NAME]);
/* Passes the second words of two-word commands that begin with `first` to closest_consider(). */
void command_consider_words(struct closest *closest, const char *first);

/* Returns the title of a group. Its first word is the one by which `help` finds the group. */
const char *group_title(enum command_group group);
