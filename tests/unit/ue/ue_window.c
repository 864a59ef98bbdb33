/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Little of a package is read, in windows: wherever the end of a window falls in the registry
 * section, in a count, in the length of a text or in the text, the answer is that of the whole.
 */
#include "core/writer.h"
#include "format/byte_source.h"
#include "tests/samples/tap.h"
#include "ue/package/registry.h"
#include "ue/package/wire.h"

#include <stdio.h>
#include <string.h>

static void put_text(struct cs_writer *w, const char *text, size_t padding)
{
	size_t n = strlen(text);
	cs_writer_u32(w, (uint32_t)(n + padding + 1));
	cs_writer_bytes(w, text, n);
	for (size_t i = 0; i < padding; i++)
		cs_writer_u8(w, 'x');
	cs_writer_u8(w, 0);
}

/* Makes a file of one object with four tags; the first value has `padding` more characters. */
static struct cs_writer make_file(uint64_t offset, size_t padding)
{
	struct cs_writer w = {0};
	for (uint64_t i = 0; i < offset; i++)
		cs_writer_u8(&w, 0xee);
	cs_writer_u64(&w, 0); /* it does not say where it ends */
	cs_writer_u32(&w, 1);
	put_text(&w, "/Game/Maps/M.M:PersistentLevel.A", 0);
	put_text(&w, "/Script/Engine.StaticMeshActor", 0);
	cs_writer_u32(&w, 4);
	put_text(&w, "Padding", 0);
	put_text(&w, "", padding);
	put_text(&w, "ActorMetaDataClass", 0);
	put_text(&w, "/Script/Engine.Actor", 0);
	put_text(&w, "ActorMetaData", 0);
	put_text(&w, "QUJD", 0);
	put_text(&w, "ActorLabel", 0);
	put_text(&w, "Rock", 0);
	for (int i = 0; i < 9000; i++)
		cs_writer_u8(&w, 0xdd);
	return w;
}

static bool reads(uint64_t offset, size_t padding)
{
	struct cs_writer w = make_file(offset, padding);
	struct cs_source_file source;
	struct cs_ue_reader reader = {0};
	struct cs_ue_asset asset = {0};
	const struct cs_ue_summary summary = {.registry = (int32_t)offset};
	struct cs_error *error = cs_source_memory(w.bytes, w.size, "window", &source);
	if (!error) {
		error = cs_ue_read_section(&source, &reader, &summary, &asset);
		cs_source_close(&source);
	}
	bool good = !error && cs_ue_string_equals(asset.tags[CS_UE_TAG_META_DATA], "QUJD") &&
		    cs_ue_string_equals(asset.tags[CS_UE_TAG_LABEL], "Rock");
	if (error)
		printf("# padding %zu: %s\n", padding, error->message);
	cs_error_free(error);
	cs_ue_reader_deinit(&reader);
	cs_writer_deinit(&w);
	return good;
}

/*
 * Returns whether the last of 40 tags is read, wherever the window ends: at some shifts so many
 * tags cannot fit in the rest of it.
 */
static bool counts(size_t shift)
{
	struct cs_writer w = {0};
	cs_writer_u64(&w, 0);
	cs_writer_u32(&w, 1);
	put_text(&w, "/Game/", shift);
	put_text(&w, "Actor", 0);
	cs_writer_u32(&w, 40);
	for (int i = 0; i < 39; i++) {
		put_text(&w, "Key", 0);
		put_text(&w, "Value", 0);
	}
	put_text(&w, "ActorLabel", 0);
	put_text(&w, "Rock", 0);
	struct cs_source_file source;
	struct cs_ue_reader reader = {0};
	struct cs_ue_asset asset = {0};
	const struct cs_ue_summary summary = {.registry = 16};
	struct cs_writer file = {0};
	cs_writer_u64(&file, 0);
	cs_writer_u64(&file, 0);
	cs_writer_bytes(&file, w.bytes, w.size);
	struct cs_error *error = cs_source_memory(file.bytes, file.size, "window", &source);
	if (!error) {
		error = cs_ue_read_section(&source, &reader, &summary, &asset);
		cs_source_close(&source);
	}
	bool good = !error && cs_ue_string_equals(asset.tags[CS_UE_TAG_LABEL], "Rock");
	cs_error_free(error);
	cs_ue_reader_deinit(&reader);
	cs_writer_deinit(&w);
	cs_writer_deinit(&file);
	return good;
}

int main(void)
{
	size_t right = 0, counted = 0;
	for (size_t padding = 0; padding < 2200; padding++)
		right += reads(64, padding);
	is_int(right, 2200, "a section across 2,048, at every shift");
	right = 0;
	for (size_t padding = 3700; padding < 4200; padding++)
		right += reads(5000, padding);
	is_int(right, 500, "across 4,096");
	for (size_t shift = 1000; shift < 2100; shift++)
		counted += counts(shift);
	is_int(counted, 1100, "a count that reaches behind the window is no damage");
	return done();
}
