/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the screen around the views, one file each: the title and the side pane. */
#pragma once

#include "src/tui/screen.h"

/* Draws the name of the open world or resource, and the state of the run (title.c). */
void title_draw(struct screen *screen, struct area area);
/* Draws the fields of the object under the cursor (side_pane.c). */
void side_pane_draw(struct screen *screen, struct area area);
