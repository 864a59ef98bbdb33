/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines the table of descriptor fields, whose rows follow ue-project-files rules 4. A descriptor
 * has a field if, for each condition of the field, the version of the custom version stream that
 * the condition names is in the given range. An "or" in the rules becomes two rows whose ranges
 * exclude each other, so that at most one of them is present.
 */
#include "ue/package/descriptor.h"

#include "core/writer.h"

#include "ue/package/field_types.h"

/* ---- the table of fields ---- */

#define AT(member) offsetof(struct cs_ue_descriptor, member)
#define T(kind)    CS_UE_TYPE_##kind
#define BOTH       CS_UE_OF_BOTH
#define ACTOR      CS_UE_OF_ACTOR
#define CLASS      CS_UE_OF_CLASS
/* clang-format off */
#define MAIN(from, below) {CS_UE_MAIN, from, below}
#define REL(from, below) {CS_UE_REL, from, below}
#define SEASON(from, below) {CS_UE_SEASON, from, below}
#define FN_MAIN(from, below) {CS_UE_FN_MAIN, from, below}

static const struct cs_ue_field fields[] = {
	{"1", "is class descriptor", T(BOOL), AT(is_class), BOTH, 0, {FN_MAIN(88, 0)}},
	{"2a", "base class", T(ASSET_PATH), AT(base_class), BOTH, 0, {SEASON(5, 0), MAIN(88, 0)}},
	{"2a", "native class", T(ASSET_PATH), AT(native_class), BOTH, 0,
		{SEASON(5, 0), MAIN(88, 0)}},
	{"2b", "base class", T(PATH_NAME), AT(base_class), BOTH, 0, {SEASON(5, 0), MAIN(0, 88)}},
	{"2b", "native class", T(PATH_NAME), AT(native_class), BOTH, 0,
		{SEASON(5, 0), MAIN(0, 88)}},
	{"2c", "native class", T(PATH_NAME), AT(native_class), BOTH, 0, {SEASON(0, 5)}},
	{"3", "actor guid", T(GUID), AT(guid), ACTOR, 0, {{0}}},
	{"3", "actor guid", T(GUID), AT(guid), CLASS, 0, {FN_MAIN(88, 100)}},
	{"4", "actor transform", T(TRANSFORM), AT(transform), ACTOR, 0, {SEASON(11, 0)}},
	{"5a", "bounds", T(BOUNDS_F32), AT(runtime), ACTOR, 0, {REL(0, 28)}},
	{"5b", "bounds", T(BOUNDS), AT(runtime), ACTOR, 0, {REL(28, 0), FN_MAIN(0, 96)}},
	{"5b", "bounds", T(MAYBE_BOUNDS), AT(runtime), ACTOR, 0, {REL(28, 0), FN_MAIN(96, 156)}},
	{"5c", "bounds", T(BOX), AT(runtime), ACTOR, 0, {FN_MAIN(156, 177)}},
	{"5c", "editor bounds", T(BOX), AT(editor), ACTOR, 0, {FN_MAIN(156, 177)}},
	{"5d", "bounds", T(ORIENTED_BOX), AT(runtime), ACTOR, 0, {FN_MAIN(177, 0)}},
	{"5d", "editor bounds", T(ORIENTED_BOX), AT(editor), ACTOR, 0, {FN_MAIN(177, 0)}},
	{"6", "spatially loaded", T(PLACEMENT), AT(spatial), BOTH, CS_DEFAULT_SPATIAL,
		{REL(0, 18), FN_MAIN(0, 88)}},
	{"6", "spatially loaded", T(BOOL), AT(spatial), BOTH, CS_DEFAULT_SPATIAL, {REL(18, 0)}},
	{"7", "runtime grid", T(NAME), AT(grid), BOTH, CS_DEFAULT_GRID, {{0}}},
	{"8", "editor only", T(BOOL), AT(editor_only), BOTH, CS_DEFAULT_EDITOR_ONLY, {{0}}},
	{"9", "runtime only", T(BOOL), AT(runtime_only), BOTH, CS_DEFAULT_RUNTIME_ONLY,
		{FN_MAIN(78, 0)}},
	{"10", "level-bounds relevant", T(BOOL), AT(level_bounds), BOTH, 0, {MAIN(0, 75)}},
	{"11", "old layers", T(NAMES), AT(old_layers), BOTH, 0, {MAIN(0, 8)}},
	{"12", "references", T(GUIDS), AT(references), BOTH, 0, {{0}}},
	{"13", "editor-only references", T(GUIDS), AT(editor_references), BOTH, 0,
		{FN_MAIN(98, 0)}},
	{"14", "tags", T(NAMES), AT(tags), BOTH, CS_DEFAULT_TAGS, {SEASON(6, 0)}},
	{"15", "actor package", T(NAME), AT(actor_package), BOTH, 0, {MAIN(0, 23)}},
	{"15", "actor path", T(PATH_NAME), AT(actor_path), BOTH, 0, {MAIN(0, 23)}},
	{"16", "data layers", T(NAMES), AT(layers), BOTH, CS_DEFAULT_LAYERS, {MAIN(8, 0)}},
	{"17", "data layers are assets", T(BOOL), AT(layers_are_assets), BOTH,
		CS_UE_STORED_LAYER_KIND, {SEASON(3, 0)}},
	{"18", "actor label", T(NAME), AT(label), BOTH, CS_DEFAULT_LABEL, {MAIN(22, 0)}},
	{"19", "HLOD relevant", T(BOOL), AT(hlod_relevant), BOTH, CS_DEFAULT_HLOD_RELEVANT,
		{MAIN(27, 0)}},
	{"19", "HLOD relevant", T(BOOL), AT(hlod_relevant), BOTH, CS_DEFAULT_HLOD_RELEVANT,
		{MAIN(0, 27), REL(2, 0)}},
	{"20", "HLOD layer", T(PATH_NAME), AT(hlod_layer), BOTH, CS_DEFAULT_HLOD_LAYER,
		{MAIN(27, 0), FN_MAIN(0, 99)}},
	{"20", "HLOD layer", T(PATH_NAME), AT(hlod_layer), BOTH, CS_DEFAULT_HLOD_LAYER,
		{MAIN(0, 27), REL(2, 0), FN_MAIN(0, 99)}},
	{"20", "HLOD layer", T(SOFT_PATH), AT(hlod_layer), BOTH, CS_DEFAULT_HLOD_LAYER,
		{MAIN(27, 0), FN_MAIN(99, 0)}},
	{"20", "HLOD layer", T(SOFT_PATH), AT(hlod_layer), BOTH, CS_DEFAULT_HLOD_LAYER,
		{MAIN(0, 27), REL(2, 0), FN_MAIN(99, 0)}},
	{"21", "folder path", T(NAME), AT(folder), ACTOR, 0, {REL(6, 0)}},
	{"22", "attach parent", T(GUID), AT(parent), ACTOR, 0, {REL(17, 0)}},
	{"23", "folder guid", T(GUID), AT(folder_guid), ACTOR, 0, {REL(21, 0)}},
	{"24", "property map", T(PAIRS), AT(properties), ACTOR, 0, {SEASON(7, 0)}},
	{"25", "content bundle", T(GUID), AT(content_bundle), BOTH, CS_DEFAULT_BUNDLE,
		{FN_MAIN(77, 0)}},
	{"26", "main world only", T(BOOL), AT(main_world_only), BOTH, CS_DEFAULT_MAIN_WORLD,
		{FN_MAIN(101, 0)}},
	{"27", "listed in outliner", T(BOOL), AT(listed), BOTH, CS_DEFAULT_LISTED, {REL(46, 0)}},
	{"28", "external data layer", T(SOFT_PATH), AT(external_layer), BOTH,
		CS_DEFAULT_EXTERNAL_LAYER, {REL(48, 0)}},
	{"29", "component descriptors", T(COUNT), AT(components), BOTH, 0, {FN_MAIN(222, 0)}},
};
/* clang-format on */
enum { N_FIELDS = sizeof(fields) / sizeof(fields[0]) };

static bool descriptor_present(
	const struct cs_ue_descriptor *descriptor, const struct cs_ue_field *field)
{
	if (field->whose != CS_UE_OF_BOTH &&
		(field->whose == CS_UE_OF_CLASS) != descriptor->is_class)
		return false;
	for (size_t i = 0; i < sizeof(field->when) / sizeof(field->when[0]); i++) {
		const struct cs_ue_condition *when = &field->when[i];
		int32_t version = descriptor->versions.of[when->stream];
		if (version < when->from || (when->below && version >= when->below))
			return false;
	}
	return true;
}

bool cs_ue_field_is_delta(
	const struct cs_ue_descriptor *descriptor, const struct cs_ue_field *field)
{
	return field->bit && descriptor->versions.of[CS_UE_FN_MAIN] >= CS_UE_DELTA_FROM;
}

const struct cs_ue_field *cs_ue_next_field(
	const struct cs_ue_descriptor *descriptor, const struct cs_ue_field *field)
{
	for (field = field ? field + 1 : fields; field < fields + N_FIELDS; field++)
		if (descriptor_present(descriptor, field))
			return field;
	return NULL;
}

/* ---- decoding and printing a descriptor ---- */

static void decode_field(struct cs_cursor *cursor, const struct cs_ue_field *field,
	struct cs_ue_descriptor *descriptor)
{
	if (cs_ue_field_is_delta(descriptor, field)) {
		uint8_t flag = cs_cursor_u8(cursor);
		if (flag > 1) {
			cursor->position--;
			cs_cursor_fail(
				cursor, CS_E_DESCRIPTOR, "the flag of a field is neither 0 nor 1");
		}
		if (flag != 1)
			return;
	}
	descriptor->stored |= field->bit;
	cs_ue_read_field(cursor, field->type, (char *)descriptor + field->offset);
}

struct cs_error *cs_ue_decode_descriptor(struct cs_cursor *cursor, struct cs_ue_descriptor *ret)
{
	struct cs_ue_descriptor descriptor = {.transform = CS_TRANSFORM_IDENTITY};
	descriptor.versions = cs_ue_read_versions(cursor);
	const char *name = "custom versions";
	const struct cs_ue_field *field = NULL;
	while (!cursor->bad && (field = cs_ue_next_field(&descriptor, field)) != NULL) {
		name = field->name;
		decode_field(cursor, field, &descriptor);
	}
	struct cs_error *error = cs_cursor_error(cursor, name);
	if (error)
		return error;
	const int32_t *of = descriptor.versions.of;
	descriptor.has_transform = !descriptor.is_class && of[CS_UE_SEASON] >= 11;
	descriptor.relative = of[CS_UE_FN_MAIN] >= 177;
	cs_ue_read_tail(cursor, &descriptor, &descriptor.tail);
	*ret = descriptor;
	return NULL;
}

struct cs_error *cs_ue_print_descriptor(
	const struct cs_ue_descriptor *descriptor, cs_ue_emit *emit, void *context)
{
	struct cs_writer out = {0};
	bool going = true;
	const struct cs_ue_field *field = NULL;
	while (going && !out.failed && (field = cs_ue_next_field(descriptor, field)) != NULL) {
		out.size = 0;
		cs_ue_print_field(&out, field->type, (const char *)descriptor + field->offset);
		cs_writer_u8(&out, 0);
		bool stored = !field->bit || (descriptor->stored & field->bit);
		going = !out.failed &&
			emit(context, field->row, field->name, stored ? (char *)out.bytes : NULL);
	}
	struct cs_error *error = out.failed ? cs_error_nomem() : NULL;
	cs_writer_deinit(&out);
	return error;
}
