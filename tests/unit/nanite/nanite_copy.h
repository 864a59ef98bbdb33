/* SPDX-License-Identifier: Apache-2.0 */
/* A resource whose tables a test may spoil: every table is a copy with some room behind it. */
#pragma once

#include "nanite/decode/decode.h"

#include <stdlib.h>
#include <string.h>

enum { COPY_ROOM = 64 };

/* The smallest coarse mesh, for the options of the encoder. */
static const struct cs_nanite_coarse_vertex copy_coarse_vertices[] = {
	{{0, 0, 0}, {0, 0, 1}, {255, 255, 255, 255}, {{0, 0}}},
	{{100, 0, 0}, {0, 0, 1}, {255, 0, 0, 255}, {{1, 0}}},
	{{0, 100, 0}, {0, 0, 1}, {0, 0, 255, 255}, {{0, 1}}},
};
static const struct cs_nanite_coarse_triangle copy_coarse_triangles[] = {{{0, 1, 2}, 0}};

#define COPY_COARSE_MESH                                                 \
	.coarse_vertices = copy_coarse_vertices, .n_coarse_vertices = 3, \
	.coarse_triangles = copy_coarse_triangles, .n_coarse_triangles = 1

static inline const void *copy_table(const void *from, size_t n, size_t size)
{
	unsigned char *to = calloc(n + COPY_ROOM, size);
	if (n)
		memcpy(to, from, n * size);
	return to;
}

#define COPY_TABLE(r, member) \
	((r)->member = copy_table((r)->member, (r)->n_##member, sizeof(*(r)->member)))

static inline struct cs_nanite *copy_resource(const struct cs_nanite *from)
{
	struct cs_nanite *r = malloc(sizeof(*r));
	*r = *from;
	r->file = NULL;
	r->material_names = NULL;
	COPY_TABLE(r, info);
	COPY_TABLE(r, sections);
	COPY_TABLE(r, pages);
	COPY_TABLE(r, dependencies);
	COPY_TABLE(r, roots);
	COPY_TABLE(r, nodes);
	COPY_TABLE(r, root_bytes);
	COPY_TABLE(r, stream_bytes);
	COPY_TABLE(r, atlas);
	COPY_TABLE(r, coarse_vertices);
	COPY_TABLE(r, coarse_triangles);
	COPY_TABLE(r, texts);
	return r;
}

/* Returns the blob of a page: its fixup chunk, which the page follows. */
static inline unsigned char *copy_blob(const struct cs_nanite *r, uint32_t page)
{
	const unsigned char *bytes = page < CS_ROOT_PAGES ? r->root_bytes : r->stream_bytes;
	return (unsigned char *)bytes + r->pages[page].bulk_offset;
}
