#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A cook whose arrays lie in scratch files writes the same file as one in memory: of LARGE_ACTORS
# actors, ten million unless given, with 65 MiB for a million. `make nightly` runs this; it takes
# minutes, and 11 GB of disk in TMPDIR or /tmp.
cs=$CELLSCOPE_BUILD/cellscope
actors=${LARGE_ACTORS:-10000000}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
export TMPDIR=$work
set -e -o pipefail

"$cs" -q gen city --actors "$actors" -o city.json
"$cs" -q cook city.json -o whole.cworld
"$cs" --max-mem $((65 * (actors / 1000000))) -q cook city.json -o limited.cworld
cmp whole.cworld limited.cworld
"$cs" --max-mem 200 -q -e 'verify limited.cworld'
