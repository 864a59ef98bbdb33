# SPDX-License-Identifier: GPL-3.0-or-later
# What remains of marks and of the current place when a resource or the world is closed.
gen mesh terrain --triangles 300 --seed 3 -o @OUT@/closed.ply
|...
nanite build @OUT@/closed.ply -o @OUT@/first.cnanite
|...
nanite build @OUT@/closed.ply -o @OUT@/second.cnanite
|...
nanite build @OUT@/closed.ply -o @OUT@/third.cnanite
|...
open @FIXTURES@/valley.json
open @OUT@/first.cnanite @OUT@/second.cnanite @OUT@/third.cnanite
|...
mark a page first:0
mark b page second:0
mark c page third:0
mark cluster cluster third:0:1
mark group group second:0
mark node node third:0:1
mark cell L0:5,1
# Places in the closed resource are forgotten; rows of the later one are still its own.
cd page third:0
close second
mark
| mark     place
| a        page first:0
| c        page third:0
| cluster  cluster third:0:1
| node     node third:0:1
| cell     Valley_MainGrid_5_1_0_0
pwd
| page third:0
jump cluster
| cluster third:0:1
jump cell
| Valley_MainGrid_5_1_0_0
jump node
| node third:0:1
expect error E_MISSING: jump b
cd page first:0
| page first:0
close first
pwd
| no place is current; cd WHERE sets one
mark
| mark     place
| c        page third:0
| cluster  cluster third:0:1
| node     node third:0:1
| cell     Valley_MainGrid_5_1_0_0
close third
mark
| mark  place
| cell  Valley_MainGrid_5_1_0_0
# The screen begins again with what is still open: the pages, then nothing, then pages again.
open @OUT@/first.cnanite
|...
view show
|~ ^ Valley
|...
close
view show
|~ ^ first
|~ ^ first  [0-9]+ page
|...
close first
view show
|~ no world is open
|...
open @OUT@/second.cnanite
|...
view show
|...
|~ ^ second  [0-9]+ page
|...
close second
# A current place in a resource is no point of a world, nor of anything without a world.
open @OUT@/first.cnanite
|...
cd cluster first:0:1
mark piece
cd page first:0
| page first:0
jump piece
| cluster first:0:1
expect error E_USAGE: camera add Main .
open @FIXTURES@/valley.json
|...
cd cluster first:0:1
expect error E_USAGE: source add Eve .
# A view runs its line whenever it is drawn, so the line may change neither session nor screen.
view rows group label
view show
|...
|~ cannot show
|...
view rows close
view show
|...
|~ cannot show
|...
view close
view close
cells -n 1 -c name
| name
| Valley_MainGrid_-1_-1_0_0
# A map that was never drawn, because the screen has no room for it, knows that no world is open.
view size 1x1
close
close first
expect error E_NOTOPEN: view level 1
expect error E_NOTOPEN: view zoom in
expect error E_NOTOPEN: view search Rock
# Marked rows stay marked; groups are no rows, and rows behind a removed one have other numbers.
view size 80x24
open @FIXTURES@/valley.json
|...
view actors
view tick
view group class
view show
|...
|~ ^ Actors  1 of 4, grouped by class
|...
expect error E_MISSING: view tick
view group off
view show
|...
|~ ^ Actors  1 of 60, 1 marked
|...
source add North 0,0
source add South 100,0
view sources
view tick
view tick
source rm North
view show
|...
|~ ^ Sources  1 of 1  map
|...
