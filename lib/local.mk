# SPDX-License-Identifier: Apache-2.0
lib_LTLIBRARIES += %D%/libcellscope.la
lib_libcellscope_la_SOURCES =
lib_libcellscope_la_CPPFLAGS = $(AM_CPPFLAGS) -DHAVE_CONFIG_H -I$(top_builddir) \
	$(LIBS_REQUIRED_CFLAGS) -DCS_LIBEXECDIR='"$(pkglibexecdir)"'
lib_libcellscope_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
lib_libcellscope_la_LDFLAGS = $(CS_LDFLAGS) $(OPENMP_CFLAGS) -version-info 0:0:0 -export-symbols-regex '^cs_' \
	-no-undefined
lib_libcellscope_la_LIBADD = $(LIBS_REQUIRED_LIBS) $(METIS_LIBS)

pkgconfig_DATA += %D%/cellscope.pc
EXTRA_DIST += %D%/cellscope.pc.in

cellscopeincludedir = $(includedir)/cellscope
cellscopeinclude_HEADERS = \
	lib/cellscope/compare.h lib/cellscope/cook.h lib/cellscope/cooked.h \
	lib/cellscope/cooked_values.h \
	lib/cellscope/core.h lib/cellscope/dag.h lib/cellscope/farm.h \
	lib/cellscope/mesh.h lib/cellscope/pages.h lib/cellscope/nanite.h lib/cellscope/paging.h \
	lib/cellscope/query.h lib/cellscope/runs.h lib/cellscope/stream.h \
	lib/cellscope/ue.h lib/cellscope/world.h

include lib/assets/local.mk
include lib/core/local.mk
include lib/format/local.mk
include lib/import/local.mk
include lib/world/local.mk
include lib/mesh/local.mk
include lib/cluster/local.mk
include lib/nanite/local.mk
include lib/compare/local.mk
include lib/cook/local.mk
include lib/debug/local.mk
include lib/farm/local.mk
include lib/query/local.mk
include lib/report/local.mk
include lib/rules/local.mk
include lib/runs/local.mk
include lib/stream/local.mk
include lib/ue/local.mk
include lib/make/local.mk
include lib/whatif/local.mk
