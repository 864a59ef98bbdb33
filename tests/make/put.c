/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: writing tagged properties, in the two forms that tags have had; ue-project-files rules 5.
 */
#include "tests/make/out.h"

#include "core/cursor.h"
#include "tests/make/ue_write.h"
#include "tests/make/writes.h"

enum tag_flag { TAG_NATIVE = 8, TAG_TRUE = 16 };

/* Where structs and enums are declared, which only the newer form of a tag says. */
static const char module[] = "/Script/Engine";

/* A type as both forms of tags need it. */
struct type {
	const char *name;      /* "ArrayProperty" */
	const char *inner;     /* of an array: type of its elements */
	const char *structure; /* of a struct or of an array of structs */
	const char *enumeration;
	bool native, truth; /* truth: value of a bool, which is in the tag */
};

static struct cs_writer *body_of(struct cs_ue_out *out)
{
	return out->exports.n ? &out->exports.at[out->exports.n - 1].body : &out->lost;
}

static bool new_form(const struct cs_ue_out *out)
{
	return out->engine->v5 >= 1012;
}

/* ---- tags ---- */

static void put_node(struct cs_ue_out *out, const char *name, uint32_t children)
{
	cs_ue_write_name(out, body_of(out), name);
	cs_writer_u32(body_of(out), children);
}

static void put_declared(struct cs_ue_out *out, const char *name)
{
	put_node(out, name, 1);
	put_node(out, module, 0);
}

static void put_type_tree(struct cs_ue_out *out, const struct type *type)
{
	bool plain = !type->inner && !type->structure && !type->enumeration;
	put_node(out, type->name, plain ? 0 : type->enumeration ? 2 : 1);
	if (type->inner)
		put_node(out, type->inner, type->structure ? 1 : 0);
	if (type->structure)
		put_declared(out, type->structure);
	if (type->enumeration) {
		put_declared(out, type->enumeration);
		put_node(out, "ByteProperty", 0);
	}
}

/* What stands between the type and the value in the older form. */
static void put_old_details(struct cs_ue_out *out, const struct type *type)
{
	struct cs_writer *body = body_of(out);
	if (type->inner) {
		cs_ue_write_name(out, body, type->inner);
	} else if (type->structure) {
		cs_ue_write_name(out, body, type->structure);
		cs_writer_guid(body, (struct cs_guid){0});
	} else if (type->enumeration) {
		cs_ue_write_name(out, body, type->enumeration);
	} else if (strcmp(type->name, "BoolProperty") == 0) {
		cs_writer_u8(body, type->truth);
	}
	cs_writer_u8(body, 0); /* no GUID of the property */
}

static struct cs_ue_open_value open_tag(
	struct cs_ue_out *out, const char *name, const struct type *type)
{
	struct cs_writer *body = body_of(out);
	struct cs_ue_open_value value = {0};
	cs_ue_write_name(out, body, name);
	if (new_form(out)) {
		put_type_tree(out, type);
		value.size_at = body->size;
		cs_writer_u32(body, 0);
		cs_writer_u8(body, (type->native ? TAG_NATIVE : 0) | (type->truth ? TAG_TRUE : 0));
	} else {
		cs_ue_write_name(out, body, type->name);
		value.size_at = body->size;
		cs_writer_u32(body, 0);
		cs_writer_u32(body, 0); /* array index */
		put_old_details(out, type);
	}
	value.start = body->size;
	return value;
}

static void patch_size(struct cs_writer *body, size_t size_at, size_t start)
{
	if (!body->failed)
		cs_store32(body->bytes + size_at, (uint32_t)(body->size - start));
}

static void close_tag(struct cs_ue_out *out, struct cs_ue_open_value value)
{
	patch_size(body_of(out), value.size_at, value.start);
}

/* ---- plain values ---- */

void cs_ue_put_bool(struct cs_ue_out *out, const char *name, bool value)
{
	open_tag(out, name, &(struct type){.name = "BoolProperty", .truth = value});
}

void cs_ue_put_int(struct cs_ue_out *out, const char *name, int32_t value)
{
	struct cs_ue_open_value tag = open_tag(out, name, &(struct type){.name = "IntProperty"});
	cs_writer_u32(body_of(out), (uint32_t)value);
	close_tag(out, tag);
}

void cs_ue_put_u32(struct cs_ue_out *out, const char *name, uint32_t value)
{
	struct cs_ue_open_value tag = open_tag(out, name, &(struct type){.name = "UInt32Property"});
	cs_writer_u32(body_of(out), value);
	close_tag(out, tag);
}

void cs_ue_put_float(struct cs_ue_out *out, const char *name, double value)
{
	struct cs_ue_open_value tag = open_tag(out, name, &(struct type){.name = "FloatProperty"});
	cs_writer_f32(body_of(out), (float)value);
	close_tag(out, tag);
}

void cs_ue_put_double(struct cs_ue_out *out, const char *name, double value)
{
	struct cs_ue_open_value tag = open_tag(out, name, &(struct type){.name = "DoubleProperty"});
	cs_writer_f64(body_of(out), value);
	close_tag(out, tag);
}

void cs_ue_put_name(struct cs_ue_out *out, const char *name, const char *value)
{
	struct cs_ue_open_value tag = open_tag(out, name, &(struct type){.name = "NameProperty"});
	cs_ue_write_name(out, body_of(out), value);
	close_tag(out, tag);
}

void cs_ue_put_text(struct cs_ue_out *out, const char *name, const char *value)
{
	struct cs_ue_open_value tag = open_tag(out, name, &(struct type){.name = "StrProperty"});
	cs_ue_write_string(body_of(out), cs_ue_string_of(value, &out->arena));
	close_tag(out, tag);
}

void cs_ue_put_enum(struct cs_ue_out *out, const char *name, const char *type, const char *value)
{
	struct cs_ue_open_value tag =
		open_tag(out, name, &(struct type){.name = "EnumProperty", .enumeration = type});
	cs_ue_write_name(out, body_of(out), value);
	close_tag(out, tag);
}

void cs_ue_put_object(struct cs_ue_out *out, const char *name, int32_t index)
{
	struct cs_ue_open_value tag = open_tag(out, name, &(struct type){.name = "ObjectProperty"});
	cs_writer_u32(body_of(out), (uint32_t)index);
	close_tag(out, tag);
}

void cs_ue_put_objects(
	struct cs_ue_out *out, const char *name, const int32_t *indices, uint32_t count)
{
	struct cs_ue_open_value tag = open_tag(
		out, name, &(struct type){.name = "ArrayProperty", .inner = "ObjectProperty"});
	cs_writer_u32(body_of(out), count);
	for (uint32_t i = 0; i < count; i++)
		cs_writer_u32(body_of(out), (uint32_t)indices[i]);
	close_tag(out, tag);
}

/* ---- structs ---- */

static struct cs_ue_open_value open_native(
	struct cs_ue_out *out, const char *name, const char *structure)
{
	return open_tag(out, name,
		&(struct type){.name = "StructProperty", .structure = structure, .native = true});
}

void cs_ue_put_guid(struct cs_ue_out *out, const char *name, struct cs_guid value)
{
	struct cs_ue_open_value tag = open_native(out, name, "Guid");
	cs_writer_guid(body_of(out), value);
	close_tag(out, tag);
}

/* Coordinates are f32 before UE5 version 1004. */
static void put_coordinate(struct cs_ue_out *out, double value)
{
	if (out->engine->v5 >= 1004)
		cs_writer_f64(body_of(out), value);
	else
		cs_writer_f32(body_of(out), (float)value);
}

void cs_ue_put_vector(struct cs_ue_out *out, const char *name, struct cs_vec3 value)
{
	struct cs_ue_open_value tag = open_native(out, name, "Vector");
	put_coordinate(out, value.x);
	put_coordinate(out, value.y);
	put_coordinate(out, value.z);
	close_tag(out, tag);
}

void cs_ue_put_vector2(struct cs_ue_out *out, const char *name, double x, double y)
{
	struct cs_ue_open_value tag = open_native(out, name, "Vector2D");
	put_coordinate(out, x);
	put_coordinate(out, y);
	close_tag(out, tag);
}

void cs_ue_put_linear_color(struct cs_ue_out *out, const char *name, uint32_t color)
{
	struct cs_ue_open_value tag = open_native(out, name, "LinearColor");
	for (int shift = 16; shift >= 0; shift -= 8)
		cs_writer_f32(body_of(out), (float)(color >> shift & 255) / 255);
	cs_writer_f32(body_of(out), 1);
	close_tag(out, tag);
}

void cs_ue_put_color(struct cs_ue_out *out, const char *name, uint32_t color)
{
	struct cs_ue_open_value tag = open_native(out, name, "Color");
	cs_writer_u32(body_of(out), color | 0xff000000u);
	close_tag(out, tag);
}

struct cs_ue_open_value cs_ue_begin_struct(
	struct cs_ue_out *out, const char *name, const char *type)
{
	return open_tag(out, name, &(struct type){.name = "StructProperty", .structure = type});
}

void cs_ue_end_struct(struct cs_ue_out *out, struct cs_ue_open_value value)
{
	cs_ue_write_name(out, body_of(out), "None");
	close_tag(out, value);
}

struct cs_ue_open_value cs_ue_begin_array(
	struct cs_ue_out *out, const char *name, const char *type, uint32_t count)
{
	struct cs_writer *body = body_of(out);
	struct cs_ue_open_value value = open_tag(out, name,
		&(struct type){
			.name = "ArrayProperty", .inner = "StructProperty", .structure = type});
	cs_writer_u32(body, count);
	if (new_form(out))
		return value;
	/* the older form has a tag for all elements in front of them */
	struct cs_ue_open_value inner =
		open_tag(out, name, &(struct type){.name = "StructProperty", .structure = type});
	value.inner_size_at = inner.size_at;
	value.inner_start = inner.start;
	return value;
}

void cs_ue_end_element(struct cs_ue_out *out)
{
	cs_ue_write_name(out, body_of(out), "None");
}

void cs_ue_end_array(struct cs_ue_out *out, struct cs_ue_open_value value)
{
	if (value.inner_start)
		patch_size(body_of(out), value.inner_size_at, value.inner_start);
	close_tag(out, value);
}
