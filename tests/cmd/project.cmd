# SPDX-License-Identifier: Apache-2.0
# A project of Unreal Engine: what it holds, cooked, and its generation report opened as a world.
maps @OUT@/project
| package             partitioned  readable
| /Game/Levels/House  no           yes
| /Game/Levels/Room   no           yes
| /Game/Maps/Valley   yes          yes
expect error E_NOMAP: open @OUT@/project --map Nowhere
expect error E_PROJECT: open @FIXTURES@
expect error E_PROJECT: open @OUT@/project/Content/Maps/Valley.umap
expect error E_USAGE: open @OUT@/sample.cworld --map Valley
open @OUT@/project/Fixture.uproject --map /Script/Engine.World'/Game/Maps/Valley.Valley'
| Valley: 47 cells, 71 actors, profile 5.6
| 4 actors dropped, in no cell: see `drops`
# An actor by the path in logs, and with the class that the editor copies; quotes may be of the line.
actor /Game/Maps/Valley.Valley:PersistentLevel.StaticMeshActor_UAID_3C821FBF59108163_818510136 -c name
| name  StaticMeshActor_UAID_3C821FBF59108163_818510136
actor "/Script/Engine.StaticMeshActor'/Game/Maps/Valley.Valley:PersistentLevel.StaticMeshActor_UAID_3C821FBF59108163_818510136'" -c name
| name  StaticMeshActor_UAID_3C821FBF59108163_818510136
cell-of /Script/Engine.StaticMeshActor'/game/maps/valley.valley:persistentlevel.staticmeshactor_uaid_3c821fbf59108163_818510136'
| Valley_MainGrid_L0_X2_Y-4_Z0
| label    class                           cell
| Yard     /Script/Engine.StaticMeshActor  Valley_MainGrid_L0_X2_Y-4_Z0
| Mast     /Script/Engine.StaticMeshActor  Valley_MainGrid_L0_X2_Y-4_Z0
| Lantern  /Script/Engine.StaticMeshActor  Valley_MainGrid_L0_X2_Y-4_Z0
expect error E_NOACTOR: actor /Game/Maps/Other.Other:PersistentLevel.StaticMeshActor_UAID_3C821FBF59108163_818510136
info
| file        @OUT@/project/Fixture.uproject
| name        Valley
| package     /Game/Maps/Valley
| source      uproject
| engine      5.6.1
| profile     5.6
| streaming   yes
| bounds_min  -95215.75,-98419.75,-12500
| bounds_max  93518,95624,12700
| instances   0
| cells       47
| actors      71
| grids       3
| layers      4
| containers  4
| sets        61
| references  6
| hlods       2
| findings    15
| drops       1
| content_id  abf5aedd00bc444d5775de4b8e5c5e18
cells -c name,actors,layers -n 5 -s name
| name                  actors  layers
| Valley_Far_L-1_X0_Y0       1  -
| Valley_Far_L0_X-1_Y0       2  -
| Valley_Far_L0_X0_Y-2       1  -
| Valley_Far_L0_X0_Y0        1  -
| Valley_Far_L0_X1_Y0        1  -
grids
| name            class       cell_size  loading_range  from    cells  priority
| MainGrid        lhgrid          12800          38400  cooked     41         0
| Far             lhgrid          51200         153600  cooked      5        -2
| MainGrid:HLOD0  persistent      25600              0  cooked      1         0
containers
| package                 id                                actors  external_layer
| /Game/Maps/Valley       -                                     60  -
| ..B0000001/Maps/Valley  -                                      2  -
| /Game/Levels/House      90CCB6A06CD2330E7878834768668743       4  -
| /Game/Levels/Room       D72EFB2FD4A828ECAF5073A59DA7F97D       3  -
| /Game/Maps/Valley       -                                      2  EDL_Winter
cook @OUT@/project --map /Game/Maps/Valley -o @OUT@/project.cworld -j 2
| file                 @OUT@/project.cworld
| actors               71
| cells                47
| always_loaded_cells  3
| sets                 61
| containers           4
| findings             15
| errors               11
| drops                1
| unreadable           0
| dropped: 1 actor in no cell, with all that depend on it
| actor  actors  reason                                         detail
| House       4  its level has no world partition: it loads ..  /Game/Levels/House
verify @OUT@/project.cworld
| @OUT@/project.cworld: sound

# one package
open @OUT@/project --map Valley
| Valley: 47 cells, 71 actors, profile 5.6
| 4 actors dropped, in no cell: see `drops`
package @OUT@/project/Content/Maps/Valley.umap
| rule  name             value
| 2     saved by engine  5.6.1
| 2     UE5 version      1017
| 2     package name     /Game/Maps/Valley
| 3     objects          1
| 3     object path      Valley
| 3     class            /Script/Engine.World
expect error E_PACKAGE: package @OUT@/sample.cworld

# the generation report is a world, too
cook log @OUT@/project.log
open @OUT@/project.log
| Valley: 45 cells, 73 actors, profile 5.5, as the log has it
| open --recook cooks its descriptors with our rules
| loading ranges are assumed, because the source does not contain them: see `grids`
