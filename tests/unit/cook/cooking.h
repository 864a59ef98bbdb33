/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cooking small worlds in tests. A world is JSON lines; actors have short GUIDs: G("a1") is the
 * GUID 000000000000000000000000000000a1 in quotes.
 */
#pragma once

#include <cellscope/cook.h>

#include "format/check_numbers.h"
#include "format/cooked_inside.h"

#define DOCUMENT "{\"cellscope_world\":1,\"package\":\"/Game/Maps/M\"}\n"

struct cooked_world {
	struct cs_cooked *c;
	unsigned char *bytes; /* that `c` lies over */
	size_t size;
};

/* These abort the test program on failure. */
struct cs_world *read_lines(const char *lines);
struct cooked_world cook_lines(const char *lines, const char *profile);
struct cooked_world cook_world(
	const struct cs_world *world, const struct cs_cook_options *options, int threads);
void cooked_free(struct cooked_world *world);

/* These functions return rows by name, and abort the test program when there is none. */
const struct cs_cooked_actor *actor_named(const struct cooked_world *world, const char *name);
const struct cs_cooked_cell *cell_of(const struct cooked_world *world, const char *actor);
/* Returns the name of the cell of an actor, or "-" when it is in none. */
const char *cell_name_of(const struct cooked_world *world, const char *actor);
/* Returns the cell of that name; NULL when there is none. */
const struct cs_cooked_cell *cell_called(const struct cs_cooked *c, const char *name);
/* Returns whether both boxes are invalid, or differ by at most the tolerance on each axis. */
bool near_box(const struct cs_box *l, const struct cs_box *r, double tolerance);
/* Returns the number of findings of that check in that pass (-1: in any). */
size_t findings_of(const struct cooked_world *world, enum cs_check check, int pass);

/*
 * Checks the invariants of Appendix C on any cooked world. Returns NULL, or a text that says which
 * does not hold.
 */
const char *broken_invariant(const struct cs_cooked *c);
