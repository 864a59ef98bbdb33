/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes the properties of one export as a tree of values, with tags or without (ue-cooked rules
 * 5), and the bytes that its class writes after them (rules 4). `left` counts the bytes that were
 * not read: it is 0 for the classes of World Partition when the engine is the right one.
 */
#pragma once

#include "ue/object/cooked_package.h"

enum cs_ue_node_kind {
	CS_UE_NODE_NULL,
	CS_UE_NODE_BOOL,    /* integer */
	CS_UE_NODE_INTEGER, /* integer */
	CS_UE_NODE_NUMBER,  /* number */
	CS_UE_NODE_TEXT,    /* text: names, strings, values of enums, soft paths */
	CS_UE_NODE_OBJECT,  /* integer: the reference; text: the path */
	CS_UE_NODE_GUID,
	CS_UE_NODE_NUMBERS, /* n numbers: vectors, rotators, colours; text: the struct */
	CS_UE_NODE_BOX,     /* six numbers; integer: whether it is valid; text: the struct */
	CS_UE_NODE_LIST,    /* elements of an array or set as children */
	CS_UE_NODE_MAP,     /* children: key, value, key, value, ... */
	CS_UE_NODE_STRUCT,  /* children with names */
};

struct cs_ue_node {
	const char *name; /* name of a property */
	enum cs_ue_node_kind kind;
	uint32_t n;     /* number of children, or of `numbers` */
	uint32_t index; /* index in a static array */
	int64_t integer;
	double number;
	const char *text;
	struct cs_guid guid;
	const double *numbers;
	struct cs_ue_node *first, *last, *next;
};

/* One decoded export. */
struct cs_ue_object {
	const struct cs_ue_cooked_export *export;
	struct cs_ue_node *properties; /* a struct node with the properties */
	struct cs_ue_node *tail;       /* a struct with the data after the properties */
	struct cs_guid guid;           /* GUID of the object, zero for none */
	uint64_t left;                 /* bytes that were not read */
	const char *problem;           /* why decoding stopped; NULL: it did not */
	uint64_t problem_at;           /* offset of the problem in the package */
};

struct cs_ue_decoder {
	struct cs_ue_cooked_package *package;
	struct cs_ue_schema schema;
	struct cs_arena arena;
};

/*
 * Prepares decoding. The package's release decides, or else `release`. `mapping` is a .usmap or
 * NULL.
 */
void cs_ue_decoder_init(struct cs_ue_decoder *decoder, struct cs_ue_cooked_package *package,
	enum cs_ue_release release, const struct cs_ue_schema *mapping);
void cs_ue_decoder_deinit(struct cs_ue_decoder *decoder);
/* Decodes an export. It fails only without memory: a fault of the data is noted in the object. */
struct cs_error *cs_ue_decode(struct cs_ue_decoder *decoder,
	const struct cs_ue_cooked_export *export, struct cs_ue_object *ret) CS_MUST_USE;
/* Reads the bytes that the class writes after the properties (tails.c). */
void cs_ue_read_object_tail(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object);
/*
 * Finds the release that wrote the package among its candidates: the one whose tables read every
 * export of World Partition to the last byte. Of several, the one that reads most other exports is
 * used, the newest of equal ones; *fits_ret has a bit for each. When none does, E_VERSION names the
 * one that fits best. A package without such exports keeps all its candidates.
 */
struct cs_error *cs_ue_find_release(struct cs_ue_cooked_package *package,
	const struct cs_ue_schema *mapping, uint32_t *fits_ret) CS_MUST_USE;

/* ---- looking into nodes ---- */

/* Returns the child of that name (element 0 of a static array), or NULL. A NULL node has none. */
const struct cs_ue_node *cs_ue_child(const struct cs_ue_node *node, const char *name);
/* Returns the text of the child, "" without such a child. */
const char *cs_ue_child_text(const struct cs_ue_node *node, const char *name);
int64_t cs_ue_child_integer(const struct cs_ue_node *node, const char *name, int64_t otherwise);
double cs_ue_child_number(const struct cs_ue_node *node, const char *name, double otherwise);
struct cs_guid cs_ue_child_guid(const struct cs_ue_node *node, const char *name);
/* Adds a child at the end. Returns NULL without memory. */
struct cs_ue_node *cs_ue_add_child(
	struct cs_arena *arena, struct cs_ue_node *node, const char *name);

/* Readers that tails share with values. */
struct cs_ue_node *cs_ue_read_object_into(struct cs_ue_decoder *decoder, struct cs_cursor *cursor,
	struct cs_ue_node *parent, const char *name);
const char *cs_ue_read_text(struct cs_ue_decoder *decoder, struct cs_cursor *cursor);
