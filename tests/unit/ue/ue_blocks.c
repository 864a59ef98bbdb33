/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of containers, against the libraries that pack and the vectors that NIST published: SP
 * 800-38A for AES, FIPS 180 for SHA-1. What is cut, longer or of another size is refused.
 */
#include "ue/container/compression.h"

#include "tests/samples/tap.h"

#include <lz4.h>
#include <zlib.h>
#include <zstd.h>

/* ---- methods ---- */

static void test_names(void)
{
	static const struct {
		const char *name;
		enum cs_ue_method method;
	} known[] = {{"", CS_UE_STORED}, {"None", CS_UE_STORED}, {"zlib", CS_UE_ZLIB},
		{"Gzip", CS_UE_GZIP}, {"LZ4", CS_UE_LZ4}, {"ZSTD", CS_UE_ZSTD},
		{"Oodle", CS_UE_OODLE}, {"Zlib2", CS_UE_UNKNOWN_METHOD},
		{"zli", CS_UE_UNKNOWN_METHOD},
		{"a name that fills all of its room", CS_UE_UNKNOWN_METHOD}};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		unsigned char name[CS_UE_METHOD_NAME] = "";
		memcpy(name, known[i].name, strnlen(known[i].name, sizeof(name)));
		is_int(cs_ue_method_named(name), known[i].method, "the method \"%s\"",
			known[i].name);
	}
	is_text(cs_ue_method_name(CS_UE_ZSTD), "Zstd", "and its name");
}

/* ---- packing ---- */

enum { PLAIN = 3000, ROOM = 4000 };

static unsigned char plain[PLAIN];

/* Packs bytes with zlib itself; `window` chooses one of its headers. */
static uint32_t deflated(int window, unsigned char *ret)
{
	z_stream z = {.next_in = plain, .avail_in = PLAIN, .next_out = ret, .avail_out = ROOM};
	if (deflateInit2(&z, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
		deflate(&z, Z_FINISH) != Z_STREAM_END)
		return 0;
	deflateEnd(&z);
	return (uint32_t)z.total_out;
}

static uint32_t packed_by(enum cs_ue_method method, unsigned char *ret)
{
	switch (method) {
	case CS_UE_STORED:
		memcpy(ret, plain, PLAIN);
		return PLAIN;
	case CS_UE_ZLIB:
		return deflated(15, ret);
	case CS_UE_GZIP:
		return deflated(15 + 16, ret);
	case CS_UE_LZ4:
		return (uint32_t)LZ4_compress_default(
			(const char *)plain, (char *)ret, PLAIN, ROOM);
	default:
		return (uint32_t)ZSTD_compress(ret, ROOM, plain, PLAIN, 3);
	}
}

static void test_method(enum cs_ue_method method)
{
	const char *name = cs_ue_method_name(method);
	unsigned char packed[ROOM], got[PLAIN + 2];
	uint32_t n = packed_by(method, packed);
	memset(got, 0xee, sizeof(got));
	works(cs_ue_unpack(method, packed, n, got, PLAIN), "%s unpacks", name);
	ok(memcmp(got, plain, PLAIN) == 0 && got[PLAIN] == 0xee, "%s: to what was packed", name);
	fails(cs_ue_unpack(method, packed, n - 1, got, PLAIN), CS_E_COMPRESSION, "%s, cut", name);
	fails(cs_ue_unpack(method, packed, n, got, PLAIN + 1), CS_E_COMPRESSION,
		"%s, said to be longer", name);
	if (method == CS_UE_STORED)
		return;
	fails(cs_ue_unpack(method, packed, n, got, PLAIN - 1), CS_E_COMPRESSION,
		"%s, said to be shorter", name);
	packed[0] ^= 0xff;
	packed[1] ^= 0xff;
	fails(cs_ue_unpack(method, packed, n, got, PLAIN), CS_E_COMPRESSION, "%s, damaged", name);
}

static void test_packing(void)
{
	unsigned char byte = 0, packed[ROOM];
	for (size_t i = 0; i < PLAIN; i++)
		plain[i] = (unsigned char)(i * i / 7 % 50);
	for (int i = CS_UE_STORED; i <= CS_UE_ZSTD; i++)
		test_method((enum cs_ue_method)i);
	uint32_t n = packed_by(CS_UE_ZLIB, packed);
	fails(cs_ue_unpack(CS_UE_GZIP, packed, n, plain, PLAIN), CS_E_COMPRESSION,
		"zlib is not gzip");
	fails(cs_ue_unpack(CS_UE_OODLE, &byte, 1, &byte, 1), CS_E_FEATURE, "Oodle");
	fails(cs_ue_unpack(CS_UE_UNKNOWN_METHOD, &byte, 1, &byte, 1), CS_E_FEATURE, "another");
	fails(cs_ue_unpack(CS_UE_LZ4, &byte, 1, &byte, UINT32_MAX), CS_E_COMPRESSION,
		"LZ4, said to be longer than it can be");
	fails(cs_ue_unpack(CS_UE_LZ4, &byte, UINT32_MAX, &byte, 1), CS_E_COMPRESSION,
		"LZ4, said to be packed longer than it can be");
}

/* ---- ciphers: F.1.6 and F.5.6 of SP 800-38A ---- */

static const char key_text[] = "0x603deb1015ca71be2b73aef0857d7781"
			       "1F352C073B6108D72D9810A30914DFF4";

static void from_hex(const char *text, unsigned char *ret)
{
	unsigned byte;
	for (; sscanf(text, "%2x", &byte) == 1; text += 2)
		*ret++ = (unsigned char)byte;
}

static const char message[] = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
			      "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
static const char by_ecb[] = "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"
			     "b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7";
static const char by_ctr[] = "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
			     "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6";

static void test_ciphers(void)
{
	unsigned char want[64], bytes[64], iv[CS_UE_IV];
	struct cs_ue_key key;
	works(cs_ue_key_parse(key_text, &key), "the key of the vectors");
	from_hex(message, want);
	from_hex(by_ecb, bytes);
	works(cs_ue_decrypt(CS_UE_ECB, &key, NULL, 0, bytes, 64), "ECB");
	ok(memcmp(bytes, want, 64) == 0, "as NIST has it");
	fails(cs_ue_decrypt(CS_UE_ECB, &key, NULL, 0, bytes, 63), CS_E_LAYOUT, "no whole blocks");
	from_hex(by_ctr, bytes);
	from_hex("f0f1f2f3f4f5f6f7f8f9fafb", iv);
	works(cs_ue_decrypt(CS_UE_CTR, &key, iv, 0xfcfdfeff, bytes, 63), "CTR, of any length");
	ok(memcmp(bytes, want, 63) == 0 && bytes[63] == 0xa6, "as NIST has it, and no byte more");
	from_hex(by_ctr, bytes);
	works(cs_ue_decrypt(CS_UE_CTR, &key, iv, 0xfcfdff00, bytes + 16, 16), "its second block");
	ok(memcmp(bytes + 16, want + 16, 16) == 0, "has the next number");
	memset(iv, 0, sizeof(iv));
	unsigned char given[16] = {1}, none[16] = {1};
	works(cs_ue_decrypt(CS_UE_CTR, &key, iv, 1, given, 16), "a vector of zeros");
	works(cs_ue_decrypt(CS_UE_CTR, &key, NULL, 1, none, 16), "no vector");
	ok(memcmp(given, none, 16) == 0, "without a vector it counts from zeros");
}

static void test_sum(void)
{
	unsigned char got[21] = "", want[20];
	cs_ue_sha1("abc", 3, got);
	from_hex("a9993e364706816aba3e25717850c26c9cd0d89d", want);
	ok(memcmp(got, want, 20) == 0 && got[20] == 0, "SHA-1 of abc");
}

/* ---- keys ---- */

static bool is_key(const char *text)
{
	struct cs_ue_key key;
	struct cs_error *error = cs_ue_key_parse(text, &key);
	bool good = !error && key.given;
	cs_error_free(error);
	return good;
}

static void test_keys(void)
{
	char hex[80];
	struct cs_ue_key key;
	unsigned char want[32];
	from_hex(key_text + 2, want);
	works(cs_ue_key_parse(key_text, &key), "a key");
	ok(memcmp(key.bytes, want, 32) == 0 && key.given, "in digits of both cases");
	snprintf(hex, sizeof(hex), "%s", key_text);
	hex[1] = 'X';
	ok(is_key(hex), "behind a large X");
	hex[20] = 'g';
	ok(!is_key(hex), "but not with other letters");
	snprintf(hex, sizeof(hex), "%s0", key_text);
	ok(!is_key(hex), "nor with a digit more");
	ok(!is_key("0x0") && !is_key("") && !is_key("0"), "nor with one alone, nor none");
	ok(is_key("0AECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="), "base64 may begin with 0");
	ok(is_key("1xECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="), "and have an x behind");
	ok(!is_key("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=AAAA"), "not more than 44");
	ok(!is_key("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8f"), "33 bytes are too many");
	ok(!is_key("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg=="), "31 too few");
	ok(!is_key("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh!="), "other signs are none");
}

int main(void)
{
	test_names();
	test_packing();
	test_ciphers();
	test_sum();
	test_keys();
	return done();
}
