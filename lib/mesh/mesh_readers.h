/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readers of mesh files. Each makes a raw mesh, which the caller must clean with cs_mesh_clean, and
 * counts in *report what it leaves out: points and lines, collision shapes, coarse LODs, UVs.
 */
#pragma once

#include "mesh/mesh_internal.h"

#include "core/job.h"

#include <math.h>
#include <string.h>
#include <strings.h>

struct cs_mesh_file {
	const char *name;
	const unsigned char *bytes;
	size_t size;
	/* number of triangles that the scene of a glTF file states, or 0 if unknown */
	uint64_t triangles;
	/* largest total size, in bytes, of the other files to which the file refers */
	uint64_t other_bytes;
	/*
	 * floats converted from the integers of a glTF file, which refers to them as
	 * CS_DEQUANTIZED_URI
	 */
	const unsigned char *floats;
	size_t floats_size;
	bool opaque; /* whether assimp reads colours without alpha, of which it sets alpha to 0 */
};

/*
 * Parses a number. A word that begins with "nan" or "inf" becomes NAN, which cs_mesh_clean removes.
 * So does one that begins with "1.#", which old programs on Windows write for such numbers.
 */
static inline bool cs_mesh_number(const char *word, size_t n, double *ret)
{
	const size_t sign = n > 0 && (*word == '-' || *word == '+');
	if (cs_double_parse(word, n, ret))
		return true;
	*ret = (double)NAN;
	return n - sign >= 3 && (strncasecmp(word + sign, "nan", 3) == 0 ||
					strncasecmp(word + sign, "inf", 3) == 0 ||
					strncmp(word + sign, "1.#", 3) == 0);
}

/* What the colours of a file say about their scale. All zero before the first one. */
struct cs_color_range {
	float most;
	bool fractions; /* whether some value is not a whole number */
};

static inline void cs_color_see(struct cs_color_range *range, float value)
{
	if (!isfinite(value))
		return;
	range->most = value > range->most ? value : range->most;
	range->fractions |= value != floorf(value);
}

/*
 * Returns the factor that converts the colours of a file, without alpha, to bytes. Most programs
 * write colours from 0 to 1, some write them up to 255, mostly as whole numbers. Overbright colours
 * are above 1, too, but seldom far above it. Logs what is assumed.
 */
static inline float cs_color_scale(
	const struct cs_color_range *range, const struct cs_job *job, const char *path)
{
	enum { BRIGHTEST_WHOLE = 16, BRIGHTEST = 64 };
	if (range->most <= 1)
		return 255;
	const bool bytes = range->most > (range->fractions ? BRIGHTEST : BRIGHTEST_WHOLE);
	cs_job_log(job, CS_LOG_WARNING, "%s: colours go up to %g: read as %s", path,
		(double)range->most,
		bytes ? "colours from 0 to 255" : "colours from 0 to 1, and cut off there");
	return bytes ? 1 : 255;
}

/*
 * Returns whether a part is a collision shape, which the engine recognises by name and never draws.
 */
static inline bool cs_mesh_is_collision(const char *name, size_t n)
{
	return n > 4 &&
	       (strncasecmp(name, "UCX_", 4) == 0 || strncasecmp(name, "UBX_", 4) == 0 ||
		       strncasecmp(name, "UCP_", 4) == 0 || strncasecmp(name, "USP_", 4) == 0);
}

/* Reads a PLY file of faces or strips. *is_ours_ret is false if another reader must read it. */
struct cs_error *cs_mesh_read_ply(const struct cs_mesh_file *source, const struct cs_job *job,
	bool *is_ours_ret, struct cs_mesh_report *report, struct cs_mesh **ret) CS_MUST_USE;
/*
 * Reads a Wavefront OBJ file in chunks, so that a file of any size needs little memory besides its
 * mesh. Each distinct triple of position, UV and normal becomes one vertex. Returns E_MESH with the
 * byte offset if a statement cannot be parsed.
 */
struct cs_error *cs_mesh_read_obj(const char *path, const struct cs_job *job,
	struct cs_mesh_report *report, struct cs_mesh **ret) CS_MUST_USE;
/*
 * Reads any other format with third-party code. Damaged files can make that code crash, hang or use
 * up memory, so it runs in a separate process, cellscope-import, with limits on memory, processor
 * time and stack. Interrupting the job kills the process. When the process dies, returns E_MESH
 * with the cause.
 */
struct cs_error *cs_mesh_read_foreign(const char *path, const struct cs_job *job,
	struct cs_mesh_report *report, struct cs_mesh **ret) CS_MUST_USE;

/* largest number of corners of a polygon that is triangulated by ear clipping */
enum { CS_POLYGON_EARS = 4096 };

/*
 * Triangulates a polygon of n >= 3 corners into n - 2 triangles with the polygon's winding.
 * corners_ret receives 3 * (n - 2) indices of corners. A convex polygon without straight corners
 * becomes a fan from its first corner, another quad is cut from the corner that turns least, which
 * is the reflex one if there is one, and other polygons are triangulated by ear clipping, which
 * cuts straight corners off last: their triangles have no area. So that the time is bounded, a
 * polygon of more than CS_POLYGON_EARS corners always becomes a fan, and so does the rest of a
 * polygon in which ears are too hard to find. Returns false if triangles overlap therefore, or
 * because the polygon crosses itself.
 */
bool cs_polygon_cut(const float (*positions)[3], uint32_t n, uint32_t *corners_ret);
/* Triangulates a polygon of n corners as a fan from the corner `first`. */
void cs_polygon_fan(uint32_t n, uint32_t first, uint32_t *corners_ret);
