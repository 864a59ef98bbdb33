/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes one object from its first to its last byte. Also finds the engine that wrote a package:
 * only the tables of the right engine read every export of World Partition exactly to its end
 * (ue-cooked rules 6.2).
 */
#include "ue/object/read_values.h"
#include "ue/package/wire.h"

#define OBJECT_IS_DEFAULT 0x10u
enum { SINCE_CONTROL = 1011 };

void cs_ue_decoder_init(struct cs_ue_decoder *decoder, struct cs_ue_cooked_package *package,
	enum cs_ue_release release, const struct cs_ue_schema *mapping)
{
	*decoder = (struct cs_ue_decoder){.package = package};
	cs_ue_cooked_use(package, release);
	cs_ue_schema_init(&decoder->schema, release);
	decoder->schema.mapping = mapping;
}

void cs_ue_decoder_deinit(struct cs_ue_decoder *decoder)
{
	cs_ue_schema_deinit(&decoder->schema);
	cs_arena_deinit(&decoder->arena);
}

static void read_tagged(
	struct cs_ue_reading reading, struct cs_cursor *cursor, struct cs_ue_object *object)
{
	bool is_default = object->export->flags & OBJECT_IS_DEFAULT;
	if (reading.decoder->package->v5 >= SINCE_CONTROL && !is_default &&
		cs_cursor_u8(cursor) & 2)
		cs_cursor_skip(cursor, 1);
	cs_ue_read_tags(reading, cursor, object->properties);
}

static void decode_object_read_properties(
	struct cs_ue_decoder *decoder, struct cs_cursor *cursor, struct cs_ue_object *object)
{
	struct cs_ue_reading reading = {.decoder = decoder, .tagged = decoder->package->tagged};
	if (reading.tagged) {
		read_tagged(reading, cursor, object);
		return;
	}
	const struct cs_ue_class *class =
		cs_ue_schema_class(&decoder->schema, object->export->class_name);
	static const struct cs_ue_class empty = {.name = "", .super = "Object"};
	/* an unknown class is read like a subclass of Object without properties of its own */
	cs_ue_read_untagged(reading, cursor, class ? class : &empty, object->properties);
	if (!class && cursor->bad && cursor->code == CS_E_REFERENCE)
		cursor->problem =
			"a class that no table has; a .usmap file of the game would describe it";
}

struct cs_error *cs_ue_decode(struct cs_ue_decoder *decoder,
	const struct cs_ue_cooked_export *export, struct cs_ue_object *ret)
{
	const struct cs_ue_cooked_package *package = decoder->package;
	struct cs_ue_object object = {.export = export,
		.properties = CS_ARENA_NEW(&decoder->arena, struct cs_ue_node),
		.tail = CS_ARENA_NEW(&decoder->arena, struct cs_ue_node)};
	if (!object.properties || !object.tail)
		return cs_error_nomem();
	object.properties->kind = object.tail->kind = CS_UE_NODE_STRUCT;
	*ret = object;
	if (!cs_ue_cooked_has_bytes(package, export)) {
		ret->problem = "its bytes are in a .uexp that is not there";
		ret->left = export->size;
		return NULL;
	}
	struct cs_cursor cursor = cs_cursor_over(package->bytes + export->offset,
		(size_t) export->size, export->offset, package->file);
	decode_object_read_properties(decoder, &cursor, ret);
	if (!cursor.bad && !(export->flags & OBJECT_IS_DEFAULT) && cs_ue_read_bool(&cursor))
		cs_cursor_skip(&cursor, sizeof(struct cs_guid)); /* GUID of the object */
	if (!cursor.bad)
		cs_ue_read_object_tail(decoder, &cursor, ret);
	if (cursor.bad && cursor.code == CS_E_NOMEM)
		return cs_error_nomem();
	ret->problem = cursor.bad ? cursor.problem : NULL;
	ret->problem_at = export->offset + (cursor.bad ? cursor.bad_position : 0);
	ret->left = cursor.bad ? export->size : export->size - cursor.position;
	return decoder->schema.failed ? cs_error_nomem() : NULL;
}

/* ---- finding the engine ---- */

static bool is_telling(const char *class_name)
{
	static const char *const beginnings[] = {
		"WorldPartition", "RuntimePartition", "DataLayer", "WorldSettings"};
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (strncmp(class_name, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return strcmp(class_name, "World") == 0;
}

struct fit {
	/*
	 * number of objects of World Partition that were read to exactly their last byte (exact),
	 * and number of those that were tried (asked)
	 */
	uint32_t exact, asked;
	uint32_t others; /* number of exports of other classes read to their last byte */
	const struct cs_ue_cooked_export *first_wrong;
};

static struct cs_error *try_release(struct cs_ue_cooked_package *package,
	enum cs_ue_release release, const struct cs_ue_schema *mapping, struct fit *ret)
{
	struct cs_ue_decoder decoder;
	struct cs_error *error = NULL;
	*ret = (struct fit){0};
	cs_ue_decoder_init(&decoder, package, release, mapping);
	for (uint32_t i = 0; i < package->n_exports && !error; i++) {
		const struct cs_ue_cooked_export *export = &package->exports[i];
		struct cs_ue_object object;
		if (export->flags & OBJECT_IS_DEFAULT ||
			(!package->tagged &&
				!cs_ue_schema_class(&decoder.schema, export->class_name)))
			continue;
		error = cs_ue_decode(&decoder, export, &object);
		if (error)
			break;
		bool exact = !object.problem && object.left == 0;
		if (!is_telling(export->class_name)) {
			ret->others += exact;
			continue;
		}
		ret->asked++;
		ret->exact += exact;
		if (!exact && !ret->first_wrong)
			ret->first_wrong = export;
	}
	if (!error && decoder.schema.failed)
		error = cs_error_nomem();
	cs_ue_decoder_deinit(&decoder);
	return error;
}

static struct cs_error *none_fits(
	const struct cs_ue_cooked_package *package, uint32_t tried, int best, const struct fit *fit)
{
	char text[128];
	cs_ue_cooked_releases_text(tried, text, sizeof(text));
	return cs_error_at(CS_E_VERSION, package->file,
		fit->first_wrong ? fit->first_wrong->offset : CS_NO_OFFSET,
		"no engine version that was tried (%s) can read all World Partition objects of the "
		"package: %s reads %u of %u, and fails first at %s",
		text, cs_ue_releases[best].name, fit->exact, fit->asked,
		fit->first_wrong ? fit->first_wrong->path : "one");
}

struct cs_error *cs_ue_find_release(struct cs_ue_cooked_package *package,
	const struct cs_ue_schema *mapping, uint32_t *fits_ret)
{
	uint32_t fits = 0, most = 0;
	int newest = -1, best = -1;
	struct fit best_fit = {0};
	for (int i = CS_UE_RELEASES - 1; i >= 0; i--) {
		struct fit fit;
		if (!(package->releases & 1u << i))
			continue;
		struct cs_error *error = try_release(package, (enum cs_ue_release)i, mapping, &fit);
		if (error)
			return error;
		if (best < 0 || fit.exact > best_fit.exact) {
			best = i;
			best_fit = fit;
		}
		if (fit.exact < fit.asked)
			continue;
		fits |= 1u << i;
		/*
		 * If several engines fit, chooses the one whose tables read most of the other
		 * exports. If several read equally many, the newest is chosen, which comes first.
		 */
		if (newest < 0 || fit.others > most) {
			newest = i;
			most = fit.others;
		}
	}
	if (best < 0)
		return cs_error_at(CS_E_VERSION, package->file, CS_NO_OFFSET,
			"the header fits no engine version from 5.0 to 6.0: perhaps a modified "
			"engine cooked the package");
	if (newest < 0)
		return none_fits(package, package->releases, best, &best_fit);
	cs_ue_cooked_use(package, (enum cs_ue_release)newest);
	*fits_ret = fits;
	return NULL;
}
