/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refuses glTF files that assimp would read wrongly without an error: it ignores extensions that a
 * file requires, reads items beyond the end of their buffer view, and instead of a missing buffer
 * another file of its name. It also reads the bytes of integers as floats, so integers are
 * converted to floats first (dequantize.h).
 */
#include "import/gltf.h"

#include "core/cursor.h"
#include "core/json.h"
#include "core/text.h"
#include "core/utf8.h"
#include "core/writer.h"
#include "import/dequantize.h"
#include "import/gate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIANGLES = 4, STRIP = 5, FAN = 6 }; /* modes of primitives */
enum {
	GLTF_BYTE = 5120,
	GLTF_SHORT = 5122,
	GLTF_FLOAT = 5126,
	GLB_TEXT = 20 /* offset of the JSON in a GLB */
};

/* Extensions that assimp supports or that do not change triangles. A * ends a prefix. */
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

/* From a file that uses this extension, required or not, assimp reads wrong triangles. */
static const char changes_triangles[] = "EXT_mesh_gpu_instancing";

static struct cs_error *check_extensions(
	const struct cs_mesh_file *file, const json_t *root, bool required)
{
	size_t i;
	const json_t *value;
	json_array_foreach (
		json_object_get(root, required ? "extensionsRequired" : "extensionsUsed"), i,
		value) {
		const char *name = json_string_value(value);
		if (name && (required ? !is_harmless(name) : strcmp(name, changes_triangles) == 0))
			return cs_error_at(CS_E_FEATURE, file->name, CS_NO_OFFSET,
				"the file %s the extension %s, which is not supported: export the "
				"file without the extension",
				required ? "requires" : "uses", name);
	}
	return NULL;
}

static int component_width(const json_t *component)
{
	const json_int_t type = json_integer_value(component);
	return type < GLTF_SHORT ? 1 : type <= GLTF_SHORT + 1 ? 2 : 4;
}

/* Returns whether `count` items of `item` bytes, one every `step` bytes, are in a buffer view. */
static bool is_in_view(
	const json_t *view, const json_t *of, json_int_t count, double step, int item)
{
	const json_int_t start = json_integer_value(json_object_get(of, "byteOffset"));
	return start >= 0 && json_integer_value(json_object_get(view, "byteOffset")) >= 0 &&
	       (double)start + step * (double)(count - 1) + item <=
		       (double)json_integer_value(json_object_get(view, "byteLength"));
}

/*
 * Checks that the items of an accessor, and those of its sparse values, are in their buffer views,
 * which assimp does not do. Returns what is wrong, or NULL.
 */
static const char *problem_in_view(const json_t *root, const json_t *accessor)
{
	const char *type = json_string_value(json_object_get(accessor, "type"));
	const json_t *component = json_object_get(accessor, "componentType");
	const json_t *sparse = json_object_get(accessor, "sparse");
	const int width = type && strncmp(type, "VEC", 3) == 0 ? type[3] - '0' : 1;
	const json_t *parts[] = {
		accessor, json_object_get(sparse, "values"), json_object_get(sparse, "indices")};
	for (size_t i = 0; i < 3; i++) {
		const json_t *view = cs_import_item(
			root, "bufferViews", json_object_get(parts[i], "bufferView"));
		const json_int_t stride = json_integer_value(json_object_get(view, "byteStride"));
		const json_int_t count =
			json_integer_value(json_object_get(i ? sparse : accessor, "count"));
		const int item =
			i == 2 ? component_width(json_object_get(parts[i], "componentType"))
			       : component_width(component) * width;
		const double step = (double)(stride && i == 0 ? stride : item);
		if (view && step < item)
			return "needs a larger byteStride: its items overlap in the buffer view";
		if (view && !is_in_view(view, parts[i], count, step, item))
			return i ? "has sparse values that end after the end of their buffer view"
				 : "ends after the end of its buffer view";
	}
	return NULL;
}

static struct cs_error *check_accessor(
	const struct cs_mesh_file *file, const json_t *root, const json_t *number)
{
	const char *problem = problem_in_view(root, cs_import_item(root, "accessors", number));
	return problem ? cs_error_at(CS_E_MESH, file->name, CS_NO_OFFSET,
				 "accessor %lld (counted from 0) %s",
				 (long long)json_integer_value(number), problem)
		       : NULL;
}

/* Refuses attributes of a type that glTF does not allow, because assimp would read another type. */
static struct cs_error *check_attribute_type(
	const struct cs_mesh_file *file, const json_t *root, const char *name, const json_t *number)
{
	const json_t *accessor = cs_import_item(root, "accessors", number);
	const char *type = json_string_value(json_object_get(accessor, "type"));
	const bool is_color = strncmp(name, "COLOR_", 6) == 0;
	const char *want = strncmp(name, "TEXCOORD_", 9) == 0 ? "VEC2" : "VEC3";
	if (!type || !(is_color || cs_import_is_read(name)) || strcmp(type, want) == 0 ||
		(is_color && strcmp(type, "VEC4") == 0))
		return NULL;
	return cs_error_at(CS_E_MESH, file->name, CS_NO_OFFSET,
		"%s in accessor %lld (counted from 0) has the type %s instead of %s", name,
		(long long)json_integer_value(number), type, want);
}

static struct cs_error *check_attribute(
	const struct cs_mesh_file *file, const json_t *root, const char *name, const json_t *number)
{
	const json_t *accessor = cs_import_item(root, "accessors", number);
	const json_t *view =
		cs_import_item(root, "bufferViews", json_object_get(accessor, "bufferView"));
	const char *problem = NULL;
	const long long component = json_integer_value(json_object_get(accessor, "componentType"));
	if (cs_import_is_read(name) && accessor && component != GLTF_FLOAT &&
		(component < GLTF_BYTE || component > GLTF_SHORT + 1))
		problem = "has components of a type that cannot be read: export them as floats";
	else if (cs_import_is_read(name) && json_object_get(accessor, "sparse") &&
		 (component != GLTF_FLOAT || json_object_get(view, "byteStride")))
		problem = "has a sparse accessor over interleaved values or integers: export the "
			  "mesh without sparse accessors";
	if (!problem) {
		struct cs_error *error = check_attribute_type(file, root, name, number);
		return error ? error : check_accessor(file, root, number);
	}
	return cs_error_at(CS_E_FEATURE, file->name, CS_NO_OFFSET,
		"%s in accessor %lld (counted from 0) %s", name,
		(long long)json_integer_value(number), problem);
}

/*
 * Returns the number of corners of a primitive of triangles, strips or fans, or 0 for points, lines
 * and empty primitives.
 */
static uint64_t gltf_corners_of(const json_t *root, const json_t *primitive, long long *mode_ret)
{
	const json_t *mode = json_object_get(primitive, "mode");
	const json_t *indices = json_object_get(primitive, "indices");
	const json_t *positions =
		json_object_get(json_object_get(primitive, "attributes"), "POSITION");
	const json_t *accessor = cs_import_item(root, "accessors", indices ? indices : positions);
	const long long n = json_integer_value(json_object_get(accessor, "count"));
	*mode_ret = mode ? json_integer_value(mode) : TRIANGLES;
	const bool has = positions && *mode_ret >= TRIANGLES && *mode_ret <= FAN;
	return has && n > 0 && n < UINT32_MAX ? (uint64_t)n : 0;
}

static struct cs_error *check_whole(
	const struct cs_mesh_file *file, const json_t *root, const json_t *primitive)
{
	long long mode;
	const uint64_t n = gltf_corners_of(root, primitive, &mode);
	if (mode == TRIANGLES ? n % 3 == 0 : n == 0 || n > 2)
		return NULL;
	return cs_error_at(CS_E_MESH, file->name, CS_NO_OFFSET,
		mode == TRIANGLES
			? "a primitive of triangles has %llu corners, which is not a multiple of 3"
			: "a primitive, a strip or fan of triangles, has %llu corners, but needs "
			  "3 or more",
		(unsigned long long)n);
}

/*
 * Refuses a primitive whose attributes, or those of its morph targets, differ in length: assimp
 * would leave out some of them.
 */
static struct cs_error *check_attribute_counts(const struct cs_mesh_file *file, const json_t *root,
	const json_t *primitive, json_t *attributes)
{
	const char *name;
	json_t *number;
	const json_t *positions = cs_import_item(root, "accessors",
		json_object_get(json_object_get(primitive, "attributes"), "POSITION"));
	const long long n = json_integer_value(json_object_get(positions, "count"));
	json_object_foreach (attributes, name, number) {
		const json_t *accessor = cs_import_item(root, "accessors", number);
		const long long count = json_integer_value(json_object_get(accessor, "count"));
		if (positions && accessor && count != n)
			return cs_error_at(CS_E_MESH, file->name, CS_NO_OFFSET,
				"%s in accessor %lld (counted from 0) has %lld items, but POSITION "
				"has %lld",
				name, (long long)json_integer_value(number), count, n);
	}
	return NULL;
}

static struct cs_error *check_attributes(const struct cs_mesh_file *file, const json_t *root,
	const json_t *primitive, json_t *attributes)
{
	struct cs_error *error = NULL;
	const char *name;
	json_t *number;
	json_object_foreach (attributes, name, number)
		if (!error)
			error = check_attribute(file, root, name, number);
	return error ? error : check_attribute_counts(file, root, primitive, attributes);
}

static struct cs_error *check_primitive(const struct cs_mesh_file *file, const json_t *root,
	const json_t *mesh, const json_t *primitive)
{
	size_t t;
	json_t *target;
	struct cs_error *error =
		check_attributes(file, root, primitive, json_object_get(primitive, "attributes"));
	json_array_foreach (cs_import_targets(mesh, primitive), t, target)
		if (!error)
			error = check_attributes(file, root, primitive, target);
	if (!error)
		error = check_accessor(file, root, json_object_get(primitive, "indices"));
	return error ? error : check_whole(file, root, primitive);
}

static struct cs_error *check_primitives(const struct cs_mesh_file *file, json_t *root)
{
	struct cs_error *error = NULL;
	size_t m, p;
	const json_t *mesh, *primitive;
	json_array_foreach (json_object_get(root, "meshes"), m, mesh)
		json_array_foreach (json_object_get(mesh, "primitives"), p, primitive)
			if (!error)
				error = check_primitive(file, root, mesh, primitive);
	return error;
}

/*
 * assimp keeps a skin with the mesh and does not read a node's weights of morph targets. So each
 * node with a skin, or with weights that differ from its mesh's, gets a copy of the mesh, with the
 * node's weights if it has any. Returns false when memory runs out.
 */
static bool copy_meshes(const json_t *root, bool *changed_ret)
{
	size_t i;
	json_t *node, *meshes = json_object_get(root, "meshes");
	json_array_foreach (json_object_get(root, "nodes"), i, node) {
		json_t *weights = json_object_get(node, "weights");
		json_t *mesh = cs_import_item(root, "meshes", json_object_get(node, "mesh"));
		const bool has_weights =
			weights && !json_equal(weights, json_object_get(mesh, "weights"));
		if (!mesh || !(has_weights || json_object_get(node, "skin")))
			continue;
		json_t *copy = json_copy(mesh);
		const bool good =
			copy && (!has_weights || json_object_set(copy, "weights", weights) == 0) &&
			json_array_append(meshes, copy) == 0 &&
			json_object_set_new(node, "mesh",
				json_integer((json_int_t)json_array_size(meshes) - 1)) == 0;
		json_decref(copy);
		if (!good)
			return false;
		*changed_ret = true;
	}
	return true;
}

/*
 * Scales the rotations of nodes to length 1, which glTF demands. With another length assimp would
 * scale the node. Returns false when memory runs out.
 */
static bool normalise_rotations(const json_t *root, bool *changed_ret)
{
	size_t i, k;
	bool good = true;
	const json_t *node, *value;
	json_array_foreach (json_object_get(root, "nodes"), i, node) {
		json_t *rotation = json_object_get(node, "rotation");
		double square = 0;
		json_array_foreach (rotation, k, value)
			square += json_number_value(value) * json_number_value(value);
		/* errors of up to 1e-6 come from numbers in single precision */
		if (!(square > 0 && isfinite(square) && fabs(square - 1) > 1e-6))
			continue;
		json_array_foreach (rotation, k, value)
			good = json_array_set_new(rotation, k,
				       json_real(json_number_value(value) / sqrt(square))) == 0 &&
			       good;
		*changed_ret = true;
	}
	return good;
}

/*
 * Gives each joint a name of its own, because glTF allows equal names, but assimp finds joints by
 * name. Returns false when memory runs out.
 */
static bool name_joints(const json_t *root, bool *changed_ret)
{
	size_t s, i;
	const json_t *skin, *number;
	bool good = true;
	json_array_foreach (json_object_get(root, "skins"), s, skin)
		json_array_foreach (json_object_get(skin, "joints"), i, number) {
			json_t *node = cs_import_item(root, "nodes", number);
			char name[48];
			snprintf(name, sizeof(name), "cellscope:joint %lld",
				(long long)json_integer_value(number));
			if (!node || json_object_get(node, "mesh"))
				continue;
			good = json_object_set_new(node, "name", json_string(name)) == 0 && good;
			*changed_ret = true;
		}
	return good;
}

static uint64_t gltf_triangles_of(const json_t *root, const json_t *mesh)
{
	size_t p;
	const json_t *primitive;
	uint64_t sum = 0;
	json_array_foreach (json_object_get(mesh, "primitives"), p, primitive) {
		long long mode;
		const uint64_t n = gltf_corners_of(root, primitive, &mode);
		sum += mode == TRIANGLES ? n / 3 : n > 2 ? n - 2 : 0;
	}
	return sum;
}

/*
 * Counts the triangles of the meshes that the nodes of the scene show, each mesh once. assimp reads
 * only these meshes and those that skins need. A node or mesh that was counted is marked with the
 * key "", which glTF does not use.
 */
static uint64_t scene_triangles(const json_t *root, const json_t *nodes)
{
	size_t i;
	json_t *number;
	uint64_t sum = 0;
	json_array_foreach (nodes, i, number) {
		json_t *node = (json_t *)cs_import_item(root, "nodes", number);
		if (!node || json_object_get(node, "") ||
			json_object_set_new(node, "", json_null()))
			continue;
		json_t *mesh =
			(json_t *)cs_import_item(root, "meshes", json_object_get(node, "mesh"));
		if (mesh && !json_object_get(mesh, "") &&
			json_object_set_new(mesh, "", json_null()) == 0)
			sum += gltf_triangles_of(root, mesh);
		sum += scene_triangles(root, json_object_get(node, "children"));
	}
	return sum;
}

/* Decodes a data URI after its comma. The caller frees *ret, which is NULL when memory runs out. */
static size_t gltf_decode_data(const char *comma, bool is_base64, unsigned char **ret)
{
	size_t n = gate_decode_percents(comma + 1, NULL);
	unsigned char *text = malloc(n + 1);
	*ret = is_base64 ? malloc(n / 4 * 3 + 3) : text;
	if (text && *ret)
		gate_decode_percents(comma + 1, (char *)text);
	if (!is_base64)
		return n;
	if (text && *ret)
		n = cs_base64_decode(text, n, *ret);
	if (!text) {
		free(*ret);
		*ret = NULL;
	}
	free(text);
	return n;
}

static struct cs_error *check_length(
	const struct cs_mesh_file *file, const json_t *buffer, size_t number, size_t n)
{
	const json_int_t length = json_integer_value(json_object_get(buffer, "byteLength"));
	if (length <= 0 || (uint64_t)length <= n)
		return NULL;
	return cs_error_at(CS_E_TRUNCATED, file->name, CS_NO_OFFSET,
		"buffer %zu (counted from 0) contains only %zu of its %lld bytes", number, n,
		(long long)length);
}

/*
 * Replaces a data URI by one that assimp reads: in base64 with its padding, and not longer than the
 * buffer. Returns E_MESH for invalid base64, which assimp would decode to arbitrary bytes.
 */
static struct cs_error *gltf_rewrite_data(
	const struct cs_mesh_file *file, json_t *buffer, size_t number, bool *changed_ret)
{
	static const char base64[] = ";base64", head[] = "data:application/octet-stream;base64,";
	const char *uri = json_string_value(json_object_get(buffer, "uri"));
	const char *comma = strchr(uri, ',');
	const bool is_base64 = comma && comma - uri >= 7 && strncasecmp(comma - 7, base64, 7) == 0;
	const json_int_t length = json_integer_value(json_object_get(buffer, "byteLength"));
	struct cs_writer to = {0};
	unsigned char *bytes = NULL;
	size_t n = comma ? gltf_decode_data(comma, is_base64, &bytes) : SIZE_MAX;
	if (n == SIZE_MAX) {
		free(bytes);
		return cs_error_at(CS_E_MESH, file->name, CS_NO_OFFSET,
			"the data URI of buffer %zu (counted from 0) is not valid base64", number);
	}
	struct cs_error *error = check_length(file, buffer, number, n);
	if (error) {
		free(bytes);
		return error;
	}
	n = length > 0 ? (size_t)length : n;
	cs_writer_bytes(&to, head, sizeof(head) - 1);
	if (bytes)
		cs_writer_base64(&to, bytes, n);
	cs_writer_u8(&to, 0);
	bool good = bytes && !to.failed;
	if (good && (!is_base64 || strncmp(uri, "data:", 5) != 0 ||
			    strncmp(comma - 7, base64, 7) != 0 ||
			    strcmp((char *)to.bytes + sizeof(head) - 1, comma + 1) != 0)) {
		good = json_object_set_new(buffer, "uri", json_string((char *)to.bytes)) == 0;
		*changed_ret = true;
	}
	free(bytes);
	cs_writer_deinit(&to);
	return good ? NULL : cs_error_nomem();
}

/*
 * Checks that the file of a buffer is there: instead of one that is not, assimp would read a file
 * of the same name in the main file's folder.
 */
static struct cs_error *check_buffer_file(
	const struct gate *gate, const json_t *buffer, size_t number)
{
	size_t n = 0;
	struct cs_error *error =
		gate_measure(gate, json_string_value(json_object_get(buffer, "uri")), &n);
	return error ? error : check_length(&gate->main, buffer, number, n);
}

/* Returns for each of `n` buffers whether a buffer view names it, in memory of the caller. */
static bool *find_used_buffers(const json_t *root, size_t n)
{
	bool *used = calloc(n + 1, sizeof(*used));
	size_t i;
	const json_t *view;
	json_array_foreach (json_object_get(root, "bufferViews"), i, view) {
		const json_int_t number = json_integer_value(json_object_get(view, "buffer"));
		if (used && number >= 0 && (size_t)number < n)
			used[number] = true;
	}
	return used;
}

/*
 * Refuses buffers in use that are missing, outside of the folder or too short, and rewrites data
 * URIs.
 */
static struct cs_error *check_buffers(
	const struct cs_mesh_file *file, const json_t *root, bool *changed_ret)
{
	struct gate gate;
	size_t i;
	json_t *buffer;
	const json_t *buffers = json_object_get(root, "buffers");
	bool *used = find_used_buffers(root, json_array_size(buffers));
	struct cs_error *error = used ? NULL : cs_error_nomem();
	gate_init(&gate, file);
	json_array_foreach (buffers, i, buffer) {
		const char *uri = json_string_value(json_object_get(buffer, "uri"));
		if (!uri || error)
			continue;
		if (strncasecmp(uri, "data:", 5) == 0)
			error = gltf_rewrite_data(file, buffer, i, changed_ret);
		else if (used[i])
			error = check_buffer_file(&gate, buffer, i);
	}
	free(used);
	return error;
}

/* Refuses skins without inverseBindMatrices: glTF allows them, but assimp crashes on them. */
static struct cs_error *check_skins(const struct cs_mesh_file *file, const json_t *root)
{
	size_t i;
	const json_t *skin;
	json_array_foreach (json_object_get(root, "skins"), i, skin)
		if (!json_object_get(skin, "inverseBindMatrices"))
			return cs_error_at(CS_E_FEATURE, file->name, CS_NO_OFFSET,
				"skin %zu (counted from 0) has no inverseBindMatrices: export the "
				"mesh without its skin",
				i);
	return NULL;
}

static struct cs_error *check_version(const struct cs_mesh_file *file, const json_t *root)
{
	const json_t *asset = json_object_get(root, "asset");
	const json_t *value = json_object_get(asset, "version");
	char number[32];
	snprintf(number, sizeof(number), "%g", json_number_value(value));
	const char *version = json_is_number(value) ? number : json_string_value(value);
	const char *least = json_string_value(json_object_get(asset, "minVersion"));
	if (version && version[0] != '2')
		return cs_error_at(CS_E_FEATURE, file->name, CS_NO_OFFSET,
			"the file has version %s of glTF, but only version 2 can be read", version);
	if (least && strcmp(least, "2.0") != 0)
		return cs_error_at(CS_E_FEATURE, file->name, CS_NO_OFFSET,
			"the file needs a reader of glTF %s, but only 2.0 can be read", least);
	return NULL;
}

/*
 * Parses the JSON. A text that is not UTF-8 is read as Latin-1, as names of other formats are, and
 * assimp gets it in UTF-8.
 */
static struct cs_error *gltf_parse(const struct cs_mesh_file *file, const char *text, size_t n,
	bool *changed_ret, json_t **ret)
{
	const uint64_t start = (uint64_t)(text - (const char *)file->bytes);
	json_error_t problem;
	bool no_memory = false;
	char *latin = NULL;
	if (!cs_utf8_valid(text, n)) {
		size_t length = 0;
		latin = malloc(2 * n);
		if (!latin)
			return cs_error_nomem();
		for (size_t i = 0; i < n; i++)
			length += cs_utf8_encode((unsigned char)text[i], latin + length);
		text = latin;
		n = length;
		*changed_ret = true;
	}
	*ret = cs_json_parse(text, n, 0, &problem, &no_memory);
	uint64_t offset = start;
	for (int i = 0; !*ret && !no_memory && i < problem.position; i++)
		offset += !latin || !cs_utf8_inside(text[i]);
	free(latin);
	if (*ret)
		return NULL;
	return no_memory ? cs_error_nomem()
			 : cs_error_at(CS_E_MESH, file->name, offset,
				   "line %d is not valid JSON: %s", problem.line, problem.text);
}

struct cs_error *cs_import_check_gltf(struct cs_mesh_file *file)
{
	const char *text = (const char *)file->bytes;
	size_t n = file->size;
	json_t *root;
	bool changed = false;
	if (cs_import_is_glb(file)) {
		n = cs_load32(file->bytes + 12);
		text += GLB_TEXT;
	}
	if (cs_utf8_mark(text, n))
		return cs_error_at(CS_E_MESH, file->name,
			(uint64_t)(text - (const char *)file->bytes),
			"the JSON begins with a byte order mark, which glTF forbids: remove these "
			"3 bytes");
	while (n > 0 && !text[n - 1])
		n--;
	struct cs_error *error = gltf_parse(file, text, n, &changed, &root);
	if (error)
		return error;
	error = check_version(file, root);
	if (!error)
		error = check_extensions(file, root, true);
	if (!error)
		error = check_extensions(file, root, false);
	if (!error)
		error = check_skins(file, root);
	if (!error)
		error = check_buffers(file, root, &changed);
	if (!error && !(normalise_rotations(root, &changed) && name_joints(root, &changed) &&
			      copy_meshes(root, &changed)))
		error = cs_error_nomem();
	if (!error)
		error = check_primitives(file, root);
	if (!error)
		error = cs_import_dequantize(file, root, changed);
	const json_t *scene = json_object_get(root, "scene");
	scene = scene ? cs_import_item(root, "scenes", scene)
		      : json_array_get(json_object_get(root, "scenes"), 0);
	if (!error)
		file->triangles = scene_triangles(root, json_object_get(scene, "nodes"));
	json_decref(root);
	return error;
}
