/* SPDX-License-Identifier: Apache-2.0 */
/* Access of long operations to a job (limits, log, progress, interruption), which may be NULL. */
#pragma once

#include <cellscope/core.h>

void cs_job_log(const struct cs_job *job, enum cs_log_level level, const char *format, ...)
	CS_PRINTF(3, 4);
void cs_job_progress(const struct cs_job *job, const char *phase, uint64_t done, uint64_t total);
/* Returns CS_E_INTERRUPTED when the user asked to stop. */
struct cs_error *cs_job_check(const struct cs_job *job) CS_MUST_USE;
struct cs_limits cs_job_limits(const struct cs_job *job);
/* Returns the monotonic clock in seconds, only for reports: results must not depend on time. */
double cs_seconds(void);
