/* SPDX-License-Identifier: Apache-2.0 */
/* The table of engine profiles (world-partition rules, Appendix A and the rules it refers to). */
#include <cellscope/cook.h>

#include "cook/phases/cook_internal.h"

#include <string.h>

/* Members that all profiles set alike, and members that all profiles from 5.1 on set alike. */
#define FROM_5_0 .aligned = true, .snap = true
#define FROM_5_1 FROM_5_0, .partition_by_location = true, .layer_assets = true

static const struct cs_profile profiles[] = {
	{
		.name = "5.0",
		.engines = "5.0",
		.layers_always = true,
		.layers_unpadded = true,
		.package_naming = CS_PACKAGE_PLAIN,
		.transient_persistent = true,
		.hlod_layer_always = true,
		FROM_5_0,
		.partition_name = "MainGrid",
	},
	{
		.name = "5.1",
		.engines = "5.1",
		.layers_always = true,
		.layers_unpadded = true,
		.package_naming = CS_PACKAGE_PLAIN,
		.transient_persistent = true,
		.hlod_layer_always = true,
		FROM_5_1,
		.partition_name = "MainGrid",
	},
	{
		.name = "5.2",
		.engines = "5.2",
		.layers_always = true,
		.layers_unpadded = true,
		.package_naming = CS_PACKAGE_MAP,
		.transient_persistent = true,
		.hlod_layer_always = true,
		FROM_5_1,
		.partition_name = "MainGrid",
	},
	{
		.name = "5.3",
		.engines = "5.3",
		.guid_of_size = true,
		.transient_persistent = true,
		.hlod_layer_always = true,
		FROM_5_1,
		.partition_name = "MainGrid",
	},
	{
		.name = "5.4",
		.engines = "5.4",
		.guid_of_size = true,
		.transient_persistent = true,
		.coordinates_first = true,
		.hash_set_default = true,
		.hlod_layer_always = true,
		FROM_5_1,
		.partition_name = "MainGrid",
	},
	{
		.name = "5.5",
		.engines = "5.5",
		.guid_of_size = true,
		.transient_persistent = true,
		.hash_set_default = true,
		.clip_content = true,
		.hlod_layer_always = true,
		FROM_5_1,
		.partition_name = "MainPartition",
	},
	{
		.name = "5.6",
		.engines = "5.6",
		.guid_of_size = true,
		.hash_set_default = true,
		.clip_content = true,
		.hlod_layer_always = true,
		FROM_5_1,
		.partition_name = "MainPartition",
	},
	{
		.name = "5.7",
		.engines = "5.7",
		.guid_of_size = true,
		.hash_set_default = true,
		.flat_default = true,
		.quarter_demotion = true,
		.clip_content = true,
		.load_filter_mix = true,
		.layer_priority = true,
		FROM_5_1,
		.partition_name = "MainPartition",
	},
};

const struct cs_profile *cs_profiles(size_t *n_ret)
{
	*n_ret = sizeof(profiles) / sizeof(profiles[0]);
	return profiles;
}

/* Returns whether the name begins with a version of the profile: "5.3.2-1234" matches 5.3. */
static bool profile_stands_for(const struct cs_profile *profile, const char *name)
{
	for (const char *engine = profile->engines; *engine;) {
		size_t n = strcspn(engine, " ");
		if (strncmp(engine, name, n) == 0 && strchr(".-+ ", name[n]))
			return true;
		engine += n + strspn(engine + n, " ");
	}
	return false;
}

const struct cs_profile *cs_profile_find(const char *name)
{
	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++)
		if (profile_stands_for(&profiles[i], name))
			return &profiles[i];
	return NULL;
}
