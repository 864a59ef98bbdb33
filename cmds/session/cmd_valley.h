/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The world of the lessons, which is compiled into the program. */
#pragma once

#include "src/session/session.h"

/* Opens the world of the lessons as the session's world. */
struct cs_error *open_valley(struct session *session) CS_MUST_USE;
