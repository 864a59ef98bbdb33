# SPDX-License-Identifier: Apache-2.0
# What a cooked world holds, as it is listed and shown.
open @OUT@/sample.cworld
| Valley: 19 cells, 21 actors, profile 5.4
| 1 actor dropped, in no cell: see `drops`
info
| file        @OUT@/sample.cworld
| name        Valley
| package     /Game/Valley
| source      json
| profile     5.4
| streaming   yes
| bounds_min  -25600,-25600,0
| bounds_max  25600,25600,51200
| instances   0
| cells       19
| actors      21
| grids       2
| layers      2
| containers  2
| sets        19
| references  2
| hlods       0
| findings    1
| drops       1
|~ ^content_id  [0-9a-f]{32}$

# listings
cells -n 3
cells -w "level = 1 OR always_loaded" -c name,level,x,y,actors
cells -w "level = 0" -s -x,y -n 2 -c name,x,y
cells ~ DL5A17
cells ~ /X[01]_Y1/
cells @ L0:0,0 -c name
cells @ 100,100 -c name
cells @ actor Tower -c name

# what the columns mean
grids -c ?
| column                        heading  unit  doc
|...
|~ ^loading_range +- +cm +distance at which cells load now$
|~ ^range_from +from +- +origin of the range: .*$
|...
expect error E_USAGE: grids -c ?,name

# fields of the file, by paths through it
open @FIXTURES@/valley.json
print cells[7].guid
| 1A4B51DF1FACCFF669CCB2B66BBC98C3
print cells[7].name
| Valley_MainGrid_0_1_0_0
print cells[7].partition
| #0
print cells[7].partition.name
| MainGrid
print cells[7].actors
| #7 +1
print cells[7].actors[0].label
| Rock_1012
print cells[7].actors[0].cell.partition.loading_range
| 38400
print cells[7].layers
| #0 +0
print cells[7]
| offset  field               value
|      0  guid                1A4B51DF1FACCFF669CCB2B66BBC98C3
|     16  content_bundle      00000000000000000000000000000000
|     32  box                 (0, 12800, 0, 12800, 25600, 12800)
|     80  content             (3000, 19897, 0, 3900, 20597, 500)
|    128  x                   0
|    136  y                   1
|    144  z                   0
|    152  name                Valley_MainGrid_0_1_0_0
|    156  short_name          0_1_0_0
|    160  package             2AHHU4AS3H67RQ3VTP5MIS58U
|    164  partition           #0
|    168  level               0
|    172  hierarchical_level  0
|    176  priority            0
|    180  flags               spatial
|    184  layers_id           0
|    188  external_layer      none
|    192  layers              #0 +0
|    200  actors              #7 +1
|    208  sets                #7 +1
# paths that lead nowhere
expect error E_FIELD: print cells[x]
expect error E_FIELD: print cells[0
expect error E_FIELD: print cells[99999]
expect error E_FIELD: print cells[7].nope
expect error E_FIELD: print cells[7].name.label
expect error E_FIELD: print cells[7].name[1]
expect error E_FIELD: print cells[7].actors[9999]
expect error E_FIELD: print cells[0]name
expect error E_FIELD: print nosuch[0]
print partitions[0]
| offset  field            value
|      0  origin           (0, 0, 0)
|     24  bounds           (-10011, -5897, 0, 81966, 59288, 900)
|     72  cell_size        12800
|     80  loading_range    38400
|     88  name             MainGrid
|     92  parent           none
|     96  partition_class  lhgrid
|    100  priority         0
|    104  hlod_index       -1
|    108  debug_color      0
|    112  levels           0
|    116  grid_size        0
|    120  flags            spatial
|    124  cells            #0 +42
|    132  reserved         0
print sets[3]
| offset  field        value
|      0  bounds       (-10011, 45691, 0, -9111, 46391, 500)
|     48  x            -1
|     56  y            3
|     64  z            0
|     72  level        0
|     76  first_level  0
|     80  container    #0
|     84  partition    #0
|     88  cell         #3
|     92  placement    by_centre
|     96  largest      #20
|    100  members      #3 +1
|    108  reserved     0
print containers[0]
| offset  field                  value
|      0  transform.rotation     (0, 0, 0, 1)
|     32  transform.translation  (0, 0, 0)
|     56  transform.scale        (1, 1, 1)
|     80  id                     00000000000000000000000000000000
|     96  content_bundle         00000000000000000000000000000000
|    112  parent                 none
|    116  package                /Game/Maps/Valley
|    120  actor                  none
|    124  external_layer         none
|    128  actors                 #0 +54
expect error E_FIELD: print cells[7].actors[9]
expect error E_MISSING: print partitions[0].parent.name
expect error E_FIELD: print cells[9999].name
expect error E_SQL: cells -w "level) or (1"
expect error E_SQL: cells -w "level >"
# Who asks for columns gets them alone, not what the command says of its rows.
cell-of Rock_1187 -c ? ~ "/Valley|^label /"
| label               -        -     label of the actor without the labels of level instances
probe 0,0 -c ? ~ "/actors,|^wanted /"
| wanted     state that the cell would get
# An answer that is one record is filtered as rows are, and stays a record.
source add Player0 0,0
step 2 ~ nothing
path report -w "frames = 0" --csv ~ /./
| first_frame,frames,loads,unloads,failures,thrash,short_frames,slow_frames,critical_frames,stalls,stall_ms,skipped_frames,peak_cells,peak_actors,peak_bytes,peak_frame,peak_waiting,peak_loading
path report -w "frames = 2" ~ /frame/
| first_frame      0
| frames           2
| short_frames     2
| slow_frames      0
| critical_frames  0
| skipped_frames   0
| peak_frame       1
path report -n 0 --json
| {"schema":"cellscope.path_report/1","rows":[]}
# An object of JSON has each key once, however often a column was named.
actors -n 1 -c label,class,label --json
| {"schema":"cellscope.actor/1","rows":[
| {"label":"SM_Post","class":"/Script/Engine.StaticMeshActor"}
| ]}
