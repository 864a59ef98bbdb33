/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of the JSON form of a world: its state, and reading of objects by tables of keys. */
#pragma once

#include "core/json.h"
#include "core/slots.h"
#include "format/byte_source.h"
#include "world/world_fields.h"
#include "world/world_internal.h"

struct cs_json_line {
	size_t start, length; /* range of bytes of the line in cs_json_reader.block */
	json_t *json;
	json_error_t problem;
	bool no_memory;
};

/* An unknown key. Its first occurrence gives a warning, and more give one at the file's end. */
struct cs_json_unknown {
	const char *what; /* kind of object that contains the key */
	char key[48];     /* the key, possibly truncated */
	uint64_t count;
};

enum { UNKNOWN_KEYS = 32 };

/* A text of an actor in plain form (json_plain.c). Its bytes are in the block being read. */
struct cs_plain_text {
	const char *at;
	uint32_t n, hash; /* number of bytes of the text, and its hash (cs_text_hash) */
	uint32_t member;  /* offset of the member in struct cs_actor (CS_NONE: an item of a list) */
};

/* The parsed content of a line in plain form (json_plain.c). */
struct cs_plain_line {
	/*
	 * The text members are not set. In ranges of GUIDs, index 0 is the line's first GUID; in
	 * ranges of texts, it is the line's first text that is an item of a list.
	 */
	struct cs_actor actor;
	struct cs_range texts, guids; /* texts and GUIDs of the line in cs_plain_lines */
	bool is_plain;                /* false: the line must be read with jansson */
};

enum {
	CS_PLAIN_LINES = 64, /* number of lines that a thread parses before it adds their actors */
	CS_PLAIN_KEYS = 64,  /* limit of the keys of an actor */
};

struct cs_plain_lines {
	struct cs_plain_line at[CS_PLAIN_LINES];
	size_t n;
	CS_VEC(struct cs_plain_text) texts;
	CS_VEC(struct cs_guid) guids;
	/* for each key of an actor: its text in the latest line with that key */
	struct cs_plain_text before[CS_PLAIN_KEYS];
};

struct cs_json_reader {
	struct cs_world *world;
	const struct cs_job *job;
	struct cs_limits limits; /* limits of the job */
	struct cs_source_file source;
	uint64_t block_offset; /* offset of `block` in the file */
	uint64_t line_number;  /* number of the next line */
	char *block;
	size_t size, room;
	CS_VEC(struct cs_json_line) lines;
	struct cs_plain_lines *plain; /* for each thread: the lines that it has parsed */
	/* last actor that was read in plain form, because the next often has the same texts */
	struct cs_actor last;
	const struct cs_json_line *line; /* current line, for messages */
	bool document_read;
	/* too many lines were not in plain form, so jansson parses all lines from here on */
	bool leaves_plain;
	json_int_t announced;    /* number of actors that the first JSON document declares */
	struct cs_slots bundles; /* hash table of containers by the GUID of their content bundle */
	uint32_t n_indexed;      /* number of containers in that table */
	struct cs_json_unknown unknown[UNKNOWN_KEYS];
	size_t n_unknown;
	uint64_t more_unknown; /* number of unknown keys that did not fit into `unknown` */
};

/* Returns memory for the lines that each of n threads parses; NULL when memory runs out. */
struct cs_plain_lines *cs_plain_lines_new(int n);
void cs_plain_lines_free(struct cs_plain_lines *lines, int n);
/* Parses n lines of the block from line `first` on, and marks which of them are in plain form. */
void cs_plain_parse(
	struct cs_plain_lines *lines, const struct cs_json_reader *reader, size_t first, size_t n);
/*
 * Adds the texts and GUIDs of parsed line `i` to the world, and completes its actor. Returns false,
 * with the world unchanged, for a line that is not plain or when memory runs out.
 */
bool cs_plain_take(struct cs_json_reader *reader, struct cs_plain_lines *lines, size_t i);
/* Makes an error about the line that is being read. */
struct cs_error *cs_json_wrong(const struct cs_json_reader *reader, enum cs_code code,
	const char *format, ...) CS_PRINTF(3, 4);
struct cs_error *cs_json_read_text(
	struct cs_json_reader *reader, const json_t *value, uint32_t *ret) CS_MUST_USE;
bool cs_json_read_guid(const json_t *value, struct cs_guid *ret);
/* Returns whether a quaternion has the length 1, but for the rounding of 32-bit floats. */
bool cs_json_is_unit(const double quat[4]);
/* Reads a JSON object by its keys. `extra`: NULL-terminated list of keys that the caller reads. */
struct cs_error *cs_json_read_object(struct cs_json_reader *reader,
	const struct cs_json_table *table, const json_t *json, const char *const *extra,
	void *object) CS_MUST_USE;
/* Reports, after the whole file has been read, how often each unknown key occurred. */
void cs_json_sum_up_unknown(const struct cs_json_reader *reader);
