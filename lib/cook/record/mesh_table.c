/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the table of meshes: each mesh that actors of the world show, with its path and the number
 * of actors that show it. After the meshes are built, their sizes are added, the bytes of the
 * meshes in each cell are summed, and meshes that could not be built become findings.
 *
 * Rows are sorted by the offset of the path in the strings table, that is, by the first actor that
 * shows the mesh. Each sub partition has a table of its own.
 */
#include "cook/phases/phases.h"
#include "cook/record/tables.h"

#include "cook/phases/text_map.h"
#include "core/search.h"
#include "core/sort.h"
#include "format/check_numbers.h"
#include <cellscope/cooked_values.h>

#include <stdio.h>

uint32_t cs_shown_mesh(const struct cs_cook *cook, const struct cs_actor_row *actor, uint32_t row)
{
	const struct cs_tables *tables = cook->result.tables;
	const struct cs_actor_more *more = cs_actor_more(cook->world, actor);
	if (more->mesh)
		return cs_tables_known_text(cook, more->mesh);
	if (more->hlod == CS_NONE)
		return 0;
	size_t at = cs_lower_bound(0, tables->proxies.n, i, tables->proxies.at[i].row < row);
	if (at < tables->proxies.n && tables->proxies.at[at].row == row)
		return tables->proxies.at[at].text;
	return cs_tables_known_text(cook, cook->world->hlods.at[more->hlod].mesh);
}

/* ---- collecting the meshes of actors ---- */

struct gatherer {
	struct cs_cook *cook;
	/* for each mesh path's text: row of the mesh; meshes are numbered in order of first use */
	struct cs_text_map rows;
	bool failed;
};

/* Adds the mesh of an actor that is in a cell; other actors are never visible. */
static void gather_row(struct gatherer *gatherer, const struct cs_actor_row *actor, uint32_t row)
{
	struct cs_tables *tables = gatherer->cook->result.tables;
	uint32_t text = cs_shown_mesh(gatherer->cook, actor, row);
	if (text == 0 || gatherer->cook->grouped.set_of_row[row] == CS_NONE)
		return;
	uint32_t *at = cs_text_map_at(&gatherer->rows, text);
	if (!at) {
		gatherer->failed = true;
		return;
	}
	if (*at == CS_NONE) {
		*at = (uint32_t)tables->meshes.n;
		const struct cs_cooked_mesh mesh = {
			.bounds = CS_BOX_INVALID, .path = text, .hlod = CS_NONE};
		gatherer->failed = !cs_vec_push(&tables->meshes, mesh);
	}
	if (!gatherer->failed)
		tables->meshes.at[*at].actors++;
}

static int mesh_table_by_path(const void *left, const void *right, void *context)
{
	const struct cs_cooked_mesh *l = left, *r = right;
	(void)context;
	return l->path < r->path ? -1 : l->path > r->path;
}

struct cs_error *cs_cook_meshes(struct cs_cook *cook)
{
	struct gatherer gatherer = {.cook = cook};
	struct cs_tables *tables = cook->result.tables;
	tables->meshes.n = 0;
	if (!tables->names_meshes)
		return NULL;
	for (size_t i = 0; i < cook->placed.instances.n && !gatherer.failed; i++) {
		const struct cs_instance *instance = &cook->placed.instances.at[i];
		const struct cs_collection *collection =
			&cook->actors.collections.at[instance->collection];
		for (uint32_t k = 0; k < collection->n_views && !gatherer.failed; k++)
			gather_row(&gatherer, cs_view_actor(cook, collection->first_view + k),
				instance->first_row + k);
	}
	cs_text_map_deinit(&gatherer.rows);
	if (gatherer.failed || !cs_sort(tables->meshes.at, tables->meshes.n,
				       sizeof(*tables->meshes.at), mesh_table_by_path, NULL))
		return cs_error_nomem();
	return NULL;
}

/* ---- results of building meshes ---- */

static struct cs_cooked_mesh *find_mesh(struct cs_tables *tables, uint32_t text)
{
	size_t n = text ? tables->meshes.n : 0;
	size_t at = cs_lower_bound(0, n, i, tables->meshes.at[i].path < text);
	return at < n && tables->meshes.at[at].path == text ? &tables->meshes.at[at] : NULL;
}

/* Stores for each HLOD actor the proxy mesh that was built for it, if any. */
static struct cs_error *take_proxies(
	struct cs_cook *cook, const struct cs_mesh_fact *facts, size_t n)
{
	struct cs_tables *tables = cook->result.tables;
	tables->proxies.n = 0;
	for (size_t i = 0; i < n; i++) {
		if (facts[i].hlod == CS_NONE)
			continue;
		struct cs_cooked_hlod *hlod = &tables->hlods.at[facts[i].hlod];
		const struct cs_proxy_text proxy = {
			hlod->actor, cs_tables_own_text(cook, facts[i].path)};
		hlod->mesh = proxy.text;
		hlod->mesh_bytes = (double)facts[i].bytes;
		if (!cs_vec_push(&tables->proxies, proxy))
			return cs_error_nomem();
	}
	return cs_sort(tables->proxies.at, tables->proxies.n, sizeof(*tables->proxies.at),
		       cs_compare_u32, NULL)
		       ? NULL
		       : cs_error_nomem();
}

static void take_fact(struct cs_cook *cook, const struct cs_mesh_fact *fact)
{
	struct cs_tables *tables = cook->result.tables;
	uint32_t text = fact->hlod == CS_NONE ? cs_tables_find_text(cook, fact->path)
					      : tables->hlods.at[fact->hlod].mesh;
	struct cs_cooked_mesh *mesh = find_mesh(tables, text);
	if (!mesh)
		return;
	mesh->bounds = fact->bounds;
	mesh->content = fact->content;
	mesh->bytes = fact->bytes;
	mesh->resident_bytes = fact->resident_bytes;
	mesh->file = cs_tables_own_text(cook, fact->file ? fact->file : "");
	mesh->reason = cs_tables_own_text(cook, fact->reason ? fact->reason : "");
	mesh->state = fact->state;
	mesh->triangles = fact->triangles;
	mesh->pages = fact->pages;
	mesh->hlod = fact->hlod;
}

/* ---- bytes of meshes in cells ---- */

static uint32_t shown_by_row(const struct cs_cook *cook, uint32_t row)
{
	const struct cs_instance *instance = cs_instance_of_row(cook, row);
	return cs_shown_mesh(cook, cs_view_actor(cook, cs_view_of_row(cook, instance, row)), row);
}

/* Sums the bytes of each cell's meshes, each once: last[mesh] is 1 + the last cell to count it. */
static struct cs_error *sum_cells(struct cs_cook *cook)
{
	struct cs_tables *tables = cook->result.tables;
	uint32_t *last = calloc(tables->meshes.n + 1, sizeof(*last));
	tables->cell_mesh_bytes.n = 0;
	bool ok = last && cs_vec_reserve(&tables->cell_mesh_bytes, tables->cells.n);
	for (uint32_t cell = 0; ok && cell < tables->cells.n; cell++) {
		const struct cs_range actors = tables->cells.at[cell].actors;
		uint64_t bytes = 0;
		for (uint32_t i = 0; i < actors.count; i++) {
			uint32_t row = tables->cell_actors.at[actors.first + i];
			const struct cs_cooked_mesh *mesh =
				find_mesh(tables, shown_by_row(cook, row));
			if (!mesh || last[mesh - tables->meshes.at] == cell + 1)
				continue;
			last[mesh - tables->meshes.at] = cell + 1;
			bytes += mesh->resident_bytes;
		}
		tables->cell_mesh_bytes.at[tables->cell_mesh_bytes.n++] = bytes;
	}
	free(last);
	return ok ? NULL : cs_error_nomem();
}

/* ---- findings about meshes ---- */

/* Returns for each mesh the first actor row that shows it, or CS_NONE; NULL = no memory. */
static uint32_t *first_rows(const struct cs_cook *cook)
{
	struct cs_tables *tables = cook->result.tables;
	uint32_t *rows = malloc((tables->meshes.n + 1) * sizeof(*rows));
	for (size_t i = 0; rows && i < tables->meshes.n; i++)
		rows[i] = CS_NONE;
	for (uint32_t row = cook->placed.n_rows; rows && row-- > 0;) {
		const struct cs_cooked_mesh *mesh = find_mesh(tables, shown_by_row(cook, row));
		if (mesh && cook->grouped.set_of_row[row] != CS_NONE)
			rows[mesh - tables->meshes.at] = row;
	}
	return rows;
}

static bool add_finding(struct cs_cook *cook, const struct cs_cooked_mesh *mesh, uint32_t row)
{
	struct cs_tables *tables = cook->result.tables;
	char reason[400];
	snprintf(reason, sizeof(reason), "%.150s: %.150s; %u actor%s show%s nothing",
		cs_file_texts_at(&tables->texts, mesh->path),
		cs_file_texts_at(&tables->texts, mesh->reason), mesh->actors,
		mesh->actors == 1 ? "" : "s", mesh->actors == 1 ? "s" : "");
	cook->result.summary.findings++;
	return cs_vec_push(
		&tables->findings, (struct cs_cooked_finding){
					   .check = CS_CHECK_ACTOR_MESH,
					   .severity = CS_WARNING,
					   .repair = CS_REPAIR_NONE,
					   .actor = row,
					   .other = CS_NONE,
					   .layer = CS_NONE,
					   .container = (uint32_t)(cs_instance_of_row(cook, row) -
								   cook->placed.instances.at),
					   .cause = CS_NONE,
					   .reason = cs_tables_own_text(cook, reason),
					   .hlod_layer = CS_NONE,
					   .partition = CS_NONE,
				   });
}

static struct cs_error *report_unbuilt(struct cs_cook *cook)
{
	struct cs_tables *tables = cook->result.tables;
	size_t n = 0;
	for (size_t i = 0; i < tables->meshes.n; i++)
		n += tables->meshes.at[i].state >= CS_MESH_MISSING;
	if (n == 0)
		return NULL;
	uint32_t *rows = first_rows(cook);
	bool ok = rows;
	for (size_t i = 0; ok && i < tables->meshes.n; i++)
		if (tables->meshes.at[i].state >= CS_MESH_MISSING && rows[i] != CS_NONE)
			ok = add_finding(cook, &tables->meshes.at[i], rows[i]);
	free(rows);
	return ok ? NULL : cs_error_nomem();
}

struct cs_error *cs_cook_set_meshes(
	struct cs_cook *cook, const struct cs_mesh_fact *facts, size_t n)
{
	struct cs_error *error = take_proxies(cook, facts, n);
	if (!error)
		error = cs_cook_meshes(cook);
	for (size_t i = 0; !error && i < n; i++)
		take_fact(cook, &facts[i]);
	if (!error)
		error = sum_cells(cook);
	if (!error)
		error = report_unbuilt(cook);
	return error ? error : cs_tables_failed(cook) ? cs_error_nomem() : NULL;
}

bool cs_cook_names_meshes(const struct cs_cook *cook)
{
	return cook->result.tables->meshes.n > 0;
}
