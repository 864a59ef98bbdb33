# SPDX-License-Identifier: Apache-2.0
# Answers that were wrong once, on a world built so that the wrong answer is possible: an external
# data layer that is off, layers that combine by And, a grid of clients, a range that is assumed.
open @FIXTURES@/streaming/season.json
| Season: 7 cells, 7 actors, profile 5.4
| loading ranges are assumed, because the source does not contain them: see `grids`
source add Player0 300,300,0
# An external data layer that is off holds the cells of others down.
step 60 ~ change
| 4 changes  loading 0  waiting 0  activated 4  resident 0.3 MiB  hash eb156b78
why-layer Fair
| Fair  activated: the external data layer of its cells is not activated (rule 2.8)
|   target    activated, at first activated
|   held      1 of the cells in range, by Winter
|   cells     1, loaded 0, visible 0; in range 1, of these arrived 0
|   try       layer-impact Winter activated
|   try       cells -w "'Fair' IN (SELECT value FROM json_each(layers))"
assert (SELECT count(*) FROM layers WHERE label = 'Fair' AND state = 'Activated') = 1
# All layers of a cell must be activated.
why-layer Quest
| Quest  activated: another layer of its cells is not activated (rule 2.8)
|   target    activated, at first activated
|   held      1 of the cells in range, by Night
|   cells     1, loaded 0, visible 0; in range 1, of these arrived 0
|   try       layer-impact Night activated
|   try       cells -w "'Quest' IN (SELECT value FROM json_each(layers))"
layer set Night ACTIVATED
| Night: activated (set)
step 60 ~ change
| 1 change  loading 0  waiting 0  activated 5  resident 0.4 MiB  hash ea68e4b4
why-layer quest ~ Quest
| Quest  activated: all of its cells in range are visible (rule 2.8)
|   try       layer-impact Quest unloaded
|   try       cells -w "'Quest' IN (SELECT value FROM json_each(layers))"
# A server has no cells of clients.
role dedicated
| dedicated: a new run at frame 0
layer set Night activated
| Night: activated (set)
step 2 ~ change
| 5 changes  loading 5  waiting 0  activated 0  resident 0.0 MiB  hash 439aad01
why-layer Glow
| Glow  activated: its cells exist on clients only, and this is a server (rule 2.7)
|   target    activated, at first activated
|   absent    1 of its cells are client-only
|   cells     1, loaded 0, visible 0; in range 0, of these arrived 0
|   try       layer-impact Glow unloaded
|   try       cells -w "'Glow' IN (SELECT value FROM json_each(layers))"
layer-impact Glow unloaded
| cell                              before     after     in_range
| Season_Effects_0_0_0_0_dED474E61  activated  unloaded  no
why-layer Night ~ Night
| Night  activated: some of its cells are still loading or being shown (rule 2.6)
|   try       layer-impact Night unloaded
|   try       cells -w "'Night' IN (SELECT value FROM json_each(layers))"
# The states of layers on a client are those that the server sends.
role client
| client: a new run at frame 0
layer set Night activated
| Night: activated (clients do not decide: ignored; --replicated sets what the server sends, rule 2.8)
why-layer Night ~ Night
| Night  unloaded: the server has not activated it (rule 2.8)
|   try       layer-impact Night activated
|   try       cells -w "'Night' IN (SELECT value FROM json_each(layers))"
layer set Night activated --replicated
| Night: activated (set, by the server)
wp.Runtime.SetDataLayerRuntimeState loaded Night
| Night: loaded (set, by the server)
# What is not known is an error for both, and the known one is set.
expect error E_NOLAYER: layer set Nigth activated
expect error E_NOLAYER: wp.Runtime.SetDataLayerRuntimeState Activated Nigth,Night
assert (SELECT target FROM layers WHERE label = 'Night') = 'activated'
# A new run says what it resets.
wp.Runtime.MaxLoadingStreamingCells 1
wp.Runtime.OverrideRuntimeLoadingRange -grid=Effects -range=100
| Effects: loading range 100 cm
role standalone
| standalone: a new run at frame 0
| reset: wp.Runtime.MaxLoadingStreamingCells, was 1
| reset: loading range of Effects, was 100
# A range that the source does not say is marked, and one that was set too.
grids -c name,loading_range,range_from,cooked_range
| name             loading_range  from     cooked_range
| MainGrid                 25600  assumed         25600
| Effects                  25600  cooked          25600
| PersistentLevel              0  cooked              0
source add Player0 300,300,0
map ~ MainGrid
| Season  MainGrid L0  cell 12800 cm  range 25600 (assumed)  frame 0  Player0 (300,300)
step 60 ~ change
| 4 changes  loading 0  waiting 0  activated 4  resident 0.3 MiB  hash eb156b78
why-not cell L0:3,0
| it is not there because: no source reaches it (rule 2.2.4)
| MainGrid_3_0_0_0  unloaded
|   wanted    unloaded, by rule 2.2.4 out_of_range: no source reaches it
|   layers    allow activated
|   source    Player0  distance 39701 of radius 25600 (assumed)  does not reach it
|   try       wp.Runtime.OverrideRuntimeLoadingRange -grid=MainGrid -range=CM  (it is assumed)
|   try       probe X,Y,Z
|   try       source move NAME X,Y,Z
wp.Runtime.OverrideRuntimeLoadingRange -grid=MainGrid -range=30000
| MainGrid: loading range 30000 cm
grids -c name,loading_range,range_from,cooked_range
| name             loading_range  from      cooked_range
| MainGrid                 30000  override         25600
| Effects                  25600  cooked           25600
| PersistentLevel              0  cooked               0
map ~ MainGrid
| Season  MainGrid L0  cell 12800 cm  range 30000 (override)  frame 60  Player0 (300,300)
# A cell that waits for budget is wanted.
role standalone
| standalone: a new run at frame 0
| reset: loading range of MainGrid, was 30000
wp.Runtime.MaxLoadingStreamingCells 1
source add Player0 300,300,0
step ~ change
| 1 change  loading 1  waiting 3  activated 0  resident 0.0 MiB  hash 2c58d2f0
assert (SELECT count(*) FROM cells WHERE state = 'waiting') = 3
assert (SELECT wanted FROM cells WHERE state = 'waiting' LIMIT 1) = 'activated'
# What has arrived is in no list.
step 200 ~ change
| 4 changes  loading 0  waiting 0  activated 4  resident 0.3 MiB  hash d8474af8
assert (SELECT count(*) FROM "order") = 0
queue
| rank  cell  state  starts_in  done_in  bytes
# A number behind break frame is the frame.
tbreak frame 210
| breakpoint 1: frame if frame = 210
continue ~ stopped
| stopped: breakpoint 1, frame (hit 1)
assert frame() = 210
# All cells that forced a wait have their names.
role standalone
source add Player0 200000,0,0
step 10 ~ change
| 0 changes  loading 0  waiting 0  activated 0  resident 0.0 MiB  hash 31bb4f4b
source move Player0 12500,12500,0
step 60 ~ change
| 4 changes  loading 0  waiting 0  activated 4  resident 0.3 MiB  hash 504dc4dc
stalls -c cells,critical
| cells  critical
|     3  Season_MainGrid_0_0_0_0, Season_MainGrid_0_1_0_0, Season_MainGrid_1_0_0_0
# They are cells of registered world partitions.
open @FIXTURES@/streaming/season.json
| Season: 7 cells, 7 actors, profile 5.4
| loading ranges are assumed, because the source does not contain them: see `grids`
partition add @FIXTURES@/streaming/season.json --name Second --at 100,100,0
| partition 1: Second, 7 cells
wp.Runtime.BlockOnSlowStreaming 0
source add Player0 12500,12500,0
step ~ change
| 4 changes  loading 4  waiting 4  activated 0  resident 0.0 MiB  hash f6683c79
partition register Second off
wp.Runtime.BlockOnSlowStreaming 1
step ~ change
| 6 changes  loading 0  waiting 0  activated 3  resident 0.2 MiB  hash 09d44d50
stalls -c cells,critical
| cells  critical
|     3  Season_MainGrid_0_0_0_0, Season_MainGrid_0_1_0_0, Season_MainGrid_1_0_0_0
# No source reaches a cell of one that is not registered.
why cell Season_MainGrid_0_0_0_0 -P Second --json
| {"schema":"cellscope.why_cell/1","rows":[
|~ .*"hits":0,"source_priority":255,.*"blocking_ratio":null,.*
| ]}
# A question changes no answer: the cells were decided with the ranges of the last frame, whatever
# ranges the frames have that `queue` simulates.
open @FIXTURES@/streaming/street.json
| Street: 13 cells, 123 actors, profile 5.4
source add Player0 -45000,4000,200 --angle 120
step 60 ~ change
| 3 changes  loading 0  waiting 0  activated 3  resident 0.8 MiB  hash c919c564
wp.Runtime.OverrideRuntimeLoadingRange -grid=MainGrid -range=800
| MainGrid: loading range 800 cm
why L0:-3,0 ~ Player0
|   source    Player0  distance 7200 within radius 25600  reaches it
queue
| rank  cell  state  starts_in  done_in  bytes
why L0:-3,0 ~ Player0
|   source    Player0  distance 7200 within radius 25600  reaches it
goto 1 ~ frame
| frame 1  t 0.069  Player0 (-45000,4000,200) v (0,0,0)
goto 60 ~ frame
| frame 60  t 1.052  Player0 (-45000,4000,200) v (0,0,0)
why L0:-3,0 ~ Player0
|   source    Player0  distance 7200 within radius 25600  reaches it
# In a flat grid the height of an actor does not count.
open @FIXTURES@/streaming/tower.json
| Tower: 2 cells, 2 actors, profile 5.4
why-level Tower
| Tower  StaticMeshActor  guid 00000000000000000000000000000001
|   1 1.6.6   so it can stream            yes                           -> spatial
|   2 1.5     actors that share its cell  1 actor, alone
|   3 1.5     bounds of the set           longest extent 2000 cm in X, Y
|   4 1.6.2   runtime grid                named                            -> Flat
|   5 1.6.4   level                       level 0, cells of 12800         -> taken
|   = 1.6.5   Tower_Flat_0_0_0_0
why-level Mast
| Mast  StaticMeshActor  guid 00000000000000000000000000000002
|   1 1.6.6   so it can stream            yes                           -> spatial
|   2 1.5     actors that share its cell  1 actor, alone
|   3 1.5     bounds of the set           longest extent 90000 cm
|   4 1.6.2   runtime grid                named                            -> Deep
|   5 1.6.4   level                       level 0, cells of 12800     -> too small
|   6 1.6.4   level                       level 1, cells of 25600     -> too small
|   7 1.6.4   level                       level 2, cells of 51200     -> too small
|   8 1.6.4   level                       level 3, cells of 102400        -> taken
|   = 1.6.5   Tower_Deep_0_0_0_3
# An HLOD actor is no hole before anything has run.
open @FIXTURES@/streaming/street.json
| Street: 13 cells, 123 actors, profile 5.4
hlod build ~ actors
| 13 HLOD actors
source add Player0 -45000,4000,200
hlod check
| hlod  fault  source  home
assert (SELECT count(*) FROM hlods) > 0
hlod why -w "state = 'Hole'"
| hlod  state  source  source_state  home_state  in_range
# Nor is one on a server, which has no HLOD actors.
role dedicated
| dedicated: a new run at frame 0
step ~ change
| 10 changes  loading 10  waiting 0  activated 0  resident 0.0 MiB  hash f1588b49
hlod check
| hlod  fault  source  home
role standalone
| standalone: a new run at frame 0
# A cell whose old level is still in memory waits like any other, and every answer says so.
open @FIXTURES@/streaming/street.json
| Street: 13 cells, 123 actors, profile 5.4
source add Player0 0,4000,200 --block off
step 60 ~ change
| 4 changes  loading 0  waiting 0  activated 4  resident 1.0 MiB  hash d00c9795
source move Player0 900000,0
step 20 ~ change
| 4 changes  loading 0  waiting 0  activated 0  resident 0.0 MiB  hash 3c4a9453
wp.Runtime.MaxLoadingStreamingCells 1
source move Player0 0,4000,200
step ~ change
| 4 changes  loading 1  waiting 3  activated 0  resident 0.0 MiB  hash 25af888a
cells -w "status = 1" -c name,state,wanted,since
| name                      state    wanted     since
| Street_MainGrid_-2_0_0_0  waiting  activated     61
| Street_MainGrid_-1_0_0_0  waiting  activated     61
| Street_MainGrid_1_0_0_0   waiting  activated     61
assert (SELECT count(*) FROM cells WHERE state = 'waiting') = 3
# A cell that only snapping wants, and one that no source reaches, have the sort keys by which they
# wait in each answer, and a cell to activate goes before one to load, whatever their keys are.
open @FIXTURES@/streaming/snapped.json
| Snapped: 4 cells, 4 actors, profile 5.3
wp.Runtime.MaxLoadingStreamingCells 1
source add Player0 27000,0,0
step ~ change
| 1 change  loading 1  waiting 2  activated 0  resident 0.0 MiB  hash 5c557c8b
order -c list,rank,cell,source,level,priority
| list              rank  cell                                 source  level  prio
| activate             1  Snapped_MainGrid_L1_X2_Y0               128      1     3
| activate             2  Snapped_MainGrid_L0_X3_Y0               128      0     3
| load                 1  ..pped_MainGrid_L4_X0_Y0_DLD31E0A7A       0      4     3
| pending_activate     1  Snapped_MainGrid_L1_X2_Y0               128      1     3
queue -c rank,cell,source,level,priority,spatial
| rank  cell                                  src  lvl  prio  spatial
|    1  Snapped_MainGrid_L1_X2_Y0             128    1     3        0
|    2  Snapped_MainGrid_L0_X3_Y0             128    0     3        0
|    3  Snapped_MainGrid_L4_X0_Y0_DLD31E0A7A    0    4     3        0
why L1:2,0 ~ order
|   order     source 128  level 1  prio 3  spatial 0.0000
compare L0:3,0 L4:0,0
| MainGrid_L0_X3_Y0 comes before MainGrid_L4_X0_Y0_DLD31E0A7A, by list (rule 2.3.1)
compare L4:0,0 L0:3,0 --json
| {"schema":"cellscope.comparison/1","rows":[
| {"first":"Snapped_MainGrid_L0_X3_Y0","second":"Snapped_MainGrid_L4_X0_Y0_DLD31E0A7A","decided_by":"list","number":"2.3.1"}
| ]}
# A cell outside of the levels comes before all levels, and no answer gives it a number for that.
open @FIXTURES@/checks/load-filters.json
edit '{"guid":"00000000000000000000000000000002","name":"Pyre","spatially_loaded":false,"data_layers":["Effects"]}' ~ nothing
source add Player0 0,0,0
layer set Effects activated ~ nothing
step ~ nothing
order -n 1 -c rank,cell,level --json
| {"schema":"cellscope.order_row/1","rows":[
| {"rank":1,"cell":"Yard_MainPartition_L-1_X0_Y0_d64397CE6","level":null}
| ]}
probe 0,0,0 -n 1 -c rank,cell,level --json
| {"schema":"cellscope.probe/1","rows":[
| {"rank":1,"cell":"Yard_MainPartition_L-1_X0_Y0_d64397CE6","level":null}
| ]}
# A cell that no source reaches has the sort keys by which it stands in its list, in every answer.
open @FIXTURES@/streaming/estate.json > /dev/null
role dedicated
source add P 0,0
step 1 > /dev/null
order -n 1 -c source,level,priority,spatial --csv
| source,level,priority,spatial
| 255,0,0,1
queue -n 1 -c source,level,priority,spatial --csv
| source,level,priority,spatial
| 255,0,0,1
why cell MainGrid_0_0_0_0 ~ order
|   order     source 255  level 0  prio 0  spatial 1.0000
