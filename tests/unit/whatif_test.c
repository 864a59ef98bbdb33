/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of a world and what comes of them: each kind of change does what it says, a refused one
 * does nothing, and taking them back gives the cook of before, byte for byte. Worlds with ten
 * planted faults: the ten first suggestions name them, one each, and each what-if holds.
 */
#include <cellscope/whatif.h>

#include "base/random.h"
#include "tests/tap.h"
#include "tests/unit/cooking.h"
#include "world/world_internal.h"

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
		const char *code = error ? cs_code_name(cs_error_code(error)) : NULL;
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
	const struct cs_actor *at = world->actors.at;
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

/* Random changes, some of them refused, and back: the same bytes as before. */
static void test_random(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, 120, 3};
	struct cs_random random = {1};
	struct cs_world *world;
	size_t size, then_size;
	if (cs_world_generate(&recipe, &job, &world))
		exit(99);
	unsigned char *before = bytes_of(world, &size);
	for (int round = 0; round < 20; round++) {
		struct cs_world_changes *made;
		works(cs_world_change_begin(world, &made), "begun");
		for (int i = 0; i < 10; i++) {
			char text[200], guid[CS_GUID_TEXT];
			const struct cs_actor *actor =
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

/* ---- suggestions ---- */

/* "Fault_Chain_3 -> Prop_12": Chain; "" without one. */
static void fault_of(const char *text, char name[32])
{
	const char *at = strstr(text, "Fault_");
	size_t n = 0;
	while (at && n < 31 && ((at[6 + n] | 32) >= 'a' && (at[6 + n] | 32) <= 'z')) {
		name[n] = at[6 + n];
		n++;
	}
	name[n] = '\0';
}

static void holds(struct cs_whatif *whatif, const struct cs_suggestion *s, double before)
{
	struct cs_whatif_world world;
	struct cs_whatif_counts counts;
	works(cs_whatif_cook(whatif, s->changes, s->n_changes, &world), "suggested: cooked");
	works(cs_whatif_count(whatif, world.cooked, NULL, &counts), "suggested: counted");
	ok(s->gain > 0 && counts.cost == before - s->gain && counts.cost == s->after.cost,
		"%s gains %.1f", s->subject, s->gain);
	cs_whatif_world_close(&world);
}

static void test_faults(uint64_t seed)
{
	const struct cs_world_recipe recipe = {CS_WORLD_FAULTS, 1000, seed};
	const struct cs_suggestions *found;
	struct cs_whatif *whatif;
	struct cs_world *source;
	struct cs_cooked *now;
	char names[10][32];
	size_t size, size_after;
	if (cs_world_generate(&recipe, &job, &source))
		exit(99);
	unsigned char *bytes = bytes_of(source, &size), *after;
	works(cs_cooked_open_bytes(bytes, size, "now", &job, &now), "opened");
	works(cs_whatif_new(source, now, NULL, &job, &whatif), "what-ifs");
	works(cs_suggest(whatif, NULL, &found), "suggestions");
	ok(found->n >= 10, "seed %d: %zu of %zu tried gain", (int)seed, found->n, found->tried);
	for (size_t i = 0; i < found->n && i < 10; i++) {
		bool fresh = true;
		fault_of(found->rows[i].subject, names[i]);
		for (size_t k = 0; k < i; k++)
			fresh = fresh && strcmp(names[k], names[i]) != 0;
		ok(fresh && *names[i], "seed %d, %zu: %s", (int)seed, i + 1,
			found->rows[i].subject);
		ok(i == 0 || found->rows[i].gain <= found->rows[i - 1].gain, "in order");
		holds(whatif, &found->rows[i], found->before.cost);
	}
	cs_suggestions_free(found);
	cs_whatif_free(whatif);
	cs_cooked_close(now);
	after = bytes_of(source, &size_after);
	ok(size == size_after && memcmp(bytes, after, size) == 0, "the source is as it was");
	free(after);
	free(bytes);
	cs_world_free(source);
}

/* Every error of the cook, parents in a ring too: the search ends, and what it tells holds. */
static void test_hard(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, 150, 1};
	const struct cs_suggestions *found;
	struct cs_whatif *whatif;
	struct cs_world *source;
	struct cs_cooked *now;
	size_t size;
	if (cs_world_generate(&recipe, &job, &source))
		exit(99);
	unsigned char *bytes = bytes_of(source, &size);
	works(cs_cooked_open_bytes(bytes, size, "now", &job, &now), "hard: opened");
	works(cs_whatif_new(source, now, NULL, &job, &whatif), "hard: what-ifs");
	works(cs_suggest(whatif, NULL, &found), "hard: suggestions");
	for (size_t i = 0; i < found->n && i < 5; i++)
		holds(whatif, &found->rows[i], found->before.cost);
	cs_suggestions_free(found);
	cs_whatif_free(whatif);
	cs_cooked_close(now);
	free(bytes);
	cs_world_free(source);
}

/*
 * What a cook does not take along, and what hangs on it: taken off while that is few changes, else
 * the parent is cooked. Both are about the parent.
 */
static void test_orphans(unsigned children, const char *change, const char *why)
{
	static char lines[40000];
	const struct cs_suggestions *found = NULL;
	struct cs_whatif *whatif;
	struct cs_cooked *now;
	size_t size, told = 0;
	int n = snprintf(lines, sizeof(lines),
		"{\"cellscope_world\":1,\"package\":\"/Game/Maps/Town\",\"partitions\":"
		"[{\"name\":\"MainGrid\",\"cell_size\":12800}]}\n"
		"{\"guid\":" G("01") ",\"name\":\"Hook\",\"editor_only\":true,"
				     "\"bounds_min\":[0,0,0],\"bounds_max\":[9,9,9]}\n");
	for (unsigned i = 0; i < children; i++)
		n += snprintf(lines + n, sizeof(lines) - (size_t)n,
			"{\"guid\":\"%032x\",\"name\":\"Lamp%u\",\"parent\":" G(
				"01") ",\"bounds_min\":[0,0,0],\"bounds_max\":[9,9,9]}\n",
			i + 2, i);
	struct cs_world *source = read_lines(lines);
	unsigned char *bytes = bytes_of(source, &size);
	works(cs_cooked_open_bytes(bytes, size, "now", &job, &now), "orphans: opened");
	works(cs_whatif_new(source, now, NULL, &job, &whatif), "orphans: what-ifs");
	works(cs_suggest(whatif, NULL, &found), "orphans: suggestions");
	for (size_t i = 0; i < found->n; i++) {
		const struct cs_suggestion *s = &found->rows[i];
		if (strcmp(s->changes[0], change) != 0)
			continue;
		told++;
		is_text(s->subject, "Hook", "%s is about the parent", change);
		ok(strstr(s->why, why), "for %s", s->why);
	}
	is_int(told, 1, "%u orphans: %s", children, change);
	cs_suggestions_free(found);
	cs_whatif_free(whatif);
	cs_cooked_close(now);
	free(bytes);
	cs_world_free(source);
}

int main(void)
{
	test_kinds();
	test_orphans(1, "actor.Lamp0.parent=", "1 actor is cooked without");
	test_orphans(40, "actor.Hook.editor_only=off", "40 actors attached");
	test_values();
	test_random();
	test_faults(0); /* the first ten kinds of faults */
	test_faults(3);
	test_hard();
	return done();
}
