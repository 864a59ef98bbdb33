/* SPDX-License-Identifier: Apache-2.0 */
/* Grows the hash table. Growing hashes every row again, because slots do not store hashes. */
#include "core/slots.h"

bool cs_slots_grow(struct cs_slots *slots, uint64_t (*hash)(const void *context, uint32_t row),
	const void *context)
{
	struct cs_slots larger;
	if (slots->at && slots->n <= slots->mask / 2)
		return true;
	if (!cs_slots_init(&larger, slots->at ? slots->mask + 1 : 32))
		return false;
	for (size_t i = 0; slots->at && i <= slots->mask; i++) {
		if (!slots->at[i])
			continue;
		uint32_t from = slots->at[i] - 1;
		cs_slots_put(&larger, cs_slots_find(&larger, hash(context, from), row, row == from),
			from);
	}
	cs_slots_deinit(slots);
	*slots = larger;
	return true;
}
