/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a value with its unit, or without the unit if there is no room for both. */
#include "src/tui/list/list.h"

#include <stdio.h>
#include <string.h>

bool counts_bytes(const struct cs_column *column)
{
	static const char end[] = "bytes";
	size_t n = strlen(column->key), wanted = sizeof(end) - 1;
	return column->kind == CS_KIND_INTEGER && n >= wanted &&
	       strcmp(column->key + n - wanted, end) == 0;
}

void say_bytes(double bytes, char *ret, size_t size)
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

/* Draws a number with its unit. The unit "frame" precedes the number; other units follow it. */
static int put_with_unit(struct area area, int x, int y, int columns, struct paint paint,
	const struct cs_value *value, const char *unit)
{
	enum { LEAST_NUMBER = 6 };
	int taken = 0, n = (int)strlen(unit);
	bool before = strcmp(unit, "frame") == 0;
	if (before && columns > n + 1 + LEAST_NUMBER)
		taken = put_text(area, x, y, paint, unit) + put_text(area, x + n, y, paint, " ");
	taken += put_value(area, x + taken, y, columns - taken, paint, value, false);
	if (!before && taken + 1 + n <= columns)
		taken += 1 + put_text(area, x + taken + 1, y, paint, unit);
	return taken;
}

int put_field(struct area area, int x, int y, int columns, struct paint paint,
	const struct cs_column *column, const struct cs_value *value)
{
	enum { LEAST_BYTES = 1024 };
	int taken = 0;
	if (counts_bytes(column) && value->kind == CS_KIND_INTEGER && value->integer >= LEAST_BYTES)
		taken = put_bytes(area, x, y, columns, paint, value->integer);
	if (taken)
		return taken;
	return column->unit && value->kind != CS_KIND_NULL
		       ? put_with_unit(area, x, y, columns, paint, value, column->unit)
		       : put_value(area, x, y, columns, paint, value, false);
}
