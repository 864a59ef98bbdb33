/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the cell size of a partition, which logs do not state. A size is possible if, with it, each
 * cluster of actors would be in the cell that lists it in the log.
 */
#pragma once

#include "ue/log/log.h"

struct cs_ue_log_fit {
	bool known;         /* the cell size is known: cells have bounds, or only one size fits */
	double least, most; /* range of fitting sizes in whole cm, with most < least if none fits */
	double assumed;     /* the size to use, from `least` to `most`, or 0 if none fits */
	/* number of actors in the partition's cells that have a descriptor in the log */
	size_t units;
	bool flat; /* whether no cell is above another cell */
};

/* Fits the cell size of the named partition. Returns false when memory runs out. */
bool cs_ue_log_fit(
	const struct cs_ue_log_data *data, const char *partition, struct cs_ue_log_fit *ret);
