/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Containers whose bytes a test may spoil: nothing compressed, so that a byte of a record is a byte
 * of the file, and sums that are made right again, so that the damage reaches what is behind them.
 */
#pragma once

#include <cellscope/core.h>

/* The same file with every section stored as it is; freed by the caller. */
struct cs_error *container_unpack(
	const void *bytes, size_t size, unsigned char **bytes_ret, size_t *size_ret);
/* Makes every sum right that can be told from the header and the section table. */
void container_reseal(unsigned char *bytes, size_t size);
/* Where the rows of a table begin in an unpacked file whose table is one section, else 0. */
size_t container_table(const unsigned char *bytes, size_t size, uint16_t table, size_t *rows_ret);
