/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files by offset. The result of every system call is checked. */
#include "format/byte_source.h"

#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct cs_error *check_stat(
	int fd, const char *path, uint64_t size_limit, struct cs_source_file *source)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return cs_error_errno(errno, path, "find out the size of the file");
	if (!S_ISREG(st.st_mode))
		return cs_error_at(
			CS_E_NOTFILE, path, CS_NO_OFFSET, "the path is not a regular file");
	if ((uint64_t)st.st_size > size_limit)
		return cs_error_at(CS_E_LIMIT, path, CS_NO_OFFSET,
			"the file has %lld bytes, more than the limit of %llu",
			(long long)st.st_size, (unsigned long long)size_limit);
	source->size = (uint64_t)st.st_size;
	source->modified_s = st.st_mtim.tv_sec;
	source->modified_ns = st.st_mtim.tv_nsec;
	return NULL;
}

struct cs_error *cs_source_open(const char *path, uint64_t size_limit, struct cs_source_file *ret)
{
	struct cs_source_file source = {
		.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
	if (source.fd < 0)
		return cs_error_errno(errno, path, "open");
	struct cs_error *error = check_stat(source.fd, path, size_limit, &source);
	if (!error && !(source.name = strdup(path)))
		error = cs_error_nomem();
	if (error) {
		close(source.fd);
		return error;
	}
	*ret = source;
	return NULL;
}

struct cs_error *cs_source_memory(
	const void *bytes, size_t size, const char *name, struct cs_source_file *ret)
{
	static const unsigned char nothing[1];
	struct cs_source_file source = {
		.name = strdup(name), .bytes = size ? bytes : nothing, .fd = -1, .size = size};
	if (!source.name)
		return cs_error_nomem();
	*ret = source;
	return NULL;
}

struct cs_error *cs_source_read(
	const struct cs_source_file *source, uint64_t offset, void *ret, size_t n)
{
	if (offset > source->size || n > source->size - offset)
		return cs_error_at(CS_E_TRUNCATED, source->name, source->size,
			"the file ends before byte %llu, which is needed",
			(unsigned long long)offset + (unsigned long long)n);
	if (source->bytes) {
		memcpy(ret, source->bytes + offset, n);
		return NULL;
	}
	unsigned char *to = ret;
	while (n > 0) {
		ssize_t got = pread(source->fd, to, n, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return cs_error_errno(errno, source->name, "read");
		if (got == 0)
			return cs_error_at(CS_E_CHANGED, source->name, offset,
				"the file became shorter while it was being read");
		to += got;
		offset += (uint64_t)got;
		n -= (size_t)got;
	}
	return NULL;
}

struct cs_error *cs_source_unchanged(const struct cs_source_file *source)
{
	struct stat st;
	if (source->bytes)
		return NULL;
	if (fstat(source->fd, &st) < 0)
		return cs_error_errno(errno, source->name, "find out the size of the file");
	if ((uint64_t)st.st_size != source->size || st.st_mtim.tv_sec != source->modified_s ||
		st.st_mtim.tv_nsec != source->modified_ns)
		return cs_error_at(CS_E_CHANGED, source->name, CS_NO_OFFSET,
			"the file changed while it was being read");
	return NULL;
}

void cs_source_close(struct cs_source_file *source)
{
	if (!source->bytes && source->name)
		close(source->fd);
	free(source->name);
	*source = (struct cs_source_file){.fd = -1};
}

struct cs_error *cs_read_whole(
	const char *path, uint64_t size_limit, unsigned char **bytes_ret, size_t *size_ret)
{
	struct cs_source_file source;
	struct cs_error *error = cs_source_open(path, size_limit, &source);
	if (error)
		return error;
	unsigned char *bytes = NULL;
	if (source.size < SIZE_MAX)
		bytes = malloc((size_t)source.size + 1);
	if (!bytes)
		error = cs_error_nomem();
	else
		error = cs_source_read(&source, 0, bytes, (size_t)source.size);
	if (!error)
		error = cs_source_unchanged(&source);
	if (error) {
		free(bytes);
	} else {
		bytes[source.size] = '\0';
		*bytes_ret = bytes;
		*size_ret = (size_t)source.size;
	}
	cs_source_close(&source);
	return error;
}

/* ---- symbolic links to folders ---- */

/*
 * Returns whether `target`, to which a link leads, is the folder at `path` or contains it. `target`
 * contains no links.
 */
static bool target_contains(const char *target, const char *path)
{
	char *place = realpath(path, NULL);
	const size_t n = strlen(target);
	const bool within = !place || n == 1 ||
			    (strncmp(place, target, n) == 0 && (place[n] == '/' || !place[n]));
	free(place);
	return within;
}

bool cs_link_leads_on(const char *path, size_t root, int most)
{
	char *target = realpath(path, NULL), *part = strdup(path);
	bool enter = target && part;
	int links = 0;
	for (size_t at = root; enter && path[at];) {
		const size_t next = at + 1 + strcspn(path + at + 1, "/");
		struct stat st;
		part[next] = '\0';
		if (lstat(part, &st) == 0 && S_ISLNK(st.st_mode)) {
			part[at] = '\0';
			enter = ++links <= most && !target_contains(target, at ? part : "/");
			part[at] = '/';
		}
		part[next] = path[next];
		at = next;
	}
	free(target);
	free(part);
	return enter;
}

/* ---- texts in UTF-16 ---- */

static uint32_t unit_at(const unsigned char *bytes, size_t i, bool big)
{
	return (uint32_t)bytes[2 * i + !big] << 8 | bytes[2 * i + big];
}

size_t cs_utf16_convert(const unsigned char *bytes, size_t units, bool big, unsigned char *to)
{
	size_t n = 0;
	for (size_t i = 0; i < units; i++) {
		uint32_t c = unit_at(bytes, i, big);
		uint32_t low = i + 1 < units ? unit_at(bytes, i + 1, big) : 0;
		if (c >= 0xd800 && c < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			i++;
		} else if (c >= 0xd800 && c < 0xe000) {
			c = 0xfffd;
		}
		n += cs_utf8_encode(c, (char *)to + n);
	}
	return n;
}

struct cs_error *cs_utf16_narrow(
	const struct cs_source_file *source, uint64_t most, unsigned char **ret, size_t *size_ret)
{
	unsigned char start[2];
	*ret = NULL;
	if (source->size < 2)
		return NULL;
	struct cs_error *error = cs_source_read(source, 0, start, 2);
	bool little = start[0] == 0xff && start[1] == 0xfe,
	     big = start[0] == 0xfe && start[1] == 0xff;
	bool marked = little || big;
	little |= start[0] && !start[1];
	big |= !start[0] && start[1];
	if (error || !(little || big))
		return error;
	if (source->size > most)
		return cs_error_at(CS_E_LIMIT, source->name, 0,
			"the file is text in UTF-16 and is longer than the memory limit of %llu "
			"bytes (raise it with --max-mem)",
			(unsigned long long)most);
	size_t units = (size_t)source->size / 2 - marked;
	unsigned char *bytes = malloc(2 * units + 1), *text = malloc(3 * units + 1);
	error = bytes && text ? cs_source_read(source, marked ? 2 : 0, bytes, 2 * units)
			      : cs_error_nomem();
	if (!error)
		*size_ret = cs_utf16_convert(bytes, units, big, text);
	free(bytes);
	if (error)
		free(text);
	else
		*ret = text;
	return error;
}

struct cs_error *cs_utf16_narrow_bytes(
	const char *file, uint64_t most, unsigned char **bytes, size_t *size)
{
	struct cs_source_file source = {.fd = -1};
	unsigned char *narrow_text = NULL;
	size_t n = 0;
	struct cs_error *error = cs_source_memory(*bytes, *size, file, &source);
	if (error)
		return error;
	error = cs_utf16_narrow(&source, most, &narrow_text, &n);
	cs_source_close(&source);
	if (!error && narrow_text) {
		free(*bytes);
		*bytes = narrow_text;
		*size = n;
	}
	return error;
}
