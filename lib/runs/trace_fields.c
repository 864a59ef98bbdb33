/* SPDX-License-Identifier: Apache-2.0 */
/* Finds streams by number, and reads fields of an event by the names that its type declares. */
#include "runs/trace_fields.h"

#include "core/cursor.h"
#include "core/text.h"
#include "core/utf8.h"
#include "format/byte_source.h"

#include <string.h>

struct cs_trace_stream *cs_trace_stream_of(struct cs_trace *trace, uint32_t number)
{
	uint32_t *row = &trace->by_number[number % TRACE_STREAMS];
	if (!*row) {
		if (!cs_vec_push(&trace->streams, (struct cs_trace_stream){.number = number}))
			return NULL;
		*row = (uint32_t)trace->streams.n;
	}
	return &trace->streams.at[*row - 1];
}

static const struct cs_trace_field *trace_field_of(
	const struct cs_trace *trace, const struct cs_trace_type *type, const char *name)
{
	for (uint32_t i = 0; i < type->n; i++)
		if (strcmp(trace->fields.at[type->first + i].name, name) == 0)
			return &trace->fields.at[type->first + i];
	return NULL;
}

bool cs_trace_whole(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, uint64_t *ret)
{
	const struct cs_trace_field *field = trace_field_of(trace, event->type, name);
	uint64_t value = 0;
	if (!field || field->size == 0 || field->size > 8)
		return false;
	for (size_t i = field->size; i-- > 0;)
		value = value << 8 | event->fixed[field->offset + i];
	*ret = value;
	return true;
}

bool cs_trace_real(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, double *ret)
{
	const struct cs_trace_field *field = trace_field_of(trace, event->type, name);
	uint64_t bits;
	if (!cs_trace_whole(trace, event, name, &bits))
		return false;
	const unsigned spare = 64 - 8u * field->size;
	double value;
	if (!(field->type & 0x40))
		value = field->type & 0x10 ? (double)((int64_t)(bits << spare) >> spare)
					   : (double)bits;
	else
		value = field->size == 4 ? (double)cs_float_of_bits((uint32_t)bits)
					 : cs_double_of_bits(bits);
	if (!isfinite(value))
		return false;
	*ret = value;
	return true;
}

size_t cs_trace_bytes(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, unsigned char *to, size_t room)
{
	const struct cs_trace_field *field = trace_field_of(trace, event->type, name);
	size_t n = 0;
	for (size_t i = 0; field && i < trace->aux.n; i++) {
		const struct cs_trace_aux *aux = &trace->aux.at[i];
		const size_t part = aux->n < room - n ? aux->n : room - n;
		if (trace->fields.at + event->type->first + aux->field != field)
			continue;
		memcpy(to + n, aux->bytes, part);
		n += part;
	}
	return n;
}

size_t cs_trace_narrow(const unsigned char *bytes, size_t units, char *to, size_t room)
{
	unsigned char text[3 * TRACE_TEXT / 2];
	size_t most = units < TRACE_TEXT / 2 ? units : TRACE_TEXT / 2, n = 0;
	while (n < most && (bytes[2 * n] || bytes[2 * n + 1]))
		n++;
	n = cs_utf16_convert(bytes, n, false, text);
	if (n >= room)
		for (n = room - 1; n > 0 && cs_utf8_inside(text[n]);)
			n--;
	memcpy(to, text, n);
	to[n] = '\0';
	return n;
}

/* Guesses the form of a text: one of 16 bits has bytes 0 before its end, or is not UTF-8. */
static bool is_utf16(const char *text, size_t n)
{
	return memchr(text, 0, n - 1) || !cs_utf8_valid(text, n);
}

size_t cs_trace_text(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, char *to, size_t room)
{
	const struct cs_trace_field *field = trace_field_of(trace, event->type, name);
	size_t n = cs_trace_bytes(trace, event, name, (unsigned char *)to, room - 1);
	const bool is_wide = field && (field->type & 3) == 1 && n >= 2 &&
			     (to[1] == '\0' || (!event->is_important && is_utf16(to, n)));
	to[n] = '\0';
	return is_wide ? cs_trace_narrow((unsigned char *)to, n / 2, to, room) : strlen(to);
}
