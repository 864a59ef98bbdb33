/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the title line, which shows what is open and the current frame of the run. It consists of
 * fields. If they do not all fit, whole fields are left out, the least important first, because a
 * number that is cut reads as another number.
 */
#include <cellscope/paging.h>

#include "src/tui/screen.h"

#include <inttypes.h>

enum { GAP = 2 };

/* The objects that the fields of the title line describe, looked up once for all fields. */
struct subject {
	struct screen *screen;
	const struct session *session;
	const struct cs_cooked *world;  /* open world; NULL = none */
	const struct cs_stream *stream; /* simulated run; NULL = none */
	struct cs_stream_status run;    /* valid if `stream` is set */
};

static struct subject subject_of(struct screen *screen)
{
	const struct session *session = screen->session;
	struct subject of = {.screen = screen,
		.session = session,
		.world = session->world,
		.stream = session->run.stream};
	if (of.stream)
		of.run = cs_stream_status(of.stream);
	return of;
}

static bool streams(const struct subject *of)
{
	return of->world && of->stream;
}

/* ---- fields of the title; an empty one occupies no columns ---- */

static void say_name(const struct subject *of, struct output *out)
{
	const struct cs_inspector *inspector = of->session->inspector;
	if (of->world)
		say(out, "%s", cs_cooked_text(of->world, of->world->world->name));
	else if (cs_inspector_models(inspector).n == 0)
		say(out, "cellscope  no world is open");
	else
		say(out, "%s",
			cs_inspector_models(inspector)
				.at[cs_inspector_models(inspector).current]
				->name);
}

static void say_status(const struct subject *of, struct output *out)
{
	struct tui_view *view = screen_view(of->screen);
	if (view->type->status && of->world)
		view->type->status(view, out);
}

static void say_frame(const struct subject *of, struct output *out)
{
	if (of->stream)
		say(out, "frame %" PRIu64 " %.3fs", of->run.frame, (double)of->run.time_ns / 1e9);
}

static void say_playing(const struct subject *of, struct output *out)
{
	if (of->stream)
		say(out, "%s",
			of->screen->session->run.follows ? "following"
			: screen_plays(of->screen)       ? "playing"
							 : "paused");
}

static void say_loading(const struct subject *of, struct output *out)
{
	if (!streams(of))
		return;
	say(out, "loading %u", of->run.loading);
	if (of->run.budget != UINT32_MAX)
		say(out, "/%u", of->run.loading + of->run.budget);
}

static void say_waiting(const struct subject *of, struct output *out)
{
	uint32_t waiting = of->run.waiting_activate + of->run.waiting_load;
	if (streams(of) && waiting > 0)
		say(out, "waiting %u", waiting);
}

static void say_resident(const struct subject *of, struct output *out)
{
	if (streams(of))
		say(out, "%.1f MiB", (double)of->run.bytes / (1 << 20));
}

static void say_performance(const struct subject *of, struct output *out)
{
	static const char *const words[] = {"", "Slow", "Critical", "Immediate"};
	if (streams(of))
		say(out, "%s", words[of->run.performance]);
}

static void say_pool(const struct subject *of, struct output *out)
{
	const struct cs_pager *pager = of->session->run.pager;
	const struct cs_page_frame *now =
		pager ? cs_pager_frame_at(pager, cs_pager_view(pager).frame) : NULL;
	if (now && !of->world)
		say(out, "pool %u/%.0f pages", now->used, cs_pager_view(pager).settings.pool);
}

static void say_findings(const struct subject *of, struct output *out)
{
	const struct cs_query *query = of->session->query;
	size_t n = 0;
	for (uint32_t i = 0; of->world && i < cs_query_partitions(query); i++)
		n += cs_query_partition(query, i, NULL)->n_findings;
	if (n > 0)
		say(out, "%zu finding%s", n, plural_end(n));
}

/* Warns that loading ranges are assumed: the source lacks them, and the run depends on them. */
static void say_assumed(const struct subject *of, struct output *out)
{
	for (size_t i = 0; of->world && i < of->world->n_partitions; i++)
		if (of->world->partitions[i].flags & CS_PARTITION_ASSUMED) {
			say(out, "ranges assumed");
			return;
		}
}

/* Fields in the order of the title. Those with the highest `rank` are left out first. */
static const struct {
	void (*say)(const struct subject *of, struct output *out);
	int rank;
} pieces[] = {
	{say_name, 0},
	{say_status, 4},
	{say_frame, 1},
	{say_playing, 7},
	{say_loading, 3},
	{say_waiting, 5},
	{say_resident, 6},
	{say_performance, 2},
	{say_pool, 3},
	{say_assumed, 8},
	{say_findings, 9},
};

enum { PIECES = sizeof(pieces) / sizeof(pieces[0]) };

/* ---- drawing the title ---- */

/* Returns the index of the title's field to leave out next, or 0 (the name) if no other is left. */
static size_t least_of(const int *wide)
{
	size_t least = 0;
	for (size_t i = 1; i < PIECES; i++)
		if (wide[i] > 0 && pieces[i].rank > pieces[least].rank)
			least = i;
	return least;
}

static int total_of(const int *wide)
{
	int total = 1 - GAP;
	for (size_t i = 0; i < PIECES; i++)
		total += wide[i] > 0 ? wide[i] + GAP : 0;
	return total;
}

void title_draw(struct screen *screen, struct area area)
{
	const struct style style = {.ascii = screen->grid.ascii};
	const struct subject of = subject_of(screen);
	char *texts[PIECES];
	int wide[PIECES], x = 1;
	for (size_t i = 0; i < PIECES; i++) {
		struct text_output text;
		pieces[i].say(&of, text_output_begin(&text, style));
		texts[i] = text_output_end(&text);
		wide[i] = texts[i] ? printed_columns(texts[i], strlen(texts[i])) : 0;
	}
	for (size_t least; total_of(wide) > area.columns && (least = least_of(wide)) > 0;)
		wide[least] = 0;
	put_blank(area, 0, 0, area.columns, inks[INK_BAR]);
	for (size_t i = 0; i < PIECES; i++) {
		if (wide[i] > 0)
			x += put_cut_printed(area, x, 0, area.columns - x, inks[INK_BAR], texts[i],
				     strlen(texts[i]), false) +
			     GAP;
		free(texts[i]);
	}
}
