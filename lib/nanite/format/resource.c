/* SPDX-License-Identifier: Apache-2.0 */
/* Makes, saves and opens resources, which are sets of tables, and returns their rows. */
#include "nanite/format/resource.h"

#include "core/half.h"
#include "format/file_inside.h"
#include "format/file_writer.h"
#include "nanite/format/format.h"

#include <stdlib.h>
#include <string.h>

/* The members of struct cs_nanite that contain the rows of a table of the file and their number. */
struct slot {
	uint16_t table;
	const void **rows;
	size_t *n;
};

enum { N_SLOTS = CS_TABLE_CNANITE_END - CS_TABLE_STRINGS };

static void list_slots(struct cs_nanite *nanite, struct slot slots[N_SLOTS])
{
	const struct slot all[N_SLOTS] = {
		{CS_TABLE_STRINGS, (const void **)&nanite->texts, &nanite->n_texts},
		{CS_TABLE_NANITE, (const void **)&nanite->info, &nanite->n_info},
		{CS_TABLE_NANITE_SECTIONS, (const void **)&nanite->sections, &nanite->n_sections},
		{CS_TABLE_NANITE_PAGES, (const void **)&nanite->pages, &nanite->n_pages},
		{CS_TABLE_NANITE_DEPENDENCIES, (const void **)&nanite->dependencies,
			&nanite->n_dependencies},
		{CS_TABLE_NANITE_ROOTS, (const void **)&nanite->roots, &nanite->n_roots},
		{CS_TABLE_NANITE_NODES, (const void **)&nanite->nodes, &nanite->n_nodes},
		{CS_TABLE_NANITE_ROOT_BYTES, (const void **)&nanite->root_bytes,
			&nanite->n_root_bytes},
		{CS_TABLE_NANITE_STREAM_BYTES, (const void **)&nanite->stream_bytes,
			&nanite->n_stream_bytes},
		{CS_TABLE_NANITE_ATLAS, (const void **)&nanite->atlas, &nanite->n_atlas},
		{CS_TABLE_NANITE_COARSE_VERTICES, (const void **)&nanite->coarse_vertices,
			&nanite->n_coarse_vertices},
		{CS_TABLE_NANITE_COARSE_TRIANGLES, (const void **)&nanite->coarse_triangles,
			&nanite->n_coarse_triangles},
	};
	memcpy(slots, all, sizeof(all));
}

struct cs_nanite *cs_nanite_new(void)
{
	return calloc(1, sizeof(struct cs_nanite));
}

void cs_nanite_free(struct cs_nanite *resource)
{
	struct slot slots[N_SLOTS];
	if (!resource)
		return;
	list_slots(resource, slots);
	for (unsigned i = 0; !resource->file && i < N_SLOTS; i++)
		free((void *)*slots[i].rows);
	cs_file_close(resource->file);
	free(resource->material_names);
	free(resource);
}

struct cs_error *cs_nanite_name_materials(struct cs_nanite *resource)
{
	resource->material_names =
		calloc(resource->n_sections + 1, sizeof(*resource->material_names));
	if (!resource->material_names)
		return cs_error_nomem();
	for (size_t i = 0; i < resource->n_sections; i++)
		resource->material_names[i] = cs_nanite_text(resource, resource->sections[i].name);
	return NULL;
}

/* ---- saving a resource ---- */

static struct cs_error *make_writer(
	const struct cs_nanite *resource, const struct cs_job *job, struct cs_file_writer **ret)
{
	struct cs_nanite tables = *resource;
	struct slot slots[N_SLOTS];
	list_slots(&tables, slots);
	struct cs_error *error = cs_file_writer_new(cs_schema_of_kind(CS_KIND_CNANITE), job, ret);
	if (error)
		return error;
	for (unsigned i = 0; !error && i < N_SLOTS; i++)
		error = cs_file_writer_table(*ret, slots[i].table, *slots[i].rows, *slots[i].n);
	if (error)
		cs_file_writer_free(*ret);
	return error;
}

struct cs_error *cs_nanite_save(
	const struct cs_nanite *resource, const char *path, const struct cs_job *job)
{
	struct cs_file_writer *writer;
	struct cs_error *error = make_writer(resource, job, &writer);
	if (error)
		return error;
	error = cs_file_writer_save(writer, path);
	cs_file_writer_free(writer);
	return error;
}

struct cs_error *cs_nanite_bytes(const struct cs_nanite *resource, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret)
{
	struct cs_file_writer *writer;
	struct cs_error *error = make_writer(resource, job, &writer);
	if (error)
		return error;
	error = cs_file_writer_bytes(writer, bytes_ret, size_ret);
	cs_file_writer_free(writer);
	return error;
}

/* ---- opening a resource ---- */

struct cs_error *cs_nanite_adopt(struct cs_file *file, struct cs_nanite **ret)
{
	struct cs_nanite *resource = cs_nanite_new();
	if (!resource) {
		cs_file_close(file);
		return cs_error_nomem();
	}
	resource->file = file;
	struct cs_error *error = NULL;
	if (cs_file_info(file).schema->kind != CS_KIND_CNANITE)
		error = cs_error_at(CS_E_MAGIC, cs_file_name(file), 32,
			"the file is a %s file, not a Nanite resource",
			cs_file_info(file).schema->name);
	if (!error) {
		struct slot slots[N_SLOTS];
		list_slots(resource, slots);
		for (unsigned i = 0; !error && i < N_SLOTS; i++)
			error = cs_file_load(
				resource->file, slots[i].table, slots[i].rows, slots[i].n);
		if (!error)
			error = cs_nanite_name_materials(resource);
	}
	if (error)
		cs_nanite_free(resource);
	else
		*ret = resource;
	return error;
}

struct cs_error *cs_nanite_open(
	const char *path, enum cs_file_mode mode, const struct cs_job *job, struct cs_nanite **ret)
{
	struct cs_file *file;
	struct cs_error *error = cs_file_open(path, mode, job, &file);
	return error ? error : cs_nanite_adopt(file, ret);
}

struct cs_error *cs_nanite_open_bytes(const void *bytes, size_t size, const char *name,
	enum cs_file_mode mode, const struct cs_job *job, struct cs_nanite **ret)
{
	struct cs_file *file;
	struct cs_error *error = cs_file_open_bytes(bytes, size, name, mode, job, &file);
	return error ? error : cs_nanite_adopt(file, ret);
}

/* ---- access to the tables ---- */

float cs_nanite_half_unit(const struct cs_nanite *resource)
{
	const int32_t precision = resource->info->position_precision;
	const bool grid = resource->info->flags & CS_NANITE_GRID_HALVES;
	return grid && abs(precision / 2) <= 60 ? cs_grid_half_unit(precision) : 1;
}

float cs_nanite_slot_error(const struct cs_nanite *resource, uint16_t half)
{
	const float error = cs_half_value(half);
	return error < 0 ? error : error * cs_nanite_half_unit(resource);
}

const struct cs_nanite_page_state *cs_nanite_page_states(
	const struct cs_nanite *resource, size_t *n_ret)
{
	*n_ret = resource->n_pages;
	return resource->pages;
}

const uint16_t *cs_nanite_atlas(const struct cs_nanite *resource, size_t *n_ret)
{
	*n_ret = resource->n_atlas;
	return resource->atlas;
}

struct cs_nanite_about cs_nanite_about(const struct cs_nanite *resource)
{
	return (struct cs_nanite_about){
		resource->info, &resource->report, resource->sections, resource->n_sections};
}

const char *cs_nanite_text(const struct cs_nanite *resource, uint32_t text)
{
	if (resource->file)
		return cs_file_text(resource->file, text);
	return text < resource->n_texts ? resource->texts + text : "";
}
