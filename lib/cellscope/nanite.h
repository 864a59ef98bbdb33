/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nanite: a triangle mesh as a DAG of clusters, and the resource that stores the DAG in pages.
 *
 * A resource (.cnanite) is built from a mesh, or opened from a file. Opening checks the container,
 * decoding checks every byte of the pages, and verifying checks all rules of a resource and names
 * the broken ones (struct cs_nanite_rule).
 */
#ifndef CELLSCOPE_NANITE_H
#define CELLSCOPE_NANITE_H

#include <cellscope/dag.h>

CS_BEGIN_DECLS

/* ==== rows of a .cnanite file ==== */

/*
 * The rows of a .cnanite file, a Nanite resource. The payload (page states, hierarchy, page bytes,
 * dependencies, atlas) has exactly the layout of UE5 Early Access; the tables around it are our
 * own. The reader of container files checks only the checksums of the payload; decoding and
 * cs_nanite_verify() check the rest. Members marked "text" are offsets for cs_nanite_text().
 */

enum {
	CS_KIND_CNANITE = 2,
	CS_NODE_CHILDREN = 8,
	CS_PAGE_GPU_BYTES = 1 << 17, /* memory of every loaded page in bytes, full or not */
};

/* Properties of the resource. The table has one row. */
struct cs_nanite_info {
	float min[3], max[3];       /* box of all decoded vertices */
	uint32_t source;            /* text: cs_nanite_settings.source */
	uint32_t flags;             /* CS_NANITE_ bits */
	int32_t position_precision; /* positions are multiples of 2^-precision */
	uint32_t root_pages;        /* number of pages that are always loaded */
	uint32_t uvs;               /* number of UV channels */
	uint32_t materials;
	uint32_t levels;
	uint32_t groups, parts, clusters;
	/* sums over the clusters of all levels. `vertices` includes those stored as references */
	uint32_t triangles, vertices;
	uint32_t input_triangles, input_vertices;
	uint32_t degenerate_triangles; /* number of triangles of level 0 that were dropped */
	uint32_t reserved;
};

#define CS_NANITE_LZ4         1u /* pages are compressed as LZ4 blocks */
#define CS_NANITE_COLORS      2u /* at least one vertex is not white */
#define CS_NANITE_THOROUGH    4u /* pages were compressed at the highest level of LZ4 */
/*
 * A page stores the bytes of its vertex references as planes: all first bytes, then all second
 * ones, and so on. A reference names its cluster by the distance: index of its own cluster in the
 * page minus index of the other one.
 */
#define CS_NANITE_PLANES      8u
/* Half floats of errors and edge lengths are in units of 128 grid steps, not of the mesh. */
#define CS_NANITE_GRID_HALVES 16u
/*
 * A page may be stored in the dense form: the fixed data of all clusters as planes of bytes, and
 * the vertices without padding bits. Its size without LZ4 is less than the page_size of the page.
 */
#define CS_NANITE_DENSE       32u

/*
 * Position of a page in the file: `bulk_offset` is the start of its fixup chunk, which is followed
 * by the page. Row i describes page i. Root pages come first, and pages of coarser levels before
 * pages of finer levels.
 */
struct cs_nanite_page_state {
	uint32_t bulk_offset; /* byte offset in the root bytes (root page) or stream bytes */
	uint32_t bulk_size;   /* bytes of the fixup chunk and the page together, as stored */
	uint32_t page_size;   /* bytes of the decompressed page */
	uint32_t first_dependency, n_dependencies; /* range of rows of page_dependencies */
};

/* A node of the hierarchy as it is in memory: each array contains one field of all 8 children. */
struct cs_nanite_node {
	struct {
		float centre[3], radius;
	} lod[CS_NODE_CHILDREN];
	struct {
		float centre[3];
		uint16_t min_error, max_parent_error; /* half floats */
	} box[CS_NODE_CHILDREN];
	struct {
		float extent[3];
		/* index of the child node from the root of the mesh, or 0xffffffff for a leaf */
		uint32_t child;
	} extent[CS_NODE_CHILDREN];
	/*
	 * leaf, from the lowest bit on: number of clusters (9 bits), number of pages (3 bits),
	 * first page (20 bits); inner node: all bits 1; unused child: 0
	 */
	uint32_t pages[CS_NODE_CHILDREN];
};

/* A material, and how many triangles have it. */
struct cs_nanite_section {
	uint32_t material;
	uint32_t name;                       /* text: name of the material; may be empty */
	uint32_t input_triangles, triangles; /* number of triangles in level 0, and in all levels */
};

/* The coarse mesh: a simplified copy of the mesh for machines that cannot draw Nanite. */
struct cs_nanite_coarse_vertex {
	float position[3], normal[3];
	uint8_t color[4];
	float uvs[4][2];
};

struct cs_nanite_coarse_triangle {
	uint32_t corners[3]; /* rows of coarse_vertices */
	uint32_t material;
};

/* Numbers of the tables, in the order of the file. */
enum cs_cnanite_table {
	CS_TABLE_NANITE = CS_TABLE_STRINGS + 1,
	CS_TABLE_NANITE_SECTIONS,
	CS_TABLE_NANITE_PAGES,
	CS_TABLE_NANITE_DEPENDENCIES, /* each row is a u32: a row number of the table of pages */
	CS_TABLE_NANITE_ROOTS,        /* each row is a u32: row of nodes, the root of a mesh */
	CS_TABLE_NANITE_NODES,
	CS_TABLE_NANITE_ROOT_BYTES,
	CS_TABLE_NANITE_STREAM_BYTES,
	CS_TABLE_NANITE_ATLAS, /* each row is a u16: a pixel */
	CS_TABLE_NANITE_COARSE_VERTICES,
	CS_TABLE_NANITE_COARSE_TRIANGLES,
	CS_TABLE_CNANITE_END
};

/* ---- Nanite resources ---- */

struct cs_nanite;

/*
 * Options of the encoder, which makes a resource of a DAG. No function of this header takes them:
 * cs_nanite_build() sets them from struct cs_nanite_settings.
 */
struct cs_nanite_options {
	size_t size;                /* sizeof(struct cs_nanite_options); see cellscope/core.h */
	int32_t position_precision; /* grid step is 2^-precision; or CS_PRECISION_AUTO */
	bool raw_pages;             /* whether pages are stored without compression */
	bool no_atlas;      /* omit the imposter atlas: pictures of the mesh from 144 directions */
	const char *source; /* name of what the resource is built from, or NULL */
	const char *const *materials; /* name of each material of the DAG; may be NULL */
	/* The coarse mesh for machines that cannot draw Nanite, or NULL. */
	const struct cs_nanite_coarse_vertex *coarse_vertices;
	const struct cs_nanite_coarse_triangle *coarse_triangles;
	size_t n_coarse_vertices, n_coarse_triangles;
	/* LZ4 at its highest level: pages 3 % smaller, twice the time. No effect with raw_pages. */
	bool thorough;
};

/* Returns the defaults. The function is inline, so that `size` is that of the program's struct. */
static inline struct cs_nanite_options cs_nanite_options_default(void)
{
	struct cs_nanite_options options = {sizeof(options), CS_PRECISION_AUTO, false, false, NULL,
		NULL, NULL, NULL, 0, 0, false};
	return options;
}

/* Statistics of the encoder. */
struct cs_nanite_report {
	uint64_t triangles;            /* number in all clusters of the DAG */
	uint64_t degenerate_triangles; /* number of triangles that were dropped */
	uint64_t strip_starts;         /* number of triangles that start a strip */
	uint64_t strip_references;  /* number of 5-bit references to an earlier vertex of a strip */
	uint64_t stored_vertices;   /* number of vertices of all clusters */
	uint64_t vertex_references; /* number of them that refer to a vertex of another cluster */
	uint32_t split_clusters;    /* number of clusters that were divided into halves */
	uint32_t clusters, groups, parts, pages;
	uint32_t material_ranges; /* ranges of triangles of one material, over all clusters */
	uint32_t slow_clusters;   /* number of clusters with more than three ranges */
	/* bytes of all pages: when loaded, decompressed, and as stored without fixup chunks */
	uint64_t gpu_bytes, page_bytes, stored_bytes;
	uint64_t fixup_bytes; /* bytes of all fixup chunks */
	double atlas_seconds; /* time for drawing the imposter atlas */
};

/* How a resource is built from a mesh. */
struct cs_nanite_settings {
	size_t size; /* sizeof(struct cs_nanite_settings); see cellscope/core.h */
	const struct cs_dag_options *dag; /* NULL means cs_dag_options_default() */
	int32_t position_precision;       /* as in cs_nanite_options */
	/*
	 * Fraction of the triangles that the coarse mesh has, 0..1, but at least 2000 triangles.
	 * With 1, and for a mesh of 2000 triangles or less, there is no coarse mesh, because the
	 * mesh itself can be drawn instead.
	 */
	double coarse_part;
	bool raw_pages; /* this and the next three are as in cs_nanite_options */
	bool no_atlas;
	const char *source;
	bool thorough;
	/*
	 * Changes to the mesh before the build: first the normals are computed, then the mesh is
	 * scaled by a factor for each axis. A factor of 0 means 1. E_SETTING: a factor is below 0.
	 */
	enum cs_mesh_normals normals;
	double scale[3];
	/*
	 * Further meshes of the resource, after the first. Each has levels and a root of its own.
	 * All meshes share the grid, the pages and the sections; materials of equal name are one
	 * section. Such a resource has neither an atlas nor a coarse mesh.
	 */
	const struct cs_mesh *const *others;
	size_t n_others;
	/* UVs for lightmaps, made after all other changes. All meshes share one lightmap. */
	struct cs_lightmap_settings lightmap;
};

/* Returns the defaults. The function is inline, so that `size` is that of the program's struct. */
static inline struct cs_nanite_settings cs_nanite_settings_default(void)
{
	struct cs_nanite_settings settings = {sizeof(settings), NULL, CS_PRECISION_AUTO, 0, false,
		false, NULL, false, CS_NORMALS_KEPT, {0, 0, 0}, NULL, 0, {false, 0, 0, 0, CS_NONE}};
	return settings;
}

struct cs_nanite_build_report {
	struct cs_dag_report dag;
	uint32_t coarse_triangles; /* number of triangles of the coarse mesh; 0 if there is none */
	double seconds, coarse_seconds, encode_seconds;
	double verify_seconds;
	struct cs_lightmap_report lightmap;
};

/*
 * Builds the DAG and the coarse mesh, encodes them, and checks the result by all checks of
 * cs_nanite_verify but the deep ones. Returns E_SETTING for a setting that is out of range, and
 * E_NANITE when a check finds a fault, which no mesh should cause. The job's log contains
 * statistics as information. The same mesh and settings give the same bytes on any number of
 * threads.
 */
CS_API struct cs_error *cs_nanite_build(const struct cs_mesh *mesh,
	const struct cs_nanite_settings *settings, const struct cs_job *job,
	struct cs_nanite_build_report *report_ret, struct cs_nanite **ret) CS_MUST_USE;

/* Writes a .cnanite file, which is replaced atomically. */
CS_API struct cs_error *cs_nanite_save(
	const struct cs_nanite *resource, const char *path, const struct cs_job *job) CS_MUST_USE;
/*
 * Opens a .cnanite file, but checks only its container (see the head of this file), in the way that
 * `mode` says. Returns E_MAGIC for another kind of file, and the errors of cs_file_open for a
 * damaged one.
 */
CS_API struct cs_error *cs_nanite_open(const char *path, enum cs_file_mode mode,
	const struct cs_job *job, struct cs_nanite **ret) CS_MUST_USE;
CS_API void cs_nanite_free(struct cs_nanite *resource);

/* Properties of a resource. The pointers are valid as long as the resource. */
struct cs_nanite_about {
	const struct cs_nanite_info *info;
	const struct cs_nanite_report *report; /* all fields are 0 without a build */
	const struct cs_nanite_section *sections;
	size_t n_sections;
};

CS_API struct cs_nanite_about cs_nanite_about(const struct cs_nanite *resource);

static inline const struct cs_nanite_info *cs_nanite_info(const struct cs_nanite *resource)
{
	return cs_nanite_about(resource).info;
}

static inline const struct cs_nanite_report *cs_nanite_report(const struct cs_nanite *resource)
{
	return cs_nanite_about(resource).report;
}

static inline const struct cs_nanite_section *cs_nanite_sections(
	const struct cs_nanite *resource, size_t *n_ret)
{
	const struct cs_nanite_about about = cs_nanite_about(resource);
	*n_ret = about.n_sections;
	return about.sections;
}

/* The triangles of a section in the coarse mesh. All members are 0 if the section has none. */
struct cs_nanite_section_range {
	uint32_t first_triangle; /* CS_NONE if the triangles are not consecutive */
	uint32_t n_triangles;
	uint32_t min_vertex, max_vertex; /* range of coarse vertices of the section's triangles */
};

/* Returns a range for each section, freed by the caller. E_NANITE: a triangle is in no section. */
CS_API struct cs_error *cs_nanite_section_ranges(
	const struct cs_nanite *resource, struct cs_nanite_section_range **ret) CS_MUST_USE;
/* Returns the text at an offset in the strings table, valid as long as the resource, or "". */
CS_API const char *cs_nanite_text(const struct cs_nanite *resource, uint32_t text);
/* Converts the coarse mesh to a mesh. *ret is NULL when the resource has no coarse mesh. */
CS_API struct cs_error *cs_nanite_coarse_mesh(const struct cs_nanite *resource,
	const struct cs_job *job, struct cs_mesh **ret) CS_MUST_USE;

/* ---- rules of a resource ---- */

enum cs_rule_severity {
	CS_RULE_FATAL, /* the page cannot be decoded safely */
	CS_RULE_ERROR, /* the resource would be drawn wrongly */
	CS_RULE_WASTE, /* the resource works, but wastes memory or has small visible faults */
	CS_RULE_NOTE,  /* not a fault, but explains an effect that users see */
};

struct cs_nanite_rule {
	const char *id; /* name of the rule, such as "X5", as in cs_finding.rule */
	enum cs_rule_severity severity;
	const char *text;
};

/* ---- contents of a resource ---- */

/* Position of a page in the file, and its contents as ranges of rows. */
struct cs_model_page {
	uint64_t offset;               /* byte offset of the fixup chunk and page in the file */
	uint32_t disk_bytes;           /* bytes of the fixup chunk and the stored page together */
	uint32_t chunk_bytes;          /* bytes of the fixup chunk */
	uint32_t stored_bytes;         /* bytes of the page as stored, compressed or not */
	uint32_t page_bytes;           /* bytes of the page when decompressed */
	uint32_t gpu_bytes, gpu_limit; /* bytes of the page when loaded, and their limit */
	uint32_t first_section, n_sections;
	uint32_t first_cluster, n_clusters;
	uint32_t first_part, n_parts;
	uint32_t first_fixup, n_fixups; /* fixups in the page, hierarchy fixups first */
	uint32_t n_hierarchy_fixups;
	uint32_t first_need, n_needs;  /* pages that the page needs; set by cs_model_finish() */
	uint32_t n_users;              /* pages that need the page; set by cs_model_finish() */
	uint32_t slack;                /* padding bytes of the page; set by cs_model_finish() */
	uint32_t min_level, max_level; /* levels of the page's clusters; set by cs_model_finish() */
	uint32_t triangles, vertices;  /* sums over the page's clusters */
	uint32_t references; /* number of vertices that refer to a vertex of another cluster */
	bool root;           /* whether the page is a root page, which is always loaded */
	bool damaged;        /* whether nothing in the page could be decoded */
};

struct cs_model_cluster {
	uint32_t page, index;  /* row of the page, and index of the cluster in it */
	uint32_t part, group;  /* rows of the cluster's part and group, or CS_NONE */
	uint32_t group_number; /* number of the group as stored in the cluster */
	uint32_t maker;        /* group that was simplified to this cluster; CS_NONE on level 0 */
	uint32_t level;
	/* `n_coded` is the number of vertices that are not references to other clusters */
	uint32_t first_vertex, n_vertices, n_coded;
	uint32_t first_triangle, n_triangles;
	uint32_t first_material, n_materials;
	/* rows of references: one for each cluster that this cluster refers to */
	uint32_t first_reference, n_references;
	uint32_t n_starts, n_codes; /* number of triangle strips, and of codes in them */
	uint32_t flags;             /* flags of the cluster as stored in the page */
	bool leaf;                  /* drawn even if too coarse, until a fixup clears this flag */
	int32_t start[3];           /* smallest vertex coordinate on each axis, in grid steps */
	double grid_step;           /* grid step of positions, in units of the mesh */
	uint8_t position_bits[3];   /* bits of a vertex's position on each axis */
	uint8_t index_bits;         /* bits of the index of a vertex of the cluster */
	/* in .cnanite files: 0 all vertices are white, 1 all are color_min, 2 each has a colour */
	uint8_t color_mode;
	uint8_t n_uvs;
	uint8_t color_min[4], color_bits[4];
	uint32_t attribute_bits; /* bits of all attributes of one vertex */
	/* numbers of bits of U0, V0, U1 ... in a vertex, 4 bits for each number, lowest first */
	uint32_t uv_bits;
	/* error, and length of the longest edge (negative on level 0), in units of the mesh */
	float lod_error, edge_length;
	float lod_centre[3], lod_radius;
	float box_centre[3], box_extent[3];
	bool damaged;
};

/* A part: the clusters of one group that are in one page. */
struct cs_model_part {
	uint32_t group, page;
	uint32_t first_cluster, n_clusters;
	uint32_t slot; /* row in `slots`: the leaf of this part, or CS_NONE */
};

/* A range of triangles of a cluster that have one material. */
struct cs_model_material {
	uint32_t cluster;
	uint32_t first, count; /* first triangle in the cluster, and number of triangles */
	uint32_t material;
};

/* A group of clusters, and the coarser clusters that it was simplified to. */
struct cs_model_group {
	uint32_t number; /* number of the group as stored in the group's clusters */
	uint32_t mesh;   /* index of the mesh's root node; CS_NONE if not known */
	uint32_t level;
	uint32_t first_part, n_parts; /* range of group_parts, which contains rows of parts */
	uint32_t first_page, n_pages; /* pages that a request for the group loads */
	uint32_t n_clusters;
	uint32_t first_parent, n_parents; /* clusters the group was simplified to */
	uint32_t triangles, parent_triangles;
	/* sphere whose distance from the camera determines the screen error of the parents */
	float centre[3], radius;
	float min_error, max_parent_error;
};

enum cs_model_fixup_kind { CS_MODEL_FIXUP_HIERARCHY, CS_MODEL_FIXUP_CLUSTER };

struct cs_model_fixup {
	enum cs_model_fixup_kind kind;
	uint32_t page;        /* page that contains the fixup */
	uint32_t target_page; /* page with the part, or with the cluster that stops being a leaf */
	/* row of the cluster that stops being a leaf (HIERARCHY: first cluster of the part) */
	uint32_t cluster;
	uint32_t slot; /* HIERARCHY: row in `slots` that the fixup sets; CLUSTER: CS_NONE */
	uint32_t first_page, n_pages; /* pages that must be loaded, root pages excluded */
};

/* Sums over all pages of a resource, and quotients of them: NAN if they are not known. */
struct cs_nanite_summary {
	uint64_t disk_bytes;     /* bytes of pages as stored, with their fixup chunks */
	uint64_t fixup_bytes;    /* bytes of the fixup chunks */
	uint64_t page_bytes;     /* bytes of pages when decompressed */
	uint64_t gpu_bytes;      /* bytes that are used in the memory of loaded pages */
	uint64_t root_gpu_bytes; /* bytes that are used in the memory of loaded root pages */
	uint64_t gpu_room;       /* bytes of the memory of loaded pages: sum of gpu_limit */
	uint64_t references;     /* number of vertices that refer to another vertex of their page */
	/* listed dependencies: in all, and most of one page */
	uint32_t dependencies, most_dependencies;
	uint32_t leaf_clusters, coarse_triangles;
	double bytes_per_triangle; /* bytes of the file / triangles of the mesh */
	double referring;          /* fraction of the vertices that refer to another vertex */
	double fill;               /* mean fraction of 128 triangles that a cluster has */
	double compression;        /* bytes of decompressed pages / bytes of stored pages */
	double utilisation;        /* fraction of the memory of loaded pages that is used */
};

/* Decodes a resource strictly and returns its DAG, which is freed with cs_dag_free. */
CS_API struct cs_error *cs_nanite_dag(const struct cs_nanite *resource, const struct cs_job *job,
	struct cs_dag **ret) CS_MUST_USE;

/* ---- views that cut a resource ---- */

/*
 * A view decides which clusters are fine enough: those whose error, seen from `eye` at the nearest
 * point of their sphere, is at most `threshold` pixels. For a uniform view the threshold is the
 * largest error in units of the mesh.
 */
struct cs_nanite_view {
	double eye[3];
	/* clusters nearer than this (in units of the mesh, above 0) count as this far away */
	double near;
	/*
	 * height in pixels / (2 tan(fov / 2)), fov being the vertical angle: the size in pixels of
	 * an object as large as its distance from the eye
	 */
	double pixels;
	double threshold; /* largest error: pixels, or units of the mesh if `uniform` */
	bool uniform;
	uint32_t mesh; /* number of the mesh to draw, from 1; 0: all meshes */
};

/* Returns cs_nanite_view.pixels: fov is the vertical angle in degrees, height is in pixels. */
static inline double cs_nanite_pixels(double fov, double height)
{
	return height / (2 * tan(fov * acos(-1.0) / 360));
}

/* ---- verifying a resource ---- */

/*
 * Checks a resource file by all rules, and its container format. `deep` adds random views and
 * random loading orders, which take longer. Calls `report` for each finding, which names its rule
 * (except damage of the container), at most limits.findings times, and stores the number of
 * findings in *n_ret. As in cs_file_verify, a finding is not an error of the function.
 */
CS_API struct cs_error *cs_nanite_verify(const char *path, bool deep, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret) CS_MUST_USE;

/* How to present a finding to users. */
struct cs_nanite_told {
	bool shown; /* false for a warning that is not the first finding of its rule */
	/* the rule, in order to explain it, if this is its first finding, else NULL */
	const struct cs_nanite_rule *rule;
	const char *effect, *advice; /* effect of the fault on a picture, and how to correct it */
	size_t others;               /* number of findings of this rule that are not shown */
};

/*
 * Decides how to present `n` findings: every error is shown, but only the first warning of each
 * rule, with the number of its other warnings. `ret` is an array of `n` items.
 */
CS_API void cs_nanite_tell(const struct cs_finding *findings, size_t n, struct cs_nanite_told *ret);

/* ==== pictures of pixels ==== */

enum { CS_PICTURE_MOST = 8192 }; /* largest width and height in pixels */

struct cs_picture {
	uint32_t width, height;
	/* 3 bytes (red, green, blue) for each pixel, by rows from the top (the caller frees it) */
	uint8_t *pixels;
};

/* Writes a PNG file atomically, uncompressed, so that its bytes are the same everywhere. */
CS_API struct cs_error *cs_picture_save(
	const struct cs_picture *picture, const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
