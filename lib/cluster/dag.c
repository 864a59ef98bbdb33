/* SPDX-License-Identifier: Apache-2.0 */
/* Frees the memory of a DAG. */
#include "cluster/dag_internal.h"

#include <stdlib.h>
#include <string.h>

void cs_dag_deinit(struct cs_dag *dag)
{
	free(dag->positions);
	free(dag->normals);
	free(dag->colors);
	for (unsigned i = 0; i < CS_MAX_UVS; i++)
		free(dag->uvs[i]);
	free(dag->corners);
	free(dag->materials);
	free(dag->material_names);
	free(dag->uv_ranges);
	free(dag->clusters);
	free(dag->groups);
	free(dag->children);
	memset(dag, 0, sizeof(*dag));
}
