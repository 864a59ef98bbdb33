/* SPDX-License-Identifier: Apache-2.0 */
/* The owner of a server's state: its clients, the cells that they see, the cells kept for them. */
#pragma once

#include "core/codec.h"
#include <cellscope/stream.h>

struct cs_run_world;
struct cs_stream;

/* Streaming mode of a server, fixed at its first use, as in the engine. */
enum cs_run_server_mode { CS_MODE_UNKNOWN, CS_MODE_OFF, CS_MODE_IN, CS_MODE_IN_OUT };

/* A cell that a simulated client sees. */
struct cs_run_seen {
	struct cs_stream_cell cell;
	/*
	 * time in ns at which the client stops seeing the cell; UINT64_MAX while its source reaches
	 * it
	 */
	uint64_t until;
	uint64_t frame; /* last frame in which the cell was in range */
	bool held;      /* held by cs_stream_client_hold */
};

struct cs_run_client {
	char name[CS_SOURCE_NAME], source[CS_SOURCE_NAME];
	CS_VEC(struct cs_run_seen) seen; /* sorted by cell */
};

/* State of a world. */
struct cs_run_serving {
	uint8_t mode;       /* enum cs_run_server_mode */
	bool wants_changed; /* a set has changed since the server epoch was published */
	/* in the last evaluation a cell stayed because a client sees it: no epoch is published */
	bool epoch_held;
};

/* State of a stream. */
struct cs_run_server {
	uint64_t epoch;
	CS_VEC(struct cs_run_client) clients; /* sorted by name */
	CS_VEC(struct cs_stream_hold) holds;  /* residents that clients hold, ascending */
};

/* Reads or writes, as the codec says, the clients. */
void cs_run_clients_code(struct cs_codec *codec, struct cs_run_server *server);
void cs_run_server_deinit(struct cs_run_server *server);

/* Reads the variables of the modes, whose later changes have no effect. */
void cs_run_server_fix_modes(struct cs_stream *stream);
bool cs_run_server_streams(const struct cs_stream *stream, const struct cs_run_world *world);
bool cs_run_server_streams_out(const struct cs_stream *stream, const struct cs_run_world *world);
bool cs_run_server_streams_any(const struct cs_stream *stream);
/* Step 2 of the frame: updates the cells that each client sees; false without memory. */
bool cs_run_clients_update(struct cs_stream *stream);
/*
 * Records that the world waits for a client before it lowers the cell's state; false without
 * memory.
 */
bool cs_run_hold_add(struct cs_stream *stream, struct cs_stream_cell cell);
/* Removes the holds of the world's cells. */
void cs_run_holds_drop(struct cs_stream *stream, const struct cs_run_world *world);
/* Recomputes the holds of all worlds from residents that were read; false without memory. */
bool cs_run_holds_restore(struct cs_stream *stream);
/* Returns the index of the first client that sees the cell, or CS_NONE. */
uint32_t cs_run_seen_by(const struct cs_stream *stream, struct cs_stream_cell cell);
void cs_run_epoch_publish(struct cs_stream *stream);
