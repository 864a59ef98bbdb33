/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the map overlays, for the commands that take one. */
#pragma once

/* names of the map overlays, in the order of enum cs_map_overlay; ends with NULL */
extern const char *const map_overlays[];
