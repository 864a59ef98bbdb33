/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of real runs, and what their readers share. A reader gets a file piece by piece, the
 * whole of it at once or as it grows, and adds rows; it decides nothing about a run. What has no
 * end yet, half a line or half a packet, waits for the next piece.
 *
 * Invariant: a text of a row is an offset into `texts`, 0 = the file does not say; a number that it
 * does not say is NAN, a whole number -1. Rows of a file lie together, in the order of the file.
 */
#pragma once

#include <cellscope/query.h>
#include <cellscope/runs.h>

#include "core/strings.h"
#include "core/vec.h"
#include "ue/log/log_line.h"

#include <math.h>

/* Where a row stands: line of a text, from 1 on, 0 = not known (as behind the last that 32 bits
 * count), and the byte behind it, -1 = not known. */
struct cs_real_origin {
	uint32_t file; /* row of files */
	uint32_t line;
	int64_t offset;
};

struct cs_real_frame {
	struct cs_real_origin origin;
	double time, ms; /* its end; its length */
	struct cs_vec3 position;
	struct cs_rotator rotation;
	double values[CS_RECORDED_COUNT];
	uint32_t events;
};

/* What a real level does, in the words of the engine. */
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
	uint32_t cell, level, from, to, target; /* texts */
	uint32_t state;                         /* enum cs_real_state of `to` */
};

/* What a file sums up about a level: seconds, but kb. */
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

/* What `obj list` says of a class, or of one of its objects. */
struct cs_real_object {
	struct cs_real_origin origin;
	uint32_t class, object, list; /* texts; object: 0 = all of the class */
	int64_t count;
	double time, kb, resource_kb;
};

struct cs_real_file {
	uint32_t name, kind, zero, missing, note; /* texts; zero: what second 0 is */
	int64_t lines, unread;                    /* bytes of which nothing was made, or not yet */
	int64_t forgotten;                        /* rows that were told and are no longer there */
	int64_t frames, cells, levels, sources, events, objects;
	double seconds, epoch; /* length; UTC seconds of its second 0, or NAN */
};

/* A visit of a cell in both runs: ms, of the parts the excess of the real one. */
struct cs_real_pair {
	uint32_t cell, cause, reason, file; /* texts */
	int64_t visit, line;
	double late, ask, load, wait, show, real, simulated; /* the last two: seconds */
	bool never;                                          /* simulated, but not real */
};

/* A frame of the last comparison. */
struct cs_real_moment {
	int64_t frame; /* 1 = the first of the walk */
	double time, ms;
	int64_t real, simulated; /* cells that are visible */
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
	CS_VEC(struct cs_real_pair) pairs;     /* of the last comparison */
	CS_VEC(struct cs_real_moment) moments; /* likewise */
	CS_VEC(struct cs_real_fit) fits;       /* of the last fit */
	bool no_memory;
};

/* Longer lines are passed over; after so many lines the job is asked. */
enum { CS_REAL_LONGEST_LINE = 4 << 20, CS_REAL_CHECKED = 4096 };

/* How many rows there are. */
struct cs_real_marks {
	size_t files, frames, cells, levels, sources, events, objects;
};

/* A file while it is read. */
struct cs_real_reader {
	struct cs_real *real;
	const struct cs_job *job;
	const char *name;                /* for messages */
	const struct cs_real_form *form; /* NULL until enough was read to know it */
	void *state;                     /* of the form */
	struct cs_real_marks begin;      /* its rows stand behind these */
	CS_VEC(char) rest;               /* what waits for its end */
	size_t skipped;                  /* bytes of a line that is too long, thrown away */
	struct cs_real_origin origin;    /* of the line at hand */
	double time;                     /* of the line at hand, or NAN */
	int64_t frame;                   /* likewise, or -1 */
	size_t length;                   /* of the line at hand with its end, in bytes */
	bool cut;                        /* the line at hand is the last, and has no end */
	int64_t unread;                  /* bytes that are left out */
	uint64_t waiting;                /* bytes that the form keeps until more comes */
	bool known;                      /* something was found that only such files have */
	bool failed;                     /* an error was told: nothing more is read */
	bool again; /* what came late changes what was read: the file is read once more, once ended
		     */
	bool ended; /* the row that is the last one has come */
};

/* A kind of file. One without `bytes` comes line by line, one without `line` never does. */
struct cs_real_form {
	const char *kind, *zero; /* of the row of the file */
	size_t state_size;       /* of reader->state, zeros before `begin` */
	bool proves_end; /* `line` gets a last line without its end, and leaves one that is cut */
	struct cs_error *(*begin)(struct cs_real_reader *reader); /* NULL: nothing to do */
	struct cs_error *(*line)(struct cs_real_reader *reader, struct cs_ue_piece line);
	/* A piece of the file; `last`: no other follows. *taken_ret: what need not come again. */
	struct cs_error *(*bytes)(struct cs_real_reader *reader, const char *bytes, size_t n,
		bool last, size_t *taken_ret);
	struct cs_error *(*again)(struct cs_real_reader *reader); /* before the second reading */
	struct cs_error *(*end)(struct cs_real_reader *reader);   /* NULL: nothing to do */
	void (*free)(struct cs_real_reader *reader);              /* likewise */
	/* Each text that its state keeps; NULL: none. */
	void (*texts)(struct cs_real_reader *reader, void (*each)(void *context, uint32_t *text),
		void *context);
};

/* A text for a row; 0 without memory, which real.no_memory says. */
uint32_t cs_real_keep(struct cs_real_reader *reader, struct cs_ue_piece piece);
uint32_t cs_real_keep_z(struct cs_real_reader *reader, const char *text);
/* "/Game/Map/_Generated_/UEDPIE_0_NAME_LevelInstance_3:-1": NAME. */
struct cs_ue_piece cs_real_cell_name(struct cs_ue_piece level);
const char *cs_real_state_name(enum cs_real_state state);
void cs_real_tell(
	struct cs_real_reader *reader, const char *kind, struct cs_ue_piece text, double value);
/* Rows with nothing said. */
struct cs_real_level cs_real_level_row(const struct cs_real_reader *reader);
struct cs_real_source cs_real_source_row(const struct cs_real_reader *reader);
void cs_real_add_level(struct cs_real_reader *reader, const struct cs_real_level *row);
void cs_real_add_source(struct cs_real_reader *reader, const struct cs_real_source *row);
void cs_real_add_object(struct cs_real_reader *reader, const struct cs_real_object *row);
void cs_real_add_frame(struct cs_real_reader *reader, const struct cs_real_frame *row);
/* A change of state at the time and frame of the reader. */
void cs_real_add_cell(struct cs_real_reader *reader, struct cs_ue_piece level,
	struct cs_ue_piece from, struct cs_ue_piece to, struct cs_ue_piece target);

/* Without the blanks and tabs around it. */
struct cs_ue_piece cs_real_trim(struct cs_ue_piece piece);
/* Of a log: what one line says, its clock taken off, at the time and frame of the reader. */
void cs_real_log_words(struct cs_real_reader *reader, struct cs_ue_piece line);
/* The row of the file that is being read. */
struct cs_real_file *cs_real_file_row(struct cs_real_reader *reader);

/* The forms; `note` of the file's row may say more. */
extern const struct cs_real_form cs_real_log_form, cs_real_tsv_form, cs_real_jsonl_form,
	cs_real_profile_form, cs_real_trace_form;
bool cs_real_is_tsv(struct cs_ue_piece first_line);
bool cs_real_is_trace(const char *bytes, size_t size);

/* ---- real_reader.c: a file from its begin to its end ---- */

/* Adds a row of files; `name` outlives the reader. */
struct cs_error *cs_real_reader_begin(struct cs_real *real, const char *name,
	const struct cs_job *job, struct cs_real_reader *ret) CS_MUST_USE;
/* Reads on; `last`: nothing follows, and what has no end is read as it is. */
struct cs_error *cs_real_feed(
	struct cs_real_reader *reader, const char *bytes, size_t n, bool last) CS_MUST_USE;
struct cs_real_marks cs_real_mark(const struct cs_real *real);
/* A piece, cut into lines, as `bytes` of a form. */
struct cs_error *cs_real_lines(struct cs_real_reader *reader, const char *text, size_t n, bool last,
	size_t *taken_ret) CS_MUST_USE;
/* The line at hand is cut: it counts as bytes that are not read. */
void cs_real_leave_line(struct cs_real_reader *reader);
/* Takes the rows of the file back, for its first byte comes once more. */
struct cs_error *cs_real_begin_again(struct cs_real_reader *reader) CS_MUST_USE;
/* The row of the file says what it does not hold. */
void cs_real_reader_tell(struct cs_real_reader *reader);
void cs_real_reader_free(struct cs_real_reader *reader);
/* All rows of the reader go. */
void cs_real_take_back(struct cs_real_reader *reader);
/* Of each table the rows of the reader but the last `keep`, once there are a quarter more; and the
 * texts that no row has. */
struct cs_error *cs_real_forget(struct cs_real_reader *reader, size_t keep) CS_MUST_USE;
