/* SPDX-License-Identifier: Apache-2.0 */
/* Nanite resources: as the bytes are, salvaged, and with their sums made right. */
#include "tests/fuzz/fuzz.h"

#include "nanite/encode/encode.h"
#include "nanite/format/contents.h"
#include "nanite/format/resource.h"
#include "nanite/inspect/model_inside.h"
#include "tests/fuzz/seed_files.h"
#include "tests/samples/damaged_file.h"
#include "tests/samples/use_model.h"
#include "tests/unit/nanite/nanite_forms.h"
#include "tests/unit/nanite/torus_dag.h"

const char fuzz_name[] = "Nanite resource";

static unsigned char *unpacked;
static size_t unpacked_size;

static void unpack(const void *bytes, size_t size)
{
	if (container_unpack(bytes, size, &unpacked, &unpacked_size))
		abort();
}

/* With raw pages, or with the dense form of pages, so that LZ4 hides neither. */
static void add_torus(
	const struct torus *torus, bool dense, void (*add)(const void *bytes, size_t size))
{
	const struct cs_nanite_options options = {
		.position_precision = CS_PRECISION_AUTO, .raw_pages = !dense, .no_atlas = true};
	struct seed_file file = seed_file_new("seed.cnanite");
	struct cs_nanite *resource, *bare = NULL;
	struct cs_dag dag;
	torus_dag(torus, &dag);
	if (cs_nanite_encode(&dag, &options, NULL, &resource))
		abort();
	if (dense)
		bare = copy_in_form(resource, FORM_BARE);
	if (cs_nanite_save(dense ? bare : resource, file.path, NULL))
		abort();
	seed_file_take(&file, unpack);
	add(unpacked, unpacked_size);
	free(unpacked);
	cs_nanite_free(bare);
	cs_nanite_free(resource);
	cs_dag_deinit(&dag);
}

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	const struct torus plain = {.rows = 16},
			   rich = {.rows = 8, .uvs = 2, .materials = 4, .colors = true};
	for (int dense = 0; dense < 2; dense++) {
		add_torus(&plain, dense, add);
		add_torus(&rich, dense, add);
	}
}

static struct cs_error *inspect(const struct cs_nanite *resource)
{
	struct cs_model *model;
	struct cs_error *error = cs_model_of_resource(resource, "input", NULL, &model);
	return error ? error : use_model(model);
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
	fuzz_note(error);
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
