#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Files of real runs of which one number is extreme (spoil_runs.c), alone and beside a sound profile:
# every command that reads them ends in time, within its memory, with an answer or a named error. A
# sample, or with FIELDS_EVERY=1 all of them.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/run_fields
: "${FIELDS_EVERY:=193}"
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99

"$cs" -q -e 'gen city --actors 300 --seed 7 -o city.json' >made 2>&1 </dev/null
ok $? 'a world is made'
awk 'BEGIN { print "EVENTS,FrameTime,View/PosX,View/PosY,View/PosZ"
	for (i = 0; i < 200; i++) printf ",16,%d,3000,200\n", i * 90 - 9000
	print "[platform],x" }' >profile.csv

tables() {
	for table in files frames cells levels sources events objects pairs strips fits; do
		echo "sql SELECT * FROM run_$table LIMIT 40"
	done
}
{
	echo 'open city.json'
	for files in '@F@' 'profile.csv @F@'; do
		echo "run open $files"
		tables
		echo 'run compare -n 5'
		echo 'run compare --offset 1e9 -n 5'
		echo 'run fit'
		tables
		echo 'run close'
	done
} >lines

# tried: one process for each spoilt file; what went wrong is printed
tried() {
	while read -r file what; do
		(
			grep -q '^CS_CFLAGS = .*-fsanitize' "$CELLSCOPE_BUILD/Makefile" ||
				ulimit -v 3000000
			timeout 20 "$cs" --batch -k -q -j 1 -D "F=$file" -x lines >said 2>&1 </dev/null
		)
		status=$?
		case $status in
		0 | 1 | 2 | 3) grep -q 'E_NOMEM\|E_INTERNAL' said || { rm "$file"; continue; } ;;
		esac
		echo "$file $what: status $status $(grep -m1 'E_NOMEM\|E_INTERNAL' said)"
	done
}
"$CELLSCOPE_BUILD/tests/samples/spoil_runs" . "$FIELDS_EVERY" >list
empty "$(tried <list)" "$(wc -l <list) spoilt numbers of real runs"
finish
