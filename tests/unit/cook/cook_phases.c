/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each phase of the cook looks at the slices that its row names, and changes those that it names as
 * written (cook/phases/phases.h). A cook runs phase by phase here. What a phase does not name is
 * taken away, poison lies in its place; what it names as read is summed with all that it points to,
 * before and after. In the end the bytes must be those of a plain cook.
 */
#include "tests/make/make.h"
#include "tests/unit/cook/cooking.h"

#include "cook/phases/phases.h"
#include "cook/record/tables.h"
#include "tests/samples/tap.h"
#include <cellscope/cooked_values.h>

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <xxhash.h>

#define POISON 0xa5

static const struct slice {
	const char *name;
	size_t offset, size;
} slices[] = {
#define SLICE(field) \
	{#field, offsetof(struct cs_cook, field), sizeof(((struct cs_cook *)NULL)->field)},
	CS_COOK_SLICES(SLICE)
#undef SLICE
};

static sigjmp_buf before_phase;

static void on_fault(int number)
{
	siglongjmp(before_phase, number);
}

static void must(struct cs_error *error)
{
	if (!error)
		return;
	printf("Bail out! %s\n", error->message);
	exit(99);
}

/* ---- sums of what the slices point to ---- */

struct sums {
	uint64_t of[CS_SLICES];
};

static void add(uint64_t *sum, const void *rows, size_t n, size_t size)
{
	if (rows)
		*sum = XXH3_64bits_withSeed(rows, n * size, *sum + 1);
}

#define ADD(sum, rows, n)  add(sum, rows, n, sizeof(*(rows)))
#define ADD_VEC(sum, list) ADD(sum, (list).at, (list).n)

static void sum_inputs(const struct cs_cook *cook, struct sums *sums)
{
	uint64_t *lists = &sums->of[cs_number_of_lists], *grids = &sums->of[cs_number_of_grids];
	uint64_t *layers = &sums->of[cs_number_of_layers], *actors = &sums->of[cs_number_of_actors];
	ADD_VEC(lists, cook->lists.values);
	ADD_VEC(lists, cook->lists.lists);
	ADD_VEC(grids, cook->grids.partitions);
	ADD_VEC(grids, cook->grids.names);
	ADD(layers, cook->layers.of_source, cook->world->layers.n);
	ADD(layers, cook->layers.sources, cook->layers.n);
	ADD(layers, cook->layers.parents, cook->layers.n);
	ADD(layers, cook->layers.dropped, cook->layers.n);
	ADD_VEC(actors, cook->actors.collections);
	ADD_VEC(actors, cook->actors.views);
	ADD_VEC(actors, cook->actors.rows);
	ADD_VEC(actors, cook->actors.containers);
}

static void sum_links(const struct cs_cook *cook, struct sums *sums)
{
	uint64_t *links = &sums->of[cs_number_of_links];
	uint64_t *clusters = &sums->of[cs_number_of_clusters];
	size_t views = cook->actors.views.n, n = cook->clusters.n;
	ADD_VEC(links, cook->links.edges);
	ADD(links, cook->links.out, views + 1);
	ADD(links, cook->links.in, views + 1);
	ADD(links, cook->links.list_in, cook->links.edges.n);
	ADD(clusters, cook->clusters.of, views);
	if (cook->clusters.starts) {
		ADD(clusters, cook->clusters.starts, n + 1);
		ADD(clusters, cook->clusters.views, cook->clusters.starts[n]);
	}
}

static void sum_outcome(const struct cs_cook *cook, struct sums *sums)
{
	uint64_t *grouped = &sums->of[cs_number_of_grouped];
	ADD_VEC(&sums->of[cs_number_of_found], cook->found.findings);
	ADD_VEC(&sums->of[cs_number_of_found], cook->found.drops);
	ADD_VEC(&sums->of[cs_number_of_placed], cook->placed.instances);
	ADD(grouped, cook->grouped.filtered, cook->placed.n_rows);
	ADD(grouped, cook->grouped.no_hlod_layer, cook->placed.n_rows);
	ADD(grouped, cook->grouped.set_of_row, cook->placed.n_rows);
	ADD_VEC(grouped, cook->grouped.sets);
	ADD_VEC(grouped, cook->grouped.members);
	ADD_VEC(&sums->of[cs_number_of_celled], cook->celled.cells);
	ADD_VEC(&sums->of[cs_number_of_result], cook->result.standalones);
	if (cook->result.tables)
		ADD(&sums->of[cs_number_of_result], cook->result.tables, 1);
}

static struct sums sums_of(const struct cs_cook *cook)
{
	struct sums sums = {0};
	for (size_t i = 0; i < CS_SLICES; i++)
		add(&sums.of[i], (const char *)cook + slices[i].offset, 1, slices[i].size);
	sum_inputs(cook, &sums);
	sum_links(cook, &sums);
	sum_outcome(cook, &sums);
	return sums;
}

/* ---- one phase ---- */

/* written[phase][slice] is true when the phase has changed the slice in any world. */
static bool written[CS_COOK_PHASES][CS_SLICES];

static bool is_poisoned(const struct cs_cook *cook, const struct slice *slice)
{
	const unsigned char *at = (const unsigned char *)cook + slice->offset;
	for (size_t i = 0; i < slice->size; i++)
		if (at[i] != POISON)
			return false;
	return true;
}

/*
 * Runs a phase while the slices that it does not name are poisoned. Returns what it did wrong, or
 * NULL.
 */
static const char *run_hidden(struct cs_cook *cook, const struct cs_cook_phase *phase)
{
	static char wrong[200];
	static struct cs_cook kept; /* not lost by a jump */
	uint32_t named = phase->reads | phase->writes;
	kept = *cook;
	for (size_t i = 0; i < CS_SLICES; i++)
		if (!(named >> i & 1))
			memset((char *)cook + slices[i].offset, POISON, slices[i].size);
	if (sigsetjmp(before_phase, 1) != 0)
		return "follows a pointer that it was not given";
	struct cs_error *error = phase->run(cook);
	if (error) {
		snprintf(wrong, sizeof(wrong), "fails: %s", error->message);
		cs_error_free(error);
		return wrong;
	}
	const char *result = NULL;
	for (size_t i = 0; i < CS_SLICES; i++) {
		if (named >> i & 1)
			continue;
		if (!is_poisoned(cook, &slices[i])) {
			snprintf(wrong, sizeof(wrong), "writes %s", slices[i].name);
			result = wrong;
		}
		memcpy((char *)cook + slices[i].offset, (char *)&kept + slices[i].offset,
			slices[i].size);
	}
	return result;
}

static bool run_phase(struct cs_cook *cook, size_t number)
{
	static char wrong[200];
	const struct cs_cook_phase *phase = &cs_cook_phases[number];
	const struct sums before = sums_of(cook);
	const char *result = run_hidden(cook, phase);
	if (!result) {
		const struct sums after = sums_of(cook);
		for (size_t i = 0; i < CS_SLICES; i++) {
			if (before.of[i] == after.of[i])
				continue;
			written[number][i] = true;
			if (phase->writes >> i & 1)
				continue;
			snprintf(wrong, sizeof(wrong), "changes %s", slices[i].name);
			result = wrong;
		}
	}
	if (result)
		ok(false, "phase %s %s", phase->name, result);
	return !result;
}

/* ---- whole cooks ---- */

static void check_cook(const struct cs_world *world, const char *profile, const char *what)
{
	const struct cs_cook_options options = {
		.size = sizeof(options), .profile = profile, .trigger = CS_TRIGGER_COOK};
	struct cs_job job = {.threads = 1};
	struct cs_cook *cook;
	unsigned char *bytes;
	size_t size;
	bool holds = true;
	must(cs_cook_begin(world, &options, &job, &cook));
	for (size_t i = 0; holds && i < CS_COOK_PHASES; i++)
		holds = run_phase(cook, i);
	if (!holds)
		return; /* what is left of the cook cannot be freed */
	cs_cook_end(cook);
	must(cs_cook_bytes(cook, &bytes, &size));
	cs_cook_free(cook);
	struct cooked_world plain = cook_world(world, &options, 1);
	ok(size == plain.size && memcmp(bytes, plain.bytes, size) == 0,
		"%s, %s: each phase with its slices alone makes the same world", what,
		profile ? profile : "its own profile");
	free(bytes);
	cooked_free(&plain);
}

#define G(digits) "{\"guid\":\"000000000000000000000000000000" digits "\",\"name\":\""

static void check_level_instances(void)
{
	struct cs_world *world = read_lines(
		"{\"cellscope_world\":1,\"package\":\"/Game/Maps/M\",\"containers\":[{\"package\":"
		"\"/Game/Levels/Whole\",\"partitioned\":false}]}\n" G("01") "Rock\"}\n" G(
			"02") "Town\",\"level_instance\":{\"level\":\"/Game/Levels/Town\","
			      "\"behavior\":\"standalone\"}}\n" G("11") "House\",\"container\":\"/Game/Levels/Town\"}\n" G(
				      "03") "Whole\",\"level_instance\":{\"level\":\"/Game/Levels/Whole\","
					    "\"behavior\":\"standalone\"}}\n" G("12") "Bed\",\"container\":\"/Game/Levels/Whole\"}\n" G("04") "Street\",\"grid\":\"Nowhere\",\"level_instance\":{\"level\":\"/Game/Levels/Street\",\"behavior\":\"partitioned\"}}\n" G(
						    "13") "Kerb\",\"bounds_min\":[0,0,0],\"bounds_max\":[9,9,9],\"container\":\"/Game/Levels/Street\"}\n");
	check_cook(world, NULL, "level instances");
	cs_world_free(world);
}

static void check_made(enum cs_world_kind kind, const char *what, const char *profile)
{
	const struct cs_world_recipe recipe = {.kind = kind, .actors = 2000, .seed = 7};
	struct cs_world *world;
	must(make_test_world(&recipe, NULL, &world));
	check_cook(world, profile, what);
	cs_world_free(world);
}

static void check_file(const char *name)
{
	char path[4096];
	struct cs_world *world;
	const char *source = getenv("CELLSCOPE_SOURCE");
	snprintf(path, sizeof(path), "%s/fixtures/%s", source ? source : ".", name);
	must(cs_world_read_json(path, NULL, &world));
	check_cook(world, NULL, name);
	cs_world_free(world);
}

/*
 * Each slice that a phase names as written is written in some world: a row that names too much
 * would hide faults.
 */
static void check_rows(void)
{
	for (size_t p = 0; p < CS_COOK_PHASES; p++)
		for (size_t i = 0; i < CS_SLICES; i++)
			if (cs_cook_phases[p].writes >> i & 1)
				ok(written[p][i], "phase %s writes %s in some world",
					cs_cook_phases[p].name, slices[i].name);
}

int main(void)
{
	signal(SIGSEGV, on_fault);
	signal(SIGBUS, on_fault);
	for (const char *const *profile = (const char *const[]){"5.0", "5.3", "5.4", "5.7", NULL};
		*profile; profile++)
		check_made(CS_WORLD_HARD, "every rule", *profile);
	check_made(CS_WORLD_CITY, "a city", NULL);
	check_file("valley.json");
	check_file("checks/layer-asset-type.json");
	check_file("checks/hlod-source-cell.json");
	check_file("checks/level-instance.json");
	check_file("checks/load-filters.json");
	check_file("checks/actor-mesh.json");
	check_file("checks/hlod-loading-range.json");
	check_level_instances();
	check_rows();
	return done();
}
