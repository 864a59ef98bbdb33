/* SPDX-License-Identifier: Apache-2.0 */
/* Small meshes in every format that is read, the first byte naming the format by its index. */
#pragma once

#include <stddef.h>

void mesh_seeds(void (*add)(const void *bytes, size_t size));
