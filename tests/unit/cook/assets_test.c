/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of meshes in worlds: who shows what, what cells carry, what is told of meshes that cannot
 * be built.
 */
#include "cook/phases/cook_internal.h"
#include "core/geometry.h"
#include "farm/cache.h"
#include "farm/key.h"
#include "farm/plan.h"
#include "format/check_numbers.h"
#include "tests/samples/folder.h"
#include "tests/unit/cook/cooking.h"

#include "tests/samples/tap.h"

#include <cellscope/cooked_values.h>
#include <cellscope/farm.h>
#include <cellscope/mesh.h>
#include <cellscope/nanite.h>

#include <sys/stat.h>

#define ACTOR(digit, rest)                                                          \
	"{\"guid\":\"0000000000000000000000000000000" digit "\",\"name\":\"A" digit \
	"\",\"bounds_min\":[100,100,100],\"bounds_max\":[200,200,200]" rest "}\n"
#define FAR(digit, rest)                                                            \
	"{\"guid\":\"0000000000000000000000000000000" digit "\",\"name\":\"A" digit \
	"\",\"bounds_min\":[900100,100,100],\"bounds_max\":[900200,200,200]" rest "}\n"
#define ROCK ",\"mesh\":\"rock.ply\""
#define TREE ",\"mesh\":\"trees/tree.obj\""

static const char world_lines[] = DOCUMENT ACTOR("1", ROCK) ACTOR("2", ROCK) ACTOR("3", TREE)
	FAR("4", ROCK) FAR("5", "") FAR("6", ",\"editor_only\":true,\"mesh\":\"cut.ply\"");

static void must(struct cs_error *error, const char *what)
{
	if (!error)
		return;
	diag("%s: %s", what, error->message);
	abort();
}

static struct cooked_world cook_with(const struct cs_mesh_fact *facts, size_t n)
{
	struct cooked_world w = {0};
	struct cs_world *world = read_lines(world_lines);
	struct cs_cook *cook = NULL;
	must(cs_cook(world, NULL, NULL, &cook), "cook");
	if (n > 0)
		must(cs_cook_set_meshes(cook, facts, n), "set meshes");
	must(cs_cook_bytes(cook, &w.bytes, &w.size), "bytes");
	must(cs_cooked_open_bytes(w.bytes, w.size, "w", NULL, &w.c), "open");
	must(cs_cooked_load_actors(w.c), "load actors");
	cs_cook_free(cook);
	cs_world_free(world);
	return w;
}

static const struct cs_cooked_mesh *mesh_called(const struct cooked_world *w, const char *path)
{
	for (size_t i = 0; i < w->c->n_meshes; i++)
		if (strcmp(cs_cooked_text(w->c, w->c->meshes[i].path), path) == 0)
			return &w->c->meshes[i];
	return NULL;
}

static uint64_t bytes_of_cell(const struct cooked_world *w, const char *actor)
{
	return w->c->cell_mesh_bytes[cell_of(w, actor) - cs_cooked_cell(w->c, 0)];
}

static void test_named(void)
{
	struct cooked_world w = cook_with(NULL, 0);
	is_int(w.c->n_meshes, 2, "each mesh once; what is in no cell shows nothing");
	is_int(mesh_called(&w, "rock.ply")->actors, 3, "three actors show the rock");
	is_int(mesh_called(&w, "trees/tree.obj")->actors, 1, "one the tree");
	is_int(mesh_called(&w, "rock.ply")->state, CS_MESH_NAMED, "nobody built it");
	is_int(w.c->n_cell_mesh_bytes, 0, "so cells have no bytes of meshes");
	is_int(cs_cooked_find_mesh(w.c, actor_named(&w, "A4")->mesh),
		mesh_called(&w, "rock.ply") - w.c->meshes, "an actor leads to its mesh");
	is_int(cs_cooked_find_mesh(w.c, actor_named(&w, "A5")->mesh), CS_NONE, "or to none");
	enum { TEXTS = 2000 }; /* offsets, with texts there or without */
	size_t right = 0;
	for (uint32_t text = 0; text < TEXTS; text++) {
		uint32_t row = 0;
		while (row < w.c->n_meshes && (text == 0 || w.c->meshes[row].path != text))
			row++;
		right += cs_cooked_find_mesh(w.c, text) == (row < w.c->n_meshes ? row : CS_NONE);
	}
	is_int(right, TEXTS, "as every text leads to the mesh of that path alone");
	cooked_free(&w);
}

static void test_facts(void)
{
	const struct cs_mesh_fact facts[] = {
		{.path = "rock.ply",
			.file = "w.meshes/rock.cnanite",
			.state = CS_MESH_BUILT,
			.bounds = {{0, 0, 0}, {1, 2, 3}},
			.bytes = 5000,
			.resident_bytes = 700,
			.triangles = 12,
			.pages = 3,
			.hlod = CS_NONE},
		{.path = "trees/tree.obj",
			.reason = "the file does not exist",
			.state = CS_MESH_MISSING,
			.bounds = CS_BOX_INVALID,
			.hlod = CS_NONE},
	};
	struct cooked_world w = cook_with(facts, 2);
	const struct cs_cooked_mesh *rock = mesh_called(&w, "rock.ply");
	is_int(rock->state, CS_MESH_BUILT, "the rock was built");
	is_int(rock->pages, 3, "of three pages");
	is_text(cs_cooked_text(w.c, rock->file), "w.meshes/rock.cnanite", "and lies there");
	is_int(bytes_of_cell(&w, "A1"), 700, "two actors of a cell bring it once");
	is_int(bytes_of_cell(&w, "A4"), 700, "each cell that shows it brings it");
	is_int(findings_of(&w, CS_CHECK_ACTOR_MESH, 0), 1, "a mesh that is not there is a finding");
	const struct cs_cooked_finding *f = &w.c->findings[w.c->n_findings - 1];
	is_int(f->actor, actor_named(&w, "A3") - cs_cooked_actor(w.c, 0),
		"about the actor that shows it");
	is_text(cs_cooked_text(w.c, f->reason),
		"trees/tree.obj: the file does not exist; 1 actor shows nothing", "in words");
	cooked_free(&w);
}

/* ---- building ---- */

static char folder[512];

static const char *in_folder(const char *name)
{
	static char path[4][900];
	static unsigned next;
	char *to = path[next++ % 4];
	snprintf(to, sizeof(path[0]), "%s/%s", folder, name);
	return to;
}

static void make_folder(void)
{
	const char *out = test_folder();
	snprintf(folder, sizeof(folder), "%s/assets-XXXXXX", out);
	if (!mkdtemp(folder) || mkdir(in_folder("rocks"), 0777) < 0)
		abort();
}

static void write_mesh(enum cs_mesh_kind kind, uint32_t triangles, const char *name)
{
	const struct cs_mesh_recipe recipe = {kind, triangles, 7};
	struct cs_mesh *mesh = NULL;
	must(cs_mesh_generate(&recipe, NULL, &mesh), "generate");
	must(cs_mesh_export(mesh, NULL, in_folder(name)), "export");
	cs_mesh_free(mesh);
}

static void write_text(const char *name, const char *text)
{
	FILE *file = fopen(in_folder(name), "w");
	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		abort();
}

#define AT(digit, x, mesh)                                                                      \
	"{\"guid\":\"0000000000000000000000000000000" digit "\",\"name\":\"B" digit             \
	"\",\"bounds_min\":[" x ",0,0],\"bounds_max\":[" x ",0,100],\"transform\":{\"pos\":[" x \
	",0,0],\"rot\":[0,0,0,1],\"scale\":[2,2,-2]},"                                          \
	"\"hlod_relevant\":true,\"mesh\":\"" mesh "\"}\n"

static const char town[] =
	"{\"cellscope_world\":1,\"package\":\"/Game/Maps/M\",\"settings\":{"
	"\"default_hlod_layer\":\"/G/H0.H0\"},\"hlod_layers\":["
	"{\"path\":\"/G/H0.H0\",\"parent\":\"/G/H1.H1\",\"proxy_triangles\":300},"
	"{\"path\":\"/G/H1.H1\",\"spatial\":false}],\"partitions\":[{\"name\":\"MainGrid\","
	"\"hlod_setups\":[{\"name\":\"H0\",\"hlod_layers\":[\"/G/H0.H0\"]},{\"name\":\"H1\","
	"\"class\":\"persistent\",\"hlod_layers\":[\"/G/H1.H1\"],\"spatial\":false}]}]}\n" AT(
		"1", "100", "rocks/a.ply") AT("2", "900", "rocks/a.ply")
		AT("3", "300", "/Game/rocks/b.b") AT("4", "400", "gone.ply")
			AT("5", "500", "bad.obj") AT("6", "600", "../out.ply")
				AT("7", "700", "rocks/made.cnanite");

static struct cooked_world build_town(
	const char *meshes, const char *cache, int threads, struct cs_assets_summary *summary)
{
	struct cooked_world w = {0};
	struct cs_world *world = read_lines(town);
	struct cs_cook *cook = NULL;
	const struct cs_job job = {.threads = threads};
	size_t n;
	char to[700];
	snprintf(to, sizeof(to), "%s/%s", folder, meshes);
	const struct cs_assets_options options = {
		.root = folder, .folder = to, .prefix = "meshes", .cache = cache};
	must(cs_hlod_build(world, NULL, &job, &n), "HLODs");
	must(cs_cook(world, NULL, &job, &cook), "cook");
	must(cs_assets_build(cook, &options, &job, summary), "build");
	must(cs_cook_bytes(cook, &w.bytes, &w.size), "bytes");
	must(cs_cooked_open_bytes(w.bytes, w.size, "w", NULL, &w.c), "open");
	must(cs_cooked_load_details(w.c), "load actors");
	cs_cook_free(cook);
	cs_world_free(world);
	return w;
}

static bool same_file(const char *left, const char *right)
{
	FILE *l = fopen(left, "r"), *r = fopen(right, "r");
	bool same = l && r;
	for (int a = 0; same && a != EOF;) {
		a = getc(l);
		same = a == getc(r);
	}
	if (l)
		fclose(l);
	if (r)
		fclose(r);
	return same;
}

static bool same_resources(const struct cooked_world *w, const char *left, const char *right)
{
	bool same = true;
	for (size_t i = 0; i < w->c->n_meshes; i++) {
		const char *file = strrchr(cs_cooked_text(w->c, w->c->meshes[i].file), '/');
		char l[200], r[200];
		snprintf(l, sizeof(l), "%s%s", left, file ? file : "");
		snprintf(r, sizeof(r), "%s%s", right, file ? file : "");
		same = same && (!file || same_file(in_folder(l), in_folder(r)));
	}
	return same;
}

/*
 * Checks the proxy that an HLOD actor shows: its number of triangles, its bytes, and that its box,
 * placed as the actor is, covers the boxes of all other actors that have a mesh.
 */
static void check_proxy(const struct cooked_world *w, uint32_t hlod, uint32_t most)
{
	const struct cs_cooked_hlod *at = &w->c->hlods[hlod];
	uint32_t mesh = cs_cooked_find_mesh(w->c, cs_cooked_actor(w->c, at->actor)->mesh);
	ok(mesh != CS_NONE && w->c->meshes[mesh].hlod == hlod, "HLOD actor %u shows a proxy", hlod);
	if (mesh == CS_NONE)
		return;
	const struct cs_cooked_mesh *proxy = &w->c->meshes[mesh];
	ok(proxy->triangles <= most && proxy->triangles > most / 2,
		"of at most %u triangles, not of much less: %u", most, proxy->triangles);
	ok(at->mesh_bytes == (double)proxy->bytes, "whose bytes it knows");
	struct cs_box want = CS_BOX_INVALID;
	for (size_t i = 0; i < w->c->n_actors; i++) {
		uint32_t shown = cs_cooked_find_mesh(w->c, cs_cooked_actor(w->c, i)->mesh);
		if (shown == CS_NONE || cs_cooked_actor(w->c, i)->flags & CS_ACTOR_HLOD)
			continue;
		const struct cs_box one = cs_box_transform(
			&w->c->meshes[shown].bounds, &cs_cooked_detail(w->c, i)->transform);
		want = cs_box_union(&want, &one);
	}
	const struct cs_box got =
		cs_box_transform(&proxy->bounds, &cs_cooked_detail(w->c, at->actor)->transform);
	ok(near_box(&got, &want, most < 300 ? 150 : 40), "where its sources are");
}

/*
 * Asks for the meshes of all actors in reverse order: each mesh comes as often as the cook counted
 * it, in the order of actors.
 */
static void check_shown(const struct cooked_world *w)
{
	uint32_t actors[256];
	size_t n = w->c->n_actors < 256 ? w->c->n_actors : 256, n_shown, wrong = 0, counted = 0;
	struct cs_shown_mesh *shown;
	for (size_t i = 0; i < n; i++)
		actors[i] = (uint32_t)(n - 1 - i);
	must(cs_assets_shown(w->c, actors, n, &shown, &n_shown), "shown");
	for (size_t i = 0; i < n_shown; i++) {
		const struct cs_cooked_actor *actor = cs_cooked_actor(w->c, shown[i].actor);
		wrong += strcmp(cs_cooked_text(w->c, actor->mesh),
				 cs_cooked_text(w->c, w->c->meshes[shown[i].mesh].path)) != 0;
		wrong += i > 0 && (shown[i].mesh < shown[i - 1].mesh ||
					  (shown[i].mesh == shown[i - 1].mesh &&
						  shown[i].actor <= shown[i - 1].actor));
	}
	for (size_t i = 0; i < w->c->n_meshes; i++)
		counted += w->c->meshes[i].actors;
	is_int(wrong, 0, "who shows a mesh is told by mesh, then by actor");
	is_int(n_shown, counted, "and nobody is left out");
	free(shown);
}

static void test_build(void)
{
	struct cs_assets_summary s, again;
	struct cooked_world w = build_town("meshes", in_folder("cache"), 2, &s);
	is_int(s.meshes, 6, "six meshes are named");
	is_int(s.built, 2, "two are built");
	is_int(s.copied, 1, "one is a resource");
	is_int(s.missing, 1, "one is not there");
	is_int(s.refused, 2, "one is no mesh, one is outside");
	is_int(findings_of(&w, CS_CHECK_ACTOR_MESH, 0), 3, "those are findings");
	is_text(cs_cooked_text(w.c, mesh_called(&w, "/Game/rocks/b.b")->file),
		"meshes/Game_rocks_b.cnanite", "an object of the engine is found by its path");
	is_text(cs_cooked_text(w.c, mesh_called(&w, "../out.ply")->reason),
		"the name leads out of the folder of meshes", "nothing outside is read");
	is_int(mesh_called(&w, "rocks/a.ply")->actors, 2, "what two show is built once");
	check_shown(&w);
	is_int(s.proxies, 2, "an HLOD actor of the cell, one of the level above");
	for (uint32_t i = 0; i < w.c->n_hlods; i++)
		check_proxy(&w, i, w.c->hlods[i].layer == 0 ? 300 : 64);
	struct cooked_world one = build_town("one", NULL, 1, &again);
	ok(one.size == w.size && memcmp(one.bytes, w.bytes, w.size) == 0,
		"the same world on one thread, without cache");
	ok(same_resources(&w, "meshes", "one"), "and the same resources");
	cooked_free(&one);
	one = build_town("cached", in_folder("cache"), 2, &again);
	is_int(again.cached, 4, "from the cache everything comes, proxies too");
	is_int(again.built, 0, "nothing is built again");
	ok(same_resources(&w, "meshes", "cached"), "the same resources");
	cooked_free(&one);
	cooked_free(&w);
}

static void test_shared_cache(void)
{
	struct cs_farm_cache *cache = NULL;
	struct cs_farm_key key;
	struct cs_farm_result result = {0};
	bool found = false;
	must(cs_farm_cache_open(in_folder("cache"), NULL, &cache), "open the cache");
	must(cs_farm_build_key(folder, "rocks/a.ply", NULL, &key), "key");
	must(cs_farm_cache_get(cache, key, NULL, &result, &found), "get");
	ok(found, "a farm finds what the cook has built");
	cs_farm_result_deinit(&result);
	cs_farm_cache_free(cache);
}

static void write_inputs(void)
{
	struct cs_mesh *mesh = NULL;
	struct cs_nanite *resource = NULL;
	const struct cs_mesh_recipe recipe = {CS_MESH_CUBE, 12, 1};
	make_folder();
	write_mesh(CS_MESH_NOISE, 1200, "rocks/a.ply");
	write_mesh(CS_MESH_TERRAIN, 800, "rocks/b.obj");
	write_text("bad.obj", "v 0 0\nf 1 2 3\n");
	must(cs_mesh_generate(&recipe, NULL, &mesh), "generate");
	must(cs_nanite_build(mesh, NULL, NULL, NULL, &resource), "build");
	must(cs_nanite_save(resource, in_folder("rocks/made.cnanite"), NULL), "save");
	cs_nanite_free(resource);
	cs_mesh_free(mesh);
}

int main(void)
{
	test_named();
	test_facts();
	write_inputs();
	test_build();
	test_shared_cache();
	return done();
}
