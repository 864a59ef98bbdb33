/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of one line of a StreamingGeneration log. */
#pragma once

#include "ue/log/log.h"

/* A part of a line, which has no NUL at its end. */
struct cs_ue_piece {
	const char *at;
	size_t n;
};

bool cs_ue_piece_is(struct cs_ue_piece piece, const char *text);
bool cs_ue_piece_starts(struct cs_ue_piece piece, const char *text);
/* Returns the piece without its first n bytes. */
struct cs_ue_piece cs_ue_piece_from(struct cs_ue_piece piece, size_t n);
/* Returns the piece without blanks at both ends. */
struct cs_ue_piece cs_ue_piece_trim(struct cs_ue_piece piece);
/* Returns where `text` begins in the piece, or NULL. */
const char *cs_ue_piece_find(struct cs_ue_piece piece, const char *text);

/*
 * Returns a copy with a NUL. Bytes that are no UTF-8 are read as Latin-1. Returns NULL without
 * memory.
 */
const char *cs_ue_piece_keep(struct cs_ue_piece piece, struct cs_arena *arena);

/* Removes a decimal number from the front. */
bool cs_ue_log_number(struct cs_ue_piece *piece, double *ret);
bool cs_ue_log_guid(struct cs_ue_piece piece, struct cs_guid *ret);
/* Parses "true" or "False", or "1" or "0" as logs of 5.4 have it. */
bool cs_ue_log_truth(struct cs_ue_piece piece, bool *ret);
/*
 * Returns a copy of a path or name without the prefixes of play in the editor: "UEDPIE_0_" before
 * the map, "..._InstanceOf_" before a package. Returns NULL without memory. Sets *found_ret when
 * there was such a prefix.
 */
const char *cs_ue_log_without_play(
	struct cs_ue_piece piece, struct cs_arena *arena, bool *found_ret);
/*
 * Parses "IsValid=true, Min=(X=0.000 Y=0.000 Z=0.000), Max=(X=1.000 Y=1.000 Z=1.000)". For a box
 * that no world has, *odd_ret is the reason.
 */
bool cs_ue_log_box(struct cs_ue_piece piece, struct cs_box *ret, const char **odd_ret);
/* Parses translation, then pitch, yaw and roll in degrees, then scale: "0,0,0|0,0,0|1,1,1". */
bool cs_ue_log_transform(struct cs_ue_piece piece, struct cs_transform *ret);
/*
 * Parses "Guid:... NativeClass:... Name:... ...". Texts are copied into the arena. Returns false
 * when the line is no descriptor or, with *no_memory set, when there was no memory. *odd_ret is set
 * as for a box.
 */
bool cs_ue_log_parse_desc(struct cs_ue_piece line, struct cs_arena *arena,
	struct cs_ue_log_desc *ret, const char **odd_ret, bool *no_memory);
