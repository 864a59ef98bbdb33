/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Option structs as programs of other versions fill them in: shorter, with other things behind them
 * in memory; longer, with and without something in the fields that this library does not know. Of
 * public headers alone.
 */
#include <cellscope/compare.h>
#include <cellscope/cook.h>
#include <cellscope/cooked_values.h>
#include <cellscope/dag.h>
#include <cellscope/farm.h>
#include <cellscope/nanite.h>
#include <cellscope/stream.h>
#include <cellscope/ue.h>
#include <cellscope/world.h>

#include "tests/samples/tap.h"

#define BEGINS_WITH_SIZE(type) \
	_Static_assert(offsetof(struct type, size) == 0, #type " begins with its size")
BEGINS_WITH_SIZE(cs_assets_options);
BEGINS_WITH_SIZE(cs_cook_options);
BEGINS_WITH_SIZE(cs_dag_options);
BEGINS_WITH_SIZE(cs_farm_options);
BEGINS_WITH_SIZE(cs_farm_run_options);
BEGINS_WITH_SIZE(cs_nanite_options);
BEGINS_WITH_SIZE(cs_nanite_settings);
BEGINS_WITH_SIZE(cs_stream_options);
BEGINS_WITH_SIZE(cs_ue_cooked_options);
BEGINS_WITH_SIZE(cs_ue_options);

static struct cs_world *world;

static struct cs_cooked *cook_with(const void *options, enum cs_code *code_ret)
{
	struct cs_cook *cook = NULL;
	struct cs_cooked *cooked = NULL;
	unsigned char *bytes = NULL;
	size_t size;
	struct cs_error *error = cs_cook(world, options, NULL, &cook);
	if (!error)
		error = cs_cook_bytes(cook, &bytes, &size);
	if (!error)
		error = cs_cooked_open_bytes(bytes, size, "world", NULL, &cooked);
	*code_ret = error ? error->code : (enum cs_code) - 1;
	cs_error_free(error);
	cs_cook_free(cook);
	free(bytes);
	return cooked;
}

static bool cooked_as(const void *options, enum cs_trigger trigger, const char *profile)
{
	enum cs_code code;
	struct cs_cooked *cooked = cook_with(options, &code);
	bool same = cooked && cooked->world->trigger == trigger &&
		    strcmp(cs_cooked_text(cooked, cooked->world->profile), profile) == 0;
	cs_cooked_close(cooked);
	return same;
}

/* The options are of a version before `trigger`: bytes after their size are not read. */
static void test_older(void)
{
	struct cs_cook_options options = {
		offsetof(struct cs_cook_options, trigger), "5.2", CS_TRIGGER_PIE};
	ok(cooked_as(&options, CS_TRIGGER_COOK, "5.2"), "shorter: what it has counts, no more");
	options.size = sizeof(options);
	ok(cooked_as(&options, CS_TRIGGER_PIE, "5.2"), "of this size: all of it");
	options.size = 0;
	ok(cooked_as(&options, CS_TRIGGER_PIE, "5.2"), "size 0 is that of the first version");
	options.size = sizeof(options.size);
	ok(cooked_as(&options, CS_TRIGGER_COOK, "5.4"), "nothing but a size: all defaults");
	ok(cooked_as(NULL, CS_TRIGGER_COOK, "5.4"), "and NULL");
}

static void test_newer(void)
{
	struct {
		struct cs_cook_options options;
		uint64_t later;
	} newer = {{sizeof(newer), "5.2", CS_TRIGGER_COOK}, 0};
	enum cs_code code;
	ok(cooked_as(&newer, CS_TRIGGER_COOK, "5.2"), "longer, with defaults in what is new");
	newer.later = 1;
	ok(!cook_with(&newer, &code) && code == CS_E_USAGE, "and with something there: E_USAGE");
	newer.options.size = 3;
	ok(!cook_with(&newer, &code) && code == CS_E_USAGE, "shorter than a size: E_USAGE");
}

static struct cs_error *bad_frame(void *context, uint64_t frame, uint64_t time, uint64_t length)
{
	(void)frame, (void)time, (void)length;
	*(bool *)context = true;
	return NULL;
}

/*
 * The options of a stream are of the version before `companion`: a companion after their size must
 * not be called.
 */
static void test_stream(void)
{
	enum cs_code code;
	bool called = false;
	struct cs_cooked *cooked = cook_with(NULL, &code);
	struct cs_stream *stream = NULL;
	struct cs_stream_options options = {
		.size = offsetof(struct cs_stream_options, companion),
		.role = CS_ROLE_DEDICATED_SERVER,
		.companion = {.context = &called, .frame = bad_frame},
	};
	struct cs_error *error = cs_stream_new(cooked, &options, NULL, &stream);
	if (!error)
		error = cs_stream_step(stream, 3);
	ok(!error && !called, "a shorter stream has no companion");
	cs_error_free(error);
	cs_stream_free(stream);
	stream = NULL;
	options.size = sizeof(options);
	error = cs_stream_new(cooked, &options, NULL, &stream);
	if (!error)
		error = cs_stream_step(stream, 1);
	ok(!error && called, "and one of this size has");
	cs_error_free(error);
	cs_stream_free(stream);
	cs_cooked_close(cooked);
}

/*
 * The settings are of a version before coarse meshes: the bytes after their size do not ask for
 * one.
 */
static void test_settings(void)
{
	const struct cs_mesh_recipe recipe = {CS_MESH_CUBE, 12, 1};
	struct cs_nanite_settings settings = {
		.size = offsetof(struct cs_nanite_settings, coarse_part),
		.position_precision = 3,
		.coarse_part = 7,
	};
	struct cs_mesh *mesh = NULL;
	struct cs_nanite *resource = NULL;
	struct cs_error *error = cs_mesh_generate(&recipe, NULL, &mesh);
	if (!error)
		error = cs_nanite_build(mesh, &settings, NULL, NULL, &resource);
	ok(!error && cs_nanite_info(resource)->position_precision == 3,
		"shorter settings have no coarse part");
	cs_error_free(error);
	cs_nanite_free(resource);
	settings.size = sizeof(settings);
	error = mesh ? cs_nanite_build(mesh, &settings, NULL, NULL, &resource) : NULL;
	ok(error && error->code == CS_E_SETTING, "and of this size have");
	cs_error_free(error);
	cs_mesh_free(mesh);
}

static void test_defaults(void)
{
	is_int(cs_dag_options_default().size, sizeof(struct cs_dag_options), "DAG: its size");
	is_int(cs_dag_options_default().group_max, 32, "and defaults");
	is_int(cs_nanite_options_default().size, sizeof(struct cs_nanite_options),
		"resource: its size");
	is_int(cs_nanite_options_default().position_precision, CS_PRECISION_AUTO, "and defaults");
	is_int(cs_nanite_settings_default().size, sizeof(struct cs_nanite_settings),
		"settings: their size");
}

int main(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_CITY, 60, 1};
	struct cs_error *error = cs_world_generate(&recipe, NULL, &world);
	ok(!error, "a world");
	if (error)
		return done();
	test_older();
	test_newer();
	test_stream();
	test_settings();
	test_defaults();
	cs_world_free(world);
	return done();
}
