/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saves files atomically. The temporary file is PATH.tmp.BOOT.RANDOM, and is locked while it is
 * written (format/owner.h). Such a file that no process has locked was left behind by a process
 * that was killed. It is removed when the same PATH is saved again.
 */
#include "format/save.h"

#include "core/text.h"
#include "format/owner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *save_folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return strdup(".");
	return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

/* Returns the part of a name after "BASE.tmp.", or NULL if the name does not begin with this. */
static const char *behind_base(const char *name, const char *base)
{
	size_t n = strlen(base);
	bool ours = strncmp(name, base, n) == 0 && strncmp(name + n, ".tmp.", 5) == 0;
	return ours ? name + n + 5 : NULL;
}

static void sweep(const char *folder, const char *base)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return;
	for (struct dirent *entry; (entry = readdir(dir));) {
		const char *owner = behind_base(entry->d_name, base);
		int fd;
		if (!owner || !cs_owner_is_here(owner) ||
			!cs_owner_is_gone(dirfd(dir), entry->d_name, &fd))
			continue;
		unlinkat(dirfd(dir), entry->d_name, 0);
		close(fd);
	}
	closedir(dir);
}

static struct cs_error *create(struct cs_save *save, mode_t mode)
{
	for (unsigned attempt = 0; attempt < 1000; attempt++) {
		char owner[CS_OWNER_NAME];
		free(save->temporary);
		cs_owner_name(owner);
		if (asprintf(&save->temporary, "%s.tmp.%s", save->path, owner) < 0) {
			save->temporary = NULL;
			return cs_error_nomem();
		}
		save->fd = cs_owner_create(save->temporary, mode);
		if (save->fd >= 0)
			return NULL;
		if (errno != EEXIST)
			break;
	}
	struct cs_error *error = cs_error_errno(errno, save->path, "create");
	free(save->temporary);
	save->temporary = NULL;
	return error;
}

/* Checks that the path is unused or a regular file. The new file gets the mode of that file. */
static struct cs_error *check_target(const char *path, mode_t *mode)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return errno == ENOENT
			       ? NULL
			       : cs_error_errno(errno, path, "find out the kind of this path");
	if (!S_ISREG(st.st_mode))
		return cs_error_at(
			CS_E_NOTFILE, path, CS_NO_OFFSET, "the path is not a regular file");
	*mode = st.st_mode & 07777;
	return NULL;
}

/* Returns the path to write to: `path` or the target of this symbolic link. The caller frees it. */
static char *behind_links(const char *path)
{
	enum { MOST_LINKS = 40 };
	char *at = strdup(path), target[PATH_MAX];
	ssize_t n = 0;
	for (int i = 0; at && i < MOST_LINKS && n >= 0; i++) {
		n = readlink(at, target, sizeof(target) - 1);
		if (n < 0)
			break; /* not a symbolic link */
		target[n] = '\0';
		const char *slash = strrchr(at, '/');
		int folder = *target != '/' && slash ? (int)(slash - at) + 1 : 0;
		char *next;
		if (asprintf(&next, "%.*s%s", folder, at, target) < 0)
			next = NULL;
		free(at);
		at = next;
	}
	return at;
}

struct cs_error *cs_save_begin(const char *path, struct cs_save *ret)
{
	struct cs_save save = {.fd = -1};
	mode_t mode = 0;
	struct cs_error *error = check_target(path, &mode);
	if (error)
		return error;
	save.path = behind_links(path);
	char *folder = save.path ? save_folder_of(save.path) : NULL;
	if (!folder) {
		error = cs_error_nomem();
	} else {
		sweep(folder, cs_base_name(save.path));
		error = create(&save, 0666);
	}
	if (!error && mode && fchmod(save.fd, mode) < 0)
		error = cs_error_errno(errno, path, "copy the permissions of the old file");
	free(folder);
	if (error)
		cs_save_abandon(&save);
	else
		*ret = save;
	return error;
}

/* Writes n bytes at an offset of the file, or at the current position if the offset is negative. */
static struct cs_error *save_put(struct cs_save *save, off_t offset, const void *bytes, size_t n)
{
	const unsigned char *from = bytes;
	while (n > 0) {
		const ssize_t put =
			offset < 0 ? write(save->fd, from, n) : pwrite(save->fd, from, n, offset);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return cs_error_errno(put < 0 ? errno : ENOSPC, save->path, "write");
		from += put;
		offset += offset < 0 ? 0 : put;
		n -= (size_t)put;
	}
	return NULL;
}

struct cs_error *cs_save_write(struct cs_save *save, const void *bytes, size_t n)
{
	return save_put(save, -1, bytes, n);
}

struct cs_error *cs_save_overwrite(
	struct cs_save *save, uint64_t offset, const void *bytes, size_t n)
{
	return save_put(save, (off_t)offset, bytes, n);
}

static struct cs_error *sync_folder(const char *path)
{
	char *folder = save_folder_of(path);
	if (!folder)
		return cs_error_nomem();
	struct cs_error *error = NULL;
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* EINVAL means that the file system cannot sync folders; the file was renamed already */
	if (fd < 0 || (fsync(fd) < 0 && errno != EINVAL))
		error = cs_error_errno(errno, folder,
			"flush this folder to the disk after a file in it was saved");
	if (fd >= 0)
		close(fd);
	free(folder);
	return error;
}

struct cs_error *cs_save_commit(struct cs_save *save)
{
	struct cs_error *error = NULL;
	if (!save->relaxed && fsync(save->fd) < 0)
		error = cs_error_errno(errno, save->path, "flush the new content to the disk");
	/* a duplicate of the descriptor keeps the lock until the file is renamed */
	int held = fcntl(save->fd, F_DUPFD_CLOEXEC, 0);
	if (close(save->fd) < 0 && !error)
		error = cs_error_errno(errno, save->path, "close");
	save->fd = held;
	if (!error && rename(save->temporary, save->path) < 0)
		error = cs_error_errno(errno, save->path,
			"rename the temporary file to this name, so nothing was saved");
	if (!error) {
		free(save->temporary);
		save->temporary = NULL;
		error = save->relaxed ? NULL : sync_folder(save->path);
	}
	cs_save_abandon(save);
	return error;
}

void cs_save_abandon(struct cs_save *save)
{
	if (save->fd >= 0)
		close(save->fd);
	if (save->temporary)
		unlink(save->temporary);
	free(save->temporary);
	free(save->path);
	*save = (struct cs_save){.fd = -1};
}

static struct cs_error *save_all(const char *path, const void *bytes, size_t n, bool relaxed)
{
	struct cs_save save;
	struct cs_error *error = cs_save_begin(path, &save);
	if (error)
		return error;
	save.relaxed = relaxed;
	error = cs_save_write(&save, bytes, n);
	return cs_save_end(&save, error);
}

struct cs_error *cs_save_whole(const char *path, const void *bytes, size_t n)
{
	return save_all(path, bytes, n, false);
}

struct cs_error *cs_save_relaxed(const char *path, const void *bytes, size_t n)
{
	return save_all(path, bytes, n, true);
}
