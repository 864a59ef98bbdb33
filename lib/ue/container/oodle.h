/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unpacks blocks that Oodle packed, with a library of the user that the environment variable
 * CELLSCOPE_OODLE names (--oodle LIBRARY). Only cellscope-import loads the library, in its sandbox.
 * A codec is such a process: it is started for the first block and runs until the codec is freed.
 * Its answers are checked like bytes of a file.
 */
#pragma once

#include <cellscope/core.h>

struct cs_ue_codec;

/* Creates a codec. Stores NULL if the user named no Oodle library. */
struct cs_error *cs_ue_codec_new(struct cs_ue_codec **ret) CS_MUST_USE;
/* Ends the process and frees the codec. NULL is allowed. */
void cs_ue_codec_free(struct cs_ue_codec *codec);
/*
 * Unpacks a block of exactly `plain` bytes. Thread-safe, one block at a time. Returns E_COMPRESSION
 * for a block that is damaged or crashes the codec, E_LIMIT if it takes too long, and E_FEATURE if
 * the library cannot be loaded.
 */
struct cs_error *cs_ue_codec_unpack(struct cs_ue_codec *codec, const unsigned char *packed,
	uint32_t size, unsigned char *ret, uint32_t plain) CS_MUST_USE;
