/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads tails: the bytes that some classes write after their properties (ue-cooked rules 4 and 14).
 * Unknown parts of a tail stay unread, and cs_ue_decode() counts them.
 */
#include "ue/object/values.h"
#include "ue/package/wire.h"

enum { SINCE_LABEL = 4, SINCE_ACTOR_GUID = 150, SINCE_COMPONENT_ARRAY = 4, SINCE_POLICY = 74 };
enum { SINCE_DEBUG_NAME = 111, SINCE_STATIC_MESH_PAIR = 207 };

struct tail {
	struct cs_ue_decoder *decoder;
	struct cs_cursor *cursor;
	struct cs_ue_object *object;
};

static struct cs_ue_node *tails_add(const struct tail *tail, const char *name)
{
	static struct cs_ue_node nowhere;
	struct cs_ue_node *node =
		cs_ue_add_child(tail->decoder, tail->cursor, tail->object->tail, name);
	return node ? node : &nowhere;
}

static void add_text(const struct tail *tail, const char *name)
{
	struct cs_ue_node *node = tails_add(tail, name);
	node->kind = CS_UE_NODE_TEXT;
	node->text = cs_ue_read_text(tail->decoder, tail->cursor);
}

static void add_guid(const struct tail *tail, const char *name)
{
	struct cs_ue_node *node = tails_add(tail, name);
	node->kind = CS_UE_NODE_GUID;
	node->guid = cs_cursor_guid(tail->cursor);
}

static void add_tail_object(const struct tail *tail, const char *name)
{
	cs_ue_read_object_into(tail->decoder, tail->cursor, tail->object->tail, name);
}

static void add_objects(const struct tail *tail, const char *name)
{
	struct cs_ue_node *list = tails_add(tail, name);
	uint32_t n = cs_cursor_count(tail->cursor, 4);
	list->kind = CS_UE_NODE_LIST;
	for (uint32_t i = 0; i < n && !tail->cursor->bad; i++)
		cs_ue_read_object_into(tail->decoder, tail->cursor, list, NULL);
}

static void tails_read_world(const struct tail *tail)
{
	add_tail_object(tail, "PersistentLevel");
	add_objects(tail, "ExtraReferencedObjects");
	add_objects(tail, "StreamingLevels");
}

/* Reads the actors of a level. Precomputed visibility and lighting stay unread. */
static void tails_read_level(const struct tail *tail)
{
	add_objects(tail, "Actors");
	for (int i = 0; i < 4; i++) /* skip protocol, host, map, portal */
		cs_ue_read_text(tail->decoder, tail->cursor);
	uint32_t options = cs_cursor_count(tail->cursor, CS_UE_STRING_LEAST);
	for (uint32_t i = 0; i < options && !tail->cursor->bad; i++)
		cs_ue_read_text(tail->decoder, tail->cursor);
	cs_cursor_skip(tail->cursor, 4); /* skip the port */
	cs_ue_read_bool(tail->cursor);
	add_tail_object(tail, "Model");
	add_objects(tail, "ModelComponents");
	add_tail_object(tail, "LevelScriptActor");
	add_tail_object(tail, "NavListStart");
	add_tail_object(tail, "NavListEnd");
}

static void read_world_partition(const struct tail *tail)
{
	struct cs_ue_node *cooked = tails_add(tail, "bCooked");
	cooked->kind = CS_UE_NODE_BOOL;
	cooked->integer = cs_ue_read_bool(tail->cursor);
	if (cooked->integer && tail->decoder->package->main >= SINCE_POLICY)
		add_tail_object(tail, "StreamingPolicy");
}

static void tails_read_cell_data(const struct tail *tail)
{
	if (tail->decoder->package->fn_main >= SINCE_DEBUG_NAME)
		add_text(tail, "DebugName");
}

static void tails_read_actor(const struct tail *tail)
{
	if (tail->decoder->package->special >= SINCE_LABEL && cs_ue_read_bool(tail->cursor))
		add_text(tail, "ActorLabel");
	if (tail->decoder->package->fn_main >= SINCE_ACTOR_GUID) {
		add_guid(tail, "ActorGuid");
		add_guid(tail, "ActorInstanceGuid");
	}
}

static void read_component(const struct tail *tail)
{
	if (tail->decoder->package->fn_rel < SINCE_COMPONENT_ARRAY)
		return;
	tails_add(tail, "UCSModifiedProperties")->kind = CS_UE_NODE_LIST;
	uint32_t n = cs_cursor_count(tail->cursor, 28);
	cs_cursor_skip(tail->cursor, 28 * (uint64_t)n); /* skip parent, name and GUID of each */
}

/* Reads the precomputed bounds of a component, if it has them. */
static void read_scene_component(const struct tail *tail)
{
	read_component(tail);
	bool once = cs_ue_child_integer(tail->object->properties, "bComputeBoundsOnceForGame", 0) ||
		    cs_ue_child_integer(tail->object->properties, "bComputedBoundsOnceForGame", 0);
	if (!once || !cs_ue_read_bool(tail->cursor))
		return;
	struct cs_ue_node *node = tails_add(tail, "Bounds");
	double *numbers = CS_ARENA_ARRAY(&tail->decoder->arena, double, 7);
	if (!numbers) {
		cs_cursor_fail(tail->cursor, CS_E_NOMEM, "out of memory");
		return;
	}
	for (int i = 0; i < 7; i++)
		numbers[i] = cs_cursor_f64(tail->cursor);
	node->kind = CS_UE_NODE_NUMBERS;
	node->n = 7;
	node->numbers = numbers;
}

/* Stops before LOD data, which a cook does not store: their form is unknown. */
static void read_static_mesh_component(const struct tail *tail)
{
	read_scene_component(tail);
	if (cs_cursor_left(tail->cursor) >= 4 &&
		cs_load32(tail->cursor->bytes + tail->cursor->position) != 0)
		return;
	cs_cursor_skip(tail->cursor, 4); /* skip the number of items of LOD data, 0 */
	if (tail->decoder->package->fn_main >= SINCE_STATIC_MESH_PAIR)
		cs_cursor_skip(tail->cursor, 8);
}

static void read_sky_atmosphere(const struct tail *tail)
{
	read_scene_component(tail);
	cs_cursor_skip(tail->cursor, 16);
}

/* Readers by base class. The first one from whose class the object's class is derived is used. */
static const struct {
	const char *base;
	void (*read)(const struct tail *);
} tails[] = {
	{"World", tails_read_world},
	{"Level", tails_read_level},
	{"WorldPartition", read_world_partition},
	{"WorldPartitionRuntimeCellData", tails_read_cell_data},
	{"Actor", tails_read_actor},
	{"SkyAtmosphereComponent", read_sky_atmosphere},
	{"StaticMeshComponent", read_static_mesh_component},
	{"SceneComponent", read_scene_component},
	{"ActorComponent", read_component},
};

/* Reads an actor's last two GUIDs if its class (e.g. a Blueprint) is not in the built-in tables. */
static void read_unknown(const struct tail *tail)
{
	const struct cs_ue_cooked_export *level =
		cs_ue_cooked_export_at(tail->decoder->package, tail->object->export->outer);
	bool actor = level && strcmp(level->class_name, "Level") == 0 &&
		     strcmp(tail->object->export->class_name, "Model") != 0;
	if (!actor || tail->decoder->package->fn_main < SINCE_ACTOR_GUID || tail->cursor->size < 32)
		return;
	cs_cursor_seek(tail->cursor, tail->cursor->size - 32);
	add_guid(tail, "ActorGuid");
	add_guid(tail, "ActorInstanceGuid");
}

void cs_ue_read_object_tail(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object)
{
	const struct tail tail = {decoder, cursor, object};
	const char *name = object->export->class_name;
	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++)
		if (cs_ue_schema_is_a(&decoder->schema, name, tails[i].base)) {
			tails[i].read(&tail);
			return;
		}
	if (!cs_ue_schema_class(&decoder->schema, name))
		read_unknown(&tail);
}
