/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads PLY files of faces or triangle strips, in ASCII and both byte orders. Reads vertices with
 * positions, normals, colours and UVs (u v, or u0 v0, and u1 v1 to u3 v3; a channel that is missing
 * leaves no gap), and skips other elements. A strip is a list of vertex indices in which a negative
 * number, or -1 in the bits of an unsigned one, starts the next strip. A face or strip that refers
 * to a missing vertex, or a face that has no vertex at all, is an error in the file.
 */
#include "mesh/mesh_readers.h"

#include "core/cursor.h"
#include "core/job.h"
#include "core/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 64, MOST_PROPERTIES = 256, MOST_WORDS = 8, MOST_CORNERS = 1 << 16 };

enum encoding { TEXT, LITTLE, BIG };

enum scalar { I8, U8, I16, U16, I32, U32, F32, F64, N_SCALARS, NO_SCALAR = N_SCALARS };

static const struct {
	const char *name, *alias;
	uint8_t size;
} scalars[N_SCALARS] = {
	[I8] = {"char", "int8", 1},
	[U8] = {"uchar", "uint8", 1},
	[I16] = {"short", "int16", 2},
	[U16] = {"ushort", "uint16", 2},
	[I32] = {"int", "int32", 4},
	[U32] = {"uint", "uint32", 4},
	[F32] = {"float", "float32", 4},
	[F64] = {"double", "float64", 8},
};

/* Values of a vertex that properties can set. 0 to 2 are the position. */
enum {
	TO_NORMAL = 3,
	TO_UV = 6, /* u and v of each channel */
	TO_COLOR = TO_UV + 2 * CS_MESH_UVS,
	TO_ALPHA = TO_COLOR + 3,
	TO_NOTHING,
	TO_CORNERS,  /* the list of the corners of a face */
	TO_FACE_UVS, /* the list of UVs of the corners of a face, which is skipped */
	TARGETS,
};

static const struct {
	const char *name;
	uint8_t target;
} targets[] = {
	{"x", 0},
	{"y", 1},
	{"z", 2},
	{"nx", TO_NORMAL},
	{"ny", TO_NORMAL + 1},
	{"nz", TO_NORMAL + 2},
	{"u", TO_UV},
	{"s", TO_UV},
	{"texture_u", TO_UV},
	{"texcoord_u", TO_UV},
	{"v", TO_UV + 1},
	{"t", TO_UV + 1},
	{"texture_v", TO_UV + 1},
	{"texcoord_v", TO_UV + 1},
	{"red", TO_COLOR},
	{"green", TO_COLOR + 1},
	{"blue", TO_COLOR + 2},
	{"alpha", TO_ALPHA},
	{"r", TO_COLOR},
	{"g", TO_COLOR + 1},
	{"b", TO_COLOR + 2},
	{"a", TO_ALPHA},
	{"diffuse_red", TO_COLOR},
	{"diffuse_green", TO_COLOR + 1},
	{"diffuse_blue", TO_COLOR + 2},
	{"diffuse_alpha", TO_ALPHA},
};

struct property {
	/* type of the count that precedes a list, or NO_SCALAR when the property is not a list */
	enum scalar count;
	enum scalar item;
	uint8_t target;
};

struct element {
	enum { OTHER, VERTICES, STRIPS, FACES } kind;
	uint64_t n;
	struct property properties[MOST_PROPERTIES];
	uint32_t n_properties;
};

struct ply {
	struct cs_cursor cursor;
	enum encoding encoding;
	struct element elements[MOST_ELEMENTS];
	uint32_t n_elements;
	CS_VEC(uint32_t) indices;
	/* vertex indices of the current face, and the triangles that it is cut into */
	CS_VEC(uint32_t) face, cuts;
	CS_VEC(float) places; /* 3 coordinates for each corner of the current face */
	const struct cs_mesh *vertices;
	struct cs_mesh_report *report; /* counts faces with one or two corners as lines */
	/* of the colours that are floats, and of their alpha */
	struct cs_color_range colors, alphas;
	float color_scale, alpha_scale; /* make bytes of them */
	uint64_t most_triangles;
	bool full; /* whether there are too many triangles, or no memory for them */
};

/* ---- header of a file ---- */

/*
 * Splits the next line into up to MOST_WORDS words. Returns false if it has no end in 255 bytes,
 * unless it is a comment, of which the rest is skipped.
 */
static bool ply_next_line(
	struct cs_cursor *cursor, char line[256], char *words[MOST_WORDS], size_t *n_ret)
{
	size_t length = 0, n = 0;
	/* the end of the first line, "ply", shows whether lines end with a carriage return alone */
	const bool returns =
		cursor->size > 4 && cursor->bytes[3] == '\r' && cursor->bytes[4] != '\n';
	for (;;) {
		const unsigned char *byte = cs_cursor_take(cursor, 1);
		if (!byte)
			return false;
		if (*byte == (returns ? '\r' : '\n'))
			break;
		if (length == 255 && strncmp(line, "comment ", 8) != 0 &&
			strncmp(line, "obj_info ", 9) != 0)
			return false;
		if (length < 255)
			line[length++] = *byte == '\r' || *byte == '\t' ? ' ' : (char)*byte;
	}
	line[length] = '\0';
	for (char *at = line; n < MOST_WORDS && *(at += strspn(at, " "));) {
		words[n++] = at;
		at += strcspn(at, " ");
		if (*at)
			*at++ = '\0';
	}
	*n_ret = n;
	return true;
}

static enum scalar scalar_of(const char *name)
{
	int i = 0;
	while (i < N_SCALARS && strcmp(name, scalars[i].name) != 0 &&
		strcmp(name, scalars[i].alias) != 0)
		i++;
	return (enum scalar)i;
}

/* Finds the target of a property. The digit at the end of the name of a UV is its channel. */
static uint8_t ply_target_of(const char *name)
{
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		const uint8_t target = targets[i].target;
		const size_t n = strlen(targets[i].name);
		const int channel = strncmp(targets[i].name, name, n) == 0 ? name[n] - '0' : -1;
		if (strcmp(targets[i].name, name) == 0)
			return target;
		if (target >= TO_UV && target < TO_UV + 2 && channel >= 0 &&
			channel < CS_MESH_UVS && !name[n + 1])
			return (uint8_t)(target + 2 * channel);
	}
	return TO_NOTHING;
}

static uint8_t list_target(const char *name)
{
	bool corners = strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0;
	return corners ? TO_CORNERS : strcmp(name, "texcoord") == 0 ? TO_FACE_UVS : TO_NOTHING;
}

static bool add_element(struct ply *ply, const char *name, const char *count)
{
	double n;
	if (ply->n_elements == MOST_ELEMENTS || !cs_double_parse(count, strlen(count), &n) ||
		!(n >= 0 && n <= CS_NONE))
		return false;
	ply->elements[ply->n_elements++] = (struct element){
		.kind = strcmp(name, "vertex") == 0      ? VERTICES
			: strcmp(name, "tristrips") == 0 ? STRIPS
			: strcmp(name, "face") == 0      ? FACES
							 : OTHER,
		.n = (uint64_t)n,
	};
	return true;
}

static bool add_property(struct ply *ply, char *const words[], size_t n)
{
	struct property property = {.count = NO_SCALAR};
	bool list = n == 5 && strcmp(words[1], "list") == 0;
	if (ply->n_elements == 0 || (n != 3 && !list))
		return false;
	struct element *element = &ply->elements[ply->n_elements - 1];
	if (element->n_properties == MOST_PROPERTIES)
		return false;
	if (list)
		property.count = scalar_of(words[2]);
	property.item = scalar_of(words[n - 2]);
	property.target = list ? list_target(words[n - 1]) : ply_target_of(words[n - 1]);
	/* the first of `u` and `u0` is taken */
	for (uint32_t i = 0; property.target >= TO_UV && i < element->n_properties; i++)
		if (element->properties[i].target == property.target)
			property.target = TO_NOTHING;
	if (property.item == NO_SCALAR || (list && property.count == NO_SCALAR))
		return false;
	element->properties[element->n_properties++] = property;
	return true;
}

static bool read_format(struct ply *ply, const char *name)
{
	static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
	for (int i = 0; i < 3; i++)
		if (strcmp(name, names[i]) == 0) {
			ply->encoding = (enum encoding)i;
			return true;
		}
	return false;
}

/* Takes the only list of a strip element for its vertex indices, whatever its name. */
static void name_strips(struct ply *ply)
{
	for (uint32_t i = 0; i < ply->n_elements; i++) {
		struct element *element = &ply->elements[i];
		struct property *list = NULL;
		uint32_t n = 0;
		for (uint32_t k = 0; k < element->n_properties; k++)
			if (element->properties[k].count != NO_SCALAR && ++n)
				list = &element->properties[k];
		if (element->kind == STRIPS && n == 1)
			list->target = TO_CORNERS;
	}
}

static bool ply_read_header(struct ply *ply)
{
	char line[256], *words[MOST_WORDS];
	size_t n;
	if (!ply_next_line(&ply->cursor, line, words, &n) || n != 1 || strcmp(words[0], "ply") != 0)
		return false;
	while (ply_next_line(&ply->cursor, line, words, &n)) {
		bool good = true;
		if (n == 0)
			continue;
		if (strcmp(words[0], "end_header") == 0) {
			name_strips(ply);
			return true;
		}
		if (strcmp(words[0], "format") == 0)
			good = n >= 2 && read_format(ply, words[1]);
		else if (strcmp(words[0], "element") == 0)
			good = n == 3 && add_element(ply, words[1], words[2]);
		else if (strcmp(words[0], "property") == 0)
			good = add_property(ply, words, n);
		if (!good)
			return false;
	}
	return false;
}

static struct element *element_of(struct ply *ply, int kind)
{
	for (uint32_t i = 0; i < ply->n_elements; i++)
		if ((int)ply->elements[i].kind == kind)
			return &ply->elements[i];
	return NULL;
}

/* ---- values of properties ---- */

static double ply_read_text(struct cs_cursor *cursor)
{
	char text[64] = {0};
	size_t n = 0;
	double value = 0;
	while (cs_cursor_left(cursor)) {
		char byte = (char)cursor->bytes[cursor->position];
		bool space = byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
		if (space && n > 0)
			break;
		cursor->position++;
		if (!space && n < sizeof(text))
			text[n++] = byte;
	}
	if (n == sizeof(text) || !cs_mesh_number(text, n, &value))
		cs_cursor_fail(cursor, CS_E_MESH, "a number must be here, as the header declares");
	return value;
}

static double ply_read_value(struct ply *ply, enum scalar scalar)
{
	if (ply->encoding == TEXT)
		return ply_read_text(&ply->cursor);
	unsigned size = scalars[scalar].size;
	const unsigned char *bytes = cs_cursor_take(&ply->cursor, size);
	uint64_t bits = 0;
	for (unsigned i = 0; bytes && i < size; i++)
		bits |= (uint64_t)bytes[ply->encoding == BIG ? size - 1 - i : i] << 8 * i;
	switch (scalar) {
	case I8:
		return (int8_t)bits;
	case I16:
		return (int16_t)bits;
	case I32:
		return (int32_t)bits;
	case F32:
		return cs_float_of_bits((uint32_t)bits);
	case F64:
		return cs_double_of_bits(bits);
	default:
		return (double)bits;
	}
}

static uint64_t ply_read_count(struct ply *ply, enum scalar scalar)
{
	double n = ply_read_value(ply, scalar);
	if (!(n >= 0 && n <= (double)cs_cursor_left(&ply->cursor) && n == floor(n))) {
		cs_cursor_fail(&ply->cursor, CS_E_MESH,
			"the list of a face or vertex has no length, or is longer than the rest of "
			"the file");
		return 0;
	}
	return (uint64_t)n;
}

/* ---- elements: vertices, faces, strips ---- */

static void ply_set_target(struct ply *ply, struct cs_mesh *mesh, uint64_t row, uint8_t target,
	double value, enum scalar item)
{
	if (target < TO_NORMAL) {
		mesh->positions[3 * row + target] = (float)value;
	} else if (target < TO_UV) {
		mesh->normals[3 * row + target - TO_NORMAL] = (float)value;
	} else if (target < TO_COLOR) {
		mesh->uvs[(target - TO_UV) / 2][2 * row + target % 2] = (float)value;
	} else if (target < TO_NOTHING) {
		const bool is_alpha = target == TO_ALPHA;
		if (item >= F32)
			cs_color_see(is_alpha ? &ply->alphas : &ply->colors, (float)value);
		const float scale = is_alpha ? ply->alpha_scale : ply->color_scale;
		double byte = item >= F32   ? value * (double)scale + 0.5
			      : item == U16 ? value / 257 + 0.5
					    : value;
		mesh->colors[4 * row + target - TO_COLOR] =
			byte > 0 ? byte < 255 ? (uint8_t)byte : 255 : 0;
	}
}

static void read_vertices(struct ply *ply, const struct element *element, struct cs_mesh *mesh)
{
	for (uint64_t row = 0; row < element->n && !ply->cursor.bad; row++)
		for (uint32_t i = 0; i < element->n_properties; i++) {
			const struct property *property = &element->properties[i];
			uint64_t n = property->count == NO_SCALAR
					     ? 1
					     : ply_read_count(ply, property->count);
			for (; n > 0 && !ply->cursor.bad; n--)
				ply_set_target(ply, mesh, row, property->target,
					ply_read_value(ply, property->item), property->item);
		}
}

/* Returns the vertex that a face or strip names, or fails. */
static uint32_t ply_vertex(struct ply *ply, double value)
{
	if (value >= 0 && value < ply->vertices->n_vertices && value == floor(value))
		return (uint32_t)value;
	cs_cursor_fail(&ply->cursor, CS_E_MESH,
		"a face or strip names a vertex that the file does not contain");
	return CS_NONE;
}

/* Reads a strip. Each corner after the second adds a triangle, and every second one is flipped. */
static void ply_read_strip(struct ply *ply, const struct property *property)
{
	/* -1 as an unsigned number */
	const double restart = ldexp(1, 8 * scalars[property->item].size) - 1;
	uint32_t before[2] = {0, 0}, length = 0;
	for (uint64_t n = ply_read_count(ply, property->count); n > 0 && !ply->cursor.bad; n--) {
		double value = ply_read_value(ply, property->item);
		if (value < 0 || (value == restart && value >= ply->vertices->n_vertices)) {
			length = 0;
			continue;
		}
		uint32_t corner = ply_vertex(ply, value);
		if (length >= 2 && !ply->cursor.bad) {
			/* before[0] and [1] are set in turn, which flips every second triangle */
			const uint32_t triangle[3] = {before[0], before[1], corner};
			if (ply->indices.n / 3 >= ply->most_triangles ||
				!cs_vec_append(&ply->indices, triangle, 3)) {
				ply->full = true;
				return;
			}
		}
		before[length++ % 2] = corner;
	}
}

static void cut_face(struct ply *ply)
{
	uint32_t n = (uint32_t)ply->face.n;
	const uint32_t whole[3] = {0, 1, 2};
	const uint32_t *cuts = whole;
	if (n > 3) {
		ply->places.n = ply->cuts.n = 0;
		if (!cs_vec_reserve(&ply->places, 3 * (size_t)n) ||
			!cs_vec_reserve(&ply->cuts, 3 * (size_t)(n - 2))) {
			ply->full = true;
			return;
		}
		for (uint32_t i = 0; i < n; i++)
			memcpy(ply->places.at + 3 * (size_t)i,
				ply->vertices->positions + 3 * (size_t)ply->face.at[i],
				3 * sizeof(float));
		ply->report->overlapping +=
			!cs_polygon_cut((const float(*)[3])ply->places.at, n, ply->cuts.at);
		cuts = ply->cuts.at;
	}
	if (ply->indices.n / 3 + n - 2 > ply->most_triangles ||
		!cs_vec_reserve(&ply->indices, 3 * (size_t)(n - 2))) {
		ply->full = true;
		return;
	}
	for (uint32_t i = 0; i < 3 * (n - 2); i++)
		ply->indices.at[ply->indices.n++] = ply->face.at[cuts[i]];
}

static void read_face(struct ply *ply, const struct property *property)
{
	uint64_t n = ply_read_count(ply, property->count);
	ply->face.n = 0;
	if (!ply->cursor.bad && (n == 0 || n > MOST_CORNERS))
		cs_cursor_fail(&ply->cursor, CS_E_MESH, "a face must have 1 to 65536 corners");
	for (; n > 0 && !ply->cursor.bad; n--) {
		if (!cs_vec_push(
			    &ply->face, ply_vertex(ply, ply_read_value(ply, property->item)))) {
			ply->full = true;
			return;
		}
	}
	if (ply->cursor.bad)
		return;
	if (ply->face.n < 3)
		ply->report->lines++;
	else
		cut_face(ply);
}

static void read_others(struct ply *ply, const struct element *element)
{
	for (uint64_t row = 0; row < element->n && element->n_properties; row++)
		for (uint32_t i = 0; i < element->n_properties; i++) {
			const struct property *property = &element->properties[i];
			if (ply->cursor.bad || ply->full)
				return;
			if (element->kind == STRIPS && property->target == TO_CORNERS) {
				ply_read_strip(ply, property);
				continue;
			}
			if (element->kind == FACES && property->target == TO_CORNERS) {
				read_face(ply, property);
				continue;
			}
			uint64_t n = property->count == NO_SCALAR
					     ? 1
					     : ply_read_count(ply, property->count);
			for (; n > 0 && !ply->cursor.bad; n--)
				ply_read_value(ply, property->item);
		}
}

/* Fails if anything but blanks follows the elements, of which the header then declares too few. */
static void ply_check_end(struct ply *ply)
{
	struct cs_cursor *cursor = &ply->cursor;
	while (!cursor->bad && cs_cursor_left(cursor) && cursor->bytes[cursor->position] <= ' ')
		cursor->position++;
	if (!cursor->bad && cs_cursor_left(cursor))
		cs_cursor_fail(cursor, CS_E_MESH,
			"the file goes on after the elements that its header declares");
}

static struct cs_error *ply_read_elements(
	struct ply *ply, const struct cs_job *job, struct cs_mesh *vertices)
{
	const struct element *vertex = element_of(ply, VERTICES), *at = ply->elements;
	const struct element *end = at + ply->n_elements;
	/*
	 * elements before the vertices are skipped now and read afterwards, because cutting a face
	 * into triangles needs the positions of its vertices
	 */
	const uint64_t start = ply->cursor.position;
	for (; at < vertex; at++) {
		struct element skipped = *at;
		skipped.kind = OTHER;
		read_others(ply, &skipped);
	}
	const uint64_t first = ply->cursor.position;
	ply->color_scale = ply->alpha_scale = 255;
	read_vertices(ply, vertex, vertices);
	const float scale = cs_color_scale(&ply->colors, job, ply->cursor.file);
	const float alpha_scale = ply->alphas.most > 1 ? 1 : 255;
	if ((scale != ply->color_scale || alpha_scale != ply->alpha_scale) && !ply->cursor.bad) {
		/* only all colours together show their scale */
		ply->color_scale = scale;
		ply->alpha_scale = alpha_scale;
		ply->cursor.position = first;
		read_vertices(ply, vertex, vertices);
	}
	const uint64_t behind = ply->cursor.position;
	if (vertex > ply->elements && !ply->cursor.bad) {
		ply->cursor.position = start;
		for (at = ply->elements; at < vertex; at++)
			read_others(ply, at);
		ply->cursor.position = ply->cursor.bad ? ply->cursor.position : behind;
	}
	for (at = vertex + 1; at < end; at++)
		read_others(ply, at);
	if (ply->full && ply->indices.n / 3 < ply->most_triangles)
		return cs_error_nomem();
	if (ply->full)
		return cs_error_new(CS_E_LIMIT,
			"the mesh has more triangles than the limit of %llu",
			(unsigned long long)cs_job_limits(job).records);
	ply_check_end(ply);
	return cs_cursor_error(&ply->cursor, "PLY");
}

/* ---- reading a whole file ---- */

/* Makes u and v of a channel those of another one, or drops them if `to` is TO_NOTHING. */
static void move_channel(struct element *element, uint8_t from, uint8_t to)
{
	for (uint32_t i = 0; i < element->n_properties; i++) {
		uint8_t *target = &element->properties[i].target;
		if (*target == from || *target == from + 1)
			*target = to == TO_NOTHING ? to : (uint8_t)(to + *target - from);
	}
}

static struct cs_error *check_vertices(struct ply *ply, struct cs_mesh_size *ret)
{
	struct element *element = element_of(ply, VERTICES);
	bool has[TARGETS] = {0};
	if (!element)
		return cs_error_at(CS_E_MESH, ply->cursor.file, CS_NO_OFFSET,
			"the PLY header must declare an element vertex, but does not");
	for (uint32_t i = 0; i < element->n_properties; i++)
		has[element->properties[i].target] = true;
	if (!has[0] || !has[1] || !has[2])
		return cs_error_at(CS_E_MESH, ply->cursor.file, CS_NO_OFFSET,
			"the element vertex must have the properties x, y and z, but one of them "
			"is missing");
	/* Each vertex has at least three bytes in the file. */
	if (element->n > cs_cursor_left(&ply->cursor) / 3)
		return cs_error_at(CS_E_TRUNCATED, ply->cursor.file, ply->cursor.size,
			"the file is too short for the %llu vertices that its header declares",
			(unsigned long long)element->n);
	ret->vertices = element->n;
	for (uint8_t k = TO_UV; k < TO_COLOR; k += 2)
		if (has[k] && has[k + 1])
			move_channel(element, k, (uint8_t)(TO_UV + 2 * ret->uvs++));
		else
			move_channel(element, k, TO_NOTHING);
	ret->colors = has[TO_COLOR] || has[TO_COLOR + 1] || has[TO_COLOR + 2] || has[TO_ALPHA];
	return NULL;
}

/* Checks that the file and the mesh, both in memory at once, fit the memory limit of the job. */
static struct cs_error *check_memory(
	struct ply *ply, const struct cs_mesh_size *size, const struct cs_job *job)
{
	const struct element *faces = element_of(ply, FACES);
	uint64_t most = cs_job_limits(job).memory, n_faces = faces ? faces->n : 0;
	uint64_t vertex = 24 + 8 * size->uvs + (size->colors ? 4 : 0);
	if (ply->cursor.size + vertex * size->vertices + 13 * n_faces <= most)
		return NULL;
	return cs_error_at(CS_E_LIMIT, ply->cursor.file, CS_NO_OFFSET,
		"the file and its mesh need more memory than the limit of %llu bytes (raise it "
		"with --max-mem)",
		(unsigned long long)most);
}

static struct cs_error *read_mesh(struct ply *ply, const struct cs_job *job, struct cs_mesh **ret)
{
	struct cs_mesh_size size = {0};
	struct cs_mesh *mesh = NULL;
	struct cs_error *error = check_vertices(ply, &size);
	if (error)
		return error;
	error = check_memory(ply, &size, job);
	if (error)
		return error;
	error = cs_mesh_new(&size, job, &mesh);
	if (error)
		return error;
	if (mesh->colors)
		memset(mesh->colors, 255, 4 * (size_t)size.vertices);
	ply->vertices = mesh;
	error = ply_read_elements(ply, job, mesh);
	uint8_t *materials = error ? NULL : calloc(ply->indices.n / 3 + 1, 1);
	if (!error && !materials)
		error = cs_error_nomem();
	if (error) {
		cs_mesh_free(mesh);
		return error;
	}
	free(mesh->materials);
	free(mesh->indices);
	mesh->materials = materials;
	mesh->indices = ply->indices.at;
	mesh->n_triangles = (uint32_t)(ply->indices.n / 3);
	ply->indices.at = NULL;
	*ret = mesh;
	return NULL;
}

static bool elements_have(struct ply *ply, int kind, uint8_t target)
{
	const struct element *element = element_of(ply, kind);
	for (uint32_t i = 0; element && i < element->n_properties; i++)
		if (element->properties[i].target == target)
			return true;
	return false;
}

struct cs_error *cs_mesh_read_ply(const struct cs_mesh_file *source, const struct cs_job *job,
	bool *is_ours_ret, struct cs_mesh_report *report, struct cs_mesh **ret)
{
	struct cs_error *error = NULL;
	struct ply *ply = calloc(1, sizeof(*ply));
	if (!ply)
		return cs_error_nomem();
	uint64_t most = cs_job_limits(job).records;
	ply->cursor = cs_cursor_over(source->bytes, source->size, 0, source->name);
	ply->report = report;
	ply->most_triangles = most < UINT32_MAX / 3 ? most : UINT32_MAX / 3;
	/* The caller reads files with other headers by assimp, which reports errors in them. */
	const bool vertices = ply_read_header(ply) && element_of(ply, VERTICES);
	*is_ours_ret = vertices && (elements_have(ply, FACES, TO_CORNERS) ||
					   elements_have(ply, STRIPS, TO_CORNERS));
	if (vertices && !element_of(ply, FACES) && !*is_ours_ret)
		error = cs_error_at(CS_E_MESH, source->name, CS_NO_OFFSET,
			"the file has vertices but no faces: make triangles of the point cloud");
	if (*is_ours_ret && elements_have(ply, FACES, TO_FACE_UVS))
		cs_job_log(job, CS_LOG_WARNING,
			"%s: the UVs of faces (texcoord) are not read, only those of vertices: "
			"export UVs per vertex",
			source->name);
	if (*is_ours_ret && elements_have(ply, FACES, TO_COLOR))
		cs_job_log(job, CS_LOG_WARNING,
			"%s: the colours of faces are not read, only those of vertices: export "
			"colours per vertex",
			source->name);
	if (*is_ours_ret)
		error = read_mesh(ply, job, ret);
	cs_vec_free(&ply->indices);
	cs_vec_free(&ply->face);
	cs_vec_free(&ply->cuts);
	cs_vec_free(&ply->places);
	free(ply);
	return error;
}
