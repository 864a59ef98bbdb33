/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run-time streaming: sources move, cells load, one frame after the other on a virtual clock. It
 * knows a world only through a cooked file (cellscope/cooked.h), as a game would.
 *
 *	struct cs_stream *stream;
 *	cs_stream_new(cooked, NULL, NULL, &stream);
 *	struct cs_stream_source source = cs_stream_source_player("Player0");
 *	cs_stream_source_set(stream, &source);
 *	cs_stream_step(stream, 60);
 *	cs_stream_why(stream, cell, &why);
 *
 * Units: cm, degrees, nanoseconds of virtual time. A frame is the state after its step; frame 0 is
 * before the first. Whatever changes the run between two frames (a source, a variable, a layer, a
 * fault) is an input: it acts at once, is recorded with its frame and replayed by cs_stream_goto.
 * Rows and views are copies or point into the stream until its next change. A stream belongs to
 * one thread at a time; the cooked worlds outlive it and may be shared.
 */
#ifndef CELLSCOPE_STREAM_H
#define CELLSCOPE_STREAM_H

#include <cellscope/stream_cells.h>
#include <cellscope/stream_hlod.h>
#include <cellscope/stream_layers.h>
#include <cellscope/stream_paths.h>
#include <cellscope/stream_sources.h>
#include <cellscope/stream_variables.h>
#include <cellscope/stream_why.h>

CS_BEGIN_DECLS

struct cs_stream;

/* ---- life ---- */

enum cs_role {
	CS_ROLE_STANDALONE,
	CS_ROLE_CLIENT,
	CS_ROLE_LISTEN_SERVER,
	CS_ROLE_DEDICATED_SERVER
};

/* The initial state of one data layer, instead of the one it was cooked with. */
struct cs_stream_initial {
	const char *layer; /* instance name, asset or label */
	enum cs_layer_state state;
};

/*
 * Something that lives by the clock of a stream without being part of it, as the pages of meshes
 * do: its frames run behind those of the stream, its inputs and its state are part of the timeline.
 * The same inputs must give the same states. `save` answers bytes that live until the next call.
 */
struct cs_stream_companion {
	void *context;
	struct cs_error *(*frame)(void *context, uint64_t frame, uint64_t time, uint64_t length);
	struct cs_error *(*input)(void *context, const char *text);
	struct cs_error *(*save)(void *context, const void **bytes_ret, size_t *n_ret);
	struct cs_error *(*restore)(void *context, const void *bytes, size_t n);
};

struct cs_stream_options {
	size_t size; /* sizeof(struct cs_stream_options); api.h */
	enum cs_role role;
	const char *profile; /* engine profile, NULL = that of the cooked world */
	const struct cs_stream_initial *initial;
	size_t n_initial;
	/* what may be kept, 0 = the default */
	uint64_t history_bytes;               /* snapshots, and as much again for inputs: 64 MiB */
	uint32_t events;                      /* of the event log: 65,536 */
	uint32_t frames;                      /* of statistics: 4,096 */
	struct cs_stream_companion companion; /* zeros: none; it must outlive the stream */
};

/*
 * The cooked world becomes world 0, the persistent level; the standalone level instances that it
 * holds become the next ones, in the order of its sub_partitions. E_PROFILE, E_NOLAYER, E_NOMEM.
 */
CS_API struct cs_error *cs_stream_new(const struct cs_cooked *cooked,
	const struct cs_stream_options *options, const struct cs_job *job,
	struct cs_stream **ret) CS_MUST_USE;
CS_API void cs_stream_free(struct cs_stream *stream);

/* A standalone level instance: a world partition of its own inside the persistent level. */
struct cs_stream_instance {
	struct cs_transform transform;
	/*
	 * The cell that holds the level instance: the partition is registered when its level begins
	 * to be made visible, and gone when it begins to be hidden. CS_STREAM_NO_CELL: registered
	 * by cs_stream_register alone.
	 */
	struct cs_stream_cell owner;
	const char *name; /* NULL: that of its map; #2 ... is added to one that is taken */
};

/* Adds a world partition, not registered yet. The profile is that of the stream. */
CS_API struct cs_error *cs_stream_add_world(struct cs_stream *stream,
	const struct cs_cooked *cooked, const struct cs_stream_instance *instance,
	const struct cs_job *job, uint32_t *ret) CS_MUST_USE;
/* Input. Registers a world partition, or tears it down: all its cells are unloaded. */
CS_API struct cs_error *cs_stream_register(
	struct cs_stream *stream, uint32_t world, bool registered) CS_MUST_USE;

CS_API size_t cs_stream_worlds(const struct cs_stream *stream);

struct cs_stream_partition {
	const char *name; /* unique */
	struct cs_transform transform;
	struct cs_stream_cell owner; /* or CS_STREAM_NO_CELL */
	bool registered, server_streaming;
	uint32_t cells_loaded, cells_visible;
};

CS_API struct cs_stream_partition cs_stream_partition(
	const struct cs_stream *stream, uint32_t world);
CS_API const char *cs_stream_world_name(const struct cs_stream *stream, uint32_t world);
/* By name, without case; CS_NONE when there is none. */
CS_API uint32_t cs_stream_find_world(const struct cs_stream *stream, const char *name);
CS_API const struct cs_cooked *cs_stream_cooked(const struct cs_stream *stream, uint32_t world);
/* By instance name, asset or label, without case. CS_NONE when there is none. */
CS_API uint32_t cs_stream_find_layer(
	const struct cs_stream *stream, uint32_t world, const char *name);

/* ---- stepping ---- */

/* Runs n frames. Only E_NOMEM can stop it; the frames before are complete. */
CS_API struct cs_error *cs_stream_step(struct cs_stream *stream, uint64_t n) CS_MUST_USE;
/* Input. The next frame ends in a blocking wait, as on a loading screen; no cell is skipped. */
CS_API struct cs_error *cs_stream_block(struct cs_stream *stream) CS_MUST_USE;

struct cs_stream_status {
	const char *profile;
	enum cs_role role;
	bool server_streaming, server_streaming_out;
	uint64_t frame, time_ns;
	enum cs_performance performance;         /* of cells that may block */
	enum cs_performance display_performance; /* 5.7: of any cell, without blocking */
	uint32_t loading, budget; /* levels loading; cells that may start now, UINT32_MAX = any */
	uint32_t waiting_activate, waiting_load;   /* cells that wait for budget */
	uint32_t making_visible, making_invisible; /* levels in these states */
	struct cs_stream_cell showing, hiding;     /* the one at work, or CS_STREAM_NO_CELL */
	uint32_t purging;                          /* unloaded levels still in memory */
	uint64_t cells_visible, cells_loaded;      /* loaded counts visible ones too */
	uint64_t actors, bytes;                    /* of loaded cells */
	uint64_t layer_epoch, server_epoch;
	uint64_t memory;  /* bytes the stream holds, cooked worlds not counted */
	uint64_t rewinds; /* times that it went back: what was read before may not be what was */
};

CS_API struct cs_stream_status cs_stream_status(const struct cs_stream *stream);

/* ---- servers (2.7) ---- */

/*
 * Input. A client whose view the server respects: it shows what its source reaches, and lets go
 * sim.ClientLag later. `source` may be empty: then it sees only what cs_stream_client_hold says.
 */
CS_API struct cs_error *cs_stream_client_set(
	struct cs_stream *stream, const char *name, const char *source) CS_MUST_USE;
CS_API struct cs_error *cs_stream_client_remove(
	struct cs_stream *stream, const char *name) CS_MUST_USE;
CS_API struct cs_error *cs_stream_client_hold(struct cs_stream *stream, const char *name,
	struct cs_stream_cell cell, bool hold) CS_MUST_USE;
CS_API size_t cs_stream_clients(const struct cs_stream *stream);
CS_API const char *cs_stream_client_name(const struct cs_stream *stream, size_t client);
CS_API bool cs_stream_client_sees(
	const struct cs_stream *stream, size_t client, struct cs_stream_cell cell);
/* How many cells it sees. */
CS_API size_t cs_stream_client_cells(const struct cs_stream *stream, size_t client);

struct cs_stream_hold {
	struct cs_stream_cell cell;
	uint32_t client; /* first that sees it; CS_NONE: who did has left */
};

/* Cells the server keeps only because a client sees them, as of the last frame. */
CS_API const struct cs_stream_hold *cs_stream_server_hold(
	const struct cs_stream *stream, size_t *n_ret);

CS_END_DECLS

#endif
