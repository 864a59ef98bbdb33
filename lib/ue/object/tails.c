/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads tails: the bytes that some classes write after their properties (ue-cooked rules 4 and 14).
 * Unknown parts of a tail stay unread, and cs_ue_decode() counts them.
 */
#include "ue/object/values.h"
#include "ue/package/wire.h"

enum { SINCE_LABEL = 4, SINCE_ACTOR_GUID = 150, SINCE_COMPONENT_ARRAY = 4, SINCE_POLICY = 74 };
enum { SINCE_DEBUG_NAME = 111, SINCE_STATIC_MESH_PAIR = 207 };

static struct cs_ue_node *tails_add(struct cs_ue_decoder *decoder, struct cs_cursor *cursor,
	struct cs_ue_object *object, const char *name)
{
	static struct cs_ue_node nowhere;
	struct cs_ue_node *node = cs_ue_add_child(&decoder->arena, object->tail, name);
	if (!node) {
		cs_cursor_fail(cursor, CS_E_NOMEM, "out of memory");
		return &nowhere;
	}
	return node;
}

static void add_text(struct cs_ue_decoder *decoder, struct cs_cursor *cursor,
	struct cs_ue_object *object, const char *name)
{
	struct cs_ue_node *node = tails_add(decoder, cursor, object, name);
	node->kind = CS_UE_NODE_TEXT;
	node->text = cs_ue_read_text(decoder, cursor);
}

static void add_guid(struct cs_ue_decoder *decoder, struct cs_cursor *cursor,
	struct cs_ue_object *object, const char *name)
{
	struct cs_ue_node *node = tails_add(decoder, cursor, object, name);
	node->kind = CS_UE_NODE_GUID;
	node->guid = cs_cursor_guid(cursor);
}

static bool add_bool(struct cs_ue_decoder *decoder, struct cs_cursor *cursor,
	struct cs_ue_object *object, const char *name)
{
	struct cs_ue_node *node = tails_add(decoder, cursor, object, name);
	node->kind = CS_UE_NODE_BOOL;
	node->integer = cs_ue_read_bool(cursor);
	return node->integer;
}

static void add_objects(struct cs_ue_decoder *decoder, struct cs_cursor *cursor,
	struct cs_ue_object *object, const char *name)
{
	struct cs_ue_node *list = tails_add(decoder, cursor, object, name);
	uint32_t n = cs_cursor_count(cursor, 4);
	list->kind = CS_UE_NODE_LIST;
	for (uint32_t i = 0; i < n && !cursor->bad; i++)
		cs_ue_read_object_into(decoder, cursor, list, NULL);
}

static void tails_read_world(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object)
{
	cs_ue_read_object_into(decoder, cursor, object->tail, "PersistentLevel");
	add_objects(decoder, cursor, object, "ExtraReferencedObjects");
	add_objects(decoder, cursor, object, "StreamingLevels");
}

/* Reads the actors of a level. Precomputed visibility and lighting stay unread. */
static void tails_read_level(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object)
{
	add_objects(decoder, cursor, object, "Actors");
	for (int i = 0; i < 4; i++) /* skip protocol, host, map, portal */
		cs_ue_read_text(decoder, cursor);
	uint32_t options = cs_cursor_count(cursor, CS_UE_STRING_LEAST);
	for (uint32_t i = 0; i < options && !cursor->bad; i++)
		cs_ue_read_text(decoder, cursor);
	cs_cursor_skip(cursor, 4); /* skip the port */
	cs_ue_read_bool(cursor);
	cs_ue_read_object_into(decoder, cursor, object->tail, "Model");
	add_objects(decoder, cursor, object, "ModelComponents");
	cs_ue_read_object_into(decoder, cursor, object->tail, "LevelScriptActor");
	cs_ue_read_object_into(decoder, cursor, object->tail, "NavListStart");
	cs_ue_read_object_into(decoder, cursor, object->tail, "NavListEnd");
}

static void read_world_partition(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object)
{
	bool cooked = add_bool(decoder, cursor, object, "bCooked");
	if (cooked && decoder->package->main >= SINCE_POLICY)
		cs_ue_read_object_into(decoder, cursor, object->tail, "StreamingPolicy");
}

static void tails_read_cell_data(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object)
{
	if (decoder->package->fn_main >= SINCE_DEBUG_NAME)
		add_text(decoder, cursor, object, "DebugName");
}

static void tails_read_actor(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object)
{
	if (decoder->package->special >= SINCE_LABEL && cs_ue_read_bool(cursor))
		add_text(decoder, cursor, object, "ActorLabel");
	if (decoder->package->fn_main >= SINCE_ACTOR_GUID) {
		add_guid(decoder, cursor, object, "ActorGuid");
		add_guid(decoder, cursor, object, "ActorInstanceGuid");
	}
}

static void read_component(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object)
{
	if (decoder->package->fn_rel < SINCE_COMPONENT_ARRAY)
		return;
	tails_add(decoder, cursor, object, "UCSModifiedProperties")->kind = CS_UE_NODE_LIST;
	uint32_t n = cs_cursor_count(cursor, 28);
	cs_cursor_skip(cursor, 28 * (uint64_t)n); /* skip parent, name and GUID of each */
}

/* Reads the precomputed bounds of a component, if it has them. */
static void read_scene_component(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object)
{
	read_component(decoder, cursor, object);
	bool once = cs_ue_child_integer(object->properties, "bComputeBoundsOnceForGame", 0) ||
		    cs_ue_child_integer(object->properties, "bComputedBoundsOnceForGame", 0);
	if (!once || !cs_ue_read_bool(cursor))
		return;
	struct cs_ue_node *node = tails_add(decoder, cursor, object, "Bounds");
	double *numbers = CS_ARENA_ARRAY(&decoder->arena, double, 7);
	if (!numbers) {
		cs_cursor_fail(cursor, CS_E_NOMEM, "out of memory");
		return;
	}
	for (int i = 0; i < 7; i++)
		numbers[i] = cs_cursor_f64(cursor);
	node->kind = CS_UE_NODE_NUMBERS;
	node->n = 7;
	node->numbers = numbers;
}

static void read_static_mesh_component(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object)
{
	read_scene_component(decoder, cursor, object);
	cs_cursor_skip(cursor, 4); /* skip LOD data, which a cook does not contain */
	if (decoder->package->fn_main >= SINCE_STATIC_MESH_PAIR)
		cs_cursor_skip(cursor, 8);
}

static void read_sky_atmosphere(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object)
{
	read_scene_component(decoder, cursor, object);
	cs_cursor_skip(cursor, 16);
}

/* Readers by base class: the first one from which the object's class is derived is used. */
static const struct {
	const char *base;
	void (*read)(struct cs_ue_decoder *, struct cs_cursor *, struct cs_ue_object *);
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
static void read_unknown(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object)
{
	const struct cs_ue_cooked_export *level =
		cs_ue_cooked_export_at(decoder->package, object->export->outer);
	bool actor = level && strcmp(level->class_name, "Level") == 0 &&
		     strcmp(object->export->class_name, "Model") != 0;
	if (!actor || decoder->package->fn_main < SINCE_ACTOR_GUID || cursor->size < 32)
		return;
	cs_cursor_seek(cursor, cursor->size - 32);
	add_guid(decoder, cursor, object, "ActorGuid");
	add_guid(decoder, cursor, object, "ActorInstanceGuid");
}

void cs_ue_read_object_tail(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object)
{
	const char *name = object->export->class_name;
	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++)
		if (cs_ue_schema_is_a(&decoder->schema, name, tails[i].base)) {
			tails[i].read(decoder, cursor, object);
			return;
		}
	if (!cs_ue_schema_class(&decoder->schema, name))
		read_unknown(decoder, cursor, object);
}
