/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a mesh as glTF 2.0, binary (.glb) or text (.gltf): JSON, and a buffer with an array for
 * each attribute and an array of indices for each material. Each material that has a triangle
 * becomes a primitive. struct cs_mesh measures v from the bottom, glTF from the top. A mesh in the
 * engine's coordinates keeps its numbers, and the matrix of the node converts them to metres with y
 * up.
 */
#include "mesh/mesh_internal.h"

#include "core/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GL_U8 = 5121, GL_U32 = 5125, GL_FLOAT = 5126 };

struct gltf {
	struct cs_writer json, accessors, views, bytes;
	uint32_t n; /* number of accessors, each with its own buffer view */
	const struct cs_mesh *mesh;
};

/*
 * Adds a buffer view and an accessor for the bytes from offset `at` on. `more` is more JSON of the
 * accessor. Returns the index of the accessor.
 */
static uint32_t gltf_add_accessor(
	struct gltf *gltf, size_t at, int component, const char *type, size_t n, const char *more)
{
	const char *comma = gltf->n ? "," : "";
	cs_writer_print(&gltf->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}",
		comma, at, gltf->bytes.size - at);
	cs_writer_print(&gltf->accessors,
		"%s{\"bufferView\":%u,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"%s}", comma,
		gltf->n, component, n, type, more);
	return gltf->n++;
}

static uint32_t gltf_add_floats(
	struct gltf *gltf, const float *values, unsigned width, const char *type, const char *more)
{
	const size_t at = gltf->bytes.size, n = gltf->mesh->n_vertices;
	for (size_t i = 0; i < n * width; i++)
		cs_writer_f32(&gltf->bytes, width == 2 && i % 2 ? 1 - values[i] : values[i]);
	return gltf_add_accessor(gltf, at, GL_FLOAT, type, n, more);
}

/* Formats the bounding box as "min" and "max", which glTF requires of an accessor of positions. */
static void gltf_format_box(const struct cs_mesh *mesh, char *text, size_t size)
{
	float low[3], high[3];
	for (size_t i = 0; i < 3 * (size_t)mesh->n_vertices; i++) {
		const float at = mesh->positions[i];
		low[i % 3] = i < 3 ? at : fminf(low[i % 3], at);
		high[i % 3] = i < 3 ? at : fmaxf(high[i % 3], at);
	}
	snprintf(text, size, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", (double)low[0],
		(double)low[1], (double)low[2], (double)high[0], (double)high[1], (double)high[2]);
}

/* Adds tangents if the mesh has UVs and is not in the engine's coordinates. */
static void gltf_add_tangents(struct gltf *gltf, struct cs_writer *to)
{
	if (gltf->mesh->n_uvs == 0 || gltf->mesh->engine_space)
		return;
	float *tangents = calloc((size_t)gltf->mesh->n_vertices + 1, 4 * sizeof(*tangents));
	if (tangents && cs_mesh_tangents(gltf->mesh, tangents))
		cs_writer_print(
			to, ",\"TANGENT\":%u", gltf_add_floats(gltf, tangents, 4, "VEC4", ""));
	else
		to->failed = true;
	free(tangents);
}

/* Writes the attributes as JSON. All primitives share them. */
static void gltf_add_attributes(struct gltf *gltf, struct cs_writer *to)
{
	const struct cs_mesh *mesh = gltf->mesh;
	char box[200];
	gltf_format_box(mesh, box, sizeof(box));
	cs_writer_print(
		to, "\"POSITION\":%u", gltf_add_floats(gltf, mesh->positions, 3, "VEC3", box));
	cs_writer_print(to, ",\"NORMAL\":%u", gltf_add_floats(gltf, mesh->normals, 3, "VEC3", ""));
	gltf_add_tangents(gltf, to);
	for (uint32_t i = 0; i < mesh->n_uvs; i++)
		cs_writer_print(to, ",\"TEXCOORD_%u\":%u", i,
			gltf_add_floats(gltf, mesh->uvs[i], 2, "VEC2", ""));
	if (!mesh->colors)
		return;
	const size_t at = gltf->bytes.size;
	cs_writer_bytes(&gltf->bytes, mesh->colors, 4 * (size_t)mesh->n_vertices);
	cs_writer_print(to, ",\"COLOR_0\":%u",
		gltf_add_accessor(
			gltf, at, GL_U8, "VEC4", mesh->n_vertices, ",\"normalized\":true"));
}

static void gltf_add_primitives(struct gltf *gltf, const char *attributes)
{
	const struct cs_mesh *mesh = gltf->mesh;
	const char *comma = "";
	for (uint32_t material = 0; material < mesh->n_materials; material++) {
		const size_t at = gltf->bytes.size;
		for (size_t i = 0; i < mesh->n_triangles; i++)
			for (size_t k = 0; mesh->materials[i] == material && k < 3; k++)
				cs_writer_u32(&gltf->bytes, mesh->indices[3 * i + k]);
		const size_t n = (gltf->bytes.size - at) / 4;
		if (n == 0)
			continue;
		cs_writer_print(&gltf->json,
			"%s{\"attributes\":{%s},\"indices\":%u,\"material\":%u}", comma, attributes,
			gltf_add_accessor(gltf, at, GL_U32, "SCALAR", n, ""), material);
		comma = ",";
	}
}

static void gltf_add_materials(struct gltf *gltf)
{
	char room[24];
	for (uint32_t i = 0; i < gltf->mesh->n_materials; i++) {
		cs_writer_print(&gltf->json, "%s{\"name\":\"", i ? "," : "");
		for (const char *at = cs_mesh_export_name(gltf->mesh, i, room); *at; at++)
			cs_writer_print(&gltf->json,
				(unsigned char)*at < ' '      ? "\\u%04x"
				: strchr("\"\\", *at) != NULL ? "\\%c"
							      : "%c",
				*at);
		cs_writer_print(&gltf->json, "\"}");
	}
}

static void gltf_put_chunk(
	struct cs_writer *to, const char *type, const struct cs_writer *from, unsigned char filler)
{
	const size_t padding = (4 - from->size % 4) % 4;
	cs_writer_u32(to, (uint32_t)(from->size + padding));
	cs_writer_bytes(to, type, 4);
	cs_writer_bytes(to, from->bytes, from->size);
	for (size_t i = 0; i < padding; i++)
		cs_writer_u8(to, filler);
}

/* Writes the JSON. The attributes are formatted once and repeated in each primitive. */
static void gltf_describe(struct gltf *gltf)
{
	struct cs_writer attributes = {0};
	gltf_add_attributes(gltf, &attributes);
	cs_writer_u8(&attributes, 0);
	cs_writer_print(&gltf->json,
		"{\"asset\":{\"version\":\"2.0\",\"generator\":\"cellscope\"},\"scene\":0,"
		"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0%s}],\"meshes\":[{\"primitives\":[",
		gltf->mesh->engine_space ? ",\"matrix\":[0.01,0,0,0,0,0,0.01,0,0,0.01,0,0,0,0,0,1]"
					 : "");
	if (!attributes.failed)
		gltf_add_primitives(gltf, (const char *)attributes.bytes);
	gltf->json.failed |= attributes.failed;
	cs_writer_print(&gltf->json, "]}],\"materials\":[");
	gltf_add_materials(gltf);
	cs_writer_print(&gltf->json, "],\"accessors\":[");
	cs_writer_bytes(&gltf->json, gltf->accessors.bytes, gltf->accessors.size);
	cs_writer_print(&gltf->json, "],\"bufferViews\":[");
	cs_writer_bytes(&gltf->json, gltf->views.bytes, gltf->views.size);
	cs_writer_print(&gltf->json, "],\"buffers\":[{\"byteLength\":%zu", gltf->bytes.size);
	cs_writer_deinit(&attributes);
}

void cs_mesh_write_gltf(struct cs_writer *to, const struct cs_mesh *mesh, bool text)
{
	struct gltf gltf = {.mesh = mesh};
	gltf_describe(&gltf);
	if (text) {
		cs_writer_print(&gltf.json, ",\"uri\":\"data:application/octet-stream;base64,");
		cs_writer_base64(&gltf.json, gltf.bytes.bytes, gltf.bytes.size);
		cs_writer_print(&gltf.json, "\"}]}\n");
		cs_writer_bytes(to, gltf.json.bytes, gltf.json.size);
	} else {
		cs_writer_print(&gltf.json, "}]}");
		const size_t json = (gltf.json.size + 3) / 4 * 4,
			     bytes = (gltf.bytes.size + 3) / 4 * 4;
		cs_writer_bytes(to, "glTF", 4);
		cs_writer_u32(to, 2);
		cs_writer_u32(to, (uint32_t)(12 + 8 + json + 8 + bytes));
		gltf_put_chunk(to, "JSON", &gltf.json, ' ');
		gltf_put_chunk(to, "BIN\0", &gltf.bytes, 0);
	}
	to->failed |=
		gltf.json.failed || gltf.accessors.failed || gltf.views.failed || gltf.bytes.failed;
	cs_writer_deinit(&gltf.json);
	cs_writer_deinit(&gltf.accessors);
	cs_writer_deinit(&gltf.views);
	cs_writer_deinit(&gltf.bytes);
}
