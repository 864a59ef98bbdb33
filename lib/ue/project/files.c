/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches folders for files. The subfolders of the root are searched in parallel, each into its
 * own lists, which are then joined in sorted order. External actors are in thousands of folders
 * with one file each, so a search by one thread would take as long as reading the files.
 */
#include "ue/project/files.h"

#include "core/job.h"
#include "core/parallel.h"
#include "core/sort.h"
#include "format/byte_source.h"
#include "ue/package/wire.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

/* Largest number of links to folders on the path of a file. */
enum { MOST_LINKS = 2 };

struct folder {
	const char *path;
	uint32_t depth;
};

/* The files or folders that are searched for below the root. */
struct search {
	const char *suffix, *skip;
	bool folders; /* whether to search for folders instead of files */
	uint32_t deepest;
	size_t root; /* length of the path of the root */
};

/* The search in one subfolder of the root. */
struct walk {
	struct search search;
	struct cs_arena arena;
	CS_VEC(const char *) paths;
	CS_VEC(struct folder) pending;
	CS_VEC(struct cs_error *) errors;
	bool failed; /* whether an allocation failed */
};

static int by_file(const void *left, const void *right, void *context)
{
	(void)context;
	return strcmp(
		(*(struct cs_error *const *)left)->file, (*(struct cs_error *const *)right)->file);
}

/* Returns DT_DIR for a folder, DT_LNK for a link to a folder, and DT_REG for anything else. */
static int files_kind_of(const char *path, const struct dirent *entry)
{
	struct stat st;
	if (entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK)
		return entry->d_type == DT_DIR ? DT_DIR : DT_REG;
	const bool link = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return DT_REG;
	return link ? DT_LNK : DT_DIR;
}

/* Folders with names up to this length are named by parts of a hash and contain only packages. */
enum { HASH_FOLDER = 2 };

static bool is_skipped(const struct walk *walk, const char *name)
{
	const char *skip = walk->search.skip;
	if (walk->search.folders && strlen(name) <= HASH_FOLDER)
		return true;
	const size_t n = skip ? strcspn(skip, "*") : 0;
	return n && strncasecmp(name, skip, n) == 0 && (skip[n] || !name[n]);
}

static void see(struct walk *walk, const struct folder *folder, const struct dirent *entry)
{
	const char *name = entry->d_name;
	const struct search *search = &walk->search;
	bool wanted = cs_ends_with(name, search->suffix);
	/* "._NAME" has what macOS knows of the file NAME, on disks that have no room for it */
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strncmp(name, "._", 2) == 0 ||
		(entry->d_type == DT_REG && !wanted))
		return;
	const char *path = cs_ue_join(&walk->arena, folder->path, "/", name, (char *)NULL);
	const int kind = path ? files_kind_of(path, entry) : DT_REG;
	if (!path) {
		walk->failed = true;
	} else if (kind == DT_REG) {
		walk->failed |= wanted && !search->folders && !cs_vec_push(&walk->paths, path);
	} else if (search->folders && cs_ends_with(path, search->suffix)) {
		cs_vec_push_in(walk, paths, path);
	} else {
		struct folder below = {path, folder->depth + 1};
		bool enter = below.depth <= search->deepest && !is_skipped(walk, name) &&
			     (kind == DT_DIR || cs_link_leads_on(path, search->root, MOST_LINKS));
		walk->failed |= enter && !cs_vec_push(&walk->pending, below);
	}
}

static void keep_error(struct walk *walk, struct cs_error *error)
{
	if (error->code == CS_E_NOMEM || !cs_vec_push(&walk->errors, error)) {
		cs_error_free(error);
		walk->failed = true;
	}
}

static void read_folder(struct walk *walk, const struct folder *folder)
{
	DIR *dir = opendir(folder->path);
	if (!dir) {
		keep_error(walk, cs_error_errno(errno, folder->path, "read the folder"));
		return;
	}
	struct dirent *entry;
	while (errno = 0, !walk->failed && (entry = readdir(dir)))
		see(walk, folder, entry);
	if (!walk->failed && errno != 0)
		keep_error(walk, cs_error_errno(errno, folder->path, "read the folder"));
	closedir(dir);
}

static void sort_walk(struct walk *walk)
{
	if (!cs_sort(walk->paths.at, walk->paths.n, sizeof(*walk->paths.at), cs_compare_texts,
		    NULL) ||
		!cs_sort(walk->errors.at, walk->errors.n, sizeof(*walk->errors.at), by_file, NULL))
		walk->failed = true;
}

static bool is_over(const struct walk *walk)
{
	return walk->pending.n == 0 || walk->failed;
}

/*
 * Reads at most SOME folders of each search. The caller repeats this until all folders are read or
 * the job is interrupted.
 */
static void walk_on(void *context, size_t begin, size_t end, int thread)
{
	enum { SOME = 256 };
	(void)thread;
	struct walk *walks = context;
	for (size_t i = begin; i < end; i++) {
		struct walk *walk = &walks[i];
		if (is_over(walk))
			continue;
		for (int k = 0; k < SOME && !is_over(walk); k++) {
			struct folder folder = walk->pending.at[--walk->pending.n];
			read_folder(walk, &folder);
		}
		if (is_over(walk))
			sort_walk(walk);
	}
}

static struct cs_error *walk_all(struct walk *walks, size_t n, const struct cs_job *job)
{
	struct cs_error *error = NULL;
	for (size_t left = n; left > 0 && !error;) {
		cs_parallel_for(cs_job_threads(job), n, 1, walk_on, walks);
		left = 0;
		for (size_t i = 0; i < n; i++)
			left += !is_over(&walks[i]);
		error = cs_job_check(job);
	}
	return error;
}

/* Moves the results of a search to `files`. Returns false when memory runs out. */
static bool files_collect(struct walk *walk, struct cs_ue_files *files)
{
	bool good = !walk->failed && cs_vec_reserve(&files->paths, walk->paths.n) &&
		    cs_vec_reserve(&files->errors, walk->errors.n) &&
		    cs_vec_reserve(&files->arenas, 1);
	if (good) {
		cs_vec_append(&files->paths, walk->paths.at, walk->paths.n);
		cs_vec_append(&files->errors, walk->errors.at, walk->errors.n);
		cs_vec_push(&files->arenas, walk->arena);
	} else {
		for (size_t i = 0; i < walk->errors.n; i++)
			cs_error_free(walk->errors.at[i]);
		cs_arena_deinit(&walk->arena);
	}
	cs_vec_free(&walk->paths);
	cs_vec_free(&walk->pending);
	cs_vec_free(&walk->errors);
	return good;
}

/* Creates a search for each subfolder of the root. The subfolders are sorted. */
static struct walk *start_walks(const struct walk *root, struct folder *folders, size_t n)
{
	struct walk *walks = calloc(n ? n : 1, sizeof(*walks));
	for (size_t i = 0; walks && i < n; i++) {
		walks[i].search = root->search;
		walks[i].failed = !cs_vec_push(&walks[i].pending, folders[i]);
	}
	return walks;
}

static struct cs_error *files_find(
	const char *root, struct search search, const struct cs_job *job, struct cs_ue_files *ret)
{
	struct cs_ue_files files = {.paths = {.n = 0}};
	struct folder folder = {root, 0};
	struct walk top = {.search = search};
	top.search.deepest = cs_job_limits(job).depth;
	top.search.root = strlen(root);
	if (cs_ue_is_folder(root))
		read_folder(&top, &folder);
	size_t n = top.pending.n;
	sort_walk(&top);
	/* the struct of a folder begins with its path, so cs_compare_texts sorts folders by path */
	bool good = !top.failed &&
		    cs_sort(top.pending.at, n, sizeof(*top.pending.at), cs_compare_texts, NULL);
	struct walk *walks = good ? start_walks(&top, top.pending.at, n) : NULL;
	struct cs_error *error = walks ? walk_all(walks, n, job) : NULL;
	top.failed |= !walks;
	good = files_collect(&top, &files);
	for (size_t i = 0; walks && i < n; i++)
		good = files_collect(&walks[i], &files) && good;
	free(walks);
	if (good && !error) {
		*ret = files;
		return NULL;
	}
	cs_ue_files_deinit(&files);
	return error ? error : cs_error_nomem();
}

struct cs_error *cs_ue_find_files(const char *root, const char *suffix, const char *skip,
	const struct cs_job *job, struct cs_ue_files *ret)
{
	return files_find(root, (struct search){.suffix = suffix, .skip = skip}, job, ret);
}

struct cs_error *cs_ue_find_folders(
	const char *root, const char *tail, const struct cs_job *job, struct cs_ue_files *ret)
{
	return files_find(root, (struct search){.suffix = tail, .folders = true}, job, ret);
}

void cs_ue_files_deinit(struct cs_ue_files *files)
{
	for (size_t i = 0; i < files->errors.n; i++)
		cs_error_free(files->errors.at[i]);
	for (size_t i = 0; i < files->arenas.n; i++)
		cs_arena_deinit(&files->arenas.at[i]);
	cs_vec_free(&files->paths);
	cs_vec_free(&files->errors);
	cs_vec_free(&files->arenas);
}

bool cs_ue_is_folder(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool cs_ue_is_file(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}
