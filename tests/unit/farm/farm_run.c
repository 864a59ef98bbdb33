/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans that are run, by a program of the test's own: how steps end, what they are told, what they
 * get of others; what dead runs left.
 */
#include "farm/execute.h"
#include "farm/key.h"

#include "core/cage.h"
#include "core/parallel.h"
#include "core/random.h"
#include "farm/cache.h"
#include "format/owner.h"
#include "tests/samples/tap.h"
#include "tests/unit/farm/farm_yard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- how steps end ---- */

static const struct ending {
	enum farm_verb verb;
	const char *does;
	enum cs_farm_state state;
	int status;
	const char *output;
} endings[] = {
	{FARM_BUILD, "echo said\necho made >\"$out\"", CS_FARM_DONE, 0, NULL},
	{FARM_COOK, "echo made >\"$out\"", CS_FARM_DONE, 0, NULL},
	{FARM_CHECK_MESH, "echo well", CS_FARM_DONE, 0, NULL},
	{FARM_CHECK_MESH, "echo no\nexit 1", CS_FARM_DONE, 1, "no\n"},
	{FARM_CHECK_WORLD, "echo no >&2\nexit 1", CS_FARM_DONE, 1, "no\n"},
	{FARM_BUILD, "echo bad\necho made >\"$out\"\nexit 1", CS_FARM_FAILED, 1, "bad\n"},
	{FARM_CHECK_MESH, "echo damaged\nexit 3", CS_FARM_FAILED, 3, "damaged\n"},
	{FARM_CHECK_MESH, "exit 98", CS_FARM_FAILED, 98, ""},
	{FARM_CHECK_MESH, "echo ours\nexit 99", CS_FARM_FAILED, 99, "ours\n"},
	{FARM_CHECK_MESH, "kill -9 $$", CS_FARM_FAILED, 128 + SIGKILL, ""},
	{FARM_REPORT, "kill -15 $$", CS_FARM_FAILED, 128 + SIGTERM, ""},
	/* its work folder differs from run to run, and is left out of what it said */
	{FARM_CHECK_MESH,
		"cd \"$(ls -d ./cache/work/*/)\" && pwd -P && echo \"$(pwd -P)/a/b\" 'and' \"$(pwd -P)/\"\nexit 2",
		CS_FARM_FAILED, 2, NULL},
	{FARM_CHECK_MESH, "head -c 1500000 /dev/zero | tr '\\0' x\nexit 2", CS_FARM_FAILED, 2,
		NULL},
};

enum { ENDINGS = sizeof(endings) / sizeof(endings[0]), PATHS = ENDINGS - 2, LONG };

static unsigned tries_of(const struct yard *yard, size_t step)
{
	char name[32];
	unsigned n = 0;
	snprintf(name, sizeof(name), "%zu.step", step);
	for (const char *at = read_text(yard->root, "words"); (at = strstr(at, name)); at++)
		n += at[-1] == ' ';
	return n;
}

static void check_ending(const struct yard *yard, size_t i, const struct cs_farm_outcome *outcome)
{
	const struct ending *want = &endings[i];
	ok(outcome->state == want->state && outcome->status == want->status &&
			outcome->said_no == (want->state == CS_FARM_DONE && want->status == 1),
		"step %zu: %s, status %d", i, cs_word(CS_WORDS_STEP_STATE, outcome->state)->name,
		outcome->status);
	is_int(tries_of(yard, i), 1, "step %zu: it is tried once", i);
	if (i < PATHS)
		ok(want->output ? outcome->output && strcmp(outcome->output, want->output) == 0
				: !outcome->output,
			"step %zu: what it said", i);
}

/* Returns a copy of the text with RUN in place of the random name of the run. */
static char *without_run(const char *text)
{
	enum { NAME = CS_OWNER_NAME - 1 };
	char *ret = calloc(1, strlen(text) + 1), *to = ret;
	while (*text) {
		bool found = strncmp(text, "/work/", 6) == 0 && cs_owner_is_here(text + 6);
		memcpy(to, found ? "/work/RUN" : text, found ? 9 : 1);
		to += found ? 9 : 1;
		text += found ? 6 + NAME : 1;
	}
	return ret;
}

static void check_said(const struct yard *yard, const struct cs_farm_summary *summary)
{
	char whole[2 * YARD_PATH + 300], *folder = realpath(yard->root, NULL);
	char *said = without_run(summary->outcomes[PATHS].output);
	snprintf(whole, sizeof(whole), "%s/cache/work/RUN\na/b and \n", folder);
	is_text(said, whole, "files of the work folder lose its path");
	free(said);
	is_int(strlen(summary->outcomes[LONG].output), FARM_SAID, "a mebibyte is kept");
	free(folder);
}

static void check_results(const struct yard *yard)
{
	static const char *const kept[ENDINGS] = {"made\n", "made\n", "well\n", "no\n", "no\n"};
	for (size_t i = 0; i < ENDINGS; i++) {
		struct cs_farm_result result = {.bytes = NULL};
		bool found = false;
		works(cs_farm_cache_get(
			      yard->cache, yard->plan->steps.at[i].key, NULL, &result, &found),
			"asked");
		ok(found == (kept[i] != NULL) &&
				(!found ||
					(result.size == strlen(kept[i]) &&
						memcmp(result.bytes, kept[i], result.size) == 0 &&
						result.status == endings[i].status)),
			"step %zu: its result is %s", i, kept[i] ? "kept" : "none");
		if (found)
			cs_farm_result_deinit(&result);
	}
}

static void open_endings(struct yard *yard)
{
	open_yard(yard, "farm_run");
	for (size_t i = 0; i < ENDINGS; i++)
		add_step(yard, endings[i].verb, endings[i].does, -1, -1);
	plan_yard(yard);
}

static void test_endings(void)
{
	struct yard yard;
	open_endings(&yard);
	const struct cs_farm_run_options options = options_of(&yard);
	struct cs_farm_summary summary = run_yard(&yard, &options);
	for (size_t i = 0; i < ENDINGS; i++)
		check_ending(&yard, i, &summary.outcomes[i]);
	check_said(&yard, &summary);
	check_results(&yard);
	ok(summary.done == 5 && summary.failed == 8 && summary.said_no == 2, "all are counted");
	cs_farm_summary_deinit(&summary);
	summary = run_yard(&yard, &options);
	ok(summary.hits == 5 && summary.failed == 8 && summary.said_no == 2, "once more: hits");
	for (size_t i = 0; i < ENDINGS; i++)
		if (endings[i].state == CS_FARM_DONE)
			ok(summary.outcomes[i].status == endings[i].status &&
					(summary.outcomes[i].output == NULL) ==
						(endings[i].status == 0),
				"step %zu: as it was, its answer too", i);
	is_text(summary.outcomes[3].output, "no\n", "what a check said is read again");
	cs_farm_summary_deinit(&summary);
	close_yard(&yard);
}

/* A step that is run alone ends as it does within a run. */
static void test_single_steps(void)
{
	struct yard yard;
	open_endings(&yard);
	const struct cs_farm_run_options options = options_of(&yard);
	struct cs_farm_outcome outcome;
	for (size_t i = 0; i < ENDINGS; i++) {
		works(cs_farm_run_step(yard.plan, i, yard.cache, &options, NULL, &outcome),
			"step %zu alone", i);
		check_ending(&yard, i, &outcome);
		free(outcome.output);
	}
	struct cs_farm_summary looked;
	works(cs_farm_look(yard.plan, yard.cache, NULL, &looked), "looked at");
	for (size_t i = 0; i < ENDINGS; i++)
		ok(looked.outcomes[i].state == endings[i].state &&
				looked.outcomes[i].status == endings[i].status &&
				looked.outcomes[i].seconds > 0,
			"step %zu: the journal knows of it", i);
	cs_farm_summary_deinit(&looked);
	works(cs_farm_run_step(yard.plan, 3, yard.cache, &options, NULL, &outcome), "again");
	ok(outcome.state == CS_FARM_HIT && outcome.said_no, "what is there is not run again");
	free(outcome.output);
	is_int(tries_of(&yard, 3), 1, "nor tried");
	fails(cs_farm_run_step(yard.plan, ENDINGS, yard.cache, &options, NULL, &outcome), CS_E_FARM,
		"a step that the plan does not have");
	close_yard(&yard);
}

/* Others see what runs: the step waits until the journal says that it runs. */
static void test_seen_running(void)
{
	struct yard yard;
	struct cs_farm_outcome outcome = {.output = NULL};
	open_yard(&yard, "farm_run");
	add_step(&yard, FARM_CHECK_MESH,
		"n=0\n"
		"until grep -q '\"step\":0,\"state\":\"running\"' cache/runs/*.jsonl; do\n"
		"	[ $n -lt 250 ] || exit 1\n"
		"	sleep .02\n"
		"	n=$((n + 1))\n"
		"done",
		-1, -1);
	plan_yard(&yard);
	const struct cs_farm_run_options options = options_of(&yard);
	works(cs_farm_run_step(yard.plan, 0, yard.cache, &options, NULL, &outcome), "alone");
	ok(outcome.state == CS_FARM_DONE && !outcome.said_no, "a step alone is seen running");
	free(outcome.output);
	empty_cache(&yard);
	struct cs_farm_summary summary = run_yard(&yard, &options);
	ok(summary.done == 1 && summary.said_no == 0, "so is one of a plan");
	cs_farm_summary_deinit(&summary);
	close_yard(&yard);
}

/* ---- what steps are told ---- */

static const struct {
	enum farm_verb verb;
	bool needs;        /* the result of step 0 */
	const char *words; /* % stands for its own input, @ for the need, $ for what it makes */
} told[] = {
	{FARM_BUILD, false, "nanite build % -o $.cnanite"},
	{FARM_CHECK_MESH, true, "nanite verify @.cnanite %"},
	{FARM_COOK, true, "cook @.cnanite % -o $.cworld"},
	{FARM_CHECK_WORLD, false, "verify %"},
	{FARM_DIFF, true, "diff @.cnanite %"},
	{FARM_RUN, true, "--safe --tap @.cnanite -x %"},
	{FARM_REPORT, false, "report % -o $.html"},
};

enum { TOLD = sizeof(told) / sizeof(told[0]) };

static void spell(const struct yard *yard, size_t i, const char *limits, char *to, size_t room)
{
	char name[32], own[CS_FARM_KEY_TEXT], need[CS_FARM_KEY_TEXT];
	char *folder = realpath(yard->root, NULL);
	size_t n = (size_t)snprintf(to, room, "%s", limits);
	cs_farm_key_format(yard->plan->steps.at[i].key, own);
	cs_farm_key_format(yard->plan->steps.at[0].key, need);
	snprintf(name, sizeof(name), "%zu.step", i);
	for (const char *at = told[i].words; *at; at++) {
		if (*at == '%')
			n += (size_t)snprintf(to + n, room - n, "%s", name);
		else if (*at == '@')
			n += (size_t)snprintf(
				to + n, room - n, "%s/cache/work/RUN/%s", folder, need);
		else if (*at == '$')
			n += (size_t)snprintf(
				to + n, room - n, "%s/cache/work/RUN/%zu/%s", folder, i, own);
		else
			n += (size_t)snprintf(to + n, room - n, "%c", *at);
	}
	snprintf(to + n, room - n, "\n");
	free(folder);
}

static void check_told(const struct yard *yard, const char *limits)
{
	char *said = without_run(read_text(yard->root, "words"));
	size_t lines = 0;
	for (const char *at = said; *at; at++)
		lines += *at == '\n';
	is_int(lines, TOLD, "each step is told once");
	for (size_t i = 0; i < TOLD; i++) {
		char line[2 * YARD_PATH];
		spell(yard, i, limits, line, sizeof(line));
		const char *at = strstr(said, line);
		if (!ok(at && (at == said || at[-1] == '\n'), "told: %s%s", limits, told[i].words))
			diag("want %s", line);
	}
	write_text(yard->root, "words", "");
	free(said);
}

static void test_words(void)
{
	struct yard yard;
	char limits[100];
	open_yard(&yard, "farm_run");
	for (size_t i = 0; i < TOLD; i++)
		add_step(&yard, told[i].verb, "[ -z \"$out\" ] || echo \"$0\" >\"$out\"",
			told[i].needs ? 0 : -1, -1);
	plan_yard(&yard);
	struct cs_farm_run_options options = options_of(&yard);
	struct cs_farm_summary summary = run_yard(&yard, &options);
	is_int(summary.done, TOLD, "all are done");
	cs_farm_summary_deinit(&summary);
	snprintf(limits, sizeof(limits), "-j%d ", cs_parallel_threads(0));
	check_told(&yard, limits);
	empty_cache(&yard);
	options = options_of(&yard);
	options.memory = (UINT64_C(5) << 20) + 12345;
	options.timeout = 2.5;
	summary = run_yard(&yard, &options);
	is_int(summary.done, TOLD, "all are done");
	cs_farm_summary_deinit(&summary);
	snprintf(limits, sizeof(limits), "--max-mem=5 --timeout=2.5 -j%d ", cs_parallel_threads(0));
	check_told(&yard, limits);
	close_yard(&yard);
}

/* A step that ignores its time-out is killed a second after twice that time. */
static void test_late(void)
{
	struct yard yard;
	open_yard(&yard, "farm_run");
	add_step(&yard, FARM_CHECK_MESH, "echo begun\nexec sleep 30", -1, -1);
	plan_yard(&yard);
	struct cs_farm_run_options options = options_of(&yard);
	options.timeout = .05;
	struct cs_farm_summary summary = run_yard(&yard, &options);
	ok(summary.outcomes[0].state == CS_FARM_FAILED &&
			summary.outcomes[0].status == 128 + SIGKILL &&
			summary.outcomes[0].seconds >= 1.1 && summary.outcomes[0].seconds < 25,
		"a step that goes on for ever is killed after %.1f s", summary.outcomes[0].seconds);
	is_int(tries_of(&yard, 0), 1, "once");
	cs_farm_summary_deinit(&summary);
	close_yard(&yard);
}

static bool runs_in(void *context)
{
	char path[2 * YARD_PATH];
	snprintf(path, sizeof(path), "%s/0.step.runs", (const char *)context);
	return access(path, F_OK) == 0;
}

/* The user interrupts a run while a step runs: the step does not outlive the call. */
static void test_interrupted(void)
{
	struct yard yard;
	struct cs_farm_summary summary = {.steps = 0};
	open_yard(&yard, "farm_run");
	add_step(&yard, FARM_CHECK_MESH, "touch $does.runs\nexec sleep 30", -1, -1);
	plan_yard(&yard);
	const struct cs_farm_run_options options = options_of(&yard);
	const struct cs_job job = {.interrupted = runs_in, .context = yard.root};
	fails(cs_farm_run(yard.plan, yard.cache, &options, &job, &summary), CS_E_INTERRUPTED,
		"a run is interrupted");
	ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "no step is left");
	close_yard(&yard);
}

/* ---- needs ---- */

static void test_needs(void)
{
	struct yard yard;
	open_yard(&yard, "farm_run");
	add_step(&yard, FARM_BUILD, "echo first >\"$out\"", -1, -1);
	add_step(&yard, FARM_BUILD, "cat \"$in\" \"$in\" >\"$out\"", 0, -1);
	add_step(&yard, FARM_CHECK_MESH, "cat \"$in\"\nexit 1", 1, -1);
	add_step(&yard, FARM_BUILD, "[ -e go ] || exit 3\nrm -r cache/objects\necho >\"$out\"", -1,
		-1);
	add_step(&yard, FARM_CHECK_MESH, "exit 0", 0, 3);
	add_step(&yard, FARM_CHECK_MESH, "exit 0", 4, -1);
	plan_yard(&yard);
	const struct cs_farm_run_options options = options_of(&yard);
	struct cs_farm_outcome outcome = {.output = NULL};
	works(cs_farm_run_step(yard.plan, 1, yard.cache, &options, NULL, &outcome), "a step alone");
	ok(outcome.state == CS_FARM_FAILED && outcome.output &&
			strstr(outcome.output, "the result of step 0"),
		"it fails before what it needs is there");
	free(outcome.output);
	struct cs_farm_summary summary = run_yard(&yard, &options);
	is_text(summary.outcomes[2].output, "first\nfirst\n", "a step gets what it needs");
	ok(summary.failed == 1 && summary.skipped == 2 &&
			summary.outcomes[4].state == CS_FARM_SKIPPED &&
			summary.outcomes[5].state == CS_FARM_SKIPPED,
		"what needs a failed one, or what needs that, is skipped");
	cs_farm_summary_deinit(&summary);
	write_text(yard.root, "go", "");
	summary = run_yard(&yard, &options);
	ok(summary.hits == 2 && summary.done == 4 && summary.outcomes[0].state == CS_FARM_DONE &&
			summary.outcomes[4].state == CS_FARM_DONE &&
			summary.outcomes[5].state == CS_FARM_DONE,
		"a result that has gone meanwhile is made again for what needs it");
	cs_farm_summary_deinit(&summary);
	close_yard(&yard);
}

/* ---- what dead runs left ---- */

static bool has(const struct yard *yard, size_t step)
{
	return cs_farm_cache_status(yard->cache, yard->plan->steps.at[step].key) >= 0;
}

static bool is_there(const char *folder, const char *name)
{
	char path[3 * YARD_PATH];
	struct stat st;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return lstat(path, &st) == 0;
}

/*
 * A root that nobody holds is removed when this boot of the kernel made it; links in it are not
 * followed.
 */
static void test_sweep(void)
{
	struct yard yard;
	char work[2 * YARD_PATH], path[3 * YARD_PATH], names[4][CS_OWNER_NAME + 8];
	open_yard(&yard, "farm_run");
	add_step(&yard, FARM_CHECK_MESH, "", -1, -1);
	plan_yard(&yard);
	snprintf(work, sizeof(work), "%s/cache/work", yard.root);
	static const bool stays[] = {false, true, true, true};
	cs_owner_name(names[0]);
	cs_owner_name(names[1]); /* is held */
	cs_owner_name(names[2]);
	memcpy(names[2], "00000001", 8); /* of another run of a kernel */
	snprintf(names[3], sizeof(names[3]), "host-%ld", (long)getppid());
	int held = -1;
	write_text(yard.root, "outside", "kept");
	for (size_t i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s", work, names[i]);
		cs_error_free(farm_make_folder(path));
		write_text(path, "left", "");
		snprintf(path, sizeof(path), "%s/%s/link", work, names[i]);
		if (symlink(yard.root, path) < 0)
			abort();
		snprintf(path, sizeof(path), "%s/%s.lock", work, names[i]);
		int fd = open(path, O_RDWR | O_CREAT, 0666);
		held = i == 1 ? fd : held;
		if (i != 1)
			close(fd);
	}
	if (flock(held, LOCK_EX | LOCK_NB) < 0)
		abort();
	const struct cs_farm_run_options options = options_of(&yard);
	struct cs_farm_summary summary = run_yard(&yard, &options);
	cs_farm_summary_deinit(&summary);
	for (size_t i = 0; i < 4; i++)
		ok(is_there(work, names[i]) == stays[i], "folder %zu %s", i,
			stays[i] ? "stays" : "goes, for nobody holds it");
	ok(is_there(yard.root, "outside"), "a link is not followed");
	close(held);
	summary = run_yard(&yard, &options);
	cs_farm_summary_deinit(&summary);
	ok(!is_there(work, names[1]), "what is let go goes");
	DIR *dir = opendir(work);
	size_t n = 0;
	while (readdir(dir))
		n++;
	closedir(dir);
	is_int(n, 2 + 2 * 2, "and of its own nothing is left");
	close_yard(&yard);
}

/* ---- what a key covers ---- */

/* When an input is written between plan and run, or while the step runs, no entry is stored. */
static void test_changed(void)
{
	struct yard yard;
	open_yard(&yard, "farm_run");
	add_step(&yard, FARM_CHECK_MESH, "echo a", -1, -1);
	add_step(&yard, FARM_CHECK_MESH, "echo >>\"$does\"", -1, -1);
	add_step(&yard, FARM_CHECK_MESH, "touch \"$does\"", -1, -1);
	add_step(&yard, FARM_CHECK_MESH, "echo b", -1, -1);
	plan_yard(&yard);
	write_text(yard.root, "0.step", "echo c");
	const struct cs_farm_run_options options = options_of(&yard);
	struct cs_farm_summary summary = run_yard(&yard, &options);
	for (size_t i = 0; i < 4; i++) {
		is_int(summary.outcomes[i].state, i < 3 ? CS_FARM_FAILED : CS_FARM_DONE, "step %zu",
			i);
		ok(has(&yard, i) == (i == 3), "and its entry");
	}
	ok(summary.outcomes[0].output &&
			strstr(summary.outcomes[0].output, "0.step: the file has changed"),
		"an input that changed since the plan is named");
	ok(summary.outcomes[1].output &&
			strstr(summary.outcomes[1].output, "1.step: the file was written while"),
		"and one that was written meanwhile");
	cs_farm_summary_deinit(&summary);
	close_yard(&yard);
}

/* Files that the plan does not name can be neither read nor written, in the root or elsewhere. */
static void test_cage(void)
{
	struct yard yard;
	struct cs_cage cage;
	bool can = cs_cage_open(&cage);
	cs_cage_close(&cage);
	if (!can) {
		skip("the kernel has no Landlock");
		return;
	}
	open_yard(&yard, "farm_run");
	write_text(yard.root, "undeclared", "secret");
	add_step(&yard, FARM_CHECK_MESH, "cat undeclared\nls cache\ncat \"$does\"\nexit 1", -1, -1);
	add_step(&yard, FARM_BUILD, "echo x >left\necho y >\"$out\"\n", -1, -1);
	add_step(&yard, FARM_CHECK_MESH, "cat \"$in\"\nexit 1", 1, -1);
	plan_yard(&yard);
	struct cs_farm_run_options options = options_of(&yard);
	options.unconfined = false;
	struct cs_farm_summary summary = run_yard(&yard, &options);
	const char *said = summary.outcomes[0].output;
	ok(said && !strstr(said, "secret") && !strstr(said, "objects"),
		"what is not declared cannot be read");
	ok(said && strstr(said, "cat undeclared\nls"), "what is declared can");
	ok(!is_there(yard.root, "left"), "nothing can be written elsewhere");
	is_int(summary.outcomes[1].state, CS_FARM_DONE, "a result can");
	ok(summary.outcomes[2].output && strstr(summary.outcomes[2].output, "y\n"),
		"and be read by what needs it");
	cs_farm_summary_deinit(&summary);
	close_yard(&yard);
}

/*
 * A run that would execute steps itself refuses a plan that was made by another version of the
 * program.
 */
static void test_code(void)
{
	struct yard yard;
	struct cs_farm_summary summary = {.steps = 0};
	open_yard(&yard, "farm_run");
	add_step(&yard, FARM_CHECK_MESH, "", -1, -1);
	plan_yard(&yard);
	struct cs_farm_key before = yard.plan->steps.at[0].key;
	yard.plan->code.low++;
	farm_make_keys(yard.plan);
	ok(before.low != yard.plan->steps.at[0].key.low, "other code, another key");
	struct cs_farm_run_options options = options_of(&yard);
	options.program = NULL;
	fails(cs_farm_run(yard.plan, yard.cache, &options, NULL, &summary), CS_E_FARM,
		"a plan of another build");
	close_yard(&yard);
}

int main(void)
{
	test_endings();
	test_single_steps();
	test_seen_running();
	test_words();
	test_late();
	test_interrupted();
	test_needs();
	test_sweep();
	test_changed();
	test_cage();
	test_code();
	return done();
}
