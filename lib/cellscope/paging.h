/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Page streaming, frame by frame on a virtual clock: what views ask for, what is read, what the
 * pool holds, what is drawn of it (nanite rules 3).
 *
 * A frame: what was asked for some frames ago claims slots of the pool, the least recently used
 * page leaving first; reads that are done are installed; then every camera walks the hierarchies,
 * asks for the groups that it wants and draws what is there. Root pages are always there and take
 * no slot. Everything is decided by settings, cameras, inputs and the clock: the same inputs give
 * the same states.
 *
 * What is drawn follows the effective rule: a group counts when all its pages are installed and the
 * groups of all its parents count. The literal rule, fixup by fixup as the format says, runs beside
 * it; where it draws more, the surface would be drawn twice.
 */
#ifndef CELLSCOPE_PAGING_H
#define CELLSCOPE_PAGING_H

#include <cellscope/pages.h>

CS_BEGIN_DECLS

struct cs_pager;

enum { CS_CAMERA_NAME = 64, CS_PAGER_LEVELS = 24 };

struct cs_pager_settings {
	double pool;            /* pages beside root pages */
	double pending;         /* pages that are read at once, at most */
	double installs;        /* pages a frame, at most */
	double latency;         /* seconds from the start of a read to its end, at least */
	double bandwidth;       /* bytes a second; 0 = no limit */
	double request_latency; /* frames between a view and what comes of it, at least 1 */
	double threshold;       /* pixels that an error may have */
	double lru;             /* 1: the least recently used page leaves; 0: the first to come */
	double cull;            /* 1: what no camera sees asks for nothing and is not drawn */
	double quality;         /* 1: too many requests for the pool relax the threshold */
	double literal;         /* 1: draw by the literal rule */
};

struct cs_pager_setting {
	const char *name;
	double least, most, otherwise; /* its default */
	bool whole;
	const char *doc; /* with its unit */
};

/* In the order of cs_pager_settings. */
CS_API const struct cs_pager_setting *cs_pager_setting_list(size_t *n_ret);

enum cs_camera_kind { CS_CAMERA_FIXED, CS_CAMERA_ORBIT, CS_CAMERA_PATH, CS_CAMERA_FOLLOW };

struct cs_camera_key {
	struct cs_vec3 eye, target;
};

struct cs_camera {
	char name[CS_CAMERA_NAME];
	enum cs_camera_kind kind;
	/* ORBIT: the circle is around the target, eye on it; FOLLOW: where it was led last */
	struct cs_vec3 eye, target;
	char leader[CS_CAMERA_NAME]; /* FOLLOW: what it follows, for who leads it */
	struct cs_vec3 offset;       /* FOLLOW: of the eye, in the axes of what it follows */
	double fov;                  /* degrees, vertical */
	double height;               /* of the picture, pixels */
	double aspect;               /* width by height */
	double near;                 /* no distance is less; 0: cs_model_near of each mesh */
	double period;   /* seconds: ORBIT a turn; PATH from the first key to the last */
	double start;    /* seconds of the clock at which it set out */
	bool loop;       /* PATH */
	uint32_t n_keys; /* PATH; Catmull-Rom between them */
	const struct cs_camera_key *keys; /* copied */
};

/* A resource in space: uniformly scaled, turned, moved. */
struct cs_pager_instance {
	uint32_t resource;
	struct cs_quat rotation;
	struct cs_vec3 translation;
	double scale;
	uint32_t tag; /* what stands there, for who placed it: a row of actors; CS_NONE */
};

enum cs_page_event {
	CS_PAGE_REQUESTED, /* it has a slot, and is being read */
	CS_PAGE_INSTALLED,
	CS_PAGE_EVICTED,
	CS_PAGE_POOL_FULL,    /* no page may leave for it; told when that begins */
	CS_PAGE_QUALITY_DROP, /* quality falls below 1 */
};

/* What the pager tells as it happens; `resource` is CS_NONE for QUALITY_DROP. */
typedef void cs_pager_tell(
	void *context, enum cs_page_event event, uint32_t resource, uint32_t page);

/*
 * Every resource of the inspector stands once at the origin. It must outlive the pager. `tell` may
 * be NULL.
 */
CS_API struct cs_error *cs_pager_new(const struct cs_inspector *inspector, cs_pager_tell *tell,
	void *context, struct cs_pager **ret) CS_MUST_USE;
CS_API void cs_pager_free(struct cs_pager *pager);
/* NULL behind the last. */
CS_API const struct cs_pager_instance *cs_pager_instance_at(
	const struct cs_pager *pager, size_t index);
/* Whether it is seen in the frames that come: the cell of an actor is visible, or not. */
CS_API void cs_pager_show(struct cs_pager *pager, size_t index, bool shown);

/* ---- inputs: as text, so that they can be kept and given again ---- */

/*
 * Acts between frames:
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
 * Points are three numbers. What is placed stands there instead of once at the origin. E_USAGE,
 *E_SETTING, E_MISSING, E_LIMIT.
 */
CS_API struct cs_error *cs_pager_input(struct cs_pager *pager, const char *text) CS_MUST_USE;
/*
 * Before each frame: where what a camera of kind FOLLOW follows is, and how it is turned (its X is
 * ahead). One that nobody leads stays where it is.
 */
CS_API void cs_pager_lead(
	struct cs_pager *pager, size_t camera, struct cs_vec3 location, struct cs_quat rotation);
/* The text of such an input, freed by the caller; NULL without memory. */
CS_API char *cs_camera_input(const struct cs_camera *camera);
/* The same of places of that resource, whatever resource they name. */
CS_API char *cs_pager_place_input(
	uint32_t resource, const struct cs_pager_instance *instances, size_t n);

enum { CS_CAMERA_KEYS = 10000 };

/*
 * The keys of a path from a file, a line each: X,Y,Z,TX,TY,TZ, the eye and its target; # begins a
 * remark. Freed by the caller. E_SETTING names the line, E_LIMIT: more than CS_CAMERA_KEYS.
 */
CS_API struct cs_error *cs_camera_keys_read(
	const char *path, struct cs_camera_key **ret, uint32_t *n_ret) CS_MUST_USE;

/* ---- frames ---- */

/* `time` and `length` in ns: when the frame ends, and how long it is. */
CS_API struct cs_error *cs_pager_frame(
	struct cs_pager *pager, uint64_t frame, uint64_t time, uint64_t length) CS_MUST_USE;
/* The whole state; the bytes are the pager's until the next call. */
CS_API struct cs_error *cs_pager_save(
	struct cs_pager *pager, const void **bytes_ret, size_t *n_ret) CS_MUST_USE;
CS_API struct cs_error *cs_pager_restore(
	struct cs_pager *pager, const void *bytes, size_t n) CS_MUST_USE;

/* ---- what there is to see ---- */

struct cs_pager_view {
	uint64_t frame; /* the last that was run, 0 = none */
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
	uint64_t since;     /* frame of the state */
	uint64_t last_used; /* frame in which it was asked for last */
	uint64_t ready;     /* ns: when its read is done */
	uint64_t asked;     /* frame in which a view first asked for what it is loaded for */
	uint32_t requests, installs, evictions; /* frames, times */
	float priority;  /* of the last request: error in thresholds; more for what others need */
	uint32_t camera; /* whose view asked; CS_NONE: by hand, or nobody */
	uint32_t group;  /* row of its resource that was wanted; CS_NONE */
	uint32_t via;    /* page of the resource that needs it; CS_NONE when it was wanted itself */
	uint32_t evicted_for; /* row of pages that took its slot; CS_NONE: by hand, or never */
	uint64_t evicted;     /* frame, 0 = never */
	bool stranded;        /* it is there, and one of its groups does not count */
	bool blocked;         /* no slot was free when it was asked for last */
};

/* Of a row of the table of pages. */
CS_API struct cs_page_status cs_pager_page(const struct cs_pager *pager, size_t row);

enum cs_cluster_state {
	CS_CLUSTER_HIDDEN, /* something coarser or finer is drawn */
	CS_CLUSTER_DRAWN,  /* fine enough */
	CS_CLUSTER_COARSE, /* drawn because nothing finer is there */
};

CS_API enum cs_cluster_state cs_pager_cluster(const struct cs_pager *pager, size_t row);
/* Whether a group counts as loaded, by the effective rule; row of the table of groups. */
CS_API bool cs_pager_group(const struct cs_pager *pager, size_t row);

/*
 * The clusters of a resource that the last frame drew, ascending, and whether each is coarser than
 * wanted, by cluster; room for all of them. The answer is how many were drawn.
 */
CS_API size_t cs_pager_drawn(const struct cs_pager *pager, uint32_t resource,
	uint32_t *clusters_ret, uint8_t *coarse_ret);
/*
 * What a page of an open resource is now. Without a pager (NULL) nothing was loaded: root pages
 * alone are there.
 */
CS_API enum cs_page_state cs_page_state_of(const struct cs_inspector *inspector,
	const struct cs_pager *pager, uint32_t resource, uint32_t page);
/* Of these pages those that are not there, in the same order; ret has room for all, or is pages. */
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

/* What has to be done for a page to be drawn rightly. */
struct cs_page_order {
	uint32_t *pages; /* of the closure by groups without root pages, as they can be installed */
	size_t n;
	uint32_t blocker; /* the first other page of these that is not there; CS_NONE */
};

/* The pages are freed by the caller. */
CS_API struct cs_error *cs_page_order(const struct cs_inspector *inspector,
	const struct cs_pager *pager, uint32_t resource, uint32_t page,
	struct cs_page_order *ret) CS_MUST_USE;

struct cs_page_frame {
	uint64_t frame, time;
	uint32_t slots, inner, leaves; /* of hierarchies that were visited */
	uint32_t requests;             /* groups that were asked for */
	uint32_t pages;                /* distinct pages of what acted in this frame */
	uint32_t dropped;              /* of them without a slot */
	float min_priority, max_priority;
	uint32_t resident, missing; /* of the distinct pages */
	uint32_t used;              /* slots of the pool, loading ones included */
	uint32_t issued, loading, installed, evicted;
	uint32_t thrash;                      /* issued soon after they were evicted */
	uint64_t bytes_read, bytes_installed; /* on disk; loaded */
	uint32_t clusters, triangles;         /* drawn */
	uint32_t coarse;                      /* clusters drawn because nothing finer is there */
	double worst;                         /* pixels of the largest error that is drawn */
	uint32_t stranded;                    /* pages that are there with such a group */
	uint32_t overlaps; /* clusters that the literal rule draws and the effective one does not */
	uint32_t holes;    /* the other way */
	double quality;    /* the threshold is divided by it, 1 = as set */
	bool stable;       /* nothing was asked for that is not there */
	uint32_t levels[CS_PAGER_LEVELS]; /* clusters drawn by level; the last: that and above */
};

/* The record of a frame, NULL when it is not kept; the last few thousand are. */
CS_API const struct cs_page_frame *cs_pager_frame_at(const struct cs_pager *pager, uint64_t frame);
/* issued, installed, evicted, thrash of the frames behind `since` that are kept; else zeros. */
CS_API struct cs_page_frame cs_pager_sum(const struct cs_pager *pager, uint64_t since);

/* ---- why ---- */

enum cs_page_why {
	CS_WHY_ROOT,     /* always there */
	CS_WHY_WANTED,   /* there, and asked for in the last frame that acted */
	CS_WHY_KEPT,     /* there, no longer asked for: nothing needed its slot */
	CS_WHY_LOADING,  /* being read until `ready` */
	CS_WHY_NO_SLOT,  /* asked for, but no page may leave for it */
	CS_WHY_PENDING,  /* asked for, but too many are read at once, or its turn is not yet */
	CS_WHY_EVICTED,  /* it was there; `evicted_for` took its slot, and nobody asks for it */
	CS_WHY_UNWANTED, /* no view needs any of its groups */
};

/* The group of the page that comes nearest to being wanted by a camera now. */
struct cs_page_reason {
	enum cs_page_why why;
	struct cs_page_status status;
	uint32_t group, camera; /* CS_NONE without cameras or groups */
	uint32_t tag;           /* of the instance that comes nearest, one that is seen first */
	uint32_t instances;     /* of its resource; */
	uint32_t shown;         /* of them seen: the cells of their actors are visible */
	double pixels;          /* error of the group's parents as that camera sees it */
};

CS_API struct cs_page_reason cs_pager_why_page(const struct cs_pager *pager, size_t row);

/* ---- pools of other sizes ---- */

struct cs_pager_sweep {
	double pool;
	uint64_t frames, requests, hits; /* pages asked for; of them there */
	uint64_t issued, evicted, thrash, bytes_read;
	uint64_t stable;        /* first frame from which all stayed stable; 0 = never */
	uint64_t coarse_frames; /* in which something coarser than wanted was drawn */
	uint32_t peak;          /* slots used */
	double worst;           /* pixels, in the last frame */
	double hit_rate;        /* hits by requests, 0..1; NAN where nothing was asked for */
};

enum { CS_PAGER_SWEEPS = 12 };

/* Pools from `first` to at most `last`, as far apart as so many rows make it. */
CS_API struct cs_error *cs_pager_try_range(const struct cs_pager *pager, uint64_t first,
	uint64_t last, uint64_t frames, uint64_t length, const struct cs_job *job,
	struct cs_pager_sweep rows_ret[CS_PAGER_SWEEPS], size_t *n_ret) CS_MUST_USE;

CS_END_DECLS

#endif
