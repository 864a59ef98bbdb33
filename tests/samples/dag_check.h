/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a DAG keeps what cellscope/dag.h promises, and the state of such a check. */
#pragma once

#include <cellscope/dag.h>

#include "cluster/dag_internal.h"

struct cs_dag_check {
	const struct cs_mesh *source; /* NULL: checks against it are left out */
	uint32_t cuts;                /* cuts by error and by camera that are tried, each */
	uint32_t samples; /* points of either surface whose distance is measured, a cut */
};

/* Distances between the source and a cut. */
struct cs_dag_measure {
	uint64_t triangles;
	double declared; /* error of the cut */
	double rms;      /* of the samples of both directions together */
	double farthest; /* that was met in both directions, which is looked for */
};

enum { CS_DAG_MEASURES = 4 };

struct cs_dag_verdict {
	uint64_t faults; /* in all; each is reported up to a limit */
	struct cs_dag_measure measures[CS_DAG_MEASURES]; /* at N/4, N/16, N/64, N/256 triangles */
};

/*
 * Checks all that the head of cellscope/dag.h promises: C1 limits, C2 leaves equal the source, C3
 * order, C4 seams, C5 cuts without a crack, C6 errors. Faults are told by rule and text.
 */
struct cs_error *cs_dag_verify(const struct cs_dag *dag, const struct cs_dag_check *check,
	const struct cs_job *job,
	void (*report)(void *context, const char *rule, const char *message), void *context,
	struct cs_dag_verdict *ret) CS_MUST_USE;

struct cs_surface;
/* Returns the RMS distance of two surfaces, of that many points of each that are spread by area. */
double cs_dag_check_rms(
	const struct cs_surface *source, const struct cs_surface *cut, uint32_t samples);

/* ---- for dag_check*.c alone ---- */

struct cs_dag_checker {
	const struct cs_dag *dag;
	const struct cs_dag_check *check;
	const struct cs_job *job;
	void (*report)(void *context, const char *rule, const char *message);
	void *context;
	uint32_t most_reports;
	struct cs_dag_verdict verdict;
};

/* Counts a fault, and reports it while there are not too many. */
void cs_dag_fault(struct cs_dag_checker *checker, const char *rule, const char *format, ...)
	CS_PRINTF(3, 4);

/* Checks C4 and C5. */
struct cs_error *cs_dag_check_seams(struct cs_dag_checker *checker) CS_MUST_USE;
/* Checks C6. */
struct cs_error *cs_dag_check_errors(struct cs_dag_checker *checker) CS_MUST_USE;
