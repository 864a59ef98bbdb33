#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The pages of the manual are good mdoc and plain text.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"

# mandoc looks for the pages referred to among those installed: ours are not.
lint() {
	mandoc -T lint "$1" | grep -v -e 'referenced manual not found' -e 'mandoc\.db'
}

for page in cellscope.1 libcellscope.3 cellscope-format.5 cellscope-commands.7 cellscope-options.7 \
	cellscope-rules.7; do
	path=$CELLSCOPE_BUILD/man/$page
	[ -r "$path" ] || path=$CELLSCOPE_SOURCE/man/$page
	if command -v mandoc >/dev/null; then
		empty "$(lint "$path")" "$page: nothing for mandoc to complain of"
	else
		skip "$page: mandoc is not installed"
	fi
	empty "$(LC_ALL=C grep -n '[^ -~]' "$path" | grep -v '	')" "$page: plain text"
	empty "$(grep -n '(none)' "$path")" "$page: nothing without a name"
done
# ---- what has to be there ----

for header in "$CELLSCOPE_SOURCE"/lib/cellscope/*.h; do
	name=cellscope/${header##*/}
	[ "$name" = cellscope/core.h ] || grep -qF ".It In $name" "$CELLSCOPE_SOURCE/man/libcellscope.3.in"
	ok $? "libcellscope.3 names $name"
done
missing=$(sed -nE 's/^[	]ROW\("([a-z_0-9]+)", [A-Z].*/\1/p' "$CELLSCOPE_SOURCE/lib/world/world_fields.c" |
	sort -u | while IFS= read -r key; do
	grep -q "^\.It $key Ta " "$CELLSCOPE_BUILD/man/cellscope-format.5" || echo "$key"
done)
empty "$missing" 'cellscope-format.5 names every key of a world in JSON'

missing=$(grep '^CS_PACKED(' "$CELLSCOPE_SOURCE/lib/nanite/format/packed_cluster.def" |
	sed 's/.*, "\(.*\)")$/\1/' | while IFS= read -r doc; do
	grep -q "^\.It .* Ta $doc$" "$CELLSCOPE_BUILD/man/cellscope-format.5" || echo "$doc"
done)
empty "$missing" 'cellscope-format.5 names every field of a packed cluster'
cs=$CELLSCOPE_BUILD/cellscope
missing=$("$cs" show --json | sed -nE 's/^\{"name":"([^"]*)".*/\1/p' | while IFS= read -r name; do
	sed 's/\\-/-/g' "$CELLSCOPE_BUILD/man/cellscope-options.7" | grep -qF "$name" || echo "$name"
done)
empty "$missing" 'cellscope-options.7 names every option of a session'
"$cs" show --json | grep -c '^{"name"' | grep -qx '[1-9][0-9]*'
ok $? 'and there are options'
# Help fits a terminal of 80 columns: that of the program, of each command, topic and group of commands.
{
	"$cs" help --tsv | sed 1d | cut -f1
	"$cs" help Topics | sed 's/ .*//'
	"$cs" help | sed -n 's/^\([A-Z][a-z]*\)  .*/\1/p'
} | sed 's/^/help /' >"$CELLSCOPE_OUT/each-help.cmd"
{
	"$cs" --help
	"$cs" --help exit
	"$cs" help
	"$cs" -q --batch -k -x "$CELLSCOPE_OUT/each-help.cmd" 2>&1
} >"$CELLSCOPE_OUT/each-help"
empty "$(awk 'length($0) > 80 { print length($0) ": " $0 }' "$CELLSCOPE_OUT/each-help")" 'no line of help has more than 80 columns'
[ "$(grep -c '^usage: ' "$CELLSCOPE_OUT/each-help")" -ge "$(($(grep -c . "$CELLSCOPE_OUT/each-help.cmd") - 60))" ] &&
	! grep -q 'no command or topic' "$CELLSCOPE_OUT/each-help"
ok $? 'and all of it was looked at'
finish
