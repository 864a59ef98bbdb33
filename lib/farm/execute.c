/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: one step from its words to its entry in the cache. Paths of the work folder differ from run
 * to run, so they are taken out of what a step says before that is kept.
 */
#include "farm/execute.h"

#include "base/job.h"
#include "base/parallel.h"
#include "farm/cache.h"
#include "file/byte_source.h"

#include <cellscope/file.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- the work folder ---- */

static void remove_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return;
	struct dirent *entry;
	while ((entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	rmdir(folder);
}

/* Folders of runs of this host that have died. */
static void sweep(const char *work, const char *host)
{
	DIR *dir = opendir(work);
	if (!dir)
		return;
	struct dirent *entry;
	size_t n = strlen(host);
	while ((entry = readdir(dir))) {
		char *path;
		if (strncmp(entry->d_name, host, n) != 0 || entry->d_name[n] != '-')
			continue;
		long pid = strtol(entry->d_name + n + 1, NULL, 10);
		if (pid <= 0 || kill((pid_t)pid, 0) == 0 || errno != ESRCH)
			continue;
		if (asprintf(&path, "%s/%s", work, entry->d_name) >= 0) {
			remove_folder(path);
			free(path);
		}
	}
	closedir(dir);
}

static char *own_program(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	return n > 0 ? strndup(path, (size_t)n) : NULL;
}

struct cs_error *farm_workshop_open(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_farm_run_options *options,
	const struct cs_job *job, struct farm_workshop *ret)
{
	char host[HOST_NAME_MAX + 1] = "host", *work;
	gethostname(host, sizeof(host));
	*ret = (struct farm_workshop){plan, cache, options, job, NULL, NULL};
	ret->program = options->program ? strdup(options->program) : own_program();
	if (!ret->program || asprintf(&work, "%s/work", cache->folder) < 0) {
		farm_workshop_close(ret);
		return cs_error_nomem();
	}
	sweep(work, host);
	int n = asprintf(&ret->folder, "%s/%s-%ld", work, host, (long)getpid());
	free(work);
	if (n < 0) {
		ret->folder = NULL;
		farm_workshop_close(ret);
		return cs_error_nomem();
	}
	struct cs_error *error = farm_make_folder(ret->folder);
	char *whole = error ? NULL : realpath(ret->folder, NULL); /* steps run in the root */
	if (!error && !whole)
		error = cs_error_errno(errno, ret->folder, "find the folder");
	free(ret->folder);
	ret->folder = whole;
	if (error)
		farm_workshop_close(ret);
	return error;
}

void farm_workshop_close(struct farm_workshop *workshop)
{
	if (workshop->folder)
		remove_folder(workshop->folder);
	free(workshop->folder);
	free(workshop->program);
	workshop->folder = workshop->program = NULL;
}

/* ---- words ---- */

/* FOLDER/KEY.cworld: the file of a step's result while a run needs it. */
static char *result_path(const struct farm_workshop *workshop, const struct farm_step *step)
{
	char key[CS_FARM_KEY_TEXT], *path;
	cs_farm_key_format(step->key, key);
	return asprintf(&path, "%s/%s%s", workshop->folder, key, farm_verbs[step->verb].suffix) < 0
		       ? NULL
		       : path;
}

struct words {
	CS_VEC(char *) at; /* owned; closed by NULL */
};

/* Takes the text over. */
static bool add(struct words *words, char *text)
{
	if (text && cs_vec_push(&words->at, text))
		return true;
	free(text);
	return false;
}

static bool add_copy(struct words *words, const char *text)
{
	return add(words, strdup(text));
}

static bool add_limits(struct words *words, const struct cs_farm_run_options *options)
{
	char text[64];
	bool good = true;
	if (options->memory) {
		snprintf(text, sizeof(text), "--max-mem=%llu",
			(unsigned long long)(options->memory >> 20));
		good = add_copy(words, text);
	}
	if (good && options->timeout > 0) {
		snprintf(text, sizeof(text), "--timeout=%g", options->timeout);
		good = add_copy(words, text);
	}
	return good;
}

/*
 * Steps that run side by side divide the processors that the job may use; what a step's own words
 * say of threads comes later and wins. No part of a key: no result depends on the number of
 * threads.
 */
static bool add_threads(struct words *words, const struct farm_workshop *workshop)
{
	unsigned processors = (unsigned)cs_parallel_threads(cs_job_threads(workshop->job));
	unsigned slots = workshop->options->slots ? workshop->options->slots : processors;
	char text[24];
	snprintf(text, sizeof(text), "-j%u", slots < processors ? processors / slots : 1);
	return add_copy(words, text);
}

/* "nanite build" is two words; "run WORLD SCRIPT" is the program with a world and a script. */
static bool add_verb(struct words *words, const struct farm_step *step)
{
	const char *name = farm_verbs[step->verb].name, *blank = strchr(name, ' ');
	if (step->verb == FARM_RUN)
		return add_copy(words, "--safe") && add_copy(words, "--tap");
	if (!blank)
		return add_copy(words, name);
	return add(words, strndup(name, (size_t)(blank - name))) && add_copy(words, blank + 1);
}

static bool add_word(struct words *words, const struct farm_workshop *workshop,
	const struct farm_step *step, uint32_t index)
{
	const struct cs_farm_plan *plan = workshop->plan;
	struct farm_word word = plan->words.at[step->first_word + index];
	if (step->verb == FARM_RUN && index == 1 && !add_copy(words, "-x"))
		return false;
	if (word.kind == FARM_WORD_TEXT)
		return add_copy(words, farm_text(plan, word.value));
	if (word.kind == FARM_WORD_INPUT)
		return add_copy(words, farm_text(plan, plan->inputs.at[word.value].path));
	return add(words, result_path(workshop, &plan->steps.at[word.value]));
}

static bool words_of(
	const struct farm_workshop *workshop, const struct farm_step *step, struct words *ret)
{
	bool good = add_copy(ret, workshop->program) && add_limits(ret, workshop->options) &&
		    add_threads(ret, workshop) && add_verb(ret, step);
	for (uint32_t i = 0; i < step->n_words && good; i++)
		good = add_word(ret, workshop, step, i);
	if (good && *farm_verbs[step->verb].suffix)
		good = add_copy(ret, "-o") && add(ret, result_path(workshop, step));
	return good && cs_vec_push(&ret->at, NULL);
}

static void words_deinit(struct words *words)
{
	for (size_t i = 0; i < words->at.n; i++)
		free(words->at.at[i]);
	cs_vec_free(&words->at);
}

/* ---- what a step needs ---- */

static struct cs_error *take_out(const struct farm_workshop *workshop, uint32_t need)
{
	const struct farm_step *step = &workshop->plan->steps.at[need];
	struct cs_farm_result result;
	bool found;
	char *path = result_path(workshop, step);
	if (!path)
		return cs_error_nomem();
	if (access(path, R_OK) == 0) {
		free(path);
		return NULL;
	}
	struct cs_error *error =
		cs_farm_cache_get(workshop->cache, step->key, workshop->job, &result, &found);
	if (!error && !found)
		error = cs_error_new(CS_E_FARM,
			"the result of step %u, which it needs, is not in "
			"the cache",
			need);
	if (!error) {
		error = cs_save_whole(path, result.bytes, result.size);
		cs_farm_result_deinit(&result);
	}
	free(path);
	return error;
}

/* ---- the child ---- */

static int arrange(posix_spawn_file_actions_t *actions, const char *root, int said)
{
	int status = posix_spawn_file_actions_addchdir_np(actions, root);
	if (status == 0)
		status = posix_spawn_file_actions_addopen(
			actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (status == 0)
		status = posix_spawn_file_actions_adddup2(actions, said, STDOUT_FILENO);
	if (status == 0)
		status = posix_spawn_file_actions_adddup2(actions, said, STDERR_FILENO);
	return status;
}

static int spawn(const char *root, char *const *argv, int said, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	if (posix_spawn_file_actions_init(&actions) != 0)
		return ENOMEM;
	int status = arrange(&actions, root, said);
	if (status == 0)
		status = posix_spawn(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return status;
}

static struct cs_error *launch(
	struct farm_workshop *workshop, struct farm_child *child, char *const *argv)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return cs_error_errno(errno, workshop->program, "make a pipe");
	int status =
		spawn(farm_text(workshop->plan, workshop->plan->root), argv, ends[1], &child->pid);
	close(ends[1]);
	if (status != 0) {
		close(ends[0]);
		return cs_error_errno(status, workshop->program, "start");
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	child->said_fd = ends[0];
	child->said.n = 0;
	child->began = cs_seconds();
	child->tries++;
	return NULL;
}

struct cs_error *farm_child_start(struct farm_workshop *workshop, struct farm_child *child)
{
	const struct farm_step *step = &workshop->plan->steps.at[child->step];
	struct words words = {{0}};
	struct cs_error *error = NULL;
	for (uint32_t i = 0; i < step->n_needs && !error; i++)
		error = take_out(workshop, workshop->plan->needs.at[step->first_need + i]);
	if (!error && !words_of(workshop, step, &words))
		error = cs_error_nomem();
	if (!error)
		error = launch(workshop, child, words.at.at);
	words_deinit(&words);
	return error;
}

bool farm_child_listen(struct farm_child *child)
{
	char piece[4096];
	for (;;) {
		ssize_t n = read(child->said_fd, piece, sizeof(piece));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 && errno == EAGAIN;
		size_t room = FARM_SAID - child->said.n;
		size_t kept = (size_t)n < room ? (size_t)n : room;
		if (!cs_vec_append(&child->said, piece, kept))
			child->said.n = 0; /* no memory: what it said is lost, not the step */
	}
}

void farm_child_kill(struct farm_child *child)
{
	int status;
	if (child->said_fd < 0)
		return;
	kill(child->pid, SIGKILL);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	close(child->said_fd);
	child->said_fd = -1;
}

/* ---- its result ---- */

/* Every "FOLDER/" in what was said goes. */
static void take_out_paths(struct farm_child *child, const char *folder)
{
	size_t n = strlen(folder), to = 0;
	for (size_t from = 0; from < child->said.n;) {
		const char *at = child->said.at + from;
		if (child->said.n - from > n && memcmp(at, folder, n) == 0 && at[n] == '/')
			from += n + 1;
		else
			child->said.at[to++] = child->said.at[from++];
	}
	child->said.n = to;
}

static struct cs_error *keep(struct farm_workshop *workshop, struct farm_child *child, int status)
{
	const struct farm_step *step = &workshop->plan->steps.at[child->step];
	struct cs_farm_result result = {.status = status};
	if (!*farm_verbs[step->verb].suffix) {
		result.bytes = (unsigned char *)child->said.at;
		result.size = child->said.n;
		return cs_farm_cache_put(workshop->cache, step->key, &result);
	}
	char *path = result_path(workshop, step);
	if (!path)
		return cs_error_nomem();
	struct cs_error *error = cs_read_whole(
		path, cs_job_limits(workshop->job).file_bytes, &result.bytes, &result.size);
	if (!error) {
		error = cs_farm_cache_put(workshop->cache, step->key, &result);
		cs_farm_result_deinit(&result);
	}
	free(path);
	return error;
}

/* 0 and 1 are results, and for a maker 0 alone. */
static bool is_result(const struct farm_step *step, int status)
{
	return status == 0 || (status == 1 && !*farm_verbs[step->verb].suffix);
}

static void tell_failure(struct farm_child *child, struct cs_farm_outcome *to)
{
	if (cs_vec_push(&child->said, '\0')) {
		to->output = child->said.at;
		memset(&child->said, 0, sizeof(child->said));
	}
}

struct cs_error *farm_child_finish(struct farm_workshop *workshop, struct farm_child *child,
	struct cs_farm_outcome *ret, bool *again_ret)
{
	enum { OURS = 99 };
	int status;
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	close(child->said_fd);
	child->said_fd = -1;
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	const struct farm_step *step = &workshop->plan->steps.at[child->step];
	*ret = (struct cs_farm_outcome){
		.state = CS_FARM_DONE, .status = code, .seconds = cs_seconds() - child->began};
	*again_ret = code >= OURS && child->tries < FARM_TRIES;
	if (*again_ret)
		return NULL;
	take_out_paths(child, workshop->folder);
	struct cs_error *error = NULL;
	if (is_result(step, code))
		error = keep(workshop, child, code);
	else
		ret->state = CS_FARM_FAILED;
	ret->said_no = code == 1 && ret->state == CS_FARM_DONE;
	if (ret->state == CS_FARM_FAILED || ret->said_no)
		tell_failure(child, ret);
	return error;
}
