/* SPDX-License-Identifier: Apache-2.0 */
/* The open container, for verify and for tests; all other code uses cellscope/core.h. */
#pragma once

#include "format/byte_source.h"
#include "format/columns.h"
#include "format/file_writer.h"
#include "format/record.h"

enum cs_part_state { CS_PART_AWAY, CS_PART_HERE, CS_PART_PASSING };

struct cs_loaded_table {
	void *rows;
	size_t n;
	bool loaded;
	bool lent;           /* the rows are owned elsewhere */
	cs_fill_rows *fill;  /* makes the rows, instead of reading sections; NULL = reads them */
	unsigned char *here; /* by part: enum cs_part_state; NULL while none has come */
	size_t n_here;       /* number of loaded parts */
	size_t part_rows;    /* rows of each part but the last; 0 = all rows are loaded at once */
	size_t next, run;    /* the part after those loaded last, and their number */
};

/* Memory for all texts, and which parts are loaded (text_pieces.c). */
struct cs_text_table {
	char *bytes;
	unsigned char *here;     /* by part: enum cs_part_state */
	unsigned char *wanted;   /* by part: some row that is here names a text of it */
	size_t size, n, n_parts; /* bytes, loaded parts, all parts */
	uint64_t charged;        /* bytes charged for them */
	bool kept;               /* rows name texts in random order: no part is dropped any more */
	unsigned shift;          /* log2 of the size of all parts but the last */
};

/* The sections of a table, and its decoded bytes. */
struct cs_file_parts {
	size_t first, n;
	uint64_t bytes;
};

struct cs_file {
	struct cs_source_file source;
	enum cs_file_mode mode;
	struct cs_limits limits;
	int threads;
	const struct cs_schema *schema;
	uint16_t minor;
	unsigned char content_id[16];
	struct cs_section *sections;
	size_t n_sections;
	uint64_t memory;                  /* decoded bytes in memory */
	uint64_t before_pass;             /* of them when parts of a pass last went */
	uint64_t brought;                 /* bytes that were decoded since it began */
	bool passing;                     /* cs_file_pass */
	struct cs_record_context context; /* its texts are those that are loaded completely */
	struct cs_text_table texts;
	struct cs_loaded_table tables[CS_MAX_TABLES];
	void *maker; /* context for `fill` */
};

/*
 * A file without bytes: its tables are rows in memory, or rows that can be made. They must stay
 * valid as long as it; they are not checked. It has no sections, and no content id.
 */
struct cs_error *cs_file_of_tables(const struct cs_schema *schema,
	const struct cs_table_rows *tables, size_t n, void *context, const struct cs_job *job,
	struct cs_file **ret) CS_MUST_USE;

/* Charges bytes to the limit `memory`. */
struct cs_error *cs_file_charge(struct cs_file *file, uint64_t bytes) CS_MUST_USE;
struct cs_file_parts cs_file_parts_of(const struct cs_file *file, uint16_t table);
/* Decodes n sections from `first` on, consecutively. */
struct cs_error *cs_file_decode_parts(
	struct cs_file *file, size_t first, size_t n, unsigned char *bytes) CS_MUST_USE;
/* Loads the texts that the rows name; without a record, all texts. */
struct cs_error *cs_file_need_texts(struct cs_file *file, const struct cs_record *record,
	const void *rows, size_t n) CS_MUST_USE;

/* Checks all texts, some at a time. */
struct cs_error *cs_file_check_texts(struct cs_file *file) CS_MUST_USE;
/* Drops loaded parts when they are many, including texts that were requested. */
void cs_file_forget_texts(struct cs_file *file, size_t parts_before);
/* Parts of the texts that a pass brought go, but those that are wanted. */
void cs_file_forget_unwanted(struct cs_file *file);
/* Gives the whole pages of n bytes back to the system; what is read there later is 0. */
void cs_file_give_back(void *at, size_t n);

/*
 * A table section by section, for who goes through it once: the rows of one, which were not
 * checked, and are gone with the next. Of sections by plane only the fields that it names are
 * decoded; other bytes of their rows say nothing.
 */
struct cs_section_rows {
	const struct cs_file *file;
	const struct cs_record *record;
	struct cs_file_parts parts;
	bool wanted[CS_COLUMNS_MOST]; /* by byte of a row */
	size_t part, first, end;      /* `rows` are rows [first, end) of the table */
	unsigned char *rows;
};
/* The names of fields end with NULL; NULL in their place = all of them. */
struct cs_section_rows cs_section_rows(
	const struct cs_file *file, uint16_t table, const char *const *fields);
/* False after the last, and on an error. */
bool cs_section_rows_next(struct cs_section_rows *rows, struct cs_error **error_ret) CS_MUST_USE;
void cs_section_rows_deinit(struct cs_section_rows *rows);

/* Reads only header and section table. */
struct cs_error *cs_file_read_layout(struct cs_file *file, const struct cs_job *job) CS_MUST_USE;
/* Checks the stored checksum of one section, and the zero bytes before it. */
struct cs_error *cs_file_check_section(const struct cs_file *file, size_t index) CS_MUST_USE;
/* Computes XXH3-128 over (id, raw size, raw bytes) of every section: the required content_id. */
struct cs_error *cs_file_compute_content_id(
	const struct cs_file *file, unsigned char ret[16]) CS_MUST_USE;
