/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file FOLDER/digests maps stamps of files to hashes of their contents, so that an unchanged
 * file is read only once. Little-endian: magic 8, XXH3-128 of all following bytes 16, then rows
 * sorted by stamp, each the stamp of a file 16 and its content hash 16. The stamp is a hash of
 * device, inode, size, and the modification and change times in nanoseconds: writing a file changes
 * its change time, except through a memory mapping.
 *
 * Invariant: no row is for a file that was written less than SETTLED seconds before it was read,
 * because it could be written again within the same tick of a coarse clock.
 *
 * When two runs end at the same time, the new rows of one are lost, and its files are read again.
 */
#include "farm/digests.h"

#include "core/cursor.h"
#include "core/search.h"
#include "core/sort.h"
#include "farm/cache.h"
#include "format/byte_source.h"
#include "format/save.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { SUM = 8, HEAD = 24, ROW = 32, MOST = 1 << 20, SETTLED = 3 };

static const unsigned char magic[8] = {0x89, 'c', 's', 'd', 'i', 'g', '1', '\n'};

struct digest {
	struct cs_farm_key stamp, content;
	bool is_used; /* used in this run: such rows are kept when there is no room for all */
};

struct farm_digests {
	char *path;
	pthread_mutex_t lock;       /* protects `added` */
	CS_VEC(struct digest) kept; /* rows of the file `path`, sorted by stamp */
	CS_VEC(struct digest) added;
};

static struct cs_farm_key load_key(const unsigned char *at)
{
	return (struct cs_farm_key){cs_load64(at), cs_load64(at + 8)};
}

static void store_key(unsigned char *at, struct cs_farm_key key)
{
	cs_store64(at, key.high);
	cs_store64(at + 8, key.low);
}

static bool is_stamp_below(struct cs_farm_key a, struct cs_farm_key b)
{
	return a.high < b.high || (a.high == b.high && a.low < b.low);
}

static struct cs_farm_key digests_sum(const unsigned char *bytes, size_t n)
{
	XXH128_hash_t hash = XXH3_128bits(bytes, n);
	return (struct cs_farm_key){hash.high64, hash.low64};
}

struct cs_farm_key farm_stamp_of(const struct stat *st)
{
	const uint64_t told[] = {(uint64_t)st->st_dev, (uint64_t)st->st_ino, (uint64_t)st->st_size,
		(uint64_t)st->st_mtim.tv_sec, (uint64_t)st->st_mtim.tv_nsec,
		(uint64_t)st->st_ctim.tv_sec, (uint64_t)st->st_ctim.tv_nsec};
	return digests_sum((const unsigned char *)told, sizeof(told));
}

static bool take_rows(struct farm_digests *digests, const unsigned char *file, size_t size)
{
	struct cs_farm_key sum;
	bool whole = size >= HEAD && (size - HEAD) % ROW == 0 && memcmp(file, magic, SUM) == 0;
	if (whole) {
		sum = digests_sum(file + HEAD, size - HEAD);
		whole = sum.high == cs_load64(file + SUM) && sum.low == cs_load64(file + SUM + 8);
	}
	for (size_t at = HEAD; whole && at < size; at += ROW) {
		struct digest row = {load_key(file + at), load_key(file + at + 16), false};
		if (!cs_vec_push(&digests->kept, row))
			return false;
	}
	return true;
}

struct cs_error *farm_digests_open(const char *folder, struct farm_digests **ret)
{
	unsigned char *file;
	size_t size;
	struct farm_digests *digests = calloc(1, sizeof(*digests));
	if (!digests || asprintf(&digests->path, "%s/digests", folder) < 0) {
		free(digests);
		return cs_error_nomem();
	}
	pthread_mutex_init(&digests->lock, NULL);
	struct cs_error *error =
		cs_read_whole(digests->path, HEAD + (uint64_t)ROW * MOST, &file, &size);
	bool good = error || take_rows(digests, file, size);
	if (!error)
		free(file);
	cs_error_free(error);
	if (!good) {
		farm_digests_close(digests);
		return cs_error_nomem();
	}
	*ret = digests;
	return NULL;
}

bool farm_digests_find(struct farm_digests *digests, const struct stat *st, struct cs_farm_key *ret)
{
	if (!digests)
		return false;
	const struct cs_farm_key stamp = farm_stamp_of(st);
	struct digest *rows = digests->kept.at;
	size_t at = cs_lower_bound(0, digests->kept.n, i, is_stamp_below(rows[i].stamp, stamp));
	if (at == digests->kept.n || is_stamp_below(stamp, rows[at].stamp))
		return false;
	__atomic_store_n(&rows[at].is_used, true, __ATOMIC_RELAXED);
	*ret = rows[at].content;
	return true;
}

static bool is_settled(const struct stat *st, time_t asked)
{
	return st->st_mtim.tv_sec < asked - SETTLED && st->st_ctim.tv_sec < asked - SETTLED;
}

void farm_digests_add(struct farm_digests *digests, const struct stat *st, time_t asked,
	struct cs_farm_key content)
{
	if (!digests || !is_settled(st, asked))
		return;
	struct digest row = {farm_stamp_of(st), content, true};
	pthread_mutex_lock(&digests->lock);
	bool kept = cs_vec_push(&digests->added, row);
	pthread_mutex_unlock(&digests->lock);
	(void)kept; /* when memory runs out, the row is lost and the file is read again next time */
}

static int by_stamp(const void *left, const void *right, void *context)
{
	(void)context;
	const struct digest *a = left, *b = right;
	return is_stamp_below(a->stamp, b->stamp) ? -1 : is_stamp_below(b->stamp, a->stamp);
}

static void digests_save(struct farm_digests *digests)
{
	bool all = digests->kept.n + digests->added.n <= MOST;
	for (size_t i = 0; i < digests->kept.n; i++)
		if ((all || digests->kept.at[i].is_used) &&
			!cs_vec_push(&digests->added, digests->kept.at[i]))
			return;
	size_t n = digests->added.n, rows = 0;
	unsigned char *file = n <= MOST ? malloc(HEAD + n * ROW) : NULL;
	if (!file || !cs_sort(digests->added.at, n, sizeof(*digests->added.at), by_stamp, NULL)) {
		free(file);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const struct digest *row = &digests->added.at[i];
		if (i > 0 && !is_stamp_below(row[-1].stamp, row->stamp))
			continue;
		store_key(file + HEAD + rows * ROW, row->stamp);
		store_key(file + HEAD + rows++ * ROW + 16, row->content);
	}
	memcpy(file, magic, SUM);
	store_key(file + SUM, digests_sum(file + HEAD, rows * ROW));
	cs_error_free(farm_make_folder_of(digests->path));
	cs_error_free(cs_save_relaxed(digests->path, file, HEAD + rows * ROW));
	free(file);
}

void farm_digests_close(struct farm_digests *digests)
{
	if (!digests)
		return;
	if (digests->added.n > 0)
		digests_save(digests);
	cs_vec_free(&digests->kept);
	cs_vec_free(&digests->added);
	pthread_mutex_destroy(&digests->lock);
	free(digests->path);
	free(digests);
}
