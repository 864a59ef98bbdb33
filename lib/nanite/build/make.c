/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns making a resource of a mesh: the DAG, the coarse mesh, the encoder, and the checks of the
 * result; and the log of it, line by line as the source text has it.
 *
 * Invariant: the checks find no error in a resource that is returned.
 */
#include "cluster/build.h"
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

/* no coarse mesh has fewer, and a mesh with fewer has no coarse mesh */
enum { COARSE_TRIANGLES = 2000 };

struct making {
	const struct cs_mesh **meshes;
	/* for each mesh, its changed form, or NULL when the settings don't change it */
	struct cs_mesh **prepared;
	size_t n_meshes;
	/* CS_MESH_MATERIALS for each mesh: the section of each of its materials. */
	uint8_t *sections;
	const char *names[CS_MESH_MATERIALS]; /* of sections */
	uint32_t n_sections;
	struct cs_nanite_settings settings;
	const struct cs_job *job;
	struct cs_dag *dag;
	struct cs_coarse coarse;
	struct cs_nanite_build_report report;
};

/* ---- the coarse mesh ---- */

/*
 * Makes a coarse mesh of max(2000, part of the mesh) triangles, unless that is the mesh itself
 * (nanite rules 2.3).
 */
static struct cs_error *make_coarse(struct making *m)
{
	const uint32_t input = m->report.dag.input_triangles;
	double wanted = floor(input * m->settings.coarse_part);
	struct cs_mesh *mesh;
	if (m->settings.coarse_part >= 1 || input <= COARSE_TRIANGLES || m->n_meshes > 1)
		return NULL;
	double start = cs_seconds();
	struct cs_error *error = cs_dag_coarse_mesh(m->dag,
		wanted > COARSE_TRIANGLES ? (uint64_t)wanted : COARSE_TRIANGLES, m->settings.dag,
		m->job, &mesh);
	if (error)
		return error;
	const struct cs_mesh_view view = cs_mesh_view(mesh);
	error = cs_coarse_of_mesh(&view, &m->coarse);
	cs_mesh_free(mesh);
	m->report.coarse_triangles = (uint32_t)m->coarse.n_triangles;
	m->report.coarse_seconds = cs_seconds() - start;
	return error;
}

/* ---- the log ---- */

static void log_dag(const struct making *m)
{
	const struct cs_dag_report *r = &m->report.dag;
	uint32_t best = (r->input_triangles + CS_CLUSTER_TRIANGLES - 1) / CS_CLUSTER_TRIANGLES;
	cs_job_log(m->job, CS_LOG_INFO, "Boundary [%.2fs], tris: %u, UVs %u%s", r->match_seconds,
		r->input_triangles, m->dag->n_uvs, m->dag->colors ? ", Color" : "");
	cs_job_log(m->job, CS_LOG_INFO, "Clustering [%.2fs]. Ratio: %f", r->cluster_seconds,
		(double)r->leaf_clusters / best);
	cs_job_log(m->job, CS_LOG_INFO, "Reduce [%.2fs]",
		fmax(0, r->seconds - r->match_seconds - r->cluster_seconds));
	if (r->flattened)
		cs_job_log(m->job, CS_LOG_INFO,
			"Flat: %u triangles left out, which have no area on the grid; at most %g "
			"units "
			"from what is left",
			r->flattened, r->flattened_error);
	if (r->duplicates)
		cs_job_log(m->job, CS_LOG_INFO,
			"Doubles: %u triangles of all levels dropped, which lay on another",
			r->duplicates);
	if (m->report.coarse_triangles)
		cs_job_log(m->job, CS_LOG_INFO,
			"Coarse [%.2fs], original tris: %u, coarse tris: %u",
			m->report.coarse_seconds, r->input_triangles, m->report.coarse_triangles);
}

static void log_pages(const struct making *m, const struct cs_nanite_report *r)
{
	double pages = r->pages, disk = (double)(r->stored_bytes + r->fixup_bytes);
	cs_job_log(m->job, CS_LOG_INFO, "WritePages:");
	cs_job_log(m->job, CS_LOG_INFO, "  %u pages written.", r->pages);
	cs_job_log(m->job, CS_LOG_INFO,
		"  GPU size: %" PRIu64 " bytes. %.3f bytes per page. %.3f%% utilization.",
		r->gpu_bytes, (double)r->gpu_bytes / pages,
		(double)r->gpu_bytes / (pages * CS_PAGE_GPU_BYTES) * 100);
	cs_job_log(m->job, CS_LOG_INFO,
		"  Uncompressed page data: %" PRIu64 " bytes. Compressed page data: %" PRIu64
		" bytes. Fixup data: %" PRIu64 " bytes.",
		r->page_bytes, r->stored_bytes, r->fixup_bytes);
	cs_job_log(m->job, CS_LOG_INFO, "  Total disk size: %.0f bytes. %.3f bytes per page.", disk,
		disk / pages);
	cs_job_log(
		m->job, CS_LOG_INFO, "Encode [%.2fs]", m->report.encode_seconds - r->atlas_seconds);
	if (!m->settings.no_atlas && m->n_meshes == 1)
		cs_job_log(m->job, CS_LOG_INFO, "Imposter [%.2fs]", r->atlas_seconds);
}

/* ---- the phases ---- */

static struct cs_error *prepare_meshes(struct making *m)
{
	struct cs_mesh_preparation preparation = {.normals = m->settings.normals};
	struct cs_error *error = NULL;
	memcpy(preparation.scale, m->settings.scale, sizeof(preparation.scale));
	for (size_t i = 0; !error && i < m->n_meshes; i++) {
		error = cs_mesh_prepare(m->meshes[i], &preparation, m->job, &m->prepared[i]);
		if (m->prepared[i])
			m->meshes[i] = m->prepared[i];
	}
	return error;
}

/*
 * Finds the section of that name, or adds one. Sections without a name are identified by how many
 * of their mesh come before, which `unnamed` counts.
 */
static struct cs_error *section_of(
	struct making *m, const char *name, uint32_t *unnamed, uint8_t *ret)
{
	uint32_t section = 0, before = *name ? 0 : (*unnamed)++;
	for (; section < m->n_sections; section++)
		if (strcmp(m->names[section], name) == 0 && before-- == 0)
			break;
	if (section == CS_MESH_MATERIALS)
		return cs_error_new(CS_E_LIMIT,
			"the meshes have more than %d materials of "
			"different names",
			CS_MESH_MATERIALS);
	if (section == m->n_sections)
		m->names[m->n_sections++] = name;
	*ret = (uint8_t)section;
	return NULL;
}

/* The first mesh has its materials in their own order. */
static struct cs_error *name_sections(struct making *m)
{
	struct cs_error *error = NULL;
	m->n_sections = cs_mesh_view(m->meshes[0]).n_materials;
	for (uint32_t k = 0; k < m->n_sections; k++) {
		m->names[k] = cs_mesh_material(m->meshes[0], k);
		m->sections[k] = (uint8_t)k;
	}
	for (size_t i = 1; i < m->n_meshes; i++) {
		const uint32_t n = cs_mesh_view(m->meshes[i]).n_materials;
		uint32_t unnamed = 0;
		for (uint32_t k = 0; !error && k < n; k++)
			error = section_of(m, cs_mesh_material(m->meshes[i], k), &unnamed,
				&m->sections[i * CS_MESH_MATERIALS + k]);
	}
	return error;
}

static struct cs_error *make_dag(struct making *m)
{
	const struct cs_joined joined = {
		.meshes = m->meshes,
		.n_meshes = m->n_meshes,
		.materials = m->sections,
		.n_materials = m->n_sections,
		.options = m->settings.dag,
		.precision = m->settings.position_precision,
		.job = m->job,
	};
	return cs_dag_build_joined(&joined, &m->report.dag, &m->dag);
}

static struct cs_error *encode(struct making *m, struct cs_nanite **ret)
{
	const struct cs_nanite_options options = {
		.size = sizeof(options),
		.position_precision = CS_PRECISION_AUTO,
		.raw_pages = m->settings.raw_pages,
		.no_atlas = m->settings.no_atlas,
		.source = m->settings.source,
		.materials = m->names,
		.coarse_vertices = m->coarse.vertices,
		.n_coarse_vertices = m->coarse.n_vertices,
		.coarse_triangles = m->coarse.triangles,
		.n_coarse_triangles = m->coarse.n_triangles,
		.thorough = m->settings.thorough,
	};
	double start = cs_seconds();
	struct cs_error *error = cs_nanite_encode(m->dag, &options, m->job, ret);
	m->report.encode_seconds = cs_seconds() - start;
	return error;
}

/* The first finding that is an error, and the number of errors. */
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

static struct cs_error *verify(struct making *m, const struct cs_nanite *resource)
{
	struct faults faults = {.n = 0};
	size_t n;
	double start = cs_seconds();
	struct cs_error *error = cs_nanite_check(resource, false, m->job, note_fault, &faults, &n);
	m->report.verify_seconds = cs_seconds() - start;
	if (error || faults.n == 0)
		return error;
	return cs_error_new(CS_E_NANITE,
		"the resource would not be sound, so there is none: it has %zu faults, the first "
		"is %s: %s",
		faults.n, faults.first.rule, faults.first.message);
}

static struct cs_error *make(struct making *m, struct cs_nanite **ret)
{
	struct cs_nanite *made = NULL;
	double start = cs_seconds();
	struct cs_error *error = prepare_meshes(m);
	if (!error)
		error = name_sections(m);
	if (!error)
		error = make_dag(m);
	if (!error)
		error = make_coarse(m);
	if (!error)
		log_dag(m);
	if (!error)
		error = encode(m, &made);
	if (!error)
		error = verify(m, made);
	if (error) {
		cs_nanite_free(made);
		return error;
	}
	m->report.seconds = cs_seconds() - start;
	*ret = made;
	log_pages(m, cs_nanite_report(made));
	cs_job_log(m->job, CS_LOG_INFO, "Verify [%.2fs]", m->report.verify_seconds);
	cs_job_log(m->job, CS_LOG_INFO, "Nanite build [%.2fs]", m->report.seconds);
	return NULL;
}

static struct cs_error *take_meshes(struct making *m, const struct cs_mesh *first)
{
	const size_t n = m->settings.n_others + 1;
	m->meshes = calloc(n, sizeof(*m->meshes));
	m->prepared = calloc(n, sizeof(*m->prepared));
	m->sections = calloc(n, CS_MESH_MATERIALS);
	if (!m->meshes || !m->prepared || !m->sections)
		return cs_error_nomem();
	m->n_meshes = n;
	m->meshes[0] = first;
	for (size_t i = 1; i < n; i++)
		m->meshes[i] = m->settings.others[i - 1];
	return NULL;
}

static void free_meshes(struct making *m)
{
	for (size_t i = 0; i < m->n_meshes; i++)
		cs_mesh_free(m->prepared[i]);
	free(m->meshes);
	free(m->prepared);
	free(m->sections);
}

struct cs_error *cs_nanite_build(const struct cs_mesh *mesh,
	const struct cs_nanite_settings *settings, const struct cs_job *job,
	struct cs_nanite_build_report *report_ret, struct cs_nanite **ret)
{
	const struct cs_nanite_settings defaults = cs_nanite_settings_default();
	struct making m = {.job = job};
	struct cs_error *error = cs_options_read(settings ? settings : &defaults,
		offsetof(struct cs_nanite_settings, normals), &m.settings, sizeof(m.settings));
	if (!error && !(m.settings.coarse_part >= 0 && m.settings.coarse_part <= 1))
		error = cs_error_new(CS_E_SETTING, "the coarse mesh is from 0 to 1 of the mesh");
	if (!error)
		error = take_meshes(&m, mesh);
	if (!error)
		error = make(&m, ret);
	free_meshes(&m);
	cs_dag_free(m.dag);
	cs_coarse_deinit(&m.coarse);
	if (!error && report_ret)
		*report_ret = m.report;
	return error;
}
