/* SPDX-License-Identifier: Apache-2.0 */
/* An open place, for the readers of packages: its files, and the script objects it names. */
#ifndef UE_CONTAINER_FILE_LIST_H
#define UE_CONTAINER_FILE_LIST_H

#include "core/vec.h"
#include "ue/container/container.h"
#include "ue/container/scripts.h"

/* Where a file of the place lies. */
struct cs_ue_place_spot {
	const struct cs_ue_container *container; /* NULL: loose */
	const struct cs_ue_entry *entry;
	const char *loose; /* path on disk */
	int32_t order;
};

struct cs_ue_place {
	struct cs_arena arena;
	char *path;
	struct cs_ue_key key;
	struct cs_ue_place_file *files;
	struct cs_ue_place_spot *spots; /* of each file */
	size_t n_files;
	uint32_t *by_package; /* files that are packages, by their long name */
	uint32_t *by_id;      /* package chunks, by id */
	size_t n_by_package, n_by_id;
	CS_VEC(struct cs_ue_container *) containers;
	struct cs_ue_place_container *about; /* of each container */
	struct cs_ue_scripts scripts;        /* of global.utoc; empty where there is none */
};

/* The file beside a package with another ending (".uexp", ".ubulk"); false when there is none. */
bool cs_ue_place_beside(
	const struct cs_ue_place *place, size_t file, const char *ending, size_t *ret);

/* The package of that long name; false when the place has none. */
bool cs_ue_place_package(const struct cs_ue_place *place, const char *package, size_t *ret);

#endif
