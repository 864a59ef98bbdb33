/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: laying out a package. The header is written twice: once to learn how long each of its parts
 * is, which no offset changes, and once with the offsets. Layout: ue-project-files rules 2 and 3.
 */
#include "tests/make/out.h"

#include "tests/make/ue_write.h"
#include "ue/package/summary.h"

enum { UE3_VERSION = 864, UE4_VERSION = 522 };
enum { EXPORT_FLAGS = 8, CHANGELIST = 20000000 };

const struct cs_ue_engine *cs_ue_engine_named(const char *name)
{
	size_t n;
	const struct cs_ue_engine *engines = cs_ue_engines(&n);
	for (size_t i = 0; i < n; i++)
		if (cs_name_compare(engines[i].name, name) == 0)
			return &engines[i];
	return NULL;
}

struct cs_ue_out cs_ue_out_begin(const struct cs_ue_engine *engine, const char *package)
{
	struct cs_ue_out out = {.engine = engine, .arena = CS_ARENA_INIT, .lost = {.failed = true}};
	out.package = cs_arena_text(&out.arena, package, strlen(package));
	out.failed = !out.package;
	return out;
}

void cs_ue_out_deinit(struct cs_ue_out *out)
{
	for (size_t i = 0; i < out->exports.n; i++)
		cs_writer_deinit(&out->exports.at[i].body);
	for (size_t i = 0; i < out->objects.n; i++)
		cs_vec_free(&out->objects.at[i].tags);
	cs_vec_free(&out->names);
	cs_vec_free(&out->imports);
	cs_vec_free(&out->exports);
	cs_vec_free(&out->objects);
	cs_arena_deinit(&out->arena);
}

static const char *keep(struct cs_ue_out *out, const char *text, size_t length)
{
	const char *copy = cs_arena_text(&out->arena, text, length);
	out->failed |= !copy;
	return copy ? copy : "";
}

/* ---- names ---- */

static uint32_t name_index(struct cs_ue_out *out, const char *text, size_t length)
{
	for (size_t i = 0; i < out->names.n; i++)
		if (strlen(out->names.at[i]) == length &&
			memcmp(out->names.at[i], text, length) == 0)
			return (uint32_t)i;
	if (!cs_vec_push(&out->names, keep(out, text, length)))
		out->failed = true;
	return (uint32_t)out->names.n - 1;
}

/* "Actor_12" is the name Actor with the number 13; leading zeros keep the text as it is. */
static uint32_t split_number(const char *text, size_t *length)
{
	size_t n = *length, digits = 0;
	uint32_t number = 0, scale = 1;
	while (digits < 9 && digits < n && text[n - 1 - digits] >= '0' &&
		text[n - 1 - digits] <= '9') {
		number += (uint32_t)(text[n - 1 - digits] - '0') * scale;
		scale *= 10;
		digits++;
	}
	bool split = digits > 0 && n > digits + 1 && text[n - digits - 1] == '_' &&
		     (digits == 1 || text[n - digits] != '0');
	if (!split)
		return 0;
	*length = n - digits - 1;
	return number + 1;
}

void cs_ue_write_name(struct cs_ue_out *out, struct cs_writer *writer, const char *text)
{
	size_t length = strlen(text);
	uint32_t number = split_number(text, &length);
	cs_writer_u32(writer, name_index(out, text, length));
	cs_writer_u32(writer, number);
}

/* ---- objects ---- */

static int32_t find_import(const struct cs_ue_out *out, const struct cs_ue_out_import *import)
{
	for (size_t i = 0; i < out->imports.n; i++) {
		const struct cs_ue_out_import *other = &out->imports.at[i];
		if (other->outer == import->outer && strcmp(other->name, import->name) == 0 &&
			strcmp(other->class_name, import->class_name) == 0)
			return -(int32_t)i - 1;
	}
	return 0;
}

static int32_t add_import(struct cs_ue_out *out, const struct cs_ue_out_import *import)
{
	int32_t index = find_import(out, import);
	if (index != 0)
		return index;
	struct cs_ue_out_import copy = {
		.class_package = keep(out, import->class_package, strlen(import->class_package)),
		.class_name = keep(out, import->class_name, strlen(import->class_name)),
		.name = keep(out, import->name, strlen(import->name)),
		.outer = import->outer,
	};
	if (!cs_vec_push(&out->imports, copy))
		out->failed = true;
	return -(int32_t)out->imports.n;
}

int32_t cs_ue_out_import(
	struct cs_ue_out *out, const char *path, const char *class_package, const char *class_name)
{
	size_t n = strcspn(path, ".");
	struct cs_ue_out_import import = {"/Script/CoreUObject", "Package", keep(out, path, n), 0};
	int32_t outer = add_import(out, &import);
	while (path[n]) {
		path += n + 1;
		n = strcspn(path, ".:");
		import = (struct cs_ue_out_import){
			class_package, path[n] ? "Object" : class_name, keep(out, path, n), outer};
		outer = add_import(out, &import);
	}
	return outer;
}

int32_t cs_ue_out_class(struct cs_ue_out *out, const char *path)
{
	return cs_ue_out_import(out, path, "/Script/CoreUObject", "Class");
}

int32_t cs_ue_out_export(
	struct cs_ue_out *out, const char *class_path, int32_t outer, const char *name)
{
	struct cs_ue_out_export export = {
		.class_index = cs_ue_out_class(out, class_path),
		.outer = outer,
		.name = keep(out, name, strlen(name)),
	};
	if (out->engine->v5 >= 1011)
		cs_writer_u8(&export.body, 0); /* no overridden properties */
	if (!cs_vec_push(&out->exports, export)) {
		cs_writer_deinit(&export.body);
		out->failed = true;
	}
	return (int32_t)out->exports.n;
}

void cs_ue_out_set_outer(struct cs_ue_out *out, int32_t object, int32_t outer)
{
	if (object > 0 && (size_t)object <= out->exports.n)
		out->exports.at[object - 1].outer = outer;
}

void cs_ue_out_asset(struct cs_ue_out *out, const char *path, const char *class_name)
{
	struct cs_ue_out_object object = {
		.path = keep(out, path, strlen(path)),
		.class_name = keep(out, class_name, strlen(class_name)),
	};
	if (!cs_vec_push(&out->objects, object))
		out->failed = true;
}

void cs_ue_out_tag(struct cs_ue_out *out, const char *key, const char *value)
{
	struct cs_ue_out_tag tag = {keep(out, key, strlen(key)), keep(out, value, strlen(value))};
	if (out->objects.n == 0 || !cs_vec_push(&out->objects.at[out->objects.n - 1].tags, tag))
		out->failed = true;
}

/* ---- parts of the header ---- */

static void write_text(struct cs_ue_out *out, struct cs_writer *writer, const char *text)
{
	cs_ue_write_string(writer, cs_ue_string_of(text, &out->arena));
}

static void write_names(struct cs_ue_out *out, struct cs_writer *writer)
{
	for (size_t i = 0; i < out->names.n; i++) {
		write_text(out, writer, out->names.at[i]);
		cs_writer_u32(writer, 0); /* hashes, which nothing needs */
	}
}

static void write_imports(struct cs_ue_out *out, struct cs_writer *writer)
{
	for (size_t i = 0; i < out->imports.n; i++) {
		const struct cs_ue_out_import *import = &out->imports.at[i];
		cs_ue_write_name(out, writer, import->class_package);
		cs_ue_write_name(out, writer, import->class_name);
		cs_writer_u32(writer, (uint32_t)import->outer);
		cs_ue_write_name(out, writer, import->name);
		cs_ue_write_name(out, writer, "None");
		if (out->engine->v5 >= 1003)
			cs_writer_u32(writer, 0);
	}
}

static void write_export(struct cs_ue_out *out, struct cs_writer *writer,
	const struct cs_ue_out_export *export, uint64_t offset)
{
	int32_t v5 = out->engine->v5;
	cs_writer_u32(writer, (uint32_t) export->class_index);
	cs_writer_u32(writer, 0); /* super */
	cs_writer_u32(writer, 0); /* template */
	cs_writer_u32(writer, (uint32_t) export->outer);
	cs_ue_write_name(out, writer, export->name);
	cs_writer_u32(writer, EXPORT_FLAGS);
	cs_writer_u64(writer, export->body.size);
	cs_writer_u64(writer, offset);
	cs_writer_extend(writer, 12); /* forced, not for client, not for server */
	cs_writer_extend(writer, v5 < 1005 ? 16 : 0);
	cs_writer_extend(writer, v5 >= 1006 ? 4 : 0);
	cs_writer_extend(writer, 12); /* package flags, not always loaded, is asset */
	cs_writer_extend(writer, v5 >= 1003 ? 4 : 0);
	cs_writer_extend(writer, 20); /* preload dependencies */
	if (v5 >= 1010) {
		cs_writer_u64(writer, 0);
		cs_writer_u64(writer, export->body.size);
	}
}

static void write_exports(struct cs_ue_out *out, struct cs_writer *writer, uint64_t bodies)
{
	for (size_t i = 0; i < out->exports.n; i++) {
		write_export(out, writer, &out->exports.at[i], bodies);
		bodies += out->exports.at[i].body.size;
	}
}

static void write_registry(struct cs_ue_out *out, struct cs_writer *writer, uint64_t end)
{
	cs_writer_u64(writer, end);
	cs_writer_u32(writer, (uint32_t)out->objects.n);
	for (size_t i = 0; i < out->objects.n; i++) {
		const struct cs_ue_out_object *object = &out->objects.at[i];
		write_text(out, writer, object->path);
		write_text(out, writer, object->class_name);
		cs_writer_u32(writer, (uint32_t)object->tags.n);
		for (size_t k = 0; k < object->tags.n; k++) {
			write_text(out, writer, object->tags.at[k].key);
			write_text(out, writer, object->tags.at[k].value);
		}
	}
}

/* ---- all ---- */

/* Bodies must end their properties before anything is measured. */
static void close_bodies(struct cs_ue_out *out)
{
	for (size_t i = 0; i < out->exports.n; i++) {
		cs_ue_write_name(out, &out->exports.at[i].body, "None");
		out->failed |= out->exports.at[i].body.failed;
	}
}

static struct cs_ue_summary start_summary(struct cs_ue_out *out)
{
	const struct cs_ue_engine *engine = out->engine;
	struct cs_ue_engine_version version = {.major = 5,
		.minor = engine->minor,
		.patch = engine->patch,
		.changelist = CHANGELIST,
		.branch = cs_ue_string_of("++UE5+Release", &out->arena)};
	return (struct cs_ue_summary){
		.legacy = engine->legacy,
		.ue3 = UE3_VERSION,
		.ue4 = UE4_VERSION,
		.v5 = engine->v5,
		.package_name = cs_ue_string_of(out->package, &out->arena),
		.names.count = (int32_t)out->names.n,
		.imports.count = (int32_t)out->imports.n,
		.exports.count = (int32_t)out->exports.n,
		.engine = version,
		.compatible = version,
		.payloads = -1,
	};
}

/* Appends the parts behind the summary and notes in it where they begin. */
static void write_header(
	struct cs_ue_out *out, struct cs_writer *writer, struct cs_ue_summary *summary)
{
	struct cs_writer ahead = {0};
	uint64_t bodies = (uint64_t)summary->header_size;
	cs_ue_write_summary(&ahead, summary);
	size_t start = ahead.size;
	cs_writer_deinit(&ahead);
	writer->failed |= ahead.failed;
	summary->names.offset = (int32_t)(start + writer->size);
	write_names(out, writer);
	summary->imports.offset = (int32_t)(start + writer->size);
	write_imports(out, writer);
	summary->exports.offset = (int32_t)(start + writer->size);
	write_exports(out, writer, bodies);
	summary->depends = (int32_t)(start + writer->size);
	summary->registry = (int32_t)(start + writer->size);
	write_registry(out, writer, bodies);
	summary->header_size = (int32_t)(start + writer->size);
	summary->bulk_data = summary->header_size;
	for (size_t i = 0; i < out->exports.n; i++)
		summary->bulk_data += (int64_t)out->exports.at[i].body.size;
}

void cs_ue_out_finish(struct cs_ue_out *out, struct cs_writer *writer)
{
	struct cs_writer names = {0}, parts = {0};
	close_bodies(out);
	write_imports(out, &names); /* so that every name is in the table before it is counted */
	write_exports(out, &names, 0);
	cs_writer_deinit(&names);
	struct cs_ue_summary summary = start_summary(out);
	write_header(out, &parts, &summary);
	parts.size = 0;
	write_header(out, &parts, &summary);
	cs_ue_write_summary(writer, &summary);
	cs_writer_bytes(writer, parts.bytes, parts.size);
	for (size_t i = 0; i < out->exports.n; i++)
		cs_writer_bytes(
			writer, out->exports.at[i].body.bytes, out->exports.at[i].body.size);
	cs_writer_u32(writer, CS_UE_TAG);
	writer->failed |= parts.failed || out->failed;
	cs_writer_deinit(&parts);
}
