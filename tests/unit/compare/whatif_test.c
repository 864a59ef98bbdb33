/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of a world and what comes of them: each kind of change does what it says, a refused one
 * does nothing, and taking them back gives the cook of before, byte for byte. Sweeps against cooks
 * of their own, changes of always loaded actors against asking each of them.
 */
#include <cellscope/compare.h>

#include "cook/record/trail_inside.h"
#include "core/guid.h"
#include "core/random.h"
#include "stream/stream_inside.h"
#include "tests/make/make.h"
#include "tests/samples/tap.h"
#include "tests/unit/cook/cooking.h"
#include "whatif/whatif_internal.h"
#include "world/world_internal.h"

#include <math.h>

static struct cs_job job = {.threads = 1};

static unsigned char *bytes_of(const struct cs_world *world, size_t *size)
{
	struct cs_cook *cook;
	unsigned char *bytes;
	if (cs_cook(world, NULL, &job, &cook) || cs_cook_bytes(cook, &bytes, size))
		exit(99);
	cs_cook_free(cook);
	return bytes;
}

/* ---- each kind of change ---- */

#define G(digits) "\"000000000000000000000000000000" digits "\""

static const char town[] =
	"{\"cellscope_world\":1,\"package\":\"/Game/Maps/Town\","
	"\"layers\":[{\"name\":\"Night\",\"label\":\"Dark\",\"asset\":\"/Game/L/Night.Night\"},"
	"{\"name\":\"Day\",\"label\":\"Day\",\"asset\":\"/Game/L/Day.Day\"}],"
	"\"hlod_layers\":[{\"path\":\"/Game/H/Far.Far\"}],"
	"\"partitions\":[{\"name\":\"MainGrid\",\"cell_size\":12800,\"hlod_setups\":"
	"[{\"name\":\"H\",\"hlod_layers\":[\"/Game/H/Far.Far\"]}]}]}\n"
	"{\"guid\":" G(
		"01") ",\"name\":\"Shop\",\"bounds_min\":[0,0,0],\"bounds_max\":[9,9,9],"
		      "\"references\":[" G("02") "," G(
			      "03") "],\"data_layers\":[\"Night\",\"Day\"]}\n"
				    "{\"guid\":" G(
					    "02") ",\"name\":\"Bench\",\"bounds_min\":[0,0,0],\"bounds_max\":[9,9,9],"
						  "\"native_class\":\"/Script/Engine.Seat\",\"data_layers\":[\"Day\",\"Night\"]}\n"
						  "{\"guid\":" G(
							  "03") ",\"name\":\"Twin\",\"bounds_min\":[0,0,0],\"bounds_max\":[9,9,9],"
								"\"data_layers\":[\"Night\"]}\n"
								"{\"guid\":" G(
									"04") ",\"name\":\"Twin\",\"bounds_min\":[0,0,0],\"bounds_max\":[9,9,9],"
									      "\"editor_bounds_min\":[0,0,0],\"editor_bounds_max\":[5,5,5],"
									      "\"native_class\":\"/Script/Engine.Seat\"}\n";

enum { SHOP, BENCH, TWIN, OTHER_TWIN }; /* in the order of their GUIDs */

static const struct {
	const char *change;
	const char *code; /* NULL: it works */
} changes[] = {
	{"MainGrid.cell_size=6400", NULL},
	{"maingrid:H.loading_range=99", NULL},
	{"MainGrid.priority=2147483647", NULL},
	{"MainGrid.priority=-2147483648", NULL},
	{"MainGrid.priority=2147483648", "E_SETTING"},
	{"streaming=off", NULL},
	{"layer.Dark.type=editor", NULL},
	{"hlod_layer.Far.loading_range=5", NULL},
	{"actor.Shop.is_spatially_loaded=off", NULL},
	{"actor.00000000000000000000000000000004.grid=Other", NULL},
	{"actor.Shop.references-=Bench", NULL},
	{"actor.Bench.references+=Shop", NULL},
	{"actor.Bench.parent=Shop", NULL},
	{"actor.Shop.bounds=1,2,3..4,5,6.5", NULL},
	{"actor.Shop.data_layers-=Dark", NULL},
	{"class.Seat.spatially_loaded=off", NULL},
	{"layers.Night,Day=Day", NULL},
	{"layers.Night,Day-=Day", NULL},
	{"layers.Night+=Day", NULL},
	{"layers.Day-=Day", "E_NOLAYER"},
	{"layers.Night,Day-=Nowhere", "E_NOLAYER"},
	{"world_references+=Shop", NULL},
	{"MainGrid.cell_size=0", "E_SETTING"},
	{"MainGrid.cell_size", "E_SETTING"},
	{"MainGrid.nothing=1", "E_SETTING"},
	{"Nowhere.cell_size=1", "E_NOGRID"},
	{"MainGrid:Nowhere.cell_size=1", "E_NOGRID"},
	{"actor.Nobody.grid=A", "E_NOACTOR"},
	{"actor.Twin.grid=A", "E_AMBIGUOUS"},
	{"actor.Shop.guid=00000000000000000000000000000009", "E_SETTING"},
	{"actor.Shop.grid+=A", "E_SETTING"},
	{"actor.Shop.bounds=1,2,3", "E_SETTING"},
	{"actor.Shop.behavior=none", "E_SETTING"},
	{"actor.Shop.data_layers=Nowhere", "E_NOLAYER"},
	{"class.Nothing.grid=A", "E_NOACTOR"},
	{"layers.Day=Night", "E_NOLAYER"},
	{"layer.Dark.name=Light", "E_SETTING"},
};

static void test_kinds(void)
{
	struct cs_world *world = read_lines(town);
	size_t size;
	unsigned char *before = bytes_of(world, &size);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct cs_world_changes *made;
		size_t then_size;
		works(cs_world_change_begin(world, &made), "begun");
		struct cs_error *error = cs_world_change(made, changes[i].change);
		const char *code = error ? cs_word(CS_WORDS_CODE, error->code)->name : NULL;
		ok(code ? changes[i].code && strcmp(code, changes[i].code) == 0 : !changes[i].code,
			"%s: %s", changes[i].change, code ? code : "works");
		cs_error_free(error);
		unsigned char *then = bytes_of(world, &then_size);
		bool same = size == then_size && memcmp(before, then, size) == 0;
		ok(same == (code != NULL), "%s: the cook %s", changes[i].change,
			code ? "stays" : "changes");
		free(then);
		cs_world_change_undo(made);
		then = bytes_of(world, &then_size);
		ok(size == then_size && memcmp(before, then, size) == 0, "%s: taken back",
			changes[i].change);
		free(then);
	}
	free(before);
	cs_world_free(world);
}

static void test_values(void)
{
	struct cs_world *world = read_lines(town);
	struct cs_world_changes *made;
	const struct cs_actor_row *at = world->actors.at;
	works(cs_world_change_begin(world, &made), "begun");
	works(cs_world_change(made, "actor.Shop.references-=Bench"), "cut");
	ok(at[SHOP].references.count == 1, "one reference is left");
	works(cs_world_change(
		      made, "actor.Shop.references+=Bench,00000000000000000000000000000004"),
		"added");
	ok(at[SHOP].references.count == 3, "two came");
	works(cs_world_change(made, "actor.Shop.references+=Bench"), "added once more");
	ok(at[SHOP].references.count == 3, "a list holds nothing twice");
	works(cs_world_change(made, "layers.Day,Night=Dark"), "combination");
	ok(at[SHOP].layers.count == 1 && at[BENCH].layers.count == 1 && at[TWIN].layers.count == 1,
		"whoever had both has one");
	works(cs_world_change(made, "actor.00000000000000000000000000000004.bounds=editor"),
		"editor");
	ok(at[OTHER_TWIN].bounds.max.x == 5, "bounds of the editor");
	works(cs_world_change(made, "actor.Shop.bounds=none"), "none");
	ok(!cs_box_valid(&at[SHOP].bounds), "no bounds");
	cs_world_change_undo(made);
	ok(at[SHOP].references.count == 2 && at[SHOP].layers.count == 2 &&
			at[SHOP].bounds.max.x == 9,
		"all is taken back");
	cs_world_free(world);
}

static const struct form {
	const char *before, *behind; /* the GUID of an actor */
} forms[] = {
	{"actor.", ".spatially_loaded=off"},
	{"actor.", ".bounds=none"},
	{"actor.", ".grid=Odd"},
	{"actor.", ".references="},
	{"actor.", ".data_layers=Nowhere"},
	{"world_references+=", ""},
	{"actor.", ".editor_only=on"},
};

/* After random changes, some of which are refused, and undoing them the cook has the same bytes. */
static void test_random(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, 120, 3};
	struct cs_random random = {1};
	struct cs_world *world;
	size_t size, then_size;
	if (make_test_world(&recipe, &job, &world))
		exit(99);
	unsigned char *before = bytes_of(world, &size);
	for (int round = 0; round < 20; round++) {
		struct cs_world_changes *made;
		works(cs_world_change_begin(world, &made), "begun");
		for (int i = 0; i < 10; i++) {
			char text[200], guid[CS_GUID_TEXT];
			const struct cs_actor_row *actor =
				&world->actors
					 .at[cs_random_below(&random, (uint32_t)world->actors.n)];
			cs_guid_format(actor->guid, guid);
			const struct form *form =
				&forms[cs_random_below(&random, sizeof(forms) / sizeof(forms[0]))];
			snprintf(text, sizeof(text), "%s%s%s", form->before, guid, form->behind);
			cs_error_free(cs_world_change(made, text));
		}
		cs_world_change_undo(made);
	}
	unsigned char *then = bytes_of(world, &then_size);
	ok(size == then_size && memcmp(before, then, size) == 0, "200 changes are taken back");
	free(then);
	free(before);
	cs_world_free(world);
}

/* ---- sweeps ---- */

struct opened {
	struct cs_world *source;
	unsigned char *bytes;
	struct cs_cooked *now;
	struct cs_whatif *whatif;
};

/* Cooks ret->source and opens the cook. */
static void open_source(struct opened *ret)
{
	size_t size;
	ret->bytes = bytes_of(ret->source, &size);
	works(cs_cooked_open_bytes(ret->bytes, size, "now", &job, &ret->now), "opened");
	works(cs_whatif_new(ret->source, ret->now, NULL, &job, &ret->whatif), "what-ifs");
}

static void open_recipe(const struct cs_world_recipe *recipe, struct opened *ret)
{
	if (make_test_world(recipe, &job, &ret->source))
		exit(99);
	open_source(ret);
}

static void close_opened(struct opened *opened)
{
	cs_whatif_free(opened->whatif);
	cs_cooked_close(opened->now);
	free(opened->bytes);
	cs_world_free(opened->source);
}

/* Returns the counts of a world that is cooked with just this cell size and loading range. */
static struct cs_whatif_counts counted_alone(
	struct cs_whatif *whatif, double cell_size, double loading_range)
{
	char size[64], range[64];
	const char *const both[] = {size, range};
	struct cs_whatif_counts counts = {0};
	struct cs_whatif_world world;
	snprintf(size, sizeof(size), "MainGrid.cell_size=%.17g", cell_size);
	snprintf(range, sizeof(range), "MainGrid.loading_range=%.17g", loading_range);
	works(cs_whatif_cook(whatif, both, 2, &world), "alone: cooked");
	works(cs_whatif_count(whatif, world.cooked, NULL, &counts), "alone: counted");
	cs_cooked_close(world.cooked);
	free(world.bytes);
	return counts;
}

static struct cs_sweep_options swept_twice(const char *budget)
{
	return (struct cs_sweep_options){.size = sizeof(struct cs_sweep_options),
		.ranges = {{"MainGrid.cell_size", 6400, 25600},
			{"MainGrid.loading_range", 12800, 51200}},
		.n_ranges = 2,
		.steps = 3,
		.budget = budget};
}

static void test_sweep(struct cs_whatif *whatif)
{
	const struct cs_sweep_options options = swept_twice(NULL);
	struct cs_sweep sweep;
	size_t least = 0;
	bool same = true;
	works(cs_sweep(whatif, &options, &sweep), "a sweep of two settings");
	ok(sweep.n == 9 && sweep.down == 3 && sweep.across == 3, "tries each with each");
	is_text(sweep.key, "cost", "by the cost where nothing else is said");
	for (size_t i = 0; i < sweep.n; i++) {
		const struct cs_sweep_row *row = &sweep.rows[i];
		const double size = 6400 + 9600 * (double)(i / 3);
		const double range = 12800 + 19200 * (double)(i % 3);
		const struct cs_whatif_counts alone = counted_alone(whatif, size, range);
		same = same && row->values[0] == size && row->values[1] == range &&
		       memcmp(&row->counts, &alone, sizeof(alone)) == 0 &&
		       row->number == alone.cost && row->within && sweep.most >= row->number &&
		       row->best == (i == sweep.best);
		least = row->number < sweep.rows[least].number ? i : least;
	}
	ok(same, "each row is what a what-if of its own counts");
	is_int(sweep.best, least, "the best has the least");
	free(sweep.rows);
}

static void test_budget(struct cs_whatif *whatif)
{
	char budget[100];
	struct cs_sweep_options options = swept_twice(budget);
	struct cs_sweep all, sweep;
	size_t least = SIZE_MAX;
	bool right = true;
	options.best = "cells";
	strcpy(budget, "");
	works(cs_sweep(whatif, &options, &all), "a sweep by cells");
	snprintf(budget, sizeof(budget), "cost=%.17g,value=16000", all.rows[4].counts.cost);
	works(cs_sweep(whatif, &options, &sweep), "within a budget");
	for (size_t i = 0; i < sweep.n; i++) {
		const struct cs_sweep_row *row = &sweep.rows[i];
		bool within =
			row->counts.cost <= all.rows[4].counts.cost && row->values[0] <= 16000;
		right = right && row->within == within && row->number == (double)row->counts.cells;
		if (within &&
			(least == SIZE_MAX || row->counts.cells < all.rows[least].counts.cells))
			least = i;
	}
	ok(right && sweep.rows[4].within, "is what keeps to all of its bounds, equal ones too");
	ok(sweep.best == least && least != SIZE_MAX, "the first of the least of those is the best");
	free(sweep.rows);
	strcpy(budget, "cells=-1");
	works(cs_sweep(whatif, &options, &sweep), "within no budget");
	is_int(sweep.best, SIZE_MAX, "nothing is the best");
	free(sweep.rows);
	free(all.rows);
	options.best = "peak_bytes";
	options.budget = NULL;
	works(cs_sweep(whatif, &options, &sweep), "by what is not counted");
	ok(sweep.best == SIZE_MAX && sweep.most == 0, "nothing is the best either");
	free(sweep.rows);
}

static void test_refused(struct cs_whatif *whatif)
{
	static const char *const budgets[] = {
		"cells", "cells=", "nothing=1", "cells=1x", "=1", "cells=1,,", "cells=1,x"};
	struct cs_sweep_options options = swept_twice(NULL);
	struct cs_sweep sweep;
	for (size_t i = 0; i < sizeof(budgets) / sizeof(budgets[0]); i++) {
		options.budget = budgets[i];
		fails(cs_sweep(whatif, &options, &sweep), CS_E_USAGE, "budget %s", budgets[i]);
	}
	options = swept_twice("peak_cells=4");
	fails(cs_sweep(whatif, &options, &sweep), CS_E_USAGE, "a bound that needs a path");
	options = swept_twice("second=4");
	options.n_ranges = 1;
	fails(cs_sweep(whatif, &options, &sweep), CS_E_USAGE, "a bound of no second setting");
	options = swept_twice(NULL);
	options.best = "nothing";
	fails(cs_sweep(whatif, &options, &sweep), CS_E_USAGE, "the least of nothing");
	options = swept_twice(NULL);
	options.steps = 1;
	fails(cs_sweep(whatif, &options, &sweep), CS_E_USAGE, "one step");
	options.steps = CS_SWEEP_STEPS + 1;
	fails(cs_sweep(whatif, &options, &sweep), CS_E_USAGE, "too many steps");
	options = swept_twice(NULL);
	options.n_ranges = 0;
	fails(cs_sweep(whatif, &options, &sweep), CS_E_USAGE, "no setting");
	options.n_ranges = 3;
	fails(cs_sweep(whatif, &options, &sweep), CS_E_USAGE, "three settings");
	options = swept_twice(NULL);
	options.ranges[0].name = "Nowhere.cell_size";
	fails(cs_sweep(whatif, &options, &sweep), CS_E_NOGRID, "a grid that does not exist");
}

/* ---- two cooks ---- */

static double before_of(const struct cs_whatif_pair *rows, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(rows[i].name, name) == 0)
			return rows[i].before;
	return -1;
}

static void test_pairs(void)
{
	struct cs_whatif_counts before = {.cells = 5, .cost = 2.5, .peak_cells = -1};
	struct cs_whatif_counts after = before;
	struct cs_whatif_pair rows[CS_WHATIF_PAIRS];
	before.levels[3] = 4;
	after.always[CS_ALWAYS_REFERENCE] = 7;
	size_t n = cs_whatif_pairs(&before, &after, rows);
	is_int(n, 12, "ten numbers, a level and a reason that are not 0");
	ok(before_of(rows, n, "cells") == 5 && before_of(rows, n, "cost") == 2.5 &&
			before_of(rows, n, "level 3") == 4,
		"each by its name");
	ok(cs_whatif_number(&before, cs_whatif_find_number("cost")) == 2.5 &&
			isnan(cs_whatif_number(&before, cs_whatif_find_number("loads"))),
		"what is not counted is no number");
	is_text(rows[11].name, "always: reference", "reasons are last");
	ok(rows[11].before == 0 && rows[11].after == 7, "and have both sides");
	before.peak_cells = after.peak_cells = 0;
	before.stalls = 9;
	before.stall_ms = .5;
	before.slow_frames = 3;
	before.critical_frames = 2;
	n = cs_whatif_pairs(&before, &after, rows);
	ok(n == 21 && before_of(rows, n, "stalls") == 9, "along a path there are more");
	ok(before_of(rows, n, "stall_ms") == .5, "waits are not cut to whole milliseconds");
	ok(before_of(rows, n, "slow_frames") == 3 && before_of(rows, n, "critical_frames") == 2,
		"slow frames are those of path report");
	for (size_t i = 0; i < CS_WHATIF_NUMBERS; i++)
		ok(cs_whatif_find_number(cs_whatif_number_name(i)) == i, "%s is found",
			cs_whatif_number_name(i));
	ok(!cs_whatif_number_name(CS_WHATIF_NUMBERS) && cs_whatif_find_number("x") == SIZE_MAX,
		"nothing else is");
}

static bool always_loads(const struct cs_cooked *c, struct cs_guid guid)
{
	for (size_t i = 0; i < c->n_actors; i++)
		if (cs_guid_compare(cs_cooked_actor(c, i)->guid, guid) == 0)
			return cs_cooked_actor(c, i)->cell != CS_NONE &&
			       cs_cooked_cell(c, cs_cooked_actor(c, i)->cell)->flags &
				       CS_CELL_ALWAYS_LOADED;
	return false;
}

/* Asks about every actor of two cooks; the list of changes names exactly the actors that differ. */
static void test_always(const struct opened *opened, const char *change)
{
	struct cs_cooked *before = opened->now;
	struct cs_whatif_world world;
	struct cs_always_change *found;
	size_t n, differing = 0, told = 0;
	works(cs_whatif_cook(opened->whatif, &change, 1, &world), "always: cooked");
	works(cs_whatif_always_changes(before, world.cooked, &found, &n), "always: compared");
	for (size_t i = 0; i < before->n_actors; i++)
		differing += always_loads(before, cs_cooked_actor(before, i)->guid) !=
			     always_loads(world.cooked, cs_cooked_actor(before, i)->guid);
	for (size_t i = 0; i < n; i++) {
		const struct cs_cooked *there = found[i].becomes ? world.cooked : before;
		const struct cs_cooked *other = found[i].becomes ? before : world.cooked;
		const struct cs_guid guid = cs_cooked_actor(there, found[i].actor)->guid;
		told += always_loads(there, guid) && !always_loads(other, guid) &&
			found[i].reason == cs_actor_always(there, found[i].actor);
	}
	ok(n > 0 && n == differing && told == n, "%s: %zu actors, each on its side", change, n);
	free(found);
	cs_cooked_close(world.cooked);
	free(world.bytes);
}

/*
 * The number of frames in which two runs differ equals that of a count over the frames of both
 * runs.
 */
static void test_runs(struct cs_cooked *now)
{
	const char *const slow = "sim.Latency=300";
	const struct cs_run_side left = {.cooked = now};
	const struct cs_run_side sides[] = {{.cooked = now}, {now, &slow, 1}};
	const struct cs_path_key keys[] = {
		{.position = {0, 0, 200}}, {.time = 2, .position = {30000, 0, 200}}};
	struct cs_path *path;
	works(cs_path_new(&path), "a path");
	for (size_t i = 0; i < 2; i++)
		works(cs_path_add(path, &keys[i]), "a key");
	for (size_t side = 0; side < 2; side++) {
		struct cs_run_difference found;
		size_t unlike = 0;
		works(cs_run_compare(&left, &sides[side], path, 0, &job, &found), "two runs");
		for (size_t i = 0; i < found.n; i++) {
			struct cs_run_pair pair = found.pairs[i];
			pair.left.recorded = pair.right.recorded = NULL;
			bool alike = pair.cells == 0 && pair.left.bytes == pair.right.bytes &&
				     pair.left.actors == pair.right.actors &&
				     pair.left.cells_loaded == pair.right.cells_loaded &&
				     pair.left.waiting == pair.right.waiting &&
				     pair.left.work_ns == pair.right.work_ns &&
				     pair.left.stall_ns == pair.right.stall_ns;
			ok(pair.alike == alike, "frame %zu is %s", i, alike ? "alike" : "not");
			unlike += !alike;
		}
		ok(found.unlike == unlike && (unlike > 0) == (side == 1) &&
				found.differing <= unlike,
			"%zu of %zu frames are not alike", unlike, found.n);
		free(found.pairs);
		free(found.partings);
	}
	cs_path_free(path);
}

/* A run along a path reaches its last key, also when the first key is not at second 0. */
static void test_late_path(struct cs_cooked *now)
{
	const struct cs_run_side side = {.cooked = now};
	const double seconds[][2] = {{0, 2}, {50, 52}, {-2, 0}, {0, 1e300}};
	const size_t frames[] = {121, 3121, 1, 0};
	for (size_t i = 0; i < 4; i++) {
		const struct cs_path_key keys[] = {{.time = seconds[i][0]},
			{.time = seconds[i][1], .position = {30000, 0, 200}}};
		struct cs_run_difference found = {0};
		struct cs_path *path;
		works(cs_path_new(&path), "a path");
		for (size_t k = 0; k < 2; k++)
			works(cs_path_add(path, &keys[k]), "a key");
		struct cs_error *error = cs_run_compare(&side, &side, path, 0, &job, &found);
		ok(found.n == frames[i] && (error ? error->code == CS_E_LIMIT : frames[i] > 0),
			"a path of second %g to %g takes %zu frames", seconds[i][0], seconds[i][1],
			frames[i]);
		cs_error_free(error);
		free(found.pairs);
		free(found.partings);
		cs_path_free(path);
	}
}

static void test_sweeps(void)
{
	struct opened opened;
	open_recipe(&(struct cs_world_recipe){CS_WORLD_CITY, 400, 2}, &opened);
	test_sweep(opened.whatif);
	test_budget(opened.whatif);
	test_refused(opened.whatif);
	test_always(&opened, "streaming=off");
	test_pairs();
	test_runs(opened.now);
	test_late_path(opened.now);
	close_opened(&opened);
}

/* A world that does not stream is in memory wherever one is, and is sampled at all its actors. */
static void test_without_streaming(void)
{
	const char *const on = "streaming=on";
	struct opened opened;
	struct cs_world_changes *made;
	struct cs_whatif_counts before = {0}, after = {0};
	size_t placed = 0;
	if (make_test_world(&(struct cs_world_recipe){CS_WORLD_CITY, 400, 2}, &job, &opened.source))
		exit(99);
	works(cs_world_change_begin(opened.source, &made), "a change");
	works(cs_world_change(made, "streaming=off"), "no streaming");
	open_source(&opened);
	works(cs_whatif_count(opened.whatif, opened.now, NULL, &before), "counted");
	for (size_t i = 0; i < opened.now->n_actors; i++)
		placed += cs_cooked_actor(opened.now, i)->cell != CS_NONE;
	ok(placed > 0 && before.near_actors == (double)placed && before.cost > 0,
		"without streaming all %zu actors are in memory, not %g", placed,
		before.near_actors);
	works(cs_whatif_try(opened.whatif, &on, 1, NULL, &after), "streamed");
	ok(after.near_actors > 0 && after.near_actors < before.near_actors,
		"with streaming fewer are, %g", after.near_actors);
	cs_world_change_undo(made);
	close_opened(&opened);
}

int main(void)
{
	test_kinds();
	test_values();
	test_random();
	test_sweeps();
	test_without_streaming();
	return done();
}
