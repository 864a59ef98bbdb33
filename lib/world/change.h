/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that the files of changes share: finding objects by the names that people use, and
 * values.
 */
#pragma once

#include "world/world_fields.h"
#include "world/world_internal.h"

/* largest size of a name in a change, in bytes */
enum { CS_CHANGE_NAME = 300 };

struct cs_typed_value {
	const char *text;
	char sign; /* '+' adds to a list, '-' removes from a list, 0 replaces the value */
};

/* Stores the value in the field of the object. */
struct cs_error *cs_change_field(struct cs_world *world, const struct cs_json_field *field,
	const struct cs_typed_value *value, void *object) CS_MUST_USE;
bool cs_change_parse_box(const char *value, struct cs_box *ret);

/* Finds a layer by name, asset or label; CS_NONE when there is none. */
uint32_t cs_change_find_layer(const struct cs_world *world, const char *name);
/* Stores the GUID of the actor with this label or name. A name that is a GUID is stored itself. */
struct cs_error *cs_change_find_guid(
	const struct cs_world *world, const char *name, struct cs_guid *ret) CS_MUST_USE;
