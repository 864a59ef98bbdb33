/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checking a cooked map: shared by the driver (check_cooked.c) and the checks of cells
 * (check_cells.c).
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
	size_t found, most;             /* number of findings, and the limit */
	bool failed;                    /* memory was short */
	struct cs_ue_check_grid *grids; /* grid of each partition; check_cells.c */
	/* Names of actors in generated packages, with the row of their cell. */
	CS_VEC(struct cs_ue_check_actor) actors;
};

struct cs_ue_check_actor {
	const char *name;
	struct cs_guid guid;
	uint32_t cell;
};

/* Reports a finding about `where`. The rule is one of cs_ue_checks. */
void cs_ue_check_tell(struct cs_ue_check *check, enum cs_severity severity, enum cs_code code,
	const char *rule, const char *where, const char *format, ...) CS_PRINTF(6, 7);
/* Returns the unique name of a cell where it is known, else the name of its export. */
const char *cs_ue_check_cell_title(const struct cs_ue_map_cell *cell);
/* Checks name, GUID, layers, place and bounds of each cell, and the grids. */
void cs_ue_check_cells(struct cs_ue_check *check);

/*
 * Lists the maps of a place without generated cells. The caller frees the list. `readable` says
 * whether a map opens.
 */
struct cs_error *cs_ue_place_maps(const struct cs_ue_place *place, const struct cs_job *job,
	struct cs_ue_place_map **ret, size_t *n_ret) CS_MUST_USE;
/* The checks: rule and its text, ended by NULL. The rule of a finding is one of these. */
extern const char *const cs_ue_checks[][2];
/*
 * Checks a cooked map: each streamed cell has its generated package, and each package its cell.
 * Names hash to the names of exports; GUIDs, ids of layers, keys and places follow from names and
 * sizes. Contents touch their cells. Actors are where the map's table says, and only once. When no
 * package exists, that is reported once. `map` is as in cs_ue_place_open_map, with the same errors.
 * `report` is called at most limits.findings times.
 */
struct cs_error *cs_ue_place_check_map(const struct cs_ue_place *place, const char *map,
	const struct cs_ue_cooked_options *options, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	struct cs_ue_checked *ret) CS_MUST_USE;
