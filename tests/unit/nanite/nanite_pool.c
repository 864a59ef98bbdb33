/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools that are too small, and meshes of any size. A pool that shrinks while it is in use comes to
 * hold and draw what one does that was so small from the beginning; quality falls, and is told to
 * fall, where that is asked for alone; a mesh as large as a hand or as a mountain, seen from as far
 * in its own measure, is drawn the same.
 */
#include "nanite/inspect/model_inside.h"
#include "nanite/paging/pager_inside.h"
#include "tests/samples/tap.h"

#include <cellscope/mesh.h>
#include <cellscope/paging.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STILL = 60, FRAME_NS = 16666667 };

/* ---- what is made ---- */

struct scene {
	struct cs_nanite *resource;
	struct cs_inspector *inspector;
	const struct cs_model *model;
};

/*
 * Begins with a noisy sphere that is 2^power times as large, on a grid that is as many times
 * coarser.
 */
static bool begin(struct scene *scene, int power)
{
	const struct cs_mesh_recipe recipe = {CS_MESH_NOISE, 120000, 11};
	struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_mesh *mesh = NULL, *scaled = NULL;
	struct cs_model *model = NULL;
	works(cs_mesh_generate(&recipe, NULL, &mesh), "a mesh");
	struct cs_mesh_view view = cs_mesh_view(mesh);
	float *positions = malloc((size_t)view.n_vertices * 3 * sizeof(*positions));
	for (size_t i = 0; positions && i < (size_t)view.n_vertices * 3; i++)
		positions[i] = ldexpf(view.positions[i], power);
	view.positions = positions;
	settings.position_precision = 8 - power;
	works(cs_mesh_from_arrays(&view, NULL, NULL, &scaled), "times 2^%d", power);
	works(cs_nanite_build(scaled, &settings, NULL, NULL, &scene->resource), "is built");
	works(cs_model_of_resource(scene->resource, "mesh", NULL, &model), "becomes a model");
	works(cs_inspector_new(&scene->inspector), "an inspector");
	works(cs_inspector_add(scene->inspector, model), "takes it");
	scene->model = model;
	cs_mesh_free(mesh);
	cs_mesh_free(scaled);
	free(positions);
	return model;
}

static void end(struct scene *scene)
{
	cs_inspector_free(scene->inspector);
	cs_nanite_free(scene->resource);
}

/* ---- runs ---- */

struct run {
	struct cs_pager *pager;
	uint64_t frame;
	unsigned drops;
};

static void count_drops(void *context, enum cs_page_event event, uint32_t resource, uint32_t page)
{
	(void)resource;
	(void)page;
	((struct run *)context)->drops += event == CS_PAGE_QUALITY_DROP;
}

static void say(struct run *run, const char *text)
{
	struct cs_error *error = cs_pager_input(run->pager, text);
	if (error)
		ok(false, "%s: %s", text, error->message);
	cs_error_free(error);
}

static void set_pool(struct run *run, unsigned pool)
{
	char text[40];
	snprintf(text, sizeof(text), "set pool %u", pool);
	say(run, text);
}

/* Sets a camera beside the mesh, at `away` diagonals of its box from the middle. */
static void set_out(struct run *run, const struct scene *scene, unsigned pool, double away)
{
	const float *least = scene->model->min, *most = scene->model->max;
	double middle[3], square = 0;
	struct cs_camera camera = {.name = "A", .fov = 60, .height = 1080, .aspect = 1.5};
	char *text;
	*run = (struct run){0};
	const struct cs_pager_owner owner = {run, count_drops, NULL};
	works(cs_pager_new(scene->inspector, &owner, &run->pager), "a run, pool %u", pool);
	for (unsigned axis = 0; axis < 3; axis++) {
		const double side = (double)most[axis] - (double)least[axis];
		middle[axis] = ((double)most[axis] + (double)least[axis]) / 2;
		square += side * side;
	}
	camera.target = (struct cs_vec3){middle[0], middle[1], middle[2]};
	camera.eye = camera.target;
	camera.eye.x += away * sqrt(square);
	text = cs_camera_input(&camera);
	set_pool(run, pool);
	say(run, text);
	free(text);
}

static const struct cs_page_frame *step(struct run *run, unsigned frames)
{
	while (frames-- > 0) {
		run->frame++;
		cs_error_free(
			cs_pager_frame(run->pager, run->frame, run->frame * FRAME_NS, FRAME_NS));
	}
	return cs_pager_frame_at(run->pager, run->frame);
}

static size_t differing(const struct scene *scene, const struct run *a, const struct run *b)
{
	size_t n = 0;
	for (size_t page = 0; page < scene->model->n_pages; page++)
		n += cs_pager_page(a->pager, page).state != cs_pager_page(b->pager, page).state;
	for (size_t c = 0; c < scene->model->n_clusters; c++)
		n += cs_pager_cluster(a->pager, c) != cs_pager_cluster(b->pager, c);
	return n;
}

/* ---- what must hold ---- */

/*
 * Shrinks a pool step by step to every size: it then has the pages of a pool that always had this
 * size.
 */
static void check_shrinking(const struct scene *scene)
{
	struct run live;
	set_out(&live, scene, 4096, 0.55);
	const uint32_t wanted = step(&live, STILL)->pages;
	ok(wanted >= 8, "the view wants %u pages", wanted);
	for (unsigned pool = wanted - 1; pool < wanted; pool--) {
		struct run small;
		set_out(&small, scene, pool, 0.55);
		set_pool(&live, pool);
		const struct cs_page_frame *as = step(&small, STILL), *is = step(&live, STILL);
		is_int(is->used, pool, "pool %u: no more slots are taken", pool);
		is_int(differing(scene, &live, &small), 0, "pool %u: as if always so small", pool);
		ok(is->coarse == as->coarse && is->worst == as->worst && is->evicted == 0,
			"pool %u: %u clusters coarser than wanted in both", pool, as->coarse);
		cs_pager_free(small.pager);
	}
	set_pool(&live, 4096);
	is_int(step(&live, STILL)->missing, 0, "a pool that grows again holds all");
	cs_pager_free(live.pager);
}

/*
 * Up to 5.4 the quality never falls. From 5.5 on it falls once when pages lack room, and rises
 * again with the room.
 */
static void check_quality(const struct scene *scene)
{
	struct run run;
	set_out(&run, scene, 4096, 0.55);
	const uint32_t wanted = step(&run, STILL)->pages, pool = wanted / 2;
	say(&run, "set profile 5.0");
	set_pool(&run, pool);
	const struct cs_page_frame *now = step(&run, STILL);
	ok(now->coarse > 0 && now->quality == 1 && now->dropped > 0,
		"5.0: pages are refused, the threshold stays");
	is_int(run.drops, 0, "5.0: no quality falls, whatever is coarser than wanted");
	say(&run, "set profile 5.5");
	now = step(&run, 4 * STILL);
	ok(now->quality < 1 && now->quality >= 0.3, "5.5: quality falls to %.2f", now->quality);
	ok(now->pages < wanted, "5.5: then %u pages are wanted, %u before", now->pages, wanted);
	is_int(run.drops, 1, "5.5: it is told once");
	set_pool(&run, 4096);
	is_int(step(&run, 4 * STILL)->quality == 1, true, "with room it comes back");
	set_pool(&run, pool);
	step(&run, 4 * STILL);
	is_int(run.drops, 2, "and is told again when it falls again");
	fails(cs_pager_input(run.pager, "set profile 4.27"), CS_E_SETTING, "no such profile");
	cs_pager_free(run.pager);
}

/* The sums over a run equal the sums of its frames, added here. */
static void check_sums(const struct scene *scene)
{
	struct run run;
	unsigned read = 0, left = 0, thrash = 0;
	set_out(&run, scene, 3, 0.55);
	for (unsigned i = 0; i < 200; i++) {
		if (i % 20 == 10)
			say(&run, i % 40 == 10 ? "set threshold 50" : "set threshold 1");
		if (i % 40 == 15)
			set_pool(&run, i % 80 == 15 ? 0 : 3);
		const struct cs_page_frame *now = step(&run, 1);
		read += i >= 50 ? now->issued : 0;
		left += i >= 50 ? now->evicted : 0;
		thrash += i >= 50 ? now->thrash : 0;
	}
	const struct cs_page_frame sum = cs_pager_sum(run.pager, 50);
	ok(left > 0 && sum.issued == read && sum.evicted == left && sum.thrash == thrash,
		"sums: %u read, %u left, %u again", read, left, thrash);
	is_int(cs_pager_sum(run.pager, UINT64_MAX).issued, 0, "sums: of no frame");
	cs_pager_free(run.pager);
}

/* A read that takes no time is complete in the frame after the one in which it began. */
static void check_instant(const struct scene *scene)
{
	struct run run;
	set_out(&run, scene, 4096, 0.55);
	say(&run, "set latency 0");
	const struct cs_page_frame *begins = step(&run, 2), *ends = step(&run, 1);
	ok(begins->issued > 0 && begins->installed == 0 && begins->loading == begins->issued,
		"no time: %u pages are being read", begins->issued);
	is_int(ends->installed, begins->issued, "no time: all are there in the next frame");
	cs_pager_free(run.pager);
	set_out(&run, scene, 4096, 0.55);
	say(&run, "set pending 1");
	say(&run, "set bandwidth 1");
	is_int(step(&run, 2)->loading, 1, "one byte a second: a page is being read");
	say(&run, "set pending 128");
	say(&run, "set bandwidth 0");
	const uint64_t soon = step(&run, 1)->time + 1000000000;
	unsigned reads = 0, late = 0;
	for (size_t page = 0; page < scene->model->n_pages; page++) {
		const struct cs_page_status status = cs_pager_page(run.pager, page);
		reads += status.state == CS_PAGE_LOADING;
		late += status.state == CS_PAGE_LOADING && status.ready > soon;
	}
	ok(reads > 1 && late == 1, "no limit: no other of %u reads waits for it", reads);
	cs_pager_free(run.pager);
}

/* A page that a command evicts is counted by the frame in which it leaves. */
static void check_evicted(const struct scene *scene)
{
	struct run run;
	char text[40];
	unsigned left = 0;
	set_out(&run, scene, 4096, 0.55);
	const struct cs_page_frame *now = step(&run, STILL);
	const uint32_t used = now->used;
	const void *bytes;
	size_t n, n_before;
	works(cs_pager_save(run.pager, &bytes, &n_before), "by hand: the state before is saved");
	unsigned char *before = malloc(n_before);
	memcpy(before, bytes, n_before);
	for (size_t page = scene->model->n_pages; page-- > 0 && left < 2;) {
		snprintf(text, sizeof(text), "evict 0 %zu", page);
		struct cs_error *error = cs_pager_input(run.pager, text);
		left += !error;
		cs_error_free(error);
	}
	is_int(left, 2, "by hand: two pages leave");
	ok(now->evicted == left && now->used == used - left, "by hand: their frame counts %u",
		now->evicted);
	unsigned stranded = 0;
	for (size_t page = 0; page < scene->model->n_pages; page++) {
		const struct cs_page_status status = cs_pager_page(run.pager, page);
		stranded += status.state == CS_PAGE_RESIDENT && status.stranded;
	}
	is_int(now->stranded, stranded, "by hand: as many are stranded as pages say");
	works(cs_pager_save(run.pager, &bytes, &n), "by hand: the state is saved");
	unsigned char *after = malloc(n);
	memcpy(after, bytes, n);
	works(cs_pager_restore(run.pager, before, n_before),
		"by hand: the state before is restored");
	ok(now->evicted == 0 && now->used == used, "by hand: the frame counts none again");
	works(cs_pager_restore(run.pager, after, n), "by hand: and the one after it");
	ok(now->evicted == left && now->used == used - left, "by hand: it counts them again");
	free(before);
	free(after);
	now = step(&run, 1);
	ok(now->evicted == 0 && now->issued == left, "by hand: the next frame reads them again");
	cs_pager_free(run.pager);
}

/* What comes after a frame does not change what the frame drew, also not in a saved state. */
static void check_moved_after(const struct scene *scene)
{
	struct run run, other;
	const void *bytes;
	size_t n;
	set_out(&run, scene, 4096, 0.55);
	set_out(&other, scene, 4096, 0.55);
	step(&run, STILL);
	say(&run, "camera A fixed 1e6 0 0 0 0 0 60 1080 1.5 0");
	say(&run, "set threshold 9");
	works(cs_pager_save(run.pager, &bytes, &n), "after: the state is saved");
	works(cs_pager_restore(other.pager, bytes, n), "after: and restored");
	is_int(differing(scene, &run, &other), 0, "after: as many clusters are drawn in both");
	cs_pager_free(run.pager);
	cs_pager_free(other.pager);
}

/* Sizes are right also within the mesh, where no distance is smaller than the near plane. */
static void check_sizes(const struct scene *scene)
{
	static const int powers[] = {-10, 10};
	static const double away[] = {4, 0.6, 0.4, 0.1, 0};
	for (unsigned i = 0; i < 2; i++) {
		struct scene other;
		if (!begin(&other, powers[i]))
			return;
		for (unsigned k = 0; k < sizeof(away) / sizeof(away[0]); k++) {
			struct run here, there;
			set_out(&here, scene, 4096, away[k]);
			set_out(&there, &other, 4096, away[k]);
			const struct cs_page_frame *a = step(&here, STILL),
						   *b = step(&there, STILL);
			ok(a->clusters == b->clusters && a->triangles == b->triangles &&
					a->pages == b->pages && a->coarse == b->coarse,
				"2^%d, %g away: %u clusters, %u pages as of the mesh itself",
				powers[i], away[k], b->clusters, b->pages);
			cs_pager_free(here.pager);
			cs_pager_free(there.pager);
		}
		ok(cs_model_near(other.model) == ldexp(cs_model_near(scene->model), powers[i]),
			"2^%d: its near distance is that many times as far", powers[i]);
		end(&other);
	}
}

/*
 * The cost at a distance equals what a run draws and holds in the end with a camera at that
 * distance.
 */
static void check_costs(const struct scene *scene)
{
	enum { STEPS = 7 };
	const struct cs_model *m = scene->model;
	const struct cs_nanite_view view = {
		.near = cs_model_near(m), .pixels = cs_nanite_pixels(60, 1080), .threshold = 1};
	struct cs_model_cost costs[STEPS];
	uint64_t fewest = UINT64_MAX;
	works(cs_model_costs(m, &view, 0.5, 5000, STEPS, costs), "costs");
	for (unsigned i = 0; i < STEPS; i++) {
		struct run run;
		set_out(&run, scene, 4096, 0);
		const struct cs_camera camera = {.name = "A",
			.eye = {(double)m->max[0] + costs[i].distance,
				((double)m->min[1] + (double)m->max[1]) / 2,
				((double)m->min[2] + (double)m->max[2]) / 2},
			.fov = 60,
			.height = 1080,
			.aspect = 1};
		char *text = cs_camera_input(&camera);
		say(&run, text);
		say(&run, "set cull 0");
		free(text);
		const struct cs_page_frame *now = step(&run, STILL);
		ok(now->clusters == costs[i].clusters && now->triangles == costs[i].triangles &&
				now->used == costs[i].pages &&
				costs[i].pool_bytes == 131072 * (uint64_t)now->used,
			"%g away: %u clusters, %u pages as in a run", costs[i].distance,
			costs[i].clusters, costs[i].pages);
		ok(costs[i].triangles <= fewest, "no more than from nearer");
		fewest = costs[i].triangles;
		cs_pager_free(run.pager);
	}
	is_double(costs[0].distance, 0.5, "from the first");
	ok(fabs(costs[3].distance - 50) < 1e-9, "in the middle ten times ten times as far");
	is_double(costs[STEPS - 1].distance, 5000, "to the last");
	fails(cs_model_costs(m, &view, 0, 1, 2, costs), CS_E_SETTING, "not from 0");
	fails(cs_model_costs(m, &view, 1, INFINITY, 2, costs), CS_E_SETTING, "not without end");
	fails(cs_model_costs(m, &view, 2, 1, 2, costs), CS_E_SETTING, "not backwards");
	fails(cs_model_costs(m, &view, 1, 2, 1, costs), CS_E_SETTING, "not one alone");
}

int main(void)
{
	struct scene scene;
	if (!begin(&scene, 0))
		return done();
	check_shrinking(&scene);
	check_quality(&scene);
	check_sums(&scene);
	check_instant(&scene);
	check_evicted(&scene);
	check_moved_after(&scene);
	check_sizes(&scene);
	check_costs(&scene);
	end(&scene);
	return done();
}
