/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: putting two cooks of one world together: what was placed again, and of the base what is not
 * stale. Both have their cells in one order and in each cell their sets by anchor, so that one walk
 * over both gives what a full cook would have sorted.
 */
#include "cook/again.h"
#include "cook/phases.h"

/* ---- sets and cells ---- */

/* One of the two: its sets in order. */
struct source {
	const struct cs_cook *cook;
	const bool *stale; /* by view: sets to leave out; NULL = none */
	const struct cs_actor_set *sets;
	const uint32_t *members;
};

struct join {
	struct cs_cook *cook;
	struct source sources[2];
	CS_VEC(struct cs_actor_set) sets;
	CS_VEC(uint32_t) members;
	CS_VEC(struct cs_cook_cell) cells;
	CS_VEC(uint32_t) touched; /* cells to measure */
};

static bool is_stale(const struct source *s, const struct cs_actor_set *set)
{
	if (!s->stale)
		return false;
	const struct cs_instance *instance = &s->cook->placed.instances.at[set->instance];
	return s->stale[cs_view_of_row(s->cook, instance, set->anchor)];
}

/* There is room: no row is in two sets. */
static void put_set(
	struct join *j, const struct source *s, const struct cs_actor_set *set, uint32_t cell)
{
	const uint32_t number = (uint32_t)j->sets.n;
	struct cs_actor_set *put = &j->sets.at[j->sets.n++];
	*put = *set;
	put->cell = cell;
	put->members.first = (uint32_t)j->members.n;
	for (uint32_t i = 0; i < set->members.count; i++) {
		const uint32_t row = s->members[set->members.first + i];
		j->members.at[j->members.n++] = row;
		j->cook->grouped.set_of_row[row] = number;
		j->cook->grouped.no_hlod_layer[row] = s->cook->grouped.no_hlod_layer[row];
	}
}

/* How many of the sets were left out. */
static size_t put_sets(struct join *j, struct cs_range base, struct cs_range made, uint32_t cell)
{
	const struct source *left = &j->sources[0], *right = &j->sources[1];
	const struct cs_actor_set *l = left->sets + base.first, *l_end = l + base.count;
	const struct cs_actor_set *r = right->sets + made.first, *r_end = r + made.count;
	size_t stale = 0;
	while (l < l_end || r < r_end) {
		if (l == l_end || (r < r_end && r->anchor < l->anchor)) {
			put_set(j, right, r++, cell);
		} else {
			if (is_stale(left, l))
				stale++;
			else
				put_set(j, left, l, cell);
			l++;
		}
	}
	return stale;
}

static void put_cell(
	struct join *j, const struct cs_cook_cell *base, const struct cs_cook_cell *made)
{
	static const struct cs_range none;
	const uint32_t first = (uint32_t)j->sets.n, number = (uint32_t)j->cells.n;
	struct cs_cook_cell cell = base ? *base : *made;
	size_t stale = put_sets(j, base ? base->sets : none, made ? made->sets : none, number);
	cell.sets = (struct cs_range){first, (uint32_t)j->sets.n - first};
	if (!cell.sets.count)
		return;
	if (stale || made)
		j->touched.at[j->touched.n++] = number;
	j->cells.at[j->cells.n++] = cell;
}

static void put_cells(struct join *j)
{
	const struct cs_cook *base = j->cook->again->base, *made = j->cook;
	size_t l = 0, r = 0;
	while (l < base->celled.cells.n || r < made->celled.cells.n) {
		int order = l == base->celled.cells.n ? 1
			    : r == made->celled.cells.n
				    ? -1
				    : cs_cells_compare(base, &base->celled.cells.at[l], made,
					      &made->celled.cells.at[r]);
		put_cell(j, order <= 0 ? &base->celled.cells.at[l] : NULL,
			order >= 0 ? &made->celled.cells.at[r] : NULL);
		l += order <= 0;
		r += order >= 0;
	}
}

/* Those without a cell come behind the others. */
static struct cs_range without_cell(const struct cs_cook *cook)
{
	const struct cs_cook_cell *last =
		cook->celled.cells.n ? &cook->celled.cells.at[cook->celled.cells.n - 1] : NULL;
	uint32_t first = last ? last->sets.first + last->sets.count : 0;
	return (struct cs_range){first, (uint32_t)cook->grouped.sets.n - first};
}

static void take_over(struct join *j)
{
	struct cs_cook *cook = j->cook;
	cs_vec_free(&cook->grouped.sets);
	cs_vec_free(&cook->grouped.members);
	cs_vec_free(&cook->celled.cells);
	memcpy(&cook->grouped.sets, &j->sets, sizeof(cook->grouped.sets));
	memcpy(&cook->grouped.members, &j->members, sizeof(cook->grouped.members));
	memcpy(&cook->celled.cells, &j->cells, sizeof(cook->celled.cells));
	for (size_t i = 0; i < j->touched.n; i++)
		cs_cell_measure(cook, &cook->celled.cells.at[j->touched.at[i]]);
}

struct cs_error *cs_join_sets(struct cs_cook *cook)
{
	const struct cs_cook *base = cook->again->base;
	struct join j = {.cook = cook};
	j.sources[0] = (struct source){
		base, cook->again->stale, base->grouped.sets.at, base->grouped.members.at};
	j.sources[1] = (struct source){cook, NULL, cook->grouped.sets.at, cook->grouped.members.at};
	if (!cs_vec_reserve(&j.sets, base->grouped.sets.n + cook->grouped.sets.n) ||
		!cs_vec_reserve(&j.members, cook->placed.n_rows) ||
		!cs_vec_reserve(&j.cells, base->celled.cells.n + cook->celled.cells.n) ||
		!cs_vec_reserve(&j.touched, base->celled.cells.n + cook->celled.cells.n)) {
		cs_vec_free(&j.sets);
		cs_vec_free(&j.members);
		cs_vec_free(&j.cells);
		cs_vec_free(&j.touched);
		return cs_error_nomem();
	}
	put_cells(&j);
	put_sets(&j, without_cell(base), without_cell(cook), CS_NONE);
	take_over(&j);
	cs_vec_free(&j.touched);
	return NULL;
}

/* ---- findings and drops ---- */

static uint32_t anchor_of_row(const struct cs_cook *cook, uint32_t row)
{
	return cook->grouped.sets.at[cook->grouped.set_of_row[row]].anchor;
}

/* Of the checks of sets: each is about a member of one. */
static uint32_t anchor_of_finding(const struct cs_cook *cook, const struct cs_finding_draft *f)
{
	return anchor_of_row(
		cook, cs_row_of(cook, &cook->placed.instances.at[f->instance], f->view));
}

/* Findings [from, to) of the base that are not stale, among those that were made. */
static bool merge_findings(struct cs_cook *cook, uint32_t from, uint32_t to,
	const struct cs_finding_draft *made, size_t n)
{
	const struct cs_again *again = cook->again;
	size_t at = 0;
	for (uint32_t i = from; i < to; i++) {
		const struct cs_finding_draft *f = &again->base->found.findings.at[i];
		if (again->stale[f->view])
			continue;
		const uint32_t anchor = anchor_of_finding(cook, f);
		for (; at < n && anchor_of_finding(cook, &made[at]) < anchor; at++)
			if (!cs_vec_push(&cook->found.findings, made[at]))
				return false;
		if (!cs_vec_push(&cook->found.findings, *f))
			return false;
	}
	return cs_vec_append(&cook->found.findings, made + at, n - at);
}

static bool merge_drops(struct cs_cook *cook)
{
	const struct cs_again *again = cook->again;
	const struct cs_cook *base = again->base;
	const uint32_t first = cook->marks[CS_PHASE_PLACE].drops;
	CS_VEC(struct cs_drop_draft) all = {0};
	size_t at = first;
	bool good = cs_vec_append(&all, cook->found.drops.at, first);
	for (uint32_t i = base->marks[CS_PHASE_PLACE].drops;
		good && i < base->marks[CS_PHASE_HLOD].drops; i++) {
		const struct cs_drop_draft *drop = &base->found.drops.at[i];
		const struct cs_instance *instance = cs_instance_of_row(base, drop->row);
		if (again->stale[cs_view_of_row(base, instance, drop->row)])
			continue;
		const uint32_t anchor = anchor_of_row(cook, drop->row);
		for (; good && at < cook->found.drops.n &&
			anchor_of_row(cook, cook->found.drops.at[at].row) < anchor;
			at++)
			good = cs_vec_push(&all, cook->found.drops.at[at]);
		good = good && cs_vec_push(&all, *drop);
	}
	good = good && cs_vec_append(&all, cook->found.drops.at + at, cook->found.drops.n - at);
	if (!good) {
		cs_vec_free(&all);
		return false;
	}
	free(cook->found.drops.at);
	memcpy(&cook->found.drops, &all, sizeof(all));
	return true;
}

struct cs_error *cs_join_findings(struct cs_cook *cook)
{
	const struct cs_cook *base = cook->again->base;
	const uint32_t first = cook->found.by_filters;
	const size_t checks = cook->marks[CS_PHASE_PLACE].findings - first;
	const size_t n = cook->found.findings.n - first;
	CS_VEC(struct cs_finding_draft) made = {0};
	bool good = cs_vec_reserve(&made, n + 1) &&
		    cs_vec_append(&made, cook->found.findings.at + first, n);
	cook->found.findings.n = first;
	good = good &&
	       merge_findings(cook, base->found.by_filters, base->marks[CS_PHASE_PLACE].findings,
		       made.at, checks) &&
	       merge_findings(cook, base->marks[CS_PHASE_PLACE].findings,
		       base->marks[CS_PHASE_HLOD].findings, made.at + checks, n - checks) &&
	       merge_drops(cook);
	cs_vec_free(&made);
	return good ? NULL : cs_error_nomem();
}
