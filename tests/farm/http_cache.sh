#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A server beside the cache of a farm (cache_server.py, on this machine): what one host makes the
# next has from it, byte for byte; a server that is wrong, damaged or away costs work, never a result.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
# In the cage of a step LeakSanitizer cannot read its list of what is no leak.
unset LSAN_OPTIONS
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/http
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99
export NO_PROXY='*'
if ! command -v python3 >/dev/null; then
	skip 'no python3 to serve'
	finish
fi
if ! grep -q '^#define HAVE_CURL_CURL_H' "$CELLSCOPE_BUILD/config.h"; then
	skip 'built without libcurl'
	finish
fi
python3 "$CELLSCOPE_SOURCE/tests/farm/cache_server.py" "$work/server" 2>served &
server=$!
trap 'kill $server 2>/dev/null' EXIT
tries=0
until [ -f server/port ] || [ $tries -gt 100 ]; do
	tries=$((tries + 1))
	sleep .1
done
url=http://127.0.0.1:$(cat server/port)

mkdir game
for seed in 1 2 3; do
	"$cs" -q gen city --actors 60 --seed $seed -o game/w$seed.json >/dev/null
	"$cs" -q gen mesh sphere --triangles 300 --seed $seed -o game/m$seed.ply >/dev/null
done
"$cs" -q farm plan game -o plan.jsonl
run() { # CACHE ADDRESS: the last line says what was done
	"$cs" farm run plan.jsonl --cache "$1" --http "$2" >run.out 2>err
}
objects() {
	(cd "$1/objects" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
}

"$cs" -q farm run plan.jsonl --cache alone >/dev/null 2>&1
objects alone >sums
run c1 "$url"
grep -q '12 steps: 0 hits, 12 done' run.out && objects c1 | cmp -s - sums
ok $? 'a run with an empty server'
[ "$(ls server/ac | wc -l)" -eq 12 ] && [ ! -s err ]
ok $? 'which then has each result'
run c2 "$url"
grep -q '12 steps: 12 hits, 0 done' run.out && objects c2 | cmp -s - sums
ok $? 'another host has them all from there'
: >server/log
run c2 "$url"
grep -q '12 hits' run.out && [ ! -s server/log ]
ok $? 'and asks no more'
"$cs" -q farm step plan.jsonl 0 --cache c3 --http "$url" && [ "$(objects c3 | wc -l)" -eq 1 ] &&
	! grep -q PUT server/log
ok $? 'one step is not run either'

# what is not what its name says, and what is not there
blob=$(ls server/cas | head -n 1)
printf 'x' | dd of="server/cas/$blob" bs=1 seek=100 conv=notrunc 2>/dev/null
rm "server/cas/$(ls server/cas | tail -n 1)"
result=$(ls server/ac | head -n 1)
head -c 20 "server/ac/$result" >cut && mv cut "server/ac/$result"
run c4 "$url"
grep -q 'hits, [1-3] done' run.out && objects c4 | cmp -s - sums
ok $? 'what is damaged there is made again'
run c5 "$url"
grep -q '12 steps: 12 hits' run.out
ok $? 'and is whole there afterwards'
# an entry of another key: the hash of its bytes is right
one=$(ls server/ac | head -n 1)
other=$(ls server/ac | tail -n 1)
cp "server/ac/$one" "server/ac/$other"
run c6 "$url"
grep -q '11 hits, 1 done' run.out && objects c6 | cmp -s - sums && grep -q 'a damaged or different result' err
ok $? 'the result of another step is none'

mkdir c9 && : >c9/objects
"$cs" farm step plan.jsonl 0 --cache c9 --http "$url" >run.out 2>err && grep -q 'cannot be copied to the local cache' err
ok $? 'a result is used though the folder cannot be written'
: >server/broken && : >server/log
run c10 "$url"
grep -q '12 done' run.out && objects c10 | cmp -s - sums && [ "$(wc -l <server/log)" -eq 3 ]
ok $? 'a server that fails is asked three times and no more'
[ "$(grep -c "${url#http://}" err)" -eq 3 ] && grep -q 'not used from now on' err && grep -q 'status 500' err
ok $? 'which is told'

kill $server
wait $server 2>/dev/null
began=$(date +%s)
run c7 "http://user:secret@${url#http://}"
grep -q '12 done' run.out && objects c7 | cmp -s - sums && [ $(($(date +%s) - began)) -lt 20 ]
ok $? 'without the server all is made'
[ "$(grep -c "${url#http://}" err)" -eq 3 ] && grep -q 'not used from now on' err && ! grep -q secret err
ok $? 'which is told, three times and no more'
run c8 ftp://127.0.0.1/
[ $? -ne 0 ] && grep -q E_USAGE err
ok $? 'another kind of address is refused'
for nobody in http:// https:// http:/// http:////; do
	run c8 "$nobody"
	[ $? -eq 2 ] && grep -q E_USAGE err
	ok $? "an address without a server: $nobody"
done
finish
