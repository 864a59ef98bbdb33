/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the mesh of engine_nanite.h: its clusters, which vertices are references to which, strips.
 * A strip goes on where the next triangle has an edge of the last one, and starts anew else
 * (nanite-versions rules 5.2).
 */
#include "tests/samples/engine_nanite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct engine_part engine_parts[ENGINE_PARTS] = {{3, 0, 0, 1, 0, 1}, {2, 0, 1, 2, 1, 0},
	{0, 0, 3, 1, 1, 1}, {0, 1, 4, 1, 1, 2}, {1, 2, 5, 2, 1, 3}};
const float engine_spheres[ENGINE_GROUPS][4] = {
	{12, 1, 0, 16}, {36, 1, 0, 16}, {24, 1, 0, 32}, {0, 0, 0, 0}};
const float engine_errors[ENGINE_GROUPS] = {2, 3, 8, INFINITY};

static const struct {
	uint32_t page, index, group, maker, flags;
	int first, columns;
} shapes[ENGINE_CLUSTERS] = {
	/* flags: 8 group in root pages, 4 level 0; 1 and 2 while other pages must come first */
	{0, 0, 3, 2, 8, 0, 48},
	{0, 1, 2, 0, 8 | 2 | 1, 0, 24},
	{0, 2, 2, 1, 8 | 2 | 1, 24, 24},
	{0, 3, 0, CS_NONE, 4 | 2 | 1, 0, 12},
	{1, 0, 0, CS_NONE, 4 | 2 | 1, 12, 12},
	{2, 0, 1, CS_NONE, 4 | 2 | 1, 24, 12},
	{2, 1, 1, CS_NONE, 4 | 2 | 1, 36, 12},
};

enum { ROWS = 3, PLACES = (ENGINE_COLUMNS + 1) * ROWS, NOT_YET = -1 };

void engine_mesh_place(int x, int y, int32_t ret[3])
{
	ret[0] = ENGINE_UNIT * x;
	ret[1] = ENGINE_UNIT * y;
	ret[2] = (x * x + 2 * y) % 7 - 3;
}

void engine_mesh_normal(int x, int y, uint32_t ret[2])
{
	ret[0] = (uint32_t)(100 + x);
	ret[1] = (uint32_t)(120 + 5 * y);
}

uint32_t engine_mesh_ranges(const struct engine_cluster *c, uint32_t ret[4])
{
	uint32_t n = c->columns == ENGINE_COLUMNS ? 4 : c->fine ? 2 : 3, left = c->n_triangles;
	for (uint32_t i = 0; i < n; i++) {
		ret[i] = i + 1 < n ? 10 + i : left;
		left -= ret[i];
	}
	return n;
}

/* ---- triangles, by the numbers of places ---- */

struct triangles {
	int at[ENGINE_TRIANGLES][3];
	uint32_t n;
};

static void add(struct triangles *to, int x, const int corners[3][2])
{
	for (int k = 0; k < 3; k++) /* against the normal: the engine's winding */
		to->at[to->n][k] = (x + corners[2 - k][0]) * ROWS + corners[2 - k][1];
	to->n++;
}

/*
 * Adds the triangles of a column; its left and right sides have a vertex in the middle row or not.
 */
static void add_column(struct triangles *to, int x, bool left, bool right)
{
	static const int rules[4][4][3][2] = {
		{{{0, 0}, {1, 0}, {1, 2}}, {{0, 0}, {1, 2}, {0, 2}}},
		{{{0, 0}, {1, 0}, {0, 1}}, {{0, 1}, {1, 0}, {1, 2}}, {{0, 1}, {1, 2}, {0, 2}}},
		{{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 2}}, {{0, 2}, {1, 1}, {1, 2}}},
		{{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}, {{0, 1}, {1, 1}, {1, 2}},
			{{0, 1}, {1, 2}, {0, 2}}},
	};
	int rule = left + 2 * right, n = 2 + left + right;
	for (int i = 0; i < n; i++)
		add(to, x, rules[rule][i]);
}

static void make_triangles(const struct engine_cluster *c, struct triangles *to)
{
	int end = c->first + c->columns;
	for (int x = c->first; x < end; x++)
		add_column(to, x, c->fine || x == c->first, c->fine || x + 1 == end);
}

/* ---- strips ---- */

struct strip {
	struct engine_cluster *c;
	int numbers[PLACES]; /* of vertices that were issued */
	int right, left, head;
	uint32_t n_bits;
};

static void put_code(struct strip *s, int place)
{
	uint32_t code = s->c->n_vertices - 1 - (uint32_t)s->numbers[place];
	if (code >= 32)
		abort(); /* the ribbon has no such strip */
	for (int i = 0; i < 5; i++, s->n_bits++) {
		if (s->n_bits % 8 == 0)
			cs_writer_u8(&s->c->codes, 0);
		if (s->c->codes.bytes)
			s->c->codes.bytes[s->n_bits / 8] |=
				(unsigned char)((code >> i & 1) << s->n_bits % 8);
	}
	s->c->n_codes++;
}

static void issue(struct strip *s, int place)
{
	struct engine_vertex *v = &s->c->vertices[s->c->n_vertices];
	v->x = place / ROWS;
	v->y = place % ROWS;
	s->numbers[place] = (int)s->c->n_vertices++;
}

static void set_mask(struct strip *s, uint32_t t, int kind, bool set)
{
	s->c->masks[t / 32][kind] |= (uint32_t)set << t % 32;
}

static bool go_on(struct strip *s, uint32_t t, const int v[3])
{
	for (int r = 0; r < 3 && t % 32 != 0; r++) {
		int a = v[r], b = v[(r + 1) % 3], c = v[(r + 2) % 3];
		bool left = a == s->left && c == s->head, right = a == s->right && b == s->head;
		if (!left && !right)
			continue;
		int third = left ? b : c;
		bool old = s->numbers[third] != NOT_YET;
		set_mask(s, t, 1, left);
		set_mask(s, t, 2, old);
		if (old)
			put_code(s, third);
		else
			issue(s, third);
		*(left ? &s->right : &s->left) = s->head;
		s->head = third;
		return true;
	}
	return false;
}

/* Starts a strip with a triangle whose old vertices come first. */
static void start(struct strip *s, uint32_t t, const int v[3])
{
	bool old[3];
	int n = 0, first = 0, turned[3];
	for (int k = 0; k < 3; k++)
		n += old[k] = s->numbers[v[k]] != NOT_YET;
	while (n > 0 && n < 3 && !(old[first] && !old[(first + n) % 3] && !old[(first + 2) % 3]))
		first++;
	for (int k = 0; k < 3; k++)
		turned[k] = v[(first + k) % 3];
	set_mask(s, t, 0, true);
	set_mask(s, t, 1, n & 2);
	set_mask(s, t, 2, n & 1);
	for (int k = 0; k < n; k++)
		put_code(s, turned[k]);
	for (int k = n; k < 3; k++)
		issue(s, turned[k]);
	s->right = turned[0];
	s->left = turned[1];
	s->head = turned[2];
	s->c->n_starts++;
}

static void count_before(struct engine_cluster *c, uint32_t group)
{
	if (group > 0) {
		c->previous[0] |= c->n_codes << 10 * (group - 1);
		c->previous[1] |= c->n_vertices << 10 * (group - 1);
	}
}

static void make_strips(struct engine_cluster *c, const struct triangles *from)
{
	struct strip s = {.c = c, .right = NOT_YET};
	for (int i = 0; i < PLACES; i++)
		s.numbers[i] = NOT_YET;
	for (uint32_t t = 0; t < from->n; t++) {
		if (t % 32 == 0)
			count_before(c, t / 32);
		if (!go_on(&s, t, from->at[t]))
			start(&s, t, from->at[t]);
		int v[3], first = 0;
		for (int k = 0; k < 3; k++) {
			v[k] = s.numbers[from->at[t][k]];
			first = v[k] < v[first] ? k : first;
		}
		for (int k = 0; k < 3; k++)
			c->corners[t][k] = (uint8_t)v[(first + k) % 3];
	}
	for (uint32_t group = (from->n + 31) / 32; group < 4; group++)
		count_before(c, group);
	c->n_triangles = from->n;
}

/* ---- references ---- */

static bool has_place(
	const struct engine_cluster *c, const struct engine_vertex *v, bool coded, uint32_t *ret)
{
	for (uint32_t i = 0; i < c->n_vertices; i++)
		if (c->vertices[i].x == v->x && c->vertices[i].y == v->y &&
			!(coded && c->vertices[i].reference)) {
			*ret = i;
			return true;
		}
	return false;
}

/*
 * Chooses the vertices that references of a cluster name: in its own page a coded vertex of an
 * earlier cluster, else one of the finest cluster of the root page.
 */
static void refer(struct engine_mesh *mesh, uint32_t cluster)
{
	struct engine_cluster *c = &mesh->clusters[cluster];
	for (uint32_t i = 0; i < c->n_vertices; i++) {
		struct engine_vertex *v = &c->vertices[i];
		for (uint32_t k = 0; k < cluster && !v->reference; k++) {
			v->cluster = k;
			v->reference = mesh->clusters[k].page == c->page &&
				       has_place(&mesh->clusters[k], v, true, &v->vertex);
		}
		for (uint32_t k = cluster; c->page > 0 && k-- > 0 && !v->reference;) {
			v->cluster = k;
			v->reference = mesh->clusters[k].page == 0 &&
				       has_place(&mesh->clusters[k], v, false, &v->vertex);
		}
		c->n_references += v->reference;
	}
}

/* ---- numbers of a cluster ---- */

static void measure(struct engine_cluster *c)
{
	int32_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX},
		high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
	for (uint32_t i = 0; i < c->n_vertices; i++) {
		int32_t at[3];
		engine_mesh_place(c->vertices[i].x, c->vertices[i].y, at);
		for (int k = 0; k < 3; k++) {
			low[k] = at[k] < low[k] ? at[k] : low[k];
			high[k] = at[k] > high[k] ? at[k] : high[k];
		}
	}
	for (int k = 0; k < 3; k++) {
		c->start[k] = low[k];
		while (high[k] - low[k] >= 1 << c->position_bits[k])
			c->position_bits[k]++;
		c->box[k] = (float)(low[k] + high[k]) / 2 / ENGINE_UNIT;
		c->box[3 + k] = (float)(high[k] - low[k]) / 2 / ENGINE_UNIT;
	}
}

static void make_cluster(struct engine_mesh *mesh, uint32_t i)
{
	struct engine_cluster *c = &mesh->clusters[i];
	struct triangles triangles = {.n = 0};
	c->page = shapes[i].page;
	c->index = shapes[i].index;
	c->group = shapes[i].group;
	c->maker = shapes[i].maker;
	c->flags = shapes[i].flags;
	c->first = shapes[i].first;
	c->columns = shapes[i].columns;
	c->fine = c->maker == CS_NONE;
	c->error = c->fine ? 0 : engine_errors[c->maker];
	c->edge = c->fine ? -1.5f : 2.5f; /* of level 0 negative */
	c->tangents = i % 2;
	c->coloured = i == 3 || i == 6;
	c->uv_bits[0] = 6;
	c->uv_bits[1] = 2;
	c->uv_precision = 6;
	const float leaf[4] = {(float)c->first + (float)c->columns / 2, 1, 0, 8};
	memcpy(c->sphere, c->fine ? leaf : engine_spheres[c->maker], sizeof(leaf));
	make_triangles(c, &triangles);
	make_strips(c, &triangles);
	measure(c);
	refer(mesh, i);
	mesh->failed |= c->codes.failed;
}

void engine_mesh_make(enum cs_ue_nanite_version version, struct engine_mesh *ret)
{
	*ret = (struct engine_mesh){.version = version};
	for (uint32_t i = 0; i < ENGINE_CLUSTERS; i++)
		make_cluster(ret, i);
}

void engine_mesh_deinit(struct engine_mesh *mesh)
{
	for (uint32_t i = 0; i < ENGINE_CLUSTERS; i++)
		cs_writer_deinit(&mesh->clusters[i].codes);
}
