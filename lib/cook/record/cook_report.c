/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the generation report, in the layout of UE's StreamingGeneration log (world-partition rule
 * 4.3): containers with their descriptors and clusters, the persistent level, and cells by package
 * name. Boxes have three decimals and transforms six, as in UE. Descriptors show the results of
 * validation. A world opened from a log is written in the form of that log, and a world cooked from
 * such a log gives the same log again. Descriptors of a level are in the space of the level: bounds
 * are transformed back from the first of its instances, so boxes of rotated instances become
 * larger.
 */
#include <cellscope/cook.h>
#include <cellscope/cooked_values.h>

#include "core/geometry.h"
#include "core/guid.h"
#include "core/sort.h"
#include "core/text.h"
#include "core/vec.h"
#include "core/writer.h"
#include "format/cooked_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report {
	const struct cs_cooked *cooked;
	struct cs_writer out;
	size_t line;              /* offset in `out` of the line that is being written */
	struct cs_sort_key *sets; /* sets in the order in which the log lists clusters */
	size_t next_set;
	/* form of engine version 5.4: flags as digits, one box if both boxes of a cell are equal */
	bool old_form;
};

/* Ends a line. Replaces characters that would break it or control a terminal by '?'. */
static void end_line(struct report *report)
{
	for (size_t i = report->line, n; i < report->out.size; i += n) {
		uint32_t c = 0;
		n = cs_utf8_decode(report->out.bytes + i, report->out.size - i, &c);
		if (n > 0 && (c == '\\' || !cs_is_unsafe(c)))
			continue;
		n = n ? n : 1;
		memset(report->out.bytes + i, '?', n);
	}
	cs_writer_u8(&report->out, '\n');
	report->line = report->out.size;
}

#define put(r, ...)      cs_writer_print(&(r)->out, __VA_ARGS__)
#define put_line(r, ...) (put(r, __VA_ARGS__), end_line(r))

static const char *text(const struct report *report, uint32_t offset)
{
	return cs_cooked_text(report->cooked, offset);
}

static void put_box(struct report *report, const char *key, const struct cs_box *box)
{
	char line[400];
	bool valid = cs_box_valid(box);
	struct cs_box b = valid ? *box : (struct cs_box){{0, 0, 0}, {0, 0, 0}};
	cs_format_c(line, sizeof(line),
		"IsValid=%s, Min=(X=%.3f Y=%.3f Z=%.3f), Max=(X=%.3f Y=%.3f Z=%.3f)",
		valid ? "true" : "false", b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z);
	put(report, "%s%s", key, line);
}

static void put_transform(struct report *report, const char *key, const struct cs_transform *t)
{
	char line[400];
	const struct cs_vec3 p = t->translation, s = t->scale;
	struct cs_vec3 e = cs_quat_to_euler(t->rotation);
	cs_format_c(line, sizeof(line), "%f,%f,%f|%f,%f,%f|%f,%f,%f", p.x, p.y, p.z, e.x, e.y, e.z,
		s.x, s.y, s.z);
	put_line(report, "%s%s", key, line);
}

static void put_rule(struct report *report, const char *title)
{
	char dashes[113];
	memset(dashes, '-', sizeof(dashes) - 1);
	dashes[sizeof(dashes) - 1] = '\0';
	put_line(report, "%s", dashes);
	put_line(report, "%s - %s", text(report, report->cooked->world->name), title);
	put_line(report, "%s", dashes);
}

static const char *truth(const struct report *report, bool holds)
{
	return report->old_form ? holds ? "1" : "0" : holds ? "true" : "false";
}

/* ---- descriptors of actors ---- */

static void put_bounds(struct report *report, uint32_t row)
{
	const struct cs_cooked_actor *actor = cs_cooked_actor(report->cooked, row);
	const struct cs_cooked_container *container = &report->cooked->containers[actor->container];
	const struct cs_box editor = cs_box_into(
		&cs_cooked_detail(report->cooked, row)->editor_bounds, &container->transform);
	const struct cs_box runtime = cs_box_into(&actor->bounds, &container->transform);
	const bool equal = memcmp(&editor, &runtime, sizeof(editor)) == 0;
	put_box(report,
		!report->old_form ? " EditorBounds:"
		: equal           ? " Bounds:"
				  : " Bounds:(Editor:",
		&editor);
	if (!report->old_form || !equal)
		put_box(report, report->old_form ? " Runtime:" : " RuntimeBounds:", &runtime);
	if (report->old_form && !equal)
		put(report, ")");
}

static void put_flags(struct report *report, uint32_t flags)
{
	put(report,
		" EditorOnly:%s RuntimeOnly:%s HLODRelevant:%s ListedInSceneOutliner:%s "
		"IsMainWorldOnly:%s",
		truth(report, flags & CS_ACTOR_EDITOR_ONLY),
		truth(report, flags & CS_ACTOR_RUNTIME_ONLY),
		truth(report, flags & CS_ACTOR_HLOD_RELEVANT),
		truth(report, !(flags & CS_ACTOR_UNLISTED)),
		truth(report, flags & CS_ACTOR_MAIN_WORLD_ONLY));
}

static void put_guid(struct report *report, const char *key, struct cs_guid value)
{
	char digits[CS_GUID_TEXT];
	cs_guid_format(value, digits);
	put(report, "%s%s", key, digits);
}

static void put_report_text(struct report *report, const char *key, uint32_t offset)
{
	if (*text(report, offset))
		put(report, "%s%s", key, text(report, offset));
}

/* Appends the actor's data layers and content bundle, if any. No known engine log has such keys. */
static void put_added(struct report *report, uint32_t row)
{
	const struct cs_cooked_actor *actor = cs_cooked_actor(report->cooked, row);
	const uint32_t external = cs_cooked_detail(report->cooked, row)->external_layer;
	const struct cs_guid bundle = report->cooked->containers[actor->container].content_bundle;
	const char *before = " DataLayers:";
	for (uint32_t i = 0; !(actor->flags & CS_ACTOR_FORCED_NO_LAYERS) && i < actor->layers.count;
		i++) {
		uint32_t layer =
			cs_cooked_id(report->cooked, CS_IDS_ACTOR_LAYERS, actor->layers.first + i);
		put(report, "%s%s", before, text(report, report->cooked->layers[layer].name));
		before = ",";
	}
	if (external != CS_NONE)
		put(report, " ExternalDataLayer:%s",
			text(report, report->cooked->layers[external].name));
	if (!cs_guid_is_zero(bundle))
		put_guid(report, " ContentBundle:", bundle);
}

static void put_descriptor(struct report *report, const char *indent, uint32_t row)
{
	const struct cs_cooked_actor *actor = cs_cooked_actor(report->cooked, row);
	const struct cs_cooked_actor_detail *detail = cs_cooked_detail(report->cooked, row);
	const bool spatial =
		actor->flags & CS_ACTOR_OWN_SPATIAL && !(actor->flags & CS_ACTOR_FORCED_NONSPATIAL);
	const bool has_grid =
		*text(report, actor->grid) && !(actor->flags & CS_ACTOR_FORCED_NO_GRID);
	put(report, "%s|- ", indent);
	put_guid(report, "Guid:", actor->guid);
	put_report_text(report, " BaseClass:", actor->base_class);
	put(report, " NativeClass:%s Name:%s", text(report, actor->native_class),
		text(report, actor->name));
	put_report_text(report, " Label:", actor->label);
	put(report, " SpatiallyLoaded:%s", truth(report, spatial));
	put_bounds(report, row);
	put(report, " RuntimeGrid:%s", has_grid ? text(report, actor->grid) : "None");
	put_flags(report, actor->flags);
	if (actor->parent != CS_NONE)
		put_guid(report, " Parent:", cs_cooked_actor(report->cooked, actor->parent)->guid);
	put_report_text(report, " FolderPath:", detail->folder);
	if (!cs_guid_is_zero(detail->folder_guid))
		put_guid(report, " FolderGuid:", detail->folder_guid);
	put_added(report, row);
	end_line(report);
}

/* ---- clusters of actors ---- */

/*
 * Stores in *ret an array by actor row: for the largest member of each cluster, the row of the
 * first member. In a world read from an engine's log, several sets in different cells can be one
 * cluster; they have the same largest member. The caller frees the array. Returns false when memory
 * runs out.
 */
static bool first_members(const struct cs_cooked *cooked, uint32_t **ret)
{
	uint32_t *first = malloc((cooked->n_actors + 1) * sizeof(*first));
	if (!first)
		return false;
	memset(first, 0xff, (cooked->n_actors + 1) * sizeof(*first));
	for (uint32_t i = 0; i < cooked->n_sets; i++) {
		const struct cs_range members = cs_cooked_set(cooked, i)->members;
		uint32_t *at =
			&first[cs_cooked_set(cooked, i)->largest != CS_NONE
					? cs_cooked_set(cooked, i)->largest
					: cs_cooked_id(cooked, CS_IDS_SET_MEMBERS, members.first)];
		for (uint32_t k = 0; k < members.count; k++)
			if (cs_cooked_id(cooked, CS_IDS_SET_MEMBERS, members.first + k) < *at)
				*at = cs_cooked_id(cooked, CS_IDS_SET_MEMBERS, members.first + k);
	}
	*ret = first;
	return true;
}

/* Sorts all sets by container, then by the GUID of the first member of their cluster. */
static bool sort_sets(struct report *report)
{
	const struct cs_cooked *cooked = report->cooked;
	uint32_t *first = NULL;
	report->sets = calloc(cooked->n_sets + 1, sizeof(*report->sets));
	bool good = report->sets && first_members(cooked, &first);
	for (uint32_t i = 0; good && i < cooked->n_sets; i++) {
		uint32_t largest = cs_cooked_set(cooked, i)->largest;
		report->sets[i] = (struct cs_sort_key){cs_cooked_set(cooked, i)->container,
			first[largest != CS_NONE
					? largest
					: cs_cooked_id(cooked, CS_IDS_SET_MEMBERS,
						  cs_cooked_set(cooked, i)->members.first)],
			i};
	}
	free(first);
	return good && cs_sort_keys(report->sets, cooked->n_sets);
}

/* Writes the next cluster: all sets from report->next_set on that have the same sort key. */
static void put_cluster(struct report *report, uint32_t number)
{
	const struct cs_sort_key *key = &report->sets[report->next_set];
	CS_VEC(uint32_t) members = {0};
	bool good = true;
	put_line(report, " |   |   |- [+] [%3u]", number);
	for (; report->next_set < report->cooked->n_sets &&
		report->sets[report->next_set].high == key->high &&
		report->sets[report->next_set].low == key->low;
		report->next_set++) {
		const struct cs_range set =
			cs_cooked_set(report->cooked, report->sets[report->next_set].index)
				->members;
		const uint32_t *rows = cs_cooked_id_rows(report->cooked, CS_IDS_SET_MEMBERS, set);
		good = good && cs_vec_append(&members, rows, rows ? set.count : 0);
	}
	report->out.failed |= !good || !cs_sort_u32(members.at, members.n);
	for (size_t k = 0; k < members.n; k++)
		put_descriptor(report, " |   |   |   ", members.at[k]);
	cs_vec_free(&members);
}

static void put_clusters(struct report *report, uint32_t container)
{
	uint32_t number = 0;
	put_line(report, " |   |- [+] Clusters:");
	while (report->next_set < report->cooked->n_sets &&
		report->sets[report->next_set].high < container)
		report->next_set++;
	while (report->next_set < report->cooked->n_sets &&
		report->sets[report->next_set].high == container)
		put_cluster(report, number++);
}

/* ---- containers (the main one and level instances) ---- */

/* Lists the first container of each package, ascending; the caller frees it; false = no memory. */
static bool first_instances(const struct cs_cooked *cooked, uint32_t **ret, size_t *n_ret)
{
	const size_t n = cooked->n_containers;
	struct cs_sort_key *keys = calloc(n + 1, sizeof(*keys));
	uint32_t *firsts = calloc(n + 1, sizeof(*firsts));
	bool good = keys && firsts;
	*n_ret = 0;
	for (uint32_t i = 0; good && i < n; i++)
		keys[i] = (struct cs_sort_key){0, cooked->containers[i].package, i};
	good = good && cs_sort_keys(keys, n);
	for (size_t i = 0; good && i < n; i++)
		if (i == 0 || keys[i].low != keys[i - 1].low)
			firsts[(*n_ret)++] = keys[i].index;
	good = good && cs_sort_u32(firsts, *n_ret);
	free(keys);
	if (good)
		*ret = firsts;
	else
		free(firsts);
	return good;
}

/*
 * Writes the lines with which the log begins a container. They include the bounds of the
 * container's level instance, by which readers of the log find the actor of that level instance.
 */
static void put_instance(struct report *report, size_t i)
{
	const struct cs_cooked_container *container = &report->cooked->containers[i];
	const struct cs_guid none = {0, 0, 0, 0};
	struct cs_box bounds = i == 0 ? report->cooked->world->bounds : CS_BOX_INVALID;
	if (container->actor != CS_NONE)
		bounds = cs_cooked_actor(report->cooked, container->actor)->bounds;
	put_line(report, " |- [+] %s:", i == 0 ? "MainContainer" : "SubContainer");
	put_guid(report, " |   |-        ID: ", container->id);
	end_line(report);
	put_guid(report, " |   |-  ParentID: ",
		container->parent == CS_NONE ? none
					     : report->cooked->containers[container->parent].id);
	end_line(report);
	put_box(report, " |   |-    Bounds: ", &bounds);
	end_line(report);
	put_transform(report, " |   |- Transform: ", &container->transform);
	put_line(report, " |   |- Container: %s", text(report, container->package));
}

static struct cs_error *put_containers(struct report *report)
{
	uint32_t *firsts;
	size_t n;
	if (!first_instances(report->cooked, &firsts, &n))
		return cs_error_nomem();
	put_line(report, "[+] Containers:");
	for (size_t i = 0; i < n; i++) {
		const struct cs_cooked_container *container =
			&report->cooked->containers[firsts[i]];
		put_line(report, " |- [+] Container: %s", text(report, container->package));
		put_line(report, " |   |- [+] ActorDescs:");
		for (uint32_t k = 0; k < container->actors.count; k++)
			put_descriptor(report, " |   |   ", container->actors.first + k);
		put_clusters(report, firsts[i]);
	}
	free(firsts);
	put_line(report, " |- ContainerInstances:");
	for (size_t i = 0; i < report->cooked->n_containers; i++)
		put_instance(report, i);
	return NULL;
}

/* ---- data layers of the world ---- */

static void put_key(struct report *report, const char *key, const char *value)
{
	if (*value)
		put_line(report, " |   |- %s: %s", key, value);
}

static void put_layers(struct report *report)
{
	if (report->cooked->n_layers)
		put_line(report, "[+] DataLayers:");
	for (size_t i = 0; i < report->cooked->n_layers; i++) {
		const struct cs_cooked_layer *layer = &report->cooked->layers[i];
		char priority[16];
		snprintf(priority, sizeof(priority), "%d", layer->priority);
		put_line(report, " |- [+] DataLayer: %s", text(report, layer->name));
		put_key(report, "Label", text(report, layer->label));
		put_key(report, "Asset", text(report, layer->asset));
		if (layer->parent != CS_NONE)
			put_key(report, "Parent",
				text(report, report->cooked->layers[layer->parent].name));
		put_key(report, "Type", cs_layer_type_names[layer->type]);
		put_key(report, "Filter", cs_layer_filter_names[layer->filter]);
		put_key(report, "InitialState", cs_layer_state_names[layer->initial]);
		put_key(report, "Priority", priority);
		put_key(report, "External", layer->flags & CS_LAYER_EXTERNAL ? "true" : "false");
	}
}

/* ---- cells of the world ---- */

static void put_path(struct report *report, const char *before, uint32_t row)
{
	const struct cs_cooked_actor *actor = cs_cooked_actor(report->cooked, row);
	const struct cs_cooked_actor_detail *detail = cs_cooked_detail(report->cooked, row);
	if (*text(report, detail->path))
		put_line(report, "%s%s", before, text(report, detail->path));
	else
		put_line(report, "%s%s.%s:PersistentLevel.%s", before,
			text(report, report->cooked->world->package),
			text(report, report->cooked->world->name), text(report, actor->name));
}

static int by_path(const void *left, const void *right, void *context)
{
	const struct cs_cooked *cooked = context;
	const uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right;
	int by_it = strcmp(cs_cooked_text(cooked, cs_cooked_detail(cooked, l)->path),
		cs_cooked_text(cooked, cs_cooked_detail(cooked, r)->path));
	return by_it ? by_it
		     : strcmp(cs_cooked_text(cooked, cs_cooked_actor(cooked, l)->name),
			       cs_cooked_text(cooked, cs_cooked_actor(cooked, r)->name));
}

/* Whether the actor is in an always loaded cell, or in no cell of a map that the engine cooked. */
static bool is_persistent(const struct cs_cooked *cooked, uint32_t row)
{
	const uint32_t cell = cs_cooked_actor(cooked, row)->cell;
	return cell == CS_NONE ? cooked->world->flags & CS_WORLD_COOKED
			       : cs_cooked_cell(cooked, cell)->flags & CS_CELL_ALWAYS_LOADED;
}

static bool persistent_rows(struct report *report, uint32_t **ret, size_t *n_ret)
{
	CS_VEC(uint32_t) rows = {0};
	bool good = true;
	for (uint32_t i = 0; i < report->cooked->n_actors && good; i++)
		if (is_persistent(report->cooked, i))
			good = cs_vec_push(&rows, i);
	good = good && cs_sort(rows.at, rows.n, sizeof(*rows.at), by_path, (void *)report->cooked);
	if (!good) {
		cs_vec_free(&rows);
		return false;
	}
	*ret = rows.at;
	*n_ret = rows.n;
	return true;
}

static struct cs_error *put_persistent(struct report *report)
{
	uint32_t *rows;
	size_t n;
	if (!persistent_rows(report, &rows, &n))
		return cs_error_nomem();
	put_rule(report, "Persistent Level");
	put_line(report, "[+] Content of %s Persistent Level",
		text(report, report->cooked->world->name));
	put_line(report, " |- Always loaded Actor Count: %zu ", n);
	for (size_t i = 0; i < n; i++) {
		put_path(report, " |- Actor Path: ", rows[i]);
		put_line(report, " |- Actor Package: %s",
			text(report, cs_cooked_detail(report->cooked, rows[i])->package));
	}
	end_line(report);
	free(rows);
	return NULL;
}

static void put_cell_actor(struct report *report, uint32_t row)
{
	const struct cs_cooked_actor *actor = cs_cooked_actor(report->cooked, row);
	const struct cs_cooked_container *container = &report->cooked->containers[actor->container];
	put_path(report, " |- [+] ", row);
	put_line(report, " |   |-         Package: %s",
		text(report, cs_cooked_detail(report->cooked, row)->package));
	put_line(report, " |   |-     Editor Only: %d", (actor->flags & CS_ACTOR_EDITOR_ONLY) != 0);
	put_guid(report,
		" |   |-   Instance Guid: ", cs_cooked_detail(report->cooked, row)->instance_guid);
	end_line(report);
	put_line(report, " |   |- [+] Container:");
	put_guid(report, " |   |   |-        ID: ", container->id);
	end_line(report);
	put_transform(report, " |   |   |- Transform: ",
		report->cooked->world->flags & CS_WORLD_LOGGED
			? &cs_cooked_detail(report->cooked, row)->transform
			: &container->transform);
}

/* Returns a box of a cell as a log contains it: the height (z) of a 2D cell is 0. */
static struct cs_box logged_box(const struct cs_cooked_cell *cell, const struct cs_box *box)
{
	struct cs_box logged = *box;
	if (cell->flags & CS_CELL_2D && cs_box_valid(box))
		logged.min.z = logged.max.z = 0;
	return logged;
}

static void put_boxes(struct report *report, const struct cs_cooked_cell *cell)
{
	const struct cs_box content = logged_box(cell, &cell->content);
	const struct cs_box box = logged_box(cell, &cell->box);
	put_box(report, " |- Content Bounds: ", &content);
	end_line(report);
	put_box(report, " |- Cell Bounds: ", &box);
	end_line(report);
	put_line(report, " |- Is 2D: %s", cell->flags & CS_CELL_2D ? "True" : "False");
}

static void put_cell(struct report *report, const struct cs_cooked_cell *cell)
{
	put_line(report, "[+] Content of Cell %s (%s)", text(report, cell->name),
		text(report, cell->package));
	put_line(report, " |- Actor Count: %u", cell->actors.count);
	if (!(cell->flags & CS_CELL_NO_BOXES))
		put_boxes(report, cell);
	for (uint32_t i = 0; i < cell->layers.count; i++)
		put_line(report, " |- Data Layer: %s",
			text(report, report->cooked
					     ->layers[report->cooked
							      ->cell_layers[cell->layers.first + i]]
					     .name));
	for (uint32_t i = 0; i < cell->actors.count; i++)
		put_cell_actor(report,
			cs_cooked_id(report->cooked, CS_IDS_CELL_ACTORS, cell->actors.first + i));
}

static int by_package(const void *left, const void *right, void *context)
{
	const struct cs_cooked *cooked = context;
	return strcmp(
		cs_cooked_text(cooked, cs_cooked_cell(cooked, *(const uint32_t *)left)->package),
		cs_cooked_text(cooked, cs_cooked_cell(cooked, *(const uint32_t *)right)->package));
}

static struct cs_error *put_cells(struct report *report)
{
	size_t n = report->cooked->n_cells;
	uint32_t *order = cs_sorted_rows(n, by_package, report->cooked);
	if (!order)
		return cs_error_nomem();
	put_rule(report, report->cooked->world->hash_class == CS_HASH_SET ? "Runtime Hash Set"
									  : "Runtime Spatial Hash");
	for (size_t i = 0; i < n; i++)
		if (!(cs_cooked_cell(report->cooked, order[i])->flags & CS_CELL_ALWAYS_LOADED))
			put_cell(report, cs_cooked_cell(report->cooked, order[i]));
	free(order);
	end_line(report);
	return NULL;
}

struct cs_error *cs_cooked_write_log(struct cs_cooked *cooked, const char *path)
{
	struct report report = {
		.cooked = cooked, .old_form = (cooked->world->flags & CS_WORLD_OLD_FORM) != 0};
	struct cs_error *error = cs_cooked_load_details(cooked);
	if (error)
		return error;
	error = sort_sets(&report) ? put_containers(&report) : cs_error_nomem();
	put_layers(&report);
	if (!error)
		error = put_persistent(&report);
	if (!error)
		error = put_cells(&report);
	if (!error)
		error = report.out.failed ? cs_error_nomem()
					  : cs_save_whole(path, report.out.bytes, report.out.size);
	free(report.sets);
	cs_writer_deinit(&report.out);
	return error;
}
