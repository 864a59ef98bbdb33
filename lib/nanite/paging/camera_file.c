/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the keys of a camera's path from a file. A line is X,Y,Z,TX,TY,TZ: the position of the eye,
 * and the point that it looks at, separated by commas or blanks. Empty lines and lines that begin
 * with # are skipped. A line longer than LINE is an error.
 */
#include <cellscope/paging.h>

#include "core/vec.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { NUMBERS = 6, LINE = 1024 };

static struct cs_error *wrong_line(const char *path, unsigned line)
{
	return cs_error_at(CS_E_SETTING, path, CS_NO_OFFSET,
		"line %u must be X,Y,Z,TX,TY,TZ (position and point looked at, in cm)", line);
}

static bool camera_file_read_key(const char *line, struct cs_camera_key *ret)
{
	double at[NUMBERS];
	for (unsigned i = 0; i < NUMBERS; i++) {
		line += strspn(line, " \t");
		size_t n = strcspn(line, ", \t\r\n");
		if (!cs_double_parse(line, n, &at[i]))
			return false;
		line += n;
		line += strspn(line, " \t");
		line += *line == ',';
	}
	*ret = (struct cs_camera_key){{at[0], at[1], at[2]}, {at[3], at[4], at[5]}};
	return line[strspn(line, " \t\r\n")] == '\0';
}

typedef CS_VEC(struct cs_camera_key) key_list;

static struct cs_error *read_lines(FILE *file, const char *path, key_list *keys)
{
	char line[LINE];
	for (unsigned number = 1; fgets(line, sizeof(line), file); number++) {
		struct cs_camera_key key;
		/* the line is too long, or what follows a NUL byte in it would be ignored */
		if (!strchr(line, '\n') && !feof(file))
			return wrong_line(path, number);
		if (line[strspn(line, " \t\r\n")] == '\0' || *line == '#')
			continue;
		if (keys->n == CS_CAMERA_KEYS)
			return cs_error_at(CS_E_LIMIT, path, CS_NO_OFFSET,
				"the camera path has more points than the limit of %d",
				CS_CAMERA_KEYS);
		if (!camera_file_read_key(line, &key))
			return wrong_line(path, number);
		if (!cs_vec_push(keys, key))
			return cs_error_nomem();
	}
	if (ferror(file))
		return cs_error_errno(errno, path, "read");
	return keys->n ? NULL
		       : cs_error_at(CS_E_MISSING, path, CS_NO_OFFSET,
				 "the file has no line X,Y,Z,TX,TY,TZ (position and point looked "
				 "at, in cm)");
}

struct cs_error *cs_camera_keys_read(const char *path, struct cs_camera_key **ret, uint32_t *n_ret)
{
	key_list keys = {0};
	FILE *file = fopen(path, "re");
	if (!file)
		return cs_error_errno(errno, path, "open");
	struct cs_error *error = read_lines(file, path, &keys);
	fclose(file);
	if (error) {
		cs_vec_free(&keys);
		return error;
	}
	*ret = keys.at;
	*n_ret = (uint32_t)keys.n;
	return NULL;
}
