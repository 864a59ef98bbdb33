/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every field of every record of a cooked world, set to what hurts (all zeros, all ones, single
 * bits, one more, one less, the largest, chance), with sums made right so that the damage reaches
 * the code behind them. Where it opens all the same, everything is done to it that the library can
 * do: it may answer nonsense, and nothing else. The method is that of `xfs_db fuzz`.
 */
#include "format/file_inside.h"
#include "tests/make/make.h"
#include "tests/samples/damaged_file.h"
#include "tests/samples/tap.h"
#include "tests/samples/use_world.h"
#include "tests/unit/cook/cooking.h"

#include "core/random.h"
#include "world/world_internal.h"

static struct cs_random chance;

static void set_all(unsigned char *at, size_t n, int byte)
{
	memset(at, byte, n);
}

static void verb_zeros(unsigned char *at, size_t n)
{
	set_all(at, n, 0);
}

static void verb_ones(unsigned char *at, size_t n)
{
	set_all(at, n, 0xff);
}

static void verb_first_bit(unsigned char *at, size_t n)
{
	(void)n;
	at[0] ^= 1;
}

static void verb_middle_bit(unsigned char *at, size_t n)
{
	at[n / 2] ^= 0x10;
}

static void verb_last_bit(unsigned char *at, size_t n)
{
	at[n - 1] ^= 0x80;
}

static void verb_more(unsigned char *at, size_t n)
{
	for (size_t i = 0; i < n && ++at[i] == 0; i++)
		;
}

static void verb_less(unsigned char *at, size_t n)
{
	for (size_t i = 0; i < n && at[i]-- == 0; i++)
		;
}

static void verb_largest(unsigned char *at, size_t n)
{
	set_all(at, n, 0xff);
	at[n - 1] = 0x7f;
}

static void verb_chance(unsigned char *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		at[i] = (unsigned char)cs_random_u64(&chance);
}

static void (*const verbs[])(unsigned char *at, size_t n) = {verb_zeros, verb_ones, verb_first_bit,
	verb_middle_bit, verb_last_bit, verb_more, verb_less, verb_largest, verb_chance};

enum { VERBS = sizeof(verbs) / sizeof(verbs[0]) };

struct damage {
	unsigned char *whole, *copy;
	size_t size;
	size_t tried, refused, unnamed, internal;
};

static void try_verbs(struct damage *d, size_t at, size_t n)
{
	for (size_t v = d->tried % tap_every(); v < VERBS; v += tap_every()) {
		memcpy(d->copy, d->whole, d->size);
		verbs[v](d->copy + at, n);
		container_reseal(d->copy, d->size);
		struct cs_error *error = use_world(d->copy, d->size);
		d->tried++;
		d->refused += error != NULL;
		d->unnamed += error && !error->file;
		d->internal += error && error->code == CS_E_INTERNAL;
		cs_error_free(error);
	}
}

static void try_field(struct damage *d, const struct cs_record *record,
	const struct cs_field *field, size_t table, size_t n_rows)
{
	const size_t rows[] = {0, n_rows / 2, n_rows - 1};
	size_t elements = field->count > 1 && field->type != CS_FIELD_ZERO ? 2 : 1;
	for (size_t r = 0; r < 3; r++) {
		if (r > 0 && rows[r] == rows[r - 1])
			continue;
		for (size_t e = 0; e < elements; e++)
			try_verbs(d, table + rows[r] * record->size + cs_field_offset(field, e),
				cs_field_element_size(field));
	}
}

static void try_record(struct damage *d, const struct cs_record *record)
{
	size_t n_rows, table = container_table(d->whole, d->size, record->table, &n_rows);
	size_t before = d->tried, refused = d->refused;
	if (n_rows == 0)
		return;
	for (size_t f = 0; f < record->n_fields; f++)
		try_field(d, record, &record->fields[f], table, n_rows);
	ok(d->tried > before, "%s: %zu damaged, %zu refused, all survived", record->name,
		d->tried - before, d->refused - refused);
}

static void test_world(enum cs_world_kind kind, uint64_t actors)
{
	const struct cs_world_recipe recipe = {kind, actors, 3};
	struct cs_world *world;
	struct damage d = {0};
	works(make_test_world(&recipe, NULL, &world), "a world");
	struct cooked_world cooked = cook_world(world, NULL, 1);
	works(container_unpack(cooked.bytes, cooked.size, &d.whole, &d.size), "nothing compressed");
	d.copy = malloc(d.size);
	works(use_world(d.whole, d.size), "the whole one can be used");
	const struct cs_schema *schema = cs_file_info(cooked.c->file).schema;
	for (size_t i = 0; i < schema->n_records; i++)
		if (schema->records[i]->table != CS_TABLE_STRINGS)
			try_record(&d, schema->records[i]);
	ok(d.refused * 4 > d.tried, "%zu of %zu are refused at opening", d.refused, d.tried);
	is_int(d.unnamed, 0, "every error names the file");
	is_int(d.internal, 0, "none is taken for a fault of ours");
	free(d.whole);
	free(d.copy);
	cooked_free(&cooked);
	cs_world_free(world);
}

int main(void)
{
	chance = (struct cs_random){7};
	test_world(CS_WORLD_HARD, 60);
	return done();
}
