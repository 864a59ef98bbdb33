/* SPDX-License-Identifier: Apache-2.0 */
/* A Nanite resource from the inside: the tables of a .cnanite file, made or opened. */
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

	const char **material_names; /* by section */
	struct cs_file *file; /* owns the tables when it was opened; else they are owned here */
	struct cs_nanite_report report;
};

/* An empty resource; its tables are set by who makes it, from malloc. NULL without memory. */
struct cs_nanite *cs_nanite_new(void);
/* All tiles of the imposter atlas; NULL when there is none. */
const uint16_t *cs_nanite_atlas(const struct cs_nanite *resource, size_t *n_ret);
/* Once sections and texts are set. */
struct cs_error *cs_nanite_name_materials(struct cs_nanite *resource) CS_MUST_USE;
/* What a half of an error or an edge counts; finite, whatever a file says. */
float cs_nanite_half_unit(const struct cs_nanite *resource);
/* The error that a slot has as a half; -1, for what has a leaf below it, is no length. */
float cs_nanite_slot_error(const struct cs_nanite *resource, uint16_t half);
/* The container in memory, freed by the caller. */
struct cs_error *cs_nanite_bytes(const struct cs_nanite *resource, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
/* As cs_nanite_open, over an open container that the resource takes over, also on failure. */
struct cs_error *cs_nanite_adopt(struct cs_file *file, struct cs_nanite **ret) CS_MUST_USE;

/* Over bytes that outlive the resource; messages contain `name`. */
struct cs_error *cs_nanite_open_bytes(const void *bytes, size_t size, const char *name,
	enum cs_file_mode mode, const struct cs_job *job, struct cs_nanite **ret) CS_MUST_USE;
const struct cs_nanite_page_state *cs_nanite_page_states(
	const struct cs_nanite *resource, size_t *n_ret);
