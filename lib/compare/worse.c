/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes which measures of a world got worse from one cook to another. Of each measure less is
 * better, and a project can set budgets for the measures. One table lists name, unit and function
 * of each measure. A measure that a cook has no data for is unknown (NAN); an unknown measure is
 * never worse.
 */
#include <cellscope/compare.h>

#include "core/geometry.h"
#include "core/json.h"
#include "core/sort.h"
#include "core/vec.h"
#include "format/byte_source.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"

#include <math.h>
#include <stddef.h>

struct measured {
	double value; /* NAN = unknown */
	uint32_t cell;
};

typedef struct measured take(struct cs_cooked *c);

static bool worse_streams(const struct cs_cooked *cooked, size_t cell)
{
	return !(cs_cooked_cell(cooked, cell)->flags & CS_CELL_ALWAYS_LOADED);
}

static struct measured always_loaded(struct cs_cooked *cooked)
{
	struct measured sum = {0, CS_NONE};
	for (size_t i = 0; i < cooked->n_cells; i++)
		sum.value += worse_streams(cooked, i) ? 0 : cs_cooked_cell(cooked, i)->actors.count;
	return sum;
}

static struct measured fullest(struct cs_cooked *cooked)
{
	struct measured most = {0, CS_NONE};
	for (uint32_t i = 0; i < cooked->n_cells; i++)
		if (worse_streams(cooked, i) &&
			cs_cooked_cell(cooked, i)->actors.count > most.value)
			most = (struct measured){cs_cooked_cell(cooked, i)->actors.count, i};
	return most;
}

static struct measured worse_largest(struct cs_cooked *cooked)
{
	struct measured most = {0, CS_NONE};
	for (uint32_t i = 0; i < cooked->n_cells; i++) {
		const struct cs_box *box = &cs_cooked_cell(cooked, i)->content;
		if (!worse_streams(cooked, i) || !cs_box_valid(box))
			continue;
		double side = fmax(box->max.x - box->min.x, box->max.y - box->min.y);
		if (side > most.value)
			most = (struct measured){side, i};
	}
	return most;
}

static double worse_bytes_of(const struct cs_cooked *cooked, size_t cell)
{
	return (cooked->n_cell_bytes ? (double)cooked->cell_bytes[cell] : 0) +
	       (cooked->n_cell_mesh_bytes ? (double)cooked->cell_mesh_bytes[cell] : 0);
}

static struct measured heaviest(struct cs_cooked *cooked)
{
	struct measured most = {NAN, CS_NONE};
	for (uint32_t i = 0;
		i < cooked->n_cells && (cooked->n_cell_bytes || cooked->n_cell_mesh_bytes); i++)
		if (worse_streams(cooked, i) && !(worse_bytes_of(cooked, i) <= most.value))
			most = (struct measured){worse_bytes_of(cooked, i), i};
	return most;
}

/* Computes the bytes of all streamed cells per square kilometre of the box around them. */
static struct measured density(struct cs_cooked *cooked)
{
	static const double square_km = 1e10; /* cm^2 in a square kilometre */
	struct cs_box all = CS_BOX_INVALID;
	double bytes = 0;
	for (size_t i = 0; i < cooked->n_cells; i++)
		if (worse_streams(cooked, i)) {
			all = cs_box_union(&all, &cs_cooked_cell(cooked, i)->content);
			bytes += worse_bytes_of(cooked, i);
		}
	double area = (all.max.x - all.min.x) * (all.max.y - all.min.y);
	bool known = (cooked->n_cell_bytes || cooked->n_cell_mesh_bytes) && cs_box_valid(&all) &&
		     area > 0;
	return (struct measured){known ? bytes / area * square_km : NAN, CS_NONE};
}

static int worse_by_place(const void *left, const void *right, void *context)
{
	const struct cs_cooked *cooked = context;
	const struct cs_cooked_cell *l = cs_cooked_cell(cooked, *(const uint32_t *)left);
	const struct cs_cooked_cell *r = cs_cooked_cell(cooked, *(const uint32_t *)right);
	const int64_t a[] = {l->partition, l->level, l->x, l->y, l->z};
	const int64_t b[] = {r->partition, r->level, r->x, r->y, r->z};
	for (size_t i = 0; i < CS_COUNT_OF(a); i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* Counts the cells that data layers add: those at the same coordinates as an earlier cell. */
static struct measured worse_split(struct cs_cooked *cooked)
{
	struct measured sum = {0, CS_NONE};
	uint32_t *order = cs_sorted_rows(cooked->n_cells, worse_by_place, cooked);
	if (!order)
		sum.value = NAN;
	for (size_t i = 1; i < cooked->n_cells && !isnan(sum.value); i++)
		if (worse_streams(cooked, order[i]) &&
			worse_by_place(&order[i - 1], &order[i], (void *)cooked) == 0) {
			sum.value++;
			sum.cell = order[i];
		}
	free(order);
	return sum;
}

static struct measured without_cell(struct cs_cooked *cooked)
{
	struct measured sum = {0, CS_NONE};
	for (size_t i = 0; i < cooked->n_hlods; i++)
		sum.value += cooked->hlods[i].cell == CS_NONE;
	return sum;
}

static struct measured errors(struct cs_cooked *cooked)
{
	return (struct measured){cs_cooked_sums(cooked).found[CS_ERROR], CS_NONE};
}

static struct measured warnings(struct cs_cooked *cooked)
{
	return (struct measured){cs_cooked_sums(cooked).found[CS_WARNING], CS_NONE};
}

static struct measured dropped(struct cs_cooked *cooked)
{
	return (struct measured){cs_cooked_sums(cooked).lost, CS_NONE};
}

static struct measured cluster(struct cs_cooked *cooked)
{
	static const struct cs_record_byte fields[] = {
		{CS_TABLE_SETS, offsetof(struct cs_cooked_set, members)},
		{CS_TABLE_SETS, offsetof(struct cs_cooked_set, cell)}};
	const struct cs_cooked_loop loop = cs_cooked_loop(cooked, fields, CS_COUNT_OF(fields));
	struct measured most = {0, CS_NONE};
	for (size_t i = 0; i < cooked->n_sets; i++) {
		const struct cs_cooked_set *set = cs_cooked_set(cooked, i);
		if (set->members.count > most.value)
			most = (struct measured){set->members.count, set->cell};
		cs_cooked_loop_step(&loop, i);
	}
	if (loop.passes) /* cs_worse() returns the errors of reading rows, which `cooked` keeps */
		cs_cooked_pass(cooked, CS_PASS_END);
	return most;
}

/* How the values of a world and of its standalone levels become one value. */
enum joining { JOIN_SUM, JOIN_MOST };

static const struct {
	const char *name, *unit, *doc;
	/* function that computes the measure; NULL: the measure is a member of struct cs_along */
	take *take;
	enum joining joining;
	size_t along; /* offset of the member of struct cs_along, if `take` is NULL */
} measures[CS_MEASURES] = {
	{"always_loaded_actors", "", "number of actors in the persistent level", always_loaded},
	{"fullest_cell", "", "largest number of actors in one cell", fullest, JOIN_MOST},
	{"largest_cell", "cm", "longest side, in X or Y, of the contents of one cell",
		worse_largest, JOIN_MOST},
	{"cell_bytes", "bytes", "largest number of bytes of one cell", heaviest, JOIN_MOST},
	{"square_km_bytes", "bytes",
		"bytes of all cells, divided by their area in square kilometres", density,
		JOIN_MOST},
	{"peak_cells", "", "largest number of cells in memory along the path",
		.along = offsetof(struct cs_along, peak_cells)},
	{"peak_bytes", "bytes",
		"largest number of bytes in memory along the path, by the load model",
		.along = offsetof(struct cs_along, peak_bytes)},
	{"split_cells", "", "number of cells that data layers add at coordinates of other cells",
		worse_split},
	{"hlods_without_cell", "", "number of HLOD actors whose source cell does not exist",
		without_cell},
	{"errors", "", "number of findings that are errors", errors},
	{"warnings", "", "number of findings that are warnings", warnings},
	{"dropped_actors", "", "number of actors that the engine would drop", dropped},
	{"largest_cluster", "", "largest number of actors that references force into one cell",
		cluster, JOIN_MOST},
	{"never_cells", "", "visits of cells that are simulated, but never came in the real run",
		.along = offsetof(struct cs_along, never_cells)},
	{"late_cells", "", "visits of cells that came later in the real run than simulated",
		.along = offsetof(struct cs_along, late_cells)},
	{"late_ms", "ms", "largest delay of a visit in the real run against its simulation",
		.along = offsetof(struct cs_along, late_ms)},
};

/* ---- reading the budgets ---- */

static struct cs_error *worse_wrong(const char *path, const char *what, const char *name)
{
	const char *quote = *name ? "'" : "";
	return cs_error_at(CS_E_JSON, path, CS_NO_OFFSET,
		"%s%s%s%s%s: a file of budgets is {\"MEASURE\": MOST} or {\"MEASURE\": "
		"{\"most\": N, \"rise\": N}}, and `worse --all` lists the measures",
		what, *name ? " " : "", quote, name, quote);
}

static size_t measure_named(const char *name)
{
	size_t i = 0;
	while (i < CS_MEASURES && strcmp(measures[i].name, name) != 0)
		i++;
	return i;
}

static struct cs_error *take_limit(
	const char *path, const char *name, const json_t *value, struct cs_measure *to)
{
	const char *key;
	json_t *of;
	if (json_is_number(value)) {
		to->most = json_number_value(value);
		return NULL;
	}
	if (!json_is_object(value))
		return worse_wrong(path, "neither a number nor an object follows", name);
	json_object_foreach ((json_t *)value, key, of) {
		bool most = strcmp(key, "most") == 0;
		if (!most && strcmp(key, "rise") != 0)
			return worse_wrong(
				path, "a budget has only the keys \"most\" and \"rise\", not", key);
		if (!json_is_number(of))
			return worse_wrong(path, "no number follows the key", key);
		*(most ? &to->most : &to->rise) = json_number_value(of);
	}
	return NULL;
}

static struct cs_error *take_budgets(
	const char *path, const json_t *json, struct cs_measure rows[CS_MEASURES])
{
	const char *name;
	json_t *value;
	struct cs_error *error = NULL;
	if (!json_is_object(json))
		return worse_wrong(path, "the file is not a JSON object", "");
	json_object_foreach ((json_t *)json, name, value) {
		size_t row = measure_named(name);
		if (row == CS_MEASURES)
			return worse_wrong(path, "unknown measure", name);
		error = take_limit(path, name, value, &rows[row]);
		if (error)
			return error;
	}
	return NULL;
}

static struct cs_error *read_budgets(const char *path, struct cs_measure rows[CS_MEASURES])
{
	enum { MOST = 1 << 20 };
	unsigned char *text;
	size_t n;
	json_error_t problem;
	bool no_memory = false;
	struct cs_error *error = cs_read_whole(path, MOST, &text, &n);
	if (error)
		return error;
	json_t *json =
		cs_json_parse((const char *)text, n, JSON_REJECT_DUPLICATES, &problem, &no_memory);
	free(text);
	if (!json)
		return no_memory ? cs_error_nomem()
				 : cs_error_at(CS_E_JSON, path, CS_NO_OFFSET,
					   "line %d is not valid JSON: %s", problem.line,
					   problem.text);
	error = take_budgets(path, json, rows);
	json_decref(json);
	return error;
}

/* ---- measures of a world ---- */

static void worse_judge(struct cs_measure *row)
{
	const double change = row->after - row->before;
	row->worse = change > 0;
	row->breaks = (!isnan(row->most) && row->after > row->most) ||
		      (!isnan(row->rise) && change > row->rise);
	row->unchecked =
		(!isnan(row->most) && isnan(row->after)) || (!isnan(row->rise) && isnan(change));
}

/* The value of a measure in a world and its levels so far, and the cell that has it. */
struct joined {
	struct measured is;
	const struct cs_cooked *world; /* world or level of the cell */
};

static void join_value(struct joined *to, enum joining joining, const struct cs_cooked *world,
	const struct measured *of)
{
	const bool is_first = isnan(to->is.value);
	if (!is_first && (isnan(of->value) || (joining == JOIN_MOST && of->value <= to->is.value)))
		return;
	if (of->cell != CS_NONE && (joining == JOIN_MOST || to->is.cell == CS_NONE)) {
		to->is.cell = of->cell;
		to->world = world;
	}
	to->is.value = is_first || joining == JOIN_MOST ? of->value : to->is.value + of->value;
}

static void measure_world(struct cs_cooked *world, struct joined to[CS_MEASURES])
{
	for (size_t i = 0; i < CS_MEASURES; i++) {
		if (!measures[i].take)
			continue;
		const struct measured of = measures[i].take(world);
		join_value(&to[i], measures[i].joining, world, &of);
	}
}

/* Measures a world with its standalone levels, each as often as the world has instances of it. */
static struct cs_error *measure_all(
	struct cs_cooked *world, const struct cs_along *along, struct joined to[CS_MEASURES])
{
	for (size_t i = 0; i < CS_MEASURES; i++) {
		to[i] = (struct joined){{NAN, CS_NONE}, world};
		if (!measures[i].take && along)
			to[i].is.value = *(const double *)((const char *)along + measures[i].along);
	}
	measure_world(world, to);
	/* take the errors of a world: a later reader must not get an error of this function */
	struct cs_error *error = cs_cooked_failed(world);
	for (size_t i = 0; !error && i < world->n_subs; i++) {
		struct cs_cooked *level;
		if (world->subs[i].level == CS_NONE)
			continue;
		error = cs_cooked_level(world, world->subs[i].level, NULL, &level);
		if (error)
			return error;
		measure_world(level, to);
		error = cs_cooked_failed(level);
	}
	return error;
}

struct cs_error *cs_worse(struct cs_cooked *before, struct cs_cooked *after,
	const struct cs_along *along, const char *budgets, struct cs_measure rows[CS_MEASURES])
{
	struct joined left[CS_MEASURES], right[CS_MEASURES];
	struct cs_measure found[CS_MEASURES];
	struct cs_error *error = measure_all(before, along ? &along[0] : NULL, left);
	if (!error)
		error = measure_all(after, along ? &along[1] : NULL, right);
	for (size_t i = 0; !error && i < CS_MEASURES; i++)
		found[i] = (struct cs_measure){measures[i].name, measures[i].unit, measures[i].doc,
			left[i].is.value, right[i].is.value, NAN, NAN,
			cs_cooked_cell_name(left[i].world, left[i].is.cell),
			cs_cooked_cell_name(right[i].world, right[i].is.cell), false, false, false};
	if (!error && budgets)
		error = read_budgets(budgets, found);
	if (error)
		return error;
	for (size_t i = 0; i < CS_MEASURES; i++)
		worse_judge(&found[i]);
	memcpy(rows, found, sizeof(found));
	return NULL;
}
