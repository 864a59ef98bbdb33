/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the names of cells, in the form of engine 5.4 and in that of other releases. */
#include "ue/log/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_integer(const char **at, long *ret)
{
	char *end;
	if (**at != '-' && (**at < '0' || **at > '9'))
		return false;
	*ret = strtol(*at, &end, 10);
	bool good = end != *at;
	*at = end;
	return good;
}

enum { MOST_LEVELS = 64 };

static void set_place(struct cs_ue_cell_name *name, const long at[3], int level)
{
	name->x = (double)at[0];
	name->y = (double)at[1];
	name->z = (double)at[2];
	name->level = level;
}

/* Parses "L0_X-2_Y3", with or without "_Z4", in a cell's name; ignores layer ids behind it. */
static bool parse_level_first(const char *at, struct cs_ue_cell_name *ret)
{
	static const char *const axes[] = {"_X", "_Y", "_Z"};
	long level, numbers[3] = {0};
	int n = 0;
	if (*at++ != 'L' || !is_integer(&at, &level) || labs(level) > MOST_LEVELS)
		return false;
	for (; n < 3 && strncmp(at, axes[n], 2) == 0; n++) {
		at += 2;
		if (!is_integer(&at, &numbers[n]))
			return false;
	}
	if (n < 2 || (*at && *at != '_'))
		return false;
	set_place(ret, numbers, (int)level);
	ret->has_z = n == 3;
	ret->level_first = true;
	return true;
}

/* Parses "-1_1_0_0", which is x, y, z, level. */
static bool parse_level_last(const char *at, struct cs_ue_cell_name *ret)
{
	long numbers[4];
	for (int i = 0; i < 4; i++)
		if ((i > 0 && *at++ != '_') || !is_integer(&at, &numbers[i]))
			return false;
	if ((*at && *at != '_') || labs(numbers[3]) > MOST_LEVELS)
		return false;
	set_place(ret, numbers, (int)numbers[3]);
	ret->has_z = true;
	return true;
}

bool cs_ue_parse_cell_name(const char *name, const char *world, struct cs_ue_cell_name *ret)
{
	size_t n = strlen(world);
	if (strncmp(name, world, n) != 0 || name[n] != '_')
		return false;
	const char *partition = name + n + 1;
	for (const char *at = strchr(partition, '_'); at; at = strchr(at + 1, '_')) {
		struct cs_ue_cell_name parts = {
			.partition = partition, .partition_length = (size_t)(at - partition)};
		if (at == partition ||
			(!parse_level_first(at + 1, &parts) && !parse_level_last(at + 1, &parts)))
			continue;
		*ret = parts;
		return true;
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
		size_t n = digits ? strspn(digits, "0123456789ABCDEFabcdef") : 0;
		if (n >= 1 && n <= 8 && (digits[n] == '\0' || digits[n] == '_') &&
			sscanf(digits, "%8x", &id) == 1)
			return id;
	}
	return 0;
}
