/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the engine's ids of cells. Fields are hashed in the same order as in the engine. */
#include "core/identity.h"

#include "core/cursor.h"
#include "core/text.h"

#include <zlib.h>

void cs_digest_begin(struct cs_digest *digest)
{
	MD5Init(&digest->context);
}

void cs_digest_bytes(struct cs_digest *digest, const void *bytes, size_t n)
{
	MD5Update(&digest->context, bytes, n);
}

void cs_digest_u32(struct cs_digest *digest, uint32_t value)
{
	unsigned char bytes[4];
	cs_store32(bytes, value);
	cs_digest_bytes(digest, bytes, sizeof(bytes));
}

static void digest_i64(struct cs_digest *digest, int64_t value)
{
	unsigned char bytes[8];
	cs_store64(bytes, (uint64_t)value);
	cs_digest_bytes(digest, bytes, sizeof(bytes));
}

void cs_digest_guid(struct cs_digest *digest, struct cs_guid guid)
{
	cs_digest_u32(digest, guid.a);
	cs_digest_u32(digest, guid.b);
	cs_digest_u32(digest, guid.c);
	cs_digest_u32(digest, guid.d);
}

void cs_digest_string(struct cs_digest *digest, const char *text)
{
	size_t n = strlen(text) + 1;
	cs_digest_u32(digest, (uint32_t)n);
	cs_digest_bytes(digest, text, n);
}

/* Hashes a text in lower case; only ASCII letters are converted. */
static void add_folded(struct cs_digest *digest, const char *text)
{
	cs_digest_u32(digest, (uint32_t)strlen(text) + 1);
	do {
		unsigned char c = (unsigned char)*text;
		c = c >= 'A' && c <= 'Z' ? (unsigned char)(c - 'A' + 'a') : c;
		cs_digest_bytes(digest, &c, 1);
	} while (*text++);
}

struct cs_guid cs_digest_end(struct cs_digest *digest)
{
	unsigned char bytes[MD5_DIGEST_LENGTH];
	MD5Final(bytes, &digest->context);
	return (struct cs_guid){cs_load32(bytes), cs_load32(bytes + 4), cs_load32(bytes + 8),
		cs_load32(bytes + 12)};
}

/* Computes CRC-32 of a text with each character as four bytes, least significant byte first. */
uint32_t cs_identity_crc(uint32_t crc, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	for (size_t n = strlen(text), length; n > 0; at += length, n -= length) {
		uint32_t character = *at;
		unsigned char unit[4];
		length = cs_utf8_decode(at, n, &character);
		length = length ? length : 1;
		cs_store32(unit, character);
		crc = (uint32_t)crc32(crc, unit, sizeof(unit));
	}
	return crc;
}

void cs_identity_package(const char *unique, char ret[CS_BASE36_TEXT])
{
	struct cs_digest digest;
	cs_digest_begin(&digest);
	cs_digest_string(&digest, unique);
	struct cs_guid guid = cs_digest_end(&digest);
	cs_base36_format((uint64_t)guid.a << 32 | guid.b, (uint64_t)guid.c << 32 | guid.d, ret);
}

struct cs_guid cs_identity_of_set(const struct cs_identity_set *cell)
{
	struct cs_digest digest;
	cs_digest_begin(&digest);
	cs_digest_string(&digest, cell->desc);
	cs_digest_u32(&digest, cell->layers_id);
	cs_digest_guid(&digest, cell->bundle);
	cs_digest_string(&digest, cell->partition);
	cs_digest_u32(&digest, (uint32_t)cell->hlod_index);
	cs_digest_u32(&digest, (uint32_t)cell->cell_size);
	return cs_digest_end(&digest);
}

struct cs_guid cs_identity_of_spatial(const struct cs_identity_spatial *cell)
{
	struct cs_digest digest;
	cs_digest_begin(&digest);
	add_folded(&digest, cell->grid);
	digest_i64(&digest, cell->x);
	digest_i64(&digest, cell->y);
	digest_i64(&digest, cell->level);
	cs_digest_u32(&digest, cell->layers_id);
	cs_digest_u32(&digest, cell->bundle);
	struct cs_guid place = cs_digest_end(&digest);
	if (!cell->sized)
		return place;
	cs_digest_begin(&digest);
	cs_digest_guid(&digest, place);
	cs_digest_u32(&digest, (uint32_t)cell->cell_size);
	return cs_digest_end(&digest);
}
