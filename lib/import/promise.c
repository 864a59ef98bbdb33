/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks what a file states about its own size, by format: the triangle count of a binary STL, the
 * length of a GLB and of its chunks, the element counts in the header of a PLY.
 */
#include "import/import_parts.h"

#include "core/cursor.h"
#include "core/utf8.h"
#include "import/gltf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cs_error *too_short(const struct cs_mesh_file *file, const char *what, uint64_t want)
{
	return cs_error_at(CS_E_TRUNCATED, file->name, file->size,
		"the %s needs a file of %llu bytes, but the file has only %zu", what,
		(unsigned long long)want, file->size);
}

/* Checks that a text STL ends with the line "endsolid", which assimp does not require. */
static struct cs_error *check_text_stl(const struct cs_mesh_file *file)
{
	size_t end = file->size, at;
	while (end > 0 && file->bytes[end - 1] <= ' ')
		end--;
	for (at = end; at > 0 && file->bytes[at - 1] != '\n' && file->bytes[at - 1] != '\r';)
		at--;
	while (at < end && file->bytes[at] <= ' ')
		at++;
	if (end - at >= 8 && strncasecmp((const char *)file->bytes + at, "endsolid", 8) == 0)
		return NULL;
	return cs_error_at(
		CS_E_TRUNCATED, file->name, file->size, "the file ends before its line endsolid");
}

static bool stl_is_word(const unsigned char *word, const unsigned char *end, const char *name)
{
	return (size_t)(end - word) == strlen(name) && memcmp(word, name, strlen(name)) == 0;
}

/*
 * Checks that each facet of a text STL has three vertices, because assimp would leave out a fourth.
 * A facet may be divided into lines in any way, but the name of a solid ends with its line.
 */
static struct cs_error *check_facets(const struct cs_mesh_file *file)
{
	const unsigned char *at = file->bytes, *end = at + file->size, *facet = at;
	for (uint64_t n = 0; at < end;) {
		while (at < end && *at <= ' ')
			at++;
		const unsigned char *word = at;
		while (at<end && * at> ' ')
			at++;
		if (stl_is_word(word, at, "facet")) {
			facet = word;
			n = 0;
		}
		n += stl_is_word(word, at, "vertex");
		if (stl_is_word(word, at, "endfacet") && n != 3)
			return cs_error_at(CS_E_MESH, file->name, (uint64_t)(facet - file->bytes),
				"a facet must have 3 vertices, not %llu: export the mesh as "
				"triangles",
				(unsigned long long)n);
		if (stl_is_word(word, at, "solid") || stl_is_word(word, at, "endsolid"))
			while (at < end && *at != '\n' && *at != '\r')
				at++;
	}
	return NULL;
}

enum { STL_HEAD = 84 }; /* size in bytes of what precedes the facets of a binary STL */

/* Returns whether an STL is text. A binary one may begin with "solid", but its head has zeros. */
static bool is_text_stl(const struct cs_mesh_file *file)
{
	const size_t head = file->size < STL_HEAD ? file->size : STL_HEAD;
	return head > 0 && !memchr(file->bytes, 0, head);
}

static struct cs_error *check_stl(const struct cs_mesh_file *file)
{
	enum { HEAD = STL_HEAD, FACET = 50 };
	const bool is_text = is_text_stl(file);
	if (is_text && file->size >= 5 && memcmp(file->bytes, "solid", 5) == 0) {
		struct cs_error *error = check_text_stl(file);
		return error ? error : check_facets(file);
	}
	if (is_text)
		return cs_error_at(
			CS_E_MESH, file->name, 0, "a text STL must begin with the word solid");
	if (file->size < HEAD)
		return too_short(file, "head of an STL", HEAD);
	uint64_t want = HEAD + (uint64_t)FACET * cs_load32(file->bytes + 80);
	if (want < file->size)
		return cs_error_at(CS_E_MESH, file->name, want,
			"the file goes on after the facets that its header declares");
	return want > file->size ? too_short(file, "content that the header declares", want) : NULL;
}

static struct cs_error *check_glb(const struct cs_mesh_file *file)
{
	enum { HEAD = 12, CHUNK = 8 };
	if (!cs_import_is_glb(file))
		return cs_error_at(CS_E_MESH, file->name, 0,
			"the file is not a GLB: it does not begin with glTF");
	if (file->size < HEAD + CHUNK)
		return too_short(file, "head of a GLB", HEAD + CHUNK);
	const uint32_t version = cs_load32(file->bytes + 4);
	if (version != 2)
		return cs_error_at(CS_E_FEATURE, file->name, 4,
			"the file has version %u of GLB, but only version 2 can be read", version);
	uint64_t length = cs_load32(file->bytes + 8);
	if (length > file->size)
		return too_short(file, "content that the header declares", length);
	if (length < HEAD + CHUNK)
		return cs_error_at(CS_E_MESH, file->name, 8,
			"the header declares a GLB of %llu bytes, fewer than the %d of the headers "
			"of the file and of its first chunk",
			(unsigned long long)length, HEAD + CHUNK);
	for (uint64_t at = HEAD; at + CHUNK <= length;) {
		const uint64_t end = at + CHUNK + cs_load32(file->bytes + at);
		if (end > length)
			return cs_error_at(CS_E_TRUNCATED, file->name, at,
				"the chunk ends at byte %llu, but the GLB ends at byte %llu",
				(unsigned long long)end, (unsigned long long)length);
		at = end;
	}
	return NULL;
}

/* Refuses a GLB whose file name is that of a glTF text file, because assimp does not read it. */
static struct cs_error *check_gltf_text(const struct cs_mesh_file *file)
{
	if (!cs_import_is_glb(file))
		return NULL;
	return cs_error_at(
		CS_E_MESH, file->name, 0, "the file is a GLB, so its name must end in .glb");
}

/* ---- sizes stated in the header of a PLY ---- */

struct ply {
	const struct cs_mesh_file *file;
	size_t at; /* offset in the file of the next line */
	bool is_text;
	uint64_t want;  /* least number of bytes of all elements so far */
	uint64_t lines; /* least number of lines, if the file is text: one for each element */
	/* number of elements of the current kind, whose properties are being read */
	uint64_t count;
	uint64_t each; /* least number of bytes of one element of the current kind */
};

/* Returns the size in bytes of a scalar type of PLY, or 0 if the name is unknown. */
static unsigned type_size(const char *name)
{
	static const struct {
		const char *name;
		unsigned size;
	} types[] = {{"char", 1}, {"uchar", 1}, {"int8", 1}, {"uint8", 1}, {"short", 2},
		{"ushort", 2}, {"int16", 2}, {"uint16", 2}, {"int", 4}, {"uint", 4}, {"int32", 4},
		{"uint32", 4}, {"float", 4}, {"float32", 4}, {"double", 8}, {"float64", 8}};
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, name) == 0)
			return types[i].size;
	return 0;
}

static bool promise_next_line(struct ply *ply, char line[256])
{
	const char *from = (const char *)ply->file->bytes + ply->at;
	size_t left = ply->file->size - ply->at;
	const char *end = memchr(from, '\n', left);
	size_t n = end ? (size_t)(end - from) : left;
	if (!end)
		return false;
	snprintf(line, 256, "%.*s", (int)(n < 255 ? n : 255), from);
	ply->at += n + 1;
	return true;
}

/*
 * Adds the bytes and lines of the elements of the current kind to the sums of the file. Fails if
 * the sum of bytes exceeds 2^63 - 1.
 */
static struct cs_error *end_element(struct ply *ply)
{
	uint64_t bytes;
	if (__builtin_mul_overflow(ply->count, ply->each, &bytes) ||
		__builtin_add_overflow(ply->want, bytes, &ply->want) ||
		__builtin_add_overflow(ply->lines, ply->count, &ply->lines) ||
		ply->want > INT64_MAX)
		return cs_error_at(CS_E_TRUNCATED, ply->file->name, ply->at,
			"the header announces more elements than any file can have");
	ply->count = ply->each = 0;
	return NULL;
}

/*
 * Parses a header line. A `property` adds the least size of its value in bytes to ply->each (in a
 * text file 2: a digit and a separator).
 */
static struct cs_error *promise_take_line(struct ply *ply, const char *line)
{
	char word[3][24] = {"", "", ""};
	unsigned long long count;
	int n = sscanf(line, "property %23s %23s %23s", word[0], word[1], word[2]);
	bool is_list = n > 0 && strcmp(word[0], "list") == 0;
	if (n > 0) {
		unsigned size = type_size(is_list ? word[1] : word[0]);
		if (!size || (is_list && !type_size(word[2])))
			return cs_error_at(CS_E_MESH, ply->file->name, ply->at,
				"the header has a property of the unknown type '%s'",
				is_list && type_size(word[1]) ? word[2] : word[is_list ? 1 : 0]);
		ply->each += ply->is_text ? 2 : size;
	} else if (sscanf(line, "element %23s %llu", word[0], &count) == 2) {
		struct cs_error *error = end_element(ply);
		if (error)
			return error;
		ply->count = count;
	} else if (sscanf(line, "format %23s", word[0]) == 1) {
		ply->is_text = strcmp(word[0], "ascii") == 0;
		if (!ply->is_text && strncmp(word[0], "binary_", 7) != 0)
			return cs_error_at(CS_E_MESH, ply->file->name, ply->at,
				"the header names the unknown format '%s': only ascii, "
				"binary_little_endian and binary_big_endian can be read",
				word[0]);
	}
	return NULL;
}

/* Counts the non-empty lines after the header. */
static uint64_t promise_count_lines(const struct ply *ply)
{
	const unsigned char *at = ply->file->bytes + ply->at;
	const unsigned char *end = ply->file->bytes + ply->file->size;
	uint64_t n = 0;
	for (bool empty = true; at < end; at++) {
		n += empty && *at > ' ';
		empty = *at == '\n' || (empty && *at <= ' ');
	}
	return n;
}

static struct cs_error *check_ply(const struct cs_mesh_file *file)
{
	struct ply ply = {.file = file};
	struct cs_error *error = NULL;
	char line[256];
	bool ended = false;
	while (!ended && !error && promise_next_line(&ply, line)) {
		line[strcspn(line, "\r")] = '\0';
		ended = strcmp(line, "end_header") == 0;
		error = promise_take_line(&ply, line);
	}
	if (error)
		return error;
	if (!ended || file->size < 3 || memcmp(file->bytes, "ply", 3) != 0)
		return cs_error_at(CS_E_MESH, file->name, file->size,
			"a PLY must begin with ply, and its header must end with a line end_header");
	if ((error = end_element(&ply)))
		return error;
	/* the last number of a text file needs no separator */
	uint64_t want = ply.want - (ply.is_text && ply.want ? 1 : 0) + ply.at;
	if (want > file->size)
		return too_short(file, "content that the header declares", want);
	uint64_t lines = ply.is_text ? promise_count_lines(&ply) : 0;
	if (ply.is_text && lines < ply.lines)
		return cs_error_at(CS_E_TRUNCATED, file->name, file->size,
			"the header declares %llu elements, each on a line, but only %llu lines "
			"follow it",
			(unsigned long long)ply.lines, (unsigned long long)lines);
	return NULL;
}

/*
 * Replaces a text STL that is in capitals, or that begins with a byte order mark or blanks, by one
 * that assimp reads. The caller frees the new bytes.
 */
static struct cs_error *settle_text_stl(struct cs_mesh_file *file)
{
	const char *dot = strrchr(file->name, '.');
	size_t skip = cs_utf8_mark((const char *)file->bytes, file->size);
	while (skip < file->size && strchr(" \t\r\n", file->bytes[skip]) && file->bytes[skip])
		skip++;
	const char *word = (const char *)file->bytes + skip;
	if (!dot || cs_name_compare(dot, ".stl") != 0 || !is_text_stl(file) ||
		file->size - skip < 5 || strncasecmp(word, "solid", 5) != 0 ||
		(skip == 0 && memcmp(word, "solid", 5) == 0))
		return NULL;
	unsigned char *text = malloc(file->size - skip);
	if (!text)
		return cs_error_nomem();
	for (size_t i = skip; i < file->size; i++) {
		const unsigned char c = file->bytes[i];
		text[i - skip] = c >= 'A' && c <= 'Z' ? (unsigned char)(c | 32) : c;
	}
	file->bytes = text;
	file->size -= skip;
	return NULL;
}

/*
 * Rewrites the colours of the facets of a binary STL file. The highest bit means that a facet has a
 * colour of its own, and assimp reads it so. But in files of Magics, whose header has "COLOR=", it
 * means that the facet has the colour of the header. Where other files have no colour, assimp sets
 * a transparent grey; white is set here, as for other formats. The caller frees the new bytes.
 */
static struct cs_error *settle_facet_colors(struct cs_mesh_file *file)
{
	enum { HEAD = 80, FACET = 50, COLOR = 48, TOP = 0x8000, WHITE = 0xffff };
	const bool magics = memmem(file->bytes, HEAD, "COLOR=", 6);
	bool used = magics;
	unsigned char *bytes = malloc(file->size);
	if (!bytes)
		return cs_error_nomem();
	memcpy(bytes, file->bytes, file->size);
	for (size_t at = STL_HEAD + COLOR; at < file->size; at += FACET) {
		const unsigned color = cs_load16(bytes + at);
		const bool own = color != 0 && !(color & TOP) == magics;
		cs_store16(bytes + at, (uint16_t)(own ? color | TOP : magics ? 0 : WHITE));
		used |= own;
	}
	if (used)
		file->bytes = bytes;
	else
		free(bytes);
	return NULL;
}

struct cs_error *cs_import_promise(struct cs_mesh_file *file)
{
	static const struct {
		const char *extension;
		struct cs_error *(*check)(const struct cs_mesh_file *file);
	} formats[] = {{".stl", check_stl}, {".glb", check_glb}, {".gltf", check_gltf_text},
		{".ply", check_ply}};
	const char *dot = strrchr(file->name, '.');
	struct cs_error *error = settle_text_stl(file);
	for (size_t i = 0; dot && !error && i < sizeof(formats) / sizeof(formats[0]); i++)
		if (cs_name_compare(dot, formats[i].extension) == 0)
			error = formats[i].check(file);
	if (!error && dot && cs_name_compare(dot, ".stl") == 0 && !is_text_stl(file))
		error = settle_facet_colors(file);
	if (!error && dot &&
		(cs_name_compare(dot, ".gltf") == 0 || cs_name_compare(dot, ".glb") == 0))
		error = cs_import_check_gltf(file);
	return error;
}
