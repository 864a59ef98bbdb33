/* SPDX-License-Identifier: Apache-2.0 */
/* What each engine release writes: version numbers of packages and of the streams in them. */
#pragma once

#include "core/cursor.h"
#include "ue/package/wire.h"

/*
 * The custom versions that decide how a descriptor is laid out, ue-project-files rules 4. An absent
 * stream counts as 0: all its "at least" tests fail.
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

/* From FnMain 88 on, a field can say "as in the class". */
enum { CS_UE_DELTA_FROM = 88 };

/* One engine release, as its files show it. */
struct cs_ue_engine {
	const char *name;    /* "5.0EA", "5.4" */
	const char *profile; /* of the cook: "5.0", "5.1", "5.4", "5.5", "5.7" */
	uint16_t minor, patch;
	int32_t legacy; /* legacy file version of its packages */
	int32_t v5;     /* UE5 version of its packages, 0 = not written */
	struct cs_ue_versions versions;
};

/* In order of release. */
const struct cs_ue_engine *cs_ue_engines(size_t *n_ret);
/* By name, without case; NULL when there is none. */
const struct cs_ue_engine *cs_ue_engine_named(const char *name);
/* The profile of an engine 5.MINOR; that of the newest known for a newer one. */
const char *cs_ue_profile(unsigned major, unsigned minor);
struct cs_guid cs_ue_stream_guid(enum cs_ue_stream stream);
/* Those of the streams in a package's own list. */
struct cs_ue_versions cs_ue_versions_in(const struct cs_ue_list *list);
/* The array of custom versions that opens a descriptor; other streams are skipped. */
struct cs_ue_versions cs_ue_read_versions(struct cs_cursor *cursor);
/* Newer than everything known here: reading goes on, but a warning is due. */
bool cs_ue_versions_unknown(const struct cs_ue_versions *versions);
bool cs_ue_package_version_unknown(int32_t v5);
