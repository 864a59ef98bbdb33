/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the table of settings of the session. */
#include "src/session/settings.h"

#include "src/language/command.h"
#include "src/session/plain.h"

#include <cellscope/cook.h>

#include <string.h>

static const char *const off_on[] = {"off", "on", NULL};
static const char *const when[] = {"never", "always", "auto", NULL};
static const char *const formats[] = {"text", "json", "csv", "tsv", NULL};

/* Returns a choice of the setting `profile` by index: "auto", names of cs_profiles(), then NULL. */
static const char *profile_choice(size_t index)
{
	size_t n;
	const struct cs_profile *profiles = cs_profiles(&n);
	if (index == 0)
		return "auto";
	return index <= n ? profiles[index - 1].name : NULL;
}

const struct setting_spec setting_specs[SETTINGS] = {
	[SETTING_OUTPUT] = {"output", formats, .value = FORMAT_TEXT,
		.help = "form of the output of commands"},
	[SETTING_COLOR] = {"color", when, .value = AUTO_AUTO,
		.help = "colours; auto: on a terminal, unless NO_COLOR is set"},
	[SETTING_UTF8] = {"utf8", when, .value = AUTO_AUTO,
		.help = "use characters beyond ASCII; auto: on a terminal whose locale has them"},
	[SETTING_WIDTH] = {"width", NULL, -1, 10000, -1,
		.help = "width of the output in columns; 0: no limit, auto: width of the terminal"},
	[SETTING_PLAIN] = {"plain", off_on, .value = 0,
		.help = "print no colours, drawings and progress, for screen readers and logs"},
	[SETTING_PAGER] = {"pager", off_on, .value = 1,
		.help = "page output longer than a screen with $CELLSCOPE_PAGER, $PAGER or `less`"},
	[SETTING_PROGRESS] = {"progress", when, .value = AUTO_AUTO,
		.help = "show the progress of long commands; auto: on a terminal, after half a "
			"second"},
	[SETTING_KEEP_GOING] = {"keep-going", off_on, .value = 0,
		.help = "go on with a script after a command that failed"},
	[SETTING_FORCE] = {"force", off_on, .value = 0,
		.help = "replace an existing output file of any kind"},
	[SETTING_THREADS] = {"threads", NULL, -1, 1024, -1,
		.help = "threads of long commands; auto: OMP_NUM_THREADS, or one for each processor"},
	[SETTING_PROFILE] = {"profile", .choice = profile_choice, .value = 0,
		.help = "engine version whose rules cook a world; auto: the version that saved "
			"the world"},
};

const char *setting_choice(const struct setting_spec *spec, size_t index)
{
	if (spec->choice)
		return spec->choice(index);
	return spec->choices ? spec->choices[index] : NULL;
}

void settings_init(struct settings *settings)
{
	for (size_t i = 0; i < SETTINGS; i++)
		settings->at[i] = setting_specs[i].value;
}

struct cs_error *setting_find(const char *name, enum setting *ret)
{
	const char *names[SETTINGS];
	for (size_t i = 0; i < SETTINGS; i++) {
		names[i] = setting_specs[i].name;
		if (strcmp(name, names[i]) == 0) {
			*ret = (enum setting)i;
			return NULL;
		}
	}
	const char *close = closest_name(name, names, SETTINGS);
	return cs_error_new(
		CS_E_SETTING, "no option '%s'%s%s%s; `show` lists them", name, DID_YOU_MEAN(close));
}

static void list_values(const struct setting_spec *spec, char *text, size_t size)
{
	size_t length = 0;
	*text = '\0';
	const char *choice = setting_choice(spec, 0);
	if (!choice)
		snprintf(text, size, "%s%ld to %ld", spec->least < 0 ? "auto or " : "",
			spec->least < 0 ? 0 : spec->least, spec->most);
	for (size_t i = 0; choice && length < size; choice = setting_choice(spec, ++i))
		length += (size_t)snprintf(
			text + length, size - length, "%s%s", i ? ", " : "one of ", choice);
}

struct cs_error *setting_parse(enum setting setting, const char *text, long *ret)
{
	const struct setting_spec *spec = &setting_specs[setting];
	const bool is_number = !setting_choice(spec, 0);
	struct closest closest = closest_to(text);
	const char *choice;
	char values[128], *end;
	for (size_t i = 0; (choice = setting_choice(spec, i)); i++) {
		if (strcmp(choice, text) == 0) {
			*ret = (long)i;
			return NULL;
		}
		closest_consider(&closest, choice, strlen(choice));
	}
	if (is_number && spec->least < 0 && strcmp(text, "auto") == 0) {
		*ret = -1;
		return NULL;
	}
	long number = strtol(text, &end, 10);
	if (is_number && *text && *end == '\0' && number >= 0 && number >= spec->least &&
		number <= spec->most) {
		*ret = number;
		return NULL;
	}
	list_values(spec, values, sizeof(values));
	return cs_error_new(CS_E_SETTING, "%s must be %s, not '%s'%s%s%s", spec->name, values, text,
		DID_YOU_MEAN(closest.best));
}

/* ---- settings as rows of a table ---- */

static size_t row_count(const void *source)
{
	(void)source;
	return SETTINGS;
}

static const void *settings_row_at(const void *source, size_t index)
{
	(void)source;
	return &setting_specs[index];
}

struct cs_value setting_value(enum setting setting, long value)
{
	const char *choice =
		value < 0 ? NULL : setting_choice(&setting_specs[setting], (size_t)value);
	if (choice)
		return cs_text(choice);
	return value < 0 ? cs_text("auto") : cs_integer(value);
}

PLAIN_GETTER(get_value, struct setting_spec,
	setting_value(
		(enum setting)row->index, ((const struct settings *)row->source)->at[row->index]))
PLAIN_GETTER(get_default, struct setting_spec, setting_value((enum setting)row->index, at->value))

static void choice_item(const struct cs_value *list, uint32_t index, struct cs_value *ret)
{
	*ret = cs_text(setting_choice(list->list.items, index));
}

static struct cs_value list_of_choices(const struct setting_spec *spec)
{
	uint32_t n = 0;
	while (setting_choice(spec, n))
		n++;
	return (struct cs_value){
		.kind = CS_KIND_LIST, .list = {.items = spec, .n = n, .item = choice_item}};
}

PLAIN_GETTER(get_choices, struct setting_spec, list_of_choices(at))

static const struct cs_column columns[] = {
	PLAIN(struct setting_spec, name, "name of the option",
		.flags = CS_COLUMN_SHORT | CS_COLUMN_KEY),
	SHORT_VALUE("value", TEXT, get_value, "present value"),
	PLAIN_VALUE("default", TEXT, get_default, "value after `reset`"),
	PLAIN_VALUE("choices", LIST, get_choices, "possible values; none for a number"),
	SHORT(struct setting_spec, help, "meaning of the option"),
};

const struct cs_table settings_table = {
	.name = "settings",
	.row_name = "setting",
	.doc = "Options of the session.",
	.columns = columns,
	.n_columns = sizeof(columns) / sizeof(columns[0]),
	.missing = CS_E_SETTING,
	.count = row_count,
	.row = settings_row_at,
};
