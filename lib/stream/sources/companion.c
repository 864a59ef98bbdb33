/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The companion of a run: another simulation that uses the clock of the run without being part of
 * it. Its frames run with those of the run, its inputs are recorded with them, and its state is
 * part of every snapshot and hash, so both have one timeline.
 */
#include "stream/stream_internal.h"

struct cs_error *cs_run_companion_frame(struct cs_stream *stream, uint64_t length)
{
	return stream->companion.frame ? stream->companion.frame(stream->companion.context,
						 stream->clock.frame, stream->clock.time, length)
				       : NULL;
}

struct cs_error *cs_run_apply_companion(
	struct cs_stream *stream, const struct cs_stream_input *input)
{
	if (!stream->companion.input)
		return cs_error_new(CS_E_USAGE,
			"the run has no page streaming yet: `open FILE.cnanite` and then `camera "
			"add` begin it");
	return stream->companion.input(stream->companion.context, input->text);
}

void cs_stream_tell(struct cs_stream *stream, enum cs_companion_event event, uint32_t detail)
{
	cs_run_event(
		stream, CS_EVENT_COMPANION, CS_STREAM_NO_CELL, detail, 0, event, CS_REASON_NONE);
}

bool cs_run_companion_write(struct cs_stream *stream, struct cs_writer *writer)
{
	const void *bytes;
	size_t n;
	if (!stream->companion.save)
		return true;
	struct cs_error *error = stream->companion.save(stream->companion.context, &bytes, &n);
	cs_writer_u64(writer, error ? 0 : n);
	if (!error)
		cs_writer_bytes(writer, bytes, n);
	bool ok = !error;
	cs_error_free(error);
	return ok;
}

bool cs_run_companion_read(struct cs_stream *stream, struct cs_cursor *cursor)
{
	if (!stream->companion.restore)
		return true;
	uint64_t n = cs_cursor_u64(cursor);
	const unsigned char *bytes =
		n <= cs_cursor_left(cursor) ? cs_cursor_take(cursor, (size_t)n) : NULL;
	struct cs_error *error =
		bytes ? stream->companion.restore(stream->companion.context, bytes, (size_t)n)
		      : cs_error_nomem();
	bool ok = !error;
	cs_error_free(error);
	return ok;
}
