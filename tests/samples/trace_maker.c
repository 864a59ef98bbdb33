/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/samples/trace_maker.h"

#include <lz4.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
	unsigned char at[TRACE_MADE];
	size_t n;
};

static void little(struct bytes *b, uint64_t value, size_t width)
{
	for (size_t i = 0; i < width && b->n < sizeof(b->at); i++)
		b->at[b->n++] = (unsigned char)(value >> 8 * i);
}

static void raw(struct bytes *b, const void *from, size_t n)
{
	if (n > sizeof(b->at) - b->n)
		abort();
	memcpy(b->at + b->n, from, n);
	b->n += n;
}

struct made_field {
	const char *name;
	unsigned size, type;
};

/* Writes the declaration of a type, as an event of stream 0. */
static void declare(struct bytes *to, unsigned uid, unsigned flags, const char *logger,
	const char *name, const struct made_field *fields, size_t n)
{
	struct bytes body = {.n = 0};
	unsigned offset = 0;
	little(&body, uid, 2);
	little(&body, n, 1);
	little(&body, flags, 1);
	little(&body, strlen(logger), 1);
	little(&body, strlen(name), 1);
	for (size_t i = 0; i < n; i++) {
		little(&body, 0xcd00, 2); /* a plain field, and the byte that nobody writes */
		little(&body, offset, 2);
		little(&body, fields[i].size, 2);
		little(&body, fields[i].type, 1);
		little(&body, strlen(fields[i].name), 1);
		offset += fields[i].size;
	}
	raw(&body, logger, strlen(logger));
	raw(&body, name, strlen(name));
	for (size_t i = 0; i < n; i++)
		raw(&body, fields[i].name, strlen(fields[i].name));
	little(to, 0, 2);
	little(to, body.n, 2);
	raw(to, body.at, body.n);
}

static void packet(struct bytes *to, unsigned stream, const struct bytes *payload, int packed)
{
	char small[TRACE_MADE];
	int n = packed ? LZ4_compress_default(
				 (const char *)payload->at, small, (int)payload->n, sizeof(small))
		       : (int)payload->n;
	little(to, (uint64_t)n + 4 + (packed ? 2 : 0), 2);
	little(to, stream | (packed ? 0x8000u : 0), 2);
	if (packed)
		little(to, payload->n, 2);
	raw(to, packed ? (const void *)small : payload->at, (size_t)n);
}

static void header(struct bytes *to)
{
	raw(to, "2CRT", 4);
	little(to, 4, 2);
	little(to, 2, 2); /* two bytes of field 0, the control port */
	little(to, 1985, 2);
	little(to, 4, 1);
	little(to, 7, 1);
}

/* Writes an important event: number, size, the fixed fields and perhaps one array. */
static void important(struct bytes *to, unsigned uid, const struct bytes *fixed, unsigned field,
	const void *array, size_t n)
{
	struct bytes body = *fixed;
	if (array) {
		little(&body, 1u | field << 8 | (uint64_t)n << 13, 4);
		raw(&body, array, n);
		little(&body, 3, 1);
	}
	little(to, uid, 2);
	little(to, body.n, 2);
	raw(to, body.at, body.n);
}

static void thread_event(struct bytes *to, unsigned uid, int serial)
{
	little(to, uid << 1 | 1u, 2);
	if (serial)
		little(to, 0x112233, 3);
}

static void thread_array(struct bytes *to, unsigned field, const void *array, size_t n)
{
	little(to, 1u << 1 | field << 8 | (uint64_t)n << 13, 4);
	raw(to, array, n);
}

enum { NEW_TRACE = 16, BEGIN, END, CATEGORY, SPEC, MESSAGE, PACKAGE, SUMMARY, DONE };
enum { BOOKMARK_SPEC = 30, BOOKMARK };

static void declare_all(struct bytes *types)
{
	static const struct made_field clock[] = {
		{"StartCycle", 8, 3}, {"CycleFrequency", 8, 3}, {"StartDateTime", 8, 0x43}};
	static const struct made_field frame[] = {{"Cycle", 8, 3}, {"FrameType", 1, 0}};
	static const struct made_field category[] = {{"CategoryPointer", 8, 3}, {"Name", 0, 0x88}};
	static const struct made_field spec[] = {
		{"LogPoint", 8, 3}, {"CategoryPointer", 8, 3}, {"FormatString", 0, 0x88}};
	static const struct made_field message[] = {
		{"LogPoint", 8, 3}, {"Cycle", 8, 3}, {"FormatArgs", 0, 0x80}};
	static const struct made_field package[] = {{"Cycle", 8, 3}, {"AsyncPackage", 8, 3}};
	static const struct made_field summary[] = {{"AsyncPackage", 8, 3}, {"Name", 0, 0x89}};
	declare(types, NEW_TRACE, 1 | 4, "$Trace", "NewTrace", clock, 3);
	declare(types, BEGIN, 4, "Misc", "BeginFrame", frame, 2);
	declare(types, END, 4, "Misc", "EndFrame", frame, 2);
	declare(types, CATEGORY, 1 | 2 | 4, "Logging", "LogCategory", category, 2);
	declare(types, SPEC, 1 | 2 | 4, "Logging", "LogMessageSpec", spec, 3);
	declare(types, MESSAGE, 2, "Logging", "LogMessage", message, 3);
	declare(types, PACKAGE, 4, "LoadTime", "NewAsyncPackage", package, 2);
	declare(types, SUMMARY, 2 | 4, "LoadTime", "PackageSummary", summary, 2);
	declare(types, DONE, 4, "LoadTime", "DestroyAsyncPackage", package, 2);
}

static void say_once(struct bytes *to)
{
	static const char format[] =
		"Level %s CurrentState Loading -> %ls (TargetState=LoadedVisible)";
	struct bytes fixed = {.n = 0};
	const double epoch = 1.7e9;
	little(&fixed, 1000, 8);
	little(&fixed, 1000, 8);
	uint64_t bits;
	memcpy(&bits, &epoch, sizeof(bits));
	little(&fixed, bits, 8);
	important(to, NEW_TRACE, &fixed, 0, NULL, 0);
	fixed.n = 0;
	little(&fixed, 77, 8);
	important(to, CATEGORY, &fixed, 1, "LogLevelStreaming", 17);
	fixed.n = 0;
	little(&fixed, 5, 8);
	little(&fixed, 77, 8);
	important(to, SPEC, &fixed, 2, format, sizeof(format) - 1);
}

static void frame_mark(struct bytes *to, unsigned uid, uint64_t cycle)
{
	thread_event(to, uid, 0);
	little(to, cycle, 8);
	little(to, 0, 1);
}

static void say_in_thread(struct bytes *to)
{
	static const unsigned char arguments[] =
		"\x02\xc1\xc2/Game/_Generated_/UEDPIE_0_A_MainGrid_L0_X1_Y2\0L\0o\0a\0d\0e\0d\0N\0o\0t"
		"\0V\0i\0s\0i\0b\0l\0e\0\0";
	static const unsigned char name[] = "/\0G\0a\0m\0e\0/\0C\0e\0l\0l\0\0\x4e"
					    "A\0";
	frame_mark(to, BEGIN, 2000);
	thread_event(to, PACKAGE, 0);
	little(to, 2001, 8);
	little(to, 9, 8);
	thread_event(to, SUMMARY, 0);
	little(to, 9, 8);
	thread_array(to, 1, name, sizeof(name) - 1);
	little(to, 3u << 1, 1);
	little(to, 4u << 1, 1); /* a scope begins */
	thread_event(to, MESSAGE, 1);
	little(to, 5, 8);
	little(to, 2010, 8);
	thread_array(to, 2, arguments, 20);
	thread_array(to, 2, arguments + 20, sizeof(arguments) - 21);
	little(to, 3u << 1, 1);
	frame_mark(to, END, 2016);
	thread_event(to, DONE, 0);
	little(to, 2251, 8);
	little(to, 9, 8);
	frame_mark(to, BEGIN, 2016);
	frame_mark(to, END, 2049);
}

size_t trace_make(unsigned char ret[TRACE_MADE], int packed)
{
	struct bytes file = {.n = 0}, types = {.n = 0}, once = {.n = 0}, thread = {.n = 0};
	header(&file);
	declare_all(&types);
	say_once(&once);
	say_in_thread(&thread);
	packet(&file, 0, &types, packed);
	packet(&file, 1, &once, packed);
	packet(&file, 2, &thread, packed);
	memcpy(ret, file.at, file.n);
	return file.n;
}

static size_t made(unsigned char ret[TRACE_MADE], const struct bytes *b)
{
	memcpy(ret, b->at, b->n);
	return b->n;
}

size_t trace_make_packet(
	unsigned char ret[TRACE_MADE], unsigned stream, const unsigned char *bytes, size_t n)
{
	struct bytes to = {.n = 0}, payload = {.n = 0};
	raw(&payload, bytes, n);
	packet(&to, stream, &payload, 0);
	return made(ret, &to);
}

size_t trace_make_wide_type(unsigned char ret[TRACE_MADE])
{
	struct made_field fields[255];
	struct bytes to = {.n = 0};
	for (size_t i = 0; i < 255; i++)
		fields[i] = (struct made_field){"F", 1, 0};
	declare(&to, 900, 0, "Wide", "Type", fields, 255);
	return made(ret, &to);
}

size_t trace_make_frame(unsigned char ret[TRACE_MADE])
{
	struct bytes to = {.n = 0};
	frame_mark(&to, BEGIN, 3000);
	frame_mark(&to, END, 3016);
	return made(ret, &to);
}

size_t trace_make_package(unsigned char ret[TRACE_MADE], uint64_t number, const char *name)
{
	struct bytes to = {.n = 0};
	thread_event(&to, PACKAGE, 0);
	little(&to, 4000, 8);
	little(&to, number, 8);
	thread_event(&to, SUMMARY, 0);
	little(&to, number, 8);
	thread_array(&to, 1, name, strlen(name));
	little(&to, 3u << 1, 1);
	thread_event(&to, DONE, 0);
	little(&to, 4010, 8);
	little(&to, number, 8);
	return made(ret, &to);
}

size_t trace_make_bookmark_types(unsigned char ret[TRACE_MADE])
{
	static const struct made_field spec[] = {
		{"BookmarkPoint", 8, 3}, {"FormatString", 0, 0x88}};
	static const struct made_field mark[] = {
		{"Cycle", 8, 3}, {"BookmarkPoint", 8, 3}, {"FormatArgs", 0, 0x80}};
	struct bytes to = {.n = 0};
	declare(&to, BOOKMARK_SPEC, 2 | 4, "Misc", "BookmarkSpec", spec, 2);
	declare(&to, BOOKMARK, 2 | 4, "Misc", "Bookmark", mark, 3);
	return made(ret, &to);
}

size_t trace_make_bookmark(
	unsigned char ret[TRACE_MADE], const char *format, const unsigned char *arguments, size_t n)
{
	struct bytes to = {.n = 0};
	thread_event(&to, BOOKMARK_SPEC, 0);
	little(&to, 55, 8);
	thread_array(&to, 1, format, strlen(format));
	little(&to, 3u << 1, 1);
	thread_event(&to, BOOKMARK, 0);
	little(&to, 5000, 8);
	little(&to, 55, 8);
	thread_array(&to, 2, arguments, n);
	little(&to, 3u << 1, 1);
	return made(ret, &to);
}
