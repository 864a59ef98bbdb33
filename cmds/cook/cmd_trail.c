/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a sentence of each step of an actor's trail, which the library returns as data. */
#include "cmds/cook/cmd_trail.h"

#include <stdio.h>

/* ---- one step as a sentence ---- */

struct step_texts {
	char input[160], verdict[160];
};

struct speaker {
	const struct cs_cooked *cooked;
	const struct cs_trail_step *step;
	struct step_texts *to;
};

static void trail_put(char text[160], const char *format, ...) CS_PRINTF(2, 3);

static void trail_put(char text[160], const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(text, 160, format, args);
	va_end(args);
}

static const char *title_of(const struct cs_cooked *cooked, uint32_t actor)
{
	if (actor == CS_NONE)
		return "-";
	return cs_cooked_actor_title(cooked, actor);
}

const char *repair_words(uint32_t repair)
{
	static const char *const words[] = {"nothing", "not spatial", "no data layers",
		"default grid", "reference dropped", "layer dropped", "no HLOD layer", "kept"};
	return words[repair];
}

static void say_unplaced(struct speaker *speaker)
{
	trail_put(
		speaker->to->input, "%s", cs_word(CS_WORDS_PLACEMENT, speaker->step->value)->help);
}

static void say_parent(struct speaker *speaker)
{
	trail_put(speaker->to->input, "%.100s", title_of(speaker->cooked, speaker->step->actor));
	if (speaker->step->value)
		trail_put(speaker->to->verdict, "overrides nothing");
	else
		trail_put(speaker->to->verdict, "follows it: %s",
			speaker->step->holds ? "spatial" : "not spatial");
}

static void say_container(struct speaker *speaker)
{
	if (!speaker->step->holds)
		trail_put(speaker->to->input, "%.100s is not",
			title_of(speaker->cooked, speaker->step->actor));
}

static void say_forced(struct speaker *speaker)
{
	const struct cs_cooked_finding *finding =
		&speaker->cooked->findings[speaker->step->finding];
	if (finding->other == CS_NONE)
		trail_put(speaker->to->input, "%.150s",
			cs_cooked_text(speaker->cooked, finding->reason));
	else
		trail_put(speaker->to->input, "%.70s -> %.70s",
			title_of(speaker->cooked, finding->actor),
			title_of(speaker->cooked, finding->other));
	trail_put(speaker->to->verdict, "%s", repair_words(speaker->step->value));
}

static void say_cluster(struct speaker *speaker)
{
	trail_put(speaker->to->input, "%llu actor%s", (unsigned long long)speaker->step->count,
		speaker->step->count == 1 ? ", alone" : "s");
	if (speaker->step->count > 1)
		trail_put(speaker->to->verdict, "largest: %.100s",
			title_of(speaker->cooked, speaker->step->actor));
}

static void say_bounds(struct speaker *speaker)
{
	if (speaker->step->holds)
		trail_put(speaker->to->input, "longest extent %.0f cm%s", speaker->step->length,
			speaker->step->value ? " in X, Y" : "");
}

static const char *trail_partition_name(const struct cs_cooked *cooked, uint32_t partition)
{
	return partition == CS_NONE ? "-"
				    : cs_cooked_text(cooked, cooked->partitions[partition].name);
}

static void say_grid(struct speaker *speaker)
{
	trail_put(speaker->to->verdict, "%.100s",
		trail_partition_name(speaker->cooked, speaker->step->partition));
}

static void say_small(struct speaker *speaker)
{
	trail_put(speaker->to->input, "area %.0f cm2", speaker->step->length);
}

static void say_level(struct speaker *speaker)
{
	const struct cs_trail_step *step = speaker->step;
	trail_put(speaker->to->input, "level %d, cells of %.0f", step->level, step->length);
	if (step->count == 0)
		trail_put(speaker->to->verdict, "too small");
	else if (step->holds)
		trail_put(speaker->to->verdict, "taken");
	else
		trail_put(speaker->to->verdict, "touches %llu cell%s",
			(unsigned long long)step->count, step->count == 1 ? "" : "s");
}

static void say_demoted(struct speaker *speaker)
{
	trail_put(speaker->to->input, "level %d, sticks out by less than %.0f",
		speaker->step->level, speaker->step->length);
}

static void say_top(struct speaker *speaker)
{
	if (speaker->step->count)
		trail_put(speaker->to->input, "touches %llu cells on level %d",
			(unsigned long long)speaker->step->count, speaker->step->level);
}

static void say_lost_layer(struct speaker *speaker)
{
	trail_put(speaker->to->input, "%.150s",
		cs_cooked_text(
			speaker->cooked, speaker->cooked->findings[speaker->step->finding].reason));
}

static void say_layers(struct speaker *speaker)
{
	const struct cs_cooked_cell *cell = cs_cooked_cell(speaker->cooked, speaker->step->cell);
	size_t n = 0;
	if (speaker->step->count == 0)
		trail_put(speaker->to->input, "0");
	for (uint32_t i = 0; i < cell->layers.count && n + 1 < sizeof(speaker->to->input); i++) {
		const uint32_t layer = speaker->cooked->cell_layers[cell->layers.first + i];
		n += (size_t)snprintf(speaker->to->input + n, sizeof(speaker->to->input) - n,
			"%s%.60s", i ? ", " : "",
			cs_cooked_text(speaker->cooked, speaker->cooked->layers[layer].label));
	}
	if (speaker->step->count)
		trail_put(speaker->to->verdict, "id %08X", speaker->step->value);
}

static void say_bundle(struct speaker *speaker)
{
	char guid[CS_GUID_TEXT];
	cs_guid_format(cs_cooked_cell(speaker->cooked, speaker->step->cell)->content_bundle, guid);
	trail_put(speaker->to->input, "%s", guid);
}

static void say_cell(struct speaker *speaker)
{
	const struct cs_cooked_cell *cell = cs_cooked_cell(speaker->cooked, speaker->step->cell);
	trail_put(speaker->to->input, "%.150s", cs_cooked_text(speaker->cooked, cell->name));
	if (speaker->step->holds)
		trail_put(speaker->to->verdict, "always loaded: %s",
			cs_word(CS_WORDS_ALWAYS, speaker->step->value)->name);
}

static void trail_say_try(struct speaker *speaker)
{
	if (speaker->step->actor != CS_NONE)
		trail_put(speaker->to->input, "without %.100s",
			title_of(speaker->cooked, speaker->step->actor));
	else if (speaker->step->rule == CS_RULE_TRY_WITHOUT)
		trail_put(speaker->to->input, "without them");
	trail_put(speaker->to->verdict, "level %d", speaker->step->level);
}

/*
 * The texts of a step by its rule and by whether the rule holds. `say` (may be NULL) writes texts
 * that contain names.
 */
static const struct {
	const char *name, *title;
	void (*say)(struct speaker *s);
	struct {
		const char *input, *verdict;
	} texts[2]; /* indexed by step->holds */
} rules[] = {
	[CS_RULE_UNPLACED] = {"unplaced", "placement", say_unplaced, {{"", "in no cell"}}},
	[CS_RULE_WORLD_STREAMS] = {"world_streams", "streaming of the world", NULL,
		{{"disabled", "everything is always loaded"}, {"enabled", ""}}},
	[CS_RULE_OWN_SPATIAL] = {"own_spatial", "spatially loaded", NULL,
		{{"no", ""}, {"yes", ""}}},
	[CS_RULE_PARENT] = {"parent", "topmost parent", say_parent},
	[CS_RULE_CONTAINER] = {"container", "level instances around", say_container,
		{{"", "nothing inside is"}, {"spatially loaded", ""}}},
	[CS_RULE_FORCED] = {"forced", "validation", say_forced},
	[CS_RULE_SPATIAL] = {"spatial", "so it can stream", NULL,
		{{"no", "not spatial"}, {"yes", "spatial"}}},
	[CS_RULE_CLUSTER] = {"cluster", "actors that share its cell", say_cluster},
	[CS_RULE_BOUNDS] = {"bounds", "bounds of the set", say_bounds,
		{{"none", "treated as not spatial"}}},
	[CS_RULE_GRID] = {"grid", "runtime grid", say_grid, {{"(none)", ""}, {"named", ""}}},
	[CS_RULE_SMALL] = {"small", "small actors by location", say_small,
		{{"", "too large"}, {"", "level 0 by its centre"}}},
	[CS_RULE_PARTITION_ACTORS] = {"partition_actors", "partition actors", NULL,
		{{"not all of them", "by bounds"}, {"all of them", "by their centre"}}},
	[CS_RULE_LEVEL] = {"level", "level", say_level},
	[CS_RULE_DEMOTED] = {"demoted", "quarter demotion", say_demoted,
		{{"", "no"}, {"", "taken"}}},
	[CS_RULE_OUTSIDE] = {"outside", "location", NULL,
		{[true] = {"its centre is outside the grid", "top cell"}}},
	[CS_RULE_TOP] = {"top", "top cell", say_top,
		{[true] = {"no level below has one cell for it", "top cell"}}},
	[CS_RULE_LOST_LAYER] = {"lost_layer", "data layer", say_lost_layer, {{"", "without it"}}},
	[CS_RULE_LAYERS] = {"layers", "data layers", say_layers},
	[CS_RULE_BUNDLE] = {"bundle", "content bundle", say_bundle,
		{[true] = {"", "a cell of its own"}}},
	[CS_RULE_CELL] = {"cell", "cell", say_cell},
	[CS_RULE_TRY_NON_ALIGNED] = {"try_non_aligned", "levels that are not aligned",
		trail_say_try},
	[CS_RULE_TRY_SMALL] = {"try_small", "small actors by location", trail_say_try},
	[CS_RULE_TRY_PARTITION] = {"try_partition", "partition actors by location", trail_say_try},
	[CS_RULE_TRY_WITHOUT] = {"try_without", "references", trail_say_try},
};

/* ---- rows of a listing ---- */

void trail_rows_free(struct trail_rows *rows)
{
	free(rows->rows);
	free(rows->texts);
}

static struct step_row make_row(
	const struct cs_cooked *cooked, const struct cs_trail_step *step, struct step_texts *texts)
{
	struct speaker speaker = {cooked, step, texts};
	const char *input = rules[step->rule].texts[step->holds].input;
	const char *verdict = rules[step->rule].texts[step->holds].verdict;
	trail_put(texts->input, "%s", input ? input : "");
	trail_put(texts->verdict, "%s", verdict ? verdict : "");
	if (rules[step->rule].say)
		rules[step->rule].say(&speaker);
	return (struct step_row){
		.rule = rules[step->rule].name,
		.title = rules[step->rule].title,
		.input = texts->input,
		.verdict = texts->verdict,
		.is = *step,
		.actor = step->actor == CS_NONE ? NULL : title_of(cooked, step->actor),
		.partition = step->partition == CS_NONE
				     ? NULL
				     : trail_partition_name(cooked, step->partition),
		.cell = cs_cooked_cell_name(cooked, step->cell),
	};
}

struct cs_error *trail_rows_of(const struct cs_cooked *cooked, const struct cs_trail *trail,
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
		ret->rows[ret->n] = make_row(cooked, &trail->steps[i], &ret->texts[ret->n]);
		ret->rows[ret->n].step = ret->n + 1;
		ret->n++;
	}
	return NULL;
}
