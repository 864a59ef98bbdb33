/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The properties of classes in their order, which are needed for properties without tags (ue-cooked
 * rules 5.2, 6). Built-in tables contain the classes of World Partition and common actors and
 * components in every engine, and a .usmap adds those of a game.
 *
 * A table is a list of texts, one for each class, of words separated by blanks. The first is
 * NAME:SUPER, or NAME:SUPER@FT|SUPER@FT where the super class changed; @FT limits a word to the
 * engines F to T, counted from 0, of 5.1 5.3 5.4 5.5 5.6 5.7 5.8 6.0. Each further word is a
 * property in slot order, NAME=TYPE, a Bool without type; NAME[N] takes N slots. Types: f Float, d
 * Double, i Int, l Int64, u UInt32, q UInt64, h UInt16, H Int16, c Int8, B Byte, n Name, s Str, T
 * Text, o Object, O SoftObject, z LazyObject, D Delegate, M MulticastDelegate, F FieldPath, ENAME
 * enum over a byte, SNAME struct, A array, K set, Q optional of the type that follows, P map of two
 * with a comma. "enum NAME N=VALUE ..." names values.
 */
#pragma once

#include "core/arena.h"
#include "core/vec.h"

#include <cellscope/core.h>

/* The engines in order of release. Those marked "table" have built-in tables. */
enum cs_ue_release {
	CS_UE_5_0,
	CS_UE_5_1, /* table */
	CS_UE_5_2,
	CS_UE_5_3, /* table */
	CS_UE_5_4, /* table, as all later engines */
	CS_UE_5_5,
	CS_UE_5_6,
	CS_UE_5_7,
	CS_UE_5_8,
	CS_UE_6_0,
	CS_UE_RELEASES
};

/* The custom versions that change bytes of cooked exports, by release (ue-cooked rules 2). */
struct cs_ue_release_facts {
	const char *name, *profile;
	int32_t v5, fn_main, fn_rel, special, main;
};

extern const struct cs_ue_release_facts cs_ue_releases[CS_UE_RELEASES];
/* Finds a release by name. Returns CS_UE_RELEASES when there is none. */
enum cs_ue_release cs_ue_release_named(const char *name);

struct cs_ue_type {
	char kind;
	const char *name; /* name of an enum or struct */
	const struct cs_ue_type *inner, *value;
};

struct cs_ue_slot {
	const char *name;
	const struct cs_ue_type *type;
	/* index in a static array and its length, which is 1 for other fields */
	uint8_t index, count;
};

struct cs_ue_class {
	const char *name;
	const char *super; /* name of the super class, "" for none */
	struct cs_ue_slot *slots;
	uint32_t n;
};

struct cs_ue_enum {
	const char *name;
	const char **values; /* name of each number, NULL for a number without name */
	uint32_t n;
};

/*
 * The tables of one engine, whose classes are read at their first use, and those of a mapping file.
 */
struct cs_ue_schema {
	struct cs_arena arena;
	enum cs_ue_release release;
	CS_VEC(struct cs_ue_class *) classes;
	CS_VEC(struct cs_ue_enum) enums;
	/* schema of a .usmap, which precedes the tables; not owned */
	const struct cs_ue_schema *mapping;
	bool failed; /* memory was short */
};

extern const char *const cs_ue_schema_world[], *const cs_ue_schema_actors[],
						       *const cs_ue_schema_components[];

void cs_ue_schema_init(struct cs_ue_schema *schema, enum cs_ue_release release);
void cs_ue_schema_deinit(struct cs_ue_schema *schema);
/* Returns NULL for an unknown class. */
const struct cs_ue_class *cs_ue_schema_class(struct cs_ue_schema *schema, const char *name);
/* Returns slot `number`, counted through the class and its parents, or NULL beyond them. */
const struct cs_ue_slot *cs_ue_schema_slot(
	struct cs_ue_schema *schema, const struct cs_ue_class *class, uint32_t number);
/* Returns NULL when the value has no name. */
const char *cs_ue_schema_value(struct cs_ue_schema *schema, const char *name, uint64_t value);
/* Returns true for the class itself and for one that is derived from it. */
bool cs_ue_schema_is_a(struct cs_ue_schema *schema, const char *name, const char *base);
/* Calls `each` for each class of the built-in tables, of any engine. */
void cs_ue_schema_names(void (*each)(void *context, const char *name, size_t n), void *context);

/* Reads a mapping file, ue-cooked rules 6.3, packed with zstd or not at all. */
struct cs_error *cs_ue_read_usmap(
	const void *bytes, size_t size, const char *name, struct cs_ue_schema *ret) CS_MUST_USE;
