/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads and saves the file that stores typed lines between sessions. */
#include "src/front/repl.h"

#include "src/front/paths.h"

#include <fcntl.h>
#include <stdlib.h>

#include <readline/history.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINES = 10000 };

static char *path;
static int added;

/* Creates the history file with mode 0600 from the start, so other users can never read it. */
static void create_private(void)
{
	make_folders_of(path);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (fchmod(fd, 0600) < 0) {
		/* fails only if another user owns the file, whose access rights then remain */
	}
	close(fd);
}

void history_start(void)
{
	using_history();
	stifle_history(MOST_LINES);
	path = user_path("XDG_STATE_HOME", ".local/state", "history");
	added = 0;
	if (path)
		read_history(path);
}

static int is_fit(const char *line)
{
	if (line[strspn(line, " \t")] == '\0')
		return 0;
	for (const unsigned char *c = (const unsigned char *)line; *c; c++)
		if ((*c < ' ' && *c != '\t') || *c == 0x7f)
			return 0;
	HIST_ENTRY *last =
		history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
	return !last || strcmp(last->line, line) != 0;
}

void history_add(const char *line)
{
	if (!is_fit(line))
		return;
	add_history(line);
	added++;
}

size_t history_lines(void)
{
	return history_length > 0 ? (size_t)history_length : 0;
}

const char *history_line(size_t index)
{
	HIST_ENTRY *entry = history_get(history_base + (int)index);
	return entry ? entry->line : "";
}

void history_save(void)
{
	if (path && added > 0) {
		create_private();
		append_history(added, path);
		history_truncate_file(path, MOST_LINES);
	}
	free(path);
	path = NULL;
}
