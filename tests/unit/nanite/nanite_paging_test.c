/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Page streaming. In every frame of random walks with small pools, slow reads and pages thrown out:
 * every piece of the surface is drawn exactly once, a closed mesh stays closed, and a walk through
 * all groups without a hierarchy selects the same. Still cameras come to the cut of a resource that
 * is there whole; without a pool the root page alone is drawn; a state that was saved goes on as
 * the one that was not.
 */
#include "nanite/inspect/model_inside.h"
#include "nanite/paging/pager_inside.h"
#include "nanite/paging/paging_internal.h"
#include "tests/samples/mesh_kinds.h"
#include "tests/samples/nanite_contents.h"
#include "tests/samples/tap.h"

#include "core/random.h"
#include "core/sort.h"
#include "nanite/format/contents.h"

#include <cellscope/mesh.h>

#include <math.h>

enum { FRAMES = 240, FRAME_NS = 16666667 };

struct made {
	struct cs_nanite *resource;
	struct cs_inspector *inspector;
	const struct cs_model *model;
	struct cs_pager *pager;
	double size;
	bool closed;
};

static bool make(enum cs_mesh_kind kind, uint32_t triangles, struct made *ret)
{
	const struct cs_mesh_recipe recipe = {kind, triangles, 11};
	const struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_mesh *mesh = NULL;
	struct cs_model *model = NULL;
	*ret = (struct made){.closed = kind == CS_MESH_NOISE || kind == CS_MESH_ISLANDS};
	works(cs_mesh_generate(&recipe, NULL, &mesh), "%s is generated", mesh_kind_name(kind));
	works(cs_nanite_build(mesh, &settings, NULL, NULL, &ret->resource), "it is built");
	cs_mesh_free(mesh);
	works(cs_model_of_resource(ret->resource, "mesh", NULL, &model), "it becomes a model");
	works(cs_inspector_new(&ret->inspector), "an inspector");
	works(cs_inspector_add(ret->inspector, model), "takes it");
	works(cs_pager_new(ret->inspector, NULL, &ret->pager), "a pager");
	ret->model = model;
	for (unsigned i = 0; model && i < 3; i++)
		ret->size = fmax(ret->size, (double)model->max[i] - (double)model->min[i]);
	return ret->pager;
}

static void unmake(struct made *made)
{
	cs_pager_free(made->pager);
	cs_inspector_free(made->inspector);
	cs_nanite_free(made->resource);
}

__attribute__((format(printf, 2, 3))) static void input(struct made *made, const char *format, ...)
{
	char text[400];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	struct cs_error *error = cs_pager_input(made->pager, text);
	if (error)
		ok(false, "%s: %s", text, error->message);
	cs_error_free(error);
}

static void frame(struct made *made, uint64_t number)
{
	cs_error_free(cs_pager_frame(made->pager, number, number * FRAME_NS, FRAME_NS));
}

static bool drawn(const struct made *made, size_t cluster)
{
	return cs_pager_cluster(made->pager, cluster) != CS_CLUSTER_HIDDEN;
}

/* ---- what must hold in every frame ---- */

/* Returns whether exactly one cluster is drawn on every way from the root down to level 0. */
static bool drawn_once(const struct made *made, uint8_t *above)
{
	const struct cs_model *m = made->model;
	for (size_t i = 0; i < m->n_groups; i++) {
		uint32_t g = m->group_order[i];
		const struct cs_model_group *group = &m->groups[g];
		above[g] = 0;
		for (uint32_t k = 0; k < group->n_parents; k++) {
			uint32_t parent = m->parents[group->first_parent + k];
			uint8_t one =
				(uint8_t)(above[m->clusters[parent].group] + drawn(made, parent));
			if (k && one != above[g])
				return false;
			above[g] = one;
		}
		if (above[g] > 1)
			return false;
	}
	for (size_t i = 0; i < m->n_clusters; i++) {
		const struct cs_model_cluster *c = &m->clusters[i];
		unsigned n = above[c->group] + drawn(made, i);
		if (n > 1 || (n == 0 && c->maker == CS_NONE))
			return false;
	}
	return true;
}

static uint64_t hash_point(const float *at)
{
	uint64_t hash = 14695981039346656037u;
	for (unsigned i = 0; i < 3; i++) {
		float zero = at[i] + 0.0f;
		uint32_t bits;
		memcpy(&bits, &zero, 4);
		hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

/* Returns whether each directed edge of the drawn clusters has its reverse. */
static bool is_closed(const struct made *made)
{
	const struct cs_model *m = made->model;
	uint64_t forth = 0, back = 0;
	for (size_t i = 0; i < m->n_clusters; i++) {
		const struct cs_model_cluster *c = &m->clusters[i];
		for (uint32_t t = 0; drawn(made, i) && t < c->n_triangles; t++) {
			const uint8_t *k = m->corners + 3 * ((size_t)c->first_triangle + t);
			for (unsigned e = 0; e < 3; e++) {
				size_t a = c->first_vertex + k[e];
				size_t b = c->first_vertex + k[(e + 1) % 3];
				uint64_t from = hash_point(m->positions + 3 * a);
				uint64_t to = hash_point(m->positions + 3 * b);
				forth += (from * 31 + to) * UINT64_C(0xd6e8feb86659fd93) ^ to;
				back += (to * 31 + from) * UINT64_C(0xd6e8feb86659fd93) ^ from;
			}
		}
	}
	return forth == back;
}

/* Compares every group with the flat rule, which needs no hierarchy. */
static bool as_the_twin(const struct made *made)
{
	const struct cs_model *m = made->model;
	const struct cs_pager *p = made->pager;
	const struct cs_nanite_view view = cs_run_view(p, &p->cameras.at[0], &p->instances.at[0]);
	for (size_t i = 0; i < m->n_clusters; i++) {
		const struct cs_model_cluster *c = &m->clusters[i];
		const struct cs_model_group *g = &m->groups[c->group];
		bool wanted =
			!cs_nanite_acceptable(&view, g->max_parent_error, g->centre, g->radius);
		bool fine = cs_nanite_acceptable(&view, c->lod_error, c->lod_centre, c->lod_radius);
		bool leaf = c->maker == CS_NONE || !p->effective[c->maker];
		if (drawn(made, i) != (wanted && p->effective[c->group] && (fine || leaf)))
			return false;
	}
	return true;
}

/* Compares the states that were updated page by page with states derived from the loaded pages. */
static bool as_derived(const struct made *made, struct cs_pager *other)
{
	const struct cs_pager *p = made->pager;
	const void *bytes;
	size_t n;
	cs_error_free(cs_pager_save(made->pager, &bytes, &n));
	cs_error_free(cs_pager_restore(other, bytes, n));
	return memcmp(p->loaded, other->loaded, p->n_parts) == 0 &&
	       memcmp(p->leaf, other->leaf, p->n_clusters) == 0 &&
	       memcmp(p->effective, other->effective, p->n_groups) == 0;
}

/*
 * Returns whether the library calls exactly those loaded pages stranded that have a part without a
 * group, or with a group that does not count as loaded, and whether it counts them.
 */
static bool stranded_as_counted(const struct made *made, const struct cs_page_frame *now)
{
	const struct cs_model *m = made->model;
	uint32_t stranded = 0;
	bool same = true;
	for (uint32_t page = 0; page < m->n_pages; page++) {
		struct cs_page_status status = cs_pager_page(made->pager, page);
		const struct cs_model_page *row = &m->pages[page];
		uint32_t missing = 0;
		for (uint32_t i = row->first_part; i < row->first_part + row->n_parts; i++)
			missing += m->parts[i].group == CS_NONE ||
				   !made->pager->effective[m->parts[i].group];
		if (status.state != CS_PAGE_RESIDENT || row->root)
			continue;
		same = same && status.stranded == (missing > 0);
		stranded += missing > 0;
	}
	return same && stranded == now->stranded;
}

/* ---- walks ---- */

static void move_camera(struct made *made, struct cs_random *random)
{
	double at[3], distance = made->size * exp2(cs_random_range(random, -1, 1));
	for (unsigned i = 0; i < 3; i++)
		at[i] = cs_random_range(random, -1, 1) * distance;
	input(made, "camera Main fixed %g %g %g 0 0 0 60 1080 1.78 0.1", at[0], at[1], at[2]);
}

static void disturb(struct made *made, struct cs_random *random)
{
	if (cs_random_below(random, 10) == 0)
		move_camera(made, random);
	if (cs_random_below(random, 40) == 0)
		input(made, "set pool %u", cs_random_below(random, 16));
	if (cs_random_below(random, 4) == 0)
		input(made, "request 0 %u",
			cs_random_below(random, (uint32_t)made->model->n_pages));
	if (cs_random_below(random, 3) == 0) {
		char text[40];
		snprintf(text, sizeof(text), "evict 0 %u",
			cs_random_below(random, (uint32_t)made->model->n_pages));
		cs_error_free(cs_pager_input(made->pager, text));
	}
}

static uint64_t walk(struct made *made, uint64_t seed)
{
	struct cs_random random = {seed};
	uint8_t *above = calloc(made->model->n_groups + 1, 1);
	struct cs_pager *other;
	bool once = true, closed = true, twin = true, derived = true, counted = true, fits = true;
	uint32_t used = 0;
	uint64_t overlaps = 0, stranded = 0, installs = 0, evictions = 0;
	works(cs_pager_new(made->inspector, NULL, &other), "a second pager");
	input(made, "set cull 0");
	input(made, "set latency %g", cs_random_range(&random, 0, 0.1));
	input(made, "set bandwidth %g", cs_random_range(&random, 5e6, 2e7));
	input(made, "set pool 5");
	input(made, "set threshold 8");
	move_camera(made, &random);
	for (uint64_t f = 1; f <= FRAMES; f++) {
		disturb(made, &random);
		frame(made, f);
		const struct cs_page_frame *now = cs_pager_frame_at(made->pager, f);
		once = once && drawn_once(made, above);
		closed = closed && (!made->closed || f % tap_every() || is_closed(made));
		twin = twin && as_the_twin(made);
		derived = derived && as_derived(made, other);
		/* a pool that became smaller may keep pages that cannot leave, but gets no more */
		fits = fits && (now->used <= used || now->used <= made->pager->settings.pool);
		used = now->used;
		counted = counted && stranded_as_counted(made, now);
		overlaps += now->overlaps;
		stranded += now->stranded;
		installs += now->installed;
		evictions += now->evicted;
	}
	ok(once, "every piece of the surface is drawn once in all frames");
	ok(closed, "a closed mesh stays closed in all frames");
	ok(twin, "a walk through all groups draws the same in all frames");
	ok(derived, "both rules follow from the pages that are there, in all frames");
	ok(fits, "no page is asked for that has no slot in the pool");
	ok(counted, "stranded are the pages with a group that does not count, in all frames");
	diag("%" PRIu64 " installs, %" PRIu64 " evictions; stranded %" PRIu64
	     ", the literal rule overlaps %" PRIu64,
		installs, evictions, stranded, overlaps);
	cs_pager_free(other);
	free(above);
	return overlaps;
}

/* ---- the ends ---- */

static void check_rest(struct made *made)
{
	uint32_t *cut = NULL;
	size_t n = 0, at = 0;
	bool same = true;
	struct cs_nanite_contents *contents;
	input(made, "set pool 100000");
	input(made, "set latency 0");
	input(made, "set bandwidth 0");
	input(made, "set threshold 1");
	for (uint64_t f = FRAMES + 1; f < FRAMES + 40; f++)
		frame(made, f);
	const struct cs_page_frame *now = cs_pager_frame_at(made->pager, FRAMES + 39);
	ok(now->stable, "with room for all it comes to rest");
	const struct cs_nanite_view view = cs_run_view(
		made->pager, &made->pager->cameras.at[0], &made->pager->instances.at[0]);
	works(cs_nanite_decode(made->resource, NULL, &contents), "decoded");
	works(cut_of_view(contents, &view, &cut, &n), "and cut");
	for (size_t i = 0; i < made->model->n_clusters; i++) {
		bool inside = at < n && cut[at] == i;
		at += inside;
		same = same && inside == drawn(made, i);
	}
	ok(same, "there it draws what is drawn of a resource that is there whole");
	free(cut);
	cs_nanite_contents_free(contents);
}

static void check_monotone(struct made *made)
{
	uint32_t before = UINT32_MAX;
	bool fewer = true;
	uint64_t f = FRAMES + 40;
	input(made, "set threshold 0.25");
	for (unsigned i = 0; i < 20; i++)
		frame(made, f++);
	for (unsigned i = 0; i < 12; i++) {
		input(made, "set threshold %g", exp2((double)i - 2));
		frame(made, f);
		uint32_t now = cs_pager_frame_at(made->pager, f++)->triangles;
		fewer = fewer && now <= before;
		before = now;
	}
	ok(fewer, "a larger threshold never draws more triangles");
	input(made, "set threshold 1");
}

static void check_empty(struct made *made)
{
	struct cs_pager *p;
	bool root = true;
	works(cs_pager_new(made->inspector, NULL, &p), "another pager");
	cs_error_free(cs_pager_input(p, "set pool 0"));
	cs_error_free(cs_pager_input(p, "set cull 0"));
	cs_error_free(cs_pager_input(p, "camera A fixed 1 2 3 0 0 0 60 1080 1 0.1"));
	for (uint64_t f = 1; f < 20; f++)
		cs_error_free(cs_pager_frame(p, f, f * FRAME_NS, FRAME_NS));
	for (size_t i = 0; i < made->model->n_clusters; i++)
		root = root && (cs_pager_cluster(p, i) == CS_CLUSTER_HIDDEN ||
				       made->model->pages[made->model->clusters[i].page].root);
	ok(root && cs_pager_frame_at(p, 19)->clusters > 0, "without a pool the root page is drawn");
	cs_pager_free(p);
}

/* A run that goes on from a saved state is the same, frame by frame. */
static void check_saved(struct made *made)
{
	struct cs_pager *other;
	const void *bytes, *others;
	size_t n, n_others;
	bool same = true;
	works(cs_pager_new(made->inspector, NULL, &other), "a pager to go on with");
	input(made, "set pool 4");
	input(made, "set latency 0.1");
	input(made, "camera Main orbit %g 0 20 0 0 0 60 1080 1.78 0.1 3", made->size);
	input(made, "camera Trip path 50 720 1.5 0.5 2 1 %g 2 3 0 0 0 4 5 %g 0 0 1 4 9 1 0 0 0",
		made->size, made->size);
	for (uint64_t f = 1000; f < 1060; f++) {
		frame(made, f);
		if (f == 1020) {
			cs_error_free(cs_pager_save(made->pager, &bytes, &n));
			works(cs_pager_restore(other, bytes, n), "what was saved is read");
		}
		if (f <= 1020)
			continue;
		cs_error_free(cs_pager_frame(other, f, f * FRAME_NS, FRAME_NS));
		cs_error_free(cs_pager_save(made->pager, &bytes, &n));
		cs_error_free(cs_pager_save(other, &others, &n_others));
		same = same && n == n_others && memcmp(bytes, others, n) == 0;
	}
	ok(same, "and goes on as the other does, to the byte");
	struct cs_error *error = cs_pager_restore(other, bytes, n / 2);
	ok(error, "half of a state is refused");
	cs_error_free(error);
	cs_pager_free(other);
	input(made, "uncamera Trip");
}

/* ---- where cameras are ---- */

static double between(double a, double b, double part)
{
	return a + (b - a) * part;
}

/* Returns a spline of Catmull and Rom at t after its second key, as Barry and Goldman do. */
static double spline_by_lines(const double key[4], double t)
{
	const double a = between(key[0], key[1], t + 1), b = between(key[1], key[2], t),
		     c = between(key[2], key[3], t - 1);
	return between(between(a, b, (t + 1) / 2), between(b, c, t / 2), t);
}

static double axis_of(const struct cs_camera_key *key, int axis)
{
	const double axes[] = {
		key->eye.x, key->eye.y, key->eye.z, key->target.x, key->target.y, key->target.z};
	return axes[axis];
}

/*
 * Counts the coordinates of a camera on a path that equal those of a curve that is computed here,
 * with keys at equal times and the ends doubled.
 */
static size_t keys_followed(const struct cs_run_camera *camera, double seconds)
{
	const struct cs_camera *c = &camera->camera;
	struct cs_run_camera moved = *camera;
	double part = (seconds - c->start) / c->period;
	part = c->loop ? part - floor(part) : part < 0 ? 0 : part > 1 ? 1 : part;
	const double at = part * (c->n_keys - 1.0), first = floor(at);
	size_t right = 0;
	cs_run_camera_move(&moved, (uint64_t)llround(seconds * 1e9));
	for (int axis = 0; axis < 6; axis++) {
		double keys[4];
		for (int k = 0; k < 4; k++) {
			double row = fmin(fmax(first - 1 + k, 0), c->n_keys - 1.0);
			keys[k] = axis_of(&camera->keys[(size_t)row], axis);
		}
		right += fabs(axis_of(&moved.place, axis) - spline_by_lines(keys, at - first)) <
			 1e-6;
	}
	return right;
}

static void check_paths(struct made *made)
{
	struct cs_random random = {17};
	size_t right = 0, asked = 0;
	for (int n = 1; n < 7; n++)
		for (int loop = 0; loop < 2; loop++) {
			struct cs_run_camera camera;
			char text[1000];
			int length =
				snprintf(text, sizeof(text), "Trip path 50 720 1.5 0.5 3 %d", loop);
			for (int i = 0; i < 6 * n; i++)
				length += snprintf(text + length, sizeof(text) - (size_t)length,
					" %.3f", cs_random_range(&random, -50, 50));
			works(cs_run_camera_parse(made->pager, text, &camera), "a trip of %d", n);
			camera.camera.start = 1;
			for (int i = 0; i < 50; i++, asked += 6)
				right += keys_followed(&camera, 0.17 * i);
			free(camera.keys);
		}
	is_int(right, asked, "a path goes through its keys as it would by straight lines");
}

/* A camera on an orbit keeps its height and distance, and returns after each period. */
static void check_orbit(struct made *made)
{
	struct cs_run_camera camera;
	size_t right = 0;
	works(cs_run_camera_parse(
		      made->pager, "Orbit orbit 30 40 7 10 20 5 60 1080 1.78 0.1 4", &camera),
		"an orbit");
	camera.camera.start = 0;
	for (int i = 0; i < 16; i++) {
		const double angle = atan2(20, 20) + i * acos(-1.0) / 4;
		cs_run_camera_move(&camera, (uint64_t)i * 500000000);
		const struct cs_vec3 eye = camera.place.eye;
		right += fabs(eye.x - (10 + sqrt(800) * cos(angle))) < 1e-6 &&
			 fabs(eye.y - (20 + sqrt(800) * sin(angle))) < 1e-6 && eye.z == 7;
	}
	is_int(right, 16, "an orbit is where its angle says");
}

/* The cone of a camera reaches the corners of its picture. */
static void check_cone(struct made *made)
{
	struct cs_run_camera camera;
	works(cs_run_camera_parse(made->pager, "A fixed 0 0 0 10 0 0 90 1000 2 0.1", &camera),
		"a camera of 90 degrees");
	cs_run_camera_move(&camera, 0);
	/* at 1 ahead the picture reaches 1 up and 2 aside */
	ok(fabs(camera.cone - 1 / sqrt(6)) < 1e-12 && camera.forward.x == 1,
		"its cone reaches the corners");
}

/* A camera without a target looks at the middle of the resources. */
static void check_middle(const struct made *made)
{
	struct cs_inspector *empty = NULL;
	const struct cs_model *m = made->model;
	const struct cs_vec3 middle = cs_inspector_models(made->inspector).middle;
	ok(fabs(middle.x - (double)(m->min[0] + m->max[0]) / 2) < 1e-3 &&
			fabs(middle.y - (double)(m->min[1] + m->max[1]) / 2) < 1e-3 &&
			fabs(middle.z - (double)(m->min[2] + m->max[2]) / 2) < 1e-3 &&
			m->max[0] > m->min[0],
		"the middle of one mesh is that of its box");
	works(cs_inspector_new(&empty), "an inspector");
	const struct cs_vec3 nowhere = cs_inspector_models(empty).middle;
	ok(nowhere.x == 0 && nowhere.y == 0 && nowhere.z == 0, "the middle of nothing is 0,0,0");
	cs_inspector_free(empty);
}

/* ---- where the rules part ---- */

/*
 * Loads a page and the pages that its list names, with no room for more. Returns the most overlaps
 * of a frame, and adds up the stranded pages.
 */
static uint32_t overlaps_with(const struct made *made, uint32_t page, uint32_t *stranded)
{
	uint32_t *listed, most = 0;
	struct cs_pager *p;
	char text[60];
	size_t n;
	cs_error_free(cs_model_closure(made->model, page, CS_CLOSURE_LISTED, &listed, &n));
	free(listed);
	cs_error_free(cs_pager_new(made->inspector, NULL, &p));
	snprintf(text, sizeof(text), "set pool %zu", n - 1);
	cs_error_free(cs_pager_input(p, text));
	cs_error_free(cs_pager_input(p, "set cull 0"));
	cs_error_free(cs_pager_input(p, "set latency 0"));
	cs_error_free(cs_pager_input(p, "camera A fixed 1 2 3 0 0 0 60 1080 1 0.1"));
	snprintf(text, sizeof(text), "request 0 %u", page);
	for (uint64_t f = 1; f < 6; f++) {
		cs_error_free(cs_pager_input(p, text));
		cs_error_free(cs_pager_frame(p, f, f * FRAME_NS, FRAME_NS));
		const struct cs_page_frame *now = cs_pager_frame_at(p, f);
		most = now->overlaps > most ? now->overlaps : most;
		*stranded += now->stranded;
	}
	cs_pager_free(p);
	return most;
}

static void check_overlaps(const struct made *made)
{
	const struct cs_model *m = made->model;
	uint32_t overlaps = 0, stranded = 0, pages = 0;
	for (size_t i = 0; i < m->n_needs; i++) {
		const struct cs_model_need *need = &m->needs[i];
		if (!(need->why & CS_NEED_PARENT_GROUP) || need->why & CS_NEED_PARENTS ||
			m->pages[need->needs].root)
			continue;
		pages++;
		overlaps += overlaps_with(made, need->page, &stranded);
	}
	diag("%u pages whose list leaves out part of a group of parents", pages);
	ok(pages && overlaps, "with one of them the literal rule draws %u clusters twice",
		overlaps);
	ok(stranded, "which the effective rule leaves out: the page is stranded");
}

/* Each need counts the cluster fixups of its page whose target is in the needed page. */
static void check_need_fixups(const struct cs_model *model)
{
	size_t wrong = 0, within = 0;
	for (size_t i = 0; i < model->n_needs; i++) {
		const struct cs_model_need *need = &model->needs[i];
		uint32_t n = 0;
		for (size_t k = 0; k < model->n_fixups; k++) {
			const struct cs_model_fixup *fixup = &model->fixups[k];
			const bool own =
				fixup->kind == CS_MODEL_FIXUP_CLUSTER && fixup->page == need->page;
			n += own && fixup->target_page == need->needs;
			within += own && fixup->target_page == need->page;
		}
		wrong += need->fixups != n;
	}
	ok(wrong == 0 && within, "needs count fixups in other pages, and %zu are wrong", wrong);
}

/* ---- inputs ---- */

static size_t count_instances(const struct cs_pager *pager)
{
	size_t n = 0;
	while (cs_pager_instance_at(pager, n))
		n++;
	return n;
}

/* As long as nothing is placed, each resource is there once, without a transform. */
static void check_unplaced(const struct made *made)
{
	struct cs_pager *pager;
	works(cs_pager_new(made->inspector, NULL, &pager), "a run by itself");
	size_t n = count_instances(pager);
	bool good = n > 0;
	for (size_t i = 0; i < n; i++) {
		const struct cs_pager_instance *at = cs_pager_instance_at(pager, i);
		static const double none[4] = {0, 0, 0, 1};
		good = good && at->resource == i && at->tag == CS_NONE && at->scale == 1 &&
		       memcmp(&at->rotation, none, sizeof(none)) == 0 &&
		       memcmp(&at->translation, none, 3 * sizeof(*none)) == 0;
	}
	ok(good, "%zu resources are there once, where they were made", n);
	cs_pager_free(pager);
}

static void check_inputs(struct made *made)
{
	static const char *const wrong[] = {"", "jump", "set", "set pool", "set pool -1",
		"set pool 1.5", "set pool nan", "set depth 3", "camera", "camera A",
		"camera A fixed 1 2 3", "camera A fixed 1 2 3 4 5 6 0 100 1 1",
		"camera A fixed 1 2 3 4 5 6 60 100 1 -1", "camera A path 60 100 1 1 1 1",
		"camera A path 60 100 1 1 1 1 1 2 3 4 5", "camera A orbit 1 2 3 4 5 6 60 100 1 1",
		"camera A fixed inf 2 3 4 5 6 60 100 1 1", "uncamera B", "request 0 999999",
		"request 9 0", "request -1 0", "request 0", "evict 0 0", "evict 0 1 2",
		"camera A follow", "camera A follow P 1 2 3 4 5 6 7 8 9 60 100 1",
		("camera A follow P1234567890123456789012345678901234567890123456789012345678901234567890 "
		 "1 2 3 4 5 6 7 8 9 60 100 1 1"),
		"camera A fixed 1 2 3 4 5 6 180 100 1 1", "camera A fixed 1 2 3 4 5 6 60 .5 1 1",
		"camera A fixed 1 2 3 4 5 6 60 100 0 1", "camera A fixed 1 2 3 4 5 6 60 100 101 1",
		"camera A fixed 1 2 3 4 5 6 60 100 1 1 1",
		"camera A orbit 1 2 3 4 5 6 60 100 1 1 -1", "camera A fixes 1 2 3 4 5 6 60 100 1 1",
		"place 0 1 2", "place 0 1 0 0 0 1 1 0 0 1", "place 0 1 0 0 0 0 0 0 1 0", "place 7"};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct cs_error *error = cs_pager_input(made->pager, wrong[i]);
		ok(error, "refused: '%s'", wrong[i]);
		cs_error_free(error);
	}
	/* a line with too few or too many numbers is no camera, whatever its numbers are */
	static const char *const forms[] = {"", "fixes 1 2 3 4 5 6 60 100 1 1", "fixed",
		"fixed 1 2 3 4 5", "fixed 1 2 3 4 5 6", "fixed 1 2 3 4 5 6 60 100 1",
		"fixed 1 2 3 4 5 6 60 100 1 1 1", "orbit 1 2 3 4 5 6 60 100 1 1",
		"orbit 1 2 3 4 5 6 60 100 1 1 5 6", "path", "path 60 100 1 1", "path 60 100 1 1 5",
		"path 60 100 1 1 5 1", "path 60 100 1 1 5 1 1 2 3 4 5 6 7", "follow", "follow P",
		"follow P 1 2", "follow P 1 2 3", "follow P 1 2 3 4 5 6 7 8 9",
		"follow P 1 2 3 4 5 6 7 8 9 60 100 1", "follow P 1 2 3 4 5 6 7 8 9 60 100 1 1 1",
		("follow P1234567890123456789012345678901234567890123456789012345678901234567890 "
		 "1 2 3 4 5 6 7 8 9 60 100 1 1")};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		char text[160];
		snprintf(text, sizeof(text), "camera A %s", forms[i]);
		fails(cs_pager_input(made->pager, text), CS_E_USAGE, "no camera: '%s'", forms[i]);
	}
	/* unit quaternions turn, whichever numbers make them */
	static const char *const turns[] = {"1 0 0 0", "0 1 0 0", "0 0 1 0", "0 0 0 1", "0 0 -1 0",
		".5 .5 .5 .5", ".5 -.5 .5 -.5", ".8 0 .6 0", "0 .8 0 .6", "0 0 .6 .8", ".6 .8 0 0"};
	for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++) {
		char text[60];
		snprintf(text, sizeof(text), "place 0 1 1 2 3 %s 1", turns[i]);
		works(cs_pager_input(made->pager, text), "a turn of %s", turns[i]);
		snprintf(text, sizeof(text), "place 0 1 1 2 3 %s1 1", turns[i]);
		fails(cs_pager_input(made->pager, text), CS_E_SETTING, "none: %s1", turns[i]);
	}
	input(made, "camera B path 50 720 1.5 0.5 10 1 1 2 3 0 0 0 4 5 6 0 0 0");
	char *text = cs_camera_input(cs_pager_camera(made->pager, 1));
	is_text(text, "camera B path 50 720 1.5 0.5 10 1 1 2 3 0 0 0 4 5 6 0 0 0",
		"a camera says how it was made");
	free(text);
	input(made, "uncamera B");
	/* half a turn about each axis is a unit quaternion too */
	input(made, "place 0 1 0 0 0 1 0 0 0 1 2 0 0 0 0 1 0 0 1 3 0 0 0 0 0 1 0 1");
}

/* ---- what commands ask ---- */

/* Places that are written as text and read again are the same, to the bit. */
static void check_placed(struct made *made)
{
	const struct cs_pager_instance places[] = {{.rotation = {0, 0, .6, .8},
							   .translation = {.1, -2e9, 1.0 / 3},
							   .scale = 1e-3,
							   .tag = 7},
		{.rotation = {.5, -.5, .5, -.5}, .translation = {0, 0, 5}, .scale = 40, .tag = 0}};
	const size_t before = count_instances(made->pager);
	char *text = cs_pager_place_input(0, places, 2);
	works(cs_pager_input(made->pager, text), "places: %.30s ...", text);
	free(text);
	size_t n = count_instances(made->pager);
	bool same = n >= 2;
	for (size_t i = 0; same && i < 2; i++) {
		const struct cs_pager_instance *at = cs_pager_instance_at(made->pager, n - 2 + i);
		same = at->resource == 0 && at->tag == places[i].tag &&
		       at->scale == places[i].scale &&
		       memcmp(&at->rotation, &places[i].rotation, sizeof(at->rotation)) == 0 &&
		       memcmp(&at->translation, &places[i].translation, sizeof(at->translation)) ==
			       0;
	}
	ok(same, "places: as they were written, of %zu and %zu", before, n);
}

/* Compares the drawn clusters and missing pages with the answers about each of them. */
static void check_asked(struct made *made)
{
	const struct cs_model *m = made->model;
	uint32_t *drawn_list = malloc((m->n_clusters + 1) * sizeof(*drawn_list));
	uint8_t *coarse = malloc(m->n_clusters + 1);
	uint32_t *missing = malloc((m->n_pages + 1) * sizeof(*missing));
	size_t n = cs_pager_drawn(made->inspector, made->pager, 0, drawn_list, coarse), at = 0,
	       wrong = 0, lacks = 0;
	for (uint32_t i = 0; i < m->n_clusters; i++) {
		enum cs_cluster_state state = cs_pager_cluster(made->pager, i);
		wrong += state != CS_CLUSTER_HIDDEN && (at >= n || drawn_list[at++] != i);
		wrong += coarse[i] != (state == CS_CLUSTER_COARSE);
	}
	ok(n > 0 && at == n && wrong == 0, "drawn: %zu clusters as each says", n);
	for (uint32_t page = 0; page < m->n_pages; page++) {
		struct cs_page_order order;
		uint32_t *closure, blocker = CS_NONE;
		size_t all, k = 0;
		cs_error_free(cs_page_order(made->inspector, made->pager, 0, page, &order));
		cs_error_free(cs_model_closure(m, page, CS_CLOSURE_GROUPS, &closure, &all));
		n = cs_pages_missing(made->inspector, made->pager, 0, closure, all, missing);
		lacks += n;
		for (size_t i = 0; i < n; i++)
			if (missing[i] != page && blocker == CS_NONE)
				blocker = missing[i];
		for (size_t i = 0; i < all; i++) {
			enum cs_page_state state = cs_pager_page(made->pager, closure[i]).state;
			bool there = state == CS_PAGE_ROOT || state == CS_PAGE_RESIDENT;
			bool told = false;
			for (size_t j = 0; j < n; j++)
				told = told || missing[j] == closure[i];
			wrong += told == there;
			wrong += state != CS_PAGE_ROOT &&
				 (k >= order.n || order.pages[k++] != closure[i]);
		}
		wrong += order.blocker != blocker || k != order.n;
		free(closure);
		free(order.pages);
	}
	ok(lacks > 0 && wrong == 0, "missing: %zu pages of closures, and who blocks", lacks);
	is_int(cs_page_state_of(made->inspector, NULL, 0, 0), CS_PAGE_ROOT, "no run: a root page");
	is_int(cs_page_state_of(made->inspector, NULL, 0, (uint32_t)m->n_pages - 1), CS_PAGE_ABSENT,
		"no run: nothing else is there");
	free(drawn_list);
	free(coarse);
	free(missing);
}

/* Tries the sizes of a range; each row equals that of a pool that is tried alone. */
static void check_range(struct made *made)
{
	static const struct {
		uint64_t first, last, step;
		size_t n;
	} ranges[] = {{3, 3, 1, 1}, {0, 11, 1, 12}, {0, 12, 2, 7}, {1, 36, 3, 12}, {5, 4, 1, 0},
		{0, UINT64_MAX, UINT64_MAX / 12 + 1, 12}};
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		struct cs_pager_sweep rows[CS_PAGER_SWEEPS], alone;
		size_t n, wrong = 0;
		works(cs_pager_try_range(made->pager, ranges[i].first, ranges[i].last, 5, FRAME_NS,
			      NULL, rows, &n),
			"pools %" PRIu64 "..%" PRIu64, ranges[i].first, ranges[i].last);
		is_int(n, ranges[i].n, "pools: how many");
		for (size_t k = 0; k < n; k++) {
			double pool = (double)(ranges[i].first + k * ranges[i].step);
			cs_error_free(cs_pager_try(made->pager, pool, 5, FRAME_NS, NULL, &alone));
			wrong += rows[k].pool != pool || rows[k].hits != alone.hits ||
				 rows[k].bytes_read != alone.bytes_read;
			wrong += rows[k].requests == 0
					 ? !isnan(rows[k].hit_rate)
					 : rows[k].hit_rate !=
						   (double)rows[k].hits / (double)rows[k].requests;
		}
		is_int(wrong, 0, "pools: as each alone");
	}
}

int main(void)
{
	static const struct {
		enum cs_mesh_kind kind;
		uint32_t triangles;
	} meshes[] = {{CS_MESH_NOISE, 120000}, {CS_MESH_SEAMS, 16000}, {CS_MESH_ISLANDS, 50000},
		{CS_MESH_FOLIAGE, 60000}};
	uint64_t overlaps = 0;
	for (size_t i = 0; i < sizeof(meshes) / sizeof(meshes[0]); i++) {
		struct made made;
		if (!make(meshes[i].kind, meshes[i].triangles, &made))
			return done();
		overlaps += walk(&made, 7 + i);
		check_rest(&made);
		check_monotone(&made);
		check_empty(&made);
		check_saved(&made);
		if (i == 0) {
			check_unplaced(&made);
			check_inputs(&made);
			check_paths(&made);
			check_orbit(&made);
			check_cone(&made);
			check_middle(&made);
			check_placed(&made);
			input(&made, "camera A fixed %g 0 0 0 0 0 60 1080 1 1", made.size);
			frame(&made, 1000);
			frame(&made, 1001);
			check_asked(&made);
			check_range(&made);
		}
		if (meshes[i].kind == CS_MESH_FOLIAGE) {
			check_overlaps(&made);
			check_need_fixups(made.model);
		}
		unmake(&made);
	}
	diag("the literal rule drew %" PRIu64 " clusters twice in all walks", overlaps);
	return done();
}
