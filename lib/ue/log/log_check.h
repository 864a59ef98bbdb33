/* SPDX-License-Identifier: Apache-2.0 */
/* Detects a truncated log. */
#pragma once

#include "format/byte_source.h"
#include "ue/log/log.h"

/*
 * Logs a warning for each sign that a log was truncated. `ended`: the last line has a newline.
 * Returns E_NOMEM when memory runs out.
 */
struct cs_error *cs_ue_log_check_end(const struct cs_ue_log_data *data,
	const struct cs_source_file *source, bool ended, const struct cs_job *job) CS_MUST_USE;
