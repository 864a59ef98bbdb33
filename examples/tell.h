/* SPDX-License-Identifier: Apache-2.0 */
/* What every example does with an error: it is printed, safe for a terminal, with its advice. */
#ifndef EXAMPLES_TELL_H
#define EXAMPLES_TELL_H

#include <cellscope/core.h>

#include <stdio.h>
#include <string.h>

/* The exit status: 0 without an error. */
static inline int tell(struct cs_error *error)
{
	if (!error)
		return 0;
	char text[1024];
	const char *message = error->message;
	cs_escape(message, strlen(message), true, text, sizeof(text));
	fprintf(stderr, "%s: %s\n%s\n", cs_word(CS_WORDS_CODE, error->code)->name, text,
		cs_word(CS_WORDS_CODE, error->code)->help);
	cs_error_free(error);
	return 3;
}

#endif
