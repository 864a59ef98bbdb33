/* SPDX-License-Identifier: Apache-2.0 */
/* Enums for members of cooked world rows (cellscope/cooked.h), each named in a member's comment. */
#ifndef CELLSCOPE_COOKED_VALUES_H
#define CELLSCOPE_COOKED_VALUES_H

#include <cellscope/core.h>

CS_BEGIN_DECLS

enum cs_hash_class { CS_HASH_SET, CS_HASH_SPATIAL };
enum cs_layers_operator { CS_LAYERS_OR, CS_LAYERS_AND };
enum cs_trigger { CS_TRIGGER_COOK, CS_TRIGGER_PIE };
/*
 * Whether a server streams cells in, or whether it streams them out (rule 2.7): never, always, or
 * only in play in editor (PIE). DEFAULT means the value in the main world of the run, and if that
 * is DEFAULT too, the value of the console variable.
 */
enum cs_server_mode { CS_SERVER_DEFAULT, CS_SERVER_DISABLED, CS_SERVER_ENABLED, CS_SERVER_PIE };

enum cs_layer_type { CS_LAYER_RUNTIME, CS_LAYER_EDITOR };
enum cs_layer_filter { CS_FILTER_NONE, CS_FILTER_CLIENT_ONLY, CS_FILTER_SERVER_ONLY };

enum cs_partition_class {
	CS_PARTITION_LHGRID,
	CS_PARTITION_PERSISTENT,
	CS_PARTITION_LEVEL_STREAMING,
	CS_PARTITION_SPATIAL_GRID, /* a grid of the runtime spatial hash */
};

/* How an actor, with its set, got a cell (CS_PLACED_), or why it is in no cell (CS_UNPLACED_). */
enum cs_placement {
	/* LHGrid: the centre of the bounds gives the cell, their longest side the level */
	CS_PLACED_BY_CENTRE,
	CS_PLACED_DEMOTED,   /* LHGrid of 5.7: moved to the next finer level (rule 1.6.4.7) */
	CS_PLACED_SMALL,     /* spatial hash: a small actor, in the cell at the actor's location */
	CS_PLACED_PARTITION, /* spatial hash: a partition actor, in the cell at its location */
	CS_PLACED_BY_BOUNDS, /* spatial hash: in the lowest level with a cell around the bounds */
	CS_PLACED_TOP,     /* spatial hash: in the top cell, as no lower cell contains the bounds */
	CS_PLACED_OUTSIDE, /* spatial hash: in the top cell; the location is outside the grid */
	CS_PLACED_LEVEL,   /* in a cell of a level streaming partition */
	CS_PLACED_NON_SPATIAL,   /* not placed by bounds: the actor is not spatially loaded */
	CS_PLACED_NO_BOUNDS,     /* not placed by bounds: the bounds are not valid */
	CS_UNPLACED_EDITOR_ONLY, /* in no cell, because the actor exists only in the editor */
	CS_UNPLACED_CONTAINER,   /* a level instance: the actors of its level are placed instead */
	CS_UNPLACED_FILTERED,    /* an actor filter excludes the actor */
	CS_UNPLACED_DROPPED,     /* dropped: no partition has the grid that the actor names */
	CS_UNPLACED_NOT_MAIN,    /* the actor is only for the main world, but in a level instance */
	/*
	 * a level instance inside of its own level; only in answers (CS_RULE_UNPLACED): cooked
	 * files contain CS_UNPLACED_CONTAINER instead
	 */
	CS_UNPLACED_CIRCULAR,
};

enum cs_mesh_state {
	CS_MESH_NAMED,   /* not built, so the size of the resource is not known */
	CS_MESH_BUILT,   /* built from the file that actors name, or as an HLOD actor's proxy */
	CS_MESH_COPIED,  /* copied: the file that actors name is a Nanite resource already */
	CS_MESH_MISSING, /* the file that actors name doesn't exist */
	CS_MESH_REFUSED, /* the file exists, but no resource can be built from the file */
};

enum cs_reference_state {
	CS_REFERENCE_RUNTIME, /* the reference puts both actors into one cluster */
	/*
	 * through an editor-only property, or from or to an actor that is editor-only or is an
	 * embedded level instance
	 */
	CS_REFERENCE_EDITOR,
	CS_REFERENCE_FAMILY,    /* to an attach parent or attached child, at any depth */
	CS_REFERENCE_MISSING,   /* the referenced actor does not exist */
	CS_REFERENCE_ELSEWHERE, /* to an actor in another container; dropped with an error */
	CS_REFERENCE_INVALID,   /* removed by validation: different external data layers */
};

enum cs_repair {
	CS_REPAIR_NONE,
	CS_REPAIR_NON_SPATIAL,    /* the actor, or both actors of a reference, become non-spatial */
	CS_REPAIR_NO_LAYERS,      /* the actor or actors lose all data layers */
	CS_REPAIR_NO_GRID,        /* the actor or actors get the default runtime grid */
	CS_REPAIR_DROP_REFERENCE, /* the reference is ignored */
	CS_REPAIR_DROP_LAYER,     /* the data layer `layer` of the finding is ignored */
	CS_REPAIR_NO_HLOD_LAYER,  /* the actor loses its HLOD layer */
	CS_REPAIR_KEEP_FILTERED,  /* a filtered actor is kept: a kept actor references it */
};

CS_END_DECLS

#endif
