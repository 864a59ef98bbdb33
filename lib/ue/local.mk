# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/ue.h
include lib/ue/package/local.mk
include lib/ue/project/local.mk
include lib/ue/cooked/local.mk
include lib/ue/log/local.mk
