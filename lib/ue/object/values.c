/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes values of properties by type, and lists of untagged properties (ue-cooked rules 5.2,
 * 5.3). For tagged properties, tags.c reads the type and calls this file.
 */
#include "ue/object/read_values.h"
#include "ue/package/wire.h"

enum { DEEPEST = 64 };

/* ---- nodes of the tree ---- */

struct cs_ue_node *cs_ue_add_child(struct cs_ue_decoder *decoder, struct cs_cursor *cursor,
	struct cs_ue_node *node, const char *name)
{
	struct cs_ue_node *child = CS_ARENA_NEW(&decoder->arena, struct cs_ue_node);
	if (!child) {
		cs_cursor_fail(cursor, CS_E_NOMEM, "out of memory");
		return NULL;
	}
	child->name = name;
	if (node->last)
		node->last->next = child;
	else
		node->first = child;
	node->last = child;
	node->n++;
	return child;
}

const struct cs_ue_node *cs_ue_child(const struct cs_ue_node *node, const char *name)
{
	/* ignore case: the engine does, and a cook stores the case that it happens to read first */
	for (const struct cs_ue_node *at = node ? node->first : NULL; at; at = at->next)
		if (at->name && cs_name_compare(at->name, name) == 0 && at->index == 0)
			return at;
	return NULL;
}

const char *cs_ue_child_text(const struct cs_ue_node *node, const char *name)
{
	const struct cs_ue_node *child = cs_ue_child(node, name);
	return child && child->text ? child->text : "";
}

int64_t cs_ue_child_integer(const struct cs_ue_node *node, const char *name, int64_t otherwise)
{
	const struct cs_ue_node *child = cs_ue_child(node, name);
	return child && child->kind != CS_UE_NODE_NUMBER ? child->integer : otherwise;
}

double cs_ue_child_number(const struct cs_ue_node *node, const char *name, double otherwise)
{
	const struct cs_ue_node *child = cs_ue_child(node, name);
	if (!child)
		return otherwise;
	return child->kind == CS_UE_NODE_NUMBER ? child->number : (double)child->integer;
}

struct cs_guid cs_ue_child_guid(const struct cs_ue_node *node, const char *name)
{
	const struct cs_ue_node *child = cs_ue_child(node, name);
	return child && child->kind == CS_UE_NODE_GUID ? child->guid : (struct cs_guid){0};
}

/* ---- texts, names and references ---- */

const char *cs_ue_read_text(struct cs_ue_decoder *decoder, struct cs_cursor *cursor)
{
	const char *text = cs_ue_text(cs_ue_read_string(cursor), &decoder->arena);
	if (!text)
		cs_cursor_fail(cursor, CS_E_NOMEM, "out of memory");
	return text ? text : "";
}

const char *cs_ue_read_fname(struct cs_ue_decoder *decoder, struct cs_cursor *cursor)
{
	uint32_t index = cs_cursor_u32(cursor), number = cs_cursor_u32(cursor);
	if (cursor->bad)
		return "None";
	const char *name =
		cs_ue_names_text(&decoder->package->names, index, number, &decoder->arena);
	if (!name)
		cs_ue_names_fail(&decoder->package->names, index, cursor);
	return name ? name : "None";
}

static void set_text(struct cs_ue_node *node, const char *text)
{
	node->kind = CS_UE_NODE_TEXT;
	node->text = text;
}

static void set_integer(struct cs_ue_node *node, int64_t value)
{
	node->kind = CS_UE_NODE_INTEGER;
	node->integer = value;
}

static void read_reference(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_node *node)
{
	int32_t index = cs_cursor_i32(cursor);
	const char *path = cs_ue_cooked_object(decoder->package, index);
	if (!path)
		cs_cursor_fail(cursor, CS_E_REFERENCE,
			"a value refers to an object that the package does not have");
	node->kind = path && *path ? CS_UE_NODE_OBJECT : CS_UE_NODE_NULL;
	node->integer = index;
	node->text = path;
}

void cs_ue_read_object_into(struct cs_ue_decoder *decoder, struct cs_cursor *cursor,
	struct cs_ue_node *parent, const char *name)
{
	struct cs_ue_node *node = cs_ue_add_child(decoder, cursor, parent, name);
	if (node)
		read_reference(decoder, cursor, node);
}

/* Reads a soft path: package, asset and sub-path, or an index into a legacy package's list. */
static void values_read_soft_path(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_node *node)
{
	struct cs_ue_cooked_package *ue_cooked_package = decoder->package;
	if (!ue_cooked_package->zen && ue_cooked_package->n_soft_paths > 0) {
		uint32_t index = cs_cursor_u32(cursor);
		if (index >= ue_cooked_package->n_soft_paths)
			cs_cursor_fail(cursor, CS_E_REFERENCE,
				"the index of a soft object path is beyond the end of the table of "
				"these paths");
		else
			set_text(node, ue_cooked_package->soft_paths[index]);
		return;
	}
	const char *package = cs_ue_read_fname(decoder, cursor);
	const char *asset =
		ue_cooked_package->v5 >= 1007 ? cs_ue_read_fname(decoder, cursor) : "None";
	const char *sub = ue_cooked_package->fn_main >= 192
				  ? cs_ue_read_utf8(cursor, &decoder->arena)
				  : cs_ue_read_text(decoder, cursor);
	const char *text = sub ? cs_ue_soft_text(&decoder->arena, package, asset, sub) : NULL;
	if (!text)
		cs_cursor_fail(cursor, CS_E_NOMEM, "out of memory");
	set_text(node, text ? text : "");
}

static void read_delegate(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_node *node)
{
	read_reference(decoder, cursor, node);
	cs_ue_read_fname(decoder, cursor);
}

static void read_delegates(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_node *node)
{
	uint32_t n = cs_cursor_count(cursor, 12);
	struct cs_ue_node each;
	set_integer(node, n);
	for (uint32_t i = 0; i < n && !cursor->bad; i++)
		read_delegate(decoder, cursor, &each);
}

static void read_field_path(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_node *node)
{
	uint32_t n = cs_cursor_count(cursor, 8);
	const char *name = "";
	for (uint32_t i = 0; i < n && !cursor->bad; i++)
		name = cs_ue_read_fname(decoder, cursor);
	cs_cursor_skip(cursor, 4);
	set_text(node, name);
}

/* ---- enums ---- */

static void set_enum(
	struct cs_ue_decoder *decoder, struct cs_ue_node *node, const char *name, uint64_t v)
{
	const char *value = cs_ue_schema_value(&decoder->schema, name, v);
	const char *text =
		value ? cs_ue_join(&decoder->arena, name, "::", value, (char *)NULL) : NULL;
	set_integer(node, (int64_t)v);
	if (text)
		set_text(node, text);
	node->integer = (int64_t)v;
}

/* Reads an enum value: a name inside a container or after a property tag, else an integer. */
static void read_enum(struct cs_ue_reading reading, struct cs_cursor *cursor,
	const struct cs_ue_type *type, struct cs_ue_node *node)
{
	if (reading.tagged || reading.contained) {
		set_text(node, cs_ue_read_fname(reading.decoder, cursor));
		return;
	}
	char under = type->inner ? type->inner->kind : 'B';
	uint64_t value = under == 'i' || under == 'u'   ? cs_cursor_u32(cursor)
			 : under == 'h' || under == 'H' ? cs_cursor_u16(cursor)
			 : under == 'q' || under == 'l' ? cs_cursor_u64(cursor)
							: cs_cursor_u8(cursor);
	set_enum(reading.decoder, node, type->name, value);
}

/* ---- structs in binary form ---- */

enum form { FORM_F64, FORM_F32, FORM_I32, FORM_GUID, FORM_BOX, FORM_COLOUR, FORM_SOFT, FORM_U64 };

/* Structs that have their own binary form. Before 5.0, values of FORM_F64 were stored as f32. */
static const struct binary {
	const char *name;
	enum form form;
	unsigned n;
} binaries[] = {
	{"Guid", FORM_GUID, 0},
	{"Vector", FORM_F64, 3},
	{"Rotator", FORM_F64, 3},
	{"Vector2D", FORM_F64, 2},
	{"Vector4", FORM_F64, 4},
	{"Quat", FORM_F64, 4},
	{"Plane", FORM_F64, 4},
	{"Vector_NetQuantize", FORM_F64, 3},
	{"Vector_NetQuantize10", FORM_F64, 3},
	{"Vector_NetQuantize100", FORM_F64, 3},
	{"Vector_NetQuantizeNormal", FORM_F64, 3},
	{"Matrix", FORM_F64, 16},
	{"Vector3f", FORM_F32, 3},
	{"Vector2f", FORM_F32, 2},
	{"Vector4f", FORM_F32, 4},
	{"Quat4f", FORM_F32, 4},
	{"Box", FORM_BOX, 6},
	{"Color", FORM_COLOUR, 4},
	{"LinearColor", FORM_F32, 4},
	{"IntPoint", FORM_I32, 2},
	{"IntVector", FORM_I32, 3},
	{"SoftObjectPath", FORM_SOFT, 0},
	{"SoftClassPath", FORM_SOFT, 0},
	{"DateTime", FORM_U64, 1},
	{"Timespan", FORM_U64, 1},
};

static const struct binary *find_binary(const char *name)
{
	for (size_t i = 0; i < sizeof(binaries) / sizeof(binaries[0]); i++)
		if (strcmp(binaries[i].name, name) == 0)
			return &binaries[i];
	return NULL;
}

static double read_number(struct cs_cursor *cursor, enum form form, bool wide)
{
	if (form == FORM_I32)
		return cs_cursor_i32(cursor);
	if (form == FORM_COLOUR)
		return cs_cursor_u8(cursor);
	return (form == FORM_F64 || form == FORM_BOX) && wide ? cs_cursor_f64(cursor)
							      : cs_cursor_f32(cursor);
}

static void read_binary(struct cs_ue_decoder *decoder, struct cs_cursor *cursor,
	const struct binary *binary, struct cs_ue_node *node)
{
	if (binary->form == FORM_GUID) {
		node->kind = CS_UE_NODE_GUID;
		node->guid = cs_cursor_guid(cursor);
		return;
	}
	if (binary->form == FORM_SOFT) {
		values_read_soft_path(decoder, cursor, node);
		return;
	}
	if (binary->form == FORM_U64) {
		set_integer(node, cs_cursor_i64(cursor));
		return;
	}
	double *numbers = CS_ARENA_ARRAY(&decoder->arena, double, binary->n);
	if (!numbers) {
		cs_cursor_fail(cursor, CS_E_NOMEM, "out of memory");
		return;
	}
	for (unsigned i = 0; i < binary->n; i++)
		numbers[i] = read_number(cursor, binary->form, decoder->package->v5 >= 1004);
	node->kind = binary->form == FORM_BOX ? CS_UE_NODE_BOX : CS_UE_NODE_NUMBERS;
	node->integer = binary->form == FORM_BOX ? cs_cursor_u8(cursor) : 0;
	node->n = binary->n;
	node->numbers = numbers;
	node->text = binary->name;
}

bool cs_ue_struct_is_binary(const char *name)
{
	return find_binary(name) != NULL;
}

static void read_struct(struct cs_ue_reading reading, struct cs_cursor *cursor, const char *name,
	struct cs_ue_node *node)
{
	const struct binary *binary = find_binary(name);
	if (binary && !reading.as_properties) {
		read_binary(reading.decoder, cursor, binary, node);
		return;
	}
	node->kind = CS_UE_NODE_STRUCT;
	reading.contained = reading.as_properties = false;
	if (reading.depth++ >= DEEPEST) {
		cs_cursor_fail(cursor, CS_E_LIMIT, "structs are nested more than 64 deep");
	} else if (reading.tagged) {
		cs_ue_read_tags(reading, cursor, node);
	} else {
		const struct cs_ue_class *class =
			cs_ue_schema_class(&reading.decoder->schema, name);
		if (class)
			cs_ue_read_untagged(reading, cursor, class, node);
		else
			cs_cursor_fail(cursor, CS_E_FEATURE,
				"a struct has unknown fields: a .usmap file of the game (--usmap) "
				"would describe them");
	}
}

/* ---- arrays, sets, maps and optionals ---- */

/* Returns the least size of an element in bytes (struct: 2), to check counts before allocating. */
static size_t least_bytes(const struct cs_ue_type *type)
{
	return type->kind == 'b' || type->kind == 'B' || type->kind == 'c' ? 1 : 2;
}

static void read_elements(struct cs_ue_reading reading, struct cs_cursor *cursor,
	const struct cs_ue_type *type, struct cs_ue_node *node)
{
	bool bytes = type->inner->kind == 'E' && reading.tagged;
	uint32_t n = cs_cursor_count(cursor, bytes ? 1 : least_bytes(type->inner));
	for (uint32_t i = 0; i < n && !cursor->bad; i++) {
		struct cs_ue_node *child = cs_ue_add_child(reading.decoder, cursor, node, NULL);
		if (child)
			cs_ue_read_value(reading, cursor, type->inner, child);
	}
}

static void values_read_pairs(struct cs_ue_reading reading, struct cs_cursor *cursor,
	const struct cs_ue_type *type, struct cs_ue_node *node)
{
	uint32_t n = cs_cursor_count(cursor, 2);
	for (uint32_t i = 0; i < n && !cursor->bad; i++) {
		struct cs_ue_node *key = cs_ue_add_child(reading.decoder, cursor, node, NULL);
		struct cs_ue_node *value = cs_ue_add_child(reading.decoder, cursor, node, NULL);
		if (!key || !value)
			return;
		cs_ue_read_value(reading, cursor, type->inner, key);
		cs_ue_read_value(reading, cursor, type->value, value);
	}
}

/*
 * Prepares reading the elements of a container value. Limits the nesting, and rejects types of
 * damaged files that lack the type of the elements.
 */
static bool values_enter(
	struct cs_ue_reading *reading, struct cs_cursor *cursor, const struct cs_ue_type *type)
{
	reading->contained = true;
	if (!type->inner || (type->kind == 'P' && !type->value))
		cs_cursor_fail(cursor, CS_E_FIELD,
			"the type of an array, set or map does not name the type of its elements");
	else if (reading->depth++ >= DEEPEST)
		cs_cursor_fail(
			cursor, CS_E_LIMIT, "arrays, sets and maps are nested more than 64 deep");
	return !cursor->bad;
}

static void values_read_container(struct cs_ue_reading reading, struct cs_cursor *cursor,
	const struct cs_ue_type *type, struct cs_ue_node *node)
{
	node->kind = type->kind == 'P' ? CS_UE_NODE_MAP : CS_UE_NODE_LIST;
	if (!values_enter(&reading, cursor, type))
		return;
	/* sets and maps begin with the items removed from a default value. A cook has none */
	if (type->kind != 'A' && cs_cursor_u32(cursor) != 0)
		cs_cursor_fail(cursor, CS_E_FEATURE,
			"a set or map has a list of removed elements, which cooked packages never "
			"have: the file is damaged");
	if (type->kind == 'P')
		values_read_pairs(reading, cursor, type, node);
	else
		read_elements(reading, cursor, type, node);
}

/* Reads a u32 that tells whether a value follows, and then the value if it does. */
static void read_optional(struct cs_ue_reading reading, struct cs_cursor *cursor,
	const struct cs_ue_type *type, struct cs_ue_node *node)
{
	if (values_enter(&reading, cursor, type) && cs_ue_read_bool(cursor))
		cs_ue_read_value(reading, cursor, type->inner, node);
}

/* ---- values of any type ---- */

static void values_read_plain(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, char kind, struct cs_ue_node *node)
{
	switch (kind) {
	case 'b':
		node->kind = CS_UE_NODE_BOOL;
		node->integer = cs_cursor_u8(cursor) != 0;
		break;
	case 'B':
		set_integer(node, cs_cursor_u8(cursor));
		break;
	case 'c':
		set_integer(node, (int8_t)cs_cursor_u8(cursor));
		break;
	case 'h':
		set_integer(node, cs_cursor_u16(cursor));
		break;
	case 'H':
		set_integer(node, (int16_t)cs_cursor_u16(cursor));
		break;
	case 'i':
		set_integer(node, cs_cursor_i32(cursor));
		break;
	case 'u':
		set_integer(node, cs_cursor_u32(cursor));
		break;
	case 'l':
	case 'q':
		set_integer(node, cs_cursor_i64(cursor));
		break;
	case 'f':
	case 'd':
		node->kind = CS_UE_NODE_NUMBER;
		node->number = kind == 'f' ? cs_cursor_f32(cursor) : cs_cursor_f64(cursor);
		break;
	case 'n':
		set_text(node, cs_ue_read_fname(decoder, cursor));
		break;
	case 's':
		set_text(node, cs_ue_read_text(decoder, cursor));
		break;
	case 'z':
		node->kind = CS_UE_NODE_GUID;
		node->guid = cs_cursor_guid(cursor);
		break;
	default:
		cs_cursor_fail(cursor, CS_E_FEATURE,
			"a value has the type Text, which this program cannot read");
	}
}

enum { VALUES_PER_BYTE = 64, VALUES_AT_LEAST = 64 << 20 };

void cs_ue_read_value(struct cs_ue_reading reading, struct cs_cursor *cursor,
	const struct cs_ue_type *type, struct cs_ue_node *node)
{
	/* limit the memory: two bytes of a header can represent a hundred values that are zero */
	if (reading.decoder->arena.total >
		VALUES_AT_LEAST + (uint64_t)reading.decoder->package->size * VALUES_PER_BYTE) {
		cs_cursor_fail(cursor, CS_E_LIMIT,
			"the decoded values take far more memory than their bytes in the file can "
			"need: the file is damaged; copy it again");
		return;
	}
	switch (type->kind) {
	case 'o':
		read_reference(reading.decoder, cursor, node);
		break;
	case 'O':
		values_read_soft_path(reading.decoder, cursor, node);
		break;
	case 'D':
		read_delegate(reading.decoder, cursor, node);
		break;
	case 'M':
		read_delegates(reading.decoder, cursor, node);
		break;
	case 'F':
		read_field_path(reading.decoder, cursor, node);
		break;
	case 'E':
		read_enum(reading, cursor, type, node);
		break;
	case 'S':
		read_struct(reading, cursor, type->name, node);
		break;
	case 'A':
	case 'K':
	case 'P':
		values_read_container(reading, cursor, type, node);
		break;
	case 'Q':
		read_optional(reading, cursor, type, node);
		break;
	default:
		values_read_plain(reading.decoder, cursor, type->kind, node);
	}
}

/* ---- lists of untagged properties ---- */

/*
 * Header of a list of untagged properties. It says which slots have values, and which of these
 * values are zero and therefore take no bytes.
 */
struct header {
	struct {
		uint16_t skip, count;
		bool zeroes;
	} fragments[128];
	size_t n, zeroes; /* number of fragments, and number of values that have a bit in `mask` */
	unsigned char mask[2048];
};

static void values_read_header(struct cs_cursor *cursor, struct header *header)
{
	bool last = false;
	while (!last && !cursor->bad) {
		uint16_t bits = cs_cursor_u16(cursor);
		if (header->n == sizeof(header->fragments) / sizeof(header->fragments[0])) {
			cs_cursor_fail(cursor, CS_E_LIMIT,
				"the header of unversioned properties has more than 128 fragments: "
				"the file is damaged; copy it again");
			return;
		}
		header->fragments[header->n].skip = bits & 127;
		header->fragments[header->n].zeroes = bits >> 7 & 1;
		header->fragments[header->n].count = bits >> 9;
		header->zeroes += header->fragments[header->n].zeroes
					  ? header->fragments[header->n].count
					  : 0;
		header->n++;
		last = bits >> 8 & 1;
	}
	size_t bytes = header->zeroes == 0    ? 0
		       : header->zeroes <= 8  ? 1
		       : header->zeroes <= 16 ? 2
					      : (header->zeroes + 31) / 32 * 4;
	const unsigned char *mask =
		bytes <= sizeof(header->mask) ? cs_cursor_take(cursor, bytes) : NULL;
	if (mask)
		memcpy(header->mask, mask, bytes);
	else if (bytes > sizeof(header->mask))
		cs_cursor_fail(cursor, CS_E_LIMIT,
			"the zero mask of unversioned properties has more than 16384 bits: the file is "
			"damaged; copy it again");
}

static void set_zero(const struct cs_ue_type *type, struct cs_ue_node *node)
{
	static const double zeroes[16];
	const struct binary *binary = type->kind == 'S' ? find_binary(type->name) : NULL;
	node->kind = type->kind == 'b'                        ? CS_UE_NODE_BOOL
		     : type->kind == 'f' || type->kind == 'd' ? CS_UE_NODE_NUMBER
		     : type->kind == 'n' || type->kind == 's' || type->kind == 'O' ? CS_UE_NODE_TEXT
		     : type->kind == 'o'                                           ? CS_UE_NODE_NULL
		     : type->kind == 'z'                                           ? CS_UE_NODE_GUID
		     : type->kind == 'A' || type->kind == 'K'                      ? CS_UE_NODE_LIST
		     : type->kind == 'P'                                           ? CS_UE_NODE_MAP
		     : type->kind == 'S' ? CS_UE_NODE_STRUCT
					 : CS_UE_NODE_INTEGER;
	node->text = type->kind == 'n' ? "None" : "";
	if (binary) {
		node->kind = binary->form == FORM_GUID   ? CS_UE_NODE_GUID
			     : binary->form == FORM_BOX  ? CS_UE_NODE_BOX
			     : binary->form == FORM_SOFT ? CS_UE_NODE_TEXT
							 : CS_UE_NODE_NUMBERS;
		node->n = binary->n;
		node->numbers = zeroes;
	}
}

static void read_slot(struct cs_ue_reading reading, struct cs_cursor *cursor,
	const struct cs_ue_slot *slot, bool zero, struct cs_ue_node *to)
{
	struct cs_ue_node *node = cs_ue_add_child(reading.decoder, cursor, to, slot->name);
	if (!node)
		return;
	node->index = slot->index;
	if (zero && slot->type->kind == 'E')
		set_enum(reading.decoder, node, slot->type->name, 0);
	else if (zero)
		set_zero(slot->type, node);
	else
		cs_ue_read_value(reading, cursor, slot->type, node);
}

void cs_ue_read_untagged(struct cs_ue_reading reading, struct cs_cursor *cursor,
	const struct cs_ue_class *class, struct cs_ue_node *to)
{
	struct header header = {.n = 0};
	values_read_header(cursor, &header);
	uint32_t slot = 0;
	size_t zero = 0;
	for (size_t f = 0; f < header.n && !cursor->bad; f++) {
		slot += header.fragments[f].skip;
		for (uint16_t i = 0; i < header.fragments[f].count && !cursor->bad; i++, slot++) {
			const struct cs_ue_slot *at =
				cs_ue_schema_slot(&reading.decoder->schema, class, slot);
			bool is_zero = header.fragments[f].zeroes &&
				       header.mask[zero / 8] >> (zero % 8) & 1;
			zero += header.fragments[f].zeroes;
			if (!at || !at->type)
				cs_cursor_fail(cursor, CS_E_REFERENCE,
					"an object has a property that its class does not have in "
					"the engine version of the package");
			else
				read_slot(reading, cursor, at, is_zero, to);
		}
	}
}
