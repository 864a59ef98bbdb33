/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Servers (rule 2.7): the cells that clients see, the cells kept for clients, and the server epoch.
 *
 * Clients are simulated. A client has a source. It sees a cell that the source reaches without the
 * server's extra margin, once the server shows the cell, and stops seeing it some time after the
 * source no longer reaches it. A server that streams out unloads a cell only when no client sees
 * it.
 */
#include "stream/stream_internal.h"

/* ---- the list of cells that a client sees ---- */

static size_t seen_place(const struct cs_run_client *client, struct cs_stream_cell cell)
{
	_Static_assert(offsetof(struct cs_run_seen, cell) == 0, "begins with its cell");
	return cs_run_cell_place(client->seen.at, client->seen.n, sizeof(*client->seen.at), cell);
}

static struct cs_run_seen *find_seen(const struct cs_run_client *client, struct cs_stream_cell cell)
{
	size_t place = seen_place(client, cell);
	return place < client->seen.n && cs_run_same_cell(client->seen.at[place].cell, cell)
		       ? &client->seen.at[place]
		       : NULL;
}

/* Adds the cell to the sorted list client->seen; returns NULL when memory runs out. */
static struct cs_run_seen *add_seen(struct cs_run_client *client, struct cs_stream_cell cell)
{
	size_t place = seen_place(client, cell);
	if (!cs_vec_reserve(&client->seen, 1))
		return NULL;
	struct cs_run_seen *at = client->seen.at + place;
	memmove(at + 1, at, (client->seen.n - place) * sizeof(*at));
	client->seen.n++;
	*at = (struct cs_run_seen){.cell = cell};
	return at;
}

uint32_t cs_run_seen_by(const struct cs_stream *stream, struct cs_stream_cell cell)
{
	for (size_t i = 0; i < stream->server.clients.n; i++)
		if (find_seen(&stream->server.clients.at[i], cell))
			return (uint32_t)i;
	return CS_NONE;
}

/* ---- cells that are kept for clients ---- */

bool cs_run_hold_add(struct cs_stream *stream, struct cs_stream_cell cell)
{
	_Static_assert(offsetof(struct cs_stream_hold, cell) == 0, "begins with its cell");
	size_t place = cs_run_cell_place(stream->server.holds.at, stream->server.holds.n,
		sizeof(*stream->server.holds.at), cell);
	if (!cs_vec_reserve(&stream->server.holds, 1))
		return false;
	struct cs_stream_hold *at = stream->server.holds.at + place;
	memmove(at + 1, at, (stream->server.holds.n++ - place) * sizeof(*at));
	*at = (struct cs_stream_hold){cell, cs_run_seen_by(stream, cell)};
	return true;
}

void cs_run_holds_drop(struct cs_stream *stream, const struct cs_run_world *world)
{
	size_t kept = 0;
	for (size_t i = 0; i < stream->server.holds.n; i++)
		if (stream->server.holds.at[i].cell.world != world->id)
			stream->server.holds.at[kept++] = stream->server.holds.at[i];
	stream->server.holds.n = kept;
}

bool cs_run_holds_restore(struct cs_stream *stream)
{
	stream->server.holds.n = 0;
	for (size_t i = 0; i < stream->worlds.n; i++) {
		const struct cs_run_world *world = stream->worlds.at[i];
		for (size_t k = 0; k < world->residents.cells.n; k++)
			if (world->residents.cells.at[k].held &&
				!cs_run_hold_add(
					stream, (struct cs_stream_cell){world->id,
							world->residents.cells.at[k].cell}))
				return false;
	}
	return true;
}

/* Finds the client that causes each hold (delay in lowering a state), as clients' views changed. */
static void find_holders(struct cs_stream *stream)
{
	for (size_t i = 0; i < stream->server.holds.n; i++)
		stream->server.holds.at[i].client =
			cs_run_seen_by(stream, stream->server.holds.at[i].cell);
}

/* ---- updating the cells that clients see ---- */

/* Handles a cell that the client's source reaches: the client sees it once the server shows it. */
static bool server_see(struct cs_stream *stream, struct cs_run_client *client,
	struct cs_run_world *world, uint32_t cell)
{
	struct cs_stream_cell key = {world->id, cell};
	const struct cs_run_cell *resident = cs_run_find(world, cell);
	struct cs_run_seen *seen = find_seen(client, key);
	if (!seen && resident && resident->level == CS_LEVEL_VISIBLE &&
		!(seen = add_seen(client, key)))
		return false;
	if (seen) {
		seen->until = UINT64_MAX;
		seen->frame = stream->clock.frame;
	}
	return true;
}

static bool look_around(
	struct cs_stream *stream, struct cs_run_client *client, const struct cs_run_source *source)
{
	for (size_t i = 0; i < stream->worlds.n; i++) {
		struct cs_run_world *world = stream->worlds.at[i];
		if (!world->registered || !cs_run_server_streams_out(stream, world))
			continue;
		world->policy.found.n = 0;
		if (!cs_run_client_finds(stream, world, source))
			return false;
		for (size_t k = 0; k < world->policy.found.n; k++)
			if (!server_see(stream, client, world, world->policy.found.at[k]))
				return false;
	}
	return true;
}

/*
 * Removes from the list of seen cells each cell that the client's source has not reached for
 * sim.ClientLag ms, unless the client holds the cell (`held`).
 */
static void let_go(struct cs_stream *stream, struct cs_run_client *client)
{
	size_t kept = 0;
	uint64_t lag = cs_run_ns(stream, CS_VAR_CLIENT_LAG);
	for (size_t i = 0; i < client->seen.n; i++) {
		struct cs_run_seen *seen = &client->seen.at[i];
		if (seen->until == UINT64_MAX && seen->frame != stream->clock.frame)
			seen->until = stream->clock.time + lag;
		if (seen->held || seen->until > stream->clock.time)
			client->seen.at[kept++] = *seen;
	}
	client->seen.n = kept;
}

bool cs_run_clients_update(struct cs_stream *stream)
{
	for (size_t i = 0; i < stream->server.clients.n; i++) {
		struct cs_run_client *client = &stream->server.clients.at[i];
		const struct cs_run_source *source = cs_run_find_source(stream, client->source);
		if (source && !look_around(stream, client, source))
			return false;
		let_go(stream, client);
	}
	return true;
}

/* ---- inputs that change clients ---- */

static size_t client_place(const struct cs_stream *stream, const char *name, bool *found)
{
	size_t place = 0;
	while (place < stream->server.clients.n &&
		cs_name_compare(stream->server.clients.at[place].name, name) < 0)
		place++;
	*found = place < stream->server.clients.n &&
		 cs_name_compare(stream->server.clients.at[place].name, name) == 0;
	return place;
}

static struct cs_error *no_client(const char *name)
{
	return cs_error_new(
		CS_E_SETTING, "the server has no client '%.100s'; `info clients` lists them", name);
}

struct cs_error *cs_run_apply_client(struct cs_stream *stream, const struct cs_stream_input *input)
{
	bool found;
	size_t place = client_place(stream, input->name, &found);
	if (!*input->name || strlen(input->name) >= CS_SOURCE_NAME)
		return cs_error_new(CS_E_SETTING,
			"the name of a client must have 1 to %d bytes, not %zu: '%.80s'",
			CS_SOURCE_NAME - 1, strlen(input->name), input->name);
	if (strlen(input->text) >= CS_SOURCE_NAME)
		return cs_error_new(CS_E_SETTING,
			"the name of the streaming source of client '%s' has %zu bytes, more than "
			"the limit of %d: '%.80s'",
			input->name, strlen(input->text), CS_SOURCE_NAME - 1, input->text);
	if (!found) {
		if (!cs_vec_reserve(&stream->server.clients, 1))
			return cs_error_nomem();
		struct cs_run_client *at = stream->server.clients.at + place;
		memmove(at + 1, at, (stream->server.clients.n - place) * sizeof(*at));
		stream->server.clients.n++;
		*at = (struct cs_run_client){.name = ""};
		strncpy(at->name, input->name, CS_SOURCE_NAME - 1);
	}
	memset(stream->server.clients.at[place].source, 0, CS_SOURCE_NAME);
	strncpy(stream->server.clients.at[place].source, input->text, CS_SOURCE_NAME - 1);
	find_holders(stream);
	return NULL;
}

struct cs_error *cs_run_apply_client_remove(
	struct cs_stream *stream, const struct cs_stream_input *input)
{
	bool found;
	size_t place = client_place(stream, input->name, &found);
	if (!found)
		return no_client(input->name);
	struct cs_run_client *at = stream->server.clients.at + place;
	cs_vec_free(&at->seen);
	memmove(at, at + 1, (stream->server.clients.n - place - 1) * sizeof(*at));
	stream->server.clients.n--;
	find_holders(stream);
	return NULL;
}

struct cs_error *cs_run_apply_hold(struct cs_stream *stream, const struct cs_stream_input *input)
{
	bool found;
	size_t place = client_place(stream, input->name, &found);
	if (!found)
		return no_client(input->name);
	if (!cs_run_cell_exists(stream, input->cell))
		return cs_run_no_cell(input->cell);
	struct cs_run_seen *seen = find_seen(&stream->server.clients.at[place], input->cell);
	if (!seen && input->on &&
		!(seen = add_seen(&stream->server.clients.at[place], input->cell)))
		return cs_error_nomem();
	if (seen)
		seen->held = input->on;
	find_holders(stream);
	return NULL;
}

struct cs_stream_client cs_stream_client_at(const struct cs_stream *stream, size_t client)
{
	const struct cs_stream_client none = {NULL, 0};
	if (client >= stream->server.clients.n)
		return none;
	return (struct cs_stream_client){
		stream->server.clients.at[client].name, stream->server.clients.at[client].seen.n};
}

bool cs_stream_client_sees(
	const struct cs_stream *stream, size_t client, struct cs_stream_cell cell)
{
	return find_seen(&stream->server.clients.at[client], cell) != NULL;
}

/* ---- the server epoch ---- */

void cs_run_epoch_publish(struct cs_stream *stream)
{
	bool changed = false, held = false;
	for (size_t i = 0; i < stream->worlds.n; i++) {
		changed = changed || stream->worlds.at[i]->serving.wants_changed;
		held = held || stream->worlds.at[i]->serving.epoch_held;
	}
	if (!cs_run_is_server(stream) || !changed || held)
		return;
	for (size_t i = 0; i < stream->worlds.n; i++)
		stream->worlds.at[i]->serving.wants_changed = false;
	stream->server.epoch++;
	cs_run_event(stream, CS_EVENT_EPOCH, CS_STREAM_NO_CELL, (uint32_t)stream->server.epoch, 0,
		0, CS_REASON_NONE);
}

const struct cs_stream_hold *cs_stream_server_hold(const struct cs_stream *stream, size_t *n_ret)
{
	*n_ret = stream->server.holds.n;
	return stream->server.holds.at;
}

/* ---- writing and reading clients ---- */

static void code_client(struct cs_codec *codec, struct cs_run_client *client)
{
	cs_code_text(codec, client->name, CS_SOURCE_NAME);
	cs_code_text(codec, client->source, CS_SOURCE_NAME);
	cs_code_length(codec, &client->seen);
	for (size_t i = 0; i < client->seen.n; i++) {
		struct cs_run_seen *seen = &client->seen.at[i];
		cs_run_cell_code(codec, &seen->cell);
		cs_code_u64(codec, &seen->until);
		cs_code_bool(codec, &seen->held);
		seen->frame = 0;
	}
}

void cs_run_clients_code(struct cs_codec *codec, struct cs_run_server *server)
{
	for (size_t i = 0; codec->in && i < server->clients.n; i++)
		cs_vec_free(&server->clients.at[i].seen);
	cs_code_length(codec, &server->clients);
	for (size_t i = 0; codec->in && i < server->clients.n; i++)
		server->clients.at[i] = (struct cs_run_client){.name = ""};
	for (size_t i = 0; i < server->clients.n; i++)
		code_client(codec, &server->clients.at[i]);
}

void cs_run_server_deinit(struct cs_run_server *server)
{
	for (size_t i = 0; i < server->clients.n; i++)
		cs_vec_free(&server->clients.at[i].seen);
	cs_vec_free(&server->clients);
	cs_vec_free(&server->holds);
}
