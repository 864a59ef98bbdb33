/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owns: the table of commands, in the order of help. A new family is a file and its rows here. */
#include "cmds/commands.h"

const struct command *const commands[] = {
	&command_open,
	&command_close,
	&command_info,
	&command_info_tables,
	&command_verify,
	&command_cook,
	&command_cook_log,
	&command_verify_cook,
	&command_edit,
	&command_remove,
	&command_hlod_build,
	&command_gen,
	&command_gen_mesh,

	&command_cd,
	&command_pwd,
	&command_back,
	&command_forward,

	&command_cells,
	&command_cell,
	&command_actors,
	&command_actor,
	&command_grids,
	&command_layers,
	&command_containers,
	&command_sets,
	&command_references,
	&command_hlods,
	&command_findings,
	&command_drops,
	&command_print,
	&command_sql,

	&command_explain_actor,
	&command_why_always,
	&command_why_level,
	&command_why_repair,
	&command_cluster,
	&command_cut,
	&command_check,
	&command_diff_world,
	&command_diff_pie,
	&command_whatif,

	&command_nanite_build,
	&command_nanite_info,
	&command_nanite_verify,
	&command_nanite_export,

	&command_set,
	&command_show,
	&command_reset,
	&command_echo,
	&command_transcript,
	&command_record,

	&command_source,
	&command_assert,
	&command_expect,
	&command_xfail,
	&command_golden,
	&command_require,
	&command_alias,

	&command_help,
	&command_apropos,
	&command_complete,
	&command_version,
	&command_quit,
};

const size_t n_commands = sizeof(commands) / sizeof(commands[0]);
