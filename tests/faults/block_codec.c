/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A codec with the name and arguments of Oodle's libraries, for blocks that tests pack: each byte
 * is XORed with 0x55. CODEC_FAULT makes it misbehave: it can crash, exit, return a short size
 * (short), hang, or try what the sandbox must refuse: open (files), call (sockets and processes)
 * and write (to files that were left open).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Returns whether this process can open any file of the machine. */
static int opens(void)
{
	const char *file = getenv("CODEC_FILE");
	return open(file, O_WRONLY | O_CREAT, 0600) >= 0 || open(file, O_RDONLY) >= 0 ||
	       open("/dev/null", O_WRONLY) >= 0 || open("/proc/1/status", O_RDONLY) >= 0 ||
	       open("/etc/passwd", O_RDONLY) >= 0;
}

static int calls(void)
{
	return socket(AF_INET, SOCK_STREAM, 0) >= 0 || fork() >= 0;
}

static int writes(void)
{
	int any = 0;
	for (int file = 3; file < 1024; file++)
		any |= write(file, "!", 1) == 1;
	return any;
}

intptr_t OodleLZ_Decompress(const void *packed, intptr_t packed_size, void *plain,
	intptr_t plain_size, int safe, int check_sums, int verbosity, void *window,
	intptr_t window_size, void *callback, void *context, void *memory, intptr_t memory_size,
	int phase);

intptr_t OodleLZ_Decompress(const void *packed, intptr_t packed_size, void *plain,
	intptr_t plain_size, int safe, int check_sums, int verbosity, void *window,
	intptr_t window_size, void *callback, void *context, void *memory, intptr_t memory_size,
	int phase)
{
	const char *fault = getenv("CODEC_FAULT");
	const unsigned char *from = packed;
	unsigned char *to = plain;
	fault = fault ? fault : "";
	if (strcmp(fault, "crash") == 0)
		abort();
	if (strcmp(fault, "exit") == 0)
		_exit(0);
	while (strcmp(fault, "hang") == 0)
		;
	if (strcmp(fault, "short") == 0)
		return plain_size - 1;
	if ((strcmp(fault, "open") == 0 && opens()) || (strcmp(fault, "call") == 0 && calls()) ||
		(strcmp(fault, "write") == 0 && writes()))
		return 0;
	if (packed_size != plain_size || safe != 1 || check_sums || verbosity || window ||
		window_size || callback || context || memory || memory_size || phase != 3)
		return 0;
	for (intptr_t i = 0; i < plain_size; i++)
		to[i] = from[i] ^ 0x55;
	return plain_size;
}
