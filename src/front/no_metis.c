/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stubs for the static program: Debian has no static METIS. Our default partitioner needs none. */
#include <metis.h>

int METIS_SetDefaultOptions(idx_t *options)
{
	(void)options;
	return METIS_OK;
}

int METIS_PartGraphRecursive(idx_t *nvtxs, idx_t *ncon, idx_t *xadj, idx_t *adjncy, idx_t *vwgt,
	idx_t *vsize, idx_t *adjwgt, idx_t *nparts, real_t *tpwgts, real_t *ubvec, idx_t *options,
	idx_t *edgecut, idx_t *part)
{
	(void)nvtxs, (void)ncon, (void)xadj, (void)adjncy, (void)vwgt, (void)vsize, (void)adjwgt;
	(void)nparts, (void)tpwgts, (void)ubvec, (void)options, (void)edgecut, (void)part;
	return METIS_ERROR_INPUT;
}
