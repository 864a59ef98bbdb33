/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes meshes. OBJ is text with nine significant digits, which represent every float exactly, one
 * usemtl for each material, with the first UV channel, and colours without alpha after positions,
 * as many programs read them. PLY is little-endian binary with every attribute but the material,
 * and UV channels named u v, u1 v1 ... glTF is in export_gltf.c.
 */
#include "mesh/mesh_internal.h"

#include "core/job.h"
#include "core/text.h"
#include "core/writer.h"

#include <string.h>

/* ---- OBJ files ---- */

/* Returns a character of a name, or '_' if it would end, continue or shorten the usemtl line. */
static char export_character(const char *name, const char *at)
{
	const bool is_end = at == name || !at[1];
	return (unsigned char)*at < ' ' || (is_end && *at == ' ') || (*at == '\\' && !at[1]) ? '_'
											     : *at;
}

/* Returns whether two names are written in the same way to usemtl lines. */
static bool export_is_alike(const char *a, const char *b)
{
	size_t i = 0;
	while (a[i] && b[i] && export_character(a, a + i) == export_character(b, b + i))
		i++;
	return !a[i] && !b[i];
}

static void put_material(struct cs_writer *writer, const struct cs_mesh *mesh, uint32_t material)
{
	char room[24], other[24];
	const char *name = cs_mesh_export_name(mesh, material, room);
	for (uint32_t i = 0; i < material; i++)
		if (name != room && export_is_alike(name, cs_mesh_export_name(mesh, i, other)))
			name = room;
	cs_writer_print(writer, "usemtl ");
	for (const char *at = name; *at; at++)
		cs_writer_u8(writer, (uint8_t)export_character(name, at));
	cs_writer_u8(writer, '\n');
}

static void put_floats(struct cs_writer *writer, const char *word, const float *values, int n)
{
	cs_writer_print(writer, "%s", word);
	for (int k = 0; k < n; k++)
		cs_writer_print(writer, " %.9g", (double)values[k]);
	cs_writer_u8(writer, '\n');
}

static void put_position(struct cs_writer *writer, const struct cs_mesh *mesh, size_t v)
{
	float values[6];
	memcpy(values, mesh->positions + 3 * v, 3 * sizeof(float));
	for (size_t k = 0; mesh->colors && k < 3; k++)
		values[3 + k] = (float)mesh->colors[4 * v + k] / 255;
	put_floats(writer, "v", values, mesh->colors ? 6 : 3);
}

static void put_face(struct cs_writer *writer, const uint32_t *corners, bool has_uvs)
{
	cs_writer_u8(writer, 'f');
	for (int k = 0; k < 3; k++) {
		const unsigned long v = (unsigned long)corners[k] + 1;
		if (has_uvs)
			cs_writer_print(writer, " %lu/%lu/%lu", v, v, v);
		else
			cs_writer_print(writer, " %lu//%lu", v, v);
	}
	cs_writer_u8(writer, '\n');
}

static void write_obj(struct cs_writer *writer, const struct cs_mesh *mesh)
{
	for (size_t v = 0; v < mesh->n_vertices; v++)
		put_position(writer, mesh, v);
	for (size_t v = 0; mesh->n_uvs && v < mesh->n_vertices; v++)
		put_floats(writer, "vt", mesh->uvs[0] + 2 * v, 2);
	for (size_t v = 0; v < mesh->n_vertices; v++)
		put_floats(writer, "vn", mesh->normals + 3 * v, 3);
	for (uint32_t material = 0; material < mesh->n_materials; material++) {
		put_material(writer, mesh, material);
		for (size_t i = 0; i < mesh->n_triangles; i++)
			if (mesh->materials[i] == material)
				put_face(writer, mesh->indices + 3 * i, mesh->n_uvs > 0);
	}
}

/* ---- PLY files ---- */

static void export_put_header(struct cs_writer *writer, const struct cs_mesh *mesh)
{
	cs_writer_print(writer, "ply\nformat binary_little_endian 1.0\nelement vertex %u\n",
		mesh->n_vertices);
	static const char *const fixed[] = {"x", "y", "z", "nx", "ny", "nz"};
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		cs_writer_print(writer, "property float %s\n", fixed[i]);
	for (uint32_t i = 0; i < mesh->n_uvs; i++) {
		char suffix[2] = {i ? (char)('0' + i) : '\0', '\0'};
		cs_writer_print(writer, "property float u%s\nproperty float v%s\n", suffix, suffix);
	}
	static const char colors[] = "property uchar red\nproperty uchar green\n"
				     "property uchar blue\nproperty uchar alpha\n";
	if (mesh->colors)
		cs_writer_bytes(writer, colors, sizeof(colors) - 1);
	cs_writer_print(writer,
		"element face %u\nproperty list uchar uint vertex_indices\nend_header\n",
		mesh->n_triangles);
}

static void write_ply(struct cs_writer *writer, const struct cs_mesh *mesh)
{
	export_put_header(writer, mesh);
	for (size_t v = 0; v < mesh->n_vertices; v++) {
		for (int k = 0; k < 3; k++)
			cs_writer_f32(writer, mesh->positions[3 * v + (size_t)k]);
		for (int k = 0; k < 3; k++)
			cs_writer_f32(writer, mesh->normals[3 * v + (size_t)k]);
		for (uint32_t i = 0; i < mesh->n_uvs; i++) {
			cs_writer_f32(writer, mesh->uvs[i][2 * v]);
			cs_writer_f32(writer, mesh->uvs[i][2 * v + 1]);
		}
		if (mesh->colors)
			cs_writer_bytes(writer, mesh->colors + 4 * v, 4);
	}
	for (size_t i = 0; i < mesh->n_triangles; i++) {
		cs_writer_u8(writer, 3);
		for (size_t k = 0; k < 3; k++)
			cs_writer_u32(writer, mesh->indices[3 * i + k]);
	}
}

struct cs_error *cs_mesh_export(
	const struct cs_mesh *mesh, const struct cs_job *job, const char *path)
{
	enum { OBJ, PLY, GLB, GLTF, KINDS };
	static const char *const ends[KINDS] = {".obj", ".ply", ".glb", ".gltf"};
	struct cs_writer writer = {0};
	const char *dot = strrchr(path, '.');
	size_t kind = 0;
	while (kind < KINDS && !(dot && cs_name_compare(dot, ends[kind]) == 0))
		kind++;
	if (kind == KINDS)
		return cs_error_at(CS_E_FEATURE, path, CS_NO_OFFSET,
			"the name of the file must end in .obj, .ply, .glb or .gltf");
	struct cs_error *error = cs_job_check(job);
	if (error)
		return error;
	struct cs_c_locale locale = cs_c_locale_enter();
	if (kind == OBJ)
		write_obj(&writer, mesh);
	else if (kind == PLY)
		write_ply(&writer, mesh);
	else
		cs_mesh_write_gltf(&writer, mesh, kind == GLTF);
	cs_c_locale_leave(locale);
	if (kind == GLB && writer.size > UINT32_MAX)
		error = cs_error_at(CS_E_LIMIT, path, CS_NO_OFFSET,
			"the mesh needs more than 4 GiB, the limit of .glb files: write a .ply "
			"file");
	else
		error = writer.failed ? cs_error_nomem()
				      : cs_save_whole(path, writer.bytes, writer.size);
	cs_writer_deinit(&writer);
	return error;
}
