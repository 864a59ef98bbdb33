/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small values that every module speaks in: GUIDs, geometry, limits, jobs, safe text.
 * Units: centimetres, degrees, Z up; boxes are axis aligned.
 */
#ifndef CELLSCOPE_BASE_H
#define CELLSCOPE_BASE_H

#include <cellscope/api.h>
#include <cellscope/error.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

CS_BEGIN_DECLS

/* "cellscope X.Y.Z" without the name. */
CS_API const char *cs_version(void);

/* No index, in every u32 index of the library and of its files. */
#define CS_NONE      UINT32_MAX
/* A number that is not known: not a number. As a value it is null (cs_number). */
#define CS_NO_NUMBER ((double)NAN)

/* ---- GUID ---- */

/* Four u32 as UE holds them; text form is each as %08X in order (UE's "Digits"). Zero = none. */
struct cs_guid {
	uint32_t a, b, c, d;
};

#define CS_GUID_TEXT 33 /* bytes of the text form with its NUL */

/* Order by a, b, c, d: the order of the text form. */
CS_API int cs_guid_compare(struct cs_guid left, struct cs_guid right);
CS_API bool cs_guid_is_zero(struct cs_guid guid);
CS_API void cs_guid_format(struct cs_guid guid, char text[CS_GUID_TEXT]);
/* Exactly 32 hexadecimal digits of either case, dashes and braces ignored. */
CS_API bool cs_guid_parse(const char *text, size_t length, struct cs_guid *ret);

/* ---- geometry ---- */

struct cs_vec3 {
	double x, y, z;
};

struct cs_quat {
	double x, y, z, w;
};

/* Applied as scale, then rotation, then translation, as UE does. */
struct cs_transform {
	struct cs_quat rotation;
	struct cs_vec3 translation;
	struct cs_vec3 scale;
};

/* Invalid (never initialised; skipped in unions) when min > max on any axis. */
struct cs_box {
	struct cs_vec3 min, max;
};

struct cs_sphere {
	struct cs_vec3 centre;
	double radius;
};

#define CS_BOX_INVALID        ((struct cs_box){{1, 1, 1}, {-1, -1, -1}})
#define CS_TRANSFORM_IDENTITY ((struct cs_transform){{0, 0, 0, 1}, {0, 0, 0}, {1, 1, 1}})

CS_API bool cs_box_valid(const struct cs_box *box);
CS_API struct cs_box cs_box_union(const struct cs_box *left, const struct cs_box *right);
CS_API struct cs_vec3 cs_box_centre(const struct cs_box *box);
/* Squared distance from a point to the nearest point of the box, 0 inside; `flat` ignores Z. */
CS_API double cs_box_distance2(const struct cs_box *box, struct cs_vec3 point, bool flat);
/* The box around the transformed box. Invalid stays invalid. */
CS_API struct cs_box cs_box_transform(const struct cs_box *box, const struct cs_transform *by);
/*
 * The other way: the box around the box as it is seen in `space`. Of a space that is flat on an
 * axis the box stays as it is.
 */
CS_API struct cs_box cs_box_into(const struct cs_box *box, const struct cs_transform *space);
CS_API struct cs_vec3 cs_quat_rotate(struct cs_quat by, struct cs_vec3 vector);
CS_API struct cs_quat cs_quat_multiply(struct cs_quat left, struct cs_quat right);
/* From UE's rotator in degrees. */
CS_API struct cs_quat cs_quat_from_euler(double pitch, double yaw, double roll);
/* Pitch, yaw, roll in degrees, as UE's rotator. */
CS_API struct cs_vec3 cs_quat_to_euler(struct cs_quat quat);
/* The length that a transform stretches a unit to at most: the largest of its scales. */
CS_API double cs_transform_reach(const struct cs_transform *by);
/* To the nearest multiples of `step`, for people. */
CS_API struct cs_vec3 cs_vec3_rounded(struct cs_vec3 point, double step);
CS_API struct cs_vec3 cs_transform_point(const struct cs_transform *by, struct cs_vec3 point);
/* child seen in the space that `parent` is given in; scales multiply per axis, as UE does. */
CS_API struct cs_transform cs_transform_compose(
	const struct cs_transform *child, const struct cs_transform *parent);
/* The child that, composed with `parent`, gives `whole`; axes that the parent flattens stay so. */
CS_API struct cs_transform cs_transform_relative(
	const struct cs_transform *whole, const struct cs_transform *parent);
CS_API bool cs_transform_is_identity(const struct cs_transform *transform);
CS_API bool cs_box_is_finite(const struct cs_box *box);

/* ---- limits ---- */

/* Bounds on what an input may cost; every one ends in E_LIMIT that names it. */
struct cs_limits {
	uint64_t memory;        /* bytes that one open file may hold decoded */
	uint64_t file_bytes;    /* size of a file */
	uint64_t section_bytes; /* decoded size of one section */
	uint64_t records;       /* rows of one table */
	uint32_t sections;      /* sections of one file */
	uint32_t name_bytes;    /* length of one name */
	uint32_t depth;         /* nesting of containers, JSON, tagged properties */
	uint32_t findings;      /* findings that verify reports before it stops */
};

CS_API struct cs_limits cs_limits_default(void);

/* ---- jobs ---- */

enum cs_log_level { CS_LOG_DEBUG, CS_LOG_INFO, CS_LOG_WARNING, CS_LOG_ERROR };

/*
 * How a long operation runs: every function that may take longer than a keystroke takes one.
 * NULL stands for a job of zeros: default limits, all processors, silent, never interrupted.
 * Callbacks come from the calling thread only.
 */
struct cs_job {
	int threads; /* 0 = as many as OpenMP gives (OMP_NUM_THREADS) */
	const struct cs_limits *limits;
	void (*log)(void *context, enum cs_log_level level, const char *message);
	/* total 0 = not known */
	void (*progress)(void *context, const char *phase, uint64_t done, uint64_t total);
	bool (*interrupted)(void *context);
	void *context;
};

/* Whether the user asked to stop; nobody did where there is no job, or it asks nobody. */
CS_API bool cs_job_interrupted(const struct cs_job *job);

/* ---- text ---- */

/*
 * Text from a file or from the user, made safe for a terminal: valid UTF-8 is kept; control
 * characters, DEL, C1, bidi and zero-width marks, backslash, invalid bytes and every combining mark
 * after the fourth on a character become \xHH.
 * `ascii` escapes every byte above 0x7e as well. Works like snprintf: writes at most `size` bytes
 * with the NUL, never splits an escape or a character, returns the length of the whole.
 */
CS_API size_t cs_escape(const char *text, size_t length, bool ascii, char *ret, size_t size);
/* The shortest decimal form that reads back as the same double; never depends on the locale. */
#define CS_DOUBLE_TEXT 32
CS_API void cs_double_format(double value, char text[CS_DOUBLE_TEXT]);
/* A whole decimal number in C syntax, independent of the locale; false on anything else. */
CS_API bool cs_double_parse(const char *text, size_t length, double *ret);
/* ASCII case folded comparison, as UE compares names. */
CS_API int cs_name_compare(const char *left, const char *right);
/* A name as UE prints it: 25 digits 0-9A-Z of a 128-bit number, `high` being its upper half. */
#define CS_BASE36_TEXT 26
CS_API void cs_base36_format(uint64_t high, uint64_t low, char text[CS_BASE36_TEXT]);

CS_END_DECLS

#endif
