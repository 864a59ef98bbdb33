/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Nanite resource in the form that an inspector reads, whoever wrote it: our own encoder, or a
 * cooker of the engine. All later parts (tables, dependencies, cuts, residency, pictures) read only
 * this, so the reader of another version fills it in and has them all.
 *
 * It consists of plain arrays. The index of a row is its name, and a range of rows of another array
 * is its first index and its count. CS_NONE means a missing index or a number that the
 * format doesn't store; NAN and CS_NO_OFFSET mean the same for floats and offsets. `known` says
 * which parts are known at all. Sizes are in bytes, and positions and errors have the unit of the
 * mesh.
 *
 * One of the makers below builds a model. Afterwards only cs_model_finish() changes it, which adds
 * the values that follow from the others.
 */
#ifndef CELLSCOPE_PAGES_H
#define CELLSCOPE_PAGES_H

#include <cellscope/nanite.h>

#include <string.h>

CS_BEGIN_DECLS

/* The parts of a resource that are known. */
enum {
	CS_MODEL_SECTIONS = 1,     /* where the sections of a page are */
	CS_MODEL_FIXUPS = 2,       /* the effects of installing a page, fixup by fixup */
	CS_MODEL_NODES = 4,        /* the hierarchy */
	CS_MODEL_DEPENDENCIES = 8, /* the list of pages that a page depends on */
	CS_MODEL_GEOMETRY = 16,    /* positions and triangles */
	CS_MODEL_GROUPS = 32,      /* groups, and the clusters that they were simplified into */
	CS_MODEL_REFERENCES = 64,  /* vertices that refer to others */
	CS_MODEL_STRIPS = 128,     /* codes and starts of strips */
};

struct cs_model_section {
	uint32_t page;
	const char *name;       /* name of the section, a static text */
	uint32_t offset, bytes; /* range of the page's bytes */
	uint32_t slack;         /* padding bytes of the section; CS_NONE when unknown */
	uint32_t packed_bytes;  /* size of the section when LZ4 compresses it by itself */
};

/* A used slot of a node of the hierarchy. */
struct cs_model_slot {
	uint32_t node, slot;
	uint32_t child;               /* node below the slot; CS_NONE for a leaf */
	uint32_t part;                /* part of a leaf slot; CS_NONE when unknown */
	uint32_t first_page, n_pages; /* pages of the group of a leaf slot */
	uint32_t n_clusters;          /* number of clusters of a leaf slot */
	float centre[3], radius;      /* the LOD sphere */
	float box_centre[3], box_extent[3];
	float min_error, max_parent_error;
};

struct cs_model_node {
	uint32_t first_slot, n_slots;
	uint32_t parent; /* slot above the node; CS_NONE for a root */
	uint32_t depth;  /* 0 for a root; CS_NONE for an unreachable node */
	uint32_t mesh;   /* number of the mesh: index in `roots` of the root above */
};

/* Why a page needs another one, as bits. */
enum {
	CS_NEED_LISTED = 1, /* the page's list of dependencies names the other page */
	/* the other page has clusters that a group of this page was simplified into */
	CS_NEED_PARENTS = 2,
	CS_NEED_SIBLING = 4,      /* the other page has another part of a group of this page */
	CS_NEED_PARENT_GROUP = 8, /* the other page has a part of the group of such a cluster */
};

struct cs_model_need {
	uint32_t page, needs;
	uint32_t why;    /* CS_NEED_ */
	uint32_t fixups; /* cluster fixups of `page` whose target is in `needs` */
};

/* The vertices that a cluster refers to in another cluster. */
struct cs_model_reference {
	uint32_t cluster, source;
	uint32_t vertices;
};

struct cs_model {
	char *name;          /* short name, unique among the open resources: "Rock" */
	char *path;          /* path of the file */
	char *source;        /* mesh that the resource was made of; "" when not known */
	const char *writer;  /* a static text: "cellscope", "UE 5.4" */
	char content_id[33]; /* hash of the content; "" when not known */
	uint64_t file_bytes;
	unsigned known;  /* CS_MODEL_ */
	bool compressed; /* whether its pages are compressed */
	bool colors;
	bool engine_space; /* centimetres, z up, left-handed, UVs from the top, corners clockwise */
	int32_t position_precision;               /* INT32_MIN when not known */
	uint32_t input_triangles, input_vertices; /* CS_NONE when not known */
	uint32_t n_levels, n_uvs, depth, n_root_pages, node_slots;
	float min[3], max[3];

	struct cs_model_page *pages;
	struct cs_model_section *sections;
	struct cs_model_cluster *clusters;
	struct cs_model_part *parts;
	struct cs_model_group *groups;
	struct cs_model_node *nodes;
	struct cs_model_slot *slots;
	struct cs_model_fixup *fixups;
	struct cs_model_need *needs; /* sorted by page, then by needed page */
	struct cs_model_reference *references;
	struct cs_model_material *materials;
	uint32_t *group_parts, *parents, *roots; /* roots are nodes */
	uint32_t *group_order;  /* coarse first: each group after the groups of its parents */
	uint32_t *dependencies; /* the lists of all pages: dependency_first[p] .. [p + 1] */
	uint32_t *dependency_first;
	size_t n_pages, n_sections, n_clusters, n_parts, n_groups, n_nodes, n_slots, n_fixups,
		n_needs, n_references, n_materials, n_group_parts, n_parents, n_roots;

	/* Geometry, for each vertex and each triangle. NULL when it is not known. */
	float *positions;       /* 3 for each vertex */
	float *normals;         /* 3 for each vertex */
	uint8_t *corners;       /* 3 for each triangle: vertices of its cluster */
	uint8_t *vertex_colors; /* 4 for each vertex: R, G, B, A; NULL when they were not kept */
	float *vertex_uvs[CS_MESH_UVS]; /* 2 for each vertex; NULL when they were not kept */
	size_t n_vertices, n_triangles;

	const uint16_t *atlas; /* 144 tiles of 12 x 12, or NULL */
	/* name of each material, may be NULL; the array is owned, but the texts are not */
	const char **material_names;
	uint32_t n_material_names;

	void *owner; /* The memory that arrays point into, which free_owner frees with the model. */
	void (*free_owner)(void *owner);
	struct cs_nanite
		/* the bytes of a resource in our own format, else NULL; the owner frees it */
		*resource;
};

/*
 * Opens a .cnanite file and decodes all of it. The path and the name, which is made of it, are
 * copied. cs_model_free frees the model.
 */
CS_API struct cs_error *cs_model_open(
	const char *path, const struct cs_job *job, struct cs_model **ret) CS_MUST_USE;
/* Frees the arrays, which come from malloc, the texts and the owner. */
CS_API void cs_model_free(struct cs_model *model);

/* Returns how much of its page the data fills, 0..1, or NAN when it is not known. */
static inline double cs_model_fill(const struct cs_model_page *page)
{
	const bool known =
		page->gpu_bytes != CS_NONE && page->gpu_limit != 0 && page->gpu_limit != CS_NONE;
	return known ? (double)page->gpu_bytes / page->gpu_limit : CS_NO_NUMBER;
}

/* ---- sums ---- */

struct cs_model_level {
	uint32_t level;
	uint32_t groups, clusters, triangles;
	/*
	 * Triangles of its groups that were simplified, before and after, and how many groups lost
	 * less than a fifth.
	 */
	uint32_t reduced_triangles, parent_triangles, stuck;
	float min_error, max_error; /* errors of the level's clusters */
	float parent_error;         /* the largest of the clusters above */
	uint32_t first_page, last_page;
};

/*
 * Returns the part of the triangles that its groups keep when they are simplified, 0..1. NAN where
 * no group is.
 */
static inline double cs_model_reduction(const struct cs_model_level *level)
{
	return level->reduced_triangles ? (double)level->parent_triangles / level->reduced_triangles
					: CS_NO_NUMBER;
}

/* Lists the levels, level 0 first. The caller frees the result. */
CS_API struct cs_error *cs_model_levels(
	const struct cs_model *model, struct cs_model_level **ret, size_t *n_ret) CS_MUST_USE;

/* The hierarchy and its cost. */
struct cs_model_tree {
	uint32_t *slots; /* in reading order, each before the slots below it; freed by the caller */
	size_t n;
	uint32_t nodes, depth; /* number of nodes reached from a root, and their largest depth */
	double fill;           /* used slots as a part of all, 0..1 */
	double surface;        /* surface of all boxes relative to the largest: the cost of a ray */
};

CS_API struct cs_error *cs_model_tree(
	const struct cs_model *model, struct cs_model_tree *ret) CS_MUST_USE;

/* ---- bytes ---- */

/*
 * Returns a decompressed page, which the caller frees. Returns E_MISSING where the bytes are not
 * kept.
 */
CS_API struct cs_error *cs_model_page_bytes(const struct cs_model *model, uint32_t page,
	unsigned char **bytes_ret, size_t *n_ret) CS_MUST_USE;
/* Copies the packed words of a cluster, at most `room` of them. Returns how many there are. */
CS_API uint32_t cs_model_cluster_words(
	const struct cs_model *model, uint32_t cluster, uint32_t *words, uint32_t room);

/*
 * The contents of some clusters, and how many bytes each kind of data takes when their page is
 * loaded.
 */
struct cs_model_content {
	/* Bytes by the layout of Early Access, and their sum. */
	uint64_t headers, materials, uvs, triangles, positions, attributes, bytes;
	uint32_t full, light; /* clusters with all 128 triangles, and with less than half of them */
};

/* Sums up `n` clusters from `first` on, in the order of the page. */
CS_API struct cs_model_content cs_model_content(
	const struct cs_model *model, uint32_t first, uint32_t n);

/*
 * Sums up the pages. A number that is not known for a page counts as 0. coarse_triangles is CS_NONE
 * when it is not known.
 */
CS_API struct cs_nanite_summary cs_model_summarise(const struct cs_model *model);
/* Returns the bytes of all sections of that name, in all pages. */
static inline uint64_t cs_model_section_bytes(const struct cs_model *model, const char *name)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < model->n_sections; i++)
		bytes += strcmp(model->sections[i].name, name) == 0 ? model->sections[i].bytes : 0;
	return bytes;
}

/* ---- two of them ---- */

/*
 * Numbers of clusters with the same triangles, of pages with the same clusters, and of those on
 * only one side.
 */
struct cs_model_difference {
	uint32_t clusters_same, clusters_left, clusters_right;
	uint32_t pages_same, pages_left, pages_right;
};

/* Compares two models. Returns E_MISSING without geometry. */
CS_API struct cs_error *cs_model_compare(const struct cs_model *left, const struct cs_model *right,
	struct cs_model_difference *ret) CS_MUST_USE;

/* ---- verifying ---- */

/*
 * Checks a decoded model of any writer, by those rules of cs_nanite_rules that also apply to the
 * engine's resources: sizes, boxes, edges, materials, fixups and dependencies, hierarchy, errors,
 * seams. Reports as cs_nanite_check does.
 */
CS_API struct cs_error *cs_model_check(const struct cs_model *model, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret) CS_MUST_USE;

/* ---- dependencies ---- */

/*
 * All pages that must be loaded for a page to be drawn, with itself and root pages, in ascending
 * order, in which they can be installed. Dependents are the pages that fall with it when it is
 * evicted: those whose closure contains it, with itself.
 */
enum cs_closure {
	CS_CLOSURE_LISTED, /* the list of dependencies, page by page: the literal rule */
	CS_CLOSURE_GROUPS, /* all pages of a group, then of the groups of its parents */
	CS_DEPENDENTS_LISTED,
	CS_DEPENDENTS_GROUPS,
};

/* The caller frees the result. Returns E_MISSING for a page that doesn't exist. */
CS_API struct cs_error *cs_model_closure(const struct cs_model *model, uint32_t page,
	enum cs_closure which, uint32_t **pages_ret, size_t *n_ret) CS_MUST_USE;
/* A page of one of the closures, or of both. */
struct cs_model_needed {
	uint32_t page;
	bool listed, groups; /* whether each closure contains the page */
};

/* Lists both closures side by side, in ascending order. The caller frees the result. */
CS_API struct cs_error *cs_model_needed(const struct cs_model *model, uint32_t page,
	struct cs_model_needed **ret, size_t *n_ret) CS_MUST_USE;
/* Finds the longest chain of listed dependencies of all pages, with the finest page first. */
CS_API struct cs_error *cs_model_longest_chain(
	const struct cs_model *model, uint32_t **pages_ret, size_t *n_ret) CS_MUST_USE;
/* A group, and a group that contains clusters which it was simplified into. */
struct cs_model_edge {
	uint32_t group, above;
};

/* Lists each pair once, by group, then in the order of its parents. The caller frees the result. */
CS_API struct cs_error *cs_model_edges(
	const struct cs_model *model, struct cs_model_edge **ret, size_t *n_ret) CS_MUST_USE;

/* ---- cuts ---- */

/*
 * Returns the least distance for views that set none: a thousandth of the diagonal of the mesh's
 * box, so that meshes of all sizes are cut alike. It is 1 where the box has no size.
 */
static inline double cs_model_near(const struct cs_model *model)
{
	double square = 0;
	for (unsigned axis = 0; axis < 3; axis++) {
		const double side = (double)model->max[axis] - (double)model->min[axis];
		square += side * side;
	}
	return square > 0 && isfinite(square) ? sqrt(square) / 1000 : 1;
}

/* Clusters to be drawn. The caller frees `clusters`, which frees the other array too. */
struct cs_model_cut {
	uint32_t *clusters; /* clusters, ascending */
	size_t n_clusters;
	uint64_t triangles;
	uint32_t min_level, max_level; /* levels of these clusters */
	double error;                  /* the largest, in units of the mesh */
	/*
	 * For each page, whether the cut needs it: for a view, pages of all wanted groups, else
	 * pages that contain the clusters.
	 */
	bool *pages;
};

/*
 * Chooses clusters: those that a view draws, or else those that are listed, or else all of a level.
 */
struct cs_model_choice {
	const struct cs_nanite_view *view;
	const bool *effective; /* for a view: which groups count as loaded; NULL for all */
	/* clusters, when they are listed; they need the pages that contain them */
	const uint32_t *clusters;
	size_t n_clusters;
	uint32_t level; /* level to draw, 0 the finest */
};

/*
 * Cuts a model. Returns E_MISSING for a view when groups are not known or its mesh doesn't exist,
 * and when the level doesn't exist.
 */
CS_API struct cs_error *cs_model_cut(const struct cs_model *model,
	const struct cs_model_choice *choice, struct cs_model_cut *ret) CS_MUST_USE;
/*
 * Makes one mesh of the clusters of a cut, with welded vertices. cs_mesh_free frees it. A resource
 * of the engine keeps its coordinates, and its triangles are turned to agree with their normals.
 * Returns E_MISSING without geometry.
 */
CS_API struct cs_error *cs_model_cut_mesh(const struct cs_model *model,
	const struct cs_model_cut *cut, const struct cs_job *job, struct cs_mesh **ret) CS_MUST_USE;
/*
 * Lists the pages that a cut needs, in ascending order, in an array with room for all pages.
 * Returns their count.
 */
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
 * Finds the largest of the groups' errors whose uniform cut has at least that many triangles, for a
 * mesh as in cs_nanite_view. It is 0 when none has so many.
 */
CS_API struct cs_error *cs_model_error_for(
	const struct cs_model *model, uint32_t mesh, uint64_t triangles, double *ret) CS_MUST_USE;

/*
 * The cost of a view of a whole mesh from a distance, without root pages, which are always loaded.
 */
struct cs_model_cost {
	/* distance of the eye from the box, on the side of its largest x, in units of the mesh */
	double distance;
	uint64_t triangles;
	uint32_t clusters, min_level, max_level;
	uint32_t pages;      /* number of pages in the pool */
	uint64_t pool_bytes; /* bytes of these pages' slots in the pool */
	uint64_t read_bytes; /* bytes read for the pages */
	double error;        /* largest drawn error, in units of the mesh */
};

enum { CS_MODEL_COSTS = 1000 };

/*
 * Computes the costs for distances from `first` to `last` with a constant ratio. The view sets
 * everything but the eye. Returns E_SETTING unless 0 < first < last, both finite, and there are 2
 * to CS_MODEL_COSTS distances.
 */
CS_API struct cs_error *cs_model_costs(const struct cs_model *model,
	const struct cs_nanite_view *view, double first, double last, size_t n,
	struct cs_model_cost *ret) CS_MUST_USE;

/* ---- what is open ---- */

/* The resources of a session. */
struct cs_inspector;

CS_API struct cs_error *cs_inspector_new(struct cs_inspector **ret) CS_MUST_USE;
CS_API void cs_inspector_free(struct cs_inspector *inspector);
/*
 * Adds a model and owns it, also on failure. Its name is made unique, and it becomes the current
 * one.
 */
CS_API struct cs_error *cs_inspector_add(
	struct cs_inspector *inspector, struct cs_model *model) CS_MUST_USE;
/*
 * Closes a resource. The indices of those behind it decrease by one, and the last one becomes the
 * current one.
 */
CS_API void cs_inspector_remove(struct cs_inspector *inspector, size_t index);

/* The open models, in the order in which they were added. */
struct cs_models {
	const struct cs_model *const *at;
	size_t n;
	uint32_t current; /* the model of names without a resource; CS_NONE when none is open */
	struct cs_vec3 middle; /* middle of the box around all models; 0,0,0 when none is open */
};

CS_API struct cs_models cs_inspector_models(const struct cs_inspector *inspector);
/* Finds a model by its name. Returns CS_NONE when there is none. */
CS_API uint32_t cs_inspector_find(
	const struct cs_inspector *inspector, const char *name, size_t length);

/* The kinds of rows of tables over all resources. */
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

/* Returns the resource of a row, and its index there. */
CS_API uint32_t cs_inspector_row(const struct cs_inspector *inspector, enum cs_model_row kind,
	size_t row, uint32_t *index_ret);
/* Returns the table row of the first row of a resource, the inverse of cs_inspector_row. */
CS_API size_t cs_inspector_first(
	const struct cs_inspector *inspector, enum cs_model_row kind, uint32_t resource);
/*
 * Parses "7", "Rock:7" for pages and groups, and "7:3", "Rock:7:3" for clusters and slots. Returns
 * CS_NONE when the text names none of them. A text without a resource names a row of the current
 * one.
 */
CS_API uint32_t cs_inspector_parse(
	const struct cs_inspector *inspector, enum cs_model_row kind, const char *text);
/*
 * Returns the name of a row of pages, clusters, groups or slots: "Rock:7". It lives as long as its
 * resource is open. It is "" without memory.
 */
CS_API const char *cs_inspector_name(
	const struct cs_inspector *inspector, enum cs_model_row kind, size_t row);

/* ==== pictures of a resource, drawn without a GPU on a black background ==== */

#define CS_PICTURE_TILES UINT32_MAX /* all tiles of an atlas */

/*
 * Draws a tile of the imposter atlas, 0..143, or CS_PICTURE_TILES, with depth as brightness.
 * `width` 0 keeps its size. Else it is halved until it is no wider, and each pixel is the brightest
 * of four. Returns E_MISSING without an atlas.
 */
CS_API struct cs_error *cs_picture_atlas(const struct cs_model *model, uint32_t tile,
	uint32_t width, struct cs_picture *ret) CS_MUST_USE;

/* What the colour of a cluster shows. */
enum cs_picture_colour {
	CS_COLOUR_DEPTH, /* grey: near is bright */
	CS_COLOUR_CLUSTER,
	CS_COLOUR_GROUP,
	CS_COLOUR_PAGE,
	CS_COLOUR_LEVEL,
	CS_COLOUR_RESIDENCY, /* residency, as given by `state` */
	CS_PICTURE_COLOURS
};

struct cs_picture_view {
	double yaw, pitch; /* degrees: the direction of the viewer from the mesh; 0, 0 is +X */
	enum cs_picture_colour colour;
	const uint8_t
		/* for each cluster, for CS_COLOUR_RESIDENCY: 0 fine, 1 coarser than wanted */
		*state;
};

/*
 * Draws the clusters orthographically, scaled to a picture of that size, with light from the
 * viewer. Returns E_LIMIT for a size of 0 or above CS_PICTURE_MOST.
 */
CS_API struct cs_error *cs_picture_clusters(const struct cs_model *model, const uint32_t *clusters,
	size_t n_clusters, const struct cs_picture_view *view, uint32_t width, uint32_t height,
	struct cs_picture *ret) CS_MUST_USE;
/*
 * Writes clusters as .ply with a colour for each vertex, or as .obj with a group of faces for each
 * colour. The file is replaced atomically. Returns E_MESH, or E_MISSING without geometry.
 */
CS_API struct cs_error *cs_model_export(const struct cs_model *model, const uint32_t *clusters,
	size_t n_clusters, enum cs_picture_colour colour, const uint8_t *state,
	const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
