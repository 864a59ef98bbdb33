/* SPDX-License-Identifier: Apache-2.0 */
/* Implements cs_version(), which returns the version of the library. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <cellscope/core.h>

const char *cs_version(void)
{
	return PACKAGE_VERSION;
}
