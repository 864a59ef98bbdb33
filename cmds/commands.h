/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every command; cmds/cmd_table.c puts them in order. */
#ifndef CMDS_COMMANDS_H
#define CMDS_COMMANDS_H

#include "src/session/session.h"

/* files.c */
extern const struct command command_open, command_close, command_info, command_info_tables;
/* verify.c */
extern const struct command command_verify, command_nanite_verify;
/* place.c */
extern const struct command command_files, command_find_file, command_extract, command_paks,
	command_meshes;
/* ue.c */
extern const struct command command_maps, command_package;
/* cook.c */
extern const struct command command_cook, command_gen;
/* move.c */
extern const struct command command_cd, command_pwd, command_back, command_forward;
extern const struct command command_mark, command_jump, command_ls;
/* cells.c */
extern const struct command command_cells, command_cell;
/* actors.c */
extern const struct command command_actors, command_actor;
/* world.c */
extern const struct command command_grids, command_layers, command_containers, command_sets,
	command_references, command_partitions, command_hlods, command_findings, command_drops;
/* query.c */
extern const struct command command_sql, command_print;
/* why.c, clusters.c, check.c */
extern const struct command command_explain_actor, command_why_always, command_why_level,
	command_why_repair;
extern const struct command command_cluster, command_cut, command_explain_cell;
extern const struct command command_check;
/* diff.c */
extern const struct command command_diff_world, command_cook_log;
extern const struct command command_diff_frame, command_completed;
/* diff_run.c */
extern const struct command command_diff_run, command_diff_actor;
/* diff_engine.c */
extern const struct command command_diff_log, command_diff_hlod, command_diff_cooked;
/* recook.c */
extern const struct command command_edit, command_remove, command_hlod_build, command_diff_pie,
	command_verify_cook;
/* whatif.c */
extern const struct command command_whatif;
/* sweep.c */
extern const struct command command_sweep;
/* sources.c */
extern const struct command command_source_add, command_source_set, command_source_shape,
	command_source_move, command_source_rm, command_sources;
/* stream.c */
extern const struct command command_state, command_order, command_layer_set, command_layer_initial;
/* run.c */
extern const struct command command_step, command_next, command_continue, command_until,
	command_run, command_goto, command_reverse_step, command_previous, command_reverse_continue,
	command_checkpoint, command_info_checkpoints, command_restart;
/* stops.c */
extern const struct command command_break, command_tbreak, command_toggle, command_watch,
	command_display, command_condition, command_ignore, command_enable, command_disable,
	command_delete, command_commands, command_end, command_info_breakpoints,
	command_info_events;
/* what.c, hitches.c */
extern const struct command command_why, command_why_not, command_why_actor, command_why_not_actor,
	command_explain, command_hitches, command_cell_of;
/* explain_cell.c, explain_layer.c */
extern const struct command command_why_cell, command_why_not_cell, command_queue, command_probe;
extern const struct command command_why_layer, command_layer_impact, command_hlod_check,
	command_hlod_why;
/* paths.c, plot.c */
extern const struct command command_path_load, command_info_paths, command_path_follow,
	command_path_record, command_path_report;
/* fit.c */
extern const struct command command_sim_fit;
extern const struct command command_frames, command_events, command_stalls, command_hash,
	command_plot;
/* servers.c */
extern const struct command command_role, command_client_add, command_client_rm,
	command_client_hold, command_info_clients, command_server_hold, command_fault_cell,
	command_info_faults, command_block, command_partition_add, command_partition_register;
/* draw.c */
extern const struct command command_toggle_map, command_toggle_map_3d, command_toggle_sources,
	command_toggle_performance, command_toggle_legend, command_toggle_details,
	command_toggle_layers, command_filter_layer, command_filter_layer_old, command_filter_grid,
	command_filter_status, command_filter_name, command_editor_actor, command_editor_actors,
	command_editor_classes, command_editor_log, command_editor_hlods, command_no_layer_times,
	command_no_verbosity, command_no_editor_verbosity, command_no_profiling;
/* map.c, legend.c, tutorial.c */
extern const struct command command_map, command_legend, command_tutorial;
/* console.c */
extern const struct command command_variable, command_dump_sources, command_dump_layers,
	command_dump_layers_old, command_overrides, command_dump_worlds, command_wp_hlod,
	command_override_index, command_override_name, command_set_layer_state,
	command_toggle_layer;
/* pages.c, shape.c, depend.c */
extern const struct command command_resources, command_pages, command_page, command_sections,
	command_mesh_clusters, command_groups, command_parts, command_fixups, command_nodes;
extern const struct command command_hierarchy, command_dag, command_hist, command_atlas;
extern const struct command command_deps, command_rdeps, command_closure, command_chain,
	command_graph;
/* explain_page.c */
extern const struct command command_explain_page, command_explain_cluster, command_diff_resources;
/* paging.c */
extern const struct command command_camera_add, command_camera_follow, command_camera_rm,
	command_cameras, command_request, command_evict, command_pool, command_page_frames,
	command_page_events, command_place, command_why_page, command_why_not_page,
	command_why_cluster, command_sweep_pool;
/* mesh.c, nanite.c */
extern const struct command command_gen_mesh;
extern const struct command command_nanite_build, command_nanite_info, command_nanite_export;
/* compare.c */
extern const struct command command_compare, command_layer_cost;
/* blocks.c */
extern const struct command command_if, command_else, command_foreach, command_define, command_call;
/* screen.c */
extern const struct command command_view, command_views, command_split, command_focus,
	command_cursor, command_pan, command_zoom, command_overlay, command_level, command_drag,
	command_grid, command_sort, command_filter, command_search, command_group,
	command_choose_columns, command_tick, command_play, command_shell, command_layer_cycle,
	command_press, command_tui, command_screen_size, command_screen_colours,
	command_screen_glyphs, command_screen_mouse, command_click, command_screen_log,
	command_screen_redraw, command_screen_save, command_screen_show, command_screen_tutorial;
/* settings.c */
extern const struct command command_set, command_show, command_reset;
/* session.c */
extern const struct command command_echo, command_transcript, command_record, command_alias,
	command_quit, command_exit;
/* script.c */
extern const struct command command_source, command_assert, command_expect, command_xfail,
	command_golden, command_require;
/* farm.c */
extern const struct command command_farm_plan, command_farm_run, command_farm_step,
	command_farm_status, command_farm_report, command_farm_top, command_farm_cache,
	command_farm_simulate;
/* report.c */
extern const struct command command_report, command_export, command_init_ci;
/* rules.c */
extern const struct command command_rules;
/* help.c */
extern const struct command command_help, command_apropos, command_complete, command_version;

/* A variable of the engine, by its index; of console.c, for set and show too. */
struct cs_error *set_variable(struct call *call, size_t variable, const char *text) CS_MUST_USE;
struct cs_error *show_variable(struct call *call, size_t variable) CS_MUST_USE;
/* How a data layer is set. */
struct layer_wish {
	enum cs_layer_state state;
	bool recursive;
	bool replicated; /* as the server of this client sent it */
};

/* Sets a data layer and tells what came of it; of stream.c, for the console too. */
struct cs_error *set_layer(struct call *call, struct cs_stream *stream, uint32_t layer,
	struct layer_wish wish) CS_MUST_USE;

#endif
