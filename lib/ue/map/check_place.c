/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks everything in a place (an opened folder or container): its maps with all cells, and its
 * Nanite meshes, in whose pages every byte must have a meaning and every rule is checked.
 */
#include <cellscope/ue.h>

#include "core/job.h"
#include "core/text.h"
#include "ue/container/file_list.h"
#include "ue/container/hash.h"
#include "ue/map/check_cooked.h"
#include "ue/nanite/cooked_nanite.h"
#include "ue/object/cooked_package.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Receives the findings about one map or mesh, and puts its name before the location of each. */
struct one_place {
	struct cs_findings *findings;
	const char *name; /* name of the map or mesh, or "" when only one is checked */
	int most; /* largest number of bytes of `name` that are put before the place of a finding */
};

static void keep_of_place(void *context, const struct cs_finding *finding)
{
	struct one_place *one = context;
	struct cs_finding mine = *finding;
	if (*one->name)
		snprintf(mine.place, sizeof(mine.place), "%.*s%s%.*s", one->most, one->name,
			*finding->place ? ": " : "", 90 - one->most, finding->place);
	cs_findings_keep(one->findings, &mine);
}

static struct cs_error *check_map(const struct cs_ue_place *place, const char *map,
	struct one_place one, const struct cs_job *job, struct cs_ue_place_checked *sum)
{
	struct cs_ue_checked counts = {0};
	struct cs_error *error =
		cs_ue_place_check_map(place, map, NULL, job, keep_of_place, &one, &counts);
	/* the struct has no members but counts */
	for (size_t i = 0; i < sizeof(counts) / sizeof(size_t); i++)
		((size_t *)&sum->all)[i] += ((const size_t *)&counts)[i];
	sum->maps++;
	return cs_ue_keep_of_file(one.findings, error);
}

/* Checks all maps of the place that have a world partition. */
static struct cs_error *check_maps(const struct cs_ue_place *place, const struct cs_job *job,
	struct cs_findings *findings, struct cs_ue_place_checked *sum)
{
	struct cs_ue_place_map *maps;
	size_t n, partitioned = 0;
	struct cs_error *error = cs_ue_place_maps(place, job, &maps, &n);
	if (error)
		return error;
	for (size_t i = 0; i < n; i++)
		partitioned += maps[i].partitioned;
	for (size_t i = 0; i < n && !error; i++) {
		const char *name = partitioned > 1 ? cs_base_name(maps[i].package) : "";
		if (maps[i].partitioned || !maps[i].readable)
			error = check_map(place, maps[i].package,
				(struct one_place){findings, name, 40}, job, sum);
	}
	free(maps);
	return error;
}

static void keep_broken(void *context, const char *path, enum cs_code code, const char *why)
{
	struct cs_finding finding = {
		.severity = CS_ERROR, .code = code, .offset = CS_NO_OFFSET, .rule = "source"};
	snprintf(finding.place, sizeof(finding.place), "%s", path);
	snprintf(finding.message, sizeof(finding.message), "%s", why);
	cs_findings_keep(context, &finding);
}

static struct cs_error *check_meshes(const struct cs_ue_place *place, const struct cs_job *job,
	struct cs_findings *findings, struct cs_ue_place_checked *sum)
{
	struct cs_ue_meshes *meshes;
	struct cs_error *error = cs_ue_hear_meshes(place, job, keep_broken, findings, &meshes);
	if (error)
		return error;
	for (size_t i = 0; i < meshes->n && !error; i++) {
		struct cs_model *model = NULL;
		const struct cs_ue_mesh *mesh = &meshes->meshes[i];
		if (!mesh->nanite && !mesh->damaged)
			continue;
		sum->meshes++;
		struct one_place one = {
			findings, meshes->n > 1 ? cs_base_name(mesh->path) : "", 50};
		size_t told;
		error = cs_ue_keep_of_file(
			findings, cs_ue_place_open_mesh(place, mesh->file, job, &model));
		if (!error && model)
			error = cs_model_check(model, job, keep_of_place, &one, &told);
		cs_model_free(model);
	}
	cs_ue_meshes_free(meshes);
	return error;
}

/*
 * Checks that the id of a package in an IoStore container, by which other packages import it, is
 * the hash of its name. The name comes from the path or, if that has none, from the package itself.
 */
static struct cs_error *check_id(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, struct cs_findings *findings)
{
	const struct cs_ue_place_file *row = &place->files[file];
	const struct cs_ue_entry *entry = place->spots[file].entry;
	struct cs_ue_cooked_package *package;
	char why[200];
	if (!entry || entry->type != CS_UE_CHUNK_PACKAGE || !row->readable || !*row->package ||
		cs_ue_path_hash(row->package, strlen(row->package)) == row->id)
		return NULL;
	struct cs_error *error = cs_ue_cooked_header_open(place, file, job, &package);
	if (error && cs_error_is_final(error))
		return error;
	if (error) { /* check_meshes() has reported the error, or the engine is unknown */
		cs_error_free(error);
		return NULL;
	}
	if (cs_ue_path_hash(package->name, strlen(package->name)) != row->id) {
		snprintf(why, sizeof(why),
			"the container has the package under the id %016llX, "
			"which is not that of its name",
			(unsigned long long)row->id);
		keep_broken(findings, row->path, CS_E_REFERENCE, why);
	}
	cs_ue_cooked_package_close(package);
	return NULL;
}

/* Checks that bulk data have the id of the package beside them, by which the game finds them. */
static void check_bulk_id(
	const struct cs_ue_place *place, size_t file, struct cs_findings *findings)
{
	const struct cs_ue_place_file *row = &place->files[file];
	const struct cs_ue_entry *entry = place->spots[file].entry;
	char why[200];
	size_t package;
	if (!entry || entry->type < CS_UE_CHUNK_BULK || entry->type > CS_UE_CHUNK_MAPPED_BULK ||
		(!cs_ue_place_beside(place, file, ".uasset", &package) &&
			!cs_ue_place_beside(place, file, ".umap", &package)))
		return;
	const struct cs_ue_entry *beside = place->spots[package].entry;
	if (!beside || beside->type != CS_UE_CHUNK_PACKAGE || beside->id == entry->id)
		return;
	snprintf(why, sizeof(why),
		"the container has the bulk data under the id %016llX, but their package under "
		"%016llX",
		(unsigned long long)entry->id, (unsigned long long)beside->id);
	keep_broken(findings, row->path, CS_E_REFERENCE, why);
}

static struct cs_error *check_ids(
	const struct cs_ue_place *place, const struct cs_job *job, struct cs_findings *findings)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; i < place->n_files && !error; i++) {
		error = cs_job_check(job);
		if (!error)
			error = check_id(place, i, job, findings);
		if (!error)
			check_bulk_id(place, i, findings);
	}
	return error;
}

struct cs_error *cs_ue_place_check(const struct cs_ue_place *place, const char *map,
	const struct cs_job *job, struct cs_findings *findings, struct cs_ue_place_checked *ret)
{
	struct cs_ue_place_checked sum = {0};
	struct cs_error *error =
		map ? check_map(place, map, (struct one_place){findings, "", 40}, job, &sum)
		    : check_maps(place, job, findings, &sum);
	if (!error && !map)
		error = check_meshes(place, job, findings, &sum);
	if (!error && !map)
		error = check_ids(place, job, findings);
	if (!error && !map)
		error = cs_ue_place_check_chunks(place, job, findings, &sum.chunks);
	if (!error && sum.maps == 0 && sum.meshes == 0 && cs_ue_place_is_unreadable(place))
		error = cs_error_at(CS_E_FEATURE, cs_ue_place_path(place), CS_NO_OFFSET,
			"no file of the content can be read: --key KEY is for files that are "
			"encrypted, --oodle LIBRARY for those that are packed with Oodle");
	else if (!error && sum.maps == 0 && sum.meshes == 0 && sum.chunks.held == 0 &&
		 findings->n == 0)
		error = cs_error_at(CS_E_MISSING, cs_ue_place_path(place), CS_NO_OFFSET,
			"nothing can be checked: the content has no partitioned map and no Nanite "
			"mesh");
	if (!error)
		*ret = sum;
	return error;
}
