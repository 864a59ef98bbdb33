/* SPDX-License-Identifier: Apache-2.0 */
/* Files of real runs: logs, memreports, .tsv, lines of JSON, CSV profiles, traces. */
#include "runs/real.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/seed_files.h"
#include "tests/samples/trace_maker.h"

#include <cellscope/compare.h>
#include <cellscope/query.h>

#include <string.h>

const char fuzz_name[] = "real";

const char *const fuzz_words[] = {"CurrentState ", " -> ",
	"(TargetState=", "LogLevelStreaming: ", ": Priority: ", "Levels:\n", "->  ",
	"Pos: X=", "FlushAsyncLoading(", ":PersistentLevel ",
	"Time Since Boot: ", "[2026.11.23-20.15.30:123][ 42]", "TimeLoading\t", "EVENTS,", "2CRT",
	NULL};

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	static const char *const texts[] = {
		"Log file open, 11/23/26\n[2026.11.23-20.15.30:123][ 42]LogLevelStreaming: Verbose: "
		"Level /Game/Maps/_Generated_/UEDPIE_0_A_LevelInstance_7:-1 CurrentState "
		"MakingVisible -> LoadedVisible (TargetState=LoadedVisible)\n",
		"Time Since Boot: 206.40 Seconds\nLevels:\n->  /Game/UEDPIE_0_Map\n    /Game/B -  "
		"1.3 sec\t\tgreen Unloaded\nStreaming Sources:\n  - P: Priority: 128 | Local | "
		"Activated | Pos: X=626,Y=2062,Z=1170 | Rot: R(P=-50.00) | Vel: 0.00 m/s (0 mph)\n",
		"PackageNameOnDisk\tTimeLoading\tTimeAddingToWorld (s)\n/Game/A\t0.1\t2\n",
		"{\"schema\":\"cellscope.run/1\"}\n{\"t\":1,\"ms\":16,\"pos\":[1,2,3]}\n{\"t\":2,"
		"\"cell\":\"A\",\"state\":\"Loading\"}\n{\"t\":3,\"level\":\"A\",\"load\":1}\n",
		"EVENTS,FrameTime,View/PosX,View/PosY,View/PosZ\nGC,16.6,1,2,3\n"
		"[starttimestamp],1700000000\n",
	};
	unsigned char trace[TRACE_MADE];
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		add(texts[i], strlen(texts[i]));
	add(trace, trace_make(trace, 0));
	add(trace, trace_make(trace, 1));
}

/* A file in pieces has the rows that it has as a whole; a profile alone may be refused as a whole,
 * when its last row is missing, and a trace may name its types behind what is of them. */
static void feed_pieces(const uint8_t *bytes, size_t size, const struct cs_real *whole)
{
	struct cs_real *real;
	struct cs_real_reader reader;
	struct cs_error *error = cs_real_new(&real);
	if (error || cs_real_reader_begin(real, "pieces", NULL, &reader))
		abort();
	const size_t piece = size % 61 + 1;
	for (size_t at = 0; !error && at < size; at += piece)
		error = cs_real_feed(&reader, (const char *)bytes + at,
			at + piece < size ? piece : size - at, false);
	if (!error)
		error = cs_real_feed(&reader, "", 0, true);
	cs_real_reader_tell(&reader);
	const bool lines = reader.form == &cs_real_log_form || reader.form == &cs_real_tsv_form ||
			   reader.form == &cs_real_jsonl_form;
	if (whole && lines &&
		(error || whole->cells.n != real->cells.n || whole->levels.n != real->levels.n ||
			whole->frames.n != real->frames.n || whole->events.n != real->events.n ||
			whole->sources.n != real->sources.n ||
			whole->files.at[0].unread != real->files.at[0].unread))
		abort();
	cs_error_free(error);
	cs_real_reader_free(&reader);
	cs_real_free(real);
}

/* Packed, and text of 16 bits a character, is unpacked before it is read. */
static bool is_plain(const uint8_t *bytes, size_t size)
{
	return size < 2 || (bytes[0] && bytes[1] && bytes[0] < 0xfe && bytes[0] != 0x1f);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct memory_file file = memory_file_new(bytes, size);
	struct cs_real *real;
	struct cs_error *error = cs_real_new(&real);
	if (!error) {
		error = cs_real_read(real, file.path, NULL);
		if (is_plain(bytes, size))
			feed_pieces(bytes, size, error ? NULL : real);
		cs_real_free(real);
	}
	fuzz_note(error);
	memory_file_free(&file);
	return 0;
}
