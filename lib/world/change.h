/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for changing a world: finding objects by their names, storing values. */
#pragma once

#include "world/world_fields.h"
#include "world/world_internal.h"

/* size limit of a name in a change, bytes */
enum { CS_CHANGE_NAME = 300 };

struct cs_typed_value {
	const char *text;
	char sign; /* '+' adds `text` to a list, '-' removes it, 0 replaces the value */
};

/* Parses a value and stores it in a field of `object`. */
struct cs_error *cs_change_field(struct cs_world *world, const struct cs_json_field *field,
	const struct cs_typed_value *value, void *object) CS_MUST_USE;
bool cs_change_parse_box(const char *value, struct cs_box *ret);

/* Finds a data layer by name, asset or label; returns CS_NONE when there is none. */
uint32_t cs_change_find_layer(const struct cs_world *world, const char *name);
/* Gets the GUID of the actor with this label or name. If `name` is a GUID, gets that GUID. */
struct cs_error *cs_change_find_guid(
	const struct cs_world *world, const char *name, struct cs_guid *ret) CS_MUST_USE;
