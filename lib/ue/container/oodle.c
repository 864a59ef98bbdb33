/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Controls the process that unpacks Oodle blocks: starts cellscope-import --oodle, sends it one
 * block at a time over a socket, limits the time for each block, and converts a crash into an error
 * about the block. The codec is not started again if it cannot be loaded, or if MOST_LATE blocks in
 * a row exceed the time limit.
 */
#include "ue/container/container.h"

#include "core/import_program.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Time limit in seconds for unpacking one block. Blocks of real games take a thousandth of it. */
enum { PATIENCE = 20 /* seconds */, MOST_LATE = 2 };

struct cs_ue_codec {
	pthread_mutex_t lock;
	pid_t pid;              /* process id, or 0 if the process was not started or has ended */
	int channel;            /* our end of the socket to the process */
	bool is_gone;           /* whether the process ended without an answer */
	int late;               /* number of consecutive blocks that exceeded the time limit */
	struct cs_error *cause; /* why the codec cannot be used any more, or NULL if it can */
};

static const char *codec_library(void)
{
	const char *library = secure_getenv("CELLSCOPE_OODLE");
	return library && *library ? library : NULL;
}

struct cs_error *cs_ue_codec_new(struct cs_ue_codec **ret)
{
	*ret = NULL;
	if (!codec_library())
		return NULL;
	struct cs_ue_codec *codec = calloc(1, sizeof(*codec));
	if (!codec)
		return cs_error_nomem();
	pthread_mutex_init(&codec->lock, NULL);
	*ret = codec;
	return NULL;
}

/* Kills the process. Returns its status as waitpid() does, or 0 if there is no process. */
static int codec_end(struct cs_ue_codec *codec)
{
	int status = 0;
	if (codec->pid == 0)
		return 0;
	close(codec->channel);
	kill(codec->pid, SIGKILL);
	while (waitpid(codec->pid, &status, 0) < 0 && errno == EINTR)
		;
	codec->pid = 0;
	return status;
}

void cs_ue_codec_free(struct cs_ue_codec *codec)
{
	if (!codec)
		return;
	codec_end(codec);
	cs_error_free(codec->cause);
	pthread_mutex_destroy(&codec->lock);
	free(codec);
}

/* ---- sending and receiving bytes with a time limit ---- */

static int64_t codec_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum transfer { TRANSFERRED, GONE, TOO_LATE };

static enum transfer codec_wait(const struct cs_ue_codec *codec, short events, int64_t end)
{
	struct pollfd poller = {.fd = codec->channel, .events = events};
	for (;;) {
		const int64_t left = end - codec_clock();
		if (left <= 0)
			return TOO_LATE;
		const int n = poll(&poller, 1, (int)left);
		if (n > 0)
			return TRANSFERRED;
		if (n < 0 && errno != EINTR)
			return GONE;
	}
}

/* Sends the n bytes at `bytes` if `sends`, otherwise receives n bytes and stores them there. */
static enum transfer codec_transfer(
	const struct cs_ue_codec *codec, bool sends, void *bytes, size_t n, int64_t end)
{
	for (unsigned char *at = bytes; n > 0;) {
		const enum transfer ready = codec_wait(codec, sends ? POLLOUT : POLLIN, end);
		if (ready != TRANSFERRED)
			return ready;
		const ssize_t moved =
			sends ? send(codec->channel, at, n, MSG_NOSIGNAL | MSG_DONTWAIT)
			      : recv(codec->channel, at, n, MSG_DONTWAIT);
		if (moved < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (moved <= 0)
			return GONE;
		at += moved;
		n -= (size_t)moved;
	}
	return TRANSFERRED;
}

/* ---- unpacking a block ---- */

static struct cs_error *codec_start(struct cs_ue_codec *codec)
{
	char program[PATH_MAX], memory[24];
	snprintf(memory, sizeof(memory), "%llu", 4ull * CS_BLOCK_MOST);
	char *const argv[] = {program, (char *)"--oodle", (char *)codec_library(), memory,
		(char *)(cs_import_is_uncaged() ? "no" : "cage"), NULL};
	int ends[2];
	cs_import_program(program);
	if (!argv[2])
		return cs_error_new(CS_E_FEATURE,
			"no Oodle library is loaded any more: load one with --oodle LIBRARY");
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return cs_error_errno(
			errno, program, "make the socket to the process of the Oodle library");
	const int status = cs_import_start(argv, ends[1], ends[1], &codec->pid);
	close(ends[1]);
	codec->channel = ends[0];
	if (status == 0)
		return NULL;
	close(ends[0]);
	codec->pid = 0;
	return cs_error_at(CS_E_IO, program, CS_NO_OFFSET,
		"cannot start this program, which loads the Oodle library: %s (the environment "
		"variable CELLSCOPE_IMPORT sets its path)",
		strerrordesc_np(status));
}

static struct cs_error *codec_failed(struct cs_ue_codec *codec, enum transfer transfer)
{
	const int status = codec_end(codec);
	codec->is_gone = transfer == GONE;
	codec->late = transfer == TOO_LATE ? codec->late + 1 : 0;
	const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (transfer == TOO_LATE)
		return cs_error_new(CS_E_LIMIT,
			"the Oodle library did not unpack a block within %d seconds: the block is "
			"damaged, or --oodle names a library that does not work",
			PATIENCE);
	if (number && number != SIGKILL)
		return cs_error_new(CS_E_COMPRESSION,
			"the Oodle library crashed while it unpacked a block (%s)",
			sigdescr_np(number));
	return cs_error_new(CS_E_COMPRESSION,
		"the process of the Oodle library ended without a result while it unpacked a "
		"block");
}

/*
 * Receives from the codec process the status of one block. CS_BLOCK_REFUSED ends the process and
 * becomes E_FEATURE, which codec_unpack() returns for all further blocks, too.
 */
static struct cs_error *codec_take_status(struct cs_ue_codec *codec, int64_t end, uint32_t *ret)
{
	char text[CS_BLOCK_TEXT + 1] = "";
	enum transfer got = codec_transfer(codec, false, ret, sizeof(*ret), end);
	if (got == TRANSFERRED && *ret == CS_BLOCK_REFUSED)
		got = codec_transfer(codec, false, text, CS_BLOCK_TEXT, end);
	if (got != TRANSFERRED)
		return codec_failed(codec, got);
	if (*ret != CS_BLOCK_REFUSED)
		return NULL;
	codec_end(codec);
	for (char *c = text; *c; c++) /* replace unprintable characters: the text is untrusted */
		*c = (char)(*c < ' ' || *c > '~' ? '?' : *c);
	return cs_error_new(CS_E_FEATURE, "the Oodle library cannot be used: %s", text);
}

static struct cs_error *codec_ask(struct cs_ue_codec *codec, const unsigned char *packed,
	uint32_t size, unsigned char *ret, uint32_t plain)
{
	uint32_t sizes[2] = {size, plain};
	const int64_t end = codec_clock() + PATIENCE * 1000;
	uint32_t status;
	enum transfer done = codec_transfer(codec, true, sizes, sizeof(sizes), end);
	if (done == TRANSFERRED)
		done = codec_transfer(codec, true, (unsigned char *)packed, size, end);
	if (done != TRANSFERRED)
		return codec_failed(codec, done);
	struct cs_error *error = codec_take_status(codec, end, &status);
	if (error)
		return error;
	if (status != CS_BLOCK_PLAIN)
		return cs_error_new(
			CS_E_COMPRESSION, "an Oodle block does not unpack to %u bytes", plain);
	done = codec_transfer(codec, false, ret, plain, end);
	if (done != TRANSFERRED)
		return codec_failed(codec, done);
	codec->late = 0;
	return NULL;
}

/* Unpacks a block with the codec process. Stores in *fresh_ret whether this process is new. */
static struct cs_error *codec_try(struct cs_ue_codec *codec, const unsigned char *packed,
	uint32_t size, unsigned char *ret, uint32_t plain, bool *fresh_ret)
{
	struct cs_error *error = NULL;
	uint32_t status;
	codec->is_gone = false;
	*fresh_ret = codec->pid == 0;
	if (*fresh_ret)
		error = codec_start(codec);
	if (*fresh_ret && !error)
		error = codec_take_status(codec, codec_clock() + PATIENCE * 1000, &status);
	return error ? error : codec_ask(codec, packed, size, ret, plain);
}

/*
 * Unpacks a block. The codec process ends together with the thread that started it. If it has
 * ended, it is started again and the block is tried once more.
 */
static struct cs_error *codec_unpack(struct cs_ue_codec *codec, const unsigned char *packed,
	uint32_t size, unsigned char *ret, uint32_t plain)
{
	bool fresh;
	if (codec->cause)
		return cs_error_new(codec->cause->code, "%s", codec->cause->message);
	struct cs_error *error = codec_try(codec, packed, size, ret, plain, &fresh);
	if (error && codec->is_gone && !fresh) {
		cs_error_free(error);
		error = codec_try(codec, packed, size, ret, plain, &fresh);
	}
	const bool is_late = error && codec->late >= MOST_LATE;
	if (is_late || (error && error->code == CS_E_FEATURE))
		codec->cause =
			cs_error_new(is_late ? CS_E_LIMIT : CS_E_FEATURE, "%s", error->message);
	return error;
}

struct cs_error *cs_ue_codec_unpack(struct cs_ue_codec *codec, const unsigned char *packed,
	uint32_t size, unsigned char *ret, uint32_t plain)
{
	if (size > CS_BLOCK_MOST || plain > CS_BLOCK_MOST)
		return cs_error_new(CS_E_LIMIT,
			"an Oodle block has %u bytes and claims to unpack to %u bytes, but neither "
			"may be more than %u",
			size, plain, (unsigned)CS_BLOCK_MOST);
	pthread_mutex_lock(&codec->lock);
	struct cs_error *error = codec_unpack(codec, packed, size, ret, plain);
	pthread_mutex_unlock(&codec->lock);
	return error;
}
