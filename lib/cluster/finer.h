/* SPDX-License-Identifier: Apache-2.0 */
/* Finer forms of a group: what the clusters of its patch were made of. */
#ifndef CLUSTER_FINER_H
#define CLUSTER_FINER_H

#include "cluster/reduce.h"
#include "mesh/deviation.h"

/* As cs_find_finer; the context is the struct cs_reducer of the group. */
bool cs_reducer_finer(
	const void *context, const struct cs_finer_query *query, struct cs_loose *ret);

#endif
