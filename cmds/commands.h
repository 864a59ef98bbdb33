/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every command; cmds/table.c puts them in order. */
#ifndef CMDS_COMMANDS_H
#define CMDS_COMMANDS_H

#include "src/session.h"

/* files.c */
extern const struct command command_open, command_close, command_info, command_info_tables;
/* verify.c */
extern const struct command command_verify, command_nanite_verify;
/* ue.c */
extern const struct command command_maps, command_package;
/* cook.c */
extern const struct command command_cook, command_gen;
/* move.c */
extern const struct command command_cd, command_pwd, command_back, command_forward;
/* cells.c */
extern const struct command command_cells, command_cell;
/* actors.c */
extern const struct command command_actors, command_actor;
/* world.c */
extern const struct command command_grids, command_layers, command_containers, command_sets,
	command_references, command_hlods, command_findings, command_drops;
/* query.c */
extern const struct command command_sql, command_print;
/* why.c, clusters.c, check.c */
extern const struct command command_explain_actor, command_why_always, command_why_level,
	command_why_repair;
extern const struct command command_cluster, command_cut;
extern const struct command command_check;
/* diff.c */
extern const struct command command_diff_world, command_cook_log;
/* recook.c */
extern const struct command command_edit, command_remove, command_hlod_build, command_whatif,
	command_diff_pie, command_verify_cook;
/* mesh.c, nanite.c */
extern const struct command command_gen_mesh;
extern const struct command command_nanite_build, command_nanite_info, command_nanite_export;
/* settings.c */
extern const struct command command_set, command_show, command_reset;
/* session.c */
extern const struct command command_echo, command_transcript, command_record, command_alias,
	command_quit;
/* script.c */
extern const struct command command_source, command_assert, command_expect, command_xfail,
	command_golden, command_require;
/* help.c */
extern const struct command command_help, command_apropos, command_complete, command_version;

#endif
