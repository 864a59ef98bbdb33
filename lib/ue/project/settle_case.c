/* SPDX-License-Identifier: Apache-2.0 */
/* Finds entries of folders, ignoring case. Of several that match, takes the first by bytes. */
#include "ue/project/settle_case.h"

#include "core/search.h"
#include "core/sort.h"
#include "core/text.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

static int by_entry(const void *left, const void *right, void *context)
{
	(void)context;
	const char *l = *(const char *const *)left, *r = *(const char *const *)right;
	int folded = cs_name_compare(l, r);
	return folded ? folded : strcmp(l, r);
}

/* Reads the names in a folder, or none if the folder is unreadable or memory runs out. */
static void read_folder_names(struct cs_arena *arena, struct cs_ue_entries *entries)
{
	DIR *dir = opendir(entries->folder);
	struct dirent *entry;
	bool good = true;
	while (good && dir && (entry = readdir(dir))) {
		const char *name = cs_arena_copy(arena, entry->d_name);
		good = name && cs_vec_push(&entries->names, name);
	}
	if (dir)
		closedir(dir);
	if (!good || !cs_sort(entries->names.at, entries->names.n, sizeof(*entries->names.at),
			     by_entry, NULL))
		entries->names.n = 0;
}

static const struct cs_ue_entries *entries_of(struct cs_ue_cases *cases, const char *folder)
{
	for (size_t i = 0; i < cases->folders.n; i++)
		if (strcmp(cases->folders.at[i].folder, folder) == 0)
			return &cases->folders.at[i];
	struct cs_ue_entries entries = {.folder = cs_arena_copy(&cases->arena, folder)};
	if (!entries.folder || !cs_vec_push(&cases->folders, entries))
		return NULL;
	struct cs_ue_entries *ret = &cases->folders.at[cases->folders.n - 1];
	read_folder_names(&cases->arena, ret);
	return ret;
}

/* Gives `name` the case of an entry of the folder `path`. Returns false if there is none. */
static bool take_entry(struct cs_ue_cases *cases, const char *path, char *name)
{
	const struct cs_ue_entries *entries = entries_of(cases, path);
	if (!entries)
		return false;
	const char *const *names = entries->names.at;
	const size_t n = entries->names.n;
	const size_t at = cs_lower_bound((size_t)0, n, i, cs_name_compare(names[i], name) < 0);
	if (at == n || strlen(names[at]) != strlen(name) || cs_name_compare(names[at], name) != 0)
		return false;
	memcpy(name, names[at], strlen(name));
	return true;
}

void cs_ue_settle_case(struct cs_ue_cases *cases, char *path, size_t folder)
{
	struct stat st;
	bool found = stat(path, &st) != 0;
	for (size_t at = folder; found && path[at] == '/';) {
		const size_t n = strcspn(path + at + 1, "/");
		char *end = path + at + 1 + n, was = *end;
		*end = '\0';
		found = stat(path, &st) == 0;
		if (!found) {
			path[at] = '\0';
			found = take_entry(cases, path, path + at + 1);
			path[at] = '/';
		}
		*end = was;
		at += 1 + n;
	}
}

void cs_ue_settle_name(struct cs_ue_cases *cases, char *path)
{
	struct stat st;
	char *name = path + (cs_base_name(path) - path);
	const char *folder =
		name == path ? "." : cs_arena_text(&cases->arena, path, (size_t)(name - path));
	if (folder && stat(path, &st) != 0)
		take_entry(cases, folder, name);
}

void cs_ue_cases_deinit(struct cs_ue_cases *cases)
{
	for (size_t i = 0; i < cases->folders.n; i++)
		cs_vec_free(&cases->folders.at[i].names);
	cs_vec_free(&cases->folders);
	cs_arena_deinit(&cases->arena);
}
