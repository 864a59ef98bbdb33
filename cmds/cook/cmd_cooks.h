/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cooks that commands compare: files, the open world, and the open world with changes. */
#pragma once

#include "src/session/session.h"

#include <cellscope/compare.h>

/* E_NOTOPEN for a world that was opened cooked. */
struct cs_error *need_source(const struct session *session) CS_MUST_USE;
/* What-ifs of the open world, which must stay open. */
struct cs_error *whatif_new(struct session *session, struct cs_whatif **ret) CS_MUST_USE;
/*
 * The open world with these changes, cooked, to be closed with opened_close; the source is as it
 * was afterwards.
 */
struct cs_error *cook_changed(struct session *session, const char *const *changes, size_t n,
	struct opened *ret) CS_MUST_USE;
/*
 * A side of a comparison: a file, `now` for the open world, KEY=VALUE for that with a change. What
 * had to be opened is closed with opened_close.
 */
struct cs_error *open_cook(struct call *call, const char *const *text, struct opened *opened,
	struct cs_cooked **ret) CS_MUST_USE;
/* The path that --path names, NULL without the option. */
struct cs_error *path_of_option(struct call *call, const struct cs_path **ret) CS_MUST_USE;
