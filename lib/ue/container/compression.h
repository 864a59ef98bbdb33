/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compression and encryption of container blocks (ue-cooked rules 10). There is no free library for
 * Oodle. Its blocks are unpacked by a codec that the user names (oodle.c), and rejected without
 * one.
 */
#pragma once

#include <cellscope/ue.h>

enum cs_ue_method {
	CS_UE_STORED,
	CS_UE_ZLIB,
	CS_UE_GZIP,
	CS_UE_LZ4,
	CS_UE_ZSTD,
	CS_UE_OODLE,
	CS_UE_UNKNOWN_METHOD,
	CS_UE_METHODS
};

/* Returns the method with this name, ignoring case. Unused bytes of `name` are zero. */
enum { CS_UE_METHOD_NAME = 32 };
enum cs_ue_method cs_ue_method_named(const unsigned char name[CS_UE_METHOD_NAME]);
const char *cs_ue_method_name(enum cs_ue_method method);
/*
 * Returns the largest number of bytes that `packed` bytes can unpack to, or 0 for an unknown
 * method. A file that states a larger number is forged.
 */
uint64_t cs_ue_most_plain(enum cs_ue_method method, uint32_t packed);
/* Unpacks to `plain` bytes. Errors: E_FEATURE for Oodle or unknown methods, else E_COMPRESSION. */
struct cs_error *cs_ue_unpack(enum cs_ue_method method, const unsigned char *packed, uint32_t size,
	unsigned char *ret, uint32_t plain) CS_MUST_USE;

enum cs_ue_cipher { CS_UE_CIPHER_NONE, CS_UE_ECB, CS_UE_CTR };
enum { CS_UE_IV = 12, CS_UE_AES_BLOCK = 16 };

/* Decrypts in place. ECB needs a multiple of 16 bytes, CTR `iv` and the block number `first`. */
struct cs_error *cs_ue_decrypt(enum cs_ue_cipher cipher, const struct cs_ue_key *key,
	const unsigned char iv[CS_UE_IV], uint32_t first, unsigned char *bytes,
	size_t size) CS_MUST_USE;
/* Returns false if libcrypto lacks memory. */
bool cs_ue_sha1(const void *bytes, size_t size, unsigned char ret[20]);
