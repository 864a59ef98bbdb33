/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hashes by which cooked packages refer to objects (ue-cooked rules 3.2 to 3.4): CityHash64,
 * version 1.1, over names, package names and object paths.
 */
#pragma once

#include <cellscope/core.h>

uint64_t cs_city_hash64(const void *bytes, size_t size);
/*
 * Returns the hash of a name in a name batch: of its bytes, with ASCII letters in lower case. If
 * `wide`, the bytes are UTF-16LE.
 */
uint64_t cs_ue_name_hash(const unsigned char *bytes, size_t size, bool wide);
/*
 * Returns the id of a package name, or the hash of a public export's path (UTF-8): the hash of the
 * text in lower case as UTF-16LE.
 */
uint64_t cs_ue_path_hash(const char *text, size_t length);
/*
 * Returns the index of a script object: the hash of its path with '/' for '.' and ':', and the kind
 * of index in the top bits.
 */
uint64_t cs_ue_script_hash(const char *path);
