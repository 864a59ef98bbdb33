/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands around the views, a file each: the title and the side pane. */
#pragma once

#include "src/tui/screen.h"

/* title.c: what is open, where the run is. */
void title_draw(struct screen *screen, struct area area);
/* side_pane.c: the object under the cursor, field by field. */
void side_pane_draw(struct screen *screen, struct area area);
