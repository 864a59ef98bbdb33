/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads name batches, lists of names in Zen packages and containers: a count, hashes, lengths, then
 * the texts. The hash of each text in lower case is checked, so that no damaged name is used.
 */
#include "ue/container/name_batch.h"

#include "ue/container/hash.h"
#include "ue/package/wire.h"

#include <stdio.h>

enum { HASHED = 8, HEAD = 2 };
#define HASH_VERSION UINT64_C(0xC1640000)

static const char *decode(
	const unsigned char *at, uint32_t units, bool wide, struct cs_arena *arena)
{
	if (units == 0)
		return "";
	if (!wide && memchr(at, 0, units) == NULL) {
		for (uint32_t i = 0; i < units; i++)
			if (at[i] >= 0x80)
				wide = true;
		if (!wide)
			return cs_arena_text(arena, (const char *)at, units);
		wide = false;
	}
	/* decode as an FString, which has the same encodings */
	size_t bytes = (size_t)units * (wide ? 2 : 1), end = wide ? 2 : 1;
	unsigned char *copy = cs_arena_alloc(arena, bytes + end, 1);
	if (!copy)
		return NULL;
	memcpy(copy, at, bytes);
	struct cs_ue_string string = {copy, wide ? -(int32_t)units - 1 : (int32_t)units + 1};
	return cs_ue_text(string, arena);
}

struct cs_error *cs_ue_read_names(
	struct cs_cursor *cursor, struct cs_arena *arena, struct cs_ue_names *ret)
{
	struct cs_ue_names names = {.n = cs_cursor_u32(cursor)};
	uint32_t bytes = names.n ? cs_cursor_u32(cursor) : 0;
	uint64_t version = names.n ? cs_cursor_u64(cursor) : HASH_VERSION;
	if (version != HASH_VERSION)
		cs_cursor_fail(
			cursor, CS_E_VERSION, "the hash algorithm of the name table is unknown");
	if ((uint64_t)names.n * (HASHED + HEAD) + bytes > cs_cursor_left(cursor))
		cs_cursor_fail(
			cursor, CS_E_TRUNCATED, "the name table needs more bytes than follow");
	struct cs_error *error = cs_cursor_error(cursor, "names");
	if (error)
		return error;
	const unsigned char *hashes = cs_cursor_take(cursor, (size_t)names.n * HASHED);
	const unsigned char *heads = cs_cursor_take(cursor, (size_t)names.n * HEAD);
	names.at = CS_ARENA_ARRAY(arena, const char *, (size_t)names.n + 1);
	if (!names.at)
		return cs_error_nomem();
	for (uint32_t i = 0; i < names.n; i++) {
		bool wide = heads[2 * (size_t)i] & 0x80;
		uint32_t units =
			(uint32_t)(heads[2 * (size_t)i] & 0x7f) << 8 | heads[2 * (size_t)i + 1];
		size_t size = (size_t)units * (wide ? 2 : 1);
		const unsigned char *at = cs_cursor_take(cursor, size);
		if (at && cs_ue_name_hash(at, size, wide) != cs_load64(hashes + 8 * (size_t)i))
			return cs_error_at(CS_E_CHECKSUM, cursor->file,
				cursor->origin + cursor->position - size,
				"table of names: the hash stored for name %u (counted from 0) is "
				"not the hash of its text",
				i);
		names.at[i] = at ? decode(at, units, wide, arena) : "";
		if (!names.at[i])
			return cs_error_nomem();
	}
	*ret = names;
	return cs_cursor_error(cursor, "names");
}

void cs_ue_names_fail(const struct cs_ue_names *names, uint32_t index, struct cs_cursor *cursor)
{
	if (index < names->n)
		cs_cursor_fail(cursor, CS_E_NOMEM, "out of memory");
	else
		cs_cursor_fail(cursor, CS_E_REFERENCE,
			"the number of a name is beyond the end of the name table");
}

const char *cs_ue_names_text(
	const struct cs_ue_names *names, uint32_t index, uint32_t number, struct cs_arena *arena)
{
	char suffix[16];
	if (index >= names->n)
		return NULL;
	if (number == 0)
		return names->at[index];
	snprintf(suffix, sizeof(suffix), "_%u", number - 1);
	return cs_ue_join(arena, names->at[index], suffix, (char *)NULL);
}
