/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model of a Nanite resource: the form in which an inspector reads a resource, whether our
 * encoder or a cooker of the engine wrote it. All tables, dependencies, cuts, residency and
 * pictures use only this model, so a reader for another version of the engine only has to fill in a
 * model.
 *
 * A model consists of arrays. Rows refer to each other by index, and to a range of rows by first
 * index and count. CS_NONE means no row, or a number that the format doesn't store; NAN and
 * CS_NO_OFFSET mean the same for floats and offsets. Sizes are in bytes; positions and errors are
 * in units of the mesh.
 *
 * A reader builds a model. Later only cs_model_finish() changes it, which computes the members that
 * depend on others.
 */
#ifndef CELLSCOPE_PAGES_H
#define CELLSCOPE_PAGES_H

#include <cellscope/nanite.h>

#include <string.h>

CS_BEGIN_DECLS

struct cs_model_section {
	uint32_t page;
	const char *name;       /* name of the section, a static text */
	uint32_t offset, bytes; /* range of bytes in the page */
	uint32_t slack;         /* padding bytes of the section; CS_NONE if not known */
	uint32_t packed_bytes;  /* size in bytes if LZ4 compressed the section alone */
};

/* A used slot (child) of a node of the hierarchy. */
struct cs_model_slot {
	uint32_t node, slot;
	uint32_t child; /* row of the child node; CS_NONE for a leaf */
	/* leaf: row of its part (clusters of a group in a page), or CS_NONE */
	uint32_t part;
	uint32_t first_page, n_pages; /* leaf: pages of the group */
	uint32_t n_clusters;          /* leaf: number of clusters of its part */
	float centre[3], radius;      /* sphere by which the level of detail is chosen */
	float box_centre[3], box_extent[3];
	float min_error, max_parent_error;
};

struct cs_model_node {
	uint32_t first_slot, n_slots;
	uint32_t parent; /* row of the slot that has this node as child; CS_NONE for a root */
	uint32_t depth;  /* 0 for a root; CS_NONE if no root leads to the node */
	uint32_t mesh;   /* index of the node's root in `roots` */
};

/* Reasons why a page needs another page, as bits. */
enum {
	CS_NEED_LISTED = 1, /* the page lists the other page as a dependency */
	/* the other page has clusters to which a group of this page was simplified */
	CS_NEED_PARENTS = 2,
	CS_NEED_SIBLING = 4, /* the other page has a part of a group that is also in this page */
	/* the other page has a part of the group of a parent cluster (see CS_NEED_PARENTS) */
	CS_NEED_PARENT_GROUP = 8,
};

struct cs_model_need {
	uint32_t page, needs;
	uint32_t why;    /* CS_NEED_ bits */
	uint32_t fixups; /* number of cluster fixups in `page` with a target in `needs` */
};

/* Cluster `cluster` refers to `vertices` vertices of the cluster `source`. */
struct cs_model_reference {
	uint32_t cluster, source;
	uint32_t vertices;
};

struct cs_model {
	char *name;          /* short name, unique among the open resources, such as "Rock" */
	char *path;          /* path of the file that contains the resource */
	char *source;        /* mesh that the resource was built from; "" if not known */
	const char *writer;  /* writer of the file, a static text: "cellscope", "UE 5.4" */
	char content_id[33]; /* hash of the content as text; "" if not known */
	uint64_t file_bytes;
	bool compressed; /* whether pages are stored compressed */
	bool colors;
	/*
	 * whether coordinates are the engine's: cm, z up, left-handed, v = 0 at the top of a
	 * texture, clockwise triangles
	 */
	bool engine_space;
	int32_t position_precision;               /* INT32_MIN if not known */
	uint32_t input_triangles, input_vertices; /* CS_NONE if not known */
	uint32_t n_levels, n_uvs;
	uint32_t depth; /* number of nodes on the longest path of the hierarchy from a root down */
	uint32_t n_root_pages;
	uint32_t node_slots; /* number of slots of each node, used or not */
	/* bytes of a cluster and of each of its UV ranges in a loaded page of this format */
	uint32_t cluster_bytes, uv_range_bytes;
	float min[3], max[3];
	/* a number that is not known counts as 0, but coarse_triangles is CS_NONE if not known */
	struct cs_nanite_summary sums;

	struct cs_model_page *pages;
	struct cs_model_section *sections;
	struct cs_model_cluster *clusters;
	struct cs_model_part *parts;
	struct cs_model_group *groups;
	struct cs_model_node *nodes;
	struct cs_model_slot *slots;
	struct cs_model_fixup *fixups;
	struct cs_model_need *needs; /* sorted by page, then by the page that is needed */
	struct cs_model_reference *references;
	struct cs_model_material *materials;
	uint32_t *group_parts, *parents, *roots; /* rows of parts, of clusters, and of root nodes */
	uint32_t *group_order; /* groups, coarse first: each after the groups of its parents */
	/* dependencies of page p: items dependency_first[p] to dependency_first[p + 1] - 1 */
	uint32_t *dependencies;
	uint32_t *dependency_first;
	size_t n_pages, n_sections, n_clusters, n_parts, n_groups, n_nodes, n_slots, n_fixups,
		n_needs, n_references, n_materials, n_roots;

	/* Geometry. Colours and UVs are NULL if they are not known. */
	float *positions; /* x, y, z for each vertex */
	float *normals;   /* x, y, z for each vertex */
	/* 3 for each triangle: indices of vertices within the cluster */
	uint8_t *corners;
	uint8_t *vertex_colors;         /* R, G, B, A for each vertex */
	float *vertex_uvs[CS_MESH_UVS]; /* u, v for each vertex */
	size_t n_vertices, n_triangles;

	/*
	 * imposter atlas: 144 tiles of 12 x 12 pixels, tile by tile, each by rows from the bottom.
	 * A pixel has the depth in its upper 8 bits (large is near; 0: nothing drawn), and cluster
	 * and triangle in the lower ones. NULL: none. Part of the memory of `owner`
	 */
	const uint16_t *atlas;
	/* names of materials, part of `resource`; each may be NULL or empty */
	const char **material_names;
	uint32_t n_material_names;

	void *owner; /* owns `atlas` and `resource`; cs_model_free passes it to free_owner */
	void (*free_owner)(void *owner);
	/* the resource if it is in our own format, else NULL (the owner frees it) */
	struct cs_nanite *resource;
};

/*
 * Opens a .cnanite file and decodes it completely. The model copies the path, and its name is
 * derived from the path. The caller frees the model with cs_model_free.
 */
CS_API struct cs_error *cs_model_open(
	const char *path, const struct cs_job *job, struct cs_model **ret) CS_MUST_USE;
/*
 * Frees a model: passes `owner` to `free_owner`, and its texts (`name`, `path`, `source`) and its
 * arrays except `atlas` and `material_names` to free().
 */
CS_API void cs_model_free(struct cs_model *model);

/* Returns the fraction of a page's memory that data fills, 0..1, or NAN if it is not known. */
static inline double cs_model_fill(const struct cs_model_page *page)
{
	const bool known =
		page->gpu_bytes != CS_NONE && page->gpu_limit != 0 && page->gpu_limit != CS_NONE;
	return known ? (double)page->gpu_bytes / page->gpu_limit : CS_NO_NUMBER;
}

/* ---- statistics of levels and of the hierarchy ---- */

struct cs_model_level {
	uint32_t level;
	uint32_t groups, clusters, triangles;
	uint32_t reduced_triangles; /* number of triangles in groups that were simplified */
	uint32_t parent_triangles;  /* number of triangles that these became */
	uint32_t stuck;             /* number of groups that kept over 4/5 of their triangles */
	float min_error, max_error; /* smallest and largest error of the level's clusters */
	float parent_error; /* largest error of a cluster that the level was simplified to */
	uint32_t first_page, last_page;
};

/* Returns the fraction of a level's triangles that simplification kept, NAN = none simplified. */
static inline double cs_model_reduction(const struct cs_model_level *level)
{
	return level->reduced_triangles ? (double)level->parent_triangles / level->reduced_triangles
					: CS_NO_NUMBER;
}

/* Lists the levels, level 0 (the finest) first. The caller frees the list. */
CS_API struct cs_error *cs_model_levels(
	const struct cs_model *model, struct cs_model_level **ret, size_t *n_ret) CS_MUST_USE;

/* The hierarchy in the order in which it is traversed, and its cost. */
struct cs_model_tree {
	/* rows of slots, each slot before the slots of its child node (the caller frees it) */
	uint32_t *slots;
	size_t n;
	uint32_t nodes, depth; /* nodes below the roots: number, and most on one path */
	double fill;           /* fraction of slots in nodes that are used, 0..1 */
	/*
	 * sum of the surface areas of the boxes of all slots / largest such area: the mean number
	 * of boxes that a random ray meets if all are in the largest
	 */
	double surface;
};

CS_API struct cs_error *cs_model_tree(
	const struct cs_model *model, struct cs_model_tree *ret) CS_MUST_USE;

/* ---- bytes of pages ---- */

/*
 * Returns a decompressed page, which the caller frees. Returns E_MISSING for a page that doesn't
 * exist, or a model that doesn't keep bytes.
 */
CS_API struct cs_error *cs_model_page_bytes(const struct cs_model *model, uint32_t page,
	unsigned char **bytes_ret, size_t *n_ret) CS_MUST_USE;
/*
 * Copies the first words of the packed cluster, as in a page of our own format, at most `room` of
 * them. Returns how many were copied: 0 if the model is of another format or the page is damaged.
 */
CS_API uint32_t cs_model_cluster_words(
	const struct cs_model *model, uint32_t cluster, uint32_t *words, uint32_t room);

/* Sums over some clusters: how many bytes each kind of data takes in a loaded page. */
struct cs_model_content {
	/* sizes in bytes in the page layout of the model's format, of which `bytes` is the sum */
	uint64_t headers, materials, uvs, triangles, positions, attributes, bytes;
	uint32_t full, light; /* number of clusters with 128 triangles, and with less than 64 */
};

/* Returns the sums over `n` consecutive clusters from row `first` on. */
CS_API struct cs_model_content cs_model_content(
	const struct cs_model *model, uint32_t first, uint32_t n);

/* Returns the sum of the bytes of all sections with this name, over all pages. */
static inline uint64_t cs_model_section_bytes(const struct cs_model *model, const char *name)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < model->n_sections; i++)
		bytes += strcmp(model->sections[i].name, name) == 0 ? model->sections[i].bytes : 0;
	return bytes;
}

/* ---- comparison of two models ---- */

/*
 * Numbers of clusters that have the same triangles in both models, of pages that have the same
 * clusters, and of clusters and pages that only the left or only the right model has. For drawn_*
 * clusters are the same if their normals, colours, UVs, names of materials and errors are, too.
 */
struct cs_model_difference {
	uint32_t clusters_same, clusters_left, clusters_right;
	uint32_t pages_same, pages_left, pages_right;
	uint32_t drawn_same, drawn_left, drawn_right;
};

/*
 * Compares two models, whose geometry must be known. Decodes models of our own format once more,
 * within the limits of the job, because they do not keep colours and UVs.
 */
CS_API struct cs_error *cs_model_compare(const struct cs_model *left, const struct cs_model *right,
	const struct cs_job *job, struct cs_model_difference *ret) CS_MUST_USE;

/* ---- checks of a model ---- */

/*
 * Checks a model, whoever wrote the resource, by those rules (cs_nanite_rule) that also apply to
 * resources of the engine: sizes, boxes, edges, materials, fixups and dependencies, hierarchy,
 * errors, seams. Of a table of which the model has no rows, no rule is broken. Calls `report` as
 * cs_nanite_verify does.
 */
CS_API struct cs_error *cs_model_check(const struct cs_model *model, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret) CS_MUST_USE;

/* ---- dependencies between pages ---- */

/*
 * A closure of a page: all pages that must be loaded so that the page can be drawn, including the
 * page itself and root pages, in ascending order, which is a valid order of installation. The
 * dependents of a page are the pages whose closure contains it, including itself: they cannot be
 * drawn any more when it is evicted.
 */
enum cs_closure {
	/* all pages reached by the dependencies that pages list, as the format defines */
	CS_CLOSURE_LISTED,
	/*
	 * all pages of each group with a part in the page, and in turn of the groups that contain
	 * the parent clusters of such a group, up to the roots
	 */
	CS_CLOSURE_GROUPS,
	CS_DEPENDENTS_LISTED, /* pages that have the page in their CS_CLOSURE_LISTED */
	CS_DEPENDENTS_GROUPS, /* pages that have the page in their CS_CLOSURE_GROUPS */
};

/* Lists a page's closure or dependents, freed by the caller. E_MISSING: there is no such page. */
CS_API struct cs_error *cs_model_closure(const struct cs_model *model, uint32_t page,
	enum cs_closure which, uint32_t **pages_ret, size_t *n_ret) CS_MUST_USE;
/* A page that is in at least one of the two closures of a page. */
struct cs_model_needed {
	uint32_t page;
	bool listed, groups; /* whether it is in CS_CLOSURE_LISTED, and in CS_CLOSURE_GROUPS */
};

/* Lists the pages of both closures (CS_CLOSURE_) of a page, ascending. The caller frees them. */
CS_API struct cs_error *cs_model_needed(const struct cs_model *model, uint32_t page,
	struct cs_model_needed **ret, size_t *n_ret) CS_MUST_USE;
/* Returns the longest chain of listed dependencies, finest page first. The caller frees it. */
CS_API struct cs_error *cs_model_longest_chain(
	const struct cs_model *model, uint32_t **pages_ret, size_t *n_ret) CS_MUST_USE;
/* An edge of the DAG of groups: `above` contains clusters that `group` was simplified to. */
struct cs_model_edge {
	uint32_t group, above;
};

/*
 * Lists each edge between groups once, sorted by `group`, then in the order of cs_model.parents.
 * The caller frees the list.
 */
CS_API struct cs_error *cs_model_edges(
	const struct cs_model *model, struct cs_model_edge **ret, size_t *n_ret) CS_MUST_USE;

/* ---- cuts of a model ---- */

/* Returns the default of cs_nanite_view.near: box diagonal / 1000, or 1 if that is not usable. */
static inline double cs_model_near(const struct cs_model *model)
{
	double square = 0;
	for (unsigned axis = 0; axis < 3; axis++) {
		const double side = (double)model->max[axis] - (double)model->min[axis];
		square += side * side;
	}
	return square > 0 && isfinite(square) ? sqrt(square) / 1000 : 1;
}

/* A cut: the clusters to draw. The caller frees `clusters`, which frees `pages` too. */
struct cs_model_cut {
	uint32_t *clusters; /* row numbers of the clusters, ascending */
	size_t n_clusters;
	uint64_t triangles;
	uint32_t min_level, max_level; /* lowest and highest level of the clusters */
	/* largest error of one of the clusters, in units of the mesh */
	double error;
	/*
	 * For each page, whether the cut needs it: for a view the pages of all groups that the view
	 * requests, else the pages that contain the clusters.
	 */
	bool *pages;
};

/*
 * How clusters are chosen: those that `view` draws. If `view` is NULL, those in `clusters`, and if
 * that is NULL too, all clusters of `level`.
 */
struct cs_model_choice {
	const struct cs_nanite_view *view;
	const bool *effective; /* for a view: which groups are loaded; NULL: all */
	/* rows of clusters to draw, or NULL (only the pages that contain them are needed) */
	const uint32_t *clusters;
	size_t n_clusters;
	uint32_t level; /* level to draw, 0 is the finest */
};

/*
 * Computes a cut of a model, that is, the clusters to draw. The caller frees `ret->clusters`.
 * Returns E_MISSING if the level or the mesh of the view doesn't exist, and for a view of a model
 * without groups.
 */
CS_API struct cs_error *cs_model_cut(const struct cs_model *model,
	const struct cs_model_choice *choice, struct cs_model_cut *ret) CS_MUST_USE;
/*
 * Merges the clusters of a cut into one mesh and welds equal vertices. The caller frees it with
 * cs_mesh_free. A mesh of the engine keeps its coordinates, but its triangles are reversed and v
 * becomes 1 - v, as struct cs_mesh_view needs. Returns E_MISSING for a model without geometry.
 */
CS_API struct cs_error *cs_model_cut_mesh(const struct cs_model *model,
	const struct cs_model_cut *cut, const struct cs_job *job, struct cs_mesh **ret) CS_MUST_USE;
/* Lists the pages that a cut needs, ascending; returns how many. `ret` has room for all pages. */
static inline size_t cs_model_cut_pages(
	const struct cs_model *model, const struct cs_model_cut *cut, uint32_t *ret)
{
	size_t n = 0;
	for (uint32_t p = 0; p < model->n_pages; p++)
		if (cut->pages[p])
			ret[n++] = p;
	return n;
}

/*
 * Finds the largest error of a group such that the cut with this error everywhere has at least
 * `triangles` triangles; 0 if no cut has so many. `mesh` is as in cs_nanite_view.
 */
CS_API struct cs_error *cs_model_error_for(
	const struct cs_model *model, uint32_t mesh, uint64_t triangles, double *ret) CS_MUST_USE;

/* The cost of drawing a mesh from a distance; root pages, which are always loaded, do not count. */
struct cs_model_cost {
	double distance; /* eye's distance from the box in direction +X, units of the mesh */
	uint64_t triangles;
	uint32_t clusters, min_level, max_level;
	uint32_t pages;      /* number of pages that the view needs */
	uint64_t pool_bytes; /* bytes in the pool for the pages that the view needs */
	uint64_t read_bytes; /* bytes to read for the pages that the view needs */
	double error;        /* largest error of a drawn cluster, in units of the mesh */
};

enum { CS_MODEL_COSTS = 1000 };

/*
 * Computes the costs at `n` distances from `first` to `last`, each larger than the previous by the
 * same factor. All members of `view` are used but `eye`, which each distance replaces. `ret` is an
 * array of `n` items. Returns E_SETTING unless 0 < first < last, both finite, and `n` is 2 to
 * CS_MODEL_COSTS.
 */
CS_API struct cs_error *cs_model_costs(const struct cs_model *model,
	const struct cs_nanite_view *view, double first, double last, size_t n,
	struct cs_model_cost *ret) CS_MUST_USE;

/* ---- open resources ---- */

/* The resources that a session has open. */
struct cs_inspector;

CS_API struct cs_error *cs_inspector_new(struct cs_inspector **ret) CS_MUST_USE;
CS_API void cs_inspector_free(struct cs_inspector *inspector);
/*
 * Adds a model, which the inspector then owns, even after an error. The name of the model is made
 * unique, and the model becomes the current one.
 */
CS_API struct cs_error *cs_inspector_add(
	struct cs_inspector *inspector, struct cs_model *model) CS_MUST_USE;
/* Closes a resource. Later indices decrease by one, and the last resource becomes current. */
CS_API void cs_inspector_remove(struct cs_inspector *inspector, size_t index);

/* The open resources, in the order in which they were added. */
struct cs_models {
	const struct cs_model *const *at;
	size_t n;
	/* index of the current resource, which is meant by names without a resource, or CS_NONE */
	uint32_t current;
	struct cs_vec3 middle; /* centre of the box around all models; 0,0,0 without models */
};

CS_API struct cs_models cs_inspector_models(const struct cs_inspector *inspector);
/* Returns the index of the model with this name, or CS_NONE. */
CS_API uint32_t cs_inspector_find(
	const struct cs_inspector *inspector, const char *name, size_t length);

/* Kinds of rows, for tables that list the rows of all open resources. */
enum cs_model_row {
	CS_ROWS_PAGES,
	CS_ROWS_SECTIONS,
	CS_ROWS_CLUSTERS,
	CS_ROWS_PARTS,
	CS_ROWS_GROUPS,
	CS_ROWS_SLOTS,
	CS_ROWS_NEEDS,
	CS_ROWS_FIXUPS,
	CS_ROWS_REFERENCES,
	CS_ROWS_MATERIALS,
	CS_MODEL_ROWS
};

/* Returns the resource of a row in a table over all open resources, and the row's index in it. */
CS_API uint32_t cs_inspector_row(const struct cs_inspector *inspector, enum cs_model_row kind,
	size_t row, uint32_t *index_ret);
/* Returns the table row where the rows of a resource begin: the inverse of cs_inspector_row. */
CS_API size_t cs_inspector_first(
	const struct cs_inspector *inspector, enum cs_model_row kind, uint32_t resource);
/*
 * Parses the name of a row: "7" or "Rock:7" for page or group 7, "7:3" or "Rock:7:3" for cluster 3
 * of page 7 or slot 3 of node 7. Without "Rock:", the row is of the current resource. Returns the
 * row in the table over all open resources; CS_NONE if it does not exist, or for any other `kind`.
 */
CS_API uint32_t cs_inspector_parse(
	const struct cs_inspector *inspector, enum cs_model_row kind, const char *text);
/* Returns a row's name such as "Rock:7", valid while the resource is open, or "" without memory. */
CS_API const char *cs_inspector_name(
	const struct cs_inspector *inspector, enum cs_model_row kind, size_t row);

/* ==== pictures of a resource, drawn without a GPU on a black background ==== */

#define CS_PICTURE_TILES UINT32_MAX /* number that means all tiles of the atlas */

/*
 * Draws tile `tile` of the imposter atlas, 0..143, or with CS_PICTURE_TILES all tiles. Brightness
 * shows the depth. A `width` of 0 keeps the size; otherwise the picture is halved until it is at
 * most `width` pixels wide, and each pixel is the brightest of the four that it replaces. Returns
 * E_MISSING for a model without an atlas.
 */
CS_API struct cs_error *cs_picture_atlas(const struct cs_model *model, uint32_t tile,
	uint32_t width, struct cs_picture *ret) CS_MUST_USE;

/* Properties of a cluster that its colour in a picture can show. */
enum cs_picture_colour {
	CS_COLOUR_DEPTH, /* grey: near is bright */
	CS_COLOUR_CLUSTER,
	CS_COLOUR_GROUP,
	CS_COLOUR_PAGE,
	CS_COLOUR_LEVEL,
	CS_COLOUR_RESIDENCY, /* whether cs_picture_view.state calls the cluster fine enough */
	CS_PICTURE_COLOURS
};

struct cs_picture_view {
	/* degrees, mesh to viewer: yaw 0 and pitch 0 is +X, yaw 90 is +Y, pitch 90 is +Z */
	double yaw, pitch;
	enum cs_picture_colour colour;
	/*
	 * for CS_COLOUR_RESIDENCY, by row of clusters: 0 fine enough, 1 coarser than wanted. NULL:
	 * all are fine enough
	 */
	const uint8_t *state;
};

/*
 * Draws clusters in an orthographic view, scaled to fit the picture, with light from the viewer.
 * Returns E_LIMIT for a width or height of 0 or above CS_PICTURE_MOST, and E_MISSING for a model
 * without geometry.
 */
CS_API struct cs_error *cs_picture_clusters(const struct cs_model *model, const uint32_t *clusters,
	size_t n_clusters, const struct cs_picture_view *view, uint32_t width, uint32_t height,
	struct cs_picture *ret) CS_MUST_USE;
/*
 * Writes clusters as .ply with a colour for each vertex, or as .obj with a group of faces for each
 * colour; the extension decides. `colour` and `state` are as in cs_picture_view. The file is
 * replaced atomically. Returns E_FEATURE for another extension, and E_MISSING for a model without
 * geometry.
 */
CS_API struct cs_error *cs_model_export(const struct cs_model *model, const uint32_t *clusters,
	size_t n_clusters, enum cs_picture_colour colour, const uint8_t *state,
	const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
