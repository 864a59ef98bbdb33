/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes the error E_AMBIGUOUS for a name that several rows have; its message lists what
 * distinguishes the first few of these rows.
 */
#pragma once

#include "src/session/session.h"

enum { CANDIDATES = 4 }; /* largest number of rows that the message lists */

/*
 * Returns the error E_AMBIGUOUS for the name `text`, which `n` rows of the table have. `rows`
 * contains the first CANDIDATES of these rows.
 */
struct cs_error *ambiguous_rows(struct session *session, const struct cs_table *table,
	const void *source, const uint32_t *rows, size_t n, const char *text) CS_MUST_USE;
