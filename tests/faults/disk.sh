#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A disk that fails and a process that is killed, at every system call of a cook that replaces a
# file. Whatever happens: the file at the path is the old one or the new one, whole; a failure is
# told by the exit status; and what a kill leaves behind is gone after the next cook. What the
# engine cooked is read whole, or not, and then said so; so is what grows shorter meanwhile.
# `make check` tries one call in DISK_EVERY, for each is a process below strace; CI tries them all.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/disk
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99
# strace may be missing or forbidden, and sanitizers do not run below it
if ! strace -qq -f -o trace "$cs" -V >/dev/null 2>&1; then
	skip 'strace cannot run it here'
	finish
fi
every=${DISK_EVERY:-7}

"$cs" gen city --actors 300 --seed 1 -o old.json >/dev/null
"$cs" gen city --actors 300 --seed 2 -o new.json >/dev/null
"$cs" cook old.json -o old.cworld >/dev/null
"$cs" cook new.json -o new.cworld >/dev/null
cp old.cworld before
cp new.cworld after

is_whole() {
	cmp -s old.cworld before || cmp -s old.cworld after
}

leftovers() {
	ls | grep -c '\.tmp\.' || true
}

# fail_each CALL ERROR: the N-th call fails, for every N until none does
fail_each() {
	n=1
	torn=0 silent=0 left=0 fired=0
	while [ $n -le 60 ]; do
		cp before old.cworld
		OMP_NUM_THREADS=1 strace -qq -f -o trace -e trace="$1" -e inject="$1:error=$2:when=$n" \
			"$cs" cook new.json -o old.cworld >out 2>err </dev/null
		status=$?
		grep -q INJECTED trace || break
		fired=$((fired + 1))
		is_whole || torn=$((torn + 1))
		# done with the new file, or failed and said so
		cmp -s old.cworld after || { [ $status -ne 0 ] && [ -s err ]; } || silent=$((silent + 1))
		left=$((left + $(leftovers)))
		rm -f ./*.tmp.*
		n=$((n + every))
	done
	[ $fired -gt 0 ] && [ $torn -eq 0 ]
	ok $? "$1 fails with $2 ($fired times): the file is whole"
	[ $silent -eq 0 ]
	ok $? "$1 fails with $2: never silently"
	[ $left -eq 0 ]
	ok $? "$1 fails with $2: nothing is left behind"
}

kill_each() {
	n=1
	torn=0 fired=0
	while [ $n -le 60 ]; do
		cp before old.cworld
		OMP_NUM_THREADS=1 strace -qq -f -o trace -e trace="$1" -e inject="$1:signal=KILL:when=$n" \
			"$cs" cook new.json -o old.cworld >out 2>err </dev/null
		[ $? -ge 128 ] || break
		fired=$((fired + 1))
		is_whole || torn=$((torn + 1))
		n=$((n + every))
	done
	[ $fired -gt 0 ] && [ $torn -eq 0 ]
	ok $? "killed in $1 ($fired times): the file is whole"
}

fail_each write ENOSPC
fail_each write EIO
fail_each pwrite64 EIO
fail_each fsync EIO
fail_each rename EIO
fail_each write EINTR
fail_each pread64 EINTR
fail_each close EIO
fail_each openat EMFILE
fail_each pread64 EIO
for call in write pwrite64 fsync close rename openat; do
	kill_each $call
done

"$CELLSCOPE_BUILD/tests/samples/make_samples" . || exit 99
printf 'open Cooked --map Town\ncells --json\n' >map.cmd
printf 'open Packed/Town.utoc\ncells --json\nfiles Packed --json\n' >container.cmd
printf 'meshes Ribbon --json\nopen Ribbon/SM_Ribbon.uasset\nclusters --json\n' >nanite.cmd

"$cs" gen mesh sphere --triangles 500 --seed 1 -o mesh.ply >/dev/null
"$cs" nanite build mesh.ply -o mesh.cnanite >/dev/null
printf 'open new.cworld\nverify\nopen new.json\ncells --json\nopen mesh.cnanite\nclusters --json\n' >own.cmd

# read_each NAME CALL END: the N-th call ends so while NAME.cmd reads
read_each() {
	n=1
	silent=0 fired=0
	"$cs" -x "$1.cmd" >whole 2>err </dev/null || { cat err; silent=1; }
	while [ $n -le 80 ]; do
		OMP_NUM_THREADS=1 strace -qq -f -o trace -e trace="$2" -e inject="$2:$3:when=$n" \
			"$cs" -x "$1.cmd" >out 2>err </dev/null
		status=$?
		grep -q INJECTED trace || break
		fired=$((fired + 1))
		# what belongs to one package of many is a warning, or the problem in its row
		cmp -s out whole || [ -s err ] || grep -q '"problem":"' out || silent=$((silent + 1))
		n=$((n + every))
	done
	[ $fired -gt 0 ] && [ $silent -eq 0 ]
	ok $? "$1 is read, $2 ends with $3 ($fired times): whole, or said ($silent not)"
}

for name in map container nanite; do
	read_each $name pread64 error=EIO
	read_each $name pread64 error=EINTR
	read_each $name openat error=EMFILE
	read_each $name getdents64 error=EIO
done
# a file that another program makes shorter meanwhile
for name in own map container nanite; do
	read_each $name pread64 retval=0
done

# what is printed, and written by rows, a transcript and a record, when a signal comes in between
printf 'record made.record\ntranscript made.out\nstep 3\ncells --json\nactors --csv > made.csv\nopen nothing.cworld\n' >print.cmd
printed() {
	rm -f made.*
	OMP_NUM_THREADS=1 "$@" "$cs" --allow-shell new.cworld -x print.cmd >out 2>err
	cat out err made.record made.out made.csv
}
printed env >whole
n=1 fired=0 other=''
while [ $n -le 60 ]; do
	printed strace -qq -f -o trace -e trace=write -e inject="write:error=EINTR:when=$n" >got
	grep -q INJECTED trace || break
	fired=$((fired + 1))
	cmp -s got whole || other="$other $n"
	n=$((n + 1))
done
[ $fired -gt 5 ]
ok $? "output is interrupted ($fired times)"
empty "$other" 'and is whole every time'

"$cs" cook new.json -o old.cworld >/dev/null && cmp -s old.cworld after
ok $? 'the cook after the kills works'
[ "$(leftovers)" -eq 0 ]
ok $? 'and takes away what they left'
finish
