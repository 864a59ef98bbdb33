/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why something is where it is: the trail of rules, a row a step. */
#include "src/tui/views.h"

const struct view_type view_explain = {
	.name = "explain",
	.is_wide = true,
	.title = "Explain",
	.help = "the trail of rules that led to it",
	.command = "explain",
	.columns = "step,title,input,verdict",
	.needs_argument = true,
	.has_object = true,
};

const struct view_type view_why = {
	.name = "why",
	.title = "Why",
	.help = "why it is, or is not, there now",
	.command = "why",
	.needs_argument = true,
	.is_record = true,
	.has_object = true,
};
