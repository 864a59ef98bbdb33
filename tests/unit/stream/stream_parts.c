/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the parts of streaming by themselves: index, sectors, paths, variables, profiles. */
#include "core/geometry.h"
#include "stream/stream_inside.h"
#include "tests/samples/folder.h"
#include "tests/unit/stream/stream_test.h"

#include "core/random.h"
#include "core/sort.h"
#include "format/byte_source.h"
#include "format/save.h"

#include <unistd.h>

/* ---- the index against all boxes ---- */

static int by_id(const void *left, const void *right, void *context)
{
	uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right;
	(void)context;
	return l < r ? -1 : l > r;
}

static struct cs_box random_box(struct cs_random *random, bool flat)
{
	double size = cs_random_range(random, 0, 3000);
	struct cs_vec3 at = {cs_random_range(random, -50000, 50000),
		cs_random_range(random, -50000, 50000), cs_random_range(random, -9000, 9000)};
	struct cs_box box = {
		at, {at.x + size, at.y + cs_random_range(random, 0, 2 * size), at.z + size}};
	if (flat) {
		box.min.z = -INFINITY;
		box.max.z = INFINITY;
	}
	return box;
}

static bool same_answer(const struct cs_rtree *index, const struct cs_box *boxes, size_t n,
	const struct cs_ball *ball, size_t *hits)
{
	cs_ids ids = {0};
	size_t found = 0;
	bool same = cs_rtree_query(index, ball, &ids);
	cs_sort(ids.at, ids.n, sizeof(*ids.at), by_id, NULL);
	for (size_t i = 0; i < n; i++) {
		double d2 = cs_box_distance2(&boxes[i], ball->centre, ball->flat);
		if (ball->strict ? d2 >= ball->radius2 : d2 > ball->radius2)
			continue;
		same = same && found < ids.n && ids.at[found] == i;
		found++;
	}
	same = same && found == ids.n;
	*hits += found;
	cs_vec_free(&ids);
	return same;
}

static void test_index(void)
{
	struct cs_random random = {11};
	const size_t sizes[] = {0, 1, 2, 15, 16, 17, 255, 256, 257, 1000, 4096, 4097, 20000};
	for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		size_t n = sizes[k], hits = 0;
		struct cs_rtree_entry *entries = calloc(n + 1, sizeof(*entries));
		struct cs_box *boxes = calloc(n + 1, sizeof(*boxes));
		struct cs_rtree index;
		bool same = true;
		for (size_t i = 0; i < n; i++) {
			boxes[i] = random_box(&random, k % 3 == 2);
			entries[i] = (struct cs_rtree_entry){
				boxes[i], (uint32_t)i, cs_random_below(&random, 3)};
		}
		must(cs_rtree_build(entries, n, 2, &index));
		for (int i = 0; i < 200; i++) {
			double radius = cs_random_range(&random, 0, 9000);
			struct cs_ball ball = {random_box(&random, false).min, radius * radius,
				i % 3 == 0, i % 2 == 0};
			same = same && same_answer(&index, boxes, n, &ball, &hits);
		}
		ok(same, "index: %zu boxes, %zu hits as by asking each", n, hits);
		cs_rtree_deinit(&index);
		free(entries);
		free(boxes);
	}
}

/* ---- the neighbourhood of a place against the index ---- */

static struct cs_rtree index_of_boxes(struct cs_random *random, size_t n)
{
	struct cs_rtree_entry *entries = calloc(n, sizeof(*entries));
	struct cs_rtree index;
	for (size_t i = 0; i < n; i++)
		entries[i] = (struct cs_rtree_entry){random_box(random, false), (uint32_t)i, 0};
	must(cs_rtree_build(entries, n, 1, &index));
	free(entries);
	return index;
}

/*
 * A source walks and now and then jumps or asks for another radius; answers have the order of the
 * index.
 */
static void test_near(void)
{
	struct cs_random random = {23};
	struct cs_rtree index = index_of_boxes(&random, 6000);
	struct cs_near near = {.reach = 0};
	struct cs_vec3 at = {0, 0, 0};
	double radius = 4000;
	size_t asked = 0, same = 0, hits = 0;
	cs_ids ids = {0}, found = {0};
	for (int i = 0; i < 2000; i++) {
		at.x += cs_random_range(&random, -40, 60);
		at.z += cs_random_range(&random, -20, 20);
		if (i % 300 == 299)
			at = random_box(&random, false).min;
		if (i % 450 == 449)
			radius = i == 1799 ? 0 : cs_random_range(&random, 0, 60000);
		struct cs_ball ball = {at, radius * radius, i / 100 % 2 == 0, i / 50 % 2 == 0};
		struct cs_vec3 before = near.ball.centre;
		ids.n = found.n = 0;
		bool good = cs_rtree_query(&index, &ball, &ids) &&
			    cs_near_query(&near, &index, &ball, radius, &found);
		asked += before.x != near.ball.centre.x;
		same += good && ids.n == found.n &&
			memcmp(ids.at, found.at, ids.n * sizeof(*ids.at)) == 0;
		hits += ids.n;
	}
	is_int((long long)same, 2000, "near: answers are those of the index");
	ok(hits > 20000 && asked < 500, "near: %zu hits, the index asked %zu times", hits, asked);
	cs_vec_free(&ids);
	cs_vec_free(&found);
	cs_near_deinit(&near);
	cs_rtree_deinit(&index);
}

/* ---- sectors against sampling ---- */

static struct cs_run_reach reach_of(double yaw, double pitch, double angle, bool flat)
{
	static struct cs_stream_source source;
	struct cs_stream_shape shape = cs_stream_shape_default();
	const struct cs_run_space space = {.flat = flat};
	source = cs_stream_source_default("P");
	shape.sector = true;
	shape.angle = angle;
	const struct cs_run_origin origin = {.source = &source, .rotation = {pitch, yaw, 0}};
	return cs_run_reach_of(&origin, &shape, 1000, &space);
}

static bool inside(const struct cs_run_reach *reach, struct cs_vec3 p, double angle, bool flat)
{
	double z = flat ? 0 : p.z;
	double length = sqrt(p.x * p.x + p.y * p.y + z * z);
	double along = p.x * reach->axis.x + p.y * reach->axis.y + z * reach->axis.z;
	return length <= 1000 && along >= length * cos(angle / 360 * acos(-1.0));
}

/* The quick tests may keep a box too many, but never drop one that the sector touches. */
static void test_sectors(void)
{
	struct cs_random random = {5};
	for (int flat = 0; flat < 2; flat++) {
		int lost = 0, touched = 0, dropped = 0;
		for (int i = 0; i < 4000; i++) {
			double angle = cs_random_range(&random, 1, 359);
			struct cs_run_reach reach = reach_of(cs_random_range(&random, -180, 180),
				cs_random_range(&random, -80, 80), angle, flat);
			struct cs_vec3 at = {cs_random_range(&random, -1100, 1100),
				cs_random_range(&random, -1100, 1100),
				flat ? 0 : cs_random_range(&random, -1100, 1100)};
			double size = cs_random_range(&random, 1, 400);
			struct cs_box box = {at, {at.x + size, at.y + size, at.z + size}};
			bool kept = cs_ball_hits(&reach.ball, &box) &&
				    cs_run_reach_keeps(&reach, &box, &box, false);
			bool touches = false;
			for (int k = 0; k < 60 && !touches; k++) {
				struct cs_vec3 p = {cs_random_range(&random, at.x, at.x + size),
					cs_random_range(&random, at.y, at.y + size),
					cs_random_range(&random, at.z, at.z + size)};
				touches = inside(&reach, p, angle, flat);
			}
			lost += touches && !kept;
			touched += touches;
			dropped += !kept;
		}
		is_int(lost, 0, "sectors, flat %d: of %d boxes touched none is lost", flat,
			touched);
		ok(dropped > 1000, "sectors, flat %d: %d are dropped", flat, dropped);
	}
}

static void test_sector_rules(void)
{
	const struct cs_box ahead = {{400, -50, -50}, {500, 50, 50}};
	const struct cs_box behind = {{-500, -50, -50}, {-400, 50, 50}};
	const struct cs_box right = {{-50, 400, -50}, {50, 500, 50}};
	for (int flat = 0; flat < 2; flat++) {
		struct cs_run_reach narrow = reach_of(0, 0, 90, flat);
		struct cs_run_reach wide = reach_of(0, 0, 300, flat);
		ok(cs_run_reach_keeps(&narrow, &ahead, &ahead, false) &&
				!cs_run_reach_keeps(&narrow, &behind, &behind, false) &&
				!cs_run_reach_keeps(&narrow, &right, &right, false),
			"sectors: 90 degrees see ahead only");
		ok(cs_run_reach_keeps(&wide, &ahead, &ahead, false) &&
				cs_run_reach_keeps(&wide, &right, &right, false) &&
				!cs_run_reach_keeps(&wide, &behind, &behind, false),
			"sectors: 300 degrees see all but behind");
	}
	ok(!reach_of(0, 0, 360, true).sector, "sectors: 360 degrees are a sphere");
	struct cs_run_reach turned = reach_of(90, 60, 90, true);
	ok(cs_run_reach_keeps(&turned, &right, &right, false) &&
			!cs_run_reach_keeps(&turned, &ahead, &ahead, false),
		"sectors: a flat one turns by yaw alone");
}

/* ---- paths ---- */

static char file[4096];

static struct cs_error *read_text(const char *text, const char *extension, struct cs_path **path)
{
	const char *out = test_folder();
	snprintf(file, sizeof(file), "%s/path.%ld%s", out, (long)getpid(), extension);
	must(cs_save_whole(file, text, strlen(text)));
	struct cs_error *error = cs_path_read(file, path);
	unlink(file);
	return error;
}

static void refused(const char *text, const char *extension, enum cs_code code)
{
	struct cs_path *path = NULL;
	fails(read_text(text, extension, &path), code, "path: refused: %.40s", text);
	cs_path_free(path);
}

static void test_path_files(void)
{
	struct cs_path *path;
	const struct cs_path_key *keys;
	must(read_text(
		"\xef\xbb\xbftime,x,y,z\n0, 1,2,3\r\n\n# a comment\n2,11,12,13\n", ".csv", &path));
	ok(cs_path_keys(path, &keys) == 2 && keys[1].position.z == 13 &&
			!cs_path_has_velocity(path),
		"path: CSV of four columns, with a header and a comment");
	cs_path_free(path);
	must(read_text("0,1,2,3,4,5,6,7,8,9", ".txt", &path));
	ok(cs_path_keys(path, &keys) == 1 && keys[0].velocity.z == 9 && cs_path_has_velocity(path),
		"path: ten columns, no newline at the end");
	cs_path_free(path);
	must(read_text(
		"{\"schema\":\"cellscope.path/1\",\"keys\":[{\"time\":0,\"position\":[1,2,3]},"
		"{\"time\":1,\"position\":[4,5,6],\"rotation\":[7,8,9]}]}",
		".JSON", &path));
	ok(cs_path_keys(path, &keys) == 2 && keys[1].rotation.roll == 9, "path: JSON");
	cs_path_free(path);
	refused("", ".csv", CS_E_MISSING);
	refused("time,x,y,z\n", ".csv", CS_E_MISSING);
	refused("0,1,2\n", ".csv", CS_E_SETTING);
	refused("0,1,2,3\n1,x,2,3\n", ".csv", CS_E_SETTING);
	refused("5,1,2,3\n1,1,2,3\n", ".csv", CS_E_SETTING);
	refused("0,1,2,nan\n", ".csv", CS_E_SETTING);
	refused("0,1,2,3,4,5,6,7,8,9,10\n", ".csv", CS_E_SETTING);
	refused("{\"schema\":\"cellscope.path/1\"}", ".json", CS_E_JSON);
	refused("{\"schema\":\"cellscope.path/2\",\"keys\":[]}", ".json", CS_E_JSON);
	refused("{\"schema\":\"cellscope.path/1\",\"keys\":[]}", ".json", CS_E_MISSING);
	refused("{\"schema\":\"cellscope.path/1\",\"keys\":[{\"time\":0}]}", ".json", CS_E_JSON);
	refused("{\"schema\":\"cellscope.path/1\",\"keys\":[{\"time\":0,\"position\":[1,2]}]}",
		".json", CS_E_JSON);
	refused("[1", ".json", CS_E_JSON);
	fails(cs_path_read("/nonexistent/path.csv", &path), CS_E_NOFILE, "path: no file");
}

/* A path is written and read back. Every truncation of the file gives an error or fewer keys. */
static void test_path_round_trip(void)
{
	struct cs_random random = {3};
	const char *out = test_folder();
	const char *const extensions[] = {".csv", ".json"};
	for (int e = 0; e < 2; e++) {
		struct cs_path *path, *back, *part = NULL;
		const struct cs_path_key *keys, *again;
		must(cs_path_new(&path));
		cs_path_set_velocity(path, true);
		for (int i = 0; i < 20; i++) {
			struct cs_path_key key = {.time = i * 0.1 + 1.0 / 3};
			key.position.x = cs_random_range(&random, -1e6, 1e6);
			key.rotation.yaw = cs_random_range(&random, -180, 180);
			key.velocity.z = cs_random_unit(&random);
			must(cs_path_add(path, &key));
		}
		snprintf(file, sizeof(file), "%s/path.%ld%s", out, (long)getpid(), extensions[e]);
		works(cs_path_write(path, file), "path: written as %s", extensions[e]);
		must(cs_path_read(file, &back));
		size_t n = cs_path_keys(path, &keys);
		ok(cs_path_keys(back, &again) == n && memcmp(keys, again, n * sizeof(*keys)) == 0 &&
				cs_path_has_velocity(back),
			"path: the same numbers come back from %s", extensions[e]);
		unsigned char *bytes;
		size_t size;
		must(cs_read_whole(file, 1 << 20, &bytes, &size));
		bool sound = true;
		for (size_t cut = 0; cut < size; cut += 7) {
			char was = (char)bytes[cut];
			bytes[cut] = '\0';
			struct cs_error *error = read_text((char *)bytes, extensions[e], &part);
			bytes[cut] = (unsigned char)was;
			if (!error) {
				sound = sound && cs_path_keys(part, &again) <= n;
				cs_path_free(part);
			}
			cs_error_free(error);
		}
		ok(sound, "path: every truncation of %s is an error or a shorter path",
			extensions[e]);
		free(bytes);
		cs_path_free(path);
		cs_path_free(back);
	}
}

static void test_interpolation(void)
{
	struct cs_path *path;
	must(cs_path_new(&path));
	const struct cs_path_key a = {1, {0, 0, 0}, {0, 170, 0}, {0, 0, 0}};
	const struct cs_path_key b = {3, {100, 0, 0}, {0, -170, 0}, {10, 0, 0}};
	is_double(cs_path_at(path, 5, false).position.x, 0, "path: nothing is at the origin");
	must(cs_path_add(path, &a));
	must(cs_path_add(path, &b));
	is_double(cs_path_at(path, 2, false).position.x, 50, "path: half the way");
	is_double(cs_path_at(path, 2, false).rotation.yaw, 180, "path: along the shorter arc");
	is_double(cs_path_at(path, 2, false).velocity.x, 5, "path: velocity too");
	is_double(cs_path_at(path, 0, false).position.x, 0, "path: it waits before its begin");
	is_double(cs_path_at(path, 9, false).position.x, 100, "path: and stays at its end");
	is_double(cs_path_at(path, 4, true).position.x, 50, "path: or begins anew");
	fails(cs_path_add(path, &a), CS_E_SETTING, "path: keys come in order");
	const struct cs_path_key far = {4, {0, -2e12, 0}, {0, 0, 0}, {0, 0, 0}};
	const struct cs_path_key fast = {4, {0, 0, 0}, {0, 0, 0}, {0, 0, 2e12}};
	const struct cs_path_key most = {4, {1e12, 0, -1e12}, {0, 1e15, 0}, {1e12, 0, 0}};
	fails(cs_path_add(path, &far), CS_E_SETTING, "path: no farther than a source can be");
	fails(cs_path_add(path, &fast), CS_E_SETTING, "path: no faster than a source can be");
	must(cs_path_add(path, &most));
	cs_path_free(path);
}

/* ---- variables ---- */

static void test_variables(void)
{
	struct bench b;
	size_t n;
	char text[64];
	const struct cs_variable *table = cs_stream_variables(&n);
	bool sound = true;
	worlds_init(&b.w, "5.4");
	start(&b, NULL);
	for (size_t i = 0; i < n; i++) {
		const struct cs_variable *v = &table[i];
		sound = sound && v->name && v->help && cs_stream_find_variable(v->name) == i &&
			v->initial >= v->low && v->initial <= v->high;
		sound = sound && cs_stream_variable(b.s, i).is_initial;
		cs_stream_variable_format(b.s, i, text, sizeof(text));
		struct cs_error *error = cs_stream_variable_set(b.s, i, text);
		sound = sound && !error;
		cs_error_free(error);
	}
	ok(sound, "variables: %zu, each with a name of its own, a sentence, a default in its range",
		n);
	const struct {
		const char *name, *value;
		double number;
	} good[] = {
		{"WP.runtime.maxloadingstreamingcells", "7", 7},
		{"wp.Runtime.MaxLoadingLevelStreamingCells", "3", 3},
		{"wp.Runtime.BlockOnSlowStreaming", "off", 0},
		{"wp.Runtime.BlockOnSlowStreaming", "True", 1},
		{"wp.Runtime.BlockOnSlowStreamingRatio", "0.5", 0.5},
		{"wp.Runtime.ForceRuntimeSpatialHashZCulling", "-1", -1},
	};
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		size_t v = cs_stream_find_variable(good[i].name);
		works(cs_stream_variable_set(b.s, v, good[i].value), "variables: %s %s",
			good[i].name, good[i].value);
		is_double(cs_stream_variable(b.s, v).number, good[i].number, "variables: is set");
	}
	const struct {
		const char *name, *value;
	} bad[] = {
		{"wp.Runtime.MaxLoadingStreamingCells", "-1"},
		{"wp.Runtime.MaxLoadingStreamingCells", "1.5"},
		{"wp.Runtime.MaxLoadingStreamingCells", "many"},
		{"wp.Runtime.MaxLoadingStreamingCells", ""},
		{"wp.Runtime.BlockOnSlowStreaming", "2"},
		{"wp.Runtime.BlockOnSlowStreamingRatio", "1.1"},
		{"wp.Runtime.BlockOnSlowStreamingRatio", "nan"},
		{"sim.FrameTime", "0"},
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		fails(cs_stream_variable_set(
			      b.s, cs_stream_find_variable(bad[i].name), bad[i].value),
			CS_E_SETTING, "variables: %s '%s'", bad[i].name, bad[i].value);
	fails(cs_stream_variable_set(b.s, n, "1"), CS_E_UNKNOWN, "variables: one too many");
	is_int(cs_stream_find_variable("wp.Runtime.Nothing") == SIZE_MAX, 1, "variables: unknown");
	is_int(cs_stream_find_variable("") == SIZE_MAX, 1, "variables: no name");
	size_t list = cs_stream_find_variable("wp.Runtime.ServerDisallowStreamingOutDataLayers");
	works(cs_stream_variable_set(b.s, list, "A,B"), "variables: a text");
	is_int(cs_stream_variable_format(b.s, list, text, 3), 3, "variables: its length");
	is_text(text, "A,", "variables: cut to the room");
	char *longer = calloc(1, 5000);
	memset(longer, 'x', 4999);
	fails(cs_stream_variable_set(b.s, list, longer), CS_E_SETTING,
		"variables: too long a text");
	free(longer);
	finish(&b);
}

static void test_profiles(void)
{
	const struct {
		const char *text;
		const char *rules; /* NULL = refused */
	} cases[] = {{"5.0", "5.0"}, {"5.2", "5.0"}, {"5.1-5.3", "5.0"}, {"5.3", "5.3"},
		{"5.4", "5.4"}, {"5.5", "5.4"}, {"5.6", "5.4"}, {"5.7", "5.7"}, {"5.99", "5.7"},
		{"", "5.4"}, {"5.3.2-123", "5.3"}, {"4.27", NULL}, {"5", NULL}, {"5.", NULL},
		{"5.4x", NULL}, {"5.123", NULL}, {"nonsense", NULL}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct cs_run_rules *rules = NULL;
		struct cs_error *error = cs_run_rules_find(cases[i].text, &rules);
		if (cases[i].rules)
			is_text(error ? "refused" : rules->name, cases[i].rules, "profile '%s'",
				cases[i].text);
		else
			ok(error && error->code == CS_E_PROFILE, "profile '%s' is refused",
				cases[i].text);
		cs_error_free(error);
	}
}

/* ---- the grids that a source acts on ---- */

static void test_act_on(void)
{
	struct cs_stream_source source = cs_stream_source_default("s"), before;
	works(cs_stream_source_act_on(&source, "Main,,Far,"), "act on: a list");
	is_int(source.n_grids, 3, "act on: an empty name counts, none behind the last comma");
	is_text(source.grids[0], "Main", "act on: the first");
	is_text(source.grids[1], "", "act on: the empty one");
	is_text(source.grids[2], "Far", "act on: the last");
	before = source;
	fails(cs_stream_source_act_on(&source, "a,b,c,d,e,f,g,h,i"), CS_E_SETTING,
		"act on: nine are too many");
	fails(cs_stream_source_act_on(
		      &source, "0123456789012345678901234567890123456789012345678901234567890123"),
		CS_E_SETTING, "act on: 64 letters are too many");
	ok(memcmp(&before, &source, sizeof(source)) == 0,
		"act on: what is refused changes nothing");
	works(cs_stream_source_act_on(&source, "a,b,c,d,e,f,g,h"), "act on: eight");
	is_int(source.n_grids, CS_SOURCE_GRIDS, "act on: all of them");
	works(cs_stream_source_act_on(&source, ""), "act on: nothing");
	is_int(source.n_grids, 0, "act on: nothing is all");
}

int main(void)
{
	test_act_on();
	test_index();
	test_near();
	test_sectors();
	test_sector_rules();
	test_path_files();
	test_path_round_trip();
	test_interpolation();
	test_variables();
	test_profiles();
	unlink(file);
	return done();
}
