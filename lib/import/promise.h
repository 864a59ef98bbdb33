/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects a file that states more than it contains: its counts and lengths are compared with its
 * bytes before anything is read by them.
 */
#pragma once

#include "mesh/mesh_readers.h"

/*
 * Returns E_TRUNCATED or E_MESH when the file has fewer bytes than it states. Formats that state no
 * sizes are not checked.
 */
struct cs_error *cs_import_promise(const struct cs_mesh_file *file) CS_MUST_USE;
