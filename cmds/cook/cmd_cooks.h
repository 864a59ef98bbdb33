/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cooks that commands compare: files, the open world, and the open world with changes. */
#pragma once

#include "src/session/session.h"

#include <cellscope/compare.h>

/* Returns E_NOTOPEN when the world was opened cooked and has no source. */
struct cs_error *need_source(const struct session *session) CS_MUST_USE;
/* Creates a set of what-ifs over the open world, which must stay open. */
struct cs_error *whatif_new(struct session *session, struct cs_whatif **ret) CS_MUST_USE;
/*
 * Cooks the open world with these changes, to be closed with opened_close; the source is unchanged
 * afterwards.
 */
struct cs_error *cook_changed(struct session *session, const char *const *changes, size_t n,
	struct opened *ret) CS_MUST_USE;
/*
 * Opens a side of a comparison: a file, `now` for the open world, or KEY=VALUE for the open world
 * with a change. The caller closes `opened` with opened_close.
 */
struct cs_error *open_cook(struct call *call, const char *const *text, struct opened *opened,
	struct cs_cooked **ret) CS_MUST_USE;
/* Returns the path that --path names, NULL without the option. */
struct cs_error *path_of_option(struct call *call, const struct cs_path **ret) CS_MUST_USE;
