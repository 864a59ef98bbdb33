/* SPDX-License-Identifier: Apache-2.0 */
/* A parsed StreamingGeneration log: its descriptors and clusters, from which a world is built. */
#pragma once

#include <cellscope/cooked.h>
#include <cellscope/ue.h>

#include "core/arena.h"
#include "core/vec.h"
#include "format/byte_source.h"

/* An actor descriptor: one line of an ActorDescs section. */
struct cs_ue_log_desc {
	uint32_t container; /* index of the actor's container in cs_ue_log_data.packages */
	struct cs_guid guid, parent, folder_guid;
	const char *base_class, *native_class, *name, *label, *grid, *folder;
	struct cs_box bounds, editor_bounds;
	uint32_t flags; /* CS_ACTOR_ bits */
	bool old_form;  /* whether the line has the form that 5.4 writes */
	/* the following members are set only by logs that cellscope wrote */
	const char *layers, *external_layer; /* names separated by commas, or NULL */
	struct cs_guid content_bundle;
};

/* A data layer. Only logs that cellscope wrote contain it. */
struct cs_ue_log_layer {
	const char *name, *label, *asset, *parent;
	uint32_t type, filter, initial; /* enum cs_layer_type, cs_layer_filter, cs_layer_state */
	int32_t priority;
	bool external;
};

/* An actor in a cluster of a container. */
struct cs_ue_log_member {
	uint32_t container, cluster;
	struct cs_guid guid;
};

/* A data layer of a cell. Only logs that cellscope wrote contain it. */
struct cs_ue_log_cell_layer {
	size_t cell;
	const char *name;
};

struct cs_ue_log_data {
	/* must be first, because callers free this address. The members below own its arrays */
	struct cs_ue_log log;
	struct cs_arena arena;
	bool spatial_hash;
	bool old_form; /* form of 5.4: flags are 0 or 1, equal editor and runtime boxes are one */
	/* the log comes from playing in the editor, whose prefixes were removed from names */
	bool play;
	/* number of further descriptions of the map. The last one with content is used */
	uint32_t generations;
	/* packages of containers, in the order of their first mention */
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

/*
 * Parse the StreamingGeneration log in a file, or in bytes that the caller may free afterwards.
 * Return E_LOG if there is no such log in it.
 */
struct cs_error *cs_ue_parse_log(
	const char *path, const struct cs_job *job, struct cs_ue_log_data **ret) CS_MUST_USE;
struct cs_error *cs_ue_parse_log_bytes(const void *bytes, size_t size, const char *name,
	const struct cs_job *job, struct cs_ue_log_data **ret) CS_MUST_USE;
void cs_ue_log_data_free(struct cs_ue_log_data *data);
/* Builds the uncooked world that a log describes. */
struct cs_error *cs_ue_log_world(const struct cs_ue_log_data *data, const struct cs_job *job,
	struct cs_world **ret) CS_MUST_USE;

/* Converts a log into a cooked world's bytes with the engine's cells. `name` is for messages. */
struct cs_error *cs_ue_log_written(const struct cs_ue_log_data *data, const char *name,
	const struct cs_job *job, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;

/* These functions add level instances or partitions to a world after cs_world_seal. */
struct cs_ue_build;
struct cs_error *cs_ue_log_instances(
	const struct cs_ue_log_data *data, struct cs_ue_build *build) CS_MUST_USE;
struct cs_error *cs_ue_log_partitions(
	const struct cs_ue_log_data *data, struct cs_ue_build *build) CS_MUST_USE;

/* ---- log_lines.c: the lines of a file of any size, one in memory at a time ---- */

struct cs_ue_lines {
	const struct cs_source_file *source;
	char *buffer;
	size_t room, start, end; /* unread bytes are buffer[start] to buffer[end - 1] */
	uint64_t next;           /* file offset of the next byte to load into the buffer */
	size_t longest;          /* maximum length of a line in bytes */
	/* the line that was read last, without its newline */
	const char *text;
	size_t length; /* length of `text` in bytes */
	bool ended;    /* whether a newline followed the line */
	uint64_t number, offset;
};

struct cs_ue_lines cs_ue_lines_over(const struct cs_source_file *source, size_t longest);
/* Reads the next line. *more_ret is false at the end. Returns E_LIMIT for a line over `longest`. */
struct cs_error *cs_ue_next_line(struct cs_ue_lines *lines, bool *more_ret) CS_MUST_USE;
void cs_ue_lines_deinit(struct cs_ue_lines *lines);

/* Warns of each sign of a cut log. `ended` is whether the last line has a newline. */
struct cs_error *cs_ue_log_check_end(const struct cs_ue_log_data *data,
	const struct cs_source_file *source, bool ended, const struct cs_job *job) CS_MUST_USE;

/* ---- log_fit.c: the cell size of a partition, which logs do not state ---- */

struct cs_ue_log_fit {
	bool known;         /* the cell size is known: cells have bounds, or only one size fits */
	double least, most; /* range of fitting sizes in whole cm, with most < least if none fits */
	double assumed;     /* the size to use, from `least` to `most`, or 0 if none fits */
	/* number of actors in the partition's cells that have a descriptor in the log */
	size_t units;
	bool flat; /* whether no cell is above another cell */
};

/* Fits the cell size of the named partition. Returns false when memory runs out. */
bool cs_ue_log_fit(
	const struct cs_ue_log_data *data, const char *partition, struct cs_ue_log_fit *ret);
