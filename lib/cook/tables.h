/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the cooked file, as cs_cook_tables fills them and the file writer takes them. */
#ifndef COOK_TABLES_H
#define COOK_TABLES_H

#include "cook/cook.h"
#include "base/writer.h"
#include "cook/text_map.h"

struct cs_tables {
	struct cs_writer texts;         /* the blob; every text of the world goes in at most once */
	struct cs_text_numbers numbers; /* of the world's texts */
	uint32_t *known;                /* by number of a world text: its offset in the blob */
	struct cs_strings own;          /* texts that the cook made; `own_offsets` by their number */
	struct cs_text_map own_offsets;
	struct cs_cooked_world world;
	CS_VEC(struct cs_cooked_partition) partitions;
	CS_VEC(struct cs_cooked_layer) layers;
	CS_VEC(struct cs_cooked_hlod_layer) hlod_layers;
	CS_VEC(struct cs_cooked_container) containers;
	CS_VEC(struct cs_cooked_cell) cells;
	CS_VEC(uint32_t) cell_layers;
	CS_VEC(uint32_t) cell_actors;
	CS_VEC(struct cs_cooked_set) sets;
	CS_VEC(uint32_t) set_members;
	CS_VEC(struct cs_cooked_actor) actors;
	CS_VEC(uint32_t) actor_layers;
	CS_VEC(uint32_t) actor_tags;
	CS_VEC(struct cs_cooked_actor_detail) details;
	CS_VEC(struct cs_cooked_reference) references;
	CS_VEC(struct cs_cooked_hlod) hlods;
	CS_VEC(struct cs_cooked_finding) findings;
	CS_VEC(struct cs_cooked_drop) drops;
	bool failed; /* out of memory */
};

/* A text of the world, or a text of ours, in the file's strings. Sets `failed`, gives 0. */
uint32_t cs_tables_text(struct cs_cook *cook, uint32_t world_text);
uint32_t cs_tables_own_text(struct cs_cook *cook, const char *text);

/* Rows of actors and of what belongs to them (tables_actors.c). */
void cs_tables_actors(struct cs_cook *cook);
/* HLOD actors of the source and the cells they stand for (tables_hlods.c). */
void cs_tables_hlods(struct cs_cook *cook);

#endif
