/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hashes that cooked packages name things by (ue-cooked rules 3.2 to 3.4): CityHash64, version
 * 1.1, over names, package names and paths of objects.
 */
#pragma once

#include <cellscope/core.h>

uint64_t cs_city_hash64(const void *bytes, size_t size);
/* Of a name in a name batch: its bytes with ASCII in lower case; `wide` are UTF-16LE units. */
uint64_t cs_ue_name_hash(const unsigned char *bytes, size_t size, bool wide);
/* Id of a package, and hash of a public export: of UTF-8 text in lower case as UTF-16LE. */
uint64_t cs_ue_path_hash(const char *text, size_t length);
/* The index of a script object: its path with '.' and ':' as '/', the kind in the top bits. */
uint64_t cs_ue_script_hash(const char *path);
