/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command is a row of data beside its handler (cmds/ROOM/cmd_NAME.c); cmds/session/cmd_table.c
 * lists the rows. From them follow dispatch, abbreviations, help, completion, the manual and the
 * completion of the shell. Arguments have types and are resolved before the handler runs, which
 * gets cells and numbers, not words.
 */
#pragma once

#include <cellscope/query.h>

#include "src/output/output.h"

struct session;
struct call;
struct screen;
struct invocation;
struct parse_context;

enum argument_type {
	ARGUMENT_NONE, /* ends a list of arguments; an option that takes no value */
	ARGUMENT_WORD,
	ARGUMENT_NAME,   /* that the command gives: $NAME stands for itself */
	ARGUMENT_FILE,   /* a file to read */
	ARGUMENT_OUTPUT, /* a file to write */
	ARGUMENT_WHOLE,  /* a whole number from 0 on */
	ARGUMENT_NUMBER,
	ARGUMENT_SCALE,    /* one number, or X,Y,Z */
	ARGUMENT_POINT,    /* X,Y or X,Y,Z in cm */
	ARGUMENT_CHOICE,   /* one of the spec's choices */
	ARGUMENT_CODE,     /* E_NAME */
	ARGUMENT_RANGE,    /* A..B, A.., ..B or A, of whole numbers */
	ARGUMENT_SWEEP,    /* NAME=FIRST..LAST, numbers of a setting */
	ARGUMENT_LENGTHS,  /* A..B, each with mm, cm, m or km behind it; cm without */
	ARGUMENT_EXTENT,   /* COLUMNSxROWS */
	ARGUMENT_SPOT,     /* X,Y of a screen */
	ARGUMENT_COLOUR,   /* RRGGBB */
	ARGUMENT_PRIORITY, /* of a streaming source: 0 to 255, or a name */
	ARGUMENT_COMMAND,  /* name of a command, or of a help topic */
	ARGUMENT_SETTING,
	ARGUMENT_TABLE,
	ARGUMENT_KEYS, /* columns, with commas between */
	ARGUMENT_FIELD_PATH,
	ARGUMENT_CELL,
	ARGUMENT_ACTOR,
	ARGUMENT_LAYER,
	ARGUMENT_GRID,
	ARGUMENT_SOURCE,
	ARGUMENT_VARIABLE,  /* of the engine */
	ARGUMENT_EVENT,     /* of streaming */
	ARGUMENT_WHERE,     /* a cell, a point, an actor, or a part of a resource with its kind */
	ARGUMENT_ANYTHING,  /* that, and what a number, a name or PAGE:NUMBER alone may mean */
	ARGUMENT_PARTITION, /* a world partition, by name or number */
	/* of Nanite resources */
	ARGUMENT_RESOURCE,
	ARGUMENT_PAGE,
	ARGUMENT_CLUSTER, /* a cluster, else an actor: a place */
	ARGUMENT_GROUP_OF_CLUSTERS,
	ARGUMENT_NODE,
	/* the rest of the line */
	ARGUMENT_EXPRESSION,
	ARGUMENT_FILTER,    /* of rows: one condition */
	ARGUMENT_STATEMENT, /* or one quoted word */
	ARGUMENT_LINE,      /* another command line */
	ARGUMENT_TYPES
};

struct argument_spec {
	const char *name; /* as in a usage line: FILE */
	enum argument_type type;
	bool optional;
	bool many; /* the last one: takes what is left */
	/* ended by NULL. ARGUMENT_CHOICE: its words; ARGUMENT_OUTPUT: the kinds of file that it may
	 * replace (src/session/outputs.h) */
	const char *const *choices;
};

#define REPLACES(...)             \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

struct option_spec {
	char letter;       /* 0 = none */
	const char *name;  /* without dashes; NULL = none */
	const char *value; /* name of its value; NULL = takes none */
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

#define COMMAND_REPEATS 1u   /* an empty line runs it again */
#define COMMAND_CHANGES 2u   /* changes the session: `record` keeps it */
#define COMMAND_WORLD   4u   /* needs an open world */
#define COMMAND_LISTS   8u   /* takes -n -s -w -c */
#define COMMAND_UNSAFE  16u  /* writes files: refused by --safe */
#define COMMAND_CHECKS  32u  /* is a check of a script, or runs one */
#define COMMAND_NANITE  64u  /* needs an open Nanite resource; with COMMAND_WORLD: either */
#define COMMAND_PARTS   128u /* takes -P, though it needs no open world */
#define COMMAND_VIEW    256u /* changes only what the screen shows */
/* What the handler gets, made where there is none yet: call->stream; with it call->debug. */
#define COMMAND_RUN     512u
#define COMMAND_STOPS   1024u

enum { MOST_ARGUMENTS = 6, MOST_OPTIONS = 24, COMMAND_NAME = 64 };

struct command {
	const char *name; /* one or two words */
	const char *alias;
	const char *instead; /* the command that finds out what this one is told; told once */
	const char *was;     /* its name before, which goes with the next release; told once */
	enum command_group group;
	unsigned flags;
	struct argument_spec arguments[MOST_ARGUMENTS + 1];
	struct option_spec options[MOST_OPTIONS + 1];
	const char *summary;  /* one line, no full stop */
	const char *examples; /* a line each: "cells -w \"level > 0\"" */
	const char *help;     /* paragraphs, at most 76 columns */
	struct cs_error *(*run)(struct call *call);
	/* of a word of `view`, whose `run` makes sure that there is a screen */
	struct cs_error *(*on_screen)(struct call *call, struct screen *screen);
	const char *lists; /* the table that it lists, and that is all it does: run is NULL */
	/* what can be found wrong before it runs, beyond its arguments; may be NULL */
	struct cs_error *(*check)(
		const struct parse_context *context, const struct invocation *invocation);
};

/* A name that goes with the next release, for `newer` finds out what it is told; its arguments. */
#define OLD_NAME(variable, old, newer, function, flags_, example, ...)                    \
	const struct command variable = {                                                 \
		.name = old,                                                              \
		.instead = newer,                                                         \
		.group = GROUP_WHY,                                                       \
		.flags = flags_,                                                          \
		.arguments = {__VA_ARGS__},                                               \
		.summary = "the old name of " newer ", which goes with the next release", \
		.examples = example,                                                      \
		.help = "help " newer " says the rest.",                                  \
		.run = function,                                                          \
	}

extern const struct command *const commands[];
extern const size_t n_commands;

/* ---- places ---- */

enum place_kind {
	PLACE_NONE,
	PLACE_CELL,
	PLACE_POINT,
	PLACE_ACTOR,
	/* of Nanite resources */
	PLACE_PAGE,
	PLACE_CLUSTER,
	PLACE_GROUP,
	PLACE_NODE,
	PLACE_LAYER,
};

struct place {
	enum place_kind kind;
	uint32_t row;       /* of the table of its kind, in its partition */
	uint32_t partition; /* world partition of a cell or an actor */
	struct cs_vec3 point;
};

/* ---- what a handler gets ---- */

/* Where an end is open, the first is 0 and the last RANGE_END. */
#define RANGE_END ((uint64_t)INT64_MAX)

struct argument_range {
	uint64_t first, last;
	bool closed; /* both ends were typed */
};

enum { MOST_SWEEP_NAME = 256 };

struct argument_sweep {
	size_t name_length; /* of the setting, which the text begins with */
	double first, last; /* ascending */
};

struct argument_lengths {
	double first, last; /* cm, above 0, ascending */
};

struct argument_pair {
	uint64_t first, second; /* at most INT_MAX */
};

/* A value of an argument or option, resolved. */
struct argument {
	bool given;
	const char *text;   /* as typed, without quotes */
	bool placed;        /* in a world partition */
	uint32_t partition; /* that one */
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
	const struct argument *arguments; /* by spec; those of `many` follow the last */
	size_t n_arguments;               /* given */
	const struct argument *options;   /* by option_at() */
	struct place where;               /* what @ names, else PLACE_NONE */
	const char *line;                 /* what was typed */
	struct cs_stream *stream;         /* the run, of COMMAND_RUN and COMMAND_STOPS */
	struct cs_debug *debug;           /* its stops, of COMMAND_STOPS */
};

static inline const struct argument *call_argument(const struct call *call, size_t index)
{
	return &call->arguments[index];
}

/* What was typed, else everything. */
static inline struct argument_range range_or_all(const struct argument *argument)
{
	return argument->given ? argument->range : (struct argument_range){0, RANGE_END, false};
}

/* The option of that name; ->given says whether it was typed. */
const struct argument *call_option(const struct call *call, const char *name);

/* The number of an option, `otherwise` where it was not typed. */
double call_number(const struct call *call, const char *name, double otherwise);

/*
 * Emits a table with what the options of a listing ask for. `scope` is a further condition or
 * NULL; $scope in it is `scope_value`.
 */
struct cs_error *call_list_scoped(struct call *call, const char *table, const char *scope,
	struct cs_value scope_value) CS_MUST_USE;
struct cs_error *call_list(struct call *call, const char *table) CS_MUST_USE;
/* The rows that it would emit, freed by the caller. */
struct cs_error *call_rows(struct call *call, const char *table, const char *scope,
	struct cs_value scope_value, uint32_t **rows_ret, size_t *n_ret) CS_MUST_USE;
/* The same for a table that is not part of the world. */
struct cs_error *call_list_own(
	struct call *call, const struct cs_table *table, const void *source) CS_MUST_USE;
/* One row as a record. */
struct cs_error *call_record(struct call *call, const char *table, uint32_t row) CS_MUST_USE;

/* ---- the table ---- */

/* Options of a command, its own before those that all have; NULL behind the last. */
const struct option_spec *option_at(const struct command *command, size_t index);
size_t option_count(const struct command *command);
/* How many of them, the last, are the same for all commands, or all over a world. */
size_t shared_option_count(const struct command *command);

enum match { MATCH_NONE, MATCH_ONE, MATCH_SEVERAL };

/* Whether the words begin with the name that the command had before. */
bool command_was(const struct command *command, const char *line);
/*
 * The command that one or two words mean: exactly, by alias, or by a beginning that no other
 * command shares. *words_ret is how many of the words it took.
 */
enum match command_find(
	const char *first, const char *second, const struct command **ret, size_t *words_ret);
/* Names that begin with `first`, distinct, in order; at most `room`. Returns how many there are. */
size_t command_candidates(const char *first, const char **names, size_t room);

/* ---- did you mean ---- */

/* What is closest to a mistyped name, by letters changed, left out, added or swapped. */
struct closest {
	const char *name;
	const char *best; /* NULL: nothing is close */
	unsigned limit;   /* what comes next must be closer */
};

struct closest closest_to(const char *name);
/* True when the n bytes are closer than all before. */
bool closest_consider(struct closest *closest, const char *candidate, size_t n);
const char *closest_name(const char *name, const char *const *names, size_t n);
/* What people mean by a word of another program, "undo" for one; NULL = nothing known. */
const char *command_meant(const char *word);
/* Commands whose summary has the word, at most `room`. */
size_t command_about(const char *word, const char **names, size_t room);
/* A command, or the first of its two words; NULL when none is close. */
const char *command_closest(const char *name, char room[COMMAND_NAME]);
/* The second words of the commands that begin with this one, as candidates. */
void command_consider_words(struct closest *closest, const char *first);

const char *group_title(enum command_group group);
/* The word of its title that names it in `help`: Files, Looking, screen. */
const char *group_word(enum command_group group, size_t *n_ret);
