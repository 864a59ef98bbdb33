/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For the tests of lib/ue: worlds compared by what they say, not by where their texts lie, and
 * folders to write projects to.
 */
#pragma once

#include <cellscope/ue.h>

#include "core/guid.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"
#include "world/world_internal.h"

#include <math.h>
#include <unistd.h>

static int ue_differences;

/* Prints a difference; only the first few are shown. */
__attribute__((format(printf, 1, 2), unused)) static void differs(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (ue_differences++ < 5) {
		fputs("# ", stdout);
		vprintf(format, args);
		putchar('\n');
	}
	va_end(args);
}

struct two_worlds {
	const struct cs_world *l, *r;
	double tolerance;
	char place[200];
};

__attribute__((unused)) static void same_number(
	const struct two_worlds *w, const char *what, double l, double r)
{
	if (!(fabs(l - r) <= w->tolerance))
		differs("%s: %s: %.9g and %.9g", w->place, what, l, r);
}

__attribute__((unused)) static void same_text(
	const struct two_worlds *w, const char *what, uint32_t l, uint32_t r)
{
	const char *left = cs_world_text(w->l, l), *right = cs_world_text(w->r, r);
	if (strcmp(left, right) != 0)
		differs("%s: %s: '%s' and '%s'", w->place, what, left, right);
}

__attribute__((unused)) static void same_bits(
	const struct two_worlds *w, const char *what, uint64_t l, uint64_t r)
{
	if (l != r)
		differs("%s: %s: %" PRIx64 " and %" PRIx64, w->place, what, l, r);
}

__attribute__((unused)) static void same_guid(
	const struct two_worlds *w, const char *what, struct cs_guid l, struct cs_guid r)
{
	if (cs_guid_compare(l, r) != 0)
		differs("%s: %s differs", w->place, what);
}

__attribute__((unused)) static void same_texts(
	const struct two_worlds *w, const char *what, struct cs_range l, struct cs_range r)
{
	same_bits(w, what, l.count, r.count);
	for (uint32_t i = 0; l.count == r.count && i < l.count; i++)
		same_text(w, what, w->l->texts.at[l.first + i], w->r->texts.at[r.first + i]);
}

__attribute__((unused)) static void same_guids(
	const struct two_worlds *w, const char *what, struct cs_range l, struct cs_range r)
{
	same_bits(w, what, l.count, r.count);
	for (uint32_t i = 0; l.count == r.count && i < l.count; i++)
		same_guid(w, what, w->l->guids.at[l.first + i], w->r->guids.at[r.first + i]);
}

__attribute__((unused)) static void same_vector(
	const struct two_worlds *w, const char *what, struct cs_vec3 l, struct cs_vec3 r)
{
	same_number(w, what, l.x, r.x);
	same_number(w, what, l.y, r.y);
	same_number(w, what, l.z, r.z);
}

__attribute__((unused)) static void same_box(const struct two_worlds *w, const char *what,
	const struct cs_box *l, const struct cs_box *r)
{
	same_bits(w, what, cs_box_valid(l), cs_box_valid(r));
	if (!cs_box_valid(l) || !cs_box_valid(r))
		return;
	same_vector(w, what, l->min, r->min);
	same_vector(w, what, l->max, r->max);
}

/* Compares two rotations: q and -q are the same. */
__attribute__((unused)) static void same_turn(
	const struct two_worlds *w, struct cs_quat l, struct cs_quat r)
{
	double cosine = fabs(l.x * r.x + l.y * r.y + l.z * r.z + l.w * r.w);
	if (!(fabs(cosine - 1) < 1e-6))
		differs("%s: the rotation differs", w->place);
}

__attribute__((unused)) static void same_level_instance(
	struct two_worlds *w, const struct cs_actor *l, const struct cs_actor *r)
{
	same_bits(w, "is a level instance", l->level_instance == CS_NONE,
		r->level_instance == CS_NONE);
	if (l->level_instance == CS_NONE || r->level_instance == CS_NONE)
		return;
	const struct cs_level_instance *left = &w->l->level_instances.at[l->level_instance];
	const struct cs_level_instance *right = &w->r->level_instances.at[r->level_instance];
	same_text(w, "level", left->level, right->level);
	same_bits(w, "behaviour", left->behavior, right->behavior);
	same_texts(w, "filter", left->filter, right->filter);
}

__attribute__((unused)) static void same_hlod(
	struct two_worlds *w, const struct cs_actor *l, const struct cs_actor *r)
{
	same_bits(w, "is an HLOD", l->hlod == CS_NONE, r->hlod == CS_NONE);
	if (l->hlod == CS_NONE || r->hlod == CS_NONE)
		return;
	const struct cs_hlod_actor *left = &w->l->hlods.at[l->hlod];
	const struct cs_hlod_actor *right = &w->r->hlods.at[r->hlod];
	same_guid(w, "source cell", left->source_cell, right->source_cell);
	same_text(w, "source cell name", left->source_cell_name, right->source_cell_name);
	same_text(w, "HLOD layer", left->layer, right->layer);
	same_number(w, "minimum visible distance", left->min_visible_distance,
		right->min_visible_distance);
	same_bits(w, "no warm-up", left->no_warmup, right->no_warmup);
	same_guids(w, "sources", left->sources, right->sources);
}

__attribute__((unused)) static void same_actor(
	struct two_worlds *w, const struct cs_actor_row *left, const struct cs_actor_row *right)
{
	const struct cs_actor own = cs_world_actor(w->l, (size_t)(left - w->l->actors.at));
	const struct cs_actor other = cs_world_actor(w->r, (size_t)(right - w->r->actors.at));
	const struct cs_actor *l = &own, *r = &other;
	snprintf(w->place, sizeof(w->place), "actor %s", cs_world_text(w->l, l->name));
	same_guid(w, "GUID", l->guid, r->guid);
	same_guid(w, "parent", l->parent, r->parent);
	same_guid(w, "content bundle", l->content_bundle, r->content_bundle);
	same_guid(w, "folder GUID", l->folder_guid, r->folder_guid);
	same_vector(w, "translation", l->transform.translation, r->transform.translation);
	same_vector(w, "scale", l->transform.scale, r->transform.scale);
	same_turn(w, l->transform.rotation, r->transform.rotation);
	same_box(w, "bounds", &l->bounds, &r->bounds);
	same_box(w, "editor bounds", &l->editor_bounds, &r->editor_bounds);
	same_text(w, "name", l->name, r->name);
	same_text(w, "label", l->label, r->label);
	same_text(w, "base class", l->base_class, r->base_class);
	same_text(w, "native class", l->native_class, r->native_class);
	same_text(w, "package", l->package, r->package);
	same_text(w, "path", l->path, r->path);
	same_text(w, "folder", l->folder, r->folder);
	same_text(w, "engine", l->engine, r->engine);
	same_text(w, "grid", l->grid, r->grid);
	same_text(w, "HLOD layer", l->hlod_layer, r->hlod_layer);
	same_text(w, "external layer", l->external_layer, r->external_layer);
	same_bits(w, "container", l->container, r->container);
	same_bits(w, "flags", l->flags, r->flags);
	same_bits(w, "defaults", l->defaults, r->defaults);
	same_bits(w, "assumed", l->assumed, r->assumed);
	same_bits(w, "saved", l->saved, r->saved);
	same_texts(w, "layers", l->layers, r->layers);
	same_texts(w, "tags", l->tags, r->tags);
	same_texts(w, "properties", l->properties, r->properties);
	same_guids(w, "references", l->references, r->references);
	same_guids(w, "editor references", l->editor_references, r->editor_references);
	same_level_instance(w, l, r);
	same_hlod(w, l, r);
}

__attribute__((unused)) static void same_partition(struct two_worlds *w,
	const struct cs_source_partition *l, const struct cs_source_partition *r)
{
	snprintf(w->place, sizeof(w->place), "partition %s", cs_world_text(w->l, l->name));
	same_text(w, "name", l->name, r->name);
	same_bits(w, "class", l->partition_class, r->partition_class);
	same_number(w, "cell size", l->cell_size, r->cell_size);
	same_number(w, "loading range", l->loading_range, r->loading_range);
	same_vector(w, "origin", l->origin, r->origin);
	same_bits(w, "2D", l->is_2d, r->is_2d);
	same_bits(w, "block", l->block_on_slow, r->block_on_slow);
	same_bits(w, "client only", l->client_only, r->client_only);
	same_bits(w, "bounds method", l->bounds_method, r->bounds_method);
	same_bits(w, "priority", (uint32_t)l->priority, (uint32_t)r->priority);
	same_bits(w, "colour", l->color, r->color);
	same_bits(w, "spatial", l->spatial, r->spatial);
	same_bits(w, "assumed", l->assumed, r->assumed);
	same_bits(w, "setups", l->setups.count, r->setups.count);
	same_texts(w, "HLOD layers", l->hlod_layers, r->hlod_layers);
}

__attribute__((unused)) static void same_settings(struct two_worlds *w)
{
	const struct cs_world_settings *l = &w->l->settings, *r = &w->r->settings;
	snprintf(w->place, sizeof(w->place), "settings");
	same_text(w, "name", l->name, r->name);
	same_text(w, "package", l->package, r->package);
	same_text(w, "source", l->source, r->source);
	same_text(w, "engine", l->engine, r->engine);
	same_text(w, "profile", l->profile, r->profile);
	same_text(w, "default HLOD layer", l->default_hlod_layer, r->default_hlod_layer);
	same_bits(w, "hash class", l->hash_class, r->hash_class);
	same_bits(w, "operator", l->layers_operator, r->layers_operator);
	same_bits(w, "server streaming", l->server_streaming, r->server_streaming);
	same_bits(w, "streaming out", l->server_streaming_out, r->server_streaming_out);
	same_bits(w, "streaming", l->streaming, r->streaming);
	same_bits(w, "aligned", l->aligned, r->aligned);
	same_bits(w, "snap", l->snap, r->snap);
	same_bits(w, "small by location", l->small_by_location, r->small_by_location);
	same_bits(w, "partition by location", l->partition_by_location, r->partition_by_location);
	same_bits(w, "Z culling", l->z_culling, r->z_culling);
	same_guids(w, "world references", l->world_references, r->world_references);
}

__attribute__((unused)) static void same_layer(
	struct two_worlds *w, const struct cs_source_layer *l, const struct cs_source_layer *r)
{
	snprintf(w->place, sizeof(w->place), "layer %s", cs_world_text(w->l, l->label));
	same_text(w, "name", l->name, r->name);
	same_text(w, "label", l->label, r->label);
	same_text(w, "asset", l->asset, r->asset);
	same_text(w, "parent", l->parent, r->parent);
	same_bits(w, "type", l->type, r->type);
	same_bits(w, "filter", l->filter, r->filter);
	same_bits(w, "initial state", l->initial, r->initial);
	same_bits(w, "priority", (uint32_t)l->priority, (uint32_t)r->priority);
	same_bits(w, "colour", l->color, r->color);
	same_bits(w, "external", l->external, r->external);
}

__attribute__((unused)) static void same_grid(
	struct two_worlds *w, const struct cs_source_grid *l, const struct cs_source_grid *r)
{
	snprintf(w->place, sizeof(w->place), "grid %s", cs_world_text(w->l, l->name));
	same_text(w, "name", l->name, r->name);
	same_text(w, "HLOD layer", l->hlod_layer, r->hlod_layer);
	same_number(w, "cell size", l->cell_size, r->cell_size);
	same_number(w, "loading range", l->loading_range, r->loading_range);
	same_number(w, "origin x", l->origin_x, r->origin_x);
	same_number(w, "origin y", l->origin_y, r->origin_y);
	same_bits(w, "block", l->block_on_slow, r->block_on_slow);
	same_bits(w, "client only", l->client_only, r->client_only);
	same_bits(w, "HLOD", l->hlod, r->hlod);
	same_bits(w, "priority", (uint32_t)l->priority, (uint32_t)r->priority);
	same_bits(w, "colour", l->color, r->color);
}

__attribute__((unused)) static void same_container(struct two_worlds *w,
	const struct cs_source_container *l, const struct cs_source_container *r)
{
	snprintf(w->place, sizeof(w->place), "container %s", cs_world_text(w->l, l->package));
	same_text(w, "package", l->package, r->package);
	same_bits(w, "kind", l->kind, r->kind);
	same_bits(w, "external actors", l->external_actors, r->external_actors);
	same_bits(w, "missing", l->missing, r->missing);
	same_guid(w, "content bundle", l->content_bundle, r->content_bundle);
	same_text(w, "external layer", l->external_layer, r->external_layer);
	same_bits(w, "actors", l->actors.count, r->actors.count);
}

__attribute__((unused)) static void same_hlod_layer(struct two_worlds *w,
	const struct cs_source_hlod_layer *l, const struct cs_source_hlod_layer *r)
{
	snprintf(w->place, sizeof(w->place), "HLOD layer %s", cs_world_text(w->l, l->path));
	same_text(w, "path", l->path, r->path);
	same_text(w, "parent", l->parent, r->parent);
	same_bits(w, "spatial", l->spatial, r->spatial);
	same_number(w, "cell size", l->cell_size, r->cell_size);
	same_number(w, "loading range", l->loading_range, r->loading_range);
	same_bits(w, "assumed", l->assumed, r->assumed);
}

/* Compares two tables row by row with the function that is named. */
#define SAME_TABLE(w, table, compare)                                                       \
	do {                                                                                \
		snprintf((w)->place, sizeof((w)->place), "%s", #table);                     \
		same_bits(w, "rows", (w)->l->table.n, (w)->r->table.n);                     \
		for (size_t row = 0; row < (w)->l->table.n && row < (w)->r->table.n; row++) \
			compare(w, &(w)->l->table.at[row], &(w)->r->table.at[row]);         \
	} while (0)

/* Returns whether two worlds are the same, and prints differences. */
__attribute__((unused)) static bool same_worlds(
	const struct cs_world *l, const struct cs_world *r, double tolerance)
{
	struct two_worlds w = {.l = l, .r = r, .tolerance = tolerance};
	ue_differences = 0;
	same_settings(&w);
	SAME_TABLE(&w, containers, same_container);
	SAME_TABLE(&w, partitions, same_partition);
	SAME_TABLE(&w, setups, same_partition);
	SAME_TABLE(&w, grids, same_grid);
	SAME_TABLE(&w, layers, same_layer);
	SAME_TABLE(&w, hlod_layers, same_hlod_layer);
	SAME_TABLE(&w, actors, same_actor);
	return ue_differences == 0;
}

/* ---- logs ---- */

static char logged[16384];

/* A log callback that keeps warnings in `logged`. */
__attribute__((unused)) static void remember(
	void *context, enum cs_log_level level, const char *message)
{
	(void)context;
	size_t n = strlen(logged);
	if (level >= CS_LOG_WARNING)
		snprintf(logged + n, sizeof(logged) - n, "%s\n", message);
}

/* ---- folders ---- */

__attribute__((unused)) static unsigned char *read_file(const char *path, size_t *size_ret)
{
	FILE *file = fopen(path, "rb");
	*size_ret = 0;
	if (!file)
		return NULL;
	fseek(file, 0, SEEK_END);
	long size = ftell(file);
	rewind(file);
	unsigned char *bytes = malloc((size_t)size + 1);
	*size_ret = fread(bytes, 1, (size_t)size, file);
	fclose(file);
	return bytes;
}

__attribute__((unused)) static void write_file(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, size, file) != size)
		ok(false, "cannot write %s", path);
	if (file)
		fclose(file);
}
