/* SPDX-License-Identifier: Apache-2.0 */
/* Compares and parses GUIDs, and tests for the zero GUID. */
#pragma once

#include <cellscope/core.h>

/* Compares the words a, b, c and d in this order, which is the order of the text form. */
int cs_guid_compare(struct cs_guid left, struct cs_guid right);
bool cs_guid_is_zero(struct cs_guid guid);
/* Parses exactly 32 hexadecimal digits of either case, ignoring dashes and braces. */
bool cs_guid_parse(const char *text, size_t length, struct cs_guid *ret);
