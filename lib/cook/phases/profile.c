/* SPDX-License-Identifier: Apache-2.0 */
/* The table of engine profiles (world-partition rules, Appendix A and the rules it refers to). */
#include <cellscope/cook.h>

#include "cook/phases/cook_internal.h"

#include <string.h>

/* Members that all profiles set alike, that those up to 5.2 do, and that those from 5.1 on do. */
#define ALL .aligned = true, .snap = true
#define UNTIL_5_2                                                                          \
	ALL, .layers_always = true, .layers_unpadded = true, .transient_persistent = true, \
	     .hlod_layer_always = true, .partition_name = "MainGrid"
#define FROM_5_1 .partition_by_location = true, .layer_assets = true
#define FROM_5_3 ALL, FROM_5_1, .guid_of_size = true, .options_stored = true

static const struct cs_profile profiles[] = {
	{
		.name = "5.0",
		.package_naming = CS_PACKAGE_PLAIN,
		UNTIL_5_2,
	},
	{
		.name = "5.1",
		.package_naming = CS_PACKAGE_PLAIN,
		UNTIL_5_2,
		FROM_5_1,
	},
	{
		.name = "5.2",
		.package_naming = CS_PACKAGE_MAP,
		UNTIL_5_2,
		FROM_5_1,
	},
	{
		.name = "5.3",
		.transient_persistent = true,
		.hlod_layer_always = true,
		FROM_5_3,
		.partition_name = "MainGrid",
	},
	{
		.name = "5.4",
		.transient_persistent = true,
		.coordinates_first = true,
		.hash_set_default = true,
		.hlod_layer_always = true,
		FROM_5_3,
		.partition_name = "MainGrid",
	},
	{
		.name = "5.5",
		.transient_persistent = true,
		.hash_set_default = true,
		.clip_content = true,
		.hlod_layer_always = true,
		FROM_5_3,
		.partition_name = "MainPartition",
	},
	{
		.name = "5.6",
		.hash_set_default = true,
		.clip_content = true,
		.hlod_layer_always = true,
		FROM_5_3,
		.partition_name = "MainPartition",
	},
	{
		.name = "5.7",
		.hash_set_default = true,
		.flat_default = true,
		.quarter_demotion = true,
		.clip_content = true,
		.load_filter_mix = true,
		.layer_priority = true,
		FROM_5_3,
		.partition_name = "MainPartition",
	},
};

const struct cs_profile *cs_profiles(size_t *n_ret)
{
	*n_ret = CS_COUNT_OF(profiles);
	return profiles;
}

const struct cs_profile *cs_profile_find(const char *name)
{
	for (size_t i = 0; i < CS_COUNT_OF(profiles); i++) {
		/* a name may go on: "5.3.2-1234" has the profile 5.3 */
		const size_t n = strlen(profiles[i].name);
		if (strncmp(profiles[i].name, name, n) == 0 && strchr(".-+ ", name[n]))
			return &profiles[i];
	}
	return NULL;
}
