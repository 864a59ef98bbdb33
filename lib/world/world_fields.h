/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the uncooked world's JSON form, for reading and writing; absent or null = the default. */
#pragma once

#include <jansson.h>
#include <stdint.h>

enum cs_json_kind {
	CS_JSON_TEXT, /* u32 offset of a text */
	CS_JSON_GUID,
	CS_JSON_BOOL,      /* stored as bool */
	CS_JSON_FLAG,      /* u32 of which only the bit `bit` is set or cleared */
	CS_JSON_ENUM,      /* u32: index into `names` */
	CS_JSON_NUMBER,    /* stored as double */
	CS_JSON_INTEGER,   /* stored as i32 */
	CS_JSON_COLOR,     /* u32; in JSON "#RRGGBB" */
	CS_JSON_VEC3,      /* in JSON [x, y, z] */
	CS_JSON_QUAT,      /* in JSON [x, y, z, w] */
	CS_JSON_TEXTS,     /* cs_range of cs_world.texts */
	CS_JSON_GUIDS,     /* cs_range of cs_world.guids */
	CS_JSON_NAMES,     /* u32 of bits; in JSON a list of names */
	CS_JSON_TRANSFORM, /* in JSON an object with translation, rotation and scale */
};

/* For each kind: JSON type (JSON_TRUE: boolean), bytes in memory, names in messages and lists. */
extern const struct cs_json_kind_facts {
	json_type type;
	size_t size;
	const char *form, *name;
} cs_json_kinds[];

struct cs_json_field {
	const char *key;
	size_t key_length;
	enum cs_json_kind kind;
	size_t offset;
	uint32_t bit;
	const char *const *names; /* ends with NULL; "name|alias" for a second accepted name */
	const char *doc;
};

struct cs_json_table {
	const char *what; /* kind of object in messages, such as "actor" */
	const struct cs_json_field *fields;
	size_t n;
};

extern const struct cs_json_table cs_json_actor, cs_json_level_instance, cs_json_hlod,
	cs_json_container, cs_json_layer, cs_json_hlod_layer, cs_json_partition, cs_json_grid,
	cs_json_settings;

/* Lists names of a CS_JSON_ENUM or CS_JSON_NAMES field, without synonyms, as in "a, b or c". */
void cs_json_list_names(const char *const *names, char *ret, size_t size);

#define CS_WORLD_JSON_VERSION 1
