/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads tails: the fields that subclasses of actor descriptors add after the common ones
 * (ue-project-files rules 4, second table). The native class decides the form of a tail. Tails of
 * classes of a game are not read. No file of 5.0 to 5.2 confirms the form that cs_ue_level_layout()
 * gives level instances of these versions.
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

/* Returns whether the path of a class is this name, or ends with a dot and this name. */
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

/* ---- tails of level instances ---- */

struct cs_ue_level_layout cs_ue_level_layout(const struct cs_ue_descriptor *descriptor)
{
	const int32_t *of = descriptor->versions.of;
	struct cs_ue_level_layout layout = {
		.delta = of[CS_UE_FN_MAIN] >= CS_UE_DELTA_FROM,
		.soft_path = of[CS_UE_MAIN] >= 88,
		.behavior = true,
	};
	bool packed = cs_ue_tail_kind(descriptor) == CS_UE_TAIL_PACKED_LEVEL;
	if (layout.delta && packed)
		layout.behavior = false;
	else if (of[CS_UE_SEASON] < 11)
		layout.transform = of[CS_UE_REL] < 28 ? CS_UE_TRANSFORM_F32 : CS_UE_TRANSFORM_F64;
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
		cs_cursor_fail(cursor, CS_E_DESCRIPTOR,
			"the byte that tells whether the field is stored is neither 0 nor 1");
	return flag == 1;
}

/* Reads a level instance's tail, but not an actor filter at its end, which sets tail->opaque. */
static void tail_read_level(struct cs_cursor *cursor, const struct cs_ue_descriptor *descriptor,
	struct cs_ue_tail *tail)
{
	const struct cs_ue_level_layout layout = cs_ue_level_layout(descriptor);
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
	if (layout.transform != CS_UE_TRANSFORM_NONE && !descriptor->is_class) {
		tail->has_transform = true;
		tail->transform = layout.transform == CS_UE_TRANSFORM_F32
					  ? read_transform_f32(cursor)
					  : cs_ue_read_transform(cursor);
	}
	if (layout.behavior && tail_read_flag(cursor, layout.delta)) {
		tail->behavior = cs_cursor_u8(cursor);
		tail->stored |= CS_UE_STORED_BEHAVIOR;
	}
	if (layout.delta && tail_read_flag(cursor, true))
		tail->opaque = true;
}

/* ---- tails of data layers ---- */

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

/* ---- tails of all kinds ---- */

static void read_spline(struct cs_cursor *cursor, const struct cs_ue_descriptor *descriptor,
	struct cs_ue_tail *tail)
{
	(void)descriptor;
	tail->landscape = cs_cursor_guid(cursor);
}

static const struct {
	void (*read)(struct cs_cursor *cursor, const struct cs_ue_descriptor *descriptor,
		struct cs_ue_tail *tail);
	bool of_classes; /* whether class descriptors have this tail, too */
} tails[] = {
	[CS_UE_TAIL_PARTITION] = {tail_read_partition, false},
	[CS_UE_TAIL_LANDSCAPE] = {tail_read_partition, false},
	[CS_UE_TAIL_LEVEL_INSTANCE] = {tail_read_level, true},
	[CS_UE_TAIL_PACKED_LEVEL] = {tail_read_level, true},
	[CS_UE_TAIL_DATA_LAYERS] = {read_layers, false},
	/* Not read: the exports of HLOD actors contain the same facts. */
	[CS_UE_TAIL_HLOD] = {NULL, false},
	[CS_UE_TAIL_SPLINE] = {read_spline, false},
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
