/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks which files a command may write. */
#pragma once

#include "src/session/session.h"

/* Returns E_UNSAFE when --safe is on and the path is outside of the running script's folder. */
struct cs_error *check_inside(const struct session *session, const char *path) CS_MUST_USE;
/*
 * Returns E_EXISTS when the file exists and its content is none of `kinds` (NULL-terminated; NULL
 * means plain text), unless the setting `force` is on. An empty file may be replaced.
 */
struct cs_error *check_replaced(
	const struct session *session, const char *path, const char *const *kinds) CS_MUST_USE;
/* Checks files the call would write and `into` (after '>', or NULL); E_USAGE if one is an input. */
struct cs_error *check_outputs(const struct call *call, const char *into) CS_MUST_USE;
