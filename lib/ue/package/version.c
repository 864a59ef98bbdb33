/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines the table of engine releases. Its version numbers are those of ue-project-files rules 2
 * (packages) and 4 (custom versions of streams), confirmed by files of each release.
 */
#include "ue/package/version.h"
#include "core/guid.h"

static const struct cs_ue_engine engines[] = {
	/* members: name, profile, minor, patch, legacy, v5, {main, rel, season, fn_main} */
	{"5.0EA", "5.0", 0, 0, -7, 0, {{26, 10, 0, 0}}},
	{"5.0", "5.0", 0, 3, -8, 1004, {{59, 36, 0, 0}}},
	{"5.1", "5.1", 1, 1, -8, 1008, {{88, 41, 10, 80}}},
	{"5.2", "5.2", 2, 1, -8, 1009, {{104, 41, 10, 83}}},
	{"5.3", "5.3", 3, 2, -8, 1009, {{118, 47, 10, 111}}},
	{"5.4", "5.4", 4, 4, -8, 1012, {{119, 51, 12, 134}}},
	{"5.5", "5.5", 5, 4, -8, 1013, {{119, 51, 13, 170}}},
	{"5.6", "5.6", 6, 1, -9, 1017, {{121, 56, 13, 207}}},
	{"5.7", "5.7", 7, 4, -9, 1018, {{121, 61, 15, 225}}},
};
enum { N_ENGINES = sizeof(engines) / sizeof(engines[0]) };

static const struct cs_guid stream_guids[CS_UE_STREAMS] = {
	[CS_UE_MAIN] = {0x697dd581, 0xe64f41ab, 0xaa4a51ec, 0xbeb7b628},
	[CS_UE_REL] = {0xd89b5e42, 0x24bd4d46, 0x8412aca8, 0xdf641779},
	[CS_UE_SEASON] = {0x5b4c06b7, 0x24634af8, 0x805bbf70, 0xcdf5d0dd},
	[CS_UE_FN_MAIN] = {0x601d1886, 0xac644f84, 0xaa16d3de, 0x0deac7d6},
};

const struct cs_ue_engine *cs_ue_engines(size_t *n_ret)
{
	*n_ret = N_ENGINES;
	return engines;
}

const char *cs_ue_profile(unsigned major, unsigned minor)
{
	const char *profile = engines[0].profile;
	for (size_t i = 0; i < N_ENGINES; i++)
		if (major > 5 || minor >= engines[i].minor)
			profile = engines[i].profile;
	return profile;
}

struct cs_guid cs_ue_stream_guid(enum cs_ue_stream stream)
{
	return stream_guids[stream];
}

/*
 * Reads n pairs of a GUID, which identifies a stream of custom versions, and the version of this
 * stream. Streams of enum cs_ue_stream without a pair get version 0.
 */
static struct cs_ue_versions version_read_pairs(struct cs_cursor *cursor, uint32_t n)
{
	struct cs_ue_versions versions = {{0}};
	for (uint32_t i = 0; i < n; i++) {
		struct cs_guid guid = cs_cursor_guid(cursor);
		int32_t version = cs_cursor_i32(cursor);
		for (int stream = 0; stream < CS_UE_STREAMS; stream++)
			if (cs_guid_compare(guid, stream_guids[stream]) == 0)
				versions.of[stream] = version;
	}
	return versions;
}

struct cs_ue_versions cs_ue_versions_in(const struct cs_ue_list *list)
{
	struct cs_cursor cursor = cs_cursor_over(list->at, list->bytes, 0, NULL);
	return version_read_pairs(&cursor, list->n);
}

struct cs_ue_versions cs_ue_read_versions(struct cs_cursor *cursor)
{
	return version_read_pairs(cursor, cs_cursor_count(cursor, 20));
}

bool cs_ue_versions_unknown(const struct cs_ue_versions *versions)
{
	const struct cs_ue_versions *newest = &engines[N_ENGINES - 1].versions;
	for (int stream = 0; stream < CS_UE_STREAMS; stream++)
		if (versions->of[stream] > newest->of[stream])
			return true;
	return false;
}

bool cs_ue_package_version_unknown(int32_t v5)
{
	return v5 > engines[N_ENGINES - 1].v5;
}
