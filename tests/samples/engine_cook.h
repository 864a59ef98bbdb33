/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole cooks of a map, made up or made after facts of a real one, in the form of those facts:
 *
 *   {"map": "/Game/Maps/Town", "hash": "SpatialHash" or "HashSet", "grid": {GridName, Origin,
 *    CellSize, LoadingRange, DebugColor, WorldBounds, bClientOnlyVisible, bBlockOnSlowStreaming,
 *    "levels": [[[key, [names of exports]], ...], ...]}, "map_actors": [...],
 *    "hlods": [[actor, label, GUID of the source cell], ...], "layers": [instance names],
 *    "layer_parents": {instance name: that of its parent, ...},
 *    "cells": [{"name": unique, "short": of the export, "level", "x", "y", "guid", "always",
 *    "position", "extent", "content_min", "content_max", "actors": [...], "layers": [...]}]}
 *
 * A test changes these facts and sees what becomes of it; a cell can also have "no_package", the
 * name of another "package", the way "back" to another cell, and what the map's "table" says.
 */
#pragma once

#include "tests/samples/engine_package.h"

struct engine_town {
	enum cs_ue_release release;
	bool hash_set;
	int cells;    /* a side */
	bool layers;  /* one cell more, in a data layer */
	bool aligned; /* levels of the spatial hash are, as before 5.3 always */
};

/* Returns a small town, which the caller frees with json_decref. */
json_t *engine_cook_town(const struct engine_town *town);
/*
 * These two return the package of the map and that of a cell, in the form that engine_package_write
 * takes.
 */
json_t *engine_cook_map(const json_t *cook, const struct engine_form *form);
json_t *engine_cook_cell(const json_t *cook, const json_t *cell, const struct engine_form *form);
/* Makes the GUID of an actor of that name, as 32 digits. */
void engine_actor_guid(const char *name, char ret[33]);
/* Writes FOLDER/Town/Content/... with .uexp files where the form has them. */
bool engine_cook_save(const json_t *cook, const struct engine_form *form, const char *folder);
/* Writes the same packages in a container: "Town.pak" when `pak` is true, else "Town.utoc". */
bool engine_cook_pack(
	const json_t *cook, const struct engine_form *form, bool pak, const char *folder);
