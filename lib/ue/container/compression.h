/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compression and encryption of container blocks (ue-cooked rules 10). Oodle has no free
 * library: its blocks are read by a codec that the user names (oodle.h), and refused without one.
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

/* Finds a method by its name in a container, without case. The name may end in zeros. */
enum { CS_UE_METHOD_NAME = 32 };
enum cs_ue_method cs_ue_method_named(const unsigned char name[CS_UE_METHOD_NAME]);
const char *cs_ue_method_name(enum cs_ue_method method);
/*
 * Returns the most plain bytes that a block of that many packed bytes can have, or 0 for a method
 * that cannot be unpacked.
 */
uint64_t cs_ue_most_plain(enum cs_ue_method method, uint32_t packed);
/*
 * Unpacks exactly `plain` bytes. Returns E_COMPRESSION, or E_FEATURE for a method that cannot be
 * unpacked.
 */
struct cs_error *cs_ue_unpack(enum cs_ue_method method, const unsigned char *packed, uint32_t size,
	unsigned char *ret, uint32_t plain) CS_MUST_USE;

enum cs_ue_cipher { CS_UE_CIPHER_NONE, CS_UE_ECB, CS_UE_CTR };
enum { CS_UE_IV = 12, CS_UE_AES_BLOCK = 16 };

/*
 * Decrypts in place. ECB needs whole blocks of 16. `iv` and the number of the first block are only
 * for CTR.
 */
struct cs_error *cs_ue_decrypt(enum cs_ue_cipher cipher, const struct cs_ue_key *key,
	const unsigned char iv[CS_UE_IV], uint32_t first, unsigned char *bytes,
	size_t size) CS_MUST_USE;
void cs_ue_sha1(const void *bytes, size_t size, unsigned char ret[20]);
