/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the readers of the JSON form share: where they are in the file, and reading one object by
 * its table of keys (json_values.c).
 */
#pragma once

#include "core/json.h"
#include "format/byte_source.h"
#include "world/world_fields.h"
#include "world/world_internal.h"

struct cs_json_line {
	size_t start, length; /* in the block */
	json_t *json;
	json_error_t problem;
	bool no_memory;
};

/* A key that means nothing here. Often every actor has it: its first place is told, then a sum. */
struct cs_json_unknown {
	const char *what; /* the object that it stands in */
	char key[48];     /* its beginning */
	uint64_t count;
};

enum { UNKNOWN_KEYS = 32 };

struct cs_json_reader {
	struct cs_world *world;
	const struct cs_job *job;
	struct cs_limits limits; /* of the job */
	struct cs_source_file source;
	uint64_t block_offset; /* of the block in the file */
	uint64_t line_number;  /* of the next line */
	char *block;
	size_t size, room;
	CS_VEC(struct cs_json_line) lines;
	struct cs_actor last; /* of the plain form; the next one often has the same texts */
	const struct cs_json_line *line; /* for messages */
	bool document_read;
	bool leaves_plain;    /* most actors are not of the plain form: all lines go to jansson */
	json_int_t announced; /* actors, by the document */
	struct cs_json_unknown unknown[UNKNOWN_KEYS];
	size_t n_unknown;
	uint64_t more_unknown; /* for which there was no place */
};

/*
 * An actor of the plain form (json_plain.c), or false: then nothing has changed, and jansson says
 * what the line is.
 */
bool cs_json_plain_actor(
	struct cs_json_reader *r, const char *line, size_t n, struct cs_actor *ret);
/* An error at the line that is being read. */
struct cs_error *cs_json_wrong(
	const struct cs_json_reader *r, enum cs_code code, const char *format, ...) CS_PRINTF(3, 4);
struct cs_error *cs_json_read_text(
	struct cs_json_reader *r, const json_t *value, uint32_t *ret) CS_MUST_USE;
bool cs_json_read_guid(const json_t *value, struct cs_guid *ret);
/* `extra` are keys that the caller reads itself, NULL-terminated. */
struct cs_error *cs_json_read_object(struct cs_json_reader *r, const struct cs_json_table *table,
	const json_t *json, const char *const *extra, void *object) CS_MUST_USE;
/* Once the file is read: how often each unknown key stood in it. */
void cs_json_sum_up_unknown(const struct cs_json_reader *r);
