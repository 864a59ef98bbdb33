/* SPDX-License-Identifier: Apache-2.0 */
/*
 * StreamingGeneration logs: the engine's own, line by line; and small ones by hand, whole and
 * broken. What our cook makes of the engine's log is in ue_oracle.c.
 */
#include "tests/unit/ue/ue_world.h"

#include "core/guid.h"
#include "tests/samples/ue_bytes.h"
#include "ue/log/log_line.h"
#include "ue/package/cell_name.h"
#include <cellscope/cooked_values.h>

static char path[4096];

/* ---- the engine's log ---- */

/* Returns the value after a key of a line, found with nothing but strstr. */
static const char *value_of(const char *line, const char *key)
{
	const char *at = strstr(line, key);
	return at ? at + strlen(key) : "";
}

static bool is_box(const char *text, const struct cs_box *box)
{
	struct cs_box want;
	if (strncmp(text, "IsValid=false", 13) == 0)
		return !cs_box_valid(box);
	return sscanf(text, "IsValid=true, Min=(X=%lf Y=%lf Z=%lf), Max=(X=%lf Y=%lf Z=%lf)",
		       &want.min.x, &want.min.y, &want.min.z, &want.max.x, &want.max.y,
		       &want.max.z) == 6 &&
	       want.min.x == box->min.x && want.min.y == box->min.y && want.min.z == box->min.z &&
	       want.max.x == box->max.x && want.max.y == box->max.y && want.max.z == box->max.z;
}

static void check_flag(
	const char *line, const char *key, const struct cs_actor *actor, uint32_t flag)
{
	bool want = strncmp(value_of(line, key), "true", 4) == 0;
	if (want != ((actor->flags & flag) != 0))
		differs("%.40s: %s", line, key);
}

static void check_text(const char *line, const char *key, const char *got)
{
	const char *want = value_of(line, key);
	size_t n = strcspn(want, " \r\n");
	bool none = n == 4 && strncmp(want, "None", 4) == 0;
	if (none ? *got != '\0' : strlen(got) != n || strncmp(want, got, n) != 0)
		differs("%.40s: %s '%s'", line, key, got);
}

static void check_line(const char *line, const struct cs_world *world)
{
	struct cs_guid guid;
	if (!cs_guid_parse(value_of(line, "Guid:"), 32, &guid))
		return;
	uint32_t index = cs_world_find_actor(world, 0, guid);
	if (index == CS_NONE) {
		differs("%.40s: not in the world", line);
		return;
	}
	const struct cs_actor whole = cs_world_actor(world, index), *actor = &whole;
	check_text(line, " NativeClass:", cs_world_text(world, actor->native_class));
	check_text(line, " Name:", cs_world_text(world, actor->name));
	check_text(line, " Label:", cs_world_text(world, actor->label));
	check_text(line, " RuntimeGrid:", cs_world_text(world, actor->grid));
	check_text(line, " FolderPath:", cs_world_text(world, actor->folder));
	check_flag(line, " SpatiallyLoaded:", actor, CS_ACTOR_OWN_SPATIAL);
	check_flag(line, " EditorOnly:", actor, CS_ACTOR_EDITOR_ONLY);
	check_flag(line, " RuntimeOnly:", actor, CS_ACTOR_RUNTIME_ONLY);
	check_flag(line, " HLODRelevant:", actor, CS_ACTOR_HLOD_RELEVANT);
	check_flag(line, " IsMainWorldOnly:", actor, CS_ACTOR_MAIN_WORLD_ONLY);
	if (!is_box(value_of(line, " EditorBounds:"), &actor->editor_bounds))
		differs("%.40s: editor bounds", line);
	if (!is_box(value_of(line, " RuntimeBounds:"), &actor->bounds))
		differs("%.40s: runtime bounds", line);
	if (!actor->path || !actor->package)
		differs("%.40s: no path or package", line);
}

static void check_lines(const char *log, const struct cs_world *world)
{
	char *line = NULL;
	size_t room = 0, lines = 0;
	FILE *file = fopen(log, "r");
	ue_differences = 0;
	while (file && getline(&line, &room, file) > 0 && !strstr(line, "Clusters:")) {
		const char *guid = strstr(line, "- Guid:");
		if (!guid)
			continue;
		check_line(guid + 2, world);
		lines++;
	}
	is_int(lines, 137, "log: 137 descriptors in the file");
	is_int(ue_differences, 0, "log: every field of every descriptor");
	free(line);
	if (file)
		fclose(file);
}

static void test_engine_log(const char *data)
{
	struct cs_ue_log *log = NULL;
	struct cs_world *world = NULL;
	char name[4096];
	snprintf(name, sizeof(name), "%s/ue/logs/StreamingGeneration-OpenWorld-5.5.log", data);
	works(cs_ue_read_log(name, NULL, &log), "log: read");
	works(cs_ue_open_log(name, NULL, &world), "log: opened as a world");
	if (!log || !world)
		return;
	is_text(log->world, "Untitled_1", "log: its world");
	is_int(log->n_cells, 64, "log: 64 cells");
	is_int(log->n_actors, 64, "log: with one actor each");
	is_int(log->n_always_loaded, 73, "log: 73 actors always loaded");
	is_int(log->n_containers, 1, "log: one container instance");
	is_int(log->bad_lines, 0, "log: no bad line");
	is_int(world->actors.n, 137, "log: 137 actors");
	is_int(world->partitions.n, 1, "log: one partition");
	is_text(cs_world_text(world, world->partitions.at[0].name), "MainGrid", "log: MainGrid");
	is_double(world->partitions.at[0].cell_size, 25200, "log: its cell size");
	ok(!world->partitions.at[0].is_2d && world->partitions.at[0].assumed,
		"log: it is 3D, its range is assumed");
	is_int(world->partitions.at[0].setups.count, 1, "log: one HLOD setup");
	ok(world->setups.n == 1 && !world->setups.at[0].spatial &&
			strcmp(cs_world_text(world, world->setups.at[0].name), "PersistentLevel") ==
				0,
		"log: PersistentLevel, not spatial");
	is_text(cs_world_profile(world), "5.5", "log: profile");
	check_lines(name, world);
	cs_ue_log_free(log);
	cs_world_free(world);
}

/* ---- logs by hand ---- */

#define BOX(x) \
	"IsValid=true, Min=(X=" #x ".000 Y=0.000 Z=0.000), Max=(X=" #x ".500 Y=10.000 Z=10.000)"
#define NO_BOX "IsValid=false, Min=(X=0.000 Y=0.000 Z=0.000), Max=(X=0.000 Y=0.000 Z=0.000)"
#define DESC(digit, name, rest)                                                                    \
	"Guid:0000000000000000000000000000000" digit " NativeClass:/Script/Engine.StaticMeshActor" \
	" Name:" name " Label:" rest " EditorOnly:false RuntimeOnly:false HLODRelevant:true"       \
	" ListedInSceneOutliner:true IsMainWorldOnly:false"

/* A log has a shape of its own. */
/* clang-format off */
static const char small_log[] =
	"[+] Containers:\n"
	" |- [+] Container: /Game/M\n"
	" |   |- [+] ActorDescs:\n"
	" |   |   |- " DESC("1", "A", "two words Name:x SpatiallyLoaded:true EditorBounds:" BOX(5)
		" RuntimeBounds:" BOX(5) " RuntimeGrid:None") "\n"
	" |   |   |- " DESC("2", "B", "B SpatiallyLoaded:true EditorBounds:" NO_BOX
		" RuntimeBounds:" BOX(7) " RuntimeGrid:Far")
		" Parent:00000000000000000000000000000001 FolderPath:a b/c\n"
	" |   |   |- " DESC("3", "H", "H SpatiallyLoaded:false EditorBounds:" BOX(5)
		" RuntimeBounds:" BOX(5) " RuntimeGrid:Main:Set") "\n"
	" |   |   |- Guid:00000000000000000000000000000004 NativeClass:/Script/Engine.LevelInstance"
		" Name:L Label:L SpatiallyLoaded:true EditorBounds:" BOX(900)
		" RuntimeBounds:" BOX(900) " RuntimeGrid:None EditorOnly:false RuntimeOnly:false"
		" HLODRelevant:true ListedInSceneOutliner:true IsMainWorldOnly:false\n"
	" |   |- [+] Clusters:\n"
	" |   |   |- [+] [  0]\n"
	" |   |   |   |- Guid:00000000000000000000000000000002 NativeClass:x\n"
	" |   |   |   |- Guid:00000000000000000000000000000001 NativeClass:x\n"
	" |- [+] Container: /Game/Room\n"
	" |   |- [+] ActorDescs:\n"
	" |   |   |- " DESC("1", "R", "R SpatiallyLoaded:true EditorBounds:" BOX(1)
		" RuntimeBounds:" BOX(1) " RuntimeGrid:None") "\n"
	" |- ContainerInstances:\n"
	" |- [+] MainContainer:\n"
	" |   |-        ID: 00000000000000000000000000000000\n"
	" |   |-  ParentID: 00000000000000000000000000000000\n"
	" |   |-    Bounds: " BOX(5) "\n"
	" |   |- Transform: 0.000000,0.000000,0.000000|0.000000,0.000000,-0.000000|1.0,1.0,1.0\n"
	" |   |- Container: /Game/M\n"
	" |   |- [+] ContainerInstances:\n"
	" |   |   |-        ID: 000000000000000000000000000000AA\n"
	" |   |   |-  ParentID: 00000000000000000000000000000000\n"
	" |   |   |-    Bounds: " BOX(900) "\n"
	" |   |   |- Transform: 100.5,200.0,0.0|0.0,90.0,0.0|1.0,2.0,1.0\n"
	" |   |   |- Container: /Game/Room\n"
	"------------------\n"
	"M - Persistent Level\n"
	"[+] Content of M Persistent Level\n"
	" |- Always loaded Actor Count: 1 \n"
	" |- Actor Path: /Temp/M.M:PersistentLevel.H\n"
	" |- Actor Package: /Game/__ExternalActors__/M/H\n"
	"\n"
	"M - Runtime Hash Set\n"
	"[+] Content of Cell M_Far_L1_X0_Y0 (0123456789ABCDEFGHIJKLMNO)\n"
	" |- Actor Count: 1\n"
	" |- Cell Bounds: IsValid=true, Min=(X=0.0 Y=0.0 Z=-1.0), Max=(X=6400.0 Y=6400.0 Z=1.0)\n"
	" |- Is 2D: True\n"
	" |- [+] /Temp/M.M:PersistentLevel.B\n"
	" |   |-         Package: /Game/__ExternalActors__/M/B\n"
	" |   |-     Editor Only: 0\n"
	" |   |-   Instance Guid: 00000000000000000000000000000002\n"
	" |   |- [+] Container:\n"
	" |   |   |-        ID: 00000000000000000000000000000000\n"
	" |   |   |- Transform: 0.0,0.0,0.0|0.0,0.0,0.0|1.0,1.0,1.0\n"
	"[+] Content of Cell M_Main_L0_X0_Y0_Z0 (1123456789ABCDEFGHIJKLMNO)\n"
	" |- Actor Count: 1\n"
	" |- Cell Bounds: IsValid=true, Min=(X=0.0 Y=0.0 Z=0.0), Max=(X=1600.0 Y=1600.0 Z=1600.0)\n"
	" |- Is 2D: False\n"
	" |- [+] /Temp/M.M:PersistentLevel.A\n"
	" |   |-   Instance Guid: 00000000000000000000000000000001\n";
/* clang-format on */

static struct cs_world *open_text(const char *text, const char *what)
{
	struct cs_world *world = NULL;
	write_file(path, text, strlen(text));
	works(cs_ue_open_log(path, NULL, &world), "%s", what);
	return world;
}

static struct cs_actor actor_of(const struct cs_world *world, uint32_t digit)
{
	uint32_t index = cs_world_find_actor(world, 0, (struct cs_guid){0, 0, 0, digit});
	return index == CS_NONE ? (struct cs_actor){0} : cs_world_actor(world, index);
}

static void test_small(void)
{
	struct cs_world *world = open_text(small_log, "small: opened");
	if (!world)
		return;
	is_int(world->actors.n, 5, "small: five actors");
	const struct cs_actor first = actor_of(world, 1), second = actor_of(world, 2);
	const struct cs_actor fourth = actor_of(world, 4);
	const struct cs_actor *a = &first, *b = &second, *level = &fourth;
	is_text(cs_world_text(world, a->label), "two words Name:x",
		"small: a label can hold blanks and what looks like a key");
	ok(is_box(BOX(7), &b->bounds) && !cs_box_valid(&b->editor_bounds), "small: bounds");
	is_int(b->parent.d, 1, "small: parent");
	is_text(cs_world_text(world, b->folder), "a b/c", "small: folder with a blank");
	ok(b->references.count == 1 && world->guids.at[b->references.first].d == 1,
		"small: the first of a cluster references the others");
	is_int(a->references.count, 0, "small: and they do not reference it");
	is_text(cs_world_text(world, b->package), "/Game/__ExternalActors__/M/B",
		"small: package from the cell");
	is_int(b->assumed,
		CS_DEFAULT_LAYERS | CS_DEFAULT_HLOD_LAYER | CS_DEFAULT_TAGS | CS_DEFAULT_BUNDLE |
			CS_DEFAULT_EXTERNAL_LAYER,
		"small: what a log does not say is assumed");
	is_int(world->partitions.n, 2, "small: two partitions");
	is_text(cs_world_text(world, world->partitions.at[0].name), "Main",
		"small: that of actors without grid comes first");
	is_double(world->partitions.at[0].cell_size, 1600, "small: cell size of level 0");
	is_double(world->partitions.at[1].cell_size, 3200, "small: halved from level 1");
	ok(world->partitions.at[1].is_2d && !world->partitions.at[0].is_2d, "small: 2D");
	is_int(world->partitions.at[0].setups.count, 1, "small: a setup from a grid's name");
	const struct cs_source_partition *setup =
		&world->setups.at[world->partitions.at[0].setups.first];
	ok(setup->client_only && setup->assumed == setup->spatial,
		"small: which is of clients alone, and assumed where it streams");
	ok(setup->partition_class == CS_PARTITION_PERSISTENT && setup->loading_range == 0,
		"small: its actors do not stream: it is always loaded, at no range");
	is_int(world->containers.n, 2, "small: two containers");
	is_int(world->containers.at[1].actors.count, 1, "small: the second has an actor");
	ok(level->flags & CS_ACTOR_LEVEL_INSTANCE && level->level_instance == 0 &&
			world->level_instances.n == 1,
		"small: the level instance is known by the bounds of its container");
	is_double(level->transform.translation.x, 100.5, "small: and stands where that is");
	ok(fabs(level->transform.rotation.z - sqrt(0.5)) < 1e-9 && level->transform.scale.y == 2,
		"small: turned by its yaw");
	is_text(cs_world_profile(world), "5.5", "small: profile from the names of cells");
	cs_world_free(world);
}

static char *replaced(const char *from, const char *to)
{
	static char text[sizeof(small_log) + 1200];
	const char *at = strstr(small_log, from);
	if (!at) {
		ok(false, "the small log has no '%s'", from);
		return strcpy(text, small_log);
	}
	snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - small_log), small_log, to,
		at + strlen(from));
	return text;
}

static void test_profiles(void)
{
	struct cs_world *world =
		open_text(replaced("M_Far_L1_X0_Y0 ", "M_Far_0_0_0_1 "), "5.4: opened");
	is_text(cs_world_profile(world), "5.4", "5.4: coordinates before the level");
	cs_world_free(world);
	world = open_text(replaced("M_Far_L1_X0_Y0 ", "M_Far_L-1_X0_Y0 "), "5.6: opened");
	is_text(cs_world_profile(world), "5.6", "5.6: a cell of level -1, after one of 5.5");
	cs_world_free(world);
	world = open_text(replaced("Max=(X=6400.0 Y=6400.0 Z=1.0)", "Max=(X=0.3 Y=0.3 Z=1.0)"),
		"5.7: opened");
	is_text(cs_world_profile(world), "5.7", "5.7: an actor larger than its cell");
	is_double(world->partitions.at[1].cell_size, 0.15, "5.7: a cell of less than a centimetre");
	cs_world_free(world);
	world = open_text(replaced("Runtime Hash Set", "Runtime Spatial Hash"), "spatial: opened");
	is_int(world->settings.hash_class, CS_SOURCE_HASH_SPATIAL, "spatial: hash");
	ok(world->grids.n == 2 && world->partitions.n == 0, "spatial: grids");
	cs_world_free(world);
	struct cs_ue_cell_name parts;
	ok(cs_ue_parse_cell_name("W_A_B_L2_X-1_Y3_d00FF00FF", "W", &parts) && parts.level == 2 &&
			parts.partition_length == 3,
		"names: a partition with an underscore, a cell with layers");
	ok(!cs_ue_parse_cell_name("W_Grid", "W", &parts) &&
			!cs_ue_parse_cell_name("V_Grid_L0_X0_Y0", "W", &parts) &&
			!cs_ue_parse_cell_name("W_L0_X0_Y0", "W", &parts) &&
			!cs_ue_parse_cell_name("W_Grid_L99999999999999999999_X0_Y0", "W", &parts),
		"names: others are none");
}

/* Returns "line N," for the line that contains that piece of the small log. */
static const char *line_of(const char *piece)
{
	static char text[32];
	int line = 1;
	for (const char *c = small_log; c < strstr(small_log, piece); c++)
		line += *c == '\n';
	snprintf(text, sizeof(text), "line %d,", line);
	return text;
}

static void test_broken(void)
{
	static const struct {
		const char *from, *to, *what;
	} cases[] = {
		{"RuntimeBounds:IsValid=true, Min=(X=5", "RuntimeBounds:IsValid=true, Min=(X=five",
			"bounds without a number"},
		{"Guid:00000000000000000000000000000002 NativeClass:/",
			"Guid:0000000000000000000000000000 NativeClass:/", "a short GUID"},
		{"Guid:00000000000000000000000000000002 NativeClass:/",
			"GUID:00000000000000000000000000000002 NativeClass:/",
			"an actor in another form"},
		{"SpatiallyLoaded:false", "SpatiallyLoaded:maybe", "an odd boolean"},
		{"Content of Cell M_Main_L0_X0_Y0_Z0 (1123456789ABCDEFGHIJKLMNO)",
			"Content of Cell M_Main_L0_X0_Y0_Z0", "a cell without package"},
		{"Always loaded Actor Count: 1", "Always loaded Actor Count: 9", "a wrong count"},
		{"Transform: 100.5,200.0,0.0|", "Transform: 100.5,200.0|", "a short transform"},
	};
	struct cs_job job = {.log = remember};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cs_world *world = NULL;
		struct cs_ue_log *log = NULL;
		const char *text = replaced(cases[i].from, cases[i].to);
		write_file(path, text, strlen(text));
		logged[0] = '\0';
		works(cs_ue_read_log(path, &job, &log), "broken: %s: read", cases[i].what);
		if (log)
			ok(log->bad_lines > 0, "broken: %s: is counted", cases[i].what);
		/* a wrong count shows at the end of its section */
		bool count = strstr(cases[i].from, "Count") != NULL;
		const char *place = line_of(count ? "[+] Content of Cell M_Far" : cases[i].from);
		if (!ok(strstr(logged, place) != NULL, "broken: %s: is named", cases[i].what))
			diag("%s: %s", place, logged);
		works(cs_ue_open_log(path, NULL, &world), "broken: %s: still a world",
			cases[i].what);
		cs_ue_log_free(log);
		cs_world_free(world);
	}
	struct cs_world *none;
	char label[1100];
	snprintf(label, sizeof(label), "Label:%01030d", 7);
	const char *text = replaced("Label:two words", label);
	write_file(path, text, strlen(text));
	fails(cs_ue_open_log(path, NULL, &none), CS_E_LIMIT,
		"broken: a label longer than a cooked file may contain");
	write_file(path, "", 0);
	fails(cs_ue_open_log(path, NULL, &none), CS_E_LOG, "broken: an empty file");
	write_file(path, "hello\nworld\n", 12);
	fails(cs_ue_open_log(path, NULL, &none), CS_E_LOG, "broken: another text");
	fails(cs_ue_open_log("/nowhere/x.log", NULL, &none), CS_E_NOFILE, "broken: no file");
	struct cs_limits narrow = cs_limits_default();
	narrow.section_bytes = 100;
	const struct cs_job narrow_job = {.limits = &narrow};
	write_file(path, small_log, strlen(small_log));
	fails(cs_ue_open_log(path, &narrow_job, &none), CS_E_LIMIT,
		"broken: a line longer than the limit");
}

/* Returns the text with `front` in front of each of its lines. The caller frees it. */
static char *with_front(const char *text, const char *front)
{
	const size_t length = strlen(front);
	char *with = calloc(length + 1, strlen(text) + 1);
	size_t n = 0;
	for (const char *c = text; *c; c++) {
		if (c == text || c[-1] == '\n') {
			memcpy(with + n, front, length);
			n += length;
		}
		with[n++] = *c;
	}
	return with;
}

/* What may stand in front of each line of the log; and a log that lacks its beginning. */
static void test_in_front(void)
{
	static const char *const fronts[] = {
		"[2026.01.31-12.00.00:000][ 12]LogWorldPartition: Display: ",
		"[0012.34][ 12]LogWorldPartition: ", "LogWorldPartition: Display: ",
		"[2026-01-31T12:00:01.5Z] [2026.01.31-12.00.00:000][ 12]LogWorldPartition: ",
		"01-31 12:00:00.5  12  34 D UE : [2026.01.31-12.00.00:000][  1]LogX: ",
		"server-1  | [2026.01.31-12.00.00:000][  1]LogX: ", "\33[0;33m", "\33[m\33(B",
		"\33]0;cook\a\33]8;;http://ci/1\33\\LogX: ",
		"\33[36mserver-1  |\33[0m [2026.01.31-12.00.00:000][  1]\33[38;2;1;2;3mLogX: "};
	struct cs_world *plain = open_text(small_log, "in front: nothing");
	for (size_t i = 0; i < sizeof(fronts) / sizeof(fronts[0]); i++) {
		char *text = with_front(small_log, fronts[i]);
		struct cs_world *world = open_text(text, fronts[i]);
		ok(plain && world && same_worlds(plain, world, 0), "in front: the same world");
		cs_world_free(world);
		free(text);
	}
	char *colours = with_front(small_log, "\33[33m"), *end = strrchr(colours, '\n');
	memcpy(end, "\33[0", 3); /* the last line ends with a sequence that is cut */
	struct cs_world *coloured = open_text(colours, "colours to the end of the log");
	ok(plain && coloured && same_worlds(plain, coloured, 0), "colours: the same world");
	cs_world_free(coloured);
	free(colours);
	cs_world_free(plain);
	struct cs_job job = {.log = remember};
	const char *rest = strstr(small_log, "M - Runtime Hash Set");
	write_file(path, rest, strlen(rest));
	logged[0] = '\0';
	works(cs_ue_open_log(path, &job, &plain), "in front: only cells");
	ok(strstr(logged, "lacks its beginning") != NULL, "in front: what is missing is told");
	cs_world_free(plain);
}

/* A label that contains a clock belongs to its actor, whatever is in front of the line. */
static void test_clock_in_label(void)
{
	static const char *const labels[] = {"R[2024.01.01-01.01.01:000]k",
		"R[2024.01.01-01.01.01:000][  1]k", "R[2024.01.01-01.01.01:000][  1]LogX: k",
		"R[0012.34][  1]LogX: k"};
	static const char *const fronts[] = {"",
		"LogWorldPartition: Display: ", "[0012.34][ 12]LogWorldPartition: ",
		"2026-01-31T12:00:01.5Z [2026.01.31-12.00.00:000][ 12]LogWorldPartition: ",
		"a|b | [2026.01.31-12.00.00:000][ 12]LogWorldPartition: "};
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		for (size_t k = 0; k < sizeof(fronts) / sizeof(fronts[0]); k++) {
			char *text = with_front(replaced("two words Name:x", labels[i]), fronts[k]);
			struct cs_world *world = open_text(text, labels[i]);
			is_int(world ? world->actors.n : 0, 5, "clock in a label: five actors");
			if (world && world->actors.n == 5) {
				const struct cs_actor actor = actor_of(world, 1);
				is_text(cs_world_text(world, actor.label), labels[i],
					"clock in a label: after '%s'", fronts[k]);
			}
			cs_world_free(world);
			free(text);
		}
}

/* The log has duplicates, carriage returns, and bytes that are no UTF-8. */
static void test_odd(void)
{
	struct cs_world *world =
		open_text(replaced("Guid:00000000000000000000000000000002 NativeClass:/",
				  "Guid:00000000000000000000000000000001 NativeClass:/"),
			"odd: an actor twice");
	is_int(world ? world->actors.n : 0, 4, "odd: it counts once");
	cs_world_free(world);
	world = open_text(replaced("Label:two words", "Label:\x1b[2J\xff"), "odd: a hostile label");
	is_text(world ? cs_world_text(world, actor_of(world, 1).label) : "",
		"\x1b[2J\xc3\xbf Name:x", "odd: is kept as data, as UTF-8");
	cs_world_free(world);
	char *crlf = malloc(2 * sizeof(small_log));
	size_t n = 0;
	for (const char *c = small_log; *c; c++) {
		if (*c == '\n')
			crlf[n++] = '\r';
		crlf[n++] = *c;
	}
	struct cs_world *unix_world = open_text(small_log, "odd: with newlines"), *dos = NULL;
	write_file(path, crlf, n);
	works(cs_ue_open_log(path, NULL, &dos), "odd: with carriage returns");
	ok(unix_world && dos && same_worlds(unix_world, dos, 0), "odd: the same world");
	cs_world_free(unix_world);
	cs_world_free(dos);
	free(crlf);
}

/* Reads every truncation of the small log, and the log with every bit flipped. */
static void test_damage(void)
{
	size_t size = strlen(small_log), refused = 0, accepted = 0;
	char *bytes = malloc(size);
	for (size_t n = 0; n < size; n += tap_every()) {
		memcpy(bytes, small_log, n);
		struct cs_error *error = check_ue_log(bytes, n, "cut");
		refused += error != NULL;
		accepted += error == NULL;
		cs_error_free(error);
	}
	ok(refused > 100 / tap_every() && accepted > 100 / tap_every(),
		"damage: %zu cuts refused, %zu read in part", refused, accepted);
	refused = 0;
	for (size_t bit = 0; bit < size * 8; bit += tap_every()) {
		memcpy(bytes, small_log, size);
		bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
		struct cs_error *error = check_ue_log(bytes, size, "flip");
		refused += error != NULL;
		cs_error_free(error);
	}
	ok(refused < 100, "damage: %zu of %zu flips refused, none fatal", refused, size * 8);
	free(bytes);
}

/*
 * Bounds in a log have three decimals: a level instance is found up to 1 cm away in each direction.
 */
static void test_near(void)
{
	static const struct {
		const char *bounds;
		bool found;
	} cases[] = {{BOX(898), false}, {BOX(899), true}, {BOX(901), true}, {BOX(902), false}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char at[300];
		snprintf(at, sizeof(at), " |   |   |-    Bounds: %s", cases[i].bounds);
		struct cs_world *world =
			open_text(replaced(" |   |   |-    Bounds: " BOX(900), at), "near: opened");
		is_int(world ? world->level_instances.n : 9, cases[i].found, "near: %.30s",
			cases[i].bounds);
		cs_world_free(world);
	}
}

static void test_numbers(void)
{
	static const char *const texts[] = {"0", "-0.000", "12.5", "100800.000", "0.001", "-1.",
		".5", "123456789012345678901234567890.25", "0.0000000000000000001",
		"9007199254740993"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct cs_ue_piece piece = {texts[i], strlen(texts[i])};
		double got = 7, want = strtod(texts[i], NULL);
		ok(cs_ue_log_number(&piece, &got) && got == want && piece.n == 0, "number: %s",
			texts[i]);
	}
	struct cs_ue_piece none = {"-x", 2};
	double value;
	ok(!cs_ue_log_number(&none, &value), "number: a sign alone is none");
}

int main(void)
{
	const char *data = shared_data();
	fresh_folder(path, sizeof(path), "ue_log.log");
	test_small();
	test_near();
	test_profiles();
	test_broken();
	test_in_front();
	test_clock_in_label();
	test_odd();
	test_numbers();
	test_damage();
	unlink(path);
	if (data)
		test_engine_log(data);
	else
		skip("no shared data: CELLSCOPE_DATA does not lead to it");
	return done();
}
