/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cooked world made by hand, record by record, for tests that need one whose every value they
 * know: tables, commands, hostile names. It passes verify.
 *
 * Valley: MainGrid (cells of 12,800 cm, range 38,400) with side x side cells on level 0 from
 * (-side/2, -side/2), each with one actor Rock_N; a variant of cell (0, 0) with layer DL_Night and
 * actor Lamp; one cell on level 1 with actor Tower; an HLOD setup without cells; a cell that is
 * always loaded with actor Sky. Inn_Chair is in a level instance, Note is editor only.
 */
#pragma once

#include <cellscope/core.h>

struct sample_options {
	unsigned side;       /* 0 = 4 */
	const char *hostile; /* put into every name; NULL = none */
};

struct cs_error *sample_save(const char *path, const struct sample_options *options);
/* A text of escape sequences, controls, bidi marks and broken quotes, which no terminal may get. */
extern const char sample_hostile_text[];
