/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of real runs, and what their readers share. A reader gets a file piece by piece, as a
 * whole or as it grows, and adds rows; it decides nothing about a run. An incomplete line or packet
 * waits for the next piece.
 *
 * Invariant: a text of a row is an offset into `texts`, 0 = not in the file; a number that is not
 * in the file is NAN, a whole number -1. Rows of a file are adjacent, in the order of the file.
 */
#pragma once

#include <cellscope/query.h>
#include <cellscope/runs.h>

#include "core/strings.h"
#include "core/vec.h"
#include "ue/log/log_line.h"

#include <math.h>

/*
 * Origin of a row: line of a text, from 1, 0 = unknown (as after the last that 32 bits can count),
 * and the offset of the byte after it, -1 = unknown.
 */
struct cs_real_origin {
	uint32_t file; /* row of the table of files */
	uint32_t line;
	int64_t offset;
};

struct cs_real_frame {
	struct cs_real_origin origin;
	double time, ms; /* end of the frame in seconds; its length */
	struct cs_vec3 position;
	struct cs_rotator rotation;
	double values[CS_RECORDED_COUNT];
	uint32_t events;
};

/* State of a real level, by the engine's names. */
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
	uint32_t cell, level, from, to, target; /* offsets of texts */
	uint32_t state;                         /* enum cs_real_state for the text `to` */
};

/* Sums that a file contains about a level, in seconds, except kb. */
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

/* What `obj list` prints about a class, or about one of its objects. */
struct cs_real_object {
	struct cs_real_origin origin;
	uint32_t class, object, list; /* offsets of texts; object: 0 = the whole class */
	int64_t count;
	double time, kb, resource_kb;
};

struct cs_real_file {
	uint32_t name, kind, zero, missing, note; /* offsets of texts; zero: what second 0 means */
	int64_t lines, unread;                    /* unread: bytes that gave no rows, or not yet */
	int64_t forgotten; /* rows that were added and have been removed since */
	int64_t frames, cells, levels, sources, events, objects;
	double seconds, epoch; /* length; UTC seconds of its second 0, or NAN */
};

/*
 * A visit of a cell in both runs. Times are in ms; each part is the real run's time minus the
 * simulated.
 */
struct cs_real_pair {
	uint32_t cell, cause, reason, file; /* offsets of texts */
	int64_t visit, line;
	double late, ask, load, wait, show, real, simulated; /* the last two are in seconds */
	/* never came in the real run, only in the simulation */
	bool never;
};

/* A frame of the last comparison. */
struct cs_real_moment {
	int64_t frame; /* number of the frame, from 1, the first of the walk */
	double time, ms;
	int64_t real, simulated; /* number of visible cells */
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
	CS_VEC(struct cs_real_pair) pairs;     /* rows of the last comparison */
	CS_VEC(struct cs_real_moment) moments; /* rows of the last comparison */
	CS_VEC(struct cs_real_fit) fits;       /* rows of the last fit */
	bool no_memory;
};

/*
 * LONGEST_LINE: bytes; a longer line is skipped. CHECKED: after so many lines cs_job_check() looks
 * for an interruption.
 */
enum { CS_REAL_LONGEST_LINE = 4 << 20, CS_REAL_CHECKED = 4096 };

/* Number of rows of each table. */
struct cs_real_marks {
	size_t files, frames, cells, levels, sources, events, objects;
};

/* State of reading a file. */
struct cs_real_reader {
	struct cs_real *real;
	const struct cs_job *job;
	const char *name;                /* name in messages */
	const struct cs_real_form *form; /* NULL until enough was read to recognise it */
	void *state;                     /* state of the form */
	struct cs_real_marks begin; /* numbers of rows of other files, before those of this file */
	CS_VEC(char) rest;          /* bytes that wait for the end of their line */
	size_t skipped;             /* bytes of an oversized line that were skipped */
	struct cs_real_origin origin; /* origin of the current line */
	double time;                  /* time of the current line, or NAN */
	int64_t frame;                /* frame of the current line, or -1 */
	size_t length;                /* bytes of the current line with its line end */
	bool cut;                     /* the current line is the last and has no line end */
	int64_t unread;               /* number of bytes that were skipped */
	uint64_t waiting;             /* bytes that the form stores until more arrive */
	bool known;  /* the file contains something that only files of this form have */
	bool failed; /* an error was reported: nothing more is read */
	/* a later row of a CSV profile names other columns: the file is read again after its end */
	bool again;
	bool ended; /* the row that ends the file was read */
};

/* A kind of file. Without `bytes` it is read line by line, by `line`; else `line` may be NULL. */
struct cs_real_form {
	/* texts of the columns `kind` and `zero` of run_files; `zero` says what second 0 means */
	const char *kind, *zero;
	size_t state_size; /* size of reader->state, which is zero before `begin` */
	/* `line` is also called for a last line without line end, and rejects a truncated line */
	bool proves_end;
	struct cs_error *(*begin)(struct cs_real_reader *reader); /* NULL: nothing to do */
	struct cs_error *(*line)(struct cs_real_reader *reader, struct cs_ue_piece line);
	/*
	 * Reads a piece of the file; `last`: no other follows. *taken_ret: bytes that need not be
	 * passed again.
	 */
	struct cs_error *(*bytes)(struct cs_real_reader *reader, const char *bytes, size_t n,
		bool last, size_t *taken_ret);
	/* called before the second reading */
	struct cs_error *(*again)(struct cs_real_reader *reader);
	struct cs_error *(*end)(struct cs_real_reader *reader); /* NULL: nothing to do */
	void (*free)(struct cs_real_reader *reader);            /* NULL: nothing to free */
	/* Calls `each` for each text stored in the state; NULL: there are none. */
	void (*texts)(struct cs_real_reader *reader, void (*each)(void *context, uint32_t *text),
		void *context);
};

/* Stores a text for a row; 0 without memory, which real.no_memory records. */
uint32_t cs_real_keep(struct cs_real_reader *reader, struct cs_ue_piece piece);
uint32_t cs_real_keep_z(struct cs_real_reader *reader, const char *text);
/* Returns NAME of "/Game/Map/_Generated_/UEDPIE_0_NAME_LevelInstance_3:-1". */
struct cs_ue_piece cs_real_cell_name(struct cs_ue_piece level);
/* Returns NULL for an unknown state. */
const char *cs_real_state_name(enum cs_real_state state);
/* Adds an event at the reader's current time and frame. */
void cs_real_tell(
	struct cs_real_reader *reader, const char *kind, struct cs_ue_piece text, double value);
/* Return rows in which every value is unknown. */
struct cs_real_level cs_real_level_row(const struct cs_real_reader *reader);
struct cs_real_source cs_real_source_row(const struct cs_real_reader *reader);
void cs_real_add_level(struct cs_real_reader *reader, const struct cs_real_level *row);
void cs_real_add_source(struct cs_real_reader *reader, const struct cs_real_source *row);
void cs_real_add_object(struct cs_real_reader *reader, const struct cs_real_object *row);
void cs_real_add_frame(struct cs_real_reader *reader, const struct cs_real_frame *row);
/* Adds a change of state at the reader's current time and frame. */
void cs_real_add_cell(struct cs_real_reader *reader, struct cs_ue_piece level,
	struct cs_ue_piece from, struct cs_ue_piece to, struct cs_ue_piece target);

/* Returns the text without blanks and tabs at both ends. */
struct cs_ue_piece cs_real_trim(struct cs_ue_piece piece);
/* Reads one line of a log, without its clock, at the reader's current time and frame. */
void cs_real_log_words(struct cs_real_reader *reader, struct cs_ue_piece line);
/* Returns the row of the file that is being read. */
struct cs_real_file *cs_real_file_row(struct cs_real_reader *reader);

/* The forms; each may add to `note` of the file's row. */
extern const struct cs_real_form cs_real_log_form, cs_real_tsv_form, cs_real_jsonl_form,
	cs_real_profile_form, cs_real_trace_form;
bool cs_real_is_tsv(struct cs_ue_piece first_line);
bool cs_real_is_trace(const char *bytes, size_t size);

/* ---- real_reader.c, real_rows.c: a file from its beginning to its end ---- */

/* Adds a row of files; `name` must outlive the reader. */
struct cs_error *cs_real_reader_begin(struct cs_real *real, const char *name,
	const struct cs_job *job, struct cs_real_reader *ret) CS_MUST_USE;
/* Reads the next piece; `last`: nothing follows, and an incomplete line is read as it is. */
struct cs_error *cs_real_feed(
	struct cs_real_reader *reader, const char *bytes, size_t n, bool last) CS_MUST_USE;
struct cs_real_marks cs_real_mark(const struct cs_real *real);
/* Reads a piece line by line, by `line` of the form; parameters as for `bytes` of a form. */
struct cs_error *cs_real_lines(struct cs_real_reader *reader, const char *text, size_t n, bool last,
	size_t *taken_ret) CS_MUST_USE;
/* Skips the current line, which is cut, and counts its bytes as unread. */
void cs_real_leave_line(struct cs_real_reader *reader);
/* Removes the rows of the file before it is read again from its first byte. */
struct cs_error *cs_real_begin_again(struct cs_real_reader *reader) CS_MUST_USE;
/*
 * Sets, in the file's row of the table of files, which kinds of rows the file did not give, and the
 * number of bytes that gave no row.
 */
void cs_real_reader_tell(struct cs_real_reader *reader);
void cs_real_reader_free(struct cs_real_reader *reader);
/* Removes all rows of the reader. */
void cs_real_take_back(struct cs_real_reader *reader);
/*
 * Removes the reader's oldest rows from each table in which its rows exceed `keep` times 64 bytes
 * by a quarter; also removes texts that no row uses when texts take much memory.
 */
struct cs_error *cs_real_forget(struct cs_real_reader *reader, size_t keep) CS_MUST_USE;
