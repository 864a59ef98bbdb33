/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores typed text in a field of the JSON form. A new list is appended to its pool, and the old
 * list remains there, so that undo can restore it.
 */
#include "core/guid.h"
#include "core/items.h"
#include "world/change.h"
#include "world/world_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- single values ---- */

static bool parse_bool(const char *value, bool *ret)
{
	static const char *const words[] = {"no", "false", "off", "0", "yes", "true", "on", "1"};
	for (size_t i = 0; i < 8; i++) {
		if (strcmp(value, words[i]) == 0) {
			*ret = i >= 4;
			return true;
		}
	}
	return false;
}

static bool parse_enum(const char *const *names, const char *value, uint32_t *ret)
{
	for (uint32_t i = 0; names[i]; i++) {
		size_t n = strcspn(names[i], "|");
		if (strlen(value) == n && strncmp(names[i], value, n) == 0) {
			*ret = i;
			return true;
		}
	}
	return false;
}

static bool parse_integer(const char *value, int32_t *ret)
{
	char *end;
	errno = 0;
	long number = strtol(value, &end, 10);
	if (errno || end == value || *end || number < INT32_MIN || number > INT32_MAX)
		return false;
	*ret = (int32_t)number;
	return true;
}

/* Parses exactly n numbers separated by commas. */
static bool parse_numbers(const char *value, double *ret, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t length = strcspn(value, ",");
		if (!cs_double_parse(value, length, &ret[i]) ||
			(value[length] == ',') != (i + 1 < n))
			return false;
		value += length + 1;
	}
	return true;
}

static bool parse_color(const char *value, uint32_t *ret)
{
	char *end;
	if (value[0] != '#' || strlen(value) != 7)
		return false;
	*ret = (uint32_t)strtoul(value + 1, &end, 16);
	return !*end;
}

static bool parse_flag(const char *value, uint32_t bit, uint32_t *flags)
{
	bool on;
	if (!parse_bool(value, &on))
		return false;
	*flags = on ? *flags | bit : *flags & ~bit;
	return true;
}

/* ---- lists of texts and GUIDs ---- */

/* Copies the next item of "A,B,C" to `item`. Returns false at the end or if it is too long. */
static bool next_item(const char **at, char item[CS_CHANGE_NAME])
{
	const char *rest = *at;
	struct cs_item next;
	if (!cs_next_item(&rest, &next) || !cs_item_text(next, item, CS_CHANGE_NAME))
		return false;
	*at = rest;
	return true;
}

/* Returns whether two texts name the same data layer (a layer has several names). */
static bool same_layer(const struct cs_world *world, uint32_t left, uint32_t right)
{
	uint32_t l = cs_world_find_layer(world, cs_world_text(world, left));
	uint32_t r = cs_world_find_layer(world, cs_world_text(world, right));
	return l != CS_NONE && l == r;
}

static bool is_layers(const struct cs_json_field *field)
{
	return strcmp(field->key, "data_layers") == 0;
}

static bool is_guids(const struct cs_json_field *field)
{
	return field->kind == CS_JSON_GUIDS;
}

/* Returns whether two items of the pool of a list are equal. */
static bool same_item(
	const struct cs_world *world, const struct cs_json_field *field, uint32_t l, uint32_t r)
{
	if (is_guids(field))
		return cs_guid_compare(world->guids.at[l], world->guids.at[r]) == 0;
	l = world->texts.at[l];
	r = world->texts.at[r];
	return cs_name_compare(cs_world_text(world, l), cs_world_text(world, r)) == 0 ||
	       (is_layers(field) && same_layer(world, l, r));
}

/* Appends an item to the pool of texts. Data layers must exist. */
static struct cs_error *push_text(
	struct cs_world *world, const struct cs_json_field *field, const char *item)
{
	uint32_t layer = is_layers(field) ? cs_change_find_layer(world, item) : CS_NONE;
	if (is_layers(field) && layer == CS_NONE)
		return cs_error_new(CS_E_NOLAYER, "the world has no data layer '%s'", item);
	uint32_t text = layer == CS_NONE ? cs_strings_add_z(&world->strings, item)
					 : world->layers.at[layer].name;
	return text != CS_NONE && cs_vec_push(&world->texts, text) ? NULL : cs_error_nomem();
}

static struct cs_error *push_guid(struct cs_world *world, const char *item)
{
	struct cs_guid guid;
	struct cs_error *error = cs_change_find_guid(world, item, &guid);
	return error || cs_vec_push(&world->guids, guid) ? error : cs_error_nomem();
}

/* Returns the number of items in the pool of a list: texts or GUIDs. */
static uint32_t pool_size(const struct cs_world *world, const struct cs_json_field *field)
{
	return (uint32_t)(is_guids(field) ? world->guids.n : world->texts.n);
}

/*
 * Completes a list for += or -=. The typed items are in the pool from index `first` on. With '+',
 * the old items that were not typed are appended after them; with '-', the new list consists of
 * these old items alone.
 */
static bool join_list(struct cs_world *world, const struct cs_json_field *field,
	const struct cs_range *list, uint32_t first)
{
	const uint32_t end = pool_size(world, field);
	bool good = true;
	for (uint32_t i = list->first; i < list->first + list->count && good; i++) {
		bool typed = false;
		for (uint32_t k = first; k < end; k++)
			typed = typed || same_item(world, field, k, i);
		if (!typed)
			good = is_guids(field) ? cs_vec_push(&world->guids, world->guids.at[i])
					       : cs_vec_push(&world->texts, world->texts.at[i]);
	}
	return good;
}

static struct cs_error *set_list(struct cs_world *world, const struct cs_json_field *field,
	const struct cs_typed_value *value, struct cs_range *list)
{
	uint32_t first = pool_size(world, field);
	const char *text = value->text;
	char item[CS_CHANGE_NAME];
	while (next_item(&text, item)) {
		struct cs_error *error =
			is_guids(field) ? push_guid(world, item) : push_text(world, field, item);
		if (error)
			return error;
	}
	if (*text)
		return cs_error_new(CS_E_SETTING,
			"an item of the list has more bytes than the limit of %d: %.60s...",
			CS_CHANGE_NAME - 1, text);
	const uint32_t end = pool_size(world, field);
	if (value->sign && !join_list(world, field, list, first))
		return cs_error_nomem();
	first = value->sign == '-' ? end : first;
	*list = (struct cs_range){first, pool_size(world, field) - first};
	return NULL;
}

/* ---- storing a value in a field ---- */

static bool parse_value(
	struct cs_world *world, const struct cs_json_field *field, const char *value, void *at)
{
	switch (field->kind) {
	case CS_JSON_NUMBER:
		return cs_double_parse(value, strlen(value), at);
	case CS_JSON_BOOL:
		return parse_bool(value, at);
	case CS_JSON_FLAG:
		return parse_flag(value, field->bit, at);
	case CS_JSON_ENUM:
		return parse_enum(field->names, value, at);
	case CS_JSON_INTEGER:
		return parse_integer(value, at);
	case CS_JSON_COLOR:
		return parse_color(value, at);
	case CS_JSON_VEC3:
		return parse_numbers(value, at, 3);
	case CS_JSON_TEXT:
		*(uint32_t *)at = cs_strings_add_z(&world->strings, value);
		return *(uint32_t *)at != CS_NONE;
	default:
		return false;
	}
}

struct cs_error *cs_change_field(struct cs_world *world, const struct cs_json_field *field,
	const struct cs_typed_value *value, void *object)
{
	void *at = (char *)object + field->offset;
	bool list = field->kind == CS_JSON_TEXTS || field->kind == CS_JSON_GUIDS;
	if (value->sign && !list)
		return cs_error_new(CS_E_SETTING,
			"%s is not a list, so += and -= cannot change it: write %s=VALUE",
			field->key, field->key);
	if (list)
		return set_list(world, field, value, at);
	if (field->kind == CS_JSON_GUID && *value->text)
		return cs_change_find_guid(world, value->text, at);
	if (field->kind == CS_JSON_GUID) {
		*(struct cs_guid *)at = (struct cs_guid){0};
		return NULL;
	}
	if (parse_value(world, field, value->text, at))
		return NULL;
	if (field->kind == CS_JSON_TEXT)
		return cs_error_nomem();
	char names[400] = "";
	if (field->kind == CS_JSON_ENUM)
		cs_json_list_names(field->names, names, sizeof(names));
	static const char *const kinds[] = {
		[CS_JSON_BOOL] = "true or false",
		[CS_JSON_FLAG] = "true or false",
		[CS_JSON_NUMBER] = "a number",
		[CS_JSON_INTEGER] = "a whole number",
		[CS_JSON_COLOR] = "a color #RRGGBB",
		[CS_JSON_VEC3] = "three numbers X,Y,Z",
	};
	const bool told = field->kind < sizeof(kinds) / sizeof(kinds[0]) && kinds[field->kind];
	if (told || *names)
		return cs_error_new(CS_E_SETTING, "%s must be %s, not '%s'", field->key,
			told ? kinds[field->kind] : names, value->text);
	return cs_error_new(CS_E_SETTING,
		"%s cannot be changed, because its value cannot be written as text", field->key);
}

/* Parses a box: X,Y,Z..X,Y,Z. */
bool cs_change_parse_box(const char *value, struct cs_box *ret)
{
	const char *dots = strstr(value, "..");
	char low[CS_CHANGE_NAME];
	double at[6];
	if (!dots || (size_t)(dots - value) >= sizeof(low))
		return false;
	snprintf(low, sizeof(low), "%.*s", (int)(dots - value), value);
	if (!parse_numbers(low, at, 3) || !parse_numbers(dots + 2, at + 3, 3))
		return false;
	*ret = (struct cs_box){{at[0], at[1], at[2]}, {at[3], at[4], at[5]}};
	return cs_box_valid(ret);
}
