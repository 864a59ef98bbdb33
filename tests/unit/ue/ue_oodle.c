/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Containers that Oodle packed, read by a codec that the user has (tests/faults/block_codec.c
 * stands for one): in a process of its own, which can reach nothing, and whose faults are errors by
 * name.
 */
#include "tests/samples/engine_container.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include "ue/container/file_list.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 200000 };

static unsigned char plain[SIZE];

static bool write_containers(const char *folder)
{
	const struct engine_file files[] = {
		{.path = "Town/One.uasset", .bytes = plain, .size = SIZE, .id = 7, .type = 2},
		{.path = "Town/Two.uasset", .bytes = plain, .size = 100, .id = 8, .type = 2}};
	const struct engine_container io = {
		.version = 5, .method = CS_UE_OODLE, .block_size = 65536, .mount = "../../../"};
	const struct engine_container pak = {
		.version = 11, .method = CS_UE_OODLE, .block_size = 65536, .mount = "../../../"};
	return engine_utoc_save(&io, files, 2, folder, "Store") &&
	       engine_pak_save(&pak, files, 2, folder, "Files");
}

/* Reads the first file of a container from `offset` to its end. */
static struct cs_error *read_first(const char *container, uint64_t offset)
{
	static unsigned char got[SIZE];
	struct cs_ue_place *place;
	size_t file, n = SIZE - (size_t)offset;
	struct cs_error *error = cs_ue_place_open(container, NULL, NULL, &place);
	if (error)
		return error;
	memset(got, 0, n);
	error = cs_ue_place_find(place, "One.uasset", &file);
	if (!error)
		error = cs_ue_place_read(place, file, offset, got, n);
	if (!error)
		ok(memcmp(got, plain + offset, n) == 0, "%s: every byte", container);
	cs_ue_place_close(place);
	return error;
}

static bool is_readable(const char *container)
{
	struct cs_ue_place *place = NULL;
	size_t file, n;
	works(cs_ue_place_open(container, NULL, NULL, &place), "%s opens", container);
	works(cs_ue_place_find(place, "One.uasset", &file), "the file is listed");
	const bool readable = cs_ue_place_files(place, &n)[file].readable;
	cs_ue_place_close(place);
	return readable;
}

/* Without the sandbox the codec can do what it tries; inside it cannot. */
static void check_escape(const char *path, const char *fault, const char *what)
{
	setenv("CODEC_FAULT", fault, 1);
	works(read_first(path, 0), "%s", what);
	setenv("CELLSCOPE_NO_SANDBOX", "1", 1);
	fails(read_first(path, 0), CS_E_COMPRESSION, "as it could without the sandbox");
	unsetenv("CELLSCOPE_NO_SANDBOX");
}

static void *read_start(void *context)
{
	unsigned char got[100];
	size_t file;
	works(cs_ue_place_find(context, "One.uasset", &file), "a thread finds the file");
	works(cs_ue_place_read(context, file, 0, got, sizeof(got)), "and reads its start");
	return NULL;
}

/* The process of the codec ends with the thread that started it. */
static void check_threads(const char *path, const char *codec)
{
	unsigned char got[100];
	struct cs_ue_place *place = NULL;
	pthread_t thread;
	size_t file;
	setenv("CELLSCOPE_OODLE", codec, 1);
	works(cs_ue_place_open(path, NULL, NULL, &place), "opens");
	ok(pthread_create(&thread, NULL, read_start, place) == 0, "a thread");
	pthread_join(thread, NULL);
	usleep(100000);
	works(cs_ue_place_find(place, "One.uasset", &file), "the file is found");
	works(cs_ue_place_read(place, file, 150000, got, sizeof(got)), "another thread reads on");
	ok(memcmp(got, plain + 150000, sizeof(got)) == 0, "every byte");
	cs_ue_place_close(place);
	unsetenv("CELLSCOPE_OODLE");
}

static void check_container(const char *path, const char *codec, const char *other)
{
	static const struct {
		const char *fault;
		enum cs_code code;
	} faults[] = {{"crash", CS_E_COMPRESSION}, {"exit", CS_E_COMPRESSION},
		{"short", CS_E_COMPRESSION}};
	unsetenv("CELLSCOPE_OODLE");
	ok(!is_readable(path), "without a codec it is not readable");
	fails(read_first(path, 0), CS_E_FEATURE, "and says so");
	setenv("CELLSCOPE_OODLE", codec, 1);
	ok(is_readable(path), "with one it is");
	works(read_first(path, 0), "from its first byte on");
	works(read_first(path, 70000), "from its second block on");
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		setenv("CODEC_FAULT", faults[i].fault, 1);
		fails(read_first(path, 0), faults[i].code, "a codec that does: %s",
			faults[i].fault);
	}
	check_escape(path, "open", "it can open no file");
	const int left_open = open("/dev/null", O_WRONLY);
	setenv("CODEC_FAULT", "write", 1);
	works(read_first(path, 0), "it has no file that others left open");
	close(left_open);
#ifdef IS_SANITIZED
	skip("no system call is refused under a sanitizer, whose run time makes calls of its own");
#else
	check_escape(path, "call", "it can open no socket, start no process");
#endif
	unsetenv("CODEC_FAULT");
	setenv("CELLSCOPE_OODLE", other, 1);
	fails(read_first(path, 0), CS_E_FEATURE, "a library of something else");
	setenv("CELLSCOPE_OODLE", "/nowhere/liboodle.so", 1);
	fails(read_first(path, 0), CS_E_FEATURE, "a library that is not there");
	unsetenv("CELLSCOPE_OODLE");
}

int main(void)
{
	char folder[4096], path[4200], codec[4200], other[4200], secret[4200];
	const char *build = getenv("CELLSCOPE_BUILD");
	for (size_t i = 0; i < SIZE; i++)
		plain[i] = (unsigned char)(i * i / 7);
	snprintf(folder, sizeof(folder), "%s/oodle", test_folder());
	mkdir(folder, 0777);
	snprintf(codec, sizeof(codec), "%s/tests/faults/block_codec.so", build ? build : ".");
	snprintf(other, sizeof(other), "%s/tests/faults/short.so", build ? build : ".");
	snprintf(secret, sizeof(secret), "%s/secret", folder);
	setenv("CODEC_FILE", secret, 1);
	ok(engine_save_bytes("secret", 6, folder, "secret"), "a file that no codec may read");
	if (access(codec, R_OK) != 0) {
		skip("the codec of the tests is not built");
		return done();
	}
	ok(write_containers(folder), "containers are written");
	snprintf(path, sizeof(path), "%s/Store.utoc", folder);
	check_container(path, codec, other);
	check_threads(path, codec);
	snprintf(path, sizeof(path), "%s/Files.pak", folder);
	check_container(path, codec, other);
	return done();
}
