/* SPDX-License-Identifier: Apache-2.0 */
/* From decoded contents back to the DAG that the encoder accepts. */
#ifndef NANITE_DECODE_REBUILD_H
#define NANITE_DECODE_REBUILD_H

#include "cluster/dag_internal.h"

#include <cellscope/nanite.h>

/*
 * E_NANITE where something could not be decoded or linked. Clusters come level by level, then by
 * group, then as stored.
 */
struct cs_error *cs_nanite_rebuild(
	const struct cs_nanite_contents *contents, struct cs_dag *ret) CS_MUST_USE;

#endif
