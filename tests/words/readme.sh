#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command line of README.md works as it is printed there, and what it shows below one is what
# the program says. Lines of a shell run in order; those of a session make one script.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
# In the cage of a step LeakSanitizer cannot read its list of what is no leak.
unset LSAN_OPTIONS
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
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

# Its pictures are drawn the same by every browser: each letter has its place, and no blank matters.
if command -v python3 >/dev/null; then
	cat >picture.cmd <<'END'
open @FIXTURES@/valley.json
view size 100x30
view glyphs utf8
view save picture.svg
view save picture.txt
END
	"$cs" -q -D FIXTURES="$CELLSCOPE_SOURCE/fixtures" -x picture.cmd >out 2>err
	python3 "$CELLSCOPE_SOURCE/tests/front/svg_grid.py" picture.svg >drawn
	sed 's/ *$//' picture.txt | cmp -s - drawn && [ "$(grep -c '[a-z]' drawn)" -ge 10 ]
	ok $? 'a picture of the screen is the screen, letter by letter'
	for picture in "$CELLSCOPE_SOURCE"/fixtures/screens/*.svg; do
		empty "$(python3 "$CELLSCOPE_SOURCE/tests/front/svg_grid.py" "$picture" 2>&1 >drawn)" \
			"$(basename "$picture"): its letters have places of their own"
	done
	chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
	if [ -n "$chromium" ]; then
		said=$(python3 "$CELLSCOPE_SOURCE/tests/front/svg_drawn.py" . "$chromium" "$CELLSCOPE_SOURCE"/fixtures/screens/*.svg 2>&1)
		empty "$said" 'and Chromium draws each letter there'
	else
		skip 'Chromium draws each letter there: it is not installed'
	fi
else
	skip 'the pictures: no python3 here'
fi

# The files and folders that it names.
missing=$(sed -nE 's/.*\]\(([^):#]+)\).*/\1/p; s/^\| `([^|]*)` \|.*/\1/p' "$CELLSCOPE_SOURCE/README.md" |
	tr -d '`' | tr ' ' '\n' | while IFS= read -r path; do
	[ -e "$CELLSCOPE_SOURCE/$path" ] || echo "$path"
done)
empty "$missing" 'the files and folders that it names are there'
finish
