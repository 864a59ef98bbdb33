/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes meshes for generated worlds. Each actor that can show a mesh names one of `n` shapes, which
 * its GUID selects. The shapes are written as PLY files into a folder. Their triangle counts double
 * over six shapes, from 1000 to 32000, and then begin at 1000 again. So some shapes have one Nanite
 * page and some have many.
 */
#include "core/job.h"
#include "world/world_internal.h"

#include <cellscope/mesh.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MOST_SHAPES = 100000, FEWEST_TRIANGLES = 1000, SIZES = 6 };

static bool shows_something(const struct cs_actor *actor)
{
	return cs_box_valid(&actor->bounds) && actor->level_instance == CS_NONE &&
	       actor->hlod == CS_NONE && !(actor->flags & CS_ACTOR_EDITOR_ONLY);
}

static struct cs_error *name_shapes(struct cs_world *world, const char *folder, uint32_t n)
{
	char name[600];
	if (n == 0 || n > MOST_SHAPES)
		return cs_error_new(CS_E_LIMIT,
			"the number of generated meshes (--meshes) must be 1 to %d, not %u",
			MOST_SHAPES, n);
	uint32_t *names = malloc(n * sizeof(*names));
	for (uint32_t i = 0; names && i < n; i++) {
		snprintf(name, sizeof(name), "%.500s%sshape_%u.ply", folder, *folder ? "/" : "", i);
		names[i] = cs_strings_add_z(&world->strings, name);
		if (names[i] == CS_NONE) {
			free(names);
			names = NULL;
		}
	}
	if (!names)
		return cs_error_nomem();
	bool good = true;
	for (size_t i = 0; i < world->actors.n; i++) {
		struct cs_actor actor = cs_world_actor(world, i);
		if (!shows_something(&actor))
			continue;
		actor.mesh = names[(actor.guid.c ^ actor.guid.d) % n];
		good = good && cs_world_set_actor(world, i, &actor);
	}
	free(names);
	return good ? NULL : cs_error_nomem();
}

static struct cs_error *write_shape(
	const char *path, uint32_t index, uint64_t seed, const struct cs_job *job)
{
	static const enum cs_mesh_kind kinds[] = {
		CS_MESH_NOISE, CS_MESH_FLAT, CS_MESH_ISLANDS, CS_MESH_SEAMS};
	const struct cs_mesh_recipe recipe = {
		.kind = kinds[index % (sizeof(kinds) / sizeof(kinds[0]))],
		.triangles = FEWEST_TRIANGLES << index % SIZES,
		.seed = seed + index};
	struct cs_mesh *mesh;
	struct cs_error *error = cs_mesh_generate(&recipe, job, &mesh);
	if (error)
		return error;
	error = cs_mesh_export(mesh, job, path);
	cs_mesh_free(mesh);
	return error;
}

static struct cs_error *write_shapes(
	const char *folder, uint32_t n, uint64_t seed, const struct cs_job *job)
{
	char path[4096];
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < n; i++) {
		cs_job_progress(job, "shapes", i, n);
		if (snprintf(path, sizeof(path), "%s/shape_%u.ply", folder, i) >= (int)sizeof(path))
			return cs_error_new(CS_E_LIMIT,
				"the path of the folder of generated meshes has more than %zu "
				"bytes: %.60s...",
				sizeof(path) - sizeof("/shape_4294967295.ply"), folder);
		error = write_shape(path, i, seed, job);
		if (!error)
			error = cs_job_check(job);
	}
	return error;
}

struct cs_error *cs_world_furnish(struct cs_world *world, const char *folder, const char *name,
	uint32_t n, uint64_t seed, const struct cs_job *job)
{
	struct cs_error *error = name_shapes(world, name, n);
	if (!error && mkdir(folder, 0777) < 0 && errno != EEXIST)
		error = cs_error_errno(errno, folder, "make the folder");
	return error ? error : write_shapes(folder, n, seed, job);
}
