/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Destinations of bytes: a file, memory, a child process, or a filter in front of another sink. A
 * sink accepts bytes until it is closed; sink_close() reports the first error.
 *
 * Sinks escape nothing: src/output/output.c escapes text before it writes it to a sink.
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
/* Writes bytes to a sink; for cs_text_put(). */
void sink_put(void *sink, const char *bytes, size_t n);
/* Frees the contents of the sink, but not the sink itself. Returns the sink's first error. */
struct cs_error *sink_close(struct sink *sink) CS_MUST_USE;

/* ---- sinks to memory ---- */

struct memory_sink {
	struct sink sink;
	CS_VEC(char) text; /* without a final NUL */
	bool failed;
};

void memory_sink_init(struct memory_sink *memory);
/* Gets the bytes written and a final NUL, which *n_ret does not count; owned by the caller. */
struct cs_error *memory_sink_take(
	struct memory_sink *memory, char **text_ret, size_t *n_ret) CS_MUST_USE;
void memory_sink_deinit(struct memory_sink *memory);

/* ---- sinks to a stream of the program ---- */

struct stream_sink {
	struct sink sink;
	FILE *stream;
	int fd;                        /* descriptor of the stream; -1 = none */
	bool broken_pipe;              /* the stream is a pipe without a reader */
	void (*before)(void *context); /* called with `context` before a write; may be NULL */
	bool guarded;  /* break up sequences that a CI service would run as commands */
	char tail[12]; /* if guarded: last bytes of the current line, without leading blanks */
	void *context;
};

/*
 * Creates or truncates a file, like fopen(path, "w"). A write that a signal interrupts is
 * continued, whereas a stream of the C library would lose buffered bytes.
 */
FILE *steady_create(const char *path);
/* Returns standard output or standard error as a stream of steady_open(). */
FILE *steady_output(void);
FILE *steady_errors(void);

/* Makes a sink of a stream. Closing the sink leaves the stream open, with its errors (ferror). */
void stream_sink_init(struct stream_sink *to, FILE *stream, int fd);
/* Flushes the stream. Returns false if this write or an earlier one failed. */
bool stream_sink_flush(struct stream_sink *to);

/* ---- sinks to a new file ---- */

struct file_sink {
	struct sink sink;
	FILE *stream;
	const char *path;
	struct cs_save save; /* pending replacement of the file at `path`; used if `replaces` */
	bool replaces;
	bool is_spoilt; /* set by the caller to keep the old file at `path` */
};

struct cs_error *file_sink_open(struct file_sink *file, const char *path) CS_MUST_USE;

/* ---- sinks to a child process ---- */

#define CS_E_PROCESS ((enum cs_code)52)

struct child_sink {
	struct sink sink;
	int fd; /* descriptor of the child's standard input */
	int pid;
	/* errno of the first failed write; EPIPE is no error, as the child may stop reading */
	int failed;
	char command[64]; /* beginning of the command, for error messages */
	int from; /* descriptor of the child's output that is held; -1 = none, or at its end */
	CS_VEC(char) held; /* that output; the caller frees it after closing the sink */
	bool exceeds;      /* the child has printed more than is held */
};

/* What the child itself prints to our standard output and error; the rest of its output is held. */
enum child_prints { CHILD_PRINTS, CHILD_PRINTS_ERRORS, CHILD_PRINTS_NOTHING };

/*
 * Runs `command` with /bin/sh. `environment` is NULL or one entry NAME=VALUE to add. Closing the
 * sink waits for the process. It returns E_PROCESS when the process failed, except when SIGINT or
 * SIGPIPE ended it, and E_LIMIT, with nothing held, when there was too much output to hold.
 */
struct cs_error *child_sink_open(struct child_sink *child, const char *command,
	const char *environment, enum child_prints prints) CS_MUST_USE;

/* ---- filters of lines ---- */

struct filter;
/* Creates a filter: "/re/" is an extended regular expression, any other text a substring. */
struct cs_error *filter_new(const char *pattern, struct filter **ret) CS_MUST_USE;
/* Returns whether the text matches, or false after an error, which filter_end() returns. */
bool filter_matches(struct filter *filter, const char *text);
/* Frees the filter, which may be NULL, and returns the first error of matching. */
struct cs_error *filter_end(struct filter *filter) CS_MUST_USE;

struct filter_sink {
	struct sink sink;
	struct filter *filter;
	struct sink *to; /* destination of lines that match, not closed with this sink */
	CS_VEC(char) line;
	bool failed;
};

void filter_sink_init(struct filter_sink *lines, struct filter *filter, struct sink *to);

/* ---- sinks that copy to two sinks ---- */

struct tee_sink {
	struct sink sink;
	/* both receive all bytes, and neither is closed with this sink */
	struct sink *to, *copy;
};

void tee_sink_init(struct tee_sink *tee, struct sink *to, struct sink *copy);
