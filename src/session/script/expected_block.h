/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of expected output, written below a command in a script. */
#pragma once

#include "src/output/lines.h"
#include "src/session/script/script.h"

/* Returns the error of an invalid regular expression; globs are always valid. */
struct cs_error *expectation_check(const struct expectation *expectation) CS_MUST_USE;
struct cs_error *block_match(
	const struct script_item *item, const struct line_list *lines, bool *ret) CS_MUST_USE;
/* Writes the block as it is in the script, so that it can be compared with the output. */
void put_block(struct sink *to, const struct script_item *item);
/* Writes a new block that expects these lines. Keeps patterns of the old block that match. */
void put_blessed(struct sink *to, const struct script_item *item, const struct line_list *lines);
