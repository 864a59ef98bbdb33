# SPDX-License-Identifier: Apache-2.0
# What only GNU make knows, in a file of its own because automake does not understand it.

# All processors are used unless -j or MAKEFLAGS says otherwise: one job more than there are, for
# some tests wait for a terminal. printenv is asked because make hides the -j of the environment
# while it reads this.
ifeq ($(MAKELEVEL)$(findstring -j,$(MAKEFLAGS) $(shell printenv MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell echo $$(($$(nproc 2>/dev/null || echo 1) + 1)))
endif

# The tests' own code is worth no more, and takes half of the time to compile; benchmarks are.
tests/%.o tests/%.lo: CFLAGS := $(filter-out -O%,$(CFLAGS)) -O1
tests/bench/%.o: CFLAGS := $(CFLAGS)
# Nor does each of them need a copy of what debuggers know of the library, unless CFLAGS says how all is to be compiled.
ifeq ($(CFLAGS),-g1 -O2)
tests/%.o tests/%.lo: CFLAGS := -g0 -O1
tests/bench/%.o: CFLAGS := -O2
tests/%: private LDFLAGS += -Wl,--strip-debug
endif
# The rooms of meshes and Nanite are worth more, unless CFLAGS says how all is to be compiled (configure.ac).
lib/mesh/%.lo lib/cluster/%.lo lib/nanite/%.lo: CFLAGS += $(FAST_CFLAGS)
