/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of settings. The commands `set`, `show` and `reset`, the help, the completion and the
 * manual page cellscope-options(7) are made from its rows.
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

enum { AUTO_NEVER, AUTO_ALWAYS, AUTO_AUTO }; /* values of settings that may be automatic */

struct setting_spec {
	const char *name;
	const char *const *choices; /* names of the values; NULL = a number, or `choice` is set */
	long least, most;           /* range of a number; -1 is printed as "auto" */
	long value;                 /* default value */
	const char *help;
	/* returns the name of value `index`, NULL after the last; the callback may be NULL */
	const char *(*choice)(size_t index);
};

extern const struct setting_spec setting_specs[SETTINGS];

struct settings {
	long at[SETTINGS];
};

/* Returns the name of a value of the setting; NULL after the last one, or if it is a number. */
const char *setting_choice(const struct setting_spec *spec, size_t index);
void settings_init(struct settings *settings);
/* Finds a setting by name. E_SETTING, with the closest name, when there is none. */
struct cs_error *setting_find(const char *name, enum setting *ret) CS_MUST_USE;
struct cs_error *setting_parse(enum setting setting, const char *text, long *ret) CS_MUST_USE;
/* Returns a value of a setting as it is typed: a number or a word. */
struct cs_value setting_value(enum setting setting, long value);

/* Settings as rows with name, value, default, values and help. The source is a struct settings. */
extern const struct cs_table settings_table;
