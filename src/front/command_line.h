/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of the program: one table, which parsing, --help, the manual and shell completion use. */
#pragma once

#include "src/session/session.h"

enum option_section {
	SECTION_INPUT,
	SECTION_CHECKS,
	SECTION_OUTPUT,
	SECTION_LIMITS,
	SECTION_OTHER,
	SECTION_HIDDEN
};

struct options;

struct program_option {
	enum option_section section;
	char letter;
	const char *name;
	const char *value; /* placeholder of the option's value; NULL = the option has no value */
	const char *help;  /* short help, at most 19 columns */
	const char *doc;   /* sentence for the manual */
	/*
	 * what the option changes: the one member that is not 0. `flag`, `text` and `when` are
	 * offsets in struct options of a bool, a string and an AUTO_ value
	 */
	size_t flag, text, when;
	enum format format;
	struct cs_error *(*set)(struct options *options, const char *value);
};

extern const struct program_option program_options[];
extern const size_t n_program_options;
/* Returns whether `option`, such as --force, is the long name of an option of the program. */
bool is_program_option(const char *option);

/*
 * A script of the command line: the file of an option -x, or the joined texts of adjacent options
 * -e.
 */
struct script_source {
	bool is_text; /* true: `text` contains the lines of -e; false: `text` is a path */
	char *text;
};

struct options {
	struct definitions *definitions; /* definitions of the session, to which -D adds */
	CS_VEC(struct script_source) scripts;
	bool no_rc, batch, jsonl, keep_going, tap, annotate, bless, plain, utf8, safe, csv_safe,
		mcp, allow_write, no_sandbox, allow_shell, quiet, tui, force;
	const char *golden, *junit, *oodle;
	CS_VEC(const char *) files; /* files to open */
	char **verb; /* words of the command in argv, from its name to the end; NULL = no command */
	size_t n_verb;
	long format;          /* a value of enum format; -1 = not given */
	long color, progress; /* an AUTO_ value; -1 = not given */
	long threads;         /* number of threads; -1 = not given */
	double timeout;       /* time limit of the whole run in seconds; 0 = none */
	uint64_t max_memory;  /* memory limit in bytes; 0 = not given */
	const char *help;     /* topic of --help; "" = summary of the options; NULL = not given */
	bool version;
	const char *dump_completion, *dump_man;
};

/* Parses the command line and stores values of -D in the session. E_USAGE for invalid options. */
struct cs_error *options_parse(
	int argc, char **argv, struct session *session, struct options *ret) CS_MUST_USE;
void options_free(struct options *options);
void say_program_help(struct output *out);

/* ---- manual.c, completions.c: texts that are generated from tables of the program ---- */

/*
 * Prints a part of the manual as mdoc: "commands", "topics", "settings", "variables", "options" or
 * "format". Returns false for an unknown part.
 */
bool say_manual(struct output *out, const char *part);
/* Prints the completion script for a shell; returns false for an unknown shell. */
bool say_completion(struct output *out, const char *shell);
