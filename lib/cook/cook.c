/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a cook: a list of phases, each in a file of its own. The data of a cook are divided into
 * slices (cook_internal.h), and the table cs_cook_phases says which slices each phase reads and
 * writes. V0 to V4 are the validation checks of world-partition rule 1.4. The phases compute:
 *
 *	partitions   runtime partitions and grids from the settings
 *	layers       data layers: their order and validity (V1)
 *	views        descriptors of every collection, with the names in them resolved
 *	edges        references between views
 *	validate     passes of checks and repairs (V0, V3)
 *	clusters     connected components of views
 *	instances    collections placed in the world, and what they inherit (V2)
 *	sets         clusters in instances, actor filters, checks of an actor in its instance (V4)
 *	place        partition and coordinates of each set
 *	hlod         check of the loading ranges of the HLOD actors that would be built
 *	cells        sets with equal partition, coordinates, layers and bundle
 *	standalones  level instances that are world partitions of their own
 *	tables       the cooked file
 *	meshes       the meshes of actors, each once
 *	subs         sub partitions: each level of a standalone instance, cooked as a world
 */
#include "cook/phases/cook_internal.h"

#include "cook/phases/phases.h"
#include "cook/record/tables.h"
#include "cook/subs.h"
#include "core/options.h"
#include "core/parallel.h"
#include "format/cooked_inside.h"
#include "format/fields.h"
#include "format/file_writer.h"
#include "format/reader.h"
#include <cellscope/cooked_values.h>

#define S(name) cs_slice_##name
const struct cs_cook_phase cs_cook_phases[] = {
	{"partitions", cs_cook_partitions, .reads = 0, .writes = S(grids)},
	{"layers", cs_cook_layers, .reads = 0, .writes = S(layers) | S(found)},
	{"views", cs_cook_views, .reads = S(layers),
		.writes = S(lists) | S(grids) | S(actors) | S(found)},
	{"edges", cs_cook_edges, .reads = S(actors), .writes = S(links) | S(found)},
	{"validate", cs_cook_validate, .reads = S(lists) | S(layers),
		.writes = S(actors) | S(links) | S(found)},
	{"clusters", cs_cook_clusters, .reads = S(links), .writes = S(actors) | S(clusters)},
	{"instances", cs_cook_instances, .reads = 0,
		.writes = S(lists) | S(actors) | S(found) | S(placed)},
	{"sets", cs_cook_sets, .reads = S(lists) | S(grids) | S(layers),
		.writes = S(actors) | S(links) | S(found) | S(clusters) | S(placed) | S(grouped)},
	{"place", cs_cook_place, .reads = S(lists) | S(layers) | S(actors) | S(placed),
		.writes = S(grids) | S(found) | S(grouped) | S(celled)},
	{"hlod", cs_cook_hlod_ranges, .reads = S(grids) | S(actors) | S(placed) | S(grouped),
		.writes = S(found)},
	{"cells", cs_cook_cells, .reads = S(grids), .writes = S(grouped) | S(celled)},
	{"standalones", cs_cook_standalones, .reads = S(actors) | S(placed) | S(grouped),
		.writes = S(found) | S(result)},
	{"tables", cs_cook_tables,
		.reads = S(lists) | S(grids) | S(layers) | S(actors) | S(placed) | S(grouped),
		.writes = S(found) | S(celled) | S(result)},
	{"meshes", cs_cook_meshes, .reads = S(actors) | S(placed) | S(grouped),
		.writes = S(result)},
	{"subs", cs_cook_subs, .reads = S(actors) | S(placed) | S(grouped), .writes = S(result)},
};
#undef S
_Static_assert(CS_COUNT_OF(cs_cook_phases) == CS_COOK_PHASES, "each phase has a row");

static struct cs_error *choose_profile(struct cs_cook *cook, const char *wanted)
{
	const char *name = wanted ? wanted : cs_world_profile(cook->world);
	cook->profile = cs_profile_find(name);
	if (!cook->profile)
		return cs_error_new(
			CS_E_PROFILE, "no engine profile '%s': profiles are 5.0 to 5.7", name);
	return NULL;
}

/*
 * Returns the hash class for a world whose settings do not name it: the class whose partitions or
 * grids the settings contain; if they contain both or none, the class of the profile.
 */
static enum cs_hash_class choose_hash(const struct cs_cook *cook)
{
	const struct cs_world *world = cook->world;
	if (world->settings.hash_class != CS_SOURCE_HASH_PROFILE)
		return world->settings.hash_class == CS_SOURCE_HASH_SET ? CS_HASH_SET
									: CS_HASH_SPATIAL;
	if ((world->partitions.n == 0) != (world->grids.n == 0))
		return world->partitions.n ? CS_HASH_SET : CS_HASH_SPATIAL;
	return cook->profile->hash_set_default ? CS_HASH_SET : CS_HASH_SPATIAL;
}

/* Frees the parts of the cook that only the phases needed, and keeps those for writing the file. */
static void free_scratch(struct cs_cook *cook)
{
	cs_cook_drop_links(cook);
	cs_vec_free(&cook->grids.partitions);
	cs_vec_free(&cook->actors.containers);
	cs_vec_free(&cook->found.findings);
	cs_vec_free(&cook->found.drops);
	cs_vec_free(&cook->celled.cells);
	cs_lists_deinit(&cook->lists);
	cs_arena_deinit(&cook->arena);
}

static void summarize(struct cs_cook *cook)
{
	const struct cs_tables *tables = cook->result.tables;
	struct cs_cook_summary *summary = &cook->result.summary;
	summary->actors = cook->placed.n_rows;
	summary->cells = tables->cells.n;
	summary->sets = cook->grouped.sets.n;
	summary->containers = tables->containers.n;
	summary->findings = tables->findings.n;
	for (size_t i = 0; i < tables->drops.n; i++)
		summary->drops += tables->drops.at[i].actors > 0;
	for (size_t i = 0; i < tables->cells.n; i++)
		summary->always_loaded_cells +=
			(tables->cells.at[i].flags & CS_CELL_ALWAYS_LOADED) != 0;
	for (size_t i = 0; i < tables->findings.n; i++)
		summary->errors += tables->findings.at[i].severity == CS_ERROR &&
				   tables->findings.at[i].pass == 0;
}

static struct cs_error *run_phases(struct cs_cook *cook)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < CS_COOK_PHASES; i++) {
		const struct cs_cook_phase *phase = &cs_cook_phases[i];
		cs_job_progress(cook->job, phase->name, i, CS_COOK_PHASES);
		error = phase->run(cook);
		if (!error)
			error = cs_job_check(cook->job);
	}
	return error;
}

static struct cs_cook *new_cook(
	const struct cs_world *world, const struct cs_job *job, enum cs_trigger trigger)
{
	struct cs_cook *cook = calloc(1, sizeof(*cook));
	if (!cook)
		return NULL;
	cook->world = world;
	cook->job = job;
	cook->threads = cs_job_threads(job);
	cook->trigger = trigger;
	return cook;
}

void cs_cook_end(struct cs_cook *cook)
{
	summarize(cook);
	free_scratch(cook);
}

static struct cs_error *cook_run(struct cs_cook *cook, struct cs_cook **ret)
{
	struct cs_error *error = run_phases(cook);
	if (error) {
		cs_cook_free(cook);
		return error;
	}
	cs_cook_end(cook);
	*ret = cook;
	return NULL;
}

struct cs_error *cs_cook_level(
	const struct cs_cook *from, uint32_t container, struct cs_world *view, struct cs_cook **ret)
{
	const struct cs_source_container *level = &from->world->containers.at[container];
	*view = *from->world;
	if (level->rules) {
		struct cs_world rules = *level->rules;
		cs_world_swap_rules(view, &rules);
	} else {
		view->settings.world_references = (struct cs_range){0, 0};
	}
	view->settings.package = level->package;
	view->settings.name = level->name;
	view->settings.source = from->world->settings.source;
	view->settings.engine = from->world->settings.engine;
	struct cs_cook *cook = new_cook(view, from->job, from->trigger);
	if (!cook)
		return cs_error_nomem();
	cook->root = container;
	cook->profile = from->profile;
	cook->hash_class = choose_hash(cook);
	return cook_run(cook, ret);
}

struct cs_error *cs_cook_begin(const struct cs_world *world, const struct cs_cook_options *options,
	const struct cs_job *job, struct cs_cook **ret)
{
	if (!world->sealed)
		return cs_error_new(CS_E_INTERNAL,
			"the world cannot be cooked, because cs_world_seal() was not called for "
			"it");
	struct cs_cook_options own = {.trigger = CS_TRIGGER_COOK};
	struct cs_error *error =
		options ? cs_options_read(options, sizeof(own), &own, sizeof(own)) : NULL;
	if (error)
		return error;
	struct cs_cook *cook = new_cook(world, job, own.trigger);
	if (!cook)
		return cs_error_nomem();
	error = choose_profile(cook, own.profile);
	if (error) {
		cs_cook_free(cook);
		return error;
	}
	cook->hash_class = choose_hash(cook);
	*ret = cook;
	return NULL;
}

struct cs_error *cs_cook(const struct cs_world *world, const struct cs_cook_options *options,
	const struct cs_job *job, struct cs_cook **ret)
{
	struct cs_cook *cook = NULL;
	struct cs_error *error = cs_cook_begin(world, options, job, &cook);
	return error ? error : cook_run(cook, ret);
}

struct cs_cook_summary cs_cook_summary(const struct cs_cook *cook)
{
	return cook->result.summary;
}

enum { COOKED_TABLES = 24 };

static void list_tables(const struct cs_cook *cook, struct cs_table_rows ret[COOKED_TABLES])
{
	static const struct cs_sub_files no_subs;
	const struct cs_tables *t = cook->result.tables;
	const struct cs_sub_files *subs = cook->result.subs ? cook->result.subs : &no_subs;
	const struct cs_table_rows tables[COOKED_TABLES] = {
		{CS_TABLE_STRINGS, NULL, t->texts.size, cs_fill_texts},
		{CS_TABLE_WORLD, &t->world, 1, NULL},
		{CS_TABLE_PARTITIONS, t->partitions.at, t->partitions.n, NULL},
		{CS_TABLE_LAYERS, t->layers.at, t->layers.n, NULL},
		{CS_TABLE_HLOD_LAYERS, t->hlod_layers.at, t->hlod_layers.n, NULL},
		{CS_TABLE_CONTAINERS, t->containers.at, t->containers.n, NULL},
		{CS_TABLE_CELLS, t->cells.at, t->cells.n, NULL},
		{CS_TABLE_CELL_LAYERS, t->cell_layers.at, t->cell_layers.n, NULL},
		{CS_TABLE_CELL_ACTORS, t->cell_actors.at, t->cell_actors.n, NULL},
		{CS_TABLE_SETS, NULL, cook->grouped.sets.n, cs_fill_sets},
		{CS_TABLE_SET_MEMBERS, cook->grouped.members.at, cook->grouped.members.n, NULL},
		{CS_TABLE_ACTORS, NULL, cook->placed.n_rows, cs_fill_actors, cs_fill_actor_twins},
		{CS_TABLE_ACTOR_LAYERS, t->actor_layers.at, t->actor_layers.n, NULL},
		{CS_TABLE_ACTOR_TAGS, t->actor_tags.at, t->actor_tags.n, NULL},
		{CS_TABLE_ACTOR_DETAILS, NULL, cook->placed.n_rows, cs_fill_details},
		{CS_TABLE_REFERENCES, NULL, t->reference_ranges.end, cs_fill_references},
		{CS_TABLE_HLODS, t->hlods.at, t->hlods.n, NULL},
		{CS_TABLE_FINDINGS, t->findings.at, t->findings.n, NULL},
		{CS_TABLE_DROPS, t->drops.at, t->drops.n, NULL},
		{CS_TABLE_SUB_PARTITIONS, subs->subs.at, subs->subs.n, NULL},
		{CS_TABLE_SUB_LEVELS, subs->levels.at, subs->levels.n, NULL},
		{CS_TABLE_SUB_BYTES, subs->bytes.bytes, subs->bytes.size, NULL},
		{CS_TABLE_MESHES, t->meshes.at, t->meshes.n, NULL},
		{CS_TABLE_CELL_MESH_BYTES, t->cell_mesh_bytes.at, t->cell_mesh_bytes.n, NULL},
	};
	memcpy(ret, tables, sizeof(tables));
}

static struct cs_error *cook_make_writer(struct cs_cook *cook, struct cs_file_writer **ret)
{
	struct cs_table_rows tables[COOKED_TABLES];
	struct cs_file_writer *writer;
	struct cs_error *error = cs_file_writer_new(&cs_cworld_schema, cook->job, &writer);
	if (error)
		return error;
	list_tables(cook, tables);
	for (size_t i = 0; !error && i < COOKED_TABLES; i++)
		error = cs_file_writer_add(writer, &tables[i], cook);
	if (error)
		cs_file_writer_free(writer);
	else
		*ret = writer;
	return error;
}

struct cs_error *cs_cook_open(struct cs_cook *cook, struct cs_cooked **ret)
{
	struct cs_table_rows tables[COOKED_TABLES];
	struct cs_file *file;
	list_tables(cook, tables);
	struct cs_error *error =
		cs_file_of_tables(&cs_cworld_schema, tables, COOKED_TABLES, cook, cook->job, &file);
	return error ? error : cs_cooked_of_file(file, ret);
}

struct cs_error *cs_cook_save(struct cs_cook *cook, const char *path)
{
	struct cs_file_writer *writer;
	struct cs_error *error = cook_make_writer(cook, &writer);
	if (error)
		return error;
	error = cs_file_writer_save(writer, path);
	cs_file_writer_free(writer);
	return error;
}

static struct cs_error *make_bytes(
	struct cs_cook *cook, bool plain, unsigned char **bytes_ret, size_t *size_ret)
{
	struct cs_file_writer *writer;
	struct cs_error *error = cook_make_writer(cook, &writer);
	if (error)
		return error;
	if (plain)
		cs_file_writer_plain(writer);
	error = cs_file_writer_bytes(writer, bytes_ret, size_ret);
	cs_file_writer_free(writer);
	return error;
}

struct cs_error *cs_cook_bytes(struct cs_cook *cook, unsigned char **bytes_ret, size_t *size_ret)
{
	return make_bytes(cook, false, bytes_ret, size_ret);
}

struct cs_error *cs_cook_plain_bytes(
	struct cs_cook *cook, unsigned char **bytes_ret, size_t *size_ret)
{
	return make_bytes(cook, true, bytes_ret, size_ret);
}

void cs_cook_free(struct cs_cook *cook)
{
	if (!cook)
		return;
	free_scratch(cook);
	cs_cell_maker_free(cook->celled.maker);
	for (size_t i = 0; i < cook->actors.collections.n; i++)
		free(cook->actors.collections.at[i].by_guid.starts);
	cs_vec_free(&cook->actors.collections);
	cs_vec_free(&cook->actors.views);
	cs_vec_free(&cook->actors.rows);
	free(cook->actors.guids);
	free(cook->actors.causes);
	cs_vec_free(&cook->grids.names);
	cs_vec_free(&cook->placed.instances);
	cs_vec_free(&cook->grouped.sets);
	cs_vec_free(&cook->grouped.members);
	free(cook->links.states);
	free(cook->links.targets);
	free(cook->grouped.filtered);
	cs_vec_free(&cook->grouped.filterings);
	free(cook->grouped.no_hlod_layer);
	free(cook->grouped.set_of_row);
	free(cook->grouped.extents);
	free(cook->grouped.sets_by_row);
	cs_vec_free(&cook->result.standalones);
	cs_sub_files_free(cook->result.subs);
	cs_tables_free(cook->result.tables);
	free(cook);
}

struct cs_error *cs_cook_repeat(struct cs_world *source, const struct cs_cook_options *options,
	uint64_t n, const struct cs_job *job, uint64_t *different_ret)
{
	struct cs_job mine = job ? *job : (struct cs_job){0};
	unsigned char *first = NULL;
	size_t first_size = 0;
	uint64_t different = 0;
	mine.threads = 1;
	struct cs_error *error = cs_cook_in_memory(source, options, &mine, &first, &first_size);
	for (uint64_t i = 0; !error && i < n; i++) {
		unsigned char *bytes = NULL;
		size_t size = 0;
		error = cs_world_shuffle(source, i + 1, job);
		mine.threads = (int)(i % 4) + 1;
		if (!error)
			error = cs_cook_in_memory(source, options, &mine, &bytes, &size);
		different += !error && (size != first_size || memcmp(bytes, first, size) != 0);
		free(bytes);
	}
	free(first);
	if (!error)
		*different_ret = different;
	return error;
}
