/* SPDX-License-Identifier: Apache-2.0 */
/* What only files that tests make contain: two bytes, GUIDs, vectors and bytes between values. */
#pragma once

#include "core/cursor.h"
#include "core/writer.h"

static inline void cs_writer_u16(struct cs_writer *writer, uint16_t value)
{
	unsigned char *at = cs_writer_extend(writer, 2);
	if (at)
		cs_store16(at, value);
}

static inline void cs_writer_guid(struct cs_writer *writer, struct cs_guid guid)
{
	cs_writer_u32(writer, guid.a);
	cs_writer_u32(writer, guid.b);
	cs_writer_u32(writer, guid.c);
	cs_writer_u32(writer, guid.d);
}

static inline void cs_writer_vec3(struct cs_writer *writer, struct cs_vec3 vector)
{
	cs_writer_f64(writer, vector.x);
	cs_writer_f64(writer, vector.y);
	cs_writer_f64(writer, vector.z);
}

/* Appends zero bytes up to a multiple of `alignment`. */
static inline void cs_writer_align(struct cs_writer *writer, size_t alignment)
{
	size_t over = writer->size % alignment;
	if (over)
		cs_writer_extend(writer, alignment - over);
}
