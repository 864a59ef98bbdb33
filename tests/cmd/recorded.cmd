# SPDX-License-Identifier: GPL-3.0-or-later
# A recorded run: a CSV profile of the engine drives streaming frame by frame.
open @FIXTURES@/streaming/street.json
| Street: 13 cells, 123 actors, profile 5.4
source add Player0 -10000,4000,200
path load @FIXTURES@/streaming/profile.csv real
| path real: 40 keys, 1.036 s, recorded frame by frame
info paths
| name  keys  seconds  velocity  recorded
| real    40   1.0355  no        yes
path follow Player0 real
step 40 ~ frame
| frame 40  t 1.089  Player0 (18476.2,4000,200) v (27500,0,0)
# Frames as long as they were: the thirteenth and the twenty-eighth.
frames -w "length > 20" -c frame,time,length,recorded_frame_time,recorded_events
| frame    time  length  recorded_frame_time  recorded_events
|    13  0.4732     180                  180  Map/Hitch;GC
|    28  0.8487    95.5                 95.5  -
# Measured beside simulated.
frames -s -recorded_frame_time -n 3
| frame  loads  unloads  waiting  loading  ..formance  stall  cells    bytes  recorded_frame_time  recorded_streaming  recorded_level_streaming  recorded_queued
|    13      1        1        0        1  good            0      4  1048576                  180                 0.1                       0.4                2
|    28      0        0        0        0  good            0      5  1310720                 95.5                 0.1                      0.05                0
|     1      5        0        0        0  critical    53.24      5  1310720                   20                   0                         0                0
sql SELECT sum(length), sum(recorded_frame_time), max(recorded_queued), max(loading) FROM frames
| sum(length)  sum(recorded_frame_time)  max(recorded_queued)  max(loading)
|      1035.5                    1035.5                     2             1
plot recorded_frame_time
|        180 |            #                           |
|            |            #                           |
|        135 |            #                           |
|            |            #              .            |
|         90 |            #              #            |
|            |            #              #            |
|         45 |            #              #            |
|          0 |########################################|
|            frame 1 to 40, highest 180
# The load model as it was measured, and how well that fits.
sim fit --dry-run -c variable,before,after,measured,simulated,goodness,frames
| variable             before     after  measured  simulated  goodness  frames
| sim.ShowPerActor       0.05   0.08333       2.8       1.68   -4.6044      40
| sim.HidePerActor       0.02   0.03333       2.8       1.68   -4.6044      40
| sim.LoadPerActor       0.02    0.1071         9       1.68    -4.066      40
| sim.WorldUpdateCost     0.1   0.09872      3.85        3.9   -2.1337      40
| sim.Latency              50  124.2857  114.2857         40     -0.25      40
# Back and forth leads to the same states.
hash 20
| 1579d7472248f2ae  frame 20
goto 40 ~ frame
| frame 40  t 1.089  Player0 (18476.2,4000,200) v (27500,0,0)
hash 20
| 1579d7472248f2ae  frame 20
# Behind its end frames have the length that was set.
step ~ frame
| frame 41  t 1.105  Player0 (18476.2,4000,200) v (0,0,0)
frames -n 1 -s -frame
| frame  loads  unloads  waiting  loading  performance  stall  cells    bytes
|    41      0        0        0        0  good             0      5  1310720
sim fit -w "fitted" -c variable,after
| variable                after
| sim.ShowPerActor      0.08333
| sim.HidePerActor      0.03333
| sim.LoadPerActor       0.1071
| sim.WorldUpdateCost   0.09872
| sim.Latency          124.2857
variable sim.ShowPerActor
| sim.ShowPerActor = 0.0833333333333333 ms
# The classes of a cell share all of its bytes: 5 cells of 262144 bytes with 12 actors each.
path report -c peak_bytes,peak_actors
| peak_bytes  peak_actors
|    1310720           60
path report --by class
| class                           actors   shared  measured
| /Script/Engine.StaticMeshActor      60  1310720         -
# What it is not.
expect error E_SETTING: path load @FIXTURES@/streaming/hitch.cmd
# Files of real runs as tables, each row with its file and line.
run open @FIXTURES@/streaming/real.log @FIXTURES@/streaming/profile.csv -c kind,seconds,frames,cells,sources,events,missing
| kind         seconds  frames  cells  sources  events  missing
| log             0.34       0      2        1       2  frames, levels
| CSV profile   1.0355      40      0        0       0  states of cells, levels,..
sql SELECT time, frame, cell, state, line FROM run_cells
| time  frame  cell                     state    line
| 0.02      1  Street_MainGrid_0_0_0_0  loading     3
| 0.32     19  Street_MainGrid_0_0_0_0  loaded      4
sql SELECT kind, value, line FROM run_events
| kind   value  line
| map        -     2
| flush     43     5
sql SELECT source, priority, position FROM run_sources
| source   priority  position
| Player0       128  [735,1109,235]
sql SELECT ms, position, events, line FROM run_frames WHERE ms > 20
|   ms  position            events        line
|  180  [1550,4000,200]     Map/Hitch;GC    14
| 95.5  [11876.2,4000,200]  -               29
# The clocks of these two files have nothing in common.
run compare -n 1 -c cell,cause
| no state of a cell is within 45464929 s of the frames: --offset corrects clocks that differ
| cell                      cause
| Street_MainGrid_-3_0_0_0  never asked for
run compare --offset 0 -n 1 -c cell,cause
| cell                      cause
| Street_MainGrid_-3_0_0_0  never asked for
expect error E_MAGIC: run open @FIXTURES@/streaming/drive.csv
expect error E_MAGIC: run open @FIXTURES@/formats/columns.cworld
run close
sql SELECT count(*) FROM run_files
| count(*)
|        0
