/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a pager for the SQL tables, and its callbacks as a companion of a run. */
#pragma once

#include <cellscope/paging.h>

/* Returns the position of a camera at the end of the last frame. */
struct cs_camera_key cs_pager_camera_place(const struct cs_pager *pager, size_t index);

/* Callbacks of the pager as a companion of a run (struct cs_companion). */

/* Simulates a frame that ends at `time`, in ns. `length`, its duration in ns, is ignored. */
struct cs_error *cs_pager_frame(
	void *pager, uint64_t frame, uint64_t time, uint64_t length) CS_MUST_USE;
struct cs_error *cs_pager_input(void *pager, const char *text) CS_MUST_USE;
/* Saves the whole state as bytes, which the pager owns until the next call of this function. */
struct cs_error *cs_pager_save(void *pager, const void **bytes_ret, size_t *n_ret) CS_MUST_USE;
struct cs_error *cs_pager_restore(void *pager, const void *bytes, size_t n) CS_MUST_USE;
