/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the query tables of Nanite pages and of their sections, dependencies and fixups. */
#include "query/tables/table_nanite.h"

CS_MODEL_ARRAY(pages, CS_ROWS_PAGES, pages)
CS_MODEL_OF(pages, CS_ROWS_PAGES)
CS_MODEL_ARRAY(sections, CS_ROWS_SECTIONS, sections)
CS_MODEL_ARRAY(needs, CS_ROWS_NEEDS, needs)
CS_MODEL_ARRAY(fixups, CS_ROWS_FIXUPS, fixups)
CS_MODEL_OF(fixups, CS_ROWS_FIXUPS)

static struct cs_value ratio(uint32_t part, uint32_t whole)
{
	return part == CS_NONE || whole == CS_NONE || whole == 0 ? cs_null()
								 : cs_number((double)part / whole);
}

/* ---- the table of pages ---- */

static uint32_t count_needs(
	const struct cs_model *model, const struct cs_model_page *page, bool listed)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < page->n_needs; i++)
		n += !listed || model->needs[page->first_need + i].why & CS_NEED_LISTED;
	return n;
}

CS_GETTER(get_fill, cs_model_page, cs_number(cs_model_fill(at)))
CS_GETTER(get_ratio, cs_model_page, ratio(at->stored_bytes, at->page_bytes))
CS_GETTER(get_needs, cs_model_page, cs_integer(count_needs(pages_model(row), at, true)))
CS_GETTER(get_all_needs, cs_model_page, cs_integer(count_needs(pages_model(row), at, false)))
CS_GETTER(get_cluster_fixups, cs_model_page, cs_integer(at->n_fixups - at->n_hierarchy_fixups))

#define PAGE(key, member, type, reader, text, ...) \
	CS_MEMBER(key, cs_model_page, member, type, reader, text, __VA_ARGS__)

static const struct cs_column page_columns[] = {
	CS_VALUE("name", TEXT, cs_nanite_name, "resource and number of the page: Rock:7",
		.argument = CS_ROWS_PAGES, CS_SHORT_KEY),
	CS_RESOURCE_COLUMN(CS_ROWS_PAGES),
	CS_VALUE("page", INTEGER, cs_nanite_index,
		"number of the page in the resource, coarse pages first", .argument = CS_ROWS_PAGES,
		.flags = CS_COLUMN_INDEX),
	PAGE("root", root, BOOL, flag, "root page, which is always loaded", CS_SHORT),
	PAGE("clusters", n_clusters, INTEGER, u32, "number of clusters", CS_SHORT),
	PAGE("parts", n_parts, INTEGER, u32, "number of parts of groups"),
	PAGE("min_level", min_level, INTEGER, u32, "finest level of the clusters in the page",
		CS_SHORT),
	PAGE("max_level", max_level, INTEGER, u32, "coarsest level of the clusters in the page",
		CS_SHORT),
	CS_VALUE("fill", NUMBER, get_fill,
		"share of its memory that the page fills when loaded, 0..1", CS_SHORT),
	PAGE("gpu_bytes", gpu_bytes, INTEGER, u32, "bytes when loaded"),
	PAGE("gpu_limit", gpu_limit, INTEGER, u32, "bytes of memory that a page has"),
	PAGE("page_bytes", page_bytes, INTEGER, u32, "bytes when decompressed"),
	PAGE("stored_bytes", stored_bytes, INTEGER, u32, "bytes in the file"),
	PAGE("chunk_bytes", chunk_bytes, INTEGER, u32, "bytes of the fixups of the page"),
	PAGE("disk_bytes", disk_bytes, INTEGER, u32,
		"bytes that loading the page reads: fixups and page", CS_SHORT),
	CS_VALUE("ratio", NUMBER, get_ratio, "stored bytes divided by decompressed bytes, 0..1",
		CS_SHORT),
	PAGE("offset", offset, INTEGER, u64, "offset of the page in the file"),
	PAGE("triangles", triangles, INTEGER, u32,
		"number of triangles of the clusters in the page", CS_SHORT),
	PAGE("vertices", vertices, INTEGER, u32,
		"number of vertices of the clusters in the page, including references"),
	PAGE("references", references, INTEGER, u32,
		"number of vertices that refer to another vertex"),
	PAGE("hierarchy_fixups", n_hierarchy_fixups, INTEGER, u32,
		"number of hierarchy slots that installing the page sets"),
	CS_VALUE("cluster_fixups", INTEGER, get_cluster_fixups,
		"number of coarser clusters that installing the page turns from leaves "
		"into inner ones"),
	CS_VALUE("needs", INTEGER, get_needs,
		"number of pages that the dependency list of the page names", CS_SHORT),
	CS_VALUE("all_needs", INTEGER, get_all_needs,
		"number of pages that the page needs directly, by its list or by its groups"),
	PAGE("users", n_users, INTEGER, u32,
		"number of pages whose dependency list names this page", CS_SHORT),
	CS_VALUE("state", TEXT, cs_nanite_page_state, "not loaded, loading, resident or root",
		.argument = CS_PAGE_COLUMN_STATE, CS_SHORT),
	CS_VALUE("since", INTEGER, cs_nanite_page_state, "frame in which the state began",
		.unit = "frame", .argument = CS_PAGE_COLUMN_SINCE),
	CS_VALUE("last_used", INTEGER, cs_nanite_page_state,
		"last frame in which the page was wanted", .unit = "frame",
		.argument = CS_PAGE_COLUMN_USED),
	CS_VALUE("priority", NUMBER, cs_nanite_page_state,
		"priority with which the page was read: error divided by the threshold",
		.argument = CS_PAGE_COLUMN_PRIORITY),
	CS_VALUE("requests", INTEGER, cs_nanite_page_state,
		"number of frames in which the page was wanted",
		.argument = CS_PAGE_COLUMN_REQUESTS),
	CS_VALUE("installs", INTEGER, cs_nanite_page_state,
		"number of times that the page was installed", .argument = CS_PAGE_COLUMN_INSTALLS),
	CS_VALUE("evictions", INTEGER, cs_nanite_page_state,
		"number of times that the page was evicted", .argument = CS_PAGE_COLUMN_EVICTIONS),
	CS_VALUE("stranded", BOOL, cs_nanite_page_state,
		"whether the page is loaded while one of its groups is not usable",
		.argument = CS_PAGE_COLUMN_STRANDED),
	PAGE("damaged", damaged, BOOL, flag, "whether the page could not be decoded"),
};

const struct cs_table cs_nanite_pages_table = {
	.name = "pages",
	.row_name = "page",
	.doc = "Pages, the units of reading and loading.",
	CS_COLUMNS(page_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(pages),
	.find = cs_nanite_find,
};

/* ---- the table of sections of pages ---- */

CS_GETTER(get_section, cs_model_section, cs_text(at->name))
CS_GETTER(get_packed_ratio, cs_model_section, ratio(at->packed_bytes, at->bytes))

#define SECTION(key, member, type, reader, text, ...) \
	CS_MEMBER(key, cs_model_section, member, type, reader, text, __VA_ARGS__)

static const struct cs_column section_columns[] = {
	CS_RESOURCE_COLUMN(CS_ROWS_SECTIONS),
	SECTION("page", page, INTEGER, u32, "number of the page", CS_SHORT_INDEX),
	CS_VALUE("section", TEXT, get_section, "kind of the data in the section", CS_SHORT),
	SECTION("offset", offset, INTEGER, u32, "byte of the decompressed page", CS_SHORT),
	SECTION("bytes", bytes, INTEGER, u32, "length", CS_SHORT),
	SECTION("slack", slack, INTEGER, u32,
		"bytes of the section that only align the data after it", CS_SHORT),
	SECTION("packed_bytes", packed_bytes, INTEGER, u32,
		"bytes of the section when LZ4 compresses it alone"),
	CS_VALUE("ratio", NUMBER, get_packed_ratio, "packed_bytes divided by bytes", CS_SHORT),
};

const struct cs_table cs_nanite_sections_table = {
	.name = "sections",
	.row_name = "section",
	.doc = "Sections of pages, as they lie in the decompressed page.",
	CS_COLUMNS(section_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(sections),
};

/* ---- the table of pages that a page needs ---- */

CS_GETTER(get_why_bit, cs_model_need, cs_bool(at->why & column->argument))

#define NEED(key, member, type, reader, text, ...) \
	CS_MEMBER(key, cs_model_need, member, type, reader, text, __VA_ARGS__)

static const struct cs_column need_columns[] = {
	CS_RESOURCE_COLUMN(CS_ROWS_NEEDS),
	NEED("page", page, INTEGER, u32, "number of the page", CS_SHORT_INDEX),
	NEED("needs", needs, INTEGER, u32, "number of the page that is needed", CS_SHORT_INDEX),
	CS_VALUE("listed", BOOL, get_why_bit,
		"whether the dependency list of the page names the needed page",
		.argument = CS_NEED_LISTED, CS_SHORT),
	CS_VALUE("parents", BOOL, get_why_bit,
		"whether the needed page has coarser clusters that the page refines",
		.argument = CS_NEED_PARENTS, CS_SHORT),
	CS_VALUE("parent_group", BOOL, get_why_bit,
		"whether the needed page has a part of a group of such coarser clusters",
		.argument = CS_NEED_PARENT_GROUP, CS_SHORT),
	CS_VALUE("sibling", BOOL, get_why_bit,
		"whether the needed page has another part of a group of the page",
		.argument = CS_NEED_SIBLING, CS_SHORT),
	NEED("fixups", fixups, INTEGER, u32,
		"number of clusters of the needed page that the page has fixups for", CS_SHORT),
};

const struct cs_table cs_nanite_needs_table = {
	.name = "page_needs",
	.row_name = "page_need",
	.doc = "Pages that other pages need, by dependency lists and by groups.",
	CS_COLUMNS(need_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(needs),
};

/* ---- the table of fixups ---- */

CS_GETTER(get_fixup_kind, cs_model_fixup,
	cs_text(at->kind == CS_MODEL_FIXUP_HIERARCHY ? "hierarchy" : "cluster"))
CS_GETTER(get_fixup_cluster, cs_model_fixup,
	at->cluster < fixups_model(row)->n_clusters
		? cs_integer(fixups_model(row)->clusters[at->cluster].index)
		: cs_null())
CS_GETTER(get_fixup_node, cs_model_fixup, cs_nanite_slot_number(fixups_model(row), at->slot, true))
CS_GETTER(get_fixup_slot, cs_model_fixup, cs_nanite_slot_number(fixups_model(row), at->slot, false))

#define FIXUP(key, member, type, reader, text, ...) \
	CS_MEMBER(key, cs_model_fixup, member, type, reader, text, __VA_ARGS__)

static const struct cs_column fixup_columns[] = {
	CS_RESOURCE_COLUMN(CS_ROWS_FIXUPS),
	FIXUP("page", page, INTEGER, u32, "number of the page that contains the fixup",
		CS_SHORT_INDEX),
	CS_VALUE("kind", TEXT, get_fixup_kind,
		"hierarchy: a slot gets its clusters; cluster: a coarser cluster is no "
		"leaf any more",
		CS_SHORT),
	FIXUP("target_page", target_page, INTEGER, u32, "number of the page that the fixup changes",
		CS_SHORT_INDEX),
	CS_VALUE("cluster", INTEGER, get_fixup_cluster,
		"cluster in the target page: first of the part, or the cluster that changes",
		CS_SHORT),
	CS_VALUE("node", INTEGER, get_fixup_node, "node of the hierarchy", CS_SHORT),
	CS_VALUE("slot", INTEGER, get_fixup_slot, "slot of the node", CS_SHORT),
	FIXUP("first_page", first_page, INTEGER, u32,
		"first page that must be in memory for the fixup", CS_SHORT),
	FIXUP("pages", n_pages, INTEGER, u32,
		"number of pages that must be in memory, without root pages", CS_SHORT),
};

const struct cs_table cs_nanite_fixups_table = {
	.name = "fixups",
	.row_name = "fixup",
	.doc = "Changes that installing a page makes in the hierarchy and to coarser clusters.",
	CS_COLUMNS(fixup_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(fixups),
};
