/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Page streaming, frame by frame on a virtual clock: what views request, what is read, what is in
 * the pool, and what is drawn of it (nanite rules 3).
 *
 * In a frame, requests of some frames ago claim slots of the pool, from which the least recently
 * used page leaves first. Completed reads are installed. Then every camera walks the hierarchies,
 * requests the groups that it wants, and draws what is loaded. Root pages are always loaded and
 * take no slot. Settings, cameras, inputs and the clock decide everything: the same inputs give the
 * same states.
 *
 * Drawing follows the effective rule: a group counts as loaded when all its pages are installed and
 * the groups of all its parents count. The literal rule, fixup by fixup as the format says, is
 * computed beside it. Where it draws more, the surface would be drawn twice.
 */
#ifndef CELLSCOPE_PAGING_H
#define CELLSCOPE_PAGING_H

#include <cellscope/pages.h>

CS_BEGIN_DECLS

struct cs_pager;

enum { CS_CAMERA_NAME = 64, CS_PAGER_LEVELS = 24 };

struct cs_pager_settings {
	double pool;            /* pages beside root pages */
	double pending;         /* the most pages that are read at once */
	double installs;        /* the most pages installed in a frame */
	double latency;         /* the least seconds from the start of a read to its end */
	double bandwidth;       /* bytes a second; 0 for no limit */
	double request_latency; /* frames from a view to the effect of its requests, at least 1 */
	double threshold;       /* largest error in pixels that is fine enough */
	double lru;  /* 1: the least recently used page leaves first; 0: the page installed first */
	double cull; /* 1: instances that no camera sees request nothing and are not drawn */
	double quality; /* 1: too many requests for the pool relax the threshold */
	double literal; /* 1: the literal rule decides what is drawn */
};

struct cs_pager_setting {
	const char *name;
	double least, most, otherwise; /* range of the value, and its default */
	bool whole;
	const char *doc; /* meaning of the setting, with its unit */
};

/* Lists the settings, in the order of cs_pager_settings. */
CS_API const struct cs_pager_setting *cs_pager_setting_list(size_t *n_ret);

enum cs_camera_kind { CS_CAMERA_FIXED, CS_CAMERA_ORBIT, CS_CAMERA_PATH, CS_CAMERA_FOLLOW };

struct cs_camera_key {
	struct cs_vec3 eye, target;
};

struct cs_camera {
	char name[CS_CAMERA_NAME];
	enum cs_camera_kind kind;
	/*
	 * ORBIT: `target` is the centre of the circle, and `eye` is on it. FOLLOW: the last
	 * position it was given.
	 */
	struct cs_vec3 eye, target;
	/* FOLLOW: name of the object that it follows, for the caller of cs_pager_lead */
	char leader[CS_CAMERA_NAME];
	struct cs_vec3 offset; /* FOLLOW: offset of the eye, in the axes of the followed object */
	double fov;            /* vertical field of view in degrees */
	double height;         /* height of the picture in pixels */
	double aspect;         /* width of the picture divided by height */
	double near; /* least distance at which errors are judged; 0: cs_model_near of each mesh */
	double period;   /* seconds: ORBIT for a turn, PATH from the first key to the last */
	double start;    /* seconds of the clock at which the camera started */
	bool loop;       /* PATH: whether the path is a loop */
	uint32_t n_keys; /* PATH: number of keys, joined by Catmull-Rom splines */
	const struct cs_camera_key *keys; /* copied by the pager */
};

/* A resource in space, scaled uniformly, turned and moved. */
struct cs_pager_instance {
	uint32_t resource;
	struct cs_quat rotation;
	struct cs_vec3 translation;
	double scale;
	uint32_t tag; /* number that the caller chooses: a row of actors, or CS_NONE */
};

enum cs_page_event {
	CS_PAGE_REQUESTED, /* the page has a slot, and is being read */
	CS_PAGE_INSTALLED,
	CS_PAGE_EVICTED,
	CS_PAGE_POOL_FULL, /* no page may leave for a wanted page; reported once when this begins */
	CS_PAGE_QUALITY_DROP, /* quality falls below 1 */
};

/* Callbacks of the owner of a pager. Each may be NULL, and so may the owner. */
struct cs_pager_owner {
	void *context;
	/* Receives the events as they happen. `resource` is CS_NONE for QUALITY_DROP. */
	void (*tell)(void *context, enum cs_page_event event, uint32_t resource, uint32_t page);
	/* Sets, before each frame, what is seen and where leaders are (cs_pager_show, _lead). */
	void (*before_frame)(void *context);
};

/*
 * Makes a pager in which every resource of the inspector stands once at the origin. The inspector
 * must outlive it.
 */
CS_API struct cs_error *cs_pager_new(const struct cs_inspector *inspector,
	const struct cs_pager_owner *owner, struct cs_pager **ret) CS_MUST_USE;
CS_API void cs_pager_free(struct cs_pager *pager);
/* Returns an instance, or NULL behind the last. */
CS_API const struct cs_pager_instance *cs_pager_instance_at(
	const struct cs_pager *pager, size_t index);
/*
 * Sets whether an instance is seen in the following frames, because the cell of its actor is
 * visible or not.
 */
CS_API void cs_pager_show(struct cs_pager *pager, size_t index, bool shown);

/* ---- frames and inputs ---- */

/*
 * Returns the pager as the companion of a run, for which everything is input as text, so that it
 * can be kept and given again:
 *	set NAME VALUE
 *	set profile 5.0|5.5	as engines up to 5.4 do, and from 5.5 on, which let quality fall
 *	camera NAME fixed EYE TARGET FOV HEIGHT ASPECT NEAR
 *	camera NAME orbit EYE TARGET FOV HEIGHT ASPECT NEAR PERIOD
 *	camera NAME follow LEADER OFFSET EYE TARGET FOV HEIGHT ASPECT NEAR
 *	camera NAME path FOV HEIGHT ASPECT NEAR PERIOD LOOP EYE TARGET ...
 *	uncamera NAME
 *	place RESOURCE TAG POINT QUATERNION SCALE ...
 *	request RESOURCE PAGE
 *	evict RESOURCE PAGE
 * Points are three numbers. Placed instances replace the one at the origin. Errors of an input are
 * E_USAGE, E_SETTING, E_MISSING or E_LIMIT.
 */
CS_API struct cs_companion cs_pager_companion(struct cs_pager *pager);
/*
 * Sets, before each frame, the position and rotation of what a camera of kind FOLLOW follows (its X
 * points ahead). A camera that is not set keeps its place.
 */
CS_API void cs_pager_lead(
	struct cs_pager *pager, size_t camera, struct cs_vec3 location, struct cs_quat rotation);
/* Returns the text of an input of that camera, which the caller frees, or NULL without memory. */
CS_API char *cs_camera_input(const struct cs_camera *camera);
/* Returns the same for instances of that resource. The resource in the instances is ignored. */
CS_API char *cs_pager_place_input(
	uint32_t resource, const struct cs_pager_instance *instances, size_t n);

enum { CS_CAMERA_KEYS = 10000 };

/*
 * Reads the keys of a path from a file with one key on each line: X,Y,Z,TX,TY,TZ, the eye and its
 * target. # begins a comment. The caller frees them. Returns E_SETTING, which names the line, for
 * one that is no key, E_MISSING without any key, and E_LIMIT for more than CS_CAMERA_KEYS.
 */
CS_API struct cs_error *cs_camera_keys_read(
	const char *path, struct cs_camera_key **ret, uint32_t *n_ret) CS_MUST_USE;

/* ---- what there is to see ---- */

struct cs_pager_view {
	uint64_t frame; /* last frame that was run, 0: none */
	struct cs_pager_settings settings;
	size_t n_cameras;
};

CS_API struct cs_pager_view cs_pager_view(const struct cs_pager *pager);
CS_API const struct cs_camera *cs_pager_camera(const struct cs_pager *pager, size_t index);
enum cs_page_state {
	CS_PAGE_ABSENT,
	CS_PAGE_LOADING,
	CS_PAGE_RESIDENT,
	CS_PAGE_ROOT,
};

struct cs_page_status {
	enum cs_page_state state;
	uint64_t since;     /* the frame in which the state began */
	uint64_t last_used; /* the frame in which the page was last requested */
	uint64_t ready;     /* ns: when its read completes */
	uint64_t asked; /* frame in which a view first requested the group that it is loaded for */
	/* numbers of requests, in frames; of installs; of evictions */
	uint32_t requests, installs, evictions;
	/*
	 * priority of the last request: the error in thresholds, and more for pages that others
	 * need
	 */
	float priority;
	uint32_t camera; /* camera whose view requested the page; CS_NONE: by hand, or never */
	uint32_t group;  /* row of the wanted group in its resource, or CS_NONE */
	uint32_t via;    /* page of the resource that needs this page; CS_NONE: a view wanted it */
	uint32_t evicted_for; /* row of the page that took its slot; CS_NONE: by hand, or never */
	uint64_t evicted;     /* frame of the last eviction, 0 for never */
	/* whether the page is loaded, but one of its groups does not count as loaded */
	bool stranded;
	bool blocked; /* whether no slot was free when it was last requested */
};

/* Returns the status of a row of the table of pages. */
CS_API struct cs_page_status cs_pager_page(const struct cs_pager *pager, size_t row);

enum cs_cluster_state {
	CS_CLUSTER_HIDDEN, /* not drawn: a coarser or finer cluster is drawn in its place */
	CS_CLUSTER_DRAWN,  /* drawn, and fine enough */
	/* drawn although coarser than wanted, because no finer cluster is loaded */
	CS_CLUSTER_COARSE,
};

CS_API enum cs_cluster_state cs_pager_cluster(const struct cs_pager *pager, size_t row);
/*
 * Returns whether a group counts as loaded, by the effective rule, for a row of the table of
 * groups.
 */
CS_API bool cs_pager_group(const struct cs_pager *pager, size_t row);

/*
 * Lists the clusters of a resource that the last frame drew, in ascending order, and for each
 * cluster whether it is coarser than wanted. The arrays have room for all clusters. Returns how
 * many were drawn.
 */
static inline size_t cs_pager_drawn(const struct cs_inspector *inspector,
	const struct cs_pager *pager, uint32_t resource, uint32_t *clusters_ret,
	uint8_t *coarse_ret)
{
	const size_t first = cs_inspector_first(inspector, CS_ROWS_CLUSTERS, resource);
	const size_t all = cs_inspector_models(inspector).at[resource]->n_clusters;
	size_t n = 0;
	for (uint32_t i = 0; i < all; i++) {
		const enum cs_cluster_state state = cs_pager_cluster(pager, first + i);
		coarse_ret[i] = state == CS_CLUSTER_COARSE;
		if (state != CS_CLUSTER_HIDDEN)
			clusters_ret[n++] = i;
	}
	return n;
}

/*
 * Returns the current state of a page of an open resource. Without a pager (NULL) only root pages
 * are loaded.
 */
static inline enum cs_page_state cs_page_state_of(const struct cs_inspector *inspector,
	const struct cs_pager *pager, uint32_t resource, uint32_t page)
{
	if (pager)
		return cs_pager_page(
			pager, cs_inspector_first(inspector, CS_ROWS_PAGES, resource) + page)
			.state;
	return cs_inspector_models(inspector).at[resource]->pages[page].root ? CS_PAGE_ROOT
									     : CS_PAGE_ABSENT;
}

/*
 * Copies those of the pages that are not loaded, in the same order. ret has room for all, or is
 * `pages`.
 */
static inline size_t cs_pages_missing(const struct cs_inspector *inspector,
	const struct cs_pager *pager, uint32_t resource, const uint32_t *pages, size_t n,
	uint32_t *ret)
{
	size_t missing = 0;
	for (size_t i = 0; i < n; i++) {
		enum cs_page_state state = cs_page_state_of(inspector, pager, resource, pages[i]);
		if (state != CS_PAGE_ROOT && state != CS_PAGE_RESIDENT)
			ret[missing++] = pages[i];
	}
	return missing;
}

/* The pages that must be loaded for a page to be drawn correctly. */
struct cs_page_order {
	uint32_t *pages; /* the closure by groups without root pages, in an order of installing */
	size_t n;
	uint32_t blocker; /* the first of the other pages that is not loaded, or CS_NONE */
};

/* The caller frees the pages. */
CS_API struct cs_error *cs_page_order(const struct cs_inspector *inspector,
	const struct cs_pager *pager, uint32_t resource, uint32_t page,
	struct cs_page_order *ret) CS_MUST_USE;

struct cs_page_frame {
	uint64_t frame, time;
	uint32_t slots, inner, leaves; /* numbers of slots visited: all, inner, leaves */
	uint32_t requests;             /* groups that were requested */
	uint32_t pages;   /* distinct pages of the requests that took effect in this frame */
	uint32_t dropped; /* number of these pages that got no slot */
	float min_priority, max_priority;
	/* numbers of these pages that are resident, and that are missing */
	uint32_t resident, missing;
	uint32_t used; /* slots of the pool, with those of pages that are being read */
	uint32_t issued, loading, installed, evicted;
	uint32_t thrash; /* pages issued soon after they were evicted */
	/* bytes read from the file, and bytes in memory when loaded */
	uint64_t bytes_read, bytes_installed;
	uint32_t clusters, triangles; /* numbers of clusters and triangles drawn */
	uint32_t coarse;              /* clusters drawn because no finer ones are loaded */
	double worst;                 /* pixels of the largest error that is drawn */
	uint32_t stranded;            /* loaded pages with a group that does not count as loaded */
	uint32_t overlaps;            /* clusters that only the literal rule draws */
	uint32_t holes;               /* clusters that only the effective rule draws */
	double quality;               /* divisor of the threshold; 1: the threshold as set */
	bool stable;                  /* whether every requested page is loaded */
	/* clusters drawn by level; the last item also counts all higher levels */
	uint32_t levels[CS_PAGER_LEVELS];
};

/* Returns the record of a frame, or NULL when it is not kept. The last few thousand are kept. */
CS_API const struct cs_page_frame *cs_pager_frame_at(const struct cs_pager *pager, uint64_t frame);
/*
 * Sums up issued, installed, evicted and thrash of the kept frames after `since`. Other fields are
 * zero.
 */
static inline struct cs_page_frame cs_pager_sum(const struct cs_pager *pager, uint64_t since)
{
	const struct cs_page_frame *at;
	struct cs_page_frame sum;
	memset(&sum, 0, sizeof(sum));
	for (uint64_t frame = cs_pager_view(pager).frame;
		frame > since && (at = cs_pager_frame_at(pager, frame)) != NULL; frame--) {
		sum.issued += at->issued;
		sum.installed += at->installed;
		sum.evicted += at->evicted;
		sum.thrash += at->thrash;
	}
	return sum;
}

/* ---- why ---- */

enum cs_page_why {
	CS_WHY_ROOT,     /* a root page, which is always loaded */
	CS_WHY_WANTED,   /* loaded, and requested in the last frame that took effect */
	CS_WHY_KEPT,     /* loaded and no longer requested, but no other page needed its slot */
	CS_WHY_LOADING,  /* being read until `ready` */
	CS_WHY_NO_SLOT,  /* requested, but no page may leave to free a slot */
	CS_WHY_PENDING,  /* requested, but too many pages are being read, or others come first */
	CS_WHY_EVICTED,  /* was loaded; `evicted_for` took its slot, and it is not requested */
	CS_WHY_UNWANTED, /* no view needs any of its groups */
};

/*
 * The reason of a page's state, with the group of the page that comes nearest to being wanted by a
 * camera now.
 */
struct cs_page_reason {
	enum cs_page_why why;
	struct cs_page_status status;
	uint32_t group, camera; /* CS_NONE without cameras or groups */
	uint32_t tag;           /* tag of the nearest instance, a seen one before others */
	uint32_t instances;     /* number of instances of the page's resource */
	uint32_t shown;         /* number of these instances whose actors' cells are visible */
	double pixels;          /* error of the group's parents as that camera sees it */
};

CS_API struct cs_page_reason cs_pager_why_page(const struct cs_pager *pager, size_t row);

/* ---- pools of other sizes ---- */

struct cs_pager_sweep {
	double pool;
	uint64_t frames, requests, hits; /* pages requested, and number of these already loaded */
	uint64_t issued, evicted, thrash, bytes_read;
	uint64_t stable;        /* first frame from which on all was stable; 0 for never */
	uint64_t coarse_frames; /* frames in which clusters coarser than wanted were drawn */
	uint32_t peak;          /* the most slots used */
	double worst;           /* largest drawn error in pixels, in the last frame */
	double hit_rate;        /* hits divided by requests, 0..1; NAN without requests */
};

enum { CS_PAGER_SWEEPS = 12 };

/*
 * Tries pools from `first` to at most `last` pages, with the least step that gives at most
 * CS_PAGER_SWEEPS rows. Each runs `frames` frames of `length` ns.
 */
CS_API struct cs_error *cs_pager_try_range(const struct cs_pager *pager, uint64_t first,
	uint64_t last, uint64_t frames, uint64_t length, const struct cs_job *job,
	struct cs_pager_sweep rows_ret[CS_PAGER_SWEEPS], size_t *n_ret) CS_MUST_USE;

CS_END_DECLS

#endif
