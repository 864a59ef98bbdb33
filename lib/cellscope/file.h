/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The project's container: a header, a section table and checked, LZ4-compressed sections, each a
 * piece of a table of fixed-size records. Layout: cellscope-format(5); kinds: .cworld, .cnanite.
 *
 * Records are described by field tables, from which reading, printing, JSON, field paths, verify
 * and the format manual follow. A file is opened strictly (the first damage is an error); verify
 * reports every damage; salvage ignores checksums and goes on.
 */
#ifndef CELLSCOPE_FILE_H
#define CELLSCOPE_FILE_H

#include <cellscope/base.h>

CS_BEGIN_DECLS

/* ---- records ---- */

enum cs_field_type {
	CS_FIELD_U8,
	CS_FIELD_U16,
	CS_FIELD_U32,
	CS_FIELD_U64,
	CS_FIELD_I32,
	CS_FIELD_I64,
	CS_FIELD_F32,
	CS_FIELD_F64,
	CS_FIELD_GUID,
	CS_FIELD_VEC3,      /* 3 f64 */
	CS_FIELD_QUAT,      /* 4 f64 */
	CS_FIELD_BOX,       /* min, max: 6 f64; finite; invalid only as CS_BOX_INVALID */
	CS_FIELD_TEXT,      /* u32, offset of a text in the strings table */
	CS_FIELD_REFERENCE, /* u32, row of the target table, or CS_NONE */
	CS_FIELD_RANGE,     /* u32 first, u32 count: rows of the target table */
	CS_FIELD_ENUM,      /* u32, index into names */
	CS_FIELD_FLAGS,     /* u32, bit i is names[i] */
	CS_FIELD_BOOL,      /* u8 */
	CS_FIELD_ZERO,      /* reserved bytes, must be zero; count = how many */
	/* payload of other formats: any bits are valid here, their own module checks them */
	CS_FIELD_HALF,    /* u16, binary16 */
	CS_FIELD_VEC3F,   /* 3 f32 */
	CS_FIELD_SPHEREF, /* centre and radius: 4 f32 */
	CS_FIELD_HEX,     /* u32 of bit fields, printed in hexadecimal */
	CS_FIELD_TYPES
};

struct cs_field {
	const char *name;
	enum cs_field_type type;
	uint16_t offset;          /* in the file and in the struct: both are the same */
	uint16_t count;           /* array length, 0 and 1 = one; of bytes for ZERO */
	uint16_t stride;          /* bytes from one element of an array to the next, 0 = no gap */
	bool required;            /* REFERENCE: CS_NONE is not allowed */
	uint16_t target;          /* table id for REFERENCE and RANGE */
	const char *const *names; /* NULL-terminated, for ENUM and FLAGS */
	const char *unit;
	const char *doc;
};

struct cs_record {
	const char *name; /* of the table, plural */
	uint16_t table;   /* id */
	uint16_t size;    /* bytes of one record */
	bool critical;    /* the file is of no use without it */
	const struct cs_field *fields;
	size_t n_fields;
	const char *doc;
};

/* Where one element of a field lies in the record, and its bytes. */
CS_API size_t cs_field_offset(const struct cs_field *field, size_t index);
CS_API size_t cs_field_element_size(const struct cs_field *field);
CS_API const struct cs_field *cs_record_field(const struct cs_record *record, const char *name);

/* The table of texts, of every kind: one blob of NUL-terminated UTF-8, the empty text first. */
enum { CS_TABLE_STRINGS = 1 };

/* All records of a file kind. */
struct cs_schema {
	const char *name;      /* "cworld" */
	const char *extension; /* ".cworld" */
	uint32_t kind;
	uint16_t major, minor;
	const struct cs_record *const *records;
	size_t n_records;
};

CS_API const struct cs_schema *cs_schema_of_kind(uint32_t kind);
CS_API const struct cs_schema *const *cs_schemas(size_t *n_ret);
CS_API const struct cs_record *cs_schema_record(const struct cs_schema *schema, uint16_t table);

/* ---- reading ---- */

enum cs_file_mode {
	CS_FILE_STRICT,  /* every byte is checked at open */
	CS_FILE_SALVAGE, /* checksums are ignored, as a fuzzer does */
};

struct cs_file;

CS_API struct cs_error *cs_file_open(const char *path, enum cs_file_mode mode,
	const struct cs_job *job, struct cs_file **ret) CS_MUST_USE;
/* Over bytes that outlive the file; `name` stands in messages. */
CS_API struct cs_error *cs_file_open_bytes(const void *bytes, size_t size, const char *name,
	enum cs_file_mode mode, const struct cs_job *job, struct cs_file **ret) CS_MUST_USE;
CS_API void cs_file_close(struct cs_file *file);

struct cs_section {
	uint16_t table, part;
	uint32_t flags; /* CS_SECTION_ */
	uint64_t offset, stored_size, raw_size, stored_sum, raw_sum;
	uint32_t record_count, record_size;
};

#define CS_SECTION_LZ4      1u
#define CS_SECTION_CRITICAL 2u
#define CS_SECTION_COLUMNS  4u /* with LZ4: its rows are packed by column */

CS_API const char *cs_file_name(const struct cs_file *file);
CS_API const struct cs_schema *cs_file_schema(const struct cs_file *file);
CS_API uint64_t cs_file_size(const struct cs_file *file);
/* Hash of the uncompressed content: equal wherever the content is. 32 hexadecimal digits. */
CS_API void cs_file_content_id(const struct cs_file *file, char text[33]);
CS_API size_t cs_file_sections(const struct cs_file *file);
CS_API const struct cs_section *cs_file_section(const struct cs_file *file, size_t index);
/* Rows of a table by the section table, without reading it. */
CS_API uint64_t cs_file_rows(const struct cs_file *file, uint16_t table);
/*
 * Reads, decodes and checks one table; the rows are owned by the file until it is closed and a
 * second call returns the same. A table that the file lacks has no rows.
 */
CS_API struct cs_error *cs_file_load(
	struct cs_file *file, uint16_t table, const void **rows_ret, size_t *n_ret) CS_MUST_USE;
/* The bytes of one section, decoded but not checked against any record; freed by the caller. */
CS_API struct cs_error *cs_file_read_section(struct cs_file *file, size_t index,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
/*
 * Where a row is stored in the file; of a compressed section its beginning. CS_NO_OFFSET for a row
 * that the table lacks.
 */
CS_API uint64_t cs_file_row_offset(const struct cs_file *file, uint16_t table, size_t row);
/* A text of the strings table, which must have been loaded; "" for an offset outside. */
CS_API const char *cs_file_text(const struct cs_file *file, uint32_t offset);

/* A row of a table, or one of its fields. */
struct cs_spot {
	const struct cs_record *record;
	const void *row;              /* owned by the file */
	size_t index;                 /* of the row */
	const struct cs_field *field; /* NULL = the whole row */
	size_t element;               /* of an array */
};

/*
 * Follows a path: "world.profile", "cells[12].partition.name", "cells[12].actors[0].label". A
 * reference leads to its row, a range with an index to that row of its table, and tables that only
 * list rows of others are passed through. E_FIELD when the path names nothing, E_MISSING when a
 * reference on the way is none.
 */
CS_API struct cs_error *cs_file_follow(
	struct cs_file *file, const char *path, struct cs_spot *ret) CS_MUST_USE;

/* ---- verifying ---- */

enum cs_severity { CS_INFO, CS_WARNING, CS_ERROR };
CS_API const char *cs_severity_name(enum cs_severity severity);

struct cs_finding {
	enum cs_severity severity;
	enum cs_code code;
	uint64_t offset;  /* in the file, or CS_NO_OFFSET */
	const char *rule; /* id of the rule that is broken, as its module lists them, or NULL */
	char place[96];   /* "cells[12].grid", "header", "" */
	char message[192];
};

/*
 * Checks everything that the container and the records promise: every checksum, every reference.
 * `report` is called for each finding, at most limits.findings times; errors that prevent going on
 * are findings too. Fails only for reasons outside the file. What a kind promises beyond its
 * records is checked by its own module (cs_cooked_verify, cs_nanite_verify).
 */
CS_API struct cs_error *cs_file_verify(const char *path, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret) CS_MUST_USE;

/* Findings that are kept, in the order in which they came; zeros are none. */
struct cs_findings {
	struct cs_finding *at;
	size_t n, room;
	bool failed; /* there was no memory for one */
};

/* A reporter of the checks, whose context is a struct cs_findings. */
CS_API void cs_findings_keep(void *context, const struct cs_finding *finding);
/*
 * What could not be gone on with becomes a finding of the rule "source", and is freed; lack of
 * memory and interruptions stay errors.
 */
CS_API struct cs_error *cs_findings_keep_error(
	struct cs_findings *findings, struct cs_error *error) CS_MUST_USE;
/* Whether they refuse a file: warnings and what is only told do not. */
CS_API bool cs_findings_refuse(const struct cs_findings *findings);
CS_API void cs_findings_deinit(struct cs_findings *findings);

/* ---- writing ---- */

/* A file that is being written beside the one that it will replace. */
struct cs_save {
	char *path, *temporary; /* owned */
	int fd;                 /* of the temporary file; may be written to directly */
	bool relaxed;           /* not forced to the disk */
};

/* A link stays a link: the file behind it is replaced. The mode of the old file is kept. */
CS_API struct cs_error *cs_save_begin(const char *path, struct cs_save *ret) CS_MUST_USE;
CS_API struct cs_error *cs_save_write(
	struct cs_save *save, const void *bytes, size_t n) CS_MUST_USE;
/* Commits; the save is over whether it worked or not. */
CS_API struct cs_error *cs_save_commit(struct cs_save *save) CS_MUST_USE;
/* Removes the temporary file; harmless after a commit. */
CS_API void cs_save_abandon(struct cs_save *save);

/* Replaces the file as a whole: whatever goes wrong, the old one is there. */
CS_API struct cs_error *cs_save_whole(const char *path, const void *bytes, size_t n) CS_MUST_USE;

/* ---- printing ---- */

/* One value of a record as text: "12", "(1, 2, 3)", a name, a text in the file's strings. */
CS_API size_t cs_field_format(const struct cs_file *file, const struct cs_field *field,
	const void *row, size_t index, char *ret, size_t size);

CS_END_DECLS

#endif
