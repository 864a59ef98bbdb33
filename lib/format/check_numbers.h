/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the validation checks (rule 1.4), generated from the table checks.def. */
#pragma once

enum cs_check {
#define CHECK(name, token, rule, page) CS_CHECK_##name,
#include "format/checks.def"
#undef CHECK
	CS_CHECK_COUNT
};
