/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads files that are still being written. A file is read to its current end and then checked: if
 * it has become shorter, begins with other bytes, or its path names another file, a new reader
 * starts at the beginning. A pipe or port delivers a sequence of temporary files (follow_spool.c),
 * so no data is lost, however late it is read.
 */
#include "runs/follow.h"

#include "core/text.h"
#include "format/gzip.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLLOW_KEEP = 1000000, FOLLOW_HOLE = 1 << 24 };

static struct cs_error *follow_failed(const struct cs_follow *follow, const char *what, int number)
{
	return cs_error_at(CS_E_IO, follow->name, CS_NO_OFFSET, "%s: %s", what, strerror(number));
}

/* ---- listening on a port ---- */

/* Parses "[ADDRESS]:PORT"; `colon` precedes the port. The default address is 127.0.0.1. */
static bool follow_address(
	const char *what, const char *colon, struct sockaddr_storage *ret, socklen_t *n_ret)
{
	char host[INET6_ADDRSTRLEN + 2] = "127.0.0.1";
	struct sockaddr_in *four = (struct sockaddr_in *)ret;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)ret;
	const size_t n = (size_t)(colon - what);
	double port;
	if (!cs_double_parse(colon + 1, strlen(colon + 1), &port) || port < 1 || port > 65535 ||
		port != floor(port) || n >= sizeof(host))
		return false;
	const bool brackets = n > 2 && what[0] == '[' && what[n - 1] == ']';
	if (n)
		cs_format_c(
			host, sizeof(host), "%.*s", (int)(brackets ? n - 2 : n), what + brackets);
	memset(ret, 0, sizeof(*ret));
	if (inet_pton(AF_INET, host, &four->sin_addr) == 1) {
		four->sin_family = AF_INET;
		four->sin_port = htons((uint16_t)port);
		*n_ret = sizeof(*four);
		return true;
	}
	six->sin6_family = AF_INET6;
	six->sin6_port = htons((uint16_t)port);
	*n_ret = sizeof(*six);
	return inet_pton(AF_INET6, host, &six->sin6_addr) == 1;
}

static struct cs_error *follow_listen(struct cs_follow *follow, const char *colon)
{
	struct sockaddr_storage address;
	socklen_t n;
	const int yes = 1;
	if (!follow_address(follow->name, colon, &address, &n))
		return cs_error_new(CS_E_USAGE,
			"the argument must be :PORT or ADDRESS:PORT with a numeric address, not "
			"'%.100s'",
			follow->name);
	const int fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return follow_failed(follow, "cannot open a socket", errno);
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) < 0 ||
		bind(fd, (const struct sockaddr *)&address, n) < 0 || listen(fd, 8) < 0) {
		struct cs_error *error =
			follow_failed(follow, "cannot listen at this address and port", errno);
		close(fd);
		return error;
	}
	follow->listens = true;
	return cs_spool_new(fd, true, &follow->spool);
}

/* ---- opening a file, a pipe or a port ---- */

/* Returns the colon in front of a port number; NULL if `what` is the name of a file. */
static const char *follow_colon(const char *what)
{
	const char *colon = strrchr(what, ':');
	if (!colon || strchr(what, '/') || access(what, F_OK) == 0)
		return NULL;
	return colon == what || (colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1))
		       ? colon
		       : NULL;
}

static struct cs_error *follow_open_file(struct cs_follow *follow)
{
	struct stat is;
	/* O_NONBLOCK: opening a FIFO that has no writer must not block */
	const int fd = open(follow->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return cs_error_errno(errno, follow->name, "open");
	if (fstat(fd, &is) == 0 && S_ISREG(is.st_mode)) {
		follow->fd = fd;
		return NULL;
	}
	if (fstat(fd, &is) == 0 && (S_ISFIFO(is.st_mode) || S_ISCHR(is.st_mode)))
		return cs_spool_new(fd, false, &follow->spool);
	close(fd);
	return cs_error_at(CS_E_IO, follow->name, CS_NO_OFFSET,
		"the path must be a regular file or a pipe, to which a game can append");
}

static struct cs_error *follow_open_what(struct cs_follow *follow)
{
	const char *colon = follow_colon(follow->name);
	if (colon)
		return follow_listen(follow, colon);
	if (strcmp(follow->name, "-") != 0)
		return follow_open_file(follow);
	const int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	return fd < 0 ? follow_failed(follow, "standard input cannot be read", errno)
		      : cs_spool_new(fd, false, &follow->spool);
}

struct cs_error *cs_follow_open(
	struct cs_real *real, const char *what, uint64_t keep, struct cs_follow **ret)
{
	struct cs_follow *follow = calloc(1, sizeof(*follow));
	if (!follow)
		return cs_error_nomem();
	follow->real = real;
	follow->fd = -1;
	follow->keep = keep && keep < SIZE_MAX / 256 ? (size_t)keep : FOLLOW_KEEP;
	follow->name = strdup(what);
	struct cs_error *error = follow->name ? follow_open_what(follow) : cs_error_nomem();
	if (error)
		cs_follow_close(follow);
	else
		*ret = follow;
	return error;
}

/* ---- reading pieces ---- */

/* Stores an error in the note of the file's row and returns NULL, unless memory ran out. */
static struct cs_error *follow_excuse(struct cs_follow *follow, struct cs_error *error)
{
	if (!error || error->code == CS_E_NOMEM)
		return error;
	cs_real_file_row(&follow->reader)->note = cs_real_keep_z(&follow->reader, error->message);
	cs_error_free(error);
	return NULL;
}

/* Ends the reader of the current file; bytes read later belong to another file. */
static struct cs_error *follow_end_part(struct cs_follow *follow)
{
	struct cs_error *error = NULL;
	if (follow->reads) {
		error = follow_excuse(follow, cs_real_feed(&follow->reader, "", 0, true));
		cs_real_reader_tell(&follow->reader);
		cs_real_reader_free(&follow->reader);
		if (!error && follow->real->no_memory)
			error = cs_error_nomem();
		follow->real->no_memory = false;
	}
	follow->reads = follow->moved = false;
	follow->at = follow->hole = follow->walked = 0;
	follow->n_head = 0;
	return error;
}

static struct cs_error *follow_refuse(const struct cs_follow *follow, size_t n)
{
	const unsigned char *bytes = (const unsigned char *)follow->piece;
	if (n >= 2 && cs_gzip_is(bytes, n))
		return cs_error_at(CS_E_FEATURE, follow->name, 0,
			"a compressed file cannot be followed while it grows: `run open` reads it");
	if (n >= 2 && ((bytes[0] == 0xff && bytes[1] == 0xfe) ||
			      (bytes[0] == 0xfe && bytes[1] == 0xff) || !bytes[0] || !bytes[1]))
		return cs_error_at(CS_E_FEATURE, follow->name, 0,
			"UTF-16 text cannot be followed while it grows: `run open` reads it");
	return NULL;
}

static struct cs_error *follow_begin_part(struct cs_follow *follow, size_t n)
{
	struct cs_error *refused = follow_refuse(follow, n);
	if (refused && !follow->listens)
		return refused;
	follow->n_head = n < FOLLOW_HEAD ? n : FOLLOW_HEAD;
	memcpy(follow->head, follow->piece, follow->n_head);
	struct cs_error *error =
		cs_real_reader_begin(follow->real, follow->name, NULL, &follow->reader);
	if (error) {
		cs_error_free(refused);
		return error;
	}
	follow->reads = true;
	follow->reader.failed = refused != NULL;
	return follow_excuse(follow, refused);
}

static struct cs_error *follow_feed(struct cs_follow *follow, size_t n)
{
	struct cs_error *error = NULL;
	if (!follow->reads)
		error = follow_begin_part(follow, n);
	if (error)
		return error;
	follow->at += n;
	error = cs_real_forget(&follow->reader, follow->keep);
	const struct cs_real_marks before = cs_real_mark(follow->real);
	if (!error)
		error = cs_real_feed(&follow->reader, follow->piece, n, false);
	if (!error && follow->reader.again && follow->reader.ended && !follow->spool) {
		/* the last row of the profile names its columns, so the profile is read again */
		follow->walked = follow->at - n;
		follow->at = 0;
		error = cs_real_begin_again(&follow->reader);
	}
	/* only rows of a piece that is read for the first time are simulated */
	const bool is_new = follow->at > follow->walked;
	follow->next_cell = is_new ? before.cells : follow->real->cells.n;
	follow->next_frame = is_new ? before.frames : follow->real->frames.n;
	cs_real_reader_tell(&follow->reader);
	if (follow->listens)
		error = follow_excuse(follow, error);
	return !error && follow->real->no_memory ? cs_error_nomem() : error;
}

/* Returns whether the first bytes of the file have changed, which means that it was rewritten. */
static bool follow_is_other(const struct cs_follow *follow)
{
	char head[FOLLOW_HEAD];
	return pread(follow->fd, head, follow->n_head, 0) != (ssize_t)follow->n_head ||
	       memcmp(head, follow->head, follow->n_head) != 0;
}

/*
 * At the end of a file, checks whether its path names another file now. If so, the old file is read
 * once more before it is closed, because its writer may still be writing after it was renamed.
 */
static struct cs_error *follow_look_around(struct cs_follow *follow)
{
	struct stat open_one, named;
	if (fstat(follow->fd, &open_one) < 0 || stat(follow->name, &named) < 0 ||
		(open_one.st_ino == named.st_ino && open_one.st_dev == named.st_dev))
		return NULL;
	if (!follow->moved) {
		follow->moved = true;
		return NULL;
	}
	const int fd = open(follow->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &named) < 0 || !S_ISREG(named.st_mode)) {
		close(fd);
		return NULL;
	}
	close(follow->fd);
	follow->fd = fd;
	return follow_end_part(follow);
}

static struct cs_error *follow_read_file(struct cs_follow *follow, uint64_t *bytes_ret)
{
	struct stat is;
	struct cs_error *error = NULL;
	if (follow->at && ((fstat(follow->fd, &is) == 0 && (uint64_t)is.st_size < follow->at) ||
				  follow_is_other(follow)))
		error = follow_end_part(follow);
	const uint64_t again =
		follow->walked > follow->at ? follow->walked - follow->at : FOLLOW_PIECE;
	ssize_t n = error ? 0
			  : pread(follow->fd, follow->piece,
				    again < FOLLOW_PIECE ? again : FOLLOW_PIECE, (off_t)follow->at);
	if (n < 0)
		return follow_failed(follow, "the input cannot be read", errno);
	if (n == 0)
		return error ? error : follow_look_around(follow);
	*bytes_ret = (uint64_t)n;
	return follow_feed(follow, (size_t)n);
}

static struct cs_error *follow_read_spool(
	struct cs_follow *follow, uint64_t *bytes_ret, bool *over_ret)
{
	struct cs_spool_part part;
	if (!cs_spool_first(follow->spool, &part, over_ret))
		return NULL;
	if (part.size == follow->at && part.is_whole) {
		struct cs_error *error = follow_end_part(follow);
		cs_spool_next(follow->spool);
		/* reports one byte, so that the caller reads on: another file may follow */
		*bytes_ret = 1;
		return !error && part.failed
			       ? follow_failed(
					 follow, "cannot store what the game sends", part.failed)
			       : error;
	}
	const uint64_t left = part.size - follow->at;
	const ssize_t n = pread(part.fd, follow->piece, left < FOLLOW_PIECE ? left : FOLLOW_PIECE,
		(off_t)follow->at);
	if (n < 0)
		return follow_failed(follow, "the input cannot be read", errno);
	*bytes_ret = (uint64_t)n;
	struct cs_error *error = n ? follow_feed(follow, (size_t)n) : NULL;
	if (follow->at - follow->hole >= FOLLOW_HOLE &&
		fallocate(part.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)follow->hole,
			(off_t)(follow->at - follow->hole)) == 0)
		follow->hole = follow->at;
	return error;
}

struct cs_error *cs_follow_read(struct cs_follow *follow, uint64_t *bytes_ret, bool *over_ret)
{
	*bytes_ret = 0;
	*over_ret = false;
	return follow->spool ? follow_read_spool(follow, bytes_ret, over_ret)
			     : follow_read_file(follow, bytes_ret);
}

void cs_follow_close(struct cs_follow *follow)
{
	if (!follow)
		return;
	cs_error_free(follow_end_part(follow));
	cs_spool_free(follow->spool);
	if (follow->fd >= 0)
		close(follow->fd);
	free(follow->begins.at);
	free(follow->name);
	free(follow);
}
