/* SPDX-License-Identifier: GPL-3.0-or-later */
/* E_AMBIGUOUS for rows with the same name, which lists what distinguishes the first few of them. */
#pragma once

#include "src/session/session.h"

enum { CANDIDATES = 4 }; /* Number of rows that the message lists. */

/* Returns the error. `rows` has the first CANDIDATES of n rows. */
struct cs_error *ambiguous_rows(struct session *session, const struct cs_table *table,
	const void *source, const uint32_t *rows, size_t n, const char *text) CS_MUST_USE;
