/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacks gzip. The buffer grows with zlib's output, not by a declared size, up to a limit. */
#include "format/gzip.h"

#include "core/vec.h"

#include <limits.h>
#include <zlib.h>

enum {
	PIECE = 1 << 16,
	/* 15 window bits, plus 16 for the header and trailer of gzip instead of those of zlib */
	WINDOW = 15 + 16
};

bool cs_gzip_is(const void *bytes, size_t size)
{
	return size >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0;
}

struct unpacking {
	const char *file;
	z_stream z;
	size_t size; /* size of the packed bytes */
	CS_VEC(unsigned char) out;
};

/* Passes at most UINT_MAX further bytes of input, because zlib counts in unsigned int. */
static void feed(struct unpacking *unpacking, const unsigned char *bytes)
{
	size_t at = unpacking->z.next_in ? (size_t)(unpacking->z.next_in - bytes) : 0,
	       left = unpacking->size - at;
	unpacking->z.next_in = (unsigned char *)bytes + at;
	unpacking->z.avail_in = left < UINT_MAX ? (unsigned)left : UINT_MAX;
}

static struct cs_error *gzip_refuse(const struct unpacking *unpacking, int status)
{
	if (status == Z_MEM_ERROR)
		return cs_error_nomem();
	if (status == Z_BUF_ERROR)
		return cs_error_at(CS_E_TRUNCATED, unpacking->file, unpacking->size,
			"the gzip file is truncated");
	if (unpacking->z.msg && strstr(unpacking->z.msg, "check"))
		return cs_error_at(CS_E_CHECKSUM, unpacking->file, CS_NO_OFFSET,
			"the unpacked content does not match the checksum of the gzip file");
	return cs_error_at(
		CS_E_COMPRESSION, unpacking->file, CS_NO_OFFSET, "the gzip data is damaged");
}

/* Unpacks up to PIECE bytes. Returns zlib's status: Z_STREAM_END at the end of a gzip member. */
static int inflate_piece(struct unpacking *unpacking, const unsigned char *bytes)
{
	if (!cs_vec_reserve(&unpacking->out, PIECE + 1))
		return Z_MEM_ERROR;
	feed(unpacking, bytes);
	unpacking->z.next_out = unpacking->out.at + unpacking->out.n;
	unpacking->z.avail_out = PIECE;
	int status = inflate(&unpacking->z, Z_NO_FLUSH);
	size_t n = PIECE - unpacking->z.avail_out;
	unpacking->out.n += n;
	return status == Z_OK && n == 0 && unpacking->z.avail_in == 0 ? Z_BUF_ERROR : status;
}

static struct cs_error *inflate_members(
	struct unpacking *unpacking, const unsigned char *bytes, size_t limit)
{
	for (;;) {
		int status = inflate_piece(unpacking, bytes);
		size_t at = (size_t)(unpacking->z.next_in - bytes);
		if (status != Z_OK && status != Z_STREAM_END)
			return gzip_refuse(unpacking, status);
		if (unpacking->out.n > limit)
			return cs_error_at(CS_E_LIMIT, unpacking->file, CS_NO_OFFSET,
				"the unpacked content of the gzip file has more bytes than the "
				"limit of %zu",
				limit);
		if (status == Z_OK)
			continue;
		if (at == unpacking->size)
			return NULL;
		if (unpacking->size - at == 1 && bytes[at] == 0x1f)
			return gzip_refuse(unpacking, Z_BUF_ERROR);
		if (!cs_gzip_is(bytes + at, unpacking->size - at))
			return cs_error_at(CS_E_TRAILING, unpacking->file, at,
				"the file goes on after the end of its gzip data");
		inflateReset(&unpacking->z);
	}
}

struct cs_error *cs_gzip_unpack(const char *file, const unsigned char *bytes, size_t size,
	size_t limit, bool *cut_ret, unsigned char **bytes_ret, size_t *size_ret)
{
	struct unpacking unpacking = {.file = file, .size = size};
	int status = inflateInit2(&unpacking.z, WINDOW);
	struct cs_error *error = status == Z_OK ? inflate_members(&unpacking, bytes, limit)
						: gzip_refuse(&unpacking, status);
	inflateEnd(&unpacking.z);
	const bool cut = error && error->code == CS_E_TRUNCATED && unpacking.out.n > 0;
	if (cut_ret)
		*cut_ret = cut;
	if (cut && cut_ret) {
		cs_error_free(error);
	} else if (error) {
		cs_vec_free(&unpacking.out);
		return error;
	}
	unpacking.out.at[unpacking.out.n] = '\0';
	*bytes_ret = unpacking.out.at;
	*size_ret = unpacking.out.n;
	return NULL;
}
