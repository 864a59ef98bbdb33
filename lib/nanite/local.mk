# SPDX-License-Identifier: Apache-2.0
include lib/nanite/format/local.mk
include lib/nanite/encode/local.mk
include lib/nanite/decode/local.mk
include lib/nanite/residency/local.mk
include lib/nanite/inspect/local.mk
include lib/nanite/paging/local.mk
include lib/nanite/picture/local.mk
include lib/nanite/verify/local.mk
include lib/nanite/build/local.mk
