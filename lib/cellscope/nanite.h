/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nanite: a triangle mesh as a DAG of clusters, and the resource that stores it in pages.
 *
 * A resource (.cnanite) is made by encoding a DAG, or opened from a file. Opening checks the
 * container; decoding checks every byte of the pages; verifying checks all that a resource
 * promises, and tells which rule is broken (cs_nanite_rules).
 */
#ifndef CELLSCOPE_NANITE_H
#define CELLSCOPE_NANITE_H

#include <cellscope/dag.h>

CS_BEGIN_DECLS

/* ==== rows of a file ==== */

/*
 * The rows of a .cnanite file: a Nanite resource. The payload (page states, hierarchy, page bytes,
 * dependencies, atlas) has the layout of UE5 Early Access to the byte; what surrounds it is ours.
 * Nothing in the payload is checked by the container beyond its sums: cs_nanite_open() and
 * cs_nanite_verify() (cellscope/nanite.h) do that.
 */

enum {
	CS_KIND_CNANITE = 2,
	CS_NODE_CHILDREN = 8,
	CS_PAGE_GPU_BYTES = 1 << 17, /* of every page when it is loaded */
};

/* The resource: one row. */
struct cs_nanite_info {
	float min[3], max[3];       /* of all vertices, as decoded */
	uint32_t source;            /* text: what it was built from */
	uint32_t flags;             /* CS_NANITE_ */
	int32_t position_precision; /* the grid has a step of 2^-precision */
	uint32_t root_pages;        /* pages that are always there */
	uint32_t uvs;               /* channels */
	uint32_t materials;
	uint32_t levels;
	uint32_t groups, parts, clusters;
	uint32_t triangles, vertices; /* of all levels, references included */
	uint32_t input_triangles, input_vertices;
	uint32_t degenerate_triangles; /* of level 0, that were left out */
	uint32_t reserved;
};

#define CS_NANITE_LZ4         1u  /* pages are LZ4 blocks */
#define CS_NANITE_COLORS      2u  /* some vertex is not white */
#define CS_NANITE_THOROUGH    4u  /* LZ4 took its time for them */
#define CS_NANITE_PLANES      8u  /* bytes of references lie in planes, and count backwards */
#define CS_NANITE_GRID_HALVES 16u /* errors and edges count 128 steps of the grid, not units */

/* Where a page lies: a fixup chunk, then the page. Row i is page i, coarse pages first. */
struct cs_nanite_page_state {
	uint32_t bulk_offset; /* in the root bytes for a root page, else in the stream bytes */
	uint32_t bulk_size;   /* of chunk and stored page */
	uint32_t page_size;   /* of the page when it is decompressed */
	uint32_t first_dependency, n_dependencies; /* page_dependencies */
};

/* A node of the hierarchy as it lies in memory: by field, not by slot. */
struct cs_nanite_node {
	struct {
		float centre[3], radius;
	} lod[CS_NODE_CHILDREN];
	struct {
		float centre[3];
		uint16_t min_error, max_parent_error; /* half */
	} box[CS_NODE_CHILDREN];
	struct {
		float extent[3];
		uint32_t child; /* node, from the root of the mesh; of a leaf 0xffffffff */
	} extent[CS_NODE_CHILDREN];
	uint32_t pages[CS_NODE_CHILDREN]; /* leaf: clusters:9, pages:3, first page:20; inner: all
					     ones; unused: 0 */
};

/* A material and the triangles that have it. */
struct cs_nanite_section {
	uint32_t material;
	uint32_t name;                       /* text, may be empty */
	uint32_t input_triangles, triangles; /* of level 0, of all levels */
};

/* The coarse mesh, which stands in where Nanite cannot run. */
struct cs_nanite_coarse_vertex {
	float position[3], normal[3];
	uint8_t color[4];
	float uvs[4][2];
};

struct cs_nanite_coarse_triangle {
	uint32_t corners[3]; /* coarse_vertices */
	uint32_t material;
};

/* Table ids, in file order. */
enum cs_cnanite_table {
	CS_TABLE_NANITE = CS_TABLE_STRINGS + 1,
	CS_TABLE_NANITE_SECTIONS,
	CS_TABLE_NANITE_PAGES,
	CS_TABLE_NANITE_DEPENDENCIES, /* u32: pages */
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
	size_t size;                /* sizeof(struct cs_nanite_options); api.h */
	int32_t position_precision; /* step 2^-precision, or CS_PRECISION_AUTO */
	bool raw_pages;             /* pages are not compressed */
	bool no_atlas;
	const char *source;           /* what the mesh is, for the file; may be NULL */
	const char *const *materials; /* a name for each material of the DAG; may be NULL */
	/* stands in where Nanite cannot run; NULL = none */
	const struct cs_nanite_coarse_vertex *coarse_vertices;
	const struct cs_nanite_coarse_triangle *coarse_triangles;
	size_t n_coarse_vertices, n_coarse_triangles;
	/* Pages as small as LZ4 finds: 3 % smaller, in twice the time of encoding. Raw ones are
	 * not. */
	bool thorough;
};

/* In the header, so that a program gets the size that it was compiled with. */
static inline struct cs_nanite_options cs_nanite_options_default(void)
{
	struct cs_nanite_options options = {sizeof(options), CS_PRECISION_AUTO, false, false, NULL,
		NULL, NULL, NULL, 0, 0, false};
	return options;
}

/* What the encoder did. */
struct cs_nanite_report {
	uint64_t triangles, vertices;                /* of the DAG */
	uint64_t degenerate_triangles;               /* left out */
	uint64_t strip_starts, strip_references;     /* start triangles, 5-bit codes */
	uint64_t strip_bytes;                        /* codes and masks */
	uint64_t duplicated_vertices;                /* issued again, out of the window */
	uint64_t stored_vertices, vertex_references; /* of all clusters; of them references */
	uint32_t split_clusters;                     /* cut in halves */
	uint32_t clusters, groups, parts, pages, nodes;
	uint32_t material_ranges, slow_clusters; /* ranges; clusters with more than three */
	uint32_t most_fixups;                    /* of one kind in one page */
	uint64_t gpu_bytes, page_bytes, stored_bytes, fixup_bytes; /* pages: loaded, raw, stored */
	double atlas_seconds;
};

/* How a mesh becomes a resource: the settings of the source text, and our own. */
struct cs_nanite_settings {
	size_t size;                      /* sizeof(struct cs_nanite_settings); api.h */
	const struct cs_dag_options *dag; /* NULL: cs_dag_options_default() */
	int32_t position_precision;       /* as in cs_nanite_options */
	/*
	 * Part of the triangles that the coarse mesh has, 0..1; it has 2000 at least. At 1, and of
	 * a mesh of 2000 or less, there is none: the mesh itself stands in.
	 */
	double coarse_part;
	bool raw_pages;
	bool no_atlas;
	const char *source; /* as in cs_nanite_options */
	bool thorough;
	/* Of the mesh before anything else: its normals, then its size; 0 stands for 1. */
	enum cs_mesh_normals normals;
	double scale[3];
	/*
	 * Meshes of the resource beside the first: each gets levels and a root of its own, all
	 * share grid, pages and sections, of which one name is one. There is neither atlas nor
	 * coarse mesh.
	 */
	const struct cs_mesh *const *others;
	size_t n_others;
};

/* In the header, so that a program gets the size that it was compiled with. */
static inline struct cs_nanite_settings cs_nanite_settings_default(void)
{
	struct cs_nanite_settings settings = {sizeof(settings), NULL, CS_PRECISION_AUTO, 0, false,
		false, NULL, false, CS_NORMALS_KEPT, {0, 0, 0}, NULL, 0};
	return settings;
}

struct cs_nanite_build_report {
	struct cs_dag_report dag;
	uint32_t coarse_triangles; /* 0 = no coarse mesh */
	double seconds, coarse_seconds, encode_seconds;
	double verify_seconds;
};

/*
 * DAG, coarse mesh and encoding in one, and then the checks of cs_nanite_check that are not deep:
 * E_NANITE where one finds an error, which no mesh should bring about. The job's log gets the lines
 * of the source text's encoder, as information. The same mesh and settings give the same bytes on
 * any number of threads.
 */
CS_API struct cs_error *cs_nanite_build(const struct cs_mesh *mesh,
	const struct cs_nanite_settings *settings, const struct cs_job *job,
	struct cs_nanite_build_report *report_ret, struct cs_nanite **ret) CS_MUST_USE;

CS_API struct cs_error *cs_nanite_save(
	const struct cs_nanite *resource, const char *path, const struct cs_job *job) CS_MUST_USE;
CS_API struct cs_error *cs_nanite_open(const char *path, enum cs_file_mode mode,
	const struct cs_job *job, struct cs_nanite **ret) CS_MUST_USE;
CS_API void cs_nanite_free(struct cs_nanite *resource);

/* What a resource says of itself; it lives as long as that. */
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

/* Where the triangles of a section lie in the coarse mesh; all zeros for one that has none there.
 */
struct cs_nanite_section_range {
	uint32_t first_triangle; /* CS_NONE: they are no range, as resources were written before */
	uint32_t n_triangles;
	uint32_t min_vertex, max_vertex; /* of the coarse vertices */
};

/* A range for each section, freed by the caller. E_NANITE: a triangle has no section. */
CS_API struct cs_error *cs_nanite_section_ranges(
	const struct cs_nanite *resource, struct cs_nanite_section_range **ret) CS_MUST_USE;
/* A text of the resource by its offset. */
CS_API const char *cs_nanite_text(const struct cs_nanite *resource, uint32_t text);
/* The coarse mesh as a mesh; NULL when there is none. */
CS_API struct cs_error *cs_nanite_coarse_mesh(const struct cs_nanite *resource,
	const struct cs_job *job, struct cs_mesh **ret) CS_MUST_USE;

/* ---- rules ---- */

enum cs_rule_severity {
	CS_RULE_FATAL, /* it cannot be decoded safely */
	CS_RULE_ERROR, /* the picture would be wrong */
	CS_RULE_WASTE, /* it works, but costs more than it must, or looks wrong */
	CS_RULE_NOTE,  /* the format allows it, and it explains what is seen */
};

struct cs_nanite_rule {
	const char *id; /* "X5"; what cs_finding.rule holds */
	enum cs_rule_severity severity;
	const char *text;
};

/* ---- contents ---- */

struct cs_model_cluster {
	uint32_t page, index;  /* of the page */
	uint32_t part, group;  /* CS_NONE where none has it */
	uint32_t group_number; /* as the cluster names it */
	uint32_t maker;        /* the group that it was simplified from; CS_NONE on level 0 */
	uint32_t level;
	uint32_t first_vertex, n_vertices, n_coded; /* coded: not references */
	uint32_t first_triangle, n_triangles;
	uint32_t first_material, n_materials;
	uint32_t first_reference, n_references; /* rows: clusters that it refers to */
	uint32_t n_starts, n_codes;             /* of the strips */
	uint32_t flags;                         /* as the page has them */
	bool leaf;                              /* drawn however coarse it is, until its fixup */
	int32_t start[3];                       /* least grid position */
	double grid_step;                       /* of positions */
	uint8_t position_bits[3], index_bits, color_mode, n_uvs;
	uint8_t color_min[4], color_bits[4];
	uint32_t attribute_bits;
	uint32_t uv_bits; /* 4 bits each: U0, V0, U1 ... */
	float lod_error, edge_length;
	float lod_centre[3], lod_radius;
	float box_centre[3], box_extent[3];
	bool damaged;
};

/* Triangles of a cluster with one material. */
struct cs_model_material {
	uint32_t cluster;
	uint32_t first, count; /* triangles of the cluster */
	uint32_t material;
};

/* A group and what it was simplified into. */
struct cs_model_group {
	uint32_t number; /* as its clusters name it */
	uint32_t mesh;   /* of the resource: which of its roots; CS_NONE when it cannot be told */
	uint32_t level;
	uint32_t first_part, n_parts; /* group_parts */
	uint32_t first_page, n_pages; /* the pages that a request names */
	uint32_t n_clusters;
	uint32_t first_parent, n_parents; /* parents: clusters that it was simplified into */
	uint32_t triangles, parent_triangles;
	float centre[3], radius; /* sphere of the test of its parents */
	float min_error, max_parent_error;
};

/* Sums over a resource. */
struct cs_nanite_summary {
	/* of all pages: as they are on disk, of that fixup chunks; decompressed; loaded */
	uint64_t disk_bytes, fixup_bytes, page_bytes, gpu_bytes;
	uint64_t root_gpu_bytes; /* of the pages that are always there */
	uint64_t references;     /* vertices that refer to another one of their page */
	uint32_t nodes, depth, dependencies, most_dependencies;
	uint32_t leaf_clusters, coarse_triangles;
};

/*
 * The DAG of a resource, decoded strictly: positions, attributes and errors as the pages have them.
 * Freed with cs_dag_free.
 */
CS_API struct cs_error *cs_nanite_dag(const struct cs_nanite *resource, const struct cs_job *job,
	struct cs_dag **ret) CS_MUST_USE;

/* ---- cuts ---- */

/*
 * How fine is fine enough. A view looks from `eye`: an error is as large as it appears in pixels
 * from the nearest point of its sphere. A uniform view has the same error everywhere, in units of
 * space.
 */
struct cs_nanite_view {
	double eye[3];
	double near;      /* no distance is less, > 0 */
	double pixels;    /* of something as large as it is far: height / (2 tan(fov / 2)) */
	double threshold; /* pixels, or units of a uniform view */
	bool uniform;
	uint32_t mesh; /* of the resource: that one alone, counted from 1; 0 = all */
};

/* The `pixels` of a picture of that height, seen with a vertical field of view in degrees. */
static inline double cs_nanite_pixels(double fov, double height)
{
	return height / (2 * tan(fov * acos(-1.0) / 360));
}

/* ---- verifying ---- */

/*
 * Checks all rules, and what the container promises. `deep` adds random views and random
 * loading orders, which take longer. Reports as cs_file_verify does; findings name their rule.
 */
CS_API struct cs_error *cs_nanite_verify(const char *path, bool deep, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret) CS_MUST_USE;

/* How a finding is told to people. */
struct cs_nanite_told {
	bool shown;                        /* or one before it stands for it */
	const struct cs_nanite_rule *rule; /* what it means comes behind it: its first; else NULL */
	const char *effect, *advice;       /* what that does to a picture, what to do about it */
	size_t others;                     /* of its rule that it stands for */
};

/* Every error, and of each rule that merely warns the first for all; ret has n of them. */
CS_API void cs_nanite_tell(const struct cs_finding *findings, size_t n, struct cs_nanite_told *ret);

/* ==== pictures: grids of pixels ==== */

enum { CS_PICTURE_MOST = 8192 }; /* pixels a side */

struct cs_picture {
	uint32_t width, height;
	uint8_t *
		pixels; /* 3 each: red, green, blue; row by row from the top; freed by the caller */
};

/* A black one. E_LIMIT, E_NOMEM. */
CS_API struct cs_error *cs_picture_init(
	uint32_t width, uint32_t height, struct cs_picture *ret) CS_MUST_USE;
/* PNG, 8 bits a channel, stored without compression: the same bytes everywhere. Atomic. */
CS_API struct cs_error *cs_picture_save(
	const struct cs_picture *picture, const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
