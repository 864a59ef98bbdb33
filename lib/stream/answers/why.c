/* SPDX-License-Identifier: Apache-2.0 */
/* Explains a cell's state: the decision, the rule that made it, the distances of the sources. */
#include "stream/decision.h"

struct cs_error *cs_stream_why(
	const struct cs_stream *stream, struct cs_stream_cell cell, struct cs_stream_why *ret)
{
	struct cs_error *error = cs_run_check_cell(stream, cell);
	if (error)
		return error;
	cs_run_decision_of(stream, cell, ret);
	cs_run_measure(stream, cell, ret);
	const struct cs_stream_order_row *row =
		cs_run_queue_row(stream, cell, &ret->rank, &ret->of);
	if (row)
		ret->keys = row->keys;
	return NULL;
}
