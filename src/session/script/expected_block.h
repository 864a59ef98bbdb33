/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command must print: the lines below it in a script. */
#pragma once

#include "src/output/lines.h"
#include "src/session/script/script.h"

/* E_USAGE when the pattern is none. */
struct cs_error *expectation_check(const struct expectation *expectation) CS_MUST_USE;
struct cs_error *block_match(
	const struct script_item *item, const struct line_list *lines, bool *ret) CS_MUST_USE;
/* The block as it stands, to be compared with output. */
void put_block(struct sink *to, const struct script_item *item);
/* The block that expects these lines; its patterns are kept where they match. */
void put_blessed(struct sink *to, const struct script_item *item, const struct line_list *lines);
