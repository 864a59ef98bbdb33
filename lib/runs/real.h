/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of rows read from recordings of real runs of the game, and functions that the readers of
 * the file formats share. A reader gets a file in pieces, as a whole or while it grows, and adds
 * rows without interpreting them. An incomplete line or packet is kept until the next piece.
 *
 * Invariant: a text in a row is an offset into `texts`, 0 = not in the file; a number that is not
 * in the file is NAN, an integer -1. The rows of a file are adjacent, in the order of the file.
 */
#pragma once

#include <cellscope/compare.h>
#include <cellscope/query.h>
#include <cellscope/runs.h>

#include "core/strings.h"
#include "core/vec.h"
#include "ue/log/log_line.h"

#include <math.h>

/*
 * Where a row was read: line from 1, 0 = unknown; offset of the byte after the line, -1 = unknown.
 */
struct cs_real_origin {
	uint32_t file; /* index into cs_real.files */
	uint32_t line;
	int64_t offset;
};

struct cs_real_frame {
	struct cs_real_origin origin;
	double time, ms; /* time at the end of the frame in seconds; length of the frame in ms */
	struct cs_vec3 position;
	struct cs_rotator rotation;
	double values[CS_RECORDED_COUNT];
	uint32_t events;
};

/* State of a streaming level in the real run, as the engine names it. */
enum cs_real_state {
	CS_REAL_UNKNOWN,
	CS_REAL_UNLOADED,
	CS_REAL_LOADING,
	CS_REAL_LOADED,
	CS_REAL_SHOWING,
	CS_REAL_VISIBLE,
	CS_REAL_HIDING,
	CS_REAL_FAILED,
};

struct cs_real_cell {
	struct cs_real_origin origin;
	double time;
	int64_t frame;
	uint32_t cell, level, from, to, target; /* offsets into cs_real.texts */
	/* enum cs_real_state: the state that the text `to` names */
	uint32_t state;
};

/* Times of a streaming level in seconds, summed over the run by the engine; kb: size in memory. */
struct cs_real_level {
	struct cs_real_origin origin;
	uint32_t cell, level, state;
	double time, queue, load, show_queue, show, shown, hide_queue, hide, distance, kb;
};

struct cs_real_source {
	struct cs_real_origin origin;
	uint32_t name, flags;
	double time, speed;
	int64_t priority;
	struct cs_vec3 position;
};

struct cs_real_event {
	struct cs_real_origin origin;
	double time, value;
	int64_t frame;
	uint32_t kind, text;
};

/* A line of the console command `obj list`: a class, or one object of a class. */
struct cs_real_object {
	struct cs_real_origin origin;
	/* text offsets in cs_real.texts; `object` is 0 for a line about all objects of the class */
	uint32_t class, object, list;
	int64_t count;
	double time, kb, resource_kb;
};

struct cs_real_file {
	/* offsets into cs_real.texts; `zero` names the moment that is second 0 */
	uint32_t name, kind, zero, missing, note;
	int64_t lines, unread; /* `unread`: number of bytes that gave no rows */
	int64_t forgotten;     /* rows that were added and later removed */
	int64_t frames, cells, levels, sources, events, objects;
	/* length in seconds; UTC time of second 0, in seconds since 1970, or NAN */
	double seconds, epoch;
};

/* A visit (loaded period of a cell) in both runs. Differences are real minus simulated, in ms. */
struct cs_real_pair {
	uint32_t cell, cause, reason, file; /* offsets into cs_real.texts */
	int64_t visit, line;
	/* `real`, `simulated`: when the cell became visible, in s. Others: differences in ms */
	double late, ask, load, wait, show, real, simulated;
	/* the cell became visible in the simulation, but not in the recorded run */
	bool never;
};

/* A frame of the latest comparison of a real run with its simulation. */
struct cs_real_moment {
	int64_t frame; /* number of the frame, from 1 */
	double time, ms;
	int64_t real, simulated; /* number of visible cells in the real and the simulated run */
};

struct cs_real_fit {
	const char *variable;
	double before, after, low, high, goodness;
	int64_t held_out;
	bool fits;
};

struct cs_real {
	struct cs_strings texts;
	CS_VEC(struct cs_real_file) files;
	CS_VEC(struct cs_real_frame) frames;
	CS_VEC(struct cs_real_cell) cells;
	CS_VEC(struct cs_real_level) levels;
	CS_VEC(struct cs_real_source) sources;
	CS_VEC(struct cs_real_event) events;
	CS_VEC(struct cs_real_object) objects;
	/*
	 * result of the latest comparison: a row for each visit (period in which a cell is loaded)
	 */
	CS_VEC(struct cs_real_pair) pairs;
	/* result of the last comparison: one row for each frame */
	CS_VEC(struct cs_real_moment) moments;
	/* result of the last fit: one row for each variable */
	CS_VEC(struct cs_real_fit) fits;
	bool no_memory;
};

/* LONGEST_LINE: bytes; longer lines are skipped. CHECKED: lines between tests for interruption. */
enum { CS_REAL_LONGEST_LINE = 4 << 20, CS_REAL_CHECKED = 4096 };

/* Number of rows in each table of struct cs_real. */
struct cs_real_marks {
	size_t files, frames, cells, levels, sources, events, objects;
};

/* State of reading one file. */
struct cs_real_reader {
	struct cs_real *real;
	const struct cs_job *job;
	const char *name;                /* name of the file in messages */
	const struct cs_real_form *form; /* format of the file; NULL = not recognised yet */
	void *state;                     /* state of the format reader, of form->state_size bytes */
	struct cs_real_marks begin;      /* number of rows before the first row of this file */
	/* bytes at the end of what was read that are not yet a complete line */
	CS_VEC(char) rest;
	size_t skipped;               /* number of bytes of an oversized line that were skipped */
	struct cs_real_origin origin; /* position of the current line */
	double time;                  /* time of the current line in seconds, or NAN */
	int64_t frame;                /* frame of the current line, or -1 */
	size_t length;                /* bytes of the current line including its line end */
	bool cut;                     /* the current line is the last one and has no line end */
	int64_t unread;               /* number of bytes that gave no rows */
	/* number of bytes that the format reader keeps until more arrive */
	uint64_t waiting;
	bool known;  /* the file contains something that occurs only in this format */
	bool failed; /* an error was reported: further bytes are ignored */
	/* the CSV profile ends with other column names, so it must be read again with them */
	bool again;
	bool ended; /* the row that marks the end of the file was read */
};

/* A file format and its reader, which gets pieces of the file if `bytes` is set, else lines. */
struct cs_real_form {
	/* values of columns of the table run_files: `kind`, and `zero`, from when seconds count */
	const char *kind, *zero;
	size_t state_size; /* size of reader->state, which is zeroed before `begin` */
	/* `line` also gets a last line without line end, as its text shows if it is whole */
	bool proves_end;
	struct cs_error *(*begin)(struct cs_real_reader *reader); /* called first; may be NULL */
	struct cs_error *(*line)(struct cs_real_reader *reader, struct cs_ue_piece line);
	/*
	 * Reads the next piece of the file. `last`: no other piece follows. *taken_ret is the
	 * number of bytes consumed. The caller passes the others again with the next piece.
	 */
	struct cs_error *(*bytes)(struct cs_real_reader *reader, const char *bytes, size_t n,
		bool last, size_t *taken_ret);
	/* called before the file is read a second time */
	struct cs_error *(*again)(struct cs_real_reader *reader);
	struct cs_error *(*end)(struct cs_real_reader *reader); /* called last; may be NULL */
	/* frees what the state owns; may be NULL */
	void (*free)(struct cs_real_reader *reader);
	/* calls `each` for every text offset in the state, to update it if texts move (or NULL) */
	void (*texts)(struct cs_real_reader *reader, void (*each)(void *context, uint32_t *text),
		void *context);
};

/* Stores a text and returns its offset. When memory runs out, sets real.no_memory and returns 0. */
uint32_t cs_real_keep(struct cs_real_reader *reader, struct cs_ue_piece piece);
uint32_t cs_real_keep_z(struct cs_real_reader *reader, const char *text);
/* Returns NAME, the cell of the level "/Game/Map/_Generated_/UEDPIE_0_NAME_LevelInstance_3:-1". */
struct cs_ue_piece cs_real_cell_name(struct cs_ue_piece level);
/* Returns the name of a state; NULL for an unknown state. */
const char *cs_real_state_name(enum cs_real_state state);
/* Adds an event with the time and frame of the reader's current line. */
void cs_real_tell(
	struct cs_real_reader *reader, const char *kind, struct cs_ue_piece text, double value);
/* Return rows in which every value is unknown; the caller sets the known ones. */
struct cs_real_level cs_real_level_row(const struct cs_real_reader *reader);
struct cs_real_source cs_real_source_row(const struct cs_real_reader *reader);
/* Adds a row to the table `rows` of the run, and counts it in its file. */
#define CS_REAL_ADD(reader, rows, row) \
	cs_real_added(                 \
		reader, &cs_real_file_row(reader)->rows, cs_vec_push(&(reader)->real->rows, row))
void cs_real_added(struct cs_real_reader *reader, int64_t *count, bool pushed);
void cs_real_add_frame(struct cs_real_reader *reader, const struct cs_real_frame *row);
/* Adds a change of a cell's state with the time and frame of the reader's current line. */
void cs_real_add_cell(struct cs_real_reader *reader, struct cs_ue_piece level,
	struct cs_ue_piece from, struct cs_ue_piece to, struct cs_ue_piece target);

/* Parses what follows the time stamp and the frame number in a line of a log, and adds the rows. */
void cs_real_log_words(struct cs_real_reader *reader, struct cs_ue_piece line);
/* Returns the row in cs_real.files of the file that is being read. */
struct cs_real_file *cs_real_file_row(struct cs_real_reader *reader);

/* Readers of the file formats. A reader may append to the text `note` in the row of its file. */
extern const struct cs_real_form cs_real_log_form, cs_real_tsv_form, cs_real_jsonl_form,
	cs_real_profile_form, cs_real_trace_form;
bool cs_real_is_tsv(struct cs_ue_piece first_line);
/* Returns whether a line is an object of JSON in which Docker stores a line of a log. */
bool cs_real_is_wrapped(struct cs_ue_piece line);
bool cs_real_is_trace(const char *bytes, size_t size);

/* ---- real_reader.c, real_rows.c: reading a file from beginning to end ---- */

/* Begins to read a file: adds its row to cs_real.files. `name` must outlive the reader. */
struct cs_error *cs_real_reader_begin(struct cs_real *real, const char *name,
	const struct cs_job *job, struct cs_real_reader *ret) CS_MUST_USE;
/* Reads the next bytes. `last`: no more follow, so an incomplete line is read as it is. */
struct cs_error *cs_real_feed(
	struct cs_real_reader *reader, const char *bytes, size_t n, bool last) CS_MUST_USE;
struct cs_real_marks cs_real_mark(const struct cs_real *real);
/* Passes each line of a piece of a file to form->line; parameters as for form->bytes. */
struct cs_error *cs_real_lines(struct cs_real_reader *reader, const char *text, size_t n, bool last,
	size_t *taken_ret) CS_MUST_USE;
/* Skips the last line of a file, which is cut off, and counts the bytes of it as not read. */
void cs_real_leave_line(struct cs_real_reader *reader);
/* Removes the rows that were read from the file, so that it can be read again from its start. */
struct cs_error *cs_real_begin_again(struct cs_real_reader *reader) CS_MUST_USE;
/* Sets `missing` and `unread` of the file's row: absent kinds of rows, bytes that gave no row. */
void cs_real_reader_tell(struct cs_real_reader *reader);
void cs_real_reader_free(struct cs_real_reader *reader);
/* Removes all rows that the reader has added. */
void cs_real_take_back(struct cs_real_reader *reader);
/*
 * Drops old rows of a file that never ends: in each table whose rows of this reader take more than
 * 1.25 * 64 * `keep` bytes, the oldest are removed until 64 * `keep` bytes remain. Removes unused
 * texts when texts take much memory.
 */
struct cs_error *cs_real_forget(struct cs_real_reader *reader, size_t keep) CS_MUST_USE;
