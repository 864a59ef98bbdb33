/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unpacks and decrypts one block, by the usual library of each method: zlib, LZ4, zstd, libcrypto.
 * The unpacked size is known in advance, so a block that unpacks to another size is damaged.
 */
#include "ue/container/compression.h"

#include <limits.h>
#include <lz4.h>
#include <openssl/evp.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

static const char *const method_names[CS_UE_METHODS] = {
	"none", "Zlib", "Gzip", "LZ4", "Zstd", "Oodle", "unknown"};

enum cs_ue_method cs_ue_method_named(const unsigned char name[CS_UE_METHOD_NAME])
{
	char text[CS_UE_METHOD_NAME + 1] = "";
	memcpy(text, name, CS_UE_METHOD_NAME);
	if (!*text)
		return CS_UE_STORED;
	for (int i = 0; i < CS_UE_METHODS; i++)
		if (cs_name_compare(text, method_names[i]) == 0)
			return (enum cs_ue_method)i;
	return CS_UE_UNKNOWN_METHOD;
}

const char *cs_ue_method_name(enum cs_ue_method method)
{
	return method_names[method];
}

static bool inflate_whole(
	int window, const unsigned char *packed, uint32_t size, unsigned char *ret, uint32_t plain)
{
	z_stream stream = {.next_in = (unsigned char *)packed,
		.avail_in = size,
		.next_out = ret,
		.avail_out = plain};
	if (inflateInit2(&stream, window) != Z_OK)
		return false;
	bool whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
	inflateEnd(&stream);
	return whole;
}

static bool unpack_stored(
	const unsigned char *packed, uint32_t size, unsigned char *ret, uint32_t n)
{
	if (size < n)
		return false;
	memcpy(ret, packed, n);
	return true;
}

static bool unpack_zlib(const unsigned char *packed, uint32_t size, unsigned char *ret, uint32_t n)
{
	return inflate_whole(15, packed, size, ret, n);
}

static bool unpack_gzip(const unsigned char *packed, uint32_t size, unsigned char *ret, uint32_t n)
{
	return inflate_whole(15 + 16, packed, size, ret, n);
}

static bool unpack_lz4(const unsigned char *packed, uint32_t size, unsigned char *ret, uint32_t n)
{
	return size <= INT_MAX && n <= INT_MAX &&
	       LZ4_decompress_safe((const char *)packed, (char *)ret, (int)size, (int)n) == (int)n;
}

static bool unpack_zstd(const unsigned char *packed, uint32_t size, unsigned char *ret, uint32_t n)
{
	return ZSTD_decompress(ret, n, packed, size) == n;
}

uint64_t cs_ue_most_plain(enum cs_ue_method method, uint32_t packed)
{
	/*
	 * Largest number of bytes to which one byte can unpack, by the formats: zlib stores a match
	 * of 258 bytes in two bits, LZ4 lengthens a match by 255 for each byte, zstd repeats one
	 * byte for 128 KiB in four bytes. The limit of Oodle is assumed.
	 */
	static const uint32_t of_a_byte[CS_UE_METHODS] = {[CS_UE_STORED] = 1,
		[CS_UE_ZLIB] = 1032,
		[CS_UE_GZIP] = 1032,
		[CS_UE_LZ4] = 255,
		[CS_UE_ZSTD] = 32768,
		[CS_UE_OODLE] = 131072};
	return of_a_byte[method] * (uint64_t)packed;
}

struct cs_error *cs_ue_unpack(enum cs_ue_method method, const unsigned char *packed, uint32_t size,
	unsigned char *ret, uint32_t plain)
{
	static bool (*const by[CS_UE_METHODS])(
		const unsigned char *, uint32_t, unsigned char *, uint32_t) = {
		[CS_UE_STORED] = unpack_stored,
		[CS_UE_ZLIB] = unpack_zlib,
		[CS_UE_GZIP] = unpack_gzip,
		[CS_UE_LZ4] = unpack_lz4,
		[CS_UE_ZSTD] = unpack_zstd,
	};
	if (method == CS_UE_OODLE)
		return cs_error_new(CS_E_FEATURE,
			"the bytes are compressed with Oodle, for which no codec is included: load one with "
			"--oodle LIBRARY, or stage with -compressionformat=Zlib");
	if (!by[method])
		return cs_error_new(CS_E_FEATURE,
			"a block is compressed with an unknown method: only Zlib, Gzip, LZ4, Zstd "
			"and Oodle are known");
	if (!by[method](packed, size, ret, plain))
		return cs_error_new(CS_E_COMPRESSION,
			"a block that is compressed with %s must unpack to %u bytes, but does not",
			method_names[method], plain);
	return NULL;
}

struct cs_error *cs_ue_decrypt(enum cs_ue_cipher cipher, const struct cs_ue_key *key,
	const unsigned char iv[CS_UE_IV], uint32_t first, unsigned char *bytes, size_t size)
{
	unsigned char counter[CS_UE_AES_BLOCK] = {0};
	int done = 0;
	for (int i = 0; i < 4; i++)
		counter[CS_UE_IV + i] = (unsigned char)(first >> (24 - 8 * i));
	if (iv)
		memcpy(counter, iv, CS_UE_IV);
	if (size > INT_MAX)
		return cs_error_new(CS_E_LIMIT,
			"the encrypted data has %zu bytes, more than the limit of %d", size,
			INT_MAX);
	if (cipher == CS_UE_ECB && size % CS_UE_AES_BLOCK)
		return cs_error_new(CS_E_LAYOUT,
			"the encrypted data has %zu bytes, but AES needs a multiple of 16", size);
	EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
	bool good = context &&
		    EVP_DecryptInit_ex(context,
			    cipher == CS_UE_CTR ? EVP_aes_256_ctr() : EVP_aes_256_ecb(), NULL,
			    key->bytes, cipher == CS_UE_CTR ? counter : NULL) == 1 &&
		    EVP_CIPHER_CTX_set_padding(context, 0) == 1 &&
		    EVP_DecryptUpdate(context, bytes, &done, bytes, (int)size) == 1;
	EVP_CIPHER_CTX_free(context);
	return good ? NULL
		    : cs_error_new(CS_E_NOMEM,
			      "libcrypto cannot decrypt %zu bytes: it lacks memory or AES-256",
			      size);
}

bool cs_ue_sha1(const void *bytes, size_t size, unsigned char ret[20])
{
	return EVP_Digest(bytes, size, ret, NULL, EVP_sha1(), NULL) == 1;
}

/* ---- parsing keys ---- */

static bool parse_hex(const char *text, unsigned char ret[CS_UE_KEY_BYTES])
{
	size_t n;
	return strlen(text) == 2 * CS_UE_KEY_BYTES &&
	       OPENSSL_hexstr2buf_ex(ret, CS_UE_KEY_BYTES, &n, text, '\0') == 1;
}

static bool parse_base64(const char *text, unsigned char ret[CS_UE_KEY_BYTES])
{
	unsigned char plain[CS_UE_KEY_BYTES + 1];
	/* 32 bytes in base64 are 43 digits and one '=' */
	if (strlen(text) != 44 || text[43] != '=' || text[42] == '=')
		return false;
	if (EVP_DecodeBlock(plain, (const unsigned char *)text, 44) != CS_UE_KEY_BYTES + 1)
		return false;
	memcpy(ret, plain, CS_UE_KEY_BYTES);
	return true;
}

struct cs_error *cs_ue_key_parse(const char *text, struct cs_ue_key *ret)
{
	struct cs_ue_key key = {.given = true};
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	if (!(hex ? parse_hex(text + 2, key.bytes) : parse_base64(text, key.bytes)))
		return cs_error_new(CS_E_USAGE,
			"an AES key must be 0x and 64 hexadecimal digits, or 32 bytes in base64");
	*ret = key;
	return NULL;
}
