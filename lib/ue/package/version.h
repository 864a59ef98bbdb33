/* SPDX-License-Identifier: Apache-2.0 */
/* The version numbers that each engine release writes, of packages and of the streams in them. */
#pragma once

#include "core/cursor.h"
#include "ue/package/wire.h"

/*
 * The custom versions that decide the layout of a descriptor, ue-project-files rules 4. A missing
 * stream counts as 0, so all its "at least" tests fail.
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

/* From FnMain 88 on, the value of a field may come from the class. */
enum { CS_UE_DELTA_FROM = 88 };

/* One engine release, as its files show it. */
struct cs_ue_engine {
	const char *name;    /* "5.0EA", "5.4" */
	const char *profile; /* profile of the cook: "5.0", "5.1", "5.4", "5.5", "5.7" */
	uint16_t minor, patch;
	int32_t legacy; /* legacy file version of its packages */
	int32_t v5;     /* UE5 version of its packages, 0 when packages have none */
	struct cs_ue_versions versions;
};

/* Returns the releases in their order. */
const struct cs_ue_engine *cs_ue_engines(size_t *n_ret);
/* Finds a release by name, without case. Returns NULL when there is none. */
const struct cs_ue_engine *cs_ue_engine_named(const char *name);
/* Returns the profile of an engine 5.MINOR, and the newest known one for a newer engine. */
const char *cs_ue_profile(unsigned major, unsigned minor);
struct cs_guid cs_ue_stream_guid(enum cs_ue_stream stream);
/* Returns the versions of the streams in a package's own list. */
struct cs_ue_versions cs_ue_versions_in(const struct cs_ue_list *list);
/* Reads the array of custom versions at the start of a descriptor. Other streams are skipped. */
struct cs_ue_versions cs_ue_read_versions(struct cs_cursor *cursor);
/* Returns whether a version is newer than every known one. Reading continues with a warning. */
bool cs_ue_versions_unknown(const struct cs_ue_versions *versions);
bool cs_ue_package_version_unknown(int32_t v5);
