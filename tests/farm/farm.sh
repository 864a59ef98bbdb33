#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Plans and the cache: the same results whatever ran them, in whatever order, with whatever failures.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
# In the cage of a step LeakSanitizer cannot read its list of what is no leak.
unset LSAN_OPTIONS
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
cs=$CELLSCOPE_BUILD/cellscope
out=$CELLSCOPE_OUT/farm
chmod -R u+w "$out" 2>/dev/null
rm -rf "$out" && mkdir -p "$out/game/sub" && cd "$out" || exit 99
unset MAKEFLAGS MFLAGS
export XDG_CACHE_HOME="$out/home"

for seed in 1 2 3; do
	"$cs" -q gen mesh sphere --triangles 3000 --seed $seed -o game/m$seed.ply
	"$cs" -q gen city --actors 200 --seed $seed -o game/sub/w$seed.json >/dev/null
done
"$cs" -q gen mesh cube -o game/cube.obj
printf 'mtllib cube.mtl\n' >>game/cube.obj && echo 'newmtl a' >game/cube.mtl
echo 'no mesh' >game/bad.ply

# sums CACHE: every result by name and content
sums() {
	(cd "$1/objects" && find . -type f | sort | xargs sha256sum)
}

# ---- the plan ----

"$cs" -q farm plan game -o plan.jsonl
"$cs" -q farm plan game/ -o again.jsonl
cmp -s plan.jsonl again.jsonl
ok $? 'the same inputs give the same plan'
[ "$(grep -c '"verb":"nanite build"' plan.jsonl)" = 5 ] && [ "$(grep -c '"verb":"cook"' plan.jsonl)" = 3 ]
ok $? 'meshes are built, worlds cooked'
grep '"name":"cube.obj"' plan.jsonl | grep -q '"path":"cube.mtl"'
ok $? 'what a mesh names is read with it'
sed 's/newmtl a/newmtl b/' game/cube.mtl >x && mv x game/cube.mtl
"$cs" -q farm plan game -o again.jsonl
[ "$(diff plan.jsonl again.jsonl | grep -c '^> {"id"')" = 2 ]
ok $? 'and changes the keys of its build and its check alone'
cp again.jsonl plan.jsonl

# ---- engines ----

"$cs" farm run plan.jsonl --cache c1 >run.out 2>&1
[ $? -eq 3 ] && grep -q '^failed step [0-9]*: nanite build bad.ply' run.out
ok $? 'a step that fails is told, with status 3'
grep -q '16 steps: 0 hits, 14 done, 1 failed, 1 skipped' run.out
ok $? 'what needs it is skipped, the rest goes on'
rm game/bad.ply && "$cs" -q farm plan game -o plan.jsonl
"$cs" -q farm run plan.jsonl --cache c1 >/dev/null
ok $? 'without it the plan succeeds'
sums c1 >sums
"$cs" farm run plan.jsonl --cache c1 | grep -q '14 steps: 14 hits, 0 done'
ok $? 'a second run does nothing'

"$cs" -q farm run plan.jsonl --cache c2 >/dev/null
if command -v ninja >/dev/null; then
	"$cs" -q farm plan game -o plan.jsonl --ninja build.ninja --cache "$out/c5" --program "$cs"
	ninja -j 4 >ninja.out 2>&1 && sums c5 | cmp -s - sums
	ok $? 'ninja, four steps at a time: the same cache'
	ninja | grep -q 'no work to do'
	ok $? 'and nothing the second time'
	"$cs" farm report plan.jsonl --cache c5 | grep -q '^14 of 14 steps have results'
	ok $? 'farm report knows what ninja ran'
	printf '#!/bin/sh\necho "$@" >>ran\nexec "%s" "$@"\n' "$cs" >on-a-node && chmod +x on-a-node
	"$cs" -q farm plan game -o plan.jsonl --ninja node.ninja --cache "$out/c6" --program "$PWD/on-a-node"
	ninja -f node.ninja -j 2 >ninja.out 2>&1 && sums c6 | cmp -s - sums && [ "$(wc -l <ran)" = 14 ]
	ok $? 'a script that places each step, as srun does: the same cache'
else
	skip 'ninja: it is not installed'
fi
ln -s game elsewhere
"$cs" -q farm plan elsewhere/ -o moved.jsonl
"$cs" farm run moved.jsonl --cache c1 | grep -q '14 hits, 0 done'
ok $? 'another place of the same files has the same keys'

# ---- failures ----

# of a check, whose answer is read; of what another made the head alone, until a step needs it
entry=$(find c2/objects -type f -size -2 | sort | head -n 1)
printf x | dd of="$entry" bs=1 seek=60 conv=notrunc 2>/dev/null
"$cs" farm run plan.jsonl --cache c2 >run.out 2>err
[ "$(grep -c 'is damaged: its step runs again' err)" = 1 ] && sums c2 | cmp -s - sums
ok $? 'a damaged entry is said once, and made again'
: >"$entry"
"$cs" -q farm run plan.jsonl --cache c2 >/dev/null 2>&1 && sums c2 | cmp -s - sums
ok $? 'a cut one too'
printf x | dd of="$entry" bs=1 seek=60 conv=notrunc 2>/dev/null
"$cs" farm cache verify --cache c2 >run.out 2>err
[ $? -eq 1 ] && grep -q '^damaged *1$' run.out
ok $? 'farm cache verify finds it'

made=$(grep -l "$(printf '\211csres')" -r c2/objects 2>/dev/null | xargs ls -S | head -n 1)
[ -n "$made" ] || made=$(find c2/objects -type f -size +20 | head -n 1)
printf x | dd of="$made" bs=1 seek=600 conv=notrunc 2>/dev/null
find c2/objects -type f -size -2 -delete
"$cs" -q farm run plan.jsonl --cache c2 >run.out 2>err
[ $? -eq 0 ] && [ "$(grep -c 'is damaged: its step runs again' err)" = 1 ]
ok $? 'what is damaged is never given to a step that needs it'
sums c2 | cmp -s - sums
ok $? 'and is made again at once'

# ---- what a plan cannot be ----

mkdir -p odd/Content empty
cp game/cube.obj "odd/$(printf 'caf\351').obj"
"$cs" farm plan odd -o odd.jsonl 2>err
[ $? -eq 3 ] && grep -q 'caf.xe9.obj: the name of the file is not UTF-8.*E_FARM' err && [ ! -e odd.jsonl ]
ok $? 'a name that JSON cannot contain is refused by name'
"$cs" farm plan empty 2>err
[ $? -eq 3 ] && grep -q 'empty: the project, folder or list contains nothing that can be built' err
ok $? 'so is a plan without a step'
rm odd/*.obj && cp game/cube.obj game/cube.mtl odd/Content
echo '{"FileVersion": 3}' >odd/Odd.uproject
"$cs" -q farm plan odd/Odd.uproject --csv -c verb,name >run.out
printf 'verb,name\nnanite build,Content/cube.obj\nnanite verify,Content/cube.obj\n' | cmp -s - run.out
ok $? 'a project has its meshes in its plan, too'
"$cs" farm run plan.jsonl --cache c1 --step-timeout -1 >/dev/null 2>err
[ $? -eq 2 ] && grep -q 'step-timeout must be' err
ok $? 'a limit below 0 is no limit'
"$cs" farm run plan.jsonl --cache c1 --step-mem 17592186044417 >/dev/null 2>err
[ $? -eq 2 ] && grep -q 'step-mem must be' err
ok $? 'nor is one of which no step could be told'
"$cs" farm simulate plan.jsonl --cache c1 --nodes 1048576 2>err
[ $? -eq 3 ] && grep -q 'needs 1 to 1048575 nodes.*not 1048576 nodes' err
ok $? 'too many machines are refused with their number'

# ---- what status and report tell ----

mkdir told
for seed in 1 2; do
	"$cs" -q cook game/sub/w$seed.json -o told/$seed.cworld >/dev/null
done
echo 'diff 1.cworld 2.cworld' >told/one.list
{ cat told/one.list && echo 'verify 1.cworld'; } >told/two.list
for list in one two; do
	"$cs" -q farm plan told/$list.list -o $list.jsonl
done
"$cs" -q farm run one.jsonl --cache c11 >/dev/null
[ $? -eq 1 ] && "$cs" farm report two.jsonl --cache c11 >run.out
[ $? -eq 1 ] && grep -q '^no     step 0: diff' run.out
ok $? 'farm report knows the answer of a check that another plan ran'
"$cs" farm status two.jsonl --cache c11 --csv -c state,status,said_no >run.out
printf 'state,status,said_no\ndone,1,true\nwaiting,,false\n' | cmp -s - run.out
ok $? 'and a step that has not ended has no status'
echo nothing >told/bad.ply
"$cs" -q farm plan told -o bad.jsonl
"$cs" -q farm run bad.jsonl --cache c11 >/dev/null 2>&1
"$cs" farm status bad.jsonl --cache c11 --csv -c state,status -w "name = 'bad.ply'" >run.out
printf 'state,status\nfailed,3\nskipped,\n' | cmp -s - run.out
ok $? 'nor has one that was skipped'
# the step is run again by a process that is killed, and what it kept from running waits with it
step=$("$cs" farm status bad.jsonl --cache c11 --csv -c id -w "state = 'failed'" | tail -n 1)
sleep 0 &
gone=$!
wait $gone
printf '{"step":%d,"state":"running","status":0,"seconds":0,"host":"%s","pid":%d}\n' "$step" \
	"$(uname -n)" $gone >>"c11/runs/$(ls -t c11/runs | head -n 1)"
"$cs" farm status bad.jsonl --cache c11 >run.out
grep -q "^step $step: process $gone.*is gone" run.out && [ "$(grep -c ' waiting .* bad.ply' run.out)" -eq 2 ]
ok $? 'a step whose process is gone waits and says so, and so do those that need it'

# ---- what a key covers ----

mkdir covered
"$cs" -q cook game/sub/w1.json -o covered/w.cworld >/dev/null
echo 'source inner.cmd' >covered/outer.cmd
echo 'assert (SELECT count(*) FROM cells) > 0' >covered/inner.cmd
echo 'run w.cworld outer.cmd' >covered/list
"$cs" -q farm plan covered/list -o covered.jsonl
"$cs" -q farm run covered.jsonl --cache c20 >/dev/null
ok $? 'a script that sources another'
echo 'assert (SELECT count(*) FROM cells) > 1000000' >covered/inner.cmd
"$cs" farm run covered.jsonl --cache c21 >run.out 2>&1
[ $? -eq 3 ] && grep -q 'inner.cmd: the file has changed since the plan was made' run.out && [ ! -d c21/objects ]
ok $? 'a plan whose inputs have changed is run no more'
"$cs" -q farm plan covered/list -o covered.jsonl
"$cs" -q farm run covered.jsonl --cache c20 >/dev/null
[ $? -eq 1 ]
ok $? 'planned again its check is not told from the cache'
# the second note that begins with GNU is the build id
at=$(grep -obUaF GNU "$cs" | sed -n 2p | cut -d: -f1)
if [ -n "$at" ] && [ "$(head -c 4 "$cs" | tail -c 3)" = ELF ]; then
	cp "$cs" other-build
	printf xxxxxxxx | dd of=other-build bs=1 seek=$((at + 6)) conv=notrunc 2>/dev/null
	./other-build farm run covered.jsonl --cache c22 >run.out 2>err
	[ $? -eq 3 ] && grep -q 'another build' err
	ok $? 'another build of the program does not run the plan'
else
	skip 'another build: the program has no build id to change'
fi
CELLSCOPE_CODE=00000000000000000000000000000000 "$cs" -V >/dev/null 2>err
[ $? -eq 3 ] && grep -q 'another build' err
ok $? 'nor a step of it'
echo 'nanite build m1.ply --junit=x' >bad.list
cp game/m1.ply . && ! "$cs" farm plan bad.list 2>err
ok $? 'a step that says where to write is refused'
echo 'nanite build ../m1.ply' >game/outside.list
"$cs" farm plan game/outside.list -o outside.jsonl 2>err
[ $? -eq 3 ] && grep -q '^error: \.\./m1\.ply: .*E_FARM' err && [ ! -e outside.jsonl ]
ok $? 'and one that reads a file outside of the folder of the list, which farm run would refuse'
rm game/outside.list

printf 'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n' >covered/a.stl
echo 'nanite build a.stl' >covered/foreign.list
"$cs" -q farm plan covered/foreign.list -o foreign.jsonl
"$cs" -q farm run foreign.jsonl --cache c22 >/dev/null && grep -q "\"importer\":\"$("$CELLSCOPE_IMPORT" --code)\"" foreign.jsonl
ok $? 'a mesh that foreign code reads has that code in its key'
printf '#!/bin/sh\nprintf 00000000000000000000000000000001\n' >importer && chmod +x importer
CELLSCOPE_IMPORT=$PWD/importer "$cs" farm run foreign.jsonl --cache c22 >/dev/null 2>err
[ $? -eq 3 ] && grep -q 'another build' err
ok $? 'and other such code does not run the plan'

# a run that is killed again and again ends where one does that is left alone
kills=0
while [ $kills -lt "${FARM_KILLS:-6}" ]; do
	kills=$((kills + 1))
	"$cs" -q farm run plan.jsonl --cache c7 >/dev/null 2>&1 &
	pid=$!
	sleep 0.0$kills
	kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null
done
"$cs" -q farm run plan.jsonl --cache c7 >/dev/null 2>&1 && sums c7 | cmp -s - sums
ok $? 'killed runs lose nothing'
# steps outlive the run that is killed, for as long as they take: who comes later sweeps
tries=0
while [ -n "$(ls c7/work)" ] && [ $tries -lt 50 ]; do
	tries=$((tries + 1))
	sleep 0.1
	"$cs" -q farm run plan.jsonl --cache c7 >/dev/null 2>&1
done
[ -z "$(ls c7/work)" ]
ok $? 'and what they left is swept'
"$cs" -q farm run plan.jsonl --cache c8 >/dev/null &
"$cs" -q farm run again.jsonl --cache c8 >/dev/null 2>&1
wait
"$cs" -q farm run plan.jsonl --cache c8 >/dev/null && [ "$(sums c8 | sort - sums | uniq -d | wc -l)" = 14 ]
ok $? 'two plans at once on one cache'
if [ "$(id -u)" != 0 ]; then
	mkdir c9 && chmod a-w c9
	"$cs" -q farm run plan.jsonl --cache c9 >/dev/null 2>err
	[ $? -eq 3 ] && grep -q E_IO err
	ok $? 'a cache that cannot be written is a named error'
fi
if [ -e /dev/full ]; then
	: >c10
	"$cs" -q farm run plan.jsonl --cache c10 >/dev/null 2>err
	[ $? -eq 3 ] && grep -qE 'E_(IO|EXISTS|NOTFILE)' err
	ok $? 'a cache that is a file is a named error'
fi
sed 's/"words":\[/"words":["--raw",/' plan.jsonl >edited.jsonl
"$cs" farm run edited.jsonl --cache c1 >/dev/null 2>err
[ $? -eq 3 ] && grep -q 'E_FARM' err
ok $? 'a plan that was edited is found out'
sed 's/"path":"/"path":"..\/..\//' plan.jsonl >edited.jsonl
"$cs" farm run edited.jsonl --cache c1 >/dev/null 2>err
[ $? -eq 3 ] && grep -q 'within the root folder' err
ok $? 'and one that leaves its root'
head -c 700 plan.jsonl >cut.jsonl
"$cs" farm status cut.jsonl --cache c1 >/dev/null 2>err
[ $? -eq 3 ] && grep -q 'cut.jsonl.*line' err
ok $? 'and one that was cut, with its line'

# ---- lists, checks, trimming ----

"$cs" -q cook game/sub/w1.json -o game/w1.cworld >/dev/null
"$cs" -q cook game/sub/w2.json -o game/w2.cworld >/dev/null
echo 'assert (SELECT count(*) FROM cells) > 1000000' >game/budget.cmd
cat >game/nightly.list <<'END'
# what the night does
nanite build m1.ply --precision 6
diff world w1.cworld w2.cworld
run w1.cworld budget.cmd
END
"$cs" -q farm plan game/nightly.list -o nightly.jsonl
"$cs" farm run nightly.jsonl --cache c11 >run.out 2>err
[ $? -eq 1 ] && grep -q '2 checks said no' run.out
ok $? 'checks that say no are results, with status 1'
"$cs" farm run nightly.jsonl --cache c11 | grep -q '3 steps: 3 hits.*2 checks said no'
ok $? 'and are not asked again'
printf 'run w1.cworld budget.cmd\n' >game/one.list
[ "$("$cs" farm plan game/one.list -o one.jsonl | sed 's/,.*//')" = '1 step' ] &&
	"$cs" farm run one.jsonl --cache c11 | grep -q '^1 step: 1 hit, 0 done, 0 failed, 0 skipped; 1 check said no$'
ok $? 'one step is told as one'
echo 'cook x.json -o y' >bad.list
"$cs" farm plan bad.list 2>err
[ $? -eq 3 ] && grep -q 'line 1' err
ok $? 'a list that says where to write is refused'
"$cs" farm report plan.jsonl --cache c1 | grep -q 'critical path'
ok $? 'farm report sums up'
"$cs" farm report plan.jsonl --cache c1 -n 1 | head -n 1 | grep -q "^id *state"
ok $? 'or lists steps, if rows are asked for'
"$cs" farm status plan.jsonl --cache c1 -w "state IN ('done', 'hit')" --csv | wc -l | grep -q '^15$'
ok $? 'farm status lists what is done'
"$cs" farm cache trim --max-bytes 1000 --cache c1 >run.out
"$cs" farm cache stat --cache c1 --json | grep -qE '"bytes": ?([0-9]{1,3}|1000)[,}]'
ok $? 'farm cache trim keeps to its bytes'

# ---- a step reads nothing that its key does not cover ----

if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	strace -f -qq -e trace=openat -o trace "$cs" farm run plan.jsonl --cache c12 >/dev/null 2>&1
	opened=$(grep -oE 'openat\(AT_FDCWD, "[^"]*game[^"]*", O_RDONLY' trace |
		sed 's/.*"\(.*\)".*/\1/; s,.*/game/,,; s,^game/,,' | grep -v '/game$' | sort -u)
	empty "$(echo "$opened" | while IFS= read -r path; do
		grep -qF "\"path\":\"$path\"" plan.jsonl || [ -z "$path" ] || [ -d "game/$path" ] || echo "$path"
	done)" 'steps read what the plan says alone'
	OMP_NUM_THREADS=1 strace -f -qq -e trace=clone,clone3 -e inject=clone,clone3:error=EAGAIN:when=1 \
		-o trace "$cs" farm run plan.jsonl --cache c13 >out 2>err
	[ $? -eq 3 ] && grep -q 'cannot start: the system allows no more processes or threads' out
	ok $? 'a process that cannot be started is not told as missing memory'
else
	skip 'steps read what the plan says alone: no strace'
	skip 'a process that cannot be started is not told as missing memory: no strace'
fi
for line in 'farm cache verify' 'farm report plan.jsonl' 'farm status plan.jsonl' \
	'farm simulate plan.jsonl'; do
	# shellcheck disable=SC2086
	"$cs" $line --cache misspelt >out 2>err
	[ $? -eq 3 ] && grep -q 'misspelt' err && [ ! -e misspelt ]
	ok $? "$line neither makes a cache that is not there nor finds it sound"
done
for line in 'farm cache stat' 'farm report plan.jsonl' 'farm status plan.jsonl' \
	'farm simulate plan.jsonl'; do
	# shellcheck disable=SC2086
	XDG_CACHE_HOME=$PWD/away "$cs" $line >out 2>err && [ ! -e away ]
	ok $? "$line makes no cache where the default one is not there"
done
"$cs" farm run plan.jsonl --cache '' >out 2>err
[ $? -eq 3 ] && grep -q 'cannot make the folder' err
ok $? 'a cache without a name is a named error'
"$cs" farm run plan.jsonl --cache c1 -n 1 -c id | head -n 1 | grep -qx 'id'
ok $? 'farm run lists steps, if rows are asked for'
finish
