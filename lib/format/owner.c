/* SPDX-License-Identifier: Apache-2.0 */
/* Names and locks of temporary files. The lock ends with the process, however the process ends. */
#include "format/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BOOT = 8, DIGITS = 16 };

/* Writes eight digits that identify the kernel's current boot, or zeros if they are unknown. */
static void boot_name(char ret[BOOT + 1])
{
	char text[BOOT];
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	bool known = fd >= 0 && read(fd, text, BOOT) == BOOT;
	if (fd >= 0)
		close(fd);
	snprintf(ret, BOOT + 1, "%.8s", known ? text : "00000000");
}

void cs_owner_name(char ret[CS_OWNER_NAME])
{
	char boot[BOOT + 1];
	uint64_t chance = 0;
	struct timespec now;
	boot_name(boot);
	if (getrandom(&chance, sizeof(chance), GRND_NONBLOCK) != (ssize_t)sizeof(chance)) {
		/* no random bits are available, so the time and the process id are used */
		clock_gettime(CLOCK_MONOTONIC, &now);
		chance = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)getpid();
	}
	snprintf(ret, CS_OWNER_NAME, "%s.%016llx", boot, (unsigned long long)chance);
}

int cs_owner_create(const char *path, unsigned mode)
{
	struct stat st;
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0)
		return -1;
	/* another process that removes leftovers may have locked or removed the file meanwhile */
	bool lost = flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;
	if (!lost && fstat(fd, &st) == 0 && st.st_nlink > 0)
		return fd;
	close(fd);
	errno = EEXIST;
	return -1;
}

bool cs_owner_is_here(const char *name)
{
	char boot[BOOT + 1];
	boot_name(boot);
	return strcmp(boot, "00000000") != 0 && strncmp(name, boot, BOOT) == 0 &&
	       name[BOOT] == '.' && strspn(name + BOOT + 1, "0123456789abcdef") == DIGITS;
}

bool cs_owner_is_gone(int folder, const char *name, int *fd_ret)
{
	struct stat st;
	int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		flock(fd, LOCK_EX | LOCK_NB) == 0) {
		*fd_ret = fd;
		return true;
	}
	if (fd >= 0)
		close(fd);
	return false;
}
