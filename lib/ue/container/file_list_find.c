/* SPDX-License-Identifier: Apache-2.0 */
/* Finds, reads and extracts files of a place (opened folder, container or package). */
#include "ue/container/file_list.h"

#include "core/job.h"
#include "core/search.h"
#include "core/text.h"
#include "core/writer.h"
#include "format/save.h"
#include "ue/container/hash.h"

#include <cellscope/core.h>

#include <stdio.h>

/* Returns how many files contain the package. Their indices begin at by_package[*row_ret]. */
static size_t count_package(const struct cs_ue_place *place, const char *package, size_t *row_ret)
{
	const uint32_t *rows = place->by_package;
	size_t row = cs_lower_bound(0, place->n_by_package, i,
		       cs_name_compare(place->files[rows[i]].package, package) < 0),
	       end = row;
	while (end < place->n_by_package &&
		cs_name_compare(place->files[rows[end]].package, package) == 0)
		end++;
	*row_ret = row;
	return end - row;
}

bool cs_ue_place_has_copies(const struct cs_ue_place *place, const char *package)
{
	size_t row;
	return *package && count_package(place, package, &row) > 1;
}

bool cs_ue_place_package(const struct cs_ue_place *place, const char *package, size_t *ret)
{
	size_t row;
	if (count_package(place, package, &row) > 0) {
		*ret = place->by_package[row];
		return true;
	}
	/* search by chunk id, because paths may be missing or begin with another mount point */
	uint64_t id = cs_ue_path_hash(package, strlen(package));
	row = cs_lower_bound(0, place->n_by_id, i, place->files[place->by_id[i]].id < id);
	if (row < place->n_by_id && place->files[place->by_id[row]].id == id) {
		*ret = place->by_id[row];
		return true;
	}
	return false;
}

/* Returns whether `text` is the whole path, or the part of it after a slash. */
static bool is_end_of(const char *path, const char *text)
{
	size_t n = strlen(path), m = strlen(text);
	if (m > n || cs_name_compare(path + n - m, text) != 0)
		return false;
	return m == n || path[n - m - 1] == '/';
}

/*
 * Returns whether the path without its extension is `text`, or ends in a slash and `text`. `text`
 * has no dot.
 */
static bool is_stem_of(const char *path, const char *text)
{
	size_t m = strlen(text);
	const char *name = cs_base_name(path);
	const char *dot = strrchr(name, '.');
	if (!dot || strchr(text, '.'))
		return false;
	size_t n = (size_t)(dot - path);
	return m <= n && strncasecmp(path + n - m, text, m) == 0 &&
	       (m == n || path[n - m - 1] == '/');
}

/* Largest number of files that the message about an ambiguous name lists. */
enum { MOST_TOLD = 8 };

static struct cs_error *ambiguous_file(
	const struct cs_ue_place *place, const char *text, const size_t found[MOST_TOLD], size_t n)
{
	struct cs_writer list = {0};
	for (size_t i = 0; i < n && i < MOST_TOLD; i++) {
		const char *path = place->files[found[i]].path;
		cs_writer_bytes(&list, i ? ", " : "", i ? 2 : 0);
		cs_writer_bytes(&list, path, strlen(path));
	}
	cs_writer_u8(&list, '\0');
	struct cs_error *error =
		list.failed ? cs_error_nomem()
		: n > MOST_TOLD
			? cs_error_new(CS_E_AMBIGUOUS,
				  "'%s' matches %zu files, but must match one: %s and %zu more, which "
				  "`find %s` lists",
				  text, n, (const char *)list.bytes, n - MOST_TOLD, text)
			: cs_error_new(CS_E_AMBIGUOUS,
				  "'%s' matches %zu files, but must match one: %s", text, n,
				  (const char *)list.bytes);
	cs_writer_deinit(&list);
	return error;
}

struct cs_error *cs_ue_place_find(const struct cs_ue_place *place, const char *text, size_t *ret)
{
	size_t found[MOST_TOLD], n = 0;
	const bool copies = *text == '/' && cs_ue_place_has_copies(place, text);
	if (*text == '/' && !copies && cs_ue_place_package(place, text, ret))
		return NULL;
	for (size_t i = 0; i < place->n_files; i++) {
		const struct cs_ue_place_file *file = &place->files[i];
		bool stem = *file->package && (is_stem_of(file->path, text) ||
						      cs_name_compare(file->package, text) == 0);
		if (file->hidden || !(is_end_of(file->path, text) || stem))
			continue;
		if (strlen(file->path) == strlen(text)) {
			*ret = i;
			return NULL;
		}
		if (n < MOST_TOLD)
			found[n] = i;
		n++;
	}
	if (n > 1)
		return ambiguous_file(place, text, found, n);
	if (n == 0)
		return cs_error_new(CS_E_NOFILE,
			"%s has no file '%s'; `files` lists its files, `find` searches them",
			place->path, text);
	*ret = found[0];
	return NULL;
}

bool cs_ue_place_at(const struct cs_ue_place *place, const char *path, size_t *ret)
{
	size_t row = cs_lower_bound(
		0, place->n_files, i, cs_name_compare(place->files[i].path, path) < 0);
	if (row == place->n_files || cs_name_compare(place->files[row].path, path) != 0)
		return false;
	*ret = row;
	return true;
}

bool cs_ue_place_beside(
	const struct cs_ue_place *place, size_t file, const char *ending, size_t *ret)
{
	const char *path = place->files[file].path, *dot = strrchr(path, '.');
	size_t stem = dot ? (size_t)(dot - path) : strlen(path);
	stem -= cs_ends_with(path, ".m.ubulk") ? 2 : 0;
	char wanted[4096];
	if (stem + strlen(ending) >= sizeof(wanted))
		return false;
	snprintf(wanted, sizeof(wanted), "%.*s%s", (int)stem, path, ending);
	return cs_ue_place_at(place, wanted, ret);
}

struct cs_error *cs_ue_place_read(
	const struct cs_ue_place *place, size_t file, uint64_t offset, void *ret, size_t n)
{
	const struct cs_ue_place_spot *spot = &place->spots[file];
	struct cs_source_file source;
	if (spot->container && spot->entry->deleted)
		return cs_error_at(CS_E_MISSING, place->files[file].path, CS_NO_OFFSET,
			"the patch %s deletes this file, so it has no content",
			place->files[file].container);
	if (spot->container)
		return cs_ue_container_read(spot->container, spot->entry, offset, ret, n);
	struct cs_error *error = cs_source_open(spot->loose, UINT64_MAX, &source);
	if (error)
		return error;
	error = cs_source_read(&source, offset, ret, n);
	cs_source_close(&source);
	return error;
}

struct cs_error *cs_ue_place_read_whole(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, unsigned char **bytes_ret, size_t *size_ret)
{
	uint64_t size = place->files[file].size, most = cs_job_limits(job).memory;
	if (size > most)
		return cs_error_at(CS_E_LIMIT, place->files[file].path, CS_NO_OFFSET,
			"the file has %llu bytes, more than the memory limit of %llu bytes "
			"(raise it with --max-mem)",
			(unsigned long long)size, (unsigned long long)most);
	unsigned char *bytes = malloc((size_t)size + 1);
	if (!bytes)
		return cs_error_nomem();
	struct cs_error *error = cs_ue_place_read(place, file, 0, bytes, (size_t)size);
	if (error) {
		free(bytes);
		return error;
	}
	bytes[size] = 0;
	*bytes_ret = bytes;
	*size_ret = (size_t)size;
	return NULL;
}

enum { PIECE = 1 << 20 };

struct cs_error *cs_ue_place_extract(
	const struct cs_ue_place *place, size_t file, const char *to, const struct cs_job *job)
{
	uint64_t size = place->files[file].size;
	struct cs_save save;
	unsigned char *piece = malloc(PIECE);
	if (!piece)
		return cs_error_nomem();
	struct cs_error *error = cs_save_begin(to, &save);
	if (error) {
		free(piece);
		return error;
	}
	for (uint64_t at = 0; at < size && !error; at += PIECE) {
		size_t n = size - at < PIECE ? (size_t)(size - at) : PIECE;
		error = cs_job_check(job);
		if (!error)
			error = cs_ue_place_read(place, file, at, piece, n);
		if (!error)
			error = cs_save_write(&save, piece, n);
		cs_job_progress(job, "extract", at + n, size);
	}
	free(piece);
	return cs_save_end(&save, error);
}
