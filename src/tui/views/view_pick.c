/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Views whose rows are command lines that can be run without typing: first steps with what is open,
 * tasks with their keys, and lines to complete with files and settings. A row has a name, a
 * description and a line, which Enter submits. The line of the row under the cursor is shown below
 * the rows.
 */
#include <cellscope/cook.h>
#include <cellscope/world.h>

#include "src/language/lexer.h"
#include "src/output/lines.h"
#include "src/tui/screen.h"
#include "src/tui/terminal/paint.h"
#include "src/tui/views/views.h"

#include "core/items.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct row {
	/* owned; a `line` that begins with ':' is put into the prompt for editing */
	char *name, *about, *line;
	enum ink ink;
	char *path; /* file to preview; owned, or NULL */
};

struct pick {
	CS_VEC(struct row) rows;
	int names;       /* width in columns of the longest name */
	size_t seen_row; /* 1 + the index of the row whose file was read into `seen`; 0 = none */
	char seen[1024]; /* first bytes of a previewed file */
};

static void clear(struct pick *state)
{
	for (size_t i = 0; i < state->rows.n; i++) {
		free(state->rows.at[i].name);
		free(state->rows.at[i].about);
		free(state->rows.at[i].line);
		free(state->rows.at[i].path);
	}
	state->rows.n = 0;
	state->seen_row = 0;
	state->names = 0;
}

/* Adds a row whose choice runs the formatted text as a command; does nothing if memory runs out. */
static void CS_PRINTF(5, 6) add(struct pick *state, enum ink ink, const char *name,
	const char *about, const char *format, ...)
{
	struct row row = {strdup(name), strdup(about), NULL, ink, NULL};
	va_list list;
	va_start(list, format);
	if (vasprintf(&row.line, format, list) < 0)
		row.line = NULL;
	va_end(list);
	if (row.name && row.about && row.line && cs_vec_push(&state->rows, row)) {
		int wide = (int)strlen(name);
		state->names = wide > state->names ? wide : state->names;
		return;
	}
	free(row.name);
	free(row.about);
	free(row.line);
}

static const struct row *view_pick_row_at(const struct tui_view *view)
{
	const struct pick *state = view->state;
	return view->list.cursor < state->rows.n ? &state->rows.at[view->list.cursor] : NULL;
}

/* ---- choices of files and settings ---- */

/* Returns the template with its last {} replaced. Further choices replace the others. */
static char *filled(const char *template, const char *text)
{
	const char *place = NULL;
	for (const char *at = template; (at = strstr(at, "{}")) != NULL; at += 2)
		place = at;
	char *ret = NULL;
	int n = place ? asprintf(&ret, "%.*s%s%s", (int)(place - template), template, text,
				place + 2)
		      : asprintf(&ret, "%s %s", template, text);
	return n < 0 ? NULL : ret;
}

static void add_filled(struct pick *state, enum ink ink, const char *name, const char *about,
	const char *template, const char *text)
{
	char *line = filled(template, text);
	if (line)
		add(state, ink, name, about, "%s", line);
	free(line);
}

static bool has_ending(const char *name, const char *endings)
{
	struct cs_item ending;
	size_t n = strlen(name);
	while (cs_next_item(&endings, &ending)) {
		char text[32];
		if (!cs_item_text(ending, text, sizeof(text)))
			continue;
		size_t length = strlen(text);
		if (n > length && strcasecmp(name + n - length, text) == 0)
			return true;
	}
	return false;
}

static void add_folder_of_files(struct pick *state, const char *name, const char *path,
	const char *endings, const char *template)
{
	char *what = NULL;
	if (asprintf(&what, "files:%s:%s", endings, path) < 0)
		return;
	char *word = quote_word(what);
	if (word)
		add(state, INK_BLUE, name, "folder", "view pick %s %s", word, template);
	free(word);
	free(what);
}

static void add_file(struct pick *state, const char *folder, const char *name, const char *endings,
	const char *template)
{
	char *path = NULL, *word = NULL, about[64];
	struct stat its;
	bool is_here = strcmp(folder, ".") == 0;
	int n = asprintf(&path, "%s%s%s", is_here ? "" : folder, is_here ? "" : "/", name);
	if (n >= 0 && stat(path, &its) == 0)
		word = quote_word(path);
	if (word && S_ISDIR(its.st_mode)) {
		add_folder_of_files(state, name, path, endings, template);
	} else if (word && has_ending(name, endings)) {
		say_bytes((double)its.st_size, about, sizeof(about));
		size_t before = state->rows.n;
		add_filled(state, INK_NORMAL, name, about, template, word);
		if (state->rows.n > before && S_ISREG(its.st_mode)) {
			state->rows.at[before].path = path;
			path = NULL;
		}
	}
	free(word);
	if (n >= 0)
		free(path);
}

static int by_name(const struct dirent **left, const struct dirent **right)
{
	return strcmp((*left)->d_name, (*right)->d_name);
}

static int is_seen(const struct dirent *entry)
{
	return strcmp(entry->d_name, "..") == 0 || entry->d_name[0] != '.';
}

/* Adds the files of a folder; `what` is "ENDINGS:FOLDER". */
static struct cs_error *read_files(struct pick *state, const char *what, const char *template)
{
	enum { MOST_FILES = 2000 };
	char endings[200], folder[4096];
	struct dirent **entries;
	snprintf(endings, sizeof(endings), "%.*s", (int)strcspn(what, ":"), what);
	snprintf(folder, sizeof(folder), "%s", strchr(what, ':') ? strchr(what, ':') + 1 : ".");
	int n = scandir(folder, &entries, is_seen, by_name);
	if (n < 0)
		return cs_error_errno(errno, folder, "read the folder");
	for (int i = 0; i < n; i++) {
		if (i < MOST_FILES)
			add_file(state, folder, entries[i]->d_name, endings, template);
		free(entries[i]);
	}
	free(entries);
	return NULL;
}

static void add_setting(
	struct pick *state, const char *name, double now, double other, const char *template)
{
	char setting[300], about[64];
	snprintf(setting, sizeof(setting), "%s=%.0f", name, other);
	snprintf(about, sizeof(about), "now %.0f", now);
	char *word = quote_word(setting);
	if (word)
		add_filled(state, INK_NORMAL, setting, about, template, word);
	free(word);
}

/* Adds what-if settings: cell sizes times .5, 2, 4, loading ranges times .5, 2, engine versions. */
static struct cs_error *read_settings(
	struct pick *state, const struct session *session, const char *template)
{
	static const double times[] = {.5, 2, 4};
	const struct cs_cooked *world = session->world;
	size_t n;
	const struct cs_profile *profiles = cs_profiles(&n);
	if (!world)
		return cs_error_new(CS_E_NOTOPEN, "no world is open: `open FILE` opens one");
	for (size_t i = 0; i < world->n_partitions; i++) {
		const struct cs_cooked_partition *grid = &world->partitions[i];
		char name[256];
		if (grid->hlod_index >= 0 || !(grid->cell_size > 0) || grid->cells.count == 0)
			continue;
		for (size_t t = 0; t < sizeof(times) / sizeof(times[0]); t++) {
			snprintf(name, sizeof(name), "%.200s.cell_size",
				cs_cooked_text(world, grid->name));
			add_setting(
				state, name, grid->cell_size, grid->cell_size * times[t], template);
		}
		for (size_t t = 0; t < 2; t++) {
			snprintf(name, sizeof(name), "%.200s.loading_range",
				cs_cooked_text(world, grid->name));
			add_setting(state, name, grid->loading_range,
				grid->loading_range * times[t], template);
		}
	}
	for (size_t i = 0; i < n; i++) {
		char setting[64];
		snprintf(setting, sizeof(setting), "profile=%s", profiles[i].name);
		add_filled(state, INK_NORMAL, setting, "rules of that engine version", template,
			setting);
	}
	return NULL;
}

/* Lists the files or settings that the argument's first word names. The rest is a command line. */
static struct cs_error *renew_pick(struct tui_view *view)
{
	struct pick *state = view->state;
	struct scanner scanner = {view->argument, 0, NULL};
	struct word what = {0};
	enum sign sign;
	clear(state);
	struct cs_error *error = scan(&scanner, &sign, &what);
	if (error)
		return error;
	const char *line = view->argument + scanner.at;
	line += strspn(line, " ");
	error = sign != SIGN_WORD || !*line
			? cs_error_new(CS_E_USAGE, "view pick needs a list and a command "
						   "line: write view pick files:ENDINGS "
						   "LINE, or view pick settings LINE")
		: strncmp(what.text, "files:", 6) == 0 ? read_files(state, what.text + 6, line)
		: strcmp(what.text, "settings") == 0
			? read_settings(state, view->session, line)
			: cs_error_new(CS_E_USAGE,
				  "view pick cannot list '%s': write settings, or files: and "
				  "endings, such as files:.csv,.json",
				  what.text);
	word_free(&what);
	view->list.n = state->rows.n;
	return error;
}

/* ---- first steps with what is open ---- */

/* Adds a row with a count and its noun, which is `one` or `many`. Adds no row for a count of 0. */
static void add_sum(struct pick *state, enum ink ink, const char *name, size_t n, const char *one,
	const char *many, const char *line)
{
	char about[128];
	if (n == 0)
		return;
	snprintf(about, sizeof(about), "%zu %s", n, n == 1 ? one : many);
	add(state, ink, name, about, "%s", line);
}

struct sums {
	size_t all, fullest, most;
};

/* Numbers of rows of lists that cover all world partitions. */
struct totals {
	size_t errors, findings, lost, always;
};

static struct totals totals_of(const struct session *session)
{
	struct totals totals = {0};
	for (uint32_t p = 0; p < cs_query_partitions(session->query); p++) {
		const struct cs_cooked *world = cs_query_partition(session->query, p, NULL);
		totals.findings += world->n_findings;
		totals.errors += cs_cooked_sums(world).found[CS_ERROR];
		totals.lost += cs_cooked_sums(world).lost;
		for (size_t i = 0; i < world->n_cells; i++) {
			const struct cs_cooked_cell *cell = cs_cooked_cell(world, i);
			totals.always +=
				cell->flags & CS_CELL_ALWAYS_LOADED ? cell->actors.count : 0;
		}
	}
	return totals;
}

static struct sums sums_of(const struct cs_cooked *world)
{
	struct sums sums = {0};
	for (size_t i = 0; i < world->n_cells; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(world, i);
		bool is_always = cell->flags & CS_CELL_ALWAYS_LOADED;
		sums.all += cell->actors.count;
		if (is_always || cell->actors.count <= sums.most)
			continue;
		sums.most = cell->actors.count;
		sums.fullest = i;
	}
	return sums;
}

static void add_title(struct pick *state, const struct cs_cooked *world, const struct sums *sums,
	const char *line)
{
	char about[100];
	snprintf(about, sizeof(about), "%zu cell%s, %zu actor%s in them", world->n_cells,
		plural_end(world->n_cells), sums->all, plural_end(sums->all));
	add(state, INK_TITLE, cs_cooked_text(world, world->world->name), about, "%s", line);
}

/* Adds rows about what is open besides the main world: its level instances, and further worlds. */
static void add_beside_main(struct pick *state, const struct session *session)
{
	add_sum(state, INK_NORMAL, "levels", cs_cooked_level_instances(session->world),
		"standalone level instance", "standalone level instances", "view partitions");
	for (size_t i = 0; i < session->files.beside.n; i++) {
		const struct cs_cooked *world = session->files.beside.at[i].world;
		const struct sums sums = sums_of(world);
		add_title(state, world, &sums, "view partitions");
	}
}

static void add_world(struct pick *state, const struct session *session)
{
	const struct cs_cooked *world = session->world;
	const struct sums sums = sums_of(world);
	const struct totals totals = totals_of(session);
	const struct cs_stream *stream = session->run.stream;
	char about[400];
	add_title(state, world, &sums, "view map");
	for (size_t i = 0; i < world->n_partitions && i < 4; i++) {
		const struct cs_cooked_partition *grid = &world->partitions[i];
		if (grid->hlod_index >= 0 || grid->cells.count == 0 || !(grid->cell_size > 0))
			continue;
		snprintf(about, sizeof(about), "grid, %u cell%s of %.0f m, loading range %.0f m",
			(unsigned)grid->cells.count, plural_end(grid->cells.count),
			grid->cell_size / 100, grid->loading_range / 100);
		add(state, INK_NORMAL, cs_cooked_text(world, grid->name), about, "view grids");
	}
	add_beside_main(state, session);
	add_sum(state, INK_BAD, "errors", totals.errors, "finding of the cook",
		"findings of the cook", "view findings pass = 0 AND severity = 'error'");
	add_sum(state, INK_WARN, "findings", totals.findings, "in all", "in all", "view findings");
	add_sum(state, INK_WARN, "dropped", totals.lost, "actor", "actors", "view drops lost");
	add_sum(state, INK_NORMAL, "always loaded", totals.always, "actor", "actors",
		"view actors always IS NOT NULL");
	if (sums.most > 0) {
		const char *name = cs_cooked_cell_name(world, sums.fullest);
		char *word = quote_word(name);
		snprintf(about, sizeof(about), "%.200s, %zu actor%s", name, sums.most,
			plural_end(sums.most));
		if (word)
			add(state, INK_NORMAL, "fullest cell", about, "view cell %s", word);
		free(word);
	}
	if (!stream || cs_stream_sources(stream) == 0)
		add(state, INK_GOOD, "next: a source", "S on the map puts one where the cursor is",
			"view map");
	else
		add(state, INK_GOOD, "next: let it run",
			"Space plays, . runs a frame, n to a change", "view map");
}

static void add_resources(struct pick *state, const struct session *session)
{
	const struct cs_inspector *inspector = session->inspector;
	char about[128];
	for (size_t i = 0; i < cs_inspector_models(inspector).n && i < 4; i++) {
		const struct cs_model *model = cs_inspector_models(inspector).at[i];
		snprintf(about, sizeof(about), "%zu page%s, %zu cluster%s", model->n_pages,
			plural_end(model->n_pages), model->n_clusters,
			plural_end(model->n_clusters));
		char *word = quote_word(model->name);
		if (word)
			add(state, INK_TITLE, model->name, about, "view nanite %s", word);
		free(word);
	}
	if (cs_inspector_models(inspector).n > 0)
		add(state, INK_GOOD, "next: a camera", "o on the pages lets one go around the mesh",
			"view nanite");
}

static struct cs_error *renew_start(struct tui_view *view)
{
	struct pick *state = view->state;
	const struct session *session = view->session;
	clear(state);
	if (session->world)
		add_world(state, session);
	add_resources(state, session);
	if (state->rows.n == 0)
		add(state, INK_GOOD, "next: open a file",
			"worlds, cooks, logs, meshes of this folder",
			"view pick files:.json,.cworld,.cnanite,.log,.umap,.utoc,.pak open {}");
	add(state, INK_GOOD, "tasks", "what can be asked, with its keys", "view tasks");
	add(state, INK_GOOD, "tutorial", "fifteen lessons on a small world", "view lessons");
	view->list.n = state->rows.n;
	return NULL;
}

/* ---- tasks ---- */

static const struct {
	const char *task, *keys, *line;
} tasks[] = {
	{"see the world from above", "v m", "view map"},
	{"find an actor or a cell by name", "v m /", ":view search "},
	{"why is this here, or not there now", "y", "view map"},
	{"how did this actor get into its cell", "v a e", "view actors"},
	{"which actors are always loaded", "v a A", "view actors always IS NOT NULL"},
	{"which actors are in no cell", "v p", "view drops"},
	{"what is wrong with the cook", "f", "view findings"},
	{"which cells are the heaviest", "v c z", "view cells"},
	{"what has the run cost, and why", "v w", "view hitches"},
	{"where did it stall", "g t x", "view timeline"},
	{"who waits for what", "u", "view queue"},
	{"which cells were loaded again and again", "v m, m until thrash", "view map thrash"},
	{"compare with another cook", "d w", "view pick files:.cworld,.json view diff now {}"},
	{"compare with the engine's log", "d l", "view pick files:.log view diff {}"},
	{"what would another setting change", "d s", "view pick settings view diff whatif {}"},
	{"what would it change in a run", "d r",
		"view pick files:.csv,.csv.gz view pick settings view runs now {} -p {}"},
	{"what differs from the frame before", "d d", "view diff"},
	{"let a source follow a path", "p Enter",
		"view pick files:.csv,.csv.gz path load {} picked"},
	{"change a data layer", "L x", "view layers"},
	{"which HLOD actors stand for no cell", "v h x", "view hlods"},
	{"which pages thrash", "v N x", "view pages"},
	{"export what is listed as CSV", "X", ":"},
	{"ask in SQL, the answer as a list", "v q", ":view rows sql SELECT "},
	{"save the screen as a picture", "P", ":view save screen.svg"},
	{"open another file", "v O", "view pick files:.json,.cworld,.cnanite,.log,.umap open {}"},
	{"learn the keys by doing", "v T", "view lessons"},
};

static struct cs_error *renew_tasks(struct tui_view *view)
{
	struct pick *state = view->state;
	clear(state);
	for (size_t i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++)
		add(state, INK_NORMAL, tasks[i].task, tasks[i].keys, "%s", tasks[i].line);
	view->list.n = state->rows.n;
	return NULL;
}

/* ---- drawing and keys ---- */

static bool view_pick_fill(struct tui_view *view, char letter, struct output *out)
{
	const struct row *row = view_pick_row_at(view);
	if (letter != 'r' || !row)
		return false;
	say(out, "%s", row->line);
	return true;
}

static bool says(const struct tui_view *view, size_t index, const char *text)
{
	const struct pick *state = view->state;
	const struct row *row = &state->rows.at[index];
	return strcasestr(row->name, text) || strcasestr(row->about, text) ||
	       strcasestr(row->line, text);
}

/* Returns the first bytes of the row's file, read when the cursor reaches the row. */
static const char *beginning_of(struct pick *state, size_t row)
{
	const char *path = state->rows.at[row].path;
	if (state->seen_row == row + 1)
		return state->seen;
	FILE *file = path ? fopen(path, "r") : NULL;
	size_t n = file ? fread(state->seen, 1, sizeof(state->seen) - 1, file) : 0;
	if (file)
		fclose(file);
	state->seen[n] = '\0';
	if (memchr(state->seen, '\0', n))
		snprintf(state->seen, sizeof(state->seen), "not text: a packed or cooked file");
	state->seen_row = row + 1;
	return state->seen;
}

static void draw_beginning(struct area area, const char *text)
{
	char line[512];
	for (int y = 0; y < area.rows && *text; y++) {
		size_t n = strcspn(text, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)n, text);
		for (char *tab = line; (tab = strchr(tab, '\t')) != NULL;)
			*tab = ' ';
		put_cut(area, 1, y, area.columns - 1, inks[INK_DIM], line);
		text += n + (text[n] != '\0');
	}
}

/* Draws the command line that Enter submits for the row, and a preview of the row's file. */
static void draw_chosen(struct pick *state, size_t row, struct area area)
{
	put_line_across(area, 0, inks[INK_LINE]);
	put_text(area, 1, 1, inks[INK_KEY], "Enter");
	char *typed = typed_text(state->rows.at[row].line, area.grid->ascii);
	if (typed)
		put_cut_printed(area, 7, 1, area.columns - 7, inks[INK_NORMAL], typed,
			strlen(typed), false);
	free(typed);
	if (area.rows > 2)
		draw_beginning(area_part(area, 0, 2, area.columns, area.rows - 2),
			beginning_of(state, row));
}

static bool has_files(const struct pick *state)
{
	for (size_t i = 0; i < state->rows.n; i++)
		if (state->rows.at[i].path)
			return true;
	return false;
}

static void view_pick_draw(struct tui_view *view, struct area area)
{
	enum { LEAST = 2, PREVIEW_FROM = 12 };
	struct pick *state = view->state;
	struct list *list = &view->list;
	int below = has_files(state) && area.rows >= PREVIEW_FROM ? area.rows / 3 : LEAST;
	int names = state->names < area.columns / 2 ? state->names : area.columns / 2;
	int rows = area.rows > below ? area.rows - below : area.rows;
	list_scroll(list, rows);
	for (int y = 0; y < rows && list->top + (size_t)y < list->n; y++) {
		const struct row *row = &state->rows.at[list->top + (size_t)y];
		bool here = list->top + (size_t)y == list->cursor;
		struct paint paint = inks[view_has_focus(view) ? INK_CURSOR : INK_SHADOW];
		if (here)
			put_blank(area, 0, y, area.columns, paint);
		put_cut(area, 1, y, names, here ? paint : inks[row->ink], row->name);
		put_cut(area, names + 3, y, area.columns - names - 3, here ? paint : inks[INK_DIM],
			row->about);
	}
	if (list->n == 0)
		put_text(area, 1, 0, inks[INK_DIM], "there is nothing to choose from");
	if (view_pick_row_at(view) && rows < area.rows)
		draw_chosen(state, list->cursor, area_part(area, 0, rows, area.columns, below));
}

static void close_pick(struct tui_view *view)
{
	struct pick *state = view->state;
	clear(state);
	cs_vec_free(&state->rows);
}

static const struct key keys[] = {
	{"Enter", "%r", "Run", "the line below"},
	{0},
};

/* Members that the views of this file share. */
#define PICK_MEMBERS                                                                               \
	.room = ROOM_ALL, .state_size = sizeof(struct pick), .keys = keys, .draw = view_pick_draw, \
	.object = view_no_object, .says = says, .fill = view_pick_fill, .close = close_pick

const struct view_type view_pick = {
	.name = "pick",
	.title = "Choose",
	.help = "choose a file (files:ENDINGS) or a setting (settings); it replaces {} in LINE",
	.needs_argument = true,
	.renew = renew_pick,
	PICK_MEMBERS,
};

const struct view_type view_start = {
	.name = "start",
	.title = "What is open",
	.help = "open files, their problems, and next steps",
	.renew = renew_start,
	PICK_MEMBERS,
};

const struct view_type view_tasks = {
	.name = "tasks",
	.title = "Tasks, and their keys",
	.help = "tasks, which you can search; Enter runs one",
	.renew = renew_tasks,
	PICK_MEMBERS,
};
