/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damage to Nanite resources: every truncation and every flipped bit of a file, the same without
 * checksums, and every field of every table and every word of every page set to what hurts most.
 * Strict reading must end in a named error or give what was there; nothing may crash.
 */
#include "format/file_inside.h"
#include "nanite/encode/encode.h"
#include "nanite/format/resource.h"
#include "nanite/verify/verify_resource.h"
#include "tests/samples/tap.h"
#include "tests/unit/nanite/nanite_forms.h"
#include "tests/unit/nanite/torus_dag.h"

#include "core/cursor.h"
#include "core/random.h"
#include "nanite/format/contents.h"

#include <inttypes.h>

static void count_finding(void *context, const struct cs_finding *finding)
{
	(void)finding;
	++*(size_t *)context;
}

static struct cs_nanite *make_resource(uint32_t rows, bool raw)
{
	const struct torus torus = {.rows = rows, .uvs = 1, .materials = 4, .colors = true};
	const struct cs_nanite_options options = {.position_precision = CS_PRECISION_AUTO,
		.raw_pages = raw,
		.no_atlas = true,
		COPY_COARSE_MESH};
	struct cs_dag dag;
	struct cs_nanite *resource = NULL;
	torus_dag(&torus, &dag);
	works(cs_nanite_encode(&dag, &options, NULL, &resource), "a resource of %u rows", rows);
	cs_dag_deinit(&dag);
	return resource;
}

/* ---- the file ---- */

static struct cs_error *read_all(const unsigned char *bytes, size_t size, enum cs_file_mode mode)
{
	struct cs_nanite *resource;
	struct cs_nanite_contents *contents = NULL;
	struct cs_error *error =
		cs_nanite_open_bytes(bytes, size, "damaged", mode, NULL, &resource);
	if (error)
		return error;
	error = cs_nanite_decode(resource, NULL, &contents);
	cs_nanite_contents_free(contents);
	cs_nanite_free(resource);
	return error;
}

static bool is_named(const struct cs_error *error)
{
	enum cs_code code = error->code;
	return *error->message && code != CS_E_INTERNAL && code != CS_E_NOMEM;
}

static void test_truncation(const unsigned char *bytes, size_t size)
{
	size_t accepted = 0, unnamed = 0, salvaged = 0;
	for (size_t n = 0; n < size; n += tap_every()) {
		/* memory of its own, so that reading on is seen */
		unsigned char *cut = malloc(n ? n : 1);
		memcpy(cut, bytes, n);
		struct cs_error *error = read_all(cut, n, CS_FILE_STRICT);
		accepted += !error;
		unnamed += error && !is_named(error);
		cs_error_free(error);
		error = read_all(cut, n, CS_FILE_SALVAGE);
		salvaged += !error;
		unnamed += error && !is_named(error);
		cs_error_free(error);
		free(cut);
	}
	is_int(accepted, 0, "file: none of %zu truncations is accepted", size);
	is_int(unnamed, 0, "file: all have a name");
	diag("salvaging reads %zu of them", salvaged);
}

static void test_flips(unsigned char *bytes, size_t size)
{
	size_t accepted = 0, unnamed = 0, opened = 0, decoded = 0, checked = 0;
	for (size_t bit = 0; bit < size * 8; bit += tap_every()) {
		bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
		struct cs_error *error = read_all(bytes, size, CS_FILE_STRICT);
		accepted += !error;
		unnamed += error && !is_named(error);
		cs_error_free(error);
		struct cs_nanite *resource = NULL;
		error = cs_nanite_open_bytes(
			bytes, size, "flipped", CS_FILE_SALVAGE, NULL, &resource);
		cs_error_free(error);
		if (resource) {
			struct cs_nanite_contents *contents = NULL;
			size_t n = 0, told = 0;
			opened++;
			error = cs_nanite_decode(resource, NULL, &contents);
			decoded += !error;
			cs_error_free(error);
			cs_nanite_contents_free(contents);
			if (bit % 13 == 0)
				cs_error_free(cs_nanite_check(
					resource, true, NULL, count_finding, &told, &n));
			checked += n > 0;
			cs_nanite_free(resource);
		}
		bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
	}
	is_int(accepted, 0, "file: none of %zu flipped bits is accepted", size * 8);
	is_int(unnamed, 0, "file: all have a name");
	ok(opened > decoded && decoded > 0 && checked > 0,
		"without sums: %zu open, %zu decode, %zu of a thirteenth have findings", opened,
		decoded, checked);
}

static void test_file(void)
{
	struct cs_nanite *resource = make_resource(4, false);
	unsigned char *bytes = NULL;
	size_t size = 0;
	works(cs_nanite_bytes(resource, NULL, &bytes, &size), "file: %zu bytes", size);
	test_truncation(bytes, size);
	test_flips(bytes, size);
	free(bytes);
	cs_nanite_free(resource);
}

/* ---- verbs ---- */

enum { N_VERBS = 10 };

static uint64_t verb(unsigned which, uint64_t value, unsigned bits, struct cs_random *random)
{
	uint64_t ones = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
	const uint64_t results[N_VERBS] = {0, ones, value ^ 1, value ^ (uint64_t)1 << (bits / 2),
		value ^ (uint64_t)1 << (bits - 1), value + 1, value - 1, ones >> 1,
		cs_random_u64(random), value + 4};
	return results[which] & ones;
}

static uint64_t load(const unsigned char *at, unsigned size)
{
	uint64_t value = 0;
	memcpy(&value, at, size);
	return value;
}

/*
 * What became of a damaged resource that was decoded and checked; when it cannot be decoded, the
 * error must have a name.
 */
struct outcome {
	size_t runs, refused, found, silent, unnamed;
};

static void try(const struct cs_nanite *resource, bool deep, struct outcome *outcome)
{
	struct cs_nanite_contents *contents = NULL;
	size_t n = 0, told = 0;
	struct cs_error *error = cs_nanite_decode(resource, NULL, &contents);
	outcome->runs++;
	outcome->refused += error != NULL;
	outcome->unnamed += error && !is_named(error);
	cs_error_free(error);
	cs_nanite_contents_free(contents);
	error = cs_nanite_check(resource, deep, NULL, count_finding, &told, &n);
	outcome->found += n > 0;
	outcome->silent += n == 0 && !error;
	outcome->unnamed += error && !is_named(error);
	cs_error_free(error);
}

/* Spoils the words of raw pages, or of the dense form of pages. */
static void test_words(bool dense)
{
	struct cs_nanite *whole = make_resource(8, !dense);
	struct cs_nanite *r = dense ? copy_in_form(whole, FORM_BARE) : copy_resource(whole);
	struct cs_random random = {8};
	struct outcome outcome = {0};
	unsigned char *bytes = (unsigned char *)(uintptr_t)r->root_bytes;
	for (size_t at = 0; at + 4 <= r->n_root_bytes; at += 4) {
		uint32_t value = cs_load32(bytes + at);
		/* headers and chunk by every verb, the mass of codes by some */
		unsigned step = (at < 4000 ? 1 : 3) * tap_every();
		for (unsigned v = (unsigned)(at / 4) % step; v < N_VERBS; v += step) {
			cs_store32(bytes + at, (uint32_t)verb(v, value, 32, &random));
			try(r, outcome.runs % 16 == 0, &outcome);
		}
		cs_store32(bytes + at, value);
	}
	diag("words%s: %zu runs, %zu refused, %zu with findings, %zu silent",
		dense ? " of the dense form" : "", outcome.runs, outcome.refused, outcome.found,
		outcome.silent);
	is_int(outcome.unnamed, 0, "words of pages: %zu spoiled resources, each error has a name",
		outcome.runs);
	ok(outcome.refused > outcome.runs / 20 && outcome.found >= outcome.refused,
		"words of pages: what is refused is found by checking");
	cs_nanite_free(r);
	cs_nanite_free(whole);
}

/* ---- fields ---- */

struct table {
	uint16_t id;
	const void *rows;
	size_t n;
};

static void spoil_field(const struct cs_nanite *r, unsigned char *row, const struct cs_field *field,
	struct cs_random *random, struct outcome *outcome)
{
	unsigned size = (unsigned)cs_field_element_size(field), word = size % 4 ? size : 4;
	if (field->type == CS_FIELD_HALF)
		word = 2;
	for (size_t i = 0; i < (field->count ? field->count : 1u); i++)
		for (unsigned w = 0; w < size; w += word) {
			unsigned char *at = row + cs_field_offset(field, i) + w;
			uint64_t value = load(at, word);
			for (unsigned v = (unsigned)outcome->runs % tap_every(); v < N_VERBS;
				v += tap_every()) {
				uint64_t spoiled = verb(v, value, 8 * word, random);
				memcpy(at, &spoiled, word);
				try(r, outcome->runs % 32 == 0, outcome);
			}
			memcpy(at, &value, word);
		}
}

static void test_fields(void)
{
	struct cs_nanite *whole = make_resource(128, false);
	struct cs_nanite *r = copy_resource(whole);
	const struct cs_schema *schema = cs_schema_of_kind(CS_KIND_CNANITE);
	const struct table tables[] = {
		{CS_TABLE_NANITE, r->info, r->n_info},
		{CS_TABLE_NANITE_PAGES, r->pages, r->n_pages},
		{CS_TABLE_NANITE_DEPENDENCIES, r->dependencies, r->n_dependencies},
		{CS_TABLE_NANITE_ROOTS, r->roots, r->n_roots},
		{CS_TABLE_NANITE_NODES, r->nodes, r->n_nodes},
	};
	struct cs_random random = {9};
	struct outcome outcome = {0};
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		const struct cs_record *record = cs_schema_record(schema, tables[t].id);
		for (size_t row = 0; row < tables[t].n; row++)
			for (size_t f = 0; f < record->n_fields; f++)
				spoil_field(r,
					(unsigned char *)(uintptr_t)tables[t].rows +
						row * record->size,
					&record->fields[f], &random, &outcome);
	}
	diag("fields: %zu runs, %zu refused, %zu with findings, %zu silent", outcome.runs,
		outcome.refused, outcome.found, outcome.silent);
	is_int(outcome.unnamed, 0, "fields: %zu spoiled resources, each error has a name",
		outcome.runs);
	ok(outcome.found > outcome.runs / 3, "fields: most are found");
	cs_nanite_free(r);
	cs_nanite_free(whole);
}

/* ---- sizes ---- */

/*
 * A small file must not ask for much memory: the memory that a page claims is checked before it is
 * allocated.
 */
static void test_claims(void)
{
	struct cs_nanite *whole = make_resource(8, false);
	struct cs_nanite *r = copy_resource(whole);
	struct cs_nanite_page_state *pages = (struct cs_nanite_page_state *)(uintptr_t)r->pages;
	struct cs_nanite_contents *contents;
	const uint32_t claims[] = {0, 1, 27, 28, 0x7fffffff, 0xffffffff};
	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
		pages[0].page_size = claims[i];
		struct cs_error *error = cs_nanite_decode(r, NULL, &contents);
		ok(error && (error->code == CS_E_NANITE || error->code == CS_E_LIMIT),
			"a page that claims %" PRIu32 " bytes: %s", claims[i],
			error ? error->message : "accepted");
		cs_error_free(error);
	}
	pages[0].page_size = whole->pages[0].page_size;
	struct cs_limits limits = cs_limits_default();
	limits.memory = 10000;
	struct cs_job job = {.limits = &limits};
	fails(cs_nanite_decode(r, &job, &contents), CS_E_LIMIT, "the limit memory holds");
	cs_nanite_free(r);
	cs_nanite_free(whole);
}

/* ---- other files ---- */

static void test_other_kinds(void)
{
	struct cs_nanite *resource;
	char text[] =
		"not a resource at all, but long enough to be looked at, which takes a hundred "
		"bytes or so";
	fails(cs_nanite_open_bytes(text, sizeof(text), "text", CS_FILE_STRICT, NULL, &resource),
		CS_E_TRUNCATED, "a short text file");
	fails(cs_nanite_open("/nonexistent.cnanite", CS_FILE_STRICT, NULL, &resource), CS_E_NOFILE,
		"a file that does not exist");
	size_t n;
	size_t told = 0;
	fails(cs_nanite_verify("/nonexistent.cnanite", false, NULL, count_finding, &told, &n),
		CS_E_NOFILE, "verifying it");
}

int main(void)
{
	test_file();
	test_words(false);
	test_words(true);
	test_fields();
	test_claims();
	test_other_kinds();
	return done();
}
