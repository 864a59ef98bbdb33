/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Nanite resource as an inspector sees it, whoever wrote it: our own encoder, or a cooker of the
 * engine. All that comes behind (tables, dependencies, cuts, residency, pictures) reads this and
 * nothing else, so a reader of another version fills it in and has them all.
 *
 * Plain arrays. A row is named by its index; a range of rows of another array is its first and its
 * number. CS_NONE is an index that is not there and a number that the format does not tell; NAN and
 * CS_NO_OFFSET say the same of numbers and offsets. Which parts are known at all is in `known`.
 * Bytes are bytes, positions and errors have the unit of the mesh.
 *
 * A model is built by one of the makers below and changes no more, except in cs_model_finish(),
 * which fills in what follows from the rest.
 */
#ifndef CELLSCOPE_PAGES_H
#define CELLSCOPE_PAGES_H

#include <cellscope/nanite.h>

#include <string.h>

CS_BEGIN_DECLS

/* What of a resource is known. */
enum {
	CS_MODEL_SECTIONS = 1,     /* where the sections of a page lie */
	CS_MODEL_FIXUPS = 2,       /* what installing a page does, fixup by fixup */
	CS_MODEL_NODES = 4,        /* the hierarchy */
	CS_MODEL_DEPENDENCIES = 8, /* the list of pages that a page depends on */
	CS_MODEL_GEOMETRY = 16,    /* positions and triangles */
	CS_MODEL_GROUPS = 32,      /* groups, and what they were simplified into */
	CS_MODEL_REFERENCES = 64,  /* vertices that refer to others */
	CS_MODEL_STRIPS = 128,     /* codes and starts of strips */
};

/* How a page is packed and where it lies. */
struct cs_model_page {
	uint64_t offset;                                /* of its blob in the file */
	uint32_t disk_bytes, chunk_bytes, stored_bytes; /* blob = fixup chunk + stored page */
	uint32_t page_bytes;                            /* decompressed */
	uint32_t gpu_bytes, gpu_limit;                  /* when loaded, and what it may have */
	uint32_t first_section, n_sections;
	uint32_t first_cluster, n_clusters;
	uint32_t first_part, n_parts;
	uint32_t first_fixup, n_fixups; /* that it carries; hierarchy fixups come first */
	uint32_t n_hierarchy_fixups;
	uint32_t first_need, n_needs; /* of it; filled in by cs_model_finish() */
	uint32_t n_users;             /* pages that need it, by the list; likewise */
	uint32_t slack; /* bytes of its sections that only align what follows; likewise */
	uint32_t min_level, max_level; /* of its clusters; likewise */
	uint32_t triangles, vertices, references;
	bool root;    /* always there */
	bool damaged; /* nothing of it could be decoded */
};

struct cs_model_section {
	uint32_t page;
	const char *name;       /* static */
	uint32_t offset, bytes; /* of the page */
	uint32_t slack;         /* bytes of it that only align what follows; CS_NONE unknown */
	uint32_t packed_bytes;  /* that LZ4 makes of it alone */
};

struct cs_model_part {
	uint32_t group, page;
	uint32_t first_cluster, n_clusters;
	uint32_t slot; /* of the hierarchy */
};

/* A used slot of a node of the hierarchy. */
struct cs_model_slot {
	uint32_t node, slot;
	uint32_t child;               /* node below it; CS_NONE of a leaf */
	uint32_t part;                /* of a leaf; CS_NONE when it cannot be told */
	uint32_t first_page, n_pages; /* of a leaf: of its group */
	uint32_t n_clusters;          /* of a leaf */
	float centre[3], radius;      /* LOD sphere */
	float box_centre[3], box_extent[3];
	float min_error, max_parent_error;
};

struct cs_model_node {
	uint32_t first_slot, n_slots;
	uint32_t parent; /* slot above it; CS_NONE of a root */
	uint32_t depth;  /* of a root 0; CS_NONE when it cannot be reached */
	uint32_t mesh;   /* which of the roots is above it */
};

enum cs_model_fixup_kind { CS_MODEL_FIXUP_HIERARCHY, CS_MODEL_FIXUP_CLUSTER };

struct cs_model_fixup {
	enum cs_model_fixup_kind kind;
	uint32_t page;                /* that carries it */
	uint32_t target_page;         /* of the part; of the cluster that ceases to be a leaf */
	uint32_t cluster;             /* row; of a hierarchy fixup the first of the part */
	uint32_t slot;                /* row; of a hierarchy fixup */
	uint32_t first_page, n_pages; /* that must be there, without root pages */
};

/* Why a page needs another one. */
enum {
	CS_NEED_LISTED = 1,       /* it stands in the list of dependencies */
	CS_NEED_PARENTS = 2,      /* it has clusters that a group of the page was simplified into */
	CS_NEED_SIBLING = 4,      /* it has another part of a group of the page */
	CS_NEED_PARENT_GROUP = 8, /* it has a part of a group that holds such a cluster */
};

struct cs_model_need {
	uint32_t page, needs;
	uint32_t why;    /* CS_NEED_ */
	uint32_t fixups; /* cluster fixups of `page` whose target is `needs` */
};

/* Vertices of a cluster that are those of another cluster. */
struct cs_model_reference {
	uint32_t cluster, source;
	uint32_t vertices;
};

struct cs_model {
	char *name;          /* short, unique among those that are open: "Rock" */
	char *path;          /* of the file */
	char *source;        /* what it was made of; "" unknown */
	const char *writer;  /* static: "cellscope", "UE 5.4" */
	char content_id[33]; /* hash of the content; "" unknown */
	uint64_t file_bytes;
	unsigned known;  /* CS_MODEL_ */
	bool compressed; /* its pages are */
	bool colors;
	bool engine_space; /* centimetres, z up, left-handed, UVs from the top, corners clockwise */
	int32_t position_precision;               /* INT32_MIN unknown */
	uint32_t input_triangles, input_vertices; /* CS_NONE unknown */
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
	struct cs_model_need *needs; /* by page, then by what it needs */
	struct cs_model_reference *references;
	struct cs_model_material *materials;
	uint32_t *group_parts, *parents, *roots; /* roots: nodes */
	uint32_t *group_order;  /* coarse first: the groups of all parents come before */
	uint32_t *dependencies; /* the list of all pages: dependency_first[p] .. [p + 1] */
	uint32_t *dependency_first;
	size_t n_pages, n_sections, n_clusters, n_parts, n_groups, n_nodes, n_slots, n_fixups,
		n_needs, n_references, n_materials, n_group_parts, n_parents, n_roots;

	/* geometry: by vertex, by triangle; NULL when it is not known */
	float *positions;               /* 3 a vertex */
	float *normals;                 /* 3 a vertex */
	uint8_t *corners;               /* 3 a triangle: vertices of its cluster */
	uint8_t *vertex_colors;         /* 4 a vertex: R, G, B, A; NULL when they were not kept */
	float *vertex_uvs[CS_MESH_UVS]; /* 2 a vertex each; likewise */
	size_t n_vertices, n_triangles;

	const uint16_t *atlas;       /* 144 tiles of 12 x 12; NULL */
	const char **material_names; /* by material, may be NULL; owned, the texts are not */
	uint32_t n_material_names;

	void *owner; /* what arrays point into, freed with the model by free_owner */
	void (*free_owner)(void *owner);
	struct cs_nanite
		*resource; /* of our own format: its bytes; NULL else; the owner frees it */
};

/*
 * Opens a .cnanite file and decodes all of it. The path and the name, which is made of it, are
 * copied. Freed with cs_model_free.
 */
CS_API struct cs_error *cs_model_open(
	const char *path, const struct cs_job *job, struct cs_model **ret) CS_MUST_USE;
/* Frees the arrays, which come from malloc, texts and the owner. */
CS_API void cs_model_free(struct cs_model *model);

/* Part of its page that a page fills, 0..1; NAN when it is not known. */
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
	/* of its groups that were simplified: before and after, how many lost less than a fifth */
	uint32_t reduced_triangles, parent_triangles, stuck;
	float min_error, max_error; /* of its clusters */
	float parent_error;         /* the largest of the clusters above */
	uint32_t first_page, last_page;
};

/* Triangles that its groups keep when they are simplified, 0..1; NAN where none is. */
static inline double cs_model_reduction(const struct cs_model_level *level)
{
	return level->reduced_triangles ? (double)level->parent_triangles / level->reduced_triangles
					: CS_NO_NUMBER;
}

/* Level 0 first; freed by the caller. */
CS_API struct cs_error *cs_model_levels(
	const struct cs_model *model, struct cs_model_level **ret, size_t *n_ret) CS_MUST_USE;

/* The hierarchy, and what it costs. */
struct cs_model_tree {
	uint32_t *slots; /* in reading order, each before what is below it; freed by the caller */
	size_t n;
	uint32_t nodes, depth; /* that a root leads to */
	double fill;           /* slots used, of all, 0..1 */
	double surface;        /* surface of all boxes by that of the largest: what a ray pays */
};

CS_API struct cs_error *cs_model_tree(
	const struct cs_model *model, struct cs_model_tree *ret) CS_MUST_USE;

/* ---- bytes ---- */

/* A decompressed page, freed by the caller. E_MISSING where the bytes are not kept. */
CS_API struct cs_error *cs_model_page_bytes(const struct cs_model *model, uint32_t page,
	unsigned char **bytes_ret, size_t *n_ret) CS_MUST_USE;
/* The packed words of a cluster, at most `room` of them; how many there are. */
CS_API uint32_t cs_model_cluster_words(
	const struct cs_model *model, uint32_t cluster, uint32_t *words, uint32_t room);

/* What some clusters are, and where their bytes go when their page is loaded. */
struct cs_model_content {
	/* bytes, by the layout of Early Access, and their sum */
	uint64_t headers, materials, uvs, triangles, positions, attributes, bytes;
	uint32_t full, light; /* clusters with all 128 triangles; with less than half of them */
};

/* Of `n` clusters from `first` on, as a page has them. */
CS_API struct cs_model_content cs_model_content(
	const struct cs_model *model, uint32_t first, uint32_t n);

/* Sums over its pages; what is not known of one counts nothing; coarse_triangles CS_NONE: unknown.
 */
CS_API struct cs_nanite_summary cs_model_summarise(const struct cs_model *model);
/* The bytes of all sections of that name, of all pages. */
static inline uint64_t cs_model_section_bytes(const struct cs_model *model, const char *name)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < model->n_sections; i++)
		bytes += strcmp(model->sections[i].name, name) == 0 ? model->sections[i].bytes : 0;
	return bytes;
}

/* ---- two of them ---- */

/* Clusters with the same triangles, pages with the same clusters; how many are on one side only. */
struct cs_model_difference {
	uint32_t clusters_same, clusters_left, clusters_right;
	uint32_t pages_same, pages_left, pages_right;
};

/* E_MISSING without geometry. */
CS_API struct cs_error *cs_model_compare(const struct cs_model *left, const struct cs_model *right,
	struct cs_model_difference *ret) CS_MUST_USE;

/* ---- verifying ---- */

/*
 * Checks what a decoded model can break whoever wrote it, by the rules of cs_nanite_rules that hold
 * for the engine's too: sizes, boxes, edges, materials, fixups and dependencies, hierarchy, errors,
 * seams. Reports as cs_nanite_check does.
 */
CS_API struct cs_error *cs_model_check(const struct cs_model *model, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret) CS_MUST_USE;

/* ---- dependencies ---- */

/*
 * All pages that must be there for a page to be drawn, itself and root pages included, ascending:
 * an order in which they can be installed. Dependents are those that fall with it when it is
 * evicted: whose closure has it, itself included.
 */
enum cs_closure {
	CS_CLOSURE_LISTED, /* the list of dependencies, page by page: the literal rule */
	CS_CLOSURE_GROUPS, /* all pages of a group, then of the groups of its parents */
	CS_DEPENDENTS_LISTED,
	CS_DEPENDENTS_GROUPS,
};

/* Freed by the caller. E_MISSING for a page that is not there. */
CS_API struct cs_error *cs_model_closure(const struct cs_model *model, uint32_t page,
	enum cs_closure which, uint32_t **pages_ret, size_t *n_ret) CS_MUST_USE;
/* A page of one of the closures, or of both. */
struct cs_model_needed {
	uint32_t page;
	bool listed, groups; /* which of them have it */
};

/* Both closures side by side, ascending; freed by the caller. */
CS_API struct cs_error *cs_model_needed(const struct cs_model *model, uint32_t page,
	struct cs_model_needed **ret, size_t *n_ret) CS_MUST_USE;
/* The longest chain of listed dependencies of all pages, the finest first. */
CS_API struct cs_error *cs_model_longest_chain(
	const struct cs_model *model, uint32_t **pages_ret, size_t *n_ret) CS_MUST_USE;
/* A group, and one that has clusters which it was simplified into. */
struct cs_model_edge {
	uint32_t group, above;
};

/* Each pair once: by group, then in the order of its parents; freed by the caller. */
CS_API struct cs_error *cs_model_edges(
	const struct cs_model *model, struct cs_model_edge **ret, size_t *n_ret) CS_MUST_USE;

/* ---- cuts ---- */

/*
 * The least distance of views that name none: a thousandth of the diagonal of the mesh's box, so
 * that a mesh of any size is cut as one of any other; 1 where the box has no size.
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

/* Clusters that stand for the whole mesh; the caller frees `clusters`, and with it all of it. */
struct cs_model_cut {
	uint32_t *clusters; /* ascending */
	size_t n_clusters;
	uint64_t triangles;
	uint32_t min_level, max_level; /* of them */
	double error;                  /* the largest of them, unit of the mesh */
	bool *pages; /* by page: a view needs it, for what is drawn or for what stands above */
};

/* Which clusters: what a view draws; else those that are given; else all of a level. */
struct cs_model_choice {
	const struct cs_nanite_view *view;
	const bool *effective;    /* of the view: the groups that count, by group; NULL = all */
	const uint32_t *clusters; /* they need the pages that they lie in */
	size_t n_clusters;
	uint32_t level; /* 0 is the finest */
};

/*
 * E_MISSING where groups are not known, which a view goes by, or the mesh of the view is not there;
 * or when there is no such level.
 */
CS_API struct cs_error *cs_model_cut(const struct cs_model *model,
	const struct cs_model_choice *choice, struct cs_model_cut *ret) CS_MUST_USE;
/*
 * The clusters of a cut as one mesh, its vertices welded; freed with cs_mesh_free. What the engine
 * wrote keeps its coordinates; its triangles are turned to run as their normals say. E_MISSING
 * without geometry.
 */
CS_API struct cs_error *cs_model_cut_mesh(const struct cs_model *model,
	const struct cs_model_cut *cut, const struct cs_job *job, struct cs_mesh **ret) CS_MUST_USE;
/* The pages that it needs, ascending; room for all of the model. The answer is how many. */
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
 * The largest error whose cut has at least so many triangles, of a mesh as in cs_nanite_view; 0
 * when there are not so many.
 */
CS_API struct cs_error *cs_model_error_for(
	const struct cs_model *model, uint32_t mesh, uint64_t triangles, double *ret) CS_MUST_USE;

/* What a view of a whole mesh costs from a distance; what is always there is not counted. */
struct cs_model_cost {
	double distance; /* of the eye from the box, before its side of greatest x; unit of mesh */
	uint64_t triangles;
	uint32_t clusters, min_level, max_level;
	uint32_t pages;      /* in the pool; */
	uint64_t pool_bytes; /* their slots there, */
	uint64_t read_bytes; /* and what is read for them */
	double error;        /* the largest that is drawn, unit of the mesh */
};

enum { CS_MODEL_COSTS = 1000 };

/*
 * From `first` to `last`, each distance as many times as far as the one before; the view says all
 * but its eye. E_SETTING: distances are above 0 and finite, 2 to CS_MODEL_COSTS of them.
 */
CS_API struct cs_error *cs_model_costs(const struct cs_model *model,
	const struct cs_nanite_view *view, double first, double last, size_t n,
	struct cs_model_cost *ret) CS_MUST_USE;

/* ---- what is open ---- */

/* The resources of a session. */
struct cs_inspector;

CS_API struct cs_error *cs_inspector_new(struct cs_inspector **ret) CS_MUST_USE;
CS_API void cs_inspector_free(struct cs_inspector *inspector);
/* Takes the model over, also on failure. Its name is made unique; it becomes the current one. */
CS_API struct cs_error *cs_inspector_add(
	struct cs_inspector *inspector, struct cs_model *model) CS_MUST_USE;
/* Closes one; those behind it move up. */
CS_API void cs_inspector_remove(struct cs_inspector *inspector, size_t index);

/* Those that are open, in the order in which they were added. */
struct cs_models {
	const struct cs_model *const *at;
	size_t n;
	uint32_t current; /* the one that names without a resource mean; CS_NONE without any */
};

CS_API struct cs_models cs_inspector_models(const struct cs_inspector *inspector);
/* The middle of the box around all of them; 0,0,0 without any. */
CS_API struct cs_vec3 cs_inspector_middle(const struct cs_inspector *inspector);
/* By name, CS_NONE when there is none. */
CS_API uint32_t cs_inspector_find(
	const struct cs_inspector *inspector, const char *name, size_t length);

/* What the rows of tables over all resources are. */
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

/* The resource of a row, and its index there. */
CS_API uint32_t cs_inspector_row(const struct cs_inspector *inspector, enum cs_model_row kind,
	size_t row, uint32_t *index_ret);
/* Inverse of cs_inspector_row: the table row of the first row of a resource. */
CS_API size_t cs_inspector_first(
	const struct cs_inspector *inspector, enum cs_model_row kind, uint32_t resource);
/*
 * "7", "Rock:7" of pages and groups; "7:3", "Rock:7:3" of clusters and slots. CS_NONE when the text
 * names none of them. Without a name the current resource is meant.
 */
CS_API uint32_t cs_inspector_parse(
	const struct cs_inspector *inspector, enum cs_model_row kind, const char *text);
/*
 * "Rock:7": the name of a row of pages, clusters, groups or slots. It lives as long as its resource
 * is open. "" without memory.
 */
CS_API const char *cs_inspector_name(
	const struct cs_inspector *inspector, enum cs_model_row kind, size_t row);

/* ==== pictures of it, drawn without a GPU: black is background ==== */

#define CS_PICTURE_TILES UINT32_MAX /* all tiles of an atlas */

/*
 * A tile of the imposter atlas, 0..143, or CS_PICTURE_TILES: depth as brightness. `width` 0 = as
 * large as it is; else halved until it is no wider, each pixel the brightest of four. E_MISSING
 * without an atlas.
 */
CS_API struct cs_error *cs_picture_atlas(const struct cs_model *model, uint32_t tile,
	uint32_t width, struct cs_picture *ret) CS_MUST_USE;

/* What the colour of a cluster tells. */
enum cs_picture_colour {
	CS_COLOUR_DEPTH, /* grey: near is bright */
	CS_COLOUR_CLUSTER,
	CS_COLOUR_GROUP,
	CS_COLOUR_PAGE,
	CS_COLOUR_LEVEL,
	CS_COLOUR_RESIDENCY, /* of `state` */
	CS_PICTURE_COLOURS
};

struct cs_picture_view {
	double yaw, pitch; /* degrees: where the viewer stands around the mesh; 0, 0 is +X */
	enum cs_picture_colour colour;
	const uint8_t
		*state; /* by cluster, for CS_COLOUR_RESIDENCY: 0 fine, 1 coarser than wanted */
};

/* The clusters, orthographically, fitted to the picture, lit from the viewer. */
CS_API struct cs_error *cs_picture_clusters(const struct cs_model *model, const uint32_t *clusters,
	size_t n_clusters, const struct cs_picture_view *view,
	struct cs_picture *picture) CS_MUST_USE;
/*
 * Clusters as .ply, a colour a vertex, or as .obj, a group of faces for each colour. Atomic.
 * E_MESH, E_MISSING without geometry.
 */
CS_API struct cs_error *cs_model_export(const struct cs_model *model, const uint32_t *clusters,
	size_t n_clusters, enum cs_picture_colour colour, const uint8_t *state,
	const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
