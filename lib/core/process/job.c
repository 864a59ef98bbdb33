/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the callbacks of a job, and reads the monotonic clock. */
#include "core/job.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

void cs_job_log(const struct cs_job *job, enum cs_log_level level, const char *format, ...)
{
	if (!job || !job->log)
		return;
	char message[1024];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	job->log(job->context, level, message);
}

void cs_job_progress(const struct cs_job *job, const char *phase, uint64_t done, uint64_t total)
{
	if (job && job->progress)
		job->progress(job->context, phase, done, total);
}

struct cs_error *cs_job_check(const struct cs_job *job)
{
	return cs_job_interrupted(job)
		       ? cs_error_new(CS_E_INTERRUPTED, "the command was interrupted")
		       : NULL;
}

struct cs_limits cs_job_limits(const struct cs_job *job)
{
	return job && job->limits ? *job->limits : cs_limits_default();
}

double cs_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
