/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: single actors that are out of line: always loaded where others of their class are not, or
 * by a reference; without bounds, or with bounds out of proportion; editor-only with what is cooked
 * attached to it.
 */
#include "whatif/suggest.h"

/* ---- always loaded by a reference ---- */

struct culprit {
	uint32_t actor;   /* the end that is not spatially loaded */
	uint32_t victims; /* actors that are always loaded for it */
};

/* The finding at which a chain of causes began. */
static uint32_t root_of(const struct cs_cooked *c, uint32_t finding)
{
	while (c->findings[finding].cause != CS_NONE && c->findings[finding].cause < finding)
		finding = c->findings[finding].cause;
	return finding;
}

/* The end of the reference that is always loaded by itself; its topmost parent, if that decides. */
static uint32_t end_of(const struct cs_cooked *c, const struct cs_cooked_finding *finding)
{
	const uint32_t ends[] = {finding->actor, finding->other};
	for (size_t i = 0; i < 2; i++) {
		uint32_t at = ends[i];
		if (at == CS_NONE)
			continue;
		/* parents may go in a ring */
		for (size_t steps = 0; steps < c->n_actors && c->actors[at].parent != CS_NONE &&
				       c->actors[c->actors[at].parent].cell != CS_NONE;
			steps++)
			at = c->actors[at].parent;
		if (!(c->actors[at].flags & CS_ACTOR_OWN_SPATIAL))
			return at;
	}
	return CS_NONE;
}

/* By actor: how many others are always loaded for it. */
static uint32_t *count_victims(const struct cs_cooked *c)
{
	uint32_t *victims = calloc(c->n_actors + 1, sizeof(*victims));
	bool *told = calloc(c->n_actors + 1, sizeof(*told));
	for (uint32_t i = 0; victims && told && i < c->n_findings; i++) {
		const struct cs_cooked_finding *f = &c->findings[i];
		if (f->check != CS_CHECK_STREAMED_REFERENCES_LOADED ||
			f->repair != CS_REPAIR_NON_SPATIAL)
			continue;
		uint32_t culprit = end_of(c, &c->findings[root_of(c, i)]);
		const uint32_t ends[] = {f->actor, f->other};
		for (size_t k = 0; culprit != CS_NONE && k < 2; k++) {
			if (ends[k] == CS_NONE || ends[k] == culprit || told[ends[k]])
				continue;
			told[ends[k]] = true;
			victims[culprit]++;
		}
	}
	if (!told) {
		free(victims);
		victims = NULL;
	}
	free(told);
	return victims;
}

static void suggest_spatial(struct cs_hunt *hunt, uint32_t actor, uint32_t victims)
{
	if (!cs_box_valid(&hunt->c->actors[actor].bounds))
		return;
	cs_hunt_begin(hunt, CS_SUGGEST_SPATIAL, CS_GROUP_ALWAYS, actor, victims + 0.5);
	cs_hunt_subject(hunt, cs_hunt_title(hunt, actor));
	cs_hunt_why(hunt, "1.4.V3d", "it is not spatially loaded, and %u actor%s with it", victims,
		victims == 1 ? " is" : "s are");
	cs_hunt_change(hunt, "actor.%s.spatially_loaded=on", cs_hunt_key(hunt, actor));
	cs_hunt_end(hunt);
}

/* Its references to and from actors that stream by themselves. */
static void suggest_cutting_off(struct cs_hunt *hunt, uint32_t culprit, uint32_t victims)
{
	const struct cs_cooked *c = hunt->c;
	cs_hunt_begin(hunt, CS_SUGGEST_REFERENCE, CS_GROUP_ALWAYS, culprit, victims);
	cs_hunt_subject(hunt, cs_hunt_title(hunt, culprit));
	cs_hunt_why(hunt, "1.4.V3d",
		"references between it and actors that stream make %u actor%s always loaded",
		victims, victims == 1 ? "" : "s");
	for (size_t i = 0; i < c->n_findings; i++) {
		const struct cs_cooked_finding *f = &c->findings[i];
		if (f->pass != 0 || f->check != CS_CHECK_STREAMED_REFERENCES_LOADED ||
			(f->actor != culprit && f->other != culprit) || f->other == CS_NONE)
			continue;
		cs_hunt_change(hunt, "actor.%s.references-=%s", cs_hunt_key(hunt, f->actor),
			cs_hunt_key(hunt, f->other));
	}
	cs_hunt_end(hunt);
}

/* ---- referenced by the level script ---- */

static void suggest_script(struct cs_hunt *hunt, const struct cs_cooked_finding *finding)
{
	cs_hunt_begin(hunt, CS_SUGGEST_REFERENCE, CS_GROUP_ALWAYS, finding->actor, 12);
	cs_hunt_subject(hunt, cs_hunt_title(hunt, finding->actor));
	cs_hunt_why(hunt, "1.4.V0", "the level script references it, so that it is always loaded");
	cs_hunt_change(hunt, "world_references-=%s", cs_hunt_key(hunt, finding->actor));
	cs_hunt_end(hunt);
}

/* ---- alone among its class ---- */

struct class_share {
	uint32_t spatial, always, first; /* actors that are their own cause; first that is always */
};

static bool is_own_always(const struct cs_cooked_actor *actor)
{
	return actor->cell != CS_NONE && !(actor->flags & CS_ACTOR_OWN_SPATIAL) &&
	       actor->parent == CS_NONE && cs_box_valid(&actor->bounds);
}

static struct class_share share_of(const struct cs_hunt *hunt, uint32_t actor)
{
	const struct cs_cooked *c = hunt->c;
	struct class_share share = {.first = CS_NONE};
	for (uint32_t i = 0; i < c->n_actors; i++) {
		if (c->actors[i].cell == CS_NONE || !cs_hunt_same_class(hunt, i, actor))
			continue;
		bool always = is_own_always(&c->actors[i]);
		share.spatial += (c->actors[i].flags & CS_ACTOR_OWN_SPATIAL) != 0;
		share.always += always;
		if (always && share.first == CS_NONE)
			share.first = i;
	}
	return share;
}

/* Told once for a class, by the first of its actors that is always loaded. */
static void suggest_class(struct cs_hunt *hunt, uint32_t actor, const uint32_t *victims)
{
	const struct cs_cooked *c = hunt->c;
	struct class_share share = share_of(hunt, actor);
	if (share.first != actor || share.spatial < 8 || share.always * 4 > share.spatial)
		return;
	cs_hunt_begin(hunt, CS_SUGGEST_SPATIAL, CS_GROUP_CLASS, actor, share.always);
	cs_hunt_subject(hunt, cs_hunt_title(hunt, actor));
	cs_hunt_why(hunt, "1.2",
		"%u of its class %s not spatially loaded, while %u of the class are", share.always,
		share.always == 1 ? "is" : "are", share.spatial);
	for (uint32_t i = actor; i < c->n_actors && !hunt->too_many; i++)
		if (is_own_always(&c->actors[i]) && cs_hunt_same_class(hunt, i, actor) &&
			victims[i] == 0)
			cs_hunt_change(hunt, "actor.%s.spatially_loaded=on", cs_hunt_key(hunt, i));
	cs_hunt_end(hunt);
}

/* Classes whose actors are always loaded by themselves; more of them are no exceptions. */
enum { OUTLIERS = 256 };

void cs_hunt_always(struct cs_hunt *hunt)
{
	const struct cs_cooked *c = hunt->c;
	uint32_t *victims = count_victims(c), looked_at = 0;
	hunt->failed = hunt->failed || !victims;
	for (uint32_t i = 0; !hunt->failed && i < c->n_actors; i++) {
		if (victims[i]) {
			suggest_spatial(hunt, i, victims[i]);
			suggest_cutting_off(hunt, i, victims[i]);
		} else if (is_own_always(&c->actors[i]) && looked_at++ < OUTLIERS) {
			suggest_class(hunt, i, victims);
		}
	}
	for (size_t i = 0; !hunt->failed && i < c->n_findings; i++)
		if (c->findings[i].check == CS_CHECK_WORLD_REFERENCE_SPATIAL &&
			c->findings[i].pass == 0)
			suggest_script(hunt, &c->findings[i]);
	free(victims);
}

/* ---- bounds ---- */

/* Bounds that are as large as others of the class, around the actor's own place. */
static void change_to_class_bounds(struct cs_hunt *hunt, uint32_t actor, double length)
{
	struct cs_vec3 at = hunt->c->details[actor].transform.translation;
	double half = length / 2;
	cs_hunt_change(hunt, "actor.%s.bounds=%.17g,%.17g,%.17g..%.17g,%.17g,%.17g",
		cs_hunt_key(hunt, actor), at.x - half, at.y - half, at.z - half, at.x + half,
		at.y + half, at.z + half);
}

static void change_bounds(struct cs_hunt *hunt, uint32_t actor, double class_length)
{
	const struct cs_box *editor = &hunt->c->details[actor].editor_bounds;
	double length = cs_hunt_length(&hunt->c->actors[actor].bounds);
	double in_editor = cs_hunt_length(editor);
	if (cs_box_valid(editor) && (length == 0 || in_editor * 8 < length))
		cs_hunt_change(hunt, "actor.%s.bounds=editor", cs_hunt_key(hunt, actor));
	else if (class_length > 0)
		change_to_class_bounds(hunt, actor, class_length);
}

static bool has_no_bounds(const struct cs_cooked_actor *actor)
{
	return actor->cell != CS_NONE && !cs_box_valid(&actor->bounds) &&
	       actor->placement == CS_PLACED_NO_BOUNDS;
}

/* All of a class together. */
static void suggest_missing(struct cs_hunt *hunt, uint32_t actor)
{
	const struct cs_cooked *c = hunt->c;
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->n_actors; i++) {
		bool alike = has_no_bounds(&c->actors[i]) && cs_hunt_same_class(hunt, i, actor);
		if (alike && i < actor)
			return; /* told by that one */
		n += alike;
	}
	const double usual = cs_hunt_class_length(hunt, actor);
	cs_hunt_begin(hunt, CS_SUGGEST_BOUNDS, CS_GROUP_BOUNDS, actor, n);
	cs_hunt_subject(hunt, cs_hunt_title(hunt, actor));
	cs_hunt_why(hunt, "1.5", "%u actor%s of its class %s always loaded for want of bounds", n,
		n == 1 ? "" : "s", n == 1 ? "is" : "are");
	for (uint32_t i = actor; i < c->n_actors && !hunt->too_many; i++)
		if (has_no_bounds(&c->actors[i]) && cs_hunt_same_class(hunt, i, actor))
			change_bounds(hunt, i, usual);
	cs_hunt_end(hunt);
}

/* The largest of a set that lies on a level above 0, if others of its kind are far smaller. */
static void suggest_smaller(struct cs_hunt *hunt, uint32_t set_row)
{
	const struct cs_cooked *c = hunt->c;
	const struct cs_cooked_set *set = &c->sets[set_row];
	const uint32_t actor = set->largest;
	const struct cs_box *box = &c->actors[actor].bounds;
	double length = cs_hunt_length(box), in_editor, usual;
	if (length < 2 * c->partitions[set->partition].cell_size)
		return;
	in_editor = cs_hunt_length(&c->details[actor].editor_bounds);
	usual = cs_hunt_class_length(hunt, actor);
	/* an editor's box as large as the runtime one speaks for the size */
	if (in_editor > 0 ? in_editor * 8 >= length : usual == 0 || usual * 32 >= length)
		return;
	cs_hunt_begin(hunt, CS_SUGGEST_BOUNDS, CS_GROUP_SET, set_row,
		(set->members.count + CS_COST_CELL) * cs_hunt_near(hunt, box, set->partition));
	cs_hunt_subject(hunt, cs_hunt_title(hunt, actor));
	cs_hunt_why(hunt, "1.5", "its bounds are %.0f m long, %.0f m in the editor, %.0f m usually",
		length / 100, in_editor / 100, usual / 100);
	change_bounds(hunt, actor, usual);
	cs_hunt_end(hunt);
}

void cs_hunt_bounds(struct cs_hunt *hunt)
{
	const struct cs_cooked *c = hunt->c;
	for (uint32_t i = 0, n = 0; i < c->n_actors && n < OUTLIERS && !hunt->failed; i++) {
		if (!has_no_bounds(&c->actors[i]))
			continue;
		n++;
		suggest_missing(hunt, i);
	}
	for (uint32_t i = 0; i < c->n_sets && !hunt->failed; i++) {
		const struct cs_cooked_set *set = &c->sets[i];
		if (set->level > 0 && set->partition != CS_NONE && set->cell != CS_NONE &&
			set->largest != CS_NONE && c->cells[set->cell].flags & CS_CELL_SPATIAL)
			suggest_smaller(hunt, i);
	}
}

/* ---- attached to what is not cooked ---- */

static bool is_editor_only(const struct cs_cooked *c, uint32_t actor)
{
	return actor != CS_NONE && c->actors[actor].placement == CS_UNPLACED_EDITOR_ONLY;
}

static void suggest_cooking(struct cs_hunt *hunt, uint32_t parent, uint32_t children)
{
	const struct cs_cooked *c = hunt->c;
	cs_hunt_begin(
		hunt, CS_SUGGEST_EDITOR_ONLY, CS_GROUP_ORPHAN, parent, children * CS_COST_ORPHAN);
	cs_hunt_subject(hunt, cs_hunt_title(hunt, parent));
	cs_hunt_why(hunt, "1.3.2", "it is editor-only, and %u actor%s attached to it %s cooked",
		children, children == 1 ? "" : "s", children == 1 ? "is" : "are");
	for (uint32_t at = parent; is_editor_only(c, at) && !hunt->too_many;
		at = c->actors[at].parent)
		cs_hunt_change(hunt, "actor.%s.editor_only=off", cs_hunt_key(hunt, at));
	cs_hunt_end(hunt);
}

static void suggest_detaching(struct cs_hunt *hunt, uint32_t parent, uint32_t children)
{
	const struct cs_cooked *c = hunt->c;
	cs_hunt_begin(
		hunt, CS_SUGGEST_EDITOR_ONLY, CS_GROUP_ORPHAN, parent, children * CS_COST_ORPHAN);
	cs_hunt_subject(hunt, cs_hunt_title(hunt, parent));
	cs_hunt_why(hunt, "1.3.2", "%u actor%s cooked without the editor-only one %s attached to",
		children, children == 1 ? " is" : "s are", children == 1 ? "it is" : "they are");
	for (uint32_t i = 0; i < c->n_actors && !hunt->too_many; i++)
		if (c->actors[i].parent == parent && c->actors[i].cell != CS_NONE)
			cs_hunt_change(hunt, "actor.%s.parent=", cs_hunt_key(hunt, i));
	cs_hunt_end(hunt);
}

void cs_hunt_orphans(struct cs_hunt *hunt)
{
	const struct cs_cooked *c = hunt->c;
	uint32_t *children = calloc(c->n_actors + 1, sizeof(*children));
	hunt->failed = hunt->failed || !children;
	for (uint32_t i = 0; !hunt->failed && i < c->n_actors; i++)
		if (c->actors[i].cell != CS_NONE && is_editor_only(c, c->actors[i].parent))
			children[c->actors[i].parent]++;
	for (uint32_t i = 0; !hunt->failed && i < c->n_actors; i++) {
		if (!children[i])
			continue;
		suggest_cooking(hunt, i, children[i]);
		suggest_detaching(hunt, i, children[i]);
	}
	free(children);
}
