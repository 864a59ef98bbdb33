# SPDX-License-Identifier: Apache-2.0
# A walk through a world whose actors show meshes: cells and pages in one timeline, and the way from
# a page to the actor that shows it and to its cell.
gen open --actors 10 --meshes 4 --seed 7 -o @OUT@/walk.json
|...
cook @OUT@/walk.json -o @OUT@/walk.cworld --hlod --meshes @OUT@/walk.meshes --mesh-cache @OUT@/walk.cache
|...
|~ ^meshes +4$
|~ ^meshes_built +[04]$
|...
|~ ^meshes_missing +0$
|...
# the same again: nothing is built
cook @OUT@/walk.json -o @OUT@/walk.cworld --hlod --meshes @OUT@/walk.meshes --mesh-cache @OUT@/walk.cache
|...
|~ ^meshes_built +0$
|...
open @OUT@/walk.cworld
|...
expect error E_NOTOPEN: camera add Main 0,0,0
sql SELECT state, count(*) > 0 AS some FROM meshes GROUP BY state
| state  some
| built     1
assert (SELECT count(*) FROM meshes WHERE proxy_of IS NOT NULL) > 0
assert (SELECT count(*) FROM actors WHERE mesh IS NOT NULL) >= 8
# what a cell brings is that of its meshes, each once
assert NOT EXISTS (SELECT 1 FROM cells WHERE mesh_bytes IS NOT (SELECT coalesce(sum(resident_bytes), 0) FROM meshes WHERE path IN (SELECT mesh FROM actors WHERE actors.cell = cells.name)))
place -w "cell NOT LIKE '%Persistent%'"
|~ ^placed [0-9]+ meshes at [0-9]+ actors$
source add Player 0,0,200
camera follow Player Eye --offset -300,0,100
pool latency 0.05
pool threshold 0.05
step 60
|...
cameras -c name,kind,follows,eye
| name  kind    follows  eye
| Eye   follow  Player   -300,0,300
# cells that came, and pages that came of them
assert (SELECT count(*) FROM events WHERE event = 'cell.show') > 0
assert (SELECT count(*) FROM events WHERE event = 'page.install') > 0
# from the page to who asked, to the actor that shows it, to why its cell is there
why page walk.shapes_shape_3:1
|~ ^page walk.shapes_shape_3:1: resident since frame [0-9]+, and wanted now$
|~ ^  camera Eye wanted group [0-9]+, level [0-9]+, at [0-9.]+ times the threshold: read from frame [0-9]+$
|~ ^  its nearest group [0-9]+: without it camera Eye would see an error of [0-9.]+ px, the threshold is 0.05$
|~ ^  shown by actor [A-Za-z_0-9]+ as walk.shapes/shape_3.ply \([0-9]+ of [0-9]+ such actors are seen\)$
|~ ^  in cell Open_MainGrid_[-0-9_]+, which is activated: a source reaches it \(rule 2\.2\.4\): Player is [0-9]+ m away, it reaches 768 m$
why page walk.shapes_shape_3:1 --json
|...
|~ "page":"walk.shapes_shape_3:1","resource":"walk.shapes_shape_3","why":"wanted",.*"cell":"Open_MainGrid_[-0-9_]+","cell_state":"activated","cell_rule":"in_range",.*"source":"Player"
|...
# when the source goes, the cells go, and with them what asked for pages
source rm Player
step 2000
|...
why-not page walk.shapes_shape_3:1
|...
|~ ^  no actor that shows it is seen: their cells are not visible, or what they stand in for is$
