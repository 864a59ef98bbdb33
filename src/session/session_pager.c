/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides whether output goes through a pager, and starts the pager. */
#include "src/session/session_pager.h"

#include "src/session/environment.h"
#include "src/session/signals.h"

bool pager_is_wanted(const struct session *session, const struct sink *to)
{
	return session->mode.interactive && to == &session->channels.out.sink &&
	       session_is_on(session, SETTING_PAGER) && !session_is_on(session, SETTING_PLAIN) &&
	       terminal_is_output();
}

/* Starts the pager, which receives all output from the first line on. */
static void start_paging(struct pager_sink *pager)
{
	static const char *const names[] = {"CELLSCOPE_PAGER", "PAGER", NULL};
	char command[4096];
	snprintf(command, sizeof(command), "%s%s",
		terminal_chose_locale() ? "export LC_ALL=C.UTF-8; " : "",
		environment_first(names, "less"));
	struct cs_error *error = child_sink_open(
		&pager->child, command, getenv("LESS") ? NULL : "LESS=FRX", CHILD_PRINTS);
	if (error) {
		cs_error_free(error);
		pager->rows = UINT32_MAX; /* no pager could be started: print directly */
		sink_write(pager->to, pager->held.at, pager->held.n);
	} else {
		pager->paging = true;
		signals_child_has_terminal(true);
		sink_write(&pager->child.sink, pager->held.at, pager->held.n);
	}
	cs_vec_free(&pager->held);
}

static void session_pager_count_lines(struct pager_sink *pager, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != '\n' && ++pager->column <= pager->columns)
			continue;
		pager->lines++;
		pager->column = bytes[i] != '\n';
	}
}

static void pager_write(struct sink *sink, const char *bytes, size_t n)
{
	struct pager_sink *pager = (struct pager_sink *)sink;
	if (pager->paging) {
		sink_write(&pager->child.sink, bytes, n);
		return;
	}
	if (pager->rows == UINT32_MAX) {
		sink_write(pager->to, bytes, n);
		return;
	}
	if (!cs_vec_append(&pager->held, bytes, n))
		pager->failed = true;
	session_pager_count_lines(pager, bytes, n);
	if (pager->lines >= pager->rows)
		start_paging(pager);
}

static struct cs_error *pager_close(struct sink *sink)
{
	struct pager_sink *pager = (struct pager_sink *)sink;
	struct cs_error *error = NULL;
	if (pager->paging) {
		error = sink_close(&pager->child.sink);
		signals_child_has_terminal(false);
	} else if (pager->held.n > 0) {
		sink_write(pager->to, pager->held.at, pager->held.n);
	}
	cs_vec_free(&pager->held);
	if (pager->failed && !error)
		error = cs_error_nomem();
	return error;
}

bool pager_steps_aside(const struct session *session, struct sink *to)
{
	struct pager_sink *pager = (struct pager_sink *)to;
	if (to == &session->channels.out.sink)
		return true;
	if (to->write != pager_write || pager->paging)
		return false;
	if (pager->held.n > 0)
		sink_write(pager->to, pager->held.at, pager->held.n);
	pager->held.n = 0;
	return true;
}

void pager_sink_init(struct pager_sink *pager, struct sink *to)
{
	*pager = (struct pager_sink){.sink = {pager_write, pager_close}, .to = to};
	terminal_size(&pager->columns, &pager->rows);
}
