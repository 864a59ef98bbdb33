/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of the cooked file, as cs_cook_tables fills them and the file writer takes them. The
 * large ones (sets, actors, details) are not here: their rows are made from the cook's arrays when
 * a section of them is written.
 */
#ifndef COOK_TABLES_H
#define COOK_TABLES_H

#include "base/writer.h"
#include "cook/cook.h"
#include "cook/text_map.h"

struct cs_tables {
	struct cs_writer texts;         /* the blob; every text of the world goes in at most once */
	struct cs_text_numbers numbers; /* of the world's texts */
	uint32_t *known;                /* by number of a world text: its offset in the blob */
	struct cs_strings own; /* texts that the cook made; `own_offsets` by their number */
	struct cs_text_map own_offsets;
	struct cs_cooked_world world;
	CS_VEC(struct cs_cooked_partition) partitions;
	CS_VEC(struct cs_cooked_layer) layers;
	CS_VEC(struct cs_cooked_hlod_layer) hlod_layers;
	CS_VEC(struct cs_cooked_container) containers;
	CS_VEC(struct cs_cooked_cell) cells;
	CS_VEC(uint32_t) cell_layers;
	CS_VEC(uint32_t) cell_actors;
	CS_VEC(uint32_t) set_members;
	CS_VEC(uint32_t) actor_layers;
	CS_VEC(uint32_t) actor_tags;
	CS_VEC(struct cs_cooked_reference) references;
	/* by actor row, and one behind: where its layers, tags and references begin */
	uint32_t *first_layer, *first_tag, *first_reference;
	CS_VEC(struct cs_cooked_hlod) hlods;
	CS_VEC(struct cs_cooked_finding) findings;
	CS_VEC(struct cs_cooked_drop) drops;
	bool failed; /* out of memory */
};

/* A text of the world, or a text of ours, in the file's strings. Sets `failed`, gives 0. */
uint32_t cs_tables_text(struct cs_cook *cook, uint32_t world_text);
/* A text of the world that is known to be there; any thread may ask. */
uint32_t cs_tables_known_text(const struct cs_cook *cook, uint32_t world_text);
uint32_t cs_tables_own_text(struct cs_cook *cook, const char *text);

/* What belongs to actors: texts, layers, tags, references (tables_actors.c). */
void cs_tables_actors(struct cs_cook *cook);
/* Makers of rows for the file writer; the context is the cook. */
void cs_fill_actors(void *cook, size_t first, size_t n, void *rows);
void cs_fill_details(void *cook, size_t first, size_t n, void *rows);
void cs_fill_sets(void *cook, size_t first, size_t n, void *rows);
/* HLOD actors of the source and the cells they stand for (tables_hlods.c); reports stale ones. */
struct cs_error *cs_tables_hlods(struct cs_cook *cook) CS_MUST_USE;

#endif
