/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens cooks that commands compare: files, the open world, the open world with changes. */
#include "cmds/cook/cmd_cooks.h"
#include "src/front/open.h"

#include <string.h>
#include <unistd.h>

struct cs_error *need_source(const struct session *session)
{
	const struct cs_cooked *world = session->world;
	if (!session->files.opened.source && world && world->world->flags & CS_WORLD_LOGGED)
		return cs_error_new(CS_E_COOKED,
			"the open world consists of the cells that a log lists, which cannot be "
			"cooked again: `open %s --recook` cooks the actors that the log describes",
			session->files.path);
	if (!session->files.opened.source)
		return cs_error_new(CS_E_COOKED,
			"the open world is a cooked file, which cannot be cooked again: open its "
			"source (a .uproject, JSON or a log)");
	return session->files.partition == 0
		       ? NULL
		       : cs_error_new(CS_E_USAGE,
				 "world partition %u cannot be cooked again: only partition 0, the "
				 "first world that was opened, can",
				 session->files.partition);
}

struct cs_error *whatif_new(struct session *session, struct cs_whatif **ret)
{
	struct cs_cook_options options = cook_options(session);
	struct cs_error *error = need_source(session);
	return error ? error
		     : cs_whatif_new(session->files.opened.source, session->world, &options,
			       &session->job, ret);
}

struct cs_error *cook_changed(
	struct session *session, const char *const *changes, size_t n, struct opened *ret)
{
	struct cs_whatif_world world;
	struct cs_whatif *whatif;
	struct cs_error *error = whatif_new(session, &whatif);
	if (error)
		return error;
	error = cs_whatif_cook(whatif, changes, n, &world);
	cs_whatif_free(whatif);
	if (!error)
		*ret = (struct opened){.world = world.cooked, .bytes = world.bytes};
	return error;
}

struct cs_error *open_cook(
	struct call *call, const char *const *text, struct opened *opened, struct cs_cooked **ret)
{
	struct cs_cooked *now = call->session->world;
	struct cs_error *error = NULL;
	if (strcmp(*text, "now") == 0) {
		*ret = now;
		return now ? NULL
			   : cs_error_new(CS_E_NOTOPEN, "no world is open: `open FILE` opens one");
	}
	if (!strchr(*text, '='))
		error = world_open(call->session, *text, NULL, opened);
	else if (!now)
		error = cs_error_new(CS_E_NOTOPEN,
			"'%s' is a change of the open world, but no world is open: `open FILE` "
			"opens one",
			*text);
	else
		error = cook_changed(call->session, text, 1, opened);
	*ret = opened->world;
	return error;
}

struct cs_error *path_of_option(struct call *call, const struct cs_path **ret)
{
	const struct argument *name = call_option(call, "path");
	*ret = NULL;
	if (!name->given)
		return NULL;
	const struct named_path *path = session_path(call->session, name->text);
	if (!path && access(name->text, R_OK) == 0) {
		struct cs_path *of_file;
		struct cs_error *error = cs_path_read(name->text, &of_file);
		if (!error)
			error = session_keep_path(call->session, of_file, strdup(name->text));
		if (error)
			return error;
		path = session_path(call->session, name->text);
	}
	if (!path)
		return session_no_path(name->text);
	*ret = path->path;
	return NULL;
}
