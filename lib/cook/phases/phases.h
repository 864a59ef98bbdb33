/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The phases of a cook, each in a file of its own, and the slices (parts of the cook's data) that
 * each phase may use. All phases may read the request (world, profile, job and so on) and use the
 * arena.
 */
#pragma once

#include "cook/phases/cook_internal.h"

/* Expands SLICE(name) for each slice of a cook: a member of struct cs_cook that phases compute. */
#define CS_COOK_SLICES(SLICE) \
	SLICE(lists)          \
	SLICE(grids)          \
	SLICE(layers)         \
	SLICE(actors)         \
	SLICE(links)          \
	SLICE(found)          \
	SLICE(clusters)       \
	SLICE(placed)         \
	SLICE(grouped)        \
	SLICE(celled)         \
	SLICE(result)

#define CS_SLICE_NUMBER(name) cs_number_of_##name,
enum cs_slice_number { CS_COOK_SLICES(CS_SLICE_NUMBER) CS_SLICES };
#undef CS_SLICE_NUMBER

#define CS_SLICE_BIT(name) cs_slice_##name = 1 << cs_number_of_##name,
enum cs_slices { CS_COOK_SLICES(CS_SLICE_BIT) };
#undef CS_SLICE_BIT

struct cs_cook_phase {
	const char *name;
	struct cs_error *(*run)(struct cs_cook *cook);
	uint32_t reads, writes; /* sets of enum cs_slices; a slice in `writes` may also be read */
};

enum { CS_COOK_PHASES = 15 };

extern const struct cs_cook_phase cs_cook_phases[CS_COOK_PHASES];

/* Creates a cook without running a phase. `options` are those of cs_cook. */
struct cs_error *cs_cook_begin(const struct cs_world *world, const struct cs_cook_options *options,
	const struct cs_job *job, struct cs_cook **ret) CS_MUST_USE;
/* Called after all phases: sets the counts of the summary, and frees what only phases needed. */
void cs_cook_end(struct cs_cook *cook);

struct cs_error *cs_cook_partitions(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_cook_layers(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_cook_views(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_cook_edges(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_cook_validate(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_cook_clusters(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_cook_instances(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_cook_sets(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_cook_place(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_cook_hlod_ranges(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_cook_cells(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_cook_standalones(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_cook_tables(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_cook_meshes(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_cook_subs(struct cs_cook *cook) CS_MUST_USE;
