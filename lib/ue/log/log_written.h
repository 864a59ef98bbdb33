/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of converting a log of the engine to a cooked world. Rows of actors and cells are added in
 * the order of the log. After all were added, they are sorted as the format of cooked worlds
 * requires.
 */
#pragma once

#include "ue/log/log.h"

#include "core/sort.h"
#include "core/strings.h"
#include "world/world_internal.h"

struct cs_written_actor {
	struct cs_cooked_actor row;
	struct cs_cooked_actor_detail detail;
	struct cs_guid parent;
	/* index of the actor's cluster in the package of its container, or CS_NONE */
	uint32_t cluster;
	/* index of the actor's descriptor, or CS_NONE if the log only lists the actor in a cell */
	uint32_t desc;
};

struct cs_written {
	const struct cs_ue_log_data *data;
	/* uncooked world of the log, which has the names and sizes of partitions */
	const struct cs_world *source;
	const struct cs_job *job;
	const char *name; /* name of the log file, for messages */
	struct cs_strings texts;
	struct cs_cooked_world world;
	CS_VEC(struct cs_cooked_partition) partitions;
	CS_VEC(struct cs_cooked_container) containers;
	CS_VEC(struct cs_cooked_layer) layers;
	CS_VEC(struct cs_cooked_cell) cells;
	CS_VEC(uint32_t) cell_layers;
	CS_VEC(uint32_t) cell_actors;
	CS_VEC(struct cs_written_actor) records;
	CS_VEC(struct cs_cooked_actor) actors;
	CS_VEC(struct cs_cooked_actor_detail) details;
	CS_VEC(uint32_t) actor_layers;
	CS_VEC(struct cs_cooked_set) sets;
	CS_VEC(uint32_t) set_members;
	/* indices of `records` with descriptors, sorted by GUID, and by name and container */
	struct cs_sort_key *by_guid, *by_name;
	size_t n_indexed;
	/* indices of containers, sorted by id, and indices of the log's packages, sorted by text */
	struct cs_sort_key *ids, *packages;
	bool failed; /* whether an allocation failed */
};

/*
 * Functions in log_rows.c.
 *
 * cs_written_text returns the offset of a text, which it adds if it is new. cs_written_guid
 * computes a GUID for a row that has none in the log. The others return the row of a partition,
 * layer or container. A partition or container that does not exist is added, but a layer is not.
 */
uint32_t cs_written_text(struct cs_written *written, const char *value);
struct cs_guid cs_written_guid(const char *kind, const char *name, uint32_t number);
uint32_t cs_written_partition(struct cs_written *written, const char *name, uint32_t class);
uint32_t cs_written_layer(const struct cs_written *written, const char *name, size_t n);
uint32_t cs_written_container(struct cs_written *written, const struct cs_ue_log_actor *actor);
/* Returns the first container with this id that the log lists, or CS_NONE. */
uint32_t cs_written_container_named(const struct cs_written *written, struct cs_guid id);
void cs_written_add_container(
	struct cs_written *written, const struct cs_ue_log_container *from, uint32_t parent);
struct cs_written_actor cs_written_new(struct cs_guid guid, uint32_t container);
/* log_listed.c: adds the cells, and assigns actors to the cells that list them. */
void cs_written_cells(struct cs_written *written);
/* log_ordered.c: sorts all rows as the format of cooked worlds requires. */
void cs_written_sort(struct cs_written *written);
