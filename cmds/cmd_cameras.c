/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who asks for pages of meshes: cameras. */
#include "cmds/cmd_nanite.h"
#include "cmds/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cameras ---- */

static double number_or(const struct call *call, const char *option, double otherwise)
{
	const struct argument *argument = call_option(call, option);
	return argument->given ? argument->number : otherwise;
}

/* The middle of all resources, which a camera looks at when nothing else is said. */
static struct cs_vec3 middle_of(const struct session *session)
{
	struct cs_box box = CS_BOX_INVALID;
	for (size_t i = 0; i < cs_inspector_count(session->inspector); i++) {
		const struct cs_model *m = cs_inspector_at(session->inspector, i);
		const struct cs_box one = {
			{(double)m->min[0], (double)m->min[1], (double)m->min[2]},
			{(double)m->max[0], (double)m->max[1], (double)m->max[2]}};
		box = cs_box_union(&box, &one);
	}
	return cs_box_valid(&box) ? cs_box_centre(&box) : (struct cs_vec3){0, 0, 0};
}

enum { MOST_KEYS = 10000, KEY_NUMBERS = 6 };

/* "X,Y,Z,TX,TY,TZ" a line; lines that begin with # are remarks. */
static struct cs_error *read_key(
	const char *line, unsigned number, const char *path, struct cs_camera_key *ret)
{
	double at[KEY_NUMBERS];
	for (unsigned i = 0; i < KEY_NUMBERS; i++) {
		line += strspn(line, " \t");
		size_t n = strcspn(line, ", \t\r\n");
		if (!cs_double_parse(line, n, &at[i]))
			return cs_error_at(CS_E_SETTING, path, CS_NO_OFFSET,
				"line %u: a key is X,Y,Z,TX,TY,TZ", number);
		line += n;
		line += strspn(line, " \t");
		line += *line == ',';
	}
	*ret = (struct cs_camera_key){{at[0], at[1], at[2]}, {at[3], at[4], at[5]}};
	return NULL;
}

typedef CS_VEC(struct cs_camera_key) key_list;

static struct cs_error *read_keys(const char *path, key_list *keys)
{
	struct cs_error *error = NULL;
	char *line = NULL;
	size_t room = 0;
	unsigned number = 0;
	FILE *file = fopen(path, "re");
	if (!file)
		return cs_error_errno(errno, path, "open");
	while (!error && getline(&line, &room, file) >= 0) {
		struct cs_camera_key key;
		number++;
		if (line[strspn(line, " \t\r\n")] == '\0' || *line == '#')
			continue;
		error = keys->n < MOST_KEYS ? read_key(line, number, path, &key)
					    : cs_error_at(CS_E_LIMIT, path, CS_NO_OFFSET,
						      "more than %d keys", MOST_KEYS);
		if (!error && !cs_vec_push(keys, key))
			error = cs_error_nomem();
	}
	if (!error && keys->n == 0)
		error = cs_error_at(CS_E_SETTING, path, CS_NO_OFFSET, "a path without a key");
	free(line);
	fclose(file);
	return error;
}

static struct cs_error *submit_camera(struct call *call, const struct cs_camera *camera)
{
	char *text = cs_camera_input(camera);
	if (!text)
		return cs_error_nomem();
	struct cs_error *error = session_page_input(call->session, text);
	free(text);
	return error;
}

static struct cs_error *run_camera_add(struct call *call)
{
	const struct argument *target = call_option(call, "target");
	const struct argument *orbit = call_option(call, "orbit");
	const char *path = call_option(call, "path")->text;
	const char *name = call_argument(call, 0)->text;
	key_list keys = {0};
	struct cs_camera camera = {
		.kind = path           ? CS_CAMERA_PATH
			: orbit->given ? CS_CAMERA_ORBIT
				       : CS_CAMERA_FIXED,
		.eye = call_argument(call, 1)->point,
		.target = target->given ? target->point : middle_of(call->session),
		.fov = number_or(call, "fov", 60),
		.height = number_or(call, "height", 1080),
		.aspect = number_or(call, "aspect", 16.0 / 9),
		.near = number_or(call, "near", 1),
		.period = number_or(call, path ? "seconds" : "orbit", path ? 10 : 0),
		.loop = call_option(call, "loop")->given,
	};
	if (strlen(name) >= sizeof(camera.name) || strchr(name, ' '))
		return cs_error_new(
			CS_E_USAGE, "a camera has a name of one word, 63 bytes at most");
	if (!path && !call_argument(call, 1)->given)
		return cs_error_new(CS_E_USAGE, "camera add needs EYE or --path FILE");
	memcpy(camera.name, name, strlen(name));
	struct cs_error *error = path ? read_keys(path, &keys) : NULL;
	camera.keys = keys.at;
	camera.n_keys = (uint32_t)keys.n;
	if (!error)
		error = submit_camera(call, &camera);
	cs_vec_free(&keys);
	return error;
}

const struct command command_camera_add = {
	.name = "camera add",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"NAME", ARGUMENT_WORD}, {"EYE", ARGUMENT_POINT, .optional = true}},
	.options = {{0, "target", "POINT", ARGUMENT_POINT, "what it looks at; the middle of all",
			    NULL},
		{0, "orbit", "SECONDS", ARGUMENT_NUMBER, "it goes around the target, a turn", NULL},
		{0, "path", "FILE", ARGUMENT_FILE, "keys, a line each: X,Y,Z,TX,TY,TZ", NULL},
		{0, "seconds", "S", ARGUMENT_NUMBER, "from the first key to the last; 10", NULL},
		{0, "loop", NULL, ARGUMENT_NONE, "the path begins again", NULL},
		{0, "fov", "DEGREES", ARGUMENT_NUMBER, "vertical field of view; 60", NULL},
		{0, "height", "PIXELS", ARGUMENT_NUMBER, "of the picture; 1080", NULL},
		{0, "aspect", "A", ARGUMENT_NUMBER, "width by height; 1.78", NULL},
		{0, "near", "D", ARGUMENT_NUMBER, "no distance is less; 1", NULL}},
	.summary = "let a camera ask for pages: fixed, on a circle, or on a path",
	.examples = "camera add Main 400,0,50\n"
		    "camera add Round 400,0,50 --orbit 4\n"
		    "camera add Near 150,0,20 --target 0,0,0 --fov 90",
	.help = "A second camera of that name takes its place. Paths are Catmull-Rom curves through\n"
		"their keys.",
	.run = run_camera_add,
};

/* What it follows is a source, which may be on a path: cells and pages see the same walk. */
static struct cs_error *run_camera_follow(struct call *call)
{
	const char *source = call_argument(call, 0)->text;
	const char *name = call_argument(call, 1)->given ? call_argument(call, 1)->text : source;
	struct cs_camera camera = {
		.kind = CS_CAMERA_FOLLOW,
		.offset = call_option(call, "offset")->point,
		.fov = number_or(call, "fov", 60),
		.height = number_or(call, "height", 1080),
		.aspect = number_or(call, "aspect", 16.0 / 9),
		.near = number_or(call, "near", 1),
	};
	struct cs_stream *stream;
	struct cs_error *error = session_stream(call->session, &stream);
	if (error)
		return error;
	size_t at = cs_stream_find_source(stream, source);
	if (at == SIZE_MAX)
		return cs_error_new(CS_E_MISSING, "no source '%s': sources lists them", source);
	if (strlen(source) >= sizeof(camera.leader) || strlen(name) >= sizeof(camera.name) ||
		strchr(name, ' ') || strchr(source, ' '))
		return cs_error_new(CS_E_USAGE,
			"a camera and what it follows have names of one word, 63 bytes at most");
	memcpy(camera.leader, source, strlen(source));
	memcpy(camera.name, name, strlen(name));
	camera.eye = cs_stream_source_at(stream, at).source->location;
	camera.target = (struct cs_vec3){camera.eye.x + 1, camera.eye.y, camera.eye.z};
	return submit_camera(call, &camera);
}

const struct command command_camera_follow = {
	.name = "camera follow",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"SOURCE", ARGUMENT_SOURCE}, {"NAME", ARGUMENT_WORD, .optional = true}},
	.options = {{0, "offset", "POINT", ARGUMENT_POINT,
			    "of the eye from the source: ahead, to the right, up; 0,0,0"},
		{0, "fov", "DEGREES", ARGUMENT_NUMBER, "vertical field of view; 60", NULL},
		{0, "height", "PIXELS", ARGUMENT_NUMBER, "of the picture; 1080", NULL},
		{0, "aspect", "A", ARGUMENT_NUMBER, "width by height; 1.78", NULL},
		{0, "near", "D", ARGUMENT_NUMBER, "no distance is less; 1", NULL}},
	.summary = "let a camera go where a streaming source goes, looking ahead",
	.examples = "source add Player 0,0,170\ncamera follow Player\n"
		    "camera follow Player Chase --offset -600,0,250",
	.help = "Each frame its eye is at the source, or at the offset in the axes of the source, and\n"
		"looks where the source is turned: cells and pages see one walk. NAME is that of\n"
		"the source where none is given. When the source goes, the camera stays.",
	.run = run_camera_follow,
};

static struct cs_error *run_camera_rm(struct call *call)
{
	char text[128];
	snprintf(text, sizeof(text), "uncamera %.100s", call_argument(call, 0)->text);
	return session_page_input(call->session, text);
}

const struct command command_camera_rm = {
	.name = "camera rm",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"NAME", ARGUMENT_WORD}},
	.summary = "take a camera away",
	.examples = "camera add Main 400,0,50\ncamera rm Main",
	.run = run_camera_rm,
};

static struct cs_error *run_cameras(struct call *call)
{
	return call_list(call, "cameras");
}

const struct command command_cameras = {
	.name = "cameras",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.summary = "list the cameras and where they are now",
	.examples = "cameras\ncameras --json",
	.run = run_cameras,
};
