/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints tables over arrays of structs (src/output/plain_rows.h) as answers of a command. */
#pragma once

#include "src/output/plain_rows.h"
#include "src/session/session.h"

/* Lists `n` structs of `size` bytes with the options -n, -s, -w, -c and the filter after ~. */
struct cs_error *emit_plain(struct call *call, const struct cs_table *table, const void *rows,
	size_t n, size_t size) CS_MUST_USE;
/* Prints rows as emit_plain() does, and frees the array. Returns E_NOMEM when `rows` is NULL. */
struct cs_error *emit_plain_taken(struct call *call, const struct cs_table *table, void *rows,
	size_t n, size_t size) CS_MUST_USE;
/* Prints one row of a table, one field per line. */
struct cs_error *emit_plain_record(
	struct call *call, const struct cs_table *table, const void *row) CS_MUST_USE;
/* Returns whether a program reads the output, so that it consists of rows, not sentences. */
bool wants_rows(const struct call *call);
/* As wants_rows(); also true if -n, -s, -w or -c was given, so that people read a table, too. */
bool asks_for_rows(const struct call *call);
