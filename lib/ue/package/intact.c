/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks for damage in a package whose tables could be read. Objects must be inside of objects that
 * the package has. The data of exports (from 5.4 on, their tagged properties) must be behind the
 * header and apart from each other, and the file must be complete. From UE5 version 1012 (5.4) on,
 * a package stores where the property list of each export ends and which values have a binary form,
 * so that property lists and values must fill exactly the bytes given for them. Data that classes
 * write in a form of their own, and maps, sets and texts, are not checked. A package of 5.6 (1016
 * and 1017) has a hash of all its bytes before the trailer.
 */
#include "ue/package/properties.h"

#include "core/sort.h"
#include "ue/package/blake3.h"

#include <inttypes.h>
#include <stdlib.h>

/* Structs that are nested deeper are not checked; those of real files have a few levels. */
enum { DEEPEST_STRUCT = 32 };
enum { TREES_FROM = 1012, HASHES_FROM = 1016, HASHES_TO = 1017 };

static bool intact_has(const struct cs_ue_package *package, int32_t index)
{
	return index >= 0 ? (uint32_t)index <= package->n_exports
			  : ~(uint32_t)index < package->n_imports;
}

/* ---- values ---- */

static struct cs_error *intact_list(struct cs_ue_properties *list, unsigned depth);

static struct cs_error *intact_struct(struct cs_ue_value *value, unsigned depth)
{
	struct cs_ue_properties list = {value->package, value->cursor};
	struct cs_error *error = intact_list(&list, depth + 1);
	value->cursor = list.cursor;
	return error;
}

/* Reads a value of one of the types NameProperty, StrProperty and ObjectProperty. */
static void intact_plain(struct cs_ue_value *value, const char *type)
{
	if (strcmp(type, "NameProperty") == 0)
		cs_ue_read_name(&value->cursor, value->package);
	else if (strcmp(type, "StrProperty") == 0)
		cs_ue_read_string(&value->cursor);
	else if (!intact_has(value->package, cs_cursor_i32(&value->cursor)))
		cs_cursor_fail(&value->cursor, CS_E_PACKAGE,
			"a value refers to an object that is not in the package");
}

/* Checks a value, or each element of an array, if it is a struct or intact_plain() can read it. */
static struct cs_error *intact_value(struct cs_ue_value *value, unsigned depth)
{
	const bool array = strcmp(value->type, "ArrayProperty") == 0;
	const char *type = array ? value->inner : value->type;
	const bool is_struct = strcmp(type, "StructProperty") == 0;
	const bool is_checked = is_struct || strcmp(type, "NameProperty") == 0 ||
				strcmp(type, "StrProperty") == 0 ||
				strcmp(type, "ObjectProperty") == 0;
	if (!is_checked || value->native || value->cursor.size == 0 || depth == DEEPEST_STRUCT)
		return NULL;
	struct cs_error *error = NULL;
	const uint32_t count = array ? cs_cursor_count(&value->cursor, 4) : 1;
	for (uint32_t i = 0; i < count && !error && !value->cursor.bad; i++)
		if (is_struct)
			error = intact_struct(value, depth);
		else
			intact_plain(value, type);
	if (!error && cs_cursor_left(&value->cursor) > 0)
		cs_cursor_fail(&value->cursor, CS_E_PACKAGE,
			"a value takes fewer bytes than its property declares");
	return error ? error : cs_cursor_error(&value->cursor, "tagged properties");
}

static struct cs_error *intact_list(struct cs_ue_properties *list, unsigned depth)
{
	struct cs_ue_name name;
	struct cs_ue_value value;
	struct cs_error *error = NULL;
	while (!error && cs_ue_next_property(list, &name, &value))
		error = intact_value(&value, depth);
	return error ? error : cs_cursor_error(&list->cursor, "tagged properties");
}

/* ---- packages ---- */

static struct cs_error *intact_export(
	struct cs_ue_package *package, const struct cs_ue_export *export)
{
	struct cs_ue_properties list;
	/* default objects are skipped: the form of their properties is not always known */
	if (package->summary.v5 < TREES_FROM || export->begin == export->end || export->is_default)
		return NULL;
	struct cs_error *error = cs_ue_export_properties(package, export, &list);
	if (!error)
		error = intact_list(&list, 0);
	if (!error && cs_cursor_left(&list.cursor) > 0)
		error = cs_error_at(CS_E_PACKAGE, package->source.name,
			list.cursor.origin + list.cursor.position,
			"the tagged properties of an export end here, but the export table says "
			"that they end at byte %" PRIu64,
			export->end);
	return error;
}

static struct cs_error *intact_outers(const struct cs_ue_package *package)
{
	const char *table = NULL;
	uint32_t row = 0;
	for (uint32_t i = 0; i < package->n_imports && !table; row = i++)
		if (!intact_has(package, package->imports[i].outer))
			table = "import";
	for (uint32_t i = 0; i < package->n_exports && !table; row = i++)
		if (!intact_has(package, package->exports[i].outer) ||
			!intact_has(package, package->exports[i].class_index))
			table = "export";
	return table ? cs_error_at(CS_E_PACKAGE, package->source.name, CS_NO_OFFSET,
			       "%s %u (counted from 0) refers to an object that is not in the "
			       "package",
			       table, row)
		     : NULL;
}

static int intact_by_begin(const void *left, const void *right, void *context)
{
	(void)context;
	const struct cs_ue_export *l = left, *r = right;
	return (l->begin > r->begin) - (l->begin < r->begin);
}

/* Checks that the data of no export begins in the header, or before another's data ends. */
static struct cs_error *intact_ranges(const struct cs_ue_package *package)
{
	const size_t n = package->n_exports;
	uint64_t end = package->header_size;
	size_t wrong = n; /* index of the first export that begins too early */
	struct cs_ue_export *sorted = malloc((n + 1) * sizeof(*sorted));
	if (sorted && n > 0)
		memcpy(sorted, package->exports, n * sizeof(*sorted));
	const bool good = sorted && cs_sort(sorted, n, sizeof(*sorted), intact_by_begin, NULL);
	for (size_t i = 0; good && i < n && wrong == n; i++) {
		if (sorted[i].begin == sorted[i].end)
			continue;
		if (sorted[i].begin < end)
			wrong = i;
		end = sorted[i].end;
	}
	const uint64_t at = wrong < n ? sorted[wrong].begin : 0;
	free(sorted);
	if (!good)
		return cs_error_nomem();
	return wrong < n
		       ? cs_error_at(CS_E_PACKAGE, package->source.name, at,
				 "the data of an export begins in the header or in the data of another")
		       : NULL;
}

struct cs_error *cs_ue_find_cut(
	const struct cs_source_file *source, const struct cs_ue_summary *summary)
{
	if (summary->bulk_data <= 0 || (uint64_t)summary->bulk_data <= source->size)
		return NULL;
	return cs_error_at(CS_E_TRUNCATED, source->name, source->size,
		"the file ends before byte %" PRId64 ", the end of its objects",
		summary->bulk_data);
}

/*
 * Checks that the trailer, in which packages keep payloads, begins where the summary says and fills
 * the rest of the file. Its last 12 bytes are its length and the tag that also begins the file. A
 * transfer that changes line ends moves the start of the trailer and is found by that.
 */
static struct cs_error *intact_end(const struct cs_ue_package *package)
{
	const struct cs_source_file *source = &package->source;
	const uint64_t trailer = (uint64_t)package->summary.payloads;
	unsigned char end[12];
	if (package->summary.payloads <= 0 || source->size < sizeof(end))
		return NULL;
	struct cs_error *error =
		cs_source_read(source, source->size - sizeof(end), end, sizeof(end));
	if (error)
		return error;
	if (cs_load32(end + 8) != CS_UE_TAG)
		return cs_error_at(CS_E_TRUNCATED, source->name, source->size,
			"the file does not end with the tag that ends a package");
	if (trailer > source->size || cs_load64(end) != source->size - trailer)
		return cs_error_at(CS_E_PACKAGE, source->name, CS_NO_OFFSET,
			"the file has lost or gained bytes, perhaps in a transfer that converts "
			"line ends: copy it again in binary mode");
	return NULL;
}

/*
 * Compares the hash in the summary with the first 20 bytes of BLAKE3 of everything before the
 * trailer, with zeros in place of the hash. All 175 packages of a project of 5.6 agree. No package
 * of a later version was available, so hashes of later versions are not compared.
 */
static struct cs_error *intact_hash(const struct cs_ue_package *package)
{
	enum { HASH_AT = 24, PIECE = 1 << 18 };
	static const unsigned char none[20];
	const struct cs_ue_summary *summary = &package->summary;
	unsigned char got[20];
	struct cs_ue_blake3 hash;
	struct cs_error *error = NULL;
	if (summary->v5 < HASHES_FROM || summary->v5 > HASHES_TO || summary->payloads <= 0 ||
		memcmp(summary->saved_hash, none, sizeof(none)) == 0)
		return NULL;
	unsigned char *piece = malloc(PIECE);
	if (!piece)
		return cs_error_nomem();
	const uint64_t end = (uint64_t)summary->payloads;
	cs_ue_blake3_begin(&hash);
	for (uint64_t at = 0; at < end && !error; at += PIECE) {
		const size_t n = end - at < PIECE ? (size_t)(end - at) : PIECE;
		error = cs_source_read(&package->source, at, piece, n);
		if (!error && at == 0 && n >= HASH_AT + sizeof(none))
			memset(piece + HASH_AT, 0, sizeof(none));
		if (!error)
			cs_ue_blake3_add(&hash, piece, n);
	}
	free(piece);
	cs_ue_blake3_end(&hash, got);
	return error || memcmp(got, summary->saved_hash, sizeof(got)) == 0
		       ? error
		       : cs_error_at(CS_E_CHECKSUM, package->source.name, HASH_AT,
				 "the bytes of the package do not match the hash in its header: "
				 "the file changed after it was saved");
}

struct cs_error *cs_ue_check_package(struct cs_ue_package *package)
{
	if (cs_ue_package_version_unknown(package->summary.v5))
		return NULL;
	struct cs_error *error = cs_ue_find_cut(&package->source, &package->summary);
	if (!error)
		error = intact_end(package);
	if (!error)
		error = intact_outers(package);
	if (!error)
		error = intact_ranges(package);
	for (uint32_t i = 0; i < package->n_exports && !error; i++)
		error = intact_export(package, &package->exports[i]);
	return error ? error : intact_hash(package);
}
