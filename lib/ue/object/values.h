/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes one export into a tree of values: its properties, with tags or without (ue-cooked rules
 * 5), and the tail, bytes that its class writes after the properties (rules 4). cs_ue_object.left
 * counts bytes that were not read; it is 0 for the classes of World Partition if the right engine's
 * layout is used.
 */
#pragma once

#include "ue/object/cooked_package.h"

enum cs_ue_node_kind {
	CS_UE_NODE_NULL,
	CS_UE_NODE_BOOL,    /* value in `integer`: 0 or 1 */
	CS_UE_NODE_INTEGER, /* value in `integer` */
	CS_UE_NODE_NUMBER,  /* value in `number` */
	CS_UE_NODE_TEXT,    /* value in `text`: a name, string, enum value or soft path */
	CS_UE_NODE_OBJECT,  /* `integer` is the reference, `text` the path */
	CS_UE_NODE_GUID,
	CS_UE_NODE_NUMBERS, /* `numbers`: vector, rotator, colour, ..., `text`: the struct type */
	CS_UE_NODE_BOX,     /* six `numbers`, `integer`: whether valid, `text`: the struct type */
	CS_UE_NODE_LIST,    /* an array or set: elements are children */
	CS_UE_NODE_MAP,     /* children are key, value, key, value, ... */
	CS_UE_NODE_STRUCT,  /* children are the named properties */
};

struct cs_ue_node {
	const char *name; /* name of the property, or NULL for an element */
	enum cs_ue_node_kind kind;
	uint32_t n;     /* number of children, or of items in `numbers` */
	uint32_t index; /* index of the value in a static array */
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
	struct cs_ue_node *properties; /* struct node whose children are the properties */
	struct cs_ue_node *tail;       /* struct node with the data after the properties */
	uint64_t left;                 /* number of bytes that were not read */
	const char *problem;           /* why decoding stopped early, or NULL */
	uint64_t problem_at;           /* offset of the fault in the package's bytes */
};

struct cs_ue_decoder {
	struct cs_ue_cooked_package *package;
	struct cs_ue_schema schema;
	struct cs_arena arena;
};

/*
 * Prepares decoding with the layouts of `release` and the versions in the package's header.
 * `mapping` may be NULL.
 */
void cs_ue_decoder_init(struct cs_ue_decoder *decoder, struct cs_ue_cooked_package *package,
	enum cs_ue_release release, const struct cs_ue_schema *mapping);
void cs_ue_decoder_deinit(struct cs_ue_decoder *decoder);
/* Decodes an export. Faults of its data set ret->problem. Returns only out-of-memory errors. */
struct cs_error *cs_ue_decode(struct cs_ue_decoder *decoder,
	const struct cs_ue_cooked_export *export, struct cs_ue_object *ret) CS_MUST_USE;
/* Reads the tail: bytes that the class of the object writes after its properties. */
void cs_ue_read_object_tail(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object);
/*
 * Finds the release that wrote the package. A release fits if its tables read every export of World
 * Partition to the last byte. *fits_ret has a bit for each that fits. Of these, the one that reads
 * most other exports is used, and of equal ones the newest. If none fits, the message of E_VERSION
 * names the nearest. Without such exports, all candidates fit.
 */
struct cs_error *cs_ue_find_release(struct cs_ue_cooked_package *package,
	const struct cs_ue_schema *mapping, uint32_t *fits_ret) CS_MUST_USE;

/* ---- children of nodes ---- */

/* Returns the child with this name (element 0 of a static array), or NULL. `node` may be NULL. */
const struct cs_ue_node *cs_ue_child(const struct cs_ue_node *node, const char *name);
/* Return the value of the child with this name, or "", `otherwise` or zero if there is none. */
const char *cs_ue_child_text(const struct cs_ue_node *node, const char *name);
int64_t cs_ue_child_integer(const struct cs_ue_node *node, const char *name, int64_t otherwise);
double cs_ue_child_number(const struct cs_ue_node *node, const char *name, double otherwise);
struct cs_guid cs_ue_child_guid(const struct cs_ue_node *node, const char *name);
/*
 * Appends a child named `name` to `node` and returns it. When memory runs out, makes the cursor
 * bad and returns NULL.
 */
struct cs_ue_node *cs_ue_add_child(struct cs_ue_decoder *decoder, struct cs_cursor *cursor,
	struct cs_ue_node *node, const char *name);

/* Read an object reference or a text, which properties and tails store in the same form. */
void cs_ue_read_object_into(struct cs_ue_decoder *decoder, struct cs_cursor *cursor,
	struct cs_ue_node *parent, const char *name);
const char *cs_ue_read_text(struct cs_ue_decoder *decoder, struct cs_cursor *cursor);
