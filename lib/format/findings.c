/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of findings, in the order in which they are added. Errors can be added as findings, too. */
#include <cellscope/core.h>

#include "core/vec.h"

#include <stdio.h>

void cs_findings_keep(void *context, const struct cs_finding *finding)
{
	struct cs_findings *findings = context;
	if (!cs_vec_push(findings, *finding))
		findings->failed = true;
}

struct cs_error *cs_findings_keep_error(struct cs_findings *findings, struct cs_error *error)
{
	if (!error || cs_error_is_final(error))
		return error;
	struct cs_finding finding = {.severity = CS_ERROR,
		.code = error->code,
		.offset = error->offset,
		.rule = "source"};
	snprintf(finding.message, sizeof(finding.message), "%s", error->message);
	cs_findings_keep(findings, &finding);
	cs_error_free(error);
	return NULL;
}
