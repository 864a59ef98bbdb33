/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every view at every size, with the signs and colours of all terminals. What must hold: the grid
 * is whole, ASCII is ASCII, nothing is told by colour alone (the same text with 0 and 256 colours),
 * and both sets of signs fill the same places with text. What is seen is held by a hash a screen,
 * in fixtures/screens/matrix.txt; CELLSCOPE_BLESS=1 writes that file anew, to be looked at with
 * `git diff` and on the screen.
 */
#include "src/tui/screen.h"
#include "src/tui/terminal/screen_export.h"
#include "tests/samples/tap.h"

#include <string.h>
#include <xxhash.h>

/* Behind the opening of a mesh, which would end the run. */
static const char *const opening[] = {
	"view lessons valley",
	"view split off",
	"source add Player0 0,0",
	"step 6",
	"layer set DL_Quest activated",
	"step 30",
	"toggle cell L0:0,0",
	"toggle layer DL_Night",
	"client add Anna 0,0",
};

/* What views are asked for beside their name; the others need nothing. */
static const struct {
	const char *view, *argument;
} arguments[] = {
	{"cell", "L0:0,0"},
	{"actor", "Torch_1"},
	{"object", "cell L0:0,0"},
	{"explain", "actor Rock_1044 MainGrid.cell_size=25600"},
	{"why", "cell L0:0,0"},
	{"finding", "1"},
	{"rows", "queue"},
	{"page", "matrix:0"},
};

static const struct {
	unsigned columns, rows;
} sizes[] = {{40, 10}, {80, 24}, {120, 40}, {400, 100}};

static char out[2048];

static void run(struct session *session, const char *line)
{
	struct memory_sink into;
	memory_sink_init(&into);
	struct cs_error *error = run_line(session, line, &into.sink);
	if (error)
		printf("# %s: %s\n", line, error->message);
	cs_error_free(error);
	memory_sink_deinit(&into);
}

static bool is_whole(const struct grid *grid)
{
	for (size_t i = 0; i < (size_t)grid->columns * grid->rows; i++) {
		const struct grid_cell *cell = &grid->at[i];
		bool is_first = i % grid->columns == 0, is_last = (i + 1) % grid->columns == 0;
		if (cell->width == 0 && (is_first || cell[-1].width != 2))
			return false;
		if (cell->width == 2 && (is_last || cell[1].width != 0))
			return false;
		if (cell->width > 2 || (cell->width && (unsigned char)cell->text[0] < ' '))
			return false;
	}
	return true;
}

static bool is_ascii(const struct grid *grid)
{
	for (size_t i = 0; i < (size_t)grid->columns * grid->rows; i++)
		for (const char *c = grid->at[i].text; *c; c++)
			if (*c < ' ' || *c > '~')
				return false;
	return true;
}

static struct memory_sink print(struct screen *screen, enum export_form form)
{
	struct memory_sink text;
	memory_sink_init(&text);
	grid_export(&screen->grid, form, screen->colours, &text.sink);
	return text;
}

struct seen {
	bool whole, ascii, same_text;
	XXH64_hash_t hash;
};

/* Of the text and, up to what a terminal mostly is, of the colours. */
static void look(struct screen *screen, bool ascii, struct seen *seen)
{
	screen->grid.ascii = ascii;
	screen->colours = 0;
	screen_changed(screen);
	screen_draw(screen);
	seen->whole = seen->whole && is_whole(&screen->grid);
	seen->ascii = seen->ascii && (!ascii || is_ascii(&screen->grid));
	struct memory_sink plain = print(screen, EXPORT_TEXT);
	screen->colours = 256;
	screen_draw(screen);
	struct memory_sink coloured = print(screen, EXPORT_TEXT);
	seen->same_text = seen->same_text && plain.text.n == coloured.text.n &&
			  memcmp(plain.text.at, coloured.text.at, plain.text.n) == 0;
	seen->hash = XXH3_64bits_withSeed(plain.text.at, plain.text.n, seen->hash);
	if (screen->grid.columns <= 120) {
		struct memory_sink ansi = print(screen, EXPORT_ANSI);
		seen->hash = XXH3_64bits_withSeed(ansi.text.at, ansi.text.n, seen->hash);
		memory_sink_deinit(&ansi);
	}
	memory_sink_deinit(&plain);
	memory_sink_deinit(&coloured);
}

static const char *argument_of(const char *view)
{
	for (size_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++)
		if (strcmp(arguments[i].view, view) == 0)
			return arguments[i].argument;
	return "";
}

static struct seen look_at(struct session *session, const struct view_type *type, size_t size)
{
	struct screen *screen = session->display.screen;
	struct seen seen = {true, true, true, 0};
	cs_error_free(screen_resize(screen, sizes[size].columns, sizes[size].rows));
	cs_error_free(screen_open(screen, type, argument_of(type->name)));
	look(screen, true, &seen);
	look(screen, false, &seen);
	return seen;
}

static struct session *open_session(void)
{
	struct session *session;
	char line[4400];
	if (session_new(&session))
		return NULL;
	snprintf(line, sizeof(line), "gen mesh sphere --triangles 600 --seed 3 -o '%s/matrix.ply'",
		out);
	run(session, line);
	snprintf(line, sizeof(line), "nanite build '%s/matrix.ply' -o '%s/matrix.cnanite'", out,
		out);
	run(session, line);
	snprintf(line, sizeof(line), "open '%s/matrix.cnanite'", out);
	run(session, line);
	for (size_t i = 0; i < sizeof(opening) / sizeof(opening[0]); i++)
		run(session, opening[i]);
	while (session->display.screen &&
		session->display.screen->log.n > 0) /* names of folders stand in it */
		free(session->display.screen->log.at[--session->display.screen->log.n].text);
	return session;
}

/* What a mesh becomes may change, and rows may get more columns: of these views there is no hash.
 */
static bool may_change(const struct view_type *type)
{
	static const char *const names[] = {"nanite", "page", "pages", "hierarchy", "dag", "pool",
		"resources", "cell", "actor", "object", "variables"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], type->name) == 0)
			return true;
	return false;
}

/* "VIEW 80x24 HASH", a line a screen, in one text. */
static void test_views(struct session *session, struct output *lines)
{
	for (size_t v = 0; view_types[v]; v++) {
		bool whole = true, ascii = true, same = true;
		for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
			struct seen seen = look_at(session, view_types[v], s);
			whole = whole && seen.whole;
			ascii = ascii && seen.ascii;
			same = same && seen.same_text;
			if (!may_change(view_types[v]))
				say(lines, "%s %ux%u %016llx\n", view_types[v]->name,
					sizes[s].columns, sizes[s].rows,
					(unsigned long long)seen.hash);
			screen_close(session->display.screen);
		}
		ok(whole && ascii && same,
			"%s: whole at every size, ASCII where asked for, never by colour alone",
			view_types[v]->name);
	}
}

static char *read_file(const char *path)
{
	FILE *in = fopen(path, "r");
	char *text = calloc(1, 1 << 16);
	if (in && text)
		text[fread(text, 1, (1 << 16) - 1, in)] = '\0';
	if (in)
		fclose(in);
	return text;
}

/* Line by line, so that a failure names the screen. */
static void compare(char *wanted, char *seen)
{
	char *more[2];
	char *left = strtok_r(wanted, "\n", &more[0]), *right = strtok_r(seen, "\n", &more[1]);
	bool same = true;
	while (left || right) {
		if (!left || !right || strcmp(left, right) != 0) {
			printf("# wanted %s\n# seen   %s\n", left ? left : "-",
				right ? right : "-");
			same = false;
		}
		left = left ? strtok_r(NULL, "\n", &more[0]) : NULL;
		right = right ? strtok_r(NULL, "\n", &more[1]) : NULL;
	}
	ok(same, "every screen is as fixtures/screens/matrix.txt has it");
}

int main(void)
{
	const char *source = getenv("CELLSCOPE_SOURCE"), *folder = getenv("CELLSCOPE_OUT");
	char path[2200], *seen = NULL;
	struct memory_sink text;
	struct output lines;
	size_t n;
	snprintf(out, sizeof(out), "%s", folder ? folder : "tests/out");
	snprintf(path, sizeof(path), "%s/fixtures/screens/matrix.txt", source ? source : ".");
	struct session *session = open_session();
	ok(session && session->world && session->display.screen, "a world, a mesh and a screen");
	if (!session || !session->display.screen)
		return done();
	memory_sink_init(&text);
	output_init(&lines, &(struct style){.ascii = true}, &text.sink);
	test_views(session, &lines);
	cs_error_free(output_end(&lines));
	cs_error_free(memory_sink_take(&text, &seen, &n));
	if (getenv("CELLSCOPE_BLESS") && seen) {
		FILE *to = fopen(path, "w");
		if (!to || fputs(seen, to) < 0 || fclose(to) != 0)
			return 99;
	}
	char *wanted = read_file(path);
	compare(wanted, seen);
	free(wanted);
	free(seen);
	session_free(session);
	return done();
}
