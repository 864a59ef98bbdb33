/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of containers by a codec that the user has (core/import_program.h has the protocol). */
#pragma once

#include <cellscope/core.h>

/*
 * Goes into a cage that can read `library`, its folder and what the system has, loads it and
 * answers requests until there are none. `caged` false: outside of it. The status of the program.
 */
int unpack_serve(const char *library, bool caged);
