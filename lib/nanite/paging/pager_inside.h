/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a pager that the tables of SQL read. */
#pragma once

#include <cellscope/paging.h>

/* Returns the position of a camera at the end of the last frame. */
struct cs_camera_key cs_pager_camera_place(const struct cs_pager *pager, size_t index);
