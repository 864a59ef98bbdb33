/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of numbers in the rows of a cooked world (cellscope/cooked.h). The comment of a field
 * names its enum.
 */
#ifndef CELLSCOPE_COOKED_VALUES_H
#define CELLSCOPE_COOKED_VALUES_H

#include <cellscope/core.h>

CS_BEGIN_DECLS

enum cs_hash_class { CS_HASH_SET, CS_HASH_SPATIAL };
enum cs_layers_operator { CS_LAYERS_OR, CS_LAYERS_AND };
enum cs_trigger { CS_TRIGGER_COOK, CS_TRIGGER_PIE };
/* world-partition.md 2.7 */
enum cs_server_mode { CS_SERVER_DEFAULT, CS_SERVER_DISABLED, CS_SERVER_ENABLED, CS_SERVER_PIE };

enum cs_layer_type { CS_LAYER_RUNTIME, CS_LAYER_EDITOR };
enum cs_layer_filter { CS_FILTER_NONE, CS_FILTER_CLIENT_ONLY, CS_FILTER_SERVER_ONLY };

enum cs_partition_class {
	CS_PARTITION_LHGRID,
	CS_PARTITION_PERSISTENT,
	CS_PARTITION_LEVEL_STREAMING,
	CS_PARTITION_SPATIAL_GRID, /* a grid of the spatial hash */
};

/* The rule by which an actor (or its set) was placed, or the reason why it is in no cell. */
enum cs_placement {
	CS_PLACED_BY_CENTRE, /* LHGrid: centre of the bounds, level by the longest extent */
	CS_PLACED_DEMOTED,   /* LHGrid 5.7: one level down by the quarter rule */
	CS_PLACED_SMALL,     /* spatial hash: small actors by location */
	CS_PLACED_PARTITION, /* spatial hash: partition actors by location */
	CS_PLACED_BY_BOUNDS, /* spatial hash: lowest level with a cell that contains the box */
	CS_PLACED_TOP,     /* spatial hash: the top cell, because no cell below contains the box */
	CS_PLACED_OUTSIDE, /* spatial hash: the location is outside the grid */
	CS_PLACED_LEVEL,   /* in a level streaming partition */
	CS_PLACED_NON_SPATIAL,   /* the actor is not spatially loaded */
	CS_PLACED_NO_BOUNDS,     /* spatially loaded, but without valid bounds */
	CS_UNPLACED_EDITOR_ONLY, /* editor-only actors never stream */
	CS_UNPLACED_CONTAINER,   /* a level instance, whose actors stream in its place */
	CS_UNPLACED_FILTERED,    /* an actor filter removed the actor */
	CS_UNPLACED_DROPPED,     /* the actor's grid name names no partition: see drops */
	CS_UNPLACED_NOT_MAIN,    /* main-world-only actor inside a level instance */
};

enum cs_mesh_state {
	CS_MESH_NAMED, /* the mesh was not built, so its size is not known */
	/* built from the file that actors name, or from the sources of an HLOD actor */
	CS_MESH_BUILT,
	CS_MESH_COPIED,  /* the file that actors name is a resource */
	CS_MESH_MISSING, /* the file doesn't exist */
	CS_MESH_REFUSED, /* the file exists, but no resource can be made of it */
};

enum cs_reference_state {
	CS_REFERENCE_RUNTIME,   /* a reference that puts both actors into one cluster */
	CS_REFERENCE_EDITOR,    /* through an editor-only property, or to an editor-only actor */
	CS_REFERENCE_FAMILY,    /* a reference to the actor's own parent or child */
	CS_REFERENCE_MISSING,   /* the actor does not exist */
	CS_REFERENCE_ELSEWHERE, /* the actor is in another container: dropped with an error */
	CS_REFERENCE_INVALID,   /* removed by validation: different external data layers */
};

enum cs_repair {
	CS_REPAIR_NONE,
	/* both actors of the reference (or the one actor) become not spatially loaded */
	CS_REPAIR_NON_SPATIAL,
	CS_REPAIR_NO_LAYERS,
	CS_REPAIR_NO_GRID,
	CS_REPAIR_DROP_REFERENCE,
	CS_REPAIR_DROP_LAYER,
	CS_REPAIR_NO_HLOD_LAYER,
	CS_REPAIR_KEEP_FILTERED, /* a filtered actor stays because a kept actor references it */
};

CS_END_DECLS

#endif
