# SPDX-License-Identifier: GPL-3.0-or-later
# Every comparison on the screen: as a tree, on the map, trails side by side.
open @FIXTURES@/valley.json
# What-if: the tree with counts, folded; the actor's trails; the same on the map, where + is a cell
# of the other cook that stands beside ours.
view diff whatif MainGrid.cell_size=25600
press Left Down Left Down Left Down
view show
|  Valley  98 differences  4 findings
|  Diff whatif MainGrid.cell_size=25600    map >
|  + settings  1
|  + cells  47  (+5 -25 ~17)
|  + actors  50
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
|
|
|  Left Fold  Right Unfold  m On map  v m Map  : Command  q Close  ? Help
press Right Down
view show
|  Valley  98 differences  4 findings
|  Diff whatif MainGrid.cell_size=25600    map >
|  + settings  1
|  + cells  47  (+5 -25 ~17)
|  - actors  50
|  +- ~ SM_Post                            moved partition  rule 1.6.4  ~2_1_0_0 ~
|  +- ~ Lamp_04                            moved partition  rule 1.6.4  ~2_1_0_0 ~
|  +- ~ SM_Wall                            moved partition  rule 1.6.4  ~1 -> ~0
|  +- ~ SM_Frame                           moved partition  rule 1.6.4  ~3_1_0_0 ~
|  +- ~ BP_Door                            moved partition  rule 1.6.4  ~3_1_0_0 ~
|  +- ~ Torch_0                            moved partition  rule 1.6.4  ~2_1_0_0_~
|  +- ~ Torch_1                            moved partition  rule 1.6.4  ~2_1_0_0_~
|  +- ~ Torch_2                            moved partition  rule 1.6.4  ~2_1_0_0_~
|  +- ~ Chest_1                            moved partition  rule 1.6.4  ~2_1_0_0_~
|  +- ~ PointLight_1                       moved partition  rule 1.6.4  ~2_1_0_0 ~
|  +- ~ Rock_1003                          moved partition  rule 1.6.4  ~2_0_0 ->
|  +- ~ Rock_1004                          moved partition  rule 1.6.4  ~3_0_0 ->
|  +- ~ Rock_1005                          moved partition  rule 1.6.4  ~4_0_0 ->
|  +- ~ Rock_1012                          moved partition  rule 1.6.4  ~1_0_0 ->
|  +- ~ Rock_1013                          moved partition  rule 1.6.4  ~2_0_0 ->
|  +- ~ Rock_1014                          moved partition  rule 1.6.4  ~3_0_0 ->
|  +- ~ Rock_1021                          moved partition  rule 1.6.4  ~1_0_0_0 ~
|  +- ~ Rock_1022                          moved partition  rule 1.6.4  ~1_1_0_0 ~
|  Left Fold  Right Unfold  e Trails  m On map  Enter Open  y Why  v m Map  ? Help
press e
view size 110x24
view show ~ />7/
view size 80x24
press q m
view show
|  Valley  MainGrid L0 zoom 1/2  4 findings
|      -3  -2  -1  0   1   2   3   4   5   6   7   8   | Valley_MainGrid_0_0_0_0
|   -3                                                 | state     unloaded
|                                                      | wanted    unloaded
|   -2                                                 | level     0
|                                                      | actors    1
|   -1         ~   ~   +   ~   ~   -       -           | hierarchy 0
|               `   `       `   `   `       `          | priority  0
|    0         ~   ~`  ~   ~   ~   -`: -   -           | grid      MainGrid
|               `       `   `   `       `   `          | from      5000,5000,0 cm
|    1         +   ~   ~   -3: ~   -   -   -           | to        5100,5050,220
|                   `   `   ` `     `   `   `          | package   5GXF4CUY5QS2XA9
|    2         ~   ~   ~   +   ~   -   -               |           736L54MZK5
|               `   `   `       `   `   `              |
|    3         -   -       -   -   -       -           |
|               `   `       `   `   `       `          |
|    4         -       -   -   -       -   -           |
|               `       `   `   `       `   `          |
|    5                                                 |
|                                                      |
|    6                                                 |
|                                                      |
|  whatif MainGrid.cell_size~  dots: actors  + + 3     |
|  m Overlay  S Source  + - Zoom  [ ] Level  Enter Open  e Explain  y Why  ? Help
press q q
# Two cooks, none of them open.
cook @FIXTURES@/valley.json -o @OUT@/views-a.cworld ~ ^nothing
cook @FIXTURES@/valley.json --profile 5.7 -o @OUT@/views-b.cworld ~ ^nothing
view diff world @OUT@/views-a.cworld @OUT@/views-b.cworld
view show ~ "- cells "
|  - cells  45  (+1 -1 ~43)
view cursor last
press Left Up e
view size 110x24
view show ~ "streaming of the"
| >1  streaming of the world      enabled                                 dropped: its runtime grid leads to no
view size 80x24
press q q
diff actor SM_Bridge @OUT@/views-a.cworld @OUT@/views-b.cworld -w "differs = 'first'" -c step,title,verdict,then_verdict
| step  rule          verdict          verdict
|    7  runtime grid  PersistentLevel  MainGrid
diff actor SM_Bridge now MainGrid.cell_size=25600 -n 1 -c step,title
| step  rule
|    1  streaming of the world
expect error E_NOACTOR: diff actor Nobody now MainGrid.cell_size=25600
expect error E_NOFILE: diff actor SM_Bridge now @OUT@/nowhere.cworld
# The engine's log: the same; then of a world that differs, with the verdict behind the title.
cook log @OUT@/views.log ~ ^nothing
view diff log @OUT@/views.log
view show ~ same
|  Valley  same  4 findings
press q
# A world that differs: its rows and what the rules explain; the engine's cells beside ours.
cook @FIXTURES@/valley.json --profile 5.7 -o @OUT@/views-c.cworld ~ ^nothing
open @OUT@/views-c.cworld ~ ^nothing
view diff log @OUT@/views.log
view show ~ _X-1_Y
|  +- ~ Valley_MainGrid_L0_X-1_Y4_Z0       renamed  rule 1.6.5  -> Valley_MainGri~
|  +- ~ Valley_MainGrid_L0_X-1_Y0_Z0       renamed  rule 1.6.5  -> Valley_MainGri~
|  +- ~ Valley_MainGrid_L0_X-1_Y-1_Z0      renamed  rule 1.6.5  -> Valley_MainGri~
press q
open @FIXTURES@/valley.json ~ ^nothing
hlod build ~ ^nothing
view diff hlod
view show ~ same
|  Valley  same  4 findings
press q
# Two runs: the cursor is a frame, Enter lists its cells, m shows them.
path load @FIXTURES@/streaming/drive.csv drive ~ ^nothing
view diff run now sim.Latency=400 -p drive
view show
|  Valley  two runs  4 findings
|  Diff run now sim.Latency=400 -p drive    map >
|  Runs       1 column = 6 frames
|  differ     _-^^^^^^^^--^^--^^^-^^^^^^^^^^^^^^^^^-------....___      peak 17
|  loaded  l  __...........---------^^^^^^^^^^^^^^^^^^^^^^^^^^^^^      peak 44
|          r  _____________.............-------------^^--^^^^^^^^      peak 44
|  waiting l  -.__                                                     peak 14
|          r  -^^^^----...--..-----^^^^^^^^^^---^-----....____         peak 14
|  show ms l   ^--__  _   __   ___ _.__ __  .__  __  ____ __   _       peak 0.65
|          r       ^  _.   -   _.  __   .   .   -__  .__ ___ . _       peak 0.65
|  MiB     l  __...........---------^^^^^^^^^^^^^^^^^^^^^^^^^^^^^      peak 3.938
|          r  _____________.............--------^^---^^^^^^^^^^^^      peak 3.938
|             ^ 5
| --------------------------------------------------------------------------------
|  frame  differ  left_loaded  right_loaded  left_bytes  right_bytes  left_waiting
|      5       4            5             1   576.0 KiB    112.0 KiB            10
|      6       8            5             1   576.0 KiB    112.0 KiB             6
|      7       8            5             1   576.0 KiB    112.0 KiB             6
|      8       8            5             1   576.0 KiB    112.0 KiB             6
| --------------------------------------------------------------------------------
|  (cellscope) view close
|  (cellscope) path load @FIXTURES@/streaming/drive.csv drive ~ ^nothing
|  (cellscope) view diff run now sim.Latency=400 -p drive
|  Enter Cells  m On map  v m Map  : Command  q Close  ? Help
press Down Down Enter
view show ~ HLOD0
|  -  Valley_MainGrid_HLOD0_1_1_0_0    loading      removed
|  ~  Valley_MainGrid_HLOD0_1_0_0_0    not_visible  loading
|  ~  Valley_MainGrid_HLOD0_0_0_0_0    not_visible  loading
|  -  Valley_MainGrid_HLOD0_0_-1_0_0   loading      removed
|  ~  Valley_MainGrid_HLOD0_2_0_0_0    not_visible  loading
|  ~  Valley_MainGrid_HLOD0_-1_0_0_0   not_visible  loading
|  -  Valley_MainGrid_HLOD0_1_-1_0_0   loading      removed
|  -  Valley_MainGrid_HLOD0_-1_-1_0_0  loading      removed
press q m
view show ~ --at
|  (cellscope) view map rows diff run now sim.Latency=400 -p drive --at 7
press q q
diff run now sim.Latency=400 -p drive --at 20
|    cell                                     left         right
| -  Valley_MainGrid_HLOD0_1_1_0_0            visible      removed
| -  Valley_MainGrid_HLOD0_-1_2_0_0           not_visible  removed
| -  Valley_MainGrid_HLOD0_1_0_0_0_dA255C564  not_visible  removed
| ~  Valley_MainGrid_HLOD0_1_0_0_0            visible      loading
| ~  Valley_MainGrid_HLOD0_0_0_0_0            visible      loading
| -  Valley_MainGrid_HLOD0_0_2_0_0            not_visible  removed
| -  Valley_MainGrid_HLOD0_0_-1_0_0           visible      removed
| -  Valley_MainGrid_HLOD0_-1_1_0_0           visible      removed
| ~  Valley_MainGrid_HLOD0_2_0_0_0            visible      loading
| -  Valley_MainGrid_HLOD0_0_1_0_0            visible      removed
| ~  Valley_MainGrid_HLOD0_-1_0_0_0           visible      loading
| -  Valley_MainGrid_-1_-1_0_0                loading      removed
| -  Valley_MainGrid_HLOD0_1_-1_0_0           visible      removed
| -  Valley_MainGrid_-1_0_0_0                 visible      removed
| -  Valley_MainGrid_HLOD0_-1_-1_0_0          visible      removed
| -  Valley_MainGrid_HLOD0_1_2_0_0            visible      removed
diff run now now -p drive --at 20 --json
| {"schema":"cellscope.run_cell/1","rows":[]}
expect error E_NOFRAME: diff run now sim.Latency=400 -p drive --at 900
# What the engine recorded stands below what was simulated.
open @FIXTURES@/streaming/street.json ~ ^nothing
source add Player0 -10000,4000,200
path load @FIXTURES@/streaming/profile.csv real ~ ^nothing
path follow Player0 real
step 40 ~ ^nothing
press v g
view show
|  Street  frame 40 1.089s  paused  loading 0/4  1.2 MiB
|  Timeline  frames 0..54                                      1 column = 1 frame
|  loads    ^           _                 _                        peak 5
|  waiting                                                         peak 0
|  show ms              .  ^            .    ^                     peak 0.6
|  real upd      _______^^______________^___________               peak 0.40
|  perf     C.......................................               S slow C crit
|  stalls   B                                                      longest 53 ms
|  real ms  ____________^______________-____________               peak 180.0
|  MiB      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^               peak 1.2
|  loading              ^^^               ^^^                      peak 1
|  real que         ^^^^^^^^^^^^                                   peak 2
|  real lvl      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^               peak 4
|  layers
|                                                  ^ 40
| --------------------------------------------------------------------------------
|  frame 40  show 0.0 ms  stall 0.0 ms  loads 0  waiting 0  loading 0  real 20.0 ~
|
|  no cell or page was under way in these frames
| --------------------------------------------------------------------------------
|  (cellscope) path follow Player0 real
|  (cellscope) step 40 ~ ^nothing
|  (cellscope) view timeline
|  x Worst  } Next  { Before  + - Zoom  Enter Open  v m Map  : Command  ? Help
press q
view diff run now sim.ShowPerActor=2 -p real
view show ~ real
|  Diff run now sim.ShowPerActor=2 -p real    map >
|  real show                  ^^^^^             ^^^^^                  peak 0.05
|  real ms     ^              ^^^^^             ^^^^^                  peak 20
|  (cellscope) path follow Player0 real
|  (cellscope) view diff run now sim.ShowPerActor=2 -p real
# The frame with which a view compares may be gone; then the view has no columns to sort by.
press q
open @FIXTURES@/valley.json
| Valley: 44 cells, 60 actors, profile 5.4
source add Player0 33000,15000,0
step 20 ~ frame
| frame 20  t 0.333  Player0 (33000,15000,0) v (0,0,0)
view diff frame 2
view show ~ differences
|  Valley  16 differences  frame 20 0.333s  loading 0/4  waiting 9  1.5 MiB
goto 0 ~ frame
| frame 0  t 0.000  Player0 (33000,15000,0) v (0,0,0)
source move Player0 0,0,0
view show ~ reached
|  frame 2 cannot be reached: the history contains frames 0 to 0
expect error E_NOFRAME: view sort next
# The key e shows both trails, also of a comparison with the open world, but of no actor of a
# standalone level, which the map of the main world does not show either.
open @FIXTURES@/valley.json
|...
cook @FIXTURES@/valley.json -o @OUT@/newer.cworld --profile 5.7
|...
view size 100x24
view diff @OUT@/newer.cworld
view cursor last
press Up Up Up Up Up e
view show
|...
|~ ^ Trails SM_Bridge now .*newer.cworld
|...
view close
view diff now @OUT@/newer.cworld
view cursor last
press Up Up Up Up Up e
view show
|...
|~ ^ Trails SM_Bridge now .*newer.cworld
|...
open @FIXTURES@/streaming/estate.json
|...
view diff actor.Bed.spatially_loaded=off
view cursor last
view show ~ /Fold/
|  Left Fold  Right Unfold  m On map  Enter Open  e Explain  y Why  v m Map  : Command  ? Help
view map rows diff actor.Bed.spatially_loaded=off
view show
|...
|~ ^ diff actor.Bed.* untouched 3
|...
