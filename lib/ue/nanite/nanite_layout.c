/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines the bit layouts of the engine's Nanite records by version (nanite-versions rules 2 to 5).
 * A new version of the engine needs a row of sizes, and a row for each field that it moved.
 */
#include "ue/nanite/cooked_nanite.h"

const struct cs_ue_nanite_layout cs_ue_nanite_layouts[CS_UE_NANITE_VERSIONS] = {
	/*
	 * columns: bytes of a node, float4 values of a packed cluster, words of the page header,
	 * words of a cluster header, whether fixups are stored by group, whether attributes are in
	 * byte planes
	 */
	[CS_UE_NANITE_5_3] = {208, 7, 8, 8, false, false, "5.3", "UE 5.3", 1u << CS_UE_5_3},
	[CS_UE_NANITE_5_4] = {208, 7, 6, 9, false, true, "5.4", "UE 5.4", 1u << CS_UE_5_4},
	[CS_UE_NANITE_5_5] = {208, 8, 6, 9, false, true, "5.5", "UE 5.5", 1u << CS_UE_5_5},
	[CS_UE_NANITE_5_6] = {208, 8, 6, 9, false, true, "5.6", "UE 5.6", 1u << CS_UE_5_6},
	[CS_UE_NANITE_5_7] = {224, 8, 5, 10, true, true, "5.7", "UE 5.7 (unproven)",
		1u << CS_UE_5_7},
	[CS_UE_NANITE_5_8] = {240, 8, 5, 10, true, true, "5.8", "UE 5.8",
		1u << CS_UE_5_8 | 1u << CS_UE_6_0},
};

/* Positions of `n` adjacent fields of `width` bits from version `since` on (width 0: no field). */
static const struct {
	uint8_t field, since, n, word, shift, width;
	int8_t bias; /* added to the value of the stored bits */
} rows[] = {
	/* fields of packed clusters */
	{CS_PACKED_VERTICES, CS_UE_NANITE_5_3, 1, 0, 0, 9, 0},
	{CS_PACKED_VERTICES, CS_UE_NANITE_5_6, 1, 0, 0, 14, 0},
	{CS_PACKED_POSITION_OFFSET, CS_UE_NANITE_5_3, 1, 0, 9, 23, 0},
	{CS_PACKED_POSITION_OFFSET, CS_UE_NANITE_5_6, 1, 0, 14, 18, 0},
	{CS_PACKED_TRIANGLES, CS_UE_NANITE_5_3, 1, 1, 0, 8, 0},
	{CS_PACKED_INDEX_OFFSET, CS_UE_NANITE_5_3, 1, 1, 8, 24, 0},
	{CS_PACKED_COLOR_MIN, CS_UE_NANITE_5_3, 1, 2, 0, 32, 0},
	{CS_PACKED_COLOR_BITS, CS_UE_NANITE_5_3, 1, 3, 0, 16, 0},
	{CS_PACKED_GROUP, CS_UE_NANITE_5_3, 1, 3, 16, 16, 0},
	{CS_PACKED_START_X, CS_UE_NANITE_5_3, 3, 4, 0, 32, 0},
	{CS_PACKED_INDEX_BITS, CS_UE_NANITE_5_3, 1, 7, 0, 4, 0},
	{CS_PACKED_INDEX_BITS, CS_UE_NANITE_5_4, 1, 7, 0, 3, 1},
	{CS_UE_PRECISION, CS_UE_NANITE_5_3, 1, 7, 4, 5, -8},
	{CS_UE_PRECISION, CS_UE_NANITE_5_4, 1, 7, 3, 6, -20},
	{CS_PACKED_POSITION_BITS_X, CS_UE_NANITE_5_3, 3, 7, 9, 5, 0},
	{CS_UE_NORMAL_BITS, CS_UE_NANITE_5_3, 2, 7, 24, 4, 0},
	{CS_PACKED_LOD_X, CS_UE_NANITE_5_3, 4, 8, 0, 32, 0},
	{CS_PACKED_BOX_CENTRE_X, CS_UE_NANITE_5_3, 3, 12, 0, 32, 0},
	{CS_PACKED_LOD_ERROR, CS_UE_NANITE_5_3, 2, 15, 0, 16, 0},
	{CS_PACKED_BOX_EXTENT_X, CS_UE_NANITE_5_3, 3, 16, 0, 32, 0},
	{CS_PACKED_FLAGS, CS_UE_NANITE_5_3, 1, 19, 0, 32, 0},
	{CS_PACKED_FLAGS, CS_UE_NANITE_5_6, 1, 19, 0, 4, 0},
	{CS_PACKED_ATTRIBUTE_OFFSET, CS_UE_NANITE_5_3, 1, 20, 0, 22, 0},
	{CS_PACKED_ATTRIBUTE_BITS, CS_UE_NANITE_5_3, 1, 20, 22, 10, 0},
	{CS_PACKED_DECODE_INFO_OFFSET, CS_UE_NANITE_5_3, 1, 21, 0, 22, 0},
	{CS_UE_TANGENTS, CS_UE_NANITE_5_3, 1, 21, 22, 1, 0},
	{CS_PACKED_UVS, CS_UE_NANITE_5_3, 1, 21, 23, 3, 0},
	{CS_PACKED_UVS, CS_UE_NANITE_5_5, 1, 21, 24, 3, 0},
	{CS_PACKED_COLOR_MODE, CS_UE_NANITE_5_3, 1, 21, 26, 2, 0},
	{CS_PACKED_COLOR_MODE, CS_UE_NANITE_5_4, 1, 21, 26, 1, 0},
	{CS_PACKED_COLOR_MODE, CS_UE_NANITE_5_5, 1, 21, 27, 1, 0},
	{CS_PACKED_UV_BITS, CS_UE_NANITE_5_3, 1, 22, 0, 32, 0},
	{CS_PACKED_UV_BITS, CS_UE_NANITE_5_4, 1, 0, 0, 0, 0}, /* from 5.4 on in the UV ranges */
	{CS_PACKED_MATERIALS, CS_UE_NANITE_5_3, 1, 23, 0, 32, 0},
	/* fields of page and cluster headers */
	{CS_UE_PAGE_CLUSTERS, CS_UE_NANITE_5_3, 2, 1, 0, 32, 0},
	{CS_UE_PAGE_CLUSTERS, CS_UE_NANITE_5_4, 2, 0, 0, 32, 0},
	{CS_UE_PAGE_REFERENCES, CS_UE_NANITE_5_3, 1, 4, 0, 32, 0},
	{CS_UE_PAGE_REFERENCES, CS_UE_NANITE_5_4, 1, 2, 0, 32, 0},
	{CS_UE_PAGE_STRIPS, CS_UE_NANITE_5_3, 2, 6, 0, 32, 0},
	{CS_UE_PAGE_STRIPS, CS_UE_NANITE_5_4, 2, 4, 0, 32, 0},
	{CS_UE_PAGE_STRIPS, CS_UE_NANITE_5_7, 2, 3, 0, 32, 0},
	{CS_UE_INDEX_DATA, CS_UE_NANITE_5_3, 5, 0, 0, 32, 0},
	{CS_UE_INDEX_DATA, CS_UE_NANITE_5_4, 6, 0, 0, 32, 0},
	{CS_UE_INDEX_DATA, CS_UE_NANITE_5_7, 6, 1, 0, 32, 0},
	{CS_UE_N_REFERENCES, CS_UE_NANITE_5_3, 3, 5, 0, 32, 0},
	{CS_UE_N_REFERENCES, CS_UE_NANITE_5_4, 3, 6, 0, 32, 0},
	{CS_UE_N_REFERENCES, CS_UE_NANITE_5_7, 3, 7, 0, 32, 0},
	/* counts in the header of a fixup chunk */
	{CS_UE_CHUNK_CLUSTERS, CS_UE_NANITE_5_3, 1, 0, 16, 16, 0},
	{CS_UE_CHUNK_HIERARCHY_FIXUPS, CS_UE_NANITE_5_3, 2, 1, 0, 16, 0},
	{CS_UE_CHUNK_HIERARCHY_FIXUPS, CS_UE_NANITE_5_7, 2, 0, 0, 0, 0},
	{CS_UE_CHUNK_GROUPS, CS_UE_NANITE_5_7, 4, 0, 16, 16, 0},
	{CS_UE_CHUNK_PARENTS, CS_UE_NANITE_5_7, 3, 3, 0, 32, 0},
	/* fields of hierarchy slots */
	{CS_UE_SLOT_MIN_ERROR, CS_UE_NANITE_5_3, 2, 7, 0, 16, 0},
	{CS_UE_SLOT_MIN_ERROR, CS_UE_NANITE_5_7, 1, 7, 16, 16, 0},
	{CS_UE_SLOT_PARENT_ERROR, CS_UE_NANITE_5_7, 1, 7, 0, 16, 0},
	{CS_UE_SLOT_CLUSTERS, CS_UE_NANITE_5_3, 1, 12, 0, 9, 0},
	{CS_UE_SLOT_CLUSTERS, CS_UE_NANITE_5_7, 1, 13, 16, 9, 0},
	{CS_UE_SLOT_PAGES, CS_UE_NANITE_5_3, 1, 12, 9, 3, 0},
	{CS_UE_SLOT_PAGES, CS_UE_NANITE_5_5, 1, 12, 9, 5, 0},
	{CS_UE_SLOT_PAGES, CS_UE_NANITE_5_7, 1, 12, 0, 5, 0},
	{CS_UE_SLOT_FIRST_PAGE, CS_UE_NANITE_5_3, 1, 12, 12, 20, 0},
	{CS_UE_SLOT_FIRST_PAGE, CS_UE_NANITE_5_5, 1, 12, 14, 18, 0},
	{CS_UE_SLOT_FIRST_PAGE, CS_UE_NANITE_5_7, 1, 12, 5, 25, 0},
	/* bit fields in the words of fixups */
	{CS_UE_RANGE_PAGES, CS_UE_NANITE_5_3, 1, 0, 0, 3, 0},
	{CS_UE_RANGE_PAGES, CS_UE_NANITE_5_5, 1, 0, 0, 5, 0},
	{CS_UE_RANGE_FIRST_PAGE, CS_UE_NANITE_5_3, 1, 0, 3, 29, 0},
	{CS_UE_RANGE_FIRST_PAGE, CS_UE_NANITE_5_5, 1, 0, 5, 27, 0},
	{CS_UE_RANGE_FIRST_PAGE, CS_UE_NANITE_5_7, 1, 0, 5, 25, 0},
	{CS_UE_PLACE_SLOT, CS_UE_NANITE_5_3, 1, 0, 0, 6, 0},
	{CS_UE_PLACE_SLOT, CS_UE_NANITE_5_7, 1, 0, 0, 2, 0},
	{CS_UE_PLACE_NODE, CS_UE_NANITE_5_3, 1, 0, 6, 26, 0},
	{CS_UE_PLACE_NODE, CS_UE_NANITE_5_7, 1, 0, 2, 30, 0},
};

void cs_ue_nanite_fields(
	enum cs_ue_nanite_version version, struct cs_packed_field ret[CS_UE_FIELDS])
{
	memset(ret, 0, CS_UE_FIELDS * sizeof(*ret));
	for (size_t i = 0; i < CS_COUNT_OF(rows); i++)
		for (unsigned k = 0; k < rows[i].n && rows[i].since <= version; k++) {
			const unsigned bit = 32u * rows[i].word + rows[i].shift + k * rows[i].width;
			ret[rows[i].field + k] = (struct cs_packed_field){
				(uint8_t)(bit / 32), bit % 32, rows[i].width, rows[i].bias};
		}
}
