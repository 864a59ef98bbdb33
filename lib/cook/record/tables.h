/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of the cooked file, filled by cs_cook_tables and read by the file writer. The large
 * ones (sets, actors, details) are not stored: their rows are made from the cook's arrays when a
 * section of them is written.
 */
#pragma once

#include "cook/phases/cook_internal.h"
#include "cook/record/file_texts.h"
#include "core/writer.h"

/* The proxy that an HLOD actor shows, when one was built. */
struct cs_proxy_text {
	uint32_t row, text;
};

struct cs_tables {
	struct cs_file_texts texts;
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
	/* By actor row, and one more: where its layers, tags and references begin. */
	uint32_t *first_layer, *first_tag, *first_reference;
	CS_VEC(struct cs_cooked_hlod) hlods;
	CS_VEC(struct cs_cooked_mesh) meshes;
	/* bytes of each cell; empty before meshes are built */
	CS_VEC(uint64_t) cell_mesh_bytes;
	CS_VEC(struct cs_proxy_text) proxies; /* sorted by row */
	bool names_meshes;                    /* some actor names a mesh */
	CS_VEC(struct cs_cooked_finding) findings;
	CS_VEC(struct cs_cooked_drop) drops;
	bool failed; /* out of memory */
};

static inline bool cs_tables_failed(const struct cs_cook *cook)
{
	return cook->result.tables->failed || cook->result.tables->texts.failed;
}

/*
 * Return the offset of a text of the world, or of ours, in the file's strings. On failure set
 * `failed` and return 0.
 */
uint32_t cs_tables_text(struct cs_cook *cook, uint32_t world_text);
/*
 * Returns the offset of a text of the world that is known to be in the file; may run on any thread.
 */
uint32_t cs_tables_known_text(const struct cs_cook *cook, uint32_t world_text);
uint32_t cs_tables_own_text(struct cs_cook *cook, const char *text);
/* Finds a text of the world that actors name by its bytes; 0 when there is none. */
uint32_t cs_tables_find_text(const struct cs_cook *cook, const char *text);

/* tables_actors.c: fills the tables of actors: texts, layers, tags, references. */
void cs_tables_actors(struct cs_cook *cook);
/* Make rows for the file writer; the context is the cook. */
void cs_fill_texts(void *cook, size_t first, size_t n, void *rows);
void cs_fill_references(void *cook, size_t first, size_t n, void *rows);
void cs_fill_actors(void *cook, size_t first, size_t n, void *rows);
/* Makes only GUIDs and bounds. */
void cs_fill_actor_twins(void *cook, size_t first, size_t n, void *rows);
void cs_fill_details(void *cook, size_t first, size_t n, void *rows);
void cs_fill_sets(void *cook, size_t first, size_t n, void *rows);
/* mesh_table.c: returns what a row of actors shows, 0 for nothing. */
uint32_t cs_shown_mesh(const struct cs_cook *cook, const struct cs_actor_row *actor, uint32_t row);
/*
 * tables_hlods.c: fills the HLOD actors of the source and the cells that they represent; reports
 * stale ones.
 */
struct cs_error *cs_tables_hlods(struct cs_cook *cook) CS_MUST_USE;
