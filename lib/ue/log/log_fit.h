/* SPDX-License-Identifier: Apache-2.0 */
/* The cell size of a partition whose log does not tell it: which sizes its cells leave possible. */
#pragma once

#include "ue/log/log.h"

struct cs_ue_log_fit {
	bool known;         /* bounds of cells tell it, or one size alone fits */
	double least, most; /* whole centimetres that fit; most < least where none does */
	double assumed;     /* one of them; 0 where there is none */
	size_t units;       /* clusters in cells that were looked at */
	bool flat;          /* no cell lies above another */
};

/* False without memory. */
bool cs_ue_log_fit(
	const struct cs_ue_log_data *data, const char *partition, struct cs_ue_log_fit *ret);
