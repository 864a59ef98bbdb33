# SPDX-License-Identifier: Apache-2.0
# GNU make uses all processors unless -j, or MAKEFLAGS, says otherwise: one job more than there are,
# for some tests wait for a terminal. In a file of its own, for
# automake knows no ifeq; printenv, for make hides the -j of the environment while it reads this.
ifeq ($(MAKELEVEL)$(findstring -j,$(MAKEFLAGS) $(shell printenv MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell echo $$(($$(nproc 2>/dev/null || echo 1) + 1)))
endif

# The tests' own code is worth no more, and takes half of the time to compile; benchmarks are.
tests/%.o tests/%.lo: CFLAGS := $(filter-out -O%,$(CFLAGS)) -O1
tests/bench/%.o: CFLAGS := $(CFLAGS)
