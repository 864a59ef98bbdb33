/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The answer of the import helper, which it writes to its pipe: a head, texts, the arrays of a raw
 * mesh, and a checksum of everything.
 *
 * Both ends are of one build on one machine, so numbers have the byte order of the machine. The
 * reader still checks every number, because the writer runs foreign code on a foreign file.
 *
 *	head     struct cs_wire_head
 *	texts    an error: its message and its file, each with a NUL; a mesh: the names of its
 *	         materials, each with a NUL
 *	arrays   a mesh: those of wire_spans() in helper_wire.c, in their order
 *	sum      u64, XXH3 of everything before it
 */
#pragma once

#include "mesh/mesh_internal.h"

#define CS_WIRE_MAGIC "csmesh4\n"

enum {
	CS_WIRE_SPANS = 5 + CS_MESH_UVS,
	CS_WIRE_TEXT = 256 << 10, /* largest size of the texts in bytes */
};

enum cs_wire_kind { CS_WIRE_ERROR = 1, CS_WIRE_MESH = 2 };

struct cs_wire_head {
	char magic[8];
	uint32_t kind;
	uint32_t code;     /* enum cs_code of the error */
	uint64_t offset;   /* file offset that the error refers to */
	uint32_t has_file; /* whether the error names a file */
	uint32_t text_bytes;
	uint64_t vertices, triangles, materials;
	uint32_t uvs, colors;
	struct cs_mesh_report report;
};

struct cs_span {
	void *bytes;
	size_t size;
};

/* Writes the mesh as the helper's answer. Returns false when the reader closed the pipe. */
bool cs_wire_put_mesh(int fd, struct cs_mesh *mesh, const struct cs_mesh_report *report);
bool cs_wire_put_error(int fd, const struct cs_error *error);
/* Writes an error as the answer without allocating memory. */
bool cs_wire_put_plain(int fd, enum cs_code code, const char *message);

/*
 * Reads the answer of the helper. `take` reads exactly n bytes or returns false. When `take`
 * returns false, cs_wire_get returns NULL and leaves *ret NULL: the caller, which started the
 * helper, reports the cause.
 */
typedef bool cs_wire_take(void *context, void *bytes, size_t n);
struct cs_error *cs_wire_get(cs_wire_take *take, void *context, const struct cs_job *job,
	struct cs_mesh_report *report, struct cs_mesh **ret) CS_MUST_USE;
