/* SPDX-License-Identifier: Apache-2.0 */
/* CityHash64 (Google's CityHash 1.1, MIT, from its description), and hashes of names with it. */
#include "ue/container/hash.h"

#include "core/cursor.h"
#include "core/text.h"

#define K0 UINT64_C(0xc3a5c85c97cb3127)
#define K1 UINT64_C(0xb492b66fbe98f273)
#define K2 UINT64_C(0x9ae16a3b2f90404f)
#define K3 UINT64_C(0x9ddfea08eb382d69)

struct pair {
	uint64_t first, second;
};

static uint64_t hash_turn(uint64_t value, int by)
{
	return value >> by | value << (64 - by);
}

static uint64_t shift_mix(uint64_t value)
{
	return value ^ value >> 47;
}

static uint64_t mix(uint64_t u, uint64_t v, uint64_t factor)
{
	uint64_t a = shift_mix((u ^ v) * factor);
	return shift_mix((v ^ a) * factor) * factor;
}

static uint64_t hash_up_to_16(const unsigned char *s, size_t n)
{
	uint64_t factor = K2 + n * 2;
	if (n >= 8) {
		uint64_t a = cs_load64(s) + K2, b = cs_load64(s + n - 8);
		return mix(hash_turn(b, 37) * factor + a, (hash_turn(a, 25) + b) * factor, factor);
	}
	if (n >= 4)
		return mix(n + ((uint64_t)cs_load32(s) << 3), cs_load32(s + n - 4), factor);
	if (n == 0)
		return K2;
	uint32_t y = s[0] + ((uint32_t)s[n >> 1] << 8), z = (uint32_t)n + ((uint32_t)s[n - 1] << 2);
	return shift_mix(y * K2 ^ z * K0) * K2;
}

static uint64_t hash_up_to_32(const unsigned char *s, size_t n)
{
	uint64_t factor = K2 + n * 2, a = cs_load64(s) * K1, b = cs_load64(s + 8);
	uint64_t c = cs_load64(s + n - 8) * factor, d = cs_load64(s + n - 16) * K2;
	return mix(
		hash_turn(a + b, 43) + hash_turn(c, 30) + d, a + hash_turn(b + K2, 18) + c, factor);
}

static uint64_t hash_up_to_64(const unsigned char *s, size_t n)
{
	uint64_t factor = K2 + n * 2, a = cs_load64(s) * K2, b = cs_load64(s + 8);
	uint64_t c = cs_load64(s + n - 24), d = cs_load64(s + n - 32);
	uint64_t e = cs_load64(s + 16) * K2, f = cs_load64(s + 24) * 9;
	uint64_t g = cs_load64(s + n - 8), h = cs_load64(s + n - 16) * factor;
	uint64_t u = hash_turn(a + g, 43) + (hash_turn(b, 30) + c) * 9, v = ((a + g) ^ d) + f + 1;
	uint64_t w = __builtin_bswap64((u + v) * factor) + h, x = hash_turn(e + f, 42) + c;
	uint64_t y = (__builtin_bswap64((v + w) * factor) + g) * factor, z = e + f + c;
	a = __builtin_bswap64((x + z) * factor + y) + b;
	return shift_mix((z + a) * factor + d + h) * factor + x;
}

static struct pair weak_hash(const unsigned char *s, uint64_t a, uint64_t b)
{
	uint64_t z = cs_load64(s + 24);
	a += cs_load64(s);
	b = hash_turn(b + a + z, 21);
	uint64_t c = a;
	a += cs_load64(s + 8) + cs_load64(s + 16);
	b += hash_turn(a, 44);
	return (struct pair){a + z, b + c};
}

static uint64_t hash_long(const unsigned char *s, size_t n)
{
	uint64_t x = cs_load64(s + n - 40), y = cs_load64(s + n - 16) + cs_load64(s + n - 56);
	uint64_t z = mix(cs_load64(s + n - 48) + n, cs_load64(s + n - 24), K3);
	struct pair v = weak_hash(s + n - 64, n, z), w = weak_hash(s + n - 32, y + K1, x);
	x = x * K1 + cs_load64(s);
	for (size_t left = (n - 1) & ~(size_t)63; left > 0; left -= 64, s += 64) {
		x = hash_turn(x + y + v.first + cs_load64(s + 8), 37) * K1 ^ w.second;
		y = hash_turn(y + v.second + cs_load64(s + 48), 42) * K1 + v.first +
		    cs_load64(s + 40);
		z = hash_turn(z + w.first, 33) * K1;
		v = weak_hash(s, v.second * K1, x + w.first);
		w = weak_hash(s + 32, z + w.second, y + cs_load64(s + 16));
		uint64_t swap = z;
		z = x;
		x = swap;
	}
	return mix(mix(v.first, w.first, K3) + shift_mix(y) * K1 + z,
		mix(v.second, w.second, K3) + x, K3);
}

uint64_t cs_city_hash64(const void *bytes, size_t size)
{
	return size <= 16   ? hash_up_to_16(bytes, size)
	       : size <= 32 ? hash_up_to_32(bytes, size)
	       : size <= 64 ? hash_up_to_64(bytes, size)
			    : hash_long(bytes, size);
}

static unsigned hash_lower(unsigned c)
{
	return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

/* Largest number of bytes of a name or path of the engine. A longer one has the hash 0. */
enum { LONGEST = 4096 };

uint64_t cs_ue_name_hash(const unsigned char *bytes, size_t size, bool wide)
{
	unsigned char folded[LONGEST];
	if (size > sizeof(folded))
		return 0;
	for (size_t i = 0; i < size; i++)
		folded[i] = (unsigned char)(wide && (i % 2 || (i + 1 < size && bytes[i + 1]))
						    ? bytes[i]
						    : hash_lower(bytes[i]));
	return cs_city_hash64(folded, size);
}

uint64_t cs_ue_path_hash(const char *text, size_t length)
{
	unsigned char units[2 * LONGEST];
	size_t n = 0;
	for (size_t at = 0; at < length;) {
		uint32_t c;
		size_t step = cs_utf8_decode((const unsigned char *)text + at, length - at, &c);
		if (step == 0) { /* not UTF-8, so the byte is used as a character */
			c = (unsigned char)text[at];
			step = 1;
		}
		at += step;
		if (n + 4 > sizeof(units))
			return 0;
		if (c >= 0x10000) {
			cs_store16(units + n, (uint16_t)(0xd800 + ((c - 0x10000) >> 10)));
			cs_store16(units + n + 2, (uint16_t)(0xdc00 + ((c - 0x10000) & 0x3ff)));
			n += 4;
		} else {
			cs_store16(units + n, (uint16_t)hash_lower(c));
			n += 2;
		}
	}
	return cs_city_hash64(units, n);
}

uint64_t cs_ue_script_hash(const char *path)
{
	char folded[LONGEST];
	size_t n = strlen(path);
	if (n >= sizeof(folded))
		return 0;
	for (size_t i = 0; i < n; i++)
		folded[i] = path[i] == '.' || path[i] == ':' ? '/' : path[i];
	return (cs_ue_path_hash(folded, n) & ~(UINT64_C(3) << 62)) | UINT64_C(1) << 62;
}
