/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our cook against an engine's answer: a log of ours is the same; each edit of it by hand is found,
 * by name, and nothing besides; a difference between engines is explained by its rule; HLOD actors
 * that tell another cell are found. The engine's own answers, where they are at hand, have no
 * unexplained difference. Logs that are damaged are compared without harm.
 */
#include <cellscope/compare.h>
#include <cellscope/core.h>

#include "cook/record/trail_inside.h"
#include "core/random.h"
#include "format/check_numbers.h"
#include "format/cooked_inside.h"
#include "tests/unit/cook/cooking.h"
#include "tests/unit/ue/ue_world.h"

#define G(digits) "\"000000000000000000000000000000" digits "\""
#define AT(digits, actor_name, x0, x1, rest)                                             \
	"{\"guid\":" G(digits) ",\"name\":\"" actor_name "\",\"bounds_min\":[" #x0 ",0," \
			       "0],\"bounds_max\":[" #x1 ",10,10]" rest "}\n"
#define NIGHT ",\"data_layers\":[\"Night\"]"

static const char town[] =
	"{\"cellscope_world\":1,\"package\":\"/Game/Maps/Town\",\"settings\":{\"name\":\"Town\"},"
	"\"layers\":[{\"name\":\"Night\",\"label\":\"Night\",\"asset\":\"/Game/L/Night.Night\"}],"
	"\"partitions\":[{\"name\":\"MainGrid\",\"cell_size\":12800}]}\n" AT("01", "Shop", 100, 200,
		"") AT("02", "Bench", 300, 400, "") AT("03", "Lamp", 500, 600, NIGHT)
		AT("04", "Tree", 30000, 30100, "") AT("05", "Well", 60000, 60100, "")
			AT("06", "Clock", 0, 10, ",\"spatially_loaded\":false");

static char path[4096];

/* ---- a log in memory, and editing it ---- */

static char *log_of(struct cs_cooked *c)
{
	size_t size;
	works(cs_cooked_write_log(c, path), "written");
	char *text = (char *)read_file(path, &size);
	if (!text)
		exit(99);
	text[size] = '\0';
	return text;
}

/*
 * Returns a copy of the text in which `to` replaces every `from`; there is room for 1000 bytes
 * more.
 */
static char *edited(const char *text, const char *from, const char *to)
{
	char *out = calloc(strlen(text) + 1000, 1), *at = out;
	size_t found = 0, n = strlen(from);
	for (const char *c = text; *c;
		found += strncmp(c, from, n) == 0, c += strncmp(c, from, n) == 0 ? n : 1) {
		if (strncmp(c, from, n) == 0)
			at = stpcpy(at, to);
		else
			*at++ = *c;
	}
	ok(found > 0, "the log has '%s'", from);
	return out;
}

static const struct cs_comparison *compare_text(
	struct cs_cooked *c, const char *text, struct cs_ue_log **log)
{
	const struct cs_comparison *result = NULL;
	write_file(path, text, strlen(text));
	works(cs_ue_read_log(path, NULL, log), "log: read");
	works(cs_compare_engine(c, &(struct cs_engine_side){.log = *log}, &result),
		"log: compared");
	return result;
}

struct wanted {
	enum cs_compare_kind kind;
	enum cs_compare_change change;
	const char *name, *ours, *theirs, *rule;
};

static bool same_or_null(const char *got, const char *want)
{
	return got && want ? strcmp(got, want) == 0 : got == want;
}

static bool is_row(const struct cs_compare_row *row, const struct wanted *want)
{
	return row->kind == want->kind && row->change == want->change &&
	       same_or_null(row->name, want->name) && same_or_null(row->ours, want->ours) &&
	       same_or_null(row->theirs, want->theirs) && same_or_null(row->rule, want->rule);
}

static void finds(struct cs_cooked *c, const char *text, const struct wanted *want, size_t n,
	const char *what)
{
	struct cs_ue_log *log = NULL;
	const struct cs_comparison *got = compare_text(c, text, &log);
	is_int(got->n, n, "%s: as many differences", what);
	for (size_t i = 0; i < got->n; i++)
		if (!ok(i < n && is_row(&got->rows[i], &want[i]), "%s: row %zu", what, i))
			diag("%s %s %s: %s, %s by %s",
				cs_word(CS_WORDS_COMPARED, got->rows[i].kind)->name,
				cs_word(CS_WORDS_CHANGE, got->rows[i].change)->name,
				got->rows[i].name, got->rows[i].ours ? got->rows[i].ours : "-",
				got->rows[i].theirs ? got->rows[i].theirs : "-",
				got->rows[i].rule ? got->rows[i].rule : "nothing");
	bool same = n == 0;
	ok((got->verdict == CS_COMPARE_SAME) == same, "%s: the verdict", what);
	cs_comparison_free(got);
	cs_ue_log_free(log);
}

static void finds_edit(struct cs_cooked *c, const char *log, const char *from, const char *to,
	const struct wanted *want, size_t n, const char *what)
{
	char *text = edited(log, from, to);
	finds(c, text, want, n, what);
	free(text);
}

/* ---- edits ---- */

#define SHOP "Town_MainGrid_0_0_0_0"
#define TREE "Town_MainGrid_2_0_0_0"
#define WELL "Town_MainGrid_4_0_0_0"

/* When the GUIDs of the actors of two cells are exchanged, each of the two actors has moved. */
static void test_moved(struct cs_cooked *c, const char *log)
{
	static const struct wanted moved[] = {
		{CS_COMPARE_ACTOR, CS_COMPARE_MOVED, "Tree", TREE, WELL, NULL},
		{CS_COMPARE_ACTOR, CS_COMPARE_MOVED, "Well", WELL, TREE, NULL},
	};
	const char *key = "Instance Guid: 000000000000000000000000000000";
	char tree[64], well[64];
	snprintf(tree, sizeof(tree), "%s04", key);
	snprintf(well, sizeof(well), "%s05", key);
	char *one = edited(log, tree, "@"), *two = edited(one, well, tree);
	char *three = edited(two, "@", well);
	const struct wanted other_way[] = {moved[1], moved[0]};
	bool tree_first = strstr(log, tree) < strstr(log, well);
	finds(c, three, tree_first ? other_way : moved, 2, "moved");
	free(one);
	free(two);
	free(three);
}

static void test_edits(struct cs_cooked *c, const char *log)
{
	static const struct wanted renamed[] = {
		{CS_COMPARE_CELL, CS_COMPARE_RENAMED, TREE, TREE, "Town_MainGrid_9_0_0_0", NULL}};
	static const struct wanted lost[] = {
		{CS_COMPARE_ACTOR, CS_COMPARE_ONLY_THEIRS, "Well", NULL, WELL, NULL},
		{CS_COMPARE_ACTOR, CS_COMPARE_ONLY_OURS, "Well", WELL, NULL, NULL},
	};
	static const struct wanted loaded[] = {
		{CS_COMPARE_ACTOR, CS_COMPARE_ONLY_THEIRS, "Chimes", NULL, "persistent level",
			NULL},
		{CS_COMPARE_ACTOR, CS_COMPARE_ONLY_OURS, "Clock", "persistent level", NULL, NULL},
	};
	static const struct wanted world[] = {
		{CS_COMPARE_WORLD, CS_COMPARE_RENAMED, "Town", "Town", "City", "1.6.5"}};
	finds(c, log, NULL, 0, "not edited");
	finds_edit(c, log, "Cell " TREE, "Cell Town_MainGrid_9_0_0_0", renamed, 1, "renamed");
	finds_edit(c, log, "Instance Guid: 00000000000000000000000000000005",
		"Instance Guid: 00000000000000000000000000000055", lost, 2, "another actor");
	finds_edit(c, log, "Actor Path: /Game/Maps/Town.Town:PersistentLevel.Clock",
		"Actor Path: /Game/Maps/Town.Town:PersistentLevel.Chimes", loaded, 2,
		"another always loaded actor");
	char *map = edited(log, "Cell Town_", "Cell City_"), *level;
	level = edited(map, "Town Persistent Level", "City Persistent Level");
	char *hash = edited(level, "Town - ", "City - ");
	char *all = edited(hash, "Town.Town:", "Town.City:");
	finds(c, all, world, 1, "another map");
	free(map);
	free(level);
	free(hash);
	free(all);
}

static void test_layer(const struct cooked_world *w, const char *log)
{
	const char *ours = cell_name_of(w, "Lamp");
	const struct wanted dropped[] = {
		{CS_COMPARE_LAYER, CS_COMPARE_LAYERS, "Night", ours, SHOP, NULL}};
	char from[200];
	ok(strncmp(ours, SHOP "_d", strlen(SHOP) + 2) == 0, "the layer splits a cell");
	snprintf(from, sizeof(from), "Cell %s", ours);
	finds_edit(w->c, log, from, "Cell " SHOP, dropped, 1, "layer dropped");
}

static void test_boxes(struct cs_cooked *c, const char *log)
{
	char *text = edited(log, "Max=(X=60100.000", "Max=(X=60200.000");
	struct cs_ue_log *other = NULL;
	const struct cs_comparison *got = compare_text(c, text, &other);
	size_t content = 0;
	for (size_t i = 0; i < got->n; i++)
		content += got->rows[i].change == CS_COMPARE_CONTENT &&
			   strcmp(got->rows[i].name, WELL) == 0;
	is_int(content, 1, "bounds: the cell whose contents have others is named");
	cs_comparison_free(got);
	cs_ue_log_free(other);
	free(text);
}

/* ---- edits of whole blocks ---- */

/*
 * Returns the lines of a cell in the log, from its heading to the next heading or the end; *end_ret
 * is that end.
 */
static char *block_of(const char *log, const char *cell, const char **end_ret)
{
	char heading[200];
	snprintf(heading, sizeof(heading), "[+] Content of Cell %s ", cell);
	const char *at = strstr(log, heading);
	const char *end = at ? strstr(at + 1, "[+] Content of Cell") : NULL;
	ok(at != NULL, "the log has the block of %s", cell);
	*end_ret = end ? end : log + strlen(log);
	return strndup(at ? at : "", at ? (size_t)(*end_ret - at) : 0);
}

static char *with_insertion(const char *log, const char *at, const char *what)
{
	char *text;
	if (asprintf(&text, "%.*s%s%s", (int)(at - log), log, what, at) < 0)
		exit(99);
	return text;
}

/* The log lists a cell twice, lists an actor in a second cell, or has an actor in another cell. */
static void test_blocks(struct cs_cooked *c, const char *log)
{
	static const struct wanted twice[] = {
		{CS_COMPARE_CELL, CS_COMPARE_TWICE, WELL, WELL, WELL, NULL},
		{CS_COMPARE_ACTOR, CS_COMPARE_TWICE, "Well", WELL, WELL, NULL}};
	static const struct wanted again[] = {
		{CS_COMPARE_ACTOR, CS_COMPARE_TWICE, "Well", WELL, TREE, NULL}};
	static const struct wanted gone[] = {
		{CS_COMPARE_CELL, CS_COMPARE_ONLY_OURS, WELL, WELL, NULL, NULL},
		{CS_COMPARE_ACTOR, CS_COMPARE_MOVED, "Well", WELL, TREE, NULL}};
	const char *end, *tree_end;
	char *well = block_of(log, WELL, &end), *tree = block_of(log, TREE, &tree_end);
	char *text = with_insertion(log, end, well);
	finds(c, text, twice, 2, "cell twice");
	free(text);
	const char *actor = strstr(well, " |- [+] /Game");
	text = with_insertion(log, tree_end, actor);
	finds(c, text, again, 1, "actor twice");
	char *moved = edited(text, well, "");
	finds(c, moved, gone, 2, "actor in another cell, its own gone");
	free(moved);
	free(text);
	free(well);
	free(tree);
}

/*
 * A grid with another name is one finding, and a cell with another level in its name is paired with
 * the cell that has its content.
 */
static void test_names(const struct cooked_world *w, const char *log)
{
	static const struct wanted level[] = {
		{CS_COMPARE_CELL, CS_COMPARE_RENAMED, WELL, WELL, "Town_MainGrid_4_0_0_1", NULL}};
	struct cs_ue_log *other = NULL;
	char *text = edited(log, "_MainGrid_", "_OtherGrid_");
	const struct cs_comparison *got = compare_text(w->c, text, &other);
	is_int(got->n, 1, "a grid renamed: one finding, not one for each cell");
	ok(got->n == 1 && got->rows[0].kind == CS_COMPARE_WORLD &&
			strcmp(got->rows[0].theirs, "OtherGrid") == 0,
		"a grid renamed: which");
	is_int(got->verdict, CS_COMPARE_UNEXPLAINED, "a grid renamed: no rule does that");
	cs_comparison_free(got);
	cs_ue_log_free(other);
	free(text);
	finds_edit(w->c, log, "Cell " WELL " ", "Cell Town_MainGrid_4_0_0_1 ", level, 1,
		"a level changed");
}

/*
 * A log with CRLF line ends compares as the same log. A log that was cut lacks what follows the
 * cut.
 */
static void test_form(struct cs_cooked *c, const char *log)
{
	char *lines = edited(log, "\n", "\r\n");
	struct cs_ue_log *other = NULL;
	finds(c, lines, NULL, 0, "CRLF");
	free(lines);
	const char *end;
	char *last = block_of(log, WELL, &end), *cut = strndup(log, (size_t)(end - log) - 40);
	const struct cs_comparison *got = compare_text(c, cut, &other);
	is_int(got->verdict, CS_COMPARE_UNEXPLAINED, "cut: it differs");
	size_t ours = 0, theirs = 0;
	for (size_t i = 0; i < got->n; i++) {
		ours += got->rows[i].change == CS_COMPARE_ONLY_OURS;
		theirs += got->rows[i].change == CS_COMPARE_ONLY_THEIRS;
	}
	ok(ours > 0 && theirs == 0, "cut: %zu rows of ours alone, none of theirs", ours);
	cs_comparison_free(got);
	cs_ue_log_free(other);
	free(cut);
	free(last);
}

/* A difference of a centimetre is found, but none that is smaller than what a log can write. */
static void test_centimetre(struct cs_cooked *c, const char *log)
{
	static const char ours[] = "60000.000,0.000,0.000 to 60100.000,10.000,10.000",
			  theirs[] = "60001.000,0.000,0.000 to 60100.000,10.000,10.000";
	static const struct wanted moved[] = {
		{CS_COMPARE_CELL, CS_COMPARE_CONTENT, WELL, ours, theirs, NULL}};
	finds_edit(c, log, "Bounds: IsValid=true, Min=(X=60000.000",
		"Bounds: IsValid=true, Min=(X=60001.000", moved, 1, "bounds by a centimetre");
	finds_edit(c, log, "Bounds: IsValid=true, Min=(X=60000.000",
		"Bounds: IsValid=true, Min=(X=60000.001", NULL, 0, "bounds by a rounding");
}

/* ---- rules ---- */

static void test_rules(void)
{
	/* centred in its cell on level 1, and out of that of level 0 by less than a quarter */
	static const char wide[] =
		"{\"cellscope_world\":1,\"package\":\"/Game/Maps/Town\","
		"\"partitions\":[{\"name\":\"MainGrid\",\"cell_size\":12800}]}\n" AT(
			"01", "Hall", -1000, 13800, "");
	struct cooked_world old = cook_lines(wide, "5.5"), new = cook_lines(wide, "5.7");
	struct cs_ue_log *log = NULL;
	char *text = log_of(old.c);
	const struct cs_comparison *got = compare_text(new.c, text, &log);
	is_int(got->verdict, CS_COMPARE_BY_RULE, "5.5 and 5.7: differ by rule");
	ok(got->n >= 1 && got->unexplained[CS_COMPARE_ACTOR] == 0, "5.5 and 5.7: the actor");
	for (size_t i = 0; i < got->n; i++) {
		bool content = got->rows[i].change == CS_COMPARE_CONTENT;
		is_text(got->rows[i].rule ? got->rows[i].rule : "", content ? "1.6.7" : "1.6.4.7",
			"5.5 and 5.7: the rule of row %zu", i);
	}
	cs_comparison_free(got);
	cs_ue_log_free(log);
	free(text);
	cooked_free(&old);
	cooked_free(&new);
}

/* Every number that a trail or a check cites is in the book. */
static void test_numbers(void)
{
	struct cooked_world w = cook_lines(town, "5.4");
	size_t unknown = 0;
	for (int rule = 0; rule <= CS_RULE_TRY_WITHOUT; rule++) {
		const struct cs_trail_step step = {.rule = (enum cs_rule)rule, .finding = CS_NONE};
		const char *number = cs_trail_rule(w.c, &step);
		unknown += !number || !cs_rulebook_find(number);
	}
	for (int check = 0; check < CS_CHECK_COUNT; check++) {
		const char *number = cs_word(CS_WORDS_CHECK, check)->rule;
		unknown += !number || !cs_rulebook_find(number);
	}
	is_int(unknown, 0, "numbers: every rule that is cited is in the book");
	cooked_free(&w);
}

/* ---- HLOD actors ---- */

static bool is_in(const uint32_t *rows, uint32_t n, uint32_t row)
{
	bool found = false;
	for (uint32_t i = 0; i < n; i++)
		found |= rows[i] == row;
	return found;
}

/* Counts the layers that a cell has and its HLOD actor has not, or the other way round. */
static size_t layers_apart(const struct cs_cooked *c)
{
	size_t n = 0;
	for (size_t i = 0; i < c->n_hlods; i++)
		for (uint32_t row = 0; row < c->n_layers; row++) {
			const struct cs_cooked_hlod *hlod = &c->hlods[i];
			if (hlod->cell == CS_NONE || hlod->actor == CS_NONE)
				continue;
			const struct cs_range cell = cs_cooked_cell(c, hlod->cell)->layers;
			const struct cs_range own = cs_cooked_actor(c, hlod->actor)->layers;
			n += is_in(c->cell_layers + cell.first, cell.count, row) !=
			     is_in(cs_cooked_id_rows(c, CS_IDS_ACTOR_LAYERS, own), own.count, row);
		}
	return n;
}

static size_t hlod_differences(
	const struct cs_world *world, const struct cs_world *source, int kind)
{
	const struct cs_comparison *got = NULL;
	struct cooked_world w = cook_world(world, &(struct cs_cook_options){0}, 0);
	works(cs_compare_engine(w.c, &(struct cs_engine_side){.source = source}, &got),
		"hlod: compared");
	size_t n = 0, layers = 0;
	for (size_t i = 0; got && i < got->n; i++)
		layers += got->rows[i].kind == CS_COMPARE_LAYER;
	is_int(layers, layers_apart(w.c), "hlod: layers apart are told, each once");
	for (size_t i = 0; got && i < got->n; i++)
		n += kind == CS_COMPARE_KINDS || (int)got->rows[i].kind == kind;
	cs_comparison_free(got);
	cooked_free(&w);
	return n;
}

/*
 * An HLOD actor whose only source actor does not exist is stale. Without GUIDs of source cells, as
 * before 5.3, cells are paired by name.
 */
static void test_stale(struct cs_world *world)
{
	const struct cs_comparison *got;
	struct cs_guid *first = &world->guids.at[world->hlods.at[0].sources.first];
	const struct cs_guid held = *first;
	struct cs_guid cells[2000] = {{0}};
	const uint32_t n = world->hlods.at[0].sources.count;
	struct cooked_world w = cook_world(world, &(struct cs_cook_options){0}, 0);
	world->hlods.at[0].sources.count = 1;
	first->a ^= 1;
	works(cs_compare_engine(w.c, &(struct cs_engine_side){.source = world}, &got),
		"stale: compared");
	ok(got->stale > 0 && got->rows[0].verdict >= CS_COMPARE_STALE,
		"stale: a verdict of its own");
	cs_comparison_free(got);
	*first = held;
	world->hlods.at[0].sources.count = n;
	for (size_t i = 0; i < world->hlods.n && i < 2000; i++) {
		cells[i] = world->hlods.at[i].source_cell;
		world->hlods.at[i].source_cell = (struct cs_guid){0};
	}
	works(cs_compare_engine(w.c, &(struct cs_engine_side){.source = world}, &got),
		"no GUIDs: compared");
	is_int(got->n, 0, "no GUIDs: cells are paired by name");
	is_int(got->verdict, CS_COMPARE_SAME, "no GUIDs: the same");
	cs_comparison_free(got);
	for (size_t i = 0; i < world->hlods.n && i < 2000; i++)
		world->hlods.at[i].source_cell = cells[i];
	cooked_free(&w);
}

static void test_hlods(void)
{
	struct cs_world *world = NULL;
	const struct cs_world_recipe recipe = {CS_WORLD_CITY, 3000, 1};
	const struct cs_comparison *got = NULL;
	size_t n = 0;
	works(cs_world_generate(&recipe, NULL, &world), "hlod: a city");
	struct cooked_world w = cook_world(world, &(struct cs_cook_options){0}, 0);
	fails(cs_compare_engine(w.c, &(struct cs_engine_side){.source = world}, &got), CS_E_MISSING,
		"hlod: none is an error");
	works(cs_hlod_build(world, &(struct cs_cook_options){0}, NULL, &n), "hlod: built");
	ok(n > 10, "hlod: %zu of them", n);
	is_int(hlod_differences(world, world, CS_COMPARE_KINDS), 0,
		"hlod: what was built from the cook is the same");
	test_stale(world);
	for (size_t i = 0; i < world->hlods.n; i++)
		if (world->hlods.at[i].sources.count > 1) {
			world->hlods.at[i].sources.count--;
			break;
		}
	is_int(hlod_differences(world, world, CS_COMPARE_KINDS), 1,
		"hlod: one that lacks an actor is found");
	size_t gone = 0;
	for (size_t i = 0; i < world->actors.n; i++)
		if (cs_actor_more(world, &world->actors.at[i])->hlod != CS_NONE &&
			world->actors.at[i].layers.count > 0) {
			gone += world->actors.at[i].layers.count;
			world->actors.at[i].layers.count = 0;
		}
	ok(gone > 100 && hlod_differences(world, world, CS_COMPARE_LAYER) > 100,
		"hlod: layers that are gone are found");
	cooked_free(&w);
	cs_world_free(world);
}

/* ---- damage ---- */

static void test_damage(struct cs_cooked *c, const char *log)
{
	size_t size = strlen(log), read = 0;
	struct cs_random random = {7};
	for (int i = 0; i < 300; i++) {
		struct cs_ue_log *other = NULL;
		const struct cs_comparison *got = NULL;
		char *bytes = strdup(log);
		size_t n = i % 2 ? size : cs_random_below(&random, (uint32_t)size);
		for (int k = 0; i % 2 && k < 8; k++)
			bytes[cs_random_below(&random, (uint32_t)size)] ^=
				(char)(1 << cs_random_below(&random, 7));
		write_file(path, bytes, n);
		struct cs_error *error = cs_ue_read_log(path, NULL, &other);
		if (!error)
			error = cs_compare_engine(c, &(struct cs_engine_side){.log = other}, &got);
		read += !error;
		cs_error_free(error);
		cs_comparison_free(got);
		cs_ue_log_free(other);
		free(bytes);
	}
	ok(read > 50, "damage: %zu of 300 damaged logs compared, none fatal", read);
}

/* ---- the engine's own answers ---- */

static void test_engine(const char *data)
{
	char name[4096];
	struct cs_world *world = NULL;
	struct cs_ue_log *log = NULL;
	const struct cs_comparison *got = NULL;
	snprintf(name, sizeof(name), "%s/ue/logs/StreamingGeneration-OpenWorld-5.5.log", data);
	works(cs_ue_open_log(name, NULL, &world), "engine: log as a world");
	works(cs_ue_read_log(name, NULL, &log), "engine: log");
	struct cooked_world w = cook_world(world, &(struct cs_cook_options){0}, 0);
	works(cs_compare_engine(w.c, &(struct cs_engine_side){.log = log}, &got),
		"engine: log compared");
	is_int(got->n, 0, "engine: its log is our cook");
	is_int(got->compared[CS_COMPARE_CELL], 64, "engine: 64 cells");
	is_int(got->compared[CS_COMPARE_ACTOR], 137, "engine: 137 actors");
	cs_comparison_free(got);
	cooked_free(&w);
	cs_ue_log_free(log);
	cs_world_free(world);
	snprintf(name, sizeof(name), "%s/ue/wpexample56/WPExample.uproject", data);
	works(cs_ue_open_project(name, "L_WPExample", NULL, NULL, &world), "engine: project");
	is_int(hlod_differences(world, world, CS_COMPARE_KINDS), 0,
		"engine: its HLOD actors tell our cells");
	cs_world_free(world);
}

int main(void)
{
	const char *data = shared_data();
	fresh_folder(path, sizeof(path), "compare.log");
	struct cooked_world w = cook_lines(town, "5.4");
	char *log = log_of(w.c);
	test_edits(w.c, log);
	test_moved(w.c, log);
	test_layer(&w, log);
	test_boxes(w.c, log);
	test_blocks(w.c, log);
	test_names(&w, log);
	test_form(w.c, log);
	test_centimetre(w.c, log);
	test_damage(w.c, log);
	test_rules();
	test_numbers();
	test_hlods();
	if (data)
		test_engine(data);
	else
		skip("no shared data: CELLSCOPE_DATA does not lead to it");
	free(log);
	cooked_free(&w);
	unlink(path);
	return done();
}
