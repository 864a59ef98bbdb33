/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that is done with a Nanite resource, for resources of which nothing is sure. */
#pragma once

#include <cellscope/pages.h>

/* Uses everything of a model, which it frees, until the first error. */
struct cs_error *use_model(struct cs_model *model);
