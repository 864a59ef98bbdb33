/* SPDX-License-Identifier: Apache-2.0 */
/* Reads option structs of callers that were compiled with an older or newer header. */
#include "core/options.h"

#include <string.h>

struct cs_error *cs_options_read(const void *from, size_t first, void *to, size_t size)
{
	const unsigned char *bytes = from;
	size_t theirs;
	memcpy(&theirs, from, sizeof(theirs));
	if (theirs == 0)
		theirs = first;
	if (theirs < sizeof(theirs))
		return cs_error_new(CS_E_USAGE,
			"the options given to libcellscope have the size %zu, which no version of "
			"the struct has: set `size` to sizeof of the struct",
			theirs);
	for (size_t i = size; i < theirs; i++)
		if (bytes[i])
			return cs_error_new(CS_E_USAGE,
				"the options are those of a newer libcellscope: byte %zu is set, "
				"but this version reads only %zu bytes",
				i, size);
	memset(to, 0, size);
	memcpy(to, from, theirs < size ? theirs : size);
	memcpy(to, &size, sizeof(size));
	return NULL;
}
