/* SPDX-License-Identifier: Apache-2.0 */
/* Resources whose pages are stored in another form than the encoder writes. */
#pragma once

#include "core/cursor.h"
#include "format/unpack.h"
#include "tests/unit/nanite/nanite_copy.h"

#include <lz4.h>

enum form {
	FORM_OLD,  /* LZ4 blocks of pages as they are in memory, as older versions wrote them */
	FORM_BARE, /* the dense form itself, so that each of its bytes can be spoilt */
};

/* Writes a page as it is stored in this form; returns its size. */
static inline uint32_t form_page(
	const struct cs_nanite *from, uint32_t page, enum form form, unsigned char *to, size_t room)
{
	struct cs_page_view view;
	size_t n = 0;
	if (!cs_page_open(from, page, &view))
		abort();
	if (form == FORM_OLD)
		n = (size_t)LZ4_compress_default(
			(const char *)view.bytes, (char *)to, (int)view.size, (int)room);
	else if (!cs_unpack_some(view.chunk + view.chunk_size, view.blob_size - view.chunk_size, to,
			 view.size, &n))
		abort();
	cs_page_close(&view);
	return (uint32_t)n;
}

/* Returns a copy of a resource with dense LZ4 pages, whose tables a test may spoil. */
static inline struct cs_nanite *copy_in_form(const struct cs_nanite *from, enum form form)
{
	struct cs_nanite *r = copy_resource(from);
	struct cs_nanite_page_state *states = (struct cs_nanite_page_state *)(uintptr_t)r->pages;
	size_t room = COPY_ROOM, at[2] = {0, 0};
	for (size_t page = 0; page < from->n_pages; page++)
		room += from->pages[page].bulk_size + 2 * (size_t)from->pages[page].page_size + 64;
	unsigned char *bytes[2] = {calloc(1, room), calloc(1, room)};
	for (uint32_t page = 0; page < from->n_pages; page++) {
		const bool stream = page >= CS_ROOT_PAGES;
		const unsigned char *blob = copy_blob(from, page);
		const size_t chunk = CS_FIXUP_HEADER + CS_HIERARCHY_FIXUP * cs_load16(blob + 2) +
				     CS_CLUSTER_FIXUP * cs_load16(blob + 4);
		unsigned char *to = bytes[stream] + at[stream];
		memcpy(to, blob, chunk);
		states[page].bulk_offset = (uint32_t)at[stream];
		states[page].bulk_size = (uint32_t)chunk + form_page(from, page, form, to + chunk,
								   room - at[stream] - chunk);
		at[stream] += states[page].bulk_size;
	}
	free((void *)(uintptr_t)r->root_bytes);
	free((void *)(uintptr_t)r->stream_bytes);
	r->root_bytes = bytes[0];
	r->stream_bytes = bytes[1];
	r->n_root_bytes = at[0];
	r->n_stream_bytes = at[1];
	((struct cs_nanite_info *)(uintptr_t)r->info)->flags &=
		form == FORM_OLD ? ~CS_NANITE_DENSE : ~CS_NANITE_LZ4;
	return r;
}
