# SPDX-License-Identifier: Apache-2.0
# A world and a mesh in one timeline: actors show the mesh, its pages are asked for while their cells
# are visible, and a page leads to the actor that shows it and to the cell of that actor.
gen mesh sphere --triangles 60000 --seed 3 -o @OUT@/stone.ply
|...
nanite build @OUT@/stone.ply -o @OUT@/stone.cnanite
|...
open @FIXTURES@/valley.json
|...
open @OUT@/stone.cnanite
|...
place stone -w "label = 'SM_Post' AND cell IS NOT NULL" -s name -n 1
| placed at 1 actor
camera add Near 33280,15360,180
pool latency 0
step
|...
# nobody stands anywhere: no cell is visible, so nothing shows the mesh
assert (SELECT max(requests) FROM page_frames) = 0
source add Player0 33280,15360,180
pool threshold 0.001
step 60
|...
assert (SELECT requests FROM page_frames ORDER BY frame DESC LIMIT 1) > 0
assert (SELECT count(*) FROM pages WHERE state = 'resident') > 0
why page 1
|~ ^page stone:1: resident since frame [0-9]+, and wanted now$
|...
|~ ^  shown by actor SM_Post$
|~ ^  in cell Valley_MainGrid[-_0-9a-z]*, which is activated: a source reaches it \(rule 2\.2\.4\): Player0 is 0 m away, it reaches 384 m$
|...
assert (SELECT count(*) FROM events WHERE event = 'cell.show') > 0
assert (SELECT count(*) FROM events WHERE event = 'page.install') > 0
set $there = state_hash()
goto 20
|...
goto 61
|...
assert state_hash() = $there
expect error E_MISSING: place rock
