/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the static meshes of a place (an opened folder or container), and opens the Nanite resource
 * of a mesh as a model. Each package is opened once. A mesh that cannot be read is listed with the
 * reason, so that a bad package does not hide others.
 */
#include "ue/nanite/cooked_nanite.h"

#include "core/error_inside.h"
#include "core/job.h"
#include "core/vec.h"

#include "ue/package/summary.h"

#include <math.h>
#include <stdlib.h>

/* The file that contains the bulk data of a package. */
struct bulk {
	const struct cs_ue_place *place;
	const struct cs_ue_cooked_package *package;
	size_t file; /* index of the .ubulk in the place's files */
	bool found;
};

static struct cs_error *read_bulk(void *context, uint64_t offset, void *ret, size_t n)
{
	const struct bulk *bulk = context;
	if (!bulk->found)
		return cs_error_at(CS_E_MISSING, bulk->package->file, CS_NO_OFFSET,
			"the streaming pages of the mesh are in a .ubulk file that does not exist: "
			"copy it beside the package");
	if (offset + n > bulk->place->files[bulk->file].size)
		return cs_error_at(CS_E_TRUNCATED, bulk->place->files[bulk->file].path,
			CS_NO_OFFSET,
			"the .ubulk ends before byte %llu, which the streaming pages of the mesh "
			"need",
			(unsigned long long)(offset + n));
	return cs_ue_place_read(bulk->place, bulk->file, offset, ret, n);
}

/* Returns E_LFS if the .ubulk is a pointer of Git LFS. Such a pointer is shorter than any page. */
static struct cs_error *refuse_pointer(const struct cs_ue_place *place, size_t file)
{
	unsigned char head[200];
	const uint64_t size = place->files[file].size;
	if (size > sizeof(head))
		return NULL;
	struct cs_error *error = cs_ue_place_read(place, file, 0, head, (size_t)size);
	return error ? error : cs_ue_refuse_pointer(head, (size_t)size, place->files[file].path);
}

static struct cs_error *find_resource(const struct cs_ue_place *place, size_t file,
	const struct cs_ue_cooked_package *package, const struct cs_ue_cooked_export *export,
	struct cs_arena *arena, struct cs_ue_nanite *ret)
{
	struct bulk bulk = {.place = place, .package = package};
	bulk.found = cs_ue_place_beside(place, file, ".ubulk", &bulk.file);
	struct cs_error *error = bulk.found ? refuse_pointer(place, bulk.file) : NULL;
	if (error)
		return error;
	return cs_ue_nanite_find(package, export, read_bulk, &bulk, arena, ret);
}

struct cs_error *cs_ue_place_open_mesh(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, struct cs_model **ret)
{
	struct cs_ue_cooked_package *package;
	struct cs_ue_nanite nanite;
	struct cs_arena arena = CS_ARENA_INIT;
	struct cs_error *error = cs_ue_cooked_package_open(place, file, job, &package);
	if (error)
		return error;
	const struct cs_ue_cooked_export *export =
		cs_ue_cooked_export_of_class(package, "StaticMesh");
	if (!export)
		error = cs_error_at(CS_E_MISSING, place->files[file].path, CS_NO_OFFSET,
			"the package contains no static mesh, so it has no Nanite mesh");
	if (!error)
		error = find_resource(place, file, package, export, &arena, &nanite);
	if (!error) {
		error = cs_ue_nanite_model(&nanite, export->name, place->files[file].path, ret);
		cs_ue_nanite_deinit(&nanite);
	}
	cs_arena_deinit(&arena);
	cs_ue_cooked_package_close(package);
	return error ? cs_error_wrap(error, "%s", place->files[file].path) : NULL;
}

/* ---- listing meshes ---- */

/* Returns the message of the innermost cause: outer errors only add the position in the file. */
static const char *reason(struct cs_arena *arena, const struct cs_error *error)
{
	while (error->cause)
		error = error->cause;
	return cs_arena_copy(arena, error->message);
}

static struct cs_error *measure(const struct cs_ue_place *place, size_t file,
	const struct cs_ue_cooked_package *package, const struct cs_ue_cooked_export *export,
	struct cs_arena *arena, struct cs_ue_mesh *row)
{
	struct cs_ue_nanite nanite;
	struct cs_arena scratch = CS_ARENA_INIT;
	struct cs_error *error = find_resource(place, file, package, export, &scratch, &nanite);
	if (!error) {
		row->nanite = true;
		row->version = cs_ue_nanite_layouts[nanite.version].name;
		row->triangles = nanite.input_triangles;
		row->vertices = nanite.input_vertices;
		row->clusters = nanite.n_clusters;
		row->pages = nanite.n_states;
		row->root_pages = nanite.n_root_pages;
		row->bytes = nanite.root_size + nanite.bulk_size;
		row->position_precision = nanite.position_precision;
		row->bytes_per_triangle = row->triangles ? (double)row->bytes / row->triangles : 0;
		cs_ue_nanite_deinit(&nanite);
	} else if (error->code == CS_E_NOMEM) {
		cs_arena_deinit(&scratch);
		return error;
	} else {
		row->problem = reason(arena, error);
		row->damaged = (error->code != CS_E_FEATURE && error->code != CS_E_MISSING) ||
			       (row->problem && strstr(row->problem, ".ubulk"));
		cs_error_free(error);
	}
	cs_arena_deinit(&scratch);
	return row->nanite || row->problem ? NULL : cs_error_nomem();
}

/* Largest number of unreadable packages to report, of perhaps thousands. All are counted. */
enum { MOST_WARNINGS = 10 };

struct listing {
	struct cs_ue_meshes out;
	struct cs_arena arena;
	cs_ue_hear_broken *hear; /* function to call for damaged packages, or NULL to log them */
	void *context;
	CS_VEC(struct cs_ue_mesh) rows;
};

static struct cs_error *look_at(struct listing *listing, const struct cs_ue_place *place,
	size_t file, const struct cs_job *job)
{
	struct cs_ue_cooked_package *package;
	struct cs_error *error = cs_ue_cooked_package_open(place, file, job, &package);
	if (error) {
		if (error->code == CS_E_NOMEM)
			return error;
		const char *why = reason(&listing->arena, error);
		const bool is_unknown = error->code == CS_E_FEATURE ||
					error->code == CS_E_VERSION || error->code == CS_E_KEY;
		if (why && listing->hear && !is_unknown)
			listing->hear(listing->context, place->files[file].path, error->code, why);
		else if (why && listing->out.unreadable < MOST_WARNINGS)
			cs_job_log(job, CS_LOG_WARNING, "%s: %s", place->files[file].path, why);
		listing->out.unreadable++;
		cs_error_free(error);
		return why ? NULL : cs_error_nomem();
	}
	listing->out.opened++;
	char why[160];
	size_t ubulk;
	const enum cs_code code =
		listing->hear ? cs_ue_bulk_problem(place, file, package, &ubulk, why) : 0;
	if (code)
		listing->hear(listing->context, place->files[ubulk].path, code, why);
	for (uint32_t i = 0; i < package->n_exports && !error; i++) {
		const struct cs_ue_cooked_export *export = &package->exports[i];
		if (strcmp(export->class_name, "StaticMesh") != 0)
			continue;
		struct cs_ue_mesh row = {.package = cs_arena_copy(&listing->arena, package->name),
			.path = cs_arena_copy(&listing->arena, place->files[file].path),
			.name = cs_arena_copy(&listing->arena, export->name),
			.triangles = CS_NONE,
			.vertices = CS_NONE,
			.clusters = CS_NONE,
			.pages = CS_NONE,
			.root_pages = CS_NONE,
			.bytes_per_triangle = NAN,
			.position_precision = NAN,
			.file = file};
		error = row.package && row.path && row.name
				? measure(place, file, package, export, &listing->arena, &row)
				: cs_error_nomem();
		if (!error && !cs_vec_push(&listing->rows, row))
			error = cs_error_nomem();
	}
	cs_ue_cooked_package_close(package);
	return error;
}

static bool can_hold_mesh(const struct cs_ue_place_file *file)
{
	bool named = cs_ends_with(file->path, ".uasset") || cs_ends_with(file->path, ".uzenasset");
	bool chunk = strcmp(file->type, "package") == 0 && strncmp(file->path, "chunk:", 6) == 0;
	return !file->hidden && (named || chunk);
}

struct cs_error *cs_ue_hear_meshes(const struct cs_ue_place *place, const struct cs_job *job,
	cs_ue_hear_broken *hear, void *context, struct cs_ue_meshes **ret)
{
	struct listing *listing = calloc(1, sizeof(*listing));
	struct cs_error *error = listing ? NULL : cs_error_nomem();
	if (listing) {
		listing->hear = hear;
		listing->context = context;
	}
	for (size_t i = 0; !error && i < place->n_files; i++) {
		error = cs_job_check(job);
		if (!error && can_hold_mesh(&place->files[i]))
			error = place->files[i].readable ? look_at(listing, place, i, job) : NULL;
		if (!error && can_hold_mesh(&place->files[i]) && !place->files[i].readable)
			listing->out.unreadable++;
		cs_job_progress(job, "meshes", i, place->n_files);
	}
	if (error) {
		cs_ue_meshes_free(listing ? &listing->out : NULL);
		return error;
	}
	listing->out.meshes = listing->rows.at;
	listing->out.n = listing->rows.n;
	*ret = &listing->out;
	return NULL;
}

struct cs_error *cs_ue_place_meshes(
	const struct cs_ue_place *place, const struct cs_job *job, struct cs_ue_meshes **ret)
{
	return cs_ue_hear_meshes(place, job, NULL, NULL, ret);
}

void cs_ue_meshes_free(struct cs_ue_meshes *meshes)
{
	struct listing *listing = (struct listing *)meshes;
	if (!listing)
		return;
	cs_vec_free(&listing->rows);
	cs_arena_deinit(&listing->arena);
	free(listing);
}
