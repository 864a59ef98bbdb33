/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creates and frees the tables of real runs, and opens a file: reads all of it, unpacks it if it is
 * packed, converts UTF-16 to UTF-8, and passes the text to the reader.
 */
#include "runs/real.h"

#include "core/job.h"
#include "format/byte_source.h"
#include "format/gzip.h"

enum { REAL_LARGEST = 1 << 30 };

struct cs_error *cs_real_new(struct cs_real **ret)
{
	struct cs_real *real = calloc(1, sizeof(*real));
	if (!real)
		return cs_error_nomem();
	*ret = real;
	return NULL;
}

void cs_real_clear(struct cs_real *real)
{
	cs_strings_deinit(&real->texts);
	cs_vec_free(&real->files);
	cs_vec_free(&real->frames);
	cs_vec_free(&real->cells);
	cs_vec_free(&real->levels);
	cs_vec_free(&real->sources);
	cs_vec_free(&real->events);
	cs_vec_free(&real->objects);
	cs_vec_free(&real->pairs);
	cs_vec_free(&real->moments);
	cs_vec_free(&real->fits);
	*real = (struct cs_real){0};
}

void cs_real_free(struct cs_real *real)
{
	if (real)
		cs_real_clear(real);
	free(real);
}

static struct cs_error *real_read_text(struct cs_real *real, const char *file, const char *text,
	size_t size, const struct cs_job *job)
{
	struct cs_real_reader reader;
	struct cs_error *error = cs_real_reader_begin(real, file, job, &reader);
	if (error)
		return error;
	error = cs_real_feed(&reader, text, size, true);
	cs_real_reader_tell(&reader);
	if (!error && real->no_memory)
		error = cs_error_nomem();
	if (!error && !reader.known && cs_real_file_row(&reader)->unread && !memchr(text, 0, size))
		error = cs_error_at(CS_E_TRUNCATED, file, 0,
			"the first line of the file is not complete, so the kind of the file is "
			"not known");
	if (!error && !reader.known)
		error = cs_error_at(CS_E_MAGIC, file, 0,
			"the file is not a record of a run that can be read: CSV profile, log, "
			"memreport, level streaming .tsv, .utrace, or JSON lines of "
			"cellscope.run/1 (the binary .csv.bin is not read)");
	if (error)
		cs_real_take_back(&reader);
	cs_real_reader_free(&reader);
	return error;
}

struct cs_error *cs_real_read(struct cs_real *real, const char *file, const struct cs_job *job)
{
	unsigned char *bytes, *unpacked;
	size_t size, n;
	struct cs_error *error = cs_read_whole(file, REAL_LARGEST, &bytes, &size);
	if (error)
		return error;
	if (cs_gzip_is(bytes, size)) {
		bool cut;
		error = cs_gzip_unpack(file, bytes, size, REAL_LARGEST, &cut, &unpacked, &n);
		free(bytes);
		if (error)
			return error;
		if (cut) /* as a game leaves it that crashes */
			cs_job_log(job, CS_LOG_WARNING,
				"%s: the gzip file is truncated; what it holds is read", file);
		bytes = unpacked;
		size = n;
	}
	if (!cs_real_is_trace((const char *)bytes, size))
		error = cs_utf16_narrow_bytes(file, REAL_LARGEST, &bytes, &size);
	if (!error)
		error = real_read_text(real, file, (const char *)bytes, size, job);
	free(bytes);
	return error;
}
