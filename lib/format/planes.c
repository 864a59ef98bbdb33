/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores byte planes in compressed forms.
 *
 *	head	of columns.h: u16 number of columns; for each: u8 width, u8 coding
 *	sizes	for each column u32: its stored size in bytes
 *	columns	one after the other. A column of differences begins with the word that is
 *		subtracted from the word of row 0. Then for each plane u8 form and its data:
 *		0	one byte, which all rows have
 *		1 to 6	a palette of 2^form bytes; then for each 8 rows `form` bytes, little-endian,
 *			their indices into the palette; the first row has the lowest bits
 *		8	a byte for each row
 *		9	u32 size, and an LZ4 block of that size
 *
 * A column that repeats a column of an earlier table (its twin) in most rows is stored as
 * differences from it. Instead of the planes of all rows it contains
 *
 *	twin	u16 table, u16 offset of the word in its records
 *	flags	a plane with 1 for each row whose word differs from the twin's word in the row
 *		of the same number, else 0
 *	words	the planes of the words of the flagged rows, if there are any
 *
 * A sample of a plane decides its form: LZ4 if bytes repeat earlier sequences, a palette if there
 * are few different values, else plain bytes. LZ4 is not tried on noise, such as GUIDs and low
 * bytes of coordinates. For few different values in random order it would take more bytes than a
 * palette, and twice the time.
 */
#include "format/planes.h"

#include "core/cursor.h"
#include "format/columns.h"
#include "format/file_inside.h"
#include "format/unpack.h"

#include <lz4.h>
#include <string.h>

enum form { CONSTANT = 0, LARGEST_PALETTE = 6, BYTES = 8, LZ4 = 9 };

enum { GROUP = 8 }; /* number of rows whose palette indices are stored together */

/* ---- packing ---- */

/* Counts in a plane's sample: bytes, distinct values, bytes that differ from the one before. */
struct look {
	size_t bytes, different, changes;
};

static struct look sample_plane(const unsigned char *plane, size_t n)
{
	enum { RUNS = 8, RUN = 32 };
	const size_t step = n / RUNS, run = step < RUN ? step : RUN;
	bool seen[256] = {false};
	struct look look = {RUNS * run, 0, 0};
	for (size_t i = 0; i < RUNS; i++)
		for (size_t k = 0; k < run; k++) {
			const unsigned char *at = plane + i * step + k;
			look.different += !seen[*at];
			look.changes += k > 0 && *at != at[-1];
			seen[*at] = true;
		}
	return look;
}

/* Returns the number of bits that indices from 0 to n - 1 need, at least 1. */
static unsigned bits_of(size_t n)
{
	unsigned bits = 1;
	while ((size_t)1 << bits < n)
		bits++;
	return bits;
}

static enum form choose_form(const unsigned char *plane, size_t n)
{
	enum { OF_CHANGE = 3 }; /* approximate number of bytes in LZ4 for each change of value */
	if (memcmp(plane, plane + 1, n - 1) == 0)
		return CONSTANT;
	const struct look look = sample_plane(plane, n);
	const unsigned bits = bits_of(look.different);
	if (8 * OF_CHANGE * look.changes < bits * look.bytes)
		return LZ4;
	return bits <= LARGEST_PALETTE ? (enum form)bits : BYTES;
}

static size_t store_constant(const unsigned char *plane, unsigned char *ret)
{
	ret[0] = CONSTANT;
	ret[1] = plane[0];
	return 2;
}

static size_t store_bytes(const unsigned char *plane, size_t n, unsigned char *ret)
{
	ret[0] = BYTES;
	memcpy(ret + 1, plane, n);
	return 1 + n;
}

static size_t store_lz4(const unsigned char *plane, size_t n, unsigned char *ret)
{
	enum { HEAD = 5 };
	const int size = LZ4_compress_default(
		(const char *)plane, (char *)ret + HEAD, (int)n, LZ4_compressBound((int)n));
	if (size <= 0 || HEAD + (size_t)size > n)
		return store_bytes(plane, n, ret);
	ret[0] = LZ4;
	cs_store32(ret + 1, (uint32_t)size);
	return HEAD + (size_t)size;
}

/* Lists the distinct bytes of a plane in `ret`, byte b at index numbers[b]. Returns the count. */
static size_t make_palette(
	const unsigned char *plane, size_t n, unsigned char numbers[256], unsigned char *ret)
{
	bool seen[256] = {false};
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		seen[plane[i]] = true;
	for (size_t byte = 0; byte < 256; byte++)
		if (seen[byte]) {
			numbers[byte] = (unsigned char)count;
			ret[count++] = (unsigned char)byte;
		}
	return count;
}

static size_t store_palette(const unsigned char *plane, size_t n, unsigned char *ret)
{
	unsigned char numbers[256] = {0}, palette[256] = {0}, last[GROUP];
	const unsigned bits = bits_of(make_palette(plane, n, numbers, palette));
	const size_t colours = (size_t)1 << bits, size = (n + GROUP - 1) / GROUP * bits;
	if (bits > LARGEST_PALETTE || 1 + colours + size > n)
		return store_lz4(plane, n, ret);
	ret[0] = (unsigned char)bits;
	memcpy(ret + 1, palette, colours);
	unsigned char *to = ret + 1 + colours;
	memset(last, palette[0], sizeof(last));
	memcpy(last, plane + n / GROUP * GROUP, n % GROUP);
	for (size_t i = 0; i < n; i += GROUP, to += bits) {
		const unsigned char *from = i + GROUP <= n ? plane + i : last;
		uint64_t word = 0;
#pragma GCC unroll 8
		for (size_t k = GROUP; k-- > 0;)
			word = word << bits | numbers[from[k]];
		/* this writes 8 bytes; the next group overwrites those beyond this group */
		cs_store64(to, word);
	}
	return 1 + colours + size;
}

static size_t store_plane(const unsigned char *plane, size_t n, unsigned char *ret)
{
	switch (choose_form(plane, n)) {
	case CONSTANT:
		return store_constant(plane, ret);
	case BYTES:
		return store_bytes(plane, n, ret);
	case LZ4:
		return store_lz4(plane, n, ret);
	default:
		return store_palette(plane, n, ret);
	}
}

static size_t store_planes(const unsigned char *planes, size_t width, size_t n, unsigned char *ret)
{
	size_t end = 0;
	for (size_t plane = 0; plane < width; plane++)
		end += store_plane(planes + plane * n, n, ret + end);
	return end;
}

/* ---- columns stored as differences from their twin ---- */

enum { FOLLOWER_HEAD = 4 }; /* bytes that name the twin: its table, and the offset in its rows */

/* A column and its twin, an earlier column that it mostly repeats, and the words of both. */
struct follower {
	const unsigned char *words, *twins;
	size_t row_size, twin_size, width, n;
	uint16_t twin_offset;
};

static inline bool is_same_word(const unsigned char *a, const unsigned char *b, size_t width)
{
	return width == 8   ? cs_load64(a) == cs_load64(b)
	       : width == 4 ? cs_load32(a) == cs_load32(b)
			    : memcmp(a, b, width) == 0;
}

/* Flags the rows in which the column and its twin differ. Returns the number of these rows. */
static size_t flag_rows(const struct follower *follower, unsigned char *flags)
{
	size_t count = 0;
	for (size_t i = 0; i < follower->n; i++) {
		flags[i] = !is_same_word(follower->words + i * follower->row_size,
			follower->twins + i * follower->twin_size, follower->width);
		count += flags[i];
	}
	return count;
}

static bool is_constant(const struct follower *follower)
{
	size_t i = 1;
	while (i < follower->n &&
		is_same_word(
			follower->words, follower->words + i * follower->row_size, follower->width))
		i++;
	return i == follower->n;
}

/*
 * Returns whether a column with `flagged` rows that differ from its twin (an earlier column that it
 * mostly repeats) should be stored as differences. At most half of the rows may differ, and the
 * flags and the words that differ must fit into the memory of the column. A constant column is
 * stored as differences only if no row differs.
 */
static bool should_follow(const struct follower *follower, size_t flagged)
{
	return 2 * flagged <= follower->n &&
	       follower->n + flagged * follower->width <= follower->n * follower->width &&
	       (flagged == 0 || !is_constant(follower));
}

/*
 * Returns the field that contains the column at byte `offset` of the row. Returns NULL if the twin
 * of this field (the earlier field that it mostly repeats) is not in the table of `twin`.
 */
static const struct cs_field *field_with_twin(
	const struct cs_record *record, const struct cs_planes_twin *twin, size_t offset)
{
	for (size_t i = 0; i < record->n_fields; i++) {
		const struct cs_field *field = &record->fields[i];
		if (field->twin_table == twin->table && offset >= field->offset &&
			offset - field->offset < cs_field_element_size(field))
			return field;
	}
	return NULL;
}

/* State of packing one section. */
struct packing {
	const struct cs_record *record;
	const unsigned char *rows;
	size_t n;
	/* rows of the earlier table whose columns this section may repeat, or NULL */
	const struct cs_planes_twin *twin;
	unsigned char *head, *columns;
	/*
	 * for each column, by its byte offset in a row: whether `columns` has its planes. It does
	 * unless the column is constant or stored as differences from a twin
	 */
	bool in_planes[CS_COLUMNS_MOST];
};

static bool are_zeros(const unsigned char *bytes, size_t n)
{
	static const unsigned char zeros[8];
	return memcmp(bytes, zeros, n) == 0;
}

static struct follower follower_at(
	const struct packing *packing, const struct cs_field *field, size_t offset, size_t width)
{
	const size_t at = field->twin_offset + offset - field->offset;
	return (struct follower){.words = packing->rows + offset,
		.twins = packing->twin->rows + at,
		.row_size = packing->record->size,
		.twin_size = packing->twin->record_size,
		.width = width,
		.n = packing->n,
		.twin_offset = (uint16_t)at};
}

/*
 * Chooses the columns to store as differences from the twin table (the earlier table whose rows
 * they mostly repeat), and marks them in the head. In packing->columns, the memory of each column
 * that has a twin begins with a flag for each row, set if its word differs from that of the twin.
 */
static void choose_followers(struct packing *packing)
{
	/* for each byte of a row, the bits in which it differs, in any row, from the twin table */
	unsigned char others[CS_COLUMNS_MOST];
	const size_t count = cs_load16(packing->head);
	for (size_t i = 0, offset = 0; i < count; offset += packing->head[2 * ++i]) {
		const struct cs_field *field =
			field_with_twin(packing->record, packing->twin, offset);
		if (!field)
			continue;
		const struct follower follower =
			follower_at(packing, field, offset, packing->head[2 * i + 2]);
		unsigned char *flags = packing->columns + offset * packing->n;
		if (offset == field->offset)
			cs_columns_compare((struct cs_rows_at){follower.words, follower.row_size},
				(struct cs_rows_at){follower.twins, follower.twin_size}, packing->n,
				cs_field_element_size(field), others + offset);
		memset(flags, 0, packing->n);
		if (!are_zeros(others + offset, follower.width) &&
			!should_follow(&follower, flag_rows(&follower, flags)))
			continue;
		cs_columns_set_follow(packing->head, i);
		packing->in_planes[offset] = false;
	}
}

/* Sets in_planes of each column to whether some row has another value than the others. */
static void find_changing(struct packing *packing)
{
	const size_t count = cs_load16(packing->head), size = packing->record->size;
	unsigned char changes[CS_COLUMNS_MOST];
	cs_columns_compare((struct cs_rows_at){packing->rows, size},
		(struct cs_rows_at){packing->rows, 0}, packing->n, size, changes);
	for (size_t i = 0, offset = 0; i < count; offset += packing->head[2 * ++i])
		packing->in_planes[offset] = !are_zeros(changes + offset, packing->head[2 * i + 2]);
}

static size_t count_flags(const unsigned char *flags, size_t n)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += flags[i];
	return count;
}

/*
 * Stores a column as differences from its twin, the column of an earlier table that it mostly
 * repeats. `flags` has a flag for each row, set if it differs from the twin; the memory after the
 * flags is a buffer for the words that differ. Returns the number of bytes stored.
 */
static size_t store_follower(
	const struct follower *follower, uint16_t table, unsigned char *flags, unsigned char *ret)
{
	const size_t flagged = count_flags(flags, follower->n);
	unsigned char *planes = flags + follower->n;
	cs_store16(ret, table);
	cs_store16(ret + 2, follower->twin_offset);
	const size_t end = FOLLOWER_HEAD + store_plane(flags, follower->n, ret + FOLLOWER_HEAD);
	for (size_t i = 0, k = 0; k < flagged; i++) {
		if (!flags[i])
			continue;
		for (size_t plane = 0; plane < follower->width; plane++)
			planes[plane * flagged + k] =
				follower->words[i * follower->row_size + plane];
		k++;
	}
	return flagged ? end + store_planes(planes, follower->width, flagged, ret + end) : end;
}

/*
 * Stores the column that is at `offset` in each row. A column of differences begins with `first`
 * (cs_columns_begin). Returns the number of bytes stored.
 */
static size_t store_column(const struct packing *packing, size_t column, size_t offset,
	uint64_t first, unsigned char *ret)
{
	const size_t width = packing->head[2 * column + 2];
	const bool differs = cs_columns_differ(packing->head, column);
	unsigned char *planes = packing->columns + offset * packing->n;
	size_t end = 0;
	if (cs_columns_follow(packing->head, column)) {
		const struct follower follower = follower_at(packing,
			field_with_twin(packing->record, packing->twin, offset), offset, width);
		return store_follower(&follower, packing->twin->table, planes, ret);
	}
	if (differs) {
		cs_store64(ret, first);
		end += width;
	}
	if (packing->in_planes[offset])
		return end + store_planes(planes, width, packing->n, ret + end);
	static const unsigned char zeros[8];
	for (size_t plane = 0; plane < width; plane++)
		end += store_constant(
			(differs ? zeros : packing->rows + offset) + plane, ret + end);
	return end;
}

size_t cs_planes_pack(const struct cs_record *record, const unsigned char *rows, size_t n,
	const struct cs_planes_twin *twin, unsigned char *columns, unsigned char *ret)
{
	uint64_t first[CS_COLUMNS_MOST];
	const size_t head = cs_columns_head(record, ret), count = cs_load16(ret);
	struct packing packing = {record, rows, n, twin, ret, columns, {0}};
	size_t end = head + count * sizeof(uint32_t);
	find_changing(&packing);
	if (twin)
		choose_followers(&packing);
	cs_columns_begin(ret, rows, record->size, first);
	cs_columns_encode(ret, rows, n, first, packing.in_planes, columns);
	for (size_t i = 0, offset = 0; i < count; offset += ret[2 * ++i]) {
		const size_t size = store_column(&packing, i, offset, first[i], ret + end);
		cs_store32(ret + head + i * sizeof(uint32_t), (uint32_t)size);
		end += size;
	}
	return end;
}

/* ---- unpacking ---- */

static bool get_palette(struct cs_cursor *from, unsigned bits, size_t n, unsigned char *ret)
{
	const unsigned char *palette = cs_cursor_take(from, (size_t)1 << bits);
	const unsigned char *numbers = cs_cursor_take(from, (n + GROUP - 1) / GROUP * bits);
	const uint64_t mask = ((uint64_t)1 << bits) - 1;
	if (!palette || !numbers)
		return false;
	for (size_t i = 0; i < n; i += GROUP, numbers += bits) {
		const size_t rows = n - i < GROUP ? n - i : GROUP;
		uint64_t word = 0;
		for (unsigned k = 0; k < bits; k++)
			word |= (uint64_t)numbers[k] << 8 * k;
		for (size_t k = 0; k < rows; k++, word >>= bits)
			ret[i + k] = palette[word & mask];
	}
	return true;
}

static bool get_lz4(struct cs_cursor *from, size_t n, unsigned char *ret)
{
	const uint32_t size = cs_cursor_u32(from);
	const unsigned char *block = cs_cursor_take(from, size);
	return block && cs_unpack(block, size, ret, n);
}

static bool get_plane(struct cs_cursor *from, size_t n, unsigned char *ret)
{
	const unsigned char *form = cs_cursor_take(from, 1), *bytes;
	if (!form)
		return false;
	switch (*form) {
	case CONSTANT:
		bytes = cs_cursor_take(from, 1);
		if (bytes)
			memset(ret, *bytes, n);
		return bytes;
	case BYTES:
		bytes = cs_cursor_take(from, n);
		if (bytes)
			memcpy(ret, bytes, n);
		return bytes;
	case LZ4:
		return get_lz4(from, n, ret);
	default:
		return *form <= LARGEST_PALETTE && get_palette(from, *form, n, ret);
	}
}

/* Unpacks the byte planes of a column. Returns false if they are invalid or leave bytes unused. */
static bool get_column(const unsigned char *head, size_t column, struct cs_cursor from, size_t n,
	uint64_t *first, unsigned char *ret)
{
	const size_t width = head[2 * column + 2];
	unsigned char word[8] = {0};
	if (cs_columns_differ(head, column)) {
		const unsigned char *bytes = cs_cursor_take(&from, width);
		if (!bytes)
			return false;
		memcpy(word, bytes, width);
	}
	*first = cs_load64(word);
	for (size_t plane = 0; plane < width; plane++)
		if (!get_plane(&from, n, ret + plane * n))
			return false;
	return cs_cursor_left(&from) == 0;
}

/* Iterator over the stored columns of a section. */
struct column_walk {
	const unsigned char *head, *sizes;
	struct cs_cursor rest;
	size_t n, i, offset; /* number of columns, index and row offset of the current column */
	const unsigned char *bytes;
	size_t size;
};

/* Starts the iterator before the first column. Returns false when the head is invalid. */
static bool walk_columns(
	const unsigned char *stored, const struct cs_section *section, struct column_walk *ret)
{
	const size_t size = (size_t)section->stored_size;
	struct cs_cursor from = cs_cursor_over(stored, size, 0, NULL);
	const size_t head = cs_columns_head_check(
		stored, size, section->record_size, section->flags & CS_SECTION_TWINS);
	if (!head)
		return false;
	const size_t n = cs_load16(stored);
	cs_cursor_skip(&from, head);
	const unsigned char *sizes = cs_cursor_take(&from, n * sizeof(uint32_t));
	*ret = (struct column_walk){stored, sizes, from, n, SIZE_MAX, 0, NULL, 0};
	return sizes;
}

/* Moves to the next column. Returns false after the last, or if the stored bytes end too early. */
static bool next_column(struct column_walk *walk)
{
	walk->offset += walk->bytes ? walk->head[2 * walk->i + 2] : 0;
	if (++walk->i >= walk->n)
		return false;
	walk->size = cs_load32(walk->sizes + walk->i * sizeof(uint32_t));
	walk->bytes = cs_cursor_take(&walk->rest, walk->size);
	return walk->bytes;
}

static struct cs_cursor column_bytes(const struct column_walk *walk)
{
	return cs_cursor_over(walk->bytes, walk->size, 0, NULL);
}

static bool have_all_columns(const struct column_walk *walk)
{
	return walk->i == walk->n && cs_cursor_left(&walk->rest) == 0;
}

bool cs_planes_find_twin(const unsigned char *stored, const struct cs_section *section,
	const bool *wanted, struct cs_planes_twin *ret)
{
	struct cs_planes_twin twin = {0};
	struct column_walk walk;
	if (!walk_columns(stored, section, &walk))
		return false;
	while (next_column(&walk)) {
		if (!cs_columns_follow(stored, walk.i) || (wanted && !wanted[walk.offset]))
			continue;
		if (walk.size < FOLLOWER_HEAD)
			return false;
		const uint16_t table = cs_load16(walk.bytes), offset = cs_load16(walk.bytes + 2);
		const size_t width = stored[2 * walk.i + 2];
		if (!table || (twin.table && twin.table != table) ||
			offset + width > CS_COLUMNS_MOST)
			return false;
		twin.table = table;
		memset(twin.wanted + offset, true, width);
	}
	*ret = twin;
	return have_all_columns(&walk);
}

/* Writes a column into rows: stored words in flagged rows, words of the twin in the others. */
static void merge_words(const struct follower *follower, const unsigned char *flags, size_t flagged,
	unsigned char *rows)
{
	const unsigned char *planes = flags + follower->n;
	for (size_t i = 0, k = 0; i < follower->n; i++, rows += follower->row_size) {
		const unsigned char *twin = follower->twins + i * follower->twin_size;
		if (follower->width == 8)
			memcpy(rows, twin, 8);
		else
			memcpy(rows, twin, follower->width);
		for (size_t plane = 0; flags[i] && plane < follower->width; plane++)
			rows[plane] = planes[plane * flagged + k];
		k += flags[i];
	}
}

/* Unpacks a column stored as differences from its twin. Returns false for invalid bytes. */
static bool get_follower(const struct column_walk *walk, const struct cs_planes_twin *twin,
	struct follower follower, unsigned char *column, unsigned char *rows)
{
	struct cs_cursor from = column_bytes(walk);
	const unsigned char *head = cs_cursor_take(&from, FOLLOWER_HEAD);
	if (!head || cs_load16(head) != twin->table ||
		cs_load16(head + 2) + follower.width > follower.twin_size ||
		!get_plane(&from, follower.n, column))
		return false;
	const size_t flagged = count_flags(column, follower.n);
	for (size_t i = 0; i < follower.n; i++)
		if (column[i] > 1)
			return false;
	if (follower.n + flagged * follower.width > follower.n * follower.width)
		return false;
	for (size_t plane = 0; flagged && plane < follower.width; plane++)
		if (!get_plane(&from, flagged, column + follower.n + plane * flagged))
			return false;
	follower.twins = twin->rows + cs_load16(head + 2);
	if (cs_cursor_left(&from) > 0)
		return false;
	merge_words(&follower, column, flagged, rows);
	return true;
}

/* Unpacks a column whose words are all equal. Returns false for any other column. */
static bool get_constant(const struct column_walk *walk, unsigned char *ret)
{
	const size_t width = walk->head[2 * walk->i + 2];
	const bool differs = cs_columns_differ(walk->head, walk->i);
	const unsigned char *planes = walk->bytes + (differs ? width : 0);
	if ((!differs && !cs_columns_are_planes(walk->head, walk->i)) ||
		walk->size != 2 * width + (differs ? width : 0))
		return false;
	for (size_t i = 0; i < width; i++)
		if (planes[2 * i] != CONSTANT || (differs && planes[2 * i + 1] != 0))
			return false;
	for (size_t i = 0; i < width; i++)
		ret[i] = differs ? walk->bytes[i] : planes[2 * i + 1];
	return true;
}

/*
 * Fills each row with the values of the constant columns, and with zeros in the other columns. For
 * each of the other columns, sets left[i], where i is its byte offset in the row.
 */
static void fill_constants(const unsigned char *stored, const struct cs_section *section,
	bool left[8 * CS_COLUMNS_MOST], unsigned char *rows)
{
	unsigned char row[8 * CS_COLUMNS_MOST] = {0};
	struct column_walk walk;
	if (!walk_columns(stored, section, &walk))
		return;
	while (next_column(&walk))
		left[walk.offset] = !get_constant(&walk, row + walk.offset);
	for (size_t i = 0; i < section->record_count; i++)
		memcpy(rows + i * section->record_size, row, section->record_size);
}

bool cs_planes_unpack(const unsigned char *stored, const struct cs_section *section,
	const bool *wanted, const struct cs_planes_twin *twin, unsigned char *columns,
	unsigned char *ret)
{
	uint64_t first[CS_COLUMNS_MOST] = {0};
	const size_t n = section->record_count;
	struct column_walk walk;
	bool left[8 * CS_COLUMNS_MOST] = {false};
	if (!walk_columns(stored, section, &walk))
		return false;
	if (!wanted) {
		fill_constants(stored, section, left, ret);
		wanted = left;
	}
	while (next_column(&walk)) {
		const size_t at = walk.offset;
		if (!wanted[at])
			continue;
		const struct follower follower = {.row_size = section->record_size,
			.twin_size = twin->record_size,
			.width = stored[2 * walk.i + 2],
			.n = n};
		if (cs_columns_follow(stored, walk.i)
				? !get_follower(&walk, twin, follower, columns + at * n, ret + at)
				: !get_column(stored, walk.i, column_bytes(&walk), n,
					  &first[walk.i], columns + at * n))
			return false;
	}
	if (!have_all_columns(&walk))
		return false;
	cs_columns_decode(stored, columns, n, first, wanted, ret);
	return true;
}
