/* SPDX-License-Identifier: Apache-2.0 */
/* Converts integers of a glTF file to floats, because assimp would read their bytes as floats. */
#pragma once

#include "mesh/mesh_readers.h"

#include <jansson.h>

/* URI of the buffer of converted floats, which assimp gets from memory (import/gate.h). */
#define CS_DEQUANTIZED_URI "cellscope:floats"

/* Returns whether integers of an attribute are converted. assimp converts those of colours. */
bool cs_import_is_read(const char *attribute);
/* Returns the object at index `number` of a list such as "accessors", or NULL if there is none. */
static inline json_t *cs_import_item(const json_t *root, const char *list, const json_t *number)
{
	return json_is_integer(number) ? json_array_get(json_object_get(root, list),
						 (size_t)json_integer_value(number))
				       : NULL;
}
/* Returns those morph targets that move a primitive at rest, or NULL when all weights are 0. */
json_t *cs_import_targets(const json_t *mesh, const json_t *primitive);
/*
 * Converts integer positions, normals and UVs, and colours without alpha, to floats, which are
 * stored in file->floats, and replaces file->bytes by a file that refers to them. Does nothing if
 * there are none and `root`, the JSON of the file, was not changed. The caller frees file->floats
 * and the new file->bytes. The accessors must be inside their buffer views.
 */
struct cs_error *cs_import_dequantize(
	struct cs_mesh_file *file, json_t *root, bool changed) CS_MUST_USE;
