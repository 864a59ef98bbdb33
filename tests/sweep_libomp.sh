#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Removes what clang's libomp leaves behind, until it is killed: run beside tests of a build by clang.
# libomp keeps a file for each process in /dev/shm. A process that a test stops by its limit of file
# sizes leaves an empty one, and the next process of that number dies of SIGBUS.
while sleep 1; do
	find /dev/shm -maxdepth 1 -name '__KMP_REGISTERED_LIB_*' -size 0 -delete 2>/dev/null || :
done
