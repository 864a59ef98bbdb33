/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Showing what differs between two cooks. */
#ifndef CMDS_CMD_DIFFERENCES_H
#define CMDS_CMD_DIFFERENCES_H

#include "src/session/session.h"

#include <cellscope/whatif.h>

/*
 * A listing of the differences, or the sentence that there are none. A world field named `expected`
 * differs on purpose and is left out; may be NULL.
 */
struct cs_error *emit_differences(struct call *call, struct cs_cooked *left,
	struct cs_cooked *right, const char *expected) CS_MUST_USE;

/* The same for someone who reviews a change: in groups, with a summary. Of diff_review.c. */
struct cs_error *say_review(
	struct call *call, struct cs_cooked *left, struct cs_cooked *right) CS_MUST_USE;
/* E_NOTOPEN for a world that was opened cooked; of recook.c. */
struct cs_error *need_source(const struct session *session) CS_MUST_USE;
/* What-ifs of the open world, which must stay open; of whatif.c. */
struct cs_error *whatif_new(struct session *session, struct cs_whatif **ret) CS_MUST_USE;
/*
 * The open world with these changes, cooked, to be closed with opened_close; the source is as it
 * was afterwards. Of whatif.c.
 */
struct cs_error *cook_changed(struct session *session, const char *const *changes, size_t n,
	struct opened *ret) CS_MUST_USE;
/*
 * A side of a comparison: a file, `now` for the open world, KEY=VALUE for that with a change. What
 * had to be opened is closed with opened_close. Of diff_run.c.
 */
struct cs_error *open_cook(struct call *call, const char *const *text, struct opened *opened,
	struct cs_cooked **ret) CS_MUST_USE;
/* The path that --path names, NULL without the option. */
struct cs_error *path_of_option(struct call *call, const struct cs_path **ret) CS_MUST_USE;

#endif
