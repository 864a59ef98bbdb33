/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds a resource from meshes: prepares them, assigns their materials to sections, builds the DAG
 * and the coarse mesh, encodes, and verifies the result. Also writes the lines of the build log, in
 * the engine's wording.
 *
 * Invariant: verification finds no error in a resource that is returned.
 */
#include "cluster/build.h"
#include "cluster/rounding.h"
#include "mesh/lightmap/lightmap.h"
#include "mesh/mesh_internal.h"
#include "nanite/encode/coarse.h"

#include "core/job.h"
#include "core/options.h"
#include "nanite/encode/encode.h"
#include "nanite/verify/verify_resource.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Least number of triangles requested for a coarse mesh. A mesh of at most as many gets none. */
enum { COARSE_TRIANGLES = 2000 };

struct making {
	const struct cs_mesh **meshes;
	/* for each mesh, its copy with changes by the settings, or NULL when they change nothing */
	struct cs_mesh **prepared;
	size_t n_meshes;
	/*
	 * sections[CS_MESH_MATERIALS * i + m] is the index of the section of material m of mesh i
	 */
	uint8_t *sections;
	const char *names[CS_MESH_MATERIALS]; /* names of the sections */
	uint32_t n_sections;
	struct cs_nanite_settings settings;
	const struct cs_job *job;
	struct cs_dag *dag;
	struct cs_coarse coarse;
	struct cs_nanite_build_report report;
};

/*
 * Makes a coarse mesh of `coarse_part` times the mesh's triangles, but at least 2000 (nanite rules
 * 2.3). Makes none for several meshes, or if it would have as many triangles as the mesh.
 */
static struct cs_error *make_coarse(struct making *making)
{
	const uint32_t input = making->report.dag.input_triangles;
	double wanted = floor(input * making->settings.coarse_part);
	struct cs_mesh *mesh;
	if (making->settings.coarse_part >= 1 || input <= COARSE_TRIANGLES || making->n_meshes > 1)
		return NULL;
	double start = cs_seconds();
	struct cs_error *error = cs_dag_coarse_mesh(making->dag,
		wanted > COARSE_TRIANGLES ? (uint64_t)wanted : COARSE_TRIANGLES,
		making->settings.dag, making->job, &mesh);
	if (error)
		return error;
	const struct cs_mesh_view view = cs_mesh_view(mesh);
	error = cs_coarse_of_mesh(&view, &making->coarse);
	cs_mesh_free(mesh);
	making->report.coarse_triangles = (uint32_t)making->coarse.n_triangles;
	making->report.coarse_seconds = cs_seconds() - start;
	return error;
}

/* ---- the build log ---- */

/* Logs how many flat triangles were left out, and whether the grid of positions could be finer. */
static void log_flat(const struct making *making)
{
	const struct cs_dag_report *report = &making->report.dag;
	bool finer = true;
	for (size_t i = 0; i < making->n_meshes; i++)
		finer = finer && cs_grid_can_be_finer(making->meshes[i], making->dag->precision);
	cs_job_log(making->job,
		report->flattened > report->input_triangles / 100 ? CS_LOG_WARNING : CS_LOG_INFO,
		"Flat: left out %u triangle%s without area on the position grid, at most %g units "
		"from the rest of the surface: %s",
		report->flattened, report->flattened == 1 ? "" : "s", report->flattened_error,
		finer ? "--precision makes the grid finer"
		      : "the size and the distance from the origin allow no finer grid");
}

static void log_dag(const struct making *making)
{
	const struct cs_dag_report *report = &making->report.dag;
	uint32_t best = (report->input_triangles + CS_CLUSTER_TRIANGLES - 1) / CS_CLUSTER_TRIANGLES;
	cs_job_log(making->job, CS_LOG_INFO, "Boundary [%.2fs], tris: %u, UVs %u%s",
		report->match_seconds, report->input_triangles, making->dag->n_uvs,
		making->dag->colors ? ", Color" : "");
	cs_job_log(making->job, CS_LOG_INFO, "Clustering [%.2fs]. Ratio: %f",
		report->cluster_seconds, (double)report->leaf_clusters / best);
	cs_job_log(making->job, CS_LOG_INFO, "Reduce [%.2fs]",
		fmax(0, report->seconds - report->match_seconds - report->cluster_seconds));
	if (report->flattened)
		log_flat(making);
	if (report->duplicates)
		cs_job_log(making->job, CS_LOG_INFO,
			"Doubles: left out %u triangle%s that lay on another triangle, over all levels",
			report->duplicates, report->duplicates == 1 ? "" : "s");
	if (making->report.coarse_triangles)
		cs_job_log(making->job, CS_LOG_INFO,
			"Coarse [%.2fs], original tris: %u, coarse tris: %u",
			making->report.coarse_seconds, report->input_triangles,
			making->report.coarse_triangles);
}

static void log_pages(const struct making *making, const struct cs_nanite_report *report)
{
	double pages = report->pages, disk = (double)(report->stored_bytes + report->fixup_bytes);
	cs_job_log(making->job, CS_LOG_INFO, "WritePages:");
	cs_job_log(making->job, CS_LOG_INFO, "  %u pages written.", report->pages);
	cs_job_log(making->job, CS_LOG_INFO,
		"  GPU size: %" PRIu64 " bytes. %.3f bytes per page. %.3f%% utilization.",
		report->gpu_bytes, (double)report->gpu_bytes / pages,
		(double)report->gpu_bytes / (pages * CS_PAGE_GPU_BYTES) * 100);
	cs_job_log(making->job, CS_LOG_INFO,
		"  Uncompressed page data: %" PRIu64 " bytes. Compressed page data: %" PRIu64
		" bytes. Fixup data: %" PRIu64 " bytes.",
		report->page_bytes, report->stored_bytes, report->fixup_bytes);
	cs_job_log(making->job, CS_LOG_INFO, "  Total disk size: %.0f bytes. %.3f bytes per page.",
		disk, disk / pages);
	cs_job_log(making->job, CS_LOG_INFO, "Encode [%.2fs]",
		making->report.encode_seconds - report->atlas_seconds);
	if (!making->settings.no_atlas && making->n_meshes == 1)
		cs_job_log(making->job, CS_LOG_INFO, "Imposter [%.2fs]", report->atlas_seconds);
}

/* ---- phases of the build ---- */

static struct cs_error *prepare_meshes(struct making *making)
{
	struct cs_mesh_preparation preparation = {.normals = making->settings.normals};
	struct cs_error *error = NULL;
	memcpy(preparation.scale, making->settings.scale, sizeof(preparation.scale));
	for (size_t i = 0; !error && i < making->n_meshes; i++) {
		error = cs_mesh_prepare(
			making->meshes[i], &preparation, making->job, &making->prepared[i]);
		if (making->prepared[i])
			making->meshes[i] = making->prepared[i];
	}
	return error;
}

/* Replaces the meshes by copies that have lightmap UVs. */
static struct cs_error *add_lightmap(struct making *making)
{
	struct cs_mesh **made = calloc(making->n_meshes, sizeof(struct cs_mesh *));
	if (!made)
		return cs_error_nomem();
	struct cs_error *error = cs_mesh_lightmap(making->meshes, making->n_meshes,
		&making->settings.lightmap, making->job, &making->report.lightmap, made);
	for (size_t i = 0; !error && i < making->n_meshes; i++) {
		cs_mesh_free(making->prepared[i]);
		making->meshes[i] = making->prepared[i] = made[i];
	}
	free(made);
	if (!error) {
		const struct cs_lightmap_report *report = &making->report.lightmap;
		cs_job_log(making->job, CS_LOG_INFO,
			"Lightmap UVs [%.2fs], channel: %u, charts: %u, %.1f%% of the square used, padding of "
			"%u at %u texels",
			report->seconds, report->channel, report->charts, report->used * 100,
			report->padding, report->resolution);
	}
	return error;
}

/*
 * Finds the section with the given name, or adds it. The k-th material without a name of a mesh
 * belongs to the k-th section without a name; *unnamed counts these materials.
 */
static struct cs_error *section_of(
	struct making *making, const char *name, uint32_t *unnamed, uint8_t *ret)
{
	uint32_t section = 0, before = *name ? 0 : (*unnamed)++;
	for (; section < making->n_sections; section++)
		if (strcmp(making->names[section], name) == 0 && before-- == 0)
			break;
	if (section == CS_MESH_MATERIALS)
		return cs_error_new(CS_E_LIMIT,
			"the meshes have more than %d materials of different names, the limit of "
			"a resource: build fewer meshes together",
			CS_MESH_MATERIALS);
	if (section == making->n_sections)
		making->names[making->n_sections++] = name;
	*ret = (uint8_t)section;
	return NULL;
}

/* Assigns materials to sections. The first sections are the first mesh's materials, in order. */
static struct cs_error *name_sections(struct making *making)
{
	struct cs_error *error = NULL;
	making->n_sections = cs_mesh_view(making->meshes[0]).n_materials;
	for (uint32_t k = 0; k < making->n_sections; k++) {
		making->names[k] = cs_mesh_material(making->meshes[0], k);
		making->sections[k] = (uint8_t)k;
	}
	for (size_t i = 1; i < making->n_meshes; i++) {
		const uint32_t n = cs_mesh_view(making->meshes[i]).n_materials;
		uint32_t unnamed = 0;
		for (uint32_t k = 0; !error && k < n; k++)
			error = section_of(making, cs_mesh_material(making->meshes[i], k), &unnamed,
				&making->sections[i * CS_MESH_MATERIALS + k]);
	}
	return error;
}

static struct cs_error *make_dag(struct making *making)
{
	const struct cs_joined joined = {
		.meshes = making->meshes,
		.n_meshes = making->n_meshes,
		.materials = making->sections,
		.n_materials = making->n_sections,
		.options = making->settings.dag,
		.precision = making->settings.position_precision,
		.job = making->job,
	};
	return cs_dag_build_joined(&joined, &making->report.dag, &making->dag);
}

static struct cs_error *encode(struct making *making, struct cs_nanite **ret)
{
	const struct cs_nanite_options options = {
		.size = sizeof(options),
		.position_precision = CS_PRECISION_AUTO,
		.raw_pages = making->settings.raw_pages,
		.no_atlas = making->settings.no_atlas,
		.source = making->settings.source,
		.materials = making->names,
		.coarse_vertices = making->coarse.vertices,
		.n_coarse_vertices = making->coarse.n_vertices,
		.coarse_triangles = making->coarse.triangles,
		.n_coarse_triangles = making->coarse.n_triangles,
		.thorough = making->settings.thorough,
	};
	double start = cs_seconds();
	struct cs_error *error = cs_nanite_encode(making->dag, &options, making->job, ret);
	making->report.encode_seconds = cs_seconds() - start;
	return error;
}

/* Number of findings that are errors, and the first of them. */
struct faults {
	size_t n;
	struct cs_finding first;
};

static void note_fault(void *context, const struct cs_finding *finding)
{
	struct faults *faults = context;
	if (finding->severity == CS_ERROR && faults->n++ == 0)
		faults->first = *finding;
}

static struct cs_error *verify(struct making *making, const struct cs_nanite *resource)
{
	struct faults faults = {.n = 0};
	size_t n;
	double start = cs_seconds();
	struct cs_error *error =
		cs_nanite_check(resource, false, making->job, note_fault, &faults, &n);
	making->report.verify_seconds = cs_seconds() - start;
	if (error || faults.n == 0)
		return error;
	return cs_error_new(CS_E_NANITE,
		"the built resource breaks %zu rule%s and is not written, which is a fault of "
		"cellscope (please report it); the first is rule %s: %s",
		faults.n, faults.n == 1 ? "" : "s", faults.first.rule, faults.first.message);
}

static struct cs_error *make(struct making *making, struct cs_nanite **ret)
{
	struct cs_nanite *made = NULL;
	double start = cs_seconds();
	struct cs_error *error = prepare_meshes(making);
	if (!error && making->settings.lightmap.wanted)
		error = add_lightmap(making);
	if (!error)
		error = name_sections(making);
	if (!error)
		error = make_dag(making);
	if (!error)
		error = make_coarse(making);
	if (!error)
		log_dag(making);
	if (!error)
		error = encode(making, &made);
	if (!error)
		error = verify(making, made);
	if (error) {
		cs_nanite_free(made);
		return error;
	}
	making->report.seconds = cs_seconds() - start;
	*ret = made;
	log_pages(making, cs_nanite_report(made));
	cs_job_log(making->job, CS_LOG_INFO, "Verify [%.2fs]", making->report.verify_seconds);
	cs_job_log(making->job, CS_LOG_INFO, "Nanite build [%.2fs]", making->report.seconds);
	return NULL;
}

static struct cs_error *take_meshes(struct making *making, const struct cs_mesh *first)
{
	const size_t n = making->settings.n_others + 1;
	making->meshes = calloc(n, sizeof(*making->meshes));
	making->prepared = calloc(n, sizeof(*making->prepared));
	making->sections = calloc(n, CS_MESH_MATERIALS);
	if (!making->meshes || !making->prepared || !making->sections)
		return cs_error_nomem();
	making->n_meshes = n;
	making->meshes[0] = first;
	for (size_t i = 1; i < n; i++)
		making->meshes[i] = making->settings.others[i - 1];
	return NULL;
}

struct cs_error *cs_nanite_build(const struct cs_mesh *mesh,
	const struct cs_nanite_settings *settings, const struct cs_job *job,
	struct cs_nanite_build_report *report_ret, struct cs_nanite **ret)
{
	const struct cs_nanite_settings defaults = cs_nanite_settings_default();
	struct making making = {.job = job};
	struct cs_error *error = cs_options_read(settings ? settings : &defaults,
		offsetof(struct cs_nanite_settings, normals), &making.settings,
		sizeof(making.settings));
	if (!error && !(making.settings.coarse_part >= 0 && making.settings.coarse_part <= 1))
		error = cs_error_new(CS_E_SETTING,
			"the share of triangles in the fallback mesh must be 0 to 1, not %g",
			making.settings.coarse_part);
	if (!error)
		error = take_meshes(&making, mesh);
	if (!error)
		error = make(&making, ret);
	for (size_t i = 0; i < making.n_meshes; i++)
		cs_mesh_free(making.prepared[i]);
	free(making.meshes);
	free(making.prepared);
	free(making.sections);
	cs_dag_free(making.dag);
	cs_coarse_deinit(&making.coarse);
	if (!error && report_ret)
		*report_ret = making.report;
	return error;
}
