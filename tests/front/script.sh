#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Command files: what a block may say of the output above it, golden files and transcripts, what
# --bless rewrites and when it refuses to, test points in TAP.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
sample=$CELLSCOPE_OUT/sample.cworld
work=$CELLSCOPE_OUT/script
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99
unset CI

# answer STATUS NAME SCRIPT OPTION...: what a script comes to; it is a format of printf.
answer() {
	wanted=$1 name=$2
	printf "$3" >case.cmd
	shift 3
	"$cs" "$sample" "$@" -x case.cmd >out 2>err </dev/null
	got=$?
	[ $got -eq "$wanted" ]
	ok $? "$name"
	[ $got -eq "$wanted" ] || { echo "# status $got"; sed 's/^/# /' out err; }
}

holds() {
	answer 0 "$@"
}

differs() {
	answer 1 "$@"
}

# same NAME FILE: the file is what standard input holds.
same() {
	cat >expected
	difference=$(diff -u expected "$2")
	empty "$difference" "$1"
}

# ---- blocks ----

holds 'a byte order mark before the first command' '\357\273\277echo a\n| a\n'

holds 'a line' 'echo a\n| a\n'
differs 'another line' 'echo a\n| b\n'
differs 'in capitals' 'echo a\n| A\n'
holds 'the blank behind | is not part of it' 'echo a\n|a\n'
holds 'those behind are' 'echo "  a"\n|   a\n'
differs 'a line less than foretold' 'echo a\n| a\n| b\n'
differs 'a line more' 'cells -n 1 -c name,level\n|~ level$\n'
holds 'an empty line' 'echo\n|\n'
holds 'a block that is indented' 'echo a  \n  | a\n'
holds 'a comment between' 'echo a\n\n# why\n| a\n'
holds 'an expression' 'echo ab12\n|~ ^[a-z]+[0-9]+$\n'
differs 'one that does not match' 'echo ab12\n|~ ^[0-9]+$\n'
holds 'it need not match all of the line' 'echo ab12\n|~ b1\n'
answer 2 'one that is none' 'echo a\n|~ (\n'
grep -q '^case.cmd:1: error: the regular expression' err
ok $? 'is told by its line'
holds 'a pattern' 'echo L0_X5_Y1 x\n|* L0_X?_Y1 *\n'
differs 'matches all of the line or nothing' 'echo L0_X5_Y1 x\n|* L0_X?_Y1\n'
holds 'dots: any lines' 'echo a\n|...\n'
differs 'the last line counts behind dots' 'show -n 3 -c name\n|...\n| color\n'
holds 'dots that take more when asked' 'show -n 3 -c name\n|...\n|~ o\n|~ o\n|...\n| utf8\n'
holds 'dots that take nothing' 'show -n 3 -c name\n| name\n| output\n| color\n| utf8\n|...\n'
printf 'echo a\n| a\n' >one.cmd
printf 'echo a\n| b\n' >two.cmd
differs 'blocks of a script that another sources' 'source one.cmd\nsource two.cmd\n'
grep -q '^two.cmd:1: block failed: echo a$' err
ok $? 'are told by its own lines'
differs 'the checks behind one that failed' 'echo a\n| b\necho c\n| c\nassert 1 = 2\n'
grep -q '^1 passed, 2 failed, 0 skipped$' out
ok $? 'are made too'
same 'a difference is told as diff -u does' err <<'EOF'
case.cmd:1: block failed: echo a
--- block
+++ output
@@ -1,1 +1,1 @@
-| b
+| a
case.cmd:5: assert failed: 1 = 2  (left side is 1)
EOF
differs 'comparisons below other operators' 'assert NOT 3 = 3\nassert 1 << 2 = 5\n'
same 'what is told of them' err <<'EOF'
case.cmd:1: assert failed: NOT 3 = 3
case.cmd:2: assert failed: 1 << 2 = 5  (left side is 4)
EOF
differs 'a block of patterns' 'show -n 3 -c name\n|~ ^na\n|* outp?t\n| colour\n|...\n'
same 'patterns stand as patterns, and what they match does not differ' err <<'EOF'
case.cmd:1: block failed: show -n 3 -c name
--- block
+++ output
@@ -1,4 +1,4 @@
 |~ ^na
 |* outp?t
-| colour
+| color
 |...
EOF

# ---- @NAME@, golden files, transcripts ----

answer 0 'a name of -D' 'echo @WHAT@\n| a\n' -D WHAT=a
answer 2 'a name that nobody gave' 'echo @WHAT@\n'
printf 'open @D@/none.cworld\n' >case.cmd
printf '(cellscope) open @D@/none.cworld\nerror: @D@/none.cworld: cannot open: No such file or directory [E_NOFILE]\n' >case.out
"$cs" -D D="$work" -x case.cmd >out 2>err
grep -q '^1 passed, 0 failed' out
ok $? 'paths of -D are put back in a transcript, errors stand in it'
rm case.out
printf 'some\nlines\n' >lines.txt
differs 'output that is not the golden file' 'golden lines.txt: echo some\n'
printf 'some\n' >lines.txt
holds 'output that is' 'golden lines.txt: echo some\n'
mkdir -p inner && mv lines.txt inner/lines.txt
printf 'golden lines.txt: echo some\n' >inner/case.cmd
holds 'it lies beside its script' 'source inner/case.cmd\n'
printf '(cellscope) echo a\na\n(cellscope) # no\n' >given.out
answer 1 '--golden names the transcript' 'echo a\n' --golden given.out
printf '(cellscope) echo a\na\n' >given.out
answer 0 'which holds echoes and output' 'echo a\n' --golden given.out
answer 2 'one that is not there' 'echo a\n' --golden none.out
printf '(cellscope) echo a\na\n' >case.out
holds 'CASE.out is one without being named' 'echo a\n'
differs 'and is compared' 'echo b\n'
rm case.out

# ---- --bless ----

cat >blessed.cmd <<'EOF'
# a heading
echo a
| b
| c

# kept: it matches
echo ab12
|~ ^[a-z]+[0-9]+$
show -n 3 -c name
| wrong
|...
| wrong
echo d
assert 1 = 1
golden new.txt: echo new
echo
| not empty
EOF
cp blessed.cmd before.cmd
printf 'assert 1 = 2\n' >>blessed.cmd
"$cs" --bless -x blessed.cmd >out 2>err
[ $? -eq 1 ] && [ ! -e new.txt ] && cmp -s - blessed.cmd <<EOF
$(cat before.cmd)
assert 1 = 2
EOF
ok $? '--bless writes nothing when a check fails, before or behind'
cp before.cmd blessed.cmd
CI=true "$cs" --bless -x blessed.cmd >out 2>err
[ $? -eq 2 ] && cmp -s before.cmd blessed.cmd
ok $? 'nor where CI=true'
"$cs" --bless --safe -x blessed.cmd >out 2>err
[ $? -eq 2 ] && cmp -s before.cmd blessed.cmd
ok $? 'nor with --safe'
"$cs" --bless -e 'echo a' >out 2>err <blessed.cmd
[ $? -eq 0 ] && "$cs" --bless -x - >out 2>err <blessed.cmd
[ $? -eq 1 ]
ok $? 'nor what is no file'
"$cs" --bless -x blessed.cmd >out 2>err
[ $? -eq 0 ]
ok $? 'else it does'
same 'blocks are what was printed, patterns and dots stay' blessed.cmd <<'EOF'
# a heading
echo a
| a

# kept: it matches
echo ab12
|~ ^[a-z]+[0-9]+$
show -n 3 -c name
| name
|...
| utf8
echo d
assert 1 = 1
golden new.txt: echo new
echo
|
EOF
echo new >expected.txt
same 'and so is the golden file' new.txt <expected.txt
"$cs" -x blessed.cmd >out 2>err
ok $? 'what is blessed holds'
cp blessed.cmd again.cmd && "$cs" --bless -x again.cmd >out 2>err && cmp -s again.cmd blessed.cmd
ok $? 'and blessing it again changes nothing'
cat >middle.cmd <<'EOF'
help exit
|...
|~ ^ *0  all
|...
| no such line
|...
|~ ^ *2  the
|...
|~ ^ 77  skip
|...
EOF
"$cs" --bless -x middle.cmd >out 2>err
holds=$?
"$cs" -e 'help exit' >out
[ $holds -eq 0 ] && {
	printf 'help exit\n|...\n|~ ^ *0  all\n'
	sed -n '/^ *0 /,/^ *2 /p' out | sed '1d;$d;s/^/| /'
	printf '|~ ^ *2  the\n|...\n|~ ^ 77  skip\n|...\n'
} | cmp -s - middle.cmd
ok $? 'between dots what still matches stays, and in place of what does not stands all that is there'
: >blessed.out
"$cs" --bless -x blessed.cmd >out 2>err && grep -qx '(cellscope) golden new.txt: echo new' blessed.out
ok $? 'an empty CASE.out becomes the transcript'

# ---- test points ----

cat >points.cmd <<'EOF'
echo a
| a
assert 1 = 1 : "one # one"
assert 1 = 2
expect error E_NOFILE: open none.cworld
expect error E_NOFILE: echo a
xfail "issue 12": assert 1 = 2
xfail "issue 13": assert 1 = 1
EOF
"$cs" --tap -x points.cmd >out 2>err
[ $? -eq 1 ]
ok $? '--tap gives the same status'
same 'a point for each check, what was foretold as such' out <<'EOF'
ok 1 - points.cmd:1: block echo a
ok 2 - points.cmd:3: assert 1 = 1 : "one . one"
not ok 3 - points.cmd:4: assert 1 = 2
# left side is 1
ok 4 - points.cmd:5: expect error E_NOFILE: open none.cworld
not ok 5 - points.cmd:6: expect error E_NOFILE: echo a
# it did not fail
not ok 6 - points.cmd:7: xfail assert 1 = 2 # TODO issue 12
# left side is 1
not ok 7 - points.cmd:8: xfail assert 1 = 1
# it passes; remove the xfail
1..7
EOF
answer 77 'a script that is skipped' 'require feature nonsense\nassert 1 = 2\n' --tap
[ "$(cat out)" = '1..0 # SKIP nonsense' ]
ok $? 'says so'
answer 2 'one that is not parsed' 'nonsense\n' --tap
grep -q '^not ok 1 - ' out && grep -q '^1\.\.1$' out
ok $? 'is a point that failed'
answer 3 'a command that fails' 'open none.cworld\n' --tap
grep -q '^not ok 1 - case.cmd:1: command open none.cworld$' out
ok $? 'is one too'
# ---- what the shell has made ----

printf 'echo a\n' >made.cmd
"$cs" "$sample" -x made.cmd >made.out 2>err && [ "$(cat made.out)" = a ] && [ ! -s err ]
ok $? 'a golden file that is the standard output is none'

# ---- lines of -e ----

"$cs" -e 'if 1' -e 'echo one' -e end -e 'echo two' >out 2>err && [ "$(tr '\n' ' ' <out)" = 'one two ' ]
ok $? 'a block begins in one -e and ends in a later one'
for block in 'if 1' 'define x' 'foreach n in SELECT 1'; do
	"$cs" -e "$block" -e 'echo hi' >out 2>err
	[ $? -eq 2 ] && [ ! -s out ] && grep -qF -- '-e:1: error: a block (if, foreach, define, commands) has no `end`: write `end` below its last line [E_USAGE]' err
	ok $? "-e '$block' without its end does not run"
done
for extra in 'else\nelse\n' 'end\n' 'foreach n in SELECT 1\nelse\nend\n'; do
	printf "echo hi\nif 0\n${extra}end\n" >extra.cmd
	"$cs" -x extra.cmd >out 2>err
	[ $? -eq 2 ] && [ ! -s out ] && grep -q '`e[nl][ds]e*` .* \[E_USAGE\]$' err
	ok $? "an else or end too many does not run: $extra"
done
"$cs" -e 'echo a' -e 'nope' >out 2>err
[ $? -eq 2 ] && grep -q '^-e:2: error' err
ok $? 'the second -e is line 2'

# ---- what refusals say ----

# says NAME FIRST ADVICE ARGUMENTS...: the first line and the advice of an error; no advice: one line.
says() {
	name=$1 first=$2 advice=$3
	shift 3
	"$cs" -q "$@" >out 2>err </dev/null
	[ $? -ne 0 ] && [ "$(sed -n 1p err)" = "$first" ] &&
		{ [ -n "$advice" ] || [ "$(wc -l <err)" -eq 1 ]; } &&
		{ [ -z "$advice" ] || grep -qxF "  $advice" err; }
	ok $? "$name"
	[ "$(sed -n 1p err)" = "$first" ] || sed 's/^/# /' err
}

printf 'define a\ncall b\nend\ndefine b\na\nend\na\n' >deep.cmd
says 'commands that run each other: the last line is told once' \
	'deep.cmd:7: error: blocks of `define`, `if` and `foreach` are nested more than 32 deep (in the line: a) [E_DEPTH]' \
	'nest less deep, or remove the line that runs its own file or command' -x deep.cmd
# errors and checks in a block are at their own lines, also behind comments, `else` and inner heads
cat >lines.cmd <<'EOF'
if 1
  # one
  if 2

    assert 1 = 2
  end
end
foreach c in SELECT 1 UNION SELECT 2
  if $c = 1
    # two
  else

    cell $c
  end
end
if nosuch

end
define p

  cell 1
end
if 1
  p
end
EOF
"$cs" -q -k -x lines.cmd >out 2>err
[ "$(sed -n 's/^\(lines.cmd:[0-9]*\): .*/\1/p' err | tr '\n' ' ')" = 'lines.cmd:5 lines.cmd:13 lines.cmd:16 lines.cmd:24 ' ]
ok $? 'errors in blocks name their own lines'
# a failure inside of a sourced file ends all that run it, and is told once
printf 'echo in\nset width nonsense\necho behind\n' >inner.cmd
printf 'if 1\nsource inner.cmd\necho more\nend\necho after\n' >outer.cmd
"$cs" -q -x outer.cmd >out 2>err
[ $? -eq 3 ] && [ "$(cat out)" = in ] && [ "$(grep -c 'error:' err)" = 1 ] && grep -q '^inner.cmd:2: error: width' err
ok $? 'a script ends when one that it sources fails'
"$cs" -q -k -x outer.cmd >out 2>err
[ "$(tr '\n' ' ' <out)" = 'in behind more after ' ]
ok $? '--keep-going goes on in both'
printf 'expect error E_SETTING: source inner.cmd\n' >outer.cmd
"$cs" -q -x outer.cmd >out 2>err
! grep -q 'did not fail' err
ok $? 'the error of the line is that of `source`'
# a byte order mark, as editors of Windows write, in a script, a world and a path
{ printf '\357\273\277' && cat "$CELLSCOPE_SOURCE/fixtures/valley.json"; } >marked.json
printf '\357\273\277time,x,y,z\n0,0,0,0\n1,5,5,5\n' >marked.csv
printf '\357\273\277open marked.json\n| Valley: 44 cells, 60 actors, profile 5.4\npath load marked.csv\n| path marked: 2 keys, 1.000 s\n' >marked.cmd
"$cs" -q -x marked.cmd >out 2>err
ok $? 'a byte order mark is skipped'
# what failed in the middle is recorded as far as it went: blocks, procedures, commands of a stop
cat >failing.cmd <<'EOF'
open marked.json
if 1
source add Eve 33280,15360
cell L99:9,9
end
step 3
define move
source move Eve $1
cell L99:9,9
end
move 20000,20000
foreach i in SELECT 1 UNION SELECT 2
step 2
layer set DL_Night $i
end
break frame if frame = 9
commands 1
source move Eve 0,0
cell L99:9,9
end
step 20
wp.Runtime.SetDataLayerRuntimeState Activated nothing DL_Quest
step 20
EOF
"$cs" -q -k -x failing.cmd -e 'hash' -e 'record kept.cmd' 2>err | tail -n 1 >hash
"$cs" -q -x kept.cmd -e 'hash' 2>err | tail -n 1 >again
[ -s hash ] && cmp -s hash again && ! [ -s err ] && [ "$(grep -c '^expect error' kept.cmd)" = 5 ]
ok $? 'a session of lines that failed in the middle is recorded'
printf 'source add Eve 0,0\nstep 9\npath report --by cell --reset\nstep 4\npath report\npath report --reset -c nope\n' >sums.cmd
"$cs" -q -k "$sample" -x sums.cmd -e 'path report' -e 'record sums.record' 2>err | tail -n 19 >sums
"$cs" -q -x sums.record -e 'path report' 2>err | tail -n 19 >again
grep -q '^frames *4$' sums && cmp -s sums again && [ "$(grep -c 'path report' sums.record)" = 1 ]
ok $? 'and path report --reset, if it was done, with --by too'
says '--bless without commands' 'error: --bless needs commands: give -x FILE or -e CMD [E_USAGE]' \
	'try: cellscope --help' --bless
says 'a point that is none' \
	"-e:1: error: POINT must be a point X,Y or X,Y,Z in cm, \`.\` for the current one, or \"actor NAME\", not 'here' [E_USAGE]" \
	'try: help source add' "$sample" -e 'source add Eve here'
says 'a choice whose name lists its values' \
	"-e:1: error: the argument must be one of change, event, not 'now' [E_USAGE]" 'try: help next' -e 'next now'
says 'the value of an option that is no place' \
	"-e:1: error: --velocity must be two or three numbers with commas between them, not 'fast' [E_USAGE]" \
	'try: help source add' "$sample" -e 'source add Eve 0,0 --velocity fast'
says 'a line within a line' '-e:1: error: a colon with a command after it is missing: write golden FILE: COMMAND [E_USAGE]' \
	'try: help golden' -e 'golden x'
says 'the value of an option' \
	"-e:1: error: --priority must be 0 to 255, or highest, high, normal, low, lowest, not '999' [E_USAGE]" \
	'try: help source add' "$sample" -e 'source add Eve 0,0 --priority 999'
says 'a zoom beyond the last one' '-e:3: error: the map is already zoomed as far in as possible [E_USAGE]' 'try: help view zoom' \
	"$sample" -e 'view map' -e 'view zoom 1/16' -e 'view zoom in'
says 'a column that is like none of the table' '-e:1: error: no such column to sort by: nope (option -c ? lists the columns) [E_SQL]' \
	"correct the expression; 'info tables' lists the columns" "$sample" -e 'cells -s nope'
printf '{"schema":"cellscope.path/1","keys":[]}' >empty.json
# an option or a command in the message is the advice: that for the code would say something else
"$cs" -q spot.x --foo 2>err >out </dev/null
[ "$(sed -n 2p err)" = '  try: cellscope --help' ] && [ "$(wc -l <err)" -eq 2 ]
ok $? 'an unknown option of the program has one advice'
says 'an expected output that was never written' \
	'-e:1: error: ./none.txt: the golden file does not exist: --bless writes it [E_NOFILE]' '' \
	-e 'golden none.txt: help'
says 'an option of the command open' \
	"error: --map is an option of the command \`open\`, not of the program: write -e 'open FILE --map ...' [E_USAGE]" '' \
	marked.json --map=Town
says 'an option of the program that a command does not have' \
	"-e:1: error: info has no option --force [E_USAGE]" \
	'--force is an option of the program: start it with cellscope --force' marked.json -e 'info --force'
says 'an option of the program with a value' "error: unknown option --json=3; did you mean '--json'? [E_USAGE]" \
	'try: --json' marked.json --json=3
head -c 2000000 /dev/zero >big.ply
"$cs" -q --max-mem 1 -e 'nanite build big.ply -o big.cnanite' 2>err >out </dev/null
cat >expected <<'EOF'
-e:1: error: big.ply: the file has 2000000 bytes, more than the limit of 1048576 (raise it with --max-mem) [E_LIMIT]
EOF
cmp -s expected err
ok $? 'a limit of memory names its option alone'
says 'a path without points' \
	'-e:1: error: empty.json: the file has no row or key with a time and a position, so it is no path [E_MISSING]' \
	'name another object, or a file that contains what is missing' "$sample" -e 'path load empty.json'
mkdir empty
says 'a folder without content of a cooker' \
	'-e:1: error: empty: the folder has no cooked package and no container: name a folder that has .uasset, .umap, .pak or .utoc files [E_MISSING]' \
	'name another object, or a file that contains what is missing' -e 'paks empty'
{ printf '\341\022\157\132\002\000\000\000' && head -c 36 /dev/zero; } >old.pak
says 'a container of a version that is not read' \
	'-e:1: error: old.pak:44: footer: the .pak file has version 1 or 2, but only versions from 3 on can be read [E_FEATURE]' \
	'this cellscope cannot do or read that: use another option, format or build' -e 'files old.pak'
mkdir 'a folder'
"$cs" -e 'view pick files:.csv open {}' -e 'press Down' -e 'view show' -e 'press Enter' \
	-e 'view show' 2>err | grep -e Choose -e 'Enter view' >out
same 'a folder with a blank in its name is entered' out <<'EOF'
 Choose files:.csv open {}    map >
 Enter view pick "files:.csv:a folder" open {}
 Choose "files:.csv:a folder" open {}    map > pick >
 Enter view pick "files:.csv:a folder/.." open {}
EOF
printf 'echo a b | wc -w\n|~ ^ *2$\n' >words.cmd
"$cs" --allow-shell -e 'transcript pipe.out' -e 'echo a b | tr a-z A-Z' >out 2>err && grep -qx 'A B' pipe.out
ok $? 'a transcript has what the command after | prints'
"$cs" --tap --allow-shell -x words.cmd >out 2>err
ok $? 'a block compares what the command after | prints'
printf '{"schema":"cellscope.run/1"}\n7\n' >odd.jsonl
says 'a line that is no object' '-e:1: error: odd.jsonl: line 2 is not a JSON object [E_JSON]' \
	'correct the JSON at the place named' -e 'run open odd.jsonl'
finish
