/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads mapping files (.usmap): names, enums and structs of one game (ue-cooked rules 6.3), which
 * users make with other tools. Files packed with Oodle or Brotli cannot be read.
 */
#include "ue/schema/class_schema.h"

#include "core/cursor.h"
#include "core/error_inside.h"
#include "ue/container/compression.h"

#include <stdlib.h>

enum { MAGIC = 0x30c4, NEWEST = 4, MOST_PLAIN = 256 << 20 };
enum { PLAIN, OODLE, BROTLI, ZSTD };

struct usmap {
	struct cs_cursor cursor;
	struct cs_ue_schema *to;
	const char **names;
	uint32_t n_names, version;
	unsigned depth;
};

/* Letters of types, as in class_schema.h, indexed by the number of the type in a .usmap file. */
static const char letters[] = "BbifonDdASsToMozOOquhlHcPKEFQss";

static struct cs_error *usmap_read_names(struct usmap *usmap)
{
	usmap->n_names = cs_cursor_count(&usmap->cursor, usmap->version >= 2 ? 2 : 1);
	usmap->names = CS_ARENA_ARRAY(&usmap->to->arena, const char *, (size_t)usmap->n_names + 1);
	if (!usmap->names)
		return cs_error_nomem();
	for (uint32_t i = 0; i < usmap->n_names; i++) {
		size_t n = usmap->version >= 2 ? cs_cursor_u16(&usmap->cursor)
					       : cs_cursor_u8(&usmap->cursor);
		const unsigned char *at = cs_cursor_take(&usmap->cursor, n);
		usmap->names[i] = at ? cs_arena_text(&usmap->to->arena, (const char *)at, n) : "";
		if (!usmap->names[i])
			return cs_error_nomem();
	}
	return cs_cursor_error(&usmap->cursor, "names");
}

static const char *usmap_name_at(struct usmap *usmap, uint32_t index)
{
	if (index < usmap->n_names)
		return usmap->names[index];
	cs_cursor_fail(&usmap->cursor, CS_E_REFERENCE,
		"the number of a name is beyond the end of the name table");
	return "";
}

static struct cs_error *read_enums(struct usmap *usmap)
{
	uint32_t n = cs_cursor_count(&usmap->cursor, 5);
	for (uint32_t i = 0; i < n && !usmap->cursor.bad; i++) {
		struct cs_ue_enum ue_enum = {
			.name = usmap_name_at(usmap, cs_cursor_u32(&usmap->cursor))};
		ue_enum.n = usmap->version >= 3 ? cs_cursor_u16(&usmap->cursor)
						: cs_cursor_u8(&usmap->cursor);
		ue_enum.values =
			CS_ARENA_ARRAY(&usmap->to->arena, const char *, (size_t)ue_enum.n + 1);
		if (usmap->version >= 4)
			ue_enum.numbers =
				CS_ARENA_ARRAY(&usmap->to->arena, uint64_t, (size_t)ue_enum.n + 1);
		if (!ue_enum.values || (usmap->version >= 4 && !ue_enum.numbers))
			return cs_error_nomem();
		for (uint32_t k = 0; k < ue_enum.n && !usmap->cursor.bad; k++) {
			if (ue_enum.numbers)
				ue_enum.numbers[k] = cs_cursor_u64(&usmap->cursor);
			ue_enum.values[k] = usmap_name_at(usmap, cs_cursor_u32(&usmap->cursor));
		}
		if (!cs_vec_push(&usmap->to->enums, ue_enum))
			return cs_error_nomem();
	}
	return cs_cursor_error(&usmap->cursor, "enums");
}

static const struct cs_ue_type *read_type(struct usmap *usmap)
{
	enum { DEEPEST = 16 };
	static const struct cs_ue_type none = {.kind = '?'};
	uint8_t number = cs_cursor_u8(&usmap->cursor);
	struct cs_ue_type *type = CS_ARENA_NEW(&usmap->to->arena, struct cs_ue_type);
	if (!type || number >= sizeof(letters) - 1 || usmap->depth >= DEEPEST) {
		cs_cursor_fail(&usmap->cursor, type ? CS_E_FIELD : CS_E_NOMEM,
			!type ? "out of memory"
			: number >= sizeof(letters) - 1
				? "a property has an unknown type"
				: "the type of a property is nested more than 16 deep");
		return &none;
	}
	usmap->depth++;
	type->kind = letters[number];
	if (type->kind == 'E') {
		type->inner = read_type(usmap);
		type->name = usmap_name_at(usmap, cs_cursor_u32(&usmap->cursor));
	} else if (type->kind == 'S') {
		type->name = usmap_name_at(usmap, cs_cursor_u32(&usmap->cursor));
	} else if (type->kind == 'A' || type->kind == 'K' || type->kind == 'Q') {
		type->inner = read_type(usmap);
	} else if (type->kind == 'P') {
		type->inner = read_type(usmap);
		type->value = read_type(usmap);
	}
	usmap->depth--;
	return type;
}

/* Reads a class and the properties that the file lists for it; its other slots get no name. */
static struct cs_error *usmap_read_struct(struct usmap *usmap)
{
	struct cs_ue_class *class = calloc(1, sizeof(*class));
	if (!class)
		return cs_error_nomem();
	if (!cs_vec_push(&usmap->to->classes, class)) {
		free(class);
		return cs_error_nomem();
	}
	class->name = usmap_name_at(usmap, cs_cursor_u32(&usmap->cursor));
	uint32_t super = cs_cursor_u32(&usmap->cursor);
	class->super = super == CS_NONE ? "" : usmap_name_at(usmap, super);
	class->n = cs_cursor_u16(&usmap->cursor);
	uint32_t stored = cs_cursor_u16(&usmap->cursor);
	class->slots = CS_ARENA_ARRAY(&usmap->to->arena, struct cs_ue_slot, (size_t) class->n + 1);
	if (!class->slots)
		return cs_error_nomem();
	for (uint32_t i = 0; i < stored && !usmap->cursor.bad; i++) {
		uint32_t slot = cs_cursor_u16(&usmap->cursor);
		uint8_t count = cs_cursor_u8(&usmap->cursor);
		const char *name = usmap_name_at(usmap, cs_cursor_u32(&usmap->cursor));
		const struct cs_ue_type *type = read_type(usmap);
		if (count == 0 || slot + count > class->n)
			cs_cursor_fail(&usmap->cursor, CS_E_REFERENCE,
				"a property has no element, or an index beyond the last property "
				"of its class");
		for (uint8_t k = 0; k < count && !usmap->cursor.bad; k++)
			class->slots[slot + k] = (struct cs_ue_slot){name, type, k, count};
	}
	return NULL;
}

static struct cs_error *usmap_read_plain(
	struct cs_ue_schema *to, const void *bytes, size_t size, uint32_t version, const char *name)
{
	struct usmap usmap = {
		.cursor = cs_cursor_over(bytes, size, 0, name), .to = to, .version = version};
	struct cs_error *error = usmap_read_names(&usmap);
	if (!error)
		error = read_enums(&usmap);
	uint32_t n = error ? 0 : cs_cursor_count(&usmap.cursor, 12);
	for (uint32_t i = 0; i < n && !error && !usmap.cursor.bad; i++)
		error = usmap_read_struct(&usmap);
	return error ? error : cs_cursor_error(&usmap.cursor, "structs");
}

struct cs_error *cs_ue_read_usmap(
	const void *bytes, size_t size, const char *name, struct cs_ue_schema *ret)
{
	static const enum cs_ue_method methods[] = {
		CS_UE_STORED, CS_UE_OODLE, CS_UE_UNKNOWN_METHOD, CS_UE_ZSTD};
	struct cs_cursor cursor = cs_cursor_over(bytes, size, 0, name);
	if (cs_cursor_u16(&cursor) != MAGIC)
		return cs_error_at(CS_E_MAGIC, name, 0, "the file is not a mapping file (.usmap)");
	uint32_t version = cs_cursor_u8(&cursor);
	if (version > NEWEST)
		return cs_error_at(CS_E_VERSION, name, 2,
			"the mapping file has version %u, but only versions up to %d can be read",
			version, NEWEST);
	if (version >= 1 && cs_cursor_u32(&cursor) != 0) {
		cs_cursor_skip(&cursor, 8);
		cs_cursor_skip(&cursor, 20 * (uint64_t)cs_cursor_count(&cursor, 20) + 4);
	}
	uint8_t method = cs_cursor_u8(&cursor);
	uint32_t packed = cs_cursor_u32(&cursor), plain = cs_cursor_u32(&cursor);
	const unsigned char *at = cs_cursor_take(&cursor, packed);
	struct cs_error *error = cs_cursor_error(&cursor, "mapping");
	if (error)
		return error;
	if (method > ZSTD)
		return cs_error_at(CS_E_FIELD, name, cursor.position,
			"the compression method of the mappings must be 0 to %d, not %u", ZSTD,
			method);
	if (plain > MOST_PLAIN)
		return cs_error_at(CS_E_FIELD, name, cursor.position,
			"the mappings claim to unpack to %u bytes, more than the limit of %u",
			plain, (unsigned)MOST_PLAIN);
	if (methods[method] == CS_UE_OODLE || methods[method] == CS_UE_UNKNOWN_METHOD)
		return cs_error_at(CS_E_FEATURE, name, cursor.position,
			"the mapping file is compressed with %s, which cannot be unpacked here: "
			"write it without compression or with Zstd",
			methods[method] == CS_UE_OODLE ? "Oodle" : "Brotli");
	unsigned char *whole = malloc((size_t)plain + 1);
	if (!whole)
		return cs_error_nomem();
	cs_ue_schema_init(ret, CS_UE_RELEASES);
	error = cs_ue_unpack(methods[method], at, packed, whole, plain);
	error = error ? cs_error_wrap(error, "%s", name)
		      : usmap_read_plain(ret, whole, plain, version, name);
	free(whole);
	if (error)
		cs_ue_schema_deinit(ret);
	return error;
}
