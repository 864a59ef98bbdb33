/* SPDX-License-Identifier: Apache-2.0 */
/* Restricts assimp to the named mesh file and to files of its folder to which it refers. */
#pragma once

#include "mesh/mesh_readers.h"

#include <assimp/cfileio.h>

#include <limits.h>

struct gate {
	struct cs_mesh_file main;
	size_t folder; /* length of the path of the main file's folder, with the trailing slash */
	uint64_t left; /* maximum number of bytes that all further files together may have */
	/* error of the first file that the memory limit forbade assimp; the owner frees it */
	struct cs_error *refused;
};

void gate_init(struct gate *gate, const struct cs_mesh_file *file);
/* Returns the size in bytes of a file that the main file refers to by a URI. */
struct cs_error *gate_measure(const struct gate *gate, const char *uri, size_t *ret) CS_MUST_USE;
/* Reads a file that the main file refers to by a URI, in memory that the caller frees. */
struct cs_error *gate_read(
	struct gate *gate, const char *uri, unsigned char **ret, size_t *size_ret) CS_MUST_USE;
/*
 * Decodes %XX in the URI of a glTF file, because assimp does not. Writes the bytes and a NUL to
 * `ret`, or only counts them if `ret` is NULL. Returns the number of bytes.
 */
size_t gate_decode_percents(const char *text, char *ret);
/* Returns callbacks by which assimp opens files, restricted by `gate`, which must outlive them. */
struct aiFileIO gate_io(struct gate *gate);
