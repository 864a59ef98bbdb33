/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Destinations of bytes: a file, memory, a child process, or a filter before another sink. A sink
 * is written to until it is closed; errors are reported once, by sink_close.
 *
 * Only output.c writes into sinks: all bytes that a sink gets were escaped by cs_escape or are
 * JSON.
 */
#pragma once

#include <cellscope/core.h>

#include "core/vec.h"

#include <stdio.h>

struct sink {
	void (*write)(struct sink *sink, const char *bytes, size_t n);
	struct cs_error *(*close)(struct sink *sink);
};

static inline void sink_write(struct sink *sink, const char *bytes, size_t n)
{
	sink->write(sink, bytes, n);
}

void sink_text(struct sink *sink, const char *text);
/* Returns the first error of the sink and empties it, whatever owns its storage. */
struct cs_error *sink_close(struct sink *sink) CS_MUST_USE;

/* ---- memory ---- */

struct memory_sink {
	struct sink sink;
	CS_VEC(char) text; /* without a final NUL */
	bool failed;
};

void memory_sink_init(struct memory_sink *memory);
/* Returns the bytes written, with a final NUL; owned by the caller. */
struct cs_error *memory_sink_take(
	struct memory_sink *memory, char **text_ret, size_t *n_ret) CS_MUST_USE;
void memory_sink_deinit(struct memory_sink *memory);

/* ---- a stream of the program ---- */

struct stream_sink {
	struct sink sink;
	FILE *stream;
	int fd;                        /* descriptor of the stream, or -1 where it has none */
	bool broken_pipe;              /* the reader of the stream has gone away */
	void (*before)(void *context); /* called before bytes are written; or NULL */
	bool guarded;  /* break up what a CI service would read as a command in the log */
	char tail[12]; /* while guarded: the last bytes of the line, without leading blanks */
	void *context;
};

/*
 * Opens a stream on a descriptor, which it closes. It continues when a signal interrupts a write;
 * the C library's streams lose buffered bytes then. NULL without memory.
 */
FILE *steady_open(int fd);
/* Creates a file, as fopen(path, "w") does. */
FILE *steady_create(const char *path);
/* Returns standard output and standard error as such streams. */
FILE *steady_output(void);
FILE *steady_errors(void);

/* Errors of writing set ferror(stream); the stream stays open. */
void stream_sink_init(struct stream_sink *to, FILE *stream, int fd);
/* Returns false when this write or an earlier one failed. */
bool stream_sink_flush(struct stream_sink *to);

/* ---- a new file ---- */

struct file_sink {
	struct sink sink;
	FILE *stream;
	const char *path;
	struct cs_save save; /* save in progress, where a file is replaced */
	bool replaces;
	bool is_spoilt; /* set by the caller to discard the new file; the one at `path` stays */
};

struct cs_error *file_sink_open(struct file_sink *file, const char *path) CS_MUST_USE;

/* ---- a process that reads ---- */

#define CS_E_PROCESS ((enum cs_code)52)

struct child_sink {
	struct sink sink;
	int fd; /* descriptor of the child's standard input */
	int pid;
	int failed; /* errno of the first failed write; EPIPE is none: the child had read enough */
	char command[64]; /* the first bytes of the command, for errors */
};

/*
 * Runs `command` with /bin/sh; `environment` is NULL or one NAME=VALUE to add; its output goes to
 * the descriptor `output`, or to ours when that is negative. Closing the sink waits for the process
 * and returns E_PROCESS when it failed; SIGINT and SIGPIPE may end it.
 */
struct cs_error *child_sink_open(struct child_sink *child, const char *command,
	const char *environment, int output) CS_MUST_USE;

/* ---- lines that match ---- */

struct filter;
/* Creates a filter: "text" is a substring, "/re/" an extended regular expression. */
struct cs_error *filter_new(const char *pattern, struct filter **ret) CS_MUST_USE;
/* Returns false also for text that cannot be matched; filter_end returns the reason. */
bool filter_matches(struct filter *filter, const char *text);
/* Frees the filter, which may be NULL, and returns the first error of its matches. */
struct cs_error *filter_end(struct filter *filter) CS_MUST_USE;

struct filter_sink {
	struct sink sink;
	struct filter *filter;
	struct sink *to; /* sink behind the filter, which is not closed together with it */
	CS_VEC(char) line;
	bool failed;
};

void filter_sink_init(struct filter_sink *lines, struct filter *filter, struct sink *to);

/* ---- a copy of everything ---- */

struct tee_sink {
	struct sink sink;
	/* both sinks get the bytes, and are not closed together with this one */
	struct sink *to, *copy;
};

void tee_sink_init(struct tee_sink *tee, struct sink *to, struct sink *copy);
