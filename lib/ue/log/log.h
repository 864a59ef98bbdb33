/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A StreamingGeneration log in memory: the result of cs_ue_read_log, and the descriptors and
 * clusters from which cs_ue_open_log makes a world.
 */
#pragma once

#include <cellscope/cooked.h>
#include <cellscope/ue.h>

#include "core/arena.h"
#include "core/vec.h"

/* One line of ActorDescs. */
struct cs_ue_log_desc {
	uint32_t container; /* index of its container in `packages` */
	struct cs_guid guid, parent, folder_guid;
	const char *base_class, *native_class, *name, *label, *grid, *folder;
	struct cs_box bounds, editor_bounds;
	uint32_t flags; /* CS_ACTOR_ */
	bool old_form;  /* whether the log has the form that 5.4 writes */
	/* Only in logs that this program wrote. */
	const char *layers, *external_layer; /* names separated by commas, or NULL */
	struct cs_guid content_bundle;
};

/* A data layer, only in logs that this program wrote. */
struct cs_ue_log_layer {
	const char *name, *label, *asset, *parent;
	uint32_t type, filter, initial; /* as in cooked.h */
	int32_t priority;
	bool external;
};

/* An actor of a cluster of a container. */
struct cs_ue_log_member {
	uint32_t container, cluster;
	struct cs_guid guid;
};

/* A layer of a cell, only in logs that this program wrote. */
struct cs_ue_log_cell_layer {
	size_t cell;
	const char *name;
};

struct cs_ue_log_data {
	/*
	 * must be first, because callers free this address; its arrays are owned by the members
	 * below
	 */
	struct cs_ue_log log;
	struct cs_arena arena;
	bool spatial_hash;
	bool old_form;        /* form of 5.4: flags are digits, two equal boxes are one */
	bool play;            /* a log of play in the editor: its prefixes were removed */
	uint32_t generations; /* generations in the file; this one has content and is the last */
	/* packages of containers, in the order of their first lines */
	CS_VEC(const char *) packages;
	CS_VEC(struct cs_ue_log_desc) descs;
	CS_VEC(struct cs_ue_log_member) members;
	CS_VEC(struct cs_ue_log_layer) layers;
	CS_VEC(struct cs_ue_log_cell) cells;
	CS_VEC(struct cs_ue_log_cell_layer) cell_layers; /* sorted by cell */
	CS_VEC(struct cs_ue_log_actor) actors;
	CS_VEC(struct cs_ue_log_actor) always_loaded;
	CS_VEC(struct cs_ue_log_container) containers;
};

/* Parses a file, or bytes that may be freed afterwards. Returns E_LOG when it is no such log. */
struct cs_error *cs_ue_parse_log(
	const char *path, const struct cs_job *job, struct cs_ue_log_data **ret) CS_MUST_USE;
struct cs_error *cs_ue_parse_log_bytes(const void *bytes, size_t size, const char *name,
	const struct cs_job *job, struct cs_ue_log_data **ret) CS_MUST_USE;
void cs_ue_log_data_free(struct cs_ue_log_data *data);
/* Makes the world of a log. */
struct cs_error *cs_ue_log_world(const struct cs_ue_log_data *data, const struct cs_job *job,
	struct cs_world **ret) CS_MUST_USE;

/*
 * Converts the log into the bytes of a cooked world, as the engine cooked it. `name` is for
 * messages.
 */
struct cs_error *cs_ue_log_written(const struct cs_ue_log_data *data, const char *name,
	const struct cs_job *job, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;

/* Adds the parts that need a world whose actors are added and sealed. */
struct cs_ue_build;
struct cs_error *cs_ue_log_instances(
	const struct cs_ue_log_data *data, struct cs_ue_build *build) CS_MUST_USE;
struct cs_error *cs_ue_log_partitions(
	const struct cs_ue_log_data *data, struct cs_ue_build *build) CS_MUST_USE;

/*
 * The parts of a cell's name after the world's name: partition, level, and whether it has the form
 * L0_X1_Y2 (5.5 and later, spatial hash) or 1_2_0_0 (5.4). Returns false for any other name.
 */
struct cs_ue_cell_name {
	const char *partition;
	size_t partition_length;
	int level;
	double x, y, z;
	bool has_z; /* the cells are boxes, not columns */
	bool level_first;
};
bool cs_ue_parse_cell_name(const char *name, const char *world, struct cs_ue_cell_name *ret);
/*
 * Returns the id of the layers with which a name ends, "..._d0123ABCD" or "..._DL123", or 0 for
 * none.
 */
uint32_t cs_ue_layers_of_name(const char *name);
