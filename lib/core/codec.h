/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts state to bytes and back with the same code: a function describes each part once by
 * passing its fields to the codec in order, so reading and writing cannot differ.
 *
 *	static void code_place(struct cs_codec *c, struct place *p)
 *	{
 *		cs_code_u32(c, &p->id);
 *		cs_code_vec3(c, &p->location);
 *	}
 *
 * Reading bytes that are too few or not valid gives zeros and makes the cursor bad, as in
 * core/cursor.h. When memory runs out, `failed` is set. Callers check both once, at the end.
 */
#pragma once

#include "core/cursor.h"
#include "core/vec.h"
#include "core/writer.h"

struct cs_codec {
	struct cs_writer *out; /* destination when writing, otherwise NULL */
	struct cs_cursor *in;  /* source when reading, otherwise NULL */
	/* whether to code fields without effect, such as counters: in snapshots, not in hashes */
	bool log;
	bool failed; /* whether an allocation failed while reading */
};

void cs_code_u8(struct cs_codec *codec, uint8_t *value);
/* Codes a bool as one byte. */
void cs_code_bool(struct cs_codec *codec, bool *value);
void cs_code_u32(struct cs_codec *codec, uint32_t *value);
void cs_code_u64(struct cs_codec *codec, uint64_t *value);
void cs_code_f32(struct cs_codec *codec, float *value);
void cs_code_f64(struct cs_codec *codec, double *value);
void cs_code_vec3(struct cs_codec *codec, struct cs_vec3 *value);
/* Codes a text in an array of `size` bytes. Reading stores an empty text if it does not fit. */
void cs_code_text(struct cs_codec *codec, char *text, size_t size);
/* Codes `n` bytes unchanged. */
void cs_code_bytes(struct cs_codec *codec, void *bytes, size_t n);

/*
 * Codes the length of a CS_VEC. Reading reserves memory for its elements, each of which must have
 * at least one coded byte, because reading rejects a length above the number of bytes left.
 */
#define cs_code_length(codec, v) \
	cs_code_length_of(codec, (void **)&(v)->at, &(v)->n, &(v)->room, sizeof(*(v)->at))
void cs_code_length_of(struct cs_codec *codec, void **at, size_t *n, size_t *room, size_t size);
