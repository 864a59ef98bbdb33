/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cook: it generates streaming cells from a world's descriptors, by the rules of an engine
 * profile, and stores the reason of every decision in the cooked file. It is deterministic: the
 * bytes depend neither on threads nor on the order of the input.
 */
#ifndef CELLSCOPE_COOK_H
#define CELLSCOPE_COOK_H

#include <cellscope/cooked.h>
#include <cellscope/world.h>

#include <stdlib.h>

CS_BEGIN_DECLS

struct cs_cook_options {
	size_t size;         /* sizeof(struct cs_cook_options); core.h */
	const char *profile; /* "5.4"; NULL means the world's own engine */
	/* enum cs_trigger: PIE includes unsaved changes, a cook only saved ones */
	uint32_t trigger;
};

struct cs_cook_summary {
	size_t actors, cells, always_loaded_cells, sets, containers, findings, errors, drops;
	size_t subs; /* standalone level instances, with those that could not become a partition */
};

struct cs_cook;

/*
 * Cooks a world. The world must outlive the cook, because its rows are made when the file is
 * written.
 */
CS_API struct cs_error *cs_cook(const struct cs_world *world, const struct cs_cook_options *options,
	const struct cs_job *job, struct cs_cook **ret) CS_MUST_USE;
/* The state of a mesh that actors name. */
struct cs_mesh_fact {
	/* name by which actors refer to the mesh; a proxy has a name that no actor uses */
	const char *path;
	const char *file;   /* path of the resource, relative to the folder of the cooked world */
	const char *reason; /* why the mesh has no resource */
	uint32_t state;     /* enum cs_mesh_state */
	struct cs_guid content;
	struct cs_box bounds;
	uint64_t bytes, resident_bytes; /* sizes as in cs_cooked_mesh */
	uint32_t triangles, pages;
	uint32_t hlod; /* row of hlods: the HLOD actor of a proxy, or CS_NONE */
};

CS_API struct cs_cook_summary cs_cook_summary(const struct cs_cook *cook);
/* Writes FILE.cworld and replaces it atomically. */
CS_API struct cs_error *cs_cook_save(struct cs_cook *cook, const char *path) CS_MUST_USE;
/* Makes the same bytes in memory. The caller frees them. */
CS_API struct cs_error *cs_cook_bytes(
	struct cs_cook *cook, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
CS_API void cs_cook_free(struct cs_cook *cook);

/*
 * Tests whether a cook depends on anything but its input: cooks the source `n` times with its
 * actors shuffled, on one to four threads, and counts the cooks whose bytes differ from those of
 * one thread. The source stays shuffled.
 */
CS_API struct cs_error *cs_cook_repeat(struct cs_world *source,
	const struct cs_cook_options *options, uint64_t n, const struct cs_job *job,
	uint64_t *different_ret) CS_MUST_USE;

/*
 * Builds HLOD actors, level by level, and replaces those of the world by them (1.6.8), as an editor
 * does before a cook. `*n_ret` is their number. On failure the world is still sealed but may lack
 * some.
 */
CS_API struct cs_error *cs_hlod_build(struct cs_world *world, const struct cs_cook_options *options,
	const struct cs_job *job, size_t *n_ret) CS_MUST_USE;

/* ---- engine profiles ---- */

/* How the package of a cell is named. */
enum cs_package_naming {
	CS_PACKAGE_HASH,  /* 25 digits, computed from the cell's name */
	CS_PACKAGE_PLAIN, /* the name without the map, MainGrid_L0_X0_Y0_DL0 */
	CS_PACKAGE_MAP,   /* the name with the map, without _DL0 */
};

/*
 * The rules of one engine profile. Every rule that differs between engines is here and nowhere
 * else.
 */
struct cs_profile {
	const char *name;    /* name, such as "5.4" */
	const char *engines; /* the engine versions that the profile applies to, "5.5" */
	/* non-spatial sets go to a Persistent partition, else they stay */
	bool transient_persistent;
	bool coordinates_first; /* cell names are X_Y_Z_L, else L_X_Y(_Z) */
	bool hash_set_default;  /* a world that doesn't name a hash uses the hash set */
	bool layer_assets;      /* a data layer without asset is an error */
	bool flat_default;      /* LHGrid: the default partition is 2D */
	/* LHGrid: a set goes one level down when it reaches out by < 1/4 cell */
	bool quarter_demotion;
	bool clip_content;      /* LHGrid: cells stream by content clipped to the cell */
	bool hlod_layer_always; /* HLOD layers are always checked against the setups */
	bool load_filter_mix;   /* layers of one actor with different load filters are an error */
	bool layer_priority;    /* the priority of a cell includes that of its layers */
	/* Spatial hash: names and identities of cells (1.7.5). */
	bool layers_always;      /* names end in the id of the layers, _DL0 without any */
	bool layers_unpadded;    /* ids of layers have no leading zeros */
	bool guid_of_size;       /* GUIDs depend on the cell size */
	uint32_t package_naming; /* enum cs_package_naming */
	/* The console's defaults of the spatial hash for options that the project doesn't set. */
	bool aligned, snap, small_by_location, partition_by_location;
	const char *partition_name; /* name of the default partition or grid */
};

CS_API const struct cs_profile *cs_profiles(size_t *n_ret);

/* ==== why ==== */

/*
 * Explains a cook from the cooked file alone: the placement trail of an actor, its cluster, the
 * edge whose removal splits the cluster best, and the differences between two cooks. Answers are
 * data, and the front turns them into sentences.
 */

/* ---- the placement trail ---- */

/* A rule of the trail. The comment names the members of the step that it uses. */
enum cs_rule {
	CS_RULE_UNPLACED,      /* the actor is in no cell: `value` = enum cs_placement */
	CS_RULE_WORLD_STREAMS, /* holds: streaming is enabled */
	CS_RULE_OWN_SPATIAL,   /* holds: the descriptor is spatially loaded */
	/*
	 * the actor follows its topmost parent, `actor`; `value` 1: the parent overrides nothing,
	 * because it is editor-only or embeds a level
	 */
	CS_RULE_PARENT,
	/* holds: every level instance around the actor is spatial; else `actor` is not */
	CS_RULE_CONTAINER,
	CS_RULE_FORCED,  /* validation changed the actor: `finding`, `value` = enum cs_repair */
	CS_RULE_SPATIAL, /* holds: the actor is effectively spatially loaded */
	CS_RULE_CLUSTER, /* the actor is in a set of `count` actors; `actor` = the largest */
	/*
	 * holds: the set has bounds; `length` = longest extent, cm; `value` 1: of X and Y only,
	 * because its grid is flat
	 */
	CS_RULE_BOUNDS,
	CS_RULE_GRID,  /* the actor's own grid gives `partition`; holds: such a grid exists */
	CS_RULE_SMALL, /* holds: `length`, the area of the bounds, cm^2, is at most that of a cell
			*/
	/* holds: all actors of the set are partition actors, which are placed by location */
	CS_RULE_PARTITION_ACTORS,
	/*
	 * a level that was tried: `level`, `length` = its cell size, `count` = cells touched (0 =
	 * too small for the extent); holds: it is taken
	 */
	CS_RULE_LEVEL,
	CS_RULE_DEMOTED, /* holds: 5.7 takes the level below; `level`, `length` = margin */
	CS_RULE_OUTSIDE, /* the actor's location is outside the grid */
	/*
	 * the set is in the top cell, because it touches `count` cells on `level` below; 0: for
	 * another reason
	 */
	CS_RULE_TOP,
	CS_RULE_LOST_LAYER, /* the actor names a layer that the world does not have: `finding` */
	CS_RULE_LAYERS,     /* `count` data layers of `cell`; `value` = their id */
	CS_RULE_BUNDLE,     /* the actor is part of a content bundle, which `cell` names */
	/* the answer: `cell`; holds: always loaded, for the reason `value`, enum cs_always */
	CS_RULE_CELL,
	CS_RULE_TRY_NON_ALIGNED, /* a non-aligned grid would place the set on `level` */
	CS_RULE_TRY_SMALL, /* placing small actors by location would place the set on `level` */
	/* placing partition actors by location would place the set on `level` */
	CS_RULE_TRY_PARTITION,
	CS_RULE_TRY_WITHOUT, /* without its largest member, `actor`, the set would be on `level` */
};

struct cs_trail_step {
	enum cs_rule rule;
	bool holds;
	int32_t level;
	uint32_t value;
	uint64_t count;
	double length;
	/* rows of the object that the rule names, or CS_NONE */
	uint32_t actor, partition, cell, finding;
	const char *number; /* number of the rule (cs_rulebook_find) that the step follows */
};

struct cs_trail {
	struct cs_trail_step *steps; /* freed by the caller */
	size_t n;
};

CS_API struct cs_error *cs_explain_actor(
	const struct cs_cooked *cooked, uint32_t actor, struct cs_trail *ret) CS_MUST_USE;

/*
 * Returns the rule number of a finding: that of its check, or of the part of the check that its
 * repair belongs to.
 */
CS_API const char *cs_finding_rule(const struct cs_cooked_finding *finding);
/*
 * Both trails of an actor, and the step where they part: the first in which they differ, in its
 * rule, its verdict, or the items it names, or the length of the shorter trail when that is the
 * beginning of the other. `rule` is the number of the first rule that decided differently: that of
 * the right trail, or of the left one where the right one has ended. It is NULL when both are the
 * same.
 */
struct cs_parting {
	struct cs_trail left, right; /* their steps are freed by the caller */
	size_t step;
	const char *rule;
};

/*
 * `right_actor` CS_NONE is the same actor of the right cook, found by GUID, and by its index among
 * actors of several instances. Returns E_MISSING when there is none.
 */
CS_API struct cs_error *cs_parting_of_actor(const struct cs_cooked *left, uint32_t left_actor,
	const struct cs_cooked *right, uint32_t right_actor, struct cs_parting *ret) CS_MUST_USE;
/* Returns only cs_parting.rule; "" without memory. */
static inline const char *cs_parting_rule(const struct cs_cooked *left, uint32_t left_actor,
	const struct cs_cooked *right, uint32_t right_actor)
{
	struct cs_parting parting;
	struct cs_error *error =
		cs_parting_of_actor(left, left_actor, right, right_actor, &parting);
	const char *rule = error ? "" : parting.rule; /* Texts of the rule book are static. */
	if (!error) {
		free(parting.left.steps);
		free(parting.right.steps);
	}
	cs_error_free(error);
	return rule;
}

/*
 * Lists the finding that changed an actor, then the finding that caused it, and so on to the first
 * cause. `repair` CS_REPAIR_NONE means any. With CS_REPAIR_DROP_REFERENCE it lists those that
 * dropped references from and to the actor, each once. At most `room` rows are written. Returns how
 * many there are.
 */
CS_API size_t cs_explain_repair(const struct cs_cooked *cooked, uint32_t actor, uint32_t repair,
	uint32_t *findings, size_t room);

/* An actor in no cell, or an actor in a cell that lost something. */
struct cs_unplaced {
	/* the actor; number of actors dropped together, as a set or as the contents of a level */
	uint32_t actor, actors;
	const char *reason;
	const char *detail; /* the name or value that is the cause, "" for none or for `around` */
	uint32_t around;    /* level instance that is the cause, CS_NONE for none */
	/* true: the engine drops the actor without a message; false: its settings keep it out */
	bool lost;
};

/* Why an actor is always loaded: the first of these reasons that is enough by itself. */
enum cs_always {
	CS_ALWAYS_OWN, /* the actor itself is not spatially loaded */
	/* the actor's parent, or a level instance around it, is not spatially loaded */
	CS_ALWAYS_INHERITED,
	/* validation: the actor at the other end of a reference is not spatially loaded */
	CS_ALWAYS_REFERENCE,
	CS_ALWAYS_SCRIPT, /* validation: the level script references the actor */
	CS_ALWAYS_BOUNDS, /* the actor has no bounds */
	CS_ALWAYS_WORLD,  /* the world does not stream */
	CS_ALWAYS_OTHER,  /* the actor's grid always loads its cell */
	CS_ALWAYS_REASONS
};

/* ---- clusters ---- */

struct cs_cluster_edge {
	uint32_t from, to; /* actors: `from` references `to` or is its parent */
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

/* A bridge: an edge without which the cluster falls into two. */
struct cs_cluster_cut {
	uint32_t edge;        /* index in cluster->edges */
	uint32_t left, right; /* actors on the side of `from` and of `to` */
	/* grid level of each part; -1 without bounds, and for all but the best 64 cuts */
	int32_t left_level, right_level;
};

/* Lists the cuts, best first: the most even split, and then the first edge. */
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
	/* a field of a container instance, or an instance; only when two logs are compared */
	CS_DIFF_CONTAINER,
};
enum { CS_DIFF_KINDS = CS_DIFF_CONTAINER + 1 };

/* The reasons of a difference, as bits. */
#define CS_DIFF_NEW       0x1u /* the row is only in the right cook */
#define CS_DIFF_GONE      0x2u /* the row is only in the left cook */
#define CS_DIFF_MOVED     0x4u /* actor: is in another cell */
#define CS_DIFF_BOUNDS    0x8u
#define CS_DIFF_SPATIAL   0x10u /* the effective spatial flag differs */
#define CS_DIFF_GRID      0x20u
#define CS_DIFF_LAYERS    0x40u
#define CS_DIFF_CLUSTER   0x80u  /* the actor's set has other members */
#define CS_DIFF_PLACEMENT 0x100u /* another rule placed the actor */
#define CS_DIFF_REPAIR    0x200u /* validation changed the actor in one of the cooks */
#define CS_DIFF_PARTITION 0x400u /* actor: settings of its partition differ */
#define CS_DIFF_PROFILE   0x800u
#define CS_DIFF_CONTENT   0x1000u  /* cell: contains other actors */
#define CS_DIFF_NAME      0x2000u  /* cell: same GUID, other name */
#define CS_DIFF_VALUE     0x4000u  /* the value of `field` differs */
#define CS_DIFF_GUID      0x8000u  /* cell, actor: same name, other GUID */
#define CS_DIFF_MESH      0x10000u /* actor: another mesh, or one built from other bytes */

/* actor: the set has the same members, and another member moved */
#define CS_DIFF_CLUSTER_MOVED 0x20000u
#define CS_DIFF_REFERENCE     0x40000u /* actor: the references of its set differ */

struct cs_diff_row {
	enum cs_diff_kind kind;
	uint32_t left, right; /* rows of the kind's table, or CS_NONE */
	uint32_t reasons;
	/* for an actor its cells, for a cell the cell itself; or CS_NONE */
	uint32_t left_cell, right_cell;
	const struct cs_field *field; /* the field that differs, for CS_DIFF_VALUE */
	/*
	 * How much the bounds of a cell's content, or of an actor, differ: the distance that the
	 * corner moved farthest, in cm. -1 where one side has none.
	 */
	double amount;
	/* false for an actor that moved although none of the known reasons applies */
	bool explained;
};

struct cs_diff {
	struct cs_diff_row
		*rows; /* sorted by kind, then in the order of the tables; freed by the caller */
	size_t n;
};

/*
 * Compares two cooks in one pass over both. Actors that were not loaded before are not loaded
 * afterwards.
 */
CS_API struct cs_error *cs_cooked_diff(
	struct cs_cooked *left, struct cs_cooked *right, struct cs_diff *ret) CS_MUST_USE;
/* Returns the row of the table that contains `field` of a difference. */
static inline const void *cs_diff_record(
	const struct cs_cooked *cooked, const struct cs_diff_row *row, uint32_t at)
{
	const struct cs_record *details =
		cs_schema_record(cs_file_info(cooked->file).schema, CS_TABLE_ACTOR_DETAILS);
	switch (row->kind) {
	case CS_DIFF_WORLD:
		return cooked->world;
	case CS_DIFF_PARTITION_ROW:
		return &cooked->partitions[at];
	case CS_DIFF_LAYER_ROW:
		return &cooked->layers[at];
	case CS_DIFF_CELL:
		return cs_cooked_cell(cooked, at);
	case CS_DIFF_CONTAINER:
		return &cooked->containers[at];
	case CS_DIFF_ACTOR:
		return row->field >= details->fields &&
				       row->field < details->fields + details->n_fields
			       ? (const void *)cs_cooked_detail(cooked, at)
			       : cs_cooked_actor(cooked, at);
	default:
		return NULL;
	}
}

/* ---- what makes a cell large ---- */

/* The size of a set of a cell. Both lengths are 0 for a set without bounds. */
struct cs_set_size {
	uint32_t set;             /* row number in the table of sets */
	struct cs_cooked_set row; /* copy of that row */
	double extent;            /* longest side of its bounds, cm */
	/* how far the bounds reach out of the cell, in the plane in which it streams, cm */
	double reaches_out;
};

/*
 * Lists the sets of a cell, the largest first, and equal ones in their order. The caller frees the
 * result.
 */
CS_API struct cs_error *cs_cell_sets(const struct cs_cooked *cooked, uint32_t cell,
	struct cs_set_size **ret, size_t *n_ret) CS_MUST_USE;

/* ---- the generation report ---- */

/* Writes the cook in the layout of UE's StreamingGeneration log, which cs_ue_open_log reads. */
CS_API struct cs_error *cs_cooked_write_log(struct cs_cooked *cooked, const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
