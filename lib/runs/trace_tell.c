/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interprets trace events. A table maps the names of events to functions, which read the fields by
 * their names in public descriptions; an event that lacks a field is ignored. Log messages are made
 * from their format and arguments and parsed like lines of a log, at the time of the event. Loading
 * is reported per package: from NewAsyncPackage to DestroyAsyncPackage, with the name from
 * PackageSummary.
 */
#include "runs/trace.h"

#include "core/cursor.h"
#include "core/text.h"
#include "runs/trace_fields.h"

#include <string.h>

enum { TRACE_ARGUMENTS = 1024 };

enum trace_spec_kind { SPEC_BOOKMARK, SPEC_CATEGORY, SPEC_MESSAGE, SPEC_COUNTER, SPEC_PACKAGE };

/* ---- declarations referred to by number ---- */

static uint64_t trace_spec_hash(uint32_t kind, uint64_t id)
{
	const uint64_t mixed = (id ^ (uint64_t)kind << 56) * UINT64_C(0x9e3779b97f4a7c15);
	return mixed ^ mixed >> 32;
}

static uint64_t trace_spec_row_hash(const void *context, uint32_t row)
{
	const struct cs_trace_spec *spec = &((const struct cs_trace *)context)->specs.at[row];
	return trace_spec_hash(spec->kind, spec->id);
}

static struct cs_trace_spec *trace_spec_of(
	const struct cs_trace *trace, enum trace_spec_kind kind, uint64_t id)
{
	if (!trace->spec_slots.at)
		return NULL;
	const uint32_t row =
		cs_slot_row(cs_slots_find(&trace->spec_slots, trace_spec_hash(kind, id), i,
			trace->specs.at[i].kind == kind && trace->specs.at[i].id == id));
	return row == CS_NONE ? NULL : &trace->specs.at[row];
}

static void trace_put_spec(struct cs_trace *trace, uint32_t row)
{
	const struct cs_trace_spec *spec = &trace->specs.at[row];
	if (!cs_slots_grow(&trace->spec_slots, trace_spec_row_hash, trace)) {
		trace->reader->real->no_memory = true;
		return;
	}
	cs_slots_put(&trace->spec_slots,
		cs_slots_find(
			&trace->spec_slots, trace_spec_hash(spec->kind, spec->id), i, i == row),
		row);
}

/*
 * Removes the declarations of packages that have finished loading, because a long trace has very
 * many. It visits all declarations, so the caller stops once a call has freed only a few bytes.
 */
static void trace_drop_loaded(struct cs_trace *trace)
{
	const struct cs_strings *texts = &trace->reader->real->texts;
	size_t n = 0;
	trace->kept = trace->types.n * sizeof(*trace->types.at) +
		      trace->fields.n * sizeof(*trace->fields.at);
	for (size_t i = 0; i < trace->specs.n; i++) {
		const struct cs_trace_spec spec = trace->specs.at[i];
		if (spec.kind == SPEC_PACKAGE && isnan(spec.begin))
			continue;
		trace->specs.at[n++] = spec;
		trace->kept += sizeof(spec) + strlen(cs_strings_get(texts, spec.text));
	}
	trace->specs.n = n;
	cs_slots_deinit(&trace->spec_slots);
	for (uint32_t i = 0; i < n; i++)
		trace_put_spec(trace, i);
}

bool cs_trace_keeps(struct cs_trace *trace, size_t bytes)
{
	enum { WORTH_DROPPING = TRACE_MOST_KEPT / 16 };
	if (trace->kept + bytes > TRACE_MOST_KEPT && !trace->is_full) {
		trace_drop_loaded(trace);
		trace->is_full = trace->kept > TRACE_MOST_KEPT - WORTH_DROPPING;
	}
	const bool fits = trace->kept + bytes <= TRACE_MOST_KEPT;
	trace->is_full |= !fits;
	trace->kept += fits ? bytes : 0;
	return fits;
}

/* Finds or adds the declaration of a kind and id for n bytes of text. NULL without room for it. */
static struct cs_trace_spec *trace_new_spec(
	struct cs_trace *trace, enum trace_spec_kind kind, uint64_t id, size_t n)
{
	const struct cs_trace_spec fresh = {.kind = (uint8_t)kind, .id = id, .begin = (double)NAN};
	const bool is_known = trace_spec_of(trace, kind, id) != NULL;
	if (!cs_trace_keeps(trace, n + (is_known ? 0 : sizeof(fresh))))
		return NULL;
	if (!trace_spec_of(trace, kind, id)) { /* cs_trace_keeps() may have removed the old spec */
		if (!cs_vec_push(&trace->specs, fresh)) {
			trace->reader->real->no_memory = true;
			return NULL;
		}
		trace_put_spec(trace, (uint32_t)trace->specs.n - 1);
	}
	return trace->reader->real->no_memory ? NULL : trace_spec_of(trace, kind, id);
}

static void trace_spec(struct cs_trace *trace, const struct cs_trace_event *event,
	enum trace_spec_kind kind, const char *id_name, const char *text_name)
{
	char text[TRACE_TEXT];
	uint64_t id, category = 0;
	if (!cs_trace_whole(trace, event, id_name, &id))
		return;
	const struct cs_ue_piece piece = {
		text, cs_trace_text(trace, event, text_name, text, sizeof(text))};
	cs_trace_whole(trace, event, "CategoryPointer", &category);
	struct cs_trace_spec *spec = trace_new_spec(trace, kind, id, piece.n);
	if (!spec)
		return;
	spec->category = category;
	spec->text = cs_real_keep(trace->reader, piece);
}

/* ---- events about the clock ---- */

static void tell_start(struct cs_trace *trace, const struct cs_trace_event *event)
{
	double epoch;
	cs_trace_real(trace, event, "StartCycle", &trace->start);
	cs_trace_real(trace, event, "CycleFrequency", &trace->frequency);
	if (cs_trace_real(trace, event, "StartDateTime", &epoch))
		cs_real_file_row(trace->reader)->epoch = epoch;
}

static bool trace_time(struct cs_trace *trace, const struct cs_trace_event *event)
{
	uint64_t cycle;
	if (!cs_trace_whole(trace, event, "Cycle", &cycle) || !(trace->frequency > 0))
		return false;
	trace->reader->time = ((double)cycle - trace->start) / trace->frequency;
	return true;
}

/* ---- events about frames ---- */

static bool is_game_frame(struct cs_trace *trace, const struct cs_trace_event *event)
{
	uint64_t kind = 0;
	cs_trace_whole(trace, event, "FrameType", &kind);
	return kind == 0 && trace_time(trace, event);
}

static void tell_frame_begin(struct cs_trace *trace, const struct cs_trace_event *event)
{
	if (is_game_frame(trace, event))
		trace->frame_begin = trace->reader->time;
}

static void tell_frame_end(struct cs_trace *trace, const struct cs_trace_event *event)
{
	if (!is_game_frame(trace, event) || isnan(trace->frame_begin))
		return;
	struct cs_real_frame row = {.origin = trace->reader->origin,
		.time = trace->reader->time,
		.ms = (trace->reader->time - trace->frame_begin) * 1e3,
		.position = {(double)NAN, (double)NAN, (double)NAN}};
	for (size_t i = 0; i < CS_RECORDED_COUNT; i++)
		row.values[i] = (double)NAN;
	trace->frame_begin = (double)NAN;
	cs_real_add_frame(trace->reader, &row);
}

/* ---- formatting messages with their arguments ---- */

struct trace_arguments {
	unsigned char bytes[TRACE_ARGUMENTS];
	/*
	 * bytes[0..n) contains the number of arguments (`count`), one type byte for each, and then
	 * their values. `next` is the index of the next argument, `at` the offset of its value.
	 */
	size_t n, count, next, at;
};

static bool trace_argument_number(
	struct trace_arguments *arguments, uint8_t type, char *to, size_t room)
{
	const size_t width = type & 0x3f;
	uint64_t bits = 0;
	if (width == 0 || width > 8 || width > arguments->n - arguments->at)
		return false;
	for (size_t i = width; i-- > 0;)
		bits = bits << 8 | arguments->bytes[arguments->at + i];
	arguments->at += width;
	if (type >> 6 == 2)
		cs_format_c(to, room, "%.6f",
			width == 4 ? (double)cs_float_of_bits((uint32_t)bits)
				   : cs_double_of_bits(bits));
	else
		cs_format_c(to, room, "%lld",
			(long long)((int64_t)(bits << (64 - 8 * width)) >> (64 - 8 * width)));
	return true;
}

static bool trace_argument_text(
	struct trace_arguments *arguments, uint8_t type, char *to, size_t room)
{
	const size_t width = type & 0x3f;
	const unsigned char *text = arguments->bytes + arguments->at;
	if (width == 0 || width > 2)
		return false;
	const size_t most = (arguments->n - arguments->at) / width;
	size_t n = 0;
	while (n < most && (text[n * width] || text[n * width + width - 1]))
		n++;
	arguments->at += (n + (n < most)) * width;
	if (width == 2)
		cs_trace_narrow(text, n, to, room);
	else
		cs_format_c(to, room, "%.*s", (int)n, (const char *)text);
	return true;
}

/* Formats the next argument of a message as text, which is "" after the last argument. */
static void trace_next_argument(struct trace_arguments *arguments, char *to, size_t room)
{
	to[0] = '\0';
	if (arguments->next >= arguments->count)
		return;
	const uint8_t type = arguments->bytes[1 + arguments->next++];
	if (!(type >> 6 == 3 ? trace_argument_text : trace_argument_number)(
		    arguments, type, to, room))
		arguments->count = 0;
}

/* Returns the length of a printf conversion such as "%5.2f", including its final letter. */
static size_t trace_conversion(const char *at)
{
	size_t n = 1;
	while (at[n] && strchr("-+ #0123456789.*hlLqjzt", at[n]))
		n++;
	return at[n] ? n + 1 : n;
}

static size_t trace_format(
	const char *format, struct trace_arguments *arguments, char to[TRACE_TEXT])
{
	size_t n = 0;
	for (const char *at = format; *at && n + 1 < TRACE_TEXT;) {
		if (*at != '%' || at[1] == '%') {
			at += *at == '%';
			to[n++] = *at++;
			continue;
		}
		const char *end = at + trace_conversion(at);
		for (; at < end; at++)
			if (*at == '*') /* a width or precision is an argument of its own */
				trace_next_argument(arguments, to + n, TRACE_TEXT - n);
		trace_next_argument(arguments, to + n, TRACE_TEXT - n);
		n += strlen(to + n);
	}
	to[n] = '\0';
	return n;
}

static struct cs_ue_piece trace_formatted(struct cs_trace *trace,
	const struct cs_trace_event *event, const struct cs_trace_spec *spec, char to[TRACE_TEXT])
{
	struct trace_arguments arguments;
	arguments.n = cs_trace_bytes(
		trace, event, "FormatArgs", arguments.bytes, sizeof(arguments.bytes));
	arguments.count = arguments.n ? arguments.bytes[0] : 0;
	arguments.next = 0;
	arguments.at = 1 + arguments.count;
	if (arguments.at > arguments.n)
		arguments.count = 0;
	const char *format = cs_strings_get(&trace->reader->real->texts, spec->text);
	return (struct cs_ue_piece){to, trace_format(format, &arguments, to)};
}

/* ---- events about bookmarks, messages and counters ---- */

static void tell_bookmark(struct cs_trace *trace, const struct cs_trace_event *event)
{
	char text[TRACE_TEXT];
	uint64_t id;
	if (!cs_trace_whole(trace, event, "BookmarkPoint", &id) || !trace_time(trace, event))
		return;
	const struct cs_trace_spec *spec = trace_spec_of(trace, SPEC_BOOKMARK, id);
	if (spec)
		cs_real_tell(trace->reader, "bookmark", trace_formatted(trace, event, spec, text),
			(double)NAN);
}

static void trace_region(
	struct cs_trace *trace, const struct cs_trace_event *event, const char *kind)
{
	char text[TRACE_TEXT];
	if (!trace_time(trace, event))
		return;
	const struct cs_ue_piece name = {
		text, cs_trace_text(trace, event, "RegionName", text, sizeof(text))};
	cs_real_tell(trace->reader, kind, name, (double)NAN);
}

static void tell_region_begin(struct cs_trace *trace, const struct cs_trace_event *event)
{
	trace_region(trace, event, "region begin");
}

static void tell_region_end(struct cs_trace *trace, const struct cs_trace_event *event)
{
	trace_region(trace, event, "region end");
}

/* Makes the log line "LogWorld: text" from a message event, and parses it with the log reader. */
static void tell_message(struct cs_trace *trace, const struct cs_trace_event *event)
{
	char text[TRACE_TEXT], line[TRACE_TEXT + 128];
	uint64_t id;
	if (!cs_trace_whole(trace, event, "LogPoint", &id) || !trace_time(trace, event))
		return;
	const struct cs_trace_spec *spec = trace_spec_of(trace, SPEC_MESSAGE, id);
	if (!spec)
		return;
	const struct cs_trace_spec *category = trace_spec_of(trace, SPEC_CATEGORY, spec->category);
	trace_formatted(trace, event, spec, text);
	cs_format_c(line, sizeof(line), "%.100s: %s",
		category ? cs_strings_get(&trace->reader->real->texts, category->text) : "", text);
	cs_real_log_words(trace->reader, (struct cs_ue_piece){line, strlen(line)});
}

static void tell_counter(struct cs_trace *trace, const struct cs_trace_event *event)
{
	uint64_t id;
	double value;
	if ((!cs_trace_whole(trace, event, "CounterId", &id) &&
		    !cs_trace_whole(trace, event, "Id", &id)) ||
		!cs_trace_real(trace, event, "Value", &value) || !trace_time(trace, event))
		return;
	const struct cs_trace_spec *spec = trace_spec_of(trace, SPEC_COUNTER, id);
	char name[TRACE_TEXT];
	cs_format_c(name, sizeof(name), "%s",
		spec ? cs_strings_get(&trace->reader->real->texts, spec->text) : "");
	cs_real_tell(trace->reader, "counter", (struct cs_ue_piece){name, strlen(name)}, value);
}

/* ---- events about loading packages ---- */

static void tell_package_begin(struct cs_trace *trace, const struct cs_trace_event *event)
{
	uint64_t id;
	if (!cs_trace_whole(trace, event, "AsyncPackage", &id) || !trace_time(trace, event))
		return;
	struct cs_trace_spec *spec = trace_new_spec(trace, SPEC_PACKAGE, id, 0);
	if (spec) {
		spec->begin = trace->reader->time;
		spec->text = 0;
	}
}

static void tell_package_end(struct cs_trace *trace, const struct cs_trace_event *event)
{
	uint64_t id;
	if (!cs_trace_whole(trace, event, "AsyncPackage", &id) || !trace_time(trace, event))
		return;
	struct cs_trace_spec *spec = trace_spec_of(trace, SPEC_PACKAGE, id);
	if (!spec || !spec->text || isnan(spec->begin))
		return;
	struct cs_real_level row = cs_real_level_row(trace->reader);
	char name[TRACE_TEXT];
	cs_format_c(
		name, sizeof(name), "%s", cs_strings_get(&trace->reader->real->texts, spec->text));
	row.level = spec->text;
	row.cell = cs_real_keep(
		trace->reader, cs_real_cell_name((struct cs_ue_piece){name, strlen(name)}));
	row.load = trace->reader->time - spec->begin;
	spec->begin = (double)NAN;
	CS_REAL_ADD(trace->reader, levels, row);
}

/* ---- table of the events that are read ---- */

static const struct {
	const char *logger, *name;
	/*
	 * NULL: the event is a declaration that later events cite; the next two texts are names of
	 * its fields
	 */
	void (*tell)(struct cs_trace *trace, const struct cs_trace_event *event);
	enum trace_spec_kind spec;
	const char *id, *text;
} trace_events[] = {
	{"$Trace", "NewTrace", tell_start},
	{"Misc", "BeginFrame", tell_frame_begin},
	{"Misc", "EndFrame", tell_frame_end},
	{"Misc", "BookmarkSpec", NULL, SPEC_BOOKMARK, "BookmarkPoint", "FormatString"},
	{"Misc", "Bookmark", tell_bookmark},
	{"Misc", "RegionBegin", tell_region_begin},
	{"Misc", "RegionBeginWithId", tell_region_begin},
	{"Misc", "RegionEnd", tell_region_end},
	{"Misc", "RegionEndWithId", tell_region_end},
	{"Logging", "LogCategory", NULL, SPEC_CATEGORY, "CategoryPointer", "Name"},
	{"Logging", "LogMessageSpec", NULL, SPEC_MESSAGE, "LogPoint", "FormatString"},
	{"Logging", "LogMessage", tell_message},
	/* some traces give the id another name, so both names are tried */
	{"Counters", "Spec", NULL, SPEC_COUNTER, "Id", "Name"},
	{"Counters", "Spec", NULL, SPEC_COUNTER, "CounterId", "Name"},
	{"Counters", "SetValueInt", tell_counter},
	{"Counters", "SetValueFloat", tell_counter},
	{"LoadTime", "NewAsyncPackage", tell_package_begin},
	{"LoadTime", "PackageSummary", NULL, SPEC_PACKAGE, "AsyncPackage", "Name"},
	{"LoadTime", "DestroyAsyncPackage", tell_package_end},
};

void cs_trace_tell(struct cs_trace *trace, const struct cs_trace_event *event)
{
	for (size_t i = 0; i < CS_COUNT_OF(trace_events); i++) {
		if (strcmp(event->type->name, trace_events[i].name) != 0 ||
			strcmp(event->type->logger, trace_events[i].logger) != 0)
			continue;
		if (trace_events[i].tell)
			trace_events[i].tell(trace, event);
		else
			trace_spec(trace, event, trace_events[i].spec, trace_events[i].id,
				trace_events[i].text);
	}
}

static bool trace_has_fired(const struct cs_trace *trace, const char *logger)
{
	for (size_t i = 0; i < trace->types.n; i++)
		if (trace->types.at[i].fired && strcmp(trace->types.at[i].logger, logger) == 0)
			return true;
	return false;
}

void cs_trace_note(struct cs_trace *trace)
{
	static const char *const loggers[] = {"Misc", "Logging", "Counters", "LoadTime"};
	char note[256] = "";
	for (size_t i = 0; i < CS_COUNT_OF(loggers); i++) {
		const size_t n = strlen(note);
		if (!trace_has_fired(trace, loggers[i]))
			cs_format_c(note + n, sizeof(note) - n, "%s%s",
				n ? ", " : "never fired: ", loggers[i]);
	}
	const size_t n = strlen(note);
	if (trace_has_fired(trace, "WorldStreaming"))
		cs_format_c(note + n, sizeof(note) - n,
			"%sWorldStreaming: its fields are not documented, not read", n ? "; " : "");
	const size_t end = strlen(note);
	if (trace->is_full)
		cs_format_c(note + end, sizeof(note) - end,
			"%stypes and names beyond %d MiB are not read", end ? "; " : "",
			TRACE_MOST_KEPT >> 20);
	cs_real_file_row(trace->reader)->note = cs_real_keep_z(trace->reader, note);
}
