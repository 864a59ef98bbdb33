# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/clean.c \
	%D%/buckets.h \
	%D%/collapse.c %D%/collapse.h \
	%D%/mesh_compare.c %D%/mesh_compare.h \
	%D%/deviation.c %D%/deviation.h \
	%D%/distance.c %D%/distance.h \
	%D%/drape.c \
	%D%/edges.c %D%/edges.h \
	%D%/files/export.c %D%/files/export_gltf.c %D%/facet.h \
	%D%/files/helper.c \
	%D%/files/import.c \
	%D%/lightmap/charts.c %D%/lightmap/charts.h \
	%D%/lightmap/lightmap.c %D%/lightmap/lightmap.h \
	%D%/lightmap/overlaps.c \
	%D%/lightmap/pack.c %D%/lightmap/pack.h \
	%D%/mesh.c %D%/mesh_internal.h \
	%D%/normals.c \
	%D%/files/obj.c \
	%D%/files/ply.c \
	%D%/polygon.c \
	%D%/prepare.c \
	%D%/price.c \
	%D%/mesh_readers.h \
	%D%/quadric.h \
	%D%/settle.c \
	%D%/sheet.c %D%/sheet.h \
	%D%/simplify.c %D%/simplify.h \
	%D%/tangents.c \
	%D%/thin.c \
	%D%/vector.h \
	%D%/walk.c %D%/walk.h \
	%D%/files/helper_wire.c %D%/helper_wire.h
