#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every code of error_codes.def is told by the program: one line each, of the code and what raises it.
# A code without a line fails.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/codes
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99

{
	"$cs" -q gen city --actors 60 --seed 1 -o world.json &&
		"$cs" -q cook world.json -o w.cworld &&
		"$cs" -q gen mesh cube --triangles 300 --seed 5 -o mesh.ply &&
		"$cs" -q nanite build mesh.ply -o m.cnanite &&
		"$CELLSCOPE_BUILD/tests/gen" ue project --actors 40 --seed 1 &&
		"$CELLSCOPE_BUILD/tests/samples/make_samples" .
} >made 2>&1 </dev/null
ok $? 'files are made'
project=$(find project -name '*.uproject' | head -n 1)
map=$(find project -name '*.umap' | head -n 1)
actor=$(find project -path '*__ExternalActors__*' -name '*.uasset' | sort | head -n 1)
mkdir locked empty && mkfifo pipe && printf 'x' >file
# damaged NAME FROM OFFSET BYTES: a copy with other bytes there
damaged() {
	cp "$2" "$1" && printf "$4" | dd of="$1" bs=1 seek="$3" conv=notrunc 2>/dev/null
}
damaged magic.cworld w.cworld 0 'XXXX'
damaged sum.cworld w.cworld 600 '\001\002\003'
head -c 3000 w.cworld >cut.cworld
cat w.cworld file >long.cworld
spoil() { # NAME FIELD CODE [FROM]: the first copy whose field has this name
	"$CELLSCOPE_BUILD/tests/samples/spoil_fields" "${4:-w.cworld}" locked 1000000 "$2" | while read -r copy _; do
		"$cs" verify "$copy" 2>&1 </dev/null | grep -q "$3" && cp "$copy" "$1" && break
	done
	rm -f locked/*
}
spoil version.cworld header.major E_VERSION
spoil layout.cworld header.header_size E_LAYOUT
spoil feature.cworld header.required E_FEATURE
spoil packed.cworld 'entry[0].flags' E_COMPRESSION
spoil field.cworld 'actors[0].flags' E_FIELD
spoil reference.cworld 'actors[0].name' E_REFERENCE
spoil broken.cnanite 'hierarchy_roots[0].value[0]' E_NANITE m.cnanite
printf '{"name": "A", "guid": "G"}\n' >noguid.json
printf '{"a": 1' >broken.json
printf '[]' >noworld.json
sed 's/Night_0/Base_0/g' world.json >twice.json
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n' >lfs.uproject
printf 'ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n3 0 1 2\n' >bad.ply
printf 'source loop.cmd\n' >loop.cmd
printf 'echo a\n| b\nassert 0\n' >unblessed.cmd
printf 'steps of nothing\n' >plan.jsonl
cp -r project other
printf '%s' "$actor" | sed 's/^project/other/' >name
cp "$map" "$(cat name)"

rm "$(find Cooked -path '*_Generated_*' -name '*.uexp' | sort | head -n 1)"
cp Packed/Town.* locked
damaged locked/Town.utoc Packed/Town.utoc 80 '\013' # indexed, encrypted
chunk=$("$cs" -q -e 'open locked/Town.utoc' -e 'files --tsv' 2>err | sed -n 's/^\(chunk:[^\t]*\).*/\1/p' | head -n 1)

# What a size is told of that is not there: a file of the kernel.
kernel=/sys/devices/system/cpu/online
cat >table <<END
NOMEM env FAIL_AT=300 FAIL_ON=1 LD_PRELOAD=$CELLSCOPE_BUILD/tests/faults/failing.so CS help
IO CS -e 'help > /dev/full'
NOFILE CS -e 'open nothing.cworld'
NOTFILE CS -e 'open pipe'
EXISTS CS -e 'farm cache stat --cache file'
CHANGED CS -e 'open $kernel'
LIMIT CS -e "sql SELECT length(zeroblob(900000000))"
INTERRUPTED timeout -s INT .5 CS -e "sql WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c"
MAGIC CS verify magic.cworld
VERSION CS verify version.cworld
TRUNCATED CS verify cut.cworld
TRAILING CS verify long.cworld
CHECKSUM CS verify sum.cworld
LAYOUT CS verify layout.cworld
COMPRESSION CS verify packed.cworld
MISSING CS verify Cooked
FIELD CS verify field.cworld
REFERENCE CS verify reference.cworld
FEATURE CS verify feature.cworld
JSON CS -e 'open broken.json'
WORLD CS -e 'open noworld.json'
GUID CS -e 'open noguid.json'
DUPLICATE CS -e 'open twice.json'
PROJECT CS -e 'open empty'
NOMAP CS -e 'open $project --map Nowhere'
PACKAGE CS -e 'package w.cworld'
LFS CS -e 'open lfs.uproject'
COOKED CS -e 'cook Packed/Town.utoc -o x.cworld'
DESCRIPTOR CS verify other
LOG CS w.cworld -e 'diff log world.json'
KEY CS -e 'open locked/Town.utoc' -e 'package $chunk'
PROFILE CS -e 'cook world.json -o x.cworld --profile 9.9'
SETTING CS w.cworld -e 'set budget -7'
NOCELL CS w.cworld -e 'cell Nowhere'
NOACTOR CS w.cworld -e 'actor Nobody'
NOLAYER CS w.cworld -e 'layer set Nothing activated'
NOGRID CS world.json -e 'sweep Nowhere.cell_size=1..5'
NOSOURCE CS w.cworld -e 'source move Nobody 0,0,0'
NOFRAME CS w.cworld -e 'step 3' -e 'hitches 9999'
MESH CS nanite build bad.ply -o x.cnanite
NANITE CS verify broken.cnanite
FARM CS farm run plan.jsonl --cache cache
SQL CS w.cworld -e 'cells -w "level >"'
USAGE CS w.cworld -e 'cells --nonsense'
UNKNOWN CS -e nonsense
AMBIGUOUS CS -e 'ce'
NOTOPEN CS -e 'cells'
UNSAFE CS --safe -e 'record file'
CHECK CS --bless -x unblessed.cmd
DEPTH CS -e 'source loop.cmd'
TIMEOUT CS --timeout .2 -e "sql WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c"
PROCESS CS --allow-shell -e 'help | exit 7'
INTERNAL grep -h "fails(.*CS_E_INTERNAL" "$CELLSCOPE_SOURCE"/tests/unit/*/*.c
END

while read -r code line; do
	if [ "$code" = NOMEM ] && grep -q '^CS_CFLAGS = .*-fsanitize' "$CELLSCOPE_BUILD/Makefile"; then
		skip 'sanitizers come before what is preloaded'
		continue
	fi
	line=$(printf '%s' "$line" | sed "s|CS |$cs |")
	eval "$line" >out 2>&1 </dev/null
	grep -q "E_$code\b" out
	told=$?
	ok $told "E_$code"
	[ $told -eq 0 ] || { echo "# $line"; head -n 4 out | sed 's/^/# /'; }
done <table
sed -n 's/^CS_CODE([0-9]*, \([A-Z]*\),.*/\1/p' "$CELLSCOPE_SOURCE/lib/core/error_codes.def" | sort >codes
empty "$(cut -d' ' -f1 table | sort | comm -3 codes -)" 'each code has a line, and each line a code'
finish
