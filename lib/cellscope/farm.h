/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work for many machines: a plan of steps with content keys, a cache of results by key, and what
 * runs the one into the other.
 *
 * A step is a command of cellscope over files: build a mesh, cook a map, verify what came of it.
 * Its key is a hash of the verb, the code of the program and its libraries, its words and the
 * content of all that it reads: equal keys mean equal results, on any machine. A result is kept in
 * the cache under the key, whole or not at all; a step whose result is there is not run again.
 * Nothing else is shared between machines: no locks, no server.
 *
 * A step runs in a process of its own with limits, so that a crash is a failed step. Exit statuses
 * 0 and 1 are results; every other one, a crash and a time-out have none, and the next run tries
 * the step again. What needs a failed step is skipped.
 */
#ifndef CELLSCOPE_FARM_H
#define CELLSCOPE_FARM_H

#include <cellscope/cook.h>

CS_BEGIN_DECLS

/* ---- plan ---- */

struct cs_farm_plan;

#define CS_FARM_KEY_TEXT 33 /* a key: 32 hexadecimal digits and a NUL */

struct cs_farm_step {
	const char *verb; /* "nanite build" */
	const char *name; /* the file or map that it is about */
	char key[CS_FARM_KEY_TEXT];
	double seconds;        /* estimate */
	uint64_t input_bytes;  /* content that it reads */
	const uint32_t *needs; /* steps before it */
	uint32_t n_needs;
	bool is_check; /* its result is what it says, not a file */
};

struct cs_farm_cache;

struct cs_farm_options {
	size_t size;         /* sizeof(struct cs_farm_options); api.h */
	const char *profile; /* of cooks; NULL = what a world asks for */
	const char *root;    /* of the paths in the plan; NULL = the folder of the spec */
	/* Which remembers what files hold by size, times and number, so that those which nobody
	 * wrote since are not read again; NULL = all are read. */
	const struct cs_farm_cache *cache;
};

/*
 * A plan over a project (all partitioned maps and its meshes), a folder (everything in it that can
 * be built, cooked or verified) or a list: a command a line, "nanite build rock.ply --precision 8".
 * The same inputs give the same plan. E_FARM for a line that cannot be a step.
 */
CS_API struct cs_error *cs_farm_survey(const char *spec, const struct cs_farm_options *options,
	const struct cs_job *job, struct cs_farm_plan **ret) CS_MUST_USE;
CS_API void cs_farm_plan_free(struct cs_farm_plan *plan);
/* How many; of work in all of them, as planned, unless that is NULL. */
CS_API size_t cs_farm_steps(const struct cs_farm_plan *plan, double *seconds_ret);
CS_API struct cs_farm_step cs_farm_step(const struct cs_farm_plan *plan, size_t index);
/*
 * Which code this process runs: program and libraries, by the build ids that the linker has noted.
 * A plan knows the code that made it; a step that is run by other code refuses, E_FARM: what
 * CS_FARM_CODE_VARIABLE names in the environment of a step is the code that is asked for.
 */
#define CS_FARM_CODE_VARIABLE "CELLSCOPE_CODE"
CS_API void cs_farm_code(char ret[CS_FARM_KEY_TEXT]);

/* A step a line of JSON; see cellscope-format(5). */
CS_API struct cs_error *cs_farm_plan_write(
	const struct cs_farm_plan *plan, const char *path) CS_MUST_USE;
CS_API struct cs_error *cs_farm_plan_read(
	const char *path, const struct cs_job *job, struct cs_farm_plan **ret) CS_MUST_USE;
/*
 * One step of the file and those that it needs, without reading the others: *step_ret is its number
 * in the plan that comes of it, which is good for cs_farm_run_step alone.
 */
CS_API struct cs_error *cs_farm_plan_read_step(const char *path, size_t index,
	const struct cs_job *job, struct cs_farm_plan **ret, size_t *step_ret) CS_MUST_USE;
/* A build.ninja whose edges are the steps: `program` farm step `plan_path` INDEX. */
CS_API struct cs_error *cs_farm_plan_ninja(const struct cs_farm_plan *plan, const char *program,
	const char *plan_path, const struct cs_farm_cache *cache, const char *path) CS_MUST_USE;

/* ---- cache ---- */

/*
 * The folder is made when it is not there. NULL = cellscope below XDG_CACHE_HOME or ~/.cache.
 *
 * `url`, unless NULL: a server beside the folder that speaks as bazel-remote does: results go to
 * both, and what only the server has comes into the folder when it is asked for. E_FEATURE without
 * libcurl. Who may write there may give every host any result: it is trusted as the folder is. A
 * cache with a server serves one thread at a time; without one it serves any number.
 */
CS_API struct cs_error *cs_farm_cache_open(
	const char *folder, const char *url, struct cs_farm_cache **ret) CS_MUST_USE;
CS_API void cs_farm_cache_free(struct cs_farm_cache *cache);

struct cs_farm_result {
	int status;           /* 0 or 1 */
	unsigned char *bytes; /* of the file, or what a check said; owned */
	size_t size;
};

struct cs_farm_cache_stat {
	uint64_t entries, bytes, damaged, removed, removed_bytes;
};

/*
 * Counts what is there. `verify` reads every entry and removes what is damaged; `most`, where it is
 * not UINT64_MAX: removes what was not read for longest, until at most so many bytes are left.
 */
CS_API struct cs_error *cs_farm_cache_stat(const struct cs_farm_cache *cache, bool verify,
	uint64_t most, const struct cs_job *job, struct cs_farm_cache_stat *ret) CS_MUST_USE;

/* ---- running ---- */

struct cs_farm_run_options {
	size_t size;         /* sizeof(struct cs_farm_run_options); api.h */
	const char *program; /* cellscope itself; NULL = the running program */
	uint64_t memory;     /* of one step, bytes; 0 = the default limit */
	double timeout;      /* of one step, seconds; 0 = none */
	bool unconfined;     /* let steps read and write what they like */
};

enum cs_farm_state {
	CS_FARM_WAITING,
	CS_FARM_RUNNING,
	CS_FARM_HIT,     /* its result was in the cache */
	CS_FARM_DONE,    /* run, and its result kept */
	CS_FARM_FAILED,  /* no result */
	CS_FARM_SKIPPED, /* needs a step that failed */
	CS_FARM_STATES
};

struct cs_farm_outcome {
	enum cs_farm_state state;
	int status;     /* of its process; 128 + signal */
	bool said_no;   /* a check whose answer is no */
	double seconds; /* that it took, 0 for a hit */
	char *output;   /* of a failed step or a check that said no; may be NULL; owned */
};

enum { CS_FARM_SLOWEST = 5 };

struct cs_farm_summary {
	size_t steps, waiting, running, hits, done, failed, skipped, said_no;
	double seconds, work_seconds, critical_seconds;
	double seconds_left;              /* of steps that wait or run, as planned */
	size_t slowest[CS_FARM_SLOWEST];  /* steps that took longest, the longest first, */
	size_t n_slowest;                 /* then as planned */
	struct cs_farm_outcome *outcomes; /* by step; owned */
};

/* All steps, one after the other; more at a time is what ninja does: cs_farm_plan_ninja. */
CS_API struct cs_error *cs_farm_run(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_farm_run_options *options,
	const struct cs_job *job, struct cs_farm_summary *ret) CS_MUST_USE;
/* One step, whose needs must be in the cache. */
CS_API struct cs_error *cs_farm_run_step(const struct cs_farm_plan *plan, size_t index,
	const struct cs_farm_cache *cache, const struct cs_farm_run_options *options,
	const struct cs_job *job, struct cs_farm_outcome *ret) CS_MUST_USE;
/* What cache and journal know of a plan, without running anything. */
CS_API struct cs_error *cs_farm_look(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_job *job,
	struct cs_farm_summary *ret) CS_MUST_USE;
CS_API void cs_farm_summary_deinit(struct cs_farm_summary *summary);

/* ---- simulation ---- */

struct cs_farm_machines {
	uint32_t nodes, cores;
	double bandwidth; /* of the cache, bytes a second, shared by all; 0 = unlimited */
	double latency;   /* of handing out one step, seconds */
};

struct cs_farm_forecast {
	double makespan, work, critical; /* seconds */
	double use;                      /* of the cores, 0..1 */
	double cache_use;                /* of the cache's bandwidth, 0..1 */
	double server_use;               /* of the one that hands out, 0..1 */
	const char *bound;               /* what it is limited by: "work", "critical path", ... */
};

/*
 * Steps take the times that the journal of the cache has measured, else the estimates of the plan;
 * all of them those where `cache` is NULL.
 */
CS_API struct cs_error *cs_farm_simulate(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_farm_machines *machines,
	struct cs_farm_forecast *ret) CS_MUST_USE;

/* ==== meshes of a world ==== */

/*
 * The meshes of a world: what its actors name becomes Nanite resources, each once however many show
 * it, and HLOD actors get proxies (rule 1.6.9). What comes of it goes into the cook: sizes, what
 * cells bring, findings.
 */

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
