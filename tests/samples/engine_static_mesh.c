/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the static mesh around the pages of engine_nanite.c (nanite-versions rules 1.3, 2, 3): the
 * resource with its hierarchy in the export, the package, files and containers of it.
 */
#include "tests/samples/engine_nanite.h"

#include "core/half.h"
#include "tests/make/writes.h"
#include "tests/samples/engine_container.h"
#include "ue/container/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* OTHER_BULK bytes come before the pages in the .ubulk, so that their entry has an offset. */
enum { OTHER_BULK = 16, MIN_OF_LEAVES = -1 };

static const char package_name[] = "/Game/Meshes/SM_Ribbon";
static const uint32_t dependency_first[ENGINE_PAGES + 1] = {0, 0, 1, 2};

enum cs_ue_nanite_version engine_nanite_version(enum cs_ue_release release)
{
	static const enum cs_ue_nanite_version of[CS_UE_RELEASES] = {[CS_UE_5_4] = CS_UE_NANITE_5_4,
		[CS_UE_5_5] = CS_UE_NANITE_5_5,
		[CS_UE_5_6] = CS_UE_NANITE_5_6,
		[CS_UE_5_7] = CS_UE_NANITE_5_7,
		[CS_UE_5_8] = CS_UE_NANITE_5_8,
		[CS_UE_6_0] = CS_UE_NANITE_5_8};
	return of[release]; /* 5.3 else */
}

static void put_floats(struct cs_writer *to, const float *values, int n)
{
	for (int i = 0; i < n; i++)
		cs_writer_f32(to, values[i]);
}

/* ---- hierarchy ---- */

struct slot {
	float sphere[4], box[6], min_error, max_parent_error;
	uint32_t child, pages, clusters;
};

static void put_slot(const struct engine_mesh *mesh, const struct slot *s, struct cs_writer *to)
{
	bool groups = cs_ue_nanite_layouts[mesh->version].groups;
	uint16_t low = cs_half_nearest(s->min_error), high = cs_half_nearest(s->max_parent_error);
	put_floats(to, s->sphere, 4);
	put_floats(to, s->box, 3);
	cs_writer_u16(to, groups ? high : low);
	cs_writer_u16(to, groups ? low : high);
	put_floats(to, s->box + 3, 3);
	cs_writer_u32(to, s->child);
	cs_writer_u32(to, s->pages);
	if (groups)
		cs_writer_u32(to, 0xffff | s->clusters << 16);
	if (mesh->version == CS_UE_NANITE_5_8)
		cs_writer_u32(to, 0);
}

/* Computes the box of clusters: centre and extent. */
static void bound(const struct engine_mesh *mesh, uint32_t first, uint32_t n, float ret[6])
{
	for (int k = 0; k < 3; k++) {
		float low = mesh->clusters[first].box[k] - mesh->clusters[first].box[3 + k];
		float high = mesh->clusters[first].box[k] + mesh->clusters[first].box[3 + k];
		for (uint32_t i = first; i < first + n; i++) {
			const float *box = mesh->clusters[i].box;
			low = box[k] - box[3 + k] < low ? box[k] - box[3 + k] : low;
			high = box[k] + box[3 + k] > high ? box[k] + box[3 + k] : high;
		}
		ret[k] = (low + high) / 2;
		ret[3 + k] = (high - low) / 2;
	}
}

/*
 * Returns the least error of a part. Before 5.7 that of leaves is -1; from 5.7 on that of group 2
 * is negative.
 */
static float min_error(const struct engine_mesh *mesh, const struct engine_part *part)
{
	float error = mesh->clusters[part->first].error;
	if (cs_ue_nanite_layouts[mesh->version].groups)
		return part->group == 2 ? -error : error;
	return part->group == 2 ? error : MIN_OF_LEAVES;
}

static void put_part(
	const struct engine_mesh *mesh, const struct engine_part *part, struct cs_writer *to)
{
	bool groups = cs_ue_nanite_layouts[mesh->version].groups;
	bool wide = mesh->version >= CS_UE_NANITE_5_5;
	uint32_t range = engine_group_range(mesh, part->group), bits = wide ? 5 : 3;
	uint32_t pages = range & ((1u << bits) - 1), first = range >> bits;
	struct slot s = {.min_error = min_error(mesh, part),
		.max_parent_error = engine_errors[part->group],
		.child = UINT32_MAX,
		.pages = groups ? engine_group_key(part->group)
				: part->n | pages << 9 | first << (9 + bits),
		.clusters = part->n};
	memcpy(s.sphere, engine_spheres[part->group], sizeof(s.sphere));
	bound(mesh, part->first, part->n, s.box);
	put_slot(mesh, &s, to);
}

/*
 * Writes node 0, which has node 1 and the part of the root, and node 1, which has the other parts.
 */
static void put_nodes(const struct engine_mesh *mesh, struct cs_writer *to)
{
	bool groups = cs_ue_nanite_layouts[mesh->version].groups;
	struct slot inner = {.min_error = groups ? 0 : MIN_OF_LEAVES,
		.max_parent_error = engine_errors[2],
		.child = 1,
		.pages = UINT32_MAX};
	memcpy(inner.sphere, engine_spheres[2], sizeof(inner.sphere));
	bound(mesh, 0, ENGINE_CLUSTERS, inner.box);
	cs_writer_u32(to, 2);
	put_slot(mesh, &inner, to);
	put_part(mesh, &engine_parts[0], to);
	cs_writer_extend(to, cs_ue_nanite_layouts[mesh->version].node_bytes / 2);
	for (int i = 1; i < ENGINE_PARTS; i++)
		put_part(mesh, &engine_parts[i], to);
}

/* ---- the resource ---- */

/* Writes each page after the one before, in its own run of bytes, and the table of pages. */
static void put_pages(const struct engine_mesh *mesh, struct cs_writer *to, struct cs_writer *bulk)
{
	struct cs_writer states = {0}, root = {0};
	for (uint32_t p = 0; p < ENGINE_PAGES; p++) {
		struct cs_writer *run = p ? bulk : &root, page = {0};
		size_t first = p ? run->size - OTHER_BULK : 0;
		engine_nanite_page(mesh, p, &page);
		bool groups = cs_ue_nanite_layouts[mesh->version].groups;
		uint32_t chunk = 0;
		if (page.bytes && groups)
			chunk = 24 + 16 * cs_load16(page.bytes + 2) +
				12 * cs_load16(page.bytes + 4) + 10 * cs_load32(page.bytes + 12) +
				4 * cs_load32(page.bytes + 16) + cs_load32(page.bytes + 20);
		else if (page.bytes)
			chunk = 8 + 16 * cs_load16(page.bytes + 4) + 8 * cs_load16(page.bytes + 6);
		cs_writer_u32(&states, (uint32_t)first);
		cs_writer_u32(&states, (uint32_t)page.size);
		cs_writer_u32(&states, (uint32_t)page.size - chunk);
		cs_writer_u32(&states, dependency_first[p]);
		cs_writer_u16(&states, (uint16_t)(dependency_first[p + 1] - dependency_first[p]));
		cs_writer_u8(&states, 1);
		cs_writer_u8(&states, p > 0);
		cs_writer_bytes(run, page.bytes, page.size);
		cs_writer_deinit(&page);
	}
	cs_writer_u32(to, (uint32_t)root.size);
	cs_writer_bytes(to, root.bytes, root.size);
	cs_writer_u32(to, ENGINE_PAGES);
	cs_writer_bytes(to, states.bytes, states.size);
	cs_writer_deinit(&states);
	cs_writer_deinit(&root);
}

static void put_counts(const struct engine_mesh *mesh, struct cs_writer *to)
{
	enum cs_ue_nanite_version v = mesh->version;
	cs_writer_u32(to, 1); /* root pages */
	cs_writer_u32(to, 4); /* precision of positions, of normals */
	cs_writer_u32(to, 8);
	cs_writer_u32(to, 4 * ENGINE_COLUMNS);
	cs_writer_u32(to, 3 * (ENGINE_COLUMNS + 1));
	if (v < CS_UE_NANITE_5_6)
		cs_writer_u32(to, 1 | 1 << 16); /* meshes, UV channels */
	cs_writer_u32(to, ENGINE_CLUSTERS);
	if (v >= CS_UE_NANITE_5_7)
		cs_writer_u64(to, 0);
	if (v >= CS_UE_NANITE_5_8)
		cs_writer_u32(to, 0);
}

static void put_resource(
	const struct engine_mesh *mesh, struct cs_writer *to, struct cs_writer *bulk)
{
	enum cs_ue_nanite_version v = mesh->version;
	float box[7] = {0};
	cs_writer_u16(to, 0); /* nothing is stripped */
	cs_writer_u32(to, 1); /* colours */
	cs_writer_u32(to, 1); /* the entry of its bulk data */
	put_pages(mesh, to, bulk);
	put_nodes(mesh, to);
	cs_writer_u32(to, 1);
	cs_writer_u32(to, 0); /* the root of the hierarchy */
	cs_writer_u32(to, 2);
	for (int i = 0; i < 2; i++) /* both pages depend on the root page */
		(void)(v >= CS_UE_NANITE_5_7 ? cs_writer_u16(to, 0) : cs_writer_u32(to, 0));
	for (int empty = v >= CS_UE_NANITE_5_8   ? 4
			 : v == CS_UE_NANITE_5_7 ? 3
						 : v == CS_UE_NANITE_5_6;
		empty > 0; empty--)
		cs_writer_u32(to, 0);
	if (v >= CS_UE_NANITE_5_6) {
		bound(mesh, 0, ENGINE_CLUSTERS, box);
		box[6] = 25;
		put_floats(to, box, 7);
	}
	if (v < CS_UE_NANITE_5_8)
		cs_writer_u32(to, 0); /* the atlas */
	put_counts(mesh, to);
}

/* ---- the export ---- */

static void put_materials(const struct engine_mesh *mesh, struct cs_writer *to)
{
	cs_writer_u32(to, 4);
	for (int i = 0; i < 4; i++)
		cs_writer_extend(to, mesh->version >= CS_UE_NANITE_5_6 ? 40 : 36);
}

void engine_nanite_export(
	const struct engine_mesh *mesh, struct cs_writer *to, struct cs_writer *bulk)
{
	enum cs_ue_nanite_version v = mesh->version;
	cs_writer_extend(bulk, OTHER_BULK);
	cs_writer_u16(to, 0);
	cs_writer_u32(to, 1);                         /* cooked */
	cs_writer_extend(to, 4 + 4 + 16 + 4 + 4 + 1); /* body .. sockets, no LODs */
	put_resource(mesh, to, bulk);
	if (v >= CS_UE_NANITE_5_5)
		cs_writer_u32(to, 0); /* ray tracing */
	cs_writer_extend(to, 2 + 2);  /* cards, distance fields */
	for (int i = 0; i < 7; i++)
		cs_writer_f64(to, i < 3 ? 0 : 50);
	cs_writer_extend(to, v >= CS_UE_NANITE_5_6 ? 1 : 4);
	for (int i = 0; i < 8; i++) {
		cs_writer_u32(to, 1);
		cs_writer_f32(to, 1);
	}
	if (v >= CS_UE_NANITE_5_4)
		cs_writer_u16(to, 0);
	cs_writer_u32(to, 0); /* speed tree */
	put_materials(mesh, to);
}

json_t *engine_nanite_package(const struct engine_form *form, struct cs_writer *bulk)
{
	struct engine_mesh mesh;
	struct cs_writer body = {0};
	engine_mesh_make(engine_nanite_version(form->release), &mesh);
	for (int i = 0; i < ENGINE_CLUSTERS; i++) {
		struct engine_cluster *c = &mesh.clusters[i];
		if (form->uv_bits)
			c->uv_bits[0] = c->uv_bits[1] = form->uv_bits;
		if (form->uv_precision)
			c->uv_precision = form->uv_precision;
	}
	engine_nanite_export(&mesh, &body, bulk);
	json_t *bytes = json_array();
	for (size_t i = 0; i < body.size; i++)
		json_array_append_new(bytes, json_integer(body.bytes[i]));
	json_t *package = json_pack(
		"{s:s, s:[{s:s, s:s, s:s, s:{}, s:{}, s:o}], s:[[i,i,i], [i,i,i]]}", "package",
		package_name, "exports", "name", "SM_Ribbon", "cls", "/Script/Engine.StaticMesh",
		"outer", "", "props", "tail", "bytes", bytes, "bulk", 0, OTHER_BULK, 0x10501,
		OTHER_BULK, (int)(bulk->size - OTHER_BULK), 0x10501);
	cs_writer_deinit(&body);
	engine_mesh_deinit(&mesh);
	return package;
}

/* ---- to disk ---- */

/* The files of the package: the header, the exports where they are apart, and the pages. */
struct ribbon {
	struct engine_package package;
	struct cs_writer bulk;
};

static bool make_ribbon(const struct engine_form *form, struct ribbon *ret)
{
	*ret = (struct ribbon){.bulk = {0}};
	json_t *package = engine_nanite_package(form, &ret->bulk);
	bool good = engine_package_write(package, form, &ret->package) && !ret->bulk.failed;
	json_decref(package);
	return good;
}

static void free_ribbon(struct ribbon *ribbon)
{
	engine_package_deinit(&ribbon->package);
	cs_writer_deinit(&ribbon->bulk);
}

bool engine_nanite_save(const struct engine_form *form, const char *folder)
{
	struct ribbon r;
	const struct cs_writer *exports = &r.package.exports;
	bool good =
		make_ribbon(form, &r) && engine_save_bytes(r.package.header.bytes,
						 r.package.header.size, folder, "SM_Ribbon.uasset");
	if (good && exports->size)
		good = engine_save_bytes(exports->bytes, exports->size, folder, "SM_Ribbon.uexp");
	good = good && engine_save_bytes(r.bulk.bytes, r.bulk.size, folder, "SM_Ribbon.ubulk");
	free_ribbon(&r);
	return good;
}

bool engine_nanite_pack(const struct engine_form *form, bool pak, const char *folder)
{
	const struct engine_container container = {.version = pak ? 11 : 8,
		.method = CS_UE_ZLIB,
		.block_size = 65536,
		.mount = "../../../Town/",
		.id = 9};
	static const char *const endings[3] = {"uasset", "ubulk", "uexp"};
	struct engine_file files[3];
	char paths[3][64];
	struct ribbon r;
	bool good = make_ribbon(form, &r);
	const struct cs_writer *const bytes[3] = {&r.package.header, &r.bulk, &r.package.exports};
	size_t n = r.package.exports.size ? 3 : 2;
	for (size_t i = 0; i < n; i++) {
		snprintf(paths[i], sizeof(paths[i]), "Content/Meshes/SM_Ribbon.%s", endings[i]);
		files[i] = (struct engine_file){.path = paths[i],
			.bytes = bytes[i]->bytes,
			.size = bytes[i]->size,
			.id = cs_ue_path_hash(package_name, strlen(package_name)),
			.type = i == 1 ? CS_UE_CHUNK_BULK : CS_UE_CHUNK_PACKAGE};
	}
	good = good &&
	       (pak ? engine_pak_save : engine_utoc_save)(&container, files, n, folder, "Ribbon");
	free_ribbon(&r);
	return good;
}
