/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --max-mem holds for the whole process, whoever allocates in it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* From here on the process may take so many bytes more. False when the system cannot say so. */
bool memory_bound(uint64_t bytes);
