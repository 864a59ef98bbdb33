/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Benchmark of the cook: generated cities cooked against SQLite doing nothing but GROUP BY over the
 * cells of the same actors, in the same run, both in seconds of one thread; time by phase; two
 * threads; peak memory; growth with the size; bytes an actor by column of the file; SQLite's own
 *file of the same rows.
 *
 *	cook [ACTORS ...]     sizes, default 101959 1000000
 */
#include <cellscope/cook.h>
#include <cellscope/cooked.h>

#include "core/cursor.h"
#include "core/geometry.h"
#include "core/guid.h"
#include "format/file_inside.h"
#include "format/layout.h"
#include "format/reader.h"
#include "src/front/memory.h"
#include "tests/bench/bench.h"
#include "world/world_internal.h"

#include <jansson.h>
#include <malloc.h>
#include <math.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
	const char *name;
	double start;
} phase;

static void end_phase(void)
{
	if (phase.name)
		printf("    %-12s %8.3f s\n", phase.name, bench_cpu() - phase.start);
	phase.name = NULL;
}

static void on_progress(void *context, const char *name, uint64_t done, uint64_t total)
{
	(void)context;
	(void)done;
	(void)total;
	if (phase.name && strcmp(phase.name, name) == 0)
		return;
	end_phase();
	phase.name = name;
	phase.start = bench_cpu();
}

static void sql(sqlite3 *db, const char *text)
{
	if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK) {
		fprintf(stderr, "bench: %s\n", sqlite3_errmsg(db));
		exit(3);
	}
}

/* Only the query is timed, not the filling of the table. */
static double group_by_seconds(const struct cs_world *world)
{
	sqlite3 *db;
	sqlite3_stmt *insert;
	sqlite3_open(":memory:", &db);
	sql(db, "CREATE TABLE actors(x REAL, y REAL); BEGIN");
	sqlite3_prepare_v2(db, "INSERT INTO actors VALUES(?, ?)", -1, &insert, NULL);
	for (size_t i = 0; i < world->actors.n; i++) {
		struct cs_vec3 centre = cs_box_centre(&world->actors.at[i].bounds);
		sqlite3_bind_double(insert, 1, centre.x);
		sqlite3_bind_double(insert, 2, centre.y);
		sqlite3_step(insert);
		sqlite3_reset(insert);
	}
	sqlite3_finalize(insert);
	sql(db, "COMMIT");
	double start = bench_cpu();
	sql(db, "SELECT count(*) FROM (SELECT floor(x / 12800) AS gx, floor(y / 12800) AS gy,"
		" count(*) FROM actors GROUP BY gx, gy)");
	double seconds = bench_cpu() - start;
	sqlite3_close(db);
	return seconds;
}

/* Bytes an actor that a cook may hold. The writer adds 5 MB for each thread. */
enum { MOST_MEMORY = 150 };

/* Bytes of JSON that a second of CPU is to read. */
#define LEAST_JSON 400e6

/* Bytes that jansson alone parses in a second of CPU, line by line. */
static double jansson_rate(FILE *file)
{
	char *line = NULL;
	size_t room = 0;
	double bytes = 0, start = bench_cpu();
	for (ssize_t n; (n = getline(&line, &room, file)) > 0; bytes += (double)n)
		json_decref(json_loadb(line, (size_t)n, JSON_REJECT_DUPLICATES, NULL));
	free(line);
	return bytes / (bench_cpu() - start);
}

/* Five turns, the best of each. */
static void bench_json(const struct cs_world *world)
{
	enum { TURNS = 5 };
	const struct cs_job job = {.threads = 1};
	const char *folder = getenv("TMPDIR");
	char path[4200];
	double rate = 0, alone = 0;
	snprintf(path, sizeof(path), "%s/bench.%ld.json", folder ? folder : "/tmp", (long)getpid());
	bench_need(cs_world_write_json(world, NULL, path));
	FILE *file = fopen(path, "r");
	for (int i = 0; file && i < TURNS; i++) {
		struct cs_world *back;
		rewind(file);
		alone = fmax(alone, jansson_rate(file));
		const double bytes = (double)ftell(file), start = bench_cpu();
		bench_need(cs_world_read_json(path, &job, &back));
		rate = fmax(rate, bytes / (bench_cpu() - start));
		cs_world_free(back);
	}
	unlink(path);
	if (file)
		fclose(file);
	printf("  JSON in          %8.0f MB a second of CPU: %.2f x the %.0f asked for, %.1f x jansson"
	       " alone (%.0f)\n",
		rate / 1e6, rate / LEAST_JSON, LEAST_JSON / 1e6, rate / alone, alone / 1e6);
}

/* By what GROUP BY takes for the same actors: a cook, and one with its file; one thread, CPU. */
#define MOST_COOK    0.6
#define MOST_WRITTEN 1.3
/* By what one thread takes, of the time that passes: means something on a quiet machine alone. */
#define MOST_TWO     0.6

static double passing_seconds(struct cs_world *world, struct cs_limits *limits, int threads)
{
	const struct cs_job job = {.limits = limits, .threads = threads};
	struct cs_cook *cook;
	unsigned char *bytes;
	size_t size;
	double start = bench_now();
	bench_need(cs_cook(world, NULL, &job, &cook));
	bench_need(cs_cook_bytes(cook, &bytes, &size));
	double seconds = bench_now() - start;
	free(bytes);
	cs_cook_free(cook);
	return seconds;
}

static void bench_two(struct cs_world *world, struct cs_limits *limits)
{
	double one = passing_seconds(world, limits, 1), two = passing_seconds(world, limits, 2);
	printf("  two threads      %8.3f s  %6.2f x one (%.3f s), asked for %.2f\n", two, two / one,
		one, MOST_TWO);
}

/* ---- bytes by column ---- */

static const struct cs_field *field_at(const struct cs_record *record, size_t offset)
{
	const struct cs_field *found = NULL;
	for (size_t i = 0; i < record->n_fields && record->fields[i].offset <= offset; i++)
		found = &record->fields[i];
	return found;
}

/* Adds what each column of a table is stored in, by the byte it begins at. */
static void add_columns(
	const unsigned char *bytes, struct cs_file *file, uint16_t table, double *stored)
{
	const struct cs_file_parts parts = cs_file_parts_of(file, table);
	for (size_t i = parts.first; i < parts.first + parts.n; i++) {
		const struct cs_section *s = &file->sections[i];
		const unsigned char *packed = bytes + s->offset;
		if (!(s->flags & CS_SECTION_PLANES)) {
			stored[0] += (double)s->stored_size;
			continue;
		}
		const unsigned char *sizes = packed + 2 + 2 * cs_load16(packed);
		for (size_t c = 0, offset = 0; offset < s->record_size; offset += packed[2 * ++c])
			stored[offset] += cs_load32(sizes + c * sizeof(uint32_t));
	}
}

/* Prints the bytes an actor of a table whose rows take at least one, and of such fields in it. */
static void bench_columns_of(const unsigned char *bytes, struct cs_file *file,
	const struct cs_record *record, double actors)
{
	const double n = (double)cs_file_rows(file, record->table);
	if (n * record->size < actors)
		return;
	double *stored = calloc(record->size, sizeof(*stored)), all = 0;
	add_columns(bytes, file, record->table, stored);
	for (size_t i = 0; i < record->size; i++)
		all += stored[i];
	printf("    %-34s raw %6.1f  stored %6.1f bytes an actor\n", record->name,
		n * record->size / actors, all / actors);
	for (size_t begin = 0, end; record->n_fields && begin < record->size; begin = end) {
		const struct cs_field *field = field_at(record, begin);
		double sum = 0;
		for (end = begin; end < record->size && field_at(record, end) == field; end++)
			sum += stored[end];
		if (n * (double)(end - begin) >= actors)
			printf("      %-32s raw %6.1f  stored %6.1f\n", field ? field->name : "-",
				n * (double)(end - begin) / actors, sum / actors);
	}
	free(stored);
}

static void bench_columns(const unsigned char *bytes, size_t size, double actors)
{
	struct cs_file *file;
	bench_need(cs_file_open_bytes(bytes, size, "bench", CS_FILE_STRICT, NULL, &file));
	printf("  by column\n");
	for (size_t i = 0; i < cs_file_info(file).schema->n_records; i++)
		bench_columns_of(bytes, file, cs_file_info(file).schema->records[i], actors);
	cs_file_close(file);
}

/* ---- SQLite's file of the same rows ---- */

/* Bytes of a field that a column of SQLite gets. */
static size_t bytes_of_value(const struct cs_field *field)
{
	switch (field->type) {
	case CS_FIELD_GUID:
		return sizeof(struct cs_guid);
	case CS_FIELD_F64:
	case CS_FIELD_VEC3:
	case CS_FIELD_QUAT:
	case CS_FIELD_BOX:
	case CS_FIELD_U64:
	case CS_FIELD_I64:
		return sizeof(uint64_t);
	default:
		return sizeof(uint32_t);
	}
}

static int values_of(const struct cs_record *record)
{
	size_t n = 0;
	for (size_t f = 0; f < record->n_fields; f++)
		n += cs_field_element_size(&record->fields[f]) / bytes_of_value(&record->fields[f]);
	return (int)n;
}

static void bind_value(sqlite3_stmt *insert, int at, const struct cs_file *file,
	const struct cs_field *field, const unsigned char *from)
{
	double number;
	switch (field->type) {
	case CS_FIELD_GUID:
		sqlite3_bind_blob(insert, at, from, (int)sizeof(struct cs_guid), SQLITE_STATIC);
		break;
	case CS_FIELD_U64:
	case CS_FIELD_I64:
		sqlite3_bind_int64(insert, at, (int64_t)cs_load64(from));
		break;
	case CS_FIELD_TEXT:
		sqlite3_bind_text(
			insert, at, cs_file_text(file, cs_load32(from)), -1, SQLITE_STATIC);
		break;
	default:
		memcpy(&number, from, sizeof(number));
		if (bytes_of_value(field) == sizeof(number))
			sqlite3_bind_double(insert, at, number);
		else
			sqlite3_bind_int64(insert, at, (int32_t)cs_load32(from));
	}
}

static void bind_row(sqlite3_stmt *insert, const struct cs_file *file,
	const struct cs_record *record, const unsigned char *row)
{
	int at = 1;
	for (size_t f = 0; f < record->n_fields; f++) {
		const struct cs_field *field = &record->fields[f];
		const size_t size = cs_field_element_size(field);
		for (size_t i = 0; i + bytes_of_value(field) <= size; i += bytes_of_value(field))
			bind_value(insert, at++, file, field, row + field->offset + i);
	}
}

/* A table of what a record says, a column for each number, text or GUID. */
static void copy_table(sqlite3 *db, struct cs_file *file, const struct cs_record *record)
{
	const void *rows;
	size_t n;
	sqlite3_stmt *insert;
	char create[2048], values[1024];
	size_t c = (size_t)snprintf(create, sizeof(create), "CREATE TABLE [%s](c1", record->name),
	       v = (size_t)snprintf(
		       values, sizeof(values), "INSERT INTO [%s] VALUES(?", record->name);
	for (int i = 2; i <= values_of(record); i++) {
		c += (size_t)snprintf(create + c, sizeof(create) - c, ", c%d", i);
		v += (size_t)snprintf(values + v, sizeof(values) - v, ",?");
	}
	snprintf(create + c, sizeof(create) - c, ")");
	snprintf(values + v, sizeof(values) - v, ")");
	sql(db, create);
	bench_need(cs_file_load(file, record->table, &rows, &n));
	sqlite3_prepare_v2(db, values, -1, &insert, NULL);
	for (size_t i = 0; i < n; i++) {
		bind_row(insert, file, record, (const unsigned char *)rows + i * record->size);
		sqlite3_step(insert);
		sqlite3_reset(insert);
	}
	sqlite3_finalize(insert);
}

/* Seconds of CPU to open, to add up the least x of all actors, and to find `PROBES` by GUID. */
struct file_times {
	double open, scan, find;
};

enum { PROBES = 1000 };

static struct file_times time_sqlite(const char *path, const struct cs_guid *probes)
{
	struct file_times times;
	sqlite3 *db;
	sqlite3_stmt *find;
	double start = bench_cpu();
	sqlite3_open(path, &db);
	sql(db, "SELECT c1 FROM actors LIMIT 1");
	times.open = bench_cpu() - start;
	start = bench_cpu();
	sql(db, "SELECT sum(c2) FROM actors");
	times.scan = bench_cpu() - start;
	start = bench_cpu();
	sqlite3_prepare_v2(db, "SELECT c8 FROM actors WHERE c1 = ?", -1, &find, NULL);
	for (size_t i = 0; i < PROBES; i++) {
		sqlite3_bind_blob(find, 1, &probes[i], sizeof(probes[i]), SQLITE_STATIC);
		if (sqlite3_step(find) != SQLITE_ROW)
			exit(3);
		sqlite3_reset(find);
	}
	times.find = bench_cpu() - start;
	sqlite3_finalize(find);
	sqlite3_close(db);
	return times;
}

static double sum_of_bounds(struct cs_file *file)
{
	static const char *const fields[] = {"bounds", NULL};
	struct cs_section_rows rows = cs_section_rows(file, CS_TABLE_ACTORS, fields);
	struct cs_error *error = NULL;
	double sum = 0;
	while (cs_section_rows_next(&rows, &error))
		for (size_t i = 0; i < rows.end - rows.first; i++)
			sum += ((const struct cs_cooked_actor *)(const void *)rows.rows)[i]
				       .bounds.min.x;
	bench_need(error);
	cs_section_rows_deinit(&rows);
	return sum;
}

/* The made city has one container alone with most of its actors, by GUID. */
static size_t find_actor(const struct cs_cooked *c, struct cs_guid guid)
{
	size_t low = c->containers[0].actors.first, high = low + c->containers[0].actors.count;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (cs_guid_compare(cs_cooked_actor(c, middle)->guid, guid) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct file_times time_ours(
	const unsigned char *bytes, size_t size, const struct cs_guid *probes)
{
	const struct cs_job job = {.threads = 1};
	struct file_times times;
	struct cs_cooked *c;
	double start = bench_cpu();
	bench_need(cs_cooked_open_bytes(bytes, size, "bench", &job, &c));
	times.open = bench_cpu() - start;
	start = bench_cpu();
	if (sum_of_bounds(c->file) == 0)
		exit(3);
	times.scan = bench_cpu() - start;
	start = bench_cpu();
	for (size_t i = 0; i < PROBES; i++)
		if (cs_guid_compare(cs_cooked_actor(c, find_actor(c, probes[i]))->guid, probes[i]))
			exit(3);
	times.find = bench_cpu() - start;
	cs_cooked_close(c);
	return times;
}

static void bench_sqlite(const unsigned char *bytes, size_t size, double actors)
{
	const char *folder = getenv("TMPDIR");
	char path[4200];
	struct cs_cooked *c;
	struct cs_guid probes[PROBES];
	sqlite3 *db;
	snprintf(path, sizeof(path), "%s/bench.%ld.db", folder ? folder : "/tmp", (long)getpid());
	bench_need(cs_cooked_open_bytes(bytes, size, "bench", NULL, &c));
	for (uint32_t i = 0; i < PROBES; i++)
		probes[i] = cs_cooked_actor(c, (size_t)i * c->containers[0].actors.count / PROBES)
				    ->guid;
	sqlite3_open(path, &db);
	sql(db, "BEGIN");
	for (size_t i = 0; i < cs_file_info(c->file).schema->n_records; i++)
		if (cs_file_info(c->file).schema->records[i]->n_fields > 0)
			copy_table(db, c->file, cs_file_info(c->file).schema->records[i]);
	sql(db, "COMMIT; CREATE INDEX by_guid ON actors(c1)");
	sqlite3_close(db);
	cs_cooked_close(c);
	FILE *file = fopen(path, "r");
	if (!file || fseek(file, 0, SEEK_END) != 0)
		exit(3);
	const double theirs = (double)ftell(file);
	fclose(file);
	const struct file_times a = time_ours(bytes, size, probes), b = time_sqlite(path, probes);
	printf("  of SQLite's file: size %.2f x (%.0f bytes an actor), open %.4f s (%.4f),"
	       " scan %.2f x (%.4f s), %d by GUID %.2f x (%.4f s)\n",
		(double)size / theirs, theirs / actors, a.open, b.open, a.scan / b.scan, b.scan,
		PROBES, a.find / b.find, b.find);
	unlink(path);
}

/* Least seconds of CPU of each, of as many turns: fresh pages take from 0 to a third of a cook. */
struct cook_times {
	double cooked, written, grouped;
	double peak; /* of resident bytes after the first cook */
};

enum { COOK_TURNS = 5 };

static void cook_once(
	const struct cs_world *world, struct cs_limits *limits, bool tell, struct cook_times *times)
{
	const struct cs_job job = {
		.progress = tell ? on_progress : NULL, .limits = limits, .threads = 1};
	struct cs_cook *cook;
	unsigned char *bytes;
	size_t size;
	const double start = bench_cpu();
	bench_need(cs_cook(world, NULL, &job, &cook));
	end_phase();
	times->cooked = fmin(times->cooked, bench_cpu() - start);
	times->peak = tell ? bench_peak() : times->peak;
	bench_need(cs_cook_bytes(cook, &bytes, &size));
	times->written = fmin(times->written, bench_cpu() - start);
	free(bytes);
	cs_cook_free(cook);
}

static void bench_times(const struct cs_world *world, struct cs_limits *limits, double actors)
{
	struct cook_times times = {INFINITY, INFINITY, INFINITY, 0};
	const double before = bench_peak();
	cook_once(world, limits, true, &times);
	for (int i = 0; i < COOK_TURNS; i++) {
		times.grouped = fmin(times.grouped, group_by_seconds(world));
		cook_once(world, limits, false, &times);
	}
	printf("  cook             %8.3f s  %6.2f x GROUP BY (%.3f s), asked for %.2f\n",
		times.cooked, times.cooked / times.grouped, times.grouped, MOST_COOK);
	printf("  cook and encode  %8.3f s  %6.2f x GROUP BY, asked for %.2f, %.2f Mactors/s\n",
		times.written, times.written / times.grouped, MOST_WRITTEN,
		actors / times.written / 1e6);
	printf("  peak memory      %8.0f bytes an actor beside the world of %.0f: %.2f x the limit"
	       " of %d\n",
		(times.peak - before) / actors, before / actors,
		(times.peak - before) / actors / MOST_MEMORY, MOST_MEMORY);
}

static void bench_size(uint64_t actors)
{
	const struct cs_world_recipe recipe = {CS_WORLD_CITY, actors, 1};
	struct cs_limits limits = cs_limits_default();
	const struct cs_job job = {.limits = &limits, .threads = 1};
	struct cs_world *world;
	struct cs_cook *cook;
	unsigned char *bytes;
	size_t size;
	limits.records = 1u << 25;
	printf("city of %llu actors\n", (unsigned long long)actors);
	bench_need(cs_world_generate(&recipe, NULL, &world));
	/* as the program does; not earlier, for the cook would use what the generator freed */
	memory_shape_heap();
	bench_times(world, &limits, (double)actors);
	bench_two(world, &limits);
	bench_need(cs_cook(world, NULL, &job, &cook));
	bench_need(cs_cook_bytes(cook, &bytes, &size));
	printf("  file             %8.0f bytes an actor, %zu cells\n",
		(double)size / (double)actors, cs_cook_summary(cook).cells);
	if (actors <= 110000) {
		bench_columns(bytes, size, (double)actors);
		bench_sqlite(bytes, size, (double)actors);
		bench_json(world);
	}
	free(bytes);
	cs_cook_free(cook);
	cs_world_free(world);
}

/* Each size in a process of its own, so that its peak memory is its own. */
int main(int argc, char **argv)
{
	static const char *const standard[] = {"101959", "1000000"};
	int n = argc > 1 ? argc - 1 : 2;
	for (int i = 0; i < n; i++) {
		fflush(stdout);
		pid_t child = fork();
		if (child == 0) {
			bench_size(strtoull(argc > 1 ? argv[i + 1] : standard[i], NULL, 10));
			return 0;
		}
		int status;
		if (waitpid(child, &status, 0) < 0 || status != 0)
			return 3;
	}
	return 0;
}
