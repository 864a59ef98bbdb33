/* SPDX-License-Identifier: Apache-2.0 */
/* The versions that each engine release writes into files: of packages and of custom streams. */
#pragma once

#include "core/cursor.h"
#include "ue/package/wire.h"

/*
 * The custom version streams that decide the layout of a descriptor (ue-project-files rules 4). A
 * stream that a file does not list has version 0, older than all real versions.
 */
enum cs_ue_stream {
	CS_UE_MAIN,    /* UE5MainStream */
	CS_UE_REL,     /* UE5ReleaseStream */
	CS_UE_SEASON,  /* FortniteSeason */
	CS_UE_FN_MAIN, /* FortniteMain */
	CS_UE_STREAMS
};

struct cs_ue_versions {
	int32_t of[CS_UE_STREAMS];
};

/* FortniteMain version from which on a descriptor may inherit values of fields from its class. */
enum { CS_UE_DELTA_FROM = 88 };

/* An engine release and the versions in its files. */
struct cs_ue_engine {
	const char *name;    /* name, such as "5.0EA" (early access) or "5.4" */
	const char *profile; /* name of the cook profile, such as "5.0" or "5.7" */
	uint16_t minor, patch;
	int32_t legacy; /* LegacyFileVersion in packages, which is below 0 */
	int32_t v5;     /* UE5 version of packages, or 0 when packages have none */
	struct cs_ue_versions versions;
};

/* Returns the engine releases that this library knows, oldest first. */
const struct cs_ue_engine *cs_ue_engines(size_t *n_ret);
/* Returns the cook profile of engine MAJOR.MINOR, or the newest one for newer engines. */
const char *cs_ue_profile(unsigned major, unsigned minor);
struct cs_guid cs_ue_stream_guid(enum cs_ue_stream stream);
/* Returns the versions of enum cs_ue_stream from the list in a package's summary. */
struct cs_ue_versions cs_ue_versions_in(const struct cs_ue_list *list);
/* Reads a descriptor's custom versions. Ignores those that are not in enum cs_ue_stream. */
struct cs_ue_versions cs_ue_read_versions(struct cs_cursor *cursor);
/* Return whether a file is newer than all known releases (it is then read with a warning). */
bool cs_ue_versions_unknown(const struct cs_ue_versions *versions);
bool cs_ue_package_version_unknown(int32_t v5);
