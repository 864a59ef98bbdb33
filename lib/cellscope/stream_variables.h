/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What can be set of a run: the variables of the engine (part 3) and the loading ranges of grids.
 * Part of cellscope/stream.h.
 */
#ifndef CELLSCOPE_STREAM_VARIABLES_H
#define CELLSCOPE_STREAM_VARIABLES_H

#include <cellscope/cooked.h>

CS_BEGIN_DECLS

struct cs_stream;

enum cs_variable_type { CS_VARIABLE_BOOL, CS_VARIABLE_INTEGER, CS_VARIABLE_REAL, CS_VARIABLE_TEXT };

/* Where a change shows. */
enum cs_variable_scope {
	CS_SCOPE_RUN,     /* streaming, from the next frame on */
	CS_SCOPE_ONCE,    /* streaming, read at its first use only */
	CS_SCOPE_MODEL,   /* the model of loading and of the machine around it */
	CS_SCOPE_DISPLAY, /* what maps and lists show */
	CS_SCOPE_COOK,    /* the next cook; nothing in a cooked world */
};

struct cs_variable {
	const char *name;
	const char *aliases; /* further spellings, separated by blanks, or NULL */
	enum cs_variable_type type;
	enum cs_variable_scope scope;
	double initial, low, high; /* numbers; the default of the default profile */
	const char *unit;          /* or NULL */
	const char *help;
	const char *instead; /* nothing here reads it: what does the like, or ""; else NULL */
};

CS_API const struct cs_variable *cs_stream_variables(size_t *n_ret);
/* By name or alias, without case; SIZE_MAX when there is none. */
CS_API size_t cs_stream_find_variable(const char *name);
CS_API size_t cs_stream_variable_format(
	const struct cs_stream *stream, size_t variable, char *ret, size_t size);
CS_API double cs_stream_variable_number(const struct cs_stream *stream, size_t variable);
/* What it is at first, by the stream's profile. */
CS_API double cs_stream_variable_default(const struct cs_stream *stream, size_t variable);
/* Whether it is that. */
CS_API bool cs_stream_variable_is_default(const struct cs_stream *stream, size_t variable);
/* Inputs. E_SETTING names the range; E_UNKNOWN for an index that does not exist. */
CS_API struct cs_error *cs_stream_variable_set(
	struct cs_stream *stream, size_t variable, const char *text) CS_MUST_USE;

/* Replaces the loading range of a partition; negative gives the cooked one back. */
CS_API struct cs_error *cs_stream_override_range(
	struct cs_stream *stream, uint32_t world, uint32_t partition, double range) CS_MUST_USE;
CS_API double cs_stream_range(const struct cs_stream *stream, uint32_t world, uint32_t partition);

/* Where the loading range of a partition comes from. */
enum cs_range_origin {
	CS_RANGE_COOKED,
	CS_RANGE_ASSUMED, /* the source of the world does not say it */
	CS_RANGE_OVERRIDE,
};

CS_API enum cs_range_origin cs_stream_range_origin(
	const struct cs_stream *stream, uint32_t world, uint32_t partition);
/* "cooked", "assumed", "override" */
CS_API const char *cs_range_origin_name(enum cs_range_origin origin);

CS_END_DECLS

#endif
