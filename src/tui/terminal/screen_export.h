/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A grid as a text, with or without its paints. */
#pragma once

#include "src/output/sink.h"
#include "src/tui/terminal/grid.h"

enum export_form {
	EXPORT_TEXT, /* what is seen, line by line, without blanks at their ends */
	EXPORT_ANSI, /* with the sequences of a terminal */
	EXPORT_HTML, /* a page: no script, nothing from elsewhere */
	EXPORT_SVG,
	EXPORT_FORMS
};

/* By the end of the name: .txt, .ans, .html, .svg; text for any other. */
enum export_form export_form_of(const char *path);
void grid_export(const struct grid *grid, enum export_form form, uint32_t colours, struct sink *to);
