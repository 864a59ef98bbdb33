/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a game includes to write its run as lines of JSON that `run open` reads
 * (schema cellscope.run/1). It needs C99 and stdio alone. A line is written whole, so a game that
 * dies leaves at most one line without its end, which the reader tells.
 *
 *	struct run_log log;
 *	run_log_open(&log, "run.jsonl");
 *	run_log_frame(&log, seconds, frame, milliseconds, x, y, z);
 *	run_log_cell(&log, seconds, "Map_MainGrid_L0_X1_Y2", "Unloaded", "Loading");
 *	run_log_close(&log);
 *
 * Seconds count from a zero of the game's own, which all lines share; places are in cm. States are
 * the engine's: Unloaded, Loading, LoadedNotVisible, MakingVisible, LoadedVisible, MakingInvisible,
 * FailedToLoad. A number that is not finite is written as null, which is unknown; `seconds` must be
 * finite. One thread at a time may write.
 */
#ifndef RUN_LOG_H
#define RUN_LOG_H

#include <stdio.h>

struct run_log {
	FILE *file;
};

/* 0, or -1 where the file cannot be written. */
static inline int run_log_open(struct run_log *log, const char *path)
{
	log->file = fopen(path, "wb");
	return log->file && fputs("{\"schema\":\"cellscope.run/1\"}\n", log->file) >= 0 ? 0 : -1;
}

/* A text between quotes: controls become blanks. */
static inline void run_log_text(struct run_log *log, const char *key, const char *text)
{
	fprintf(log->file, ",\"%s\":\"", key);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', log->file);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, log->file);
	}
	fputc('"', log->file);
}

/* A number with six decimals and a point, whatever the locale, after the text in front of it. */
static inline void run_log_number(struct run_log *log, const char *before, double value)
{
	const double size = value < 0 ? -value : value;
	const unsigned long long micro = size < 9e12 ? (unsigned long long)(size * 1e6 + 0.5) : 0;
	if (size < 9e12)
		fprintf(log->file, "%s%s%llu.%06llu", before, value < 0 ? "-" : "", micro / 1000000,
			micro % 1000000);
	else if (size < 1e300)
		fprintf(log->file, "%s%.0f", before, value);
	else
		fprintf(log->file, "%snull", before);
}

static inline void run_log_place(struct run_log *log, double x, double y, double z)
{
	run_log_number(log, ",\"pos\":[", x);
	run_log_number(log, ",", y);
	run_log_number(log, ",", z);
	fputs("]}\n", log->file);
}

/* The end of a frame, how long it was, and where the streaming source stood. */
static inline void run_log_frame(struct run_log *log, double seconds, long long frame,
	double milliseconds, double x, double y, double z)
{
	run_log_number(log, "{\"t\":", seconds);
	fprintf(log->file, ",\"frame\":%lld", frame);
	run_log_number(log, ",\"ms\":", milliseconds);
	run_log_place(log, x, y, z);
}

/* A level changes its state: for each streaming level, from its delegate. */
static inline void run_log_cell(
	struct run_log *log, double seconds, const char *package, const char *from, const char *to)
{
	run_log_number(log, "{\"t\":", seconds);
	run_log_text(log, "cell", package);
	run_log_text(log, "from", from);
	run_log_text(log, "state", to);
	fputs("}\n", log->file);
}

/* What a level took, in seconds. */
static inline void run_log_level(
	struct run_log *log, double seconds, const char *package, double load, double show)
{
	run_log_number(log, "{\"t\":", seconds);
	run_log_text(log, "level", package);
	run_log_number(log, ",\"load\":", load);
	run_log_number(log, ",\"show\":", show);
	fputs("}\n", log->file);
}

static inline void run_log_source(struct run_log *log, double seconds, const char *name,
	int priority, double x, double y, double z)
{
	run_log_number(log, "{\"t\":", seconds);
	run_log_text(log, "source", name);
	fprintf(log->file, ",\"priority\":%d", priority);
	run_log_place(log, x, y, z);
}

/* Anything else: "flush", "gc", a mark of the game's own. */
static inline void run_log_event(
	struct run_log *log, double seconds, const char *kind, const char *text, double value)
{
	run_log_number(log, "{\"t\":", seconds);
	run_log_text(log, "event", kind);
	run_log_text(log, "text", text);
	run_log_number(log, ",\"value\":", value);
	fputs("}\n", log->file);
}

static inline void run_log_close(struct run_log *log)
{
	if (log->file)
		fclose(log->file);
	log->file = NULL;
}

#endif
