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
 * FailedToLoad. One thread at a time may write.
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

/* The end of a frame, how long it was, and where the streaming source stood. */
static inline void run_log_frame(struct run_log *log, double seconds, long long frame,
	double milliseconds, double x, double y, double z)
{
	fprintf(log->file, "{\"t\":%.6f,\"frame\":%lld,\"ms\":%.4f,\"pos\":[%.3f,%.3f,%.3f]}\n",
		seconds, frame, milliseconds, x, y, z);
}

/* A level changes its state: for each streaming level, from its delegate. */
static inline void run_log_cell(
	struct run_log *log, double seconds, const char *package, const char *from, const char *to)
{
	fprintf(log->file, "{\"t\":%.6f", seconds);
	run_log_text(log, "cell", package);
	run_log_text(log, "from", from);
	run_log_text(log, "state", to);
	fputs("}\n", log->file);
}

/* What a level took, in seconds. */
static inline void run_log_level(
	struct run_log *log, double seconds, const char *package, double load, double show)
{
	fprintf(log->file, "{\"t\":%.6f", seconds);
	run_log_text(log, "level", package);
	fprintf(log->file, ",\"load\":%.6f,\"show\":%.6f}\n", load, show);
}

static inline void run_log_source(struct run_log *log, double seconds, const char *name,
	int priority, double x, double y, double z)
{
	fprintf(log->file, "{\"t\":%.6f", seconds);
	run_log_text(log, "source", name);
	fprintf(log->file, ",\"priority\":%d,\"pos\":[%.3f,%.3f,%.3f]}\n", priority, x, y, z);
}

/* Anything else: "flush", "gc", a mark of the game's own. */
static inline void run_log_event(
	struct run_log *log, double seconds, const char *kind, const char *text, double value)
{
	fprintf(log->file, "{\"t\":%.6f", seconds);
	run_log_text(log, "event", kind);
	run_log_text(log, "text", text);
	fprintf(log->file, ",\"value\":%.6f}\n", value);
}

static inline void run_log_close(struct run_log *log)
{
	if (log->file)
		fclose(log->file);
	log->file = NULL;
}

#endif
