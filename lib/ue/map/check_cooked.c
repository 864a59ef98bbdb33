/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks a cooked map as a whole: names of cells, whether each cell has its generated package,
 * whether the actors in these packages are those of the map's table of actors, and names and GUIDs
 * that occur twice. Nothing is trusted only because the engine wrote it.
 */
#include "ue/map/check_cooked.h"

#include "core/guid.h"
#include "core/job.h"
#include "core/search.h"
#include "core/sort.h"
#include "core/text.h"

#include <cellscope/ue.h>

#include <stdio.h>
#include <stdlib.h>

const char *const cs_ue_checks[][2] = {
	{"properties", "every export of World Partition is read to its last byte"},
	{"cell_package", "a cell that streams has exactly one generated package"},
	{"package_cell", "a generated package belongs to a cell"},
	{"cell_back", "a generated package names the cell that it was made for"},
	{"cell_name", "the short name of a cell is the hash of its name"},
	{"cell_guid", "the GUID of a cell follows from its name, layers and size"},
	{"cell_layers", "the id in the name of a cell is that of its data layers"},
	{"cell_key", "the key of a cell in its grid gives the coordinates of the cell"},
	{"cell_place", "a cell lies at the coordinates of its name"},
	{"cell_grid", "the grid in the name of a cell lists the cell"},
	{"cell_content", "the bounds of a cell touch its contents"},
	{"cell_twice", "names, GUIDs and places of cells are unique"},
	{"grid_bounds", "a grid contains the contents of its cells"},
	{"actor_table",
		"the table of the map has each actor of each generated package, in its cell"},
	{"actor_twice", "no actor is in two cells"},
	{"hlod_source", "an HLOD actor names a cell of the map as its source"},
	{NULL, NULL},
};

void cs_ue_check_tell(struct cs_ue_check *check, enum cs_severity severity, enum cs_code code,
	const char *rule, const char *where, const char *format, ...)
{
	struct cs_finding finding = {
		.severity = severity, .code = code, .offset = CS_NO_OFFSET, .rule = rule};
	va_list args;
	if (check->found++ >= check->most)
		return;
	va_start(args, format);
	vsnprintf(finding.message, sizeof(finding.message), format, args);
	va_end(args);
	snprintf(finding.place, sizeof(finding.place), "%s", where);
	check->report(check->context, &finding);
}

/* ---- duplicates of names and GUIDs ---- */

/* A value of a cell or an actor that must be unique. */
struct once {
	const char *text;
	struct cs_guid guid;
	uint32_t row;
};

static int check_cooked_by_text(const void *left, const void *right, void *context)
{
	const struct once *a = left, *b = right;
	(void)context;
	int order = cs_name_compare(a->text, b->text);
	return order ? order : cs_guid_compare(a->guid, b->guid);
}

enum what { WHAT_NAME, WHAT_GUID, WHAT_PACKAGE };

static void tell_twice(
	struct cs_ue_check *check, enum what what, const struct once *a, const struct once *b)
{
	static const char *const texts[] = {
		"the same name as", "the same GUID as", "the same generated package as"};
	const struct cs_ue_map_cell *first = &check->map->cells.at[a->row];
	const struct cs_ue_map_cell *second = &check->map->cells.at[b->row];
	cs_ue_check_tell(check, CS_ERROR, CS_E_DUPLICATE,
		what == WHAT_PACKAGE ? "cell_package" : "cell_twice",
		cs_ue_check_cell_title(second), "the cell has %s %s", texts[what],
		cs_ue_check_cell_title(first));
}

static bool once_of(const struct cs_ue_map_cell *cell, enum what what, struct once *ret)
{
	*ret = (struct once){.text = ""};
	if (what == WHAT_GUID)
		ret->guid = cell->guid;
	else if (what == WHAT_NAME)
		ret->text = cs_ue_check_cell_title(cell);
	else
		ret->text = cell->package ? cell->package : "";
	return *ret->text || !cs_guid_is_zero(ret->guid);
}

static void check_twice(struct cs_ue_check *check, enum what what)
{
	size_t n = 0, cells = check->map->cells.n;
	struct once *list = calloc(cells + 1, sizeof(*list));
	for (uint32_t i = 0; list && i < cells; i++)
		if (once_of(&check->map->cells.at[i], what, &list[n]))
			list[n++].row = i;
	if (!list || !cs_sort(list, n, sizeof(*list), check_cooked_by_text, NULL))
		check->failed = true;
	for (size_t i = 1; i < n && !check->failed; i++)
		if (check_cooked_by_text(&list[i - 1], &list[i], NULL) == 0)
			tell_twice(check, what, &list[i - 1], &list[i]);
	free(list);
}

/* ---- generated packages ---- */

/* Returns whether a file is a package in "MAP/_Generated_/", beside the file of the map. */
static bool is_generated_for(const struct cs_ue_check *check, const char *path)
{
	static const char between[] = "/_Generated_/";
	const char *map = check->map->package->file, *dot = strrchr(map, '.');
	size_t n = dot ? (size_t)(dot - map) : strlen(map);
	return strncasecmp(path, map, n) == 0 && strncasecmp(path + n, between, 13) == 0 &&
	       cs_ue_is_package_path(path);
}

static const char *package_text(const struct cs_ue_map_cell *cell)
{
	return cell->package ? cs_base_name(cell->package) : "";
}

/* Compares two cells, given by their row numbers, by the names of their generated packages. */
static int check_cooked_by_package(const void *left, const void *right, void *context)
{
	const struct cs_ue_map *map = context;
	return cs_name_compare(package_text(&map->cells.at[*(const uint32_t *)left]),
		package_text(&map->cells.at[*(const uint32_t *)right]));
}

static bool has_cell_of(const struct cs_ue_map *map, const uint32_t *rows, const char *package)
{
	const struct cs_ue_map_cell *cells = map->cells.at;
	size_t row = cs_lower_bound(
		0, map->cells.n, i, cs_name_compare(package_text(&cells[rows[i]]), package) < 0);
	const char *found = row < map->cells.n ? package_text(&cells[rows[row]]) : NULL;
	return found && cs_name_compare(found, package) == 0;
}

/* Reports generated packages that no cell uses. Returns whether any generated package exists. */
static bool check_packages(struct cs_ue_check *check)
{
	size_t n;
	bool any = false;
	const struct cs_ue_place_file *files = cs_ue_place_files(check->place, &n);
	uint32_t *rows = cs_sorted_rows(check->map->cells.n, check_cooked_by_package, check->map);
	if (!rows)
		check->failed = true;
	for (size_t i = 0; i < n && !check->failed; i++) {
		if (files[i].hidden || !is_generated_for(check, files[i].path))
			continue;
		any = true;
		const char *base = cs_base_name(files[i].path), *dot = strrchr(base, '.');
		const char *name = cs_arena_text(&check->map->arena, base, (size_t)(dot - base));
		check->failed |= !name;
		if (!name || has_cell_of(check->map, rows, name))
			continue;
		bool map = cs_name_compare(dot, ".umap") == 0;
		cs_ue_check_tell(check, map ? CS_ERROR : CS_WARNING, CS_E_REFERENCE, "package_cell",
			name,
			map ? "no cell of the map refers to this package"
			    : "no cell refers to this package: it may be a streaming object of a "
			      "plugin or an external data layer");
	}
	free(rows);
	return any;
}

/* ---- contents of a generated package ---- */

static const char *check_cooked_keep(struct cs_ue_check *check, const char *text)
{
	const char *copy = cs_arena_copy(&check->map->arena, text);
	check->failed |= !copy;
	return copy ? copy : "";
}

static void check_back(
	struct cs_ue_check *check, const struct cs_ue_map_cell *cell, const struct cs_ue_map *level)
{
	const char *dot = level->runtime_cell ? strrchr(level->runtime_cell, '.') : NULL;
	const char *title = cs_ue_check_cell_title(cell);
	if (!(level->package->flags & CS_UE_PACKAGE_GENERATED))
		cs_ue_check_tell(check, CS_WARNING, CS_E_PACKAGE, "cell_back", title,
			"the package of the cell lacks the mark that the cooker gives to generated "
			"packages");
	if (level->problem)
		cs_ue_check_tell(check, CS_ERROR, CS_E_VERSION, "properties", title,
			"the package of the cell: %s", level->problem->message);
	if (!level->has_properties)
		return;
	check->counts->back++;
	if (!dot)
		cs_ue_check_tell(check, CS_ERROR, CS_E_REFERENCE, "cell_back", title,
			"the package of the cell does not contain the name of the cell");
	else if (cs_name_compare(dot + 1, cell->name) != 0)
		cs_ue_check_tell(check, CS_ERROR, CS_E_REFERENCE, "cell_back", title,
			"the package of the cell names another cell, %s", dot + 1);
}

static void gather_actors(struct cs_ue_check *check, uint32_t row, const struct cs_ue_map *level)
{
	for (size_t i = 0; i < level->actors.n; i++) {
		const struct cs_ue_map_actor *actor = &level->actors.at[i];
		if (cs_name_compare(actor->name, "WorldSettings") == 0)
			continue;
		struct cs_ue_check_actor mine = {
			check_cooked_keep(check, actor->name), actor->guid, row};
		cs_vec_push_in(check, actors, mine);
		check->counts->actors++;
	}
}

static struct cs_error *check_cooked_open_level(struct cs_ue_check *check,
	const struct cs_ue_map_cell *cell, size_t file, struct cs_ue_map **ret)
{
	struct cs_ue_map_options options = *check->options;
	struct cs_ue_cooked_package *package;
	struct cs_error *error =
		cs_ue_cooked_package_open(check->place, file, check->job, &package);
	if (error)
		return error;
	char why[160];
	size_t ubulk;
	const enum cs_code code = cs_ue_bulk_problem(check->place, file, package, &ubulk, why);
	if (code)
		cs_ue_check_tell(check, CS_ERROR, code, "cell_package",
			cs_ue_check_cell_title(cell), "%s: %s", check->place->files[ubulk].path,
			why);
	options.release = CS_UE_RELEASES;
	if (check->map->release != CS_UE_RELEASES)
		package->releases = 1u << check->map->release;
	if (cs_name_compare(package->name, cell->package) != 0)
		cs_ue_check_tell(check, CS_ERROR, CS_E_REFERENCE, "cell_package",
			cs_ue_check_cell_title(cell),
			"the name in the package of the cell is that of another package, %s",
			package->name);
	return cs_ue_map_read(package, &options, ret);
}

/* Finds the file of a cell's package; returns false if the cell has none, or it does not exist. */
static bool find_cell_file(
	const struct cs_ue_check *check, const struct cs_ue_map_cell *cell, size_t *ret)
{
	return cell->package && cs_ue_map_package(check->map, check->place, cell->package, ret);
}

/*
 * Checks the generated package of a cell and collects its actors. A package that cannot be read is
 * a finding; only an interruption or a lack of memory is an error. `any` is whether some generated
 * package exists: if none does, no package is reported as missing.
 */
static struct cs_error *check_level(struct cs_ue_check *check, uint32_t row, bool any)
{
	const struct cs_ue_map_cell *cell = &check->map->cells.at[row];
	const char *title = cs_ue_check_cell_title(cell);
	struct cs_ue_map *level;
	size_t file;
	if (cell->always_loaded)
		return NULL;
	if (!find_cell_file(check, cell, &file)) {
		if (any)
			cs_ue_check_tell(check, CS_ERROR, CS_E_MISSING, "cell_package", title,
				"the generated package of the cell does not exist%s%s",
				cell->package ? ": " : "", cell->package ? cell->package : "");
		return NULL;
	}
	check->counts->packages++;
	struct cs_error *error = check_cooked_open_level(check, cell, file, &level);
	if (error && cs_error_is_final(error))
		return error;
	if (error) {
		cs_ue_check_tell(check, CS_ERROR, error->code, "cell_package", title,
			"the package of the cell: %s", error->message);
		cs_error_free(error);
		return NULL;
	}
	check_back(check, cell, level);
	gather_actors(check, row, level);
	cs_ue_map_free(level);
	return NULL;
}

static struct cs_error *check_levels(struct cs_ue_check *check)
{
	bool any = check_packages(check);
	size_t wanted = 0, file;
	/* beside a map that was renamed are none of its packages, but some may have their names */
	for (uint32_t i = 0; i < check->map->cells.n && !any; i++)
		any = find_cell_file(check, &check->map->cells.at[i], &file);
	for (uint32_t i = 0; i < check->map->cells.n; i++) {
		wanted += !check->map->cells.at[i].always_loaded;
		struct cs_error *error = cs_job_check(check->job);
		if (!error)
			error = check_level(check, i, any);
		if (error)
			return error;
		cs_job_progress(check->job, "cells", i, check->map->cells.n);
	}
	if (!any && wanted > 0)
		cs_ue_check_tell(check, CS_WARNING, CS_E_MISSING, "cell_package", "",
			"none of the %zu generated packages exists: cells were checked "
			"only against the map",
			wanted);
	return NULL;
}

/* ---- actors and the map's table of actors ---- */

static int by_actor(const void *left, const void *right, void *context)
{
	const struct cs_ue_check_actor *a = left, *b = right;
	(void)context;
	int order = cs_name_compare(a->name, b->name);
	return order ? order : (a->cell > b->cell) - (a->cell < b->cell);
}

static int by_pair(const void *left, const void *right, void *context)
{
	const struct cs_ue_pair *a = left, *b = right;
	(void)context;
	int order = cs_name_compare(a->actor, b->actor);
	return order ? order : cs_name_compare(a->cell, b->cell);
}

static const char *title_of_row(const struct cs_ue_check *check, uint32_t row)
{
	return cs_ue_check_cell_title(&check->map->cells.at[row]);
}

/* Checks an actor of a package against its row in the map's table (NULL if there is none). */
static void check_cooked_compare_actor(struct cs_ue_check *check,
	const struct cs_ue_check_actor *actor, const struct cs_ue_pair *pair)
{
	const char *cell = check->map->cells.at[actor->cell].name;
	check->counts->table++;
	if (!pair)
		cs_ue_check_tell(check, CS_ERROR, CS_E_REFERENCE, "actor_table", actor->name,
			"the actor is in the package of %s, but not in the table of actors of the "
			"map",
			title_of_row(check, actor->cell));
	else if (cs_name_compare(pair->cell, cell) != 0)
		cs_ue_check_tell(check, CS_ERROR, CS_E_REFERENCE, "actor_table", actor->name,
			"the actor is in the package of %s, but the table of actors of the map "
			"says %s",
			title_of_row(check, actor->cell), pair->cell);
}

static void tell_pair_alone(struct cs_ue_check *check, const struct cs_ue_pair *pair)
{
	const struct cs_ue_map_cell *cell = cs_ue_map_cell_named(check->map, pair->cell);
	size_t file;
	if (!cell)
		cs_ue_check_tell(check, CS_ERROR, CS_E_REFERENCE, "actor_table", pair->actor,
			"the table of actors of the map places the actor in %s, which "
			"is not a cell",
			pair->cell);
	else if (cell->package && cs_ue_map_package(check->map, check->place, cell->package, &file))
		cs_ue_check_tell(check, CS_ERROR, CS_E_REFERENCE, "actor_table", pair->actor,
			"the table of actors of the map places the actor in %s, whose "
			"package does not contain it",
			cs_ue_check_cell_title(cell));
}

static void check_cooked_check_table(struct cs_ue_check *check)
{
	struct cs_ue_map *map = check->map;
	size_t p = 0;
	bool table = map->has_properties && map->remapping.n > 0;
	if (!cs_sort(
		    check->actors.at, check->actors.n, sizeof(*check->actors.at), by_actor, NULL) ||
		!cs_sort(map->remapping.at, map->remapping.n, sizeof(*map->remapping.at), by_pair,
			NULL)) {
		check->failed = true;
		return;
	}
	for (size_t i = 0; i < check->actors.n; i++) {
		const struct cs_ue_check_actor *actor = &check->actors.at[i];
		if (i > 0 && cs_name_compare(actor->name, actor[-1].name) == 0) {
			cs_ue_check_tell(check, CS_ERROR, CS_E_DUPLICATE, "actor_twice",
				actor->name, "the actor is in two cells, %s and %s",
				title_of_row(check, actor[-1].cell),
				title_of_row(check, actor->cell));
			continue;
		}
		int order = -1;
		for (; table && p < map->remapping.n; p++) {
			order = cs_name_compare(map->remapping.at[p].actor, actor->name);
			if (order >= 0)
				break;
			tell_pair_alone(check, &map->remapping.at[p]);
		}
		bool found = table && p < map->remapping.n && order == 0;
		if (table)
			check_cooked_compare_actor(
				check, actor, found ? &map->remapping.at[p] : NULL);
		p += found;
	}
	for (; p < map->remapping.n; p++)
		tell_pair_alone(check, &map->remapping.at[p]);
}

static int by_actor_guid(const void *left, const void *right, void *context)
{
	const struct cs_ue_check_actor *a = left, *b = right;
	(void)context;
	int order = cs_guid_compare(a->guid, b->guid);
	return order ? order : cs_name_compare(a->name, b->name);
}

static void check_actor_guids(struct cs_ue_check *check)
{
	if (!cs_sort(check->actors.at, check->actors.n, sizeof(*check->actors.at), by_actor_guid,
		    NULL))
		check->failed = true;
	for (size_t i = 1; i < check->actors.n && !check->failed; i++) {
		const struct cs_ue_check_actor *actor = &check->actors.at[i];
		if (!cs_guid_is_zero(actor->guid) &&
			cs_guid_compare(actor[-1].guid, actor->guid) == 0)
			cs_ue_check_tell(check, CS_ERROR, CS_E_DUPLICATE, "actor_twice",
				actor->name, "another actor, %s, has the same GUID",
				actor[-1].name);
	}
}

static void check_hlod_sources(
	struct cs_ue_check *check, const struct cs_sort_key *cells, size_t n_cells)
{
	for (size_t i = 0; i < check->map->actors.n; i++) {
		const struct cs_ue_map_actor *actor = &check->map->actors.at[i];
		char text[CS_GUID_TEXT];
		if (!actor->is_hlod || cs_guid_is_zero(actor->source_cell))
			continue;
		cs_guid_format(actor->source_cell, text);
		if (cs_sort_keys_find_guid(cells, n_cells, actor->source_cell) == CS_NONE)
			cs_ue_check_tell(check, CS_WARNING, CS_E_REFERENCE, "hlod_source",
				actor->label ? actor->label : actor->name,
				"the HLOD actor was built from cell %s, which the map does not "
				"have: the HLODs are older than the cook",
				text);
	}
}

static void check_hlods(struct cs_ue_check *check)
{
	size_t n = check->map->cells.n;
	struct cs_sort_key *cells = malloc((n ? n : 1) * sizeof(*cells));
	for (size_t i = 0; cells && i < n; i++)
		cells[i] = cs_sort_key_of_guid(check->map->cells.at[i].guid, (uint32_t)i);
	if (cells && cs_sort_keys(cells, n))
		check_hlod_sources(check, cells, n);
	else
		check->failed = true;
	free(cells);
}

/* ---- all checks of a map ---- */

static struct cs_error *check_cooked_run(struct cs_ue_check *check)
{
	const struct cs_ue_map *map = check->map;
	check->counts->cells = map->cells.n;
	if (map->problem)
		cs_ue_check_tell(check, CS_ERROR, map->problem->code, "properties", "",
			"only names and export tables were checked: %s", map->problem->message);
	else if (!map->has_properties)
		cs_ue_check_tell(check, CS_WARNING, CS_E_MISSING, "properties", "",
			"only names and export tables were checked, because no property could be "
			"read");
	cs_ue_check_cells(check);
	check_twice(check, WHAT_NAME);
	check_twice(check, WHAT_GUID);
	check_twice(check, WHAT_PACKAGE);
	struct cs_error *error = check_levels(check);
	if (error)
		return error;
	check_cooked_check_table(check);
	check_actor_guids(check);
	check_hlods(check);
	return check->failed ? cs_error_nomem() : NULL;
}

struct cs_error *cs_ue_map_check(const struct cs_ue_place *place, struct cs_ue_map *map,
	const struct cs_ue_map_options *options, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	struct cs_ue_checked *ret)
{
	*ret = (struct cs_ue_checked){0};
	struct cs_ue_check check = {.place = place,
		.job = job,
		.options = options,
		.map = map,
		.report = report,
		.context = context,
		.counts = ret,
		.most = cs_job_limits(job).findings};
	struct cs_error *error = check_cooked_run(&check);
	cs_vec_free(&check.actors);
	return error;
}
