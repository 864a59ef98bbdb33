/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints tables over arrays of structs (src/output/plain_rows.h) as answers of a command. */
#pragma once

#include "src/output/plain_rows.h"
#include "src/session/session.h"

/* Lists an array of `n` structs with the options -n, -s, -w, -c and the filter after ~. */
#define emit_plain(call, table, rows, n) \
	call_list_own(call, table, &(const struct plain_rows){rows, n, sizeof(*(rows))})
/* Prints rows as emit_plain() does, and frees the array. Returns E_NOMEM when `rows` is NULL. */
#define emit_plain_taken(call, table, rows, n)                                              \
	emit_rows_taken(call, table, (struct plain_rows){rows, n, sizeof(*(rows))}, (rows), \
		(rows) ? NULL : cs_error_nomem())
/* Prints and frees the rows of a CS_VEC. If `error` is set, prints nothing and returns it. */
#define emit_plain_vec(call, table, rows, error)                                                   \
	emit_rows_taken(call, table, (struct plain_rows){(rows).at, (rows).n, sizeof(*(rows).at)}, \
		(rows).at, error)
struct cs_error *emit_rows_taken(struct call *call, const struct cs_table *table,
	struct plain_rows rows, void *owned, struct cs_error *error) CS_MUST_USE;
/* Prints one row of a table, one field per line. */
struct cs_error *emit_plain_record(
	struct call *call, const struct cs_table *table, const void *row) CS_MUST_USE;
/*
 * Prints a command that people can type, with a name as one word of it; in machine formats nothing.
 * Special characters of `before` and `after` are escaped already.
 */
void note_command(struct output *out, const char *before, const char *name, const char *after);
/* Returns whether a program reads the output, so that it consists of rows, not sentences. */
bool wants_rows(const struct call *call);
/* Returns true if wants_rows() does, and also with -n, -s, -w or -c, which apply only to rows. */
bool asks_for_rows(const struct call *call);
