/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints tables of commands, options and formats as mdoc, the language of manual pages. */

#include <cellscope/core.h>

#include "src/front/command_line.h"
#include "src/language/topics.h"

#include <string.h>

/* ---- output of mdoc ---- */

/* Prints text with mdoc escapes. A first character that would begin a request is escaped, too. */
static void say_mdoc(struct output *out, const char *text, size_t n)
{
	if (n > 0 && strchr(".'", *text))
		say(out, "\\&");
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\\')
			say(out, "\\e");
		else if (text[i] == '-')
			say(out, "\\-");
		else if (text[i] == '(' && i + 1 < n && text[i + 1] == ')')
			/* breaks up "()": mandoc would take "name()" for a function */
			say(out, "(\\&");
		else
			say(out, "%c", text[i]);
	}
}

/*
 * Prints whole lines of prose, `size` bytes in all: fills lines up to WIDTH columns, and begins a
 * new line after each sentence.
 */
static void say_filled(struct output *out, const char *text, size_t size)
{
	enum { WIDTH = 76 };
	const char *end = text + size;
	size_t column = 0;
	while (text < end) {
		size_t blanks = strspn(text, " \n"), n = strcspn(text + blanks, " \n");
		bool paragraph = memmem(text, blanks, "\n\n", 2) != NULL;
		text += blanks;
		if (n == 0 || text >= end)
			break;
		if (column && (paragraph || column + 1 + n > WIDTH)) {
			say(out, "\n");
			column = 0;
		}
		say(out, paragraph ? ".Pp\n" : "");
		say(out, column ? " " : "");
		say_mdoc(out, text, n);
		column += n + (column > 0);
		if (strchr(".:?!", text[n - 1])) {
			say(out, "\n");
			column = 0;
		}
		text += n;
	}
	say(out, column ? "\n" : "");
}

/* Prints lines of `size` bytes in all, without the first `blanks` bytes of each line. */
static void say_literal(struct output *out, const char *lines, size_t size, size_t blanks)
{
	say(out, ".Bd -literal -offset indent\n");
	for (const char *end = lines + size; lines < end;) {
		size_t n = strcspn(lines, "\n");
		say_mdoc(out, lines + blanks, n - blanks);
		say(out, "\n");
		lines += n + (lines[n] == '\n');
	}
	say(out, ".Ed\n");
}

static void say_display(struct output *out, const char *lines)
{
	say_literal(out, lines, strlen(lines), 0);
}

enum { INDENT = 2 }; /* blanks before the lines of a help that are printed as they are */

static bool is_indented(const char *line)
{
	return strspn(line, " ") >= INDENT;
}

/* Prints a text. Indented lines are printed as they are, all others as prose. */
static void say_prose(struct output *out, const char *text)
{
	while (*text) {
		const bool literal = is_indented(text);
		size_t n = 0;
		while (text[n] && is_indented(text + n) == literal) {
			n += strcspn(text + n, "\n");
			n += text[n] == '\n';
		}
		if (literal)
			say_literal(out, text, n, INDENT);
		else
			say_filled(out, text, n);
		text += n;
	}
}

/* Prints a text as one quoted argument of a macro. */
static void say_quoted(struct output *out, const char *text)
{
	say(out, " \"");
	for (; *text; text++) {
		if (*text == '"')
			say(out, "\\(dq");
		else
			say_mdoc(out, text, 1);
	}
	/* a zero-width character, so that a period before it does not end a sentence */
	say(out, "\\&\"");
}

static void say_option_item(
	struct output *out, char letter, const char *name, const char *value, const char *doc)
{
	say(out, ".It");
	if (letter)
		say(out, " Fl %c", letter);
	if (letter && name)
		say(out, " ,");
	if (name)
		say(out, " Fl \\-%s", name);
	if (value) {
		say(out, " Ar");
		say_quoted(out, value);
	}
	say(out, "\n");
	say_prose(out, doc);
}

static void say_command_item(struct output *out, const struct command *command)
{
	const struct option_spec *option;
	say(out, ".It Ic %s", command->name);
	for (size_t i = 0; command->arguments[i].type != ARGUMENT_NONE; i++) {
		const struct argument_spec *spec = &command->arguments[i];
		say(out, spec->optional ? " Op Ar" : " Ar");
		say_quoted(out, spec->name);
		say(out, "%s", spec->many ? " ..." : "");
	}
	if (command->alias)
		say(out, " Pq Ic \\&%s", command->alias);
	say(out, "\n");
	say_mdoc(out, command->summary, strlen(command->summary));
	say(out, ".\n");
	for (size_t i = 0; command->arguments[i].type != ARGUMENT_NONE; i++) {
		const char *meaning = argument_meaning(command, i);
		if (!meaning)
			continue;
		say(out, ".Ar");
		say_quoted(out, command->arguments[i].name);
		say(out, "\nis\n");
		say_mdoc(out, meaning, strlen(meaning));
		say(out, ".\n");
	}
	if (command->help) {
		say(out, ".Pp\n");
		say_prose(out, command->help);
	}
	if (command->options[0].help) {
		say(out, ".Bl -tag -width Ds\n");
		for (size_t i = 0; (option = option_at(command, i)) && i < MOST_OPTIONS &&
				   command->options[i].help;
			i++)
			say_option_item(
				out, option->letter, option->name, option->value, option->help);
		say(out, ".El\n");
	}
	if (command->flags & COMMAND_LISTS)
		say(out, "A listing.\n");
	if (command->examples)
		say_display(out, command->examples);
}

static void say_commands(struct output *out)
{
	for (int group = 0; group < GROUPS; group++) {
		bool any = false;
		for (size_t i = 0; i < n_commands; i++) {
			if (commands[i]->group != (enum command_group)group)
				continue;
			if (!any)
				say(out, ".Ss %s\n.Bl -tag -width Ds\n",
					group_title((enum command_group)group));
			any = true;
			say_command_item(out, commands[i]);
		}
		if (any)
			say(out, ".El\n");
	}
}

static void say_settings(struct output *out)
{
	say(out, ".Bl -tag -width Ds\n");
	for (size_t i = 0; i < SETTINGS; i++) {
		const struct setting_spec *spec = &setting_specs[i];
		const struct cs_value value = setting_value((enum setting)i, spec->value);

		say(out, ".It Cm %s", spec->name);
		const char *choice = setting_choice(spec, 0);
		if (!choice)
			say(out, " Ar N");
		for (size_t k = 0; choice; choice = setting_choice(spec, ++k))
			say(out, " %s%s", k ? "| " : "", choice);
		say(out, "\n");
		say_prose(out, spec->help);
		say(out, ".Pp\nThe default is ");
		say_value(out, &value);
		say(out, ".\n");
	}
	say(out, ".El\n");
}

static void say_variables(struct output *out)
{
	size_t n;
	const struct cs_variable *variables = cs_stream_variables(&n);
	say(out, ".Bl -tag -width Ds\n");
	for (size_t i = 0; i < n; i++) {
		char initial[CS_DOUBLE_TEXT];
		cs_double_format(variables[i].initial, initial);
		say(out, ".It Ic %s", variables[i].name);
		if (variables[i].aliases)
			say(out, " Pq Ic %s", variables[i].aliases);
		say(out, "\n");
		say_prose(out, variables[i].help);
		if (variables[i].type != CS_VARIABLE_TEXT)
			say(out, ".Pp\nDefault %s%s%s.\n", initial, variables[i].unit ? " " : "",
				variables[i].unit ? variables[i].unit : "");
	}
	say(out, ".El\n");
}

static void say_options(struct output *out)
{
	say(out, ".Bl -tag -width Ds\n");
	for (size_t i = 0; i < n_program_options; i++) {
		const struct program_option *option = &program_options[i];
		if (option->section != SECTION_HIDDEN)
			say_option_item(
				out, option->letter, option->name, option->value, option->doc);
	}
	say(out, ".El\n");
}

static void say_topics(struct output *out)
{
	for (size_t i = 0; i < n_topics; i++) {
		say(out, ".Ss %s\n", topics[i].name);
		say_display(out, topics[i].text);
	}
}

static void say_rules(struct output *out)
{
	size_t n;
	const struct cs_rulebook_entry *rules = cs_rulebook(&n);
	say(out, ".Bl -tag -width Ds\n");
	for (size_t i = 0; i < n; i++) {
		say(out, ".It Sy %s\n", rules[i].number);
		say_prose(out, rules[i].title);
		say(out, ".Pp\n");
		say_prose(out, rules[i].text);
		say(out, ".Pp\nProfiles: %s.\nCertainty: %s.\nHeld by %s.\n", rules[i].engines,
			cs_word(CS_WORDS_CERTAINTY, rules[i].certainty)->name, rules[i].test);
	}
	say(out, ".El\n");
}

/* ---- the format of cooked files ---- */

static const char *field_type_name(enum cs_field_type type)
{
	static const char *const names[] = {
		[CS_FIELD_U8] = "u8",
		[CS_FIELD_U16] = "u16",
		[CS_FIELD_U32] = "u32",
		[CS_FIELD_U64] = "u64",
		[CS_FIELD_I32] = "i32",
		[CS_FIELD_I64] = "i64",
		[CS_FIELD_F32] = "f32",
		[CS_FIELD_F64] = "f64",
		[CS_FIELD_GUID] = "guid",
		[CS_FIELD_VEC3] = "vec3",
		[CS_FIELD_QUAT] = "quat",
		[CS_FIELD_BOX] = "box",
		[CS_FIELD_TEXT] = "text",
		[CS_FIELD_REFERENCE] = "reference",
		[CS_FIELD_RANGE] = "range",
		[CS_FIELD_ENUM] = "enum",
		[CS_FIELD_FLAGS] = "flags",
		[CS_FIELD_BOOL] = "bool",
		[CS_FIELD_ZERO] = "zero",
		[CS_FIELD_HALF] = "half",
		[CS_FIELD_VEC3F] = "vec3f",
		[CS_FIELD_SPHEREF] = "spheref",
		[CS_FIELD_HEX] = "hex",
	};
	_Static_assert(sizeof(names) / sizeof(names[0]) == CS_FIELD_TYPES, "a name for each type");
	return names[type];
}

static const char *target_name(const struct cs_schema *schema, const struct cs_field *field)
{
	const struct cs_record *target =
		field->target ? cs_schema_record(schema, field->target) : NULL;
	return target ? target->name : NULL;
}

static void say_field(
	struct output *out, const struct cs_schema *schema, const struct cs_field *field)
{
	say(out, ".It %u Ta %s", field->offset, field_type_name(field->type));
	if (field->count > 1)
		say(out, "[%u]", field->count);
	say(out, " Ta ");
	say_mdoc(out, field->name, strlen(field->name));
	say(out, " Ta ");
	say_mdoc(out, field->doc, strlen(field->doc));
	if (field->unit)
		say(out, ", %s", field->unit);
	if (target_name(schema, field))
		say(out, " (%s)", target_name(schema, field));
	for (size_t i = 0; field->names && field->names[i]; i++)
		say(out, "%s%zu %s", i ? ", " : ": ", i, field->names[i]);
	say(out, "\n");
}

static void say_record(
	struct output *out, const struct cs_schema *schema, const struct cs_record *record)
{
	say(out, ".Ss %s: %s\nTable %u, %u bytes a record.\n", schema->name, record->name,
		record->table, record->size);
	say_prose(out, record->doc);
	if (record->n_fields == 0)
		return;
	say(out, ".Bl -column \"0000\" \"reference\" \"transform.translation\" \"meaning\"\n");
	for (size_t i = 0; i < record->n_fields; i++)
		say_field(out, schema, &record->fields[i]);
	say(out, ".El\n");
}

static void say_format(struct output *out)
{
	size_t n;
	const struct cs_schema *const *schemas = cs_schemas(&n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < schemas[i]->n_records; k++)
			say_record(out, schemas[i], schemas[i]->records[k]);
}

/* ---- the JSON format of worlds ---- */

static void say_json(struct output *out)
{
	struct cs_json_key key;
	for (size_t i = 0; (key = cs_world_json_key(i, 0)).object; i++) {
		say(out, ".Ss JSON: %s\n", key.object);
		say_prose(out, key.object_doc);
		say(out, ".Bl -column \"editor_only_references\" \"integer\" \"meaning\"\n");
		for (size_t k = 0; (key = cs_world_json_key(i, k)).key; k++) {
			say(out, ".It %s Ta %s Ta ", key.key, key.kind);
			say_mdoc(out, key.doc, strlen(key.doc));
			for (size_t n = 0; key.names && key.names[n]; n++)
				say(out, "%s%.*s", n ? ", " : ": ", (int)strcspn(key.names[n], "|"),
					key.names[n]);
			say(out, "\n");
		}
		say(out, ".El\n");
	}
}

bool say_manual(struct output *out, const char *part)
{
	static const struct {
		const char *name;
		void (*say)(struct output *out);
	} parts[] = {
		{"commands", say_commands},
		{"settings", say_settings},
		{"variables", say_variables},
		{"options", say_options},
		{"topics", say_topics},
		{"rules", say_rules},
		{"format", say_format},
		{"json", say_json},
	};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (strcmp(parts[i].name, part) == 0) {
			parts[i].say(out);
			return true;
		}
	}
	return false;
}
