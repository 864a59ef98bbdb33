/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work for many machines: a plan of steps, a cache of their results, and functions that run a plan
 * with a cache.
 *
 * A step is a command of cellscope that reads files: build a mesh, cook a map, verify a result. The
 * key of a step is a hash of the verb, the code of the program and its libraries, the arguments and
 * the content of all files that the step reads. Equal keys mean equal results, on any machine. A
 * result is stored in the cache under the key of its step, completely or not at all, and a step
 * whose result is in the cache is not run again. Machines share nothing but the cache: there are no
 * locks and no server.
 *
 * A step runs in a process of its own with limits, so that a crash is only a failed step. A step
 * with exit status 0 or 1 has a result. Any other status, a crash or a time-out gives no result,
 * and the next run tries the step again. A step that needs a failed step is skipped.
 */
#ifndef CELLSCOPE_FARM_H
#define CELLSCOPE_FARM_H

#include <cellscope/cook.h>

CS_BEGIN_DECLS

/* ---- plans of steps ---- */

struct cs_farm_plan;

/* size in bytes of a step's key as text: 32 hexadecimal digits and a NUL */
#define CS_FARM_KEY_TEXT 33

struct cs_farm_step {
	const char *verb; /* command of the step, such as "nanite build" */
	const char *name; /* file or map that the step processes */
	char key[CS_FARM_KEY_TEXT];
	double seconds; /* estimated duration in seconds */
};

struct cs_farm_cache;

struct cs_farm_options {
	size_t size;         /* sizeof(struct cs_farm_options); see cellscope/core.h */
	const char *profile; /* engine profile for cooks; NULL means the profile in the world */
	/*
	 * folder to which relative paths in the plan refer; NULL: the folder of the specification
	 */
	const char *root;
	/*
	 * a cache that also stores the hash of each file with its size, times and inode, so that
	 * unchanged files are not read again. NULL: all files are read
	 */
	const struct cs_farm_cache *cache;
};

/*
 * Makes a plan of a project (all partitioned maps and all meshes), of a folder (all files in it
 * that can be built, cooked or verified) or of a list with one command on each line, such as
 * "nanite build rock.ply --precision 8". The same inputs give the same plan. Returns E_FARM for a
 * line that cannot be a step.
 */
CS_API struct cs_error *cs_farm_survey(const char *spec, const struct cs_farm_options *options,
	const struct cs_job *job, struct cs_farm_plan **ret) CS_MUST_USE;
CS_API void cs_farm_plan_free(struct cs_farm_plan *plan);
/* Returns the number of steps and, unless seconds_ret is NULL, their estimated total duration. */
CS_API size_t cs_farm_steps(const struct cs_farm_plan *plan, double *seconds_ret);
CS_API struct cs_farm_step cs_farm_step(const struct cs_farm_plan *plan, size_t index);
/*
 * cs_farm_code computes an id of the code that this process runs, from the build ids that the
 * linker stored in the program and its libraries. A plan contains the id of the code that made it,
 * which each step's process gets in the environment variable CS_FARM_CODE_VARIABLE. A step run by
 * other code fails with E_FARM.
 */
#define CS_FARM_CODE_VARIABLE "CELLSCOPE_CODE"
CS_API void cs_farm_code(char ret[CS_FARM_KEY_TEXT]);

/* Writes a plan as JSON, one step on each line (cellscope-format(5)). */
CS_API struct cs_error *cs_farm_plan_write(
	const struct cs_farm_plan *plan, const char *path) CS_MUST_USE;
/*
 * Reads a plan. If `step` is not NULL, it reads only step *step and the steps that this one needs,
 * and sets *step to the number of the step in the resulting plan. Such a partial plan may be passed
 * only to cs_farm_run_step and cs_farm_plan_free.
 */
CS_API struct cs_error *cs_farm_plan_read(const char *path, size_t *step, const struct cs_job *job,
	struct cs_farm_plan **ret) CS_MUST_USE;
/*
 * Writes a build.ninja with one build statement for all steps that have the same key. It runs
 * `program` -j1 farm step `plan_path` INDEX --cache FOLDER, where INDEX is the number of the step
 * and FOLDER the folder of `cache`. A server of `cache` is not used.
 */
CS_API struct cs_error *cs_farm_plan_ninja(const struct cs_farm_plan *plan, const char *program,
	const char *plan_path, const struct cs_farm_cache *cache, const char *path) CS_MUST_USE;

/* ---- the cache of results ---- */

/*
 * Opens a cache in a folder, which is created when something is stored in it. NULL means the folder
 * cellscope in XDG_CACHE_HOME or ~/.cache, or a folder of the user in /tmp when neither is set.
 *
 * `url`, unless NULL, is a server that uses the protocol of bazel-remote: results are written to
 * the folder and to the server, and a result that only the server has is copied into the folder
 * when it is needed. Returns E_FEATURE for a library built without libcurl. Anyone who may write to
 * the server can give every host any result, so the server must be trusted as much as the folder.
 * Only one thread at a time may use a cache with a server; any number may use one without.
 */
CS_API struct cs_error *cs_farm_cache_open(
	const char *folder, const char *url, struct cs_farm_cache **ret) CS_MUST_USE;
CS_API void cs_farm_cache_free(struct cs_farm_cache *cache);

/* A result in a cache. Only functions inside the library use it. */
struct cs_farm_result {
	int status;           /* exit status of the step, 0 or 1 */
	unsigned char *bytes; /* content of the file that the step wrote, or output of a check */
	size_t size;
};

struct cs_farm_cache_stat {
	uint64_t entries, bytes;         /* entries that remain, and the sum of their bytes */
	uint64_t damaged;                /* damaged entries that were removed */
	uint64_t removed, removed_bytes; /* all removed entries, and the sum of their bytes */
};

/*
 * Counts the entries of a cache and their bytes. With `verify` every entry is read, and damaged
 * ones are removed. Otherwise, unless `most` is UINT64_MAX, the entries that were unused for the
 * longest time are removed until at most `most` bytes are left.
 */
CS_API struct cs_error *cs_farm_cache_stat(const struct cs_farm_cache *cache, bool verify,
	uint64_t most, const struct cs_job *job, struct cs_farm_cache_stat *ret) CS_MUST_USE;

/* ---- running a plan ---- */

struct cs_farm_run_options {
	size_t size;         /* sizeof(struct cs_farm_run_options); see cellscope/core.h */
	const char *program; /* path of cellscope; NULL means the running program */
	uint64_t memory;     /* memory limit of one step in bytes, 0 for cs_limits_default() */
	double timeout;      /* time limit of one step, in seconds; 0 means none */
	bool unconfined; /* whether steps may read and write files that the plan does not name */
};

enum cs_farm_state {
	CS_FARM_WAITING,
	CS_FARM_RUNNING,
	CS_FARM_HIT,     /* the result was found in the cache */
	CS_FARM_DONE,    /* the step was run, and its result was stored */
	CS_FARM_FAILED,  /* the step failed and has no result */
	CS_FARM_SKIPPED, /* not run, because a step that it needs failed */
	CS_FARM_STATES
};

struct cs_farm_outcome {
	enum cs_farm_state state;
	int status;   /* exit status of the process, or 128 + number of the signal that ended it */
	bool said_no; /* whether the step is a check that found a fault (status 1) */
	double seconds; /* duration of the step in seconds, 0 for a cached result */
	/*
	 * Output of a step that failed or found a fault. In the state CS_FARM_WAITING it is a
	 * message that the process of the step ended without a result. May be NULL.
	 * cs_farm_summary_deinit frees the outputs of a summary; the caller frees that of
	 * cs_farm_run_step.
	 */
	char *output;
};

enum { CS_FARM_SLOWEST = 5 };

struct cs_farm_summary {
	/* number of all steps, of those in each state, and of checks that found a fault */
	size_t steps, waiting, running, hits, done, failed, skipped, said_no;
	double seconds;                   /* elapsed time of cs_farm_run; 0 from cs_farm_look */
	double work_seconds;              /* sum of the durations of all steps */
	double critical_seconds;          /* work_seconds of the longest chain of dependent steps */
	double seconds_left;              /* estimated seconds of the steps that wait or run */
	size_t slowest[CS_FARM_SLOWEST];  /* numbers of the slowest steps, slowest first */
	size_t n_slowest;                 /* length of `slowest` */
	struct cs_farm_outcome *outcomes; /* an item for each step */
};

/*
 * Runs all steps of a plan, one after the other; ninja runs more at a time (cs_farm_plan_ninja). A
 * step that fails is no error: it is counted in `ret`, which cs_farm_summary_deinit frees.
 */
CS_API struct cs_error *cs_farm_run(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_farm_run_options *options,
	const struct cs_job *job, struct cs_farm_summary *ret) CS_MUST_USE;
/*
 * Runs one step, which fails if the cache lacks the result of a step that this one needs. Returns
 * E_FARM if the plan has no step `index`.
 */
CS_API struct cs_error *cs_farm_run_step(const struct cs_farm_plan *plan, size_t index,
	const struct cs_farm_cache *cache, const struct cs_farm_run_options *options,
	const struct cs_job *job, struct cs_farm_outcome *ret) CS_MUST_USE;
/*
 * Runs nothing, but reports which steps are done, by the results in the cache and by the journal of
 * the plan: a file in the folder of the cache with the states and durations of the steps that were
 * run, on any machine. cs_farm_summary_deinit frees `ret`.
 */
CS_API struct cs_error *cs_farm_look(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_job *job,
	struct cs_farm_summary *ret) CS_MUST_USE;
CS_API void cs_farm_summary_deinit(struct cs_farm_summary *summary);

/* ---- simulation of a plan on several machines ---- */

struct cs_farm_machines {
	uint32_t nodes;   /* number of machines */
	uint32_t cores;   /* number of cores of each machine; a step uses one core */
	double bandwidth; /* bytes/s of the cache, shared by all machines; 0 means unlimited */
	double latency;   /* seconds needed to start one step */
};

struct cs_farm_forecast {
	double makespan;  /* seconds from the first begin to the last end of a step */
	double work;      /* sum of the seconds of all steps */
	double critical;  /* seconds of the longest chain of steps that need each other's results */
	double use;       /* mean fraction of the cores that are busy, 0..1 */
	double cache_use; /* mean fraction of the bandwidth of the cache that is used, 0..1 */
	/* fraction of the time in which the one server that hands out steps is busy, 0..1 */
	double server_use;
	const char *bound; /* what limits the speed: "work", "critical path", ... */
};

/*
 * Simulates a plan on a number of machines. The duration of a step is the one measured in the
 * journal of the cache, or else the estimate in the plan. All durations are estimates when `cache`
 * is NULL.
 */
CS_API struct cs_error *cs_farm_simulate(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_farm_machines *machines,
	struct cs_farm_forecast *ret) CS_MUST_USE;

/* ==== meshes of a world ==== */

/*
 * Builds the meshes of a world: each mesh that actors name becomes one Nanite resource, however
 * many actors show it, and each HLOD actor gets a proxy mesh (rule 1.6.9). The cook then stores
 * their sizes, the bytes that load with each cell, and findings.
 */

struct cs_assets_options {
	size_t size; /* sizeof(struct cs_assets_options); see cellscope/core.h */
	/*
	 * Folder of the meshes that actors name. "rocks/a.ply" is the path of a file in it. An
	 * object path of the engine, "/Game/Rocks/SM_A.SM_A", is the file Rocks/SM_A with the
	 * extension of a mesh or a resource.
	 */
	const char *root;
	const char *folder; /* folder where resources are written; created if it doesn't exist */
	const char *prefix; /* path of `folder` relative to the folder of the cooked world */
	const char *cache;  /* folder of a cache (cs_farm_cache_open); NULL for none */
};

struct cs_assets_summary {
	size_t meshes;           /* number of different meshes that actors name */
	size_t built, cached;    /* number of meshes built by this call, and found in the cache */
	size_t copied;           /* number of named files that are resources already */
	size_t missing, refused; /* number of named files that don't exist; that cannot be built */
	size_t proxies;          /* number of proxies built for HLOD actors */
	uint64_t bytes;          /* total size of all resources in bytes */
};

/*
 * Builds the meshes that the actors of a cook name, and the proxies of its HLOD actors, on the
 * threads of the job, and stores the state of each mesh in the cook. Call it before the cook is
 * saved. The same input gives the same files on any number of threads. Returns an error for lack of
 * memory, for a folder that cannot be written to, and for an interruption. A fault of a mesh is a
 * finding of the cook instead.
 */
CS_API struct cs_error *cs_assets_build(struct cs_cook *cook,
	const struct cs_assets_options *options, const struct cs_job *job,
	struct cs_assets_summary *ret) CS_MUST_USE;

/* Rows of a mesh and of an actor that is in a cell and shows the mesh. */
struct cs_shown_mesh {
	uint32_t mesh, actor;
};

/*
 * Lists the rows in `actors` that are in a cell and show a mesh, sorted by mesh, then by actor. The
 * caller frees the list.
 */
CS_API struct cs_error *cs_assets_shown(struct cs_cooked *cooked, const uint32_t *actors, size_t n,
	struct cs_shown_mesh **ret, size_t *n_ret) CS_MUST_USE;

CS_END_DECLS

#endif
