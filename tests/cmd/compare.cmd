# SPDX-License-Identifier: Apache-2.0
# Two runs along one path, frame by frame; two cooks for who reviews the change.
open @FIXTURES@/valley.json
path load @FIXTURES@/streaming/drive.csv drive
diff run now now -p drive
| 301 frames, the same in every cell
diff run now MainGrid.loading_range=12800 -p drive -n 4
| 290 of 301 frames differ, first frame 12:
|   Valley_MainGrid_-1_0_0_0: loading, removed
| frame  differ  left_loaded  right_loaded  left_bytes  right_bytes  left_waiting  right_waiting
|    12       1            1             1      114688       114688             0              0
|    13       1            1             1      114688       114688             0              0
|    14       1            1             1      114688       114688             0              0
|    15       1            1             1      114688       114688             0              0
diff run now sim.Latency=400 -p drive --stat
| 233 of 301 frames differ, first frame 16:
|   Valley_MainGrid_-1_0_0_0: visible, loading
| what                left    right   change
| first_frame            0        0        0
| frames               301      301        0
| loads                 30       30        0
| unloads               14       14        0
| failures               0        0        0
| thrash                14       14        0
| short_frames           0       93       93
| slow_frames            0        0        0
| critical_frames        0        0        0
| stalls                 0        0        0
| stall_ms               0        0        0
| skipped_frames        64       24      -40
| peak_cells            22       20       -2
| peak_actors           34       32       -2
| peak_bytes       1998848  1835008  -163840
| peak_frame           217      237       20
| peak_waiting           0        3        3
| peak_loading           4        4        0
diff run now actor.Rock_1187.spatially_loaded=off -p drive --all -n 2 -c frame,left_actors,right_actors
| 17 of 301 frames differ, first frame 207:
|   Valley_MainGrid_5_1_0_0: loading, removed
| frame  left_actors  right_actors
|     1            3             4
|     2            3             4
diff run @FIXTURES@/valley.json MainGrid.cell_size=25600 -p drive --stat --json ~ peak
| {"schema":"cellscope.run_sum/1","rows":[
| {"what":"peak_cells","left":22,"right":13,"change":-9},
| {"what":"peak_actors","left":34,"right":41,"change":7},
| {"what":"peak_bytes","left":1998848,"right":1523712,"change":-475136},
| {"what":"peak_frame","left":217,"right":181,"change":-36},
| {"what":"peak_waiting","left":0,"right":0,"change":0},
| {"what":"peak_loading","left":4,"right":3,"change":-1}
| ]}

# As it was recorded: a frame for each row, and what was measured beside it.
expect error E_USAGE: diff run now sim.Latency=100 -p drive --at 0
path load @FIXTURES@/streaming/profile.csv real
diff run now sim.ShowPerActor=2 -p real -n 3 -c frame,differ,left_ms,right_ms,recorded_frame_time,recorded_level_streaming,recorded_considered
| 6 of 40 frames differ, first frame 4:
|   Valley_MainGrid_0_-1_0_0: visible, making_visible
|   Valley_MainGrid_-1_0_0_0: visible, making_visible
| frame  differ  left_ms  right_ms  recorded_frame_time  recorded_level_streaming  recorded_considered
|     4       2      0.2         5                   20                         0                    0
|     5       0        0         3                   20                         0                    0
|     8       2     0.35         5                   20                      0.05                    4
expect error E_USAGE: diff run now now
expect error E_MISSING: diff run now now -p nowhere
expect error E_NOGRID: diff run now Nowhere.cell_size=1 -p drive
expect error E_SETTING: diff run now sim.Latency=soon -p drive

cook @FIXTURES@/valley.json -o @OUT@/review-a.cworld
cook @FIXTURES@/valley.json --profile 5.7 -o @OUT@/review-b.cworld
diff world @OUT@/review-a.cworld @OUT@/review-b.cworld --review -n 2
| settings: 5
|   world Valley.profile: 5.4 -> 5.7
|   grid MainGrid.flags: spatial -> spatial demotion
|   ... and 3 more: -n
| findings that are new: 1
|   WorldPartition_InvalidRuntimeGrid Ghost_1
| findings that are gone: 2
|   WorldPartition_InvalidActorHLODLayer Pebble_7
|   WorldPartition_InvalidRuntimeGrid Ghost_1
| actors in another cell: 3
|   BP_Manager: Valley_PersistentLevel_Persistent -> Valley_MainGrid_L-1_X0_Y0_Z0
|     left : runtime grid, (none) -> PersistentLevel (rule 1.6.2)
|     right: runtime grid, (none) -> MainGrid (rule 1.6.2)
|   SM_Bridge: Valley_PersistentLevel_Persistent -> Valley_MainGrid_L-1_X0_Y0_Z0
|     left : runtime grid, (none) -> PersistentLevel (rule 1.6.2)
|     right: runtime grid, (none) -> MainGrid (rule 1.6.2)
|   ... and 1 more: -n
| cells that appeared: 1
|   Valley_MainGrid_L-1_X0_Y0_Z0  2 actors
| cells that vanished: 1
|   Valley_PersistentLevel_Persistent  3 actors
| cells that were renamed: 43
|   Valley_MainGrid_-1_-1_0_0 -> Valley_MainGrid_L0_X-1_Y-1_Z0
|   Valley_MainGrid_-1_0_0_0 -> Valley_MainGrid_L0_X-1_Y0_Z0
|   ... and 41 more: -n
| cells with another GUID: 43
|   Valley_MainGrid_-1_-1_0_0: 5D29DD16190199FCFED8402F61F2938E -> BDA58939484B18E70ED1A89C2CBA6DD7
|   Valley_MainGrid_-1_0_0_0: 4F08A731EE0A4CCCC90073AD84821E3E -> 953F397C8BAC2EE9DF82204B704A7C4B
|   ... and 41 more: -n
| summary: 44 -> 44 cells, 60 -> 60 actors, fullest cell 6 -> 6
|          5 settings, 1 findings that are new, 2 findings that are gone, 3 actors in another cell, 1 cells that appeared, 1 cells that vanished, 43 cells that were renamed, 43 cells with another GUID
| differs by rule: 44 cells, 60 actors compared; 56 differences by rule, 0 unexplained
diff world @OUT@/review-a.cworld @OUT@/review-a.cworld --review
| no differences
| same: 44 cells, 60 actors compared
# A cell size, and an actor without its layer.
whatif Small.cell_size=3300 actor.Torch_1.data_layers= --diff -c change,kind,what,reasons
|    kind   what                               reasons
| ~  grid   Small                              cell_size
| ~  cell   Valley_MainGrid_2_1_0_0            content
| ~  cell   Valley_MainGrid_2_1_0_0_dB2E340D4  content
| ~  cell   Valley_Small_3_1_0_0               guid
| ~  actor  Torch_1                            moved layers
