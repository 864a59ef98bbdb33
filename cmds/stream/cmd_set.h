/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Setting variables of the engine and data layers, which several commands do. */
#pragma once

#include "src/session/session.h"

/* Sets a variable of the engine by its index. */
struct cs_error *set_variable(struct call *call, size_t variable, const char *text) CS_MUST_USE;
struct cs_error *show_variable(struct call *call, size_t variable) CS_MUST_USE;
/* How a data layer is set. */
struct layer_wish {
	enum cs_layer_state state;
	bool recursive;
	bool replicated; /* whether the layer is set as if by a message from this client's server */
};

/* Sets a data layer and prints the result. */
struct cs_error *set_layer(struct call *call, struct cs_stream *stream, uint32_t layer,
	struct layer_wish wish) CS_MUST_USE;
