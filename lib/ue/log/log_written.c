/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns converting a StreamingGeneration log into our cooked world, in memory, as the engine cooked
 * it: its cells with the actors that it lists there, its clusters, and the actors of the persistent
 * level. Facts that a log doesn't contain stay unknown. An actor is its descriptor in an instance
 * of its container, and the lists of cells lead to it by instance GUID, then by name. An actor that
 * is listed but not described has only the facts of its path.
 */
#include "ue/log/log_written.h"

#include "core/geometry.h"
#include "core/guid.h"
#include "core/identity.h"
#include "core/job.h"
#include "core/search.h"
#include "format/fields.h"
#include "format/file_writer.h"
#include "ue/log/log_fit.h"
#include "ue/project/project.h"
#include <cellscope/cooked_values.h>

/* This is the form of our own logs. How the engine combines both is not known. */
static struct cs_guid instance_guid(struct cs_guid container, struct cs_guid guid)
{
	struct cs_digest digest;
	if (cs_guid_is_zero(container))
		return guid;
	cs_digest_begin(&digest);
	cs_digest_guid(&digest, container);
	cs_digest_guid(&digest, guid);
	return cs_digest_end(&digest);
}

/* ---- partitions ---- */

static uint32_t streaming_class(const struct cs_written *w)
{
	return w->data->spatial_hash ? CS_PARTITION_SPATIAL_GRID : CS_PARTITION_LHGRID;
}

static void size_partition(
	struct cs_written *w, const char *name, double size, struct cs_vec3 origin, bool flat)
{
	uint32_t row = cs_written_partition(w, name, streaming_class(w));
	if (w->failed)
		return;
	struct cs_cooked_partition *p = &w->partitions.at[row];
	struct cs_ue_log_fit fit;
	w->failed |= !cs_ue_log_fit(w->data, name, &fit);
	p->cell_size = size;
	p->origin = origin;
	p->flags |= flat ? CS_PARTITION_2D : 0;
	if (fit.known)
		p->flags &= ~(uint32_t)CS_PARTITION_NO_SIZE;
}

static void add_partitions(struct cs_written *w)
{
	const struct cs_world *s = w->source;
	for (size_t i = 0; i < s->partitions.n; i++)
		if (s->partitions.at[i].partition_class == CS_PARTITION_LHGRID)
			size_partition(w, cs_world_text(s, s->partitions.at[i].name),
				s->partitions.at[i].cell_size, s->partitions.at[i].origin,
				s->partitions.at[i].is_2d);
	for (size_t i = 0; i < s->grids.n; i++)
		size_partition(w, cs_world_text(s, s->grids.at[i].name), s->grids.at[i].cell_size,
			(struct cs_vec3){s->grids.at[i].origin_x, s->grids.at[i].origin_y, 0},
			true);
}

/* ---- layers ---- */

static void add_layers(struct cs_written *w)
{
	for (size_t i = 0; i < w->data->layers.n; i++) {
		const struct cs_ue_log_layer *from = &w->data->layers.at[i];
		uint32_t parent = cs_written_layer(w, from->parent, strlen(from->parent));
		PUSH(w, layers,
			(struct cs_cooked_layer){.name = cs_written_text(w, from->name),
				.label =
					cs_written_text(w, *from->label ? from->label : from->name),
				.asset = cs_written_text(w, from->asset),
				.parent = *from->parent ? parent : CS_NONE,
				.type = from->type,
				.filter = from->filter,
				.initial = from->initial,
				.priority = from->priority,
				.flags = from->external ? CS_LAYER_EXTERNAL : 0});
	}
}

/* ---- containers ---- */

static void index_containers(struct cs_written *w)
{
	const struct cs_ue_log_data *data = w->data;
	w->ids = calloc(data->containers.n + 1, sizeof(*w->ids));
	w->packages = calloc(data->packages.n + 1, sizeof(*w->packages));
	w->failed |= !w->ids || !w->packages;
	for (uint32_t i = 0; i < data->containers.n && !w->failed; i++)
		w->ids[i] = cs_sort_key_of_guid(data->containers.at[i].id, i);
	for (uint32_t i = 0; i < data->packages.n && !w->failed; i++)
		w->packages[i] =
			(struct cs_sort_key){0, cs_written_text(w, data->packages.at[i]), i};
	w->failed = w->failed || !cs_sort_keys(w->ids, data->containers.n) ||
		    !cs_sort_keys(w->packages, data->packages.n);
}

static void add_containers(struct cs_written *w)
{
	const struct cs_ue_log_data *data = w->data;
	const struct cs_ue_log_container main = {.transform = CS_TRANSFORM_IDENTITY,
		.package = data->packages.n ? data->packages.at[0] : data->log.world,
		.bounds = CS_BOX_INVALID};
	index_containers(w);
	if (data->containers.n == 0)
		cs_written_add_container(w, &main, CS_NONE);
	for (uint32_t i = 0; i < data->containers.n && !w->failed; i++) {
		uint32_t parent = cs_written_container_named(w, data->containers.at[i].parent);
		if (i > 0 && parent >= i) { /* Parents come first. */
			cs_job_log(w->job, CS_LOG_WARNING,
				"%s: the parent of an instance of %s is not listed before it; the "
				"main container is taken for it",
				w->name, data->containers.at[i].package);
			parent = 0;
		}
		cs_written_add_container(w, &data->containers.at[i], i == 0 ? CS_NONE : parent);
	}
	w->world.bounds = data->containers.n ? data->containers.at[0].bounds : CS_BOX_INVALID;
}

/* Returns the row of packages that describes a container, or CS_NONE. */
static uint32_t package_of(const struct cs_written *w, uint32_t container)
{
	const struct cs_sort_key *found = cs_sort_keys_find(
		w->packages, w->data->packages.n, 0, w->containers.at[container].package);
	if (found)
		return found->index;
	return container == 0 && w->data->packages.n ? 0 : CS_NONE; /* under any name */
}

/* ---- actors ---- */

static void add_actor_layers(struct cs_written *w, const char *names, struct cs_range *range)
{
	range->first = (uint32_t)w->actor_layers.n;
	while (names && *names) {
		size_t n = strcspn(names, ",()");
		uint32_t layer = n ? cs_written_layer(w, names, n) : CS_NONE;
		if (layer != CS_NONE) {
			PUSH(w, actor_layers, layer);
			range->count++;
		}
		names += n + (names[n] != '\0');
	}
}

static bool is_class(const char *path, const char *name)
{
	return cs_name_compare(cs_ue_short_name(path), name) == 0;
}

/* Returns why a descriptor is in no cell, as far as its own fields give the reason. */
static enum cs_placement reason_of(
	const struct cs_written *w, const struct cs_written_actor *record)
{
	return record->row.flags & CS_ACTOR_EDITOR_ONLY      ? CS_UNPLACED_EDITOR_ONLY
	       : record->row.flags & CS_ACTOR_LEVEL_INSTANCE ? CS_UNPLACED_CONTAINER
	       : record->row.flags & CS_ACTOR_MAIN_WORLD_ONLY &&
			       w->containers.at[record->row.container].parent != CS_NONE
		       ? CS_UNPLACED_NOT_MAIN
		       : CS_UNPLACED_DROPPED;
}

static void add_described(struct cs_written *w, uint32_t container, uint32_t desc)
{
	const struct cs_ue_log_desc *from = &w->data->descs.at[desc];
	const struct cs_cooked_container *in = &w->containers.at[container];
	struct cs_written_actor record = cs_written_new(from->guid, container);
	struct cs_cooked_actor *row = &record.row;
	record.desc = desc;
	record.parent = from->parent;
	row->bounds = cs_box_transform(&from->bounds, &in->transform);
	row->name = cs_written_text(w, from->name);
	row->label = cs_written_text(w, from->label);
	row->base_class = cs_written_text(w, from->base_class);
	row->native_class = cs_written_text(w, from->native_class);
	row->grid = row->effective_grid = cs_written_text(w, from->grid);
	row->flags |= from->flags |
		      (is_class(from->native_class, "WorldPartitionHLOD") ? CS_ACTOR_HLOD : 0) |
		      (is_class(from->native_class, "LevelInstance") ? CS_ACTOR_LEVEL_INSTANCE : 0);
	row->placement = reason_of(w, &record);
	add_actor_layers(w, from->layers, &row->layers);
	record.detail.instance_guid = instance_guid(in->id, from->guid);
	record.detail.editor_bounds = cs_box_transform(&from->editor_bounds, &in->transform);
	record.detail.content_bundle = from->content_bundle;
	record.detail.folder_guid = from->folder_guid;
	record.detail.folder = cs_written_text(w, from->folder);
	if (from->external_layer)
		record.detail.external_layer =
			cs_written_layer(w, from->external_layer, strlen(from->external_layer));
	if (!cs_guid_is_zero(from->content_bundle))
		w->containers.at[container].content_bundle = from->content_bundle;
	PUSH(w, records, record);
}

/* Compares by package, then GUID, then order of reading. */
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

static struct cs_error *too_many(const struct cs_written *w)
{
	const struct cs_limits limits = cs_job_limits(w->job);
	if (w->records.n <= limits.records &&
		w->records.n * sizeof(struct cs_written_actor) <= limits.memory)
		return NULL;
	return cs_error_at(CS_E_LIMIT, w->name, CS_NO_OFFSET,
		"its level instances contain more actors than the limits records and memory allow, "
		"%zu",
		w->records.n);
}

/* Adds the descriptors of each instance of a container, each once. */
static struct cs_error *add_described_all(struct cs_written *w)
{
	const struct cs_ue_log_data *data = w->data;
	const size_t n = data->descs.n;
	uint32_t *order = cs_sorted_rows(n, by_identity, data);
	struct cs_error *error = NULL;
	w->failed |= !order;
	for (uint32_t c = 0; !error && !w->failed && c < w->containers.n; c++) {
		const uint32_t p = package_of(w, c);
		size_t at = cs_lower_bound(0, n, i, data->descs.at[order[i]].container < p);
		for (; at < n && data->descs.at[order[at]].container == p && !error; at++) {
			if (log_written_is_first(data, order, at))
				add_described(w, c, order[at]);
			error = w->failed ? NULL : too_many(w);
		}
	}
	free(order);
	return error;
}

static void index_records(struct cs_written *w)
{
	const size_t n = w->n_indexed = w->records.n;
	w->by_guid = calloc(n + 1, sizeof(*w->by_guid));
	w->by_name = calloc(n + 1, sizeof(*w->by_name));
	w->failed |= !w->by_guid || !w->by_name;
	for (uint32_t i = 0; i < n && !w->failed; i++) {
		const struct cs_written_actor *record = &w->records.at[i];
		w->by_guid[i] = cs_sort_key_of_guid(record->detail.instance_guid, i);
		w->by_name[i] = (struct cs_sort_key){record->row.name, record->row.container, i};
	}
	w->failed = w->failed || !cs_sort_keys(w->by_guid, n) || !cs_sort_keys(w->by_name, n);
}

/* ---- clusters ---- */

/* Members come by package, and their clusters are numbered consecutively. */
static void mark_clusters(struct cs_written *w)
{
	const struct cs_ue_log_data *data = w->data;
	for (uint32_t c = 0; c < w->containers.n; c++) {
		const uint32_t p = package_of(w, c);
		size_t at =
			cs_lower_bound(0, data->members.n, i, data->members.at[i].container < p);
		for (; at < data->members.n && data->members.at[at].container == p; at++) {
			const struct cs_sort_key *found = cs_sort_keys_find_guid(w->by_guid,
				w->n_indexed,
				instance_guid(w->containers.at[c].id, data->members.at[at].guid));
			if (found)
				w->records.at[found->index].cluster = data->members.at[at].cluster;
		}
	}
}

/* ---- the whole ---- */

static void log_written_add_world(struct cs_written *w)
{
	const struct cs_world *s = w->source;
	const bool play = w->data->play;
	w->world = (struct cs_cooked_world){.bounds = CS_BOX_INVALID,
		.name = cs_written_text(w, w->data->log.world),
		.package = cs_written_text(w, cs_world_text(s, s->containers.at[0].package)),
		.source = cs_written_text(w, "log"),
		.engine = cs_written_text(w, ""),
		.profile = cs_written_text(w, cs_world_text(s, s->settings.profile)),
		.hash_class = w->data->spatial_hash ? CS_HASH_SPATIAL : CS_HASH_SET,
		.trigger = play ? CS_TRIGGER_PIE : CS_TRIGGER_COOK,
		.default_hlod_layer = CS_NONE,
		.flags = CS_WORLD_LOGGED | CS_WORLD_STREAMING |
			 (w->data->old_form ? CS_WORLD_OLD_FORM : 0)};
}

static struct cs_error *log_written_fill(struct cs_written *w)
{
	log_written_add_world(w);
	add_partitions(w);
	add_layers(w);
	add_containers(w);
	struct cs_error *error = w->failed ? NULL : add_described_all(w);
	if (error)
		return error;
	if (!w->failed)
		index_records(w);
	if (!w->failed)
		mark_clusters(w);
	if (!w->failed)
		cs_written_cells(w);
	if (!w->failed)
		cs_written_sort(w);
	for (size_t i = 0; i < w->records.n && !w->failed; i++) {
		PUSH(w, actors, w->records.at[i].row);
		PUSH(w, details, w->records.at[i].detail);
	}
	return w->failed ? cs_error_nomem() : NULL;
}

static struct cs_error *write_tables(
	const struct cs_written *w, unsigned char **bytes_ret, size_t *size_ret)
{
	const struct cs_table_rows tables[] = {
		{CS_TABLE_STRINGS, w->texts.blob, w->texts.size, NULL},
		{CS_TABLE_WORLD, &w->world, 1, NULL},
		{CS_TABLE_PARTITIONS, w->partitions.at, w->partitions.n, NULL},
		{CS_TABLE_LAYERS, w->layers.at, w->layers.n, NULL},
		{CS_TABLE_CONTAINERS, w->containers.at, w->containers.n, NULL},
		{CS_TABLE_CELLS, w->cells.at, w->cells.n, NULL},
		{CS_TABLE_CELL_LAYERS, w->cell_layers.at, w->cell_layers.n, NULL},
		{CS_TABLE_CELL_ACTORS, w->cell_actors.at, w->cell_actors.n, NULL},
		{CS_TABLE_SETS, w->sets.at, w->sets.n, NULL},
		{CS_TABLE_SET_MEMBERS, w->set_members.at, w->set_members.n, NULL},
		{CS_TABLE_ACTORS, w->actors.at, w->actors.n, NULL},
		{CS_TABLE_ACTOR_LAYERS, w->actor_layers.at, w->actor_layers.n, NULL},
		{CS_TABLE_ACTOR_DETAILS, w->details.at, w->details.n, NULL},
	};
	struct cs_file_writer *writer;
	struct cs_error *error = cs_file_writer_new(&cs_cworld_schema, w->job, &writer);
	if (error)
		return error;
	for (size_t i = 0; i < CS_COUNT_OF(tables) && !error; i++)
		error = cs_file_writer_table(writer, tables[i].table, tables[i].rows, tables[i].n);
	if (!error)
		error = cs_file_writer_bytes(writer, bytes_ret, size_ret);
	cs_file_writer_free(writer);
	return error;
}

static void log_written_deinit(struct cs_written *w)
{
	cs_strings_deinit(&w->texts);
	cs_vec_free(&w->partitions);
	cs_vec_free(&w->containers);
	cs_vec_free(&w->layers);
	cs_vec_free(&w->cells);
	cs_vec_free(&w->cell_layers);
	cs_vec_free(&w->cell_actors);
	cs_vec_free(&w->records);
	cs_vec_free(&w->actors);
	cs_vec_free(&w->details);
	cs_vec_free(&w->actor_layers);
	cs_vec_free(&w->sets);
	cs_vec_free(&w->set_members);
	free(w->ids);
	free(w->packages);
	free(w->by_guid);
	free(w->by_name);
}

struct cs_error *cs_ue_log_written(const struct cs_ue_log_data *data, const char *name,
	const struct cs_job *job, unsigned char **bytes_ret, size_t *size_ret)
{
	struct cs_world *source;
	struct cs_error *error = cs_ue_log_world(data, job, &source);
	if (error)
		return error;
	struct cs_written w = {.data = data, .source = source, .job = job, .name = name};
	w.failed = cs_strings_add_z(&w.texts, "") == CS_NONE;
	error = log_written_fill(&w);
	if (!error)
		error = write_tables(&w, bytes_ret, size_ret);
	log_written_deinit(&w);
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
