/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * View of a Nanite resource: its pages as tiles that show residency and fill, the pages that the
 * page under the cursor needs or that need it, why this page is resident or not, and a picture of a
 * cut. States are those of the table `pages`, needs those of `page_needs`, reasons those of `why
 * page`; the cut and its picture are computed by the library (cellscope/pages.h).
 */
#include <cellscope/pages.h>
#include <cellscope/paging.h>

#include "src/language/lexer.h"
#include "src/tui/screen.h"
#include "src/tui/terminal/paint.h"
#include "src/tui/views/nanite_view.h"
#include "src/tui/views/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 6, TURN = 15, FULL_TURN = 360, FIRST_TRIANGLES = 2000 };

/* Returns the row of the resource's page `page` in tables of the pages of all open resources. */
static uint32_t view_nanite_row_of(const struct tui_view *view, uint32_t page)
{
	const struct nanite *state = nanite_state_of(view);
	return (uint32_t)cs_inspector_first(
		       view->session->inspector, CS_ROWS_PAGES, state->resource) +
	       page;
}

/* ---- the cut: the clusters that are drawn ---- */

static void drop_cut(struct nanite *state)
{
	if (state->has_cut)
		free(state->cut.clusters);
	state->has_cut = false;
}

/* Gets the cut that the run drew in its last frame. */
static struct cs_error *cut_of_run(const struct tui_view *view, struct cs_model_cut *ret)
{
	const struct session *session = view->session;
	const struct cs_model *model = nanite_model(view);
	size_t first = cs_inspector_first(
		session->inspector, CS_ROWS_CLUSTERS, nanite_state_of(view)->resource);
	uint32_t *list = malloc((model->n_clusters + 1) * sizeof(*list));
	size_t n = 0;
	if (!list)
		return cs_error_nomem();
	for (uint32_t i = 0; i < model->n_clusters; i++)
		if (cs_pager_cluster(session->run.pager, first + i) != CS_CLUSTER_HIDDEN)
			list[n++] = i;
	struct cs_error *error = cs_model_cut(
		model, &(struct cs_model_choice){.clusters = list, .n_clusters = n}, ret);
	free(list);
	return error;
}

static bool run_draws(const struct tui_view *view)
{
	const struct cs_pager *pager = view->session->run.pager;
	return pager && cs_pager_view(pager).n_cameras > 0 && cs_pager_view(pager).frame > 0;
}

static struct cs_error *make_cut(struct tui_view *view)
{
	struct nanite *state = nanite_state_of(view);
	drop_cut(state);
	struct cs_nanite_view uniform = {.uniform = true, .threshold = state->error};
	struct cs_error *error =
		state->draws_run && run_draws(view)
			? cut_of_run(view, &state->cut)
			: cs_model_cut(nanite_model(view),
				  &(struct cs_model_choice){.view = &uniform}, &state->cut);
	state->has_cut = !error;
	return error;
}

/* ---- opening and moving ---- */

static const struct view_type reasons_of_page = {
	.name = "reasons",
	.title = "Why",
	.command = "why page",
	.needs_argument = true,
};

static struct cs_error *open_nanite(struct tui_view *view)
{
	struct nanite *state = nanite_state_of(view);
	state->yaw = 30;
	state->pitch = 20;
	state->draws_run = true;
	return NULL;
}

static struct cs_error *choose_resource(struct tui_view *view)
{
	struct nanite *state = nanite_state_of(view);
	const struct cs_inspector *inspector = view->session->inspector;
	uint32_t wanted = *view->argument ? cs_inspector_find(inspector, view->argument,
						    strlen(view->argument))
					  : cs_inspector_models(inspector).current;
	if (state->is_set && state->resource < cs_inspector_models(inspector).n)
		return NULL;
	if (wanted == CS_NONE)
		return cs_error_new(CS_E_NOTOPEN,
			"no Nanite resource%s%s is open: press `:` and enter `open FILE.cnanite`",
			*view->argument ? " named " : "", view->argument);
	state->resource = wanted;
	state->page = 0;
	state->is_set = true;
	struct cs_error *error =
		cs_model_error_for(nanite_model(view), 0, FIRST_TRIANGLES, &state->error);
	return error;
}

static const char *page_name(const struct tui_view *view)
{
	return cs_inspector_name(view->session->inspector, CS_ROWS_PAGES,
		view_nanite_row_of(view, nanite_state_of(view)->page));
}

static struct cs_error *view_nanite_renew(struct tui_view *view)
{
	struct nanite *state = nanite_state_of(view);
	drop_cut(state);
	struct cs_error *error = choose_resource(view);
	if (error)
		return error;
	if (nanite_model(view)->n_pages == 0)
		return cs_error_new(CS_E_MISSING, "the resource has no pages");
	if (state->page >= nanite_model(view)->n_pages)
		state->page = (uint32_t)nanite_model(view)->n_pages - 1;
	view->part->is_stale = true;
	char *word = quote_word(page_name(view));
	error = word ? view_set_argument(view->part, word) : cs_error_nomem();
	free(word);
	return error ? error : make_cut(view);
}

static void view_nanite_object(struct tui_view *view, struct object *ret)
{
	ret->kind = "page";
	ret->row = view_nanite_row_of(view, nanite_state_of(view)->page);
	snprintf(ret->name, sizeof(ret->name), "%s", page_name(view));
}

static void view_nanite_put_cursor(struct tui_view *view, long page)
{
	struct nanite *state = nanite_state_of(view);
	long n = (long)nanite_model(view)->n_pages;
	state->page = (uint32_t)(page < 0 ? 0 : page >= n ? n - 1 : page);
	view->is_stale = true;
}

static bool view_nanite_go(struct tui_view *view, const struct object *to)
{
	uint32_t page;
	struct nanite *state = nanite_state_of(view);
	if (!to->kind || strcmp(to->kind, "page") != 0 || to->row == CS_NONE)
		return false;
	state->resource = cs_inspector_row(view->session->inspector, CS_ROWS_PAGES, to->row, &page);
	view_nanite_put_cursor(view, page);
	return true;
}

static struct cs_error *view_nanite_move(struct tui_view *view, enum motion motion, long n)
{
	const struct nanite *state = nanite_state_of(view);
	const long most = 1 << 20, row = state->tiles > 0 ? state->tiles : 1;
	const long page = (long)state->page;
	n = n > most ? most : n < -most ? -most : n;
	if (view->trouble[0])
		return NULL;
	const long to[] = {
		[MOTION_ROWS] = page + n * row,
		[MOTION_COLUMNS] = page + n,
		[MOTION_PAGES] = page + n * row * 4,
		[MOTION_HALVES] = page + n * row * 2,
		[MOTION_LINE_END] = page - page % row + row - 1,
		[MOTION_FIRST] = 0,
		[MOTION_HOME] = 0,
		[MOTION_LAST] = (long)nanite_model(view)->n_pages - 1,
		[MOTION_ROW] = n,
	};
	view_nanite_put_cursor(view, to[motion]);
	return NULL;
}

/* ---- settings: error, camera, overlay, resource, search ---- */

static struct cs_error *set_error(struct nanite *state, const char *value)
{
	char *end = NULL;
	double error = state->error > 0 ? state->error : 1e-3;
	if (strcmp(value, "fit") == 0) {
		state->draws_run = true;
		return NULL;
	}
	if (strcmp(value, "in") == 0)
		error /= 2;
	else if (strcmp(value, "out") == 0)
		error *= 2;
	else
		error = strtod(value, &end);
	if ((end && *end) || !(error >= 0) || error > 1e12)
		return cs_error_new(CS_E_USAGE,
			"zoom must be in (finer), out (coarser), fit (show what the run draws), "
			"or the largest error of the clusters shown, 0 to 1e12 units of the mesh, "
			"not '%s'",
			value);
	state->error = error;
	state->draws_run = false;
	return NULL;
}

static struct cs_error *turn_picture(struct nanite *state, const char *value)
{
	long by[2];
	if (!view_read_numbers(value, 2, by) || labs(by[0]) > FULL_TURN || labs(by[1]) > FULL_TURN)
		return cs_error_new(CS_E_USAGE,
			"pan needs X,Y, two numbers of turns by 15 degrees, each -%d to %d, not '%s'",
			FULL_TURN, FULL_TURN, value);
	state->yaw = (state->yaw + (int)by[0] * TURN) % FULL_TURN;
	state->pitch += (int)by[1] * TURN;
	state->pitch = state->pitch > 90 ? 90 : state->pitch < -90 ? -90 : state->pitch;
	return NULL;
}

static struct cs_error *view_nanite_set_overlay(struct nanite *state, const char *value)
{
	if (strcmp(value, "next") == 0) {
		state->overlay = (state->overlay + 1) % NANITE_OVERLAYS;
		return NULL;
	}
	for (unsigned i = 0; i < NANITE_OVERLAYS; i++)
		if (strcmp(nanite_overlays[i].name, value) == 0) {
			state->overlay = i;
			return NULL;
		}
	return cs_error_new(CS_E_USAGE,
		"unknown overlay '%.40s'; overlays are depth, page, pages, level, cluster, coarse",
		value);
}

static struct cs_error *set_resource(struct tui_view *view, const char *value)
{
	struct nanite *state = nanite_state_of(view);
	const struct cs_inspector *inspector = view->session->inspector;
	uint32_t found =
		strcmp(value, "next") == 0
			? (state->resource + 1) % (uint32_t)cs_inspector_models(inspector).n
			: cs_inspector_find(inspector, value, strlen(value));
	if (found == CS_NONE)
		return cs_error_new(CS_E_MISSING,
			"no resource '%s' is open; `resources` lists the open resources", value);
	state->resource = found;
	state->page = 0;
	return cs_model_error_for(nanite_model(view), 0, FIRST_TRIANGLES, &state->error);
}

static struct cs_error *view_nanite_set(struct tui_view *view, const char *what, const char *value)
{
	struct nanite *state = nanite_state_of(view);
	view_renew(view);
	if (view->trouble[0])
		return cs_error_new(view->trouble_code, "%s", view->trouble);
	view->is_stale = true;
	if (strcmp(what, "zoom") == 0)
		return set_error(state, value);
	if (strcmp(what, "pan") == 0)
		return turn_picture(state, value);
	if (strcmp(what, "overlay") == 0)
		return view_nanite_set_overlay(state, value);
	if (strcmp(what, "grid") == 0)
		return set_resource(view, value);
	if (strcmp(what, "search") == 0) {
		/* pages are found by number and by the legend's words for their states */
		view->list.n = nanite_model(view)->n_pages;
		view->list.cursor = nanite_state_of(view)->page;
		struct cs_error *error = list_set(view, "search", value);
		view_nanite_put_cursor(view, (long)view->list.cursor);
		return error;
	}
	return cs_error_new(CS_E_USAGE,
		"`view %s` does not apply to the view of pages: `help screen` names the commands "
		"of views",
		what);
}

/* ---- tiles of pages ---- */

enum page_look { LOOK_ROOT, LOOK_RESIDENT, LOOK_LOADING, LOOK_WANTED, LOOK_ABSENT, LOOKS };

static const struct {
	const char *sign, *words;
	enum ink ink;
} looks[LOOKS] = {
	[LOOK_ROOT] = {"R", "root", INK_TITLE},
	[LOOK_RESIDENT] = {NULL, "in memory, by fill", INK_BLUE},
	[LOOK_LOADING] = {"~", "being read", INK_WARN},
	[LOOK_WANTED] = {"?", "wanted", INK_BAD},
	[LOOK_ABSENT] = {".", "not here", INK_DIM},
};

static enum page_look look_of_page(const struct tui_view *view, uint32_t page)
{
	const struct cs_pager *pager = view->session->run.pager;
	if (nanite_model(view)->pages[page].root)
		return LOOK_ROOT;
	if (!pager)
		return LOOK_ABSENT;
	const struct cs_page_status status = cs_pager_page(pager, view_nanite_row_of(view, page));
	if (status.state == CS_PAGE_RESIDENT)
		return LOOK_RESIDENT;
	if (status.state == CS_PAGE_LOADING)
		return LOOK_LOADING;
	bool now = status.last_used > 0 && status.last_used + 1 >= cs_pager_view(pager).frame;
	return status.blocked || now ? LOOK_WANTED : LOOK_ABSENT;
}

/* Draws how full a page is (0 to 1): as a block of this height, in ASCII as a digit for tenths. */
static void put_fill(struct area area, int x, int y, double fill)
{
	unsigned tenths = fill >= 0 ? (unsigned)(fill * 10) : 0;
	char digit[] = {(char)('0' + (tenths > 9 ? 9 : tenths)), '\0'};
	const char *text = area.grid->ascii
				   ? digit
				   : glyph_level(fill > 0 ? (unsigned)ceil(fill * 8) : 1, false);
	put_printed(area, x, y, inks[INK_BLUE], text, strlen(text));
}

static bool view_nanite_says(const struct tui_view *view, size_t row, const char *text)
{
	char number[16];
	snprintf(number, sizeof(number), "%zu", row);
	return strcmp(number, text) == 0 ||
	       strcasestr(looks[look_of_page(view, (uint32_t)row)].words, text);
}

static void draw_tile(const struct tui_view *view, struct area area, int x, int y, uint32_t page)
{
	enum page_look look = look_of_page(view, page);
	if (looks[look].sign)
		put_printed(area, x, y, inks[looks[look].ink], looks[look].sign, 1);
	else
		put_fill(area, x, y, cs_model_fill(&nanite_model(view)->pages[page]));
	if (page == nanite_state_of(view)->page)
		put_paint(area, x, y, 1, inks[view_has_focus(view) ? INK_CURSOR : INK_SHADOW]);
}

static void draw_legend(struct area area, int y)
{
	int x = 1;
	for (int i = 0; i < LOOKS; i++) {
		const char *sign = looks[i].sign ? looks[i].sign : area.grid->ascii ? "1-9" : "";
		int room = (int)strlen(looks[i].words) + 4;
		if (x + room > area.columns)
			return;
		if (*sign)
			x += put_text(area, x, y, inks[looks[i].ink], sign);
		else
			x += put_printed(area, x, y, inks[looks[i].ink], glyph_level(6, false), 3);
		x += put_format(area, x, y, inks[INK_DIM], " %s", looks[i].words) + 2;
	}
}

static void draw_tiles(struct tui_view *view, struct area area)
{
	struct nanite *state = nanite_state_of(view);
	const struct cs_model *model = nanite_model(view);
	/* scrolls until the row of the chosen page is seen */
	uint32_t row = state->page / (uint32_t)state->tiles;
	if (row < state->top)
		state->top = row;
	if (row >= state->top + (uint32_t)area.rows)
		state->top = row - (uint32_t)area.rows + 1;
	for (int y = 0; y < area.rows; y++) {
		uint32_t first = (state->top + (uint32_t)y) * (uint32_t)state->tiles;
		if (first >= model->n_pages)
			return;
		put_format(area, 1, y, inks[INK_DIM], "%4u", first);
		for (uint32_t i = 0; i < (uint32_t)state->tiles && first + i < model->n_pages; i++)
			draw_tile(view, area, LABEL + (int)i * 2, y, first + i);
	}
}

/* ---- needs of the page under the cursor ---- */

static const char *state_word(const struct tui_view *view, uint32_t page)
{
	const void *source;
	const struct cs_table *table = session_table(view->session, "pages", &source);
	return table ? row_text(table, source, view_nanite_row_of(view, page), "state") : "";
}

static void draw_need(const struct tui_view *view, struct area area, int y, uint32_t page,
	const struct cs_model_need *need, bool last)
{
	const struct cs_pager *pager = view->session->run.pager;
	enum page_look look = look_of_page(view, page);
	int x = 1 + put_tree(area, 1, y, (struct tree_place){1, last, 0});
	x += put_format(area, x, y, inks[INK_NORMAL], "%u ", page);
	x += put_text(area, x, y, inks[looks[look].ink],
		     look == LOOK_WANTED ? "wanted" : state_word(view, page)) +
	     2;
	if (pager && look == LOOK_LOADING)
		x += put_format(area, x, y, inks[INK_DIM], "until %.3f s",
			     (double)cs_pager_page(pager, view_nanite_row_of(view, page)).ready *
				     1e-9) +
		     2;
	if (!(need->why & CS_NEED_LISTED))
		put_cut(area, x, y, area.columns - x, inks[INK_DIM], "by its groups");
	else if (need->fixups)
		put_format(area, x, y, inks[INK_DIM], "%u fixup%s", need->fixups,
			need->fixups == 1 ? "" : "s");
}

/* Draws the pages that the page under the cursor needs or, if `users`, the pages that need it. */
static void draw_needs(const struct tui_view *view, struct area area, bool users)
{
	const struct cs_model *model = nanite_model(view);
	uint32_t page = nanite_state_of(view)->page;
	const struct cs_model_page *at = &model->pages[page];
	size_t shown = 0, n = 0, total = 0;
	put_format(area, 1, 0, inks[INK_TITLE], users ? "%u is needed by" : "%u needs", page);
	for (size_t i = 0; i < model->n_needs; i++)
		total += users ? model->needs[i].needs == page : model->needs[i].page == page;
	size_t room = area.rows > 1 ? (size_t)area.rows - 1 : 0;
	size_t first = users ? 0 : at->first_need,
	       end = users ? model->n_needs : first + at->n_needs;
	for (size_t i = first; i < end && shown < room; i++) {
		const struct cs_model_need *need = &model->needs[i];
		if (users && need->needs != page)
			continue;
		n++;
		if (shown + 1 == room && n < total)
			put_format(area, 1, (int)++shown, inks[INK_DIM], "and %zu more",
				total - n + 1);
		else
			draw_need(view, area, (int)++shown, users ? need->page : need->needs, need,
				n == total);
	}
	if (total == 0)
		put_text(area, 1, 1, inks[INK_DIM], "nothing");
}

/* Draws which missing pages prevent drawing the page: those of its groups and of their parents. */
static void draw_missing(const struct tui_view *view, struct area area, int y)
{
	uint32_t *pages;
	size_t n;
	int x = 1;
	struct cs_error *error = cs_model_closure(
		nanite_model(view), nanite_state_of(view)->page, CS_CLOSURE_GROUPS, &pages, &n);
	if (error) {
		put_text(area, 1, y, inks[INK_WARN], error->message);
		cs_error_free(error);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		enum page_look look = look_of_page(view, pages[i]);
		if (look == LOOK_ROOT || look == LOOK_RESIDENT)
			continue;
		x += x == 1 ? put_text(area, 1, y, inks[INK_TITLE], "drawn once these are loaded:")
			    : 0;
		x += put_format(
			area, x, y, inks[looks[look].ink], " %u%s", pages[i], looks[look].sign);
	}
	if (x == 1)
		put_cut(area, 1, y, area.columns - 1, inks[INK_DIM],
			"all pages that the cluster needs are loaded");
	free(pages);
}

/* Draws the fields of `why page` that have a value, the most informative first. */
static void draw_reasons(const struct list *list, struct area area)
{
	static const struct {
		const char *key, *label;
	} told[] = {{"why", "why"}, {"camera", "camera"}, {"group", "group"}, {"pixels", "pixels"},
		{"via", "for page"}, {"priority", "priority"}, {"asked", "asked in"},
		{"last_used", "wanted in"}, {"since", "since"}};
	int y = 0;
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]) && y < area.rows; i++) {
		struct cs_value value = list_value(list, 0, told[i].key);
		if (value.kind == CS_KIND_NULL ||
			(value.kind == CS_KIND_INTEGER && value.integer == 0) ||
			(value.kind == CS_KIND_NUMBER && value.number == 0))
			continue;
		put_text(area, 1, y, inks[INK_DIM], told[i].label);
		put_value(area, 12, y++, area.columns - 12, inks[INK_NORMAL], &value, false);
	}
}

static void draw_cut_line(const struct tui_view *view, struct area area, int y)
{
	const struct nanite *state = nanite_state_of(view);
	const struct cs_model *model = nanite_model(view);
	uint32_t pages = 0, missing = 0;
	for (uint32_t p = 0; p < model->n_pages; p++) {
		enum page_look look = state->cut.pages[p] ? look_of_page(view, p) : LOOK_ROOT;
		pages += state->cut.pages[p];
		missing += look != LOOK_ROOT && look != LOOK_RESIDENT;
	}
	int x = 1;
	if (state->draws_run && run_draws(view))
		x += put_text(area, x, y, inks[INK_TITLE], "drawn now");
	else
		x += put_format(area, x, y, inks[INK_TITLE], "cut at error %.3g", state->error);
	char text[128];
	snprintf(text, sizeof(text),
		"%" PRIu64 " triangle%s  %zu cluster%s  levels %u..%u  pages %u",
		state->cut.triangles, state->cut.triangles == 1 ? "" : "s", state->cut.n_clusters,
		state->cut.n_clusters == 1 ? "" : "s", state->cut.min_level, state->cut.max_level,
		pages);
	x += 2 + put_cut(area, x + 2, y, area.columns - x - 2, inks[INK_NORMAL], text);
	if (missing)
		put_format(area, x, y, inks[INK_WARN], ", missing %u", missing);
}

/* ---- drawing the view ---- */

static void view_nanite_draw_head(const struct tui_view *view, struct area area)
{
	const struct cs_model *model = nanite_model(view);
	const struct cs_pager *pager = view->session->run.pager;
	const struct cs_pager_view run = pager ? cs_pager_view(pager) : (struct cs_pager_view){0};
	const struct cs_page_frame *now = pager ? cs_pager_frame_at(pager, run.frame) : NULL;
	char text[128];
	int x = 1 + put_cut(area, 1, 0, area.columns / 3, inks[INK_TITLE], model->name) + 2;
	snprintf(text, sizeof(text), "%zu page%s (%u root)  %zu cluster%s", model->n_pages,
		model->n_pages == 1 ? "" : "s", model->n_root_pages, model->n_clusters,
		model->n_clusters == 1 ? "" : "s");
	x += put_cut(area, x, 0, area.columns - x, inks[INK_DIM], text) + 2;
	if (now)
		snprintf(text, sizeof(text), "pool %u/%.0f  missing %u  worst %.2f px", now->used,
			run.settings.pool, now->missing, now->worst);
	else
		snprintf(text, sizeof(text), "%zu group%s  %s", model->n_groups,
			model->n_groups == 1 ? "" : "s",
			run.n_cameras > 0 ? "no frame has run: . runs one"
					  : "no camera: o adds one");
	put_cut(area, x, 0, area.columns - x, inks[now ? INK_NORMAL : INK_DIM], text);
}

/*
 * Returns the height in rows of the list of pages that a page needs, and of the list of pages that
 * need it: a third of `rows`, or less in a mesh with few dependencies, but at least 2. It is the
 * same for all pages, so that the layout stays while the cursor moves.
 */
static int rows_of_needs(const struct cs_model *model, int rows)
{
	enum { LEAST = 2 };
	int most = rows / 3 > LEAST ? rows / 3 : LEAST;
	int wanted = model->n_needs < (size_t)most ? (int)model->n_needs + 1 : most;
	return wanted > LEAST ? wanted : LEAST;
}

static void draw_page(struct tui_view *view, struct area area)
{
	int half = area.columns / 2, high = rows_of_needs(nanite_model(view), area.rows);
	put_line_across(area, 0, inks[INK_LINE]);
	draw_needs(view, area_part(area, 0, 1, half, high), false);
	draw_needs(view, area_part(area, half, 1, area.columns - half, high), true);
	draw_missing(view, area, 1 + high);
	int y = 2 + high, below = area.rows - y;
	if (below < 2)
		return;
	put_line_across(area, y, inks[INK_LINE]);
	draw_cut_line(view, area, y + 1);
	if (below < 4)
		return;
	int wide = half > (below - 2) * 4 ? (below - 2) * 4 : half;
	nanite_draw_picture(view, area_part(area, 0, y + 2, wide, below - 2));
	view_renew(view->part);
	area = area_part(area, wide + 1, y + 2, area.columns - wide - 1, below - 2);
	if (view->part->trouble[0])
		put_wrapped(area, 1, 0, inks[INK_WARN], view->part->trouble);
	else
		draw_reasons(&view->part->list, area);
}

static void view_nanite_draw(struct tui_view *view, struct area area)
{
	enum { LEAST_TILES = 8, MOST_TILES = 64 };
	struct nanite *state = nanite_state_of(view);
	view_renew(view);
	if (view->trouble[0]) {
		put_wrapped(area, 1, 1, inks[INK_WARN], view->trouble);
		return;
	}
	int fit = (area.columns - LABEL) / 2 / LEAST_TILES * LEAST_TILES;
	state->tiles = fit < LEAST_TILES ? LEAST_TILES : fit > MOST_TILES ? MOST_TILES : fit;
	int needed = ((int)nanite_model(view)->n_pages + state->tiles - 1) / state->tiles;
	int most = area.rows / 4 > 1 ? area.rows / 4 : 1;
	int rows = needed < most ? needed : most;
	view_nanite_draw_head(view, area);
	draw_legend(area, 1);
	draw_tiles(view, area_part(area, 0, 2, area.columns, rows));
	if (area.rows - rows - 2 >= 3)
		draw_page(view, area_part(area, 0, 2 + rows, area.columns, area.rows - rows - 2));
}

/*
 * Copies the state of the former view, but not the cut, which is computed again. The page of the
 * former view still exists, because another cook of the world changes no Nanite resource.
 */
static void replace_nanite(struct tui_view *view, struct tui_view *former)
{
	struct nanite *state = nanite_state_of(view);
	*state = *nanite_state_of(former);
	state->has_cut = false;
}

static void close_nanite(struct tui_view *view)
{
	drop_cut(nanite_state_of(view));
}

/* ---- cameras and keys ---- */

/* Returns the name of the first streaming source, for a camera to follow; NULL if there is none. */
static const char *first_source(const struct tui_view *view)
{
	const struct cs_stream *stream = view->session->run.stream;
	if (!stream || cs_stream_sources(stream) == 0)
		return NULL;
	return cs_stream_source_at(stream, 0).source->name;
}

static bool has_source(struct tui_view *view)
{
	return first_source(view) != NULL;
}

static bool fill(struct tui_view *view, char letter, struct output *out)
{
	if (letter == 's' && has_source(view))
		say(out, "%s", first_source(view));
	if (letter == 's')
		return has_source(view);
	if (letter != 'p' || view->trouble[0])
		return false;
	struct cs_vec3 eye = nanite_eye(view);
	say(out, "%.6g,%.6g,%.6g", eye.x, eye.y, eye.z);
	return true;
}

static const struct key keys[] = {
	{"Enter", "view page %n", "Page", "show the page, field by field"},
	{"r", "request %n", "Request", "request the page, as if a camera wanted it"},
	{"x", "evict %n", "Evict", "evict the page from the pool"},
	{"+", "view zoom in", "Error", "a finer cut", NULL, "+ -"},
	{"=", "view zoom in", NULL, "the same"},
	{"-", "view zoom out", NULL, "a coarser cut"},
	{"o", "camera add Main %p --orbit 10", "Orbit",
		"a camera from where the picture is seen, around the mesh in ten seconds"},
	{"O", "camera add Main %p", NULL, "a camera there that stays"},
	{"F", "camera follow %s", "Follow", "let a camera follow the first streaming source",
		has_source},
	{"F", ":camera follow ", NULL, "let a camera follow a streaming source"},
	{"i", "view rows cameras", NULL, "cameras with their positions"},
	{"z", "view zoom fit", "Now", "show the cut that the run draws"},
	{"m", "view overlay next", "Colour", "meaning of the colours: depth, page, level ..."},
	{"[", "view pan -1,0", "Turn", "turn the picture to the left", NULL, "[ ]"},
	{"]", "view pan 1,0", NULL, "to the right"},
	{"{", "view pan 0,1", NULL, "from further above"},
	{"}", "view pan 0,-1", NULL, "from further below"},
	{"R", "view grid next", NULL, "the next resource"},
	{"T", "view hierarchy", "Tree", "hierarchy that views walk"},
	{"D", "view dag", NULL, "levels of detail"},
	{"U", "view pool", NULL, "pool of pages, and model of reading"},
	{"E", "view rows page events", NULL, "requests, installs, evictions"},
	{"a", "view rows atlas", NULL, "the imposter atlas"},
	{0},
};

const struct view_type view_nanite = {
	.name = "nanite",
	.title = "Nanite",
	.help = "pages of a resource with their needs, and a cut",
	.is_of_time = true,
	.keys = keys,
	.is_bare = true,
	.says = view_nanite_says,
	.state_size = sizeof(struct nanite),
	.part = &reasons_of_page,
	.open = open_nanite,
	.replace = replace_nanite,
	.renew = view_nanite_renew,
	.draw = view_nanite_draw,
	.object = view_nanite_object,
	.move = view_nanite_move,
	.go = view_nanite_go,
	.set = view_nanite_set,
	.fill = fill,
	.close = close_nanite,
};
