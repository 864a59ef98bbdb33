/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fits the cell size of a partition whose log doesn't contain it: it finds the sizes that its cells
 * leave possible.
 */
#pragma once

#include "ue/log/log.h"

struct cs_ue_log_fit {
	bool known;         /* bounds of cells contain it, or only one size fits */
	double least, most; /* whole centimetres that fit; most < least when none does */
	double assumed;     /* one of these sizes; 0 when none fits */
	size_t units;       /* clusters in cells that were compared */
	bool flat;          /* no cell is above another */
};

/* Returns false without memory. */
bool cs_ue_log_fit(
	const struct cs_ue_log_data *data, const char *partition, struct cs_ue_log_fit *ret);
