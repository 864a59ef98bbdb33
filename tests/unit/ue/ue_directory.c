/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory of a .utoc, which says what the chunks are called: each of its fields by itself is
 * made to lead out of its table, or in a circle, and is refused with a name; all others are read.
 */
#include "tests/samples/engine_container.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include <cellscope/ue.h>

#include <sys/stat.h>

static const char mount[] = "../../../Town/";
static const struct engine_file files[] = {
	{"Content/Maps/A.umap", "aaaa", 4, 11, 2, false},
	{"Content/Maps/B.umap", "bbbb", 4, 12, 2, false},
	{"Content/C.uasset", "cccc", 4, 13, 2, false},
	{"D.ini", "dddd", 4, 14, 2, false},
};
enum { FILES = 4, FOLDER = 16, FILE_ROW = 12 };

static char folder[4096];

/* The offsets of the tables in the bytes of the .utoc. */
struct tables {
	size_t folders, files;
	uint32_t n_folders, n_files, n_names;
};

static struct tables tables_of(const struct cs_writer *toc)
{
	size_t at = 0;
	while (memcmp(toc->bytes + at, mount, sizeof(mount)) != 0)
		at++;
	at += sizeof(mount);
	struct tables t = {.n_folders = cs_load32(toc->bytes + at), .folders = at + 4};
	at = t.folders + (size_t)t.n_folders * FOLDER;
	t.n_files = cs_load32(toc->bytes + at);
	t.files = at + 4;
	t.n_names = cs_load32(toc->bytes + t.files + (size_t)t.n_files * FILE_ROW);
	return t;
}

static struct cs_error *open_bytes(const struct cs_writer *toc, size_t *n_ret)
{
	char path[5000];
	struct cs_ue_place *place = NULL;
	engine_save_bytes(toc->bytes, toc->size, folder, "T.utoc");
	snprintf(path, sizeof(path), "%s/T.utoc", folder);
	struct cs_error *error = cs_ue_place_open(path, NULL, NULL, &place);
	if (error)
		return error;
	for (size_t i = 0; i < FILES; i++) {
		size_t file;
		struct cs_error *missing = cs_ue_place_find(place, files[i].path, &file);
		*n_ret += !missing;
		cs_error_free(missing);
	}
	cs_ue_place_close(place);
	return NULL;
}

/* Sets the field at `at` to `value`, which is refused as a reference that leads nowhere. */
static void refused(struct cs_writer *toc, size_t at, uint32_t value, const char *what)
{
	uint32_t kept = cs_load32(toc->bytes + at);
	size_t n = 0;
	cs_store32(toc->bytes + at, value);
	fails(open_bytes(toc, &n), CS_E_REFERENCE, "%s of %u is refused", what, (unsigned)value);
	cs_store32(toc->bytes + at, kept);
}

static void test_folders(struct cs_writer *toc, const struct tables *t)
{
	for (uint32_t i = 0; i < t->n_folders; i++) {
		size_t at = t->folders + (size_t)i * FOLDER;
		refused(toc, at, t->n_names, "the name of a folder");
		refused(toc, at, CS_NONE - 1, "the name of a folder");
		refused(toc, at + 4, t->n_folders, "a folder below");
		refused(toc, at + 4, i, "a folder below itself, its number");
		refused(toc, at + 8, t->n_folders, "a folder beside");
		refused(toc, at + 8, i, "a folder beside itself, its number");
		refused(toc, at + 12, t->n_files, "the first file of a folder");
	}
}

static void test_files(struct cs_writer *toc, const struct tables *t)
{
	for (uint32_t i = 0; i < t->n_files; i++) {
		size_t at = t->files + (size_t)i * FILE_ROW;
		refused(toc, at, t->n_names, "the name of a file");
		refused(toc, at, CS_NONE - 1, "the name of a file");
		refused(toc, at + 4, t->n_files, "a file beside");
		refused(toc, at + 4, i, "a file beside itself, its number");
		refused(toc, at + 8, FILES, "the chunk of a file");
		refused(toc, at + 8, CS_NONE, "the chunk of a file");
	}
}

/*
 * Counts that are larger than the bytes that follow give E_TRUNCATED, before anything is allocated.
 */
static void test_counts(struct cs_writer *toc, const struct tables *t)
{
	const size_t counts[] = {
		t->folders - 4, t->files - 4, t->files + (size_t)t->n_files * FILE_ROW};
	for (size_t i = 0; i < 3; i++) {
		uint32_t kept = cs_load32(toc->bytes + counts[i]);
		size_t n = 0;
		cs_store32(toc->bytes + counts[i], UINT32_MAX / 2);
		struct cs_error *error = open_bytes(toc, &n);
		ok(error != NULL, "count %zu: %s", i, error ? error->message : "read");
		cs_error_free(error);
		cs_store32(toc->bytes + counts[i], kept);
	}
}

int main(void)
{
	const struct engine_container form = {
		.version = 8, .block_size = 2048, .mount = mount, .id = 5};
	struct cs_writer toc = {0}, data = {0};
	size_t n = 0;
	fresh_folder(folder, sizeof(folder), "ue_directory");
	mkdir(folder, 0777);
	engine_utoc_write(&form, files, FILES, &toc, &data);
	engine_save_bytes(data.bytes, data.size, folder, "T.ucas");
	const struct tables t = tables_of(&toc);
	works(open_bytes(&toc, &n), "a container opens");
	is_int(n, FILES, "with all of its files");
	ok(t.n_folders == 3 && t.n_files == FILES && t.n_names == 6,
		"%u folders, %u files, %u names", (unsigned)t.n_folders, (unsigned)t.n_files,
		(unsigned)t.n_names);
	test_folders(&toc, &t);
	test_files(&toc, &t);
	test_counts(&toc, &t);
	n = 0;
	works(open_bytes(&toc, &n), "the container as it was");
	is_int(n, FILES, "has all of its files");
	cs_writer_deinit(&toc);
	cs_writer_deinit(&data);
	return done();
}
