/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the frame around the views, one file each: the title and the side pane. */
#pragma once

#include "src/tui/screen.h"

/* title.c: draws what is open and which frame the run has reached. */
void title_draw(struct screen *screen, struct area area);
/* side_pane.c: draws the object under the cursor field by field. */
void side_pane_draw(struct screen *screen, struct area area);
