/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the fields of a single package. A user needs this if a package cannot be read. */
#include <cellscope/ue.h>

#include "core/job.h"
#include "ue/package/package.h"
#include "ue/project/actor_file.h"

#include <stdio.h>

static bool emit_string(cs_ue_emit *emit, void *context, const char *row, const char *name,
	struct cs_ue_string string)
{
	struct cs_arena arena = CS_ARENA_INIT;
	const char *text = cs_ue_text(string, &arena);
	bool going = text && emit(context, row, name, text);
	cs_arena_deinit(&arena);
	return going;
}

static bool emit_head(const struct cs_ue_head *head, cs_ue_emit *emit, void *context)
{
	char engine[CS_UE_ENGINE_TEXT], v5[16], objects[16];
	cs_ue_engine_text(&head->summary.engine, engine);
	snprintf(v5, sizeof(v5), "%d", head->summary.v5);
	snprintf(objects, sizeof(objects), "%u", head->asset.objects);
	return emit(context, "2", "saved by engine", engine) &&
	       emit(context, "2", "UE5 version", v5) &&
	       emit_string(emit, context, "2", "package name", head->summary.package_name) &&
	       emit(context, "3", "objects", objects) &&
	       emit_string(emit, context, "3", "object path", head->asset.path) &&
	       emit_string(emit, context, "3", "class", head->asset.class_name);
}

struct cs_error *cs_ue_describe_package(
	const char *path, const struct cs_job *job, cs_ue_emit *emit, void *context)
{
	struct cs_ue_reader reader = {0};
	struct cs_ue_head head;
	struct cs_arena arena = CS_ARENA_INIT;
	struct cs_ue_descriptor descriptor;
	struct cs_error *error =
		cs_ue_open_head(path, cs_job_limits(job).file_bytes, &reader, &head);
	if (!error && emit_head(&head, emit, context) && head.asset.tags[CS_UE_TAG_META_DATA].at) {
		error = cs_ue_decode_asset(&head.asset, path, &arena, &descriptor);
		if (!error)
			error = cs_ue_print_descriptor(&descriptor, emit, context);
		const struct cs_limits limits = cs_job_limits(job);
		if (!error && !descriptor.is_class)
			error = cs_ue_find_damage(path, &limits);
	}
	cs_arena_deinit(&arena);
	cs_ue_reader_deinit(&reader);
	return error;
}
