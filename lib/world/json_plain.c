/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads an actor of the plain form (the form that cs_world_write_json writes) directly from its
 * line, without a tree, and without copying texts except into the world. A line that is not plain
 * (escapes, bytes beyond ASCII, unknown or repeated keys, a value that its key does not accept,
 * level instances) is rejected without effect and then read with jansson. Only jansson reports
 * errors, so both methods give the same worlds and the same errors.
 */
#include "world/json_reader.h"

#include "core/cursor.h"
#include "core/guid.h"
#include "world/world_internal.h"

#include <math.h>

struct slice {
	const char *at;
	size_t n;
};

/* A text of the line that is not in the pool, and the member of the actor that gets its offset. */
struct expected_text {
	struct slice text;
	uint32_t hash;
	uint32_t *ret;
};

enum { EXPECTED_TEXTS = 8 };

struct plain {
	struct cs_json_reader *reader;
	const char *at, *end;
	struct expected_text expected[EXPECTED_TEXTS];
	size_t n_expected;
};

/* ---- JSON syntax ---- */

static inline void skip_space(struct plain *plain)
{
	if (plain->at<plain->end && * plain->at> ' ')
		return;
	while (plain->at < plain->end && (*plain->at == ' ' || *plain->at == '\t' ||
						 *plain->at == '\n' || *plain->at == '\r'))
		plain->at++;
}

static inline bool json_plain_take(struct plain *plain, char what)
{
	skip_space(plain);
	if (plain->at == plain->end || *plain->at != what)
		return false;
	plain->at++;
	return true;
}

static bool take_word(struct plain *plain, const char *word)
{
	size_t n = strlen(word);
	skip_space(plain);
	if ((size_t)(plain->end - plain->at) < n || memcmp(plain->at, word, n) != 0)
		return false;
	plain->at += n;
	return true;
}

/* Returns how many of 16 bytes precede a quote, a backslash or a byte not printable in ASCII. */
static inline size_t plain_of_16(const char *at)
{
	typedef unsigned char bytes __attribute__((vector_size(16)));
	unsigned char marks[16];
	bytes b;
	memcpy(&b, at, sizeof(b));
	const bytes special = (bytes)((b < ' ') | (b >= 0x7f) | (b == '"') | (b == '\\'));
	memcpy(marks, &special, sizeof(marks));
	const uint64_t low = cs_load64(marks), high = cs_load64(marks + 8);
	return low    ? (size_t)__builtin_ctzll(low) / 8
	       : high ? 8 + (size_t)__builtin_ctzll(high) / 8
		      : 16;
}

static bool take_text(struct plain *plain, struct slice *ret)
{
	if (!json_plain_take(plain, '"'))
		return false;
	const char *from = plain->at;
	size_t n = 16;
	while (n == 16 && plain->end - plain->at >= 16) {
		n = plain_of_16(plain->at);
		plain->at += n;
	}
	for (; plain->at < plain->end && *plain->at != '"'; plain->at++)
		if ((unsigned char)*plain->at < ' ' || (unsigned char)*plain->at >= 0x7f ||
			*plain->at == '\\')
			return false;
	*ret = (struct slice){from, (size_t)(plain->at - from)};
	return plain->at++ < plain->end;
}

/* Reads a comma, or `close`, which sets *open to false; returns false for anything else. */
static bool take_next(struct plain *plain, char close, bool *open)
{
	if (json_plain_take(plain, ','))
		return true;
	*open = false;
	return json_plain_take(plain, close);
}

/* Appends digits to *value and adds their number to *n. Beyond 18 digits *value may overflow. */
static inline bool json_plain_take_digits(struct plain *plain, uint64_t *value, int *n)
{
	const char *from = plain->at, *at = from;
	uint64_t sum = *value;
	for (; at < plain->end && *at >= '0' && *at <= '9'; at++)
		sum = sum * 10 + (uint64_t)(*at - '0');
	*value = sum;
	plain->at = at;
	*n += (int)(at - from);
	return at > from;
}

/*
 * Returns digits / 10^places. Integers of up to 15 digits and powers of ten up to 22 are exact as
 * doubles, so their quotient is the nearest double, the result of strtod. (W. D. Clinger, "How to
 * read floating point numbers accurately", 1990.)
 */
static double shifted(uint64_t digits, int places)
{
	static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15};
	return (double)digits / tens[places];
}

static bool json_plain_take_number(struct plain *plain, double *ret)
{
	uint64_t value = 0;
	int digits = 0;
	skip_space(plain);
	const char *from = plain->at;
	bool minus = json_plain_take(plain, '-');
	const char *first = plain->at;
	if (!json_plain_take_digits(plain, &value, &digits) || (*first == '0' && digits > 1))
		return false;
	bool whole = plain->at == plain->end ||
		     (*plain->at != '.' && *plain->at != 'e' && *plain->at != 'E');
	if (whole) { /* the integer -0 is read as 0 */
		*ret = minus ? (double)-(int64_t)value : (double)value;
		return digits <= 18;
	}
	int before = digits;
	if (*plain->at != '.')
		return false;
	plain->at++;
	if (!json_plain_take_digits(plain, &value, &digits) ||
		(plain->at < plain->end && (*plain->at == 'e' || *plain->at == 'E')))
		return false;
	if (digits > 15)
		return cs_double_parse(from, (size_t)(plain->at - from), ret) && isfinite(*ret);
	*ret = shifted(value, digits - before);
	*ret = minus ? -*ret : *ret;
	return true;
}

static bool take_numbers(struct plain *plain, double *ret, size_t n)
{
	if (!json_plain_take(plain, '['))
		return false;
	for (size_t i = 0; i < n; i++)
		if ((i > 0 && !json_plain_take(plain, ',')) ||
			!json_plain_take_number(plain, &ret[i]))
			return false;
	return json_plain_take(plain, ']');
}

/* ---- values of members ---- */

static bool is_slice(const struct cs_strings *strings, uint32_t offset, struct slice text)
{
	const char *known = cs_strings_get(strings, offset);
	return text.n < strings->size - offset && known[text.n] == '\0' &&
	       memcmp(known, text.at, text.n) == 0;
}

/*
 * Adds the texts of the line that the pool lacked (plain->expected) to the pool, in the order of
 * the line. A text that equals the previous one, as the label often equals the name, needs no
 * look-up.
 */
static bool add_expected(struct plain *plain)
{
	struct cs_strings *strings = &plain->reader->world->strings;
	uint32_t last = 0;
	for (size_t i = 0; i < plain->n_expected; i++) {
		const struct expected_text *expected = &plain->expected[i];
		struct slice text = expected->text;
		if (!is_slice(strings, last, text))
			last = cs_strings_add_expected(strings, text.at, text.n, expected->hash);
		if (last == CS_NONE)
			return false;
		*expected->ret = last;
	}
	plain->n_expected = 0;
	return true;
}

/* Reads a text, often `before`, the previous actor's; new ones are added after the whole line. */
static bool json_plain_read_text(struct plain *plain, uint32_t before, uint32_t *ret)
{
	struct cs_strings *strings = &plain->reader->world->strings;
	struct slice text;
	if (!take_text(plain, &text) || text.n > plain->reader->limits.name_bytes)
		return false;
	if (is_slice(strings, before, text)) {
		*ret = before;
		return true;
	}
	if (plain->n_expected == EXPECTED_TEXTS && !add_expected(plain))
		return false;
	plain->expected[plain->n_expected++] =
		(struct expected_text){text, cs_strings_expect(strings, text.at, text.n), ret};
	return true;
}

static bool read_guid(struct plain *plain, struct cs_guid *ret)
{
	struct slice text;
	return take_text(plain, &text) && cs_guid_parse(text.at, text.n, ret);
}

static bool read_flag(struct plain *plain, bool *ret)
{
	*ret = take_word(plain, "true");
	return *ret || take_word(plain, "false");
}

static bool json_plain_read_texts(struct plain *plain, struct cs_range *ret)
{
	struct cs_world *world = plain->reader->world;
	ret->first = (uint32_t)world->texts.n;
	bool open = json_plain_take(plain, '[');
	if (!open)
		return false;
	open = !json_plain_take(plain, ']');
	while (open) {
		uint32_t text;
		if (!json_plain_read_text(plain, 0, &text) || !add_expected(plain) ||
			!cs_vec_push(&world->texts, text) || !take_next(plain, ']', &open))
			return false;
	}
	ret->count = (uint32_t)world->texts.n - ret->first;
	return true;
}

static bool json_plain_read_guids(struct plain *plain, struct cs_range *ret)
{
	struct cs_world *world = plain->reader->world;
	ret->first = (uint32_t)world->guids.n;
	bool open = json_plain_take(plain, '[');
	if (!open)
		return false;
	open = !json_plain_take(plain, ']');
	while (open) {
		struct cs_guid guid;
		if (!read_guid(plain, &guid) || !cs_vec_push(&world->guids, guid) ||
			!take_next(plain, ']', &open))
			return false;
	}
	ret->count = (uint32_t)world->guids.n - ret->first;
	return true;
}

/* Reads a transform, which must have all keys in the order of the writer. */
static bool json_plain_read_transform(struct plain *plain, struct cs_transform *ret)
{
	double q[4], t[3], s[3];
	if (!json_plain_take(plain, '{') || !take_word(plain, "\"rot\"") ||
		!json_plain_take(plain, ':') || !take_numbers(plain, q, 4) ||
		!json_plain_take(plain, ',') || !take_word(plain, "\"pos\"") ||
		!json_plain_take(plain, ':') || !take_numbers(plain, t, 3) ||
		!json_plain_take(plain, ',') || !take_word(plain, "\"scale\"") ||
		!json_plain_take(plain, ':') || !take_numbers(plain, s, 3) ||
		!json_plain_take(plain, '}'))
		return false;
	*ret = (struct cs_transform){
		{q[0], q[1], q[2], q[3]}, {t[0], t[1], t[2]}, {s[0], s[1], s[2]}};
	return true;
}

static bool read_value(
	struct plain *plain, const struct cs_json_field *field, uint32_t before, void *at)
{
	bool flag;
	switch (field->kind) {
	case CS_JSON_TEXT:
		return json_plain_read_text(plain, before, at);
	case CS_JSON_GUID:
		return read_guid(plain, at);
	case CS_JSON_FLAG:
		if (!read_flag(plain, &flag))
			return false;
		*(uint32_t *)at =
			flag ? *(uint32_t *)at | field->bit : *(uint32_t *)at & ~field->bit;
		return true;
	case CS_JSON_NUMBER:
		return json_plain_take_number(plain, at);
	case CS_JSON_VEC3:
		return take_numbers(plain, at, 3);
	case CS_JSON_TEXTS:
		return json_plain_read_texts(plain, at);
	case CS_JSON_GUIDS:
		return json_plain_read_guids(plain, at);
	case CS_JSON_TRANSFORM:
		return json_plain_read_transform(plain, at);
	default:
		return false;
	}
}

/* ---- reading a line of an actor ---- */

/* Reads a key, returns its row; keys mostly follow the table: the search begins after the last. */
static const struct cs_json_field *take_key(struct plain *plain, size_t *next)
{
	const struct cs_json_table *table = &cs_json_actor;
	if (!json_plain_take(plain, '"'))
		return NULL;
	const size_t left = (size_t)(plain->end - plain->at);
	for (size_t i = 0; i < table->n; i++) {
		size_t k = *next + i < table->n ? *next + i : *next + i - table->n;
		const struct cs_json_field *field = &table->fields[k];
		if (field->key_length >= left || plain->at[field->key_length] != '"' ||
			memcmp(plain->at, field->key, field->key_length) != 0)
			continue;
		plain->at += field->key_length + 1;
		*next = k + 1;
		return field;
	}
	return NULL;
}

static bool read_object(struct plain *plain, const struct cs_actor *before, struct cs_actor *actor)
{
	uint64_t seen = 0;
	size_t next = 0;
	bool open = json_plain_take(plain, '{');
	if (!open)
		return false;
	while (open) {
		const struct cs_json_field *field = take_key(plain, &next);
		if (!field || !json_plain_take(plain, ':') || next > 64 || seen >> (next - 1) & 1)
			return false;
		seen |= UINT64_C(1) << (next - 1);
		uint32_t last = 0;
		if (field->kind == CS_JSON_TEXT)
			memcpy(&last, (const char *)before + field->offset, sizeof(last));
		if (!read_value(plain, field, last, (char *)actor + field->offset) ||
			!take_next(plain, '}', &open))
			return false;
	}
	skip_space(plain);
	return plain->at == plain->end && add_expected(plain);
}

bool cs_json_plain_actor(
	struct cs_json_reader *reader, const char *line, size_t n, struct cs_actor *ret)
{
	struct cs_world *world = reader->world;
	struct plain plain = {.reader = reader, .at = line, .end = line + n};
	size_t texts = world->texts.n, guids = world->guids.n;
	*ret = cs_actor_default();
	if (read_object(&plain, &reader->last, ret) && !cs_guid_is_zero(ret->guid) &&
		cs_guid_is_zero(ret->content_bundle))
		return true;
	world->texts.n = texts;
	world->guids.n = guids;
	return false;
}
