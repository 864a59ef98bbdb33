/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is where: the files that a walk of folders finds, the packages that paths are, the file that
 * a text means and the patch that wins, each written down by hand from what the headers promise.
 */
#include "core/job.h"
#include "tests/samples/engine_container.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"
#include "ue/container/file_list.h"
#include "ue/container/hash.h"
#include "ue/project/files.h"

#include <cellscope/ue.h>

#include <sys/stat.h>
#include <unistd.h>

/* ---- walking folders ---- */

static char root[4096];

static void make_file(const char *name)
{
	char path[5000];
	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *slash = strchr(path + strlen(root) + 1, '/'); slash;
		slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
	FILE *file = fopen(path, "w");
	if (file)
		fclose(file);
}

/* Returns the paths without the root, each after a space. */
static const char *found(const struct cs_ue_files *files)
{
	static char text[2000];
	size_t n = 0;
	text[0] = '\0';
	for (size_t i = 0; i < files->paths.n && n < sizeof(text); i++)
		n += (size_t)snprintf(
			text + n, sizeof(text) - n, " %s", files->paths.at[i] + strlen(root) + 1);
	return text;
}

static void finds(const char *suffix, const char *skip, uint32_t depth, const char *want)
{
	struct cs_ue_files files;
	struct cs_limits limits = cs_job_limits(NULL);
	limits.depth = depth;
	for (int threads = 1; threads <= 3; threads += 2) {
		const struct cs_job job = {.threads = threads, .limits = &limits};
		works(cs_ue_find_files(root, suffix, skip, &job, &files), "walked");
		is_text(found(&files), want, "*%s but not below %s, %u deep", suffix,
			skip ? skip : "nothing", depth);
		is_int(files.errors.n, 0, "all folders can be read");
		cs_ue_files_deinit(&files);
	}
}

static void finds_folders(const char *tail, const char *want)
{
	struct cs_ue_files files;
	works(cs_ue_find_folders(root, tail, NULL, &files), "walked for folders");
	is_text(found(&files), want, "folders %s", tail);
	cs_ue_files_deinit(&files);
}

static void test_walk(void)
{
	char link[5000];
	static const char *const names[] = {"z.umap", "a.umap", "a.txt", "b/c.umap", "b/d/e.umap",
		"b/d/f/g.umap", "a/h.umap", "skip/i.umap", "b/skipped/j.umap", "b/sk/k.umap",
		"umap", ".umap", "b/Maps/M/l.umap", "Maps/M/M/m.umap", "Maps/AB/Maps/M/n.umap",
		"Maps/ABC/Maps/M/o.umap", "Maps/A/Maps/M/p.umap", "bbb/Maps/M/q"};
	fresh_folder(root, sizeof(root), "ue_places");
	mkdir(root, 0777);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		make_file(names[i]);
	snprintf(link, sizeof(link), "%s/link", root);
	ok(symlink(root, link) == 0, "a folder that leads back");
	finds("umap", "skip*", 2,
		" .umap a.umap umap z.umap a/h.umap b/c.umap b/d/e.umap b/sk/k.umap");
	finds(".txt", NULL, 9, " a.txt");
	finds(".umap", "sk", 0, " .umap a.umap z.umap");
	finds(".UMAP", "SKIP", 1, " .umap a.umap z.umap a/h.umap b/c.umap");
	finds(".umap", "Maps", 1, " .umap a.umap z.umap a/h.umap b/c.umap skip/i.umap");
	finds(".umap", "Maps", 3,
		" .umap a.umap z.umap a/h.umap b/c.umap b/d/e.umap b/d/f/g.umap b/sk/k.umap"
		" b/skipped/j.umap skip/i.umap");
	finds_folders("/Maps/M", " Maps/ABC/Maps/M Maps/M bbb/Maps/M");
	finds_folders("Maps", " Maps bbb/Maps");
}

static bool always(void *context)
{
	(void)context;
	return true;
}

static void test_interrupted(void)
{
	struct cs_ue_files files;
	const struct cs_job job = {.threads = 2, .interrupted = always};
	fails(cs_ue_find_files(root, ".umap", NULL, &job, &files), CS_E_INTERRUPTED,
		"a walk that is interrupted");
}

static void test_no_folder(void)
{
	struct cs_ue_files files;
	char kept[4096], path[4096];
	memcpy(kept, root, sizeof(kept));
	snprintf(path, sizeof(path), "%.4000s/none", kept);
	works(cs_ue_find_files(path, "", NULL, NULL, &files), "a root that is not there");
	is_int(files.paths.n + files.errors.n, 0, "has no files, and that is no error");
	cs_ue_files_deinit(&files);
	snprintf(path, sizeof(path), "%.4000s/a.txt", kept);
	works(cs_ue_find_files(path, "", NULL, NULL, &files), "nor a file");
	is_int(files.paths.n + files.errors.n, 0, "which has none either");
	cs_ue_files_deinit(&files);
	ok(cs_ue_is_folder(kept) && !cs_ue_is_folder(path), "is a folder");
	ok(cs_ue_is_file(path) && !cs_ue_is_file(kept), "is a file");
}

/* ---- packages ---- */

static const struct {
	const char *path, *package;
} packages[] = {
	{"Town/Content/Maps/M.umap", "/Game/Maps/M"},
	{"Town/Content/Deep/Content/X.uasset", "/Game/Deep/Content/X"},
	{"Town/Content/Plugins/Y.uasset", "/Game/Plugins/Y"},
	{"Town/Content/Dotted.Name.uasset", "/Game/Dotted.Name"},
	{"Town/Content/Z.uzenasset", "/Game/Z"},
	{"Town/Content/M.uexp", ""},
	{"Town/Content/plain", ""},
	{"Engine/Content/E.uasset", "/Engine/E"},
	{"Engin/Content/E.uasset", "/Game/E"},
	{"Source/Content/E.uasset", "/Game/E"},
	{"Engine/Plugins/FX/Niagara/Content/N.uasset", "/Niagara/N"},
	{"Town/Plugins/Engine/Content/P.uasset", "/Engine/P"},
	{"Town/Mods/Fun/Content/P.uasset", "/Fun/P"},
	{"MyPlugins/Content/P.uasset", "/Game/P"},
	{"MyPlugins/Town/Content/P.uasset", "/Game/P"},
	{"Plugins/Content/P.uasset", "/Game/P"},
	{"Town/Config/C.uasset", ""},
	{"Content/Bare.uasset", ""},
	{"town/content/Maps/Low.umap", "/Game/Maps/Low"},
	{"ENGINE/CONTENT/UP.UASSET", "/Engine/UP"},
	{"Town/plugins/FX/content/Low.uasset", "/FX/Low"},
};
enum { PACKAGES = sizeof(packages) / sizeof(packages[0]) };

static struct cs_ue_place *open_paths(const char *mount, const char *const *paths, size_t n)
{
	char path[5000];
	struct engine_file files[PACKAGES];
	struct cs_ue_place *place = NULL;
	const struct engine_container form = {.version = 11, .block_size = 65536, .mount = mount};
	for (size_t i = 0; i < n; i++)
		files[i] = (struct engine_file){.path = paths[i], .bytes = "x", .size = 1};
	ok(engine_pak_save(&form, files, n, root, "P"), "a container of %zu paths", n);
	snprintf(path, sizeof(path), "%s/P.pak", root);
	works(cs_ue_place_open(path, NULL, NULL, &place), "opened");
	return place;
}

static void test_packages(const char *mount)
{
	const char *paths[PACKAGES];
	size_t file, n;
	for (size_t i = 0; i < PACKAGES; i++)
		paths[i] = packages[i].path;
	struct cs_ue_place *place = open_paths(mount, paths, PACKAGES);
	const struct cs_ue_place_file *files = cs_ue_place_files(place, &n);
	is_int(n, PACKAGES, "all are there");
	for (size_t i = 0; i < PACKAGES; i++) {
		works(cs_ue_place_find(place, paths[i], &file), "%s", paths[i]);
		is_text(files[file].path, paths[i], "is found");
		is_text(files[file].package, packages[i].package, "is the package");
	}
	cs_ue_place_close(place);
}

/* ---- what a text means ---- */

static void means(const struct cs_ue_place *place, const char *text, const char *path)
{
	size_t n, file;
	const struct cs_ue_place_file *files = cs_ue_place_files(place, &n);
	works(cs_ue_place_find(place, text, &file), "'%s' means one", text);
	is_text(files[file].path, path, "and that is %s", path);
}

static void test_texts(void)
{
	static const char *const paths[] = {"A/Content/M.umap", "A/Content/Sub/M.umap",
		"A/Content/Sub/N.umap", "A/Content/N.ubulk", "B/Content/OM.umap", "M.umap",
		"A/Content/Sub/N.x.umap"};
	size_t file;
	struct cs_ue_place *place =
		open_paths("../../../", paths, sizeof(paths) / sizeof(paths[0]));
	means(place, "M.umap", "M.umap");
	means(place, "content/m.UMAP", "A/Content/M.umap");
	means(place, "Sub/M.umap", "A/Content/Sub/M.umap");
	means(place, "N.umap", "A/Content/Sub/N.umap");
	means(place, "N", "A/Content/Sub/N.umap");
	means(place, "sub/n", "A/Content/Sub/N.umap");
	means(place, "OM", "B/Content/OM.umap");
	means(place, "/Game/Sub/M", "A/Content/Sub/M.umap");
	means(place, "/game/om", "B/Content/OM.umap");
	struct cs_error *error = cs_ue_place_find(place, "M", &file);
	ok(error && strstr(error->message, "'M' matches 2 files, but must match one: "),
		"M can be two: %s", error ? error->message : "");
	fails(error, CS_E_AMBIGUOUS, "and says which");
	fails(cs_ue_place_find(place, "ub/M.umap", &file), CS_E_NOFILE, "no folder ends within");
	fails(cs_ue_place_find(place, "AA/Content/M.umap", &file), CS_E_NOFILE, "no more before");
	fails(cs_ue_place_find(place, "/Game/Sub/None", &file), CS_E_NOFILE, "no such package");
	fails(cs_ue_place_find(place, "N.ubul", &file), CS_E_NOFILE, "no such ending");
	cs_ue_place_close(place);
}

/* ---- blocks ---- */

/* Opens the container of blocks with that limit of memory. */
static struct cs_error *open_with(uint64_t memory)
{
	struct cs_limits limits = cs_job_limits(NULL);
	limits.memory = memory;
	const struct cs_job job = {.limits = &limits};
	struct cs_ue_place *place = NULL;
	char path[5000];
	snprintf(path, sizeof(path), "%s/B.pak", root);
	struct cs_error *error = cs_ue_place_open(path, NULL, &job, &place);
	cs_ue_place_close(place);
	return error;
}

static void test_blocks(void)
{
	enum { BLOCKS = 60, BLOCK = 2048 };
	static const unsigned char zeros[BLOCKS * BLOCK];
	const struct engine_container form = {
		.version = 11, .block_size = BLOCK, .method = CS_UE_ZLIB, .mount = "../../../"};
	const struct engine_file file = {.path = "Z.ini", .bytes = zeros, .size = sizeof(zeros)};
	const uint64_t most = 4 * BLOCKS * sizeof(struct cs_ue_block);
	ok(engine_pak_save(&form, &file, 1, root, "B"), "a container of %d blocks", BLOCKS);
	works(open_with(most), "memory for its blocks is enough");
	fails(open_with(most - 1), CS_E_LIMIT, "a byte less is not");
}

static void rename_in_root(const char *from, const char *to)
{
	char before[5000], after[5000];
	snprintf(before, sizeof(before), "%s/%s", root, from);
	snprintf(after, sizeof(after), "%s/%s", root, to);
	ok(rename(before, after) == 0, "%s becomes %s", from, to);
}

/* The file with the content may be named instead of the container, in any case of both names. */
static void test_content(const char *container, const char *content)
{
	char byte = 0;
	const struct engine_container form = {
		.version = 4, .block_size = 2048, .mount = "../../../"};
	const struct engine_file file = {
		.path = "Z.ini", .bytes = (const unsigned char *)"z", .size = 1};
	struct cs_ue_place *place = NULL;
	char path[5000];
	size_t at;
	ok(engine_utoc_save(&form, &file, 1, root, "C"), "a container in two files");
	rename_in_root("C.utoc", container);
	rename_in_root("C.ucas", content);
	snprintf(path, sizeof(path), "%s/%s", root, content);
	works(cs_ue_place_open(path, NULL, NULL, &place), "opened by the one of its content");
	if (place)
		works(cs_ue_place_find(place, "Z.ini", &at), "it has what it holds");
	if (place)
		works(cs_ue_place_read(place, at, 0, &byte, 1), "which is read");
	is_int(byte, 'z', "and is what was written");
	cs_ue_place_close(place);
}

/* Games have a .pak of settings beside a .utoc of packages: who opens the first is told. */
static void test_other_container(void)
{
	const struct engine_container form = {
		.version = 11, .block_size = 2048, .mount = "../../../"};
	const struct engine_file file = {.path = "T/Config/Z.ini", .bytes = "z", .size = 1};
	for (int i = 0; i < 2; i++) {
		struct cs_ue_place *place = NULL;
		unsigned char *bytes = NULL;
		size_t n;
		char path[5000];
		ok(engine_pak_save(&form, &file, 1, root, i ? "C" : "Alone"), "a .pak");
		snprintf(path, sizeof(path), "%s/%s.pak", root, i ? "C" : "Alone");
		works(cs_ue_place_open(path, NULL, NULL, &place), "opened");
		struct cs_error *error = cs_ue_place_open_map(place, NULL, NULL, NULL, &bytes, &n);
		ok(error && !strstr(error->message, "in the .utoc beside it") == !i,
			"it has no map: %s", error ? error->message : "");
		fails(error, CS_E_NOMAP, "the .utoc is named where it is");
		cs_ue_place_close(place);
	}
}

/* ---- patches ---- */

static const struct {
	const char *name;
	int order;
} patches[] = {{"A", 0}, {"A_P", 1}, {"A_0_P", 1}, {"A_3_P", 4}, {"A_12_P", 13}, {"A_1x_P", 1},
	{"A_x7_P", 1}, {"A_7P", 0}, {"_P", 1}, {"5_P", 1}, {"A_0012_P", 13},
	{"A_1234567_P", 1234568}, {"A_20240115_P", 20240116},
	{"A_99999999999999999999_P", INT32_MAX}, {"A_2147483646_P", INT32_MAX}, {"a_p", 1},
	{"a_3_p", 4}, {"A_2_Q", 0}, {"P", 0}};
enum { PATCHES = sizeof(patches) / sizeof(patches[0]) };

static int order_of(const struct cs_ue_place *place, const char *name)
{
	size_t n;
	const struct cs_ue_place_container *all = cs_ue_place_containers(place, &n);
	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(all[i].path, '/') + 1;
		if (strlen(slash) == strlen(name) + 4 && strncmp(slash, name, strlen(name)) == 0)
			return all[i].order;
	}
	return -1;
}

static void test_patches(void)
{
	size_t n;
	const struct engine_container form = {
		.version = 11, .block_size = 65536, .mount = "../../../"};
	const struct engine_file file = {.path = "T/Content/M.umap", .bytes = "x", .size = 1};
	fresh_folder(root, sizeof(root), "ue_places");
	mkdir(root, 0777);
	for (size_t i = 0; i < PATCHES; i++)
		ok(engine_pak_save(&form, &file, 1, root, patches[i].name), "%s", patches[i].name);
	struct cs_ue_place *place = NULL;
	works(cs_ue_place_open(root, NULL, NULL, &place), "patches");
	for (size_t i = 0; i < PATCHES; i++)
		is_int(order_of(place, patches[i].name), patches[i].order, "the order of %s",
			patches[i].name);
	const struct cs_ue_place_file *files = cs_ue_place_files(place, &n);
	is_int(n, PATCHES, "a file each");
	is_text(files[0].container, "A_2147483646_P.pak", "the last patch is found");
	size_t hidden = 0;
	for (size_t i = 0; i < n; i++)
		hidden += files[i].hidden;
	ok(!files[0].hidden && hidden == n - 1, "it hides the others");
	cs_ue_place_close(place);
}

/* A patch replaces chunks of the same id, if it or what it patches has no index of paths. */
static void test_nameless_patches(void)
{
	const struct engine_file base = {.path = "T/Content/M.umap",
		.bytes = "base",
		.size = 4,
		.id = cs_ue_path_hash("/Game/M", 7),
		.type = CS_UE_CHUNK_PACKAGE};
	struct engine_file patch = base;
	patch.bytes = "patch";
	patch.size = 5;
	for (int i = 0; i < 4; i++) {
		struct engine_container form = {.version = 8,
			.block_size = 65536,
			.mount = "../../../",
			.id = 1,
			.no_index = i & 1};
		struct cs_ue_place *place = NULL;
		size_t n, file = 9;
		fresh_folder(root, sizeof(root), "ue_places");
		mkdir(root, 0777);
		ok(engine_utoc_save(&form, &base, 1, root, "T"), "a container");
		form.no_index = i & 2;
		form.id = 2;
		ok(engine_utoc_save(&form, &patch, 1, root, "T_P"), "its patch");
		works(cs_ue_place_open(root, NULL, NULL, &place), "both");
		works(cs_ue_place_find(place, "/Game/M", &file), "the map is found");
		const struct cs_ue_place_file *files = cs_ue_place_files(place, &n);
		is_int(files[file].size, 5, "case %d: that of the patch", i);
		is_text(files[file].package, i == 3 ? "" : "/Game/M", "case %d: named by either",
			i);
		is_int(n == 2 && files[0].hidden + files[1].hidden, 1, "case %d: one is hidden", i);
		cs_ue_place_close(place);
	}
}

/* Of two copies of a file in containers of one order, that without its key hides no other. */
static void test_locked_copy(void)
{
	const struct cs_ue_key key = {.given = true, .bytes = {1, 2, 3}};
	const struct engine_file file = {.path = "T/Content/M.umap",
		.bytes = "x",
		.size = 1,
		.id = cs_ue_path_hash("/Game/M", 7),
		.type = CS_UE_CHUNK_PACKAGE};
	for (int i = 0; i < 2; i++) {
		struct engine_container form = {
			.version = 8, .block_size = 65536, .mount = "../../../", .id = 1};
		struct cs_ue_place *place = NULL;
		size_t n;
		fresh_folder(root, sizeof(root), "ue_places");
		mkdir(root, 0777);
		ok(engine_utoc_save(&form, &file, 1, root, i ? "A" : "B"), "a container");
		form.key = &key;
		form.id = 2;
		ok(engine_utoc_save(&form, &file, 1, root, i ? "B" : "A"),
			"one of which no key is given");
		works(cs_ue_place_open(root, NULL, NULL, &place), "both");
		const struct cs_ue_place_file *files = cs_ue_place_files(place, &n);
		is_int(n, 2, "a file each");
		ok(!files[0].hidden && files[0].readable && files[1].hidden && !files[1].readable,
			"case %d: that which can be read is found", i);
		cs_ue_place_close(place);
	}
}

/* A folder's profiles are below its Profiling; what folders above it are called says nothing. */
static void test_profiles(void)
{
	static const struct {
		const char *below;
		size_t n;
	} rows[] = {{"Profiling/Game/Saved", 1}, {"Profiling", 2}, {"Profiling/Game", 1},
		{"Profiling/", 2}, {"Profiling//", 2}, {"Profiling/Game/", 1}};
	fresh_folder(root, sizeof(root), "ue_places");
	mkdir(root, 0777);
	make_file("Profiling/Game/Saved/Profiling/CSV/A.csv");
	make_file("Profiling/Game/Saved/Other/B.csv");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char path[5000];
		struct cs_ue_written_list *list = NULL;
		snprintf(path, sizeof(path), "%s/%s", root, rows[i].below);
		works(cs_ue_list_written(path, NULL, &list), "listed");
		is_int(list ? list->n : 9, rows[i].n, "profiles below %s", rows[i].below);
		cs_ue_written_list_free(list);
	}
}

int main(void)
{
	test_walk();
	test_interrupted();
	test_no_folder();
	test_packages("../../../");
	test_packages("../../..");
	test_texts();
	test_blocks();
	test_content("C.utoc", "C.ucas");
	test_other_container();
	test_content("C.UTOC", "C.UCAS");
	test_content("c.utoc", "C.Ucas");
	test_patches();
	test_nameless_patches();
	test_locked_copy();
	test_profiles();
	return done();
}
