# SPDX-License-Identifier: Apache-2.0
# The console of the engine: what its variables and dumps do here.
open @FIXTURES@/streaming/season.json
| Season: 7 cells, 7 actors, profile 5.4
| loading ranges are assumed, because the source does not contain them: see `grids`
source add Player0 300,300,0
step 30 ~ change
| 4 changes  loading 0  waiting 0  activated 4  resident 0.3 MiB  hash f02dabd6
# What nothing here reads says so; the others act.
wp.Runtime.EnableSimulationStreamingSource 0
| wp.Runtime.EnableSimulationStreamingSource: without effect here; try source add NAME X,Y,Z
set wp.Runtime.HLOD.WarmupVTSizeClamp 4096
| wp.Runtime.HLOD.WarmupVTSizeClamp: without effect here
wp.Runtime.MaxLoadingStreamingCells 2
variable -m -c name,value
| name                                        value
| wp.Runtime.MaxLoadingStreamingCells         2
| wp.Runtime.EnableSimulationStreamingSource  0
| wp.Runtime.HLOD.WarmupVTSizeClamp           4096
wp.Runtime.OverrideRuntimeLoadingRange -grid=MainGrid -range=30000
| MainGrid: loading range 30000 cm
overrides -c name,loading_range,cooked_range
| name                                        loading_range  cooked_range
| wp.Runtime.MaxLoadingStreamingCells                     -             -
| wp.Runtime.EnableSimulationStreamingSource              -             -
| wp.Runtime.HLOD.WarmupVTSizeClamp                       -             -
| MainGrid                                            30000         25600
wp.Runtime.DumpDataLayers
| Loaded: -
| Active: Fair, Glow, Quest
| [+] Fair (Activated | Activated)
| [+] Glow (Activated | Activated)
| [+] Night (Unloaded | Unloaded)
| [+] Quest (Activated | Activated)
| [+] Winter (Unloaded | Unloaded)
source set Player0 --2d on
wp.Runtime.DebugDisplaySpeedUnit 1
wp.Runtime.DumpStreamingSources
| Player0  priority 128 | Local | Activated | Blocking
|   position  300,300,0, turned 0,0,0
|   velocity  0.0 m/s
|   test      Force2D
|   extra     radius 0, angle 0
|   shape     sphere of the grid's range
|   grids     all
# The map follows the variables and the filter of grids.
wp.Runtime.DebugFilterByRuntimeHashGridName Effects
map ~ Season
| Season  Effects L0  cell 12800 cm  range 25600  frame 30  Player0 (300,300)
wp.Runtime.DebugFilterByRuntimeHashGridName
wp.Runtime.ShowRuntimeSpatialHashGridIndex 1
map ~ Season
| Season  Effects L0  cell 12800 cm  range 25600  frame 30  Player0 (300,300)
wp.Runtime.ShowRuntimeSpatialHashGridIndex -1
wp.Runtime.HashSet.ShowDebugDisplayMode 1
map
| Season  MainGrid L0  cell 12800 cm  range 30000 (override)  frame 30  Player0 (300,300)
|        0 1 2 3
|      0 &@.   .
|      1 .
|   layer: data layers, a letter each
|   . no data layer  & several data layers  @ source  * just changed
|   + several cells
|   6 cells   x right, y down
# The state that a layer has at first.
layer initial Night activated
| Night: activated from the beginning of the next run; role begins one
role standalone
| standalone: a new run at frame 0
| reset: wp.Runtime.MaxLoadingStreamingCells, was 2
| reset: wp.Runtime.EnableSimulationStreamingSource, was 0
| reset: wp.Runtime.HashSet.ShowDebugDisplayMode, was 1
| reset: wp.Runtime.DebugDisplaySpeedUnit, was 1
| reset: wp.Runtime.HLOD.WarmupVTSizeClamp, was 4096
| reset: loading range of MainGrid, was 30000
wp.Runtime.DumpDataLayers ~ Night
| Active: Fair, Glow, Night, Quest
| [+] Night (Activated | Activated)
complete WP.RUNTIME.maxl
| wp.Runtime.MaxLoadingStreamingCells
# A command of the engine prints the rows of ours in the format that is asked for.
wp.Editor.DumpClassDescs --csv
| class,actors
| /Script/Engine.StaticMeshActor,7
