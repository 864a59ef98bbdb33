/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in one line of a StreamingGeneration log. */
#pragma once

#include "ue/log/log.h"

/* A part of a line; no NUL behind it. */
struct cs_ue_piece {
	const char *at;
	size_t n;
};

bool cs_ue_piece_is(struct cs_ue_piece piece, const char *text);
bool cs_ue_piece_starts(struct cs_ue_piece piece, const char *text);
/* Without its first n bytes. */
struct cs_ue_piece cs_ue_piece_from(struct cs_ue_piece piece, size_t n);
/* Without the blanks around it. */
struct cs_ue_piece cs_ue_piece_trim(struct cs_ue_piece piece);
/* Where `text` begins in it, or NULL. */
const char *cs_ue_piece_find(struct cs_ue_piece piece, const char *text);

/* A copy with a NUL; bytes that are no UTF-8 are taken as Latin-1. NULL without memory. */
const char *cs_ue_piece_keep(struct cs_ue_piece piece, struct cs_arena *arena);

/* Takes a decimal number off the front. */
bool cs_ue_log_number(struct cs_ue_piece *piece, double *ret);
bool cs_ue_log_guid(struct cs_ue_piece piece, struct cs_guid *ret);
/* "true", "False", and of 5.4 "1", "0". */
bool cs_ue_log_truth(struct cs_ue_piece piece, bool *ret);
/*
 * A copy of a path or name without what play in the editor puts before it: "UEDPIE_0_" before the
 * map, "..._InstanceOf_" before a package. NULL without memory; *found_ret is set where there was
 * one.
 */
const char *cs_ue_log_without_play(
	struct cs_ue_piece piece, struct cs_arena *arena, bool *found_ret);
/*
 * "IsValid=true, Min=(X=0.000 Y=0.000 Z=0.000), Max=(X=1.000 Y=1.000 Z=1.000)"; of a box that no
 * world has *odd_ret says why.
 */
bool cs_ue_log_box(struct cs_ue_piece piece, struct cs_box *ret, const char **odd_ret);
/* Translation, then pitch, yaw and roll in degrees, then scale: "0,0,0|0,0,0|1,1,1" */
bool cs_ue_log_transform(struct cs_ue_piece piece, struct cs_transform *ret);
/*
 * "Guid:... NativeClass:... Name:... ..."; texts are copied into the arena. False when the line is
 * no descriptor or, with *no_memory set, when there was no memory. *odd_ret is as of a box.
 */
bool cs_ue_log_parse_desc(struct cs_ue_piece line, struct cs_arena *arena,
	struct cs_ue_log_desc *ret, const char **odd_ret, bool *no_memory);
