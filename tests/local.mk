# SPDX-License-Identifier: Apache-2.0
# Unit tests link the static library, so that they reach what is not exported.

unit_tests = \
	%D%/unit/base \
	%D%/unit/cook \
	%D%/unit/errors \
	%D%/unit/explain \
	%D%/unit/file \
	%D%/unit/placement \
	%D%/unit/stream_rules \
	%D%/unit/world
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)

tests_unit_cook_SOURCES = %D%/unit/cook.c %D%/unit/cooking.c %D%/unit/cooking.h
tests_unit_explain_SOURCES = %D%/unit/explain.c %D%/unit/cooking.c %D%/unit/cooking.h

# Worlds made by hand, for the tests of streaming.
test_worlds = %D%/unit/worlds.c %D%/unit/worlds.h %D%/unit/stream_test.h
tests_unit_stream_rules_SOURCES = %D%/unit/stream_rules.c $(test_worlds)

LDADD = lib/libcellscope.la
EXTRA_DIST += %D%/tap.h %D%/README.md

LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = \
	CELLSCOPE_SOURCE='$(abs_top_srcdir)'; export CELLSCOPE_SOURCE; \
	CELLSCOPE_BUILD='$(abs_top_builddir)'; export CELLSCOPE_BUILD; \
	: "$${CELLSCOPE_DATA:=$(abs_top_srcdir)/../shared/data}"; export CELLSCOPE_DATA; \
	mkdir -p '$(abs_top_builddir)/tests/out'; \
	CELLSCOPE_OUT='$(abs_top_builddir)/tests/out'; export CELLSCOPE_OUT; \
	LC_ALL=C; export LC_ALL;

# The last line of `make check` says how many test points passed.
check-local: check-TESTS
	@$(SHELL) $(top_srcdir)/tests/summary $(TEST_LOGS)
EXTRA_DIST += %D%/summary
