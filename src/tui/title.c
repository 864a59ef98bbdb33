/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Owns: the title, the line that says what is open and where the run is. It is made of pieces;
 * where they do not all fit, the one that matters least leaves as a whole, for half a number is
 * another number.
 */
#include <cellscope/paging.h>

#include "src/tui/frame.h"
#include "src/tui/paint.h"

#include <inttypes.h>

enum { GAP = 2 };

static bool has_world(const struct session *session)
{
	return session->world != NULL;
}

static const struct cs_page_frame *frame_of_pages(const struct session *session)
{
	const struct cs_pager *pager = session->run.pager;
	return pager ? cs_pager_frame_at(pager, cs_pager_now(pager)) : NULL;
}

/* ---- the pieces: what a piece does not say takes no room ---- */

static void say_name(struct screen *screen, struct output *out)
{
	const struct session *session = screen->session;
	const struct cs_inspector *inspector = session->inspector;
	size_t n = cs_inspector_count(inspector);
	if (has_world(session))
		say(out, "%s", cs_cooked_text(session->world, session->world->world->name));
	else if (n == 0)
		say(out, "cellscope  no world is open");
	else
		say(out, "%s", cs_inspector_at(inspector, cs_inspector_current(inspector))->name);
}

static void say_status(struct screen *screen, struct output *out)
{
	struct tui_view *view = screen_view(screen);
	if (view->type->status && has_world(screen->session))
		view->type->status(view, out);
}

static void say_frame(struct screen *screen, struct output *out)
{
	const struct cs_stream *stream = screen->session->run.stream;
	if (!stream)
		return;
	const struct cs_stream_status status = cs_stream_status(stream);
	say(out, "frame %" PRIu64 " %.3fs", status.frame, (double)status.time_ns * 1e-9);
}

static void say_playing(struct screen *screen, struct output *out)
{
	if (screen->session->run.stream)
		say(out, "%s", screen->playing.rate > 0 ? "playing" : "paused");
}

static void say_loading(struct screen *screen, struct output *out)
{
	const struct cs_stream *stream = screen->session->run.stream;
	if (!stream || !has_world(screen->session))
		return;
	const struct cs_stream_status status = cs_stream_status(stream);
	say(out, "loading %" PRIu32, status.loading);
	if (status.budget != UINT32_MAX)
		say(out, "/%" PRIu32, status.loading + status.budget);
}

static void say_waiting(struct screen *screen, struct output *out)
{
	const struct cs_stream *stream = screen->session->run.stream;
	if (!stream || !has_world(screen->session))
		return;
	const struct cs_stream_status status = cs_stream_status(stream);
	if (status.waiting_activate + status.waiting_load > 0)
		say(out, "waiting %" PRIu32, status.waiting_activate + status.waiting_load);
}

static void say_resident(struct screen *screen, struct output *out)
{
	const struct cs_stream *stream = screen->session->run.stream;
	if (stream && has_world(screen->session))
		say(out, "%.1f MiB", (double)cs_stream_status(stream).bytes / (1 << 20));
}

static void say_performance(struct screen *screen, struct output *out)
{
	static const char *const words[] = {"", "Slow", "Critical", "Immediate"};
	const struct cs_stream *stream = screen->session->run.stream;
	if (stream && has_world(screen->session))
		say(out, "%s", words[cs_stream_status(stream).performance]);
}

static void say_pool(struct screen *screen, struct output *out)
{
	const struct cs_page_frame *now = frame_of_pages(screen->session);
	if (now && !has_world(screen->session))
		say(out, "pool %" PRIu32 "/%.0f pages", now->used,
			cs_pager_settings(screen->session->run.pager).pool);
}

static void say_findings(struct screen *screen, struct output *out)
{
	const struct session *session = screen->session;
	if (has_world(session) && session->world->n_findings > 0)
		say(out, "%zu finding%s", session->world->n_findings,
			session->world->n_findings == 1 ? "" : "s");
}

/* What the source does not say, every number of the run leans on. */
static void say_assumed(struct screen *screen, struct output *out)
{
	const struct cs_cooked *world = screen->session->world;
	for (size_t i = 0; world && i < world->n_partitions; i++)
		if (world->partitions[i].flags & CS_PARTITION_ASSUMED) {
			say(out, "ranges assumed");
			return;
		}
}

/* In their order; the greater the rank, the sooner it leaves. */
static const struct {
	void (*say)(struct screen *screen, struct output *out);
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

/* ---- the line ---- */

/* The one to leave next; 0, the name, when there is no other. */
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
	struct memory_sink texts[PIECES];
	int wide[PIECES], x = 1;
	for (size_t i = 0; i < PIECES; i++) {
		struct output out;
		memory_sink_init(&texts[i]);
		output_init(&out, &style, &texts[i].sink);
		pieces[i].say(screen, &out);
		cs_error_free(output_end(&out));
		wide[i] = printed_columns(texts[i].text.at, texts[i].text.n);
	}
	for (size_t least; total_of(wide) > area.columns && (least = least_of(wide)) > 0;)
		wide[least] = 0;
	put_blank(area, 0, 0, area.columns, inks[INK_BAR]);
	for (size_t i = 0; i < PIECES; i++) {
		if (wide[i] > 0)
			x += put_cut_printed(area, x, 0, area.columns - x, inks[INK_BAR],
				     texts[i].text.at, texts[i].text.n, false) +
			     GAP;
		memory_sink_deinit(&texts[i]);
	}
}
