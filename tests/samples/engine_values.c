/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: writing properties as the engine does (ue-cooked rules 5), types by the built-in tables. */
#include "tests/samples/engine_values.h"
#include "tests/make/writes.h"

#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_value(struct engine_writing *w, struct cs_writer *to,
	const struct cs_ue_type *type, const json_t *value, bool contained);

void engine_fail(struct engine_writing *w, const char *what, const char *which)
{
	if (!w->failed)
		fprintf(stderr, "a package cannot be written: %s %s\n", what, which);
	w->failed = true;
}

static void append(struct cs_writer *to, const struct cs_writer *from)
{
	cs_writer_bytes(to, from->bytes, from->size);
}

/* ---- structs in bytes ---- */

static const struct packed {
	const char *name;
	char form; /* d f64, f f32, i i32, b u8 */
	unsigned n;
} packed[] = {{"Vector", 'd', 3}, {"Rotator", 'd', 3}, {"Quat", 'd', 4}, {"Vector2D", 'd', 2},
	{"LinearColor", 'f', 4}, {"IntPoint", 'i', 2}, {"IntVector", 'i', 3}, {"Color", 'b', 4},
	{"Box", 'B', 6}, {"Guid", 'G', 0}, {"SoftObjectPath", 'O', 0}};

static const struct packed *find_packed(const char *name)
{
	for (size_t i = 0; i < sizeof(packed) / sizeof(packed[0]); i++)
		if (strcmp(packed[i].name, name) == 0)
			return &packed[i];
	return NULL;
}

static void write_numbers(struct cs_writer *to, char form, const json_t *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double value = json_number_value(json_array_get(list, i));
		if (form == 'd')
			cs_writer_f64(to, value);
		else if (form == 'f')
			cs_writer_f32(to, (float)value);
		else if (form == 'i')
			cs_writer_u32(to, (uint32_t)(int32_t)value);
		else
			cs_writer_u8(to, (uint8_t)value);
	}
}

void engine_write_guid(struct cs_writer *to, const char *hex)
{
	char part[9] = "";
	for (int i = 0; i < 4; i++) {
		memcpy(part, hex && strlen(hex) == 32 ? hex + 8 * (size_t)i : "00000000", 8);
		cs_writer_u32(to, (uint32_t)strtoul(part, NULL, 16));
	}
}

/* Writes "/Game/M.M:Sub" as package, asset and sub path. */
static void write_soft_path(struct engine_writing *w, struct cs_writer *to, const char *path)
{
	const char *colon = strchr(path, ':'), *sub = colon ? colon + 1 : "";
	size_t n = colon ? (size_t)(colon - path) : strlen(path);
	char *whole = strndup(path, n), *dot = whole ? strrchr(whole, '.') : NULL;
	if (dot)
		*dot = '\0';
	engine_write_name(w, to, whole && *whole ? whole : "None");
	if (w->facts->v5 >= 1007)
		engine_write_name(w, to, dot ? dot + 1 : "None");
	if (w->facts->fn_main >= 192) {
		cs_writer_u32(to, (uint32_t)strlen(sub));
		cs_writer_bytes(to, sub, strlen(sub));
	} else {
		engine_write_string(to, sub);
	}
	free(whole);
}

static void write_packed(struct engine_writing *w, struct cs_writer *to, const struct packed *form,
	const json_t *value)
{
	if (form->form == 'G') {
		engine_write_guid(to, json_string_value(value));
	} else if (form->form == 'O') {
		write_soft_path(w, to, json_string_value(value) ? json_string_value(value) : "");
	} else if (form->form == 'B') {
		write_numbers(to, 'd', json_object_get(value, "min"), 3);
		write_numbers(to, 'd', json_object_get(value, "max"), 3);
		cs_writer_u8(to, json_is_true(json_object_get(value, "valid")));
	} else {
		write_numbers(to, form->form, value, form->n);
	}
}

/* ---- lists without tags ---- */

/* The slots of a class and of its parents that have a value. */
struct slots {
	struct {
		const struct cs_ue_slot *slot;
		const json_t *value;
		uint32_t number;
	} at[256];
	size_t n;
};

static const json_t *element(const json_t *value, const struct cs_ue_slot *slot)
{
	return slot->count > 1 ? json_array_get(value, slot->index) : value;
}

static void find_slots(struct engine_writing *w, const char *class_name, const json_t *properties,
	struct slots *ret)
{
	const struct cs_ue_class *class = cs_ue_schema_class(&w->schema, class_name);
	const struct cs_ue_slot *slot;
	static const struct cs_ue_class none = {.name = "", .super = "Object"};
	size_t found = 0;
	ret->n = 0;
	for (uint32_t i = 0; (slot = cs_ue_schema_slot(&w->schema, class ? class : &none, i));
		i++) {
		const json_t *value = json_object_get(properties, slot->name);
		if (!value || ret->n == 256)
			continue;
		found += slot->index == 0;
		ret->at[ret->n].slot = slot;
		ret->at[ret->n].value = element(value, slot);
		ret->at[ret->n++].number = i;
	}
	if (found != json_object_size(properties))
		engine_fail(w, "a property is not of the class", class_name);
}

/*
 * Returns whether the value is a zero, which takes no bytes where the mask says so: an empty value,
 * or false.
 */
static bool is_zero(const struct cs_ue_type *type, const json_t *value)
{
	if (type->kind == 'b')
		return json_is_false(value);
	if (strchr("iulqhHcB", type->kind))
		return json_integer_value(value) == 0;
	return type->kind == 'o' && json_is_null(value);
}

static void write_fragments(const struct slots *slots, struct cs_writer *to)
{
	uint32_t next = 0;
	for (size_t i = 0; i < slots->n;) {
		size_t run = 1;
		uint32_t skip = slots->at[i].number - next;
		while (i + run < slots->n && run < 127 &&
			slots->at[i + run].number == slots->at[i].number + run)
			run++;
		for (; skip > 127; skip -= 127)
			cs_writer_u16(to, 127);
		cs_writer_u16(
			to, (uint16_t)(skip | 1u << 7 | (i + run == slots->n) << 8 | run << 9));
		next = slots->at[i].number + (uint32_t)run;
		i += run;
	}
	if (slots->n == 0)
		cs_writer_u16(to, 1u << 8);
}

static void write_untagged(struct engine_writing *w, struct cs_writer *to, const char *class_name,
	const json_t *properties)
{
	struct slots slots;
	unsigned char mask[32] = {0};
	find_slots(w, class_name, properties, &slots);
	write_fragments(&slots, to);
	for (size_t i = 0; i < slots.n; i++)
		if (is_zero(slots.at[i].slot->type, slots.at[i].value))
			mask[i / 8] |= (unsigned char)(1u << i % 8);
	size_t bytes = slots.n == 0    ? 0
		       : slots.n <= 8  ? 1
		       : slots.n <= 16 ? 2
				       : (slots.n + 31) / 32 * 4;
	cs_writer_bytes(to, mask, bytes);
	for (size_t i = 0; i < slots.n; i++)
		if (!(mask[i / 8] >> i % 8 & 1))
			write_value(w, to, slots.at[i].slot->type, slots.at[i].value, false);
}

/* ---- lists with tags ---- */

static const char *type_name(char kind)
{
	static const struct {
		char kind;
		const char *name;
	} names[] = {{'b', "BoolProperty"}, {'f', "FloatProperty"}, {'d', "DoubleProperty"},
		{'i', "IntProperty"}, {'l', "Int64Property"}, {'u', "UInt32Property"},
		{'q', "UInt64Property"}, {'h', "UInt16Property"}, {'H', "Int16Property"},
		{'c', "Int8Property"}, {'B', "ByteProperty"}, {'n', "NameProperty"},
		{'s', "StrProperty"}, {'o', "ObjectProperty"}, {'O', "SoftObjectProperty"},
		{'E', "EnumProperty"}, {'S', "StructProperty"}, {'A', "ArrayProperty"},
		{'K', "SetProperty"}, {'P', "MapProperty"}, {'Q', "OptionalProperty"}};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].kind == kind)
			return names[i].name;
	return "?";
}

static void write_type_node(
	struct engine_writing *w, struct cs_writer *to, const char *name, uint32_t children)
{
	engine_write_name(w, to, name);
	cs_writer_u32(to, children);
}

static void write_type_tree(
	struct engine_writing *w, struct cs_writer *to, const struct cs_ue_type *type)
{
	uint32_t children = type->kind == 'P' || type->kind == 'E' ? 2
			    : strchr("SAKQ", type->kind)           ? 1
								   : 0;
	write_type_node(w, to, type_name(type->kind), children);
	if (type->kind == 'S' || type->kind == 'E') {
		/* which module it is of, and what an enum is made of */
		write_type_node(w, to, type->name, 1);
		write_type_node(w, to, "/Script/Engine", 0);
	}
	if (type->kind == 'E')
		write_type_node(w, to, "ByteProperty", 0);
	if (type->inner)
		write_type_tree(w, to, type->inner);
	if (type->value)
		write_type_tree(w, to, type->value);
}

static void write_new_tag(struct engine_writing *w, struct cs_writer *to,
	const struct cs_ue_slot *slot, const json_t *value, size_t size)
{
	const struct cs_ue_type *type = slot->type;
	bool binary = type->kind == 'S' && find_packed(type->name);
	write_type_tree(w, to, type);
	cs_writer_u32(to, (uint32_t)size);
	cs_writer_u8(to, (uint8_t)((slot->index ? 1 : 0) | (binary ? 8 : 0) |
				   (json_is_true(value) && type->kind == 'b' ? 16 : 0)));
	if (slot->index)
		cs_writer_u32(to, slot->index);
}

static void write_old_tag(struct engine_writing *w, struct cs_writer *to,
	const struct cs_ue_slot *slot, const json_t *value, size_t size)
{
	const struct cs_ue_type *type = slot->type;
	engine_write_name(w, to, type_name(type->kind));
	cs_writer_u32(to, (uint32_t)size);
	cs_writer_u32(to, slot->index);
	if (type->kind == 'S') {
		engine_write_name(w, to, type->name);
		engine_write_guid(to, NULL);
	} else if (type->kind == 'b') {
		cs_writer_u8(to, json_is_true(value));
	} else if (type->kind == 'E' || type->kind == 'B') {
		engine_write_name(w, to, type->kind == 'E' ? type->name : "None");
	} else if (strchr("AKPQ", type->kind)) {
		engine_write_name(w, to, type_name(type->inner->kind));
		if (type->kind == 'P')
			engine_write_name(w, to, type_name(type->value->kind));
	}
	cs_writer_u8(to, 0);
	if (w->facts->v5 >= 1011)
		cs_writer_u8(to, 0);
}

/* Before 5.4 an array of structs has a tag within, which repeats the name of the struct. */
static void write_inner_tag(struct engine_writing *w, struct cs_writer *to,
	const struct cs_ue_slot *slot, struct cs_writer *elements)
{
	const struct cs_ue_slot inner = {.name = slot->name, .type = slot->type->inner};
	cs_writer_bytes(to, elements->bytes, 4);
	engine_write_name(w, to, slot->name);
	write_old_tag(w, to, &inner, NULL, elements->size - 4);
	cs_writer_bytes(to, elements->bytes + 4, elements->size - 4);
}

static void write_tag(struct engine_writing *w, struct cs_writer *to, const struct cs_ue_slot *slot,
	const json_t *value)
{
	struct cs_writer bytes = {0}, inner = {0};
	bool old = w->facts->v5 < 1012;
	const struct cs_ue_type *type = slot->type;
	if (type->kind != 'b')
		write_value(w, &bytes, type, value, false);
	if (old && type->kind == 'A' && type->inner->kind == 'S') {
		write_inner_tag(w, &inner, slot, &bytes);
		cs_writer_deinit(&bytes);
		bytes = inner;
	}
	engine_write_name(w, to, slot->name);
	(old ? write_old_tag : write_new_tag)(w, to, slot, value, bytes.size);
	append(to, &bytes);
	cs_writer_deinit(&bytes);
}

static void write_tagged(struct engine_writing *w, struct cs_writer *to, const char *class_name,
	const json_t *properties)
{
	struct slots slots;
	find_slots(w, class_name, properties, &slots);
	for (size_t i = 0; i < slots.n; i++)
		write_tag(w, to, slots.at[i].slot, slots.at[i].value);
	engine_write_name(w, to, "None");
}

/* ---- values ---- */

static void write_list(struct engine_writing *w, struct cs_writer *to,
	const struct cs_ue_type *type, const json_t *value)
{
	size_t n = json_array_size(value);
	if (type->kind != 'A')
		cs_writer_u32(to, 0); /* nothing was removed */
	cs_writer_u32(to, (uint32_t)n);
	for (size_t i = 0; i < n; i++) {
		const json_t *each = json_array_get(value, i);
		if (type->kind == 'P') {
			write_value(w, to, type->inner, json_array_get(each, 0), true);
			write_value(w, to, type->value, json_array_get(each, 1), true);
		} else {
			write_value(w, to, type->inner, each, true);
		}
	}
}

static void write_enum(struct engine_writing *w, struct cs_writer *to,
	const struct cs_ue_type *type, const json_t *value, bool contained)
{
	const char *text = json_string_value(value), *wanted = text ? strrchr(text, ':') : NULL;
	if (w->form->tagged || contained) {
		engine_write_name(w, to, text ? text : "None");
		return;
	}
	for (unsigned i = 0; i < 256; i++) {
		const char *name = cs_ue_schema_value(&w->schema, type->name, i);
		if (name && wanted && strcmp(name, wanted + 1) == 0) {
			cs_writer_u8(to, (uint8_t)i);
			return;
		}
	}
	engine_fail(w, "an enum has no value", text ? text : "?");
}

static void write_integer(struct cs_writer *to, char kind, int64_t value)
{
	if (strchr("lq", kind))
		cs_writer_u64(to, (uint64_t)value);
	else if (strchr("iu", kind))
		cs_writer_u32(to, (uint32_t)value);
	else if (strchr("hH", kind))
		cs_writer_u16(to, (uint16_t)value);
	else
		cs_writer_u8(to, (uint8_t)value);
}

static void write_struct(
	struct engine_writing *w, struct cs_writer *to, const char *name, const json_t *value)
{
	const struct packed *form = find_packed(name);
	if (form)
		write_packed(w, to, form, value);
	else
		(w->form->tagged ? write_tagged : write_untagged)(w, to, name, value);
}

static void write_value(struct engine_writing *w, struct cs_writer *to,
	const struct cs_ue_type *type, const json_t *value, bool contained)
{
	const char *text = json_string_value(value) ? json_string_value(value) : "";
	switch (type->kind) {
	case 'b':
		cs_writer_u8(to, json_is_true(value));
		break;
	case 'f':
		cs_writer_f32(to, (float)json_number_value(value));
		break;
	case 'd':
		cs_writer_f64(to, json_number_value(value));
		break;
	case 'n':
		engine_write_name(w, to, *text ? text : "None");
		break;
	case 's':
		engine_write_string(to, text);
		break;
	case 'o':
		cs_writer_u32(to, (uint32_t)engine_reference(w, text));
		break;
	case 'O':
		write_soft_path(w, to, text);
		break;
	case 'E':
		write_enum(w, to, type, value, contained);
		break;
	case 'S':
		write_struct(w, to, type->name, value);
		break;
	case 'A':
	case 'K':
	case 'P':
		write_list(w, to, type, value);
		break;
	case 'Q':
		cs_writer_u32(to, value != NULL && !json_is_null(value));
		if (value && !json_is_null(value))
			write_value(w, to, type->inner, value, true);
		break;
	default:
		write_integer(to, type->kind, json_integer_value(value));
	}
}

void engine_write_properties(struct engine_writing *w, struct cs_writer *to, const char *class_name,
	const json_t *properties)
{
	if (!w->form->tagged) {
		write_untagged(w, to, class_name, properties);
		return;
	}
	if (w->facts->v5 >= 1011)
		cs_writer_u8(to, 0);
	write_tagged(w, to, class_name, properties);
}
