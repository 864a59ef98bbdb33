/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of the cooked file, which cs_cook_tables fills and the file writer reads. The large
 * ones (sets, actors, details) are not stored: their rows are computed from the cook's arrays when
 * a section of the file is written.
 */
#pragma once

#include "cook/phases/cook_internal.h"
#include "cook/record/file_texts.h"
#include "core/writer.h"

/* The proxy mesh of an HLOD actor: row of the actor, and offset of the text of the mesh's path. */
struct cs_proxy_text {
	uint32_t row, text;
};

/* Consecutive ranges of a table, one per actor row. Most ranges are empty. */
struct cs_row_ranges {
	uint64_t *filled; /* bit set with ranks (core/ranks.h): rows whose range is not empty */
	/* first index of each range that is not empty, by row; the last item is `end` */
	CS_VEC(uint32_t) firsts;
	uint32_t end; /* the end of the last range */
};

/* Offsets in the file of those texts of an actor that are rarely shared with other actors. */
struct cs_row_texts {
	uint32_t name, label, package, path;
};

struct cs_tables {
	struct cs_file_texts texts;
	/* for each actor row, so that writing the row need not search for the texts */
	struct cs_row_texts *row_texts;
	struct cs_cooked_world world;
	CS_VEC(struct cs_cooked_partition) partitions;
	CS_VEC(struct cs_cooked_layer) layers;
	CS_VEC(struct cs_cooked_hlod_layer) hlod_layers;
	CS_VEC(struct cs_cooked_container) containers;
	CS_VEC(struct cs_cooked_cell) cells;
	CS_VEC(uint32_t) cell_layers;
	CS_VEC(uint32_t) cell_actors;
	CS_VEC(uint32_t) actor_layers;
	CS_VEC(uint32_t) actor_tags;
	/* for each actor row: its range of `actor_layers`, `actor_tags` and outgoing references */
	struct cs_row_ranges layer_ranges, tag_ranges, reference_ranges;
	CS_VEC(struct cs_cooked_hlod) hlods;
	CS_VEC(struct cs_cooked_mesh) meshes;
	/* bytes of the meshes in each cell; empty before meshes are built */
	CS_VEC(uint64_t) cell_mesh_bytes;
	CS_VEC(struct cs_proxy_text) proxies; /* sorted by their member `row` */
	bool names_meshes;                    /* whether at least one actor has a mesh */
	CS_VEC(struct cs_cooked_finding) findings;
	CS_VEC(struct cs_cooked_drop) drops;
	bool failed; /* memory ran out */
};

static inline bool cs_tables_failed(const struct cs_cook *cook)
{
	return cook->result.tables->failed || cook->result.tables->texts.failed;
}

/*
 * Adds a text of the world to the file's strings if it is new, and returns its offset. On failure
 * sets `failed` and returns 0. cs_tables_own_text does the same for any text.
 */
uint32_t cs_tables_text(struct cs_cook *cook, uint32_t world_text);
/* Returns the offset of a text of the world that is in the file already; may run on any thread. */
uint32_t cs_tables_known_text(const struct cs_cook *cook, uint32_t world_text);
uint32_t cs_tables_own_text(struct cs_cook *cook, const char *text);
/* Returns the offset of a text in the cooked file; 0 if the file does not contain the text. */
uint32_t cs_tables_find_text(const struct cs_cook *cook, const char *text);

/* tables_actors.c: adds actors' texts to the file, and rows for layers, tags and references. */
void cs_tables_actors(struct cs_cook *cook);
/* Compute n rows of a table from row `first` for the file writer. `cook` is a struct cs_cook. */
void cs_fill_texts(void *cook, size_t first, size_t n, void *rows);
void cs_fill_references(void *cook, size_t first, size_t n, void *rows);
void cs_fill_actors(void *cook, size_t first, size_t n, void *rows);
/* Like cs_fill_actors, but sets only the values that later tables repeat: GUIDs and bounds. */
void cs_fill_actor_twins(void *cook, size_t first, size_t n, void *rows);
void cs_fill_details(void *cook, size_t first, size_t n, void *rows);
void cs_fill_sets(void *cook, size_t first, size_t n, void *rows);
/* mesh_table.c: returns the offset of the path of the mesh that an actor shows, 0 = none. */
uint32_t cs_shown_mesh(const struct cs_cook *cook, const struct cs_actor_row *actor, uint32_t row);
/* tables_hlods.c: writes HLOD actors, and reports those whose source cell was not found. */
struct cs_error *cs_tables_hlods(struct cs_cook *cook) CS_MUST_USE;
