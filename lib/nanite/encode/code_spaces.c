/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the tables other than the pages (info, sections, texts), and the encoder's report. */
#include "nanite/encode/encode.h"

#include "core/job.h"
#include "core/strings.h"

#include <stdlib.h>
#include <string.h>

/* Number of triangles of each material, on level 0 and on all levels. */
struct material_counts {
	uint32_t input[CS_MAX_MATERIALS], all[CS_MAX_MATERIALS];
};

static void count_materials(const struct cs_encoder *encoder, struct material_counts *ret)
{
	for (uint32_t i = 0; i < encoder->n_clusters; i++) {
		const struct cs_coded_cluster *cluster = encoder->clusters[i];
		bool input = cs_encode_source(encoder, cluster)->level == 0;
		for (unsigned r = 0; r < cluster->n_ranges; r++) {
			const struct cs_material_range *range = &cluster->ranges[r];
			ret->all[range->material] += range->count;
			ret->input[range->material] += input ? range->count : 0;
		}
	}
}

/* Makes the sections, one for each material up to the last that the mesh declares or uses. */
static struct cs_error *make_sections(struct cs_encoder *encoder, struct cs_strings *texts)
{
	struct cs_nanite *resource = encoder->resource;
	struct material_counts counts = {{0}, {0}};
	count_materials(encoder, &counts);
	uint32_t n = encoder->dag->n_materials < CS_MAX_MATERIALS ? encoder->dag->n_materials
								  : CS_MAX_MATERIALS;
	uint32_t named = n;
	for (uint32_t m = n; m < CS_MAX_MATERIALS; m++)
		if (counts.all[m])
			n = m + 1;
	struct cs_nanite_section *sections = calloc(n ? n : 1, sizeof(*sections));
	resource->sections = sections;
	resource->n_sections = n;
	if (!sections)
		return cs_error_nomem();
	for (uint32_t m = 0; m < n; m++) {
		const char *const *names = encoder->options->materials;
		uint32_t name = cs_strings_add_z(texts, names && m < named ? names[m] : "");
		if (name == CS_NONE)
			return cs_error_nomem();
		sections[m] = (struct cs_nanite_section){m, name, counts.input[m], counts.all[m]};
	}
	return NULL;
}

/* Copies n rows to new memory, with room for one more row, because malloc(0) may return NULL. */
static void *copy_rows(const void *rows, size_t n, size_t size)
{
	unsigned char *copy = malloc((n + 1) * size);
	if (copy && n)
		memcpy(copy, rows, n * size);
	return copy;
}

static struct cs_error *keep_coarse_mesh(struct cs_encoder *encoder)
{
	const struct cs_nanite_options *options = encoder->options;
	struct cs_nanite *resource = encoder->resource;
	resource->n_coarse_vertices = options->n_coarse_vertices;
	resource->n_coarse_triangles = options->n_coarse_triangles;
	resource->coarse_vertices = copy_rows(options->coarse_vertices, options->n_coarse_vertices,
		sizeof(*options->coarse_vertices));
	resource->coarse_triangles = copy_rows(options->coarse_triangles,
		options->n_coarse_triangles, sizeof(*options->coarse_triangles));
	return resource->coarse_vertices && resource->coarse_triangles ? NULL : cs_error_nomem();
}

static void fill_report(struct cs_encoder *encoder)
{
	struct cs_nanite_report *report = &encoder->resource->report;
	report->triangles = encoder->dag->n_triangles;
	report->split_clusters = encoder->n_clusters - encoder->dag->n_clusters;
	report->clusters = encoder->n_clusters;
	report->groups = encoder->dag->n_groups;
	report->parts = encoder->n_parts;
	report->pages = encoder->n_pages;
	for (uint32_t i = 0; i < encoder->n_clusters; i++) {
		const struct cs_coded_cluster *cluster = encoder->clusters[i];
		report->degenerate_triangles += cluster->n_degenerate;
		report->strip_starts += cluster->n_starts;
		report->strip_references += cluster->n_references;
		report->stored_vertices += cluster->n_vertices;
		report->material_ranges += cluster->n_ranges;
		report->slow_clusters += cluster->n_ranges > CS_FAST_MATERIALS;
	}
}

static void fill_info(const struct cs_encoder *encoder, struct cs_nanite_info *info)
{
	const struct cs_dag *dag = encoder->dag;
	info->flags = encoder->options->raw_pages  ? 0
		      : encoder->options->thorough ? CS_NANITE_LZ4 | CS_NANITE_THOROUGH
						   : CS_NANITE_LZ4;
	/* Raw pages are stored plain, not dense, so that other programs can use them in place. */
	info->flags |= encoder->options->raw_pages ? 0 : CS_NANITE_DENSE;
	info->flags |= CS_NANITE_PLANES | (encoder->grid_halves ? CS_NANITE_GRID_HALVES : 0);
	info->position_precision = encoder->precision;
	info->root_pages = CS_ROOT_PAGES;
	info->uvs = dag->n_uvs;
	info->materials = (uint32_t)encoder->resource->n_sections;
	info->groups = dag->n_groups;
	info->parts = encoder->n_parts;
	info->clusters = encoder->n_clusters;
	info->input_triangles = dag->n_input_triangles;
	info->input_vertices = dag->n_input_vertices;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < encoder->n_clusters; i++) {
		const struct cs_coded_cluster *cluster = encoder->clusters[i];
		uint32_t level = cs_encode_source(encoder, cluster)->level;
		info->triangles += cluster->n_triangles;
		info->vertices += cluster->n_vertices;
		info->levels = level >= info->levels ? level + 1 : info->levels;
		kept += level == 0 ? cluster->n_triangles : 0;
		if (cluster->color_mode != CS_COLOR_WHITE)
			info->flags |= CS_NANITE_COLORS;
	}
	if (kept < info->input_triangles)
		info->degenerate_triangles = info->input_triangles - kept;
	for (unsigned axis = 0; axis < 3; axis++) {
		info->min[axis] = (float)encoder->low[axis] * encoder->step;
		info->max[axis] = (float)encoder->high[axis] * encoder->step;
	}
}

struct cs_error *cs_encode_tables(struct cs_encoder *encoder)
{
	struct cs_nanite *resource = encoder->resource;
	const char *source = encoder->options->source;
	struct cs_strings texts = {0};
	struct cs_nanite_info *info = calloc(1, sizeof(*info));
	resource->info = info;
	resource->n_info = 1;
	if (!info || cs_strings_add_z(&texts, "") == CS_NONE)
		return cs_error_nomem();
	info->source = cs_strings_add_name(
		&texts, source ? source : "", cs_job_limits(encoder->job).name_bytes);
	struct cs_error *error = make_sections(encoder, &texts);
	if (!error && info->source == CS_NONE)
		error = cs_error_nomem();
	/* Hand the blob over to the resource, so that cs_strings_deinit does not free it. */
	resource->texts = texts.blob;
	resource->n_texts = texts.size;
	texts.blob = NULL;
	cs_strings_deinit(&texts);
	if (error)
		return error;
	fill_info(encoder, info);
	fill_report(encoder);
	error = keep_coarse_mesh(encoder);
	return error ? error : cs_nanite_name_materials(resource);
}
