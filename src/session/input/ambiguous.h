/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the error E_AMBIGUOUS for a name of several rows; its message lists some of these rows. */
#pragma once

#include "src/session/session.h"

enum { CANDIDATES = 4 }; /* largest number of rows that the message lists */

/* Returns E_AMBIGUOUS for the name `text` of `n` rows. `rows` has the first CANDIDATES of them. */
struct cs_error *ambiguous_rows(struct session *session, const struct cs_table *table,
	const void *source, const uint32_t *rows, size_t n, const char *text) CS_MUST_USE;
