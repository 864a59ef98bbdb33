/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects a truncated or lying file before it is parsed: compares the counts and lengths that it
 * states with the number of its bytes.
 */
#pragma once

#include "mesh/mesh_readers.h"

/*
 * Returns CS_E_TRUNCATED when the file has fewer bytes than it states, CS_E_MESH when its header is
 * invalid, and what cs_import_check_gltf returns. Formats that state no sizes are not checked.
 */
struct cs_error *cs_import_promise(const struct cs_mesh_file *file) CS_MUST_USE;
