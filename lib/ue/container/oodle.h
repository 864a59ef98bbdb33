/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks that Oodle packed, by a library that the user has: it is loaded by cellscope-import, in
 * its sandbox, never here. The environment variable CELLSCOPE_OODLE names it (--oodle LIBRARY).
 * A codec is a process that is started with the first block and stays until the codec is closed;
 * what it answers is believed no more than a file.
 */
#pragma once

#include <cellscope/core.h>

struct cs_ue_codec;

/* NULL in `ret` where no library is named. */
struct cs_error *cs_ue_codec_new(struct cs_ue_codec **ret) CS_MUST_USE;
/* Ends the process. */
void cs_ue_codec_free(struct cs_ue_codec *codec);
/*
 * Exactly `plain` bytes; on any thread, one after the other. E_COMPRESSION for a block that is
 * damaged or that the codec dies of, E_LIMIT where it does not come to an end, E_FEATURE where the
 * library cannot be loaded.
 */
struct cs_error *cs_ue_codec_unpack(struct cs_ue_codec *codec, const unsigned char *packed,
	uint32_t size, unsigned char *ret, uint32_t plain) CS_MUST_USE;
