/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: reading, writing and printing the types of descriptor fields, ue-project-files rules 4. */
#include "ue/package/field_types.h"
#include "ue/package/descriptor.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- reading and writing ---- */

static void read_bool(struct cs_cursor *cursor, void *to)
{
	*(bool *)to = cs_ue_read_bool(cursor);
}

static void write_bool(struct cs_writer *writer, const void *from)
{
	cs_writer_u32(writer, *(const bool *)from);
}

/* How actors were placed before they could be spatially loaded or not: 2 = always loaded. */
enum { PLACEMENT_SPATIAL = 1, PLACEMENT_ALWAYS_LOADED = 2 };

static void read_placement(struct cs_cursor *cursor, void *to)
{
	*(bool *)to = cs_cursor_u8(cursor) != PLACEMENT_ALWAYS_LOADED;
}

static void write_placement(struct cs_writer *writer, const void *from)
{
	cs_writer_u8(writer, *(const bool *)from ? PLACEMENT_SPATIAL : PLACEMENT_ALWAYS_LOADED);
}

static void read_count(struct cs_cursor *cursor, void *to)
{
	*(uint32_t *)to = cs_cursor_u32(cursor);
}

static void write_count(struct cs_writer *writer, const void *from)
{
	cs_writer_u32(writer, *(const uint32_t *)from);
}

static void read_name(struct cs_cursor *cursor, void *to)
{
	*(struct cs_ue_string *)to = cs_ue_read_string(cursor);
}

static void write_name(struct cs_writer *writer, const void *from)
{
	cs_ue_write_string(writer, *(const struct cs_ue_string *)from);
}

static void field_types_read_names(struct cs_cursor *cursor, void *to)
{
	*(struct cs_ue_list *)to = cs_ue_read_strings(cursor);
}

static void field_types_write_list(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_list *list = from;
	cs_writer_u32(writer, list->n);
	cs_writer_bytes(writer, list->at, list->bytes);
}

static void field_types_read_pairs(struct cs_cursor *cursor, void *to)
{
	struct cs_ue_list *list = to;
	list->n = cs_cursor_count(cursor, 2 * CS_UE_STRING_LEAST);
	list->at = cursor->bytes + cursor->position;
	size_t start = cursor->position;
	for (uint32_t i = 0; i < list->n && !cursor->bad; i++) {
		cs_ue_read_string(cursor);
		cs_ue_read_string(cursor);
	}
	list->bytes = cursor->position - start;
}

static void field_types_read_guid(struct cs_cursor *cursor, void *to)
{
	*(struct cs_guid *)to = cs_cursor_guid(cursor);
}

static void field_types_write_guid(struct cs_writer *writer, const void *from)
{
	cs_writer_guid(writer, *(const struct cs_guid *)from);
}

static void field_types_read_guids(struct cs_cursor *cursor, void *to)
{
	struct cs_ue_list *list = to;
	list->n = cs_cursor_count(cursor, 16);
	list->bytes = (size_t)list->n * 16;
	list->at = cs_cursor_take(cursor, list->bytes);
}

static void read_asset_path(struct cs_cursor *cursor, void *to)
{
	*(struct cs_ue_path *)to = cs_ue_read_asset_path(cursor);
}

static void write_asset_path(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_path *path = from;
	cs_ue_write_string(writer, path->package);
	cs_ue_write_string(writer, path->asset);
}

/* A path that is one name: "/Game/X.X", or the bare name of a class. */
static void read_path_name(struct cs_cursor *cursor, void *to)
{
	struct cs_ue_path path = {.asset = {(const unsigned char *)"", 0}};
	path.sub = path.asset;
	path.package = cs_ue_read_string(cursor);
	*(struct cs_ue_path *)to = path;
}

static void write_path_name(struct cs_writer *writer, const void *from)
{
	cs_ue_write_string(writer, ((const struct cs_ue_path *)from)->package);
}

static void read_soft_path(struct cs_cursor *cursor, void *to)
{
	*(struct cs_ue_path *)to = cs_ue_read_soft_path(cursor);
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

static void field_types_read_transform(struct cs_cursor *cursor, void *to)
{
	*(struct cs_transform *)to = cs_ue_read_transform(cursor);
}

static void field_types_write_transform(struct cs_writer *writer, const void *from)
{
	const struct cs_transform *transform = from;
	write_quat(writer, &transform->rotation);
	cs_writer_vec3(writer, transform->translation);
	cs_writer_vec3(writer, transform->scale);
}

/* ---- bounds ---- */

static struct cs_ue_bounds bounds_around(struct cs_vec3 centre, struct cs_vec3 half)
{
	return (struct cs_ue_bounds){
		.box = {{centre.x - half.x, centre.y - half.y, centre.z - half.z},
			{centre.x + half.x, centre.y + half.y, centre.z + half.z}},
		.rotation = {0, 0, 0, 1},
		.valid = true,
	};
}

static struct cs_vec3 half_extent(const struct cs_ue_bounds *bounds)
{
	const struct cs_box *box = &bounds->box;
	return (struct cs_vec3){(box->max.x - box->min.x) / 2, (box->max.y - box->min.y) / 2,
		(box->max.z - box->min.z) / 2};
}

static void read_bounds_f32(struct cs_cursor *cursor, void *to)
{
	struct cs_vec3 centre = cs_ue_read_vec3f(cursor);
	*(struct cs_ue_bounds *)to = bounds_around(centre, cs_ue_read_vec3f(cursor));
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

static void read_bounds(struct cs_cursor *cursor, void *to)
{
	struct cs_vec3 centre = cs_cursor_vec3(cursor);
	*(struct cs_ue_bounds *)to = bounds_around(centre, cs_cursor_vec3(cursor));
}

static void write_bounds(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_bounds *bounds = from;
	cs_writer_vec3(writer, cs_box_centre(&bounds->box));
	cs_writer_vec3(writer, half_extent(bounds));
}

static void read_maybe_bounds(struct cs_cursor *cursor, void *to)
{
	if (cs_ue_read_bool(cursor))
		read_bounds(cursor, to);
}

static void write_maybe_bounds(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_bounds *bounds = from;
	cs_writer_u32(writer, bounds->valid);
	if (bounds->valid)
		write_bounds(writer, bounds);
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

static void write_box(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_bounds *bounds = from;
	cs_writer_vec3(writer, bounds->box.min);
	cs_writer_vec3(writer, bounds->box.max);
	cs_writer_u8(writer, bounds->valid);
}

static void read_oriented_box(struct cs_cursor *cursor, void *to)
{
	struct cs_ue_bounds *bounds = to;
	bounds->centre = cs_cursor_vec3(cursor);
	bounds->rotation = cs_ue_read_quat(cursor);
	bounds->box.max = cs_cursor_vec3(cursor);
	/* 0 - x, since -x of zero is a zero with a sign */
	bounds->box.min = (struct cs_vec3){
		0 - bounds->box.max.x, 0 - bounds->box.max.y, 0 - bounds->box.max.z};
	bounds->valid = cs_ue_read_bool(cursor);
}

static void write_oriented_box(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_bounds *bounds = from;
	cs_writer_vec3(writer, bounds->centre);
	write_quat(writer, &bounds->rotation);
	cs_writer_vec3(writer, bounds->box.max);
	cs_writer_u32(writer, bounds->valid);
}

/* ---- printing ---- */

static void print_format(struct cs_writer *out, const char *format, ...) CS_PRINTF(2, 3);

static void print_format(struct cs_writer *out, const char *format, ...)
{
	char text[128];
	va_list args;
	va_start(args, format);
	int n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (n > 0)
		cs_writer_bytes(out, text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}

static void print_bool(struct cs_writer *out, const void *from)
{
	print_format(out, "%s", *(const bool *)from ? "true" : "false");
}

static void print_count(struct cs_writer *out, const void *from)
{
	print_format(out, "%u", *(const uint32_t *)from);
}

static void print_name(struct cs_writer *out, const void *from)
{
	struct cs_arena arena = CS_ARENA_INIT;
	size_t length;
	const char *text = cs_ue_text(*(const struct cs_ue_string *)from, &arena, &length);
	if (text)
		cs_writer_bytes(out, text, length);
	else
		out->failed = true;
	cs_arena_deinit(&arena);
}

static void print_path(struct cs_writer *out, const void *from)
{
	struct cs_arena arena = CS_ARENA_INIT;
	size_t length;
	const char *text = cs_ue_path_text(from, &arena, &length);
	if (text)
		cs_writer_bytes(out, text, length);
	else
		out->failed = true;
	cs_arena_deinit(&arena);
}

static void print_strings(struct cs_writer *out, const struct cs_ue_list *list, uint32_t n)
{
	struct cs_cursor cursor = cs_cursor_over(list->at, list->bytes, 0, NULL);
	for (uint32_t i = 0; i < n; i++) {
		struct cs_ue_string name = cs_ue_read_string(&cursor);
		print_format(out, "%s", i ? ", " : "");
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
		print_format(out, "%s", i ? ", " : "");
		print_guid(out, &guid);
	}
}

static void print_numbers(struct cs_writer *out, const double *values, size_t n)
{
	char text[CS_DOUBLE_TEXT];
	for (size_t i = 0; i < n; i++) {
		cs_double_format(values[i], text);
		print_format(out, "%s%s", i ? ", " : "", text);
	}
}

static void print_transform(struct cs_writer *out, const void *from)
{
	const struct cs_transform *t = from;
	const double values[10] = {t->rotation.x, t->rotation.y, t->rotation.z, t->rotation.w,
		t->translation.x, t->translation.y, t->translation.z, t->scale.x, t->scale.y,
		t->scale.z};
	print_numbers(out, values, 10);
}

static void print_bounds(struct cs_writer *out, const void *from)
{
	const struct cs_ue_bounds *b = from;
	const double box[6] = {
		b->box.min.x, b->box.min.y, b->box.min.z, b->box.max.x, b->box.max.y, b->box.max.z};
	const double place[7] = {b->centre.x, b->centre.y, b->centre.z, b->rotation.x,
		b->rotation.y, b->rotation.z, b->rotation.w};
	if (!b->valid) {
		print_format(out, "invalid");
		return;
	}
	print_numbers(out, box, 6);
	if (b->centre.x != 0 || b->centre.y != 0 || b->centre.z != 0 || b->rotation.w != 1) {
		print_format(out, " at ");
		print_numbers(out, place, 7);
	}
}

const struct cs_ue_type_calls cs_ue_field_types[CS_UE_TYPES] = {
	[CS_UE_TYPE_BOOL] = {read_bool, write_bool, print_bool},
	[CS_UE_TYPE_PLACEMENT] = {read_placement, write_placement, print_bool},
	[CS_UE_TYPE_COUNT] = {read_count, write_count, print_count},
	[CS_UE_TYPE_NAME] = {read_name, write_name, print_name},
	[CS_UE_TYPE_NAMES] = {field_types_read_names, field_types_write_list, print_names},
	[CS_UE_TYPE_PAIRS] = {field_types_read_pairs, field_types_write_list, print_pairs},
	[CS_UE_TYPE_GUID] = {field_types_read_guid, field_types_write_guid, print_guid},
	[CS_UE_TYPE_GUIDS] = {field_types_read_guids, field_types_write_list, print_guids},
	[CS_UE_TYPE_ASSET_PATH] = {read_asset_path, write_asset_path, print_path},
	[CS_UE_TYPE_PATH_NAME] = {read_path_name, write_path_name, print_path},
	[CS_UE_TYPE_SOFT_PATH] = {read_soft_path, write_soft_path, print_path},
	[CS_UE_TYPE_TRANSFORM] = {field_types_read_transform, field_types_write_transform,
		print_transform},
	[CS_UE_TYPE_BOUNDS_F32] = {read_bounds_f32, write_bounds_f32, print_bounds},
	[CS_UE_TYPE_BOUNDS] = {read_bounds, write_bounds, print_bounds},
	[CS_UE_TYPE_MAYBE_BOUNDS] = {read_maybe_bounds, write_maybe_bounds, print_bounds},
	[CS_UE_TYPE_BOX] = {read_box, write_box, print_bounds},
	[CS_UE_TYPE_ORIENTED_BOX] = {read_oriented_box, write_oriented_box, print_bounds},
};
