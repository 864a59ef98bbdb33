#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Exit status, TAP, JUnit and annotations never disagree: each kind of outcome, in each way to give
# commands. A run is good for all of them or for none, and JUnit and annotations fail as many points.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
sample=$CELLSCOPE_OUT/sample.cworld
work=$CELLSCOPE_OUT/agree
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99
unset CI GITHUB_ACTIONS TF_BUILD TEAMCITY_VERSION
head -c 5000 "$sample" >cut.cworld
cp "$sample" whole.cworld
printf 'assert 1 = 2\n' >inner.cmd
printf 'nonsense\n' >unparsed.cmd
printf 'other\n' >other.txt
echo a >a.txt

# What a reader of TAP makes of it: a plan that fits, and no point that failed but as foretold.
cat >tap.awk <<'END'
/^ok / || /^not ok / { points++ }
/^not ok / && !/# TOD[O]/ { failed++ }
/^1\.\.[0-9]+/ { split($1, plan, /\.\./); planned = plan[2]; plans++ }
/^Bail out!/ { failed++ }
!/^(ok|not ok) [0-9]+ - / && !/^#/ && !/^1\.\.[0-9]+/ && !/^Bail out!/ { print "no TAP: " $0 }
END { if (plans != 1 || planned != points + 0) print "plan " planned ", points " points
	print failed ? "bad" : "good" }
END

wrong=''
runs=0
# agree NAME ARGUMENTS...: standard input is `input`.
agree() {
	name=$1
	shift
	rm -f points.xml
	"$cs" --tap --annotate --junit points.xml "$@" >tap 2>err <input
	status=$?
	runs=$((runs + 1))
	"$cs" "$@" >/dev/null 2>&1 <input
	text=$?
	by_status=bad
	case $status in 0 | 77) by_status=good ;; esac
	by_tap=$(awk -f tap.awk tap)
	failed=$(grep -c '<failure' points.xml)
	by_junit=good
	[ "$failed" = 0 ] || by_junit=bad
	grep -q "failures=\"$failed\"" points.xml || by_junit=miscounted
	annotated=$(grep -c '^::error ' err)
	if [ "$by_status $by_tap $by_junit" != "$by_status $by_status $by_status" ] ||
		[ "$annotated" != "$failed" ] || { [ $status != $text ] && [ "$name" != none ]; }; then
		wrong="$wrong$name: status $status ($text without TAP), TAP $by_tap, JUnit $by_junit, $annotated of $failed annotated
"
	fi
}

# One case a line: name, a tab, the lines with \n between. `one` is good for a command of the shell.
while IFS='	' read -r case lines; do
	printf '%b\n' "$lines" >case.cmd
	: >input
	agree "$case, -x" -x case.cmd
	agree "$case, -x -k" -k -x case.cmd
	cp case.cmd input
	agree "$case, stdin" --batch
	: >input
	case $lines in
	*'\n'* | '') ;;
	*) agree "$case, -e" -e "$lines"
		agree "$case, after another" -x inner.cmd -e "$lines" ;;
	esac
done <<'END'
an assert that holds	assert 1 = 1
an assert that fails	assert 1 = 2
two, one of which fails	assert 1 = 2\nassert 1 = 1
verify, sound	verify whole.cworld
verify, damaged	verify cut.cworld
verify, damaged, as its block says	verify cut.cworld\n|...
verify, damaged, foretold	xfail "known": verify cut.cworld
verify, sound, foretold as damaged	xfail "known": verify whole.cworld
diff of the same	diff world whole.cworld whole.cworld
diff of others	gen city --actors 20 --seed 1 -o one.json\ngen city --actors 20 --seed 2 -o two.json\ncook one.json -o one.cworld\ncook two.json -o two.cworld\ndiff world one.cworld two.cworld
check	open whole.cworld\ncheck
a block that fits	echo a\n| a
a block that does not	echo a\n| b
a golden file that fits	golden a.txt: echo a
a golden file that does not	golden other.txt: echo a
a golden file that is not there	golden nowhere.txt: echo a
a command that fails	open nowhere.cworld
a command that fails, then a check	open nowhere.cworld\nassert 1 = 1
an expected error	expect error E_NOFILE: open nowhere.cworld
an expected error that does not come	expect error E_NOFILE: echo a
a line that is no command	assert 1 = 1\nnonsense
a block without end	foreach a in 1 2\nassert 1 = 1
a failure foretold	xfail "x": assert 1 = 2
a success not foretold	xfail "x": assert 1 = 1
skipped	require feature nonsense\nassert 1 = 2
quit 0	assert 1 = 1\nquit 0
quit 7	assert 1 = 1\nquit 7
quit 0 after a failure	assert 1 = 2\nquit 0
a sourced check that fails	source inner.cmd
a sourced script that does not parse	source unparsed.cmd
no such script	source nowhere.cmd
END
: >input
agree 'no such file' -x nowhere.cmd
agree 'one of two not there' -x inner.cmd -x nowhere.cmd
agree 'empty' -x input
agree 'no such world' nowhere.cworld -e 'assert 1 = 1'
agree 'a damaged world' cut.cworld -e 'assert 1 = 1'
agree 'a time limit' --timeout 0.1 -e \
	'sql WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c'
agree 'skipped, and another' -e 'require feature nonsense' -e 'assert 1 = 1'
agree 'a golden transcript that differs' --golden other.txt -x inner.cmd
agree 'a golden transcript that is not there' --golden nowhere.txt -x inner.cmd
agree 'nothing to bless after a failure' --bless -x inner.cmd
agree 'verify, of the shell' verify whole.cworld
agree 'verify of a damaged file, of the shell' verify cut.cworld
agree 'no such command, of the shell' whole.cworld verfy
agree 'a wrong option, of the shell' whole.cworld cells --nonsense
agree 'no such cell, of the shell' whole.cworld cell L9:9,9
empty "$wrong" "status, TAP, JUnit and annotations agree, $runs times"
[ $runs -gt 100 ]
ok $? 'all cases were run'

# where a point says which line it is about
"$cs" --tap --junit points.xml --annotate -x unparsed.cmd >tap 2>err
grep -q '^not ok 1 - unparsed.cmd:1: script nonsense' tap &&
	grep -q 'classname="unparsed.cmd" name="script nonsense" line="1"' points.xml &&
	grep -q '^::error file=unparsed.cmd,line=1::' err
ok $? 'a script that does not parse is a failed point with file and line'

# an output file is never a world, whoever names it
cp "$sample" keep.cworld
cp "$CELLSCOPE_SOURCE/fixtures/valley.json" keep.json
destroyed=''
while IFS='	' read -r file way; do
	cp "$file" before
	eval "$cs -q $way" >/dev/null 2>err </dev/null
	status=$?
	[ $status -ge 2 ] && cmp -s before "$file" && grep -q 'E_EXISTS\|E_USAGE' err ||
		destroyed="$destroyed$way ($status)
"
	cp before "$file"
done <<'END'
keep.cworld	--junit keep.cworld -e 'assert 1 = 1'
keep.json	--junit keep.json -e 'assert 1 = 1'
a.txt	--junit a.txt -e 'assert 1 = 1'
keep.cworld	--golden keep.cworld --bless -x inner.cmd
keep.cworld	whole.cworld -e 'report keep.cworld'
keep.cworld	whole.cworld -e 'export keep.cworld'
keep.cworld	whole.cworld -e 'map --svg keep.cworld'
keep.cworld	whole.cworld -e 'cells > keep.cworld'
keep.json	whole.cworld -e 'cells > keep.json'
keep.cworld	-e 'transcript keep.cworld'
keep.cworld	-e 'record keep.cworld'
keep.cworld	gen city -o keep.cworld
keep.json	cook fixture.json -o keep.json
keep.json	cook whole.cworld -o keep.json
a.txt	whole.cworld -e 'report a.txt'
END
empty "$destroyed" 'no option takes a world, or what is not its own, for its output file'
"$cs" -q --force whole.cworld -e 'cells > keep.json' && ! cmp -s before keep.json
ok $? '--force replaces it'
"$cs" -q whole.cworld -e 'report page.html' -e 'report page.html' -e 'cells > page.txt' -e 'cells > page.txt'
ok $? 'and a file of its own kind is replaced without it'

# names of files that --bless and golden files touch are printed
printf 'echo a\n| b\n' >bless.cmd
"$cs" --bless -x bless.cmd >out 2>err && grep -q '^blessed: wrote bless.cmd$' err
ok $? '--bless names what it wrote'
printf 'echo a\n' >pair.cmd
printf '(cellscope) echo a\na\n' >pair.out
"$cs" -x pair.cmd >out 2>err && grep -q 'compared with pair.out$' err
ok $? 'a golden file that was found beside a script is named'

# lines of a service: names that would be commands are broken up, ours are not
hostile='::error file=x::y'
CI=true "$cs" --annotate -e "echo $hostile" -e 'echo ##[error]z ##vso[task]' -e 'assert 1 = 2' 2>err | cat >out
[ "$(grep -c '^[ ]*::[a-z]' out)" = 0 ] && [ "$(grep -c '##\[\|##vso\[' out)" = 0 ] && grep -q '^::error file=-e' err
ok $? 'what a CI service would take for a command is broken up'
[ "$(CI=true "$cs" -e 'echo ::-:' | cat)" = ::-: ]
ok $? 'a picture that begins with colons is no command and stays as it is'
CI=true "$cs" -e "echo $hostile" >out && grep -q '^::error' out
ok $? 'but in a file it is as it was'
finish
