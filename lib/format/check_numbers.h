/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of the checks of validation (rule 1.4), from the table checks.def. */
#pragma once

enum cs_check {
#define CHECK(name, token, rule, page) CS_CHECK_##name,
#include "format/checks.def"
#undef CHECK
	CS_CHECK_COUNT
};
