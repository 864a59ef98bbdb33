/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is printed when a run halts. */
#pragma once

#include "src/session/session.h"

/* Prints which stop it was, makes its cell the current place, and runs the commands of the stop. */
struct cs_error *tell_stop(
	struct call *call, struct cs_stream *stream, const struct cs_halt *halt) CS_MUST_USE;
