/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings of a check, between `verify` (verify.c) and what the engine cooked (verify_engine.c). */
#ifndef CMDS_CMD_VERIFY_H
#define CMDS_CMD_VERIFY_H

#include "cmds/commands.h"

struct findings {
	CS_VEC(struct cs_finding) at;
	bool failed;
};

/* A reporter of cs_finding. */
void keep_finding(void *context, const struct cs_finding *finding);
/* What could not be gone on with, as a finding; lack of memory and interruptions stay errors. */
struct cs_error *keep_error(struct findings *findings, struct cs_error *error);
/*
 * Checks what the engine cooked: its maps (one of them where `map` names it), or the mesh of a
 * package. A line on what was looked at goes to `words`, of at most `size` bytes.
 */
struct cs_error *verify_place(struct session *session, const struct cs_ue_place *place,
	const char *map, struct findings *findings, char *words, size_t size) CS_MUST_USE;

#endif
