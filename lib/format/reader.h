/* SPDX-License-Identifier: Apache-2.0 */
/* The open container file, for reading, verifying and tests; other code uses cellscope/core.h. */
#pragma once

#include "core/reserve.h"
#include "format/byte_source.h"
#include "format/file_writer.h"
#include "format/planes.h"
#include "format/record.h"

enum cs_part_state { CS_PART_AWAY, CS_PART_HERE, CS_PART_PASSING };

struct cs_loaded_table {
	void *rows;
	struct cs_reserved space; /* address space of rows that are read from sections */
	size_t n;
	bool loaded;
	bool lent;           /* whether the rows belong to the caller that opened the file */
	cs_fill_rows *fill;  /* makes the rows, or NULL if they are read from sections */
	unsigned char *here; /* enum cs_part_state of each part, or NULL if none is loaded */
	size_t n_here;       /* number of loaded parts */
	/* number of rows of each part except the last, or 0 if the table is not loaded in parts */
	size_t part_rows;
	/* to read ahead: index of the part after the last load, and number of parts in that load */
	size_t next, run;
	uint64_t brought;                /* bytes of rows that were loaded since the pass began */
	struct cs_narrow_record *narrow; /* the fields that a pass decodes, or NULL for all */
};

/* A copy of a record with some of its fields. The others are neither decoded nor checked. */
struct cs_narrow_record {
	struct cs_record record;
	bool wanted[CS_COLUMNS_MOST]; /* for each byte of a row, whether it is decoded */
	struct cs_field fields[];
};

/* The texts (strings table) of an open file, loaded in parts (text_pieces.c). */
struct cs_text_table {
	char *bytes;
	struct cs_reserved space; /* address space of all texts */
	unsigned char *here;      /* enum cs_part_state of each part */
	unsigned char *wanted;    /* for each part, whether a loaded row refers to a text in it */
	size_t size, n, n_parts;  /* size in bytes, number of parts, and number of loaded parts */
	uint64_t charged;         /* bytes of texts that count against the memory limit */
	/* whether loaded parts are kept in memory, because the texts are used in random order */
	bool kept;
	unsigned shift; /* log2 of the size of each part except the last */
};

/* The n sections from `first` on that store one table, and their total decoded size in bytes. */
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
	uint64_t memory;      /* bytes of decoded rows and texts in memory */
	uint64_t before_pass; /* value of `memory` when a pass last freed rows and texts */
	bool plain_pass;      /* whether the pass reads only one table, and no texts */
	bool passing; /* whether a pass over rows has begun and has not ended (cs_file_pass) */
	/* data for checks of records. Its texts are NULL until a part of them is loaded */
	struct cs_record_context context;
	struct cs_text_table texts;
	struct cs_loaded_table tables[CS_MAX_TABLES];
	void *maker; /* context for `fill` of the tables */
	/* file that contains the bytes of this one, and is closed after it, or NULL */
	const struct cs_file *outer;
};

/*
 * Makes an open file that has no bytes: its tables are rows in memory, or rows that `fill` makes
 * when first used. Rows in memory are not checked and must stay valid as long as the file. Such a
 * file has no sections and no content id.
 */
struct cs_error *cs_file_of_tables(const struct cs_schema *schema,
	const struct cs_table_rows *tables, size_t n, void *context, const struct cs_job *job,
	struct cs_file **ret) CS_MUST_USE;

/* Adds `bytes` to the file's used memory. Returns E_LIMIT above the job's limit `memory`. */
struct cs_error *cs_file_charge(struct cs_file *file, uint64_t bytes) CS_MUST_USE;
struct cs_file_parts cs_file_parts_of(const struct cs_file *file, uint16_t table);
/* Decodes n sections from `first` on. `wanted` selects the bytes of each row, NULL all of them. */
struct cs_error *cs_file_decode_parts(struct cs_file *file, size_t first, size_t n,
	const bool *wanted, unsigned char *bytes) CS_MUST_USE;
/* Loads the texts to which the given rows refer, or all texts if `record` is NULL. */
struct cs_error *cs_file_need_texts(struct cs_file *file, const struct cs_record *record,
	const void *rows, size_t n) CS_MUST_USE;

/*
 * Decodes one section to `ret`, which has room for its raw_size bytes. `wanted` has a flag for each
 * byte of a row, and NULL wants all. Only sections of byte planes leave out bytes that are not
 * wanted.
 */
struct cs_error *cs_file_decode_section(
	const struct cs_file *file, size_t index, const bool *wanted, void *ret) CS_MUST_USE;
/* Makes an error about a section. The message names the table and the part. */
struct cs_error *cs_file_section_error(const struct cs_file *file, size_t index, enum cs_code code,
	const char *problem) CS_MUST_USE;
/*
 * Returns the decoded bytes of a section. The caller frees them. `wanted` has a flag for each byte
 * of a row, and bytes that are not wanted may be zero. NULL wants all bytes.
 */
struct cs_error *cs_file_read_some(const struct cs_file *file, size_t index, const bool *wanted,
	unsigned char **bytes_ret) CS_MUST_USE;
/* Reads rows of the earlier table that section `index` mostly repeats. The caller frees them. */
struct cs_error *cs_file_read_twin(const struct cs_file *file, size_t index,
	struct cs_planes_twin *twin, unsigned char **rows_ret) CS_MUST_USE;

/* Checks all texts, a few parts at a time. */
struct cs_error *cs_file_check_texts(struct cs_file *file) CS_MUST_USE;
/*
 * Called after each step of a pass. If many parts of the texts are loaded, frees all of them, even
 * those to which loaded rows refer, because a pass that reads rows in order needs few parts at a
 * time. A step that loads very many parts shows that rows are read in random order, and then texts
 * are never freed again. `parts_before` is the number of parts that were loaded before the step.
 */
void cs_file_forget_texts(struct cs_file *file, size_t parts_before);
/* Ends partial decoding of a table: frees its incomplete rows, and then loads all fields. */
void cs_file_widen(struct cs_file *file, const struct cs_record *record);
/* Frees the parts of the texts that a pass loaded, except those marked in `wanted`. */
void cs_file_forget_unwanted(struct cs_file *file);

/*
 * An iterator over a table section by section, for code that reads the table once. Rows are not
 * checked, and the next step frees them. In sections stored by byte plane only the named fields are
 * decoded, and other bytes of their rows are undefined.
 */
struct cs_section_rows {
	const struct cs_file *file;
	const struct cs_record *record;
	struct cs_file_parts parts;
	bool wanted[CS_COLUMNS_MOST]; /* for each byte of a row, whether it is decoded */
	size_t part, first, end; /* `rows` are the rows of the table from `first` to `end` - 1 */
	unsigned char *rows;
};
/*
 * Begins reading a table. `fields` are the names of the fields to decode, with NULL at the end. If
 * `fields` is NULL, all fields are decoded.
 */
struct cs_section_rows cs_section_rows(
	const struct cs_file *file, uint16_t table, const char *const *fields);
/* Reads the next section. Returns false after the last section and on an error. */
bool cs_section_rows_next(struct cs_section_rows *rows, struct cs_error **error_ret) CS_MUST_USE;
void cs_section_rows_deinit(struct cs_section_rows *rows);

/* Reads and checks the header and the section table. */
struct cs_error *cs_file_read_layout(struct cs_file *file, const struct cs_job *job) CS_MUST_USE;
/* Checks the stored checksum of a section, and the zeros between it and the previous one. */
struct cs_error *cs_file_check_section(const struct cs_file *file, size_t index) CS_MUST_USE;
/* Computes what content_id should be: XXH3-128 over id, raw size and raw bytes of every section. */
struct cs_error *cs_file_compute_content_id(
	const struct cs_file *file, unsigned char ret[16]) CS_MUST_USE;
