/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paging of Nanite resources, simulated frame by frame on a virtual clock: which pages views
 * request, which are read, which are in the pool, and which clusters are drawn with them (rules
 * "nanite 3" to "nanite 3.4", see cs_rulebook).
 *
 * In a frame, first the requests of an earlier frame (setting request_latency) claim slots of the
 * pool, and the least recently used pages are evicted for them. Then completed reads are installed.
 * Then every camera traverses the hierarchies, requests the groups that it wants, and draws the
 * loaded clusters. Root pages are always loaded and need no slot. The state depends only on
 * settings, cameras, inputs and the clock: the same inputs give the same states.
 *
 * What is drawn follows the effective rule: a group is loaded if all its pages are installed and
 * the groups of all its parents are loaded. The literal rule, in which each fixup has its effect as
 * the format defines, is computed as well. Where it draws more clusters than the effective rule, a
 * surface would be drawn twice.
 */
#ifndef CELLSCOPE_PAGING_H
#define CELLSCOPE_PAGING_H

#include <cellscope/pages.h>

CS_BEGIN_DECLS

struct cs_pager;

enum { CS_CAMERA_NAME = 64 };

struct cs_pager_settings {
	double pool;            /* number of pages in the pool, without root pages */
	double pending;         /* largest number of pages being read at a time */
	double installs;        /* largest number of pages installed in a frame */
	double latency;         /* shortest duration of a read in seconds */
	double bandwidth;       /* bytes/s for reads; 0: unlimited */
	double request_latency; /* frames after which requests of a view take effect, at least 1 */
	double threshold;       /* largest error that is fine enough, in pixels */
	double lru;     /* 1: evict the least recently used page, 0: the page installed first */
	double cull;    /* 1 if instances outside all views are neither requested nor drawn */
	double quality; /* 1: raise the threshold when the pool is too small for the requests */
	/* 1: draw by the literal rule, else by the effective one; see the head of this file */
	double literal;
};

struct cs_pager_setting {
	const char *name;
	double least, most, otherwise; /* smallest, largest and default value */
	bool whole;
	const char *doc; /* what the setting means, with its unit */
};

/* Returns descriptions of the settings, in the order of the members of cs_pager_settings. */
CS_API const struct cs_pager_setting *cs_pager_setting_list(size_t *n_ret);

enum cs_camera_kind { CS_CAMERA_FIXED, CS_CAMERA_ORBIT, CS_CAMERA_PATH, CS_CAMERA_FOLLOW };

struct cs_camera_key {
	struct cs_vec3 eye, target;
};

struct cs_camera {
	char name[CS_CAMERA_NAME];
	enum cs_camera_kind kind;
	/* ORBIT: `eye` starts a circle around `target`. FOLLOW: as last set by cs_pager_lead */
	struct cs_vec3 eye, target;
	/* FOLLOW: name of the object to follow; the caller of cs_pager_lead reads it */
	char leader[CS_CAMERA_NAME];
	struct cs_vec3 offset; /* FOLLOW: offset of the eye from the object, in the object's axes */
	double fov;            /* vertical field of view in degrees */
	double height;         /* height of the picture in pixels */
	double aspect;         /* width of the picture / height */
	/* clusters nearer than this count as this far away (0: the distance of cs_model_near()) */
	double near;
	double period;   /* seconds: ORBIT for one circle, PATH from the first to the last key */
	double start;    /* time in seconds when the camera started */
	bool loop;       /* PATH: whether the path begins again when it ends */
	uint32_t n_keys; /* PATH: number of keys, which a Catmull-Rom spline joins */
	const struct cs_camera_key *keys; /* PATH: keys, which the pager copies */
};

/* An instance of a resource in the world: scaled uniformly, rotated and translated. */
struct cs_pager_instance {
	uint32_t resource;
	struct cs_quat rotation;
	struct cs_vec3 translation;
	double scale;
	uint32_t tag; /* number for the caller's use: a row of actors, or CS_NONE */
};

enum cs_page_event {
	CS_PAGE_REQUESTED, /* the page got a slot, and its read began */
	CS_PAGE_INSTALLED,
	CS_PAGE_EVICTED,
	/* no page can be evicted for a requested page, reported when this begins */
	CS_PAGE_POOL_FULL,
	CS_PAGE_QUALITY_DROP, /* the divisor `quality` of the error threshold fell below 1 */
};

/* Callbacks of the program that uses a pager. Each, and a pointer to the struct, may be NULL. */
struct cs_pager_owner {
	void *context;
	/* Receives each event when it happens. `resource` is CS_NONE for QUALITY_DROP. */
	void (*tell)(void *context, enum cs_page_event event, uint32_t resource, uint32_t page);
	/*
	 * Called before each frame to set which instances are visible, and where followed objects
	 * are (cs_pager_show, cs_pager_lead).
	 */
	void (*before_frame)(void *context);
};

/*
 * Creates a pager with an instance of each resource of `inspector` at the origin. The inspector
 * must outlive the pager and keep the same resources. `owner` is copied.
 */
CS_API struct cs_error *cs_pager_new(const struct cs_inspector *inspector,
	const struct cs_pager_owner *owner, struct cs_pager **ret) CS_MUST_USE;
CS_API void cs_pager_free(struct cs_pager *pager);
/* Returns the instance at an index, or NULL after the last one. */
CS_API const struct cs_pager_instance *cs_pager_instance_at(
	const struct cs_pager *pager, size_t index);
/*
 * Sets whether an instance is visible in later frames, as the caller decides, for example by the
 * state of the cell that contains the instance's actor.
 */
CS_API void cs_pager_show(struct cs_pager *pager, size_t index, bool shown);

/* ---- inputs of a pager ---- */

/*
 * Returns the pager as a companion (struct cs_companion): a run of a world gives it a frame after
 * each of its own. The pager must outlive the run. All inputs of the companion are text, so that
 * the run can record and replay them:
 *	set NAME VALUE
 *	set profile 5.0|5.5	settings of engines up to 5.4, or from 5.5 on
 *	camera NAME fixed EYE TARGET FOV HEIGHT ASPECT NEAR
 *	camera NAME orbit EYE TARGET FOV HEIGHT ASPECT NEAR PERIOD
 *	camera NAME follow LEADER OFFSET EYE TARGET FOV HEIGHT ASPECT NEAR
 *	camera NAME path FOV HEIGHT ASPECT NEAR PERIOD LOOP EYE TARGET ...
 *	uncamera NAME
 *	place RESOURCE TAG POINT QUATERNION SCALE ...
 *	request RESOURCE PAGE
 *	evict RESOURCE PAGE
 * A profile sets `quality` to 0 (5.0) or 1 (5.5), and `pending`, `installs` and `lru` to their
 * defaults. EYE, TARGET, POINT and OFFSET are three numbers each, QUATERNION is x y z w, LOOP is 0
 * or 1, and the other words are as in struct cs_camera and cs_pager_instance. RESOURCE and PAGE are
 * numbers from 0. `place` repeats TAG to SCALE for each instance; CS_NONE is no valid TAG. The
 * first `place` of a resource removes its instance at the origin; each one adds instances. Errors
 * of an input are E_USAGE, E_SETTING, E_MISSING or E_LIMIT.
 */
CS_API struct cs_companion cs_pager_companion(struct cs_pager *pager);
/*
 * Sets position and rotation of the object that a camera of kind FOLLOW follows. Call it before
 * each frame, otherwise the camera keeps its position. The X axis of the object points forward.
 */
CS_API void cs_pager_lead(
	struct cs_pager *pager, size_t camera, struct cs_vec3 location, struct cs_quat rotation);
/* Returns the input text that sets a camera, or NULL when memory runs out. The caller frees it. */
CS_API char *cs_camera_input(const struct cs_camera *camera);
/*
 * Returns the input text that places `n` instances of a resource, or NULL when memory runs out. The
 * member `resource` of the instances is ignored. The caller frees the text.
 */
CS_API char *cs_pager_place_input(
	uint32_t resource, const struct cs_pager_instance *instances, size_t n);

enum { CS_CAMERA_KEYS = 10000 };

/*
 * Reads a camera path from a file with a key on each line: X,Y,Z,TX,TY,TZ, the eye and its target.
 * # begins a comment. The caller frees the keys. Returns E_SETTING, with the line number, for a
 * line that is not a key, E_MISSING for a file without keys, and E_LIMIT for more than
 * CS_CAMERA_KEYS keys.
 */
CS_API struct cs_error *cs_camera_keys_read(
	const char *path, struct cs_camera_key **ret, uint32_t *n_ret) CS_MUST_USE;

/* ---- state of pages and clusters ---- */

struct cs_pager_view {
	uint64_t frame; /* number of the last frame, 0 before the first */
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
	uint64_t since;               /* frame in which the page got this state */
	uint64_t last_used;           /* frame in which the page was last requested */
	uint64_t ready;               /* virtual time in ns at which its last read ends */
	uint64_t asked;               /* frame in which the last read of the page began; 0: never */
	uint32_t requests;            /* number of frames with a request for the page */
	uint32_t installs, evictions; /* numbers of times that the page was installed, evicted */
	/*
	 * priority of the last read: screen error of the group's parents / threshold. For a page
	 * that page `via` needs, it is the priority of `via` + 1, for a command 2^20
	 */
	float priority;
	/* index of the camera that requested the page; CS_NONE: a command did, or nothing */
	uint32_t camera;
	uint32_t group; /* row of the group that the page was requested for, or CS_NONE */
	uint32_t via;   /* page that needs this page; CS_NONE: a camera requested it */
	/* row of the page that got the slot of this page; CS_NONE: no page did */
	uint32_t evicted_for;
	uint64_t evicted; /* frame of the last eviction, 0: never */
	/* whether the page is loaded, but a group in it is not (by the effective rule) */
	bool stranded;
	bool blocked; /* whether no slot was free at the last request */
};

/* Returns the status of a page; `row` is a row of the table of pages of all resources. */
CS_API struct cs_page_status cs_pager_page(const struct cs_pager *pager, size_t row);

enum cs_cluster_state {
	CS_CLUSTER_HIDDEN, /* not drawn, because a coarser or finer cluster is drawn instead */
	CS_CLUSTER_DRAWN,  /* drawn, and fine enough */
	/* drawn although too coarse, because no finer cluster is loaded */
	CS_CLUSTER_COARSE,
};

CS_API enum cs_cluster_state cs_pager_cluster(const struct cs_pager *pager, size_t row);
/*
 * Returns whether a group is loaded by the effective rule: all its pages are installed, and the
 * groups of all its parent clusters are loaded. `row` is a row of the table of groups of all
 * resources.
 */
CS_API bool cs_pager_group(const struct cs_pager *pager, size_t row);

/*
 * Lists the clusters of a resource that the last frame drew, in ascending order. coarse_ret[i] is
 * whether cluster i is coarser than wanted. Both arrays have room for all clusters. Returns the
 * number of listed clusters.
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
 * Returns the state of a page of an open resource. If `pager` is NULL, only root pages are loaded.
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
 * Copies those of `pages` that are not loaded to `ret`, in the same order, and returns their
 * number. `ret` has room for `n` pages, or is `pages`.
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

/* The pages that must be loaded so that a page is drawn correctly. */
struct cs_page_order {
	/* pages of the closure CS_CLOSURE_GROUPS without root pages, in order of installation */
	uint32_t *pages;
	size_t n;
	/* first page in `pages`, except the requested page, that is not loaded; or CS_NONE */
	uint32_t blocker;
};

/* Finds the pages that must be loaded to draw a page correctly. The caller frees `ret->pages`. */
CS_API struct cs_error *cs_page_order(const struct cs_inspector *inspector,
	const struct cs_pager *pager, uint32_t resource, uint32_t page,
	struct cs_page_order *ret) CS_MUST_USE;

struct cs_page_frame {
	uint64_t frame;
	uint64_t time; /* time of the virtual clock in ns that the run gave for the frame */
	uint32_t slots, inner, leaves; /* visited slots of hierarchies: all, inner, leaves */
	uint32_t requests;             /* number of groups requested in this frame */
	uint32_t pages;   /* pages with an earlier request that claimed slots in this frame */
	uint32_t dropped; /* number of `pages` that got no slot of the pool */
	float min_priority, max_priority;
	uint32_t resident, missing; /* numbers of `pages` that are loaded, and that are not */
	uint32_t used; /* number of slots in use in the pool, including pages being read */
	/* reads begun, pages being read at the end of the frame, pages installed, pages evicted */
	uint32_t issued, loading, installed, evicted;
	uint32_t thrash; /* number of reads begun at most 60 frames after the page was evicted */
	/* bytes read from files, and bytes of memory of installed pages */
	uint64_t bytes_read, bytes_installed;
	/* numbers of clusters and triangles drawn, once for each camera and instance */
	uint32_t clusters, triangles;
	/* number of clusters drawn because finer ones are not loaded */
	uint32_t coarse;
	double worst; /* largest error drawn, in pixels */
	/* number of loaded pages with a part of a group that is not loaded as a whole */
	uint32_t stranded;
	/* number of clusters that the literal rule draws and the effective rule does not */
	uint32_t overlaps;
	/* number of clusters that the effective rule draws and the literal rule does not */
	uint32_t holes;
	double quality; /* allowed error = setting `threshold` / quality */
	bool stable;    /* whether every requested page is loaded */
};

/* Returns the statistics of one of the last few thousand frames, or NULL if they are not kept. */
CS_API const struct cs_page_frame *cs_pager_frame_at(const struct cs_pager *pager, uint64_t frame);
/*
 * Returns the sums of `issued`, `installed`, `evicted` and `thrash` over those frames after `since`
 * whose statistics are kept. The other members are zero.
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

/* ---- explanations of the state of a page ---- */

enum cs_page_why {
	CS_WHY_ROOT,    /* a root page, which is always loaded */
	CS_WHY_WANTED,  /* loaded and requested */
	CS_WHY_KEPT,    /* loaded and not requested, but no other page needed the slot */
	CS_WHY_LOADING, /* being read, until the time `ready` */
	CS_WHY_NO_SLOT, /* requested, but no page can be evicted to free a slot */
	CS_WHY_PENDING, /* requested, but reads of other pages must begin or end first */
	/* not requested since it was evicted. The page `evicted_for` may have got the slot */
	CS_WHY_EVICTED,
	CS_WHY_UNWANTED, /* not requested, because no view needs a group of the page */
};

/*
 * Why a page has its state. `group` is the group of the page that is nearest to being requested by
 * a camera in the current frame.
 */
struct cs_page_reason {
	enum cs_page_why why;
	struct cs_page_status status;
	uint32_t group, camera; /* group nearest to being wanted, and its camera; or CS_NONE */
	/* tag of the nearest visible instance, or of the nearest one if none is visible */
	uint32_t tag;
	uint32_t instances; /* number of instances of the resource */
	uint32_t shown;     /* number of instances of the resource in visible cells */
	/* screen error in pixels of the group's parents, seen by `camera` */
	double pixels;
	double threshold; /* largest error in pixels that is allowed at the present quality */
	bool in_view;     /* whether the camera sees the group, or the setting `cull` is 0 */
};

CS_API struct cs_page_reason cs_pager_why_page(const struct cs_pager *pager, size_t row);

/* ---- pools of several sizes, compared ---- */

struct cs_pager_sweep {
	double pool;     /* number of pages in the pool */
	uint64_t frames; /* number of frames simulated */
	/*
	 * sums over frames of cs_page_frame: of `pages` (requests), of `resident` (hits), and of
	 * the members with these names
	 */
	uint64_t requests, hits;
	uint64_t issued, evicted, thrash, bytes_read;
	/* first frame after which all requested pages stayed loaded; 0: none */
	uint64_t stable;
	uint64_t coarse_frames; /* frames with a drawn cluster that was coarser than wanted */
	uint32_t peak;          /* largest number of slots of the pool that were in use at a time */
	double worst;           /* largest error drawn in the last frame, in pixels */
	double hit_rate;        /* hits / requests, 0..1; NAN without requests */
};

enum { CS_PAGER_SWEEPS = 12 };

/*
 * Simulates pools of `first`, `first` + step ... to at most `last` pages, each empty at first, for
 * `frames` frames of `length` ns from the time 0 on. Uses the settings, cameras and instances of
 * `pager`, which doesn't change, and calls no function of its owner (struct cs_pager_owner). The
 * step is the smallest that gives at most CS_PAGER_SWEEPS pools. Stores a row for each pool; *n_ret
 * is the number of rows, 0 if `first` is above `last`.
 */
CS_API struct cs_error *cs_pager_try_range(const struct cs_pager *pager, uint64_t first,
	uint64_t last, uint64_t frames, uint64_t length, const struct cs_job *job,
	struct cs_pager_sweep rows_ret[CS_PAGER_SWEEPS], size_t *n_ret) CS_MUST_USE;

CS_END_DECLS

#endif
