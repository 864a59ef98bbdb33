/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the command `place`: puts instances of a Nanite resource at the transforms of chosen
 * actors, or gives every actor its own mesh. Cells and pages then stream on one timeline.
 */
#include <cellscope/farm.h>

#include "src/session/session.h"

#include "core/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 1024 }; /* number of actors after which memory of the current pass is released */

static struct cs_error *place_resource(
	struct session *session, uint32_t resource, const uint32_t *actors, size_t n)
{
	struct cs_pager_instance *instances = calloc(n + 1, sizeof(*instances));
	for (size_t i = 0; instances && i < n; i++) {
		if (i % STEP == 0)
			cs_cooked_pass(session->world, CS_PASS_STEP);
		const struct cs_transform *t =
			&cs_cooked_detail(session->world, actors[i])->transform;
		instances[i] = (struct cs_pager_instance){.resource = resource,
			.rotation = t->rotation,
			.translation = t->translation,
			.scale = cs_transform_reach(t),
			.tag = actors[i]};
	}
	char *text = instances ? cs_pager_place_input(resource, instances, n) : NULL;
	struct cs_error *error = cs_cooked_failed(session->world);
	if (!error)
		error = text ? session_page_input(session, text) : cs_error_nomem();
	free(text);
	free(instances);
	return error;
}

/* ---- all meshes that actors show ---- */

/*
 * Returns the path of a mesh file relative to the current directory; the cooked world stores it
 * relative to its own folder. The caller frees it; NULL when memory runs out.
 */
static char *file_of(const struct session *session, const struct cs_cooked_mesh *mesh)
{
	const char *file = cs_cooked_text(session->world, mesh->file);
	const char *world = session->files.path;
	char *path;
	const int folder = *file != '/' ? (int)(base_name(world) - world) : 0;
	return asprintf(&path, "%.*s%s", folder, world, file) < 0 ? NULL : path;
}

struct placing {
	struct session *session;
	/* for each mesh of the world, the index of its open resource; CS_NONE = none */
	uint32_t *resources;
	CS_VEC(struct cs_model *) models;
	size_t unbuilt;
};

/* Returns the index of the open resource that was read from `path`, or CS_NONE if not open. */
static uint32_t resource_of_file(const struct cs_inspector *inspector, const char *path)
{
	const struct cs_models open = cs_inspector_models(inspector);
	for (uint32_t i = 0; i < open.n; i++)
		if (open.at[i]->path && strcmp(open.at[i]->path, path) == 0)
			return i;
	return CS_NONE;
}

static struct cs_error *instances_open_mesh(struct placing *placing, uint32_t mesh, size_t before)
{
	const struct cs_cooked_mesh *at = &placing->session->world->meshes[mesh];
	struct cs_model *model;
	char *path = file_of(placing->session, at);
	if (!path)
		return cs_error_nomem();
	uint32_t open = resource_of_file(placing->session->inspector, path);
	struct cs_error *error = NULL;
	if (open == CS_NONE)
		error = cs_model_open(path, &placing->session->job, &model);
	if (open == CS_NONE && !error) {
		open = (uint32_t)(before + placing->models.n);
		if (!cs_vec_push(&placing->models, model)) {
			cs_model_free(model);
			error = cs_error_nomem();
		}
	}
	free(path);
	placing->resources[mesh] = open;
	return error;
}

/* Opens the meshes that are not open yet. On an error none of them stays open. */
static struct cs_error *open_meshes(struct placing *placing)
{
	const struct cs_cooked *world = placing->session->world;
	const size_t before = cs_inspector_models(placing->session->inspector).n;
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < world->n_meshes; i++) {
		placing->resources[i] = CS_NONE;
		if (world->meshes[i].file)
			error = instances_open_mesh(placing, i, before);
		else
			placing->unbuilt++;
	}
	if (!error && placing->models.n > 0) {
		error = session_add_resources(
			placing->session, placing->models.at, placing->models.n);
		placing->models.n = 0;
	}
	for (size_t i = 0; i < placing->models.n; i++)
		cs_model_free(placing->models.at[i]);
	return error;
}

/*
 * For each open mesh, adds an instance at every actor that shows the mesh. `shown` is sorted by
 * mesh; `actors` is a buffer for n actors.
 */
static struct cs_error *place_shown(struct placing *placing, const struct cs_shown_mesh *shown,
	size_t n, uint32_t *actors, size_t *placed_ret)
{
	struct cs_error *error = NULL;
	*placed_ret = 0;
	for (size_t i = 0, next; !error && i < n; i = next) {
		for (next = i; next < n && shown[next].mesh == shown[i].mesh; next++)
			actors[next - i] = shown[next].actor;
		if (placing->resources[shown[i].mesh] == CS_NONE)
			continue;
		error = place_resource(
			placing->session, placing->resources[shown[i].mesh], actors, next - i);
		*placed_ret += next - i;
	}
	return error;
}

static void say_placed(struct call *call, const struct placing *placing, size_t placed)
{
	size_t meshes = placing->session->world->n_meshes - placing->unbuilt;
	say(call->out, "placed %zu mesh%s at %zu actor%s\n", meshes, meshes == 1 ? "" : "es",
		placed, plural_end(placed));
	if (placing->unbuilt > 0)
		note(call->out, "%zu of the meshes were not built: see `meshes`\n",
			placing->unbuilt);
}

static struct cs_error *place_meshes(struct call *call, uint32_t *actors, size_t n)
{
	struct session *session = call->session;
	const size_t n_meshes = session->world->n_meshes;
	struct placing placing = {.session = session};
	struct cs_shown_mesh *shown = NULL;
	size_t n_shown = 0, placed;
	if (n_meshes == 0)
		return cs_error_new(CS_E_MISSING,
			"no actor of the world names a mesh: `place RESOURCE` lets the actors "
			"show an open Nanite resource");
	placing.resources = malloc((n_meshes + 1) * sizeof(*placing.resources));
	struct cs_error *error = placing.resources ? open_meshes(&placing) : cs_error_nomem();
	if (!error && placing.unbuilt == n_meshes)
		error = cs_error_new(CS_E_MISSING,
			"none of the %zu meshes that actors name was built: cook the world with "
			"--meshes",
			n_meshes);
	if (!error)
		error = cs_assets_shown(session->world, actors, n, &shown, &n_shown);
	cs_cooked_pass(session->world, CS_PASS_BEGIN);
	if (!error)
		error = place_shown(&placing, shown, n_shown, actors, &placed);
	cs_cooked_pass(session->world, CS_PASS_END);
	if (!error)
		say_placed(call, &placing, placed);
	cs_vec_free(&placing.models);
	free(placing.resources);
	free(shown);
	return error;
}

static struct cs_error *run_place(struct call *call)
{
	struct session *session = call->session;
	const struct argument *resource = call_argument(call, 0);
	uint32_t *actors;
	size_t n;
	struct cs_error *error = call_rows(call, "actors", NULL, cs_null(), &actors, &n);
	if (error)
		return error;
	if (!resource->given) {
		error = place_meshes(call, actors, n);
	} else {
		cs_cooked_pass(session->world, CS_PASS_BEGIN);
		error = place_resource(session, resource->row, actors, n);
		cs_cooked_pass(session->world, CS_PASS_END);
		if (!error)
			say(call->out, "placed at %zu actor%s\n", n, plural_end(n));
	}
	free(actors);
	return error;
}

const struct command command_place = {
	.name = "place",
	.group = GROUP_NANITE,
	.flags = COMMAND_WORLD | COMMAND_CHANGES | COMMAND_LISTS,
	.arguments = {{"RESOURCE", ARGUMENT_RESOURCE, .optional = true}},
	.summary = "put Nanite meshes at the positions of actors and stream them with the cells",
	.examples =
		"place\nplace rock -w \"class LIKE '%Rock%'\"\nplace rock -w \"cell IS NOT NULL\" -n 5",
	.help = "After this command a run streams cells and Nanite pages together. A mesh is\n"
		"drawn while the cell of its actor is visible, and the proxy mesh of an HLOD\n"
		"actor is drawn while that actor replaces cells. Without `place` each open\n"
		"resource is drawn once, at the origin. Without RESOURCE each actor shows the\n"
		"mesh that it names, as `cook --meshes` built it. For this the command opens the\n"
		"resources that are not yet open, which restarts the run. With RESOURCE each\n"
		"actor shows that resource. -w and -n choose the actors. `why PAGE` names the\n"
		"actor that needs a page, and its cell.",
	.run = run_place,
	.lists = "actors",
};
