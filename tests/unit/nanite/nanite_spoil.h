/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damages resources, one rule at a time: the resource to damage (the bench), functions that find a
 * place in it where a rule can be broken, and the tables of functions that break each rule.
 */
#pragma once

#include "core/cursor.h"
#include "nanite/format/bits.h"
#include "nanite/format/contents.h"
#include "tests/unit/nanite/nanite_copy.h"

/* The resource to spoil, with the tables that were decoded from it while it was whole. */
struct bench {
	struct cs_nanite *r;
	const struct cs_nanite_contents *c;
	struct cs_page_view *views;
	struct cs_nanite *whole; /* what r is a copy of */
};

/* Resources to spoil; each function that breaks a rule is made for one of them. */
enum base { TORUS, PLAIN, SOUP, FLAT, N_BASES };

/* Returns false, with *ret untouched, when the resource could not be built. */
bool make_bench(enum base base, struct bench *ret);
void unmake_bench(struct bench *bench);

#define EDIT(type, pointer) ((type *)(uintptr_t)(pointer))

struct cs_nanite_info *info_of(const struct bench *b);
struct cs_nanite_page_state *state_of(const struct bench *b, uint32_t page);
struct cs_nanite_node *node_of(const struct bench *b, uint32_t node);
uint32_t *dependency_of(const struct bench *b, uint32_t i);
/* Returns the bytes of a page, which are stored raw here. */
unsigned char *page_of(const struct bench *b, uint32_t page);
void add_to(unsigned char *word, uint32_t more);
/* Returns the word of a packed cluster in its plane. */
unsigned char *packed_word(
	const struct bench *b, uint32_t page, uint32_t cluster, enum cs_packed field);
void set_packed(const struct bench *b, uint32_t page, uint32_t cluster, enum cs_packed field,
	uint32_t value);
uint32_t packed(const struct bench *b, uint32_t page, uint32_t cluster, enum cs_packed field);
unsigned char *cluster_word(
	const struct bench *b, uint32_t page, uint32_t cluster, enum cs_cluster_word word);
const struct cs_model_page *row_of(const struct bench *b, uint32_t page);
/* Returns a page, but not a root page, with at least n cluster fixups. */
uint32_t page_with_fixups(const struct bench *b, uint32_t n);
uint32_t page_with_dependencies(const struct bench *b, uint32_t n);
unsigned char *hierarchy_fixup(const struct bench *b, uint32_t page, uint32_t i);
unsigned char *cluster_fixup(const struct bench *b, uint32_t page, uint32_t i);
/* Returns the first cluster for which a condition holds. */
const struct cs_model_cluster *find_cluster(const struct bench *b,
	bool (*holds)(const struct bench *b, const struct cs_model_cluster *c));
bool is_no_leaf(const struct bench *b, const struct cs_model_cluster *c);
bool is_slow(const struct bench *b, const struct cs_model_cluster *c);
bool has_references(const struct bench *b, const struct cs_model_cluster *c);
/* Returns whether a vertex at the start of axis 0 is a reference to another cluster. */
bool has_outer_references(const struct bench *b, const struct cs_model_cluster *c);
bool has_loose_codes(const struct bench *b, const struct cs_model_cluster *c);
bool has_loose_positions(const struct bench *b, const struct cs_model_cluster *c);
bool ends_page_loosely(const struct bench *b, const struct cs_model_cluster *c);
/*
 * Returns whether the cluster is in the root page and is a leaf there, because the group that made
 * it is in another page.
 */
bool waits_in_root(const struct bench *b, const struct cs_model_cluster *c);
const struct cs_model_group *find_group(const struct bench *b, uint32_t parts, uint32_t level);
const struct cs_model_part *part_of(
	const struct bench *b, const struct cs_model_group *group, uint32_t i);
/* Returns the inner slot of the first node that has one. */
unsigned inner_slot(const struct bench *b, uint32_t *node_ret);

struct rule_break {
	const char *rule;
	void (*spoil)(const struct bench *b);
	enum base base;
};

/*
 * Functions that break the rules of resource, fixups, pages, clusters, materials, strips and
 * vertices; a NULL rule ends the table.
 */
extern const struct rule_break page_breaks[];
/* Functions that break the rules of hierarchy, DAG, streaming and atlas. */
extern const struct rule_break dag_breaks[];

/* Breaks a rule of pages and one of the DAG at once. */
void break_c10(const struct bench *b);
void break_x11(const struct bench *b);
