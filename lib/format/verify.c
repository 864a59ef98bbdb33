/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verifies a container file: layout, every checksum, the content id, every field of every record.
 * Damage is reported as a finding, and checks that do not depend on the damaged data continue.
 */
#include "format/verify.h"

#include "core/job.h"
#include "format/layout.h"
#include "format/reader.h"

#include <stdio.h>
#include <string.h>

static bool verify_full(const struct cs_verify *verify)
{
	return verify->n >= verify->limit;
}

void cs_verify_add(struct cs_verify *verify, const char *rule, enum cs_severity severity,
	enum cs_code code, uint64_t offset, const char *place, const char *format, ...)
{
	struct cs_finding finding = {
		.severity = severity, .code = code, .offset = offset, .rule = rule};
	va_list args;
	if (verify_full(verify))
		return;
	va_start(args, format);
	vsnprintf(finding.message, sizeof(finding.message), format, args);
	va_end(args);
	snprintf(finding.place, sizeof(finding.place), "%s", place ? place : "");
	verify->n++;
	verify->report(verify->context, &finding);
}

struct cs_error *cs_verify_error(struct cs_verify *verify, struct cs_error *error)
{
	static const enum cs_code not_of_the_file[] = {
		CS_E_NOMEM, CS_E_IO, CS_E_NOFILE, CS_E_NOTFILE, CS_E_CHANGED, CS_E_INTERRUPTED};
	if (!error)
		return NULL;
	for (size_t i = 0; i < sizeof(not_of_the_file) / sizeof(not_of_the_file[0]); i++)
		if (error->code == not_of_the_file[i])
			return error;
	const struct cs_error *cause = error->cause;
	if (cause)
		/* remove ": " and the message of the cause, so that only the place is left */
		error->message[strlen(error->message) - strlen(cause->message) - 2] = '\0';
	cs_verify_add(verify, NULL, CS_ERROR, error->code, error->offset,
		cause ? error->message : NULL, "%s", (cause ? cause : error)->message);
	cs_error_free(error);
	return NULL;
}

static struct cs_error *verify_sections(struct cs_file *file, struct cs_verify *verify)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < file->n_sections; i++)
		error = cs_verify_error(verify, cs_file_check_section(file, i));
	return error;
}

static struct cs_error *verify_content_id(struct cs_file *file, struct cs_verify *verify)
{
	unsigned char id[16];
	struct cs_error *error = cs_file_compute_content_id(file, id);
	if (error)
		return cs_verify_error(verify, error);
	if (memcmp(id, file->content_id, sizeof(id)) != 0)
		cs_verify_add(verify, NULL, CS_ERROR, CS_E_CHECKSUM, CS_AT_CONTENT_ID, "header",
			"content_id must be the hash of the content, but is another");
	return NULL;
}

/* Checks n rows, also after invalid ones. `first` is the row number of rows[0] in the table. */
static void verify_rows(struct cs_file *file, const struct cs_record *record,
	const unsigned char *rows, size_t first, size_t n, struct cs_verify *verify)
{
	struct cs_record_problem problem;
	char place[96];
	for (size_t i = 0; !verify_full(verify); i++) {
		const unsigned char *rest = rows + i * record->size;
		i += cs_record_first_invalid(record, rest, n - i, &file->context);
		if (i == n)
			break;
		cs_record_check(record, rows + i * record->size, &file->context, &problem);
		snprintf(place, sizeof(place), "%s[%zu].%s", record->name, first + i,
			problem.field->name);
		cs_verify_add(verify, NULL, CS_ERROR, problem.code, CS_NO_OFFSET, place, "%s",
			problem.message);
	}
}

/* Checks a table section by section, so that memory for one section and its texts suffices. */
static struct cs_error *verify_table(
	struct cs_file *file, const struct cs_record *record, struct cs_verify *verify)
{
	struct cs_section_rows rows = cs_section_rows(file, record->table, NULL);
	struct cs_error *error = NULL;
	if (record->table == CS_TABLE_STRINGS)
		return cs_verify_error(verify, cs_file_check_texts(file));
	while (!error && record->n_fields && cs_section_rows_next(&rows, &error)) {
		const size_t parts = file->texts.n_parts;
		error = cs_file_need_texts(file, record, rows.rows, rows.end - rows.first);
		if (!error)
			verify_rows(
				file, record, rows.rows, rows.first, rows.end - rows.first, verify);
		cs_file_forget_texts(file, parts);
	}
	cs_section_rows_deinit(&rows);
	return cs_verify_error(verify, error);
}

struct cs_error *cs_verify_file(
	const char *path, const struct cs_job *job, struct cs_verify *verify, struct cs_file **ret)
{
	struct cs_file *file = NULL;
	*ret = NULL;
	struct cs_error *strict = cs_file_open(path, CS_FILE_STRICT, job, &file);
	if (!strict) {
		/* all checksums match, so only the content id and the records must be checked */
	} else {
		/* salvage mode compares no checksums; verify_sections compares them one by one */
		struct cs_error *error = cs_file_open(path, CS_FILE_SALVAGE, NULL, &file);
		if (error) {
			cs_error_free(error);
			return cs_verify_error(verify, strict);
		}
		size_t before = verify->n;
		error = verify_sections(file, verify);
		if (!error && verify->n == before)
			error = cs_verify_error(verify, strict);
		else
			cs_error_free(strict);
		if (error) {
			cs_file_close(file);
			return error;
		}
	}
	struct cs_error *error = verify_content_id(file, verify);
	for (size_t i = 0; !error && i < file->schema->n_records; i++) {
		error = verify_table(file, file->schema->records[i], verify);
		if (!error)
			error = cs_job_check(job);
	}
	if (error)
		cs_file_close(file);
	else
		*ret = file;
	return error;
}

struct cs_error *cs_file_verify(const char *path, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret)
{
	struct cs_verify verify = {report, context, 0, cs_job_limits(job).findings};
	struct cs_file *file;
	struct cs_error *error = cs_verify_file(path, job, &verify, &file);
	cs_file_close(file);
	if (!error)
		*n_ret = verify.n;
	return error;
}
