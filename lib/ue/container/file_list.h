/* SPDX-License-Identifier: Apache-2.0 */
/* A place: an opened folder, container or package, its files, and script objects of global.utoc. */
#pragma once

#include "core/vec.h"
#include "ue/container/container.h"
#include "ue/container/scripts.h"

/* Where a file is stored: in a container, or loose on disk. */
struct cs_ue_place_spot {
	const struct cs_ue_container *container; /* NULL for a loose file */
	const struct cs_ue_entry *entry;
	const char *loose; /* path on disk of a loose file */
	int32_t order; /* patch number (of files with one path, that with the highest is used) */
};

/* A container of a folder that could not be opened, although others could. */
struct cs_ue_place_failure {
	const char *path; /* path relative to the folder */
	struct cs_error *error;
};

struct cs_ue_place {
	struct cs_arena arena;
	char *path;
	struct cs_ue_key key;
	struct cs_ue_place_file *files;
	struct cs_ue_place_spot *spots; /* where each of `files` is stored */
	size_t n_files;
	uint32_t *by_package; /* indices of the files that are packages, sorted by package name */
	uint32_t *by_id;      /* indices of the files that are package chunks, sorted by chunk id */
	size_t n_by_package, n_by_id;
	CS_VEC(struct cs_ue_container *) containers;
	CS_VEC(struct cs_ue_place_failure) failures; /* containers that could not be opened */
	struct cs_ue_place_container *about; /* public description of each of `containers` */
	/* script objects of global.utoc, or none (n = 0) if there is no such file */
	struct cs_ue_scripts scripts;
};

/* Stores an error as a finding, with the file that it is about, or the end of a long path. */
struct cs_error *cs_ue_keep_of_file(
	struct cs_findings *findings, struct cs_error *error) CS_MUST_USE;
/* Finds the file with this path. If patches replace it, finds the file that is not hidden. */
bool cs_ue_place_at(const struct cs_ue_place *place, const char *path, size_t *ret);
/* Finds the file of a package with this extension (".ubulk"). Returns false if there is none. */
bool cs_ue_place_beside(
	const struct cs_ue_place *place, size_t file, const char *ending, size_t *ret);

/* Returns whether several files contain the package, as when two cooks are in one folder. */
bool cs_ue_place_has_copies(const struct cs_ue_place *place, const char *package);
/* Stores the index of the first file of the package with this long name, or returns false. */
bool cs_ue_place_package(const struct cs_ue_place *place, const char *package, size_t *ret);

/* Returns whether a path has the extension of a package: .umap, .uasset or .uzenasset. */
bool cs_ue_is_package_path(const char *path);
const char *cs_ue_place_path(const struct cs_ue_place *place);
/* Reads n bytes at `offset` of the file with index `file`, in its unpacked form. */
struct cs_error *cs_ue_place_read(const struct cs_ue_place *place, size_t file, uint64_t offset,
	void *ret, size_t n) CS_MUST_USE;
/* Reads and unpacks the whole file, at most limits.memory bytes. The caller frees them. */
struct cs_error *cs_ue_place_read_whole(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
/*
 * Checks the hashes of all IoStore chunks and of the files in .pak files. A chunk or file whose
 * hash differs or that cannot be read is a finding, and so is a container that could not be opened.
 */
struct cs_error *cs_ue_place_check_chunks(const struct cs_ue_place *place, const struct cs_job *job,
	struct cs_findings *findings, struct cs_ue_hashed *ret) CS_MUST_USE;
