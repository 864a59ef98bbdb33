/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output when a run halts at a stop. */
#pragma once

#include "src/session/session.h"

/* Prints the stop that halted the run, makes its cell the current place, and runs its commands. */
struct cs_error *tell_stop(
	struct call *call, struct cs_stream *stream, const struct cs_halt *halt) CS_MUST_USE;
