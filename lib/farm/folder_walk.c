/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the files below a folder with a queue of folders to visit, without recursion. */
#include "farm/folder_walk.h"

#include "core/job.h"
#include "core/sort.h"
#include "format/byte_source.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

/* Appends a path to `to`, which owns it. Frees it and returns false when memory runs out. */
static bool folder_walk_keep(struct farm_files *to, char *path)
{
	if (cs_vec_push(&to->paths, path))
		return true;
	free(path);
	return false;
}

/* Parameters of a search for files whose names end in one of `ends`. */
struct search {
	const char *const *ends;
	size_t root; /* length in bytes of the path of the root */
	int links;   /* largest number of links to folders on a path */
};

/* Appends the wanted files of a folder to `files`, and the folders to enter to `folders`. */
static struct cs_error *folder_walk_read_folder(struct search search, const char *folder,
	struct farm_files *files, struct farm_files *folders)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return cs_error_errno(errno, folder, "open the folder");
	struct dirent *entry;
	bool good = true;
	while (good && (entry = readdir(dir))) {
		struct stat st;
		char *path;
		if (entry->d_name[0] == '.')
			continue;
		good = asprintf(&path, "%s/%s", folder, entry->d_name) >= 0;
		if (!good)
			break;
		const bool linked = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
		const bool there = stat(path, &st) == 0;
		if (there && S_ISDIR(st.st_mode) &&
			(!linked || cs_link_leads_on(path, search.root, search.links)))
			good = folder_walk_keep(folders, path);
		else if (there && S_ISREG(st.st_mode) && cs_ends_with_any(path, search.ends))
			good = folder_walk_keep(files, path);
		else
			free(path);
	}
	closedir(dir);
	return good ? NULL : cs_error_nomem();
}

struct cs_error *farm_find_files(const char *root, const char *const *ends, int links,
	const struct cs_job *job, struct farm_files *ret)
{
	const struct search search = {ends, strlen(root), links};
	struct farm_files folders = {{0}};
	*ret = (struct farm_files){{0}};
	struct cs_error *error = folder_walk_read_folder(search, root, ret, &folders);
	while (folders.paths.n > 0 && !error) {
		char *folder = folders.paths.at[--folders.paths.n];
		error = folder_walk_read_folder(search, folder, ret, &folders);
		free(folder);
		if (!error)
			error = cs_job_check(job);
	}
	farm_files_deinit(&folders);
	if (!error && !cs_sort(ret->paths.at, ret->paths.n, sizeof(char *), cs_compare_texts, NULL))
		error = cs_error_nomem();
	if (error)
		farm_files_deinit(ret);
	return error;
}

void farm_files_deinit(struct farm_files *files)
{
	for (size_t i = 0; i < files->paths.n; i++)
		free(files->paths.at[i]);
	cs_vec_free(&files->paths);
}
