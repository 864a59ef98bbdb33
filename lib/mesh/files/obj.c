/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns OBJ files, read one piece at a time. It reads v with 3 coordinates, and a weight or a
 * colour; vt, vn, and f with positive and negative numbers; usemtl, l and p; and a backslash at the
 * end of a line. All other statements (groups, curves, libraries of materials) don't describe
 * triangles and are skipped.
 *
 * Data model: positions, UVs and normals are appended to pools as they come. A vertex is the three
 * numbers that a corner names. The vertices of one position are a list that starts there, so that
 * corners with the same numbers find their vertex. At the end the pools become the arrays of the
 * mesh.
 */
#include "mesh/mesh_readers.h"

#include "core/job.h"
#include "core/text.h"
#include "core/vec.h"
#include "format/byte_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	PIECE = 1 << 20,        /* bytes read at once, and the limit of a line */
	MOST_CORNERS = 1 << 16, /* the most of a face */
	LEAST_STATEMENT = 7,    /* bytes of the shortest statement that makes a position */
	WORD = 63,              /* the longest number, in bytes */
};

/* The numbers that a corner names. CS_NONE means one that is not given. */
struct key {
	uint32_t position, uv, normal;
};

struct corner {
	struct key key;
	uint32_t vertex;
};

struct obj {
	const char *path;
	const struct cs_job *job;
	struct cs_source_file file;
	struct cs_mesh *mesh; /* has only materials and their names until the end */
	uint64_t most_records, most_positions;
	char *piece;
	const char *at, *end; /* of the current line */
	uint64_t offset;      /* of the line in the file, in bytes */
	CS_VEC(float) positions, uvs, normals;
	CS_VEC(uint8_t) colors; /* 3 for each position, from the first that has a colour */
	CS_VEC(uint32_t) first; /* for each position, its first vertex + 1, or 0 for none */
	CS_VEC(uint32_t) next;  /* for each vertex, the next one at its position + 1 */
	CS_VEC(struct key) keys;
	CS_VEC(uint32_t) indices;
	CS_VEC(uint8_t) materials;
	CS_VEC(struct corner) face;
	CS_VEC(uint32_t) cuts;
	uint32_t names[CS_MESH_MATERIALS], n_materials, material;
	uint32_t wanted; /* the name of the current material, CS_NONE when none was named */
	uint64_t n_lines;
};

static struct cs_error *obj_bad(const struct obj *o, const char *what)
{
	return cs_error_at(CS_E_MESH, o->path, o->offset, "%s", what);
}

/* ---- words ---- */

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool obj_next_word(struct obj *o, const char **ret, size_t *n_ret)
{
	while (o->at < o->end && is_space(*o->at))
		o->at++;
	if (o->at < o->end && *o->at == '#')
		o->at = o->end; /* The comment ends with the line. */
	const char *word = o->at;
	while (o->at < o->end && !is_space(*o->at))
		o->at++;
	*ret = word;
	*n_ret = (size_t)(o->at - word);
	return o->at > word;
}

/* Reads up to `most` numbers. "nan" and "inf" are numbers, which cleaning drops. */
static bool obj_numbers(struct obj *o, float *ret, int least, int most, int *n_ret)
{
	const char *word;
	size_t length;
	int n = 0;
	for (; n < most && obj_next_word(o, &word, &length); n++) {
		double value;
		if (length > WORD || !cs_double_parse(word, length, &value)) {
			size_t sign = length > 0 && (*word == '-' || *word == '+');
			if (length - sign < 3 || (strncasecmp(word + sign, "nan", 3) != 0 &&
							 strncasecmp(word + sign, "inf", 3) != 0))
				return false;
			value = NAN;
		}
		ret[n] = (float)value;
	}
	*n_ret = n;
	return n >= least;
}

/* ---- statements ---- */

static struct cs_error *read_position(struct obj *o)
{
	float values[7];
	int n;
	if (!obj_numbers(o, values, 3, 7, &n))
		return obj_bad(o, "v needs three numbers");
	if (n == 4 || n == 7)
		for (int k = 0; k < 3 && values[3] != 0; k++)
			values[k] /= values[3];
	const float *color = n >= 6 ? values + n - 3 : NULL;
	if (!cs_vec_append(&o->positions, values, 3))
		return cs_error_nomem();
	if (!color && o->colors.n == 0)
		return NULL;
	for (size_t missing = o->positions.n - o->colors.n; missing > 0; missing--) {
		float value = color && missing <= 3 ? color[3 - missing] : 1;
		uint8_t byte = value > 0 ? value < 1 ? (uint8_t)(value * 255.0f + 0.5f) : 255 : 0;
		if (!cs_vec_push(&o->colors, byte))
			return cs_error_nomem();
	}
	return NULL;
}

static struct cs_error *read_uv(struct obj *o)
{
	float values[3] = {0};
	int n;
	if (!obj_numbers(o, values, 1, 3, &n))
		return obj_bad(o, "vt needs at least one number");
	return cs_vec_append(&o->uvs, values, 2) ? NULL : cs_error_nomem();
}

static struct cs_error *read_normal(struct obj *o)
{
	float values[3];
	int n;
	if (!obj_numbers(o, values, 3, 3, &n))
		return obj_bad(o, "vn needs three numbers");
	return cs_vec_append(&o->normals, values, 3) ? NULL : cs_error_nomem();
}

/*
 * Parses one number of a corner, counted from 1, or backwards from the latest item. It may name an
 * item that comes later, and the end of the file checks whether it came.
 */
static bool parse_index(const char **at, const char *end, size_t n_so_far, uint32_t *ret)
{
	bool negative = *at < end && **at == '-';
	uint64_t value = 0;
	const char *from = *at += negative;
	for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
		value = value < UINT32_MAX ? value * 10 + (uint64_t)(**at - '0') : value;
	if (*at == from || value == 0 || value > (negative ? n_so_far : (uint64_t)CS_NONE - 1))
		return false;
	*ret = (uint32_t)(negative ? n_so_far - value : value - 1);
	return true;
}

/* Parses v, v/vt, v//vn or v/vt/vn. */
static bool parse_corner(const struct obj *o, const char *at, const char *end, struct key *ret)
{
	*ret = (struct key){CS_NONE, CS_NONE, CS_NONE};
	if (!parse_index(&at, end, o->positions.n / 3, &ret->position))
		return false;
	if (at < end && *at++ != '/')
		return false;
	if (at < end && *at != '/' && !parse_index(&at, end, o->uvs.n / 2, &ret->uv))
		return false;
	if (at < end && *at++ != '/')
		return false;
	if (at < end && !parse_index(&at, end, o->normals.n / 3, &ret->normal))
		return false;
	return at == end;
}

/* Finds or makes the vertex of a key. */
static struct cs_error *find_vertex(struct obj *o, const struct key *key, uint32_t *ret)
{
	if (key->position >= o->most_positions)
		return obj_bad(o,
			"a face names a position of a higher number than a file of this size "
			"can contain");
	while (o->first.n <= key->position)
		if (!cs_vec_push(&o->first, 0))
			return cs_error_nomem();
	uint32_t *first = &o->first.at[key->position];
	for (uint32_t v = *first; v; v = o->next.at[v - 1]) {
		const struct key *other = &o->keys.at[v - 1];
		if (other->uv == key->uv && other->normal == key->normal) {
			*ret = v - 1;
			return NULL;
		}
	}
	if (o->keys.n >= o->most_records)
		return cs_error_at(CS_E_LIMIT, o->path, o->offset,
			"the mesh has more than %llu vertices, the limit records",
			(unsigned long long)o->most_records);
	*ret = (uint32_t)o->keys.n;
	if (!cs_vec_push(&o->keys, *key) || !cs_vec_push(&o->next, *first))
		return cs_error_nomem();
	*first = *ret + 1;
	return NULL;
}

static struct cs_error *set_material(struct obj *o)
{
	uint32_t i = 0;
	while (i < o->n_materials && o->names[i] != o->wanted)
		i++;
	if (i == CS_MESH_MATERIALS)
		return cs_error_at(CS_E_MESH, o->path, o->offset,
			"the file has more than %d materials in use", CS_MESH_MATERIALS);
	if (i == o->n_materials)
		o->names[o->n_materials++] = o->wanted;
	o->material = i;
	return NULL;
}

static void obj_cut_face(struct obj *o, uint32_t n)
{
	float positions[CS_POLYGON_EARS][3];
	memset(positions, 0, sizeof(positions[0]) * (n < CS_POLYGON_EARS ? n : CS_POLYGON_EARS));
	for (uint32_t i = 0; i < n && n <= CS_POLYGON_EARS; i++) {
		size_t position = o->face.at[i].key.position;
		if (3 * position < o->positions.n)
			memcpy(positions[i], o->positions.at + 3 * position, sizeof(positions[i]));
	}
	cs_polygon_cut((const float(*)[3])positions, n, o->cuts.at);
}

static struct cs_error *obj_add_triangles(struct obj *o)
{
	uint32_t n = (uint32_t)o->face.n;
	o->cuts.n = 0;
	if (o->materials.n + n - 2 > o->most_records)
		return cs_error_at(CS_E_LIMIT, o->path, o->offset,
			"the mesh has more than %llu triangles, the limit records",
			(unsigned long long)o->most_records);
	if (!cs_vec_reserve(&o->cuts, 3 * (size_t)(n - 2)) ||
		!cs_vec_reserve(&o->indices, 3 * (size_t)(n - 2)) ||
		!cs_vec_reserve(&o->materials, n - 2))
		return cs_error_nomem();
	obj_cut_face(o, n);
	for (uint32_t i = 0; i < 3 * (n - 2); i++)
		o->indices.at[o->indices.n++] = o->face.at[o->cuts.at[i]].vertex;
	for (uint32_t i = 0; i < n - 2; i++)
		o->materials.at[o->materials.n++] = (uint8_t)o->material;
	return NULL;
}

static struct cs_error *obj_read_face(struct obj *o)
{
	const char *word;
	size_t length;
	struct cs_error *error = NULL;
	o->face.n = 0;
	while (!error && obj_next_word(o, &word, &length)) {
		struct corner corner;
		if (o->face.n == MOST_CORNERS || !parse_corner(o, word, word + length, &corner.key))
			return obj_bad(o, "each corner of a face is v, v/vt, v//vn or v/vt/vn");
		error = find_vertex(o, &corner.key, &corner.vertex);
		if (!error && !cs_vec_push(&o->face, corner))
			error = cs_error_nomem();
	}
	if (error || o->face.n < 3) {
		o->n_lines += !error && o->face.n > 0;
		return error;
	}
	error = set_material(o);
	return error ? error : obj_add_triangles(o);
}

/* The name is the rest of the line. */
static struct cs_error *read_material(struct obj *o)
{
	while (o->at < o->end && is_space(*o->at))
		o->at++;
	while (o->end > o->at && is_space(o->end[-1]))
		o->end--;
	o->wanted = cs_strings_add(&o->mesh->strings, o->at, (size_t)(o->end - o->at));
	return o->wanted == CS_NONE ? cs_error_nomem() : NULL;
}

static uint64_t count_words(struct obj *o)
{
	const char *word;
	size_t length;
	uint64_t n = 0;
	while (obj_next_word(o, &word, &length))
		n++;
	return n;
}

static struct cs_error *read_points(struct obj *o)
{
	o->n_lines += count_words(o);
	return NULL;
}

static struct cs_error *obj_read_line(struct obj *o)
{
	uint64_t n = count_words(o);
	o->n_lines += n > 1 ? n - 1 : n;
	return NULL;
}

static struct cs_error *read_statement(struct obj *o)
{
	static const struct {
		const char *name;
		struct cs_error *(*read)(struct obj *o);
	} statements[] = {{"v", read_position}, {"f", obj_read_face}, {"vn", read_normal},
		{"vt", read_uv}, {"usemtl", read_material}, {"l", obj_read_line},
		{"p", read_points}};
	const char *word;
	size_t n;
	if (!obj_next_word(o, &word, &n))
		return NULL;
	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
		if (strlen(statements[i].name) == n && memcmp(word, statements[i].name, n) == 0)
			return statements[i].read(o);
	return NULL;
}

/* ---- pieces ---- */

/*
 * Returns the end of the line that begins there, or NULL when it doesn't end in this piece. Joins
 * continued lines.
 */
static char *end_of_line(char *at, char *end)
{
	for (char *from = at;;) {
		char *newline = memchr(from, '\n', (size_t)(end - from));
		if (!newline)
			return NULL;
		char *last = newline > at && newline[-1] == '\r' ? newline - 1 : newline;
		if (last == at || last[-1] != '\\')
			return newline;
		memset(last - 1, ' ', (size_t)(newline - last + 2));
		from = newline + 1;
	}
}

/* Reads the lines that end within the piece. *used_ret is how many bytes they have. */
static struct cs_error *obj_read_lines(struct obj *o, size_t n, bool is_last, size_t *used_ret)
{
	/* the byte order mark that editors put before the text */
	static const char mark[] = "\xef\xbb\xbf";
	char *at = o->piece, *end = o->piece + n;
	uint64_t offset = o->offset;
	struct cs_error *error = NULL;
	if (offset == 0 && n >= 3 && memcmp(at, mark, 3) == 0)
		at += 3;
	while (at < end && !error) {
		char *newline = end_of_line(at, end);
		if (!newline && !is_last)
			break;
		newline = newline ? newline : end;
		o->at = at;
		o->end = newline;
		o->offset = offset + (uint64_t)(at - o->piece);
		error = *at == '#' ? NULL : read_statement(o);
		at = newline < end ? newline + 1 : end;
	}
	*used_ret = (size_t)(at - o->piece);
	o->offset = offset;
	return error;
}

/* Checks the memory that is in use now against the limit. */
static struct cs_error *obj_check_memory(const struct obj *o)
{
	uint64_t most = cs_job_limits(o->job).memory;
	uint64_t bytes = 4 * (o->positions.room + o->uvs.room + o->normals.room + o->first.room +
				     o->next.room + o->indices.room) +
			 o->colors.room + o->materials.room + sizeof(struct key) * o->keys.room;
	if (bytes <= most)
		return NULL;
	return cs_error_at(CS_E_LIMIT, o->path, o->offset,
		"the mesh takes more than %llu bytes, the limit memory", (unsigned long long)most);
}

static struct cs_error *read_pieces(struct obj *o)
{
	struct cs_error *error = NULL;
	while (!error && o->offset < o->file.size) {
		uint64_t left = o->file.size - o->offset;
		size_t n = left < PIECE ? (size_t)left : PIECE, used = 0;
		error = cs_source_read(&o->file, o->offset, o->piece, n);
		if (!error)
			error = obj_read_lines(o, n, n == left, &used);
		if (!error && used == 0)
			error = obj_bad(o, "a line is longer than 1 MiB");
		o->offset += used;
		if (!error)
			error = obj_check_memory(o);
		if (!error)
			error = cs_job_check(o->job);
	}
	return error;
}

/* ---- the mesh ---- */

static void fill_vertex(const struct obj *o, struct cs_mesh *mesh, size_t v)
{
	const struct key *key = &o->keys.at[v];
	size_t p = key->position, uv = key->uv, n = key->normal;
	memcpy(mesh->positions + 3 * v, o->positions.at + 3 * p, 3 * sizeof(float));
	if (key->normal != CS_NONE)
		memcpy(mesh->normals + 3 * v, o->normals.at + 3 * n, 3 * sizeof(float));
	if (key->uv != CS_NONE)
		memcpy(mesh->uvs[0] + 2 * v, o->uvs.at + 2 * uv, 2 * sizeof(float));
	if (!mesh->colors)
		return;
	memset(mesh->colors + 4 * v, 255, 4);
	if (3 * p < o->colors.n)
		memcpy(mesh->colors + 4 * v, o->colors.at + 3 * p, 3);
}

/* Returns E_MESH for a corner that names an item after the last of the n of its kind. */
static struct cs_error *obj_check_item(
	const struct obj *o, const char *kind, uint32_t item, size_t n)
{
	if (item == CS_NONE || item < n)
		return NULL;
	return cs_error_at(CS_E_MESH, o->path, CS_NO_OFFSET,
		"a face names %s %u, but the file has only %zu", kind, item + 1, n);
}

/*
 * Checks that all items exist that corners name. *has_uvs_ret says whether any corner names a UV.
 */
static struct cs_error *check_keys(const struct obj *o, bool *has_uvs_ret)
{
	struct cs_error *error = NULL;
	*has_uvs_ret = false;
	for (size_t v = 0; v < o->keys.n && !error; v++) {
		const struct key *key = &o->keys.at[v];
		error = obj_check_item(o, "position", key->position, o->positions.n / 3);
		if (!error)
			error = obj_check_item(o, "UV", key->uv, o->uvs.n / 2);
		if (!error)
			error = obj_check_item(o, "normal", key->normal, o->normals.n / 3);
		*has_uvs_ret = *has_uvs_ret || key->uv != CS_NONE;
	}
	return error;
}

static void drop_pools(struct obj *o)
{
	cs_vec_free(&o->positions);
	cs_vec_free(&o->uvs);
	cs_vec_free(&o->normals);
	cs_vec_free(&o->colors);
	cs_vec_free(&o->keys);
}

static struct cs_error *make_mesh(struct obj *o, struct cs_mesh **ret)
{
	bool has_uvs;
	struct cs_mesh *mesh = NULL;
	cs_vec_free(&o->first);
	cs_vec_free(&o->next);
	struct cs_error *error = check_keys(o, &has_uvs);
	if (error)
		return error;
	struct cs_mesh_size size = {
		.vertices = o->keys.n, .uvs = has_uvs, .colors = o->colors.n > 0};
	error = cs_mesh_new(&size, o->job, &mesh);
	if (error)
		return error;
	for (size_t v = 0; v < o->keys.n; v++)
		fill_vertex(o, mesh, v);
	drop_pools(o);
	free(mesh->indices);
	free(mesh->materials);
	cs_strings_deinit(&mesh->strings);
	mesh->indices = o->indices.at;
	mesh->materials = o->materials.at;
	mesh->n_triangles = (uint32_t)o->materials.n;
	mesh->strings = o->mesh->strings;
	mesh->n_materials = o->n_materials ? o->n_materials : 1;
	memcpy(mesh->names, o->names, sizeof(mesh->names));
	memset(&o->indices, 0, sizeof(o->indices));
	memset(&o->materials, 0, sizeof(o->materials));
	memset(&o->mesh->strings, 0, sizeof(o->mesh->strings));
	*ret = mesh;
	return NULL;
}

static struct cs_error *obj_start(struct obj *o)
{
	static const char unnamed[] = "DefaultMaterial";
	struct cs_limits limits = cs_job_limits(o->job);
	o->most_records = limits.records < UINT32_MAX / 3 ? limits.records : UINT32_MAX / 3;
	struct cs_error *error = cs_source_open(o->path, limits.file_bytes, &o->file);
	if (error)
		return error;
	o->most_positions = o->file.size / LEAST_STATEMENT + 1;
	o->piece = malloc(PIECE);
	error = cs_mesh_new(&(struct cs_mesh_size){0}, o->job, &o->mesh);
	if (error)
		return error;
	o->wanted = cs_strings_add(&o->mesh->strings, unnamed, strlen(unnamed));
	return o->piece && o->wanted != CS_NONE ? NULL : cs_error_nomem();
}

struct cs_error *cs_mesh_read_obj(
	const char *path, const struct cs_job *job, uint64_t *lines_ret, struct cs_mesh **ret)
{
	struct obj o = {.path = path, .job = job, .file = {.fd = -1}};
	struct cs_error *error = obj_start(&o);
	if (!error)
		error = read_pieces(&o);
	if (!error)
		error = cs_source_unchanged(&o.file);
	if (!error && o.materials.n == 0)
		error = cs_error_at(CS_E_MESH, path, CS_NO_OFFSET, "the file has no triangle");
	if (!error)
		error = make_mesh(&o, ret);
	*lines_ret = o.n_lines;
	drop_pools(&o);
	cs_vec_free(&o.first);
	cs_vec_free(&o.next);
	cs_vec_free(&o.indices);
	cs_vec_free(&o.materials);
	cs_vec_free(&o.face);
	cs_vec_free(&o.cuts);
	free(o.piece);
	cs_mesh_free(o.mesh);
	if (o.file.fd >= 0)
		cs_source_close(&o.file);
	return error;
}
