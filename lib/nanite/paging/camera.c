/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Positions of cameras over time, tests of what they see, and the parsing of cameras. Paths are
 * Catmull-Rom splines through their keys. A camera at the end of its path stays there, unless the
 * path is a loop. A camera sees everything in the cone around its picture, so a little too much.
 */
#include "core/geometry.h"
#include "nanite/paging/paging_internal.h"

#include <math.h>
#include <string.h>

/* ---- position of a camera at a time ---- */

static double spline(double a, double b, double c, double d, double t)
{
	return 0.5 *
	       (2 * b + t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a))));
}

static struct cs_vec3 spline3(const struct cs_vec3 *k[4], double t)
{
	return (struct cs_vec3){spline(k[0]->x, k[1]->x, k[2]->x, k[3]->x, t),
		spline(k[0]->y, k[1]->y, k[2]->y, k[3]->y, t),
		spline(k[0]->z, k[1]->z, k[2]->z, k[3]->z, t)};
}

static uint32_t camera_key_at(const struct cs_camera *camera, int64_t index)
{
	return index < 0 ? 0 : index >= camera->n_keys ? camera->n_keys - 1 : (uint32_t)index;
}

/* Returns how many periods have passed, or `still` if the period is 0 or the number infinite. */
static double periods_in(double seconds, double period, double still)
{
	const double passed = seconds / period;
	return period > 0 && isfinite(passed) ? passed : still;
}

static struct cs_camera_key on_path(
	const struct cs_camera *camera, const struct cs_camera_key *keys, double seconds)
{
	double part = periods_in(seconds, camera->period, 1);
	part = camera->loop ? part - floor(part) : fmin(fmax(part, 0), 1);
	double at = part * (camera->n_keys - 1);
	int64_t first = (int64_t)floor(at);
	const struct cs_vec3 *eyes[4], *targets[4];
	for (int i = 0; i < 4; i++) {
		const struct cs_camera_key *key = &keys[camera_key_at(camera, first - 1 + i)];
		eyes[i] = &key->eye;
		targets[i] = &key->target;
	}
	double t = at - (double)first;
	return (struct cs_camera_key){spline3(eyes, t), spline3(targets, t)};
}

/* Returns the position after `seconds` on a circle around the vertical line through the target. */
static struct cs_camera_key on_orbit(const struct cs_camera *camera, double seconds)
{
	double angle = 2 * acos(-1.0) * periods_in(seconds, camera->period, 0);
	struct cs_vec3 arm = cs_vec3_minus(camera->eye, camera->target);
	return (struct cs_camera_key){
		{camera->target.x + arm.x * cos(angle) - arm.y * sin(angle),
			camera->target.y + arm.x * sin(angle) + arm.y * cos(angle), camera->eye.z},
		camera->target};
}

void cs_run_camera_move(struct cs_run_camera *camera, uint64_t time)
{
	const struct cs_camera *lens = &camera->camera;
	double seconds = (double)time * 1e-9 - lens->start;
	camera->place = lens->kind == CS_CAMERA_PATH ? on_path(lens, camera->keys, seconds)
			: lens->kind == CS_CAMERA_ORBIT
				? on_orbit(lens, seconds)
				: (struct cs_camera_key){lens->eye, lens->target};
	struct cs_vec3 ahead = cs_vec3_minus(camera->place.target, camera->place.eye);
	double length = sqrt(cs_vec3_dot(ahead, ahead)), up = tan(lens->fov * acos(-1.0) / 360);
	camera->forward =
		length > 0 ? (struct cs_vec3){ahead.x / length, ahead.y / length, ahead.z / length}
			   : (struct cs_vec3){1, 0, 0};
	camera->cone = 1 / sqrt(1 + up * up * (1 + lens->aspect * lens->aspect));
}

void cs_pager_lead(
	struct cs_pager *pager, size_t camera, struct cs_vec3 location, struct cs_quat rotation)
{
	const struct cs_vec3 far_ahead = {1000, 0, 0};
	struct cs_camera *lens = &pager->cameras.at[camera].camera;
	struct cs_vec3 arm = cs_quat_rotate(rotation, lens->offset);
	struct cs_vec3 ahead = cs_quat_rotate(rotation, far_ahead);
	if (lens->kind != CS_CAMERA_FOLLOW)
		return;
	lens->eye = (struct cs_vec3){location.x + arm.x, location.y + arm.y, location.z + arm.z};
	lens->target = (struct cs_vec3){
		lens->eye.x + ahead.x, lens->eye.y + ahead.y, lens->eye.z + ahead.z};
}

/* ---- what a camera sees of an instance ---- */

static struct cs_vec3 into(const struct cs_run_instance *instance, struct cs_vec3 point)
{
	struct cs_vec3 at =
		cs_quat_rotate(instance->back, cs_vec3_minus(point, instance->at.translation));
	double scale = instance->at.scale;
	return (struct cs_vec3){at.x / scale, at.y / scale, at.z / scale};
}

struct cs_nanite_view cs_run_view(const struct cs_pager *pager, const struct cs_run_camera *camera,
	const struct cs_run_instance *instance)
{
	const struct cs_camera *lens = &camera->camera;
	struct cs_vec3 eye = into(instance, camera->place.eye);
	return (struct cs_nanite_view){.eye = {eye.x, eye.y, eye.z},
		.near = lens->near > 0
				? lens->near / instance->at.scale
				: cs_model_near(pager->resources[instance->at.resource].model),
		.pixels = cs_nanite_pixels(lens->fov, lens->height),
		.threshold = pager->settings.threshold / pager->quality};
}

bool cs_run_sees(const struct cs_pager *pager, const struct cs_run_camera *camera,
	const struct cs_run_instance *instance, const float centre[3], const float extent[3])
{
	if (!(pager->settings.cull > 0))
		return true;
	struct cs_vec3 eye = into(instance, camera->place.eye);
	struct cs_vec3 forward = cs_quat_rotate(instance->back, camera->forward);
	struct cs_vec3 to = cs_vec3_minus(
		(struct cs_vec3){(double)centre[0], (double)centre[1], (double)centre[2]}, eye);
	double radius2 = 0;
	for (unsigned i = 0; i < 3; i++)
		radius2 += (double)extent[i] * (double)extent[i];
	double along = cs_vec3_dot(to, forward), square = cs_vec3_dot(to, to),
	       radius = sqrt(radius2);
	if (square <= radius2)
		return true;
	/* the sphere touches the cone if its centre is within `radius` of the cone */
	double across = sqrt(fmax(square - along * along, 0));
	double sine = sqrt(1 - camera->cone * camera->cone);
	return across * camera->cone - along * sine <= radius && along > -radius;
}

/* ---- parsing a camera ---- */

static bool camera_parse_numbers(const char **text, double *ret, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		*text += strspn(*text, " ");
		size_t length = strcspn(*text, " ");
		if (length == 0 || !cs_double_parse(*text, length, &ret[i]) || !isfinite(ret[i]))
			return false;
		*text += length;
	}
	return true;
}

static struct cs_error *check_camera(const struct cs_camera *camera)
{
	if (!(camera->fov > 0 && camera->fov < 180))
		return cs_error_new(CS_E_SETTING,
			"the field of view of camera '%s' must be above 0 and below 180 degrees, "
			"not %g",
			camera->name, camera->fov);
	if (!(camera->height >= 1 && camera->height <= 1e6))
		return cs_error_new(CS_E_SETTING,
			"the picture of camera '%s' must have a height of 1 to 1000000 pixels, not "
			"%g",
			camera->name, camera->height);
	if (!(camera->aspect > 0 && camera->aspect <= 100))
		return cs_error_new(CS_E_SETTING,
			"the aspect of camera '%s', its width by its height, must be above 0 and "
			"at most 100, not %g",
			camera->name, camera->aspect);
	if (!(camera->near >= 0) || !(camera->period >= 0))
		return cs_error_new(CS_E_SETTING,
			"the near distance and the period of camera '%s' must be 0 or more, not %g "
			"cm and %g s",
			camera->name, camera->near, camera->period);
	return NULL;
}

enum { KEYS = 10000, NUMBERS = 4 };

static bool parse_lens(const char **text, struct cs_camera *camera)
{
	double numbers[NUMBERS];
	if (!camera_parse_numbers(text, numbers, NUMBERS))
		return false;
	camera->fov = numbers[0];
	camera->height = numbers[1];
	camera->aspect = numbers[2];
	camera->near = numbers[3];
	return true;
}

static struct cs_vec3 vec3_of(const double *at)
{
	return (struct cs_vec3){at[0], at[1], at[2]};
}

static bool parse_place(const char **text, struct cs_camera_key *ret)
{
	double numbers[6];
	if (!camera_parse_numbers(text, numbers, 6))
		return false;
	*ret = (struct cs_camera_key){vec3_of(numbers), vec3_of(numbers + 3)};
	return true;
}

/* Parses a path's keys. Returns false if the text is wrong or, with *no_memory, memory ran out. */
static bool parse_keys(const char *text, struct cs_run_camera *ret, bool *no_memory)
{
	CS_VEC(struct cs_camera_key) keys = {0};
	struct cs_camera_key key;
	bool good = true;
	while (good && text[strspn(text, " ")]) {
		good = keys.n < KEYS && parse_place(&text, &key);
		*no_memory = good && !cs_vec_push(&keys, key);
		good = good && !*no_memory;
	}
	ret->keys = keys.at;
	ret->camera.n_keys = (uint32_t)keys.n;
	return good && keys.n > 0;
}

static bool parse_follow(const char *text, struct cs_camera *camera)
{
	struct cs_camera_key place;
	double offset[3];
	text += strspn(text, " ");
	size_t n = strcspn(text, " ");
	if (n == 0 || n >= sizeof(camera->leader))
		return false;
	memcpy(camera->leader, text, n);
	text += n;
	if (!camera_parse_numbers(&text, offset, 3) || !parse_place(&text, &place) ||
		!parse_lens(&text, camera))
		return false;
	camera->kind = CS_CAMERA_FOLLOW;
	camera->offset = vec3_of(offset);
	camera->eye = place.eye;
	camera->target = place.target;
	return text[strspn(text, " ")] == '\0';
}

static bool parse_kind(
	const char *kind, size_t n, const char *text, struct cs_run_camera *ret, bool *no_memory)
{
	struct cs_camera *camera = &ret->camera;
	struct cs_camera_key place;
	double numbers[2] = {0, 0};
	if (n == 4 && memcmp(kind, "path", n) == 0) {
		camera->kind = CS_CAMERA_PATH;
		if (!parse_lens(&text, camera) || !camera_parse_numbers(&text, numbers, 2))
			return false;
		camera->period = numbers[0];
		camera->loop = numbers[1] > 0;
		return parse_keys(text, ret, no_memory);
	}
	if (n == 6 && memcmp(kind, "follow", n) == 0)
		return parse_follow(text, camera);
	bool orbit = n == 5 && memcmp(kind, "orbit", n) == 0;
	if (!orbit && (n != 5 || memcmp(kind, "fixed", n) != 0))
		return false;
	camera->kind = orbit ? CS_CAMERA_ORBIT : CS_CAMERA_FIXED;
	if (!parse_place(&text, &place) || !parse_lens(&text, camera) ||
		(orbit && !camera_parse_numbers(&text, &camera->period, 1)))
		return false;
	camera->eye = place.eye;
	camera->target = place.target;
	return text[strspn(text, " ")] == '\0';
}

struct cs_error *cs_run_camera_parse(
	struct cs_pager *pager, const char *text, struct cs_run_camera *ret)
{
	struct cs_run_camera camera = {.camera = {.start = (double)pager->time * 1e-9}};
	size_t name = strcspn(text, " ");
	const char *kind = text + name + strspn(text + name, " ");
	size_t n = strcspn(kind, " ");
	struct cs_error *error = NULL;
	if (name == 0 || name >= CS_CAMERA_NAME)
		return cs_error_new(CS_E_USAGE,
			"the name of a camera must have 1 to %d bytes, not %zu", CS_CAMERA_NAME - 1,
			name);
	memcpy(camera.camera.name, text, name);
	bool no_memory = false;
	if (!parse_kind(kind, n, kind + n, &camera, &no_memory))
		error = no_memory ? cs_error_nomem()
				  : cs_error_new(CS_E_USAGE,
					    "a camera is written as NAME, then fixed, orbit, path "
					    "or follow, then its numbers, not as '%.100s'",
					    text);
	if (!error)
		error = check_camera(&camera.camera);
	if (error) {
		free(camera.keys);
		return error;
	}
	camera.camera.keys = camera.keys;
	*ret = camera;
	return NULL;
}
