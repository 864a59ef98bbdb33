/* SPDX-License-Identifier: Apache-2.0 */
/* Field types of package summaries and actor descriptors, and functions to read and print them. */
#pragma once

#include <stdbool.h>

struct cs_cursor;
struct cs_writer;

enum cs_ue_field_type {
	CS_UE_TYPE_BOOL,
	CS_UE_TYPE_PLACEMENT, /* enum cs_ue_placed, in versions without "is spatially loaded" */
	CS_UE_TYPE_COUNT,     /* u32 */
	CS_UE_TYPE_NAME,
	CS_UE_TYPE_NAMES,
	CS_UE_TYPE_PAIRS, /* list of pairs of strings */
	CS_UE_TYPE_GUID,
	CS_UE_TYPE_GUIDS,
	CS_UE_TYPE_ASSET_PATH,
	CS_UE_TYPE_PATH_NAME, /* one string: an object path, or the name of a class */
	CS_UE_TYPE_SOFT_PATH,
	CS_UE_TYPE_TRANSFORM,
	CS_UE_TYPE_BOUNDS_F32,   /* centre and half extent, in f32 */
	CS_UE_TYPE_BOUNDS,       /* centre and half extent, in f64 */
	CS_UE_TYPE_MAYBE_BOUNDS, /* a b32 that says whether bounds follow, and then the bounds */
	CS_UE_TYPE_BOX,          /* minimum, maximum, and whether valid */
	CS_UE_TYPE_ORIENTED_BOX, /* centre, rotation, half extent, and whether valid */
	CS_UE_TYPE_U64,
	CS_UE_TYPE_TABLE, /* struct cs_ue_table: count, offset */
	CS_UE_TYPE_HASH,  /* hash of 20 bytes */
	CS_UE_TYPE_ENGINE,
	CS_UE_TYPE_VERSIONS, /* list of pairs of a GUID and an i32 */
	CS_UE_TYPE_WIDE,     /* list of elements of 8 bytes */
	CS_UE_TYPE_NUMBERS,  /* list of elements of 4 bytes */
	CS_UE_TYPES
};

/* Placement in an actor descriptor of a version without the flag "is spatially loaded". */
enum cs_ue_placed { CS_UE_PLACED_SPATIAL = 1, CS_UE_PLACED_ALWAYS_LOADED = 2 };

void cs_ue_read_field(struct cs_cursor *cursor, enum cs_ue_field_type type, void *to);
/* Prints a field of a descriptor. Does not support the types that only package summaries have. */
void cs_ue_print_field(struct cs_writer *out, enum cs_ue_field_type type, const void *from);
