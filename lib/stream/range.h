/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of what sources reach in a world: targets, which are shapes of sources, and the cells
 * that they hit; loading ranges that were overridden.
 */
#pragma once

#include <cellscope/stream.h>

#include "core/codec.h"
#include "stream/near.h"
#include "stream/reach.h"

struct cs_run_source;
struct cs_run_world;
struct cs_stream;

/* What a cell is to be, and what was asked for it before its layers were looked at. */
enum { CS_WANT_LOAD = 1, CS_WANT_ACTIVATE = 2, CS_ASKED_LOAD = 4, CS_ASKED_ACTIVATE = 8 };

/*
 * A cell of the frame sets: the record of what was decided about it. It is written where that is
 * decided and read through cs_run_decision_of alone; frames that are skipped leave it as it is.
 */
struct cs_run_hit {
	uint32_t cell;
	uint8_t want;        /* CS_WANT_, CS_ASKED_ */
	uint8_t reason;      /* enum cs_reason: the rule behind `want` */
	uint8_t waits;       /* enum cs_reason: BUDGET, PERFORMANCE: why it is not begun; or NONE */
	uint8_t performance; /* 1 + enum cs_performance, as it was judged; 0: it was not */
	bool absent;         /* the cell has no resident; cs_run_resident ends it */
	bool ranked;         /* the first sort keys are known: */
	uint8_t source_priority;
	int32_t hierarchical_level, cell_priority;
	uint32_t touch;  /* first of world.reached.touches, or CS_NONE */
	uint32_t target; /* world.reached.targets: the last that reached it, or CS_NONE */
};

/* Which target took a cell: those of the snap rule, and all where there are many targets. */
struct cs_run_touch {
	uint32_t target;  /* world.reached.targets */
	uint32_t next;    /* world.reached.touches */
	uint8_t want;     /* CS_WANT_, CS_ASKED_ */
	uint8_t priority; /* of the source */
};

/* What one shape of one source reaches in one partition. */
struct cs_run_target {
	struct cs_run_reach reach;
	uint32_t source; /* stream.sources.active */
	uint32_t shape;  /* of the source; 0 also where it has none */
};

/* What a target reached when it was last looked at. */
struct cs_run_kept {
	struct cs_near
		near; /* group of an entry: whether the cell is among the hits of the target */
	bool known;   /* the rest is of a look at `near` */
	bool load_only;
	uint8_t priority;
	struct cs_ball ball;
	double slack; /* so far the centre may move until a cell comes or goes; negative: not at all
		       */
};

/* What decides about cells and is no target, as it stood when a world was evaluated. */
struct cs_run_terms {
	uint64_t layers; /* their epoch */
	double level;    /* the filter of grid levels */
	double z_culling;
	bool hlods;
};

/* 2.3.5, of one cell. */
struct cs_run_info {
	struct cs_stream_keys keys;
	uint32_t hits;
	uint32_t target;       /* world.reached.targets: that gave the spatial key, or CS_NONE */
	bool blocking;         /* a blocking source hits it */
	double blocking_ratio; /* infinite without */
	double ratio;          /* of any source */
};

/* Of a world. */
struct cs_run_reached {
	double *ranges;                 /* of partitions that are overridden, else negative */
	CS_VEC(struct cs_run_hit) hits; /* sparse set, slots in hit_slot */
	uint32_t *hit_slot;
	CS_VEC(struct cs_run_touch) touches;
	uint32_t free_touch;                  /* first of those that are not in use, or CS_NONE */
	CS_VEC(struct cs_run_target) targets; /* grouped by partition */
	uint32_t *target_first;               /* of each partition, then the end */
	uint64_t target_version;              /* of the sources that they were made from */
	CS_VEC(struct cs_run_stand) stands;   /* of the active sources in the last evaluation */
	uint64_t stands_version;              /* of the sources that these are of */
	CS_VEC(struct cs_run_kept) kept;      /* by target, as far as any was asked */
	bool keeping;                         /* the hits are those of `kept`, under `terms` */
	struct cs_run_terms terms;
	uint32_t crowded; /* so many evaluations more keep nothing: neighbourhoods are too large */
};

/* Memory for so many partitions and cells; false without. */
bool cs_run_reached_init(struct cs_run_reached *reached, size_t n_partitions, size_t n_cells);
void cs_run_reached_deinit(struct cs_run_reached *reached);
/* The overridden ranges of n partitions as bytes. */
void cs_run_ranges_code(struct cs_codec *codec, struct cs_run_reached *reached, size_t n);

/* Remembers where the sources stand for the world; false without memory. */
bool cs_run_stands_take(const struct cs_stream *s, struct cs_run_world *w);
/* Prepares world.reached.targets from where the sources stood when they were last evaluated. */
bool cs_run_targets_prepare(const struct cs_stream *s, struct cs_run_world *w);
/* The same for worlds whose targets are those of other sources. */
bool cs_run_targets_refresh(const struct cs_stream *s);
/*
 * Above a few, testing a waiting cell against all targets again, for its keys, would cost the
 * square of the number of sources.
 */
bool cs_run_has_many_targets(const struct cs_run_world *w, uint32_t partition);
/* e. of the policy: fills world.reached.hits. */
bool cs_run_hits_update(struct cs_stream *s, struct cs_run_world *w);
/* No hits any more, and nothing of them is kept. */
void cs_run_hits_drop(struct cs_run_reached *reached);
/* Adds a cell to the hits; `want` CS_WANT_. NULL without memory. */
struct cs_run_hit *cs_run_hit_add(
	struct cs_run_world *w, uint32_t cell, uint8_t want, enum cs_reason reason);
void cs_run_hit_remove(struct cs_run_world *w, struct cs_run_hit *hit);
void cs_run_cell_info(
	const struct cs_stream *s, struct cs_run_world *w, uint32_t cell, struct cs_run_info *ret);
/* The same within an evaluation, of a cell that was hit in it. */
void cs_run_hit_info(const struct cs_stream *s, struct cs_run_world *w,
	const struct cs_run_hit *hit, struct cs_run_info *ret);
/* Why a cell takes no part at all, whatever the sources do, under world.policy.terms; NONE if it
 * does. */
enum cs_reason cs_run_cell_excluded(
	const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell);
/* Whether some cells may take no part. */
bool cs_run_excludes_any(const struct cs_stream *s, const struct cs_run_world *w);
/* world.policy.found: cells that a source reaches with the plain loading ranges. */
bool cs_run_client_finds(
	const struct cs_stream *s, struct cs_run_world *w, const struct cs_run_source *source);
double cs_run_range(const struct cs_run_world *w, uint32_t partition);
enum cs_range_origin cs_run_range_origin(const struct cs_run_world *w, uint32_t partition);
struct cs_run_target cs_run_target_make(const struct cs_stream *s, const struct cs_run_world *w,
	uint32_t partition, uint32_t source, uint32_t shape);
struct cs_run_metric cs_run_target_metric(const struct cs_stream *s, const struct cs_run_world *w,
	struct cs_run_target *target, uint32_t cell);
double cs_run_spatial_key(const struct cs_stream *s, const struct cs_run_metric *metric);
/* The highest state that a source asks for the cell. */
enum cs_layer_state cs_run_sources_ask(
	const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell);
/* The sector and Z culling, of a cell whose box the ball hits. */
bool cs_run_target_keeps(
	const struct cs_run_world *w, const struct cs_run_target *target, uint32_t cell);
/* Whether the target hits the cell by its exact bounds. */
bool cs_run_target_hits(
	const struct cs_run_world *w, const struct cs_run_target *target, uint32_t cell);
