#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The job that init-ci writes, its steps run as a service runs them: green on the world it was
# written for, red for each of sixteen regressions of worlds, files and scripts, each of which TAP,
# JUnit and an annotation name.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work="$CELLSCOPE_OUT/ci of a game"
rm -rf "$work" && mkdir -p "$work/ci" && cd "$work" || exit 99
"$cs" -q gen city --actors 500 --seed 3 -o city.json >/dev/null
cp city.json green.json
"$cs" -q city.json --batch -e "init-ci ci --from '$cs'" >said
ok $? 'init-ci writes its files'
[ "$(grep -c '^assert' ci/cellscope.cmd)" -ge 15 ] && grep -q '^path load @HERE@/' ci/cellscope.cmd
ok $? 'budgets of the content and along a path'
[ "$(grep -c 'cellscope.*-x ' ci/cellscope.yml)" = 1 ]
ok $? 'the job runs them once'
if python3 -c 'import yaml' 2>/dev/null; then
	python3 -c 'import sys, yaml; job = yaml.safe_load(open("ci/cellscope.yml"))["jobs"]["world"]; sys.exit(len(job["steps"]) != 4)'
	ok $? 'a reader of YAML reads it'
else
	skip 'a reader of YAML reads it: python3 has none'
fi
"$cs" -q city.json --batch -e 'init-ci ci' 2>err
[ $? -eq 3 ] && grep -q E_EXISTS err
ok $? 'files that exist are not replaced'

# job: its steps, in order, until one fails; GITHUB_PATH counts from the next step on.
awk '/^      - / { step++ } /^        run: \|/ { block = step; next }
	/^        run: / { sub(/^        run: /, ""); print > ("step" step); next }
	block == step && /^          / { print substr($0, 11) > ("step" step) }' ci/cellscope.yml
job() {
	(
		RUNNER_TEMP=$work/runner GITHUB_PATH=$work/runner/path CI=true GITHUB_ACTIONS=true
		CELLSCOPE=$(sed -n 's/^      CELLSCOPE: //p' ci/cellscope.yml)
		export RUNNER_TEMP GITHUB_PATH CI GITHUB_ACTIONS CELLSCOPE
		rm -rf runner && mkdir runner
		for step in step*; do
			[ ! -f runner/path ] || PATH=$(paste -sd : runner/path):$PATH
			sh -e "$step" || exit
		done
	) >tap 2>err
}
job
[ $? -eq 0 ] && ! grep -q '^not ok' tap && grep -q 'failures="0"' cellscope.xml && [ -x runner/cellscope-bin/cellscope ]
ok $? 'green: it installs the program and everything holds'
(cd / && "$cs" --tap -x "$work/ci/cellscope.cmd" >/dev/null 2>&1)
ok $? 'and from any other folder'

red() { # NAME: the job fails, and TAP, JUnit and an annotation each say so of the point with this name
	job
	status=$?
	name=$(printf '%s' "$1" | sed 's/"/\&quot;/g')
	[ $status -ne 0 ] && grep '^not ok' tap | grep -qF -- "$1" &&
		grep '^::error file=ci/cellscope.cmd,line=' err | grep -qF -- "$1" &&
		grep -A1 '<testcase' cellscope.xml | grep -B1 '<failure' | grep -qF -- "$name"
	ok $? "red: $1"
}
# a regression a line: the budget that names it, and what is done to the world
while IFS='	' read -r budget change; do
	awk "{ sub(/\"actor_count\":[0-9]+,/, \"\") } $change" green.json >city.json
	cmp -s city.json green.json && echo "# nothing was planted"
	red "$budget"
done <<'END'
"errors"	NR == 300 { sub(/"transform"/, "\"grid\":\"Nowhere\",\"transform\"") } { print }
"data layers"	NR == 1 { sub(/\{"name":"DataLayer_Crowd_0"[^}]*\},/, "") } { print }
"actors"	NR < 400 { print }
"cells"	NR == 1 { sub(/"name":"MainGrid"/, "&,\"cell_size\":3200") } { print }
"actors of the fullest cell"	NR == 1 { sub(/"name":"MainGrid"/, "&,\"cell_size\":51200") } { print }
"always loaded actors"	NR > 1 && NR < 60 { sub(/"transform"/, "\"spatially_loaded\":false,\"transform\"") } { print }
"actors of the largest set"	NR == 2 { match($0, /"guid":"[0-9A-F]*"/); g = substr($0, RSTART + 7, RLENGTH - 7) } NR > 2 && NR < 60 && !/references/ { sub(/"transform"/, "\"references\":[" g "],&") } { print }
"peak bytes"	NR == 1 { sub(/"name":"MainGrid","loading_range":12800/, "\"name\":\"MainGrid\",\"loading_range\":64000") } { print }
"peak waiting"	NR == 1 { sub(/"name":"MainGrid"/, "&,\"cell_size\":3200") } { print }
"peak actors"	{ print } NR > 1 && NR < 200 { g = sprintf("%032X", NR); sub(/"guid":"[0-9A-F]*"/, "\"guid\":\"" g "\""); print }
command open	NR < 300 { print } NR == 300 { print substr($0, 1, 40) }
END
cp green.json city.json
"$cs" -q cook green.json -o base.cworld >made 2>&1

# regressions of other kinds: lines that are added to the job's, and a file or a number that is changed
cp ci/cellscope.cmd green.cmd
added() { # LINE: it is the last of the job's
	{ cat green.cmd && echo "$1"; } >ci/cellscope.cmd
}
golden='golden cells.txt: cells -n 3'
added "$golden"
"$cs" -q --bless -x ci/cellscope.cmd >made 2>&1
job
ok $? 'green with a golden file'
sed -i '2s/[0-9]/x/' ci/cells.txt
red 'cells.txt'
added 'asert 1 = 1'
red 'asert'
sed "s/count(\*) FROM actors) >= [0-9]*/count(*) FROM actors) >= $(($(grep -c '"guid"' green.json) + 1))/" green.cmd >ci/cellscope.cmd
red '"actors"'
head -c 3000 base.cworld >cut.cworld
added 'verify @HERE@/../cut.cworld'
red 'verify'
cp green.cmd ci/cellscope.cmd
"$cs" -q city.json --batch -e 'init-ci worse --baseline base.cworld' >said
grep -q '^worse @HERE@/../base.cworld @HERE@/../city.json --budget @HERE@/cellscope-budget.json$' worse/cellscope.cmd
ok $? 'a baseline is a line of worse'
grep '^open\|^worse' worse/cellscope.cmd >worse/only.cmd
"$cs" --tap -x worse/only.cmd >tap 2>err
ok $? 'which holds for the same world'
awk 'NR == 300 { sub(/"transform"/, "\"grid\":\"Nowhere\",\"transform\"") } { print }' green.json >city.json
"$cs" --tap -x worse/only.cmd >tap 2>err
[ $? -eq 1 ] && grep '^not ok' tap | grep -q worse
ok $? 'and ends with status 1 when a budget breaks'
mv city.json worse.json
cp green.json city.json
cp worse/cellscope-budget.json ci
added 'worse @HERE@/../base.cworld @HERE@/../worse.json --budget @HERE@/cellscope-budget.json'
red 'worse'
cp green.cmd ci/cellscope.cmd
job
ok $? 'and green again'
# A run of more frames than the table frames keeps: budgets count also those of its beginning.
printf '%s\n' 'time,x,y,z' '0,0,0,0' '2,60000,60000,0' '100,60000,60000,0' >long.csv
"$cs" -q city.json --batch -e 'init-ci long --path long.csv' >said
loads=$(sed -n "s/^assert path_report('loads') <= \([0-9]*\) .*/\1/p" long/cellscope.cmd)
first=$("$cs" -q city.json --batch -e 'path load long.csv' -e 'source add P 0,0,0' \
	-e 'path follow P long' -e 'step 200 > /dev/null' -e 'sql SELECT sum(loads) FROM frames' | tail -1)
[ "${first:-0}" -gt 0 ] && [ "${loads:-0}" -ge "$first" ]
ok $? 'a long path is measured from its first frame on'
printf '%s\n' 'time,x,y,z' '0,0,0,0' '1.99,60000,60000,0' >part.csv
"$cs" -q city.json --batch -e 'init-ci part --path part.csv' >said && grep -q '^step 121$' part/cellscope.cmd
ok $? 'as many frames as `diff run` simulates: the last one is after the last key'
printf '%s\n' 'time,x,y,z' '0,0,0,0' '100000,60000,60000,0' >endless.csv
"$cs" -q city.json --batch -e 'init-ci endless --path endless.csv' >said 2>&1
[ $? -eq 3 ] && grep -q 'E_LIMIT' said
ok $? 'a path with more frames than a run may have is refused'
finish
