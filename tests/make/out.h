/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A package being written, for any engine release: names, imports, exports with tagged properties,
 * registry section. The order of calls decides the bytes. Failure is sticky: without memory every
 * call does nothing and cs_ue_out_finish says so.
 */
#pragma once

#include "core/vec.h"
#include "core/writer.h"
#include "ue/package/version.h"
#include "ue/package/wire.h"

struct cs_ue_out_import {
	const char *class_package, *class_name, *name;
	int32_t outer;
};

struct cs_ue_out_export {
	int32_t class_index, outer;
	const char *name;
	struct cs_writer body;
};

struct cs_ue_out_tag {
	const char *key, *value;
};

struct cs_ue_out_object {
	const char *path, *class_name;
	CS_VEC(struct cs_ue_out_tag) tags;
};

struct cs_ue_out {
	const struct cs_ue_engine *engine;
	const char *package;
	struct cs_arena arena;
	CS_VEC(const char *) names;
	CS_VEC(struct cs_ue_out_import) imports;
	CS_VEC(struct cs_ue_out_export) exports;
	CS_VEC(struct cs_ue_out_object) objects;
	struct cs_writer lost; /* where properties go when there is no export for them */
	bool failed;
};

/* Returns the release with this name, ignoring case, or NULL if there is none. */
const struct cs_ue_engine *cs_ue_engine_named(const char *name);
/* `package` is its long name; texts that are passed in are copied. */
struct cs_ue_out cs_ue_out_begin(const struct cs_ue_engine *engine, const char *package);
void cs_ue_out_deinit(struct cs_ue_out *out);
/* Appends the bytes of the package to `writer`, which fails when anything before did. */
void cs_ue_out_finish(struct cs_ue_out *out, struct cs_writer *writer);

/* Package indices, as UE numbers objects. A native class or an asset by its path. */
int32_t cs_ue_out_import(
	struct cs_ue_out *out, const char *path, const char *class_package, const char *class_name);
int32_t cs_ue_out_class(struct cs_ue_out *out, const char *path);
/* Adds an export, whose properties the calls below write until the next one begins. */
int32_t cs_ue_out_export(
	struct cs_ue_out *out, const char *class_path, int32_t outer, const char *name);

/* The outer of an export that was not known when it was made. */
void cs_ue_out_set_outer(struct cs_ue_out *out, int32_t object, int32_t outer);

/* The registry section. */
void cs_ue_out_asset(struct cs_ue_out *out, const char *path, const char *class_name);
void cs_ue_out_tag(struct cs_ue_out *out, const char *key, const char *value);

/* ---- tagged properties of the export made last ---- */

void cs_ue_put_bool(struct cs_ue_out *out, const char *name, bool value);
void cs_ue_put_int(struct cs_ue_out *out, const char *name, int32_t value);
void cs_ue_put_u32(struct cs_ue_out *out, const char *name, uint32_t value);
void cs_ue_put_float(struct cs_ue_out *out, const char *name, double value);
void cs_ue_put_double(struct cs_ue_out *out, const char *name, double value);
void cs_ue_put_name(struct cs_ue_out *out, const char *name, const char *value);
void cs_ue_put_text(struct cs_ue_out *out, const char *name, const char *value);
/* `value` with the name of its enum: "EDataLayerType::Runtime" */
void cs_ue_put_enum(struct cs_ue_out *out, const char *name, const char *type, const char *value);
void cs_ue_put_object(struct cs_ue_out *out, const char *name, int32_t index);
void cs_ue_put_guid(struct cs_ue_out *out, const char *name, struct cs_guid value);
void cs_ue_put_vector(struct cs_ue_out *out, const char *name, struct cs_vec3 value);
void cs_ue_put_vector2(struct cs_ue_out *out, const char *name, double x, double y);
/* 0xRRGGBB as four floats, or as one word. */
void cs_ue_put_linear_color(struct cs_ue_out *out, const char *name, uint32_t color);
void cs_ue_put_color(struct cs_ue_out *out, const char *name, uint32_t color);
void cs_ue_put_objects(
	struct cs_ue_out *out, const char *name, const int32_t *indices, uint32_t count);

/* Something that has a size which is known only at its end. */
struct cs_ue_open_value {
	size_t size_at, start;             /* of the tag's size, of the value */
	size_t inner_size_at, inner_start; /* of the inner tag of an array, 0 = none */
};

/* A struct: its properties, then cs_ue_end_struct. */
struct cs_ue_open_value cs_ue_begin_struct(
	struct cs_ue_out *out, const char *name, const char *type);
void cs_ue_end_struct(struct cs_ue_out *out, struct cs_ue_open_value value);
/* An array of structs: the properties of each, every one closed by cs_ue_end_element. */
struct cs_ue_open_value cs_ue_begin_array(
	struct cs_ue_out *out, const char *name, const char *type, uint32_t count);
void cs_ue_end_element(struct cs_ue_out *out);
void cs_ue_end_array(struct cs_ue_out *out, struct cs_ue_open_value value);

/* An FName: index into the names, which grow, and number. */
void cs_ue_write_name(struct cs_ue_out *out, struct cs_writer *writer, const char *text);
