/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacks blocks of containers with a codec of the user (protocol: core/import_program.h). */
#pragma once

#include <cellscope/core.h>

/*
 * Restricts itself to reading `library`, its folder and the system's files, loads the library and
 * serves requests until there are none. `caged` false: without the restriction. Returns the status
 * of the program.
 */
int unpack_serve(const char *library, bool caged);
