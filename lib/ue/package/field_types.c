/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and prints each type of field (ue-project-files rules 2 and 4). */
#include "ue/package/field_types.h"

#include "core/writer.h"
#include "ue/package/descriptor.h"
#include "ue/package/summary.h"

/* ---- reading simple types ---- */

/* Defines a function that stores `value`, read from `cursor`, at `to` as a `type`. */
#define READER(name, type, value)                            \
	static void name(struct cs_cursor *cursor, void *to) \
	{                                                    \
		*(type *)to = value;                         \
	}

READER(read_bool, bool, cs_ue_read_bool(cursor))
READER(read_placement, bool, cs_cursor_u8(cursor) != CS_UE_PLACED_ALWAYS_LOADED)
READER(field_types_read_count, uint32_t, cs_cursor_u32(cursor))
READER(field_types_read_name, struct cs_ue_string, cs_ue_read_string(cursor))
READER(field_types_read_names, struct cs_ue_list, cs_ue_read_strings(cursor, 1))
READER(field_types_read_pairs, struct cs_ue_list, cs_ue_read_strings(cursor, 2))
READER(field_types_read_guid, struct cs_guid, cs_cursor_guid(cursor))
READER(read_u64, uint64_t, cs_cursor_u64(cursor))
READER(read_asset_path, struct cs_ue_path, cs_ue_read_asset_path(cursor))
READER(read_soft_path, struct cs_ue_path, cs_ue_read_soft_path(cursor))
READER(field_types_read_transform, struct cs_transform, cs_ue_read_transform(cursor))

static void field_types_read_table(struct cs_cursor *cursor, void *to)
{
	struct cs_ue_table *table = to;
	table->count = cs_cursor_i32(cursor);
	table->offset = cs_cursor_i32(cursor);
}

static void field_types_read_hash(struct cs_cursor *cursor, void *to)
{
	const unsigned char *hash = cs_cursor_take(cursor, 20);
	if (hash)
		memcpy(to, hash, 20);
}

static void read_engine(struct cs_cursor *cursor, void *to)
{
	struct cs_ue_engine_version *engine = to;
	engine->major = cs_cursor_u16(cursor);
	engine->minor = cs_cursor_u16(cursor);
	engine->patch = cs_cursor_u16(cursor);
	engine->changelist = cs_cursor_u32(cursor);
	engine->branch = cs_ue_read_string(cursor);
}

/* Reads one string into path.package: "/Game/X.X", or the name of a class without a path. */
static void read_path_name(struct cs_cursor *cursor, void *to)
{
	struct cs_ue_path path = {.asset = {(const unsigned char *)"", 0}};
	path.sub = path.asset;
	path.package = cs_ue_read_string(cursor);
	*(struct cs_ue_path *)to = path;
}

/* ---- reading bounds ---- */

static struct cs_ue_bounds bounds_around(struct cs_vec3 centre, struct cs_vec3 half)
{
	return (struct cs_ue_bounds){
		.box = {{centre.x - half.x, centre.y - half.y, centre.z - half.z},
			{centre.x + half.x, centre.y + half.y, centre.z + half.z}},
		.rotation = {0, 0, 0, 1},
		.valid = true,
	};
}

static void read_bounds_f32(struct cs_cursor *cursor, void *to)
{
	struct cs_vec3 centre = cs_ue_read_vec3f(cursor);
	*(struct cs_ue_bounds *)to = bounds_around(centre, cs_ue_read_vec3f(cursor));
}

static void read_bounds(struct cs_cursor *cursor, void *to)
{
	struct cs_vec3 centre = cs_cursor_vec3(cursor);
	*(struct cs_ue_bounds *)to = bounds_around(centre, cs_cursor_vec3(cursor));
}

static void read_maybe_bounds(struct cs_cursor *cursor, void *to)
{
	if (cs_ue_read_bool(cursor))
		read_bounds(cursor, to);
}

static void read_box(struct cs_cursor *cursor, void *to)
{
	struct cs_ue_bounds *bounds = to;
	bounds->rotation = (struct cs_quat){0, 0, 0, 1};
	bounds->box.min = cs_cursor_vec3(cursor);
	bounds->box.max = cs_cursor_vec3(cursor);
	uint8_t valid = cs_cursor_u8(cursor);
	if (valid > 1)
		cs_cursor_fail(cursor, CS_E_LAYOUT, "a boolean is neither 0 nor 1");
	bounds->valid = valid == 1;
}

static void read_oriented_box(struct cs_cursor *cursor, void *to)
{
	struct cs_ue_bounds *bounds = to;
	bounds->centre = cs_cursor_vec3(cursor);
	bounds->rotation = cs_ue_read_quat(cursor);
	bounds->box.max = cs_cursor_vec3(cursor);
	/* 0 - x is used instead of -x, which would turn 0 into -0 */
	bounds->box.min = (struct cs_vec3){
		0 - bounds->box.max.x, 0 - bounds->box.max.y, 0 - bounds->box.max.z};
	bounds->valid = cs_ue_read_bool(cursor);
}

/* ---- printing all types ---- */

static void print_bool(struct cs_writer *out, const void *from)
{
	cs_writer_print(out, "%s", *(const bool *)from ? "true" : "false");
}

static void print_count(struct cs_writer *out, const void *from)
{
	cs_writer_print(out, "%u", *(const uint32_t *)from);
}

static void print_text(struct cs_writer *out, const char *text)
{
	out->failed |= !text;
	cs_writer_bytes(out, text, text ? strlen(text) : 0);
}

static void print_name(struct cs_writer *out, const void *from)
{
	struct cs_arena arena = CS_ARENA_INIT;
	print_text(out, cs_ue_text(*(const struct cs_ue_string *)from, &arena));
	cs_arena_deinit(&arena);
}

static void print_path(struct cs_writer *out, const void *from)
{
	struct cs_arena arena = CS_ARENA_INIT;
	print_text(out, cs_ue_path_text(from, &arena));
	cs_arena_deinit(&arena);
}

static void print_strings(struct cs_writer *out, const struct cs_ue_list *list, uint32_t n)
{
	struct cs_cursor cursor = cs_cursor_over(list->at, list->bytes, 0, NULL);
	for (uint32_t i = 0; i < n; i++) {
		struct cs_ue_string name = cs_ue_read_string(&cursor);
		cs_writer_print(out, "%s", i ? ", " : "");
		print_name(out, &name);
	}
}

static void print_names(struct cs_writer *out, const void *from)
{
	const struct cs_ue_list *list = from;
	print_strings(out, list, list->n);
}

static void print_pairs(struct cs_writer *out, const void *from)
{
	const struct cs_ue_list *list = from;
	print_strings(out, list, 2 * list->n);
}

static void print_guid(struct cs_writer *out, const void *from)
{
	char text[CS_GUID_TEXT];
	cs_guid_format(*(const struct cs_guid *)from, text);
	cs_writer_bytes(out, text, CS_GUID_TEXT - 1);
}

static void print_guids(struct cs_writer *out, const void *from)
{
	const struct cs_ue_list *list = from;
	struct cs_cursor cursor = cs_cursor_over(list->at, list->bytes, 0, NULL);
	for (uint32_t i = 0; i < list->n; i++) {
		struct cs_guid guid = cs_cursor_guid(&cursor);
		cs_writer_print(out, "%s", i ? ", " : "");
		print_guid(out, &guid);
	}
}

static void print_numbers(struct cs_writer *out, const double *values, size_t n)
{
	char text[CS_DOUBLE_TEXT];
	for (size_t i = 0; i < n; i++) {
		cs_double_format(values[i], text);
		cs_writer_print(out, "%s%s", i ? ", " : "", text);
	}
}

static void print_transform(struct cs_writer *out, const void *from)
{
	print_numbers(out, from, sizeof(struct cs_transform) / sizeof(double));
}

static void print_bounds(struct cs_writer *out, const void *from)
{
	const struct cs_ue_bounds *bounds = from;
	const double box[6] = {bounds->box.min.x, bounds->box.min.y, bounds->box.min.z,
		bounds->box.max.x, bounds->box.max.y, bounds->box.max.z};
	const double place[7] = {bounds->centre.x, bounds->centre.y, bounds->centre.z,
		bounds->rotation.x, bounds->rotation.y, bounds->rotation.z, bounds->rotation.w};
	if (!bounds->valid) {
		cs_writer_print(out, "invalid");
		return;
	}
	print_numbers(out, box, 6);
	if (bounds->centre.x != 0 || bounds->centre.y != 0 || bounds->centre.z != 0 ||
		bounds->rotation.w != 1) {
		cs_writer_print(out, " at ");
		print_numbers(out, place, 7);
	}
}

static const struct {
	void (*read)(struct cs_cursor *cursor, void *to);
	/* NULL for types of fields that are never printed, which are those of package summaries */
	void (*print)(struct cs_writer *out, const void *from);
	size_t element; /* size of an element in bytes, for a list that is read without `read` */
} field_types[CS_UE_TYPES] = {
	[CS_UE_TYPE_BOOL] = {read_bool, print_bool},
	[CS_UE_TYPE_PLACEMENT] = {read_placement, print_bool},
	[CS_UE_TYPE_COUNT] = {field_types_read_count, print_count},
	[CS_UE_TYPE_NAME] = {field_types_read_name, print_name},
	[CS_UE_TYPE_NAMES] = {field_types_read_names, print_names},
	[CS_UE_TYPE_PAIRS] = {field_types_read_pairs, print_pairs},
	[CS_UE_TYPE_GUID] = {field_types_read_guid, print_guid},
	[CS_UE_TYPE_GUIDS] = {NULL, print_guids, 16},
	[CS_UE_TYPE_ASSET_PATH] = {read_asset_path, print_path},
	[CS_UE_TYPE_PATH_NAME] = {read_path_name, print_path},
	[CS_UE_TYPE_SOFT_PATH] = {read_soft_path, print_path},
	[CS_UE_TYPE_TRANSFORM] = {field_types_read_transform, print_transform},
	[CS_UE_TYPE_BOUNDS_F32] = {read_bounds_f32, print_bounds},
	[CS_UE_TYPE_BOUNDS] = {read_bounds, print_bounds},
	[CS_UE_TYPE_MAYBE_BOUNDS] = {read_maybe_bounds, print_bounds},
	[CS_UE_TYPE_BOX] = {read_box, print_bounds},
	[CS_UE_TYPE_ORIENTED_BOX] = {read_oriented_box, print_bounds},
	[CS_UE_TYPE_U64] = {read_u64, NULL},
	[CS_UE_TYPE_TABLE] = {field_types_read_table, NULL},
	[CS_UE_TYPE_HASH] = {field_types_read_hash, NULL},
	[CS_UE_TYPE_ENGINE] = {read_engine, NULL},
	[CS_UE_TYPE_VERSIONS] = {NULL, NULL, 20},
	[CS_UE_TYPE_WIDE] = {NULL, NULL, 8},
	[CS_UE_TYPE_NUMBERS] = {NULL, NULL, 4},
};

void cs_ue_read_field(struct cs_cursor *cursor, enum cs_ue_field_type type, void *to)
{
	if (field_types[type].read) {
		field_types[type].read(cursor, to);
		return;
	}
	struct cs_ue_list *list = to;
	list->n = cs_cursor_count(cursor, field_types[type].element);
	list->bytes = (size_t)list->n * field_types[type].element;
	list->at = cs_cursor_take(cursor, list->bytes);
}

void cs_ue_print_field(struct cs_writer *out, enum cs_ue_field_type type, const void *from)
{
	field_types[type].print(out, from);
}
