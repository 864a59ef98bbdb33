/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens cooks that commands compare: files, the open world, the open world with changes. */
#pragma once

#include "src/session/session.h"

#include <cellscope/compare.h>

/*
 * Returns E_COOKED when the open world was opened cooked and therefore has no source, E_USAGE when
 * the command is about another world partition than the one that the source describes.
 */
struct cs_error *need_source(const struct session *session) CS_MUST_USE;
/* Creates an object that cooks the open world with changes. The world must stay open. */
struct cs_error *whatif_new(struct session *session, struct cs_whatif **ret) CS_MUST_USE;
/* Cooks the open world with `n` changes KEY=VALUE, then undoes them. opened_close closes `ret`. */
struct cs_error *cook_changed(struct session *session, const char *const *changes, size_t n,
	struct opened *ret) CS_MUST_USE;
/*
 * Opens one side of a comparison: a file, `now` for the open world, or KEY=VALUE for the open world
 * with a change. The caller closes `opened` with opened_close.
 */
struct cs_error *open_cook(struct call *call, const char *const *text, struct opened *opened,
	struct cs_cooked **ret) CS_MUST_USE;
/* Gets the camera path that the option --path names. *ret is NULL when the option is absent. */
struct cs_error *path_of_option(struct call *call, const struct cs_path **ret) CS_MUST_USE;
