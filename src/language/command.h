/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command is a row of data beside its handler (cmds/ROOM/cmd_NAME.c). From the rows follow
 * dispatch, abbreviations, help, completion, the manual and shell completion. Arguments have types
 * and are resolved before the handler runs, so a handler gets cells and numbers, not words.
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
	ARGUMENT_NONE, /* ends a list of arguments; type of an option without a value */
	ARGUMENT_WORD,
	ARGUMENT_NAME,   /* a name that the command defines: $NAME is not replaced */
	ARGUMENT_FILE,   /* a file to read */
	ARGUMENT_OUTPUT, /* a file to write */
	ARGUMENT_WHOLE,  /* a whole number >= 0 */
	ARGUMENT_NUMBER,
	ARGUMENT_SCALE,    /* one number, or X,Y,Z */
	ARGUMENT_POINT,    /* X,Y or X,Y,Z in cm */
	ARGUMENT_CHOICE,   /* one of the spec's choices */
	ARGUMENT_CODE,     /* name of an error code, E_NAME */
	ARGUMENT_RANGE,    /* A..B, A.., ..B or A, of whole numbers */
	ARGUMENT_SWEEP,    /* NAME=FIRST..LAST, a range of numbers for a setting */
	ARGUMENT_LENGTHS,  /* A..B, each with the unit mm, cm, m or km; default cm */
	ARGUMENT_EXTENT,   /* COLUMNSxROWS */
	ARGUMENT_SPOT,     /* X,Y: a place on the screen */
	ARGUMENT_COLOUR,   /* RRGGBB */
	ARGUMENT_PRIORITY, /* priority of a streaming source: 0 to 255, or a name */
	ARGUMENT_COMMAND,  /* name of a command, or of a help topic */
	ARGUMENT_SETTING,
	ARGUMENT_TABLE,
	ARGUMENT_KEYS, /* columns separated by commas */
	ARGUMENT_FIELD_PATH,
	ARGUMENT_CELL,
	ARGUMENT_ACTOR,
	ARGUMENT_LAYER,
	ARGUMENT_GRID,
	ARGUMENT_SOURCE,
	ARGUMENT_VARIABLE, /* name of a console variable of the engine */
	ARGUMENT_EVENT,    /* a streaming event */
	ARGUMENT_WHERE,    /* a cell, a point, an actor, or a part of a resource with its kind */
	/* as ARGUMENT_WHERE, or a number, a name or PAGE:NUMBER without a kind */
	ARGUMENT_ANYTHING,
	ARGUMENT_PARTITION, /* a world partition, by name or number */
	/* Parts of Nanite resources. */
	ARGUMENT_RESOURCE,
	ARGUMENT_PAGE,
	ARGUMENT_CLUSTER, /* a cluster, else an actor, as a place */
	ARGUMENT_GROUP_OF_CLUSTERS,
	ARGUMENT_NODE,
	/* The types below take the rest of the line. */
	ARGUMENT_EXPRESSION,
	ARGUMENT_FILTER,    /* one condition that selects rows */
	ARGUMENT_STATEMENT, /* SQL; one quoted word may take the place of the rest of the line */
	ARGUMENT_LINE,      /* another command line */
	ARGUMENT_TYPES
};

struct argument_spec {
	const char *name; /* name as in a usage line: FILE */
	enum argument_type type;
	bool optional;
	bool many; /* for the last argument: whether it takes all remaining words */
	/*
	 * list that ends with NULL: the words of ARGUMENT_CHOICE, or the kinds of file that
	 * ARGUMENT_OUTPUT may replace (src/session/outputs.h)
	 */
	const char *const *choices;
};

#define REPLACES(...)             \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

struct option_spec {
	char letter;       /* letter of the short form, 0 = none */
	const char *name;  /* name without dashes; NULL = none */
	const char *value; /* name of the option's value; NULL = it takes none */
	enum argument_type type;
	const char *help;
	const char *const *choices;
};

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
	GROUP_ENGINE, /* the console of UE */
	GROUPS
};

#define COMMAND_REPEATS 1u  /* an empty line runs it again */
#define COMMAND_CHANGES 2u  /* changes the session: `record` stores it */
#define COMMAND_WORLD   4u  /* needs an open world */
#define COMMAND_LISTS   8u  /* takes -n -s -w -c */
#define COMMAND_UNSAFE  16u /* writes files: refused by --safe */
#define COMMAND_CHECKS  32u /* is a check of a script, or runs checks */
/* needs an open Nanite resource; together with COMMAND_WORLD either is enough */
#define COMMAND_NANITE  64u
#define COMMAND_PARTS   128u /* takes -P, although it needs no open world */
#define COMMAND_VIEW    256u /* changes only what is visible on the screen */
/*
 * Before the handler runs, call->stream is set, with a new run when there is none; COMMAND_STOPS
 * also sets call->debug.
 */
#define COMMAND_RUN     512u
#define COMMAND_STOPS   1024u

enum { MOST_ARGUMENTS = 6, MOST_OPTIONS = 24, COMMAND_NAME = 64 };

struct command {
	const char *name; /* name, of one or two words */
	const char *alias;
	/*
	 * name of the newer command that finds out by itself what its argument is; the user is told
	 * once
	 */
	const char *instead;
	/* old name of the command, which the next release removes; the user is told once */
	const char *was;
	enum command_group group;
	unsigned flags;
	struct argument_spec arguments[MOST_ARGUMENTS + 1];
	struct option_spec options[MOST_OPTIONS + 1];
	const char *summary;  /* one line, no full stop */
	const char *examples; /* example lines, separated by newlines: "cells -w \"level > 0\"" */
	const char *help;     /* paragraphs in lines of at most 80 columns */
	struct cs_error *(*run)(struct call *call);
	/* handler of a word of `view`, whose `run` creates the screen first */
	struct cs_error *(*on_screen)(struct call *call, struct screen *screen);
	const char *lists; /* name of the table that the command lists; `run` is NULL then */
	/* checks more than the types of arguments before the command runs; may be NULL */
	struct cs_error *(*check)(
		const struct parse_context *context, const struct invocation *invocation);
};

/*
 * Defines an old name that the next release removes. `newer` finds out what its argument is; the
 * further parameters are the arguments.
 */
#define OLD_NAME(variable, old, newer, function, flags_, example, ...)                          \
	const struct command variable = {                                                       \
		.name = old,                                                                    \
		.instead = newer,                                                               \
		.group = GROUP_WHY,                                                             \
		.flags = flags_,                                                                \
		.arguments = {__VA_ARGS__},                                                     \
		.summary = "the old name of " newer "; it will be removed in the next release", \
		.examples = example,                                                            \
		.help = "See `help " newer "`.",                                                \
		.run = function,                                                                \
	}

extern const struct command *const commands[];
extern const size_t n_commands;

/* ---- places ---- */

enum place_kind {
	PLACE_NONE,
	PLACE_CELL,
	PLACE_POINT,
	PLACE_ACTOR,
	/* Parts of Nanite resources. */
	PLACE_PAGE,
	PLACE_CLUSTER,
	PLACE_GROUP,
	PLACE_NODE,
	PLACE_LAYER,
};

struct place {
	enum place_kind kind;
	uint32_t row;       /* row in the table of the place's kind, in its partition */
	uint32_t partition; /* world partition of a cell or an actor */
	struct cs_vec3 point;
};

/* ---- what a handler gets ---- */

/* A range without a beginning begins at 0, and one without an end ends at RANGE_END. */
#define RANGE_END  ((uint64_t)INT64_MAX)
/* The largest number: an upper limit that every number is within. */
#define NUMBER_END DBL_MAX

struct argument_range {
	uint64_t first, last;
	bool closed; /* the user typed both ends */
};

enum { MOST_SWEEP_NAME = 256 };

struct argument_sweep {
	size_t name_length; /* length of the setting's name, with which the text begins */
	double first, last; /* both in ascending order */
};

struct argument_lengths {
	double first, last; /* in cm, above 0, ascending */
};

struct argument_pair {
	uint64_t first, second; /* both at most INT_MAX */
};

/* The resolved value of an argument or option. */
struct argument {
	bool given;
	const char *text;   /* the text as typed, without quotes */
	bool placed;        /* whether the value is a row of a world partition */
	uint32_t partition; /* number of that partition */
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
	/* in the order of the specification; further values of a `many` argument follow the last */
	const struct argument *arguments;
	size_t n_arguments;             /* number of given arguments */
	const struct argument *options; /* in the order of option_at() */
	struct place where;             /* the place after @, or PLACE_NONE */
	const char *line;               /* the line as typed */
	struct cs_stream *stream;       /* the run, for COMMAND_RUN and COMMAND_STOPS */
	struct cs_debug *debug;         /* stops of the run, for COMMAND_STOPS */
};

static inline const struct argument *call_argument(const struct call *call, size_t index)
{
	return &call->arguments[index];
}

/* Returns the range that was typed, else one that contains everything. */
static inline struct argument_range range_or_all(const struct argument *argument)
{
	return argument->given ? argument->range : (struct argument_range){0, RANGE_END, false};
}

/* Returns the option of that name; ->given is false when it was not typed. */
const struct argument *call_option(const struct call *call, const char *name);

/* Returns the number of an option, `otherwise` when it was not typed. */
double call_number(const struct call *call, const char *name, double otherwise);
/*
 * Returns the same in *ret, for a number and for a whole number, and E_USAGE with the range when
 * what was typed is outside of it. NUMBER_END is no most.
 */
struct cs_error *call_number_within(const struct call *call, const char *name, double least,
	double most, double otherwise, double *ret) CS_MUST_USE;
struct cs_error *call_whole_within(const struct call *call, const char *name, uint64_t least,
	uint64_t most, uint64_t otherwise, uint64_t *ret) CS_MUST_USE;

/*
 * Lists a table as the options of the call ask for. `scope` is a further condition or NULL, in
 * which $scope is `scope_value`.
 */
struct cs_error *call_list_scoped(struct call *call, const char *table, const char *scope,
	struct cs_value scope_value) CS_MUST_USE;
/*
 * Returns the place that is meant: the one of the argument (NULL: none), else the one after `@`,
 * else the current one. The call is then about the partition that contains it.
 */
struct place call_place(struct call *call, const struct argument *where);
/* Lists the actors of a cell. */
struct cs_error *call_list_in_cell(struct call *call, uint32_t cell) CS_MUST_USE;
struct cs_error *call_list(struct call *call, const char *table) CS_MUST_USE;
/* Returns the rows that call_list_scoped() would list, freed by the caller. */
struct cs_error *call_rows(struct call *call, const char *table, const char *scope,
	struct cs_value scope_value, uint32_t **rows_ret, size_t *n_ret) CS_MUST_USE;
/* Lists a table that the world does not have, as the options of the call ask for. */
struct cs_error *call_list_own(
	struct call *call, const struct cs_table *table, const void *source) CS_MUST_USE;
/* Prints one row field by field. */
struct cs_error *call_record(struct call *call, const char *table, uint32_t row) CS_MUST_USE;

/* ---- the table ---- */

/* Returns an option of a command, its own before the shared ones; NULL after the last. */
const struct option_spec *option_at(const struct command *command, size_t index);
size_t option_count(const struct command *command);
/*
 * Returns how many options at the end are shared by all commands, or by all commands over a world.
 */
size_t shared_option_count(const struct command *command);

enum match { MATCH_NONE, MATCH_ONE, MATCH_SEVERAL };

/* Returns whether a command has exactly this name, of one or two words. */
bool command_is(const char *name);
/* Returns whether the words begin with the old name of the command. */
bool command_was(const struct command *command, const char *line);
/*
 * Finds the command for one or two words: by its exact name, by its alias, or by a beginning that
 * no other command shares. *words_ret is the number of words it used.
 */
enum match command_find(
	const char *first, const char *second, const struct command **ret, size_t *words_ret);
/*
 * Returns the number of distinct command names that begin with `first`; `names` gets the first
 * `room` of them, in order.
 */
size_t command_candidates(const char *first, const char **names, size_t room);

/* ---- did you mean ---- */

/*
 * Finds the candidate closest to a mistyped name, by letters changed, left out, added or swapped.
 */
struct closest {
	const char *name;
	const char *best; /* closest candidate so far; NULL: none is close */
	unsigned limit;   /* a further candidate must be closer than this */
};

struct closest closest_to(const char *name);
/* Returns whether these n bytes are closer than all candidates before. */
bool closest_consider(struct closest *closest, const char *candidate, size_t n);
const char *closest_name(const char *name, const char *const *names, size_t n);
/* Returns the command for a word of another program, such as "undo"; NULL = unknown. */
const char *command_meant(const char *word);
/* Finds commands whose summary contains the word, at most `room`. */
size_t command_about(const char *word, const char **names, size_t room);
/* Returns the closest command, or the first of its two words; NULL when none is close. */
const char *command_closest(const char *name, char room[COMMAND_NAME]);
/* Adds the second words of commands that begin with `first` as candidates. */
void command_consider_words(struct closest *closest, const char *first);

const char *group_title(enum command_group group);
/* Returns the word of the group's title that `help` takes: Files, Looking, screen. */
const char *group_word(enum command_group group, size_t *n_ret);
