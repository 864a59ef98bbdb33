/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the actors of the persistent level in our cook and in the engine's, by object paths. */
#include "compare/compare_internal.h"

#include "core/sort.h"

#include <stdio.h>

struct named_row {
	const char *path;
	uint32_t actor; /* row of the actor in our cook, or CS_NONE */
};

/*
 * Returns the part of an actor's path that is compared; `world` is the map that the path belongs
 * to. It is the part from ":PersistentLevel." on if the actor is in the map's own level, because
 * the path before it depends on how the map was opened ("/Temp/M.M" in a log, "/Game/M.M" in a
 * cook), or if our map and the engine's have different names. Otherwise it is the whole path.
 */
static const char *comparable_path(
	const struct cs_comparer *comparer, const char *path, const char *world)
{
	const char *ours = cs_cooked_text(comparer->ours, comparer->ours->world->name);
	const char *level = strstr(path, ":PersistentLevel.");
	const size_t n = strlen(world);
	if (!level)
		return path;
	const bool own = (size_t)(level - path) > n && level[-(ptrdiff_t)n - 1] == '.' &&
			 strncmp(level - n, world, n) == 0;
	return own || strcmp(ours, comparer->theirs.world) != 0 ? level : path;
}

/*
 * Returns the path that the engine would log for an actor. For an actor from JSON, which has none,
 * the path is composed from the names of the map and the actor.
 */
static const char *our_path(struct cs_comparer *comparer, uint32_t actor)
{
	const struct cs_cooked_world *world = comparer->ours->world;
	const char *path =
		cs_cooked_text(comparer->ours, cs_cooked_detail(comparer->ours, actor)->path);
	char text[1200];
	if (*path)
		return path;
	snprintf(text, sizeof(text), "%.400s.%.300s:PersistentLevel.%.400s",
		cs_cooked_text(comparer->ours, world->package),
		cs_cooked_text(comparer->ours, world->name),
		cs_cooked_text(comparer->ours, cs_cooked_actor(comparer->ours, actor)->name));
	return cs_compare_text(comparer, text, strlen(text));
}

static struct named_row *our_persistent(struct cs_comparer *comparer, size_t *n_ret)
{
	struct named_row *rows = malloc((comparer->ours->n_actors + 1) * sizeof(*rows));
	*n_ret = 0;
	for (uint32_t i = 0; rows && i < comparer->ours->n_actors; i++) {
		uint32_t cell = cs_cooked_actor(comparer->ours, i)->cell;
		/*
		 * actors in no cell belong to the persistent level only in a world read from cooked
		 * maps
		 */
		if (cell == CS_NONE ? !(comparer->ours->world->flags & CS_WORLD_COOKED)
				    : cs_our_cell_streams(comparer, cell))
			continue;
		rows[(*n_ret)++] = (struct named_row){
			comparable_path(comparer, our_path(comparer, i),
				cs_cooked_text(comparer->ours, comparer->ours->world->name)),
			i};
	}
	return rows;
}

static void report_persistent(struct cs_comparer *comparer, const char *path, uint32_t actor)
{
	static const char persistent[] = "persistent level";
	bool ours = actor != CS_NONE;
	if (ours && comparer->actor_seen[actor] & CS_ACTOR_SEEN)
		/* the engine lists the actor in a cell, so compare_actor() reported it as moved */
		return;
	const char *dot = strrchr(path, '.');
	cs_compare_report(comparer,
		(struct cs_compare_row){CS_COMPARE_ACTOR,
			ours ? CS_COMPARE_ONLY_OURS : CS_COMPARE_ONLY_THEIRS,
			.name = ours  ? cs_our_actor_name(comparer, actor)
				: dot ? dot + 1
				      : path,
			.ours = ours ? persistent : NULL, .theirs = ours ? NULL : persistent,
			.decided = ours ? cs_rule_that_decided(comparer, actor) : NULL,
			.cell = CS_NONE, .actor = actor});
}

static void merge_persistent(struct cs_comparer *comparer, const struct named_row *l, size_t n_l,
	const struct named_row *r, size_t n_r)
{
	for (size_t i = 0, j = 0; i < n_l || j < n_r;) {
		int order = i == n_l ? 1 : j == n_r ? -1 : strcmp(l[i].path, r[j].path);
		if (order < 0)
			report_persistent(comparer, l[i].path, l[i].actor);
		else if (order > 0)
			report_persistent(comparer, r[j].path, CS_NONE);
		i += order <= 0;
		j += order >= 0;
	}
}

void cs_compare_persistent(struct cs_comparer *comparer)
{
	size_t n_l, n_r = comparer->theirs.always_loaded.n;
	struct named_row *l = our_persistent(comparer, &n_l), *r = malloc((n_r + 1) * sizeof(*r));
	for (size_t i = 0; r && i < n_r; i++)
		r[i] = (struct named_row){
			comparable_path(comparer, comparer->theirs.always_loaded.at[i],
				comparer->theirs.world),
			CS_NONE};
	comparer->compared[CS_COMPARE_ACTOR] += n_r;
	if (l && r && cs_sort(l, n_l, sizeof(*l), cs_compare_texts, NULL) &&
		cs_sort(r, n_r, sizeof(*r), cs_compare_texts, NULL))
		merge_persistent(comparer, l, n_l, r, n_r);
	else
		comparer->failed = true;
	free(l);
	free(r);
}
