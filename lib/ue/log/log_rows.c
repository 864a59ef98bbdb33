/* SPDX-License-Identifier: Apache-2.0 */
/* Adds single rows to the cooked world that is made from a log. */
#include "ue/log/log_written.h"

#include "core/guid.h"
#include "core/identity.h"
#include <cellscope/cooked_values.h>

/* Assumed loading range of partitions in cm, because no log contains it. */
#define ASSUMED_RANGE 25600

uint32_t cs_written_text(struct cs_written *written, const char *value)
{
	uint32_t offset = cs_strings_add_z(&written->texts, value ? value : "");
	written->failed |= offset == CS_NONE;
	return offset == CS_NONE ? 0 : offset;
}

struct cs_guid cs_written_guid(const char *kind, const char *name, uint32_t number)
{
	struct cs_digest digest;
	cs_digest_begin(&digest);
	cs_digest_string(&digest, kind);
	cs_digest_string(&digest, name);
	if (number)
		cs_digest_u32(&digest, number);
	return cs_digest_end(&digest);
}

uint32_t cs_written_partition(struct cs_written *written, const char *name, uint32_t class)
{
	uint32_t offset = cs_written_text(written, name);
	for (uint32_t i = 0; i < written->partitions.n; i++)
		if (written->partitions.at[i].name == offset)
			return i;
	cs_vec_push_in(written, partitions,
		(struct cs_cooked_partition){.name = offset,
			.partition_class = class,
			.bounds = CS_BOX_INVALID,
			.parent = CS_NONE,
			.hlod_index = -1,
			.flags = CS_PARTITION_NO_PRIORITY | CS_PARTITION_NO_SWITCHES |
				 CS_PARTITION_NO_SIZE |
				 (class == CS_PARTITION_PERSISTENT
						 ? 0
						 : CS_PARTITION_ASSUMED | CS_PARTITION_SPATIAL),
			.loading_range = class == CS_PARTITION_PERSISTENT ? 0 : ASSUMED_RANGE});
	return (uint32_t)written->partitions.n - 1;
}

uint32_t cs_written_layer(const struct cs_written *written, const char *name, size_t n)
{
	uint32_t offset = cs_strings_find(&written->texts, name, n);
	for (uint32_t i = 0; offset != CS_NONE && i < written->layers.n; i++)
		if (written->layers.at[i].name == offset)
			return i;
	return CS_NONE;
}

void cs_written_add_container(
	struct cs_written *written, const struct cs_ue_log_container *from, uint32_t parent)
{
	cs_vec_push_in(written, containers,
		(struct cs_cooked_container){.transform = from->transform,
			.id = from->id,
			.parent = parent,
			.package = cs_written_text(written, from->package),
			.actor = CS_NONE,
			.external_layer = CS_NONE});
}

uint32_t cs_written_container_named(const struct cs_written *written, struct cs_guid id)
{
	return cs_sort_keys_find_guid(written->ids, written->data->containers.n, id);
}

/* Returns the container instance of an actor in a cell. Adds it if no section lists it. */
uint32_t cs_written_container(struct cs_written *written, const struct cs_ue_log_actor *actor)
{
	uint32_t listed = cs_written_container_named(written, actor->container);
	if (listed != CS_NONE || cs_guid_is_zero(actor->container))
		return listed != CS_NONE ? listed : 0;
	const size_t last = written->containers.n - 1;
	if (last > 0 && cs_guid_compare(written->containers.at[last].id, actor->container) == 0)
		return (uint32_t)last;
	const struct cs_ue_log_container made = {
		.id = actor->container, .transform = actor->transform, .package = ""};
	cs_written_add_container(written, &made, 0);
	return (uint32_t)written->containers.n - 1;
}

struct cs_written_actor cs_written_new(struct cs_guid guid, uint32_t container)
{
	return (struct cs_written_actor){.row = {.guid = guid,
						 .bounds = CS_BOX_INVALID,
						 .container = container,
						 .parent = CS_NONE,
						 .set = CS_NONE,
						 .cell = CS_NONE,
						 .hlod_layer = CS_NONE,
						 .flags = CS_ACTOR_NO_TRANSFORM},
		.detail = {.transform = CS_TRANSFORM_IDENTITY,
			.editor_bounds = CS_BOX_INVALID,
			.external_layer = CS_NONE},
		.cluster = CS_NONE,
		.desc = CS_NONE};
}
