/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the rules of the cook, one row each: which cell an actor ends in (world-partition rules
 * 1.3, 1.5 to 1.7) and what validation says and does (1.4), by small worlds in JSON lines.
 */
#include "core/guid.h"
#include "tests/make/make.h"
#include "tests/samples/tap.h"
#include "tests/unit/cook/cooking.h"
#include "world/world_internal.h"
#include <cellscope/cooked_values.h>

#define G(digits) "\"000000000000000000000000000000" digits "\""
#define ACTOR(digits, actor_name, rest)                                                     \
	"{\"guid\":" G(digits) ",\"name\":\"" actor_name "\",\"bounds_min\":[100,100,100]," \
			       "\"bounds_max\":[200,200,200]" rest "}\n"
#define NO_BOX(digits, actor_name) "{\"guid\":" G(digits) ",\"name\":\"" actor_name "\"}\n"
#define NONSPATIAL                 ",\"spatially_loaded\":false"
#define EDITOR                     ",\"editor_only\":true"
#define GRID(name)                 ",\"grid\":\"" name "\""
#define ON(layers)                 ",\"data_layers\":[" layers "]"
#define EXTERNAL(layer)            ",\"external_data_layer\":\"" layer "\""
#define TO(digits)                 ",\"references\":[" G(digits) "]"
#define IN(digits)                 ",\"parent\":" G(digits)
#define INSIDE                     ",\"container\":\"/Game/L\""
#define LEVEL(rest)                ",\"level_instance\":{\"level\":\"/Game/L\"" rest "}"
#define ELSEWHERE                  " 00000000000000000000000000000003 is in another container"
#define BUNDLE                     ",\"content_bundle\":\"0000000B000000000000000000000000\""
#define CLASS(name)                ",\"native_class\":\"/Script/Engine." name "\""
#define BOXED(digits, actor_name, low, high, rest)                                           \
	"{\"guid\":" G(digits) ",\"name\":\"" actor_name "\",\"bounds_min\":[" #low "," #low \
			       ",0],\"bounds_max\":[" #high "," #high ",10]" rest "}\n"
#define WORLD(settings, rest) \
	"{\"cellscope_world\":1,\"package\":\"/Game/M\",\"settings\":{" settings "}" rest "}\n"
#define LAYERS                                                                           \
	",\"layers\":[{\"name\":\"X\",\"label\":\"LX\",\"asset\":\"/Game/X\"},"          \
	"{\"name\":\"Y\",\"asset\":\"/Game/Y\"},"                                        \
	"{\"name\":\"Z\",\"asset\":\"/Game/Z\",\"type\":\"editor\"},{\"name\":\"N\"},"   \
	"{\"name\":\"E\",\"asset\":\"/Game/E\",\"external\":true},"                      \
	"{\"name\":\"F\",\"asset\":\"/Game/F\",\"external\":true},"                      \
	"{\"name\":\"C\",\"asset\":\"/Game/C\",\"filter\":\"client_only\"},"             \
	"{\"name\":\"A\",\"asset\":\"/Game/A\"},{\"name\":\"B\",\"asset\":\"/Game/B\"}," \
	"{\"name\":\"S\",\"asset\":\"/Game/S\",\"filter\":\"server_only\"}]"
#define GRIDS                                                                                                               \
	",\"partitions\":[{\"name\":\"MainGrid\",\"hlod_setups\":[{\"name\":\"Near\","                                      \
	"\"loading_range\":90000,\"hlod_layers\":[\"/H/Near\"]},{\"name\":\"Away\",\"spatial\":false}]},{\"name\":\"G1\"}," \
	"{\"name\":\"G2\",\"origin\":[150,0,0]},{\"name\":\"Levels\",\"class\":\"level_streaming\"}],"                      \
	"\"hlod_layers\":[{\"path\":\"/H/Near\"},{\"path\":\"/H/Stray\"}]"
#define PLAIN               WORLD("", LAYERS GRIDS)
#define DEFAULT             WORLD("", "")
#define HASH                WORLD("\"hash\":\"spatial_hash\"", LAYERS)
#define SMALL(value)        "\"hash\":\"spatial_hash\",\"place_small_actors_using_location\":\"" value "\""
#define OPTION(name, value) WORLD(SMALL("off") ",\"" name "\":\"" value "\"", "")
#define FAR                 BOXED("F1", "Far", 90000, 100800, "")

/* ---- which cell ---- */

/* Expected cells. CRCs of layer names are those of zlib, over each character and three zeros. */
static const struct {
	const char *rule, *profile, *lines, *actor, *cell;
} cells[] = {
	/* 1.1, 1.2 */
	{"a world that does not stream", "5.4",
		WORLD("\"streaming\":false", GRIDS) ACTOR("01", "A", GRID("G1")), "A",
		"M_PersistentLevel_Persistent"},
	{"a world that does not stream has no grids", "5.7",
		WORLD("\"streaming\":false", GRIDS) ACTOR("01", "A", GRID("G1")), "A",
		"M_MainGrid_L-1_X0_Y0_Z0"},
	{"an actor of the container of an external layer", "5.4",
		WORLD("", LAYERS GRIDS
			",\"containers\":[{\"package\":\"/Ext\",\"kind\":\"external_layer\","
			"\"external_data_layer\":\"/Game/E\"}]")
			ACTOR("01", "A", ",\"container\":\"/Ext\""),
		"A", "M_MainGrid_0_0_0_0_d8D8E7713"},
	{"an external layer sorts by its name", "5.4",
		PLAIN ACTOR("01", "A", EXTERNAL("/Game/E") ON("\"X\"")), "A",
		"M_MainGrid_0_0_0_0_d0AE634AD"},
	{"a layer by instance name", "5.4", PLAIN ACTOR("01", "A", ON("\"X\"")), "A",
		"M_MainGrid_0_0_0_0_d2FFDF851"},
	{"a layer by asset, in any case", "5.4", PLAIN ACTOR("01", "A", ON("\"/game/x\"")), "A",
		"M_MainGrid_0_0_0_0_d2FFDF851"},
	{"a layer by label", "5.4", PLAIN ACTOR("01", "A", ON("\"lx\"")), "A",
		"M_MainGrid_0_0_0_0_d2FFDF851"},
	{"an editor layer splits nothing", "5.4", PLAIN ACTOR("01", "A", ON("\"Z\"")), "A",
		"M_MainGrid_0_0_0_0"},
	{"a layer without asset is dropped", "5.1", PLAIN ACTOR("01", "A", ON("\"N\"")), "A",
		"M_MainGrid_L0_X0_Y0_Z0"},
	{"before 5.1 layers have no assets", "5.0", PLAIN ACTOR("01", "A", ON("\"N\"")), "A",
		"M_MainGrid_L0_X0_Y0_Z0_d5A8FF012"},
	{"the order of layers does not matter", "5.4", PLAIN ACTOR("01", "A", ON("\"Y\",\"X\"")),
		"A", "M_MainGrid_0_0_0_0_d55E47732"},
	{"an external layer is a layer", "5.4", PLAIN ACTOR("01", "A", EXTERNAL("/Game/E")), "A",
		"M_MainGrid_0_0_0_0_d8D8E7713"},
	/* 1.3 */
	{"an editor-only actor", "5.4", PLAIN ACTOR("01", "A", EDITOR), "A", "-"},
	{"a child follows its topmost parent's grid", "5.4",
		PLAIN ACTOR("01", "A", IN("02") GRID("G1")) ACTOR("02", "B", IN("03") GRID("G2"))
			ACTOR("03", "C", ""),
		"A", "M_MainGrid_0_0_0_0"},
	{"a child follows its parent's layers", "5.4",
		PLAIN ACTOR("01", "A", IN("02") ON("\"Y\"")) ACTOR("02", "B", ON("\"X\"")), "A",
		"M_MainGrid_0_0_0_0_d2FFDF851"},
	{"a child follows its parent's external layer", "5.4",
		PLAIN ACTOR("01", "A", IN("02") EXTERNAL("/Game/F"))
			ACTOR("02", "B", EXTERNAL("/Game/E")),
		"A", "M_MainGrid_0_0_0_0_d8D8E7713"},
	{"an editor-only parent overrides nothing", "5.4",
		PLAIN ACTOR("01", "A", IN("02") GRID("G1")) ACTOR("02", "B", EDITOR), "A",
		"M_G1_0_0_0_0"},
	{"a level that is standalone streams as one actor", "5.4",
		PLAIN ACTOR("01", "A", LEVEL(",\"behavior\":\"standalone\""))
			ACTOR("02", "B", INSIDE),
		"A", "M_MainGrid_0_0_0_0"},
	{"a level instance that is embedded is in no cell", "5.4",
		PLAIN ACTOR("01", "A", LEVEL("")) ACTOR("02", "B", INSIDE), "A", "-"},
	{"an actor for the main world only", "5.4",
		PLAIN ACTOR("01", "A", LEVEL(""))
			ACTOR("02", "B", INSIDE ",\"main_world_only\":true"),
		"B", "-"},
	/* 1.3.1 */
	{"inside: spatial and spatial", "5.4",
		PLAIN ACTOR("01", "A", NONSPATIAL LEVEL("")) ACTOR("02", "B", INSIDE), "B",
		"M_PersistentLevel_Persistent"},
	{"inside: not spatial when an outer instance is not", "5.4",
		PLAIN ACTOR("01", "A", NONSPATIAL ",\"level_instance\":{\"level\":\"/Game/O\"}")
			ACTOR("02", "B", LEVEL("") ",\"container\":\"/Game/O\"")
				ACTOR("03", "C", INSIDE),
		"C", "M_PersistentLevel_Persistent"},
	{"inside: the grid of an outer instance", "5.4",
		PLAIN ACTOR("01", "A", GRID("G1") ",\"level_instance\":{\"level\":\"/Game/O\"}")
			ACTOR("02", "B", LEVEL("") GRID("G2") ",\"container\":\"/Game/O\"")
				ACTOR("03", "C", INSIDE),
		"C", "M_G1_0_0_0_0"},
	{"inside: the external layer of an outer instance", "5.4",
		PLAIN ACTOR("01", "A",
			EXTERNAL("/Game/E") ",\"level_instance\":{\"level\":\"/Game/O\"}")
			ACTOR("02", "B", LEVEL("") ",\"container\":\"/Game/O\"")
				ACTOR("03", "C", INSIDE),
		"C", "M_MainGrid_0_0_0_0_d8D8E7713"},
	{"inside: layers of all around", "5.4",
		PLAIN ACTOR("01", "A", ON("\"X\"") ",\"level_instance\":{\"level\":\"/Game/O\"}")
			ACTOR("02", "B", LEVEL("") ON("\"Y\"") ",\"container\":\"/Game/O\"")
				ACTOR("03", "C", INSIDE),
		"C", "M_MainGrid_0_0_0_0_d55E47732"},
	{"inside: left out by either filter", "5.4",
		PLAIN ACTOR("01", "A",
			",\"level_instance\":{\"level\":\"/Game/O\",\"filter\":[\"/Game/X\"]}")
			ACTOR("02", "B",
				LEVEL(",\"filter\":[\"/Game/Y\"]") ",\"container\":\"/Game/O\"")
				ACTOR("03", "C", INSIDE ON("\"/Game/X\"")),
		"C", "-"},
	{"inside: the container's grid", "5.4",
		PLAIN ACTOR("01", "A", GRID("G1") LEVEL(""))
			ACTOR("02", "B", INSIDE GRID("Levels")),
		"B", "M_G1_0_0_0_0"},
	{"inside: its own grid when the container has none", "5.4",
		PLAIN ACTOR("01", "A", LEVEL("")) ACTOR("02", "B", INSIDE GRID("G1")), "B",
		"M_G1_0_0_0_0"},
	{"inside: layers of both", "5.4",
		PLAIN ACTOR("01", "A", ON("\"X\"") LEVEL(""))
			ACTOR("02", "B", INSIDE ON("\"Y\",\"X\"")),
		"B", "M_MainGrid_0_0_0_0_d55E47732"},
	{"inside: the container's external layer", "5.4",
		PLAIN ACTOR("01", "A", EXTERNAL("/Game/E") LEVEL("")) ACTOR("02", "B", INSIDE), "B",
		"M_MainGrid_0_0_0_0_d8D8E7713"},
	{"inside: the container's bundle", "5.4",
		PLAIN ACTOR("01", "A", BUNDLE LEVEL("")) ACTOR("02", "B", INSIDE), "B",
		"M_MainGrid_0_0_0_0_c0000000B"},
	{"inside: left out by the filter", "5.4",
		PLAIN ACTOR("01", "A", LEVEL(",\"filter\":[\"/Game/X\"]"))
			ACTOR("02", "B", INSIDE ON("\"/Game/X\"")),
		"B", "-"},
	{"inside: left out by the filter of an outer instance", "5.4",
		PLAIN ACTOR("01", "A",
			",\"level_instance\":{\"level\":\"/Game/O\",\"filter\":[\"/Game/X\"]}")
			ACTOR("02", "B", LEVEL("") ",\"container\":\"/Game/O\"")
				ACTOR("03", "C", INSIDE ON("\"/Game/X\"")),
		"C", "-"},
	{"inside: another layer than the filter's", "5.4",
		PLAIN ACTOR("01", "A", LEVEL(",\"filter\":[\"/Game/X\"]"))
			ACTOR("02", "B", INSIDE ON("\"/Game/Y\"")),
		"B", "M_MainGrid_0_0_0_0_d97419F34"},
	/* 1.6.1 to 1.6.3 */
	{"the default partition of 5.4", "5.4", DEFAULT ACTOR("01", "A", ""), "A",
		"M_MainGrid_0_0_0_0"},
	{"the default partition of 5.5 is 3D", "5.5", DEFAULT ACTOR("01", "A", ""), "A",
		"M_MainPartition_L0_X0_Y0_Z0"},
	{"that of 5.7 is 2D", "5.7", DEFAULT ACTOR("01", "A", ""), "A", "M_MainPartition_L0_X0_Y0"},
	{"2D ignores the height", "5.7",
		DEFAULT "{\"guid\":" G("01") ",\"name\":\"A\",\"bounds_min\":[0,0,0],"
					     "\"bounds_max\":[9,9,99999]}\n",
		"A", "M_MainPartition_L0_X0_Y0"},
	{"3D does not", "5.6",
		DEFAULT "{\"guid\":" G("01") ",\"name\":\"A\",\"bounds_min\":[0,0,0],"
					     "\"bounds_max\":[9,9,99999]}\n",
		"A", "M_MainPartition_L3_X0_Y0_Z0"},
	{"a quarter sticks out, 5.7", "5.7", DEFAULT BOXED("01", "A", -1100, 13900, ""), "A",
		"M_MainPartition_L0_X0_Y0"},
	{"a quarter sticks out, 5.6", "5.6", DEFAULT BOXED("01", "A", -1100, 13900, ""), "A",
		"M_MainPartition_L1_X0_Y0_Z0"},
	{"a grid by name, in any case", "5.4", PLAIN ACTOR("01", "A", GRID("g1")), "A",
		"M_G1_0_0_0_0"},
	{"a grid has an origin", "5.7", PLAIN BOXED("01", "A", 0, 10, GRID("G2")), "A",
		"M_G2_L0_X-1_Y0_Z0"},
	{"None is the default grid", "5.4", PLAIN ACTOR("01", "A", GRID("None")), "A",
		"M_MainGrid_0_0_0_0"},
	{"a level of a level streaming partition", "5.4",
		PLAIN ACTOR("01", "A", GRID("Levels.North")), "A", "M_Levels_North"},
	{"a level streaming partition alone", "5.4", PLAIN ACTOR("01", "A", GRID("Levels")), "A",
		"M_Levels_Default"},
	{"not spatial, on a level, 5.4", "5.4",
		PLAIN ACTOR("01", "A", GRID("Levels.North") NONSPATIAL), "A",
		"M_PersistentLevel_Persistent"},
	{"not spatial, on a level, 5.7", "5.7",
		PLAIN ACTOR("01", "A", GRID("Levels.North") NONSPATIAL), "A", "M_Levels_L-1_X0_Y0"},
	{"an HLOD setup", "5.4", PLAIN ACTOR("01", "A", GRID("MainGrid:near")), "A",
		"M_MainGrid_Near_0_0_0_0"},
	{"an HLOD setup that is not spatial", "5.7",
		PLAIN ACTOR("01", "A", GRID("MainGrid:Away") NONSPATIAL), "A", "M_Away_Persistent"},
	{"an LHGrid with a setup has no second token", "5.4",
		PLAIN ACTOR("01", "A", GRID("MainGrid.Sub:Near")), "A", "M_MainGrid_0_0_0_0"},
	{"the persistent partition has no name", "5.4",
		PLAIN ACTOR("01", "A", GRID("PersistentLevel")), "A", "M_MainGrid_0_0_0_0"},
	{"an LHGrid has no second token", "5.4", PLAIN ACTOR("01", "A", GRID("G1.Sub")), "A",
		"M_MainGrid_0_0_0_0"},
	{"three tokens are too many", "5.4", PLAIN ACTOR("01", "A", GRID("Levels.A.B")), "A",
		"M_MainGrid_0_0_0_0"},
	{"not spatial, on an unknown grid: the grid is not looked at", "5.4",
		PLAIN ACTOR("01", "A", GRID("G9") NONSPATIAL), "A", "M_PersistentLevel_Persistent"},
	{"not spatial, on an unknown grid, 5.7", "5.7",
		PLAIN ACTOR("01", "A", GRID("G9") NONSPATIAL), "A", "-"},
	{"an HLOD grid by the name of the setup's layer", "5.7",
		PLAIN ACTOR("01", "A", GRID("MainGrid:near")), "A", "M_MainGrid_Near_L0_X0_Y0_Z0"},
	{"without bounds, 5.4", "5.4", PLAIN NO_BOX("01", "A"), "A",
		"M_PersistentLevel_Persistent"},
	{"without bounds, 5.7", "5.7", PLAIN NO_BOX("01", "A"), "A", "M_MainGrid_L-1_X0_Y0_Z0"},
	{"not spatial with a layer, 5.7", "5.7", PLAIN ACTOR("01", "A", NONSPATIAL ON("\"X\"")),
		"A", "M_MainGrid_L-1_X0_Y0_Z0_d2FFDF851"},
	/* 1.6.5 */
	{"a content bundle", "5.4", PLAIN ACTOR("01", "A", BUNDLE), "A",
		"M_MainGrid_0_0_0_0_c0000000B"},
	{"a bundle is never always loaded", "5.4", PLAIN ACTOR("01", "A", BUNDLE NONSPATIAL), "A",
		"M_PersistentLevel_Persistent_c0000000B"},
	{"a layer and a bundle", "5.4", PLAIN ACTOR("01", "A", BUNDLE ON("\"X\"")), "A",
		"M_MainGrid_0_0_0_0_d2FFDF851_c0000000B"},
	/* 1.7 */
	{"spatial hash", "5.4", HASH ACTOR("01", "A", "") FAR, "A", "M_MainGrid_L0_X0_Y0"},
	{"spatial hash: layer and bundle", "5.4", HASH ACTOR("01", "A", BUNDLE ON("\"X\"")) FAR,
		"A", "M_MainGrid_L0_X0_Y0_DL2FFDF851_CB0000000B"},
	{"spatial hash: an unknown grid is the first", "5.4",
		HASH ACTOR("01", "A", GRID("G9") NONSPATIAL) FAR, "A", "M_MainGrid_L4_X0_Y0"},
	{"aligned levels lift what crosses the origin", "5.4",
		OPTION("use_aligned_grid_levels", "on") BOXED("01", "A", -9, 9, "") FAR, "A",
		"M_MainGrid_L4_X0_Y0"},
	{"levels that are not aligned do not", "5.4",
		OPTION("use_aligned_grid_levels", "off") BOXED("01", "A", -9, 9, "") FAR, "A",
		"M_MainGrid_L0_X0_Y0"},
	{"small actors by location", "5.4", WORLD(SMALL("on"), "") BOXED("01", "A", -9, 19, "") FAR,
		"A", "M_MainGrid_L0_X0_Y0"},
	{"partition actors by location", "5.4",
		OPTION("use_aligned_grid_levels\":\"on\",\"place_partition_actors_using_location",
			"on") BOXED("01", "A", -9, 19, CLASS("LandscapeStreamingProxy")) FAR,
		"A", "M_MainGrid_L0_X0_Y0"},
	{"partition actors by bounds", "5.4",
		OPTION("use_aligned_grid_levels\":\"on\",\"place_partition_actors_using_location",
			"off") BOXED("01", "A", -9, 19, CLASS("LandscapeStreamingProxy")) FAR,
		"A", "M_MainGrid_L4_X0_Y0"},
};

static void test_cells(void)
{
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		struct cooked_world w = cook_lines(cells[i].lines, cells[i].profile);
		is_text(cell_name_of(&w, cells[i].actor), cells[i].cell, "%s", cells[i].rule);
		is_text(broken_invariant(w.c) ? broken_invariant(w.c) : "-", "-", "%s: invariants",
			cells[i].rule);
		cooked_free(&w);
	}
}

/* ---- what validation says and does ---- */

#define NONE            (-1)
#define SCRIPT(digits)  WORLD("\"world_references\":[" G(digits) "]", LAYERS GRIDS)
#define ONE_LAYER(rest) WORLD("", ",\"layers\":[{\"name\":\"X\"" rest "}]")

/* Expected findings. `cell` is the cell of the actor A, or NULL when it is in none. */
static const struct {
	const char *what, *profile, *lines;
	int check, severity, repair, count;
	const char *reason, *cell;
} findings[] = {
	{"V0: spatial", "5.4", SCRIPT("01") ACTOR("01", "A", ""), CS_CHECK_WORLD_REFERENCE_SPATIAL,
		CS_ERROR, CS_REPAIR_NON_SPATIAL, 1, "referenced by the level script",
		"M_PersistentLevel_Persistent"},
	{"V0: not spatial", "5.4", SCRIPT("01") ACTOR("01", "A", NONSPATIAL),
		CS_CHECK_WORLD_REFERENCE_SPATIAL, NONE, NONE, 0, NULL,
		"M_PersistentLevel_Persistent"},
	{"V0: an editor-only actor", "5.4", SCRIPT("01") ACTOR("01", "A", EDITOR ON("\"X\"")), NONE,
		NONE, NONE, 0, NULL, "-"},
	{"V0: layers", "5.4", SCRIPT("01") ACTOR("01", "A", NONSPATIAL ON("\"X\"")),
		CS_CHECK_WORLD_REFERENCE_LAYERS, CS_ERROR, CS_REPAIR_NO_LAYERS, 1,
		"referenced by the level script", "M_PersistentLevel_Persistent"},
	{"V1: no asset", "5.1", ONE_LAYER(""), CS_CHECK_LAYER_INVALID_ASSET, CS_ERROR,
		CS_REPAIR_DROP_LAYER, 1, "no asset", NULL},
	{"V1: no asset before 5.1", "5.0", ONE_LAYER(""), CS_CHECK_LAYER_INVALID_ASSET, NONE, NONE,
		0, NULL, NULL},
	{"V1: one asset twice", "5.4",
		ONE_LAYER(",\"asset\":\"/A\"},{\"name\":\"Y\",\"asset\":\"/a\""),
		CS_CHECK_LAYER_ASSET_CONFLICT, CS_ERROR, CS_REPAIR_NONE, 1,
		"asset of another instance", NULL},
	{"V1: runtime under editor", "5.4",
		ONE_LAYER(",\"asset\":\"/A\",\"parent\":\"Y\"},{\"name\":\"Y\",\"asset\":\"/B\","
			  "\"type\":\"editor\""),
		CS_CHECK_LAYER_HIERARCHY, CS_ERROR, CS_REPAIR_NONE, 1,
		"runtime layer under an editor layer", NULL},
	{"V1: editor under runtime", "5.4",
		ONE_LAYER(",\"asset\":\"/A\",\"parent\":\"Y\",\"type\":\"editor\"},"
			  "{\"name\":\"Y\",\"asset\":\"/B\""),
		CS_CHECK_LAYER_HIERARCHY, CS_ERROR, CS_REPAIR_NONE, 1,
		"editor layer under a runtime layer", NULL},
	{"V1: editor under editor", "5.4",
		ONE_LAYER(",\"asset\":\"/A\",\"parent\":\"Y\",\"type\":\"editor\"},"
			  "{\"name\":\"Y\",\"asset\":\"/B\",\"type\":\"editor\""),
		CS_CHECK_LAYER_HIERARCHY, NONE, NONE, 0, NULL, NULL},
	{"V1: a ring", "5.4",
		ONE_LAYER(",\"asset\":\"/A\",\"parent\":\"Y\"},{\"name\":\"Y\",\"asset\":\"/B\","
			  "\"parent\":\"X\""),
		CS_CHECK_LAYER_HIERARCHY, CS_ERROR, CS_REPAIR_NONE, 2, "its parents form a cycle",
		NULL},
	{"V1: external with an editor asset", "5.4",
		ONE_LAYER(",\"asset\":\"/A\",\"external\":true,\"type\":\"editor\""),
		CS_CHECK_LAYER_ASSET_TYPE, CS_ERROR, CS_REPAIR_NONE, 1,
		"external layer with an editor asset", NULL},
	{"V2: an old descriptor", "5.4", PLAIN ACTOR("01", "A", ",\"needs_resave\":true"),
		CS_CHECK_NEEDS_RESAVE, CS_INFO, CS_REPAIR_NONE, 1, "saved by an older version",
		"M_MainGrid_0_0_0_0"},
	{"V2: a lost level", "5.4", PLAIN ACTOR("01", "A", LEVEL("")), CS_CHECK_LEVEL_INSTANCE,
		CS_ERROR, CS_REPAIR_NONE, 1, "world asset not found", "M_MainGrid_0_0_0_0"},
	{"V2: a lost level, standalone", "5.4",
		PLAIN ACTOR("01", "A", LEVEL(",\"behavior\":\"standalone\"")),
		CS_CHECK_LEVEL_INSTANCE, CS_ERROR, CS_REPAIR_NONE, 1, "world asset not found",
		"M_MainGrid_0_0_0_0"},
	{"V2: a lost level that nothing needs", "5.4",
		PLAIN ACTOR("01", "A", LEVEL(",\"behavior\":\"none\"")), NONE, NONE, NONE, 0, NULL,
		"M_MainGrid_0_0_0_0"},
	{"V2: a level in one file", "5.4",
		WORLD("", ",\"containers\":[{\"package\":\"/Game/L\",\"kind\":\"level\","
			  "\"external_actors\":false}]") ACTOR("01", "A", LEVEL("")),
		CS_CHECK_LEVEL_INSTANCE, CS_ERROR, CS_REPAIR_NONE, 1, "not using external actors",
		"M_MainGrid_0_0_0_0"},
	{"V2: the world in itself", "5.4",
		PLAIN ACTOR("01", "A", ",\"level_instance\":{\"level\":\"/Game/M\"}"),
		CS_CHECK_LEVEL_INSTANCE, CS_ERROR, CS_REPAIR_NONE, 1, "circular reference",
		"M_MainGrid_0_0_0_0"},
	{"V2: a level in itself", "5.4",
		PLAIN ACTOR("01", "LI", LEVEL("")) ACTOR("02", "Self", INSIDE LEVEL(""))
			ACTOR("03", "A", INSIDE),
		CS_CHECK_LEVEL_INSTANCE, CS_ERROR, CS_REPAIR_NONE, 1, "circular reference",
		"M_MainGrid_0_0_0_0"},
	{"V3 a: to an editor-only actor", "5.4",
		PLAIN ACTOR("01", "A", GRID("G1") TO("02")) ACTOR("02", "B", EDITOR), NONE, NONE,
		NONE, 0, NULL, "M_G1_0_0_0_0"},
	{"V3 a: an editor-only reference", "5.4",
		PLAIN ACTOR(
			"01", "A", TO("02") ",\"editor_only_references\":[" G("02") "]" GRID("G1"))
			ACTOR("02", "B", NONSPATIAL),
		NONE, NONE, NONE, 0, NULL, "M_G1_0_0_0_0"},
	{"V3: to its own parent", "5.4",
		PLAIN ACTOR("01", "A", TO("02") IN("02") GRID("G1")) ACTOR("02", "B", ""), NONE,
		NONE, NONE, 0, NULL, "M_MainGrid_0_0_0_0"},
	{"V3: to its own child", "5.4",
		PLAIN ACTOR("01", "A", TO("02")) ACTOR("02", "B", IN("01") NONSPATIAL), NONE, NONE,
		NONE, 0, NULL, "M_MainGrid_0_0_0_0"},
	{"V3 b: into a level", "5.4",
		PLAIN ACTOR("01", "A", TO("03")) ACTOR("02", "LI", LEVEL(""))
			ACTOR("03", "B", INSIDE NONSPATIAL),
		CS_CHECK_MISSING_REFERENCE, CS_ERROR, CS_REPAIR_DROP_REFERENCE, 1,
		"actor" ELSEWHERE, "M_MainGrid_0_0_0_0"},
	{"V3 b: a parent in a level", "5.4",
		PLAIN ACTOR("01", "A", IN("03")) ACTOR("02", "LI", LEVEL(""))
			ACTOR("03", "B", INSIDE NONSPATIAL),
		CS_CHECK_MISSING_REFERENCE, CS_ERROR, CS_REPAIR_DROP_REFERENCE, 1,
		"its parent" ELSEWHERE, "M_MainGrid_0_0_0_0"},
	{"V3 b: a parent in a level that is referenced, too", "5.4",
		PLAIN ACTOR("01", "A", IN("03") TO("03")) ACTOR("02", "LI", LEVEL(""))
			ACTOR("03", "B", INSIDE),
		CS_CHECK_MISSING_REFERENCE, CS_ERROR, CS_REPAIR_DROP_REFERENCE, 1,
		"actor" ELSEWHERE, "M_MainGrid_0_0_0_0"},
	{"V3 c: to nobody", "5.4", PLAIN ACTOR("01", "A", TO("99") IN("98")), NONE, NONE, NONE, 0,
		NULL, "M_MainGrid_0_0_0_0"},
	{"V3 d: a child is checked through its root", "5.4",
		PLAIN ACTOR("01", "A", IN("02") TO("03")) ACTOR("02", "B", NONSPATIAL)
			ACTOR("03", "C", NONSPATIAL),
		NONE, NONE, NONE, 0, NULL, "M_PersistentLevel_Persistent"},
	{"V3 e: other external layers", "5.4",
		PLAIN ACTOR("01", "A", EXTERNAL("/Game/E") TO("02"))
			ACTOR("02", "B", EXTERNAL("/Game/F")),
		CS_CHECK_REFERENCE_LAYERS, CS_ERROR, CS_REPAIR_DROP_REFERENCE, 1,
		"external data layer", "M_MainGrid_0_0_0_0_d8D8E7713"},
	{"V3 e: the same external layer", "5.4",
		PLAIN ACTOR("01", "A", EXTERNAL("/Game/E") TO("02"))
			ACTOR("02", "B", EXTERNAL("/Game/E")),
		NONE, NONE, NONE, 0, NULL, "M_MainGrid_0_0_0_0_d8D8E7713"},
	{"V3 f: no layers, but the external one stays", "5.4",
		PLAIN ACTOR("01", "A", EXTERNAL("/Game/E") ON("\"X\"") TO("02"))
			ACTOR("02", "B", EXTERNAL("/Game/E")),
		CS_CHECK_REFERENCE_LAYERS, CS_ERROR, CS_REPAIR_NO_LAYERS, 1, "data layers",
		"M_MainGrid_0_0_0_0_d8D8E7713"},
	{"V3 g: grids", "5.4",
		PLAIN ACTOR("01", "A", GRID("G1") TO("02")) ACTOR("02", "B", GRID("G2")),
		CS_CHECK_REFERENCE_GRID, CS_ERROR, CS_REPAIR_NO_GRID, 1, "runtime grids",
		"M_MainGrid_0_0_0_0"},
	{"V3 h: load filters", "5.7", PLAIN ACTOR("01", "A", ON("\"C\",\"S\"")),
		CS_CHECK_LOAD_FILTERS, CS_ERROR, CS_REPAIR_NO_LAYERS, 1,
		"load filters of its data layers", "M_MainGrid_L0_X0_Y0_Z0"},
	{"V3 h: one other filter", "5.7", PLAIN ACTOR("01", "A", ON("\"A\",\"B\",\"S\"")),
		CS_CHECK_LOAD_FILTERS, CS_ERROR, CS_REPAIR_NO_LAYERS, 1,
		"load filters of its data layers", "M_MainGrid_L0_X0_Y0_Z0"},
	{"V3 h: not before 5.7", "5.6", PLAIN ACTOR("01", "A", ON("\"C\",\"S\"")), NONE, NONE, NONE,
		0, NULL, NULL},
	{"V4: an unknown grid", "5.4", PLAIN ACTOR("01", "A", GRID("G9")), CS_CHECK_INVALID_GRID,
		CS_ERROR, CS_REPAIR_NO_GRID, 1, "unknown runtime grid", "M_MainGrid_0_0_0_0"},
	{"V4: an unknown grid that does not count", "5.4",
		PLAIN ACTOR("01", "A", NONSPATIAL GRID("G9")), CS_CHECK_INVALID_GRID, CS_WARNING,
		CS_REPAIR_NONE, 1, "unknown runtime grid: a non-spatial actor needs no grid",
		"M_PersistentLevel_Persistent"},
	{"V4: an unknown grid that drops", "5.7", PLAIN ACTOR("01", "A", NONSPATIAL GRID("G9")),
		CS_CHECK_INVALID_GRID, CS_WARNING, CS_REPAIR_NONE, 1,
		"unknown runtime grid: the non-spatial actor is dropped", "-"},
	{"V4: an unknown grid in two instances of a level", "5.4",
		PLAIN ACTOR("01", "LI", LEVEL("")) ACTOR("02", "LJ", LEVEL(""))
			ACTOR("03", "A", INSIDE GRID("G9")),
		CS_CHECK_INVALID_GRID, CS_ERROR, CS_REPAIR_NO_GRID, 1, "unknown runtime grid",
		"M_MainGrid_0_0_0_0"},
	{"V4: an HLOD layer of no setup", "5.4",
		PLAIN ACTOR("01", "A", ",\"hlod_layer\":\"/H/Stray\""), CS_CHECK_INVALID_HLOD_LAYER,
		CS_ERROR, CS_REPAIR_NO_HLOD_LAYER, 1, "not in the HLOD setups of its partition",
		"M_MainGrid_0_0_0_0"},
	{"V4: an HLOD layer of no setup, 5.7", "5.7",
		PLAIN ACTOR("01", "A", ",\"hlod_layer\":\"/H/Stray\""), CS_CHECK_INVALID_HLOD_LAYER,
		NONE, NONE, 0, NULL, "M_MainGrid_L0_X0_Y0_Z0"},
	{"V4: an HLOD layer of a setup", "5.4",
		PLAIN ACTOR("01", "A", ",\"hlod_layer\":\"/h/near\""), NONE, NONE, NONE, 0, NULL,
		"M_MainGrid_0_0_0_0"},
	{"V4: the HLOD layer of the level instance counts", "5.4",
		PLAIN ACTOR("01", "LI", LEVEL("") ",\"hlod_layer\":\"/H/Stray\"")
			ACTOR("03", "A", INSIDE ",\"hlod_layer\":\"/H/Near\""),
		CS_CHECK_INVALID_HLOD_LAYER, CS_ERROR, CS_REPAIR_NO_HLOD_LAYER, 1,
		"not in the HLOD setups of its partition", "M_MainGrid_0_0_0_0"},
	{"V4: the HLOD layer of an outer level instance counts", "5.4",
		PLAIN ACTOR("01", "LI",
			",\"level_instance\":{\"level\":\"/Game/O\"},\"hlod_layer\":\"/H/Stray\"")
			ACTOR("02", "LJ", LEVEL("") ",\"container\":\"/Game/O\"")
				ACTOR("03", "A", INSIDE ",\"hlod_layer\":\"/H/Near\""),
		CS_CHECK_INVALID_HLOD_LAYER, CS_ERROR, CS_REPAIR_NO_HLOD_LAYER, 1,
		"not in the HLOD setups of its partition", "M_MainGrid_0_0_0_0"},
	{"V4: what a kept actor references is kept", "5.4",
		PLAIN ACTOR("01", "LI", LEVEL(",\"filter\":[\"/Game/Z\"]")) ACTOR("03", "B",
			INSIDE TO("04")) ACTOR("04", "C", INSIDE ON("\"/Game/Z\"") TO("05"))
			ACTOR("05", "A", INSIDE ON("\"/Game/Z\"")),
		CS_CHECK_MISSING_REFERENCE, CS_ERROR, CS_REPAIR_KEEP_FILTERED, 2,
		"the actor is filtered out", "M_MainGrid_0_0_0_0"},
	{"V4: it is filtered out of both, but referenced in both", "5.4",
		PLAIN ACTOR("01", "LI", LEVEL(",\"filter\":[\"/Game/Z\"]")) ACTOR("02", "LJ",
			LEVEL(",\"filter\":[\"/Game/Z\"]")) ACTOR("03", "B", INSIDE TO("04"))
			ACTOR("04", "A", INSIDE ON("\"/Game/Z\"")),
		CS_CHECK_MISSING_REFERENCE, CS_ERROR, CS_REPAIR_KEEP_FILTERED, 2,
		"the actor is filtered out", "M_MainGrid_0_0_0_0"},
};

/* Counts the findings of `check`, or with NONE those about no actor, as of the layers of PLAIN. */
static int count_findings(
	const struct cs_cooked *c, int check, const struct cs_cooked_finding **last)
{
	int n = 0;
	for (size_t i = 0; i < c->n_findings; i++) {
		const struct cs_cooked_finding *f = &c->findings[i];
		if (check == NONE ? f->actor == CS_NONE : f->check != (uint32_t)check)
			continue;
		*last = f;
		n++;
	}
	return n;
}

static void test_findings(void)
{
	for (size_t i = 0; i < sizeof(findings) / sizeof(findings[0]); i++) {
		const char *what = findings[i].what;
		const struct cs_cooked_finding *f = NULL;
		struct cooked_world w = cook_lines(findings[i].lines, findings[i].profile);
		is_int(count_findings(w.c, findings[i].check, &f), findings[i].count,
			"%s: findings", what);
		if (f && findings[i].count) {
			is_int(f->severity, findings[i].severity, "%s: severity", what);
			is_int(f->repair, findings[i].repair, "%s: repair", what);
			is_text(cs_cooked_text(w.c, f->reason), findings[i].reason, "%s: reason",
				what);
		}
		if (findings[i].cell)
			is_text(cell_name_of(&w, "A"), findings[i].cell, "%s: the cell", what);
		cooked_free(&w);
	}
}

/* ---- what a row cannot say ---- */

static void test_references(void)
{
	struct cooked_world w = cook_lines(PLAIN ACTOR("01", "Child", TO("02") IN("02"))
						   ACTOR("02", "Parent", TO("01")),
		"5.4");
	is_int(w.c->n_references, 2, "parent and child reference each other");
	for (size_t i = 0; i < w.c->n_references; i++)
		is_int(cs_cooked_reference(w.c, i)->state, CS_REFERENCE_FAMILY,
			"which is in the family, and no edge");
	cooked_free(&w);
}

static void test_equals(void)
{
	struct cooked_world w =
		cook_lines(PLAIN ACTOR("01", "A", "") ACTOR("02", "B", TO("01")), "5.4");
	const struct cs_cooked_set *set = cs_cooked_set(w.c, actor_named(&w, "A")->set);
	is_int(set->largest, actor_named(&w, "A") - cs_cooked_actor(w.c, 0),
		"of members of one size the first is the largest");
	cooked_free(&w);
}

/* Rule 1.3 step 5: an actor that is not spatially loaded does not widen the bounds of the world. */
static void test_bounds(void)
{
	struct cooked_world w = cook_lines(
		PLAIN ACTOR("01", "A", "") BOXED("02", "Sky", -90000, 90000, NONSPATIAL), "5.4");
	is_double(w.c->world->bounds.max.x, 200, "bounds of the world: spatial actors alone");
	cooked_free(&w);
}

#define AT(x, y, yaw) \
	",\"transform\":{\"pos\":[" #x "," #y ",0],\"rot\":[0,0,0.70710678118654752," #yaw "]}"

/* Rule 1.3 step 6: an instance within an instance, both turned by 90 degrees. */
static void test_nesting(void)
{
	struct cooked_world w = cook_lines(
		PLAIN ACTOR("01", "O",
			AT(1000, 0,
				0.70710678118654752) ",\"level_instance\":{\"level\":\"/Game/O\"}")
			ACTOR("02", "P",
				AT(5000, 0,
					0.70710678118654752) ",\"level_instance\":{\"level\":\"/Game/O\"}")
				ACTOR("03", "I",
					AT(100, 0, 0.70710678118654752)
						LEVEL("") ",\"container\":\"/Game/O\"")
					ACTOR("04", "A", INSIDE),
		"5.4");
	const struct cs_cooked_actor *first = actor_named(&w, "A"), *second = NULL;
	for (size_t i = 0; i < w.c->n_actors; i++)
		if (strcmp(cs_cooked_text(w.c, cs_cooked_actor(w.c, i)->name), "A") == 0 &&
			cs_cooked_actor(w.c, i) != first)
			second = cs_cooked_actor(w.c, i);
	ok(first->bounds.max.x > 899.99 && first->bounds.max.x < 900.01 &&
			first->bounds.max.y > -0.01 && first->bounds.max.y < 0.01,
		"(1000,0) + turned (100,0) + turned twice (100..200): x 800..900, y -100..0");
	ok(second && cs_guid_compare(
			     cs_cooked_detail(w.c, first - cs_cooked_actor(w.c, 0))->instance_guid,
			     cs_cooked_detail(w.c, second - cs_cooked_actor(w.c, 0))
				     ->instance_guid) != 0,
		"each instance of an actor has an identity of its own");
	cooked_free(&w);
}

/* Rule 1.6.5: which actors share a cell. */
static void test_sharing(void)
{
	struct cooked_world w = cook_lines(
		PLAIN ACTOR("01", "A", GRID("Levels.North")) ACTOR("02", "B", GRID("Levels.South"))
			ACTOR("03", "C", GRID("levels.NORTH")) ACTOR("04", "D", "")
				ACTOR("05", "E", BUNDLE),
		"5.4");
	is_text(cell_name_of(&w, "B"), "M_Levels_South", "each level has a cell");
	ok(cell_of(&w, "A") == cell_of(&w, "C"), "in any case");
	ok(cell_of(&w, "D") != cell_of(&w, "E"), "a content bundle has cells of its own");
	is_int(cell_of(&w, "D")->actors.count, 1, "which are not those of the world");
	ok(cs_guid_compare(cell_of(&w, "D")->guid, cell_of(&w, "E")->guid) != 0,
		"and GUIDs of their own");
	ok(near_box(&cell_of(&w, "B")->box, &cell_of(&w, "B")->content, 0),
		"the cell of a level is as large as its actors");
	cooked_free(&w);
}

static void test_external_layer(void)
{
	struct cooked_world w = cook_lines(PLAIN ACTOR("01", "A", ON("\"A\",\"E\",\"F\"")), "5.4");
	const struct cs_cooked_cell *cell = cell_of(&w, "A");
	is_int(cell->layers.count, 2, "an external layer among the others, and another");
	is_text(cs_cooked_text(w.c, w.c->layers[w.c->cell_layers[cell->layers.first]].name), "E",
		"of two the first by name comes first, whatever its name");
	ok(cell->external_layer == w.c->cell_layers[cell->layers.first], "and is that of the cell");
	cooked_free(&w);
}

static void test_editor_only_level(void)
{
	struct cooked_world w = cook_lines(
		PLAIN ACTOR("01", "A", EDITOR LEVEL("")) ACTOR("02", "B", INSIDE), "5.4");
	is_int(w.c->n_containers, 1, "a level instance that is editor-only embeds nothing");
	cooked_free(&w);
}

#define SETTINGS(rest)                                                                  \
	WORLD("", ",\"layers\":[{\"name\":\"X\",\"asset\":\"/X\",\"priority\":4},"      \
		  "{\"name\":\"Y\",\"asset\":\"/Y\",\"priority\":3}],\"partitions\":[{" \
		  "\"name\":\"MainGrid\"" rest "}]")

/* Rule 1.6.6: a cell takes values from its partition and, from 5.7, also from its layers. */
static void test_cell_values(void)
{
	const uint32_t flags = CS_CELL_CLIENT_ONLY | CS_CELL_BLOCK_ON_SLOW;
	const char *lines = SETTINGS(",\"priority\":10,\"client_only\":true,\"block_on_slow\":true")
		ACTOR("01", "A", ON("\"X\",\"Y\""));
	struct cooked_world w = cook_lines(lines, "5.7");
	is_int(cell_of(&w, "A")->priority, 17, "5.7: priority of the grid and of the layers");
	is_int(cell_of(&w, "A")->flags & flags, flags, "client only, block on slow");
	cooked_free(&w);
	w = cook_lines(lines, "5.6");
	is_int(cell_of(&w, "A")->priority, 10, "5.6: of the grid alone");
	cooked_free(&w);
	w = cook_lines(SETTINGS(",\"priority\":2147483645") ACTOR("01", "A", ON("\"X\"")), "5.7");
	is_int(cell_of(&w, "A")->flags & flags, 0, "neither is the default");
	is_int(cell_of(&w, "A")->priority, INT32_MAX, "the last priority has none behind it");
	cooked_free(&w);
}

/* Rule 1.7.5: names of grids are compared without case, and their cells have the same GUIDs. */
static void test_guids(void)
{
	struct cooked_world a =
		cook_lines(WORLD("\"hash\":\"spatial_hash\"", ",\"grids\":[{\"name\":\"Grid\"}]")
				   ACTOR("01", "A", ""),
			"5.4");
	struct cooked_world b =
		cook_lines(WORLD("\"hash\":\"spatial_hash\"", ",\"grids\":[{\"name\":\"GRID\"}]")
				   ACTOR("01", "A", ""),
			"5.4");
	ok(cs_guid_compare(cell_of(&a, "A")->guid, cell_of(&b, "A")->guid) == 0,
		"the case of a grid's name does not change the GUID of a cell");
	cooked_free(&a);
	cooked_free(&b);
}

static void test_flags(void)
{
	struct cooked_world w = cook_lines(
		PLAIN ACTOR("01", "LI", NONSPATIAL LEVEL(",\"filter\":[\"/Game/X\"]"))
			ACTOR("02", "A", INSIDE) ACTOR("03", "B", INSIDE ON("\"/Game/X\"")),
		"5.4");
	is_int(actor_named(&w, "A")->flags & (CS_ACTOR_OWN_SPATIAL | CS_ACTOR_SPATIAL),
		CS_ACTOR_OWN_SPATIAL, "spatial by itself, not where it is");
	ok(actor_named(&w, "B")->flags & CS_ACTOR_FILTERED, "left out by a filter");
	ok(!(actor_named(&w, "A")->flags & CS_ACTOR_FILTERED), "not left out");
	cooked_free(&w);
}

/* Rule 1.6.1: which bounds a cell streams by. */
static void test_bounds_methods(void)
{
	static const struct {
		const char *method, *profile;
		double max;
	} methods[] = {{"default", "5.4", 13000}, {"default", "5.5", 12800},
		{"content", "5.5", 13000}, {"cell", "5.4", 12800},
		{"min_content_cell", "5.4", 12800}};
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		char lines[600];
		snprintf(lines, sizeof(lines),
			WORLD("",
				",\"partitions\":[{\"name\":\"MainGrid\",\"bounds_method\":\"%s\"}]")
				BOXED("01", "A", 6400, 13000, ""),
			methods[i].method);
		struct cooked_world w = cook_lines(lines, methods[i].profile);
		is_double(cell_of(&w, "A")->content.max.x, methods[i].max, "%s, %s: right edge",
			methods[i].profile, methods[i].method);
		is_double(cell_of(&w, "A")->content.min.x,
			strcmp(methods[i].method, "cell") == 0 ? 0 : 6400, "%s, %s: left edge",
			methods[i].profile, methods[i].method);
		cooked_free(&w);
	}
}

/* Rule 1.7.1: options, and the engines' defaults for options that are left to the project. */
static void test_options(void)
{
	static const struct {
		const char *settings, *profile;
		uint32_t flags;
	} options[] = {
		{"\"use_aligned_grid_levels\":\"on\",\"snap_non_aligned_grid_levels\":\"on\"",
			"5.4", CS_PARTITION_ALIGNED},
		{"\"use_aligned_grid_levels\":\"off\",\"snap_non_aligned_grid_levels\":\"on\"",
			"5.4", CS_PARTITION_SNAP},
		{"\"use_aligned_grid_levels\":\"project\"", "5.4", CS_PARTITION_ALIGNED},
		{"\"z_culling\":\"on\"", "5.4", CS_PARTITION_Z_CULLING},
		{"\"z_culling\":\"project\"", "5.4", 0},
		{"\"place_partition_actors_using_location\":\"project\"", "5.0", 0},
		{"\"place_partition_actors_using_location\":\"project\"", "5.1",
			CS_PARTITION_PARTITION_ACTORS},
	};
	const uint32_t asked = CS_PARTITION_ALIGNED | CS_PARTITION_SNAP | CS_PARTITION_Z_CULLING;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		char lines[600];
		snprintf(lines, sizeof(lines),
			"{\"cellscope_world\":1,\"settings\":{\"hash\":\"spatial_hash\",%s}}\n",
			options[i].settings);
		struct cooked_world w = cook_lines(lines, options[i].profile);
		uint32_t about = strstr(options[i].settings, "partition_actors")
					 ? CS_PARTITION_PARTITION_ACTORS
					 : asked;
		is_int(w.c->partitions[0].flags & about, options[i].flags, "%s: %s",
			options[i].profile, options[i].settings);
		cooked_free(&w);
	}
}

/* Rule 1.1: unsaved changes take part only in Play In Editor. */
static void test_triggers(void)
{
	static const struct {
		enum cs_trigger trigger;
		double moved;
	} triggers[] = {{CS_TRIGGER_COOK, 29950}, {CS_TRIGGER_PIE, 59950}};
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, 0, 1};
	struct cs_world *world = NULL;
	works(make_test_world(&recipe, NULL, &world), "hard world");
	for (size_t i = 0; i < 2; i++) {
		const struct cs_cook_options options = {.trigger = triggers[i].trigger};
		struct cooked_world w = cook_world(world, &options, 0);
		bool added = false, deleted = false;
		double moved = 0;
		int unsaved = 0;
		for (size_t k = 0; k < w.c->n_actors; k++) {
			const struct cs_cooked_actor *a = cs_cooked_actor(w.c, k);
			const char *name = cs_cooked_text(w.c, a->name);
			added = added || strncmp(name, "JustAdded", 9) == 0;
			deleted = deleted || strncmp(name, "JustDeleted", 11) == 0;
			if (strncmp(name, "Moved_", 6) == 0)
				moved = a->bounds.min.x;
			unsaved += (a->flags & CS_ACTOR_UNSAVED) != 0;
		}
		bool pie = triggers[i].trigger == CS_TRIGGER_PIE;
		ok(added == pie && deleted != pie, "%s: what is added and deleted unsaved",
			pie ? "play" : "cook");
		is_int(unsaved, pie ? 2 : 0, "%s: actors that are not saved",
			pie ? "play" : "cook");
		is_double(moved, triggers[i].moved, "%s: what is moved unsaved",
			pie ? "play" : "cook");
		cooked_free(&w);
	}
	cs_world_free(world);
}

/* Rule 1.3 step 1: an editor-only actor takes part in Play In Editor when it is allowed there. */
static void test_editor_only_in_pie(void)
{
	struct cs_world *world = read_lines(PLAIN ACTOR("01", "A", EDITOR) ACTOR("02", "B",
		EDITOR ",\"editor_only_in_pie\":true") ACTOR("03", "Child", IN("02") GRID("G1")));
	for (int pie = 0; pie < 2; pie++) {
		const struct cs_cook_options options = {
			.trigger = pie ? CS_TRIGGER_PIE : CS_TRIGGER_COOK};
		struct cooked_world w = cook_world(world, &options, 0);
		is_text(cell_name_of(&w, "A"), "-", "%d: never", pie);
		is_text(cell_name_of(&w, "B"), pie ? "M_MainGrid_0_0_0_0" : "-", "%d: B", pie);
		is_text(cell_name_of(&w, "Child"), pie ? "M_MainGrid_0_0_0_0" : "M_G1_0_0_0_0",
			"%d: its child follows it where it takes part", pie);
		cooked_free(&w);
	}
	cs_world_free(world);
}

int main(void)
{
	test_editor_only_in_pie();
	test_cells();
	test_findings();
	test_references();
	test_equals();
	test_bounds();
	test_nesting();
	test_sharing();
	test_external_layer();
	test_editor_only_level();
	test_cell_values();
	test_guids();
	test_flags();
	test_bounds_methods();
	test_options();
	test_triggers();
	return done();
}
