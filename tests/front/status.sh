#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The exit statuses that cellscope(1) documents, one by one, and their precedence.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
sample=$CELLSCOPE_OUT/sample.cworld
work=$CELLSCOPE_OUT/status
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99

# status WANTED NAME ARGUMENTS...; standard input is the file that $input names.
input=/dev/null
status() {
	wanted=$1 name=$2
	shift 2
	"$cs" "$@" >out 2>err <"$input"
	got=$?
	[ $got -eq "$wanted" ]
	ok $? "$wanted: $name"
	[ $got -eq "$wanted" ] || { echo "# got $got"; sed 's/^/# /' err; }
}

script() {
	printf '%s\n' "$@" >script.cmd
}

head -c 5000 "$sample" >cut.cworld
printf 'not a world\n' >text.cworld

status 0 'a command that works' "$sample" -e 'cells'
status 0 '--help' --help
[ "$(wc -l <out)" -le 24 ]
ok $? '--help fits on a screen of 24 lines'
status 0 '--version' -V
status 0 '--help TOPIC' --help exit
script 'if -h' 'else -h' 'foreach --help' 'define -h' 'commands -h' 'end -h'
status 0 'help of the commands of blocks, which begins none' -x script.cmd
status 0 'verify of a sound file' verify "$sample"
printf 'no table of contents' >no.utoc && printf 'no footer' >no.pak && : >no.umap
status 1 'verify of a damaged table of contents' verify no.utoc
status 1 'verify of a damaged .pak' verify no.pak
status 1 'verify of a damaged package' verify no.umap
status 2 'verify of a .utoc with a key that is none' verify no.utoc --key 12
status 0 'an expression with quotes' "$sample" -e "cells -w state='failed'"
status 0 'an alias of the -e before' "$sample" -e 'alias few = cells -n 2' -e few
status 0 'a check that holds' -e 'assert 1 = 1'
status 0 'a failure that was foretold' -e 'xfail "known": assert 1 = 2'
mkdir cooks && cp "$sample" cooks/a.cworld && cp "$sample" cooks/b.cworld
catalogue='assert (SELECT count(DISTINCT partition) FROM cells) = 2'
status 0 'two worlds are one catalogue' cooks/a.cworld cooks/b.cworld -e "$catalogue"
printf 'Mac OS X' >cooks/._a.cworld && printf 'Mac OS X' >cooks/._A.uproject
status 0 'and so is a folder of them' cooks -e "$catalogue"
status 0 'a command about both' cooks/a.cworld cooks/b.cworld cells
status 1 'one that is opened by itself' cooks -e "open $sample" -e "$catalogue"
status 2 'a run of several worlds' cooks -e step
status 2 'verify of one of several worlds' cooks -e verify
status 3 'a damaged world among them' "$sample" cut.cworld cells
estate=$CELLSCOPE_SOURCE/fixtures/streaming/estate.json
status 1 'a difference in a standalone level' "$estate" -e 'diff actor.Bed.spatially_loaded=off'
"$cs" -q "$estate" -e 'cook log open.log' >out 2>err </dev/null
status 2 'a file to write that is open beside' "$sample" -e 'open open.log --beside' -e 'cells >open.log'
cp "$estate" added.json
status 2 'a file to write that is in the run' --force "$sample" -e 'partition add added.json' -e 'cells >added.json'
"$cs" -q cook "$estate" -o other.cworld >out 2>err </dev/null
cp other.cworld kept.cworld
for line in "cook '$estate' -o other.cworld" "worse '$sample' '$sample' >other.cworld"; do
	for how in '' '--force'; do
		# shellcheck disable=SC2086
		status 2 "nor a command that reads other files: ${line%% *} $how" $how "$sample" \
			-e 'open other.cworld --beside' -e "$line"
	done
done
cp "$CELLSCOPE_SOURCE/fixtures/streaming/real.log" real.log
"$cs" -q gen mesh cube -o cube.ply && "$cs" -q nanite build cube.ply -o cube.cnanite >out
cp cube.cnanite kept.cnanite
for line in 'nanite build cube.ply -o cube.cnanite' 'pages >cube.cnanite'; do
	status 2 "a file of an open resource: ${line%% *}" --force cube.cnanite -e "$line"
done
status 2 'a file of a run that is open' -e 'run open real.log' -e 'version >real.log'
status 0 'a file of a run that is closed' -e 'run open real.log' -e 'run close' -e 'version >real.log'
cmp -s cube.cnanite kept.cnanite && cmp -s "$estate" added.json && cmp -s other.cworld kept.cworld
ok $? 'the files keep their content'
"$cs" "$sample" -e "open '$estate' --beside" -e 'report page.html -P Estate' >out 2>err </dev/null
grep -q 'Source: [^ ]*estate.json' page.html
ok $? 'a report names the file of its world'
lamp='{"guid": "00000000000000000000000000000012", "container": "/Game/Levels/House", "references": ["00000000000000000000000000000011"], "spatially_loaded": false}'
status 1 'an error of validation in a standalone level' "$estate" -e "edit '$lamp' -n 0" -e check
status 0 'but not in the main world' "$estate" -e "edit '$lamp' -n 0" -e 'check -P 0'
status 1 'frames of the run that differ' "$sample" -e 'source add P 0,0' -e 'step 9' -e 'diff 1 9'
status 0 'frames that do not' "$sample" -e 'source add P 0,0' -e 'step 9' -e 'diff 9 9'
# A file that is opened while a standard stream is closed does not become that stream.
"$cs" "$sample" >out 2>err <&-
[ $? -eq 2 ] && grep -q '^error: -: cannot read: Bad file descriptor' err
ok $? 'a world is not read as commands where standard input is closed'
"$cs" -e 'transcript told.txt' -e version >&- 2>err </dev/null
[ $? -eq 99 ] && [ "$(grep -c '^cellscope ' told.txt)" = 1 ]
ok $? 'nor does a transcript get what is printed where standard output is closed'
status 0 'quit 0' -e 'quit 0'
status 7 'quit 7' -e 'quit 7'

printf '{"a":' >half.json
status 3 'JSON that ends early' open half.json
grep -q '^error: half.json:5: ' err
ok $? 'names its offset, on the command line as in a script'

status 3 'a transcript that cannot be written' "$sample" -e 'transcript /dev/full' -e 'info tables'
# A report that cannot be written is a failure of its own, and hides none that weighs more.
status 3 'a report in no folder' --junit=none/x.xml -e 'assert 1 = 1'
status 3 'a report in no folder, and a check that does not hold' --junit=none/x.xml -e 'assert 1 = 2'
status 2 'a report in no folder, of no script' --junit=none/x.xml -x none.cmd
"$cs" --junit=none/x.xml -e 'assert 1 = 1' -e 'echo a' >/dev/full 2>err
[ $? -eq 99 ]
ok $? '99: a report in no folder, and output on a full disk'
# What is no script is a point with its name and its reason.
: >empty.cmd
status 2 'an empty script' --tap -x empty.cmd
[ "$(cat out)" = 'not ok 1 - script empty.cmd
# empty.cmd contains no commands
1..1' ]
ok $? 'whose point says so'

status 1 'a check that does not hold' -e 'assert 1 = 2'
status 1 'a success that was not foretold' -e 'xfail "gone": assert 1 = 1'
status 1 'verify of a damaged file' verify cut.cworld
mkdir junk && cp text.cworld junk/Rock.uasset
status 1 'a listing of meshes of which no package can be read' meshes junk
script 'echo a' '| b'
status 1 'a block that differs' -x script.cmd
input=script.cmd
status 1 'the same on standard input' --batch
status 1 'the same, named -' -x -
input=/dev/null
script 'echo a' 'quit 0'
printf 'something else\n' >script.out
status 1 'a golden file that differs' -x script.cmd
rm script.out
script 'verify cut.cworld'
status 1 'an answer "no" in a script' -x script.cmd
script 'verify cut.cworld' '|...'
status 0 'which its block foretold' -x script.cmd
script 'golden no.txt: verify cut.cworld'
"$cs" verify cut.cworld >no.txt 2>err
status 0 'or its golden file' -x script.cmd
script 'verify cut.cworld' '| sound'
status 1 'but not a block that differs' -x script.cmd
script 'assert 1 = 2' '|...'
status 1 'and a block forgives no check' -x script.cmd
script 'verify cut.cworld' 'verify cut.cworld' '|...'
status 1 'nor the "no" of another command' -x script.cmd
status 1 'quit 0 does not hide a failed check' -e 'assert 1 = 2' -e 'quit 0'

status 2 'an unknown option' --nonsense
status 2 'an option without its value' -x
status 2 'a wrong value' -j many
status 2 'a shell without completion' --dump-completion=csh
grep -q 'bash, zsh or fish' err
ok $? 'is told which have one'
status 2 'neither file nor command' nonsense
status 2 'an unknown command' "$sample" -e nonsense
status 2 'an ambiguous command' "$sample" -e ce
status 2 'a script that is not there' -x missing.cmd
status 0 'the short name of explain, with which other commands begin, too' "$sample" -e 'ex L0:0,0'
status 2 'a wrong word for a command' cells --nonsense
script 'cells' 'nonsense'
status 2 'an unknown command anywhere in a script' "$sample" -x script.cmd
[ ! -s out ]
ok $? 'nothing of it has run'
script '| text'
status 2 'output expected of no command' -x script.cmd
script '# nothing'
status 2 'an empty script' -x script.cmd
status 2 'empty input' "$sample"
script 'echo a'
status 2 '--tap without a check' --tap -x script.cmd
status 2 '--tap and a command that checks nothing' --tap "$sample" cells
status 0 'one that does' --tap verify "$sample"
status 2 '--golden and a command whose output nothing compares' --golden missing.out "$sample" cells
status 2 'a command behind --, where only files stand' -- "$sample" info
! grep -q 'did you mean' err
ok $? 'which is not told as a slip for itself'
script 'golden missing.txt: echo a'
status 2 'a golden file that is not there' -x script.cmd
script 'xfail "why": golden missing.txt: echo a'
status 2 'which xfail cannot foretell' -x script.cmd
grep -q 'missing.txt' err
ok $? 'and which its error names'
script 'golden script.cmd: open missing.cworld'
status 3 'a file that the command behind golden does not find' -x script.cmd

status 2 'help about nothing' -e 'help zzzzzz'
status 2 'a column that is not there' "$sample" -e 'cells -c nam'
status 2 'two formats' --json --csv "$sample" -e cells
status 2 'two formats of a command' "$sample" -e 'cells --json --csv'

status 3 'no such cell' "$sample" -e 'cell L0:99,99'
status 3 'no such file' "$work/none.cworld"
status 3 'a truncated file' cut.cworld -e cells
status 3 'not a world' text.cworld -e cells
status 3 'no world is open' -e cells
status 3 'a wrong expression' "$sample" -e "cells -w 'nonsense > 1'"
mkdir empty
status 3 'a folder' empty -e cells
status 3 'the time limit' --timeout 0.2 -e \
	'sql WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c'
status 3 'the limit of memory' --max-mem 0.001 "$sample" -e cells
status 3 '--safe refuses a shell' --safe "$sample" -e 'cells | cat'
status 3 '--safe refuses a file' --safe "$sample" -e 'cells > listing'
[ ! -e listing ]
ok $? 'the file is not there'
# all that writes, by hand: what the program believes of itself is not asked
"$cs" -q gen mesh sphere --triangles 300 -o ball.ply >/dev/null
"$cs" -q nanite build ball.ply -o ball.cnanite >/dev/null
written=''
while IFS= read -r line; do
	"$cs" --safe "$sample" ball.cnanite -e "$line" >out 2>err
	[ $? -eq 3 ] && grep -q E_UNSAFE err && [ ! -e made ] || written="$written [$line]"
	rm -rf made
done <<'END'
cook none.json -o made
cook log made
gen city -o made
gen mesh cube -o made
farm plan . -o made
farm plan . --ninja made
farm run none.jsonl --cache made
farm step none.jsonl 0 --cache made
farm cache trim --cache made
nanite build ball.ply -o made
nanite export ball.cnanite -o made
nanite export ball.cnanite --cdag made
path record off made
extract a made
report made
export made
init-ci made
view save made
transcript made
record made
wp.Editor.DumpStreamingGenerationLog made
map --svg made
plot cells --svg made
atlas -o made
cut --error 1 -o made
cut --error 1 --png made
cells > made
cells | tee made
END
empty "$written" '--safe refuses all that writes'
script 'cells | cat'
status 3 'a shell in a command file' "$sample" -x script.cmd
status 0 'unless it is permitted' --allow-shell "$sample" -x script.cmd
script 'source script.cmd'
status 3 'a script that sources itself without end' -x script.cmd

script 'require feature nonsense' 'assert 1 = 2'
status 77 'a requirement that is not met' -x script.cmd

"$cs" "$sample" -e cells >/dev/full 2>err </dev/null
[ $? -eq 99 ]
ok $? '99: no room for the output'
"$cs" "$sample" -e 'cells --json' >/dev/full 2>err </dev/null
[ $? -eq 99 ]
ok $? '99: no room for JSON'
{
	"$cs" "$sample" -e 'cells' -e 'cells' -e 'cells' 2>err </dev/null
	echo $? >piped
} | :
sleep 0.2
i=0
while [ $i -lt 3000 ]; do
	echo cells
	i=$((i + 1))
done >many.cmd
{
	"$cs" "$sample" -x many.cmd 2>err
	echo $? >piped
} | head -n 1 >/dev/null
[ "$(cat piped)" = 141 ] && [ ! -s err ]
ok $? '141, quietly: the reader went away'
# a short answer, to a pipe that was closed before; SIGPIPE ignored as nohup and services have it
if command -v python3 >/dev/null; then
	cat >closed.py <<'EOF'
import os, signal, subprocess, sys
def ignore(): signal.signal(signal.SIGPIPE, signal.SIG_IGN)
def default(): signal.signal(signal.SIGPIPE, signal.SIG_DFL)
for before in ignore, default:
    for args in ['-e', 'cells'], ['cells'], ['--tap', '-e', 'assert 1']:
        reader, writer = os.pipe()
        os.close(reader)
        run = subprocess.run([sys.argv[1], sys.argv[2]] + args, stdin=subprocess.DEVNULL,
            stdout=writer, stderr=subprocess.PIPE, preexec_fn=before)
        os.close(writer)
        if run.returncode != -signal.SIGPIPE or run.stderr:
            print(before.__name__, args, run.returncode, run.stderr)
EOF
	empty "$(python3 closed.py "$cs" "$sample" 2>&1)" '141 for a pipe closed before, SIGPIPE ignored or not'
else
	skip '141 for a pipe closed before, SIGPIPE ignored or not: there is no python3'
fi

# precedence, with --keep-going: 99 > 2 > 3 > 1 > 77 > 0
script 'assert 1 = 2' 'cell L0:99,99' 'assert 1 = 1'
status 3 'a failed command counts more than a failed check' -k "$sample" -x script.cmd
script 'cell L0:99,99' 'assert 1 = 2'
status 3 'in any order' -k "$sample" -x script.cmd
script 'assert 1 = 2' 'require feature nonsense'
status 1 'a failed check counts more than a skip' -x script.cmd
script 'golden missing.txt: echo a' 'cell L0:99,99'
status 2 'a wrong request counts more than a failed command' -k "$sample" -x script.cmd
script 'cell L0:99,99' 'echo behind'
"$cs" "$sample" -x script.cmd >out 2>err
[ ! -s out ]
ok $? 'without --keep-going nothing runs behind a failed command'
"$cs" -k "$sample" -x script.cmd >out 2>err
[ "$(cat out)" = behind ]
ok $? 'with it the rest does'
grep -q '^script.cmd:1: error: ' err
ok $? 'errors begin with FILE:LINE: error:'

script 'assert 1 = 1'
rm -f junit.xml
status 2 '--safe writes no report of checks' --safe --tap --junit=junit.xml -x script.cmd
[ ! -e junit.xml ]
ok $? 'and none is there'

# How threads wait is read before main, so it starts once more; what the user has said stays.
waits() {
	(
		unset OMP_WAIT_POLICY
		env "$@" "$cs" --batch --allow-shell -e 'echo a | env' | grep '^OMP_WAIT_POLICY='
	)
}
[ "$(waits X=1)" = OMP_WAIT_POLICY=passive ]
ok $? 'threads that wait sleep'
[ "$(waits OMP_WAIT_POLICY=active)" = OMP_WAIT_POLICY=active ]
ok $? 'unless the user has them spin'
[ -z "$(waits GOMP_SPINCOUNT=10)" ]
ok $? 'or says how long they spin'
[ "$(OMP_WAIT_POLICY='' "$cs" -V)" = "$(env -u OMP_WAIT_POLICY "$cs" -V)" ]
ok $? 'and its words are the same'

# A shell starts background jobs with SIGINT ignored; env takes that back. The first signals may
# come before it has.
env --default-signal=INT "$cs" --timeout 20 "$sample" -e \
	'sql WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c' \
	>out 2>err &
pid=$!
while sleep 0.2 && kill -INT $pid 2>kill.err; do :; done
wait $pid
[ $? -eq 130 ]
ok $? 'a signal ends it as that signal'
finish
