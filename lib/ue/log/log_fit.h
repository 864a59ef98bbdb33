/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fits the cell size of a partition, which a log doesn't contain: finds the sizes for which each
 * cluster is in its cell.
 */
#pragma once

#include "ue/log/log.h"

struct cs_ue_log_fit {
	bool known; /* the size is known: from bounds of cells, or because only one size fits */
	double least, most; /* whole centimetres that fit; most < least when none does */
	double assumed;     /* the size to use, between `least` and `most`; 0 when none fits */
	size_t units;       /* number of clusters in cells that were compared */
	bool flat;          /* no cell is above another */
};

/* Returns false without memory. */
bool cs_ue_log_fit(
	const struct cs_ue_log_data *data, const char *partition, struct cs_ue_log_fit *ret);
