/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacks blocks with a codec of the user, in cellscope-import (core/import_program.h). */
#pragma once

#include <cellscope/core.h>

/*
 * Loads `library` and serves requests until there are no more. If `caged`, first restricts the
 * process to reading the folder of the library and the system's files. Returns the exit status of
 * the program.
 */
int unpack_serve(const char *library, bool caged);
