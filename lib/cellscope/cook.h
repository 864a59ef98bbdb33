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

CS_BEGIN_DECLS

struct cs_cook_options {
	size_t size;             /* sizeof(struct cs_cook_options); api.h */
	const char *profile;     /* "5.4"; NULL = what the world asks for */
	enum cs_trigger trigger; /* PIE sees unsaved changes, the cook the saved state */
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
	enum cs_mesh_state state;
	struct cs_guid content;
	struct cs_box bounds;
	uint64_t bytes, resident_bytes; /* as in cs_cooked_mesh */
	uint32_t triangles, pages;
	uint32_t hlod; /* hlods: whose proxy it is, or CS_NONE */
};

#ifdef CS_INSIDE
/* Whether an actor in a cell names one. */
bool cs_cook_names_meshes(const struct cs_cook *cook);
#endif
/*
 * Before the cook is saved: the meshes as they were built. Cells carry what theirs bring with them,
 * HLOD actors show their proxies, what could not be built is a finding (actor_mesh).
 */
CS_API struct cs_error *cs_cook_set_meshes(
	struct cs_cook *cook, const struct cs_mesh_fact *facts, size_t n) CS_MUST_USE;
CS_API struct cs_cook_summary cs_cook_summary(const struct cs_cook *cook);
/* Writes FILE.cworld, replacing it atomically. */
CS_API struct cs_error *cs_cook_save(struct cs_cook *cook, const char *path) CS_MUST_USE;
/* The same bytes in memory, freed by the caller. */
CS_API struct cs_error *cs_cook_bytes(
	struct cs_cook *cook, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
/*
 * The cooked world without its bytes: rows are made when they are asked for. The cook and its world
 * must stay as they are until it is closed. The file that it names has no sections and no content
 * id: it is for counting and looking, not for saying what it is.
 */
CS_API struct cs_error *cs_cook_open(struct cs_cook *cook, struct cs_cooked **ret) CS_MUST_USE;
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

/* By profile name or by engine version "5.3.2"; NULL when there is none. */
CS_API const struct cs_profile *cs_profile_find(const char *name);
CS_API const struct cs_profile *cs_profiles(size_t *n_ret);

/* ---- placement, as pure rules ---- */

struct cs_cell_coordinates {
	int64_t x, y, z;
	int32_t level;
};

/* Parameters of an LHGrid (world-partition rules 1.6.4). */
struct cs_lhgrid {
	double cell_size;
	struct cs_vec3 origin;
	bool is_2d;
	bool quarter_demotion;
};

/* The box must be valid. `demoted_ret` may be NULL. */
CS_API struct cs_cell_coordinates cs_lhgrid_place(
	const struct cs_lhgrid *grid, const struct cs_box *box, bool *demoted_ret);
CS_API struct cs_box cs_lhgrid_cell_box(
	const struct cs_lhgrid *grid, struct cs_cell_coordinates at);

/* A grid of the spatial hash (1.7.2): sizes follow from the world bounds. */
struct cs_spatial_grid {
	double cell_size, origin_x, origin_y;
	uint32_t levels;
	uint32_t grid_size; /* cells a side on level 0, before the +1 of non-aligned levels */
	bool aligned;
};

#define CS_SPATIAL_GRID_LEVELS 32

CS_API struct cs_spatial_grid cs_spatial_grid_make(double cell_size, double origin_x,
	double origin_y, bool aligned, const struct cs_box *world_bounds);
/* Cells a side on a level. */
CS_API uint32_t cs_spatial_grid_size(const struct cs_spatial_grid *grid, uint32_t level);
/* Local coordinates of a point; false when it is outside the grid. */
CS_API bool cs_spatial_grid_coordinates(const struct cs_spatial_grid *grid, uint32_t level,
	double x, double y, int64_t *x_ret, int64_t *y_ret);
/* How many cells of the level the box touches; the first of them in *x_ret, *y_ret. */
CS_API uint64_t cs_spatial_grid_intersections(const struct cs_spatial_grid *grid, uint32_t level,
	const struct cs_box *box, int64_t *x_ret, int64_t *y_ret);
CS_API struct cs_box cs_spatial_grid_cell_box(
	const struct cs_spatial_grid *grid, uint32_t level, int64_t x, int64_t y);

struct cs_spatial_rules {
	bool small_by_location, partition_by_location;
};

/* `spatial` with a valid box, else the top cell. Coordinates are local. (1.7.4) */
CS_API struct cs_cell_coordinates cs_spatial_grid_place(const struct cs_spatial_grid *grid,
	const struct cs_spatial_rules *rules, const struct cs_box *box, bool spatial,
	bool all_partition_actors, enum cs_placement *placement_ret);

CS_END_DECLS

#endif
