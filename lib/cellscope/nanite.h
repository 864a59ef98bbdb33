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
 * own. The reader of container files checks only the checksums of the payload; cs_nanite_open() and
 * cs_nanite_verify() check the rest.
 */

enum {
	CS_KIND_CNANITE = 2,
	CS_NODE_CHILDREN = 8,
	CS_PAGE_GPU_BYTES = 1 << 17, /* memory of every loaded page in bytes, full or not */
};

/* Properties of the resource. The table has one row. */
struct cs_nanite_info {
	float min[3], max[3];       /* box of all decoded vertices */
	uint32_t source;            /* text: what the resource was built from */
	uint32_t flags;             /* CS_NANITE_ bits */
	int32_t position_precision; /* positions are multiples of 2^-precision */
	uint32_t root_pages;        /* number of pages that are always loaded */
	uint32_t uvs;               /* number of UV channels */
	uint32_t materials;
	uint32_t levels;
	uint32_t groups, parts, clusters;
	/* sums over the clusters of all levels; vertices include those stored as references */
	uint32_t triangles, vertices;
	uint32_t input_triangles, input_vertices;
	uint32_t degenerate_triangles; /* number of triangles of level 0 that were dropped */
	uint32_t reserved;
};

#define CS_NANITE_LZ4         1u /* pages are compressed as LZ4 blocks */
#define CS_NANITE_COLORS      2u /* at least one vertex is not white */
#define CS_NANITE_THOROUGH    4u /* pages were compressed at the highest level of LZ4 */
/* vertex references are in byte planes and count clusters backwards */
#define CS_NANITE_PLANES      8u
#define CS_NANITE_GRID_HALVES 16u /* errors and edge lengths are in units of 128 grid steps */
#define CS_NANITE_DENSE       32u /* stored pages may be dense: byte planes, bits not padded */

/*
 * Where a page is stored: `bulk_offset` is the start of its fixup chunk, which is followed by the
 * page. Row i describes page i. Root pages come first, and pages of coarser levels before those of
 * finer levels.
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
		/*
		 * index of the child node, counted from the root of the mesh; 0xffffffff for a leaf
		 */
		uint32_t child;
	} extent[CS_NODE_CHILDREN];
	/*
	 * leaf: number of clusters (9 bits), number of pages (3 bits), first page (20 bits); inner
	 * node: all bits 1; unused child: 0
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

struct cs_nanite_options {
	size_t size;                /* sizeof(struct cs_nanite_options); see cellscope/core.h */
	int32_t position_precision; /* grid step is 2^-precision; or CS_PRECISION_AUTO */
	bool raw_pages;             /* whether pages are stored without compression */
	bool no_atlas;
	const char *source;           /* name of what the resource is built from, or NULL */
	const char *const *materials; /* name of each material of the DAG; may be NULL */
	/* The coarse mesh for machines that cannot draw Nanite, or NULL. */
	const struct cs_nanite_coarse_vertex *coarse_vertices;
	const struct cs_nanite_coarse_triangle *coarse_triangles;
	size_t n_coarse_vertices, n_coarse_triangles;
	/* LZ4 at its highest level: pages 3 % smaller, twice the time. No effect with raw_pages. */
	bool thorough;
};

/* Returns the defaults; inline, so that `size` is that of the struct in the program. */
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
	/*
	 * number of triangles that start a strip; number of 5-bit vertex references in strip codes
	 */
	uint64_t strip_starts, strip_references;
	/* number of vertices of all clusters; number of them that are stored as references */
	uint64_t stored_vertices, vertex_references;
	uint32_t split_clusters; /* number of clusters that were divided into halves */
	uint32_t clusters, groups, parts, pages;
	/* number of material ranges; number of clusters with more than three ranges */
	uint32_t material_ranges, slow_clusters;
	/* bytes of all pages when loaded (gpu_bytes), decompressed (page_bytes), and as stored */
	uint64_t gpu_bytes, page_bytes, stored_bytes, fixup_bytes;
	double atlas_seconds;
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
	bool raw_pages;
	bool no_atlas;
	const char *source; /* as in cs_nanite_options */
	bool thorough;
	/*
	 * Changes to the mesh before the build: first the normals are computed, then the mesh is
	 * scaled. A scale of 0 means 1.
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
	/* UVs for lightmaps, made after all other changes; all meshes share one lightmap. */
	struct cs_lightmap_settings lightmap;
};

/* Returns the defaults; inline, so that `size` is that of the struct in the program. */
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
 * cs_nanite_verify but the deep ones. Returns E_NANITE when a check finds an error, which no mesh
 * should cause. The job's log contains statistics as information. The same mesh and settings give
 * the same bytes on any number of threads.
 */
CS_API struct cs_error *cs_nanite_build(const struct cs_mesh *mesh,
	const struct cs_nanite_settings *settings, const struct cs_job *job,
	struct cs_nanite_build_report *report_ret, struct cs_nanite **ret) CS_MUST_USE;

CS_API struct cs_error *cs_nanite_save(
	const struct cs_nanite *resource, const char *path, const struct cs_job *job) CS_MUST_USE;
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

/* Returns a range for each section; the caller frees them. E_NANITE: a triangle has no section. */
CS_API struct cs_error *cs_nanite_section_ranges(
	const struct cs_nanite *resource, struct cs_nanite_section_range **ret) CS_MUST_USE;
/* Returns a text of the resource by its offset in the strings table. */
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

/* Where a page is stored, and its contents as ranges of rows. */
struct cs_model_page {
	uint64_t offset; /* byte offset of the fixup chunk and page in the file */
	/* bytes of chunk and page, of the fixup chunk, and of the page as stored */
	uint32_t disk_bytes, chunk_bytes, stored_bytes;
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
	uint32_t triangles, vertices, references;
	bool root;    /* whether the page is a root page, which is always loaded */
	bool damaged; /* whether nothing in the page could be decoded */
};

struct cs_model_cluster {
	uint32_t page, index;  /* row of the page, and index of the cluster in it */
	uint32_t part, group;  /* rows of the cluster's part and group, or CS_NONE */
	uint32_t group_number; /* number of the group as stored in the cluster */
	uint32_t maker;        /* group that was simplified to this cluster; CS_NONE on level 0 */
	uint32_t level;
	/* n_coded: number of vertices that are not references to other clusters */
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
	uint8_t position_bits[3], index_bits, color_mode, n_uvs;
	uint8_t color_min[4], color_bits[4];
	uint32_t attribute_bits;
	uint32_t uv_bits; /* numbers of bits of U0, V0, U1 ... in a vertex; each number in 4 bits */
	float lod_error, edge_length;
	float lod_centre[3], lod_radius;
	float box_centre[3], box_extent[3];
	bool damaged;
};

/* A part: the clusters of one group that are in one page. */
struct cs_model_part {
	uint32_t group, page;
	uint32_t first_cluster, n_clusters;
	/* hierarchy slot of the group: CS_NODE_SLOTS * node + slot; in a model: row in `slots` */
	uint32_t slot;
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
	uint32_t mesh;   /* index of the mesh in the root nodes; CS_NONE if not known */
	uint32_t level;
	uint32_t first_part, n_parts; /* range of group_parts, which contains rows of parts */
	uint32_t first_page, n_pages; /* pages that a request for the group loads */
	uint32_t n_clusters;
	uint32_t first_parent, n_parents; /* `parents`: clusters the group was simplified to */
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
	/*
	 * row of the cluster that stops being a leaf; for HIERARCHY the first cluster of the part
	 */
	uint32_t cluster;
	uint32_t slot; /* HIERARCHY: index of the slot in its node; in a model, row of slots */
	uint32_t first_page, n_pages; /* pages that must be loaded, root pages excluded */
};

/* Sums over all pages of a resource. */
struct cs_nanite_summary {
	/* bytes of all pages: as stored, of their fixup chunks, decompressed, and loaded */
	uint64_t disk_bytes, fixup_bytes, page_bytes, gpu_bytes;
	uint64_t root_gpu_bytes; /* bytes of the root pages when loaded */
	uint64_t references;     /* number of vertices that refer to another vertex of their page */
	uint32_t nodes, depth, dependencies, most_dependencies;
	uint32_t leaf_clusters, coarse_triangles;
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
	double near; /* smallest distance at which an error is seen, > 0, in units of the mesh */
	/*
	 * height in pixels / (2 tan(fov / 2)): the size in pixels of an object as large as its
	 * distance from the eye
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
 * random loading orders, which take longer. Calls `report` as cs_file_verify does; each finding
 * names its rule.
 */
CS_API struct cs_error *cs_nanite_verify(const char *path, bool deep, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret) CS_MUST_USE;

/* How to present a finding to users. */
struct cs_nanite_told {
	bool shown; /* false if only the first finding of its rule is to be shown */
	/* the rule, if this is the first finding of the rule, to explain it; else NULL */
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
	/* 3 bytes (red, green, blue) for each pixel, by rows from the top; the caller frees it */
	uint8_t *pixels;
};

/* Writes a PNG file atomically, uncompressed, so that its bytes are the same everywhere. */
CS_API struct cs_error *cs_picture_save(
	const struct cs_picture *picture, const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
