/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands on Nanite resources share. */
#pragma once

#include "src/session/session.h"

#include <cellscope/pages.h>

/* The resource that an optional argument names, else the current one. */
const struct cs_model *model_of_call(const struct call *call, size_t argument);
/* The resource of a row of a table, and its index there. */
const struct cs_model *model_of_row(
	const struct call *call, enum cs_model_row kind, size_t row, uint32_t *index_ret);
/* One cluster, as its options ask; of pages.c, for the command `cluster`. */
struct cs_error *show_cluster(struct call *call, uint32_t row) CS_MUST_USE;
/* "root", and of a run: "resident", "loading" ... */
const char *page_state(const struct call *call, const struct cs_model *model, uint32_t page);
/* The mesh that --mesh names, counted from 1, as views and cuts have it; 0 = all. */
uint32_t mesh_of_call(const struct call *call);
/* Which of the open ones that is. */
uint32_t model_index(const struct call *call, const struct cs_model *model);
/* A line on the pages of the last frame, where cameras look. */
void say_pages(struct output *out, const struct session *session, uint64_t since);
/* The command `cut` without an actor; of cmd_nanite_cut.c. */
struct cs_error *cut_resource(struct call *call) CS_MUST_USE;
extern const char *const cut_colours[];
/* Prints a picture: two rows of pixels a line. */
void say_picture(struct output *out, const struct cs_picture *picture);
