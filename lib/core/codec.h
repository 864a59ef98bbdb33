/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State as bytes, written and read by the same code: each part is described once, by a function
 * that hands its fields to the codec one after the other. So what is read is what was written.
 *
 *	static void code_place(struct cs_codec *c, struct place *p)
 *	{
 *		cs_code_u32(c, &p->id);
 *		cs_code_vec3(c, &p->location);
 *	}
 *
 * Reading what was not written so gives zeros and makes the cursor bad, as cursors do; `failed` is
 * set without memory. Both are asked once, at the end.
 */
#pragma once

#include "core/cursor.h"
#include "core/vec.h"
#include "core/writer.h"

struct cs_codec {
	struct cs_writer *out; /* writing, or */
	struct cs_cursor *in;  /* reading */
	bool log;    /* with what is only told, never asked: for snapshots, not for hashes */
	bool failed; /* no memory while reading */
};

void cs_code_u8(struct cs_codec *codec, uint8_t *value);
/* A byte. */
void cs_code_bool(struct cs_codec *codec, bool *value);
void cs_code_u32(struct cs_codec *codec, uint32_t *value);
void cs_code_u64(struct cs_codec *codec, uint64_t *value);
void cs_code_f32(struct cs_codec *codec, float *value);
void cs_code_f64(struct cs_codec *codec, double *value);
void cs_code_vec3(struct cs_codec *codec, struct cs_vec3 *value);
/* A NUL-terminated text in an array of `size` bytes, the rest of which becomes zero. */
void cs_code_text(struct cs_codec *codec, char *text, size_t size);
/* An array of bytes as it is. */
void cs_code_bytes(struct cs_codec *codec, void *bytes, size_t n);

/* Length of a CS_VEC, whose elements take a byte at least; when reading, its room too. */
#define cs_code_length(codec, v) \
	cs_code_length_of(codec, (void **)&(v)->at, &(v)->n, &(v)->room, sizeof(*(v)->at))
void cs_code_length_of(struct cs_codec *codec, void **at, size_t *n, size_t *room, size_t size);
