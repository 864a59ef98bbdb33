/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the two forms of a package (ue-cooked rules 2, 3), and what classes write of their own. */
#include "tests/samples/engine_values.h"

#include "core/text.h"
#include "tests/make/ue_write.h"
#include "ue/container/hash.h"
#include "ue/object/cooked_package.h"
#include "ue/package/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IMPORT = 32, WIDE_IMPORT = 40, EXPORT = 72, BULK_FROM = 1009 };
#define END_MARK 0x9e2a83c1u

/* ---- names, references ---- */

uint32_t engine_name(struct engine_writing *w, const char *text)
{
	for (size_t i = 0; i < w->names.n; i++)
		if (strcmp(w->names.at[i], text) == 0)
			return (uint32_t)i;
	char *copy = strdup(text);
	if (!copy || !cs_vec_push(&w->names, copy)) {
		free(copy);
		engine_fail(w, "no memory for", text);
		return 0;
	}
	return (uint32_t)w->names.n - 1;
}

/*
 * Returns the number after the last '_' when the name would be read back the same; SIZE_MAX when
 * there is none.
 */
static size_t split_number(const char *text, uint32_t *number_ret)
{
	const char *last = strrchr(text, '_');
	if (!last || !last[1] || strlen(last + 1) > 9 || (last[1] == '0' && last[2]) ||
		last[1 + strspn(last + 1, "0123456789")] != '\0')
		return SIZE_MAX;
	*number_ret = (uint32_t)strtoul(last + 1, NULL, 10) + 1;
	return (size_t)(last - text);
}

static void split_name(
	struct engine_writing *w, const char *text, uint32_t *index_ret, uint32_t *number_ret)
{
	*number_ret = 0;
	size_t n = split_number(text, number_ret);
	char *stem = n == SIZE_MAX ? strdup(text) : strndup(text, n);
	*index_ret = engine_name(w, stem ? stem : "");
	free(stem);
}

void engine_write_name(struct engine_writing *w, struct cs_writer *to, const char *text)
{
	uint32_t index, number;
	split_name(w, text, &index, &number);
	cs_writer_u32(to, index);
	cs_writer_u32(to, number);
}

void engine_write_string(struct cs_writer *to, const char *text)
{
	size_t n = strlen(text);
	cs_writer_u32(to, n ? (uint32_t)n + 1 : 0);
	cs_writer_bytes(to, text, n ? n + 1 : 0);
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

/* Finds the export with a path such as "M.PersistentLevel", by its outers. */
static int32_t find_export(const struct engine_writing *w, const char *path)
{
	for (size_t i = 0; i < json_array_size(w->exports); i++) {
		const json_t *export = json_array_get(w->exports, i);
		const char *outer = text_of(export, "outer"), *name = text_of(export, "name");
		size_t n = strlen(outer);
		bool below = n > 0 && strncmp(path, outer, n) == 0 && path[n] == '.';
		if (below ? strcmp(path + n + 1, name) == 0 : n == 0 && strcmp(path, name) == 0)
			return (int32_t)i + 1;
	}
	return 0;
}

static int32_t add_import(struct engine_writing *w, const char *path)
{
	for (size_t i = 0; i < w->imports.n; i++)
		if (strcmp(w->imports.at[i], path) == 0)
			return -(int32_t)i - 1;
	char *copy = strdup(path);
	if (!copy || !cs_vec_push(&w->imports, copy)) {
		free(copy);
		engine_fail(w, "no memory for", path);
	}
	return -(int32_t)w->imports.n;
}

int32_t engine_reference(struct engine_writing *w, const char *path)
{
	if (!*path)
		return 0;
	int32_t own = find_export(w, path);
	return own ? own : add_import(w, path);
}

/* ---- tails ---- */

static void write_references(
	struct engine_writing *w, struct cs_writer *to, const json_t *tail, const char *key)
{
	const json_t *list = json_object_get(tail, key);
	cs_writer_u32(to, (uint32_t)json_array_size(list));
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *path = json_string_value(json_array_get(list, i));
		cs_writer_u32(to, (uint32_t)engine_reference(w, path ? path : ""));
	}
}

static void write_reference(
	struct engine_writing *w, struct cs_writer *to, const json_t *tail, const char *key)
{
	cs_writer_u32(to, (uint32_t)engine_reference(w, text_of(tail, key)));
}

static void write_world(struct engine_writing *w, struct cs_writer *to, const json_t *tail)
{
	write_reference(w, to, tail, "PersistentLevel");
	write_references(w, to, tail, "ExtraReferencedObjects");
	write_references(w, to, tail, "StreamingLevels");
}

static void write_level(struct engine_writing *w, struct cs_writer *to, const json_t *tail)
{
	static const char nothing[105] = "";
	write_references(w, to, tail, "Actors");
	engine_write_string(to, "unreal");
	for (int i = 0; i < 3; i++) /* host, map, portal */
		engine_write_string(to, "");
	cs_writer_u32(to, 0); /* options */
	cs_writer_u32(to, 7777);
	cs_writer_u32(to, 1);
	write_reference(w, to, tail, "Model");
	write_references(w, to, tail, "ModelComponents");
	write_reference(w, to, tail, "LevelScriptActor");
	write_reference(w, to, tail, "NavListStart");
	write_reference(w, to, tail, "NavListEnd");
	cs_writer_bytes(to, nothing, sizeof(nothing)); /* precomputed visibility */
}

static void write_partition(struct engine_writing *w, struct cs_writer *to, const json_t *tail)
{
	bool cooked = json_is_true(json_object_get(tail, "bCooked"));
	cs_writer_u32(to, cooked);
	if (cooked && w->facts->main >= 74)
		write_reference(w, to, tail, "StreamingPolicy");
}

static void write_cell_data(struct engine_writing *w, struct cs_writer *to, const json_t *tail)
{
	if (w->facts->fn_main >= 111)
		engine_write_string(to, text_of(tail, "DebugName"));
}

static void write_actor(struct engine_writing *w, struct cs_writer *to, const json_t *tail)
{
	const json_t *label = json_object_get(tail, "ActorLabel");
	cs_writer_u32(to, label != NULL);
	if (label)
		engine_write_string(to, text_of(tail, "ActorLabel"));
	if (w->facts->fn_main >= 150) {
		engine_write_guid(to, text_of(tail, "ActorGuid"));
		engine_write_guid(to, text_of(tail, "ActorInstanceGuid"));
	}
}

static void write_component(struct engine_writing *w, struct cs_writer *to, const json_t *tail)
{
	(void)tail;
	if (w->facts->fn_rel >= 4)
		cs_writer_u32(to, 0);
}

static void write_mesh_component(struct engine_writing *w, struct cs_writer *to, const json_t *tail)
{
	write_component(w, to, tail);
	cs_writer_u32(to, (uint32_t)json_integer_value(json_object_get(tail, "LODData")));
	if (w->facts->fn_main >= 207) {
		cs_writer_u32(to, 1);
		cs_writer_u32(to, 0);
	}
}

static void write_tail(
	struct engine_writing *w, struct cs_writer *to, const char *class_name, const json_t *tail)
{
	static const struct {
		const char *base;
		void (*write)(struct engine_writing *, struct cs_writer *, const json_t *);
	} tails[] = {{"World", write_world}, {"Level", write_level},
		{"WorldPartition", write_partition},
		{"WorldPartitionRuntimeCellData", write_cell_data}, {"Actor", write_actor},
		{"StaticMeshComponent", write_mesh_component}, {"ActorComponent", write_component}};
	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++)
		if (cs_ue_schema_is_a(&w->schema, class_name, tails[i].base)) {
			tails[i].write(w, to, tail);
			return;
		}
}

static void write_export(struct engine_writing *w, struct cs_writer *to, const json_t *export)
{
	const char *path = text_of(export, "cls"), *dot = strrchr(path, '.');
	const char *class_name = dot ? dot + 1 : path;
	const json_t *bytes = json_object_get(export, "bytes");
	engine_write_properties(w, to, class_name, json_object_get(export, "props"));
	cs_writer_u32(to, 0); /* no GUID */
	write_tail(w, to, class_name, json_object_get(export, "tail"));
	for (size_t i = 0; i < json_array_size(bytes); i++)
		cs_writer_u8(to, (uint8_t)json_integer_value(json_array_get(bytes, i)));
}

/* ---- legacy ---- */

struct parts {
	struct cs_writer data; /* of all exports */
	size_t *ends;          /* of each export in it */
	size_t n;
	const char *name;
	uint32_t flags;
};

/*
 * Lists the parents of imports: imports are a tree of packages and objects in them. Parents are
 * added after their children.
 */
static void list_parents(struct engine_writing *w)
{
	for (size_t i = 0; i < w->imports.n; i++) {
		char *parent = strdup(w->imports.at[i]), *end;
		if (!parent)
			return;
		end = strrchr(parent, ':');
		end = end && !strchr(end, '.') ? end : strrchr(parent, '.');
		if (end) {
			*end = '\0';
			add_import(w, parent);
		}
		free(parent);
	}
}

static void write_legacy_import(struct engine_writing *w, struct cs_writer *to, const char *path)
{
	const char *colon = strrchr(path, ':'), *dot = strrchr(path, '.');
	const char *end = colon && !strchr(colon, '.') ? colon : dot;
	char *parent = end ? strndup(path, (size_t)(end - path)) : NULL;
	engine_write_name(w, to, "/Script/CoreUObject");
	engine_write_name(w, to, end ? "Class" : "Package");
	cs_writer_u32(to, (uint32_t)(parent ? add_import(w, parent) : 0));
	engine_write_name(w, to, end ? end + 1 : path);
	if (w->facts >= &cs_ue_releases[CS_UE_5_8])
		cs_writer_u64(to, 0); /* name of a package */
	cs_writer_u32(to, 0);
	free(parent);
}

static void write_legacy_export(struct engine_writing *w, struct cs_writer *to,
	const json_t *export, uint64_t offset, uint64_t size)
{
	int32_t v5 = w->facts->v5;
	cs_writer_u32(to, (uint32_t)engine_reference(w, text_of(export, "cls")));
	cs_writer_u32(to, 0);
	cs_writer_u32(to, (uint32_t)engine_reference(w, text_of(export, "template")));
	cs_writer_u32(to, (uint32_t)engine_reference(w, text_of(export, "outer")));
	engine_write_name(w, to, text_of(export, "name"));
	cs_writer_u32(to, (uint32_t)json_integer_value(json_object_get(export, "object_flags")));
	cs_writer_u64(to, size);
	cs_writer_u64(to, offset);
	for (int i = 0; i < 3; i++)
		cs_writer_u32(to, 0);
	if (v5 < 1005)
		engine_write_guid(to, NULL);
	if (v5 >= 1006)
		cs_writer_u32(to, 0);
	for (int i = 0; i < (v5 >= 1003 ? 4 : 3) + 5; i++)
		cs_writer_u32(to, 0);
	if (w->form->tagged && v5 >= 1010) {
		cs_writer_u64(to, 0);
		cs_writer_u64(to, 0);
	}
}

/*
 * Writes the bulk data of a package: its flags come first in a legacy package, last in a Zen
 * package.
 */
static void write_bulk(const struct engine_writing *w, struct cs_writer *to)
{
	const json_t *entry;
	size_t i;
	json_array_foreach (w->bulk, i, entry) {
		uint64_t offset = (uint64_t)json_integer_value(json_array_get(entry, 0));
		uint64_t size = (uint64_t)json_integer_value(json_array_get(entry, 1));
		uint32_t flags = (uint32_t)json_integer_value(json_array_get(entry, 2));
		if (!w->form->zen)
			cs_writer_u32(to, 0);
		cs_writer_u64(to, offset);
		cs_writer_u64(to, UINT64_MAX); /* no duplicate */
		cs_writer_u64(to, size);
		if (!w->form->zen) {
			cs_writer_u64(to, size);
			cs_writer_u32(to, 0);
		}
		cs_writer_u32(to, flags);
		if (w->form->zen)
			cs_writer_u32(to, 0);
	}
}

static void write_tables(struct engine_writing *w, struct cs_writer *to,
	struct cs_ue_summary *summary, const struct parts *parts)
{
	summary->names = (struct cs_ue_table){(int32_t)w->names.n, (int32_t)to->size};
	for (size_t i = 0; i < w->names.n; i++) {
		engine_write_string(to, w->names.at[i]);
		cs_writer_u32(to, 0);
	}
	summary->imports = (struct cs_ue_table){(int32_t)w->imports.n, (int32_t)to->size};
	for (size_t i = 0; i < w->imports.n; i++)
		write_legacy_import(w, to, w->imports.at[i]);
	summary->exports = (struct cs_ue_table){(int32_t)parts->n, (int32_t)to->size};
	for (size_t i = 0, at = 0; i < parts->n; at = parts->ends[i++])
		write_legacy_export(w, to, json_array_get(w->exports, i),
			(uint64_t)summary->header_size + at, parts->ends[i] - at);
	summary->depends = (int32_t)to->size;
	if (w->facts->v5 >= BULK_FROM) {
		summary->data_resources = (int32_t)to->size;
		cs_writer_u32(to, 1);
		cs_writer_u32(to, (uint32_t)json_array_size(w->bulk));
		write_bulk(w, to);
	}
}

static void custom_versions(const struct cs_ue_release_facts *facts, struct cs_writer *to)
{
	static const char *const guids[] = {"601D1886AC644F84AA16D3DE0DEAC7D6",
		"E70863686B234C5884391B7016265E91", "59DA5D5212324948B878597870B8E98B",
		"697DD581E64F41ABAA4A51ECBEB7B628"};
	const int32_t versions[] = {facts->fn_main, facts->fn_rel, facts->special, facts->main};
	for (int i = 0; i < 4; i++) {
		engine_write_guid(to, guids[i]);
		cs_writer_u32(to, (uint32_t)versions[i]);
	}
}

/* Writes the header twice, because only the second time it knows the offsets of its tables. */
static void write_header(struct engine_writing *w, const struct parts *parts,
	struct cs_ue_summary *summary, struct cs_writer *to)
{
	struct cs_writer versions = {0};
	custom_versions(w->facts, &versions);
	summary->legacy = w->facts->v5 >= 1016 ? -9 : -8;
	summary->ue4 = 522;
	summary->v5 = w->facts->v5;
	summary->flags = parts->flags | 0x80000000u;
	summary->package_name = (struct cs_ue_string){
		(const unsigned char *)parts->name, (int32_t)strlen(parts->name) + 1};
	if (w->form->versioned)
		summary->custom_versions = (struct cs_ue_list){versions.bytes, versions.size, 4};
	cs_ue_write_summary(to, summary);
	if (!w->form->versioned && to->bytes) {
		cs_store32(to->bytes + 12, 0);
		cs_store32(to->bytes + 16, 0);
	}
	write_tables(w, to, summary, parts);
	summary->header_size = (int32_t)to->size;
	cs_writer_deinit(&versions);
}

static void write_legacy(struct engine_writing *w, struct parts *parts, struct engine_package *ret)
{
	struct cs_ue_summary summary = {0};
	list_parents(w);
	for (int i = 0; i < 3; i++) { /* names and sizes are known after the first */
		cs_writer_deinit(&ret->header);
		ret->header = (struct cs_writer){0};
		write_header(w, parts, &summary, &ret->header);
	}
	ret->exports = parts->data;
	parts->data = (struct cs_writer){0};
	cs_writer_u32(&ret->exports, END_MARK);
}

/* ---- Zen ---- */

static void write_names(char *const *names, size_t n, struct cs_writer *to)
{
	size_t bytes = 0;
	cs_writer_u32(to, (uint32_t)n);
	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		bytes += strlen(names[i]);
	cs_writer_u32(to, (uint32_t)bytes);
	cs_writer_u64(to, UINT64_C(0xC1640000));
	for (size_t i = 0; i < n; i++)
		cs_writer_u64(to,
			cs_ue_name_hash((const unsigned char *)names[i], strlen(names[i]), false));
	for (size_t i = 0; i < n; i++) {
		cs_writer_u8(to, (uint8_t)(strlen(names[i]) >> 8));
		cs_writer_u8(to, (uint8_t)strlen(names[i]));
	}
	for (size_t i = 0; i < n; i++)
		cs_writer_bytes(to, names[i], strlen(names[i]));
}

/* Packages that are imported, and the public exports of each. */
struct outside {
	CS_VEC(char *) packages;
	CS_VEC(uint64_t) hashes;
};

/* Returns the index of "/Game/A.A": the number of the package, and the hash of the object in it. */
static uint64_t package_index(struct outside *outside, const char *path)
{
	const char *dot = strchr(path, '.');
	size_t n = dot ? (size_t)(dot - path) : strlen(path), row = 0;
	while (row < outside->packages.n &&
		(strlen(outside->packages.at[row]) != n ||
			strncmp(outside->packages.at[row], path, n) != 0))
		row++;
	if (row == outside->packages.n)
		(void)!cs_vec_push(&outside->packages, strndup(path, n));
	(void)!cs_vec_push(&outside->hashes, dot ? cs_ue_path_hash(dot + 1, strlen(dot + 1)) : 0);
	return UINT64_C(2) << 62 | (uint64_t)row << 32 | (outside->hashes.n - 1);
}

static uint64_t object_index(struct engine_writing *w, struct outside *outside, const char *path)
{
	int32_t own = find_export(w, path);
	if (!*path)
		return UINT64_MAX;
	if (own)
		return (uint64_t)(own - 1);
	return strncmp(path, "/Script/", 8) == 0 ? cs_ue_script_hash(path)
						 : package_index(outside, path);
}

static void write_zen_export(struct engine_writing *w, struct outside *outside,
	struct cs_writer *to, const json_t *export, uint64_t offset, uint64_t size)
{
	cs_writer_u64(to, offset);
	cs_writer_u64(to, size);
	engine_write_name(w, to, text_of(export, "name"));
	cs_writer_u64(to, object_index(w, outside, text_of(export, "outer")));
	cs_writer_u64(to, object_index(w, outside, text_of(export, "cls")));
	cs_writer_u64(to, UINT64_MAX);
	cs_writer_u64(to, object_index(w, outside, text_of(export, "template")));
	cs_writer_u64(to, 0);
	cs_writer_u32(to, (uint32_t)json_integer_value(json_object_get(export, "object_flags")));
	cs_writer_u32(to, 0);
}

struct zen_tables {
	struct cs_writer imports, exports, bundles, imported;
	struct outside outside;
};

static void fill_zen(struct engine_writing *w, const struct parts *parts, struct zen_tables *t)
{
	for (size_t i = 0; i < w->imports.n; i++)
		cs_writer_u64(&t->imports, object_index(w, &t->outside, w->imports.at[i]));
	bool relative = w->form->release >= CS_UE_5_3;
	for (size_t i = 0, at = 0; i < parts->n; at = parts->ends[i++]) {
		write_zen_export(w, &t->outside, &t->exports, json_array_get(w->exports, i),
			relative ? at : 1000000 + at, parts->ends[i] - at);
		for (uint32_t command = 0; command < 2; command++) {
			cs_writer_u32(&t->bundles, (uint32_t)i);
			cs_writer_u32(&t->bundles, command);
		}
	}
	write_names(t->outside.packages.at, t->outside.packages.n, &t->imported);
	for (size_t i = 0; i < t->outside.packages.n; i++)
		cs_writer_u32(&t->imported, 0);
}

static void zen_versions(struct engine_writing *w, struct cs_writer *to)
{
	cs_writer_u32(to, 3);
	cs_writer_u32(to, 522);
	cs_writer_u32(to, (uint32_t)w->facts->v5);
	cs_writer_u32(to, 0);
	cs_writer_u32(to, 4);
	custom_versions(w->facts, to);
}

/*
 * Writes the summary, versions, names and bulk map; `offsets` are the real offsets of the tables.
 */
static void zen_front(struct engine_writing *w, const struct parts *parts,
	const uint32_t offsets[9], struct cs_writer *to)
{
	bool new_summary = w->form->release >= CS_UE_5_3;
	cs_writer_u32(to, w->form->versioned);
	cs_writer_u32(to, offsets[8]);
	engine_write_name(w, to, parts->name);
	cs_writer_u32(to, parts->flags | 0x80000000u);
	cs_writer_u32(to, 0);
	for (int i = 0; i < (new_summary ? 7 : 5); i++)
		cs_writer_u32(to, offsets[i]);
	if (w->form->versioned)
		zen_versions(w, to);
	if (w->facts->v5 >= 1015) {
		cs_writer_u32(to, offsets[3]);
		cs_writer_u32(to, offsets[3]);
	}
	write_names(w->names.at, w->names.n, to);
	if (w->facts->v5 >= 1012)
		cs_writer_u64(to, 0);
	if (w->form->release >= CS_UE_5_2) {
		cs_writer_u64(to, 32 * json_array_size(w->bulk));
		write_bulk(w, to);
	}
}

static void join_zen(struct engine_writing *w, const struct parts *parts,
	const struct zen_tables *t, struct cs_writer *to)
{
	uint32_t offsets[9] = {0};
	struct cs_writer front = {0};
	zen_front(w, parts, offsets, &front);
	offsets[0] = (uint32_t)front.size;
	offsets[1] = offsets[0] + 8 * (uint32_t)t->outside.hashes.n;
	offsets[2] = offsets[1] + (uint32_t)t->imports.size;
	offsets[3] = offsets[2] + (uint32_t)t->exports.size;
	offsets[4] = offsets[5] = offsets[6] = offsets[3] + (uint32_t)t->bundles.size;
	offsets[8] = offsets[6] + (w->form->release >= CS_UE_5_3 ? (uint32_t)t->imported.size : 0);
	cs_writer_deinit(&front);
	zen_front(w, parts, offsets, to);
	for (size_t i = 0; i < t->outside.hashes.n; i++)
		cs_writer_u64(to, t->outside.hashes.at[i]);
	cs_writer_bytes(to, t->imports.bytes, t->imports.size);
	cs_writer_bytes(to, t->exports.bytes, t->exports.size);
	cs_writer_bytes(to, t->bundles.bytes, t->bundles.size);
	if (w->form->release >= CS_UE_5_3)
		cs_writer_bytes(to, t->imported.bytes, t->imported.size);
	cs_writer_bytes(to, parts->data.bytes, parts->data.size);
	cs_writer_u32(to, END_MARK);
}

static void write_zen(struct engine_writing *w, struct parts *parts, struct cs_writer *to)
{
	struct zen_tables t = {.imports = {0}};
	uint32_t index, number;
	split_name(w, parts->name, &index, &number);
	for (size_t i = 0; i < parts->n; i++)
		split_name(w, text_of(json_array_get(w->exports, i), "name"), &index, &number);
	fill_zen(w, parts, &t);
	join_zen(w, parts, &t, to);
	for (size_t i = 0; i < t.outside.packages.n; i++)
		free(t.outside.packages.at[i]);
	cs_vec_free(&t.outside.packages);
	cs_vec_free(&t.outside.hashes);
	cs_writer_deinit(&t.imports);
	cs_writer_deinit(&t.exports);
	cs_writer_deinit(&t.bundles);
	cs_writer_deinit(&t.imported);
}

/* ---- the whole ---- */

static void write_exports(struct engine_writing *w, struct parts *parts)
{
	for (size_t i = 0; i < parts->n; i++) {
		write_export(w, &parts->data, json_array_get(w->exports, i));
		parts->ends[i] = parts->data.size;
	}
	/* references of the tables are imports as well */
	for (size_t i = 0; i < parts->n; i++) {
		engine_reference(w, text_of(json_array_get(w->exports, i), "cls"));
		engine_reference(w, text_of(json_array_get(w->exports, i), "template"));
	}
}

static void writing_deinit(struct engine_writing *w)
{
	for (size_t i = 0; i < w->names.n; i++)
		free(w->names.at[i]);
	for (size_t i = 0; i < w->imports.n; i++)
		free(w->imports.at[i]);
	cs_vec_free(&w->names);
	cs_vec_free(&w->imports);
	cs_ue_schema_deinit(&w->schema);
}

bool engine_package_write(
	const json_t *package, const struct engine_form *form, struct engine_package *ret)
{
	struct engine_writing w = {.form = form,
		.facts = &cs_ue_releases[form->release],
		.exports = json_object_get(package, "exports"),
		.bulk = json_object_get(package, "bulk")};
	struct parts parts = {.n = json_array_size(w.exports),
		.name = text_of(package, "package"),
		.flags = (uint32_t)json_integer_value(json_object_get(package, "flags")) |
			 CS_UE_PACKAGE_COOKED | (form->tagged ? 0 : CS_UE_PACKAGE_UNVERSIONED)};
	*ret = (struct engine_package){.header = {0}};
	cs_ue_schema_init(&w.schema, form->release);
	parts.ends = calloc(parts.n + 1, sizeof(*parts.ends));
	if (!parts.ends)
		engine_fail(&w, "no memory for", parts.name);
	else
		write_exports(&w, &parts);
	if (!w.failed && form->zen)
		write_zen(&w, &parts, &ret->header);
	else if (!w.failed)
		write_legacy(&w, &parts, ret);
	if (ret->header.failed || ret->exports.failed)
		engine_fail(&w, "no memory for", parts.name);
	free(parts.ends);
	cs_writer_deinit(&parts.data);
	writing_deinit(&w);
	return !w.failed;
}

void engine_package_deinit(struct engine_package *package)
{
	cs_writer_deinit(&package->header);
	cs_writer_deinit(&package->exports);
}

json_t *engine_json(const char *text)
{
	json_error_t error;
	char *copy = strdup(text);
	for (char *at = copy; at && (at = strchr(at, '\''));)
		*at = '"';
	json_t *json = copy ? json_loads(copy, 0, &error) : NULL;
	if (copy && !json)
		fprintf(stderr, "%s at %d\n", error.text, error.position);
	free(copy);
	return json;
}
