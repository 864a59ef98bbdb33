/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the generation report, in the layout of UE's StreamingGeneration log (world-partition
 * rules 4.3): containers with descriptors and clusters, the persistent level, cells by package
 * name. Three decimals, as UE prints.
 */
#include <cellscope/explain.h>

#include "base/sort.h"
#include "base/text.h"
#include "base/writer.h"
#include "file/save.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report {
	const struct cs_cooked *c;
	struct cs_writer out;
};

static void put(struct report *r, const char *format, ...) CS_PRINTF(2, 3);

static void put(struct report *r, const char *format, ...)
{
	char line[4096];
	va_list args;
	va_start(args, format);
	int n = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	cs_writer_bytes(&r->out, line, n < (int)sizeof(line) ? (size_t)n : sizeof(line) - 1);
}

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
	put(r, "%s%s\n", key, line);
}

static void put_rule(struct report *r, const char *title)
{
	char dashes[113];
	memset(dashes, '-', sizeof(dashes) - 1);
	dashes[sizeof(dashes) - 1] = '\0';
	put(r, "%s\n%s - %s\n%s\n", dashes, text(r, r->c->world->name), title, dashes);
}

static const char *truth(uint32_t flags, uint32_t bit)
{
	return flags & bit ? "true" : "false";
}

/* ---- containers ---- */

static void put_descriptor(struct report *r, const char *indent, uint32_t row)
{
	const struct cs_cooked_actor *a = &r->c->actors[row];
	const struct cs_cooked_actor_detail *d = &r->c->details[row];
	char guid[CS_GUID_TEXT];
	cs_guid_format(a->guid, guid);
	put(r, "%s|- Guid:%s ", indent, guid);
	if (*text(r, a->base_class))
		put(r, "BaseClass:%s ", text(r, a->base_class));
	put(r, "NativeClass:%s Name:%s ", text(r, a->native_class), text(r, a->name));
	if (*text(r, a->label))
		put(r, "Label:%s ", text(r, a->label));
	put(r, "SpatiallyLoaded:%s ", truth(a->flags, CS_ACTOR_OWN_SPATIAL));
	put_box(r, "EditorBounds:", &d->editor_bounds);
	put_box(r, " RuntimeBounds:", &a->bounds);
	put(r, " RuntimeGrid:%s EditorOnly:%s RuntimeOnly:%s HLODRelevant:%s IsMainWorldOnly:%s",
		*text(r, a->grid) ? text(r, a->grid) : "None", truth(a->flags, CS_ACTOR_EDITOR_ONLY),
		truth(a->flags, CS_ACTOR_RUNTIME_ONLY), truth(a->flags, CS_ACTOR_HLOD_RELEVANT),
		truth(a->flags, CS_ACTOR_MAIN_WORLD_ONLY));
	if (a->parent != CS_NONE) {
		cs_guid_format(r->c->actors[a->parent].guid, guid);
		put(r, " Parent:%s", guid);
	}
	if (*text(r, d->folder))
		put(r, " FolderPath:%s", text(r, d->folder));
	put(r, "\n");
}

static void put_clusters(struct report *r, const struct cs_cooked_container *container)
{
	put(r, " |   |- [+] Clusters:\n");
	uint32_t number = 0, index = (uint32_t)(container - r->c->containers);
	for (size_t i = 0; i < r->c->n_sets; i++) {
		const struct cs_cooked_set *set = &r->c->sets[i];
		if (set->container != index)
			continue;
		put(r, " |   |   |- [+] [%3u]\n", number++);
		for (uint32_t k = 0; k < set->members.count; k++)
			put_descriptor(r, " |   |   |   ",
				r->c->set_members[set->members.first + k]);
	}
}

/* Each package once, by its first instance. */
static bool is_first(const struct cs_cooked *c, size_t container)
{
	for (size_t i = 0; i < container; i++)
		if (c->containers[i].package == c->containers[container].package)
			return false;
	return true;
}

static void put_instance(struct report *r, size_t i)
{
	const struct cs_cooked_container *c = &r->c->containers[i];
	char id[CS_GUID_TEXT], parent[CS_GUID_TEXT];
	struct cs_guid none = {0, 0, 0, 0};
	cs_guid_format(c->id, id);
	cs_guid_format(c->parent == CS_NONE ? none : r->c->containers[c->parent].id, parent);
	const struct cs_box bounds = i == 0 ? r->c->world->bounds : CS_BOX_INVALID;
	put(r, " |- [+] %s:\n", i == 0 ? "MainContainer" : "SubContainer");
	put(r, " |   |-        ID: %s\n |   |-  ParentID: %s\n", id, parent);
	put_box(r, " |   |-    Bounds: ", &bounds);
	put(r, "\n");
	put_transform(r, " |   |- Transform: ", &c->transform);
	put(r, " |   |- Container: %s\n", text(r, c->package));
}

static void put_containers(struct report *r)
{
	put(r, "[+] Containers:\n");
	for (size_t i = 0; i < r->c->n_containers; i++) {
		const struct cs_cooked_container *c = &r->c->containers[i];
		if (!is_first(r->c, i))
			continue;
		put(r, " |- [+] Container: %s\n |   |- [+] ActorDescs:\n", text(r, c->package));
		for (uint32_t k = 0; k < c->actors.count; k++)
			put_descriptor(r, " |   |   ", c->actors.first + k);
		put_clusters(r, c);
	}
	put(r, " |- ContainerInstances:\n");
	for (size_t i = 0; i < r->c->n_containers; i++)
		put_instance(r, i);
}

/* ---- cells ---- */

static void put_path(struct report *r, const char *before, uint32_t row)
{
	const struct cs_cooked_actor *a = &r->c->actors[row];
	const struct cs_cooked_actor_detail *d = &r->c->details[row];
	if (*text(r, d->path))
		put(r, "%s%s\n", before, text(r, d->path));
	else
		put(r, "%s%s.%s:PersistentLevel.%s\n", before, text(r, r->c->world->package),
			text(r, r->c->world->name), text(r, a->name));
}

static void put_persistent(struct report *r)
{
	uint32_t n = 0;
	for (size_t i = 0; i < r->c->n_cells; i++)
		if (r->c->cells[i].flags & CS_CELL_ALWAYS_LOADED)
			n += r->c->cells[i].actors.count;
	put_rule(r, "Persistent Level");
	put(r, "[+] Content of %s Persistent Level\n |- Always loaded Actor Count: %u \n",
		text(r, r->c->world->name), n);
	for (size_t i = 0; i < r->c->n_cells; i++) {
		const struct cs_cooked_cell *cell = &r->c->cells[i];
		if (!(cell->flags & CS_CELL_ALWAYS_LOADED))
			continue;
		for (uint32_t k = 0; k < cell->actors.count; k++) {
			uint32_t row = r->c->cell_actors[cell->actors.first + k];
			put_path(r, " |- Actor Path: ", row);
			put(r, " |- Actor Package: %s\n", text(r, r->c->details[row].package));
		}
	}
	put(r, "\n");
}

static void put_cell_actor(struct report *r, uint32_t row)
{
	const struct cs_cooked_actor *a = &r->c->actors[row];
	const struct cs_cooked_container *c = &r->c->containers[a->container];
	char guid[CS_GUID_TEXT];
	put_path(r, " |- [+] ", row);
	put(r, " |   |-         Package: %s\n", text(r, r->c->details[row].package));
	put(r, " |   |-     Editor Only: %d\n", (a->flags & CS_ACTOR_EDITOR_ONLY) != 0);
	cs_guid_format(r->c->details[row].instance_guid, guid);
	put(r, " |   |-   Instance Guid: %s\n", guid);
	cs_guid_format(c->id, guid);
	put(r, " |   |- [+] Container:\n |   |   |-        ID: %s\n", guid);
	put_transform(r, " |   |   |- Transform: ", &c->transform);
}

static void put_cell(struct report *r, const struct cs_cooked_cell *cell)
{
	put(r, "[+] Content of Cell %s (%s)\n", text(r, cell->name), text(r, cell->package));
	put(r, " |- Actor Count: %u\n", cell->actors.count);
	put_box(r, " |- Content Bounds: ", &cell->content);
	put_box(r, "\n |- Cell Bounds: ", &cell->box);
	put(r, "\n |- Is 2D: %s\n", cell->flags & CS_CELL_2D ? "True" : "False");
	for (uint32_t i = 0; i < cell->layers.count; i++)
		put(r, " |- Data Layer: %s\n",
			text(r, r->c->layers[r->c->cell_layers[cell->layers.first + i]].name));
	for (uint32_t i = 0; i < cell->actors.count; i++)
		put_cell_actor(r, r->c->cell_actors[cell->actors.first + i]);
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
	uint32_t *order = malloc((n ? n : 1) * sizeof(*order));
	if (!order)
		return cs_error_nomem();
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	bool good = cs_sort(order, n, sizeof(*order), by_package, (void *)r->c);
	put_rule(r, r->c->world->hash_class == CS_HASH_SET ? "Runtime Hash Set"
							    : "Runtime Spatial Hash");
	for (size_t i = 0; good && i < n; i++)
		if (!(r->c->cells[order[i]].flags & CS_CELL_ALWAYS_LOADED))
			put_cell(r, &r->c->cells[order[i]]);
	free(order);
	put(r, "\n");
	return good ? NULL : cs_error_nomem();
}

struct cs_error *cs_cooked_write_log(struct cs_cooked *cooked, const char *path)
{
	struct report r = {.c = cooked};
	struct cs_error *error = cs_cooked_load_details(cooked);
	if (error)
		return error;
	put_containers(&r);
	put_persistent(&r);
	error = put_cells(&r);
	if (!error)
		error = r.out.failed ? cs_error_nomem()
				     : cs_save_whole(path, r.out.bytes, r.out.size);
	cs_writer_deinit(&r.out);
	return error;
}
