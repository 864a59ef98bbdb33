/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cellscope-import, the program that runs foreign code. With --code it prints the build ids of this
 * program and of the libraries that read meshes. With --oodle LIBRARY MEMORY CAGE it unpacks blocks
 * (serve_blocks.c). With PATH MEMORY FILE_BYTES RECORDS CAGE it reads one mesh file and writes the
 * mesh to standard output in the format of mesh/helper_wire.h. libcellscope starts this program and
 * checks every answer, because foreign code may crash or misbehave. The limits are numbers as in
 * struct cs_limits. The program can only read files in the folder of the mesh file, because buffers
 * of a glTF file are beside it, and write to its standard output. If the kernel cannot restrict the
 * program this way, the program refuses to run, unless CAGE is "no".
 */
#include "core/fully.h"
#include "format/byte_source.h"
#include "import/import_parts.h"
#include "import/memory_limit.h"
#include "mesh/helper_wire.h"

#include <cellscope/farm.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/*
 * Restricts the process to reading the folder of the file, and /proc/self to measure its memory. It
 * cannot start processes, open sockets or write files.
 */
static struct cs_error *go_into_cage(const char *path)
{
	static const char *const others[] = {"/proc/self", NULL};
	if (memory_cage(path, others))
		return NULL;
	return cs_error_new(CS_E_FEATURE,
		"the kernel does not support Landlock and seccomp, which confine the importer: "
		"--no-sandbox imports without them");
}

static struct cs_error *import(const char *path, const struct cs_job *job,
	struct cs_mesh_report *report, struct cs_mesh **ret)
{
	const struct cs_limits *limits = job->limits;
	uint64_t most = limits->file_bytes < limits->memory ? limits->file_bytes : limits->memory;
	struct cs_mesh_file file = {.name = path};
	unsigned char *bytes;
	struct cs_error *error = cs_read_whole(path, most, &bytes, &file.size);
	if (error)
		return error->code == CS_E_LIMIT && most == limits->memory
			       ? cs_error_add(error, " (raise it with --max-mem)")
			       : error;
	file.bytes = bytes;
	file.other_bytes = most - file.size;
	memory_confine_time(file.size);
	error = cs_import_promise(&file);
	if (!error)
		error = cs_import_scene(&file, job, report, ret);
	if (file.bytes != bytes)
		free((void *)file.bytes);
	free((void *)file.floats);
	free(bytes);
	return error;
}

static bool import_main_answer(
	struct cs_error *error, struct cs_mesh *mesh, const struct cs_mesh_report *report)
{
	if (!error)
		return cs_wire_put_mesh(STDOUT_FILENO, mesh, report);
	if (error->code == CS_E_NOMEM && memory_shortage() == CS_E_LIMIT)
		return cs_wire_put_plain(STDOUT_FILENO, CS_E_LIMIT, memory_limit_message);
	return cs_wire_put_error(STDOUT_FILENO, error);
}

static int tell_code(void)
{
	char text[CS_FARM_KEY_TEXT];
	cs_farm_code(text);
	return cs_write_fully(STDOUT_FILENO, text, sizeof(text) - 1) ? 0 : 1;
}

int main(int argc, char **argv)
{
	static const char usage[] = "cellscope-import is part of libcellscope, which starts it.\n";
	struct cs_limits limits = cs_limits_default();
	const struct cs_job job = {.threads = 1, .limits = &limits};
	struct cs_mesh *mesh = NULL;
	struct cs_mesh_report report = {0};
	if (argc == 2 && strcmp(argv[1], "--code") == 0)
		return tell_code();
	const bool unpacks = argc == 5 && strcmp(argv[1], "--oodle") == 0;
	if ((argc != 6 && !unpacks) || isatty(STDOUT_FILENO))
		return write(STDERR_FILENO, usage, sizeof(usage) - 1) < 0 ? 3 : 2;
	closefrom(STDERR_FILENO + 1);
	/* the kernel kills this process when its parent ends, and grants it no new privileges */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (unpacks) {
		memory_confine(strtoull(argv[3], NULL, 10));
		_exit(unpack_serve(argv[2], strcmp(argv[4], "no") != 0));
	}
	limits.memory = strtoull(argv[2], NULL, 10);
	limits.file_bytes = strtoull(argv[3], NULL, 10);
	limits.records = strtoull(argv[4], NULL, 10);
	memory_confine(limits.memory);
	struct cs_error *error = strcmp(argv[5], "no") == 0 ? NULL : go_into_cage(argv[1]);
	if (!error)
		error = import(argv[1], &job, &report, &mesh);
	bool answered = import_main_answer(error, mesh, &report);
	/* the memory is not freed before _exit(), because the kernel frees it */
	_exit(answered ? 0 : 1);
}
