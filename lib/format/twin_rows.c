/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of a section may be stored as differences from columns of an earlier table (the twin,
 * planes.h). This file reads the rows of the twin that have the same numbers as the section's rows.
 * Only the columns that the differences refer to are decoded, section by section. A section of a
 * twin must not have a twin itself and has at most CS_PART_BYTES, which bounds the memory: one such
 * section, and as many rows as the section with the differences has.
 */
#include "format/file_inside.h"
#include "format/layout.h"
#include "format/reader.h"

#include <stdlib.h>
#include <string.h>

/* Rows `first` to `end` - 1 of a table, and an iterator over the sections that contain them. */
struct twin_range {
	size_t first, end;
	size_t next, starts; /* the next section to read, and the index of its first row */
	uint32_t record_size;
};

/* Returns the number of rows in the sections of the same table that precede section `index`. */
static size_t rows_before(const struct cs_file *file, size_t index)
{
	size_t ret = 0;
	for (size_t i = index; i > 0 && file->sections[i - 1].table == file->sections[index].table;
		i--)
		ret += file->sections[i - 1].record_count;
	return ret;
}

static struct cs_error *find_range(const struct cs_file *file, size_t index,
	const struct cs_planes_twin *twin, struct twin_range *ret)
{
	const struct cs_section *section = &file->sections[index];
	if (twin->table >= section->table)
		return cs_file_section_error(file, index, CS_E_LAYOUT,
			"a column repeats a column of a table that does not precede its own");
	const struct cs_file_parts parts = cs_file_parts_of(file, twin->table);
	struct twin_range range = {.first = rows_before(file, index), .next = parts.first};
	range.end = range.first + section->record_count;
	if (parts.n == 0 || range.end > cs_file_rows(file, twin->table))
		return cs_file_section_error(file, index, CS_E_LAYOUT,
			"a column repeats rows that the other table does not have");
	while (range.next + 1 < parts.first + parts.n &&
		range.starts + file->sections[range.next].record_count <= range.first)
		range.starts += file->sections[range.next++].record_count;
	range.record_size = file->sections[range.next].record_size;
	*ret = range;
	return NULL;
}

/*
 * Checks that other sections may repeat columns of this section. It must not repeat columns itself,
 * so that there is no cycle. It must not be large, so that the cost of reading it is bounded.
 */
static struct cs_error *check_repeated(const struct cs_file *file, size_t index)
{
	const struct cs_section *section = &file->sections[index];
	if (section->flags & CS_SECTION_TWINS)
		return cs_file_section_error(file, index, CS_E_LAYOUT,
			"a column repeats a column that itself repeats a third one");
	if (section->raw_size > CS_PART_BYTES || section->record_size > CS_COLUMNS_MOST)
		return cs_file_section_error(file, index, CS_E_LIMIT,
			"a column repeats rows of a section of more than 1 MiB, or of more than "
			"512 bytes a row, the limits");
	return NULL;
}

/* Copies to `rows` those rows of a section that are in `range`. */
static void copy_range(
	const struct twin_range *range, const unsigned char *section, size_t n, unsigned char *rows)
{
	const size_t end = range->starts + n < range->end ? range->starts + n : range->end;
	const size_t first = range->starts > range->first ? range->starts : range->first;
	memcpy(rows + (first - range->first) * range->record_size,
		section + (first - range->starts) * range->record_size,
		(end - first) * range->record_size);
}

static struct cs_error *read_twin_range(const struct cs_file *file,
	const struct cs_planes_twin *twin, struct twin_range range, unsigned char *rows)
{
	struct cs_error *error = NULL;
	for (; !error && range.starts < range.end; range.next++) {
		const size_t n = file->sections[range.next].record_count;
		unsigned char *section = NULL;
		error = check_repeated(file, range.next);
		if (!error)
			error = cs_file_read_some(file, range.next, twin->wanted, &section);
		if (!error)
			copy_range(&range, section, n, rows);
		free(section);
		range.starts += n;
	}
	return error;
}

struct cs_error *cs_file_read_twin(const struct cs_file *file, size_t index,
	struct cs_planes_twin *twin, unsigned char **rows_ret)
{
	struct twin_range range;
	struct cs_error *error = find_range(file, index, twin, &range);
	if (error)
		return error;
	const size_t n = range.end - range.first;
	unsigned char *rows =
		n > SIZE_MAX / range.record_size - 1 ? NULL : malloc(n * range.record_size + 1);
	if (!rows)
		return cs_error_nomem();
	error = read_twin_range(file, twin, range, rows);
	if (error) {
		free(rows);
		return error;
	}
	twin->record_size = range.record_size;
	twin->rows = rows;
	*rows_ret = rows;
	return NULL;
}
