/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A random world and what the rules of the cook make of it (world-partition rules 1.3 to 1.5),
 * written from the rules alone: actors as they are described, what validation forces, clusters,
 * and the rows of the world with its two houses, each with a room inside.
 */
#pragma once

#include <stdbool.h>

enum { MAIN = 12, HOUSE = 4, ROOM = 3, SHIP = 3, VIEWS = MAIN + HOUSE + ROOM, MOST = 4 };
enum { HOUSES = 2, ROWS = MAIN + HOUSES * (HOUSE + ROOM) };

/* An actor as it is written, and as the rules make it. `layers` and `external` are bits. */
struct view {
	char name[16];
	int level; /* 0 main, 1 house, 2 room */
	int parent, n_references, references[MOST];
	bool spatial, editor, has_bounds, container, main_only, scripted;
	int layers, external, grid;
	double box[6];
	/* the twin's */
	int top, cluster;
	bool now_spatial, spatial_forced, by_script, layers_forced, grid_forced;
	int now_layers, now_external, now_grid;
};

struct edge {
	int from, to;
	bool removed;
};

struct row {
	int view, around[2], n_around; /* the level instances around it, the nearest first */
	char title[64];
	const void *actor; /* what the program says of it */
};

extern struct view views[VIEWS];
extern struct edge edges[VIEWS * (MOST + 1)];
extern int n_edges, n_rows;
extern struct row rows[ROWS];
extern const char *profile;
extern bool is_set; /* the runtime hash is the hash set */

/* Returns a random number below n. */
int below(int n);
/* Makes the world with that number, and writes it as JSON lines. */
void make_world(unsigned long long number);
void write_world(const char *path);

/* Returns whether a view is an attach parent of another one, at any depth. */
bool is_above(int above, int at);
int first_of(int level);
int end_of(int level);
bool is_view(int i);
int root_of(int i);
bool streams(const struct row *r);
bool same_set(const struct row *a, const struct row *b);
bool is_spatial(const struct row *r);
bool set_is_bounded(const struct row *r);
/* Returns the placement of an actor that is in no cell, or NULL. */
const char *unplaced(const struct row *r);
/* Returns the reason why it is always loaded, if it is. */
const char *always(const struct row *r);
double extent(const struct view *v, bool flat);
