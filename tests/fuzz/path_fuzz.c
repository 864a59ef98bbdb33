/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of sources: CSV, JSON, CSV profiles of the engine. */
#include "stream/stream_inside.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/seed_files.h"

#include <cellscope/runs.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char fuzz_name[] = "path";

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	static const char json[] =
		"{\"schema\":\"cellscope.path/1\",\"keys\":[{\"time\":0,\"position\":[1,2,3],"
		"\"rotation\":[0,90,0],\"velocity\":[600,0,0]},{\"time\":1,\"position\":[4,5,6]}]}";
	static const unsigned char gzip[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
		0x03, 0x73, 0x0d, 0x73, 0xf5, 0x0b, 0x09, 0xd6, 0x71, 0x2b, 0x4a, 0xcc, 0x4d, 0x0d,
		0xc9, 0xcc, 0x4d, 0xd5, 0x09, 0xcb, 0x4c, 0x2d, 0xd7, 0x0f, 0xc8, 0x2f, 0x8e, 0x80,
		0xb3, 0x22, 0xe1, 0xac, 0x28, 0x2e, 0x1d, 0x43, 0x33, 0x1d, 0x43, 0x1d, 0x23, 0x1d,
		0x63, 0xae, 0xe8, 0x82, 0x9c, 0xc4, 0x92, 0xb4, 0xfc, 0xa2, 0xdc, 0x58, 0x9d, 0x0a,
		0x2e, 0x00, 0x59, 0xde, 0x49, 0x8d, 0x46, 0x00, 0x00, 0x00};
	static const char *const texts[] = {
		"time,x,y,z,pitch,yaw,roll,vx,vy,vz\n0,0,0,0,0,0,0,600,0,0\n1.5,900,0,10,0,90,0,600,0,0\n",
		"0,1,2,3\n1e3,-4,5e2,6\n",
		json,
		"EVENTS,FrameTime,View/PosX,View/PosY,View/PosZ,View/ForwardX,View/ForwardY\n"
		"GC;\"a,b\",16.6,1,2,3,0,1\n,33,2,3,4\n[platform],x,[commandline],\"-a, -b\"\n",
		"EVENTS,FrameTime,View/PosX\n,16,1\n,16,1,2,3,.5\n"
		"EVENTS,FrameTime,View/PosX,View/PosY,View/PosZ,FileIO/QueuedPackagesQueueDepth\n"
		"[HasHeaderRowAtEnd],1,[platform],x\n",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		add(texts[i], strlen(texts[i]));
	add(gzip, sizeof(gzip));
}

static void read_as(const char *name)
{
	struct cs_path *path;
	struct cs_error *error = cs_path_read(name, &path);
	if (!error) {
		cs_path_at(path, 0.75, true);
		cs_path_free(path);
	}
	fuzz_note(error);
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
