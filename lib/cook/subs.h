/* SPDX-License-Identifier: Apache-2.0 */
/* Sub partitions: standalone level instances that the cook of the main world cooks as worlds. */
#pragma once

#include "cook/phases/cook_internal.h"
#include "core/writer.h"

struct cs_sub_files {
	CS_VEC(struct cs_cooked_sub) subs;
	CS_VEC(struct cs_cooked_sub_level) levels;
	struct cs_writer bytes;
};

void cs_sub_files_free(struct cs_sub_files *files);
