/* SPDX-License-Identifier: Apache-2.0 */
/* Lists which actors of a cooked world show which mesh. */
#include <cellscope/farm.h>

#include "core/sort.h"
#include "core/vec.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"

#include <stdlib.h>

static int by_mesh(const void *left, const void *right, void *context)
{
	const struct cs_shown_mesh *l = left, *r = right;
	(void)context;
	if (l->mesh != r->mesh)
		return l->mesh < r->mesh ? -1 : 1;
	return l->actor < r->actor ? -1 : l->actor > r->actor;
}

struct cs_error *cs_assets_shown(struct cs_cooked *cooked, const uint32_t *actors, size_t n,
	struct cs_shown_mesh **ret, size_t *n_ret)
{
	struct cs_shown_mesh *shown = malloc((n + 1) * sizeof(*shown));
	static const struct cs_record_byte fields[] = {
		{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, mesh)},
		{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, cell)}};
	const struct cs_cooked_loop loop = cs_cooked_loop(cooked, fields, CS_COUNT_OF(fields));
	size_t kept = 0;
	for (size_t i = 0; shown && i < n; i++) {
		const struct cs_cooked_actor *actor = cs_cooked_actor(cooked, actors[i]);
		uint32_t mesh = cs_cooked_find_mesh(cooked, actor->mesh);
		if (mesh != CS_NONE && actor->cell != CS_NONE)
			shown[kept++] = (struct cs_shown_mesh){mesh, actors[i]};
		cs_cooked_loop_step(&loop, i);
	}
	struct cs_error *error = cs_cooked_loop_end(&loop);
	if (!error && (!shown || !cs_sort(shown, kept, sizeof(*shown), by_mesh, NULL)))
		error = cs_error_nomem();
	if (error) {
		free(shown);
		return error;
	}
	*ret = shown;
	*n_ret = kept;
	return NULL;
}
