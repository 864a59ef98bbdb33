/* SPDX-License-Identifier: Apache-2.0 */
/* CityHash64 1.1, by which cooked packages refer to objects (ue-cooked rules 3.2 to 3.4). */
#pragma once

#include <cellscope/core.h>

uint64_t cs_city_hash64(const void *bytes, size_t size);
/* Returns the hash of a name in a name batch: that of its bytes, ASCII letters in lower case. */
uint64_t cs_ue_name_hash(const unsigned char *bytes, size_t size, bool wide);
/* Returns a package's id or a public export's hash: the hash of its name in lower-case UTF-16LE. */
uint64_t cs_ue_path_hash(const char *text, size_t length);
/*
 * Returns the index of a script object: the hash of its path, in which '/' replaces '.' and ':',
 * with the upper two bits replaced by 01.
 */
uint64_t cs_ue_script_hash(const char *path);
