# SPDX-License-Identifier: GPL-3.0-or-later
# The view of Nanite resources: pages as tiles, needs both ways, reasons, a cut. What a mesh becomes
# may change; what the screen tells of it may not.
gen mesh sphere --triangles 60000 --seed 3 -o @OUT@/view.ply
|...
nanite build @OUT@/view.ply -o @OUT@/view.cnanite
|...
open @OUT@/view.cnanite
|...
# Of resources alone the screen begins with them.
view show
|...
|~ ^ view  [0-9]+ pages \(1 root\)  [0-9]+ clusters  [0-9]+ groups  no camera: o adds one$
|  R root  1-9 in memory, by fill  ~ being read  ? wanted  . not here
|~ ^    0 R( \.)+$
|...
|~ ^ 0 needs +0 is needed by$
|...
|~ ^ cut at error [0-9.]+  [0-9]+ triangles  [0-9]+ clusters  levels
|~ why +root$
|...
|  Enter Page  r Request  x Evict  + - Error  o Orbit  z Now  m Colour  ? Help
# A camera from where the picture is seen, around the mesh.
press o
cameras -c name,kind
| name  kind
| Main  orbit
view show ~ groups
|~ groups  no frame has run: . runs one$
|...
view size 40x12
view show ~ cluster
|~ ~$
view size 80x24
camera rm Main
# A view from near, a pool of three pages. What does page 4 wait for? Four keys to it.
pool latency 0.05
pool pool 3
camera add Main 150,0,20 --target 0,0,0
step 30
|...
press Right Right Right Right
view show
|...
|~ ^ view .*pool 3/3  missing [0-9]+  worst
|...
|~ ^    0 R [1-9] [1-9] [1-9] \?
|...
|~ ^ 4 needs +4 is needed by$
|~ ^ \+- [0-9]+ resident  (by its groups|[0-9]+ fixups).*$
|...
|~ ^ drawn once these are loaded: 4\?
|...
|~ ^ drawn now  [0-9]+ triangles  [0-9]+ clusters
|~ why +no_slot$
|~ camera +Main$
|...
press m - -
view glyphs utf8
view show
|...
|  R root  ▆ in memory, by fill  ~ being read  ? wanted  . not here
|~ ^    0 R [▁▂▃▄▅▆▇█]+ [▁▂▃▄▅▆▇█]+ [▁▂▃▄▅▆▇█]+ \?
|...
|~ ^ ├─ [0-9]+ resident
|...
|~ ^ cut at error
|...
# With room for it, it is asked for and read.
view size 100x24
pool pool 8
press r . .
view show
|...
|~ pool 6/8 .*│ page view:4$
|~ │ state +loading$
|~ ^    0 R .* ~
|...
|~ ^ └─ 5 loading  until [0-9.]+ s
|...
|~ ^ drawn once these are loaded: 4~ 5~
|...
view size 120x40
press z
view show
|...
|~ ^ drawn now
|...
press Enter
view show
|...
|~ ^ Page view:4 .*│ page view:4$
|~ ^ name +view:4 .*│ state +loading$
|...
press n
view show
|...
|~ ^ rank  page  state +listed  groups
|...
|~ ^ +[0-9]+ +4  loading +yes +yes
|...
press q b
view show
|...
|~ ^ page  section +offset
|~ ^ +4  page_header +0 +28
|...
press q q y
view show
|...
|~ ^ Why page view:4 .*│ page view:4$
|...
press q
view size 40x10
view show
|...
|~ ^    0 R
|...
|~ ^ drawn once these are loaded: 4~ 5~$
|
|  Enter Page  r Request  x Evict  ? Help
view glyphs ascii
view size 80x24
press T
view show
|...
|~ ^ Hierarchy  1 of [0-9]+ +nanite >$
|~ ^ node +kind +group  page  clusters
|~ ^ 0:0 +inner
|...
view nanite
expect error E_USAGE: view overlay nonsense
expect error E_USAGE: view pan far
expect error E_USAGE: view zoom -1
expect error E_USAGE: view zoom near
expect error E_MISSING: view grid nowhere
close
view show
|  cellscope  no world is open
|...
# With a world beside it a camera goes with the first source.
open @OUT@/view.cnanite
|...
open @FIXTURES@/valley.json
|...
source add Player0 100,0,0
view nanite
press F
cameras -c name,kind
| name     kind
| Player0  follow
# The keys of a page stay with its resource, whatever field the cursor stands on.
nanite build @OUT@/view.ply -o @OUT@/view_again.cnanite
|...
close
open @OUT@/view.cnanite
|...
open @OUT@/view_again.cnanite
|...
view size 80x24
view page view:1
press Down Down n
view show
|...
|~ \(cellscope\) view closure view:1$
|...
press q Up b
view show
|...
|~ \(cellscope\) view rows sections @ page view:1$
|...
# So do rows of lists that name a page by its number: what is under the cursor is the row's own.
press q
view closure view:1
press Enter
view show
|...
|~ \(cellscope\) view page view:0$
|...
press q
view rows parts @ page view:1
press Right Right Right Enter
view show
|...
|~ \(cellscope\) view page view:1$
|...
press q
view rows fixups @ page view:1
press Down Enter
view show
|...
|~ \(cellscope\) view page view:1$
|...
press q
view hierarchy view
press Down Down Down Down Enter
view show
|...
|~ \(cellscope\) view page view:3$
|...
press q q
# What is measured says in what.
info tables cameras -w "unit IS NOT NULL" -c column,unit
| column  unit
| fov     degrees
| height  pixels
| period  seconds
# Another cook of the world beside it moves no cursor of pages, and no picture.
view close all
open @FIXTURES@/valley.json
open @OUT@/view.cnanite
view nanite
cursor right 2
view overlay level
view pan 2,0
view show ~ "/[0-9] needs/"
|  2 needs                                 2 is needed by
remove SM_Wall ~ nothing
view show ~ "/[0-9] needs/"
|  2 needs                                 2 is needed by
