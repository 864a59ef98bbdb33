/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of the tables about Nanite resources, the table `resources`, and the getters that all
 * these tables share. Each table contains the rows of all open resources, one resource after the
 * other.
 */
#include "query/tables/table_nanite.h"

#include "query/sql/query_internal.h"

#include <stdlib.h>

/* ---- shared getters ---- */

CS_MEMBER_READER(cs_nanite_u32, uint32_t, cs_known(*at))
CS_MEMBER_READER(
	cs_nanite_u64, uint64_t, *at == CS_NO_OFFSET ? cs_null() : cs_integer((int64_t)*at))
CS_OWN_MEMBER_READER(cs_nanite_size, size_t, cs_integer((int64_t)*at))
CS_MEMBER_READER(cs_nanite_flag, bool, cs_bool(*at))
CS_MEMBER_READER(cs_nanite_float, float, cs_number((double)*at))
CS_MEMBER_READER(cs_nanite_vec3, float,
	cs_vec3_value((struct cs_vec3){(double)at[0], (double)at[1], (double)at[2]}))

void cs_nanite_resource(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	uint32_t index;
	const struct cs_inspector *at = cs_inspector_of(row);
	uint32_t resource =
		cs_inspector_row(at, (enum cs_model_row)column->argument, row->index, &index);
	*ret = cs_text(cs_inspector_models(at).at[resource]->name);
}

void cs_nanite_index(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	uint32_t index;
	cs_inspector_row(
		cs_inspector_of(row), (enum cs_model_row)column->argument, row->index, &index);
	*ret = cs_integer(index);
}

CS_READER(cs_nanite_name, cs_text(cs_inspector_name(cs_inspector_of(row),
				  (enum cs_model_row)column->argument, row->index)))

struct cs_error *cs_nanite_find(struct cs_query *query, const struct cs_table *table,
	const void *source, const char *text, uint32_t *ret)
{
	(void)query;
	*ret = cs_inspector_parse(((const struct cs_nanite_source *)source)->inspector,
		(enum cs_model_row)table->columns[0].argument, text);
	return NULL;
}

/* ---- the table of resources ---- */

static size_t resource_count(const void *source)
{
	return cs_inspector_models(((const struct cs_nanite_source *)source)->inspector).n;
}

static const void *resource_row(const void *source, size_t row)
{
	return cs_inspector_models(((const struct cs_nanite_source *)source)->inspector).at[row];
}

CS_OWN_MEMBER_READER(cs_nanite_double, double, cs_number(*at))
CS_GETTER(get_name, cs_model, cs_text(at->name))
CS_GETTER(get_file, cs_model, cs_text(at->path))
CS_GETTER(get_source, cs_model, cs_text_or_null(at->source))
CS_GETTER(get_writer, cs_model, cs_text(at->writer))
CS_GETTER(get_bytes, cs_model, at->file_bytes ? cs_integer((int64_t)at->file_bytes) : cs_null())
CS_GETTER(get_materials, cs_model,
	at->resource ? cs_integer(cs_nanite_info(at->resource)->materials) : cs_null())
CS_GETTER(get_degenerate, cs_model,
	at->resource ? cs_integer(cs_nanite_info(at->resource)->degenerate_triangles) : cs_null())
CS_GETTER(get_precision, cs_model,
	at->position_precision == INT32_MIN ? cs_null() : cs_integer(at->position_precision))
CS_GETTER(get_imposter, cs_model, cs_bool(at->atlas))
CS_GETTER(get_content_id, cs_model, cs_text_or_null(at->content_id))
CS_OWN_READER(get_current, cs_bool(cs_inspector_models(cs_inspector_of(row)).current == row->index))

static const struct cs_column resource_columns[] = {
	CS_VALUE("name", TEXT, get_name, "short name of the resource, with which pages are named",
		CS_SHORT_KEY),
	CS_VALUE("file", TEXT, get_file, "path of the file, as it was opened"),
	CS_VALUE("source", TEXT, get_source, "mesh that the resource was built from"),
	CS_VALUE("writer", TEXT, get_writer, "program that wrote the resource"),
	CS_VALUE("bytes", INTEGER, get_bytes, "size of the file"),
	CS_MEMBER("bytes_per_triangle", cs_model, sums.bytes_per_triangle, NUMBER, double,
		"bytes of the file divided by the number of triangles"),
	CS_MEMBER("input_triangles", cs_model, input_triangles, INTEGER, u32,
		"triangles of the mesh", CS_SHORT),
	CS_MEMBER("input_vertices", cs_model, input_vertices, INTEGER, u32, "vertices of the mesh"),
	CS_VALUE("degenerate", INTEGER, get_degenerate,
		"number of triangles of the mesh that were left out"),
	CS_MEMBER("triangles", cs_model, n_triangles, INTEGER, size, "triangles of all levels"),
	CS_MEMBER("vertices", cs_model, n_vertices, INTEGER, size, "vertices of all clusters"),
	CS_MEMBER("references", cs_model, sums.referring, NUMBER, double,
		"share of the vertices that refer to another vertex, 0..1"),
	CS_MEMBER("levels", cs_model, n_levels, INTEGER, u32, "levels of detail", CS_SHORT),
	CS_MEMBER("clusters", cs_model, n_clusters, INTEGER, size, "clusters of all levels",
		CS_SHORT),
	CS_MEMBER(
		"leaf_clusters", cs_model, sums.leaf_clusters, INTEGER, u32, "clusters of level 0"),
	CS_MEMBER("fill", cs_model, sums.fill, NUMBER, double,
		"mean share of 128 triangles that a cluster has, 0..1"),
	CS_MEMBER("groups", cs_model, n_groups, INTEGER, size, "groups of clusters", CS_SHORT),
	CS_MEMBER("parts", cs_model, n_parts, INTEGER, size,
		"number of parts of groups: one for each page of a group"),
	CS_MEMBER("nodes", cs_model, n_nodes, INTEGER, size, "nodes of the hierarchy"),
	CS_MEMBER("meshes", cs_model, n_roots, INTEGER, size,
		"number of meshes that the resource was built from: roots of the hierarchy"),
	CS_MEMBER("depth", cs_model, depth, INTEGER, u32, "depth of the hierarchy in nodes"),
	CS_MEMBER("pages", cs_model, n_pages, INTEGER, size, "number of pages", CS_SHORT),
	CS_MEMBER(
		"root_pages", cs_model, n_root_pages, INTEGER, u32, "pages that are always loaded"),
	CS_MEMBER("dependencies", cs_model, sums.dependencies, INTEGER, u32,
		"dependencies of pages on pages"),
	CS_MEMBER("most_dependencies", cs_model, sums.most_dependencies, INTEGER, u32,
		"largest number of dependencies of one page"),
	CS_MEMBER("lz4", cs_model, compressed, BOOL, flag, "whether pages are compressed"),
	CS_MEMBER("disk_bytes", cs_model, sums.disk_bytes, INTEGER, u64,
		"bytes of all pages with their fixups in the file", CS_SHORT),
	CS_MEMBER("fixup_bytes", cs_model, sums.fixup_bytes, INTEGER, u64, "bytes of the fixups"),
	CS_MEMBER("page_bytes", cs_model, sums.page_bytes, INTEGER, u64,
		"bytes of all decompressed pages"),
	CS_MEMBER("compression", cs_model, sums.compression, NUMBER, double,
		"page bytes divided by stored bytes"),
	CS_MEMBER("gpu_bytes", cs_model, sums.gpu_bytes, INTEGER, u64,
		"bytes of the pages when loaded", CS_SHORT),
	CS_MEMBER("root_gpu_bytes", cs_model, sums.root_gpu_bytes, INTEGER, u64,
		"bytes of the root pages when loaded"),
	CS_MEMBER("utilisation", cs_model, sums.utilisation, NUMBER, double,
		"share of the bytes of loaded pages that is used, 0..1", CS_SHORT),
	CS_VALUE("position_precision", INTEGER, get_precision,
		"positions have a step of 2^-precision"),
	CS_VALUE("materials", INTEGER, get_materials, "material sections"),
	CS_MEMBER("uvs", cs_model, n_uvs, INTEGER, u32, "UV channels"),
	CS_MEMBER("colors", cs_model, colors, BOOL, flag, "whether some vertex is not white"),
	CS_VALUE("imposter", BOOL, get_imposter, "whether the resource has an imposter atlas"),
	CS_MEMBER("coarse_triangles", cs_model, sums.coarse_triangles, INTEGER, u32,
		"triangles of the fallback mesh, which is drawn without Nanite; 0 = none"),
	CS_MEMBER("min", cs_model, min, VEC3, vec3, "minimum of the bounding box"),
	CS_MEMBER("max", cs_model, max, VEC3, vec3, "maximum of the bounding box"),
	CS_VALUE("content_id", TEXT, get_content_id, "hash of the content, equal on all machines"),
	CS_VALUE("current", BOOL, get_current,
		"whether this is the current resource, to which `page 7` refers"),
};

static const struct cs_table resources_table = {
	.name = "resources",
	.row_name = "resource",
	.doc = "Nanite resources that are open.",
	CS_COLUMNS(resource_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(resource),
};

const struct cs_table *cs_resources_table(void)
{
	return &resources_table;
}

/* ---- the list of tables ---- */

static const struct cs_table *const tables[] = {&resources_table, &cs_nanite_pages_table,
	&cs_nanite_sections_table, &cs_nanite_clusters_table, &cs_nanite_parts_table,
	&cs_nanite_groups_table, &cs_nanite_nodes_table, &cs_nanite_needs_table,
	&cs_nanite_fixups_table, &cs_nanite_references_table, &cs_nanite_materials_table,
	&cs_nanite_cameras_table, &cs_nanite_frames_table};

struct cs_error *cs_query_add_nanite(struct cs_query *query, struct cs_inspector *inspector)
{
	struct cs_nanite_source *source = calloc(1, sizeof(*source));
	if (!source || query->nanite) {
		free(source);
		return query->nanite ? cs_error_new(CS_E_INTERNAL,
					       "the query already has tables of Nanite resources")
				     : cs_error_nomem();
	}
	source->inspector = inspector;
	query->nanite = source;
	for (size_t i = 0; i < CS_COUNT_OF(tables); i++) {
		struct cs_error *error = cs_query_add(query, tables[i], source);
		if (error)
			return error;
	}
	return NULL;
}

void cs_query_nanite_changed(struct cs_query *query)
{
	for (size_t i = 0; i < query->bindings.n; i++) {
		struct cs_binding *binding = query->bindings.at[i];
		for (size_t c = 0;
			binding->source == query->nanite && c < binding->table->n_columns; c++)
			cs_index_deinit(&binding->indexes[c]);
	}
}
