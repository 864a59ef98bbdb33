/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions shared by the commands about Nanite resources. */
#pragma once

#include "src/session/session.h"

#include <cellscope/pages.h>

static inline struct cs_vec3 nanite_vec3_of(const float v[3])
{
	return (struct cs_vec3){(double)v[0], (double)v[1], (double)v[2]};
}

/* Returns the resource that an optional argument names; without the argument, the current one. */
const struct cs_model *model_of_call(const struct call *call, size_t argument);
/* Returns the resource that contains `row` of table `kind`; *index_ret: the row's index in it. */
const struct cs_model *model_of_row(
	const struct call *call, enum cs_model_row kind, size_t row, uint32_t *index_ret);
/* cmd_pages.c: runs the command `cluster` for a row of the table of clusters. */
struct cs_error *show_cluster(struct call *call, uint32_t row) CS_MUST_USE;
/* Returns "root", or the state of the page in the run: "resident", "loading" ... */
const char *page_state(const struct call *call, const struct cs_model *model, uint32_t page);
/*
 * Gets the mesh that --mesh selects, in the form that views and cuts expect: 1 + its index. Without
 * the option it is 0, which means all meshes.
 */
struct cs_error *mesh_of_call(const struct call *call, uint32_t *ret) CS_MUST_USE;
/* Returns the index of `model` among the open resources. */
uint32_t model_index(const struct call *call, const struct cs_model *model);
/* If there are cameras, prints the pool, and the pages read and evicted since frame `since`. */
void say_pages(struct output *out, const struct session *session, uint64_t since);
/* cmd_nanite_cut.c: runs the command `cut` on a Nanite resource, not on an actor. */
struct cs_error *cut_resource(struct call *call) CS_MUST_USE;
extern const char *const cut_colours[];
/* Prints a picture as text, two rows of pixels per line. */
void say_picture(struct output *out, const struct cs_picture *picture);
