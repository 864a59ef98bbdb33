/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An actor descriptor or class descriptor, as the engine stores it in the asset registry section of
 * a package. One table of fields (ue-project-files rules 4) serves reading and printing. All texts
 * point into the decoded bytes.
 */
#pragma once

#include <cellscope/cooked.h>
#include <cellscope/ue.h>

#include "ue/package/field_types.h"
#include "ue/package/version.h"
#include "ue/package/wire.h"

/* Bounds of an actor for all versions; cs_ue_descriptor.relative says in which space they are. */
struct cs_ue_bounds {
	struct cs_box box;     /* rotated by `rotation` about the origin, then moved by `centre` */
	struct cs_vec3 centre; /* zero if `box` already includes the position */
	struct cs_quat rotation;
	bool valid;
};

/* The kinds of tails: fields after the common ones, which depend on the native class. */
enum cs_ue_tail_kind {
	CS_UE_TAIL_NONE,
	CS_UE_TAIL_PARTITION, /* for foliage actors */
	CS_UE_TAIL_LANDSCAPE, /* the fields of CS_UE_TAIL_PARTITION, and the landscape's GUID */
	CS_UE_TAIL_LEVEL_INSTANCE,
	CS_UE_TAIL_PACKED_LEVEL,
	CS_UE_TAIL_DATA_LAYERS,
	CS_UE_TAIL_HLOD,
	CS_UE_TAIL_SPLINE,
};

/* A data layer in the list of the WorldDataLayers actor. */
struct cs_ue_layer_row {
	struct cs_ue_string name, parent, asset;
	bool uses_asset, in_filter, is_private;
};

/* Bit in `stored`, beside CS_DEFAULT_ bits: the field "data layers are assets" was stored. */
#define CS_UE_STORED_LAYER_KIND 0x80000000u

enum cs_ue_stored_tail { CS_UE_STORED_LEVEL = 1, CS_UE_STORED_BEHAVIOR = 2 };

struct cs_ue_tail {
	enum cs_ue_tail_kind kind;
	bool opaque; /* whether the tail or a part of it could not be decoded */
	uint32_t grid_size;
	int64_t grid[3];
	struct cs_guid grid_guid, landscape;
	uint32_t stored; /* bits of enum cs_ue_stored_tail for the fields that are not inherited */
	struct cs_ue_path level;
	uint8_t behavior; /* behaviour of a level instance, as the number that the engine uses */
	bool has_transform;
	struct cs_transform transform; /* transform of a level instance, only before 5.4 */
	struct cs_ue_list layers;      /* encoded data layers, read by cs_ue_read_layer_row */
};

struct cs_ue_descriptor {
	struct cs_ue_versions versions;
	uint32_t stored; /* CS_DEFAULT_ and CS_UE_STORED_ bits of fields that are not inherited */
	bool is_class;
	bool has_transform;
	bool relative; /* whether transform and bounds are relative to the attach parent */
	struct cs_ue_path base_class, native_class;
	struct cs_guid guid;
	struct cs_transform transform;
	struct cs_ue_bounds runtime, editor;
	bool spatial, editor_only, runtime_only, level_bounds, layers_are_assets, hlod_relevant,
		main_world_only, listed;
	struct cs_ue_string grid, label, folder, actor_package;
	struct cs_ue_path actor_path;
	struct cs_ue_path hlod_layer, external_layer;
	struct cs_ue_list references, editor_references; /* lists of GUIDs */
	struct cs_ue_list tags, layers, old_layers;      /* lists of strings */
	/* list of pairs of strings, where n is the number of pairs */
	struct cs_ue_list properties;
	struct cs_guid parent, folder_guid, content_bundle;
	uint32_t components;
	struct cs_ue_tail tail;
};

/* Decodes a descriptor after base64 decoding. An undecodable tail is no error but marked opaque. */
struct cs_error *cs_ue_decode_descriptor(
	struct cs_cursor *cursor, struct cs_ue_descriptor *ret) CS_MUST_USE;
/* A range of the custom version `stream`: from <= version < below. A bound of 0 does not limit. */
struct cs_ue_condition {
	enum cs_ue_stream stream;
	int32_t from, below;
};

enum cs_ue_whose { CS_UE_OF_BOTH, CS_UE_OF_ACTOR, CS_UE_OF_CLASS };

struct cs_ue_field {
	const char *row, *name;
	enum cs_ue_field_type type;
	uint32_t offset;
	enum cs_ue_whose whose;
	uint32_t bit; /* CS_DEFAULT_ bit if the value may be inherited from the class, or 0 */
	struct cs_ue_condition when[3];
};

/* Returns the field of descriptor->versions after `field` (NULL: the first), or NULL at the end. */
const struct cs_ue_field *cs_ue_next_field(
	const struct cs_ue_descriptor *descriptor, const struct cs_ue_field *field);
/* Returns whether the stored field begins with a flag that says whether a value follows. */
bool cs_ue_field_is_delta(
	const struct cs_ue_descriptor *descriptor, const struct cs_ue_field *field);
/*
 * Calls `emit` for each field of the descriptor, until it returns false. A field that is inherited
 * from the class is passed with the value NULL.
 */
struct cs_error *cs_ue_print_descriptor(
	const struct cs_ue_descriptor *descriptor, cs_ue_emit *emit, void *context) CS_MUST_USE;

enum cs_ue_transform_form { CS_UE_TRANSFORM_NONE, CS_UE_TRANSFORM_F32, CS_UE_TRANSFORM_F64 };

struct cs_ue_level_layout {
	bool delta;     /* whether values may be inherited from the class */
	bool soft_path; /* whether the level is stored as a soft path and not as a package name */
	bool behavior;  /* whether the tail has the behaviour: not in packed levels from 5.3 on */
	enum cs_ue_transform_form transform;
};

struct cs_ue_level_layout cs_ue_level_layout(const struct cs_ue_descriptor *descriptor);

/* Reads a descriptor's tail: fields that only some classes have, after those that all have. */
void cs_ue_read_tail(struct cs_cursor *cursor, const struct cs_ue_descriptor *descriptor,
	struct cs_ue_tail *ret);
enum cs_ue_tail_kind cs_ue_tail_kind(const struct cs_ue_descriptor *descriptor);
struct cs_ue_layer_row cs_ue_read_layer_row(
	struct cs_cursor *cursor, const struct cs_ue_versions *versions);
