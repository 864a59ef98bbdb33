# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/world.h
lib_libcellscope_la_SOURCES += \
	%D%/world.c %D%/world.h
