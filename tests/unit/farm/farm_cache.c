/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is left of runs: the journal by events of chance between lines that are none, what it and
 * the cache say together; the cache there and back, with each bit of an entry turned over, and
 * trimmed; what files hold, by what the system says of them.
 */
#include "farm/journal.h"
#include "farm/key.h"

#include "core/random.h"
#include "farm/cache.h"
#include "farm/digests.h"
#include "tests/samples/tap.h"
#include "tests/unit/farm/farm_yard.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- the journal ---- */

static const char *const says[] = {"waiting", "running", "hit", "done", "failed", "skipped"};

/*
 * The journal has random events, torn lines and lines of other plans: the last event of each step
 * counts.
 */
static void test_journal(void)
{
	enum { STEPS = 7, EVENTS = 200 };
	static const char *const strange[] = {"{\"step\":2,\"state\":\"done\",\"sta\n", "\n",
		"{\"step\":7,\"state\":\"done\",\"status\":0,\"seconds\":9}\n",
		"{\"step\":-1,\"state\":\"done\",\"status\":0,\"seconds\":9}\n",
		"{\"step\":1,\"state\":\"lost\",\"status\":5,\"seconds\":9}\n", "[1]\n", "\"x\"\n"};
	struct cs_farm_outcome want[STEPS] = {{0}}, got[STEPS] = {{0}};
	struct cs_random random = {8};
	struct farm_journal journal;
	struct yard yard;
	char path[2 * YARD_PATH], key[CS_FARM_KEY_TEXT];
	open_yard(&yard, "farm_cache");
	for (int i = 0; i < STEPS; i++)
		add_step(&yard, FARM_CHECK_MESH, "", -1, -1);
	plan_yard(&yard);
	works(farm_journal_read(yard.plan, yard.cache, NULL, got), "no journal yet");
	ok(got[0].state == CS_FARM_WAITING, "is nothing known");
	cs_farm_key_format(cs_farm_plan_key(yard.plan), key);
	snprintf(path, sizeof(path), "%s/cache/runs/%s.jsonl", yard.root, key);
	for (int i = 0; i < EVENTS; i++) {
		uint32_t step = cs_random_below(&random, STEPS);
		uint32_t state = cs_random_below(&random, CS_FARM_STATES);
		int status = (int)cs_random_below(&random, 140);
		double seconds = 0.25 * cs_random_below(&random, 9);
		farm_journal_open(yard.plan, yard.cache, &journal);
		farm_journal_note(&journal, step, (enum cs_farm_state)state, status, seconds);
		farm_journal_close(&journal);
		if (i % 20 == 0)
			append_text(path, strange[i / 20 % 7]);
		want[step].state = (enum cs_farm_state)state;
		want[step].status = state == CS_FARM_RUNNING ? 0 : status; /* it has none yet */
		want[step].seconds = seconds > 0 ? seconds : want[step].seconds;
	}
	append_text(
		path, "{\"step\":6,\"state\":\"done\",\"status\":4,\"seconds\":77}"); /* no end */
	want[6].state = CS_FARM_DONE;
	want[6].status = 4;
	want[6].seconds = 77;
	works(farm_journal_read(yard.plan, yard.cache, NULL, got), "the journal is read");
	bool same = true;
	for (int i = 0; i < STEPS; i++)
		same = same && got[i].state == want[i].state && got[i].status == want[i].status &&
		       got[i].seconds == want[i].seconds;
	ok(same, "the last event of each step, the last time that it took");
	for (int i = 0; i < CS_FARM_STATES; i++)
		is_text(cs_word(CS_WORDS_STEP_STATE, i)->name, says[i], "state %d", i);
	farm_journal_note(&journal, 0, CS_FARM_DONE, 0, 1); /* closed: goes nowhere */
	farm_journal_close(&journal);
	close_yard(&yard);
}

/*
 * A step whose result is in the cache is done, whatever the journal says. Other steps wait or
 * failed.
 */
static void test_look(void)
{
	static const enum cs_farm_state states[] = {CS_FARM_WAITING, CS_FARM_RUNNING, CS_FARM_HIT,
		CS_FARM_DONE, CS_FARM_FAILED, CS_FARM_SKIPPED};
	static const enum cs_farm_state with[] = {
		CS_FARM_DONE, CS_FARM_DONE, CS_FARM_HIT, CS_FARM_DONE, CS_FARM_DONE, CS_FARM_DONE};
	static const enum cs_farm_state without[] = {CS_FARM_WAITING, CS_FARM_RUNNING,
		CS_FARM_WAITING, CS_FARM_WAITING, CS_FARM_FAILED, CS_FARM_SKIPPED};
	struct yard yard;
	struct farm_journal journal;
	struct cs_farm_summary looked;
	double *seconds;
	open_yard(&yard, "farm_cache");
	for (int i = 0; i < 12; i++)
		/* the last one needs one that failed, so that it stays skipped */
		add_step(&yard, FARM_CHECK_MESH, "", i == 11 ? 10 : -1, -1);
	plan_yard(&yard);
	farm_journal_open(yard.plan, yard.cache, &journal);
	for (uint32_t i = 0; i < 12; i++) {
		const struct cs_farm_result result = {.status = 1};
		if (i < 6)
			works(cs_farm_cache_put(
				      yard.cache, yard.plan->steps.at[i].key, &result, NULL),
				"put");
		farm_journal_note(&journal, i, states[i % 6], 1, i % 3 ? i : 0);
	}
	farm_journal_close(&journal);
	works(cs_farm_look(yard.plan, yard.cache, NULL, &looked), "looked");
	works(farm_measured(yard.plan, yard.cache, &seconds), "measured");
	for (size_t i = 0; i < 12; i++) {
		ok(looked.outcomes[i].state == (i < 6 ? with[i] : without[i % 6]) &&
				looked.outcomes[i].said_no == (i < 6),
			"%s, %s: %s", says[i % 6], i < 6 ? "there" : "not there",
			cs_word(CS_WORDS_STEP_STATE, looked.outcomes[i].state)->name);
		is_double(seconds[i], i % 3 ? (double)i : yard.plan->steps.at[i].seconds,
			"measured, else planned");
	}
	ok(looked.done == 5 && looked.hits == 1 && looked.waiting == 3 && looked.said_no == 6,
		"counted");
	free(seconds);
	cs_farm_summary_deinit(&looked);
	close_yard(&yard);
}

/* ---- the cache ---- */

static void count_lines(void *context, enum cs_log_level level, const char *text)
{
	(void)level;
	(void)text;
	++*(size_t *)context;
}

static char *entry_path(const struct yard *yard, struct cs_farm_key key, char path[2 * YARD_PATH])
{
	char text[CS_FARM_KEY_TEXT];
	cs_farm_key_format(key, text);
	snprintf(path, 2 * YARD_PATH, "%s/cache/objects/%.2s/%s", yard->root, text, text);
	return path;
}

/*
 * An entry in which a bit is flipped or which is shorter is never taken for a result, nor is one
 * with an unknown status.
 */
static void test_damage(void)
{
	enum { WHOLE = 62 };
	const struct cs_farm_key key = {UINT64_C(0xab00000000000000), 7};
	const struct cs_farm_result whole = {1, (unsigned char *)"result", 6};
	struct cs_farm_result got;
	struct yard yard;
	char path[2 * YARD_PATH], bytes[80];
	size_t wrong = 0, size = 0;
	bool found;
	open_yard(&yard, "farm_cache");
	entry_path(&yard, key, path);
	ok(cs_farm_cache_status(yard.cache, key) < 0, "nothing is there");
	for (size_t i = 0; i <= WHOLE * 9; i++) {
		works(cs_farm_cache_put(yard.cache, key, &whole, NULL), "put");
		FILE *file = fopen(path, "r+b");
		size = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
		if (size == WHOLE && i < WHOLE * 8) {
			bytes[i / 8] ^= (char)(1 << i % 8);
			rewind(file);
			fwrite(bytes, 1, size, file);
		} else if (i < WHOLE * 9 && truncate(path, (off_t)(i - WHOLE * 8)) < 0) {
			abort();
		}
		fclose(file);
		works(cs_farm_cache_get(yard.cache, key, NULL, &got, &found), "got");
		wrong += found != (i == WHOLE * 9);
		wrong += !found && access(path, F_OK) == 0;
		if (found)
			cs_farm_result_deinit(&got);
	}
	is_int(size, WHOLE, "a head of 56 bytes and the result");
	is_int(wrong, 0, "a damaged entry is a miss, and goes");
	for (int status = 0; status < 4; status++) {
		const struct cs_farm_result told = {status, (unsigned char *)"result", 6};
		works(cs_farm_cache_put(yard.cache, key, &told, NULL), "put");
		works(cs_farm_cache_get(yard.cache, key, NULL, &got, &found), "got");
		is_int(found, status < 2, "status %d, with its sum: %s", status,
			status < 2 ? "a result" : "none that a step can have");
		if (found)
			cs_farm_result_deinit(&got);
	}
	close_yard(&yard);
}

/*
 * A link, pipe or folder in the place of an entry is never followed, read or waited for. It is
 * reported once and then replaced.
 */
static void test_strangers(void)
{
	const struct cs_farm_key key = {UINT64_C(0xab00000000000000), 7}, other = {key.high, 8};
	const struct cs_farm_result whole = {0, (unsigned char *)"result", 6};
	struct cs_farm_result got;
	struct yard yard;
	char path[2 * YARD_PATH], theirs[2 * YARD_PATH], outside[YARD_PATH + 16];
	bool found;
	open_yard(&yard, "farm_cache");
	entry_path(&yard, key, path);
	entry_path(&yard, other, theirs);
	snprintf(outside, sizeof(outside), "%s/outside", yard.root);
	for (int what = 0; what < 5; what++) {
		size_t told = 0;
		const struct cs_job job = {.log = count_lines, .context = &told};
		works(cs_farm_cache_put(yard.cache, key, &whole, NULL), "put");
		works(cs_farm_cache_put(yard.cache, other, &whole, NULL), "and another");
		if (what == 0)
			rename(theirs, path); /* a good entry of another key */
		else
			rename(path, outside);
		if ((what == 1 && symlink(outside, path) < 0) ||
			(what == 2 && mkfifo(path, 0666) < 0))
			abort();
		if (what == 3)
			write_text(yard.root, path + strlen(yard.root) + 1, "");
		if (what == 4)
			write_text(yard.root, path + strlen(yard.root) + 1, "short");
		ok(cs_farm_cache_status(yard.cache, key) < 0, "stranger %d is no entry", what);
		works(cs_farm_cache_get(yard.cache, key, &job, &got, &found), "stranger %d", what);
		ok(!found, "is a miss");
		is_int(told, 1, "with a line");
		works(cs_farm_cache_put(yard.cache, key, &whole, NULL), "it is put again");
		ok(cs_farm_cache_status(yard.cache, key) >= 0, "and is there");
		unlink(outside);
	}
	works(cs_farm_cache_put(yard.cache, key, &whole, NULL), "put");
	rename(path, outside);
	if (symlink(outside, path) < 0)
		abort();
	works(cs_farm_cache_put(yard.cache, key, &(struct cs_farm_result){0, NULL, 0}, NULL),
		"written where a link was");
	struct stat st;
	ok(stat(outside, &st) == 0 && st.st_size == 62, "what it led to stays as it was");
	close_yard(&yard);
}

/* Stores and reads entries of random sizes; the entries that were read last stay longest. */
static void test_cache(void)
{
	enum { ENTRIES = 20 };
	struct cs_random random = {3};
	struct cs_farm_cache_stat stat;
	struct yard yard;
	char path[2 * YARD_PATH];
	uint64_t bytes = 0, left = 0;
	size_t sizes[ENTRIES];
	bool same = true, found;
	open_yard(&yard, "farm_cache");
	works(cs_farm_cache_stat(yard.cache, true, UINT64_MAX, NULL, &stat), "an empty cache");
	ok(stat.entries == 0 && stat.bytes == 0, "holds nothing");
	for (uint64_t i = 0; i < ENTRIES; i++) {
		static unsigned char filler[5000];
		const struct cs_farm_key key = {i << 60 | i, i};
		sizes[i] = cs_random_below(&random, 5000);
		for (size_t k = 0; k < sizes[i]; k++)
			filler[k] = (unsigned char)cs_random_below(&random, 256);
		const struct cs_farm_result result = {(int)(i % 2), filler, sizes[i]};
		struct cs_farm_result got = {0};
		works(cs_farm_cache_put(yard.cache, key, &result, NULL), "put");
		works(cs_farm_cache_get(yard.cache, key, NULL, &got, &found), "got");
		same = same && found && got.status == result.status && got.size == sizes[i] &&
		       memcmp(got.bytes, filler, sizes[i]) == 0 &&
		       cs_farm_cache_status(yard.cache, key) >= 0;
		if (found)
			cs_farm_result_deinit(&got);
		/* the first was read last */
		const struct timespec read[2] = {
			{1000000, 0}, {1000000 + (i > 9 ? 0 : 1), (long)(ENTRIES - i)}};
		utimensat(AT_FDCWD, entry_path(&yard, key, path), read, 0);
		bytes += 56 + sizes[i];
	}
	ok(same, "what was put is got");
	works(cs_farm_cache_stat(yard.cache, true, UINT64_MAX, NULL, &stat), "looked at whole");
	ok(stat.entries == ENTRIES && stat.bytes == bytes && stat.damaged == 0, "all of it");
	for (size_t i = 0; i < 13; i++)
		left += 56 + sizes[i];
	works(cs_farm_cache_stat(yard.cache, false, left, NULL, &stat), "trimmed");
	ok(stat.entries == 13 && stat.bytes == left && stat.removed == ENTRIES - 13 &&
			stat.removed_bytes == bytes - left,
		"to what fits, and no more than that");
	for (uint64_t i = 0; i < ENTRIES; i++)
		ok((cs_farm_cache_status(yard.cache, (struct cs_farm_key){i << 60 | i, i}) >= 0) ==
				(i < 13),
			"entry %d is %s", (int)i, i < 13 ? "kept" : "gone, for it was read before");
	works(cs_farm_cache_stat(yard.cache, false, left - 1, NULL, &stat), "trimmed by a byte");
	ok(stat.entries == 12 && stat.removed == 1, "takes one more");
	close_yard(&yard);
}

static void test_cache_check(void)
{
	const struct cs_farm_key keys[] = {{1, 1}, {2, 2}, {3, 3}};
	const struct cs_farm_result result = {0, (unsigned char *)"abc", 3};
	struct cs_farm_cache_stat stat;
	struct yard yard;
	char path[2 * YARD_PATH];
	open_yard(&yard, "farm_cache");
	for (size_t i = 0; i < 3; i++)
		works(cs_farm_cache_put(yard.cache, keys[i], &result, NULL), "put");
	append_text(entry_path(&yard, keys[1], path), "x");
	works(cs_farm_cache_stat(yard.cache, false, UINT64_MAX, NULL, &stat), "counted");
	ok(stat.entries == 3 && stat.bytes == 3 * 59 + 1 && stat.damaged == 0, "without a look");
	works(cs_farm_cache_stat(yard.cache, true, UINT64_MAX, NULL, &stat), "read");
	ok(stat.entries == 2 && stat.bytes == 2 * 59 && stat.damaged == 1 && stat.removed == 1 &&
			stat.removed_bytes == 60,
		"the damaged one goes");
	ok(cs_farm_cache_status(yard.cache, keys[1]) < 0 &&
			cs_farm_cache_status(yard.cache, keys[2]) >= 0,
		"the others stay");
	close_yard(&yard);
}

/* ---- what files hold ---- */

static bool is_known(struct farm_digests *digests, const struct stat *st, uint64_t content)
{
	struct cs_farm_key got = {0, 0};
	return farm_digests_find(digests, st, &got) && got.high == content && got.low == ~content;
}

/*
 * Two runs store the digests of a thousand old files; later one file in seven has another digest.
 */
static void test_digests(void)
{
	enum { FILES = 1000 };
	struct yard yard;
	struct farm_digests *digests;
	char path[2 * YARD_PATH];
	size_t known = 0, strange = 0;
	open_yard(&yard, "farm_cache");
	snprintf(path, sizeof(path), "%s/cache/digests", yard.root);
	for (unsigned half = 0; half < 2; half++) {
		works(farm_digests_open(yard.cache->folder, &digests), "opened");
		for (unsigned i = half; i < FILES; i += 2) {
			const struct stat st = {.st_ino = i * 7, .st_size = i, .st_ctim = {5, i}};
			farm_digests_add(
				digests, &st, time(NULL), (struct cs_farm_key){i, ~(uint64_t)i});
		}
		farm_digests_close(digests);
	}
	works(farm_digests_open(yard.cache->folder, &digests), "opened again");
	for (unsigned i = 0; i < FILES; i++) {
		const struct stat st = {.st_ino = i * 7, .st_size = i, .st_ctim = {5, i}};
		known += is_known(digests, &st, i);
		struct stat other[5] = {st, st, st, st, st};
		other[0].st_ino++;
		other[1].st_size++;
		other[2].st_ctim.tv_nsec++;
		other[3].st_mtim.tv_nsec++;
		other[4].st_dev++;
		for (size_t k = 0; k < 5; k++)
			strange += is_known(digests, &other[k], i);
	}
	is_int(known, FILES, "both runs' files are known");
	is_int(strange, 0, "and none that anything else is told of");
	struct stat fresh = {.st_ino = 1};
	clock_gettime(CLOCK_REALTIME, &fresh.st_ctim);
	farm_digests_add(digests, &fresh, time(NULL), (struct cs_farm_key){1, ~UINT64_C(1)});
	fresh.st_ino = 2;
	fresh.st_ctim.tv_sec += 1000;
	farm_digests_add(digests, &fresh, time(NULL), (struct cs_farm_key){1, ~UINT64_C(1)});
	/* read for so long that it could be written in the second in which the system was asked */
	const struct stat slow = {.st_ino = 3, .st_ctim = {time(NULL) - 1000, 0}};
	farm_digests_add(
		digests, &slow, slow.st_ctim.tv_sec + 1, (struct cs_farm_key){1, ~UINT64_C(1)});
	farm_digests_close(digests);
	works(farm_digests_open(yard.cache->folder, &digests), "opened once more");
	ok(!is_known(digests, &fresh, 1), "a file of the future is not kept");
	ok(!is_known(digests, &slow, 1), "nor one that was new when it began to be read");
	fresh.st_ino = 1;
	fresh.st_ctim.tv_sec -= 1000;
	ok(!is_known(digests, &fresh, 1), "nor one that was written just now");
	farm_digests_close(digests);
	struct stat st;
	size_t wrong = 0;
	int fd = open(path, O_RDWR | O_CLOEXEC);
	ok(fd >= 0 && fstat(fd, &st) == 0 && st.st_size == 24 + FILES * 32, "a row each");
	const struct stat one = {.st_ino = 7, .st_size = 1, .st_ctim = {5, 1}};
	for (off_t at = 0; at < st.st_size; at += at < 64 ? 1 : 1237) {
		unsigned char byte, spoilt;
		wrong += pread(fd, &byte, 1, at) != 1;
		spoilt = byte ^ 1;
		wrong += pwrite(fd, &spoilt, 1, at) != 1;
		works(farm_digests_open(yard.cache->folder, &digests), "damaged at %d", (int)at);
		wrong += is_known(digests, &one, 1);
		farm_digests_close(digests);
		wrong += pwrite(fd, &byte, 1, at) != 1;
	}
	is_int(wrong, 0, "a damaged file knows nothing");
	close(fd);
	close_yard(&yard);
}

/* A digest that no file can have tells whether the bytes of a file were read. */
static void test_known_input(void)
{
	struct cs_farm_plan *plan;
	struct farm_digests *digests;
	struct yard yard;
	uint32_t input;
	struct stat st;
	const char *source = getenv("CELLSCOPE_SOURCE");
	char path[2 * YARD_PATH];
	snprintf(path, sizeof(path), "%s/fixtures/valley.json", source ? source : ".");
	open_yard(&yard, "farm_cache");
	works(farm_plan_new(source ? source : ".", &plan), "a plan");
	works(farm_add_input(plan, "fixtures/valley.json", false, &input), "with an input");
	works(farm_digests_open(yard.cache->folder, &digests), "nothing is known");
	works(farm_hash_input(plan, &plan->inputs.at[0], digests, NULL), "read");
	const struct cs_farm_key own = plan->inputs.at[0].content;
	farm_digests_close(digests);
	works(farm_digests_open(yard.cache->folder, &digests), "it is known");
	works(farm_hash_input(plan, &plan->inputs.at[0], digests, NULL), "looked up");
	ok(memcmp(&own, &plan->inputs.at[0].content, sizeof(own)) == 0 && stat(path, &st) == 0 &&
			plan->inputs.at[0].bytes == (uint64_t)st.st_size,
		"to the same content and size");
	farm_digests_close(digests);
	snprintf(path, sizeof(path), "%s/cache/digests", yard.root);
	unlink(path);
	works(farm_digests_open(yard.cache->folder, &digests), "forgotten");
	farm_digests_add(digests, &st, time(NULL), (struct cs_farm_key){4, 2});
	farm_digests_close(digests);
	works(farm_digests_open(yard.cache->folder, &digests), "known wrongly");
	works(farm_hash_input(plan, &plan->inputs.at[0], digests, NULL), "looked up");
	ok(plan->inputs.at[0].content.high == 4 && plan->inputs.at[0].content.low == 2,
		"no byte is read of what is known");
	farm_digests_close(digests);
	cs_farm_plan_free(plan);
	close_yard(&yard);
}

int main(void)
{
	test_digests();
	test_known_input();
	test_journal();
	test_look();
	test_damage();
	test_strangers();
	test_cache();
	test_cache_check();
	return done();
}
