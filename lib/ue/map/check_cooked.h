/* SPDX-License-Identifier: Apache-2.0 */
/* Checking a cooked map: between the driver (check.c) and the checks of cells (check_cells.c). */
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
	size_t found, most;             /* findings */
	bool failed;                    /* no memory */
	struct cs_ue_check_grid *grids; /* of each partition; check_cells.c */
	/* names of actors in generated packages, with the row of their cell */
	CS_VEC(struct cs_ue_check_actor) actors;
};

struct cs_ue_check_actor {
	const char *name;
	struct cs_guid guid;
	uint32_t cell;
};

/* `where` is what it is about; the rule is one of cs_ue_checks. */
void cs_ue_check_tell(struct cs_ue_check *check, enum cs_severity severity, enum cs_code code,
	const char *rule, const char *where, const char *format, ...) CS_PRINTF(6, 7);
/* The unique name of a cell where it is known, else that of its export. */
const char *cs_ue_check_cell_title(const struct cs_ue_map_cell *cell);
/* Name, GUID, layers, place and bounds of each cell, and of the grids. */
void cs_ue_check_cells(struct cs_ue_check *check);

/* Maps of a place, generated cells left out; freed by the caller. `readable` says if it opens. */
struct cs_error *cs_ue_place_maps(const struct cs_ue_place *place, const struct cs_job *job,
	struct cs_ue_place_map **ret, size_t *n_ret) CS_MUST_USE;
/* What is checked: rule and its text, ended by NULL. The rule of a finding is one of these. */
extern const char *const cs_ue_checks[][2];
/*
 * Holds a cooked map against what follows from it: each streamed cell has its generated package and
 * each package its cell; names hash to the names of exports, GUIDs, ids of layers, keys and places
 * follow from names and sizes; contents touch their cells; actors lie where the map's table says,
 * and once. Packages that are not there are told once when none is. `map` as in
 * cs_ue_place_open_map, whose errors it has; `report` is called for at most limits.findings.
 */
struct cs_error *cs_ue_place_check_map(const struct cs_ue_place *place, const char *map,
	const struct cs_ue_cooked_options *options, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	struct cs_ue_checked *ret) CS_MUST_USE;
