/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the readers of values (values.c), of tags (tags.c) and of whole objects
 * (decode_object.c).
 */
#pragma once

#include "ue/object/values.h"

/*
 * How values are encoded at the reader's position. Passed by value, so that nested readers can
 * change it.
 */
struct cs_ue_reading {
	struct cs_ue_decoder *decoder;
	bool tagged;
	bool contained;     /* inside an array, set, map or optional */
	bool as_properties; /* structs that normally have a binary form are written as properties */
	unsigned depth;
};

void cs_ue_read_value(struct cs_ue_reading reading, struct cs_cursor *cursor,
	const struct cs_ue_type *type, struct cs_ue_node *node);
void cs_ue_read_tags(struct cs_ue_reading reading, struct cs_cursor *cursor, struct cs_ue_node *to);
void cs_ue_read_untagged(struct cs_ue_reading reading, struct cs_cursor *cursor,
	const struct cs_ue_class *class, struct cs_ue_node *to);
const char *cs_ue_read_fname(struct cs_ue_decoder *decoder, struct cs_cursor *cursor);
bool cs_ue_struct_is_binary(const char *name);
