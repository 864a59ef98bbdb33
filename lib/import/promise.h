/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that promises more than it holds: the counts and lengths that it states are checked
 * against the bytes that are there before anything is read by them.
 */
#pragma once

#include "mesh/mesh_readers.h"

/* E_TRUNCATED, or E_MESH; formats that promise nothing pass. */
struct cs_error *cs_import_promise(const struct cs_mesh_file *file) CS_MUST_USE;
