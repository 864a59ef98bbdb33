/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which vertices of a page are coded and which are references to an earlier coded vertex. A
 * vertex refers to a vertex that is equal in the mesh, or that decodes to the same values. Two
 * vertices of a cluster that decode to different values never refer to the same vertex: after
 * decoding the page they would be equal, and the page would not encode to the same bytes again.
 */
#include "nanite/encode/page.h"

#include "nanite/encode/attributes.h"

#include "core/cursor.h"

#include <stdlib.h>

enum {
	FIXED_WORDS = 5, /* words of a vertex key for position, normal and colour */
	KEY_WORDS = FIXED_WORDS + 2 * CS_MAX_UVS,
};

bool cs_references_init(struct cs_references *references, uint32_t most, unsigned n_uvs)
{
	unsigned words = FIXED_WORDS + 2 * n_uvs;
	uint32_t others = n_uvs ? most : 1;
	references->coded_of_given = malloc(most * sizeof(*references->coded_of_given));
	references->address = malloc(most * sizeof(*references->address));
	references->target = malloc(most * sizeof(*references->target));
	return cs_keys_init(&references->given, most, words) &&
	       cs_keys_init(&references->decoded, others, words) &&
	       cs_keys_init(&references->own, CS_CLUSTER_VERTICES, words) &&
	       references->coded_of_given && references->address && references->target;
}

void cs_references_deinit(struct cs_references *references)
{
	cs_keys_deinit(&references->given);
	cs_keys_deinit(&references->decoded);
	cs_keys_deinit(&references->own);
	free(references->coded_of_given);
	free(references->address);
	free(references->target);
}

static void make_given(const struct cs_encoder *encoder, const struct cs_coded_cluster *cluster,
	unsigned v, uint32_t *key)
{
	const struct cs_dag *dag = encoder->dag;
	uint32_t vertex = cluster->vertices[v];
	int32_t position[3];
	cs_encode_position(encoder, vertex, position);
	memcpy(key, position, sizeof(position));
	key[3] = cluster->normals[v];
	key[4] = 0;
	if (dag->colors)
		memcpy(&key[4], dag->colors + (size_t)vertex * 4, 4);
	for (unsigned a = 0; a < dag->n_uvs * 2; a++)
		key[FIXED_WORDS + a] =
			cs_bits_of_float(cs_uv_clean(dag->uvs[a / 2][(size_t)vertex * 2 + a % 2]));
}

static void make_decoded(const struct cs_encoder *encoder, const struct cs_coded_cluster *cluster,
	unsigned v, const uint32_t given[KEY_WORDS], uint32_t key[KEY_WORDS])
{
	memcpy(key, given, FIXED_WORDS * sizeof(*key));
	const unsigned n = encoder->dag->n_uvs * 2;
	for (unsigned a = 0; a < n; a++)
		key[FIXED_WORDS + a] = cs_bits_of_float(cs_uv_value(
			&cluster->uvs[a / 2].axes[a % 2], cluster->uv_codes[(size_t)v * n + a]));
}

static void list_own(const struct cs_encoder *encoder, const struct cs_coded_cluster *cluster,
	struct cs_references *references)
{
	uint32_t given[KEY_WORDS], decoded[KEY_WORDS];
	cs_keys_clear(&references->own);
	for (unsigned v = 0; v < cluster->n_vertices; v++) {
		make_given(encoder, cluster, v, given);
		make_decoded(encoder, cluster, v, given, decoded);
		cs_keys_add(&references->own, decoded);
	}
}

/*
 * Returns the coded vertex of the page that a vertex can refer to, or CS_NONE. `coded` is a coded
 * vertex that equals the vertex in the mesh, or CS_NONE. `decoded` are the values to which the
 * vertex decodes. Returns `coded` if possible. It is not possible if `coded` decodes to other
 * values, to which another vertex of the cluster decodes: both would then refer to one vertex (see
 * the head of this file). Otherwise returns a coded vertex that decodes to `decoded`.
 */
static uint32_t find_decoded(struct cs_references *references,
	const struct cs_coded_cluster *cluster, uint32_t coded, const uint32_t decoded[KEY_WORDS])
{
	if (coded != CS_NONE && !cluster->uvs_kept) {
		const uint32_t *value =
			references->decoded.keys + (size_t)coded * references->decoded.words;
		if (memcmp(value, decoded, references->decoded.words * sizeof(*value)) != 0 &&
			cs_keys_find(&references->own, value) != CS_NONE)
			coded = CS_NONE;
	}
	return coded != CS_NONE ? coded : cs_keys_find(&references->decoded, decoded);
}

static void references_resolve_cluster(const struct cs_encoder *encoder,
	const struct cs_coded_cluster *cluster, uint32_t number, struct cs_references *references,
	uint32_t *target, uint32_t *n_coded)
{
	uint32_t keys[CS_CLUSTER_VERTICES * KEY_WORDS], hashes[CS_CLUSTER_VERTICES];
	uint32_t decoded[KEY_WORDS], first = *n_coded;
	bool has_uvs = encoder->dag->n_uvs > 0;
	if (has_uvs && !cluster->uvs_kept)
		list_own(encoder, cluster, references);
	/* computing all keys before the searches keeps the hash table in the processor's cache */
	for (unsigned v = 0; v < cluster->n_vertices; v++) {
		uint32_t *key = keys + v * references->given.words;
		make_given(encoder, cluster, v, key);
		hashes[v] = cs_keys_hash(key, references->given.words);
	}
	for (unsigned v = 0; v < cluster->n_vertices; v++) {
		const uint32_t *key = keys + v * references->given.words,
			       before = references->given.n;
		const uint32_t given = cs_keys_add_hashed(&references->given, key, hashes[v]);
		if (given == before)
			references->coded_of_given[given] = CS_NONE;
		uint32_t coded = references->coded_of_given[given];
		if (has_uvs) {
			make_decoded(encoder, cluster, v, key, decoded);
			coded = find_decoded(references, cluster, coded, decoded);
		}
		target[v] = coded == CS_NONE ? CS_NONE : references->address[coded];
		if (coded != CS_NONE)
			continue;
		references->coded_of_given[given] = *n_coded;
		if (has_uvs)
			cs_keys_add(&references->decoded, decoded);
		references->address[*n_coded] = number << CS_REFERENCE_CLUSTER | (*n_coded - first);
		++*n_coded;
	}
	references->n_coded[number] = (uint16_t)(*n_coded - first);
}

void cs_references_resolve(
	const struct cs_encoder *encoder, uint32_t index, struct cs_references *references)
{
	const struct cs_coded_page *page = &encoder->pages[index];
	uint32_t *target = references->target, n_coded = 0;
	cs_keys_clear(&references->given);
	cs_keys_clear(&references->decoded);
	for (uint32_t p = 0; p < page->n_parts; p++) {
		const struct cs_part *part = &encoder->parts[page->first_part + p];
		for (uint32_t i = 0; i < part->n_children; i++) {
			const struct cs_coded_cluster *cluster = cs_part_cluster(encoder, part, i);
			references_resolve_cluster(encoder, cluster, part->page_offset + i,
				references, target, &n_coded);
			target += cluster->n_vertices;
		}
	}
}
