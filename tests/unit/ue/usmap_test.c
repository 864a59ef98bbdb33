/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mapping files of games, written here in each version: names, enums and classes come back as they
 * went in; what is cut, or leads out of its table, is refused.
 */
#include "tests/make/writes.h"
#include "tests/samples/tap.h"

#include "core/writer.h"
#include "ue/schema/class_schema.h"

enum { VERSIONS = 5 };

static const char *const names[] = {"", "Colour", "Red", "Green", "Blue", "Base", "Thing", "Count",
	"Slots", "Kind", "Where", "Vector", "Map", "Last", "Choice"};
enum { N_NAMES = sizeof(names) / sizeof(names[0]) };

/* Numbers of types in the file. */
enum { BYTE = 0, BOOL = 1, INT = 2, ARRAY = 8, STRUCT = 9, MAP = 24, ENUM = 26, OPTIONAL = 28 };

static uint32_t number_of(const char *name)
{
	uint32_t i = 0;
	while (strcmp(names[i], name) != 0)
		i++;
	return i;
}

static void put_name(struct cs_writer *to, const char *name)
{
	cs_writer_u32(to, number_of(name));
}

static void put_slot(struct cs_writer *to, uint16_t slot, uint8_t count, const char *name)
{
	cs_writer_u16(to, slot);
	cs_writer_u8(to, count);
	put_name(to, name);
}

static void put_names(struct cs_writer *to, unsigned version)
{
	cs_writer_u32(to, N_NAMES);
	for (uint32_t i = 0; i < N_NAMES; i++) {
		const size_t n = strlen(names[i]);
		if (version >= 2)
			cs_writer_u16(to, (uint16_t)n);
		else
			cs_writer_u8(to, (uint8_t)n);
		cs_writer_bytes(to, names[i], n);
	}
}

/*
 * Writes the values of an enum in another order than their numbers, where the version has numbers;
 * the last is then a flag, beyond their count.
 */
static void put_enums(struct cs_writer *to, unsigned version)
{
	static const char *const values[] = {"Red", "Green", "Blue"};
	cs_writer_u32(to, 1);
	put_name(to, "Colour");
	if (version >= 3)
		cs_writer_u16(to, 3);
	else
		cs_writer_u8(to, 3);
	for (uint32_t i = 0; i < 3; i++) {
		const uint32_t value = version >= 4 ? 2 - i : i;
		if (version >= 4)
			cs_writer_u64(to, value == 2 ? 64 : value);
		put_name(to, values[value]);
	}
}

/*
 * Writes classes. Thing has seven slots: an array of two values, a gap, a map, an enum, a struct,
 * and one at the end.
 */
static void put_classes(struct cs_writer *to, uint16_t slots)
{
	cs_writer_u32(to, 2);
	put_name(to, "Base");
	cs_writer_u32(to, UINT32_MAX);
	cs_writer_u16(to, 1);
	cs_writer_u16(to, 1);
	put_slot(to, 0, 1, "Count");
	cs_writer_u8(to, INT);
	put_name(to, "Thing");
	put_name(to, "Base");
	cs_writer_u16(to, slots);
	cs_writer_u16(to, 5);
	put_slot(to, 0, 2, "Slots");
	cs_writer_u8(to, ARRAY);
	cs_writer_u8(to, BOOL);
	put_slot(to, 3, 1, "Map");
	cs_writer_u8(to, MAP);
	cs_writer_u8(to, INT);
	cs_writer_u8(to, BYTE);
	put_slot(to, 4, 1, "Kind");
	cs_writer_u8(to, ENUM);
	cs_writer_u8(to, BYTE);
	put_name(to, "Colour");
	put_slot(to, 5, 1, "Where");
	cs_writer_u8(to, STRUCT);
	put_name(to, "Vector");
	put_slot(to, 6, 1, "Last");
	cs_writer_u8(to, OPTIONAL);
	cs_writer_u8(to, BOOL);
}

static void put_file(struct cs_writer *to, unsigned version, uint32_t versions, uint16_t slots)
{
	struct cs_writer plain = {0};
	put_names(&plain, version);
	put_enums(&plain, version);
	put_classes(&plain, slots);
	cs_writer_u16(to, 0x30c4);
	cs_writer_u8(to, (uint8_t)version);
	if (version >= 1) {
		cs_writer_u32(to, versions > 0);
		for (uint32_t i = 0; versions && i < 3 + 5 * (versions - 1) + 1; i++)
			cs_writer_u32(to, i == 2 ? versions - 1 : 7);
	}
	cs_writer_u8(to, 0);
	cs_writer_u32(to, (uint32_t)plain.size);
	cs_writer_u32(to, (uint32_t)plain.size);
	cs_writer_bytes(to, plain.bytes, plain.size);
	cs_writer_deinit(&plain);
}

/*
 * Writes "Name:letter+inner,value" for each slot, "-" for one without a property; a static array
 * has its index.
 */
static void tell(const struct cs_ue_class *class, char *to, size_t size)
{
	size_t n = 0;
	*to = '\0';
	for (uint32_t i = 0; i < class->n && n < size; i++) {
		const struct cs_ue_slot *slot = &class->slots[i];
		const struct cs_ue_type *type = slot->type;
		if (!slot->name) {
			n += (size_t)snprintf(to + n, size - n, "- ");
			continue;
		}
		n += (size_t)snprintf(to + n, size - n, "%s%u/%u:%c%c%c%s ", slot->name,
			slot->index, slot->count, type->kind, type->inner ? type->inner->kind : '.',
			type->value ? type->value->kind : '.', type->name ? type->name : "");
	}
}

static void check_read(unsigned version, uint32_t versions)
{
	struct cs_writer file = {0};
	struct cs_ue_schema schema = {0};
	char told[400];
	put_file(&file, version, versions, 7);
	struct cs_error *error = cs_ue_read_usmap(file.bytes, file.size, "made", &schema);
	ok(!error, "version %u, %u custom versions: read", version, versions);
	if (!error && schema.classes.n == 2 && schema.enums.n == 1) {
		const struct cs_ue_enum *e = &schema.enums.at[0];
		is_text(schema.classes.at[0]->name, "Base", "its first class");
		is_text(schema.classes.at[0]->super, "", "of none");
		is_text(schema.classes.at[1]->super, "Base", "the other is of it");
		tell(schema.classes.at[1], told, sizeof(told));
		is_text(told,
			"Slots0/2:Ab. Slots1/2:Ab. - Map0/1:PiB Kind0/1:EB.Colour "
			"Where0/1:S..Vector Last0/1:Qb. ",
			"each slot, and nothing in the gap");
		struct cs_ue_schema by = {.mapping = &schema};
		const uint64_t last = version >= 4 ? 64 : 2;
		const char *red = cs_ue_schema_value(&by, "Colour", 0);
		const char *green = cs_ue_schema_value(&by, "Colour", 1);
		const char *blue = cs_ue_schema_value(&by, "Colour", last);
		ok(e->n == 3 && red && strcmp(red, "Red") == 0 && green &&
				strcmp(green, "Green") == 0 && blue && strcmp(blue, "Blue") == 0 &&
				!cs_ue_schema_value(&by, "Colour", last + 1),
			"the enum");
	} else {
		ok(false, "two classes, an enum");
	}
	if (!error)
		cs_ue_schema_deinit(&schema);
	cs_error_free(error);
	cs_writer_deinit(&file);
}

/* A file whose sizes contradict each other is named. */
static void check_sizes(void)
{
	static const char bytes[] = "\xc4\x30\0\0\1\0\0\0\2\0\0\0x";
	struct cs_ue_schema schema;
	struct cs_error *error = cs_ue_read_usmap(bytes, sizeof(bytes) - 1, "sizes.usmap", &schema);
	ok(error && error->code == CS_E_COMPRESSION && strstr(error->message, "sizes.usmap"),
		"sizes that contradict each other: the file is named");
	cs_error_free(error);
}

/* Refuses the file cut anywhere, and a class that has fewer slots than properties. */
static void check_refused(unsigned version)
{
	struct cs_writer file = {0}, shorter = {0};
	struct cs_ue_schema schema;
	size_t refused = 0, inside = 0;
	put_file(&file, version, 2, 7);
	for (size_t n = 0; n < file.size; n++) {
		struct cs_error *error = cs_ue_read_usmap(file.bytes, n, "cut", &schema);
		refused += error != NULL;
		inside += error && (error->offset == CS_NO_OFFSET || error->offset <= n);
		if (!error)
			cs_ue_schema_deinit(&schema);
		cs_error_free(error);
	}
	ok(refused == file.size && inside == refused, "version %u: every cut, within the file",
		version);
	put_file(&shorter, version, 0, 6);
	fails(cs_ue_read_usmap(shorter.bytes, shorter.size, "short", &schema), CS_E_REFERENCE,
		"version %u: a property outside of its class", version);
	file.bytes[2] = VERSIONS;
	fails(cs_ue_read_usmap(file.bytes, file.size, "new", &schema), CS_E_VERSION,
		"a version of the future");
	file.bytes[0] ^= 1;
	fails(cs_ue_read_usmap(file.bytes, file.size, "other", &schema), CS_E_MAGIC,
		"another file");
	cs_writer_deinit(&file);
	cs_writer_deinit(&shorter);
}

/*
 * Values of enumerations have the names that the built-in tables give them; other values have none.
 */
static void check_values(void)
{
	struct cs_ue_schema schema;
	size_t enums = 0, wrong = 0;
	cs_ue_schema_init(&schema, CS_UE_5_6);
	for (const char *const *text = cs_ue_schema_world; *text; text++) {
		char copy[400], *rest, *word;
		if (strncmp(*text, "enum ", 5) != 0)
			continue;
		snprintf(copy, sizeof(copy), "%s", *text + 5);
		const char *name = strtok_r(copy, " ", &rest);
		unsigned long n = 0;
		while ((word = strtok_r(NULL, " ", &rest))) {
			char *equals;
			unsigned long value = strtoul(word, &equals, 10);
			const char *got = cs_ue_schema_value(&schema, name, value);
			wrong += !got || strcmp(got, equals + 1) != 0;
			n = value >= n ? value + 1 : n;
		}
		wrong += cs_ue_schema_value(&schema, name, n) != NULL;
		wrong += cs_ue_schema_value(&schema, name, UINT64_MAX) != NULL;
		enums++;
	}
	ok(enums >= 5, "%zu enumerations", enums);
	is_int(wrong, 0, "each value has its name, others have none");
	ok(!cs_ue_schema_value(&schema, "EDataLayer", 0) &&
			!cs_ue_schema_value(&schema, "ENothing", 0),
		"nor has what is no enumeration, or begins as one");
	cs_ue_schema_deinit(&schema);
}

/* Enumerations without values are the shortest ones: there are many, and no class follows. */
static void check_short_enums(unsigned version)
{
	enum { ENUMS = 20 };
	struct cs_writer plain = {0}, file = {0};
	struct cs_ue_schema schema;
	put_names(&plain, version);
	cs_writer_u32(&plain, ENUMS);
	for (int i = 0; i < ENUMS; i++) {
		put_name(&plain, "Colour");
		if (version >= 3)
			cs_writer_u16(&plain, 0);
		else
			cs_writer_u8(&plain, 0);
	}
	cs_writer_u32(&plain, 0);
	cs_writer_u16(&file, 0x30c4);
	cs_writer_u8(&file, (uint8_t)version);
	if (version >= 1)
		cs_writer_u32(&file, 0);
	cs_writer_u8(&file, 0);
	cs_writer_u32(&file, (uint32_t)plain.size);
	cs_writer_u32(&file, (uint32_t)plain.size);
	cs_writer_bytes(&file, plain.bytes, plain.size);
	works(cs_ue_read_usmap(file.bytes, file.size, "short", &schema),
		"version %u: enumerations without values", version);
	is_int(schema.enums.n, ENUMS, "version %u: all of them", version);
	cs_ue_schema_deinit(&schema);
	cs_writer_deinit(&plain);
	cs_writer_deinit(&file);
}

int main(void)
{
	check_values();
	check_sizes();
	for (unsigned version = 0; version < VERSIONS; version++)
		check_short_enums(version);
	for (unsigned version = 0; version < VERSIONS; version++) {
		for (uint32_t versions = 0; versions < (version ? 4u : 1u); versions++)
			check_read(version, versions);
		check_refused(version);
	}
	return done();
}
