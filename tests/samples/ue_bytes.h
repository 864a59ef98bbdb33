/* SPDX-License-Identifier: Apache-2.0 */
/* Readers of UE's files over bytes in memory, for bytes of which nothing is sure. */
#pragma once

#include <cellscope/ue.h>

/* Decodes a descriptor (an ActorMetaData blob after base64); messages contain `name`. */
struct cs_error *check_ue_descriptor(
	const void *bytes, size_t size, const char *name, cs_ue_emit *emit, void *context);
/* Reads every part of a package in memory: tables and the tagged properties of all exports. */
struct cs_error *check_ue_package(
	const void *bytes, size_t size, const char *name, const struct cs_job *job);
/* Reads a registry section and the descriptor in it. */
struct cs_error *check_ue_registry(const void *bytes, size_t size, const char *name);
/* Reads tagged properties of UE5 package version `v5`, whose names are those of a fixed table. */
struct cs_error *check_ue_properties(const void *bytes, size_t size, int32_t v5, const char *name);
/* Reads a log and makes tables of it. */
struct cs_error *check_ue_log(const void *bytes, size_t size, const char *name);
