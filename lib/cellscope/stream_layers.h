/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data layers of a run (2.8): their states, what holds them down, what setting one would change.
 * Part of cellscope/stream.h.
 */
#ifndef CELLSCOPE_STREAM_LAYERS_H
#define CELLSCOPE_STREAM_LAYERS_H

#include <cellscope/stream_why.h>

CS_BEGIN_DECLS

struct cs_stream;

enum cs_layer_answer {
	CS_LAYER_SET,
	CS_LAYER_UNCHANGED,
	CS_LAYER_NOT_RUNTIME,  /* ignored: an editor layer */
	CS_LAYER_NO_AUTHORITY, /* ignored: clients do not decide */
	CS_LAYER_WRONG_ROLE,   /* ignored: client-only or server-only, and this is the other */
	CS_LAYER_ANSWERS
};

/* The number of the rule that answers so. */
CS_API const char *cs_layer_answer_rule(enum cs_layer_answer answer);

/*
 * Input. `replicated` stands for a change that the server sent to this client. The answer is that
 * of the layer itself; recursion goes on below whatever it is. E_NOLAYER.
 */
CS_API struct cs_error *cs_stream_layer_set(struct cs_stream *stream, uint32_t world,
	uint32_t layer, enum cs_layer_state state, bool recursive, bool replicated,
	enum cs_layer_answer *ret) CS_MUST_USE;

struct cs_stream_layer_view {
	enum cs_layer_state initial; /* after role and override */
	enum cs_layer_state target, effective;
	uint32_t limited_by;      /* ancestor that lowers the effective state, or CS_NONE */
	bool runtime, on_role;    /* exists at run time; its load filter fits the role */
	uint32_t cells;           /* that have it */
	uint32_t in_range;        /* of these, reached by a source now */
	uint32_t loaded, visible; /* of these, there now */
};

CS_API struct cs_error *cs_stream_layer(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, struct cs_stream_layer_view *ret) CS_MUST_USE;

enum cs_layer_verdict {
	CS_LAYER_IS_EDITOR,
	CS_LAYER_OTHER_ROLE,
	CS_LAYER_ANCESTOR,      /* `holder` lowers it */
	CS_LAYER_NOT_SENT,      /* a client, and the server has not activated it */
	CS_LAYER_NOT_ACTIVATED, /* by whom it could */
	CS_LAYER_NO_CELLS,
	CS_LAYER_ABSENT, /* all its cells are client-only, on a server */
	CS_LAYER_OUT_OF_RANGE,
	CS_LAYER_EXTERNAL_OFF, /* `holder`, the external data layer of its cells, is not activated
				*/
	CS_LAYER_OTHERS_OFF,   /* `holder`, another layer of them that counts too */
	CS_LAYER_EXCLUDED,     /* its cells are switched off: `excluded_by` */
	CS_LAYER_CELLS_FAILED,
	CS_LAYER_ON_THE_WAY,
	CS_LAYER_NOT_RUN,     /* no frame has decided since about cells of it */
	CS_LAYER_ONLY_LOADED, /* sources ask for some of its cells as loaded alone, and they are */
	CS_LAYER_IS_VISIBLE,
	CS_LAYER_VERDICTS
};

CS_API const char *cs_layer_verdict_name(enum cs_layer_verdict verdict);
/* One sentence of help. */
CS_API const char *cs_layer_verdict_help(enum cs_layer_verdict verdict);
/* The number of the rule behind it. */
CS_API const char *cs_layer_verdict_rule(enum cs_layer_verdict verdict);

struct cs_stream_why_layer {
	struct cs_stream_layer_view view;
	enum cs_layer_verdict verdict; /* the first thing in the way */
	uint32_t holder;               /* layers: that holds it, or its cells, down; or CS_NONE */
	uint32_t absent;               /* of its cells: client-only, on a server */
	uint32_t excluded;             /* of its cells: switched off */
	enum cs_reason excluded_by;
	uint32_t in_range; /* of the others: asked for by sources, or by a server without streaming
			    */
	uint32_t held;     /* of these: held down by other layers */
	uint32_t failed;   /* of these: could not be loaded */
	uint32_t arrived;  /* of these: are what they should be */
	uint32_t only_loaded; /* of these: should be loaded and no more */
	uint32_t undecided;   /* of its cells: no frame has run since something was set */
};

/* The question behind why-layer. E_NOLAYER. */
CS_API struct cs_error *cs_stream_why_layer(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, struct cs_stream_why_layer *ret) CS_MUST_USE;

struct cs_stream_impact {
	uint32_t cell;
	enum cs_layer_state before, after; /* what its layers allow */
	bool in_range;
};

/* Which cells would change, without changing anything. Rows are freed by the caller. */
CS_API struct cs_error *cs_stream_layer_impact(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, enum cs_layer_state state, bool recursive,
	struct cs_stream_impact **rows_ret, size_t *n_ret) CS_MUST_USE;

CS_END_DECLS

#endif
