/* SPDX-License-Identifier: Apache-2.0 */
/* Models from the inside. */
#ifndef NANITE_INSPECT_INSPECT_H
#define NANITE_INSPECT_INSPECT_H

#include <cellscope/nanite_model.h>

/* The row of a used slot; CS_NONE when there is none. */
uint32_t cs_model_slot_at(const struct cs_model *model, uint32_t node, uint32_t slot);
/* The page of a part of a group, by its place among the parts of the group. */
static inline uint32_t cs_model_group_page(
	const struct cs_model *model, const struct cs_model_group *group, uint32_t part)
{
	return model->parts[model->group_parts[group->first_part + part]].page;
}

#endif
