/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads logs, and memreports, which contain the same dumps of levels and sources. A line of a log:
 *
 *	[2026.11.23-20.15.30:123][ 42]LogLevelStreaming: Verbose: Level /Game/Map:-1 CurrentState
 *		MakingVisible -> LoadedVisible (TargetState=LoadedVisible)
 *
 * Time stamp and frame, in brackets, may be absent, and other programs may have put text before
 * them. Second 0 is the first time stamp, except in two cases where it is the start of the game: in
 * a memreport, which states "Time Since Boot", and when time stamps are seconds, "[0012.34]", as
 * the engine writes them for LogTimes=SinceStart. The frame number is stated modulo 1000: when it
 * decreases, 1000 is added to it and to all later ones, so a gap of over 1000 frames is not
 * noticed. Nothing is added if the time since the line before is too short for so many frames: then
 * a thread that is a few frames behind wrote the line. Unknown lines are skipped, because every
 * game writes its own.
 */
#include "runs/real.h"

#include "core/json.h"
#include "core/text.h"
#include "core/utf8.h"

#include <string.h>
#include <time.h>

/* ---- clock of a log ---- */

struct log_clock {
	double zero;      /* first time stamp in the file, seconds since 1970; NAN = none read */
	bool since_start; /* time stamps count from the start of the game, and zero is 0 */
	size_t column;    /* column of the last clock after other text (cs_ue_log_from_clock) */
	int64_t frames, last;
	/*
	 * Number of lines with which the file of a session begins, and of those with which a
	 * session tells the engine's version. Output that others collected has only the latter.
	 */
	unsigned opened, started;
	bool goes_back; /* the clock goes back by more than LATEST_LINE seconds */
	bool in_levels, by_boot;
	bool in_command; /* whether a command of a memreport began and has not ended */
	enum { LIST_NONE, LIST_CLASSES, LIST_OBJECTS } in_list;
	uint32_t list;      /* options of the current `obj list`: offset into cs_real.texts */
	CS_VEC(char) plain; /* the current line, if escape sequences were removed from it */
};

static const char start_of_game[] = "the start of the game";

static bool log_digits(const char *at, size_t n, int64_t *ret)
{
	int64_t value = 0;
	for (size_t i = 0; i < n; i++) {
		if (at[i] < '0' || at[i] > '9')
			return false;
		value = value * 10 + (at[i] - '0');
	}
	*ret = value;
	return true;
}

/* Parses "[2026.11.23-20.15.30:123]" to seconds since 1970. Returns false for other text. */
static bool log_stamp(struct cs_ue_piece line, double *ret)
{
	static const struct {
		unsigned char at, n;
	} fields[] = {{1, 4}, {6, 2}, {9, 2}, {12, 2}, {15, 2}, {18, 2}, {21, 3}};
	int64_t v[CS_COUNT_OF(fields)];
	if (line.n < 25 || line.at[0] != '[' || line.at[11] != '-' || line.at[24] != ']')
		return false;
	for (size_t i = 0; i < CS_COUNT_OF(fields); i++)
		if (!log_digits(line.at + fields[i].at, fields[i].n, &v[i]))
			return false;
	struct tm utc = {.tm_year = (int)v[0] - 1900,
		.tm_mon = (int)v[1] - 1,
		.tm_mday = (int)v[2],
		.tm_hour = (int)v[3],
		.tm_min = (int)v[4],
		.tm_sec = (int)v[5]};
	*ret = (double)timegm(&utc) + (double)v[6] * 1e-3;
	return v[1] >= 1 && v[1] <= 12;
}

/* Seconds that a line of another thread may be late; a larger step back means another session. */
enum { LATEST_LINE = 1 };

/*
 * If the line begins with a time stamp of the form of the file's first stamp, sets the reader's
 * time from it. Returns the length of the stamp in bytes, or 0 if there is none.
 */
static size_t log_take_time(
	struct cs_real_reader *reader, struct log_clock *clock, struct cs_ue_piece line)
{
	enum { STAMP = 25 };
	double stamp;
	size_t n = STAMP;
	const bool since_start = cs_ue_log_since_start(line, &stamp, &n);
	if (!since_start && !log_stamp(line, &stamp))
		return 0;
	if (!isnan(clock->zero) && since_start != clock->since_start)
		return 0; /* all stamps of a log have one form, so this one is only text */
	if (isnan(clock->zero)) {
		clock->since_start = since_start;
		clock->zero = since_start ? 0 : stamp;
		if (!since_start)
			cs_real_file_row(reader)->epoch = stamp;
		if (!clock->by_boot)
			cs_real_file_row(reader)->zero = cs_real_keep_z(reader,
				since_start ? start_of_game : "the first line with a clock");
	}
	stamp = round((stamp - clock->zero) * 1e3) / 1e3; /* time stamps have whole ms */
	clock->goes_back |= stamp < reader->time - LATEST_LINE;
	reader->time = stamp;
	return n;
}

/*
 * Highest plausible frame rate. Logs state frames modulo 1000: the rate tells whether a lower
 * number is a late line of another thread or one of the next 1000 frames.
 */
enum { MOST_FRAMES_A_SECOND = 1000 };

/* Updates the count of frames from a line's frame number; `seconds`: time since the line before. */
static void log_count_frame(
	struct cs_real_reader *reader, struct log_clock *clock, int64_t frame, double seconds)
{
	const int64_t ahead = (frame - clock->last + 1000) % 1000;
	const bool late = clock->last >= 0 && frame < 1000 && ahead > 500 &&
			  seconds * MOST_FRAMES_A_SECOND < (double)ahead;
	if (late && frame > clock->last && clock->frames >= 1000)
		clock->frames -= 1000;
	else if (clock->last >= 0 && frame < clock->last && !late)
		clock->frames += 1000;
	clock->last = frame;
	reader->frame = clock->frames + frame;
}

/*
 * Reads the time and the frame in brackets at the start of a log line, and returns the rest of the
 * line. A line without them has the time and frame of the previous line.
 */
static struct cs_ue_piece log_without_clock(
	struct cs_real_reader *reader, struct log_clock *clock, struct cs_ue_piece line)
{
	const double before = isnan(reader->time) ? 0 : reader->time;
	const struct cs_ue_piece stamped = cs_ue_log_from_clock(line, &clock->column);
	const size_t n = log_take_time(reader, clock, stamped);
	if (n == 0)
		return line;
	line = cs_ue_piece_from(stamped, n);
	const char *end = line.n && *line.at == '[' ? memchr(line.at, ']', line.n) : NULL;
	if (end) {
		const struct cs_ue_piece number = cs_ue_piece_trim(
			(struct cs_ue_piece){line.at + 1, (size_t)(end - line.at) - 1});
		int64_t frame;
		if (number.n > 0 && number.n <= 6 && log_digits(number.at, number.n, &frame))
			log_count_frame(reader, clock, frame, reader->time - before);
		line = cs_ue_piece_from(line, (size_t)(end - line.at) + 1);
	}
	return line;
}

/* ---- single lines of a log ---- */

/* Gets the trimmed text between two marks (NULL: line end). Returns false if one is missing. */
static bool log_between(
	struct cs_ue_piece line, const char *from, const char *to, struct cs_ue_piece *ret)
{
	const char *at = cs_ue_piece_find(line, from);
	if (!at)
		return false;
	line = cs_ue_piece_from(line, (size_t)(at - line.at) + strlen(from));
	const char *end = to ? cs_ue_piece_find(line, to) : line.at + line.n;
	if (!end)
		return false;
	*ret = cs_ue_piece_trim((struct cs_ue_piece){line.at, (size_t)(end - line.at)});
	return true;
}

static void log_level_state(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	struct cs_ue_piece level, from, to, target = {"", 0};
	if (!log_between(line, "Level ", " CurrentState ", &level) ||
		!log_between(line, " CurrentState ", "->", &from) ||
		!log_between(line, "->", "(TargetState", &to))
		return;
	log_between(line, "TargetState=", ")", &target);
	cs_real_add_cell(reader, level, from, to, target);
}

/* Reads "FlushAsyncLoading(896,895): 43 QueuedPackages, 0 AsyncPackages". */
static void log_flush(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	struct cs_ue_piece rest;
	double packages = (double)NAN;
	if (log_between(line, "): ", NULL, &rest))
		cs_ue_log_number(&rest, &packages);
	cs_real_tell(reader, "flush", line, packages);
}

/* Reads "Process Physical Memory: 1120.75 MB used, 1216.52 MB peak". */
static void log_memory(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	struct cs_ue_piece rest =
		cs_ue_piece_trim(cs_ue_piece_from(line, strlen("Process Physical Memory:")));
	double megabytes;
	if (cs_ue_log_number(&rest, &megabytes))
		cs_real_tell(reader, "memory_mb", line, megabytes);
}

/* Reads "Name: Nanite.StreamingManager.ClusterPageData - Type: Buffer - Size: 2048.0 MB - ...". */
static void log_nanite_pool(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	struct cs_ue_piece size;
	double megabytes;
	if (log_between(line, " - Size: ", " MB", &size) && cs_ue_log_number(&size, &megabytes))
		cs_real_tell(reader, "nanite_pool_mb", line, megabytes);
}

/* Parses "X=1 Y=2 Z=3"; the engine omits zeros. Returns false if all three are missing. */
static bool log_place(struct cs_ue_piece text, struct cs_vec3 *ret)
{
	static const char *const names[] = {"X=", "Y=", "Z="};
	double *const values[] = {&ret->x, &ret->y, &ret->z};
	bool any = false;
	for (size_t i = 0; i < 3; i++) {
		const char *at = cs_ue_piece_find(text, names[i]);
		*values[i] = 0;
		if (!at)
			continue;
		struct cs_ue_piece number =
			cs_ue_piece_from(text, (size_t)(at - text.at) + strlen(names[i]));
		any = cs_ue_log_number(&number, values[i]) || any;
	}
	return any;
}

/* Reads "- NAME: Priority: 128 | Local | Activated | Blocking | Pos: X=735,Y=1109,Z=235 | ...". */
static void log_source(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	struct cs_real_source row = cs_real_source_row(reader);
	struct cs_ue_piece name, text;
	double number;
	if (!log_between(line, "- ", ": Priority: ", &name) ||
		!log_between(line, ": Priority: ", "|", &text) || !cs_ue_log_number(&text, &number))
		return;
	row.name = cs_real_keep(reader, name);
	row.priority = number >= 0 && number <= 255 ? (int64_t)number : -1;
	if (log_between(line, " | ", " | Pos:", &text))
		row.flags = cs_real_keep(reader, text);
	if (log_between(line, "Pos:", "|", &text))
		log_place(text, &row.position);
	if (log_between(line, "Vel:", "m/s", &text) && cs_ue_log_number(&text, &number))
		row.speed = number * 100;
	CS_REAL_ADD(reader, sources, row);
}

/* Reads "Local PlayerController: NAME View Location: X=.. Y=.. Z=.. View Rotation: ...". */
static void log_view(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	struct cs_real_source row = cs_real_source_row(reader);
	struct cs_ue_piece name, place;
	if (!log_between(line, "PlayerController: ", " View Location:", &name) ||
		!log_between(line, "View Location:", "View Rotation", &place) ||
		!log_place(place, &row.position))
		return;
	row.name = cs_real_keep(reader, name);
	row.flags = cs_real_keep_z(reader, "view");
	CS_REAL_ADD(reader, sources, row);
}

/* Reads "Level /Game/MAP.MAP:PersistentLevel 3.12 3.14 ...", a line of `obj list class=Level`. */
static void log_level_object(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	struct cs_real_level row = cs_real_level_row(reader);
	struct cs_ue_piece path, size;
	if (!log_between(line, "Level ", ".", &path) ||
		!log_between(line, ":PersistentLevel ", NULL, &size) ||
		!cs_ue_log_number(&size, &row.kb))
		return;
	row.level = cs_real_keep(reader, path);
	row.cell = cs_real_keep(reader, cs_real_cell_name(path));
	CS_REAL_ADD(reader, levels, row);
}

/* ---- lists in a memreport ---- */

/*
 * Reads a level: "-> /Game/MAP" for the level that the player is in, else blanks and the name; then
 * maybe " - 1.3 sec", two tabs and the state. Returns false for other lines.
 */
static bool log_listed_level(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	struct cs_real_level row = cs_real_level_row(reader);
	bool here = cs_ue_piece_starts(line, "->");
	if (!here && !cs_ue_piece_starts(line, "    "))
		return false;
	line = cs_ue_piece_trim(here ? cs_ue_piece_from(line, 2) : line);
	const char *tab = line.n ? memchr(line.at, '\t', line.n) : NULL;
	struct cs_ue_piece name = line, state = {"", 0}, seconds;
	if (tab) {
		name.n = (size_t)(tab - line.at);
		state = cs_ue_piece_trim(cs_ue_piece_from(line, name.n));
	}
	if (log_between(name, " - ", "sec", &seconds) && cs_ue_log_number(&seconds, &row.load))
		name.n = (size_t)(cs_ue_piece_find(name, " - ") - name.at);
	name = cs_ue_piece_trim(name);
	if (name.n == 0)
		return false;
	row.level = cs_real_keep(reader, name);
	row.cell = cs_real_keep(reader, cs_real_cell_name(name));
	row.state = state.n ? cs_real_keep(reader, state)
			    : cs_real_keep_z(reader, here ? "the player is here" : "");
	CS_REAL_ADD(reader, levels, row);
	return true;
}

/* Removes the next word from a line and returns it; empty at the end of the line. */
static struct cs_ue_piece log_word(struct cs_ue_piece *line)
{
	*line = cs_ue_piece_trim(*line);
	struct cs_ue_piece word = {line->at, 0};
	while (word.n < line->n && word.at[word.n] != ' ' && word.at[word.n] != '\t')
		word.n++;
	*line = cs_ue_piece_from(*line, word.n);
	return word;
}

static bool log_number_word(struct cs_ue_piece *line, double *ret)
{
	struct cs_ue_piece word = log_word(line);
	return cs_ue_log_number(&word, ret) && word.n == 0;
}

/* Reads a row of `obj list`: "CLASS COUNT NumKB ..." or "CLASS PATH NumKB ..."; else false. */
static bool log_listed_object(
	struct cs_real_reader *reader, const struct log_clock *clock, struct cs_ue_piece line)
{
	struct cs_real_object row = {
		.origin = reader->origin, .time = reader->time, .list = clock->list, .count = 1};
	const struct cs_ue_piece class = log_word(&line);
	struct cs_ue_piece second = log_word(&line);
	double count = 1, most;
	if (clock->in_list == LIST_CLASSES && !cs_ue_log_number(&second, &count))
		return false;
	if (!log_number_word(&line, &row.kb) || !log_number_word(&line, &most) ||
		!log_number_word(&line, &row.resource_kb) || !(count >= 0 && count < 1e15))
		return false;
	row.count = (int64_t)count;
	row.class = cs_real_keep(reader, class);
	if (clock->in_list == LIST_OBJECTS)
		row.object = cs_real_keep(reader, second);
	CS_REAL_ADD(reader, objects, row);
	return true;
}

/* Reads a heading of an `obj list`, "Obj List: OPTIONS" or column names, or returns false. */
static bool log_list_head(
	struct cs_real_reader *reader, struct log_clock *clock, struct cs_ue_piece line)
{
	static const char title[] = "Obj List:";
	struct cs_ue_piece names = line;
	if (cs_ue_piece_starts(line, title))
		clock->list = cs_real_keep(
			reader, cs_ue_piece_trim(cs_ue_piece_from(line, strlen(title))));
	const struct cs_ue_piece first = log_word(&names);
	const bool is_class = cs_ue_piece_is(first, "Class");
	if ((!is_class && !cs_ue_piece_is(first, "Object")) || !cs_ue_piece_find(names, "ResExcKB"))
		return false;
	clock->in_list = is_class ? LIST_CLASSES : LIST_OBJECTS;
	return true;
}

/* ---- reading a file ---- */

static const struct {
	const char *mark;
	/* NULL if a line of this kind has no value, so that only the event itself is stored */
	void (*read)(struct cs_real_reader *reader, struct cs_ue_piece line);
	bool begins; /* the line begins with `mark`; otherwise it contains `mark` */
	const char *kind;
} log_lines[] = {
	{" CurrentState ", log_level_state, false},
	{"FlushAsyncLoading(", log_flush, false},
	{"LogWorld: Bringing World ", NULL, true, "map"},
	{"LogLoad: LoadMap: ", NULL, true, "map"},
	{"UWorldPartition::Initialize", NULL, false, "partition"},
	{": Priority: ", log_source, false},
	{"Local PlayerController: ", log_view, true},
	{"Process Physical Memory:", log_memory, true},
	{"Name: Nanite.StreamingManager.ClusterPageData ", log_nanite_pool, true},
	{":PersistentLevel ", log_level_object, false},
};

/* Reads "Time Since Boot: 106.40 Seconds", the only clock of a memreport. */
static void log_boot_time(
	struct cs_real_reader *reader, struct log_clock *clock, struct cs_ue_piece line)
{
	struct cs_ue_piece seconds =
		cs_ue_piece_trim(cs_ue_piece_from(line, strlen("Time Since Boot:")));
	if (!isnan(clock->zero) || !cs_ue_log_number(&seconds, &reader->time))
		return; /* the clocks of the lines have set second 0 already */
	clock->by_boot = reader->known = true;
	cs_real_file_row(reader)->kind = cs_real_keep_z(reader, "memreport");
	cs_real_file_row(reader)->zero = cs_real_keep_z(reader, start_of_game);
}

void cs_real_log_words(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	for (size_t i = 0; i < CS_COUNT_OF(log_lines); i++) {
		const char *at = cs_ue_piece_find(line, log_lines[i].mark);
		if (!at || (at != line.at && log_lines[i].begins))
			continue;
		if (log_lines[i].read)
			log_lines[i].read(reader, line);
		else
			cs_real_tell(reader, log_lines[i].kind, line, (double)NAN);
		return;
	}
}

static void log_read_line(
	struct cs_real_reader *reader, struct log_clock *clock, struct cs_ue_piece line)
{
	if (clock->in_levels) {
		clock->in_levels = log_listed_level(reader, line);
		if (clock->in_levels)
			return;
	}
	if (clock->in_list && !log_listed_object(reader, clock, line))
		clock->in_list = LIST_NONE;
	if (log_list_head(reader, clock, line))
		return;
	if (cs_ue_piece_is(cs_ue_piece_trim(line), "Levels:")) {
		clock->in_levels = true;
		return;
	}
	if (cs_ue_piece_starts(line, "Time Since Boot:")) {
		log_boot_time(reader, clock, line);
		return;
	}
	cs_real_log_words(reader, line);
}

static struct cs_error *log_begin(struct cs_real_reader *reader)
{
	*(struct log_clock *)reader->state = (struct log_clock){.zero = (double)NAN, .last = -1};
	return NULL;
}

bool cs_real_is_wrapped(struct cs_ue_piece line)
{
	return cs_ue_piece_starts(line, "{\"log\":");
}

/*
 * Replaces an object {"log":"LINE\n",...} of Docker by the line of the log that it contains, which
 * is stored in clock->plain. Leaves an object whose end is missing as it is.
 */
static struct cs_error *log_unwrap(struct log_clock *clock, struct cs_ue_piece *line)
{
	json_error_t at;
	bool no_memory = false;
	json_t *root = cs_json_parse(line->at, line->n, 0, &at, &no_memory);
	const json_t *log = json_object_get(root, "log");
	const size_t n = json_string_length(log);
	clock->plain.n = 0;
	if (log && !cs_vec_append(&clock->plain, json_string_value(log), n))
		no_memory = true;
	else if (log)
		*line = (struct cs_ue_piece){
			clock->plain.at, n - (n && clock->plain.at[n - 1] == '\n')};
	clock->plain.n = 0; /* its memory keeps the line, from which colours are removed in place */
	json_decref(root);
	return no_memory ? cs_error_nomem() : NULL;
}

static struct cs_error *run_log_line(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	struct log_clock *clock = reader->state;
	struct cs_error *error = cs_real_is_wrapped(line) ? log_unwrap(clock, &line) : NULL;
	if (error)
		return error;
	if (line.n > 0 && memchr(line.at, '\33', line.n)) {
		if (!cs_vec_reserve(&clock->plain, line.n))
			return cs_error_nomem();
		line.n = cs_ue_log_plain(line, clock->plain.at);
		line.at = clock->plain.at;
	}
	/* a colour that ended between them, or JSON, hid it from the reader of lines */
	while (line.n > 0 && line.at[line.n - 1] == '\r')
		line.n--;
	/* in concatenated logs any line may begin with the byte order mark of UTF-8 */
	line = cs_ue_piece_from(line, cs_utf8_mark(line.at, line.n));
	const struct cs_ue_piece text = log_without_clock(reader, clock, line);
	/* these lines have no clock, so what stands in front of them is not known */
	clock->opened += cs_ue_piece_find(text, "Log file open, ") != NULL;
	clock->started += cs_ue_piece_find(text, "LogInit: Engine Version: ") != NULL;
	reader->known |= text.at != line.at || clock->opened + clock->started > 0 ||
			 cs_ue_piece_starts(text, "MemReport: Begin command");
	clock->in_command =
		(clock->in_command || cs_ue_piece_starts(text, "MemReport: Begin command")) &&
		!cs_ue_piece_starts(text, "MemReport: End command");
	log_read_line(reader, clock, text);
	return NULL;
}

static struct cs_error *log_end(struct cs_real_reader *reader)
{
	const struct log_clock *clock = reader->state;
	const unsigned sessions = clock->opened > clock->started ? clock->opened : clock->started;
	char note[96] = "";
	if (clock->in_command)
		cs_format_c(note, sizeof(note),
			"the end of its last command is missing: the memreport was cut");
	else if (sessions > 1)
		cs_format_c(note, sizeof(note), "%u sessions of the game", sessions);
	else if (clock->goes_back)
		cs_format_c(note, sizeof(note),
			"the clock goes back: lines are in no order, or of several sessions");
	if (*note)
		cs_real_file_row(reader)->note = cs_real_keep_z(reader, note);
	return NULL;
}

static void log_free(struct cs_real_reader *reader)
{
	cs_vec_free(&((struct log_clock *)reader->state)->plain);
}

static void log_texts(
	struct cs_real_reader *reader, void (*each)(void *context, uint32_t *text), void *context)
{
	each(context, &((struct log_clock *)reader->state)->list);
}

const struct cs_real_form cs_real_log_form = {.kind = "log",
	.zero = "",
	.state_size = sizeof(struct log_clock),
	.begin = log_begin,
	.line = run_log_line,
	.end = log_end,
	.free = log_free,
	.texts = log_texts};
