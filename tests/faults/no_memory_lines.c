/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No memory while a line runs: the N-th allocation of a command fails, once and then for good, for
 * one N after the other until the line gets through. Each run ends in E_NOMEM, or prints what it
 * prints with memory. The session goes on: afterwards the line prints what it did before all of
 * them, and when the session has ended, as much memory is in use as after one that never lacked
 * any.
 *
 * CELLSCOPE_FAULTS is how many allocations of a line fail, spread over all of them; 0 = each.
 */
#include "src/session/session.h"
#include "tests/faults/failing_calls.h"
#include "tests/make/make.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include <malloc.h>
#include <sys/stat.h>

enum { MOST_LINES = 40 };

/*
 * What is made ready with memory, and the lines that lack it. @ is the folder of this test, # that
 * of all tests and $ that of fixtures.
 */
static const struct scenario {
	const char *name;
	const char *ready[8];
	const char *lines[MOST_LINES];
} scenarios[] = {
	{"files are read", {NULL},
		{"open @/world.json", "open @/world.cworld", "open $/valley.json",
			"open @/hard.json", "open @/world.log", "open #/project/Fixture.uproject",
			"open #/Cooked", "open #/Packed", "open #/Ribbon/SM_Ribbon.uasset",
			"cook @/hard.json -o @/made.cworld",
			"cook $/valley.json -o @/made.cworld --profile 5.7",
			"cook #/project -o @/made.cworld", "cook log @/made.log",
			"verify @/world.cworld --deep",
			"diff world @/world.cworld @/changed.cworld", "diff log @/world.log",
			"nanite build @/mesh.ply -o @/made.cnanite", "nanite info @/mesh.cnanite",
			"nanite verify @/mesh.cnanite --deep", "nanite sections @/mesh.cnanite",
			"nanite export @/mesh.cnanite --level 0 -o @/made.obj",
			"nanite export @/mesh.cnanite --cdag @/made.cdag",
			"gen mesh terrain --triangles 200 --seed 1 -o @/made.ply",
			"gen open --actors 20 --seed 3 -o @/made.json",
			"cook @/town.json -o @/made.cworld --hlod --meshes @/meshes",
			"farm plan #/project -o @/made.jsonl --ninja @/made.ninja --cache @/cache",
			"farm simulate @/farm.jsonl --nodes 2 --cache @/cache",
			"farm status @/farm.jsonl --cache @/cache",
			"farm cache verify --cache @/cache"}},
	{"a world", {"open $/valley.json", "source add Eve 0,0", "step 8"},
		{"info", "info --json", "cells", "actors -n 5", "layers", "containers", "findings",
			"map", "drops", "overrides", "partitions", "references -n 9", "rules",
			"explain actor Rock_1044", "explain cell L0:0,0", "why cell L0:0,0",
			"why actor Rock_1044", "why-not cell L0:0,0", "why-always Rock_1044",
			"cluster Rock_1044", "cut Rock_1044", "check", "order -n 20", "queue",
			"hitches", "stalls", "state", "hash", "path report", "hlod check",
			"layer-cost", "layer-impact 1 activated", "why-layer 1", "layer 1",
			"plot frames.loading", "probe 100,100,0", "diff frame 5",
			"whatif MainGrid.cell_size=25600",
			"sweep MainGrid.cell_size=12800..25600 --steps 2"}},
	{"a world, asked and told", {"open $/valley.json", "source add Eve 0,0", "step 8"},
		{"sql SELECT class, count(*), group_concat(name) FROM actors GROUP BY class",
			"cells -w 'actors > 2' -s -actors", "cells --csv", "cells --json",
			"info tables", "report @/made.html", "map -o actors",
			"map --svg @/made.svg", "export @/made.sqlite", "cook log @/made.log",
			"break cell.load if level = 0",
			"watch (SELECT count(*) FROM cells WHERE state = 'loading')", "step 3",
			"reverse-step 2", "goto 5", "checkpoint", "restart 1", "continue",
			"worse @/world.cworld @/changed.cworld", "verify-cook 1", "hlod build",
			"diff hlod", "wp.Runtime.DumpDataLayers", "wp.Runtime.DumpStreamingSources",
			"wp.Runtime.DumpWorldPartitions", "wp.Editor.HLOD.DumpStats",
			"path load $/streaming/drive.csv", "info paths", "path follow Eve drive",
			"source add Eve 0,0", "path follow Eve drive",
			"run open $/streaming/real.log $/streaming/profile.csv", "run compare",
			"run fit", "run close"}},
	{"a resource", {"open @/mesh.cnanite", "camera add Main 300,0,0", "step 4"},
		{"info", "info --json", "pages", "dag", "hierarchy", "page 0", "deps 0", "rdeps 0",
			"closure 0", "chain", "explain page 0", "explain cluster 0:0", "atlas",
			"atlas -o @/made.png", "cut --error 1 --clusters", "cut --error 3 --pages",
			"cut --triangles 200 --png @/made.png --size 60 --colour depth",
			"cut --triangles 200 -o @/made.ply --colour page", "cut --resident",
			"cut --eye 300,40,50 --pages", "graph deps --dot", "graph dag --dot",
			"cost", "page events -n 20", "page frames -n 20", "why page 0",
			"why cluster 0:0", "why-not page 0", "cameras",
			"sweep pool 0..2 --frames 3", "hash", "request 0", "pool pool 3", "step 3",
			"reverse-step 2", "diff resources mesh mesh",
			"sql SELECT count(*) FROM clusters"}},
	{"a cook of the engine", {"open #/Cooked", "source add Eve 0,0", "step 8"},
		{"info", "cells", "actors", "check", "files", "meshes", "verify", "layers",
			"hlod check", "actors", "explain actor 1", "diff cooked #/Changed",
			"report @/made.html --cooked #/Cooked"}},
	{"a container of the engine", {"open #/Packed"},
		{"info", "check", "files", "meshes", "verify", "cells"}},
	{"a mesh of the engine", {"open #/Ribbon/SM_Ribbon.uasset"},
		{"info", "verify", "pages", "explain page 0", "cut --error 1", "dag"}},
	{"a project", {"open #/project/Fixture.uproject", "source add Eve 0,0", "step 3"},
		{"info", "check", "actors", "layers", "maps #/project/Fixture.uproject",
			"diff hlod", "explain actor 1", "containers", "cook log @/made.log",
			"findings"}},
};

static char folder[512], fixtures[512];
static const char *only; /* lines with this in them; NULL: all */

/* Returns the line with the names of its folders. */
static const char *with_folders(const char *line)
{
	static char ret[2048];
	size_t n = 0;
	for (; *line && n < sizeof(ret) - 600; line++)
		if (*line == '@' || *line == '#' || (*line == '$' && line[1] == '/'))
			n += (size_t)snprintf(ret + n, sizeof(ret) - n, "%s%s",
				*line == '$' ? fixtures : folder, *line == '#' ? "/.." : "");
		else
			ret[n++] = *line;
	ret[n] = '\0';
	return ret;
}

struct said {
	struct memory_sink sink;
	enum cs_code code; /* 0: none */
	char message[200];
};

static struct said run_one(struct session *session, const char *line)
{
	struct said said = {.code = 0};
	memory_sink_init(&said.sink);
	struct cs_error *error = run_line(session, line, &said.sink.sink);
	const bool armed = faults.armed;
	faults.armed = false;
	said.code = error ? error->code : 0;
	snprintf(said.message, sizeof(said.message), "%s", error ? error->message : "");
	cs_error_free(error);
	faults.armed = armed;
	return said;
}

static bool is_same(const struct said *a, const struct said *b)
{
	const size_t n = a->sink.text.n;
	return a->code == b->code && n == b->sink.text.n &&
	       (n == 0 || memcmp(a->sink.text.at, b->sink.text.at, n) == 0);
}

static void check_line(struct session *session, const char *line, size_t points)
{
	struct said whole = run_one(session, line);
	size_t wrong = 0, runs = 0, total = 0;
	faults = (struct faults){.armed = true};
	struct said counted = run_one(session, line);
	faults.armed = false;
	total = faults.count;
	const bool is_steady = is_same(&counted, &whole); /* the line changes nothing */
	memory_sink_deinit(&counted.sink);
	const size_t step = points && total > points ? total / points : 1;
	for (int for_good = 0; for_good <= 1; for_good++)
		for (size_t n = 1; n <= total; n += step) {
			faults = (struct faults){true, for_good, 0, n};
			struct said said = run_one(session, line);
			faults.armed = false;
			runs++;
			if (said.code != CS_E_NOMEM && is_steady && !is_same(&said, &whole)) {
				if (wrong++ == 0)
					printf("# the %zuth%s: %s %s\n%.*s\n", n,
						for_good ? " and all behind it" : "",
						said.code ? cs_word(CS_WORDS_CODE, said.code)->name
							  : "",
						said.message, (int)said.sink.text.n,
						said.sink.text.at);
			}
			memory_sink_deinit(&said.sink);
		}
	struct said after = run_one(session, line);
	ok(wrong == 0, "%s: %zu faults of %zu allocations", line, runs, total);
	ok(!is_steady || is_same(&after, &whole), "%s: and with memory again it is as before",
		line);
	memory_sink_deinit(&after.sink);
	memory_sink_deinit(&whole.sink);
}

/* Runs a session from its beginning to its end. */
static void run_scenario(const struct scenario *s, bool is_faulty, size_t points)
{
	struct session *session;
	works(session_new(&session), "%s: a session", s->name);
	struct said said = run_one(session, "set threads 1");
	memory_sink_deinit(&said.sink);
	for (size_t i = 0; s->ready[i]; i++) {
		said = run_one(session, with_folders(s->ready[i]));
		ok(said.code == 0, "%s", s->ready[i]);
		memory_sink_deinit(&said.sink);
	}
	for (size_t i = 0; s->lines[i]; i++)
		if (only && !strstr(s->lines[i], only)) {
			continue;
		} else if (is_faulty) {
			check_line(session, with_folders(s->lines[i]), points);
		} else {
			said = run_one(session, with_folders(s->lines[i]));
			if (said.code)
				printf("# %s: %s: %s\n", s->lines[i],
					cs_word(CS_WORDS_CODE, said.code)->name, said.message);
			memory_sink_deinit(&said.sink);
		}
	session_free(session);
}

static void make_files(void)
{
	static const char *const lines[] = {"gen city --actors 40 --seed 1 -o @/world.json",
		"cook @/world.json -o @/world.cworld",
		"cook @/world.json --profile 5.0 -o @/changed.cworld",
		"gen open --actors 9 --meshes 1 --seed 2 -o @/town.json",
		"cook @/town.json -o @/town.cworld", "open @/world.cworld", "cook log @/world.log",
		"gen mesh sphere --triangles 600 --seed 1 -o @/mesh.ply",
		"nanite build @/mesh.ply -o @/mesh.cnanite",
		"farm plan @ -o @/farm.jsonl --cache @/cache"};
	const char *source = getenv("CELLSCOPE_SOURCE");
	struct session *session;
	snprintf(folder, sizeof(folder), "%s/lines", test_folder());
	snprintf(fixtures, sizeof(fixtures), "%s/fixtures", source ? source : ".");
	mkdir(folder, 0777);
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, 60, 1};
	struct cs_world *world;
	works(make_test_world(&recipe, NULL, &world), "a hard world");
	works(cs_world_write_json(world, NULL, with_folders("@/hard.json")), "is written");
	cs_world_free(world);
	works(session_new(&session), "a session that makes files");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct said said = run_one(session, with_folders(lines[i]));
		ok(said.code == 0, "%s", lines[i]);
		memory_sink_deinit(&said.sink);
	}
	session_free(session);
}

int main(int argc, char **argv)
{
	only = argc > 1 ? argv[1] : NULL;
	without_caches(argv);
	const char *asked = getenv("CELLSCOPE_FAULTS");
	const size_t points = asked ? strtoul(asked, NULL, 10) : 3;
	make_files();
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		run_scenario(&scenarios[i], false, points); /* what is kept for good is there now */
		const size_t before = mallinfo2().uordblks;
		run_scenario(&scenarios[i], true, points);
		is_int(mallinfo2().uordblks - before, 0, "%s: all is given back",
			scenarios[i].name);
	}
	return done();
}
