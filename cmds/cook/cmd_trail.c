/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trails of actors in words: each rule that the library returns as data gets its sentence here. */
#include "cmds/cook/cmd_trail.h"
#include "src/session/plain.h"

#include <stdio.h>

/* ---- a step in words ---- */

struct step_texts {
	char input[160], verdict[160];
};

struct speaker {
	const struct cs_cooked *c;
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

static const char *title_of(const struct cs_cooked *c, uint32_t actor)
{
	if (actor == CS_NONE)
		return "-";
	return cs_cooked_actor_title(c, actor);
}

const char *repair_words(uint32_t repair)
{
	static const char *const words[] = {"nothing", "not spatial", "no data layers",
		"default grid", "reference dropped", "layer dropped", "no HLOD layer", "kept"};
	return words[repair];
}

static const char *yes_no(bool yes)
{
	return yes ? "yes" : "no";
}

static void say_unplaced(struct speaker *s)
{
	trail_put(s->to->input, "%s", cs_word(CS_WORDS_PLACEMENT, s->step->value)->help);
	trail_put(s->to->verdict, "in no cell");
}

static void say_streams(struct speaker *s)
{
	trail_put(s->to->input, "%s", s->step->holds ? "enabled" : "disabled");
	trail_put(s->to->verdict, "%s", s->step->holds ? "" : "everything is always loaded");
}

static void say_own(struct speaker *s)
{
	trail_put(s->to->input, "%s", yes_no(s->step->holds));
}

static void say_parent(struct speaker *s)
{
	trail_put(s->to->input, "%.100s", title_of(s->c, s->step->actor));
	if (s->step->value)
		trail_put(s->to->verdict, "overrides nothing");
	else
		trail_put(s->to->verdict, "follows it: %s",
			s->step->holds ? "spatial" : "not spatial");
}

static void say_container(struct speaker *s)
{
	if (s->step->holds)
		trail_put(s->to->input, "spatially loaded");
	else
		trail_put(s->to->input, "%.100s is not", title_of(s->c, s->step->actor));
	trail_put(s->to->verdict, "%s", s->step->holds ? "" : "nothing inside is");
}

static void say_forced(struct speaker *s)
{
	const struct cs_cooked_finding *f = &s->c->findings[s->step->finding];
	if (f->other == CS_NONE)
		trail_put(s->to->input, "%.150s", cs_cooked_text(s->c, f->reason));
	else
		trail_put(s->to->input, "%.70s -> %.70s", title_of(s->c, f->actor),
			title_of(s->c, f->other));
	trail_put(s->to->verdict, "%s", repair_words(s->step->value));
}

static void say_spatial(struct speaker *s)
{
	trail_put(s->to->input, "%s", yes_no(s->step->holds));
	trail_put(s->to->verdict, "%s", s->step->holds ? "spatial" : "not spatial");
}

static void say_cluster(struct speaker *s)
{
	trail_put(s->to->input, "%llu actor%s", (unsigned long long)s->step->count,
		s->step->count == 1 ? ", alone" : "s");
	if (s->step->count > 1)
		trail_put(s->to->verdict, "largest: %.100s", title_of(s->c, s->step->actor));
}

static void say_bounds(struct speaker *s)
{
	if (s->step->holds)
		trail_put(s->to->input, "longest extent %.0f cm%s", s->step->length,
			s->step->value ? " in X, Y" : "");
	else
		trail_put(s->to->input, "none");
	trail_put(s->to->verdict, "%s", s->step->holds ? "" : "treated as not spatial");
}

static const char *trail_partition_name(const struct cs_cooked *c, uint32_t partition)
{
	return partition == CS_NONE ? "-" : cs_cooked_text(c, c->partitions[partition].name);
}

static void say_grid(struct speaker *s)
{
	trail_put(s->to->input, "%s", s->step->holds ? "named" : "(none)");
	trail_put(s->to->verdict, "%.100s", trail_partition_name(s->c, s->step->partition));
}

static void say_small(struct speaker *s)
{
	trail_put(s->to->input, "area %.0f cm2", s->step->length);
	trail_put(s->to->verdict, "%s", s->step->holds ? "level 0 by its centre" : "too large");
}

static void say_partition_actors(struct speaker *s)
{
	trail_put(s->to->input, "%s", s->step->holds ? "all of them" : "not all of them");
	trail_put(s->to->verdict, "%s", s->step->holds ? "by their centre" : "by bounds");
}

static void say_level(struct speaker *s)
{
	const struct cs_trail_step *step = s->step;
	trail_put(s->to->input, "level %d, cells of %.0f", step->level, step->length);
	if (step->count == 0)
		trail_put(s->to->verdict, "too small");
	else if (step->holds)
		trail_put(s->to->verdict, "taken");
	else
		trail_put(s->to->verdict, "touches %llu cell%s", (unsigned long long)step->count,
			step->count == 1 ? "" : "s");
}

static void say_demoted(struct speaker *s)
{
	trail_put(s->to->input, "level %d, sticks out by less than %.0f", s->step->level,
		s->step->length);
	trail_put(s->to->verdict, "%s", s->step->holds ? "taken" : "no");
}

static void say_outside(struct speaker *s)
{
	trail_put(s->to->input, "its centre is outside the grid");
	trail_put(s->to->verdict, "top cell");
}

static void say_top(struct speaker *s)
{
	if (s->step->count)
		trail_put(s->to->input, "touches %llu cells on level %d",
			(unsigned long long)s->step->count, s->step->level);
	else
		trail_put(s->to->input, "no level below has one cell for it");
	trail_put(s->to->verdict, "top cell");
}

static void say_lost_layer(struct speaker *s)
{
	trail_put(s->to->input, "%.150s",
		cs_cooked_text(s->c, s->c->findings[s->step->finding].reason));
	trail_put(s->to->verdict, "without it");
}

static void say_layers(struct speaker *s)
{
	const struct cs_cooked_cell *cell = &s->c->cells[s->step->cell];
	size_t n = 0;
	if (s->step->count == 0)
		trail_put(s->to->input, "0");
	for (uint32_t i = 0; i < cell->layers.count && n + 1 < sizeof(s->to->input); i++) {
		const uint32_t layer = s->c->cell_layers[cell->layers.first + i];
		n += (size_t)snprintf(s->to->input + n, sizeof(s->to->input) - n, "%s%.60s",
			i ? ", " : "", cs_cooked_text(s->c, s->c->layers[layer].label));
	}
	if (s->step->count)
		trail_put(s->to->verdict, "id %08X", s->step->value);
}

static void say_bundle(struct speaker *s)
{
	char guid[CS_GUID_TEXT];
	cs_guid_format(s->c->cells[s->step->cell].content_bundle, guid);
	trail_put(s->to->input, "%s", guid);
	trail_put(s->to->verdict, "a cell of its own");
}

static void say_cell(struct speaker *s)
{
	const struct cs_cooked_cell *cell = &s->c->cells[s->step->cell];
	trail_put(s->to->input, "%.150s", cs_cooked_text(s->c, cell->name));
	if (s->step->holds)
		trail_put(s->to->verdict, "always loaded: %s",
			cs_word(CS_WORDS_ALWAYS, s->step->value)->name);
}

static void trail_say_try(struct speaker *s)
{
	if (s->step->actor != CS_NONE)
		trail_put(s->to->input, "without %.100s", title_of(s->c, s->step->actor));
	trail_put(s->to->verdict, "level %d", s->step->level);
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
	[CS_RULE_BUNDLE] = {"bundle", "content bundle", say_bundle},
	[CS_RULE_CELL] = {"cell", "cell", say_cell},
	[CS_RULE_TRY_NON_ALIGNED] = {"try_non_aligned", "levels that are not aligned",
		trail_say_try},
	[CS_RULE_TRY_SMALL] = {"try_small", "small actors by location", trail_say_try},
	[CS_RULE_TRY_PARTITION] = {"try_partition", "partition actors by location", trail_say_try},
	[CS_RULE_TRY_WITHOUT] = {"try_without", "references", trail_say_try},
};

/* ---- rows ---- */

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
		.number = step->number,
		.title = rules[step->rule].title,
		.input = texts->input,
		.verdict = texts->verdict,
		.holds = step->holds,
		.level = step->level,
		.cells = (int64_t)step->count,
		.length = step->length,
		.actor = step->actor == CS_NONE ? NULL : title_of(c, step->actor),
		.partition = step->partition == CS_NONE ? NULL
							: trail_partition_name(c, step->partition),
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
