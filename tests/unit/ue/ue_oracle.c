/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our cook against what the engine itself cooked. A StreamingGeneration log holds the engine's
 * cells: the world of the log, cooked by us, must have the same ones, and our report of it must be
 * the engine's log again. HLOD actors saved with a project hold the cells that they were built
 * from: our cook of the project must put their source actors into those.
 */
#include "core/guid.h"
#include "format/cooked_inside.h"
#include "tests/unit/cook/cooking.h"
#include "tests/unit/ue/ue_world.h"

#include <cellscope/cook.h>

#include <jansson.h>

static const char *data;

static const char *in_data(const char *name)
{
	static char path[4096];
	snprintf(path, sizeof(path), "%s/ue/%s", data, name);
	return path;
}

static const char *engine_log(void)
{
	return in_data("logs/StreamingGeneration-OpenWorld-5.5.log");
}

static struct cooked_world cook_by_default(const struct cs_world *world)
{
	return cook_world(world, &(struct cs_cook_options){0}, 0);
}

/* ---- cells of the engine's log ---- */

static bool holds(const struct cs_cooked *c, const struct cs_cooked_cell *cell, struct cs_guid guid)
{
	for (uint32_t i = 0; i < cell->actors.count; i++) {
		uint32_t row = cs_cooked_id(c, CS_IDS_CELL_ACTORS, cell->actors.first + i);
		if (cs_guid_compare(cs_cooked_actor(c, row)->guid, guid) == 0)
			return true;
	}
	return false;
}

static void check_cell(
	const struct cs_cooked *c, const struct cs_ue_log *log, const struct cs_ue_log_cell *theirs)
{
	const struct cs_cooked_cell *ours = cell_called(c, theirs->name);
	if (!ours) {
		differs("%s: not cooked", theirs->name);
		return;
	}
	if (strcmp(cs_cooked_text(c, ours->package), theirs->package) != 0)
		differs("%s: package", theirs->name);
	if (memcmp(&ours->box, &theirs->bounds, sizeof(ours->box)) != 0)
		differs("%s: cell bounds", theirs->name);
	if (!near_box(&ours->content, &theirs->content, 0.01))
		differs("%s: content bounds", theirs->name);
	if (ours->actors.count != theirs->count)
		differs("%s: %u actors, want %zu", theirs->name, ours->actors.count, theirs->count);
	for (size_t k = 0; k < theirs->count; k++)
		if (!holds(c, ours, log->actors[theirs->first + k].instance))
			differs("%s: actor %zu", theirs->name, k);
}

/* Returns whether the actor with that path, which the log gives, is in an always loaded cell. */
static bool is_always_loaded(const struct cs_cooked *c, const char *path)
{
	for (size_t i = 0; i < c->n_actors; i++) {
		uint32_t cell = cs_cooked_actor(c, i)->cell;
		if (cell != CS_NONE && cs_cooked_cell(c, cell)->flags & CS_CELL_ALWAYS_LOADED &&
			strcmp(cs_cooked_text(c, cs_cooked_detail(c, i)->path), path) == 0)
			return true;
	}
	return false;
}

static void check_persistent(const struct cs_cooked *c, const struct cs_ue_log *log)
{
	size_t loaded = 0;
	for (size_t i = 0; i < c->n_cells; i++)
		if (cs_cooked_cell(c, i)->flags & CS_CELL_ALWAYS_LOADED)
			loaded += cs_cooked_cell(c, i)->actors.count;
	is_int(loaded, log->n_always_loaded, "log: as many actors are always loaded");
	ue_differences = 0;
	for (size_t i = 0; i < log->n_always_loaded; i++)
		if (!is_always_loaded(c, log->always_loaded[i].path))
			differs("%s: not always loaded", log->always_loaded[i].path);
	is_int(ue_differences, 0, "log: and they are the same ones");
}

static void test_log_cells(const struct cs_cooked *c)
{
	struct cs_ue_log *log = NULL;
	size_t streamed = 0;
	works(cs_ue_read_log(engine_log(), NULL, &log), "log: read");
	if (!log)
		return;
	for (size_t i = 0; i < c->n_cells; i++)
		streamed += !(cs_cooked_cell(c, i)->flags & CS_CELL_ALWAYS_LOADED);
	is_int(log->n_cells, 64, "log: the engine made 64 cells");
	is_int(streamed, log->n_cells, "log: and so did we");
	ue_differences = 0;
	for (size_t i = 0; i < log->n_cells; i++)
		check_cell(c, log, &log->cells[i]);
	is_int(ue_differences, 0, "log: names, packages, bounds and actors of all of them");
	check_persistent(c, log);
	cs_ue_log_free(log);
}

/* ---- the report ---- */

/* Returns the log without carriage returns, because the engine wrote it on Windows. */
static char *without_returns(const char *path)
{
	size_t size;
	char *text = (char *)read_file(path, &size), *to = text;
	if (!text)
		return NULL;
	text[size] = '\0';
	for (const char *from = text; *from;) {
		if (*from == '\r')
			from++;
		else
			*to++ = *from++;
	}
	*to = '\0';
	return text;
}

static size_t line_at(const char *text, size_t at)
{
	size_t line = 1;
	for (size_t i = 0; i < at; i++)
		line += text[i] == '\n';
	return line;
}

static void test_report(struct cs_cooked *c)
{
	char path[4096];
	fresh_folder(path, sizeof(path), "ue_oracle.log");
	works(cs_cooked_write_log(c, path), "report: written");
	char *theirs = without_returns(engine_log()), *ours = without_returns(path);
	if (theirs && ours && !ok(strcmp(theirs, ours) == 0, "report: is the engine's log")) {
		size_t at = 0;
		while (theirs[at] && theirs[at] == ours[at])
			at++;
		diag("line %zu: '%.60s', want '%.60s'", line_at(theirs, at), ours + at,
			theirs + at);
	}
	free(theirs);
	free(ours);
	unlink(path);
}

/* ---- the project and the cells of its HLOD actors ---- */

static const char *text_of(json_t *row, const char *key)
{
	json_t *value = json_object_get(row, key);
	return json_is_string(value) ? json_string_value(value) : "";
}

static uint32_t find_actor(const struct cs_cooked *c, const char *digits)
{
	struct cs_guid guid;
	if (!cs_guid_parse(digits, strlen(digits), &guid))
		return CS_NONE;
	for (uint32_t i = 0; i < c->n_actors; i++)
		if (cs_guid_compare(cs_cooked_actor(c, i)->guid, guid) == 0)
			return i;
	return CS_NONE;
}

/*
 * Returns "MainGrid_L0_X1_Y-2_Z0" for "LAYER/MAP_MainGrid_L0_X1_Y-2_Z0", because the map has
 * another name.
 */
static const char *cell_of_label(const char *label)
{
	const char *at = strstr(label, "_MainGrid");
	return at ? at + 1 : "(no cell)";
}

static void check_source(const struct cs_cooked *c, const char *digits, const char *want)
{
	uint32_t row = find_actor(c, digits);
	if (row == CS_NONE || cs_cooked_actor(c, row)->cell == CS_NONE) {
		differs("%s: in no cell", digits);
		return;
	}
	const char *name =
		cs_cooked_text(c, cs_cooked_cell(c, cs_cooked_actor(c, row)->cell)->name);
	const char *got = cell_of_label(name);
	if (strncmp(name, "L_WPExample_", (size_t)(got - name)) != 0 || strcmp(got, want) != 0)
		differs("%s: in %s, want %s", digits, name, want);
}

static void test_hlod_cells(const struct cs_cooked *c)
{
	json_t *root = json_load_file(
		in_data("answers/wpexample56-L_WPExample.hlod_oracle.json"), 0, NULL);
	json_t *row, *source;
	size_t i, k, sources = 0;
	ue_differences = 0;
	json_array_foreach (root, i, row) {
		json_array_foreach (json_object_get(row, "cells_sub"), k, source) {
			check_source(
				c, json_string_value(source), cell_of_label(text_of(row, "label")));
			sources++;
		}
	}
	is_int(sources, 64, "project: the engine's HLOD actors name 64 actors");
	is_int(ue_differences, 0, "project: each of them in the cell that the engine names");
	json_decref(root);
}

/* HLOD actors are always loaded themselves, in the setup that their grid names. */
static void test_hlod_homes(const struct cs_cooked *c)
{
	size_t hlods = 0;
	ue_differences = 0;
	for (uint32_t i = 0; i < c->n_hlods; i++) {
		const struct cs_cooked_hlod *hlod = &c->hlods[i];
		if (hlod->actor == CS_NONE || hlod->home == CS_NONE) {
			differs("HLOD %u has no home", i);
			continue;
		}
		const struct cs_cooked_cell *home = cs_cooked_cell(c, hlod->home);
		hlods++;
		if (!(home->flags & CS_CELL_HLOD) || !(home->flags & CS_CELL_ALWAYS_LOADED))
			differs("HLOD %u is in %s", i, cs_cooked_text(c, home->name));
		const char *label = cs_cooked_text(c, cs_cooked_actor(c, hlod->actor)->label);
		const char *source =
			hlod->cell == CS_NONE
				? "-"
				: cs_cooked_text(c, cs_cooked_cell(c, hlod->cell)->name);
		if (strcmp(cell_of_label(source), cell_of_label(label)) != 0)
			differs("HLOD %s stands for %s", label, source);
	}
	is_int(hlods, 64, "project: 64 HLOD actors");
	is_int(ue_differences, 0,
		"project: all in the cell of their setup, for the cell that their label names");
}

/* The engine's log is of the template of this map: its actors are in this map, too. */
static void test_template(const struct cs_cooked *c)
{
	struct cs_ue_log *log = NULL;
	size_t both = 0;
	works(cs_ue_read_log(engine_log(), NULL, &log), "template: log");
	ue_differences = 0;
	for (size_t i = 0; log && i < log->n_cells; i++) {
		const struct cs_ue_log_cell *theirs = &log->cells[i];
		for (size_t k = 0; k < theirs->count; k++) {
			char guid[CS_GUID_TEXT];
			cs_guid_format(log->actors[theirs->first + k].instance, guid);
			check_source(c, guid, cell_of_label(theirs->name));
			both++;
		}
	}
	is_int(both, 64, "template: 64 streamed actors");
	is_int(ue_differences, 0, "template: 5.5 and 5.6 put them into the same cells");
	cs_ue_log_free(log);
}

static void test_log(void)
{
	struct cs_world *world = NULL;
	works(cs_ue_open_log(engine_log(), NULL, &world), "log: opened as a world");
	if (!world)
		return;
	struct cooked_world cooked = cook_by_default(world);
	is_text(broken_invariant(cooked.c) ? broken_invariant(cooked.c) : "", "",
		"log: every invariant of a cook");
	test_log_cells(cooked.c);
	test_report(cooked.c);
	cooked_free(&cooked);
	cs_world_free(world);
}

static void test_project(void)
{
	struct cs_world *world = NULL;
	works(cs_ue_open_project(
		      in_data("wpexample56/WPExample.uproject"), "L_WPExample", NULL, NULL, &world),
		"project: opened");
	if (!world)
		return;
	struct cooked_world cooked = cook_by_default(world);
	is_text(broken_invariant(cooked.c) ? broken_invariant(cooked.c) : "", "",
		"project: every invariant of a cook");
	test_hlod_cells(cooked.c);
	test_hlod_homes(cooked.c);
	test_template(cooked.c);
	cooked_free(&cooked);
	cs_world_free(world);
}

int main(void)
{
	data = shared_data();
	if (!data) {
		skip("no shared data: CELLSCOPE_DATA does not lead to it");
		return done();
	}
	test_log();
	test_project();
	return done();
}
