# SPDX-License-Identifier: Apache-2.0
# Before and after: two cooks, one setting, one setting at several values, along a path.
cook @FIXTURES@/valley.json -o @OUT@/valley54.cworld
cook @FIXTURES@/valley.json --profile 5.7 -o @OUT@/valley57.cworld
diff world @OUT@/valley54.cworld @OUT@/valley57.cworld --stat
| kind        new  gone  moved  renamed  guid  bounds  changed
| world         0     0      0        0     0       0        1
| grid          0     1      0        0     0       0        3
| layer         0     0      0        0     0       0        0
| hlod_layer    0     0      0        0     0       0        0
| cell          1     1      0       43     0       0        0
| actor         0     0      3        0     0       0        0
| finding       1     2      0        0     0       0        0
| differs by rule: 44 cells, 60 actors compared; 56 differences by rule, 0 unexplained
diff world @OUT@/valley54.cworld @OUT@/valley54.cworld --stat
| kind        new  gone  moved  renamed  guid  bounds  changed
| world         0     0      0        0     0       0        0
| grid          0     0      0        0     0       0        0
| layer         0     0      0        0     0       0        0
| hlod_layer    0     0      0        0     0       0        0
| cell          0     0      0        0     0       0        0
| actor         0     0      0        0     0       0        0
| finding       0     0      0        0     0       0        0
| same: 44 cells, 60 actors compared
diff world @OUT@/valley54.cworld @OUT@/valley57.cworld -w "kind = 'actor'" -n 4 -c what,right,reasons,rule
| what        right                         reasons                  rule
| BP_Manager  Valley_MainGrid_L-1_X0_Y0_Z0  moved profile            1.6.2
| SM_Bridge   Valley_MainGrid_L-1_X0_Y0_Z0  moved profile            1.6.2
| Ghost_1     -                             moved placement profile  1.3
| differs by rule: 44 cells, 60 actors compared; 56 differences by rule, 0 unexplained
open @FIXTURES@/valley.json
path load @FIXTURES@/streaming/drive.csv drive
whatif MainGrid.cell_size=25600
| count                   before     after
| cells                       44        24
| streaming_levels            43        23
| always_loaded_actors         3         3
| cells_above_level_0          1         0
| most_actors_in_a_cell        6        10
| findings                     4         4
| lost_actors                  0         0
| actors_in_memory       30.0545   34.6909
| cells_in_memory        20.0182   10.6364
| cost                     216.2  145.7818
| level 0                     42        23
| level 1                      1         0
| always: own setting          2         2
| always: reference            1         1
| largest cell: Valley_MainGrid_4_0_0_0, then Valley_MainGrid_2_0_0_0
whatif MainGrid.cell_size=25600 --path drive
| count                   before     after
| cells                       44        24
| streaming_levels            43        23
| always_loaded_actors         3         3
| cells_above_level_0          1         0
| most_actors_in_a_cell        6        10
| findings                     4         4
| lost_actors                  0         0
| actors_in_memory       30.0545   34.6909
| cells_in_memory        20.0182   10.6364
| cost                     216.2  145.7818
| peak_cells                  22        13
| peak_actors                 34        41
| peak_bytes             1998848   1523712
| loads                       30        16
| stall_ms                     0         0
| stalls                       0         0
| short_frames                 0         0
| slow_frames                  0         0
| critical_frames              0         0
| level 0                     42        23
| level 1                      1         0
| always: own setting          2         2
| always: reference            1         1
| largest cell: Valley_MainGrid_4_0_0_0, then Valley_MainGrid_2_0_0_0
# At a range of 0 a source is in reach of the cell in whose content it is, in a hash set.
whatif MainGrid.loading_range=0 Small.loading_range=0 ~ in_memory
| actors_in_memory       30.0545  5.1636
| cells_in_memory        20.0182  2.0545
expect error E_MISSING: whatif MainGrid.cell_size=25600 --path walk
expect error E_USAGE: sweep MainGrid.cell_size=6400..25600 --steps 2 --budget peak_actors=40
expect error E_USAGE: sweep MainGrid.cell_size=6400..25600 --steps 2 --budget second=3
sweep MainGrid.cell_size=6400..51200 --steps 3
| value  cells  always  above_0  most  peak_cells  peak_actors  peak_bytes  loads
|  6400     47       3        1     4           -            -           -      -
| 28800     20       3        0    14           -            -           -      -
| 51200     13       3        0    19           -            -           -      -
sweep MainGrid.cell_size=6400..51200 --steps 3 -p drive -s peak_bytes -c value,cells,peak_cells,peak_bytes,loads
| value  cells  peak_cells  peak_bytes  loads
| 51200     13           8     1310720      8
| 28800     20          12     1425408     14
|  6400     47          25     2195456     33
# What is no sweep; and the world is as it was.
expect error E_USAGE: sweep MainGrid.cell_size
expect error E_USAGE: sweep MainGrid.cell_size=5
expect error E_USAGE: sweep MainGrid.cell_size=9..5
expect error E_USAGE: sweep MainGrid.cell_size=1..nothing
expect error E_USAGE: sweep MainGrid.cell_size=1..5 --steps 1
expect error E_NOGRID: sweep Nowhere.cell_size=1..5
assert (SELECT count(*) FROM cells) = 44

# A setting of an actor, a reference cut, actors that become always loaded, with their reasons.
whatif actor.Rock_1187.is_spatially_loaded=off --always
|    actor      why
| +  Rock_1187  own setting
whatif actor.SM_Bridge.references-=BP_Manager --always
|    actor      why
| -  SM_Bridge  reference
whatif class.PointLight.spatially_loaded=off layer.DL_Quest.initial=activated -w "count LIKE 'always%'"
| count                 before  after
| always_loaded_actors       3      4
| always: own setting        2      3
| always: reference          1      1
| largest cell: Valley_MainGrid_4_0_0_0, then Valley_MainGrid_4_0_0_0
whatif actor.Torch_0.data_layers-=DL_Night --diff -w "kind = 'actor'" -c what,left,right,reasons
| what     left                              right                    reasons
| Torch_0  ..ley_MainGrid_2_1_0_0_dB2E340D4  Valley_MainGrid_2_1_0_0  moved layers
expect error E_NOACTOR: whatif actor.Nobody.grid=Small
expect error E_SETTING: whatif actor.Rock_1187.guid=1
expect error E_NOLAYER: whatif layer.Nowhere.initial=loaded

# A plot of one setting, a field of two, the best within a budget.
sweep MainGrid.cell_size=6400..51200 --steps 4 --plot
|         6400 |################################################ 230.436
|      21333.3 |################################# 158.309
|      36266.7 |############################ 132.418
|        51200 |########################## < 122.164
| least cost: MainGrid.cell_size=51200, 122.164
sweep MainGrid.cell_size=6400..25600 MainGrid.loading_range=12800..38400 --steps 3 --plot --path drive --best loads --budget peak_actors=40
| MainGrid.cell_size down, MainGrid.loading_range across
|                   12800      25600      38400
|         6400         18         27         33
|        16000         14         22         28
|        25600<        10         13x        16
| least loads within the budget: MainGrid.cell_size=25600 MainGrid.loading_range=12800, 10
sweep MainGrid.cell_size=6400..25600 MainGrid.loading_range=12800..38400 --steps 2 --svg @OUT@/sweep.svg -c value,second,cost,best
| wrote @OUT@/sweep.svg
| value  second      cost  best
|  6400   12800   80.2364  no
|  6400   38400  230.4364  no
| 25600   12800   73.2909  yes
| 25600   38400  145.7818  no
expect error E_USAGE: sweep MainGrid.cell_size=1..2 --best nothing
expect error E_USAGE: sweep MainGrid.cell_size=1..2 --budget cells

# Cells of level -1, which have no place, are not of level 0.
open @FIXTURES@/valley.json
| Valley: 44 cells, 60 actors, profile 5.4
whatif profile=5.7 actor.Rock_1187.spatially_loaded=off actor.Rock_1187.data_layers=DL_Night ~ /^level|^count/
| count                   before     after
| level -1                     0         1
| level 0                     42        42
| level 1                      1         1

# An HLOD setup whose source states no size or range has twice those of its grid, also of a changed
# grid; a changed setup keeps its own.
open @FIXTURES@/checks/invalid-hlod-layer.json
| Yard: 1 cell, 2 actors, profile 5.4
diff MainGrid.loading_range=50000 -w "kind = 'grid'" -c what,field,left,right
| what           field          left   right
| MainGrid       loading_range  25600  50000
| MainGrid:Near  loading_range  51200  100000
| differs by rule: 1 cell, 2 actors compared; 2 differences by rule, 0 unexplained
whatif MainGrid:Near.loading_range=60000 MainGrid.loading_range=50000 --diff -w "kind = 'grid'" -c what,field,left,right
| what           field          left   right
| MainGrid       loading_range  25600  50000
| MainGrid:Near  loading_range  51200  60000
