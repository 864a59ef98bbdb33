/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: writing what lib/ue/package reads: strings, summaries, descriptors with their tails. The
 * tables of fields are those of the reader; how each type is written stands here.
 */
#include "tests/make/ue_write.h"
#include "tests/make/writes.h"

#include "core/geometry.h"
#include "core/text.h"

/* ---- strings ---- */

static bool is_ascii(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text > 0x7f)
			return false;
	return true;
}

/* UTF-16 units of a text, with the NUL; an invalid byte becomes U+FFFD. */
static int32_t utf16_encode(const char *text, size_t length, unsigned char *units)
{
	int32_t n = 0;
	for (size_t i = 0; i < length;) {
		uint32_t c = 0xfffd;
		size_t step = cs_utf8_decode((const unsigned char *)text + i, length - i, &c);
		i += step ? step : 1;
		if (c > 0xffff) {
			cs_store16(units + 2 * n++, (uint16_t)(0xd800 + ((c - 0x10000) >> 10)));
			c = 0xdc00 + ((c - 0x10000) & 0x3ff);
		}
		cs_store16(units + 2 * n++, (uint16_t)c);
	}
	cs_store16(units + 2 * n++, 0);
	return n;
}

struct cs_ue_string cs_ue_string_of(const char *text, struct cs_arena *arena)
{
	size_t length = strlen(text);
	if (!*text || length > INT32_MAX / 4)
		return (struct cs_ue_string){(const unsigned char *)"", 0};
	if (is_ascii(text))
		return (struct cs_ue_string){(const unsigned char *)text, (int32_t)length + 1};
	unsigned char *units = cs_arena_alloc(arena, 2 * length + 2, 1);
	if (!units)
		return (struct cs_ue_string){NULL, 1};
	return (struct cs_ue_string){units, -utf16_encode(text, length, units)};
}

void cs_ue_write_string(struct cs_writer *writer, struct cs_ue_string string)
{
	if (string.n != 0 && !string.at) {
		writer->failed = true;
		return;
	}
	cs_writer_u32(writer, (uint32_t)string.n);
	cs_writer_bytes(writer, string.at,
		string.n >= 0 ? (size_t)string.n : (size_t)(-(int64_t)string.n) * 2);
}

void cs_ue_base64_encode(struct cs_writer *writer, const void *bytes, size_t size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *from = bytes;
	for (size_t i = 0; i < size; i += 3) {
		uint32_t bits = (uint32_t)from[i] << 16;
		bits |= i + 1 < size ? (uint32_t)from[i + 1] << 8 : 0;
		bits |= i + 2 < size ? from[i + 2] : 0;
		const char group[4] = {digits[bits >> 18], digits[bits >> 12 & 63],
			i + 1 < size ? digits[bits >> 6 & 63] : '=',
			i + 2 < size ? digits[bits & 63] : '='};
		cs_writer_bytes(writer, group, 4);
	}
}

/* ---- types of fields ---- */

static void write_bool(struct cs_writer *writer, const void *from)
{
	cs_writer_u32(writer, *(const bool *)from);
}

static void write_placement(struct cs_writer *writer, const void *from)
{
	cs_writer_u8(
		writer, *(const bool *)from ? CS_UE_PLACED_SPATIAL : CS_UE_PLACED_ALWAYS_LOADED);
}

static void write_count(struct cs_writer *writer, const void *from)
{
	cs_writer_u32(writer, *(const uint32_t *)from);
}

static void write_name(struct cs_writer *writer, const void *from)
{
	cs_ue_write_string(writer, *(const struct cs_ue_string *)from);
}

static void write_list(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_list *list = from;
	cs_writer_u32(writer, list->n);
	cs_writer_bytes(writer, list->at, list->bytes);
}

static void write_guid(struct cs_writer *writer, const void *from)
{
	cs_writer_guid(writer, *(const struct cs_guid *)from);
}

static void write_asset_path(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_path *path = from;
	cs_ue_write_string(writer, path->package);
	cs_ue_write_string(writer, path->asset);
}

static void write_path_name(struct cs_writer *writer, const void *from)
{
	cs_ue_write_string(writer, ((const struct cs_ue_path *)from)->package);
}

static void write_soft_path(struct cs_writer *writer, const void *from)
{
	write_asset_path(writer, from);
	cs_ue_write_string(writer, ((const struct cs_ue_path *)from)->sub);
}

static void write_quat(struct cs_writer *writer, const struct cs_quat *quat)
{
	cs_writer_vec3(writer, (struct cs_vec3){quat->x, quat->y, quat->z});
	cs_writer_f64(writer, quat->w);
}

static void write_transform(struct cs_writer *writer, const void *from)
{
	const struct cs_transform *transform = from;
	write_quat(writer, &transform->rotation);
	cs_writer_vec3(writer, transform->translation);
	cs_writer_vec3(writer, transform->scale);
}

static struct cs_vec3 half_extent(const struct cs_ue_bounds *bounds)
{
	const struct cs_box *box = &bounds->box;
	return (struct cs_vec3){(box->max.x - box->min.x) / 2, (box->max.y - box->min.y) / 2,
		(box->max.z - box->min.z) / 2};
}

static void write_vec3f(struct cs_writer *writer, struct cs_vec3 vector)
{
	cs_writer_f32(writer, (float)vector.x);
	cs_writer_f32(writer, (float)vector.y);
	cs_writer_f32(writer, (float)vector.z);
}

static void write_bounds_f32(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_bounds *bounds = from;
	write_vec3f(writer, cs_box_centre(&bounds->box));
	write_vec3f(writer, half_extent(bounds));
}

static void write_bounds(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_bounds *bounds = from;
	cs_writer_vec3(writer, cs_box_centre(&bounds->box));
	cs_writer_vec3(writer, half_extent(bounds));
}

static void write_maybe_bounds(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_bounds *bounds = from;
	cs_writer_u32(writer, bounds->valid);
	if (bounds->valid)
		write_bounds(writer, bounds);
}

static void write_box(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_bounds *bounds = from;
	cs_writer_vec3(writer, bounds->box.min);
	cs_writer_vec3(writer, bounds->box.max);
	cs_writer_u8(writer, bounds->valid);
}

static void write_oriented_box(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_bounds *bounds = from;
	cs_writer_vec3(writer, bounds->centre);
	write_quat(writer, &bounds->rotation);
	cs_writer_vec3(writer, bounds->box.max);
	cs_writer_u32(writer, bounds->valid);
}

static void write_u64(struct cs_writer *writer, const void *from)
{
	cs_writer_u64(writer, *(const uint64_t *)from);
}

static void write_table(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_table *table = from;
	cs_writer_u32(writer, (uint32_t)table->count);
	cs_writer_u32(writer, (uint32_t)table->offset);
}

static void write_hash(struct cs_writer *writer, const void *from)
{
	cs_writer_bytes(writer, from, 20);
}

static void write_engine(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_engine_version *engine = from;
	cs_writer_u16(writer, engine->major);
	cs_writer_u16(writer, engine->minor);
	cs_writer_u16(writer, engine->patch);
	cs_writer_u32(writer, engine->changelist);
	cs_ue_write_string(writer, engine->branch);
}

static void (*const field_types[CS_UE_TYPES])(struct cs_writer *writer, const void *from) = {
	[CS_UE_TYPE_BOOL] = write_bool,
	[CS_UE_TYPE_PLACEMENT] = write_placement,
	[CS_UE_TYPE_COUNT] = write_count,
	[CS_UE_TYPE_NAME] = write_name,
	[CS_UE_TYPE_NAMES] = write_list,
	[CS_UE_TYPE_PAIRS] = write_list,
	[CS_UE_TYPE_GUID] = write_guid,
	[CS_UE_TYPE_GUIDS] = write_list,
	[CS_UE_TYPE_ASSET_PATH] = write_asset_path,
	[CS_UE_TYPE_PATH_NAME] = write_path_name,
	[CS_UE_TYPE_SOFT_PATH] = write_soft_path,
	[CS_UE_TYPE_TRANSFORM] = write_transform,
	[CS_UE_TYPE_BOUNDS_F32] = write_bounds_f32,
	[CS_UE_TYPE_BOUNDS] = write_bounds,
	[CS_UE_TYPE_MAYBE_BOUNDS] = write_maybe_bounds,
	[CS_UE_TYPE_BOX] = write_box,
	[CS_UE_TYPE_ORIENTED_BOX] = write_oriented_box,
	[CS_UE_TYPE_U64] = write_u64,
	[CS_UE_TYPE_TABLE] = write_table,
	[CS_UE_TYPE_HASH] = write_hash,
	[CS_UE_TYPE_ENGINE] = write_engine,
	[CS_UE_TYPE_VERSIONS] = write_list,
	[CS_UE_TYPE_WIDE] = write_list,
	[CS_UE_TYPE_NUMBERS] = write_list,
};

/* ---- tails ---- */

static void tail_write_partition(
	struct cs_writer *writer, const struct cs_ue_descriptor *descriptor)
{
	const struct cs_ue_tail *tail = &descriptor->tail;
	cs_writer_u32(writer, tail->grid_size);
	for (int axis = 0; axis < 3; axis++)
		cs_writer_u64(writer, (uint64_t)tail->grid[axis]);
	cs_writer_guid(writer, tail->grid_guid);
	if (tail->kind == CS_UE_TAIL_LANDSCAPE && descriptor->versions.of[CS_UE_REL] >= 33)
		cs_writer_guid(writer, tail->landscape);
}

static void write_f32s(struct cs_writer *writer, const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cs_writer_f32(writer, (float)values[i]);
}

static void tail_write_transform(
	struct cs_writer *writer, enum cs_ue_transform_form form, const struct cs_transform *t)
{
	const double values[10] = {t->rotation.x, t->rotation.y, t->rotation.z, t->rotation.w,
		t->translation.x, t->translation.y, t->translation.z, t->scale.x, t->scale.y,
		t->scale.z};
	if (form == CS_UE_TRANSFORM_F32)
		write_f32s(writer, values, 10);
	for (size_t i = 0; form == CS_UE_TRANSFORM_F64 && i < 10; i++)
		cs_writer_f64(writer, values[i]);
}

static void write_level(struct cs_writer *writer, const struct cs_ue_descriptor *descriptor)
{
	const struct cs_ue_level_layout layout = cs_ue_level_layout(descriptor);
	const struct cs_ue_tail *tail = &descriptor->tail;
	bool level = !layout.delta || (tail->stored & CS_UE_STORED_LEVEL);
	bool behavior = !layout.delta || (tail->stored & CS_UE_STORED_BEHAVIOR);
	if (layout.delta)
		cs_writer_u8(writer, level);
	if (level) {
		cs_ue_write_string(writer, tail->level.package);
		if (layout.soft_path) {
			cs_ue_write_string(writer, tail->level.asset);
			cs_ue_write_string(writer, tail->level.sub);
		}
	}
	if (!descriptor->is_class)
		tail_write_transform(writer, layout.transform, &tail->transform);
	if (layout.behavior && layout.delta)
		cs_writer_u8(writer, behavior);
	if (layout.behavior && behavior)
		cs_writer_u8(writer, tail->behavior);
	if (layout.delta)
		cs_writer_u8(writer, 0); /* no filter of its own */
}

void cs_ue_write_layer_row(struct cs_writer *writer, const struct cs_ue_versions *versions,
	const struct cs_ue_layer_row *row)
{
	cs_ue_write_string(writer, row->name);
	cs_ue_write_string(writer, row->parent);
	cs_writer_u32(writer, row->uses_asset);
	cs_ue_write_string(writer, row->asset);
	if (versions->of[CS_UE_FN_MAIN] >= 86)
		cs_writer_u32(writer, row->in_filter);
	if (versions->of[CS_UE_FN_MAIN] >= 90)
		cs_writer_u32(writer, row->is_private);
}

static void write_layers(struct cs_writer *writer, const struct cs_ue_descriptor *descriptor)
{
	const int32_t *of = descriptor->versions.of;
	const struct cs_ue_list *layers = &descriptor->tail.layers;
	if (of[CS_UE_SEASON] < 1)
		return;
	cs_writer_u32(writer, layers->n);
	cs_writer_bytes(writer, layers->at, layers->bytes);
	if (of[CS_UE_FN_MAIN] >= 123)
		cs_writer_u32(writer, 0);
	if (of[CS_UE_REL] >= 48)
		cs_writer_u32(writer, 0);
}

static void write_spline(struct cs_writer *writer, const struct cs_ue_descriptor *descriptor)
{
	cs_writer_guid(writer, descriptor->tail.landscape);
}

static void (*const tails[])(
	struct cs_writer *writer, const struct cs_ue_descriptor *descriptor) = {
	[CS_UE_TAIL_PARTITION] = tail_write_partition,
	[CS_UE_TAIL_LANDSCAPE] = tail_write_partition,
	[CS_UE_TAIL_LEVEL_INSTANCE] = write_level,
	[CS_UE_TAIL_PACKED_LEVEL] = write_level,
	[CS_UE_TAIL_DATA_LAYERS] = write_layers,
	[CS_UE_TAIL_HLOD] = NULL, /* statistics; its exports say the rest */
	[CS_UE_TAIL_SPLINE] = write_spline,
};

static void write_tail(struct cs_writer *writer, const struct cs_ue_descriptor *descriptor)
{
	enum cs_ue_tail_kind kind = descriptor->tail.kind;
	bool of_classes = kind == CS_UE_TAIL_LEVEL_INSTANCE || kind == CS_UE_TAIL_PACKED_LEVEL;
	if ((!descriptor->is_class || of_classes) && tails[kind])
		tails[kind](writer, descriptor);
}

/* ---- descriptors ---- */

uint32_t cs_ue_fields_of(const struct cs_ue_versions *versions)
{
	const struct cs_ue_descriptor actor = {.versions = *versions};
	uint32_t bits = 0;
	for (const struct cs_ue_field *field = NULL;
		(field = cs_ue_next_field(&actor, field)) != NULL;)
		bits |= field->bit & ~CS_UE_STORED_LAYER_KIND;
	return bits;
}

bool cs_ue_has_field(const struct cs_ue_versions *versions, const char *name)
{
	const struct cs_ue_descriptor actor = {.versions = *versions};
	for (const struct cs_ue_field *field = NULL;
		(field = cs_ue_next_field(&actor, field)) != NULL;)
		if (strcmp(field->name, name) == 0)
			return true;
	return false;
}

static void encode_versions(struct cs_writer *writer, const struct cs_ue_versions *versions)
{
	uint32_t count = 0;
	for (int stream = 0; stream < CS_UE_STREAMS; stream++)
		count += versions->of[stream] > 0;
	cs_writer_u32(writer, count);
	for (int stream = 0; stream < CS_UE_STREAMS; stream++) {
		if (versions->of[stream] <= 0)
			continue;
		cs_writer_guid(writer, cs_ue_stream_guid((enum cs_ue_stream)stream));
		cs_writer_u32(writer, (uint32_t)versions->of[stream]);
	}
}

void cs_ue_encode_descriptor(struct cs_writer *writer, const struct cs_ue_descriptor *descriptor)
{
	encode_versions(writer, &descriptor->versions);
	const struct cs_ue_field *field = NULL;
	while ((field = cs_ue_next_field(descriptor, field)) != NULL) {
		bool stored = (descriptor->stored & field->bit) != 0;
		if (cs_ue_field_is_delta(descriptor, field))
			cs_writer_u8(writer, stored);
		if (stored || !cs_ue_field_is_delta(descriptor, field))
			field_types[field->type](writer, (const char *)descriptor + field->offset);
	}
	write_tail(writer, descriptor);
}

/* ---- summaries ---- */

void cs_ue_write_summary(struct cs_writer *writer, const struct cs_ue_summary *summary)
{
	cs_writer_u32(writer, CS_UE_TAG);
	cs_writer_u32(writer, (uint32_t)summary->legacy);
	cs_writer_u32(writer, (uint32_t)summary->ue3);
	cs_writer_u32(writer, (uint32_t)summary->ue4);
	if (summary->legacy <= -8)
		cs_writer_u32(writer, (uint32_t)summary->v5);
	cs_writer_u32(writer, (uint32_t)summary->licensee);
	for (const struct cs_ue_summary_field *field = NULL;
		(field = cs_ue_next_summary_field(summary, field)) != NULL;)
		field_types[field->type](writer, (const char *)summary + field->offset);
}
