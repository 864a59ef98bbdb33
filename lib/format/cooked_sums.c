/* SPDX-License-Identifier: Apache-2.0 */
/* Computes sums over the rows of a cooked world, and the tree of its data layers. */
#include <cellscope/cooked.h>

#include "core/vec.h"

#include <stdlib.h>

struct cs_cooked_sums cs_cooked_sums(const struct cs_cooked *cooked)
{
	struct cs_cooked_sums sums = {0};
	for (size_t i = 0; i < cooked->n_findings; i++)
		if (cooked->findings[i].pass == 0 && cooked->findings[i].severity <= CS_ERROR)
			sums.found[cooked->findings[i].severity]++;
	for (size_t i = 0; i < cooked->n_drops; i++)
		sums.lost += cooked->drops[i].actors;
	for (size_t i = 0; i < cooked->n_cells; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(cooked, i);
		if (!(cell->flags & CS_CELL_ALWAYS_LOADED) && cell->actors.count > sums.fullest)
			sums.fullest = cell->actors.count;
	}
	return sums;
}

/* ---- tree of data layers ---- */

enum { DEEPEST = 64 };

/* First child and next sibling of each data layer. The extra last entry is the roots' parent. */
struct family {
	uint32_t *below, *beside;
};

/* Links the layers from the last to the first, so that siblings are in row order. */
static void link_layers(const struct cs_cooked *cooked, struct family *family)
{
	const uint32_t n = (uint32_t)cooked->n_layers;
	for (uint32_t i = 0; i <= n; i++)
		family->below[i] = CS_NONE;
	for (uint32_t i = n; i-- > 0;) {
		const uint32_t parent = cooked->layers[i].parent < n ? cooked->layers[i].parent : n;
		family->beside[i] = family->below[parent];
		family->below[parent] = i;
	}
}

struct cs_error *cs_cooked_layer_tree(
	const struct cs_cooked *cooked, struct cs_layer_branch **ret, size_t *n_ret)
{
	const size_t n = cooked->n_layers;
	struct family family = {
		malloc((n + 1) * sizeof(uint32_t)), malloc((n + 1) * sizeof(uint32_t))};
	CS_VEC(struct cs_layer_branch) open = {0};
	struct cs_layer_branch *rows = malloc((n + 1) * sizeof(*rows));
	/* each of the n layers is added at most once, so n + 1 entries suffice */
	bool ok = family.below && family.beside && rows && cs_vec_reserve(&open, n + 1);
	struct cs_error *error = ok ? NULL : cs_error_nomem();
	size_t told = 0;
	if (ok) {
		link_layers(cooked, &family);
		open.at[open.n++] = (struct cs_layer_branch){family.below[n], 0};
	}
	while (!error && open.n > 0) {
		const struct cs_layer_branch at = open.at[--open.n];
		if (at.layer == CS_NONE)
			continue;
		if (at.depth > DEEPEST) {
			error = cs_error_new(CS_E_LIMIT,
				"the data layers of the world are nested more than %d "
				"deep, the limit",
				DEEPEST);
			break;
		}
		rows[told++] = at;
		open.at[open.n++] = (struct cs_layer_branch){family.beside[at.layer], at.depth};
		if (family.below[at.layer] != CS_NONE)
			open.at[open.n++] =
				(struct cs_layer_branch){family.below[at.layer], at.depth + 1};
	}
	free(family.below);
	free(family.beside);
	cs_vec_free(&open);
	if (error) {
		free(rows);
		return error;
	}
	*ret = rows;
	*n_ret = told;
	return NULL;
}
