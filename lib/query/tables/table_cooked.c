/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of findings and of actors in no cell, and the list of all tables of a cooked world. */
#include "cook/record/trail_inside.h"
#include "format/cooked_inside.h"
#include "query/sql/query_internal.h"
#include "query/sql/readers.h"
#include "query/tables/table_nanite.h"

#include <cellscope/cook.h>

#define FINDING(name, member, type, reader, text, ...) \
	CS_COLUMN(name, cs_cooked_finding, member, type, reader, text, __VA_ARGS__)

CS_OWN_READER(read_check,
	cs_text(cs_word(CS_WORDS_CHECK, ((const struct cs_cooked_finding *)row->record)->check)
			->name))
CS_OWN_READER(read_severity, cs_text(cs_word(CS_WORDS_SEVERITY,
				     ((const struct cs_cooked_finding *)row->record)->severity)
					     ->name))

/*
 * Returns item `index` of the objects that a finding is about: its data layer, its actor and its
 * other actor, each if there is one.
 */
static void about_item(const struct cs_value *list, uint32_t index, struct cs_value *ret)
{
	const struct cs_cooked *world = list->list.source;
	const struct cs_cooked_finding *finding = list->list.items;
	const char *const titles[] = {
		finding->layer == CS_NONE
			? NULL
			: cs_cooked_text(world, world->layers[finding->layer].label),
		finding->actor == CS_NONE ? NULL : cs_cooked_actor_title(world, finding->actor),
		finding->other == CS_NONE ? NULL : cs_cooked_actor_title(world, finding->other),
	};
	for (size_t i = 0; i < CS_COUNT_OF(titles); i++)
		if (titles[i] && index-- == 0)
			*ret = cs_text(titles[i]);
}

CS_GETTER(read_about, cs_cooked_finding,
	(struct cs_value){.kind = CS_KIND_LIST,
		.list = {.source = cs_world_of(row),
			.items = at,
			.n = (at->layer != CS_NONE) + (at->actor != CS_NONE) +
			     (at->other != CS_NONE),
			.item = about_item}})

static const struct cs_column finding_columns[] = {
	CS_VALUE("severity", TEXT, read_severity, "info, warning or error", CS_SHORT),
	CS_VALUE("check", TEXT, read_check, "token of the check, as Unreal prints it", CS_SHORT),
	CS_VALUE("about", LIST, read_about,
		"subject: a data layer, an actor, or an actor and the actor that it references",
		CS_SHORT),
	FINDING("actor", actor, TEXT, actor, "the actor, or the actor that has the reference"),
	FINDING("actor_guid", actor, GUID, actor_guid, "GUID of the actor in column actor"),
	FINDING("other", other, TEXT, actor, "the referenced actor"),
	FINDING("other_guid", other, GUID, actor_guid, "GUID of the actor in column other"),
	FINDING("layer", layer, TEXT, layer, "the data layer"),
	FINDING("hlod_layer", hlod_layer, TEXT, hlod_layer, "the HLOD layer"),
	FINDING("grid", partition, TEXT, grid, "grid whose setting the finding is about"),
	FINDING("repair", repair, TEXT, enum, "repair of the actor that validation made",
		.names = cs_repair_names, CS_SHORT),
	FINDING("reason", reason, TEXT, text, "the part of the check that failed"),
	FINDING("cause", cause, INTEGER, row_number, "row of the finding that led to this one",
		.argument = CS_PARTS_FINDINGS),
	FINDING("pass", pass, INTEGER, u32, "pass of the validation; UE reports pass 0"),
	FINDING("container", container, GUID, container, "id of the container"),
	CS_PARTITION_COLUMN,
};

CS_WORLD_ARRAY(findings, findings)

static const struct cs_table findings_table = {
	.name = "findings",
	.row_name = "finding",
	.doc = "Findings of validation with their repairs, in order.",
	CS_COLUMNS(finding_columns),
	.missing = CS_E_MISSING,
	CS_PART_ROWS(findings),
};

/* ---- the table of actors in no cell ---- */

#define DROP(name, member, type, reader, text, ...) \
	CS_COLUMN(name, cs_unplaced, member, type, reader, text, __VA_ARGS__)

CS_OWN_READER(read_drop_reason, cs_text_or_null(((const struct cs_unplaced *)row->record)->reason))
CS_OWN_READER(read_drop_detail, cs_text_or_null(cs_unplaced_detail(cs_world_of(row), row->record)))

CS_OWN_READER(read_lost, cs_bool(((const struct cs_unplaced *)row->record)->lost))

static const struct cs_column drop_columns[] = {
	DROP("actor", actor, TEXT, actor, "the actor that is in no cell", CS_SHORT),
	DROP("actor_guid", actor, GUID, actor_guid, "GUID of the actor"),
	DROP("actors", actors, INTEGER, u32,
		"number of actors that were dropped with the actor: those of its set, "
		"or of a level",
		CS_SHORT),
	CS_VALUE("reason", TEXT, read_drop_reason, "reason why the actor is in no cell", CS_SHORT),
	CS_VALUE("detail", TEXT, read_drop_detail, "name or value that caused the drop", CS_SHORT),
	CS_VALUE("lost", BOOL, read_lost, "whether Unreal would drop the actor without a message"),
	CS_PARTITION_COLUMN,
};

static const struct cs_getter drop_getters[] = {{read_drop_reason, "", NULL},
	{read_drop_detail, "", CS_TITLE_FIELDS}, {read_lost, "", NULL}, {NULL}};

static struct cs_error *find_drops(struct cs_cooked_source *part)
{
	if (part->unplaced)
		return NULL;
	return cs_cooked_unplaced(part->world, &part->unplaced, &part->n_unplaced);
}

static struct cs_error *load_drops(const void *source, unsigned part)
{
	(void)part;
	return cs_parts_load(source, find_drops);
}

CS_PART_TABLE(drops, n_unplaced, &part->unplaced[index])

static const struct cs_table drops_table = {
	.name = "drops",
	.row_name = "dropped",
	.doc = "Actors in no cell, with reasons: actors that the engine would drop come first.",
	CS_COLUMNS(drop_columns),
	.missing = CS_E_MISSING,
	.load = load_drops,
	CS_PART_ROWS(drops),
	.getters = drop_getters,
};

#define HLOD(name, member, type, reader, text, ...) \
	CS_COLUMN(name, cs_cooked_hlod, member, type, reader, text, __VA_ARGS__)

static const struct cs_column hlod_columns[] = {
	HLOD("actor", actor, TEXT, actor, "HLOD actor", CS_SHORT_KEY),
	HLOD("actor_guid", actor, GUID, actor_guid, "GUID of the HLOD actor",
		.flags = CS_COLUMN_KEY),
	HLOD("cell", cell, TEXT, cell, "cell that the HLOD actor was built from", CS_SHORT_INDEX),
	HLOD("home", home, TEXT, cell, "cell that contains the HLOD actor", CS_SHORT_INDEX),
	HLOD("layer", layer, TEXT, hlod_layer, "HLOD layer of the HLOD actor"),
	HLOD("source_cell", source_cell, GUID, guid,
		"GUID of the cell that the HLOD actor was built from", .flags = CS_COLUMN_INDEX),
	HLOD("min_visible_distance", min_visible_distance, NUMBER, f64,
		"loading range of the source partition", .unit = "cm"),
	HLOD("mesh", mesh, TEXT, text, "file of the proxy mesh"),
	HLOD("mesh_bytes", mesh_bytes, NUMBER, f64, "memory that the proxy mesh takes"),
	CS_PARTITION_COLUMN,
};

CS_WORLD_ARRAY(hlods, hlods)

static const struct cs_table hlods_table = {
	.name = "hlods",
	.row_name = "hlod",
	.doc = "HLOD actors with the cells that they stand for.",
	CS_COLUMNS(hlod_columns),
	.missing = CS_E_MISSING,
	CS_PART_ROWS(hlods),
};

static const struct cs_table *const tables[] = {&cs_cells_table, &cs_actors_table, &cs_layers_table,
	&cs_grids_table, &cs_containers_table, &cs_sets_table, &cs_references_table, &hlods_table,
	&findings_table, &drops_table, &cs_meshes_table, &cs_sources_table, &cs_order_table,
	&cs_event_table, &cs_events_table, &cs_page_events_table, &cs_frames_table,
	&cs_stalls_table, &cs_partitions_table};

struct cs_error *cs_query_add_cooked(struct cs_query *query, struct cs_cooked *cooked)
{
	struct cs_cooked_source *source = calloc(1, sizeof(*source));
	if (!source)
		return cs_error_nomem();
	*source = (struct cs_cooked_source){.world = cooked,
		.inspector = query->nanite ? query->nanite->inspector : NULL,
		.main = source,
		.focus = CS_NONE,
		.cursor = calloc(1, sizeof(struct cs_parts_cursor)),
		.page_events = calloc(1, sizeof(struct cs_event_rows))};
	if (!source->cursor || !source->page_events || !cs_vec_push(&source->parts, source) ||
		!cs_vec_push(&query->worlds, source)) {
		cs_source_free(source);
		return cs_error_nomem();
	}
	struct cs_error *error = cs_query_add_levels(query, cooked);
	for (size_t i = 0; !error && i < CS_COUNT_OF(tables); i++)
		error = cs_query_add(query, tables[i], source);
	return error ? error : cs_streaming_functions(query, source);
}
