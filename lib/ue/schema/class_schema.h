/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The properties of classes in slot order, which reading properties without tags needs (ue-cooked
 * rules 5.2, 6). Built-in tables list the classes of World Partition and common actors and
 * components for every engine; a .usmap file adds the classes of a game.
 *
 * A table is a list of texts, one per class, of words separated by blanks. The first word is
 * NAME:SUPER, or NAME:SUPER@FT|SUPER@FT if the super class differs between engines. The suffix @FT
 * limits a word to the engines F to T, digits that index 5.1 5.3 5.4 5.5 5.6 5.7 5.8 6.0. Each
 * further word is a property, NAME=TYPE, or NAME alone for a Bool; NAME[N] takes N slots. Types: f
 * Float, d Double, i Int, l Int64, u UInt32, q UInt64, h UInt16, H Int16, c Int8, B Byte, n Name, s
 * Str, T Text, o Object, O SoftObject, z LazyObject, D Delegate, M MulticastDelegate, F FieldPath,
 * ENAME enum NAME stored in a byte, SNAME struct NAME; A array, K set, Q optional of the type that
 * follows; P map of two types separated by a comma. A text "enum NAME N=VALUE ..." names the values
 * of an enum.
 */
#pragma once

#include "core/arena.h"
#include "core/vec.h"

#include <cellscope/core.h>

/* Engine releases, oldest first. The built-in tables have columns for 5.1, 5.3, 5.4 and later. */
enum cs_ue_release {
	CS_UE_5_0,
	CS_UE_5_1,
	CS_UE_5_2,
	CS_UE_5_3,
	CS_UE_5_4,
	CS_UE_5_5,
	CS_UE_5_6,
	CS_UE_5_7,
	CS_UE_5_8,
	CS_UE_6_0,
	CS_UE_RELEASES
};

/* A release, and its versions on which the form of cooked exports depends (ue-cooked rules 2). */
struct cs_ue_release_facts {
	const char *name, *profile;
	int32_t v5, fn_main, fn_rel, special, main;
};

extern const struct cs_ue_release_facts cs_ue_releases[CS_UE_RELEASES];
/* Returns the release with this name, or CS_UE_RELEASES if there is none. */
enum cs_ue_release cs_ue_release_named(const char *name);

struct cs_ue_type {
	char kind;
	const char *name; /* name of an enum or struct */
	const struct cs_ue_type *inner, *value;
};

struct cs_ue_slot {
	const char *name;
	const struct cs_ue_type *type;
	/* index and number of elements of a static array, or 0 and 1 for other properties */
	uint8_t index, count;
};

struct cs_ue_class {
	const char *name;
	const char *super; /* name of the super class, or "" if it has none */
	struct cs_ue_slot *slots;
	uint32_t n;
};

struct cs_ue_enum {
	const char *name;
	const char **values; /* n names of the values `numbers` or, if that is NULL, of 0, 1, ... */
	uint64_t *numbers;
	uint32_t n;
};

/* The classes of one engine, from built-in tables (parsed on first use) and a mapping file. */
struct cs_ue_schema {
	struct cs_arena arena;
	enum cs_ue_release release;
	CS_VEC(struct cs_ue_class *) classes;
	CS_VEC(struct cs_ue_enum) enums;
	/* schema of a .usmap, searched before the built-in tables. Not owned, may be NULL */
	const struct cs_ue_schema *mapping;
	bool failed; /* whether an allocation failed */
};

extern const char *const cs_ue_schema_world[], *const cs_ue_schema_actors[],
						       *const cs_ue_schema_components[];

void cs_ue_schema_init(struct cs_ue_schema *schema, enum cs_ue_release release);
void cs_ue_schema_deinit(struct cs_ue_schema *schema);
/* Returns the class with this name, or NULL if it is unknown. */
const struct cs_ue_class *cs_ue_schema_class(struct cs_ue_schema *schema, const char *name);
/* Returns the slot with this number, counted in the class and then its super classes, or NULL. */
const struct cs_ue_slot *cs_ue_schema_slot(
	struct cs_ue_schema *schema, const struct cs_ue_class *class, uint32_t number);
/* Returns the name of a value of the enum `name`, or NULL if the value has no name. */
const char *cs_ue_schema_value(struct cs_ue_schema *schema, const char *name, uint64_t value);
/* Returns whether the class `name` is `base` or is derived from it. */
bool cs_ue_schema_is_a(struct cs_ue_schema *schema, const char *name, const char *base);
/* Calls `each` with the name of every class in the built-in tables, of any engine. */
void cs_ue_schema_names(void (*each)(void *context, const char *name, size_t n), void *context);

/* Reads a mapping file (.usmap), which is packed with zstd or not packed (ue-cooked rules 6.3). */
struct cs_error *cs_ue_read_usmap(
	const void *bytes, size_t size, const char *name, struct cs_ue_schema *ret) CS_MUST_USE;
