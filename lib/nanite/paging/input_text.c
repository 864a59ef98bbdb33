/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formats inputs of a pager as text, from which camera.c and pager.c parse the same numbers. Writes
 * -0 as 0.
 */
#include "nanite/paging/paging_internal.h"

#include <string.h>

static void input_text_put_numbers(struct cs_writer *to, const double *numbers, size_t n)
{
	char text[CS_DOUBLE_TEXT];
	for (size_t i = 0; i < n; i++) {
		cs_double_format(numbers[i], text);
		cs_writer_bytes(to, " ", 1);
		cs_writer_bytes(to, text, strlen(text));
	}
}

static void input_text_put_point(struct cs_writer *to, struct cs_vec3 point)
{
	input_text_put_numbers(to, (const double[]){point.x, point.y, point.z}, 3);
}

static char *input_text_finish(struct cs_writer *to)
{
	cs_writer_bytes(to, "", 1);
	if (!to->failed)
		return (char *)to->bytes;
	cs_writer_deinit(to);
	return NULL;
}

char *cs_camera_input(const struct cs_camera *camera)
{
	static const char *const kinds[] = {"fixed", "orbit", "path", "follow"};
	const double lens[] = {camera->fov, camera->height, camera->aspect, camera->near};
	const double way[] = {camera->period, camera->loop};
	struct cs_writer to = {0};
	const bool follows = camera->kind == CS_CAMERA_FOLLOW;
	cs_writer_print(&to, "camera %s %s%s%s", camera->name, kinds[camera->kind],
		follows ? " " : "", follows ? camera->leader : "");
	if (follows)
		input_text_put_point(&to, camera->offset);
	if (camera->kind != CS_CAMERA_PATH) {
		input_text_put_point(&to, camera->eye);
		input_text_put_point(&to, camera->target);
	}
	input_text_put_numbers(&to, lens, sizeof(lens) / sizeof(lens[0]));
	if (camera->kind == CS_CAMERA_PATH || camera->kind == CS_CAMERA_ORBIT)
		input_text_put_numbers(&to, way, camera->kind == CS_CAMERA_PATH ? 2 : 1);
	for (uint32_t i = 0; camera->kind == CS_CAMERA_PATH && i < camera->n_keys; i++) {
		input_text_put_point(&to, camera->keys[i].eye);
		input_text_put_point(&to, camera->keys[i].target);
	}
	return input_text_finish(&to);
}

char *cs_pager_place_input(uint32_t resource, const struct cs_pager_instance *instances, size_t n)
{
	struct cs_writer to = {0};
	cs_writer_print(&to, "place %u", resource);
	for (size_t i = 0; i < n; i++) {
		const struct cs_pager_instance *at = &instances[i];
		input_text_put_numbers(&to, (const double[]){at->tag}, 1);
		input_text_put_point(&to, at->translation);
		input_text_put_numbers(&to,
			(const double[]){at->rotation.x, at->rotation.y, at->rotation.z,
				at->rotation.w, at->scale},
			5);
	}
	return input_text_finish(&to);
}
