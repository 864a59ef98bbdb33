# SPDX-License-Identifier: Apache-2.0
# Unit tests link the static library, so that they reach what is not exported.

unit_tests = \
	%D%/unit/base \
	%D%/unit/errors \
	%D%/unit/file \
	%D%/unit/mesh
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)

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
