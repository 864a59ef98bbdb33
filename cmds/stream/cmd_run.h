/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints which breakpoint or watch halted the run, and runs its commands. */
#pragma once

#include "src/session/session.h"

/* Prints the stop that halted the run, makes its cell the current place, and runs its commands. */
struct cs_error *tell_stop(
	struct call *call, struct cs_stream *stream, const struct cs_halt *halt) CS_MUST_USE;
