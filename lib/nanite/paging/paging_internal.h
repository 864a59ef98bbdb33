/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of page streaming, for the files of this folder:
 *
 * 	pager.c        creating, inputs, the steps of a frame, results
 * 	camera.c       positions and views of cameras, and parsing them
 * 	camera_file.c  reads the keys of a camera's path from a file
 * 	input_text.c   formats inputs as text
 * 	paging_view.c  walks the hierarchies: which groups a view requests and draws
 * 	pool.c         requests, slots, reads, installing
 * 	rule.c         what counts as loaded, by two rules that rule.c defines
 * 	pager_state.c  saves and restores the whole state as bytes
 * 	why_page.c     why a page is loaded, the order of installing, pools of other sizes
 *
 * A row is the index of a page, cluster or group in the inspector, which numbers those of all
 * resources in one sequence.
 *
 * Invariants: the list from `first` to `last` contains exactly the installed pages that are not
 * root pages, in the order in which they may be removed. `holders` of a page counts the pages with
 * a slot that depend on it; a page with holders is never removed. What is loaded by either rule of
 * rule.c follows from the states of the pages alone.
 */
#pragma once

#include <cellscope/paging.h>

#include "core/arena.h"
#include "core/vec.h"
#include "core/writer.h"

struct cs_run_page {
	struct cs_page_status status;
	uint32_t resource, page;
	uint32_t holders;
	/* previous and next page in the list of installed pages, CS_NONE at the ends */
	uint32_t before, after;
	uint64_t read; /* sequence number of the page's last read */
	/* last frame that requested the page. The following members describe that request */
	uint64_t wanted;
	float priority;
	uint32_t via, camera, group;
};

struct cs_run_resource {
	const struct cs_model *model;
	/* the first page, cluster, group and part of the resource in the inspector's tables */
	size_t page, cluster, group, part;
	bool changed; /* whether pages were installed or removed in this frame */
};

/* A request for a group by a view, or for a page by the user. */
struct cs_pager_request {
	uint64_t due; /* frame in which the request takes effect */
	/* `group` is the index of a group in the resource, or CS_NONE when a page is requested */
	uint32_t resource, group, camera;
	uint32_t page; /* index of a page in the resource, or CS_NONE when a group is requested */
	float priority;
};

struct cs_run_camera {
	struct cs_camera camera;
	struct cs_camera_key *keys; /* keys of the path, owned by this struct */
	struct cs_camera_key place;
	struct cs_vec3 forward;
	double cone; /* cosine of the angle between `forward` and a corner of the picture */
};

struct cs_run_instance {
	struct cs_pager_instance at;
	struct cs_quat back; /* inverse of the instance's rotation */
	bool hidden;
};

enum {
	CS_PAGER_FRAMES = 4096,
	CS_PAGER_NUMBERS = sizeof(struct cs_pager_settings) / sizeof(double)
};

struct cs_pager {
	const struct cs_inspector *inspector;
	struct cs_pager_owner owner;
	union {
		struct cs_pager_settings settings;
		double numbers[CS_PAGER_NUMBERS]; /* the same, one by one */
	};
	struct cs_run_resource *resources;
	size_t n_resources, n_pages, n_clusters, n_groups, n_parts;
	struct cs_run_page *pages;
	bool *effective; /* for each group, whether it is loaded by the effective rule of rule.c */
	bool *loaded;    /* for each part, whether it is loaded by the literal rule of rule.c */
	bool *leaf;      /* for each cluster, its leaf flag by the literal rule */
	bool *installed; /* for each page, whether its data is loaded */
	uint8_t *drawn;  /* for each cluster, its enum cs_cluster_state in the last frame */
	uint64_t *asked; /* for each group, the last frame in which it was requested */
	uint32_t *ask;   /* for each group, the index of its request in `queue` */
	CS_VEC(struct cs_run_instance) instances;
	CS_VEC(struct cs_run_camera) cameras;
	CS_VEC(struct cs_pager_request) queue; /* requests that do not take effect yet, unsorted */
	CS_VEC(uint32_t) wanted;               /* pages requested in this frame */
	/* pages that are being read, in the order in which the reads started */
	CS_VEC(uint32_t) loading;
	CS_VEC(uint32_t) stack;
	/* ends of the list of installed pages: `first` is removed first, and `last` last */
	uint32_t first, last;
	uint32_t used; /* number of slots of the pool in use */
	uint64_t frame, time, io_free, reads;
	double quality;
	bool was_full; /* whether the pool was full in the last frame */
	/* results of this frame, and a ring buffer of those of the last CS_PAGER_FRAMES frames */
	struct cs_page_frame now, *frames;
	struct cs_arena arena; /* the memory of the arrays whose length does not change */
	struct cs_writer state;
	bool failed; /* whether memory ran out in this frame */
};

static inline size_t cs_run_row(const struct cs_pager *pager, uint32_t resource, uint32_t page)
{
	return pager->resources[resource].page + page;
}

static inline void cs_run_tell(
	struct cs_pager *pager, enum cs_page_event event, uint32_t resource, uint32_t page)
{
	if (pager->owner.tell)
		pager->owner.tell(pager->owner.context, event, resource, page);
}

/* ---- functions of camera.c ---- */
void cs_run_camera_move(struct cs_run_camera *camera, uint64_t time);
struct cs_error *cs_run_camera_parse(
	struct cs_pager *pager, const char *text, struct cs_run_camera *ret) CS_MUST_USE;
/* Returns the view of a camera in the local space of an instance. */
struct cs_nanite_view cs_run_view(const struct cs_pager *pager, const struct cs_run_camera *camera,
	const struct cs_run_instance *instance);
bool cs_run_sees(const struct cs_pager *pager, const struct cs_run_camera *camera,
	const struct cs_run_instance *instance, const float centre[3], const float extent[3]);

/* ---- functions of paging_view.c ---- */
void cs_run_look(struct cs_pager *pager);
double cs_run_pixels(
	const struct cs_nanite_view *view, float error, const float centre[3], float radius);

/* ---- functions of pool.c ---- */
void cs_run_requests(struct cs_pager *pager);
void cs_run_installs(struct cs_pager *pager);
struct cs_error *cs_run_evict(struct cs_pager *pager, uint32_t row) CS_MUST_USE;

/* ---- functions of rule.c ---- */
void cs_run_install(struct cs_pager *pager, uint32_t row);
void cs_run_uninstall(struct cs_pager *pager, uint32_t row);
/* Recomputes which groups the effective rule loads, for resources whose installed pages changed. */
void cs_run_settle(struct cs_pager *pager);
/* Recomputes from the installed pages the groups that the literal and the effective rule load. */
void cs_run_derive(struct cs_pager *pager);

/* Simulates the same cameras and settings from the first frame with a pool of another size. */
struct cs_error *cs_pager_try(const struct cs_pager *pager, double pool, uint64_t frames,
	uint64_t length, const struct cs_job *job, struct cs_pager_sweep *ret) CS_MUST_USE;
