/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a log in JSON lines that a game writes itself: schema cellscope.run/1 (examples/run_log.h).
 * The first line is {"schema": "cellscope.run/1"}; each further line has "t", the time in seconds,
 * and the members of one of these forms:
 *
 *	{"t", "frame", "ms", "pos": [X,Y,Z], "rot": [P,Y,R]}
 *	{"t", "cell", "state", "from", "target"}         engine names of states
 *	{"t", "level", "queue", "load", "show_queue", "show", "hide"}  seconds
 *	{"t", "source", "pos", "priority"}
 *	{"t", "event", "text", "value"}
 *
 * Unknown members are ignored. A line that is not JSON is an error, except a last line without line
 * end, which remains when a game crashes.
 */
#include "runs/real.h"

#include "core/json.h"
#include "core/text.h"

enum { JSONL_LONGEST_FRAME_MS = 1000000 }; /* limit of sim.FrameTime */

static const double jsonl_farthest = 1e12; /* largest coordinate in cm */

static double jsonl_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static struct cs_ue_piece jsonl_piece(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	return json_is_string(value)
		       ? (struct cs_ue_piece){json_string_value(value), json_string_length(value)}
		       : (struct cs_ue_piece){"", 0};
}

static struct cs_vec3 jsonl_place(const json_t *object)
{
	double v[3] = {(double)NAN, (double)NAN, (double)NAN};
	cs_json_triple(json_object_get(object, "pos"), v);
	return (struct cs_vec3){v[0], v[1], v[2]};
}

static void jsonl_frame(struct cs_real_reader *reader, const json_t *object)
{
	double turn[3] = {0};
	struct cs_real_frame row = {.origin = reader->origin,
		.time = reader->time,
		.ms = jsonl_number(object, "ms"),
		.position = jsonl_place(object)};
	for (size_t i = 0; i < CS_RECORDED_COUNT; i++)
		row.values[i] = (double)NAN;
	row.values[CS_RECORDED_FRAME_TIME] = row.ms;
	if (cs_json_triple(json_object_get(object, "rot"), turn))
		row.rotation = (struct cs_rotator){turn[0], turn[1], turn[2]};
	cs_real_add_frame(reader, &row);
}

static void jsonl_cell(struct cs_real_reader *reader, const json_t *object)
{
	cs_real_add_cell(reader, jsonl_piece(object, "cell"), jsonl_piece(object, "from"),
		jsonl_piece(object, "state"), jsonl_piece(object, "target"));
}

static void jsonl_level(struct cs_real_reader *reader, const json_t *object)
{
	struct cs_real_level row = cs_real_level_row(reader);
	const struct cs_ue_piece name = jsonl_piece(object, "level");
	row.level = cs_real_keep(reader, name);
	row.cell = cs_real_keep(reader, cs_real_cell_name(name));
	row.queue = jsonl_number(object, "queue");
	row.load = jsonl_number(object, "load");
	row.show_queue = jsonl_number(object, "show_queue");
	row.show = jsonl_number(object, "show");
	row.hide = jsonl_number(object, "hide");
	CS_REAL_ADD(reader, levels, row);
}

static void jsonl_source(struct cs_real_reader *reader, const json_t *object)
{
	struct cs_real_source row = cs_real_source_row(reader);
	const double priority = jsonl_number(object, "priority");
	row.name = cs_real_keep(reader, jsonl_piece(object, "source"));
	row.position = jsonl_place(object);
	row.priority = priority >= 0 && priority <= 255 ? (int64_t)priority : -1;
	CS_REAL_ADD(reader, sources, row);
}

static void jsonl_event(struct cs_real_reader *reader, const json_t *object)
{
	const struct cs_ue_piece kind = jsonl_piece(object, "event");
	char word[64];
	cs_format_c(word, sizeof(word), "%.*s", (int)(kind.n < 63 ? kind.n : 63), kind.at);
	cs_real_tell(reader, word, jsonl_piece(object, "text"), jsonl_number(object, "value"));
}

static const struct {
	const char *key;
	void (*read)(struct cs_real_reader *reader, const json_t *object);
} jsonl_kinds[] = {{"cell", jsonl_cell}, {"level", jsonl_level}, {"source", jsonl_source},
	{"event", jsonl_event}, {"ms", jsonl_frame}};

static struct cs_error *jsonl_wrong(const struct cs_real_reader *reader, const char *problem)
{
	return cs_error_at(
		CS_E_JSON, reader->name, CS_NO_OFFSET, "line %u %s", reader->origin.line, problem);
}

static struct cs_error *jsonl_row(struct cs_real_reader *reader, const json_t *object)
{
	const double frame = jsonl_number(object, "frame"), time = jsonl_number(object, "t");
	if (isnan(time))
		return jsonl_wrong(reader, "must have a number \"t\", the time in seconds");
	if (fabs(jsonl_number(object, "ms")) > JSONL_LONGEST_FRAME_MS)
		return jsonl_wrong(reader, "has a frame of more than 1,000,000 ms, the limit");
	if (jsonl_number(object, "ms") < 0)
		return jsonl_wrong(reader, "has a frame of less than 0 ms, the least");
	const struct cs_vec3 place = jsonl_place(object);
	if (fabs(place.x) > jsonl_farthest || fabs(place.y) > jsonl_farthest ||
		fabs(place.z) > jsonl_farthest)
		return jsonl_wrong(reader, "has a position more than 1e12 cm from 0");
	reader->time = time;
	reader->frame = frame >= 0 && frame < 9e15 ? (int64_t)frame : reader->frame;
	for (size_t i = 0; i < CS_COUNT_OF(jsonl_kinds); i++)
		if (json_object_get(object, jsonl_kinds[i].key)) {
			jsonl_kinds[i].read(reader, object);
			break;
		}
	return NULL;
}

static struct cs_error *jsonl_first(struct cs_real_reader *reader, const json_t *object)
{
	if (!cs_ue_piece_is(jsonl_piece(object, "schema"), "cellscope.run/1"))
		return jsonl_wrong(reader,
			"is not {\"schema\": \"cellscope.run/1\"}, the first line "
			"of a recorded run");
	cs_real_file_row(reader)->epoch = jsonl_number(object, "epoch");
	reader->known = true;
	return NULL;
}

static struct cs_error *jsonl_line(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	json_error_t problem;
	bool no_memory;
	if (cs_ue_piece_trim(line).n == 0)
		return NULL;
	json_t *object =
		cs_json_parse(line.at, line.n, JSON_REJECT_DUPLICATES, &problem, &no_memory);
	if (no_memory)
		return cs_error_nomem();
	if (!object && reader->cut) {
		cs_real_leave_line(reader);
		return NULL;
	}
	if (!json_is_object(object)) {
		const bool begins = !object && *cs_ue_piece_trim(line).at == '{';
		json_decref(object);
		return cs_error_at(CS_E_JSON, reader->name, CS_NO_OFFSET,
			"line %u is not a JSON object%s%s", reader->origin.line, begins ? ": " : "",
			begins ? problem.text : "");
	}
	struct cs_error *error =
		reader->known ? jsonl_row(reader, object) : jsonl_first(reader, object);
	json_decref(object);
	return error;
}

const struct cs_real_form cs_real_jsonl_form = {.kind = "cellscope.run",
	.zero = "the game's own second 0",
	.proves_end = true,
	.line = jsonl_line};
