/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tagged properties (ue-project-files rules 5): the values that an object stores because they
 * differ from its class. A reader declares the properties it needs as a table of rules and applies
 * it to an object. All others are skipped by their size, however deep they are.
 */
#pragma once

#include "ue/package/package.h"

/* A run of tagged properties that ends with the name None. */
struct cs_ue_properties {
	struct cs_ue_package *package;
	struct cs_cursor cursor;
};

/* The value of one property: a cursor over exactly its bytes, and its type. */
struct cs_ue_value {
	struct cs_ue_package *package;
	/* cursor over the value; its bytes are NULL when the property is missing */
	struct cs_cursor cursor;
	const char *type;      /* "IntProperty" */
	const char *inner;     /* type of the elements of an array or set; name of an enum */
	const char *structure; /* name of a struct, or of the structs of an array */
	bool native;           /* the struct is written by its own code, not as properties */
	bool boolean;          /* value of a BoolProperty */
};

/* What a rule makes of a value. The member at `offset` must have the given type. */
enum cs_ue_rule_kind {
	CS_UE_RULE_INT,    /* int32_t; any integer */
	CS_UE_RULE_NUMBER, /* double; any integer or float */
	CS_UE_RULE_BOOL,   /* bool */
	CS_UE_RULE_TEXT,   /* const char *: name or string, in the package's arena */
	CS_UE_RULE_ENUM,   /* uint32_t: index of the value's bare name in `names` */
	CS_UE_RULE_OBJECT, /* const char *: path of an object, hard or soft */
	CS_UE_RULE_INDEX,  /* int32_t: package index of an object */
	CS_UE_RULE_GUID,   /* struct cs_guid */
	CS_UE_RULE_VECTOR, /* struct cs_vec3; a 2D vector doesn't change z */
	CS_UE_RULE_COLOR,  /* uint32_t: 0xRRGGBB */
	CS_UE_RULE_VALUE,  /* struct cs_ue_value, which is read later */
	CS_UE_RULE_KINDS
};

struct cs_ue_rule {
	const char *name;
	enum cs_ue_rule_kind kind;
	size_t offset;
	const char *const *names; /* CS_UE_RULE_ENUM: names, NULL-terminated */
};

/* Reads the body of an export and returns its properties. */
struct cs_error *cs_ue_export_properties(struct cs_ue_package *package,
	const struct cs_ue_export *export, struct cs_ue_properties *ret) CS_MUST_USE;
/*
 * Reads properties to their end and stores those that the rules name in `record`. A value whose
 * type does not fit its rule is not stored.
 */
struct cs_error *cs_ue_apply(struct cs_ue_properties *properties, const struct cs_ue_rule *rules,
	size_t n_rules, void *record) CS_MUST_USE;
/* Reads the properties of an export, and stores those that the rules name in `record`. */
struct cs_error *cs_ue_apply_export(struct cs_ue_package *package,
	const struct cs_ue_export *export, const struct cs_ue_rule *rules, size_t n_rules,
	void *record) CS_MUST_USE;

/*
 * Opens a struct value, or the elements of an array of structs. The properties of one element after
 * the other are applied from `ret`, whose cursor each application advances.
 */
struct cs_error *cs_ue_struct_properties(
	const struct cs_ue_value *value, struct cs_ue_properties *ret) CS_MUST_USE;
struct cs_error *cs_ue_array_structs(const struct cs_ue_value *value, uint32_t *count_ret,
	struct cs_ue_properties *ret) CS_MUST_USE;
/* Returns the package indices in an array of objects. */
struct cs_error *cs_ue_array_objects(
	const struct cs_ue_value *value, int32_t **ret, uint32_t *count_ret) CS_MUST_USE;

#define CS_UE_RULES(rules) rules, sizeof(rules) / sizeof((rules)[0])
