/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nanite: a triangle mesh as a DAG of clusters, and the resource that stores it in pages.
 *
 * A resource (.cnanite) is made by encoding a DAG, or opened from a file. Opening checks the
 * container, decoding checks every byte of the pages, and verifying checks all rules of a resource
 * and names the broken ones (cs_nanite_rules).
 */
#ifndef CELLSCOPE_NANITE_H
#define CELLSCOPE_NANITE_H

#include <cellscope/dag.h>

CS_BEGIN_DECLS

/* ==== rows of a file ==== */

/*
 * The rows of a .cnanite file, a Nanite resource. The payload (page states, hierarchy, page bytes,
 * dependencies, atlas) has the layout of UE5 Early Access to the byte, and the tables around it are
 * ours. Of the payload the container checks only the checksums; cs_nanite_open() and
 * cs_nanite_verify() check the rest.
 */

enum {
	CS_KIND_CNANITE = 2,
	CS_NODE_CHILDREN = 8,
	CS_PAGE_GPU_BYTES = 1 << 17, /* bytes of memory that every page takes when it is loaded */
};

/* The resource, which is one row. */
struct cs_nanite_info {
	float min[3], max[3];       /* box of all vertices, as decoded */
	uint32_t source;            /* text: what it was built from */
	uint32_t flags;             /* CS_NANITE_ bits */
	int32_t position_precision; /* the grid has a step of 2^-precision */
	uint32_t root_pages;        /* pages that are always loaded */
	uint32_t uvs;               /* number of UV channels */
	uint32_t materials;
	uint32_t levels;
	uint32_t groups, parts, clusters;
	uint32_t triangles, vertices; /* sums over all levels, with references */
	uint32_t input_triangles, input_vertices;
	uint32_t degenerate_triangles; /* triangles of level 0 that were left out */
	uint32_t reserved;
};

#define CS_NANITE_LZ4         1u  /* pages are LZ4 blocks */
#define CS_NANITE_COLORS      2u  /* some vertex is not white */
#define CS_NANITE_THOROUGH    4u  /* pages were compressed at LZ4's highest level */
#define CS_NANITE_PLANES      8u  /* bytes of references are in planes, and count backwards */
#define CS_NANITE_GRID_HALVES 16u /* errors and edges are in 128 steps of the grid */
#define CS_NANITE_DENSE       32u /* pages may be stored in planes, with vertices not padded */

/*
 * Where a page is stored: `bulk_offset` is the start of its fixup chunk, which the page follows.
 * Row i describes page i. Root pages come first, then pages of coarser levels before finer ones.
 */
struct cs_nanite_page_state {
	/* offset in the root bytes for a root page, else in the stream bytes */
	uint32_t bulk_offset;
	uint32_t bulk_size; /* size of the chunk and the stored page, in bytes */
	uint32_t page_size; /* size of the decompressed page, in bytes */
	uint32_t first_dependency, n_dependencies; /* range of page_dependencies */
};

/* A node of the hierarchy as it is in memory: field by field, not slot by slot. */
struct cs_nanite_node {
	struct {
		float centre[3], radius;
	} lod[CS_NODE_CHILDREN];
	struct {
		float centre[3];
		uint16_t min_error, max_parent_error; /* errors as halves */
	} box[CS_NODE_CHILDREN];
	struct {
		float extent[3];
		/* a node, counted from the root of the mesh; 0xffffffff for a leaf */
		uint32_t child;
	} extent[CS_NODE_CHILDREN];
	/* leaf: clusters:9, pages:3, first page:20; inner: all ones; unused: 0 */
	uint32_t pages[CS_NODE_CHILDREN];
};

/* A material and the counts of its triangles. */
struct cs_nanite_section {
	uint32_t material;
	uint32_t name;                       /* text, may be empty */
	uint32_t input_triangles, triangles; /* triangles of level 0, and of all levels */
};

/* The coarse mesh, which stands in where Nanite cannot run. */
struct cs_nanite_coarse_vertex {
	float position[3], normal[3];
	uint8_t color[4];
	float uvs[4][2];
};

struct cs_nanite_coarse_triangle {
	uint32_t corners[3]; /* rows of coarse_vertices */
	uint32_t material;
};

/* Table ids, in the order of the file. */
enum cs_cnanite_table {
	CS_TABLE_NANITE = CS_TABLE_STRINGS + 1,
	CS_TABLE_NANITE_SECTIONS,
	CS_TABLE_NANITE_PAGES,
	CS_TABLE_NANITE_DEPENDENCIES, /* u32: row of pages */
	CS_TABLE_NANITE_ROOTS,        /* u32: nodes, the root of each mesh */
	CS_TABLE_NANITE_NODES,
	CS_TABLE_NANITE_ROOT_BYTES,
	CS_TABLE_NANITE_STREAM_BYTES,
	CS_TABLE_NANITE_ATLAS, /* u16: pixels */
	CS_TABLE_NANITE_COARSE_VERTICES,
	CS_TABLE_NANITE_COARSE_TRIANGLES,
	CS_TABLE_CNANITE_END
};

/* ---- resource ---- */

struct cs_nanite;

struct cs_nanite_options {
	size_t size;                /* sizeof(struct cs_nanite_options); core.h */
	int32_t position_precision; /* step 2^-precision, or CS_PRECISION_AUTO */
	bool raw_pages;             /* pages are not compressed */
	bool no_atlas;
	const char *source;           /* description of the mesh for the file; may be NULL */
	const char *const *materials; /* a name for each material of the DAG; may be NULL */
	/* A mesh that stands in where Nanite cannot run, or NULL. */
	const struct cs_nanite_coarse_vertex *coarse_vertices;
	const struct cs_nanite_coarse_triangle *coarse_triangles;
	size_t n_coarse_vertices, n_coarse_triangles;
	/*
	 * Compresses pages at the highest level of LZ4: they are 3 % smaller, and encoding takes
	 * twice the time. It has no effect on raw pages.
	 */
	bool thorough;
};

/*
 * Returns the default options. The function is in the header, so that `size` is the size of the
 * struct with which the program was compiled.
 */
static inline struct cs_nanite_options cs_nanite_options_default(void)
{
	struct cs_nanite_options options = {sizeof(options), CS_PRECISION_AUTO, false, false, NULL,
		NULL, NULL, NULL, 0, 0, false};
	return options;
}

/* What the encoder did. */
struct cs_nanite_report {
	uint64_t triangles, vertices;            /* sums over the DAG */
	uint64_t degenerate_triangles;           /* triangles left out */
	uint64_t strip_starts, strip_references; /* numbers of start triangles and of 5-bit codes */
	uint64_t strip_bytes;                    /* bytes of strip codes and masks */
	uint64_t duplicated_vertices; /* vertices issued again because they had left the window */
	/* number of vertices in all clusters; number of those that are references */
	uint64_t stored_vertices, vertex_references;
	uint32_t split_clusters; /* clusters that were cut into halves */
	uint32_t clusters, groups, parts, pages, nodes;
	/* number of material ranges; number of clusters with more than three ranges */
	uint32_t material_ranges, slow_clusters;
	uint32_t most_fixups; /* largest number of fixups of one kind in one page */
	/* bytes of pages when loaded, decompressed, and stored */
	uint64_t gpu_bytes, page_bytes, stored_bytes, fixup_bytes;
	double atlas_seconds;
};

/* How a mesh becomes a resource: the settings of the source text, and our own. */
struct cs_nanite_settings {
	size_t size;                      /* sizeof(struct cs_nanite_settings); core.h */
	const struct cs_dag_options *dag; /* NULL means cs_dag_options_default() */
	int32_t position_precision;       /* as in cs_nanite_options */
	/*
	 * The part of the triangles that the coarse mesh has, 0..1, but at least 2000 triangles.
	 * There is none at 1, and for a mesh of 2000 triangles or less, because the mesh itself
	 * stands in.
	 */
	double coarse_part;
	bool raw_pages;
	bool no_atlas;
	const char *source; /* as in cs_nanite_options */
	bool thorough;
	/*
	 * Changes to the mesh before anything else: first its normals, then its size. 0 means
	 * 1.
	 */
	enum cs_mesh_normals normals;
	double scale[3];
	/*
	 * The meshes of the resource beside the first. Each gets levels and a root of its own. All
	 * share the grid, the pages and the sections, in which one name is one section. There is
	 * neither an atlas nor a coarse mesh.
	 */
	const struct cs_mesh *const *others;
	size_t n_others;
	/* Made after all other changes to the meshes, which share one square. */
	struct cs_lightmap_settings lightmap;
};

/*
 * Returns the default options. The function is in the header, so that `size` is the size of the
 * struct with which the program was compiled.
 */
static inline struct cs_nanite_settings cs_nanite_settings_default(void)
{
	struct cs_nanite_settings settings = {sizeof(settings), NULL, CS_PRECISION_AUTO, 0, false,
		false, NULL, false, CS_NORMALS_KEPT, {0, 0, 0}, NULL, 0, {false, 0, 0, 0, CS_NONE}};
	return settings;
}

struct cs_nanite_build_report {
	struct cs_dag_report dag;
	uint32_t coarse_triangles; /* 0 when there is no coarse mesh */
	double seconds, coarse_seconds, encode_seconds;
	double verify_seconds;
	struct cs_lightmap_report lightmap;
};

/*
 * Builds the DAG and the coarse mesh, encodes them, and then runs those checks of cs_nanite_check
 * that are not deep. Returns E_NANITE when one finds an error, which no mesh should cause. The
 * job's log gets the lines of the source text's encoder, as information. The same mesh and settings
 * give the same bytes on any number of threads.
 */
CS_API struct cs_error *cs_nanite_build(const struct cs_mesh *mesh,
	const struct cs_nanite_settings *settings, const struct cs_job *job,
	struct cs_nanite_build_report *report_ret, struct cs_nanite **ret) CS_MUST_USE;

CS_API struct cs_error *cs_nanite_save(
	const struct cs_nanite *resource, const char *path, const struct cs_job *job) CS_MUST_USE;
CS_API struct cs_error *cs_nanite_open(const char *path, enum cs_file_mode mode,
	const struct cs_job *job, struct cs_nanite **ret) CS_MUST_USE;
CS_API void cs_nanite_free(struct cs_nanite *resource);

/* Facts about a resource; texts are valid as long as the resource. */
struct cs_nanite_about {
	const struct cs_nanite_info *info;
	const struct cs_nanite_report *report; /* all zeros for a resource that was opened */
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

/* The triangles of a section in the coarse mesh. All zeros for a section that has none there. */
struct cs_nanite_section_range {
	uint32_t first_triangle; /* CS_NONE when they are not consecutive, as in older resources */
	uint32_t n_triangles;
	uint32_t min_vertex, max_vertex; /* range of the coarse vertices that the section uses */
};

/*
 * Returns a range for each section, which the caller frees. Returns E_NANITE when a triangle has no
 * section.
 */
CS_API struct cs_error *cs_nanite_section_ranges(
	const struct cs_nanite *resource, struct cs_nanite_section_range **ret) CS_MUST_USE;
/* Returns a text of the resource by its offset. */
CS_API const char *cs_nanite_text(const struct cs_nanite *resource, uint32_t text);
/* Makes a mesh of the coarse mesh. *ret is NULL when there is none. */
CS_API struct cs_error *cs_nanite_coarse_mesh(const struct cs_nanite *resource,
	const struct cs_job *job, struct cs_mesh **ret) CS_MUST_USE;

/* ---- rules ---- */

enum cs_rule_severity {
	CS_RULE_FATAL, /* the page cannot be decoded safely */
	CS_RULE_ERROR, /* the picture would be wrong */
	CS_RULE_WASTE, /* the resource works, but costs more than it must, or looks wrong */
	CS_RULE_NOTE,  /* the format allows it, and it explains what is seen */
};

struct cs_nanite_rule {
	const char *id; /* "X5", as in cs_finding.rule */
	enum cs_rule_severity severity;
	const char *text;
};

/* ---- contents ---- */

/* How a page is packed and where it is. */
struct cs_model_page {
	uint64_t offset; /* offset of the page's blob in the file, in bytes */
	/* bytes of the blob, of the fixup chunk, and of the stored page */
	uint32_t disk_bytes, chunk_bytes, stored_bytes;
	uint32_t page_bytes;           /* bytes of the decompressed page */
	uint32_t gpu_bytes, gpu_limit; /* bytes when loaded, and their limit */
	uint32_t first_section, n_sections;
	uint32_t first_cluster, n_clusters;
	uint32_t first_part, n_parts;
	uint32_t first_fixup, n_fixups; /* fixups in the page; hierarchy fixups come first */
	uint32_t n_hierarchy_fixups;
	uint32_t first_need, n_needs;  /* pages that it needs; set by cs_model_finish() */
	uint32_t n_users;              /* number of pages whose list names it; set there too */
	uint32_t slack;                /* padding bytes of its sections; set there too */
	uint32_t min_level, max_level; /* levels of the page's clusters; set there too */
	uint32_t triangles, vertices, references;
	bool root;    /* a root page, which is always loaded */
	bool damaged; /* no part of the page could be decoded */
};

struct cs_model_cluster {
	uint32_t page, index;  /* row of its page, and its index within the page */
	uint32_t part, group;  /* row of its part and its group; CS_NONE: in none */
	uint32_t group_number; /* number as stored in the cluster */
	uint32_t maker;        /* group that the cluster was simplified from; CS_NONE on level 0 */
	uint32_t level;
	/* n_coded: vertices that are not references to other clusters */
	uint32_t first_vertex, n_vertices, n_coded;
	uint32_t first_triangle, n_triangles;
	uint32_t first_material, n_materials;
	/* rows of references: one for each cluster referred to */
	uint32_t first_reference, n_references;
	uint32_t n_starts, n_codes; /* number of strips and of codes in them */
	uint32_t flags;             /* flags as stored in the page */
	bool leaf;                  /* drawn even if coarser than wanted, until a fixup clears it */
	int32_t start[3];           /* smallest grid position */
	double grid_step;           /* step of the grid of positions, in units of the mesh */
	uint8_t position_bits[3], index_bits, color_mode, n_uvs;
	uint8_t color_min[4], color_bits[4];
	uint32_t attribute_bits;
	uint32_t uv_bits; /* bits of a code, 4 bits for each of U0, V0, U1 ... */
	float lod_error, edge_length;
	float lod_centre[3], lod_radius;
	float box_centre[3], box_extent[3];
	bool damaged;
};

/* The clusters of a group that are in one page. */
struct cs_model_part {
	uint32_t group, page;
	uint32_t first_cluster, n_clusters;
	uint32_t slot; /* slot of the hierarchy; in a model, a row of slots */
};

/* The triangles of a cluster with one material. */
struct cs_model_material {
	uint32_t cluster;
	uint32_t first, count; /* a range of triangles of the cluster */
	uint32_t material;
};

/* A group and the clusters that it was simplified into. */
struct cs_model_group {
	uint32_t number; /* number by which the group's clusters name it */
	uint32_t mesh;   /* number of its mesh: index of its root node; CS_NONE: unknown */
	uint32_t level;
	uint32_t first_part, n_parts; /* range of group_parts */
	uint32_t first_page, n_pages; /* the pages that a request names */
	uint32_t n_clusters;
	/* range of `parents`: clusters that it was simplified into */
	uint32_t first_parent, n_parents;
	uint32_t triangles, parent_triangles;
	float centre[3], radius; /* the sphere with which its parents are tested */
	float min_error, max_parent_error;
};

enum cs_model_fixup_kind { CS_MODEL_FIXUP_HIERARCHY, CS_MODEL_FIXUP_CLUSTER };

struct cs_model_fixup {
	enum cs_model_fixup_kind kind;
	uint32_t page;        /* page that contains the fixup */
	uint32_t target_page; /* the page of the part, or of the cluster that stops being a leaf */
	uint32_t cluster;     /* row of the cluster; of a hierarchy fixup the part's first */
	uint32_t slot;        /* slot of a hierarchy fixup; in a model, a row of slots */
	uint32_t first_page, n_pages; /* the pages that must be loaded, without root pages */
};

/* Sums over a resource. */
struct cs_nanite_summary {
	/*
	 * Bytes of all pages: as stored in the file, of which fixup chunks, decompressed, and when
	 * loaded.
	 */
	uint64_t disk_bytes, fixup_bytes, page_bytes, gpu_bytes;
	uint64_t root_gpu_bytes; /* bytes of the pages that are always loaded */
	uint64_t references;     /* vertices that refer to another vertex of their page */
	uint32_t nodes, depth, dependencies, most_dependencies;
	uint32_t leaf_clusters, coarse_triangles;
};

/*
 * Makes the DAG of a resource, decoded strictly: positions, attributes and errors are those of the
 * pages. cs_dag_free frees it.
 */
CS_API struct cs_error *cs_nanite_dag(const struct cs_nanite *resource, const struct cs_job *job,
	struct cs_dag **ret) CS_MUST_USE;

/* ---- cuts ---- */

/*
 * A view decides how fine is fine enough. It looks from `eye`, and an error counts in pixels as
 * seen from the nearest point of its sphere. A uniform view has the same threshold everywhere, in
 * units of the mesh.
 */
struct cs_nanite_view {
	double eye[3];
	double near; /* least distance at which errors are judged, > 0 */
	/* size in pixels of an object as large as its distance: height / (2 tan(fov / 2)) */
	double pixels;
	double threshold; /* threshold in pixels, or in units of the mesh for a uniform view */
	bool uniform;
	uint32_t mesh; /* mesh of the resource to draw, counted from 1; 0: all */
};

/*
 * Returns the `pixels` of a view for a picture of that height, with a vertical field of view in
 * degrees.
 */
static inline double cs_nanite_pixels(double fov, double height)
{
	return height / (2 * tan(fov * acos(-1.0) / 360));
}

/* ---- verifying ---- */

/*
 * Checks all rules, and the container. `deep` adds random views and random loading orders, which
 * take longer. Reports as cs_file_verify does, and each finding names its rule.
 */
CS_API struct cs_error *cs_nanite_verify(const char *path, bool deep, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret) CS_MUST_USE;

/* How a finding is reported to people. */
struct cs_nanite_told {
	bool shown; /* false: only an earlier finding of its rule is shown */
	/* the rule, for its first finding, which its explanation follows; else NULL */
	const struct cs_nanite_rule *rule;
	const char *effect, *advice; /* the effect on a picture, and what to do about it */
	size_t others;               /* number of findings of its rule that are not shown */
};

/*
 * Shows every error, and of each rule that only warns the first finding for all. ret has n items.
 */
CS_API void cs_nanite_tell(const struct cs_finding *findings, size_t n, struct cs_nanite_told *ret);

/* ==== pictures: grids of pixels ==== */

enum { CS_PICTURE_MOST = 8192 }; /* most pixels on each side */

struct cs_picture {
	uint32_t width, height;
	uint8_t *
		/* 3 bytes each: red, green, blue; row by row from the top; freed by the caller */
		pixels;
};

/*
 * Writes PNG with 8 bits for each channel, stored without compression, so that the bytes are the
 * same on every machine. The file is replaced atomically.
 */
CS_API struct cs_error *cs_picture_save(
	const struct cs_picture *picture, const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
