/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements `tutorial` (lessons as text), `view lessons` (lessons on keys of the full screen). */
#include "src/front/open.h"
#include "src/session/plain.h"
#include "src/session/session.h"
#include "src/tui/screen.h"
#include "src/tui/views/views.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A lesson. `commands` are examples, which a test runs for all lessons in order. */
struct lesson {
	int64_t number;
	const char *title, *text, *commands;
};

static const struct lesson lessons[] = {
	{1, "A world to look at",
		"A world is opened from a cooked file, a UE project, a world in JSON or a log of\n"
		"the engine. Here one is made up: a town of 600 actors, cooked as it is opened.",
		"gen city --actors 600 --seed 7 -o town.json\nopen town.json\ninfo"},
	{2, "Looking around",
		"Cells are what streams. Any listing takes a condition (-w), a sort key (-s), a\n"
		"number of rows (-n) and columns (-c). @ says where. A number means a row of the\n"
		"last listing.",
		"cells -s -actors -n 5\ncell 1\nactors @ L0:0,-1 -n 3\nexplain 1"},
	{3, "Places",
		"cd goes to a cell, a point or an actor; a dot means the place, ls lists what is\n"
		"there, back returns. A mark is a name for a place.",
		"cd L0:0,-1\nls -n 3\nmark here\ncd 0,0\njump here\nback"},
	{4, "Letting it run",
		"A source is somebody in the world. Frame by frame, cells load and show; the map\n"
		"draws them, and legend tells what its letters mean.",
		"source add Eve 0,0,0\nstep\nmap\nlegend state"},
	{5, "Asking why", "Why is it there, why is it not, who is next?",
		"why L0:0,0\nwhy Lamp_362\nqueue -n 4\nmap -o why-not"},
	{6, "Stopping",
		"A breakpoint stops where something happens, under a condition that is SQL. Then\n"
		"the cell of the stop is the current place.",
		"break cell.show if level = 0\ncontinue\nwhy .\ndelete 1"},
	{7, "Back in time", "Every frame can be reached again, and every time with the same state.",
		"step 60 ~ frame\nreverse-step ~ frame\ngoto 10 ~ frame\ndiff 5 ~ changes"},
	{8, "What has it cost?",
		"Commands that rank frames and cells by their cost: milliseconds, bytes, waiting.",
		"hitches -n 3\nhitches --cells -n 3\nplot loading"},
	{9, "What if?",
		"A source can be cooked again with other settings; what would change is told, the\n"
		"files stay.",
		"whatif MainGrid.cell_size=25600"},
	{10, "Questions of your own",
		"Everything is a table. SELECT asks any question; -w and conditions of stops are\n"
		"the same language. Variables, if and foreach make scripts of it.",
		"SELECT level, count(*) AS cells FROM cells GROUP BY level\n"
		"set $many = (SELECT max(actors) FROM cells)\necho at most $many actors a cell\n"
		"assert $many > 0"},
};

enum { LESSONS = sizeof(lessons) / sizeof(lessons[0]) };

static const struct cs_column lesson_columns[] = {
	SHORT_AS("lesson", struct lesson, number, "number of the lesson"),
	SHORT(struct lesson, title, "subject of the lesson"),
	PLAIN(struct lesson, text, "text of the lesson"),
	PLAIN(struct lesson, commands, "commands to type, a line each"),
};

static const struct cs_table lesson_table = PLAIN_TABLE("lessons", "lesson", lesson_columns);

static void say_lesson(struct output *out, const struct lesson *lesson)
{
	say(out, "%u of %u: %s\n\n", (unsigned)lesson->number, (unsigned)LESSONS, lesson->title);
	say_lines(out, lesson->text);
	say(out, "\n");
	for (const char *line = lesson->commands; *line;) {
		size_t n = strcspn(line, "\n");
		say(out, "    %.*s\n", (int)n, line);
		line += n + (line[n] == '\n');
	}
	if (lesson->number < LESSONS)
		say(out, "\nThen: tutorial %u\n", (unsigned)lesson->number + 1);
	else
		say(out,
			"\nThat was the last. `help` lists the commands, `help CMD` explains one.\n");
}

/* ---- lessons on the full screen ---- */

/* fixtures/valley.json, which is written to an unnamed file for the JSON reader */
static const unsigned char valley[] = {
#include "cmds/valley.inc"
};

static struct cs_error *put_valley(int fd)
{
	for (size_t done = 0; done < sizeof(valley);) {
		ssize_t n = write(fd, valley + done, sizeof(valley) - done);
		if (n <= 0)
			return cs_error_errno(
				errno, NULL, "write the built-in example world to memory");
		done += (size_t)n;
	}
	return NULL;
}

static struct cs_error *open_valley(struct session *session)
{
	char path[64];
	struct cs_world *source = NULL;
	struct opened opened = {0};
	const struct cs_cook_options options = cook_options(session);
	int fd = memfd_create("valley", MFD_CLOEXEC);
	if (fd < 0)
		return cs_error_errno(
			errno, NULL, "create a file in memory for the built-in example world");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct cs_error *error = put_valley(fd);
	if (!error)
		error = cs_world_read_json(path, &session->job, &source);
	if (!error)
		error = world_cook(session, source, &options, "valley", &opened);
	close(fd);
	if (!error)
		return session_show(session, opened, "valley");
	cs_world_free(source);
	return error;
}

/* Begins the lessons of the full screen, on the example world if no world is open. */
static struct cs_error *begin_on_screen(struct call *call, const char *world)
{
	struct session *session = call->session;
	struct screen *screen;
	struct cs_error *error = NULL;
	if (strcmp(world, "valley") != 0 && *world)
		return cs_error_new(CS_E_USAGE,
			"the lessons on the screen use only the example world: "
			"`view lessons valley` begins them");
	if (*world || !session->world)
		error = open_valley(session);
	if (!error)
		error = screen_of(session, &screen);
	if (error)
		return error;
	screen_follow_world(screen);
	return screen_split(screen, &view_tutorial, "");
}

static struct cs_error *run_screen_tutorial(struct call *call)
{
	return begin_on_screen(call, argument_text(call_argument(call, 0), ""));
}

const struct command command_screen_tutorial = {
	.name = "view lessons",
	.was = "screen tutorial",
	.group = GROUP_SCREEN,
	.flags = COMMAND_CHANGES,
	.arguments = {{"valley", ARGUMENT_WORD, .optional = true}},
	.summary = "learn the keys of the screen in ten minutes, on a small world",
	.examples = "view lessons valley",
	.help = "Each lesson waits until you have done what it asks. `valley` closes the open\n"
		"world and opens a small world that is part of the program; without `valley` the\n"
		"small world is opened only when no world is open. On the full screen `tutorial`\n"
		"does the same as `view lessons`.",
	.run = run_screen_tutorial,
};

static struct cs_error *run_tutorial(struct call *call)
{
	const struct argument *number = call_argument(call, 0);
	if (call->session->display.has_terminal && !number->given && !asks_for_rows(call))
		return begin_on_screen(call, "");
	if (asks_for_rows(call))
		return emit_plain(call, &lesson_table, lessons, LESSONS);
	uint64_t at = argument_count(number, 1);
	if (at < 1 || at > LESSONS)
		return cs_error_new(CS_E_USAGE, "LESSON must be 1 to %u, not %llu",
			(unsigned)LESSONS, (unsigned long long)at);
	say_lesson(call->out, &lessons[at - 1]);
	return NULL;
}

const struct command command_tutorial = {
	.name = "tutorial",
	.group = GROUP_HELP,
	.flags = COMMAND_LISTS,
	.arguments = {{"LESSON", ARGUMENT_WHOLE, .optional = true}},
	.summary = "show lessons for beginners; all of them take about half an hour",
	.examples = "tutorial\ntutorial 4",
	.help = "LESSON is the number of a lesson, 1 to 10. Type the lines that the lesson shows,\n"
		"look at what they print, and go on to the next lesson. Without LESSON the\n"
		"command shows lesson 1, but on a terminal it begins other lessons, about the\n"
		"keys of the full screen (help view lessons). With an option for rows, such as\n"
		"`-n 10` or --json, the command lists the titles of the lessons instead.",
	.run = run_tutorial,
};
