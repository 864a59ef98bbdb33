/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Containers whose bytes a test may spoil: nothing compressed, so that a byte of a record is a byte
 * of the file, and sums that are made right again, so that the damage reaches what is behind them.
 */
#pragma once

#include <cellscope/core.h>

/* Returns the same file with every section stored unpacked; the caller frees it. */
struct cs_error *container_unpack(
	const void *bytes, size_t size, unsigned char **bytes_ret, size_t *size_ret);
/* Corrects every sum that can be computed from the header and the section table. */
void container_reseal(unsigned char *bytes, size_t size);
/*
 * Returns the offset of the rows of a table in an unpacked file in which the table is one section,
 * else 0.
 */
size_t container_table(const unsigned char *bytes, size_t size, uint16_t table, size_t *rows_ret);
