/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rows of the last listing were, so that a number can name one. */
#pragma once

#include "src/language/command.h"

#include "core/vec.h"

struct rows;
struct session;

/* Of listed.c alone; others ask it. */
struct listed {
	const char *table;     /* cells, actors, layers, sources, grids; NULL = nothing to name */
	CS_VEC(uint32_t) rows; /* of that table, CS_NONE where a row named none */
	uint32_t partition;    /* that was in focus, or CS_NONE */
};

/* Best effort: a listing that cannot be kept is only one whose rows have no numbers. */
void listed_keep(struct session *session, const struct rows *rows);
/* The rows that it named are gone, or have other numbers. */
void listed_forget(struct session *session);
void listed_free(struct session *session);
/* Whether the last listing was of such rows; NULL: of any that have names. */
bool listed_names(const struct session *session, const char *table);
/* "3" or "#3": the third row of the last listing, if that was one of such rows. */
struct cs_error *listed_row(struct session *session, const char *table, const char *text,
	struct argument *ret) CS_MUST_USE;
