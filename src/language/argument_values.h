/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parsers of argument values that need no open world: they fill in *ret, or return E_USAGE. */
#pragma once

#include "src/language/command.h"

typedef struct cs_error *argument_value(
	const struct argument_spec *spec, const char *text, struct argument *ret);

argument_value value_whole, value_some, value_number, value_point, value_choice, value_code;
argument_value value_range, value_sweep, value_lengths, value_scale, value_extent, value_spot;
argument_value value_colour, value_priority;

/* Name used in messages for an argument whose own name is a list of its values. */
#define UNNAMED_ARGUMENT "the argument"

/* Parses "X,Y" or "X,Y,Z". */
bool parse_point(const char *text, struct cs_vec3 *ret);
/* Returns true for "." or "actor NAME", which denote a point only while a world is open. */
bool is_place_name(const char *text);
/* Returns the name of the priority at `index`, counted from 0; NULL after the last one. */
const char *priority_name(size_t index);
