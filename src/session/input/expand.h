/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces $NAME in the words of a command by the value of the variable. */
#pragma once

#include "src/session/session.h"

/* Returns whether the word contains $NAME, so that its value is known only at run time. */
bool word_has_variable(const struct word *word);
/*
 * Gets the word's text with $NAME and ${NAME} of known variables replaced, freed by the caller;
 * NULL if the word contains no variable. E_USAGE when the whole word is a variable that is not set.
 */
struct cs_error *expand_word(
	const struct session *session, const struct word *word, char **ret) CS_MUST_USE;
