/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects a file that states more than it contains: its counts and lengths are compared with its
 * bytes before anything is read by them.
 */
#pragma once

#include "mesh/mesh_readers.h"

/* Returns E_TRUNCATED or E_MESH; formats that state no sizes pass. */
struct cs_error *cs_import_promise(const struct cs_mesh_file *file) CS_MUST_USE;
