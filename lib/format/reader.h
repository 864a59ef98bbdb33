/* SPDX-License-Identifier: Apache-2.0 */
/* The open container, for verify and for tests; all other code uses cellscope/core.h. */
#pragma once

#include "format/byte_source.h"
#include "format/file_writer.h"
#include "format/planes.h"
#include "format/record.h"

enum cs_part_state { CS_PART_AWAY, CS_PART_HERE, CS_PART_PASSING };

struct cs_loaded_table {
	void *rows;
	size_t n;
	bool loaded;
	bool lent;           /* whether somebody else owns the rows */
	cs_fill_rows *fill;  /* function that makes the rows; NULL = they are read from sections */
	unsigned char *here; /* an enum cs_part_state for each part; NULL while none is loaded */
	size_t n_here;       /* number of loaded parts */
	size_t part_rows;    /* rows of each part but the last; 0 = all rows are loaded at once */
	/* the part after those loaded last; number of parts loaded last */
	size_t next, run;
	uint64_t brought;                /* bytes of the rows that were loaded since a pass began */
	struct cs_narrow_record *narrow; /* fields that a pass decodes; NULL = all */
};

/* A record with some of its fields: the others are neither decoded nor checked. */
struct cs_narrow_record {
	struct cs_record record;
	bool wanted[CS_COLUMNS_MOST]; /* a flag for each byte of a row */
	struct cs_field fields[];
};

/* Memory for all texts, and which parts are loaded (text_pieces.c). */
struct cs_text_table {
	char *bytes;
	unsigned char *here;     /* an enum cs_part_state for each part */
	unsigned char *wanted;   /* for each part, whether a loaded row names a text of it */
	size_t size, n, n_parts; /* size in bytes, number of all parts, number of loaded parts */
	uint64_t charged;        /* bytes charged to the limit for the texts */
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
	uint64_t memory;      /* decoded bytes in memory */
	uint64_t before_pass; /* value of `memory` when parts of a pass were last freed */
	bool passing;         /* whether a pass has begun and not ended (cs_file_pass) */
	/* context of checks; its texts are NULL until a part is loaded */
	struct cs_record_context context;
	struct cs_text_table texts;
	struct cs_loaded_table tables[CS_MAX_TABLES];
	void *maker; /* context for `fill` */
};

/*
 * Makes a file without bytes, whose tables are rows in memory or rows that `fill` makes on first
 * use. The rows in memory are not checked and must stay valid as long as the file. It has no
 * sections and no content id.
 */
struct cs_error *cs_file_of_tables(const struct cs_schema *schema,
	const struct cs_table_rows *tables, size_t n, void *context, const struct cs_job *job,
	struct cs_file **ret) CS_MUST_USE;

/* Charges bytes to the limit `memory`. */
struct cs_error *cs_file_charge(struct cs_file *file, uint64_t bytes) CS_MUST_USE;
struct cs_file_parts cs_file_parts_of(const struct cs_file *file, uint16_t table);
/* Decodes n sections from `first` on, consecutively, or only their wanted columns. */
struct cs_error *cs_file_decode_parts(struct cs_file *file, size_t first, size_t n,
	const bool *wanted, unsigned char *bytes) CS_MUST_USE;
/* Loads the texts that the rows name; without a record, all texts. */
struct cs_error *cs_file_need_texts(struct cs_file *file, const struct cs_record *record,
	const void *rows, size_t n) CS_MUST_USE;

/*
 * Decodes one section into `ret`, raw_size bytes, or only the wanted columns when it is stored by
 * plane; `wanted` has a flag for each byte of a row, NULL wants all.
 */
struct cs_error *cs_file_decode_section(
	const struct cs_file *file, size_t index, const bool *wanted, void *ret) CS_MUST_USE;
/* Returns an error of a section, which names its table and part. */
struct cs_error *cs_file_section_error(const struct cs_file *file, size_t index, enum cs_code code,
	const char *problem) CS_MUST_USE;
/*
 * Returns the decoded bytes of a section, freed by the caller. `wanted` has a flag for each byte of
 * a row: the bytes of other columns may be zero instead. NULL wants all.
 */
struct cs_error *cs_file_read_some(const struct cs_file *file, size_t index, const bool *wanted,
	unsigned char **bytes_ret) CS_MUST_USE;
/* Reads the rows that columns of a section repeat (twin_rows.c); freed by the caller. */
struct cs_error *cs_file_read_twin(const struct cs_file *file, size_t index,
	struct cs_planes_twin *twin, unsigned char **rows_ret) CS_MUST_USE;

/* Checks all texts, some at a time. */
struct cs_error *cs_file_check_texts(struct cs_file *file) CS_MUST_USE;
/* Drops loaded parts when they are many, including texts that were requested. */
void cs_file_forget_texts(struct cs_file *file, size_t parts_before);
/*
 * Frees the rows of a table that a pass loaded with some of their fields. From now on all fields
 * are loaded.
 */
void cs_file_widen(struct cs_file *file, const struct cs_record *record);
/* Frees the parts of the texts that a pass loaded, except the wanted ones. */
void cs_file_forget_unwanted(struct cs_file *file);
/* Returns the whole pages of n bytes to the system. Their bytes read as 0 afterwards. */
void cs_file_give_back(void *at, size_t n);

/*
 * Reads a table section by section, for code that goes through it once. The rows of a section are
 * not checked, and are freed by the next one. Of sections by plane only the named fields are
 * decoded, and the other bytes of their rows have no meaning.
 */
struct cs_section_rows {
	const struct cs_file *file;
	const struct cs_record *record;
	struct cs_file_parts parts;
	bool wanted[CS_COLUMNS_MOST]; /* a flag for each byte of a row */
	size_t part, first, end;      /* `rows` are rows [first, end) of the table */
	unsigned char *rows;
};
/*
 * Begins reading a table. `fields` are names, ended by NULL; NULL instead of the names reads all
 * fields.
 */
struct cs_section_rows cs_section_rows(
	const struct cs_file *file, uint16_t table, const char *const *fields);
/* Reads the next section. Returns false after the last, and on an error. */
bool cs_section_rows_next(struct cs_section_rows *rows, struct cs_error **error_ret) CS_MUST_USE;
void cs_section_rows_deinit(struct cs_section_rows *rows);

/* Reads only header and section table. */
struct cs_error *cs_file_read_layout(struct cs_file *file, const struct cs_job *job) CS_MUST_USE;
/* Checks the stored checksum of one section, and the zero bytes before it. */
struct cs_error *cs_file_check_section(const struct cs_file *file, size_t index) CS_MUST_USE;
/* Computes XXH3-128 over (id, raw size, raw bytes) of every section: the required content_id. */
struct cs_error *cs_file_compute_content_id(
	const struct cs_file *file, unsigned char ret[16]) CS_MUST_USE;
