/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A grid as a text, with or without its paints. */
#pragma once

#include "src/output/sink.h"
#include "src/tui/terminal/grid.h"

enum export_form {
	EXPORT_TEXT, /* text line by line, without trailing blanks */
	EXPORT_ANSI, /* with escape sequences for colours */
	EXPORT_HTML, /* a page without scripts and without links to other files */
	EXPORT_SVG,
	EXPORT_FORMS
};

/* Chooses the form by the suffix: .txt, .ans, .html, .svg; text for any other. */
enum export_form export_form_of(const char *path);
void grid_export(const struct grid *grid, enum export_form form, uint32_t colours, struct sink *to);
