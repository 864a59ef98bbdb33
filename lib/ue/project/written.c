/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the files that the engine wrote below a folder such as a project's Saved:
 * StreamingGeneration logs, folders of cooked packages, CSV profiles. The list is sorted by
 * modification time, newest first.
 */
#include "ue/project/files.h"

#include "core/sort.h"
#include "core/text.h"

#include <cellscope/ue.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* `list` must be first, because cs_ue_written_list_free() frees its address. */
struct held {
	struct cs_ue_written_list list;
	struct cs_arena arena;
	CS_VEC(struct cs_ue_written) rows;
};

/*
 * Returns the length of the path of a cook's folder ("Saved/Cooked/Windows") at the start of
 * `path`, or 0. Names of folders above `root` do not count.
 */
static size_t cook_of(const char *root, const char *path)
{
	static const char part[] = "/Cooked/";
	const char *below = path + strlen(root), *at = strcasestr(below, part);
	size_t n = strlen(root);
	while (n > 0 && root[n - 1] == '/')
		n--;
	const bool is_root = n >= 6 && strncasecmp(root + n - 6, "Cooked", 6) == 0 &&
			     (n == 6 || root[n - 7] == '/');
	const char *platform = at        ? at + sizeof(part) - 1
			       : is_root ? below + strspn(below, "/")
					 : "";
	const char *end = strchr(platform, '/');
	return end ? (size_t)(end - path) : 0;
}

static bool add(struct held *held, enum cs_ue_written_kind kind, const char *path, size_t n)
{
	struct stat st;
	const char *copy = cs_arena_text(&held->arena, path, n);
	if (!copy)
		return false;
	if (stat(copy, &st) < 0)
		return true; /* the file was removed in the meantime */
	for (size_t i = 0; kind == CS_UE_WRITTEN_COOK && i < held->rows.n; i++)
		if (held->rows.at[i].kind == kind && strcmp(held->rows.at[i].path, copy) == 0)
			return true;
	return cs_vec_push(&held->rows, (struct cs_ue_written){kind, copy, (int64_t)st.st_mtime});
}

/* Returns the length of `root` before its last folder. Slashes at the end are ignored. */
static size_t length_above(const char *root)
{
	size_t n = strlen(root);
	while (n > 0 && root[n - 1] == '/')
		n--;
	while (n > 0 && root[n - 1] != '/')
		n--;
	return n;
}

static bool take(
	struct held *held, enum cs_ue_written_kind kind, const char *root, const char *path)
{
	size_t cook = cook_of(root, path);
	if (kind == CS_UE_WRITTEN_COOK)
		return cook == 0 || add(held, kind, path, cook);
	if (kind == CS_UE_WRITTEN_LOG &&
		strncmp(cs_base_name(path), "StreamingGeneration", 19) != 0)
		return true;
	/* names of folders above `root` do not count */
	if (kind == CS_UE_WRITTEN_PROFILE && !strstr(path + length_above(root), "Profiling"))
		return true;
	return add(held, kind, path, strlen(path));
}

static struct cs_error *find(struct held *held, const char *root, const char *suffix,
	enum cs_ue_written_kind kind, const struct cs_job *job)
{
	struct cs_ue_files files;
	struct cs_error *error = cs_ue_find_files(root, suffix, NULL, job, &files);
	if (error)
		return error;
	bool works = true;
	for (size_t i = 0; works && i < files.paths.n; i++)
		works = take(held, kind, root, files.paths.at[i]);
	cs_ue_files_deinit(&files);
	return works ? NULL : cs_error_nomem();
}

static int newest_first(const void *left, const void *right, void *context)
{
	const struct cs_ue_written *l = left, *r = right;
	(void)context;
	if (l->time != r->time)
		return l->time > r->time ? -1 : 1;
	return strcmp(r->path, l->path); /* same time: the higher number in the name first */
}

struct cs_error *cs_ue_list_written(
	const char *folder, const struct cs_job *job, struct cs_ue_written_list **ret)
{
	static const struct {
		const char *suffix;
		enum cs_ue_written_kind kind;
	} kinds[] = {{".log", CS_UE_WRITTEN_LOG}, {".umap", CS_UE_WRITTEN_COOK},
		{".utoc", CS_UE_WRITTEN_COOK}, {".csv", CS_UE_WRITTEN_PROFILE},
		{".csv.gz", CS_UE_WRITTEN_PROFILE}};
	struct held *held = calloc(1, sizeof(*held));
	if (!held)
		return cs_error_nomem();
	struct cs_error *error = NULL;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && !error; i++)
		error = find(held, folder, kinds[i].suffix, kinds[i].kind, job);
	if (!error &&
		!cs_sort(held->rows.at, held->rows.n, sizeof(*held->rows.at), newest_first, NULL))
		error = cs_error_nomem();
	if (error) {
		cs_ue_written_list_free(&held->list);
		return error;
	}
	held->list = (struct cs_ue_written_list){held->rows.at, held->rows.n};
	*ret = &held->list;
	return NULL;
}

void cs_ue_written_list_free(struct cs_ue_written_list *list)
{
	struct held *held = (struct held *)list;
	if (!held)
		return;
	cs_vec_free(&held->rows);
	cs_arena_deinit(&held->arena);
	free(held);
}
