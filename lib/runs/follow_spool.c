/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thread that copies a pipe or port to temporary files. Only this thread reads the input and writes
 * the files; a lock protects the list of parts, their sizes and whether they are complete.
 */
#include "runs/follow.h"

#include "core/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

struct cs_spool {
	pthread_t thread;
	pthread_mutex_t lock;
	int in, ends[2]; /* input, and a pipe whose write end is closed to stop the thread */
	bool listens, over;
	CS_VEC(struct cs_spool_part) parts;
};

/* Waits until `fd` is readable. Returns false when the spool is being stopped. */
static bool spool_wait(struct cs_spool *spool, int fd)
{
	struct pollfd wait[2] = {{fd, POLLIN, 0}, {spool->ends[0], POLLIN, 0}};
	int n;
	do
		n = poll(wait, 2, -1);
	while (n < 0 && errno == EINTR);
	return n > 0 && !wait[1].revents;
}

/* Creates an unnamed temporary file, which vanishes when its last descriptor is closed. */
static int spool_file(void)
{
	FILE *file = tmpfile();
	int fd = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1;
	const int number = errno;
	if (file)
		fclose(file);
	errno = number;
	return fd;
}

/*
 * Appends a part (temporary file with a piece of the received data) to the list. Returns false when
 * memory runs out or the file of the part could not be created; in the latter case the part stays
 * in the list with the errno.
 */
static bool spool_begin_part(struct cs_spool *spool, struct cs_spool_part part)
{
	pthread_mutex_lock(&spool->lock);
	const bool good = cs_vec_push(&spool->parts, part);
	pthread_mutex_unlock(&spool->lock);
	if (!good && part.fd >= 0)
		close(part.fd);
	return good && part.fd >= 0;
}

static bool spool_write(int fd, const char *bytes, size_t n, uint64_t at)
{
	for (size_t done = 0; done < n;) {
		const ssize_t wrote = pwrite(fd, bytes + done, n - done, (off_t)(at + done));
		if (wrote < 0)
			return false;
		done += (size_t)wrote;
	}
	return true;
}

/* Copies data from `from` to a new part until its sender closes it or the disk is full. */
static void spool_take_part(struct cs_spool *spool, int from)
{
	char bytes[65536];
	struct cs_spool_part part = {.fd = spool_file()};
	part.failed = part.fd < 0 ? errno : 0;
	part.is_whole = part.fd < 0;
	bool good = spool_begin_part(spool, part);
	while (good && spool_wait(spool, from)) {
		const ssize_t n = read(from, bytes, sizeof(bytes));
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		good = n > 0 && spool_write(part.fd, bytes, (size_t)n, part.size);
		part.failed = n > 0 && !good ? errno : 0;
		part.size += good ? (uint64_t)n : 0;
		part.is_whole = !good;
		pthread_mutex_lock(&spool->lock);
		spool->parts.at[spool->parts.n - 1] = part;
		pthread_mutex_unlock(&spool->lock);
	}
}

static void *spool_run(void *context)
{
	struct cs_spool *spool = context;
	if (!spool->listens)
		spool_take_part(spool, spool->in);
	while (spool->listens && spool_wait(spool, spool->in)) {
		const int from = accept4(spool->in, NULL, NULL, SOCK_CLOEXEC);
		if (from >= 0)
			spool_take_part(spool, from);
		if (from >= 0)
			close(from);
	}
	pthread_mutex_lock(&spool->lock);
	spool->over = true;
	pthread_mutex_unlock(&spool->lock);
	return NULL;
}

struct cs_error *cs_spool_new(int in, bool listens, struct cs_spool **ret)
{
	struct cs_spool *spool = calloc(1, sizeof(*spool));
	if (!spool || pipe2(spool->ends, O_CLOEXEC) < 0) {
		free(spool);
		close(in);
		return cs_error_nomem();
	}
	spool->in = in;
	spool->listens = listens;
	pthread_mutex_init(&spool->lock, NULL);
	sigset_t all, before; /* block all signals: the main thread handles them */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const int failed = pthread_create(&spool->thread, NULL, spool_run, spool);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (failed) {
		close(spool->ends[0]);
		close(spool->ends[1]);
		close(in);
		free(spool);
		return cs_error_new(CS_E_IO,
			"cannot start a thread to read the input: the system has no memory or "
			"threads left");
	}
	*ret = spool;
	return NULL;
}

void cs_spool_free(struct cs_spool *spool)
{
	if (!spool)
		return;
	close(spool->ends[1]);
	pthread_join(spool->thread, NULL);
	close(spool->ends[0]);
	close(spool->in);
	for (size_t i = 0; i < spool->parts.n; i++)
		if (spool->parts.at[i].fd >= 0)
			close(spool->parts.at[i].fd);
	cs_vec_free(&spool->parts);
	pthread_mutex_destroy(&spool->lock);
	free(spool);
}

bool cs_spool_first(struct cs_spool *spool, struct cs_spool_part *ret, bool *over_ret)
{
	pthread_mutex_lock(&spool->lock);
	const bool any = spool->parts.n > 0;
	if (any)
		*ret = spool->parts.at[0];
	*over_ret = !any && spool->over;
	pthread_mutex_unlock(&spool->lock);
	return any;
}

void cs_spool_next(struct cs_spool *spool)
{
	pthread_mutex_lock(&spool->lock);
	if (spool->parts.at[0].fd >= 0)
		close(spool->parts.at[0].fd);
	spool->parts.n--;
	memmove(spool->parts.at, spool->parts.at + 1, spool->parts.n * sizeof(*spool->parts.at));
	pthread_mutex_unlock(&spool->lock);
}
