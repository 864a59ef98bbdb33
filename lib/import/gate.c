/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Controls which files assimp may read. assimp reads every byte through these callbacks, which
 * enforce size limits, open only regular files, and open no file outside of the main file's folder.
 */
#include "import/gate.h"

#include "core/text.h"
#include "format/byte_source.h"
#include "import/dequantize.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct open_file {
	/* must be the first member: assimp passes its address to the callbacks */
	struct aiFile file;
	const unsigned char *bytes;
	/* bytes to free, or NULL for the main file, whose bytes the caller owns */
	unsigned char *owned;
	size_t size, position;
};

static size_t read_file(struct aiFile *file, char *to, size_t size, size_t count)
{
	struct open_file *open_file = (struct open_file *)file;
	size_t left = open_file->size - open_file->position;
	if (size == 0)
		return 0;
	if (count > left / size)
		count = left / size;
	memcpy(to, open_file->bytes + open_file->position, size * count);
	open_file->position += size * count;
	return count;
}

static size_t write_nothing(struct aiFile *file, const char *from, size_t size, size_t count)
{
	(void)file;
	(void)from;
	(void)size;
	(void)count;
	return 0;
}

static size_t gate_tell(struct aiFile *file)
{
	return ((struct open_file *)file)->position;
}

static size_t file_size(struct aiFile *file)
{
	return ((struct open_file *)file)->size;
}

static enum aiReturn gate_seek(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
	struct open_file *open_file = (struct open_file *)file;
	size_t base = origin == aiOrigin_SET   ? 0
		      : origin == aiOrigin_CUR ? open_file->position
					       : open_file->size;
	/* a negative offset arrives as a large size_t, and the addition wraps around */
	size_t to = base + offset;
	if (to > open_file->size)
		return aiReturn_FAILURE;
	open_file->position = to;
	return aiReturn_SUCCESS;
}

static void flush_nothing(struct aiFile *file)
{
	(void)file;
}

/* Returns whether a path names a file in the main file's folder or in a subfolder. */
static bool gate_is_inside(const struct gate *gate, const char *name)
{
	if (strncmp(name, gate->main.name, gate->folder) != 0)
		return false;
	if (gate->folder == 0 && strchr("/\\", name[0]))
		/* an absolute path leaves the current folder, which contains the main file */
		return false;
	for (const char *part = name + gate->folder; part; part = strpbrk(part, "/\\")) {
		part += strspn(part, "/\\");
		if (strncmp(part, "..", 2) == 0 && (!part[2] || strchr("/\\", part[2])))
			return false;
	}
	return true;
}

static int digit_of_escape(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : strchr("abcdef", c | 32) ? (c | 32) - 'a' + 10 : -1;
}

size_t gate_decode_percents(const char *text, char *ret)
{
	size_t n = 0;
	for (; *text; n++) {
		const int high = *text == '%' && text[1] ? digit_of_escape(text[1]) : -1;
		const int low = high >= 0 && text[2] ? digit_of_escape(text[2]) : -1;
		if (ret)
			ret[n] = low >= 0 ? (char)(16 * high + low) : *text;
		text += low >= 0 ? 3 : 1;
	}
	if (ret)
		ret[n] = '\0';
	return n;
}

/* Converts a name to Latin-1. Returns the number of bytes, or 0 if a character has none there. */
static size_t gate_to_latin(const char *name, char to[PATH_MAX])
{
	size_t n = 0, left = strlen(name);
	while (left > 0) {
		uint32_t c;
		const size_t length = cs_utf8_decode((const unsigned char *)name, left, &c);
		if (length == 0 || c > 0xff)
			return 0;
		to[n++] = (char)c;
		name += length;
		left -= length;
	}
	to[n] = '\0';
	return n;
}

/*
 * Returns `name` or, if there is no such file beside the main file, `name` with %XX decoded, else
 * in Latin-1: a main file in Latin-1 has become UTF-8, but the names of files beside it have not.
 */
static const char *name_beside(const struct gate *gate, const char *name, char decoded[PATH_MAX])
{
	if (access(name, F_OK) == 0 || strlen(name) >= PATH_MAX)
		return name;
	const size_t n = strchr(name, '%') ? gate_decode_percents(name, decoded)
					   : gate_to_latin(name, decoded);
	return n > 0 && strlen(decoded) == n && gate_is_inside(gate, decoded) ? decoded : name;
}

/* Reads a file of at most the bytes that the memory limit leaves for further files. */
static struct cs_error *read_beside(const struct gate *gate, const char *name, struct open_file *to)
{
	char decoded[PATH_MAX];
	struct cs_error *error =
		cs_read_whole(name_beside(gate, name, decoded), gate->left, &to->owned, &to->size);
	return error && error->code == CS_E_LIMIT
		       ? cs_error_add(error, " (raise it with --max-mem)")
		       : error;
}

/* Makes the path of a file that `uri` names; E_MESH if it is outside the main file's folder. */
static struct cs_error *gate_path(const struct gate *gate, const char *uri, char name[PATH_MAX])
{
	const size_t n = strlen(uri);
	if (gate->folder + n >= PATH_MAX)
		return cs_error_at(CS_E_MESH, gate->main.name, CS_NO_OFFSET,
			"the path of a buffer has %zu bytes, but must have fewer than %d",
			gate->folder + n, PATH_MAX);
	memcpy(name, gate->main.name, gate->folder);
	for (size_t i = 0; i <= n; i++)
		name[gate->folder + i] = (char)(uri[i] == '\\' ? '/' : uri[i]);
	if (!gate_is_inside(gate, name))
		return cs_error_at(CS_E_MESH, gate->main.name, CS_NO_OFFSET,
			"the buffer %s is outside of the folder of the file: move it into that "
			"folder",
			uri);
	return NULL;
}

struct cs_error *gate_measure(const struct gate *gate, const char *uri, size_t *ret)
{
	char name[PATH_MAX], decoded[PATH_MAX];
	struct stat st;
	struct cs_error *error = gate_path(gate, uri, name);
	if (error)
		return error;
	const char *found = name_beside(gate, name, decoded);
	if (stat(found, &st) < 0)
		return cs_error_errno(errno, found, "open");
	*ret = (size_t)st.st_size;
	return NULL;
}

struct cs_error *gate_read(
	struct gate *gate, const char *uri, unsigned char **ret, size_t *size_ret)
{
	char name[PATH_MAX];
	struct open_file file = {.size = 0};
	struct cs_error *error = gate_path(gate, uri, name);
	if (!error)
		error = read_beside(gate, name, &file);
	if (error)
		return error;
	gate->left -= file.size;
	*ret = file.owned;
	*size_ret = file.size;
	return NULL;
}

/* Returns whether `name` is the URI of the floats that were converted from integers. */
static bool is_floats(const struct gate *gate, const char *name)
{
	const size_t n = strlen(name), length = strlen(CS_DEQUANTIZED_URI);
	return gate->main.floats && n >= length &&
	       strcmp(name + n - length, CS_DEQUANTIZED_URI) == 0;
}

static struct aiFile *gate_open_file(struct aiFileIO *io, const char *name, const char *mode)
{
	struct gate *gate = (struct gate *)(void *)io->UserData;
	struct open_file *file = calloc(1, sizeof(*file));
	if (!file || mode[0] != 'r' || strchr(mode, '+') || !gate_is_inside(gate, name)) {
		free(file);
		return NULL;
	}
	file->bytes = gate->main.bytes;
	file->size = gate->main.size;
	if (is_floats(gate, name)) {
		file->bytes = gate->main.floats;
		file->size = gate->main.floats_size;
	} else if (strcmp(name, gate->main.name) != 0) {
		struct cs_error *error = read_beside(gate, name, file);
		if (error) {
			if (error->code == CS_E_LIMIT)
				gate->refused = cs_error_first(gate->refused, error);
			else
				cs_error_free(error);
			free(file);
			return NULL;
		}
		file->bytes = file->owned;
		gate->left -= file->size;
	}
	file->file = (struct aiFile){.ReadProc = read_file,
		.WriteProc = write_nothing,
		.TellProc = gate_tell,
		.FileSizeProc = file_size,
		.SeekProc = gate_seek,
		.FlushProc = flush_nothing};
	return &file->file;
}

static void close_file(struct aiFileIO *io, struct aiFile *file)
{
	struct open_file *open_file = (struct open_file *)file;
	(void)io;
	if (open_file)
		free(open_file->owned);
	free(open_file);
}

void gate_init(struct gate *gate, const struct cs_mesh_file *file)
{
	const char *slash = strrchr(file->name, '/');
	*gate = (struct gate){
		*file, slash ? (size_t)(slash - file->name) + 1 : 0, file->other_bytes, NULL};
}

struct aiFileIO gate_io(struct gate *gate)
{
	return (struct aiFileIO){
		.OpenProc = gate_open_file, .CloseProc = close_file, .UserData = (void *)gate};
}
