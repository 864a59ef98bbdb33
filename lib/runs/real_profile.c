/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the frames of a CSV profile as rows. The profile itself is read where paths are
 * (stream/sources/csv_profile.c); of its last row the start of the clock is taken, in whole
 * seconds, and nothing else: the command line of somebody's game stands there.
 */
#include "runs/real.h"

#include "stream/source.h"

#include <string.h>

/* "...,[starttimestamp],1700000000,...": NAN where it is not there. */
static double profile_epoch(const struct cs_real_reader *reader)
{
	static const char key[] = "[starttimestamp],";
	const size_t tail = reader->size < 65536 ? reader->size : 65536;
	const struct cs_ue_piece end = {reader->text + reader->size - tail, tail};
	const char *at = cs_ue_piece_find(end, key);
	double epoch;
	if (!at)
		return (double)NAN;
	struct cs_ue_piece number = cs_ue_piece_from(end, (size_t)(at - end.at) + strlen(key));
	return cs_ue_log_number(&number, &epoch) ? epoch : (double)NAN;
}

static void profile_add(struct cs_real_reader *reader, const struct cs_path *path)
{
	const struct cs_path_key *keys;
	const struct cs_path_frame *frames = cs_path_frames(path);
	size_t n = cs_path_keys(path, &keys);
	for (size_t i = 0; i < n && frames; i++) {
		struct cs_real_frame row = {.origin = reader->origin,
			.time = keys[i].time,
			.ms = (double)frames[i].length_ns * 1e-6,
			.position = keys[i].position,
			.rotation = keys[i].rotation};
		row.origin.line = (int64_t)frames[i].line;
		memcpy(row.values, frames[i].values, sizeof(row.values));
		if (frames[i].events)
			row.events = cs_real_keep_z(reader, frames[i].events);
		cs_real_add_frame(reader, &row);
	}
}

struct cs_error *cs_real_read_profile(struct cs_real_reader *reader)
{
	struct cs_path *path;
	struct cs_ue_piece line;
	struct cs_error *error = cs_path_new(&path);
	if (error)
		return error;
	while (cs_real_next_line(reader, &line)) /* counts them */
		;
	reader->origin.offset = -1;
	error = cs_run_profile_read(reader->name, reader->text, reader->size, path);
	if (!error)
		profile_add(reader, path);
	cs_path_free(path);
	struct cs_real_file *file = cs_real_file_row(reader);
	file->kind = cs_real_keep_z(reader, "CSV profile");
	file->zero = cs_real_keep_z(reader, "the begin of the first frame");
	file->epoch = profile_epoch(reader);
	return error;
}
