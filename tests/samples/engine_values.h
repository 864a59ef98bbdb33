/* SPDX-License-Identifier: Apache-2.0 */
/* Between the writers of packages (engine_package.c) and of values (engine_values.c). */
#pragma once

#include "core/vec.h"
#include "tests/samples/engine_package.h"

/* A package that is being written: its names and imports grow as they are used. */
struct engine_writing {
	const struct engine_form *form;
	const struct cs_ue_release_facts *facts;
	const json_t *exports, *bulk;
	CS_VEC(char *) names;
	CS_VEC(char *) imports; /* whole paths */
	struct cs_ue_schema schema;
	bool failed;
};

/* Reports, once, what cannot be written. */
void engine_fail(struct engine_writing *w, const char *what, const char *which);
uint32_t engine_name(struct engine_writing *w, const char *text);
/* Writes a name as two numbers: "Cell_3" is the name Cell and 4. */
void engine_write_name(struct engine_writing *w, struct cs_writer *to, const char *text);
void engine_write_string(struct cs_writer *to, const char *text);
/* Returns the reference for a path: an export, an import, or none. */
int32_t engine_reference(struct engine_writing *w, const char *path);
void engine_write_guid(struct cs_writer *to, const char *hex);
/* Writes the properties of an object of that class, with or without tags. */
void engine_write_properties(struct engine_writing *w, struct cs_writer *to, const char *class_name,
	const json_t *properties);
