/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sinks (destinations of bytes): files, streams, memory, and filters that feed other sinks. */
#include "src/output/sink.h"

#include "src/output/pattern.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

void sink_text(struct sink *sink, const char *text)
{
	sink_write(sink, text, strlen(text));
}

void sink_put(void *sink, const char *bytes, size_t n)
{
	sink_write(sink, bytes, n);
}

struct cs_error *sink_close(struct sink *sink)
{
	return sink->close ? sink->close(sink) : NULL;
}

/* ---- sinks to memory ---- */

static void memory_write(struct sink *sink, const char *bytes, size_t n)
{
	struct memory_sink *memory = (struct memory_sink *)sink;
	if (!cs_vec_append(&memory->text, bytes, n))
		memory->failed = true;
}

static struct cs_error *memory_close(struct sink *sink)
{
	return ((struct memory_sink *)sink)->failed ? cs_error_nomem() : NULL;
}

void memory_sink_init(struct memory_sink *memory)
{
	*memory = (struct memory_sink){.sink = {memory_write, memory_close}};
}

struct cs_error *memory_sink_take(struct memory_sink *memory, char **text_ret, size_t *n_ret)
{
	size_t n = memory->text.n;
	if (memory->failed || !cs_vec_push(&memory->text, '\0')) {
		memory_sink_deinit(memory);
		return cs_error_nomem();
	}
	*text_ret = memory->text.at;
	*n_ret = n;
	memory_sink_init(memory);
	return NULL;
}

void memory_sink_deinit(struct memory_sink *memory)
{
	cs_vec_free(&memory->text);
}

/* ---- sinks to streams and files ---- */

static int fd_of_cookie(void *cookie)
{
	return (int)(intptr_t)cookie;
}

static ssize_t steady_write(void *cookie, const char *bytes, size_t n)
{
	size_t done = 0;
	while (done < n) {
		ssize_t put = write(fd_of_cookie(cookie), bytes + done, n - done);
		if (put >= 0)
			done += (size_t)put;
		else if (errno != EINTR)
			return 0; /* fopencookie() requires 0 on error, and keeps errno */
	}
	return (ssize_t)n;
}

static int steady_close(void *cookie)
{
	return close(fd_of_cookie(cookie));
}

/* Opens a stream on a descriptor; closing it closes both. Returns NULL if memory runs out. */
static FILE *steady_open(int fd)
{
	const cookie_io_functions_t functions = {.write = steady_write, .close = steady_close};
	return fopencookie((void *)(intptr_t)fd, "w", functions);
}

FILE *steady_output(void)
{
	static FILE *stream;
	if (!stream)
		stream = steady_open(STDOUT_FILENO);
	return stream ? stream : stdout;
}

FILE *steady_errors(void)
{
	static FILE *stream;
	if (!stream && (stream = steady_open(STDERR_FILENO)))
		setvbuf(stream, NULL, _IONBF, 0);
	return stream ? stream : stderr;
}

static void put_byte(struct stream_sink *to, char byte)
{
	if (putc_unlocked(byte, to->stream) == EOF)
		to->broken_pipe = to->broken_pipe || errno == EPIPE;
}

/*
 * Returns whether `byte` completes a sequence in a line that a CI service would run as a command:
 * "::" and a letter at the beginning (GitHub), "##[" (GitHub), "##vso[" (Azure), "##teamcity[". A
 * backslash before `byte` makes the sequence plain text.
 */
static bool ends_command(const char *tail, size_t length, char byte)
{
	static const char *const starts[] = {"##", "##vso", "##teamcity"};
	if (isalpha((unsigned char)byte))
		return length == 2 && tail[0] == ':' && tail[1] == ':';
	for (size_t i = 0; byte == '[' && i < sizeof(starts) / sizeof(starts[0]); i++) {
		size_t n = strlen(starts[i]);
		if (length >= n && strncasecmp(tail + length - n, starts[i], n) == 0)
			return true;
	}
	return false;
}

static void write_guarded(struct stream_sink *to, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t length = strnlen(to->tail, sizeof(to->tail) - 1);
		if (ends_command(to->tail, length, bytes[i]))
			put_byte(to, '\\');
		put_byte(to, bytes[i]);
		if (bytes[i] == '\n') {
			memset(to->tail, 0, sizeof(to->tail));
		} else if (length > 0 || (bytes[i] != ' ' && bytes[i] != '\t')) {
			if (length == sizeof(to->tail) - 1)
				memmove(to->tail, to->tail + 1, --length + 1);
			to->tail[length] = bytes[i];
		}
	}
}

static void stream_write(struct sink *sink, const char *bytes, size_t n)
{
	struct stream_sink *to = (struct stream_sink *)sink;
	if (n > 0 && to->before)
		to->before(to->context);
	if (to->guarded) {
		write_guarded(to, bytes, n);
		return;
	}
	if (n > 0 && fwrite(bytes, 1, n, to->stream) < n)
		to->broken_pipe = to->broken_pipe || errno == EPIPE;
}

/* Returns whether a pipe has no reader. Polls it, because the errno of a failed flush is lost. */
static bool has_no_reader(int fd)
{
	struct pollfd end = {.fd = fd};
	return poll(&end, 1, 0) > 0 && end.revents & POLLERR;
}

bool stream_sink_flush(struct stream_sink *to)
{
	if (fflush(to->stream) == 0 && !ferror(to->stream))
		return true;
	to->broken_pipe = to->broken_pipe || has_no_reader(to->fd);
	return false;
}

/*
 * Returns whether a CI service may run commands in what is written to the descriptor. Returns false
 * for a regular file, which may be data and which no service searches for commands.
 */
static bool is_read_by_service(int fd)
{
	static const char *const variables[] = {
		"CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"};
	struct stat st;
	bool is_log = fd >= 0 && fstat(fd, &st) == 0 && !S_ISREG(st.st_mode);
	for (size_t i = 0; is_log && i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i]);
		if (value && *value)
			return true;
	}
	return false;
}

void stream_sink_init(struct stream_sink *to, FILE *stream, int fd)
{
	*to = (struct stream_sink){.sink = {stream_write, NULL}, .stream = stream, .fd = fd};
	to->guarded = is_read_by_service(fd);
}

static void file_write(struct sink *sink, const char *bytes, size_t n)
{
	if (n > 0)
		fwrite(bytes, 1, n, ((struct file_sink *)sink)->stream);
}

static struct cs_error *file_close(struct sink *sink)
{
	struct file_sink *file = (struct file_sink *)sink;
	struct cs_error *error = NULL;
	bool failed = ferror(file->stream) != 0;
	errno = EIO;
	if (fclose(file->stream) != 0 || failed)
		error = cs_error_errno(errno, file->path, "write");
	if (!error && !file->is_spoilt && file->replaces)
		return cs_save_commit(&file->save);
	if (file->replaces)
		cs_save_abandon(&file->save);
	return error;
}

/* Opens a descriptor as steady_open() does; closes the descriptor if that fails. */
static FILE *steady_open_or_close(int fd)
{
	FILE *stream = fd < 0 ? NULL : steady_open(fd);
	if (!stream && fd >= 0)
		close(fd);
	return stream;
}

FILE *steady_create(const char *path)
{
	return steady_open_or_close(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
}

/* Opens a file to replace atomically at close. Writes devices, pipes, dangling links directly. */
struct cs_error *file_sink_open(struct file_sink *file, const char *path)
{
	struct stat st;
	*file = (struct file_sink){.sink = {file_write, file_close}, .path = path};
	file->replaces = stat(path, &st) == 0 ? S_ISREG(st.st_mode) : lstat(path, &st) < 0;
	struct cs_error *error = file->replaces ? cs_save_begin(path, &file->save) : NULL;
	if (error)
		return error;
	file->stream = file->replaces
			       ? steady_open_or_close(fcntl(file->save.fd, F_DUPFD_CLOEXEC, 0))
			       : steady_create(path);
	if (file->stream)
		return NULL;
	error = cs_error_errno(errno, path, "create");
	if (file->replaces)
		cs_save_abandon(&file->save);
	return error;
}

/* ---- filters of lines ---- */

struct filter {
	char *text; /* substring to find; NULL for a regular expression */
	struct pattern expression;
	struct cs_error *error; /* error of the first match that failed */
};

struct cs_error *filter_new(const char *pattern, struct filter **ret)
{
	size_t n = strlen(pattern);
	struct filter *filter = calloc(1, sizeof(*filter));
	bool is_expression = n >= 2 && pattern[0] == '/' && pattern[n - 1] == '/';
	if (!filter)
		return cs_error_nomem();
	filter->text = is_expression ? strndup(pattern + 1, n - 2) : strdup(pattern);
	if (!filter->text) {
		free(filter);
		return cs_error_nomem();
	}
	if (is_expression) {
		struct cs_error *error = pattern_compile(filter->text, &filter->expression);
		free(filter->text);
		filter->text = NULL;
		if (error) {
			free(filter);
			return error;
		}
	}
	*ret = filter;
	return NULL;
}

bool filter_matches(struct filter *filter, const char *text)
{
	bool matches = false;
	if (filter->text)
		return strstr(text, filter->text) != NULL;
	if (!filter->error)
		filter->error = pattern_match(&filter->expression, text, &matches);
	return matches;
}

struct cs_error *filter_end(struct filter *filter)
{
	if (!filter)
		return NULL;
	struct cs_error *error = filter->error;
	if (!filter->text)
		pattern_free(&filter->expression);
	free(filter->text);
	free(filter);
	return error;
}

static void pass_line(struct filter_sink *lines)
{
	if (!cs_vec_push(&lines->line, '\0')) {
		lines->failed = true;
	} else if (filter_matches(lines->filter, lines->line.at)) {
		sink_write(lines->to, lines->line.at, lines->line.n - 1);
		sink_write(lines->to, "\n", 1);
	}
	lines->line.n = 0;
}

static void filter_write(struct sink *sink, const char *bytes, size_t n)
{
	struct filter_sink *lines = (struct filter_sink *)sink;
	while (n > 0) {
		const char *end = memchr(bytes, '\n', n);
		size_t piece = end ? (size_t)(end - bytes) : n;
		if (!cs_vec_append(&lines->line, bytes, piece))
			lines->failed = true;
		if (end)
			pass_line(lines);
		bytes += piece + (end != NULL);
		n -= piece + (end != NULL);
	}
}

static struct cs_error *filter_close(struct sink *sink)
{
	struct filter_sink *lines = (struct filter_sink *)sink;
	if (lines->line.n > 0)
		pass_line(lines);
	cs_vec_free(&lines->line);
	return lines->failed ? cs_error_nomem() : NULL;
}

void filter_sink_init(struct filter_sink *lines, struct filter *filter, struct sink *to)
{
	*lines = (struct filter_sink){
		.sink = {filter_write, filter_close}, .filter = filter, .to = to};
}

/* ---- sinks that copy to two sinks ---- */

static void tee_write(struct sink *sink, const char *bytes, size_t n)
{
	struct tee_sink *tee = (struct tee_sink *)sink;
	sink_write(tee->to, bytes, n);
	sink_write(tee->copy, bytes, n);
}

void tee_sink_init(struct tee_sink *tee, struct sink *to, struct sink *copy)
{
	*tee = (struct tee_sink){{tee_write, NULL}, to, copy};
}
