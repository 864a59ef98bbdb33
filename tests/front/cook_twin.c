/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the world and its twin. Simple on purpose: every edge in every pass, lists gone through. */
#include "tests/front/cook_twin.h"

#include "core/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct view views[VIEWS];
struct edge edges[VIEWS * (MOST + 1)];
int n_edges, n_rows;
struct row rows[ROWS];
const char *profile;
bool is_set;

static struct cs_random chance;
static const char *const grids[] = {"", "Main", "Dense", "Nowhere"};

int below(int n)
{
	return (int)cs_random_below(&chance, (uint32_t)n);
}

/* ---- worlds ---- */

int first_of(int level)
{
	return level == 0 ? 0 : level == 1 ? MAIN : MAIN + HOUSE;
}

int end_of(int level)
{
	return level == 0 ? MAIN : level == 1 ? MAIN + HOUSE : VIEWS;
}

static void make_view(int i)
{
	struct view *v = &views[i];
	const int first = first_of(v->level), n = i - first;
	double at[3] = {below(60000) - 30000.0, below(60000) - 30000.0, below(2000)};
	v->parent = n > 0 && below(5) == 0 ? first + below(n) : -1;
	v->spatial = below(5) != 0;
	v->editor = !v->container && below(10) == 0;
	v->has_bounds = below(12) != 0;
	v->main_only = v->level > 0 && below(10) == 0;
	v->layers = below(3) == 0 ? 1 + below(3) : 0;
	v->external = below(10) == 0;
	v->grid = below(3) == 0 ? below(4) : 0;
	v->scripted = v->level == 0 && below(12) == 0;
	for (int k = 0; k < 3; k++) {
		v->box[k] = at[k];
		v->box[k + 3] = at[k] + 100 + below(k == 2 ? 30000 : 9000);
	}
	v->n_references = below(4) == 0 ? 1 + below(2) : 0;
	for (int k = 0; k < v->n_references; k++)
		v->references[k] = first + below(end_of(v->level) - first);
	if (v->n_references && below(3) == 0) /* one is listed twice */
		v->references[v->n_references++] = v->references[0];
}

static void make_views(void)
{
	memset(views, 0, sizeof(views));
	for (int i = 0; i < VIEWS; i++) {
		views[i].level = i < MAIN ? 0 : i < MAIN + HOUSE ? 1 : 2;
		snprintf(views[i].name, sizeof(views[i].name), "%c%d", "AHR"[views[i].level], i);
		views[i].container = i < HOUSES || i == MAIN;
		make_view(i);
	}
}

static void write_list(FILE *to, const char *key, const char *const *words, int n)
{
	fprintf(to, ",\"%s\":[", key);
	for (int i = 0; i < n; i++)
		fprintf(to, "%s\"%s\"", i ? "," : "", words[i]);
	fprintf(to, "]");
}

static void write_view(FILE *to, int i)
{
	static const char *const levels[] = {"/Game/M", "/Game/House", "/Game/Room"};
	static const char *const layers[] = {"X", "Y"};
	const struct view *v = &views[i];
	fprintf(to, "{\"guid\":\"%032X\",\"name\":\"%s\",\"label\":\"%s\"", i + 1, v->name,
		v->name);
	if (v->has_bounds)
		fprintf(to, ",\"bounds_min\":[%.0f,%.0f,%.0f],\"bounds_max\":[%.0f,%.0f,%.0f]",
			v->box[0], v->box[1], v->box[2], v->box[3], v->box[4], v->box[5]);
	if (v->level)
		fprintf(to, ",\"container\":\"%s\"", levels[v->level]);
	if (v->container)
		fprintf(to, ",\"level_instance\":{\"level\":\"%s\"}", levels[v->level + 1]);
	fprintf(to, ",\"spatially_loaded\":%s,\"editor_only\":%s,\"main_world_only\":%s",
		v->spatial ? "true" : "false", v->editor ? "true" : "false",
		v->main_only ? "true" : "false");
	if (v->parent >= 0)
		fprintf(to, ",\"parent\":\"%032X\"", v->parent + 1);
	if (*grids[v->grid])
		fprintf(to, ",\"grid\":\"%s\"", grids[v->grid]);
	if (v->layers)
		write_list(to, "data_layers", layers + (v->layers == 2), v->layers == 3 ? 2 : 1);
	if (v->external)
		fprintf(to, ",\"external_data_layer\":\"/Game/E\"");
	fprintf(to, ",\"references\":[");
	for (int k = 0; k < v->n_references; k++)
		fprintf(to, "%s\"%032X\"", k ? "," : "", v->references[k] + 1);
	fprintf(to, "]}\n");
}

void write_world(const char *path)
{
	FILE *to = fopen(path, "w");
	if (!to)
		abort();
	fprintf(to,
		"{\"cellscope_world\":1,\"package\":\"/Game/M\",\"settings\":{\"profile\":\"%s\","
		"\"hash\":\"%s\",\"world_references\":[",
		profile, is_set ? "hash_set" : "spatial_hash");
	for (int i = 0, n = 0; i < MAIN; i++)
		if (views[i].scripted)
			fprintf(to, "%s\"%032X\"", n++ ? "," : "", i + 1);
	fprintf(to,
		"]},\"layers\":[{\"name\":\"X\",\"asset\":\"/Game/X\"},{\"name\":\"Y\",\"asset\":"
		"\"/Game/Y\"},{\"name\":\"E\",\"asset\":\"/Game/E\",\"external\":true}],"
		"\"%s\":[{\"name\":\"Main\"},{\"name\":\"Dense\",\"cell_size\":3200}],"
		"\"containers\":[{\"package\":\"/Game/House\"},{\"package\":\"/Game/Room\"},"
		"{\"package\":\"/Game/Ship\",\"partitioned\":true}]}\n",
		is_set ? "partitions" : "grids");
	for (int i = 0; i < VIEWS; i++)
		write_view(to, i);
	fprintf(to,
		"{\"guid\":\"%032X\",\"name\":\"Ship\",\"bounds_min\":[0,0,0],\"bounds_max\":[9,9,9],"
		"\"level_instance\":{\"level\":\"/Game/Ship\",\"behavior\":\"standalone\"}}\n",
		900);
	for (int i = 0; i < SHIP; i++)
		fprintf(to,
			"{\"guid\":\"%032X\",\"name\":\"S%d\",\"container\":\"/Game/Ship\","
			"\"bounds_min\":[0,0,0],\"bounds_max\":[9,9,9]}\n",
			901 + i, i);
	if (fclose(to) != 0)
		abort();
}

/* ---- the twin: one level by itself ---- */

bool is_view(int i)
{
	return !views[i].editor && !views[i].container;
}

/*
 * Rule 1.3.2: an actor takes the value of its topmost parent, unless a value on the way up was
 * forced.
 */
static void refresh(int i)
{
	struct view *v = &views[i];
	const struct view *top = &views[v->top];
	v->now_spatial = top->spatial;
	v->now_layers = top->layers;
	v->now_grid = top->grid;
	v->now_external = top->external;
	for (int at = i;; at = views[at].parent) {
		v->now_spatial = v->now_spatial && !views[at].spatial_forced;
		v->now_layers = views[at].layers_forced ? 0 : v->now_layers;
		v->now_grid = views[at].grid_forced ? 0 : v->now_grid;
		if (at == v->top)
			return;
	}
}

bool is_above(int above, int at)
{
	for (; at != views[at].top; at = views[at].parent)
		if (views[at].parent == above)
			return true;
	return false;
}

static void add_edge(int from, int to)
{
	for (int e = 0; e < n_edges; e++)
		if (edges[e].from == from && edges[e].to == to)
			return;
	edges[n_edges++] = (struct edge){from, to, false};
}

static void link_views(void)
{
	n_edges = 0;
	for (int i = 0; i < VIEWS; i++) {
		struct view *v = &views[i];
		bool attached = v->parent >= 0 && is_view(i) && is_view(v->parent);
		v->top = attached ? views[v->parent].top : i;
	}
	for (int i = 0; i < VIEWS; i++) {
		const struct view *v = &views[i];
		for (int k = 0; is_view(i) && k < v->n_references; k++) {
			int to = v->references[k];
			if (to != i && is_view(to) && !is_above(to, i) && !is_above(i, to))
				add_edge(i, to);
		}
		if (is_view(i) && v->top != i)
			edges[n_edges++] = (struct edge){v->top, i, false};
	}
}

struct forced {
	bool spatial, layers, grid;
};

/*
 * Rule 1.4 V3: makes one pass over all edges, whose ends have the values from before the pass.
 * Returns whether anything changed.
 */
static bool pass(void)
{
	struct forced forced[VIEWS] = {{0}};
	bool any = false;
	for (int e = 0; e < n_edges; e++) {
		const int ends[2] = {edges[e].from, edges[e].to};
		const struct view *a = &views[ends[0]], *b = &views[ends[1]];
		if (edges[e].removed)
			continue;
		for (int k = 0; k < 2; k++)
			forced[ends[k]].spatial |= a->now_spatial != b->now_spatial;
		any |= a->now_spatial != b->now_spatial;
		if (a->now_external != b->now_external) {
			edges[e].removed = true;
			continue;
		}
		for (int k = 0; k < 2; k++) {
			forced[ends[k]].layers |= a->now_layers != b->now_layers;
			forced[ends[k]].grid |= a->now_grid != b->now_grid;
		}
		any |= a->now_layers != b->now_layers || a->now_grid != b->now_grid;
	}
	for (int i = 0; i < VIEWS; i++) {
		views[i].spatial_forced |= forced[i].spatial;
		views[i].layers_forced |= forced[i].layers;
		views[i].grid_forced |= forced[i].grid;
	}
	for (int i = 0; i < VIEWS; i++)
		refresh(i);
	return any;
}

static void validate(void)
{
	for (int i = 0; i < VIEWS; i++)
		refresh(i);
	struct view before[VIEWS];
	memcpy(before, views, sizeof(before));
	for (int i = 0; i < MAIN; i++) { /* V0, together with the first pass */
		if (!views[i].scripted || !is_view(i))
			continue;
		views[i].by_script = before[i].now_spatial;
		views[i].spatial_forced |= before[i].now_spatial;
		views[i].layers_forced |= before[i].now_layers != 0;
	}
	bool scripted[VIEWS], bare[VIEWS];
	for (int i = 0; i < VIEWS; i++) {
		scripted[i] = views[i].spatial_forced;
		bare[i] = views[i].layers_forced;
		views[i].spatial_forced = views[i].layers_forced = false;
	}
	pass();
	for (int i = 0; i < VIEWS; i++) {
		views[i].spatial_forced |= scripted[i];
		views[i].layers_forced |= bare[i];
	}
	for (int i = 0; i < VIEWS; i++)
		refresh(i);
	while (pass())
		;
}

int root_of(int i)
{
	while (views[i].cluster != i)
		i = views[i].cluster;
	return i;
}

static void join_clusters(void)
{
	for (int i = 0; i < VIEWS; i++)
		views[i].cluster = i;
	for (int e = 0; e < n_edges; e++)
		if (!edges[e].removed)
			views[root_of(edges[e].from)].cluster = root_of(edges[e].to);
}

/* ---- the twin: rows of the world ---- */

static void add_row(int view, const int *around, int n)
{
	struct row *r = &rows[n_rows++];
	*r = (struct row){.view = view, .n_around = n};
	for (int i = 0; i < n; i++)
		r->around[i] = around[i];
	for (int i = n; i-- > 0;)
		snprintf(r->title + strlen(r->title), sizeof(r->title) - strlen(r->title), "%s/",
			views[around[i]].name);
	snprintf(r->title + strlen(r->title), sizeof(r->title) - strlen(r->title), "%s",
		views[view].name);
}

static void list_rows(void)
{
	n_rows = 0;
	for (int i = 0; i < MAIN; i++)
		add_row(i, NULL, 0);
	for (int h = 0; h < HOUSES; h++) {
		const int around[2] = {MAIN, h};
		for (int i = MAIN; i < MAIN + HOUSE; i++)
			add_row(i, &h, 1);
		for (int i = MAIN + HOUSE; i < VIEWS; i++)
			add_row(i, around, 2);
	}
}

bool streams(const struct row *r)
{
	return is_view(r->view) && !(r->n_around && views[r->view].main_only);
}

static bool inside_spatial(const struct row *r)
{
	for (int i = 0; i < r->n_around; i++)
		if (!views[r->around[i]].spatial)
			return false;
	return true;
}

bool same_set(const struct row *a, const struct row *b)
{
	return streams(a) && streams(b) && a->n_around == b->n_around &&
	       memcmp(a->around, b->around, sizeof(a->around)) == 0 &&
	       root_of(a->view) == root_of(b->view);
}

/*
 * Returns the grid that counts: that of the outermost level instance which names one, else the
 * actor's own.
 */
static int grid_of(const struct row *r)
{
	int grid = views[r->view].now_grid;
	for (int i = 0; i < r->n_around; i++)
		if (views[r->around[i]].grid)
			grid = views[r->around[i]].grid;
	return grid;
}

bool is_spatial(const struct row *r)
{
	return inside_spatial(r) && views[r->view].now_spatial;
}

bool set_is_bounded(const struct row *r)
{
	for (int i = 0; i < n_rows; i++)
		if (same_set(r, &rows[i]) && views[rows[i].view].has_bounds)
			return true;
	return false;
}

const char *unplaced(const struct row *r)
{
	const struct view *v = &views[r->view];
	const bool persistent = is_set && strcmp(profile, "5.4") == 0;
	if (v->editor)
		return "editor_only";
	if (v->container)
		return "container";
	if (v->main_only && r->n_around)
		return "not_main_world";
	if (is_set && !persistent && grid_of(r) == 3 && !is_spatial(r))
		return "dropped";
	return NULL;
}

const char *always(const struct row *r)
{
	const struct view *v = &views[r->view];
	if (is_spatial(r))
		return set_is_bounded(r) ? "its grid" : "no bounds";
	if (!views[v->top].spatial)
		return v->top == r->view ? "own setting" : "parent or level instance";
	if (!inside_spatial(r) || !v->spatial_forced)
		return "parent or level instance";
	return v->by_script ? "level script" : "reference";
}

double extent(const struct view *v, bool flat)
{
	double longest = 0;
	for (int k = 0; k < (flat ? 2 : 3); k++)
		if (v->box[k + 3] - v->box[k] > longest)
			longest = v->box[k + 3] - v->box[k];
	return longest;
}

void make_world(unsigned long long number)
{
	static const char *const profiles[] = {"5.4", "5.7"};
	chance = (struct cs_random){number};
	profile = profiles[below(2)];
	is_set = below(3) != 0;
	make_views();
	link_views();
	validate();
	join_clusters();
	list_rows();
}
