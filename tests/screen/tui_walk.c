/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random keys on the screen: nothing crashes, the grid is always whole (cells of two columns keep
 * both, nothing unprintable stands anywhere), and what the keys submitted, replayed in another
 * session, leads to the same screen and the same state. CELLSCOPE_WALK_KEYS sets the number.
 */
#include "src/tui/screen.h"
#include "src/tui/terminal/screen_export.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include <string.h>

/* Keys that open files, shells and the like are left out: letters typed into a prompt are not. */
static const char *const pool[] = {"Up", "Down", "Left", "Right", "PgUp", "PgDn", "Home", "End",
	"Enter", "Tab", "q", "v", "c", "a", "l", "f", "m", "r", "s", "h", "i", "p", "e", "y", "t",
	"o", "O", "F", "A", "+", "-", "z", "[", "]", "g", "G", "0", ".", "1", "2", "n", "N", "V",
	"Space", "Esc", "?", "x", "J", "K", "L", "/", "\\", "b", "C-x", "C-l", "w", "u", "k", "S",
	"{", "}", "B", "M", "N", "W"};

static uint64_t seed = 88172645463325252u;

static uint32_t random_below(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 33) % n;
}

static struct session *open_session(const char *world)
{
	struct session *session;
	struct sink *sink;
	static struct memory_sink into;
	char line[2300];
	if (session_new(&session))
		return NULL;
	memory_sink_init(&into);
	sink = &into.sink;
	snprintf(line, sizeof(line), "open '%s'", world);
	cs_error_free(run_line(session, line, sink));
	cs_error_free(run_line(session, "view size 80x24", sink));
	cs_error_free(run_line(session, "source add Player0 0,0", sink));
	memory_sink_deinit(&into);
	return session;
}

static bool is_whole(const struct grid *grid)
{
	for (unsigned y = 0; y < grid->rows; y++)
		for (unsigned x = 0; x < grid->columns; x++) {
			const struct grid_cell *cell = &grid->at[(size_t)y * grid->columns + x];
			bool is_half = cell->width == 0;
			if (cell->width > 2 || (is_half && (x == 0 || cell[-1].width != 2)))
				return false;
			if (cell->width == 2 && (x + 1 == grid->columns || cell[1].width != 0))
				return false;
			if (!is_half && (unsigned char)cell->text[0] < ' ')
				return false;
		}
	return true;
}

static char *print_screen(struct session *session)
{
	struct memory_sink text;
	char *ret = NULL;
	size_t n;
	screen_draw(session->display.screen);
	memory_sink_init(&text);
	grid_export(&session->display.screen->grid, EXPORT_TEXT, 0, &text.sink);
	cs_error_free(memory_sink_take(&text, &ret, &n));
	return ret;
}

static char *hash_of(struct session *session)
{
	struct memory_sink text;
	char *ret = NULL;
	size_t n;
	memory_sink_init(&text);
	cs_error_free(run_nested(session, "hash", &text.sink));
	cs_error_free(memory_sink_take(&text, &ret, &n));
	return ret;
}

static bool walk(struct session *session, unsigned keys)
{
	bool whole = true;
	for (unsigned i = 0; i < keys; i++) {
		session->display.wants_screen = true;
		screen_key(session->display.screen,
			pool[random_below(sizeof(pool) / sizeof(pool[0]))]);
		if (!session->display.screen->is_drawn)
			screen_draw(session->display.screen);
		whole = whole && is_whole(&session->display.screen->grid);
	}
	screen_key(session->display.screen, "Esc");
	screen_key(session->display.screen, "Esc");
	session->display.screen->message[0] = session->display.screen->typed.pending[0] = '\0';
	return whole;
}

/* Each line of the record, in a session of its own. */
static struct session *replay(const struct session *from)
{
	struct session *session;
	struct memory_sink into;
	const struct memory_sink *lines = &from->record.lines;
	if (session_new(&session))
		return NULL;
	memory_sink_init(&into);
	for (size_t at = 0; at < lines->text.n;) {
		const char *end = memchr(lines->text.at + at, '\n', lines->text.n - at);
		size_t n = end ? (size_t)(end - lines->text.at) - at : lines->text.n - at;
		char *line = strndup(lines->text.at + at, n);
		if (line && *line)
			cs_error_free(run_line(session, line, &into.sink));
		free(line);
		at += n + 1;
	}
	memory_sink_deinit(&into);
	return session;
}

static void forget_log(struct screen *screen)
{
	while (screen->log.n > 0)
		free(screen->log.at[--screen->log.n].text);
}

/* Keys, then the same lines again. */
static void walk_over(const char *name, const char *world, unsigned keys)
{
	struct session *session = open_session(world);
	ok(session && session->world && session->display.screen, "%s: a session with a screen",
		name);
	if (!session || !session->display.screen)
		return;
	ok(walk(session, keys), "%s: the grid is whole behind every key", name);
	struct session *again = replay(session);
	ok(again && again->display.screen, "%s: what the keys submitted can be replayed", name);
	if (again && again->display.screen) {
		char *hash = hash_of(session), *other = hash_of(again);
		is_text(other, hash, "%s: the same state", name);
		free(hash);
		free(other);
		forget_log(again->display.screen); /* failures are not recorded */
		forget_log(session->display.screen);
		char *seen = print_screen(session), *seen_again = print_screen(again);
		is_text(seen_again, seen, "%s: the same screen", name);
		free(seen);
		free(seen_again);
	}
	session_free(again);
	session_free(session);
}

int main(void)
{
	const char *asked = getenv("CELLSCOPE_WALK_KEYS"), *source = getenv("CELLSCOPE_SOURCE"),
		   *out = test_folder();
	unsigned keys = asked ? (unsigned)strtoul(asked, NULL, 10) : 300;
	char world[2200];
	snprintf(world, sizeof(world), "%s/fixtures/valley.json", source ? source : ".");
	walk_over("valley", world, keys);
	snprintf(world, sizeof(world), "%s/hostile.cworld", out);
	walk_over("hostile names", world, keys);
	return done();
}
