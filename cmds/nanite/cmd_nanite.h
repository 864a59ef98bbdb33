/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the commands on Nanite resources share. */
#pragma once

#include "src/session/session.h"

#include <cellscope/pages.h>

static inline double nanite_ratio(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

/* Returns the resource that an optional argument names, else the current one. */
const struct cs_model *model_of_call(const struct call *call, size_t argument);
/* Returns the resource of a row of a table, and the row's index in that resource. */
const struct cs_model *model_of_row(
	const struct call *call, enum cs_model_row kind, size_t row, uint32_t *index_ret);
/* cmd_pages.c: prints one cluster as the options ask, for the command `cluster`. */
struct cs_error *show_cluster(struct call *call, uint32_t row) CS_MUST_USE;
/* Returns "root", or the state in the run: "resident", "loading" ... */
const char *page_state(const struct call *call, const struct cs_model *model, uint32_t page);
/* Returns in *ret the mesh that --mesh names, counted from 1 as in views and cuts; 0 = all. */
struct cs_error *mesh_of_call(const struct call *call, uint32_t *ret) CS_MUST_USE;
/* Returns the index of the model among the open ones. */
uint32_t model_index(const struct call *call, const struct cs_model *model);
/*
 * Prints which pages were read, installed and evicted since frame `since`, and the pages of the
 * last frame; nothing without cameras.
 */
void say_pages(struct output *out, const struct session *session, uint64_t since);
/* cmd_nanite_cut.c: runs the command `cut` without an actor. */
struct cs_error *cut_resource(struct call *call) CS_MUST_USE;
extern const char *const cut_colours[];
/* Prints a picture with two rows of pixels a line. */
void say_picture(struct output *out, const struct cs_picture *picture);
