/* SPDX-License-Identifier: Apache-2.0 */
/* The source of the tables about Nanite resources, and macros that define their columns. */
#pragma once

#include <cellscope/pages.h>
#include <cellscope/query.h>

#include "nanite/inspect/model_inside.h"
#include "query/sql/readers.h"

struct cs_nanite_source {
	struct cs_inspector *inspector;
	const struct cs_pager *pager; /* page streaming of the resources, or NULL */
};

static inline const struct cs_inspector *cs_inspector_of(const struct cs_row *row)
{
	return ((const struct cs_nanite_source *)row->source)->inspector;
}

/* Getters of a member of type u32 (null for CS_NONE), u64, float, float[3] or bool. */
cs_column_get cs_nanite_u32, cs_nanite_u64, cs_nanite_float, cs_nanite_vec3, cs_nanite_flag;
/* Getters of resource name, row's index and row's name; column->argument: enum cs_model_row. */
cs_column_get cs_nanite_resource, cs_nanite_index, cs_nanite_name;

/* Getters of values of page streaming (table_nanite_paging.c), selected by column->argument. */
cs_column_get cs_nanite_page_state, cs_nanite_cluster_drawn, cs_nanite_group_loaded;

enum cs_page_column {
	CS_PAGE_COLUMN_STATE,
	CS_PAGE_COLUMN_SINCE,
	CS_PAGE_COLUMN_USED,
	CS_PAGE_COLUMN_PRIORITY,
	CS_PAGE_COLUMN_REQUESTS,
	CS_PAGE_COLUMN_INSTALLS,
	CS_PAGE_COLUMN_EVICTIONS,
	CS_PAGE_COLUMN_STRANDED,
	CS_PAGE_COLUMNS
};

/* A column that shows a member of the record. */
#define CS_MEMBER(key, structure, member, type, reader, text, ...) \
	CS_VALUE(key, type, cs_nanite_##reader, text,              \
		.offset = offsetof(struct structure, member), __VA_ARGS__)
#define CS_RESOURCE_COLUMN(rows)                                                         \
	CS_VALUE("resource", TEXT, cs_nanite_resource, "the resource", .argument = rows, \
		.flags = CS_COLUMN_INDEX)

/* Defines NAME_count and NAME_row of a table that lists the array `member` of all models. */
#define CS_MODEL_ARRAY(name, rows, member)                                           \
	static size_t name##_count(const void *source)                               \
	{                                                                            \
		return cs_inspector_rows(                                            \
			((const struct cs_nanite_source *)source)->inspector, rows); \
	}                                                                            \
	static const void *name##_row(const void *source, size_t row)                \
	{                                                                            \
		const struct cs_inspector *at =                                      \
			((const struct cs_nanite_source *)source)->inspector;        \
		uint32_t index, resource = cs_inspector_row(at, rows, row, &index);  \
		return &cs_inspector_models(at).at[resource]->member[index];         \
	}
/* Defines NAME_model, which returns the model that contains a row. */
#define CS_MODEL_OF(name, rows)                                                                    \
	static inline const struct cs_model *name##_model(const struct cs_row *row)                \
	{                                                                                          \
		uint32_t index;                                                                    \
		const struct cs_inspector *at = cs_inspector_of(row);                              \
		return cs_inspector_models(at).at[cs_inspector_row(at, rows, row->index, &index)]; \
	}
/* Returns the number as a value, or null for CS_NONE. */
static inline struct cs_value cs_known(uint32_t number)
{
	return number == CS_NONE ? cs_null() : cs_integer(number);
}

/* Implements cs_table.find. The first column's `argument` is enum cs_model_row of its rows. */
struct cs_error *cs_nanite_find(struct cs_query *query, const struct cs_table *table,
	const void *source, const char *text, uint32_t *ret);

extern const struct cs_table cs_nanite_pages_table, cs_nanite_sections_table,
	cs_nanite_clusters_table, cs_nanite_parts_table, cs_nanite_groups_table,
	cs_nanite_nodes_table, cs_nanite_needs_table, cs_nanite_fixups_table,
	cs_nanite_references_table, cs_nanite_materials_table, cs_nanite_cameras_table,
	cs_nanite_frames_table;
/* Returns the hierarchy node of a slot; with `node` false, the slot's index in that node. */
struct cs_value cs_nanite_slot_number(const struct cs_model *model, uint32_t slot, bool node);
