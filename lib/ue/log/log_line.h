/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing one line of a StreamingGeneration log. */
#pragma once

#include "ue/log/log.h"

/* A part of a line: n bytes that are not NUL-terminated. */
struct cs_ue_piece {
	const char *at;
	size_t n;
};

bool cs_ue_piece_is(struct cs_ue_piece piece, const char *text);
bool cs_ue_piece_starts(struct cs_ue_piece piece, const char *text);
/* Returns the piece without its first n bytes. */
struct cs_ue_piece cs_ue_piece_from(struct cs_ue_piece piece, size_t n);
/* Returns the piece without blanks at its start and end. */
struct cs_ue_piece cs_ue_piece_trim(struct cs_ue_piece piece);
/* Returns the first position of `text` in the piece, or NULL. */
const char *cs_ue_piece_find(struct cs_ue_piece piece, const char *text);

/*
 * Copies a line to `ret` (which may be line.at) without the escape sequences with which programs
 * colour lines for terminals; returns the number of bytes copied.
 */
size_t cs_ue_log_plain(struct cs_ue_piece line, char *ret);
/*
 * Returns the line without text that build machines, devices or file damage put in front of its
 * clock "[2026.01.31-12.00.00:000]". Returns the whole line if it contains no clock or begins with
 * one (of this form or "[0012.34]"). Messages may quote clocks, so a clock after other text counts
 * only if that text does not look like the engine's, and a frame number "[ 12]" and a category
 * follow the clock. *column is the column of the last clock after other text, or 0 if there was
 * none yet. In this column the category may be missing.
 */
struct cs_ue_piece cs_ue_log_from_clock(struct cs_ue_piece line, size_t *column);
/*
 * Parses a clock "[0012.34]" in front of a frame: seconds since the start of the game. *n_ret is
 * the length of the clock in bytes.
 */
bool cs_ue_log_since_start(struct cs_ue_piece line, double *ret, size_t *n_ret);

/*
 * Returns a NUL-terminated copy in UTF-8. Text that is not UTF-8 is read as Latin-1. Returns NULL
 * when memory runs out.
 */
const char *cs_ue_piece_keep(struct cs_ue_piece piece, struct cs_arena *arena);

/* Parses a decimal number and removes it from the start of the piece, or returns false. */
bool cs_ue_log_number(struct cs_ue_piece *piece, double *ret);
bool cs_ue_log_guid(struct cs_ue_piece piece, struct cs_guid *ret);
/* Parses "true", "False" and the like, and "1" and "0", which logs of 5.4 contain instead. */
bool cs_ue_log_truth(struct cs_ue_piece piece, bool *ret);
/* Returns the length of a prefix like "UEDPIE_0_" at the start of a name, or 0 if there is none. */
size_t cs_ue_log_play_prefix(struct cs_ue_piece piece);
/*
 * Returns a copy of a path or name without the prefixes that playing in the editor adds:
 * "UEDPIE_0_" before a map, "..._InstanceOf_" before a package. Sets *found_ret if there was such a
 * prefix. Returns NULL when memory runs out.
 */
const char *cs_ue_log_without_play(
	struct cs_ue_piece piece, struct cs_arena *arena, bool *found_ret);
/* Parses "IsValid=true, Min=(X=0.0 Y=0.0 Z=0.0), Max=(...)". *odd_ret says what is odd in it. */
bool cs_ue_log_box(struct cs_ue_piece piece, struct cs_box *ret, const char **odd_ret);
/* Parses "0,0,0|0,0,0|1,1,1": translation, then pitch, yaw and roll in degrees, then scale. */
bool cs_ue_log_transform(struct cs_ue_piece piece, struct cs_transform *ret);
/*
 * Parses a descriptor, "Guid:... NativeClass:... Name:... ...", and copies its texts into the
 * arena. Returns false for a line that is no descriptor. When memory runs out, returns false and
 * sets *no_memory. *odd_ret receives why a box is implausible.
 */
bool cs_ue_log_parse_desc(struct cs_ue_piece line, struct cs_arena *arena,
	struct cs_ue_log_desc *ret, const char **odd_ret, bool *no_memory);
