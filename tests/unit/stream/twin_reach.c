/* SPDX-License-Identifier: Apache-2.0 */
/* The naive twin: sources, what they reach, the frame sets, what clients see. */
#include "core/geometry.h"
#include "tests/unit/stream/twin_parts.h"
#include <cellscope/cooked_values.h>

/* ---- sources: 2.2 ---- */

static int find_provider(const struct twin *t, const char *name)
{
	for (int i = 0; i < t->n_providers; i++)
		if (strcmp(t->providers[i].name, name) == 0)
			return i;
	return -1;
}

void twin_source(struct twin *t, const struct cs_stream_source *source)
{
	int i = find_provider(t, source->name);
	t->providers[i < 0 ? t->n_providers++ : i] = *source;
}

void twin_remove(struct twin *t, const char *name)
{
	int i = find_provider(t, name);
	t->providers[i] = t->providers[--t->n_providers];
}

static double step_to(double value, double step)
{
	return step > 0 ? round(value / step) * step : value;
}

static bool turned(double from, double to, double step)
{
	double difference = fmod(to - from, 360);
	difference = difference > 180 ? difference - 360 : difference;
	difference = difference < -180 ? difference + 360 : difference;
	return fabs(difference) > step;
}

static void quantise(const struct twin *t, struct twin_source *s, bool fresh)
{
	double step = twin_number(t, V_LOCATION_QUANTIZATION);
	double turn = twin_number(t, V_ROTATION_QUANTIZATION);
	struct cs_vec3 l = s->s.location;
	struct cs_rotator r = s->s.rotation;
	if (fresh || fabs(l.x - s->step.x) > step || fabs(l.y - s->step.y) > step ||
		fabs(l.z - s->step.z) > step)
		s->step = (struct cs_vec3){
			step_to(l.x, step), step_to(l.y, step), step_to(l.z, step)};
	if (fresh || turned(s->turn.pitch, r.pitch, turn) || turned(s->turn.yaw, r.yaw, turn) ||
		turned(s->turn.roll, r.roll, turn))
		s->turn = (struct cs_rotator){
			step_to(r.pitch, turn), step_to(r.yaw, turn), step_to(r.roll, turn)};
}

static void update_velocity(const struct twin *t, struct twin_source *s, struct cs_vec3 from)
{
	double dt = (double)t->delta * 1e-9, w = dt * 100 > 1 ? 1 : dt * 100;
	struct cs_vec3 d = {
		s->s.location.x - from.x, s->s.location.y - from.y, s->s.location.z - from.z};
	if (sqrt(d.x * d.x + d.y * d.y + d.z * d.z) > 10000 || dt > 5 || dt <= 0) {
		s->velocity = (struct cs_vec3){0, 0, 0};
		return;
	}
	s->velocity.x = s->velocity.x + (d.x / dt - s->velocity.x) * w;
	s->velocity.y = s->velocity.y + (d.y / dt - s->velocity.y) * w;
	s->velocity.z = s->velocity.z + (d.z / dt - s->velocity.z) * w;
}

static struct twin_source *active(struct twin *t, const char *name)
{
	for (int i = 0; i < t->n_sources; i++)
		if (strcmp(t->sources[i].s.name, name) == 0)
			return &t->sources[i];
	return NULL;
}

static void collect_one(struct twin *t, const struct cs_stream_source *p)
{
	struct twin_source *s = active(t, p->name);
	bool fresh = !s;
	if (fresh) {
		s = &t->sources[t->n_sources++];
		memset(s, 0, sizeof(*s));
	}
	struct cs_vec3 from = s->s.location;
	s->s = *p;
	s->seen = true;
	if (p->velocity_given)
		s->velocity = p->velocity;
	else if (!fresh)
		update_velocity(t, s, from);
	s->extra_radius = p->extra_radius;
	s->extra_angle = p->extra_angle;
	if (twin_is_server(t) && twin_streams_any(t)) {
		s->extra_radius =
			fmax(s->extra_radius, fmax(twin_number(t, V_SERVER_RADIUS),
						      2 * twin_number(t, V_LOCATION_QUANTIZATION)));
		s->extra_angle =
			fmax(s->extra_angle, fmax(twin_number(t, V_SERVER_ANGLE),
						     2 * twin_number(t, V_ROTATION_QUANTIZATION)));
	}
	quantise(t, s, fresh);
}

void twin_collect(struct twin *t)
{
	if (twin_number(t, V_UPDATE_STREAMING_SOURCES) == 0)
		return;
	for (int i = 0; i < t->n_sources; i++)
		t->sources[i].seen = false;
	bool collects = !twin_is_server(t) || twin_streams_any(t) ||
			twin_number(t, V_REPLAY_RECORDING) != 0;
	for (int i = 0; collects && i < t->n_providers; i++)
		if (t->providers[i].enabled && (!t->providers[i].remote || twin_is_server(t)))
			collect_one(t, &t->providers[i]);
	for (int i = 0; i < t->n_sources;) {
		if (t->sources[i].seen)
			i++;
		else
			t->sources[i] = t->sources[--t->n_sources];
	}
}

static bool accepts(const struct cs_stream_source *s, const char *partition)
{
	bool listed = false;
	for (uint32_t i = 0; i < s->n_grids; i++)
		listed = listed || strcasecmp(s->grids[i], partition) == 0;
	if (!s->n_grids)
		return true;
	return s->behavior == CS_SOURCE_INCLUDE ? listed : !listed;
}

/* ---- shapes: 2.2.4 ---- */

struct shape {
	struct cs_vec3 centre, axis, order_axis;
	double radius, angle;
	bool flat;
};

static struct cs_vec3 normal(struct cs_vec3 v)
{
	double l = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
	return l > 0 ? (struct cs_vec3){v.x / l, v.y / l, v.z / l} : v;
}

static double dot3(struct cs_vec3 a, struct cs_vec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct cs_quat euler(struct cs_rotator r)
{
	return cs_quat_from_euler(r.pitch, r.yaw, r.roll);
}

/* Returns the yaw of a transform; the instances of the tests turn by yaw alone. */
static double yaw_of(const struct cs_transform *t)
{
	struct cs_vec3 x = cs_quat_rotate(t->rotation, (struct cs_vec3){1, 0, 0});
	return atan2(x.y, x.x) * 180 / acos(-1.0);
}

static struct cs_vec3 into(const struct cs_transform *t, struct cs_vec3 p)
{
	double yaw = -yaw_of(t) * acos(-1.0) / 180;
	struct cs_vec3 d = {p.x - t->translation.x, p.y - t->translation.y, p.z - t->translation.z};
	return (struct cs_vec3){
		d.x * cos(yaw) - d.y * sin(yaw), d.x * sin(yaw) + d.y * cos(yaw), d.z};
}

static struct shape make_shape(const struct twin_world *w, const struct twin_source *s,
	const struct cs_stream_shape *sh, uint32_t partition, bool client)
{
	const struct cs_cooked_partition *p = &w->cooked->partitions[partition];
	double extra = client ? s->s.extra_radius : s->extra_radius;
	double extra_angle = client ? s->s.extra_angle : s->extra_angle;
	double range = w->ranges[partition] >= 0 ? w->ranges[partition] : p->loading_range;
	struct cs_rotator turn = s->s.rotation, own = {0, 0, 0};
	struct cs_vec3 offset = {0, 0, 0}, velocity = s->velocity;
	struct shape shape = {.radius = range, .angle = 360};
	shape.flat = p->partition_class == CS_PARTITION_SPATIAL_GRID ||
		     (p->flags & CS_PARTITION_2D) || s->s.force_2d;
	if (sh) {
		shape.radius = sh->use_grid_range ? range * sh->range_scale : sh->radius;
		shape.angle = sh->sector ? fmin(360, sh->angle + extra_angle) : 360;
		offset = sh->location;
		own = sh->rotation;
	}
	shape.radius += extra;
	double yaw = cs_transform_is_identity(&w->transform) ? 0 : yaw_of(&w->transform);
	if (shape.flat) {
		turn = (struct cs_rotator){0, turn.yaw, 0};
		own = (struct cs_rotator){0, own.yaw, 0};
	}
	offset = cs_quat_rotate(euler(turn), offset);
	shape.centre = (struct cs_vec3){
		s->s.location.x + offset.x, s->s.location.y + offset.y, s->s.location.z + offset.z};
	struct cs_vec3 axis =
		cs_quat_rotate(euler(turn), cs_quat_rotate(euler(own), (struct cs_vec3){1, 0, 0}));
	struct cs_quat back = cs_quat_from_euler(0, -yaw, 0);
	if (!cs_transform_is_identity(&w->transform)) {
		shape.centre = into(&w->transform, shape.centre);
		axis = cs_quat_rotate(back, axis);
		velocity = cs_quat_rotate(back, velocity);
	}
	shape.axis = shape.order_axis = axis;
	if (shape.flat)
		velocity.z = 0;
	if (s->s.use_velocity)
		shape.order_axis = normal((struct cs_vec3){
			axis.x + velocity.x, axis.y + velocity.y, axis.z + velocity.z});
	return shape;
}

static double outside(double v, double low, double high)
{
	return v < low ? low - v : v > high ? v - high : 0;
}

static double square_distance(const struct cs_box *b, struct cs_vec3 p, bool flat)
{
	double x = outside(p.x, b->min.x, b->max.x), y = outside(p.y, b->min.y, b->max.y);
	double z = flat ? 0 : outside(p.z, b->min.z, b->max.z);
	return x * x + y * y + z * z;
}

/* Returns the angle of a corner from the axis, -180..180, positive to the right. */
static double bearing(const struct shape *s, double x, double y)
{
	double a = atan2(y - s->centre.y, x - s->centre.x) - atan2(s->axis.y, s->axis.x);
	double pi = acos(-1.0);
	while (a > pi)
		a -= 2 * pi;
	while (a < -pi)
		a += 2 * pi;
	return a * 180 / pi;
}

/*
 * Returns whether the box touches the sector. A point is beyond an edge on its outer side, within
 * 180 degrees.
 */
static bool flat_sector_hits(const struct shape *s, const struct cs_box *b)
{
	double half = s->angle / 2;
	double a[4] = {bearing(s, b->min.x, b->min.y), bearing(s, b->max.x, b->min.y),
		bearing(s, b->max.x, b->max.y), bearing(s, b->min.x, b->max.y)};
	int left = 0, right = 0, behind = 0, excluded = 0;
	for (int i = 0; i < 4; i++) {
		right += a[i] > half || a[i] < half - 180;
		left += a[i] < -half || a[i] > 180 - half;
		behind += fabs(a[i]) > 90;
		excluded += fabs(a[i]) > 90 && fabs(a[i]) > half;
	}
	return s->angle <= 180 ? left < 4 && right < 4 && behind < 4 : excluded < 4;
}

static bool cone_hits(const struct shape *s, const struct cs_box *b)
{
	struct cs_vec3 m = {
		(b->min.x + b->max.x) / 2, (b->min.y + b->max.y) / 2, (b->min.z + b->max.z) / 2};
	struct cs_vec3 h = {b->max.x - m.x, b->max.y - m.y, b->max.z - m.z};
	struct cs_vec3 v = {m.x - s->centre.x, m.y - s->centre.y, m.z - s->centre.z};
	double r = sqrt(dot3(h, h)), d = sqrt(dot3(v, v));
	if (d <= r)
		return true;
	double angle = acos(fmax(-1, fmin(1, dot3(v, s->axis) / d)));
	return angle <= s->angle / 2 * acos(-1.0) / 180 + asin(r / d);
}

static bool shape_hits(
	const struct twin *t, const struct twin_world *w, const struct shape *s, uint32_t cell)
{
	const struct cs_cooked_cell *c = cs_cooked_cell(w->cooked, cell);
	const struct cs_cooked_partition *p = &w->cooked->partitions[c->partition];
	bool grid = p->partition_class == CS_PARTITION_SPATIAL_GRID;
	const struct cs_box *b = grid ? &c->box : &c->content;
	bool flat = s->flat || (c->flags & CS_CELL_2D);
	double force = twin_number(t, V_Z_CULLING);
	bool culls = grid && (force < 0 ? (p->flags & CS_PARTITION_Z_CULLING) != 0 : force > 0);
	struct cs_box content = twin_content_of(c);
	if (!cs_box_valid(b))
		return false;
	double d2 = square_distance(b, s->centre, flat), r2 = s->radius * s->radius;
	if (grid ? d2 >= r2 : d2 > r2)
		return false;
	if (culls && (content.max.z < s->centre.z - s->radius ||
			     content.min.z > s->centre.z + s->radius))
		return false;
	if (s->angle >= 360)
		return true;
	return flat ? flat_sector_hits(s, b) : cone_hits(s, b);
}

/* ---- keys: 2.3.5 ---- */

static void learn(struct twin *t, struct twin_world *w, const struct twin_source *s,
	const struct shape *shape, uint32_t cell)
{
	struct twin_cell *c = &w->cells[cell];
	struct cs_box b = twin_content_of(cs_cooked_cell(w->cooked, cell));
	bool flat = shape->flat || (cs_cooked_cell(w->cooked, cell)->flags & CS_CELL_2D);
	double d2 = square_distance(&b, shape->centre, flat);
	double near = shape->radius > 0 ? fmin(1, d2 / (shape->radius * shape->radius)) : 0;
	double ratio = shape->radius > 0 ? sqrt(d2) / shape->radius : d2 > 0 ? INFINITY : 0;
	struct cs_vec3 to = {shape->centre.x - fmin(fmax(shape->centre.x, b.min.x), b.max.x),
		shape->centre.y - fmin(fmax(shape->centre.y, b.min.y), b.max.y),
		flat ? 0 : shape->centre.z - fmin(fmax(shape->centre.z, b.min.z), b.max.z)};
	double cosine = d2 == 0 ? -1 : dot3(shape->order_axis, normal(to));
	double aside = 0.5 * cosine + 0.5, key = near * aside;
	if (d2 > 0 && shape->radius <= 0)
		near = 1;
	if (t->minor < 3) {
		double weight = twin_number(t, V_ANGLE_WEIGHT);
		key = near * (1 - weight) + aside * weight;
	}
	double x = (b.min.x + b.max.x) * 0.5 - shape->centre.x;
	double y = (b.min.y + b.max.y) * 0.5 - shape->centre.y;
	if (!c->hits || key < c->spatial_key)
		c->spatial_key = key;
	if (!c->hits || s->s.priority < c->source_priority)
		c->source_priority = s->s.priority;
	if (!c->hits || x * x + y * y < c->distance2)
		c->distance2 = x * x + y * y;
	c->ratio = fmin(c->ratio, ratio);
	if (s->s.block_on_slow)
		c->blocking_ratio = fmin(c->blocking_ratio, ratio);
	c->hits++;
}

/* ---- the frame sets: 2.3.2 e, f ---- */

static enum cs_reason absence(const struct twin *t, const struct twin_world *w, uint32_t cell)
{
	const struct cs_cooked_cell *c = cs_cooked_cell(w->cooked, cell);
	double level = twin_number(t, V_FILTER_LEVEL);
	bool absent = t->role == CS_ROLE_DEDICATED_SERVER ||
		      (t->role == CS_ROLE_LISTEN_SERVER && w->mode == 0);
	if (absent && (c->flags & (CS_CELL_CLIENT_ONLY | CS_CELL_HLOD)))
		return CS_REASON_CLIENT_ONLY;
	if (!t->hlod && (c->flags & CS_CELL_HLOD) && !(c->flags & CS_CELL_ALWAYS_LOADED))
		return CS_REASON_HLOD_OFF;
	if (level >= 0 && (c->flags & CS_CELL_SPATIAL) && c->level != (int)level &&
		w->cooked->partitions[c->partition].partition_class == CS_PARTITION_SPATIAL_GRID)
		return CS_REASON_LEVEL_FILTER;
	return CS_REASON_NONE;
}

static void want(struct twin_cell *c, bool load)
{
	if (load)
		c->want_load = true;
	else
		c->want_activate = true;
}

static bool overlap(const struct cs_box *a, const struct cs_box *b)
{
	return a->min.x < b->max.x && b->min.x < a->max.x && a->min.y < b->max.y &&
	       b->min.y < a->max.y;
}

/* Rule 1.7.5: takes cells along until no more follow. */
static void snap(const struct twin_world *w, uint32_t partition, bool *reached)
{
	const struct cs_cooked *k = w->cooked;
	const struct cs_cooked_partition *p = &k->partitions[partition];
	bool again = true;
	while (again) {
		again = false;
		for (uint32_t i = p->cells.first; i < p->cells.first + p->cells.count; i++) {
			if (!reached[i])
				continue;
			for (uint32_t j = p->cells.first; j < p->cells.first + p->cells.count;
				j++) {
				const struct cs_cooked_cell *high = cs_cooked_cell(k, j);
				if (reached[j] || !w->cells[j].exists || !w->cells[j].allowed ||
					!(high->flags & CS_CELL_SPATIAL) ||
					high->level <= cs_cooked_cell(k, i)->level ||
					high->level >= (int)p->levels - 1 ||
					!overlap(&cs_cooked_cell(k, i)->box, &high->box))
					continue;
				reached[j] = again = true;
			}
		}
	}
}

static void reach(struct twin *t, struct twin_world *w, const struct twin_source *s,
	const struct cs_stream_shape *sh, uint32_t partition, bool *reached)
{
	const struct cs_cooked *k = w->cooked;
	const struct cs_cooked_partition *p = &k->partitions[partition];
	struct shape shape = make_shape(w, s, sh, partition, false);
	for (uint32_t i = p->cells.first; i < p->cells.first + p->cells.count; i++) {
		struct twin_cell *c = &w->cells[i];
		bool direct = (cs_cooked_cell(k, i)->flags & CS_CELL_SPATIAL) &&
			      shape_hits(t, w, &shape, i);
		reached[i] = direct && c->exists && c->allowed;
		if (direct && s->s.target > c->sought)
			c->sought = s->s.target;
		if (reached[i])
			c->direct |= s->s.target == CS_LAYER_LOADED ? 1 : 2;
	}
	if (p->partition_class == CS_PARTITION_SPATIAL_GRID && (p->flags & CS_PARTITION_SNAP) &&
		!(p->flags & CS_PARTITION_ALIGNED))
		snap(w, partition, reached);
	for (uint32_t i = p->cells.first; i < p->cells.first + p->cells.count; i++) {
		if (!reached[i])
			continue;
		if (s->s.target > w->cells[i].sought)
			w->cells[i].sought = s->s.target;
		want(&w->cells[i],
			w->cells[i].allowed == CS_LAYER_LOADED || s->s.target == CS_LAYER_LOADED);
		learn(t, w, s, &shape, i);
	}
}

/* Notes the cells that a source would reach but for its grids. */
static void note_filtered(
	struct twin *t, struct twin_world *w, const struct twin_source *s, uint32_t partition)
{
	struct cs_range cells = w->cooked->partitions[partition].cells;
	for (uint32_t x = 0; x == 0 || x < s->s.n_shapes; x++) {
		struct shape shape =
			make_shape(w, s, s->s.n_shapes ? &s->s.shapes[x] : NULL, partition, false);
		for (uint32_t i = cells.first; i < cells.first + cells.count; i++)
			w->cells[i].filtered = w->cells[i].filtered || shape_hits(t, w, &shape, i);
	}
}

/*
 * Returns the rule why a cell is wanted; a source that reaches it comes before one that takes it
 * along.
 */
static enum cs_reason rule_of(const struct twin_cell *c, bool everything)
{
	unsigned most = c->want_activate ? 2 : 1;
	if (!c->want_activate && !c->want_load)
		return CS_REASON_NONE;
	if (!c->spatial)
		return c->always ? CS_REASON_ALWAYS_LOADED : CS_REASON_NON_SPATIAL;
	if (everything)
		return CS_REASON_SERVER;
	/* capped by its layers, both are wishes to load */
	if (c->allowed == CS_LAYER_LOADED ? c->direct != 0 : (c->direct & most) != 0)
		return CS_REASON_IN_RANGE;
	return CS_REASON_SNAPPED;
}

static void query_sources(struct twin *t, struct twin_world *w, bool *reached)
{
	const struct cs_cooked *k = w->cooked;
	for (int i = 0; i < t->n_sources; i++) {
		const struct twin_source *s = &t->sources[i];
		for (uint32_t p = 0; p < k->n_partitions; p++) {
			if (!accepts(&s->s, cs_cooked_text(k, k->partitions[p].name))) {
				note_filtered(t, w, s, p);
				continue;
			}
			if (!s->s.n_shapes)
				reach(t, w, s, NULL, p, reached);
			for (uint32_t x = 0; x < s->s.n_shapes; x++)
				reach(t, w, s, &s->s.shapes[x], p, reached);
		}
	}
}

void twin_frame_sets(struct twin *t, struct twin_world *w)
{
	bool *reached = calloc(w->cooked->n_cells + 1, sizeof(*reached));
	bool everything = twin_is_server(t) && w->mode == 0;
	for (uint32_t i = 0; i < w->cooked->n_cells; i++) {
		struct twin_cell *c = &w->cells[i];
		c->want_load = c->want_activate = false;
		c->hits = 0;
		c->source_priority = c->spatial ? 255 : 0;
		c->spatial_key = c->spatial ? 1 : 0;
		c->distance2 = 0;
		c->ratio = c->blocking_ratio = INFINITY;
		c->allowed = twin_allowed_by_layers(t, w, i);
		c->absent = absence(t, w, i);
		c->exists = c->absent == CS_REASON_NONE;
		c->sought = !c->spatial || everything ? CS_LAYER_ACTIVATED : CS_LAYER_UNLOADED;
		c->direct = 0;
		c->filtered = c->left_out = false;
		if ((!c->spatial || everything) && c->exists && c->allowed)
			want(c, c->allowed == CS_LAYER_LOADED);
	}
	query_sources(t, w, reached); /* none on a server without streaming or replay */
	for (uint32_t i = 0; i < w->cooked->n_cells; i++)
		w->cells[i].rule = rule_of(&w->cells[i], everything);
	w->n_sources = t->n_sources;
	for (uint32_t i = 0; twin_is_server(t) && i < w->cooked->n_cells; i++) {
		struct twin_cell *c = &w->cells[i];
		if (!c->set || (w->mode != 1 && !twin_has_disallowed_layer(t, w, i)))
			continue;
		bool raised = c->set == CS_LAYER_ACTIVATED ? !c->want_activate
							   : !c->want_activate && !c->want_load;
		if (raised)
			c->rule = w->mode == 1 ? CS_REASON_NO_STREAM_OUT : CS_REASON_DISALLOWED;
		if (c->set == CS_LAYER_ACTIVATED)
			c->want_activate = true;
		else if (!c->want_activate)
			c->want_load = true;
	}
	free(reached);
	for (uint32_t i = 0; i < w->cooked->n_cells; i++)
		if (w->cells[i].want_activate)
			w->cells[i].want_load = false;
}

/* ---- clients ---- */

void twin_update_clients(struct twin *t)
{
	uint64_t lag = twin_nanoseconds(t, V_CLIENT_LAG);
	for (int k = 0; k < t->n_clients; k++) {
		const struct twin_source *s = active(t, t->clients[k]);
		for (int wi = 0; wi < t->n_worlds; wi++) {
			struct twin_world *w = &t->worlds[wi];
			for (uint32_t i = 0; i < w->cooked->n_cells; i++) {
				struct twin_cell *c = &w->cells[i];
				uint32_t p = cs_cooked_cell(w->cooked, i)->partition;
				bool in = false;
				uint32_t n = s && s->s.n_shapes ? s->s.n_shapes : 1;
				for (uint32_t x = 0; s && x < n; x++) {
					struct shape shape = make_shape(w, s,
						s->s.n_shapes ? &s->s.shapes[x] : NULL, p, true);
					in = in || shape_hits(t, w, &shape, i);
				}
				in = in && c->spatial && w->registered && w->mode == 2 &&
				     accepts(&s->s, cs_cooked_text(w->cooked,
							    w->cooked->partitions[p].name));
				bool knows = c->seen_until[k] || c->seen_held[k];
				if (in && (knows || c->level == CS_LEVEL_VISIBLE))
					c->seen_until[k] = UINT64_MAX;
				else if (c->seen_until[k] == UINT64_MAX)
					c->seen_until[k] = t->time + lag;
				if (c->seen_until[k] <= t->time)
					c->seen_until[k] = 0;
			}
		}
	}
}
