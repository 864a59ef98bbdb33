/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks of a parallel loop that have a part which must run in order. Each thread takes the lowest
 * task that is not taken, works on it in its own memory, waits until all earlier tasks have passed,
 * does the ordered part, and then marks its task as passed. Threads ignore the index that the loop
 * gives them, so that no thread waits for a task that has not begun.
 */
#pragma once

#include <pthread.h>
#include <stddef.h>

/* Number of times that a thread checks for its turn before it sleeps. Most turns come earlier. */
enum { CS_TURNS_LOOKS = 200000 };

struct cs_turns {
	pthread_mutex_t lock;
	pthread_cond_t passing;
	/* number of tasks that threads have taken, and of tasks whose ordered part is done */
	size_t taken, passed;
};

#define CS_TURNS_NONE                                                                  \
	(struct cs_turns)                                                              \
	{                                                                              \
		.lock = PTHREAD_MUTEX_INITIALIZER, .passing = PTHREAD_COND_INITIALIZER \
	}

static inline size_t cs_turns_take(struct cs_turns *turns)
{
	pthread_mutex_lock(&turns->lock);
	const size_t task = turns->taken++;
	pthread_mutex_unlock(&turns->lock);
	return task;
}

static inline void cs_turns_await(struct cs_turns *turns, size_t task)
{
	for (int i = 0; i < CS_TURNS_LOOKS; i++)
		if (__atomic_load_n(&turns->passed, __ATOMIC_ACQUIRE) == task)
			return;
	pthread_mutex_lock(&turns->lock);
	while (turns->passed != task)
		pthread_cond_wait(&turns->passing, &turns->lock);
	pthread_mutex_unlock(&turns->lock);
}

static inline void cs_turns_pass(struct cs_turns *turns)
{
	pthread_mutex_lock(&turns->lock);
	__atomic_store_n(&turns->passed, turns->passed + 1, __ATOMIC_RELEASE);
	pthread_cond_broadcast(&turns->passing);
	pthread_mutex_unlock(&turns->lock);
}
