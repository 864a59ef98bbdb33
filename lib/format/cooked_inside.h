/* SPDX-License-Identifier: Apache-2.0 */
/* An open cooked world, for the other rooms of the library. */
#ifndef FORMAT_COOKED_INSIDE_H
#define FORMAT_COOKED_INSIDE_H

#include <cellscope/cooked.h>

/* Takes the file over, also when it fails. */
struct cs_error *cs_cooked_of_file(struct cs_file *file, struct cs_cooked **ret) CS_MUST_USE;
/* Of what cs_cooked_load_actors loads: actors and those of cells. */
struct cs_error *cs_cooked_load_placed(struct cs_cooked *cooked) CS_MUST_USE;
/* The same opened once, for all who ask, and closed with `cooked`. */
struct cs_error *cs_cooked_level(struct cs_cooked *cooked, uint32_t level, const struct cs_job *job,
	struct cs_cooked **ret) CS_MUST_USE;

#endif
