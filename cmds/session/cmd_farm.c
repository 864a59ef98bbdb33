/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands `farm ...`, which divide builds into steps for many machines. */
#include "src/session/plain.h"
#include "src/session/script/checks.h"
#include "src/session/session.h"

#include <cellscope/farm.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* ---- rows of listings ---- */

struct step_row {
	int64_t id;
	const char *state, *verb, *name, *key;
	double estimate, seconds;
	uint32_t status; /* CS_NONE = the step has not ended */
	bool said_no;
	const char *output;
};

static const struct cs_column step_columns[] = {
	SHORT(struct step_row, id, "number of the step in the plan"),
	SHORT(struct step_row, state, "waiting, running, hit, done, failed, skipped"),
	SHORT(struct step_row, verb, "command of the step"),
	SHORT(struct step_row, name, "file or map of the step"),
	SHORT(struct step_row, seconds, "seconds that the step took"),
	PLAIN(struct step_row, estimate, "estimated seconds"),
	PLAIN(struct step_row, status,
		"exit status of the process of the step; 128 + number of the signal that ended "
		"it; null: it has not ended"),
	PLAIN(struct step_row, said_no, "whether the step is a check that did not hold"),
	PLAIN(struct step_row, key, "key of the result of the step in the cache"),
	PLAIN(struct step_row, output,
		"output of a failed step, or of a check that did not hold; or that the process of "
		"a running step is gone"),
};

static const struct cs_table step_table = PLAIN_TABLE("steps", "step", step_columns);

static uint32_t status_of(const struct cs_farm_outcome *outcome)
{
	const bool ended =
		outcome && (outcome->state == CS_FARM_HIT || outcome->state == CS_FARM_DONE ||
				   outcome->state == CS_FARM_FAILED);
	return ended ? (uint32_t)outcome->status : CS_NONE;
}

static struct cs_error *emit_steps(
	struct call *call, const struct cs_farm_plan *plan, const struct cs_farm_summary *summary)
{
	size_t n = cs_farm_steps(plan, NULL);
	struct step_row *rows = calloc(n + 1, sizeof(*rows));
	char(*keys)[CS_FARM_KEY_TEXT] = calloc(n + 1, sizeof(*keys));
	struct cs_error *error = rows && keys ? NULL : cs_error_nomem();
	for (size_t i = 0; i < n && !error; i++) {
		struct cs_farm_step step = cs_farm_step(plan, i);
		const struct cs_farm_outcome *outcome = summary ? &summary->outcomes[i] : NULL;
		memcpy(keys[i], step.key, sizeof(keys[i]));
		rows[i] = (struct step_row){
			.id = (int64_t)i,
			.state = cs_word(
				CS_WORDS_STEP_STATE, outcome ? outcome->state : CS_FARM_WAITING)
					 ->name,
			.verb = step.verb,
			.name = step.name,
			.key = keys[i],
			.estimate = step.seconds,
			.seconds =
				outcome && outcome->seconds > 0 ? outcome->seconds : CS_NO_NUMBER,
			.status = status_of(outcome),
			.said_no = outcome && outcome->said_no,
			.output = outcome ? outcome->output : NULL,
		};
	}
	if (!error)
		error = emit_plain(call, &step_table, rows, n);
	free(rows);
	free(keys);
	return error;
}

/* ---- plan and cache of a call ---- */

struct farm {
	struct cs_farm_plan *plan;
	struct cs_farm_cache *cache;
};

static void farm_close(const struct farm *farm)
{
	cs_farm_cache_free(farm->cache);
	cs_farm_plan_free(farm->plan);
}

/* Returns an error if the folder of --cache does not exist: it is mistyped, not empty. */
static struct cs_error *cache_is_there(const struct call *call)
{
	const char *folder = call_option(call, "cache")->text;
	return folder && access(folder, F_OK) < 0 ? cs_error_errno(errno, folder, "open") : NULL;
}

/* Opens the plan, or only its step `step`, and the cache, with the server of --http if given. */
static struct cs_error *farm_open(struct call *call, size_t *step, struct farm *ret)
{
	*ret = (struct farm){NULL, NULL};
	struct cs_error *error = cs_farm_plan_read(
		call_argument(call, 0)->text, step, &call->session->job, &ret->plan);
	if (!error && !(call->command->flags & COMMAND_UNSAFE))
		error = cache_is_there(call);
	if (!error)
		error = cs_farm_cache_open(call_option(call, "cache")->text,
			call_option(call, "http")->text, &ret->cache);
	if (error)
		farm_close(ret);
	return error;
}

/* ---- command farm plan ---- */

static struct cs_error *write_plan(struct call *call, const struct farm *farm)
{
	const struct argument *ninja = call_option(call, "ninja");
	const char *path = call_option(call, "o")->text;
	struct cs_error *error = cs_farm_plan_write(farm->plan, path);
	return error || !ninja->given
		       ? error
		       : cs_farm_plan_ninja(farm->plan,
				 argument_text(call_option(call, "program"), "cellscope"), path,
				 farm->cache, ninja->text);
}

static struct cs_error *run_farm_plan(struct call *call)
{
	struct farm farm = {NULL, NULL};
	const struct argument *folder = call_option(call, "cache");
	struct cs_error *error = cs_farm_cache_open(folder->text, NULL, &farm.cache);
	if (error && (folder->given || call_option(call, "ninja")->given))
		return error;
	cs_error_free(error); /* plan without a cache: every input file is read */
	const struct cs_farm_options options = {.size = sizeof(options),
		.profile = call_option(call, "profile")->text,
		.cache = farm.cache};
	error = cs_farm_survey(
		call_argument(call, 0)->text, &options, &call->session->job, &farm.plan);
	if (!error && call_option(call, "o")->given) {
		error = write_plan(call, &farm);
		double seconds;
		const size_t n = cs_farm_steps(farm.plan, &seconds);
		if (!error)
			say(call->out, "%zu step%s, about %.3g s of work\n", n, n == 1 ? "" : "s",
				seconds);
	} else if (!error) {
		error = emit_steps(call, farm.plan, NULL);
	}
	farm_close(&farm);
	return error;
}

const struct command command_farm_plan = {
	.name = "farm plan",
	.group = GROUP_FARM,
	.flags = COMMAND_LISTS | COMMAND_UNSAFE,
	.arguments = {{"SPEC", ARGUMENT_FILE}},
	.options = {{'o', NULL, "PLAN", ARGUMENT_OUTPUT,
			    "write the plan to PLAN (default: only list the steps)"},
		{0, "profile", "NAME", ARGUMENT_WORD,
			"cook with the rules of this engine version (default: the version that "
			"saved the source; help profiles)"},
		{0, "ninja", "FILE", ARGUMENT_OUTPUT,
			"write a build.ninja file of the plan to FILE, too"},
		{0, "cache", "FOLDER", ARGUMENT_WORD,
			"cache that the ninja file uses (default: the cache of `farm run`); "
			"source files that are unchanged since an earlier plan with this cache "
			"are not read again"},
		{0, "program", "FILE", ARGUMENT_WORD,
			"program that the ninja file runs (default: cellscope)"}},
	.summary = "write a plan of steps that build, cook and verify a project or a folder",
	.examples = "farm plan Game.uproject -o game.jsonl\nfarm plan meshes\n"
		    "farm plan nightly.list -o nightly.jsonl --ninja build.ninja",
	.help = "A plan is a list of steps, and a step is one command, such as building one mesh\n"
		"or cooking one map. `farm run` runs the plan. The same inputs give the same\n"
		"plan. SPEC is a project (its partitioned maps and its meshes), a folder (all\n"
		"files in it that can be built, cooked or verified) or a list with one command on\n"
		"each line:\n"
		"  nanite build rock.ply --precision 8\n"
		"  run city.cworld budget.cmd\n"
		"  diff old.cworld new.cworld\n"
		"A list may have the commands nanite build, nanite verify, cook, verify, diff (of\n"
		"two worlds), run (a world, and the command file to run on it) and report. A step\n"
		"can read the files that its line names, which must be in the folder of the list\n"
		"or below it.",
	.run = run_farm_plan,
	.rows = &step_table,
};

/* ---- command farm run ---- */

static void say_troubles(
	struct call *call, const struct cs_farm_plan *plan, const struct cs_farm_summary *summary)
{
	for (size_t i = 0; i < summary->steps; i++) {
		const struct cs_farm_outcome *outcome = &summary->outcomes[i];
		if (outcome->state != CS_FARM_FAILED && !outcome->said_no)
			continue;
		struct cs_farm_step step = cs_farm_step(plan, i);
		say(call->out, "%s step %zu: %s %s (status %d)\n",
			outcome->said_no ? "no    " : "failed", i, step.verb, step.name,
			outcome->status);
		if (outcome->output)
			say_lines(call->out, outcome->output);
	}
}

/* Returns an error if a step failed. A check that found faults only sets the exit status. */
static struct cs_error *farm_answer(struct call *call, const struct cs_farm_summary *summary)
{
	if (summary->failed)
		return cs_error_new(CS_E_FARM,
			"%zu of %zu step%s of the plan failed: correct what the output of each "
			"failed step names, enter `farm plan` again if a file of the plan changed, "
			"and then `farm run`",
			summary->failed, summary->steps, summary->steps == 1 ? "" : "s");
	check_verdict(call, !summary->said_no,
		"in a step of the plan, a check failed or a comparison found differences");
	return NULL;
}

static void say_summary(struct call *call, const struct cs_farm_summary *summary)
{
	say(call->out, "%zu step%s: %zu hit%s, %zu done, %zu failed, %zu skipped", summary->steps,
		summary->steps == 1 ? "" : "s", summary->hits, summary->hits == 1 ? "" : "s",
		summary->done, summary->failed, summary->skipped);
	if (summary->said_no)
		say(call->out, "; %zu check%s said no", summary->said_no,
			summary->said_no == 1 ? "" : "s");
	say(call->out, "\n");
	note(call->out, "%.3f s in all, %.3f s of work in steps, %.3f s on the critical path\n",
		summary->seconds, summary->work_seconds, summary->critical_seconds);
}

static struct cs_farm_run_options options_of(const struct call *call)
{
	return (struct cs_farm_run_options){
		.size = sizeof(struct cs_farm_run_options),
		.timeout = call_number(call, "step-timeout", 0),
		.unconfined = call_option(call, "no-sandbox")->given,
		.memory = argument_count(call_option(call, "step-mem"), 0) << 20,
	};
}

static struct cs_error *run_farm_run(struct call *call)
{
	struct farm farm;
	struct cs_farm_summary summary;
	const struct cs_farm_run_options options = options_of(call);
	if (options.timeout < 0)
		return cs_error_new(CS_E_USAGE,
			"--step-timeout must be a number of seconds, 0 or more, not %g",
			options.timeout);
	const struct argument *memory = call_option(call, "step-mem");
	/* each step is started with --max-mem, which accepts at most 2^24 MiB */
	if (memory->given && memory->count > 1 << 24)
		return cs_error_new(CS_E_USAGE,
			"--step-mem must be a number of MiB up to %d, not %llu", 1 << 24,
			(unsigned long long)memory->count);
	struct cs_error *error = farm_open(call, NULL, &farm);
	if (error)
		return error;
	error = cs_farm_run(farm.plan, farm.cache, &options, &call->session->job, &summary);
	if (!error) {
		if (asks_for_rows(call))
			error = emit_steps(call, farm.plan, &summary);
		if (!error && !wants_rows(call)) {
			say_troubles(call, farm.plan, &summary);
			say_summary(call, &summary);
		}
		if (!error)
			error = farm_answer(call, &summary);
		cs_farm_summary_deinit(&summary);
	}
	farm_close(&farm);
	return error;
}

#define CACHE_OPTION                                                        \
	{                                                                   \
		0, "cache", "FOLDER", ARGUMENT_WORD,                        \
			"folder of the cache of results (default: "         \
			"$XDG_CACHE_HOME/cellscope or ~/.cache/cellscope)", \
			NULL                                                \
	}
#define HTTP_OPTION                                                                       \
	{                                                                                 \
		0, "http", "URL", ARGUMENT_WORD,                                          \
			"also use a cache server with the protocol of bazel-remote", NULL \
	}
#define STEP_OPTIONS                                                                  \
	{0, "step-timeout", "S", ARGUMENT_NUMBER,                                     \
		"stop a step after S seconds (default: no limit)"},                   \
		{0, "step-mem", "MIB", ARGUMENT_WHOLE,                                \
			"limit the memory of a step to MIB MiB (default: no limit)"}, \
		SANDBOX_OPTION
#define SANDBOX_OPTION                                                           \
	{                                                                        \
		0, "no-sandbox", NULL, ARGUMENT_NONE,                            \
			"let steps open files that the plan does not name", NULL \
	}

const struct command command_farm_run = {
	.name = "farm run",
	.group = GROUP_FARM,
	.flags = COMMAND_LISTS | COMMAND_UNSAFE,
	.arguments = {{"PLAN", ARGUMENT_FILE}},
	.options = {CACHE_OPTION, HTTP_OPTION, STEP_OPTIONS},
	.summary = "run the steps of a plan whose results are not in the cache",
	.examples = "farm run game.jsonl\nfarm run game.jsonl --cache cache --step-timeout 600",
	.help = "PLAN is a file that `farm plan` wrote. Steps run one after the other, each in a\n"
		"process of its own with all processors. To run several at a time, or on several\n"
		"machines, let ninja run the file of `farm plan --ninja`. When a step fails, the\n"
		"steps that need its result are skipped and the other steps go on. After a run\n"
		"was killed, the next `farm run` goes on with the steps that have no result yet.\n"
		"\n"
		"A step can open only files that the plan names, and fails when one of them has\n"
		"changed since the plan was written. The exit status is 1 when a check in a step\n"
		"failed or a comparison found differences, and 3 when a step failed.",
	.run = run_farm_run,
	.rows = &step_table,
};

/* ---- command farm step ---- */

/* Returns the error of a failed step: why its command did not run, or its exit status. */
static struct cs_error *farm_step_error(
	struct call *call, uint64_t index, const struct cs_farm_outcome *outcome)
{
	/* the command of a step that took no time did not run */
	if (outcome->seconds == 0 && outcome->output)
		return cs_error_new(CS_E_FARM, "step %" PRIu64 " of the plan failed: %s", index,
			outcome->output);
	if (outcome->output)
		say_lines(call->out, outcome->output);
	return cs_error_new(CS_E_FARM,
		"step %" PRIu64
		" of the plan failed: its command ended with status %d, for the reason in the "
		"output above. Correct it, and enter `farm plan` again if a file changed that a "
		"step reads",
		index, outcome->status);
}

static struct cs_error *run_farm_step(struct call *call)
{
	struct farm farm;
	struct cs_farm_run_options options = {
		.size = sizeof(options), .unconfined = call_option(call, "no-sandbox")->given};
	struct cs_farm_outcome outcome = {.output = NULL};
	uint64_t index = call_argument(call, 1)->count;
	size_t step = index;
	struct cs_error *error = farm_open(call, &step, &farm);
	if (error)
		return error;
	error = cs_farm_run_step(
		farm.plan, step, farm.cache, &options, &call->session->job, &outcome);
	if (!error && outcome.state == CS_FARM_FAILED)
		error = farm_step_error(call, index, &outcome);
	free(outcome.output);
	farm_close(&farm);
	return error;
}

const struct command command_farm_step = {
	.name = "farm step",
	.group = GROUP_FARM,
	.flags = COMMAND_UNSAFE,
	.arguments = {{"PLAN", ARGUMENT_FILE}, {"INDEX", ARGUMENT_WHOLE}},
	.options = {CACHE_OPTION, HTTP_OPTION, SANDBOX_OPTION},
	.summary = "run one step of a plan, as build tools such as ninja do",
	.examples = "farm step game.jsonl 0 --cache cache",
	.help = "PLAN is a file that `farm plan` wrote; a step is one command of the plan, such\n"
		"as `cook` with one map (help farm plan). INDEX is the number of the step, from\n"
		"0, as `farm status` lists it. `farm run` runs all steps. A build tool on several\n"
		"machines calls `farm step` instead, after the steps whose results this step\n"
		"needs.",
	.run = run_farm_step,
};

enum { STATUS = 1 }; /* variant of `farm report` that lists the steps */

static struct cs_error *run_farm_report(struct call *call)
{
	const bool lists = call->command->variant == STATUS || asks_for_rows(call);
	struct farm farm;
	struct cs_farm_summary summary;
	struct cs_error *error = farm_open(call, NULL, &farm);
	if (error)
		return error;
	error = cs_farm_look(farm.plan, farm.cache, &call->session->job, &summary);
	if (error) {
		farm_close(&farm);
		return error;
	}
	if (lists)
		error = emit_steps(call, farm.plan, &summary);
	else {
		say(call->out,
			"%zu of %zu steps have results, %zu running, %zu failed, %zu skipped\n",
			summary.hits + summary.done, summary.steps, summary.running, summary.failed,
			summary.skipped);
		if (summary.seconds_left > 0)
			say(call->out, "about %.3g s of work left\n", summary.seconds_left);
	}
	/* these steps wait again, because the process that ran them has ended */
	for (size_t i = 0; i < summary.steps; i++)
		if (summary.outcomes[i].state == CS_FARM_WAITING && summary.outcomes[i].output)
			note(call->out, "step %zu: %s\n", i, summary.outcomes[i].output);
	if (!lists) {
		say(call->out, "%.3f s of work, critical path %.3f s%s\n", summary.work_seconds,
			summary.critical_seconds, summary.n_slowest ? "; the slowest:" : "");
		for (size_t i = 0; i < summary.n_slowest; i++) {
			const size_t at = summary.slowest[i];
			struct cs_farm_step step = cs_farm_step(farm.plan, at);
			say(call->out, "  %8.3f s  step %zu: %s %s\n", summary.outcomes[at].seconds,
				at, step.verb, step.name);
		}
		say_troubles(call, farm.plan, &summary);
	}
	if (!error && call->command->variant != STATUS)
		error = farm_answer(call, &summary);
	cs_farm_summary_deinit(&summary);
	farm_close(&farm);
	return error;
}

const struct command command_farm_status = {
	.name = "farm status",
	.group = GROUP_FARM,
	.flags = COMMAND_LISTS,
	.arguments = {{"PLAN", ARGUMENT_FILE}},
	.options = {CACHE_OPTION},
	.summary = "list the steps of a plan with the state of each, on whichever "
		   "machine it runs",
	.examples = "farm status game.jsonl -w \"state = 'failed'\"",
	.help = "PLAN is a file that `farm plan` wrote. The column `state` is:\n"
		"  waiting  the step has not run, or was killed on this machine\n"
		"  running  the step is running\n"
		"  hit      the result was in the cache\n"
		"  done     the step has run\n"
		"  failed   the step has failed\n"
		"  skipped  a step that this one needs has failed",
	.run = run_farm_report,
	.variant = STATUS,
};

const struct command command_farm_report = {
	.name = "farm report",
	.group = GROUP_FARM,
	.flags = COMMAND_LISTS,
	.arguments = {{"PLAN", ARGUMENT_FILE}},
	.options = {CACHE_OPTION},
	.summary = "sum up how far a plan has run: results, failures, slowest steps, "
		   "critical path",
	.examples = "farm report game.jsonl",
	.help = "PLAN is a file that `farm plan` wrote. The command prints how many steps have\n"
		"results or have failed, the work and the critical path (the longest chain of\n"
		"steps that need each other) in seconds, and the slowest steps. With an option\n"
		"for rows, such as -w or --json, the command prints the rows of `farm status`\n"
		"instead. The exit status is 1 when a check in a step failed or a comparison\n"
		"found differences, and 3 when a step failed. While a plan is running, watch(1)\n"
		"can repeat the report.",
	.run = run_farm_report,
};

static const struct cs_column stat_columns[] = {
	SHORT(struct cs_farm_cache_stat, entries, "number of results"),
	SHORT(struct cs_farm_cache_stat, bytes, "bytes of all results"),
	SHORT(struct cs_farm_cache_stat, damaged,
		"number of damaged results that `verify` found and removed"),
	SHORT(struct cs_farm_cache_stat, removed,
		"number of results that `trim` or `verify` removed"),
	SHORT(struct cs_farm_cache_stat, removed_bytes, "bytes of the removed results"),
};

static const struct cs_table stat_table = PLAIN_TABLE("cache", "cache", stat_columns);

static struct cs_error *run_farm_cache(struct call *call)
{
	enum { STAT, VERIFY, TRIM };
	size_t choice = call_argument(call, 0)->choice;
	const struct argument *most = call_option(call, "max-bytes");
	struct cs_farm_cache *cache;
	struct cs_farm_cache_stat stat = {0};
	if (choice == TRIM && !most->given)
		return cs_error_new(CS_E_USAGE,
			"farm cache trim needs --max-bytes N, the number of bytes to keep");
	struct cs_error *error = cache_is_there(call);
	if (!error)
		error = cs_farm_cache_open(call_option(call, "cache")->text, NULL, &cache);
	if (error)
		return error;
	error = cs_farm_cache_stat(cache, choice == VERIFY,
		choice == TRIM ? most->count : UINT64_MAX, &call->session->job, &stat);
	cs_farm_cache_free(cache);
	if (error)
		return error;
	if (choice == VERIFY || stat.damaged)
		check_verdict(call, !stat.damaged, "results in the cache are damaged");
	return emit_plain_record(call, &stat_table, &stat);
}

static const char *const cache_choices[] = {"stat", "verify", "trim", NULL};

const struct command command_farm_cache = {
	.name = "farm cache",
	.group = GROUP_FARM,
	.flags = COMMAND_UNSAFE,
	.arguments = {{"stat|verify|trim", ARGUMENT_CHOICE, .choices = cache_choices}},
	.options = {CACHE_OPTION,
		{0, "max-bytes", "N", ARGUMENT_WHOLE,
			"with trim: remove the least recently read results until at most N bytes "
			"are left"},
		COLUMNS_OPTION},
	.summary = "measure, check or trim the cache of results of `farm run`",
	.examples = "farm cache stat\nfarm cache trim --max-bytes 50000000000",
	.help = "`stat` prints the number of results and their bytes. `verify` checks the\n"
		"checksum of each result and removes damaged results; the exit status is 1 if a\n"
		"result was damaged. `trim` needs the option --max-bytes.",
	.run = run_farm_cache,
	.rows = &stat_table,
};

struct forecast_row {
	int64_t nodes, cores;
	struct cs_farm_forecast is;
};

static const struct cs_column forecast_columns[] = {
	SHORT(struct forecast_row, nodes, "number of machines"),
	SHORT(struct forecast_row, cores, "processors of each machine"),
	SHORT_AS("makespan", struct forecast_row, is.makespan, "seconds until all steps are done"),
	SHORT_AS("work", struct forecast_row, is.work, "seconds of all steps"),
	SHORT_AS("critical", struct forecast_row, is.critical,
		"seconds of the longest path through the plan"),
	SHORT_AS("use", struct forecast_row, is.use, "mean share of the cores that are busy, 0..1"),
	SHORT_AS("cache_use", struct forecast_row, is.cache_use,
		"share of the cache's bandwidth that is used, 0..1"),
	SHORT_AS("server_use", struct forecast_row, is.server_use,
		"share of the time in which steps are handed out, 0..1"),
	SHORT_AS("bound", struct forecast_row, is.bound,
		"resource that limits the speed of the plan"),
};

static const struct cs_table forecast_table =
	PLAIN_TABLE("forecasts", "forecast", forecast_columns);

static struct cs_error *run_farm_simulate(struct call *call)
{
	const struct argument *nodes = call_option(call, "nodes"),
			      *cores = call_option(call, "cores");
	const struct cs_farm_machines machines = {
		.nodes = nodes->given ? argument_u32(nodes) : 1,
		.cores = cores->given ? argument_u32(cores) : 1,
		.bandwidth = call_number(call, "bandwidth", 0),
		.latency = call_number(call, "latency", 0),
	};
	struct farm farm;
	struct cs_farm_forecast forecast;
	struct cs_error *error = farm_open(call, NULL, &farm);
	if (error)
		return error;
	error = cs_farm_simulate(farm.plan, farm.cache, &machines, &forecast);
	farm_close(&farm);
	if (error)
		return error;
	const struct forecast_row row = {machines.nodes, machines.cores, forecast};
	return emit_plain_record(call, &forecast_table, &row);
}

const struct command command_farm_simulate = {
	.name = "farm simulate",
	.group = GROUP_FARM,
	.arguments = {{"PLAN", ARGUMENT_FILE}},
	.options = {{0, "nodes", "N", ARGUMENT_WHOLE, "number of machines (default 1)"},
		{0, "cores", "C", ARGUMENT_WHOLE,
			"number of processors of each machine (default 1)"},
		{0, "bandwidth", "B", ARGUMENT_NUMBER,
			"bytes a second that all machines together read from and write to "
			"the cache (default: no limit)"},
		{0, "latency", "S", ARGUMENT_NUMBER,
			"seconds that handing out a step takes (default 0)"},
		CACHE_OPTION, COLUMNS_OPTION},
	.summary = "predict how long a plan takes on a number of machines",
	.examples = "farm simulate game.jsonl --nodes 100 --cores 16 --latency .001",
	.help = "PLAN is a file that `farm plan` wrote. A step takes as long as its last run that\n"
		"is recorded in the cache, or else as the plan estimates. All steps are counted,\n"
		"also those whose results are in the cache. The result `makespan` is the number\n"
		"of seconds until all steps are done, and `bound` is what limits this number,\n"
		"such as the critical path. `-c ?` explains all results.",
	.run = run_farm_simulate,
};
