/* SPDX-License-Identifier: Apache-2.0 */
/* Computes how far the bounds of a changed object moved, the member `amount` of a difference. */
#include <cellscope/cook.h>

#include "cook/record/diff_internal.h"

#include <math.h>

static double farther(struct cs_vec3 left, struct cs_vec3 right)
{
	return fmax(fabs(left.x - right.x), fmax(fabs(left.y - right.y), fabs(left.z - right.z)));
}

double cs_diff_amount(const struct cs_box *left, const struct cs_box *right)
{
	return cs_box_valid(left) && cs_box_valid(right)
		       ? fmax(farther(left->min, right->min), farther(left->max, right->max))
		       : -1;
}

void cs_diff_judge(
	const struct cs_cooked *left, const struct cs_cooked *right, struct cs_diff_row *row)
{
	if (row->kind == CS_DIFF_CELL && row->left != CS_NONE && row->right != CS_NONE)
		row->amount = cs_diff_amount(&cs_cooked_cell(left, row->left)->content,
			&cs_cooked_cell(right, row->right)->content);
}
