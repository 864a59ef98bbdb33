/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assigns clusters to pages. The clusters of all root groups are assigned first, because they are
 * always loaded. The other groups follow, coarsest level first, so that a page depends only on
 * earlier pages. Within a level, groups are sorted along a Morton curve, which is followed forwards
 * on one level and backwards on the next; the clusters of a group are always sorted forwards. A
 * page is filled cluster by cluster until its GPU form has 128 KiB. A group that does not fit
 * continues in the next page as another part.
 */
#include "nanite/encode/encode.h"

#include "core/sort.h"

#include <stdlib.h>

enum { MORTON_BITS = 21 };

struct grid_box {
	int32_t low[3], high[3];
};

static const struct grid_box empty_box = {
	{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}};

static void include(int32_t low[3], int32_t high[3], const struct cs_coded_cluster *cluster)
{
	for (unsigned axis = 0; axis < 3; axis++) {
		low[axis] = cluster->low[axis] < low[axis] ? cluster->low[axis] : low[axis];
		high[axis] = cluster->high[axis] > high[axis] ? cluster->high[axis] : high[axis];
	}
}

/* Inserts two zero bits after each of the lowest 21 bits. */
static uint64_t spread(uint64_t bits)
{
	bits = (bits | bits << 32) & UINT64_C(0x001f00000000ffff);
	bits = (bits | bits << 16) & UINT64_C(0x001f0000ff0000ff);
	bits = (bits | bits << 8) & UINT64_C(0x100f00f00f00f00f);
	bits = (bits | bits << 4) & UINT64_C(0x10c30c30c30c30c3);
	return (bits | bits << 2) & UINT64_C(0x1249249249249249);
}

/* Returns the Morton code of the centre of a box, relative to the bounding box of the mesh. */
static uint64_t morton(
	const struct cs_encoder *encoder, const int32_t low[3], const int32_t high[3])
{
	const uint64_t most = (1u << MORTON_BITS) - 1;
	uint64_t code = 0;
	for (unsigned axis = 0; axis < 3; axis++) {
		uint64_t size = 2 * (uint64_t)((int64_t)encoder->high[axis] - encoder->low[axis]);
		uint64_t at = (uint64_t)((int64_t)low[axis] + high[axis] -
					 2 * (int64_t)encoder->low[axis]);
		/* size is at most 2^33, so the product fits 64 bits */
		code |= spread(size ? at * most / size : 0) << axis;
	}
	return code;
}

/* ---- groups and their clusters ---- */

/* Lists each group's children in the order of the DAG, then the second halves of cut children. */
static void list_children(struct cs_encoder *encoder)
{
	const struct cs_dag *dag = encoder->dag;
	uint32_t n = 0;
	for (uint32_t g = 0; g < dag->n_groups; g++) {
		const struct cs_cluster_group *from = &dag->groups[g];
		struct cs_coded_group *to = &encoder->groups[g];
		to->first_child = n;
		memcpy(encoder->children + n, dag->children + from->first_child,
			from->n_children * sizeof(*encoder->children));
		n += to->n_children = from->n_children;
		/* leave room for the second halves of those children that were cut in two */
		for (uint32_t i = 0; i < from->n_children; i++)
			n += encoder->clusters[dag->children[from->first_child + i]]->second !=
			     NULL;
	}
	for (uint32_t i = dag->n_clusters; i < encoder->n_clusters; i++) {
		uint32_t group = cs_encode_source(encoder, encoder->clusters[i])->group;
		struct cs_coded_group *to = &encoder->groups[group];
		encoder->children[to->first_child + to->n_children++] = i;
	}
}

static struct cs_error *sort_children(struct cs_encoder *encoder, uint32_t group)
{
	struct cs_coded_group *coded_group = &encoder->groups[group];
	struct cs_sort_key keys[CS_GROUP_CLUSTERS];
	if (coded_group->n_children > CS_GROUP_CLUSTERS)
		return cs_error_new(CS_E_NANITE,
			"group %u of the DAG (counted from 0) has %u clusters after they were cut "
			"to fit pages, more than the limit of %d",
			group, coded_group->n_children, CS_GROUP_CLUSTERS);
	uint32_t *children = encoder->children + coded_group->first_child;
	for (uint32_t i = 0; i < coded_group->n_children; i++) {
		const struct cs_coded_cluster *cluster = encoder->clusters[children[i]];
		keys[i] = (struct cs_sort_key){
			.low = morton(encoder, cluster->low, cluster->high), .index = children[i]};
	}
	if (!cs_sort_keys(keys, coded_group->n_children))
		return cs_error_nomem();
	for (uint32_t i = 0; i < coded_group->n_children; i++)
		children[i] = keys[i].index;
	return NULL;
}

static uint64_t group_place(const struct cs_encoder *encoder, uint32_t group)
{
	const struct cs_coded_group *coded_group = &encoder->groups[group];
	struct grid_box box = empty_box;
	for (uint32_t i = 0; i < coded_group->n_children; i++)
		include(box.low, box.high,
			encoder->clusters[encoder->children[coded_group->first_child + i]]);
	uint64_t code = morton(encoder, box.low, box.high);
	return encoder->dag->groups[group].level & 1 ? ~code : code;
}

/*
 * Returns the groups in the order in which they fill pages, in memory that the caller frees, or
 * NULL when memory runs out.
 */
static struct cs_sort_key *assign_order_groups(const struct cs_encoder *encoder)
{
	const struct cs_dag *dag = encoder->dag;
	struct cs_sort_key *keys = malloc(dag->n_groups * sizeof(*keys));
	for (uint32_t g = 0; keys && g < dag->n_groups; g++)
		keys[g] = (struct cs_sort_key){.high = cs_is_root_group(&dag->groups[g])
							       ? 0
							       : UINT32_MAX - dag->groups[g].level,
			.low = group_place(encoder, g),
			.index = g};
	if (!keys || cs_sort_keys(keys, dag->n_groups))
		return keys;
	free(keys);
	return NULL;
}

/* ---- filling pages ---- */

static bool fits_page(const struct cs_coded_page *page, const struct cs_coded_cluster *cluster)
{
	return page->n_clusters < CS_PAGE_CLUSTERS &&
	       cs_page_sizes_total(&page->gpu) + cs_page_sizes_total(&cluster->gpu) <=
		       CS_PAGE_GPU_BYTES;
}

static void add_sizes(struct cs_page_sizes *to, const struct cs_page_sizes *more)
{
	to->cluster += more->cluster;
	to->materials += more->materials;
	to->decode_info += more->decode_info;
	to->index += more->index;
	to->position += more->position;
	to->attribute += more->attribute;
}

/*
 * Adds a cluster to the last page, or to a new page if it does not fit. The array of pages has
 * room, because there are at most as many pages as clusters.
 */
static void place_cluster(struct cs_encoder *encoder, uint32_t group, uint32_t child)
{
	struct cs_coded_group *coded_group = &encoder->groups[group];
	struct cs_coded_cluster *cluster = encoder->clusters[encoder->children[child]];
	struct cs_coded_page *page = &encoder->pages[encoder->n_pages - 1];
	if (!fits_page(page, cluster)) {
		page = &encoder->pages[encoder->n_pages++];
		*page = (struct cs_coded_page){.first_part = encoder->n_parts};
	}
	if (page->n_parts == 0 || encoder->parts[encoder->n_parts - 1].group != group) {
		encoder->parts[encoder->n_parts++] = (struct cs_part){.group = group,
			.page = encoder->n_pages - 1,
			.first_child = child,
			.page_offset = page->n_clusters};
		page->n_parts++;
		if (coded_group->n_pages++ == 0) {
			coded_group->first_page = encoder->n_pages - 1;
			coded_group->first_part = encoder->n_parts - 1;
		}
	}
	cluster->part = encoder->n_parts - 1;
	encoder->parts[cluster->part].n_children++;
	page->n_clusters++;
	add_sizes(&page->gpu, &cluster->gpu);
}

static struct cs_error *fill_pages(struct cs_encoder *encoder, const struct cs_sort_key *order)
{
	encoder->n_pages = 1;
	encoder->pages[0] = (struct cs_coded_page){0};
	for (uint32_t i = 0; i < encoder->dag->n_groups; i++) {
		uint32_t group = order[i].index;
		const struct cs_coded_group *coded_group = &encoder->groups[group];
		for (uint32_t k = 0; k < coded_group->n_children; k++)
			place_cluster(encoder, group, coded_group->first_child + k);
		if (i < encoder->dag->n_meshes && encoder->n_pages > CS_ROOT_PAGES)
			return cs_error_new(CS_E_LIMIT,
				"the coarsest clusters of %u meshes do not fit the "
				"root page, but those of the first %u meshes do: build "
				"several resources",
				encoder->dag->n_meshes, i);
		if (coded_group->n_pages > CS_GROUP_PAGES)
			return cs_error_new(CS_E_NANITE,
				"group %u of the DAG (counted from 0) needs %u pages, more than "
				"the limit of %d",
				group, coded_group->n_pages, CS_GROUP_PAGES);
	}
	if (encoder->n_pages > CS_MAX_PAGES)
		return cs_error_new(CS_E_LIMIT,
			"the resource needs %u pages, more than the limit of %d: split the mesh",
			encoder->n_pages, CS_MAX_PAGES);
	return NULL;
}

static void bound_parts(struct cs_encoder *encoder)
{
	for (uint32_t p = 0; p < encoder->n_parts; p++) {
		struct cs_part *part = &encoder->parts[p];
		struct grid_box box = empty_box;
		for (uint32_t i = 0; i < part->n_children; i++)
			include(box.low, box.high,
				encoder->clusters[encoder->children[part->first_child + i]]);
		memcpy(part->low, box.low, sizeof(box.low));
		memcpy(part->high, box.high, sizeof(box.high));
	}
}

struct cs_error *cs_encode_assign(struct cs_encoder *encoder)
{
	const struct cs_dag *dag = encoder->dag;
	encoder->groups = calloc(dag->n_groups, sizeof(*encoder->groups));
	encoder->children = malloc(encoder->n_clusters * sizeof(*encoder->children));
	encoder->parts = malloc(encoder->n_clusters * sizeof(*encoder->parts));
	encoder->pages = malloc(encoder->n_clusters * sizeof(*encoder->pages));
	if (!encoder->groups || !encoder->children || !encoder->parts || !encoder->pages)
		return cs_error_nomem();
	struct grid_box box = empty_box;
	for (uint32_t i = 0; i < encoder->n_clusters; i++)
		include(box.low, box.high, encoder->clusters[i]);
	memcpy(encoder->low, box.low, sizeof(box.low));
	memcpy(encoder->high, box.high, sizeof(box.high));
	list_children(encoder);
	for (uint32_t g = 0; g < dag->n_groups; g++) {
		struct cs_error *error = sort_children(encoder, g);
		if (error)
			return error;
	}
	struct cs_sort_key *order = assign_order_groups(encoder);
	if (!order)
		return cs_error_nomem();
	struct cs_error *error = fill_pages(encoder, order);
	free(order);
	if (!error)
		bound_parts(encoder);
	return error;
}
