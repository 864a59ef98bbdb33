/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unpacks blocks that Oodle packed, with a library of the user: cellscope-import loads it in its
 * sandbox, and this process never does. The environment variable CELLSCOPE_OODLE names it (--oodle
 * LIBRARY). A codec is a process that is started with the first block and runs until the codec is
 * closed. Its answers are checked like a file.
 */
#pragma once

#include <cellscope/core.h>

struct cs_ue_codec;

/* Makes a codec. *ret is NULL when no library is named. */
struct cs_error *cs_ue_codec_new(struct cs_ue_codec **ret) CS_MUST_USE;
/* Ends the process. */
void cs_ue_codec_free(struct cs_ue_codec *codec);
/*
 * Unpacks exactly `plain` bytes. Any thread may call it, one after the other. Returns E_COMPRESSION
 * for a block that is damaged or crashes the codec, E_LIMIT when it takes too long, and E_FEATURE
 * when the library cannot be loaded.
 */
struct cs_error *cs_ue_codec_unpack(struct cs_ue_codec *codec, const unsigned char *packed,
	uint32_t size, unsigned char *ret, uint32_t plain) CS_MUST_USE;
