/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the system that fail while a file is saved or read, each of them once: the linker puts
 * functions before those of the C library in the calls of our own code. A save that fails says why,
 * leaves the file as it was and nothing beside it; what a signal interrupts is tried again.
 */
#include "format/byte_source.h"
#include "format/save.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum call { PREAD, FSTAT, WRITE, PWRITE, FSYNC, CLOSE, RENAME, FCHMOD, CALLS };

static const char *const names[CALLS] = {
	"pread", "fstat", "write", "pwrite", "fsync", "close", "rename", "fchmod"};
static struct {
	bool armed;
	enum call call;
	int number;        /* errno of the one that fails */
	size_t n, failing; /* calls of that kind, and which of them fails, from 1 */
} fault;

static bool call_fails(enum call call)
{
	if (!fault.armed || fault.call != call || ++fault.n != fault.failing)
		return false;
	errno = fault.number;
	return true;
}

#define WRAPPED(type, name, call, takes, gives)                           \
	type __real_##name takes;                                         \
	type __wrap_##name takes;                                         \
	type __wrap_##name takes                                          \
	{                                                                 \
		return call_fails(call) ? (type)-1 : __real_##name gives; \
	}

WRAPPED(ssize_t, pread64, PREAD, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
WRAPPED(int, fstat64, FSTAT, (int fd, struct stat *ret), (fd, ret))
WRAPPED(ssize_t, pread, PREAD, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
WRAPPED(int, fstat, FSTAT, (int fd, struct stat *ret), (fd, ret))
WRAPPED(ssize_t, write, WRITE, (int fd, const void *from, size_t n), (fd, from, n))
WRAPPED(ssize_t, pwrite64, PWRITE, (int fd, const void *from, size_t n, off_t at),
	(fd, from, n, at))
WRAPPED(ssize_t, pwrite, PWRITE, (int fd, const void *from, size_t n, off_t at), (fd, from, n, at))
WRAPPED(int, fsync, FSYNC, (int fd), (fd))
WRAPPED(int, rename, RENAME, (const char *from, const char *to), (from, to))
WRAPPED(int, fchmod, FCHMOD, (int fd, mode_t mode), (fd, mode))

int __real_close(int fd);
int __wrap_close(int fd);

/* Closes the descriptor even when the call fails, as the kernel does. */
int __wrap_close(int fd)
{
	const bool fails = call_fails(CLOSE);
	const int status = __real_close(fd);
	if (fails)
		errno = fault.number;
	return fails ? -1 : status;
}

static char folder[4096], target[4200];

static size_t files_there(void)
{
	size_t n = 0;
	DIR *dir = opendir(folder);
	for (struct dirent *at; (at = readdir(dir));)
		n += at->d_name[0] != '.';
	closedir(dir);
	return n;
}

static struct cs_error *save_in_parts(void)
{
	struct cs_save save;
	struct cs_error *error = cs_save_begin(target, &save);
	if (error)
		return error;
	error = cs_save_write(&save, "---new", 6);
	if (!error)
		error = cs_save_overwrite(&save, 0, "old", 3);
	if (!error)
		return cs_save_commit(&save);
	cs_save_abandon(&save);
	return error;
}

static struct cs_error *save_whole(void)
{
	return cs_save_whole(target, "oldnew", 6);
}

static struct cs_error *read_back(void)
{
	unsigned char *bytes;
	size_t n;
	struct cs_error *error = cs_read_whole(target, 100, &bytes, &n);
	if (!error)
		free(bytes);
	return error;
}

static const struct {
	const char *name;
	struct cs_error *(*run)(void);
} deeds[] = {{"save in parts", save_in_parts}, {"save whole", save_whole}, {"read", read_back}};

static bool is_retried(enum call call)
{
	return call == PREAD || call == WRITE || call == PWRITE;
}

/*
 * Returns whether the call was made, so that it could fail. A folder that cannot be synced is
 * reported when its file is new.
 */
static bool try_fault(size_t deed, enum call call, int number, size_t nth)
{
	unsigned char *bytes = NULL;
	size_t n = 0;
	works(cs_save_whole(target, "before", 6), "%s: a file", deeds[deed].name);
	chmod(target, 0640);
	memset(&fault, 0, sizeof(fault));
	fault.call = call;
	fault.number = number;
	fault.failing = nth;
	fault.armed = true;
	struct cs_error *error = deeds[deed].run();
	fault.armed = false;
	const bool came = fault.n >= nth, good = number == EINTR && is_retried(call);
	/* the lock and the folder are closed as well, of which nothing is told */
	if (came && call != CLOSE)
		ok(good ? !error : error && error->code == CS_E_IO, "%s: %s %zu: %s",
			deeds[deed].name, names[call], nth, strerror(number));
	else if (!came)
		ok(!error, "%s: no %s %zu", deeds[deed].name, names[call], nth);
	works(cs_read_whole(target, 100, &bytes, &n), "%s: a file is there", deeds[deed].name);
	ok(n == 6 && (memcmp(bytes, "before", 6) == 0 || memcmp(bytes, "oldnew", 6) == 0),
		"%s: it is whole", deeds[deed].name);
	is_int(files_there(), 1, "%s: and nothing beside it", deeds[deed].name);
	free(bytes);
	cs_error_free(error);
	return came;
}

static void try_call(size_t deed, enum call call)
{
	enum { MOST_CALLS = 20 };
	static const int numbers[] = {EIO, EINTR};
	/* without fstat nobody can tell whose a temporary file is: the next save sweeps it */
	if (call == FSTAT && deeds[deed].run != read_back)
		return;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		for (size_t nth = 1; nth < MOST_CALLS; nth++)
			if (!try_fault(deed, call, numbers[i], nth))
				break;
}

int main(void)
{
	snprintf(folder, sizeof(folder), "%s/calls.%ld", test_folder(), (long)getpid());
	mkdir(folder, 0777);
	snprintf(target, sizeof(target), "%s/file", folder);
	for (size_t deed = 0; deed < sizeof(deeds) / sizeof(deeds[0]); deed++)
		for (int call = 0; call < CALLS; call++)
			try_call(deed, (enum call)call);
	unlink(target);
	rmdir(folder);
	return done();
}
