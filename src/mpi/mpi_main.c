/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cellscope-mpi: a plan run by the ranks of one MPI job.
 *
 *	mpirun -n 16 cellscope-mpi PLAN [--cache FOLDER] [--program CELLSCOPE]
 *
 * Rank 0 hands ready steps to the ranks that ask, the largest first; each runs its step as a child
 * process and reports. Alone, rank 0 runs them itself. Messages are arrays of doubles: step, state,
 * status, seconds, whether a check said no. A rank that dies ends the job, as MPI has it; the next
 * one goes on from the cache.
 */
#include <cellscope/farm.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_ASK = 1, TAG_STEP };
enum { AT_STEP, AT_STATE, AT_STATUS, AT_SECONDS, AT_SAID_NO, MESSAGE };
enum { STATUS_OK, STATUS_NO, STATUS_USAGE, STATUS_FAILED };

struct arguments {
	const char *plan, *cache, *program;
};

struct work {
	struct cs_farm_plan *plan;
	struct cs_farm_cache *cache;
	struct cs_farm_run_options options;
};

static int mpi_main_tell(struct cs_error *error)
{
	char text[1024];
	const char *message = cs_error_message(error);
	cs_escape(message, strlen(message), true, text, sizeof(text));
	fprintf(stderr, "error: %s [%s]\n", text, cs_code_name(cs_error_code(error)));
	cs_error_free(error);
	return STATUS_FAILED;
}

static bool parse(int argc, char **argv, struct arguments *ret)
{
	*ret = (struct arguments){.program = NULL};
	for (int i = 1; i < argc; i++) {
		bool has_value = i + 1 < argc;
		if (strcmp(argv[i], "--cache") == 0 && has_value)
			ret->cache = argv[++i];
		else if (strcmp(argv[i], "--program") == 0 && has_value)
			ret->program = argv[++i];
		else if (argv[i][0] != '-' && !ret->plan)
			ret->plan = argv[i];
		else
			return false;
	}
	return ret->plan != NULL;
}

/* A step that fails tells why where it ran; its result is a message in any case. */
static void run_step(const struct work *work, uint32_t step, double message[MESSAGE])
{
	struct cs_farm_outcome outcome = {.state = CS_FARM_FAILED};
	struct cs_error *error =
		cs_farm_run_step(work->plan, step, work->cache, &work->options, NULL, &outcome);
	if (error)
		mpi_main_tell(error);
	if (outcome.state == CS_FARM_FAILED && outcome.output) {
		char text[4096];
		cs_escape(outcome.output, strlen(outcome.output), true, text, sizeof(text));
		fprintf(stderr, "step %u: %s\n", step, text);
	}
	free(outcome.output);
	message[AT_STEP] = step;
	message[AT_STATE] = error ? CS_FARM_FAILED : outcome.state;
	message[AT_STATUS] = outcome.status;
	message[AT_SECONDS] = outcome.seconds;
	message[AT_SAID_NO] = outcome.said_no;
}

/* ---- the ranks that ask ---- */

static void mpi_main_follow(const struct work *work)
{
	double message[MESSAGE] = {-1};
	for (;;) {
		double step;
		MPI_Send(message, MESSAGE, MPI_DOUBLE, 0, TAG_ASK, MPI_COMM_WORLD);
		MPI_Recv(&step, 1, MPI_DOUBLE, 0, TAG_STEP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (step < 0)
			return;
		run_step(work, (uint32_t)step, message);
	}
}

/* ---- rank 0 ---- */

struct lead {
	const struct work *work;
	struct cs_farm_schedule *schedule;
	size_t counts[CS_FARM_STATES], said_no;
	int *idle; /* ranks that wait for a step */
	int n_idle, n_left;
};

static void count_skipped(void *context, uint32_t step)
{
	(void)step;
	((struct lead *)context)->counts[CS_FARM_SKIPPED]++;
}

static void take_report(struct lead *lead, const double message[MESSAGE])
{
	int state = (int)message[AT_STATE];
	if (message[AT_STEP] < 0)
		return;
	lead->counts[state]++;
	lead->said_no += message[AT_SAID_NO] != 0;
	cs_farm_schedule_done(lead->schedule, (uint32_t)message[AT_STEP], state != CS_FARM_FAILED,
		count_skipped, lead);
}

static void send_step(int rank, double step)
{
	MPI_Send(&step, 1, MPI_DOUBLE, rank, TAG_STEP, MPI_COMM_WORLD);
}

static void hand_out(struct lead *lead)
{
	uint32_t step;
	while (lead->n_idle > 0 && cs_farm_schedule_next(lead->schedule, &step))
		send_step(lead->idle[--lead->n_idle], step);
	if (cs_farm_schedule_left(lead->schedule) > 0)
		return;
	while (lead->n_idle > 0) {
		send_step(lead->idle[--lead->n_idle], -1);
		lead->n_left--;
	}
}

static void lead_ranks(struct lead *lead)
{
	while (lead->n_left > 0) {
		double message[MESSAGE];
		MPI_Status status;
		MPI_Recv(message, MESSAGE, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD,
			&status);
		take_report(lead, message);
		lead->idle[lead->n_idle++] = status.MPI_SOURCE;
		hand_out(lead);
	}
}

static void lead_alone(struct lead *lead)
{
	uint32_t step;
	double message[MESSAGE];
	while (cs_farm_schedule_next(lead->schedule, &step)) {
		run_step(lead->work, step, message);
		take_report(lead, message);
	}
}

static int summarise(const struct lead *lead)
{
	printf("%zu steps: %zu hits, %zu done, %zu failed, %zu skipped\n",
		cs_farm_steps(lead->work->plan), lead->counts[CS_FARM_HIT],
		lead->counts[CS_FARM_DONE], lead->counts[CS_FARM_FAILED],
		lead->counts[CS_FARM_SKIPPED]);
	if (lead->counts[CS_FARM_FAILED])
		return STATUS_FAILED;
	return lead->said_no ? STATUS_NO : STATUS_OK;
}

static int lead_all(const struct work *work, int n_ranks)
{
	struct lead lead = {.work = work, .n_left = n_ranks - 1};
	lead.idle = calloc((size_t)n_ranks, sizeof(*lead.idle));
	struct cs_error *error = lead.idle ? cs_farm_schedule_new(work->plan, NULL, &lead.schedule)
					   : cs_error_nomem();
	if (error) {
		free(lead.idle);
		mpi_main_tell(error);
		MPI_Abort(MPI_COMM_WORLD, STATUS_FAILED);
		return STATUS_FAILED;
	}
	if (n_ranks > 1)
		lead_ranks(&lead);
	else
		lead_alone(&lead);
	cs_farm_schedule_free(lead.schedule);
	free(lead.idle);
	return summarise(&lead);
}

/* ---- the job ---- */

static int mpi_main_run(const struct arguments *arguments)
{
	struct work work = {.options = {.program = arguments->program, .slots = 1}};
	int rank, n_ranks, status = STATUS_OK;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
	struct cs_error *error = cs_farm_plan_read(arguments->plan, NULL, &work.plan);
	if (!error)
		error = cs_farm_cache_open(arguments->cache, &work.cache);
	if (error) /* a rank that cannot begin must not leave the others waiting */
		MPI_Abort(MPI_COMM_WORLD, mpi_main_tell(error));
	if (rank == 0)
		status = lead_all(&work, n_ranks);
	else
		mpi_main_follow(&work);
	cs_farm_cache_free(work.cache);
	cs_farm_plan_free(work.plan);
	return status;
}

int main(int argc, char **argv)
{
	struct arguments arguments;
	MPI_Init(&argc, &argv);
	int status = STATUS_USAGE;
	if (parse(argc, argv, &arguments)) {
		if (!arguments.program)
			arguments.program = CS_BINDIR "/cellscope";
		status = mpi_main_run(&arguments);
	} else {
		fprintf(stderr, "usage: cellscope-mpi PLAN [--cache FOLDER] [--program FILE]\n");
	}
	MPI_Finalize();
	return status;
}
