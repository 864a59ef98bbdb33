/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the side pane, which shows the fields of the object under the cursor. For kinds with many
 * fields, a table selects the fields and gives them short labels; for other kinds, the short form
 * of their table is shown. The label column is as wide as the longest label.
 */
#include "src/tui/screen.h"

#include "core/items.h"

#include <stdio.h>
#include <string.h>

enum { LEAST_VALUE = 13, MOST_FIELDS = 64 };

struct field {
	const struct cs_column *column;
	char label[24];
};

struct pane_record {
	const struct cs_table *table;
	const void *source;
	uint32_t row;
	struct field fields[MOST_FIELDS];
	size_t n;
};

static struct cs_value value_of(const struct pane_record *record, const struct cs_column *column)
{
	return cs_table_get(record->table, record->source, record->row, column);
}

static bool says_something(const struct cs_value *value)
{
	/* a field with a GUID is not shown, because GUIDs are only useful to programs */
	return value->kind == CS_KIND_TEXT   ? *value->text != '\0'
	       : value->kind == CS_KIND_BOOL ? value->yes
	       : value->kind == CS_KIND_LIST ? value->list.n > 0
	       : value->kind == CS_KIND_HEX
		       ? value->hex.bits != 0
		       : value->kind != CS_KIND_NULL && value->kind != CS_KIND_GUID;
}

/* Fields to show for each kind of object: keys of columns, or "KEY=label". */
static const struct {
	const char *kind, *keys;
} told[] = {
	{"cell", "state,wanted,since,level,actors,bytes,layers,hierarchical_level=hierarchy,"
		 "priority,grid,always_loaded=always,hlod,client_only,block_on_slow=blocks,"
		 "content_min=from,content_max=to,package"},
	{"actor", "class,cell,placement,spatial,layers,grid,effective_grid=in grid,"
		  "hlod_layer=HLOD layer,bounds_min=from,bounds_max=to,is_container=container,"
		  "hlod,forced_non_spatial=forced,assumed"},
	{"grid", "class,cell_size=cell,loading_range=range,range_from=from,cells,priority"},
	{"page", "state,since,root,fill,clusters,triangles,min_level=level from,"
		 "max_level=level to,disk_bytes=read,page_bytes=unpacked,gpu_bytes=in memory,"
		 "needs,users,cluster_fixups=cl fixups,hierarchy_fixups=hi fixups,priority,"
		 "requests,installs,evictions,stranded,offset"},
};

static const char *keys_told(const char *kind)
{
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		if (strcmp(told[i].kind, kind) == 0)
			return told[i].keys;
	return NULL;
}

static void add_field(struct pane_record *record, const struct cs_column *column, const char *label)
{
	struct cs_value value = value_of(record, column);
	if (record->n == MOST_FIELDS || !says_something(&value))
		return;
	struct field *field = &record->fields[record->n++];
	field->column = column;
	snprintf(field->label, sizeof(field->label), "%s", label);
}

static void add_told(struct pane_record *record, const char *keys)
{
	struct cs_item item;
	while (cs_next_item(&keys, &item)) {
		char key[64];
		if (!cs_item_text(item, key, sizeof(key)))
			continue;
		char *label = strchr(key, '=');
		if (label)
			*label++ = '\0';
		const struct cs_column *column = cs_table_column(record->table, key);
		if (column)
			add_field(record, column, label ? label : column_label(column));
	}
}

/* Adds the columns of the table's short form, except key columns: the title shows the key. */
static void add_short_form(struct pane_record *record)
{
	for (size_t i = 0; i < record->table->n_columns; i++) {
		const struct cs_column *column = &record->table->columns[i];
		if ((column->flags & (CS_COLUMN_SHORT | CS_COLUMN_KEY)) == CS_COLUMN_SHORT)
			add_field(record, column, column_label(column));
	}
}

/* Returns the width of the label column, limited so that values have some room. */
static int side_pane_label_columns(const struct pane_record *record, int columns)
{
	int wide = 0;
	for (size_t i = 0; i < record->n; i++) {
		int n = (int)strlen(record->fields[i].label);
		wide = n > wide ? n : wide;
	}
	return wide < columns - LEAST_VALUE ? wide : columns - LEAST_VALUE;
}

static int value_rows(struct area area, const struct cs_value *value)
{
	struct area nowhere = area_part(area, 0, 0, area.columns, 0);
	nowhere.columns = area.columns;
	return put_value_wrapped(nowhere, inks[INK_NORMAL], value);
}

/* Draws the fields. Long names and texts are wrapped, but only so far that all fields still fit. */
static void side_pane_draw_record(const struct pane_record *record, struct area area)
{
	int label = side_pane_label_columns(record, area.columns - 2);
	int x = label + 2, y = 0, spare = area.rows - (int)record->n;
	for (size_t i = 0; i < record->n && y < area.rows; i++) {
		const struct field *field = &record->fields[i];
		struct cs_value value = value_of(record, field->column);
		struct area part = area_part(area, x, y, area.columns - x, area.rows - y);
		bool wraps = value.kind == CS_KIND_TEXT || value.kind == CS_KIND_VEC3;
		int rows = wraps ? value_rows(part, &value) : 1;
		put_cut(area, 1, y, label, inks[INK_DIM], field->label);
		if (rows > 1 && rows - 1 <= spare)
			put_value_wrapped(part, inks[INK_NORMAL], &value);
		else
			put_field(
				part, 0, 0, part.columns, inks[INK_NORMAL], field->column, &value),
				rows = 1;
		spare -= rows - 1;
		y += rows;
	}
}

/* Draws the title "cell NAME", or only the name if both do not fit. */
static void side_pane_draw_title(const struct object *object, struct area area)
{
	int wide = put_format(area, 1, 0, inks[INK_TITLE], "%s ", object->kind);
	const struct cs_value name = cs_text(object->name);
	const struct area whole = area_part(area, 1, 0, area.columns - 1, 1),
			  beside = area_part(whole, wide, 0, whole.columns - wide, 1);
	bool is_alone = value_rows(beside, &name) > 1 && value_rows(whole, &name) == 1;
	if (is_alone)
		put_blank(whole, 0, 0, wide, inks[INK_NORMAL]);
	struct area part = is_alone ? whole : beside;
	put_cut(part, 0, 0, part.columns, inks[INK_TITLE], object->name);
}

void side_pane_draw(struct screen *screen, struct area area)
{
	struct object object;
	struct pane_record record = {0};
	view_object(screen_view(screen), &object);
	if (!object.kind)
		return;
	side_pane_draw_title(&object, area);
	record.table = object_table(screen->session, &object, &record.source);
	if (!record.table || object_row(screen->session, &object) == CS_NONE ||
		object.row >= record.table->count(record.source))
		return;
	record.row = object.row;
	const char *keys = keys_told(object.kind);
	if (keys)
		add_told(&record, keys);
	else
		add_short_form(&record);
	side_pane_draw_record(&record, area_part(area, 0, 1, area.columns, area.rows - 1));
}
