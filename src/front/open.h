/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading whatever holds a world. */
#pragma once

#include "src/session/session.h"

#include <cellscope/cook.h>

/* A world that is not cooked yet; `map` chooses one of a project, or is NULL. */
struct cs_error *source_read(struct session *session, const char *path, const char *map,
	struct cs_world **ret) CS_MUST_USE;
/* Whether the name says that it is one: a project's folder, .uproject, .json, .jsonl, .log. */
bool source_is_named(const char *path);
/* Whether it is something that the engine's cooker wrote. */
bool source_is_cooked(const char *path);
/* Whether it may hold several maps: a project, what the engine's cooker wrote. */
bool source_has_maps(const char *path);
/* What the engine cooked; `key` is as typed, or NULL. */
struct cs_error *place_open(struct session *session, const char *path, const char *key,
	struct cs_ue_place **ret) CS_MUST_USE;
/* The Nanite resource of a mesh in a file that the engine cooked; freed with cs_model_free. */
struct cs_error *mesh_open(
	struct session *session, const char *path, struct cs_model **ret) CS_MUST_USE;
/* The options of a cook that the session's settings ask for. */
struct cs_cook_options cook_options(const struct session *session);
/*
 * A cooked world of whatever the file holds, cooked in memory if need be; `source` is kept for a
 * world that was not cooked. Closed with opened_close.
 */
struct cs_error *world_open(
	struct session *session, const char *path, const char *map, struct opened *ret) CS_MUST_USE;
/* Cooks a world in memory; `world` becomes the source of what is returned only when it works. */
struct cs_error *world_cook(struct session *session, struct cs_world *world,
	const struct cs_cook_options *options, const char *name, struct opened *ret) CS_MUST_USE;
/*
 * Opens the file as the session's world, cooking it in memory if need be; the one before stays
 * open when this fails. A Nanite resource is opened beside what is open, and so is a world where
 * files.cooked.beside asks for it.
 */
struct cs_error *session_open(
	struct session *session, const char *path, const char *map) CS_MUST_USE;
/* The same, and a line on what was opened. */
struct cs_error *open_and_say(
	struct session *session, const char *path, const char *map, struct output *out) CS_MUST_USE;
/*
 * Calls `each` for every cooked world of a folder, by name, or once for any other path. Stops at
 * the first error.
 */
struct cs_error *open_each(const char *path, struct cs_error *each(void *context, const char *file),
	void *context) CS_MUST_USE;
/* A line on each resource, one on each world and on what is not in it. For people. */
void say_opened(const struct session *session, struct output *out);
