/* SPDX-License-Identifier: Apache-2.0 */
/* An open place, for the readers of packages: its files, and the script objects that they name. */
#pragma once

#include "core/vec.h"
#include "ue/container/container.h"
#include "ue/container/scripts.h"

/* Where a file of the place is stored. */
struct cs_ue_place_spot {
	const struct cs_ue_container *container; /* NULL for a loose file */
	const struct cs_ue_entry *entry;
	const char *loose; /* path on disk */
	int32_t order;     /* order of patches: of files with one path the highest order counts */
};

struct cs_ue_place {
	struct cs_arena arena;
	char *path;
	struct cs_ue_key key;
	struct cs_ue_place_file *files;
	struct cs_ue_place_spot *spots; /* spot of each file */
	size_t n_files;
	uint32_t *by_package; /* files that are packages, by their long name */
	uint32_t *by_id;      /* files that are package chunks, sorted by id */
	size_t n_by_package, n_by_id;
	CS_VEC(struct cs_ue_container *) containers;
	struct cs_ue_place_container *about; /* facts about each container */
	struct cs_ue_scripts scripts;        /* scripts of global.utoc; empty when there is none */
};

/*
 * Finds the file beside a package with another extension (".uexp", ".ubulk"). Returns false when
 * there is none.
 */
bool cs_ue_place_beside(
	const struct cs_ue_place *place, size_t file, const char *ending, size_t *ret);

/* Finds the package of that long name. Returns false when the place has none. */
bool cs_ue_place_package(const struct cs_ue_place *place, const char *package, size_t *ret);

const char *cs_ue_place_path(const struct cs_ue_place *place);
/* Reads n bytes from `offset` on. */
struct cs_error *cs_ue_place_read(const struct cs_ue_place *place, size_t file, uint64_t offset,
	void *ret, size_t n) CS_MUST_USE;
/* Reads a whole file of at most limits.memory bytes. The caller frees it. */
struct cs_error *cs_ue_place_read_whole(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
/* A chunk that doesn't match its hash, or cannot be read, is a finding. */
struct cs_error *cs_ue_place_check_chunks(const struct cs_ue_place *place, const struct cs_job *job,
	struct cs_findings *findings, struct cs_ue_hashed *ret) CS_MUST_USE;
