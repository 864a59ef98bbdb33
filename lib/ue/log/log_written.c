/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts a StreamingGeneration log into our cooked world in memory, as the engine cooked it:
 * cells with the actors that the log lists in them, clusters, actors of the persistent level. Facts
 * that a log does not contain stay unknown. Each descriptor becomes an actor in every instance of
 * its container. Lists of cells refer to actors by instance GUID or name. For an actor that is
 * listed without a descriptor, only the names in its path are known.
 */
#include "ue/log/log_written.h"

#include "core/geometry.h"
#include "core/guid.h"
#include "core/identity.h"
#include "core/job.h"
#include "core/search.h"
#include "core/text.h"
#include "format/fields.h"
#include "format/file_writer.h"
#include "ue/log/log.h"
#include <cellscope/cooked_values.h>

/* ---- partitions and data layers ---- */

static void size_partition(
	struct cs_written *written, const char *name, double size, struct cs_vec3 origin, bool flat)
{
	uint32_t row = cs_written_partition(written, name,
		written->data->spatial_hash ? CS_PARTITION_SPATIAL_GRID : CS_PARTITION_LHGRID);
	if (written->failed)
		return;
	struct cs_cooked_partition *partition = &written->partitions.at[row];
	struct cs_ue_log_fit fit;
	written->failed |= !cs_ue_log_fit(written->data, name, &fit);
	partition->cell_size = size;
	partition->origin = origin;
	partition->flags |= flat ? CS_PARTITION_2D : 0;
	if (fit.known)
		partition->flags &= ~(uint32_t)CS_PARTITION_NO_SIZE;
}

static void add_partitions(struct cs_written *written)
{
	const struct cs_world *world = written->source;
	for (size_t i = 0; i < world->partitions.n; i++)
		if (world->partitions.at[i].partition_class == CS_PARTITION_LHGRID)
			size_partition(written, cs_world_text(world, world->partitions.at[i].name),
				world->partitions.at[i].cell_size, world->partitions.at[i].origin,
				world->partitions.at[i].is_2d);
	for (size_t i = 0; i < world->grids.n; i++)
		size_partition(written, cs_world_text(world, world->grids.at[i].name),
			world->grids.at[i].cell_size,
			(struct cs_vec3){
				world->grids.at[i].origin_x, world->grids.at[i].origin_y, 0},
			true);
}

static void add_layers(struct cs_written *written)
{
	for (size_t i = 0; i < written->data->layers.n; i++) {
		const struct cs_ue_log_layer *from = &written->data->layers.at[i];
		uint32_t parent = cs_written_layer(written, from->parent, strlen(from->parent));
		cs_vec_push_in(written, layers,
			(struct cs_cooked_layer){.name = cs_written_text(written, from->name),
				.label = cs_written_text(
					written, *from->label ? from->label : from->name),
				.asset = cs_written_text(written, from->asset),
				.parent = *from->parent ? parent : CS_NONE,
				.type = from->type,
				.filter = from->filter,
				.initial = from->initial,
				.priority = from->priority,
				.flags = from->external ? CS_LAYER_EXTERNAL : 0});
	}
}

/* ---- containers ---- */

static void index_containers(struct cs_written *written)
{
	const struct cs_ue_log_data *data = written->data;
	written->ids = calloc(data->containers.n + 1, sizeof(*written->ids));
	written->packages = calloc(data->packages.n + 1, sizeof(*written->packages));
	written->failed |= !written->ids || !written->packages;
	for (uint32_t i = 0; i < data->containers.n && !written->failed; i++)
		written->ids[i] = cs_sort_key_of_guid(data->containers.at[i].id, i);
	for (uint32_t i = 0; i < data->packages.n && !written->failed; i++)
		written->packages[i] =
			(struct cs_sort_key){0, cs_written_text(written, data->packages.at[i]), i};
	written->failed = written->failed || !cs_sort_keys(written->ids, data->containers.n) ||
			  !cs_sort_keys(written->packages, data->packages.n);
}

static void add_containers(struct cs_written *written)
{
	const struct cs_ue_log_data *data = written->data;
	const struct cs_ue_log_container main = {.transform = CS_TRANSFORM_IDENTITY,
		.package = data->packages.n ? data->packages.at[0] : data->log.world,
		.bounds = CS_BOX_INVALID};
	index_containers(written);
	if (data->containers.n == 0)
		cs_written_add_container(written, &main, CS_NONE);
	for (uint32_t i = 0; i < data->containers.n && !written->failed; i++) {
		uint32_t parent =
			cs_written_container_named(written, data->containers.at[i].parent);
		if (i > 0 && parent >= i) { /* a container's parent must come before it */
			cs_job_log(written->job, CS_LOG_WARNING,
				"%s: the log does not list the parent of an instance of %s before "
				"the instance; the main world is taken as its parent",
				written->name, data->containers.at[i].package);
			parent = 0;
		}
		cs_written_add_container(
			written, &data->containers.at[i], i == 0 ? CS_NONE : parent);
	}
	written->world.bounds = data->containers.n ? data->containers.at[0].bounds : CS_BOX_INVALID;
}

/* Returns the index in data->packages of a container's package, or CS_NONE. */
static uint32_t package_of(const struct cs_written *written, uint32_t container)
{
	const struct cs_sort_key *found = cs_sort_keys_find(written->packages,
		written->data->packages.n, 0, written->containers.at[container].package);
	if (found)
		return found->index;
	/* package 0 is the main container, whatever name the log gives it */
	return container == 0 && written->data->packages.n ? 0 : CS_NONE;
}

/* ---- actors and their clusters ---- */

static void add_actor_layers(struct cs_written *written, const char *names, struct cs_range *range)
{
	range->first = (uint32_t)written->actor_layers.n;
	while (names && *names) {
		size_t n = strcspn(names, ",()");
		uint32_t layer = n ? cs_written_layer(written, names, n) : CS_NONE;
		if (layer != CS_NONE) {
			cs_vec_push_in(written, actor_layers, layer);
			range->count++;
		}
		names += n + (names[n] != '\0');
	}
}

static bool is_class(const char *path, const char *name)
{
	return cs_name_compare(cs_last_name(path), name) == 0;
}

/* Returns why an actor is in no cell, judged only by the fields of the actor. */
static enum cs_placement reason_of(
	const struct cs_written *written, const struct cs_written_actor *record)
{
	return record->row.flags & CS_ACTOR_EDITOR_ONLY      ? CS_UNPLACED_EDITOR_ONLY
	       : record->row.flags & CS_ACTOR_LEVEL_INSTANCE ? CS_UNPLACED_CONTAINER
	       : record->row.flags & CS_ACTOR_MAIN_WORLD_ONLY &&
			       written->containers.at[record->row.container].parent != CS_NONE
		       ? CS_UNPLACED_NOT_MAIN
		       : CS_UNPLACED_DROPPED;
}

static void add_described(struct cs_written *written, uint32_t container, uint32_t desc)
{
	const struct cs_ue_log_desc *from = &written->data->descs.at[desc];
	const struct cs_cooked_container *in = &written->containers.at[container];
	struct cs_written_actor record = cs_written_new(from->guid, container);
	struct cs_cooked_actor *row = &record.row;
	record.desc = desc;
	record.parent = from->parent;
	row->bounds = cs_box_transform(&from->bounds, &in->transform);
	row->name = cs_written_text(written, from->name);
	row->label = cs_written_text(written, from->label);
	row->base_class = cs_written_text(written, from->base_class);
	row->native_class = cs_written_text(written, from->native_class);
	row->grid = row->effective_grid = cs_written_text(written, from->grid);
	row->flags |= from->flags |
		      (is_class(from->native_class, "WorldPartitionHLOD") ? CS_ACTOR_HLOD : 0) |
		      (is_class(from->native_class, "LevelInstance") ? CS_ACTOR_LEVEL_INSTANCE : 0);
	row->placement = reason_of(written, &record);
	add_actor_layers(written, from->layers, &row->layers);
	record.detail.instance_guid = cs_combine_guids(in->id, from->guid);
	record.detail.editor_bounds = cs_box_transform(&from->editor_bounds, &in->transform);
	record.detail.content_bundle = from->content_bundle;
	record.detail.folder_guid = from->folder_guid;
	record.detail.folder = cs_written_text(written, from->folder);
	if (from->external_layer)
		record.detail.external_layer = cs_written_layer(
			written, from->external_layer, strlen(from->external_layer));
	if (!cs_guid_is_zero(from->content_bundle))
		written->containers.at[container].content_bundle = from->content_bundle;
	cs_vec_push_in(written, records, record);
}

/* Compares descriptors by container (package number), then by GUID, then by order in the log. */
static int by_identity(const void *left, const void *right, void *context)
{
	const struct cs_ue_log_data *data = context;
	const uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right;
	const struct cs_ue_log_desc *a = &data->descs.at[l], *b = &data->descs.at[r];
	if (a->container != b->container)
		return a->container < b->container ? -1 : 1;
	int order = cs_guid_compare(a->guid, b->guid);
	return order ? order : (l > r) - (l < r);
}

static bool log_written_is_first(const struct cs_ue_log_data *data, const uint32_t *order, size_t i)
{
	const struct cs_ue_log_desc *at = &data->descs.at[order[i]];
	return i == 0 || data->descs.at[order[i - 1]].container != at->container ||
	       cs_guid_compare(data->descs.at[order[i - 1]].guid, at->guid) != 0;
}

static struct cs_error *too_many(const struct cs_written *written)
{
	const struct cs_limits limits = cs_job_limits(written->job);
	const uint64_t fit = limits.memory / sizeof(struct cs_written_actor);
	if (written->records.n > limits.records)
		return cs_error_at(CS_E_LIMIT, written->name, CS_NO_OFFSET,
			"the level instances of the log contain more actors than the limit of %llu",
			(unsigned long long)limits.records);
	if (written->records.n > fit)
		return cs_error_at(CS_E_LIMIT, written->name, CS_NO_OFFSET,
			"the level instances of the log contain more than %llu actors, which need "
			"more memory than the limit (raise it with --max-mem)",
			(unsigned long long)fit);
	return NULL;
}

/* Adds all descriptors of container instances, but only the first of those with equal GUIDs. */
static struct cs_error *add_described_all(struct cs_written *written)
{
	const struct cs_ue_log_data *data = written->data;
	const size_t n = data->descs.n;
	uint32_t *order = cs_sorted_rows(n, by_identity, data);
	struct cs_error *error = NULL;
	written->failed |= !order;
	for (uint32_t c = 0; !error && !written->failed && c < written->containers.n; c++) {
		const uint32_t p = package_of(written, c);
		size_t at = cs_lower_bound(0, n, i, data->descs.at[order[i]].container < p);
		for (; at < n && data->descs.at[order[at]].container == p && !error; at++) {
			if (log_written_is_first(data, order, at))
				add_described(written, c, order[at]);
			error = written->failed ? NULL : too_many(written);
		}
	}
	free(order);
	return error;
}

static void index_records(struct cs_written *written)
{
	const size_t n = written->n_indexed = written->records.n;
	written->by_guid = calloc(n + 1, sizeof(*written->by_guid));
	written->by_name = calloc(n + 1, sizeof(*written->by_name));
	written->failed |= !written->by_guid || !written->by_name;
	for (uint32_t i = 0; i < n && !written->failed; i++) {
		const struct cs_written_actor *record = &written->records.at[i];
		written->by_guid[i] = cs_sort_key_of_guid(record->detail.instance_guid, i);
		written->by_name[i] =
			(struct cs_sort_key){record->row.name, record->row.container, i};
	}
	written->failed = written->failed || !cs_sort_keys(written->by_guid, n) ||
			  !cs_sort_keys(written->by_name, n);
}

/* Stores clusters in the records of their members. data->members is sorted by container. */
static void mark_clusters(struct cs_written *written)
{
	const struct cs_ue_log_data *data = written->data;
	for (uint32_t c = 0; c < written->containers.n; c++) {
		const uint32_t p = package_of(written, c);
		size_t at =
			cs_lower_bound(0, data->members.n, i, data->members.at[i].container < p);
		for (; at < data->members.n && data->members.at[at].container == p; at++) {
			const uint32_t found =
				cs_sort_keys_find_guid(written->by_guid, written->n_indexed,
					cs_combine_guids(written->containers.at[c].id,
						data->members.at[at].guid));
			if (found != CS_NONE)
				written->records.at[found].cluster = data->members.at[at].cluster;
		}
	}
}

/* ---- making the cooked world ---- */

static void log_written_add_world(struct cs_written *written)
{
	const struct cs_world *world = written->source;
	const bool play = written->data->play;
	written->world = (struct cs_cooked_world){.bounds = CS_BOX_INVALID,
		.name = cs_written_text(written, written->data->log.world),
		.package = cs_written_text(
			written, cs_world_text(world, world->containers.at[0].package)),
		.source = cs_written_text(written, "log"),
		.engine = cs_written_text(written, ""),
		.profile = cs_written_text(written, cs_world_text(world, world->settings.profile)),
		.hash_class = written->data->spatial_hash ? CS_HASH_SPATIAL : CS_HASH_SET,
		.trigger = play ? CS_TRIGGER_PIE : CS_TRIGGER_COOK,
		.default_hlod_layer = CS_NONE,
		.flags = CS_WORLD_LOGGED | CS_WORLD_STREAMING |
			 (written->data->old_form ? CS_WORLD_OLD_FORM : 0)};
}

static struct cs_error *log_written_fill(struct cs_written *written)
{
	log_written_add_world(written);
	add_partitions(written);
	add_layers(written);
	add_containers(written);
	struct cs_error *error = written->failed ? NULL : add_described_all(written);
	if (error)
		return error;
	static void (*const steps[])(struct cs_written *) = {
		index_records, mark_clusters, cs_written_cells, cs_written_sort};
	for (size_t i = 0; i < CS_COUNT_OF(steps) && !written->failed; i++)
		steps[i](written);
	for (size_t i = 0; i < written->records.n && !written->failed; i++) {
		cs_vec_push_in(written, actors, written->records.at[i].row);
		cs_vec_push_in(written, details, written->records.at[i].detail);
	}
	return written->failed ? cs_error_nomem() : NULL;
}

static struct cs_error *write_tables(
	const struct cs_written *written, unsigned char **bytes_ret, size_t *size_ret)
{
	const struct cs_table_rows tables[] = {
		{CS_TABLE_STRINGS, written->texts.blob, written->texts.size, NULL},
		{CS_TABLE_WORLD, &written->world, 1, NULL},
		{CS_TABLE_PARTITIONS, written->partitions.at, written->partitions.n, NULL},
		{CS_TABLE_LAYERS, written->layers.at, written->layers.n, NULL},
		{CS_TABLE_CONTAINERS, written->containers.at, written->containers.n, NULL},
		{CS_TABLE_CELLS, written->cells.at, written->cells.n, NULL},
		{CS_TABLE_CELL_LAYERS, written->cell_layers.at, written->cell_layers.n, NULL},
		{CS_TABLE_CELL_ACTORS, written->cell_actors.at, written->cell_actors.n, NULL},
		{CS_TABLE_SETS, written->sets.at, written->sets.n, NULL},
		{CS_TABLE_SET_MEMBERS, written->set_members.at, written->set_members.n, NULL},
		{CS_TABLE_ACTORS, written->actors.at, written->actors.n, NULL},
		{CS_TABLE_ACTOR_LAYERS, written->actor_layers.at, written->actor_layers.n, NULL},
		{CS_TABLE_ACTOR_DETAILS, written->details.at, written->details.n, NULL},
	};
	return cs_file_write_tables(
		&cs_cworld_schema, tables, CS_COUNT_OF(tables), written->job, bytes_ret, size_ret);
}

static void log_written_deinit(struct cs_written *written)
{
	cs_strings_deinit(&written->texts);
	cs_vec_free(&written->partitions);
	cs_vec_free(&written->containers);
	cs_vec_free(&written->layers);
	cs_vec_free(&written->cells);
	cs_vec_free(&written->cell_layers);
	cs_vec_free(&written->cell_actors);
	cs_vec_free(&written->records);
	cs_vec_free(&written->actors);
	cs_vec_free(&written->details);
	cs_vec_free(&written->actor_layers);
	cs_vec_free(&written->sets);
	cs_vec_free(&written->set_members);
	free(written->ids);
	free(written->packages);
	free(written->by_guid);
	free(written->by_name);
}

struct cs_error *cs_ue_log_written(const struct cs_ue_log_data *data, const char *name,
	const struct cs_job *job, unsigned char **bytes_ret, size_t *size_ret)
{
	struct cs_world *source;
	struct cs_error *error = cs_ue_log_world(data, job, &source);
	if (error)
		return error;
	struct cs_written written = {.data = data, .source = source, .job = job, .name = name};
	written.failed = cs_strings_add_z(&written.texts, "") == CS_NONE;
	error = log_written_fill(&written);
	if (!error)
		error = write_tables(&written, bytes_ret, size_ret);
	log_written_deinit(&written);
	cs_world_free(source);
	return error;
}

struct cs_error *cs_ue_open_log_written(
	const char *path, const struct cs_job *job, unsigned char **bytes_ret, size_t *size_ret)
{
	struct cs_ue_log_data *data;
	struct cs_error *error = cs_ue_parse_log(path, job, &data);
	if (error)
		return error;
	error = cs_ue_log_written(data, path, job, bytes_ret, size_ret);
	cs_ue_log_data_free(data);
	return error;
}
