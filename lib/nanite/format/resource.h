/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of a Nanite resource: the tables of a .cnanite file that was built or opened. */
#pragma once

#include <cellscope/nanite.h>

struct cs_nanite {
	const struct cs_nanite_info *info;
	const struct cs_nanite_section *sections;
	const struct cs_nanite_page_state *pages;
	const uint32_t *dependencies, *roots;
	const struct cs_nanite_node *nodes;
	const unsigned char *root_bytes, *stream_bytes;
	const uint16_t *atlas;
	const struct cs_nanite_coarse_vertex *coarse_vertices;
	const struct cs_nanite_coarse_triangle *coarse_triangles;
	size_t n_info, n_sections, n_pages, n_dependencies, n_roots, n_nodes, n_root_bytes,
		n_stream_bytes, n_atlas, n_coarse_vertices, n_coarse_triangles;
	const char *texts;
	size_t n_texts;

	const char **material_names; /* name of the material of each section */
	/* the opened file, which owns the tables, or NULL when the resource owns them */
	struct cs_file *file;
	struct cs_nanite_report report;
};

/* Makes an empty resource, or returns NULL. The caller sets its tables, in memory from malloc. */
struct cs_nanite *cs_nanite_new(void);
/* Returns the *n_ret pixels of the imposter atlas, or NULL when there is no atlas. */
const uint16_t *cs_nanite_atlas(const struct cs_nanite *resource, size_t *n_ret);
/* Sets material_names from the sections and texts of the resource, which must be set. */
struct cs_error *cs_nanite_name_materials(struct cs_nanite *resource) CS_MUST_USE;
/*
 * Returns the length, in units of the mesh, that the half float 1 means in errors and edge lengths.
 * It is finite for any file.
 */
float cs_nanite_half_unit(const struct cs_nanite *resource);
/* Converts a slot's error to mesh units. That of a leaf cluster is negative and stays as it is. */
float cs_nanite_slot_error(const struct cs_nanite *resource, uint16_t half);
/* Writes the .cnanite file into memory, which the caller frees. */
struct cs_error *cs_nanite_bytes(const struct cs_nanite *resource, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
/* Works like cs_nanite_open for an open file, which it takes over, and closes on failure. */
struct cs_error *cs_nanite_adopt(struct cs_file *file, struct cs_nanite **ret) CS_MUST_USE;

/* Opens a resource from bytes, which must outlive it. Error messages contain `name`. */
struct cs_error *cs_nanite_open_bytes(const void *bytes, size_t size, const char *name,
	enum cs_file_mode mode, const struct cs_job *job, struct cs_nanite **ret) CS_MUST_USE;
const struct cs_nanite_page_state *cs_nanite_page_states(
	const struct cs_nanite *resource, size_t *n_ret);
