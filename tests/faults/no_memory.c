/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No memory: the N-th allocation fails, once and then for good, for one N after the other until a
 * run gets through. Each run must end in E_NOMEM, or as if nothing had been, and give back all it
 * took. The method is that of SQLite (failing_calls.h).
 */
#include "mesh/sheet.h"
#include "nanite/format/contents.h"
#include "nanite/inspect/model_inside.h"
#include "nanite/paging/pager_inside.h"
#include "query/sql/query_internal.h"
#include "stream/stream_internal.h"
#include "tests/faults/failing_calls.h"
#include "tests/faults/no_memory_farm.h"
#include "tests/fuzz/seed_files.h"
#include "tests/make/make.h"
#include "tests/samples/engine_cook.h"
#include "tests/samples/engine_nanite.h"
#include "tests/samples/tap.h"
#include "tests/samples/trace_maker.h"
#include "ue/map/check_cooked.h"
#include "world/world_internal.h"

#include <cellscope/compare.h>
#include <cellscope/cook.h>
#include <cellscope/mesh.h>
#include <cellscope/paging.h>
#include <cellscope/query.h>
#include <cellscope/runs.h>
#include <cellscope/ue.h>

#include <malloc.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what must survive it ---- */

static const struct cs_job job = {.threads = 1};
static struct cs_world *world;
static unsigned char *bytes, *large_bytes; /* of it cooked, and of a larger one */
static size_t size, large_size;
static struct seed_file text, logged;
static struct memory_file real_files[2]; /* of real runs */

/*
 * The hash of a run's result. A run that lost an allocation and returned no error must have the
 * same hash.
 */
static uint64_t outcome;

static void came_to(const void *made, size_t n)
{
	const unsigned char *at = made;
	for (size_t i = 0; i < n; i++)
		outcome = (outcome ^ at[i]) * UINT64_C(0x100000001b3);
}

void came_to_number(uint64_t number)
{
	came_to(&number, sizeof(number));
}

static void came_to_world(const struct cs_world *made)
{
	for (size_t i = 0; i < made->actors.n; i++)
		came_to(&made->actors.at[i].guid, sizeof(struct cs_guid));
	came_to_number(cs_world_count(made).references);
	came_to_number(made->layers.n);
	came_to_number(made->containers.n);
}

static struct cs_error *run_generate(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, 60, 1};
	struct cs_world *made;
	struct cs_error *error = make_test_world(&recipe, &job, &made);
	if (!error) {
		came_to_world(made);
		cs_world_free(made);
	}
	return error;
}

static struct cs_error *run_empty(void)
{
	struct cs_world *made;
	struct cs_error *error = cs_world_empty("/Game/Empty", &made);
	if (!error) {
		came_to_world(made);
		cs_world_free(made);
	}
	return error;
}

static struct cs_error *run_read(void)
{
	struct cs_world *read;
	struct cs_error *error = cs_world_read_json(text.path, &job, &read);
	if (!error) {
		came_to_world(read);
		cs_world_free(read);
	}
	return error;
}

static struct cs_error *run_cook(void)
{
	struct cs_cook *cook;
	unsigned char *cooked;
	size_t n;
	struct cs_error *error = cs_cook(world, NULL, &job, &cook);
	if (error)
		return error;
	error = cs_cook_bytes(cook, &cooked, &n);
	if (!error) {
		came_to(cooked, n);
		free(cooked);
	}
	cs_cook_free(cook);
	return error;
}

static struct cs_error *explain_all(const struct cs_cooked *c)
{
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < c->n_actors; i += 16) {
		struct cs_trail trail;
		error = cs_explain_actor(c, i, &trail);
		if (!error) {
			came_to_number(trail.n);
			free(trail.steps);
		}
	}
	return error;
}

static struct cs_error *run_explain(void)
{
	struct cs_cooked *c;
	struct cs_diff diff;
	struct cs_error *error = cs_cooked_open_bytes(bytes, size, "world", &job, &c);
	if (error)
		return error;
	error = cs_cooked_load_actors(c);
	if (!error)
		error = explain_all(c);
	if (!error) {
		error = cs_cooked_diff(c, c, &diff);
		if (!error)
			free(diff.rows);
	}
	cs_cooked_close(c);
	return error;
}

/* Runs a statement that reads columns of a world in a pass; its tables have several parts. */
static struct cs_error *run_reads(void)
{
	struct cs_cooked *c = NULL;
	struct cs_query *query = NULL;
	struct cs_result *result = NULL;
	struct cs_error *error = cs_cooked_open_bytes(large_bytes, large_size, "world", &job, &c);
	if (!error)
		error = cs_query_new(&query);
	if (!error) {
		cs_query_set_job(query, &job);
		query->kept_bytes = 0;
		error = cs_query_add_cooked(query, c);
	}
	if (!error)
		error = cs_query_select(query,
			"SELECT count(title), min(cell), max(package) FROM actors",
			(struct cs_parameters){0}, &result);
	if (!error)
		came_to_number((uint64_t)cs_result_value(result, 0, 0).integer);
	cs_result_free(result);
	result = NULL;
	if (!error)
		error = cs_query_select(query, "SELECT cell, count(*) FROM actors GROUP BY cell",
			(struct cs_parameters){0}, &result);
	for (size_t i = 0; !error && i < cs_result_rows(result); i++)
		came_to_number((uint64_t)cs_result_value(result, i, 1).integer);
	cs_result_free(result);
	cs_query_free(query);
	cs_cooked_close(c);
	return error;
}

static struct cs_error *run_log(void)
{
	struct cs_world *read;
	struct cs_error *error = cs_ue_open_log(logged.path, &job, &read);
	if (!error) {
		came_to_world(read);
		cs_world_free(read);
	}
	return error;
}

static void make_real_files(void)
{
	static const char log[] =
		"[2026.11.23-20.15.30:123][ 42]LogLevelStreaming: Verbose: Level /Game/A:-1 "
		"CurrentState Unloaded -> Loading (TargetState=LoadedVisible)\nLevels:\n->  /Game/A\n"
		"  - P: Priority: 128 | Local | Pos: X=1,Y=2,Z=3 | Vel: 0.00 m/s\n";
	unsigned char trace[TRACE_MADE];
	real_files[0] = memory_file_new(log, sizeof(log) - 1);
	real_files[1] = memory_file_new(trace, trace_make(trace, 1));
}

static struct cs_error *follow_real(struct cs_real *real, const char *file)
{
	struct cs_follow *follow;
	struct cs_follow_news news;
	struct cs_error *error = cs_follow_open(real, file, 1, &follow);
	if (error)
		return error;
	error = cs_follow_run(follow, &(struct cs_follow_request){.seconds = 0}, &job, &news);
	const bool armed = faults.armed; /* closing has no error to tell */
	faults.armed = false;
	cs_follow_close(follow);
	faults.armed = armed;
	return error;
}

/* Opens the log of a run and then a trace, and follows both. */
static struct cs_error *run_real(void)
{
	struct cs_real *real;
	struct cs_error *error = cs_real_new(&real);
	if (error)
		return error;
	for (size_t i = 0; !error && i < 2; i++)
		error = cs_real_read(real, real_files[i].path, &job);
	for (size_t i = 0; !error && i < 2; i++)
		error = follow_real(real, real_files[i].path);
	cs_real_free(real);
	return error;
}

static struct memory_file
	walked; /* a real run of the world: a cell that it does not have, eight frames */

static void make_walk(void)
{
	char lines[2048];
	size_t n = (size_t)snprintf(lines, sizeof(lines),
		"{\"schema\":\"cellscope.run/1\"}\n"
		"{\"t\":0.01,\"cell\":\"nobody's\",\"state\":\"Loading\"}\n");
	for (int i = 1; i <= 8; i++)
		n += (size_t)snprintf(lines + n, sizeof(lines) - n,
			"{\"t\":%d,\"ms\":500,\"pos\":[%d,0,0]}\n", i, i * 100);
	walked = memory_file_new(lines, n);
}

/*
 * Compares a run, and fits the model without a callback for visits, since fitting ends before its
 * walks.
 */
static struct cs_error *compare_and_fit(struct cs_real *real, struct cs_stream *stream)
{
	struct cs_error *error = cs_real_read(real, walked.path, &job);
	if (!error)
		error = cs_real_compare(real, stream, NULL, &job, NULL);
	error = error ? error : cs_real_fit(real, stream, true, NULL, &job);
	if (error && error->code == CS_E_MISSING) {
		cs_error_free(error);
		return NULL;
	}
	return error;
}

static struct cs_error *run_compare_and_fit(void)
{
	struct cs_cooked *c;
	struct cs_stream *stream = NULL;
	struct cs_real *real = NULL;
	struct cs_error *error = cs_cooked_open_bytes(bytes, size, "world", &job, &c);
	if (error)
		return error;
	error = cs_stream_new(c, NULL, &job, &stream);
	if (!error)
		error = cs_real_new(&real);
	if (!error)
		error = compare_and_fit(real, stream);
	cs_real_free(real);
	cs_stream_free(stream);
	cs_cooked_close(c);
	return error;
}

static struct cs_error *sweep(struct cs_whatif *whatif)
{
	const struct cs_sweep_options options = {.size = sizeof(options),
		.ranges = {{"MainGrid.cell_size", 6400, 12800}},
		.n_ranges = 1,
		.steps = 2};
	struct cs_sweep found;
	struct cs_error *error = cs_sweep(whatif, &options, &found);
	if (error)
		return error;
	for (size_t i = 0; i < found.n; i++)
		came_to_number((uint64_t)found.rows[i].counts.cells);
	free(found.rows);
	return NULL;
}

static struct cs_error *run_sweep(void)
{
	struct cs_cooked *c;
	struct cs_whatif *whatif;
	struct cs_error *error = cs_cooked_open_bytes(bytes, size, "world", &job, &c);
	if (error)
		return error;
	error = cs_whatif_new(world, c, NULL, &job, &whatif);
	if (!error) {
		error = sweep(whatif);
		cs_whatif_free(whatif);
	}
	cs_cooked_close(c);
	return error;
}

static struct cs_error *step_and_return(const struct cs_cooked *c)
{
	struct cs_stream *stream;
	struct cs_error *error = cs_stream_new(c, NULL, &job, &stream);
	if (error)
		return error;
	struct cs_stream_source source = cs_stream_source_player("Player0");
	error = cs_stream_source_set(stream, &source);
	if (!error)
		error = cs_stream_step(stream, 30);
	if (!error)
		error = cs_stream_goto(stream, 10);
	uint64_t state = 0;
	if (!error)
		error = cs_stream_hash(stream, &state);
	came_to_number(state);
	cs_stream_free(stream);
	return error;
}

static struct cs_error *run_stream(void)
{
	struct cs_cooked *c;
	struct cs_error *error = cs_cooked_open_bytes(bytes, size, "world", &job, &c);
	if (error)
		return error;
	error = step_and_return(c);
	cs_cooked_close(c);
	return error;
}

/* ---- meshes ---- */

static struct cs_mesh *mesh;

/* Streams by both rules, because each has arrays that the other does not use. */
static struct cs_error *stream_inspected(const struct cs_inspector *inspector)
{
	struct cs_pager *pager = NULL;
	struct cs_error *error = cs_pager_new(inspector, NULL, &pager);
	if (!error)
		error = cs_pager_input(
			pager, "camera Trip path 60 1080 1.78 0.1 2 1 9 0 0 0 0 0 0 9 0 0 0 0");
	for (uint64_t frame = 1; !error && frame < 9; frame++) {
		if (frame == 5)
			error = cs_pager_input(pager, "set literal 1");
		if (!error)
			error = cs_pager_frame(pager, frame, frame * 16666667, 16666667);
	}
	if (!error)
		came_to(cs_pager_frame_at(pager, 8), sizeof(struct cs_page_frame));
	cs_pager_free(pager);
	return error;
}

static struct cs_error *stream_pages(struct cs_model *model)
{
	struct cs_inspector *inspector;
	struct cs_error *error = cs_inspector_new(&inspector);
	if (error) {
		cs_model_free(model);
		return error;
	}
	error = cs_inspector_add(inspector, model);
	if (!error)
		error = stream_inspected(inspector);
	cs_inspector_free(inspector);
	return error;
}

static struct cs_nanite *inspected_resource;
static struct cs_inspector *inspected;

static void inspect_mesh(void)
{
	const struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_model *model;
	works(cs_nanite_build(mesh, &settings, &job, NULL, &inspected_resource), "a resource");
	works(cs_model_of_resource(inspected_resource, "mesh", &job, &model),
		"as an inspector sees it");
	works(cs_inspector_new(&inspected), "an inspector");
	works(cs_inspector_add(inspected, model), "with it");
}

static struct cs_error *run_pages(void)
{
	return stream_inspected(inspected);
}

/* Builds a resource, decodes it, looks at it and streams it. */
static struct cs_error *run_build(void)
{
	const struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_nanite *resource;
	struct cs_nanite_contents *contents = NULL;
	struct cs_model *model = NULL;
	struct cs_error *error = cs_nanite_build(mesh, &settings, &job, NULL, &resource);
	if (error)
		return error;
	error = cs_nanite_decode(resource, &job, &contents);
	if (!error) {
		came_to_number(contents->n_clusters);
		error = cs_model_of_resource(resource, "mesh", &job, &model);
	}
	if (!error) {
		came_to(model->positions, 3 * sizeof(float) * model->clusters[0].n_vertices);
		error = stream_pages(model);
	}
	cs_nanite_contents_free(contents);
	cs_nanite_free(resource);
	return error;
}

/* What the engine cooked: as a world, and checked. */

static char engine_folder[4096];

static void ignore_finding(void *context, const struct cs_finding *finding)
{
	(void)context;
	(void)finding;
}

static struct cs_error *open_engine(const char *name)
{
	char path[4200];
	struct cs_ue_place *place;
	struct cs_ue_checked checked;
	unsigned char *opened = NULL;
	size_t n;
	snprintf(path, sizeof(path), "%s/%s", engine_folder, name);
	struct cs_error *error = cs_ue_place_open(path, NULL, &job, &place);
	if (error)
		return error;
	error = cs_ue_place_open_map(place, NULL, NULL, &job, &opened, &n);
	if (!error)
		came_to(opened, n);
	free(opened);
	if (!error)
		error = cs_ue_place_check_map(
			place, NULL, NULL, &job, ignore_finding, NULL, &checked);
	cs_ue_place_close(place);
	return error;
}

static struct cs_error *run_utoc(void)
{
	return open_engine("Town.utoc");
}

static struct cs_error *run_pak(void)
{
	struct cs_error *error = open_engine("Town.pak");
	ERR_clear_error(); /* libcrypto keeps the names of what failed in it */
	return error;
}

/* Makes the mesh of a cut, and its row in the list of all meshes. */
static struct cs_error *cut_as_mesh(const struct cs_model *model)
{
	struct cs_model_cut cut;
	struct cs_mesh *made;
	struct cs_error *error = cs_model_cut(model, &(struct cs_model_choice){.level = 0}, &cut);
	if (error)
		return error;
	error = cs_model_cut_mesh(model, &cut, &job, &made);
	free(cut.clusters);
	if (error)
		return error;
	came_to_number(cs_mesh_view(made).n_triangles);
	cs_mesh_free(made);
	return NULL;
}

static struct cs_error *open_ribbon(const char *name)
{
	char path[4200];
	struct cs_ue_place *place;
	struct cs_ue_meshes *list = NULL;
	struct cs_model *model = NULL;
	size_t file;
	snprintf(path, sizeof(path), "%s/%s", engine_folder, name);
	struct cs_error *error = cs_ue_place_open(path, NULL, &job, &place);
	if (error)
		return error;
	error = cs_ue_place_find(place, "SM_Ribbon.uasset", &file);
	if (!error)
		error = cs_ue_place_open_mesh(place, file, &job, &model);
	if (!error)
		error = cut_as_mesh(model); /* not last: it can do without shrinking its arrays */
	if (!error)
		error = cs_ue_place_meshes(place, &job, &list);
	if (!error) {
		came_to_number(list->n);
		came_to(model->clusters, model->n_clusters * sizeof(*model->clusters));
	}
	cs_model_free(model);
	cs_ue_meshes_free(list);
	cs_ue_place_close(place);
	return error;
}

/*
 * Builds a sheet of so many triangles that its lists share few blocks: the loss of each is tested.
 */
static struct cs_error *run_sheet(void)
{
	enum { TRIANGLES = 40000 };
	struct cs_scratch scratch = CS_SCRATCH_INIT;
	struct cs_sheet sheet;
	const bool there = cs_sheet_init(TRIANGLES, TRIANGLES, &scratch, &sheet);
	if (there)
		came_to_number(sheet.stamps && sheet.sides && sheet.is_made && sheet.positions &&
			       sheet.near && sheet.least);
	cs_scratch_deinit(&scratch);
	return there ? NULL : cs_error_nomem();
}

static struct cs_error *run_loose_mesh(void)
{
	return open_ribbon("SM_Ribbon.uasset");
}

static struct cs_error *run_packed_mesh(void)
{
	return open_ribbon("Ribbon.utoc");
}

/*
 * Makes a cook of one cell in containers of both kinds, a mesh with fixups by part, and one with
 * groups.
 */
static void make_engine_files(void)
{
	const char *out = getenv("CELLSCOPE_OUT");
	const struct engine_town town = {CS_UE_5_6, true, 1, false};
	const struct engine_form legacy = {.release = CS_UE_5_6};
	const struct engine_form zen = {.release = CS_UE_5_6, .zen = true, .tagged = true};
	json_t *cook = engine_cook_town(&town);
	snprintf(engine_folder, sizeof(engine_folder), "%s/engine_faults", out ? out : ".");
	mkdir(engine_folder, 0777);
	const struct engine_form newer = {.release = CS_UE_5_8, .zen = true};
	const struct engine_form older = {.release = CS_UE_5_3};
	ok(engine_cook_pack(cook, &zen, false, engine_folder) &&
			engine_cook_pack(cook, &legacy, true, engine_folder),
		"a cook of the engine");
	ok(engine_nanite_save(&older, engine_folder) &&
			engine_nanite_pack(&newer, false, engine_folder),
		"meshes of the engine");
	json_decref(cook);
}

/* ---- the scenarios ---- */

static const struct {
	const char *name;
	struct cs_error *(*run)(void);
} scenarios[] = {
	{"read a plan", run_plan},
	{"read one step of a plan", run_step_of_plan},
	{"read a journal", run_journal},
	{"what a mesh names", run_companions},
	{"open a .utoc", run_utoc},
	{"open a .pak", run_pak},
	{"open a Nanite mesh of 5.3", run_loose_mesh},
	{"open a Nanite mesh of 5.8 in a .utoc", run_packed_mesh},
	{"generate", run_generate},
	{"make an empty world", run_empty},
	{"read JSON", run_read},
	{"cook", run_cook},
	{"explain", run_explain},
	{"read columns", run_reads},
	{"read a log", run_log},
	{"read real runs", run_real},
	{"compare and fit a real run", run_compare_and_fit},
	{"sweep", run_sweep},
	{"stream", run_stream},
	{"a sheet", run_sheet},
	{"build, decode and stream a mesh", run_build},
	{"stream pages", run_pages},
};

/* ---- the loop ---- */

struct count {
	size_t runs, wrong, others;
	long long lost; /* bytes: what a thread frees after its run is taken back in the next */
};

/* Returns true when an allocation failed. `whole` is the outcome of the run without a failure. */
static bool run_once(
	struct cs_error *(*run)(void), size_t n, bool for_good, uint64_t whole, struct count *count)
{
	size_t before = mallinfo2().uordblks;
	faults.count = 0;
	faults.failing = n;
	faults.for_good = for_good;
	faults.armed = true;
	outcome = 0;
	struct cs_error *error = run();
	faults.armed = false;
	bool fired = faults.count >= n;
	count->runs++;
	count->others += !error && outcome != whole;
	count->wrong += fired ? error && error->code != CS_E_NOMEM : error != NULL;
	if (for_good && fired)
		count->wrong += !error;
	cs_error_free(error);
	count->lost += (long long)mallinfo2().uordblks - (long long)before;
	return fired;
}

/* Fails every allocation of a short run, and a sample of those of a long one. */
static void test_scenario(size_t index)
{
	enum { EVERY = 400, STEP = 23 };
	outcome = 0;
	cs_error_free(scenarios[index].run());
	const uint64_t whole = outcome;
	for (int for_good = 0; for_good <= 1; for_good++) {
		struct count count = {0};
		size_t n = 1;
		while (run_once(scenarios[index].run, n, for_good, whole, &count))
			n += n < EVERY / tap_every() ? 1 : STEP;
		ok(count.runs > 3, "%s: %zu faults%s", scenarios[index].name, count.runs,
			for_good ? ", for good" : "");
		is_int(count.wrong, 0, "%s: all end in E_NOMEM", scenarios[index].name);
		is_int(count.others, 0, "%s: or come to what they do with it",
			scenarios[index].name);
		is_int(count.lost, 0, "%s: all give back what they took", scenarios[index].name);
	}
}

/*
 * A frame needs one more snapshot than the list has room for, and growing the list is its last
 * allocation. When that fails, the bytes of this snapshot are taken back, too.
 */
static void test_snapshots(void)
{
	size_t last = 0;
	for (int fails = 0; fails <= 1; fails++) {
		struct cs_cooked *c;
		struct cs_stream *stream;
		works(cs_cooked_open_bytes(bytes, size, "world", &job, &c), "snapshots: a world");
		works(cs_stream_new(c, NULL, &job, &stream), "snapshots: a run");
		struct cs_run_timeline *t = &stream->timeline;
		t->interval = 1;
		works(cs_stream_step(stream, t->snapshots.room - t->snapshots.n),
			"snapshots: one of each frame");
		faults.count = 0;
		faults.failing = last;
		faults.for_good = false;
		faults.armed = true;
		struct cs_error *error = cs_stream_step(stream, 1);
		faults.armed = false;
		last = faults.count;
		is_int(error ? error->code : 0, fails ? CS_E_NOMEM : 0, "snapshots: %s",
			fails ? "no room for one" : "room for one more");
		cs_error_free(error);
		const struct cs_run_snapshot *end = &t->snapshots.at[t->snapshots.n - 1];
		is_int(t->bytes.size, end->offset + end->size, "snapshots: their bytes alone");
		cs_stream_free(stream);
		cs_cooked_close(c);
	}
}

/* Adds two pairs of actors, far apart, which one reference joins to a cluster. */
static void add_bridge(void)
{
	static const char *const lines[] = {
		"{\"guid\":\"b0000000000000000000000000000001\",\"name\":\"Near0\","
		"\"bounds_min\":[0,0,0],\"bounds_max\":[9,9,9],"
		"\"references\":[\"b0000000000000000000000000000002\"]}",
		"{\"guid\":\"b0000000000000000000000000000002\",\"name\":\"Near1\","
		"\"bounds_min\":[20,0,0],\"bounds_max\":[29,9,9],"
		"\"references\":[\"b0000000000000000000000000000003\"]}",
		"{\"guid\":\"b0000000000000000000000000000003\",\"name\":\"Far0\","
		"\"bounds_min\":[900000,0,0],\"bounds_max\":[900009,9,9],"
		"\"references\":[\"b0000000000000000000000000000004\"]}",
		("{\"guid\":\"b0000000000000000000000000000004\",\"name\":\"Far1\","
		 "\"bounds_min\":[900020,0,0],\"bounds_max\":[900029,9,9]}")};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		bool added;
		works(cs_world_apply(world, lines[i], NULL, &added), "a bridge");
	}
}

static void write_log(void)
{
	struct cs_cooked *c;
	make_real_files();
	make_walk();
	logged = seed_file_new("world.log");
	works(cs_cooked_open_bytes(bytes, size, "world", &job, &c), "opened");
	works(cs_cooked_write_log(c, logged.path), "its log");
	cs_cooked_close(c);
}

/* Allocations of libcrypto, which fail in their turn as those of the library do. */
static void *crypto_malloc(size_t n, const char *file, int line)
{
	(void)file;
	(void)line;
	return malloc(n);
}

static void *crypto_realloc(void *old, size_t n, const char *file, int line)
{
	(void)file;
	(void)line;
	return realloc(old, n);
}

static void crypto_free(void *old, const char *file, int line)
{
	(void)file;
	(void)line;
	free(old);
}

int main(int argc, char **argv)
{
	ok(CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free),
		"libcrypto allocates as the library does: nothing of it was allocated before");
	ERR_clear_error(); /* the first call allocates the list of errors */
	make_engine_files();
	works(make_plan(), "a plan, its journal and a cache");
	(void)argc;
	without_caches(argv);
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, 60, 1};
	const struct cs_world_recipe large = {CS_WORLD_HARD, 6000, 1};
	struct cs_cook *cook;
	works(make_test_world(&large, &job, &world), "a large world");
	works(cs_cook(world, NULL, &job, &cook), "cooked");
	works(cs_cook_bytes(cook, &large_bytes, &large_size), "its bytes");
	cs_cook_free(cook);
	cs_world_free(world);
	text = seed_file_new("world.json");
	works(make_test_world(&recipe, &job, &world), "a world");
	add_bridge();
	works(cs_world_write_json(world, &job, text.path), "its JSON");
	works(cs_cook(world, NULL, &job, &cook), "cooked");
	works(cs_cook_bytes(cook, &bytes, &size), "its bytes");
	cs_cook_free(cook);
	write_log();
	works(cs_mesh_generate(&(struct cs_mesh_recipe){CS_MESH_NOISE, 160, 1}, &job, &mesh),
		"a mesh");
	inspect_mesh();
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		test_scenario(i);
	}
	test_snapshots();
	seed_file_drop(&logged);
	memory_file_free(&real_files[0]);
	memory_file_free(&real_files[1]);
	memory_file_free(&walked);
	seed_file_drop(&text);
	free(bytes);
	free(large_bytes);
	cs_world_free(world);
	cs_inspector_free(inspected);
	cs_nanite_free(inspected_resource);
	cs_mesh_free(mesh);
	return done();
}
