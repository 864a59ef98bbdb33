/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes clusters as a coloured mesh file: PLY with a colour for each vertex, OBJ with a named
 * group of triangles for each colour. Clusters do not share vertices, so colours never blend across
 * the border of a cluster.
 */
#include <cellscope/pages.h>

#include "core/writer.h"
#include "nanite/picture/cluster_colour.h"

#include <string.h>

struct exported {
	const struct cs_model *model;
	const uint32_t *clusters;
	size_t n;
	enum cs_picture_colour colour;
	const uint8_t *state;
};

/* ---- PLY files ---- */

static void ply_header(struct cs_writer *to, const struct exported *exported)
{
	size_t vertices = 0, triangles = 0;
	for (size_t i = 0; i < exported->n; i++) {
		vertices += exported->model->clusters[exported->clusters[i]].n_vertices;
		triangles += exported->model->clusters[exported->clusters[i]].n_triangles;
	}
	cs_writer_print(to,
		"ply\nformat binary_little_endian 1.0\nelement vertex %zu\n"
		"property float x\nproperty float y\nproperty float z\n"
		"property uchar red\nproperty uchar green\nproperty uchar blue\n"
		"element face %zu\nproperty list uchar uint vertex_indices\nend_header\n",
		vertices, triangles);
}

static void put_ply(struct cs_writer *to, const struct exported *exported)
{
	uint32_t first = 0;
	ply_header(to, exported);
	for (size_t i = 0; i < exported->n; i++) {
		const struct cs_model_cluster *cluster =
			&exported->model->clusters[exported->clusters[i]];
		uint8_t rgb[3];
		cs_picture_colour_of(exported->model, exported->clusters[i], exported->colour,
			exported->state, rgb);
		for (uint32_t v = 0; v < cluster->n_vertices; v++) {
			const float *at = exported->model->positions +
					  3 * ((size_t)cluster->first_vertex + v);
			for (unsigned axis = 0; axis < 3; axis++)
				cs_writer_f32(to, at[axis]);
			cs_writer_bytes(to, rgb, sizeof(rgb));
		}
	}
	for (size_t i = 0; i < exported->n; i++) {
		const struct cs_model_cluster *cluster =
			&exported->model->clusters[exported->clusters[i]];
		for (uint32_t t = 0; t < cluster->n_triangles; t++) {
			const uint8_t *at = exported->model->corners +
					    3 * ((size_t)cluster->first_triangle + t);
			cs_writer_u8(to, 3);
			for (unsigned k = 0; k < 3; k++)
				cs_writer_u32(to, first + at[k]);
		}
		first += cluster->n_vertices;
	}
}

/* ---- OBJ files ---- */

static void put_group(struct cs_writer *to, const struct exported *exported, uint32_t cluster)
{
	const struct cs_model_cluster *model_cluster = &exported->model->clusters[cluster];
	switch (exported->colour) {
	case CS_COLOUR_GROUP:
		cs_writer_print(to, "g group_%u\n", model_cluster->group);
		break;
	case CS_COLOUR_PAGE:
		cs_writer_print(to, "g page_%u\n", model_cluster->page);
		break;
	case CS_COLOUR_LEVEL:
		cs_writer_print(to, "g level_%u\n", model_cluster->level);
		break;
	case CS_COLOUR_RESIDENCY:
		cs_writer_print(to, "g %s\n",
			exported->state && exported->state[cluster] ? "coarse" : "fine");
		break;
	default:
		cs_writer_print(to, "g cluster_%u_%u\n", model_cluster->page, model_cluster->index);
		break;
	}
}

static void put_obj(struct cs_writer *to, const struct exported *exported)
{
	size_t first = 1;
	char axes[3][CS_DOUBLE_TEXT];
	for (size_t i = 0; i < exported->n; i++) {
		const struct cs_model_cluster *cluster =
			&exported->model->clusters[exported->clusters[i]];
		for (uint32_t v = 0; v < cluster->n_vertices; v++) {
			const float *at = exported->model->positions +
					  3 * ((size_t)cluster->first_vertex + v);
			for (unsigned axis = 0; axis < 3; axis++)
				cs_double_format((double)at[axis], axes[axis]);
			cs_writer_print(to, "v %s %s %s\n", axes[0], axes[1], axes[2]);
		}
	}
	for (size_t i = 0; i < exported->n; i++) {
		const struct cs_model_cluster *cluster =
			&exported->model->clusters[exported->clusters[i]];
		put_group(to, exported, exported->clusters[i]);
		for (uint32_t t = 0; t < cluster->n_triangles; t++) {
			const uint8_t *at = exported->model->corners +
					    3 * ((size_t)cluster->first_triangle + t);
			cs_writer_print(
				to, "f %zu %zu %zu\n", first + at[0], first + at[1], first + at[2]);
		}
		first += cluster->n_vertices;
	}
}

struct cs_error *cs_model_export(const struct cs_model *model, const uint32_t *clusters, size_t n,
	enum cs_picture_colour colour, const uint8_t *state, const char *path)
{
	const struct exported exported = {model, clusters, n, colour, state};
	const char *dot = strrchr(path, '.');
	struct cs_writer to = {0};
	if (dot && cs_name_compare(dot, ".ply") == 0)
		put_ply(&to, &exported);
	else if (dot && cs_name_compare(dot, ".obj") == 0)
		put_obj(&to, &exported);
	else
		return cs_error_new(
			CS_E_FEATURE, "%s: the name of the file must end in .obj or .ply", path);
	struct cs_error *error =
		to.failed ? cs_error_nomem() : cs_save_whole(path, to.bytes, to.size);
	cs_writer_deinit(&to);
	return error;
}
