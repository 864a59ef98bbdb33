/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes containers as the engine does, so that tests need no file of others: IoStore pairs
 * (.utoc, .ucas with its partitions) and .pak files, of every version, packed by what can be
 * unpacked, encrypted with a key that the test knows.
 */
#pragma once

#include "core/writer.h"
#include "ue/container/compression.h"
#include "ue/container/container.h"

struct engine_file {
	const char *path; /* below the mount point */
	const void *bytes;
	size_t size;
	uint64_t id; /* of a chunk of an IoStore container, and its type */
	uint8_t type;
	bool deleted; /* of a .pak that patches */
};

struct engine_container {
	uint32_t version;
	enum cs_ue_method method; /* CS_UE_OODLE: as tests/faults/block_codec.c unpacks them */
	uint32_t block_size;
	uint64_t partition_size; /* of .ucas files, 0 = one */
	const struct cs_ue_key *key;
	enum cs_ue_cipher cipher;
	const char *mount;
	uint64_t id;      /* of an IoStore container */
	bool no_index;    /* it says no paths */
	bool flat;        /* the directory of .pak files from version 13 on */
	bool old_methods; /* version 8 of a .pak as it was at first */
};

/* Writes a .utoc; `data` becomes the content of all partitions, one after the other. */
void engine_utoc_write(const struct engine_container *form, const struct engine_file *files,
	size_t n, struct cs_writer *toc, struct cs_writer *data);
void engine_pak_write(const struct engine_container *form, const struct engine_file *files,
	size_t n, struct cs_writer *to);
/* Saves NAME.utoc and its .ucas files, or NAME.pak, in a folder. */
bool engine_utoc_save(const struct engine_container *form, const struct engine_file *files,
	size_t n, const char *folder, const char *name);
bool engine_pak_save(const struct engine_container *form, const struct engine_file *files, size_t n,
	const char *folder, const char *name);
bool engine_save_bytes(const void *bytes, size_t size, const char *folder, const char *name);
