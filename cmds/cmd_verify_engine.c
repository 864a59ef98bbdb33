/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify of what the engine cooked: maps with all of their cells, and Nanite meshes. */
#include "cmds/cmd_verify.h"

#include <cellscope/ue_cooked.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the findings of one map of several go: each says which map it is of. */
struct one_map {
	struct findings *findings;
	const char *map; /* "" when there is one */
};

static void keep_of_map(void *context, const struct cs_finding *finding)
{
	struct one_map *one = context;
	struct cs_finding mine = *finding;
	if (*one->map)
		snprintf(mine.place, sizeof(mine.place), "%.40s: %.50s", one->map, finding->place);
	keep_finding(one->findings, &mine);
}

static void add_counts(struct cs_ue_checked *sum, const struct cs_ue_checked *one)
{
	sum->cells += one->cells;
	sum->packages += one->packages;
	sum->actors += one->actors;
	sum->names += one->names;
	sum->guids += one->guids;
	sum->keys += one->keys;
	sum->places += one->places;
	sum->bounds += one->bounds;
	sum->back += one->back;
	sum->table += one->table;
	sum->hlods += one->hlods;
}

static struct cs_error *verify_map(struct session *session, const struct cs_ue_place *place,
	const char *map, struct one_map one, struct cs_ue_checked *sum)
{
	struct cs_ue_checked counts = {0};
	struct cs_error *error =
		cs_ue_place_check_map(place, map, NULL, &session->job, keep_of_map, &one, &counts);
	add_counts(sum, &counts);
	return keep_error(one.findings, error);
}

static const char *last_part(const char *package)
{
	const char *slash = strrchr(package, '/');
	return slash ? slash + 1 : package;
}

/* Each partitioned map; *n_ret = how many there are. */
static struct cs_error *verify_maps(struct session *session, const struct cs_ue_place *place,
	struct findings *findings, struct cs_ue_checked *sum, size_t *n_ret)
{
	struct cs_ue_place_map *maps;
	size_t n;
	struct cs_error *error = cs_ue_place_maps(place, &session->job, &maps, &n);
	if (error)
		return error;
	*n_ret = 0;
	for (size_t i = 0; i < n; i++)
		*n_ret += maps[i].partitioned;
	for (size_t i = 0; i < n && !error; i++) {
		const char *name = *n_ret > 1 ? last_part(maps[i].package) : "";
		if (maps[i].partitioned)
			error = verify_map(session, place, maps[i].package,
				(struct one_map){findings, name}, sum);
	}
	free(maps);
	return error;
}

/* Reading a mesh of the engine is checking it: every byte of its pages is accounted for. */
static struct cs_error *verify_meshes(struct session *session, const struct cs_ue_place *place,
	struct findings *findings, size_t *n_ret)
{
	struct cs_ue_meshes *meshes;
	struct cs_error *error = cs_ue_place_meshes(place, &session->job, &meshes);
	if (error)
		return error;
	*n_ret = 0;
	for (size_t i = 0; i < meshes->n && !error; i++) {
		struct cs_model *model = NULL;
		if (!meshes->meshes[i].nanite)
			continue;
		++*n_ret;
		struct cs_error *bad =
			cs_ue_place_open_mesh(place, meshes->meshes[i].file, &session->job, &model);
		cs_model_free(model);
		error = keep_error(findings, bad);
	}
	cs_ue_meshes_free(meshes);
	return error;
}

struct cs_error *verify_place(struct session *session, const struct cs_ue_place *place,
	const char *map, struct findings *findings, char *words, size_t size)
{
	struct cs_ue_checked sum = {0};
	size_t maps = 1, meshes = 0;
	struct cs_error *error =
		map ? verify_map(session, place, map, (struct one_map){findings, ""}, &sum)
		    : verify_maps(session, place, findings, &sum, &maps);
	if (!error && !map)
		error = verify_meshes(session, place, findings, &meshes);
	if (error)
		return error;
	if (maps == 0 && meshes == 0)
		return cs_error_at(CS_E_MISSING, cs_ue_place_path(place), CS_NO_OFFSET,
			"no partitioned map and no Nanite mesh is there to check");
	if (sum.cells)
		snprintf(words, size,
			"checked: %zu cells, %zu packages, %zu actors; %zu names, %zu GUIDs, %zu "
			"keys, %zu places, %zu bounds hold",
			sum.cells, sum.packages, sum.actors, sum.names, sum.guids, sum.keys,
			sum.places, sum.bounds);
	else
		snprintf(
			words, size, "checked: %zu Nanite mesh%s", meshes, meshes == 1 ? "" : "es");
	return NULL;
}
