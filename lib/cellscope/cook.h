/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cook: it generates streaming cells from the descriptors of a world by the rules of an engine
 * profile, and stores the reason of every decision in the cooked file. It is deterministic: the
 * bytes of the file depend neither on the number of threads nor on the order of the input.
 */
#ifndef CELLSCOPE_COOK_H
#define CELLSCOPE_COOK_H

#include <cellscope/cooked.h>
#include <cellscope/world.h>

#include <stdlib.h>

CS_BEGIN_DECLS

struct cs_cook_options {
	size_t size; /* sizeof(struct cs_cook_options); see cellscope/core.h */
	/* engine profile (cs_profiles) such as "5.4". NULL: the one that the world names, or 5.4 */
	const char *profile;
	uint32_t trigger; /* enum cs_trigger: only PIE includes unsaved changes of actors */
};

/* Numbers of rows in a cook. */
struct cs_cook_summary {
	/* `cells` includes `always_loaded_cells` */
	size_t actors, cells, always_loaded_cells, sets, containers;
	/* errors: the findings of severity `error` in the validation pass that is reported */
	size_t findings, errors;
	size_t drops; /* rows of drops, without the actors that actor filters exclude */
};

struct cs_cook;

/*
 * Cooks a world. World and job must outlive the cook, which uses them when the file is written.
 * Returns E_PROFILE for an unknown profile.
 */
CS_API struct cs_error *cs_cook(const struct cs_world *world, const struct cs_cook_options *options,
	const struct cs_job *job, struct cs_cook **ret) CS_MUST_USE;
/* Facts about one mesh or proxy mesh that a build of meshes (cellscope/farm.h) passes to a cook. */
struct cs_mesh_fact {
	const char *path;   /* path by which actors name the mesh, or path of a proxy's file */
	const char *file;   /* path of the resource, relative to the folder of the cooked world */
	const char *reason; /* why the mesh has no resource, else NULL or "" */
	uint32_t state;     /* enum cs_mesh_state */
	struct cs_guid content;
	struct cs_box bounds;
	uint64_t bytes, resident_bytes; /* sizes in bytes, as in cs_cooked_mesh */
	uint32_t triangles, pages;
	uint32_t hlod; /* for a proxy: row of hlods of its HLOD actor; else CS_NONE */
};

CS_API struct cs_cook_summary cs_cook_summary(const struct cs_cook *cook);
/* Writes the cook as a .cworld file; an existing file is replaced atomically. */
CS_API struct cs_error *cs_cook_save(struct cs_cook *cook, const char *path) CS_MUST_USE;
/* Returns the bytes of the file that cs_cook_save writes. The caller frees them. */
CS_API struct cs_error *cs_cook_bytes(
	struct cs_cook *cook, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
CS_API void cs_cook_free(struct cs_cook *cook);
/* Cooks a world and returns the bytes that cs_cook_save would write. The caller frees them. */
static inline struct cs_error *cs_cook_in_memory(const struct cs_world *world,
	const struct cs_cook_options *options, const struct cs_job *job, unsigned char **bytes_ret,
	size_t *size_ret)
{
	struct cs_cook *cook;
	struct cs_error *error = cs_cook(world, options, job, &cook);
	if (error)
		return error;
	error = cs_cook_bytes(cook, bytes_ret, size_ret);
	cs_cook_free(cook);
	return error;
}

/*
 * Tests whether a cook depends only on its input. Cooks the source once on one thread, then `n`
 * times with the actors shuffled, on one to four threads, and stores in `different_ret` how many of
 * these cooks have other bytes than the first. The source stays shuffled.
 */
CS_API struct cs_error *cs_cook_repeat(struct cs_world *source,
	const struct cs_cook_options *options, uint64_t n, const struct cs_job *job,
	uint64_t *different_ret) CS_MUST_USE;

/*
 * Builds HLOD actors and replaces the HLOD actors of the world by them (rule 1.6.8), as an editor
 * does before a cook: first those of the actors' HLOD layers, then those of the parent layers, and
 * so on. `*n_ret` is the number of new HLOD actors. After an error the world is still usable, but
 * may lack some HLOD actors.
 */
CS_API struct cs_error *cs_hlod_build(struct cs_world *world, const struct cs_cook_options *options,
	const struct cs_job *job, size_t *n_ret) CS_MUST_USE;

/* ---- engine profiles ---- */

/* How the name of the package of a cell is made. */
enum cs_package_naming {
	CS_PACKAGE_HASH,  /* 25 digits 0-9A-Z, computed from the name of the cell */
	CS_PACKAGE_PLAIN, /* name of the cell without the map: MainGrid_L0_X0_Y0_DL0 */
	CS_PACKAGE_MAP,   /* name of the cell with the map, without _DL0 */
};

/* The rules of one engine profile: every rule that differs between engine versions. */
struct cs_profile {
	const char *name; /* first numbers of the engine versions that follow the profile: "5.4" */
	/* whether actor sets that are not spatially loaded go to a partition named Persistent */
	bool transient_persistent;
	bool coordinates_first; /* whether cell names are X_Y_Z_L (true) or L_X_Y(_Z) (false) */
	bool hash_set_default;  /* whether the hash set is the default runtime hash */
	bool layer_assets;      /* whether a data layer without an asset is an error */
	bool flat_default;      /* LHGrid: whether the default partition is 2D */
	/*
	 * LHGrid: whether a set of actors is placed on the next finer level if its bounds exceed
	 * the cell of that level by less than a quarter of the cell size of level 0
	 */
	bool quarter_demotion;
	/*
	 * LHGrid: whether by default a cell is tested by its content's bounds, clipped to the cell
	 */
	bool clip_content;
	/* whether an actor is reported if its HLOD layer has no setup in the actor's partition */
	bool hlod_layer_always;
	/* whether it is an error that the data layers of an actor have different load filters */
	bool load_filter_mix;
	bool layer_priority; /* whether a cell's priority includes those of its data layers */
	/* Names and GUIDs of cells in the spatial hash (rule 1.7.5). */
	bool layers_always;      /* whether names end in _DL0 if there are no data layers */
	bool layers_unpadded;    /* whether ids of data layers have no leading zeros */
	bool guid_of_size;       /* whether the GUID of a cell depends on the cell size */
	uint32_t package_naming; /* enum cs_package_naming */
	/* Defaults of settings of the spatial hash, for projects that don't set them. */
	bool aligned;               /* UseAlignedGridLevels */
	bool snap;                  /* SnapNonAlignedGridLevelsToLowerLevels */
	bool small_by_location;     /* PlaceSmallActorsUsingLocation */
	bool partition_by_location; /* PlacePartitionActorsUsingLocation */
	/* whether new maps store these settings: levels not aligned, actors by location */
	bool options_stored;
	const char *partition_name; /* name of the default partition or grid */
};

CS_API const struct cs_profile *cs_profiles(size_t *n_ret);

/* ==== explanations of a cook ==== */

/*
 * Explains a cook from the cooked file alone: the placement trail of an actor, the cluster of an
 * actor, the edge whose removal divides a cluster most evenly, and the differences between two
 * cooks. The answers are data. The program turns them into sentences.
 */

/* ---- the placement trail: the rules that placed an actor, in order ---- */

/* Rules of trail steps (cs_trail_step). The comments explain which step members each rule uses. */
enum cs_rule {
	CS_RULE_UNPLACED,      /* the actor is in no cell; `value`: enum cs_placement */
	CS_RULE_WORLD_STREAMS, /* `holds`: whether streaming is enabled for the world */
	CS_RULE_OWN_SPATIAL,   /* `holds`: whether the descriptor is spatially loaded */
	/*
	 * `actor`: topmost parent; `holds`: whether it is spatially loaded. With `value` 1 the
	 * parent overrides nothing, because it is editor-only or is a level instance that is
	 * embedded.
	 */
	CS_RULE_PARENT,
	/*
	 * `holds`: whether all level instances around the actor are spatially loaded. `actor`: one
	 * that is not
	 */
	CS_RULE_CONTAINER,
	CS_RULE_FORCED,  /* validation changed the actor; `finding`: why; `value`: enum cs_repair */
	CS_RULE_SPATIAL, /* `holds`: whether the actor is spatially loaded in the end */
	/*
	 * the actor is in a set of `count` actors; `holds`: whether that is more than one; `actor`:
	 * the member with the longest extent
	 */
	CS_RULE_CLUSTER,
	/*
	 * `holds`: whether the set has bounds; `value` 1: the grid of the set is 2D; `length`:
	 * longest side of the bounds (of X and Y, in a 2D grid), cm
	 */
	CS_RULE_BOUNDS,
	/* the set is in the grid `partition`; `holds`: whether the actor names a runtime grid */
	CS_RULE_GRID,
	/* `holds`: whether the bounds have at most the area of a cell; `length`: area, cm^2 */
	CS_RULE_SMALL,
	/*
	 * `holds`: whether all actors of the set are partition actors, which are placed by location
	 */
	CS_RULE_PARTITION_ACTORS,
	/*
	 * a `level` that was tried; `length`: cell size of the level, cm; `count`: number of cells
	 * that the set overlaps, 0 if the cells are too small for the set; `holds`: whether the
	 * level was chosen
	 */
	CS_RULE_LEVEL,
	/*
	 * `holds`: whether the set moves down to `level`, because it sticks out of a cell there by
	 * less than `length` on every side (rule 1.6.4.7); `length`: a quarter of the cell size of
	 * level 0, cm
	 */
	CS_RULE_DEMOTED,
	CS_RULE_OUTSIDE, /* the location of the actor is outside the grid */
	/*
	 * the set is in the top cell, because it overlaps `count` cells of `level`, the next lower
	 * level; `count` 0: because these cells are too small or do not overlap the set at all, or
	 * the grid has only one level (`level` -1)
	 */
	CS_RULE_TOP,
	CS_RULE_LOST_LAYER, /* the actor names a data layer that does not exist; see `finding` */
	CS_RULE_LAYERS, /* the `cell` has `count` data layers; `value`: id of their combination */
	CS_RULE_BUNDLE, /* the actor is in the content bundle of `cell` */
	/*
	 * the actor is in `cell`; `holds`: whether the cell is always loaded; `value`: why, enum
	 * cs_always, or CS_ALWAYS_REASONS if the cell is not always loaded
	 */
	CS_RULE_CELL,
	CS_RULE_TRY_NON_ALIGNED, /* suggestion: in a non-aligned grid the set would be on `level` */
	/* suggestion: if small actors were placed by location, the set would be on `level` */
	CS_RULE_TRY_SMALL,
	/* suggestion: if partition actors were placed by location, the set would be on `level` */
	CS_RULE_TRY_PARTITION,
	/*
	 * suggestion: without its largest member, `actor`, the set would be on `level`. `actor` is
	 * CS_NONE if the explained actor is the largest: alone it would be on `level`
	 */
	CS_RULE_TRY_WITHOUT,
};

struct cs_trail_step {
	enum cs_rule rule;
	bool holds;
	int32_t level;
	uint32_t value;
	uint64_t count;
	double length;
	/* rows in their tables, or CS_NONE for those that the rule does not use */
	uint32_t actor, partition, cell, finding;
	const char *number; /* number of the rule that the step follows (cs_rulebook_find) */
};

struct cs_trail {
	struct cs_trail_step *steps; /* freed by the caller */
	size_t n;
};

/* Stores the placement trail of the actor in row `actor`. */
CS_API struct cs_error *cs_explain_actor(
	const struct cs_cooked *cooked, uint32_t actor, struct cs_trail *ret) CS_MUST_USE;

/*
 * Returns the number of the rule that a finding is about: the rule of its check, but for
 * CS_CHECK_REFERENCE_LAYERS with the repair CS_REPAIR_DROP_REFERENCE the one about external data
 * layers.
 */
CS_API const char *cs_finding_rule(const struct cs_cooked_finding *finding);
/*
 * The trails of an actor in two cooks, and the first step where they differ. Steps differ when any
 * of their members except `finding` differs; actors, partitions and cells are compared by name.
 */
struct cs_parting {
	struct cs_trail left, right; /* the caller frees the steps of both */
	/* index of the first step that differs, or else the length of the shorter trail */
	size_t step;
	/*
	 * number of the rule of that step in the right trail, or in the left trail when the right
	 * one has ended; NULL when the trails are equal
	 */
	const char *rule;
};

/*
 * Compares the placement trails of one actor in two cooks. `right_actor` CS_NONE means the actor of
 * the right cook with the same GUID; if several rows have this GUID, because instances of a level
 * repeat the actor, the k-th such row of the left cook is compared with the k-th of the right one.
 * Returns E_MISSING when there is none.
 */
CS_API struct cs_error *cs_parting_of_actor(const struct cs_cooked *left, uint32_t left_actor,
	const struct cs_cooked *right, uint32_t right_actor, struct cs_parting *ret) CS_MUST_USE;
/* Returns only the `rule` of cs_parting_of_actor; "" after an error. */
static inline const char *cs_parting_rule(const struct cs_cooked *left, uint32_t left_actor,
	const struct cs_cooked *right, uint32_t right_actor)
{
	struct cs_parting parting;
	struct cs_error *error =
		cs_parting_of_actor(left, left_actor, right, right_actor, &parting);
	const char *rule = error ? "" : parting.rule; /* static text, which outlives the steps */
	if (!error) {
		free(parting.left.steps);
		free(parting.right.steps);
	}
	cs_error_free(error);
	return rule;
}

/*
 * Lists the findings that explain a change of an actor by validation: the finding that changed the
 * actor, then the finding that caused it, and so on to the first cause. `repair` selects the kind
 * of change, and CS_REPAIR_NONE means any. With CS_REPAIR_DROP_REFERENCE it lists each finding that
 * dropped a reference from or to the actor. At most `room` rows of findings are written. Returns
 * the number of all rows.
 */
CS_API size_t cs_explain_repair(const struct cs_cooked *cooked, uint32_t actor, uint32_t repair,
	uint32_t *findings, size_t room);

/*
 * An actor that is in no cell, or that is in a cell but lost a part, such as a data layer: a row of
 * the table `drops` (cellscope/query.h).
 */
struct cs_unplaced {
	uint32_t actor;     /* row of actors, or CS_NONE */
	uint32_t actors;    /* number of actors of the set or level that were dropped together */
	const char *reason; /* words for the reason */
	const char *detail; /* name or value that is the cause; "" for none or with `around` */
	/* row of the level instance that contains the actor and causes the drop, or CS_NONE */
	uint32_t around;
	/* true: the engine drops the actor without a message. false: settings exclude the actor */
	bool lost;
};

/*
 * Why an actor is always loaded. Of several reasons the first one in this order is reported: WORLD,
 * OWN, INHERITED, SCRIPT, REFERENCE. BOUNDS and OTHER are reported for spatially loaded actors.
 */
enum cs_always {
	CS_ALWAYS_OWN, /* the actor's own setting: not spatially loaded */
	/* the actor's parent, or a level instance that contains it, is not spatially loaded */
	CS_ALWAYS_INHERITED,
	/*
	 * repaired by validation: a reference joins the actor with one that is not spatially loaded
	 */
	CS_ALWAYS_REFERENCE,
	CS_ALWAYS_SCRIPT, /* repaired by validation: the level script references the actor */
	CS_ALWAYS_BOUNDS, /* the actor has no valid bounds */
	CS_ALWAYS_WORLD,  /* streaming is disabled for the world */
	CS_ALWAYS_OTHER,  /* the actor's grid or partition always loads its cells */
	CS_ALWAYS_REASONS
};

/* ---- clusters of actors ---- */

struct cs_cluster_edge {
	/* rows of actors; `from` references `to`, or with `attachment` is the parent of `to` */
	uint32_t from, to;
	bool attachment;
};

struct cs_actor_cluster {
	uint32_t *members; /* rows of actors, ascending; the caller frees them and `edges` */
	size_t n_members;
	struct cs_cluster_edge *edges;
	size_t n_edges;
};

/* Finds the cluster of the actor in row `actor`: the actors that must share a cell, and why. */
CS_API struct cs_error *cs_cluster_of_actor(
	const struct cs_cooked *cooked, uint32_t actor, struct cs_actor_cluster *ret) CS_MUST_USE;

/* A bridge: an edge without which the cluster would be two clusters, left and right. */
struct cs_cluster_cut {
	uint32_t edge;        /* index in the edges of the cluster */
	uint32_t left, right; /* number of actors on the side of the edge's `from`, `to` */
	/*
	 * grid level of each side after the cut, or -1 for a side without bounds and for all cuts
	 * after the first 64 of a list, which are not evaluated
	 */
	int32_t left_level, right_level;
};

/*
 * Lists the bridges of a cluster, the edges whose removal would divide it in two. Those that divide
 * it most evenly come first, equal ones in the order of the edges. The caller frees the list.
 */
CS_API struct cs_error *cs_cluster_cuts(const struct cs_cooked *cooked,
	const struct cs_actor_cluster *cluster, struct cs_cluster_cut **cuts_ret,
	size_t *n_ret) CS_MUST_USE;

/* ---- differences between two cooks ---- */

enum cs_diff_kind {
	CS_DIFF_WORLD,         /* a field of the row of the table `world` differs */
	CS_DIFF_PARTITION_ROW, /* differing field of a partition, or partition in one cook only */
	CS_DIFF_LAYER_ROW,     /* differing field of a data layer, or layer in one cook only */
	CS_DIFF_HLOD_ROW,      /* differing field of an HLOD layer, or layer in one cook only */
	CS_DIFF_CELL,
	CS_DIFF_ACTOR,
	CS_DIFF_FINDING,
	/*
	 * a container instance that differs, or is in one cook only; reported only if both cooks
	 * were read from logs of the engine
	 */
	CS_DIFF_CONTAINER,
};
enum { CS_DIFF_KINDS = CS_DIFF_CONTAINER + 1 };

/* Reasons of a difference, as bits of cs_diff_row.reasons. */
#define CS_DIFF_NEW       0x1u     /* only the right cook has the row */
#define CS_DIFF_GONE      0x2u     /* only the left cook has the row */
#define CS_DIFF_MOVED     0x4u     /* actor: in another cell */
#define CS_DIFF_BOUNDS    0x8u     /* actor: other bounds; cell: the content has other bounds */
#define CS_DIFF_SPATIAL   0x10u    /* actor: spatially loaded (after validation) in one cook only */
#define CS_DIFF_GRID      0x20u    /* actor: another runtime grid */
#define CS_DIFF_LAYERS    0x40u    /* actor or cell: other data layers */
#define CS_DIFF_CLUSTER   0x80u    /* actor: its cluster has other members */
#define CS_DIFF_PLACEMENT 0x100u   /* actor: placed by another rule */
#define CS_DIFF_REPAIR    0x200u   /* actor: changed by validation in one cook only */
#define CS_DIFF_PARTITION 0x400u   /* actor: settings of the actor's partition differ */
#define CS_DIFF_PROFILE   0x800u   /* actor that moved: the cooks follow different profiles */
#define CS_DIFF_CONTENT   0x1000u  /* cell: its actors differ between the cooks */
#define CS_DIFF_NAME      0x2000u  /* cell: same GUID, another name */
#define CS_DIFF_VALUE     0x4000u  /* the value of cs_diff_row.field differs */
#define CS_DIFF_GUID      0x8000u  /* cell or actor: same name, another GUID */
#define CS_DIFF_MESH      0x10000u /* actor: another mesh, or one built from other bytes */

#define CS_DIFF_CLUSTER_MOVED 0x20000u /* actor: another member of the actor's set moved */
#define CS_DIFF_REFERENCE     0x40000u /* actor: the references of the actor's set differ */

struct cs_diff_row {
	enum cs_diff_kind kind;
	/* row of the left and of the right cook, in the table of `kind`, or CS_NONE */
	uint32_t left, right;
	uint32_t reasons;
	/* cell of the actor in each cook, or the cell itself (CS_NONE for other kinds) */
	uint32_t left_cell, right_cell;
	const struct cs_field *field; /* the field that differs, for CS_DIFF_VALUE; else NULL */
	/*
	 * largest change in cm of a coordinate of the minimum or maximum corner of the bounds of an
	 * actor, or of the content of a cell. -1 if one cook has no such bounds
	 */
	double amount;
};

static inline const char *cs_diff_kind_name(enum cs_diff_kind kind)
{
	static const char *const names[CS_DIFF_KINDS] = {
		"world", "grid", "layer", "hlod_layer", "cell", "actor", "finding", "container"};
	return names[kind];
}

/* Returns false if an actor moved, but no reason except PLACEMENT and GUID is known. */
static inline bool cs_diff_is_explained(const struct cs_diff_row *row)
{
	const uint32_t vague = CS_DIFF_MOVED | CS_DIFF_PLACEMENT | CS_DIFF_GUID;
	return !(row->reasons & CS_DIFF_MOVED) || (row->reasons & ~vague) != 0;
}

/* Returns the name of the world, partition, layer or actor whose value differs. `at` is its row. */
static inline const char *cs_diff_name_of(
	const struct cs_cooked *cooked, const struct cs_diff_row *row, uint32_t at)
{
	switch (row->kind) {
	case CS_DIFF_PARTITION_ROW:
		return cs_cooked_text(cooked, cooked->partitions[at].name);
	case CS_DIFF_LAYER_ROW:
		return cs_cooked_text(cooked, cooked->layers[at].label);
	case CS_DIFF_HLOD_ROW:
		return cs_cooked_text(cooked, cooked->hlod_layers[at].path);
	case CS_DIFF_ACTOR:
		return cs_cooked_actor_title(cooked, at);
	default:
		return cs_cooked_text(cooked, cooked->world->name);
	}
}

struct cs_diff {
	struct cs_diff_row *rows; /* sorted by kind, then by row; the caller frees them */
	size_t n;
};

/* Compares two cooks. It reads each cook once, and frees the actors again that it had to load. */
CS_API struct cs_error *cs_cooked_diff(
	struct cs_cooked *left, struct cs_cooked *right, struct cs_diff *ret) CS_MUST_USE;
/*
 * Returns the record of a cook in which row->field differs. `at` is row->left or row->right: the
 * number of the record in the table of row->kind. If the field is in the table actor_details,
 * returns the record of the actor there. Returns NULL for a finding.
 */
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
	case CS_DIFF_HLOD_ROW:
		return &cooked->hlod_layers[at];
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

/* ---- the sets that make a cell large ---- */

/* The size of an actor set in a cell. Both lengths are 0 for a set without bounds. */
struct cs_set_size {
	uint32_t set;             /* row of sets */
	struct cs_cooked_set row; /* copy of row `set` of sets */
	double extent;            /* longest side of the bounds, cm; without Z in a 2D partition */
	/* largest overhang of the bounds over the cell in X or Y, cm (0 for a cell without box) */
	double reaches_out;
};

/* Lists the sets of a cell, largest first, equal ones by row. The caller frees the list. */
CS_API struct cs_error *cs_cell_sets(const struct cs_cooked *cooked, uint32_t cell,
	struct cs_set_size **ret, size_t *n_ret) CS_MUST_USE;

/* ---- a cook as a log of the engine ---- */

/* Writes the cook in the layout of UE's StreamingGeneration log, which cs_ue_open_log reads. */
CS_API struct cs_error *cs_cooked_write_log(struct cs_cooked *cooked, const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
