/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by values.c, tags.c (tagged properties) and decode_object.c (objects). */
#pragma once

#include "ue/object/values.h"

/* Encoding of the values at the cursor. Passed by value, because nested readers change a copy. */
struct cs_ue_reading {
	struct cs_ue_decoder *decoder;
	bool tagged;
	bool contained;     /* whether the value is inside an array, set, map or optional */
	bool as_properties; /* whether structs with a binary form are stored as properties */
	unsigned depth;
};

void cs_ue_read_value(struct cs_ue_reading reading, struct cs_cursor *cursor,
	const struct cs_ue_type *type, struct cs_ue_node *node);
void cs_ue_read_tags(struct cs_ue_reading reading, struct cs_cursor *cursor, struct cs_ue_node *to);
void cs_ue_read_untagged(struct cs_ue_reading reading, struct cs_cursor *cursor,
	const struct cs_ue_class *class, struct cs_ue_node *to);
const char *cs_ue_read_fname(struct cs_ue_decoder *decoder, struct cs_cursor *cursor);
bool cs_ue_struct_is_binary(const char *name);
