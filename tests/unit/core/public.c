/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts that rooms have for each other: tables of words, geometry, grids, the
 * sections of a file, finding things of a run, expressions: what has no other test.
 */
#include <cellscope/cook.h>
#include <cellscope/cooked.h>
#include <cellscope/core.h>
#include <cellscope/nanite.h>
#include <cellscope/query.h>
#include <cellscope/stream.h>
#include <cellscope/ue.h>
#include <cellscope/world.h>

#include "cook/placement/grids.h"
#include "core/error_inside.h"
#include "core/geometry.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"
#include "format/reader.h"
#include "nanite/decode/decode.h"
#include "nanite/format/contents.h"
#include "query/sql/query_inside.h"
#include "stream/stream_inside.h"
#include "tests/samples/tap.h"
#include "ue/map/check_cooked.h"

#include <math.h>

/* ---- words ---- */

static bool has_words(const char *const *words, const char *first, size_t n)
{
	size_t found = 0;
	while (words[found])
		found++;
	return found == n && strcmp(words[0], first) == 0;
}

static void test_words(void)
{
	ok(has_words(cs_layer_state_names, "unloaded", 3), "states of layers");
	ok(has_words(cs_layer_type_names, cs_layer_type_names[0], 2), "types of layers");
	ok(has_words(cs_layer_filter_names, cs_layer_filter_names[0], 3), "their load filters");
	ok(cs_partition_class_names[0] && cs_default_names[0] && cs_mesh_state_names[0] &&
			cs_reference_state_names[0] && cs_repair_names[0],
		"classes of partitions, defaults, states of meshes and references, repairs");
	size_t rules = 0;
	while (cs_ue_checks[rules][0] && *cs_ue_checks[rules][1])
		rules++;
	ok(rules > 3 && !cs_ue_checks[rules][0], "%zu rules of cooked maps, with their texts",
		rules);
	is_text(cs_page_section_name(CS_SECTION_ATTRIBUTES), "attributes", "a section of a page");
}

/* ---- geometry ---- */

static void test_geometry(void)
{
	const struct cs_quat turn = cs_quat_from_euler(0, 90, 0);
	struct cs_vec3 twice = cs_quat_to_euler(cs_quat_multiply(turn, turn));
	ok(fabs(fabs(twice.y) - 180) < 1e-9, "a quarter and a quarter are a half");
	struct cs_box box = {{0, 0, 0}, {1, 1, 1}};
	ok(cs_box_is_finite(&box), "a box");
	box.max.x = INFINITY;
	ok(!cs_box_is_finite(&box), "and one without end");
}

static void test_grids(void)
{
	const struct cs_box world = {{-50000, -50000, 0}, {50000, 50000, 1000}};
	const struct cs_spatial_grid grid = cs_spatial_grid_make(3200, 0, 0, true, &world);
	int64_t x, y, x2, y2;
	ok(cs_spatial_grid_coordinates(&grid, 1, 7000, -9000, &x, &y), "a point in the grid");
	struct cs_box cell = cs_spatial_grid_cell_box(&grid, 1, x, y);
	ok(cell.min.x <= 7000 && 7000 < cell.max.x && cell.min.y <= -9000 && -9000 < cell.max.y,
		"lies in the box of its cell");
	ok(cs_spatial_grid_coordinates(&grid, 1, (cell.min.x + cell.max.x) / 2,
		   (cell.min.y + cell.max.y) / 2, &x2, &y2) &&
			x == x2 && y == y2,
		"as does the centre of it");
	ok(!cs_spatial_grid_coordinates(&grid, 0, 1e9, 0, &x, &y), "and one outside");
	const struct cs_lhgrid levels = {.cell_size = 1600, .is_2d = true};
	const struct cs_box small = {{100, 200, 0}, {300, 500, 100}};
	cell = cs_lhgrid_cell_box(&levels, cs_lhgrid_place(&levels, &small, NULL));
	ok(cell.min.x <= 100 && cell.max.x >= 300 && cell.min.y <= 200 && cell.max.y >= 500,
		"a box lies in the cell of its place");
}

/* ---- a file ---- */

static void test_file(const unsigned char *bytes, size_t size)
{
	struct cs_file *file = NULL;
	unsigned char *part;
	const void *rows;
	size_t n, read = 0, whole = 0;
	struct cs_error *error =
		cs_file_open_bytes(bytes, size, "city", CS_FILE_STRICT, NULL, &file);
	ok(!error, "a cooked world is a file");
	if (error)
		return;
	is_text(cs_file_name(file), "city", "with its name");
	for (size_t i = 0; i < file->n_sections; i++) {
		error = cs_file_read_some(file, i, NULL, &part);
		whole += !error && part;
		read += !error;
		if (!error)
			free(part);
		cs_error_free(error);
	}
	ok(read > 5 && read == file->n_sections && whole == read, "%zu sections, whole", read);
	error = cs_file_load(file, CS_TABLE_CELLS, &rows, &n);
	ok(!error && n > 0 && cs_file_row_offset(file, CS_TABLE_CELLS, 0) < size,
		"where its first row lies");
	is_text(cs_file_text(file, UINT32_MAX), "", "no text outside of the texts");
	cs_error_free(error);
	cs_file_close(file);
}

/* ---- a run ---- */

static void test_run(struct cs_cooked *cooked)
{
	struct cs_stream *stream = NULL;
	struct cs_error *error = cs_stream_new(cooked, NULL, NULL, &stream);
	ok(!error, "a run");
	if (error)
		return;
	const char *name = cs_stream_world(stream, 0).name;
	is_int(cs_stream_find_world(stream, name), 0, "its world, by name");
	is_int(cs_stream_find_world(stream, "elsewhere"), CS_NONE, "and no other");
	ok(cs_stream_partition(stream, 0).registered, "which is registered");
	cs_stream_free(stream);
}

static void test_expressions(void)
{
	struct cs_query *query = NULL;
	struct cs_expression *sum = NULL, *truth = NULL;
	struct cs_value value = {0};
	bool yes = false;
	const struct cs_parameters none = {0};
	struct cs_error *error = cs_query_new(&query);
	if (!error)
		error = cs_expression_new(query, "6 * 7", NULL, none, &sum);
	if (!error)
		error = cs_expression_value(sum, &value);
	ok(!error && value.kind == CS_KIND_INTEGER && value.integer == 42, "a value");
	if (!error)
		error = cs_expression_new(query, "'a' < 'b'", NULL, none, &truth);
	if (!error)
		error = cs_expression_is_true(truth, &yes);
	ok(!error && yes, "a truth");
	cs_error_free(error);
	cs_expression_free(sum);
	cs_expression_free(truth);
	cs_query_free(query);
}

static void test_errors(void)
{
	struct cs_error *first = cs_error_new(CS_E_USAGE, "first");
	struct cs_error *kept = cs_error_first(first, cs_error_new(CS_E_IO, "second"));
	ok(kept == first && cs_error_first(NULL, kept) == kept, "of two errors the first");
	cs_error_move(kept, 7);
	kept = cs_error_add(kept, " of %d", 2);
	ok(kept->offset == 7 && strcmp(kept->message, "first of 2") == 0,
		"at another place, with more to say");
	kept = cs_error_add(kept, "%s", "");
	is_text(kept->message, "first of 2", "or with nothing");
	ok(cs_error_add(cs_error_nomem(), " of %d", 2) == cs_error_nomem(),
		"without memory there is no more to say");
	cs_error_free(kept);
}

static struct cs_error *cook(unsigned char **bytes_ret, size_t *size_ret)
{
	const struct cs_world_recipe recipe = {CS_WORLD_CITY, 200, 3};
	struct cs_world *world;
	struct cs_cook *cook;
	struct cs_error *error = cs_world_generate(&recipe, NULL, &world);
	if (error)
		return error;
	error = cs_cook(world, NULL, NULL, &cook);
	if (!error) {
		error = cs_cook_bytes(cook, bytes_ret, size_ret);
		cs_cook_free(cook);
	}
	cs_world_free(world);
	return error;
}

int main(void)
{
	unsigned char *bytes = NULL;
	size_t size = 0;
	struct cs_cooked *cooked;
	test_words();
	test_geometry();
	test_grids();
	test_expressions();
	test_errors();
	struct cs_error *error = cook(&bytes, &size);
	ok(!error, "a world is cooked");
	if (!error) {
		test_file(bytes, size);
		error = cs_cooked_open_bytes(bytes, size, "city", NULL, &cooked);
	}
	ok(!error, "and opened");
	if (!error) {
		test_run(cooked);
		cs_cooked_close(cooked);
	}
	cs_error_free(error);
	free(bytes);
	return done();
}
