/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads tagged properties. A tag contains the name, the type and the size of the value that follows
 * it. The next tag is always read at the start of the value plus its size, so that unknown data
 * cannot misdirect the reader. From UE5 version 1012 on, a tag stores its type as a tree of names
 * (ue-project-files rules 5). The tree is read without recursion; only its first three names are
 * kept.
 */
#include "ue/package/properties.h"

#include <math.h>

/* Largest number of names in a type, which is a tree of names. Types in intact files have fewer. */
enum { LARGEST_TYPE_TREE = 64 };

enum tag_flag {
	TAG_INDEX = 1,
	TAG_GUID = 2,
	TAG_EXTENSION = 4,
	TAG_NATIVE = 8,
	TAG_TRUE = 16,
};
enum { EXTENSION_OVERRIDABLE = 2 };

/* ---- reading tags ---- */

static bool is_one_of(const char *text, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(text, *names) == 0)
			return true;
	return false;
}

/*
 * Returns whether a struct type has a binary form of its own. Tags of packages before UE5 version
 * 1012 do not state this.
 */
static bool is_native(const char *structure)
{
	static const char *const names[] = {"Vector", "Rotator", "Vector2D", "Vector4", "Quat",
		"LinearColor", "Color", "Guid", "Box", "IntPoint", "IntVector", "SoftObjectPath",
		"SoftClassPath", NULL};
	return is_one_of(structure, names);
}

static void skip_extension(struct cs_cursor *cursor)
{
	if (cs_cursor_u8(cursor) & EXTENSION_OVERRIDABLE)
		cs_cursor_skip(cursor, 1 + 4);
}

/*
 * Reads the type of a property: a tree in preorder, stored as pairs (name, number of children).
 * Keeps only the first three names: the type itself and up to two type parameters.
 */
static void read_type_tree(struct cs_ue_properties *properties, struct cs_ue_value *value)
{
	struct cs_cursor *cursor = &properties->cursor;
	const char *names[3] = {"", "", ""};
	uint64_t pending = 1;
	for (uint32_t seen = 0; pending > 0 && !cursor->bad; seen++) {
		struct cs_ue_name name = cs_ue_read_name(cursor, properties->package);
		uint32_t children = cs_cursor_count(cursor, 12);
		if (seen < 3)
			names[seen] = name.text;
		pending += children;
		pending--;
		if (pending + seen > LARGEST_TYPE_TREE)
			cs_cursor_fail(cursor, CS_E_PACKAGE,
				"the type of a property contains more than 64 types, the limit");
	}
	bool of_structs = strcmp(names[1], "StructProperty") == 0;
	value->type = names[0];
	value->inner = names[1];
	value->structure = of_structs ? names[2] : names[1];
}

/* Reads a property tag from before UE5 version 1012: type, size, array index, the type's fields. */
static uint32_t read_old_tag(struct cs_ue_properties *properties, struct cs_ue_value *value)
{
	struct cs_cursor *cursor = &properties->cursor;
	struct cs_ue_package *package = properties->package;
	value->type = cs_ue_read_name(cursor, package).text;
	uint32_t size = cs_cursor_u32(cursor);
	cs_cursor_skip(cursor, 4); /* skip the array index */
	if (strcmp(value->type, "StructProperty") == 0) {
		value->structure = cs_ue_read_name(cursor, package).text;
		cs_cursor_skip(cursor, 16);
		value->native = is_native(value->structure);
	} else if (strcmp(value->type, "BoolProperty") == 0) {
		value->boolean = cs_cursor_u8(cursor) != 0;
	} else if (strcmp(value->type, "MapProperty") == 0) {
		cs_cursor_skip(cursor, 16);
	} else if (strcmp(value->type, "ByteProperty") == 0 ||
		   strcmp(value->type, "EnumProperty") == 0 ||
		   strcmp(value->type, "ArrayProperty") == 0 ||
		   strcmp(value->type, "OptionalProperty") == 0 ||
		   strcmp(value->type, "SetProperty") == 0) {
		value->inner = cs_ue_read_name(cursor, package).text;
	}
	if (cs_cursor_u8(cursor))
		cs_cursor_skip(cursor, 16);
	if (package->summary.v5 >= 1011)
		skip_extension(cursor);
	return size;
}

static uint32_t read_new_tag(struct cs_ue_properties *properties, struct cs_ue_value *value)
{
	struct cs_cursor *cursor = &properties->cursor;
	read_type_tree(properties, value);
	uint32_t size = cs_cursor_u32(cursor);
	uint8_t flags = cs_cursor_u8(cursor);
	cs_cursor_skip(cursor, (flags & TAG_INDEX ? 4 : 0) + (flags & TAG_GUID ? 16 : 0));
	if (flags & TAG_EXTENSION)
		skip_extension(cursor);
	value->native = (flags & TAG_NATIVE) != 0;
	value->boolean = (flags & TAG_TRUE) != 0;
	return size;
}

bool cs_ue_next_property(
	struct cs_ue_properties *properties, struct cs_ue_name *name, struct cs_ue_value *value)
{
	struct cs_cursor *cursor = &properties->cursor;
	struct cs_ue_package *package = properties->package;
	*name = cs_ue_read_name(cursor, package);
	if (cursor->bad || cs_ue_name_equals(*name, "None"))
		return false;
	*value = (struct cs_ue_value){.package = package, .type = "", .inner = "", .structure = ""};
	uint32_t size = package->summary.v5 >= 1012 ? read_new_tag(properties, value)
						    : read_old_tag(properties, value);
	uint64_t origin = cursor->origin + cursor->position;
	const unsigned char *bytes = cs_cursor_take(cursor, size);
	if (!bytes)
		return false;
	value->cursor = cs_cursor_over(bytes, size, origin, cursor->file);
	return true;
}

/* ---- converting values by rules ---- */

static bool properties_number_of(struct cs_ue_value *value, double *ret)
{
	static const char *const wide[] = {
		"IntProperty", "Int64Property", "Int16Property", "Int8Property", NULL};
	static const char *const plain[] = {
		"UInt32Property", "UInt64Property", "UInt16Property", "ByteProperty", NULL};
	size_t size = value->cursor.size;
	if (size == 0 || size > 8)
		return false;
	if (strcmp(value->type, "FloatProperty") == 0 && size == 4) {
		*ret = (double)cs_cursor_f32(&value->cursor);
	} else if (strcmp(value->type, "DoubleProperty") == 0 && size == 8) {
		*ret = cs_cursor_f64(&value->cursor);
	} else {
		bool is_signed = is_one_of(value->type, wide);
		if (!is_signed && !is_one_of(value->type, plain))
			return false;
		uint64_t bits = 0;
		for (size_t i = 0; i < size; i++)
			bits |= (uint64_t)cs_cursor_u8(&value->cursor) << 8 * i;
		unsigned unused = (unsigned)(64 - 8 * size);
		*ret = is_signed ? (double)((int64_t)(bits << unused) >> unused) : (double)bits;
	}
	return isfinite(*ret);
}

static void apply_int(struct cs_ue_value *value, void *to)
{
	double number;
	if (properties_number_of(value, &number) && number >= INT32_MIN && number <= INT32_MAX)
		*(int32_t *)to = (int32_t)number;
}

static void apply_number(struct cs_ue_value *value, void *to)
{
	double number;
	if (properties_number_of(value, &number))
		*(double *)to = number;
}

static void apply_bool(struct cs_ue_value *value, void *to)
{
	if (strcmp(value->type, "BoolProperty") == 0)
		*(bool *)to = value->boolean;
}

/* Returns the text of a name or string value, or NULL for another type or if out of memory. */
static const char *properties_text_of(struct cs_ue_value *value)
{
	struct cs_arena *arena = &value->package->arena;
	if (strcmp(value->type, "NameProperty") == 0)
		return cs_ue_name_text(cs_ue_read_name(&value->cursor, value->package), arena);
	if (strcmp(value->type, "StrProperty") == 0)
		return cs_ue_text(cs_ue_read_string(&value->cursor), arena);
	return NULL;
}

static void properties_apply_text(struct cs_ue_value *value, void *to)
{
	const char *text = properties_text_of(value);
	if (text)
		*(const char **)to = strcmp(text, "None") == 0 ? "" : text;
}

/*
 * Stores in `to` the index of an enum value in `names`. Of a value like "EDataLayerType::Runtime"
 * only the part after "::" is compared. A value that is stored as a byte is the index itself, and a
 * bool is the index 0 or 1.
 */
static void apply_enum(struct cs_ue_value *value, const char *const *names, void *to)
{
	uint32_t count = 0;
	while (names[count])
		count++;
	uint32_t found = count;
	if (strcmp(value->type, "BoolProperty") == 0) {
		found = value->boolean;
	} else if (value->cursor.size == 1) {
		found = cs_cursor_u8(&value->cursor);
	} else if (value->cursor.size == 8) {
		const char *text = cs_ue_read_name(&value->cursor, value->package).text;
		const char *colons = strstr(text, "::");
		for (found = 0; found < count; found++)
			if (cs_name_compare(colons ? colons + 2 : text, names[found]) == 0)
				break;
	}
	if (found < count)
		*(uint32_t *)to = found;
}

static const char *soft_path_text(struct cs_ue_package *package, struct cs_ue_soft_path path)
{
	const char *top = cs_ue_name_text(path.package, &package->arena);
	const char *asset = cs_ue_name_text(path.asset, &package->arena);
	if (!top || !asset)
		return NULL;
	if (strcmp(top, "None") == 0 || !*top)
		return "";
	return cs_ue_join(&package->arena, top, *asset ? "." : "", asset, *path.sub ? ":" : "",
		path.sub, (char *)NULL);
}

/* Returns a soft object path. From UE5 1008 on, the value is an index into a table of paths. */
static const char *read_soft_object(struct cs_ue_value *value)
{
	struct cs_ue_package *package = value->package;
	struct cs_cursor *cursor = &value->cursor;
	struct cs_ue_soft_path path = {.sub = ""};
	if (package->summary.v5 >= 1008 && package->n_soft_paths > 0) {
		uint32_t index = cs_cursor_u32(cursor);
		return index < package->n_soft_paths
			       ? soft_path_text(package, package->soft_paths[index])
			       : NULL;
	}
	path.package = cs_ue_read_name(cursor, package);
	path.asset = (struct cs_ue_name){"", 0};
	if (package->summary.v5 >= 1008)
		path.asset = cs_ue_read_name(cursor, package);
	path.sub = cs_ue_read_sub_path(cursor, package);
	return cursor->bad || !path.sub ? NULL : soft_path_text(package, path);
}

static void apply_object(struct cs_ue_value *value, void *to)
{
	const char *text = NULL;
	if (strcmp(value->type, "ObjectProperty") == 0)
		text = cs_ue_object_path(value->package, cs_cursor_i32(&value->cursor));
	else if (strcmp(value->type, "SoftObjectProperty") == 0 ||
		 strcmp(value->structure, "SoftObjectPath") == 0)
		text = read_soft_object(value);
	if (text)
		*(const char **)to = text;
}

static void apply_index(struct cs_ue_value *value, void *to)
{
	if (strcmp(value->type, "ObjectProperty") == 0)
		*(int32_t *)to = cs_cursor_i32(&value->cursor);
}

static void apply_guid(struct cs_ue_value *value, void *to)
{
	if (strcmp(value->structure, "Guid") == 0 && value->cursor.size == 16)
		*(struct cs_guid *)to = cs_cursor_guid(&value->cursor);
}

/* Reads a vector of f32 (early access of 5.0: 8 or 12 bytes) or f64 (later: 16 or 24 bytes). */
static void apply_vector(struct cs_ue_value *value, void *to)
{
	struct cs_cursor *cursor = &value->cursor;
	bool flat = strcmp(value->structure, "Vector2D") == 0;
	if (!flat && strcmp(value->structure, "Vector") != 0)
		return;
	size_t axes = flat ? 2 : 3;
	bool wide = cursor->size == 8 * axes;
	if (!wide && cursor->size != 4 * axes)
		return;
	double *axis[3] = {
		&((struct cs_vec3 *)to)->x, &((struct cs_vec3 *)to)->y, &((struct cs_vec3 *)to)->z};
	for (size_t i = 0; i < axes; i++)
		*axis[i] = wide ? cs_cursor_f64(cursor) : (double)cs_cursor_f32(cursor);
}

static uint32_t byte_of_unit(float unit)
{
	return unit > 0 ? unit < 1 ? (uint32_t)(unit * 255 + 0.5f) : 255 : 0;
}

static void apply_color(struct cs_ue_value *value, void *to)
{
	struct cs_cursor *cursor = &value->cursor;
	if (strcmp(value->structure, "Color") == 0 && cursor->size == 4) {
		*(uint32_t *)to = cs_cursor_u32(cursor) & 0xffffff;
	} else if (strcmp(value->structure, "LinearColor") == 0 && cursor->size == 16) {
		uint32_t color = 0;
		for (int channel = 0; channel < 3; channel++)
			color = color << 8 | byte_of_unit(cs_cursor_f32(cursor));
		*(uint32_t *)to = color;
	}
}

static void apply_value(struct cs_ue_value *value, void *to)
{
	*(struct cs_ue_value *)to = *value;
}

static void (*const appliers[CS_UE_RULE_KINDS])(struct cs_ue_value *value, void *to) = {
	[CS_UE_RULE_INT] = apply_int,
	[CS_UE_RULE_NUMBER] = apply_number,
	[CS_UE_RULE_BOOL] = apply_bool,
	[CS_UE_RULE_TEXT] = properties_apply_text,
	[CS_UE_RULE_OBJECT] = apply_object,
	[CS_UE_RULE_INDEX] = apply_index,
	[CS_UE_RULE_GUID] = apply_guid,
	[CS_UE_RULE_VECTOR] = apply_vector,
	[CS_UE_RULE_COLOR] = apply_color,
	[CS_UE_RULE_VALUE] = apply_value,
};

/* ---- opening exports, structs and arrays ---- */

struct cs_error *cs_ue_export_properties(struct cs_ue_package *package,
	const struct cs_ue_export *export, struct cs_ue_properties *ret)
{
	uint64_t size = export->end - export->begin;
	if (size > package->section_bytes)
		return cs_error_at(CS_E_LIMIT, package->source.name, export->begin,
			"an export has %llu bytes, more than the limit of %llu",
			(unsigned long long)size, (unsigned long long)package->section_bytes);
	unsigned char *body = cs_arena_alloc(&package->arena, (size_t)size, 1);
	if (!body)
		return cs_error_nomem();
	struct cs_error *error =
		cs_source_read(&package->source, export->begin, body, (size_t)size);
	if (error)
		return error;
	ret->package = package;
	ret->cursor = cs_cursor_over(body, (size_t)size, export->begin, package->source.name);
	if (package->summary.v5 >= 1011 && !export->is_default &&
		cs_cursor_u8(&ret->cursor) & EXTENSION_OVERRIDABLE)
		cs_cursor_skip(&ret->cursor, 1);
	return NULL;
}

struct cs_error *cs_ue_apply(struct cs_ue_properties *properties, const struct cs_ue_rule *rules,
	size_t n_rules, void *record)
{
	struct cs_ue_name name;
	struct cs_ue_value value;
	while (cs_ue_next_property(properties, &name, &value)) {
		for (size_t i = 0; i < n_rules; i++) {
			if (!cs_ue_name_equals(name, rules[i].name))
				continue;
			void *to = (char *)record + rules[i].offset;
			if (rules[i].kind == CS_UE_RULE_ENUM)
				apply_enum(&value, rules[i].names, to);
			else
				appliers[rules[i].kind](&value, to);
			if (value.cursor.bad)
				return cs_cursor_error(&value.cursor, rules[i].name);
		}
	}
	return cs_cursor_error(&properties->cursor, "tagged properties");
}

struct cs_error *cs_ue_apply_export(struct cs_ue_package *package,
	const struct cs_ue_export *export, const struct cs_ue_rule *rules, size_t n_rules,
	void *record)
{
	struct cs_ue_properties properties;
	struct cs_error *error = cs_ue_export_properties(package, export, &properties);
	return error ? error : cs_ue_apply(&properties, rules, n_rules, record);
}

struct cs_error *cs_ue_struct_properties(
	const struct cs_ue_value *value, struct cs_ue_properties *ret)
{
	*ret = (struct cs_ue_properties){value->package, value->cursor};
	if (value->native || strcmp(value->type, "StructProperty") != 0)
		cs_cursor_fail(&ret->cursor, CS_E_PACKAGE,
			"the value is not a struct with tagged properties");
	return cs_cursor_error(&ret->cursor, "struct");
}

struct cs_error *cs_ue_array_structs(
	const struct cs_ue_value *value, uint32_t *count_ret, struct cs_ue_properties *ret)
{
	*ret = (struct cs_ue_properties){value->package, value->cursor};
	*count_ret = 0;
	struct cs_cursor *cursor = &ret->cursor;
	if (!cursor->bytes || strcmp(value->type, "ArrayProperty") != 0 ||
		strcmp(value->inner, "StructProperty") != 0)
		return NULL;
	uint32_t count = cs_cursor_count(cursor, 8);
	if (value->package->summary.v5 < 1012 && !cursor->bad) {
		/* skip the tag for all elements: name, type, size, index, struct name, GUID */
		cs_cursor_skip(cursor, 8 + 8 + 4 + 4 + 8 + 16);
		if (cs_cursor_u8(cursor))
			cs_cursor_skip(cursor, 16);
		if (value->package->summary.v5 >= 1011)
			skip_extension(cursor);
	}
	*count_ret = cursor->bad ? 0 : count;
	return cs_cursor_error(cursor, "array of structs");
}

struct cs_error *cs_ue_array_objects(
	const struct cs_ue_value *value, int32_t **ret, uint32_t *count_ret)
{
	struct cs_cursor cursor = value->cursor;
	*count_ret = 0;
	*ret = NULL;
	if (!cursor.bytes || strcmp(value->type, "ArrayProperty") != 0 ||
		strcmp(value->inner, "ObjectProperty") != 0)
		return NULL;
	uint32_t count = cs_cursor_count(&cursor, 4);
	int32_t *indices = CS_ARENA_ARRAY(&value->package->arena, int32_t, count);
	if (!indices)
		return cs_error_nomem();
	for (uint32_t i = 0; i < count; i++)
		indices[i] = cs_cursor_i32(&cursor);
	*ret = indices;
	*count_ret = count;
	return cs_cursor_error(&cursor, "array of objects");
}
