/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads actors of the plain form (the form that cs_world_write_json writes) directly from their
 * lines, without a tree, and without copying texts except into the world. A line that is not plain
 * (escapes, bytes beyond ASCII, unknown or repeated keys, a value that its key does not accept,
 * level instances) is rejected without effect and then read with jansson. Only jansson reports
 * errors, so both methods give the same worlds and the same errors.
 *
 * Parsing a line does not use the world, so several threads parse at once. Then each thread adds
 * its lines to the world, one thread after the other in the order of the lines.
 */
#include "world/json_reader.h"

#include "core/cursor.h"
#include "core/guid.h"
#include "world/world_internal.h"

struct slice {
	const char *at;
	size_t n;
};

struct plain {
	struct cs_plain_lines *lines; /* receives what the line contains */
	const char *at, *end;
	size_t longest_text; /* limit of the bytes of a text */
	uint32_t n_items;    /* number of texts of the line that are items of lists */
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

/*
 * Reads a text. `before` is the text that an earlier line has for the same member, or NULL for an
 * item of a list. If the text equals `before`, as it often does, its hash is not computed again.
 */
static bool json_plain_read_text(struct plain *plain, struct cs_plain_text *before, size_t member)
{
	struct slice text;
	if (!take_text(plain, &text) || text.n > plain->longest_text)
		return false;
	struct cs_plain_text read = {
		.at = text.at, .n = (uint32_t)text.n, .member = (uint32_t)member};
	if (before && before->at && before->n == text.n && memcmp(before->at, text.at, text.n) == 0)
		read.hash = before->hash;
	else
		read.hash = cs_text_hash(text.at, text.n);
	if (before)
		*before = read;
	return cs_vec_push(&plain->lines->texts, read);
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
	ret->first = plain->n_items;
	bool open = json_plain_take(plain, '[');
	if (!open)
		return false;
	open = !json_plain_take(plain, ']');
	for (; open; plain->n_items++)
		if (!json_plain_read_text(plain, NULL, CS_NONE) || !take_next(plain, ']', &open))
			return false;
	ret->count = plain->n_items - ret->first;
	return true;
}

static bool json_plain_read_guids(struct plain *plain, uint32_t first_guid, struct cs_range *ret)
{
	struct cs_plain_lines *lines = plain->lines;
	ret->first = (uint32_t)lines->guids.n - first_guid;
	bool open = json_plain_take(plain, '[');
	if (!open)
		return false;
	open = !json_plain_take(plain, ']');
	while (open) {
		struct cs_guid guid;
		if (!read_guid(plain, &guid) || !cs_vec_push(&lines->guids, guid) ||
			!take_next(plain, ']', &open))
			return false;
	}
	ret->count = (uint32_t)lines->guids.n - first_guid - ret->first;
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
		!json_plain_take(plain, '}') || !cs_json_is_unit(q))
		return false;
	*ret = (struct cs_transform){
		{q[0], q[1], q[2], q[3]}, {t[0], t[1], t[2]}, {s[0], s[1], s[2]}};
	return true;
}

static bool read_value(struct plain *plain, size_t row, struct cs_plain_line *line)
{
	const struct cs_json_field *field = &cs_json_actor.fields[row];
	void *at = (char *)&line->actor + field->offset;
	bool flag;
	switch (field->kind) {
	case CS_JSON_TEXT:
		return json_plain_read_text(plain, &plain->lines->before[row], field->offset);
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
		return json_plain_read_guids(plain, line->guids.first, at);
	case CS_JSON_TRANSFORM:
		return json_plain_read_transform(plain, at);
	default:
		return false;
	}
}

/* ---- reading a line of an actor ---- */

/*
 * Returns the row of the next key in cs_json_actor, CS_NONE for an unknown key. Keys mostly have
 * the order of that table, so the search begins at row `next`.
 */
static size_t take_key(struct plain *plain, size_t next)
{
	const struct cs_json_table *table = &cs_json_actor;
	if (!json_plain_take(plain, '"'))
		return CS_NONE;
	const size_t left = (size_t)(plain->end - plain->at);
	for (size_t i = 0; i < table->n; i++) {
		size_t k = next + i < table->n ? next + i : next + i - table->n;
		const struct cs_json_field *field = &table->fields[k];
		if (field->key_length >= left || plain->at[field->key_length] != '"' ||
			memcmp(plain->at, field->key, field->key_length) != 0)
			continue;
		plain->at += field->key_length + 1;
		return k;
	}
	return CS_NONE;
}

static bool read_object(struct plain *plain, struct cs_plain_line *line)
{
	uint64_t seen = 0;
	size_t next = 0;
	bool open = json_plain_take(plain, '{');
	if (!open)
		return false;
	while (open) {
		const size_t row = take_key(plain, next);
		if (row >= CS_PLAIN_KEYS || !json_plain_take(plain, ':') || seen >> row & 1)
			return false;
		seen |= UINT64_C(1) << row;
		next = row + 1;
		if (!read_value(plain, row, line) || !take_next(plain, '}', &open))
			return false;
	}
	skip_space(plain);
	return plain->at == plain->end && !cs_guid_is_zero(line->actor.guid) &&
	       cs_guid_is_zero(line->actor.content_bundle);
}

static void parse_plain_line(struct cs_plain_lines *lines, struct cs_plain_line *line,
	const struct cs_json_reader *reader, const struct cs_json_line *from)
{
	const char *text = reader->block + from->start;
	struct plain plain = {.lines = lines,
		.at = text,
		.end = text + from->length,
		.longest_text = reader->limits.name_bytes};
	line->actor = cs_actor_default();
	line->texts = (struct cs_range){(uint32_t)lines->texts.n, 0};
	line->guids = (struct cs_range){(uint32_t)lines->guids.n, 0};
	line->is_plain = read_object(&plain, line);
	if (!line->is_plain) {
		lines->texts.n = line->texts.first;
		lines->guids.n = line->guids.first;
	}
	line->texts.count = (uint32_t)lines->texts.n - line->texts.first;
	line->guids.count = (uint32_t)lines->guids.n - line->guids.first;
}

void cs_plain_parse(
	struct cs_plain_lines *lines, const struct cs_json_reader *reader, size_t first, size_t n)
{
	lines->n = n;
	lines->texts.n = lines->guids.n = 0;
	memset(lines->before, 0, sizeof(lines->before));
	for (size_t i = 0; i < n; i++)
		parse_plain_line(lines, &lines->at[i], reader, &reader->lines.at[first + i]);
}

struct cs_plain_lines *cs_plain_lines_new(int n)
{
	return calloc((size_t)n, sizeof(struct cs_plain_lines));
}

void cs_plain_lines_free(struct cs_plain_lines *lines, int n)
{
	for (int i = 0; lines && i < n; i++) {
		cs_vec_free(&lines[i].texts);
		cs_vec_free(&lines[i].guids);
	}
	free(lines);
}

/* ---- adding a parsed line to the world ---- */

static bool is_slice(
	const struct cs_strings *strings, uint32_t offset, const struct cs_plain_text *text)
{
	const char *known = cs_strings_get(strings, offset);
	return text->n < strings->size - offset && known[text->n] == '\0' &&
	       memcmp(known, text->at, text->n) == 0;
}

/*
 * Adds a text to the pool. No search is needed if it equals `before`, the text of the previous
 * actor, or `last`, the previous text of the line: the label often equals the name.
 */
static uint32_t add_plain_text(struct cs_strings *strings, const struct cs_plain_text *text,
	uint32_t before, uint32_t last)
{
	return is_slice(strings, before, text) ? before
	       : is_slice(strings, last, text)
		       ? last
		       : cs_strings_add_expected(strings, text->at, text->n, text->hash);
}

static bool add_plain_texts(struct cs_json_reader *reader, const struct cs_plain_lines *lines,
	const struct cs_plain_line *line, struct cs_actor *actor)
{
	struct cs_world *world = reader->world;
	uint32_t last = 0;
	for (size_t i = 0; i < line->texts.count; i++) {
		const struct cs_plain_text *text = &lines->texts.at[line->texts.first + i];
		const size_t member = text->member;
		uint32_t before = 0;
		if (member != CS_NONE)
			memcpy(&before, (const char *)&reader->last + member, sizeof(before));
		last = add_plain_text(&world->strings, text, before, last);
		if (last == CS_NONE || (member == CS_NONE && !cs_vec_push(&world->texts, last)))
			return false;
		if (member != CS_NONE)
			memcpy((char *)actor + member, &last, sizeof(last));
	}
	return true;
}

/* Prefetches the slots in which the pool will search for the texts of a line. */
CS_EXPECTING void expect_line(
	const struct cs_strings *strings, const struct cs_plain_lines *lines, size_t i)
{
	const struct cs_range texts = lines->at[i].texts;
	for (uint32_t k = 0; k < texts.count; k++)
		cs_strings_expect(strings, lines->texts.at[texts.first + k].hash);
}

bool cs_plain_take(struct cs_json_reader *reader, struct cs_plain_lines *lines, size_t i)
{
	struct cs_world *world = reader->world;
	struct cs_plain_line *line = &lines->at[i];
	struct cs_actor *actor = &line->actor;
	struct cs_range *const text_lists[] = {&actor->layers, &actor->tags, &actor->properties},
			       *const guid_lists[] = {
				       &actor->references, &actor->editor_references};
	const size_t texts = world->texts.n, guids = world->guids.n;
	if (i + CS_AHEAD < lines->n)
		expect_line(&world->strings, lines, i + CS_AHEAD);
	for (size_t k = 0; k < CS_COUNT_OF(text_lists); k++)
		text_lists[k]->first += (uint32_t)texts;
	for (size_t k = 0; k < CS_COUNT_OF(guid_lists); k++)
		guid_lists[k]->first += (uint32_t)guids;
	if (line->is_plain && add_plain_texts(reader, lines, line, actor) &&
		cs_vec_append(
			&world->guids, lines->guids.at + line->guids.first, line->guids.count))
		return true;
	world->texts.n = texts;
	world->guids.n = guids;
	return false;
}
