/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the engine's ids of cells. Fields are hashed in the same order as in the engine. */
#include "core/identity.h"

#include "core/cursor.h"
#include "core/guid.h"
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

static unsigned char fold_ascii(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c - 'A' + 'a') : c;
}

/*
 * Adds the characters of a text in UTF-16. Returns the number of 16-bit units, including a NUL. If
 * `digest` is NULL, only counts the units.
 */
static uint32_t digest_wide(struct cs_digest *digest, const char *text, bool fold)
{
	uint32_t units = 0;
	for (size_t n = strlen(text) + 1, length; n > 0; text += length, n -= length) {
		uint32_t character = (unsigned char)*text;
		length = cs_utf8_decode((const unsigned char *)text, n, &character);
		length = length ? length : 1;
		if (fold && character < 0x80)
			character = fold_ascii((unsigned char)character);
		const bool pair = character > 0xffff;
		const uint16_t both[2] = {(uint16_t)(0xd7c0 + (character >> 10)),
			(uint16_t)(0xdc00 | (character & 0x3ff))};
		for (int k = pair ? 0 : 1; k < 2; k++, units++) {
			const uint16_t unit = pair ? both[k] : (uint16_t)character;
			const unsigned char bytes[2] = {(unsigned char)unit, unit >> 8};
			if (digest)
				cs_digest_bytes(digest, bytes, sizeof(bytes));
		}
	}
	return units;
}

/* Adds a text as an engine string. If `fold` is set, its ASCII letters become lower case. */
static void digest_text(struct cs_digest *digest, const char *text, bool fold)
{
	bool wide = false;
	for (const char *at = text; *at; at++)
		wide = wide || (unsigned char)*at >= 0x80;
	if (wide) {
		cs_digest_u32(digest, 0 - digest_wide(NULL, text, fold));
		digest_wide(digest, text, fold);
		return;
	}
	cs_digest_u32(digest, (uint32_t)strlen(text) + 1);
	do {
		const unsigned char c = (unsigned char)*text;
		const unsigned char byte = fold ? fold_ascii(c) : c;
		cs_digest_bytes(digest, &byte, 1);
	} while (*text++);
}

void cs_digest_string(struct cs_digest *digest, const char *text)
{
	digest_text(digest, text, false);
}

struct cs_guid cs_digest_end(struct cs_digest *digest)
{
	unsigned char bytes[MD5_DIGEST_LENGTH];
	MD5Final(bytes, &digest->context);
	return (struct cs_guid){cs_load32(bytes), cs_load32(bytes + 4), cs_load32(bytes + 8),
		cs_load32(bytes + 12)};
}

/* Computes the CRC-32 of a text, with each character as four bytes, the lowest byte first. */
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

struct cs_guid cs_combine_guids(struct cs_guid container, struct cs_guid guid)
{
	struct cs_digest digest;
	if (cs_guid_is_zero(container))
		return guid;
	cs_digest_begin(&digest);
	cs_digest_guid(&digest, container);
	cs_digest_guid(&digest, guid);
	return cs_digest_end(&digest);
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
	digest_text(&digest, cell->grid, true);
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
