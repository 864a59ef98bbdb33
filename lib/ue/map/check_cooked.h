/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of a cooked map's check, shared by check_cooked.c (all checks) and check_cells.c (cells).
 */
#pragma once

#include "ue/map/umap.h"

#include <cellscope/core.h>

struct cs_ue_check {
	const struct cs_ue_place *place;
	const struct cs_job *job;
	const struct cs_ue_map_options *options;
	struct cs_ue_map *map;
	void (*report)(void *context, const struct cs_finding *finding);
	void *context;
	struct cs_ue_checked *counts;
	size_t found, most; /* number of findings, and largest number of findings to report */
	bool failed;        /* whether an allocation failed */
	struct cs_ue_check_grid *grids; /* one for each partition (struct in check_cells.c) */
	/* actors in generated packages, each with the row of its cell */
	CS_VEC(struct cs_ue_check_actor) actors;
};

struct cs_ue_check_actor {
	const char *name;
	struct cs_guid guid;
	uint32_t cell;
};

/* Reports a finding about the cell or actor named `where`. `rule` is one of cs_ue_checks. */
void cs_ue_check_tell(struct cs_ue_check *check, enum cs_severity severity, enum cs_code code,
	const char *rule, const char *where, const char *format, ...) CS_PRINTF(6, 7);
/* Returns the unique name of a cell or, if that is unknown, the name of its export. */
const char *cs_ue_check_cell_title(const struct cs_ue_map_cell *cell);
/* Checks names, GUIDs, data layers, coordinates and bounds of all cells, and the grids. */
void cs_ue_check_cells(struct cs_ue_check *check);

/*
 * Lists the maps of a place, without the levels generated for cells. The caller frees the list. A
 * map that cannot be opened is listed with `readable` set to false.
 */
struct cs_error *cs_ue_place_maps(const struct cs_ue_place *place, const struct cs_job *job,
	struct cs_ue_place_map **ret, size_t *n_ret) CS_MUST_USE;
/* The names of all checks, each followed by what is checked. NULL ends the list. */
extern const char *const cs_ue_checks[][2];
/*
 * Checks a cooked map: each streamed cell has its generated package and each package its cell; the
 * short name of a cell is the hash of its name; its GUID, layer id and coordinates follow from its
 * name and size, and its key in the grid gives the same coordinates; contents touch their cells;
 * actors are in the cells that the map's table states, and only once. If no generated package
 * exists, that is reported once. `map` and the errors are those of cs_ue_place_open_map. `report`
 * is called at most limits.findings times.
 */
struct cs_error *cs_ue_place_check_map(const struct cs_ue_place *place, const char *map,
	const struct cs_ue_cooked_options *options, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	struct cs_ue_checked *ret) CS_MUST_USE;
