/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the Model Context Protocol, revisions 2024-11-05 to 2025-06-18: JSON-RPC 2.0 messages,
 * one per line. A tool is a row of a table with the command that it runs and its arguments. The
 * answer of a tool is the output of the command, divided at line ends into pages. The last few
 * answers are stored; a cursor "NUMBER:OFFSET" names one of them and a byte offset in it.
 */
#include "src/front/jsonl.h"

#include "core/utf8.h"
#include "src/session/input/try_line.h"
#include "src/session/progress.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 32768, MOST_KEPT = 16 << 20, ANSWERS = 8, MOST_WORDS = 16 };
enum { LONGEST_CALL = 120 /* seconds */, MOST_COUNT = 1000000 };
enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, UNKNOWN_METHOD = -32601 };
enum { INVALID_ARGUMENTS = -32602, INTERNAL_ERROR = -32603, NO_RESOURCE = -32002 };

static const char scheme[] = "cellscope://table/";

/* ---- table of tools ---- */

struct tool_argument {
	const char *name, *doc;
	/* command option that receives the value, such as "--map"; NULL: the value is an operand */
	const char *option;
	bool is_count, required;
};

struct tool {
	const char *name, *doc;
	/* the tool's command; NULL if argument 1 is a command line or the tool has its own code */
	const char *command;
	enum format format;
	/*
	 * the command takes the rest of the line as its operand, which is quoted and has no "--"
	 * before it
	 */
	bool raw;
	struct tool_argument arguments[4];
};

static const struct tool tools[] = {
	{"open",
		"Open a world (.cworld, .json, .uproject, a StreamingGeneration log, a cooked folder) "
		"or Nanite resources (.cnanite). The other tools work on what is open.",
		"open", FORMAT_TEXT, false,
		{{"file", "path of the file or folder", NULL, false, true},
			{"map", "map of a project with several maps", "--map", false, false}}},
	{"sql",
		"Query the open world with an SQL SELECT statement. Answers with one JSON object a "
		"row. The resources list every table and its columns.",
		"sql", FORMAT_JSON, true,
		{{"query", "a SELECT statement of SQLite", NULL, false, true}}},
	{"explain", "Explain the rules of the cook that led an actor to its cell, or made a cell.",
		"explain", FORMAT_TEXT, false,
		{{"place", "name of an actor or a cell, for example Rock_1187 or L0:5,1", NULL,
			false, true}}},
	{"why", "Say why a cell or an actor is loaded or not at the current frame.", "why",
		FORMAT_TEXT, false, {{"place", "name of an actor or a cell", NULL, false, true}}},
	{"map", "Draw a grid of the open world from above, as text.", "map", FORMAT_TEXT, false,
		{{"grid", "name of the grid (default: the first grid that streams)", "-g", false,
			 false},
			{"level", "level of the grid (default: the lowest level with cells)", "-l",
				true, false},
			{"show", "state, actors, bytes, layer, hlod, priority or why-not", "-o",
				false, false}}},
	{"diff", "Compare two worlds, or the open world with one: what differs, and why.", "diff",
		FORMAT_TEXT, false,
		{{"left", "path of a world", NULL, false, true},
			{"right",
				"path of the other world (default: the left one is the "
				"open world)",
				NULL, false, false}}},
	{"step", "Run frames of streaming and list what changed.", "step", FORMAT_TEXT, false,
		{{"frames", "number of frames (default 1)", NULL, true, false},
			{"source", "X,Y or X,Y,Z in cm: put a streaming source there first",
				"source", false, false}}},
	{"more", "Continue an answer that was cut.", NULL, FORMAT_TEXT, false,
		{{"cursor", "cursor from the end of the cut answer", NULL, false, true}}},
	{"run", "Run any command of cellscope, also those that write files. `help` lists them.",
		NULL, FORMAT_TEXT, false,
		{{"line", "command line with arguments", NULL, false, true}}},
};
enum { TOOLS = sizeof(tools) / sizeof(tools[0]), TOOL_MORE = TOOLS - 2, TOOL_RUN = TOOLS - 1 };

struct answer {
	char *text;
	size_t n;     /* bytes stored in `text` */
	size_t whole; /* bytes of the complete output; more than `n` if the answer was cut */
	unsigned number;
};

struct server {
	struct session *session;
	struct answer answers[ANSWERS]; /* ring of the last answers, at index number % ANSWERS */
	unsigned answered;
	unsigned line;
	char wrong[160]; /* message about an argument */
};

static bool is_offered(const struct server *server, size_t tool)
{
	return tool != TOOL_RUN || !server->session->mode.safe;
}

static json_t *schema_of(const struct tool *tool)
{
	json_t *properties = json_object(), *required = json_array();
	for (const struct tool_argument *argument = tool->arguments; argument->name; argument++) {
		json_object_set_new(properties, argument->name,
			json_pack("{s:s, s:s}", "type", argument->is_count ? "integer" : "string",
				"description", argument->doc));
		if (argument->required)
			json_array_append_new(required, json_string(argument->name));
	}
	return json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties,
		"required", required, "additionalProperties", 0);
}

static json_t *list_mcp_tools(const struct server *server)
{
	json_t *list = json_array();
	for (size_t i = 0; i < TOOLS; i++)
		if (is_offered(server, i))
			json_array_append_new(
				list, json_pack("{s:s, s:s, s:o, s:{s:b, s:b}}", "name",
					      tools[i].name, "description", tools[i].doc,
					      "inputSchema", schema_of(&tools[i]), "annotations",
					      "readOnlyHint", i != TOOL_RUN, "openWorldHint", 0));
	return json_pack("{s:o}", "tools", list);
}

/* ---- answers of tools ---- */

static json_t *text_result(const char *text, size_t n, bool failed)
{
	return json_pack("{s:[{s:s, s:s%}], s:b}", "content", "type", "text", "text", text, n,
		"isError", failed);
}

/* Returns where the page from `at` ends: after its last newline, else between characters. */
static size_t page_end(const struct answer *answer, size_t at)
{
	size_t end = at + PAGE;
	if (answer->n - at <= PAGE)
		return answer->n;
	while (end > at && answer->text[end - 1] != '\n')
		end--;
	if (end > at)
		return end;
	for (end = at + PAGE; cs_utf8_inside(answer->text[end]);)
		end--;
	return end;
}

static json_t *answer_page(const struct answer *answer, size_t at)
{
	size_t end = page_end(answer, at);
	json_t *result = text_result(answer->text + at, end - at, false);
	char cursor[64], note[200];
	if (end == answer->whole)
		return result;
	snprintf(cursor, sizeof(cursor), "%u:%zu", answer->number, end);
	if (end < answer->n)
		snprintf(note, sizeof(note),
			"[%zu of %zu bytes. Call the tool \"more\" with the cursor \"%s\" for the "
			"rest.]",
			end, answer->whole, cursor);
	else
		snprintf(note, sizeof(note),
			"[%zu of %zu bytes. An answer is cut there: ask for less.]", end,
			answer->whole);
	json_array_append_new(json_object_get(result, "content"),
		json_pack("{s:s, s:s}", "type", "text", "text", note));
	if (end < answer->n)
		json_object_set_new(
			result, "_meta", json_pack("{s:s}", "cellscope/nextCursor", cursor));
	return result;
}

/* Stores a text as the newest answer, which owns the text from then on. */
static const struct answer *keep_answer(struct server *server, char *text, size_t n)
{
	struct answer *answer = &server->answers[server->answered % ANSWERS];
	free(answer->text);
	*answer = (struct answer){text, n < MOST_KEPT ? n : MOST_KEPT, n, server->answered++};
	while (answer->n < n && cs_utf8_inside(text[answer->n]))
		answer->n--;
	return answer;
}

static json_t *continue_answer(const struct server *server, const char *cursor)
{
	static const char gone[] =
		"there is no answer with this cursor, because only the last 8 are stored: ask "
		"again";
	char *end;
	unsigned long number = strtoul(cursor, &end, 10);
	unsigned long at = *end == ':' ? strtoul(end + 1, &end, 10) : 0;
	const struct answer *answer = &server->answers[number % ANSWERS];
	if (*end || at == 0 || !answer->text || answer->number != number || at >= answer->n)
		return text_result(gone, strlen(gone), true);
	return answer_page(answer, at);
}

/* Returns the result for an error: message and advice as at a prompt. Frees the error. */
static json_t *answer_failure(struct session *session, struct cs_error *error, const char *line)
{
	struct text_output text;
	struct output *out = text_output_begin(&text, (struct style){.width = 80, .ascii = true});
	say_error(out, error);
	say_try_line(out, session, error, line);
	cs_error_free(error);
	char *said = text_output_end(&text);
	json_t *result = said ? text_result(said, strlen(said), true) : NULL;
	free(said);
	return result;
}

/* ---- running the commands of tools ---- */

struct command_words {
	char *at[MOST_WORDS];
	size_t n;
};

static struct cs_error *add_command_word(struct command_words *words, const char *word)
{
	char *copy = strdup(word);
	if (!copy)
		return cs_error_nomem();
	words->at[words->n++] = copy;
	return NULL;
}

static struct cs_error *run_words(
	struct session *session, const struct command_words *words, struct memory_sink *to)
{
	struct parse_context context = session_parse_context(session);
	struct invocation invocation = {0};
	struct cs_error *error = parse_words(&context, words->at, words->n, &invocation);
	if (!error && (invocation.shell.text || invocation.into.text || invocation.filter.text ||
			      invocation.where.text))
		error = cs_error_new(CS_E_UNSAFE,
			"an argument of the tool contains |, >, ~ or @ outside quotes: use the "
			"tool 'run' for these");
	if (!error)
		error = run_invocation(session, &invocation, words->at[0], &to->sink);
	invocation_free(&invocation);
	return error;
}

/* Moves the streaming source "agent" to a location, or adds the source if it does not exist. */
static struct cs_error *put_source(struct session *session, const char *place)
{
	struct command_words words = {
		{(char *)"source", (char *)"add", (char *)"agent", (char *)place}, 4};
	struct memory_sink unseen;
	memory_sink_init(&unseen);
	struct cs_error *error = run_words(session, &words, &unseen);
	if (error && error->code == CS_E_EXISTS) {
		cs_error_free(error);
		words.at[1] = (char *)"move";
		error = run_words(session, &words, &unseen);
	}
	memory_sink_deinit(&unseen);
	return error;
}

/* Appends an argument. `quoted`: the command parses a raw line, so the text needs quotes. */
static struct cs_error *add_argument(struct command_words *words,
	const struct tool_argument *argument, const json_t *value, bool quoted)
{
	char number[32];
	const char *text = json_string_value(value);
	struct cs_error *error = NULL;
	if (quoted) {
		char *word = quote_word(text);
		error = word ? add_command_word(words, word) : cs_error_nomem();
		free(word);
		return error;
	}
	if (argument->is_count) {
		snprintf(
			number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		text = number;
	}
	if (argument->option)
		error = add_command_word(words, argument->option);
	return error ? error : add_command_word(words, text);
}

/* Builds the words of a command: options, then "--" and operands, which thus are never options. */
static struct cs_error *make_words(
	const struct tool *tool, const json_t *arguments, struct command_words *words)
{
	struct cs_error *error = add_command_word(words, tool->command);
	for (int operands = 0; operands < 2 && !error; operands++) {
		if (operands && !tool->raw)
			error = add_command_word(words, "--");
		for (const struct tool_argument *argument = tool->arguments;
			argument->name && !error; argument++) {
			const json_t *value = json_object_get(arguments, argument->name);
			if (value && (argument->option == NULL) == (operands == 1) &&
				strcmp(argument->name, "source") != 0)
				error = add_argument(words, argument, value, tool->raw);
		}
	}
	return error;
}

static struct cs_error *call_command(struct session *session, const struct tool *tool,
	const json_t *arguments, struct memory_sink *to)
{
	const char *source = json_string_value(json_object_get(arguments, "source"));
	struct command_words words = {{NULL}, 0};
	if (tool == &tools[TOOL_RUN])
		return run_line(
			session, json_string_value(json_object_get(arguments, "line")), &to->sink);
	struct cs_error *error = source ? put_source(session, source) : NULL;
	if (!error)
		error = make_words(tool, arguments, &words);
	if (!error)
		error = run_words(session, &words, to);
	for (size_t i = 0; i < words.n; i++)
		free(words.at[i]);
	return name_cause(session, error);
}

/* Runs a tool's command for at most LONGEST_CALL seconds, or the rest of the run's time limit. */
static struct cs_error *run_tool(struct server *server, const struct tool *tool,
	const json_t *arguments, struct memory_sink *to)
{
	struct session *session = server->session;
	/* the script place makes '|' need --allow-shell, as in a script */
	struct script_place place = {"line", ".", server->line};
	const double whole = session->bounds.deadline, end = progress_clock() + LONGEST_CALL;
	session_apply(session, SETTING_OUTPUT, (long)tool->format);
	session->expected.tally.status = STATUS_OK;
	session->channels.place = &place;
	session->bounds.deadline = whole > 0 && whole < end ? whole : end;
	struct cs_error *error = call_command(session, tool, arguments, to);
	session->bounds.deadline = whole;
	session->bounds.timed_out = whole > 0 && progress_clock() > whole;
	session->channels.place = NULL;
	return error;
}

static json_t *answer_tool(struct server *server, const struct tool *tool, const json_t *arguments)
{
	struct memory_sink memory;
	char *text = NULL;
	size_t n = 0;
	if (tool == &tools[TOOL_MORE])
		return continue_answer(
			server, json_string_value(json_object_get(arguments, "cursor")));
	memory_sink_init(&memory);
	struct cs_error *error = run_tool(server, tool, arguments, &memory);
	error = cs_error_first(error, memory_sink_take(&memory, &text, &n));
	if (!error)
		return answer_page(keep_answer(server, text, n), 0);
	free(text);
	return answer_failure(server->session, error, NULL);
}

/* ---- resources: descriptions of tables ---- */

static const char *column_type_of(enum cs_kind kind)
{
	static const char *const names[] = {[CS_KIND_NULL] = "null",
		[CS_KIND_TEXT] = "text",
		[CS_KIND_INTEGER] = "integer",
		[CS_KIND_NUMBER] = "number",
		[CS_KIND_BOOL] = "boolean",
		[CS_KIND_GUID] = "GUID",
		[CS_KIND_HEX] = "hexadecimal",
		[CS_KIND_VEC3] = "X,Y,Z",
		[CS_KIND_QUAT] = "X,Y,Z,W",
		[CS_KIND_LIST] = "list"};
	return names[kind];
}

static json_t *describe_table(const struct cs_table *table)
{
	json_t *columns = json_array();
	for (size_t i = 0; i < table->n_columns; i++) {
		const struct cs_column *column = &table->columns[i];
		json_array_append_new(
			columns, json_pack("{s:s, s:s, s:s*, s:s*}", "name", column->key, "type",
					 column_type_of(column->kind), "unit", column->unit,
					 "description", column->doc));
	}
	return json_pack("{s:s, s:s*, s:o}", "table", table->name, "description", table->doc,
		"columns", columns);
}

static json_t *list_table_resources(const struct server *server)
{
	json_t *list = json_array();
	for (size_t i = 0; i < cs_query_tables(server->session->query); i++) {
		const void *source;
		const struct cs_table *table = cs_query_table(server->session->query, i, &source);
		char uri[160];
		snprintf(uri, sizeof(uri), "%s%s", scheme, table->name);
		json_array_append_new(
			list, json_pack("{s:s, s:s, s:s*, s:s}", "uri", uri, "name", table->name,
				      "description", table->doc, "mimeType", "application/json"));
	}
	return json_pack("{s:o}", "resources", list);
}

/* Returns the description of a table and its columns, or NULL when the URI names no table. */
static json_t *read_resource(const struct server *server, const char *uri)
{
	const void *source;
	const struct cs_table *table = NULL;
	if (uri && strncmp(uri, scheme, strlen(scheme)) == 0)
		table = cs_query_table_named(server->session->query, uri + strlen(scheme), &source);
	if (!table)
		return NULL;
	json_t *schema = describe_table(table);
	char *text = json_dumps(schema, JSON_INDENT(1));
	json_t *result = json_pack("{s:[{s:s, s:s, s:s}]}", "contents", "uri", uri, "mimeType",
		"application/json", "text", text);
	free(text);
	json_decref(schema);
	return result;
}

/* ---- JSON-RPC requests ---- */

static json_t *refuse_request(json_t *id, int code, const char *message)
{
	return json_pack("{s:s, s:O?, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", id, "error", "code",
		code, "message", message);
}

static json_t *initialize_mcp(const json_t *arguments)
{
	static const char *const revisions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};
	const char *asked = json_string_value(json_object_get(arguments, "protocolVersion"));
	const char *revision = revisions[0];
	for (size_t i = 0; asked && i < sizeof(revisions) / sizeof(revisions[0]); i++)
		if (strcmp(asked, revisions[i]) == 0)
			revision = revisions[i];
	return json_pack("{s:s, s:{s:{}, s:{}}, s:{s:s, s:s}, s:s}", "protocolVersion", revision,
		"capabilities", "tools", "resources", "serverInfo", "name", "cellscope", "version",
		cs_version(), "instructions",
		"Open a world first. Units are cm; cells are named like L0:5,1 (level, x, y).");
}

/* Returns what is wrong with an argument of a tool, or NULL. */
static const char *check_argument(const struct tool_argument *argument, const json_t *value)
{
	if (!value)
		return argument->required ? "is missing" : NULL;
	if (!(argument->is_count ? json_is_integer(value) : json_is_string(value)))
		return argument->is_count ? "is not a whole number" : "is not a string";
	if (argument->is_count &&
		(json_integer_value(value) < 0 || json_integer_value(value) > MOST_COUNT))
		return "is not between 0 and 1000000";
	return NULL;
}

static bool has_argument(const struct tool *tool, const char *name)
{
	const struct tool_argument *argument = tool->arguments;
	while (argument->name && strcmp(argument->name, name) != 0)
		argument++;
	return argument->name != NULL;
}

/* Returns a message about invalid arguments of a tool; NULL when they are valid. */
static const char *check_arguments(
	struct server *server, const struct tool *tool, json_t *arguments)
{
	enum { LONGEST_NAMED = 80 };
	const char *name = NULL, *wrong = NULL;
	json_t *value;
	for (const struct tool_argument *at = tool->arguments; at->name && !wrong; at++) {
		wrong = check_argument(at, json_object_get(arguments, at->name));
		name = at->name;
	}
	if (!wrong)
		json_object_foreach (arguments, name, value)
			if (!has_argument(tool, name)) {
				wrong = "is unknown";
				break;
			}
	/* a name that is cut could end within a character */
	if (name && strlen(name) > LONGEST_NAMED)
		name = "...";
	snprintf(server->wrong, sizeof(server->wrong), "the argument '%s' of %s %s",
		name ? name : "", tool->name, wrong ? wrong : "");
	return wrong ? server->wrong : NULL;
}

static json_t *call_tool(struct server *server, const json_t *params, const char **wrong_ret)
{
	const char *name = json_string_value(json_object_get(params, "name"));
	json_t *arguments = json_object_get(params, "arguments");
	for (size_t i = 0; name && i < TOOLS; i++) {
		if (strcmp(name, tools[i].name) != 0 || !is_offered(server, i))
			continue;
		*wrong_ret = arguments && !json_is_object(arguments)
				     ? "arguments must be a JSON object"
				     : check_arguments(server, &tools[i], arguments);
		return *wrong_ret ? NULL : answer_tool(server, &tools[i], arguments);
	}
	*wrong_ret = "there is no tool with this name: tools/list lists the tools";
	return NULL;
}

/* Returns the result of a method. On an error returns NULL, with an error code and a message. */
static json_t *call_method(struct server *server, const char *method, const json_t *params,
	int *code_ret, const char **wrong_ret)
{
	*code_ret = INVALID_ARGUMENTS;
	if (strcmp(method, "initialize") == 0)
		return initialize_mcp(params);
	if (strcmp(method, "ping") == 0)
		return json_object();
	if (strcmp(method, "tools/list") == 0)
		return list_mcp_tools(server);
	if (strcmp(method, "tools/call") == 0)
		return call_tool(server, params, wrong_ret);
	if (strcmp(method, "resources/list") == 0)
		return list_table_resources(server);
	if (strcmp(method, "resources/templates/list") == 0)
		return json_pack("{s:[]}", "resourceTemplates");
	if (strcmp(method, "resources/read") == 0) {
		*wrong_ret =
			"there is no resource with this uri: resources/list lists the resources";
		*code_ret = NO_RESOURCE;
		return read_resource(server, json_string_value(json_object_get(params, "uri")));
	}
	*wrong_ret = "the server has no method with this name";
	*code_ret = UNKNOWN_METHOD;
	return NULL;
}

/* Returns the answer to a request; NULL for a notification or an unexpected response. */
static json_t *answer_request(struct server *server, json_t *request)
{
	json_t *id = json_object_get(request, "id");
	const char *method = json_string_value(json_object_get(request, "method"));
	const char *version = json_string_value(json_object_get(request, "jsonrpc"));
	const char *wrong = NULL;
	int code;
	if (!method && (json_object_get(request, "result") || json_object_get(request, "error")))
		return NULL;
	if (id && !json_is_string(id) && !json_is_integer(id))
		return refuse_request(
			NULL, INVALID_REQUEST, "the message is not a request of JSON-RPC 2.0");
	if (!version || strcmp(version, "2.0") != 0 || !method)
		return refuse_request(
			id, INVALID_REQUEST, "the message is not a request of JSON-RPC 2.0");
	if (!id)
		return NULL;
	json_t *result =
		call_method(server, method, json_object_get(request, "params"), &code, &wrong);
	if (result)
		return json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result);
	return refuse_request(id, wrong ? code : INTERNAL_ERROR, wrong ? wrong : "out of memory");
}

static json_t *answer_message(struct server *server, json_t *message)
{
	if (!json_is_array(message) || json_array_size(message) == 0)
		return answer_request(server, message);
	json_t *answers = json_array(), *one;
	for (size_t i = 0; i < json_array_size(message) && !server->session->quit; i++)
		if ((one = answer_request(server, json_array_get(message, i))) != NULL)
			json_array_append_new(answers, one);
	if (json_array_size(answers) > 0)
		return answers;
	json_decref(answers);
	return NULL;
}

static void put_message(struct session *session, json_t *message)
{
	struct sink *to = &session->channels.out.sink;
	char *text = json_dumps(message, JSON_COMPACT | JSON_ENSURE_ASCII);
	if (text) {
		sink_write(to, text, strlen(text));
		sink_write(to, "\n", 1);
	}
	fflush(steady_output());
	free(text);
	json_decref(message);
}

static void serve_line(struct server *server, const char *line, uint64_t n)
{
	json_error_t why;
	json_t *message = n <= LONGEST_REQUEST
				  ? json_loadb(line, (size_t)n, JSON_REJECT_DUPLICATES, &why)
				  : NULL;
	json_t *answer =
		message ? answer_message(server, message)
			: refuse_request(NULL, PARSE_ERROR,
				  n > LONGEST_REQUEST
					  ? "the message has more than 1048576 bytes, the limit"
					  : why.text);
	if (answer)
		put_message(server->session, answer);
	json_decref(message);
}

void mcp_run(struct session *session)
{
	struct server server = {.session = session};
	char *line = malloc(LONGEST_REQUEST + 1);
	uint64_t n;
	while (line && !session->quit && !session->expected.tally.interrupted &&
		jsonl_read(line, &n)) {
		server.line++;
		if (n > 0 && strspn(line, " \t\r") < n)
			serve_line(&server, line, n);
	}
	session->expected.tally.status = line ? STATUS_OK : STATUS_BROKEN;
	for (size_t i = 0; i < ANSWERS; i++)
		free(server.answers[i].text);
	free(line);
}
