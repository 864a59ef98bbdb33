/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts the process of a step. It is spawned from a thread that Landlock (core/cage.h) restricts
 * to the files that the plan names; the process inherits the restriction.
 */
#include "farm/execute.h"

#include "core/cage.h"
#include "core/import_program.h"
#include "core/job.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

extern char **environ;

static int launch_arrange(posix_spawn_file_actions_t *actions, const char *root, int said)
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

struct launch {
	struct farm_workshop *workshop;
	uint32_t step;
	char *const *argv;
	char **environment;
	int said, status;
	pid_t pid;
};

static int launch_spawn(struct launch *launch)
{
	const struct cs_farm_plan *plan = launch->workshop->plan;
	posix_spawn_file_actions_t actions;
	if (posix_spawn_file_actions_init(&actions) != 0)
		return ENOMEM;
	int status = launch_arrange(&actions, farm_text(plan, plan->root), launch->said);
	if (status == 0)
		status = posix_spawn(&launch->pid, launch->argv[0], &actions, NULL, launch->argv,
			launch->environment);
	posix_spawn_file_actions_destroy(&actions);
	return status;
}

/* Permits reading a loaded library, which may be outside of the system's folders. */
static int let_object(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	if (info->dlpi_name[0] == '/')
		cs_cage_let_read(context, info->dlpi_name);
	return 0;
}

/* Permits a step to read the program and the step's inputs, and to write to its own folder. */
static void open_doors(const struct launch *launch, const struct cs_cage *cage)
{
	const struct farm_workshop *workshop = launch->workshop;
	const struct cs_farm_plan *plan = workshop->plan;
	const struct farm_step *step = &plan->steps.at[launch->step];
	char importer[PATH_MAX], *path;
	cs_cage_let_system(cage);
#ifdef __clang__
	cs_cage_let_write(cage, "/dev/shm"); /* LLVM's OpenMP creates a file there */
#endif
	cs_cage_let_read(cage, workshop->program);
	dl_iterate_phdr(let_object, (void *)cage);
	cs_import_program(importer);
	cs_cage_let_read(cage, importer);
	for (uint32_t i = 0; i < step->n_reads; i++) {
		const struct farm_input *input =
			&plan->inputs.at[plan->reads.at[step->first_read + i]];
		if ((path = farm_below_root(plan, farm_text(plan, input->path))))
			cs_cage_let_read(cage, path);
		free(path);
	}
	for (uint32_t i = 0; i < step->n_needs; i++) {
		path = farm_result_path(
			workshop, &plan->steps.at[plan->needs.at[step->first_need + i]]);
		if (path)
			cs_cage_let_read(cage, path);
		free(path);
	}
	if ((path = farm_own_folder(workshop, launch->step)))
		cs_cage_let_write(cage, path);
	free(path);
}

/* Starts the child from a new thread, because a thread that applies the sandbox never leaves it. */
static void *spawn_caged(void *context)
{
	struct launch *launch = context;
	struct cs_cage cage;
	if (!cs_cage_open(&cage)) {
		launch->status = EMFILE;
		return NULL;
	}
	open_doors(launch, &cage);
	launch->status = cs_cage_enter(&cage) ? launch_spawn(launch) : EPERM;
	cs_cage_close(&cage);
	return NULL;
}

/*
 * Returns whether there is memory for the stack of a thread: pthread_create returns EAGAIN both
 * without memory and without a free thread or process.
 */
static bool has_room_for_stack(void)
{
	pthread_attr_t attributes;
	size_t size = 0;
	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_getstacksize(&attributes, &size);
	pthread_attr_destroy(&attributes);
	void *stack = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack != MAP_FAILED)
		munmap(stack, size);
	return stack != MAP_FAILED;
}

static int spawn_confined(struct launch *launch)
{
	pthread_t thread;
	if (!launch->workshop->confined)
		return launch_spawn(launch);
	int status = pthread_create(&thread, NULL, spawn_caged, launch);
	if (status == EAGAIN && !has_room_for_stack())
		status = ENOMEM;
	if (status == 0)
		status = pthread_join(thread, NULL);
	return status ? status : launch->status;
}

/* Returns a step's environment: this process's, the required code key, and a temporary folder. */
static char **environment_of(const struct farm_workshop *workshop, uint32_t step)
{
	static const char *const replaced[] = {CS_FARM_CODE_VARIABLE "=", "TMPDIR="};
	char code[CS_FARM_KEY_TEXT], *folder = farm_own_folder(workshop, step),
				     *entries[2] = {NULL};
	size_t n = 0, kept = 2;
	cs_farm_key_format(workshop->plan->code, code);
	while (environ[n])
		n++;
	char **ret = calloc(n + 3, sizeof(*ret));
	if (!folder || !ret || asprintf(&entries[0], "%s%s", replaced[0], code) < 0)
		entries[0] = NULL;
	if (!entries[0] || asprintf(&entries[1], "%s%s", replaced[1], folder) < 0)
		entries[1] = NULL;
	free(folder);
	if (!ret || !entries[1]) {
		free(entries[0]);
		free(ret);
		return NULL;
	}
	memcpy(ret, entries, sizeof(entries));
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], replaced[0], strlen(replaced[0])) != 0 &&
			strncmp(environ[i], replaced[1], strlen(replaced[1])) != 0)
			ret[kept++] = environ[i];
	return ret;
}

static void free_environment(char **environment)
{
	if (!environment)
		return;
	free(environment[0]);
	free(environment[1]);
	free(environment);
}

struct cs_error *farm_launch(
	struct farm_workshop *workshop, struct farm_child *child, char *const *argv)
{
	int ends[2];
	struct launch launch = {.workshop = workshop, .step = child->step, .argv = argv};
	if (pipe2(ends, O_CLOEXEC) < 0)
		return cs_error_errno(errno, workshop->program, "make a pipe");
	launch.said = ends[1];
	launch.environment = environment_of(workshop, child->step);
	int status = launch.environment ? spawn_confined(&launch) : ENOMEM;
	free_environment(launch.environment);
	close(ends[1]);
	if (status != 0) {
		close(ends[0]);
		if (status == EAGAIN)
			return cs_error_at(CS_E_LIMIT, workshop->program, CS_NO_OFFSET,
				"cannot start: the system allows no more processes or threads");
		return cs_error_errno(status, workshop->program, "start");
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	child->pid = launch.pid;
	child->said_fd = ends[0];
	child->said.n = 0;
	child->began = cs_seconds();
	return NULL;
}
