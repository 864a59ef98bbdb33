/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: cooking a world again after changes. A cook of the world as it was is kept, whole; what was
 * changed is compared with what was kept, and decides how far a change reaches:
 *
 *	nothing but tables    a loading range, the priority of a layer
 *	sets of some clusters an actor: its bounds, layers, references, parent
 *	all sets              a cell size, an origin
 *	everything            what is not in the lists below: cooked in full
 *
 * A setting that is not named here reaches everything: a list that lacks one costs time, not truth.
 */
#include "cook/again.h"
#include "cook/phases.h"

#include "base/options.h"
#include "base/sort.h"
#include "cook/tables.h"

#include <stddef.h>

struct cs_recook {
	const struct cs_world *world;
	const struct cs_job *job;
	struct cs_cook_options options;
	struct cs_cook *base;
	struct cs_cooked_actor *rows; /* of it */
	uint32_t *view_of;            /* by world actor: views of the base, or CS_NONE */
	enum cs_recook_reach reach;
	/* as they were */
	struct cs_world_settings settings;
	CS_VEC(struct cs_source_partition) partitions, setups;
	CS_VEC(struct cs_source_grid) grids;
	CS_VEC(struct cs_source_layer) layers;
	CS_VEC(struct cs_source_hlod_layer) hlod_layers;
};

/* ---- how far settings reach ---- */

struct setting {
	size_t at, size;
	enum cs_recook_reach reach;
};

#define SETTING(type, member, reach_)                                                 \
	{                                                                             \
		offsetof(struct type, member), sizeof(((struct type *)NULL)->member), \
			CS_RECOOK_##reach_                                            \
	}

static const struct setting of_world[] = {
	SETTING(cs_world_settings, layers_operator, TABLES),
	SETTING(cs_world_settings, server_streaming, TABLES),
	SETTING(cs_world_settings, server_streaming_out, TABLES),
	SETTING(cs_world_settings, world_references, TABLES), /* validation runs in any case */
	SETTING(cs_world_settings, aligned, PLACES),
	SETTING(cs_world_settings, snap, PLACES),
	SETTING(cs_world_settings, small_by_location, PLACES),
	SETTING(cs_world_settings, partition_by_location, PLACES),
	SETTING(cs_world_settings, z_culling, PLACES),
};

static const struct setting of_partition[] = {
	SETTING(cs_source_partition, loading_range, TABLES),
	SETTING(cs_source_partition, block_on_slow, TABLES),
	SETTING(cs_source_partition, client_only, TABLES),
	SETTING(cs_source_partition, priority, TABLES),
	SETTING(cs_source_partition, color, TABLES),
	SETTING(cs_source_partition, cell_size, PLACES),
	SETTING(cs_source_partition, origin, PLACES),
	SETTING(cs_source_partition, is_2d, PLACES),
	SETTING(cs_source_partition, bounds_method, PLACES),
};

static const struct setting of_grid[] = {
	SETTING(cs_source_grid, loading_range, TABLES),
	SETTING(cs_source_grid, block_on_slow, TABLES),
	SETTING(cs_source_grid, client_only, TABLES),
	SETTING(cs_source_grid, priority, TABLES),
	SETTING(cs_source_grid, color, TABLES),
	SETTING(cs_source_grid, cell_size, PLACES),
	SETTING(cs_source_grid, origin_x, PLACES),
	SETTING(cs_source_grid, origin_y, PLACES),
};

static const struct setting of_layer[] = {
	SETTING(cs_source_layer, initial, TABLES),
	SETTING(cs_source_layer, priority, TABLES),
	SETTING(cs_source_layer, color, TABLES),
};

static const struct setting of_hlod_layer[] = {
	SETTING(cs_source_hlod_layer, spatial, TABLES),
	SETTING(cs_source_hlod_layer, cell_size, TABLES),
	SETTING(cs_source_hlod_layer, loading_range, TABLES),
	SETTING(cs_source_hlod_layer, proxy_triangles, TABLES),
	SETTING(cs_source_hlod_layer, assumed, TABLES),
};

enum { LARGEST_SETTINGS = 256 };

/* Of one object, `size` bytes: with the settings of the list put over it, the old one is the new.
 */
static enum cs_recook_reach reach_of_object(const void *before, const void *now, size_t size,
	const struct setting *settings, size_t n, enum cs_recook_reach reach)
{
	unsigned char scratch[LARGEST_SETTINGS];
	memcpy(scratch, before, size);
	for (size_t i = 0; i < n; i++) {
		const struct setting *s = &settings[i];
		const unsigned char *field = (const unsigned char *)now + s->at;
		if (memcmp(scratch + s->at, field, s->size) == 0)
			continue;
		memcpy(scratch + s->at, field, s->size);
		reach = reach > s->reach ? reach : s->reach;
	}
	return memcmp(scratch, now, size) == 0 ? reach : CS_RECOOK_ALL;
}

struct objects {
	const void *before, *now;
	size_t n, n_now, size;
	const struct setting *settings;
	size_t n_settings;
};

#define OBJECTS(list, known)                                                                     \
	{                                                                                        \
		r->list.at, r->world->list.at, r->list.n, r->world->list.n, sizeof(*r->list.at), \
			known, sizeof(known) / sizeof((known)[0])                                \
	}

_Static_assert(sizeof(struct cs_world_settings) <= LARGEST_SETTINGS &&
		       sizeof(struct cs_source_partition) <= LARGEST_SETTINGS &&
		       sizeof(struct cs_source_grid) <= LARGEST_SETTINGS &&
		       sizeof(struct cs_source_layer) <= LARGEST_SETTINGS &&
		       sizeof(struct cs_source_hlod_layer) <= LARGEST_SETTINGS,
	"an object fits");

static enum cs_recook_reach reach_of_settings(const struct cs_recook *r)
{
	const struct objects lists[] = {
		OBJECTS(partitions, of_partition),
		OBJECTS(setups, of_partition),
		OBJECTS(grids, of_grid),
		OBJECTS(layers, of_layer),
		OBJECTS(hlod_layers, of_hlod_layer),
	};
	enum cs_recook_reach reach =
		reach_of_object(&r->settings, &r->world->settings, sizeof(r->settings), of_world,
			sizeof(of_world) / sizeof(of_world[0]), CS_RECOOK_TABLES);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const struct objects *list = &lists[i];
		if (list->n != list->n_now)
			return CS_RECOOK_ALL;
		for (size_t k = 0; k < list->n && reach != CS_RECOOK_ALL; k++)
			reach = reach_of_object(
				(const unsigned char *)list->before + k * list->size,
				(const unsigned char *)list->now + k * list->size, list->size,
				list->settings, list->n_settings, reach);
	}
	return reach;
}

/* ---- how far actors reach ---- */

/* Level instances make instances, and what asks to be saved again is told with them. */
static bool reaches_all(const struct cs_world *world, const struct cs_actor_row *before,
	const struct cs_actor_row *now)
{
	const struct cs_actor_more *was = cs_actor_more(world, before),
				   *is = cs_actor_more(world, now);
	return was->level_instance != CS_NONE || is->level_instance != CS_NONE ||
	       before->saved != now->saved || was->hlod != is->hlod ||
	       before->container != now->container ||
	       (before->flags ^ now->flags) & CS_ACTOR_NEEDS_RESAVE;
}

static bool is_known(const struct cs_again *again, uint32_t actor)
{
	for (size_t i = 0; i < again->changed.n; i++)
		if (again->changed.at[i].actor == actor)
			return true;
	return false;
}

/* The pools only grow: what lies at a place that the base knows is what it was. */
static bool same_range(struct cs_range left, struct cs_range right)
{
	return left.first == right.first && left.count == right.count;
}

static struct cs_error *add_changed(const struct cs_recook *r, struct cs_again *again,
	uint32_t actor, const struct cs_actor_row *before, enum cs_recook_reach *reach)
{
	const struct cs_actor_row *now = &r->world->actors.at[actor];
	const struct cs_actor_more *was = cs_actor_more(r->world, before),
				   *is = cs_actor_more(r->world, now);
	const struct cs_changed_actor changed = {actor, r->view_of[actor], before};
	if (reaches_all(r->world, before, now)) {
		*reach = CS_RECOOK_ALL;
		return NULL;
	}
	*reach = *reach < CS_RECOOK_SETS ? CS_RECOOK_SETS : *reach;
	again->grids = again->grids || before->grid != now->grid;
	again->parents = again->parents ||
			 cs_guid_compare(cs_actor_parent(r->world, before),
				 cs_actor_parent(r->world, now)) != 0 ||
			 (before->flags ^ now->flags) & CS_ACTOR_EDITOR_ONLY;
	again->links = again->links || again->parents ||
		       !same_range(before->references, now->references) ||
		       !same_range(was->editor_references, is->editor_references);
	again->lists = again->lists || before->references.count != now->references.count ||
		       !same_range(before->layers, now->layers) ||
		       !same_range(was->tags, is->tags) || was->mesh != is->mesh;
	if (!cs_vec_push(&again->changed, changed) ||
		(changed.view != CS_NONE && !cs_vec_push(&again->views, changed.view)))
		return cs_error_nomem();
	return NULL;
}

/* More are a world of its own. */
enum { MOST_CHANGED = 256 };

static struct cs_error *collect_changed(const struct cs_recook *r, struct cs_again *again,
	const struct cs_world_changes *changes, enum cs_recook_reach *reach)
{
	const size_t n = changes ? cs_world_changed_actors(changes) : 0;
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < n && *reach != CS_RECOOK_ALL; i++) {
		const struct cs_actor_row *before;
		uint32_t actor = cs_world_changed_actor(changes, i, &before);
		if (is_known(again, actor))
			continue; /* it was before what it was first */
		error = add_changed(r, again, actor, before, reach);
		if (again->changed.n > MOST_CHANGED)
			*reach = CS_RECOOK_ALL;
	}
	return error || cs_sort_u32(again->views.at, again->views.n) ? error : cs_error_nomem();
}

/* ---- the base ---- */

static bool keep_settings(struct cs_recook *r)
{
	const struct cs_world *w = r->world;
	memcpy(&r->settings, &w->settings, sizeof(r->settings)); /* with what lies between */
	return cs_vec_append(&r->partitions, w->partitions.at, w->partitions.n) &&
	       cs_vec_append(&r->setups, w->setups.at, w->setups.n) &&
	       cs_vec_append(&r->grids, w->grids.at, w->grids.n) &&
	       cs_vec_append(&r->layers, w->layers.at, w->layers.n) &&
	       cs_vec_append(&r->hlod_layers, w->hlod_layers.at, w->hlod_layers.n);
}

static bool keep_rows(struct cs_recook *r)
{
	const struct cs_cook *base = r->base;
	const size_t n = r->world->actors.n;
	r->view_of = malloc((n + 1) * sizeof(*r->view_of));
	r->rows = malloc(((size_t)base->placed.n_rows + 1) * sizeof(*r->rows));
	if (!r->view_of || !r->rows)
		return false;
	memset(r->view_of, 0xff, n * sizeof(*r->view_of));
	for (uint32_t view = 0; view < base->actors.views.n; view++)
		r->view_of[base->actors.views.at[view].actor] = view;
	if (base->placed.n_rows)
		cs_fill_actors(r->base, 0, base->placed.n_rows, r->rows);
	return cs_file_texts_keep(&base->result.tables->texts);
}

struct cs_error *cs_recook_new(const struct cs_world *world, const struct cs_cook_options *options,
	const struct cs_job *job, struct cs_recook **ret)
{
	struct cs_recook *r = calloc(1, sizeof(*r));
	if (!r)
		return cs_error_nomem();
	r->world = world;
	r->job = job;
	r->options = (struct cs_cook_options){.trigger = CS_TRIGGER_COOK};
	struct cs_error *error = options ? cs_options_read(options, sizeof(r->options), &r->options,
						   sizeof(r->options))
					 : NULL;
	r->options.size = sizeof(r->options);
	if (!error)
		error = cs_cook_keeping(world, &r->options, job, &r->base);
	if (!error && !(keep_settings(r) && keep_rows(r)))
		error = cs_error_nomem();
	if (error)
		cs_recook_free(r);
	else
		*ret = r;
	return error;
}

void cs_recook_free(struct cs_recook *r)
{
	if (!r)
		return;
	cs_vec_free(&r->partitions);
	cs_vec_free(&r->setups);
	cs_vec_free(&r->grids);
	cs_vec_free(&r->layers);
	cs_vec_free(&r->hlod_layers);
	free(r->view_of);
	free(r->rows);
	cs_cook_free(r->base);
	free(r);
}

enum cs_recook_reach cs_recook_reach(const struct cs_recook *recook)
{
	return recook->reach;
}

/* ---- cooking again ---- */

static struct cs_error *cook_again(
	struct cs_recook *r, struct cs_again *again, struct cs_cook **ret)
{
	bool refused = false;
	again->base = r->base;
	again->rows = r->rows;
	again->whole = r->reach == CS_RECOOK_PLACES;
	again->refused = &refused;
	struct cs_error *error = cs_cook_again(again, r->job, ret);
	if (!refused)
		return error;
	cs_error_free(error);
	r->reach = CS_RECOOK_ALL;
	return cs_cook(r->world, &r->options, r->job, ret);
}

struct cs_error *cs_recook_cook(
	struct cs_recook *r, const struct cs_world_changes *changes, struct cs_cook **ret)
{
	enum cs_recook_reach reach = reach_of_settings(r);
	struct cs_again *again = calloc(1, sizeof(*again));
	if (!again)
		return cs_error_nomem();
	struct cs_error *error = collect_changed(r, again, changes, &reach);
	r->reach = reach;
	if (!error && reach != CS_RECOOK_ALL)
		return cook_again(r, again, ret);
	cs_again_free(again);
	return error ? error : cs_cook(r->world, &r->options, r->job, ret);
}
