/* SPDX-License-Identifier: Apache-2.0 */
/* Getters of columns over cooked records. An empty text, and an index CS_NONE, become null. */
#include "query/sql/readers.h"
#include "core/guid.h"
#include "format/cooked_inside.h"
#include "query/sql/query_inside.h"

static struct cs_value readers_text_or_null(const struct cs_cooked *world, uint32_t text)
{
	return cs_text_or_null(cs_cooked_text(world, text));
}

uint32_t cs_read_row(const struct cs_row *row, const struct cs_column *column)
{
	return cs_read_word(row, column);
}

static struct cs_value guid_or_null(struct cs_guid guid)
{
	return cs_guid_is_zero(guid) ? cs_null() : cs_guid_value(guid);
}

CS_READER(cs_read_text, readers_text_or_null(cs_world_of(row), cs_read_word(row, column)))
CS_MEMBER_READER(cs_read_guid, struct cs_guid, guid_or_null(*at))
CS_MEMBER_READER(cs_read_i32, int32_t, cs_integer(*at))
CS_MEMBER_READER(cs_read_u32, uint32_t, cs_integer(*at))
CS_MEMBER_READER(cs_read_i64, int64_t, cs_integer(*at))
CS_MEMBER_READER(cs_read_bool, bool, cs_bool(*at))
CS_MEMBER_READER(cs_read_f64, double, cs_number(*at))
CS_MEMBER_READER(cs_read_vec3, struct cs_vec3, cs_vec3_value(*at))
CS_MEMBER_READER(cs_read_quat, struct cs_quat, cs_quat_value(*at))
CS_MEMBER_READER(
	cs_read_box_min, struct cs_box, cs_box_valid(at) ? cs_vec3_value(at->min) : cs_null())
CS_MEMBER_READER(
	cs_read_box_max, struct cs_box, cs_box_valid(at) ? cs_vec3_value(at->max) : cs_null())
CS_READER(cs_read_flag, cs_bool(cs_read_word(row, column) & column->argument))
CS_READER(cs_read_enum, cs_text(column->names[cs_read_word(row, column)]))

/* ---- fields that the engine's cooked files lack ---- */

#define SOURCE_READER(name, reader)                                                             \
	void cs_read_source_##name(                                                             \
		const struct cs_row *row, const struct cs_column *column, struct cs_value *ret) \
	{                                                                                       \
		if (cs_world_of(row)->world->flags & CS_WORLD_COOKED)                           \
			*ret = cs_null();                                                       \
		else                                                                            \
			reader(row, column, ret);                                               \
	}

SOURCE_READER(flag, cs_read_flag)
SOURCE_READER(enum, cs_read_enum)
static cs_column_get read_actor_layers;
SOURCE_READER(layers, read_actor_layers)

CS_READER(cs_read_hex, cs_hex(cs_read_word(row, column), column->argument))
CS_MEMBER_READER(cs_read_count, struct cs_range, cs_integer(at->count))
CS_MEMBER_READER(cs_read_row_number, uint32_t,
	*at == CS_NONE ? cs_null()
		       : cs_integer((int64_t)cs_parts_row(
				 row, *at, (enum cs_parts_table)column->argument)))

/* ---- list values ---- */

static void flag_item(const struct cs_value *list, uint32_t index, struct cs_value *ret)
{
	uint32_t bits = *(const uint32_t *)list->list.items;
	while (index-- > 0)
		bits &= bits - 1;
	*ret = cs_text(((const char *const *)list->list.source)[__builtin_ctz(bits)]);
}

CS_READER(cs_read_flag_list,
	(struct cs_value){.kind = CS_KIND_LIST,
		.list = {.source = column->names,
			.items = cs_read_member(row, column),
			.n = (uint32_t)__builtin_popcount(cs_read_word(row, column)),
			.item = flag_item}})

static void layer_item(const struct cs_value *list, uint32_t index, struct cs_value *ret)
{
	const struct cs_cooked *world = list->list.source;
	uint32_t layer = ((const uint32_t *)list->list.items)[index];
	*ret = cs_text(cs_cooked_text(world, world->layers[layer].label));
}

struct cs_value cs_list_of_rows(
	const struct cs_cooked *world, const uint32_t *rows, uint32_t n, cs_list_item *item)
{
	return (struct cs_value){.kind = CS_KIND_LIST,
		.list = {.source = world,
			.items = n ? rows : NULL,
			.n = rows ? n : 0,
			.item = item}};
}

CS_MEMBER_READER(cs_read_cell_layers, struct cs_range,
	cs_list_of_rows(
		cs_world_of(row), cs_world_of(row)->cell_layers + at->first, at->count, layer_item))
CS_OWN_MEMBER_READER(read_actor_layers, struct cs_range,
	cs_list_of_rows(cs_world_of(row),
		cs_cooked_id_rows(cs_world_of(row), CS_IDS_ACTOR_LAYERS, *at), at->count,
		layer_item))

/* ---- indices of rows in other tables ---- */

#define INDEX_READER(function, expression)                                                      \
	void function(                                                                          \
		const struct cs_row *row, const struct cs_column *column, struct cs_value *ret) \
	{                                                                                       \
		const struct cs_cooked *world = cs_world_of(row);                               \
		const uint32_t index = cs_read_word(row, column);                               \
		*ret = index == CS_NONE ? cs_null() : (expression);                             \
	}

INDEX_READER(cs_read_actor, cs_text(cs_cooked_actor_title(world, index)))
INDEX_READER(cs_read_actor_guid, guid_or_null(cs_cooked_actor_guid(world, index)))
INDEX_READER(cs_read_cell, cs_text_or_null(cs_cooked_named_cell(world, index)))
INDEX_READER(cs_read_grid, readers_text_or_null(world, world->partitions[index].name))
INDEX_READER(cs_read_layer, readers_text_or_null(world, world->layers[index].label))
INDEX_READER(cs_read_hlod_layer, readers_text_or_null(world, world->hlod_layers[index].path))
INDEX_READER(cs_read_container, guid_or_null(world->containers[index].id))
