/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The declarations that every public header of libcellscope uses.
 *
 * Rules for the whole library: it does not print, does not end the process, and has no global
 * state. A function that can fail returns `struct cs_error *`, where NULL means success, and leaves
 * its `*_ret` parameters untouched on failure. `_init/_deinit` work on storage of the caller,
 * `_new/_free` on the heap, and every `_free` accepts NULL. Distinct objects may be used from
 * distinct threads.
 *
 * Option structs begin with their size: {.size = sizeof(struct cs_cook_options), ...}. Later
 * versions add fields only at the end, and zero is the default of each added field. So an older
 * program, whose struct is shorter, gets the fields it knows. A newer program, whose struct is
 * longer, gets E_USAGE when it sets a field that is not known here. A size of 0 means that of
 * the first version with sizes, 0.1. Options may be NULL, which means all defaults. These
 * rules are valid from the release of 0.1 on; until then other structs may change their length, and
 * programs are compiled again.
 */
#ifndef CELLSCOPE_CORE_H
#define CELLSCOPE_CORE_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Put around the declarations of a header, so that C++ links them by their names in C. */
#ifdef __cplusplus
#define CS_BEGIN_DECLS extern "C" {
#define CS_END_DECLS   }
#else
#define CS_BEGIN_DECLS
#define CS_END_DECLS
#endif

#if defined(__GNUC__)
#define CS_API               __attribute__((visibility("default")))
#define CS_PRINTF(at, first) __attribute__((format(printf, at, first)))
#define CS_MUST_USE          __attribute__((warn_unused_result))
#else
#define CS_API
#define CS_PRINTF(at, first)
#define CS_MUST_USE
#endif

CS_BEGIN_DECLS

/* ==== errors ==== */

/*
 * The error object.
 *
 * A function that can fail returns `struct cs_error *`. NULL is success. Any other value is owned
 * by the caller, who frees it, returns it, or wraps it as the cause of another. An error has a code
 * (named and never changed), a message, which contains the field path where there is one, and where
 * known the file and the byte offset. Messages may quote bytes of a file, so pass them through
 * cs_escape() before printing them on a terminal. Out of memory is one static object, so that
 * reporting it never allocates.
 */

/*
 * The kinds of errors, E_NOMEM and so on. Their numbers never change. A code that is newer than
 * CS_E_INTERNAL has no constant here: cs_word(CS_WORDS_CODE, code) returns its name.
 */
enum cs_code {
	/* The machine and the file system. */
	CS_E_NOMEM,
	CS_E_IO,
	CS_E_NOFILE,
	CS_E_NOTFILE,
	CS_E_EXISTS,
	CS_E_CHANGED,
	CS_E_LIMIT,
	CS_E_INTERRUPTED,
	/* Faults that any reader can find in a file. */
	CS_E_MAGIC,
	CS_E_VERSION,
	CS_E_TRUNCATED,
	CS_E_TRAILING,
	CS_E_CHECKSUM,
	CS_E_LAYOUT,
	CS_E_COMPRESSION,
	CS_E_MISSING,
	CS_E_FIELD,
	CS_E_REFERENCE,
	CS_E_FEATURE,
	/* The uncooked world. */
	CS_E_JSON,
	CS_E_WORLD,
	CS_E_GUID,
	CS_E_DUPLICATE,
	/* A UE project. */
	CS_E_PROJECT,
	CS_E_NOMAP,
	CS_E_PACKAGE,
	CS_E_LFS,
	CS_E_COOKED,
	CS_E_DESCRIPTOR,
	CS_E_LOG,
	CS_E_KEY,
	/* Cook and run time. */
	CS_E_PROFILE,
	CS_E_SETTING,
	CS_E_NOCELL,
	CS_E_NOACTOR,
	CS_E_NOLAYER,
	CS_E_NOGRID,
	CS_E_NOSOURCE,
	CS_E_NOFRAME,
	/* Meshes. */
	CS_E_MESH,
	CS_E_NANITE,
	/* Plans. */
	CS_E_FARM,
	/* Queries. */
	CS_E_SQL,
	/* The program. */
	CS_E_USAGE,
	CS_E_UNKNOWN,
	CS_E_AMBIGUOUS,
	CS_E_NOTOPEN,
	CS_E_UNSAFE,
	CS_E_CHECK,
	CS_E_DEPTH,
	CS_E_TIMEOUT,
	CS_E_INTERNAL,
};

/* Stands for an unknown byte offset. */
#define CS_NO_OFFSET UINT64_MAX

/* Callers only read the members, which the error owns. */
struct cs_error {
	enum cs_code code;
	uint64_t offset; /* offset in the file in bytes, or CS_NO_OFFSET */
	char *message;
	char *file;             /* NULL for none */
	struct cs_error *cause; /* NULL for none */
};

CS_API struct cs_error *cs_error_new(enum cs_code code, const char *format, ...)
	CS_PRINTF(2, 3) CS_MUST_USE;
/* Works as cs_error_new, for a place in a file. `file` is copied and may be NULL. */
CS_API struct cs_error *cs_error_at(enum cs_code code, const char *file, uint64_t offset,
	const char *format, ...) CS_PRINTF(4, 5) CS_MUST_USE;
/*
 * Sets the offset of an error (CS_NO_OFFSET: none), for data that does not begin at the start of
 * the user's file. File, message and causes don't change, and an error of lack of memory stays as
 * it is.
 */
static inline void cs_error_move(struct cs_error *error, uint64_t offset)
{
	if (error->code != CS_E_NOMEM)
		error->offset = offset;
}

/* Appends text to the message of an error and returns the error. */
CS_API struct cs_error *cs_error_add(struct cs_error *error, const char *format, ...)
	CS_PRINTF(2, 3) CS_MUST_USE;
/*
 * Makes an error for a failed system call: NOFILE, NOTFILE, EXISTS, NOMEM or IO, depending on
 * `errnum`.
 */
CS_API struct cs_error *cs_error_errno(
	int errnum, const char *file, const char *action) CS_MUST_USE;
CS_API struct cs_error *cs_error_nomem(void) CS_MUST_USE;
CS_API void cs_error_free(struct cs_error *error);

/*
 * Returns whether other input would fail too, because the error is not about the input: out of
 * memory, out of time, interrupted. Callers that collect errors and continue must return such an
 * error at once.
 */
static inline bool cs_error_is_final(const struct cs_error *error)
{
	return error->code == CS_E_NOMEM || error->code == CS_E_TIMEOUT ||
	       error->code == CS_E_INTERRUPTED;
}

/* ==== values, limits, jobs, text ==== */

/*
 * Small values that every module uses: GUIDs, geometry, limits, jobs, safe text. Units are
 * centimetres and degrees, Z points up, and boxes are axis aligned.
 */

/* Returns the version of the library: "X.Y.Z". */
CS_API const char *cs_version(void);

/* Stands for no index, in every u32 index of the library and of its files. */
#define CS_NONE      UINT32_MAX
/* A number that is not known. It is NAN, and null as a value (cs_number). */
#define CS_NO_NUMBER ((double)NAN)

/* ---- GUID ---- */

/*
 * A GUID as four u32, as UE stores it. Its text form is each as %08X in order (UE's "Digits"). Zero
 * means none.
 */
struct cs_guid {
	uint32_t a, b, c, d;
};

#define CS_GUID_TEXT 33 /* bytes of the text form with its NUL */

CS_API void cs_guid_format(struct cs_guid guid, char text[CS_GUID_TEXT]);

/* ---- geometry ---- */

struct cs_vec3 {
	double x, y, z;
};

struct cs_quat {
	double x, y, z, w;
};

/* A transform, applied as scale, then rotation, then translation, as UE does. */
struct cs_transform {
	struct cs_quat rotation;
	struct cs_vec3 translation;
	struct cs_vec3 scale;
};

/* A box. It is invalid (never initialised, and skipped in unions) when min > max on any axis. */
struct cs_box {
	struct cs_vec3 min, max;
};

#define CS_BOX_INVALID        ((struct cs_box){{1, 1, 1}, {-1, -1, -1}})
#define CS_TRANSFORM_IDENTITY ((struct cs_transform){{0, 0, 0, 1}, {0, 0, 0}, {1, 1, 1}})

static inline bool cs_box_valid(const struct cs_box *box)
{
	return box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z;
}

/* Converts UE's rotator, in degrees. */
CS_API struct cs_quat cs_quat_from_euler(double pitch, double yaw, double roll);
/* Returns the largest factor by which a transform stretches a length: the largest of its scales. */
static inline double cs_transform_reach(const struct cs_transform *by)
{
	return fmax(fabs(by->scale.x), fmax(fabs(by->scale.y), fabs(by->scale.z)));
}

/* Rounds to the nearest multiples of `step`, for people. */
static inline struct cs_vec3 cs_vec3_rounded(struct cs_vec3 point, double step)
{
	const double parts = 1 / step; /* a divisor, because tenths have no exact factor */
	struct cs_vec3 rounded = {round(point.x * parts) / parts, round(point.y * parts) / parts,
		round(point.z * parts) / parts};
	return rounded;
}

/* ---- limits ---- */

/* Limits for the cost of an input. Exceeding one is E_LIMIT, which names it. */
struct cs_limits {
	uint64_t memory;        /* decoded bytes of one open file */
	uint64_t file_bytes;    /* size of a file */
	uint64_t section_bytes; /* decoded size of one section */
	uint64_t records;       /* rows of one table */
	uint32_t sections;      /* sections of one file */
	uint32_t name_bytes;    /* length of one name */
	uint32_t depth;         /* level instances in each other, folders below a project */
	uint32_t findings;      /* findings after which verify stops */
};

static inline struct cs_limits cs_limits_default(void)
{
	struct cs_limits limits = {UINT64_C(1) << 30, UINT64_C(64) << 30, UINT64_C(64) << 20,
		UINT64_C(16) << 20, 65536, 1024, 64, 1000};
	return limits;
}

/* ---- jobs ---- */

enum cs_log_level { CS_LOG_DEBUG, CS_LOG_INFO, CS_LOG_WARNING, CS_LOG_ERROR };

/*
 * How a long operation runs. Every function that may take longer than a keystroke takes a job. NULL
 * means a job of zeros: default limits, all processors, silent, never interrupted. Only the
 * calling thread calls the callbacks.
 */
struct cs_job {
	int threads; /* 0 means as many as OpenMP gives (OMP_NUM_THREADS) */
	const struct cs_limits *limits;
	void (*log)(void *context, enum cs_log_level level, const char *message);
	/* Reports progress. `total` is 0 when it is not known. */
	void (*progress)(void *context, const char *phase, uint64_t done, uint64_t total);
	bool (*interrupted)(void *context);
	void *context;
};

/*
 * Returns whether the user asked to stop. False without a job, or for a job without the callback
 * `interrupted`.
 */
static inline bool cs_job_interrupted(const struct cs_job *job)
{
	return job && job->interrupted && job->interrupted(job->context);
}

/*
 * A companion runs by the clock of a stream without being part of it, such as the pages of meshes:
 * its frames run after those of the stream, and its inputs and its state are part of the timeline.
 * The same inputs must give the same states. `save` returns bytes that are valid until the next
 * call.
 */
struct cs_companion {
	void *context;
	struct cs_error *(*frame)(void *context, uint64_t frame, uint64_t time, uint64_t length);
	struct cs_error *(*input)(void *context, const char *text);
	struct cs_error *(*save)(void *context, const void **bytes_ret, size_t *n_ret);
	struct cs_error *(*restore)(void *context, const void *bytes, size_t n);
};

/* ---- text ---- */

/*
 * Makes text from a file or from the user safe for a terminal. Valid UTF-8 is kept. Control
 * characters, DEL, C1, bidi and zero-width marks, backslash, invalid bytes and every combining mark
 * after the fourth on a character become \xHH. `ascii` escapes every byte above 0x7e as well. It
 * works like snprintf: it writes at most `size` bytes with the NUL, never splits an escape or a
 * character, and returns the length of the whole.
 */
CS_API size_t cs_escape(const char *text, size_t length, bool ascii, char *ret, size_t size);
/*
 * Formats the shortest decimal form that reads back as the same double. It never depends on the
 * locale.
 */
#define CS_DOUBLE_TEXT 32
CS_API void cs_double_format(double value, char text[CS_DOUBLE_TEXT]);
/*
 * Parses a whole decimal number in C syntax, independently of the locale. Returns false for any
 * other text.
 */
CS_API bool cs_double_parse(const char *text, size_t length, double *ret);
/* Compares names as UE does, ignoring ASCII case. */
CS_API int cs_name_compare(const char *left, const char *right);
/* Bytes of a 128-bit number as UE prints it in names: 25 digits 0-9A-Z and a NUL. */
#define CS_BASE36_TEXT 26

/* ==== rules ==== */

/*
 * The rules that the library follows, as data. cellscope-rules(7) prints them, and comments,
 * findings and answers cite them by number. All texts are static.
 */

/* How certain a rule is. */
enum cs_certainty {
	CS_CERTAINTY_FILE,    /* the rule was compared with files that the engine wrote */
	CS_CERTAINTY_TEXT,    /* published texts state the rule */
	CS_CERTAINTY_ASSUMED, /* the rule is our best reading, isolated in one place */
	CS_CERTAINTIES
};

struct cs_rulebook_entry {
	const char *number;  /* "1.6.4", "nanite 2.1", "ue 4"; never reused */
	const char *engines; /* the profiles that the rule applies to, or "all" */
	enum cs_certainty certainty;
	const char *test; /* the test that fails when the rule is broken */
	const char *title;
	const char *text; /* text of the rule, one paragraph */
};

/* Returns the rules in the order of their numbers. */
CS_API const struct cs_rulebook_entry *cs_rulebook(size_t *n_ret);
/* Finds a rule by its number, ignoring case. Returns NULL when there is none. */
static inline const struct cs_rulebook_entry *cs_rulebook_find(const char *number)
{
	size_t n;
	const struct cs_rulebook_entry *entries = cs_rulebook(&n);
	for (size_t i = 0; i < n; i++)
		if (cs_name_compare(entries[i].number, number) == 0)
			return &entries[i];
	return NULL;
}

/* ==== words ==== */

/* The enums whose values have words. */
enum cs_words {
	CS_WORDS_CODE, /* enum cs_code: its help says what the user can do about it */
	CS_WORDS_CERTAINTY,
	CS_WORDS_SEVERITY,
	CS_WORDS_CHECK,     /* cs_cooked_finding.check: the token that the engine prints */
	CS_WORDS_PLACEMENT, /* enum cs_placement: its help says why an actor is in no cell */
	CS_WORDS_ALWAYS,
	CS_WORDS_DIFFERENCE, /* number of a bit of cs_diff_row.reasons */
	CS_WORDS_COMPARED,   /* enum cs_compare_kind, */
	CS_WORDS_CHANGE,     /* cs_compare_change, */
	CS_WORDS_VERDICT,    /* cs_compare_verdict */
	CS_WORDS_LEVEL_STATE,
	CS_WORDS_CELL_STATE, /* enum cs_map_state: the column `state` of cells */
	CS_WORDS_PERFORMANCE,
	CS_WORDS_REASON,
	CS_WORDS_ORDER_KEY,
	CS_WORDS_LAYER_ANSWER,
	CS_WORDS_LAYER_VERDICT,
	CS_WORDS_HLOD_STATE,
	CS_WORDS_HLOD_FAULT,
	CS_WORDS_RANGE_ORIGIN,
	CS_WORDS_MOMENT,
	CS_WORDS_HITCH_CAUSE,
	CS_WORDS_MAP_OVERLAY,
	CS_WORDS_PAGE_STATE,
	CS_WORDS_STEP_STATE, /* enum cs_farm_state */
	CS_WORDS_WRITTEN,    /* enum cs_ue_written_kind */
	CS_WORD_LISTS
};

/*
 * The name of a value, one sentence about it, and the number of the rule (cs_rulebook_find) that it
 * follows. Help and rule are NULL where there is none.
 */
struct cs_word {
	const char *name, *help, *rule;
};

/* Returns all words of a list, indexed by value. */
CS_API const struct cs_word *cs_words(enum cs_words list, size_t *n_ret);
/* Returns the word of a value. Name and help of a value that is not in the list are "?". */
static inline const struct cs_word *cs_word(enum cs_words list, uint32_t value)
{
	static const struct cs_word unknown = {"?", "?", NULL};
	size_t n;
	const struct cs_word *words = cs_words(list, &n);
	return value < n ? &words[value] : &unknown;
}

/* ==== files ==== */

/*
 * The project's container: a header, a section table and checked, LZ4-compressed sections, each of
 * which is a piece of a table of fixed-size records. The layout is in cellscope-format(5), and its
 * kinds are .cworld and .cnanite.
 *
 * Field tables describe records, and reading, printing, JSON, field paths, verify and the format
 * manual follow from them. A file is opened strictly (the first damage is an error), verify reports
 * every damage, and salvage ignores checksums and continues.
 */

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
	CS_FIELD_ZERO,      /* reserved bytes, which must be zero; count is their number */
	/* Payload of other formats. Any bits are valid here, and their own module checks them. */
	CS_FIELD_HALF,    /* u16, binary16 */
	CS_FIELD_VEC3F,   /* 3 f32 */
	CS_FIELD_SPHEREF, /* centre and radius: 4 f32 */
	CS_FIELD_HEX,     /* u32 of bit fields, printed in hexadecimal */
	CS_FIELD_TYPES
};

struct cs_field {
	const char *name;
	enum cs_field_type type;
	uint16_t offset; /* offset in bytes, in the file and in the struct */
	uint16_t count;  /* length of an array, 0 and 1 for a single value; bytes for ZERO */
	uint16_t stride; /* bytes from one element of an array to the next, 0 for no gap */
	bool required;   /* REFERENCE: CS_NONE is not allowed */
	uint16_t target; /* table id for REFERENCE and RANGE */
	/*
	 * The field of an earlier table, by its offset, whose value most rows have in the row of
	 * the same number; table 0 for none.
	 */
	uint16_t twin_table, twin_offset;
	const char *const *names; /* NULL-terminated, for ENUM and FLAGS */
	const char *unit;
	const char *doc;
};

struct cs_record {
	const char *name; /* name of the table, in the plural */
	uint16_t table;   /* number of the table */
	uint16_t size;    /* bytes of one record */
	bool critical;    /* the file cannot be used without this table */
	const struct cs_field *fields;
	size_t n_fields;
	const char *doc;
};

/*
 * The table of texts, which every kind has: one blob of NUL-terminated UTF-8, the empty text first.
 */
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

CS_API const struct cs_schema *const *cs_schemas(size_t *n_ret);

/* Returns the record of a table, or NULL when there is none. */
static inline const struct cs_record *cs_schema_record(
	const struct cs_schema *schema, uint16_t table)
{
	for (size_t i = 0; i < schema->n_records; i++)
		if (schema->records[i]->table == table)
			return schema->records[i];
	return NULL;
}

/* ---- reading ---- */

enum cs_file_mode {
	CS_FILE_STRICT,  /* every byte is checked when the file is opened */
	CS_FILE_LAZY,    /* each section is checked when it is read */
	CS_FILE_SALVAGE, /* checksums are ignored, for salvage and fuzzing */
};

struct cs_file;

CS_API struct cs_error *cs_file_open(const char *path, enum cs_file_mode mode,
	const struct cs_job *job, struct cs_file **ret) CS_MUST_USE;
CS_API void cs_file_close(struct cs_file *file);

struct cs_section {
	uint16_t table, part;
	uint32_t flags; /* CS_SECTION_ */
	uint64_t offset, stored_size, raw_size, stored_sum, raw_sum;
	uint32_t record_count, record_size;
};

#define CS_SECTION_LZ4      1u
#define CS_SECTION_CRITICAL 2u
#define CS_SECTION_COLUMNS  4u /* together with LZ4: the rows are packed column by column */
/* the rows are packed by column, and each byte plane of a column separately */
#define CS_SECTION_PLANES   8u
/* together with PLANES: a column contains only what differs from its twin */
#define CS_SECTION_TWINS    16u

struct cs_file_info {
	const struct cs_schema *schema;
	uint64_t size; /* size of the file in bytes */
	/* hash of the uncompressed content, equal for equal content */
	char content_id[33];
};

CS_API struct cs_file_info cs_file_info(const struct cs_file *file);

/* A row of a table, or one of its fields. */
struct cs_spot {
	const struct cs_record *record;
	const void *row;              /* owned by the file */
	size_t index;                 /* index of the row */
	const struct cs_field *field; /* NULL for the whole row */
	size_t element;               /* index in the field's array */
};

/*
 * Follows a path: "world.profile", "cells[12].partition.name", "cells[12].actors[0].label". A
 * reference leads to its row, a range with an index leads to that row of its table, and tables that
 * only list rows of others are passed through. Returns E_FIELD when the path names nothing, and
 * E_MISSING when a reference on the way is CS_NONE.
 */
CS_API struct cs_error *cs_file_follow(
	struct cs_file *file, const char *path, struct cs_spot *ret) CS_MUST_USE;

/* ---- verifying ---- */

enum cs_severity { CS_INFO, CS_WARNING, CS_ERROR };

struct cs_finding {
	enum cs_severity severity;
	enum cs_code code;
	uint64_t offset;  /* offset in the file in bytes, or CS_NO_OFFSET */
	const char *rule; /* id of the broken rule, from its module's list, or NULL */
	char place[96];   /* "cells[12].grid", "header", "" */
	char message[192];
};

/*
 * Checks the container and its records: every checksum, every reference. `report` is called for
 * each finding, at most limits.findings times. Errors that end the check are findings too. The
 * function itself fails only for reasons outside the file. The module of a kind checks its further
 * rules (cs_cooked_verify, cs_nanite_verify).
 */
CS_API struct cs_error *cs_file_verify(const char *path, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret) CS_MUST_USE;

/*
 * A list of findings, in the order in which they were reported. Zeros are an empty list. The caller
 * frees `at`.
 */
struct cs_findings {
	struct cs_finding *at;
	size_t n, room;
	bool failed; /* a finding was lost for lack of memory */
};

/* A reporter for the checks, whose context is a struct cs_findings. */
CS_API void cs_findings_keep(void *context, const struct cs_finding *finding);
/*
 * Turns an error that ends a check into a finding of the rule "source", and frees it. Lack of
 * memory and interruptions stay errors.
 */
CS_API struct cs_error *cs_findings_keep_error(
	struct cs_findings *findings, struct cs_error *error) CS_MUST_USE;
/* Returns whether the findings refuse a file. Warnings and notes do not. */
static inline bool cs_findings_refuse(const struct cs_findings *findings)
{
	for (size_t i = 0; i < findings->n; i++)
		if (findings->at[i].severity == CS_ERROR)
			return true;
	return false;
}

/* ---- writing ---- */

/* A file that is being written beside the one that it will replace. */
struct cs_save {
	char *path, *temporary; /* owned by the save */
	int fd;                 /* descriptor of the temporary file; may be written to directly */
	bool relaxed;           /* whether the file is replaced without waiting for the disk */
};

/*
 * Begins to write a file. A symbolic link is kept, and the file that it refers to is replaced. The
 * mode of the old file is kept.
 */
CS_API struct cs_error *cs_save_begin(const char *path, struct cs_save *ret) CS_MUST_USE;
/* Commits the save, which ends whether it succeeded or not. */
CS_API struct cs_error *cs_save_commit(struct cs_save *save) CS_MUST_USE;
/* Removes the temporary file. It does nothing after a commit. */
CS_API void cs_save_abandon(struct cs_save *save);

/* Replaces the file as a whole. The old file is kept when anything fails. */
CS_API struct cs_error *cs_save_whole(const char *path, const void *bytes, size_t n) CS_MUST_USE;

/* ---- printing ---- */

/* Formats one value of a record: "12", "(1, 2, 3)", a name, a text in the file's strings. */
CS_API size_t cs_field_format(const struct cs_file *file, const struct cs_field *field,
	const void *row, size_t index, char *ret, size_t size);

CS_END_DECLS

#endif
