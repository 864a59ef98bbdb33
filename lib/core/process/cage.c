/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the Landlock rules and the filter of system calls that confine a process. The constants of
 * the kernel's interface are defined in this file, because older headers do not define them.
 */
#include "core/cage.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
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
	/* 3 means to restrict both kinds of network access, bind and connect */
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
	/* if this fails, the path stays forbidden */
	syscall(ADD_RULE, cage->fd, PATH_BENEATH, &rule, 0);
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

/* ---- the filter of system calls ---- */

#if defined(__x86_64__)
#define OWN_CALLS AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_CALLS AUDIT_ARCH_AARCH64
#elif defined(__i386__)
#define OWN_CALLS AUDIT_ARCH_I386
#elif defined(__s390x__)
#define OWN_CALLS AUDIT_ARCH_S390X
#elif defined(__riscv) && __riscv_xlen == 64
#define OWN_CALLS AUDIT_ARCH_RISCV64
#endif

#ifdef OWN_CALLS

static const int allowed_calls[] = {
	SYS_read,
	SYS_pread64,
	SYS_readv,
	SYS_write,
	SYS_writev,
	SYS_close,
	SYS_fstat,
	SYS_lseek,
	SYS_openat,
	SYS_dup,
	SYS_faccessat,
	SYS_readlinkat,
	SYS_getdents64,
	SYS_getcwd,
	SYS_ppoll,
	SYS_brk,
	SYS_munmap,
	SYS_mremap,
	SYS_mprotect,
	SYS_madvise,
	SYS_futex,
	SYS_clock_gettime,
	SYS_clock_nanosleep,
	SYS_nanosleep,
	SYS_gettimeofday,
	SYS_getrandom,
	SYS_getpid,
	SYS_gettid,
	SYS_getuid,
	SYS_geteuid,
	SYS_getgid,
	SYS_getegid,
	SYS_uname,
	SYS_sysinfo,
	SYS_getrusage,
	SYS_sched_getaffinity,
	SYS_sched_yield,
	SYS_set_robust_list,
	SYS_rt_sigaction,
	SYS_rt_sigprocmask,
	SYS_rt_sigreturn,
	SYS_sigaltstack,
	SYS_restart_syscall,
	SYS_exit,
	SYS_exit_group,
#ifdef SYS_mmap
	SYS_mmap,
#endif
#ifdef SYS_mmap2
	SYS_mmap2,
#endif
#ifdef SYS_open
	SYS_open,
#endif
#ifdef SYS_stat
	SYS_stat,
	SYS_lstat,
#endif
#ifdef SYS_newfstatat
	SYS_newfstatat,
#endif
#ifdef SYS_fstatat64
	SYS_fstatat64,
	SYS_fstat64,
	SYS_stat64,
	SYS_lstat64,
	SYS__llseek,
#endif
#ifdef SYS_statx
	SYS_statx,
#endif
#ifdef SYS_rseq
	SYS_rseq,
#endif
#ifdef SYS_getrlimit
	SYS_getrlimit,
#endif
#ifdef SYS_setrlimit
	SYS_setrlimit,
#endif
#ifdef SYS_ugetrlimit
	SYS_ugetrlimit,
#endif
#ifdef SYS_clock_gettime64
	SYS_clock_gettime64,
#endif
};

/*
 * Calls that are allowed only with one value of one argument. The list lacks those commands of
 * fcntl() that make a process receive signals. prlimit() may only set limits of this process.
 */
static const struct allowed_argument {
	int call;
	unsigned place; /* index of the argument, from 0 */
	uint32_t value;
} allowed_arguments[] = {
	{SYS_prlimit64, 0, 0},
	{SYS_fcntl, 1, F_DUPFD},
	{SYS_fcntl, 1, F_DUPFD_CLOEXEC},
	{SYS_fcntl, 1, F_GETFD},
	{SYS_fcntl, 1, F_SETFD},
	{SYS_fcntl, 1, F_GETFL},
#ifdef SYS_fcntl64
	{SYS_fcntl64, 1, F_DUPFD},
	{SYS_fcntl64, 1, F_DUPFD_CLOEXEC},
	{SYS_fcntl64, 1, F_GETFD},
	{SYS_fcntl64, 1, F_SETFD},
	{SYS_fcntl64, 1, F_GETFL},
#endif
};

enum {
	N_ALLOWED = sizeof(allowed_calls) / sizeof(allowed_calls[0]),
	N_ARGUMENTS = sizeof(allowed_arguments) / sizeof(allowed_arguments[0]),
	WITH_ARGUMENT = 5, /* number of BPF instructions for each row of allowed_arguments */
	MOST = 4 + 2 * N_ALLOWED + WITH_ARGUMENT * (N_ARGUMENTS + 1) + 1,
	LOW_WORD = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0,
};

static size_t allow_with_argument(struct sock_filter *to, const struct allowed_argument *row)
{
	const uint32_t place = offsetof(struct seccomp_data, args) + 8 * row->place + LOW_WORD;
	const struct sock_filter lines[WITH_ARGUMENT] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)row->call, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, row->value, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	memcpy(to, lines, sizeof(lines));
	return WITH_ARGUMENT;
}

bool cs_cage_filter_calls(void)
{
	/* abort sends a signal to its own process */
	const struct allowed_argument abort_self = {SYS_tgkill, 0, (uint32_t)getpid()};
	struct sock_filter lines[MOST] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_CALLS, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	size_t n = 4;
	for (size_t i = 0; i < N_ALLOWED; i++) {
		lines[n++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed_calls[i], 0, 1);
		lines[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	n += allow_with_argument(lines + n, &abort_self);
	for (size_t i = 0; i < N_ARGUMENTS; i++)
		n += allow_with_argument(lines + n, &allowed_arguments[i]);
	lines[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	const struct sock_fprog program = {(unsigned short)n, lines};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

#else

bool cs_cage_filter_calls(void)
{
	return false;
}

#endif
