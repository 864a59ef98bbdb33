/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: changing one setting of an open world by name ("what if"), and putting the settings back.
 * Names and values are those of the JSON form: KEY=VALUE for the world, GRID.KEY=VALUE for a
 * partition, one of its HLOD setups (GRID:SETUP.KEY), or a grid of the spatial hash.
 */
#include "world/fields.h"

#include "base/text.h"

#include <errno.h>

struct cs_settings_copy {
	struct cs_world_settings settings;
	struct cs_source_partition *partitions, *setups;
	struct cs_source_grid *grids;
};

static void *copy_array(const void *from, size_t n, size_t size)
{
	void *copy = malloc(n * size + 1);
	if (copy && n)
		memcpy(copy, from, n * size);
	return copy;
}

struct cs_error *cs_world_keep_settings(const struct cs_world *world, struct cs_settings_copy **ret)
{
	struct cs_settings_copy *copy = calloc(1, sizeof(*copy));
	if (!copy)
		return cs_error_nomem();
	copy->settings = world->settings;
	copy->partitions = copy_array(
		world->partitions.at, world->partitions.n, sizeof(*world->partitions.at));
	copy->setups = copy_array(world->setups.at, world->setups.n, sizeof(*world->setups.at));
	copy->grids = copy_array(world->grids.at, world->grids.n, sizeof(*world->grids.at));
	if (!copy->partitions || !copy->setups || !copy->grids) {
		cs_settings_copy_free(copy);
		return cs_error_nomem();
	}
	*ret = copy;
	return NULL;
}

/* Nothing adds or removes partitions between keeping and restoring. */
void cs_world_restore_settings(struct cs_world *world, const struct cs_settings_copy *copy)
{
	world->settings = copy->settings;
	if (world->partitions.n)
		memcpy(world->partitions.at, copy->partitions,
			world->partitions.n * sizeof(*world->partitions.at));
	if (world->setups.n)
		memcpy(world->setups.at, copy->setups, world->setups.n * sizeof(*world->setups.at));
	if (world->grids.n)
		memcpy(world->grids.at, copy->grids, world->grids.n * sizeof(*world->grids.at));
}

void cs_settings_copy_free(struct cs_settings_copy *copy)
{
	if (!copy)
		return;
	free(copy->partitions);
	free(copy->setups);
	free(copy->grids);
	free(copy);
}

/* ---- one setting ---- */

/* What a name before the dot leads to. */
struct target {
	const struct cs_json_table *table;
	void *object;
};

static bool name_is(const struct cs_world *world, uint32_t text, const char *name, size_t n)
{
	char copy[256];
	if (n >= sizeof(copy))
		return false;
	memcpy(copy, name, n);
	copy[n] = '\0';
	return cs_name_compare(cs_world_text(world, text), copy) == 0;
}

static struct target find_setup(struct cs_world *world, const struct cs_source_partition *main_part,
	const char *name, size_t n)
{
	for (uint32_t i = 0; i < main_part->setups.count; i++) {
		struct cs_source_partition *setup = &world->setups.at[main_part->setups.first + i];
		if (name_is(world, setup->name, name, n))
			return (struct target){&cs_json_partition, setup};
	}
	return (struct target){NULL, NULL};
}

static struct target find_target(struct cs_world *world, const char *name, size_t n)
{
	size_t colon = 0;
	while (colon < n && name[colon] != ':')
		colon++;
	for (size_t i = 0; i < world->partitions.n; i++) {
		struct cs_source_partition *partition = &world->partitions.at[i];
		if (!name_is(world, partition->name, name, colon))
			continue;
		return colon == n ? (struct target){&cs_json_partition, partition}
				  : find_setup(world, partition, name + colon + 1, n - colon - 1);
	}
	for (size_t i = 0; i < world->grids.n; i++)
		if (name_is(world, world->grids.at[i].name, name, n))
			return (struct target){&cs_json_grid, &world->grids.at[i]};
	return (struct target){NULL, NULL};
}

static bool parse_bool(const char *value, bool *ret)
{
	static const char *const words[] = {"no", "false", "off", "0", "yes", "true", "on", "1"};
	for (size_t i = 0; i < 8; i++) {
		if (strcmp(value, words[i]) == 0) {
			*ret = i >= 4;
			return true;
		}
	}
	return false;
}

static bool parse_enum(const char *const *names, const char *value, uint32_t *ret)
{
	for (uint32_t i = 0; names[i]; i++) {
		size_t n = strcspn(names[i], "|");
		if (strlen(value) == n && strncmp(names[i], value, n) == 0) {
			*ret = i;
			return true;
		}
	}
	return false;
}

static bool parse_integer(const char *value, int32_t *ret)
{
	char *end;
	errno = 0;
	long number = strtol(value, &end, 10);
	if (errno || end == value || *end || number < INT32_MIN || number > INT32_MAX)
		return false;
	*ret = (int32_t)number;
	return true;
}

static bool parse_value(
	struct cs_world *world, const struct cs_json_field *field, const char *value, void *at)
{
	switch (field->kind) {
	case CS_JSON_NUMBER:
		return cs_double_parse(value, strlen(value), at);
	case CS_JSON_BOOL:
		return parse_bool(value, at);
	case CS_JSON_ENUM:
		return parse_enum(field->names, value, at);
	case CS_JSON_INTEGER:
		return parse_integer(value, at);
	case CS_JSON_TEXT:
		*(uint32_t *)at = cs_strings_add_z(&world->strings, value);
		return *(uint32_t *)at != CS_NONE;
	default:
		return false;
	}
}

static struct cs_error *set_field(struct cs_world *world, const struct target *target,
	const char *key, size_t key_length, const char *value)
{
	for (size_t i = 0; i < target->table->n; i++) {
		const struct cs_json_field *field = &target->table->fields[i];
		if (strlen(field->key) != key_length || strncmp(field->key, key, key_length) != 0)
			continue;
		if (parse_value(world, field, value, (char *)target->object + field->offset))
			return NULL;
		return cs_error_new(CS_E_SETTING, "'%s' is no value for %s", value, field->key);
	}
	return cs_error_new(CS_E_SETTING, "%s has no setting '%.*s'", target->table->what,
		(int)key_length, key);
}

struct cs_error *cs_world_override(struct cs_world *world, const char *assignment)
{
	const char *equals = strchr(assignment, '=');
	if (!equals)
		return cs_error_new(CS_E_SETTING, "'%s' is not NAME=VALUE", assignment);
	const char *key = equals;
	while (key > assignment && key[-1] != '.')
		key--;
	struct target target = {&cs_json_settings, &world->settings};
	if (key > assignment)
		target = find_target(world, assignment, (size_t)(key - 1 - assignment));
	if (!target.object)
		return cs_error_new(CS_E_NOGRID, "no partition '%.*s'", (int)(key - 1 - assignment),
			assignment);
	return set_field(world, &target, key, (size_t)(equals - key), equals + 1);
}
