/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects a truncated or damaged file before parsing: compares the counts and lengths that the file
 * states with its size.
 */
#pragma once

#include "mesh/mesh_readers.h"

/*
 * Returns CS_E_TRUNCATED when the file has fewer bytes than it states, CS_E_MESH when its header is
 * invalid, and for glTF what cs_import_check_gltf returns. Formats without sizes are not checked.
 */
struct cs_error *cs_import_promise(struct cs_mesh_file *file) CS_MUST_USE;
