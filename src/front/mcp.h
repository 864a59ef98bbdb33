/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --mcp: a server of the Model Context Protocol on standard input and output. */
#pragma once

#include "src/session/session.h"

void mcp_run(struct session *session);
