# SPDX-License-Identifier: GPL-3.0-or-later
# The views of a run without a terminal: timeline, queue, differences, lists.
open @FIXTURES@/streaming/street.json
# A slow drive, and two cells at a time.
wp.Runtime.BlockOnSlowStreaming 0
wp.Runtime.MaxLoadingStreamingCells 2
sim.Latency 100
sim.Bandwidth 1
source add Player0 6400,4000,200
step 20 ~ frame
# A line that fails leaves no screen and moves no place.
expect error E_UNKNOWN: view nosuch
expect error E_UNKNOWN: view nosuch
pwd
| no place is current; cd WHERE sets one
# The order with its keys, and who has the slots of the budget.
view queue
view show
|  Street  frame 20 0.333s  paused  loading 2/2  waiting 2  0.2 MiB  Slow
|  Queue  1 of 4  map >
|  rank  cell               src  lvl  prio  spatial  decided   starts_in  done_in
|     1  MainGrid_1_0_0_0   128    0     0        0  -                 0       13
|     2  MainGrid_2_0_0_0   128    0     0        0  distance          0       29
|     3  MainGrid_-1_0_0_0  128    0     0   0.0791  -                14       44
|     4  MainGrid_-2_0_0_0  128    0     0   0.6104  spatial          30       60
|
|
|
|
|
|
|
|
|
|
|
|
|
| --------------------------------------------------------------------------------
|    1  ####................  Street_MainGrid_1_0_0_0  0.1 of 0.2 MiB  done in 13
|    2  ....................  Street_MainGrid_2_0_0_0  0.0 of 0.2 MiB  done in 29
|  y Why  B Budget  Enter Open  e Explain  v m Map  : Command  q Close  ? Help
press y
view show
|  Street  frame 20 0.333s  paused  loading 2/2  waiting 2  0.2 MiB  Slow
|  Why cell Street_MainGrid_1_0_0_0  1 of 11  map > queue >
|  MainGrid_1_0_0_0  loading (level loading) since frame 1
|    wanted    activated, by rule 2.2.4 in_range: a source reaches it
|    now       loading: its level is loading (rule 2.6)
|    layers    allow activated
|    source    Player0  distance 7000 within radius 25600  reaches it
|    order     source 128  level 0  prio 0  spatial 0.0000
|    waits     1 of 2 in its list (rule 2.4)
|    blocking  distance / radius 0.2734: slow (rule 2.5)
|    loading   207622 of 262144 bytes left
|    try       queue
|    try       until cell('MainGrid_1_0_0_0','state') = 'activated'
|
|
|
|
|
|
|
|
|
|
|  u Queue  L Layers  s Sources  Enter Open  e Explain  y Why  v m Map  ? Help
press q q
# From a hitch on the timeline to the cells that caused it: g x Down Enter.
run 60 ~ frame
press g t
view show
|  Street  frame 60 1.000s  paused  loading 2/2  0.8 MiB  Slow
|  Timeline  frames 0..109                                    1 column = 2 frames
|  loads   ^        .       .       .                              peak 2
|  waiting ^^^^^^^^^--------........                               peak 3
|  show ms         ^       ^       ^                               peak 0.6
|  perf    CCCCCCCCCSSSSSSSSSSSSSSSSSSSSSS                         S slow C crit
|  stalls                                                          longest 0 ms
|  MiB             ........--------^^^^^^^                         peak 0.8
|  loading ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^                         peak 2
|  layers
|                                        ^ 60
| --------------------------------------------------------------------------------
|  frames 60..61  show 0.0 ms  stall 0.0 ms  loads 0  waiting 0  loading 2
|  ms      bytes  wait  loading  cell               actors  why
|   0  256.0 KiB    49       10  MainGrid_-2_0_0_0      12  waited for its turn
|   0  256.0 KiB    33       26  MainGrid_-1_0_0_0      12  waited for its turn
|
|
|
| --------------------------------------------------------------------------------
|  (cellscope) run 60 ~ frame
|  frame 60  t 1.000  Player0 (6400,4000,200) v (0,0,0)
|  (cellscope) view timeline
|  x Worst  } Next  { Before  + - Zoom  Enter Open  v m Map  : Command  ? Help
press x Down
view show
|  Street  frame 60 1.000s  paused  loading 2/2  0.8 MiB  Slow
|  Timeline  frames 0..109                                    1 column = 2 frames
|  loads   ^        .       .       .                              peak 2
|  waiting ^^^^^^^^^--------........                               peak 3
|  show ms         ^       ^       ^                               peak 0.6
|  perf    CCCCCCCCCSSSSSSSSSSSSSSSSSSSSSS                         S slow C crit
|  stalls                                                          longest 0 ms
|  MiB             ........--------^^^^^^^                         peak 0.8
|  loading ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^                         peak 2
|  layers
|                  ^ 17
| --------------------------------------------------------------------------------
|  frames 16..17  show 0.6 ms  stall 0.0 ms  loads 0  waiting 3  loading 2
|   ms      bytes  wait  loading  cell               actors  why
|  0.6  256.0 KiB    17       31  MainGrid_2_0_0_0       12  bytes to load
|  0.6  256.0 KiB     0       16  MainGrid_0_0_0_0       12  bytes to load
|  0.6  256.0 KiB     0       32  MainGrid_1_0_0_0       12  bytes to load
|    0  256.0 KiB    49       10  MainGrid_-2_0_0_0      12  waited for its turn
|    0  256.0 KiB    33       26  MainGrid_-1_0_0_0      12  waited for its turn
| --------------------------------------------------------------------------------
|  (cellscope) run 60 ~ frame
|  frame 60  t 1.000  Player0 (6400,4000,200) v (0,0,0)
|  (cellscope) view cursor down
|  x Worst  } Next  { Before  + - Zoom  Enter Open  e Explain  y Why  ? Help
press Enter
view show
|  Street  frame 60 1.000s  paused  loading 2/2  0.8 MiB  Slow
|  Cell MainGrid_2_0_0_0    map > timeline >
|  history  wwwwwwwwwwwwwwwww~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~############
|           frames 1..60, a column = 1 frame; now activated
| --------------------------------------------------------------------------------
|  name                Street_MainGrid_2_0_0_0
|  state               activated
|  wanted              activated
|  since               frame 49
|  grid                MainGrid
|  level               0
|  x                   2
|  y                   0
|  z                   0
|  actors              12
|  bytes               262144 (256.0 KiB)
|  content_min         26200,2000,0 cm
|  content_max         37600,6400,800 cm
|  short_name          2_0_0_0
| --------------------------------------------------------------------------------
|  (cellscope) run 60 ~ frame
|  frame 60  t 1.000  Player0 (6400,4000,200) v (0,0,0)
|  (cellscope) view cell MainGrid_2_0_0_0
|  a Actors  H History  m Map  Enter Open  e Explain  y Why  v m Map  ? Help
press q
view glyphs utf8
view show
|  Street  frame 60 1.000s  paused  loading 2/2  0.8 MiB  Slow
|  Timeline  frames 0..109                                    1 column = 2 frames
|  loads   █        ▄       ▄       ▄                              peak 2
|  waiting █████████▆▆▆▆▆▆▆▆▃▃▃▃▃▃▃▃                               peak 3
|  show ms         █       █       █                               peak 0.6
|  perf    CCCCCCCCCSSSSSSSSSSSSSSSSSSSSSS                         S slow C crit
|  stalls                                                          longest 0 ms
|  MiB             ▃▃▃▃▃▃▃▃▆▆▆▆▆▆▆▆███████                         peak 0.8
|  loading ███████████████████████████████                         peak 2
|  layers
|                  ^ 17
| ────────────────────────────────────────────────────────────────────────────────
|  frames 16..17  show 0.6 ms  stall 0.0 ms  loads 0  waiting 3  loading 2
|   ms      bytes  wait  loading  cell               actors  why
|  0.6  256.0 KiB    17       31  MainGrid_2_0_0_0       12  bytes to load
|  0.6  256.0 KiB     0       16  MainGrid_0_0_0_0       12  bytes to load
|  0.6  256.0 KiB     0       32  MainGrid_1_0_0_0       12  bytes to load
|    0  256.0 KiB    49       10  MainGrid_-2_0_0_0      12  waited for its turn
|    0  256.0 KiB    33       26  MainGrid_-1_0_0_0      12  waited for its turn
| ────────────────────────────────────────────────────────────────────────────────
|  (cellscope) run 60 ~ frame
|  frame 60  t 1.000  Player0 (6400,4000,200) v (0,0,0)
|  (cellscope) view glyphs utf8
|  x Worst  } Next  { Before  + - Zoom  Enter Open  e Explain  y Why  ? Help
view size 120x40
view show
|  Street  frame 60 1.000s  paused  loading 2/2  0.8 MiB  Slow
|  Timeline  frames 0..115                                       1 column = 2 frames │ cell MainGrid_2_0_0_0
|          ⠈                                                                         │ state     activated
|  loads            ⠁       ⠁       ⠁                                 peak 2         │ wanted    activated
|          ⠈⠉⠉⠉⠉⠉⠉⠉⠉⠤⠤⠤⠤⠤⠤⠤⠤                                                         │ since     frame 49
|  waiting                  ⠒⠒⠒⠒⠒⠒⠒⠒                                  peak 3         │ level     0
|                  ⠈       ⠈       ⠈                                                 │ actors    12
|  show ms                                                            peak 0.6       │ bytes     262144 (256.0 KiB)
|  perf    CCCCCCCCCSSSSSSSSSSSSSSSSSSSSSS                            S slow C crit  │ hierarchy 0
|  stalls                                                             longest 0 ms   │ priority  0
|                          ⠠⠤⠤⠤⠤⠤⠤⠤⠌⠉⠉⠉⠉⠉⠁                                           │ grid      MainGrid
|  MiB             ⠐⠒⠒⠒⠒⠒⠒⠒⠂                                          peak 0.8       │ blocks    yes
|          ⠈⠉⠉⠉⠉⠉⠉⠉⠁⠉⠉⠉⠉⠉⠉⠉⠁⠉⠉⠉⠉⠉⠉⠉⠁⠉⠉⠉⠉⠉⠁                                           │ from      26200,2000,0 cm
|  loading         ⠈       ⠈       ⠈                                  peak 2         │ to        37600,6400,800 cm
|  layers                                                                            │ package   8H8VY4O8ANPYHGJSZDWKSVA37
|                  ^ 17                                                              │
| ───────────────────────────────────────────────────────────────────────────────────│
|  frames 16..17  show 0.6 ms  stall 0.0 ms  loads 0  waiting 3  loading 2           │
|   ms      bytes  wait  loading  cell               actors  why                     │
|  0.6  256.0 KiB    17       31  MainGrid_2_0_0_0       12  bytes to load           │
|  0.6  256.0 KiB     0       16  MainGrid_0_0_0_0       12  bytes to load           │
|  0.6  256.0 KiB     0       32  MainGrid_1_0_0_0       12  bytes to load           │
|    0  256.0 KiB    49       10  MainGrid_-2_0_0_0      12  waited for its turn     │
|    0  256.0 KiB    33       26  MainGrid_-1_0_0_0      12  waited for its turn     │
|                                                                                    │
|                                                                                    │
|                                                                                    │
|                                                                                    │
|                                                                                    │
|                                                                                    │
|                                                                                    │
| ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
|  (cellscope) view close
|  (cellscope) run 60 ~ frame
|  frame 60  t 1.000  Player0 (6400,4000,200) v (0,0,0)
|  (cellscope) view size 120x40
|
|
|
|  x Worst  } Next  { Before  + - Zoom  Enter Open  e Explain  y Why  v m Map  : Command  q Close  ? Help
view size 40x10
view show
|  Street  frame 60 1.000s  Slow
|  Timeline  frames 0..43
|  loads   █        ▄       ▄     2
|  waiting █████████▆▆▆▆▆▆▆▆▃▃▃▃▃ 3
|  show ms         █       █      0.6
|  perf    CCCCCCCCCSSSSSSSSSSSSS S slow …
|  stalls                         0 ms
|  MiB             ▄▄▄▄▄▄▄▄██████ 0.5
|                  ^ 17
|  x Worst  } Next  { Before  ? Help
press Enter
view size 80x24
view glyphs ascii
view diff frame 10 20
view show
|  Street  2 differences  frame 17 0.283s  loading 1/2  waiting 3  Critical
|  Diff frame 10 20    map > timeline >
|  - activated  1
|  `- Street_MainGrid_0_0_0_0              loading -> activated  in_range
|  - loading  1
|  `- Street_MainGrid_2_0_0_0              waiting -> loading  loading
|
|
|
|
|
|
|
|
|
|
|
|
|
| --------------------------------------------------------------------------------
|    w MainGrid_2_0_0_0  activated -> waiting budget spatial 0.0000
|  4 changes  loading 1  waiting 3  activated 1  resident 0.2 MiB  hash ac7c7627
|  (cellscope) view diff frame 10 20
|  4 changes  loading 1  waiting 3  activated 1  resident 0.2 MiB  hash ac7c7627
press Left
view show
|  Street  2 differences  frame 17 0.283s  loading 1/2  waiting 3  Critical
|  Diff frame 10 20    map > timeline >
|  + activated  1
|  - loading  1
|  `- Street_MainGrid_2_0_0_0              waiting -> loading  loading
|
|
|
|
|
|
|
|
|
|
|
|
|
|
| --------------------------------------------------------------------------------
|    w MainGrid_2_0_0_0  activated -> waiting budget spatial 0.0000
|  4 changes  loading 1  waiting 3  activated 1  resident 0.2 MiB  hash ac7c7627
|  (cellscope) view cursor left
|  Left Fold  Right Unfold  m On map  v m Map  : Command  q Close  ? Help
view diff
view show
|  Street  1 difference  frame 17 0.283s  loading 1/2  waiting 3  Critical
|  Diff    map > timeline > diff >
|  - activated  1
|  `- Street_MainGrid_0_0_0_0              loading -> activated  in_range
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
| --------------------------------------------------------------------------------
|    w MainGrid_2_0_0_0  activated -> waiting budget spatial 0.0000
|  4 changes  loading 1  waiting 3  activated 1  resident 0.2 MiB  hash ac7c7627
|  (cellscope) view diff
|  Left Fold  Right Unfold  m On map  v m Map  : Command  q Close  ? Help
break cell.fail
press v k
view show
|  Street  frame 17 0.283s  paused  loading 1/2  waiting 3  0.2 MiB  Critical
|  Stops  1 of 1  ... > timeline > diff > diff >
|  id  kind        event      expression  enabled  hits  ignore
|   1  breakpoint  cell.fail  -           yes         0       0
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
| --------------------------------------------------------------------------------
|  (cellscope) break cell.fail
|  breakpoint 1: cell.fail
|  (cellscope) view breakpoints
|  x Delete  E Enable  D Disable  i Condition  Enter Commands  v m Map  ? Help
press D E x
info breakpoints
| id  kind  event  expression  enabled  hits  ignore
press v v x
view show
|  Street  frame 17 0.283s  paused  loading 1/2  waiting 3  0.2 MiB  Critical
|  Variables  1 of 4, is_default = 0  ... > diff > diff > breakpoints >
|  name                                 value  default  unit
|  wp.Runtime.BlockOnSlowStreaming      0            1  -
|  wp.Runtime.MaxLoadingStreamingCells  2            4  -
|  sim.Latency                          100         50  ms
|  sim.Bandwidth                        1          200  MB/s
|
|
|
|
|
|
|
|
|
|
|
|  allow a wait of the game when performance is Critical
| --------------------------------------------------------------------------------
|  (cellscope) info breakpoints
|  id  kind  event  expression  enabled  hits  ignore
|  (cellscope) view filter is_default = 0
|  Enter Set  x Changed  v m Map  : Command  q Close  ? Help
# Two cooks of nearly the same landscape: two actors more.
gen open --actors 40 --seed 1 -o @OUT@/before.json
|...
gen open --actors 42 --seed 1 -o @OUT@/after.json
|...
cook @OUT@/before.json -o @OUT@/before.cworld
|...
cook @OUT@/after.json -o @OUT@/after.cworld
|...
view diff world @OUT@/before.cworld @OUT@/after.cworld
view show
|...
|~ ^ - (cells|actors)  [0-9]+  \(\+[0-9]+ -[0-9]+ ~[0-9]+\)$
|...
# A finding: all of it, and the actor that it is about.
open @FIXTURES@/checks/reference-grid.json
|...
press f
view show
|  Yard  2 findings
|  Findings  1 of 2  map >
|  severity  check                          about          repair   reason
|  error     ~nceActorInAnotherRuntimeGrid  Wheel, Mill    no_grid  runtime grids
|  error     ~nceActorInAnotherRuntimeGrid  Miller, Wheel  no_grid  runtime grids
|
|
|
|
|
|
|
|
|
|
|
|
|
|
| --------------------------------------------------------------------------------
|  (cellscope) open @FIXTURES@/checks/reference-grid.json
|  Yard: 1 cell, 3 actors, profile 5.4
|  (cellscope) view findings
|  Enter Finding  x Errors  v m Map  : Command  q Close  ? Help
press Enter
view show
|  Yard  2 findings
|  Finding 0    map > findings >
|  actor      Wheel
|  other      Mill
|  severity   error
|  check      WorldPartition_ActorReferenceActorInAnotherRuntimeGrid
|  repair     no_grid
|  reason     runtime grids
|  pass       0
|  partition  Yard
| --------------------------------------------------------------------------------
|  A reference between actors on different runtime grids.
|
|  Neither grid wins: both fall back to the default grid, and so does whatever
|  references them. Give both one grid.
|
|  page    fixtures/checks/reference-grid.cmd
|  token   WorldPartition_ActorReferenceActorInAnotherRuntimeGrid
|
| --------------------------------------------------------------------------------
|  (cellscope) open @FIXTURES@/checks/reference-grid.json
|  Yard: 1 cell, 3 actors, profile 5.4
|  (cellscope) view finding 0
|  p Page  r Chain  Enter Open  e Explain  y Why  v m Map  : Command  ? Help
press Enter
view show
|  Yard  2 findings
|  Actor Wheel    map > findings > finding >
|  label               Wheel
|  cell                Yard_MainGrid_0_0_0_0
|  placement           by_centre
|  class               /Script/Engine.StaticMeshActor
|  grid                Small
|  bounds_min          0,0,0 cm
|  bounds_max          100,100,100 cm
|  effective_spatial   yes
|  references          00000000000000000000000000000002
|  title               Wheel
|  name                Wheel
|  native_class        /Script/Engine.StaticMeshActor
|  guid                00000000000000000000000000000001
|  spatial             yes
|  editor_only         no
|  editor_only_in_pie  no
|  runtime_only        no
| --------------------------------------------------------------------------------
|  (cellscope) open @FIXTURES@/checks/reference-grid.json
|  Yard: 1 cell, 3 actors, profile 5.4
|  (cellscope) view actor Wheel
|  Enter Open  e Explain  y Why  v m Map  : Command  q Close  ? Help
# Back to the first frames and forth again by a snapshot: what is kept has no holes.
run 6000
|...
goto 3
|...
goto 6000
|...
frames -s -frame -n 1 -c frame
| frame
|  6000
assert (SELECT count(*) = max(frame) - min(frame) + 1 FROM frames)
press g t

# What has happened to the cell under the cursor: H in the map, in the list and in the cell itself.
open @FIXTURES@/valley.json
source add Player0 0,0
step 8 ~ nothing
view cursor cell L0:0,0
press H
view show ~ cell.
|      1  cell.want     ~inGrid_0_0_0_0  unloaded        activated       in_range
|      1  cell.load     ~inGrid_0_0_0_0  unloaded        loading         -
|      5  cell.loaded   ~inGrid_0_0_0_0  loading         not_visible     -
|      5  cell.showing  ~inGrid_0_0_0_0  not_visible     making_visible  -
|      5  cell.show     ~inGrid_0_0_0_0  making_visible  visible         -
cd 0,0
expect error E_USAGE: view tick nope
pwd
| 0,0,0

# Rows of a command that are counted: Enter shows those of a group, also without a value, of yes and
# no, of a vector, and of a name with a backslash, which is nowhere escaped twice.
edit '{"guid":"00000000000000000000000000000002","label":"a\\b\tc"}'
|...
view size 80x24
view rows actors
view group layers
press Enter
view show ~ Rows
|  Rows actors  1 of 55, "layers" IS NULL  map > events >
view rows actors -c label,spatial,location
view group spatial
view show ~ 58
|  yes      58  #################################################################
press Enter
view show ~ Rows
|  Rows actors -c label,spatial,location  1 of 58, "spatial" = 1
view filter
view group location
press Enter
view show ~ Rows
|  Rows actors -c label,spatial,location  1 of 52, CAST("location" AS TEXT) = '[0~
view rows actors -w "label LIKE 'a%'"
view group label
view show ~ x09c
|  a\x5cb\x09c  1  ##############################################################
press Enter
view show ~ x09c
|  Rows actors -w "label LIKE 'a%'"  1 of 1, "label" = 'a\x5cb\x09c'
|  a\x5cb\x09c  /Script/Engine.StaticMeshActor  Valley_MainGrid_2_1_0_0
press Enter
view show ~ ">"
|  Actor "a\\b\x09c"    ... > rows > rows > rows >
press b
view show ~ toggle
|  (cellscope) toggle actor "a\\b\x09c"
# Rows in an order can be counted, and counts in an order can be opened; the rows keep their order.
view cells
press z F
view show ~ Cells
|  Cells  1 of 1, grouped by state                     |
press Right o Enter
view show ~ Cells
|  Cells  1 of 44, by -bytes, "state" = 'unloaded'     | Valley_MainGrid_4_0_0_0
# A filter in quotes and the rows of a SELECT are written as they are listed.
press X
view show ~ csv
| :cells -w "\"state\" = 'unloaded'" -s "-bytes" --csv > rows.csv
press Esc
view rows sql SELECT name, actors FROM cells
view filter actors > 3
view sort -actors
press X
view show ~ csv
| :ctors FROM cells) WHERE actors > 3 ORDER BY \"actors\" DESC" --csv > rows.csv
press Esc
# A row that a command prints is the object of its kind, not another one that a column names.
view rows cells
press Enter
view show ~ ">"
|  Cell Valley_MainGrid_-1_-1_0_0    ... > cells > rows > rows >
view rows layers
press Enter
view show ~ ">"
|  Object layer DL_Night    ... > rows > cell > rows >
view rows actors -w "name = 'Roof'"
press Down Enter
view show ~ ">"
|  Actor C8302154196A432D0FC80508E26EF4C3    ... > rows > object > rows >
# Numbers that are not whole have groups, too.
view rows sql SELECT label, bounds_min_x / 8 AS eighth FROM actors WHERE bounds_min_x > 60000
view group eighth
press Enter
view show ~ Rock
|  Rock_1070  10133.25
|  Rock_1071  10133.25
|  Rock_1072  10133.25
|  Rock_1074  10133.25
|  Rock_1075  10133.25
# The prompt keeps a new line while older ones are looked at, and takes a pasted line as a whole.
press : e c h o Space a Enter
press : s t e p Up Up Down Down
view show ~ :
| :step
press C-r e c h o Down C-u Esc
# Tab completes names with blanks and columns behind a blank, and takes nothing away.
edit '{"guid":"00000000000000000000000000000002","label":"My Post"}'
|...
edit '{"guid":"00000000000000000000000000000003","label":"My  Lamp"}'
|...
edit '{"guid":"00000000000000000000000000000004","label":"my\"\\"}'
|...
press : a c t o r Space '"' M y Space Tab Space L Tab
view show ~ /^:/
| :actor "My  Lamp"
press C-u c e l l s Space - w Space '"' a c t o r s = 1 Space A N D Space l e v Tab
view show ~ /^:/
| :cells -w "actors=1 AND level
press C-u w h y Space a c t o r Space m y Tab
view show ~ /^:/
| :why actor my
press Esc
complete actor my
| "My Post"
| "My  Lamp"
| "my\"\\"
# What is typed and not seen on a terminal, as a mark that turns the line around, is shown as \xHH.
view glyphs utf8
press : "\xe2\x80\xae" "\xc3\xa9"
view show ~ /^:/
| :\xe2\x80\xaeé
press Esc

# Sorting and filtering keep the object under the cursor, unless it is the first row, which nobody
# chose. Cooking again keeps the view, its order and its row.
open @FIXTURES@/valley.json
view cells
press Down Down Down
view sort -name
pwd
| Valley_MainGrid_-1_3_0_0
view filter level = 0
view sort name
view filter
pwd
| Valley_MainGrid_-1_3_0_0
remove Lamp_04
|...
view show ~ Cells
|  Cells  4 of 44, by name  map >                      │ Valley_MainGrid_-1_3_0_0
cursor first
view sort -name
view show ~ Cells
|  Cells  1 of 44, by -name  map >                     │ cell Valley_Small_3_1_0_0
# Tab knows the names of views and keys.
complete view ce
| cells
| cell
complete view split tr
| trails
complete press v Pg
| PgUp
| PgDn
# A place to which a command goes is found among the rows that another one printed, by its name.
view rows cells -s -name
cd L0:0,0
press Down
pwd
| Valley_MainGrid_0_-1_0_0
# Without keys the columns are those with which a view begins.
view cells
view columns name
expect error E_USAGE: view columns name,typo
view columns
view show ~ short_name
|  short_name  state     actors  layers  level  bytes  │ state     unloaded
# The cursor stays on its group when rows are filtered or counted again, and in another order.
open @FIXTURES@/valley.json
view close all
view size 80x12
view actors
view group class
cursor down 2
view filter class <> '/Script/Engine.Actor'
view show ~ grouped
|  Actors  2 of 3, grouped by class, class <> '/Script/Engine.Actor'  map >
view sort -class
view show ~ grouped
|  Actors  3 of 3, by -class, grouped by class, class <> '/Script/Engine.Actor'
source add P 20000,20000,0
run 8 ~ nothing
view cells
view group state
cursor last
view show ~ grouped
|  Cells  4 of 4, grouped by state  map > actors >     │
goto 3 ~ nothing
view show ~ grouped
|  Cells  3 of 4, grouped by state  map > actors >     │
# What is no column of the rows has one message, whatever asked for it.
expect error E_USAGE: view group nonesuch
expect error E_USAGE: view columns nonesuch
expect error E_USAGE: view sort nonesuch
# Where no row is left, the heading says so.
view filter 0
view show ~ grouped
|  Cells  none, grouped by state, 0  map > actors >
# A pane that follows the cursor stays where its view can show nothing of the object.
view close all
view size 80x24
view log-rows 0
view layers
view split why
view show ~ Why
|  Why layer DL_Night  1 of 5
|  Left Fold  x Cycle  i Impact  m Map  Enter Open  e Explain  y Why  ? Help
view findings
view show ~ /Why|argument/
|  Why layer DL_Night  1 of 5
view close
view timeline
view show ~ /Why|argument/
|  Why layer DL_Night  1 of 5
# A name that fits neither whole nor without what all names share is cut where a sign says so.
view split off
view size 40x10
view actors cell IS NOT NULL
view sort cell
view show ~ Rock_1001
|  Rock_1001  …aticMeshActor  …id_-1_0_0_0
# A condition for frames is one expression, and is checked before it finds the next frame.
view size 80x24
source add Finder 0,0
step 5
|...
view timeline
expect error E_SQL: view search 1) GROUP BY (frame
expect error E_MISSING: view search frame > 3
expect error E_SQL: view search nope = 1
view cursor first
view search frame = 4
view show ~ "/^ frame/"
|  frame 4  show 0.0 ms  stall 0.0 ms  loads 0  waiting 21  loading 4
