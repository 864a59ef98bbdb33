/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of the last listing, so that `#3` can name the third one. */
#pragma once

#include "src/language/command.h"

#include "core/vec.h"

struct rows;
struct session;

enum { LISTED_MOST = 1000 };

/* Private to listed.c. */
struct listed {
	/*
	 * table of the named rows: cells, actors, layers, sources, grids; NULL = the rows name
	 * nothing
	 */
	const char *table;
	/* row numbers of `table` when it was listed itself; empty when another table was */
	CS_VEC(uint32_t) rows;
	/* then the name in each listed row, NULL for none, which is looked up when it is needed */
	CS_VEC(char *) names;
	/* number of rows in the listing; the first LISTED_MOST of them can be named */
	size_t n_shown;
	uint32_t partition; /* partition in focus when the rows were listed, or CS_NONE */
};

/* Stores the first LISTED_MOST rows; when that fails, the rows of the listing have no numbers. */
void listed_keep(struct session *session, const struct rows *rows);
/* Forgets the rows, because the rows that they refer to are gone or renumbered. */
void listed_forget(struct session *session);
void listed_free(struct session *session);
/* Returns whether the last listing named rows of this table; NULL: of any table. */
bool listed_names(const struct session *session, const char *table);
/* Resolves "3" or "#3", the third row of the last listing, when that named rows of this table. */
struct cs_error *listed_row(struct session *session, const char *table, const char *text,
	struct argument *ret) CS_MUST_USE;
