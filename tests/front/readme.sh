#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command line of README.md works as it is printed there, and what it shows below one is what
# the program says. Lines of a shell run in order; those of a session make one script.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
work=$CELLSCOPE_OUT/readme
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99
cs=$CELLSCOPE_BUILD/cellscope
ln -s "$cs" cellscope

# A project and a log for the lines that open the reader's own.
"$CELLSCOPE_BUILD/tests/gen" ue project --actors 60 --seed 1 &&
	cp -r project/. . && mv Fixture.uproject MyGame.uproject &&
	"$cs" MyGame.uproject --batch -e 'cook log StreamingGeneration.log' >logged 2>err
ok $? 'a project and a log for the tour'

# Text in code, four columns in: "$ COMMAND", "(cellscope) COMMAND", or what the one above says.
awk '
	!/^    / { into = ""; next }
	{ line = substr($0, 5) }
	line ~ /^\$ cat / { into = substr(line, 7); next }
	line ~ /^\$ / { into = ""; print substr(line, 3) >"commands"; next }
	line ~ /^\(cellscope\) / { into = "session.cmd"; print substr(line, 13) >into; next }
	into == "session.cmd" { print "| " line >into; next }
	into { print line >into }
' "$CELLSCOPE_SOURCE/README.md"

while IFS= read -r line; do
	case $line in
	*MyGame/Content/Paks* | *MyGame/Saved/Cooked*) # what only the engine makes; see tests/cmd/cooked.cmd
		skip "$line: no cooked game here"
		continue
		;;
	'./cellscope '*' '* | './cellscope city.cworld') ;;
	*) line="$line -e info" ;; # a session on it
	esac
	[ "$line" = './cellscope city.cworld' ] && line="$line -x session.cmd"
	sh -c "$line" >out 2>err </dev/null
	status=$?
	ok $status "$line"
	[ $status -eq 0 ] || sed 's/^/# /' out err
done <commands

[ "$(grep -c '' commands)" -ge 10 ] && [ "$(grep -vc '^|' session.cmd)" -ge 10 ] &&
	[ "$(grep -c '^|' session.cmd)" -ge 10 ] && [ -s budget.cmd ]
ok $? 'there were commands, sessions, output and a script'

# The files and folders that it names.
missing=$(sed -nE 's/.*\]\(([^):]+)\).*/\1/p; s/^\| `([^|]*)` \|.*/\1/p' "$CELLSCOPE_SOURCE/README.md" |
	tr -d '`' | tr ' ' '\n' | while IFS= read -r path; do
	[ -e "$CELLSCOPE_SOURCE/$path" ] || echo "$path"
done)
empty "$missing" 'the files and folders that it names are there'
finish
