/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where bytes go: a file, memory, a child process, or through a filter into another sink. A sink
 * is written to until it is closed; what went wrong on the way is told once, by sink_close.
 *
 * Only output.c writes into sinks: everything that a sink gets has passed cs_escape or is JSON.
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
/* Tells what went wrong; the sink is then empty, whatever owns its storage. */
struct cs_error *sink_close(struct sink *sink) CS_MUST_USE;

/* ---- memory ---- */

struct memory_sink {
	struct sink sink;
	CS_VEC(char) text; /* not ended by NUL */
	bool failed;
};

void memory_sink_init(struct memory_sink *memory);
/* What was written, ended by NUL; owned by the caller. */
struct cs_error *memory_sink_take(
	struct memory_sink *memory, char **text_ret, size_t *n_ret) CS_MUST_USE;
void memory_sink_deinit(struct memory_sink *memory);

/* ---- a stream of the program ---- */

struct stream_sink {
	struct sink sink;
	FILE *stream;
	int fd;                        /* of the stream, or -1 where it has none */
	bool broken_pipe;              /* its reader went away */
	void (*before)(void *context); /* is called before bytes are written; or NULL */
	bool guarded;  /* break up what a CI service that reads the log would take for a command */
	char tail[12]; /* while guarded: the last bytes of the line, without blanks it begins with
			*/
	void *context;
};

/*
 * A stream on a descriptor, which it closes, that goes on where a signal interrupts a write: those
 * of the C library lose what waited. NULL without memory.
 */
FILE *steady_open(int fd);
/* On a new file, as fopen(path, "w") makes it. */
FILE *steady_create(const char *path);
/* Standard output and standard error as such streams. */
FILE *steady_output(void);
FILE *steady_errors(void);

/* Writing errors show in ferror(stream); the stream stays open. */
void stream_sink_init(struct stream_sink *to, FILE *stream, int fd);
/* False when something could not be written, now or before. */
bool stream_sink_flush(struct stream_sink *to);

/* ---- a new file ---- */

struct file_sink {
	struct sink sink;
	FILE *stream;
	const char *path;
	struct cs_save save; /* where it replaces a file */
	bool replaces;
	bool is_spoilt; /* the caller's: what was at `path` stays */
};

struct cs_error *file_sink_open(struct file_sink *file, const char *path) CS_MUST_USE;

/* ---- a process that reads ---- */

struct child_sink {
	struct sink sink;
	int fd; /* its standard input */
	int pid;
	int failed; /* errno of the first failed write; EPIPE counts as none: it had enough */
};

/*
 * `command` goes to /bin/sh; `environment` is NULL or one NAME=VALUE to add for it; what it says
 * goes to `output`, or where ours does if that is negative.
 */
struct cs_error *child_sink_open(struct child_sink *child, const char *command,
	const char *environment, int output) CS_MUST_USE;

/* ---- lines that match ---- */

struct filter;
/* "text" is a substring, "/re/" an extended regular expression. */
struct cs_error *filter_new(const char *pattern, struct filter **ret) CS_MUST_USE;
/* What cannot be matched does not; filter_end says why. */
bool filter_matches(struct filter *filter, const char *text);
/* Frees it, NULL too; the first error of its matches. */
struct cs_error *filter_end(struct filter *filter) CS_MUST_USE;

struct filter_sink {
	struct sink sink;
	struct filter *filter;
	struct sink *to; /* not closed with this one */
	CS_VEC(char) line;
	bool failed;
};

void filter_sink_init(struct filter_sink *lines, struct filter *filter, struct sink *to);

/* ---- a copy of everything ---- */

struct tee_sink {
	struct sink sink;
	struct sink *to, *copy; /* not closed with this one */
};

void tee_sink_init(struct tee_sink *tee, struct sink *to, struct sink *copy);
