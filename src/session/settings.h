/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table behind `set`, `show` and `reset`: one row an option, from which parsing, listing, help,
 * completion and cellscope-options(7) are made.
 */
#pragma once

#include <cellscope/query.h>

enum setting {
	SETTING_OUTPUT,
	SETTING_COLOR,
	SETTING_UTF8,
	SETTING_WIDTH,
	SETTING_PLAIN,
	SETTING_PAGER,
	SETTING_PROGRESS,
	SETTING_KEEP_GOING,
	SETTING_FORCE,
	SETTING_THREADS,
	SETTING_PROFILE,
	SETTINGS
};

enum { AUTO_NEVER, AUTO_ALWAYS, AUTO_AUTO }; /* choices of color, utf8, progress */

struct setting_spec {
	const char *name;
	const char *const *choices; /* names of the values; NULL = a whole number, or `choice` */
	long least, most;           /* range of a number; -1 is written "auto" where least is -1 */
	long value;                 /* default value */
	const char *help;
	/* returns the names of the values where another table has them; NULL after the last one */
	const char *(*choice)(size_t index);
};

extern const struct setting_spec setting_specs[SETTINGS];

struct settings {
	long at[SETTINGS];
};

/* Returns the name of a value; NULL after the last one, and for an option that is a number. */
const char *setting_choice(const struct setting_spec *spec, size_t index);
void settings_init(struct settings *settings);
/* Returns E_SETTING, with the closest name, for a name that no option has. */
struct cs_error *setting_find(const char *name, enum setting *ret) CS_MUST_USE;
struct cs_error *setting_parse(enum setting setting, const char *text, long *ret) CS_MUST_USE;
/* Returns the value as it is typed; valid until the next call with the same buffer. */
const char *setting_text(enum setting setting, long value, char room[24]);

/* The settings as rows: name, value, default, values, help. The source is a struct settings. */
extern const struct cs_table settings_table;
