/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks that every public header of libcellscope uses.
 *
 * Rules that hold for the whole library: no printing, no exit, no global state; a function that
 * can fail returns `struct cs_error *`, NULL meaning success, and leaves its `*_ret` parameters
 * untouched on failure. `_init/_deinit` work on storage of the caller, `_new/_free` on the heap;
 * every `_free` accepts NULL. Distinct objects may be used from distinct threads.
 *
 * Option structs begin with their size: {.size = sizeof(struct cs_cook_options), ...}. Later
 * versions add fields at the end alone, and zero is the default of each that is added; so an older
 * program, whose struct is shorter, gets what it knows. Of a newer program, whose struct is longer,
 * E_USAGE when it sets a field that is not known here. A size of 0 stands for that of the first
 * version with sizes, 0.1. Options may be NULL: all defaults. This holds from the release of 0.1
 * on: until then other structs may change their length, and programs are compiled anew.
 */
#ifndef CELLSCOPE_API_H
#define CELLSCOPE_API_H

/* Around the declarations of a header, so that C++ links them by their names in C. */
#ifdef __cplusplus
#define CS_BEGIN_DECLS extern "C" {
#define CS_END_DECLS   }
#else
#define CS_BEGIN_DECLS
#define CS_END_DECLS
#endif

/*
 * What the rooms of the library have for each other is declared under CS_INSIDE, which its own
 * build defines: a program neither sees it nor can link it.
 */
#if defined(__GNUC__)
#define CS_API               __attribute__((visibility("default")))
#define CS_PRINTF(at, first) __attribute__((format(printf, at, first)))
#define CS_MUST_USE          __attribute__((warn_unused_result))
#else
#define CS_API
#define CS_PRINTF(at, first)
#define CS_MUST_USE
#endif

#endif
