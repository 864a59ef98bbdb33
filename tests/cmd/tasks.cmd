# SPDX-License-Identifier: GPL-3.0-or-later
# What people come for, with the keys counted: a `press` is what they press, no more.
gen city --actors 600 --seed 7 -o @OUT@/tasks.json ~ nothing
view size 80x24
view log-rows 0
# From opening a world to why an actor is always loaded: six keys (v a / Enter y e would be less,
# but A lists those alone that are) and the first letters of its name.
open @OUT@/tasks.json
press v a / M a n Enter e
view show
|  City
|  Explain actor Manager_4  1 of 8  map > actors >
|    step  title                   input                   verdict
|  +    1  streaming of the world  enabled
|  +    2  spatially loaded        no
|  +    3  so it can stream        no                      not spatial
|  +    4  actors that share its~  1 actor, alone
|  +    5  bounds of the set       longest extent 200 cm
|  +    6  runtime grid            (none)                  PersistentLevel
|  +    7  data layers             0
|  +    8  cell                    ~stentLevel_Persistent  always loaded: own se~
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
|  Right Unfold  Left Fold  W What if  Enter Open  e Explain  y Why  ? Help
# The cell that holds it answers as well: y in place of e, and its rule is always_loaded.
press q y
view show ~ rule
|    wanted    unloaded, by rule 2.3 not_run: no frame has run since it could be
# From a hitch on the timeline to the cells that caused it: four keys. g is the timeline, x goes to
# the dearest frame, whose cells stand below; Down and Enter open the first of them.
open @FIXTURES@/streaming/street.json
wp.Runtime.BlockOnSlowStreaming 0
wp.Runtime.MaxLoadingStreamingCells 2
sim.Latency 100
sim.Bandwidth 1
source add Player0 6400,4000,200
step 60 ~ nothing
press g t x Down Enter
view show ~ name
|  name                Street_MainGrid_2_0_0_0
|  short_name          2_0_0_0
assert (SELECT count(*) FROM cells WHERE name = 'Street_MainGrid_2_0_0_0') = 1
# From a waiting cell to what keeps it: four keys. The queue is one key, its first waiting row one
# more, y says the budget and e its place in the order; a cell under the cursor of the map takes y.
goto 20 ~ nothing
press q q q
press u G y
view show
|  Street  frame 20 0.333s  paused  loading 2/2  waiting 2  0.2 MiB  Slow
|  Why cell Street_MainGrid_-2_0_0_0  1 of 11  map > queue >
|  MainGrid_-2_0_0_0  waiting
|    wanted    activated, by rule 2.2.4 in_range: a source reaches it
|    now       budget: it waits for its turn to load (rule 2.3.4)
|    layers    allow activated
|    source    Player0  distance 20000 within radius 25600  reaches it
|    order     source 128  level 0  prio 0  spatial 0.6104
|    waits     2 of 2 in its list (rule 2.4)
|    blocking  distance / radius 0.7812: good (rule 2.5)
|    try       queue
|    try       order
|    try       wp.Runtime.MaxLoadingStreamingCells 8
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
# A layer that keeps a cell away, from the map: y alone.
open @FIXTURES@/valley.json
source add Player0 0,0
run 40 ~ nothing
view cursor cell Valley_MainGrid_2_1_0_0_dB2E340D4
press y
view show
|  Valley  frame 40 0.667s  paused  loading 0/4  1.2 MiB  4 findings
|  Why cell Valley_MainGrid_2_1_0_0_dB2E340D4  1 of 5  map >
|  MainGrid_2_1_0_0_dB2E340D4  unloaded
|    wanted    unloaded, by rule 2.8 layers: its data layers are unloaded
|    layers    allow unloaded, because of DL_Night
|    source    Player0  distance 34482 within radius 38400  reaches it
|    try       why DL_Night
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
|
|  u Queue  L Layers  s Sources  Enter Open  e Explain  y Why  v m Map  ? Help
# Two trails beside each other: W, and the setting that would be another.
press q v a / R o c k _ 1 0 4 4 Enter e
press W
press M a i n G r i d . c e l l _ s i z e = 2 5 6 0 0 Enter
view size 140x24
view show
|  Valley  frame 40 0.667s  paused  loading 0/4  1.2 MiB  4 findings
|  Trails Rock_1044 now MainGrid.cell_size=25600  7 of 9  map > actors > explain >
|                                 now                                                    MainGrid.cell_size=25600
|  1  streaming of the world      enabled                                                enabled
|  2  spatially loaded            yes                                                    yes
|  3  so it can stream            yes                                                    yes
|                                 -> spatial                                             -> spatial
|  4  actors that share its cell  1 actor, alone                                         1 actor, alone
|  5  bounds of the set           longest extent 900 cm                                  longest extent 900 cm
|  6  runtime grid                (none)                                                 (none)
|                                 -> MainGrid                                            -> MainGrid
| >7  level                       level 0, cells of 12800                                level 0, cells of 25600
|                                 -> taken                                               -> taken
|  8  data layers                 0                                                      0
| ~9  cell                        Valley_MainGrid_3_3_0_0                                Valley_MainGrid_1_1_0_0
|
|
|
|
|
|
|
|
|  v m Map  : Command  q Close  ? Help
explain actor Rock_1044 MainGrid.cell_size=25600 -w differs='first' -c step,then_verdict
| step  verdict
|    7  taken
expect error E_USAGE: explain actor Rock_1044 MainGrid.cell_size=25600 --with @OUT@/tasks.json
