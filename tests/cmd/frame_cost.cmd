# SPDX-License-Identifier: GPL-3.0-or-later
# What streaming costs the frames (rule 2.6.1): off, no frame grows; on, an actor is one piece.
open @FIXTURES@/streaming/street.json
| Street: 13 cells, 123 actors, profile 5.4
source add Player0 -10000,4000,200
path load @FIXTURES@/streaming/drive.csv drive
| path drive: 3 keys, 5.000 s
path follow Player0 drive
wp.Runtime.BlockOnSlowStreaming 0
sim.WorldUpdateCost 0
sim.ShowPerActor 20
checkpoint
| checkpoint 1 at frame 0
# Work is cut anywhere: no frame is longer than it was told.
step 300 ~ frame
| frame 300  t 5.000  Player0 (70000,4000,200) v (27499.8,0,0)
assert (SELECT max(length) FROM frames) < 17
assert (SELECT max(work) FROM frames) <= 10
# An actor of 20 ms is a frame of 20 ms, behind a limit of 5 ms, and the clock follows.
restart 1 ~ frame
sim.FrameCost 1
sim.LoadPerActor 0
step 300 ~ frame
| frame 300  t 5.400  Player0 (70000,4000,200) v (0,0,0)
sql SELECT length, count(*) FROM frames GROUP BY length
|  length  count(*)
| 16.6667       180
|      20       120
assert (SELECT abs(max(time) - sum(length) / 1000) < 1e-6 FROM frames)
hitches -n 1
| frame  ms  stall   bytes  loads  shows  waiting  cell
|     4  20      0  786432      0      0        0  MainGrid_-4_0_0_0
| dearest: MainGrid_-4_0_0_0 actors to show; to avoid that, make its actors cheaper: one takes 20.0 ms
| frame 4 took 20.0 ms: showing 1 actor of Street_MainGrid_-4_0_0_0: 20.0 ms; s.LevelStreamingActorsUpdateTimeLimit 5 ms cannot cut an actor
hitches -n 1 -c frame,length,grown,load,reason
| frame  length   grown  load  reason
|     4      20  3.3333     0  showing 1 actor of Street_MainGrid_-4_0_0_0: 20.0..
# What made it dear stays what it was then, whatever the variables are behind it.
hitches --cells -n 1 -c ms,why,avoid
|  ms  why             avoid
| 240  actors to show  make its actors cheaper: one takes 20.0 ms
sim.ShowPerActor 0.1
s.LevelStreamingActorsUpdateTimeLimit 500
hitches -n 1
| frame  ms  stall   bytes  loads  shows  waiting  cell
|     4  20      0  786432      0      0        0  MainGrid_-4_0_0_0
| dearest: MainGrid_-4_0_0_0 actors to show; to avoid that, make its actors cheaper: one takes 20.0 ms
| frame 4 took 20.0 ms: showing 1 actor of Street_MainGrid_-4_0_0_0: 20.0 ms; s.LevelStreamingActorsUpdateTimeLimit 5 ms cannot cut an actor
hitches --cells -n 1 -c ms,why,avoid
|  ms  why             avoid
| 240  actors to show  make its actors cheaper: one takes 20.0 ms
hitches 4 -n 1 ~ "show 20.0 ms of 5 "
# Creating, hiding and freeing have limits of their own; whole actors pass them.
restart 1 ~ frame
sim.FrameCost 1
sim.ShowPerActor 0
sim.LoadPerActor 7
sim.HidePerActor 3
sim.PurgePerLevel 4
sim.PurgeInterval 1
step 300 ~ frame
| frame 300  t 5.003  Player0 (70000,4000,200) v (23099.8,0,0)
hitches -s -load,frame -n 1 -c length,load,reason
|  length  load  reason
| 16.6667     7  -
hitches -s -purge,frame -n 1 -c length,purge,reason
| length  purge  reason
|     18      8  freeing unloaded levels: 8.0 ms, at 4 ms each (sim.PurgePerLevel)
sql SELECT DISTINCT work FROM frames
| work
|    0
|    3
s.AsyncLoadingTimeLimit 0
sim.GameThread 30
step 20 ~ frame
| frame 320  t 5.603  Player0 (70000,4000,200) v (0,0,0)
hitches -f 310..320 -n 1 -c length,reason
| length  reason
|     30  the game itself: 30.0 ms (sim.GameThread)
# What made a frame long stays what it was, whatever is set behind it.
sim.GameThread 0
hitches -f 310..320 -n 1 -c length,reason
| length  reason
|     30  the game itself: 30.0 ms (sim.GameThread)
# Back and forth over frames that grew the state is the same.
goto 200 ~ frame
| frame 200  t 3.335  Player0 (24203.3,4000,200) v (27500,0,0)
sql SELECT state_hash() AS before
| before
| 4909b6df81e2921d
step 60 ~ frame
| frame 260  t 4.336  Player0 (51740,4000,200) v (27500,0,0)
goto 200 ~ frame
| frame 200  t 3.335  Player0 (24203.3,4000,200) v (27500,0,0)
sql SELECT state_hash() AS behind
| behind
| 4909b6df81e2921d
# Where the simulator is simpler than an engine stands in its help, and holds while it is so.
help sim ~ FrameCost
| `variable sim.FrameCost 1` (default 0) removes the first two differences: frames
help sim ~ `showing`
|   levels      All loaded levels that are to be shown have the state `showing`.
restart 1 ~ frame
sim.FrameCost 0
sim.ShowPerActor 2
sim.BytesPerCell 0
sim.BytesPerActor 0
sim.LoadPerActor 0
step 6 ~ frame
| frame 6  t 0.100  Player0 (-49000,4000,200) v (10000,0,0)
sql SELECT count(*) AS showing FROM cells WHERE state = 'showing'
| showing
|       3
# A limit that is less than half a nanosecond is none, as any time that short is.
restart 1 ~ frame
s.LevelStreamingActorsUpdateTimeLimit 0.0000004
step 6 ~ frame
| frame 6  t 0.100  Player0 (-49000,4000,200) v (10000,0,0)
assert (SELECT max(work) FROM frames) > 0
# Each sum of the report is one of path_report(), the length of the waits, too.
wp.Runtime.BlockOnSlowStreaming 1
sim.Latency 3000
step 300 ~ nothing
assert path_report('stalls') > 0
path report -c stalls,stall_ms,peak_frame
| stalls   stall_ms  peak_frame
|      2  6967.1467         107
sql SELECT path_report('stalls') AS stalls, path_report('stall_ms') AS stall_ms, path_report('peak_frame') AS peak_frame
| stalls   stall_ms  peak_frame
|      2  6967.1467         107

# A cell that is only to be loaded is no longer under way when it is, and is not loaded again to be shown.
open @FIXTURES@/valley.json
| Valley: 44 cells, 60 actors, profile 5.4
source add Player0 0,0 --target loaded
step 40 ~ nothing
hitches 40 -n 2
| frame 40  show 0.0 ms of 5  stall 0.0 ms  waiting 0  loading 0  good (rule 2.5)
| ms  bytes  wait  loading  cell  actors  why
source set Player0 --target activated
step 4 ~ nothing
hitches 41 -n 2 -c cell,wanted,load,shown,wait,loading,why
| frame 41  show 0.8 ms of 5  stall 0.0 ms  waiting 0  loading 0  good (rule 2.5)
| cell                wanted  load  shown  wait  loading  why
| MainGrid_2_1_0_0        41     -     41     0        0  cheap
| MainGrid_-1_-1_0_0      41     -     41     0        0  cheap
