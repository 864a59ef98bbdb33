/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and writes a plan as a file: a line of JSON with its properties, then one line per step. A
 * word of a step's command is a text, or {"in": N} for the N-th file that the step reads, or {"of":
 * STEP} for the result of another step. Reading computes the keys of the steps again, so that an
 * edited plan is detected. Also writes a plan as a build.ninja.
 */
#include "farm/cache.h"
#include "farm/plan.h"

#include "core/job.h"
#include "core/json.h"
#include "core/text.h"
#include "core/writer.h"
#include "format/byte_source.h"
#include "format/save.h"

#include <cellscope/core.h>

#include <stdio.h>

#define SCHEMA "cellscope.plan/2"

/* ---- writing a plan file ---- */

/* A file that is being written; `waiting` collects lines for large writes. */
struct lines {
	struct cs_save save;
	struct cs_writer waiting;
};

static struct cs_error *flush(struct lines *lines)
{
	const size_t n = lines->waiting.size;
	lines->waiting.size = 0;
	return lines->waiting.failed ? cs_error_nomem()
				     : cs_save_write(&lines->save, lines->waiting.bytes, n);
}

static int plan_file_take(const char *bytes, size_t n, void *context)
{
	cs_writer_bytes(context, bytes, n);
	return ((struct cs_writer *)context)->failed ? -1 : 0;
}

/* Writes an object as a line and takes ownership of it. NULL means that memory ran out. */
static struct cs_error *write_line(struct lines *lines, json_t *object)
{
	enum { PIECE = 1 << 20 };
	bool good = object && json_dump_callback(object, plan_file_take, &lines->waiting,
				      JSON_COMPACT | JSON_PRESERVE_ORDER) == 0;
	json_decref(object);
	cs_writer_u8(&lines->waiting, '\n');
	if (!good || lines->waiting.failed)
		return cs_error_nomem();
	return lines->waiting.size < PIECE ? NULL : flush(lines);
}

static json_t *json_key(struct cs_farm_key key)
{
	char text[CS_FARM_KEY_TEXT];
	cs_farm_key_format(key, text);
	return json_string(text);
}

static json_t *json_word(
	const struct cs_farm_plan *plan, const struct farm_step *step, const struct farm_word *word)
{
	if (word->kind == FARM_WORD_TEXT)
		return json_string(farm_text(plan, word->value));
	if (word->kind == FARM_WORD_STEP)
		return json_pack("{s:I}", "of", (json_int_t)word->value);
	uint32_t at = 0;
	while (plan->reads.at[step->first_read + at] != word->value)
		at++;
	return json_pack("{s:I}", "in", (json_int_t)at);
}

static json_t *json_words(const struct cs_farm_plan *plan, const struct farm_step *step)
{
	json_t *words = json_array();
	for (uint32_t i = 0; i < step->n_words && words; i++) {
		json_t *word = json_word(plan, step, &plan->words.at[step->first_word + i]);
		if (json_array_append_new(words, word) != 0) {
			json_decref(words);
			return NULL;
		}
	}
	return words;
}

static json_t *json_reads(const struct cs_farm_plan *plan, const struct farm_step *step)
{
	json_t *reads = json_array();
	for (uint32_t i = 0; i < step->n_reads && reads; i++) {
		const struct farm_input *input =
			&plan->inputs.at[plan->reads.at[step->first_read + i]];
		json_t *read = json_pack("{s:s, s:b, s:I, s:o}", "path",
			farm_text(plan, input->path), "tree", input->is_tree, "bytes",
			(json_int_t)input->bytes, "content", json_key(input->content));
		if (json_array_append_new(reads, read) != 0) {
			json_decref(reads);
			return NULL;
		}
	}
	return reads;
}

static json_t *json_step(const struct cs_farm_plan *plan, size_t index)
{
	const struct farm_step *step = &plan->steps.at[index];
	return json_pack("{s:I, s:s, s:s, s:o, s:o, s:f, s:o}", "id", (json_int_t)index, "verb",
		farm_verbs[step->verb].name, "name", farm_text(plan, step->name), "words",
		json_words(plan, step), "reads", json_reads(plan, step), "seconds", step->seconds,
		"key", json_key(step->key));
}

/* Checks that all texts of the plan are UTF-8, because JSON can contain no others. */
static struct cs_error *plan_file_check_texts(const struct cs_farm_plan *plan)
{
	size_t n;
	for (size_t at = 0; at < plan->texts.size; at += n + 1) {
		const char *text = plan->texts.blob + at;
		n = strlen(text);
		if (!cs_utf8_valid(text, n))
			return cs_error_at(CS_E_FARM, text, CS_NO_OFFSET,
				"the name of the file is not UTF-8, so no plan can contain it: "
				"rename the file");
	}
	return NULL;
}

struct cs_error *cs_farm_plan_write(const struct cs_farm_plan *plan, const char *path)
{
	struct lines lines = {.waiting = {0}};
	struct cs_error *error = plan_file_check_texts(plan);
	if (!error)
		error = cs_save_begin(path, &lines.save);
	if (error)
		return error;
	error = write_line(&lines,
		json_pack("{s:s, s:s, s:o, s:o, s:o, s:I}", "schema", SCHEMA, "root",
			farm_text(plan, plan->root), "code", json_key(plan->code), "importer",
			json_key(plan->importer), "key", json_key(cs_farm_plan_key(plan)), "steps",
			(json_int_t)plan->steps.n));
	for (size_t i = 0; i < plan->steps.n && !error; i++)
		error = write_line(&lines, json_step(plan, i));
	if (!error)
		error = flush(&lines);
	cs_writer_deinit(&lines.waiting);
	return cs_save_end(&lines.save, error);
}

/* ---- reading a plan file ---- */

struct reading {
	struct cs_farm_plan *plan;
	const char *file;
	size_t line;
	uint64_t offset; /* offset of the current line in the file */
	/* for a part of a plan, the numbers of its steps, ascending (NULL: all steps) */
	const uint32_t *ids;
	size_t n_ids;
};

/* Returns the index that a step of the file has in the part that is read, or CS_NONE if absent. */
static uint32_t local_of(const struct reading *reading, json_int_t id)
{
	if (!reading->ids)
		return id >= 0 && id < (json_int_t)CS_NONE ? (uint32_t)id : CS_NONE;
	for (size_t i = 0; i < reading->n_ids; i++)
		if (reading->ids[i] == id)
			return (uint32_t)i;
	return CS_NONE;
}

static struct cs_error *plan_file_wrong(const struct reading *reading, const char *what)
{
	return cs_error_at(
		CS_E_FARM, reading->file, reading->offset, "line %zu: %s", reading->line, what);
}

static struct cs_error *read_input(struct reading *reading, const json_t *json)
{
	struct cs_farm_plan *plan = reading->plan;
	uint32_t at;
	struct cs_farm_key content;
	const char *path = json_string_value(json_object_get(json, "path"));
	json_int_t bytes = json_integer_value(json_object_get(json, "bytes"));
	if (!farm_is_inside(path) || bytes < 0 ||
		!farm_parse_key(json_string_value(json_object_get(json, "content")), &content))
		return plan_file_wrong(reading,
			!farm_is_inside(path)
				? "an input of the step needs a \"path\" within the root "
				  "folder of the plan"
			: bytes < 0
				? "the \"bytes\" of an input of the step, its size, must be 0 or more"
				: "the \"content\" of an input of the step is not a hash");
	struct cs_error *error =
		farm_add_input(plan, path, json_is_true(json_object_get(json, "tree")), &at);
	if (error)
		return error;
	plan->inputs.at[at].content = content;
	plan->inputs.at[at].bytes = (uint64_t)bytes;
	if (!cs_vec_push(&plan->reads, at))
		return cs_error_nomem();
	plan->steps.at[plan->steps.n - 1].n_reads++;
	return NULL;
}

static struct cs_error *plan_file_read_word(struct reading *reading, const json_t *json)
{
	struct cs_farm_plan *plan = reading->plan;
	struct farm_step *step = &plan->steps.at[plan->steps.n - 1];
	const json_t *in = json_object_get(json, "in"), *of = json_object_get(json, "of");
	json_int_t value = json_integer_value(in ? in : of);
	if (json_is_string(json))
		return farm_add_text_word(plan, json_string_value(json));
	if (json_is_integer(in) && value >= 0 && value < step->n_reads) {
		uint32_t input = plan->reads.at[step->first_read + (uint32_t)value];
		step->n_words++;
		return cs_vec_push(&plan->words, (struct farm_word){FARM_WORD_INPUT, input})
			       ? NULL
			       : cs_error_nomem();
	}
	uint32_t need = json_is_integer(of) ? local_of(reading, value) : CS_NONE;
	if (need < plan->steps.n - 1)
		return farm_add_word(plan, FARM_WORD_STEP, need);
	return plan_file_wrong(reading,
		"an argument in \"words\" of the step must be a text, {\"in\": INPUT} or {\"of\": "
		"EARLIER STEP}");
}

static struct cs_error *read_verb(
	const struct reading *reading, const json_t *json, enum farm_verb *ret)
{
	const char *name = json_string_value(json_object_get(json, "verb"));
	for (int verb = 0; name && verb < FARM_VERBS; verb++) {
		*ret = (enum farm_verb)verb;
		if (strcmp(name, farm_verbs[verb].name) == 0)
			return NULL;
	}
	return plan_file_wrong(reading,
		"the \"verb\" of the step is unknown: another version made the plan, or the plan "
		"was edited");
}

static struct cs_error *plan_file_read_step(struct reading *reading, const json_t *json)
{
	enum farm_verb verb = FARM_BUILD;
	uint32_t step;
	const char *name = json_string_value(json_object_get(json, "name"));
	json_t *reads = json_object_get(json, "reads"), *words = json_object_get(json, "words");
	if (!name || !json_is_array(reads) || !json_is_array(words))
		return plan_file_wrong(reading,
			"the line is not a step: it needs \"name\", \"reads\" and \"words\"");
	if (local_of(reading, json_integer_value(json_object_get(json, "id"))) !=
		reading->plan->steps.n)
		return plan_file_wrong(reading,
			"the \"id\" of the step must be one more than the \"id\" of the step "
			"before");
	struct cs_error *error = read_verb(reading, json, &verb);
	if (!error)
		error = farm_add_step(reading->plan, verb, name, &step);
	for (size_t i = 0; i < json_array_size(reads) && !error; i++)
		error = read_input(reading, json_array_get(reads, i));
	for (size_t i = 0; i < json_array_size(words) && !error; i++)
		error = plan_file_read_word(reading, json_array_get(words, i));
	return error;
}

static struct cs_error *read_head(struct reading *reading, const json_t *json)
{
	struct cs_farm_key code, importer, whole;
	const char *schema = json_string_value(json_object_get(json, "schema"));
	const char *root = json_string_value(json_object_get(json, "root"));
	if (!schema || strcmp(schema, SCHEMA) != 0 || !root ||
		!farm_parse_key(json_string_value(json_object_get(json, "code")), &code) ||
		!farm_parse_key(json_string_value(json_object_get(json, "importer")), &importer) ||
		!farm_parse_key(json_string_value(json_object_get(json, "key")), &whole))
		return plan_file_wrong(reading,
			"the first line is not the header of a plan that this cellscope "
			"reads");
	struct cs_error *error = farm_plan_new(root, &reading->plan);
	if (error)
		return error;
	reading->plan->code = code;
	reading->plan->importer = importer;
	reading->plan->whole = whole;
	return NULL;
}

static struct cs_error *plan_file_read_line(struct reading *reading, const char *text, size_t size)
{
	json_error_t place;
	bool no_memory;
	json_t *json = cs_json_parse(text, size, JSON_REJECT_DUPLICATES, &place, &no_memory);
	if (no_memory)
		return cs_error_nomem();
	if (!json_is_object(json)) {
		json_decref(json);
		return plan_file_wrong(reading, "the line is not a JSON object");
	}
	struct cs_error *error =
		reading->plan ? plan_file_read_step(reading, json) : read_head(reading, json);
	json_decref(json);
	return error;
}

/* Computes the keys of all steps and of the plan, and compares them with those in the file. */
static struct cs_error *plan_file_check_keys(
	struct reading *reading, const char *bytes, size_t size)
{
	struct cs_farm_plan *plan = reading->plan;
	const char *line = bytes, *end = bytes + size;
	farm_make_keys(plan);
	for (size_t i = 0; i < plan->steps.n; i++) {
		char text[CS_FARM_KEY_TEXT];
		line = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
		const char *next = memchr(line, '\n', (size_t)(end - line));
		size_t n = (size_t)((next ? next : end) - line);
		cs_farm_key_format(plan->steps.at[i].key, text);
		reading->line = i + 2;
		reading->offset = (uint64_t)(line - bytes);
		if (!memmem(line, n, text, strlen(text)))
			return plan_file_wrong(reading,
				"the key of the step does not match its content: the plan was edited");
	}
	const struct cs_farm_key whole = cs_farm_plan_key(plan);
	reading->line = 1;
	reading->offset = 0;
	return whole.high == plan->whole.high && whole.low == plan->whole.low
		       ? NULL
		       : plan_file_wrong(reading,
				 "the key of the plan does not match its steps: some steps are "
				 "missing");
}

static struct cs_error *plan_file_read_lines(
	struct reading *reading, const char *bytes, size_t size, const struct cs_job *job)
{
	struct cs_error *error = NULL;
	const char *line = bytes, *end = bytes + size;
	while (line < end && !error) {
		const char *next = memchr(line, '\n', (size_t)(end - line));
		size_t n = (size_t)((next ? next : end) - line);
		reading->line++;
		reading->offset = (uint64_t)(line - bytes);
		error = plan_file_read_line(reading, line, n);
		if (!error && reading->line % 1024 == 0)
			error = cs_job_check(job);
		line = next ? next + 1 : end;
	}
	if (!error && !reading->plan)
		error = plan_file_wrong(reading, "the plan is empty");
	return error ? error : plan_file_check_keys(reading, bytes, size);
}

/* ---- reading one step of a large plan ---- */

/* Binary search for the line of a step by number. Invariant: the line begins in [low, high). */
struct lookup {
	struct cs_source_file source;
	unsigned char *piece;
	uint64_t low, high;
};

enum { PIECE = 1 << 16 };

static const char *const step_begins = "{\"id\":";

/* Reads the step number after the first newline, and its offset in `piece`, or returns false. */
static bool first_line(const unsigned char *piece, size_t n, uint64_t *id_ret, size_t *at_ret)
{
	const unsigned char *end = memchr(piece, '\n', n);
	size_t head = strlen(step_begins), at = end ? (size_t)(end - piece) + 1 : n;
	if (at + head + 20 > n || memcmp(piece + at, step_begins, head) != 0)
		return false;
	*id_ret = strtoull((const char *)piece + at + head, NULL, 10);
	*at_ret = at;
	return true;
}

static struct cs_error *narrow_to_step(struct lookup *lookup, uint64_t id)
{
	while (lookup->high - lookup->low > PIECE) {
		uint64_t middle = lookup->low + (lookup->high - lookup->low) / 2, found;
		uint64_t left = lookup->source.size - middle;
		size_t n = left < PIECE ? (size_t)left : PIECE, at;
		struct cs_error *error = cs_source_read(&lookup->source, middle, lookup->piece, n);
		if (error)
			return error;
		lookup->piece[n] = '\0';
		if (!first_line(lookup->piece, n, &found, &at))
			/* a line is longer than the piece: the caller searches line by line */
			return NULL;
		if (found <= id && middle + at < lookup->high)
			lookup->low = middle + at;
		else
			lookup->high = middle + 1;
	}
	return NULL;
}

/*
 * Returns the line among the n bytes that begins with `begins`, or NULL. Sets *cut_ret to whether
 * the bytes end in the middle of this line, or if there is none, of their last line.
 */
static const char *line_among(
	const char *bytes, size_t n, bool is_end, const char *begins, bool *cut_ret)
{
	size_t n_begins = strlen(begins);
	*cut_ret = false;
	for (const char *line = bytes, *end = bytes + n; line && line < end;) {
		const char *next = memchr(line, '\n', (size_t)(end - line));
		if ((size_t)(end - line) > n_begins && memcmp(line, begins, n_begins) == 0) {
			*cut_ret = !next && !is_end;
			return line;
		}
		*cut_ret = !next && !is_end;
		line = next ? next + 1 : NULL;
	}
	return NULL;
}

/* Gets the line of step `id` in the plan file. The caller frees *ret, which is NULL if absent. */
static struct cs_error *find_line(struct lookup *lookup, uint64_t id, char **ret)
{
	char begins[40];
	bool cut = true;
	snprintf(begins, sizeof(begins), "%s%llu,", step_begins, (unsigned long long)id);
	lookup->low = 0;
	lookup->high = lookup->source.size;
	*ret = NULL;
	struct cs_error *error = narrow_to_step(lookup, id);
	uint64_t left = lookup->source.size - lookup->low;
	for (uint64_t room = lookup->high - lookup->low + PIECE; !error && cut; room *= 8) {
		uint64_t n = room < left ? room : left;
		char *bytes = malloc((size_t)n + 1);
		if (!bytes)
			return cs_error_nomem();
		error = cs_source_read(&lookup->source, lookup->low, bytes, (size_t)n);
		bytes[n] = '\0';
		free(*ret);
		*ret = NULL;
		const char *line =
			error ? NULL : line_among(bytes, (size_t)n, n == left, begins, &cut);
		if (line && !(*ret = strndup(line, strcspn(line, "\n"))))
			error = cs_error_nomem();
		cut = cut && n < left;
		free(bytes);
	}
	return error;
}

struct part {
	CS_VEC(uint32_t) ids;
	CS_VEC(char *) lines; /* line of each step in `ids` */
};

static bool has_id(const struct part *part, json_int_t id)
{
	for (size_t i = 0; i < part->ids.n; i++)
		if (part->ids.at[i] == id)
			return true;
	return false;
}

/* Adds to `waiting` the steps that the step in `line` needs and `part` does not have yet. */
static bool add_needs(const struct part *part, const char *line, struct part *waiting)
{
	json_error_t why;
	bool no_memory;
	json_t *json = cs_json_parse(line, strlen(line), JSON_REJECT_DUPLICATES, &why, &no_memory);
	json_t *words = json_object_get(json, "words");
	bool good = !no_memory;
	for (size_t i = 0; i < json_array_size(words) && good; i++) {
		json_t *of = json_object_get(json_array_get(words, i), "of");
		json_int_t id = json_integer_value(of);
		if (json_is_integer(of) && id >= 0 && id < (json_int_t)CS_NONE &&
			!has_id(part, id) && !has_id(waiting, id))
			good = cs_vec_push(&waiting->ids, (uint32_t)id);
	}
	json_decref(json);
	return good;
}

static void part_deinit(struct part *part)
{
	for (size_t i = 0; i < part->lines.n; i++)
		free(part->lines.at[i]);
	cs_vec_free(&part->lines);
	cs_vec_free(&part->ids);
}

/* Inserts a line so that the steps stay in ascending order. Takes ownership of the line. */
static bool part_insert(struct part *part, uint32_t id, char *line)
{
	if (!cs_vec_push(&part->lines, line)) {
		free(line);
		return false;
	}
	if (!cs_vec_push(&part->ids, id))
		return false;
	for (size_t i = part->ids.n - 1; i > 0 && part->ids.at[i - 1] > id; i--) {
		part->ids.at[i] = part->ids.at[i - 1];
		part->ids.at[i - 1] = id;
		char *other = part->lines.at[i - 1];
		part->lines.at[i - 1] = part->lines.at[i];
		part->lines.at[i] = other;
	}
	return true;
}

static struct cs_error *gather_steps(
	struct lookup *lookup, size_t index, const struct cs_job *job, struct part *part)
{
	struct part waiting = {{0}, {0}};
	bool good = cs_vec_push(&waiting.ids, (uint32_t)index);
	struct cs_error *error = good ? NULL : cs_error_nomem();
	while (!error && waiting.ids.n > 0) {
		char *line;
		uint32_t id = waiting.ids.at[--waiting.ids.n];
		error = find_line(lookup, id, &line);
		if (!error && !line)
			error = cs_error_at(CS_E_FARM, lookup->source.name, CS_NO_OFFSET,
				"the plan has no step %u; `farm status` lists its steps", id);
		if (!error && !part_insert(part, id, line))
			error = cs_error_nomem();
		if (!error && !add_needs(part, line, &waiting))
			error = cs_error_nomem();
		if (!error)
			error = cs_job_check(job);
	}
	part_deinit(&waiting);
	return error;
}

static struct cs_error *read_part(
	struct lookup *lookup, const struct part *part, struct reading *reading)
{
	size_t n = lookup->source.size < PIECE ? (size_t)lookup->source.size : PIECE;
	struct cs_error *error = cs_source_read(&lookup->source, 0, lookup->piece, n);
	const unsigned char *end = error ? NULL : memchr(lookup->piece, '\n', n);
	if (!error)
		error = end ? plan_file_read_line(reading, (const char *)lookup->piece,
				      (size_t)(end - lookup->piece))
			    : plan_file_wrong(
				      reading, "the file does not begin with the header of a plan");
	for (size_t i = 0; i < part->lines.n && !error; i++) {
		error = plan_file_read_line(reading, part->lines.at[i], strlen(part->lines.at[i]));
		if (!error && !cs_vec_push(&reading->plan->ids, part->ids.at[i]))
			error = cs_error_nomem();
	}
	if (error)
		return error;
	farm_make_keys(reading->plan);
	for (size_t i = 0; i < part->lines.n; i++) {
		char text[CS_FARM_KEY_TEXT];
		cs_farm_key_format(reading->plan->steps.at[i].key, text);
		if (!strstr(part->lines.at[i], text))
			return plan_file_wrong(reading,
				"the key of a step does not match its content: the plan was edited");
	}
	return NULL;
}

static struct cs_error *read_whole_plan(
	const char *path, const struct cs_job *job, struct cs_farm_plan **ret)
{
	unsigned char *bytes;
	size_t size;
	struct reading reading = {.file = path};
	struct cs_error *error = cs_read_whole(path, cs_job_limits(job).file_bytes, &bytes, &size);
	if (error)
		return error;
	error = plan_file_read_lines(&reading, (const char *)bytes, size, job);
	free(bytes);
	if (error)
		cs_farm_plan_free(reading.plan);
	else
		*ret = reading.plan;
	return error;
}

struct cs_error *cs_farm_plan_read(
	const char *path, size_t *step, const struct cs_job *job, struct cs_farm_plan **ret)
{
	if (!step)
		return read_whole_plan(path, job, ret);
	struct lookup lookup = {.piece = malloc(PIECE + 1)};
	struct part part = {{0}, {0}};
	struct reading reading = {.file = path};
	if (!lookup.piece)
		return cs_error_nomem();
	struct cs_error *error =
		cs_source_open(path, cs_job_limits(job).file_bytes, &lookup.source);
	if (error) {
		free(lookup.piece);
		return error;
	}
	error = gather_steps(&lookup, *step, job, &part);
	if (!error) {
		reading.ids = part.ids.at;
		reading.n_ids = part.ids.n;
		error = read_part(&lookup, &part, &reading);
	}
	if (error) {
		cs_farm_plan_free(reading.plan);
	} else {
		*ret = reading.plan;
		*step = local_of(&reading, (json_int_t)*step);
	}
	part_deinit(&part);
	cs_source_close(&lookup.source);
	free(lookup.piece);
	return error;
}

/* ---- writing build.ninja ---- */

/* Writes a text in shell quotes; dollars are doubled for ninja. */
static void put_quoted(struct cs_writer *to, const char *text)
{
	cs_writer_text(to, "'");
	for (; *text; text++) {
		const char one[] = {*text, '\0'};
		cs_writer_text(to, *text == '\'' ? "'\\''" : *text == '$' ? "$$" : one);
	}
	cs_writer_text(to, "'");
}

static void put_result(struct cs_writer *to, const char *cache, struct cs_farm_key key)
{
	char text[CS_FARM_KEY_TEXT];
	cs_farm_key_format(key, text);
	for (; *cache; cache++) {
		if (strchr(" :$", *cache)) /* ninja wants them escaped */
			cs_writer_u8(to, '$');
		cs_writer_u8(to, (uint8_t)*cache);
	}
	cs_writer_print(to, "/objects/%.2s/%s", text, text);
}

static void put_edge(
	struct cs_writer *to, const struct cs_farm_plan *plan, size_t index, const char *cache)
{
	const struct farm_step *step = &plan->steps.at[index];
	cs_writer_text(to, "build ");
	put_result(to, cache, step->key);
	cs_writer_text(to, ": step");
	for (uint32_t i = 0; i < step->n_needs; i++) {
		cs_writer_text(to, " ");
		put_result(to, cache, plan->steps.at[plan->needs.at[step->first_need + i]].key);
	}
	cs_writer_print(to, "\n  id = %zu\n", index);
}

/*
 * Returns whether the step is the first one in `order` with its key. The order is by key, and steps
 * with equal keys share one result.
 */
static bool is_first_of_key(const struct cs_farm_plan *plan, const uint32_t *order, size_t rank)
{
	if (rank == 0)
		return true;
	const struct cs_farm_key *left = &plan->steps.at[order[rank - 1]].key,
				 *right = &plan->steps.at[order[rank]].key;
	return left->high != right->high || left->low != right->low;
}

struct cs_error *cs_farm_plan_ninja(const struct cs_farm_plan *plan, const char *program,
	const char *plan_path, const struct cs_farm_cache *cache, const char *path)
{
	struct lines lines = {.waiting = {0}};
	uint32_t *order = farm_order_by_key(plan);
	if (!order)
		return cs_error_nomem();
	struct cs_writer *to = &lines.waiting;
	struct cs_error *error = cs_save_begin(path, &lines.save);
	if (error) {
		free(order);
		return error;
	}
	/* -j1: each step uses one thread, because ninja runs steps in parallel */
	cs_writer_text(to, "ninja_required_version = 1.3\nrule step\n  command = ");
	put_quoted(to, program);
	cs_writer_text(to, " -j1 farm step ");
	put_quoted(to, plan_path);
	cs_writer_text(to, " $id --cache ");
	put_quoted(to, cache->folder);
	cs_writer_text(to, "\n  description = step $id\n");
	for (size_t i = 0; i < plan->steps.n; i++)
		if (is_first_of_key(plan, order, i))
			put_edge(to, plan, order[i], cache->folder);
	free(order);
	error = flush(&lines);
	cs_writer_deinit(to);
	return cs_save_end(&lines.save, error);
}
