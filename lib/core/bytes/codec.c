/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the codec functions. Each writes or reads one field, depending on the codec's mode. */
#include "core/codec.h"

void cs_code_u8(struct cs_codec *codec, uint8_t *value)
{
	if (codec->out)
		cs_writer_u8(codec->out, *value);
	else
		*value = cs_cursor_u8(codec->in);
}

void cs_code_bool(struct cs_codec *codec, bool *value)
{
	if (codec->out)
		cs_writer_u8(codec->out, *value);
	else
		*value = cs_cursor_u8(codec->in) != 0;
}

void cs_code_u32(struct cs_codec *codec, uint32_t *value)
{
	if (codec->out)
		cs_writer_u32(codec->out, *value);
	else
		*value = cs_cursor_u32(codec->in);
}

void cs_code_u64(struct cs_codec *codec, uint64_t *value)
{
	if (codec->out)
		cs_writer_u64(codec->out, *value);
	else
		*value = cs_cursor_u64(codec->in);
}

void cs_code_f32(struct cs_codec *codec, float *value)
{
	if (codec->out)
		cs_writer_f32(codec->out, *value);
	else
		*value = cs_cursor_f32(codec->in);
}

void cs_code_f64(struct cs_codec *codec, double *value)
{
	if (codec->out)
		cs_writer_f64(codec->out, *value);
	else
		*value = cs_cursor_f64(codec->in);
}

void cs_code_vec3(struct cs_codec *codec, struct cs_vec3 *value)
{
	cs_code_f64(codec, &value->x);
	cs_code_f64(codec, &value->y);
	cs_code_f64(codec, &value->z);
}

void cs_code_text(struct cs_codec *codec, char *text, size_t size)
{
	uint32_t length = codec->out ? (uint32_t)strlen(text) : 0;
	cs_code_u32(codec, &length);
	if (codec->out) {
		cs_writer_bytes(codec->out, text, length);
		return;
	}
	const unsigned char *bytes = cs_cursor_take(codec->in, length);
	memset(text, 0, size);
	if (bytes && length < size)
		memcpy(text, bytes, length);
}

void cs_code_bytes(struct cs_codec *codec, void *bytes, size_t n)
{
	if (codec->out) {
		cs_writer_bytes(codec->out, bytes, n);
		return;
	}
	const unsigned char *from = cs_cursor_take(codec->in, n);
	if (from)
		memcpy(bytes, from, n);
}

void cs_code_length_of(struct cs_codec *codec, void **at, size_t *n, size_t *room, size_t size)
{
	uint32_t length = (uint32_t)*n;
	cs_code_u32(codec, &length);
	if (codec->out)
		return;
	*n = 0;
	if (length > cs_cursor_left(codec->in))
		cs_cursor_fail(codec->in, CS_E_TRUNCATED,
			"a list is longer than the rest of the saved state");
	else if (cs_vec_reserve_bytes(at, 0, room, length, size))
		*n = length;
	else { /* the elements are not read, so all further reads would begin at a wrong place */
		codec->failed = true;
		cs_cursor_fail(
			codec->in, CS_E_NOMEM, "out of memory for a list of the saved state");
	}
}
