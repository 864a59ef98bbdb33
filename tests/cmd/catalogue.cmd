# SPDX-License-Identifier: Apache-2.0
# Several worlds that are open at once: one catalogue with one SQL. The first one is the main world,
# those after it bring their standalone level instances.
open @OUT@/sample.cworld @FIXTURES@/streaming/estate.json
| Valley: 19 cells, 21 actors, profile 5.4
| 1 actor dropped, in no cell: see `drops`
| Estate: 3 cells, 3 actors, 2 standalone level instances, profile 5.4
partitions -c name,index,state,cells
| name    index  state       cells
| Valley      0  registered     19
| Estate      1  -               3
| West        2  waiting         2
| East        3  waiting         2
cells -n 3 -s -name -c name,partition
| name                        partition
| Valley_Persistent_L0_X0_Y0  Valley
| Valley_MainGrid_L1_X0_Y0    Valley
| Valley_MainGrid_L0_X1_Y1    Valley
sql SELECT partition, count(*) AS cells, sum(actors) AS actors FROM cells GROUP BY partition
| partition  cells  actors
| East           2       2
| Estate         3       3
| Valley        19      19
| West           2       2
cells -P Estate -n 1 -c name,actors
| name                     actors
| Estate_MainGrid_0_0_0_0       1
actors -w "label = 'Gate'" -c label,partition,cell
| label  partition  cell
| Gate   Estate     Estate_MainGrid_0_0_0_0_d42C605D3
assert (SELECT max(actors) FROM cells) < 20
# a name that the main world does not have is looked for in the others
explain Estate_MainGrid_5_0_0_0
| in Estate:
| Estate_MainGrid_5_0_0_0  MainGrid
| level 0, cells of 12800 x 12800; its actors cover 8000 x 100
| 1 actor in 1 cluster, the largest first
| largest  actors  extent  reaches_out  asks_for
| East          1    8000         4000         0
map -P West
| House  Rooms L0  cell 3200 cm  range 6400
|        0 1
|      0 . .
|   . unloaded  @ source  * just changed
|   2 cells: 2 .   x right, y down
# a run is of one world
expect error E_USAGE: step
# so why and explain answer by the cook, for each world that has the name, one by -P or by number
why Gate
| in Estate:
| Gate  StaticMeshActor  guid 00000000000000000000000000000001
|   1 1.2     streaming of the world      enabled
|   2 1.2     spatially loaded            yes
|   3 1.6.6   so it can stream            yes                           -> spatial
|   4 1.5     actors that share its cell  1 actor, alone
|   5 1.5     bounds of the set           longest extent 100 cm
|   6 1.6.2   runtime grid                (none)                       -> MainGrid
|   7 1.6.4   level                       level 0, cells of 12800         -> taken
|   8 1.6.6   data layers                 Day                       -> id 42C605D3
|   = 1.6.5   Estate_MainGrid_0_0_0_0_d42C605D3
why Bed
| in West:
| Bed  StaticMeshActor  guid 00000000000000000000000000000011
|   1 1.2     streaming of the world      enabled
|   2 1.2     spatially loaded            yes
|   3 1.6.6   so it can stream            yes                           -> spatial
|   4 1.5     actors that share its cell  1 actor, alone
|   5 1.5     bounds of the set           longest extent 100 cm
|   6 1.6.2   runtime grid                (none)                          -> Rooms
|   7 1.6.4   level                       level 0, cells of 3200          -> taken
|   8 1.6.6   data layers                 0
|   = 1.6.5   House_Rooms_0_0_0_0
| in East:
| Bed  StaticMeshActor  guid 00000000000000000000000000000011
|   1 1.2     streaming of the world      enabled
|   2 1.2     spatially loaded            yes
|   3 1.6.6   so it can stream            yes                           -> spatial
|   4 1.5     actors that share its cell  1 actor, alone
|   5 1.5     bounds of the set           longest extent 100 cm
|   6 1.6.2   runtime grid                (none)                          -> Rooms
|   7 1.6.4   level                       level 0, cells of 3200          -> taken
|   8 1.6.6   data layers                 0
|   = 1.6.5   House_Rooms_0_0_0_0
expect error E_AMBIGUOUS: why Bed --json
why-not Bed -P East
| in East:
| Bed  StaticMeshActor  guid 00000000000000000000000000000011
|   1 1.2     streaming of the world      enabled
|   2 1.2     spatially loaded            yes
|   3 1.6.6   so it can stream            yes                           -> spatial
|   4 1.5     actors that share its cell  1 actor, alone
|   5 1.5     bounds of the set           longest extent 100 cm
|   6 1.6.2   runtime grid                (none)                          -> Rooms
|   7 1.6.4   level                       level 0, cells of 3200          -> taken
|   8 1.6.6   data layers                 0
|   = 1.6.5   House_Rooms_0_0_0_0
actors -w "label = 'Bed'" -c label,partition
| label  partition
| Bed    West
| Bed    East
why 2
| in East:
| Bed  StaticMeshActor  guid 00000000000000000000000000000011
|   1 1.2     streaming of the world      enabled
|   2 1.2     spatially loaded            yes
|   3 1.6.6   so it can stream            yes                           -> spatial
|   4 1.5     actors that share its cell  1 actor, alone
|   5 1.5     bounds of the set           longest extent 100 cm
|   6 1.6.2   runtime grid                (none)                          -> Rooms
|   7 1.6.4   level                       level 0, cells of 3200          -> taken
|   8 1.6.6   data layers                 0
|   = 1.6.5   House_Rooms_0_0_0_0
why L0:0,0
| in Valley:
| Valley_MainGrid_L0_X0_Y0  MainGrid
| level 0, cells of 12800 x 12800; its actors cover 300 x 300
| 1 actor in 1 cluster, the largest first
| largest  actors  extent  reaches_out  asks_for
| Rock_10       1     300            0         0
| in Estate:
| Estate_MainGrid_0_0_0_0  MainGrid
| level 0, cells of 12800 x 12800; its actors cover 7000 x 100
| 1 actor in 1 cluster, the largest first
| largest  actors  extent  reaches_out  asks_for
| West          1    7000            0         0
| in West:
| House_Rooms_0_0_0_0  Rooms
| level 0, cells of 3200 x 3200; its actors cover 100 x 100
| 1 actor in 1 cluster, the largest first
| largest  actors  extent  reaches_out  asks_for
| Bed           1     100            0         0
| in East:
| House_Rooms_0_0_0_0  Rooms
| level 0, cells of 3200 x 3200; its actors cover 100 x 100
| 1 actor in 1 cluster, the largest first
| largest  actors  extent  reaches_out  asks_for
| Bed           1     100            0         0
expect error E_NOCELL: why No_1_2
expect error E_USAGE: partition add @FIXTURES@/streaming/estate.json
# a world more, and one that cannot be opened: the others stay
open --beside @OUT@/sample.cworld
| Valley: 19 cells, 21 actors, profile 5.4
| 1 actor dropped, in no cell: see `drops`
expect error E_NOFILE: open --beside @OUT@/no.cworld
partitions -c name,cells -w "state IS NULL"
| name      cells
| Estate        3
| Valley#2     19
# the current place is in its own world
cd Estate_MainGrid_0_0_0_0
ls -c label,cell
| label  cell
| West   Estate_MainGrid_0_0_0_0
cd actor East
ls -c actor,to
| actor  to
# each has a file of its own, and counts of its own
info -c file,name,instances,cells,actors
|* file       *sample.cworld
| name       Valley
| instances  0
| cells      19
| actors     21
info -P Estate -c file,name,instances,cells,actors
|* file       *estate.json
| name       Estate
| instances  0
| cells      3
| actors     3
info -P West -c file,cells
|* file   *estate.json
| cells  2
cluster West
| 1 actor, 0 edges
|   West
cluster -P East Lamp
| 1 actor, 0 edges
|   Lamp
# one by itself closes the others
open @FIXTURES@/streaming/estate.json
| Estate: 3 cells, 3 actors, 2 standalone level instances, profile 5.4
partitions -c name,cells
| name    cells
| Estate      3
| West        2
| East        2
# without -P the counts are those of the listings
info -c file,instances,cells,actors,sets
|* file       *estate.json
| instances  2
| cells      7
| actors     7
| sets       7
assert (SELECT count(*) FROM cells) = 7
expect error E_SQL: plot "1) AS a, (2"
close
expect error E_NOTOPEN: partitions
# cooking again keeps the worlds beside
open @FIXTURES@/valley.json
open --beside @FIXTURES@/streaming/street.json
remove Lamp_04 ~ Lamp
partitions -c name,cells
| name    cells
| Valley     44
| Street     13
