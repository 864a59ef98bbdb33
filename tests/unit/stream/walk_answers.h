/* SPDX-License-Identifier: Apache-2.0 */
/* What a run says of its cells, layers and queue, against the twin and against each other. */
#pragma once

#include "tests/unit/stream/twin.h"

#include <cellscope/stream.h>

/*
 * Writes the first difference to `wrong`, which is empty before. With `forecast` it also compares
 * the queue.
 */
void walk_answers(struct cs_stream *s, const struct twin *t, bool forecast, char wrong[256]);
/* Returns a sum of all answers, which going back and forth must not change. */
uint64_t walk_answers_sum(struct cs_stream *s);
