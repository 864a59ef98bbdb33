/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses the names of cells. A name is divided at the first coordinates that follow an underscore,
 * into the part before and the part after them.
 */
#include "ue/package/cell_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 64, N_NUMBERS = 4 };

static const char hex_digits[] = "0123456789ABCDEFabcdef";

/*
 * Parses numbers that each follow a label, as long as the labels are found. Returns how many there
 * are, or 0 if a label is not followed by a number.
 */
static int cell_name_parse_numbers(
	const char **at, const char *const labels[N_NUMBERS], int64_t ret[N_NUMBERS])
{
	int n = 0;
	for (; n < N_NUMBERS && strncmp(*at, labels[n], strlen(labels[n])) == 0; n++) {
		const char *digits = *at + strlen(labels[n]);
		if (digits[*digits == '-'] < '0' || digits[*digits == '-'] > '9')
			return 0;
		char *end;
		ret[n] = strtoll(digits, &end, 10);
		*at = end;
	}
	return n;
}

/* Parses "L0_X-2_Y3", with or without "_Z4", or "-1_1_0_0", which is x, y, z, level. */
static bool parse_cell_coordinates(const char **at, struct cs_ue_cell_name *ret)
{
	static const char *const first[] = {"L", "_X", "_Y", "_Z"}, *const last[] = {
									    "", "_", "_", "_"};
	int64_t v[N_NUMBERS] = {0};
	const char *end = *at;
	const int n = cell_name_parse_numbers(&end, first, v);
	ret->level_last = n < 3;
	ret->has_z = n != 3;
	if (ret->level_last && cell_name_parse_numbers(at, last, v) < N_NUMBERS)
		return false;
	if (!ret->level_last)
		*at = end;
	ret->level = (int32_t)v[ret->level_last ? 3 : 0];
	ret->x = v[!ret->level_last];
	ret->y = v[1 + !ret->level_last];
	ret->z = v[2 + !ret->level_last];
	return (!**at || **at == '_') && (v[ret->level_last ? 3 : 0] == ret->level);
}

bool cs_ue_parse_cell_name(const char *name, const char *world, struct cs_ue_cell_name *ret)
{
	size_t n = strlen(world);
	if (strncmp(name, world, n) != 0 || name[n] != '_')
		return false;
	const char *partition = name + n + 1;
	for (const char *at = strchr(partition, '_'); at; at = strchr(at + 1, '_')) {
		struct cs_ue_cell_name parts = {.has_world = true,
			.partition = partition,
			.partition_length = (size_t)(at - partition)};
		const char *end = at + 1;
		if (at == partition || !parse_cell_coordinates(&end, &parts) ||
			abs(parts.level) > MOST_LEVELS)
			continue;
		*ret = parts;
		return true;
	}
	return false;
}

/* Parses the ids of data layers and of a content bundle. Returns false if other text is there. */
static bool parse_ids(const char *at, uint32_t *layers_ret)
{
	static const char *const marks[2][2] = {{"_DL", "_d"}, {"_CB", "_c"}};
	for (size_t i = 0; i < 2; i++) {
		const char *mark = marks[i][strncmp(at, marks[i][0], 3) != 0];
		const char *digits = at + strlen(mark);
		if (strncmp(at, mark, strlen(mark)) != 0 || !strspn(digits, hex_digits))
			continue;
		if (i == 0)
			*layers_ret = (uint32_t)strtoll(digits, NULL, 16);
		at = digits + strspn(digits, hex_digits);
	}
	return *at == '\0';
}

bool cs_ue_read_cell_name(const char *name, const char *world, struct cs_ue_cell_name *ret)
{
	static const char persistent[] = "Persistent";
	const size_t n = strlen(world);
	const bool has_world = n > 0 && strncmp(name, world, n) == 0 && name[n] == '_';
	for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_')) {
		struct cs_ue_cell_name parts = {.partition = name};
		const char *end = at + 1;
		parts.persistent = strncmp(end, persistent, sizeof(persistent) - 1) == 0;
		if (parts.persistent)
			end += sizeof(persistent) - 1;
		else if (!parse_cell_coordinates(&end, &parts))
			continue;
		parts.has_world = has_world && at > name + n;
		parts.partition += parts.has_world ? n + 1 : 0;
		if (at <= parts.partition || !parse_ids(end, &parts.layers_id))
			continue;
		parts.partition_length = (size_t)(at - parts.partition);
		snprintf(parts.grid, sizeof(parts.grid), "%.*s", (int)parts.partition_length,
			parts.partition);
		*ret = parts;
		return strlen(name) < CS_UE_CELL_NAME;
	}
	return false;
}

uint32_t cs_ue_layers_of_name(const char *name)
{
	unsigned id;
	for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_')) {
		const char *digits = strncmp(at, "_DL", 3) == 0  ? at + 3
				     : strncmp(at, "_d", 2) == 0 ? at + 2
								 : NULL;
		size_t n = digits ? strspn(digits, hex_digits) : 0;
		if (n >= 1 && n <= 8 && (digits[n] == '\0' || digits[n] == '_') &&
			sscanf(digits, "%8x", &id) == 1)
			return id;
	}
	return 0;
}
