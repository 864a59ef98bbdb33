/* SPDX-License-Identifier: Apache-2.0 */
/* Another builder of cluster DAGs to measure against, where it lies beside the shared data. */
#pragma once

#include <cellscope/mesh.h>

#include "tests/bench/bench.h"

#include <math.h>
#include <unistd.h>

/* Returns the peer's program, or NULL where it is absent. */
static inline const char *peer_program(void)
{
	static char path[4200];
	const char *data = getenv("CELLSCOPE_DATA");
	snprintf(path, sizeof(path), "%s/../peers/clusterlod", data ? data : ".");
	return data && access(path, X_OK) == 0 ? path : NULL;
}

/* Writes the mesh as the peer reads it: counts, positions and normals, triangles. */
static inline bool peer_write(const struct cs_mesh *mesh, const char *path)
{
	const struct cs_mesh_view v = cs_mesh_view(mesh);
	FILE *file = fopen(path, "wb");
	bool good = file && fwrite(&v.n_vertices, 4, 1, file) == 1 &&
		    fwrite(&v.n_triangles, 4, 1, file) == 1 &&
		    fwrite(v.positions, 12, v.n_vertices, file) == v.n_vertices &&
		    fwrite(v.normals, 12, v.n_vertices, file) == v.n_vertices &&
		    fwrite(v.indices, 12, v.n_triangles, file) == v.n_triangles;
	return file && fclose(file) == 0 && good;
}

/* Seconds of user time that it says it took, memory to DAG on one thread; INFINITY when it failed.
 */
static inline double peer_seconds(const char *program, const char *mode, const char *raw)
{
	char command[9000], line[500] = "";
	double seconds = INFINITY;
	snprintf(command, sizeof(command), "'%s' %s '%s'", program, mode, raw);
	FILE *pipe = popen(command, "r");
	const char *user = pipe && fgets(line, sizeof(line), pipe) ? strstr(line, "user ") : NULL;
	if (user)
		seconds = strtod(user + 5, NULL);
	if (pipe)
		pclose(pipe);
	return seconds;
}

/* Writes the DAG that it builds as "cdag 1". */
static inline bool peer_dump(const char *program, const char *mode, const char *raw, const char *to)
{
	char command[9000];
	snprintf(command, sizeof(command), "'%s' %s '%s' --cdag '%s' >/dev/null", program, mode,
		raw, to);
	return system(command) == 0;
}
