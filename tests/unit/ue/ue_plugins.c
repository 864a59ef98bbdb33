/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which plugins of a project are read: what the .uproject enables and disables, what the file of
 * each plugin says of itself and of others, and files that are no plugins.
 */
#include "tests/unit/ue/ue_world.h"

#include "ue/project/project.h"

#include <sys/stat.h>

struct file {
	const char *path, *text;
};

static char folder[4096];

/* Writes the files into a new folder, and returns the mounts of the project in it, "/Game /A". */
static const char *mounts_of(const struct file *files)
{
	static char mounts[256];
	const struct cs_job job = {.log = remember};
	struct cs_ue_project project;
	fresh_folder(folder, sizeof(folder), "ue_plugins");
	mkdir(folder, 0777);
	for (; files->path; files++) {
		char path[8192];
		snprintf(path, sizeof(path), "%s/%s", folder, files->path);
		for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/'));
			slash++) {
			*slash = '\0';
			mkdir(path, 0777);
			*slash = '/';
		}
		write_file(path, files->text, strlen(files->text));
	}
	*mounts = *logged = '\0';
	works(cs_ue_project_open(folder, &job, &project), "opened");
	for (size_t i = 0; i < project.mounts.n; i++) {
		const size_t n = strlen(mounts);
		snprintf(mounts + n, sizeof(mounts) - n, "%s%s", n ? " " : "",
			project.mounts.at[i].name);
	}
	cs_ue_project_close(&project);
	return mounts;
}

#define OFF             "\"EnabledByDefault\": false"
#define NEEDS(name, on) "\"Plugins\": [{\"Name\": \"" name "\", \"Enabled\": " on "}]"

static void test_defaults(void)
{
	static const struct file files[] = {
		{"P.uproject",
			"{\"Plugins\": [{\"Name\": \"named\", \"Enabled\": true},"
			"{\"Name\": \"Silent\"}, {\"Name\": \"Refused\", \"Enabled\": false},"
			"{\"Name\": \"Elsewhere\", \"Enabled\": true}, 7, {}]}"},
		{"Plugins/Named/Named.uplugin", "{" OFF ", " NEEDS("Needed", "true") "}"},
		{"Plugins/Needed/Needed.uplugin", "{" OFF ", " NEEDS("NEXT", "true") "}"},
		{"Mods/Next/Next.uplugin", "{" OFF ", " NEEDS("Named", "true") "}"},
		{"Plugins/Silent/Silent.uplugin", "{" OFF ", " NEEDS("Refused", "true") "}"},
		{"Plugins/Refused/Refused.uplugin", "{}"},
		{"Plugins/On/On.uplugin",
			"{\"EnabledByDefault\": true, " NEEDS("Off", "false") "}"},
		{"Plugins/Plain/Plain.uplugin", "{}"},
		{"Plugins/Off/Off.uplugin", "{" OFF ", " NEEDS("Farther", "true") "}"},
		{"Plugins/Farther/Farther.uplugin", "{" OFF "}"}, {NULL, NULL}};
	is_text(mounts_of(files), "/Game /Named /Needed /Next /On /Plain /Silent",
		"on: what the project names, what is on by default, and what these need");
	ok(strstr(logged,
		   "2 plugins are not read, the first is Farther: EnabledByDefault is false"),
		"on: the others are told");
}

static void test_no_plugins(void)
{
	static const struct file files[] = {
		{"P.uproject", "{\"Plugins\": [{\"Name\": \"Out\", \"Enabled\": false}]}"},
		{"Plugins/Out/Out.uplugin", "[]"}, {"._P.uproject", "\5\26\7"},
		{"Plugins/Cut/Cut.uplugin", "{\"EnabledByDefault\": fal"},
		{"Plugins/List/List.uplugin", "[]"}, {"Plugins/Cut/._Cut.uplugin", "\5\26\7"},
		{NULL, NULL}};
	is_text(mounts_of(files), "/Game /Cut /List", "odd: they count as enabled");
	ok(strstr(logged, "Cut.uplugin: the plugin counts as enabled, because the file is not a "
			  ".uplugin: "),
		"odd: with a warning");
	ok(!strstr(logged, "Out.uplugin"), "odd: but not of one that the project disables");
}

int main(void)
{
	test_defaults();
	test_no_plugins();
	remove_tree(folder);
	return done();
}
