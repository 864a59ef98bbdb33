/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every key that is listed, in every view, on each kind of file, at two sizes: it answers, with a
 * screen that differs, a prompt or a sentence, and never by a usage error. A key that moves may
 * find nothing further, so it is tried from two rows. The views that keys open are the edges of a
 * graph, tests/out/keys.dot: from the first view keys reach every other.
 */
#include "src/tui/screen.h"
#include "tests/samples/tap.h"

#include <string.h>

enum { MOST_VIEWS = 80 };

/* What is opened for a kind of file, and what runs then. */
enum root { OF_FIXTURES, OF_OUT, OF_DATA };

static const struct {
	const char *kind, *opens;
	enum root place; /* what other tests write, and real projects, may not be there */
	const char *lines[3];
} files[] = {
	{"nothing", NULL, OF_FIXTURES, {NULL}},
	{"world", "valley.json", OF_FIXTURES, {"source add Player0 0,0", "step 8"}},
	{"world before it has run", "valley.json", OF_FIXTURES, {NULL}},
	{"layers", "checks/layer-hierarchy.json", OF_FIXTURES, {NULL}},
	{"engine", "Cooked", OF_OUT, {"source add Player0 0,0", "step 20"}},
	{"log", "keys.log", OF_OUT, {"source add Player0 0,0", "step 8"}},
	{"project", "ue/wpexample56", OF_DATA, {"source add Player0 0,0", "step 8"}},
	{"pages", "keys.cnanite", OF_OUT, {"camera add Main 300,0,0", "step 4"}},
};

/* What views of a world become behind a step; of the first kind that is a world. */
static const struct {
	const char *view, *argument, *step;
} stepped[] = {
	{"map", "", "view drag Player0"},
	{"map", "", "view overlay rows layer-impact DL_Night activated"},
	{"map", "", "view level all"},
	{"map", "", "view split why"},
	{"cells", "", "view group state"},
	{"cells", "", "view filter actors > 90"},
	{"actors", "", "view search Rock"},
	{"diff", "log @OUT@/keys.log", "view cursor last"},
	{"diff", "whatif MainGrid.cell_size=25600", "view cursor last"},
	{"runs", "now MainGrid.loading_range=12800 -p picked", "view cursor down"},
	{"rows", "sql SELECT name FROM cells", "view cursor down"},
	{"pick", "files:.json:@FIXTURES@ open {}", "view cursor down"},
};

enum { FILES = sizeof(files) / sizeof(files[0]) };

/* What views are asked for beside their name, and of which files; the others need nothing. */
static const struct {
	const char *view, *world, *pages;
} arguments[] = {
	{"cell", "L0:0,0", NULL},
	{"actor", "Torch_1", NULL},
	{"object", "cell L0:0,0", "page 0"},
	{"explain", "actor Rock_1044", "page 0"},
	{"why", "cell L0:0,0", "page 0"},
	{"trails", "Rock_1044 now MainGrid.cell_size=25600", NULL},
	{"diff", "whatif MainGrid.cell_size=25600", NULL},
	{"runs", NULL, NULL},
	{"check", "WorldPartition_InvalidRuntimeGrid", NULL},
	{"finding", "1", NULL},
	{"rows", "cells", "pages"},
	{"pick", "settings view diff whatif {}", "files:.ply,.cnanite open {}"},
	{"page", NULL, "0"},
	{"closure", NULL, "0"},
};

/* Nothing else shows that they did something, or they may leave the screen as it is. */
static const char *const quiet[] = {"C-l", "Tab", "S-Tab", NULL};

static const char *fixtures, *out, *data;
static bool edges[MOST_VIEWS][MOST_VIEWS];
static size_t presses, faults;
static const char *step; /* what runs when a view is opened; NULL = nothing */
static bool tries_all;

static size_t index_of(const struct view_type *type)
{
	size_t i = 0;
	while (view_types[i] && view_types[i] != type)
		i++;
	return i;
}

static bool run(struct session *session, const char *line)
{
	struct memory_sink into;
	memory_sink_init(&into);
	struct cs_error *error = run_line(session, line, &into.sink);
	bool good = !error;
	cs_error_free(error);
	memory_sink_deinit(&into);
	return good;
}

static struct session *open_kind(size_t kind)
{
	struct session *session;
	char line[2200];
	if (session_new(&session))
		return NULL;
	const char *const places[] = {fixtures, out, data};
	if (!places[files[kind].place]) {
		session_free(session);
		return NULL;
	}
	snprintf(line, sizeof(line), "open '%s/%s'", places[files[kind].place],
		files[kind].opens ? files[kind].opens : "");
	if (files[kind].opens && !run(session, line)) {
		session_free(session);
		return NULL;
	}
	run(session, "set threads 1");
	for (size_t i = 0; files[kind].lines[i]; i++)
		run(session, files[kind].lines[i]);
	struct screen *screen;
	cs_error_free(screen_of(session, &screen));
	return session;
}

/* NULL: it is not of that kind of file. */
static const char *argument_of(const struct view_type *type, size_t kind)
{
	bool of_pages = strcmp(files[kind].kind, "pages") == 0,
	     of_world = strncmp(files[kind].kind, "world", 5) == 0;
	for (size_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++)
		if (strcmp(arguments[i].view, type->name) == 0)
			return of_pages ? arguments[i].pages : of_world ? arguments[i].world : NULL;
	return type->needs_argument ? NULL : "";
}

static struct grid_cell *copy(struct screen *screen)
{
	const struct grid *grid = &screen->grid;
	size_t n = (size_t)grid->columns * grid->rows;
	struct grid_cell *ret = calloc(n, sizeof(*ret));
	screen_draw(screen);
	if (ret)
		memcpy(ret, grid->at, n * sizeof(*ret));
	return ret;
}

static bool is_as_before(struct screen *screen, const struct grid_cell *before)
{
	const struct grid *grid = &screen->grid;
	bool same = before;
	if (!screen->is_drawn)
		screen_draw(screen);
	for (size_t i = 0; same && i < (size_t)grid->columns * grid->rows; i++)
		same = grid_same_cell(&before[i], &grid->at[i]);
	return same;
}

static void press(struct screen *screen, const char *keys)
{
	char copy[64], *rest = NULL;
	snprintf(copy, sizeof(copy), "%s", keys);
	for (char *key = strtok_r(copy, " ", &rest); key; key = strtok_r(NULL, " ", &rest))
		screen_key(screen, strcmp(key, "*") == 0 ? "a" : key);
}

/* The view alone above the first, with its cursor where it was asked for. */
static struct tui_view *begin(struct screen *screen, const struct view_type *type,
	const char *argument, const char *cursor)
{
	screen->prompt.is_open = screen->prompt.seeks = false;
	screen->typed = (struct typed){.count = 0};
	screen->playing.rate = 0;
	screen->message[0] = '\0';
	while (screen->log.n > 0)
		free(screen->log.at[--screen->log.n].text);
	screen_unsplit(screen);
	while (screen->panes[0].stack.n > 1)
		screen_close(screen);
	cs_error_free(screen_open(screen, type, argument));
	screen->session->display.wants_screen = true;
	if (step)
		run(screen->session, step);
	for (const char *c = cursor; *c; c++)
		screen_key(screen, *c == 'd' ? "Down" : "Right");
	screen->message[0] = '\0';
	return screen_view(screen);
}

/* Whether the key has answered; what it is about is noted. */
static bool answers(struct screen *screen, const struct key *key, size_t from)
{
	struct session *session = screen->session;
	struct grid_cell *before = copy(screen);
	uint32_t lines = (uint32_t)screen->log.n;
	screen->was_error = false;
	press(screen, key->keys);
	presses++;
	bool is_usage = screen->was_error && screen->last_error.code == CS_E_USAGE;
	bool differs = !is_as_before(screen, before);
	for (size_t p = 0; p < screen->n_panes; p++)
		edges[from][index_of(pane_view(&screen->panes[p])->type)] = true;
	bool ret = !is_usage && (differs || screen->prompt.is_open || screen->message[0] ||
					screen->log.n != lines || !session->display.wants_screen ||
					screen->playing.rate > 0 || screen->was_error);
	free(before);
	return ret;
}

static bool is_quiet(const char *keys)
{
	for (size_t i = 0; quiet[i]; i++)
		if (strcmp(quiet[i], keys) == 0)
			return true;
	return false;
}

/* A motion that has nowhere to go in a view of few rows says nothing. */
static bool moves(const struct key *key)
{
	return strncmp(key->line, "view cursor ", 12) == 0;
}

static void try_key(struct screen *screen, const struct view_type *type, const char *argument,
	const struct key *key, size_t kind)
{
	static const char *const cursors[] = {"d", "drrdd", ""};
	const size_t from = index_of(type);
	bool is_good = false, was_there = false;
	for (size_t i = 0; i < 3 && !is_good; i++) {
		struct tui_view *view = begin(screen, type, argument, cursors[i]);
		if (!key_applies(key, view))
			continue;
		was_there = true;
		is_good = answers(screen, key, from);
		if (screen->was_error && screen->last_error.code == CS_E_USAGE)
			break;
	}
	bool is_usage = screen->was_error && screen->last_error.code == CS_E_USAGE;
	if (!was_there || is_good || (!is_usage && (is_quiet(key->keys) || moves(key))))
		return;
	faults++;
	printf("# %s, view %s %s, %ux%u, key %s (%s): %s\n", files[kind].kind, type->name, argument,
		screen->grid.columns, screen->grid.rows, key->keys, key->line,
		is_usage ? screen->last_error.text : "nothing");
}

/*
 * What opens a view, or is another key for the same, does so wherever it is pressed: without
 * CELLSCOPE_KEYS=all it is tried in the first view alone.
 */
static bool is_same_everywhere(const struct key *key)
{
	static const char *const all[] = {
		"view split ", "view close", "view lessons", "view redraw"};
	char name[32] = "";
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strncmp(key->line, all[i], strlen(all[i])) == 0 && !key->when)
			return true;
	if (sscanf(key->line, "view %31s", name) == 1 && view_type_named(name) && !key->when)
		return true;
	for (const struct key *other = common_keys; other < key; other++)
		if (strcmp(other->line, key->line) == 0 && other->when == key->when)
			return true;
	return false;
}

static bool is_of_view(const struct key *key, const struct tui_view *view)
{
	return key_is_of(key, (struct tui_view *)view);
}

static void try_view(struct session *session, const struct view_type *type, size_t kind, bool all)
{
	struct screen *screen = session->display.screen;
	const char *argument = argument_of(type, kind);
	if (!argument)
		return;
	for (const struct key *key = type->keys; key && key->keys; key++)
		try_key(screen, type, argument, key, kind);
	for (const struct key *key = common_keys; all && key->keys; key++) {
		struct tui_view *view = begin(screen, type, argument, "");
		if (is_of_view(key, view) &&
			(type == view_types[0] || tries_all || !is_same_everywhere(key)))
			try_key(screen, type, argument, key, kind);
	}
}

/* Not all keys of all views again in the small window: there it is the room that differs. */
static void test_kind(size_t kind)
{
	size_t before = faults, pressed = presses;
	struct session *session = open_kind(kind);
	if (!session) {
		printf("# %s: is not here\n", files[kind].kind);
		return;
	}
	cs_error_free(screen_resize(session->display.screen, 80, 24));
	for (size_t v = 0; view_types[v]; v++)
		try_view(session, view_types[v], kind, true);
	cs_error_free(screen_resize(session->display.screen, 40, 12));
	for (size_t v = 0; view_types[v]; v++)
		try_view(session, view_types[v], kind, false);
	session_free(session);
	ok(faults == before, "%s: each of %zu keys answers", files[kind].kind, presses - pressed);
}

/* @OUT@ and @FIXTURES@ are folders. */
static void fill_folders(const char *text, char *ret, size_t size)
{
	size_t n = 0;
	ret[0] = '\0';
	while (*text && n + 1 < size) {
		const bool is_out = strncmp(text, "@OUT@", 5) == 0,
			   is_fixtures = strncmp(text, "@FIXTURES@", 10) == 0;
		snprintf(ret + n, size - n, "%.*s", is_out || is_fixtures ? 2000 : 1,
			is_out        ? out
			: is_fixtures ? fixtures
				      : text);
		n += strlen(ret + n);
		text += is_out ? 5 : is_fixtures ? 10 : 1;
	}
}

static void test_stepped(void)
{
	size_t before = faults, pressed = presses;
	struct session *session = open_kind(1);
	char argument[2200], line[2200];
	if (!session)
		return;
	snprintf(line, sizeof(line), "path load '%s/streaming/drive.csv' picked", fixtures);
	ok(run(session, line), "a path is read");
	for (size_t size = 0; size < 2; size++)
		for (size_t i = 0; i < sizeof(stepped) / sizeof(stepped[0]); i++) {
			struct screen *screen = session->display.screen;
			const struct view_type *type = view_type_named(stepped[i].view);
			fill_folders(stepped[i].argument, argument, sizeof(argument));
			step = stepped[i].step;
			cs_error_free(screen_resize(screen, size ? 40 : 80, size ? 12 : 24));
			for (const struct key *key = type->keys; key && key->keys; key++)
				try_key(screen, type, argument, key, 1);
			for (const struct key *key = common_keys; key->keys; key++)
				if (!size && is_of_view(key, begin(screen, type, argument, "")) &&
					(tries_all || !is_same_everywhere(key)))
					try_key(screen, type, argument, key, 1);
		}
	step = NULL;
	session_free(session);
	ok(faults == before, "behind a step: each of %zu keys answers", presses - pressed);
}

/* ---- the graph ---- */

static void write_graph(void)
{
	char path[2200];
	snprintf(path, sizeof(path), "%s/keys.dot", out);
	FILE *to = fopen(path, "w");
	if (!to)
		return;
	fprintf(to, "digraph keys {\n");
	for (size_t i = 0; view_types[i]; i++)
		for (size_t j = 0; view_types[j]; j++)
			if (edges[i][j] && i != j)
				fprintf(to, "\t\"%s\" -> \"%s\";\n", view_types[i]->name,
					view_types[j]->name);
	fprintf(to, "}\n");
	fclose(to);
}

/* What opens only behind a choice: "VIEW keys VIEW". */
static void follow_choices(void)
{
	static const struct {
		const char *keys, *to;
	} ways[] = {{"d s Enter G e", "trails"}, {"d r Enter", "runs"}};
	struct session *session = open_kind(1);
	char line[2200];
	snprintf(line, sizeof(line), "path load '%s/streaming/drive.csv' picked", fixtures);
	ok(session && run(session, line), "a path is there");
	for (size_t i = 0; session && i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct screen *screen = session->display.screen;
		begin(screen, view_types[0], "", "");
		press(screen, ways[i].keys);
		is_text(screen_view(screen)->type->name, ways[i].to, "%s", ways[i].keys);
		edges[0][index_of(screen_view(screen)->type)] = true;
	}
	session_free(session);
}

static void test_graph(void)
{
	bool reached[MOST_VIEWS] = {[0] = true}, grows = true;
	size_t missing = 0;
	while (grows) {
		grows = false;
		for (size_t i = 0; view_types[i]; i++)
			for (size_t j = 0; reached[i] && view_types[j]; j++)
				if (edges[i][j] && !reached[j])
					grows = reached[j] = true;
	}
	for (size_t i = 0; view_types[i]; i++)
		if (!reached[i]) {
			printf("# no key leads to %s\n", view_types[i]->name);
			missing++;
		}
	write_graph();
	ok(missing == 0, "keys lead from the first view to every other");
}

/* The mesh of which pages are shown; what other tests write may not be there yet. */
static void make_pages(void)
{
	char line[2200];
	struct session *session;
	if (session_new(&session))
		return;
	snprintf(line, sizeof(line), "gen mesh terrain --triangles 20000 -o '%s/keys.ply'", out);
	ok(run(session, line), "a mesh is made");
	snprintf(line, sizeof(line), "nanite build '%s/keys.ply' -o '%s/keys.cnanite'", out, out);
	ok(run(session, line), "and its pages");
	snprintf(line, sizeof(line), "open '%s/valley.json'", fixtures);
	ok(run(session, line), "a world");
	snprintf(line, sizeof(line), "cook log '%s/keys.log'", out);
	ok(run(session, line), "and its log");
	session_free(session);
}

int main(void)
{
	const char *source = getenv("CELLSCOPE_SOURCE"), *folder = getenv("CELLSCOPE_OUT");
	static char path[2100];
	snprintf(path, sizeof(path), "%s/fixtures", source ? source : ".");
	fixtures = path;
	tries_all = getenv("CELLSCOPE_KEYS");
	out = folder ? folder : "tests/out";
	data = getenv("CELLSCOPE_DATA");
	make_pages();
	for (size_t kind = 0; kind < FILES; kind++)
		test_kind(kind);
	test_stepped();
	follow_choices();
	test_graph();
	return done();
}
