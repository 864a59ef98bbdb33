/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one object of the JSON form by its table of keys, and reports unknown keys. */
#include "world/json_reader.h"

#include "core/guid.h"
#include "core/job.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct cs_error *cs_json_wrong(
	const struct cs_json_reader *reader, enum cs_code code, const char *format, ...)
{
	char message[400];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return cs_error_at(code, reader->source.name, reader->block_offset + reader->line->start,
		"line %" PRIu64 ": %s", reader->line_number, message);
}

/* ---- values of members ---- */

struct cs_error *cs_json_read_text(
	struct cs_json_reader *reader, const json_t *value, uint32_t *ret)
{
	size_t length = json_string_length(value);
	uint32_t longest = reader->limits.name_bytes;
	if (length > longest)
		return cs_json_wrong(reader, CS_E_LIMIT,
			"a text has %zu bytes, more than the limit of %u", length, longest);
	*ret = cs_strings_add(&reader->world->strings, json_string_value(value), length);
	if (*ret != CS_NONE)
		return NULL;
	return cs_strings_is_full(&reader->world->strings, length)
		       ? cs_json_wrong(reader, CS_E_LIMIT,
				 "the different texts of the world take more than 4 GiB, which a "
				 "cooked world cannot contain: cook its maps apart")
		       : cs_error_nomem();
}

bool cs_json_read_guid(const json_t *value, struct cs_guid *ret)
{
	return cs_guid_parse(json_string_value(value), json_string_length(value), ret);
}

static bool read_numbers(const json_t *value, double *ret, size_t n)
{
	if (json_array_size(value) != n)
		return false;
	for (size_t i = 0; i < n; i++) {
		const json_t *number = json_array_get(value, i);
		if (!json_is_number(number))
			return false;
		ret[i] = json_number_value(number);
	}
	return true;
}

/* Finds a name in a list with entries "name|alias"; *ret is the index of the entry. */
static bool find_name(const char *const *names, const char *name, uint32_t *ret)
{
	size_t n = strlen(name);
	for (uint32_t i = 0; names[i]; i++) {
		for (const char *at = names[i]; at; at = strchr(at, '|')) {
			at += *at == '|';
			if (strncmp(at, name, n) == 0 && (at[n] == '\0' || at[n] == '|')) {
				*ret = i;
				return true;
			}
		}
	}
	return false;
}

static struct cs_error *read_texts(
	struct cs_json_reader *reader, const char *key, const json_t *list, struct cs_range *ret)
{
	struct cs_error *error = NULL;
	ret->first = (uint32_t)reader->world->texts.n;
	ret->count = 0;
	for (size_t i = 0; !error && i < json_array_size(list); i++) {
		uint32_t text;
		if (!json_is_string(json_array_get(list, i)))
			return cs_json_wrong(reader, CS_E_WORLD,
				"%s: value %zu of the list (counted from 0) must be a text", key,
				i);
		error = cs_json_read_text(reader, json_array_get(list, i), &text);
		if (!error && !cs_vec_push(&reader->world->texts, text))
			error = cs_error_nomem();
	}
	ret->count = (uint32_t)(reader->world->texts.n - ret->first);
	return error;
}

static struct cs_error *read_guids(
	struct cs_json_reader *reader, const char *key, const json_t *list, struct cs_range *ret)
{
	ret->first = (uint32_t)reader->world->guids.n;
	for (size_t i = 0; i < json_array_size(list); i++) {
		struct cs_guid guid;
		if (!json_is_string(json_array_get(list, i)) ||
			!cs_json_read_guid(json_array_get(list, i), &guid))
			return cs_json_wrong(reader, CS_E_GUID,
				"%s: value %zu of the list (counted from 0) must be a GUID", key,
				i);
		if (!cs_vec_push(&reader->world->guids, guid))
			return cs_error_nomem();
	}
	ret->count = (uint32_t)(reader->world->guids.n - ret->first);
	return NULL;
}

static bool read_names(const json_t *list, const char *const *names, uint32_t *ret)
{
	*ret = 0;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *name = json_string_value(json_array_get(list, i));
		uint32_t bit;
		if (!name || !find_name(names, name, &bit))
			return false;
		*ret |= 1u << bit;
	}
	return true;
}

static bool read_color(const json_t *value, uint32_t *ret)
{
	const char *text = json_string_value(value);
	if (json_string_length(value) != 7 || *text != '#' ||
		strspn(text + 1, "0123456789abcdefABCDEF") != 6)
		return false;
	*ret = (uint32_t)strtoul(text + 1, NULL, 16);
	return true;
}

bool cs_json_is_unit(const double quat[4])
{
	return fabs(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3] -
		       1) < 2e-6;
}

/*
 * Scales a quaternion of another length, such as (0, 0, 1, 1), to length 1; false for length 0.
 * Scaling by a power of two first keeps the sum of squares in range. sqrt() has the same result on
 * every machine, but the last bit of hypot() differs between machines.
 */
static bool settle_rotation(double quat[4])
{
	if (cs_json_is_unit(quat))
		return true;
	double widest = 0, sum = 0;
	for (int i = 0; i < 4; i++)
		widest = fmax(widest, fabs(quat[i]));
	int exponent;
	frexp(widest, &exponent);
	for (int i = 0; i < 4; i++) {
		quat[i] = ldexp(quat[i], -exponent);
		sum += quat[i] * quat[i];
	}
	for (int i = 0; i < 4; i++)
		quat[i] /= sqrt(sum);
	return widest > 0;
}

static bool read_transform(const json_t *value, struct cs_transform *ret)
{
	const json_t *rotation = json_object_get(value, "rot");
	const json_t *position = json_object_get(value, "pos");
	const json_t *scale = json_object_get(value, "scale");
	double q[4], p[3], s[3];
	if (rotation && (!read_numbers(rotation, q, 4) || !settle_rotation(q)))
		return false;
	if (position && !read_numbers(position, p, 3))
		return false;
	if (scale && !read_numbers(scale, s, 3))
		return false;
	if (rotation)
		ret->rotation = (struct cs_quat){q[0], q[1], q[2], q[3]};
	if (position)
		ret->translation = (struct cs_vec3){p[0], p[1], p[2]};
	if (scale)
		ret->scale = (struct cs_vec3){s[0], s[1], s[2]};
	return true;
}

static bool has_type(const json_t *value, enum cs_json_kind kind)
{
	json_type type = json_typeof(value), want = cs_json_kinds[kind].type;
	return type == want || (want == JSON_TRUE && type == JSON_FALSE) ||
	       (want == JSON_REAL && type == JSON_INTEGER);
}

/* Stores a value, whose JSON type is right, in its member. Returns false when it is invalid. */
static bool read_plain(const struct cs_json_field *field, const json_t *value, void *at)
{
	switch (field->kind) {
	case CS_JSON_GUID:
		return cs_json_read_guid(value, at);
	case CS_JSON_BOOL:
		*(bool *)at = json_is_true(value);
		return true;
	case CS_JSON_FLAG:
		*(uint32_t *)at &= ~field->bit;
		*(uint32_t *)at |= json_is_true(value) ? field->bit : 0;
		return true;
	case CS_JSON_ENUM:
		return find_name(field->names, json_string_value(value), at);
	case CS_JSON_NUMBER:
		*(double *)at = json_number_value(value);
		return true;
	case CS_JSON_INTEGER:
		*(int32_t *)at = (int32_t)json_integer_value(value);
		return json_integer_value(value) == *(int32_t *)at;
	case CS_JSON_COLOR:
		return read_color(value, at);
	case CS_JSON_VEC3:
		return read_numbers(value, at, 3);
	case CS_JSON_QUAT:
		return read_numbers(value, at, 4);
	case CS_JSON_NAMES:
		return read_names(value, field->names, at);
	default:
		return read_transform(value, at);
	}
}

/* ---- unknown keys ---- */

static bool is_known(const struct cs_json_table *table, const char *const *extra, const char *key)
{
	for (size_t i = 0; i < table->n; i++)
		if (strcmp(table->fields[i].key, key) == 0)
			return true;
	for (; extra && *extra; extra++)
		if (strcmp(*extra, key) == 0)
			return true;
	return false;
}

static void note_unknown(struct cs_json_reader *reader, const char *what, const char *key)
{
	struct cs_json_unknown unknown = {.what = what, .count = 1};
	snprintf(unknown.key, sizeof(unknown.key), "%s", key);
	for (size_t i = 0; i < reader->n_unknown; i++) {
		if (strcmp(reader->unknown[i].what, what) == 0 &&
			strcmp(reader->unknown[i].key, unknown.key) == 0) {
			reader->unknown[i].count++;
			return;
		}
	}
	if (reader->n_unknown == UNKNOWN_KEYS) {
		reader->more_unknown++;
		return;
	}
	reader->unknown[reader->n_unknown++] = unknown;
	cs_job_log(reader->job, CS_LOG_WARNING, "%s: line %" PRIu64 ": %s has an unknown key '%s'",
		reader->source.name, reader->line_number, what, unknown.key);
}

static void note_unknown_keys(struct cs_json_reader *reader, const struct cs_json_table *table,
	const char *const *extra, const json_t *json)
{
	/* the cast drops const: iterating does not change the object */
	for (void *at = json_object_iter((json_t *)json); at;
		at = json_object_iter_next((json_t *)json, at))
		if (!is_known(table, extra, json_object_iter_key(at)))
			note_unknown(reader, table->what, json_object_iter_key(at));
}

/* ---- objects ---- */

static const struct cs_json_table transform_keys = {.what = "transform"};
static const char *const transform_extra[] = {"pos", "rot", "scale", NULL};

void cs_json_list_names(const char *const *names, char *ret, size_t size)
{
	size_t n = 0;
	*ret = '\0';
	for (size_t i = 0; names[i] && n < size; i++)
		n += (size_t)snprintf(ret + n, size - n, "%s%.*s",
			i ? names[i + 1] ? ", " : " or " : "", (int)strcspn(names[i], "|"),
			names[i]);
}

/* Makes the error for a value whose JSON type or form its key does not accept. */
static struct cs_error *wrong_value(const struct cs_json_reader *reader, enum cs_code code,
	const struct cs_json_table *table, const struct cs_json_field *field)
{
	char names[400] = "";
	if (field->kind == CS_JSON_ENUM || field->kind == CS_JSON_NAMES)
		cs_json_list_names(field->names, names, sizeof(names));
	return cs_json_wrong(reader, code, "%s.%s: the value must be %s%s", table->what, field->key,
		cs_json_kinds[field->kind].form, names);
}

static struct cs_error *read_field(struct cs_json_reader *reader, const struct cs_json_table *table,
	const struct cs_json_field *field, const json_t *value, void *object)
{
	void *at = (char *)object + field->offset;
	if (!has_type(value, field->kind))
		return wrong_value(reader, CS_E_WORLD, table, field);
	if (field->kind == CS_JSON_TEXT)
		return cs_json_read_text(reader, value, at);
	if (field->kind == CS_JSON_TEXTS)
		return read_texts(reader, field->key, value, at);
	if (field->kind == CS_JSON_GUIDS)
		return read_guids(reader, field->key, value, at);
	if (field->kind == CS_JSON_TRANSFORM)
		note_unknown_keys(reader, &transform_keys, transform_extra, value);
	if (!read_plain(field, value, at))
		return wrong_value(
			reader, field->kind == CS_JSON_GUID ? CS_E_GUID : CS_E_WORLD, table, field);
	return NULL;
}

void cs_json_sum_up_unknown(const struct cs_json_reader *reader)
{
	for (size_t i = 0; i < reader->n_unknown; i++)
		if (reader->unknown[i].count > 1)
			cs_job_log(reader->job, CS_LOG_WARNING,
				"%s: the unknown key '%s' of %s occurs %" PRIu64 " times",
				reader->source.name, reader->unknown[i].key,
				reader->unknown[i].what, reader->unknown[i].count);
	if (reader->more_unknown)
		cs_job_log(reader->job, CS_LOG_WARNING, "%s: %" PRIu64 " more keys are unknown",
			reader->source.name, reader->more_unknown);
}

struct cs_error *cs_json_read_object(struct cs_json_reader *reader,
	const struct cs_json_table *table, const json_t *json, const char *const *extra,
	void *object)
{
	struct cs_error *error = NULL;
	size_t known = 0;
	if (!json_is_object(json))
		return cs_json_wrong(
			reader, CS_E_WORLD, "%s: the value must be a JSON object", table->what);
	for (size_t i = 0; !error && i < table->n; i++) {
		const json_t *value = json_object_get(json, table->fields[i].key);
		known += value != NULL;
		if (value && !json_is_null(value))
			error = read_field(reader, table, &table->fields[i], value, object);
	}
	for (size_t i = 0; extra && extra[i]; i++)
		known += json_object_get(json, extra[i]) != NULL;
	if (!error && known != json_object_size(json))
		note_unknown_keys(reader, table, extra, json);
	return error;
}
