/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that set console variables and states of data layers, shared by commands. */
#pragma once

#include "src/session/session.h"

/* Sets a console variable to `text`; `variable` is an index of cs_stream_variables. */
struct cs_error *set_variable(struct call *call, size_t variable, const char *text) CS_MUST_USE;
struct cs_error *show_variable(struct call *call, size_t variable) CS_MUST_USE;
/* A request to set a data layer to a state. */
struct layer_wish {
	enum cs_layer_state state;
	bool recursive;
	/* set the state as a replicated message from the server would, in a run that is a client */
	bool replicated;
};

/* Sets the state of the data layer with this index, and prints the state that results. */
struct cs_error *set_layer(struct call *call, struct cs_stream *stream, uint32_t layer,
	struct layer_wish wish) CS_MUST_USE;
