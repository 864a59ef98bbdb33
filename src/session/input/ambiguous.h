/* SPDX-License-Identifier: GPL-3.0-or-later */
/* E_AMBIGUOUS for rows that have one name, with what tells the first few of them apart. */
#pragma once

#include "src/session/session.h"

enum { CANDIDATES = 4 }; /* that are told */

/* `rows` holds the first CANDIDATES of n. */
struct cs_error *ambiguous_rows(struct session *session, const struct cs_table *table,
	const void *source, const uint32_t *rows, size_t n, const char *text) CS_MUST_USE;
