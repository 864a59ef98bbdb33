/* SPDX-License-Identifier: Apache-2.0 */
/* Formats values as text for people and as JSON, and texts as JSON and XML. */
#include <cellscope/query.h>

#include "core/text.h"
#include "core/utf8.h"
#include "query/sql/query_inside.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct cs_value cs_quat_value(struct cs_quat quat)
{
	if (!isfinite(quat.x) || !isfinite(quat.y) || !isfinite(quat.z) || !isfinite(quat.w))
		return cs_null();
	return (struct cs_value){.kind = CS_KIND_QUAT, .quat = quat};
}

struct target {
	cs_put *put;
	void *context;
	enum cs_form form;
};

static void value_put_as(const struct target *to, const struct cs_value *value);

static void put_z(const struct target *to, const char *text)
{
	to->put(to->context, text, strlen(text));
}

/* Writes the text in pieces of up to 64 bytes, escaped; a piece ends between two characters. */
static void put_safe(const struct target *to, const char *text)
{
	enum { PIECE = 64 };
	char safe[PIECE * 4 + 1];
	size_t left = strlen(text);
	while (left > 0) {
		size_t n = left < PIECE ? left : PIECE;
		for (size_t back = 0; n < left && back < 3 && cs_utf8_inside(text[n]); back++)
			n--;
		size_t length = cs_escape(text, n, to->form == CS_FORM_ASCII, safe, sizeof(safe));
		to->put(to->context, safe, length);
		text += n;
		left -= n;
	}
}

/* Writes a number, in a text with nine digits: a reader sees 12800, not 12799.999999999998. */
static void put_decimal(const struct target *to, double number)
{
	char digits[CS_DOUBLE_TEXT];
	if (to->form == CS_FORM_JSON)
		cs_double_format(number, digits);
	else
		cs_format_c(digits, sizeof(digits), "%.9g", number == 0 ? 0.0 : number);
	put_z(to, digits);
}

static void put_integer(const struct target *to, int64_t integer)
{
	char digits[24];
	snprintf(digits, sizeof(digits), "%" PRId64, integer);
	put_z(to, digits);
}

static void value_put_guid(const struct target *to, struct cs_guid guid)
{
	char digits[CS_GUID_TEXT];
	cs_guid_format(guid, digits);
	put_z(to, digits);
}

static void put_hex(const struct target *to, const struct cs_value *value)
{
	char digits[17];
	int width = value->hex.digits > 16 ? 16 : (int)value->hex.digits;
	snprintf(digits, sizeof(digits), "%0*" PRIx64, width, value->hex.bits);
	put_z(to, digits);
}

static void value_put_numbers(const struct target *to, const struct cs_value *value)
{
	const double vec3[] = {value->vec3.x, value->vec3.y, value->vec3.z};
	const double quat[] = {value->quat.x, value->quat.y, value->quat.z, value->quat.w};
	bool is_quat = value->kind == CS_KIND_QUAT;
	for (size_t i = 0; i < (is_quat ? 4u : 3u); i++) {
		if (i)
			put_z(to, ",");
		put_decimal(to, is_quat ? quat[i] : vec3[i]);
	}
}

static void put_list(const struct target *to, const struct cs_value *list)
{
	const bool json = to->form == CS_FORM_JSON;
	for (uint32_t i = 0; i < list->list.n; i++) {
		struct cs_value item;
		list->list.item(list, i, &item);
		if (i)
			put_z(to, json ? "," : ", ");
		value_put_as(to, &item);
	}
	if (list->list.n == 0 && !json)
		put_z(to, "-");
}

/* ---- writing JSON ---- */

static void put_unicode(const struct target *to, uint32_t c)
{
	char text[16];
	if (c >= 0x10000)
		snprintf(text, sizeof(text), "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
			0xdc00 + ((c - 0x10000) & 0x3ff));
	else
		snprintf(text, sizeof(text), "\\u%04x", c);
	put_z(to, text);
}

static void text_put_xml(const char *text, size_t length, cs_put *put, void *context)
{
	const struct target to = {put, context, CS_FORM_XML};
	for (size_t i = 0; i < length; i++) {
		switch (text[i]) {
		case '&':
			put_z(&to, "&amp;");
			break;
		case '<':
			put_z(&to, "&lt;");
			break;
		case '>':
			put_z(&to, "&gt;");
			break;
		case '"':
			put_z(&to, "&quot;");
			break;
		default:
			put(context, &text[i], 1);
		}
	}
}

/* Returns whether a byte of a text is written to JSON as it is, whatever stands beside it. */
static bool json_is_plain(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\' && byte != '#';
}

static void text_put_json(const char *text, size_t length, cs_put *put, void *context)
{
	const struct target to = {put, context, CS_FORM_JSON};
	const unsigned char *bytes = (const unsigned char *)text;
	size_t plain = 0; /* start of the bytes that are written unchanged */
	put_z(&to, "\"");
	for (size_t i = 0; i < length;) {
		uint32_t c;
		/* some CI services read "##[" in a log as a command */
		if (json_is_plain(bytes[i]) ||
			(bytes[i] == '#' && (i == 0 || bytes[i - 1] != '#'))) {
			i++;
			continue;
		}
		size_t n = cs_utf8_decode(bytes + i, length - i, &c);
		put(context, text + plain, i - plain);
		if (n == 1 && (c == '"' || c == '\\'))
			put(context, c == '"' ? "\\\"" : "\\\\", 2);
		else
			put_unicode(&to, n ? c : 0xfffd);
		i += n ? n : 1;
		plain = i;
	}
	put(context, text + plain, length - plain);
	put_z(&to, "\"");
}

/* Writes a value that JSON has between `open` and `close`. */
static void put_within(
	const struct target *to, const struct cs_value *value, const char *open, const char *close)
{
	if (to->form == CS_FORM_JSON)
		put_z(to, open);
	if (value->kind == CS_KIND_GUID)
		value_put_guid(to, value->guid);
	else if (value->kind == CS_KIND_HEX)
		put_hex(to, value);
	else if (value->kind == CS_KIND_LIST)
		put_list(to, value);
	else
		value_put_numbers(to, value);
	if (to->form == CS_FORM_JSON)
		put_z(to, close);
}

static void value_put_as(const struct target *to, const struct cs_value *value)
{
	const bool json = to->form == CS_FORM_JSON;
	switch (value->kind) {
	case CS_KIND_NULL:
		put_z(to, json ? "null" : "-");
		break;
	case CS_KIND_TEXT:
		if (json)
			text_put_json(value->text, strlen(value->text), to->put, to->context);
		else
			put_safe(to, value->text);
		break;
	case CS_KIND_INTEGER:
		put_integer(to, value->integer);
		break;
	case CS_KIND_NUMBER:
		put_decimal(to, value->number);
		break;
	case CS_KIND_BOOL:
		put_z(to, json ? (value->yes ? "true" : "false") : value->yes ? "yes" : "no");
		break;
	case CS_KIND_GUID:
	case CS_KIND_HEX:
		put_within(to, value, "\"", "\"");
		break;
	case CS_KIND_VEC3:
	case CS_KIND_QUAT:
	case CS_KIND_LIST:
		put_within(to, value, "[", "]");
		break;
	}
}

void cs_value_put(const struct cs_value *value, enum cs_form form, cs_put *put, void *context)
{
	value_put_as(&(struct target){put, context, form}, value);
}

void cs_text_put(const char *text, size_t length, enum cs_form form, cs_put *put, void *context)
{
	if (form == CS_FORM_XML)
		text_put_xml(text, length, put, context);
	else
		text_put_json(text, length, put, context);
}
