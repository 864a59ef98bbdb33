/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths of cameras from files: keys as they were written, remarks and blanks; and what is none:
 * every cut of a file, bytes that do not belong there, lines without an end, too many keys.
 */
#include <cellscope/paging.h>

#include "core/random.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

static const char *file;

static struct cs_error *read_bytes(
	const char *bytes, size_t size, struct cs_camera_key **keys, uint32_t *n)
{
	FILE *to = fopen(file, "w");
	*keys = NULL;
	*n = 0;
	if (!to || fwrite(bytes, 1, size, to) != size || fclose(to) != 0)
		exit(99);
	return cs_camera_keys_read(file, keys, n);
}

static struct cs_error *read_text(const char *text, struct cs_camera_key **keys, uint32_t *n)
{
	return read_bytes(text, strlen(text), keys, n);
}

static const char whole[] = "# a walk\n1,2,3,4,5,6\n\n \t-1.5 , 2e3,\t.5 ,0 0 7\r\n7,8,9,10,11,12";

static void test_keys(void)
{
	struct cs_camera_key *keys;
	uint32_t n;
	works(read_text(whole, &keys, &n), "keys are read");
	is_int(n, 3, "without remarks and empty lines");
	ok(n == 3 && keys[0].eye.x == 1 && keys[0].eye.z == 3 && keys[0].target.x == 4 &&
			keys[0].target.z == 6,
		"eye and target");
	ok(n == 3 && keys[1].eye.x == -1.5 && keys[1].eye.y == 2000 && keys[1].eye.z == .5 &&
			keys[1].target.x == 0 && keys[1].target.z == 7,
		"whatever blanks are between");
	ok(n == 3 && keys[2].target.z == 12, "the last line needs no end");
	free(keys);
}

static void test_refused(void)
{
	static const struct {
		const char *text, *message;
	} wrong[] = {{"", "the file has no line X,Y,Z,TX,TY,TZ"},
		{"# only this\n", "the file has no line X,Y,Z,TX,TY,TZ"},
		{"1,2,3,4,5\n", "line 1 must be X,Y,Z,TX,TY,TZ"},
		{"1,2,3,4,5,6\n\n1,2,x,4,5,6\n", "line 3 must be X,Y,Z,TX,TY,TZ"},
		{"1,2,3,4,5,6\n1,,3,4,5,6\n", "line 2 must be X,Y,Z,TX,TY,TZ"},
		{"1,2,3,4,5,6,7\n", "line 1 must be X,Y,Z,TX,TY,TZ"},
		{"1,2,3,4,5,6\n1,2,3,4,5,6 7,8,9,10,11,12", "line 2 must be X,Y,Z,TX,TY,TZ"}};
	struct cs_camera_key *keys;
	uint32_t n;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct cs_error *error = read_text(wrong[i].text, &keys, &n);
		const enum cs_code code = i < 2 ? CS_E_MISSING : CS_E_SETTING;
		ok(error && error->code == code && !keys &&
				strstr(error->message, wrong[i].message),
			"refused: %s", wrong[i].message);
		cs_error_free(error);
	}
	fails(cs_camera_keys_read("/nonexistent/keys", &keys, &n), CS_E_NOFILE, "no file");
	struct cs_error *error = cs_camera_keys_read("/", &keys, &n);
	ok(error && error->code != CS_E_MISSING, "a folder is no path without a key");
	cs_error_free(error);
}

static void test_limits(void)
{
	enum { MORE = 1 << 20 };
	static char bytes[MORE + 1];
	static const char hidden[] = "1,2,3,4,5,6\n\0 7,8,9\n1,2,3,4,5,6\n";
	struct cs_camera_key *keys;
	uint32_t n;
	fails(read_bytes(hidden, sizeof(hidden) - 1, &keys, &n), CS_E_SETTING,
		"a byte 0 hides nothing");
	memset(bytes, '1', MORE);
	fails(read_bytes(bytes, MORE, &keys, &n), CS_E_SETTING, "a line without an end");
	size_t size = 0;
	for (int i = 0; i < CS_CAMERA_KEYS; i++)
		size += (size_t)snprintf(bytes + size, MORE - size, "%d,2,3,4,5,6\n", i);
	works(read_bytes(bytes, size, &keys, &n), "as many keys as there may be");
	ok(n == CS_CAMERA_KEYS && keys[CS_CAMERA_KEYS - 1].eye.x == CS_CAMERA_KEYS - 1, "in order");
	free(keys);
	size += (size_t)snprintf(bytes + size, MORE - size, "1,2,3,4,5,6\n");
	fails(read_bytes(bytes, size, &keys, &n), CS_E_LIMIT, "and one more");
}

/* A file that is cut anywhere, or in which random bytes are changed, is read or refused. */
static void test_damage(void)
{
	struct cs_random random = {5};
	struct cs_camera_key *keys;
	char bytes[sizeof(whole)];
	unsigned told = 0, tries = 0;
	uint32_t n;
	for (size_t size = 0; size < sizeof(whole); size++)
		for (int round = 0; round < 8; round++) {
			memcpy(bytes, whole, sizeof(whole));
			for (int i = 0; i < round; i++)
				bytes[cs_random_below(&random, sizeof(whole))] =
					(char)cs_random_below(&random, 256);
			struct cs_error *error = read_bytes(bytes, size, &keys, &n);
			told += error ? !keys && n == 0 : keys && n > 0 && n <= 4;
			tries++;
			free(keys);
			cs_error_free(error);
		}
	is_int(told, tries, "%u damaged files are read or refused", tries);
}

int main(void)
{
	char path[4200];
	snprintf(path, sizeof(path), "%s/camera_keys.txt", test_folder());
	file = path;
	test_keys();
	test_refused();
	test_limits();
	test_damage();
	remove(path);
	return done();
}
