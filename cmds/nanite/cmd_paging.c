/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the commands about page streaming: `request`, `evict`, `pool`, `page frames`, `page
 * events`, `why page`, `why cluster` and `sweep pool`. Each change is passed to the pager as a line
 * of text, which the timeline stores to replay it.
 */
#include "cmds/nanite/cmd_nanite.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- states as text ---- */

uint32_t model_index(const struct call *call, const struct cs_model *model)
{
	return cs_inspector_find(call->session->inspector, model->name, strlen(model->name));
}

const char *page_state(const struct call *call, const struct cs_model *model, uint32_t page)
{
	return cs_word(CS_WORDS_PAGE_STATE,
		cs_page_state_of(call->session->inspector, call->session->run.pager,
			model_index(call, model), page))
		->name;
}

/* Prints how many pages were read, installed and evicted in the stored frames after `since`. */
static void say_came(struct output *out, const struct cs_pager *pager, uint64_t since)
{
	const struct cs_page_frame sum = cs_pager_sum(pager, since);
	if (sum.issued + sum.installed + sum.evicted == 0)
		return;
	say(out, "pages since: %u read, %u installed, %u left", sum.issued, sum.installed,
		sum.evicted);
	if (sum.thrash)
		say(out, "; %u read again within 60 frames of leaving: thrash", sum.thrash);
	say(out, "\n");
}

void say_pages(struct output *out, const struct session *session, uint64_t since)
{
	const struct cs_pager *pager = session->run.pager;
	const struct cs_page_frame *now =
		pager ? cs_pager_frame_at(pager, cs_pager_view(pager).frame) : NULL;
	if (!now || cs_pager_view(pager).n_cameras == 0)
		return;
	say_came(out, pager, since);
	say(out, "pages: %u wanted, %u missing, %u loading, %u of %.0f slots; ", now->pages,
		now->missing, now->loading, now->used, cs_pager_view(pager).settings.pool);
	say(out, "%u cluster%s, %u coarser than wanted, worst %.3g px\n", now->clusters,
		plural_end(now->clusters), now->coarse, now->worst);
	const double slots = cs_pager_view(pager).settings.pool;
	if (now->pages > slots)
		say(out, "the demand cannot fit: %u wanted, %.0f slots: pool pool %u%s\n",
			now->pages, slots, now->pages,
			cs_pager_view(pager).settings.quality != 0 ? "" : ", or pool profile 5.5");
	if (now->quality < 1)
		say(out, "quality %.2f: errors of %.3g px are allowed instead of %.3g\n",
			now->quality, cs_pager_view(pager).settings.threshold / now->quality,
			cs_pager_view(pager).settings.threshold);
}

static struct cs_error *paging_pager_of(struct call *call, const struct cs_pager **ret)
{
	struct cs_stream *stream;
	struct cs_error *error = session_stream(call->session, &stream);
	if (!error && !call->session->run.pager)
		error = no_resource(call->session);
	if (!error)
		*ret = call->session->run.pager;
	return error;
}

static struct cs_error *run_input_page(struct call *call)
{
	const struct cs_inspector *inspector = call->session->inspector;
	char text[64];
	uint32_t page, resource = cs_inspector_row(
			       inspector, CS_ROWS_PAGES, call_argument(call, 0)->row, &page);
	snprintf(text, sizeof(text), "%s %u %u", call->command->name, resource, page);
	return session_page_input(call->session, text);
}

const struct command command_request = {
	.name = "request",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"PAGE", ARGUMENT_PAGE}},
	.summary = "request a page and the pages of its dependency list once, without a camera",
	.examples = "request 4\nstep 10\nwhy 4",
	.help = "The pages are requested in the next frame, and then read and installed like\n"
		"pages that a camera requests. Later they can be evicted like other pages.",
	.run = run_input_page,
};

const struct command command_evict = {
	.name = "evict",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"PAGE", ARGUMENT_PAGE}},
	.summary = "remove a page from the pool of loaded pages",
	.examples = "request 1\nstep 10\nevict 1",
	.help = "The command is refused for a root page. It is also refused while another page in\n"
		"the pool needs PAGE; `rdeps PAGE` lists the pages that need PAGE.",
	.run = run_input_page,
};

/* ---- command pool ---- */

struct pool_row {
	const char *name, *doc;
	double value, otherwise;
};

static const struct cs_column pool_columns[] = {
	SHORT_AS("setting", struct pool_row, name, "name of the setting"),
	SHORT(struct pool_row, value, "present value"),
	SHORT_AS("default", struct pool_row, otherwise, "value at the beginning"),
	SHORT(struct pool_row, doc, "meaning of the setting, with its unit"),
};

static const struct cs_table pool_table = PLAIN_TABLE("pool", "setting", pool_columns);

enum { POOL_SETTINGS = sizeof(struct cs_pager_settings) / sizeof(double) };

static struct cs_error *show_pool(struct call *call)
{
	const struct cs_pager *pager;
	struct pool_row rows[POOL_SETTINGS];
	double values[POOL_SETTINGS];
	size_t n;
	struct cs_error *error = paging_pager_of(call, &pager);
	if (error)
		return error;
	const struct cs_pager_setting *list = cs_pager_setting_list(&n);
	const struct cs_pager_settings now = cs_pager_view(pager).settings;
	memcpy(values, &now, sizeof(values));
	for (size_t i = 0; i < n; i++)
		rows[i] =
			(struct pool_row){list[i].name, list[i].doc, values[i], list[i].otherwise};
	if (!wants_rows(call))
		say_pages(call->out, call->session, UINT64_MAX);
	return emit_plain(call, &pool_table, rows, n);
}

static struct cs_error *run_pool(struct call *call)
{
	char text[160];
	const struct argument *name = call_argument(call, 0), *value = call_argument(call, 1);
	if (!name->given)
		return show_pool(call);
	if (!value->given)
		return cs_error_new(
			CS_E_USAGE, "pool NAME needs a VALUE; `pool` lists the settings");
	snprintf(text, sizeof(text), "set %.60s %.60s", name->text, value->text);
	return session_page_input(call->session, text);
}

const struct command command_pool = {
	.name = "pool",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_CHANGES | COMMAND_LISTS,
	.arguments = {{"NAME", ARGUMENT_WORD, .optional = true},
		{"VALUE", ARGUMENT_WORD, .optional = true}},
	.summary = "list or change the settings of the page pool and of the simulated page reads",
	.examples = "pool\npool pool 64\npool latency 0.1\npool bandwidth 2e8\npool threshold 2\n"
		    "pool profile 5.5",
	.help = "Without arguments the command lists all settings with their values, defaults and\n"
		"meanings. `pool NAME VALUE` changes the setting NAME to VALUE; NAME without\n"
		"VALUE is an error. The examples set the size of the pool to 64 pages of 128 KiB,\n"
		"the duration of a read to at least 0.1 s, the bandwidth to 200 million bytes a\n"
		"second, and the largest allowed error to 2 pixels. When the pool is made\n"
		"smaller, pages that no camera wants are evicted first, then the pages that are\n"
		"wanted least.\n"
		"\n"
		"`pool profile 5.5` sets `quality` to 1, so the allowed error rises while the\n"
		"wanted pages do not fit into the pool. `pool profile 5.0` sets `quality` to 0,\n"
		"as in engines before 5.5. The allowed error then stays the same, and if the pool\n"
		"is too small, pages are evicted and read again and again while cameras move.",
	.run = run_pool,
	.rows = &pool_table,
};

const struct command command_page_frames = {
	.name = "page frames",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.summary = "list what streaming of Nanite pages did in each of the last 4096 frames",
	.examples = "page frames -s -frame -n 5\npage frames -w \"coarse > 0\" --json",
	.help = "The column `missing` is the number of pages that cameras needed and that were\n"
		"not in memory. The column `coarse` is the number of clusters that were drawn\n"
		"only because no finer clusters were loaded. `info tables page_frames` explains\n"
		"all columns.",
	.lists = "page_frames",
};

static struct cs_error *run_page_events(struct call *call)
{
	const struct cs_pager *pager;
	struct cs_error *error = paging_pager_of(call, &pager);
	return error ? error : call_list(call, "page_events");
}

const struct command command_page_events = {
	.name = "page events",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.summary = "list the events of streaming Nanite pages in this run",
	.examples = "request 4\nstep 10\npage events -n 10\npage events -w \"page = 'rock:2'\"",
	.help = "The column `event` is page.request, page.install, page.evict, pool.full or\n"
		"quality.drop; `info events` explains these names.",
	.run = run_page_events,
};

/* ---- command why page ---- */

static const char *camera_name(const struct cs_pager *pager, uint32_t camera)
{
	return camera < cs_pager_view(pager).n_cameras ? cs_pager_camera(pager, camera)->name : "?";
}

static void say_asker(struct output *out, const struct cs_pager *pager,
	const struct cs_model *model, const struct cs_page_status *status)
{
	if (status->asked == 0)
		return;
	if (status->group == CS_NONE)
		say(out, "  asked for by hand");
	else if (status->camera == CS_NONE)
		say(out, "  a camera that was removed");
	else
		say(out, "  camera %s", camera_name(pager, status->camera));
	if (status->group != CS_NONE)
		say(out, " wanted group %u, level %u, at %.3g times the threshold", status->group,
			status->group < model->n_groups ? model->groups[status->group].level : 0,
			(double)status->priority);
	say(out, ": read from frame %" PRIu64 "\n", status->asked);
	if (status->via != CS_NONE)
		say(out, "  not for itself: page %u needs it\n", status->via);
}

static void say_nearest(
	struct output *out, const struct cs_pager *pager, const struct cs_page_reason *reason)
{
	if (reason->camera == CS_NONE) {
		say(out, "  no camera looks: camera add\n");
		return;
	}
	say(out,
		"  its nearest group %u: without it camera %s would see an error of %.3g px, "
		"the threshold is %.3g%s\n",
		reason->group, camera_name(pager, reason->camera), reason->pixels,
		reason->threshold,
		reason->pixels <= reason->threshold ? ": fine enough"
		: reason->in_view                   ? ""
						    : ": outside its view");
}

/*
 * The actor nearest to a camera, of those that show the resource of a page; the cell that contains
 * this actor; and why the cell is in its state.
 */
struct crossing {
	const char *actor, *mesh, *cell, *state, *rule, *number, *because;
	const char *source; /* streaming source nearest to the cell; NULL = none */
	/* distance of `source` from the cell, and loading radius of `source`, both in metres */
	double distance, radius;
};

static struct cs_error *paging_cross(const struct call *call, uint32_t actor, struct crossing *ret)
{
	const struct session *session = call->session;
	const struct cs_cooked *world = session->world;
	*ret = (struct crossing){.distance = CS_NO_NUMBER, .radius = CS_NO_NUMBER};
	if (actor == CS_NONE || !world || actor >= world->n_actors)
		return NULL;
	const struct cs_cooked_actor *at = cs_cooked_actor(world, actor);
	ret->actor = cs_cooked_actor_title(world, actor);
	ret->mesh = at->mesh ? cs_cooked_text(world, at->mesh) : NULL;
	if (at->cell == CS_NONE)
		return NULL;
	const struct cs_stream_cell cell = {0, at->cell};
	const struct cs_stream_cell_view view = cs_stream_cell(session->run.stream, cell);
	struct cs_stream_why why;
	struct cs_error *error = cs_stream_why(session->run.stream, cell, &why);
	if (error)
		return error;
	enum cs_reason reason = why.progress == CS_REASON_ARRIVED ? why.reason : why.progress;
	ret->cell = cs_cooked_cell_name(world, at->cell);
	ret->state = cs_word(CS_WORDS_CELL_STATE, view.shown)->name;
	ret->rule = cs_word(CS_WORDS_REASON, reason)->name;
	ret->number = cs_word(CS_WORDS_REASON, reason)->rule;
	ret->because = cs_word(CS_WORDS_REASON, reason)->help;
	ret->source = why.nearest.source;
	ret->distance = why.nearest.distance / 100;
	ret->radius = why.nearest.radius / 100;
	return NULL;
}

static struct cs_error *say_crossing(struct call *call, const struct cs_page_reason *reason)
{
	struct crossing to;
	struct cs_error *error = paging_cross(call, reason->tag, &to);
	if (error || !to.actor)
		return error;
	say(call->out, "  shown by actor %s", to.actor);
	if (to.mesh)
		say(call->out, " as %s", to.mesh);
	if (reason->instances > 1)
		say(call->out, " (%u of %u such actors are seen)", reason->shown,
			reason->instances);
	if (to.cell)
		say(call->out, "\n  in cell %s, which is %s: %s (rule %s)", to.cell, to.state,
			to.because, to.number);
	if (to.source)
		say(call->out, ": %s is %.0f m away, it reaches %.0f m", to.source, to.distance,
			to.radius);
	say(call->out, "\n");
	if (reason->shown == 0)
		say(call->out, "  no actor that shows it is seen: their cells are not visible, or "
			       "what they stand in for is\n");
	return NULL;
}

static void say_reason(
	struct call *call, const struct cs_pager *pager, const struct cs_page_reason *reason)
{
	const struct cs_page_status *status = &reason->status;
	struct output *out = call->out;
	switch (reason->why) {
	case CS_WHY_ROOT:
		say(out, "a root page: always there, in no slot\n");
		break;
	case CS_WHY_WANTED:
		say(out, "resident since frame %" PRIu64 ", and wanted now\n", status->since);
		break;
	case CS_WHY_KEPT:
		say(out,
			"resident since frame %" PRIu64 ", not wanted since frame %" PRIu64
			": nothing needed its slot\n",
			status->since, status->last_used);
		break;
	case CS_WHY_LOADING:
		say(out, "being read since frame %" PRIu64 ", done at %.3f s\n", status->since,
			(double)status->ready / 1e9);
		break;
	case CS_WHY_NO_SLOT:
		say(out, "wanted, but the pool is full and no page in it may leave: all are wanted "
			 "or needed. pool pool N\n");
		break;
	case CS_WHY_PENDING:
		say(out, "wanted, but as many pages as may are being read. pool pending N\n");
		break;
	case CS_WHY_EVICTED:
		say(out, "it left in frame %" PRIu64, status->evicted);
		if (status->evicted_for != CS_NONE)
			say(out, ": its slot went to page %s",
				cs_inspector_name(call->session->inspector, CS_ROWS_PAGES,
					status->evicted_for));
		say(out, "; %s\n",
			status->last_used == cs_pager_view(pager).frame
				? "it was wanted in this frame: a view that still wants it has it "
				  "read again"
				: "nobody wants it now");
		break;
	case CS_WHY_UNWANTED:
		say(out, "no view wants any of its groups\n");
		break;
	}
}

/*
 * Prints the missing pages for which groups of a resident page wait. A group is loaded only when
 * all its pages are loaded.
 */
static struct cs_error *say_stranded(
	struct output *out, struct call *call, const struct cs_model *model, uint32_t page)
{
	uint32_t *pages;
	size_t n;
	struct cs_error *error = cs_model_closure(model, page, CS_CLOSURE_GROUPS, &pages, &n);
	if (error)
		return error;
	n = cs_pages_missing(call->session->inspector, call->session->run.pager,
		model_index(call, model), pages, n, pages);
	for (size_t i = 0; i < n; i++)
		say(out, "%s%u", i ? ", " : "  stranded: a group of it waits for page ", pages[i]);
	if (n)
		say(out, "\n");
	free(pages);
	return NULL;
}

struct why_row {
	struct cs_page_reason is;
	const char *page, *resource, *why, *camera;
	double priority;
	bool stranded;
	struct crossing to;
};

static const struct cs_column why_columns[] = {
	PLAIN(struct why_row, page, "the page"),
	PLAIN(struct why_row, resource, "the resource"),
	PLAIN(struct why_row, why, "reason for the state"),
	PLAIN_AS("since", struct why_row, is.status.since, "frame in which the state began",
		.unit = "frame"),
	PLAIN_AS("last_used", struct why_row, is.status.last_used,
		"frame in which the page was wanted last", .unit = "frame"),
	PLAIN_AS("asked", struct why_row, is.status.asked,
		"frame in which the read of the page began", .unit = "frame"),
	PLAIN(struct why_row, priority, "priority with which the page was read"),
	PLAIN_AS("via", struct why_row, is.status.via, "page that needs the page"),
	PLAIN_AS("group", struct why_row, is.group,
		"group of the page that is nearest to being wanted"),
	PLAIN(struct why_row, camera, "camera that is nearest to needing the page"),
	PLAIN_AS("pixels", struct why_row, is.pixels,
		"error in pixels that the camera would see without the page"),
	PLAIN_AS("threshold", struct why_row, is.threshold,
		"largest allowed error in pixels at the present quality"),
	PLAIN_AS("in_view", struct why_row, is.in_view, "whether the camera sees the group"),
	PLAIN(struct why_row, stranded,
		"whether the page is loaded while one of its groups does not count as loaded"),
	PLAIN_AS("instances", struct why_row, is.instances,
		"instances of the resource in the scene"),
	PLAIN_AS("shown", struct why_row, is.shown,
		"number of instances of the resource that a camera sees"),
	PLAIN_AS("actor", struct why_row, to.actor, "nearest actor that shows the resource"),
	PLAIN_AS("mesh", struct why_row, to.mesh, "mesh path as the actor names it"),
	PLAIN_AS("cell", struct why_row, to.cell, "cell of the actor"),
	PLAIN_AS("cell_state", struct why_row, to.state, "state of the cell"),
	PLAIN_AS("cell_rule", struct why_row, to.rule, "rule that decides the state of the cell"),
	PLAIN_AS("cell_number", struct why_row, to.number, "number of the rule: help rule NUMBER"),
	PLAIN_AS("cell_because", struct why_row, to.because, "title of the rule"),
	PLAIN_AS("source", struct why_row, to.source, "streaming source nearest to the cell"),
	PLAIN_AS("source_distance", struct why_row, to.distance,
		"distance from the cell to the source", .unit = "m"),
	PLAIN_AS("source_radius", struct why_row, to.radius, "radius of the source", .unit = "m"),
};

static const struct cs_table why_table = PLAIN_TABLE("page_reasons", "page_reason", why_columns);

static struct cs_error *emit_reason(
	struct call *call, const struct cs_pager *pager, const struct cs_page_reason *reason)
{
	static const char *const names[] = {
		"root", "wanted", "kept", "loading", "no_slot", "pending", "evicted", "unwanted"};
	struct crossing to;
	struct cs_error *error = paging_cross(call, reason->tag, &to);
	if (error)
		return error;
	uint32_t page;
	const uint32_t row_of_page = call_argument(call, 0)->row;
	const struct why_row row = {
		.is = *reason,
		.to = to,
		.resource = model_of_row(call, CS_ROWS_PAGES, row_of_page, &page)->name,
		.page = cs_inspector_name(call->session->inspector, CS_ROWS_PAGES, row_of_page),
		.why = names[reason->why],
		.camera = reason->camera == CS_NONE ? NULL : camera_name(pager, reason->camera),
		.priority = (double)reason->status.priority,
		.stranded = reason->status.stranded && reason->status.state == CS_PAGE_RESIDENT,
	};
	return emit_plain_record(call, &why_table, &row);
}

static struct cs_error *run_why_page(struct call *call)
{
	const struct cs_pager *pager;
	uint32_t page, row = call_argument(call, 0)->row;
	const struct cs_model *model = model_of_row(call, CS_ROWS_PAGES, row, &page);
	struct cs_error *error = paging_pager_of(call, &pager);
	if (error)
		return error;
	const struct cs_page_reason reason = cs_pager_why_page(pager, row);
	if (wants_rows(call))
		return emit_reason(call, pager, &reason);
	say(call->out,
		"page %s: ", cs_inspector_name(call->session->inspector, CS_ROWS_PAGES, row));
	say_reason(call, pager, &reason);
	if (reason.why == CS_WHY_ROOT)
		return say_crossing(call, &reason);
	if (reason.status.state != CS_PAGE_ABSENT)
		say_asker(call->out, pager, model, &reason.status);
	say_nearest(call->out, pager, &reason);
	error = say_crossing(call, &reason);
	if (!error && reason.status.state == CS_PAGE_RESIDENT && reason.status.stranded)
		error = say_stranded(call->out, call, model, page);
	return error;
}

OLD_NAME(command_why_page, "why page", "why", run_why_page, COMMAND_NANITE, "why 2",
	{"PAGE", ARGUMENT_PAGE});

OLD_NAME(command_why_not_page, "why-not page", "why-not", run_why_page, COMMAND_NANITE, "why-not 4",
	{"PAGE", ARGUMENT_PAGE});

/* ---- command why cluster ---- */

static void say_missing_pages(
	struct call *call, const struct cs_model *model, const struct cs_model_group *group)
{
	const uint32_t resource = model_index(call, model);
	bool any = false;
	for (uint32_t i = 0; i < group->n_parts; i++) {
		uint32_t page = model->parts[model->group_parts[group->first_part + i]].page;
		if (cs_pages_missing(call->session->inspector, call->session->run.pager, resource,
			    &page, 1, &page) == 0)
			continue;
		say(call->out, "%s%u (%s)", any ? ", " : "; missing: page ", page,
			page_state(call, model, page));
		any = true;
	}
}

/* Prints what decides whether a cluster is drawn: errors and which groups are loaded. */
static void say_tests(struct call *call, const struct cs_pager *pager, const struct cs_model *model,
	const struct cs_model_cluster *cluster)
{
	struct output *out = call->out;
	size_t first = cs_inspector_first(
		call->session->inspector, CS_ROWS_GROUPS, model_index(call, model));
	const struct cs_model_group *group = &model->groups[cluster->group];
	say(out, "  group %u, level %u: parents' error %.4g; ", cluster->group, cluster->level,
		(double)group->max_parent_error);
	say(out, "%s",
		cs_pager_group(pager, first + cluster->group) ? "it counts as loaded"
							      : "it does not count as loaded");
	say_missing_pages(call, model, group);
	say(out, "\n  its own error %.4g", (double)cluster->lod_error);
	if (cluster->maker == CS_NONE) {
		say(out, ": level 0, nothing finer exists\n");
		return;
	}
	say(out, "; finer group %u %s", cluster->maker,
		cs_pager_group(pager, first + cluster->maker) ? "counts as loaded"
							      : "does not count as loaded");
	say_missing_pages(call, model, &model->groups[cluster->maker]);
	say(out, "\n");
}

static struct cs_error *run_why_cluster(struct call *call)
{
	const struct place place = call_argument(call, 0)->place;
	const struct cs_pager *pager;
	uint32_t cluster;
	if (place.kind != PLACE_CLUSTER)
		return cs_error_new(CS_E_USAGE,
			"'%s' is not a cluster: write PAGE:NUMBER, such as 3:17",
			call_argument(call, 0)->text);
	const struct cs_model *model = model_of_row(call, CS_ROWS_CLUSTERS, place.row, &cluster);
	struct cs_error *error = paging_pager_of(call, &pager);
	if (error)
		return error;
	if (wants_rows(call))
		return call_record(call, "clusters", place.row);
	say(call->out, "cluster %s: ",
		cs_inspector_name(call->session->inspector, CS_ROWS_CLUSTERS, place.row));
	static const char *const words[] = {"not drawn", "drawn: fine enough",
		"drawn, coarser than wanted: nothing finer is there"};
	say(call->out, "%s\n", words[(cs_pager_cluster(pager, place.row))]);
	if (model->clusters[cluster].group != CS_NONE)
		say_tests(call, pager, model, &model->clusters[cluster]);
	return NULL;
}

OLD_NAME(command_why_cluster, "why cluster", "why", run_why_cluster, COMMAND_NANITE, "why 1:0",
	{"CLUSTER", ARGUMENT_CLUSTER});

static const struct cs_column sweep_columns[] = {
	SHORT(struct cs_pager_sweep, pool, "pages"),
	SHORT(struct cs_pager_sweep, hit_rate,
		"share of the wanted pages that were in memory, over all frames, 0..1"),
	SHORT(struct cs_pager_sweep, issued, "reads"),
	SHORT(struct cs_pager_sweep, evicted, "number of pages that left the pool"),
	SHORT(struct cs_pager_sweep, thrash,
		"number of pages read again within 60 frames after they left the pool"),
	SHORT(struct cs_pager_sweep, bytes_read, "bytes"),
	SHORT(struct cs_pager_sweep, coarse_frames,
		"frames in which a cluster coarser than wanted was drawn"),
	SHORT(struct cs_pager_sweep, stable,
		"first frame from which on no wanted page was missing; 0 = none"),
	SHORT(struct cs_pager_sweep, peak, "largest number of slots in use"),
	SHORT(struct cs_pager_sweep, worst, "largest error in the last frame, in pixels"),
};

static const struct cs_table sweep_table = PLAIN_TABLE("sweep", "pool_size", sweep_columns);

enum { MOST_POOL = 1 << 20, SWEEP_FRAMES = 600, MOST_FRAMES = 1000000, FRAME_NS = 16666667 };

static struct cs_error *run_sweep_pool(struct call *call)
{
	uint64_t frames;
	struct cs_pager_sweep rows[CS_PAGER_SWEEPS];
	const struct argument_range pools = call_argument(call, 0)->range;
	const struct cs_pager *pager;
	size_t n;
	struct cs_error *error = paging_pager_of(call, &pager);
	if (!error && (!pools.closed || pools.last > MOST_POOL))
		error = cs_error_new(CS_E_USAGE,
			"RANGE must be FIRST..LAST, both at most %d pages, not '%s'", MOST_POOL,
			call_argument(call, 0)->text);
	if (!error)
		error = call_whole_within(call, "frames", 1, MOST_FRAMES, SWEEP_FRAMES, &frames);
	if (!error && cs_pager_view(pager).n_cameras == 0)
		error = cs_error_new(CS_E_USAGE,
			"there is no camera that requests pages: `camera add` adds one");
	if (!error)
		error = cs_pager_try_range(pager, pools.first, pools.last, frames, FRAME_NS,
			&call->session->job, rows, &n);
	return error ? error : emit_plain(call, &sweep_table, rows, n);
}

const struct command command_sweep_pool = {
	.name = "sweep pool",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.arguments = {{"RANGE", ARGUMENT_RANGE}},
	.options = {{0, "frames", "N", ARGUMENT_WHOLE,
		"run N frames with each size (default 600)"}},
	.summary = "simulate page streaming with several sizes of the page pool, to choose a size",
	.examples = "camera add Main 150,0,20\nsweep pool 0..8 --frames 120\n"
		    "sweep pool 2..6 --frames 60 -w \"thrash > 0\"",
	.help = "RANGE is FIRST..LAST, the least and the greatest size of the pool in pages of\n"
		"128 KiB. With size 0 only root pages are in memory. If RANGE has more than 12\n"
		"sizes, at most 12 evenly spaced sizes from FIRST on are simulated, and LAST can\n"
		"be left out. Each row is one size. Each run uses the present cameras and\n"
		"settings, begins at frame 0 and has 60 frames a second. The column `hit_rate` is\n"
		"the share of the wanted pages that were in memory, 0 to 1. The column `thrash`\n"
		"counts pages that were read again within 60 frames after they had left the pool.",
	.run = run_sweep_pool,
};
