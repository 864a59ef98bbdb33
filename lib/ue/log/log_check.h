/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether a log was read to its end. */
#pragma once

#include "format/byte_source.h"
#include "ue/log/log.h"

/*
 * Warns of the signs of a truncated log. `ended` says that the last line has its end. Returns
 * E_NOMEM without memory.
 */
struct cs_error *cs_ue_log_check_end(const struct cs_ue_log_data *data,
	const struct cs_source_file *source, bool ended, const struct cs_job *job) CS_MUST_USE;
