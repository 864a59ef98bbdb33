/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a cell is what it is, which comes before which and when each will be there; what a source
 * would want. These questions change nothing. Part of cellscope/stream.h.
 */
#ifndef CELLSCOPE_STREAM_WHY_H
#define CELLSCOPE_STREAM_WHY_H

#include <cellscope/stream_cells.h>
#include <cellscope/stream_sources.h>

CS_BEGIN_DECLS

struct cs_stream;

enum cs_reason {
	CS_REASON_NONE,
	/* wanted because */
	CS_REASON_ALWAYS_LOADED, /* part of the persistent level */
	CS_REASON_NON_SPATIAL,   /* driven by its layers alone */
	CS_REASON_IN_RANGE,      /* a source reaches it */
	CS_REASON_SNAPPED,       /* a wanted cell of a lower level lies in it */
	CS_REASON_SERVER,        /* a server without server streaming loads everything */
	CS_REASON_NO_STREAM_OUT, /* the server does not stream out */
	CS_REASON_DISALLOWED,    /* a layer of it must not be streamed out by the server */
	CS_REASON_CLIENT_SEES,   /* held: a client still sees it */
	/* not wanted because */
	CS_REASON_NOT_REGISTERED, /* its world partition is not registered */
	CS_REASON_NO_SOURCE,
	CS_REASON_GRID_FILTER, /* the sources in range leave out its partition */
	CS_REASON_OUT_OF_RANGE,
	CS_REASON_LAYERS, /* its data layers say unloaded */
	CS_REASON_HLOD_OFF,
	CS_REASON_CLIENT_ONLY,  /* does not exist on this server */
	CS_REASON_LEVEL_FILTER, /* wp.Runtime.FilterRuntimeSpatialHashGridLevel */
	CS_REASON_NO_BOUNDS,
	CS_REASON_NOT_RUN, /* no frame has run since it could be wanted */
	/* wanted as loaded and no more because */
	CS_REASON_LAYERS_LOADED, /* its data layers allow no more */
	CS_REASON_TARGET_LOADED, /* the sources ask for no more */
	/* wanted, but not there yet because */
	CS_REASON_BUDGET,      /* waits for its turn to load */
	CS_REASON_PERFORMANCE, /* skipped in a blocking wait */
	CS_REASON_LOADING,
	CS_REASON_FAILED,
	CS_REASON_WARMUP, /* an HLOD actor is not warm */
	CS_REASON_TURN,   /* another level is being made visible or invisible */
	CS_REASON_MAKING_VISIBLE,
	CS_REASON_SERVER_ACK, /* the server has not answered yet */
	/* no longer wanted, but still there because */
	CS_REASON_MAKING_INVISIBLE,
	CS_REASON_CANCELLED,    /* the load cannot be stopped */
	CS_REASON_STILL_AROUND, /* garbage is not collected yet */
	CS_REASON_ARRIVED,      /* it is what it should be */
	CS_REASON_COUNT
};

CS_API const char *cs_reason_name(enum cs_reason reason);
/* One sentence of help. */
CS_API const char *cs_reason_help(enum cs_reason reason);
/* The number of the rule (cellscope/rulebook.h) behind it; NULL for NONE. */
CS_API const char *cs_reason_rule(enum cs_reason reason);

enum cs_order_key {
	CS_KEY_NONE, /* the first of the list */
	CS_KEY_SOURCE,
	CS_KEY_LEVEL,
	CS_KEY_PRIORITY,
	CS_KEY_SPATIAL,
	CS_KEY_DISTANCE, /* tie break: squared 2D distance to the centre of the content */
	CS_KEY_NAME,     /* tie break */
	CS_ORDER_KEYS
};

CS_API const char *cs_order_key_name(enum cs_order_key key);
/* The number of the rule that has it decide; NULL for NONE. */
CS_API const char *cs_order_key_rule(enum cs_order_key key);

/* The sort keys of a cell (2.4), as the sources gave them when it was evaluated (2.3.5). */
struct cs_stream_keys {
	uint8_t source_priority;
	int32_t hierarchical_level; /* high first */
	int32_t cell_priority;
	double spatial;
	double distance2; /* tie break, cm^2 */
};

/* What one source does to one cell. */
struct cs_stream_reach {
	const char *source; /* name; NULL = no source at all */
	uint32_t shape;     /* of the source; 0 also where it has none */
	bool accepted;      /* the grid filter lets it act on the partition */
	bool hit;
	double distance; /* from the shape to the bounds that are tested, cm */
	double radius;   /* effective, cm */
	bool assumed;    /* it follows from a loading range that is only assumed */
	double spatial;  /* 2.3.5; of hits */
};

/* What has become otherwise since a frame decided: the next may decide anew. */
enum cs_changed {
	CS_CHANGED_SOURCES = 1, /* or loading ranges */
	CS_CHANGED_LAYERS = 2,
	CS_CHANGED_SETTINGS = 4, /* variables, the switch of HLODs */
	CS_CHANGED_CLIENTS = 8,
	CS_CHANGED_FRAMES = 16, /* the time limit did not reach its partition since */
};

struct cs_stream_why {
	enum cs_layer_state wanted; /* what it should be, all rules considered */
	enum cs_reason reason;      /* the rule that decided `wanted` */
	enum cs_reason progress;    /* why it is not there yet, or ARRIVED */
	enum cs_reason obstacle;    /* why it is not activated, or NONE where it is */
	bool decided;               /* a frame has decided about it: */
	uint64_t decided_in;        /* the last, evaluated or skipped */
	uint32_t changed; /* enum cs_changed: what may decide otherwise in the next frame */
	enum cs_layer_state by_sources; /* without the layers */
	enum cs_layer_state by_layers;
	uint32_t layer;                 /* the layer that holds it down, or CS_NONE */
	struct cs_stream_cell blocker;  /* TURN: the level at work, or CS_STREAM_NO_CELL */
	struct cs_stream_reach nearest; /* best hit, else the nearest miss */
	uint32_t n_hits;                /* shapes that hit it */
	struct cs_stream_keys keys;
	bool blocking;                   /* a blocking source hits it */
	double blocking_ratio;           /* distance / radius of the nearest blocking source */
	bool blocks;                     /* the cell blocks on slow streaming */
	bool judged;                     /* it does, and was late: the ratio counted */
	enum cs_performance performance; /* as 2.5 judges the ratio, if it does */
	uint32_t rank, of;    /* place among the rows of cs_stream_order_open; 0 = none */
	uint32_t warm_frames; /* WARMUP: calls still needed */
	uint32_t client;      /* CLIENT_SEES: index of the client; CS_NONE: it has left */
};

/* The question behind why, why-not and why-loaded. E_NOCELL. */
CS_API struct cs_error *cs_stream_why(const struct cs_stream *stream, struct cs_stream_cell cell,
	struct cs_stream_why *ret) CS_MUST_USE;
/* Every source and shape against the cell; returns how many, fills at most `room`. */
CS_API size_t cs_stream_reaches(const struct cs_stream *stream, struct cs_stream_cell cell,
	struct cs_stream_reach *ret, size_t room);

enum cs_order_list {
	CS_ORDER_ACTIVATE,         /* ToActivate of the last frame */
	CS_ORDER_LOAD,             /* ToLoad */
	CS_ORDER_PENDING_ACTIVATE, /* requested, not shown yet */
	CS_ORDER_PENDING_LOAD,     /* requested, not loaded yet */
	CS_ORDER_LISTS
};

struct cs_stream_order_row {
	struct cs_stream_cell cell;
	struct cs_stream_keys keys;
	enum cs_order_key decided_by; /* against the row above */
	bool started;                 /* the budget reached it, or it was free */
};

/* The sorted lists; valid until the next step. */
CS_API const struct cs_stream_order_row *cs_stream_order(
	const struct cs_stream *stream, enum cs_order_list list, size_t *n_ret);
/* The same without the cells that were there when the frame had ended. */
CS_API const struct cs_stream_order_row *cs_stream_order_open(
	const struct cs_stream *stream, enum cs_order_list list, size_t *n_ret);
/* Which of two cells comes first (-1, 0, 1) and the key that decides. E_NOCELL. */
CS_API struct cs_error *cs_stream_compare(const struct cs_stream *stream,
	struct cs_stream_cell left, struct cs_stream_cell right, int *order_ret,
	enum cs_order_key *key_ret) CS_MUST_USE;

struct cs_stream_forecast {
	struct cs_stream_cell cell;
	uint32_t load_frames;         /* until it begins to load; CS_NONE = beyond the horizon */
	uint32_t done_frames;         /* until it is loaded or shown, as wanted */
	enum cs_order_key decided_by; /* of its row in the list that it waits in */
};

/*
 * When every cell that is wanted but not there will be: the run itself, ahead of time, with sources
 * standing still, at most `horizon` frames. In the order of the lists above. The rows are freed by
 * the caller; the stream is as before.
 */
CS_API struct cs_error *cs_stream_queue(struct cs_stream *stream, uint32_t horizon,
	struct cs_stream_forecast **rows_ret, size_t *n_ret) CS_MUST_USE;

/* ---- questions that change nothing ---- */

struct cs_stream_probe_row {
	struct cs_stream_cell cell;
	enum cs_layer_state wanted;
	enum cs_reason reason;
	struct cs_stream_keys keys;
	uint64_t actors, bytes;
};

/*
 * What a lone source would want, in the order of 2.4, activations first: rows freed by the caller.
 */
CS_API struct cs_error *cs_stream_probe(struct cs_stream *stream,
	const struct cs_stream_source *source, struct cs_stream_probe_row **rows_ret,
	size_t *n_ret) CS_MUST_USE;

/* Of all rows of such an answer. */
struct cs_stream_probe_total {
	uint64_t actors, bytes;
};

CS_API struct cs_stream_probe_total cs_stream_probe_total(
	const struct cs_stream_probe_row *rows, size_t n);

/*
 * 2.10: whether everything that the query source reaches has reached `state`; `exact` = that state
 * and no more. The first cell that has not is told, or CS_STREAM_NO_CELL.
 */
CS_API struct cs_error *cs_stream_completed(struct cs_stream *stream,
	const struct cs_stream_source *query, enum cs_layer_state state, bool exact, bool *ret,
	struct cs_stream_cell *cell_ret) CS_MUST_USE;

CS_END_DECLS

#endif
