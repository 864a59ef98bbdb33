/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spoil_runs FOLDER EVERY: files of real runs in which one number is extreme, written to FOLDER as
 * N.EXTENSION; what N is goes to standard output. Each number of a text of every form, in words
 * that C, JSON or games write; each byte, word and double word of a trace. One in EVERY is written.
 * For front/run_fields.sh.
 */
#include "core/cursor.h"
#include "tests/samples/trace_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *extension, *text;
} forms[] = {
	{"log", "[2026.11.23-20.15.30:123][ 42]LogLevelStreaming: Verbose: Level /Game/Maps/"
		"_Generated_/UEDPIE_0_A_MainGrid_L0_X1_Y2:-1 CurrentState MakingVisible -> "
		"LoadedVisible (TargetState=LoadedVisible)\n"
		"[2026.11.23-20.15.31:001][ 43]LogStreaming: FlushAsyncLoading(896,895): 43 "
		"QueuedPackages, 0 AsyncPackages\n"
		"  - P: Priority: 128 | Local | Activated | Pos: X=735,Y=1109,Z=235 | Rot: "
		"R(P=-50.00) | Vel: 2.50 m/s (0 mph)\n"},
	{"memreport",
		"Time Since Boot: 106.40 Seconds\nProcess Physical Memory: 1120.75 MB used, 1216.52 MB "
		"peak\nLevels:\n->  /Game/Maps/UEDPIE_0_Map\n    /Game/Maps/_Generated_/Map_A -  1.3 "
		"sec\t\tred loaded and visible\n\n    Level /Game/Maps/Map.Map:PersistentLevel  3.12  3.14\n"
		"Obj List: -resourcesizesort\nObjects:\n\n"
		"      Class    Count      NumKB      MaxKB   ResExcKB  ResExcDedSysKB\n"
		"  Texture2D      149     231.69     236.34   57556.00            0.00\n"
		"Name: Nanite.StreamingManager.ClusterPageData - Type: Buffer - Size: 512.5 MB - Flags\n"},
	{"tsv", "PackageNameOnDisk\tState\tTimeQueuedForLoading\tTimeLoading\t"
		"TimeQueuedForAddToWorld\tTimeAddingToWorld\tTimeInWorld\n"
		"/Game/M/_Generated_/A\tVisible\t0.125\t1.5\t2\t3\t4\n"},
	{"jsonl",
		"{\"schema\":\"cellscope.run/1\"}\n"
		"{\"t\":0.5,\"frame\":30,\"ms\":16.5,\"pos\":[1,2,3],\"rot\":[4,5,6]}\n"
		"{\"t\":0.6,\"cell\":\"city_MainGrid_L0_X0_Y0\",\"from\":\"Unloaded\",\"state\":\"Loading\"}\n"
		"{\"t\":1.5,\"frame\":90,\"ms\":16.5,\"pos\":[9,2,3]}\n"
		"{\"t\":0.7,\"source\":\"P\",\"pos\":[4,5,6],\"priority\":3}\n"
		"{\"t\":0.8,\"event\":\"flush\",\"value\":2}\n"
		"{\"t\":0.9,\"level\":\"A\",\"queue\":1,\"load\":2,\"show_queue\":3,\"show\":4,\"hide\":5}\n"},
	{"csv", "EVENTS,FrameTime,View/PosX,View/PosY,View/PosZ,MemoryFreeMB\n"
		"GC,16.6,1,2,3,900\n,17.5,4,5,6,901\n[starttimestamp],1700000000\n"},
};

static const char *const words[] = {"", "0", "-1", "-0", "1e13", "1e300", "-1e300", "1e-320",
	"1e999", "nan", "inf", "-inf", "2147483648", "4294967295", "9223372036854775807",
	"-9223372036854775808", "18446744073709551616", "99999999999999999999999999999999999999",
	"0x10", "00000000001"};

static const uint64_t extremes[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7f800000,
	0x7fffffff, 0x80000000, 0xffffffff, 0x7ff0000000000000, 0x7ff8000000000000,
	0x7fefffffffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff};

static const char *folder;
static unsigned every, tried, written;

static void write_file(
	const char *extension, const void *const parts[3], const size_t sizes[3], const char *what)
{
	char path[4096];
	if (tried++ % every != 0)
		return;
	snprintf(path, sizeof(path), "%s/%u.%s", folder, written++, extension);
	FILE *file = fopen(path, "wb");
	for (int i = 0; file && i < 3; i++)
		if (fwrite(parts[i], 1, sizes[i], file) != sizes[i])
			abort();
	if (!file || fclose(file) != 0)
		abort();
	printf("%s %s\n", path, what);
}

static void spoil_text(const char *extension, const char *text)
{
	static const char digits[] = "0123456789.";
	const char *end = text + strlen(text), *at = text + strcspn(text, digits);
	for (size_t length; at < end; at += length + strcspn(at + length, digits)) {
		length = strspn(at, digits);
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			const char *const parts[3] = {text, words[i], at + length};
			const size_t sizes[3] = {
				(size_t)(at - text), strlen(words[i]), (size_t)(end - at) - length};
			char what[64];
			snprintf(what, sizeof(what), "byte %zu is '%s'", sizes[0], words[i]);
			write_file(extension, (const void *const *)parts, sizes, what);
		}
	}
}

static void spoil_trace(void)
{
	unsigned char trace[TRACE_MADE];
	const size_t size = trace_make(trace, 0);
	for (size_t width = 1; width <= 8; width *= 2)
		for (size_t at = 0; at + width <= size; at++)
			for (size_t i = 0; i < sizeof(extremes) / sizeof(extremes[0]); i++) {
				unsigned char value[8];
				char what[64];
				if (width < 8 && extremes[i] >> 8 * width)
					break;
				cs_store64(value, extremes[i]);
				const void *const parts[3] = {trace, value, trace + at + width};
				const size_t sizes[3] = {at, width, size - at - width};
				snprintf(what, sizeof(what), "%zu bytes at %zu are %#llx", width,
					at, (unsigned long long)extremes[i]);
				write_file("utrace", parts, sizes, what);
			}
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	folder = argv[1];
	every = (unsigned)strtoul(argv[2], NULL, 10);
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		spoil_text(forms[i].extension, forms[i].text);
	spoil_trace();
	return 0;
}
