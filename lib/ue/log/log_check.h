/* SPDX-License-Identifier: Apache-2.0 */
/* Detects a truncated log. */
#pragma once

#include "format/byte_source.h"
#include "ue/log/log.h"

/* Warns of each sign of a cut log. `ended`: its last line has a newline. E_NOMEM = no memory. */
struct cs_error *cs_ue_log_check_end(const struct cs_ue_log_data *data,
	const struct cs_source_file *source, bool ended, const struct cs_job *job) CS_MUST_USE;
