/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work for many machines: a plan of steps with content keys, a cache of results by key, and the
 * functions that run the plan with the cache.
 *
 * A step is a command of cellscope over files: build a mesh, cook a map, verify the result. Its key
 * is a hash of the verb, the code of the program and its libraries, its arguments and the content
 * of all that it reads. Equal keys mean equal results, on any machine. A result is stored in the
 * cache under the key, completely or not at all, and a step whose result is there is not run again.
 * Machines share nothing else: there are no locks and no server.
 *
 * A step runs in a process of its own with limits, so that a crash is a failed step. Exit statuses
 * 0 and 1 are results. Every other status, a crash and a time-out give no result, and the next run
 * tries the step again. A step that needs a failed step is skipped.
 */
#ifndef CELLSCOPE_FARM_H
#define CELLSCOPE_FARM_H

#include <cellscope/cook.h>

CS_BEGIN_DECLS

/* ---- plan ---- */

struct cs_farm_plan;

#define CS_FARM_KEY_TEXT 33 /* a key: 32 hexadecimal digits and a NUL */

struct cs_farm_step {
	const char *verb; /* verb of the command, "nanite build" */
	const char *name; /* the file or map that the step handles */
	char key[CS_FARM_KEY_TEXT];
	double seconds;        /* estimated seconds of the step */
	uint64_t input_bytes;  /* bytes of the files that the step reads */
	const uint32_t *needs; /* numbers of the steps that must run before the step */
	uint32_t n_needs;
	bool is_check; /* whether its result is its output instead of a file */
};

struct cs_farm_cache;

struct cs_farm_options {
	size_t size;         /* sizeof(struct cs_farm_options); core.h */
	const char *profile; /* engine profile of cooks; NULL means the world's own */
	/* root of the paths in the plan; NULL means the folder of the spec */
	const char *root;
	/*
	 * A cache that stores the content of files by size, times and number, so that files that
	 * were not written since are not read again. NULL means reading all files.
	 */
	const struct cs_farm_cache *cache;
};

/*
 * Makes a plan of a project (all partitioned maps and its meshes), a folder (everything in it that
 * can be built, cooked or verified) or a list with one command on each line, "nanite build rock.ply
 * --precision 8". The same inputs give the same plan. Returns E_FARM for a line that cannot be a
 * step.
 */
CS_API struct cs_error *cs_farm_survey(const char *spec, const struct cs_farm_options *options,
	const struct cs_job *job, struct cs_farm_plan **ret) CS_MUST_USE;
CS_API void cs_farm_plan_free(struct cs_farm_plan *plan);
/*
 * Returns the number of steps, and the seconds of all of them, as planned, unless that pointer is
 * NULL.
 */
CS_API size_t cs_farm_steps(const struct cs_farm_plan *plan, double *seconds_ret);
CS_API struct cs_farm_step cs_farm_step(const struct cs_farm_plan *plan, size_t index);
/*
 * Identifies the code that this process runs: the program and its libraries, by the build ids that
 * the linker stored. A plan contains the code that made it. A step that other code runs is refused
 * with E_FARM: the variable CS_FARM_CODE_VARIABLE in the environment of a step names the expected
 * code.
 */
#define CS_FARM_CODE_VARIABLE "CELLSCOPE_CODE"
CS_API void cs_farm_code(char ret[CS_FARM_KEY_TEXT]);

/* Writes one step on each line as JSON (cellscope-format(5)). */
CS_API struct cs_error *cs_farm_plan_write(
	const struct cs_farm_plan *plan, const char *path) CS_MUST_USE;
/*
 * Reads a plan. Where `step` is not NULL it reads only the step of that number and those that it
 * needs: *step becomes its number in the resulting plan, which only cs_farm_run_step accepts.
 */
CS_API struct cs_error *cs_farm_plan_read(const char *path, size_t *step, const struct cs_job *job,
	struct cs_farm_plan **ret) CS_MUST_USE;
/* Writes a build.ninja whose edges are the steps: `program` farm step `plan_path` INDEX. */
CS_API struct cs_error *cs_farm_plan_ninja(const struct cs_farm_plan *plan, const char *program,
	const char *plan_path, const struct cs_farm_cache *cache, const char *path) CS_MUST_USE;

/* ---- cache ---- */

/*
 * Opens a cache. The folder is made when it doesn't exist. NULL means cellscope below
 * XDG_CACHE_HOME or ~/.cache, or without both for one of the user in /tmp.
 *
 * `url`, unless NULL, is a server beside the folder that uses the protocol of bazel-remote: results
 * are written to both, and a result that only the server has is copied into the folder when it is
 * needed. Returns E_FEATURE without libcurl. Anyone who may write there can give every host any
 * result, so the server must be trusted as much as the folder. A cache with a server serves one
 * thread at a time, and one without a server serves any number.
 */
CS_API struct cs_error *cs_farm_cache_open(
	const char *folder, const char *url, struct cs_farm_cache **ret) CS_MUST_USE;
CS_API void cs_farm_cache_free(struct cs_farm_cache *cache);

struct cs_farm_result {
	int status;           /* exit status of the step, 0 or 1 */
	unsigned char *bytes; /* bytes of the file, or output of a check; owned */
	size_t size;
};

struct cs_farm_cache_stat {
	uint64_t entries, bytes, damaged, removed, removed_bytes;
};

/*
 * Counts the entries. `verify` reads every entry and removes damaged ones. Without it `most`,
 * unless it is UINT64_MAX, removes the entries that were not read for the longest time, until at
 * most that many bytes are left.
 */
CS_API struct cs_error *cs_farm_cache_stat(const struct cs_farm_cache *cache, bool verify,
	uint64_t most, const struct cs_job *job, struct cs_farm_cache_stat *ret) CS_MUST_USE;

/* ---- running ---- */

struct cs_farm_run_options {
	size_t size;         /* sizeof(struct cs_farm_run_options); core.h */
	const char *program; /* cellscope itself; NULL means the running program */
	uint64_t memory; /* limit on the memory of one step, in bytes; 0 means the default limit */
	double timeout;  /* time limit of one step, in seconds; 0 means none */
	bool unconfined; /* whether steps may read and write any file */
};

enum cs_farm_state {
	CS_FARM_WAITING,
	CS_FARM_RUNNING,
	CS_FARM_HIT,     /* the result was in the cache */
	CS_FARM_DONE,    /* the step was run, and its result was stored */
	CS_FARM_FAILED,  /* the step has no result */
	CS_FARM_SKIPPED, /* the step needs a step that failed */
	CS_FARM_STATES
};

struct cs_farm_outcome {
	enum cs_farm_state state;
	int status;     /* exit status of its process, or 128 + signal */
	bool said_no;   /* whether the step is a check with the answer no */
	double seconds; /* seconds that the step took, 0 for a cached result */
	/* what a failed step, or a check with the answer no, printed; may be NULL; owned */
	char *output;
};

enum { CS_FARM_SLOWEST = 5 };

struct cs_farm_summary {
	size_t steps, waiting, running, hits, done, failed, skipped, said_no;
	double seconds, work_seconds, critical_seconds;
	double seconds_left; /* planned seconds of steps that wait or run */
	/* the slowest steps, the longest first: by the time they took, */
	size_t slowest[CS_FARM_SLOWEST];
	size_t n_slowest;                 /* and others by the planned time */
	struct cs_farm_outcome *outcomes; /* outcome of each step; owned */
};

/* Runs all steps, one after the other. ninja runs more at a time (cs_farm_plan_ninja). */
CS_API struct cs_error *cs_farm_run(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_farm_run_options *options,
	const struct cs_job *job, struct cs_farm_summary *ret) CS_MUST_USE;
/* Runs one step. The results of the steps it needs must be in the cache. */
CS_API struct cs_error *cs_farm_run_step(const struct cs_farm_plan *plan, size_t index,
	const struct cs_farm_cache *cache, const struct cs_farm_run_options *options,
	const struct cs_job *job, struct cs_farm_outcome *ret) CS_MUST_USE;
/* Reports the state of a plan from the cache and its journal, without running anything. */
CS_API struct cs_error *cs_farm_look(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_job *job,
	struct cs_farm_summary *ret) CS_MUST_USE;
CS_API void cs_farm_summary_deinit(struct cs_farm_summary *summary);

/* ---- simulation ---- */

struct cs_farm_machines {
	uint32_t nodes, cores;
	/* bandwidth of the cache, in bytes a second, shared by all; 0 for unlimited */
	double bandwidth;
	double latency; /* seconds for starting one step */
};

struct cs_farm_forecast {
	/* seconds: until the end; of all steps; of the longest chain of steps */
	double makespan, work, critical;
	double use;        /* share of the cores that work, 0..1 */
	double cache_use;  /* share of the cache's bandwidth that is used, 0..1 */
	double server_use; /* share of the time in which the server starts steps, 0..1 */
	const char *bound; /* what limits the plan: "work", "critical path", ... */
};

/*
 * Simulates a plan. A step takes the time that the journal of the cache has measured, or else the
 * estimate of the plan. All times are estimates when `cache` is NULL.
 */
CS_API struct cs_error *cs_farm_simulate(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_farm_machines *machines,
	struct cs_farm_forecast *ret) CS_MUST_USE;

/* ==== meshes of a world ==== */

/*
 * The meshes of a world: the meshes that its actors name are built into Nanite resources, each once
 * however many actors show it, and HLOD actors get proxies (rule 1.6.9). The results go into the
 * cook: sizes, the bytes that load with cells, findings.
 */

struct cs_assets_options {
	size_t size; /* sizeof(struct cs_assets_options); core.h */
	/*
	 * The folder in which names are looked up. "rocks/a.ply" is that file below it. An object
	 * of the engine, "/Game/Rocks/SM_A.SM_A", is Rocks/SM_A with the extension of a mesh or
	 * resource.
	 */
	const char *root;
	const char *folder; /* where resources are written; made when it doesn't exist */
	const char *prefix; /* path of `folder` relative to the folder of the cooked world */
	const char *cache;  /* a folder of results by content, shared with a farm; NULL for none */
};

struct cs_assets_summary {
	size_t meshes;        /* meshes that actors name */
	size_t built, cached; /* made now; found in the cache */
	size_t copied;        /* number of named files that are resources already */
	/* numbers of named files that don't exist, and that cannot be used */
	size_t missing, refused;
	size_t proxies; /* number of proxies of HLOD actors */
	uint64_t bytes; /* bytes of all resources */
};

/*
 * Builds the meshes that the actors of a cook name, on the threads of the job, and the proxies of
 * its HLOD actors, and stores the state of each in the cook. It is called before the cook is saved.
 * The same input gives the same files on any number of threads. It fails without memory, for a
 * folder that cannot be written to, and when it is interrupted. A fault of a mesh is a finding of
 * the cook.
 */
CS_API struct cs_error *cs_assets_build(struct cs_cook *cook,
	const struct cs_assets_options *options, const struct cs_job *job,
	struct cs_assets_summary *ret) CS_MUST_USE;

/* An actor of a cell that shows a mesh: rows of meshes and actors. */
struct cs_shown_mesh {
	uint32_t mesh, actor;
};

/*
 * Lists those of the actors that are in a cell and name a mesh, by mesh and then by actor. The
 * caller frees the result.
 */
CS_API struct cs_error *cs_assets_shown(struct cs_cooked *cooked, const uint32_t *actors, size_t n,
	struct cs_shown_mesh **ret, size_t *n_ret) CS_MUST_USE;

CS_END_DECLS

#endif
