/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the version and the default limits. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <cellscope/core.h>

const char *cs_version(void)
{
	return PACKAGE_VERSION;
}

struct cs_limits cs_limits_default(void)
{
	return (struct cs_limits){
		.memory = UINT64_C(1) << 30,
		.file_bytes = UINT64_C(64) << 30,
		.section_bytes = UINT64_C(64) << 20,
		.records = UINT64_C(16) << 20,
		.sections = 65536,
		.name_bytes = 1024,
		.depth = 64,
		.findings = 1000,
	};
}
