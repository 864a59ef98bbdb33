/* SPDX-License-Identifier: Apache-2.0 */
/* Reads actors' packages. Threads may do so at once, each with its own reader, arena and files. */
#include "ue/project/actor_file.h"

#include "core/guid.h"
#include "core/text.h"
#include "ue/package/properties.h"

struct cs_error *cs_ue_decode_asset(const struct cs_ue_asset *asset, const char *file,
	struct cs_arena *arena, struct cs_ue_descriptor *ret)
{
	struct cs_ue_string tag = asset->tags[CS_UE_TAG_META_DATA];
	if (!tag.at || tag.n <= 0)
		return cs_error_at(
			CS_E_DESCRIPTOR, file, CS_NO_OFFSET, "the package has no actor descriptor");
	size_t length = (size_t)tag.n - 1;
	unsigned char *bytes = cs_arena_alloc(arena, length / 4 * 3 + 3, 1);
	if (!bytes)
		return cs_error_nomem();
	size_t size = cs_base64_decode(tag.at, length, bytes);
	if (size == SIZE_MAX)
		return cs_error_at(CS_E_DESCRIPTOR, file, asset->meta_data_offset,
			"the actor descriptor is not valid base64");
	struct cs_cursor cursor = cs_cursor_over(bytes, size, 0, file);
	struct cs_error *inside = cs_ue_decode_descriptor(&cursor, ret);
	if (!inside)
		return NULL;
	/* convert the offset: in the file, four characters of base64 encode three bytes */
	struct cs_error *error = cs_error_at(inside->code, file,
		asset->meta_data_offset + cursor.bad_position / 3 * 4,
		"in the actor descriptor, %s", inside->message);
	cs_error_free(inside);
	return error;
}

/* Copies a string, which points into the reader's buffers, into the arena. */
static bool actor_file_keep(struct cs_ue_string *string, struct cs_arena *arena)
{
	size_t size = string->n >= 0 ? (size_t)string->n : (size_t)(-(int64_t)string->n) * 2;
	unsigned char *copy = cs_arena_alloc(arena, size, 1);
	if (copy && size)
		memcpy(copy, string->at, size);
	string->at = copy;
	return copy != NULL;
}

static struct cs_error *take_head(
	struct cs_ue_actor_file *file, const struct cs_ue_head *head, struct cs_arena *arena)
{
	file->engine = head->summary.engine;
	file->husk = head->asset.objects == 0;
	if (file->husk)
		return NULL;
	struct cs_error *error =
		cs_ue_decode_asset(&head->asset, file->path, arena, &file->descriptor);
	if (error)
		return error;
	file->newer = cs_ue_package_version_unknown(head->summary.v5) ||
		      cs_ue_versions_unknown(&file->descriptor.versions);
	file->object_path = head->asset.path;
	file->class_name = head->asset.class_name;
	return actor_file_keep(&file->object_path, arena) &&
			       actor_file_keep(&file->class_name, arena)
		       ? NULL
		       : cs_error_nomem();
}

/* ---- sources of HLOD actors ---- */

struct hlod_record {
	struct cs_ue_hlod hlod;
	bool require_warmup;
	struct cs_ue_value actors;
};

struct source_record {
	struct cs_guid instance, actor;
};

#define AT(member) offsetof(struct hlod_record, member)
static const struct cs_ue_rule hlod_rules[] = {
	{"SourceCellGuid", CS_UE_RULE_GUID, AT(hlod.source_cell), NULL},
	{"SourceCellName", CS_UE_RULE_TEXT, AT(hlod.source_cell_name), NULL},
	{"MinVisibleDistance", CS_UE_RULE_NUMBER, AT(hlod.min_visible_distance), NULL},
	{"bRequireWarmup", CS_UE_RULE_BOOL, AT(require_warmup), NULL},
	{"HLODSubActors", CS_UE_RULE_VALUE, AT(actors), NULL},
	{"SubActorsHLODLayer", CS_UE_RULE_OBJECT, AT(hlod.layer), NULL},
	/* from 5.3 on, the export of the source actors has these properties */
	{"Actors", CS_UE_RULE_VALUE, AT(actors), NULL},
	{"HLODLayer", CS_UE_RULE_OBJECT, AT(hlod.layer), NULL},
};
#undef AT

static const struct cs_ue_rule source_rules[] = {
	{"ActorInstanceGuid", CS_UE_RULE_GUID, offsetof(struct source_record, instance), NULL},
	{"ActorGuid", CS_UE_RULE_GUID, offsetof(struct source_record, actor), NULL},
};

static struct cs_error *read_sources(
	const struct cs_ue_value *actors, struct cs_arena *arena, struct cs_ue_hlod *hlod)
{
	struct cs_ue_properties properties;
	uint32_t count;
	struct cs_error *error = cs_ue_array_structs(actors, &count, &properties);
	if (error)
		return error;
	struct cs_guid *sources = CS_ARENA_ARRAY(arena, struct cs_guid, count);
	if (!sources)
		return cs_error_nomem();
	for (uint32_t i = 0; i < count && !error; i++) {
		struct source_record source = {0};
		error = cs_ue_apply(&properties, CS_UE_RULES(source_rules), &source);
		sources[i] = cs_guid_is_zero(source.instance) ? source.actor : source.instance;
	}
	hlod->sources = sources;
	hlod->n_sources = count;
	return error;
}

static struct cs_error *read_exports(struct cs_ue_package *package, struct hlod_record *record)
{
	static const char *const classes[] = {
		"WorldPartitionHLOD", "WorldPartitionHLODSourceActorsFromCell"};
	struct cs_error *error = NULL;
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]) && !error; i++) {
		const struct cs_ue_export *export = cs_ue_export_of_class(package, classes[i]);
		if (export)
			error = cs_ue_apply_export(
				package, export, CS_UE_RULES(hlod_rules), record);
	}
	return error;
}

static struct cs_error *read_actor_hlod(const char *path, const struct cs_limits *limits,
	struct cs_arena *arena, struct cs_ue_hlod *ret)
{
	struct cs_ue_package package;
	struct hlod_record record = {
		.hlod = {.source_cell_name = "", .layer = ""}, .require_warmup = true};
	struct cs_error *error = cs_ue_package_open(path, limits, &package);
	if (error)
		return error;
	error = read_exports(&package, &record);
	if (!error)
		error = read_sources(&record.actors, arena, &record.hlod);
	*ret = record.hlod;
	ret->no_warmup = !record.require_warmup;
	ret->source_cell_name = cs_arena_copy(arena, ret->source_cell_name);
	ret->layer = cs_arena_copy(arena, ret->layer);
	if (!error && (!ret->source_cell_name || !ret->layer))
		error = cs_error_nomem();
	cs_ue_package_close(&package);
	return error;
}

/* ---- reading a file ---- */

struct cs_error *cs_ue_find_damage(const char *path, const struct cs_limits *limits)
{
	struct cs_ue_package package;
	struct cs_error *error = cs_ue_package_open(path, limits, &package);
	if (error)
		return error;
	error = cs_ue_check_package(&package);
	cs_ue_package_close(&package);
	return error;
}

void cs_ue_read_actor_file(struct cs_ue_actor_file *file, struct cs_ue_reader *reader,
	struct cs_arena *arena, const struct cs_limits *limits)
{
	struct cs_source_file source;
	struct cs_ue_head head;
	file->error = cs_source_open(file->path, limits->file_bytes, &source);
	if (file->error)
		return;
	file->error = cs_ue_read_head(&source, reader, &head);
	if (!file->error)
		file->error = cs_source_unchanged(&source);
	if (!file->error)
		file->error = take_head(file, &head, arena);
	if (!file->error)
		file->damage = cs_ue_find_cut(&source, &head.summary);
	cs_source_close(&source);
	if (!file->error && !file->damage && file->whole)
		file->damage = cs_ue_find_damage(file->path, limits);
	if (file->error || file->husk || file->descriptor.tail.kind != CS_UE_TAIL_HLOD)
		return;
	struct cs_ue_hlod *hlod = CS_ARENA_NEW(arena, struct cs_ue_hlod);
	file->hlod_error =
		hlod ? read_actor_hlod(file->path, limits, arena, hlod) : cs_error_nomem();
	file->hlod = file->hlod_error ? NULL : hlod;
}
