/* SPDX-License-Identifier: Apache-2.0 */
/* Nanite resources: as the bytes are, salvaged, and with their sums made right. */
#include "tests/fuzz/fuzz.h"

#include "tests/damaged_file.h"
#include "tests/fuzz/seed_files.h"
#include "tests/unit/torus_dag.h"

#include <cellscope/paging.h>
#include <cellscope/picture.h>

const char fuzz_name[] = "Nanite resource";

static void add_torus(const struct torus *torus, void (*add)(const void *bytes, size_t size))
{
	const struct cs_nanite_options options = {
		.position_precision = CS_PRECISION_AUTO, .raw_pages = true, .no_atlas = true};
	struct seed_file file = seed_file_new("seed.cnanite");
	struct cs_nanite *resource;
	struct cs_dag dag;
	torus_dag(torus, &dag);
	if (cs_nanite_encode(&dag, &options, NULL, &resource) ||
		cs_nanite_save(resource, file.path, NULL))
		abort();
	seed_file_take(&file, add);
	cs_nanite_free(resource);
	cs_dag_deinit(&dag);
}

static unsigned char *unpacked;
static size_t unpacked_size;

static void unpack(const void *bytes, size_t size)
{
	if (container_unpack(bytes, size, &unpacked, &unpacked_size))
		abort();
}

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	const struct torus plain = {.rows = 16},
			   rich = {.rows = 8, .uvs = 2, .materials = 4, .colors = true};
	add_torus(&plain, unpack);
	add(unpacked, unpacked_size);
	free(unpacked);
	add_torus(&rich, unpack);
	add(unpacked, unpacked_size);
	free(unpacked);
}

/* Everything that an inspector does with what could be decoded. */
static struct cs_error *look(const struct cs_inspector *inspector)
{
	const struct cs_model *m = cs_inspector_at(inspector, 0);
	const struct cs_nanite_view view = {.uniform = true, .threshold = 1};
	const struct cs_picture_view from = {.yaw = 20, .colour = CS_COLOUR_PAGE};
	struct cs_model_cut cut = {0};
	struct cs_picture picture = {0};
	uint32_t *list = NULL;
	size_t n;
	struct cs_error *error = cs_model_tree(m, &list, &n);
	free(list);
	list = NULL;
	if (!error)
		error = cs_model_dependents(m, 0, CS_CLOSURE_GROUPS, &list, &n);
	free(list);
	list = NULL;
	if (!error)
		error = cs_model_closure(m, (uint32_t)m->n_pages - 1, CS_CLOSURE_LISTED, &list, &n);
	free(list);
	if (!error)
		error = cs_model_cut(m, &view, NULL, &cut);
	if (!error)
		error = cs_picture_init(16, 16, &picture);
	if (!error)
		error = cs_picture_clusters(m, cut.clusters, cut.n_clusters, &from, &picture);
	cs_picture_deinit(&picture);
	cs_model_cut_deinit(&cut);
	return error;
}

static struct cs_error *stream_pages(const struct cs_inspector *inspector)
{
	struct cs_pager *pager;
	struct cs_error *error = cs_pager_new(inspector, &pager);
	if (error)
		return error;
	error = cs_pager_input(pager, "camera A fixed 9 0 0 0 0 0 60 1080 1 0.1");
	if (!error)
		error = cs_pager_input(pager, "set latency 0");
	for (uint64_t frame = 1; !error && frame < 5; frame++)
		error = cs_pager_frame(pager, frame, frame, 1);
	cs_pager_free(pager);
	return error;
}

static struct cs_error *inspect(const struct cs_nanite *resource)
{
	struct cs_inspector *inspector;
	struct cs_model *model;
	struct cs_error *error = cs_model_of_resource(resource, "input", NULL, &model);
	if (error)
		return error;
	error = cs_inspector_new(&inspector);
	if (error) {
		cs_model_free(model);
		return error;
	}
	error = cs_inspector_add(inspector, model);
	if (!error)
		error = look(inspector);
	if (!error)
		error = stream_pages(inspector);
	cs_inspector_free(inspector);
	return error;
}

static void decode(const unsigned char *bytes, size_t size, enum cs_file_mode mode)
{
	struct cs_nanite *resource;
	struct cs_nanite_contents *contents = NULL;
	struct cs_error *error = cs_nanite_open_bytes(bytes, size, "input", mode, NULL, &resource);
	if (!error) {
		error = cs_nanite_decode(resource, NULL, &contents);
		cs_nanite_contents_free(contents);
		if (!error)
			error = inspect(resource);
		cs_nanite_free(resource);
	}
	cs_error_free(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	unsigned char *copy = malloc(size ? size : 1);
	decode(bytes, size, CS_FILE_SALVAGE);
	memcpy(copy, bytes, size);
	container_reseal(copy, size);
	decode(copy, size, CS_FILE_STRICT);
	free(copy);
	return 0;
}
