/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarations that every public header of libcellscope uses.
 *
 * Rules for the whole library: it does not print, does not end the process, and has no global
 * state. A function that can fail returns `struct cs_error *`, where NULL means success, and leaves
 * its `*_ret` parameters untouched on failure. `_init/_deinit` work on storage of the caller,
 * `_new/_free` on the heap, and every `_free` and `_close` accepts NULL. Rows, lists, bytes and
 * texts that "the caller frees" are freed with free(). Distinct objects may be used from distinct
 * threads.
 *
 * Comments refer to the rules of the engine by number ("rule 1.6.4"): cs_rulebook() returns them,
 * and `help rule 1.6.4` and cellscope-rules(7) print them. "5.7: ..." means engine version 5.7.
 * Some structs only describe the rows of a table of cellscope/query.h; their comments name it.
 *
 * An option struct begins with its size in bytes: {.size = sizeof(struct cs_cook_options), ...}.
 * Later versions of the library add members only at the end of an option struct, and zero is the
 * default of each added member. If a program was compiled with an older, shorter struct, the
 * members that this struct lacks have their defaults. A program compiled with a newer, longer
 * struct gets E_USAGE if it sets a member that this library does not know. A size of 0 means the
 * size of the struct in version 0.1. A function that accepts options accepts NULL for all defaults.
 * These rules are valid from release 0.1 on. Before that release any struct may change its length,
 * and programs must be compiled again.
 */
#ifndef CELLSCOPE_CORE_H
#define CELLSCOPE_CORE_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Headers put their declarations between CS_BEGIN_DECLS and CS_END_DECLS, for C linkage in C++. */
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
 * A function that can fail returns `struct cs_error *`: NULL for success, otherwise an error
 * object. The caller owns the error and frees it, returns it, or makes it the `cause` of another
 * error, which then owns it. An error contains a code; a message, which contains the path of the
 * field if the error is about a field; and the file and the byte offset if they are known. Messages
 * may quote bytes of a file, so pass them through cs_escape() before printing them on a terminal.
 * The error for lack of memory is one static object, so that reporting it allocates nothing.
 */

/*
 * Codes of errors. CS_E_NOMEM is printed as E_NOMEM, and so on. The numbers never change. Functions
 * may also return codes above CS_E_INTERNAL, which have no constant in this enum. For every code
 * cs_word(CS_WORDS_CODE, code) returns the name, and as help what to do about the error.
 */
enum cs_code {
	/* Errors of the machine and of the file system. */
	CS_E_NOMEM,
	CS_E_IO,
	CS_E_NOFILE,
	CS_E_NOTFILE, /* not a regular file */
	CS_E_EXISTS,
	CS_E_CHANGED,     /* the file changed while it was read */
	CS_E_LIMIT,       /* an input is larger than a limit, of struct cs_limits or a fixed one */
	CS_E_INTERRUPTED, /* cs_job.interrupted returned true */
	/* Damage that the reader of a file of any format can find. */
	CS_E_MAGIC, /* a file of another kind */
	CS_E_VERSION,
	CS_E_TRUNCATED,
	CS_E_TRAILING, /* bytes after the end of the content */
	CS_E_CHECKSUM,
	CS_E_LAYOUT, /* the parts of the file contradict each other */
	CS_E_COMPRESSION,
	CS_E_MISSING,   /* the named object does not exist, or the file lacks a needed part */
	CS_E_FIELD,     /* a value that the format does not allow; a path that names no field */
	CS_E_REFERENCE, /* the file refers to something that it does not contain */
	CS_E_FEATURE,   /* valid, but this library cannot do or read it */
	/* Errors in the JSON form of an uncooked world. */
	CS_E_JSON,
	CS_E_WORLD, /* valid JSON that describes no valid world */
	CS_E_GUID,
	CS_E_DUPLICATE,
	/* Errors in the files of a UE project. */
	CS_E_PROJECT,
	CS_E_NOMAP,
	CS_E_PACKAGE,
	CS_E_LFS,        /* the file is only a pointer of Git LFS */
	CS_E_COOKED,     /* the file is cooked, and only its source contains the requested data */
	CS_E_DESCRIPTOR, /* damaged actor descriptor */
	CS_E_LOG,        /* not a StreamingGeneration log */
	CS_E_KEY,        /* the files are encrypted, and the AES key is missing or wrong */
	/* Errors of cooking, and objects that a cook or a run does not contain. */
	CS_E_PROFILE, /* unknown engine profile (cs_profiles) */
	CS_E_SETTING, /* a value that is not allowed, of a setting or of an input of a run */
	CS_E_NOCELL,
	CS_E_NOACTOR,
	CS_E_NOLAYER,
	CS_E_NOGRID,
	CS_E_NOSOURCE,
	CS_E_NOFRAME,
	/* Errors of meshes and of Nanite resources. */
	CS_E_MESH,
	CS_E_NANITE,
	/* Errors of a farm plan (cellscope/farm.h). */
	CS_E_FARM,
	/* Errors of SQL queries. */
	CS_E_SQL,
	/*
	 * Errors of callers, and of commands and scripts of the program. The library itself never
	 * returns UNSAFE, CHECK, DEPTH and TIMEOUT.
	 */
	CS_E_USAGE, /* wrong options or arguments */
	CS_E_UNKNOWN,
	CS_E_AMBIGUOUS,
	CS_E_NOTOPEN,
	CS_E_UNSAFE, /* --safe forbids the command */
	CS_E_CHECK,  /* a check of a script failed */
	CS_E_DEPTH,  /* scripts or commands that run each other too deeply */
	CS_E_TIMEOUT,
	CS_E_INTERNAL, /* a fault of the library or the program */
};

#define CS_NO_OFFSET UINT64_MAX /* offset of an error or finding: not known */

/* An error. Callers change no member except `cause`; cs_error_free frees them and the causes. */
struct cs_error {
	enum cs_code code;
	uint64_t offset; /* offset in the file in bytes, or CS_NO_OFFSET */
	char *message;
	char *file;             /* path of the file that the error is about, or NULL */
	struct cs_error *cause; /* error that caused this one, or NULL */
};

/*
 * Creates an error with a message in printf syntax. The functions that create errors never return
 * NULL: without memory they return the static error for lack of memory (cs_error_nomem).
 */
CS_API struct cs_error *cs_error_new(enum cs_code code, const char *format, ...)
	CS_PRINTF(2, 3) CS_MUST_USE;
/* Works as cs_error_new for an error at an offset in bytes of `file`, which is copied, or NULL. */
CS_API struct cs_error *cs_error_at(enum cs_code code, const char *file, uint64_t offset,
	const char *format, ...) CS_PRINTF(4, 5) CS_MUST_USE;
/*
 * Replaces the byte offset of an error (CS_NO_OFFSET: not known). Readers of data in the middle of
 * a file use it to report the offset in the whole file. File, message and causes don't change. The
 * static error for lack of memory is not changed.
 */
static inline void cs_error_move(struct cs_error *error, uint64_t offset)
{
	if (error->code != CS_E_NOMEM)
		error->offset = offset;
}

/*
 * Appends text to the message of an error, which must not be NULL, and returns the error. Without
 * memory it frees the error and returns the static error for lack of memory, which never changes.
 */
CS_API struct cs_error *cs_error_add(struct cs_error *error, const char *format, ...)
	CS_PRINTF(2, 3) CS_MUST_USE;
/*
 * Creates an error for a failed system call. `errnum` is the value of errno and decides the code:
 * E_NOFILE, E_NOTFILE, E_EXISTS, E_NOMEM or E_IO. `file` is the path (copied), or NULL. `action` is
 * what failed, such as "make the folder".
 */
CS_API struct cs_error *cs_error_errno(
	int errnum, const char *file, const char *action) CS_MUST_USE;
CS_API struct cs_error *cs_error_nomem(void) CS_MUST_USE;
CS_API void cs_error_free(struct cs_error *error);
/* Returns `first` and frees `other`. If `first` is NULL, returns `other`. Both may be NULL. */
static inline struct cs_error *cs_error_first(struct cs_error *first, struct cs_error *other)
{
	if (!first)
		return other;
	cs_error_free(other);
	return first;
}

/*
 * Returns whether an operation must stop because of this error even if it collects the errors of
 * its inputs: true for lack of memory, time-out and interruption, which are not about the input.
 * Callers that collect errors and continue must return such an error at once.
 */
static inline bool cs_error_is_final(const struct cs_error *error)
{
	return error->code == CS_E_NOMEM || error->code == CS_E_TIMEOUT ||
	       error->code == CS_E_INTERRUPTED;
}

/* ==== values, limits, jobs, text ==== */

/*
 * Small values that every module uses: GUIDs, geometry, limits, jobs, safe text. Lengths are in
 * centimetres and angles in degrees, Z points up, and boxes are axis aligned.
 */

/* Returns the version of the library: "X.Y.Z". */
CS_API const char *cs_version(void);

#define CS_NONE      UINT32_MAX /* means "no index", in every u32 index of the library and its files */
/* A number that is not known: NAN, so test it with isnan(). Results of queries have null for it. */
#define CS_NO_NUMBER ((double)NAN)

/* ---- GUIDs ---- */

/*
 * A GUID as four u32, as UE stores it. Its text form is the four numbers in order, each as %08X
 * (UE's "Digits"). A GUID of zeros means none.
 */
struct cs_guid {
	uint32_t a, b, c, d;
};

#define CS_GUID_TEXT 33 /* bytes of the text form of a GUID, with its NUL */

CS_API void cs_guid_format(struct cs_guid guid, char text[CS_GUID_TEXT]);

/* ---- vectors, transforms and boxes ---- */

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

/*
 * A box. A box with min > max on any axis is invalid, like UE's FBox with IsValid 0: it stands for
 * "no bounds", and unions skip it.
 */
struct cs_box {
	struct cs_vec3 min, max;
};

#define CS_BOX_INVALID        ((struct cs_box){{1, 1, 1}, {-1, -1, -1}})
#define CS_TRANSFORM_IDENTITY ((struct cs_transform){{0, 0, 0, 1}, {0, 0, 0}, {1, 1, 1}})

static inline bool cs_box_valid(const struct cs_box *box)
{
	return box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z;
}

/* Converts UE's rotator, whose angles are in degrees, to a quaternion. */
CS_API struct cs_quat cs_quat_from_euler(double pitch, double yaw, double roll);
/* Returns a transform's largest stretch factor: the largest absolute component of its scale. */
static inline double cs_transform_reach(const struct cs_transform *by)
{
	return fmax(fabs(by->scale.x), fmax(fabs(by->scale.y), fabs(by->scale.z)));
}

/* Rounds each coordinate of a point to the nearest multiple of `step`, for display. */
static inline struct cs_vec3 cs_vec3_rounded(struct cs_vec3 point, double step)
{
	/* the inverse of `step`, because 0.1 is not exact in binary and 10 is */
	const double parts = 1 / step;
	struct cs_vec3 rounded = {round(point.x * parts) / parts, round(point.y * parts) / parts,
		round(point.z * parts) / parts};
	return rounded;
}

/* ---- limits on inputs ---- */

/*
 * Limits on the size of an input. Exceeding one causes E_LIMIT, whose message names the limit. A
 * limit of 0 allows nothing, so begin with cs_limits_default() and change members.
 */
struct cs_limits {
	uint64_t memory;        /* decoded bytes of one open file */
	uint64_t file_bytes;    /* size of a file in bytes */
	uint64_t section_bytes; /* decoded bytes of one section */
	uint64_t records;       /* number of rows of one table */
	uint32_t sections;      /* number of sections of one file */
	uint32_t name_bytes;    /* bytes of one name */
	/* largest depth of nested level instances, and of nested folders in a project */
	uint32_t depth;
	uint32_t findings; /* number of findings after which a check stops, without an error */
};

static inline struct cs_limits cs_limits_default(void)
{
	struct cs_limits limits = {UINT64_C(1) << 30, UINT64_C(64) << 30, UINT64_C(64) << 20,
		UINT64_C(1) << 28, 65536, 1024, 64, 1000};
	return limits;
}

/* ---- jobs: threads, limits and callbacks of long operations ---- */

enum cs_log_level { CS_LOG_DEBUG, CS_LOG_INFO, CS_LOG_WARNING, CS_LOG_ERROR };

/*
 * How a long operation runs: its threads, limits and callbacks. Functions that may take long have a
 * job parameter, which they use only during the call if their comment says nothing else. NULL
 * means a job of zeros: default limits, as many threads as OpenMP chooses, no log, no progress,
 * never interrupted. Only the calling thread calls the callbacks.
 */
struct cs_job {
	int threads; /* number of threads; 0 means as many as OpenMP chooses (OMP_NUM_THREADS) */
	const struct cs_limits *limits; /* NULL: cs_limits_default() */
	void (*log)(void *context, enum cs_log_level level, const char *message);
	/*
	 * Reports how many of `total` units of a phase are done. `total` is 0 when it is not known.
	 */
	void (*progress)(void *context, const char *phase, uint64_t done, uint64_t total);
	/* Called repeatedly. Once it returns true, the operation ends soon, with E_INTERRUPTED */
	bool (*interrupted)(void *context);
	void *context;
};

/* Returns whether the user asked to stop. False if `job` or its callback is NULL. */
static inline bool cs_job_interrupted(const struct cs_job *job)
{
	return job && job->interrupted && job->interrupted(job->context);
}

/*
 * A companion is a second simulation that runs by the clock of a streaming run (cellscope/stream.h,
 * where a stream is such a run), for example the paging of Nanite resources. The inputs and states
 * of the companion are recorded in the timeline of the run. The same inputs must give the same
 * states. Functions may be NULL. An error of `frame` or `input` ends the call of the stream.
 */
struct cs_companion {
	void *context;
	/*
	 * runs one frame of the companion after a frame of the stream: number of the frame, virtual
	 * time and length of the frame in ns
	 */
	struct cs_error *(*frame)(void *context, uint64_t frame, uint64_t time, uint64_t length);
	/* applies an input (CS_INPUT_COMPANION), a command line that the companion defines */
	struct cs_error *(*input)(void *context, const char *text);
	/* stores the state as bytes, which are valid until the next call of any of the functions */
	struct cs_error *(*save)(void *context, const void **bytes_ret, size_t *n_ret);
	/* sets the state to one that `save` stored */
	struct cs_error *(*restore)(void *context, const void *bytes, size_t n);
};

/* ---- text of terminals, numbers and names ---- */

/*
 * Copies text from a file or from the user in a form that is safe for a terminal. Valid UTF-8 is
 * kept. Control characters, DEL, C1, bidi and zero-width marks, backslash, invalid bytes and every
 * combining mark after the fourth on a character become \xHH. `ascii` escapes every byte above 0x7e
 * as well. Like snprintf the function writes at most `size` bytes with the NUL, and returns the
 * length of the complete result without the NUL. It never writes a part of an escape or of a
 * character.
 */
CS_API size_t cs_escape(const char *text, size_t length, bool ascii, char *ret, size_t size);
/*
 * Formats a decimal number of at most 17 digits from which cs_double_parse returns the same double,
 * independently of the locale. -0 becomes "0"; NAN and infinities become "nan", "inf" and "-inf",
 * which cs_double_parse refuses. CS_DOUBLE_TEXT is the size of the text in bytes, with its NUL.
 */
#define CS_DOUBLE_TEXT 32
CS_API void cs_double_format(double value, char text[CS_DOUBLE_TEXT]);
/* Parses one decimal number in C syntax, in any locale. Returns false for any other text. */
CS_API bool cs_double_parse(const char *text, size_t length, double *ret);
/* Compares names as UE does, ignoring ASCII case. */
CS_API int cs_name_compare(const char *left, const char *right);
/* Returns whether a name ends with `ending`, ignoring ASCII case. */
static inline bool cs_ends_with(const char *name, const char *ending)
{
	const size_t n = strlen(name), m = strlen(ending);
	return n >= m && cs_name_compare(name + n - m, ending) == 0;
}
/* Returns whether a name ends with one of `endings`, an array that NULL ends, ignoring case. */
static inline bool cs_ends_with_any(const char *name, const char *const *endings)
{
	while (*endings && !cs_ends_with(name, *endings))
		endings++;
	return *endings != NULL;
}
/* Size in bytes, with its NUL, of a 128-bit number as UE prints it in names: 25 digits 0-9A-Z. */
#define CS_BASE36_TEXT 26

/* ==== rules of the engine ==== */

/*
 * The rules of the engine that the library follows, as a table. Comments, findings and answers cite
 * them by number. All texts are static.
 */

/* The evidence that a rule is based on. */
enum cs_certainty {
	CS_CERTAINTY_FILE,    /* the rule was compared with files that the engine wrote */
	CS_CERTAINTY_TEXT,    /* published texts state the rule */
	CS_CERTAINTY_ASSUMED, /* the rule is our best reading of how the engine behaves */
	CS_CERTAINTIES
};

struct cs_rulebook_entry {
	const char *number;  /* number of the rule: "1.6.4", "nanite 2.1", "ue 4"; never reused */
	const char *engines; /* profiles that the rule applies to: "5.7", "5.4 to 5.7" or "all" */
	enum cs_certainty certainty;
	/* path in the source tree of the test that fails when the code breaks the rule */
	const char *test;
	const char *title;
	const char *text; /* text of the rule, one paragraph */
};

/* Returns all rules, ordered by number. */
CS_API const struct cs_rulebook_entry *cs_rulebook(size_t *n_ret);
/* Finds a rule by its number, ignoring case. Returns NULL when there is no rule of that number. */
static inline const struct cs_rulebook_entry *cs_rulebook_find(const char *number)
{
	size_t n;
	const struct cs_rulebook_entry *entries = cs_rulebook(&n);
	for (size_t i = 0; i < n; i++)
		if (cs_name_compare(entries[i].number, number) == 0)
			return &entries[i];
	return NULL;
}

/* ==== words for the values of enums ==== */

/* Lists of words: each list contains a name for every value of one enum (cs_words). */
enum cs_words {
	CS_WORDS_CODE,      /* enum cs_code; the `help` of a word is advice about the error */
	CS_WORDS_CERTAINTY, /* enum cs_certainty */
	CS_WORDS_SEVERITY,  /* enum cs_severity */
	/* cs_cooked_finding.check; names are the engine's tokens for its checks, else our own */
	CS_WORDS_CHECK,
	CS_WORDS_PLACEMENT,     /* enum cs_placement; a help says why an actor is in no cell */
	CS_WORDS_ALWAYS,        /* enum cs_always */
	CS_WORDS_DIFFERENCE,    /* bits of cs_diff_row.reasons, indexed by bit number */
	CS_WORDS_COMPARED,      /* enum cs_compare_kind */
	CS_WORDS_CHANGE,        /* enum cs_compare_change */
	CS_WORDS_VERDICT,       /* enum cs_compare_verdict */
	CS_WORDS_LEVEL_STATE,   /* enum cs_level_state (cellscope/stream.h, as the next 9) */
	CS_WORDS_CELL_STATE,    /* enum cs_map_state, as in the column `state` of the table cells */
	CS_WORDS_PERFORMANCE,   /* enum cs_performance */
	CS_WORDS_REASON,        /* enum cs_reason */
	CS_WORDS_ORDER_KEY,     /* enum cs_order_key */
	CS_WORDS_LAYER_ANSWER,  /* enum cs_layer_answer */
	CS_WORDS_LAYER_VERDICT, /* enum cs_layer_verdict */
	CS_WORDS_HLOD_STATE,    /* enum cs_hlod_state */
	CS_WORDS_HLOD_FAULT,    /* enum cs_hlod_fault */
	CS_WORDS_RANGE_ORIGIN,  /* enum cs_range_origin */
	CS_WORDS_MOMENT,        /* enum cs_moment (cellscope/runs.h) */
	CS_WORDS_HITCH_CAUSE,   /* enum cs_hitch_cause (cellscope/runs.h) */
	CS_WORDS_MAP_OVERLAY,   /* enum cs_map_overlay (cellscope/query.h) */
	CS_WORDS_PAGE_STATE,    /* enum cs_page_state (cellscope/paging.h) */
	CS_WORDS_STEP_STATE,    /* enum cs_farm_state (cellscope/farm.h) */
	CS_WORDS_WRITTEN,       /* enum cs_ue_written_kind (cellscope/ue.h) */
	CS_WORD_LISTS
};

/*
 * The word of one value of an enum: its name, a help of one sentence, and the number of the rule
 * that the value follows (cs_rulebook_find). Help and rule may be NULL.
 */
struct cs_word {
	const char *name, *help, *rule;
};

/* Returns all words of a list, indexed by the value of the enum. */
CS_API const struct cs_word *cs_words(enum cs_words list, size_t *n_ret);
/*
 * Returns the word of a value. The name and the help are "?" for a value that is not in the list.
 */
static inline const struct cs_word *cs_word(enum cs_words list, uint32_t value)
{
	static const struct cs_word unknown = {"?", "?", NULL};
	size_t n;
	const struct cs_word *words = cs_words(list, &n);
	return value < n ? &words[value] : &unknown;
}

/* ==== files that consist of tables ==== */

/*
 * The project's file container, used for .cworld and .cnanite files: a header, a section table, and
 * sections, which are LZ4-compressed and have checksums. Each section contains some or all rows of
 * one table of fixed-size records. cellscope-format(5) documents the layout.
 *
 * Field tables describe the records. Reading, printing, JSON, field paths, verification and the
 * format manual are derived from the field tables. Opening a file strictly reports the first damage
 * as an error, cs_file_verify reports every damage, and salvage ignores checksums and continues
 * after damage.
 */

/* ---- fields and records of tables ---- */

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
	CS_FIELD_VEC3,      /* 3 f64: x, y, z */
	CS_FIELD_QUAT,      /* 4 f64: x, y, z, w */
	CS_FIELD_BOX,       /* 6 f64: min and max, all finite, or CS_BOX_INVALID */
	CS_FIELD_TEXT,      /* u32, byte offset of a text in the strings table */
	CS_FIELD_REFERENCE, /* u32, row number in the target table, or CS_NONE */
	CS_FIELD_RANGE,     /* u32 first row and u32 count of rows in the target table */
	CS_FIELD_ENUM,      /* u32, index into `names` of the field */
	CS_FIELD_FLAGS,     /* u32; the name of bit i is names[i] of the field */
	CS_FIELD_BOOL,      /* u8, 0 or 1 */
	CS_FIELD_ZERO,      /* reserved bytes, which must be zero; `count` is their number */
	/*
	 * Types for the fields of other formats, such as pages of Nanite. Any bits are valid for
	 * the reader of container files; the module of the format checks the values.
	 */
	CS_FIELD_HALF,    /* u16, IEEE binary16 */
	CS_FIELD_VEC3F,   /* 3 f32: x, y, z */
	CS_FIELD_SPHEREF, /* 4 f32: centre and radius of a sphere */
	CS_FIELD_HEX,     /* u32 that consists of bit fields, printed in hexadecimal */
	CS_FIELD_TYPES
};

struct cs_field {
	const char *name;
	enum cs_field_type type;
	uint16_t offset; /* offset of the field in bytes, equal in the file and in the struct */
	uint16_t count;  /* elements of an array, 0 or 1 for a single value, or bytes of ZERO */
	uint16_t stride; /* bytes from one element of an array to the next, 0 for no gap */
	bool required;   /* whether CS_NONE is an error, for REFERENCE */
	uint16_t target; /* number of the table that a REFERENCE or RANGE refers to */
	/*
	 * Twin of the field, given by table and byte offset: a field of an earlier table that
	 * mostly has the same value in the row of the same index, so that only differences need be
	 * stored. A twin_table of 0 means that there is no twin.
	 */
	uint16_t twin_table, twin_offset;
	const char *const *names; /* names of values (ENUM) or bits (FLAGS), NULL at the end */
	const char *unit;         /* unit of the value, such as "cm", or NULL */
	const char *doc;
};

struct cs_record {
	const char *name; /* name of the table, a plural noun */
	uint16_t table;   /* number of the table, unique in its schema */
	uint16_t size;    /* bytes of one record */
	bool critical;    /* whether a file without this table cannot be used */
	const struct cs_field *fields;
	size_t n_fields;
	const char *doc;
};

/* Number of every file's text table: a blob of NUL-terminated UTF-8, whose first text is empty. */
enum { CS_TABLE_STRINGS = 1 };

/* All records of one kind of file. */
struct cs_schema {
	const char *name;      /* name of the kind of file, such as "cworld" */
	const char *extension; /* extension of the files, ".cworld" */
	uint32_t kind;         /* number of the kind in the header of the files */
	uint16_t major, minor; /* version of the format */
	const struct cs_record *const *records;
	size_t n_records;
};

CS_API const struct cs_schema *const *cs_schemas(size_t *n_ret);

/* Returns the record of the table with that number, or NULL when the schema has no such table. */
static inline const struct cs_record *cs_schema_record(
	const struct cs_schema *schema, uint16_t table)
{
	for (size_t i = 0; i < schema->n_records; i++)
		if (schema->records[i]->table == table)
			return schema->records[i];
	return NULL;
}

/* ---- reading a file ---- */

enum cs_file_mode {
	CS_FILE_STRICT,  /* all checksums and records are checked when the file is opened */
	CS_FILE_LAZY,    /* each section is checked when it is read */
	CS_FILE_SALVAGE, /* wrong checksums are ignored; for salvage and fuzzing */
};

struct cs_file;

/* Opens a file. `job` is used only during the call; its limits are copied for later reading. */
CS_API struct cs_error *cs_file_open(const char *path, enum cs_file_mode mode,
	const struct cs_job *job, struct cs_file **ret) CS_MUST_USE;
CS_API void cs_file_close(struct cs_file *file);

/* A section of a file, as in the section table. Offset and sizes are in bytes. */
struct cs_section {
	uint16_t table, part; /* number of the table; number of the section in its table, from 0 */
	uint32_t flags;       /* CS_SECTION_ flags */
	/* `raw`: before compression. The sums are XXH3-64 hashes of the stored and the raw bytes */
	uint64_t offset, stored_size, raw_size, stored_sum, raw_sum;
	uint32_t record_count, record_size;
};

#define CS_SECTION_LZ4      1u
#define CS_SECTION_CRITICAL 2u
/* Only with LZ4: the section stores all values of one field, then those of the next field. */
#define CS_SECTION_COLUMNS  4u
/* like COLUMNS, and all first bytes of a field are stored together, then all second bytes ... */
#define CS_SECTION_PLANES   8u
/* with PLANES: a field stores only values that differ from those of its twin (see cs_field) */
#define CS_SECTION_TWINS    16u

struct cs_file_info {
	const struct cs_schema *schema;
	uint64_t size; /* size of the file in bytes */
	/* hash of the uncompressed content as hexadecimal text, equal for equal content */
	char content_id[33];
	const char *name; /* path of the file as it was opened; of a level, that of its world */
};

CS_API struct cs_file_info cs_file_info(const struct cs_file *file);

/* A row of a table in a file, or one field of a row. */
struct cs_spot {
	const struct cs_record *record;
	const void *row;              /* the row, owned by the file */
	size_t index;                 /* index of the row in its table */
	const struct cs_field *field; /* the field, or NULL for the whole row */
	size_t element;               /* index of the element if the field is an array */
};

/*
 * Finds the row or field that a path names: "world.profile", "cells[12].partition.name",
 * "cells[12].actors[0].label". A table with one row needs no index. A reference in the path leads
 * to the row that it refers to, and a range with an index to one row of the range. If the range is
 * in a table whose rows are only references, such as cell_actors, it leads to the row that is
 * referred to: "cells[12].actors[0]" is a row of actors. Returns E_FIELD when the path names
 * nothing, and E_MISSING when a reference on the path is CS_NONE.
 */
CS_API struct cs_error *cs_file_follow(
	struct cs_file *file, const char *path, struct cs_spot *ret) CS_MUST_USE;

/* ---- verifying a file ---- */

enum cs_severity { CS_INFO, CS_WARNING, CS_ERROR };

struct cs_finding {
	enum cs_severity severity;
	enum cs_code code;
	uint64_t offset; /* offset in the file in bytes, or CS_NO_OFFSET */
	/* static name of the broken rule of the file format, such as "source", or NULL */
	const char *rule;
	char place[96]; /* where the fault is: "cells[12].grid", "header", "" */
	char message[192];
};

/*
 * Checks the container and its records: every checksum, every reference. `report` is called for
 * each finding, at most limits.findings times. Damage that ends the check is a finding too; the
 * function itself fails only for reasons outside the file. It does not check the rules of one kind
 * of file: see cs_cooked_verify and cs_nanite_verify. The number of findings is stored in `n_ret`.
 */
CS_API struct cs_error *cs_file_verify(const char *path, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret) CS_MUST_USE;

/* Findings in the order of their reports. A struct of zeros has none. The caller frees `at`. */
struct cs_findings {
	struct cs_finding *at;
	size_t n, room;
	bool failed; /* whether a finding was lost for lack of memory */
};

/*
 * Appends a copy of a finding to a list. It is a `report` callback for cs_file_verify and the other
 * checks; `context` is a struct cs_findings.
 */
CS_API void cs_findings_keep(void *context, const struct cs_finding *finding);
/*
 * Appends the error that ended a check to the findings, as a finding of severity CS_ERROR with the
 * rule "source", frees the error and returns NULL. An error for which cs_error_is_final is true is
 * returned unchanged instead. For NULL the function does nothing.
 */
CS_API struct cs_error *cs_findings_keep_error(
	struct cs_findings *findings, struct cs_error *error) CS_MUST_USE;
/* Returns whether any finding has the severity CS_ERROR, so that the file must be rejected. */
static inline bool cs_findings_refuse(const struct cs_findings *findings)
{
	for (size_t i = 0; i < findings->n; i++)
		if (findings->at[i].severity == CS_ERROR)
			return true;
	return false;
}

/* ---- writing a file ---- */

/* A file being written under a temporary name, in the folder of the file that it replaces. */
struct cs_save {
	char *path, *temporary; /* owned by this struct */
	int fd;                 /* descriptor of the temporary file; the caller may write to it */
	/* whether the commit skips waiting for the disk (fsync), false unless the caller sets it */
	bool relaxed;
};

/*
 * Creates the temporary file. When `path` is a symbolic link, the commit keeps the link and
 * replaces the file that it refers to. The new file has the mode of the old one.
 */
CS_API struct cs_error *cs_save_begin(const char *path, struct cs_save *ret) CS_MUST_USE;
/*
 * Replaces the old file by the temporary one and frees the members of the save. If this fails, the
 * temporary file is removed and the old file is unchanged, except that after a failed sync of the
 * folder (an E_IO) the new file is in place already.
 */
CS_API struct cs_error *cs_save_commit(struct cs_save *save) CS_MUST_USE;
/* Removes the temporary file and frees the save. Does nothing after a commit. */
CS_API void cs_save_abandon(struct cs_save *save);
/* Ends a save. If `error` is NULL, commits the save, else abandons it and returns the error. */
static inline struct cs_error *cs_save_end(struct cs_save *save, struct cs_error *error)
{
	if (!error)
		return cs_save_commit(save);
	cs_save_abandon(save);
	return error;
}

/* Replaces a file by `n` bytes atomically. The old file is unchanged when anything fails. */
CS_API struct cs_error *cs_save_whole(const char *path, const void *bytes, size_t n) CS_MUST_USE;

/* ---- printing a field ---- */

/*
 * Formats one element of a field of `row`: "12", "(1, 2, 3)", a name of an enum, or a text of the
 * file, which is not escaped (see cs_escape). `index` is the element of an array. The function
 * writes and returns lengths as snprintf does.
 */
CS_API size_t cs_field_format(const struct cs_file *file, const struct cs_field *field,
	const void *row, size_t index, char *ret, size_t size);

CS_END_DECLS

#endif
