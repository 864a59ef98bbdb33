/* SPDX-License-Identifier: Apache-2.0 */
/* Checks IoStore chunks against their hashes: first 20 bytes of BLAKE3 of the unpacked chunk. */
#include "core/job.h"
#include "ue/container/chunk_hash.h"
#include "ue/container/file_list.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 20 };

static struct cs_error *hash_entry(const struct cs_ue_container *container,
	const struct cs_ue_entry *entry, unsigned char *piece, const struct cs_job *job,
	unsigned char ret[20])
{
	struct cs_ue_chunk_hash hash;
	struct cs_error *error = NULL;
	cs_ue_chunk_hash_begin(&hash);
	for (uint64_t at = 0; at < entry->size && !error; at += PIECE) {
		const size_t n = entry->size - at < PIECE ? (size_t)(entry->size - at) : PIECE;
		error = cs_job_check(job);
		if (!error)
			error = cs_ue_container_read(container, entry, at, piece, n);
		if (!error)
			cs_ue_chunk_hash_add(&hash, piece, n);
	}
	if (!error)
		cs_ue_chunk_hash_end(&hash, ret);
	return error;
}

static bool is_hashed(const struct cs_ue_container *container, size_t entry)
{
	static const unsigned char none[20];
	return container->hashes && memcmp(container->hashes[entry], none, sizeof(none)) != 0;
}

static struct cs_error *check_file(const struct cs_ue_place *place, size_t file,
	unsigned char *piece, const struct cs_job *job, struct cs_findings *findings,
	struct cs_ue_hashed *sum)
{
	const struct cs_ue_place_spot *spot = &place->spots[file];
	unsigned char hash[20];
	if (!spot->container || spot->container->pak)
		return NULL;
	const size_t row = (size_t)(spot->entry - spot->container->entries);
	if (!is_hashed(spot->container, row) || !place->files[file].readable) {
		sum->unchecked++;
		return NULL;
	}
	struct cs_error *error = hash_entry(spot->container, spot->entry, piece, job, hash);
	if (error)
		return cs_findings_keep_error(findings, error);
	if (memcmp(hash, spot->container->hashes[row], sizeof(hash)) == 0) {
		sum->held++;
		return NULL;
	}
	return cs_findings_keep_error(findings,
		cs_error_at(CS_E_CHECKSUM, spot->container->name, CS_NO_OFFSET,
			"%s: the bytes of the file do not have the hash that the table of "
			"contents of the container contains",
			place->files[file].path));
}

struct cs_error *cs_ue_place_check_chunks(const struct cs_ue_place *place, const struct cs_job *job,
	struct cs_findings *findings, struct cs_ue_hashed *ret)
{
	unsigned char *piece = malloc(PIECE);
	struct cs_error *error = piece ? NULL : cs_error_nomem();
	*ret = (struct cs_ue_hashed){0};
	for (size_t i = 0; i < place->n_files && !error; i++) {
		error = check_file(place, i, piece, job, findings, ret);
		cs_job_progress(job, "chunks", i, place->n_files);
	}
	free(piece);
	return error;
}
