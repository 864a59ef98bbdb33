/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hashes by which cooked packages name things (ue-cooked rules 3.2 to 3.4): CityHash64, version
 * 1.1, over names, package names and paths of objects.
 */
#pragma once

#include <cellscope/core.h>

uint64_t cs_city_hash64(const void *bytes, size_t size);
/*
 * Hashes a name of a name batch: its bytes with ASCII in lower case. `wide` names are UTF-16LE
 * units.
 */
uint64_t cs_ue_name_hash(const unsigned char *bytes, size_t size, bool wide);
/*
 * Returns the id of a package, or the hash of a public export, from UTF-8 text: the hash of its
 * lower case as UTF-16LE.
 */
uint64_t cs_ue_path_hash(const char *text, size_t length);
/*
 * Returns the index of a script object: the hash of its path with '.' and ':' as '/', and its kind
 * in the top bits.
 */
uint64_t cs_ue_script_hash(const char *path);
