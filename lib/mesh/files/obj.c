/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads OBJ files chunk by chunk. Supported statements: v with 3 coordinates, and a weight or a
 * colour, whose alpha is ignored; vt and vn; f (and fo, its old name) with positive and negative
 * numbers; usemtl, s, l and p; and a backslash at the end of a line that is no comment. All other
 * statements of OBJ don't describe triangles and are skipped. Curves, curved surfaces and lines
 * that begin with no statement of OBJ are counted.
 *
 * Data model: positions, UVs and normals are appended to arrays as they are read. A vertex is the
 * triple of indices of a corner (struct key). The vertices of each position form a linked list, so
 * that corners with the same triple find their vertex. Vertices of a position whose list is full
 * (MOST_LISTED) are in a hash table instead. At the end the mesh takes over the arrays.
 * If the file gives no normal for a corner after an s statement, a smoothing number (from
 * FIRST_SMOOTHING on) takes the place of the index of the normal. It is the number of the face's
 * smoothing group or, where smoothing is off, a number that no other face has.
 */
#include "mesh/mesh_readers.h"

#include "core/job.h"
#include "core/slots.h"
#include "core/utf8.h"
#include "core/vec.h"
#include "format/byte_source.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* number of bytes that are read at once, which is also the largest length of a line */
	PIECE = 1 << 20,
	MOST_CORNERS = 1 << 16, /* largest number of corners of a face */
	LEAST_STATEMENT = 7,    /* number of bytes of the shortest v statement */
	WORD = 63,              /* largest length in bytes of a word that is parsed as a number */
	MOST_LISTED = 32,       /* largest number of vertices in the list of a position */
};

/*
 * key.normal is the index of a normal if it is below FIRST_SMOOTHING, the smoothing number of a
 * group if it is below FIRST_FLAT, else the smoothing number of a face.
 */
#define FIRST_SMOOTHING 0x80000000U
#define FIRST_FLAT      0xa0000000U

static bool is_smoothing(uint32_t normal)
{
	return normal >= FIRST_SMOOTHING && normal != CS_NONE;
}

static bool obj_is_flat(uint32_t normal)
{
	return normal >= FIRST_FLAT && normal != CS_NONE;
}

/* Indices of a corner's position, UV and normal. An index that the file lacks is CS_NONE. */
struct key {
	uint32_t position, uv, normal;
};

/* The highest number (from 1) of a position, UV or normal in a face, or 0 if there is none. */
struct highest {
	uint32_t number;
	uint64_t offset; /* file offset in bytes of the line with the face */
};

struct corner {
	struct key key;
	uint32_t vertex;
};

/* A face that was read before its positions. It is cut as a fan until they are known. */
struct early_face {
	uint32_t triangle, n; /* index of its first triangle, and number of its corners */
};

struct obj {
	const char *path;
	const struct cs_job *job;
	struct cs_source_file file;
	/* until the whole file was read, it contains only materials and their names */
	struct cs_mesh *mesh;
	uint64_t most_records, most_positions;
	char *piece;
	const char *at, *end; /* unread rest of the current line */
	uint64_t offset;      /* file offset of the current line, in bytes */
	CS_VEC(float) positions, uvs, normals;
	/* 3 values for each position, NAN if it has no colour. Empty until a position has one */
	CS_VEC(float) colors;
	struct cs_color_range color_range;
	float color_scale; /* makes bytes of colours */
	/* for each position, the index of its first vertex + 1, or 0 when it has no vertex */
	CS_VEC(uint32_t) first;
	/* for each vertex, the index of the next vertex at the same position + 1, or 0 */
	CS_VEC(uint32_t) next;
	CS_VEC(struct key) keys;
	struct cs_slots slots; /* by key, the vertices that are in no list */
	CS_VEC(uint32_t) indices;
	CS_VEC(uint8_t) materials;
	CS_VEC(struct corner) face;
	CS_VEC(uint32_t) cuts;
	CS_VEC(float) places; /* 3 coordinates for each corner of the current face */
	CS_VEC(struct early_face) early;
	uint32_t names[CS_MESH_MATERIALS], n_materials, material;
	/* offset of the name of the current material in mesh->strings */
	uint32_t wanted;
	/* whether the current object or group is a collision shape, which is not read */
	bool is_object_shape, is_group_shape;
	/* smoothing number of the current face, or CS_NONE before the first s statement */
	uint32_t smoothing, n_flat;
	bool has_smoothing; /* whether a corner has a smoothing number */
	struct highest position, uv, normal;
	uint64_t n_lines, n_collision, n_overlapping, n_unknown;
};

static struct cs_error *obj_bad(const struct obj *obj, const char *what)
{
	return cs_error_at(CS_E_MESH, obj->path, obj->offset, "%s", what);
}

/* ---- words of a line ---- */

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool obj_next_word(struct obj *obj, const char **ret, size_t *n_ret)
{
	while (obj->at < obj->end && is_space(*obj->at))
		obj->at++;
	if (obj->at < obj->end && *obj->at == '#')
		obj->at = obj->end; /* A comment extends to the end of the line. */
	const char *word = obj->at;
	while (obj->at < obj->end && !is_space(*obj->at))
		obj->at++;
	*ret = word;
	*n_ret = (size_t)(obj->at - word);
	return obj->at > word;
}

/*
 * Parses up to `most` numbers. Returns false if there are fewer than `least`, or if one is invalid.
 */
static bool obj_numbers(struct obj *obj, float *ret, int least, int most, int *n_ret)
{
	const char *word;
	size_t length;
	int n = 0;
	for (; n < most && obj_next_word(obj, &word, &length); n++) {
		double value;
		if (length > WORD || !cs_mesh_number(word, length, &value))
			return false;
		ret[n] = (float)value;
	}
	*n_ret = n;
	return n >= least;
}

/* ---- statements ---- */

static struct cs_error *read_position(struct obj *obj)
{
	float values[7];
	int n;
	if (!obj_numbers(obj, values, 3, 7, &n))
		return obj_bad(obj, "a line v must have three values or more, all of them numbers");
	if (n == 4)
		for (int k = 0; k < 3 && values[3] != 0; k++)
			values[k] /= values[3];
	const float *color = n >= 6 ? values + 3 : NULL;
	if (!cs_vec_append(&obj->positions, values, 3))
		return cs_error_nomem();
	if (!color && obj->colors.n == 0)
		return NULL;
	for (size_t missing = obj->positions.n - obj->colors.n; missing > 0; missing--) {
		const float value = color && missing <= 3 ? color[3 - missing] : (float)NAN;
		if (!cs_vec_push(&obj->colors, value))
			return cs_error_nomem();
		cs_color_see(&obj->color_range, value);
	}
	return NULL;
}

static struct cs_error *read_uv(struct obj *obj)
{
	float values[3] = {0};
	int n;
	if (!obj_numbers(obj, values, 1, 3, &n))
		return obj_bad(obj, "a line vt must have one value or more, all of them numbers");
	return cs_vec_append(&obj->uvs, values, 2) ? NULL : cs_error_nomem();
}

static struct cs_error *read_normal(struct obj *obj)
{
	float values[3];
	int n;
	if (!obj_numbers(obj, values, 3, 3, &n))
		return obj_bad(obj, "a line vn must have three values, all of them numbers");
	return cs_vec_append(&obj->normals, values, 3) ? NULL : cs_error_nomem();
}

/*
 * Parses one index of a corner. Positive indices count from 1, negative ones backwards from the
 * latest item. A positive index may refer to an item that is defined later in the file; check_keys
 * rejects indices of items that are never defined.
 */
static bool parse_index(const char **at, const char *end, size_t n_so_far, uint32_t *ret)
{
	bool negative = *at < end && **at == '-';
	uint64_t value = 0;
	const char *from = *at += negative;
	for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
		value = value < UINT32_MAX ? value * 10 + (uint64_t)(**at - '0') : value;
	if (*at == from || value == 0 || (negative && value > n_so_far))
		return false;
	value = negative ? n_so_far - value : value - 1;
	*ret = (uint32_t)value;
	return value < FIRST_SMOOTHING;
}

/* Parses a corner of a face: v, v/vt, v//vn or v/vt/vn. */
static bool parse_corner(const struct obj *obj, const char *at, const char *end, struct key *ret)
{
	*ret = (struct key){CS_NONE, CS_NONE, obj->smoothing};
	if (!parse_index(&at, end, obj->positions.n / 3, &ret->position))
		return false;
	if (at < end && *at++ != '/')
		return false;
	if (at < end && *at != '/' && !parse_index(&at, end, obj->uvs.n / 2, &ret->uv))
		return false;
	if (at < end && *at++ != '/')
		return false;
	if (at < end && !parse_index(&at, end, obj->normals.n / 3, &ret->normal))
		return false;
	return at == end;
}

/* Keeps the highest number of an item (from 1) and its line's offset, for obj_check_item. */
static void obj_note(const struct obj *obj, uint32_t item, struct highest *highest)
{
	if (item < FIRST_SMOOTHING && item >= highest->number)
		*highest = (struct highest){item + 1, obj->offset};
}

static uint64_t obj_hash_key(const struct key *key)
{
	return XXH3_64bits(key, sizeof(*key));
}

static uint64_t obj_hash_vertex(const void *obj, uint32_t v)
{
	return obj_hash_key(&((const struct obj *)obj)->keys.at[v]);
}

static bool obj_is_key(const struct obj *obj, uint32_t v, const struct key *key)
{
	return memcmp(&obj->keys.at[v], key, sizeof(*key)) == 0;
}

/* Finds the vertex with the given key, or appends it. */
static struct cs_error *find_vertex(struct obj *obj, const struct key *key, uint32_t *ret)
{
	if (key->position >= obj->most_positions)
		return obj_bad(obj,
			"a face names a position with a number so high that a file of this size "
			"cannot contain it");
	while (obj->first.n <= key->position)
		if (!cs_vec_push(&obj->first, 0))
			return cs_error_nomem();
	uint32_t *first = &obj->first.at[key->position], *slot = NULL, listed = 0;
	const bool flat = obj_is_flat(key->normal);
	for (uint32_t v = flat ? 0 : *first; v; v = obj->next.at[v - 1], listed++)
		if (obj_is_key(obj, v - 1, key)) {
			*ret = v - 1;
			return NULL;
		}
	if (listed == MOST_LISTED) {
		if (!cs_slots_grow(&obj->slots, obj_hash_vertex, obj))
			return cs_error_nomem();
		slot = cs_slots_find(&obj->slots, obj_hash_key(key), v, obj_is_key(obj, v, key));
		*ret = cs_slot_row(slot);
		if (*ret != CS_NONE)
			return NULL;
	}
	if (obj->keys.n >= obj->most_records)
		return cs_error_at(CS_E_LIMIT, obj->path, obj->offset,
			"the mesh has more vertices than the limit of %llu",
			(unsigned long long)obj->most_records);
	*ret = (uint32_t)obj->keys.n;
	if (!cs_vec_push(&obj->keys, *key) || !cs_vec_push(&obj->next, *first))
		return cs_error_nomem();
	if (slot)
		cs_slots_put(&obj->slots, slot, *ret);
	else
		*first = flat ? *first : *ret + 1;
	obj->has_smoothing |= is_smoothing(key->normal);
	return NULL;
}

static struct cs_error *set_material(struct obj *obj)
{
	uint32_t i = 0;
	while (i < obj->n_materials && obj->names[i] != obj->wanted)
		i++;
	if (i == CS_MESH_MATERIALS)
		return cs_error_at(CS_E_MESH, obj->path, obj->offset,
			"the triangles of the file use more than %d materials, the limit of a "
			"mesh: give faces the same material",
			CS_MESH_MATERIALS);
	if (i == obj->n_materials)
		obj->names[obj->n_materials++] = obj->wanted;
	obj->material = i;
	return NULL;
}

/*
 * Cuts the current face into triangles. If one of its positions was not read yet, cuts it as a fan
 * and returns false, so that it is cut again later.
 */
static bool obj_cut_face(struct obj *obj, uint32_t n)
{
	bool known = true;
	for (uint32_t i = 0; i < n && known; i++) {
		size_t position = obj->face.at[i].key.position;
		known = 3 * position < obj->positions.n;
		if (known)
			memcpy(obj->places.at + 3 * (size_t)i, obj->positions.at + 3 * position,
				3 * sizeof(float));
	}
	if (known)
		obj->n_overlapping +=
			!cs_polygon_cut((const float(*)[3])obj->places.at, n, obj->cuts.at);
	else
		cs_polygon_fan(n, 0, obj->cuts.at);
	return known || n == 3;
}

/*
 * Cuts the faces again that were cut as fans because their positions were not read yet. The corners
 * of a face are taken from the triangles of its fan.
 */
static void cut_early_faces(struct obj *obj)
{
	for (size_t f = 0; f < obj->early.n; f++) {
		const struct early_face *early = &obj->early.at[f];
		uint32_t *indices = obj->indices.at + 3 * (size_t)early->triangle;
		for (uint32_t i = 0; i < early->n; i++) {
			uint32_t vertex = indices[i == 0 ? 0 : i == 1 ? 1 : 3 * (i - 2) + 2];
			obj->face.at[i] = (struct corner){obj->keys.at[vertex], vertex};
		}
		obj_cut_face(obj, early->n);
		for (uint32_t i = 0; i < 3 * (early->n - 2); i++)
			indices[i] = obj->face.at[obj->cuts.at[i]].vertex;
	}
}

static struct cs_error *obj_add_triangles(struct obj *obj)
{
	uint32_t n = (uint32_t)obj->face.n;
	obj->cuts.n = obj->places.n = 0;
	if (obj->materials.n + n - 2 > obj->most_records)
		return cs_error_at(CS_E_LIMIT, obj->path, obj->offset,
			"the mesh has more triangles than the limit of %llu",
			(unsigned long long)obj->most_records);
	if (!cs_vec_reserve(&obj->cuts, 3 * (size_t)(n - 2)) ||
		!cs_vec_reserve(&obj->places, 3 * (size_t)n) ||
		!cs_vec_reserve(&obj->indices, 3 * (size_t)(n - 2)) ||
		!cs_vec_reserve(&obj->materials, n - 2))
		return cs_error_nomem();
	const struct early_face early = {(uint32_t)obj->materials.n, n};
	if (!obj_cut_face(obj, n) && !cs_vec_push(&obj->early, early))
		return cs_error_nomem();
	for (uint32_t i = 0; i < 3 * (n - 2); i++)
		obj->indices.at[obj->indices.n++] = obj->face.at[obj->cuts.at[i]].vertex;
	for (uint32_t i = 0; i < n - 2; i++)
		obj->materials.at[obj->materials.n++] = (uint8_t)obj->material;
	return NULL;
}

static struct cs_error *obj_read_face(struct obj *obj)
{
	const char *word;
	size_t length;
	struct cs_error *error = NULL;
	obj->face.n = 0;
	if (obj_is_flat(obj->smoothing))
		obj->smoothing = FIRST_FLAT + obj->n_flat++ % (CS_NONE - FIRST_FLAT);
	while (!error && obj_next_word(obj, &word, &length)) {
		struct corner corner;
		if (obj->face.n == MOST_CORNERS ||
			!parse_corner(obj, word, word + length, &corner.key))
			return obj_bad(
				obj, "each corner of a face must be v, v/vt, v//vn or v/vt/vn");
		obj_note(obj, corner.key.position, &obj->position);
		obj_note(obj, corner.key.uv, &obj->uv);
		obj_note(obj, corner.key.normal, &obj->normal);
		error = find_vertex(obj, &corner.key, &corner.vertex);
		if (!error && !cs_vec_push(&obj->face, corner))
			error = cs_error_nomem();
	}
	if (error || obj->face.n < 3) {
		obj->n_lines += !error && obj->face.n > 0;
		return error;
	}
	if (obj->is_object_shape || obj->is_group_shape) {
		obj->n_collision += obj->face.n - 2;
		return NULL;
	}
	error = set_material(obj);
	return error ? error : obj_add_triangles(obj);
}

/* Trims the unread rest of the line to the name in a usemtl, o or g statement. */
static void trim_name(struct obj *obj)
{
	while (obj->at < obj->end && is_space(*obj->at))
		obj->at++;
	while (obj->end > obj->at && is_space(obj->end[-1]))
		obj->end--;
}

static struct cs_error *obj_read_group(struct obj *obj)
{
	trim_name(obj);
	obj->is_group_shape = cs_mesh_is_collision(obj->at, (size_t)(obj->end - obj->at));
	return NULL;
}

static struct cs_error *obj_read_object(struct obj *obj)
{
	struct cs_error *error = obj_read_group(obj);
	obj->is_object_shape = obj->is_group_shape;
	obj->is_group_shape = false;
	return error;
}

static struct cs_error *read_material(struct obj *obj)
{
	trim_name(obj);
	obj->wanted = cs_strings_add(&obj->mesh->strings, obj->at, (size_t)(obj->end - obj->at));
	return obj->wanted == CS_NONE ? cs_error_nomem() : NULL;
}

/*
 * Reads a smoothing group. 0 or `off` means that every face is flat. A word that is not a number is
 * a group, too: its characters are hashed.
 */
static struct cs_error *obj_read_smoothing(struct obj *obj)
{
	const char *word;
	size_t n;
	uint32_t group = 0;
	if (!obj_next_word(obj, &word, &n))
		return NULL;
	for (size_t i = 0; i < n; i++)
		group = group * 31 + (unsigned char)word[i] - '0';
	const bool off = group == 0 || (n == 3 && memcmp(word, "off", 3) == 0);
	obj->smoothing =
		off ? FIRST_FLAT : FIRST_SMOOTHING + group % (FIRST_FLAT - FIRST_SMOOTHING);
	return NULL;
}

static uint64_t count_words(struct obj *obj)
{
	const char *word;
	size_t length;
	uint64_t n = 0;
	while (obj_next_word(obj, &word, &length))
		n++;
	return n;
}

static struct cs_error *read_points(struct obj *obj)
{
	obj->n_lines += count_words(obj);
	return NULL;
}

static struct cs_error *obj_read_line(struct obj *obj)
{
	uint64_t n = count_words(obj);
	obj->n_lines += n > 1 ? n - 1 : n;
	return NULL;
}

/* Returns whether a statement of OBJ describes no triangles, lines, curves or surfaces. */
static bool obj_is_skipped(const char *word, size_t n)
{
	static const char *const names[] = {"mtllib", "vp", "deg", "bmat", "step", "cstype", "parm",
		"trim", "hole", "scrv", "sp", "end", "con", "mg", "bevel", "c_interp", "d_interp",
		"lod", "usemap", "maplib", "shadow_obj", "trace_obj", "ctech", "stech", "call",
		"csh"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == n && memcmp(word, names[i], n) == 0)
			return true;
	return false;
}

static struct cs_error *read_statement(struct obj *obj)
{
	static const struct {
		const char *name;
		struct cs_error *(*read)(struct obj *obj);
	} statements[] = {{"v", read_position}, {"f", obj_read_face}, {"vn", read_normal},
		{"vt", read_uv}, {"usemtl", read_material}, {"l", obj_read_line},
		{"p", read_points}, {"o", obj_read_object}, {"g", obj_read_group},
		{"s", obj_read_smoothing}, {"fo", obj_read_face}};
	const char *word;
	size_t n;
	if (!obj_next_word(obj, &word, &n))
		return NULL;
	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
		if (strlen(statements[i].name) == n && memcmp(word, statements[i].name, n) == 0)
			return statements[i].read(obj);
	obj->n_unknown += !obj_is_skipped(word, n);
	return NULL;
}

/* ---- chunks of the file ---- */

/* Returns whether a line has a comment: a '#' at its beginning or after a blank. */
static bool obj_has_comment(const char *at, const char *end)
{
	const char *line = at;
	while ((at = memchr(at, '#', (size_t)(end - at))) && at > line && !is_space(at[-1]))
		at++;
	return at != NULL;
}

/*
 * Returns the newline that ends the line, or NULL when it is not in this chunk. Replaces a
 * backslash at the end of a line, and the newline, by spaces, but not in a comment: there it is
 * the end of a path, such as "C:\meshes\", and the next line is part of the mesh.
 */
static char *end_of_line(char *at, char *end)
{
	for (char *from = at;;) {
		char *newline = memchr(from, '\n', (size_t)(end - from));
		if (!newline || obj_has_comment(from, newline))
			return newline;
		char *last = newline > at && newline[-1] == '\r' ? newline - 1 : newline;
		if (last == at || last[-1] != '\\')
			return newline;
		memset(last - 1, ' ', (size_t)(newline - last + 2));
		from = newline + 1;
	}
}

/* Reads the lines that end within the chunk of n bytes. *used_ret is the number of bytes read. */
static struct cs_error *obj_read_lines(struct obj *obj, size_t n, bool is_last, size_t *used_ret)
{
	char *at = obj->piece, *end = obj->piece + n;
	uint64_t offset = obj->offset;
	struct cs_error *error = NULL;
	const char *zero = memchr(at, 0, n);
	if (zero)
		return cs_error_at(CS_E_MESH, obj->path, offset + (uint64_t)(zero - at),
			"the file has a zero byte: it is damaged, or not in UTF-8");
	/* lines may end with \r alone, as on old Macs */
	for (char *cr = at; (cr = memchr(cr, '\r', (size_t)(end - cr)));)
		if (++cr < end && *cr != '\n')
			cr[-1] = '\n';
	if (offset == 0)
		at += cs_utf8_mark(at, n);
	while (at < end && !error) {
		char *newline = end_of_line(at, end);
		if (!newline && !is_last)
			break;
		newline = newline ? newline : end;
		obj->at = at;
		obj->end = newline;
		obj->offset = offset + (uint64_t)(at - obj->piece);
		error = *at == '#' ? NULL : read_statement(obj);
		at = newline < end ? newline + 1 : end;
	}
	*used_ret = (size_t)(at - obj->piece);
	obj->offset = offset;
	return error;
}

/* Returns an error when the memory in use exceeds the limit of the job. */
static struct cs_error *obj_check_memory(const struct obj *obj)
{
	uint64_t most = cs_job_limits(obj->job).memory;
	uint64_t bytes =
		4 * (obj->positions.room + obj->uvs.room + obj->normals.room + obj->first.room +
			    obj->next.room + obj->slots.mask + obj->indices.room) +
		4 * obj->colors.room + obj->materials.room +
		sizeof(struct early_face) * obj->early.room + sizeof(struct key) * obj->keys.room;
	if (bytes <= most)
		return NULL;
	return cs_error_at(CS_E_LIMIT, obj->path, obj->offset,
		"the mesh needs more memory than the limit of %llu bytes (raise it with --max-mem)",
		(unsigned long long)most);
}

static struct cs_error *read_pieces(struct obj *obj)
{
	struct cs_error *error = NULL;
	while (!error && obj->offset < obj->file.size) {
		uint64_t left = obj->file.size - obj->offset;
		size_t n = left < PIECE ? (size_t)left : PIECE, used = 0;
		error = cs_source_read(&obj->file, obj->offset, obj->piece, n);
		if (!error)
			error = obj_read_lines(obj, n, n == left, &used);
		if (!error && used == 0)
			error = obj_bad(obj, "a line is longer than the limit of 1 MiB");
		obj->offset += used;
		if (!error)
			error = obj_check_memory(obj);
		if (!error)
			error = cs_job_check(obj->job);
	}
	return error;
}

/* ---- making the mesh ---- */

static void fill_vertex(const struct obj *obj, struct cs_mesh *mesh, size_t v)
{
	const struct key *key = &obj->keys.at[v];
	size_t p = key->position, uv = key->uv, n = key->normal;
	memcpy(mesh->positions + 3 * v, obj->positions.at + 3 * p, 3 * sizeof(float));
	if (is_smoothing(key->normal))
		mesh->smoothing[v] = key->normal;
	else if (key->normal != CS_NONE)
		memcpy(mesh->normals + 3 * v, obj->normals.at + 3 * n, 3 * sizeof(float));
	if (key->uv != CS_NONE)
		memcpy(mesh->uvs[0] + 2 * v, obj->uvs.at + 2 * uv, 2 * sizeof(float));
	if (!mesh->colors)
		return;
	memset(mesh->colors + 4 * v, 255, 4);
	for (size_t k = 0; k < 3 && 3 * p < obj->colors.n; k++) {
		const float value = obj->colors.at[3 * p + k] * obj->color_scale;
		if (!isnan(value))
			mesh->colors[4 * v + k] =
				value > 0 ? value < 255 ? (uint8_t)(value + 0.5f) : 255 : 0;
	}
}

/* Checks that the file has the item with the highest number that a face names. */
static struct cs_error *obj_check_item(
	const struct obj *obj, const char *kind, struct highest highest, size_t n)
{
	if (highest.number <= n)
		return NULL;
	return cs_error_at(CS_E_MESH, obj->path, highest.offset,
		"a face names %s %u (counted from 1), but the file has only %zu of them", kind,
		highest.number, n);
}

static struct cs_error *obj_check_items(const struct obj *obj)
{
	struct cs_error *error =
		obj_check_item(obj, "position", obj->position, obj->positions.n / 3);
	if (!error)
		error = obj_check_item(obj, "UV", obj->uv, obj->uvs.n / 2);
	return error ? error : obj_check_item(obj, "normal", obj->normal, obj->normals.n / 3);
}

static void drop_pools(struct obj *obj)
{
	cs_vec_free(&obj->positions);
	cs_vec_free(&obj->uvs);
	cs_vec_free(&obj->normals);
	cs_vec_free(&obj->colors);
	cs_vec_free(&obj->keys);
}

static struct cs_error *make_mesh(struct obj *obj, struct cs_mesh **ret)
{
	struct cs_mesh *mesh = NULL;
	cs_vec_free(&obj->first);
	cs_vec_free(&obj->next);
	cs_slots_deinit(&obj->slots);
	struct cs_error *error = obj_check_items(obj);
	if (error)
		return error;
	cut_early_faces(obj);
	struct cs_mesh_size size = {
		.vertices = obj->keys.n, .uvs = obj->uv.number > 0, .colors = obj->colors.n > 0};
	error = cs_mesh_new(&size, obj->job, &mesh);
	if (error)
		return error;
	if (obj->has_smoothing)
		mesh->smoothing = calloc(obj->keys.n, sizeof(*mesh->smoothing));
	if (obj->has_smoothing && !mesh->smoothing) {
		cs_mesh_free(mesh);
		return cs_error_nomem();
	}
	obj->color_scale = cs_color_scale(&obj->color_range, obj->job, obj->path);
	for (size_t v = 0; v < obj->keys.n; v++)
		fill_vertex(obj, mesh, v);
	drop_pools(obj);
	free(mesh->indices);
	free(mesh->materials);
	cs_strings_deinit(&mesh->strings);
	mesh->indices = obj->indices.at;
	mesh->materials = obj->materials.at;
	mesh->n_triangles = (uint32_t)obj->materials.n;
	mesh->strings = obj->mesh->strings;
	mesh->n_materials = obj->n_materials ? obj->n_materials : 1;
	memcpy(mesh->names, obj->names, sizeof(mesh->names));
	memset(&obj->indices, 0, sizeof(obj->indices));
	memset(&obj->materials, 0, sizeof(obj->materials));
	memset(&obj->mesh->strings, 0, sizeof(obj->mesh->strings));
	*ret = mesh;
	return NULL;
}

static struct cs_error *obj_start(struct obj *obj)
{
	static const char unnamed[] = "DefaultMaterial";
	struct cs_limits limits = cs_job_limits(obj->job);
	obj->most_records = limits.records < UINT32_MAX / 3 ? limits.records : UINT32_MAX / 3;
	struct cs_error *error = cs_source_open(obj->path, limits.file_bytes, &obj->file);
	if (error)
		return error;
	obj->most_positions = obj->file.size / LEAST_STATEMENT + 1;
	obj->piece = malloc(PIECE);
	error = cs_mesh_new(&(struct cs_mesh_size){0}, obj->job, &obj->mesh);
	if (error)
		return error;
	obj->wanted = cs_strings_add(&obj->mesh->strings, unnamed, strlen(unnamed));
	return obj->piece && obj->wanted != CS_NONE ? NULL : cs_error_nomem();
}

struct cs_error *cs_mesh_read_obj(const char *path, const struct cs_job *job,
	struct cs_mesh_report *report, struct cs_mesh **ret)
{
	struct obj obj = {.path = path, .job = job, .file = {.fd = -1}, .smoothing = CS_NONE};
	struct cs_error *error = obj_start(&obj);
	if (!error)
		error = read_pieces(&obj);
	if (!error)
		error = cs_source_unchanged(&obj.file);
	if (!error)
		error = make_mesh(&obj, ret);
	report->lines = obj.n_lines;
	report->collision = obj.n_collision;
	report->overlapping = obj.n_overlapping;
	report->statements = obj.n_unknown;
	drop_pools(&obj);
	cs_vec_free(&obj.first);
	cs_vec_free(&obj.next);
	cs_slots_deinit(&obj.slots);
	cs_vec_free(&obj.indices);
	cs_vec_free(&obj.materials);
	cs_vec_free(&obj.face);
	cs_vec_free(&obj.cuts);
	cs_vec_free(&obj.places);
	cs_vec_free(&obj.early);
	free(obj.piece);
	cs_mesh_free(obj.mesh);
	if (obj.file.fd >= 0)
		cs_source_close(&obj.file);
	return error;
}
