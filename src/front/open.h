/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening any file that contains a world or a resource. */
#pragma once

#include "src/session/session.h"

#include <cellscope/cook.h>

/* Reads a world that is not cooked; `map` chooses one of a project, or is NULL. */
struct cs_error *source_read(struct session *session, const char *path, const char *map,
	struct cs_world **ret) CS_MUST_USE;
/*
 * Returns whether the name is that of an uncooked world: a folder that exists, .uproject, .json,
 * .jsonl, .log.
 */
bool source_is_named(const char *path);
/* Returns whether the engine's cooker wrote the files at the path. */
bool source_is_cooked(const char *path);
/*
 * Returns true when the path may contain several maps: a project, or what the engine's cooker
 * wrote.
 */
bool source_has_maps(const char *path);
/* Opens what the engine cooked; `key` is the AES key as typed, or NULL. */
struct cs_error *place_open(struct session *session, const char *path, const char *key,
	struct cs_ue_place **ret) CS_MUST_USE;
/*
 * Reads the Nanite resource of a mesh from a file that the engine cooked; freed with cs_model_free.
 */
struct cs_error *mesh_open(
	struct session *session, const char *path, struct cs_model **ret) CS_MUST_USE;
/* Returns the options of a cook by the session's settings. */
struct cs_cook_options cook_options(const struct session *session);
/*
 * Returns the world of any file, cooked in memory when it is not cooked; `source` is the uncooked
 * world then. Closed with opened_close.
 */
struct cs_error *world_open(
	struct session *session, const char *path, const char *map, struct opened *ret) CS_MUST_USE;
/* Cooks a world in memory. On success the result owns `world` as its source. */
struct cs_error *world_cook(struct session *session, struct cs_world *world,
	const struct cs_cook_options *options, const char *name, struct opened *ret) CS_MUST_USE;
/*
 * Opens the file as the session's world, cooking it in memory when necessary; on failure the
 * previous world stays open. A Nanite resource is added to what is open, and so is a world when
 * files.cooked.beside is set.
 */
struct cs_error *session_open(
	struct session *session, const char *path, const char *map) CS_MUST_USE;
/* Opens a file as session_open does, and prints a line about what was opened. */
struct cs_error *open_and_say(
	struct session *session, const char *path, const char *map, struct output *out) CS_MUST_USE;
/*
 * Calls `each` for every cooked world of a folder, in order of names, or once for any other path.
 * Stops at the first error.
 */
struct cs_error *open_each(const char *path, struct cs_error *each(void *context, const char *file),
	void *context) CS_MUST_USE;
/* Prints for people a line about each resource, one about each world, and what the worlds lack. */
void say_opened(const struct session *session, struct output *out);
