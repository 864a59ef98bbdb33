/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads that know nothing of each other do everything at once, each with threads of its own:
 * what they make is what one makes alone. Under ThreadSanitizer this is the test for races.
 */
#include "nanite/format/resource.h"
#include "tests/make/make.h"
#include "tests/samples/tap.h"

#include <cellscope/cook.h>
#include <cellscope/mesh.h>
#include <cellscope/nanite.h>
#include <cellscope/query.h>
#include <cellscope/runs.h>
#include <cellscope/world.h>

#include <pthread.h>
#include <string.h>

enum { ROUNDS = 3, SESSIONS = 2 };

struct session {
	pthread_t thread;
	struct cs_error *error;
	unsigned char *cooked;
	size_t n_cooked;
	uint64_t hash; /* of the last frame */
	int64_t cells; /* as SQL counts them */
	uint32_t vertices;
	size_t sections; /* of the resource */
};

static const struct cs_job job = {.threads = 2};

static struct cs_error *cook_world(struct session *session)
{
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, 300, 5};
	struct cs_world *world;
	struct cs_cook *cook;
	struct cs_error *error = make_test_world(&recipe, &job, &world);
	if (error)
		return error;
	error = cs_cook(world, NULL, &job, &cook);
	if (!error) {
		error = cs_cook_bytes(cook, &session->cooked, &session->n_cooked);
		cs_cook_free(cook);
	}
	cs_world_free(world);
	return error;
}

static struct cs_error *step_world(struct session *session, const struct cs_cooked *world)
{
	struct cs_stream *stream;
	struct cs_error *error = cs_stream_new(world, NULL, &job, &stream);
	if (error)
		return error;
	const struct cs_stream_source source = cs_stream_source_player("Player0");
	error = cs_stream_source_set(stream, &source);
	if (!error)
		error = cs_stream_step(stream, 40);
	if (!error)
		error = cs_stream_hash(stream, &session->hash);
	cs_stream_free(stream);
	return error;
}

static struct cs_error *ask(struct session *session, struct cs_cooked *world)
{
	struct cs_query *query;
	struct cs_result *result;
	struct cs_error *error = cs_query_new(&query);
	if (error)
		return error;
	cs_query_set_job(query, &job);
	error = cs_query_add_cooked(query, world);
	if (!error)
		error = cs_query_evaluate(query, "(SELECT count(*) FROM cells)", NULL,
			(struct cs_parameters){0}, &result);
	if (!error) {
		session->cells = cs_result_value(result, 0, 0).integer;
		cs_result_free(result);
	}
	cs_query_free(query);
	return error;
}

static struct cs_error *use_world(struct session *session)
{
	struct cs_cooked *world;
	struct cs_error *error =
		cs_cooked_open_bytes(session->cooked, session->n_cooked, "world", &job, &world);
	if (error)
		return error;
	error = step_world(session, world);
	if (!error)
		error = ask(session, world);
	cs_cooked_close(world);
	return error;
}

static struct cs_error *make_mesh(struct session *session)
{
	const struct cs_mesh_recipe recipe = {CS_MESH_NOISE, 2000, 5};
	struct cs_mesh *mesh;
	struct cs_error *error = cs_mesh_generate(&recipe, &job, &mesh);
	if (error)
		return error;
	struct cs_nanite *resource;
	struct cs_nanite_settings settings = cs_nanite_settings_default();
	session->vertices = cs_mesh_view(mesh).n_vertices;
	error = cs_nanite_build(mesh, &settings, &job, NULL, &resource);
	if (!error) {
		cs_nanite_sections(resource, &session->sections);
		cs_nanite_free(resource);
	}
	cs_mesh_free(mesh);
	return error;
}

static void *run(void *context)
{
	struct session *session = context;
	session->error = cook_world(session);
	if (!session->error)
		session->error = use_world(session);
	if (!session->error)
		session->error = make_mesh(session);
	return NULL;
}

static bool same(const struct session *left, const struct session *right)
{
	return left->n_cooked == right->n_cooked && left->hash == right->hash &&
	       left->cells == right->cells && left->sections == right->sections &&
	       left->vertices == right->vertices &&
	       memcmp(left->cooked, right->cooked, left->n_cooked) == 0;
}

static void round_of(const struct session *alone)
{
	struct session at[SESSIONS] = {{0}};
	for (int i = 0; i < SESSIONS; i++)
		pthread_create(&at[i].thread, NULL, run, &at[i]);
	for (int i = 0; i < SESSIONS; i++) {
		pthread_join(at[i].thread, NULL);
		works(at[i].error, "session %d", i);
		ok(same(&at[i], alone), "makes what one alone makes");
		free(at[i].cooked);
	}
}

int main(void)
{
	struct session alone = {0};
	run(&alone);
	works(alone.error, "one session");
	ok(alone.n_cooked > 1000 && alone.cells > 1 && alone.vertices > 100, "has done something");
	for (int i = 0; i < ROUNDS; i++)
		round_of(&alone);
	free(alone.cooked);
	return done();
}
