/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of sources, CSV and JSON. */
#include "tests/fuzz/files.h"
#include "tests/fuzz/fuzz.h"

#include <cellscope/stream_events.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char fuzz_name[] = "path";

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	static const char json[] =
		"{\"schema\":\"cellscope.path/1\",\"keys\":[{\"time\":0,\"position\":[1,2,3],"
		"\"rotation\":[0,90,0],\"velocity\":[600,0,0]},{\"time\":1,\"position\":[4,5,6]}]}";
	static const char *const texts[] = {
		"time,x,y,z,pitch,yaw,roll,vx,vy,vz\n0,0,0,0,0,0,0,600,0,0\n1.5,900,0,10,0,90,0,600,0,0\n",
		"0,1,2,3\n1e3,-4,5e2,6\n",
		json,
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		add(texts[i], strlen(texts[i]));
}

static void read_as(const char *name)
{
	struct cs_path *path;
	struct cs_error *error = cs_path_read(name, &path);
	if (!error) {
		cs_path_at(path, 0.75, true);
		cs_path_free(path);
	}
	cs_error_free(error);
}

static struct seed_file json;

static void remove_link(void)
{
	seed_file_drop(&json);
}

/* The form goes by the name: a link whose name ends in .json leads to the same bytes. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct memory_file file = memory_file_new(bytes, size);
	if (!*json.path) {
		json = seed_file_new("path.json");
		atexit(remove_link);
	}
	unlink(json.path);
	if (symlink(file.path, json.path) < 0)
		abort();
	read_as(file.path);
	read_as(json.path);
	memory_file_free(&file);
	return 0;
}
