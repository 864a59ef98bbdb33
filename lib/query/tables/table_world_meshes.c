/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the meshes that actors of a cooked world show. */
#include "format/cooked_inside.h"
#include "query/sql/readers.h"
#include <cellscope/cooked_values.h>

static const struct cs_cooked_mesh *table_world_meshes_mesh_of(const struct cs_row *row)
{
	return row->record;
}

static void read_bytes(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct cs_cooked_mesh *mesh = table_world_meshes_mesh_of(row);
	const uint64_t bytes[] = {
		mesh->bytes, mesh->resident_bytes, mesh->bytes - mesh->resident_bytes};
	bool known = mesh->state == CS_MESH_BUILT || mesh->state == CS_MESH_COPIED;
	*ret = known ? cs_integer((int64_t)bytes[column->argument]) : cs_null();
}

static void read_proxy_of(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct cs_cooked *world = cs_world_of(row);
	uint32_t hlod = table_world_meshes_mesh_of(row)->hlod;
	(void)column;
	*ret = hlod == CS_NONE ? cs_null()
			       : cs_text(cs_cooked_actor_title(world, world->hlods[hlod].actor));
}

#define MESH(name, member, type, reader, text, ...) \
	CS_COLUMN(name, cs_cooked_mesh, member, type, reader, text, __VA_ARGS__)
#define MESH_BYTES(name, which, text) \
	CS_VALUE(name, INTEGER, read_bytes, text, .argument = which, CS_SHORT)

static const struct cs_column mesh_columns[] = {
	MESH("path", path, TEXT, text, "path of the mesh, as actors name it", CS_SHORT_KEY),
	MESH("state", state, TEXT, enum,
		"named (not built), built, copied (already a resource), missing or refused",
		.names = cs_mesh_state_names, CS_SHORT),
	MESH("actors", actors, INTEGER, u32, "number of actors that show the mesh", CS_SHORT),
	MESH("triangles", triangles, INTEGER, u32, "triangles of the mesh at full detail",
		CS_SHORT),
	MESH("pages", pages, INTEGER, u32, "number of pages of the resource", CS_SHORT),
	MESH_BYTES("bytes", 0, "bytes of the resource on disk; none: the mesh was not built"),
	MESH_BYTES("resident_bytes", 1,
		"bytes of the resource that do not stream and come with a cell"),
	MESH_BYTES("streamed_bytes", 2, "bytes of the pages that stream"),
	MESH("file", file, TEXT, text, "path of the resource, relative to the cooked world"),
	MESH("reason", reason, TEXT, text, "reason why there is no resource"),
	CS_VALUE("proxy_of", TEXT, read_proxy_of, "HLOD actor that the proxy was made for"),
	MESH("bounds_min", bounds, VEC3, box_min, "minimum of the bounds of the mesh",
		.unit = "cm"),
	MESH("bounds_max", bounds, VEC3, box_max, "maximum of the bounds of the mesh",
		.unit = "cm"),
	MESH("content", content, GUID, guid, "hash of the content of the resource"),
	CS_PARTITION_COLUMN,
};

CS_WORLD_ARRAY(meshes, meshes)

const struct cs_table cs_meshes_table = {
	.name = "meshes",
	.row_name = "mesh",
	.doc = "Meshes that actors show, each once, sorted by the first actor that shows the "
	       "mesh.",
	CS_COLUMNS(mesh_columns),
	.missing = CS_E_MISSING,
	CS_PART_ROWS(meshes),
};
