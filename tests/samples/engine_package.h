/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes packages as the engine's cooker leaves them, so that tests need no file of others: legacy
 * (.umap and .uexp) or Zen, with tags or without, with versions or without, of any engine whose
 * property tables are built in. What is written is told in JSON, in the form that independent
 * readers print:
 *
 *   {"package": "/Game/M", "flags": 0x20000, "exports": [{"name": "M", "cls":
 *    "/Script/Engine.World", "outer": null, "props": {"Size": 3, "Owner": "M.PersistentLevel"},
 *    "tail": {"PersistentLevel": "M.PersistentLevel"}}]}
 *
 * Objects are paths: of an export, or of what is imported. "bytes" of an export follow its tail;
 * "bulk" of the package is a list of offset, size and flags of what its .ubulk holds, from 5.2 on.
 */
#pragma once

#include "core/writer.h"
#include "ue/schema/class_schema.h"

#include <jansson.h>

struct engine_form {
	enum cs_ue_release release;
	bool zen, tagged, versioned;
	uint32_t uv_bits, uv_precision; /* of a mesh with Nanite, where not 0 */
};

struct engine_package {
	struct cs_writer header;  /* of a Zen package the whole of it */
	struct cs_writer exports; /* .uexp of a legacy one */
};

/*
 * Returns false, and prints a line on standard error, when the JSON asks for something that cannot
 * be written.
 */
bool engine_package_write(
	const json_t *package, const struct engine_form *form, struct engine_package *ret);
void engine_package_deinit(struct engine_package *package);
/* Parses JSON in which ' stands for ". */
json_t *engine_json(const char *text);
