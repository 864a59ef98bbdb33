# SPDX-License-Identifier: Apache-2.0
# What the program says, by the sum of each answer, for scripts that have sourced tap.sh: `summed
# NAME` begins in a folder of its own, `said` and `asked` keep answers in said/, `judge_sums` compares
# them with NAME.list, which CELLSCOPE_BLESS=1 writes anew. `packed`, before that, says that some
# answers are of what LZ4 made, which is promised for a release of it alone: elsewhere all are skipped.
cs=$CELLSCOPE_BUILD/cellscope

packed() {
	release=$(pkg-config --modversion liblz4 2>/dev/null)
}

summed() {
	export LC_ALL=C
	release=
	list=$CELLSCOPE_SOURCE/tests/front/$1.list
	work=$CELLSCOPE_OUT/$1-summed
	rm -rf "$work" && mkdir -p "$work/said" && cd "$work" || exit 99
}

# asked GROUP FILE: the command lines of standard input, each with an answer of its own
asked() {
	awk '{ print "echo == " NR; print }' >lines
	{
		[ -z "$2" ] || echo "open $2"
		cat lines
	} >script
	"$cs" --batch -k -q -x script 2>&1 </dev/null | awk -v group="$1" -v folder=said/ '
		function begin(line) { close(at); at = sprintf("%s%s-%03d", folder, group, line) }
		BEGIN { begin(0) }
		/^== [0-9]+$/ { begin($2); next }
		{ print > at }'
}

# said NAME WORDS...: one command
said() {
	name=$1
	shift
	"$cs" --batch -q "$@" >"said/$name" 2>&1 </dev/null
	echo "status $?" >>"said/$name"
}

# tables_of FILE: a line for each table of it
tables_of() {
	"$cs" --batch -q "$1" info tables --tsv </dev/null | sed 1d | cut -f1 | sort -u |
		sed 's/.*/sql SELECT * FROM "&"/'
}

# Without the sizes that LZ4 made.
uncompressed() {
	grep -vE '^(bytes|bytes_per_triangle|disk_bytes|compression) '
}

# built NAME MESH OPTION...
built() {
	name=$1
	mesh=$2
	shift 2
	"$cs" --batch -q nanite build "$mesh" -o "$name.cnanite" "$@" >told 2>&1 </dev/null
	uncompressed <told >"said/$name-build"
	"$cs" --batch -q nanite info "$name.cnanite" </dev/null 2>&1 | uncompressed >"said/$name-info"
	"$cs" --batch -q nanite export "$name.cnanite" --cdag "said/$name-dag" </dev/null >/dev/null 2>&1
	said "$name-verify" nanite verify "$name.cnanite" --deep
}

judge_sums() {
	(cd said && cksum ./*) | sed 's, \./, ,' >answers.list
	[ -z "$release" ] || sed -i "1i # LZ4 $release" answers.list
	if [ -n "${CELLSCOPE_BLESS:-}" ] && [ "${CI:-}" != true ]; then
		cp answers.list "$list"
	fi
	if [ "$(grep '^#' answers.list)" != "$(grep '^#' "$list")" ]; then
		skip "the list is $(sed -n 's/^# //p' "$list")'s, this is LZ4 $release"
		return
	fi
	for group in $(sed '/^#/d; s/.* //; s/[-.].*//' answers.list "$list" | sort -u); do
		grep -E " $group([-.]|\$)" "$list" >want
		grep -E " $group([-.]|\$)" answers.list >got
		empty "$(diff want got)" "$group: $(wc -l <want) answers"
	done
}
