/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Meshes that the engine cooked, as others get them: what is exported, against what an independent
 * reader decoded, and the rules of nanite verify, which sound meshes keep and each fault breaks.
 */
#include "tests/samples/engine_nanite.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include <cellscope/ue.h>

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *data;

static struct cs_model *open_place_mesh(const char *folder, const char *name)
{
	char path[4400];
	struct cs_ue_place *place = NULL;
	struct cs_model *model = NULL;
	size_t file;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	works(cs_ue_place_open(path, NULL, NULL, &place), "%s: opens", name);
	works(cs_ue_place_find(place, name, &file), "%s: is there", name);
	works(cs_ue_place_open_mesh(place, file, NULL, &model), "%s: is decoded", name);
	cs_ue_place_close(place);
	return model;
}

/* ---- bytes ---- */

/*
 * The kinds of content of a page without a material table make up all its bytes but the header of a
 * loaded page, which has 16.
 */
static void check_content(const struct cs_model *m, const char *name)
{
	size_t right = 0;
	for (uint32_t p = 0; p < m->n_pages; p++) {
		const struct cs_model_page *page = &m->pages[p];
		const struct cs_model_content content =
			cs_model_content(m, page->first_cluster, page->n_clusters);
		right += content.materials == 0 ? page->gpu_bytes == content.bytes + 16
						: page->gpu_bytes > content.bytes + 16;
	}
	is_int(right, m->n_pages, "%s: what each page is full of makes up its bytes", name);
}

/* ---- exports ---- */

struct triangle {
	float at[3][3];
};

static int by_triangle(const void *left, const void *right)
{
	return memcmp(left, right, sizeof(struct triangle));
}

/* Returns the triangle with its least corner first; each -0 becomes 0. */
static struct triangle turned(const float *a, const float *b, const float *c)
{
	const float *const from[3] = {a, b, c};
	struct triangle t[3];
	for (int first = 0; first < 3; first++)
		for (int k = 0; k < 3; k++)
			for (int x = 0; x < 3; x++)
				t[first].at[k][x] = from[(first + k) % 3][x] + 0.0f;
	qsort(t, 3, sizeof(*t), by_triangle);
	return t[0];
}

/* Reads the triangles of an OBJ file with plain faces, in reverse direction. */
static struct triangle *read_answer(const char *path, size_t *n_ret)
{
	FILE *file = fopen(path, "r");
	float *places = NULL;
	struct triangle *triangles = NULL;
	size_t n = 0, n_places = 0;
	char line[200];
	while (file && fgets(line, sizeof(line), file)) {
		float p[3];
		unsigned v[3];
		if (sscanf(line, "v %f %f %f", &p[0], &p[1], &p[2]) == 3) {
			places = realloc(places, 3 * (n_places + 1) * sizeof(float));
			memcpy(places + 3 * n_places++, p, sizeof(p));
		} else if (sscanf(line, "f %u%*s %u%*s %u", &v[0], &v[1], &v[2]) == 3) {
			triangles = realloc(triangles, (n + 1) * sizeof(*triangles));
			triangles[n++] = turned(places + 3 * (size_t)(v[0] - 1),
				places + 3 * (size_t)(v[2] - 1), places + 3 * (size_t)(v[1] - 1));
		}
	}
	if (file)
		fclose(file);
	free(places);
	*n_ret = n;
	return triangles;
}

/* Compares the cut with at most that error, as a mesh, with the answer, triangle by triangle. */
static void check_export(const struct cs_model *m, double error, const char *answer)
{
	const struct cs_nanite_view uniform = {.uniform = true, .threshold = error};
	struct cs_model_cut cut;
	struct cs_mesh *mesh = NULL;
	char path[4096];
	size_t n = 0, differ = 0;
	works(cs_model_cut(m, &(struct cs_model_choice){.view = &uniform}, &cut), "a cut");
	works(cs_model_cut_mesh(m, &cut, NULL, &mesh), "as a mesh");
	free(cut.clusters);
	snprintf(path, sizeof(path), "%s/ue/answers/nanite/%s", data, answer);
	struct triangle *want = read_answer(path, &n);
	const struct cs_mesh_view view = cs_mesh_view(mesh);
	struct triangle *got = calloc(view.n_triangles + 1, sizeof(*got));
	for (size_t i = 0; i < view.n_triangles; i++)
		got[i] = turned(view.positions + 3 * (size_t)view.indices[3 * i],
			view.positions + 3 * (size_t)view.indices[3 * i + 1],
			view.positions + 3 * (size_t)view.indices[3 * i + 2]);
	is_int(view.n_triangles, (long long)n, "%s: triangles", answer);
	if (view.n_triangles == n) {
		qsort(got, n, sizeof(*got), by_triangle);
		qsort(want, n, sizeof(*want), by_triangle);
		for (size_t i = 0; i < n; i++)
			differ += memcmp(&got[i], &want[i], sizeof(*got)) != 0;
	}
	is_int(differ, 0, "%s: all of them are exported as it has them", answer);
	free(got);
	free(want);
	cs_mesh_free(mesh);
}

/* ---- rules that hold ---- */

static void note_rule(void *context, const struct cs_finding *finding)
{
	char *rules = context;
	if (!strstr(rules, finding->rule))
		snprintf(rules + strlen(rules), 200 - strlen(rules), "%s ", finding->rule);
}

static void is_sound(const struct cs_model *m, const char *name)
{
	char rules[200] = "";
	size_t n = 9;
	works(cs_model_check(m, NULL, note_rule, rules, &n), "%s: is checked", name);
	is_text(rules, "", "%s: no rule is broken", name);
}

/* ---- rules that are broken ---- */

enum fault {
	FAULT_BOX,
	FAULT_EDGE,
	FAULT_INDEX_BITS,
	FAULT_ERROR,
	FAULT_MATERIAL,
	FAULT_FLAT,
	FAULT_DEPENDENCY,
	FAULT_LATER,
	FAULT_GPU,
	FAULT_SLOT,
	FAULT_NO_SLOT,
	FAULT_SPHERE,
	FAULT_SOURCE,
	FAULT_PARENTS,
	FAULT_SEAM,
	FAULTS
};

static void break_model(struct cs_model *m, enum fault fault)
{
	struct cs_model_cluster *c = &m->clusters[3];
	switch (fault) {
	case FAULT_BOX:
		c->box_extent[0] += 1;
		break;
	case FAULT_EDGE:
		c->edge_length /= 4;
		break;
	case FAULT_INDEX_BITS:
		c->index_bits = 8;
		break;
	case FAULT_ERROR: /* larger than that of what it became */
		m->clusters[1].lod_error = 100;
		break;
	case FAULT_MATERIAL:
		m->materials[c->first_material].count--;
		break;
	case FAULT_FLAT: /* its seam stays, a triangle in its middle has no area */
		m->corners[3 * (c->first_triangle + 40) + 1] =
			m->corners[3 * (c->first_triangle + 40)];
		break;
	case FAULT_DEPENDENCY:
		m->dependency_first[2] = m->dependency_first[1];
		break;
	case FAULT_LATER:
		m->dependencies[m->dependency_first[1]] = 2;
		break;
	case FAULT_GPU:
		m->pages[0].gpu_bytes = m->pages[0].gpu_limit + 4;
		break;
	case FAULT_SLOT:
		m->slots[0].box_extent[0] /= 8;
		break;
	case FAULT_NO_SLOT:
		m->parts[0].slot = CS_NONE;
		break;
	case FAULT_SPHERE:
		c->lod_radius *= 100;
		break;
	case FAULT_SOURCE:
		m->input_triangles++;
		break;
	case FAULT_PARENTS:
		m->groups[c->group].n_parents = 0;
		break;
	default: /* a corner of the seam to the group beside moves in what 5 and 6 became */
		for (uint32_t v = 0; v < m->clusters[2].n_vertices; v++) {
			float *at = m->positions + 3 * (size_t)(m->clusters[2].first_vertex + v);
			if (at[0] == ENGINE_COLUMNS / 2 && at[1] == 1)
				at[2] += 1;
		}
	}
}

/* Each fault breaks its own rule, and those that follow from it. */
static void check_faults(void)
{
	static const char *const rules[FAULTS] = {"C8 ", "C9 ", "C3 ", "D3 ", "M1 ", "C11 ", "X10 ",
		"X11 ", "P5 ", "H4 ", "H3 ", "D3 ", "D8 ", "D2 ", "D5 "};
	char folder[4096];
	const struct engine_form form = {.release = CS_UE_5_6};
	snprintf(folder, sizeof(folder), "%s/ribbon-faults", test_folder());
	mkdir(folder, 0777);
	ok(engine_nanite_save(&form, folder), "a ribbon to break");
	for (int fault = 0; fault < FAULTS; fault++) {
		struct cs_model *m = open_place_mesh(folder, "SM_Ribbon.uasset");
		char broken[200] = "";
		size_t n;
		if (!m)
			return;
		break_model(m, (enum fault)fault);
		works(cs_model_check(m, NULL, note_rule, broken, &n), "fault %d", fault);
		ok(strstr(broken, rules[fault]) != NULL, "fault %d breaks %s: %s", fault,
			rules[fault], broken);
		cs_model_free(m);
	}
}

static void check_ribbons(void)
{
	for (int release = CS_UE_5_3; release <= CS_UE_6_0; release++) {
		char folder[4096];
		const struct engine_form form = {.release = (enum cs_ue_release)release};
		snprintf(folder, sizeof(folder), "%s/ribbon-rules-%s", test_folder(),
			cs_ue_releases[release].name);
		mkdir(folder, 0777);
		ok(engine_nanite_save(&form, folder), "a ribbon of %s",
			cs_ue_releases[release].name);
		struct cs_model *m = open_place_mesh(folder, "SM_Ribbon.uasset");
		if (m) {
			is_sound(m, folder);
			is_int(m->cluster_bytes, release < CS_UE_5_5 ? 112 : 128, "its clusters");
			is_int(m->uv_range_bytes, release < CS_UE_5_4 ? 32 : 8, "its UV ranges");
		}
		cs_model_free(m);
	}
}

static void check_answers(void)
{
	char folder[4096];
	struct cs_model *m;
	snprintf(folder, sizeof(folder), "%s/ue/cooked", data);
	m = open_place_mesh(folder, "UE5_8-Tagged-SM_Nanite.uasset");
	if (m) {
		is_sound(m, "5.8");
		check_content(m, "5.8");
		check_export(m, 0, "UE5_8-Tagged-SM_Nanite.lod0.obj");
		check_export(m, 9.9e9, "UE5_8-Tagged-SM_Nanite.coarsest.obj");
	}
	cs_model_free(m);
	m = open_place_mesh(folder, "UE5_3-mat_index_testing_cube.uasset");
	if (m) {
		is_sound(m, "5.3");
		check_content(m, "5.3");
		check_export(m, 9.9e9, "mat_index_testing_cube.coarsest.obj");
	}
	cs_model_free(m);
}

/* Verify compares the length of a .ubulk with that of the bulk data that is in it. */
static void test_length_of_bulk(void)
{
	static const enum cs_code codes[] = {0, CS_E_TRAILING, CS_E_TRUNCATED};
	char folder[4096];
	snprintf(folder, sizeof(folder), "%s/ribbon-bulk", test_folder());
	mkdir(folder, 0777);
	for (size_t i = 0; i < 6; i++) {
		const struct engine_form form = {.release = CS_UE_5_4, .zen = i > 2};
		const enum cs_code want = codes[i % 3];
		char path[4400];
		struct stat st;
		struct cs_ue_place *place = NULL;
		struct cs_ue_place_checked sum;
		struct cs_findings findings = {0};
		bool found = false;
		ok(engine_nanite_save(&form, folder), "a ribbon with bulk data");
		snprintf(path, sizeof(path), "%s/SM_Ribbon.ubulk", folder);
		ok(stat(path, &st) == 0, "its bulk data");
		(void)!truncate(path, st.st_size + (i % 3 == 1) - (i % 3 == 2));
		works(cs_ue_place_open(folder, NULL, NULL, &place), "opens");
		works(cs_ue_place_check(place, NULL, NULL, &findings, &sum), "is checked");
		for (size_t k = 0; k < findings.n; k++)
			found |=
				findings.at[k].code == want &&
				strstr(findings.at[k].message, "the bulk data of its package ends");
		ok(want ? found : findings.n == 0, "bulk data: %zu findings, as expected",
			findings.n);
		free(findings.at);
		cs_ue_place_close(place);
	}
}

/* Tools that unpack containers name a package .uzenasset: its mesh is listed all the same. */
static void test_unpacked_package(void)
{
	char folder[4096], from[4200], to[4200];
	const struct engine_form form = {.release = CS_UE_5_6, .zen = true};
	struct cs_ue_place *place = NULL;
	struct cs_ue_meshes *list = NULL;
	snprintf(folder, sizeof(folder), "%s/ribbon-unpacked", test_folder());
	mkdir(folder, 0777);
	ok(engine_nanite_save(&form, folder), "a ribbon in a container");
	snprintf(from, sizeof(from), "%s/SM_Ribbon.uasset", folder);
	snprintf(to, sizeof(to), "%s/SM_Ribbon.uzenasset", folder);
	is_int(rename(from, to), 0, "that a tool unpacks");
	works(cs_ue_place_open(folder, NULL, NULL, &place), "its folder opens");
	works(cs_ue_place_meshes(place, NULL, &list), "its meshes are listed");
	is_int(list ? list->n : 0, 1, "which are one");
	cs_ue_meshes_free(list);
	cs_ue_place_close(place);
}

int main(void)
{
	check_ribbons();
	check_faults();
	test_length_of_bulk();
	test_unpacked_package();
	data = shared_data();
	if (data)
		check_answers();
	else
		skip("no shared data: CELLSCOPE_DATA does not lead to it");
	return done();
}
