/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our cook against what the engine made of the same world: cell by cell, actor by actor, layer by
 * layer, with the number of the rule (cellscope/rulebook.h) that explains a difference where one
 * does. The engine's side comes from a StreamingGeneration log (rules 4.3, ue 7b), which tells all
 * cells, from what its cooker wrote, which tells GUIDs and layers as well, or from the HLOD actors
 * that were saved with a map (1.6.8, ue 7a), which tell the cells that they were built from and the
 * actors in those.
 */
#ifndef CELLSCOPE_COMPARE_H
#define CELLSCOPE_COMPARE_H

#include <cellscope/cook.h>
#include <cellscope/explain.h>
#include <cellscope/ue.h>

CS_BEGIN_DECLS

enum cs_compare_kind { CS_COMPARE_WORLD, CS_COMPARE_CELL, CS_COMPARE_ACTOR, CS_COMPARE_LAYER };
enum { CS_COMPARE_KINDS = CS_COMPARE_LAYER + 1 };

enum cs_compare_change {
	CS_COMPARE_RENAMED,     /* the same, under another name */
	CS_COMPARE_ONLY_OURS,   /* the engine has it not */
	CS_COMPARE_ONLY_THEIRS, /* we have it not */
	CS_COMPARE_MOVED,       /* an actor in another cell */
	CS_COMPARE_PACKAGE,     /* a cell whose package is called otherwise */
	CS_COMPARE_BOX,         /* a cell of another size or place */
	CS_COMPARE_CONTENT,     /* a cell with the same actors and other bounds of them */
	CS_COMPARE_LAYERS,      /* a layer that splits the cell on one side alone */
	CS_COMPARE_GUID,        /* a cell of another GUID */
	CS_COMPARE_CLASS,       /* a spatial hash on one side, a hash set on the other */
	CS_COMPARE_TWICE,       /* a cell that the engine tells twice, an actor in two cells */
	CS_COMPARE_CHANGES
};

/* Worst last: that of the whole is that of its worst row. */
enum cs_compare_verdict {
	CS_COMPARE_SAME,
	CS_COMPARE_BY_RULE,
	CS_COMPARE_STALE, /* of an HLOD actor whose source actors are all gone */
	CS_COMPARE_UNEXPLAINED
};

struct cs_compare_row {
	enum cs_compare_kind kind;
	enum cs_compare_change change;
	enum cs_compare_verdict verdict; /* any but SAME */
	const char *name;                /* of the cell, actor or layer; ours where we have it */
	const char *ours, *theirs;       /* cell or value on each side, NULL = none */
	const char *rule;                /* its number: what explains it, NULL for none */
	const char *decided;             /* actors: the rule by which ours came to its cell */
	uint32_t cell, actor;            /* rows of our cook, CS_NONE */
	/* where the engine's cell is, which we need not have; NULL where its name does not tell */
	const char *grid;
	int32_t level;
	int64_t x, y;
};

struct cs_comparison {
	const struct cs_compare_row *rows; /* by kind, then in the order of the engine's side */
	size_t n;
	size_t compared[CS_COMPARE_KINDS]; /* cells and actors looked at */
	size_t by_rule[CS_COMPARE_KINDS], unexplained[CS_COMPARE_KINDS];
	size_t stale;
	enum cs_compare_verdict verdict;
};

/* Loads the details of `cooked`, which must outlive the answer, as must the log. */
CS_API struct cs_error *cs_compare_log(struct cs_cooked *cooked, const struct cs_ue_log *log,
	const struct cs_comparison **ret) CS_MUST_USE;
/*
 * `source` is what `cooked` was cooked from; its HLOD actors are the engine's answer. An actor that
 * no HLOD actor stands for is not compared. E_MISSING when the source has none.
 */
CS_API struct cs_error *cs_compare_hlods(struct cs_cooked *cooked, const struct cs_world *source,
	const struct cs_comparison **ret) CS_MUST_USE;
/*
 * `theirs` is what the engine cooked of the same map, opened by cs_ue_place_open_map: all cells
 * with their actors, GUIDs and packages, data layers, actors of the persistent level. Both must
 * outlive the answer.
 */
CS_API struct cs_error *cs_compare_cooked(struct cs_cooked *cooked, struct cs_cooked *theirs,
	const struct cs_comparison **ret) CS_MUST_USE;
CS_API void cs_comparison_free(const struct cs_comparison *comparison);

/* '+' the engine has it and we have not, '-' we alone have it, '~' it differs. */
CS_API char cs_compare_mark(enum cs_compare_change change);
/* "world", "cell", "actor", "layer" */
CS_API const char *cs_compare_kind_name(enum cs_compare_kind kind);
/* "renamed", "only ours" ... */
CS_API const char *cs_compare_change_name(enum cs_compare_change change);
/* Of all kinds of rows. */
struct cs_comparison_total {
	size_t by_rule, unexplained, stale;
};

CS_API struct cs_comparison_total cs_comparison_total(const struct cs_comparison *comparison);
/* "same", "differs by rule", "stale", "unexplained" */
CS_API const char *cs_compare_verdict_name(enum cs_compare_verdict verdict);

/* ---- what got worse ---- */

/* Of which less is better: their names are those of budgets. */
enum { CS_MEASURES = 12 };

struct cs_measure {
	const char *name; /* "always_loaded_actors", "fullest_cell" ... */
	const char *unit, *doc;
	double before, after; /* NAN: not known */
	double most, rise;    /* its budget: at most, and more than before; NAN = none */
	uint32_t cell_before, cell_after; /* the cell that it is of, or CS_NONE */
	bool worse, breaks;               /* it rose; it is beyond its budget */
};

/*
 * All measures of both; the actors are loaded. `peaks` are cells in memory along a path, or NULL.
 * `budgets` is a JSON file {"fullest_cell": 400, "errors": {"rise": 0}}, or NULL; E_JSON names what
 * is no measure.
 */
CS_API struct cs_error *cs_worse(struct cs_cooked *before, struct cs_cooked *after,
	const double peaks[2], const char *budgets,
	struct cs_measure rows[CS_MEASURES]) CS_MUST_USE;

CS_END_DECLS

#endif
