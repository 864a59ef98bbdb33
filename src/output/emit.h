/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of rows; private to output.c and emit.c. */
#pragma once

#include "src/output/output.h"

/* The chosen columns of a listing. */
struct columns {
	const struct cs_table *table;
	const void *source;
	CS_VEC(const struct cs_column *) at;
};

static inline size_t row_at(const struct rows *rows, size_t i)
{
	return rows->at ? rows->at[i] : i;
}

void emit_table(struct output *out, const struct rows *rows, const struct columns *columns);
void emit_record(struct output *out, const struct rows *rows, const struct columns *columns);
void emit_json(struct output *out, const struct rows *rows, const struct columns *columns);
void emit_separated(struct output *out, const struct rows *rows, const struct columns *columns);
/* Prints the sentences of a command as JSON rows, one text a line. */
void emit_said(struct output *out);
