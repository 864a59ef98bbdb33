/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Enums for the members of rows in a cooked world (cellscope/cooked.h). The comment of a member
 * names its enum.
 */
#ifndef CELLSCOPE_COOKED_VALUES_H
#define CELLSCOPE_COOKED_VALUES_H

#include <cellscope/core.h>

CS_BEGIN_DECLS

enum cs_hash_class { CS_HASH_SET, CS_HASH_SPATIAL };
enum cs_layers_operator { CS_LAYERS_OR, CS_LAYERS_AND };
enum cs_trigger { CS_TRIGGER_COOK, CS_TRIGGER_PIE };
/* Whether a dedicated server streams (rule 2.7). */
enum cs_server_mode { CS_SERVER_DEFAULT, CS_SERVER_DISABLED, CS_SERVER_ENABLED, CS_SERVER_PIE };

enum cs_layer_type { CS_LAYER_RUNTIME, CS_LAYER_EDITOR };
enum cs_layer_filter { CS_FILTER_NONE, CS_FILTER_CLIENT_ONLY, CS_FILTER_SERVER_ONLY };

enum cs_partition_class {
	CS_PARTITION_LHGRID,
	CS_PARTITION_PERSISTENT,
	CS_PARTITION_LEVEL_STREAMING,
	CS_PARTITION_SPATIAL_GRID, /* a grid of the runtime spatial hash */
};

/*
 * How an actor, with its set, was assigned to a cell (CS_PLACED_), or why it is in no cell
 * (CS_UNPLACED_).
 */
enum cs_placement {
	/* LHGrid: cell at the centre of the bounds, level by their longest side */
	CS_PLACED_BY_CENTRE,
	CS_PLACED_DEMOTED, /* LHGrid of 5.7: moved to the next finer level (rule 1.6.4.7) */
	CS_PLACED_SMALL,   /* spatial hash: a small actor, in the cell at the actor's location */
	/* spatial hash: a partition actor, in the cell at the actor's location */
	CS_PLACED_PARTITION,
	/* spatial hash: in the lowest level where one cell contains the bounds */
	CS_PLACED_BY_BOUNDS,
	/* spatial hash: in the top cell, because no cell of a lower level contains the bounds */
	CS_PLACED_TOP,
	/* spatial hash: in the top cell, because the actor's location is outside the grid */
	CS_PLACED_OUTSIDE,
	CS_PLACED_LEVEL, /* in a cell of a level streaming partition */
	/* not placed by bounds, because the actor is not spatially loaded */
	CS_PLACED_NON_SPATIAL,
	CS_PLACED_NO_BOUNDS,     /* not placed by bounds, because the bounds are not valid */
	CS_UNPLACED_EDITOR_ONLY, /* in no cell, because the actor exists only in the editor */
	/* a level instance: the actors of its level are placed instead of it */
	CS_UNPLACED_CONTAINER,
	CS_UNPLACED_FILTERED, /* an actor filter excludes the actor */
	/* dropped: no partition has the grid that the actor names (cs_cooked_drop) */
	CS_UNPLACED_DROPPED,
	CS_UNPLACED_NOT_MAIN, /* the actor is only for the main world, but in a level instance */
};

enum cs_mesh_state {
	CS_MESH_NAMED, /* not built, so the size of the resource is not known */
	/* built from the mesh file that actors name, or as a proxy of an HLOD actor */
	CS_MESH_BUILT,
	/* copied, because the file that actors name is a Nanite resource already */
	CS_MESH_COPIED,
	CS_MESH_MISSING, /* the file that actors name doesn't exist */
	CS_MESH_REFUSED, /* the file exists, but no resource can be built from the file */
};

enum cs_reference_state {
	CS_REFERENCE_RUNTIME, /* the reference puts both actors into one cluster */
	/* through an editor-only property, or to an editor-only actor; has no effect */
	CS_REFERENCE_EDITOR,
	CS_REFERENCE_FAMILY,  /* to an ancestor or descendant by attachment */
	CS_REFERENCE_MISSING, /* the referenced actor does not exist */
	/* the referenced actor is in another container; dropped with an error */
	CS_REFERENCE_ELSEWHERE,
	/* removed by validation: the actors have different external data layers */
	CS_REFERENCE_INVALID,
};

enum cs_repair {
	CS_REPAIR_NONE,
	/* the actor, or both actors of a reference, become not spatially loaded */
	CS_REPAIR_NON_SPATIAL,
	CS_REPAIR_NO_LAYERS,
	CS_REPAIR_NO_GRID,
	CS_REPAIR_DROP_REFERENCE,
	CS_REPAIR_DROP_LAYER,
	CS_REPAIR_NO_HLOD_LAYER,
	/* a filtered actor is kept because an actor that is kept references it */
	CS_REPAIR_KEEP_FILTERED,
};

CS_END_DECLS

#endif
