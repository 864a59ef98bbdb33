/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements commands on the engine's cook: `files`, `find`, `extract`, `paks`, `meshes`. */
#include "src/front/open.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <cellscope/ue.h>

#include <string.h>

/*
 * Gets the folder or container that a command works on. If `named` is given, opens it into
 * *own_ret, which the caller closes. Otherwise uses what `open` opened, and *own_ret is NULL.
 */
static struct cs_error *cooked_place_of(struct call *call, const struct argument *named,
	struct cs_ue_place **ret, struct cs_ue_place **own_ret)
{
	struct session *session = call->session;
	*own_ret = NULL;
	*ret = session->files.opened.place;
	if (!named->given && !*ret)
		return cs_error_new(CS_E_NOTOPEN,
			"no content that Unreal cooked is open: name a folder or a container, or "
			"`open` one");
	if (!named->given)
		return NULL;
	struct cs_error *error =
		place_open(session, named->text, call_option(call, "key")->text, own_ret);
	*ret = *own_ret;
	return error;
}

#define KEY_OPTION                                                                               \
	{                                                                                        \
		0, "key", "KEY", ARGUMENT_WORD, "AES key of encrypted files, as 0x... or base64" \
	}

/* ---- commands files and find ---- */

PLAIN_GETTER(get_id, struct cs_ue_place_file, at->chunk == CS_NONE ? cs_null() : cs_hex(at->id, 16))

static const struct cs_column file_columns[] = {
	SHORT(struct cs_ue_place_file, path, "path below the mount point"),
	SHORT(struct cs_ue_place_file, size, "bytes, unpacked"),
	SHORT(struct cs_ue_place_file, stored, "bytes, packed"),
	SHORT(struct cs_ue_place_file, method, "compression method"),
	SHORT(struct cs_ue_place_file, readable,
		"whether the file can be read: false if packed by Oodle, or encrypted without key"),
	PLAIN(struct cs_ue_place_file, encrypted, "whether the bytes are encrypted"),
	PLAIN(struct cs_ue_place_file, type, "package, bulk, file, ..."),
	PLAIN(struct cs_ue_place_file, package, "long name of a package"),
	PLAIN(struct cs_ue_place_file, container, "container of the file, empty for a loose file"),
	PLAIN(struct cs_ue_place_file, chunk, "number in the container"),
	PLAIN_VALUE("id", HEX, get_id, "id of the chunk"),
	PLAIN(struct cs_ue_place_file, hidden, "whether a patch contains the same file"),
};

static const struct cs_table file_table = PLAIN_TABLE("files", "file", file_columns);

/* Returns whether a file's path begins with `below`, and its path or package contains `word`. */
static bool place_is_asked_for(
	const struct cs_ue_place_file *file, const char *below, const char *word)
{
	if (below && strncasecmp(file->path, below, strlen(below)) != 0)
		return false;
	return !word || strcasestr(file->path, word) || strcasestr(file->package, word);
}

static struct cs_error *emit_files(struct call *call, const struct cs_ue_place *place,
	const char *below, const char *word, size_t *n_ret)
{
	size_t n;
	const struct cs_ue_place_file *files = cs_ue_place_files(place, &n);
	CS_VEC(struct cs_ue_place_file) rows = {0};
	struct cs_error *error = NULL;
	for (size_t i = 0; i < n && !error; i++)
		if (place_is_asked_for(&files[i], below, word) && !cs_vec_push(&rows, files[i]))
			error = cs_error_nomem();
	*n_ret = rows.n;
	return emit_plain_vec(call, &file_table, rows, error);
}

static struct cs_error *run_files(struct call *call)
{
	struct cs_ue_place *place, *own;
	size_t n;
	struct cs_error *error = cooked_place_of(call, call_argument(call, 0), &place, &own);
	if (error)
		return error;
	error = emit_files(call, place, call_option(call, "below")->text, NULL, &n);
	if (!error)
		say_unreadable(place, call->out, false);
	cs_ue_place_close(own);
	return error;
}

const struct command command_files = {
	.name = "files",
	.group = GROUP_FILES,
	.flags = COMMAND_LISTS,
	.arguments = {{"PLACE", ARGUMENT_FILE, .optional = true}},
	.options = {{0, "below", "FOLDER", ARGUMENT_WORD,
			    "list only files whose column path begins with FOLDER"},
		KEY_OPTION},
	.summary = "list the files in a folder, container or .pak that Unreal cooked",
	.examples = "files Content\n"
		    "files Content -w \"size > 1e4\" -s -size\n"
		    "files Content --below Maps",
	.help = "PLACE is a folder of cooked packages or of containers, a .utoc, a .pak or one\n"
		"package (default: the content that `open` opened). The list comes from the index\n"
		"of each container, so no file is unpacked. The column `size` is the size of the\n"
		"unpacked file in bytes, and `stored` is its size in the container. The column\n"
		"`readable` marks files that can be read. To read files that Oodle compressed,\n"
		"start `cellscope --oodle LIBRARY` (help open); to read encrypted files, give\n"
		"--key. `-c path,hidden` marks files that a patch container (_P) replaces.",
	.run = run_files,
};

static struct cs_error *run_find(struct call *call)
{
	struct cs_ue_place *place, *own;
	size_t n = 0;
	struct cs_error *error = cooked_place_of(call, call_argument(call, 1), &place, &own);
	if (error)
		return error;
	error = emit_files(call, place, NULL, call_argument(call, 0)->text, &n);
	cs_ue_place_close(own);
	return error;
}

const struct command command_find_file = {
	.name = "find",
	.group = GROUP_FILES,
	.flags = COMMAND_LISTS,
	.arguments = {{"WORD", ARGUMENT_WORD}, {"PLACE", ARGUMENT_FILE, .optional = true}},
	.options = {KEY_OPTION},
	.summary = "find files in cooked content by a part of their path",
	.examples = "find Valley Content\nfind B2C3 Content -w readable",
	.help = "WORD is a part of a path or of a long package name, in upper or lower case.\n"
		"PLACE is a folder of cooked packages or of containers, a .utoc or a .pak\n"
		"(default: the content that `open` opened). The rows are those of `files` (help\n"
		"files).",
	.run = run_find,
};

static struct cs_error *run_extract(struct call *call)
{
	struct cs_ue_place *place, *own;
	const char *to = call_argument(call, 1)->text;
	size_t file, n;
	struct cs_error *error = cooked_place_of(call, call_argument(call, 2), &place, &own);
	if (error)
		return error;
	error = cs_ue_place_find(place, call_argument(call, 0)->text, &file);
	if (!error)
		error = cs_ue_place_extract(place, file, to, &call->session->job);
	if (!error)
		say(call->out, "%s: %llu bytes of %s\n", to,
			(unsigned long long)cs_ue_place_files(place, &n)[file].size,
			cs_ue_place_files(place, &n)[file].path);
	cs_ue_place_close(own);
	return error;
}

const struct command command_extract = {
	.name = "extract",
	.group = GROUP_FILES,
	.flags = COMMAND_UNSAFE,
	.arguments = {{"FILE", ARGUMENT_WORD},
		{"OUT", ARGUMENT_OUTPUT, .choices = REPLACES("text", "binary")},
		{"PLACE", ARGUMENT_FILE, .optional = true}},
	.options = {KEY_OPTION},
	.summary = "write one file of cooked content to disk, unpacked",
	.examples = "extract A1/B2C3.uasset b2c3.uasset Content",
	.help = "FILE is the path of a file in PLACE, the end of its path, or the long name of a\n"
		"package. OUT is the file to write. A package of an IoStore container keeps its\n"
		"Zen format. PLACE is a folder of cooked packages or of containers, a .utoc or a\n"
		".pak (default: the content that `open` opened).",
	.run = run_extract,
};

static const struct cs_column container_columns[] = {
	SHORT(struct cs_ue_place_container, path, "path of the container"),
	SHORT(struct cs_ue_place_container, version, "version of the container's format"),
	SHORT(struct cs_ue_place_container, files, "number of files in the container"),
	SHORT(struct cs_ue_place_container, unreadable,
		"files packed with Oodle, or encrypted without a key"),
	SHORT(struct cs_ue_place_container, mount, "mount point"),
	PLAIN(struct cs_ue_place_container, order,
		"order of patches: a file of a higher patch hides that of a lower one"),
	PLAIN(struct cs_ue_place_container, locked,
		"whether the index is encrypted and no key was given"),
	PLAIN(struct cs_ue_place_container, indexed,
		"whether the container contains the paths of its files"),
	PLAIN(struct cs_ue_place_container, pak,
		"whether the container is a .pak; otherwise it is a .utoc"),
};

static const struct cs_table container_table =
	PLAIN_TABLE("containers", "container", container_columns);

static struct cs_error *run_paks(struct call *call)
{
	struct cs_ue_place *place, *own;
	size_t n;
	struct cs_error *error = cooked_place_of(call, call_argument(call, 0), &place, &own);
	if (error)
		return error;
	const struct cs_ue_place_container *all = cs_ue_place_containers(place, &n);
	error = emit_plain(call, &container_table, all, n);
	cs_ue_place_close(own);
	return error;
}

const struct command command_paks = {
	.name = "paks",
	.group = GROUP_FILES,
	.flags = COMMAND_LISTS,
	.arguments = {{"PLACE", ARGUMENT_FILE, .optional = true}},
	.options = {KEY_OPTION},
	.summary = "list containers of cooked content: versions, mount points, unreadable files",
	.examples = "paks Content\npaks Content -w \"unreadable > 0\"",
	.help = "PLACE is a folder of cooked packages or of containers, a .utoc or a .pak\n"
		"(default: the content that `open` opened). The column `version` is the version\n"
		"of the container's format, and `mount` is the folder of the game at which the\n"
		"container is mounted. The column `unreadable` is the number of files that cannot\n"
		"be read because they are encrypted (give --key KEY) or because Oodle compressed\n"
		"them (start `cellscope --oodle LIBRARY`; help open).",
	.run = run_paks,
};

static const struct cs_column mesh_columns[] = {
	SHORT(struct cs_ue_mesh, name, "name of the mesh"),
	SHORT(struct cs_ue_mesh, triangles, "triangles of the mesh itself"),
	SHORT(struct cs_ue_mesh, pages, "number of pages of the Nanite resource of the mesh"),
	SHORT(struct cs_ue_mesh, bytes, "bytes of these pages on disk"),
	SHORT(struct cs_ue_mesh, bytes_per_triangle,
		"bytes for each triangle; -s -bytes_per_triangle lists the largest first"),
	SHORT(struct cs_ue_mesh, position_precision, "positions have a step of 2^-N cm"),
	SHORT(struct cs_ue_mesh, version, "version of the engine's format"),
	PLAIN(struct cs_ue_mesh, problem,
		"reason why there is no resource, or why it cannot be read"),
	PLAIN(struct cs_ue_mesh, vertices, "vertices of the mesh itself"),
	PLAIN(struct cs_ue_mesh, clusters, "clusters of all levels"),
	PLAIN(struct cs_ue_mesh, root_pages, "number of pages that are always in memory"),
	PLAIN(struct cs_ue_mesh, nanite, "whether the mesh has a Nanite resource"),
	PLAIN(struct cs_ue_mesh, package, "long name"),
	PLAIN(struct cs_ue_mesh, path, "path of the file"),
};

static const struct cs_table mesh_table = PLAIN_TABLE("meshes", "mesh", mesh_columns);

static struct cs_error *run_meshes(struct call *call)
{
	struct cs_ue_place *place, *own;
	struct cs_ue_meshes *meshes;
	if (!call_argument(call, 0)->given && !call->session->files.opened.place &&
		call->session->world)
		return call_list(call, "meshes");
	struct cs_error *error = cooked_place_of(call, call_argument(call, 0), &place, &own);
	if (error)
		return error;
	error = cs_ue_place_meshes(place, &call->session->job, &meshes);
	if (!error) {
		error = emit_plain(call, &mesh_table, meshes->meshes, meshes->n);
		if (!error && meshes->unreadable > 0)
			note(call->out, "%zu package%s could not be read\n", meshes->unreadable,
				plural_end(meshes->unreadable));
		if (meshes->unreadable > 0 && meshes->opened == 0)
			tally_status(&call->session->expected.tally, STATUS_NO);
		cs_ue_meshes_free(meshes);
	}
	cs_ue_place_close(own);
	return error;
}

const struct command command_meshes = {
	.name = "meshes",
	.group = GROUP_FILES,
	.flags = COMMAND_LISTS,
	.arguments = {{"PLACE", ARGUMENT_FILE, .optional = true}},
	.options = {KEY_OPTION},
	.summary = "list the meshes of the world or of cooked content, with their Nanite data",
	.examples = "meshes\nmeshes -w \"state <> 'built'\"\nmeshes Content -w nanite -s -bytes",
	.help = "Without PLACE the command lists the mesh files that actors of the open world\n"
		"name, and the proxy meshes of its HLOD actors (help cook). Values of `state`:\n"
		"  named    no cook has built the mesh\n"
		"  built    `cook --meshes` built a Nanite resource of the mesh\n"
		"  copied   the file is a Nanite resource already, which `cook --meshes` copied\n"
		"  missing  the file does not exist\n"
		"  refused  no resource can be built from the file\n\n"
		"With PLACE, or when output of Unreal's cooker is open, the command lists the\n"
		"static meshes in that output. PLACE is a folder of cooked packages or of\n"
		"containers, a .utoc or a .pak. `open MESH.uasset` opens the Nanite data of such\n"
		"a mesh as a resource, which `pages`, `clusters`, `deps` and `cut` then show.",
	.run = run_meshes,
};
