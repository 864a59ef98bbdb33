/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads the answer of the import helper (layout in mesh/helper_wire.h). */
#include "mesh/helper_wire.h"

#include "core/fully.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

/* Lists the arrays of a mesh in the order in which they are sent. Returns their number. */
static size_t wire_spans(struct cs_mesh *mesh, struct cs_span spans[CS_WIRE_SPANS])
{
	size_t v = mesh->n_vertices, t = mesh->n_triangles, n = 0;
	spans[n++] = (struct cs_span){mesh->positions, v * 3 * sizeof(float)};
	spans[n++] = (struct cs_span){mesh->normals, v * 3 * sizeof(float)};
	for (uint32_t i = 0; i < mesh->n_uvs; i++)
		spans[n++] = (struct cs_span){mesh->uvs[i], v * 2 * sizeof(float)};
	if (mesh->colors)
		spans[n++] = (struct cs_span){mesh->colors, v * 4};
	spans[n++] = (struct cs_span){mesh->indices, t * 3 * sizeof(uint32_t)};
	spans[n++] = (struct cs_span){mesh->materials, t};
	return n;
}

/* ---- writing the answer ---- */

struct writer {
	int fd;
	bool failed;
	XXH3_state_t sum;
};

static void helper_wire_put_bytes(struct writer *to, const void *bytes, size_t n)
{
	to->failed = to->failed || !cs_write_fully(to->fd, bytes, n);
}

static void helper_wire_put(struct writer *to, const void *bytes, size_t n)
{
	XXH3_64bits_update(&to->sum, bytes, n);
	helper_wire_put_bytes(to, bytes, n);
}

static void helper_wire_begin(struct writer *to, int fd, const struct cs_wire_head *head)
{
	to->fd = fd;
	to->failed = false;
	XXH3_64bits_reset(&to->sum);
	helper_wire_put(to, head, sizeof(*head));
}

static bool helper_wire_end(struct writer *to)
{
	uint64_t sum = XXH3_64bits_digest(&to->sum);
	helper_wire_put_bytes(to, &sum, sizeof(sum));
	return !to->failed;
}

static bool put_error(
	int fd, enum cs_code code, uint64_t offset, const char *message, const char *file)
{
	struct writer to;
	size_t room = CS_WIRE_TEXT / 4;
	size_t n = strnlen(message, room), of_file = file ? strnlen(file, room) : 0;
	struct cs_wire_head head = {.magic = CS_WIRE_MAGIC,
		.kind = CS_WIRE_ERROR,
		.code = (uint32_t)code,
		.offset = offset,
		.has_file = file != NULL,
		.text_bytes = (uint32_t)(n + of_file + 2)};
	helper_wire_begin(&to, fd, &head);
	helper_wire_put(&to, message, n);
	helper_wire_put(&to, "", 1);
	helper_wire_put(&to, file ? file : "", of_file);
	helper_wire_put(&to, "", 1);
	return helper_wire_end(&to);
}

bool cs_wire_put_plain(int fd, enum cs_code code, const char *message)
{
	return put_error(fd, code, CS_NO_OFFSET, message, NULL);
}

bool cs_wire_put_error(int fd, const struct cs_error *error)
{
	return put_error(fd, error->code, error->offset, error->message, error->file);
}

bool cs_wire_put_mesh(int fd, struct cs_mesh *mesh, const struct cs_mesh_report *report)
{
	struct writer to;
	struct cs_span spans[CS_WIRE_SPANS];
	size_t n = wire_spans(mesh, spans);
	struct cs_wire_head head = {.magic = CS_WIRE_MAGIC,
		.kind = CS_WIRE_MESH,
		.vertices = mesh->n_vertices,
		.triangles = mesh->n_triangles,
		.report = *report,
		.uvs = mesh->n_uvs,
		.colors = mesh->colors != NULL,
		.materials = mesh->n_materials};
	for (uint32_t i = 0; i < mesh->n_materials; i++)
		head.text_bytes += (uint32_t)strlen(cs_mesh_material(mesh, i)) + 1;
	helper_wire_begin(&to, fd, &head);
	for (uint32_t i = 0; i < mesh->n_materials; i++)
		helper_wire_put(
			&to, cs_mesh_material(mesh, i), strlen(cs_mesh_material(mesh, i)) + 1);
	for (size_t i = 0; i < n; i++)
		helper_wire_put(&to, spans[i].bytes, spans[i].size);
	return helper_wire_end(&to);
}

/* ---- reading the answer ---- */

struct reader {
	cs_wire_take *take;
	void *context;
	bool ended; /* whether the writer closed the pipe before the end of the answer */
	XXH3_state_t sum;
};

static bool helper_wire_get(struct reader *from, void *bytes, size_t n)
{
	from->ended = from->ended || !from->take(from->context, bytes, n);
	if (!from->ended)
		XXH3_64bits_update(&from->sum, bytes, n);
	return !from->ended;
}

static struct cs_error *helper_wire_broken(const char *what)
{
	return cs_error_new(CS_E_MESH,
		"the answer of cellscope-import is damaged (%s): install the `cellscope-import` "
		"of this cellscope again",
		what);
}

static struct cs_error *check_head(const struct cs_wire_head *head)
{
	if (memcmp(head->magic, CS_WIRE_MAGIC, sizeof(head->magic)) != 0)
		return helper_wire_broken(
			"the answer does not begin with the magic number of this version");
	if (head->kind != CS_WIRE_ERROR && head->kind != CS_WIRE_MESH)
		return helper_wire_broken("the kind of the answer is unknown");
	if (head->text_bytes > CS_WIRE_TEXT)
		return helper_wire_broken("the texts of the answer are too long");
	if (head->kind == CS_WIRE_ERROR && head->code > CS_E_INTERNAL)
		return helper_wire_broken("the error code of the answer is unknown");
	if (head->uvs > CS_MESH_UVS || head->materials == 0 || head->materials > CS_MESH_MATERIALS)
		return head->kind == CS_WIRE_MESH
			       ? helper_wire_broken(
					 head->uvs > CS_MESH_UVS
						 ? "the number of UV channels is too large"
						 : "the number of materials is 0 or too large")
			       : NULL;
	return NULL;
}

/* Checks the answer's checksum. Also returns NULL when the pipe was closed (from->ended). */
static struct cs_error *check_sum(struct reader *from)
{
	uint64_t want = XXH3_64bits_digest(&from->sum), sum;
	if (!helper_wire_get(from, &sum, sizeof(sum)))
		return NULL;
	return sum == want ? NULL : helper_wire_broken("the checksum of the answer does not match");
}

/* Returns whether the bytes are n texts that each end with a NUL, and nothing else. */
static bool are_texts(const char *texts, size_t size, size_t n)
{
	size_t at = 0;
	for (size_t i = 0; i < n; i++) {
		size_t length = strnlen(texts + at, size - at);
		if (length == size - at)
			return false;
		at += length + 1;
	}
	return at == size;
}

static struct cs_error *get_error(
	struct reader *from, const struct cs_wire_head *head, const char *texts)
{
	struct cs_error *error = check_sum(from);
	if (error || from->ended)
		return error;
	if (!are_texts(texts, head->text_bytes, 2))
		return helper_wire_broken("the error text is incomplete");
	if (head->code == CS_E_NOMEM)
		return cs_error_nomem();
	return cs_error_at((enum cs_code)head->code,
		head->has_file ? texts + strlen(texts) + 1 : NULL, head->offset, "%s", texts);
}

static struct cs_error *helper_wire_name_materials(
	struct cs_mesh *mesh, const struct cs_wire_head *head, const char *texts)
{
	struct cs_error *error = NULL;
	if (!are_texts(texts, head->text_bytes, head->materials))
		return helper_wire_broken("the names of materials are incomplete");
	for (uint32_t i = 0; !error && i < head->materials; i++, texts += strlen(texts) + 1)
		error = cs_mesh_name_material(mesh, i, texts);
	for (uint32_t i = 0; !error && i < mesh->n_triangles; i++)
		if (mesh->materials[i] >= mesh->n_materials)
			error = helper_wire_broken("a triangle has a material that does not exist");
	return error;
}

static struct cs_error *get_mesh(struct reader *from, const struct cs_wire_head *head,
	const char *texts, const struct cs_job *job, struct cs_mesh **ret)
{
	const struct cs_mesh_size size = {
		head->vertices, head->triangles, head->uvs, head->colors != 0};
	struct cs_span spans[CS_WIRE_SPANS];
	struct cs_mesh *mesh = NULL;
	struct cs_error *error = cs_mesh_new(&size, job, &mesh);
	if (error)
		return error;
	size_t n = wire_spans(mesh, spans);
	for (size_t i = 0; i < n; i++)
		helper_wire_get(from, spans[i].bytes, spans[i].size);
	if (!from->ended)
		error = check_sum(from);
	if (!error && !from->ended)
		error = helper_wire_name_materials(mesh, head, texts);
	if (error || from->ended)
		cs_mesh_free(mesh);
	else
		*ret = mesh;
	return error;
}

struct cs_error *cs_wire_get(cs_wire_take *take, void *context, const struct cs_job *job,
	struct cs_mesh_report *report, struct cs_mesh **ret)
{
	struct reader from = {.take = take, .context = context};
	struct cs_wire_head head;
	XXH3_64bits_reset(&from.sum);
	if (!helper_wire_get(&from, &head, sizeof(head)))
		return NULL;
	struct cs_error *error = check_head(&head);
	if (error)
		return error;
	char *texts = malloc(head.text_bytes + 1);
	if (!texts)
		return cs_error_nomem();
	if (helper_wire_get(&from, texts, head.text_bytes)) {
		if (head.kind == CS_WIRE_ERROR)
			error = get_error(&from, &head, texts);
		else
			error = get_mesh(&from, &head, texts, job, ret);
	}
	*report = head.report;
	free(texts);
	return error;
}
