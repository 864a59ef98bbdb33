/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the rows of actors: what the descriptor contains, what the cook decided, and why. One pass
 * in row order collects what is in other tables (texts, layers, tags, references). The rows
 * themselves are computed on any thread when their section is written.
 */
#include "cook/record/tables.h"

#include "cook/phases/text_map.h"
#include "core/geometry.h"
#include "core/guid.h"
#include "core/identity.h"
#include "core/large.h"
#include "core/ranks.h"
#include "core/search.h"
#include "core/sort.h"
#include "format/check_numbers.h"
#include <cellscope/cooked_values.h>

/* ---- collecting texts, layers, tags and references ---- */

struct collector {
	struct cs_cook *cook;
	/* for each text of the world: row of the data layer with that name, or UNKNOWN */
	struct cs_text_map layers;
};

#define UNKNOWN (CS_NONE - 1)

/* The texts of an actor, in the order in which they are added to the file. */
enum {
	TEXT_NAME,
	TEXT_LABEL,
	TEXT_BASE_CLASS,
	TEXT_NATIVE_CLASS,
	TEXT_GRID,
	TEXT_PACKAGE,
	TEXT_PATH,
	TEXT_FOLDER,
	TEXT_ENGINE,
	TEXT_HLOD_LAYER,
	TEXT_MESH,
	ACTOR_TEXTS
};

/* Offsets of the previous actor's texts: in the world's pool, and in the file. */
struct last_texts {
	uint32_t world[ACTOR_TEXTS], file[ACTOR_TEXTS];
};

/* Prefetches texts that few actors share, of the actors CS_AHEAD to 3 * CS_AHEAD views later. */
CS_EXPECTING void expect_texts(const struct cs_cook *cook, uint32_t view, uint32_t end)
{
	const struct cs_file_texts *texts = &cook->result.tables->texts;
	if (view + 3 * CS_AHEAD >= end)
		return;
	const struct cs_actor_row *last = cs_view_actor(cook, view + 3 * CS_AHEAD);
	__builtin_prefetch(&last->guid);
	__builtin_prefetch(&last->bounds.min);
	cs_expect_actor(last);
	const struct cs_actor_row *far = cs_view_actor(cook, view + 2 * CS_AHEAD);
	cs_file_texts_expect(texts, far->name);
	cs_file_texts_expect(texts, far->label);
	cs_file_texts_expect(texts, far->package);
	cs_file_texts_expect(texts, far->path);
	const struct cs_actor_row *near = cs_view_actor(cook, view + CS_AHEAD);
	cs_file_texts_expect_soon(texts, near->name);
	cs_file_texts_expect_soon(texts, near->label);
	cs_file_texts_expect_soon(texts, near->package);
	cs_file_texts_expect_soon(texts, near->path);
}

/* Adds the texts of an actor that differ from those of the actor before. */
static struct cs_row_texts collect_texts(
	struct cs_cook *cook, const struct cs_actor_row *actor, struct last_texts *last)
{
	const struct cs_actor_more *more = cs_actor_more(cook->world, actor);
	const uint32_t texts[ACTOR_TEXTS] = {actor->name, actor->label, more->base_class,
		actor->native_class, actor->grid, actor->package, actor->path, more->folder,
		more->engine, actor->hlod_layer, more->mesh};
	for (size_t i = 0; i < ACTOR_TEXTS; i++) {
		if (texts[i] == last->world[i])
			continue;
		last->world[i] = texts[i];
		last->file[i] = cs_file_texts_add(&cook->result.tables->texts, texts[i]);
	}
	return (struct cs_row_texts){last->file[TEXT_NAME], last->file[TEXT_LABEL],
		last->file[TEXT_PACKAGE], last->file[TEXT_PATH]};
}

/* Collects the actor's layers that exist in the world, including editor layers. */
static void collect_layers(struct collector *collector, const struct cs_actor_row *actor)
{
	struct cs_tables *tables = collector->cook->result.tables;
	size_t first = tables->actor_layers.n;
	for (uint32_t i = 0; i < actor->layers.count; i++) {
		uint32_t text = collector->cook->world->texts.at[actor->layers.first + i];
		uint32_t *known = cs_text_map_at(&collector->layers, text);
		if (!known) {
			tables->failed = true;
			return;
		}
		if (*known == CS_NONE) {
			uint32_t row = cs_cook_layer(collector->cook, text);
			*known = row == CS_NONE ? UNKNOWN : row;
		}
		if (*known != UNKNOWN)
			cs_vec_push_in(tables, actor_layers, *known);
	}
	size_t n = tables->actor_layers.n - first;
	if (n > 0 && !cs_sort_u32(tables->actor_layers.at + first, n))
		tables->failed = true;
}

static uint32_t row_of_guid(
	const struct cs_cook *cook, const struct cs_instance *instance, struct cs_guid guid)
{
	if (cs_guid_is_zero(guid))
		return CS_NONE;
	uint32_t view =
		cs_collection_find(cook, &cook->actors.collections.at[instance->collection], guid);
	return view == CS_NONE ? CS_NONE : cs_row_of(cook, instance, view);
}

/* ---- ranges of rows ---- */

/* Appends the range of the next row: it begins at the end of the last range and ends at `end`. */
static void row_ranges_append(
	struct cs_tables *tables, struct cs_row_ranges *ranges, uint32_t row, size_t end)
{
	if (end == ranges->end)
		return;
	if (end > CS_NONE || !cs_vec_push(&ranges->firsts, ranges->end)) {
		tables->failed = true;
		return;
	}
	cs_ranks_add(ranges->filled, row);
	ranges->end = (uint32_t)end;
}

/*
 * Returns the index of the first item of a row's range; `row` may be the number of rows (the end).
 */
static uint32_t row_ranges_first(const struct cs_row_ranges *ranges, uint32_t row)
{
	return ranges->firsts.at[cs_ranks_below(ranges->filled, row)];
}

static void collect_instance(struct collector *collector, const struct cs_instance *instance)
{
	struct cs_cook *cook = collector->cook;
	struct cs_tables *tables = cook->result.tables;
	const struct cs_collection *collection = &cook->actors.collections.at[instance->collection];
	struct last_texts last = {{0}, {0}};
	for (uint32_t k = 0; k < collection->n_views && !tables->failed; k++) {
		const struct cs_actor_row *actor = cs_view_actor(cook, collection->first_view + k);
		uint32_t row = instance->first_row + k;
		expect_texts(cook, collection->first_view + k,
			collection->first_view + collection->n_views);
		tables->row_texts[row] = collect_texts(cook, actor, &last);
		tables->names_meshes =
			tables->names_meshes || cs_actor_more(cook->world, actor)->mesh;
		collect_layers(collector, actor);
		const struct cs_range tags = cs_actor_more(cook->world, actor)->tags;
		for (uint32_t i = 0; i < tags.count; i++)
			cs_vec_push_in(cook->result.tables, actor_tags,
				cs_tables_text(cook, cook->world->texts.at[tags.first + i]));
		row_ranges_append(tables, &tables->layer_ranges, row, tables->actor_layers.n);
		row_ranges_append(tables, &tables->tag_ranges, row, tables->actor_tags.n);
		row_ranges_append(tables, &tables->reference_ranges, row,
			(size_t)tables->reference_ranges.end + actor->references.count);
	}
}

/*
 * If memory is limited, copies the set of each actor row to an array in row order: the rows refer
 * to sets in random order, which is slow in a scratch file. A row without a set gets set 0.
 */
static bool copy_sets(struct cs_cook *cook)
{
	struct cs_cook_grouped *grouped = &cook->grouped;
	const size_t n = cook->placed.n_rows, size = sizeof(*grouped->sets.at);
	if (cs_large_most() == 0 || grouped->sets.n == 0)
		return true;
	uint32_t *order = cs_large_malloc((n + 1) * sizeof(*order));
	grouped->sets_by_row = cs_large_malloc((n + 1) * size);
	for (size_t row = 0; order && row < n; row++)
		order[row] = grouped->set_of_row[row] == CS_NONE ? 0 : grouped->set_of_row[row];
	const bool good = order && grouped->sets_by_row &&
			  cs_gather(grouped->sets_by_row, grouped->sets.at, size, order, n);
	free(order);
	return good;
}

void cs_tables_actors(struct cs_cook *cook)
{
	struct collector collector = {.cook = cook};
	struct cs_tables *tables = cook->result.tables;
	struct cs_row_ranges *const ranges[] = {
		&tables->layer_ranges, &tables->tag_ranges, &tables->reference_ranges};
	const size_t n_words = cook->placed.n_rows / CS_RANKS_WORD + 1;
	tables->row_texts =
		cs_large_malloc(((size_t)cook->placed.n_rows + 1) * sizeof(*tables->row_texts));
	tables->failed = tables->failed || !tables->row_texts;
	for (size_t i = 0; i < CS_COUNT_OF(ranges); i++) {
		ranges[i]->filled = calloc(n_words, sizeof(*ranges[i]->filled));
		tables->failed = tables->failed || !ranges[i]->filled;
	}
	for (size_t i = 0; i < cook->grids.names.n; i++)
		cs_tables_text(cook, cook->grids.names.at[i].text);
	for (size_t i = 0; i < cook->placed.instances.n && !cook->result.tables->failed; i++)
		collect_instance(&collector, &cook->placed.instances.at[i]);
	for (size_t i = 0; i < CS_COUNT_OF(ranges); i++) {
		if (ranges[i]->filled)
			cs_ranks_count(ranges[i]->filled, n_words);
		tables->failed = tables->failed || !cs_vec_push(&ranges[i]->firsts, ranges[i]->end);
	}
	cs_text_map_deinit(&collector.layers);
	tables->failed = tables->failed || !copy_sets(cook);
}

/* ---- computing rows ---- */

/* Returns the set of an actor row, or NULL when the actor is in no set. */
static const struct cs_actor_set *set_of_row(const struct cs_cook *cook, uint32_t row)
{
	const struct cs_cook_grouped *grouped = &cook->grouped;
	if (grouped->set_of_row[row] == CS_NONE)
		return NULL;
	return grouped->sets_by_row ? &grouped->sets_by_row[row]
				    : &grouped->sets.at[grouped->set_of_row[row]];
}

static enum cs_placement placement_of(
	const struct cs_cook *cook, const struct cs_instance *instance, uint32_t view, uint32_t row)
{
	const struct cs_actor_set *set = set_of_row(cook, row);
	if (set)
		return (enum cs_placement)set->placement;
	if (cook->actors.views.at[view].kind == CS_VIEW_EDITOR_ONLY)
		return CS_UNPLACED_EDITOR_ONLY;
	if (cook->actors.views.at[view].kind == CS_VIEW_CONTAINER && !cook->grouped.filtered[row])
		return CS_UNPLACED_CONTAINER;
	return cook->grouped.filtered[row] || instance->parent == CS_NONE ? CS_UNPLACED_FILTERED
									  : CS_UNPLACED_NOT_MAIN;
}

/* Returns the CS_ACTOR_FORCED_ flags of the repairs that changed a value of the view. */
static uint32_t forced_flags(const struct cs_cook *cook, uint32_t view)
{
	static const uint32_t forced[CS_FORCED_KINDS] = {
		[CS_FORCED_NON_SPATIAL] = CS_ACTOR_FORCED_NONSPATIAL,
		[CS_FORCED_NO_LAYERS] = CS_ACTOR_FORCED_NO_LAYERS,
		[CS_FORCED_NO_GRID] = CS_ACTOR_FORCED_NO_GRID,
	};
	const struct cs_view *v = &cook->actors.views.at[view];
	/* without a forced value, a view would have the value of its topmost parent */
	const struct cs_view *top = &cook->actors.views.at[v->top];
	const bool changes[CS_FORCED_KINDS] = {
		[CS_FORCED_NON_SPATIAL] = top->own_spatial,
		[CS_FORCED_NO_LAYERS] = top->layers != 0,
		[CS_FORCED_NO_GRID] = top->grid != 0,
	};
	uint32_t flags = 0;
	for (int i = 0; i < CS_FORCED_KINDS; i++)
		flags |= v->forced & 1 << i && changes[i] ? forced[i] : 0;
	if (flags & CS_ACTOR_FORCED_NONSPATIAL &&
		cook->result.tables->findings.at[cook->actors.causes[view][CS_FORCED_NON_SPATIAL]]
				.check == CS_CHECK_WORLD_REFERENCE_SPATIAL)
		flags |= CS_ACTOR_BY_SCRIPT;
	return flags;
}

static uint32_t flags_of(
	const struct cs_cook *cook, const struct cs_instance *instance, uint32_t view, uint32_t row)
{
	const struct cs_view *v = &cook->actors.views.at[view];
	const struct cs_actor_row *actor = cs_view_actor(cook, view);
	uint32_t flags = actor->flags & CS_DESC_FLAGS;
	if (instance->spatial && cs_view_effective(cook, view).spatial && v->kind == CS_VIEW_ACTOR)
		flags |= CS_ACTOR_SPATIAL;
	if (v->forced)
		flags |= forced_flags(cook, view);
	if (cs_actor_more(cook->world, actor)->level_instance != CS_NONE)
		flags |= CS_ACTOR_LEVEL_INSTANCE;
	flags |= v->kind == CS_VIEW_CONTAINER ? CS_ACTOR_CONTAINER : 0;
	flags |= cook->grouped.filtered[row] ? CS_ACTOR_FILTERED : 0;
	flags |= actor->saved == CS_UNSAVED_ONLY ? CS_ACTOR_UNSAVED : 0;
	flags |= cook->grouped.no_hlod_layer[row] ? CS_ACTOR_NO_HLOD_LAYER : 0;
	if (!instance->hlod_relevant)
		flags &= ~CS_ACTOR_HLOD_RELEVANT;
	return flags;
}

static struct cs_range range_of(const struct cs_row_ranges *ranges, uint32_t row)
{
	const uint32_t *first = &ranges->firsts.at[cs_ranks_below(ranges->filled, row)];
	return (struct cs_range){*first, cs_ranks_has(ranges->filled, row) ? first[1] - *first : 0};
}

static struct cs_cooked_actor make_actor(
	const struct cs_cook *cook, const struct cs_instance *instance, uint32_t view, uint32_t row)
{
	const struct cs_tables *tables = cook->result.tables;
	const struct cs_view *v = &cook->actors.views.at[view];
	const struct cs_actor_row *actor = cs_view_actor(cook, view);
	const struct cs_actor_more *more = cs_actor_more(cook->world, actor);
	const struct cs_actor_set *set = set_of_row(cook, row);
	uint32_t grid = set ? set->grid : cs_view_effective(cook, view).grid;
	return (struct cs_cooked_actor){
		.guid = actor->guid,
		.bounds = cs_placed_box(instance, &actor->bounds),
		.name = tables->row_texts[row].name,
		.label = tables->row_texts[row].label,
		.base_class = cs_tables_known_text(cook, more->base_class),
		.native_class = cs_tables_known_text(cook, actor->native_class),
		.grid = cs_tables_known_text(cook, actor->grid),
		.effective_grid = cs_tables_known_text(cook, cook->grids.names.at[grid].text),
		.container = (uint32_t)(instance - cook->placed.instances.at),
		.parent = v->parent != CS_NONE ? cs_row_of(cook, instance, v->parent)
					       : row_of_guid(cook, instance,
							 cs_actor_parent(cook->world, actor)),
		.set = cook->grouped.set_of_row[row],
		.cell = set ? set->cell : CS_NONE,
		.hlod_layer = cs_row_hlod_layer(cook, instance, view),
		.flags = flags_of(cook, instance, view, row),
		.defaults = more->defaults,
		.assumed = more->assumed,
		.placement = placement_of(cook, instance, view, row),
		.layers = range_of(&tables->layer_ranges, row),
		.references = range_of(&tables->reference_ranges, row),
		.mesh = cs_shown_mesh(cook, actor, row),
	};
}

static struct cs_cooked_actor make_actor_twins(
	const struct cs_instance *instance, const struct cs_actor_row *actor)
{
	return (struct cs_cooked_actor){
		.guid = actor->guid,
		.bounds = cs_placed_box(instance, &actor->bounds),
	};
}

static struct cs_cooked_actor_detail make_detail(
	const struct cs_cook *cook, const struct cs_instance *instance, uint32_t view, uint32_t row)
{
	const struct cs_view *v = &cook->actors.views.at[view];
	const struct cs_actor_row *actor = cs_view_actor(cook, view);
	const struct cs_actor_more *more = cs_actor_more(cook->world, actor);
	const struct cs_transform transform = cs_actor_transform(cook->world, actor);
	const struct cs_box editor_bounds = cs_actor_editor_bounds(cook->world, actor);
	bool in_bundle = !cs_guid_is_zero(instance->content_bundle);
	return (struct cs_cooked_actor_detail){
		.transform = cs_transform_compose(&transform, &instance->transform),
		.editor_bounds = cs_placed_box(instance, &editor_bounds),
		.instance_guid = cs_combine_guids(instance->id, actor->guid),
		.content_bundle = in_bundle ? instance->content_bundle : more->content_bundle,
		.folder_guid = more->folder_guid,
		.package = cook->result.tables->row_texts[row].package,
		.path = cook->result.tables->row_texts[row].path,
		.folder = cs_tables_known_text(cook, more->folder),
		.engine = cs_tables_known_text(cook, more->engine),
		.external_layer = v->external_layer,
		.own_hlod_layer = cs_tables_known_text(cook, actor->hlod_layer),
		.tags = range_of(&cook->result.tables->tag_ranges, row),
	};
}

static const struct cs_instance *next_instance(
	const struct cs_cook *cook, const struct cs_instance *instance, size_t row)
{
	const struct cs_instance *end = cook->placed.instances.at + cook->placed.instances.n;
	while (instance + 1 < end && instance[1].first_row <= row)
		instance++;
	return instance;
}

/* Prefetches the set of an actor row, from which make_actor() reads the cell of the actor. */
CS_EXPECTING void expect_set(const struct cs_cook *cook, size_t row)
{
	const struct cs_actor_set *set =
		row < cook->placed.n_rows ? set_of_row(cook, (uint32_t)row) : NULL;
	if (!set)
		return;
	__builtin_prefetch(&set->cell);
	__builtin_prefetch(&set->placement);
}

void cs_fill_actors(void *context, size_t first, size_t n, void *rows)
{
	const struct cs_cook *cook = context;
	struct cs_cooked_actor *out = rows;
	const struct cs_instance *instance = cs_instance_of_row(cook, first);
	for (size_t row = first; row < first + n; row++) {
		instance = next_instance(cook, instance, row);
		uint32_t view = cs_view_of_row(cook, instance, (uint32_t)row);
		expect_set(cook, row + CS_AHEAD);
		cs_expect_top(cook, view + CS_AHEAD);
		*out++ = make_actor(cook, instance, view, (uint32_t)row);
	}
}

void cs_fill_actor_twins(void *context, size_t first, size_t n, void *rows)
{
	const struct cs_cook *cook = context;
	struct cs_cooked_actor *out = rows;
	const struct cs_instance *instance = cs_instance_of_row(cook, first);
	for (size_t row = first; row < first + n; row++) {
		instance = next_instance(cook, instance, row);
		uint32_t view = cs_view_of_row(cook, instance, (uint32_t)row);
		*out++ = make_actor_twins(instance, cs_view_actor(cook, view));
	}
}

void cs_fill_details(void *context, size_t first, size_t n, void *rows)
{
	const struct cs_cook *cook = context;
	struct cs_cooked_actor_detail *out = rows;
	const struct cs_instance *instance = cs_instance_of_row(cook, first);
	for (size_t row = first; row < first + n; row++) {
		instance = next_instance(cook, instance, row);
		uint32_t view = cs_view_of_row(cook, instance, (uint32_t)row);
		*out++ = make_detail(cook, instance, view, (uint32_t)row);
	}
}

static struct cs_cooked_reference make_reference(
	const struct cs_cook *cook, const struct cs_instance *instance, uint32_t at)
{
	const struct cs_guid guid = cook->world->guids.at[at];
	const uint32_t view = cs_guid_is_zero(guid) ? CS_NONE : cook->links.targets[at];
	return (struct cs_cooked_reference){guid,
		view == CS_NONE ? CS_NONE : cs_row_of(cook, instance, view),
		cook->links.states[at]};
}

void cs_fill_references(void *context, size_t first, size_t n, void *rows)
{
	const struct cs_cook *cook = context;
	const struct cs_row_ranges *ranges = &cook->result.tables->reference_ranges;
	struct cs_cooked_reference *out = rows;
	/* the actor of a reference is the last whose references begin at or before it */
	uint32_t row = (uint32_t)cs_lower_bound(
			       1, cook->placed.n_rows, i, row_ranges_first(ranges, i) <= first) -
		       1;
	const struct cs_instance *instance = cs_instance_of_row(cook, row);
	for (size_t i = first; i < first + n; i++) {
		while (row_ranges_first(ranges, row + 1) <= i)
			row++;
		instance = next_instance(cook, instance, row);
		uint32_t view = cs_view_of_row(cook, instance, row);
		uint32_t at = cs_view_actor(cook, view)->references.first + (uint32_t)i -
			      row_ranges_first(ranges, row);
		*out++ = make_reference(cook, instance, at);
	}
}
