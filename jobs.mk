# SPDX-License-Identifier: Apache-2.0
# GNU make uses all processors unless -j, or MAKEFLAGS, says otherwise. In a file of its own, for
# automake knows no ifeq; printenv, for make hides the -j of the environment while it reads this.
ifeq ($(MAKELEVEL)$(findstring -j,$(MAKEFLAGS) $(shell printenv MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1)
endif
