/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the option --interpreter=jsonl: requests and answers as lines of JSON. */
#include "src/front/jsonl.h"

#include "src/output/lines.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

struct request {
	json_t *whole;
	json_t *id; /* value of "id" in the request, which `whole` owns; NULL = none */
	const char *line;
};

static struct cs_error *read_request(const char *text, struct request *ret)
{
	json_error_t why;
	errno = 0;
	struct request request = {.whole = json_loads(text, JSON_REJECT_DUPLICATES, &why)};
	if (!request.whole && errno == ENOMEM)
		return cs_error_nomem();
	if (!request.whole)
		return cs_error_new(CS_E_JSON, "the request is not valid JSON at column %d: %s",
			why.column, why.text);
	request.id = json_object_get(request.whole, "id");
	request.line = json_string_value(json_object_get(request.whole, "cmd"));
	*ret = request;
	return request.line
		       ? NULL
		       : cs_error_new(CS_E_JSON,
				 "a request must be a JSON object with a text \"cmd\", the command, and an "
				 "\"id\" of your choice");
}

static void put_id(struct sink *to, json_t *id)
{
	char *text = id ? json_dumps(id, JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
	sink_text(to, "{\"id\":");
	sink_text(to, text ? text : "null");
	free(text);
}

/*
 * Returns the length of the first document in `text`. If the first line is a list of rows in JSON,
 * it is the document. Otherwise the document ends before the next such line.
 */
static size_t document_length(const char *text, size_t n, bool *is_list_ret)
{
	static const char list[] = JSON_LIST_BEGIN;
	size_t length = 0;
	for (bool is_list = false; length < n && !is_list;) {
		const char *line = text + length, *end = memchr(line, '\n', n - length);
		is_list = n - length > sizeof(list) && memcmp(line, list, sizeof(list) - 1) == 0;
		if (is_list && length > 0)
			break;
		*is_list_ret = is_list;
		length += end ? (size_t)(end - line) + 1 : n - length;
	}
	return length;
}

/* Prints a JSON document without its outer braces, or other text as a list with a row per line. */
static void put_document(struct sink *to, const char *text, size_t n, bool is_list)
{
	const char *before = "\"schema\":\"cellscope.text/1\",\"rows\":[{\"text\":";
	if (is_list) {
		sink_write(to, text + 1, n - 2 - (text[n - 1] == '\n'));
		return;
	}
	for (size_t at = 0; at < n;) {
		const char *end = memchr(text + at, '\n', n - at);
		const size_t length = end ? (size_t)(end - text) - at : n - at;
		sink_text(to, before);
		cs_text_put(text + at, length, CS_FORM_JSON, sink_put, to);
		before = "},{\"text\":";
		at += length + (end != NULL);
	}
	sink_text(to, "}]");
}

/*
 * Prints "id", "ok", "status", and the members of the first list of rows in `output`. If there are
 * more lists, because the request was a block of lines, they become the array "more".
 */
static void answer_rows(
	struct sink *to, json_t *id, enum status status, const char *output, size_t n)
{
	put_id(to, id);
	sink_text(to, ",\"ok\":true,\"status\":");
	sink_text(to, status == STATUS_OK ? "0" : "1");
	size_t lists = 0;
	for (size_t at = 0; at < n; lists++) {
		bool is_list = false;
		const size_t length = document_length(output + at, n - at, &is_list);
		sink_text(to, lists == 0 ? "," : lists == 1 ? ",\"more\":[{" : "},{");
		put_document(to, output + at, length, is_list);
		at += length;
	}
	sink_text(to, lists > 1 ? "}]}\n" : "}\n");
}

static void answer_error(struct sink *to, json_t *id, const struct cs_error *error)
{
	const char *file = error->file;
	char offset[40];
	put_id(to, id);
	sink_text(to, ",\"ok\":false,\"error\":{\"code\":\"");
	sink_text(to, cs_word(CS_WORDS_CODE, error->code)->name);
	sink_text(to, "\",\"message\":");
	cs_text_put(error->message, strlen(error->message), CS_FORM_JSON, sink_put, to);
	if (file) {
		sink_text(to, ",\"file\":");
		cs_text_put(file, strlen(file), CS_FORM_JSON, sink_put, to);
	}
	if (error->offset != CS_NO_OFFSET) {
		snprintf(offset, sizeof(offset), ",\"offset\":%llu",
			(unsigned long long)error->offset);
		sink_text(to, offset);
	}
	sink_text(to, "}}\n");
}

static void answer(struct session *session, const char *text)
{
	struct sink *to = &session->channels.out.sink;
	struct request request = {0};
	struct memory_sink memory;
	char *output = NULL;
	size_t n = 0;
	memory_sink_init(&memory);
	/* each answer reports the status of its own command only */
	session->expected.tally.status = STATUS_OK;
	struct cs_error *error = read_request(text, &request);
	if (!error)
		error = run_line(session, request.line, &memory.sink);
	error = cs_error_first(error, memory_sink_take(&memory, &output, &n));
	if (error)
		answer_error(to, request.id, error);
	else
		answer_rows(to, request.id, session->expected.tally.status, output, n);
	fflush(steady_output());
	cs_error_free(error);
	free(output);
	json_decref(request.whole);
}

bool jsonl_read(char line[LONGEST_REQUEST + 1], uint64_t *n_ret)
{
	uint64_t n = 0;
	int c;
	while ((c = getc(stdin)) != EOF && c != '\n') {
		if (n < LONGEST_REQUEST)
			line[n] = (char)c;
		n++;
	}
	line[n < LONGEST_REQUEST ? n : LONGEST_REQUEST] = '\0';
	*n_ret = n;
	return n > 0 || c == '\n';
}

static void jsonl_refuse(struct session *session, struct cs_error *error)
{
	answer_error(&session->channels.out.sink, NULL, error);
	fflush(steady_output());
	cs_error_free(error);
}

void jsonl_run(struct session *session)
{
	char *line = malloc(LONGEST_REQUEST + 1);
	uint64_t n;
	if (!line)
		jsonl_refuse(session, cs_error_nomem());
	session->channels.compact = true;
	session_apply(session, SETTING_OUTPUT, FORMAT_JSON);
	while (line && !session->quit && !session->bounds.timed_out &&
		!session->expected.tally.interrupted && jsonl_read(line, &n)) {
		if (n > LONGEST_REQUEST)
			jsonl_refuse(session, cs_error_new(CS_E_LIMIT,
						      "the request has %" PRIu64
						      " bytes, more than the limit of %d",
						      n, LONGEST_REQUEST));
		else if (line[strspn(line, " \t\r")] != '\0')
			answer(session, line);
	}
	session->expected.tally.status = session->bounds.timed_out ? STATUS_FAILED : STATUS_OK;
	free(line);
}
