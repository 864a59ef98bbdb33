/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the process that reads meshes with third-party code (core/import_program.h): starts the
 * process, waits for its answer, and reports why it ended without one.
 *
 * Invariant: the process has ended when the call returns, in every case.
 */
#include "mesh/mesh_readers.h"

#include "core/error_inside.h"
#include "core/import_program.h"
#include "core/invariant.h"
#include "core/job.h"
#include "mesh/helper_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct helper {
	pid_t pid;
	int answer; /* reading end of the process's pipe */
	const struct cs_job *job;
	bool stopped;           /* whether the job was interrupted, or the pipe cannot be read */
	struct cs_error *cause; /* the error because of which the process is killed */
};

static struct cs_error *helper_start(const char *path, const struct cs_job *job, struct helper *ret)
{
	enum { ROOM = 1 << 20 };
	struct cs_limits limits = cs_job_limits(job);
	char program[PATH_MAX], memory[24], file_bytes[24], records[24];
	char *const argv[] = {program, (char *)path, memory, file_bytes, records,
		(char *)(cs_import_is_uncaged() ? "no" : "cage"), NULL};
	int ends[2];
	cs_import_program(program);
	snprintf(memory, sizeof(memory), "%llu", (unsigned long long)limits.memory);
	snprintf(file_bytes, sizeof(file_bytes), "%llu", (unsigned long long)limits.file_bytes);
	snprintf(records, sizeof(records), "%llu", (unsigned long long)limits.records);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return cs_error_errno(errno, path, "make a pipe");
	fcntl(ends[0], F_SETPIPE_SZ, ROOM);
	*ret = (struct helper){.answer = ends[0], .job = job};
	int status = cs_import_start(argv, -1, ends[1], &ret->pid);
	close(ends[1]);
	if (status == 0)
		return NULL;
	close(ends[0]);
	if (status == ENOMEM || status == EAGAIN)
		return cs_error_nomem();
	return cs_error_at(CS_E_IO, program, CS_NO_OFFSET,
		"cannot start this program, which imports meshes: %s (the environment variable "
		"CELLSCOPE_IMPORT sets its path)",
		strerrordesc_np(status));
}

/* ---- answer of the process ---- */

static bool wait_for_bytes(struct helper *helper)
{
	enum { PATIENCE = 50 }; /* time in ms between two checks whether the job was interrupted */
	struct pollfd poller = {.fd = helper->answer, .events = POLLIN};
	for (;;) {
		helper->cause = cs_job_check(helper->job);
		if (helper->cause)
			return false;
		int n = poll(&poller, 1, PATIENCE);
		if (n > 0)
			return true;
		if (n < 0 && errno != EINTR) {
			helper->cause = cs_error_errno(errno, NULL, "wait for cellscope-import");
			return false;
		}
	}
}

static bool helper_take(void *context, void *bytes, size_t n)
{
	struct helper *helper = context;
	unsigned char *to = bytes;
	while (n > 0) {
		if (!wait_for_bytes(helper)) {
			helper->stopped = true;
			return false;
		}
		ssize_t got = read(helper->answer, to, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		n -= (size_t)got;
	}
	return true;
}

static struct cs_error *died(const char *path, int status)
{
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (number == SIGINT || number == SIGTERM || number == SIGHUP)
		return cs_error_new(CS_E_INTERRUPTED, "the command was interrupted");
	if (number == SIGXCPU)
		return cs_error_at(CS_E_MESH, path, CS_NO_OFFSET,
			"cellscope-import was stopped, because reading the file took more than its "
			"limit of processor time (20 s, and 1 s for each MiB): export the mesh as "
			".ply");
	if (number == SIGSEGV || number == SIGBUS)
		return cs_error_at(CS_E_MESH, path, CS_NO_OFFSET,
			"cellscope-import crashed (%s) while it read the file, which is damaged or "
			"nested too deep",
			sigdescr_np(number));
	if (number)
		return cs_error_at(CS_E_MESH, path, CS_NO_OFFSET,
			"cellscope-import was ended by a signal (%s): try again, or export the "
			"mesh as .ply",
			sigdescr_np(number) ? sigdescr_np(number) : "unknown");
	return cs_error_at(CS_E_MESH, path, CS_NO_OFFSET,
		"cellscope-import ended without an answer (exit status %d): install "
		"`cellscope-import` and its libraries again",
		WEXITSTATUS(status));
}

/* Kills the process if `kill_it` is set, and waits for its end. Returns its waitpid status. */
static int helper_end(struct helper *helper, bool kill_it)
{
	int status = 0;
	close(helper->answer);
	if (kill_it)
		kill(helper->pid, SIGKILL);
	while (waitpid(helper->pid, &status, 0) < 0 && errno == EINTR)
		;
	CS_INVARIANT(waitpid(helper->pid, NULL, WNOHANG) < 0, "the process is gone");
	return status;
}

struct cs_error *cs_mesh_read_foreign(const char *path, const struct cs_job *job,
	struct cs_mesh_report *report, struct cs_mesh **ret)
{
	struct helper helper;
	struct cs_mesh *mesh = NULL;
	struct cs_error *error = helper_start(path, job, &helper);
	if (error)
		return error;
	error = cs_wire_get(helper_take, &helper, job, report, &mesh);
	int status = helper_end(&helper, error || mesh || helper.stopped);
	if (error && error->code == CS_E_LIMIT && !error->file)
		error = cs_error_wrap(error, "%s", path);
	if (!error && !mesh)
		error = helper.cause ? helper.cause : died(path, status);
	if (!error)
		*ret = mesh;
	return error;
}
