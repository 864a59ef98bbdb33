/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks chunks of containers and files of .pak files against their stored hashes: for a chunk the
 * first 20 bytes of BLAKE3 of the unpacked bytes, for a file of a .pak SHA-1 of the packed bytes.
 * Checks also that the files of a container are there and long enough, and that its seeds lead to
 * its chunks.
 */
#include "core/job.h"
#include "core/text.h"
#include "ue/container/file_list.h"
#include "ue/package/blake3.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 20 };

struct cs_error *cs_ue_keep_of_file(struct cs_findings *findings, struct cs_error *error)
{
	const size_t before = findings->n;
	struct cs_finding named;
	const size_t room = sizeof(named.place) - 1;
	const char *file = error && error->file ? error->file : "";
	const size_t length = strlen(file);
	snprintf(
		named.place, sizeof(named.place), "%s", file + (length > room ? length - room : 0));
	error = cs_findings_keep_error(findings, error);
	if (findings->n > before)
		memcpy(findings->at[before].place, named.place, sizeof(named.place));
	return error;
}

static struct cs_error *hash_entry(const struct cs_ue_container *container,
	const struct cs_ue_entry *entry, unsigned char *piece, const struct cs_job *job,
	unsigned char ret[20])
{
	struct cs_ue_blake3 hash;
	struct cs_error *error = NULL;
	cs_ue_blake3_begin(&hash);
	for (uint64_t at = 0; at < entry->size && !error; at += PIECE) {
		const size_t n = entry->size - at < PIECE ? (size_t)(entry->size - at) : PIECE;
		error = cs_job_check(job);
		if (!error)
			error = cs_ue_container_read(container, entry, at, piece, n);
		if (!error)
			cs_ue_blake3_add(&hash, piece, n);
	}
	if (!error)
		cs_ue_blake3_end(&hash, ret);
	return error;
}

static bool is_hashed(const struct cs_ue_container *container, size_t entry)
{
	static const unsigned char none[20];
	return container->hashes && memcmp(container->hashes[entry], none, sizeof(none)) != 0;
}

/*
 * Reads the hash of a file in a .pak. A copy of its entry before the file ends with the hash (20
 * bytes), the ranges of compressed blocks, a byte of flags and the size of a block.
 */
static struct cs_error *read_pak_hash(
	const struct cs_ue_container *pak, const struct cs_ue_entry *entry, unsigned char ret[20])
{
	const struct cs_ue_block *block = &pak->blocks[entry->first];
	const uint64_t behind = 5 + (block->method ? 4 + 16 * (uint64_t)entry->n_blocks : 0) + 20;
	if (block->at < behind)
		return cs_error_at(CS_E_LAYOUT, pak->name, block->at,
			"%s: before the bytes of the file there is no room in the .pak for the "
			"copy of its index entry",
			entry->path);
	return cs_source_read(&pak->parts[0], block->at - behind, ret, 20);
}

/* Adds the packed bytes of a file in a .pak, which must not be encrypted, to a hash. */
static struct cs_error *hash_packed(const struct cs_ue_container *pak,
	const struct cs_ue_entry *entry, unsigned char *piece, const struct cs_job *job,
	EVP_MD_CTX *to)
{
	struct cs_error *error = NULL;
	for (uint32_t i = 0; i < entry->n_blocks && !error; i++) {
		const struct cs_ue_block *block = &pak->blocks[entry->first + i];
		for (uint64_t at = 0; at < block->packed && !error; at += PIECE) {
			const uint64_t left = block->packed - at;
			const size_t n = left < PIECE ? (size_t)left : PIECE;
			error = cs_job_check(job);
			if (!error)
				error = cs_source_read(&pak->parts[0], block->at + at, piece, n);
			if (!error && EVP_DigestUpdate(to, piece, n) != 1)
				error = cs_error_nomem();
		}
	}
	return error;
}

static struct cs_error *check_pak_file(const struct cs_ue_place *place, size_t file,
	unsigned char *piece, const struct cs_job *job, struct cs_ue_hashed *sum)
{
	static const unsigned char none[20];
	const struct cs_ue_entry *entry = place->spots[file].entry;
	const struct cs_ue_container *pak = place->spots[file].container;
	unsigned char want[20], got[EVP_MAX_MD_SIZE];
	if (entry->n_blocks == 0 || entry->deleted)
		return NULL;
	struct cs_error *error = entry->encrypted ? NULL : read_pak_hash(pak, entry, want);
	if (error)
		return error;
	if (entry->encrypted || memcmp(want, none, sizeof(none)) == 0) {
		sum->unchecked++;
		return NULL;
	}
	EVP_MD_CTX *hash = EVP_MD_CTX_new();
	if (!hash || EVP_DigestInit_ex(hash, EVP_sha1(), NULL) != 1)
		error = cs_error_nomem();
	if (!error)
		error = hash_packed(pak, entry, piece, job, hash);
	if (!error && EVP_DigestFinal_ex(hash, got, NULL) != 1)
		error = cs_error_nomem();
	EVP_MD_CTX_free(hash);
	if (!error && memcmp(want, got, sizeof(want)) != 0)
		error = cs_error_at(CS_E_CHECKSUM, pak->name, pak->blocks[entry->first].at,
			"%s: the bytes of the file do not match the hash that is stored before "
			"them",
			place->files[file].path);
	sum->held += !error;
	return error;
}

static struct cs_error *check_file(const struct cs_ue_place *place, size_t file,
	unsigned char *piece, const struct cs_job *job, struct cs_findings *findings,
	struct cs_ue_hashed *sum)
{
	const struct cs_ue_place_spot *spot = &place->spots[file];
	unsigned char hash[20];
	if (!spot->container)
		return NULL;
	if (spot->container->pak)
		return cs_ue_keep_of_file(findings, check_pak_file(place, file, piece, job, sum));
	const size_t row = (size_t)(spot->entry - spot->container->entries);
	if (!is_hashed(spot->container, row) || !place->files[file].readable) {
		sum->unchecked++;
		return NULL;
	}
	struct cs_error *error = hash_entry(spot->container, spot->entry, piece, job, hash);
	if (error)
		return cs_ue_keep_of_file(findings, error);
	if (memcmp(hash, spot->container->hashes[row], sizeof(hash)) == 0) {
		sum->held++;
		return NULL;
	}
	return cs_ue_keep_of_file(findings,
		cs_error_at(CS_E_CHECKSUM, spot->container->name, CS_NO_OFFSET,
			"%s: the bytes of the file do not match the hash in the table of contents "
			"of the container",
			place->files[file].path));
}

static void keep_of_container(struct cs_findings *findings, const char *container,
	enum cs_code code, uint64_t offset, const char *message)
{
	struct cs_finding finding = {
		.severity = CS_ERROR, .code = code, .offset = offset, .rule = "source"};
	snprintf(finding.place, sizeof(finding.place), "%s", container);
	snprintf(finding.message, sizeof(finding.message), "%s", message);
	cs_findings_keep(findings, &finding);
}

/* Reports a file of a container that is missing, or ends before byte `end`, where a block ends. */
static void check_part_end(const struct cs_ue_container *container, uint32_t part, uint64_t end,
	struct cs_findings *findings)
{
	char problem[128];
	const bool exists = part < container->n_parts && container->parts[part].name;
	const struct cs_source_file *file = exists ? &container->parts[part] : NULL;
	if (end == 0 || (exists && end <= file->size))
		return;
	if (exists)
		cs_format_c(problem, sizeof(problem),
			"the file ends before byte %llu, where a block of it must end",
			(unsigned long long)end);
	else
		cs_format_c(problem, sizeof(problem),
			"its .ucas file number %u (counted from 0) is missing: copy it beside the "
			".utoc",
			part);
	keep_of_container(findings, cs_base_name(exists ? file->name : container->name),
		exists ? CS_E_TRUNCATED : CS_E_NOFILE, exists ? file->size : CS_NO_OFFSET, problem);
}

/*
 * Checks the files of a container. Reading chunks would not find what is missing where all need a
 * key or a codec that is not given.
 */
static void check_parts(const struct cs_ue_container *container, struct cs_findings *findings)
{
	const uint64_t part_bytes = container->part_bytes ? container->part_bytes : UINT64_MAX;
	/* the largest end of a block in each part, and in the first of those beyond all parts */
	uint64_t ends[CS_UE_MOST_PARTS + 1] = {0};
	for (uint32_t i = 0; i < container->n_blocks; i++) {
		const struct cs_ue_block *block = &container->blocks[i];
		const uint64_t part = block->at / part_bytes;
		const uint64_t end = block->at % part_bytes + block->packed;
		uint64_t *last = &ends[part < container->n_parts ? part : container->n_parts];
		*last = end > *last ? end : *last;
	}
	for (uint32_t part = 0; part <= container->n_parts; part++)
		check_part_end(container, part, ends[part], findings);
}

/* Reports a .utoc with chunks that cannot be found, or that ends within the hashes of chunks. */
static void check_toc(const struct cs_ue_container *container, struct cs_findings *findings)
{
	const char *name = cs_base_name(container->name);
	char lost[128];
	cs_format_c(lost, sizeof(lost),
		"of its %u chunks a game cannot find %u, because the seeds for the hashes of their "
		"ids are wrong",
		container->n_entries, container->lost);
	if (container->lacks_hashes)
		keep_of_container(findings, name, CS_E_TRUNCATED, CS_NO_OFFSET,
			"the file ends before the hashes of its chunks");
	if (container->lost)
		keep_of_container(findings, name, CS_E_REFERENCE, CS_NO_OFFSET, lost);
}

/* Reports containers that could not be opened, and what is wrong with the others as a whole. */
static void check_containers(const struct cs_ue_place *place, struct cs_findings *findings)
{
	for (size_t i = 0; i < place->failures.n; i++) {
		const struct cs_error *error = place->failures.at[i].error;
		keep_of_container(findings, place->failures.at[i].path, error->code, error->offset,
			error->message);
	}
	for (size_t i = 0; i < place->containers.n; i++) {
		check_toc(place->containers.at[i], findings);
		check_parts(place->containers.at[i], findings);
	}
}

struct cs_error *cs_ue_place_check_chunks(const struct cs_ue_place *place, const struct cs_job *job,
	struct cs_findings *findings, struct cs_ue_hashed *ret)
{
	unsigned char *piece = malloc(PIECE);
	struct cs_error *error = piece ? NULL : cs_error_nomem();
	*ret = (struct cs_ue_hashed){0};
	check_containers(place, findings);
	for (size_t i = 0; i < place->n_files && !error; i++) {
		error = check_file(place, i, piece, job, findings, ret);
		cs_job_progress(job, "chunks", i, place->n_files);
	}
	free(piece);
	return error;
}
