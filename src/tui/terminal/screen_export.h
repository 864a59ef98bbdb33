/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exports a grid (a drawn screen) to a file, with or without its colours. */
#pragma once

#include "src/output/sink.h"
#include "src/tui/terminal/grid.h"

enum export_form {
	EXPORT_TEXT, /* lines without trailing blanks and without colours */
	EXPORT_ANSI, /* with escape sequences for colours */
	EXPORT_HTML, /* a page without scripts or links to other files */
	EXPORT_SVG,
	EXPORT_FORMS
};

/* Returns the form for the extension of a path: .txt, .ans, .html, .svg; text for any other. */
enum export_form export_form_of(const char *path);
void grid_export(const struct grid *grid, enum export_form form, uint32_t colours, struct sink *to);
