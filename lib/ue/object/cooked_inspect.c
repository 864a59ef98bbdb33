/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the contents of a cooked package: its header, and all properties of each export. */
#include "ue/object/values.h"

#include "core/writer.h"

#include <inttypes.h>
#include <stdio.h>

struct teller {
	cs_ue_tell *tell;
	void *context;
	bool stopped;
};

static void cooked_inspect_say(
	struct teller *teller, const char *rule, const char *name, const char *value)
{
	if (!teller->stopped)
		teller->stopped = !teller->tell(teller->context, rule, name, value);
}

static void put_node(struct cs_writer *out, const struct cs_ue_node *node);

static void put_children(struct cs_writer *out, const struct cs_ue_node *node, const char *ends)
{
	cs_writer_u8(out, (uint8_t)ends[0]);
	for (const struct cs_ue_node *at = node->first; at; at = at->next) {
		if (at->name) {
			cs_writer_text(out, at->name);
			cs_writer_text(out, "=");
		}
		put_node(out, at);
		if (at->next)
			cs_writer_text(out, ", ");
	}
	cs_writer_u8(out, (uint8_t)ends[1]);
}

static void cooked_inspect_put_number(struct cs_writer *out, double value)
{
	char text[CS_DOUBLE_TEXT];
	cs_double_format(value, text);
	cs_writer_text(out, text);
}

static void put_numbers(struct cs_writer *out, const struct cs_ue_node *node)
{
	cs_writer_text(out, "(");
	for (uint32_t i = 0; i < node->n; i++) {
		cs_writer_text(out, i ? "," : "");
		cooked_inspect_put_number(out, node->numbers[i]);
	}
	cs_writer_text(out, ")");
}

static void put_node(struct cs_writer *out, const struct cs_ue_node *node)
{
	char text[CS_GUID_TEXT];
	switch (node->kind) {
	case CS_UE_NODE_BOOL:
		cs_writer_text(out, node->integer ? "true" : "false");
		break;
	case CS_UE_NODE_INTEGER:
		snprintf(text, sizeof(text), "%" PRId64, node->integer);
		cs_writer_text(out, text);
		break;
	case CS_UE_NODE_NUMBER:
		cooked_inspect_put_number(out, node->number);
		break;
	case CS_UE_NODE_TEXT:
	case CS_UE_NODE_OBJECT:
		cs_writer_text(out, node->text);
		break;
	case CS_UE_NODE_GUID:
		cs_guid_format(node->guid, text);
		cs_writer_text(out, text);
		break;
	case CS_UE_NODE_NUMBERS:
	case CS_UE_NODE_BOX:
		put_numbers(out, node);
		break;
	case CS_UE_NODE_LIST:
	case CS_UE_NODE_MAP:
		put_children(out, node, "[]");
		break;
	case CS_UE_NODE_STRUCT:
		put_children(out, node, "{}");
		break;
	default:
		cs_writer_text(out, "none");
	}
}

/* Passes each property of `list` to the callback. `rule` names its export, as in "export 3". */
static struct cs_error *tell_values(
	struct teller *teller, const char *rule, const struct cs_ue_node *list)
{
	for (const struct cs_ue_node *at = list->first; at && !teller->stopped; at = at->next) {
		struct cs_writer out = {0};
		put_node(&out, at);
		cs_writer_u8(&out, 0);
		if (!out.failed)
			cooked_inspect_say(
				teller, rule, at->name ? at->name : "", (const char *)out.bytes);
		bool failed = out.failed;
		cs_writer_deinit(&out);
		if (failed)
			return cs_error_nomem();
	}
	return NULL;
}

static struct cs_error *tell_object(struct teller *teller, struct cs_ue_decoder *decoder,
	const struct cs_ue_cooked_export *export)
{
	struct cs_ue_object object;
	char rule[32], text[200];
	snprintf(
		rule, sizeof(rule), "export %zu", (size_t)(export - decoder->package->exports) + 1);
	cooked_inspect_say(teller, rule, "object", export->path);
	cooked_inspect_say(teller, rule, "class", export->class_path);
	struct cs_error *error = cs_ue_decode(decoder, export, &object);
	if (error)
		return error;
	if (object.problem) {
		snprintf(text, sizeof(text), "%s, at byte %" PRIu64, object.problem,
			object.problem_at);
		cooked_inspect_say(teller, rule, "unread", text);
	} else if (object.left > 0) {
		snprintf(text, sizeof(text), "%" PRIu64 " bytes of its class", object.left);
		cooked_inspect_say(teller, rule, "unread", text);
	}
	error = tell_values(teller, rule, object.properties);
	return error ? error : tell_values(teller, rule, object.tail);
}

static void tell_header(
	struct teller *teller, const struct cs_ue_cooked_package *package, uint32_t fits)
{
	char text[128];
	cooked_inspect_say(teller, "header", "package", package->name);
	cooked_inspect_say(teller, "header", "format", package->zen ? "zen" : "legacy");
	cs_ue_cooked_releases_text(fits, text, sizeof(text));
	cooked_inspect_say(teller, "header", "engine", text);
	cooked_inspect_say(teller, "header", "versioned", package->versioned ? "yes" : "no");
	cooked_inspect_say(
		teller, "header", "properties", package->tagged ? "tagged" : "unversioned");
	snprintf(text, sizeof(text), "%08" PRIX32, package->flags);
	cooked_inspect_say(teller, "header", "flags", text);
	snprintf(text, sizeof(text), "%u", package->names.n);
	cooked_inspect_say(teller, "header", "names", text);
	snprintf(text, sizeof(text), "%u", package->n_imports);
	cooked_inspect_say(teller, "header", "imports", text);
	snprintf(text, sizeof(text), "%u", package->n_exports);
	cooked_inspect_say(teller, "header", "exports", text);
	snprintf(text, sizeof(text), "%u", package->n_bulk);
	cooked_inspect_say(teller, "header", "bulk_data", text);
}

struct cs_error *cs_ue_place_tell(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, cs_ue_tell *tell, void *context)
{
	struct teller teller = {tell, context, false};
	struct cs_ue_cooked_package *package;
	struct cs_ue_decoder decoder;
	uint32_t fits = 0;
	struct cs_error *error = cs_ue_cooked_header_open(place, file, job, &package);
	if (error)
		return error;
	error = cs_ue_find_release(package, NULL, &fits);
	tell_header(&teller, package, fits ? fits : package->releases);
	if (!error) {
		cs_ue_decoder_init(&decoder, package, package->release, NULL);
		for (uint32_t i = 0; i < package->n_exports && !error && !teller.stopped; i++)
			error = tell_object(&teller, &decoder, &package->exports[i]);
		cs_ue_decoder_deinit(&decoder);
	}
	cs_ue_cooked_package_close(package);
	return error;
}
