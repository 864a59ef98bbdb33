/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses the values in a log, and the line that describes an actor (ue-project-files rules 7b).
 * Values in this line may contain blanks, so its keys are searched in the order in which the engine
 * writes them; a value ends where the nearest later key begins.
 */
#include "ue/log/log_line.h"

#include "core/guid.h"
#include "ue/package/wire.h"

#include <math.h>
#include <string.h>

/* ---- parts of a line ---- */

bool cs_ue_piece_is(struct cs_ue_piece piece, const char *text)
{
	return strlen(text) == piece.n && memcmp(piece.at, text, piece.n) == 0;
}

bool cs_ue_piece_starts(struct cs_ue_piece piece, const char *text)
{
	size_t n = strlen(text);
	return piece.n >= n && memcmp(piece.at, text, n) == 0;
}

struct cs_ue_piece cs_ue_piece_from(struct cs_ue_piece piece, size_t n)
{
	return (struct cs_ue_piece){piece.at + n, piece.n - n};
}

static bool is_space_or_tab(char c)
{
	return c == ' ' || c == '\t';
}

struct cs_ue_piece cs_ue_piece_trim(struct cs_ue_piece piece)
{
	while (piece.n > 0 && is_space_or_tab(piece.at[0]))
		piece = cs_ue_piece_from(piece, 1);
	while (piece.n > 0 && is_space_or_tab(piece.at[piece.n - 1]))
		piece.n--;
	return piece;
}

const char *cs_ue_piece_find(struct cs_ue_piece piece, const char *text)
{
	return memmem(piece.at, piece.n, text, strlen(text));
}

const char *cs_ue_piece_keep(struct cs_ue_piece piece, struct cs_arena *arena)
{
	const char *copy = cs_arena_text(arena, piece.at, piece.n);
	if (!copy || piece.n >= INT32_MAX)
		return NULL;
	struct cs_ue_string string = {(const unsigned char *)copy, (int32_t)piece.n + 1};
	return cs_ue_text(string, arena);
}

/* ---- escape sequences of terminals ---- */

enum { ESCAPE = '\33', BELL = '\a' };

/*
 * Returns the length of an escape sequence at the start of `text` that colours text, erases the
 * line, selects a character set, or sets a title or link; 0 for others, which are data.
 */
static size_t escape_length(struct cs_ue_piece text)
{
	const char kind = text.n > 1 ? text.at[1] : '[';
	size_t n = 2;
	if (kind == ']') { /* a title or link, which a bell or another sequence ends */
		while (n < text.n && text.at[n] != BELL && text.at[n] != ESCAPE)
			n++;
		return n + (n < text.n && text.at[n] == BELL);
	}
	if (kind == '\\')
		return n;
	if (kind != '[' && kind != '(')
		return 0;
	while (kind == '[' && n < text.n && text.at[n] >= '0' && text.at[n] <= '?')
		n++;
	if (n >= text.n)
		return text.n; /* the line was cut in the sequence */
	const char last = text.at[n];
	const bool known = kind == '[' ? last == 'm' || last == 'K' : last == '0' || last == 'B';
	return known ? n + 1 : 0;
}

size_t cs_ue_log_plain(struct cs_ue_piece line, char *ret)
{
	size_t n = 0;
	while (line.n > 0) {
		const char *at = line.n > 1 ? memchr(line.at + 1, ESCAPE, line.n - 1) : NULL;
		const size_t skip = *line.at == ESCAPE ? escape_length(line) : 0;
		const size_t next = skip ? skip : at ? (size_t)(at - line.at) : line.n;
		if (!skip && ret + n != line.at)
			memmove(ret + n, line.at, next);
		n += skip ? 0 : next;
		line = cs_ue_piece_from(line, next);
	}
	return n;
}

/* ---- parsing values ---- */

static size_t count_digits(struct cs_ue_piece piece, size_t from)
{
	size_t n = 0;
	while (from + n < piece.n && piece.at[from + n] >= '0' && piece.at[from + n] <= '9')
		n++;
	return n;
}

static uint64_t integer_of(const char *digits, size_t n, uint64_t so_far)
{
	for (size_t i = 0; i < n; i++)
		so_far = so_far * 10 + (uint64_t)(digits[i] - '0');
	return so_far;
}

/*
 * Numbers with few digits, as the engine prints them, are parsed as a quotient of two integers
 * below 2^53. The quotient is rounded once, so it is the nearest double. Longer numbers are parsed
 * by cs_double_parse(), which is slower.
 */
bool cs_ue_log_number(struct cs_ue_piece *piece, double *ret)
{
	struct cs_ue_piece number = *piece;
	size_t minus = number.n > 0 && number.at[0] == '-';
	size_t whole = count_digits(number, minus);
	bool point = minus + whole < number.n && number.at[minus + whole] == '.';
	size_t decimals = point ? count_digits(number, minus + whole + 1) : 0;
	number.n = minus + whole + point + decimals;
	if (whole + decimals == 0)
		return false;
	*piece = cs_ue_piece_from(*piece, number.n);
	if (whole + decimals > 15)
		return cs_double_parse(number.at, number.n, ret);
	uint64_t digits = integer_of(number.at + minus, whole, 0);
	digits = integer_of(number.at + minus + whole + point, decimals, digits);
	double scale = 1;
	for (size_t i = 0; i < decimals; i++)
		scale *= 10;
	double value = (double)digits / scale;
	*ret = minus ? -value : value;
	return true;
}

/* Parses the digits of a GUID. In some releases words follow them, which are ignored. */
bool cs_ue_log_guid(struct cs_ue_piece piece, struct cs_guid *ret)
{
	const char *end = memchr(piece.at, ' ', piece.n);
	return cs_guid_parse(piece.at, end ? (size_t)(end - piece.at) : piece.n, ret);
}

bool cs_ue_log_truth(struct cs_ue_piece piece, bool *ret)
{
	*ret = cs_ue_piece_starts(piece, "1") || cs_ue_piece_starts(piece, "true") ||
	       cs_ue_piece_starts(piece, "True");
	return *ret || cs_ue_piece_starts(piece, "0") || cs_ue_piece_starts(piece, "false") ||
	       cs_ue_piece_starts(piece, "False");
}

size_t cs_ue_log_play_prefix(struct cs_ue_piece piece)
{
	static const char start[] = "UEDPIE_";
	size_t n = sizeof(start) - 1;
	if (!cs_ue_piece_starts(piece, start))
		return 0;
	size_t digits = count_digits(piece, n);
	return digits && n + digits < piece.n && piece.at[n + digits] == '_' ? n + digits + 1 : 0;
}

const char *cs_ue_log_without_play(
	struct cs_ue_piece piece, struct cs_arena *arena, bool *found_ret)
{
	static const char instance[] = "_InstanceOf_";
	const char *of =
		cs_ue_piece_find(piece, "UEDPIE_") ? cs_ue_piece_find(piece, instance) : NULL;
	char *copy = CS_ARENA_ARRAY(arena, char, piece.n + 1);
	size_t n = 0;
	if (!copy)
		return NULL;
	*found_ret |= of != NULL;
	for (size_t i = of ? (size_t)(of - piece.at) + sizeof(instance) - 1 : 0; i < piece.n;) {
		bool begins = i == 0 || strchr("/.:", piece.at[i - 1]);
		size_t skip = begins ? cs_ue_log_play_prefix(cs_ue_piece_from(piece, i)) : 0;
		*found_ret |= skip > 0;
		i += skip;
		if (skip == 0)
			copy[n++] = piece.at[i++];
	}
	return cs_ue_piece_keep((struct cs_ue_piece){copy, n}, arena);
}

/* Parses n numbers, each after its label, and followed by one of `ends` or the end of the piece. */
static bool log_line_parse_numbers(struct cs_ue_piece piece, const char *const *labels,
	const char *ends, double *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *at = cs_ue_piece_find(piece, labels[i]);
		if (!at)
			return false;
		piece = cs_ue_piece_from(piece, (size_t)(at - piece.at) + strlen(labels[i]));
		if (!cs_ue_log_number(&piece, &values[i]))
			return false;
		if (piece.n > 0 && !strchr(ends, piece.at[0]))
			return false;
	}
	return true;
}

/* Largest plausible coordinate of a box, 2^43 cm. Boxes of 2D cells reach heights of 2^42 cm. */
static const double world_end = 8796093022208.0;

bool cs_ue_log_box(struct cs_ue_piece piece, struct cs_box *ret, const char **odd_ret)
{
	static const char *const labels[] = {"Min=(X=", " Y=", " Z=", "Max=(X=", " Y=", " Z="};
	double v[6];
	*ret = CS_BOX_INVALID;
	if (cs_ue_piece_starts(piece, "IsValid=false"))
		return true;
	if (!cs_ue_piece_starts(piece, "IsValid=true") ||
		!log_line_parse_numbers(piece, labels, " )", v, 6))
		return false;
	const struct cs_box box = {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
	for (size_t i = 0; i < 6; i++)
		if (fabs(v[i]) > world_end)
			*odd_ret = "a box ends beyond 2^43 cm, the limit of any world";
	if (cs_box_valid(&box)) /* an inverted box stays invalid */
		*ret = box;
	else
		*odd_ret = "a box has a Min above its Max, and is ignored";
	return true;
}

bool cs_ue_log_transform(struct cs_ue_piece piece, struct cs_transform *ret)
{
	static const char *const labels[] = {"", ",", ",", "|", ",", ",", "|", ",", ","};
	double v[9];
	if (!log_line_parse_numbers(piece, labels, ",| ", v, 9))
		return false;
	*ret = (struct cs_transform){
		.rotation = cs_quat_from_euler(v[3], v[4], v[5]),
		.translation = {v[0], v[1], v[2]},
		.scale = {v[6], v[7], v[8]},
	};
	return true;
}

/* ---- clocks ---- */

enum { CLOCK = 25 }; /* number of bytes of "[2026.01.31-12.00.00:000]" */

static bool is_clock(struct cs_ue_piece text)
{
	static const char form[] = "[0000.00.00-00.00.00:000]";
	for (size_t i = 0; i < CLOCK; i++)
		if (i >= text.n || (form[i] == '0' ? text.at[i] < '0' || text.at[i] > '9'
						   : text.at[i] != form[i]))
			return false;
	return true;
}

bool cs_ue_log_since_start(struct cs_ue_piece line, double *ret, size_t *n_ret)
{
	enum { LEAST = 8, MOST = 16 };
	const char *end = line.n && *line.at == '[' ? memchr(line.at, ']', line.n) : NULL;
	const size_t n = end ? (size_t)(end - line.at) + 1 : 0;
	if (n <= LEAST || n > MOST || n >= line.n || line.at[n] != '[' || line.at[n - 4] != '.')
		return false;
	*n_ret = n;
	return cs_double_parse(line.at + 1, n - 2, ret) && *ret >= 0;
}

static bool is_in_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Removes a frame like "[ 12]" from the start of `text`, or returns false if there is none. */
static bool take_frame(struct cs_ue_piece *text)
{
	const char *end = text->n && *text->at == '[' ? memchr(text->at, ']', text->n) : NULL;
	if (!end)
		return false;
	const size_t n = (size_t)(end - text->at) + 1;
	const struct cs_ue_piece number =
		cs_ue_piece_trim((struct cs_ue_piece){text->at + 1, n - 2});
	*text = cs_ue_piece_from(*text, n);
	return number.n > 0 && count_digits(number, 0) == number.n;
}

/* Returns whether `text` begins with a category like "LogStreaming:". */
static bool begins_with_category(struct cs_ue_piece text)
{
	size_t n = strlen("Log");
	if (!cs_ue_piece_starts(text, "Log"))
		return false;
	while (n < text.n && is_in_name(text.at[n]))
		n++;
	return n > strlen("Log") && n < text.n && text.at[n] == ':';
}

/*
 * Returns whether the text in front of a clock is not from the engine: it contains no tree
 * characters ("|-", "[+]") and no category. A "|" is allowed in it, because Docker puts container
 * names in front of lines, but not if some line of the file begins with its clock (`bare`).
 */
static bool is_foreign(struct cs_ue_piece front, bool bare)
{
	if (cs_ue_piece_starts(cs_ue_piece_trim(front), "|") || cs_ue_piece_find(front, "|-") ||
		cs_ue_piece_find(front, "[+]") || (bare && memchr(front.at, '|', front.n)))
		return false;
	for (size_t i = 0; i < front.n; i++)
		if ((i == 0 || !is_in_name(front.at[i - 1])) &&
			begins_with_category(cs_ue_piece_from(front, i)))
			return false;
	return true;
}

/* Value of *column if a line began with its clock and none before had text before its clock. */
#define NO_FRONT SIZE_MAX

/*
 * Returns whether a clock is at `at` and a frame and a category follow it. The category may be
 * missing if `at` is `column`.
 */
static bool is_line_head(struct cs_ue_piece line, size_t at, size_t column)
{
	struct cs_ue_piece text = cs_ue_piece_from(line, at);
	if (!is_clock(text))
		return false;
	text = cs_ue_piece_from(text, CLOCK);
	return take_frame(&text) && (at == column || begins_with_category(text));
}

struct cs_ue_piece cs_ue_log_from_clock(struct cs_ue_piece line, size_t *column)
{
	double seconds;
	size_t n;
	if (is_clock(line) || cs_ue_log_since_start(line, &seconds, &n)) {
		*column = *column ? *column : NO_FRONT;
		return line;
	}
	for (n = 0; n < line.n; n++) {
		const char *at = memchr(line.at + n, '[', line.n - n);
		if (!at)
			break;
		n = (size_t)(at - line.at);
		if (!is_line_head(line, n, *column))
			continue;
		/* text of the engine is in front, so this "[time]" is a part of its message */
		if (!is_foreign((struct cs_ue_piece){line.at, n}, *column == NO_FRONT))
			break;
		*column = n;
		return cs_ue_piece_from(line, n);
	}
	return line;
}

/* ---- lines of actor descriptors ---- */

/* Types of values. NOT_FLAG is a flag that is set if the value is false. */
enum kind { TEXT, FLAG, NOT_FLAG, GUID, BOX, BOXES, UNUSED };

static const struct key {
	const char *text;
	enum kind kind;
	size_t offset;
	uint32_t flag;
} keys[] = {
	{"Guid:", GUID, offsetof(struct cs_ue_log_desc, guid), 0},
	{" BaseClass:", TEXT, offsetof(struct cs_ue_log_desc, base_class), 0},
	{" NativeClass:", TEXT, offsetof(struct cs_ue_log_desc, native_class), 0},
	{" Name:", TEXT, offsetof(struct cs_ue_log_desc, name), 0},
	{" Label:", TEXT, offsetof(struct cs_ue_log_desc, label), 0},
	{" SpatiallyLoaded:", FLAG, 0, CS_ACTOR_OWN_SPATIAL},
	{" Bounds:", BOXES, 0, 0}, /* written by engine 5.4 */
	{" EditorBounds:", BOX, offsetof(struct cs_ue_log_desc, editor_bounds), 0},
	{" RuntimeBounds:", BOX, offsetof(struct cs_ue_log_desc, bounds), 0},
	{" RuntimeGrid:", TEXT, offsetof(struct cs_ue_log_desc, grid), 0},
	{" EditorOnly:", FLAG, 0, CS_ACTOR_EDITOR_ONLY},
	{" RuntimeOnly:", FLAG, 0, CS_ACTOR_RUNTIME_ONLY},
	{" HLODRelevant:", FLAG, 0, CS_ACTOR_HLOD_RELEVANT},
	{" ListedInSceneOutliner:", NOT_FLAG, 0, CS_ACTOR_UNLISTED},
	{" IsMainWorldOnly:", FLAG, 0, CS_ACTOR_MAIN_WORLD_ONLY},
	/* the following keys may be in any order */
	{" Parent:", GUID, offsetof(struct cs_ue_log_desc, parent), 0},
	{" FolderPath:", TEXT, offsetof(struct cs_ue_log_desc, folder), 0},
	{" FolderGuid:", GUID, offsetof(struct cs_ue_log_desc, folder_guid), 0},
	{" DataLayers:", TEXT, offsetof(struct cs_ue_log_desc, layers), 0},
	{" ExternalDataLayer:", TEXT, offsetof(struct cs_ue_log_desc, external_layer), 0},
	{" ContentBundle:", GUID, offsetof(struct cs_ue_log_desc, content_bundle), 0},
	{" HLODLayer:", UNUSED, 0, 0},
	{" Hash:", UNUSED, 0, 0},
	{" Tags:", UNUSED, 0, 0},
};
enum { N_KEYS = sizeof(keys) / sizeof(keys[0]), FIRST_FREE = 15 };

struct desc_reader {
	struct cs_arena *arena;
	struct cs_ue_log_desc *desc;
	const char *odd; /* why a box is implausible, or NULL */
	bool no_memory;
};

static bool log_line_take_text(
	struct desc_reader *reader, struct cs_ue_piece value, const char **to)
{
	if (cs_ue_piece_is(value, "None")) {
		*to = "";
		return true;
	}
	const char *text = cs_ue_piece_keep(value, reader->arena);
	reader->no_memory |= !text;
	*to = text ? text : "";
	return text != NULL;
}

/* Parses "BOX", or "(Editor:BOX Runtime:BOX)" if the two boxes differ. */
static bool take_boxes(struct desc_reader *reader, struct cs_ue_piece value)
{
	struct cs_ue_log_desc *desc = reader->desc;
	static const char editor[] = "(Editor:", runtime[] = " Runtime:";
	desc->old_form = true;
	if (!cs_ue_piece_starts(value, editor)) {
		bool good = cs_ue_log_box(value, &desc->bounds, &reader->odd);
		desc->editor_bounds = desc->bounds;
		return good;
	}
	value = cs_ue_piece_from(value, sizeof(editor) - 1);
	const char *second = cs_ue_piece_find(value, runtime);
	if (!second)
		return false;
	size_t n = (size_t)(second - value.at);
	return cs_ue_log_box(
		       (struct cs_ue_piece){value.at, n}, &desc->editor_bounds, &reader->odd) &&
	       cs_ue_log_box(cs_ue_piece_from(value, n + sizeof(runtime) - 1), &desc->bounds,
		       &reader->odd);
}

static bool take_value(struct desc_reader *reader, const struct key *key, struct cs_ue_piece value)
{
	bool is_true = false;
	void *to = (char *)reader->desc + key->offset;
	if (key->kind == FLAG || key->kind == NOT_FLAG) {
		reader->desc->old_form |= value.n == 1;
		if (!cs_ue_log_truth(value, &is_true))
			return false;
	}
	switch (key->kind) {
	case TEXT:
		return log_line_take_text(reader, value, to);
	case FLAG:
		reader->desc->flags |= is_true ? key->flag : 0;
		return true;
	case NOT_FLAG:
		reader->desc->flags |= is_true ? 0 : key->flag;
		return true;
	case GUID:
		return cs_ue_log_guid(value, to);
	case BOX:
		return cs_ue_log_box(value, to, &reader->odd);
	case BOXES:
		return take_boxes(reader, value);
	default:
		return true;
	}
}

/* Finds the leftmost of keys[first...] in a line: returns its position and its index, or NULL. */
static const char *next_key(struct cs_ue_piece line, size_t first, size_t *key_ret)
{
	const char *nearest = NULL;
	for (size_t k = first; k < N_KEYS; k++) {
		const char *at = cs_ue_piece_find(line, keys[k].text);
		if (!at)
			continue;
		nearest = at;
		line.n = (size_t)(at - line.at);
		*key_ret = k;
	}
	return nearest;
}

static bool take_values(struct desc_reader *reader, struct cs_ue_piece line)
{
	size_t key = 0, next = 0;
	bool good = cs_ue_piece_starts(line, keys[0].text);
	for (const char *end = ""; good && end; key = next) {
		struct cs_ue_piece value = cs_ue_piece_from(line, strlen(keys[key].text));
		end = next_key(value, key < FIRST_FREE ? key + 1 : FIRST_FREE, &next);
		if (end) {
			line = cs_ue_piece_from(value, (size_t)(end - value.at));
			value.n -= line.n;
		}
		good = take_value(reader, &keys[key], cs_ue_piece_trim(value));
	}
	return good;
}

bool cs_ue_log_parse_desc(struct cs_ue_piece line, struct cs_arena *arena,
	struct cs_ue_log_desc *ret, const char **odd_ret, bool *no_memory)
{
	struct cs_ue_log_desc desc = {
		/* values of missing keys. A line without GUID, native class or name is rejected */
		.base_class = "",
		.native_class = NULL,
		.name = "",
		.label = "",
		.grid = "",
		.folder = "",
		.bounds = CS_BOX_INVALID,
		.editor_bounds = CS_BOX_INVALID,
	};
	struct desc_reader reader = {arena, &desc, NULL, false};
	bool good = take_values(&reader, line);
	*no_memory = reader.no_memory;
	*odd_ret = reader.odd;
	if (!good || cs_guid_is_zero(desc.guid) || !desc.native_class || !*desc.name)
		return false;
	*ret = desc;
	return true;
}
