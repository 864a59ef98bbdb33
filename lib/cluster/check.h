/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a check of a DAG; for nanite/check*.c alone. */
#ifndef CLUSTER_CHECK_H
#define CLUSTER_CHECK_H

#include <cellscope/dag.h>

#include "cluster/dag_internal.h"

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

/* C4 and C5. */
struct cs_error *cs_dag_check_seams(struct cs_dag_checker *checker) CS_MUST_USE;
/* C6. */
struct cs_error *cs_dag_check_errors(struct cs_dag_checker *checker) CS_MUST_USE;

#endif
