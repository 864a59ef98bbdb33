# SPDX-License-Identifier: Apache-2.0
# A walk through what the engine itself cooked: a container, its map, a cell, its package, a mesh.
require file @DATA@/ue/containers/UE5_8/Unversioned/CUE4ParseFixtures-Minimal-Zlib-Windows.utoc
open @DATA@/ue/containers/UE5_8/Unversioned/CUE4ParseFixtures-Minimal-Zlib-Windows.utoc
| WorldPartition: 1 cell, 2 actors, profile 5.7
find WorldPartition -c package,size,method
| package                                                             size  method
| /Game/Fixtures/Maps/WorldPartition                                  4330  Zlib
| ..xtures/Maps/WorldPartition/_Generated_/1WD4NAK7SVY0JF8AXYPOSA7U8  2295  Zlib
| /Game/Fixtures/WorldPartition/DLA_Runtime                            321  Zlib
cells -c name,level,actors,package
| name                                    level  actors  package
| WorldPartition_MainPartition_L0_X0_Y-1      0       1  1WD4NAK7SVY0JF8AXYPOSA7U8
actors -c label,class,cell
| label            class                           cell
| PartitionedMesh  /Script/Engine.StaticMeshActor  ..ition_MainPartition_L0_X0_Y-1
| WorldDataLayers  /Script/Engine.WorldDataLayers  -
grids -c name,class,cell_size,loading_range,cells
| name                               class       cell_size  loading_range  cells
| MainPartition                      lhgrid          12800          25600      1
| MainPartition:HLODLayer_Instanced  lhgrid              -          51200      0
| MainPartition:HLODLayer_Merged     lhgrid              -         102400      0
| MainPartition:None                 persistent          -              0      0
map
| WorldPartition  MainPartition L0  cell 12800 cm  range 25600
|        0
|     -1 .
|   . unloaded  @ source  * just changed
|   1 cell: 1 .   x right, y down
explain cell WorldPartition_MainPartition_L0_X0_Y-1
| WorldPartition_MainPartition_L0_X0_Y-1  MainPartition
| level 0, cells of 12800 x 12800; its actors cover 356 x 308
| 1 actor in 0 clusters, the largest first
| largest  actors  extent  reaches_out  asks_for
package /Game/Fixtures/Maps/WorldPartition/_Generated_/1WD4NAK7SVY0JF8AXYPOSA7U8 -w "name IN ('object','RelativeLocation','ActorGuid')"
| rule      name              value
| export 1  object            WorldPartition.PersistentLevel
| export 2  object            WorldPartition.PersistentLevel.Model_0
| export 3  object            ..Level.WorldSettings.NavigationSystemModuleConfig_0
| export 4  object            WorldPartition.PersistentLevel.PartitionedMesh
| export 4  ActorGuid         99407B894FFABAD42AA261903A45A1B9
| export 5  object            ..rsistentLevel.PartitionedMesh.StaticMeshComponent0
| export 5  RelativeLocation  (3200,-1600,250)
| export 6  object            WorldPartition
| export 7  object            WorldPartition.PersistentLevel.WorldSettings
| export 7  ActorGuid         7A0D32B2E28933CA851A2B1723FD78D0
source add Player0 3000,-1000,0
step 60
| frame 60  t 1.000  Player0 (3000,-1000,0) v (0,0,0)
|   # MainPartition_L0_X0_Y-1 unloaded -> activated in_range
| 1 change  loading 0  waiting 0  activated 1  resident 0.0 MiB  hash d6f6ea6f
cells -c name,state,bytes
| name                                    state      bytes
| WorldPartition_MainPartition_L0_X0_Y-1  activated   2295
meshes -w nanite
| name       triangles  pages  bytes  bytes_per_triangle  position_precision  version
| SM_Nanite       2048      2  48250             23.5596                   4  5.8
open SM_Nanite.uasset
| SM_Nanite: 2 pages, 32 clusters, 5 groups, 5 levels, 3936 triangles
pages
| name        root  clusters  min_level  max_level    fill  disk_bytes  ratio  triangles  needs  users  state
| ..Nanite:0  yes         19          0          4  0.9972       29348      1       2400      0      1  root
| ..Nanite:1  no          13          0          0  0.1567       18902      1       1536      1      0  not loaded
deps SM_Nanite:1
| SM_Nanite  32 clusters  5 groups  2 pages (1 root)  53216 bytes, on disk 48250
| page 1  not loaded  at 0x0  18812 bytes (on disk 18902)  13 clusters  1 part of groups
| needs
|      0  root       listed, parents, group of parents, same group  8 fixups
| tree
|   1 not loaded
| `- 0 root
| fixups on install: 2 hierarchy slots, 8 clusters that cease to be leaves
| by its list:   0, 1
| by its groups: 0, 1
| order to make 1 usable: 1
| blocked now: no
expect error E_NOFILE: package Nowhere
expect error E_VERSION: open @DATA@/ue/cooked/UE6_0-Unversioned-WorldPartition.umap --engine 5.3
expect error E_KEY: open @DATA@/ue/containers/UE6_0/OodleEncrypted/CUE4ParseFixtures-Minimal-OodleEncrypted-Windows.utoc --key 0x0000000000000000000000000000000000000000000000000000000000000000
# a mesh by itself: nothing of a place is open that verify could read again
close
open @DATA@/ue/cooked/UE5_8-Tagged-SM_Nanite.uasset
|...
verify
| SM_Nanite-2: sound
| UE 5.8: all pages were read, and no byte of them is left over
