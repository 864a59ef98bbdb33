/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lists of tagged properties (ue-cooked rules 5.1). Unknown types are skipped by size. */
#include "ue/object/read_values.h"

enum { MOST_TYPE_NODES = 64, SINCE_TYPE_NAMES = 1012, SINCE_EXTENSION = 1011 };
enum { FLAG_INDEX = 1, FLAG_GUID = 2, FLAG_EXTENSION = 4, FLAG_NATIVE = 8, FLAG_TRUE = 16 };

struct tag {
	const char *name;
	struct cs_ue_type *type;
	uint32_t size, index;
	bool native, boolean, end;
};

/* Names of property types in files, each with the letter that class_schema.h uses for the type. */
static const struct {
	const char *name;
	char kind;
} kinds[] = {
	{"BoolProperty", 'b'},
	{"FloatProperty", 'f'},
	{"DoubleProperty", 'd'},
	{"IntProperty", 'i'},
	{"Int64Property", 'l'},
	{"UInt32Property", 'u'},
	{"UInt64Property", 'q'},
	{"UInt16Property", 'h'},
	{"Int16Property", 'H'},
	{"Int8Property", 'c'},
	{"ByteProperty", 'B'},
	{"NameProperty", 'n'},
	{"StrProperty", 's'},
	{"ObjectProperty", 'o'},
	{"ClassProperty", 'o'},
	{"WeakObjectProperty", 'o'},
	{"InterfaceProperty", 'o'},
	{"SoftObjectProperty", 'O'},
	{"SoftClassProperty", 'O'},
	{"LazyObjectProperty", 'z'},
	{"DelegateProperty", 'D'},
	{"MulticastDelegateProperty", 'M'},
	{"MulticastInlineDelegateProperty", 'M'},
	{"FieldPathProperty", 'F'},
	{"EnumProperty", 'E'},
	{"StructProperty", 'S'},
	{"ArrayProperty", 'A'},
	{"SetProperty", 'K'},
	{"MapProperty", 'P'},
	{"OptionalProperty", 'Q'},
};

static char tags_kind_of(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return kinds[i].kind;
	return '?';
}

static struct cs_ue_type *new_type(
	struct cs_ue_reading reading, struct cs_cursor *cursor, const char *name)
{
	struct cs_ue_type *type = CS_ARENA_NEW(&reading.decoder->arena, struct cs_ue_type);
	if (!type)
		cs_cursor_fail(cursor, CS_E_NOMEM, "out of memory");
	else
		type->kind = tags_kind_of(name);
	return type;
}

/* ---- tags from 5.4 on: types are trees of names ---- */

/* Reads a type with its parameters: the name of a struct or enum, or the types of elements. */
static struct cs_ue_type *tags_read_type_tree(
	struct cs_ue_reading reading, struct cs_cursor *cursor, unsigned *nodes)
{
	const char *name = cs_ue_read_fname(reading.decoder, cursor);
	int32_t children = cs_cursor_i32(cursor);
	struct cs_ue_type *type = new_type(reading, cursor, name);
	if (children < 0)
		cs_cursor_fail(
			cursor, CS_E_FIELD, "a property type has a negative number of parameters");
	else if (++*nodes > MOST_TYPE_NODES)
		cs_cursor_fail(cursor, CS_E_FIELD,
			"the type of a property contains more than 64 types, the limit");
	if (cursor->bad)
		return NULL;
	type->name = name;
	for (int32_t i = 0; i < children && !cursor->bad; i++) {
		struct cs_ue_type *child = tags_read_type_tree(reading, cursor, nodes);
		if (!child)
			return NULL;
		if (i == 0 && (type->kind == 'S' || type->kind == 'E'))
			type->name = child->name;
		else if (i == 0)
			type->inner = child;
		else if (i == 1)
			type->value = child;
	}
	return type;
}

static void tags_read_new_tag(
	struct cs_ue_reading reading, struct cs_cursor *cursor, struct tag *tag)
{
	unsigned nodes = 0;
	tag->type = tags_read_type_tree(reading, cursor, &nodes);
	tag->size = cs_cursor_u32(cursor);
	unsigned flags = cs_cursor_u8(cursor);
	tag->index = flags & FLAG_INDEX ? cs_cursor_u32(cursor) : 0;
	if (flags & FLAG_GUID)
		cs_cursor_skip(cursor, 16);
	if (flags & FLAG_EXTENSION && cs_cursor_u8(cursor) & 2)
		cs_cursor_skip(cursor, 5);
	tag->native = flags & FLAG_NATIVE;
	tag->boolean = flags & FLAG_TRUE;
}

/* ---- tags before 5.4 ---- */

static void read_old_type(struct cs_ue_reading reading, struct cs_cursor *cursor, struct tag *tag)
{
	struct cs_ue_type *type = tag->type, *inner;
	switch (type->kind) {
	case 'S':
		type->name = cs_ue_read_fname(reading.decoder, cursor);
		cs_cursor_skip(cursor, 16);
		break;
	case 'b':
		tag->boolean = cs_cursor_u8(cursor) != 0;
		break;
	case 'B':
	case 'E':
		type->name = cs_ue_read_fname(reading.decoder, cursor);
		break;
	case 'A':
	case 'K':
	case 'Q':
	case 'P':
		inner = new_type(reading, cursor, cs_ue_read_fname(reading.decoder, cursor));
		type->inner = inner;
		if (type->kind == 'P')
			type->value = new_type(
				reading, cursor, cs_ue_read_fname(reading.decoder, cursor));
		break;
	default:
		break;
	}
}

static void tags_read_old_tag(
	struct cs_ue_reading reading, struct cs_cursor *cursor, struct tag *tag)
{
	tag->type = new_type(reading, cursor, cs_ue_read_fname(reading.decoder, cursor));
	tag->size = cs_cursor_u32(cursor);
	tag->index = cs_cursor_u32(cursor);
	if (!tag->type)
		return;
	read_old_type(reading, cursor, tag);
	if (cs_cursor_u8(cursor) != 0)
		cs_cursor_skip(cursor, 16);
	if (reading.decoder->package->v5 >= SINCE_EXTENSION && cs_cursor_u8(cursor) & 2)
		cs_cursor_skip(cursor, 5);
}

static struct tag tags_read_tag(struct cs_ue_reading reading, struct cs_cursor *cursor)
{
	struct tag tag = {.name = cs_ue_read_fname(reading.decoder, cursor)};
	tag.end = cursor->bad || strcmp(tag.name, "None") == 0;
	if (tag.end)
		return tag;
	if (reading.decoder->package->v5 >= SINCE_TYPE_NAMES)
		tags_read_new_tag(reading, cursor, &tag);
	else
		tags_read_old_tag(reading, cursor, &tag);
	return tag;
}

/* ---- values after tags ---- */

/* Reads the tag at the start of an array of structs, which names the struct type. */
static void read_inner_tag(struct cs_ue_reading reading, struct cs_cursor *cursor, struct tag *tag)
{
	struct cs_cursor count = *cursor;
	cs_cursor_skip(&count, 4);
	struct tag inner = tags_read_tag(reading, &count);
	if (count.bad || !inner.type || inner.type->kind != 'S') {
		cs_cursor_fail(
			cursor, CS_E_LAYOUT, "an array of structs does not name its struct type");
		return;
	}
	/* copies the count and the elements, but not the tag that the file has between them */
	tag->type->inner = inner.type;
	size_t skipped = count.position - cursor->position - 4;
	unsigned char *copy =
		cs_arena_alloc(&reading.decoder->arena, cursor->size - cursor->position, 1);
	if (!copy) {
		cs_cursor_fail(cursor, CS_E_NOMEM, "out of memory");
		return;
	}
	size_t n = cursor->size - cursor->position - skipped;
	memcpy(copy, cursor->bytes + cursor->position, 4);
	memcpy(copy + 4, cursor->bytes + count.position, n - 4);
	*cursor =
		cs_cursor_over(copy, n, cursor->origin + cursor->position + skipped, cursor->file);
}

static void read_tagged_value(struct cs_ue_reading reading, struct cs_cursor *cursor,
	struct tag *tag, struct cs_ue_node *node)
{
	const struct cs_ue_type *inner = tag->type->inner;
	if (tag->type->kind == 'b') {
		node->kind = CS_UE_NODE_BOOL;
		node->integer = tag->boolean;
		return;
	}
	if (tag->type->kind == 'B' && tag->size == 8)
		tag->type->kind = 'n';
	if (tag->type->kind == 'A' && inner && inner->kind == 'S' && !inner->name)
		read_inner_tag(reading, cursor, tag);
	reading.as_properties = tag->type->kind == 'S' && !tag->native &&
				reading.decoder->package->v5 >= SINCE_TYPE_NAMES &&
				!cs_ue_struct_is_binary(tag->type->name);
	if (!cursor->bad)
		cs_ue_read_value(reading, cursor, tag->type, node);
}

/* Returns whether a tag suffices to read a value: before 5.4, container tags lack struct types. */
static bool is_readable(const struct tag *tag)
{
	const struct cs_ue_type *type = tag->type;
	if (type->kind == '?')
		return false;
	if (type->kind == 'S' && tag->native && !cs_ue_struct_is_binary(type->name))
		return false;
	if (strchr("KQP", type->kind) && type->inner && type->inner->kind == 'S' &&
		!type->inner->name)
		return false;
	return type->kind != 'P' || !type->value || type->value->kind != 'S' || type->value->name;
}

void cs_ue_read_tags(struct cs_ue_reading reading, struct cs_cursor *cursor, struct cs_ue_node *to)
{
	while (!cursor->bad) {
		struct tag tag = tags_read_tag(reading, cursor);
		if (tag.end)
			break;
		if (tag.size > cs_cursor_left(cursor) || !tag.type) {
			cs_cursor_fail(cursor, CS_E_TRUNCATED,
				"the value of a property extends past the end of its object");
			break;
		}
		struct cs_ue_node *node = cs_ue_add_child(reading.decoder, cursor, to, tag.name);
		struct cs_cursor value = cs_cursor_over(cursor->bytes + cursor->position, tag.size,
			cursor->origin + cursor->position, cursor->file);
		if (!node)
			break;
		node->index = tag.index;
		if (is_readable(&tag))
			read_tagged_value(reading, &value, &tag, node);
		if (value.bad)
			*node = (struct cs_ue_node){.name = node->name, .index = node->index};
		cs_cursor_skip(cursor, tag.size);
	}
}
