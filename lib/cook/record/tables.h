/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of the cooked file, as cs_cook_tables fills them and the file writer takes them. The
 * large ones (sets, actors, details) are not here: their rows are made from the cook's arrays when
 * a section of them is written.
 */
#pragma once

#include "cook/phases/cook_internal.h"
#include "cook/record/file_texts.h"
#include "core/writer.h"

/* What an HLOD actor shows, where a proxy was built for it. */
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
	/* by actor row, and one behind: where its layers, tags and references begin */
	uint32_t *first_layer, *first_tag, *first_reference;
	CS_VEC(struct cs_cooked_hlod) hlods;
	CS_VEC(struct cs_cooked_mesh) meshes;
	CS_VEC(uint64_t) cell_mesh_bytes;     /* by cell; none before meshes are built */
	CS_VEC(struct cs_proxy_text) proxies; /* by row */
	bool names_meshes;                    /* some actor does */
	CS_VEC(struct cs_cooked_finding) findings;
	CS_VEC(struct cs_cooked_drop) drops;
	bool failed; /* out of memory */
};

static inline bool cs_tables_failed(const struct cs_cook *cook)
{
	return cook->result.tables->failed || cook->result.tables->texts.failed;
}

/* A text of the world, or a text of ours, in the file's strings. Sets `failed`, gives 0. */
uint32_t cs_tables_text(struct cs_cook *cook, uint32_t world_text);
/* A text of the world that is known to be there; any thread may ask. */
uint32_t cs_tables_known_text(const struct cs_cook *cook, uint32_t world_text);
uint32_t cs_tables_own_text(struct cs_cook *cook, const char *text);
/* A text of the world that actors name, by what it says; 0 when there is none. */
uint32_t cs_tables_find_text(const struct cs_cook *cook, const char *text);

/* What belongs to actors: texts, layers, tags, references (tables_actors.c). */
void cs_tables_actors(struct cs_cook *cook);
/* Makers of rows for the file writer; the context is the cook. */
void cs_fill_texts(void *cook, size_t first, size_t n, void *rows);
void cs_fill_references(void *cook, size_t first, size_t n, void *rows);
void cs_fill_actors(void *cook, size_t first, size_t n, void *rows);
void cs_fill_details(void *cook, size_t first, size_t n, void *rows);
void cs_fill_sets(void *cook, size_t first, size_t n, void *rows);
/* What a row of actors shows, 0 for nothing (mesh_table.c). */
uint32_t cs_shown_mesh(const struct cs_cook *cook, const struct cs_actor_row *actor, uint32_t row);
/* HLOD actors of the source and the cells they stand for (tables_hlods.c); reports stale ones. */
struct cs_error *cs_tables_hlods(struct cs_cook *cook) CS_MUST_USE;
