/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the files that --bless rewrites, and writes them. */
#include "src/session/script/bless.h"

#include "src/output/output.h"

#include <string.h>

static struct blessing *bless_find(struct session *session, const char *path)
{
	for (size_t i = 0; i < session->expected.blessings.n; i++)
		if (strcmp(session->expected.blessings.at[i].path, path) == 0)
			return &session->expected.blessings.at[i];
	return NULL;
}

struct cs_error *bless_later(struct session *session, const char *path, char *text, size_t n)
{
	struct blessing *old = bless_find(session, path);
	if (old) {
		free(old->text);
		old->text = text;
		old->n = n;
		return NULL;
	}
	struct blessing blessing = {.path = strdup(path), .text = text, .n = n};
	if (!blessing.path || !cs_vec_push(&session->expected.blessings, blessing)) {
		free(blessing.path);
		free(text);
		return cs_error_nomem();
	}
	return NULL;
}

struct cs_error *bless_all(struct session *session)
{
	const struct tally *tally = &session->expected.tally;
	bool all_worked = tally->status == STATUS_OK || tally->status == STATUS_SKIPPED;
	struct cs_error *error = NULL;
	if (session->expected.blessings.n > 0 && (!all_worked || tally->interrupted))
		return cs_error_new(CS_E_CHECK,
			"--bless replaced no expected output, because a command or another check "
			"failed or was interrupted");
	for (size_t i = 0; i < session->expected.blessings.n && !error; i++) {
		const struct blessing *blessing = &session->expected.blessings.at[i];
		error = cs_save_whole(blessing->path, blessing->text, blessing->n);
		if (!error) /* printed to standard error, because standard output may be TAP */
			say_to(&session->channels.err.sink, &style_of_scripts,
				"blessed: wrote %s\n", blessing->path);
	}
	return error;
}

void bless_free(struct session *session)
{
	for (size_t i = 0; i < session->expected.blessings.n; i++) {
		free(session->expected.blessings.at[i].path);
		free(session->expected.blessings.at[i].text);
	}
	cs_vec_free(&session->expected.blessings);
}
