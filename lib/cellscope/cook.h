/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cook: streaming generation from a world's descriptors to cells, by the rules of an engine
 * profile, with the reason of every decision kept in the cooked file. Deterministic: the bytes do
 * not depend on threads or on the order of the input.
 */
#ifndef CELLSCOPE_COOK_H
#define CELLSCOPE_COOK_H

#include <cellscope/cooked.h>
#include <cellscope/world.h>

#include <stdlib.h>

CS_BEGIN_DECLS

struct cs_cook_options {
	size_t size;         /* sizeof(struct cs_cook_options); api.h */
	const char *profile; /* "5.4"; NULL = what the world asks for */
	uint32_t trigger;    /* enum cs_trigger: PIE sees unsaved changes, a cook what is saved */
};

struct cs_cook_summary {
	size_t actors, cells, always_loaded_cells, sets, containers, findings, errors, drops;
	size_t subs; /* standalone level instances, those that became no partition included */
};

struct cs_cook;

/* The world must outlive the cook: rows are made from it when the file is written. */
CS_API struct cs_error *cs_cook(const struct cs_world *world, const struct cs_cook_options *options,
	const struct cs_job *job, struct cs_cook **ret) CS_MUST_USE;
/* What became of a mesh that actors name. */
struct cs_mesh_fact {
	const char *path;   /* as they name it; of a proxy a name that none of them is */
	const char *file;   /* of the resource, from the folder of the cooked world */
	const char *reason; /* why there is none */
	uint32_t state;     /* enum cs_mesh_state */
	struct cs_guid content;
	struct cs_box bounds;
	uint64_t bytes, resident_bytes; /* as in cs_cooked_mesh */
	uint32_t triangles, pages;
	uint32_t hlod; /* hlods: whose proxy it is, or CS_NONE */
};

CS_API struct cs_cook_summary cs_cook_summary(const struct cs_cook *cook);
/* Writes FILE.cworld, replacing it atomically. */
CS_API struct cs_error *cs_cook_save(struct cs_cook *cook, const char *path) CS_MUST_USE;
/* The same bytes in memory, freed by the caller. */
CS_API struct cs_error *cs_cook_bytes(
	struct cs_cook *cook, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
CS_API void cs_cook_free(struct cs_cook *cook);

/*
 * Whether a cook depends on what it must not: `n` cooks of the source with its actors shuffled, on
 * one to four threads, against one on one thread; how many have other bytes. The source stays
 * shuffled.
 */
CS_API struct cs_error *cs_cook_repeat(struct cs_world *source,
	const struct cs_cook_options *options, uint64_t n, const struct cs_job *job,
	uint64_t *different_ret) CS_MUST_USE;

/*
 * Builds HLOD actors, level by level, and adds them to the world in place of those it had
 * (1.6.8): what an editor does before a cook. `*n_ret` = how many. On failure the world is still
 * sealed but may lack some.
 */
CS_API struct cs_error *cs_hlod_build(struct cs_world *world, const struct cs_cook_options *options,
	const struct cs_job *job, size_t *n_ret) CS_MUST_USE;

/* ---- engine profiles ---- */

/* What the package of a cell is called. */
enum cs_package_naming {
	CS_PACKAGE_HASH,  /* 25 digits, from its name */
	CS_PACKAGE_PLAIN, /* the name without the map, MainGrid_L0_X0_Y0_DL0 */
	CS_PACKAGE_MAP,   /* the name with the map, without _DL0 */
};

/* One row of rule differences; every rule that differs between engines is here and nowhere else. */
struct cs_profile {
	const char *name;          /* "5.4" */
	const char *engines;       /* engine versions it stands for, "5.5" */
	bool transient_persistent; /* non-spatial sets go to a Persistent partition, else stay */
	bool coordinates_first;    /* cell names X_Y_Z_L, else L_X_Y(_Z) */
	bool hash_set_default;     /* a world that does not say uses the hash set */
	bool layer_assets;         /* a data layer without asset is an error */
	bool flat_default;         /* LHGrid: the default partition is 2D */
	bool quarter_demotion;     /* LHGrid: one level down when it sticks out by < 1/4 cell */
	bool clip_content;         /* LHGrid: cells stream by content clipped to the cell */
	bool hlod_layer_always;    /* check HLOD layers against the setups always */
	bool load_filter_mix;      /* error when layers of an actor differ in load filter */
	bool layer_priority;       /* cell priority adds that of its layers */
	/* spatial hash: names and identities of cells (1.7.5) */
	bool layers_always;      /* names end in the id of the layers, _DL0 without any */
	bool layers_unpadded;    /* ids of layers without leading zeros */
	bool guid_of_size;       /* GUIDs depend on the cell size */
	uint32_t package_naming; /* enum cs_package_naming */
	/* console defaults of the spatial hash for options left to the project */
	bool aligned, snap, small_by_location, partition_by_location;
	const char *partition_name; /* of the default partition or grid */
};

CS_API const struct cs_profile *cs_profiles(size_t *n_ret);

/* ==== why ==== */

/*
 * Why a cook came out as it did, answered from the cooked file alone: the placement trail of an
 * actor, its cluster, the edge whose removal splits the cluster best, and what differs between two
 * cooks. Answers are data; the front turns them into sentences.
 */

/* ---- the placement trail ---- */

/* A rule of the trail; the comment says which members of the step it uses. */
enum cs_rule {
	CS_RULE_UNPLACED,      /* stays out: `value` = enum cs_placement */
	CS_RULE_WORLD_STREAMS, /* holds: streaming is enabled */
	CS_RULE_OWN_SPATIAL,   /* holds: the descriptor is spatially loaded */
	CS_RULE_PARENT, /* follows its topmost parent: `actor`; `value` 1: that one is editor-only
			 * or embeds a level, and overrides nothing */
	CS_RULE_CONTAINER, /* holds: every level instance around it is spatial; `actor` */
	CS_RULE_FORCED,    /* validation changed it: `finding`, `value` = enum cs_repair */
	CS_RULE_SPATIAL,   /* holds: effectively spatially loaded */
	CS_RULE_CLUSTER,   /* shares a set of `count` actors; `actor` = the largest */
	CS_RULE_BOUNDS, /* holds: the set has bounds; `length` = longest extent, cm; `value`: 1 = of
			 * X and Y alone, as its grid is flat */
	CS_RULE_GRID,   /* own grid -> `partition`; holds: it named one that exists */
	CS_RULE_SMALL,  /* holds: small enough to go by location; `length` = area, cm^2 */
	CS_RULE_PARTITION_ACTORS, /* holds: all are partition actors, go by location */
	CS_RULE_LEVEL,            /* a level tried: `level`, `length` = its cell size, `count` =
				     cells touched (0 = too small for the extent); holds: taken */
	CS_RULE_DEMOTED,          /* holds: 5.7 takes the level below; `level`, `length` = margin */
	CS_RULE_OUTSIDE,          /* its location is outside the grid */
	CS_RULE_TOP,              /* the top cell; `count` cells are touched on `level` below it,
				     0 = it is not for that */
	CS_RULE_LOST_LAYER,       /* names a layer that the world does not have: `finding` */
	CS_RULE_LAYERS,           /* `count` data layers of `cell`; `value` = their id */
	CS_RULE_BUNDLE,           /* of a content bundle, which `cell` names */
	CS_RULE_CELL,             /* the answer: `cell`; holds: always loaded, for the reason
				     `value`, enum cs_always */
	CS_RULE_TRY_NON_ALIGNED,  /* a non-aligned grid would place it on `level` */
	CS_RULE_TRY_SMALL,        /* small actors by location would place it on `level` */
	CS_RULE_TRY_PARTITION,    /* partition actors by location would place it on `level` */
	CS_RULE_TRY_WITHOUT,      /* without its largest member, `actor`, it would be on `level` */
};

struct cs_trail_step {
	enum cs_rule rule;
	bool holds;
	int32_t level;
	uint32_t value;
	uint64_t count;
	double length;
	uint32_t actor, partition, cell, finding; /* rows, or CS_NONE */
	const char *number; /* of the rule (cs_rulebook_find) that the step follows */
};

struct cs_trail {
	struct cs_trail_step *steps; /* freed by the caller */
	size_t n;
};

CS_API struct cs_error *cs_explain_actor(
	const struct cs_cooked *cooked, uint32_t actor, struct cs_trail *ret) CS_MUST_USE;

/* That of a finding: of its check, or of the part of it that the repair belongs to. */
CS_API const char *cs_finding_rule(const struct cs_cooked_finding *finding);
struct cs_trail_side {
	const struct cs_cooked *cooked;
	const struct cs_trail *trail;
};

/*
 * The first step in which the trails of one actor in two cooks differ: in its rule, its verdict, or
 * what it looked at. As many as the shorter one has when that is the beginning of the other.
 */
CS_API size_t cs_trails_part(const struct cs_trail_side *left, const struct cs_trail_side *right);

/*
 * Both trails of an actor, and where they part. `rule` is the number of the first rule that decided
 * differently: of the right trail, of the left one where the right one has ended; NULL when both
 * are the same.
 */
struct cs_parting {
	struct cs_trail left, right;
	size_t step;
	const char *rule;
};

/* The same actor of another cook: by GUID, and by its place among those of several instances. */
CS_API uint32_t cs_same_actor(
	const struct cs_cooked *from, uint32_t actor, const struct cs_cooked *in);
CS_API struct cs_error *cs_parting_of_actor(const struct cs_cooked *left, uint32_t left_actor,
	const struct cs_cooked *right, uint32_t right_actor, struct cs_parting *ret) CS_MUST_USE;
/* That number alone; "" without memory to find it. */
static inline const char *cs_parting_rule(const struct cs_cooked *left, uint32_t left_actor,
	const struct cs_cooked *right, uint32_t right_actor)
{
	struct cs_parting parting;
	struct cs_error *error =
		cs_parting_of_actor(left, left_actor, right, right_actor, &parting);
	const char *rule = error ? "" : parting.rule; /* texts of the rule book are static */
	if (!error) {
		free(parting.left.steps);
		free(parting.right.steps);
	}
	cs_error_free(error);
	return rule;
}

/*
 * The findings that changed an actor: the one that did, then what caused it, down to the root.
 * `repair` CS_REPAIR_NONE = any. At most `room` rows are written; returns how many there are.
 */
CS_API size_t cs_explain_repair(const struct cs_cooked *cooked, uint32_t actor, uint32_t repair,
	uint32_t *findings, size_t room);
/* The findings by which references from and to an actor were dropped, each once; as above. */
CS_API size_t cs_explain_dropped(
	const struct cs_cooked *cooked, uint32_t actor, uint32_t *findings, size_t room);

/* An actor in no cell, or what was lost with one that is in a cell. */
struct cs_unplaced {
	uint32_t actor, actors; /* how many went together: a set, the contents of a level */
	const char *reason;
	const char *detail; /* the name or value that caused it, "" for none */
	bool lost;          /* the engine would drop it without a word; else so by its settings */
};

/* Why an actor is always loaded: the first of these that alone suffices. */
enum cs_always {
	CS_ALWAYS_OWN,       /* it is not spatially loaded itself */
	CS_ALWAYS_INHERITED, /* its parent, or a level instance around it, is not */
	CS_ALWAYS_REFERENCE, /* validation: the other end of a reference is not */
	CS_ALWAYS_SCRIPT,    /* validation: the level script references it */
	CS_ALWAYS_BOUNDS,    /* it has no bounds */
	CS_ALWAYS_WORLD,     /* the world does not stream */
	CS_ALWAYS_OTHER,     /* its cell is, by its grid */
	CS_ALWAYS_REASONS
};

/* ---- clusters ---- */

struct cs_cluster_edge {
	uint32_t from, to; /* actors; from references or is the parent of to */
	bool attachment;
};

struct cs_actor_cluster {
	uint32_t *members; /* actors, ascending; freed by the caller, as edges are */
	size_t n_members;
	struct cs_cluster_edge *edges;
	size_t n_edges;
};

CS_API struct cs_error *cs_cluster_of_actor(
	const struct cs_cooked *cooked, uint32_t actor, struct cs_actor_cluster *ret) CS_MUST_USE;

/* A bridge: without it the cluster falls in two. */
struct cs_cluster_cut {
	uint32_t edge;                   /* in cluster->edges */
	uint32_t left, right;            /* actors on the side of `from` and of `to` */
	int32_t left_level, right_level; /* grid level of each part; -1 without bounds */
};

/* Best first: the most even split, then the first edge. */
CS_API struct cs_error *cs_cluster_cuts(const struct cs_cooked *cooked,
	const struct cs_actor_cluster *cluster, struct cs_cluster_cut **cuts_ret,
	size_t *n_ret) CS_MUST_USE;

/* ---- differences between two cooks ---- */

enum cs_diff_kind {
	CS_DIFF_WORLD,         /* a field of the world row */
	CS_DIFF_PARTITION_ROW, /* a field of a partition, or a partition */
	CS_DIFF_LAYER_ROW,     /* a field of a data layer, or a layer */
	CS_DIFF_CELL,
	CS_DIFF_ACTOR,
	CS_DIFF_FINDING,
	CS_DIFF_CONTAINER, /* of two logs: a field of a container instance, or an instance */
};
enum { CS_DIFF_KINDS = CS_DIFF_CONTAINER + 1 };

/* Why something differs; bits. */
#define CS_DIFF_NEW       0x1u /* only in the right cook */
#define CS_DIFF_GONE      0x2u /* only in the left cook */
#define CS_DIFF_MOVED     0x4u /* actor: another cell */
#define CS_DIFF_BOUNDS    0x8u
#define CS_DIFF_SPATIAL   0x10u /* effective spatial flag */
#define CS_DIFF_GRID      0x20u
#define CS_DIFF_LAYERS    0x40u
#define CS_DIFF_CLUSTER   0x80u  /* other members in its set */
#define CS_DIFF_PLACEMENT 0x100u /* another rule placed it */
#define CS_DIFF_REPAIR    0x200u /* validation changed it in one of them */
#define CS_DIFF_PARTITION 0x400u /* settings of its partition */
#define CS_DIFF_PROFILE   0x800u
#define CS_DIFF_CONTENT   0x1000u  /* cell: other actors in it */
#define CS_DIFF_NAME      0x2000u  /* cell: same GUID, other name */
#define CS_DIFF_VALUE     0x4000u  /* the value of `field` */
#define CS_DIFF_GUID      0x8000u  /* cell, actor: same name, other GUID */
#define CS_DIFF_MESH      0x10000u /* actor: another mesh, or one built of other bytes */

#define CS_DIFF_CLUSTER_MOVED 0x20000u /* actor: the same members, of which another one moved */
#define CS_DIFF_REFERENCE     0x40000u /* actor: the references of its set differ */

struct cs_diff_row {
	enum cs_diff_kind kind;
	uint32_t left, right; /* rows of that kind's table, CS_NONE */
	uint32_t reasons;
	uint32_t left_cell, right_cell; /* cells: of an actor, or itself; CS_NONE */
	const struct cs_field *field;   /* of the row, for CS_DIFF_VALUE */
	/*
	 * By how much the bounds of a cell's content, of an actor, differ: the way of the corner
	 * that went farthest, cm; -1 where one side has none.
	 */
	double amount;
	bool explained; /* not for an actor that moved and nothing that moves it has changed */
};

struct cs_diff {
	struct cs_diff_row
		*rows; /* by kind, then in the order of the tables; freed by the caller */
	size_t n;
};

/* In one pass over both, which leaves no actors loaded that were not loaded before. */
CS_API struct cs_error *cs_cooked_diff(
	struct cs_cooked *left, struct cs_cooked *right, struct cs_diff *ret) CS_MUST_USE;
/* The row of the table that `field` of a difference is of. */
CS_API const void *cs_diff_record(
	const struct cs_cooked *cooked, const struct cs_diff_row *row, uint32_t at);

/* ---- what makes a cell large ---- */

/* A set of a cell; both are 0 where it has no bounds. */
struct cs_set_size {
	uint32_t set;       /* row of sets */
	double extent;      /* longest side of its bounds, cm */
	double reaches_out; /* how far they stand out of the cell, in the plane in which it streams
			     */
};

/* The sets of a cell, the largest first, equal ones in their order; freed by the caller. */
CS_API struct cs_error *cs_cell_sets(const struct cs_cooked *cooked, uint32_t cell,
	struct cs_set_size **ret, size_t *n_ret) CS_MUST_USE;

/* ---- the generation report ---- */

/* Writes the cook in the layout of UE's StreamingGeneration log, which cs_ue_open_log reads. */
CS_API struct cs_error *cs_cooked_write_log(struct cs_cooked *cooked, const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
