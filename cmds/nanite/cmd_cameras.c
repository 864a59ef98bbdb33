/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands `camera add`, `camera follow`, `camera rm`, `cameras`: cameras request mesh pages. */
#include "src/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- commands about cameras ---- */

#define LENS_OPTIONS                                                                              \
	{0, "fov", "DEGREES", ARGUMENT_NUMBER, "vertical field of view in degrees (default 60)"}, \
		{0, "height", "PIXELS", ARGUMENT_NUMBER,                                          \
			"height of the picture in pixels (default 1080)"},                        \
		{0, "aspect", "A", ARGUMENT_NUMBER,                                               \
			"width of the picture divided by its height (default 1.78)"},             \
	{                                                                                         \
		0, "near", "D", ARGUMENT_NUMBER,                                                  \
			"least distance used in the calculation: points nearer than D cm count "  \
			"as D away (default: for each mesh 1/1000 of its diagonal)"               \
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

/* Returns E_USAGE for options that the kind of the new camera would ignore. */
static struct cs_error *check_camera_options(const struct call *call)
{
	static const char *const of_paths[] = {"seconds", "loop"};
	static const char *const of_others[] = {"orbit", "target"};
	const bool path = call_option(call, "path")->given;
	if (path && call_argument(call, 1)->given)
		return cs_error_new(CS_E_USAGE,
			"--path FILE already gives the positions of the camera: leave out "
			"EYE");
	for (unsigned i = 0; i < 2; i++) {
		if (!path && call_option(call, of_paths[i])->given)
			return cs_error_new(CS_E_USAGE, "--%s needs --path", of_paths[i]);
		if (path && call_option(call, of_others[i])->given)
			return cs_error_new(
				CS_E_USAGE, "give only one of --path and --%s", of_others[i]);
	}
	return NULL;
}

static struct cs_error *run_camera_add(struct call *call)
{
	const struct argument *target = call_option(call, "target");
	const struct argument *orbit = call_option(call, "orbit");
	const char *path = call_option(call, "path")->text;
	const char *name = call_argument(call, 0)->text;
	struct cs_camera_key *keys = NULL;
	uint32_t n_keys = 0;
	struct cs_camera camera = {
		.kind = path           ? CS_CAMERA_PATH
			: orbit->given ? CS_CAMERA_ORBIT
				       : CS_CAMERA_FIXED,
		.eye = call_argument(call, 1)->point,
		.target = target->given ? target->point
					: cs_inspector_models(call->session->inspector).middle,
		.fov = call_number(call, "fov", 60),
		.height = call_number(call, "height", 1080),
		.aspect = call_number(call, "aspect", 16.0 / 9),
		.near = call_number(call, "near", 0),
		.period = call_number(call, path ? "seconds" : "orbit", path ? 10 : 0),
		.loop = call_option(call, "loop")->given,
	};
	if (strlen(name) >= sizeof(camera.name) || strchr(name, ' '))
		return cs_error_new(CS_E_USAGE,
			"the name of a camera must be one word of at most 63 bytes, not '%s'",
			name);
	if (!path && !call_argument(call, 1)->given)
		return cs_error_new(CS_E_USAGE,
			"camera add needs EYE, the position X,Y,Z of the camera, or --path FILE");
	memcpy(camera.name, name, strlen(name));
	struct cs_error *error = check_camera_options(call);
	if (!error && path)
		error = cs_camera_keys_read(path, &keys, &n_keys);
	camera.keys = keys;
	camera.n_keys = n_keys;
	if (!error)
		error = submit_camera(call, &camera);
	free(keys);
	return error;
}

const struct command command_camera_add = {
	.name = "camera add",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"NAME", ARGUMENT_WORD}, {"EYE", ARGUMENT_POINT, .optional = true}},
	.options = {{0, "target", "POINT", ARGUMENT_POINT,
			    "look at POINT (default: the middle of all open resources)"},
		{0, "orbit", "SECONDS", ARGUMENT_NUMBER,
			"move on a circle around the target, once in SECONDS"},
		{0, "path", "FILE", ARGUMENT_FILE,
			"move along the keys of FILE, one on each line: X,Y,Z,TX,TY,TZ (eye and "
			"target)"},
		{0, "seconds", "S", ARGUMENT_NUMBER,
			"with --path: take S seconds from the first key to the last (default 10)"},
		{0, "loop", NULL, ARGUMENT_NONE, "with --path: begin the path again when it ends"},
		LENS_OPTIONS},
	.summary = "add a camera that requests pages: fixed, on a circle, or on a path",
	.examples = "camera add Main 400,0,50\n"
		    "camera add Round 400,0,50 --orbit 4\n"
		    "camera add Near 150,0,20 --target 0,0,0 --fov 90",
	.help = "In each frame of the run the camera requests the pages that it needs to draw the\n"
		"open resources. NAME is a name for the camera. If a camera has this name\n"
		"already, it is replaced. EYE is the position of the camera or, with --orbit, the\n"
		"first position. With --path no EYE is given, because the camera moves on a\n"
		"Catmull-Rom curve through the keys of FILE.",
	.run = run_camera_add,
};

/* Adds a camera that follows a streaming source, so that both stream for the same movement. */
static struct cs_error *run_camera_follow(struct call *call)
{
	const char *source = call_argument(call, 0)->text;
	const char *name = argument_text(call_argument(call, 1), source);
	struct cs_camera camera = {
		.kind = CS_CAMERA_FOLLOW,
		.offset = call_option(call, "offset")->point,
		.fov = call_number(call, "fov", 60),
		.height = call_number(call, "height", 1080),
		.aspect = call_number(call, "aspect", 16.0 / 9),
		.near = call_number(call, "near", 0),
	};
	size_t at = cs_stream_find_source(call->stream, source);
	if (at == SIZE_MAX)
		return cs_error_new(
			CS_E_MISSING, "no streaming source '%s': `sources` lists them", source);
	if (strlen(source) >= sizeof(camera.leader) || strlen(name) >= sizeof(camera.name) ||
		strchr(name, ' ') || strchr(source, ' '))
		return cs_error_new(CS_E_USAGE,
			"the names of a camera and of its source must each be one word of at most "
			"63 bytes, not '%s' and '%s'",
			name, source);
	memcpy(camera.leader, source, strlen(source));
	memcpy(camera.name, name, strlen(name));
	camera.eye = cs_stream_source_at(call->stream, at).source->location;
	camera.target = (struct cs_vec3){camera.eye.x + 1, camera.eye.y, camera.eye.z};
	return submit_camera(call, &camera);
}

const struct command command_camera_follow = {
	.name = "camera follow",
	.group = GROUP_NANITE,
	.flags = COMMAND_RUN | COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"SOURCE", ARGUMENT_SOURCE}, {"NAME", ARGUMENT_WORD, .optional = true}},
	.options =
		{{0, "offset", "POINT", ARGUMENT_POINT,
			 "move the eye from the source by POINT in cm: forward, right, up (default 0,0,0)"},
			LENS_OPTIONS},
	.summary = "add a camera that moves with a streaming source and requests pages",
	.examples = "source add Player 0,0,170\ncamera follow Player\n"
		    "camera follow Player Chase --offset -600,0,250",
	.help = "In each frame the camera is at the source, moved by --offset in the axes of the\n"
		"source, and looks in the direction of the source. In this way cells and pages\n"
		"stream for the same player. NAME is the name of the camera (default: the name of\n"
		"the source). When the source is removed, the camera stays where it was.",
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
	.summary = "remove a camera",
	.examples = "camera add Main 400,0,50\ncamera rm Main",
	.help = "NAME is the name of a camera (`cameras` lists them).",
	.run = run_camera_rm,
};

const struct command command_cameras = {
	.name = "cameras",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.summary = "list the cameras and their current positions",
	.examples = "camera add Main 400,0,50\ncameras",
	.help = "The column `kind` is `fixed`, `orbit` (on a circle), `path` (along the keys of a\n"
		"file) or `follow` (with a streaming source: help camera follow). The column\n"
		"`eye` is the position of the camera, and `target` is the point that the camera\n"
		"looks at, in cm. The column `fov` is the field of view in degrees, and `height`\n"
		"is the height of the picture in pixels.",
	.lists = "cameras",
};
