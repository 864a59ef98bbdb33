/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owns: the list of views, the first one being that of a new screen. */
#include "src/tui/views.h"

const struct view_type *const view_types[] = {
	&view_map,
	&view_cells,
	&view_actors,
	&view_cell,
	&view_actor,
	&view_object_fields,
	&view_explain,
	&view_why,
	&view_layers,
	&view_findings,
	&view_grids,
	&view_hlods,
	&view_containers,
	&view_sources,
	&view_drops,
	&view_sets,
	&view_hitches,
	&view_rows,
	&view_keys,
	&view_log,
	NULL,
};
