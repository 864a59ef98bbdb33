/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: writing IoStore containers and .pak files, ue-cooked rules 8 and 9. */
#include "tests/samples/engine_container.h"
#include "tests/make/writes.h"

#include "ue/package/blake3.h"

#include "core/vec.h"

#include <lz4.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* ---- blocks ---- */

/* A block as it is stored in the file: packed, padded and encrypted. */
struct packed_block {
	unsigned char *bytes;
	uint32_t size, stored; /* packed, and with its padding */
	uint8_t method;        /* 0 = left as it is */
};

static size_t deflate_block(const void *from, size_t n, unsigned char *to, size_t room, int window)
{
	z_stream stream = {.next_in = (unsigned char *)from,
		.avail_in = (uInt)n,
		.next_out = to,
		.avail_out = (uInt)room};
	deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
	deflate(&stream, Z_FINISH);
	deflateEnd(&stream);
	return stream.total_out;
}

static size_t pack(
	enum cs_ue_method method, const void *from, size_t n, unsigned char *to, size_t room)
{
	switch (method) {
	case CS_UE_ZLIB:
		return deflate_block(from, n, to, room, 15);
	case CS_UE_GZIP:
		return deflate_block(from, n, to, room, 15 + 16);
	case CS_UE_LZ4:
		return (size_t)LZ4_compress_default(from, (char *)to, (int)n, (int)room);
	case CS_UE_ZSTD:
		return ZSTD_compress(to, room, from, n, 3);
	case CS_UE_OODLE: /* what tests/faults/block_codec.c unpacks */
		for (size_t i = 0; i < n; i++)
			to[i] = ((const unsigned char *)from)[i] ^ 0x55;
		return n;
	default:
		memcpy(to, from, n);
		return n;
	}
}

static void encrypt(const struct engine_container *form, const unsigned char iv[CS_UE_IV],
	uint32_t first, unsigned char *bytes, size_t n)
{
	unsigned char counter[16] = {0};
	int done = 0;
	if (iv)
		memcpy(counter, iv, CS_UE_IV);
	for (int i = 0; i < 4; i++)
		counter[12 + i] = (unsigned char)(first >> (24 - 8 * i));
	EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
	EVP_EncryptInit_ex(context,
		form->cipher == CS_UE_CTR ? EVP_aes_256_ctr() : EVP_aes_256_ecb(), NULL,
		form->key->bytes, form->cipher == CS_UE_CTR ? counter : NULL);
	EVP_CIPHER_CTX_set_padding(context, 0);
	EVP_EncryptUpdate(context, bytes, &done, bytes, (int)n);
	EVP_CIPHER_CTX_free(context);
}

static struct packed_block pack_block(const struct engine_container *form, const void *from,
	size_t n, const unsigned char iv[CS_UE_IV], uint32_t first)
{
	size_t room = n + n / 2 + 1024;
	struct packed_block block = {.bytes = calloc(1, room), .method = form->method != 0};
	block.size = (uint32_t)pack(form->method, from, n, block.bytes, room);
	block.stored = form->key ? (block.size + 15) & ~15u : block.size;
	if (form->key)
		encrypt(form, iv, first, block.bytes, block.stored);
	return block;
}

/* Makes an initialisation vector of its own for each number. */
static void make_iv(uint32_t number, unsigned char ret[CS_UE_IV])
{
	for (int i = 0; i < CS_UE_IV; i++)
		ret[i] = (unsigned char)(number * 31 + (unsigned)i * 7 + 1);
}

static void write_string(struct cs_writer *to, const char *text)
{
	cs_writer_u32(to, (uint32_t)strlen(text) + 1);
	cs_writer_bytes(to, text, strlen(text) + 1);
}

static void big_endian(struct cs_writer *to, uint64_t value, int n)
{
	for (int i = n; i-- > 0;)
		cs_writer_u8(to, (uint8_t)(value >> (8 * i)));
}

static void little_endian(struct cs_writer *to, uint64_t value, int n)
{
	for (int i = 0; i < n; i++)
		cs_writer_u8(to, (uint8_t)(value >> (8 * i)));
}

/* ---- IoStore ---- */

struct toc {
	const struct engine_container *form;
	struct cs_writer ids, places, blocks, ivs, *data;
	uint32_t n_blocks;
};

static void add_toc_block(struct toc *toc, const unsigned char *from, size_t n)
{
	const struct engine_container *form = toc->form;
	unsigned char iv[CS_UE_IV];
	make_iv(toc->n_blocks, iv);
	struct packed_block block = pack_block(form, from, n, iv, 0);
	uint64_t part = form->partition_size;
	if (part && toc->data->size / part != (toc->data->size + block.stored - 1) / part)
		cs_writer_extend(toc->data, (size_t)(part - toc->data->size % part));
	little_endian(&toc->blocks, toc->data->size, 5);
	little_endian(&toc->blocks, block.size, 3);
	little_endian(&toc->blocks, n, 3);
	cs_writer_u8(&toc->blocks, block.method);
	cs_writer_bytes(&toc->ivs, iv, CS_UE_IV);
	cs_writer_bytes(toc->data, block.bytes, block.stored);
	cs_writer_align(toc->data, 16);
	toc->n_blocks++;
	free(block.bytes);
}

static void add_chunk(struct toc *toc, const struct engine_file *file)
{
	const struct engine_container *form = toc->form;
	const unsigned char *bytes = file->bytes;
	cs_writer_u64(&toc->ids, file->id);
	big_endian(&toc->ids, 0, 2);
	cs_writer_u8(&toc->ids, 0);
	cs_writer_u8(&toc->ids, file->type);
	big_endian(&toc->places, (uint64_t)toc->n_blocks * form->block_size, 5);
	big_endian(&toc->places, file->size, 5);
	for (size_t at = 0; at < file->size; at += form->block_size) {
		size_t left = file->size - at;
		add_toc_block(toc, bytes + at, left < form->block_size ? left : form->block_size);
	}
}

/* All files, in as many nested folders as their paths have. */
struct folders {
	struct {
		uint32_t name, child, sibling, file;
	} at[64];
	uint32_t n;
	CS_VEC(char *) names;
};

static uint32_t folder_name(struct folders *f, const char *text, size_t n)
{
	for (size_t i = 0; i < f->names.n; i++)
		if (strlen(f->names.at[i]) == n && strncmp(f->names.at[i], text, n) == 0)
			return (uint32_t)i;
	(void)!cs_vec_push(&f->names, strndup(text, n));
	return (uint32_t)f->names.n - 1;
}

/* Returns the folder of that name below another one, and makes it where it is missing. */
static uint32_t folder_below(struct folders *f, uint32_t parent, const char *text, size_t n)
{
	uint32_t name = folder_name(f, text, n), at = f->at[parent].child;
	for (; at != CS_NONE; at = f->at[at].sibling)
		if (f->at[at].name == name)
			return at;
	f->at[f->n].name = name;
	f->at[f->n].child = f->at[f->n].file = CS_NONE;
	f->at[f->n].sibling = f->at[parent].child;
	f->at[parent].child = f->n;
	return f->n++;
}

static void write_directory(const struct engine_container *form, const struct engine_file *files,
	size_t n, struct cs_writer *to)
{
	struct folders f = {.n = 1};
	struct cs_writer rows = {0};
	f.at[0].name = f.at[0].child = f.at[0].sibling = f.at[0].file = CS_NONE;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t folder = 0;
		const char *at = files[i].path ? files[i].path : "";
		for (const char *slash; (slash = strchr(at, '/')) && f.n < 64; at = slash + 1)
			folder = folder_below(&f, folder, at, (size_t)(slash - at));
		cs_writer_u32(&rows, folder_name(&f, at, strlen(at)));
		cs_writer_u32(&rows, f.at[folder].file);
		cs_writer_u32(&rows, i);
		f.at[folder].file = i;
	}
	write_string(to, form->mount);
	cs_writer_u32(to, f.n);
	for (uint32_t i = 0; i < f.n; i++) {
		cs_writer_u32(to, f.at[i].name);
		cs_writer_u32(to, f.at[i].child);
		cs_writer_u32(to, f.at[i].sibling);
		cs_writer_u32(to, f.at[i].file);
	}
	cs_writer_u32(to, (uint32_t)n);
	cs_writer_bytes(to, rows.bytes, rows.size);
	cs_writer_u32(to, (uint32_t)f.names.n);
	for (size_t i = 0; i < f.names.n; i++) {
		write_string(to, f.names.at[i]);
		free(f.names.at[i]);
	}
	cs_vec_free(&f.names);
	cs_writer_deinit(&rows);
}

static void write_toc_header(const struct toc *toc, const struct engine_container *form, size_t n,
	size_t directory, struct cs_writer *to)
{
	uint64_t part = form->partition_size;
	cs_writer_bytes(to, "-==--==--==--==-", 16);
	cs_writer_u8(to, (uint8_t)form->version);
	cs_writer_bytes(to, "\0\0", 3);
	cs_writer_u32(to, 144);
	cs_writer_u32(to, (uint32_t)n);
	cs_writer_u32(to, toc->n_blocks);
	cs_writer_u32(to, 12);
	cs_writer_u32(to, form->method ? 1 : 0);
	cs_writer_u32(to, 32);
	cs_writer_u32(to, form->block_size);
	cs_writer_u32(to, (uint32_t)directory);
	cs_writer_u32(to, part ? (uint32_t)((toc->data->size + part - 1) / part) : 1);
	cs_writer_u64(to, form->id);
	cs_writer_guid(to, (struct cs_guid){0});
	cs_writer_u8(
		to, (uint8_t)((form->method ? 1 : 0) | (form->key ? 2 : 0) | (directory ? 8 : 0)));
	cs_writer_u8(
		to, form->version >= 10 && form->key ? (form->cipher == CS_UE_CTR ? 2 : 1) : 0);
	cs_writer_u16(to, 0);
	cs_writer_u32(to, 0); /* seeds */
	cs_writer_u64(to, part ? part : UINT64_MAX);
	cs_writer_u32(to, 0); /* chunks without perfect hash */
	cs_writer_u32(to, 0);
	cs_writer_u32(to, form->version >= 10 && form->key ? toc->n_blocks + 1 : 0);
	cs_writer_extend(to, 144 - to->size);
}

void engine_utoc_write(const struct engine_container *form, const struct engine_file *files,
	size_t n, struct cs_writer *toc_ret, struct cs_writer *data)
{
	struct toc toc = {.form = form, .data = data};
	struct cs_writer directory = {0};
	unsigned char iv[CS_UE_IV];
	char method[32] = "";
	for (size_t i = 0; i < n; i++)
		add_chunk(&toc, &files[i]);
	make_iv(toc.n_blocks, iv);
	cs_writer_bytes(&toc.ivs, iv, CS_UE_IV);
	if (!form->no_index)
		write_directory(form, files, n, &directory);
	if (form->key && directory.size) {
		cs_writer_align(&directory, 16);
		encrypt(form, iv, 0, directory.bytes, directory.size);
	}
	write_toc_header(&toc, form, n, directory.size, toc_ret);
	cs_writer_bytes(toc_ret, toc.ids.bytes, toc.ids.size);
	cs_writer_bytes(toc_ret, toc.places.bytes, toc.places.size);
	cs_writer_bytes(toc_ret, toc.blocks.bytes, toc.blocks.size);
	if (form->version >= 10 && form->key)
		cs_writer_bytes(toc_ret, toc.ivs.bytes, toc.ivs.size);
	snprintf(method, sizeof(method), "%s", cs_ue_method_name(form->method));
	if (form->method)
		cs_writer_bytes(toc_ret, method, sizeof(method));
	cs_writer_bytes(toc_ret, directory.bytes, directory.size);
	for (size_t i = 0; i < n && form->version >= 8; i++) { /* hashes of what was packed */
		struct cs_ue_blake3 hash;
		unsigned char sum[24] = {0};
		cs_ue_blake3_begin(&hash);
		cs_ue_blake3_add(&hash, files[i].bytes, files[i].size);
		cs_ue_blake3_end(&hash, sum);
		cs_writer_bytes(toc_ret, sum, sizeof(sum));
	}
	cs_writer_deinit(&toc.ids);
	cs_writer_deinit(&toc.places);
	cs_writer_deinit(&toc.blocks);
	cs_writer_deinit(&toc.ivs);
	cs_writer_deinit(&directory);
}

/* ---- .pak ---- */

enum { MOST_BLOCKS = 64 };

struct pak_entry {
	uint64_t offset, packed, plain;
	uint32_t sizes[MOST_BLOCKS], n, block_size;
	unsigned char iv[CS_UE_IV], sum[20];
	bool encrypted;
	uint32_t method; /* number in the footer's names */
};

static size_t local_header(const struct engine_container *form, const struct pak_entry *e)
{
	return (form->old_methods ? 50 : 53) + (e->method ? 4 + 16 * (size_t)e->n : 0);
}

/* Writes an entry in the form of an old index, which also precedes the data of every file. */
static void write_plain_entry(
	const struct engine_container *form, const struct pak_entry *e, struct cs_writer *to)
{
	uint64_t at = (form->version >= 5 ? 0 : e->offset) + local_header(form, e);
	cs_writer_u64(to, e->offset);
	cs_writer_u64(to, e->packed);
	cs_writer_u64(to, e->plain);
	if (form->old_methods)
		cs_writer_u8(to, (uint8_t)e->method);
	else
		cs_writer_u32(to, e->method);
	cs_writer_bytes(to, e->sum, sizeof(e->sum));
	if (e->method)
		cs_writer_u32(to, e->n);
	for (uint32_t i = 0; i < e->n && e->method; i++) {
		cs_writer_u64(to, at);
		cs_writer_u64(to, at + e->sizes[i]);
		at += e->encrypted ? (e->sizes[i] + 15) & ~15u : e->sizes[i];
	}
	cs_writer_u8(to, e->encrypted);
	cs_writer_u32(to, e->method ? e->block_size : 0);
}

static struct pak_entry add_pak_file(const struct engine_container *form,
	const struct engine_file *file, uint32_t number, struct cs_writer *to)
{
	struct pak_entry e = {.offset = to->size,
		.plain = file->size,
		.encrypted = form->key != NULL,
		.block_size = form->block_size};
	struct cs_writer data = {0};
	static const uint32_t old[] = {0, 1, 2, 4, 5, 3};
	e.method = file->size == 0     ? 0
		   : form->version < 8 ? old[form->method]
		   : form->method      ? 1
				       : 0;
	size_t step = e.method ? form->block_size : file->size + 1;
	make_iv(number, e.iv);
	for (size_t at = 0; at < file->size && e.n < MOST_BLOCKS; at += step) {
		size_t left = file->size - at;
		struct packed_block block = pack_block(form, (const char *)file->bytes + at,
			left < step ? left : step, e.iv, (uint32_t)(data.size / 16));
		e.sizes[e.n++] = block.size;
		cs_writer_bytes(&data, block.bytes, block.stored);
		e.packed += form->key ? block.stored : block.size;
		free(block.bytes);
	}
	if (!e.method)
		e.packed = e.plain;
	cs_ue_sha1(data.bytes, data.size, e.sum);
	write_plain_entry(form, &e, to);
	cs_writer_bytes(to, data.bytes, data.size);
	cs_writer_deinit(&data);
	return e;
}

static void write_encoded_entry(
	const struct engine_container *form, const struct pak_entry *e, struct cs_writer *to)
{
	bool odd = e->block_size % 2048 || e->block_size >> 11 >= 63;
	uint32_t n = e->method ? e->n : 0;
	uint32_t bits = (e->method ? odd ? 63 : e->block_size >> 11 : 0) | n << 6 |
			(uint32_t)e->encrypted << 22 | e->method << 23 | 7u << 29;
	cs_writer_u32(to, bits);
	if (e->method && odd)
		cs_writer_u32(to, e->block_size);
	cs_writer_u32(to, (uint32_t)e->offset);
	cs_writer_u32(to, (uint32_t)e->plain);
	if (e->encrypted && form->cipher == CS_UE_CTR)
		cs_writer_bytes(to, e->iv, CS_UE_IV);
	if (e->method)
		cs_writer_u32(to, (uint32_t)e->packed);
	for (uint32_t i = 0; i < n && (n > 1 || e->encrypted); i++)
		cs_writer_u32(to, e->sizes[i]);
}

/*
 * Splits a path into "Content/" and "M.umap"; the folder is written as directories have it, "/" for
 * the root.
 */
static void split_path(const char *path, char folder[256], const char **name_ret)
{
	const char *slash = strrchr(path, '/');
	snprintf(folder, 256, "/%.*s", slash ? (int)(slash - path) + 1 : 0, path);
	*name_ret = slash ? slash + 1 : path;
}

static void write_pak_name(
	const struct engine_container *form, const char *name, struct cs_writer *to)
{
	if (form->version < 12) {
		write_string(to, name);
		return;
	}
	cs_writer_u32(to, (uint32_t)strlen(name));
	cs_writer_bytes(to, name, strlen(name));
}

/* Writes a folder for each file; readers accept a folder that is there twice. */
static void write_folders(const struct engine_container *form, const struct engine_file *files,
	const int32_t *where, size_t n, struct cs_writer *to)
{
	cs_writer_u32(to, (uint32_t)n);
	for (size_t i = 0; i < n; i++) {
		char folder[256];
		const char *name;
		split_path(files[i].path, folder, &name);
		write_string(to, folder);
		cs_writer_u32(to, 1);
		write_pak_name(form, name, to);
		cs_writer_u32(to, (uint32_t)where[i]);
	}
}

static void write_flat(
	const struct engine_file *files, const int32_t *where, size_t n, struct cs_writer *to)
{
	struct cs_writer folders = {0}, names = {0}, ends = {0};
	char before[256] = "", folder[256];
	cs_writer_u32(&ends, 0);
	for (size_t i = 0; i < n; i++) {
		const char *name;
		size_t shared = 0;
		split_path(files[i].path, folder, &name);
		while (folder[shared] && folder[shared] == before[shared])
			shared++;
		cs_writer_u32(&folders, (uint32_t)shared);
		cs_writer_u32(&folders, (uint32_t)strlen(folder + shared));
		cs_writer_bytes(&folders, folder + shared, strlen(folder + shared));
		memcpy(before, folder, sizeof(before));
		cs_writer_bytes(&names, name, strlen(name));
		cs_writer_u32(&ends, (uint32_t)names.size);
	}
	cs_writer_u32(to, 0x50464451);
	cs_writer_u32(to, (uint32_t)n);
	cs_writer_u32(to, (uint32_t)n);
	cs_writer_u32(to, 16);
	cs_writer_u32(to, (uint32_t)folders.size);
	cs_writer_u32(to, (uint32_t)names.size);
	cs_writer_u32(to, 0);
	cs_writer_u32(to, 0);
	cs_writer_extend(to, 4 * ((n + 15) / 16 + 1));
	for (uint32_t i = 0; i <= n; i++)
		cs_writer_u32(to, i);
	cs_writer_bytes(to, ends.bytes, ends.size);
	for (size_t i = 0; i < n; i++)
		cs_writer_u32(to, (uint32_t)where[i]);
	cs_writer_bytes(to, folders.bytes, folders.size);
	cs_writer_bytes(to, names.bytes, names.size);
	cs_writer_deinit(&folders);
	cs_writer_deinit(&names);
	cs_writer_deinit(&ends);
}

/* A part of the index at the end of the file. */
struct index_part {
	uint64_t offset, size;
	unsigned char sum[20], iv[CS_UE_IV];
};

static struct index_part place_part(const struct engine_container *form, struct cs_writer *part,
	uint32_t number, struct cs_writer *to)
{
	struct index_part placed = {.offset = to->size};
	make_iv(1000 + number, placed.iv);
	if (form->key)
		cs_writer_align(part, 16);
	placed.size = part->size;
	cs_ue_sha1(part->bytes, part->size, placed.sum);
	if (form->key)
		encrypt(form, placed.iv, 0, part->bytes, part->size);
	cs_writer_bytes(to, part->bytes, part->size);
	return placed;
}

static void write_span(const struct index_part *part, struct cs_writer *to)
{
	cs_writer_u64(to, part->offset);
	cs_writer_u64(to, part->size);
	cs_writer_bytes(to, part->sum, sizeof(part->sum));
}

static void new_index(const struct engine_container *form, const struct engine_file *files,
	const struct pak_entry *entries, size_t n, struct cs_writer *index, struct cs_writer *to,
	struct index_part *directory_ret)
{
	struct cs_writer encoded = {0}, directory = {0};
	int32_t *where = calloc(n + 1, sizeof(*where));
	for (size_t i = 0; i < n; i++) {
		where[i] = files[i].deleted ? INT32_MIN : (int32_t)encoded.size;
		if (!files[i].deleted)
			write_encoded_entry(form, &entries[i], &encoded);
	}
	if (form->flat)
		write_flat(files, where, n, &directory);
	else
		write_folders(form, files, where, n, &directory);
	*directory_ret = place_part(form, &directory, 2, to);
	write_string(index, form->mount);
	cs_writer_u32(index, (uint32_t)n);
	cs_writer_u64(index, 0); /* seed */
	cs_writer_u32(index, 0); /* no hashes of paths */
	cs_writer_u32(index, !form->no_index);
	if (!form->no_index)
		write_span(directory_ret, index);
	cs_writer_u32(index, (uint32_t)encoded.size);
	cs_writer_bytes(index, encoded.bytes, encoded.size);
	cs_writer_u32(index, 0); /* plain entries */
	cs_writer_deinit(&encoded);
	cs_writer_deinit(&directory);
	free(where);
}

static void write_footer(const struct engine_container *form, const struct index_part *index,
	const struct index_part *directory, struct cs_writer *to)
{
	static const unsigned char none[CS_UE_IV];
	char name[32] = "";
	uint32_t names = form->version < 8 ? 0 : form->old_methods ? 4 : 5;
	if (form->version >= 7)
		cs_writer_guid(to, (struct cs_guid){0});
	cs_writer_u8(to, form->key != NULL);
	cs_writer_u32(to, 0x5a6f12e1);
	cs_writer_u32(to, form->version);
	write_span(index, to);
	if (form->version == 9)
		cs_writer_u8(to, 0);
	snprintf(name, sizeof(name), "%s", form->method ? cs_ue_method_name(form->method) : "");
	for (uint32_t i = 0; i < names; i++) {
		cs_writer_bytes(to, name, sizeof(name));
		memset(name, 0, sizeof(name));
	}
	if (form->version >= 14)
		cs_writer_u32(to, 0);
	if (form->version >= 15) {
		cs_writer_u8(to, form->cipher == CS_UE_CTR ? 2 : 1);
		cs_writer_bytes(to, index->iv, CS_UE_IV);
		cs_writer_bytes(to, none, CS_UE_IV);
		cs_writer_bytes(to, directory->iv, CS_UE_IV);
	}
}

void engine_pak_write(const struct engine_container *form, const struct engine_file *files,
	size_t n, struct cs_writer *to)
{
	struct pak_entry *entries = calloc(n + 1, sizeof(*entries));
	struct cs_writer index = {0};
	struct index_part directory = {0};
	for (size_t i = 0; i < n; i++)
		if (!files[i].deleted)
			entries[i] = add_pak_file(form, &files[i], (uint32_t)i, to);
	if (form->version >= 10) {
		new_index(form, files, entries, n, &index, to, &directory);
	} else {
		write_string(&index, form->mount);
		cs_writer_u32(&index, (uint32_t)n);
		for (size_t i = 0; i < n; i++) {
			write_string(&index, files[i].path);
			write_plain_entry(form, &entries[i], &index);
		}
	}
	struct index_part placed = place_part(form, &index, 0, to);
	write_footer(form, &placed, &directory, to);
	cs_writer_deinit(&index);
	free(entries);
}

/* ---- files ---- */

bool engine_save_bytes(const void *bytes, size_t size, const char *folder, const char *name)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "wb");
	bool good = file && fwrite(bytes ? bytes : "", 1, size, file) == size;
	return file && fclose(file) == 0 && good;
}

bool engine_utoc_save(const struct engine_container *form, const struct engine_file *files,
	size_t n, const char *folder, const char *name)
{
	struct cs_writer toc = {0}, data = {0};
	char path[256];
	engine_utoc_write(form, files, n, &toc, &data);
	snprintf(path, sizeof(path), "%s.utoc", name);
	bool good = engine_save_bytes(toc.bytes, toc.size, folder, path);
	size_t step = form->partition_size ? (size_t)form->partition_size : data.size + 1;
	for (size_t at = 0, part = 0; at < data.size && good; at += step, part++) {
		if (part == 0)
			snprintf(path, sizeof(path), "%s.ucas", name);
		else
			snprintf(path, sizeof(path), "%s_s%zu.ucas", name, part);
		size_t left = data.size - at;
		good = engine_save_bytes(data.bytes + at, left < step ? left : step, folder, path);
	}
	cs_writer_deinit(&toc);
	cs_writer_deinit(&data);
	return good;
}

bool engine_pak_save(const struct engine_container *form, const struct engine_file *files, size_t n,
	const char *folder, const char *name)
{
	struct cs_writer pak = {0};
	char path[256];
	engine_pak_write(form, files, n, &pak);
	snprintf(path, sizeof(path), "%s.pak", name);
	bool good = engine_save_bytes(pak.bytes, pak.size, folder, path);
	cs_writer_deinit(&pak);
	return good;
}
