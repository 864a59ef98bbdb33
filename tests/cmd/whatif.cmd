# SPDX-License-Identifier: Apache-2.0
# Before and after: two cooks, one setting, one setting at several values, along a path.
cook @FIXTURES@/valley.json -o @OUT@/before.cworld
cook @FIXTURES@/valley.json --profile 5.7 -o @OUT@/after.cworld
diff world @OUT@/before.cworld @OUT@/after.cworld --stat
| kind     new  gone  moved  renamed  guid  bounds  changed
| world      0     0      0        0     0       0        1
| grid       0     1      0        0     0       0        3
| layer      0     0      0        0     0       0        0
| cell      44    44      0        0     0       0        0
| actor      0     0      3        0     0       0        0
| finding    0     1      0        0     0       0        0
diff world @OUT@/before.cworld @OUT@/before.cworld --stat
| kind     new  gone  moved  renamed  guid  bounds  changed
| world      0     0      0        0     0       0        0
| grid       0     0      0        0     0       0        0
| layer      0     0      0        0     0       0        0
| cell       0     0      0        0     0       0        0
| actor      0     0      0        0     0       0        0
| finding    0     0      0        0     0       0        0
diff world @OUT@/before.cworld @OUT@/after.cworld -w "kind = 'actor'" -n 4 -c what,right,reasons,rule
| what        right                         reasons                  rule
| BP_Manager  Valley_MainGrid_L-1_X0_Y0_Z0  moved profile            1.6.2
| SM_Bridge   Valley_MainGrid_L-1_X0_Y0_Z0  moved profile            1.6.2
| Ghost_1     -                             moved placement profile  1.3
open @FIXTURES@/valley.json
path load @FIXTURES@/streaming/drive.csv drive
whatif MainGrid.cell_size=25600
| count                  before  after
| cells                      44     24
| streaming_levels           43     23
| always_loaded_actors        3      3
| cells_above_level_0         1      0
| most_actors_in_a_cell       6     10
| findings                    3      3
whatif MainGrid.cell_size=25600 --path drive
| count                   before    after
| cells                       44       24
| streaming_levels            43       23
| always_loaded_actors         3        3
| cells_above_level_0          1        0
| most_actors_in_a_cell        6       10
| findings                     3        3
| peak_cells                  22       13
| peak_actors                 34       41
| peak_bytes             1998848  1523712
| loads                       30       16
| stall_ms                     0        0
expect error E_MISSING: whatif MainGrid.cell_size=25600 --path walk
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
