/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the rows of actors: what the descriptor says, what the cook made of it, and why. */
#include "cook/tables.h"

#include "base/sort.h"

#define PUSH(tables, table, ...)                                  \
	do {                                                      \
		if (!cs_vec_push(&(tables)->table, __VA_ARGS__))  \
			(tables)->failed = true;                  \
	} while (0)

struct actor_writer {
	struct cs_cook *cook;
	struct cs_text_map layers; /* world text -> layer row of any type, CS_NONE - 1 = none */
};

static enum cs_placement placement_of(const struct cs_cook *cook,
	const struct cs_instance *instance, uint32_t view, uint32_t row)
{
	uint32_t set = cook->set_of_row[row];
	if (set != CS_NONE)
		return (enum cs_placement)cook->sets.at[set].placement;
	if (cook->views.at[view].kind == CS_VIEW_EDITOR_ONLY)
		return CS_UNPLACED_EDITOR_ONLY;
	if (cook->views.at[view].kind == CS_VIEW_CONTAINER)
		return CS_UNPLACED_CONTAINER;
	return cook->filtered[row] || instance->parent == CS_NONE ? CS_UNPLACED_FILTERED
								  : CS_UNPLACED_NOT_MAIN;
}

static uint32_t flags_of(const struct cs_cook *cook, const struct cs_instance *instance,
	uint32_t view, uint32_t row)
{
	static const uint32_t forced[CS_FORCED_KINDS] = {
		[CS_FORCED_NON_SPATIAL] = CS_ACTOR_FORCED_NONSPATIAL,
		[CS_FORCED_NO_LAYERS] = CS_ACTOR_FORCED_NO_LAYERS,
		[CS_FORCED_NO_GRID] = CS_ACTOR_FORCED_NO_GRID,
	};
	const struct cs_view *v = &cook->views.at[view];
	const struct cs_actor *actor = &cook->world->actors.at[v->actor];
	uint32_t flags = actor->flags & CS_DESC_FLAGS;
	if (instance->spatial && cook->effective[view].spatial && v->kind == CS_VIEW_ACTOR)
		flags |= CS_ACTOR_SPATIAL;
	for (int i = 0; i < CS_FORCED_KINDS; i++)
		flags |= v->forced & 1 << i ? forced[i] : 0;
	flags |= actor->level_instance != CS_NONE ? CS_ACTOR_LEVEL_INSTANCE : 0;
	flags |= v->kind == CS_VIEW_CONTAINER ? CS_ACTOR_CONTAINER : 0;
	flags |= cook->filtered[row] ? CS_ACTOR_FILTERED : 0;
	flags |= actor->saved == CS_UNSAVED_ONLY ? CS_ACTOR_UNSAVED : 0;
	flags |= v->no_hlod_layer ? CS_ACTOR_NO_HLOD_LAYER : 0;
	return flags;
}

static uint32_t hlod_layer_of(const struct cs_instance *instance, const struct cs_view *view)
{
	if (view->no_hlod_layer)
		return CS_NONE;
	return instance->hlod_layer != CS_NONE ? instance->hlod_layer : view->hlod_layer;
}

static uint32_t row_of_guid(
	const struct cs_cook *cook, const struct cs_instance *instance, struct cs_guid guid)
{
	if (cs_guid_is_zero(guid))
		return CS_NONE;
	uint32_t view = cs_collection_find(
		cook, &cook->collections.at[instance->collection], guid);
	return view == CS_NONE ? CS_NONE : cs_row_of(cook, instance, view);
}

/* The actor's layers that exist in the world, those of the editor as well. */
static struct cs_range write_layers(struct actor_writer *w, const struct cs_actor *actor)
{
	struct cs_tables *t = w->cook->tables;
	struct cs_range range = {(uint32_t)t->actor_layers.n, 0};
	for (uint32_t i = 0; i < actor->layers.count; i++) {
		uint32_t text = w->cook->world->texts.at[actor->layers.first + i];
		uint32_t *known = cs_text_map_at(&w->layers, text);
		if (!known) {
			t->failed = true;
			return range;
		}
		if (*known == CS_NONE) {
			*known = cs_cook_layer(w->cook, text);
			*known -= *known == CS_NONE;
		}
		if (*known != CS_NONE - 1)
			PUSH(t, actor_layers, *known);
	}
	range.count = (uint32_t)t->actor_layers.n - range.first;
	if (!cs_sort_u32(t->actor_layers.at + range.first, range.count))
		t->failed = true;
	return range;
}

static struct cs_range write_references(
	struct cs_cook *cook, const struct cs_instance *instance, const struct cs_actor *actor)
{
	struct cs_tables *t = cook->tables;
	struct cs_range range = {(uint32_t)t->references.n, actor->references.count};
	for (uint32_t i = 0; i < actor->references.count; i++) {
		uint32_t at = actor->references.first + i;
		struct cs_guid guid = cook->world->guids.at[at];
		PUSH(t, references, (struct cs_cooked_reference){guid,
					    row_of_guid(cook, instance, guid),
					    cook->reference_states[at]});
	}
	return range;
}

static void write_actor(
	struct actor_writer *w, const struct cs_instance *instance, uint32_t view, uint32_t row)
{
	struct cs_cook *cook = w->cook;
	const struct cs_view *v = &cook->views.at[view];
	const struct cs_actor *actor = &cook->world->actors.at[v->actor];
	uint32_t set = cook->set_of_row[row];
	uint32_t grid = set != CS_NONE ? cook->sets.at[set].grid : cook->effective[view].grid;
	struct cs_cooked_actor out = {
		.guid = actor->guid,
		.bounds = cs_box_transform(&actor->bounds, &instance->transform),
		.name = cs_tables_text(cook, actor->name),
		.label = cs_tables_text(cook, actor->label),
		.base_class = cs_tables_text(cook, actor->base_class),
		.native_class = cs_tables_text(cook, actor->native_class),
		.grid = cs_tables_text(cook, actor->grid),
		.effective_grid = cs_tables_text(cook, cook->grid_names.at[grid].text),
		.container = (uint32_t)(instance - cook->instances.at),
		.parent = row_of_guid(cook, instance, actor->parent),
		.set = set,
		.cell = set != CS_NONE ? cook->sets.at[set].cell : CS_NONE,
		.hlod_layer = hlod_layer_of(instance, v),
		.flags = flags_of(cook, instance, view, row),
		.defaults = actor->defaults,
		.assumed = actor->assumed,
		.placement = placement_of(cook, instance, view, row),
		.layers = write_layers(w, actor),
		.references = write_references(cook, instance, actor),
	};
	PUSH(cook->tables, actors, out);
}

static void write_detail(struct cs_cook *cook, const struct cs_instance *instance, uint32_t view)
{
	struct cs_tables *t = cook->tables;
	const struct cs_view *v = &cook->views.at[view];
	const struct cs_actor *actor = &cook->world->actors.at[v->actor];
	struct cs_range tags = {(uint32_t)t->actor_tags.n, actor->tags.count};
	for (uint32_t i = 0; i < actor->tags.count; i++)
		PUSH(t, actor_tags,
			cs_tables_text(cook, cook->world->texts.at[actor->tags.first + i]));
	struct cs_cooked_actor_detail out = {
		.transform = cs_transform_compose(&actor->transform, &instance->transform),
		.editor_bounds = cs_box_transform(&actor->editor_bounds, &instance->transform),
		.instance_guid = cs_combine_guids(instance->id, actor->guid),
		.content_bundle = cs_guid_is_zero(instance->content_bundle)
					  ? actor->content_bundle
					  : instance->content_bundle,
		.folder_guid = actor->folder_guid,
		.package = cs_tables_text(cook, actor->package),
		.path = cs_tables_text(cook, actor->path),
		.folder = cs_tables_text(cook, actor->folder),
		.engine = cs_tables_text(cook, actor->engine),
		.external_layer = v->external_layer,
		.own_hlod_layer = cs_tables_text(cook, actor->hlod_layer),
		.tags = tags,
	};
	PUSH(t, details, out);
}

void cs_tables_actors(struct cs_cook *cook)
{
	struct actor_writer w = {.cook = cook};
	struct cs_tables *t = cook->tables;
	if (!cs_vec_reserve(&t->actors, cook->n_rows) || !cs_vec_reserve(&t->details, cook->n_rows))
		t->failed = true;
	for (size_t i = 0; i < cook->instances.n && !t->failed; i++) {
		const struct cs_instance *instance = &cook->instances.at[i];
		const struct cs_collection *c = &cook->collections.at[instance->collection];
		for (uint32_t k = 0; k < c->n_views && !t->failed; k++) {
			write_actor(&w, instance, c->first_view + k, instance->first_row + k);
			write_detail(cook, instance, c->first_view + k);
		}
	}
	cs_text_map_deinit(&w.layers);
}
