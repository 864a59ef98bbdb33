/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the commands `maps` and `package`, which inspect files of an Unreal project. */
#include "src/session/plain.h"
#include "src/session/session.h"

#include <cellscope/ue.h>

#include <string.h>
#include <sys/stat.h>

/* ---- command maps ---- */

/* Column getter: whether a map has a world partition; "unknown" if it could not be read. */
PLAIN_GETTER(map_partitioned, struct cs_ue_map_entry,
	at->readable ? cs_bool(at->partitioned) : cs_text("unknown"))

static const struct cs_column map_columns[] = {
	SHORT(struct cs_ue_map_entry, package, "long package name of the map, which --map takes"),
	SHORT_VALUE("partitioned", BOOL, map_partitioned,
		"whether the map has a world partition; unknown when the package cannot be read"),
	SHORT(struct cs_ue_map_entry, readable, "whether the package could be read"),
	PLAIN(struct cs_ue_map_entry, file, "path of the map's package"),
};

static const struct cs_table map_table = PLAIN_TABLE("maps", "map", map_columns);

static struct cs_error *run_maps(struct call *call)
{
	struct cs_ue_maps *maps;
	struct cs_error *error =
		cs_ue_list_maps(call_argument(call, 0)->text, &call->session->job, &maps);
	if (error)
		return error;
	error = emit_plain(call, &map_table, maps->maps, maps->n);
	cs_ue_maps_free(maps);
	return error;
}

const struct command command_maps = {
	.name = "maps",
	.group = GROUP_FILES,
	.flags = COMMAND_LISTS,
	.arguments = {{"PROJECT", ARGUMENT_FILE}},
	.summary = "list the maps of a project and of its plugins",
	.examples = "maps Project.uproject\nmaps Project.uproject -w partitioned",
	.help = "PROJECT is a .uproject or its folder. The column `partitioned` marks maps that\n"
		"have a world partition, and `readable` marks maps whose package could be read.\n"
		"`open PROJECT --map NAME` opens a partitioned map. NAME is a short or long\n"
		"package name, an object path or the path of the .umap.",
	.run = run_maps,
};

/* ---- command package ---- */

struct field {
	const char *rule, *name, *value;
};

/* Fields of a package in the order in which they were found. Owns copies of their texts. */
struct fields {
	CS_VEC(struct field) list;
	bool failed;
};

static bool take_field(void *context, const char *rule, const char *name, const char *value)
{
	struct fields *fields = context;
	struct field field = {strdup(rule), strdup(name), value ? strdup(value) : NULL};
	bool good = field.rule && field.name && (field.value || !value) &&
		    cs_vec_push(&fields->list, field);
	if (!good) {
		free((char *)field.rule);
		free((char *)field.name);
		free((char *)field.value);
	}
	fields->failed |= !good;
	return good;
}

static const struct cs_column field_columns[] = {
	SHORT(struct field, rule, "row of the format's description"),
	SHORT(struct field, name, "name of the field"),
	SHORT(struct field, value, "null: the value of the class applies"),
};

static const struct cs_table field_table = PLAIN_TABLE("fields", "field", field_columns);

/* Collects the fields of a package that the engine cooked, found by name in `place`. */
static struct cs_error *describe_cooked(
	struct call *call, struct cs_ue_place *place, const char *name, struct fields *fields)
{
	size_t file;
	struct cs_error *error = cs_ue_place_find(place, name, &file);
	return error ? error
		     : cs_ue_place_tell(place, file, &call->session->job, take_field, fields);
}

static struct cs_error *ue_describe(struct call *call, const char *path, struct fields *fields)
{
	struct session *session = call->session;
	struct cs_ue_place *place;
	struct stat st;
	if (session->files.opened.place && stat(path, &st) != 0)
		return describe_cooked(call, session->files.opened.place, path, fields);
	struct cs_error *error = cs_ue_describe_package(path, &session->job, take_field, fields);
	if (!error || error->code != CS_E_COOKED)
		return error;
	cs_error_free(error);
	error = cs_ue_place_open(path, NULL, &session->job, &place);
	if (error)
		return error;
	error = describe_cooked(call, place, base_name(path), fields);
	cs_ue_place_close(place);
	return error;
}

/* Runs the command `package`. On an error, prints the fields read so far to help find its cause. */
static struct cs_error *run_package(struct call *call)
{
	struct fields fields = {.failed = false};
	struct cs_error *error = ue_describe(call, call_argument(call, 0)->text, &fields);
	struct cs_error *shown = fields.failed ? cs_error_nomem() : NULL;
	if (!shown && fields.list.n > 0)
		shown = emit_plain(call, &field_table, fields.list.at, fields.list.n);
	for (size_t i = 0; i < fields.list.n; i++) {
		free((char *)fields.list.at[i].rule);
		free((char *)fields.list.at[i].name);
		free((char *)fields.list.at[i].value);
	}
	cs_vec_free(&fields.list);
	return cs_error_first(error, shown);
}

const struct command command_package = {
	.name = "package",
	.group = GROUP_FILES,
	.flags = COMMAND_LISTS,
	.arguments = {{"FILE", ARGUMENT_FILE}},
	.summary = "show the contents of an Unreal package: header, actor descriptor, properties",
	.examples = "package Content/__ExternalActors__/Maps/Valley/0/A1/B2C3.uasset",
	.help = "FILE is a file on disk. When cooked content is open, FILE can also be a path in\n"
		"it, the end of such a path, or a long package name such as /Game/Maps/X. For an\n"
		"uncooked .uasset or .umap the command prints the header and the actor\n"
		"descriptor. A field of the descriptor without a value has the default of the\n"
		"actor's class. For a cooked package it prints the header, then every property of\n"
		"every export. Of a damaged package it prints the readable part, then the error.",
	.run = run_package,
};
