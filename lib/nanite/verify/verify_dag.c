/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the rules of the DAG that was reconstructed from the pages, except those of its seams. */
#include "nanite/format/contents.h"
#include "nanite/verify/verify_resource.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* relative tolerance of spheres, which are computed in single precision */
static const double sphere_slack = 1e-5;

static struct cs_breaches *of_cluster(
	const struct cs_resource_check *check, const struct cs_model_cluster *cluster)
{
	return &check->breaches[cluster->page];
}

static bool is_root(const struct cs_model_group *group)
{
	return isinf(group->max_parent_error);
}

/* ---- checks of groups ---- */

static void check_cluster_in_group(const struct cs_resource_check *check,
	const struct cs_model_group *group, const struct cs_model_cluster *cluster)
{
	const char *says = NULL;
	float least = cluster->maker == CS_NONE ? -1.0f : cluster->lod_error;
	double distance2 = 0, size = (double)group->radius;
	for (unsigned axis = 0; axis < 3; axis++) {
		double d = (double)cluster->lod_centre[axis] - (double)group->centre[axis];
		distance2 += d * d;
		size += fabs((double)group->centre[axis]);
	}
	if (cluster->lod_error > group->max_parent_error)
		says = "has a larger error than its parent clusters";
	else if (least < group->min_error)
		says = "has an error below the least error of its group";
	else if (!is_root(group) && sqrt(distance2) + (double)cluster->lod_radius >
					    (double)group->radius + sphere_slack * size)
		says = "has a sphere that is not inside the sphere of its parents";
	if (says)
		cs_breach(of_cluster(check, cluster), CS_RULE_D3, cs_in_cluster(cluster),
			"the cluster %s", says);
	if (cluster->level != group->level)
		cs_breach(of_cluster(check, cluster), CS_RULE_D4, cs_in_cluster(cluster),
			"the cluster is on level %u, but its group is on level %u", cluster->level,
			group->level);
}

static void verify_dag_check_group(const struct cs_resource_check *check, uint32_t index)
{
	const struct cs_nanite_contents *contents = check->contents;
	const struct cs_model_group *group = &contents->groups[index];
	if (!is_root(group) && group->n_parents == 0)
		cs_breach(check->rest, CS_RULE_D2, CS_NOWHERE,
			"no cluster has the sphere and error of group %u: the clusters "
			"simplified from it are missing",
			group->number);
	if (is_root(group) && group->n_parents > 0)
		cs_breach(check->rest, CS_RULE_D4, CS_NOWHERE,
			"group %u is a root, but clusters of a coarser level were made from it",
			group->number);
	for (uint32_t p = 0; p < group->n_parts; p++) {
		const struct cs_model_part *part = CS_GROUP_PART(contents, group, p);
		for (uint32_t i = 0; i < part->n_clusters; i++)
			check_cluster_in_group(
				check, group, &contents->clusters[part->first_cluster + i]);
	}
}

static void check_roots(const struct cs_resource_check *check)
{
	const struct cs_nanite_contents *contents = check->contents;
	size_t n = 0;
	for (size_t g = 0; g < contents->n_groups; g++) {
		n += is_root(&contents->groups[g]);
		if (is_root(&contents->groups[g]) && check->resource->n_roots == 1 &&
			contents->groups[g].level + 1 != contents->n_levels)
			cs_breach(check->rest, CS_RULE_D4, CS_NOWHERE,
				"root group %u is on level %u of %u, not on the coarsest level",
				contents->groups[g].number, contents->groups[g].level,
				contents->n_levels);
	}
	if (n != check->resource->n_roots)
		cs_breach(check->rest, CS_RULE_D4, CS_NOWHERE,
			"there are %zu root groups, but each of the %zu meshes must have one", n,
			check->resource->n_roots);
}

static void check_part_numbers(const struct cs_resource_check *check)
{
	const struct cs_nanite_contents *contents = check->contents;
	for (size_t i = 0; i < contents->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &contents->clusters[i];
		if (cluster->part == CS_NONE)
			cs_breach(of_cluster(check, cluster), CS_RULE_H3, cs_in_cluster(cluster),
				"the cluster is in no part (clusters of a group in one page)");
		else if (cluster->group_number != contents->groups[cluster->group].number)
			cs_breach(of_cluster(check, cluster), CS_RULE_C12, cs_in_cluster(cluster),
				"the cluster names group %u, but its part belongs to group %u",
				cluster->group_number, contents->groups[cluster->group].number);
	}
}

/* ---- checks of levels ---- */

static bool verify_dag_check_levels(const struct cs_resource_check *check)
{
	const struct cs_nanite_contents *contents = check->contents;
	const struct cs_nanite_info *info = check->resource->info;
	uint64_t *triangles = calloc((size_t)contents->n_levels + 1, sizeof(*triangles));
	if (!triangles)
		return false;
	for (size_t i = 0; i < contents->n_clusters; i++)
		if (contents->clusters[i].level < contents->n_levels)
			triangles[contents->clusters[i].level] += contents->clusters[i].n_triangles;
	for (uint32_t level = 1; level < contents->n_levels; level++)
		if (triangles[level] * 10 > triangles[level - 1] * 9)
			cs_breach(check->rest, CS_RULE_D7, CS_NOWHERE,
				"level %u has %" PRIu64
				" triangles, hardly fewer than level %u with %" PRIu64,
				level, triangles[level], level - 1, triangles[level - 1]);
	if (triangles[0] + info->degenerate_triangles != info->input_triangles)
		cs_breach(check->rest, CS_RULE_D8, CS_NOWHERE,
			"level 0 has %" PRIu64
			" triangles and %u were left out, but the source mesh has %u",
			triangles[0], info->degenerate_triangles, info->input_triangles);
	free(triangles);
	return true;
}

bool cs_check_dag(const struct cs_resource_check *check)
{
	for (uint32_t g = 0; g < check->contents->n_groups; g++)
		verify_dag_check_group(check, g);
	check_roots(check);
	check_part_numbers(check);
	return verify_dag_check_levels(check);
}
