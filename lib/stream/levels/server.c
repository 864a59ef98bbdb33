/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns servers (rule 2.7): what clients see, the server epoch.
 *
 * Clients are simulated: each has a source and shows what it reaches with the plain loading ranges,
 * once the server has loaded it; it releases a cell some time after its source has left. A server
 * that streams out asks whether a client still sees a cell before it unloads it.
 */
#include "stream/stream_internal.h"

/* ---- what a client sees ---- */

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

/* Returns NULL without memory. */
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

uint32_t cs_run_seen_by(const struct cs_stream *s, struct cs_stream_cell cell)
{
	for (size_t i = 0; i < s->server.clients.n; i++)
		if (find_seen(&s->server.clients.at[i], cell))
			return (uint32_t)i;
	return CS_NONE;
}

/* ---- cells that are kept for clients ---- */

bool cs_run_hold_add(struct cs_stream *s, struct cs_stream_cell cell)
{
	_Static_assert(offsetof(struct cs_stream_hold, cell) == 0, "begins with its cell");
	size_t place = cs_run_cell_place(
		s->server.holds.at, s->server.holds.n, sizeof(*s->server.holds.at), cell);
	if (!cs_vec_reserve(&s->server.holds, 1))
		return false;
	struct cs_stream_hold *at = s->server.holds.at + place;
	memmove(at + 1, at, (s->server.holds.n++ - place) * sizeof(*at));
	*at = (struct cs_stream_hold){cell, cs_run_seen_by(s, cell)};
	return true;
}

void cs_run_holds_drop(struct cs_stream *s, const struct cs_run_world *w)
{
	size_t kept = 0;
	for (size_t i = 0; i < s->server.holds.n; i++)
		if (s->server.holds.at[i].cell.world != w->id)
			s->server.holds.at[kept++] = s->server.holds.at[i];
	s->server.holds.n = kept;
}

bool cs_run_holds_restore(struct cs_stream *s)
{
	s->server.holds.n = 0;
	for (size_t i = 0; i < s->worlds.n; i++) {
		const struct cs_run_world *w = s->worlds.at[i];
		for (size_t k = 0; k < w->residents.cells.n; k++)
			if (w->residents.cells.at[k].held &&
				!cs_run_hold_add(s, (struct cs_stream_cell){
							    w->id, w->residents.cells.at[k].cell}))
				return false;
	}
	return true;
}

/* Finds the cells that clients hold, after the clients or what they see have changed. */
static void find_holders(struct cs_stream *s)
{
	for (size_t i = 0; i < s->server.holds.n; i++)
		s->server.holds.at[i].client = cs_run_seen_by(s, s->server.holds.at[i].cell);
}

/* ---- what clients see of the frame ---- */

/*
 * Handles a cell in range: the client sees it from now on if the server shows it, as long as it is
 * in range.
 */
static bool server_see(
	struct cs_stream *s, struct cs_run_client *client, struct cs_run_world *w, uint32_t cell)
{
	struct cs_stream_cell key = {w->id, cell};
	const struct cs_run_cell *r = cs_run_find(w, cell);
	struct cs_run_seen *seen = find_seen(client, key);
	if (!seen && r && r->level == CS_LEVEL_VISIBLE && !(seen = add_seen(client, key)))
		return false;
	if (seen) {
		seen->until = UINT64_MAX;
		seen->frame = s->clock.frame;
	}
	return true;
}

static bool look_around(
	struct cs_stream *s, struct cs_run_client *client, const struct cs_run_source *source)
{
	for (size_t i = 0; i < s->worlds.n; i++) {
		struct cs_run_world *w = s->worlds.at[i];
		if (!w->registered || !cs_run_server_streams_out(s, w))
			continue;
		w->policy.found.n = 0;
		if (!cs_run_client_finds(s, w, source))
			return false;
		for (size_t k = 0; k < w->policy.found.n; k++)
			if (!server_see(s, client, w, w->policy.found.at[k]))
				return false;
	}
	return true;
}

/* Releases cells that were not in range in this frame when the client's lag is over. */
static void let_go(struct cs_stream *s, struct cs_run_client *client)
{
	size_t kept = 0;
	uint64_t lag = cs_run_ns(s, CS_VAR_CLIENT_LAG);
	for (size_t i = 0; i < client->seen.n; i++) {
		struct cs_run_seen *seen = &client->seen.at[i];
		if (seen->until == UINT64_MAX && seen->frame != s->clock.frame)
			seen->until = s->clock.time + lag;
		if (seen->held || seen->until > s->clock.time)
			client->seen.at[kept++] = *seen;
	}
	client->seen.n = kept;
}

bool cs_run_clients_update(struct cs_stream *s)
{
	for (size_t i = 0; i < s->server.clients.n; i++) {
		struct cs_run_client *client = &s->server.clients.at[i];
		const struct cs_run_source *source = cs_run_find_source(s, client->source);
		if (source && !look_around(s, client, source))
			return false;
		let_go(s, client);
	}
	return true;
}

/* ---- clients as inputs ---- */

static size_t client_place(const struct cs_stream *s, const char *name, bool *found)
{
	size_t place = 0;
	while (place < s->server.clients.n &&
		cs_name_compare(s->server.clients.at[place].name, name) < 0)
		place++;
	*found = place < s->server.clients.n &&
		 cs_name_compare(s->server.clients.at[place].name, name) == 0;
	return place;
}

static struct cs_error *no_client(const char *name)
{
	return cs_error_new(CS_E_SETTING, "no client '%.100s'", name);
}

struct cs_error *cs_run_apply_client(struct cs_stream *s, const struct cs_stream_input *input)
{
	bool found;
	size_t place = client_place(s, input->name, &found);
	if (!*input->name || strlen(input->name) >= CS_SOURCE_NAME ||
		strlen(input->text) >= CS_SOURCE_NAME)
		return cs_error_new(CS_E_SETTING, "client: a name is empty or too long");
	if (!found) {
		if (!cs_vec_reserve(&s->server.clients, 1))
			return cs_error_nomem();
		struct cs_run_client *at = s->server.clients.at + place;
		memmove(at + 1, at, (s->server.clients.n - place) * sizeof(*at));
		s->server.clients.n++;
		*at = (struct cs_run_client){.name = ""};
		strncpy(at->name, input->name, CS_SOURCE_NAME - 1);
	}
	memset(s->server.clients.at[place].source, 0, CS_SOURCE_NAME);
	strncpy(s->server.clients.at[place].source, input->text, CS_SOURCE_NAME - 1);
	find_holders(s);
	return NULL;
}

struct cs_error *cs_run_apply_client_remove(
	struct cs_stream *s, const struct cs_stream_input *input)
{
	bool found;
	size_t place = client_place(s, input->name, &found);
	if (!found)
		return no_client(input->name);
	struct cs_run_client *at = s->server.clients.at + place;
	cs_vec_free(&at->seen);
	memmove(at, at + 1, (s->server.clients.n - place - 1) * sizeof(*at));
	s->server.clients.n--;
	find_holders(s);
	return NULL;
}

struct cs_error *cs_run_apply_hold(struct cs_stream *s, const struct cs_stream_input *input)
{
	bool found;
	size_t place = client_place(s, input->name, &found);
	if (!found)
		return no_client(input->name);
	if (!cs_run_cell_exists(s, input->cell))
		return cs_run_no_cell(input->cell);
	struct cs_run_seen *seen = find_seen(&s->server.clients.at[place], input->cell);
	if (!seen && input->on && !(seen = add_seen(&s->server.clients.at[place], input->cell)))
		return cs_error_nomem();
	if (seen)
		seen->held = input->on;
	find_holders(s);
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

/* ---- the epoch ---- */

void cs_run_epoch_publish(struct cs_stream *s)
{
	bool changed = false, held = false;
	for (size_t i = 0; i < s->worlds.n; i++) {
		changed = changed || s->worlds.at[i]->serving.wants_changed;
		held = held || s->worlds.at[i]->serving.epoch_held;
	}
	if (!cs_run_is_server(s) || !changed || held)
		return;
	for (size_t i = 0; i < s->worlds.n; i++)
		s->worlds.at[i]->serving.wants_changed = false;
	s->server.epoch++;
	cs_run_event(s, CS_EVENT_EPOCH, CS_STREAM_NO_CELL, (uint32_t)s->server.epoch, 0, 0,
		CS_REASON_NONE);
}

const struct cs_stream_hold *cs_stream_server_hold(const struct cs_stream *stream, size_t *n_ret)
{
	*n_ret = stream->server.holds.n;
	return stream->server.holds.at;
}

/* ---- as bytes ---- */

static void code_client(struct cs_codec *c, struct cs_run_client *client)
{
	cs_code_text(c, client->name, CS_SOURCE_NAME);
	cs_code_text(c, client->source, CS_SOURCE_NAME);
	cs_code_length(c, &client->seen);
	for (size_t i = 0; i < client->seen.n; i++) {
		struct cs_run_seen *seen = &client->seen.at[i];
		cs_run_cell_code(c, &seen->cell);
		cs_code_u64(c, &seen->until);
		cs_code_bool(c, &seen->held);
		seen->frame = 0;
	}
}

void cs_run_clients_code(struct cs_codec *c, struct cs_run_server *server)
{
	for (size_t i = 0; c->in && i < server->clients.n; i++)
		cs_vec_free(&server->clients.at[i].seen);
	cs_code_length(c, &server->clients);
	for (size_t i = 0; c->in && i < server->clients.n; i++)
		server->clients.at[i] = (struct cs_run_client){.name = ""};
	for (size_t i = 0; i < server->clients.n; i++)
		code_client(c, &server->clients.at[i]);
}

void cs_run_server_deinit(struct cs_run_server *server)
{
	for (size_t i = 0; i < server->clients.n; i++)
		cs_vec_free(&server->clients.at[i].seen);
	cs_vec_free(&server->clients);
	cs_vec_free(&server->holds);
}
