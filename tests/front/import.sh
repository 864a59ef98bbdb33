#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Meshes that kill, hang or fill what reads them: foreign code runs in a process of its own, whose
# death is an error with a name, and which ends when the program does.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/import
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99

# refused FILE CODES NAME OPTIONS...: status 3 and one of the codes, told in a line
refused() {
	file=$1 codes=$2 name=$3
	shift 3
	timeout -k 1 60 "$cs" --timeout 20 "$@" nanite build "$file" -o out.cnanite >out 2>err </dev/null
	got=$?
	[ $got -eq 3 ] && grep -qE "\[($codes)\]" err && [ "$(grep -c '^error: ' err)" -eq 1 ]
	ok $? "$name: ${codes%%|*}"
	[ $got -eq 3 ] || { echo "# status $got"; sed 's/^/# /' err; }
}

head='ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n'
faces='property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n'
# shellcheck disable=SC2059 # the parts are formats
{
	printf "${head}element face 1\n${faces}4 0 1 2 99999999\n" >quad.ply
	printf "${head}element face 2\n${faces}0\n3 0 1 2\n" >zero.ply
	printf "${head}element face 4\n${faces}3 0 1 2\n" >short.ply
	printf "${head}element face 4000000000\n${faces}3 0 1 2\n" >billions.ply
	# one sum of bytes just fits 64 bits, and would not with the bytes of the header
	printf 'ply\nformat binary_little_endian 1.0\nelement vertex 18446744073709551615\nproperty uchar x\nend_header\n0' >most.ply
	printf 'ply\nformat binary_big_endian 1.0\nelement vertex 4e18\nelement face 4000000000000000000\nproperty double x\nend_header\n0' >beyond.ply
	printf 'glTF\002\000\000\000\377\377\377\377\360\377\377\377JSON{}' >trunc.glb
	{ head -c 80 /dev/zero; printf '\001\000\000\100'; head -c 50 /dev/zero; } >many.stl
}
refused quad.ply 'E_MESH|E_REFERENCE' 'a corner past the end'
timeout 60 "$cs" nanite build zero.ply -o zero.cnanite >out 2>err
[ $? -le 3 ]
ok $? 'a face of no corners: no signal'
refused short.ply 'E_TRUNCATED|E_MESH' 'a PLY of fewer faces than it says'
refused billions.ply 'E_TRUNCATED|E_MESH|E_LIMIT' 'a PLY of billions of faces'
for file in most beyond; do
	refused $file.ply 'E_TRUNCATED' "a PLY whose size is no number: $file"
	grep -q 'more elements than any file can have' err && ! grep -q 18446744073709551615 err
	ok $? "and says no number: $file"
done
refused trunc.glb 'E_TRUNCATED|E_MESH' 'a GLB longer than its file'
refused many.stl 'E_TRUNCATED|E_MESH' 'an STL of more facets than bytes'

# A glTF whose nodes are nested 100,000 deep.
awk 'BEGIN {
	n = 100000
	printf "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
	for (i = 1; i < n; i++) printf "{\"children\":[%d]},", i
	printf "{}]}"
}' >deep.gltf
refused deep.gltf 'E_MESH|E_LIMIT' 'nodes nested too deep'
# One whose brackets are.
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "[" }' >brackets.gltf
refused brackets.gltf 'E_MESH|E_LIMIT' 'brackets nested too deep'

# ---- limits ----

"$cs" gen mesh sphere --triangles 300000 --seed 1 -o big.ply >/dev/null
refused big.ply E_LIMIT 'more than the limit of memory' --max-mem 8
head -c 9000000 /dev/zero >big.stl
refused big.stl E_LIMIT 'more than the limit of memory, for the foreign reader' --max-mem 8
grep -q 'big.stl.*(raise it with --max-mem)' err && ! grep -q 'no option' err
ok $? 'and what raises the limit'

# Eight gigabytes in one piece, asked for by foreign code that says no more than that it failed.
printf 'ply\nformat ascii 1.0\nely\nformat ascii 1.0\nelement vertmat ascii 1.0\nely\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nproperty list uchar int vertex_indices\nend_header\n9223372036854775807 0 0\n1 0 0\n0 1 0\n1 1 0\n3 0 1 2\n3 2 1 3\n' >piece.ply
if grep -q '^CS_CFLAGS = .*-fsanitize' "$CELLSCOPE_BUILD/Makefile"; then
	skip 'the allocator is the one of the sanitizer'
else
	refused piece.ply E_LIMIT 'one piece beyond the limit of memory'
	grep -q 'piece.ply.*--max-mem' err
	ok $? 'and which limit it is, of which file'
fi

# ---- a process that fails, whatever the file ----

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >good.obj
printf 'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n' >good.stl
"$cs" nanite build good.stl -o out.cnanite >/dev/null 2>err
ok $? 'a sound file is read'
sed 's/^/# /' err

helper() {
	printf '#!/bin/sh\n%s\n' "$1" >helper
	chmod +x helper
	CELLSCOPE_IMPORT=$work/helper
	export CELLSCOPE_IMPORT
}
was=$CELLSCOPE_IMPORT
helper 'exit 0'
refused good.stl E_MESH 'a process that says nothing'
# shellcheck disable=SC2016 # for the helper
helper 'kill -SEGV $$'
refused good.stl E_MESH 'a process that crashes'
helper 'head -c 100000 /dev/zero'
refused good.stl E_MESH 'a process that answers with zeros'
helper 'printf "csmesh2\n\002"'
refused good.stl E_MESH 'a process that stops in its answer'
CELLSCOPE_IMPORT=$work/none
refused good.stl E_IO 'a program that is not there'

# shellcheck disable=SC2016 # for the helper
helper 'echo $$ >>pids; exec sleep 60'
before=$(date +%s)
"$cs" --timeout 0.5 nanite build good.stl -o out.cnanite >out 2>err </dev/null
[ $? -eq 3 ] && grep -q E_TIMEOUT err && [ $(($(date +%s) - before)) -lt 20 ]
ok $? 'a process that hangs: --timeout ends it'
sed 's/^/# /' err
for signal in 2 15; do
	# a job in the background of a shell ignores SIGINT; one that env starts does not
	env --default-signal=INT "$cs" nanite build good.stl -o out.cnanite >out 2>err </dev/null &
	pid=$!
	sleep 0.5
	kill -$signal $pid
	before=$(date +%s)
	wait $pid
	got=$?
	[ $got -eq $((128 + signal)) ] && [ $(($(date +%s) - before)) -lt 20 ]
	ok $? "a process that hangs: signal $signal ends it"
	echo "# status $got"
done
alive=''
while read -r pid; do
	kill -0 "$pid" 2>/dev/null && alive="$alive $pid"
done <pids
[ "$(grep -c . pids)" -eq 3 ]
ok $? 'it ran each time'
empty "$alive" 'and nothing of it stays'
CELLSCOPE_IMPORT=$was

# ---- what is shared, when it is there ----

if [ -r "$CELLSCOPE_DATA/hostile/hang.ply" ]; then
	for file in hang.ply min_quadidx.ply min_zero.ply trunc.glb; do
		timeout -k 1 30 "$cs" --timeout 10 nanite build "$CELLSCOPE_DATA/hostile/$file" \
			-o out.cnanite >out 2>err </dev/null
		[ $? -eq 3 ] && grep -qE '\[E_(MESH|TRUNCATED|REFERENCE|LIMIT|FIELD)\]' err
		ok $? "$file: an error with a name"
		sed 's/^/# /' err
	done
else
	skip 'no shared data'
fi
finish
