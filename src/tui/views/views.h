/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations of all views; views.c defines their order. */
#pragma once

#include "src/tui/view.h"

/* view_map.c */
extern const struct view_type view_map;
/* view_tables.c */
extern const struct view_type view_cells, view_actors, view_grids, view_layers, view_hlods,
	view_containers, view_sources, view_drops, view_sets;
/* view_finding.c */
extern const struct view_type view_findings, view_finding, view_check;
/* view_object.c */
extern const struct view_type view_cell, view_actor, view_object_fields, view_rows, view_hitches;
/* view_timeline.c, view_queue.c, view_diff.c */
extern const struct view_type view_timeline, view_queue, view_diff, view_trails;
/* view_runs.c */
extern const struct view_type view_runs;
/* view_nanite.c, view_resources.c */
extern const struct view_type view_nanite, view_page, view_pages, view_closure, view_hierarchy,
	view_dag, view_pool, view_resources;
/* view_lists.c */
extern const struct view_type view_breakpoints, view_variables, view_servers, view_faults,
	view_stalls, view_events, view_partitions;
/* view_trail.c */
extern const struct view_type view_explain, view_why;
/* view_keys.c */
extern const struct view_type view_keys, view_log;
/* view_pick.c */
extern const struct view_type view_start, view_tasks, view_pick;
/* view_tutorial.c */
extern const struct view_type view_tutorial;
