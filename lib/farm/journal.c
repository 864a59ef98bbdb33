/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes and reads the journal of a farm plan, a file to which all hosts append a line for each
 * change of a step's state. On a local file system a line is short enough to be appended whole by
 * one write. On a network file system lines of several hosts may be mixed up; such a line is not
 * JSON and is skipped.
 */
#include "farm/journal.h"

#include "core/job.h"
#include "core/json.h"
#include "core/text.h"
#include "farm/cache.h"
#include "format/byte_source.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const char *const state_names[CS_FARM_STATES] = {
	"waiting", "running", "hit", "done", "failed", "skipped"};

static char *journal_path_of(const struct cs_farm_plan *plan, const struct cs_farm_cache *cache)
{
	char key[CS_FARM_KEY_TEXT];
	cs_farm_key_format(cs_farm_plan_key(plan), key);
	return farm_print("%s/runs/%s.jsonl", cache->folder, key);
}

/* Stores the name of this machine; '_' replaces characters that JSON would escape. */
static void journal_host(char ret[FARM_HOST])
{
	snprintf(ret, FARM_HOST, "host");
	gethostname(ret, FARM_HOST - 1);
	for (char *at = ret; *at; at++)
		if (*at == '"' || *at == '\\' || (unsigned char)*at < ' ')
			*at = '_';
}

void farm_journal_open(const struct cs_farm_plan *plan, const struct cs_farm_cache *cache,
	struct farm_journal *ret)
{
	*ret = (struct farm_journal){.fd = -1};
	journal_host(ret->host);
	char *path = journal_path_of(plan, cache);
	if (!path)
		return;
	cs_error_free(farm_make_folder_of(path));
	ret->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	free(path);
}

void farm_journal_note(struct farm_journal *journal, uint32_t step, enum cs_farm_state state,
	int status, double seconds)
{
	char line[256];
	if (journal->fd < 0)
		return;
	int n = cs_format_c(line, sizeof(line),
		"{\"step\":%u,\"state\":\"%s\",\"status\":%d,\"seconds\":%.6f,\"host\":\"%s\","
		"\"pid\":%ld}\n",
		step, state_names[state], status, seconds, journal->host, (long)getpid());
	if (n > 0 && (size_t)n < sizeof(line) && write(journal->fd, line, (size_t)n) != n)
		/* the disk is full: close the journal, and continue the run */
		journal->fd = (close(journal->fd), -1);
}

void farm_journal_close(struct farm_journal *journal)
{
	if (journal->fd >= 0)
		close(journal->fd);
	journal->fd = -1;
}

/* ---- reading the journal ---- */

/* Sets a step's outcome from a line. The status of a step that runs on `host` is its process id. */
static bool journal_take_line(const char *line, size_t n, const char *host, size_t n_steps,
	struct cs_farm_outcome *outcomes)
{
	json_error_t why;
	bool no_memory;
	json_t *json = cs_json_parse(line, n, 0, &why, &no_memory);
	const char *name = json_string_value(json_object_get(json, "state"));
	json_int_t step = json_integer_value(json_object_get(json, "step"));
	for (int state = 0; name && state < CS_FARM_STATES; state++) {
		if (strcmp(name, state_names[state]) != 0 || step < 0 || (size_t)step >= n_steps)
			continue;
		struct cs_farm_outcome *outcome = &outcomes[step];
		double seconds = json_number_value(json_object_get(json, "seconds"));
		outcome->state = (enum cs_farm_state)state;
		const char *its = json_string_value(json_object_get(json, "host"));
		const bool is_here = state == CS_FARM_RUNNING && its && strcmp(its, host) == 0;
		outcome->status =
			(int)json_integer_value(json_object_get(json, is_here ? "pid" : "status"));
		if (seconds > 0)
			outcome->seconds = seconds;
	}
	json_decref(json);
	return !no_memory;
}

/* Sets running steps whose process no longer exists to waiting, with a message as output. */
static struct cs_error *journal_find_gone(struct cs_farm_outcome *outcomes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct cs_farm_outcome *outcome = &outcomes[i];
		const int pid = outcome->status;
		if (outcome->state != CS_FARM_RUNNING)
			continue;
		outcome->status = 0;
		if (pid <= 0 || kill(pid, 0) == 0 || errno != ESRCH)
			continue;
		outcome->state = CS_FARM_WAITING;
		if (asprintf(&outcome->output,
			    "process %d, which ran the step, is gone: `farm run` runs it again",
			    pid) < 0) {
			outcome->output = NULL;
			return cs_error_nomem();
		}
	}
	return NULL;
}

struct cs_error *farm_journal_read(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_job *job,
	struct cs_farm_outcome *outcomes)
{
	unsigned char *bytes;
	size_t size;
	char host[FARM_HOST], *path = journal_path_of(plan, cache);
	if (!path)
		return cs_error_nomem();
	journal_host(host);
	struct cs_error *error = cs_read_whole(path, cs_job_limits(job).file_bytes, &bytes, &size);
	free(path);
	if (error && error->code == CS_E_NOFILE) {
		cs_error_free(error);
		return NULL;
	}
	if (error)
		return error;
	const char *line = (const char *)bytes, *end = line + size;
	while (line < end && !error) {
		const char *next = memchr(line, '\n', (size_t)(end - line));
		size_t n = (size_t)((next ? next : end) - line);
		if (!journal_take_line(line, n, host, plan->steps.n, outcomes))
			error = cs_error_nomem();
		line = next ? next + 1 : end;
	}
	free(bytes);
	return error ? error : journal_find_gone(outcomes, plan->steps.n);
}
