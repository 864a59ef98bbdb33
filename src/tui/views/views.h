/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations of all views; views.c defines their order. */
#pragma once

#include "src/tui/view.h"

/* defined in view_map.c */
extern const struct view_type view_map;
/* defined in view_tables.c */
extern const struct view_type view_cells, view_actors, view_grids, view_layers, view_hlods,
	view_containers, view_sources, view_drops, view_sets;
/* defined in view_finding.c */
extern const struct view_type view_findings, view_finding, view_check;
/* defined in view_object.c */
extern const struct view_type view_cell, view_actor, view_object_fields, view_rows, view_hitches;
/* defined in view_timeline.c, view_queue.c, view_diff.c and view_trail.c */
extern const struct view_type view_timeline, view_queue, view_diff, view_trails;
/* defined in view_runs.c */
extern const struct view_type view_runs;
/* defined in view_nanite.c and view_resources.c */
extern const struct view_type view_nanite, view_page, view_pages, view_closure, view_hierarchy,
	view_dag, view_pool, view_resources;
/* defined in view_lists.c */
extern const struct view_type view_breakpoints, view_variables, view_servers, view_faults,
	view_stalls, view_events, view_partitions;
/* defined in view_trail.c */
extern const struct view_type view_explain, view_why;
/* defined in view_keys.c */
extern const struct view_type view_keys, view_log;
/* defined in view_pick.c */
extern const struct view_type view_start, view_tasks, view_pick;
/* defined in view_tutorial.c */
extern const struct view_type view_tutorial;
