/* SPDX-License-Identifier: Apache-2.0 */
/* A pager, for the tables of SQL. */
#pragma once

#include <cellscope/paging.h>

/* Where a camera is at the end of the last frame. */
struct cs_camera_key cs_pager_camera_place(const struct cs_pager *pager, size_t index);
