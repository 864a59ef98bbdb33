/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the form in which byte planes are stored.
 *
 *	head	of columns.h: u16 number of columns; for each: u8 width, u8 coding
 *	sizes	for each column u32: its bytes
 *	columns	one after the other. For differences first the word from which the first row is
 *		subtracted; then for each plane u8 form and the data of the form:
 *		0	a byte, which all rows have
 *		1 to 6	a palette of 2^form bytes; then for each 8 rows `form` bytes, little-endian,
 *			the indices of their bytes in the palette, that of the first row lowest
 *		8	a byte for each row
 *		9	u32 size, and an LZ4 block of that size
 *
 * A sample of a plane decides its form: LZ4 where bytes repeat earlier ones, a palette where there
 * are few different ones, else the bytes. LZ4 is not tried on noise, such as GUIDs and the low
 * bytes of coordinates. For few different bytes in any order it would give more bytes than a
 * palette, in twice the time.
 */
#include "format/planes.h"

#include "core/cursor.h"
#include "format/columns.h"
#include "format/unpack.h"

#include <lz4.h>
#include <string.h>

enum form { CONSTANT = 0, LARGEST_PALETTE = 6, BYTES = 8, LZ4 = 9 };

enum { GROUP = 8 }; /* rows whose indices in a palette are stored together */

/* ---- packing ---- */

/* The figures of a sample of a plane. */
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

/* Returns the bits of a number below n. */
static unsigned bits_of(size_t n)
{
	unsigned bits = 1;
	while ((size_t)1 << bits < n)
		bits++;
	return bits;
}

static enum form choose_form(const unsigned char *plane, size_t n)
{
	enum { OF_CHANGE = 3 }; /* about how many bytes LZ4 uses for a change */
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

/*
 * Lists the different bytes of a plane in their order, and sets the index of each. Returns their
 * count.
 */
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
		/* The next group overwrites the bytes beyond the bits of this one. */
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

size_t cs_planes_pack(const struct cs_record *record, const unsigned char *rows, size_t n,
	unsigned char *columns, unsigned char *ret)
{
	uint64_t first[CS_COLUMNS_MOST];
	const size_t head = cs_columns_head(record, ret), count = cs_load16(ret);
	size_t end = head + count * sizeof(uint32_t);
	cs_columns_begin(ret, rows, record->size, first);
	cs_columns_encode(ret, rows, n, first, columns);
	for (size_t i = 0; i < count; i++) {
		const size_t width = ret[2 * i + 2], begin = end;
		if (cs_columns_differ(ret, i)) {
			cs_store64(ret + end, first[i]);
			end += width;
		}
		for (size_t plane = 0; plane < width; plane++, columns += n)
			end += store_plane(columns, n, ret + end);
		cs_store32(ret + head + i * sizeof(uint32_t), (uint32_t)(end - begin));
	}
	return end;
}

/* ---- unpacking ---- */

/* Takes `size` bytes from the front. Returns NULL when there are fewer. */
static const unsigned char *take_bytes(const unsigned char **from, size_t *left, size_t size)
{
	const unsigned char *at = *from;
	if (size > *left)
		return NULL;
	*from += size;
	*left -= size;
	return at;
}

static bool get_palette(
	const unsigned char **from, size_t *left, unsigned bits, size_t n, unsigned char *ret)
{
	const unsigned char *palette = take_bytes(from, left, (size_t)1 << bits);
	const unsigned char *numbers = take_bytes(from, left, (n + GROUP - 1) / GROUP * bits);
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

static bool get_lz4(const unsigned char **from, size_t *left, size_t n, unsigned char *ret)
{
	const unsigned char *size = take_bytes(from, left, sizeof(uint32_t));
	const unsigned char *block = size ? take_bytes(from, left, cs_load32(size)) : NULL;
	return block && cs_unpack(block, cs_load32(size), ret, n);
}

static bool get_plane(const unsigned char **from, size_t *left, size_t n, unsigned char *ret)
{
	const unsigned char *form = take_bytes(from, left, 1), *bytes;
	if (!form)
		return false;
	switch (*form) {
	case CONSTANT:
		bytes = take_bytes(from, left, 1);
		if (bytes)
			memset(ret, *bytes, n);
		return bytes;
	case BYTES:
		bytes = take_bytes(from, left, n);
		if (bytes)
			memcpy(ret, bytes, n);
		return bytes;
	case LZ4:
		return get_lz4(from, left, n, ret);
	default:
		return *form <= LARGEST_PALETTE && get_palette(from, left, *form, n, ret);
	}
}

/* Unpacks the planes of a column, which must use all of its bytes. */
static bool get_column(const unsigned char *head, size_t column, const unsigned char *from,
	size_t left, size_t n, uint64_t *first, unsigned char *ret)
{
	const size_t width = head[2 * column + 2];
	unsigned char word[8] = {0};
	if (cs_columns_differ(head, column)) {
		const unsigned char *bytes = take_bytes(&from, &left, width);
		if (!bytes)
			return false;
		memcpy(word, bytes, width);
	}
	*first = cs_load64(word);
	for (size_t plane = 0; plane < width; plane++)
		if (!get_plane(&from, &left, n, ret + plane * n))
			return false;
	return left == 0;
}

bool cs_planes_unpack(const unsigned char *stored, const struct cs_section *section,
	const bool *wanted, unsigned char *columns, unsigned char *ret)
{
	uint64_t first[CS_COLUMNS_MOST] = {0};
	size_t left = (size_t)section->stored_size;
	const size_t n = section->record_count,
		     head = cs_columns_head_check(stored, left, section->record_size);
	const unsigned char *from = stored;
	if (!head)
		return false;
	const size_t count = cs_load16(stored);
	take_bytes(&from, &left, head);
	const unsigned char *sizes = take_bytes(&from, &left, count * sizeof(uint32_t));
	for (size_t i = 0, offset = 0; sizes && i < count; offset += stored[2 * ++i]) {
		const size_t size = cs_load32(sizes + i * sizeof(uint32_t));
		const unsigned char *bytes = take_bytes(&from, &left, size);
		if (!bytes)
			return false;
		if ((!wanted || wanted[offset]) &&
			!get_column(stored, i, bytes, size, n, &first[i], columns + offset * n))
			return false;
	}
	if (!sizes || left != 0)
		return false;
	cs_columns_decode(stored, columns, n, first, wanted, ret);
	return true;
}
