/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The meshes of a world: what its actors name becomes Nanite resources, each once however many show
 * it, and HLOD actors get proxies (rule 1.6.9). What comes of it goes into the cook: sizes, what
 * cells bring, findings.
 */
#ifndef CELLSCOPE_ASSETS_H
#define CELLSCOPE_ASSETS_H

#include <cellscope/cook.h>

CS_BEGIN_DECLS

struct cs_assets_options {
	size_t size; /* sizeof(struct cs_assets_options); api.h */
	/*
	 * Folder that names are looked up in. "rocks/a.ply" is that file below it; an object of the
	 * engine, "/Game/Rocks/SM_A.SM_A", is Rocks/SM_A with the ending of a mesh or resource.
	 */
	const char *root;
	const char *folder; /* where resources are written; made when it is not there */
	const char *prefix; /* of `folder`, as it is found from the folder of the cooked world */
	const char *cache;  /* a folder of results by content, shared with a farm; NULL = none */
};

struct cs_assets_summary {
	size_t meshes;           /* that actors name */
	size_t built, cached;    /* made now; found in the cache */
	size_t copied;           /* were resources already */
	size_t missing, refused; /* not there; of no use */
	size_t proxies;          /* of HLOD actors */
	uint64_t bytes;          /* of all resources */
};

/*
 * Builds what the actors of a cook name, on the threads of the job, and the proxies of its HLOD
 * actors, and hands the cook what became of each; before it is saved. The same input gives the same
 * files on any number of threads. Fails for want of memory, for a folder that cannot be written to,
 * and when it is interrupted; what is wrong with a mesh is a finding of the cook.
 */
CS_API struct cs_error *cs_assets_build(struct cs_cook *cook,
	const struct cs_assets_options *options, const struct cs_job *job,
	struct cs_assets_summary *ret) CS_MUST_USE;

/* An actor of a cell that shows a mesh: row of meshes, row of actors. */
struct cs_shown_mesh {
	uint32_t mesh, actor;
};

/*
 * Those of the actors that lie in a cell and name a mesh, by mesh and then by actor; freed by the
 * caller.
 */
CS_API struct cs_error *cs_assets_shown(const struct cs_cooked *cooked, const uint32_t *actors,
	size_t n, struct cs_shown_mesh **ret, size_t *n_ret) CS_MUST_USE;

CS_END_DECLS

#endif
