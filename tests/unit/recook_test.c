/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cooking again after changes, and its brute-force twin, the full cook: random edits of actors,
 * references, layers and settings, several in a row and taken back, on worlds of each kind; after
 * every edit both give the same bytes, on one thread and on two. CELLSCOPE_RECOOK_EDITS sets how
 * many; every way a change can reach is counted, so that none goes untested.
 */
#include <cellscope/cook.h>
#include <cellscope/file.h>

#include "base/random.h"
#include "cook/cook_internal.h"
#include "tests/tap.h"
#include "tests/unit/cooking.h"
#include "world/world_internal.h"

static const struct cs_job jobs[] = {{.threads = 1}, {.threads = 2}};

/* ---- edits ---- */

struct editor {
	struct cs_world *world;
	struct cs_random random;
	char text[400];
};

static uint32_t below(struct editor *e, size_t n)
{
	return cs_random_below(&e->random, (uint32_t)n);
}

static const char *guid_of_any(struct editor *e, char guid[CS_GUID_TEXT])
{
	const struct cs_actor_row *actor = &e->world->actors.at[below(e, e->world->actors.n)];
	cs_guid_format(actor->guid, guid);
	return guid;
}

static const char *layer_of_any(struct editor *e)
{
	const size_t n = e->world->layers.n;
	return n ? cs_world_text(e->world, e->world->layers.at[below(e, n)].name) : "None";
}

static const char *hlod_layer_of_any(struct editor *e)
{
	const size_t n = e->world->hlod_layers.n;
	return n ? cs_world_text(e->world, e->world->hlod_layers.at[below(e, n)].path) : "";
}

static const char *grid_of_any(struct editor *e)
{
	const struct cs_world *w = e->world;
	const size_t n = w->partitions.n + w->grids.n;
	const uint32_t i = n ? below(e, n) : 0;
	if (n == 0)
		return "MainGrid";
	return cs_world_text(w, i < w->partitions.n ? w->partitions.at[i].name
						    : w->grids.at[i - w->partitions.n].name);
}

static void edit_bounds(struct editor *e, const char *guid)
{
	double x = cs_random_range(&e->random, -60000, 60000);
	double y = cs_random_range(&e->random, -60000, 60000);
	double size = below(e, 4) ? 300 : cs_random_range(&e->random, 1000, 90000);
	snprintf(e->text, sizeof(e->text), "actor.%s.bounds=%.0f,%.0f,0..%.0f,%.0f,100", guid, x, y,
		x + size, y + size);
}

/* What is set to a word. */
static void edit_plainly(struct editor *e, const char *guid)
{
	static const char *const edits[] = {"spatially_loaded=off", "spatially_loaded=on",
		"bounds=none", "bounds=editor", "grid=", "grid=Nowhere", "grid=maingrid",
		"references=", "parent=", "data_layers=", "editor_only=on", "editor_only=off",
		"main_world_only=on", "hlod_relevant=off", "hlod_relevant=on", "needs_resave=on",
		"label=Another", "tags=A,B", "hlod_layer=", "behavior=none", "behavior=embedded",
		"behavior=standalone", "unlisted=on", "mesh=rocks/a.ply"};
	snprintf(e->text, sizeof(e->text), "actor.%s.%s", guid,
		edits[below(e, sizeof(edits) / sizeof(edits[0]))]);
}

static void edit_actor(struct editor *e)
{
	char guid[CS_GUID_TEXT], other[CS_GUID_TEXT];
	const char sign[] = {'+', '-'};
	guid_of_any(e, guid);
	guid_of_any(e, other);
	switch (below(e, 9)) {
	case 0:
	case 1:
		edit_bounds(e, guid);
		return;
	case 2:
		snprintf(e->text, sizeof(e->text), "actor.%s.references%c=%s", guid,
			sign[below(e, 2)], other);
		return;
	case 3:
		snprintf(e->text, sizeof(e->text), "actor.%s.data_layers%c=%s", guid,
			sign[below(e, 2)], layer_of_any(e));
		return;
	case 4:
		snprintf(e->text, sizeof(e->text), "actor.%s.parent=%s", guid, other);
		return;
	case 5:
		snprintf(e->text, sizeof(e->text), "actor.%s.grid=%s", guid, grid_of_any(e));
		return;
	case 6:
		snprintf(e->text, sizeof(e->text), "actor.%s.hlod_layer=%s", guid,
			hlod_layer_of_any(e));
		return;
	default:
		edit_plainly(e, guid);
	}
}

static void edit_grid(struct editor *e)
{
	static const char *const edits[] = {"cell_size=6400", "cell_size=25600", "cell_size=0",
		"loading_range=1000", "loading_range=99999", "origin=100,200,0", "origin_x=300",
		"is_2d=on", "is_2d=off", "priority=7", "bounds_method=cell", "client_only=on",
		"block_on_slow=on"};
	snprintf(e->text, sizeof(e->text), "%s.%s", grid_of_any(e),
		edits[below(e, sizeof(edits) / sizeof(edits[0]))]);
}

static void edit_layer(struct editor *e)
{
	static const char *const edits[] = {"initial=activated", "initial=loaded", "priority=3",
		"type=editor", "external=on", "filter=client_only"};
	snprintf(e->text, sizeof(e->text), "layer.%s.%s", layer_of_any(e),
		edits[below(e, sizeof(edits) / sizeof(edits[0]))]);
}

static void edit_hlod_layer(struct editor *e)
{
	static const char *const edits[] = {
		"loading_range=500", "loading_range=90000", "spatial=off", "cell_size=77777"};
	snprintf(e->text, sizeof(e->text), "hlod_layer.%s.%s", hlod_layer_of_any(e),
		edits[below(e, sizeof(edits) / sizeof(edits[0]))]);
}

static void edit_world(struct editor *e)
{
	static const char *const edits[] = {"streaming=off", "use_aligned_grid_levels=on",
		"use_aligned_grid_levels=off", "place_small_actors_using_location=on",
		"layers_operator=and", "server_streaming=disabled", "hash=hash_set",
		"hash=spatial_hash", "z_culling=on", "default_hlod_layer="};
	char guid[CS_GUID_TEXT];
	if (below(e, 2))
		snprintf(e->text, sizeof(e->text), "%s",
			edits[below(e, sizeof(edits) / sizeof(edits[0]))]);
	else
		snprintf(e->text, sizeof(e->text), "world_references+=%s", guid_of_any(e, guid));
}

/* Mostly actors, since that is the way with the most in it. */
static void edit(struct editor *e, struct cs_world_changes *changes)
{
	const uint32_t kind = below(e, 16);
	if (kind == 0)
		edit_grid(e);
	else if (kind == 1)
		edit_layer(e);
	else if (kind == 2)
		edit_hlod_layer(e);
	else if (kind == 3)
		edit_world(e);
	else
		edit_actor(e);
	cs_error_free(cs_world_change(changes, e->text)); /* a refused one changes nothing */
}

/* ---- the twin ---- */

struct answer {
	unsigned char *bytes; /* NULL: it failed */
	size_t size;
	enum cs_code code;
};

static struct answer answer_of(struct cs_error *error, struct cs_cook *cook)
{
	struct answer answer = {0};
	if (!error)
		error = cs_cook_plain_bytes(cook, &answer.bytes, &answer.size);
	if (error)
		answer.code = cs_error_code(error);
	cs_error_free(error);
	return answer;
}

static bool is_same(const struct answer *l, const struct answer *r)
{
	if (!l->bytes || !r->bytes)
		return !l->bytes && !r->bytes && l->code == r->code;
	return l->size == r->size && memcmp(l->bytes, r->bytes, l->size) == 0;
}

/* The first section that differs, for whoever looks for the reason. */
static void show(const struct answer *l, const struct answer *r)
{
	struct cs_file *files[2] = {NULL, NULL};
	if (!l->bytes || !r->bytes ||
		cs_file_open_bytes(l->bytes, l->size, "full", CS_FILE_STRICT, NULL, &files[0]) ||
		cs_file_open_bytes(r->bytes, r->size, "again", CS_FILE_STRICT, NULL, &files[1]))
		return;
	for (size_t i = 0; i < cs_file_sections(files[0]) && i < cs_file_sections(files[1]); i++) {
		const struct cs_section *a = cs_file_section(files[0], i);
		const struct cs_section *b = cs_file_section(files[1], i);
		if (a->table != b->table || a->raw_sum != b->raw_sum) {
			printf("# table %u of %u rows, table %u of %u rows\n", a->table,
				a->record_count, b->table, b->record_count);
			break;
		}
	}
	cs_file_close(files[0]);
	cs_file_close(files[1]);
}

static size_t reached[CS_RECOOK_ALL + 1], opened;

/* The cook without its bytes has the rows and texts of that with them. */
static bool opens_alike(struct cs_cook *cook, const struct answer *want)
{
	struct cs_cooked *l, *r;
	if (cs_cooked_open_bytes(want->bytes, want->size, "full", NULL, &l) ||
		cs_cook_open(cook, &r) || cs_cooked_load_details(l) || cs_cooked_load_details(r))
		exit(99);
	bool same = l->n_actors == r->n_actors && l->n_sets == r->n_sets &&
		    memcmp(l->actors, r->actors, l->n_actors * sizeof(*l->actors)) == 0 &&
		    memcmp(l->sets, r->sets, l->n_sets * sizeof(*l->sets)) == 0 &&
		    memcmp(l->details, r->details, l->n_details * sizeof(*l->details)) == 0;
	for (size_t i = 0; same && i < l->n_actors; i++)
		same = strcmp(cs_cooked_text(l, l->actors[i].name),
			       cs_cooked_text(r, r->actors[i].name)) == 0;
	cs_cooked_close(l);
	cs_cooked_close(r);
	return same;
}

static bool agree(struct cs_recook *recook, const struct cs_world *world,
	const struct cs_world_changes *changes, const struct cs_job *job)
{
	struct cs_cook *full = NULL, *again = NULL;
	struct cs_error *error = cs_cook(world, NULL, job, &full);
	struct answer want = answer_of(error, full);
	error = cs_recook_cook(recook, changes, &again);
	struct answer got = answer_of(error, again);
	bool same =
		is_same(&want, &got) && (!got.bytes || ++opened % 8 || opens_alike(again, &want));
	cs_cook_free(full);
	cs_cook_free(again);
	reached[cs_recook_reach(recook)]++;
	if (!same)
		show(&want, &got);
	free(want.bytes);
	free(got.bytes);
	return same;
}

/* Up to six edits in a row, then all are taken back. */
static size_t run_rounds(struct cs_world *world, uint64_t seed, size_t edits)
{
	struct editor e = {.world = world, .random = {seed}};
	struct cs_recook *recook = NULL;
	const struct cs_job *job = &jobs[seed % 2];
	size_t done = 0, wrong = 0;
	works(cs_recook_new(world, NULL, job, &recook), "a base");
	while (recook && done < edits && wrong < 5) {
		struct cs_world_changes *changes;
		if (cs_world_change_begin(world, &changes))
			exit(99);
		for (uint32_t n = 1 + below(&e, 6); n > 0; n--, done++) {
			edit(&e, changes);
			if (agree(recook, world, changes, job))
				continue;
			wrong++;
			printf("# edit %zu of seed %" PRIu64 ", reach %d: %s\n", done, seed,
				cs_recook_reach(recook), e.text);
		}
		cs_world_change_undo(changes);
		wrong += !agree(recook, world, NULL, job);
	}
	cs_recook_free(recook);
	return wrong;
}

/* ---- worlds ---- */

#define G(digits) "\"guid\":\"000000000000000000000000000000" digits "\",\"name\":\"A" digits "\""
#define AT(x)     ",\"bounds_min\":[" #x ",0,0],\"bounds_max\":[" #x "9,99,99]"

/* Levels by name, HLOD setups, level instances with a filter, nested and standalone ones. */
/* clang-format off */
static const char town[] =
	"{\"cellscope_world\":1,\"package\":\"/Game/Maps/Town\","
	"\"layers\":[{\"name\":\"Night\",\"label\":\"Dark\",\"asset\":\"/Game/L/Night.Night\"},"
	"{\"name\":\"Day\",\"asset\":\"/Game/L/Day.Day\"},"
	"{\"name\":\"Pack\",\"asset\":\"/Game/L/Pack.Pack\",\"external\":true}],"
	"\"hlod_layers\":[{\"path\":\"/Game/H/Far.Far\",\"parent\":\"/Game/H/Farther.Farther\","
	"\"spatial\":true},{\"path\":\"/Game/H/Farther.Farther\",\"spatial\":true}],"
	"\"partitions\":[{\"name\":\"MainGrid\",\"cell_size\":12800,\"hlod_setups\":"
	"[{\"name\":\"H\",\"spatial\":true,\"hlod_layers\":[\"/Game/H/Far.Far\"]}]},"
	"{\"name\":\"Levels\",\"class\":\"level_streaming\"}],"
	"\"containers\":[{\"package\":\"/Game/Levels/House\"},{\"package\":\"/Game/Levels/Yard\"},"
	"{\"package\":\"/Game/Levels/Own\",\"partitioned\":true}]}\n"
	"{" G("01") AT(10) ",\"references\":[\"00000000000000000000000000000002\"],"
	"\"data_layers\":[\"Night\"]}\n"
	"{" G("02") AT(20) ",\"data_layers\":[\"Day\",\"Night\"],\"grid\":\"Levels.One\"}\n"
	"{" G("03") AT(30000) ",\"grid\":\"Levels.Two\",\"hlod_layer\":\"/Game/H/Far.Far\"}\n"
	"{" G("04") AT(40000) ",\"parent\":\"00000000000000000000000000000003\"}\n"
	"{" G("05") AT(50000) ",\"grid\":\"Gone\",\"data_layers\":[\"Lost\"]}\n"
	"{" G("06") ",\"spatially_loaded\":true}\n"
	"{" G("07") AT(6) ",\"level_instance\":{\"level\":\"/Game/Levels/House\",\"behavior\":"
	"\"embedded\",\"filter\":[\"/Game/L/Night.Night\"]}}\n"
	"{" G("08") AT(7) ",\"grid\":\"Nope\",\"transform\":{\"pos\":[70000,0,0]},"
	"\"level_instance\":{\"level\":\"/Game/Levels/House\",\"behavior\":\"embedded\"}}\n"
	"{" G("09") AT(8) ",\"level_instance\":{\"level\":\"/Game/Levels/Own\",\"behavior\":"
	"\"standalone\"}}\n"
	"{" G("0a") AT(80000) ",\"references\":[\"00000000000000000000000000000022\"]}\n"
	"{" G("21") AT(1) ",\"container\":\"/Game/Levels/House\",\"data_layers\":[\"Night\"]}\n"
	"{" G("22") AT(2) ",\"container\":\"/Game/Levels/House\",\"references\":"
	"[\"00000000000000000000000000000021\"],\"grid\":\"Gone\"}\n"
	"{" G("23") AT(3) ",\"container\":\"/Game/Levels/House\",\"main_world_only\":true}\n"
	"{" G("24") AT(4) ",\"container\":\"/Game/Levels/House\",\"level_instance\":"
	"{\"level\":\"/Game/Levels/Yard\",\"behavior\":\"embedded\"}}\n"
	"{" G("31") AT(5) ",\"container\":\"/Game/Levels/Yard\",\"external_data_layer\":"
	"\"/Game/L/Pack.Pack\"}\n"
	"{" G("32") AT(600) ",\"container\":\"/Game/Levels/Yard\"}\n"
	"{" G("41") AT(7) ",\"container\":\"/Game/Levels/Own\"}\n";
/* clang-format on */

static struct cs_world *generated(enum cs_world_kind kind, uint64_t actors)
{
	const struct cs_world_recipe recipe = {kind, actors, 5};
	struct cs_world *world;
	if (cs_world_generate(&recipe, NULL, &world))
		exit(99);
	return world;
}

static struct cs_world *with_hlods(struct cs_world *world)
{
	size_t n;
	if (cs_hlod_build(world, NULL, NULL, &n))
		exit(99);
	return world;
}

static void test_world(const char *name, struct cs_world *world, uint64_t seed, size_t edits)
{
	is_int(run_rounds(world, seed, edits), 0, "%s: %zu edits", name, edits);
	cs_world_free(world);
}

static void test_spatial_hash(size_t edits)
{
	struct cs_world_changes *changes;
	struct cs_world *world = generated(CS_WORLD_HARD, 150);
	if (cs_world_change_begin(world, &changes) || cs_world_change(changes, "hash=spatial_hash"))
		exit(99);
	is_int(run_rounds(world, 6, edits), 0, "spatial hash: %zu edits", edits);
	cs_world_change_undo(changes);
	cs_world_free(world);
}

static size_t wanted(void)
{
	const char *text = getenv("CELLSCOPE_RECOOK_EDITS");
	return text ? strtoul(text, NULL, 10) : 320;
}

int main(void)
{
	const size_t each = wanted() / 8 + 1;
	test_world("town", read_lines(town), 1, each);
	test_world("town, once more", read_lines(town), 2, each);
	test_world("city", generated(CS_WORLD_CITY, 260), 3, each);
	test_world("hard", generated(CS_WORLD_HARD, 150), 4, each);
	test_world("open", generated(CS_WORLD_OPEN, 150), 5, each);
	test_spatial_hash(each);
	test_world("with HLODs", with_hlods(generated(CS_WORLD_OPEN, 120)), 7, each);
	test_world("city of HLODs", with_hlods(generated(CS_WORLD_CITY, 200)), 8, each);
	for (int i = 0; i <= CS_RECOOK_ALL; i++)
		ok(reached[i] > each / 8, "%zu changes reached as far as %d", reached[i], i);
	return done();
}
