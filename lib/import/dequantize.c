/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts integer attributes of a glTF file (KHR_mesh_quantization), normalised or not, to floats.
 * Gives colours without alpha an alpha of 1, where assimp would set 0, which may be a file's alpha.
 * Reads them from the file's buffers: other files, data URIs in the JSON, or the chunk after the
 * JSON of a GLB. The floats get a buffer of their own, and the JSON is written again with accessors
 * that refer to it. Buffer views that assimp would refuse are copied there, too.
 */
#include "import/dequantize.h"

#include "core/cursor.h"
#include "core/text.h"
#include "core/writer.h"
#include "import/gate.h"
#include "import/gltf.h"

#include <stdlib.h>
#include <string.h>

enum { GLTF_I8 = 5120, GLTF_U8, GLTF_I16, GLTF_U16, GLTF_FLOAT = 5126 };
enum { GLB_HEAD = 12, GLB_CHUNK = 8, GLB_JSON = 0x4e4f534a };

struct bytes {
	unsigned char *owned; /* memory of the bytes, or NULL if they are bytes of the file */
	const unsigned char *at;
	size_t size;
};

struct widener {
	struct cs_mesh_file *file;
	json_t *root;
	struct gate gate;
	struct cs_writer floats;
	struct bytes *buffers; /* buffers of the file, where `at` is NULL in those not read yet */
	size_t n_buffers;
	/* for each accessor of the file, the number of its copy with alpha; 0 = it has none */
	size_t *copies;
	size_t n_copies;
};

bool cs_import_is_read(const char *attribute)
{
	return strcmp(attribute, "POSITION") == 0 || strcmp(attribute, "NORMAL") == 0 ||
	       strncmp(attribute, "TEXCOORD_", 9) == 0;
}

json_t *cs_import_targets(const json_t *mesh, const json_t *primitive)
{
	size_t i;
	const json_t *weight;
	json_array_foreach (json_object_get(mesh, "weights"), i, weight)
		if (json_number_value(weight) != 0)
			return json_object_get(primitive, "targets");
	return NULL;
}

/* ---- buffers ---- */

static struct cs_error *widen_bad(const struct widener *widener, const char *what, long long number)
{
	return cs_error_at(CS_E_MESH, widener->file->name, CS_NO_OFFSET,
		"the bytes of %s %lld (counted from 0) are missing", what, number);
}

/* Returns the chunk after the JSON of a GLB. The caller has checked the lengths of all chunks. */
static struct bytes glb_bytes(const struct cs_mesh_file *file)
{
	if (!cs_import_is_glb(file))
		return (struct bytes){NULL, NULL, 0};
	const size_t at = GLB_HEAD + GLB_CHUNK + (size_t)cs_load32(file->bytes + GLB_HEAD);
	if (at + GLB_CHUNK > cs_load32(file->bytes + 8))
		return (struct bytes){NULL, NULL, 0};
	return (struct bytes){
		NULL, file->bytes + at + GLB_CHUNK, (size_t)cs_load32(file->bytes + at)};
}

static struct cs_error *decode_uri(const char *uri, struct bytes *ret)
{
	const char *comma = strchr(uri, ',');
	const size_t n = comma ? strlen(comma + 1) : 0;
	if (n == 0 || !memmem(uri, (size_t)(comma - uri), ";base64", 7))
		return NULL;
	ret->owned = malloc(n / 4 * 3 + 3);
	if (!ret->owned)
		return cs_error_nomem();
	ret->size = cs_base64_decode((const unsigned char *)comma + 1, n, ret->owned);
	ret->at = ret->size == SIZE_MAX ? NULL : ret->owned;
	return NULL;
}

static struct cs_error *read_buffer(
	struct widener *widener, size_t number, const struct bytes **ret)
{
	const json_t *buffer = json_array_get(json_object_get(widener->root, "buffers"), number);
	const char *uri = json_string_value(json_object_get(buffer, "uri"));
	struct bytes *bytes = number < widener->n_buffers ? &widener->buffers[number] : NULL;
	struct cs_error *error = NULL;
	if (bytes && !bytes->at && !uri)
		*bytes = glb_bytes(widener->file);
	else if (bytes && !bytes->at && strncmp(uri, "data:", 5) == 0)
		error = decode_uri(uri, bytes);
	else if (bytes && !bytes->at) {
		error = gate_read(&widener->gate, uri, &bytes->owned, &bytes->size);
		bytes->at = bytes->owned;
	}
	if (!error && (!bytes || !bytes->at))
		error = widen_bad(widener, "buffer", (long long)number);
	*ret = bytes;
	return error;
}

/* ---- accessors ---- */

static float widen_value(const unsigned char *at, long long component, bool normalized)
{
	const float most[] = {127, 255, 32767, 65535};
	if (component == GLTF_FLOAT)
		return cs_float_of_bits(cs_load32(at));
	const float value = component == GLTF_I8    ? (float)(int8_t)*at
			    : component == GLTF_U8  ? (float)*at
			    : component == GLTF_I16 ? (float)(int16_t)cs_load16(at)
						    : (float)cs_load16(at);
	if (!normalized)
		return value;
	return value < -most[component - GLTF_I8] ? -1 : value / most[component - GLTF_I8];
}

/* Adds a buffer view of the floats from offset `from` on, and makes the accessor refer to it. */
static bool name_floats(struct widener *widener, json_t *accessor, size_t from)
{
	json_t *views = json_object_get(widener->root, "bufferViews");
	json_t *view =
		json_pack("{s:I, s:I, s:I}", "buffer", (json_int_t)widener->n_buffers, "byteOffset",
			(json_int_t)from, "byteLength", (json_int_t)(widener->floats.size - from));
	static const char *const old[] = {"byteOffset", "normalized", "min", "max"};
	for (size_t i = 0; i < sizeof(old) / sizeof(old[0]); i++)
		json_object_del(accessor, old[i]);
	return json_array_append_new(views, view) == 0 &&
	       json_object_set_new(accessor, "componentType", json_integer(GLTF_FLOAT)) == 0 &&
	       json_object_set_new(accessor, "bufferView",
		       json_integer((json_int_t)json_array_size(views) - 1)) == 0;
}

/*
 * The values of an accessor: `count` items, which begin every `step` bytes. An item has `width`
 * values of `size` bytes each.
 */
struct values {
	const unsigned char *at;
	size_t count, width, size, step;
	long long component;
	bool normalized;
};

/*
 * Finds an accessor's integers of 8 or 16 bits, or also its floats. ret->at is NULL for values of
 * another type.
 */
static struct cs_error *find_values(
	struct widener *widener, const json_t *number, bool floats, struct values *ret)
{
	const json_t *accessor = cs_import_item(widener->root, "accessors", number);
	const json_t *view = cs_import_item(
		widener->root, "bufferViews", json_object_get(accessor, "bufferView"));
	const char *type = json_string_value(json_object_get(accessor, "type"));
	const json_t *stride = json_object_get(view, "byteStride");
	const double start = json_number_value(json_object_get(view, "byteOffset")) +
			     json_number_value(json_object_get(accessor, "byteOffset"));
	const double count = json_number_value(json_object_get(accessor, "count"));
	const struct bytes *bytes;
	*ret = (struct values){
		.component = json_integer_value(json_object_get(accessor, "componentType")),
		.normalized = json_is_true(json_object_get(accessor, "normalized")),
		.width = type && strncmp(type, "VEC", 3) == 0 ? (size_t)(type[3] - '0') : 1};
	const bool is_float = floats && ret->component == GLTF_FLOAT;
	if (!view || ((ret->component < GLTF_I8 || ret->component > GLTF_U16) && !is_float))
		return NULL;
	struct cs_error *error = read_buffer(
		widener, (size_t)json_integer_value(json_object_get(view, "buffer")), &bytes);
	if (error)
		return error;
	ret->size = is_float ? sizeof(float) : ret->component < GLTF_I16 ? 1 : 2;
	const double item = (double)(ret->width * ret->size);
	const double step = stride ? json_number_value(stride) : item;
	if (!(count >= 1 && ret->width >= 1 && ret->width <= 4 && start >= 0 && step >= item &&
		    start + step * (count - 1) + item <= (double)bytes->size))
		return widen_bad(widener, "accessor", (long long)json_integer_value(number));
	ret->at = bytes->at + (size_t)start;
	ret->count = (size_t)count;
	ret->step = (size_t)step;
	return NULL;
}

static void put_items(const struct values *from, bool opaque, struct cs_writer *to)
{
	for (size_t i = 0; i < from->count; i++) {
		for (size_t k = 0; k < from->width; k++)
			cs_writer_f32(to, widen_value(from->at + i * from->step + k * from->size,
						  from->component, from->normalized));
		if (opaque)
			cs_writer_f32(to, 1);
	}
}

static bool is_opaque(const json_t *accessor)
{
	const char *type = json_string_value(json_object_get(accessor, "type"));
	return type && strcmp(type, "VEC3") == 0;
}

/* Refers an attribute to the copy of its accessor, if that has one. */
static struct cs_error *name_copy(
	const struct widener *widener, json_t *attributes, const char *name, size_t row)
{
	if (row >= widener->n_copies)
		return NULL;
	const json_int_t copy = (json_int_t)widener->copies[row];
	return json_object_set_new(attributes, name, json_integer(copy)) == 0 ? NULL
									      : cs_error_nomem();
}

/*
 * Gives an attribute a copy of its accessor, which other attributes may use, with an alpha of 1.
 * Leaves sparse and compressed colours to assimp, and sets file->opaque.
 */
static struct cs_error *make_opaque(
	struct widener *widener, json_t *attributes, const char *name, const json_t *number)
{
	struct values from;
	json_t *accessor = cs_import_item(widener->root, "accessors", number);
	const size_t row = (size_t)json_integer_value(number);
	if (row >= widener->n_copies || widener->copies[row])
		return name_copy(widener, attributes, name, row);
	struct cs_error *error = find_values(widener, number, true, &from);
	const bool is_left = !from.at || json_object_get(accessor, "sparse");
	widener->file->opaque = widener->file->opaque || is_left;
	if (error || is_left)
		return error;
	json_t *accessors = json_object_get(widener->root, "accessors");
	json_t *copy = json_copy(accessor);
	const size_t begin = widener->floats.size;
	from.normalized = true; /* as integers of colours must be */
	put_items(&from, true, &widener->floats);
	const bool good = !widener->floats.failed && copy && name_floats(widener, copy, begin) &&
			  json_object_set_new(copy, "type", json_string("VEC4")) == 0 &&
			  json_array_append(accessors, copy) == 0;
	json_decref(copy);
	widener->copies[row] = json_array_size(accessors) - 1;
	return good ? name_copy(widener, attributes, name, row) : cs_error_nomem();
}

static struct cs_error *widen_accessor(struct widener *widener, const json_t *number)
{
	struct values from;
	struct cs_error *error = find_values(widener, number, false, &from);
	if (error || !from.at)
		return error;
	const size_t begin = widener->floats.size;
	put_items(&from, false, &widener->floats);
	return !widener->floats.failed &&
			       name_floats(widener,
				       cs_import_item(widener->root, "accessors", number), begin)
		       ? NULL
		       : cs_error_nomem();
}

static struct cs_error *widen_attributes(struct widener *widener, json_t *attributes)
{
	struct cs_error *error = NULL;
	const char *name;
	json_t *number;
	json_object_foreach (attributes, name, number)
		if (!error && cs_import_is_read(name))
			error = widen_accessor(widener, number);
	return error;
}

static struct cs_error *widen_color(struct widener *widener, const json_t *primitive)
{
	static const char name[] = "COLOR_0";
	json_t *attributes = json_object_get(primitive, "attributes");
	const json_t *number = json_object_get(attributes, name);
	if (!is_opaque(cs_import_item(widener->root, "accessors", number)))
		return NULL;
	if (!json_object_get(
		    json_object_get(primitive, "extensions"), "KHR_draco_mesh_compression"))
		return make_opaque(widener, attributes, name, number);
	widener->file->opaque = true;
	return NULL;
}

/*
 * Pads the buffer view of an accessor to whole steps, in the buffer of the floats. glTF lets a view
 * end with its last item, but assimp refuses a view in which a part of the last step is missing.
 */
static struct cs_error *pad_view(struct widener *widener, const json_t *number)
{
	enum { MOST_STRIDE = 252 };
	const json_t *accessor = cs_import_item(widener->root, "accessors", number);
	json_t *view = cs_import_item(
		widener->root, "bufferViews", json_object_get(accessor, "bufferView"));
	const json_int_t stride = json_integer_value(json_object_get(view, "byteStride"));
	const json_int_t count = json_integer_value(json_object_get(accessor, "count"));
	const json_int_t length = json_integer_value(json_object_get(view, "byteLength"));
	const json_int_t start = json_integer_value(json_object_get(view, "byteOffset"));
	const struct bytes *bytes;
	if (stride <= 0 || stride > MOST_STRIDE || count - 1 != length / stride ||
		length % stride == 0)
		return NULL;
	struct cs_error *error = read_buffer(
		widener, (size_t)json_integer_value(json_object_get(view, "buffer")), &bytes);
	if (error)
		return error;
	if (start < 0 || length < 0 || (uint64_t)start + (uint64_t)length > bytes->size)
		return widen_bad(widener, "accessor", (long long)json_integer_value(number));
	struct cs_writer *to = &widener->floats;
	const json_int_t begin = (json_int_t)to->size;
	const size_t end = to->size + (size_t)(count * stride);
	cs_writer_bytes(to, bytes->at + start, (size_t)length);
	while (!to->failed && (to->size < end || to->size % sizeof(float)))
		cs_writer_u8(to, 0);
	const bool good = !to->failed &&
			  json_object_set_new(view, "buffer",
				  json_integer((json_int_t)widener->n_buffers)) == 0 &&
			  json_object_set_new(view, "byteOffset", json_integer(begin)) == 0 &&
			  json_object_set_new(view, "byteLength",
				  json_integer((json_int_t)to->size - begin)) == 0;
	return good ? NULL : cs_error_nomem();
}

static struct cs_error *pad_views(struct widener *widener, json_t *attributes)
{
	struct cs_error *error = NULL;
	const char *name;
	json_t *number;
	json_object_foreach (attributes, name, number)
		if (!error)
			error = pad_view(widener, number);
	return error;
}

static struct cs_error *dequantize_all(struct widener *widener)
{
	struct cs_error *error = NULL;
	size_t m, p, t;
	json_t *mesh, *primitive, *target;
	/* colours first, which get copies: an accessor may be the positions of another primitive */
	json_array_foreach (json_object_get(widener->root, "meshes"), m, mesh)
		json_array_foreach (json_object_get(mesh, "primitives"), p, primitive)
			if (!error)
				error = widen_color(widener, primitive);
	json_array_foreach (json_object_get(widener->root, "meshes"), m, mesh)
		json_array_foreach (json_object_get(mesh, "primitives"), p, primitive) {
			if (!error)
				error = widen_attributes(
					widener, json_object_get(primitive, "attributes"));
			json_array_foreach (cs_import_targets(mesh, primitive), t, target)
				if (!error)
					error = widen_attributes(widener, target);
		}
	json_array_foreach (json_object_get(widener->root, "meshes"), m, mesh)
		json_array_foreach (json_object_get(mesh, "primitives"), p, primitive) {
			if (!error)
				error = pad_views(
					widener, json_object_get(primitive, "attributes"));
			/* assimp reads all targets, whatever their weights */
			json_array_foreach (json_object_get(primitive, "targets"), t, target)
				if (!error)
					error = pad_views(widener, target);
		}
	return error;
}

/* ---- writing the changed file ---- */

/* Writes the file with this JSON. A GLB keeps its other chunks. Chunks are padded to 4 bytes. */
static bool put_gltf_file(const struct cs_mesh_file *file, const char *json, struct cs_writer *to)
{
	const size_t n = strlen(json), padded = (n + 3) / 4 * 4;
	if (!cs_import_is_glb(file)) {
		cs_writer_bytes(to, json, n);
		return !to->failed;
	}
	const size_t rest = GLB_HEAD + GLB_CHUNK + (size_t)cs_load32(file->bytes + GLB_HEAD);
	const size_t length = cs_load32(file->bytes + 8);
	cs_writer_bytes(to, file->bytes, 8);
	cs_writer_u32(to, (uint32_t)(GLB_HEAD + GLB_CHUNK + padded + length - rest));
	cs_writer_u32(to, (uint32_t)padded);
	cs_writer_u32(to, GLB_JSON);
	cs_writer_bytes(to, json, n);
	cs_writer_bytes(to, "   ", padded - n);
	cs_writer_bytes(to, file->bytes + rest, length - rest);
	return !to->failed;
}

/* Adds the buffer of the floats, if any, to the JSON, and replaces the bytes of the file. */
static struct cs_error *replace_file(struct widener *widener)
{
	struct cs_writer to = {0};
	const bool named =
		widener->floats.size == 0 ||
		json_array_append_new(json_object_get(widener->root, "buffers"),
			json_pack("{s:I, s:s}", "byteLength", (json_int_t)widener->floats.size,
				"uri", CS_DEQUANTIZED_URI)) == 0;
	char *json = named ? json_dumps(widener->root, JSON_COMPACT) : NULL;
	const bool good = json && put_gltf_file(widener->file, json, &to);
	free(json);
	if (!good) {
		cs_writer_deinit(&to);
		return cs_error_nomem();
	}
	widener->file->bytes = to.bytes;
	widener->file->size = to.size;
	widener->file->floats = widener->floats.bytes;
	widener->file->floats_size = widener->floats.size;
	widener->floats = (struct cs_writer){0};
	return NULL;
}

struct cs_error *cs_import_dequantize(struct cs_mesh_file *file, json_t *root, bool changed)
{
	struct widener widener = {.file = file,
		.root = root,
		.n_buffers = json_array_size(json_object_get(root, "buffers")),
		.n_copies = json_array_size(json_object_get(root, "accessors"))};
	gate_init(&widener.gate, file);
	widener.buffers = calloc(widener.n_buffers + 1, sizeof(*widener.buffers));
	widener.copies = calloc(widener.n_copies + 1, sizeof(*widener.copies));
	struct cs_error *error =
		widener.buffers && widener.copies ? dequantize_all(&widener) : cs_error_nomem();
	if (!error && (widener.floats.size > 0 || changed))
		error = replace_file(&widener);
	for (size_t i = 0; widener.buffers && i < widener.n_buffers; i++)
		free(widener.buffers[i].owned);
	free(widener.buffers);
	free(widener.copies);
	cs_writer_deinit(&widener.floats);
	return error;
}
