/* SPDX-License-Identifier: Apache-2.0 */
/* The open container, for verify and for the tests; everyone else goes through cellscope/core.h. */
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
	bool lent;           /* the rows are another's */
	cs_fill_rows *fill;  /* makes them, in place of sections; NULL = read them */
	unsigned char *here; /* by part: enum cs_part_state; NULL while none has come */
	size_t n_here;       /* parts that have */
	size_t part_rows;    /* of each part but the last; 0 = they come all at once */
	size_t next, run;    /* the part behind those that came last, and how many came */
};

/* Room for all texts; the parts that have come (text_pieces.c). */
struct cs_text_table {
	char *bytes;
	unsigned char *here;     /* by part: enum cs_part_state */
	unsigned char *wanted;   /* by part: some row that is here names a text of it */
	size_t size, n, n_parts; /* bytes, parts, parts that have come */
	uint64_t charged;        /* bytes of those */
	bool kept;               /* rows name them all over: none is forgotten any more */
	unsigned shift;          /* log2 of the size of all parts but the last */
};

/* The sections of a table; their decoded bytes. */
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
	uint64_t memory;                  /* decoded bytes held */
	uint64_t before_pass;             /* of them when parts of a pass last went */
	uint64_t brought;                 /* bytes that were decoded since it began */
	bool passing;                     /* cs_file_pass */
	struct cs_record_context context; /* of the texts, those that have come whole */
	struct cs_text_table texts;
	struct cs_loaded_table tables[CS_MAX_TABLES];
	void *maker; /* what `fill` is given */
};

/*
 * A file that is not there: its tables are rows that somebody has, or can make. They must stay as
 * long as it; nothing of them is checked. It has no sections, and no content id.
 */
struct cs_error *cs_file_of_tables(const struct cs_schema *schema,
	const struct cs_table_rows *tables, size_t n, void *context, const struct cs_job *job,
	struct cs_file **ret) CS_MUST_USE;

/* Against the limit memory. */
struct cs_error *cs_file_charge(struct cs_file *file, uint64_t bytes) CS_MUST_USE;
struct cs_file_parts cs_file_parts_of(const struct cs_file *file, uint16_t table);
/* n sections from `first` on, decoded one behind the other. */
struct cs_error *cs_file_decode_parts(
	struct cs_file *file, size_t first, size_t n, unsigned char *bytes) CS_MUST_USE;
/* The texts that the rows name are here afterwards; of no record all. */
struct cs_error *cs_file_need_texts(struct cs_file *file, const struct cs_record *record,
	const void *rows, size_t n) CS_MUST_USE;

/* All texts, some at a time. */
struct cs_error *cs_file_check_texts(struct cs_file *file) CS_MUST_USE;
/* Those that have come go again, where they are many, and with them texts that were asked for. */
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
/* False behind the last, and with an error. */
bool cs_section_rows_next(struct cs_section_rows *rows, struct cs_error **error_ret) CS_MUST_USE;
void cs_section_rows_deinit(struct cs_section_rows *rows);

/* Header and section table only. */
struct cs_error *cs_file_read_layout(struct cs_file *file, const struct cs_job *job) CS_MUST_USE;
/* Stored sum of one section, and the zero bytes in front of it. */
struct cs_error *cs_file_check_section(const struct cs_file *file, size_t index) CS_MUST_USE;
/* XXH3-128 over (id, raw size, raw bytes) of every section: what content_id must be. */
struct cs_error *cs_file_compute_content_id(
	const struct cs_file *file, unsigned char ret[16]) CS_MUST_USE;
