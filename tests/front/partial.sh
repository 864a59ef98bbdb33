#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Folders of which a part is missing, or is a pointer of a store of large files: verify names the file
# and says how much it checked; containers that Oodle packed.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/partial
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99

pointer() {
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n' >"$1"
}
fresh() {
	rm -rf Cooked && cp -r "$CELLSCOPE_OUT/Cooked" . && chmod -R u+w Cooked
	cell=$(find Cooked -path '*_Generated_*' -name '*.uexp' | sort | head -1)
	map=$(find Cooked -name Town.uexp)
}
# named NAME TEXT: verify says no, names it, and goes on.
named() {
	"$cs" verify Cooked >out 2>err </dev/null
	[ $? -eq 1 ] && grep -q -- "$2" out && grep -q '^checked: ' out
	found=$?
	ok $found "$1"
	[ $found -eq 0 ] || sed 's/^/# /' out err
}
fresh
"$cs" verify Cooked >out 2>&1 </dev/null
ok $? 'the whole folder is sound'
head -c 500 "$map" >cut && mv cut "$map"
named 'a .uexp of a map that is cut is found in its package' '^Cooked:[0-9]*: Town/.*/Town.umap: export .* \[E_TRUNCATED\]'
fresh
mv "$map" "${map%Town.uexp}City.uexp" && mv "${map%.uexp}.umap" "${map%Town.uexp}City.umap"
"$cs" verify Cooked >out 2>err </dev/null
[ $? -eq 0 ] && grep -q '^Cooked: sound' out && grep -q ' 10 packages, ' out
ok $? 'the packages of a map that was renamed are found by their names'
rm "$cell" "${cell%.uexp}.umap"
named 'and missed' 'the generated package of the cell does not exist'
fresh
rm "$cell"
named 'a .uexp that is missing is named' "${cell##*/} does not exist: copy it beside the other file \[E_MISSING\]"
grep -q 'checked: 11 cells, 10 packages, 9 actors' out
ok $? 'and the rest is checked'
fresh
pointer "$cell"
named 'one that is a pointer is named' "${cell##*/} is only a pointer of Git LFS.*\[E_LFS\]"
fresh
pointer "${cell%.uexp}.umap"
named 'the header of a cell, too' "$(basename "$cell" .uexp).umap is only a pointer.*\[E_LFS\]"
fresh
pointer "$map"
named 'and that of the map' 'Town.uexp is only a pointer.*\[E_LFS\]'
fresh
: >"$cell"
named 'an empty .uexp, too' 'the package of the cell: the .uexp is empty \[E_TRUNCATED\]'
"$cs" "$cell" -e info >out 2>&1 </dev/null
[ $? -gt 1 ] && grep -q 'neither a container .* nor a cooked package .*E_MAGIC' out
ok $? 'a .uexp alone is named as what it is'
fresh
: >"$map"
"$cs" Cooked -e info >out 2>&1 </dev/null
[ $? -gt 1 ] && grep -q 'Town.uexp:0: the .uexp is empty .*E_TRUNCATED' out
ok $? 'an empty .uexp of the map is no map without properties'
fresh
mv "${cell%/*}" "${map%.uexp}/_generated_"
for place in Cooked "${map%.uexp}.umap"; do
	"$cs" verify "$place" 2>&1 </dev/null | grep -q '^checked: 11 cells, 10 packages, 10 actors'
	ok $? "folders have their meaning in any case: $place"
done
cp "$CELLSCOPE_OUT"/Ribbon/SM_Ribbon.u* . && chmod u+w SM_*
fresh
cp SM_Ribbon.u* Cooked && printf '\377\377' | dd of=Cooked/SM_Ribbon.uexp bs=1 seek=679 conv=notrunc 2>err
named 'a mesh with damaged pages, too' 'page 0: the tables .* extend past the end of the page \[E_NANITE\]'
: >SM_Ribbon.ubulk
"$cs" nanite verify SM_Ribbon.uasset >out 2>&1 </dev/null
[ $? -eq 1 ] && grep -q 'the .ubulk ends before byte' out
ok $? 'a .ubulk that is cut is not the .uasset'
fresh
for how in "cat SM_Ribbon.uexp" "head -c 300 SM_Ribbon.uasset"; do
	$how >Cooked/SM_Other.uasset
	named "a package that cannot be opened: $how" '^Cooked: SM_Other.uasset: .*\[E_'
done
for part in utoc ucas; do
	rm -rf Packed && cp -r "$CELLSCOPE_OUT/Packed" . && chmod -R u+w Packed
	pointer "Packed/Town.$part"
	"$cs" verify Packed >out 2>&1 </dev/null
	[ $? -ne 0 ] && grep -q "Packed.*Town.$part is only a pointer of Git LFS.* \[E_LFS\]" out
	ok $? "a .$part that is only a pointer of Git LFS"
	[ "$(grep -c 'only a pointer.*\[E_LFS\]' out)" -eq 1 ]
	ok $? 'is told once, and not for each file in it'
done
rm -rf Packed && cp -r "$CELLSCOPE_OUT/Packed" . && chmod -R u+w Packed
printf x | dd of=Packed/Town.utoc bs=1 seek=$(($(wc -c <Packed/Town.utoc) - 10)) conv=notrunc 2>err
"$cs" verify Packed >out 2>&1 </dev/null
[ $? -eq 1 ] && grep -q '^Packed: Packed/Town.utoc: .* do not match the hash .*\[E_CHECKSUM\]' out
ok $? 'a chunk with another hash is a finding that names the container'
rm -rf Packed && mkdir Packed && pointer Packed/Town.pak
"$cs" Packed/Town.pak -e info >out 2>&1 </dev/null
[ $? -eq 3 ] && grep -q 'Town.pak is only a pointer of Git LFS.* \[E_LFS\]' out
ok $? 'a .pak that is only a pointer of Git LFS'
cp -r "$CELLSCOPE_OUT/project" Project && chmod -R u+w Project
mv Project/Content/__ExternalObjects__ Objects
"$cs" verify Project >out 2>err </dev/null &&
	[ "$(grep -c '^Project: data layer DL_.* assumed to be unloaded .*__ExternalObjects__)' out)" -eq 3 ]
ok $? 'data layers whose instances were not fetched are assumed to be unloaded, which is told'
grep -q ': no package has its instance [^ ]* (look below __ExternalObjects__) \[E_WORLD\]$' out
ok $? 'without a word cut off'
mv Objects Project/Content/__ExternalObjects__
actor=$(find Project/Content/__ExternalActors__ -name '*.uasset' | sort | head -1)
copy=Project/Plugins/Expansion/Content/__ExternalActors__/ExternalDataLayers/Winter/Maps/Valley/twin.uasset
original=$(find Project/Content/__ExternalActors__/Maps/Valley -name '*.uasset' | sort | head -1)
cp "$original" "$copy"
"$cs" verify Project >out 2>err </dev/null
grep -q "twin: left out: $(basename "$original" .uasset) has the same actor (GUID [0-9A-F-]*); delete the copy \[E_WORLD\]" out
ok $? 'a copy of an actor in an external layer is left out, which is told whole'
rm "$copy"
mv "$actor" sound && head -c 300 sound >"$actor"
"$cs" verify Project >out 2>err </dev/null
[ $? -eq 1 ] && grep -q "^Project: $actor at byte [0-9]*: E_TRUNCATED" out &&
	grep -q '^Project: 1 package cannot be read: a warning names each and says why \[E_PACKAGE\]' out
ok $? 'an actor of a project that is cut is more than a warning'
deep=$(printf 'a-folder-of-a-build-machine/%.0s' 1 2 3 4 5 6)
mkdir -p "$deep" && cp -r Project "$deep"
for what in "$deep"Project "$deep"Project/Fixture.uproject "$PWD/$deep"Project; do
	"$cs" verify "$what" 2>err </dev/null | grep -q ": Content/${actor#*/Content/} at byte [0-9]*: E_TRUNCATED: package summary"
	ok $? "a finding has room for file and reason however deep the project is"
done
head -c $(($(wc -c <sound) - 6)) sound >"$actor"
"$cs" verify Project >out 2>err </dev/null
[ $? -eq 1 ] && grep -q "^Project: $actor at byte [0-9]*: E_TRUNCATED" out &&
	"$cs" package "$actor" 2>err | grep -q 'actor label' && grep -q 'outside of the file' err &&
	"$cs" Project -e 'sql SELECT count(*) FROM actors' >whole 2>err && grep -q 'E_TRUNCATED' err &&
	mv sound "$actor" && "$cs" Project -e 'sql SELECT count(*) FROM actors' 2>err </dev/null | cmp -s - whole
ok $? 'one that is cut behind its descriptor too, and the actor is still there'
"$cs" verify Project/Content/Maps/Valley.umap >out 2>&1 </dev/null
[ $? -eq 1 ] && grep -q '^Project/Content/Maps/Valley.umap:0: the package is not cooked' out
ok $? 'a finding about a single file names it once'
cp Project/Content/Maps/Valley.umap Project/Content/Maps/Dale.umap
"$cs" verify Project --map Valley >out 2>err </dev/null && ! grep -q 'several maps' out &&
	"$cs" verify Project --map Dale 2>err </dev/null | grep -q '__ExternalActors__/Maps/Dale, does not exist'
ok $? 'of several maps of a project, --map names the one to verify'
"$cs" verify Project >out 2>err </dev/null && grep -q '^Project: Dale: .*Maps/Dale, does not exist' out &&
	! grep -q '^Project: Valley' out
ok $? 'without --map all maps are verified, and findings begin with the name of theirs'
head -c 300 Project/Content/Maps/Valley.umap >Project/Content/Maps/Dale.umap
"$cs" verify Project >out 2>err </dev/null
[ $? -eq 1 ] && grep -q '^Project: Dale: .*Content/Maps/Dale.umap:[0-9]*) \[E_TRUNCATED\]' out
ok $? 'a map that cannot be read is an error, though another can be opened'
rm Project/Content/Maps/Dale.umap
for what in "Project --map Nope" "Cooked --map Nope" nope.uproject nope.json; do
	"$cs" verify $what >out 2>err </dev/null
	[ $? -eq 3 ] && [ ! -s out ] && grep -q "^error: .*[Nn]ope.* \[E_NO" err
	ok $? "what does not exist is not called invalid: verify $what"
done
pointer Project/Content/Maps/Valley.umap
"$cs" verify Project >out 2>err </dev/null
[ $? -eq 1 ] && grep -q '^Project: .*Valley cannot be read (Project/Fixture.uproject) \[E_NOMAP\]' out
ok $? 'the file of a project in which something is wrong is named'
printf '{}' >Game.uproject
pointer Game.uproject
"$cs" Game.uproject -e info >out 2>&1 </dev/null
[ $? -gt 1 ] && grep -q 'Game.uproject is only a pointer of Git LFS.*E_LFS' out
ok $? 'a .uproject, too'

# A section that is damaged and read after the file was opened: no format has a row that was not read.
"$cs" -q gen city --actors 3000 -o city.json >/dev/null && "$cs" -q cook city.json -o city.cworld >/dev/null
size=$(wc -c <city.cworld) step=0
while step=$((step + 1)) && [ $step -lt 16 ]; do
	cp city.cworld bad.cworld
	printf '\377\0\377\0\377\0' | dd of=bad.cworld bs=1 seek=$((size * step / 16)) conv=notrunc 2>err
	"$cs" verify bad.cworld 2>err | grep -q '(actors, part 0): the checksum' && break
done
for format in '' --csv --json; do
	"$cs" bad.cworld -e "actors -n 2 -c label,cell $format" >out 2>err
	[ $? -eq 3 ] && grep -q E_CHECKSUM err && [ "$(grep -vc '^label,cell$\|"rows":\[\]}$' out)" -eq 0 ]
	ok $? "a damaged section of actors gives no row of a list $format"
done
label=$("$cs" city.cworld -e 'actors -n 1 -c label --csv' | tail -n 1)
"$cs" bad.cworld -e "explain $label" >out 2>err
[ $? -eq 3 ] && grep -q E_CHECKSUM err && ! grep -q E_NOCELL err
ok $? 'nor is an actor of it said not to exist'

# A .pak of version 11 whose index of 64 bytes is encrypted: no name of a file is known.
{
	head -c 80 /dev/zero
	printf '\1\341\022\157\132\013\0\0\0'
	head -c 8 /dev/zero
	printf '\100\0\0\0\0\0\0\0'
	head -c 180 /dev/zero
} >locked.pak
"$cs" -e 'open locked.pak' >out 2>err </dev/null
[ $? -eq 1 ] && grep -q 'locked.pak: the index is encrypted: give the AES key' out
ok $? 'an index that is encrypted asks for its key'
"$cs" verify locked.pak >out 2>&1 </dev/null
[ $? -gt 1 ] && grep -q 'no file of the content can be read: --key KEY' out
ok $? 'and verify does'

ue=$CELLSCOPE_DATA/ue
if [ -d "$ue/cooked" ]; then
	mkdir Mesh && cp "$ue/cooked/UE5_8-Tagged-SM_Nanite.uasset" Mesh/SM_Nanite.uasset
	"$cs" verify Mesh >out 2>&1 </dev/null
	[ $? -eq 1 ] && grep -q 'SM_Nanite.uasset: the streaming pages of the mesh are in a .ubulk file that does not exist' out
	ok $? 'a .ubulk that is missing'
	pointer Mesh/SM_Nanite.ubulk
	"$cs" verify Mesh >out 2>&1 </dev/null
	[ $? -eq 1 ] && grep -q 'SM_Nanite.ubulk is only a pointer.*E_LFS' out
	ok $? 'a .ubulk that is a pointer'
	"$cs" -e "open $ue/containers/UE6_0/OodleEncrypted" >out 2>err </dev/null
	[ $? -eq 1 ] && grep -q 'the index is encrypted: give the AES key of the game with --key' out
	ok $? 'what no key opens has a verdict, and not status 0'
	"$cs" verify "$ue/containers/UE6_0/OodleEncrypted" >out 2>&1 </dev/null
	[ $? -gt 1 ] && grep -q 'no file of the content can be read: --key KEY' out
	ok $? 'verify says so'
else
	skip 'no cooked meshes here'
fi
finish
