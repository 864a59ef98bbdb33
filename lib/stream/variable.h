/* SPDX-License-Identifier: Apache-2.0 */
/* Indices of the variables, for reading their values: cs_run_number(stream, CS_VAR_...). */
#pragma once

#include <cellscope/stream.h>

/* Numbers of the console variables: their rows in the table. */
enum cs_run_variable {
#define ROW(id, ...) CS_VAR_##id,
#include "stream/variables.def"
#undef ROW
	CS_VAR_COUNT
};

enum { CS_RUN_TEXT = 1024 }; /* size of the only text variable in bytes, with its NUL */

struct cs_run_variables {
	double numbers[CS_VAR_COUNT];
	char disallow[CS_RUN_TEXT]; /* value of CS_VAR_DISALLOW_LAYERS */
};

struct cs_run_rules;

extern const struct cs_variable cs_run_variable_table[CS_VAR_COUNT];
double cs_run_variable_default(enum cs_run_variable variable, const struct cs_run_rules *rules);
void cs_run_variables_init(struct cs_run_variables *variables, const struct cs_run_rules *rules);
/* Parses a value in the variable's range: a number, "true", "on" etc.; E_SETTING for others. */
struct cs_error *cs_run_variable_parse(
	enum cs_run_variable variable, const char *text, double *ret) CS_MUST_USE;
