/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The example world of the lessons, which is compiled into the program. */
#pragma once

#include "src/session/session.h"

/* Opens the example world as the session's world. */
struct cs_error *open_valley(struct session *session) CS_MUST_USE;
