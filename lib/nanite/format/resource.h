/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a Nanite resource: the tables of a .cnanite file, made or opened. */
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
	/* the open file, which owns the tables; NULL when the resource itself owns them */
	struct cs_file *file;
	struct cs_nanite_report report;
};

/*
 * Makes an empty resource, whose maker sets its tables to memory from malloc. Returns NULL without
 * memory.
 */
struct cs_nanite *cs_nanite_new(void);
/* Returns all tiles of the imposter atlas, or NULL when there is none. */
const uint16_t *cs_nanite_atlas(const struct cs_nanite *resource, size_t *n_ret);
/* Sets the names of materials, once sections and texts are set. */
struct cs_error *cs_nanite_name_materials(struct cs_nanite *resource) CS_MUST_USE;
/*
 * Returns the units of the mesh that a half value of 1 means in errors and edges. It is finite for
 * any file.
 */
float cs_nanite_half_unit(const struct cs_nanite *resource);
/*
 * Returns the error that a slot stores as a half, in units of the mesh; negative, unscaled, for a
 * slot with a leaf below it.
 */
float cs_nanite_slot_error(const struct cs_nanite *resource, uint16_t half);
/* Writes the container into memory, which the caller frees. */
struct cs_error *cs_nanite_bytes(const struct cs_nanite *resource, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
/*
 * Works as cs_nanite_open does, with an open container that the resource owns from now on, also on
 * failure.
 */
struct cs_error *cs_nanite_adopt(struct cs_file *file, struct cs_nanite **ret) CS_MUST_USE;

/* Opens bytes that outlive the resource. Messages contain `name`. */
struct cs_error *cs_nanite_open_bytes(const void *bytes, size_t size, const char *name,
	enum cs_file_mode mode, const struct cs_job *job, struct cs_nanite **ret) CS_MUST_USE;
const struct cs_nanite_page_state *cs_nanite_page_states(
	const struct cs_nanite *resource, size_t *n_ret);
