/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Combines all files that were opened into one list, in which files are found by path, package name
 * or chunk. If several files have one path, the file of the newest patch is used (ue-cooked rules
 * 8.3), and the others are listed as hidden.
 */
#include "ue/container/file_list.h"

#include "core/job.h"
#include "core/sort.h"
#include "core/text.h"
#include "ue/package/wire.h"
#include "ue/project/files.h"
#include "ue/project/settle_case.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

/* ---- package names and patch numbers from paths ---- */

bool cs_ue_is_package_path(const char *path)
{
	return cs_ends_with(path, ".umap") || cs_ends_with(path, ".uasset") ||
	       cs_ends_with(path, ".uzenasset");
}

/* Returns whether a folder named `folder` contains the folder at `below`, which is in `path`. */
static bool is_in_folder(const char *path, const char *below, const char *folder)
{
	const size_t n = strlen(folder);
	for (const char *at = path; at < below; at = strchr(at, '/') + 1)
		if (strncasecmp(at, folder, n) == 0 && at[n] == '/')
			return true;
	return false;
}

/*
 * Returns the long package name of a path: "/Game/M" for "Project/Content/M.umap", "/Engine/X" for
 * "Engine/Content/X.uasset", "/P/X" for "Project/Plugins/P/Content/X.uasset" and for
 * "Project/Mods/P/Content/X.uasset". Returns "" for other paths.
 */
static const char *file_list_package_of(struct cs_arena *arena, const char *path)
{
	static const char content[] = "/Content/";
	const char *at = strcasestr(path, content), *dot = strrchr(cs_base_name(path), '.');
	if (!at || !dot || !cs_ue_is_package_path(path))
		return "";
	const char *root = at;
	while (root > path && root[-1] != '/')
		root--;
	size_t n = (size_t)(at - root);
	bool plugin = is_in_folder(path, root, "Plugins") || is_in_folder(path, root, "Mods");
	bool engine = !plugin && n == 6 && strncasecmp(root, "Engine", 6) == 0;
	const char *name = cs_arena_text(arena,
		plugin   ? root
		: engine ? "Engine"
			 : "Game",
		plugin   ? n
		: engine ? 6
			 : 4);
	const char *rest = at + sizeof(content) - 1;
	const char *tail = cs_arena_text(arena, rest, (size_t)(dot - rest));
	return name && tail ? cs_ue_join(arena, "/", name, "/", tail, (char *)NULL) : NULL;
}

/* Returns the patch number of a container's path: 1 for "X_P", 4 for "X_3_P", 0 for other names. */
static int32_t patch_order(const char *path)
{
	const char *name = cs_base_name(path), *dot = strrchr(name, '.');
	size_t n = dot ? (size_t)(dot - name) : strlen(name);
	if (n < 2 || strncasecmp(name + n - 2, "_P", 2) != 0)
		return 0;
	size_t end = n - 2, first = end;
	while (first > 0 && name[first - 1] >= '0' && name[first - 1] <= '9')
		first--;
	if (first == end || first == 0 || name[first - 1] != '_')
		return 1;
	int64_t number = 0;
	for (size_t i = first; i < end && number < INT32_MAX; i++)
		number = number * 10 + (name[i] - '0');
	return (int32_t)(number < INT32_MAX ? number + 1 : INT32_MAX);
}

/* ---- collecting the files of all containers ---- */

struct gathering {
	struct cs_ue_place *place;
	const struct cs_job *job;
	struct cs_limits limits;
	CS_VEC(struct cs_ue_place_file) files;
	CS_VEC(struct cs_ue_place_spot) spots;
	struct cs_ue_cases cases; /* cache of folders that were read to correct the case of names */
};

static struct cs_error *file_list_add_file(
	struct gathering *gathering, struct cs_ue_place_file file, struct cs_ue_place_spot spot)
{
	file.package = file_list_package_of(&gathering->place->arena, file.path);
	if (!file.package || !cs_vec_push(&gathering->files, file) ||
		!cs_vec_push(&gathering->spots, spot))
		return cs_error_nomem();
	return NULL;
}

static const char *entry_path(struct cs_arena *arena, const struct cs_ue_container *container,
	const struct cs_ue_entry *entry)
{
	char text[64];
	if (entry->path)
		return cs_ue_join(arena, container->mount, entry->path, (char *)NULL);
	snprintf(text, sizeof(text), "chunk:%016llX.%u.%s", (unsigned long long)entry->id,
		entry->part, cs_ue_chunk_name(entry->type));
	return cs_arena_copy(arena, text);
}

static bool can_read(const struct cs_ue_container *container, const struct cs_ue_entry *entry)
{
	return cs_ue_container_unpacks(container, (enum cs_ue_method)entry->method) &&
	       (!entry->encrypted || container->key.given);
}

static struct cs_error *add_entries(
	struct gathering *gathering, const struct cs_ue_container *container)
{
	const char *name = cs_base_name(container->name);
	int32_t order = patch_order(name);
	for (uint32_t i = 0; i < container->n_entries; i++) {
		const struct cs_ue_entry *entry = &container->entries[i];
		struct cs_ue_place_file file = {
			.path = entry_path(&gathering->place->arena, container, entry),
			.container = name,
			.type = cs_ue_chunk_name(entry->type),
			.method = cs_ue_method_name(entry->method),
			.size = entry->size,
			.stored = entry->stored,
			.id = entry->id,
			.chunk = i,
			.encrypted = entry->encrypted,
			.readable = can_read(container, entry) && !entry->deleted,
		};
		if (!file.path)
			return cs_error_nomem();
		struct cs_error *error = file_list_add_file(gathering, file,
			(struct cs_ue_place_spot){
				.container = container, .entry = entry, .order = order});
		if (error)
			return error;
	}
	return NULL;
}

static struct cs_error *mount_scripts(
	struct gathering *gathering, const struct cs_ue_container *container)
{
	for (uint32_t i = 0; i < container->n_entries; i++) {
		const struct cs_ue_entry *entry = &container->entries[i];
		if (entry->type != CS_UE_CHUNK_SCRIPT_OBJECTS || gathering->place->scripts.n > 0 ||
			!can_read(container, entry) || entry->size > gathering->limits.memory)
			continue;
		unsigned char *bytes = malloc((size_t)entry->size + 1);
		struct cs_error *error = bytes ? cs_ue_container_read(container, entry, 0, bytes,
							 (size_t)entry->size)
					       : cs_error_nomem();
		if (!error)
			error = cs_ue_read_scripts(bytes, (size_t)entry->size, container->name,
				&gathering->place->arena, &gathering->place->scripts);
		free(bytes);
		if (error)
			return error;
	}
	return NULL;
}

static struct cs_error *mount(struct gathering *gathering, const char *path)
{
	struct cs_ue_container *container;
	struct cs_error *error = cs_ends_with(path, ".pak")
					 ? cs_ue_open_pak(path, &gathering->place->key,
						   &gathering->limits, &container)
					 : cs_ue_open_utoc(path, &gathering->place->key,
						   &gathering->limits, &container);
	if (error)
		return error;
	if (!cs_vec_push(&gathering->place->containers, container)) {
		cs_ue_container_close(container);
		return cs_error_nomem();
	}
	error = mount_scripts(gathering, container);
	return error ? error : add_entries(gathering, container);
}

/*
 * Logs and stores the error of one container and returns NULL, so that the others are still opened.
 * Only E_NOMEM is returned.
 */
static struct cs_error *keep_failure(
	struct gathering *gathering, const char *path, const char *shown, struct cs_error *error)
{
	struct cs_ue_place *place = gathering->place;
	if (!error || error->code == CS_E_NOMEM)
		return error;
	cs_job_log(gathering->job, CS_LOG_WARNING, "%s: %s", path, error->message);
	const struct cs_ue_place_failure failure = {cs_arena_copy(&place->arena, shown), error};
	if (failure.path && cs_vec_push(&place->failures, failure))
		return NULL;
	cs_error_free(error);
	return cs_error_nomem();
}

/*
 * Joins the first n bytes of a path and `ending`, and corrects the case of the resulting file name.
 * Returns NULL when memory runs out.
 */
static char *settled_path(
	struct gathering *gathering, const char *path, size_t n, const char *ending)
{
	struct cs_arena *arena = &gathering->place->arena;
	const char *stem = cs_arena_text(arena, path, n);
	char *whole = stem ? cs_ue_join(arena, stem, ending, (char *)NULL) : NULL;
	if (whole)
		cs_ue_settle_name(&gathering->cases, whole);
	return whole;
}

/*
 * Returns an error for a .ucas without a .utoc, because only the .utoc lists the chunks of the
 * .ucas. "X_s1.ucas" is a partition of "X.utoc".
 */
static struct cs_error *find_toc(struct gathering *gathering, const char *path)
{
	const size_t n = strlen(path) - strlen(".ucas");
	size_t stem = n;
	while (stem > 2 && path[stem - 1] >= '0' && path[stem - 1] <= '9')
		stem--;
	stem = stem < n && stem > 2 && strncasecmp(path + stem - 2, "_s", 2) == 0 ? stem - 2 : n;
	for (size_t length = n;; length = stem) {
		const char *toc = settled_path(gathering, path, length, ".utoc");
		if (!toc)
			return cs_error_nomem();
		if (cs_ue_is_file(toc))
			return NULL;
		if (length == stem)
			return cs_error_at(CS_E_NOFILE, path, CS_NO_OFFSET,
				"the file cannot be read without its table of contents: copy it "
				"beside the file, as %s",
				cs_base_name(toc));
	}
}

static struct cs_error *add_loose(struct gathering *gathering, const char *path, const char *shown)
{
	struct stat st;
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return NULL;
	struct cs_arena *arena = &gathering->place->arena;
	struct cs_ue_place_file file = {
		.path = cs_arena_copy(arena, shown),
		.container = "",
		.type = cs_ue_is_package_path(path)            ? "package"
			: cs_ends_with(path, ".uexp")          ? "exports"
			: strcasestr(cs_base_name(path), ".u") ? "bulk"
							       : "file",
		.method = "none",
		.size = (uint64_t)st.st_size,
		.stored = (uint64_t)st.st_size,
		.chunk = CS_NONE,
		.readable = true,
	};
	struct cs_ue_place_spot spot = {.loose = cs_arena_copy(arena, path)};
	if (!file.path || !spot.loose)
		return cs_error_nomem();
	return file_list_add_file(gathering, file, spot);
}

static const char *const wanted_endings[] = {
	".umap", ".uasset", ".uexp", ".ubulk", ".uptnl", ".uzenasset", NULL};

static struct cs_error *gather_folder(struct gathering *gathering, const char *path)
{
	struct cs_ue_files files;
	struct cs_error *error = cs_ue_find_files(path, "", NULL, gathering->job, &files);
	size_t skip = strlen(path);
	bool store = false;
	if (error)
		return error;
	for (size_t i = 0; i < files.paths.n && !error; i++) {
		const char *file = files.paths.at[i];
		const char *shown = file + skip + strspn(file + skip, "/");
		store |= cs_ends_with(file, ".projectstore");
		if (cs_ends_with(file, ".utoc") || cs_ends_with(file, ".pak"))
			error = keep_failure(gathering, file, shown, mount(gathering, file));
		else if (cs_ends_with(file, ".ucas"))
			error = keep_failure(gathering, file, shown, find_toc(gathering, file));
		else if (cs_ends_with_any(file, wanted_endings))
			error = add_loose(gathering, file, shown);
	}
	cs_ue_files_deinit(&files);
	if (!error && store && gathering->files.n == 0)
		error = cs_error_at(CS_E_MISSING, path, CS_NO_OFFSET,
			"the packages are in a Zen server, and ue.projectstore contains only its "
			"address: stage the project, or cook it without a Zen server");
	return error;
}

/* Gathers a package, the files beside it with other extensions, and its generated cells. */
static struct cs_error *gather_package(struct gathering *gathering, const char *path)
{
	static const char *const endings[] = {
		".uexp", ".ubulk", ".uptnl", ".m.ubulk", ".umap", ".uasset"};
	const char *name = cs_base_name(path);
	const size_t stem = (size_t)(strrchr(path, '.') - path), skip = (size_t)(name - path);
	const char *cells = settled_path(gathering, path, stem, "/_Generated_");
	struct cs_error *error = cells ? add_loose(gathering, path, name) : cs_error_nomem();
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]) && !error; i++) {
		const char *other = settled_path(gathering, path, stem, endings[i]);
		if (!other)
			return cs_error_nomem();
		if (strcmp(other, path) != 0)
			error = add_loose(gathering, other, other + skip);
	}
	struct cs_ue_files files;
	if (error || (error = cs_ue_find_files(cells, "", NULL, gathering->job, &files)))
		return error;
	for (size_t i = 0; i < files.paths.n && !error; i++)
		if (cs_ends_with_any(files.paths.at[i], wanted_endings))
			error = add_loose(gathering, files.paths.at[i], files.paths.at[i] + skip);
	cs_ue_files_deinit(&files);
	return error;
}

/* Opens global.utoc, if it exists beside a container or in the parent folder. */
static struct cs_error *find_global(struct gathering *gathering, const char *path)
{
	static const char *const where[] = {"global.utoc", "../global.utoc"};
	const size_t folder = (size_t)(cs_base_name(path) - path);
	for (size_t i = 0; i < 2 && gathering->place->scripts.n == 0; i++) {
		const char *global = settled_path(gathering, path, folder, where[i]);
		if (!global)
			return cs_error_nomem();
		if (!cs_ue_is_file(global) ||
			cs_name_compare(cs_base_name(path), "global.utoc") == 0)
			continue;
		struct cs_ue_container *container;
		struct cs_error *error = cs_ue_open_utoc(
			global, &gathering->place->key, &gathering->limits, &container);
		if (!error) {
			error = mount_scripts(gathering, container);
			cs_ue_container_close(container);
		}
		if (error && error->code == CS_E_NOMEM)
			return error;
		cs_error_free(error);
	}
	return NULL;
}

static struct cs_error *gather_container(struct gathering *gathering, const char *path)
{
	if (cs_ends_with(path, ".ucas"))
		path = settled_path(gathering, path, strlen(path) - 5, ".utoc");
	if (!path)
		return cs_error_nomem();
	struct cs_error *error = mount(gathering, path);
	if (!error && !cs_ends_with(path, ".pak"))
		error = find_global(gathering, path);
	return error;
}

/* ---- sorting the list of files ---- */

static int is_locked(const struct cs_ue_place_file *file)
{
	return file->encrypted && !file->readable;
}

static int file_list_by_path(const void *left, const void *right, void *context)
{
	const struct gathering *gathering = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = cs_name_compare(gathering->files.at[a].path, gathering->files.at[b].path);
	if (order == 0)
		order = (gathering->spots.at[a].order < gathering->spots.at[b].order) -
			(gathering->spots.at[a].order > gathering->spots.at[b].order);
	/* a file that cannot be decrypted must not hide a readable one of the same patch number */
	if (order == 0)
		order = is_locked(&gathering->files.at[a]) - is_locked(&gathering->files.at[b]);
	return order;
}

static int file_list_by_package(const void *left, const void *right, void *context)
{
	const struct cs_ue_place *place = context;
	return cs_name_compare(place->files[*(const uint32_t *)left].package,
		place->files[*(const uint32_t *)right].package);
}

static int by_id(const void *left, const void *right, void *context)
{
	const struct cs_ue_place *place = context;
	uint64_t a = place->files[*(const uint32_t *)left].id;
	uint64_t b = place->files[*(const uint32_t *)right].id;
	return (a > b) - (a < b);
}

/* Compares files by chunk. Of the files of one chunk, those that have a path come first. */
static int file_list_by_chunk(const void *left, const void *right, void *context)
{
	const struct gathering *gathering = context;
	const struct cs_ue_entry *a = gathering->spots.at[*(const uint32_t *)left].entry;
	const struct cs_ue_entry *b = gathering->spots.at[*(const uint32_t *)right].entry;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	int order = (a->type - b->type) * 65536 + (a->part - b->part);
	return order ? order : !a->path - !b->path;
}

/*
 * Gives a chunk without a path the path that another container has for the same chunk. With it, a
 * patch replaces a chunk even if only one of the two containers has an index of paths.
 */
static bool name_chunks(struct gathering *gathering, uint32_t *rows)
{
	struct cs_ue_place_file *files = gathering->files.at;
	size_t n = 0;
	for (uint32_t i = 0; i < gathering->files.n; i++)
		if (files[i].chunk != CS_NONE && !gathering->spots.at[i].container->pak)
			rows[n++] = i;
	if (!cs_sort(rows, n, sizeof(*rows), file_list_by_chunk, gathering))
		return false;
	for (size_t i = 1; i < n; i++) {
		const struct cs_ue_entry *named = gathering->spots.at[rows[i - 1]].entry;
		const struct cs_ue_entry *entry = gathering->spots.at[rows[i]].entry;
		if (entry->path || entry->id != named->id || entry->type != named->type ||
			entry->part != named->part)
			continue;
		files[rows[i]].path = files[rows[i - 1]].path;
		files[rows[i]].package = files[rows[i - 1]].package;
	}
	return true;
}

static struct cs_error *sort_files(struct gathering *gathering)
{
	struct cs_ue_place *place = gathering->place;
	size_t n = gathering->files.n;
	uint32_t *rows = CS_ARENA_ARRAY(&place->arena, uint32_t, n + 1);
	place->files = CS_ARENA_ARRAY(&place->arena, struct cs_ue_place_file, n + 1);
	place->spots = CS_ARENA_ARRAY(&place->arena, struct cs_ue_place_spot, n + 1);
	if (!rows || !place->files || !place->spots)
		return cs_error_nomem();
	if (!name_chunks(gathering, rows))
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++)
		rows[i] = (uint32_t)i;
	if (!cs_sort(rows, n, sizeof(*rows), file_list_by_path, gathering))
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++) {
		place->files[i] = gathering->files.at[rows[i]];
		place->spots[i] = gathering->spots.at[rows[i]];
		place->files[i].hidden = i > 0 && cs_name_compare(place->files[i - 1].path,
							  place->files[i].path) == 0;
	}
	place->n_files = n;
	return NULL;
}

static struct cs_error *make_indices(struct cs_ue_place *place)
{
	place->by_package = CS_ARENA_ARRAY(&place->arena, uint32_t, place->n_files + 1);
	place->by_id = CS_ARENA_ARRAY(&place->arena, uint32_t, place->n_files + 1);
	if (!place->by_package || !place->by_id)
		return cs_error_nomem();
	for (uint32_t i = 0; i < place->n_files; i++) {
		const struct cs_ue_place_file *file = &place->files[i];
		if (*file->package && !file->hidden)
			place->by_package[place->n_by_package++] = i;
		if (file->chunk != CS_NONE && place->spots[i].entry->type == CS_UE_CHUNK_PACKAGE &&
			!file->hidden)
			place->by_id[place->n_by_id++] = i;
	}
	bool good = cs_sort(place->by_package, place->n_by_package, sizeof(uint32_t),
			    file_list_by_package, place) &&
		    cs_sort(place->by_id, place->n_by_id, sizeof(uint32_t), by_id, place);
	return good ? NULL : cs_error_nomem();
}

static struct cs_error *describe_containers(struct cs_ue_place *place)
{
	size_t n = place->containers.n;
	place->about = CS_ARENA_ARRAY(&place->arena, struct cs_ue_place_container, n + 1);
	if (!place->about)
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++) {
		const struct cs_ue_container *container = place->containers.at[i];
		place->about[i] = (struct cs_ue_place_container){.path = container->name,
			.mount = container->raw_mount,
			.version = container->version,
			.files = container->n_entries,
			.id = container->id,
			.order = patch_order(container->name),
			.pak = container->pak,
			.encrypted = container->cipher != CS_UE_CIPHER_NONE && !container->pak,
			.locked = container->locked,
			.indexed = container->indexed};
		for (uint32_t k = 0; k < container->n_entries; k++)
			place->about[i].unreadable += !can_read(container, &container->entries[k]);
	}
	return NULL;
}

/* ---- opening a place ---- */

static struct cs_error *file_list_gather(struct gathering *gathering, const char *path)
{
	if (cs_ue_is_folder(path))
		return gather_folder(gathering, path);
	if (cs_ends_with(path, ".utoc") || cs_ends_with(path, ".ucas") ||
		cs_ends_with(path, ".pak"))
		return gather_container(gathering, path);
	if (cs_ue_is_package_path(path) && cs_ue_is_file(path))
		return gather_package(gathering, path);
	if (cs_ue_is_file(path))
		return cs_error_at(CS_E_MAGIC, path, CS_NO_OFFSET,
			"the file is neither a container (.utoc, .pak) nor a cooked package "
			"(.umap, .uasset): for a .uexp or .ubulk, name the .umap or .uasset beside "
			"it");
	return cs_error_errno(ENOENT, path, "open");
}

static struct cs_error *file_list_finish(struct gathering *gathering, const char *path)
{
	struct cs_error *error = NULL;
	struct cs_ue_place *place = gathering->place;
	const bool is_empty = gathering->files.n == 0 && place->containers.n == 0;
	if (is_empty && place->failures.n > 0) {
		error = place->failures.at[0].error;
		place->failures.at[0].error = NULL;
		return error;
	}
	if (is_empty)
		return cs_error_at(CS_E_MISSING, path, CS_NO_OFFSET,
			"the folder has no cooked package and no container: name a folder that "
			"has .uasset, .umap, .pak or .utoc files");
	error = sort_files(gathering);
	if (!error)
		error = make_indices(place);
	if (!error)
		error = describe_containers(place);
	return error;
}

struct cs_error *cs_ue_place_open(const char *path, const struct cs_ue_key *key,
	const struct cs_job *job, struct cs_ue_place **ret)
{
	struct cs_ue_place *place = calloc(1, sizeof(*place));
	struct gathering gathering = {.place = place, .job = job, .limits = cs_job_limits(job)};
	if (!place || !(place->path = strdup(path))) {
		free(place);
		return cs_error_nomem();
	}
	if (key)
		place->key = *key;
	struct cs_error *error = file_list_gather(&gathering, path);
	if (!error)
		error = file_list_finish(&gathering, path);
	cs_ue_cases_deinit(&gathering.cases);
	cs_vec_free(&gathering.files);
	cs_vec_free(&gathering.spots);
	if (error)
		cs_ue_place_close(place);
	else
		*ret = place;
	return error;
}

void cs_ue_place_close(struct cs_ue_place *place)
{
	if (!place)
		return;
	for (size_t i = 0; i < place->containers.n; i++)
		cs_ue_container_close(place->containers.at[i]);
	cs_vec_free(&place->containers);
	for (size_t i = 0; i < place->failures.n; i++)
		cs_error_free(place->failures.at[i].error);
	cs_vec_free(&place->failures);
	cs_arena_deinit(&place->arena);
	free(place->path);
	free(place);
}

const char *cs_ue_place_path(const struct cs_ue_place *place)
{
	return place->path;
}

struct cs_ue_place_view cs_ue_place_view(const struct cs_ue_place *place)
{
	return (struct cs_ue_place_view){
		place->files, place->about, place->n_files, place->containers.n};
}
