/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prepares a run for Nanite resources: the pager (page streaming) beside the stream (cell
 * streaming), and an empty world for a run that only streams pages. The pager is a companion of the
 * stream, so stepping, breakpoints, going back, records and hashes cover both.
 */
#include "src/session/session.h"

#include <cellscope/cook.h>

static void session_pages_tell(
	void *context, enum cs_page_event event, uint32_t resource, uint32_t page)
{
	const struct session *session = context;
	uint32_t row = resource == CS_NONE ? CS_NONE
					   : (uint32_t)cs_inspector_first(
						     session->inspector, CS_ROWS_PAGES, resource) +
						     page;
	if (session->run.stream)
		cs_stream_tell(session->run.stream, (enum cs_companion_event)event, row);
}

/*
 * Returns whether the mesh of an actor is drawn: while its cell is visible; for an HLOD proxy, only
 * while it replaces the cell that it represents. An actor without a cell is always drawn.
 */
static bool is_shown(const struct session *session, const struct cs_cooked *world, uint32_t actor)
{
	const struct cs_cooked_actor *at = cs_cooked_actor(world, actor);
	struct cs_stream_hlod_view hlod = {.state = CS_HLOD_SHOWN};
	if (at->cell == CS_NONE)
		return true;
	const struct cs_stream_cell cell = {0, at->cell};
	if (cs_stream_cell(session->run.stream, cell).state != CS_STATE_VISIBLE)
		return false;
	uint32_t mesh = at->flags & CS_ACTOR_HLOD ? cs_cooked_find_mesh(world, at->mesh) : CS_NONE;
	if (mesh != CS_NONE && world->meshes[mesh].hlod != CS_NONE)
		cs_error_free(
			cs_stream_hlod(session->run.stream, 0, world->meshes[mesh].hlod, &hlod));
	return hlod.state == CS_HLOD_SHOWN || hlod.state == CS_HLOD_OUTDATED;
}

static void show_instances(struct session *session)
{
	const struct cs_cooked *world = cs_stream_world(session->run.stream, 0).cooked;
	const struct cs_pager_instance *at;
	for (size_t i = 0; (at = cs_pager_instance_at(session->run.pager, i)) != NULL; i++)
		if (at->tag != CS_NONE && at->tag < world->n_actors)
			cs_pager_show(session->run.pager, i, is_shown(session, world, at->tag));
}

/* Moves each camera in follow mode to the streaming source that it follows. */
static void lead_cameras(struct session *session)
{
	for (size_t i = 0; i < cs_pager_view(session->run.pager).n_cameras; i++) {
		const struct cs_camera *camera = cs_pager_camera(session->run.pager, i);
		if (camera->kind != CS_CAMERA_FOLLOW)
			continue;
		size_t at = cs_stream_find_source(session->run.stream, camera->leader);
		if (at == SIZE_MAX)
			continue;
		const struct cs_stream_source *source =
			cs_stream_source_at(session->run.stream, at).source;
		cs_pager_lead(session->run.pager, i, source->location,
			cs_quat_from_euler(source->rotation.pitch, source->rotation.yaw,
				source->rotation.roll));
	}
}

static void session_pages_prepare(void *context)
{
	show_instances(context);
	lead_cameras(context);
}

struct cs_error *session_begin_pages(struct session *session, struct cs_companion *companion_ret)
{
	const struct cs_pager_owner owner = {session, session_pages_tell, session_pages_prepare};
	if (cs_inspector_models(session->inspector).n == 0)
		return NULL;
	struct cs_error *error = cs_pager_new(session->inspector, &owner, &session->run.pager);
	if (!error)
		*companion_ret = cs_pager_companion(session->run.pager);
	return error;
}

void session_end_pages(struct session *session)
{
	cs_pager_free(session->run.pager);
	session->run.pager = NULL;
}

static struct cs_error *cook_nothing(unsigned char **bytes_ret, size_t *size_ret)
{
	struct cs_world *world;
	struct cs_error *error =
		cs_world_generate(&(struct cs_world_recipe){.kind = CS_WORLD_EMPTY}, NULL, &world);
	if (error)
		return error;
	error = cs_cook_in_memory(world, NULL, NULL, bytes_ret, size_ret);
	cs_world_free(world);
	return error;
}

/*
 * Creates an empty world, over which a run of Nanite pages can start while no world is open. Its
 * tables stay in the query until another world is shown.
 */
struct cs_error *session_bare_world(struct session *session)
{
	struct opened *bare = &session->files.bare;
	size_t size = 0;
	if (bare->world)
		return NULL;
	struct cs_error *error = cook_nothing(&bare->bytes, &size);
	if (!error)
		error = cs_cooked_open_bytes(
			bare->bytes, size, "pages", &session->job, &bare->world);
	if (!error)
		error = cs_query_add_cooked(session->query, bare->world);
	return error;
}

struct cs_error *no_resource(const struct session *session)
{
	return cs_error_new(CS_E_NOTOPEN, "no Nanite resource is open%s",
		session->world && session->world->n_meshes > 0
			? ": `place` opens the resources that actors show"
			: ": `open FILE.cnanite` opens one");
}

struct cs_error *view_of_call(const struct call *call, const struct cs_model *model,
	struct cs_vec3 eye, struct cs_nanite_view *ret)
{
	const double near = call_number(call, "near", 0), fov = call_number(call, "fov", 60),
		     height = call_number(call, "height", 1080),
		     threshold = call_number(call, "threshold", 1);
	if (!(fov > 0 && fov < 180))
		return cs_error_new(
			CS_E_USAGE, "--fov must be above 0 and below 180 degrees, not %g", fov);
	if (!(height > 0 && threshold > 0))
		return cs_error_new(CS_E_USAGE, "--%s must be above 0 pixels, not %g",
			height > 0 ? "threshold" : "height", height > 0 ? threshold : height);
	if (!(near >= 0))
		return cs_error_new(CS_E_USAGE,
			"--near must be at least 0 units of the mesh, not "
			"%g",
			near);
	*ret = (struct cs_nanite_view){.eye = {eye.x, eye.y, eye.z},
		.near = near > 0 ? near : cs_model_near(model),
		.pixels = cs_nanite_pixels(fov, height),
		.threshold = threshold};
	return NULL;
}

struct cs_error *session_page_input(struct session *session, const char *text)
{
	struct cs_stream *stream;
	struct cs_error *error = session_stream(session, &stream);
	if (error)
		return error;
	if (!session->run.pager)
		return no_resource(session);
	struct cs_stream_input input = cs_input_of(CS_INPUT_COMPANION, NULL);
	input.text = text;
	return cs_stream_input(stream, &input);
}
