/* SPDX-License-Identifier: Apache-2.0 */
/* Collects findings. The verifiers of all kinds of files share this. */
#pragma once

#include <cellscope/core.h>

struct cs_verify {
	void (*report)(void *context, const struct cs_finding *finding);
	void *context;
	size_t n, limit;
};

/*
 * Adds a finding. `place` (a record or a field) may be NULL. `rule` is the broken rule, which must
 * stay valid as long as the finding, or NULL. A long message is truncated.
 */
void cs_verify_add(struct cs_verify *verify, const char *rule, enum cs_severity severity,
	enum cs_code code, uint64_t offset, const char *place, const char *format, ...)
	CS_PRINTF(7, 8);
/*
 * Adds an error that concerns the file as a finding, frees it and returns NULL. Returns any other
 * error, such as E_NOMEM.
 */
struct cs_error *cs_verify_error(struct cs_verify *verify, struct cs_error *error) CS_MUST_USE;
/* Checks layout, checksums and records. *ret is the file if it could be opened, else NULL. */
struct cs_error *cs_verify_file(const char *path, const struct cs_job *job,
	struct cs_verify *verify, struct cs_file **ret) CS_MUST_USE;
