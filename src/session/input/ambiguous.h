/* SPDX-License-Identifier: GPL-3.0-or-later */
/* E_AMBIGUOUS for a name that several rows have; lists what distinguishes the first few rows. */
#pragma once

#include "src/session/session.h"

enum { CANDIDATES = 4 }; /* largest number of rows in the message */

/* Returns the error. `rows` contains the first CANDIDATES of the `n` rows. */
struct cs_error *ambiguous_rows(struct session *session, const struct cs_table *table,
	const void *source, const uint32_t *rows, size_t n, const char *text) CS_MUST_USE;
