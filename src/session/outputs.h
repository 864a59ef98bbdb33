/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command may write to. */
#pragma once

#include "src/session/session.h"

/* With --safe a script reads only what lies in its own folder: E_UNSAFE. */
struct cs_error *check_inside(const struct session *session, const char *path) CS_MUST_USE;
/*
 * An existing file is replaced only by more of the same: E_EXISTS when its content is none of
 * `kinds` (ended by NULL; NULL means plain text), unless force is on. An empty file is replaced.
 */
struct cs_error *check_replaced(
	const struct session *session, const char *path, const char *const *kinds) CS_MUST_USE;
/* `into` is what stands behind '>', or NULL. E_USAGE when it would destroy what it reads. */
struct cs_error *check_outputs(const struct call *call, const char *into) CS_MUST_USE;
