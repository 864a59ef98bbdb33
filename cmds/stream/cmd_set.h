/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is set in more than one way: variables of the engine, data layers. */
#pragma once

#include "src/session/session.h"

/* A variable of the engine, by its index. */
struct cs_error *set_variable(struct call *call, size_t variable, const char *text) CS_MUST_USE;
struct cs_error *show_variable(struct call *call, size_t variable) CS_MUST_USE;
/* How a data layer is set. */
struct layer_wish {
	enum cs_layer_state state;
	bool recursive;
	bool replicated; /* as the server of this client sent it */
};

/* Sets a data layer and tells what came of it. */
struct cs_error *set_layer(struct call *call, struct cs_stream *stream, uint32_t layer,
	struct layer_wish wish) CS_MUST_USE;
