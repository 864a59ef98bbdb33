/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening any kind of file that contains a world or a Nanite resource. */
#pragma once

#include "src/session/session.h"

#include <cellscope/cook.h>

/*
 * Reads an uncooked world. `map` selects a map of a project; NULL selects the default one. With
 * `whole`, packages of a project are read to their ends and all damage is reported.
 */
struct cs_error *source_read(struct session *session, const char *path, const char *map, bool whole,
	struct cs_world **ret) CS_MUST_USE;
/*
 * Returns whether a path may be an uncooked world: a folder, .uproject, .json, .jsonl or .log, or a
 * file of another name with a world in JSON or a log.
 */
bool source_is_named(const char *path, const struct cs_job *job);
/* Returns whether the path contains output of the engine's cooker. */
bool source_is_cooked(const char *path);
/* Returns whether the path may contain several maps: a project, or output of the cooker. */
bool source_has_maps(const char *path);
/* Opens output of the engine's cooker. `key` is an AES key as typed by the user, or NULL. */
struct cs_error *place_open(struct session *session, const char *path, const char *key,
	struct cs_ue_place **ret) CS_MUST_USE;
/* Reads the Nanite resource of a mesh from a file of the cooker; freed by cs_model_free. */
struct cs_error *mesh_open(
	struct session *session, const char *path, struct cs_model **ret) CS_MUST_USE;
/* Returns the options for cooking that the session's settings define. */
struct cs_cook_options cook_options(const struct session *session);
/* Opens a file of any kind; cooks an uncooked world (ret->source). Closed with opened_close. */
struct cs_error *world_open(
	struct session *session, const char *path, const char *map, struct opened *ret) CS_MUST_USE;
/* Cooks a world in memory. On success the result owns `world` as its source. */
struct cs_error *world_cook(struct session *session, struct cs_world *world,
	const struct cs_cook_options *options, const char *name, struct opened *ret) CS_MUST_USE;
/*
 * Opens a file as the session's world, cooked in memory if necessary; on failure the previous world
 * stays open. A Nanite resource is added to the open resources. With files.cooked.beside set, a
 * world is likewise added beside the open one.
 */
struct cs_error *session_open(
	struct session *session, const char *path, const char *map) CS_MUST_USE;
/* Opens a file as session_open does, and prints a line about what was opened. */
struct cs_error *open_and_say(
	struct session *session, const char *path, const char *map, struct output *out) CS_MUST_USE;
/*
 * Calls `each` with every .cworld file of a folder, in the order of their names; for a project
 * folder or any other path, calls it once with `path`. Stops at the first error.
 */
struct cs_error *open_each(const char *path, struct cs_error *each(void *context, const char *file),
	void *context) CS_MUST_USE;
/*
 * Prints which containers of a place cannot be read, and why. Formats for programs contain it only
 * if it is the answer of the command.
 */
void say_unreadable(const struct cs_ue_place *place, struct output *out, bool is_answer);
/* Prints for people a line about each open resource and world, and lines about missing data. */
void say_opened(const struct session *session, struct output *out);
