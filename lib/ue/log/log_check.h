/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a log that was read came to its end. */
#pragma once

#include "format/byte_source.h"
#include "ue/log/log.h"

/* Warns of what a cut leaves behind; `ended`: the last line has its end. E_NOMEM. */
struct cs_error *cs_ue_log_check_end(const struct cs_ue_log_data *data,
	const struct cs_source_file *source, bool ended, const struct cs_job *job) CS_MUST_USE;
