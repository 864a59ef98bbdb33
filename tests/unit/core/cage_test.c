/* SPDX-License-Identifier: Apache-2.0 */
/* What a process in a cage can still do; each time in a child, for a cage is for ever. */
#include "core/cage.h"

#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char inside[4096], outside[4096];

static bool opens(const char *folder, int flags)
{
	char path[5000];
	snprintf(path, sizeof(path), "%s/f", folder);
	int fd = open(path, flags, 0666);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/*
 * Returns a status in which one bit stands for each file that could be opened; 64 without a cage.
 */
static int try_files(void)
{
	struct cs_cage cage;
	if (!cs_cage_open(&cage))
		return 64;
	cs_cage_let_read(&cage, inside);
	cs_cage_let_read(&cage, "/nowhere/at/all");
	if (!cs_cage_enter(&cage))
		return 64;
	cs_cage_close(&cage);
	return opens(inside, O_RDONLY) << 0 | opens(outside, O_RDONLY) << 1 |
	       opens(inside, O_WRONLY) << 2 | opens(outside, O_WRONLY | O_CREAT) << 3;
}

static int try_calls(void)
{
	if (!cs_cage_filter_calls())
		return 64;
	errno = 0;
	bool no_child = fork() < 0 && errno == EPERM;
	bool no_socket = socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EPERM;
	bool no_signal = kill(getppid(), 0) < 0 && errno == EPERM;
	static char program[] = "/bin/true", *argv[] = {program, NULL};
	bool no_program = execv(argv[0], argv) < 0 && errno == EPERM;
	void *block = malloc(10 << 20);
	bool memory = block != NULL;
	free(block);
	return no_child << 0 | no_socket << 1 | no_signal << 2 | no_program << 3 | memory << 4 |
	       opens(inside, O_RDONLY) << 5;
}

/* Tries the ways other than kill to send a signal to another process or to change its limits. */
static int try_others(void)
{
	int ends[2];
	struct rlimit limit;
	if (pipe(ends) != 0 || !cs_cage_filter_calls())
		return 64;
	bool own_limit = getrlimit(RLIMIT_AS, &limit) == 0 && setrlimit(RLIMIT_AS, &limit) == 0;
	bool no_owner = fcntl(ends[0], F_SETOWN, getppid()) < 0 && errno == EPERM;
	const struct f_owner_ex owner = {F_OWNER_PID, getppid()};
	bool no_other_owner = fcntl(ends[0], F_SETOWN_EX, &owner) < 0 && errno == EPERM;
	bool no_limit = prlimit(getppid(), RLIMIT_AS, &limit, NULL) < 0 && errno == EPERM;
	bool no_thread = syscall(SYS_tgkill, getppid(), getppid(), SIGUSR1) < 0 && errno == EPERM;
	bool flags = fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[0], F_GETFL) >= 0;
	return own_limit << 0 | no_owner << 1 | no_other_owner << 2 | no_limit << 3 |
	       no_thread << 4 | flags << 5;
}

static int try_abort(void)
{
	if (!cs_cage_filter_calls())
		return 64;
	abort();
}

static int status_of(int (*body)(void))
{
	int status = 0;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0)
		_exit(body());
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void check(int (*body)(void), int want, const char *what)
{
	int got = status_of(body);
	if (got == 64)
		skip("the kernel has no cage");
	else
		is_int(got, want, "%s", what);
}

int main(void)
{
	fresh_folder(inside, sizeof(inside), "cage_inside");
	fresh_folder(outside, sizeof(outside), "cage_outside");
	mkdir(inside, 0777);
	mkdir(outside, 0777);
	ok(opens(inside, O_WRONLY | O_CREAT), "a file inside");
	ok(opens(outside, O_WRONLY | O_CREAT), "a file outside");
	check(try_files, 1, "it reads what is named, and writes nothing");
#ifndef IS_SANITIZED
	check(try_calls, 63, "it starts nothing, speaks to nobody, and has memory and its file");
	check(try_others, 63, "it reaches no other process by files, limits or threads");
	check(try_abort, 128 + SIGABRT, "it may end itself");
#endif
	remove_tree(inside);
	remove_tree(outside);
	return done();
}
