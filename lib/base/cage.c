/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: rules of Landlock. The numbers are those of the kernel's interface: older headers lack
 * them. */
#include "base/cage.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { ASK_VERSION = 1, PATH_BENEATH = 1, WITH_TRUNCATE = 3, WITH_NETWORK = 4 };

enum {
	WRITE_FILE = 1 << 1,
	READ_FILE = 1 << 2,
	READ_FOLDER = 1 << 3,
	REMOVE_FOLDER = 1 << 4,
	REMOVE_FILE = 1 << 5,
	MAKE_CHARACTER = 1 << 6,
	MAKE_FOLDER = 1 << 7,
	MAKE_FILE = 1 << 8,
	MAKE_SOCKET = 1 << 9,
	MAKE_FIFO = 1 << 10,
	MAKE_BLOCK = 1 << 11,
	MAKE_LINK = 1 << 12,
	TRUNCATE = 1 << 14,
	ALL = WRITE_FILE | READ_FILE | READ_FOLDER | REMOVE_FOLDER | REMOVE_FILE | MAKE_CHARACTER |
	      MAKE_FOLDER | MAKE_FILE | MAKE_SOCKET | MAKE_FIFO | MAKE_BLOCK | MAKE_LINK,
	OF_FILES = WRITE_FILE | READ_FILE | TRUNCATE,
};

struct ruleset {
	uint64_t files, network;
};

struct rule {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

static uint64_t all_of(const struct cs_cage *cage)
{
	return cage->version >= WITH_TRUNCATE ? (uint64_t)ALL | TRUNCATE : ALL;
}

bool cs_cage_open(struct cs_cage *ret)
{
	struct cs_cage cage = {.fd = -1};
	cage.version = (int)syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
	bool with_network = cage.version >= WITH_NETWORK;
	/* nothing of the network: to bind and to connect */
	const struct ruleset set = {all_of(&cage), 3};
	if (cage.version > 0)
		cage.fd = (int)syscall(CREATE_RULESET, &set,
			with_network ? sizeof(set) : offsetof(struct ruleset, network), 0);
	*ret = cage;
	return cage.fd >= 0;
}

static void allow(const struct cs_cage *cage, const char *path, uint64_t allowed)
{
	struct stat st;
	struct rule rule = {.fd = cage->fd < 0 ? -1 : open(path, O_PATH | O_CLOEXEC)};
	if (rule.fd < 0)
		return;
	bool is_folder = fstat(rule.fd, &st) == 0 && S_ISDIR(st.st_mode);
	rule.allowed = allowed & all_of(cage) & (is_folder ? ~UINT64_C(0) : OF_FILES);
	syscall(ADD_RULE, cage->fd, PATH_BENEATH, &rule, 0); /* not allowed where it fails */
	close(rule.fd);
}

void cs_cage_let_read(const struct cs_cage *cage, const char *path)
{
	allow(cage, path, READ_FILE | READ_FOLDER);
}

void cs_cage_let_write(const struct cs_cage *cage, const char *path)
{
	allow(cage, path, all_of(cage));
}

void cs_cage_let_system(const struct cs_cage *cage)
{
	static const char *const places[] = {"/usr", "/lib", "/lib32", "/lib64", "/bin", "/etc",
		"/proc", "/sys/devices/system/cpu", "/nix/store", "/gnu/store"};
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		cs_cage_let_read(cage, places[i]);
	allow(cage, "/dev", READ_FILE | READ_FOLDER | WRITE_FILE);
}

bool cs_cage_enter(const struct cs_cage *cage)
{
	return cage->fd >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscall(RESTRICT_SELF, cage->fd, 0) == 0;
}

void cs_cage_close(struct cs_cage *cage)
{
	if (cage->fd >= 0)
		close(cage->fd);
	cage->fd = -1;
}
