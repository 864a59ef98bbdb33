/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows that the last listing printed, so that `#3` in a command refers to the third of them. */
#pragma once

#include "src/language/command.h"

#include "core/vec.h"

struct rows;
struct session;

enum { LISTED_MOST = 1000 };

/* The rows of the last listing, which the user can name as `#N`. Only listed.c uses the members. */
struct listed {
	/* table that the rows name: cells, actors, layers, sources, grids; NULL = none */
	const char *table;
	/* indices in `table` of the listed rows, if `table` itself was listed */
	CS_VEC(uint32_t) rows;
	/* if `table` was not listed: each row's object name (or NULL), looked up when needed */
	CS_VEC(char *) names;
	/* number of rows in the listing; only the first LISTED_MOST can be referred to as `#N` */
	size_t n_shown;
	uint32_t partition; /* partition selected when the rows were listed (CS_NONE = all) */
};

/* Stores the first LISTED_MOST rows. If memory runs out, `#N` names no row of this listing. */
void listed_keep(struct session *session, const struct rows *rows);
/* Forgets the last listing, because the rows it refers to no longer exist or have new numbers. */
void listed_forget(struct session *session);
void listed_free(struct session *session);
/* Returns whether each row of the last listing names a row of `table` (NULL: of any table). */
bool listed_names(const struct session *session, const char *table);
/* Resolves "3" or "#3" to row 3 of the table printed last, if its rows name rows of this table. */
struct cs_error *listed_row(struct session *session, const char *table, const char *text,
	struct argument *ret) CS_MUST_USE;
