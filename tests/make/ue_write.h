/* SPDX-License-Identifier: Apache-2.0 */
/* What lib/ue/package reads, written: for worlds that are made up, and as the other way round. */
#pragma once

#include "core/writer.h"
#include "ue/package/descriptor.h"
#include "ue/package/registry.h"
#include "ue/package/summary.h"

/*
 * A string of the caller's text, for writers: 8-bit where the text is ASCII, else UTF-16. Without
 * memory its bytes are NULL, which makes a writer fail.
 */
struct cs_ue_string cs_ue_string_of(const char *text, struct cs_arena *arena);
void cs_ue_write_string(struct cs_writer *writer, struct cs_ue_string string);
void cs_ue_base64_encode(struct cs_writer *writer, const void *bytes, size_t size);

/* Custom versions, fields, tail. */
void cs_ue_encode_descriptor(struct cs_writer *writer, const struct cs_ue_descriptor *descriptor);
/* Returns the CS_DEFAULT_ bits of fields that descriptors of actors of these versions can hold. */
uint32_t cs_ue_fields_of(const struct cs_ue_versions *versions);
/* Whether actors of these versions have what has no default: transform, editor bounds ... */
bool cs_ue_has_field(const struct cs_ue_versions *versions, const char *name);
void cs_ue_write_layer_row(struct cs_writer *writer, const struct cs_ue_versions *versions,
	const struct cs_ue_layer_row *row);

/* `v5`, `legacy` and the flags of the summary decide which fields are written. */
void cs_ue_write_summary(struct cs_writer *writer, const struct cs_ue_summary *summary);
