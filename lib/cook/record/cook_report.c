/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the generation report, in the layout of UE's StreamingGeneration log (world-partition rule
 * 4.3): containers with descriptors and clusters, the persistent level, cells by package name.
 * Numbers have three decimals, as in UE. A world cooked from such a log gives the same log again.
 * Descriptors show the results of validation. A world opened from a log is written in the dialect
 * of that log.
 * Descriptors of a level are in the space of the level; its bounds are transformed back from the
 * first of its instances, so boxes of rotated instances become larger.
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
#include "format/save.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report {
	const struct cs_cooked *c;
	struct cs_writer out;
	size_t line;              /* offset of the line that is being written */
	struct cs_sort_key *sets; /* clusters in the order of the log */
	size_t next_set;
	bool old_form; /* as 5.4 writes it: digits for flags, one box where two are equal */
};

static void put(struct report *r, const char *format, ...) CS_PRINTF(2, 3);

static void put(struct report *r, const char *format, ...)
{
	char piece[512], *whole = NULL;
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int n = vsnprintf(piece, sizeof(piece), format, args);
	if (n >= (int)sizeof(piece))
		n = vasprintf(&whole, format, again);
	va_end(again);
	va_end(args);
	if (n < 0)
		r->out.failed = true;
	else
		cs_writer_bytes(&r->out, whole ? whole : piece, (size_t)n);
	free(whole);
}

/* Ends a line; escapes names that would end it earlier or change a terminal. */
static void end_line(struct report *r)
{
	for (size_t i = r->line, n; i < r->out.size; i += n) {
		uint32_t c = 0;
		n = cs_utf8_decode(r->out.bytes + i, r->out.size - i, &c);
		if (n > 0 && (c == '\\' || !cs_is_unsafe(c)))
			continue;
		n = n ? n : 1;
		memset(r->out.bytes + i, '?', n);
	}
	cs_writer_u8(&r->out, '\n');
	r->line = r->out.size;
}

#define put_line(r, ...) (put(r, __VA_ARGS__), end_line(r))

static const char *text(const struct report *r, uint32_t offset)
{
	return cs_cooked_text(r->c, offset);
}

static void put_box(struct report *r, const char *key, const struct cs_box *box)
{
	char line[400];
	bool valid = cs_box_valid(box);
	struct cs_box b = valid ? *box : (struct cs_box){{0, 0, 0}, {0, 0, 0}};
	cs_format_c(line, sizeof(line),
		"IsValid=%s, Min=(X=%.3f Y=%.3f Z=%.3f), Max=(X=%.3f Y=%.3f Z=%.3f)",
		valid ? "true" : "false", b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z);
	put(r, "%s%s", key, line);
}

static void put_transform(struct report *r, const char *key, const struct cs_transform *t)
{
	char line[400];
	const struct cs_vec3 p = t->translation, s = t->scale;
	struct cs_vec3 e = cs_quat_to_euler(t->rotation);
	cs_format_c(line, sizeof(line), "%f,%f,%f|%f,%f,%f|%f,%f,%f", p.x, p.y, p.z, e.x, e.y, e.z,
		s.x, s.y, s.z);
	put_line(r, "%s%s", key, line);
}

static void put_rule(struct report *r, const char *title)
{
	char dashes[113];
	memset(dashes, '-', sizeof(dashes) - 1);
	dashes[sizeof(dashes) - 1] = '\0';
	put_line(r, "%s", dashes);
	put_line(r, "%s - %s", text(r, r->c->world->name), title);
	put_line(r, "%s", dashes);
}

static const char *truth(const struct report *r, bool holds)
{
	return r->old_form ? holds ? "1" : "0" : holds ? "true" : "false";
}

/* ---- descriptors ---- */

static void put_bounds(struct report *r, uint32_t row)
{
	const struct cs_cooked_actor *a = cs_cooked_actor(r->c, row);
	const struct cs_cooked_container *container = &r->c->containers[a->container];
	const struct cs_box editor =
		cs_box_into(&cs_cooked_detail(r->c, row)->editor_bounds, &container->transform);
	const struct cs_box runtime = cs_box_into(&a->bounds, &container->transform);
	const bool equal = memcmp(&editor, &runtime, sizeof(editor)) == 0;
	put_box(r,
		!r->old_form ? " EditorBounds:"
		: equal      ? " Bounds:"
			     : " Bounds:(Editor:",
		&editor);
	if (!r->old_form || !equal)
		put_box(r, r->old_form ? " Runtime:" : " RuntimeBounds:", &runtime);
	if (r->old_form && !equal)
		put(r, ")");
}

static void put_flags(struct report *r, uint32_t flags)
{
	put(r,
		" EditorOnly:%s RuntimeOnly:%s HLODRelevant:%s ListedInSceneOutliner:%s "
		"IsMainWorldOnly:%s",
		truth(r, flags & CS_ACTOR_EDITOR_ONLY), truth(r, flags & CS_ACTOR_RUNTIME_ONLY),
		truth(r, flags & CS_ACTOR_HLOD_RELEVANT), truth(r, !(flags & CS_ACTOR_UNLISTED)),
		truth(r, flags & CS_ACTOR_MAIN_WORLD_ONLY));
}

static void put_guid(struct report *r, const char *key, struct cs_guid value)
{
	char digits[CS_GUID_TEXT];
	cs_guid_format(value, digits);
	put(r, "%s%s", key, digits);
}

static void put_report_text(struct report *r, const char *key, uint32_t offset)
{
	if (*text(r, offset))
		put(r, "%s%s", key, text(r, offset));
}

/* Adds keys that no engine log was seen to contain: layers and bundles, where there are any. */
static void put_added(struct report *r, uint32_t row)
{
	const struct cs_cooked_actor *a = cs_cooked_actor(r->c, row);
	const uint32_t external = cs_cooked_detail(r->c, row)->external_layer;
	const struct cs_guid bundle = r->c->containers[a->container].content_bundle;
	const char *before = " DataLayers:";
	for (uint32_t i = 0; !(a->flags & CS_ACTOR_FORCED_NO_LAYERS) && i < a->layers.count; i++) {
		uint32_t layer = cs_cooked_id(r->c, CS_IDS_ACTOR_LAYERS, a->layers.first + i);
		put(r, "%s%s", before, text(r, r->c->layers[layer].name));
		before = ",";
	}
	if (external != CS_NONE)
		put(r, " ExternalDataLayer:%s", text(r, r->c->layers[external].name));
	if (!cs_guid_is_zero(bundle))
		put_guid(r, " ContentBundle:", bundle);
}

static void put_descriptor(struct report *r, const char *indent, uint32_t row)
{
	const struct cs_cooked_actor *a = cs_cooked_actor(r->c, row);
	const struct cs_cooked_actor_detail *d = cs_cooked_detail(r->c, row);
	const bool spatial =
		a->flags & CS_ACTOR_OWN_SPATIAL && !(a->flags & CS_ACTOR_FORCED_NONSPATIAL);
	const bool has_grid = *text(r, a->grid) && !(a->flags & CS_ACTOR_FORCED_NO_GRID);
	put(r, "%s|- ", indent);
	put_guid(r, "Guid:", a->guid);
	put_report_text(r, " BaseClass:", a->base_class);
	put(r, " NativeClass:%s Name:%s", text(r, a->native_class), text(r, a->name));
	put_report_text(r, " Label:", a->label);
	put(r, " SpatiallyLoaded:%s", truth(r, spatial));
	put_bounds(r, row);
	put(r, " RuntimeGrid:%s", has_grid ? text(r, a->grid) : "None");
	put_flags(r, a->flags);
	if (a->parent != CS_NONE)
		put_guid(r, " Parent:", cs_cooked_actor(r->c, a->parent)->guid);
	put_report_text(r, " FolderPath:", d->folder);
	if (!cs_guid_is_zero(d->folder_guid))
		put_guid(r, " FolderGuid:", d->folder_guid);
	put_added(r, row);
	end_line(r);
}

/* ---- clusters ---- */

/*
 * Returns the first member of each cluster by its largest one: several sets are one cluster when a
 * log lists its members in several cells.
 */
static bool first_members(const struct cs_cooked *c, uint32_t **ret)
{
	uint32_t *first = malloc((c->n_actors + 1) * sizeof(*first));
	if (!first)
		return false;
	memset(first, 0xff, (c->n_actors + 1) * sizeof(*first));
	for (uint32_t i = 0; i < c->n_sets; i++) {
		const struct cs_range members = cs_cooked_set(c, i)->members;
		uint32_t *at = &first[cs_cooked_set(c, i)->largest != CS_NONE
					      ? cs_cooked_set(c, i)->largest
					      : cs_cooked_id(c, CS_IDS_SET_MEMBERS, members.first)];
		for (uint32_t k = 0; k < members.count; k++)
			if (cs_cooked_id(c, CS_IDS_SET_MEMBERS, members.first + k) < *at)
				*at = cs_cooked_id(c, CS_IDS_SET_MEMBERS, members.first + k);
	}
	*ret = first;
	return true;
}

/* Sorts all sets by container, then by the GUID of the first member of their cluster. */
static bool sort_sets(struct report *r)
{
	const struct cs_cooked *c = r->c;
	uint32_t *first = NULL;
	r->sets = calloc(c->n_sets + 1, sizeof(*r->sets));
	bool good = r->sets && first_members(c, &first);
	for (uint32_t i = 0; good && i < c->n_sets; i++) {
		uint32_t largest = cs_cooked_set(c, i)->largest;
		r->sets[i] = (struct cs_sort_key){cs_cooked_set(c, i)->container,
			first[largest != CS_NONE ? largest
						 : cs_cooked_id(c, CS_IDS_SET_MEMBERS,
							   cs_cooked_set(c, i)->members.first)],
			i};
	}
	free(first);
	return good && cs_sort_keys(r->sets, c->n_sets);
}

/* Writes the next sets that are one cluster. */
static void put_cluster(struct report *r, uint32_t number)
{
	const struct cs_sort_key *key = &r->sets[r->next_set];
	CS_VEC(uint32_t) members = {0};
	bool good = true;
	put_line(r, " |   |   |- [+] [%3u]", number);
	for (; r->next_set < r->c->n_sets && r->sets[r->next_set].high == key->high &&
		r->sets[r->next_set].low == key->low;
		r->next_set++) {
		const struct cs_range set =
			cs_cooked_set(r->c, r->sets[r->next_set].index)->members;
		good = good && cs_vec_append(&members,
				       cs_cooked_id_rows(r->c, CS_IDS_SET_MEMBERS, set), set.count);
	}
	r->out.failed |= !good || !cs_sort_u32(members.at, members.n);
	for (size_t k = 0; k < members.n; k++)
		put_descriptor(r, " |   |   |   ", members.at[k]);
	cs_vec_free(&members);
}

static void put_clusters(struct report *r, uint32_t container)
{
	uint32_t number = 0;
	put_line(r, " |   |- [+] Clusters:");
	while (r->next_set < r->c->n_sets && r->sets[r->next_set].high < container)
		r->next_set++;
	while (r->next_set < r->c->n_sets && r->sets[r->next_set].high == container)
		put_cluster(r, number++);
}

/* ---- containers ---- */

/* Returns the first instance of each package, in their order. */
static bool first_instances(const struct cs_cooked *c, uint32_t **ret, size_t *n_ret)
{
	const size_t n = c->n_containers;
	struct cs_sort_key *keys = calloc(n + 1, sizeof(*keys));
	uint32_t *firsts = calloc(n + 1, sizeof(*firsts));
	bool good = keys && firsts;
	*n_ret = 0;
	for (uint32_t i = 0; good && i < n; i++)
		keys[i] = (struct cs_sort_key){0, c->containers[i].package, i};
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
 * Its bounds are those of its level instance, by which readers of the log find the level instance.
 */
static void put_instance(struct report *r, size_t i)
{
	const struct cs_cooked_container *c = &r->c->containers[i];
	const struct cs_guid none = {0, 0, 0, 0};
	struct cs_box bounds = i == 0 ? r->c->world->bounds : CS_BOX_INVALID;
	if (c->actor != CS_NONE)
		bounds = cs_cooked_actor(r->c, c->actor)->bounds;
	put_line(r, " |- [+] %s:", i == 0 ? "MainContainer" : "SubContainer");
	put_guid(r, " |   |-        ID: ", c->id);
	end_line(r);
	put_guid(r, " |   |-  ParentID: ",
		c->parent == CS_NONE ? none : r->c->containers[c->parent].id);
	end_line(r);
	put_box(r, " |   |-    Bounds: ", &bounds);
	end_line(r);
	put_transform(r, " |   |- Transform: ", &c->transform);
	put_line(r, " |   |- Container: %s", text(r, c->package));
}

static struct cs_error *put_containers(struct report *r)
{
	uint32_t *firsts;
	size_t n;
	if (!first_instances(r->c, &firsts, &n))
		return cs_error_nomem();
	put_line(r, "[+] Containers:");
	for (size_t i = 0; i < n; i++) {
		const struct cs_cooked_container *c = &r->c->containers[firsts[i]];
		put_line(r, " |- [+] Container: %s", text(r, c->package));
		put_line(r, " |   |- [+] ActorDescs:");
		for (uint32_t k = 0; k < c->actors.count; k++)
			put_descriptor(r, " |   |   ", c->actors.first + k);
		put_clusters(r, firsts[i]);
	}
	free(firsts);
	put_line(r, " |- ContainerInstances:");
	for (size_t i = 0; i < r->c->n_containers; i++)
		put_instance(r, i);
	return NULL;
}

/* ---- data layers ---- */

static void put_key(struct report *r, const char *key, const char *value)
{
	if (*value)
		put_line(r, " |   |- %s: %s", key, value);
}

static void put_layers(struct report *r)
{
	if (r->c->n_layers)
		put_line(r, "[+] DataLayers:");
	for (size_t i = 0; i < r->c->n_layers; i++) {
		const struct cs_cooked_layer *layer = &r->c->layers[i];
		char priority[16];
		snprintf(priority, sizeof(priority), "%d", layer->priority);
		put_line(r, " |- [+] DataLayer: %s", text(r, layer->name));
		put_key(r, "Label", text(r, layer->label));
		put_key(r, "Asset", text(r, layer->asset));
		if (layer->parent != CS_NONE)
			put_key(r, "Parent", text(r, r->c->layers[layer->parent].name));
		put_key(r, "Type", cs_layer_type_names[layer->type]);
		put_key(r, "Filter", cs_layer_filter_names[layer->filter]);
		put_key(r, "InitialState", cs_layer_state_names[layer->initial]);
		put_key(r, "Priority", priority);
		put_key(r, "External", layer->flags & CS_LAYER_EXTERNAL ? "true" : "false");
	}
}

/* ---- cells ---- */

static void put_path(struct report *r, const char *before, uint32_t row)
{
	const struct cs_cooked_actor *a = cs_cooked_actor(r->c, row);
	const struct cs_cooked_actor_detail *d = cs_cooked_detail(r->c, row);
	if (*text(r, d->path))
		put_line(r, "%s%s", before, text(r, d->path));
	else
		put_line(r, "%s%s.%s:PersistentLevel.%s", before, text(r, r->c->world->package),
			text(r, r->c->world->name), text(r, a->name));
}

static int by_path(const void *left, const void *right, void *context)
{
	const struct cs_cooked *c = context;
	const uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right;
	int by_it = strcmp(cs_cooked_text(c, cs_cooked_detail(c, l)->path),
		cs_cooked_text(c, cs_cooked_detail(c, r)->path));
	return by_it ? by_it
		     : strcmp(cs_cooked_text(c, cs_cooked_actor(c, l)->name),
			       cs_cooked_text(c, cs_cooked_actor(c, r)->name));
}

/*
 * Returns true for an actor in an always loaded cell, and for an actor of a cooked map that is in
 * no cell.
 */
static bool is_persistent(const struct cs_cooked *c, uint32_t row)
{
	const uint32_t cell = cs_cooked_actor(c, row)->cell;
	return cell == CS_NONE ? c->world->flags & CS_WORLD_COOKED
			       : c->cells[cell].flags & CS_CELL_ALWAYS_LOADED;
}

static bool persistent_rows(struct report *r, uint32_t **ret, size_t *n_ret)
{
	CS_VEC(uint32_t) rows = {0};
	bool good = true;
	for (uint32_t i = 0; i < r->c->n_actors && good; i++)
		if (is_persistent(r->c, i))
			good = cs_vec_push(&rows, i);
	good = good && cs_sort(rows.at, rows.n, sizeof(*rows.at), by_path, (void *)r->c);
	if (!good) {
		cs_vec_free(&rows);
		return false;
	}
	*ret = rows.at;
	*n_ret = rows.n;
	return true;
}

static struct cs_error *put_persistent(struct report *r)
{
	uint32_t *rows;
	size_t n;
	if (!persistent_rows(r, &rows, &n))
		return cs_error_nomem();
	put_rule(r, "Persistent Level");
	put_line(r, "[+] Content of %s Persistent Level", text(r, r->c->world->name));
	put_line(r, " |- Always loaded Actor Count: %zu ", n);
	for (size_t i = 0; i < n; i++) {
		put_path(r, " |- Actor Path: ", rows[i]);
		put_line(r, " |- Actor Package: %s",
			text(r, cs_cooked_detail(r->c, rows[i])->package));
	}
	end_line(r);
	free(rows);
	return NULL;
}

static void put_cell_actor(struct report *r, uint32_t row)
{
	const struct cs_cooked_actor *a = cs_cooked_actor(r->c, row);
	const struct cs_cooked_container *c = &r->c->containers[a->container];
	put_path(r, " |- [+] ", row);
	put_line(r, " |   |-         Package: %s", text(r, cs_cooked_detail(r->c, row)->package));
	put_line(r, " |   |-     Editor Only: %d", (a->flags & CS_ACTOR_EDITOR_ONLY) != 0);
	put_guid(r, " |   |-   Instance Guid: ", cs_cooked_detail(r->c, row)->instance_guid);
	end_line(r);
	put_line(r, " |   |- [+] Container:");
	put_guid(r, " |   |   |-        ID: ", c->id);
	end_line(r);
	put_transform(r, " |   |   |- Transform: ",
		r->c->world->flags & CS_WORLD_LOGGED ? &cs_cooked_detail(r->c, row)->transform
						     : &c->transform);
}

/* Logs of a 2D cell do not contain its height. */
static struct cs_box logged_box(const struct cs_cooked_cell *cell, const struct cs_box *box)
{
	struct cs_box logged = *box;
	if (cell->flags & CS_CELL_2D && cs_box_valid(box))
		logged.min.z = logged.max.z = 0;
	return logged;
}

static void put_boxes(struct report *r, const struct cs_cooked_cell *cell)
{
	const struct cs_box content = logged_box(cell, &cell->content);
	const struct cs_box box = logged_box(cell, &cell->box);
	put_box(r, " |- Content Bounds: ", &content);
	end_line(r);
	put_box(r, " |- Cell Bounds: ", &box);
	end_line(r);
	put_line(r, " |- Is 2D: %s", cell->flags & CS_CELL_2D ? "True" : "False");
}

static void put_cell(struct report *r, const struct cs_cooked_cell *cell)
{
	put_line(r, "[+] Content of Cell %s (%s)", text(r, cell->name), text(r, cell->package));
	put_line(r, " |- Actor Count: %u", cell->actors.count);
	if (!(cell->flags & CS_CELL_NO_BOXES))
		put_boxes(r, cell);
	for (uint32_t i = 0; i < cell->layers.count; i++)
		put_line(r, " |- Data Layer: %s",
			text(r, r->c->layers[r->c->cell_layers[cell->layers.first + i]].name));
	for (uint32_t i = 0; i < cell->actors.count; i++)
		put_cell_actor(r, cs_cooked_id(r->c, CS_IDS_CELL_ACTORS, cell->actors.first + i));
}

static int by_package(const void *left, const void *right, void *context)
{
	const struct cs_cooked *c = context;
	return strcmp(cs_cooked_text(c, c->cells[*(const uint32_t *)left].package),
		cs_cooked_text(c, c->cells[*(const uint32_t *)right].package));
}

static struct cs_error *put_cells(struct report *r)
{
	size_t n = r->c->n_cells;
	uint32_t *order = cs_sorted_rows(n, by_package, r->c);
	if (!order)
		return cs_error_nomem();
	put_rule(r, r->c->world->hash_class == CS_HASH_SET ? "Runtime Hash Set"
							   : "Runtime Spatial Hash");
	for (size_t i = 0; i < n; i++)
		if (!(r->c->cells[order[i]].flags & CS_CELL_ALWAYS_LOADED))
			put_cell(r, &r->c->cells[order[i]]);
	free(order);
	end_line(r);
	return NULL;
}

struct cs_error *cs_cooked_write_log(struct cs_cooked *cooked, const char *path)
{
	struct report r = {
		.c = cooked, .old_form = (cooked->world->flags & CS_WORLD_OLD_FORM) != 0};
	struct cs_error *error = cs_cooked_load_details(cooked);
	if (error)
		return error;
	error = sort_sets(&r) ? put_containers(&r) : cs_error_nomem();
	put_layers(&r);
	if (!error)
		error = put_persistent(&r);
	if (!error)
		error = put_cells(&r);
	if (!error)
		error = r.out.failed ? cs_error_nomem()
				     : cs_save_whole(path, r.out.bytes, r.out.size);
	free(r.sets);
	cs_writer_deinit(&r.out);
	return error;
}
