/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Owns: how a field reads that stands alone: its value with what it is counted in, as far as there
 * is room. The unit is what the column's own sentence ends with, "loading range of its grid, cm",
 * or begins with, "frame of the last change".
 */
#include "src/tui/list.h"

#include <stdio.h>
#include <string.h>

static const char *unit_of(const struct cs_column *column)
{
	static const char *const units[] = {"cm", "cm/s", "ms", "pixels", "degrees", "seconds"};
	const char *doc = column->doc ? strrchr(column->doc, ',') : NULL;
	for (size_t i = 0; doc && i < sizeof(units) / sizeof(units[0]); i++)
		if (doc[1] == ' ' && strcmp(doc + 2, units[i]) == 0)
			return units[i];
	return NULL;
}

static bool counts_bytes(const struct cs_column *column)
{
	static const char end[] = "bytes";
	size_t n = strlen(column->key), wanted = sizeof(end) - 1;
	return column->kind == CS_KIND_INTEGER && n >= wanted &&
	       strcmp(column->key + n - wanted, end) == 0;
}

static bool is_frame(const struct cs_column *column)
{
	static const char beginning[] = "frame ";
	return column->doc && strncmp(column->doc, beginning, sizeof(beginning) - 1) == 0 &&
	       strcmp(column->key, "frame") != 0;
}

static void say_bytes(double bytes, char *ret, size_t size)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
	size_t unit = 0;
	for (bytes /= 1024; bytes >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
		bytes /= 1024;
	snprintf(ret, size, "%.1f %s", bytes, units[unit]);
}

static int put_if_it_fits(
	struct area area, int x, int y, int columns, struct paint paint, const char *text)
{
	return (int)strlen(text) <= columns ? put_text(area, x, y, paint, text) : 0;
}

static int put_bytes(struct area area, int x, int y, int columns, struct paint paint, int64_t bytes)
{
	char human[32], both[64];
	say_bytes((double)bytes, human, sizeof(human));
	snprintf(both, sizeof(both), "%lld (%s)", (long long)bytes, human);
	int taken = put_if_it_fits(area, x, y, columns, paint, both);
	return taken ? taken : put_if_it_fits(area, x, y, columns, paint, human);
}

int put_field(struct area area, int x, int y, int columns, struct paint paint,
	const struct cs_column *column, const struct cs_value *value)
{
	enum { LEAST_BYTES = 1024, LEAST_NUMBER = 6 };
	static const char frame[] = "frame ";
	const char *unit = value->kind == CS_KIND_NULL ? NULL : unit_of(column);
	int taken = 0;
	if (counts_bytes(column) && value->kind == CS_KIND_INTEGER && value->integer >= LEAST_BYTES)
		taken = put_bytes(area, x, y, columns, paint, value->integer);
	if (taken)
		return taken;
	if (value->kind == CS_KIND_INTEGER && is_frame(column) &&
		columns > (int)strlen(frame) + LEAST_NUMBER)
		taken = put_text(area, x, y, paint, frame);
	taken += put_value(area, x + taken, y, columns - taken, paint, value, false);
	if (unit && taken + 1 + (int)strlen(unit) <= columns)
		taken += 1 + put_text(area, x + taken + 1, y, paint, unit);
	return taken;
}
