/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The texts (strings table) of an open file, loaded in parts. Loading rows also loads the parts in
 * which their texts begin. In a world of millions of actors, names need most of the memory, and
 * memory for parts that are not used is never touched.
 *
 * Invariant: a text that begins in a loaded part has been decoded and checked to its end, even if
 * its end is in a part that is not loaded.
 */
#include "format/reader.h"

#include "core/job.h"
#include "core/utf8.h"
#include "format/file_inside.h"

#include <stdlib.h>
#include <string.h>

static size_t part_end(const struct cs_text_table *texts, size_t part)
{
	const size_t end = (part + 1) << texts->shift;
	return end < texts->size && end >> texts->shift == part + 1 ? end : texts->size;
}

/* Returns log2 of the size of parts (but the last), or 63 if sizes differ or are no power of 2. */
static unsigned text_parts_shift(const struct cs_file *file, const struct cs_file_parts *parts)
{
	enum { ONE_PART = 63 };
	if (parts->n == 0)
		return ONE_PART;
	const struct cs_section *section = &file->sections[parts->first];
	const uint64_t size = section->raw_size;
	if (size == 0 || (size & (size - 1)) != 0)
		return ONE_PART;
	for (size_t i = 1; i < parts->n; i++)
		if (i + 1 < parts->n ? section[i].raw_size != size : section[i].raw_size > size)
			return ONE_PART;
	return (unsigned)__builtin_ctzll(size);
}

static struct cs_error *begin_texts(struct cs_file *file, const struct cs_file_parts *parts)
{
	struct cs_text_table *texts = &file->texts;
	const unsigned shift = text_parts_shift(file, parts);
	const size_t n = parts->bytes >> shift ? parts->n : 1;
	struct cs_reserved space = cs_reserve((size_t)parts->bytes + 1, 1);
	unsigned char *here = calloc(n, 2);
	if (!space.at || !here) {
		cs_reserved_free(&space);
		free(here);
		return cs_error_nomem();
	}
	/* Offset 0 is an empty text, also before the first part is loaded. */
	*texts = (struct cs_text_table){.bytes = space.at,
		.space = space,
		.here = here,
		.wanted = here + n,
		.size = (size_t)parts->bytes,
		.n = n,
		.shift = shift,
		.kept = texts->kept};
	return NULL;
}

static struct cs_error *decode_texts(
	struct cs_file *file, const struct cs_file_parts *parts, size_t first, size_t end)
{
	const struct cs_text_table *texts = &file->texts;
	const bool one = texts->n == 1;
	const size_t from = one ? 0 : first << texts->shift;
	if (!cs_reserved_use(&texts->space, from, part_end(texts, end - 1) - from))
		return cs_error_nomem();
	return cs_file_decode_parts(file, parts->first + (one ? 0 : first),
		one ? parts->n : end - first, NULL, (unsigned char *)texts->bytes + from);
}

/* Returns where checking of a part begins: after a character that began in the part before. */
static size_t texts_begin(const struct cs_text_table *texts, size_t part)
{
	enum { MOST_BEHIND = 3 }; /* largest number of bytes of a UTF-8 character after the first */
	size_t from = texts->n == 1 ? 0 : part << texts->shift;
	const size_t most = from + MOST_BEHIND < texts->size ? from + MOST_BEHIND : texts->size;
	if (part == 0 || (texts->here[part - 1] && texts->bytes[from - 1] == '\0'))
		return from;
	while (from < most && cs_utf8_inside(texts->bytes[from]))
		from++;
	return from;
}

/*
 * If the last text before `part` continues in it, decodes parts from `part` on up to the end of the
 * text, and returns the offset of this end in *ret. A text that is too long is cut off, which the
 * later check of the texts reports.
 */
static struct cs_error *end_texts(
	struct cs_file *file, const struct cs_file_parts *parts, size_t part, size_t *ret)
{
	const struct cs_text_table *texts = &file->texts;
	const size_t border = part_end(texts, part - 1);
	size_t to = border;
	bool cut = part < texts->n && (texts->here[part] || texts->bytes[to - 1]);
	while (cut) {
		struct cs_error *error = NULL;
		if (!texts->here[part])
			error = decode_texts(file, parts, part, part + 1);
		if (error)
			return error;
		const size_t end = part_end(texts, part++);
		to += strnlen(texts->bytes + to, end - to);
		cut = to == end && part < texts->n && to - border <= file->limits.name_bytes;
	}
	*ret = to < texts->size && to > border ? to + 1 : to;
	return NULL;
}

/* Loads and checks unloaded parts `first` to `end` - 1, and the end of their last text. */
static struct cs_error *bring_texts(
	struct cs_file *file, const struct cs_file_parts *parts, size_t first, size_t end)
{
	struct cs_text_table *texts = &file->texts;
	const uint64_t size =
		part_end(texts, end - 1) - (texts->n == 1 ? 0 : first << texts->shift);
	size_t to = 0;
	struct cs_error *error = cs_file_charge(file, size);
	if (!error)
		error = decode_texts(file, parts, first, end);
	if (!error)
		error = end_texts(file, parts, end, &to);
	if (!error)
		error = cs_texts_check(texts->bytes, texts_begin(texts, first), to, texts->size,
			file->limits.name_bytes, file->source.name);
	if (error)
		/* the texts stay unloaded, so a repeated request returns this error again */
		return error;
	texts->charged += size;
	memset(texts->here + first, file->passing ? CS_PART_PASSING : CS_PART_HERE, end - first);
	texts->n_parts += texts->n == 1 ? parts->n : end - first;
	file->context.texts = texts->bytes;
	file->context.texts_size = texts->size;
	return NULL;
}

static struct cs_error *bring_wanted(
	struct cs_file *file, const struct cs_file_parts *parts, const unsigned char *wanted)
{
	const struct cs_text_table *texts = &file->texts;
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < texts->n; i++) {
		size_t end = i;
		while (end < texts->n && (!wanted || wanted[end]) && !texts->here[end])
			end++;
		if (end > i)
			error = bring_texts(file, parts, i, end);
	}
	return error;
}

struct cs_error *cs_file_need_texts(
	struct cs_file *file, const struct cs_record *record, const void *rows, size_t n)
{
	struct cs_text_table *texts = &file->texts;
	const struct cs_file_parts parts = cs_file_parts_of(file, CS_TABLE_STRINGS);
	struct cs_error *error = NULL;
	if (parts.n == 0)
		return NULL;
	if (!texts->bytes)
		error = begin_texts(file, &parts);
	if (error || texts->n_parts == parts.n)
		return error;
	if (!record)
		return bring_wanted(file, &parts, NULL);
	unsigned char *wanted = calloc(texts->n, 1);
	if (!wanted)
		return cs_error_nomem();
	wanted[0] = 1;
	cs_record_mark_texts(record, rows, n, texts->shift, wanted, texts->n);
	error = bring_wanted(file, &parts, wanted);
	free(wanted);
	return error;
}

static void drop_texts(struct cs_file *file)
{
	struct cs_text_table *texts = &file->texts;
	file->memory -= texts->charged;
	cs_reserved_free(&texts->space);
	free(texts->here);
	*texts = (struct cs_text_table){.kept = texts->kept};
	file->context.texts = NULL;
	file->context.texts_size = 0;
}

void cs_file_forget_texts(struct cs_file *file, size_t parts_before)
{
	enum { MANY = 48, AT_ONCE = 24 }; /* numbers of parts: loaded in all, and by one step */
	struct cs_text_table *texts = &file->texts;
	texts->kept = texts->kept || texts->n_parts > parts_before + AT_ONCE;
	if (!texts->kept && texts->n_parts >= MANY)
		drop_texts(file);
}

/* Returns the index of the part in which the last text of `part` ends. */
static size_t last_part_of_text(const struct cs_text_table *texts, size_t part)
{
	const size_t at = part_end(texts, part) - 1;
	return texts->bytes[at]
		       ? (at + strnlen(texts->bytes + at, texts->size - at)) >> texts->shift
		       : part;
}

void cs_file_forget_unwanted(struct cs_file *file)
{
	struct cs_text_table *texts = &file->texts;
	/* texts that begin in a wanted part may end in later ones: keep all below index `used` */
	size_t used = 0;
	for (size_t i = 0; texts->n > 1 && i < texts->n; i++) {
		if (texts->here[i] && texts->wanted[i] && last_part_of_text(texts, i) + 1 > used)
			used = last_part_of_text(texts, i) + 1;
		if (i < used || texts->here[i] == CS_PART_HERE)
			continue;
		const size_t size = part_end(texts, i) - (i << texts->shift);
		cs_reserved_drop(&texts->space, i << texts->shift, size);
		if (!texts->here[i])
			continue;
		texts->here[i] = 0;
		texts->n_parts--;
		texts->charged -= size;
		file->memory -= size;
	}
}

struct cs_error *cs_file_check_texts(struct cs_file *file)
{
	enum { AT_ONCE = 24 }; /* number of parts checked at a time */
	const struct cs_file_parts parts = cs_file_parts_of(file, CS_TABLE_STRINGS);
	struct cs_error *error = NULL;
	bool more = parts.n > 0;
	for (size_t first = 0; !error && more; first += AT_ONCE) {
		struct cs_text_table *texts = &file->texts;
		drop_texts(file);
		error = begin_texts(file, &parts);
		const size_t end = first + AT_ONCE < texts->n ? first + AT_ONCE : texts->n;
		if (!error)
			error = bring_texts(file, &parts, first, end);
		more = end < texts->n;
	}
	drop_texts(file);
	return error;
}

/* ---- searching a text ---- */

/*
 * State of a search for a text, ignoring case. SEARCHED parts at a time are decoded into one
 * buffer. At the end of each text, its last letter is compared first, then the others. Only the
 * checksums of parts are checked, because texts are checked when their rows are read.
 */
enum { SEARCHED = 8 }; /* number of parts of the strings table that are decoded at a time */

struct text_search {
	const char *text;
	size_t length;
	struct cs_found_texts *found;
	char *bytes;    /* the last bytes of earlier parts, then the current parts */
	size_t carried; /* number of bytes in `bytes` that come from earlier parts */
	uint64_t first; /* offset of bytes[0] in the strings table */
};

/* Adds offsets of matches whose NUL is in these n bytes. The end of a longer text matches, too. */
static void search_parts(struct text_search *search, size_t n)
{
	const char *begin = search->bytes + search->carried, *end = begin + n;
	const char last = search->text[search->length - 1];
	const char *at = memchr(begin, '\0', n);
	for (; at; at = memchr(at + 1, '\0', (size_t)(end - at - 1))) {
		const size_t before = (size_t)(at - search->bytes);
		if (before < search->length || (at[-1] ^ last) & ~('a' ^ 'A') ||
			cs_name_compare(at - search->length, search->text) != 0)
			continue;
		if (search->found->n < CS_FOUND_TEXTS)
			search->found->at[search->found->n] =
				(uint32_t)(search->first + before - search->length);
		search->found->n++;
	}
}

/* Moves the last bytes to the buffer's start, because a match may begin in them and end later. */
static void carry_end(struct text_search *search, size_t n)
{
	const size_t all = search->carried + n;
	const size_t kept = all < search->length ? all : search->length;
	memmove(search->bytes, search->bytes + all - kept, kept);
	search->first += all - kept;
	search->carried = kept;
}

static uint64_t bytes_of_parts(const struct cs_file *file, size_t first, size_t n)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < n; i++)
		bytes += file->sections[first + i].raw_size;
	return bytes;
}

static struct cs_error *search_all(struct cs_file *file, const struct cs_file_parts *parts,
	const struct cs_job *job, struct text_search *search)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < parts->n; i += SEARCHED) {
		const size_t n = parts->n - i < SEARCHED ? parts->n - i : SEARCHED;
		const size_t bytes = (size_t)bytes_of_parts(file, parts->first + i, n);
		error = cs_file_decode_parts(file, parts->first + i, n, NULL,
			(unsigned char *)search->bytes + search->carried);
		if (!error) {
			search_parts(search, bytes);
			carry_end(search, bytes);
			error = cs_job_check(job);
		}
	}
	return error;
}

struct cs_error *cs_file_find_texts(struct cs_file *file, const char *text,
	const struct cs_job *job, struct cs_found_texts *ret)
{
	const struct cs_file_parts parts = cs_file_parts_of(file, CS_TABLE_STRINGS);
	struct text_search search = {.text = text, .length = strlen(text), .found = ret};
	uint64_t room = 0;
	ret->n = 0;
	for (size_t i = 0; i < parts.n; i += SEARCHED) {
		const size_t n = parts.n - i < SEARCHED ? parts.n - i : SEARCHED;
		const uint64_t bytes = bytes_of_parts(file, parts.first + i, n);
		room = bytes > room ? bytes : room;
	}
	if (search.length == 0 || search.length > file->limits.name_bytes)
		return NULL;
	room += search.length;
	struct cs_error *error = cs_file_charge(file, room);
	if (error)
		return error;
	search.bytes = malloc((size_t)room);
	error = search.bytes ? search_all(file, &parts, job, &search) : cs_error_nomem();
	free(search.bytes);
	file->memory -= room;
	return error;
}
