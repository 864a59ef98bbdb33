# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/rulebook.h
lib_libcellscope_la_SOURCES += \
	%D%/rulebook.c \
	%D%/rulebook.def
