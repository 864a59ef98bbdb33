/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A project that is made up: the world that its files mean, and the classes that the files need
 * besides. What a release cannot express is not in its world either: no transforms before 5.4, no
 * tags before 5.1. Reading the written files gives this world again.
 */
#pragma once

#include <cellscope/ue.h>

#include "core/random.h"
#include "tests/make/make.h"
#include "tests/make/out.h"
#include "ue/package/version.h"
#include "ue/project/project_build.h"

/* A Blueprint: what it says differently from its parent. */
struct cs_ue_made_class {
	const char *path;      /* "/Game/Blueprints/BP_Lamp.BP_Lamp_C" */
	const char *parent;    /* the same of another, or native */
	const char *native;    /* "/Script/Engine.StaticMeshActor" */
	uint32_t stored;       /* CS_DEFAULT_ bits that its descriptor holds */
	struct cs_actor actor; /* their values; texts of the world */
};

struct cs_ue_made {
	const struct cs_ue_engine *engine;
	uint32_t fields; /* CS_DEFAULT_ bits that the engine's descriptors have */
	struct cs_world *world;
	struct cs_ue_build build; /* for defaults of native classes and for texts */
	struct cs_random random;
	uint64_t actors; /* wanted in the map */
	CS_VEC(struct cs_ue_made_class) classes;
};

/* The map, its project and what is in it. */
#define CS_UE_MADE_PROJECT      "Fixture"
#define CS_UE_MADE_MAP          "/Game/Maps/Valley"
#define CS_UE_MADE_HOUSE        "/Game/Levels/House"
#define CS_UE_MADE_ROOM         "/Game/Levels/Room"
#define CS_UE_MADE_PLUGIN       "Expansion"
#define CS_UE_MADE_BUNDLE       "/Expansion/ContentBundle/B0000001/Maps/Valley"
#define CS_UE_MADE_WINTER       "/Expansion/ExternalDataLayers/Winter/Maps/Valley"
#define CS_UE_MADE_WINTER_ASSET "/Expansion/EDL_Winter.EDL_Winter"
#define CS_UE_MADE_HLOD0        "/Game/HLOD/HLOD0.HLOD0"
#define CS_UE_MADE_HLOD1        "/Game/HLOD/HLOD1.HLOD1"

/* Whether the recipe's engine can have them. */
static inline bool cs_ue_made_deltas(const struct cs_ue_made *made)
{
	return made->engine->versions.of[CS_UE_FN_MAIN] >= CS_UE_DELTA_FROM;
}

static inline bool cs_ue_made_assets(const struct cs_ue_made *made)
{
	return made->engine->versions.of[CS_UE_SEASON] >= 3;
}

/* made.c: settings, layers, containers */
struct cs_error *cs_ue_make(const struct cs_ue_recipe *recipe, const struct cs_job *job,
	struct cs_ue_made *ret) CS_MUST_USE;
void cs_ue_made_deinit(struct cs_ue_made *made);
/* made_actors.c: everything that is placed; false without memory */
bool cs_ue_make_actors(struct cs_ue_made *made);
/* write_actor.c: the package of one actor of the made world */
void cs_ue_write_actor(
	const struct cs_ue_made *made, const struct cs_actor *actor, struct cs_writer *writer);
/* The descriptor of a Blueprint, in base64, in the arena of its package. */
const char *cs_ue_class_meta_data(
	const struct cs_ue_made *made, const struct cs_ue_made_class *class, struct cs_ue_out *out);
/* Properties of a data layer instance, in the export made last; `parent` is a package index. */
void cs_ue_put_layer_instance(const struct cs_ue_made *made, struct cs_ue_out *out,
	const struct cs_source_layer *layer, int32_t parent);
/* The class of a data layer instance of that engine. */
const char *cs_ue_layer_class(const struct cs_ue_made *made, const struct cs_source_layer *layer);
/* write_project.c */
struct cs_error *cs_ue_write_made(
	const struct cs_ue_made *made, const char *folder, const struct cs_job *job) CS_MUST_USE;
