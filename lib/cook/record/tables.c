/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts the arrays of a cook to the tables of the cooked file. Rows are in the order that the
 * format defines. Texts are added in the order of the rows, so the same world gives the same file.
 */
#include "cook/record/tables.h"
#include "cook/phases/phases.h"

#include "cook/phases/names.h"
#include "cook/placement/grids.h"
#include "core/guid.h"
#include "core/parallel.h"
#include "core/sort.h"
#include "core/turns.h"
#include "format/check_numbers.h"

#include <cellscope/cook.h>
#include <cellscope/cooked_values.h>

#include <stdio.h>

uint32_t cs_tables_own_text(struct cs_cook *cook, const char *text)
{
	return cs_file_texts_add_own(&cook->result.tables->texts, text);
}

uint32_t cs_tables_text(struct cs_cook *cook, uint32_t world_text)
{
	return cs_file_texts_add(&cook->result.tables->texts, world_text);
}

uint32_t cs_tables_find_text(const struct cs_cook *cook, const char *text)
{
	uint32_t found = cs_strings_find(&cook->world->strings, text, strlen(text));
	return found == CS_NONE ? 0 : cs_tables_known_text(cook, found);
}

uint32_t cs_tables_known_text(const struct cs_cook *cook, uint32_t world_text)
{
	return cs_file_texts_known(&cook->result.tables->texts, world_text);
}

void cs_fill_texts(void *context, size_t first, size_t n, void *rows)
{
	const struct cs_cook *cook = context;
	cs_file_texts_copy(&cook->result.tables->texts, first, n, rows);
}

static void write_world(struct cs_cook *cook)
{
	const struct cs_world_settings *settings = &cook->world->settings;
	cook->result.tables->world = (struct cs_cooked_world){
		.bounds = cook->placed.bounds,
		.name = cs_tables_text(cook, settings->name),
		.package = cs_tables_text(cook, settings->package),
		.source = cs_tables_text(cook, settings->source),
		.engine = cs_tables_text(cook, settings->engine),
		.profile = cs_tables_own_text(cook, cook->profile->name),
		.hash_class = cook->hash_class,
		.layers_operator = settings->layers_operator,
		.trigger = cook->trigger,
		.server_streaming = settings->server_streaming,
		.server_streaming_out = settings->server_streaming_out,
		.default_hlod_layer = cs_cook_hlod_layer(cook, settings->default_hlod_layer),
		.flags = settings->streaming ? CS_WORLD_STREAMING : 0,
	};
}

static void write_partitions(struct cs_cook *cook)
{
	for (size_t i = 0; i < cook->grids.partitions.n; i++) {
		const struct cs_cook_partition *partition = &cook->grids.partitions.at[i];
		struct cs_cooked_partition row = partition->row;
		char name[2 * CS_GRID_TOKEN];
		snprintf(name, sizeof(name), "%.120s%s%.120s", partition->name,
			partition->setup ? ":" : "", partition->setup ? partition->setup : "");
		row.name = cs_tables_own_text(cook, name);
		cs_vec_push_in(cook->result.tables, partitions, row);
	}
}

static uint32_t proxy_triangles(const struct cs_source_hlod_layer *layer)
{
	const double n = layer->proxy_triangles;
	return n >= 1 && n < CS_NONE ? (uint32_t)n : 0;
}

static void tables_write_layers(struct cs_cook *cook)
{
	for (uint32_t row = 0; row < cook->layers.n; row++) {
		const struct cs_source_layer *layer =
			&cook->world->layers.at[cook->layers.sources[row]];
		cs_vec_push_in(cook->result.tables, layers,
			(struct cs_cooked_layer){
				.name = cs_tables_text(cook, layer->name),
				.label = cs_tables_text(cook, layer->label),
				.asset = cs_tables_text(cook, layer->asset),
				.parent = cook->layers.parents[row],
				.type = layer->type,
				.filter = layer->filter,
				.initial = layer->initial,
				.priority = layer->priority,
				.color = layer->color,
				.flags = layer->external ? CS_LAYER_EXTERNAL : 0,
			});
	}
	for (size_t i = 0; i < cook->world->hlod_layers.n; i++) {
		const struct cs_source_hlod_layer *layer = &cook->world->hlod_layers.at[i];
		cs_vec_push_in(cook->result.tables, hlod_layers,
			(struct cs_cooked_hlod_layer){
				.path = cs_tables_text(cook, layer->path),
				.parent = cs_cook_hlod_layer(cook, layer->parent),
				.cell_size = layer->cell_size,
				.loading_range = layer->loading_range,
				.flags = layer->spatial ? CS_HLOD_SPATIAL : 0,
				.proxy_triangles = proxy_triangles(layer),
			});
	}
}

static void tables_write_containers(struct cs_cook *cook)
{
	for (size_t i = 0; i < cook->placed.instances.n; i++) {
		const struct cs_instance *instance = &cook->placed.instances.at[i];
		const struct cs_collection *collection =
			&cook->actors.collections.at[instance->collection];
		cs_vec_push_in(cook->result.tables, containers,
			(struct cs_cooked_container){
				.transform = instance->transform,
				.id = instance->id,
				.content_bundle = instance->content_bundle,
				.parent = instance->parent,
				.package = cs_tables_text(cook,
					cook->world->containers.at[collection->container].package),
				.actor = instance->actor_row,
				.external_layer = instance->external_layer,
				.actors = {instance->first_row, collection->n_views},
			});
	}
}

/* ---- rows of cells ---- */

static bool tables_is_spatial(const struct cs_cook_partition *partition, int32_t level)
{
	switch ((enum cs_partition_class)partition->row.partition_class) {
	case CS_PARTITION_LHGRID:
	case CS_PARTITION_LEVEL_STREAMING:
		return level >= 0;
	case CS_PARTITION_SPATIAL_GRID:
		return level + 1 < (int32_t)partition->spatial_grid.levels;
	default:
		return false;
	}
}

static uint32_t cell_flags(
	const struct cs_cook_partition *partition, bool spatial, bool always_loaded)
{
	uint32_t flags = spatial ? CS_CELL_SPATIAL : 0;
	flags |= always_loaded ? CS_CELL_ALWAYS_LOADED : 0;
	flags |= partition->row.flags & CS_PARTITION_CLIENT_ONLY ? CS_CELL_CLIENT_ONLY : 0;
	flags |= partition->row.flags & CS_PARTITION_BLOCK_ON_SLOW ? CS_CELL_BLOCK_ON_SLOW : 0;
	flags |= partition->row.hlod_index >= 0 ? CS_CELL_HLOD : 0;
	flags |= partition->row.flags & CS_PARTITION_2D ? CS_CELL_2D : 0;
	return flags;
}

/*
 * Writes the layers of a set's cell: the external layer first, the others by name. In a profile
 * with layer_priority, adds their priorities to *priority, limited to 32 bits.
 */
static struct cs_range write_cell_layers(
	struct cs_cook *cook, const struct cs_actor_set *first, int32_t *priority)
{
	struct cs_tables *tables = cook->result.tables;
	struct cs_layer_rows rows = {0};
	const uint32_t begin = (uint32_t)tables->cell_layers.n;
	int64_t sum = *priority;
	if (!cs_cell_layers(cook, first, &rows))
		tables->failed = true;
	if (first->external_layer != CS_NONE)
		cs_vec_push_in(tables, cell_layers, first->external_layer);
	for (size_t i = 0; i < rows.n; i++)
		cs_vec_push_in(tables, cell_layers, rows.at[i]);
	for (size_t i = begin; i < tables->cell_layers.n && cook->profile->layer_priority; i++)
		sum += tables->layers.at[tables->cell_layers.at[i]].priority;
	*priority = (int32_t)(sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum);
	cs_vec_free(&rows);
	return (struct cs_range){begin, (uint32_t)tables->cell_layers.n - begin};
}

/* Returns the range of a cell's actors: sets are sorted by cell, and members by set. */
static struct cs_range cell_members(const struct cs_cook *cook, const struct cs_cook_cell *cell)
{
	const struct cs_actor_set *first = &cook->grouped.sets.at[cell->sets.first],
				  *last = first + cell->sets.count - 1;
	return (struct cs_range){first->members.first,
		last->members.first + last->members.count - first->members.first};
}

/* Reserves memory for the actors of all cells. Set members without a cell come last. */
static bool begin_cell_actors(struct cs_cook *cook)
{
	struct cs_tables *tables = cook->result.tables;
	const size_t cells = cook->celled.cells.n;
	if (cells == 0)
		return true;
	const struct cs_range last = cell_members(cook, &cook->celled.cells.at[cells - 1]);
	if (!cs_vec_reserve(&tables->cell_actors, (size_t)last.first + last.count))
		return false;
	tables->cell_actors.n = (size_t)last.first + last.count;
	return true;
}

/* Writes the actors of a cell, sorted by row. Returns false when memory runs out. */
static bool write_cell_actors(const struct cs_cook *cook, const struct cs_cook_cell *cell)
{
	const struct cs_range range = cell_members(cook, cell);
	uint32_t *rows = cook->result.tables->cell_actors.at + range.first;
	memcpy(rows, cook->grouped.members.at + range.first, range.count * sizeof(*rows));
	return cs_sort_u32(rows, range.count);
}

/*
 * Threads compute the names of a batch of cells and sort their actors. Then they write the other
 * columns, batch by batch in the order of the cells. STRETCH: cells in a batch; MOST_NAMING:
 * maximum number of these threads.
 */
enum { STRETCH = 64, MOST_NAMING = 16 };

struct stretch {
	size_t first, n; /* range of cells */
	struct cs_cell_labels *labels;
	bool failed; /* memory ran out */
};

struct naming {
	struct cs_cook *cook;
	struct cs_cell_labels *labels; /* for each thread: labels of the cells of one batch */
	struct cs_turns turns;
};

static void label_cells(const struct cs_cook *cook, struct stretch *stretch)
{
	for (size_t i = 0; i < stretch->n; i++) {
		const struct cs_cook_cell *cell = &cook->celled.cells.at[stretch->first + i];
		const struct cs_actor_set *first = &cook->grouped.sets.at[cell->sets.first];
		const struct cs_cook_partition *partition =
			&cook->grids.partitions.at[first->partition];
		char level[CS_GRID_TOKEN] = "";
		if (partition->row.partition_class == CS_PARTITION_LEVEL_STREAMING)
			cs_grid_level(cook, first->grid, level);
		const struct cs_cell_identity id = {cs_world_name(cook->world), partition, cell->at,
			level, cell->layers_id,
			cook->placed.instances.at[first->instance].content_bundle};
		cs_cell_label(cook->profile, &id, &stretch->labels[i]);
		stretch->failed |= !write_cell_actors(cook, cell);
	}
}

static void write_cell(
	struct cs_cook *cook, const struct cs_cook_cell *cell, const struct cs_cell_labels *labels)
{
	const struct cs_actor_set *first = &cook->grouped.sets.at[cell->sets.first];
	const struct cs_cook_partition *partition = &cook->grids.partitions.at[first->partition];
	const struct cs_instance *instance = &cook->placed.instances.at[first->instance];
	const struct cs_cell_coordinates at = cell->at;
	bool level_cell = partition->row.partition_class == CS_PARTITION_LEVEL_STREAMING;
	bool spatial = tables_is_spatial(partition, at.level);
	struct cs_cooked_cell row = {
		.guid = labels->guid,
		.content_bundle = instance->content_bundle,
		.box = cell->box,
		.content = cell->content,
		.x = level_cell ? 0 : at.x,
		.y = at.y,
		.z = at.z,
		.name = cs_tables_own_text(cook, labels->name),
		.short_name = cs_tables_own_text(cook, labels->short_name),
		.package = cs_tables_own_text(cook, labels->package),
		.partition = first->partition,
		.level = at.level,
		.hierarchical_level = at.level < 0 ? INT32_MAX : at.level,
		.priority = partition->row.priority,
		.layers_id = cell->layers_id,
		.external_layer = first->external_layer,
		.sets = cell->sets,
	};
	row.layers = write_cell_layers(cook, first, &row.priority);
	row.actors = cell_members(cook, cell);
	row.flags = cell_flags(partition, spatial,
		!spatial && row.layers.count == 0 && cs_guid_is_zero(row.content_bundle));
	cs_vec_push_in(cook->result.tables, cells, row);
}

static void name_stretches(void *context, size_t begin, size_t end, int thread)
{
	struct naming *naming = context;
	struct cs_cook *cook = naming->cook;
	const size_t all = cook->celled.cells.n;
	for (; begin < end; begin++) {
		const size_t task = cs_turns_take(&naming->turns), first = task * STRETCH;
		struct stretch stretch = {first, all - first < STRETCH ? all - first : STRETCH,
			naming->labels + (size_t)thread * STRETCH, false};
		label_cells(cook, &stretch);
		cs_turns_await(&naming->turns, task);
		cook->result.tables->failed |= stretch.failed;
		for (size_t i = 0; i < stretch.n && !cook->result.tables->failed; i++)
			write_cell(cook, &cook->celled.cells.at[stretch.first + i],
				&stretch.labels[i]);
		cs_turns_pass(&naming->turns);
	}
}

static void write_all_cells(struct cs_cook *cook)
{
	struct cs_tables *tables = cook->result.tables;
	const int most = cs_parallel_threads(cook->threads),
		  threads = most < MOST_NAMING ? most : MOST_NAMING;
	struct naming naming = {
		cook, malloc((size_t)threads * STRETCH * sizeof(*naming.labels)), CS_TURNS_NONE};
	if (naming.labels && begin_cell_actors(cook) &&
		cs_vec_reserve(&tables->cells, cook->celled.cells.n))
		cs_parallel_for(threads, (cook->celled.cells.n + STRETCH - 1) / STRETCH, 1,
			name_stretches, &naming);
	else
		tables->failed = true;
	free(naming.labels);
}

static void tables_write_cells(struct cs_cook *cook)
{
	struct cs_tables *tables = cook->result.tables;
	write_all_cells(cook);
	for (uint32_t i = 0; i < tables->cells.n; i++) {
		struct cs_range *cells =
			&tables->partitions.at[tables->cells.at[i].partition].cells;
		if (cells->count++ == 0)
			cells->first = i;
	}
	/* an empty partition gets an empty range after the cells of the previous partition */
	uint32_t next = 0;
	for (size_t i = 0; i < tables->partitions.n; i++) {
		struct cs_range *cells = &tables->partitions.at[i].cells;
		if (!cells->count)
			cells->first = next;
		next = cells->first + cells->count;
	}
}

/*
 * Returns the coordinates of a set's cell, or zeros without a cell. If the set was placed by level
 * streaming (CS_PLACED_LEVEL), x is the key of its streaming level.
 */
static struct cs_cell_coordinates tables_place_of(
	const struct cs_cook *cook, const struct cs_actor_set *set)
{
	if (set->cell == CS_NONE)
		return (struct cs_cell_coordinates){0};
	const struct cs_cooked_cell *cell = &cook->result.tables->cells.at[set->cell];
	int64_t x = set->placement == CS_PLACED_LEVEL ? cook->grids.names.at[set->grid].level_key
						      : cell->x;
	return (struct cs_cell_coordinates){x, cell->y, cell->z, cell->level};
}

/*
 * Prefetches for the first member of a set that is processed later: the row of its actor, or with
 * `soon` the bounds of its actor (the row must then be in the cache). Sets are sorted by cell and
 * actors by GUID, so members are scattered in memory.
 */
CS_EXPECTING void expect_members(const struct cs_cook *cook, size_t set, bool soon)
{
	if (set >= cook->grouped.sets.n || cook->grouped.extents)
		return;
	const struct cs_actor_set *ahead = &cook->grouped.sets.at[set];
	const uint32_t view = cs_view_of_row(cook, &cook->placed.instances.at[ahead->instance],
		cook->grouped.members.at[ahead->members.first]);
	if (soon)
		cs_expect_bounds(cook, view);
	else
		__builtin_prefetch(&cook->actors.rows.at[view]);
}

void cs_fill_sets(void *context, size_t first, size_t n, void *rows)
{
	const struct cs_cook *cook = context;
	struct cs_cooked_set *out = rows;
	for (size_t i = 0; i < n; i++) {
		const struct cs_actor_set *set = &cook->grouped.sets.at[first + i];
		expect_members(cook, first + i + 2 * CS_AHEAD, false);
		expect_members(cook, first + i + CS_AHEAD, true);
		const bool flat =
			set->partition != CS_NONE &&
			cs_partition_is_flat(&cook->result.tables->partitions.at[set->partition]);
		const struct cs_set_extent extent = cs_set_extent_of(cook, first + i);
		const struct cs_cell_coordinates at = tables_place_of(cook, set);
		out[i] = (struct cs_cooked_set){
			.bounds = extent.bounds,
			.x = at.x,
			.y = at.y,
			.z = at.z,
			.level = at.level,
			.first_level = set->first_level,
			.container = set->instance,
			.partition = set->partition,
			.cell = set->cell,
			.placement = set->placement,
			.largest = extent.largest[flat],
			.members = set->members,
		};
	}
}

/* ---- findings and dropped actors ---- */

/* Reports, for the first actor of a set, that another cell has the same id as the set's cell. */
static struct cs_error *report_identity(
	struct cs_cook *cook, const struct cs_actor_set *set, const char *reason)
{
	return cs_cook_find_set(cook,
		cs_finding_draft(CS_CHECK_CELL_IDENTITY, CS_ERROR, CS_REPAIR_NONE, reason), set);
}

/*
 * Reports different cells with equal ids: sets of one cell whose layers differ but have equal CRCs,
 * and cells with equal names, which contain only the first word of a content bundle's GUID. Cells
 * are sorted by bundle last, so cells with equal names are neighbours.
 */
static struct cs_error *check_cell_ids(struct cs_cook *cook)
{
	const struct cs_tables *tables = cook->result.tables;
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < tables->cells.n; i++) {
		const struct cs_range sets = tables->cells.at[i].sets;
		const struct cs_actor_set *first = &cook->grouped.sets.at[sets.first], *set = first;
		while (++set < first + sets.count && !error)
			if (set->layers != first->layers ||
				set->external_layer != first->external_layer)
				error = report_identity(
					cook, set, "its layers have the id of others in its cell");
		if (!error && i > 0 && tables->cells.at[i].name == tables->cells.at[i - 1].name)
			error = report_identity(
				cook, first, "two content bundles have cells of its name");
	}
	return error;
}

static uint32_t row_in(const struct cs_cook *cook, uint32_t instance, uint32_t view)
{
	if (view == CS_NONE || instance == CS_NONE)
		return CS_NONE;
	return cs_row_of(cook, &cook->placed.instances.at[instance], view);
}

static void write_findings(struct cs_cook *cook)
{
	struct cs_tables *tables = cook->result.tables;
	uint32_t *first = malloc(cook->actors.collections.n * sizeof(*first));
	if (!first) {
		tables->failed = true;
		return;
	}
	memset(first, 0xff, cook->actors.collections.n * sizeof(*first));
	for (uint32_t i = (uint32_t)cook->placed.instances.n; i-- > 0;)
		first[cook->placed.instances.at[i].collection] = i;
	for (size_t i = 0; i < cook->found.findings.n; i++) {
		const struct cs_finding_draft *draft = &cook->found.findings.at[i];
		uint32_t in =
			draft->instance == CS_NONE ? first[draft->collection] : draft->instance;
		cs_vec_push_in(tables, findings,
			(struct cs_cooked_finding){
				.check = draft->check,
				.severity = draft->severity,
				.repair = draft->repair,
				.pass = draft->pass,
				.actor = row_in(cook, in, draft->view),
				.other = row_in(cook, in, draft->other),
				.layer = draft->layer,
				.container = in,
				.cause = draft->cause,
				.reason = cs_tables_own_text(cook, draft->reason),
				.hlod_layer = draft->hlod_layer,
				.partition = draft->partition,
			});
	}
	free(first);
}

/* Writes the title of a level instance, such as "House_2/RoomLI", and returns its length. */
static size_t tables_put_instance_title(
	const struct cs_cook *cook, uint32_t instance, char *text, size_t size)
{
	const struct cs_instance *inner = &cook->placed.instances.at[instance];
	const struct cs_instance *outer = &cook->placed.instances.at[inner->parent];
	size_t n = 0;
	if (outer->parent != CS_NONE) {
		n = tables_put_instance_title(cook, inner->parent, text, size);
		n += (size_t)snprintf(text + n, n < size ? size - n : 0, "/");
	}
	const struct cs_actor_row *actor =
		cs_view_actor(cook, cs_view_of_row(cook, outer, inner->actor_row));
	const char *label = cs_world_text(cook->world, actor->label);
	n += (size_t)snprintf(text + n, n < size ? size - n : 0, "%s",
		*label ? label : cs_world_text(cook->world, actor->name));
	return n < size ? n : size - 1;
}

/*
 * Adds a row to the table drops for each actor that an actor filter excludes. Its `actors` is 0.
 * Its detail names the level instance that has the filter, and the entry of the filter.
 */
static void write_filterings(struct cs_cook *cook)
{
	for (size_t i = 0; i < cook->grouped.filterings.n; i++) {
		const struct cs_filtering *filtering = &cook->grouped.filterings.at[i];
		char detail[1000];
		if (!cook->grouped.filtered[filtering->row])
			continue;
		size_t n = tables_put_instance_title(
			cook, filtering->instance, detail, sizeof(detail));
		snprintf(detail + n, sizeof(detail) - n, ": %s",
			cs_world_text(cook->world, filtering->text));
		cs_vec_push_in(cook->result.tables, drops,
			(struct cs_cooked_drop){filtering->row, 0,
				cs_tables_own_text(cook,
					cs_word(CS_WORDS_PLACEMENT, CS_UNPLACED_FILTERED)->help),
				cs_tables_own_text(cook, detail)});
	}
}

static void write_drops(struct cs_cook *cook)
{
	for (size_t i = 0; i < cook->found.drops.n; i++) {
		const struct cs_drop_draft *draft = &cook->found.drops.at[i];
		cs_vec_push_in(cook->result.tables, drops,
			(struct cs_cooked_drop){draft->row, draft->count,
				cs_tables_own_text(cook, draft->reason),
				cs_tables_text(cook, draft->detail)});
	}
}

struct cs_error *cs_cook_tables(struct cs_cook *cook)
{
	cook->result.tables = calloc(1, sizeof(*cook->result.tables));
	if (!cook->result.tables)
		return cs_error_nomem();
	cs_file_texts_init(&cook->result.tables->texts, &cook->world->strings);
	if (cook->result.tables->texts.failed)
		return cs_error_nomem();
	write_world(cook);
	write_partitions(cook);
	tables_write_layers(cook);
	tables_write_containers(cook);
	tables_write_cells(cook);
	cs_vec_free(&cook->celled.cells);
	struct cs_error *error = check_cell_ids(cook);
	if (!error)
		error = cs_tables_hlods(cook);
	if (!error)
		write_findings(cook);
	write_drops(cook);
	write_filterings(cook);
	/* last, because most strings are texts of actors; many readers need only other strings */
	cs_tables_actors(cook);
	return !error && cs_tables_failed(cook) ? cs_error_nomem() : error;
}

static void row_ranges_free(struct cs_row_ranges *ranges)
{
	free(ranges->filled);
	cs_vec_free(&ranges->firsts);
}

void cs_tables_free(struct cs_tables *tables)
{
	if (!tables)
		return;
	cs_file_texts_deinit(&tables->texts);
	free(tables->row_texts);
	cs_vec_free(&tables->partitions);
	cs_vec_free(&tables->layers);
	cs_vec_free(&tables->hlod_layers);
	cs_vec_free(&tables->containers);
	cs_vec_free(&tables->cells);
	cs_vec_free(&tables->cell_layers);
	cs_vec_free(&tables->cell_actors);
	cs_vec_free(&tables->actor_layers);
	cs_vec_free(&tables->actor_tags);
	row_ranges_free(&tables->layer_ranges);
	row_ranges_free(&tables->tag_ranges);
	row_ranges_free(&tables->reference_ranges);
	cs_vec_free(&tables->hlods);
	cs_vec_free(&tables->meshes);
	cs_vec_free(&tables->cell_mesh_bytes);
	cs_vec_free(&tables->proxies);
	cs_vec_free(&tables->findings);
	cs_vec_free(&tables->drops);
	free(tables);
}
