/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the table of engine releases, and reads the built-in tables of classes. */
#include "ue/schema/class_schema.h"

#include <stdlib.h>
#include <string.h>

const struct cs_ue_release_facts cs_ue_releases[CS_UE_RELEASES] = {
	/* members in this order: name, profile, v5, fn_main, fn_rel, special, main */
	[CS_UE_5_0] = {"5.0", "5.0", 1004, 59, 3, 8, 59},
	[CS_UE_5_1] = {"5.1", "5.1", 1008, 80, 4, 8, 88},
	[CS_UE_5_2] = {"5.2", "5.2", 1009, 83, 6, 8, 104},
	[CS_UE_5_3] = {"5.3", "5.3", 1009, 111, 11, 8, 118},
	[CS_UE_5_4] = {"5.4", "5.4", 1012, 134, 13, 8, 119},
	[CS_UE_5_5] = {"5.5", "5.5", 1013, 170, 15, 8, 119},
	[CS_UE_5_6] = {"5.6", "5.6", 1017, 207, 17, 9, 121},
	[CS_UE_5_7] = {"5.7", "5.7", 1018, 225, 20, 9, 121},
	[CS_UE_5_8] = {"5.8", "5.7", 1018, 268, 20, 9, 123},
	[CS_UE_6_0] = {"6.0", "5.7", 1018, 271, 21, 9, 124},
};

enum cs_ue_release cs_ue_release_named(const char *name)
{
	int i = 0;
	while (i < CS_UE_RELEASES && strcmp(cs_ue_releases[i].name, name) != 0)
		i++;
	return (enum cs_ue_release)i;
}

/* The column of the tables that describes each release. 5.0 uses that of 5.1, 5.2 that of 5.3. */
static const int columns[CS_UE_RELEASES] = {0, 0, 1, 1, 2, 3, 4, 5, 6, 7};

static const char *const *const tables[] = {
	cs_ue_schema_world, cs_ue_schema_actors, cs_ue_schema_components};
enum { N_TABLES = sizeof(tables) / sizeof(tables[0]) };

void cs_ue_schema_init(struct cs_ue_schema *schema, enum cs_ue_release release)
{
	*schema = (struct cs_ue_schema){.release = release};
}

void cs_ue_schema_deinit(struct cs_ue_schema *schema)
{
	for (size_t i = 0; i < schema->classes.n; i++)
		free(schema->classes.at[i]);
	cs_vec_free(&schema->classes);
	cs_vec_free(&schema->enums);
	cs_arena_deinit(&schema->arena);
}

/* ---- parsing the words of a table ---- */

/*
 * Returns the length of a word without its suffix "@FT". F and T are digits: the first and the last
 * column of the table to which the word applies. *valid_ret is whether `column` is from F to T.
 */
static size_t word_length(const char *word, size_t n, int column, bool *valid_ret)
{
	*valid_ret = true;
	if (n < 3 || word[n - 3] != '@')
		return n;
	*valid_ret = column >= word[n - 2] - '0' && column <= word[n - 1] - '0';
	return n - 3;
}

static size_t class_schema_next_word(const char **at)
{
	*at += strspn(*at, " ");
	return strcspn(*at, " ");
}

struct text {
	const char *at, *end;
};

static const struct cs_ue_type *class_schema_read_type(
	struct cs_ue_schema *schema, struct text *text)
{
	struct cs_ue_type *type = CS_ARENA_NEW(&schema->arena, struct cs_ue_type);
	if (!type || text->at == text->end) {
		schema->failed = true;
		return NULL;
	}
	type->kind = *text->at++;
	if (type->kind == 'E' || type->kind == 'S') {
		size_t n = 0;
		while (text->at + n < text->end && text->at[n] != ',')
			n++;
		type->name = cs_arena_text(&schema->arena, text->at, n);
		text->at += n;
	} else if (type->kind == 'A' || type->kind == 'K' || type->kind == 'Q') {
		type->inner = class_schema_read_type(schema, text);
	} else if (type->kind == 'P') {
		type->inner = class_schema_read_type(schema, text);
		text->at += text->at < text->end; /* skip the comma */
		type->value = class_schema_read_type(schema, text);
	}
	return type;
}

static size_t number_in(const char *text)
{
	return (size_t)strtoul(text, NULL, 10);
}

/* Adds the slots of a property, one for each stored value: N for NAME[N]=TYPE, otherwise 1. */
static void read_property(
	struct cs_ue_schema *schema, const char *word, size_t n, struct cs_ue_class *class)
{
	static const struct cs_ue_type boolean = {.kind = 'b'};
	const char *equals = memchr(word, '=', n), *bracket = memchr(word, '[', n);
	size_t name = bracket ? (size_t)(bracket - word) : equals ? (size_t)(equals - word) : n;
	struct text text = {equals ? equals + 1 : NULL, word + n};
	const char *copy = cs_arena_text(&schema->arena, word, name);
	const struct cs_ue_type *type = equals ? class_schema_read_type(schema, &text) : &boolean;
	size_t count = bracket ? number_in(bracket + 1) : 1;
	schema->failed |= !copy;
	for (size_t i = 0; i < count; i++)
		class->slots[class->n++] =
			(struct cs_ue_slot){copy, type, (uint8_t)i, (uint8_t)count};
}

static size_t count_slots(const char *text)
{
	size_t slots = 0;
	for (size_t n; (n = class_schema_next_word(&text)) > 0; text += n) {
		const char *bracket = memchr(text, '[', n);
		slots += bracket ? number_in(bracket + 1) : 1;
	}
	return slots;
}

/*
 * Finds the super class for `column` (a column of the tables, which describes one or two engine
 * releases) in a list of alternatives separated by '|'. Returns NULL if the releases of the column
 * do not have the class.
 */
static const char *read_super(struct cs_ue_schema *schema, const char *at, size_t n, int column)
{
	for (size_t from = 0; from <= n;) {
		const char *bar = memchr(at + from, '|', n - from);
		size_t length = bar ? (size_t)(bar - at) - from : n - from;
		bool valid;
		size_t name = word_length(at + from, length, column, &valid);
		if (valid) {
			const char *super = cs_arena_text(&schema->arena, at + from, name);
			schema->failed |= !super;
			return super;
		}
		from += length + 1;
	}
	return NULL;
}

static struct cs_ue_class *read_class(struct cs_ue_schema *schema, const char *text)
{
	int column = columns[schema->release];
	size_t n = class_schema_next_word(&text), name = strcspn(text, ":");
	struct cs_ue_class *class = calloc(1, sizeof(*class));
	if (!class) {
		schema->failed = true;
		return NULL;
	}
	class->name = cs_arena_text(&schema->arena, text, name);
	class->super = read_super(schema, text + name + 1, n - name - 1, column);
	text += n;
	class->slots = CS_ARENA_ARRAY(&schema->arena, struct cs_ue_slot, count_slots(text) + 1);
	schema->failed |= !class->name || !class->slots;
	if (!class->name || !class->super || !class->slots) {
		free(class);
		return NULL;
	}
	for (; (n = class_schema_next_word(&text)) > 0; text += n) {
		bool valid;
		size_t length = word_length(text, n, column, &valid);
		if (valid)
			read_property(schema, text, length, class);
	}
	return class;
}

static const char *find_text(const char *name, char end)
{
	size_t n = strlen(name);
	for (size_t t = 0; t < N_TABLES; t++)
		for (const char *const *text = tables[t]; *text; text++)
			if (strncmp(*text, name, n) == 0 && (*text)[n] == end)
				return *text;
	return NULL;
}

/* ---- looking up classes, slots and enum values ---- */

const struct cs_ue_class *cs_ue_schema_class(struct cs_ue_schema *schema, const char *name)
{
	if (schema->mapping)
		for (size_t i = 0; i < schema->mapping->classes.n; i++)
			if (strcmp(schema->mapping->classes.at[i]->name, name) == 0)
				return schema->mapping->classes.at[i];
	for (size_t i = 0; i < schema->classes.n; i++)
		if (strcmp(schema->classes.at[i]->name, name) == 0)
			return schema->classes.at[i];
	const char *text = find_text(name, ':');
	struct cs_ue_class *class = text ? read_class(schema, text) : NULL;
	if (class && !cs_vec_push(&schema->classes, class)) {
		free(class);
		class = NULL;
		schema->failed = true;
	}
	return class;
}

enum { DEEPEST_CLASS = 64 };

const struct cs_ue_slot *cs_ue_schema_slot(
	struct cs_ue_schema *schema, const struct cs_ue_class *class, uint32_t number)
{
	for (int depth = 0; class && depth < DEEPEST_CLASS; depth++) {
		if (number < class->n)
			return &class->slots[number];
		number -= class->n;
		class = *class->super ? cs_ue_schema_class(schema, class->super) : NULL;
	}
	return NULL;
}

bool cs_ue_schema_is_a(struct cs_ue_schema *schema, const char *name, const char *base)
{
	for (int depth = 0; *name && depth < DEEPEST_CLASS; depth++) {
		if (strcmp(name, base) == 0)
			return true;
		const struct cs_ue_class *class = cs_ue_schema_class(schema, name);
		name = class ? class->super : "";
	}
	return false;
}

/* Returns the name of an enum value from words N=VALUE, or NULL if no word has the value. */
static const char *value_in_text(struct cs_ue_schema *schema, const char *text, uint64_t value)
{
	for (size_t n; (n = class_schema_next_word(&text)) > 0; text += n) {
		const char *equals = memchr(text, '=', n);
		if (!equals || number_in(text) != value)
			continue;
		const char *name =
			cs_arena_text(&schema->arena, equals + 1, n - (size_t)(equals + 1 - text));
		schema->failed |= !name;
		return name;
	}
	return NULL;
}

static const char *name_of_value(const struct cs_ue_enum *ue_enum, uint64_t value)
{
	for (uint32_t i = 0; i < ue_enum->n; i++)
		if ((ue_enum->numbers ? ue_enum->numbers[i] : i) == value)
			return ue_enum->values[i];
	return NULL;
}

const char *cs_ue_schema_value(struct cs_ue_schema *schema, const char *name, uint64_t value)
{
	const struct cs_ue_schema *mapping = schema->mapping;
	for (size_t i = 0; mapping && i < mapping->enums.n; i++)
		if (strcmp(mapping->enums.at[i].name, name) == 0)
			return name_of_value(&mapping->enums.at[i], value);
	for (const char *const *text = cs_ue_schema_world; *text; text++)
		if (strncmp(*text, "enum ", 5) == 0 &&
			strncmp(*text + 5, name, strlen(name)) == 0 &&
			(*text)[5 + strlen(name)] == ' ')
			return value_in_text(schema, *text + 5 + strlen(name), value);
	return NULL;
}

void cs_ue_schema_names(void (*each)(void *context, const char *name, size_t n), void *context)
{
	for (size_t t = 0; t < N_TABLES; t++)
		for (const char *const *text = tables[t]; *text; text++)
			if (strchr(*text, ':') && strncmp(*text, "enum ", 5) != 0)
				each(context, *text, strcspn(*text, ":"));
}
