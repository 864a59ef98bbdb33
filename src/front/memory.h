/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --max-mem holds for the whole process, whoever allocates in it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Limits the process to so many further bytes. False when the system cannot limit it. */
bool memory_bound(uint64_t bytes);
