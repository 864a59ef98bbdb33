/* SPDX-License-Identifier: Apache-2.0 */
/* Makes floats of the integers of a glTF file, which assimp would take for floats. */
#pragma once

#include "mesh/mesh_readers.h"

#include <jansson.h>

/* URI of the buffer that has the floats, which the gate serves in place of a file. */
#define CS_DEQUANTIZED_URI "cellscope:floats"

/* Whether floats are made of an attribute's integers: assimp reads those of colours itself. */
bool cs_import_is_read(const char *attribute);
/* Returns the object at index `number` of a list such as "accessors", or NULL if there is none. */
static inline json_t *cs_import_item(const json_t *root, const char *list, const json_t *number)
{
	return json_is_integer(number) ? json_array_get(json_object_get(root, list),
						 (size_t)json_integer_value(number))
				       : NULL;
}
/* Returns the morph targets of a primitive that move it at rest: NULL when all weights are 0. */
json_t *cs_import_targets(const json_t *mesh, const json_t *primitive);
/*
 * Replaces file->bytes by a file whose positions, normals and UVs are floats, in file->floats, if
 * the file, whose JSON is `root`, has some that are integers, or if the JSON was changed. The
 * caller frees both. The accessors must be in their buffer views.
 */
struct cs_error *cs_import_dequantize(
	struct cs_mesh_file *file, json_t *root, bool changed) CS_MUST_USE;
