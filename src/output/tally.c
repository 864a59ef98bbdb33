/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts checks and determines the exit status of a run of the program. */
#include "src/output/tally.h"

static const enum status by_weight[] = {
	STATUS_OK, STATUS_SKIPPED, STATUS_NO, STATUS_FAILED, STATUS_USAGE, STATUS_BROKEN};

static size_t weight(enum status status)
{
	size_t i = 0;
	while (by_weight[i] != status)
		i++;
	return i;
}

void tally_status(struct tally *tally, enum status status)
{
	if (weight(status) > weight(tally->status))
		tally->status = status;
}

struct tally_mark tally_mark(const struct tally *tally)
{
	return (struct tally_mark){tally->status, tally->failed};
}

void tally_expected(struct tally *tally, struct tally_mark mark)
{
	if (tally->status == STATUS_NO && tally->failed == mark.failed)
		tally->status = mark.status;
}

enum status status_of_error(const struct cs_error *error)
{
	switch (error->code) {
	case CS_E_NOMEM:
	case CS_E_INTERNAL:
		return STATUS_BROKEN;
	case CS_E_CHECK:
		return STATUS_NO;
	case CS_E_USAGE:
	case CS_E_UNKNOWN:
		return STATUS_USAGE;
	default:
		return STATUS_FAILED;
	}
}
