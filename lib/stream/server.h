/* SPDX-License-Identifier: Apache-2.0 */
/* State of a server: its clients, the cells that they see, and the cells kept loaded for them. */
#pragma once

#include "core/codec.h"
#include <cellscope/stream.h>

struct cs_run_world;
struct cs_stream;

/* A server streams nothing, loads only, or unloads too; fixed at first use, as in the engine. */
enum cs_run_server_mode { CS_MODE_UNKNOWN, CS_MODE_OFF, CS_MODE_IN, CS_MODE_IN_OUT };

/* A cell that a simulated client sees. */
struct cs_run_seen {
	struct cs_stream_cell cell;
	/* time in ns when the client stops seeing the cell; UINT64_MAX while it is in reach */
	uint64_t until;
	uint64_t frame; /* last frame in which the client's source reached the cell */
	bool held;      /* whether cs_stream_client_hold keeps the cell in the client's view */
};

struct cs_run_client {
	char name[CS_SOURCE_NAME], source[CS_SOURCE_NAME];
	CS_VEC(struct cs_run_seen) seen; /* sorted by cell */
};

/* Server state of a world partition. */
struct cs_run_serving {
	uint8_t mode; /* enum cs_run_server_mode */
	/* the state of a cell has changed since the server epoch was last published */
	bool wants_changed;
	/* a client still sees a cell that is to be unloaded or hidden: `epoch` must not rise */
	bool epoch_held;
};

struct cs_run_server {
	uint64_t epoch;
	CS_VEC(struct cs_run_client) clients; /* sorted by name */
	/* cells that stay loaded only because clients see them, ascending */
	CS_VEC(struct cs_stream_hold) holds;
};

/* Writes or reads the clients, depending on the mode of `codec`. */
void cs_run_clients_code(struct cs_codec *codec, struct cs_run_server *server);
void cs_run_server_deinit(struct cs_run_server *server);

/* Reads the variables that decide the servers' modes; later changes of them have no effect. */
void cs_run_server_fix_modes(struct cs_stream *stream);
bool cs_run_server_streams(const struct cs_stream *stream, const struct cs_run_world *world);
bool cs_run_server_streams_out(const struct cs_stream *stream, const struct cs_run_world *world);
bool cs_run_server_streams_any(const struct cs_stream *stream);
/* Step 2 of a frame (policy.c): finds the cells that clients see now; false = out of memory. */
bool cs_run_clients_update(struct cs_stream *stream);
/* Records that a client delays lowering the cell's state; false when memory runs out. */
bool cs_run_hold_add(struct cs_stream *stream, struct cs_stream_cell cell);
/* Removes holds (clients that delay lowering a cell's state) on cells of the world partition. */
void cs_run_holds_drop(struct cs_stream *stream, const struct cs_run_world *world);
/* Recomputes the holds from the cells that a snapshot restored; false when memory runs out. */
bool cs_run_holds_restore(struct cs_stream *stream);
/* Returns the index of the first client that sees the cell, or CS_NONE. */
uint32_t cs_run_seen_by(const struct cs_stream *stream, struct cs_stream_cell cell);
void cs_run_epoch_publish(struct cs_stream *stream);
