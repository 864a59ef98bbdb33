/* SPDX-License-Identifier: GPL-3.0-or-later */
/* $NAME in the words of a command: what a variable holds, as text. */
#pragma once

#include "src/session/session.h"

/* Whether the word cannot be known before it runs: it has a $NAME. */
bool word_has_variable(const struct word *word);
/*
 * The text with $NAME and ${NAME} of known variables replaced, freed by the caller; *ret NULL when
 * there is nothing to replace. E_USAGE when the whole word is a variable that is not set.
 */
struct cs_error *expand_word(
	const struct session *session, const struct word *word, char **ret) CS_MUST_USE;
