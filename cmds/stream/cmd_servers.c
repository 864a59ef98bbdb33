/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that set the conditions of a run: network role, clients of a server, loads that fail or
 * are slow, a blocking wait, and level instances as additional world partitions.
 */
#include "cmds/picture/cmd_changes.h"
#include "src/front/open.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <stdlib.h>

static const char *const switches[] = {"off", "on", NULL};

/* ---- command role ---- */

static const char *const roles[] = {"standalone", "client", "listen", "dedicated", NULL};

/* Prints the changed variables, which return to their initial values because the run ends. */
static void say_reset(struct output *out, const struct cs_stream *stream)
{
	size_t n;
	const struct cs_variable *variables = cs_stream_variables(&n);
	for (size_t i = 0; i < n; i++) {
		char value[64];
		if (cs_stream_variable(stream, i).is_initial)
			continue;
		cs_stream_variable_format(stream, i, value, sizeof(value));
		say(out, "reset: %s, was %s\n", variables[i].name, value);
	}
	if (!cs_stream_status(stream).hlod_enabled)
		say(out, "reset: wp.Runtime.HLOD, was 0\n");
	for (uint32_t world = 0; world < cs_stream_worlds(stream); world++) {
		const struct cs_cooked *cooked = cs_stream_world(stream, world).cooked;
		for (uint32_t i = 0; i < cooked->n_partitions; i++)
			if (cs_stream_range(stream, world, i).origin == CS_RANGE_OVERRIDE)
				say(out, "reset: loading range of %s, was %.9g\n",
					cs_cooked_text(cooked, cooked->partitions[i].name),
					cs_stream_range(stream, world, i).range);
	}
}

static struct cs_error *run_role(struct call *call)
{
	const struct argument *role = call_argument(call, 0);
	struct session *session = call->session;
	if (!role->given) {
		say(call->out, "%s\n", roles[session->run.role]);
		return NULL;
	}
	say(call->out, "%s: a new run at frame 0\n", roles[role->choice]);
	if (session->run.stream)
		say_reset(call->out, session->run.stream);
	session_end_stream(session);
	session->run.role = (enum cs_role)role->choice;
	/* starts the run, so that listings of data layers show the role's initial states */
	struct cs_stream *stream;
	return session_stream(session, &stream);
}

const struct command command_role = {
	.name = "role",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_WHOLE | COMMAND_CHANGES,
	.arguments = {{"ROLE", ARGUMENT_CHOICE, .optional = true, .choices = roles}},
	.summary = "show the network role, or begin a new run in another role",
	.examples = "role\n"
		    "role dedicated",
	.help = "ROLE is `standalone`, `client`, `listen` (a listen server) or `dedicated` (a\n"
		"dedicated server). Without ROLE the present role is shown. A new run drops the\n"
		"present run with its sources, breakpoints and watches, and resets all variables.\n"
		"A server loads all cells that the data layers allow, unless the line\n"
		"`wp.Runtime.EnableServerStreaming 1` comes before the first frame of the run.",
	.run = run_role,
};

/* ---- commands about clients ---- */

static struct cs_error *run_client_add(struct call *call)
{
	return cs_stream_client_set(call->stream, call_argument(call, 0)->text,
		argument_text(call_argument(call, 1), ""));
}

const struct command command_client_add = {
	.name = "client add",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WHOLE | COMMAND_CHANGES,
	.arguments = {{"NAME", ARGUMENT_WORD}, {"SOURCE", ARGUMENT_WORD, .optional = true}},
	.summary = "add a client to a simulated server, which keeps the cells the client sees",
	.examples = "role dedicated\n"
		    "wp.Runtime.EnableServerStreaming 1\n"
		    "wp.Runtime.EnableServerStreamingOut 1\n"
		    "source add Player0 33280,15360\n"
		    "client add Anna Player0\n"
		    "client add Bert",
	.help = "NAME is a name for the client. SOURCE is the name of a streaming source\n"
		"(`sources` lists them). The client sees the cells that SOURCE reaches, so the\n"
		"server keeps these cells. When SOURCE no longer reaches a cell, the client keeps\n"
		"the cell for 250 ms more (the variable sim.ClientLag). Without SOURCE the client\n"
		"sees only the cells that `client hold` lets it see.\n\n"
		"Clients matter only to a server that unloads cells. The first three lines of the\n"
		"example begin a run of such a server. Any other server keeps all cells and\n"
		"ignores SOURCE.",
	.run = run_client_add,
};

static struct cs_error *run_client_rm(struct call *call)
{
	return cs_stream_client_set(call->stream, call_argument(call, 0)->text, NULL);
}

const struct command command_client_rm = {
	.name = "client rm",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WHOLE | COMMAND_CHANGES,
	.arguments = {{"NAME", ARGUMENT_WORD}},
	.summary = "remove a client",
	.examples = "client rm Anna",
	.help = "NAME is the name of a client (`info clients` lists them). The server no longer\n"
		"keeps cells for this client.",
	.run = run_client_rm,
};

static struct cs_error *run_client_hold(struct call *call)
{
	const struct argument *hold = call_argument(call, 2);
	return cs_stream_client_hold(call->stream, call_argument(call, 0)->text,
		(struct cs_stream_cell){
			call->session->files.partition, call_argument(call, 1)->row},
		!hold->given || hold->choice == 1);
}

const struct command command_client_hold = {
	.name = "client hold",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_CHANGES,
	.arguments = {{"NAME", ARGUMENT_WORD}, {"CELL", ARGUMENT_CELL},
		{"on|off", ARGUMENT_CHOICE, .optional = true, .choices = switches}},
	.summary = "make a client see a cell even if the source of the client does not reach it",
	.examples = "client hold Anna L0:0,0\nclient hold Anna L0:0,0 off",
	.help = "NAME is the name of a client (`info clients` lists them). The client sees the\n"
		"cell until `client hold NAME CELL off`; `on` is the default.",
	.run = run_client_hold,
};

static const struct cs_column client_columns[] = {
	SHORT(struct cs_stream_client, name, "name of the client"),
	SHORT(struct cs_stream_client, cells, "number of cells that the client sees"),
};

static const struct cs_table client_table = PLAIN_TABLE("clients", "client", client_columns);

static struct cs_error *run_info_clients(struct call *call)
{
	struct cs_stream *stream = call->stream;
	size_t n = 0;
	while (cs_stream_client_at(stream, n).name)
		n++;
	struct cs_stream_client *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] = cs_stream_client_at(stream, i);
	return emit_plain_taken(call, &client_table, rows, n);
}

const struct command command_info_clients = {
	.name = "info clients",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WHOLE | COMMAND_LISTS,
	.summary = "list the clients of the simulated server",
	.examples = "info clients",
	.help = "`client add` adds a client. The column `cells` is the number of cells that the\n"
		"client sees. On a server that does not unload cells, the column counts only the\n"
		"cells that `client hold` lets the client see (help client hold).",
	.run = run_info_clients,
};

struct hold_row {
	const char *cell, *client, *partition;
};

static const struct cs_column hold_columns[] = {
	SHORT(struct hold_row, cell, "name of the cell"),
	SHORT(struct hold_row, client, "first of the clients that see the cell"),
	PLAIN(struct hold_row, partition, "world partition of the cell", .flags = CS_COLUMN_WORD),
};

static const struct cs_table hold_table = PLAIN_TABLE("holds", "hold", hold_columns);

static struct cs_error *run_server_hold(struct call *call)
{
	struct cs_stream *stream = call->stream;
	size_t n;
	const struct cs_stream_hold *holds = cs_stream_server_hold(stream, &n);
	struct hold_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] = (struct hold_row){stream_cell_name(stream, holds[i].cell),
			holds[i].client == CS_NONE
				? NULL
				: cs_stream_client_at(stream, holds[i].client).name,
			cs_stream_world(stream, holds[i].cell.world).name};
	return emit_plain_taken(call, &hold_table, rows, n);
}

const struct command command_server_hold = {
	.name = "server-hold",
	.group = GROUP_WHY,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS,
	.summary = "list the cells that the server keeps only because a client sees them",
	.examples = "server-hold",
	.help = "The list is empty unless the run simulates a server that unloads cells (help\n"
		"client add). A client sees the cells that its streaming source reaches, and the\n"
		"cells that `client hold` lets it see. The column `client` is the first client\n"
		"that sees the cell.",
	.run = run_server_hold,
};

/* ---- commands fault cell, info faults and block ---- */

static const char *const faults[] = {"none", "load", "corrupt", "slow", NULL};

static struct cs_error *run_fault(struct call *call)
{
	static const double slow = 10;
	const struct argument *fault = call_argument(call, 1), *factor = call_argument(call, 2);
	struct cs_error *error = NULL;
	if (factor->given && fault->choice != CS_FAULT_SLOW)
		error = cs_error_new(CS_E_USAGE,
			"FACTOR is only for the fault `slow`, not for `%s`", faults[fault->choice]);
	return error ? error
		     : cs_stream_fault(call->stream,
			       (struct cs_stream_cell){
				       call->session->files.partition, call_argument(call, 0)->row},
			       (enum cs_fault)fault->choice, factor->given ? factor->number : slow);
}

const struct command command_fault_cell = {
	.name = "fault cell",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_CHANGES,
	.arguments = {{"CELL", ARGUMENT_CELL}, {"FAULT", ARGUMENT_CHOICE, .choices = faults},
		{"FACTOR", ARGUMENT_NUMBER, .optional = true}},
	.summary = "make the next loads of a cell fail, or take longer",
	.examples = "fault cell L0:5,1 load\nfault cell L0:5,1 slow 20\nfault cell L0:5,1 none",
	.help = "FAULT is `load` (the package cannot be opened), `corrupt` (the package is found\n"
		"damaged after it was read), `slow` (each part of a load takes FACTOR times as\n"
		"long, 1 to 1e9, default 10) or `none` (no fault any more). Loads that have begun\n"
		"are not changed. A cell that failed stays failed until no source reaches it. To\n"
		"slow down the loads of all cells, set the variables sim.Latency and\n"
		"sim.Bandwidth (help variable).",
	.run = run_fault,
};

struct fault_row {
	const char *cell, *fault;
	double factor;
	const char *partition;
};

static const struct cs_column fault_columns[] = {
	SHORT(struct fault_row, cell, "the cell"),
	SHORT(struct fault_row, fault, "load, corrupt or slow"),
	SHORT(struct fault_row, factor, "factor by which the load takes longer"),
	PLAIN(struct fault_row, partition, "world partition of the cell", .flags = CS_COLUMN_WORD),
};

static const struct cs_table fault_table = PLAIN_TABLE("faults", "fault", fault_columns);

static struct cs_error *run_info_faults(struct call *call)
{
	struct cs_stream *stream = call->stream;
	size_t n = 0;
	while (cs_stream_fault_at(stream, n).fault != CS_FAULT_NONE)
		n++;
	struct fault_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++) {
		const struct cs_stream_fault_view at = cs_stream_fault_at(stream, i);
		rows[i] = (struct fault_row){stream_cell_name(stream, at.cell), faults[at.fault],
			at.fault == CS_FAULT_SLOW ? at.factor : CS_NO_NUMBER,
			cs_stream_world(stream, at.cell.world).name};
	}
	return emit_plain_taken(call, &fault_table, rows, n);
}

const struct command command_info_faults = {
	.name = "info faults",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS,
	.summary = "list the faults that `fault cell` has given to cells",
	.examples = "fault cell L0:5,1 load\ninfo faults",
	.help = "The column `fault` is `load`, `corrupt` or `slow` (help fault cell). The column\n"
		"`factor` says how many times as long a slow load takes. `fault cell CELL none`\n"
		"removes the fault of CELL.",
	.run = run_info_faults,
};

static struct cs_error *run_block(struct call *call)
{
	return cs_stream_block(call->stream);
}

const struct command command_block = {
	.name = "block",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WHOLE | COMMAND_CHANGES,
	.summary = "make the next frame wait for all wanted cells, as a loading screen does",
	.examples = "block\nstep\nstalls",
	.help = "`step` runs that frame, and `stalls` lists the wait. The frame lasts as long as\n"
		"the loads.",
	.run = run_block,
};

/* ---- commands about level instances ---- */

static struct cs_transform transform_of(const struct call *call)
{
	const struct argument *at = call_option(call, "at"), *turn = call_option(call, "rotation");
	struct cs_transform transform = CS_TRANSFORM_IDENTITY;
	if (at->given)
		transform.translation = at->point;
	if (turn->given)
		transform.rotation =
			cs_quat_from_euler(turn->point.x, turn->point.y, turn->point.z);
	return transform;
}

static struct cs_error *run_partition_add(struct call *call)
{
	const struct argument *owner = call_option(call, "owner");
	struct session *session = call->session;
	struct cs_stream_instance instance = {.transform = transform_of(call),
		.owner = CS_STREAM_NO_CELL,
		.name = call_option(call, "name")->text};
	struct opened opened;
	uint32_t index;
	if (owner->given)
		instance.owner = (struct cs_stream_cell){session->files.partition, owner->row};
	struct cs_error *error = world_open(session, call_argument(call, 0)->text, NULL, &opened);
	if (error)
		return error;
	const struct cs_cooked *world = opened.world;
	error = session_add_partition(session, opened, &instance, &index);
	if (!error && !owner->given)
		error = cs_stream_register(session->run.stream, index, true);
	if (!error)
		say(call->out, "partition %u: %s, %zu cell%s\n", index,
			cs_stream_world(session->run.stream, index).name, world->n_cells,
			world->n_cells == 1 ? "" : "s");
	return error;
}

const struct command command_partition_add = {
	.name = "partition add",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_WHOLE | COMMAND_CHANGES,
	.arguments = {{"FILE", ARGUMENT_FILE}},
	.options = {{0, "at", "X,Y,Z", ARGUMENT_POINT,
			    "place the instance at X,Y,Z cm of the main world (default 0,0,0)"},
		{0, "rotation", "P,Y,R", ARGUMENT_POINT,
			"turn the instance by pitch, yaw and roll in degrees (default 0,0,0)"},
		{0, "owner", "CELL", ARGUMENT_CELL, "put the instance in CELL of the main world"},
		{0, "name", "NAME", ARGUMENT_WORD,
			"name of the instance, which -P takes (default: the name of the map)"}},
	.summary = "add a world to the open one, as a level instance with its own world "
		   "partition",
	.examples = "partition add house.json --at 12800,0,0\n"
		    "partition add house.cworld --owner L0:2,3",
	.help = "FILE is a world as `open` takes it; if it is not cooked, the command cooks it\n"
		"first. The instance shares streaming sources, loading budget and loading order\n"
		"with the main world. With --owner the cells of the instance take part in\n"
		"streaming only while CELL is visible; without --owner they always take part.\n"
		"`partitions` lists all world partitions.",
	.run = run_partition_add,
};

static struct cs_error *run_partition_register(struct call *call)
{
	return cs_stream_register(
		call->stream, call_argument(call, 0)->row, call_argument(call, 1)->choice == 1);
}

const struct command command_partition_register = {
	.name = "partition register",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WHOLE | COMMAND_CHANGES,
	.arguments = {{"NAME", ARGUMENT_PARTITION},
		{"on|off", ARGUMENT_CHOICE, .choices = switches}},
	.summary = "register a world partition for streaming, or unregister it and "
		   "unload its cells",
	.examples = "partition add house.json --at 12800,0,0\n"
		    "partition register 1 off",
	.help = "NAME is the name or the number of a world partition in `partitions`. With `on`\n"
		"the cells of the partition take part in streaming. With `off` they are unloaded\n"
		"and do not take part.",
	.run = run_partition_register,
};
