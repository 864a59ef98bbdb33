/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tagged properties (ue-project-files rules 5): values that an object stores because they differ
 * from the defaults of its class. A reader lists the properties that it needs in a table of rules
 * and applies the table to an object. All other properties are skipped by their size, however
 * deeply nested.
 */
#pragma once

#include "ue/package/package.h"

/* A sequence of tagged properties, which ends with the name None. */
struct cs_ue_properties {
	struct cs_ue_package *package;
	struct cs_cursor cursor;
};

/* A value of a property, with its type and a cursor over exactly its bytes. */
struct cs_ue_value {
	struct cs_ue_package *package;
	/* cursor over the value. cursor.bytes is NULL if the property is missing */
	struct cs_cursor cursor;
	const char *type;      /* such as "IntProperty" */
	const char *inner;     /* type of the elements of an array or set, or name of an enum */
	const char *structure; /* name of the struct type of the value or of its elements */
	bool native; /* whether the struct has a binary form of its own, and no tagged properties */
	bool boolean; /* value of a BoolProperty */
};

/* How a rule converts a value. The member at `offset` must have the type given for the kind. */
enum cs_ue_rule_kind {
	CS_UE_RULE_INT,    /* int32_t, from any integer */
	CS_UE_RULE_NUMBER, /* double, from any integer or float */
	CS_UE_RULE_BOOL,   /* bool, from a BoolProperty */
	CS_UE_RULE_TEXT,   /* const char *, from a name or string, owned by the package's arena */
	CS_UE_RULE_ENUM,   /* uint32_t, the index in `names` of an enum value without its type */
	CS_UE_RULE_OBJECT, /* const char *: path of an object, from a hard or soft reference */
	CS_UE_RULE_INDEX,  /* int32_t: package index of an object */
	CS_UE_RULE_GUID,   /* struct cs_guid, from a Guid */
	CS_UE_RULE_VECTOR, /* struct cs_vec3, of which a 2D vector leaves z unchanged */
	CS_UE_RULE_COLOR,  /* uint32_t 0xRRGGBB, from a Color or LinearColor */
	CS_UE_RULE_VALUE,  /* struct cs_ue_value, which can be read later */
	CS_UE_RULE_KINDS
};

struct cs_ue_rule {
	const char *name;
	enum cs_ue_rule_kind kind;
	size_t offset;
	const char *const *names; /* for CS_UE_RULE_ENUM: names of the values, NULL at the end */
};

/* Reads the body of an export and returns its properties. */
struct cs_error *cs_ue_export_properties(struct cs_ue_package *package,
	const struct cs_ue_export *export, struct cs_ue_properties *ret) CS_MUST_USE;
/*
 * Reads the next property and moves the cursor to the end of its value. Returns false after the
 * last property, or if the data are damaged.
 */
bool cs_ue_next_property(
	struct cs_ue_properties *properties, struct cs_ue_name *name, struct cs_ue_value *value);
/* Reads all properties and stores those that rules name in `record`, if the type fits the rule. */
struct cs_error *cs_ue_apply(struct cs_ue_properties *properties, const struct cs_ue_rule *rules,
	size_t n_rules, void *record) CS_MUST_USE;
/* Reads all properties of an export and stores those that rules name in `record`. */
struct cs_error *cs_ue_apply_export(struct cs_ue_package *package,
	const struct cs_ue_export *export, const struct cs_ue_rule *rules, size_t n_rules,
	void *record) CS_MUST_USE;

/* Open a struct or an array of structs. Each cs_ue_apply on `ret` then reads the next struct. */
struct cs_error *cs_ue_struct_properties(
	const struct cs_ue_value *value, struct cs_ue_properties *ret) CS_MUST_USE;
struct cs_error *cs_ue_array_structs(const struct cs_ue_value *value, uint32_t *count_ret,
	struct cs_ue_properties *ret) CS_MUST_USE;
/* Stores the package indices of the objects to which an array refers in the package's arena. */
struct cs_error *cs_ue_array_objects(
	const struct cs_ue_value *value, int32_t **ret, uint32_t *count_ret) CS_MUST_USE;

/* Looks for damage in the whole of an open package (intact.c). */
struct cs_error *cs_ue_check_package(struct cs_ue_package *package) CS_MUST_USE;
/* Returns E_TRUNCATED if the file ends before the end of the objects that its summary states. */
struct cs_error *cs_ue_find_cut(
	const struct cs_source_file *source, const struct cs_ue_summary *summary) CS_MUST_USE;

#define CS_UE_RULES(rules) rules, sizeof(rules) / sizeof((rules)[0])
