# SPDX-License-Identifier: Apache-2.0
# A run: where it halts, what a map and a listing of it show, what going back leaves behind.
open @FIXTURES@/valley.json
source add Player0 6400,6400,200
# exactly so many frames behind the last event
continue ~ stopped
| stopped: nothing has changed for 600 frames
assert frame() = (SELECT max(frame) FROM events) + 600

# a condition that fails in the past
goto 10 ~ /^frame/
|...
break frame if CASE WHEN frame() = 3 THEN abs(-9223372036854775807 - 1) ELSE 0 END
|...
expect error E_SQL: reverse-continue
assert frame() = 10
delete

# a recorded path over a restart
path record Player0 @OUT@/recorded.csv
|...
checkpoint
|...
step 3 ~ /^frame/
|...
restart 1 ~ /^frame/
|...
step ~ /^frame/
|...

# listings
cells -n 0
| name  level  layers  actors  state
order -n 3
| list      rank  cell                    source  level  prio  spatial  decided_by
| activate     1  ..ey_MainGrid_3_-1_0_0     128      0     0  0.02338  -
| activate     2  ..ey_MainGrid_2_-1_0_0     128      0     0  0.02413  spatial
| activate     3  ..ley_MainGrid_1_1_0_0     128      0     0  0.03909  spatial
set width 40
cells ~ Valley_MainGrid_5
| .._5_0_0_0      0  -              1  unloaded
| .._5_1_0_0      0  -              2  unloaded
| .._5_2_0_0      0  -              1  unloaded
| .._5_4_0_0      0  -              1  unloaded
reset width
why cell L0:0,0
| MainGrid_0_0_0_0  activated (level visible) since frame 10
|   wanted    activated, by rule 2.2.4 in_range: a source reaches it
|   layers    allow activated
|   source    Player0  distance 1874 within radius 38400  reaches it
|   order     source 128  level 0  prio 0  spatial 0.0020
|   blocking  distance / radius 0.0488: not considered, the cell does not block
map
| Valley  MainGrid L0  cell 12800 cm  range 38400  frame 11  Player0 (6400,6400)
|        -1  1   3   5
|     -1 w ~*  ~*~*.   .
|      0 w #@# # # . . .
|      1   w ~*#+# . . .
|      2 w w w   . . .
|      3 . .   . . .   .
|      4 .   . . .   . .
|   x layer off  . unloaded  w waiting for budget  ~ loading  # activated
|   @ source  * just changed  + several cells
|   41 cells: 1 x 23 . 7 w 4 ~ 6 #   x right, y down
map -o why-not
| Valley  MainGrid L0  cell 12800 cm  range 38400  frame 11  Player0 (6400,6400)
|        -1  1   3   5
|     -1 w ~*  ~*~*.   .
|      0 w #@# # # . . .
|      1   w ~*w+# . . .
|      2 w w w   . . .
|      3 . .   . . .   .
|      4 .   . . .   . .
|   why-not: rule that keeps a cell from being loaded
|   # as it should be  . out of range  x layer off  ~ loading  w waits for budget
|   @ source  * just changed  + several cells
|   41 cells   x right, y down
map -o priority
| Valley  MainGrid L0  cell 12800 cm  range 38400  frame 11  Player0 (6400,6400)
|        -1  1   3   5
|     -1 8 4*  2*1*.   .
|      0 6 .@. . . . . .
|      1   5 3*>+. . . .
|      2 > 9 7   . . .
|      3 . .   . . .   .
|      4 .   . . .   . .
|   priority: rank in the loading order of the last frame
|   . not in the order  > 10th or later  9 9th  8 8th  7 7th  6 6th  5 5th  4 4th
|   3 3rd  2 2nd  1 the next to load or show  @ source  * just changed
|   + several cells
|   41 cells   x right, y down
map -o layer
| Valley  MainGrid L0  cell 12800 cm  range 38400  frame 11  Player0 (6400,6400)
|        -1  1   3   5
|     -1 . .*  .*.*.   .
|      0 . .@. . . . . .
|      1   . .*&+. . . .
|      2 . . .   . . .
|      3 . .   . . .   .
|      4 .   . . .   . .
|   layer: data layers, a letter each
|   . no data layer  a DL_Night  b DL_Quest  @ source  * just changed
|   + several cells
|   41 cells   x right, y down
map -o bytes -z 3
| Valley  MainGrid L0  cell 12800 cm  range 38400  zoom 3  frame 11  Player0 (6400,6400)
|        -1  5
|     -1 3@4*3
|      2 3 3 3
|   bytes: bytes of all cells of the character by the load model
|   3 up to 1 MiB  4 up to 4 MiB  @ source  * just changed  + several cells
|   41 cells   x right, y down
map -w "x > 2"
| Valley  MainGrid L0  cell 12800 cm  range 38400  frame 11  Player0 (6400,6400)
|        3 4 5 6
|     -1 ~*.   .
|      0 # . . .
|      1 # . . .
|      2 . . .
|      3 . .   .
|      4 .   . .
|   . unloaded  ~ loading  # activated  @ source  * just changed
|   20 cells: 17 . 1 ~ 2 #   x right, y down
map -n 1 -s -x
| Valley  MainGrid L0  cell 12800 cm  range 38400  frame 11  Player0 (6400,6400)
|        6
|     -1 .
|   . unloaded  @ source  * just changed
|   1 cell: 1 .   x right, y down
expect error E_USAGE: map -c name
