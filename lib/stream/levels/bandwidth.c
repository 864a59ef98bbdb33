/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bandwidth that all loads share: computes the bytes that arrive in a given time, and the time
 * that given bytes take. Both results are exact within 64 bits. A product of rate and time may
 * exceed 64 bits, so it is computed second by second, and a quotient digit by digit.
 */
#include "stream/stream_internal.h"

#include <math.h>

#define SECOND UINT64_C(1000000000)

/* Returns the bandwidth for loading in bytes per second; 0 = unlimited. */
static uint64_t bandwidth_rate(const struct cs_stream *stream)
{
	return (uint64_t)llround(cs_run_number(stream, CS_VAR_BANDWIDTH) * 1e6);
}

uint64_t cs_run_bytes_arrived(struct cs_stream *stream, bool wanted)
{
	const uint64_t rate = bandwidth_rate(stream),
		       time = stream->clock.time - stream->levels.io_time;
	const uint64_t rest = rate % SECOND * (time % SECOND) + stream->levels.io_carry;
	stream->levels.io_time = stream->clock.time;
	stream->levels.io_carry = wanted ? rest % SECOND : 0;
	return rate == 0 ? UINT64_MAX
			 : rate / SECOND * time + rate % SECOND * (time / SECOND) + rest / SECOND;
}

uint64_t cs_run_bytes_time(const struct cs_stream *stream, uint64_t bytes)
{
	const uint64_t rate = bandwidth_rate(stream);
	if (rate == 0)
		return 0;
	uint64_t time = bytes / rate, rest = bytes % rate;
	for (uint64_t unit = SECOND; unit > 1; unit /= 10) {
		rest *= 10;
		time = 10 * time + rest / rate;
		rest %= rate;
	}
	return time + (rest > 0);
}
