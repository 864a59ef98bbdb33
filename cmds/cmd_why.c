/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why an actor is where it is: explain actor, why-always, why-level, why-repair. The trail comes
 * from the library as data; here each rule gets its sentence.
 */
#include "cmds/cmd_plain.h"
#include "cmds/cmd_trail.h"
#include "cmds/commands.h"

#include <stdio.h>
#include <string.h>

/* ---- a step in words ---- */

struct step_texts {
	char input[160], verdict[160];
};

struct speaker {
	const struct cs_cooked *c;
	const struct cs_trail_step *step;
	struct step_texts *to;
};

static void put(char text[160], const char *format, ...) CS_PRINTF(2, 3);

static void put(char text[160], const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(text, 160, format, args);
	va_end(args);
}

static const char *title_of(const struct cs_cooked *c, uint32_t actor)
{
	if (actor == CS_NONE)
		return "-";
	return cs_cooked_actor_title(c, actor);
}

static const char *yes_no(bool yes)
{
	return yes ? "yes" : "no";
}

static void say_unplaced(struct speaker *s)
{
	static const char *const reasons[] = {
		[CS_UNPLACED_EDITOR_ONLY - CS_UNPLACED_EDITOR_ONLY] =
			"editor-only actors never stream",
		[CS_UNPLACED_CONTAINER - CS_UNPLACED_EDITOR_ONLY] =
			"a level instance: the actors of its level stream in its place",
		[CS_UNPLACED_FILTERED - CS_UNPLACED_EDITOR_ONLY] =
			"left out by the actor filter of a level instance",
		[CS_UNPLACED_DROPPED - CS_UNPLACED_EDITOR_ONLY] =
			"dropped: its runtime grid leads to no partition",
		[CS_UNPLACED_NOT_MAIN - CS_UNPLACED_EDITOR_ONLY] =
			"main-world-only, and it is inside a level instance",
	};
	put(s->to->input, "%s", reasons[s->step->value - CS_UNPLACED_EDITOR_ONLY]);
	put(s->to->verdict, "in no cell");
}

static void say_streams(struct speaker *s)
{
	put(s->to->input, "%s", s->step->holds ? "enabled" : "disabled");
	put(s->to->verdict, "%s", s->step->holds ? "" : "everything is always loaded");
}

static void say_own(struct speaker *s)
{
	put(s->to->input, "%s", yes_no(s->step->holds));
}

static void say_parent(struct speaker *s)
{
	put(s->to->input, "%.100s", title_of(s->c, s->step->actor));
	if (s->step->value)
		put(s->to->verdict, "overrides nothing");
	else
		put(s->to->verdict, "follows it: %s", s->step->holds ? "spatial" : "not spatial");
}

static void say_container(struct speaker *s)
{
	if (s->step->holds)
		put(s->to->input, "spatially loaded");
	else
		put(s->to->input, "%.100s is not", title_of(s->c, s->step->actor));
	put(s->to->verdict, "%s", s->step->holds ? "" : "nothing inside is");
}

static const char *const repairs[] = {"nothing", "not spatial", "no data layers", "default grid",
	"reference dropped", "layer dropped", "no HLOD layer", "kept"};

static void say_forced(struct speaker *s)
{
	const struct cs_cooked_finding *f = &s->c->findings[s->step->finding];
	if (f->other == CS_NONE)
		put(s->to->input, "%.150s", cs_cooked_text(s->c, f->reason));
	else
		put(s->to->input, "%.70s -> %.70s", title_of(s->c, f->actor),
			title_of(s->c, f->other));
	put(s->to->verdict, "%s", repairs[s->step->value]);
}

static void say_spatial(struct speaker *s)
{
	put(s->to->input, "%s", yes_no(s->step->holds));
	put(s->to->verdict, "%s", s->step->holds ? "spatial" : "not spatial");
}

static void say_cluster(struct speaker *s)
{
	put(s->to->input, "%llu actor%s", (unsigned long long)s->step->count,
		s->step->count == 1 ? ", alone" : "s");
	if (s->step->count > 1)
		put(s->to->verdict, "largest: %.100s", title_of(s->c, s->step->actor));
}

static void say_bounds(struct speaker *s)
{
	if (s->step->holds)
		put(s->to->input, "longest extent %.0f cm%s", s->step->length,
			s->step->value ? " in X, Y" : "");
	else
		put(s->to->input, "none");
	put(s->to->verdict, "%s", s->step->holds ? "" : "treated as not spatial");
}

static const char *partition_name(const struct cs_cooked *c, uint32_t partition)
{
	return partition == CS_NONE ? "-" : cs_cooked_text(c, c->partitions[partition].name);
}

static void say_grid(struct speaker *s)
{
	put(s->to->input, "%s", s->step->holds ? "named" : "(none)");
	put(s->to->verdict, "%.100s", partition_name(s->c, s->step->partition));
}

static void say_small(struct speaker *s)
{
	put(s->to->input, "area %.0f cm2", s->step->length);
	put(s->to->verdict, "%s", s->step->holds ? "level 0 by its centre" : "too large");
}

static void say_partition_actors(struct speaker *s)
{
	put(s->to->input, "%s", s->step->holds ? "all of them" : "not all of them");
	put(s->to->verdict, "%s", s->step->holds ? "by their centre" : "by bounds");
}

static void say_level(struct speaker *s)
{
	const struct cs_trail_step *step = s->step;
	put(s->to->input, "level %d, cells of %.0f", step->level, step->length);
	if (step->count == 0)
		put(s->to->verdict, "too small");
	else if (step->holds)
		put(s->to->verdict, "taken");
	else
		put(s->to->verdict, "touches %llu cell%s", (unsigned long long)step->count,
			step->count == 1 ? "" : "s");
}

static void say_demoted(struct speaker *s)
{
	put(s->to->input, "level %d, sticks out by less than %.0f", s->step->level,
		s->step->length);
	put(s->to->verdict, "%s", s->step->holds ? "taken" : "no");
}

static void say_outside(struct speaker *s)
{
	put(s->to->input, "its centre is outside the grid");
	put(s->to->verdict, "top cell");
}

static void say_top(struct speaker *s)
{
	if (s->step->count)
		put(s->to->input, "touches %llu cells on level %d",
			(unsigned long long)s->step->count, s->step->level);
	else
		put(s->to->input, "no level below has one cell for it");
	put(s->to->verdict, "top cell");
}

static void say_lost_layer(struct speaker *s)
{
	put(s->to->input, "%.150s", cs_cooked_text(s->c, s->c->findings[s->step->finding].reason));
	put(s->to->verdict, "without it");
}

static void say_layers(struct speaker *s)
{
	put(s->to->input, "%llu", (unsigned long long)s->step->count);
	if (s->step->count)
		put(s->to->verdict, "id %08X", s->step->value);
}

static void say_cell(struct speaker *s)
{
	const struct cs_cooked_cell *cell = &s->c->cells[s->step->cell];
	put(s->to->input, "%.150s", cs_cooked_text(s->c, cell->name));
	put(s->to->verdict, "%s", s->step->holds ? "always loaded" : "");
}

static void say_try(struct speaker *s)
{
	if (s->step->actor != CS_NONE)
		put(s->to->input, "without %.100s", title_of(s->c, s->step->actor));
	put(s->to->verdict, "level %d", s->step->level);
}

static const struct {
	const char *name, *title;
	void (*say)(struct speaker *s);
} rules[] = {
	[CS_RULE_UNPLACED] = {"unplaced", "placement", say_unplaced},
	[CS_RULE_WORLD_STREAMS] = {"world_streams", "streaming of the world", say_streams},
	[CS_RULE_OWN_SPATIAL] = {"own_spatial", "spatially loaded", say_own},
	[CS_RULE_PARENT] = {"parent", "topmost parent", say_parent},
	[CS_RULE_CONTAINER] = {"container", "level instances around", say_container},
	[CS_RULE_FORCED] = {"forced", "validation", say_forced},
	[CS_RULE_SPATIAL] = {"spatial", "so it can stream", say_spatial},
	[CS_RULE_CLUSTER] = {"cluster", "actors that share its cell", say_cluster},
	[CS_RULE_BOUNDS] = {"bounds", "bounds of the set", say_bounds},
	[CS_RULE_GRID] = {"grid", "runtime grid", say_grid},
	[CS_RULE_SMALL] = {"small", "small actors by location", say_small},
	[CS_RULE_PARTITION_ACTORS] = {"partition_actors", "partition actors", say_partition_actors},
	[CS_RULE_LEVEL] = {"level", "level", say_level},
	[CS_RULE_DEMOTED] = {"demoted", "quarter demotion", say_demoted},
	[CS_RULE_OUTSIDE] = {"outside", "location", say_outside},
	[CS_RULE_TOP] = {"top", "top cell", say_top},
	[CS_RULE_LOST_LAYER] = {"lost_layer", "data layer", say_lost_layer},
	[CS_RULE_LAYERS] = {"layers", "data layers", say_layers},
	[CS_RULE_CELL] = {"cell", "cell", say_cell},
	[CS_RULE_TRY_NON_ALIGNED] = {"try_non_aligned", "levels that are not aligned", say_try},
	[CS_RULE_TRY_SMALL] = {"try_small", "small actors by location", say_try},
	[CS_RULE_TRY_PARTITION] = {"try_partition", "partition actors by location", say_try},
	[CS_RULE_TRY_WITHOUT] = {"try_without", "references", say_try},
};

/* ---- the trail ---- */

static const struct cs_column step_columns[] = {
	PLAIN("step", struct step_row, step, INTEGER, size, "number", .flags = CS_COLUMN_SHORT),
	PLAIN("rule", struct step_row, rule, TEXT, text, "the rule", .flags = CS_COLUMN_SHORT),
	PLAIN("number", struct step_row, number, TEXT, text, "of the rule: help rule NUMBER",
		.flags = CS_COLUMN_SHORT),
	PLAIN("title", struct step_row, title, TEXT, text, "in words"),
	PLAIN("input", struct step_row, input, TEXT, text, "what it looked at",
		.flags = CS_COLUMN_SHORT),
	PLAIN("verdict", struct step_row, verdict, TEXT, text, "what it said",
		.flags = CS_COLUMN_SHORT),
	PLAIN("holds", struct step_row, holds, BOOL, bool, "whether it applies"),
	PLAIN("level", struct step_row, level, INTEGER, integer, "grid level"),
	PLAIN("cells", struct step_row, cells, INTEGER, integer, "cells touched, actors, layers"),
	PLAIN("length", struct step_row, length, NUMBER, number, "extent, cell size, area"),
	PLAIN("actor", struct step_row, actor, TEXT, text, "an actor that the rule names"),
	PLAIN("partition", struct step_row, partition, TEXT, text, "a grid that it names"),
	PLAIN("cell", struct step_row, cell, TEXT, text, "the cell it leads to"),
	PLAIN("finding", struct step_row, finding, INTEGER, u32, "row of the findings"),
};

static const struct cs_table step_table = PLAIN_TABLE("steps", "step", step_columns);

void trail_rows_free(struct trail_rows *rows)
{
	free(rows->rows);
	free(rows->texts);
}

static struct step_row make_row(
	const struct cs_cooked *c, const struct cs_trail_step *step, struct step_texts *texts)
{
	struct speaker speaker = {c, step, texts};
	rules[step->rule].say(&speaker);
	return (struct step_row){
		.rule = rules[step->rule].name,
		.number = cs_trail_rule(c, step),
		.title = rules[step->rule].title,
		.input = texts->input,
		.verdict = texts->verdict,
		.holds = step->holds,
		.level = step->level,
		.cells = (int64_t)step->count,
		.length = step->length,
		.actor = step->actor == CS_NONE ? NULL : title_of(c, step->actor),
		.partition = step->partition == CS_NONE ? NULL : partition_name(c, step->partition),
		.cell = step->cell == CS_NONE ? NULL : cs_cooked_text(c, c->cells[step->cell].name),
		.finding = step->finding,
	};
}

struct cs_error *trail_rows_of(const struct cs_cooked *c, const struct cs_trail *trail,
	uint32_t wanted, struct trail_rows *ret)
{
	ret->rows = calloc(trail->n + 1, sizeof(*ret->rows));
	ret->texts = calloc(trail->n + 1, sizeof(*ret->texts));
	ret->n = 0;
	if (!ret->rows || !ret->texts) {
		trail_rows_free(ret);
		return cs_error_nomem();
	}
	for (size_t i = 0; i < trail->n; i++) {
		if (!(wanted >> trail->steps[i].rule & 1))
			continue;
		ret->rows[ret->n] = make_row(c, &trail->steps[i], &ret->texts[ret->n]);
		ret->rows[ret->n].step = ret->n + 1;
		ret->n++;
	}
	return NULL;
}

static void say_actor(struct output *out, const struct cs_cooked *c, uint32_t row)
{
	const struct cs_cooked_actor *a = &c->actors[row];
	const char *class = cs_cooked_text(
		c, *cs_cooked_text(c, a->base_class) ? a->base_class : a->native_class);
	const char *dot = strrchr(class, '.');
	char guid[CS_GUID_TEXT];
	cs_guid_format(a->guid, guid);
	say(out, "%s  %s  guid %s\n", title_of(c, row), dot ? dot + 1 : class, guid);
}

/* Its number and that of the rule; verdicts stand below each other where there is room for that. */
static void say_step(struct output *out, const struct step_row *row, size_t number)
{
	static const char blanks[] = "                                        ";
	enum { BEFORE = sizeof(blanks) - 1, INPUT = 32, ARROW = 4 };
	size_t input = strlen(row->input), verdict = strlen(row->verdict);
	size_t width = out->style.width ? out->style.width : 80, pad = INPUT;
	say(out, "%3zu %-7s %-27s %s", number, row->number, row->title, row->input);
	if (verdict) {
		if (BEFORE + pad + ARROW + verdict > width)
			pad = width > BEFORE + ARROW + verdict ? width - BEFORE - ARROW - verdict
							       : 0;
		say(out, "%s", input < pad ? blanks + BEFORE - (pad - input) : "");
		if (BEFORE + input + ARROW + verdict > width)
			say(out, "\n%s", blanks);
		say(out, " -> %s", row->verdict);
	}
	say(out, "\n");
}

static void say_steps(struct output *out, const struct trail_rows *rows)
{
	const struct step_row *answer = NULL;
	for (size_t i = 0; i < rows->n; i++) {
		const struct step_row *row = &rows->rows[i];
		if (strcmp(row->rule, "cell") == 0) {
			answer = row;
			continue;
		}
		if (strncmp(row->rule, "try_", 4) == 0)
			continue;
		say_step(out, row, i + 1);
	}
	if (answer)
		say(out, "  = %-7s %s%s%s\n", answer->number, answer->input,
			*answer->verdict ? ", " : "", answer->verdict);
	for (size_t i = 0; i < rows->n; i++) {
		const struct step_row *row = &rows->rows[i];
		if (strncmp(row->rule, "try_", 4) == 0)
			say(out, "try %-7s %s%s%s -> %s\n", row->number, row->title,
				*row->input ? " " : "", row->input, row->verdict);
	}
}

/* What validation did has a chain of causes, which is a command of its own. */
static void say_next(struct output *out, const struct cs_cooked *c, const struct trail_rows *rows,
	uint32_t actor)
{
	bool forced = false;
	for (size_t i = 0; i < rows->n; i++)
		forced = forced || strcmp(rows->rows[i].rule, "forced") == 0;
	if (forced)
		say(out, "next: why-repair %s\n", title_of(c, actor));
}

static struct cs_error *explain(struct call *call, uint32_t wanted)
{
	const struct cs_cooked *c = call->session->world;
	uint32_t actor = call_argument(call, 0)->row;
	struct cs_trail trail;
	struct trail_rows rows;
	struct cs_error *error = cs_cooked_load_actors(call->session->world);
	if (!error)
		error = cs_explain_actor(c, actor, &trail);
	if (error)
		return error;
	error = trail_rows_of(c, &trail, wanted, &rows);
	cs_trail_deinit(&trail);
	if (error)
		return error;
	if (wants_rows(call)) {
		error = emit_plain(call, &step_table, rows.rows, rows.n, sizeof(*rows.rows));
	} else {
		say_actor(call->out, c, actor);
		say_steps(call->out, &rows);
		say_next(call->out, c, &rows, actor);
	}
	trail_rows_free(&rows);
	return error;
}

static struct cs_error *run_explain(struct call *call)
{
	bool two = call->n_arguments > 1 || call_option(call, "with")->given;
	return two ? emit_two_trails(call) : explain(call, UINT32_MAX);
}

const struct command command_explain_actor = {
	.name = "explain actor",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR},
		{"NAME=VALUE", ARGUMENT_WORD, .optional = true, .many = true}},
	.options = {{0, "with", "FILE", ARGUMENT_FILE, "beside its trail in this cooked world",
		NULL}},
	.summary = "every rule that led an actor to its cell",
	.examples = "explain actor Rock_1187\nexplain actor Rock_1187 --json\n"
		    "explain actor Rock_1187 MainGrid.cell_size=25600",
	.help = "Each line is a rule with what it looked at and what it said. Lines that\n"
		"begin with 'try' name an option or a reference whose change would place it\n"
		"lower. why-always and why-level tell a part of it, why-repair what validation\n"
		"did. With settings, as `whatif` takes them, or another cook, two trails stand\n"
		"beside each other, and the first rule that decided differently is marked.",
	.run = run_explain,
};

static struct cs_error *run_why_always(struct call *call)
{
	const uint32_t wanted =
		1u << CS_RULE_UNPLACED | 1u << CS_RULE_WORLD_STREAMS | 1u << CS_RULE_OWN_SPATIAL |
		1u << CS_RULE_PARENT | 1u << CS_RULE_CONTAINER | 1u << CS_RULE_FORCED |
		1u << CS_RULE_SPATIAL | 1u << CS_RULE_BOUNDS | 1u << CS_RULE_OUTSIDE |
		1u << CS_RULE_TOP | 1u << CS_RULE_LAYERS | 1u << CS_RULE_CELL |
		1u << CS_RULE_TRY_PARTITION | 1u << CS_RULE_TRY_NON_ALIGNED |
		1u << CS_RULE_TRY_SMALL | 1u << CS_RULE_TRY_WITHOUT;
	return explain(call, wanted);
}

const struct command command_why_always = {
	.name = "why-always",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR}},
	.summary = "why an actor is always loaded, or why not",
	.examples = "why-always SM_Bridge\nactors -w \"placement = 'top'\" -c label,cell",
	.help = "Always loaded is what is not spatially loaded, has no bounds, is forced by\n"
		"validation or, in a spatial hash, fits no cell below the top one; a data\n"
		"layer or a content bundle still decides over it.",
	.run = run_why_always,
};

static struct cs_error *run_why_level(struct call *call)
{
	const uint32_t wanted = 1u << CS_RULE_UNPLACED | 1u << CS_RULE_SPATIAL |
				1u << CS_RULE_CLUSTER | 1u << CS_RULE_BOUNDS | 1u << CS_RULE_GRID |
				1u << CS_RULE_SMALL | 1u << CS_RULE_PARTITION_ACTORS |
				1u << CS_RULE_LEVEL | 1u << CS_RULE_DEMOTED |
				1u << CS_RULE_OUTSIDE | 1u << CS_RULE_TOP | 1u << CS_RULE_CELL |
				1u << CS_RULE_TRY_NON_ALIGNED | 1u << CS_RULE_TRY_SMALL |
				1u << CS_RULE_TRY_PARTITION | 1u << CS_RULE_TRY_WITHOUT;
	return explain(call, wanted);
}

const struct command command_why_level = {
	.name = "why-level",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR}},
	.summary = "why an actor is on its grid level",
	.examples = "why-level SM_Wall\ncells -s -level -n 5",
	.help = "The level follows from the extent of all actors that share the cell with it:\n"
		"cluster lists those, cut where to part them.",
	.run = run_why_level,
};

/* ---- why-repair ---- */

struct repair_row {
	size_t step;
	uint32_t finding;
	const char *check, *number, *severity, *actor, *other, *repair, *reason;
	int64_t pass;
};

static const struct cs_column repair_columns[] = {
	PLAIN("step", struct repair_row, step, INTEGER, size, "number"),
	PLAIN("finding", struct repair_row, finding, INTEGER, u32, "row of the findings"),
	PLAIN("pass", struct repair_row, pass, INTEGER, integer, "pass of the validation"),
	PLAIN("severity", struct repair_row, severity, TEXT, text, "severity"),
	PLAIN("check", struct repair_row, check, TEXT, text, "the rule"),
	PLAIN("number", struct repair_row, number, TEXT, text, "of the rule: help rule NUMBER",
		.flags = CS_COLUMN_SHORT),
	PLAIN("actor", struct repair_row, actor, TEXT, text, "the referer"),
	PLAIN("other", struct repair_row, other, TEXT, text, "the referenced"),
	PLAIN("repair", struct repair_row, repair, TEXT, text, "what was done"),
	PLAIN("reason", struct repair_row, reason, TEXT, text, "the part of the rule"),
};

static const struct cs_table repair_table = PLAIN_TABLE("repairs", "repair", repair_columns);

enum { LONGEST_CHAIN = 64 };

static struct repair_row make_repair(const struct cs_cooked *c, uint32_t finding, size_t step)
{
	const struct cs_cooked_finding *f = &c->findings[finding];
	return (struct repair_row){
		.step = step,
		.finding = finding,
		.check = cs_check_token((enum cs_check)f->check),
		.number = cs_check_rule((enum cs_check)f->check),
		.severity = cs_severity_name((enum cs_severity)f->severity),
		.actor = f->actor == CS_NONE ? NULL : title_of(c, f->actor),
		.other = f->other == CS_NONE ? NULL : title_of(c, f->other),
		.repair = repairs[f->repair],
		.reason = cs_cooked_text(c, f->reason),
		.pass = f->pass,
	};
}

static void say_repair(struct output *out, const struct repair_row *row)
{
	say(out, "%s%s%s%s%s\n", row->step == 1 ? "" : "because ", row->actor ? row->actor : "-",
		row->other ? " -> " : "", row->other ? row->other : "",
		row->pass ? "  (a later pass)" : "");
	say(out, "  %s %s, rule %s\n", row->severity, row->check, row->number);
	say(out, "  %s -> %s\n", row->reason, row->repair);
}

static struct cs_error *run_why_repair(struct call *call)
{
	static const enum cs_repair kinds[] = {CS_REPAIR_NON_SPATIAL, CS_REPAIR_NO_LAYERS,
		CS_REPAIR_NO_GRID, CS_REPAIR_NO_HLOD_LAYER, CS_REPAIR_DROP_REFERENCE,
		CS_REPAIR_KEEP_FILTERED};
	const struct cs_cooked *c = call->session->world;
	uint32_t chain[LONGEST_CHAIN];
	struct repair_row rows[LONGEST_CHAIN * 6];
	size_t n = 0;
	struct cs_error *error = cs_cooked_load_actors(call->session->world);
	if (error)
		return error;
	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		size_t found = cs_explain_repair(
			c, call_argument(call, 0)->row, kinds[kind], chain, LONGEST_CHAIN);
		for (size_t i = 0; i < found && i < LONGEST_CHAIN; i++)
			rows[n++] = make_repair(c, chain[i], i + 1);
	}
	if (wants_rows(call))
		return emit_plain(call, &repair_table, rows, n, sizeof(*rows));
	for (size_t i = 0; i < n; i++)
		say_repair(call->out, &rows[i]);
	if (n == 0)
		say(call->out, "validation changed nothing about %s\n",
			title_of(c, call_argument(call, 0)->row));
	return NULL;
}

const struct command command_why_repair = {
	.name = "why-repair",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR}},
	.summary = "which reference made validation change an actor",
	.examples = "why-repair BP_Door",
	.help = "The finding that changed it, then what caused that one, down to the root.\n"
		"check lists the findings of the world.",
	.run = run_why_repair,
};
