/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: which actors of a cooked world show which mesh. */
#include <cellscope/farm.h>

#include "core/sort.h"

#include <stdlib.h>

static int by_mesh(const void *left, const void *right, void *context)
{
	const struct cs_shown_mesh *l = left, *r = right;
	(void)context;
	if (l->mesh != r->mesh)
		return l->mesh < r->mesh ? -1 : 1;
	return l->actor < r->actor ? -1 : l->actor > r->actor;
}

struct cs_error *cs_assets_shown(const struct cs_cooked *cooked, const uint32_t *actors, size_t n,
	struct cs_shown_mesh **ret, size_t *n_ret)
{
	struct cs_shown_mesh *shown = malloc((n + 1) * sizeof(*shown));
	size_t kept = 0;
	for (size_t i = 0; shown && i < n; i++) {
		const struct cs_cooked_actor *actor = cs_cooked_actor(cooked, actors[i]);
		uint32_t mesh = cs_cooked_find_mesh(cooked, actor->mesh);
		if (mesh != CS_NONE && actor->cell != CS_NONE)
			shown[kept++] = (struct cs_shown_mesh){mesh, actors[i]};
	}
	if (!shown || !cs_sort(shown, kept, sizeof(*shown), by_mesh, NULL)) {
		free(shown);
		return cs_error_nomem();
	}
	*ret = shown;
	*n_ret = kept;
	return NULL;
}
