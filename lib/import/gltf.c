/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refuses glTF files that assimp would read wrongly without an error: it ignores the extensions
 * that a file requires, takes the bytes of integers for floats, and sparse values for packed ones.
 */
#include "import/gltf.h"

#include "core/cursor.h"
#include "core/json.h"
#include "core/utf8.h"

#include <stdio.h>
#include <string.h>

enum { GLTF_FLOAT = 5126, GLB_TEXT = 20 /* offset of the JSON in a GLB */ };

/* Extensions that assimp knows or that do not change triangles. A * ends a prefix. */
static const char *const harmless[] = {"KHR_draco_mesh_compression", "KHR_mesh_quantization",
	"KHR_materials_*", "KHR_texture_*", "EXT_texture_*", "MSFT_texture_*", "KHR_lights_*",
	"EXT_lights_*", "KHR_xmp*", "KHR_animation_*"};

static bool is_harmless(const char *extension)
{
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
		const size_t n = strcspn(harmless[i], "*");
		if (strncmp(extension, harmless[i], n) == 0 && (harmless[i][n] || !extension[n]))
			return true;
	}
	return false;
}

static struct cs_error *check_extensions(const struct cs_mesh_file *file, const json_t *root)
{
	size_t i;
	const json_t *value;
	json_array_foreach (json_object_get(root, "extensionsRequired"), i, value) {
		const char *name = json_string_value(value);
		if (name && !is_harmless(name))
			return cs_error_at(CS_E_FEATURE, file->name, CS_NO_OFFSET,
				"the file requires the extension %s, which is not supported: "
				"export it without",
				name);
	}
	return NULL;
}

/* Returns the object of a numbered list of the file, or NULL. */
static const json_t *item_of(const json_t *root, const char *list, const json_t *number)
{
	return json_is_integer(number) ? json_array_get(json_object_get(root, list),
						 (size_t)json_integer_value(number))
				       : NULL;
}

static struct cs_error *check_attribute(
	const struct cs_mesh_file *file, const json_t *root, const char *name, const json_t *number)
{
	const json_t *accessor = item_of(root, "accessors", number);
	const json_t *view = item_of(root, "bufferViews", json_object_get(accessor, "bufferView"));
	const char *problem = NULL;
	if (strcmp(name, "POSITION") != 0 && strcmp(name, "NORMAL") != 0 &&
		strncmp(name, "TEXCOORD_", 9) != 0)
		return NULL;
	if (accessor &&
		json_integer_value(json_object_get(accessor, "componentType")) != GLTF_FLOAT)
		problem = "contains integers: export it with 32-bit floats, without quantization";
	else if (json_object_get(accessor, "sparse") && json_object_get(view, "byteStride"))
		problem = "is sparse above interleaved values: export it without sparse accessors";
	if (!problem)
		return NULL;
	return cs_error_at(CS_E_FEATURE, file->name, CS_NO_OFFSET, "%s in accessor %lld %s", name,
		(long long)json_integer_value(number), problem);
}

static struct cs_error *check_primitives(const struct cs_mesh_file *file, json_t *root)
{
	struct cs_error *error = NULL;
	size_t m, p;
	json_t *mesh, *primitive, *number;
	const char *name;
	json_array_foreach (json_object_get(root, "meshes"), m, mesh)
		json_array_foreach (json_object_get(mesh, "primitives"), p, primitive)
			json_object_foreach (json_object_get(primitive, "attributes"), name, number)
				if (!error)
					error = check_attribute(file, root, name, number);
	return error;
}

static struct cs_error *check_version(const struct cs_mesh_file *file, const json_t *root)
{
	const json_t *asset = json_object_get(root, "asset");
	const char *version = json_string_value(json_object_get(asset, "version"));
	if (!version || version[0] == '2')
		return NULL;
	return cs_error_at(CS_E_FEATURE, file->name, CS_NO_OFFSET,
		"the file is glTF %s, only glTF 2 is read", version);
}

struct cs_error *cs_import_check_gltf(const struct cs_mesh_file *file)
{
	const bool is_binary = file->size >= 4 && memcmp(file->bytes, "glTF", 4) == 0;
	const char *text = (const char *)file->bytes;
	size_t n = file->size;
	json_error_t problem;
	bool no_memory = false;
	if (is_binary && n < GLB_TEXT)
		return NULL;
	if (is_binary) {
		const size_t length = cs_load32(file->bytes + 12);
		text += GLB_TEXT;
		n = length < n - GLB_TEXT ? length : n - GLB_TEXT;
	}
	if (cs_utf8_mark(text, n))
		return cs_error_at(CS_E_MESH, file->name,
			(uint64_t)(text - (const char *)file->bytes),
			"the JSON begins with a byte order mark, which glTF forbids");
	while (n > 0 && !text[n - 1])
		n--;
	json_t *root = cs_json_parse(text, n, 0, &problem, &no_memory);
	if (no_memory)
		return cs_error_nomem();
	/* text that is not JSON is left to assimp, which is lenient */
	struct cs_error *error = check_version(file, root);
	if (!error)
		error = check_extensions(file, root);
	if (!error)
		error = check_primitives(file, root);
	json_decref(root);
	return error;
}
