# SPDX-License-Identifier: Apache-2.0
# What the engine's cooker writes, as the tests write it: loose packages of a hash set of 5.6, and
# a container with grids of 5.3. Opened, drawn, explained, checked, compared.
open @OUT@/Cooked
| Town: 11 cells, 13 actors, profile 5.6
files @OUT@/Cooked -n 3 -s path -c path,size,type
| path                                                               size  type
| Town/Content/Maps/Town.uexp                                        4145  exports
| Town/Content/Maps/Town.umap                                        7824  package
| Town/Content/Maps/Town/_Generated_/0L6ICNTCIEFPLOUVY92K2FA5A.uexp   651  exports
cells -c name,level,layers,actors,package
| name                            level  layers  actors  package
| Town_MainGrid_L-1_X0_Y0            -1  -            3  -
| Town_MainGrid_L0_X-1_Y-1            0  -            1  EE5PH49C46K2P4FVW27EJ3ODG
| Town_MainGrid_L0_X-1_Y0             0  -            1  0L6ICNTCIEFPLOUVY92K2FA5A
| Town_MainGrid_L0_X-1_Y1             0  -            1  2UU4Z4GWYJ08TCH6PK7Q12CDZ
| Town_MainGrid_L0_X0_Y-1             0  -            1  5BVEEY0O8CYTOK683ZQYJ6Y20
| .._MainGrid_L0_X0_Y0_d79C32635      0  Layer0       1  30SZLKRNMTDJ9J5SNVQAL9I8R
| Town_MainGrid_L0_X0_Y0              0  -            1  55VPCFEWSLOSA5E3FKWZ1FSQW
| Town_MainGrid_L0_X0_Y1              0  -            1  E1M9RHO11QGMSPNTT8AJCP06E
| Town_MainGrid_L0_X1_Y-1             0  -            1  EWMMD8H5TJN6G3PYIFVTV9WBP
| Town_MainGrid_L0_X1_Y0              0  -            1  A8GM3NSQ7JAS0YCOSM85J8B24
| Town_MainGrid_L0_X1_Y1              0  -            1  8A843ARZ12H8EOW4U8JEBE9TS
grids -c name,class,cell_size,loading_range,priority,cells
| name      class   cell_size  loading_range  priority  cells
| MainGrid  lhgrid      12800          25600         0     11
map
| Town  MainGrid L0  cell 12800 cm  range 25600
|        -1  1
|     -1 . . .
|      0 . .+.
|      1 . . .
|   . unloaded  @ source  * just changed  + several cells
|   10 cells: 10 .   x right, y down
explain cell Town_MainGrid_L0_X0_Y-1
| Town_MainGrid_L0_X0_Y-1  MainGrid
| level 0, cells of 12800 x 12800; its actors cover 5900 x 4900
| 1 actor in 0 clusters, the largest first
| largest  actors  extent  reaches_out  asks_for
explain actor House_100_99
| House_100_99  StaticMeshActor  guid 12E379F30BF0F0A0E6693C5AA445BC03
actors -w "label = 'House_100_99'" -c guid,location,hlod_relevant,placement
| guid                              location      hlod_relevant  placement
| 12E379F30BF0F0A0E6693C5AA445BC03  100,-12700,0  -              -
package /Game/Maps/Town/_Generated_/A8GM3NSQ7JAS0YCOSM85J8B24 -w "name IN ('object','ActorGuid','RelativeLocation')"
| rule      name              value
| export 1  object            Town
| export 2  object            Town.PersistentLevel.Model_0
| export 3  object            Town.PersistentLevel.WorldSettings
| export 3  ActorGuid         9AE16A3B2F90404F9AE16A3B2F90404F
| export 4  object            Town.PersistentLevel.House_101_100
| export 4  ActorGuid         EA2292E70D396A89B4757F5B157D8FB3
| export 5  object            ..PersistentLevel.House_101_100.StaticMeshComponent0
| export 5  RelativeLocation  (12900,100,0)
| export 6  object            Town.PersistentLevel
verify
| @OUT@/Cooked: sound
| checked: 11 cells, 10 packages, 10 actors; correct are 11 names, 11 GUIDs, 0 keys, 10 places, 10 bounds
diff cooked @OUT@/Cooked
| same: 10 cells, 13 actors compared
diff cooked @OUT@/Cooked --names
| same: 10 cells, 13 actors compared
# A cook with three changes: an actor in another cell, one with another name, a cell gone.
diff @OUT@/Cooked @OUT@/Changed -s kind,what
|    kind   what                 left                 right                reasons
| +  actor  Barn                 -                    ..ainGrid_L0_X-1_Y0  new
| ~  actor  House_101_100        ..MainGrid_L0_X1_Y0  ..ainGrid_L0_X1_Y-1  moved
| -  actor  House_101_101        ..MainGrid_L0_X1_Y1  -                    gone
| -  actor  House_99_100         ..ainGrid_L0_X-1_Y0  -                    gone
| ~  cell   ..ainGrid_L0_X-1_Y0  -                    -                    content
| ~  cell   ..ainGrid_L0_X1_Y-1  -                    -                    content
| ~  cell   ..MainGrid_L0_X1_Y0  -                    -                    content
| -  cell   ..MainGrid_L0_X1_Y1  -                    -                    gone
| unexplained: 11 cells, 13 actors compared; 7 differences by rule, 1 unexplained
diff @OUT@/Cooked @OUT@/Changed --names -s kind,what
|    kind   what                 left                 right                reasons
| +  actor  Barn                 -                    ..ainGrid_L0_X-1_Y0  new
| ~  actor  House_101_100        ..MainGrid_L0_X1_Y0  ..ainGrid_L0_X1_Y-1  moved
| -  actor  House_101_101        ..MainGrid_L0_X1_Y1  -                    gone
| -  actor  House_99_100         ..ainGrid_L0_X-1_Y0  -                    gone
| ~  cell   ..ainGrid_L0_X-1_Y0  -                    -                    content
| ~  cell   ..ainGrid_L0_X1_Y-1  -                    -                    content
| ~  cell   ..MainGrid_L0_X1_Y0  -                    -                    content
| -  cell   ..MainGrid_L0_X1_Y1  -                    -                    gone
| unexplained: 11 cells, 13 actors compared; 7 differences by rule, 1 unexplained
# The grids of 5.3, out of a container: no actor has a GUID, no grid a priority.
open @OUT@/Packed
| Town: 11 cells, 13 actors, profile 5.3
paks @OUT@/Packed -c version,files,unreadable
| version  files  unreadable
|       8     11           0
find Town -n 2 -c package,size,method
| package                                                size  method
| /Game/Maps/Town                                        9826  Zlib
| /Game/Maps/Town/_Generated_/0L6ICNTCIEFPLOUVY92K2FA5A  1516  Zlib
actors -n 2 -s label -c label,guid,cell
| label               guid  cell
| HouseNight_100_100  -     Town_MainGrid_L0_X0_Y0_d79C32635
| House_100_100       -     Town_MainGrid_L0_X0_Y0
grids -c name,cell_size,grid_size,levels,aligned,priority
| name      cell_size  grid_size  levels  aligned  priority
| MainGrid      12800          5       3  no              -
verify
| @OUT@/Packed: sound
| checked: 11 cells, 10 packages, 10 actors; correct are 11 names, 11 GUIDs, 11 keys, 0 places, 10 bounds
| checked: the hashes of 11 chunks and files in containers are correct; 0 have no hash or cannot be read
map
| Town  MainGrid L0  cell 12800 cm  range 25600
|        -1  1
|     -1 . . .
|      0 . .+.
|      1 . . .
|   . unloaded  @ source  * just changed  + several cells
|   10 cells: 10 .   x right, y down
# Cooked by 5.3 and by 5.6: by rule called otherwise, by rule placed otherwise.
diff cooked @OUT@/Cooked -n 2 -c verdict,kind,change,name,rule
| verdict          kind   change  name                      rule
| differs by rule  world  class   Town                      1.6.1
| differs by rule  cell   box     Town_MainGrid_L0_X-1_Y-1  1.6.4
| unexplained: 10 cells, 13 actors compared; 21 differences by rule, 10 unexplained
# A report with the verdict, and a map of what differs.
report @OUT@/engine-cook.html --cooked @OUT@/Cooked
| @OUT@/engine-cook.html written
expect error E_FEATURE: report @OUT@/engine-cook.html --cooked @FIXTURES@/valley.json
# The same on the screen, and the cells beside each other on the map.
view size 99x24
view diff cooked @OUT@/Cooked
view show
|  Town  unexplained
|  Diff cooked @OUT@/Cooked    map >
|  - settings  1
|  `- ~ Town                               class  rule 1.6.1  spatial hash -> hash set
|  - cells  30  10 unexplained
|  +- ~ Town_MainGrid_L0_X-1_Y-1           box  rule 1.6.4  -19200.000,-19200.000,-4398046511104.000~
|  +- ~ Town_MainGrid_L0_X-1_Y-1           content  -19100.000,-19100.000,0.000 to -13200.000,-14200~
|  +- ~ Town_MainGrid_L0_X-1_Y-1           guid  rule 1.6.5  D65BE20D754747B55045953A4528D916 -> 40C~
|  +- ~ Town_MainGrid_L0_X-1_Y0            box  rule 1.6.4  -19200.000,-6400.000,-4398046511104.000 ~
|  +- ~ Town_MainGrid_L0_X-1_Y0            content  -19100.000,-6300.000,0.000 to -13200.000,-1400.0~
|  +- ~ Town_MainGrid_L0_X-1_Y0            guid  rule 1.6.5  97495BC808BFD4D01B2BA4B73F1ED28E -> 30E~
|  +- ~ Town_MainGrid_L0_X-1_Y1            box  rule 1.6.4  -19200.000,6400.000,-4398046511104.000 t~
|  +- ~ Town_MainGrid_L0_X-1_Y1            content  -19100.000,6500.000,0.000 to -13200.000,11400.00~
|  +- ~ Town_MainGrid_L0_X-1_Y1            guid  rule 1.6.5  E82FB07A238770B92333A0991837EFA6 -> A1A~
|  +- ~ Town_MainGrid_L0_X0_Y-1            box  rule 1.6.4  -6400.000,-19200.000,-4398046511104.000 ~
|  +- ~ Town_MainGrid_L0_X0_Y-1            content  -6300.000,-19100.000,0.000 to -400.000,-14200.00~
|  +- ~ Town_MainGrid_L0_X0_Y-1            guid  rule 1.6.5  56355D38749B015A1635494003CC70BD -> 62F~
|  +- ~ Town_MainGrid_L0_X0_Y0_d79C32635   box  rule 1.6.4  -6400.000,-6400.000,-4398046511104.000 t~
|  +- ~ Town_MainGrid_L0_X0_Y0_d79C32635   content  -6300.000,-6300.000,0.000 to -400.000,-1400.000,~
|  +- ~ Town_MainGrid_L0_X0_Y0_d79C32635   guid  rule 1.6.5  6EF9F437B9E49113A0C223B5DB970300 -> 152~
|  +- ~ Town_MainGrid_L0_X0_Y0             box  rule 1.6.4  -6400.000,-6400.000,-4398046511104.000 t~
|  +- ~ Town_MainGrid_L0_X0_Y0             content  -6300.000,-6300.000,0.000 to -400.000,-1400.000,~
|  +- ~ Town_MainGrid_L0_X0_Y0             guid  rule 1.6.5  B19FC6D3845FA2993B6DF40539D611CA -> A09~
|  Left Fold  Right Unfold  m On map  v m Map  : Command  q Close  ? Help
press m
view show
|  Town  MainGrid L0 zoom 1/4
|      -3      -2      -1      0       1       2       3       4          | cell ~_L0_X0_Y0_d79C32635
|   -2                                                                    | state     unloaded
|                                                                         | wanted    unloaded
|                                                                         | level     0
|                                                                         | actors    1
|   -1                 ~       ~       ~                                  | layers    Layer0
|                                                                         | hierarchy 0
|                                                                         | priority  0
|                                                                         | grid      MainGrid
|    0                 ~       ~2 =    ~                                  | from      -6300,-6300,0
|                               = =                                       | to        -400,-1400,300
|                                                                         | package   30SZLKRNMTDJ9J5
|                                                                         |           SNVQAL9I8R
|    1                 ~       ~       ~                                  |
|                                                                         |
|                                                                         |
|                                                                         |
|    2                                                                    |
|                                                                         |
|                                                                         |
|                                                                         |
|  diff cooked Cooked  dots: actors  ~ ~ 10                               |
|  m Overlay  Enter Cells  S Source  + - Zoom  [ ] Level  e Explain  y Why  v m Map  q Close  ? Help
press q q
expect error E_NOFILE: diff cooked @OUT@/Nowhere
expect error E_FEATURE: diff cooked @FIXTURES@/valley.json
expect error E_VERSION: open @OUT@/Cooked --engine 5.4
# Names alone: what no property was read for is not known.
open @OUT@/Packed --names
| Town: 11 cells, 13 actors, profile 5.3
| loading ranges are assumed, because the source does not contain them: see `grids`
cells -n 2 -c name,level,x,y,priority,client_only
| name                      level   x   y  priority  client_only
| Town_MainGrid_L0_X-1_Y-1      0  -1  -1         -  -
| Town_MainGrid_L0_X-1_Y0       0  -1   0         -  -
cells -w "layers_id <> '00000000'" -c name,layers,layers_id
| name                              layers                               layers_id
| Town_MainGrid_L0_X0_Y0_d79C32635  .._01A6DF4C49FC13A57E668C9631F7EE64  79c32635
layers -c name,initial,state
| name                                        initial  state
| DataLayer_01A6DF4C49FC13A57E668C9631F7EE64  -        unloaded
actors -n 1 -s label -c label,location
| label               location
| HouseNight_100_100  -
verify
| @OUT@/Packed: sound
| checked: 11 cells, 10 packages, 10 actors; correct are 11 names, 11 GUIDs, 11 keys, 0 places, 10 bounds
| checked: the hashes of 11 chunks and files in containers are correct; 0 have no hash or cannot be read
