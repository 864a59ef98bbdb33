/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the rules of the cook, one row each: which cell an actor ends in (world-partition rules
 * 1.3, 1.5 to 1.7) and what validation says and does (1.4), by small worlds in JSON lines.
 */
#include "tests/tap.h"
#include "tests/unit/cooking.h"
#include "world/world.h"

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
#define BUNDLE                     ",\"content_bundle\":\"0000000B000000000000000000000000\""
#define CLASS(name)                ",\"native_class\":\"/Script/Engine." name "\""
#define BOXED(digits, actor_name, low, high, rest)                                           \
	"{\"guid\":" G(digits) ",\"name\":\"" actor_name "\",\"bounds_min\":[" #low "," #low \
			       ",0],\"bounds_max\":[" #high "," #high ",10]" rest "}\n"

#define WORLD(settings, rest) \
	"{\"cellscope_world\":1,\"package\":\"/Game/M\",\"settings\":{" settings "}" rest "}\n"
#define LAYERS                                                                         \
	",\"layers\":[{\"name\":\"X\",\"label\":\"LX\",\"asset\":\"/Game/X\"},"        \
	"{\"name\":\"Y\",\"asset\":\"/Game/Y\"},"                                      \
	"{\"name\":\"Z\",\"asset\":\"/Game/Z\",\"type\":\"editor\"},{\"name\":\"N\"}," \
	"{\"name\":\"E\",\"asset\":\"/Game/E\",\"external\":true},"                    \
	"{\"name\":\"F\",\"asset\":\"/Game/F\",\"external\":true},"                    \
	"{\"name\":\"C\",\"asset\":\"/Game/C\",\"filter\":\"client_only\"},"           \
	"{\"name\":\"S\",\"asset\":\"/Game/S\",\"filter\":\"server_only\"}]"
#define GRIDS                                                                                          \
	",\"partitions\":[{\"name\":\"MainGrid\",\"hlod_setups\":[{\"name\":\"Near\","                 \
	"\"loading_range\":90000,\"hlod_layers\":[\"/H/Near\"]}]},{\"name\":\"G1\"},"                  \
	"{\"name\":\"G2\",\"origin\":[150,0,0]},{\"name\":\"Levels\",\"class\":\"level_streaming\"}]," \
	"\"hlod_layers\":[{\"path\":\"/H/Near\"},{\"path\":\"/H/Stray\"}]"
#define PLAIN               WORLD("", LAYERS GRIDS)
#define DEFAULT             WORLD("", "")
#define HASH                WORLD("\"hash\":\"spatial_hash\"", LAYERS)
#define SMALL(value)        "\"hash\":\"spatial_hash\",\"place_small_actors_using_location\":\"" value "\""
#define OPTION(name, value) WORLD(SMALL("off") ",\"" name "\":\"" value "\"", "")
#define FAR                 BOXED("F1", "Far", 90000, 100800, "")

/* ---- which cell ---- */

/* CRCs of layer names are zlib's, over each character and three zeros. */
static const struct {
	const char *rule, *profile, *lines, *actor, *cell;
} cells[] = {
	/* 1.1, 1.2 */
	{"a world that does not stream", "5.4",
		WORLD("\"streaming\":false", GRIDS) ACTOR("01", "A", GRID("G1")), "A",
		"M_PersistentLevel_Persistent"},
	{"a layer by instance name", "5.4", PLAIN ACTOR("01", "A", ON("\"X\"")), "A",
		"M_MainGrid_0_0_0_0_d2FFDF851"},
	{"a layer by asset, in any case", "5.4", PLAIN ACTOR("01", "A", ON("\"/game/x\"")), "A",
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
	{"an LHGrid has no second token", "5.4", PLAIN ACTOR("01", "A", GRID("G1.Sub")), "A",
		"M_MainGrid_0_0_0_0"},
	{"three tokens are too many", "5.4", PLAIN ACTOR("01", "A", GRID("Levels.A.B")), "A",
		"M_MainGrid_0_0_0_0"},
	{"not spatial, on an unknown grid", "5.4", PLAIN ACTOR("01", "A", GRID("G9") NONSPATIAL),
		"A", "-"},
	{"without bounds, 5.4", "5.4", PLAIN NO_BOX("01", "A"), "A",
		"M_PersistentLevel_Persistent"},
	{"without bounds, 5.7", "5.7", PLAIN NO_BOX("01", "A"), "A", "M_MainGrid_L-1_X0_Y0"},
	{"not spatial with a layer, 5.7", "5.7", PLAIN ACTOR("01", "A", NONSPATIAL ON("\"X\"")),
		"A", "M_MainGrid_L-1_X0_Y0_d2FFDF851"},
	/* 1.6.5 */
	{"a content bundle", "5.4", PLAIN ACTOR("01", "A", BUNDLE), "A",
		"M_MainGrid_0_0_0_0_c0000000B"},
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

/* `cell` is where the actor A is then; NULL = there is none. */
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
		"the actor is in another container", "M_MainGrid_0_0_0_0"},
	{"V3 b: a parent in a level", "5.4",
		PLAIN ACTOR("01", "A", IN("03")) ACTOR("02", "LI", LEVEL(""))
			ACTOR("03", "B", INSIDE NONSPATIAL),
		CS_CHECK_MISSING_REFERENCE, CS_ERROR, CS_REPAIR_DROP_REFERENCE, 1,
		"its parent is in another container", "M_MainGrid_0_0_0_0"},
	{"V3 b: a parent in a level that is referenced, too", "5.4",
		PLAIN ACTOR("01", "A", IN("03") TO("03")) ACTOR("02", "LI", LEVEL(""))
			ACTOR("03", "B", INSIDE),
		CS_CHECK_MISSING_REFERENCE, CS_ERROR, CS_REPAIR_DROP_REFERENCE, 1,
		"the actor is in another container", "M_MainGrid_0_0_0_0"},
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
	{"V3 h: load filters, two alike and one other", "5.7",
		PLAIN ACTOR("01", "A", ON("\"X\",\"Y\",\"S\"")), CS_CHECK_LOAD_FILTERS, CS_ERROR,
		CS_REPAIR_NO_LAYERS, 1, "load filters of its data layers",
		"M_MainGrid_L0_X0_Y0_Z0"},
	{"V3 h: not before 5.7", "5.6", PLAIN ACTOR("01", "A", ON("\"C\",\"S\"")), NONE, NONE, NONE,
		0, NULL, NULL},
	{"V4: an unknown grid", "5.4", PLAIN ACTOR("01", "A", GRID("G9")), CS_CHECK_INVALID_GRID,
		CS_ERROR, CS_REPAIR_NO_GRID, 1, "unknown runtime grid", "M_MainGrid_0_0_0_0"},
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
	{"V4: it is filtered out, but referenced", "5.4",
		PLAIN ACTOR("01", "LI", LEVEL(",\"filter\":[\"/Game/Z\"]")) ACTOR("02", "LJ",
			LEVEL(",\"filter\":[\"/Game/Z\"]")) ACTOR("03", "B", INSIDE TO("04"))
			ACTOR("04", "A", INSIDE ON("\"/Game/Z\"")),
		CS_CHECK_MISSING_REFERENCE, CS_ERROR, CS_REPAIR_KEEP_FILTERED, 1,
		"the actor is filtered out", "M_MainGrid_0_0_0_0"},
};

/* Of `check`, or of any; the layers of PLAIN have a finding of their own, about no actor. */
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

int main(void)
{
	test_cells();
	test_findings();
	return done();
}
