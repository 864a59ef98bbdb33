/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of what judges and reads DAGs: every rule finds the damage that it is there for; cuts,
 * coarse meshes; the dump read back by a checker of its own; the partitioners.
 */
#include "cluster/build.h"
#include "cluster/graph.h"
#include "core/random.h"
#include "mesh/deviation.h"
#include "mesh/distance.h"
#include "mesh/vector.h"
#include "tests/samples/folder.h"
#include "tests/unit/nanite/dag_test.h"

#include <math.h>

static char path[4096];

static const char *out(const char *name)
{
	const char *folder = test_folder();
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static struct cs_dag *build(const struct cs_mesh *mesh)
{
	struct cs_dag *dag = NULL;
	struct cs_error *error = cs_dag_build(mesh, NULL, NULL, NULL, &dag);
	if (error)
		exit(1);
	return dag;
}

/* ---- damage ---- */

static void too_many_vertices(struct cs_dag *dag)
{
	dag->clusters[0].n_vertices = CS_CLUSTER_VERTICES + 1;
}

static void degenerate(struct cs_dag *dag)
{
	dag->corners[1] = dag->corners[0];
}

static void foreign_child(struct cs_dag *dag)
{
	dag->clusters[1].group = dag->n_groups - 1;
}

static void turned_leaf(struct cs_dag *dag)
{
	uint8_t corner = dag->corners[0];
	dag->corners[0] = dag->corners[1];
	dag->corners[1] = corner;
}

static void moved_leaf(struct cs_dag *dag)
{
	const struct cs_cluster *cluster = &dag->clusters[0];
	for (uint32_t v = 0; v < cluster->n_vertices; v++)
		dag->normals[3 * (cluster->first_vertex + v)] += 0.25f;
}

static uint32_t first_parent(const struct cs_dag *dag)
{
	uint32_t i = 0;
	while (dag->clusters[i].generating_group == CS_NONE)
		i++;
	return i;
}

static void falling_error(struct cs_dag *dag)
{
	uint32_t parent = first_parent(dag);
	dag->groups[dag->clusters[parent].group].max_parent_error =
		0.5f * dag->clusters[parent].lod_error;
}

static void small_sphere(struct cs_dag *dag)
{
	dag->groups[0].lod_bounds.radius *= 0.5f;
}

static void out_of_box(struct cs_dag *dag)
{
	dag->clusters[2].box.max[0] = dag->clusters[2].box.min[0];
}

/* Moves a vertex that lies on a locked edge of the first group's parents. */
static void cracked(struct cs_dag *dag)
{
	const struct cs_cluster *parent = &dag->clusters[first_parent(dag)];
	const struct cs_cluster_group *group = &dag->groups[parent->generating_group];
	for (uint32_t v = 0; v < parent->n_vertices; v++) {
		float *p = dag->positions + 3 * (size_t)(parent->first_vertex + v);
		for (uint32_t i = 0; i < dag->n_clusters; i++) {
			const struct cs_cluster *other = &dag->clusters[i];
			if (other->level != group->level ||
				other->group == parent->generating_group)
				continue;
			for (uint32_t k = 0; k < other->n_vertices; k++)
				if (memcmp(p,
					    dag->positions + 3 * (size_t)(other->first_vertex + k),
					    3 * sizeof(float)) == 0) {
					p[2] = nextafterf(p[2], 0);
					return;
				}
		}
	}
}

static void low_errors(struct cs_dag *dag)
{
	for (uint32_t i = 0; i + 1 < dag->n_groups; i++)
		dag->groups[i].max_parent_error *= 0.01f;
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		dag->clusters[i].lod_error *= 0.01f;
}

/* Stores the first broken rule. */
static void note_rule(void *context, const char *rule, const char *message)
{
	char *first = context;
	(void)message;
	if (!first[0])
		snprintf(first, 8, "%s", rule);
}

static void test_damage(void)
{
	static const struct {
		const char *what, *rule;
		void (*damage)(struct cs_dag *dag);
	} damages[] = {
		{"too many vertices", "C1", too_many_vertices},
		{"a degenerate triangle", "C1", degenerate},
		{"a child of two groups", "C1", foreign_child},
		{"a leaf turned over", "C2", turned_leaf},
		{"a leaf with other normals", "C2", moved_leaf},
		{"a falling error", "C3", falling_error},
		{"a sphere that does not nest", "C3", small_sphere},
		{"a vertex out of its box", "C3", out_of_box},
		{"a seam moved by one bit", "C4", cracked},
		{"errors that are too low", "C6", low_errors},
	};
	struct cs_mesh *mesh = made_mesh(CS_MESH_NOISE, 8000, 1);
	for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		struct cs_dag *dag = build(mesh);
		struct cs_dag_check check = {mesh, 4, 2000};
		struct cs_dag_verdict verdict = {0};
		char rule[8] = "";
		damages[i].damage(dag);
		works(cs_dag_verify(dag, &check, NULL, note_rule, rule, &verdict), "%s: is judged",
			damages[i].what);
		is_text(rule, damages[i].rule, "%s: is found", damages[i].what);
		cs_dag_free(dag);
	}
	cs_mesh_free(mesh);
}

/* Only cuts show a hole where a group is replaced while the groups below it are not. */
static void test_cut_damage(void)
{
	struct cs_mesh *mesh = made_mesh(CS_MESH_NOISE, 8000, 1);
	struct cs_dag *dag = build(mesh);
	struct cs_dag_check check = {NULL, 16, 0};
	struct cs_dag_verdict verdict = {0};
	char rule[8] = "";
	/* the same sphere and error everywhere would hide it: C3 is kept, seams are not */
	for (uint32_t g = 0; g + 1 < dag->n_groups; g++)
		dag->groups[g].max_parent_error = 1;
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		dag->clusters[i].lod_error = dag->clusters[i].level > 0;
	works(cs_dag_verify(dag, &check, NULL, note_rule, rule, &verdict), "equal errors");
	is_int(verdict.faults, 0, "equal errors on all levels are no fault");
	cs_dag_free(dag);
	cs_mesh_free(mesh);
}

/*
 * Returns the mean squared distance of one surface from another, in six points of each triangle;
 * *most_ret is the largest distance.
 */
static double mean_square(const struct cs_mesh *from, const struct cs_mesh *to, double *most_ret)
{
	static const double places[6][2] = {
		{.1, .1}, {.8, .1}, {.1, .8}, {.45, .1}, {.1, .45}, {.45, .45}};
	struct cs_surface surface;
	double sum = 0, total = 0;
	if (cs_surface_init(to->positions, to->indices, to->n_triangles, &surface))
		abort();
	for (size_t t = 0; t < from->n_triangles; t++) {
		double p[3][3], normal[3], at[3], area, sum_here = 0;
		for (size_t k = 0; k < 9; k++)
			p[k / 3][k % 3] =
				(double)from->positions[3 * (size_t)from->indices[3 * t + k / 3] +
							k % 3];
		cs_face_normal(p[0], p[1], p[2], normal);
		area = sqrt(cs_dot(normal, normal));
		for (int i = 0; i < 6; i++) {
			for (int k = 0; k < 3; k++)
				at[k] = p[0][k] + places[i][0] * (p[1][k] - p[0][k]) +
					places[i][1] * (p[2][k] - p[0][k]);
			double far2 = cs_surface_distance2(&surface, at, CS_NONE, NULL);
			sum_here += far2 / 6;
			*most_ret = fmax(*most_ret, sqrt(far2));
		}
		sum += sum_here * area;
		total += area;
	}
	cs_surface_deinit(&surface);
	return sum / total;
}

/* Measures the cut again, with code that the check of the DAG does not use. */
static void measure_again(
	const struct cs_dag *dag, const struct cs_mesh *source, const struct cs_dag_measure *said)
{
	struct cs_dag_cut cut = {0};
	struct cs_mesh *mesh = NULL;
	double most = 0;
	works(cs_dag_cut(dag, &(struct cs_dag_fineness){0, said->triangles, 0}, &cut), "its cut");
	works(cs_dag_cut_mesh(dag, &cut, NULL, &mesh), "as a mesh");
	double up = mean_square(mesh, source, &most), down = mean_square(source, mesh, &most);
	double rms = sqrt((up + down) / 2);
	is_int(cut.n_triangles, said->triangles, "has as many triangles");
	ok(said->farthest >= most / 1.01 && said->farthest <= said->declared,
		"of %g declared %g are found, %g met", said->declared, said->farthest, most);
	ok(fabs(said->rms / rms - 1) < 0.06, "root mean square: %g, again %g", said->rms, rms);
	cs_mesh_free(mesh);
	free(cut.clusters);
}

/*
 * The place of the largest distance is small, so the check must search for it instead of meeting
 * it by chance.
 */
static void test_farthest(void)
{
	struct cs_mesh *mesh = made_mesh(CS_MESH_NOISE, 8000, 1);
	struct cs_dag *dag = build(mesh);
	struct cs_dag_check few = {mesh, 1, 10}, many = {mesh, 1, 300000};
	struct cs_dag_verdict by_few = {0}, by_many = {0};
	char context[] = "farthest";
	works(cs_dag_verify(dag, &few, NULL, show_fault, context, &by_few),
		"measured from ten points");
	works(cs_dag_verify(dag, &many, NULL, show_fault, context, &by_many), "measured from many");
	for (int i = 0; i < CS_DAG_MEASURES; i++) {
		double found = by_few.measures[i].farthest, met = by_many.measures[i].farthest;
		ok(found > 0 && found >= met / 1.01, "cut %d: %g is found, %g met", i, found, met);
		measure_again(dag, mesh, &by_many.measures[i]);
	}
	cs_dag_free(dag);
	cs_mesh_free(mesh);
}

/* ---- cuts ---- */

static void test_cuts(void)
{
	struct cs_mesh *mesh = made_mesh(CS_MESH_TERRAIN, 20000, 1), *made = NULL;
	struct cs_dag *dag = build(mesh);
	struct cs_dag_cut cut = {0};
	uint64_t last = UINT64_MAX;
	bool falls = true;
	works(cs_dag_cut(dag, &(struct cs_dag_fineness){0, 0, 0}, &cut), "the finest cut");
	is_int(cut.n_triangles, mesh->n_triangles, "is the source");
	/* a leaf is as far from the source as the grid moved it: half the diagonal of a step */
	const double least = cut.error;
	ok(least > 0 && least <= ldexp(sqrt(3) / 2, -dag->precision) * (1 + 1e-6),
		"has the error of the grid");
	works(cs_dag_cut_mesh(dag, &cut, NULL, &made), "becomes a mesh");
	is_int(made->n_vertices, mesh->n_vertices, "with its vertices welded");
	cs_mesh_free(made);
	free(cut.clusters);
	for (double error = 1e-3; error < 1e6; error *= 4) {
		works(cs_dag_cut(dag, &(struct cs_dag_fineness){error, 0, 0}, &cut), "cut at %g",
			error);
		falls = falls && cut.n_triangles <= last && cut.error <= fmax(error, least);
		last = cut.n_triangles;
		free(cut.clusters);
	}
	ok(falls, "coarser cuts have fewer triangles, and no more error than was allowed");
	ok(last <= CS_CLUSTER_TRIANGLES, "the coarsest is the root");
	for (uint32_t level = 0; level < dag->n_levels; level++) {
		works(cs_dag_cut(dag, &(struct cs_dag_fineness){.by_level = true, .level = level},
			      &cut),
			"level %u", level);
		free(cut.clusters);
	}
	fails(cs_dag_cut(dag, &(struct cs_dag_fineness){.by_level = true, .level = dag->n_levels},
		      &cut),
		CS_E_MISSING, "there is no such level");
	for (uint64_t triangles = 1; triangles < 30000; triangles *= 7) {
		works(cs_dag_coarse_mesh(dag, triangles, NULL, NULL, &made), "coarse mesh");
		ok(made->n_triangles <= triangles &&
				(triangles < 100 || made->n_triangles >= 0.98 * (double)triangles ||
					made->n_triangles == mesh->n_triangles),
			"of %u triangles where %u were asked for", made->n_triangles,
			(unsigned)triangles);
		cs_mesh_free(made);
	}
	fails(cs_dag_coarse_mesh(dag, 0, NULL, NULL, &made), CS_E_SETTING, "of none");
	cs_dag_free(dag);
	cs_mesh_free(mesh);
}

/* ---- the dump ---- */

struct dump {
	unsigned counts[4], seen[4];
	double *vertices;
	double *group_errors;
	size_t triangles; /* of leaves */
	bool good;
};

static void read_cluster(struct dump *d, const char *rest)
{
	unsigned group, n;
	int made, used;
	double x, y, z, r, error;
	if (sscanf(rest, "%u %d %lf %lf %lf %lf %lf %u%n", &group, &made, &x, &y, &z, &r, &error,
		    &n, &used) != 8) {
		d->good = false;
		return;
	}
	d->good = d->good && group < d->counts[2] && n >= 1 && n <= 128 &&
		  (made < 0 ? error >= 0
			    : (unsigned)made < d->counts[2] && error == d->group_errors[made]) &&
		  d->group_errors[group] >= error;
	d->triangles += made < 0 ? n : 0;
	for (rest += used, used = 0, n *= 3; n > 0; n--, rest += used) {
		unsigned vertex;
		if (sscanf(rest, "%u%n", &vertex, &used) != 1 || vertex >= d->counts[0]) {
			d->good = false;
			return;
		}
		/* bounds contain their vertices on the way up */
		const double *p = d->vertices + 3 * (size_t)vertex;
		double dx = p[0] - x, dy = p[1] - y, dz = p[2] - z;
		if (made < 0)
			d->good = d->good && sqrt(dx * dx + dy * dy + dz * dz) <= r * (1 + 1e-6);
	}
}

static void read_line(struct dump *d, const char *line)
{
	double *v = d->vertices + 3 * (size_t)d->seen[0], x, y, z, r;
	unsigned level, a, b, c;
	switch (line[0]) {
	case 'v':
		d->good = d->good && d->seen[0]++ < d->counts[0] &&
			  sscanf(line + 2, "%lf %lf %lf", &v[0], &v[1], &v[2]) == 3;
		break;
	case 's':
		d->good = d->good && d->seen[1]++ < d->counts[1] &&
			  sscanf(line + 2, "%u %u %u", &a, &b, &c) == 3 && a < d->counts[0] &&
			  b < d->counts[0] && c < d->counts[0];
		break;
	case 'g':
		d->good = d->good && d->seen[2] < d->counts[2] &&
			  sscanf(line + 2, "%u %lf %lf %lf %lf %lf", &level, &x, &y, &z, &r,
				  &d->group_errors[d->seen[2]]) == 6;
		d->seen[2]++;
		break;
	case 'c':
		d->seen[3]++;
		read_cluster(d, line + 2);
		break;
	default:
		d->good = false;
	}
}

static void test_dump(void)
{
	enum { LINE = 1 << 16 };
	struct cs_mesh *mesh = made_mesh(CS_MESH_SEAMS, 5000, 1);
	struct cs_dag *dag = build(mesh);
	struct dump d = {.good = true};
	char *line = malloc(LINE);
	fails(cs_dag_dump(dag, mesh, NULL, "/nowhere/x"), CS_E_NOFILE, "not into no folder");
	works(cs_dag_dump(dag, mesh, NULL, out("dump.cdag")), "a DAG is dumped");
	FILE *file = fopen(path, "r");
	d.good = file && line && fgets(line, LINE, file) && strcmp(line, "cdag 1\n") == 0 &&
		 fgets(line, LINE, file) &&
		 sscanf(line, "counts %u %u %u %u", &d.counts[0], &d.counts[1], &d.counts[2],
			 &d.counts[3]) == 4;
	d.vertices = calloc(d.counts[0] + 1, 3 * sizeof(double));
	d.group_errors = calloc(d.counts[2] + 1, sizeof(double));
	while (d.good && fgets(line, LINE, file))
		read_line(&d, line);
	ok(d.good, "every line reads back and keeps its promises");
	for (int i = 0; i < 4; i++)
		is_int(d.seen[i], d.counts[i], "as many as counted");
	is_int(d.triangles, mesh->n_triangles, "leaves have the triangles of the source");
	ok(d.group_errors[d.counts[2] - 1] >= 1e30, "the root is terminal");
	if (file)
		fclose(file);
	free(line);
	free(d.vertices);
	free(d.group_errors);
	cs_dag_free(dag);
	cs_mesh_free(mesh);
}

/* ---- partitioners ---- */

/* Returns a sheet of squares as a graph. */
static struct cs_graph_arrays sheet_graph(uint32_t side)
{
	struct cs_graph_arrays g;
	uint32_t n = 0;
	struct cs_error *error = cs_graph_init(side * side, 4 * (size_t)side * side, &g);
	if (error)
		exit(1);
	for (uint32_t i = 0; i < side * side; i++) {
		uint32_t x = i % side, y = i / side;
		const uint32_t next[4] = {y ? i - side : CS_NONE, x ? i - 1 : CS_NONE,
			x + 1 < side ? i + 1 : CS_NONE, y + 1 < side ? i + side : CS_NONE};
		g.centres[3 * i] = (float)x;
		g.centres[3 * i + 1] = (float)y;
		g.centres[3 * i + 2] = 0;
		for (int k = 0; k < 4; k++)
			if (next[k] != CS_NONE) {
				g.targets[n] = next[k];
				g.weights[n++] = 1;
			}
		g.offsets[i + 1] = n;
	}
	return g;
}

/*
 * Returns whether every node is in exactly one part and no part is too large; *small_ret is the
 * number of parts that are too small.
 */
static bool is_partition(const struct cs_partition *p, uint32_t n, struct cs_partition_size size,
	uint32_t *small_ret)
{
	bool *seen = calloc(n, sizeof(*seen)), good = p->starts[0] == 0;
	*small_ret = 0;
	for (uint32_t i = 0; i < p->n_parts; i++) {
		uint32_t nodes = p->starts[i + 1] - p->starts[i];
		good = good && nodes > 0 && nodes <= size.max;
		*small_ret += nodes < size.min;
	}
	good = good && p->starts[p->n_parts] == n;
	for (uint32_t i = 0; good && i < n; i++) {
		good = p->order[i] < n && !seen[p->order[i]];
		seen[p->order[i]] = true;
	}
	free(seen);
	return good;
}

static void test_partitioners(void)
{
	struct cs_graph_arrays arrays = sheet_graph(160);
	struct cs_graph graph = cs_graph_of(&arrays);
	static const struct cs_partition_size sizes[] = {
		{124, 128, 126.5f}, {8, 32, 22}, {1, 2, 2}};
	for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
		uint64_t weights[2] = {0, 0};
		for (enum cs_partitioner p = 0; p <= CS_PARTITIONER_METIS; p++) {
			struct cs_partition partition;
			uint32_t small = 0;
			works(cs_partition_graph(&graph, p, sizes[s], 2, &partition),
				"%s: parts of %u to %u", partitioners[p], sizes[s].min,
				sizes[s].max);
			ok(is_partition(&partition, graph.n, sizes[s], &small),
				"%s: every node in one part", partitioners[p]);
			/* ours holds the lower limit as well where the mean allows it */
			ok(p == CS_PARTITIONER_METIS || small == 0, "%s: %u parts are small",
				partitioners[p], small);
			works(cs_partition_cut(&graph, &partition, 1, &weights[p]), "cut");
			cs_partition_deinit(&partition);
		}
		ok((double)weights[0] <= 1.1 * (double)weights[1],
			"parts of %u: we cut %u edges, METIS %u", sizes[s].max,
			(unsigned)weights[0], (unsigned)weights[1]);
	}
	cs_graph_deinit(&arrays);
}

/*
 * Returns a chain of nodes that lie anywhere in space, so that positions say nothing about the
 * graph.
 */
static struct cs_graph_arrays tangle_graph(uint32_t length)
{
	struct cs_random random = {7};
	struct cs_graph_arrays g;
	uint32_t n = 0;
	struct cs_error *error = cs_graph_init(length, 2 * (size_t)length, &g);
	if (error)
		exit(1);
	for (uint32_t i = 0; i < length; i++) {
		for (size_t k = 0; k < 3; k++)
			g.centres[3 * (size_t)i + k] = (float)cs_random_unit(&random);
		for (uint32_t other = i ? i - 1 : 1; other <= i + 1 && other < length; other += 2) {
			g.targets[n] = other;
			g.weights[n++] = 1;
		}
		g.offsets[i + 1] = n;
	}
	return g;
}

static void test_tangle(void)
{
	static const struct cs_partition_size size = {124, 128, 126.5f};
	struct cs_graph_arrays arrays = tangle_graph(5000);
	struct cs_graph graph = cs_graph_of(&arrays);
	struct cs_partition partition;
	uint32_t small = 0;
	uint64_t cut = 0;
	works(cs_partition_graph(&graph, CS_PARTITIONER_NATIVE, size, 2, &partition), "a tangle");
	ok(is_partition(&partition, graph.n, size, &small), "every node in one part");
	works(cs_partition_cut(&graph, &partition, 1, &cut), "cut");
	ok(cut < 2 * (uint64_t)partition.n_parts, "%u parts of a chain are cut out with %u cuts",
		partition.n_parts, (unsigned)cut);
	cs_partition_deinit(&partition);
	cs_graph_deinit(&arrays);
}

/* Triangle 0 shares two edges with triangle 1 and one with triangle 2. */
static void test_graph_of_triangles(void)
{
	static const uint32_t opposite[] = {3, 4, 6, 0, 1, CS_NONE, 2, CS_NONE, CS_NONE};
	struct cs_graph_arrays g;
	works(cs_graph_of_triangles(opposite, 3, 1, &g), "graph: of three triangles");
	ok(g.offsets[1] == 2 && g.targets[0] == 1 && g.weights[0] == 2 * CS_EDGE_WEIGHT,
		"graph: two edges between two triangles are one, twice as heavy");
	ok(g.targets[1] == 2 && g.weights[1] == CS_EDGE_WEIGHT, "graph: one edge weighs one");
	ok(g.offsets[2] == 3 && g.offsets[3] == 4 && g.targets[2] == 0 && g.targets[3] == 0,
		"graph: and both ways");
	cs_graph_deinit(&g);
}

static void test_small_partitions(void)
{
	static const struct cs_partition_size size = {2, 4, 3};
	for (uint32_t side = 1; side < 7; side++) {
		struct cs_graph_arrays arrays = sheet_graph(side);
		struct cs_graph graph = cs_graph_of(&arrays);
		for (enum cs_partitioner p = 0; p <= CS_PARTITIONER_METIS; p++) {
			struct cs_partition partition;
			uint32_t small;
			works(cs_partition_graph(&graph, p, size, 1, &partition), "%u nodes",
				graph.n);
			ok(is_partition(&partition, graph.n, size, &small), "%s: %u nodes in parts",
				partitioners[p], graph.n);
			cs_partition_deinit(&partition);
		}
		cs_graph_deinit(&arrays);
	}
}

int main(void)
{
	test_damage();
	test_cut_damage();
	test_farthest();
	test_cuts();
	test_dump();
	test_partitioners();
	test_tangle();
	test_graph_of_triangles();
	test_small_partitions();
	return done();
}
