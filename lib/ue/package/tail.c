/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: what subclasses of actor descriptors add behind the common fields; ue-project-files rules
 * 4, second table. A tail belongs to its native class; those of classes that only a game knows
 * stay opaque. Not confirmed by files, and kept in level_layout: level instances of 5.0 to 5.2.
 */
#include "ue/package/descriptor.h"

static const struct {
	const char *name;
	enum cs_ue_tail_kind kind;
} classes[] = {
	{"Landscape", CS_UE_TAIL_LANDSCAPE},
	{"LandscapeStreamingProxy", CS_UE_TAIL_LANDSCAPE},
	{"InstancedFoliageActor", CS_UE_TAIL_PARTITION},
	{"LevelInstance", CS_UE_TAIL_LEVEL_INSTANCE},
	{"PackedLevelActor", CS_UE_TAIL_PACKED_LEVEL},
	{"PackedLevelInstance", CS_UE_TAIL_PACKED_LEVEL},
	{"WorldDataLayers", CS_UE_TAIL_DATA_LAYERS},
	{"WorldPartitionHLOD", CS_UE_TAIL_HLOD},
	{"LandscapeSplineActor", CS_UE_TAIL_SPLINE},
};

/* The bare name of the class: behind the last dot of "/Script/Engine.Actor". */
static bool is_named(const struct cs_ue_path *path, const char *name)
{
	if (!cs_ue_string_is_none(path->asset))
		return cs_ue_string_equals(path->asset, name);
	if (cs_ue_string_equals(path->package, name))
		return true;
	size_t n = strlen(name) + 1;
	struct cs_ue_string whole = path->package;
	return whole.n > 0 && (size_t)whole.n > n && whole.at[(size_t)whole.n - n - 1] == '.' &&
	       memcmp(whole.at + (size_t)whole.n - n, name, n) == 0;
}

enum cs_ue_tail_kind cs_ue_tail_kind(const struct cs_ue_descriptor *descriptor)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (is_named(&descriptor->native_class, classes[i].name))
			return classes[i].kind;
	return CS_UE_TAIL_NONE;
}

/* ---- partition actors ---- */

static void tail_read_partition(struct cs_cursor *cursor, const struct cs_ue_descriptor *descriptor,
	struct cs_ue_tail *tail)
{
	tail->grid_size = cs_cursor_u32(cursor);
	for (int axis = 0; axis < 3; axis++)
		tail->grid[axis] = cs_cursor_i64(cursor);
	tail->grid_guid = cs_cursor_guid(cursor);
	if (tail->kind == CS_UE_TAIL_LANDSCAPE && descriptor->versions.of[CS_UE_REL] >= 33)
		tail->landscape = cs_cursor_guid(cursor);
}

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

/* ---- level instances ---- */

enum transform_form { TRANSFORM_NONE, TRANSFORM_F32, TRANSFORM_F64 };

struct level_layout {
	bool delta;     /* fields can say "as in the class" */
	bool soft_path; /* the level is a path, else the name of its package */
	bool behavior;  /* packed levels from 5.3 on have none */
	enum transform_form transform;
};

static struct level_layout level_layout(const struct cs_ue_descriptor *descriptor)
{
	const int32_t *of = descriptor->versions.of;
	struct level_layout layout = {
		.delta = of[CS_UE_FN_MAIN] >= CS_UE_DELTA_FROM,
		.soft_path = of[CS_UE_MAIN] >= 88,
		.behavior = true,
	};
	bool packed = cs_ue_tail_kind(descriptor) == CS_UE_TAIL_PACKED_LEVEL;
	if (layout.delta && packed)
		layout.behavior = false;
	else if (of[CS_UE_SEASON] < 11)
		layout.transform = of[CS_UE_REL] < 28 ? TRANSFORM_F32 : TRANSFORM_F64;
	return layout;
}

static struct cs_transform read_transform_f32(struct cs_cursor *cursor)
{
	struct cs_transform transform;
	struct cs_vec3 axis = cs_ue_read_vec3f(cursor);
	transform.rotation =
		(struct cs_quat){axis.x, axis.y, axis.z, (double)cs_cursor_f32(cursor)};
	transform.translation = cs_ue_read_vec3f(cursor);
	transform.scale = cs_ue_read_vec3f(cursor);
	return transform;
}

static bool tail_read_flag(struct cs_cursor *cursor, bool delta)
{
	if (!delta)
		return true;
	uint8_t flag = cs_cursor_u8(cursor);
	if (flag > 1)
		cs_cursor_fail(cursor, CS_E_DESCRIPTOR, "the flag of a field is neither 0 nor 1");
	return flag == 1;
}

/* The filter that comes last is not decoded: a tail that has one stays opaque from there. */
static void tail_read_level(struct cs_cursor *cursor, const struct cs_ue_descriptor *descriptor,
	struct cs_ue_tail *tail)
{
	const struct level_layout layout = level_layout(descriptor);
	if (tail_read_flag(cursor, layout.delta)) {
		struct cs_ue_path path = {.asset = {(const unsigned char *)"", 0}};
		path.sub = path.asset;
		if (layout.soft_path)
			path = cs_ue_read_soft_path(cursor);
		else
			path.package = cs_ue_read_string(cursor);
		tail->level = path;
		tail->stored |= CS_UE_STORED_LEVEL;
	}
	if (layout.transform != TRANSFORM_NONE && !descriptor->is_class) {
		tail->has_transform = true;
		tail->transform = layout.transform == TRANSFORM_F32 ? read_transform_f32(cursor)
								    : cs_ue_read_transform(cursor);
	}
	if (layout.behavior && tail_read_flag(cursor, layout.delta)) {
		tail->behavior = cs_cursor_u8(cursor);
		tail->stored |= CS_UE_STORED_BEHAVIOR;
	}
	if (layout.delta && tail_read_flag(cursor, true))
		tail->opaque = true;
}

static void write_f32s(struct cs_writer *writer, const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cs_writer_f32(writer, (float)values[i]);
}

static void tail_write_transform(
	struct cs_writer *writer, enum transform_form form, const struct cs_transform *t)
{
	const double values[10] = {t->rotation.x, t->rotation.y, t->rotation.z, t->rotation.w,
		t->translation.x, t->translation.y, t->translation.z, t->scale.x, t->scale.y,
		t->scale.z};
	if (form == TRANSFORM_F32)
		write_f32s(writer, values, 10);
	for (size_t i = 0; form == TRANSFORM_F64 && i < 10; i++)
		cs_writer_f64(writer, values[i]);
}

static void write_level(struct cs_writer *writer, const struct cs_ue_descriptor *descriptor)
{
	const struct level_layout layout = level_layout(descriptor);
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

/* ---- data layers ---- */

struct cs_ue_layer_row cs_ue_read_layer_row(
	struct cs_cursor *cursor, const struct cs_ue_versions *versions)
{
	int32_t fn_main = versions->of[CS_UE_FN_MAIN];
	struct cs_ue_layer_row row = {.in_filter = false};
	row.name = cs_ue_read_string(cursor);
	row.parent = cs_ue_read_string(cursor);
	row.uses_asset = cs_ue_read_bool(cursor);
	row.asset = cs_ue_read_string(cursor);
	row.in_filter = fn_main >= 86 && cs_ue_read_bool(cursor);
	row.is_private = fn_main >= 90 && cs_ue_read_bool(cursor);
	return row;
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

static void read_layers(struct cs_cursor *cursor, const struct cs_ue_descriptor *descriptor,
	struct cs_ue_tail *tail)
{
	const struct cs_ue_versions *versions = &descriptor->versions;
	if (versions->of[CS_UE_SEASON] < 1)
		return;
	struct cs_ue_list list = {.n = cs_cursor_count(cursor, 3 * CS_UE_STRING_LEAST + 4)};
	size_t start = cursor->position;
	list.at = cursor->bytes + start;
	for (uint32_t i = 0; i < list.n && !cursor->bad; i++)
		cs_ue_read_layer_row(cursor, versions);
	list.bytes = cursor->position - start;
	if (!cursor->bad)
		tail->layers = list;
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

/* ---- all ---- */

static void read_spline(struct cs_cursor *cursor, const struct cs_ue_descriptor *descriptor,
	struct cs_ue_tail *tail)
{
	(void)descriptor;
	tail->landscape = cs_cursor_guid(cursor);
}

static void write_spline(struct cs_writer *writer, const struct cs_ue_descriptor *descriptor)
{
	cs_writer_guid(writer, descriptor->tail.landscape);
}

static const struct {
	void (*read)(struct cs_cursor *cursor, const struct cs_ue_descriptor *descriptor,
		struct cs_ue_tail *tail);
	void (*write)(struct cs_writer *writer, const struct cs_ue_descriptor *descriptor);
	bool of_classes; /* class descriptors have it too */
} tails[] = {
	[CS_UE_TAIL_PARTITION] = {tail_read_partition, tail_write_partition, false},
	[CS_UE_TAIL_LANDSCAPE] = {tail_read_partition, tail_write_partition, false},
	[CS_UE_TAIL_LEVEL_INSTANCE] = {tail_read_level, write_level, true},
	[CS_UE_TAIL_PACKED_LEVEL] = {tail_read_level, write_level, true},
	[CS_UE_TAIL_DATA_LAYERS] = {read_layers, write_layers, false},
	[CS_UE_TAIL_HLOD] = {NULL, NULL, false}, /* statistics; its exports say the rest */
	[CS_UE_TAIL_SPLINE] = {read_spline, write_spline, false},
};

void cs_ue_read_tail(
	struct cs_cursor *cursor, const struct cs_ue_descriptor *descriptor, struct cs_ue_tail *ret)
{
	struct cs_ue_tail tail = {.kind = cs_ue_tail_kind(descriptor)};
	bool known = !descriptor->is_class || tails[tail.kind].of_classes;
	if (descriptor->components > 0)
		tail.opaque = true;
	else if (known && tails[tail.kind].read && cs_cursor_left(cursor) > 0)
		tails[tail.kind].read(cursor, descriptor, &tail);
	if (cursor->bad)
		tail = (struct cs_ue_tail){.kind = tail.kind, .opaque = true};
	*ret = tail;
}

void cs_ue_write_tail(struct cs_writer *writer, const struct cs_ue_descriptor *descriptor)
{
	enum cs_ue_tail_kind kind = descriptor->tail.kind;
	if ((!descriptor->is_class || tails[kind].of_classes) && tails[kind].write)
		tails[kind].write(writer, descriptor);
}
