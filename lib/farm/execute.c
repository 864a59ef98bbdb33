/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs one step, from its words to its entry in the cache. Paths in the work folder differ between
 * runs, so they are removed from the output of a step before it is stored.
 *
 * Invariant: an entry depends only on what its key covers. The inputs have the planned content when
 * the step begins, and have not been written when it ends. Meanwhile the step can open only these,
 * the results that it needs, and files of the system (core/cage.h), and can write only to its own
 * folder.
 */
#include "farm/execute.h"

#include "core/cage.h"
#include "core/job.h"
#include "core/parallel.h"
#include "farm/cache.h"
#include "farm/digests.h"
#include "format/byte_source.h"
#include "format/owner.h"

#include <cellscope/core.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- work folder of a run ---- */

/* Removes a folder with its content, down to `depth` levels. Does not follow links. */
static void remove_below(int at, const char *name, int depth)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (unlinkat(fd, entry->d_name, 0) < 0 && depth > 0)
			remove_below(fd, entry->d_name, depth - 1);
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	unlinkat(at, name, AT_REMOVEDIR);
}

enum { DEEPEST = 4 };

#define LOCK ".lock"

/* Removes work folders of killed runs: those whose lock no process on this machine holds. */
static void execute_sweep(const char *work)
{
	DIR *dir = opendir(work);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		char name[CS_OWNER_NAME] = "";
		size_t n = strlen(entry->d_name), end = strlen(LOCK);
		int fd;
		if (n != CS_OWNER_NAME - 1 + end || strcmp(entry->d_name + n - end, LOCK) != 0)
			continue;
		memcpy(name, entry->d_name, n - end);
		if (!cs_owner_is_here(name) || !cs_owner_is_gone(dirfd(dir), entry->d_name, &fd))
			continue;
		remove_below(dirfd(dir), name, DEEPEST);
		/* a step that outlives its run may have written since: the next run tries again */
		if (faccessat(dirfd(dir), name, F_OK, 0) < 0)
			unlinkat(dirfd(dir), entry->d_name, 0);
		close(fd);
	}
	if (dir)
		closedir(dir);
}

static char *own_program(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	return n > 0 ? strndup(path, (size_t)n) : NULL;
}

/* Creates the work folder WORK/OWNER and its lock file. */
static struct cs_error *make_work(const char *work, struct farm_workshop *ret)
{
	char name[CS_OWNER_NAME], *lock = NULL;
	struct cs_error *error = farm_make_folder(work);
	/* absolute path, because steps run in the root of the plan */
	char *whole = error ? NULL : realpath(work, NULL);
	if (!error && !whole)
		error = cs_error_errno(errno, work, "find the work folder");
	while (!error && ret->lock < 0) {
		free(lock);
		free(ret->folder);
		cs_owner_name(name);
		ret->folder = farm_print("%s/%s", whole, name);
		lock = farm_print("%s/%s" LOCK, whole, name);
		if (!lock || !ret->folder)
			error = cs_error_nomem();
		else if ((ret->lock = cs_owner_create(lock, 0666)) < 0 && errno != EEXIST)
			error = cs_error_errno(errno, lock, "create");
	}
	if (!error && mkdir(ret->folder, 0777) < 0)
		error = cs_error_errno(errno, ret->folder, "make the folder");
	free(lock);
	free(whole);
	return error;
}

/* Checks that this program made the plan; another one would store results under wrong keys. */
static struct cs_error *execute_check_code(const struct farm_workshop *workshop)
{
	const struct cs_farm_plan *plan = workshop->plan;
	struct cs_farm_key own = farm_code(), importer = plan->importer;
	if (importer.high | importer.low)
		importer = farm_importer_code();
	if (workshop->options->program ||
		(own.high == plan->code.high && own.low == plan->code.low &&
			importer.high == plan->importer.high && importer.low == plan->importer.low))
		return NULL;
	return cs_error_new(CS_E_FARM,
		"the plan was made by another build of cellscope or its libraries: make it again "
		"with `farm plan`");
}

struct cs_error *farm_workshop_open(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_farm_run_options *options,
	const struct cs_job *job, struct farm_workshop *ret)
{
	char *work = farm_print("%s/work", cache->folder);
	*ret = (struct farm_workshop){
		.plan = plan, .cache = cache, .options = options, .job = job, .lock = -1};
	struct cs_error *error = execute_check_code(ret);
	if (!error) {
		ret->program = options->program ? strdup(options->program) : own_program();
		ret->looks = calloc(plan->inputs.n + 1, sizeof(*ret->looks));
		if (!ret->program || !ret->looks || !work)
			error = cs_error_nomem();
	}
	if (!error) {
		execute_sweep(work);
		error = make_work(work, ret);
	}
	if (!error) {
		error = farm_digests_open(cache->folder, &ret->digests);
	}
	if (!error && !options->unconfined) {
		struct cs_cage cage;
		ret->confined = cs_cage_open(&cage);
		cs_cage_close(&cage);
		if (!ret->confined)
			cs_job_log(job, CS_LOG_WARNING,
				"the kernel does not support Landlock, so steps can read files "
				"that the plan does not name");
	}
	free(work);
	if (error)
		farm_workshop_close(ret);
	return error;
}

void farm_workshop_close(struct farm_workshop *workshop)
{
	if (workshop->lock >= 0) {
		remove_below(AT_FDCWD, workshop->folder, DEEPEST);
		char *lock = farm_print("%s" LOCK, workshop->folder);
		if (lock)
			unlink(lock);
		free(lock);
		close(workshop->lock);
	}
	free(workshop->folder);
	free(workshop->program);
	free(workshop->looks);
	farm_digests_close(workshop->digests);
	*workshop = (struct farm_workshop){.lock = -1};
}

/* ---- command line of a step ---- */

char *farm_own_folder(const struct farm_workshop *workshop, uint32_t step)
{
	return farm_print("%s/%u", workshop->folder, step);
}

/* Returns FOLDER/STEP/KEY.SUFFIX, the file that a step writes. The caller frees it. */
static char *made_path(const struct farm_workshop *workshop, uint32_t index)
{
	char key[CS_FARM_KEY_TEXT];
	const struct farm_step *step = &workshop->plan->steps.at[index];
	cs_farm_key_format(step->key, key);
	return farm_print(
		"%s/%u/%s%s", workshop->folder, index, key, farm_verbs[step->verb].suffix);
}

char *farm_result_path(const struct farm_workshop *workshop, const struct farm_step *step)
{
	char key[CS_FARM_KEY_TEXT];
	cs_farm_key_format(step->key, key);
	return farm_print("%s/%s%s", workshop->folder, key, farm_verbs[step->verb].suffix);
}

struct words {
	CS_VEC(char *) at; /* arguments of the process, owned; the last is NULL */
};

/* Appends `text` and takes ownership of it. Returns false if `text` is NULL or memory runs out. */
static bool execute_add(struct words *words, char *text)
{
	if (text && cs_vec_push(&words->at, text))
		return true;
	free(text);
	return false;
}

static bool add_copy(struct words *words, const char *text)
{
	return execute_add(words, strdup(text));
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
 * Appends the option for the number of threads of the job; a later option among the words of the
 * step overrides it. It is not part of the key, because no result depends on it.
 */
static bool add_threads(struct words *words, const struct farm_workshop *workshop)
{
	char text[24];
	snprintf(text, sizeof(text), "-j%d", cs_parallel_threads(cs_job_threads(workshop->job)));
	return add_copy(words, text);
}

/* Appends the words of the step's command; FARM_RUN takes options instead of a command. */
static bool add_verb(struct words *words, const struct farm_step *step)
{
	const char *name = farm_verbs[step->verb].name, *blank = strchr(name, ' ');
	if (step->verb == FARM_RUN)
		return add_copy(words, "--safe") && add_copy(words, "--tap");
	if (!blank)
		return add_copy(words, name);
	return execute_add(words, strndup(name, (size_t)(blank - name))) &&
	       add_copy(words, blank + 1);
}

static bool execute_add_word(struct words *words, const struct farm_workshop *workshop,
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
	return execute_add(words, farm_result_path(workshop, &plan->steps.at[word.value]));
}

static bool execute_words_of(
	const struct farm_workshop *workshop, uint32_t index, struct words *ret)
{
	const struct farm_step *step = &workshop->plan->steps.at[index];
	bool good = add_copy(ret, workshop->program) && add_limits(ret, workshop->options) &&
		    add_threads(ret, workshop) && add_verb(ret, step);
	for (uint32_t i = 0; i < step->n_words && good; i++)
		good = execute_add_word(ret, workshop, step, i);
	if (good && *farm_verbs[step->verb].suffix)
		good = add_copy(ret, "-o") && execute_add(ret, made_path(workshop, index));
	return good && cs_vec_push(&ret->at, NULL);
}

/* ---- inputs that a step reads ---- */

static struct cs_error *take_out(const struct farm_workshop *workshop, uint32_t need)
{
	const struct farm_step *step = &workshop->plan->steps.at[need];
	struct cs_farm_result result;
	bool found;
	char *path = farm_result_path(workshop, step);
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
			"the result of step %u, which this step needs, is not in the cache: run "
			"`farm step PLAN %u` first",
			farm_step_id(workshop->plan, need), farm_step_id(workshop->plan, need));
	if (!error) {
		error = cs_save_whole(path, result.bytes, result.size);
		cs_farm_result_deinit(&result);
	}
	free(path);
	return error;
}

/*
 * When a step begins, checks that an input has the content for which the key was computed; when it
 * has ended (`ended`), that the input has not been written meanwhile. The content is read only if
 * the file's status has changed.
 */
static struct cs_error *check_input(struct farm_workshop *workshop, uint32_t index, bool ended)
{
	const struct cs_farm_plan *plan = workshop->plan;
	struct farm_input input = plan->inputs.at[index];
	struct farm_look *look = &workshop->looks[index];
	struct cs_farm_key stamp;
	struct cs_error *error = farm_stamp_input(plan, &input, workshop->job, &stamp);
	if (error)
		return error;
	if (look->looked && look->stamp.high == stamp.high && look->stamp.low == stamp.low)
		return NULL;
	if (!ended) {
		error = farm_hash_input(plan, &input, workshop->digests, workshop->job);
		if (error)
			return error;
		*look = (struct farm_look){true, stamp};
		const struct cs_farm_key *was = &plan->inputs.at[index].content;
		if (input.content.high == was->high && input.content.low == was->low)
			return NULL;
		look->looked = false;
	}
	return cs_error_at(CS_E_FARM, farm_text(plan, input.path), CS_NO_OFFSET,
		ended ? "the file was written while the step read it, so the result of the step "
			"is not stored: `farm run` runs the step again"
		      : "the file has changed since the plan was made: make the plan again with "
			"`farm plan`");
}

static struct cs_error *execute_check_inputs(
	struct farm_workshop *workshop, uint32_t index, bool ended)
{
	const struct farm_step *step = &workshop->plan->steps.at[index];
	struct cs_error *error = NULL;
	for (uint32_t i = 0; i < step->n_reads && !error; i++)
		error = check_input(
			workshop, workshop->plan->reads.at[step->first_read + i], ended);
	return error;
}

static struct cs_error *make_own_folder(const struct farm_workshop *workshop, uint32_t step)
{
	char *folder = farm_own_folder(workshop, step);
	if (!folder)
		return cs_error_nomem();
	struct cs_error *error =
		mkdir(folder, 0777) < 0 ? cs_error_errno(errno, folder, "make the folder") : NULL;
	free(folder);
	return error;
}

static struct cs_error *start_child(struct farm_workshop *workshop, struct farm_child *child)
{
	const struct farm_step *step = &workshop->plan->steps.at[child->step];
	struct words words = {{0}};
	struct cs_error *error = execute_check_inputs(workshop, child->step, false);
	for (uint32_t i = 0; i < step->n_needs && !error; i++)
		error = take_out(workshop, workshop->plan->needs.at[step->first_need + i]);
	if (!error)
		error = make_own_folder(workshop, child->step);
	if (!error && !execute_words_of(workshop, child->step, &words))
		error = cs_error_nomem();
	if (!error)
		error = farm_launch(workshop, child, words.at.at);
	for (size_t i = 0; i < words.at.n; i++)
		free(words.at.at[i]);
	cs_vec_free(&words.at);
	return error;
}

/* Reads the available output of the child. Returns false when the child has closed its output. */
static bool listen_to_child(struct farm_child *child)
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
			/* no memory: the output is dropped, but the result remains valid */
			child->said.n = 0;
	}
}

/* Waits for the end of the child, and returns its status as waitpid() does. */
static int end_of_child(struct farm_child *child)
{
	int status;
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	close(child->said_fd);
	child->said_fd = -1;
	return status;
}

/* ---- result of a step ---- */

/* Removes every "FOLDER/" from the output, because the path differs between runs. */
static void take_out_path(struct farm_child *child, const char *folder)
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

static struct cs_error *take_out_paths(struct farm_workshop *workshop, struct farm_child *child)
{
	char *own = farm_own_folder(workshop, child->step);
	if (!own)
		return cs_error_nomem();
	take_out_path(child, own);
	take_out_path(child, workshop->folder);
	free(own);
	return NULL;
}

static struct cs_error *keep_file(struct farm_workshop *workshop, const struct farm_step *step,
	const char *made, struct cs_farm_result *result)
{
	struct cs_error *error = cs_read_whole(
		made, cs_job_limits(workshop->job).file_bytes, &result->bytes, &result->size);
	if (error)
		return error;
	error = cs_farm_cache_put(workshop->cache, step->key, result, workshop->job);
	cs_farm_result_deinit(result);
	char *path = error ? NULL : farm_result_path(workshop, step);
	if (path)
		/* moves the file to the work folder; if that fails, steps read it from the cache */
		rename(made, path);
	free(path);
	return error;
}

static struct cs_error *execute_keep(
	struct farm_workshop *workshop, struct farm_child *child, int status)
{
	const struct farm_step *step = &workshop->plan->steps.at[child->step];
	struct cs_farm_result result = {.status = status};
	struct cs_error *error = execute_check_inputs(workshop, child->step, true);
	if (error)
		return error;
	if (!*farm_verbs[step->verb].suffix) {
		result.bytes = (unsigned char *)child->said.at;
		result.size = child->said.n;
		return cs_farm_cache_put(workshop->cache, step->key, &result, workshop->job);
	}
	char *made = made_path(workshop, child->step);
	error = made ? keep_file(workshop, step, made, &result) : cs_error_nomem();
	free(made);
	return error;
}

/* Returns whether a status is a result: 0, or 1 (answer "no") of a step that writes no file. */
static bool is_result(const struct farm_step *step, int status)
{
	return status == 0 || (status == 1 && !*farm_verbs[step->verb].suffix);
}

/* Returns whether an error, such as a full disk or a changed input, fails only its own step. */
static bool error_fails_step(const struct cs_error *error)
{
	enum cs_code code = error->code;
	return code != CS_E_NOMEM && code != CS_E_INTERRUPTED;
}

/* Makes the outcome of a step that fails with this error, and frees the error. */
static void outcome_of_error(struct cs_error *error, struct cs_farm_outcome *ret)
{
	enum { NAMED = 3 }; /* exit status of the program after it has printed an error */
	const char *file = error->file;
	*ret = (struct cs_farm_outcome){.state = CS_FARM_FAILED,
		.status = NAMED,
		.output = farm_print("%s%s%s", file ? file : "", file ? ": " : "", error->message)};
	cs_error_free(error);
}

static void execute_tell_failure(struct farm_child *child, struct cs_farm_outcome *to)
{
	if (cs_vec_push(&child->said, '\0')) {
		to->output = child->said.at;
		memset(&child->said, 0, sizeof(child->said));
	}
}

/* Waits for the child to end, determines the outcome of its step, and caches the result. */
static struct cs_error *finish_child(
	struct farm_workshop *workshop, struct farm_child *child, struct cs_farm_outcome *ret)
{
	const int status = end_of_child(child);
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	const struct farm_step *step = &workshop->plan->steps.at[child->step];
	*ret = (struct cs_farm_outcome){
		.state = CS_FARM_DONE, .status = code, .seconds = cs_seconds() - child->began};
	struct cs_error *error = take_out_paths(workshop, child);
	if (!error && is_result(step, code))
		error = execute_keep(workshop, child, code);
	else
		ret->state = CS_FARM_FAILED;
	if (error)
		return error;
	ret->said_no = code == 1 && ret->state == CS_FARM_DONE;
	if (ret->state == CS_FARM_FAILED || ret->said_no)
		execute_tell_failure(child, ret);
	return NULL;
}

/* ---- running a step ---- */

/* Waits until the child closes its output. Kills it if it runs twice as long as its time limit. */
static struct cs_error *wait_for_child(
	const struct farm_workshop *workshop, struct farm_child *child)
{
	enum { TICK = 200 }; /* milliseconds between checks of the clock and for interruption */
	double timeout = workshop->options->timeout;
	for (;;) {
		struct pollfd end = {child->said_fd, POLLIN, 0};
		if (poll(&end, 1, TICK) > 0 && !listen_to_child(child))
			return NULL;
		if (timeout > 0 && cs_seconds() - child->began > 2 * timeout + 1)
			kill(child->pid, SIGKILL);
		struct cs_error *error = cs_job_check(workshop->job);
		if (error)
			return error;
	}
}

struct cs_error *farm_execute(
	struct farm_workshop *workshop, uint32_t step, struct cs_farm_outcome *ret)
{
	struct farm_child child = {.step = step, .said_fd = -1};
	struct cs_error *error = start_child(workshop, &child);
	if (!error)
		error = wait_for_child(workshop, &child);
	if (!error)
		error = finish_child(workshop, &child, ret);
	if (child.said_fd >= 0) {
		kill(child.pid, SIGKILL);
		end_of_child(&child);
	}
	cs_vec_free(&child.said);
	if (!error || !error_fails_step(error))
		return error;
	outcome_of_error(error, ret);
	return NULL;
}
